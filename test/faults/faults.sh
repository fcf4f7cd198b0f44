#!/usr/bin/env bash
# Everything that can fail, made to fail at each of its calls: never status 0 where something is wrong or was not done,
# never a hang, never half a finding. Status 0 with a fault is right where the program could do without what failed:
# then it must have reported, number by number, what it reports without a fault.
#
#   faults.sh PROGRAM INJECT.so MUTANTS.so SOURCE MOST [NAME...]
#
# At most MOST calls of each kind are tried, spread over all of them, and 2 of a command that takes seconds. Where MOST
# is above 10 these are tried at 4 calls of each kind, the engines' campaigns too; with WARPCHECK_SLOW=all the former at
# every call and the latter at 20.
set -u
program=$(realpath "$1") inject=$(realpath "$2") mutants=$(realpath "$3") source=$(realpath "$4") most=$5
shift 5
wanted=" $* "
full=$([ "$most" -le 10 ] || echo yes) engine_calls=2 # of what takes seconds
[ -z "$full" ] || engine_calls=4
[ -z "$full" ] || [ "${WARPCHECK_SLOW:-}" != all ] || most=0 engine_calls=20
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset WARPCHECK_ROOT
kinds='memory process thread file write name flush close list read wait signal random map set'
case='warp1 shfl.sync.up.b32 d|p target=sm_90 exited=0x0 active=0xffffffff a=0x5*32 b=0x21*32 c=0x0*32 membermask=0xffffffff*32'

complain() { printf 'FAIL: %s\n' "$*"; }

# What every command finds in its folder.
furnish() {
    mkdir -p "$1/corpus" "$1/void"
    cd "$1" || exit 2
    printf '%s\n' "$case" >case.txt
    printf '%s\n' 'warp1 activemask.b32 d target=sm_70 exited=0x0 active=0x6 => d=0x6*32' >corpus/one.txt
    printf '%s\n' 'warp1 activemask.b32 d target=sm_70 exited=0x0 active=0x6 => d=0x6*32 done=0x6 waiting=0x0 undefined=0x0' \
        'warp1 vote.sync.any.pred d target=sm_70 exited=0x0 active=0x3 a=0x1*32 membermask=0x3*32 => p=0x0' >lines.txt
}

# A finding on disk is whole: its case can be read, and the line and the verdict are there. Nothing unfinished is left.
whole_findings() {
    local folder
    for folder in out/*/; do
        [ -d "$folder" ] || continue
        { [ -s "$folder/finding.txt" ] && [ -s "$folder/verdict.txt" ] &&
            { [ ! -e "$folder/case.txt" ] || "$program" show "$folder/case.txt" >/dev/null 2>&1; }; } ||
            complain "$1: half a finding: $folder: $(ls "$folder")"
    done
    case $1 in new,*) [ ! -d work ] || [ "$(find work -type f -size +0 | wc -l)" -eq 3 ] || complain "$1: half a folder: $(ls work)" ;; esac
    [ -z "$(find . -path ./out -prune -o -path ./work -prune -o -name 'warpcheck-*.*' -print | head -n 1)" ] || complain "$1: a temporary folder is left"
}

# What was compared, found, proved, whatever the time it took. The time decides how much a slow pipe is asked, and
# whether that is all.
numbers() {
    local count=
    case $PWD in */cross-pipe-*) count='; /^ +enumerate|^pipe |^agrees/s/[0-9,]+ (cases|lane results)/some \1/g; s/; samples of what .*//; /because a pipe is asked for some seconds only/d' ;; esac
    sed -E "s/,? ?[0-9.]+ s\\b( of proving)?//g; s/[0-9,]+\\/s//g$count; s/ +/ /g" "$1" | grep -E 'cases|compared|lane results|agree|PROVED|clean|ERROR|mutants|instructions|^warp1|warp1 '
}

# without NAME EXPECTED COMMAND...: what it says without a fault (plain), and how many calls of each kind its processes
# make at most (count).
without() {
    local name=$1 expected=$2 got
    shift 2
    furnish "$work/$name"
    TMPDIR=$PWD timeout 600 env WARPCHECK_FAULT_COUNT="$PWD/count" LD_PRELOAD="$inject" "$@" >plain 2>plain.err </dev/null
    got=$?
    [ "$got" -eq "$expected" ] || complain "$name: status $got without a fault, expected $expected: $(tail -n 1 plain.err)"
    [ -s count ] || complain "$name: no calls are counted"
}

