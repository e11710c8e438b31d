#!/usr/bin/env bash
# STORM's RQ3 (bounds against instances until a defect is found) and RQ4 (sizes of minimised instances), on three seeds of
# our own and defects of Z3 4.8.10 and CVC4 1.8.
#
#   scripts/storm-tables.sh [RUNS] [DIR]     generator seeds per configuration (3); the folder for the tables
#                                            (results/storm)
#
# ddSMT (PyPI) must be on the PATH for its column; its property is that the solver says unsat and Z3 5.4.1 says sat.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-3} out=${2:-results/storm}

cargo build --locked --release
program=$PWD/target/release/mulstringfuzz
for solver in z3seq z3 cvc4@1.8; do "$program" setup "$solver"; done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"

python3 - "$program" "$runs" "$scratch" "$out" <<'PYTHON'
import csv, json, os, shutil, statistics, subprocess, sys

program, runs, scratch, out = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
defects = [("replaced", "z3seq"), ("cut", "cvc4@1.8"), ("sought", "z3seq")]
most = 100  # instances of a run


def hunt(name, solver, seed, *options):
    folder = f"{scratch}/{name}-{len(os.listdir(scratch))}"
    command = [program, "hunt", "--seeds", f"experiments/storm/{name}.smt2", "--solver", solver, "--out", folder,
               "-n", str(most), "--limit", "1s", "--seed", str(seed), "--json", *options]
    summary = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert summary["unsatisfied"] == 0
    return folder, [each for each in summary["defects"] if each["kind"] == "refutation-unsoundness"]


with open(f"{out}/bounds.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["defect", "solver", "depth", "assertions", "runs", "found", "median_instances"])
    for name, solver in defects:
        for depth in (4, 16, 64):
            for assertions in (4, 16, 64):
                bounds = ["--depth", str(depth), "--assertions", str(assertions), "--minimise", "none"]
                found = [hunt(name, solver, seed, *bounds)[1] for seed in range(1, runs + 1)]
                firsts = [each[0]["instance"] if each else most + 1 for each in found]
                table.writerow([name, solver, depth, assertions, runs, sum(map(bool, found)), statistics.median(firsts)])


def size(text):
    depth = deepest = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        deepest = max(deepest, depth)
    return len(text.encode()), text.count("(assert "), deepest


def ddsmt(path, solver):
    """The same instance by ddSMT, which needs a second solver for the truth."""
    if not shutil.which("ddsmt"):
        return ""
    test = f"{scratch}/test.sh"
    with open(test, "w") as script:
        script.write(f"#!/bin/sh\nexec python3 {scratch}/agree.py {program} {solver} \"$1\"\n")
    os.chmod(test, 0o755)
    with open(f"{scratch}/agree.py", "w") as script:
        script.write(AGREE)
    small = f"{scratch}/ddsmt.smt2"
    subprocess.run(["ddsmt", "-j", "1", "--ignore-output", "--timeout", "20", path, small, test], capture_output=True)
    return open(small).read() if os.path.exists(small) else ""


AGREE = '''
import json, shutil, subprocess, sys, tempfile
program, solver, path = sys.argv[1:]
folder = tempfile.mkdtemp()
shutil.copy(path, folder + "/instance.smt2")
run = subprocess.run([program, "hunt", "--strategy", "none", "--seeds", folder + "/instance.smt2", "--solver", solver, "--solver",
                      "z3@5.4.1", "--out", folder + "/out", "--limit", "1s", "--minimise", "none", "--json"],
                     capture_output=True, text=True)
shutil.rmtree(folder)
answers = json.loads(run.stdout)["answers"] if run.returncode == 0 else {}
wrong = any(name.startswith(solver) and "unsat" in said for name, said in answers.items())
right = any(name.startswith("z3@") and "sat" in said for name, said in answers.items())
sys.exit(7 if wrong and right else 0)
'''

with open(f"{out}/minimised.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["defect", "solver", "how", "bytes", "assertions", "depth"])
    for name, solver in defects:
        # The same generator seed for all, so that the same instance is made small.
        options = ["--incremental", "0", "--minimise"]
        seed = next((seed for seed in range(1, 10) if hunt(name, solver, seed, *options, "none")[1]), 1)
        for how in ("none", "bounds", "reduction", "both"):
            folder, found = hunt(name, solver, seed, *options, how)
            if not found:
                continue
            place = f"{folder}/findings/{found[0]['number']}"
            table.writerow([name, solver, how, *size(open(f"{place}/reduced.smt2").read())])
            if how == "none" and (small := ddsmt(f"{place}/instance.smt2", solver)):
                table.writerow([name, solver, "ddsmt", *size(small)])
PYTHON
column -s, -t "$out/bounds.csv"
column -s, -t "$out/minimised.csv"
