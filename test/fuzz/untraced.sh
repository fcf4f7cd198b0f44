#!/bin/sh
# fuzz/untraced.txt leaves its own sources untraced and no other, wherever the checkout lies: its folders may have the
# names of folders inside it, and characters that mean something to a compiler's lists.
#   untraced.sh SOURCE CLANG
set -eu
source=$1 clang=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "untraced.sh: $*" >&2; exit 1; }
traces() { nm "$work/object.o" | grep -q __sanitizer_cov; }
for folder in plain check/work/main 'model/fast/a b' 'c++ (x) [y]|z'; do
  root=$work/$folder
  mkdir -p "$root/fuzz/coverage" "$root/model/fast/avx2" "$root/model/text" "$root/kernel"
  "$source/fuzz/untraced.sh" "$root" >"$work/list"
  for file in fuzz/coverage/signal.c model/text/parse.c kernel/search.c model/fast/avx2/shfl.c model/case.c; do
    echo 'int f(int x) { return x > 1 ? 2 * x : f(x + 2); }' >"$root/$file"
    "$clang" -O1 -fsanitize=fuzzer-no-link "-fsanitize-coverage-ignorelist=$work/list" -c "$root/$file" -o "$work/object.o"
    case $file in
    model/fast/* | model/case.c) ! traces || fail "$folder: $file is traced" ;;
    *) traces || fail "$folder: $file is not traced" ;;
    esac
  done
done
# AFL++, as fuzz/engine.sh calls it, from a build folder that lies in the checkout.
command -v afl-clang-fast >/dev/null || exit 0
flags=$(sed -n 's/^afl) .* flags=\([^ ]*\) .*/\1/p' "$source/fuzz/engine.sh")
root=$work/plain
mkdir -p "$root/build"
cd "$root/build"
"$source/fuzz/untraced.sh" "$root" >"$work/list"
for file in model/fast/avx2/shfl.c kernel/search.c; do
  AFL_QUIET=1 AFL_LLVM_DENYLIST=$work/list afl-clang-fast -g $flags -O1 -c "$root/$file" -o "$work/object.o"
  guards=$(nm "$work/object.o" | grep -c '__start___sancov_guards' || true)
  case $file in
  model/fast/*) [ "$guards" -eq 0 ] || fail "AFL++ traces $file" ;;
  *) [ "$guards" -gt 0 ] || fail "AFL++ does not trace $file" ;;
  esac
done
