#!/bin/sh
# Plays a game on to its end and prints it:  play_out.sh [MOVES [LEVEL]]
volte=${VOLTE:-volte}
moves=${1-}
while move=$("$volte" best "$moves" --level "${2:-4}" --threads 1 --hash 4) || exit; do
    case $move in
        -) echo "$moves"; exit ;;
        pass) moves=${moves}pa ;;
        *) moves=$moves$move ;;
    esac
done
