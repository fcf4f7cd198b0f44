#!/bin/sh
# Builds all fuzz targets as OSS-Fuzz and ClusterFuzzLite ask for it, from the environment:
#   CC CXX CFLAGS CXXFLAGS       compiler and flags of the engine and sanitizer
#   LIB_FUZZING_ENGINE           what links the engine
#   OUT                          where targets, NAME_seed_corpus.zip, NAME.dict and NAME.options go
#   SRC WORK                     folder of the checkout's parent, and for what is built on the way
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
: "${OUT:?the folder for the targets}" "${LIB_FUZZING_ENGINE:?what links the fuzzing engine}"
work=${WORK:-$source/build-farm}
CC=${CC:-clang} CXX=${CXX:-clang++}
export CC CXX
mkdir -p "$OUT" "$work"

# Straight-line code is left untraced where the compiler takes a list of it (fuzz/untraced.txt says why).
"$source/fuzz/untraced.sh" "$source" >"$work/untraced.txt"
list=-fsanitize-coverage-ignorelist=$work/untraced.txt
case " ${CFLAGS:-} " in
*-fsanitize=fuzzer-no-link*)
  if echo 'int x;' | $CC $list -x c -c -o /dev/null - 2>/dev/null; then CFLAGS="${CFLAGS:-} $list"; fi ;;
esac
# AFL++ looks for the list's paths in what is there for debuggers, which has whole paths only below this folder.
case $CC in *afl*) CFLAGS="${CFLAGS:-} -g -fdebug-compilation-dir=/" ;; esac
AFL_LLVM_DENYLIST=$work/untraced.txt
export CFLAGS AFL_LLVM_DENYLIST
export CCACHE_BASEDIR= # the list has whole paths: a cache that shortens them would have all code traced

# Only the farm's flags are used: no optimization or sanitizer is added.
cmake -S "$source" -B "$work/warpcheck" -G "$(command -v ninja >/dev/null && echo Ninja || echo 'Unix Makefiles')" \
  -DCMAKE_BUILD_TYPE=None -DBUILD_TESTING=OFF -DWARPCHECK_SMT=OFF -DWARPCHECK_GPU=OFF -DWARPCHECK_BENCH=OFF \
  -DWARPCHECK_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DWARPCHECK_FUZZ_LINK_CXX=ON \
  -DCMAKE_EXE_LINKER_FLAGS="${LDFLAGS:-}" -DWARPCHECK_PROGRAM_PATH=warpcheck
cmake --build "$work/warpcheck" --target fuzz-targets

# Seeds: the corpus's case files, line or readable, are what the text target reads; programs are for the program target;
# the others begin with the bytes that the campaign's corpus has been minimized to.
zip_folder() { # ZIP FOLDER
  [ -n "$(ls -A "$2" 2>/dev/null)" ] || : >"$2/empty"
  (cd "$2" && cmake -E tar cf "$1" --format=zip -- *)
}
seeds=$work/seeds
rm -rf "$seeds"
"$source/fuzz/seeds.sh" "$work/plain"
from=$work/plain/fuzz/seeds
for target in "$work/warpcheck/fuzz"/fuzz_*; do
  name=$(basename "$target")
  [ -x "$target" ] && [ ! -d "$target" ] || continue
  case $name in fuzz_empty*) continue ;; esac
  cp "$target" "$OUT/"
  mkdir -p "$seeds/$name"
  case $name in
  fuzz_text) cp "$from"/text/* "$seeds/$name/" ;;
  fuzz_kernel) printf '0123456789abcdef' >"$seeds/$name/launch" ;; # AFL++ does not begin with an empty input alone
  fuzz_program) find "$source/corpus/programs" -name '*.ptx' -exec cp {} "$seeds/$name/" \; 2>/dev/null || : ;;
  fuzz_ptx)
    printf 'shfl.sync.up.b32  Ry|p, Rx, 0x1,  0x0, 0xffffffff;' >"$seeds/$name/manual"
    find "$source/corpus/kernels" -name '*.ptx' -size -16k -exec cp {} "$seeds/$name/" \; 2>/dev/null || :
    ;;
  *) # a family's target: the cases of that family alone
    family=$(echo "${name#fuzz_}" | tr _ .)
    if [ -f "$source/corpus/seeds/$family.txt" ]; then cp "$from/bytes/$family"-* "$seeds/$name/"
    else cp "$from"/bytes/* "$seeds/$name/"; fi
    ;;
  esac
  zip_folder "$OUT/${name}_seed_corpus.zip" "$seeds/$name"
  if [ -f "$target.dict" ]; then
    cp "$target.dict" "$OUT/"
    printf '[libfuzzer]\nmax_len = 16384\ndict = %s.dict\n' "$name" >"$OUT/$name.options"
  else
    printf '[libfuzzer]\nmax_len = 720\nlen_control = 0\n' >"$OUT/$name.options"
  fi
done
cp "$work/warpcheck/fuzz/libwarpcheck-afl-mutator.so" "$OUT/"
