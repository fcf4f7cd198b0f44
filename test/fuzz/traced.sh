#!/bin/sh
# A plugin that was compiled for coverage, in each way that compilers know, is loaded by the program and by a target
# without an engine, and answers there as it does without that.
#   traced.sh SOURCE WARPCHECK FUZZ_ALL CLANG GCC|none
set -eu
source=$1 warpcheck=$2 target=$3 clang=$4 gcc=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "traced.sh: $*" >&2; cat "$work/log" >&2 || true; exit 1; }
plugin() { # COMPILER FLAG: what the program and the target make of it
  "$1" -std=c17 -O1 -g -fPIC -shared "$2" -I "$source/model/include" "$source/test/mutants/rare.c" "$source/test/mutants/base.c" -o "$work/mine.so"
  [ "$2" = -g ] || nm -D "$work/mine.so" | grep -q ' U __san' || fail "$2: nothing is asked of the program"
  "$warpcheck" list "$work/mine.so" >"$work/log" 2>&1 || fail "$1 $2: the program does not load it"
  grep -q a-constant "$work/log" || fail "$1 $2: the program does not list it"
  status=0
  "$warpcheck" replay --impl "$work/mine.so:a-constant" "$work/wrong.txt" >"$work/log" 2>&1 || status=$?
  [ "$status" -eq 1 ] || fail "$1 $2: replay ends with status $status"
  WARPCHECK_FUZZ_IMPL="$work/mine.so:a-constant" "$target" "$work/zero" >"$work/log" 2>&1 || fail "$1 $2: the target does not take it"
}
printf '\0' >"$work/zero"
echo 'warp1 redux.sync.add.u32 d target=sm_80 exited=0x0 active=0xffffffff a=0x1badb002*32 membermask=0xffffffff*32' >"$work/wrong.txt"
plugin "$clang" -g
plugin "$clang" -fsanitize=fuzzer-no-link
for kind in trace-pc-guard inline-8bit-counters inline-8bit-counters,pc-table trace-pc-guard,trace-cmp,trace-div,trace-gep,indirect-calls \
  trace-pc-guard,stack-depth inline-8bit-counters,pc-table,trace-cmp; do
  plugin "$clang" -fsanitize-coverage=$kind
done
[ "$gcc" = none ] || plugin "$gcc" -fsanitize-coverage=trace-pc,trace-cmp
