#!/bin/sh
# A campaign that is killed at any moment loses no finding that it showed.
#   kill.sh WARPCHECK MUTANTS.so libfuzzer|afl FOLDER
set -eu
warpcheck=$1 mutants=$2 engine=$3 folder=$4
fail() { echo "kill.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
shown=0
for mutant in membermask-unread float-as-integer vote-inverted width-ignored match-by-float; do
  "$warpcheck" fuzz --engine "$engine" --seconds 60 --impl "$mutants:$mutant" --work "work-$mutant" --out out >"$mutant.log" 2>"$mutant.err" &
  campaign=$!
  waited=0
  until grep -q '^FINDING' "$mutant.log" 2>/dev/null || [ "$waited" -ge 600 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  kill -KILL "$campaign"
  wait "$campaign" 2>/dev/null || true
  for kept in $(sed -n 's/^  kept:   //p' "$mutant.log"); do
    for file in case.txt finding.txt verdict.txt; do
      [ -s "$kept/$file" ] || fail "$kept was shown and has no $file"
    done
    shown=$((shown + 1))
  done
done
[ "$shown" -ge 5 ] || fail "only $shown findings were shown"
ls -A out | grep '\.part' >/dev/null && echo "(unfinished folders remain, as they may: they were not shown)"
# Nothing is left running.
sleep 1
for log in work-*; do
  if ps -eo args | grep "[f]uzz_all.*$folder/$log" >/dev/null; then fail "a job outlives its campaign"; fi
done
echo "$engine: $shown findings shown, all kept"
