#!/bin/sh
# The farm's contract: build.sh with its variables set leaves targets, seed corpora, dictionaries and options, and each
# target runs.
#   farm.sh SOURCE WORK [SANITIZER]
set -eu
source=$1 base=$2 sanitizer=${3:-address}
rm -rf "$base/out"
mkdir -p "$base/out" "$base/work"
flags="-O1 -g -fsanitize=fuzzer-no-link -fsanitize=$sanitizer"
[ "$sanitizer" != undefined ] || flags="$flags -fno-sanitize-recover=all"
env -u AFL_LLVM_DENYLIST CC=clang CXX=clang++ CFLAGS="$flags" CXXFLAGS="$flags" LIB_FUZZING_ENGINE="-fsanitize=fuzzer,$sanitizer" \
  OUT="$base/out" SRC="$(dirname "$source")" WORK="$base/work" "$source/fuzz/build.sh" >"$base/build.log" 2>&1 ||
  { tail -40 "$base/build.log"; exit 1; }

fail() { echo "farm.sh: $*" >&2; exit 1; }
ran=0
for options in "$base/out"/*.options; do
  target=${options%.options}
  name=$(basename "$target")
  [ -x "$target" ] || fail "$name was not built"
  [ -s "${target}_seed_corpus.zip" ] || fail "$name has no seed corpus"
  seeds=$base/run/$name
  rm -rf "$seeds"
  mkdir -p "$seeds"
  (cd "$seeds" && cmake -E tar xf "${target}_seed_corpus.zip")
  family=$(echo "${name#fuzz_}" | tr _ .) # a family's target has the seeds of that family, all of them and no others
  if [ -f "$source/corpus/seeds/$family.txt" ]; then
    [ "$(ls "$seeds" | wc -l)" -eq "$(grep -c '^warp1' "$source/corpus/seeds/$family.txt")" ] || fail "$name has other seeds"
  fi
  dictionary=$(sed -n 's/^dict = //p' "$options")
  (cd "$base/run" && "$target" -runs=300 -max_len="$(sed -n 's/^max_len = //p' "$options")" ${dictionary:+-dict="$base/out/$dictionary"} \
    "$seeds") >"$base/$name.log" 2>&1 || { tail -30 "$base/$name.log"; fail "$name failed"; }
  ran=$((ran + 1))
done
[ "$ran" -ge 11 ] || fail "only $ran targets"
[ ! -e "$base/run/crashes" ] || fail "findings: $(ls "$base/run/crashes")"
echo "$ran targets built and run under $sanitizer"
