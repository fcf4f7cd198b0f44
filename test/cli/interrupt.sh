#!/usr/bin/env bash
# Ctrl-C: what was done so far is printed, never as success; and the progress of long work shows on standard error only.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

"$WARPCHECK" run --only activemask --seconds 600 >out 2>err &
pid=$!
# The second stage has begun when its line is there; then the random stage runs for as long as we like.
for _ in $(seq 1 300); do
    grep -q '^  recorded' out && grep -q '^random: ' err && break
    sleep 0.1
done
kill -INT "$pid"
wait "$pid"
code=$?
checks=$((checks + 1))
[ "$code" -eq 1 ] || fail "exit status $code after Ctrl-C, expected 1"
holds out '^INTERRUPTED: this is what was done so far'
holds out '^activemask +[1-9]'
lacks out 'all agree'
holds err '^random: [0-9,]+ cases, [0-9,]+/s'
lacks err $'\r|\033'
lacks out $'\033'
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
