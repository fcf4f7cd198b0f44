#!/bin/sh
# planted.sh SOURCE_DIR BUILD_DIR SET [WORD]: plants each mistake of planted_SET.txt (whose line has the word) and runs
# the quick tests of that part, of which one must fail. Prints those that nothing notices; status 1 when there are any.
# A mistake is one changed file, linked before the library.
#   SET kernel: execution and search of kernels (kernel/). SET pair: the proof by two lanes (smt/pair/).
set -u
src=$1 build=$2 set=$3 word=${4:-}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
flags="-std=c17 -O1 -ffp-contract=off -D_XOPEN_SOURCE=700 -I$src -I$src/model/include -I$src/model/spec"
libraries="$build/kernel/libwarpcheck-kernel.a $build/check/libwarpcheck-check.a $build/ptx/libwarpcheck-ptx.a
  $build/model/spec/libwarpcheck-spec.a $build/model/libwarpcheck-model.a $build/base/libwarpcheck-base.a"
system="-lcmocka -lm -lpthread -ldl"
case $set in
kernel) folder=kernel tests="kernel_row kernel_memory kernel_execute program_compute program_execute kernel_search" ;;
pair)
    folder=smt/pair tests="pair pair_table pair_random"
    libraries="$build/smt/libwarpcheck-smt.a $build/model/fast/libwarpcheck-fast.a $libraries" system="-lz3 $system"
    ;;
*) echo "no set $set" && exit 2 ;;
esac
for test in $tests; do
    ${CC:-cc} $flags -c "$src/test/test_$test.c" -o "$work/$test.o" || exit 2
done
# links a test with an object, if one is given, and runs it
run() { ${CC:-cc} -o "$work/test" "$work/$1.o" ${2:-} $libraries $libraries $system >"$work/log" 2>&1 &&
    (cd "$src" && timeout 300 "$work/test" >"$work/log" 2>&1); }
for test in $tests; do
    run "$test" || { cat "$work/log"; echo "test_$test fails without a mistake"; exit 2; }
done
planted=0 survived=0
grep -v '^#' "$src/test/planted_$set.txt" | grep -- "$word" >"$work/list"
while IFS= read -r line; do
    printf '%s\n' "$line" | python3 -c '
import re, sys
file, what, text, instead = [part.replace("\\|", "|").replace("@", "\n") for part in re.split(r" \| ", sys.stdin.read().rstrip("\n"))]
code = open(sys.argv[1] + "/" + file).read()
if code.count(text) < 1:
    sys.exit("not there: " + what)
open(sys.argv[2], "w").write(code.replace(text, instead, 1))
open(sys.argv[2] + ".what", "w").write(file + ": " + what)
' "$src/$folder" "$work/mutant.c" || exit 2
    what=$(cat "$work/mutant.c.what") planted=$((planted + 1)) noticed=
    if ! ${CC:-cc} $flags -c "$work/mutant.c" -o "$work/mutant.o" 2>"$work/log"; then
        cat "$work/log"
        echo "does not compile: $what"
        exit 2
    fi
    for test in $tests; do
        [ -n "$noticed" ] || run "$test" "$work/mutant.o" || noticed=$test
    done
    if [ -z "$noticed" ]; then
        survived=$((survived + 1))
        echo "not noticed: $what"
    fi
done <"$work/list"
echo "$planted mistakes planted, $survived not noticed"
[ "$survived" = 0 ] && [ "$planted" -gt 0 ]
