#!/bin/sh
# Replays, without an engine, the seed corpus and the texts of the corpus with the plain targets.
#   replay.sh SOURCE TARGETS [WARPCHECK]
set -eu
source=$1 targets=$2 warpcheck=${3:-}
for target in fuzz_all fuzz_laws fuzz_bytes; do
  [ ! -d "$source/corpus/fuzz" ] || "$targets/$target" "$source/corpus/fuzz"
done
printf '\000' >replay-zero
: >replay-empty
for target in "$targets"/fuzz_*; do
  [ -x "$target" ] && [ ! -d "$target" ] || continue
  "$target" replay-zero replay-empty >/dev/null
done
"$targets/fuzz_text" "$source/corpus/cases"
[ ! -x "$targets/fuzz_program" ] || "$targets/fuzz_program" "$source/corpus/programs"
# Known reproducers: what they show must not be shown by the built-in implementations any more.
if [ -n "$warpcheck" ]; then
  for case in "$source"/crashes/*/case.txt; do
    [ -f "$case" ] || continue
    "$warpcheck" replay "$case"
  done
fi
