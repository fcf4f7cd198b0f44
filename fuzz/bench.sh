#!/bin/sh
# Throughput of the fuzz targets, against an empty target in the same run. A measurement, not a test.
#
#   fuzz/bench.sh BUILD_FOLDER [SECONDS]      the engines' targets are built in BUILD_FOLDER/engines
#
# libFuzzer's figures are the best of three, in processor time, so that other work on the machine counts little; AFL++'s are by the clock. "empty" has the
# structure-aware mutator, as the other targets do; "empty, bytes" has the engine's own.
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
  awk 'NR == 2 { n = 0; for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); n += 60 * t[1] + t[2] } print n }' "$scratch/times"
}
libfuzzer() { # TARGET DERIVED ; prints executions a second of processor time
  best=0
  for try in 1 2 3; do
    rm -rf "$scratch/work"; mkdir "$scratch/work"
    used=$(cd "$scratch/work" && WARPCHECK_FUZZ_DERIVED=$2 cpu_seconds "$build/engines/libfuzzer/fuzz/$1" -max_len=720 -len_control=0 \
      -seed=$try -max_total_time="$seconds" -print_final_stats=1)
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log")
    best=$(awk -v runs="${runs:-0}" -v used="$used" -v best="$best" 'BEGIN { r = used > 0 ? runs / used : 0; print (r > best ? r : best) }')
  done
  printf '%.0f' "$best"
}
afl() { # TARGET DERIVED MUTATOR ; executions a second of the clock: the target's processor time is not told by afl-fuzz
  rm -rf "$scratch/in" "$scratch/out"; mkdir "$scratch/in"; printf '\000' >"$scratch/in/zero"
  (export WARPCHECK_FUZZ_DERIVED=$2 WARPCHECK_FUZZ_FINDINGS="$scratch/findings" AFL_NO_UI=1 AFL_TRY_AFFINITY=1 AFL_SKIP_CPUFREQ=1 \
    AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_FAST_CAL=1 AFL_DISABLE_TRIM=1
    [ -z "$3" ] || export AFL_CUSTOM_MUTATOR_ONLY=1 AFL_CUSTOM_MUTATOR_LIBRARY="$build/engines/afl/fuzz/libwarpcheck-afl-mutator.so"
    afl-fuzz -V "$((seconds * 2))" -s 1 -G 720 -i "$scratch/in" -o "$scratch/out" -- "$build/engines/afl/fuzz/$1" >"$scratch/log" 2>&1) || true
  awk -F ': *' '/^execs_per_sec/ { printf "%.0f", $2 }' "$scratch/out/default/fuzzer_stats"
}
line() { # NAME RATE EMPTY CHECKS_PER_EXECUTION
  awk -v name="$1" -v rate="$2" -v empty="$3" -v checks="$4" 'BEGIN {
    printf "%-34s %12d %9.0f %% %14.0f\n", name, rate, 100 * rate / empty, rate * checks }'
}

"$source/fuzz/engine.sh" libfuzzer "$build/engines/libfuzzer"
printf '%-34s %12s %11s %14s\n' "libFuzzer, a core" "executions/s" "of empty" "checks/s"
empty=$(libfuzzer fuzz_empty 0)
line "empty, bytes" "$(libfuzzer fuzz_empty_raw 0)" "$empty" 0
line "empty" "$empty" "$empty" 0
for target in shfl_sync shfl vote_sync vote match_sync redux_sync activemask all; do
  line "$target, one case" "$(libfuzzer "fuzz_$target" 0)" "$empty" 1
  line "$target, 64 derived" "$(libfuzzer "fuzz_$target" 64)" "$empty" 65
done
if command -v afl-clang-fast >/dev/null && command -v afl-fuzz >/dev/null; then
  "$source/fuzz/engine.sh" afl "$build/engines/afl"
  printf '\n%-34s %12s %11s %14s\n' "AFL++, a core" "executions/s" "of empty" "checks/s"
  empty=$(afl fuzz_empty 0 yes)
  line "empty, bytes" "$(afl fuzz_empty_raw 0 '')" "$empty" 0
  line "empty" "$empty" "$empty" 0
  for target in shfl_sync vote match_sync redux_sync all; do
    line "$target, 64 derived" "$(afl "fuzz_$target" 64 yes)" "$empty" 65
  done
fi
