#!/usr/bin/env bash
# Feeds damaged files to every reader and damaged sessions to every protocol, for two minutes each or as long as asked.
#
#   scripts/fuzz.sh [SECONDS [SEED]]
#
# What breaks one of them is kept in a file, and its path is told.
set -euo pipefail
cd "$(dirname "$0")/.."
VOLTE_FUZZ_SECONDS=${1:-120} VOLTE_FUZZ_SEED=${2:-$RANDOM} cargo test --test fuzz --test fuzz_protocols -- --nocapture
