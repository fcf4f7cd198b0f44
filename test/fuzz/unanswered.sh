#!/bin/sh
# A case that an implementation does not answer is a finding under every property that asks it, and what one does not
# accept is none; every variant of `fast` is asked. Without an engine: the plain targets.
#   unanswered.sh SOURCE TARGETS WARPCHECK ENDING.so WRONG_TARGETS FOLDER [CRASHING_WARPCHECK]
set -eu
source=$1 targets=$2 warpcheck=$3 ending=$4 wrong=$5 folder=$6 crashing=${7:-}
fail() { echo "unanswered.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export WARPCHECK_FUZZ_PROGRAM="$warpcheck" WARPCHECK_PLUGIN_TIMEOUT_MS
limit() { # IMPL ; short for what hangs, and for any other as long as a call may take on the busiest machine
  case $1 in hang) WARPCHECK_PLUGIN_TIMEOUT_MS=300 ;; *) WARPCHECK_PLUGIN_TIMEOUT_MS=60000 ;; esac
}

run() { # TARGET IMPL STATUS ; the target tells
  status=0
  limit "$2"
  WARPCHECK_FUZZ_IMPL=$ending:$2 "$targets/$1" "$(inputs "$1")" >run.log 2>run.err || status=$?
  [ "$status" -eq "$3" ] || { cat run.log run.err; fail "$1 on $2 ends with status $status, not $3"; }
}
look() { # TARGET IMPL STATUS ; what is looked at again is kept in out-TARGET-IMPL
  out=out-$1-$2 status=0
  limit "$2"
  "$warpcheck" replay --target "${1#fuzz_}" --impl "$ending:$2" --out "$out" "$(inputs "$1")" >look.log 2>look.err || status=$?
  [ "$status" -eq "$3" ] || { cat look.log look.err; fail "$1 on $2, looked at again, ends with status $status, not $3"; }
}
replayed() { # what the printed command says: NO ANSWER, or that it ended the process
  sed -n 's/^  replay: //p' look.log | head -n 1 >command
  [ -s command ] || { cat look.log; fail "$out: no command is printed"; }
  status=0
  (cd / && sh "$OLDPWD/command") >replay.log 2>&1 || status=$?
  [ "$status" -eq 1 ] && grep -Eq 'NO ANSWER: |ended the process' replay.log || { cat command replay.log; fail "$out: the printed command ends with status $status"; }
}

few=$folder/few # a look takes a process for each input, and a limit for each hang
mkdir -p "$few/fuzz" "$few/programs"
for input in $(ls "$targets/seeds/bytes" | awk 'NR % 40 == 1'); do cp "$targets/seeds/bytes/$input" "$few/fuzz/"; done
find "$source/corpus/programs" -name '*.ptx' | sort | awk 'NR % 15 == 1' | while read -r program; do cp "$program" "$few/programs/"; done
inputs() { # TARGET
  case $1 in fuzz_program) echo "$few/programs" ;; *) echo "$few/fuzz" ;; esac
}

for target in fuzz_laws fuzz_program fuzz_all; do
  for way in segv hang error exit; do
    run $target $way 1
    grep -q '^Assertion failure: .*-error$' run.err && grep -q "^warpcheck: error: warp1 .* => $ending:$way does not answer: error: " run.err ||
      { cat run.err; fail "$target on $way: not said"; }
    [ "$way" != exit ] || grep -q 'ended the process (exit) with status 0' run.err || { cat run.err; fail "$target on exit: not said how"; }
    look $target $way 1
    for entry in "$out"/*; do
      case ${entry##*/} in
      [a-z.]*[a-z]-$way) ;;
      *) fail "$target on $way is kept as $(ls "$out")" ;;
      esac
      for file in case.txt finding.txt verdict.txt; do
        [ -s "$entry/$file" ] || fail "$target on $way: no $file"
      done
    done
    [ "$way" != error ] || grep -q 'does not answer: error: device lost$' "$out"/*-error/finding.txt || fail "$target: the reason is lost: $(cat "$out"/*-error/finding.txt)"
    replayed
  done
  look $target accepts 1 # it ends the process when it is asked whether it accepts a case
  if ls "$out" | grep -v -e '-exit$'; then fail "$target: an end in accepts is kept as $(ls "$out")"; fi
  replayed
  run $target refuses 0
  case $target in
  fuzz_all) look $target refuses 0 ;; # of each input it takes some relatives
  *)
    look $target refuses 1
    grep -q '^NOTHING COMPARED .*:refuses accepts nothing that' look.log || { cat look.log; fail "$target: not said that nothing was compared"; }
    ;;
  esac
  [ ! -e "$out" ] || fail "$target takes what is not accepted for a failure: $(ls "$out")"
done

# Wrong answers that end the implementation when they are reduced: both are kept.
for target in fuzz_laws fuzz_program; do
  look $target wrong-first 1
  ls "$out" | grep -q -e '-segv$' || fail "$target: a crash while a finding is reduced is lost: $(ls "$out")"
  ls "$out" | grep -Eq '^(law|program)-' || fail "$target: what was being reduced is lost: $(ls "$out")"
  if ls "$out" | grep -e '-state'; then fail "$target: a crash while it is reduced makes a finding unsure"; fi
done

# A crash of a built-in variant is the process's own; it never comes back from the older vote.
status=0 WARPCHECK_PLUGIN_TIMEOUT_MS=300
mkdir voting
cp "$targets"/seeds/bytes/vote.sync-* voting/
timeout 600 "$wrong/fuzz_laws_crashing" voting >run.log 2>run.err || status=$?
[ "$status" -eq 139 ] || { cat run.err; fail "a crash of a built-in variant does not end the target: status $status"; }
if [ -n "$crashing" ]; then
  status=0
  "$crashing" replay --target laws --out crashing voting >look.log 2>look.err || status=$?
  [ "$status" -eq 1 ] && [ "$(ls crashing | grep -e '-segv-portable$')" = vote.sync-segv-portable ] || { cat look.log look.err; fail "a crash of a built-in variant is kept as: $(ls crashing)"; }
fi

# The second variant of two is wrong.
for target in fuzz_laws fuzz_program; do
  status=0
  "$wrong/${target}_wrong" "$([ $target = fuzz_program ] && echo "$source/corpus/programs" || echo "$targets/seeds/bytes")" >run.log 2>run.err || status=$?
  [ "$status" -eq 1 ] && grep -Eq '\[fast-second against (itself|spec)\]' run.err || { cat run.log run.err; fail "$target: a variant that is not the first is not asked, or not named: status $status"; }
done
echo "cases that are not answered are found"
