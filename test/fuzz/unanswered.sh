#!/bin/sh
# A case that an implementation does not answer is a finding under every property that asks it, and what one does not accept is none; every variant of
# `fast` is asked. Without an engine: the plain targets.
#   unanswered.sh SOURCE TARGETS WARPCHECK ENDING.so WRONG_TARGETS FOLDER
set -eu
source=$1 targets=$2 warpcheck=$3 ending=$4 wrong=$5 folder=$6
fail() { echo "unanswered.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export WARPCHECK_FUZZ_PROGRAM="$warpcheck" WARPCHECK_PLUGIN_TIMEOUT_MS=300

inputs() { # TARGET
  case $1 in fuzz_program) echo "$source/corpus/programs" ;; *) echo "$targets/seeds/bytes" ;; esac
}
run() { # TARGET IMPL STATUS ; what it keeps is in out-TARGET-IMPL
  out=out-$1-$2 status=0
  WARPCHECK_FUZZ_IMPL=$ending:$2 WARPCHECK_FUZZ_FINDINGS=$out "$targets/$1" "$(inputs "$1")" >run.log 2>run.err || status=$?
  [ "$status" -eq "$3" ] || { cat run.log run.err; fail "$1 on $2 ends with status $status, not $3"; }
}
replayed() { # what the printed command says: NO ANSWER
  sed -n 's/^warpcheck: replay with: //p' run.err | tail -n 1 >command
  [ -s command ] || { cat run.err; fail "$out: no command is printed"; }
  status=0
  (cd / && sh "$OLDPWD/command") >replay.log 2>&1 || status=$?
  [ "$status" -eq 1 ] && grep -q 'NO ANSWER: ' replay.log || { cat command replay.log; fail "$out: the printed command ends with status $status"; }
}

for target in fuzz_laws fuzz_program fuzz_all; do
  for way in segv hang error; do
    run $target $way 1
    grep -q "^warpcheck: CRASH warp1 .* => $ending:$way does not answer: $way" run.err || { cat run.err; fail "$target on $way: not said"; }
    case $(cd "$out" && echo *) in
    [a-z.]*[a-z]-$way) ;;
    *) fail "$target on $way is kept as $(ls "$out")" ;;
    esac
    for file in case.txt finding.txt verdict.txt; do
      [ -s "$out"/*-$way/$file ] || fail "$target on $way: no $file"
    done
    [ "$way" != error ] || grep -q 'does not answer: error: device lost$' "$out"/*-error/finding.txt || fail "$target: the reason is lost: $(cat "$out"/*-error/finding.txt)"
    replayed
  done
  run $target exit 1
  grep -q 'exit ended the process (exit) while answering' run.err || { cat run.err; fail "$target on exit: not said"; }
  run $target refuses 0
  [ ! -e "$out" ] || fail "$target takes what is not accepted for a failure: $(ls "$out")"
done

# As a campaign asks: the file names the case that ends it, and why where that is known.
for target in fuzz_laws fuzz_program; do
  for way in segv error exit accepts; do
    rm -f pinpoint
    status=0
    WARPCHECK_FUZZ_IMPL=$ending:$way WARPCHECK_FUZZ_PINPOINT=$PWD/pinpoint WARPCHECK_FUZZ_KEEP_GOING=1 WARPCHECK_FUZZ_FINDINGS=none \
      "$targets/$target" "$(inputs $target)" >run.log 2>run.err || status=$?
    [ "$status" -ne 0 ] || fail "$target on $way: a campaign sees nothing"
    [ -s pinpoint ] && [ "$(wc -l <pinpoint)" -eq 3 ] && head -n 1 pinpoint | grep -q '^warp1 .* active=0x' || { cat pinpoint; fail "$target on $way: the case is not written down"; }
    case $way in
    segv) tail -n 1 pinpoint | grep -q 'crashed with SIGSEGV' ;;
    error) tail -n 1 pinpoint | grep -qx 'device lost' ;;
    *) [ -z "$(tail -n 1 pinpoint)" ] ;;
    esac || { cat pinpoint; fail "$target on $way: why is not written down"; }
    head -n 1 pinpoint >asked.txt
    status=0
    "$warpcheck" replay asked.txt --impl "$ending:$way" >replay.log 2>&1 || status=$?
    [ "$status" -eq 1 ] && grep -Eq 'NO ANSWER: |ended the process' replay.log || { cat pinpoint replay.log; fail "$target on $way: another case is written down"; }
  done
  : >pinpoint
  WARPCHECK_FUZZ_IMPL=fast WARPCHECK_FUZZ_PINPOINT=$PWD/pinpoint "$targets/$target" "$(inputs $target)" >run.log
  [ ! -s pinpoint ] || fail "$target leaves a case behind that was answered"
done

# A crash of a built-in variant is the process's own.
rm -f pinpoint
status=0
mkdir voting # it never comes back from the older vote
cp "$targets"/seeds/bytes/vote.sync-* voting/
WARPCHECK_FUZZ_PINPOINT=$PWD/pinpoint WARPCHECK_FUZZ_KEEP_GOING=1 timeout 60 "$wrong/fuzz_laws_crashing" voting >run.log 2>run.err || status=$?
[ "$status" -eq 139 ] && head -n 1 pinpoint | grep -q '^warp1 vote.sync.' && [ "$(sed -n 2p pinpoint)" = fast-portable ] || {
  cat pinpoint run.err
  fail "a crash of a built-in variant is not pinned down: status $status"
}

# Wrong answers that end the implementation when they are reduced: both are kept.
for target in fuzz_laws fuzz_program; do
  out=both-$target status=0
  WARPCHECK_FUZZ_IMPL=$ending:wrong-first WARPCHECK_FUZZ_KEEP_GOING=1 WARPCHECK_FUZZ_FINDINGS=$out "$targets/$target" "$(inputs $target)" >run.log 2>run.err || status=$?
  [ "$status" -eq 1 ] || { cat run.log run.err; fail "$target on wrong-first ends with status $status"; }
  ls "$out" | grep -q -e '-segv$' || fail "$target: a crash while a finding is reduced is lost: $(ls "$out")"
  ls "$out" | grep -Eq '^(law|program)-' || fail "$target: what was being reduced is lost: $(ls "$out")"
  if ls "$out" | grep -e '-state'; then fail "$target: a crash while it is reduced makes a finding unsure"; fi
done

# The second variant of two is wrong.
for target in fuzz_laws fuzz_program; do
  out=second-$target status=0
  WARPCHECK_FUZZ_KEEP_GOING=1 WARPCHECK_FUZZ_FINDINGS=$out "$wrong/${target}_wrong" "$(inputs $target)" >run.log 2>run.err || status=$?
  [ "$status" -eq 1 ] || { cat run.log run.err; fail "$target: a variant that is not the first is not asked"; }
  ls "$out" | grep -q . || fail "$target: nothing is kept of a variant that is not the first"
  if ls "$out" | grep -v -e '-second$'; then fail "$target: the variant is not named"; fi
done
echo "cases that are not answered are found"
