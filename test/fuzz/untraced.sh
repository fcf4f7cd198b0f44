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
