#!/bin/sh
# Regenerates docs/generated/score.md: all mutants, all checks, and the proofs about mutants that nothing caught. Each
# result is kept in BUILD_FOLDER/score.results as soon as it is there, so the measurement can be stopped and goes on;
# remove that file to measure anew, as after a change of the sources or of how mutants are built. About half an hour on
# two quiet processors, and up to an hour more for the proofs.
#
#   fuzz/score.sh BUILD_FOLDER [SEEDS [AFL_SEEDS [MECHANICAL [SECONDS [JOBS]]]]]
#
# 20 seeds, 3 of AFL++ (0: without AFL++), 170 mechanical mutants, 4 seconds a check, 1 measurement at a time.
# WARPCHECK_PROVE=no: without proofs.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
seeds=${2:-20} afl_seeds=${3:-3} mechanical=${4:-170} seconds=${5:-4} jobs=${6:-1}
mutants=$source/test/mutants/mechanical
cmake --build "$build" --target warpcheck warpcheck-mutants >/dev/null
[ -f "$build/score.results" ] && [ -f "$build/mechanical/mutants.tsv" ] ||
  WARPCHECK_JOBS=${6:-2} "$mutants/build.sh" "$build" "$mechanical"
cd "$source"
checks=enumeration,replay,random,batches,laws,libfuzzer
if command -v afl-fuzz >/dev/null && [ "$afl_seeds" -gt 0 ]; then checks=$checks,afl; fi
[ "$afl_seeds" -gt 0 ] || afl_seeds=1
score() {
  "$build/cli/warpcheck" score --checks "$checks" --mechanical "$build/mechanical" --seeds "$seeds" \
    --afl-seeds "$afl_seeds" --seconds "$seconds" --jobs "$jobs" --results "$build/score.results" \
    --survivors "$build/mechanical/survivors.tsv" --markdown docs/generated/score.md
}
score && status=0 || status=$?
[ "$status" -le 1 ] || exit "$status"
if [ "${WARPCHECK_PROVE:-yes}" != no ] && [ -f "$build/proofs/bitcode/spec-spec.bc" ]; then
  "$mutants/prove.sh" "$build" "$build/mechanical/survivors.tsv" 600 "$jobs"
  score && status=0 || status=$? # everything is measured: this writes what was proved
fi
exit "$status"
