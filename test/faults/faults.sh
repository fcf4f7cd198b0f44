#!/usr/bin/env bash
# Every set-up that can fail, made to fail at each of its calls: never status 0 where something is wrong or was not done,
# never a hang, never half a finding.
#
#   faults.sh PROGRAM INJECT.so MUTANTS.so MOST
#
# At most MOST calls of each kind are tried, spread over all of them; 0: every one.
set -u
program=$(realpath "$1") inject=$(realpath "$2") mutants=$(realpath "$3") most=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir corpus
head -c 0 /dev/null >corpus/README.md
printf '%s\n' 'warp1 shfl.sync.up.b32 d|p target=sm_90 exited=0x0 active=0xffffffff a=0x5*32 b=0x21*32 c=0x0*32 membermask=0xffffffff*32' >corpus/case.txt
failures=0 tried=0

complain() {
    printf 'FAIL: %s\n' "$*"
    failures=$((failures + 1))
}

# A finding on disk is whole: its case can be read, and the line and the verdict are there. Nothing unfinished is left.
whole_findings() {
    local folder
    for folder in out/*/; do
        [ -d "$folder" ] || continue
        { [ -s "$folder/finding.txt" ] && [ -s "$folder/verdict.txt" ] && "$program" show "$folder/case.txt" >/dev/null 2>&1; } ||
            complain "$1: half a finding: $folder: $(ls "$folder")"
    done
    [ -z "$(find . -path ./out -prune -o -name 'warpcheck-*.*' -print | head -n 1)" ] || complain "$1: a temporary folder is left"
}

# run NAME EXPECTED COMMAND...: without a fault it ends with EXPECTED; with one of a kind at call n never with 0 unless
# EXPECTED is 0 and the report is that of a run without a fault.
run() {
    local name=$1 expected=$2 kind n total step got
    shift 2
    rm -rf out
    TMPDIR=$work timeout 60 "$@" >plain 2>plain.err
    got=$?
    [ "$got" -eq "$expected" ] || complain "$name: status $got without a fault, expected $expected: $(tail -n 1 plain.err)"
    for kind in memory process thread file write map; do
        rm -f count
        TMPDIR=$work timeout 60 env WARPCHECK_FAULT=$kind:0 WARPCHECK_FAULT_COUNT="$work/count" LD_PRELOAD="$inject" "$@" >/dev/null 2>&1
        total=$(sort -n count 2>/dev/null | tail -n 1)
        [ "${total:-0}" -gt 0 ] || continue
        printf '%s: %s: %d calls\n' "$name" "$kind" "$total"
        step=1
        [ "$most" -eq 0 ] || step=$(((total + most - 1) / most))
        for ((n = 1; n <= total; n += step)); do
            rm -rf out
            tried=$((tried + 1))
            TMPDIR=$work timeout -k 5 30 env WARPCHECK_FAULT=$kind:$n LD_PRELOAD="$inject" "$@" >faulty 2>faulty.err
            got=$?
            case $got in
            0) [ "$expected" -eq 0 ] && diff <(numbers plain) <(numbers faulty) >/dev/null ||
                complain "$name, $kind $n of $total: status 0; last line: $(tail -n 1 faulty)" ;;
            1 | 2) [ -s faulty ] || [ -s faulty.err ] || complain "$name, $kind $n of $total: status $got without a word" ;;
            124 | 137) complain "$name, $kind $n of $total: no end" ;;
            *) complain "$name, $kind $n of $total: status $got: $(tail -n 1 faulty.err)" ;;
            esac
            whole_findings "$name, $kind $n of $total"
        done
    done
}

# What was compared, whatever the time it took.
numbers() {
    sed -E 's/[0-9.]+ s$//; s/, [0-9.]+ s//g' "$1" | grep -E 'cases|compared|lane results|agree'
}

run wrong 1 "$program" cross spec "$mutants:activemask-full" --cases 500 --only activemask --corpus corpus --out out
run right 0 "$program" cross spec "$mutants:base" --cases 500 --only activemask --corpus corpus --out out
run replay 1 "$program" replay --impl "$mutants:b-not-masked" corpus/case.txt
run reduce 1 "$program" reduce --impl "$mutants:b-not-masked" corpus/case.txt --out out

# A limit on the size of files: that the finding cannot be kept is told, and nothing is left by halves.
rm -rf out
said=$( (ulimit -f 0 && exec "$program" cross spec "$mutants:activemask-full" --cases 500 --only activemask --corpus corpus --out out) 2>&1)
got=$?
case $got in 1 | 2) ;; *) complain "a run that may write no file: status $got" ;; esac
grep -q '^MISMATCH' <<<"$said" || complain "a run that may write no file does not tell the mismatch"
grep -q 'File too large' <<<"$said" || complain "a run that may write no file does not say that it kept nothing"
whole_findings "a run that may write no file"

echo "$tried runs with a fault, $failures failures"
[ "$tried" -ge 40 ] || complain "only $tried runs: the faults are not injected"
[ "$failures" -eq 0 ]