# attempt NAME EXPECTED KIND MOST COMMAND...: in a folder of its own.
attempt() {
    local name=$1 expected=$2 kind=$3 few=$4 n total step got tried=0
    shift 4
    total=$(sed -n "s/^$kind //p" "$work/$name/count" | sort -n | tail -n 1)
    [ "${total:-0}" -gt 0 ] || return
    furnish "$work/$name-$kind"
    step=1
    [ "$few" -eq 0 ] || step=$(((total + few - 1) / few))
    for ((n = 1; n <= total; n += step)); do
        rm -rf out work
        tried=$((tried + 1))
        TMPDIR=$PWD timeout -k 10 600 env WARPCHECK_FAULT=$kind:$n LD_PRELOAD="$inject" "$@" >faulty 2>faulty.err </dev/null
        got=$?
        case $got in
        0) [ "$expected" -eq 0 ] && diff <(numbers "$work/$name/plain") <(numbers faulty) >/dev/null ||
            complain "$name, $kind $n of $total: status 0; last line: $(tail -n 1 faulty)" ;;
        1 | 2) [ -s faulty ] || [ -s faulty.err ] || complain "$name, $kind $n of $total: status $got without a word" ;;
        124 | 137) complain "$name, $kind $n of $total: no end" ;;
        127) grep -q 'shared libraries' faulty.err || complain "$name, $kind $n of $total: status $got: $(tail -n 1 faulty.err)" ;; # the loader's own calls
        134 | 139) # a library that does not survive having no memory: told, and no success
            [ "$kind" = memory ] && grep -q '^warpcheck: it crashed' faulty.err || complain "$name, $kind $n of $total: status $got: $(tail -n 1 faulty.err)"
            case $name in prove*) ;; *) complain "$name, $kind $n of $total: status $got" ;; esac ;;
        *) complain "$name, $kind $n of $total: status $got: $(tail -n 1 faulty.err)" ;;
        esac
        whole_findings "$name, $kind $n of $total"
    done
    printf '%s: %s: %d of %d calls\n' "$name" "$kind" "$tried" "$total"
}

# run NAME EXPECTED COMMAND...: with each kind of fault, some kinds at a time.
jobs=0 at_once=$(($(nproc) + 1))
run() {
    local name=$1 expected=$2 kind few=$most
    shift 2
    [ "$wanted" = '  ' ] || case $wanted in *" $name "*) ;; *) return ;; esac
    case $name in fuzz* | cross-pipe) few=$engine_calls ;; esac
    without "$name" "$expected" "$@" >"$work/$name.verdict" 2>&1
    for kind in $kinds; do
        jobs=$((jobs + 1))
        [ "$jobs" -le "$at_once" ] || wait -n
        attempt "$name" "$expected" "$kind" "$few" "$@" >"$work/$name.$kind.verdict" 2>&1 &
    done
}

cases=(--cases 500 --only activemask --corpus corpus --out out)
run wrong 1 "$program" cross spec "$mutants:activemask-full" "${cases[@]}"
run right 0 "$program" cross spec "$mutants:base" "${cases[@]}"
run run 0 "$program" run --impl "$mutants:base" --seconds 0 --crashes void "${cases[@]}"
run cross-pipe 0 "$program" cross spec 'pipe:exec sed -u -E "s/.*active=(0x[0-9a-f]+).*/=> d=\\1*32/"' "${cases[@]}"
run pipe 0 "$program" replay --impl 'pipe:exec sed -u -E "s/.*active=(0x[0-9a-f]+).*/=> d=\\1*32/"' corpus/one.txt
run replay 1 "$program" replay --impl "$mutants:b-not-masked" case.txt
run reduce 1 "$program" reduce --impl "$mutants:b-not-masked" case.txt --out out
run verify 1 "$program" verify lines.txt
run prove 0 "$program" prove --family activemask --quiet --jobs 2
run kernel 1 "$program" kernel "$source/corpus/kernels/deadlock.ptx" --executions 40 --out out
run kernel-clean 0 "$program" kernel "$source/corpus/kernels/barrier.ptx" --executions 20 --only undefined
run lint 0 "$program" lint "$source/corpus/kernels/groups.ptx"
run new 0 "$program" new cuda work
run score 0 "$program" score --only activemask-full --checks replay --cases 100 --corpus corpus --programs none
if [ -n "$full" ] && [ -x "$(dirname "$program")/../engines/libfuzzer/fuzz/fuzz_all" ]; then
    run fuzz-wrong 1 "$program" fuzz --impl "$mutants:activemask-full" --only activemask --seconds 3 --work work --out out
    run fuzz-right 0 "$program" fuzz --impl "$mutants:base" --only activemask --seconds 3 --work work --out out
fi
wait

# A limit on the size of files: that the finding cannot be kept is told, and nothing is left by halves.
furnish "$work/limit"
said=$( (ulimit -f 0 && exec "$program" cross spec "$mutants:activemask-full" "${cases[@]}") 2>&1)
got=$?
{
    case $got in 1 | 2) ;; *) complain "a run that may write no file: status $got" ;; esac
    grep -q '^MISMATCH' <<<"$said" || complain "a run that may write no file does not tell the mismatch"
    grep -q 'File too large' <<<"$said" || complain "a run that may write no file does not say that it kept nothing"
    whole_findings "a run that may write no file"
} >"$work/limit.verdict"

# Where no pipe can be made one that does not wait, and no memory kept from other processes: told, and no hang.
if [ "$wanted" = '  ' ]; then
    furnish "$work/refused"
    for impl in "$mutants:base" 'pipe:cat'; do
        timeout -k 2 60 env WARPCHECK_FAULT=set:1+ LD_PRELOAD="$inject" "$program" cross spec "$impl" "${cases[@]}" >out.txt 2>&1 </dev/null
        got=$?
        case $got in 1 | 2) ;; *) complain "cross with $impl, every call of kind set refused: status $got" ;; esac
    done >"$work/refused.verdict"
fi

cat "$work"/*.verdict
tried=$(cat "$work"/*.verdict | sed -n 's/.*: \([0-9]*\) of [0-9]* calls$/\1/p' | awk '{ n += $1 } END { print n + 0 }')
failures=$(cat "$work"/*.verdict | grep -c '^FAIL')
echo "$tried runs with a fault, $failures failures"
[ "${tried:-0}" -ge 200 ] || [ "$wanted" != '  ' ] || exit 1
[ "$failures" -eq 0 ]
