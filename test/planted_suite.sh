#!/bin/sh
# planted_suite.sh SOURCE_DIR BUILD_DIR WARPCHECK COUNT all|NUMBER: writes a suite of COUNT wide kernels. The executor
# must agree with it, by the example's runner; executors with mistakes must not: each mistake of planted_kernel.txt in
# kernel/exec/ is planted, or every NUMBER-th. Says which kernel finds it. Mistakes that no kernel of a suite can show
# are named in planted_suite.txt, with the reason: they get the first 1,000 kernels, and one of them that is found after
# all is told. Status 1: some are not found.
set -u
src=$1 build=$2 warpcheck=$3 count=$4 step=$5
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ "$step" != all ] || step=1
flags="-std=c17 -O1 -ffp-contract=off -D_XOPEN_SOURCE=700 -I$src -I$src/model/include -I$src/model/spec"
libraries="$build/kernel/libwarpcheck-kernel.a $build/check/libwarpcheck-check.a $build/ptx/libwarpcheck-ptx.a
  $build/model/spec/libwarpcheck-spec.a $build/model/libwarpcheck-model.a $build/base/libwarpcheck-base.a"
for part in executor judge; do
    ${CC:-cc} $flags -c "$src/test/suite_$part.c" -o "$work/$part.o" || exit 2
done
${CC:-cc} -Wall -Wextra -Werror -O1 -o "$work/run" "$src/examples/kernel-suite/run.c" || exit 2
if "$work/run" "$work/nothing" true 2>"$work/log" || ! grep -q 'manifest.txt: cannot be read' "$work/log"; then
    echo "FAIL: the runner does not tell that there is no suite"
    exit 1
fi
"$warpcheck" gen kernel --size wide --count "$count" --out "$work/suite" || exit 2
# link PART PROGRAM [OBJECT]
link() { ${CC:-cc} -o "$2" "$work/$1.o" ${3:-} $libraries $libraries -lm -lpthread -ldl; }
link executor "$work/mine" || exit 2
timeout 7200 "$work/run" "$work/suite" "$work/mine" >"$work/log" 2>&1
tail -1 "$work/log"
grep -q "^$count agree, 0 differ, 0 failed, 0 declined$" "$work/log" ||
    { cat "$work/log"; echo "FAIL: the executor does not agree with its own suite"; exit 1; }
link judge "$work/judge" && "$work/judge" "$work/suite" >"$work/log" && grep -q "^$count agree$" "$work/log" || exit 2
# plant NUMBER LINE: "found: ..." or "NOT FOUND: ..." in $work/NUMBER.verdict
plant() {
    printf '%s\n' "$2" | python3 -c '
import re, sys
file, what, text, instead = [p.replace("\\|", "|").replace("@", "\n") for p in re.split(r" \| ", sys.stdin.read().rstrip("\n"))]
code = open(sys.argv[1] + "/kernel/" + file).read()
if code.count(text) < 1:
    sys.exit("not there: " + what)
open(sys.argv[2] + ".c", "w").write(code.replace(text, instead, 1))
open(sys.argv[2] + ".what", "w").write(what)
' "$src" "$work/$1" || return
    ${CC:-cc} $flags -w -c "$work/$1.c" -o "$work/$1.o" && link judge "$work/$1" "$work/$1.o" || return
    most=
    ! grep -qxF -- "$(cat "$work/$1.what")" "$work/cannot" || most=1000
    # shellcheck disable=SC2086 # no number: no argument
    timeout 900 "$work/$1" "$work/suite" $most >"$work/$1.said" 2>&1
    status=$?
    why=$(cut -c1-60 "$work/$1.said" | tail -1)
    case $status in
    0) echo "NOT FOUND: $(cat "$work/$1.what")" ;;
    1) echo "found: $(cat "$work/$1.what"): $why" ;;
    124) echo "found: $(cat "$work/$1.what"): a kernel has no end" ;;
    *) echo "found: $(cat "$work/$1.what"): the executor ends with status $status" ;;
    esac >"$work/$1.verdict"
    rm -f "$work/$1" "$work/$1.o"
}
grep -v '^#' "$src/test/planted_suite.txt" | sed 's/ | .*//' >"$work/cannot"
planted=0 number=0
grep '^exec/' "$src/test/planted_kernel.txt" >"$work/list"
while IFS= read -r line; do
    number=$((number + 1))
    [ $((number % step)) -eq 0 ] || continue
    planted=$((planted + 1))
    plant "$number" "$line" &
    [ $((planted % 2)) -ne 0 ] || wait
done <"$work/list"
wait
cat "$work"/*.verdict >"$work/verdicts"
failures=0
while IFS= read -r line; do
    what=${line#*: }
    case $line in
    "NOT FOUND: "*) grep -qxF -- "$what" "$work/cannot" || { echo "$line"; failures=$((failures + 1)); } ;;
    esac
done <"$work/verdicts"
grep '^found' "$work/verdicts" | cut -c8-
while IFS= read -r what; do
    grep -qF "found: $what: " "$work/verdicts" && echo "found after all, take it out of planted_suite.txt: $what"
done <"$work/cannot"
told=$(wc -l <"$work/verdicts") found=$(grep -c '^found' "$work/verdicts")
echo "$planted of $number mistakes planted: $found found, $((told - found - failures)) cannot show, $failures not found"
[ "$told" -eq "$planted" ] && [ "$failures" -eq 0 ] && [ "$found" -gt 0 ]
