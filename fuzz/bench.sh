#!/bin/sh
# Throughput of all fuzz targets under both engines, against an empty target in the same run. A measurement, not a test.
#
#   fuzz/bench.sh BUILD_FOLDER [SECONDS]      the engines' targets are built in BUILD_FOLDER/engines
#
# libFuzzer's figures are the best of three runs of SECONDS (4), in processor time, so that other work on the machine
# counts little; AFL++'s are by the clock. "empty" has the structure-aware mutator, as the other targets do; "empty,
# bytes" has the engine's own. A case is one warp and one instruction, a check is the comparison of two implementations'
# results on one case: both are what the targets counted. "one case, one variant" compares one implementation, the
# fastest, with the transcription; the other lines compare every variant of `fast`. Options are those of a campaign.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
seconds=${2:-4}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Processor seconds of the children so far.
cpu_seconds() { # COMMAND... ; prints user+system
  ("$@" >"$scratch/log" 2>&1 || true; times >"$scratch/times") # children are on the second line: 0m1.23s 0m0.04s
  awk 'NR == 2 { n = 0; for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); n += 60 * t[1] + t[2] } print n }' \
    "$scratch/times"
}
# Checks an execution, by the target's own counters (fuzz/status.h: executions and checks follow two 32-bit words).
checks_each() {
  [ -f "$scratch/status" ] || { echo 0; return; }
  od -An -t u8 -j 8 -N 16 "$scratch/status" | awk '{ print ($1 > 0 ? $2 / $1 : 0) }'
}
libfuzzer() { # TARGET DERIVED IMPL ; prints executions a second of processor time, and checks an execution
  best=0
  for try in 1 2 3; do
    rm -rf "$scratch/work" "$scratch/status"; mkdir "$scratch/work"
    used=$(cd "$scratch/work" && export WARPCHECK_FUZZ_DERIVED=$2 WARPCHECK_FUZZ_IMPL=$3 WARPCHECK_FUZZ_SIGNALS=16 \
      WARPCHECK_FUZZ_STATUS="$scratch/status" &&
      cpu_seconds "$build/engines/libfuzzer/fuzz/$1" -max_len=720 -len_control=0 -entropic=0 -seed=$try \
        -max_total_time="$seconds" -print_final_stats=1)
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log")
    best=$(awk -v runs="${runs:-0}" -v used="$used" -v best="$best" 'BEGIN {
      r = used > 0 ? runs / used : 0; print (r > best ? r : best) }')
  done
  echo "$best $(checks_each)"
}
afl() { # TARGET DERIVED MUTATOR ; the same by the clock: the target's processor time is not told by afl-fuzz
  rm -rf "$scratch/in" "$scratch/out" "$scratch/status"; mkdir "$scratch/in"; printf '\000' >"$scratch/in/zero"
  (
    export WARPCHECK_FUZZ_DERIVED=$2 WARPCHECK_FUZZ_STATUS="$scratch/status"
    export AFL_NO_UI=1 AFL_TRY_AFFINITY=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_FAST_CAL=1
    export AFL_DISABLE_TRIM=1
    [ -z "$3" ] || export AFL_CUSTOM_MUTATOR_ONLY=1 \
      AFL_CUSTOM_MUTATOR_LIBRARY="$build/engines/afl/fuzz/libwarpcheck-afl-mutator.so"
    afl-fuzz -V "$((seconds * 2))" -s 1 -G 720 -i "$scratch/in" -o "$scratch/out" -- "$build/engines/afl/fuzz/$1" \
      >"$scratch/log" 2>&1
  ) || true
  echo "$(awk -F ': *' '/^execs_per_sec/ { printf "%.0f", $2 }' "$scratch/out/default/fuzzer_stats") $(checks_each)"
}
line() { # NAME EMPTY CASES_PER_EXECUTION RATE CHECKS_PER_EXECUTION
  awk -v name="$1" -v empty="$2" -v cases="$3" -v rate="$4" -v checks="$5" 'BEGIN {
    printf "%-34s %12d %9.0f %% %14.0f %14.0f\n", name, rate, 100 * rate / empty, rate * cases, rate * checks }'
}
head_line() {
  printf '%-34s %12s %11s %14s %14s\n' "$1" "executions/s" "of empty" "cases/s" "checks/s"
}

"$source/fuzz/engine.sh" libfuzzer "$build/engines/libfuzzer"
fastest=fast-portable
for variant in fast-avx512 fast-avx2 fast-neon; do
  if (cd "$scratch" &&
    WARPCHECK_FUZZ_IMPL=$variant "$build/engines/libfuzzer/fuzz/fuzz_all" -runs=1 >/dev/null 2>&1); then
    fastest=$variant
    break
  fi
done
# The targets of the instruction table's families, as fuzz/CMakeLists.txt calls them.
families=$(sed -n 's/^WARP_FAMILY([A-Z_]*, *"\([a-z.]*\)".*/\1/p' "$source/model/include/warpcheck/forms.def" | tr . _)
head_line "libFuzzer, a core"
empty=$(libfuzzer fuzz_empty 0 fast-all | cut -d ' ' -f 1)
line "empty, bytes" "$empty" 0 $(libfuzzer fuzz_empty_raw 0 fast-all)
line "empty" "$empty" 0 "$empty" 0
for target in $families all; do
  line "$target, one case, one variant" "$empty" 1 $(libfuzzer "fuzz_$target" 0 $fastest)
  line "$target, one case" "$empty" 1 $(libfuzzer "fuzz_$target" 0 fast-all)
  line "$target, 64 derived" "$empty" 65 $(libfuzzer "fuzz_$target" 64 fast-all)
done
if command -v afl-clang-fast >/dev/null && command -v afl-fuzz >/dev/null; then
  "$source/fuzz/engine.sh" afl "$build/engines/afl"
  echo
  head_line "AFL++, a core"
  empty=$(afl fuzz_empty 0 yes | cut -d ' ' -f 1)
  line "empty, bytes" "$empty" 0 $(afl fuzz_empty_raw 0 '')
  line "empty" "$empty" 0 "$empty" 0
  for target in $families all; do
    line "$target, 64 derived" "$empty" 65 $(afl "fuzz_$target" 64 yes)
  done
fi
