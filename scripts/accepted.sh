#!/usr/bin/env bash
# Counts how many of FuzzSMT's layered formulas the solvers read. Generates COUNT formulas of each logic, gives them to each solver
# without their (check-sat), many in one process, and counts those that it accepts without complaint. Prints a table.
#
#   scripts/accepted.sh [COUNT] [OPTION…]     default: 20000; options of `mulstringfuzz generate` that shape the formulas
#
# MULSTRINGFUZZ names the program if it is not the release build; LOGICS and SOLVERS replace the default lists.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-20000}
shift || true
program=${MULSTRINGFUZZ:-${CARGO_TARGET_DIR:-target}/release/mulstringfuzz}
logics=${LOGICS:-qf-bv qf-abv qf-aufbv}
solvers=${SOLVERS:-z3 cvc5@1.4.2 yices bitwuzla}
# Formulas in a process, bytes at most: a few seconds of reading.
a_block=$((16 << 20))

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
heading="| logic | formulas | bytes: least | median | most |"
rule="| --- | ---: | ---: | ---: | ---: |"
for solver in $solvers; do
    line=$("$program" setup "$solver" 2>/dev/null)
    awk '{ print $NF }' <<<"$line" >"$scratch/$solver.path"
    heading+=" read by $solver ($(awk '{ print $2 }' <<<"$line")) |"
    rule+=" ---: |"
done
printf '%s\n%s\n' "$heading" "$rule"

for logic in $logics; do
    folder=$scratch/$logic
    "$program" generate "$logic" -n "$count" --seed 1 --dialect smtlib-2.6 "$@" --out "$folder" >/dev/null
    sizes=$(find "$folder" -name '*.smt2' -printf '%s\n' | sort -n |
        awk '{ size[NR] = $1 } END { printf "%d | %d | %d | %d", NR, size[1], size[int((NR + 1) / 2)], size[NR] }')
    # A formula that is read says so; one that is not says something else before that, or ends the process.
    find "$folder" -name '*.smt2' | sort | awk -v block="$scratch/block-" -v most="$a_block" '
        file == "" || bytes > most { if (file != "") close(file); bytes = 0; file = block (++blocks) ".smt2" }
        {
            while ((getline line <$0) > 0) if (line != "(check-sat)") { print line >file; bytes += length(line) }
            close($0)
            print "(echo \"read\")\n(reset)" >file
        }'
    row="| $logic | $sizes |"
    for solver in $solvers; do
        read=0
        for block in "$scratch"/block-*; do
            case $solver in
            cvc*) options=(--lang smt2.6) ;;
            *) options=() ;;
            esac
            said=$("$(cat "$scratch/$solver.path")" ${options[@]+"${options[@]}"} "$block" 2>&1 || true)
            read=$((read + $(awk '{ gsub(/"/, "") } $0 == "read" && !bad { read++ } { bad = $0 != "read" } END { print read + 0 }' <<<"$said")))
        done
        row+=" $read |"
    done
    rm -rf "$folder" "$scratch"/block-*
    echo "$row"
done
