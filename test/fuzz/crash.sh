#!/bin/sh
# A variant of `fast` that crashes or hangs, in a target that is built so: the finding names the family, how it ended
# and the variant, and the printed command shows it, with one clear line.
#   crash.sh WARPCHECK SOURCE CRASHING_FAST.o FOLDER
# WARPCHECK is linked with the same object, so that what is replayed is what was found.
set -eu
warpcheck=$1 source=$2 object=$3 folder=$4
fail() { echo "crash.sh: $*" >&2; exit 1; }
mkdir -p "$folder/engine"
cd "$folder"
rm -rf work* out*
clang=${WARPCHECK_CLANG:-clang}
{
  cmake -S "$source" -B engine -DCMAKE_C_COMPILER="$clang" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-fsanitize=fuzzer-no-link \
    -DWARPCHECK_FUZZ_ENGINE="-fsanitize=fuzzer;-Wl,--wrap=fast_variant_get;$object" -DBUILD_TESTING=OFF -DWARPCHECK_SMT=OFF -DWARPCHECK_GPU=OFF \
    -DWARPCHECK_BENCH=OFF
  cmake --build engine --target fuzz_vote fuzz_vote_sync
} >build.log 2>&1 || { tail -40 build.log; rm -f engine/CMakeCache.txt; fail "the targets cannot be built"; }
ln -sfn engine/fuzz libfuzzer
export WARPCHECK_FUZZ_TARGETS=$PWD

for kind in vote.sync-segv:6 vote-hang:10; do
  name=${kind%:*} seconds=${kind#*:}
  family=${name%-*}
  began=$(date +%s) status=0
  target=$(echo "$family" | tr . _) # named: `--only vote` is vote and vote.sync, whose target is fuzz_all
  "$warpcheck" fuzz --jobs 2 --seconds "$seconds" --target "$target" --only "$family" --work "work-$name" --out "out-$name" >"$name.log" 2>"$name.err" || status=$?
  took=$(($(date +%s) - began))
  [ "$status" -eq 1 ] || { cat "$name.log" "$name.err"; fail "$name: a campaign ends with status $status"; }
  [ "$(ls "out-$name")" = "$name-portable" ] || fail "$name: kept as $(ls "out-$name")"
  [ "$took" -le $((seconds + 60)) ] || fail "$name: a campaign of $seconds seconds took $took"
  grep -q "^FINDING warp1 .* => fast-portable does not answer: ${name#*-}\$" "$name.log" || { cat "$name.log"; fail "$name: not announced"; }
  sed -n 's/^  replay: //p' "$name.log" >command
  status=0
  (cd / && WARPCHECK_PLUGIN_TIMEOUT_MS=500 sh "$OLDPWD/command") >replay.log 2>&1 || status=$?
  [ "$status" -eq 1 ] || { cat command replay.log; fail "$name: the printed command ends with status $status"; }
  grep -Eq 'NO ANSWER: fast-portable: fast-portable (crashed with SIGSEGV|gave no answer within 500 ms)' replay.log || { cat replay.log; fail "$name: not told"; }
done
echo "crashes and hangs of a built-in variant are named, and replayed"
