#!/bin/sh
# Replays, without an engine, the seed corpus and the texts of the corpus with the plain targets.
#   replay.sh SOURCE TARGETS
set -eu
source=$1 targets=$2
for target in fuzz_all fuzz_laws fuzz_batch fuzz_bytes; do
  "$targets/$target" "$targets/seeds/bytes"
done
printf '\000' >replay-zero
: >replay-empty
for target in "$targets"/fuzz_*; do
  [ -x "$target" ] && [ ! -d "$target" ] || continue
  "$target" replay-zero replay-empty >/dev/null
done
for value in often -1 16x 1000001; do
  status=0
  line=$(WARPCHECK_FUZZ_SIGNALS=$value "$targets/fuzz_all" replay-zero 2>&1) || status=$?
  [ "$status" -eq 2 ] && [ "$line" = "warpcheck fuzz target: WARPCHECK_FUZZ_SIGNALS: give a number from 0 to 1000000" ] || {
    echo "replay.sh: WARPCHECK_FUZZ_SIGNALS=$value ends with status $status: $line" >&2
    exit 1
  }
done
"$targets/fuzz_text" "$targets/seeds/text"
[ ! -x "$targets/fuzz_program" ] || "$targets/fuzz_program" "$source/corpus/programs"
