#!/usr/bin/env bash
# From a fresh clone to real performance defects. As soon as the program and the paper's two solvers are ready, it fuzzes for
# four minutes without coverage; meanwhile it builds the instrumented Z3 at low priority (some 15 minutes on two cores, the
# first time). Once that is ready, it fuzzes for five minutes with coverage, leaving out what is known by then.
#
#   scripts/quickstart.sh [further options of `mulstringfuzz fuzz`]
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/requirements.sh
cargo build --locked --release
program=${CARGO_TARGET_DIR:-target}/release/mulstringfuzz
name=runs/quickstart-$(date +%Y%m%d-%H%M%S)
mkdir -p runs
confirmed=0

# fuzz FOLDER OPTION…: a run; its last lines name the defects and their files.
fuzz() {
    local folder=$1
    shift
    "$program" fuzz --target z3str3 --reference cvc4 --out "$folder" "$@"
    confirmed=$((confirmed + $(find "$folder/defects" -name report.md 2>/dev/null | wc -l)))
}

"$program" setup z3str3 cvc4
if ! "$program" solvers z3str3-gcov 2>/dev/null | grep -q ' ok '; then
    log=$name.setup.log
    echo "The instrumented Z3 is built in the background; $log says how far it is."
    nice -n 19 "$program" setup >"$log" 2>&1 &
    building=$!
    trap 'kill -INT "$building" 2>/dev/null || true' EXIT
    fuzz "$name-first" --instrumented none --budget 4m "$@"
    echo
    echo "Waiting for the instrumented Z3 …"
    if ! wait "$building"; then
        tail -n 5 "$log" >&2
        echo "quickstart.sh: the instrumented Z3 could not be built; the first run is in $name-first" >&2
        exit 3
    fi
    trap - EXIT
    set -- --known "$name-first" "$@"
fi
"$program" setup
fuzz "$name" --budget 5m "$@"

if [ "$confirmed" = 0 ]; then
    echo "No defect was confirmed this time; a longer run ('--budget 1h', or '--resume $name') will find some."
    exit 1
fi
