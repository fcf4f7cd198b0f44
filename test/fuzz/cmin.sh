#!/bin/sh
# afl-cmin, as docs/fuzzing-reference.md gives it: fewer inputs, and every bucket that the whole corpus reaches.
#   cmin.sh SOURCE BUILD FOLDER
set -eu
source=$1 build=$2 folder=$3
fail() { echo "cmin.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder/queue"
for input in "$build"/fuzz/seeds/bytes/*; do # each twice, so that there is something to leave out
  cp "$input" "$folder/queue/"
  { cat "$input"; printf '\0'; } >"$folder/queue/again-$(basename "$input")"
done
"$source/fuzz/engine.sh" afl "$build/engines/afl"
(cd "$folder" && AFL_ALLOW_TMP=1 afl-cmin -i queue -o small -- "$build/engines/afl/fuzz/fuzz_all" - >log 2>&1) || {
  cat "$folder/log"
  fail "afl-cmin failed"
}
# The buckets that a folder reaches, by the counters of the target without an engine (fuzz/status.h): the number of
# buckets in bytes 4 to 7, the hits of each from byte 64 on.
buckets() {
  rm -f "$folder/status"
  WARPCHECK_FUZZ_STATUS=$folder/status WARPCHECK_FUZZ_DERIVED=0 "$build/fuzz/fuzz_all" "$1" >/dev/null
  od -An -v -t u8 -w8 -j 64 -N "$((8 * $(od -An -t u4 -j 4 -N 4 "$folder/status")))" "$folder/status" |
    awk '$1 > 0 { print NR }'
}
whole=$(ls "$folder/queue" | wc -l)
small=$(ls "$folder/small" | wc -l)
[ "$small" -ge 1 ] || fail "nothing is left"
[ "$small" -lt "$whole" ] || fail "$small inputs are left of $whole: nothing was left out"
buckets "$folder/queue" >"$folder/before"
buckets "$folder/small" >"$folder/after"
[ "$(wc -l <"$folder/before")" -ge 1000 ] || fail "the whole corpus reaches $(wc -l <"$folder/before") buckets only"
lost=$(grep -vxFc -f "$folder/after" "$folder/before" || true)
[ "$lost" -eq 0 ] || fail "$lost of $(wc -l <"$folder/before") buckets are lost"
echo "$whole inputs minimized to $small, all $(wc -l <"$folder/before") buckets kept"
