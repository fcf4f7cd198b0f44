#!/bin/sh
# Which lines of the model the targets execute: an HTML report by llvm-cov.
#
#   fuzz/coverage.sh BUILD_FOLDER [CORPUS_FOLDER]   writes BUILD_FOLDER/coverage-html/index.html
#
# The inputs are those of CORPUS_FOLDER (a campaign's corpus-TARGET), or of a campaign of 20 seconds.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
version=$(clang -dumpversion | cut -d. -f1)
tool() {
  command -v "$1-$version" || command -v "$1" || { echo "coverage.sh: $1 not found: install llvm" >&2; exit 2; }
}
profdata=$(tool llvm-profdata) cov=$(tool llvm-cov)
corpus=${2:-}
if [ -z "$corpus" ]; then
  "$source/fuzz/engine.sh" libfuzzer "$build/engines/libfuzzer"
  corpus=$build/coverage-corpus
  mkdir -p "$corpus"
  (cd "$build" &&
    engines/libfuzzer/fuzz/fuzz_all -max_len=720 -len_control=0 -max_total_time=20 "$corpus" >/dev/null 2>&1)
fi
corpus=$(cd "$corpus" && pwd)
folder=$build/engines/coverage
if [ ! -f "$folder/CMakeCache.txt" ]; then
  echo "building the targets for coverage in $folder (once)" >&2
  cmake -S "$source" -B "$folder" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=OFF \
    -DWARPCHECK_SMT=OFF -DWARPCHECK_GPU=OFF -DWARPCHECK_BENCH=OFF \
    -DCMAKE_C_FLAGS="-fprofile-instr-generate -fcoverage-mapping" >"$build/coverage.log" 2>&1 ||
    { cat "$build/coverage.log" >&2; exit 2; }
fi
cmake --build "$folder" --target fuzz-targets >"$build/coverage.log" 2>&1 || { cat "$build/coverage.log" >&2; exit 2; }
rm -f "$folder"/*.profraw
objects=
for target in fuzz_all fuzz_laws fuzz_bytes; do
  (cd "$folder" && LLVM_PROFILE_FILE="$folder/$target.profraw" "fuzz/$target" "$corpus" >/dev/null)
  objects="$objects -object $folder/fuzz/$target"
done
for impl in fast-portable fast-avx2 fast-avx512 fast-neon; do # those that this machine has
  (cd "$folder" && export LLVM_PROFILE_FILE="$folder/$impl.profraw" WARPCHECK_FUZZ_IMPL=$impl &&
    fuzz/fuzz_all "$corpus" >/dev/null 2>&1) || true
done
"$source/fuzz/seeds.sh" "$build/plain"
(cd "$folder" && LLVM_PROFILE_FILE="$folder/fuzz_text.profraw" fuzz/fuzz_text "$build/plain/fuzz/seeds/text" >/dev/null)
"$profdata" merge -sparse -o "$folder/all.profdata" "$folder"/*.profraw
rm -rf "$build/coverage-html"
"$cov" show -format=html -output-dir="$build/coverage-html" -instr-profile="$folder/all.profdata" \
  "$folder/fuzz/fuzz_text" $objects "$source/model" "$source/check" "$source/fuzz"
"$cov" report -instr-profile="$folder/all.profdata" "$folder/fuzz/fuzz_text" $objects "$source/model" | tail -n 40
echo "report: $build/coverage-html/index.html"
