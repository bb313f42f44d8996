#!/usr/bin/env bash
# Lets XBoard play a game of two Voltes on a virtual display.
#
#   scripts/try_xboard.sh [VOLTE [LEVEL]]
#
# Needs xboard and Xvfb (Debian: xboard xvfb). Exits with 0 when XBoard has taken every move and the result; otherwise
# the log of the session is told.
set -euo pipefail
cd "$(dirname "$0")/.."
volte=$(realpath "${1:-target/release/volte}")
level=${2:-4}
PATH=$PATH:/usr/games
for program in xboard Xvfb; do
    command -v "$program" >/dev/null || { echo "SKIPPED: $program is missing"; exit 1; }
done

home=$(mktemp -d)
log=$home/session.txt
display=:$((RANDOM + 100))
Xvfb "$display" -screen 0 1024x768x24 -nolisten tcp 2>/dev/null &
server=$!
sleep 2
engine="$volte xboard --threads 1 --hash 16 --level $level"
DISPLAY=$display HOME=$home xboard -debug -nameOfDebugFile "$log" -variant reversi -mode TwoMachines -tc 1 \
    -fcp "$engine" -scp "$engine" >/dev/null 2>&1 &
game=$!
trap 'kill "$game" "$server" 2>/dev/null || true' EXIT

for _ in $(seq 120); do
    sleep 1
    result=$(grep -a -o -m 1 '>first : result .*' "$log" 2>/dev/null || true)
    [ -z "$result" ] || break
done
case $result in
    *"{White wins "* | *"{Black wins "* | *"{Draw "*)
        echo "${result#*: }, $(grep -a -c ' <.*: move ' "$log") moves, $(grep -a -c ': move @@@@' "$log") passes"
        rm -rf "$home"
        ;;
    *)
        echo "FAILED: ${result:-no result}; see $log"
        exit 1
        ;;
esac
