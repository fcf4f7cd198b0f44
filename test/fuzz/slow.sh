#!/bin/sh
# Slow is not hung, and hung is found: an implementation that takes its time gives no finding, one that is wrong besides
# gives that finding alone, one that never comes back from some cases is kept as a hang; and every campaign ends when it
# should.
#   slow.sh WARPCHECK SLOW.so libfuzzer|afl FOLDER
set -eu
warpcheck=$1 slow=$2 engine=$3 folder=$4
fail() { echo "slow.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds 4 --work built --out built-out >built.log 2>&1 || { cat built.log; fail "the engine's targets do not run"; }

# SECONDS NAME STATUS: docs/fuzzing-reference.md says by how much a campaign may be late: 3 seconds to stop, then 5, or
# 1.5 times the limit and 2 more; the rest is for a busy machine.
campaign() {
  began=$(date +%s) status=0
  "$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds "$1" --impl "$slow:$2" --work "work-$2" --out "out-$2" >"$2.log" 2>"$2.err" || status=$?
  took=$(($(date +%s) - began))
  [ "$status" -eq "$3" ] || { cat "$2.log" "$2.err"; fail "$2: a campaign ends with status $status"; }
  [ "$took" -le $(($1 + 60)) ] || fail "$2: a campaign of $1 seconds took $took"
  if grep 'does not when it runs alone' "$2.err"; then fail "$2: the engine took it for one that hangs"; fi
  echo "$engine, $2: $took seconds for $1, $(ls "out-$2" | wc -l) findings"
}

for name in slow8 slow100; do
  campaign 6 $name 0
  [ -z "$(ls out-$name)" ] || fail "$name is right and gives a finding: $(ls out-$name)"
  grep -q ' [1-9][0-9,]* checks in ' $name.log || { cat $name.log; fail "$name: nothing was checked"; }
done
grep -q ' relatives are checked with each instead of 64' slow100.err || { cat slow100.err; fail "slow100 is not said to be slow"; }

campaign 2 slow5000 1 # no time for one input: that is no agreement
[ -z "$(ls out-slow5000)" ] || fail "slow5000 is right and gives a finding: $(ls out-slow5000)"
grep -q 'NOTHING COMPARED: no input was answered' slow5000.err || { cat slow5000.log slow5000.err; fail "slow5000: it is not said that nothing was compared"; }

campaign 8 slow8-wrong 1
ls out-slow8-wrong | grep -q . || fail "slow8-wrong: nothing is kept"
if ls out-slow8-wrong | grep -e '-hang'; then fail "slow8-wrong is slow and wrong, and is said to hang"; fi
sed -n 's/^  replay: //p' slow8-wrong.log | head -n 1 >command
status=0
(cd / && sh "$OLDPWD/command") >replay.log 2>&1 || status=$?
[ "$status" -eq 1 ] || { cat command replay.log; fail "the printed command ends with status $status"; }

for name in hang-seldom slow8-hang; do
  campaign 20 $name 1
  ls out-$name | grep -q -e '-hang$' || { cat $name.log $name.err; fail "$name: no hang is kept"; }
  if ls out-$name | grep -v -e '-hang'; then fail "$name gives other findings"; fi
  sed -n 's/^  replay: //p' $name.log | head -n 1 >command
  status=0
  WARPCHECK_PLUGIN_TIMEOUT_MS=500 sh command >replay.log 2>&1 || status=$?
  [ "$status" -eq 1 ] && grep -q 'NO ANSWER: .*gave no answer within 500 ms' replay.log || { cat command replay.log; fail "$name: the kept case does not hang"; }
done
