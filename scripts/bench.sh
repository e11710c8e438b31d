#!/usr/bin/env bash
# Benchmarks, stated as ratios against something that runs beside them on the same machine.
#
#   scripts/bench.sh                              our own parts (divan); coverage beside gcov and fastcov; traces
#                                                 beside cat and GNU diff; evaluations beside the naive pipeline
#   STRINGFUZZ=path/to/a/checkout scripts/bench.sh     also StringFuzz's generator and fuzzer, in scripts per CPU second
#   YINYANG=path/to/a/venv scripts/bench.sh            also the published TypeFuzz and OpFuzz (pip install yinyang==0.3.0),
#                                                      in mutants per CPU second, asking two trivial solvers
#
# The long comparison of two campaigns is `cargo bench --bench pipelines -- campaign 10m`. The check of common lines
# against `diff --minimal` is `cargo bench --bench traces -- equality 300`.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --release
program=${CARGO_TARGET_DIR:-target}/release/mulstringfuzz
"$program" setup
"$program" setup z3str3-libgcov
command -v fastcov >/dev/null || echo "bench.sh: fastcov is not installed (pip install fastcov), and so not measured"
cargo bench --locked

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the CPU seconds (user and system) of a command whose output is thrown away.
cpu_seconds() {
    python3 - "$@" <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime)
PYTHON
}

# Twenty times one seed, which the published tools can read; two programs that answer `sat` to anything.
if [ -n "${YINYANG:-}" ]; then
    mkdir "$scratch/seeds"
    for seed in $(seq 20); do
        cp experiments/typefuzz/strings-words.smt2 "$scratch/seeds/$seed.smt2"
    done
    for solver in one two; do
        printf '#!/bin/sh\necho sat\n' >"$scratch/$solver"
        chmod +x "$scratch/$solver"
    done
    for tool in typefuzz opfuzz; do
        theirs=$(cd "$scratch" && cpu_seconds "$YINYANG/bin/$tool" -i 100 "./one;./two" seeds)
        ours=0
        for file in "$scratch"/seeds/*.smt2; do
            ours=$(python3 -c "print($ours + $(cpu_seconds "$program" mutate "$tool" "$file" -n 20000 --chain 100))")
        done
        python3 -c "theirs, ours = 2000 / $theirs, 400000 / $ours
print(f'$tool: published {theirs:,.0f}/s with its two solvers, ours {ours:,.0f}/s without, ratio {ours / theirs:.0f}')"
    done
else
    echo "bench.sh: set YINYANG to a virtual environment with yinyang to measure it beside ours"
fi

if [ -z "${STRINGFUZZ:-}" ]; then
    echo "bench.sh: set STRINGFUZZ to a checkout of StringFuzz to measure it beside ours"
    exit 0
fi

for round in 1 2 3; do
    theirs=$(PYTHONPATH=$STRINGFUZZ python3 - "$scratch" <<'PYTHON'
import random, sys, time
from stringfuzz.constants import SMT_25_STRING
from stringfuzz.generator import generate
from stringfuzz.generators import random_ast
from stringfuzz.parser import parse
from stringfuzz.transformers import fuzz

random.seed(1)
def script():
    return generate(random_ast(5, 10, 2, 5, 10, 10, 0.1, True), SMT_25_STRING)

count, start, size = 3000, time.process_time(), 0
for _ in range(count):
    size += len(script())
generated = count / (time.process_time() - start)

# Inputs of some 400 bytes, as our own benchmark reads.
texts = [generate(random_ast(2, 4, 2, 5, 10, 10, 0.1, True), SMT_25_STRING) for _ in range(20)]
for number, text in enumerate(texts):
    open(f"{sys.argv[1]}/{number}.smt2", "w").write(text)
count, start = 1000, time.process_time()
for number in range(count):
    generate(fuzz(parse(texts[number % 20], SMT_25_STRING), False), SMT_25_STRING)
print(generated, count / (time.process_time() - start), size / 3000)
PYTHON
    )
    read -r generated mutated bytes <<<"$theirs"
    ours_generated=$(cpu_seconds "$program" generate strings -n 300000 --jobs 1 --seed "$round" \
        --variables 5 --assertions 10 --depth 2 --literal-probability 0.1)
    ours_mutated=0 ours_fuzzed=0
    for file in "$scratch"/*.smt2; do
        ours_mutated=$(python3 -c "print($ours_mutated + $(cpu_seconds "$program" mutate mulstringfuzz "$file" \
            -n 20000 --jobs 1 --seed "$round"))")
        ours_fuzzed=$(python3 -c "print($ours_fuzzed + $(cpu_seconds "$program" mutate stringfuzz "$file" \
            --transformer fuzz -n 20000 --jobs 1 --seed "$round"))")
    done
    python3 - "$generated" "$mutated" "$bytes" "$ours_generated" "$ours_mutated" "$ours_fuzzed" <<'PYTHON'
import sys
generated, mutated, size, ours_generated, ours_mutated, ours_fuzzed = map(float, sys.argv[1:])
ours_generated, ours_mutated, ours_fuzzed = 300_000 / ours_generated, 400_000 / ours_mutated, 400_000 / ours_fuzzed
print(f"generate: StringFuzz {generated:,.0f}/s ({size:.0f} B each), ours {ours_generated:,.0f}/s, ratio {ours_generated / generated:.0f}")
print(f"mutate:   StringFuzz {mutated:,.0f}/s, ours {ours_mutated:,.0f}/s, ratio {ours_mutated / mutated:.0f}")
print(f"fuzz:     StringFuzz {mutated:,.0f}/s, ours {ours_fuzzed:,.0f}/s, ratio {ours_fuzzed / mutated:.0f}")
PYTHON
done
