#!/usr/bin/env bash
# Compares the working tree with a commit: builds both and plays them against each other until a test decides.
#
#   scripts/sprt.sh COMMIT [options of `volte match`]
#
# ENGINE holds what both engines are told (ENGINE="level=8"; time=2+0.02 if not set). The test is --sprt 0,5 unless
# another one is given. Exit code 0: the working tree passes; 1: it does not. The games are in target/sprt; a match
# that was stopped goes on with --resume.
set -euo pipefail
commit=${1:?usage: scripts/sprt.sh COMMIT [options of volte match]}
shift
cd "$(dirname "$0")/.."
hash=$(git rev-parse --short "$commit^{commit}")
engine=${ENGINE:-time=2+0.02}
work=$PWD/target/sprt
base=$work/$hash

cargo build --release
mkdir -p "$base"
# A copy, so that building while the match runs does no harm.
cp target/release/volte "$work/volte-new"

if [ ! -x "$base/volte" ]; then
    tree=$(mktemp -d)
    trap 'git worktree remove --force "$tree"' EXIT
    git worktree add --quiet --detach "$tree" "$hash"
    (cd "$tree" && CARGO_TARGET_DIR=$work/build cargo build --release)
    cp "$work/build/release/volte" "$base/volte"
fi

# Without a book: what is compared is the search. Older programs have none.
describe() {
    local book=
    if "$2" gtp --help | grep -q -- --no-book; then book=" --no-book"; fi
    echo "name=$1 command=\"'$2' gtp --threads=1 --hash=64$book\" $engine"
}

# The match is run by the working tree's own program.
"$work/volte-new" match \
    --engine "$(describe new "$work/volte-new")" \
    --engine "$(describe "$hash" "$base/volte")" \
    --sprt 0,5 --shuffle 1 --concurrency "$(nproc)" \
    --json "$work/new-v-$hash.json" --transcript "$work/new-v-$hash.txt" --overwrite "$@"
