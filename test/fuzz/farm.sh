#!/bin/sh
# The farm's contract: build.sh with its variables set leaves targets, seed corpora, dictionaries and options, and each
# target runs, with no library that a bare machine lacks.
#   farm.sh SOURCE WORK libfuzzer|afl address|undefined|memory|coverage      (memory and coverage: libfuzzer)
set -eu
source=$1 base=$2 engine=$3 sanitizer=$4
rm -rf "$base/out" "$base/run"
mkdir -p "$base/out" "$base/work" "$base/run"
fail() { echo "farm.sh: $*" >&2; exit 1; }
case $sanitizer in
coverage) flags="-O1 -g -fprofile-instr-generate -fcoverage-mapping" sanitize= ;;
undefined) flags="-O1 -g -fsanitize=undefined -fno-sanitize-recover=all" sanitize=,undefined ;;
*) flags="-O1 -g -fsanitize=$sanitizer" sanitize=,$sanitizer ;;
esac
case $engine in
libfuzzer) compiler=clang flags="$flags -fsanitize=fuzzer-no-link" link=-fsanitize=fuzzer$sanitize ;;
afl) # as farms do it: the engine's library, and its own flags from its compiler
  compiler=afl-clang-fast link=$(dirname "$(dirname "$(command -v afl-clang-fast)")")/lib/afl/libAFLDriver.a
  [ -f "$link" ] || { echo "UNAVAILABLE: $link is not there"; exit 77; } ;;
esac
env -u AFL_LLVM_DENYLIST AFL_QUIET=1 CC=$compiler CXX=$compiler++ CFLAGS="$flags" CXXFLAGS="$flags" LIB_FUZZING_ENGINE="$link" \
  OUT="$base/out" SRC="$(dirname "$source")" WORK="$base/work" "$source/fuzz/build.sh" >"$base/build.log" 2>&1 ||
  { tail -40 "$base/build.log"; exit 1; }

run() { # TARGET SEEDS OPTIONS
  dictionary=$(sed -n 's/^dict = //p' "$3")
  case $engine in
  libfuzzer) "$1" -runs=300 -max_len="$(sed -n 's/^max_len = //p' "$3")" ${dictionary:+-dict="$base/out/$dictionary"} "$2" ;;
  afl)
    AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_FAST_CAL=1 AFL_BENCH_JUST_ONE=1 ASAN_OPTIONS=abort_on_error=1:symbolize=0 \
      UBSAN_OPTIONS=abort_on_error=1:symbolize=0 \
      afl-fuzz -V 2 -m none -t 5000 ${dictionary:+-x "$base/out/$dictionary"} -i "$2" -o "$2-afl" -- "$1" &&
      [ "$(sed -n 's/^execs_done *: //p' "$2-afl/default/fuzzer_stats")" -gt 0 ] &&
      "$1" "$2/$(ls "$2" | head -n 1)" ;; # alone, as farms look at a crash again
  esac
}

ran=0
for options in "$base/out"/*.options; do
  target=${options%.options}
  name=$(basename "$target")
  [ -x "$target" ] || fail "$name was not built"
  [ -s "${target}_seed_corpus.zip" ] || fail "$name has no seed corpus"
  others=$(ldd "$target" | grep -Ev '^\s*(linux-vdso|/lib64/ld-|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s)\.so)') || :
  [ -z "$others" ] || fail "$name asks for libraries that a bare machine lacks: $others"
  seeds=$base/run/$name
  mkdir -p "$seeds"
  (cd "$seeds" && cmake -E tar xf "${target}_seed_corpus.zip")
  family=$(echo "${name#fuzz_}" | tr _ .) # a family's target has the seeds of that family, all of them and no others
  if [ -f "$source/corpus/seeds/$family.txt" ]; then
    [ "$(ls "$seeds" | wc -l)" -eq "$(grep -c '^warp1' "$source/corpus/seeds/$family.txt")" ] || fail "$name has other seeds"
  fi
  (cd "$base/run" && run "$target" "$seeds" "$options") >"$base/$name.log" 2>&1 || { tail -30 "$base/$name.log"; fail "$name failed"; }
  ran=$((ran + 1))
done
[ "$ran" -ge 13 ] || fail "only $ran targets"
[ -z "$(find "$base/run" -path '*/crashes/id*' -o -name 'crash-*')" ] || fail "findings: $(find "$base/run" -path '*/crashes/id*' -o -name 'crash-*')"
echo "$ran targets built and run by $engine under $sanitizer"
