#!/bin/sh
# Regenerates docs/score.md: all mutants, all checks. Each result is kept in BUILD_FOLDER/score.results as soon as it is there, so the measurement
# can be stopped and goes on; remove that file to measure anew. About half an hour on two quiet processors.
#
#   fuzz/score.sh BUILD_FOLDER [SEEDS [AFL_SEEDS [MECHANICAL [SECONDS]]]]    20 seeds, 3 of AFL++, 170 mechanical mutants, 4 seconds a check
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
cmake --build "$build" --target warpcheck warpcheck-mutants >/dev/null
[ -f "$build/score.results" ] && [ -f "$build/mechanical/mutants.tsv" ] || "$source/test/mutants/mechanical/build.sh" "$build" "${4:-170}"
cd "$source"
checks=enumeration,replay,random,laws,libfuzzer
if command -v afl-fuzz >/dev/null && [ "${3:-3}" -gt 0 ]; then checks=$checks,afl; fi
exec "$build/cli/warpcheck" score --checks "$checks" --mechanical "$build/mechanical" --seeds "${2:-20}" --afl-seeds "${3:-3}" \
  --seconds "${5:-4}" --results "$build/score.results" --markdown docs/score.md
