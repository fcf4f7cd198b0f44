#!/bin/sh
# Rare mistakes (test/mutants/rare.c) are found by a campaign that the code under test leads, with this engine; and some
# without: the constants of a plugin's file are tried too. How soon is not tested: it is the machine's.
#   rare.sh SOURCE WARPCHECK CLANG libfuzzer|afl FOLDER [NAME...]
set -eu
source=$1 warpcheck=$2 clang=$3 engine=$4 folder=$5
shift 5
fail() { echo "rare.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
build() { "$clang" -std=c17 -O1 -g -fPIC -shared "$1" -I "$source/model/include" "$source/test/mutants/rare.c" "$source/test/mutants/base.c" -o "$2"; }
build -fsanitize=fuzzer-no-link "$folder/traced.so"
build -g "$folder/plain.so"
finds() { # PLUGIN NAME
  status=0
  rm -rf "work-$2" "out-$2" # what another plugin of this name left there is known, and no new finding
  "$warpcheck" fuzz --engine "$engine" --impl "$1:$2" --seconds 900 --jobs 2 --stop --work "work-$2" --out "out-$2" >log 2>err || status=$?
  [ "$status" -eq 1 ] && grep -q '^FINDING' log || { cat log err; fail "$2 of $1 was not found with $engine: status $status"; }
  echo "$2: $(tail -n 2 log | head -n 1)"
}
[ $# -gt 0 ] || set -- mask-constant a-constant all-add-up classes-of-powers two-tiles lanes-related seen-before-last \
  three-forms lanes-from-to bit-reversal infinity-beside-nan
for name in "$@"; do finds "$folder/traced.so" "$name"; done
grep -q 'compiled for coverage' log || fail "nothing says that the plugin leads the engine"
# Half of what libFuzzer wants of a library, and calls alone: the target gives it the rest.
for kind in inline-8bit-counters,trace-cmp trace-pc-guard,pc-table,trace-cmp inline-bool-flag,pc-table,trace-cmp trace-pc,trace-cmp; do
  build "-fsanitize-coverage=$kind" "$folder/kind.so"
  finds "$folder/kind.so" a-constant
done
finds "$folder/plain.so" a-constant
! grep -q 'compiled for coverage' log || fail "a plugin without instrumentation is called compiled for coverage"
# What a user gives the engine reaches it.
"$warpcheck" fuzz --engine "$engine" --seconds 3 --jobs 1 --work options -- $([ "$engine" = afl ] && echo "-p rare" || echo "-use_counters=0") >log 2>&1 ||
  { cat log; fail "options behind -- are refused"; }
[ "$engine" = afl ] || { echo '"rare"' >mine.dict && "$warpcheck" fuzz --seconds 2 --jobs 1 --work options -- -dict=mine.dict >log 2>&1 && # from here
  grep -q 'Dictionary: 1 entries' options/log-0; } || { cat log; fail "a dictionary behind -- does not reach the engine"; }
[ "$engine" = afl ] || { "$warpcheck" fuzz --seconds 2 --jobs 1 --work options -- -nonsense=1 2>&1 | grep -q "passed over: .*'-nonsense=1'" ||
  fail "nothing is said of an option that the engine does not know"; }
