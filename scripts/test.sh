#!/usr/bin/env bash
# Installs what the tests need (build tools, a browser and Slurm from Debian, solvers from PyPI, the instrumented Z3) and
# runs all tests. The instrumented build takes some 13 minutes on two cores the first time. It and the solvers stay in the
# user's cache folder, so later runs start at once.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/requirements.sh --tests
cargo build --locked
program=${CARGO_TARGET_DIR:-target}/debug/mulstringfuzz

# The solvers are built while the tests are compiled: both have phases that leave a core idle.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ "$program" setup && "$program" setup z3str3-libgcov; } >"$log" 2>&1 &
setup=$!
trap 'kill "$setup" 2>/dev/null || true; rm -f "$log"' EXIT
cargo test --locked --no-run
while kill -0 "$setup" 2>/dev/null; do
    tail -n 1 "$log"
    sleep 20
done
if ! wait "$setup"; then
    cat "$log"
    echo "test.sh: the solvers could not be set up" >&2
    exit 1
fi
tail -n 5 "$log"

cargo test --locked
