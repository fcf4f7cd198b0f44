#!/bin/sh
# Merges and minimizes corpora: keeps the fewest inputs that reach what all reach.
#
#   fuzz/corpus.sh BUILD_FOLDER TARGET INTO FROM...     TARGET: fuzz_all, fuzz_text...
#
# INTO gains what the FROM folders have that it lacks; then it is minimized. FROM may be a campaign's corpus, AFL++'s
# queue folders, a farm's corpus.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
target=$build/engines/libfuzzer/fuzz/$2
into=$3
shift 3
"$source/fuzz/engine.sh" libfuzzer "$build/engines/libfuzzer"
mkdir -p "$into"
small=$(mktemp -d "$into.XXXXXX")
trap 'rm -rf "$small"' EXIT
merge() { # TO FROM... ; copies into TO what reaches something that TO does not
  WARPCHECK_FUZZ_KEEP_GOING=1 WARPCHECK_FUZZ_FINDINGS=$small.findings "$target" -merge=1 -max_len=16384 "$@" 2>&1 |
    sed -n 's/^MERGE-OUTER: \(.*new files.*\)/\1/p' >&2
}
merge "$into" "$@"
merge "$small" "$into" # a subset of it, so that merging the same again never makes it grow
rm -rf "$into" "$small.findings"
mv "$small" "$into"
trap - EXIT
chmod 755 "$into"
echo "$(ls "$into" | wc -l) inputs in $into" >&2
