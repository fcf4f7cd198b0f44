#!/bin/sh
# Turns the corpus, which is text, into what engines begin with, by a plain build of warpcheck-seeds: FOLDER/fuzz/seeds
# then holds bytes/ (byte strings of cases) and text/ (lines and readable files).
#
#   fuzz/seeds.sh FOLDER
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
# The caller's environment may hold flags of an engine or a sanitizer. This program must not be compiled with them.
env -u CC -u CXX -u CFLAGS -u CXXFLAGS -u LDFLAGS cmake -S "$source" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
  -DWARPCHECK_SMT=OFF -DWARPCHECK_GPU=OFF -DWARPCHECK_BENCH=OFF >"$folder/seeds.log" 2>&1 &&
  cmake --build "$folder" --target fuzz-seeds >>"$folder/seeds.log" 2>&1 || { cat "$folder/seeds.log" >&2; exit 2; }
