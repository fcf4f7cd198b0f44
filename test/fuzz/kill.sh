#!/bin/sh
# A campaign that is killed at any moment loses no finding that it showed, and the next one goes on from what it left.
#   kill.sh WARPCHECK MUTANTS.so libfuzzer|afl FOLDER [SEED]
# The moments are random; their seed is printed.
set -eu
warpcheck=$1 mutants=$2 engine=$3 folder=$4 seed=${5:-$(date +%s)}
fail() { echo "kill.sh: seed $seed: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
echo "seed $seed"
# The processes of a campaign's jobs know the folder by their environment.
left() { { grep -lzs "^WARPCHECK_FUZZ_STATUS=$(pwd -P)/work-" /proc/[0-9]*/environ || true; } | wc -l; }

whole() { # LOG ; every finding that it shows is on disk, whole, and still shows the defect
  sed -n 's/^  replay: //p' "$1" >commands
  for kept in $(sed -n 's/^  kept:   //p' "$1"); do
    for file in case.txt finding.txt verdict.txt; do
      [ -s "$kept/$file" ] || fail "$kept was shown and has no $file"
    done
    shown=$((shown + 1))
  done
  while read -r command; do
    status=0
    (cd / && sh -c "$command") >replay.log 2>&1 || status=$?
    [ "$status" -eq 1 ] || { cat replay.log; fail "a kept finding does not replay: $command"; }
  done <commands
}

# Each mutant twice: killed at a random moment, then at a random moment soon after its first finding was shown. Every
# other time the engine is killed too, before the campaign.
shown=0 round=0 seen=0
for mutant in membermask-unread float-as-integer vote-inverted width-ignored match-by-float; do
  for when in any finding; do
    round=$((round + 1))
    log=$mutant-$when.log
    "$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds 60 --impl "$mutants:$mutant" --work "work-$mutant" --out "out-$mutant-$when" >"$log" 2>"$log.err" &
    campaign=$!
    waited=0
    until [ "$when" = any ] || grep -q '^FINDING' "$log" 2>/dev/null || [ "$waited" -ge 600 ]; do
      sleep 0.1
      waited=$((waited + 1))
    done
    longest=$([ "$when" = any ] && echo 2.5 || echo 0.4)
    sleep "$(awk -v seed="$seed" -v round="$round" -v longest="$longest" 'BEGIN { srand(seed + 7919 * round); rand(); print rand() * longest }')"
    [ "$when" = any ] || seen=$((seen + $(left)))
    if [ $((round % 2)) -eq 0 ]; then
      for child in $(ps -o pid= --ppid "$campaign"); do kill -KILL "$child" 2>/dev/null || true; done
    fi
    kill -KILL "$campaign"
    wait "$campaign" 2>/dev/null || true
    whole "$log"
  done
done
[ "$shown" -ge 5 ] || fail "only $shown findings were shown"
# Nothing is left running: each job ends with its campaign, as soon as the machine lets it.
waited=0
until [ "$(left)" -eq 0 ] || [ "$waited" -ge 60 ]; do
  sleep 1
  waited=$((waited + 1))
done
[ "$seen" -ge 5 ] || fail "only $seen processes were seen while there were campaigns"
[ "$(left)" -eq 0 ] || fail "$(left) processes outlive their campaigns"
# The next campaign starts over what a killed one left, unfinished folders included.
status=0
"$warpcheck" fuzz --engine "$engine" --jobs 2 --seconds 3 --impl "$mutants:vote-inverted" --work work-vote-inverted --out out-vote-inverted-any >next.log 2>next.err || status=$?
[ "$status" -eq 1 ] || { cat next.log next.err; fail "the next campaign ends with status $status"; }
[ "$(find out-vote-inverted-any -mindepth 1 -maxdepth 1 ! -name '.*' | wc -l)" -ge 1 ] || fail "the next campaign keeps nothing"
echo "$engine: $round kills, $shown findings shown, all kept"
