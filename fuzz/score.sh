#!/bin/sh
# Regenerates docs/score.md: all mutants, all checks, 20 seeds of each engine. Takes an hour or so; see --help of `warpcheck score` for parts.
#
#   fuzz/score.sh BUILD_FOLDER [SEEDS [AFL_SEEDS [MECHANICAL]]]
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
cmake --build "$build" --target warpcheck warpcheck-mutants >/dev/null
"$source/test/mutants/mechanical/build.sh" "$build" "${4:-260}"
cd "$source"
checks=enumeration,replay,random,laws,libfuzzer
if command -v afl-fuzz >/dev/null && [ "${3:-20}" -gt 0 ]; then checks=$checks,afl; fi
exec "$build/cli/warpcheck" score --checks "$checks" --mechanical "$build/mechanical" --seeds "${2:-20}" --afl-seeds "${3:-20}" \
  --markdown docs/score.md
