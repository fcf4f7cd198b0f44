#!/bin/sh
# Runs every target under AddressSanitizer with UndefinedBehaviorSanitizer, and under MemorySanitizer; no error is
# recovered from.
#
#   fuzz/sanitize.sh BUILD_FOLDER [RUNS]      RUNS inputs for each target (default 3000)
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
runs=${2:-3000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
for sanitizers in address,undefined memory; do
  folder=$build/engines/libfuzzer-$(echo "$sanitizers" | tr , -)
  "$source/fuzz/engine.sh" libfuzzer "$folder" "$sanitizers"
  count=0
  for target in "$folder"/fuzz/fuzz_*; do
    [ -x "$target" ] && [ ! -d "$target" ] || continue
    dictionary=
    [ ! -f "$target.dict" ] || dictionary=-dict=$target.dict
    longest=720
    [ -z "$dictionary" ] || longest=4096
    if ! "$target" -runs="$runs" -max_len=$longest -len_control=0 -seed=1 $dictionary >"$scratch/log" 2>&1; then
      tail -40 "$scratch/log" >&2
      echo "sanitize.sh: $(basename "$target") failed under $sanitizers" >&2
      exit 1
    fi
    count=$((count + 1))
  done
  echo "$count targets, $runs inputs each: no error under $sanitizers"
done
