#!/usr/bin/env bash
# Ctrl-C: what was done so far is printed, never as success; and the progress of long work shows on standard error only.
# usage: interrupt.sh PROGRAM [INJECT.so]
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
inject=${2:+$(realpath -e "$2")} || exit 2

"$WARPCHECK" run --only activemask --seconds 600 >out 2>err &
# The second stage has begun when its line is there; then the random stage runs for as long as we like.
wait_for grep -q '^  recorded' out
wait_for grep -q '^random: ' err
ends_by INT 1
holds out '^INTERRUPTED: this is what was done so far'
holds out '^activemask +[1-9]'
lacks out 'all agree'
holds err '^random: [0-9,]+ cases, [0-9,]+/s'
lacks err $'\r|\033'
lacks out $'\033'
# What was found stays, also when it comes before there is a cause: in a sweep, and in the search for causes.
cat >slow.sh <<'END'
while read -r line; do
    active=${line##*active=}
    active=$((${active%% *}))
    (((active & 6) == 6)) && active=$((active ^ 1))
    sleep 0.002
    printf '=> d=0x%x*32\n' "$active"
done
END
stays() { # PATTERN FILE SIGNAL COMMAND...: the signal is sent when the pattern is in the file
    rm -f flushes
    env ${inject:+LD_PRELOAD="$inject" WARPCHECK_FAULT=flush:0 WARPCHECK_FAULT_COUNT="$PWD/flushes"} "$WARPCHECK" "${@:4}" --impl 'pipe:bash slow.sh' --out "kept-$3" >out 2>err &
    wait_for grep -Eq "$1" "$2"
    ends_by "$3" 1
    holds out '^MISMATCH activemask-d'
    holds out '^not reduced, and not asked again: warpcheck was interrupted'
    holds out '^written: '
    lacks out 'No reproducer'
    # Hundreds of kinds are flushed to a disk at once, not file by file, which may take it a minute.
    if [ -n "$inject" ]; then
        flushes=$(sed -n 's/^flush //p' flushes | sort -n | tail -n 1)
        [ "$flushes" -le 1 ] || fail "$flushes files were flushed one by one"
    fi
    set -- "kept-$3"/*/case.txt
    status 1 "$WARPCHECK" replay --impl 'pipe:bash slow.sh' "${1%/case.txt}"
}
stays '^activemask-states: .*, [1-9][0-9]* mismatches' err INT exhaust activemask
stays '^  replay ' out TERM run --only activemask --seconds 60 --no-proofs
# A campaign of kernels says it too.
if "$WARPCHECK" fuzz --help >help && "$WARPCHECK" cross kernels --help >help 2>&1; then
    "$WARPCHECK" fuzz --target kernel --impl 'pipe:sleep 600' --seconds 600 --jobs 1 --out kernels >out 2>err &
    wait_for grep -q '^kernels: ' err
    ends_by INT 1
    holds err 'INTERRUPTED: this is what was done so far'
fi
# The prover's workers end with it, also when it is killed.
running() { # PID...: those that have not ended (a process that nobody waited for has)
    for worker in "$@"; do
        case $(cut -d ' ' -f 3 "/proc/$worker/stat" 2>/dev/null) in "" | Z) ;; *) echo "$worker" ;; esac
    done
}
if "$WARPCHECK" prove --help >help && command -v pgrep >/dev/null; then
    "$WARPCHECK" prove --quiet --jobs 2 redux-pair program-aggregated-atomic-branch match-all-b64 >out 2>err &
    pid=$!
    for _ in $(seq 1 100); do
        mapfile -t workers < <(pgrep -P "$pid")
        [ ${#workers[@]} -ge 2 ] && break
        sleep 0.1
    done
    checks=$((checks + 1))
    [ ${#workers[@]} -ge 2 ] || fail "the prover has no workers"
    kill -KILL "$pid"
    wait "$pid"
    for _ in $(seq 1 50); do
        [ -z "$(running "${workers[@]}")" ] && break
        sleep 0.1
    done
    checks=$((checks + 1))
    [ -z "$(running "${workers[@]}")" ] || fail "workers run on after SIGKILL: $(running "${workers[@]}")"
fi
finish
