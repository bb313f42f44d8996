#!/usr/bin/env bash
# Trains the evaluation from nothing: positions, labels, and weights, the end of the game first.
#
#   scripts/train.sh [--quick] WTHOR_FOLDER WORK_FOLDER
#
# WORK_FOLDER gets everything, at the end weights.eval and its manifest weights.json. Stop it at any time: started
# again it goes on where it was. --quick runs the same path on little data in a few minutes. VOLTE names the program
# (default: volte on the path); GAMES, LINES, SELFPLAY, DEPTH, EXACT and BANDS are the size.
set -euo pipefail

quick=false
if [ "${1:-}" = --quick ]; then quick=true; shift; fi
wthor=$(realpath "${1:?the folder of the WTHOR year files}")
work=${2:?the folder for data and weights}
commit=$(git -C "$(dirname "$0")" rev-parse --short HEAD)
volte=$(realpath "$(command -v "${VOLTE:-volte}")")
if $quick; then
    games=${GAMES:-2000} lines=${LINES:-2000} selfplay=${SELFPLAY:-200} probes=${PROBES:-400} deepest=${DEEPEST:-5}
    depth=${DEPTH:-4}
else
    games=${GAMES:-200000} lines=${LINES:-250000} selfplay=${SELFPLAY:-20000} probes=${PROBES:-3000} deepest=${DEEPEST:-8}
    depth=${DEPTH:-8}
fi
# Each band is labelled by searches whose leaves lie in bands that are fitted already: no wider than they are deep.
exact=${EXACT:-14}
bands=${BANDS:-15-18 19-22 23-26 27-30 31-34 35-38 39-42 43-46 47-50 51-54 55-59}

mkdir -p "$work"
cd "$work"
weights=()

# collect SOURCE BAND: positions of a kind in a band, labelled by search.
collect() {
    local name=$1-$2
    [ -e "positions/$name.pos" ] || "$volte" train positions --source "$1" --wthor "$wthor" --games "$games" \
        --lines "$lines" --seed "${2%-*}" --empties "$2" "${weights[@]}" --out "positions/$name.pos"
    "$volte" train label "positions/$name.pos" --depth "$depth" --exact "$exact" --to-the-end "$((exact + 2))" \
        --selectivity 73 "${weights[@]}" --out "labels/$name"
}

# probcut WEIGHTS: fits the errors of shallow searches of a weights file, on positions of their own, the last ones with
# exact values, and puts them into it.
probcut() {
    if [ ! -e probcut.pos ]; then
        "$volte" train positions --source perturbed --wthor "$wthor" --games "$games" --lines "$probes" --seed 99 \
            --empties 10-54 "${weights[@]}" --out probcut.pos
    fi
    "$volte" train label probcut.pos --depth 1 --exact "$exact" "${weights[@]}" --out probcut
    "$volte" train probcut probcut --every 20 --deepest "$deepest" --weights "$1"
}

# fit NAME: weights of all labels there are, with their ProbCut model.
fit() {
    if [ ! -e "stages/$1.txt" ]; then
        "$volte" train fit labels --commit "$commit" --out "stages/$1.eval" >"stages/$1.txt.new"
        probcut "stages/$1.eval" >>"stages/$1.txt.new"
        mv "stages/$1.txt.new" "stages/$1.txt"
    fi
    weights=(--weights "stages/$1.eval")
}

mkdir -p positions labels stages
[ -e labels/solved.pos ] || "$volte" train solved --wthor "$wthor" --games "$games" --out labels/solved.pos
for band in "1-$exact" $bands; do
    for source in games perturbed random; do collect "$source" "$band"; done
    fit "$band"
done

# A round of self-play with the weights of all bands.
"$volte" train selfplay --games "$selfplay" --depth "$depth" --exact "$exact" --selectivity 73 "${weights[@]}" \
    --out labels/selfplay
fit selfplay
for ending in json eval; do
    cp "stages/selfplay.$ending" "weights.$ending.new"
    mv "weights.$ending.new" "weights.$ending"
done
