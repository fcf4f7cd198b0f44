#!/bin/sh
# Runs every target under AddressSanitizer with UndefinedBehaviorSanitizer, and under MemorySanitizer; no error is
# recovered from.
#
#   fuzz/sanitize.sh BUILD_FOLDER [RUNS]      RUNS inputs for each target (default 3000), beside its seeds
#
# The targets that read text start from the cases, instructions and programs of the corpus: from nothing they make no
# valid one, and what stands behind the parsers would not run.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
runs=${2:-3000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir seeds seeds/fuzz_text seeds/fuzz_ptx seeds/fuzz_program
"$source/fuzz/seeds.sh" "$build/plain"
cp "$build"/plain/fuzz/seeds/text/* seeds/fuzz_text/
find "$source/corpus/programs" -name '*.ptx' -exec cp {} seeds/fuzz_program/ \;
# The first words of the instruction table's families, the two of bar.warp.
stems=$(sed -n 's/^WARP_FAMILY([A-Z_]*, *"\([a-z.]*\)".*/\1/p' "$source/model/include/warpcheck/forms.def" | sed 's/[.]sync$//; s/[.]/[.]/g' |
  sort -u | paste -s -d '|')
cat seeds/fuzz_program/*.ptx | grep -E "^ *(@!?[a-z0-9]+ +)?($stems)[.]" | sort -u |
  split -l 1 -a 4 - seeds/fuzz_ptx/line-
find "$source/corpus/kernels" -name '*.ptx' -size -16k -exec cp {} seeds/fuzz_ptx/ \;
for folder in seeds/*; do
  [ "$(ls "$folder" | wc -l)" -ge 20 ] || { echo "sanitize.sh: too few $folder in $source/corpus" >&2; exit 1; }
done
for sanitizers in address,undefined memory; do
  folder=$build/engines/libfuzzer-$(echo "$sanitizers" | tr , -)
  "$source/fuzz/engine.sh" libfuzzer "$folder" "$sanitizers"
  count=0
  for target in "$folder"/fuzz/fuzz_*; do
    [ -x "$target" ] && [ ! -d "$target" ] || continue
    dictionary=
    [ ! -f "$target.dict" ] || dictionary=-dict=$target.dict
    rm -rf "$scratch/new"
    mkdir "$scratch/new"
    longest=720
    [ -z "$dictionary" ] || longest=4096
    seeds=seeds/$(basename "$target")
    [ -d "$seeds" ] || seeds=
    all=$((runs + $(find $seeds /dev/null -type f | wc -l))) # libFuzzer counts the seeds too
    if ! "$target" -runs=$all -max_len=$longest -len_control=0 -seed=1 $dictionary ${seeds:+"$scratch/new" "$seeds"} \
      >"$scratch/log" 2>&1; then
      tail -40 "$scratch/log" >&2
      echo "sanitize.sh: $(basename "$target") failed under $sanitizers" >&2
      exit 1
    fi
    count=$((count + 1))
  done
  echo "$count targets, $runs inputs each: no error under $sanitizers"
done
