#!/bin/sh
# Compares our line counts with gcov's on a real solver build.
#
#   gcov-tools/compare-with-gcov.sh BUILD COMMAND...
#
# BUILD is the folder with the .gcno files; COMMAND runs a program of that build that is linked with the ordinary gcov
# runtime (plain --coverage), and must end by itself, through exit: Z3 with rlimit=N, not with -T:; CVC4 with
# --no-early-exit. Succeeds if no line is different, missing or extra, by way of the data files and of
# gcov-tools/preload.c; prints how many lines were compared. With MULSTRINGFUZZ_GCOV_SHARED=PROGRAM, PROGRAM, the same
# linked with runtime.c, runs with the same arguments and must count the same.
set -eu
if [ $# -lt 2 ]; then
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
MULSTRINGFUZZ_GCOV_BUILD=$1
shift
MULSTRINGFUZZ_GCOV_COMMAND="$*"
export MULSTRINGFUZZ_GCOV_BUILD MULSTRINGFUZZ_GCOV_COMMAND
cd "$(dirname "$0")/.."
exec cargo test --quiet --test coverage_equals_gcov a_real_build -- --nocapture
