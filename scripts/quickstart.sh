#!/usr/bin/env bash
# From a fresh clone to real performance defects: gets the paper's solvers, builds the program and the instrumented
# Z3 (about 15 minutes the first time on two cores, seconds afterwards), fuzzes for five minutes, says where to look.
#
#   scripts/quickstart.sh [further options of `mulstringfuzz fuzz`]
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/requirements.sh
cargo build --locked --release
program=target/release/mulstringfuzz
"$program" setup

run="runs/quickstart-$(date +%Y%m%d-%H%M%S)"
mkdir -p runs
"$program" fuzz --target z3str3 --reference cvc4 --budget 5m --out "$run" "$@"

echo
echo "The run is in $run:"
echo "  summary.json    the figures         front.csv       the Pareto front"
confirmed=$(find "$run/defects" -name report.md 2>/dev/null | sort) # candidates are in candidates/
if [ -z "$confirmed" ]; then
    echo "No defect was confirmed this time; a longer run ('--budget 1h', or '--resume $run') will find some."
    exit 1
fi
echo "Confirmed defects, ready to be reported:"
while read -r report; do
    echo "  $report"
done <<<"$confirmed"
