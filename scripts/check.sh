#!/usr/bin/env bash
# The one gate: format, lints, tests, documentation and the bench signature. Needs Rust alone.
#
# Tests that need another program or the game collections (found through VOLTE_DATA) and do not have them are skipped
# with a line that says so. Every step runs even if an earlier one failed; the end tells what passed.
set -uo pipefail
cd "$(dirname "$0")/.."

names=()
results=()
failed=0

step() {
    local name=$1 start=$SECONDS
    shift
    printf '\n== %s: %s\n' "$name" "$*"
    if "$@" </dev/null; then
        results+=("passed in $((SECONDS - start)) s")
    else
        results+=("FAILED after $((SECONDS - start)) s")
        failed=1
    fi
    names+=("$name")
}

bench_signature() {
    local wanted found
    [ -f tests/data/bench.signature ] || { echo "SKIPPED: tests/data/bench.signature is missing"; return 0; }
    wanted=$(tr -dc 0-9 <tests/data/bench.signature)
    found=$(cargo run --quiet --release -- bench | tail -n 1)
    echo "$found"
    [ "$found" = "Bench: $wanted" ] || { echo "the signature is $wanted"; return 1; }
}

step "format" cargo fmt --check
step "lints" cargo clippy --all-targets -- -D warnings
# Not quiet, and with its output, so that result lines and SKIPPED lines are seen.
step "tests" cargo test --no-fail-fast -- --show-output
step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --no-deps
step "bench signature" bench_signature

printf '\n== Summary\n'
for index in "${!names[@]}"; do
    printf '%-16s %s\n' "${names[index]}" "${results[index]}"
done
if [ "$failed" -eq 0 ]; then echo "All passed."; else echo "Something FAILED."; fi
exit "$failed"
