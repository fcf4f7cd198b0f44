#!/bin/sh
# Merging keeps what both corpora reach, in fewer inputs; merging the same again adds nothing.
#   corpus.sh SOURCE BUILD FOLDER
set -eu
source=$1 build=$2 folder=$3
fail() { echo "corpus.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder/one" "$folder/two"
number=0
for input in "$build"/fuzz/seeds/bytes/*; do # split in two, with some in both
  number=$((number + 1))
  [ $((number % 3)) -eq 0 ] || cp "$input" "$folder/one/"
  [ $((number % 3)) -eq 1 ] || cp "$input" "$folder/two/"
done
"$source/fuzz/corpus.sh" "$build" fuzz_all "$folder/merged" "$folder/one" "$folder/two"
merged=$(ls "$folder/merged" | wc -l)
[ "$merged" -ge 50 ] && [ "$merged" -le "$number" ] || fail "$merged inputs of $number"
"$source/fuzz/corpus.sh" "$build" fuzz_all "$folder/merged" "$folder/one" "$folder/two"
again=$(ls "$folder/merged" | wc -l)
[ "$again" -le "$merged" ] || fail "merging again grew the corpus from $merged to $again inputs"
cov() { # FOLDER ; edges that it reaches
  "$build/engines/libfuzzer/fuzz/fuzz_all" -runs=0 -max_len=720 "$1" 2>&1 | sed -n 's/.*INITED cov: *\([0-9]*\).*/\1/p'
}
mkdir "$folder/all"
cp "$folder"/one/* "$folder/all/"
cp "$folder"/two/* "$folder/all/"
[ "$(cov "$folder/merged")" -eq "$(cov "$folder/all")" ] || fail "the merged corpus reaches $(cov "$folder/merged") edges, not $(cov "$folder/all")"
# A target that fails, a FROM that is not there, no input at all: one line, status 2, and the corpus is as it was.
refused() { # WHAT COMMAND...
  what=$1
  shift
  status=0
  "$@" >"$folder/log" 2>&1 || status=$?
  [ "$status" -eq 2 ] && [ "$(grep -c '^corpus.sh: ' "$folder/log")" -eq 1 ] || { cat "$folder/log" >&2; fail "$what: status $status"; }
  diff -r "$folder/merged" "$folder/before" || fail "$what: the corpus was changed"
}
cp -R "$folder/merged" "$folder/before"
refused "a failing target" env WARPCHECK_FUZZ_SIGNALS=often "$source/fuzz/corpus.sh" "$build" fuzz_all "$folder/merged" "$folder/one"
refused "no such folder" "$source/fuzz/corpus.sh" "$build" fuzz_all "$folder/merged" "$folder/void"
refused "no such target" "$source/fuzz/corpus.sh" "$build" fuzz_none "$folder/merged" "$folder/one"
mkdir "$folder/nothing"
refused "no input" "$source/fuzz/corpus.sh" "$build" fuzz_all "$folder/empty" "$folder/nothing"
[ "$(ls -d "$folder"/merged* "$folder"/empty* | wc -l)" -eq 2 ] || fail "left behind: $(ls "$folder")"
echo "$number inputs merged and minimized to $again"
# Two working copies, as of two machines, one of which is killed: merged, they lose nothing that either had reached, and
# a campaign goes on from there. What the killed one had found is kept before it is shown.
warpcheck=$build/cli/warpcheck
corpus=corpus-fuzz_vote_sync
cd "$folder"
for copy in one two; do
  "$warpcheck" fuzz --jobs 1 --seconds 600 --only vote.sync --impl "$build/test/warpcheck-mutants.so:vote-inverted" --work work-$copy --out found-$copy >$copy.log 2>$copy.err &
  eval "pid_$copy=\$!"
done
waited=0
has() { grep -q '^FINDING' "$1.log" && [ -n "$(ls "work-$1/$corpus")" ]; }
until has one && has two; do
  sleep 0.5
  waited=$((waited + 1))
  [ "$waited" -lt 240 ] || fail "two campaigns found nothing in two minutes"
done
kill -KILL "$pid_two"
kill -INT "$pid_one"
wait "$pid_one" || [ $? -eq 1 ] || { cat one.log one.err >&2; fail "the campaign that goes on fails"; }
wait "$pid_two" 2>/dev/null || true
[ -n "$(ls found-two)" ] || fail "what the killed campaign had shown is not kept"
target=$build/engines/libfuzzer/fuzz/fuzz_vote_sync
"$source/fuzz/corpus.sh" "$build" fuzz_vote_sync both work-one/$corpus work-two/$corpus
mkdir either
for copy in one two; do cp work-$copy/$corpus/* either/; done
reached() { "$target" -runs=0 -max_len=720 "$1" 2>&1 | sed -n 's/.*INITED cov: *\([0-9]*\).*/\1/p'; }
[ "$(reached both)" -eq "$(reached either)" ] || fail "merged, two working copies reach $(reached both) edges, not $(reached either)"
"$warpcheck" fuzz --jobs 1 --seconds 3 --only vote.sync --seeds both --work work-three --out found-three >three.log 2>three.err ||
  { cat three.log three.err >&2; fail "a campaign does not go on from the merged corpus"; }
grep -q 'reachable buckets' three.log || fail "nothing is said of what the merged corpus reaches"
