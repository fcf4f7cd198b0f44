#!/usr/bin/env bash
# The mechanical mutants that were once missed (test/mutants/mechanical/always.txt): what the batches of `run` catch,
# what is equivalent, and that a survivor without a reason is missed. usage: score.sh PROGRAM BUILD_FOLDER WORK_FOLDER
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

# Of a variant that this processor lacks build.sh makes none; it fails if another one of its list is not in the sources.
all=$(wc -l <"$WARPCHECK_MECHANICAL/mutants.tsv")
equivalent=4 trapped=1 # of them, none of AVX-512: by argument; seen in a build with bounds and shift checks alone

measure() { # each result is measured once
    "$PROGRAM" score --plugin none --programs none --mechanical "$WARPCHECK_MECHANICAL" --checks batches --seconds 2 --jobs 2 \
        --survivors "$WORK/survivors" --results "$WORK/results" "$@" >"$WORK/out"
}
rm -f "$WORK/results"
measure
[ $? -eq 0 ] || fail 'none is missed, but the exit status is not 0'
cat "$WORK/out"
caught=$((all - equivalent))
said="$all mutants: $caught caught, $((caught - trapped)) of them by the checks of run, $equivalent equivalent (0 proved, 0 argued and proved for some cases,"
said="$said $equivalent argued alone), 0 missed, $trapped of the caught only in a build with bounds and shift checks"
grep -qxF "$said" "$WORK/out" || fail 'other numbers'
[ "$(wc -l <"$WORK/survivors")" -eq "$equivalent" ] || fail 'other survivors'

# What only the bounds and shift checks see is missed where there is no such build.
mkdir -p "$WORK/aside"
mv "$WARPCHECK_MECHANICAL"/*-traps.so "$WORK/aside"
mv "$WORK/results" "$WORK/aside"
grep -v '^traps' "$WORK/aside/results" >"$WORK/results"
measure
[ $? -eq 1 ] || fail 'one is missed without traps, but the exit status is not 1'
grep -q " $trapped missed\$" "$WORK/out" || fail 'other numbers without traps'
mv "$WORK/aside"/*-traps.so "$WARPCHECK_MECHANICAL"
mv "$WORK/aside/results" "$WORK/results"
measure

# Without the arguments all survivors are missed; a proof makes one equivalent, a proof that is open, or holds for some
# cases alone, does not. With the arguments one that the proofs refute is missed all the same.
echo >"$WORK/none"
nth() { cut -f 2 "$WORK/survivors" | sed -n "$1p"; }
key=$(nth 1) other=$(nth 2)
printf '%s\tproved\tfor a test\n%s\topen\tone form is OPEN\n%s\tbounded\tfor a test\n%s\trefuted\tfor a test\n' "$key" "$other" "$(nth 3)" "$(nth 4)" \
    >"$WARPCHECK_MECHANICAL/proofs.tsv"
measure --equivalent "$WORK/none"
[ $? -eq 1 ] || fail 'three are missed, but the exit status is not 1'
grep -qF "$key: equivalent, proved: for a test." "$WORK/out" || fail 'a proved one is not equivalent'
grep -qF "$other: MISSED: nobody has said why. The proof about compiled code: one form is OPEN." "$WORK/out" || fail 'an open one is not missed'
grep -q ' 1 equivalent (1 proved, 0 argued and proved for some cases, 0 argued alone), 3 missed,' "$WORK/out" || fail 'other numbers without arguments'
measure
[ $? -eq 1 ] || fail 'one is refuted, but the exit status is not 1'
grep -q ' 3 equivalent (1 proved, 1 argued and proved for some cases, 1 argued alone), 1 missed,' "$WORK/out" || fail 'other numbers with proofs'
grep -qF "$(nth 4): MISSED. The proof about compiled code: for a test." "$WORK/out" || fail 'a refuted one is not missed'
[ "$failures" -eq 0 ]
