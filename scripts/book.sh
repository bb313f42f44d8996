#!/usr/bin/env bash
# Makes the opening book that comes with the program, or makes it larger.
#
#   scripts/book.sh [BOOK]
#
# BOOK (default: book/volte.book) is grown to POSITIONS positions by searches of LEVEL, the cheapest replies first, and
# its manifest is written beside it. Stop it at any time: started again it goes on where it was, and the result is the
# same. VOLTE names the program (default: volte on the path), THREADS the searches at a time.
set -euo pipefail
book=${1:-$(dirname "$0")/../book/volte.book}
volte=${VOLTE:-volte}
level=${LEVEL:-18}
scope=(--plies "${PLIES:-30}" --choice "${CHOICE:-0.5}" --deviation "${DEVIATION:-3}" --total "${TOTAL:-6}")
command=(book grow --level "$level" --positions "${POSITIONS:-10500}" "${scope[@]}" --hash 16)

"$volte" "${command[@]}" ${THREADS:+--threads "$THREADS"} "$book"
"$volte" book verify "$book"
commit=${COMMIT:-$(git -C "$(dirname "$0")" rev-parse --short HEAD)}
sha256=$(sha256sum <"$book" | cut -d" " -f1)
# There is no seed: nothing in the making of a book is left to chance.
printf '{"command":"volte %s","commit":"%s","sha256":"%s","book":%s}\n' \
    "${command[*]}" "$commit" "$sha256" "$("$volte" book stats --json "$book")" >"${book%.book}.json.new"
mv "${book%.book}.json.new" "${book%.book}.json"
