#!/usr/bin/env bash
# Trains the evaluation from nothing: positions, labels, and weights, the end of the game first.
#
#   scripts/train.sh [--quick] WTHOR_FOLDER WORK_FOLDER
#
# WORK_FOLDER gets everything, at the end weights.eval and its manifest weights.json. Stop it at any time: started
# again it goes on where it was. --quick runs the same path on little data in a few minutes. VOLTE names the program
# (default: volte on the path), GAMES, LINES and BANDS the size.
set -euo pipefail

quick=false
if [ "${1:-}" = --quick ]; then quick=true; shift; fi
wthor=$(realpath "${1:?the folder of the WTHOR year files}")
work=${2:?the folder for data and weights}
commit=$(git -C "$(dirname "$0")" rev-parse --short HEAD)
volte=$(realpath "$(command -v "${VOLTE:-volte}")")
if $quick; then
    games=${GAMES:-2000} lines=${LINES:-2000} probes=${PROBES:-400} every=5 deepest=4
else
    games=${GAMES:-200000} lines=${LINES:-100000} probes=${PROBES:-2000} every=20 deepest=8
fi
# Each band is labelled by searches whose leaves lie in bands that are fitted already.
exact=${EXACT:-14} depth=${DEPTH:-4}
bands=${BANDS:-15-18 19-22 23-26 27-30 31-34 35-38 39-42 43-46 47-50 51-54 55-59}

mkdir -p "$work"
cd "$work"
weights=()

# collect SOURCE BAND: positions of a kind in a band, labelled by search.
collect() {
    local name=$1-$2
    [ -e "positions/$name.pos" ] || "$volte" train positions --source "$1" --wthor "$wthor" --games "$games" \
        --lines "$lines" --seed "${2%-*}" --empties "$2" "${weights[@]}" --out "positions/$name.pos"
    "$volte" train label "positions/$name.pos" --depth "$depth" --exact "$exact" "${weights[@]}" --out "labels/$name"
}

# advance BAND: labels a band and fits all there is.
advance() {
    if [ ! -e "stages/$1.eval" ]; then
        for source in games perturbed random; do collect "$source" "$1"; done
        "$volte" train fit labels --iterations 15 --out "stages/$1.eval" >"stages/$1.txt.new"
        mv "stages/$1.txt.new" "stages/$1.txt"
    fi
    weights=(--weights "stages/$1.eval")
}

mkdir -p positions labels stages
[ -e labels/solved.pos ] || "$volte" train solved --wthor "$wthor" --games "$games" --out labels/solved.pos
advance "1-$exact"
for band in $bands; do advance "$band"; done
"$volte" train fit labels --commit "$commit" --out weights.eval

# The errors of shallow searches: on positions of their own, the last ones with exact values.
"$volte" train positions --source perturbed --wthor "$wthor" --games "$games" --lines "$probes" --seed 99 \
    --empties 10-54 --weights weights.eval --out probcut.pos
"$volte" train label probcut.pos --depth 1 --exact "$exact" --weights weights.eval --out probcut
"$volte" train probcut probcut --every "$every" --deepest "$deepest" --weights weights.eval
