#!/bin/sh
# An implementation that ends the process within a call is found, by whatever way it does, and its case kept; one that
# says that it cannot answer is kept with what it says; one that writes into its cases is told so; one whose children
# exit is right.
#   leaving.sh WARPCHECK LEAVING.so libfuzzer|afl FOLDER
set -eu
warpcheck=$1 leaving=$2 engine=$3 folder=$4
fail() { echo "leaving.sh: $engine: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds 2 --work built --out built-out >built.log 2>&1 || { cat built.log; fail "the engine's targets do not run"; }

campaign() { # NAME STATUS KEPT
  out=out-$1 status=0
  "$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds 6 --only vote.sync --impl "$leaving:$1" --work "work-$1" --out "$out" >run.log 2>run.err || status=$?
  [ "$status" -eq "$2" ] || { cat run.log run.err; fail "$1: a campaign ends with status $status"; }
  [ "$(ls "$out")" = "$3" ] || { cat run.log run.err; fail "$1: kept as $(ls "$out"), not $3"; }
  if grep -e 'ended by itself' -e 'is not known' -e 'does not when it runs alone' run.err; then fail "$1: the engine's end is told, not the implementation's"; fi
  sed -n 's/^  replay: //p' run.log >command
  [ "$2" -eq 0 ] || [ "$(wc -l <command)" -eq 1 ] || { cat run.log; fail "$1: $(wc -l <command) findings are announced"; }
  [ "$2" -eq 0 ] || replayed "$1"
}
replayed() {
  status=0
  (cd / && sh "$OLDPWD/command") >replay.log 2>&1 || status=$?
  case $1 in
  writes) [ "$status" -eq 1 ] ;;
  sigkill) [ "$status" -eq 1 ] && grep -q 'NO ANSWER: .* crashed with SIGKILL' replay.log ;;
  *) [ "$status" -eq 1 ] && grep -q 'NO ANSWER: ' replay.log ;;
  esac || { cat command replay.log; fail "$1: the printed command ends with status $status"; }
}

campaign exit 1 vote.sync-exit
campaign at-once 1 vote.sync-exit
campaign sigkill 1 vote.sync-kill
campaign system-call 1 vote.sync-exit
campaign error 1 vote.sync-error
grep -q ' does not answer: error: device lost$' out-error/vote.sync-error/finding.txt || fail "what it says is lost: $(cat out-error/vote.sync-error/finding.txt)"
campaign writes 1 writes-into-its-cases
campaign forks 0 ''

# What nobody within the engine's process can tell of is seen from outside; alone it is not met again, and no success.
if [ "$engine" = libfuzzer ]; then
  for name in hang hang-blocked hang-handlers hang-sealed pthread-exit exec exec-waits at-once; do
    status=0
    "$warpcheck" run --impl "$leaving:engine-$name" --only vote.sync --seconds 4 --cases 2000 --out "out-$name" >run.log 2>&1 || status=$?
    [ "$status" -eq 1 ] || { cat run.log; fail "engine-$name: run ends with status $status"; }
    tail -n 1 run.log | grep -q '^MISMATCH: .*[1-9][0-9]* \(mismatch\(es\)* \)*in .* checks by libFuzzer' || { cat run.log; fail "engine-$name: the last line does not tell it"; }
    ls "out-$name" | grep -qx fuzz.all-ends-state || { ls "out-$name"; fail "engine-$name: the input is not kept"; }
  done
fi
echo "$engine: implementations that end the process are found"
