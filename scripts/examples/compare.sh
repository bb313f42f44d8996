#!/bin/sh
# Tells for each position of a file, a line each, whether two levels choose the same move:  compare.sh FILE [LOW HIGH]
volte=${VOLTE:-volte}
low=$(mktemp) && high=$(mktemp) || exit
trap 'rm -f "$low" "$high"' EXIT
"$volte" best --level "${2:-4}" <"$1" >"$low" && "$volte" best --level "${3:-10}" <"$1" >"$high" || exit
paste "$low" "$high" | awk '{ print $1, $2, ($1 == $2) ? "same" : "differs" }'
