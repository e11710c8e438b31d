#!/usr/bin/env bash
# Makes results/NAME-SCALE again: runs experiments/NAME.toml at that scale, and puts its plan, tables and plots there.
# Interrupted, it goes on where it was. usage: scripts/results.sh [NAME] [SCALE]     (table1 evening: hours on two cores)
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:-table1}
scale=${2:-evening}
runs=runs/$name-$scale
results=results/$name-$scale

scripts/requirements.sh
cargo build --release --locked
program=target/release/mulstringfuzz
"$program" setup
"$program" experiment run "experiments/$name.toml" --scale "$scale" --out "$runs"
"$program" experiment tables --out "$runs" >/dev/null
"$program" report "$runs"

mkdir -p "$results"
rm -rf "$results/tables" "$results/plots"
cp "$runs/experiment.toml" "$results/"
cp -R "$runs/tables" "$runs/report/plots" "$results/"
# What every defect's row says is in the runs; here the plots and their data are enough.
rm -f "$results/plots/defects.csv"
first=$(find "$runs/runs" -name environment.json | sort | head -n 1)
python3 - "$first" >"$results/environment.json" <<'PYTHON'
"""The machine and the solvers, without the paths and the command line of the one run that they are read from."""
import json
import sys

environment = json.load(open(sys.argv[1]))
for solver in environment["solvers"].values():
    solver.pop("executable", None)
for key in ("command", "jobs", "started_at"):
    environment.pop(key, None)
json.dump(environment, sys.stdout, indent=2, sort_keys=True)
print()
PYTHON
echo "results.sh: wrote $results; its README.md says what came out, and is written by hand"
