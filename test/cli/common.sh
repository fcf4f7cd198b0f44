# shellcheck shell=bash disable=SC2034
# What the tests of the program share. Source it; WARPCHECK is the program, the first argument of every test.
set -u -o pipefail

WARPCHECK=$(realpath "${1:?usage: $0 PROGRAM ...}")
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
failures=0
checks=0

fail() {
    printf 'FAIL: %s\n' "$*"
    failures=$((failures + 1))
}

# status EXPECTED COMMAND...: runs it with its output in $WORK/out and $WORK/err.
status() {
    local expected=$1
    shift
    checks=$((checks + 1))
    "$@" >"$WORK/out" 2>"$WORK/err"
    local got=$?
    if [ "$got" -ne "$expected" ]; then
        fail "exit status $got, expected $expected: $*"
        head -n 5 "$WORK/out" "$WORK/err"
        tail -n 5 "$WORK/out" "$WORK/err"
    fi
}

# holds FILE PATTERN: an extended regular expression that a line must match.
holds() {
    checks=$((checks + 1))
    grep -Eq -- "$2" "$WORK/$1" || {
        fail "no '$2' in $1 of the last command:"
        head -n 12 "$WORK/$1"
    }
}

lacks() {
    checks=$((checks + 1))
    if grep -Eq -- "$2" "$WORK/$1"; then
        fail "'$2' in $1 of the last command:"
        grep -E -- "$2" "$WORK/$1" | head -n 3
    fi
}

# sample N: every N-th of the lines where the build asks for a sample (cli.cmake), else all.
sample() {
    awk -v n="$1" -v some="${WARPCHECK_TEST_SAMPLE:-}" '!some || NR % n == 0'
}

# wait_for COMMAND...: until it succeeds, for a minute at most.
wait_for() {
    for _ in $(seq 600); do
        "$@" && return
        sleep 0.1
    done
}

# ends_by SIGNAL EXPECTED: what runs in the background ends by it, with this exit status.
ends_by() {
    kill "-$1" $!
    wait $!
    local code=$?
    checks=$((checks + 1))
    [ "$code" -eq "$2" ] || fail "exit status $code after SIG$1, expected $2"
}

# one_line: exactly one line on standard error, nothing on standard output.
one_line() {
    checks=$((checks + 1))
    local lines
    lines=$(wc -l <"$WORK/err")
    [ "$lines" -eq 1 ] || {
        fail "standard error has $lines lines, expected one:"
        cat "$WORK/err"
    }
}

# usage PATTERN COMMAND...: exit status 2 and one clear line that matches.
usage() {
    local pattern=$1
    shift
    status 2 "$@"
    one_line
    holds err "$pattern"
}

finish() {
    printf '%s: %d checks, %d failures\n' "$(basename "$0")" "$checks" "$failures"
    [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
    exit
}
