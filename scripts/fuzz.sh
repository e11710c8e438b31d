#!/usr/bin/env bash
# Fuzzes the parsers (fuzz/) with libFuzzer, on the project's own toolchain:
#   scripts/fuzz.sh [TARGET [SECONDS [LIBFUZZER-ARGUMENT…]]]   one target, or each, for SECONDS (default: 60)
#   scripts/fuzz.sh SECONDS                                    each target for SECONDS
#   scripts/fuzz.sh --smoke                                    each target on its seeds and 500 inputs made from them
# Findings go to fuzz/artifacts/TARGET; `scripts/fuzz.sh TARGET 0 FILE` reproduces one.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=(answer evaluate gcno model mutants parse_print record settings theory trace)
corpora=fuzz/corpus
triple=$(rustc -vV | sed -n 's/^host: //p')

# What cargo-fuzz passes, but for the sanitizer: the code has no `unsafe` that a fuzzer reaches. With --target, build
# scripts and macros are not instrumented.
build() {
    local flags=(--cfg fuzzing -Cpasses=sancov-module)
    local pass=(level=4 inline-8bit-counters pc-table trace-compares)
    flags+=("${pass[@]/#/-Cllvm-args=-sanitizer-coverage-}" -Cllvm-args=-simplifycfg-branch-fold-threshold=0)
    RUSTFLAGS="${flags[*]}" cargo build --locked --quiet -p mulstringfuzz-fuzz --profile fuzz --target "$triple" \
        --target-dir fuzz/target
}

# Text files in pieces of some lines: what a fuzzer can recombine is small.
pieces() {
    local target=$1 lines=$2 file
    shift 2
    for file in "$@"; do
        split -l "$lines" --additional-suffix "-${file##*/}" "$file" "$corpora/$target/seed-"
    done
}

# The notes and counters of small programs, where GCC is there.
compiled_notes() {
    local folder
    folder=$(mktemp -d)
    cp tests/coverage_program/* "$folder"
    (cd "$folder" && g++ --coverage -O1 -o program main.cpp other.cpp point.c && ./program) >/dev/null 2>&1 || true
    local notes
    for notes in "$folder"/*.gcno; do
        [ -f "$notes" ] || continue
        (cat "$notes" && printf '\n;;;\n' && cat "${notes%.gcno}.gcda" 2>/dev/null || true) \
            >"$corpora/gcno/seed-$(basename "$notes")"
    done
    rm -r "$folder"
}

# The project's own files as the first corpus.
seed() {
    local target=$1
    mkdir -p "$corpora/$target" "fuzz/artifacts/$target"
    find "fuzz/seeds/$target" -type f -exec cp -t "$corpora/$target" {} + 2>/dev/null || true
    case $target in
    parse_print | evaluate | mutants)
        cp tests/corpus/*.smt2 "$corpora/$target"
        pieces "$target" 8 tests/data/ground_terms/*.smt2
        ;;
    theory) pieces theory 10 src/smtlib/theories/*.smt2 ;;
    settings)
        cp experiments/*.toml "$corpora/settings"
        pieces settings 40 src/solver/profiles.toml
        ;;
    gcno) compiled_notes ;;
    esac
}

# The words of a target's language: of the signature table and of the corpus, or the keys of the seeds.
dictionary() {
    local words
    case $1 in
    parse_print | evaluate | model | mutants | theory)
        words=$(sed 's/;.*//' src/smtlib/theories/*.smt2 | grep -oE '[^() ]{2,}'
            sed 's/;.*//' tests/corpus/*.smt2 fuzz/seeds/model/* | grep -oE '\([a-z!_][a-z-]*' | tr -d '(')
        ;;
    *) words=$(cat "fuzz/seeds/$1"/* 2>/dev/null | grep -aoE '[A-Za-z_:-]{3,}' || true) ;;
    esac
    sort -u <<<"$words" | grep -v '["\\]' | sed '/^$/d; s/.*/"&"/'
}

run() {
    local target=$1 words=()
    shift
    seed "$target"
    dictionary "$target" >"$corpora/$target.dict"
    [ -s "$corpora/$target.dict" ] && words=("-dict=$corpora/$target.dict")
    echo "fuzz.sh: $target" >&2
    TMPDIR=$scratch "fuzz/target/$triple/fuzz/$target" "-artifact_prefix=fuzz/artifacts/$target/" \
        "${words[@]}" -timeout=5 -rss_limit_mb=2048 -max_len=4096 "$@"
}

# Temporary files of the targets stay in memory, if the machine has such a folder.
scratch=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)" mulstringfuzz-fuzz.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

build
if [ "${1:-}" = --smoke ]; then
    # A corpus of its own: the same inputs whatever was found before.
    corpora=$scratch/corpora
    for target in "${targets[@]}"; do
        run "$target" -seed=1 -runs=500 "$corpora/$target" 2>"$scratch/$target.log" ||
            { tail -40 "$scratch/$target.log" >&2 && exit 1; }
    done
    exit 0
fi
[ $# -gt 0 ] && [[ $1 != [0-9]* ]] && targets=("$1") && shift
seconds=${1:-60}
[ $# -gt 0 ] && shift
for target in "${targets[@]}"; do
    if [ "$seconds" = 0 ]; then
        run "$target" "$@"
    else
        run "$target" "-max_total_time=$seconds" -print_final_stats=1 "$@" "$corpora/$target"
    fi
done
