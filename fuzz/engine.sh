#!/bin/sh
# Builds all fuzz targets for one engine.
#
#   fuzz/engine.sh libfuzzer|afl|plain BUILD_FOLDER [SANITIZERS] [TARGET...]
#
# SANITIZERS is what -fsanitize= takes ("address,undefined", "memory"), or "none". The targets lie in BUILD_FOLDER/fuzz.
# A folder that is up to date is left as it is. Quiet unless something is built or fails.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
engine=$1
build=$2
sanitizers=${3:-none}
[ $# -ge 3 ] && shift 3 || shift $#
[ $# -gt 0 ] || set -- fuzz-targets

mkdir -p "$build"
build=$(cd "$build" && pwd)
if command -v flock >/dev/null; then # two that build the same folder at once would spoil it
  exec 9>"$build/lock"
  flock -n 9 || { echo "waiting for another build of $build" >&2; flock 9; }
fi
list=$build/untraced.txt
"$source/fuzz/untraced.sh" "$source" >"$list.new"
if cmp -s "$list.new" "$list"; then rm "$list.new"; else mv "$list.new" "$list"; fi # a newer list compiles all again
trace="-fsanitize=fuzzer-no-link \"-fsanitize-coverage-ignorelist=$list\""
# Fuzzing compiles code without if-conversion, which keeps the edges but makes loops slow. Code that is not traced does
# not need this. (The list of such code would also switch off the sanitizers, so it is not used with them.)
[ "$sanitizers" != none ] || trace="$trace \"-fsanitize-ignorelist=$list\""
case $engine in
libfuzzer) compiler=${WARPCHECK_CLANG:-clang} flags=$trace link=-fsanitize=fuzzer ;;
# AFL++ looks for the list's paths in what is there for debuggers, which has whole paths only below this folder.
afl) compiler=${WARPCHECK_AFL_CC:-afl-clang-fast} flags=-fdebug-compilation-dir=/ link=-fsanitize=fuzzer ;;
plain) compiler=${CC:-clang} flags= link= ;;
*) echo "fuzz/engine.sh: unknown engine '$engine': give libfuzzer, afl or plain" >&2; exit 2 ;;
esac
if ! command -v "$compiler" >/dev/null; then
  echo "fuzz/engine.sh: $compiler not found: install $([ "$engine" = afl ] && echo afl++ || echo clang)" >&2
  exit 2
fi
# The targets run on the machine that builds them, so they may use its instructions; the sanitizers do not know all of
# these.
march=
[ "$sanitizers" != none ] || ! echo 'int x;' | "$compiler" -march=native -x c -c -o /dev/null - 2>/dev/null ||
  march=-DWARPCHECK_FUZZ_MARCH=native
AFL_LLVM_DENYLIST=$list AFL_QUIET=1
export AFL_LLVM_DENYLIST AFL_QUIET
export CCACHE_BASEDIR= # the list has whole paths: a cache that shortens them would have all code traced

# The program that printed commands call: the one whose build folder this one lies in, else the script that builds it.
program=${WARPCHECK_PROGRAM:-$(dirname "$(dirname "$build")")/cli/warpcheck}
[ -n "${WARPCHECK_PROGRAM:-}" ] || { [ -x "$program" ] && program=$(realpath "$program"); } || program=$source/warpcheck

[ "$sanitizers" = none ] && sanitize= || sanitize="-DWARPCHECK_SANITIZE=$sanitizers"
# One that was configured with other flags is configured anew.
[ "$flags" = "$(cat "$build/flags" 2>/dev/null)" ] || rm -f "$build/CMakeCache.txt"
printf '%s\n' "$flags" >"$build/flags"
if [ ! -f "$build/CMakeCache.txt" ] || ! { [ -f "$build/build.ninja" ] || [ -f "$build/Makefile" ]; }; then
  rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles" # of one that was ended while it configured
  echo "building the fuzz targets for $engine in $build (once)" >&2
  command -v ninja >/dev/null && generator=Ninja || generator="Unix Makefiles"
  if ! cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_C_FLAGS="-g $flags" -DWARPCHECK_FUZZ_ENGINE="$link" -DBUILD_TESTING=OFF -DWARPCHECK_SMT=OFF \
      -DWARPCHECK_GPU=OFF -DWARPCHECK_BENCH=OFF -DWARPCHECK_PROGRAM_PATH="$program" \
      $sanitize $march >"$build/configure.log" 2>&1; then
    cat "$build/configure.log" >&2
    rm -f "$build/CMakeCache.txt"
    exit 2
  fi
fi
if ! cmake --build "$build" --target "$@" >"$build/build.log" 2>&1; then
  cat "$build/build.log" >&2
  exit 2
fi
