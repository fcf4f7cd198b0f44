#!/bin/sh
# Merges and minimizes corpora: keeps the fewest inputs that together reach everything that all inputs reach.
#
#   fuzz/corpus.sh BUILD_FOLDER TARGET INTO FROM...     TARGET: fuzz_all, fuzz_text...
#
# INTO gains what the FROM folders have that it lacks; then it is minimized. FROM may be a campaign's corpus, AFL++'s
# queue folders, a farm's corpus. When anything fails INTO is left as it was, with exit status 2.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
target=$build/engines/libfuzzer/fuzz/$2
into=$3
shift 3
"$source/fuzz/engine.sh" libfuzzer "$build/engines/libfuzzer"
mkdir -p "$into"
small=$(mktemp -d "$into.XXXXXX")
trap 'rm -rf "$small" "$small.grown" "$small.log"' EXIT
fail() {
  echo "corpus.sh: $*: $into is left as it was" >&2
  exit 2
}
merge() { # TO FROM... ; copies into TO what reaches something that TO does not
  status=0
  WARPCHECK_FUZZ_KEEP_GOING=1 "$target" -merge=1 -max_len=16384 "$@" \
    >"$small.log" 2>&1 || status=$?
  sed -n 's/^MERGE-OUTER: \(.*new files.*\)/\1/p' "$small.log" >&2
  [ "$status" -eq 0 ] || fail "$(basename "$target") -merge=1 ended with status $status ($(tail -n 1 "$small.log"))"
}
cp -R "$into" "$small.grown"
merge "$small.grown" "$@"
merge "$small" "$small.grown" # a subset of it, so that merging the same again never makes it grow
[ -n "$(ls -A "$small")" ] || fail "merging left no input"
chmod 755 "$small"
mv "$into" "$small.old"
mv "$small" "$into" || { mv "$small.old" "$into"; fail "cannot rename $small"; }
rm -rf "$small.old"
echo "$(ls "$into" | wc -l) inputs in $into" >&2
