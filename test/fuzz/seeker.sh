#!/bin/sh
# An engine that is started by hand, as a farm starts it, seeks too: a target that is started once more does it. What
# is wrong there is found; what ends the process there, or hangs, is kept by the engine itself, and shows it again.
#   seeker.sh SOURCE BUILD CLANG libfuzzer|afl FOLDER
set -eu
source=$1 build=$2 clang=$3 engine=$4 folder=$5
fail() { echo "seeker.sh: $*" >&2; exit 1; }
case $engine in afl) more=warpcheck-afl-mutator ;; *) more= ;; esac
"$source/fuzz/engine.sh" "$engine" "$build/engines/$engine" none fuzz_all $more
targets=$build/engines/$engine/fuzz
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
build() { "$clang" -std=c17 -O1 -g -fPIC -shared -fsanitize=fuzzer-no-link -I "$source/model/include" "$@" "$source/test/mutants/base.c"; }
build "$source/test/mutants/rare.c" -o rare.so
build -DENDING=1 "$source/test/fuzz/ending.c" -o crash.so
build -DENDING=2 "$source/test/fuzz/ending.c" -o hang.so

export WARPCHECK_FUZZ_DERIVED=8 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
  AFL_IGNORE_PROBLEMS=1 AFL_BENCH_UNTIL_CRASH=1 AFL_CUSTOM_MUTATOR_ONLY=1 AFL_DISABLE_TRIM=1 \
  AFL_CUSTOM_MUTATOR_LIBRARY="$targets/libwarpcheck-afl-mutator.so"
look() { # FOLDER PLUGIN SECONDS; the engine's end is no matter
  mkdir -p "$1/in"
  printf '\0' >"$1/in/zero"
  export WARPCHECK_FUZZ_IMPL="$folder/$2"
  if [ "$engine" = afl ]; then
    timeout "$3" afl-fuzz -s 1 -t 1000 -G 720 -i "$1/in" -o "$1/out" -- "$targets/fuzz_all" >"$1/log" 2>&1 || :
  else
    timeout "$3" "$targets/fuzz_all" -seed=1 -max_len=720 -timeout=4 -artifact_prefix="$1/" "$1/in" >"$1/log" 2>&1 || :
  fi
}
kept() { # FOLDER crash|hang: what the engine kept
  case $engine-$2 in
  afl-crash) find "$1/out/default/crashes" -name 'id*' ;;
  afl-hang) find "$1/out/default/hangs" -name 'id*' ;;
  *-crash) find "$1" -name 'crash-*' ;;
  *-hang) find "$1" -name 'timeout-*' ;;
  esac | head -n 1
}
look sum rare.so:all-add-up 300
[ -n "$(kept sum crash)" ] || { tail -20 sum/log; fail "a sum is not found"; }
look crash crash.so 300
input=$(kept crash crash)
[ -n "$input" ] || { tail -20 crash/log; fail "what ends the process of the seeker is not kept"; }
"$build/fuzz/fuzz_all" "$input" >again 2>&1 && fail "the input that was kept ends nothing"
[ "$engine" = libfuzzer ] && limit=300 || limit=30 # AFL++ goes on after a hang
look hang hang.so "$limit"
input=$(kept hang hang)
[ -n "$input" ] || { tail -20 hang/log; fail "what hangs in the seeker is not kept"; }
status=0
timeout 5 "$build/fuzz/fuzz_all" "$input" >again 2>&1 || status=$?
[ "$status" -eq 124 ] || fail "the input that was kept does not hang: status $status"
# In a campaign libFuzzer's target seeks itself: what ends it there is kept, and nothing beside it that shows nothing.
if [ "$engine" = libfuzzer ]; then
  "$build/cli/warpcheck" fuzz --impl ./crash.so --jobs 1 --seconds 20 --work work --out found >campaign 2>&1 || :
  ls found | grep -q 'abrt$' || { cat campaign; fail "a campaign does not find what ends its target while it seeks"; }
  grep -q 'seek_goal' work/log-0 || { cat campaign; fail "nothing ended the target while it sought"; }
  ls found | grep 'ends' && fail "a campaign keeps what shows nothing"
fi
echo "found, crashed and hung in a process that seeks, with $engine"
