#!/usr/bin/env bash
# Runs `fuzz` for a long time with short limits, and watches its process from outside: memory, descriptors, threads, and
# evaluations per minute. Exit code 1 unless, at the end, memory is at most a tenth higher than after the first quarter, there are
# no more descriptors and threads than then, and the rate is at least 90 % of that at the start.
#
#   scripts/soak.sh [TIME [DIR [further options of `fuzz`]]]     default: 2h, and a new folder below runs/
#   scripts/soak.sh --crowded [TIME [DIR [further options]]]     with four jobs per core: each script that was too slow then is
#                                                                run again alone afterwards, and must be too slow again
# MULSTRINGFUZZ names a program to use instead of the one that this script builds.
set -euo pipefail
cd "$(dirname "$0")/.."

crowded=false
if [ "${1:-}" = --crowded ]; then
    crowded=true
    shift
fi
time=${1:-2h}
folder=${2:-runs/soak-$(date +%Y%m%d-%H%M%S)}
shift $(($# < 2 ? $# : 2))
case $time in
*h) seconds=$((${time%h} * 3600)) ;;
*m) seconds=$((${time%m} * 60)) ;;
*s) seconds=${time%s} ;;
*) echo "soak.sh: the time must be like 2h, 30m or 90s, not $time" >&2 && exit 2 ;;
esac
program=${MULSTRINGFUZZ:-}
if [ -z "$program" ]; then
    cargo build --release --locked
    program=${CARGO_TARGET_DIR:-target}/release/mulstringfuzz
fi
options=(--limit 500ms --observe-limit 250ms --confirm-limit 1s --no-triage --no-hunt "$@")
if $crowded; then
    options+=(--jobs $((4 * $(nproc))))
fi
mkdir -p "$(dirname "$folder")"
"$program" fuzz "${options[@]}" --budget "$time" --out "$folder" --quiet &
process=$!
trap 'kill "$process" 2>/dev/null || true' EXIT

# About 200 looks, at most one a second.
pause=$((seconds / 200 > 0 ? seconds / 200 : 1))
samples=$folder.samples.csv
echo "seconds,rss_kb,descriptors,threads,evaluations" >"$samples"
begun=$SECONDS
while kill -0 "$process" 2>/dev/null; do
    rss=$(awk '/^VmRSS/ { print $2 }' "/proc/$process/status" 2>/dev/null || true)
    threads=$(awk '/^Threads/ { print $2 }' "/proc/$process/status" 2>/dev/null || true)
    descriptors=$(find "/proc/$process/fd" -mindepth 1 2>/dev/null | wc -l)
    # The rows of a generation that is not finished are there, too.
    rows=$(wc -l <"$folder/evaluations.csv" 2>/dev/null || echo 1)
    if [ -n "$rss" ]; then
        echo "$((SECONDS - begun)),$rss,$descriptors,$threads,$((rows - 1))" >>"$samples"
    fi
    sleep "$pause"
done
trap - EXIT
wait "$process"

failed=0
python3 - "$samples" "$seconds" <<'PYTHON' || failed=1
"""Judges the samples: each quarter's median against the first one's end."""
import csv
import statistics
import sys

rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
length = float(sys.argv[2])
# What comes before the first evaluation, and while the results are written, is not the search.
rows = [row for row in rows if row["evaluations"] > 0 and row["seconds"] < 0.97 * length]
if len(rows) < 16:
    sys.exit("soak.sh: too few samples: the run was too short")
quarter = len(rows) // 4
parts = [rows[index * quarter : (index + 1) * quarter] for index in range(4)]


def median(part, key):
    return statistics.median(row[key] for row in part)


def rate(part):
    return 60 * (part[-1]["evaluations"] - part[0]["evaluations"]) / (part[-1]["seconds"] - part[0]["seconds"])


failed = False


def judge(name, first, last, is_good):
    global failed
    failed |= not is_good
    print(f"{name:<24} {first:>12.1f} {last:>12.1f}  {'ok' if is_good else 'TOO MUCH' if name[0] != 'e' else 'TOO LITTLE'}")


print(f"{'':<24} {'2nd quarter':>12} {'4th quarter':>12}")
for key, unit, room in [("rss_kb", "memory, KB", 1.1), ("descriptors", "descriptors", 1.0), ("threads", "threads", 1.0)]:
    first, last = median(parts[1], key), median(parts[3], key)
    judge(unit, first, last, last <= first * room)
first, last = rate(parts[0]), rate(parts[3])
print(f"{'':<24} {'1st quarter':>12} {'4th quarter':>12}")
judge("evaluations a minute", first, last, last >= 0.9 * first)
sys.exit(failed)
PYTHON

if $crowded; then
    target=$(sed -n 's/^target = "\(.*\)"$/\1/p' "$folder/config.toml" | head -n 1)
    mapfile -t scripts < <(find "$folder/candidates" "$folder/defects" -name instance.smt2 | sort)
    "$program" matrix "${scripts[@]}" --solver "$target" --limit 500ms --jobs 1 --json >"$folder.alone.json"
    python3 - "$folder.alone.json" <<'PYTHON' || failed=1
"""Every script that was too slow among many is too slow alone, or nearly: times of one script differ by some percent."""
import json
import sys

rows = json.load(open(sys.argv[1]))["rows"]
quick = [row["instance"] for row in rows if row["cells"][0]["verdict"] != "slow" and row["cells"][0]["seconds"] < 0.8 * 0.5]
print(f"too slow among many jobs: {len(rows)}; not so alone: {len(quick)} {' '.join(quick)}".rstrip())
sys.exit(bool(quick))
PYTHON
fi
exit "$failed"
