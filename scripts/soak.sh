#!/usr/bin/env bash
# Plays 2,000 games, or as many as asked, over each protocol in one process, and watches its memory.
#
#   scripts/soak.sh [GAMES]
set -euo pipefail
cd "$(dirname "$0")/.."
VOLTE_SOAK_GAMES=${1:-2000} cargo test --test soak -- --nocapture
