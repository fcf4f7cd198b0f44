#!/bin/sh
# A farm's life, once: a checkout with a defect is built as a farm builds it, its target crashes on an input and says
# what it found; the raw input is replayed on another checkout, by a program that was built apart; where the defect is
# mended the same input agrees; and its case joins the corpus, where it finds the defect again.
#   farm_life.sh SOURCE WARPCHECK FOLDER
set -eu
source=$1 mended=$2 base=$3
fail() { echo "farm_life.sh: $*" >&2; exit 1; }
rm -rf "$base"
mkdir -p "$base/farm" "$base/other" "$base/out" "$base/corpus"
for checkout in farm other; do
  tar -C "$source" -cf - --exclude='./build*' --exclude=./.git . | tar -C "$base/$checkout" -xf -
  (cd "$base/$checkout" && sed -i '/case FAST_XOR:/{n;s/x ^ y/x | y/;}' model/fast/redux.c && ! cmp -s model/fast/redux.c "$source/model/fast/redux.c") ||
    fail "the defect has no place in model/fast/redux.c any more"
done

flags="-O1 -g -fsanitize=fuzzer-no-link -fsanitize=address"
CC=clang CXX=clang++ CFLAGS="$flags" CXXFLAGS="$flags" LIB_FUZZING_ENGINE=-fsanitize=fuzzer,address OUT="$base/out" SRC="$base" WORK="$base/work" \
  "$base/farm/fuzz/build.sh" >"$base/build.log" 2>&1 || { tail -40 "$base/build.log"; exit 1; }
mkdir "$base/seeds"
cd "$base/seeds"
cmake -E tar xf ../out/fuzz_redux_sync_seed_corpus.zip
cd "$base"
status=0
out/fuzz_redux_sync -seed=1 -runs=100000 -max_len=720 -len_control=0 seeds >crash.log 2>&1 || status=$?
[ "$status" -ne 0 ] || fail "the target finds nothing"
state=$(sed -n 's/^Assertion failure: //p' crash.log | head -n 1)
[ -n "$state" ] || { cat crash.log; fail "the target names no state"; }
input=$(ls crash-*) || { cat crash.log; fail "the engine kept no input"; }

cmake -S other -B other/build -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DWARPCHECK_SMT=OFF -DWARPCHECK_BENCH=OFF >other.log 2>&1 &&
  cmake --build other/build --target warpcheck -j 2 >>other.log 2>&1 || { tail -40 other.log; exit 1; }
replay() { # PROGRAM ROOT OUT
  status=0
  WARPCHECK_ROOT=$2 "$1" replay --target redux_sync --out "$3" "$input" >"$3.log" 2>&1 || status=$?
}
replay other/build/cli/warpcheck "$base/other" found
[ "$status" -eq 1 ] || { cat found.log; fail "the raw input on another checkout: status $status"; }
finding=$(ls found) || fail "nothing is kept"
case $finding in "$state"*) ;; *) false ;; esac || fail "the farm's state is '$state', the finding's '$finding'"
replay "$mended" "$source" clean
[ "$status" -eq 0 ] && [ ! -d clean ] || { cat clean.log; fail "the input where the defect is mended: status $status"; }

# The case joins the corpus: what `run` replays finds the defect where it is, and nothing where it is mended.
grep -v '^#' "found/$finding/case.txt" >corpus/of-the-farm.case 2>/dev/null || cp "found/$finding"/case* corpus/
run() { # PROGRAM ROOT
  status=0
  WARPCHECK_FUZZ_BUILD=0 WARPCHECK_ROOT=$2 "$1" replay corpus --impl fast-portable >run.log 2>&1 || status=$?
}
run other/build/cli/warpcheck "$base/other"
[ "$status" -eq 1 ] || { cat run.log; fail "the corpus where the defect is: status $status"; }
run "$mended" "$source"
[ "$status" -eq 0 ] || { cat run.log; fail "the corpus where the defect is mended: status $status"; }
echo "$state: found by a farm, replayed elsewhere as $finding, mended, and in the corpus"
