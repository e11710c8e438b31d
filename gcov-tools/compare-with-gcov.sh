#!/bin/sh
# Compares our line counts, and which functions and branches ran, with gcov's on a real solver build.
#
#   gcov-tools/compare-with-gcov.sh                     thirty runs of the instrumented Z3 that `setup` has built:
#                                                       solved, timed out, killed, crashed
#   gcov-tools/compare-with-gcov.sh BUILD COMMAND...    one run of another solver
#
# BUILD is the folder with the .gcno files; COMMAND runs a program of that build that is linked with the ordinary gcov
# runtime (plain --coverage), and must end by itself, through exit: Z3 with rlimit=N, not with -T:; CVC4 with
# --no-early-exit. Succeeds if no line, function or branch is different, missing or extra, by way of the data files and of
# gcov-tools/preload.c; prints how many lines were compared. With MULSTRINGFUZZ_GCOV_SHARED=PROGRAM, PROGRAM, the same
# linked with runtime.c, runs with the same arguments and must count the same.
set -eu
cd_project() { cd "$(dirname "$0")/.."; }
if [ $# -eq 0 ]; then
    cd_project
    MULSTRINGFUZZ_COMPARE_ALL=1
    export MULSTRINGFUZZ_COMPARE_ALL
    exec cargo test --quiet --release --test coverage_real a_real_run -- --nocapture
fi
if [ $# -lt 2 ]; then
    sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
MULSTRINGFUZZ_GCOV_BUILD=$1
shift
MULSTRINGFUZZ_GCOV_COMMAND="$*"
export MULSTRINGFUZZ_GCOV_BUILD MULSTRINGFUZZ_GCOV_COMMAND
cd_project
exec cargo test --quiet --test coverage_equals_gcov a_real_build -- --nocapture
