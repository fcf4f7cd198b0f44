#!/bin/sh
# kernel_mutants.sh SOURCE_DIR BUILD_DIR: plants each mistake of kernel_mutants.txt and runs test_kernel_execute, which
# must fail. Prints those that nothing notices; status 1 when there are any.
set -u
src=$1 build=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
flags="-std=c17 -O1 -D_XOPEN_SOURCE=700 -I$work -I$src -I$src/model/include -I$src/model/spec"
libraries="$build/ptx/libwarpcheck-ptx.a $build/model/spec/libwarpcheck-spec.a $build/model/libwarpcheck-model.a $build/base/libwarpcheck-base.a"
objects() { # NAME: the object files of all of kernel/exec but NAME
    for f in "$work"/base/*.o; do [ "$f" = "$work/base/$1.o" ] || echo "$f"; done
}
mkdir -p "$work/base" "$work/mutant" "$work/kernel/exec"
for f in "$src"/kernel/exec/*.c "$src"/kernel/params.c "$src"/kernel/report.c "$src"/kernel/search.c; do
    ${CC:-cc} $flags -c "$f" -o "$work/base/$(basename "$f" .c).o" || exit 2
done
${CC:-cc} $flags -c "$src/test/test_kernel_execute.c" -o "$work/base/test.o" || exit 2
run() { ${CC:-cc} -o "$work/test" $1 $libraries $libraries -lcmocka -lm 2>"$work/log" && (cd "$src" && timeout 60 "$work/test" >/dev/null 2>&1); }
if ! run "$(objects none)"; then
    cat "$work/log"
    echo "the tests fail without a mistake"
    exit 2
fi
planted=0 survived=0
grep -v '^#' "$src/test/kernel_mutants.txt" >"$work/list"
while IFS= read -r line; do
    if ! printf '%s\n' "$line" | python3 -c '
import re, sys
file, what, text, instead = [part.replace("\\|", "|").replace("@", "\n") for part in re.split(r" \| ", sys.stdin.read().rstrip("\n"))]
code = open(sys.argv[1] + "/kernel/exec/" + file).read()
if code.count(text) < 1:
    sys.exit("not there: " + what)
open(sys.argv[2], "w").write(code.replace(text, instead, 1))
open(sys.argv[2] + ".what", "w").write(file + ": " + what)
' "$src" "$work/mutant.c"; then
        exit 2
    fi
    what=$(cat "$work/mutant.c.what") name=${what%%.c:*}
    planted=$((planted + 1))
    cp "$work/mutant.c" "$work/mutant/$name.c"
    if ! ${CC:-cc} $flags -c "$work/mutant/$name.c" -o "$work/mutant/$name.o" 2>"$work/log"; then
        cat "$work/log"
        echo "does not compile: $what"
        exit 2
    fi
    if run "$(objects "$name") $work/mutant/$name.o"; then
        survived=$((survived + 1))
        echo "not noticed: $what"
    fi
done <"$work/list"
echo "$planted mistakes planted, $survived not noticed"
[ "$survived" = 0 ]
