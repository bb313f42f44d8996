#!/usr/bin/env bash
# Makes the opening book that comes with the program, or makes it larger.
#
#   scripts/book.sh [BOOK]
#
# BOOK (default: book/volte.book) is grown to POSITIONS positions by searches of LEVEL, the cheapest replies first, and on
# until its main lines are complete; its manifest is written beside it. Stop it at any time: started again it goes on
# where it was, and the result is the same. VOLTE names the program (default: volte on the path), THREADS the searches at
# a time.
set -euo pipefail
book=${1:-$(dirname "$0")/../book/volte.book}
volte=${VOLTE:-volte}
options=(--level "${LEVEL:-18}" --choice 0.5 --deviation 3 --hash 16)
# Far and wide first; then whatever is still open on the lines that nobody wants to leave.
wide=(book grow "${options[@]}" --total 6 --plies 30 --positions "${POSITIONS:-10500}")
main=(book grow "${options[@]}" --total 4 --plies 17 --positions 1000000)

for command in "${wide[*]}" "${main[*]}"; do
    # shellcheck disable=SC2086 # words without spaces
    "$volte" $command ${THREADS:+--threads "$THREADS"} "$book"
done
"$volte" book verify "$book"
commit=${COMMIT:-$(git -C "$(dirname "$0")" rev-parse --short HEAD)}
sha256=$(sha256sum <"$book" | cut -d" " -f1)
# There is no seed: nothing in the making of a book is left to chance.
printf '{"commands":["volte %s","volte %s"],"commit":"%s","sha256":"%s","book":%s}\n' \
    "${wide[*]}" "${main[*]}" "$commit" "$sha256" "$("$volte" book stats --json "$book")" >"${book%.book}.json.new"
mv "${book%.book}.json.new" "${book%.book}.json"
