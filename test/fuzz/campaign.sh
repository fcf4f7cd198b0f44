#!/bin/sh
# A short campaign with one engine: nothing is found where nothing is wrong; a planted defect is found, kept, told
# apart, and the printed command replays it from another folder; a second campaign goes on and finds nothing new.
#   campaign.sh WARPCHECK MUTANTS.so libfuzzer|afl FOLDER STATEFUL.so
set -eu
warpcheck=$1 mutants=$2 engine=$3 folder=$4 stateful=$5 seeds=$(cd "$(dirname "$0")/../../corpus" && pwd) bytes=$(dirname "$(dirname "$1")")/fuzz/seeds/bytes
fail() { echo "campaign.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$warpcheck" fuzz --engine "$engine" --seconds 6 --only shfl.sync --work clean --out clean-out >clean.log 2>clean.err ||
  { cat clean.log clean.err; fail "a campaign on fast does not end with status 0"; }
[ -z "$(ls clean-out)" ] || fail "a finding where nothing is wrong"
hit=$(sed -n 's/^\([0-9]*\) of [0-9]* reachable buckets.*/\1/p' clean.log)
[ "$hit" -ge 150 ] || fail "only $hit buckets were reached"
last=$(sed -n '/^buckets over time, of /,/^$/p' clean.log | grep '##' | tail -n 1)
buckets=$(echo "$last" | awk '{ print $(NF - 1) }') pairs=${last##* }
[ "$buckets" = "$hit" ] && [ "$pairs" -gt "$hit" ] || { cat clean.log; fail "the graph over time ends with $buckets buckets and $pairs pairs, not $hit"; }

status=0
"$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds 6 --impl "$mutants:bfly-own-segment" --work work --out out >first.log 2>first.err || status=$?
[ "$status" -eq 1 ] || { cat first.log first.err; fail "a campaign on a mutant ends with status $status"; }
found=$(grep -c '^FINDING' first.log) || fail "no finding is shown"
[ "$found" -le 3 ] || fail "one defect gave $found findings"
[ "$found" -eq "$(ls out | wc -l)" ] || fail "what is shown is not what is kept"
grep -q '^cause: .* \[bfly-own-segment in shfl.sync' first.log || { cat first.log; fail "the cause is not told"; }
[ "$(grep -c '^  shown by shfl' first.log)" -ge 1 ] || fail "it is not said which finding shows the cause"
command=$(sed -n 's/^  replay: //p' first.log | head -n 1)
status=0
(cd / && sh -c "$command") >replay.log 2>&1 || status=$?
[ "$status" -eq 1 ] || { cat replay.log; fail "the printed command ends with status $status: $command"; }

"$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds 4 --impl "$mutants:bfly-own-segment" --work work --out out >again.log 2>again.err || true
grep -q '^cause: .* \[bfly-own-segment in shfl.sync' again.log || { cat again.log; fail "the cause of known findings is not told"; }
[ "$(ls out | wc -l)" -le "$((found + 1))" ] || fail "the same defect gave new findings in a second campaign"
[ -n "$(ls work/corpus-fuzz_all)" ] || fail "there is no working corpus"

# Interrupted, it says so, and what it had met is no finding of another kind: the interrupt is not the plugin's.
for signal in INT HUP; do
  rm -rf cut cut-out
  env --default-signal=$signal "$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds 600 --only activemask --impl "$mutants:activemask-full" --work cut --out cut-out >cut.log 2>cut.err &
  waited=0
  until grep -q '^FINDING' cut.log 2>/dev/null || [ "$waited" -ge 600 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  first=$!
  status=0
  "$warpcheck" fuzz --engine "$engine" --jobs 1 --seconds 1 --work cut --out cut-out >second.log 2>&1 || status=$?
  [ "$status" -eq 2 ] && grep -q 'another campaign uses the folder .*cut: give this one another with --work' second.log ||
    { cat second.log; fail "a second campaign in the folder of one that runs ends with status $status"; }
  kill -$signal $first
  status=0
  wait $first || status=$?
  [ "$status" -eq 1 ] && grep -q 'INTERRUPTED after .* of 600 s' cut.err || { cat cut.log cut.err; fail "a campaign that $signal interrupts ends with status $status"; }
  [ -n "$(ls cut-out)" ] && ! ls cut-out | grep -q -v -e '-d$' || { cat cut.log cut.err; fail "$signal: kept as $(ls cut-out)"; }
done

# What an earlier campaign left unexamined is no finding of an implementation that does not show it.
for mutant in base vote-inverted; do
  mkdir -p left/inputs-fuzz_all
  input=$(ls "$bytes" | grep vote.sync | head -n 1)
  cp "$bytes/$input" left/inputs-fuzz_all/mismatch-0123456789abcdef
  printf 'vote.sync-p\nwhat another one did\n' >left/inputs-fuzz_all/mismatch-0123456789abcdef.line
  status=0
  "$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds 3 --impl "$mutants:$mutant" --work left --out left-out >left.log 2>left.err || status=$?
  if ls left-out | grep -e -state; then cat left.log; fail "$mutant: what an earlier campaign left is kept as state"; fi
  if [ $mutant = base ]; then
    [ "$status" -eq 0 ] && [ -z "$(ls left-out)" ] && grep -q '1 inputs that an earlier campaign in this folder left show nothing now' left.err ||
      { cat left.log left.err; fail "what an earlier campaign left ends with status $status, and is kept as $(ls left-out)"; }
  fi
done
[ "$status" -eq 1 ] && [ -n "$(ls left-out)" ] || { cat left.log left.err; fail "what the implementation shows is lost: status $status"; }

if [ "$engine" = libfuzzer ]; then
  # A campaign that is too short names every bucket that it did not reach, for people and for machines.
  # On a loaded machine the engine may not get to its first input in so little time: that is no success, and more time
  # is given.
  for seconds in 0.3 1 3 10; do
    rm -rf short
    status=0
    "$warpcheck" fuzz --jobs 2 --seconds $seconds --work short --out short-out >short.log 2>short.err || status=$?
    grep -q 'NOTHING COMPARED' short.err || break
    [ "$status" -ne 0 ] || fail "a campaign that compared nothing ends with status 0"
  done
  [ "$status" -eq 0 ] || { cat short.err; fail "a short campaign on fast ends with status $status"; }
  left=$(sed -n 's/^\([0-9]*\) of \([0-9]*\) reachable buckets.*/\2 - \1/p' short.log)
  listed=$(sed -n '/^not yet reached:/,/^$/p' short.log | grep -c '^  ') || true
  [ "$listed" -gt 20 ] && [ "$listed" -eq "$(($left))" ] || { cat short.log; fail "$listed buckets are listed, $left were not reached"; }
  rm -rf short
  if "$warpcheck" list --json >/dev/null 2>&1; then
    "$warpcheck" fuzz --jobs 2 --seconds $seconds --work short --out short-out --json >short.json 2>short.err
    left=$(awk -F'[:,]' '/"hit"/ { hit += $2 } /"reachable"/ { all += $2 } END { print all - hit }' short.json)
    listed=$(sed -n '/"not_reached"/,/\]/p' short.json | grep -c '/') || true
    [ "$listed" -gt 20 ] && [ "$listed" -eq "$left" ] || { cat short.json; fail "$listed buckets are in the JSON, $left were not reached"; }
    status=0
    "$warpcheck" fuzz --jobs 2 --seconds 3 --impl "$mutants:bfly-own-segment" --work kept --out kept-out --json >kept.json 2>kept.err || status=$?
    folder=$(sed -n 's/.*"folder": "\(.*\)".*/\1/p' kept.json | head -n 1)
    [ "$status" -eq 1 ] && [ -s "$folder/case.txt" ] && grep -q '"replay": ".*replay .*case.txt' kept.json ||
      { cat kept.json kept.err; fail "the JSON of a campaign that found something (status $status) has no finding that is kept"; }
  fi
  # Broken laws and programs, in a folder whose name the shell takes apart: what is printed shows them, from another
  # folder.
  mkdir -p "isn't"
  for target in laws program; do
    "$warpcheck" fuzz --jobs 2 --seconds 5 --target $target --seeds "$([ $target = laws ] && echo "$bytes" || echo "$seeds/programs")" --impl "$mutants:vote-inverted" \
      --work "$target-work" --out "isn't/$target" >$target.log 2>$target.err || true
    sed -n 's/^  replay: //p' $target.log >commands
    [ "$(wc -l <commands)" -ge 2 ] && [ "$(wc -l <commands)" -eq "$(ls "isn't/$target" | wc -l)" ] || { cat $target.log; fail "$target: not each finding is shown"; }
    while read -r command; do
      status=0
      (cd / && sh -c "$command") >replay.log 2>&1 || status=$?
      [ "$status" -eq 1 ] || { cat replay.log; fail "$target: the printed command ends with status $status: $command"; }
    done <commands
  done
  # Another defect of a known signature: announced, kept beside the first, and what is printed replays it.
  for mutant in b-not-masked b-negative; do
    "$warpcheck" fuzz --jobs 2 --seconds 3 --only shfl.sync --impl "$mutants:$mutant" --work b-work --out b-out >$mutant.log 2>$mutant.err || true
    grep -q '^FINDING' $mutant.log || fail "$mutant: no finding is shown"
    sed -n 's/^  replay: //p' $mutant.log >commands
    while read -r command; do
      status=0
      sh -c "$command" >replay.log 2>&1 || status=$?
      [ "$status" -eq 1 ] || { cat replay.log; fail "$mutant: the printed command ends with status $status: $command"; }
    done <commands
  done
  # Something kept between cases, in a folder whose name the shell takes apart: what is printed shows it.
  mkdir -p "it's"
  cp "$stateful" "it's/state.so"
  for name in neighbour counter repeat; do
    "$warpcheck" fuzz --jobs 2 --seconds 3 --only shfl.sync --impl "$PWD/it's/state.so:$name" --work "$name-work" --out "it's/$name" >$name.log 2>$name.err || true
    grep -q '^FINDING' $name.log || fail "$name: no finding is shown"
    sed -n 's/^  replay: //p' $name.log | if [ $name = repeat ]; then cat; else head -n 1; fi >commands
    while read -r command; do
      status=0
      sh -c "$command" >replay.log 2>&1 || status=$?
      [ "$status" -eq 1 ] || { cat replay.log; fail "$name: the printed command ends with status $status: $command"; }
    done <commands
  done
fi

if [ "$engine" = libfuzzer ]; then # a target by itself prints a command that works elsewhere too
  WARPCHECK_FUZZ_IMPL=$mutants:vote-inverted "$(dirname "$(dirname "$warpcheck")")/engines/libfuzzer/fuzz/fuzz_vote_sync" -runs=200000 >target.log 2>&1 &&
    fail "the target by itself does not end at a mismatch"
  grep -q '^Assertion failure: vote.sync-[dp]$' target.log || { tail -5 target.log; fail "the target does not say what fails"; }
  command=$(sed -n 's/^warpcheck: replay the file that the engine writes with: //p' target.log | head -n 1)
  here=$PWD
  input=$(sed -n "s|.*Test unit written to ||p" target.log | head -n 1)
  status=0
  (cd / && sh -c "$(echo "${command:?no command is printed}" | sed "s|FILE\$|'$here/${input#./}'|") --out '$here/by-hand'") >replay.log 2>&1 || status=$?
  [ -n "$input" ] && [ "$(cat by-hand/vote.sync-*/case.txt | wc -l)" -gt 1 ] || { cat replay.log; fail "the target's input is not reduced and kept"; }
  [ "$status" -eq 1 ] || { cat replay.log; fail "the target's command ends with status $status: $command"; }
fi

if [ "$engine" = libfuzzer ]; then # with the targets built, `run` fuzzes too, and says so
  status=0
  "$warpcheck" run --impl "$mutants:bfly-own-segment" --only shfl --seconds 1 --out run-out >run.log 2>run.err || status=$?
  [ "$status" -eq 1 ] || { cat run.log run.err; fail "a run on a mutant ends with status $status"; }
  grep -q 'fuzzed bfly-own-segment with libFuzzer: .* buckets, [1-9][0-9,]* mismatches' run.log || { cat run.log; fail "run does not fuzz"; }
fi
echo "$engine: $hit buckets, $found findings"
