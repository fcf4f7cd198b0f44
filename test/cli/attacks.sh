#!/usr/bin/env bash
# Attacks on the verdict, the isolation, the terminal, the files: each line of attacks.txt in a folder of its own.
#
#   attacks.sh PROGRAM ATTACKER.so MUTANTS.so [NAME...]
#
# Whatever the line expects, no attack may leave a process, a temporary folder or half a finding behind, print a control
# character, or print "all agree" without ending with 0; and each ends in time.
set -u
program=$(realpath "$1") attacker=$(realpath "$2") mutants=$(realpath "$3")
table=$(dirname "$(realpath "$0")")/attacks.txt
shift 3
wanted=" $* "
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
unset WARPCHECK_ROOT
export LC_ALL=C.UTF-8

# --- what the lines use ---
export W=$program A=$attacker M=$mutants
# `run`; a pipe, which is slow, is asked of full warps alone, but where `all` is set.
check() {
    local some=()
    case $1 in pipe:*) [ -n "${all:-}" ] || some=(--full-only) ;; esac
    ${pre:-} "$W" run --impl "$1" --only activemask --cases "${cases:-20}" --seconds 0 --corpus corpus --crashes few --out "${out:-out}" "${some[@]}" "${@:2}"
}
# answers SED: a process at the end of a pipe
answers() { printf '#!/bin/sh\nexec sed -u -E '"'%s'\n" "$1" >"$2" && chmod +x "$2"; }
right='s/.*active=(0x[0-9a-f]+).*/=> d=\1*32/'
wrong='s/.*active=(0x[0-9a-f]+).*/=> d=0x1*32/'
one='warp1 activemask.b32 d target=sm_70 exited=0x0 active=0x6'
esc=$(printf '\033[2J\xc2\x9b\xe2\x80\xae\xff')
ptx() { printf '.version 8.0\n.target sm_90\n.address_size 64\n'; }
kernel() { ptx && printf '.visible .entry k(.param .u64 p)\n{\n.reg .pred %%q<9>;\n.reg .b32 %%r<9>;\n.reg .b64 %%d<9>;\n%s\nret;\n}\n' "$1"; }
# clean FILE...: text without a control character, and without one that reorders or joins; tells each that is not
clean() {
    python3 -c '
import sys, unicodedata
bad = 0
for path in sys.argv[1:]:
    try:
        text = open(path, "rb").read().decode()
        what = any(c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") for c in text) and "raw characters"
    except UnicodeDecodeError:
        what = "not UTF-8"
    if what:
        bad = 1
        print("FAIL:", path, what)
sys.exit(bad)
' "$@"
}
S=$(realpath "$(dirname "$0")/../..")
export -f check answers ptx kernel clean
export right wrong one esc S
[ -z "${WARPCHECK_TEST_SAMPLE:-}" ] || export signals='1 2 9 15 19 34 64'

complain() { printf 'FAIL: %s: %s\n' "$name" "$*"; }

# The command of one line, in its folder.
attack() {
    local name=$1 expected=$2 pattern=$3 command=$4 folder=$place/$1 got half
    mkdir -p "$folder/tmp" "$folder/corpus" "$folder/few"
    cd "$folder" || return
    printf '%s\n' "$one" >corpus/cases.txt
    answers "$right" right.sh
    answers "$wrong" wrong.sh
    env WARPCHECK_ATTACK="$place.$name." TMPDIR="$folder/tmp" WARPCHECK_PLUGIN_TIMEOUT_MS=3000 NO_COLOR=1 \
        timeout -k 10 600 bash -c "$command" >"$place/$name.out" 2>"$place/$name.err"
    got=$?
    cat "$place/$name.out" "$place/$name.err" >"$place/$name.all"
    case ,$expected, in *,$got,*) ;; *) complain "status $got, expected $expected: $(tail -n 2 "$place/$name.all")" ;; esac
    [ "$pattern" = - ] || grep -aEq -- "$pattern" "$place/$name.all" || complain "no '$pattern' in: $(tail -n 4 "$place/$name.all")"
    [ "$got" -eq 0 ] || ! grep -aq '^all agree' "$place/$name.out" || complain "all agree, status $got"
    for half in out/*/; do
        [ ! -d "$half" ] || { [ -s "$half/finding.txt" ] && [ -s "$half/verdict.txt" ]; } || complain "half a finding: $half: $(ls "$half")"
    done
    [ -z "$(find tmp out -name '.*.[0-9]*' -o -name 'warpcheck-*.*' 2>/dev/null | head -n 1)" ] || complain "left behind: $(ls -A tmp out)"
    # What ends with the program may take a moment to be gone.
    for _ in $(seq 50); do
        left=$(grep -laz "WARPCHECK_ATTACK=$place.$name\." /proc/[0-9]*/environ 2>/dev/null) || break
        sleep 0.1
    done
    [ -z "${left:-}" ] || complain "processes are left: $(for p in $left; do tr '\0' ' ' <"${p%environ}cmdline"; done)"
}

count=0 lines=0 at_once=$(($(nproc) < 10 ? $(nproc) + 2 : 12))
while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    name=${line%% :: *} rest=${line#* :: }
    expected=${rest%% :: *} rest=${rest#* :: }
    pattern=${rest%% :: *} command=${rest#* :: }
    [ "$wanted" = '  ' ] || case $wanted in *" $name "*) ;; *) continue ;; esac
    lines=$((lines + 1))
    [ -z "${WARPCHECK_TEST_SAMPLE:-}" ] || [ "$wanted" != '  ' ] || [ $((lines % 2)) -eq 0 ] || continue # a sample
    count=$((count + 1))
    [ "$count" -le "$at_once" ] || wait -n # most of them wait for something: a little more than there are processors
    attack "$name" "$expected" "$pattern" "$command" >"$place/$name.verdict" 2>&1 &
done <"$table"
wait
clean "$place"/*.all >"$place/clean.verdict" || echo 'FAIL: what is printed is not clean' >>"$place/clean.verdict"
cat "$place"/*.verdict
failures=$(cat "$place"/*.verdict | grep -ac '^FAIL')
echo "$count attacks, $failures failures"
[ "$count" -gt 0 ] && [ "$failures" -eq 0 ]
