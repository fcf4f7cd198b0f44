#!/usr/bin/env bash
# The mechanical mutants that were once missed (test/mutants/mechanical/always.txt): what the batches of `run` catch, what is equivalent, and
# that a survivor without a reason is missed.
# usage: score.sh PROGRAM BUILD_FOLDER WORK_FOLDER
set -u
PROGRAM=$(realpath "$1") BUILD=$(realpath "$2") WORK=$3
source=$(cd "$(dirname "$0")/../.." && pwd)
failures=0
fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}
export WARPCHECK_MECHANICAL=$WORK/mechanical
mkdir -p "$WORK"
"$source/test/mutants/mechanical/build.sh" "$BUILD" 0 || exit 1

measure() {
    "$PROGRAM" score --plugin none --mechanical "$WARPCHECK_MECHANICAL" --checks batches --jobs 2 --survivors "$WORK/survivors" "$@" >"$WORK/out"
}
measure
[ $? -eq 1 ] || fail 'one is missed, but the exit status is not 1'
cat "$WORK/out"
grep -q '^12 mutants: 7 caught, 7 of them by the checks of run, 4 equivalent (0 proved, 4 argued), 1 missed$' "$WORK/out" || fail 'other numbers'
[ "$(wc -l <"$WORK/survivors")" -eq 5 ] || fail 'other survivors'
grep -q 'compare_with_eight.*: MISSED: ' "$WORK/out" || fail 'another one is missed'

# Without the arguments all survivors are missed; a proof makes one equivalent, a proof that is open does not.
echo >"$WORK/none"
key=$(cut -f 2 "$WORK/survivors" | sed -n 1p) other=$(cut -f 2 "$WORK/survivors" | sed -n 2p)
printf '%s\tproved\tfor a test\n%s\topen\tone form is OPEN\n' "$key" "$other" >"$WARPCHECK_MECHANICAL/proofs.tsv"
measure --equivalent "$WORK/none"
[ $? -eq 1 ] || fail 'four are missed, but the exit status is not 1'
grep -qF "$key: equivalent, proved: for a test." "$WORK/out" || fail 'a proved one is not equivalent'
grep -qF "$other: MISSED: nobody has said why. The proof about compiled code: one form is OPEN." "$WORK/out" || fail 'an open one is not missed'
grep -q ' 1 equivalent (1 proved, 0 argued), 4 missed$' "$WORK/out" || fail 'other numbers without arguments'
[ "$failures" -eq 0 ]
