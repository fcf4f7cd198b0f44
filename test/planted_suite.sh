#!/bin/sh
# planted_suite.sh SOURCE_DIR BUILD_DIR WARPCHECK [COUNT [MISTAKES]]: writes a suite of COUNT kernels and runs it by the
# example's runner over the executor, which must agree, and over executors with mistakes of planted_kernel.txt, each of
# which must differ or fail. MISTAKES: a file with their names, one a line; "all": each of that list, to see what a
# suite can find.
set -u
src=$1 build=$2 warpcheck=$3 count=${4:-150} mistakes=${5:-}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
flags="-std=c17 -O1 -ffp-contract=off -D_XOPEN_SOURCE=700 -I$src -I$src/model/include -I$src/model/spec"
libraries="$build/kernel/libwarpcheck-kernel.a $build/check/libwarpcheck-check.a $build/ptx/libwarpcheck-ptx.a
  $build/model/spec/libwarpcheck-spec.a $build/model/libwarpcheck-model.a $build/base/libwarpcheck-base.a"
${CC:-cc} $flags -c "$src/test/suite_executor.c" -o "$work/mine.o" || exit 2
${CC:-cc} -Wall -Wextra -Werror -O1 -o "$work/run" "$src/examples/kernel-suite/run.c" || exit 2
"$warpcheck" gen kernel --count "$count" --out "$work/suite" || exit 2
# links the executor, with an object if one is given, and runs the suite
run() { ${CC:-cc} -o "$work/mine" "$work/mine.o" ${1:-} $libraries $libraries -lm -lpthread -ldl || exit 2
    timeout 600 "$work/run" "$work/suite" "$work/mine" >"$work/log" 2>&1; }
run || { cat "$work/log"; echo "FAIL: the executor does not agree with its own suite"; exit 1; }
tail -1 "$work/log"
grep -q "^$count agree, 0 differ, 0 failed, 0 declined$" "$work/log" || exit 1
case $mistakes in
all) grep -v '^#' "$src/test/planted_kernel.txt" | cut -d'|' -f2 | sed 's/^ //; s/ $//' >"$work/names" ;;
'') cat >"$work/names" <<'X'
lanes that do not exist run
one lane's membermask for all
negated sources are taken plain
exited lanes are waited for
exits complete no group
!p is p
all return to one call
bytes have no sign
and is or
add subtracts
X
;;
*) cp "$mistakes" "$work/names" || exit 2 ;;
esac
planted=0 survived=0
while IFS= read -r what; do
    python3 - "$src" "$what" "$work/mutant.c" <<'X' || exit 2
import sys
source, wanted, out = sys.argv[1:]
for line in open(source + "/test/planted_kernel.txt"):
    if line.startswith("#"):
        continue
    file, what, text, instead = [p.replace("\\|", "|").replace("@", "\n") for p in line.rstrip("\n").split(" | ")]
    if what == wanted:
        code = open(source + "/kernel/" + file).read()
        assert code.count(text) > 0, what
        open(out, "w").write(code.replace(text, instead, 1))
        sys.exit(0)
sys.exit("no mistake of that name: " + wanted)
X
    planted=$((planted + 1))
    ${CC:-cc} $flags -w -c "$work/mutant.c" -o "$work/mutant.o" || exit 2
    run "$work/mutant.o" && survived=$((survived + 1)) && echo "not found: $what"
done <"$work/names"
echo "$planted mistakes planted, $survived not found"
[ "$survived" = 0 ] && [ "$planted" -gt 0 ]
