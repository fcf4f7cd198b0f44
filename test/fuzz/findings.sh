#!/bin/sh
# What is found without a pair of results (laws, programs, failures of an input): whole folders, small, one for one
# defect, and the printed command shows it from another folder. Without an engine: the plain targets tell, and `replay
# --target` looks at inputs again as a campaign does.
#   findings.sh SOURCE TARGETS WARPCHECK MUTANTS.so PAST.so FOLDER
set -eu
source=$1 targets=$2 warpcheck=$3 mutants=$4 past=$5 folder=$6
fail() { echo "findings.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder/it's"
cd "$folder/it's"

find_with() { # OUT TARGET IMPL INPUTS ; looks at all inputs again, as a campaign does
  status=0
  "$warpcheck" replay --target "$2" --impl "$3" --out "$1" "$4" >find.log 2>find.err || status=$?
  [ "$status" -eq 1 ] || { cat find.log find.err; fail "$2 on $3 ends with status $status"; }
  sed -n 's/^  replay: //p' find.log >commands
}
names() { (cd "$1" && echo *); }
whole() { # OUT FILE ; every entry has its three files, one line, and an open verdict
  for entry in "$1"/*; do
    for file in "$2" finding.txt verdict.txt; do
      [ -s "$entry/$file" ] || fail "$entry has no $file"
    done
    [ "$(wc -l <"$entry/finding.txt")" -eq 1 ] || fail "$entry/finding.txt is not one line"
    grep -q '^status: open$' "$entry/verdict.txt" || fail "$entry/verdict.txt is no form"
  done
}
replayed() { # COUNT ; the printed commands, from another folder; and each without what is wrong
  [ "$(wc -l <commands)" -eq "$1" ] || fail "$(wc -l <commands) commands are printed, not $1"
  while read -r command; do
    status=0
    (cd / && sh -c "$command") >replay.log 2>&1 || status=$?
    [ "$status" -eq 1 ] || { cat replay.log; fail "status $status: $command"; }
    case $command in
    *law-*) grep -q ': LAW BROKEN: ' replay.log || { cat replay.log; fail "the law is not judged: $command"; } ;;
    esac
    case $command in
    *--impl*) (cd / && sh -c "${command%% --impl*} --impl fast") >replay.log 2>&1 || { cat replay.log; fail "fast does it too: $command"; } ;;
    esac
  done <commands
}

# Laws.
find_with laws laws "$mutants:groups-mixed" "$targets/seeds/bytes"
[ "$(names laws)" = "law-match-all-any law-match-equivalence law-redux-uniform law-vote-ballot-vote.sync" ] || fail "laws: $(names laws)"
whole laws case.txt
replayed 4
grep -q ' active=0x3 .* => breaks the law match-equivalence ("match.any is an equivalence on each group"): .* \[groups-mixed against itself\]$' \
  laws/law-match-equivalence/finding.txt || fail "a law's finding is not reduced, or does not say what is wrong: $(cat laws/law-match-equivalence/finding.txt)"
find_with laws laws "$mutants:groups-mixed" "$targets/seeds/bytes" # the same defect again
[ "$(names laws | wc -w)" -eq 4 ] || fail "the same defects gave new findings: $(names laws)"
status=0
"$warpcheck" replay --law bfly-twice laws/law-redux-uniform >replay.log 2>&1 || status=$?
[ "$status" -eq 1 ] && grep -q 'not tried: bfly-twice' replay.log || fail "a law that says nothing of a case is not told from one that holds"
status=0
"$warpcheck" replay --law nothing laws/law-redux-uniform >replay.log 2>&1 || status=$?
[ "$status" -eq 2 ] && grep -q "unknown law 'nothing': give one of inactive-lanes, " replay.log || fail "an unknown law is not refused"

# Programs: one entry for each of two defects, of which one is in two instructions.
find_with programs program "$mutants:width-ignored" "$source/corpus/programs"
[ "$(names programs)" = "program-shfl.sync-values" ] || fail "programs: $(names programs)"
replayed 1
find_with programs program "$mutants:vote-inverted" "$source/corpus/programs"
[ "$(names programs)" = "program-shfl.sync-values program-vote-values program-vote.sync-values" ] || fail "programs: $(names programs)"
replayed 2
whole programs program.ptx
for program in programs/*/program.ptx; do
  [ "$(wc -l <"$program")" -le 6 ] || { cat "$program"; fail "$program is not reduced"; }
done
# Another defect of a known name: beside the first, which shows nothing of it.
find_with programs program "$mutants:b-not-masked" "$source/corpus/programs"
[ -s programs/program-shfl.sync-values.2/program.ptx ] || fail "another defect of a known name is lost: $(names programs)"
replayed 1

# The target itself says what is wrong, in a line for a farm and in one for people, and by which command the input is
# looked at again.
status=0
first=$(ls "$targets/seeds/bytes/"* | head -n 1)
WARPCHECK_FUZZ_IMPL=$mutants:groups-mixed WARPCHECK_FUZZ_PROGRAM=$warpcheck "$targets/fuzz_laws" "$targets/seeds/bytes" >target.log 2>target.err || status=$?
[ "$status" -eq 1 ] && grep -q '^Assertion failure: law-' target.err && grep -q '^warpcheck: law: warp1 .* => breaks the law ' target.err ||
  { cat target.log target.err; fail "the target does not say what is wrong: status $status"; }
sed -n 's/^warpcheck: replay with: //p' target.err >commands
status=0
(cd / && sh -c "$(cat "$folder/it's/commands") --out '$folder/by-hand'") >replay.log 2>&1 || status=$?
[ "$status" -eq 1 ] && ls "$folder/by-hand" | grep -q '^law-' || { cat commands replay.log; fail "the target's command keeps nothing: status $status"; }

# A failure of an input: the target shows it again, and writes the input with its line for who asks for it.
mkdir inputs
status=0
WARPCHECK_FUZZ_HERE=1 WARPCHECK_FUZZ_IMPL=$past WARPCHECK_FUZZ_INPUTS=inputs WARPCHECK_FUZZ_KEEP_GOING=1 "$targets/fuzz_all" "$targets/seeds/bytes" >find.log 2>find.err || status=$?
[ "$status" -eq 1 ] || { cat find.log find.err; fail "fuzz_all on $past ends with status $status"; }
[ "$(ls inputs/*.line | wc -l)" -ge 1 ] && [ "$(cat inputs/*.line | sed -n 1p)" = writes-past-its-results ] || fail "inputs: $(ls inputs)"
for line in inputs/*.line; do
  cmp -s "${line%.line}" "$first" || [ -e "${line%.line}" ] || fail "$line has no input"
  status=0
  WARPCHECK_FUZZ_HERE=1 WARPCHECK_FUZZ_IMPL=$past "$targets/fuzz_all" "${line%.line}" >replay.log 2>&1 || status=$?
  [ "$status" -eq 1 ] || { cat replay.log; fail "${line%.line} does not show it again: status $status"; }
done
[ ! -e /crashes ] || fail "a replay leaves something behind"
# In a process of its own it ends at the page behind its results.
status=0
WARPCHECK_FUZZ_IMPL=$past "$targets/fuzz_all" "$first" >replay.log 2>&1 || status=$?
[ "$status" -eq 1 ] && grep -q 'crashed with SIGSEGV (behind the results that it was given)' replay.log || { cat replay.log; fail "past, apart: status $status"; }

# Nothing is found where nothing is wrong.
for target in fuzz_laws fuzz_all; do
  WARPCHECK_FUZZ_INPUTS=none "$targets/$target" "$targets/seeds/bytes" >/dev/null
done
WARPCHECK_FUZZ_INPUTS=none "$targets/fuzz_program" "$source/corpus/programs" >/dev/null
for target in laws all program; do
  inputs=$([ $target = program ] && echo "$source/corpus/programs" || echo "$targets/seeds/bytes")
  "$warpcheck" replay --target $target --impl fast --out none "$inputs" >none.log 2>&1 || { cat none.log; fail "$target: a finding where nothing is wrong"; }
done
[ ! -e none ] || fail "a finding where nothing is wrong: $(names none)"
echo "laws, programs and failures are kept whole"
