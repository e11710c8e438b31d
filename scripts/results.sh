#!/usr/bin/env bash
# Reproduces results/NAME-SCALE: runs experiments/NAME.toml at that scale, and puts its plan and tables there, and for campaigns
# also their plots and versions. After an interrupt it continues where it was. (table1 evening: hours on two cores)
#
#   scripts/results.sh [NAME] [SCALE] [FOLDER]     default: table1, evening, results/NAME-SCALE
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:-table1}
scale=${2:-evening}
runs=runs/$name-$scale
results=${3:-results/$name-$scale}

# Now, not after half an hour of the other arms.
if grep -q '^[^#]*minimise-with.*ddsmt' "experiments/$name.toml" && ! command -v ddsmt >/dev/null; then
    echo "results.sh: experiments/$name.toml needs ddsmt on the PATH: \`pip install ddsmt\` brings it" >&2
    exit 1
fi
scripts/requirements.sh
cargo build --release --locked
program=${CARGO_TARGET_DIR:-target}/release/mulstringfuzz
"$program" setup
"$program" experiment run "experiments/$name.toml" --scale "$scale" --out "$runs"
"$program" experiment tables --out "$runs" >/dev/null

mkdir -p "$results"
rm -rf "$results/tables" "$results/plots"
# Without the folder of this clone, which is nobody else's.
sed "s|$PWD/||g" "$runs/experiment.toml" >"$results/experiment.toml"
cp -R "$runs/tables" "$results/"
if grep -qE '^\[(hunt|coverage)\]' "$results/experiment.toml"; then
    echo "results.sh: wrote $results; its README.md says what came out, and is written by hand"
    exit
fi
"$program" report "$runs"
cp -R "$runs/report/plots" "$results/"
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
