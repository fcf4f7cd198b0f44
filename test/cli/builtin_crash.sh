#!/usr/bin/env bash
# Built-in code that crashes or hangs is reported in one line, as a plugin is, and does not end the program by a signal.
# usage: builtin_crash.sh PROGRAM ; whose fast-portable crashes on vote.sync and hangs on vote
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
export WARPCHECK_PLUGIN_TIMEOUT_MS=500

line() { # FORM TARGET ACTIVE ; a case of one line
    printf 'warp1 %s d target=%s exited=0x0 active=%s a=0x1*32%s\n' "$1" "$2" "$3" "$4"
}
line vote.sync.ballot.b32 sm_70 0xffffffff ' membermask=0xffffffff*32' >segv.txt
line vote.ballot.b32 sm_30 0xffffffff '' >hang.txt
line vote.ballot.b32 sm_30 0xff '' >good.txt

status 0 "$WARPCHECK" replay --impl fast-portable good.txt
for name in segv hang; do
    case $name in segv) what='crashed with SIGSEGV' ;; *) what='gave no answer within 500 ms' ;; esac
    status 1 "$WARPCHECK" replay --impl fast-portable $name.txt
    holds out "^$name.txt:1: NO ANSWER: fast-portable: fast-portable $what .*on warp1 vote"
    holds out '^1 cases, 0 mismatches, 0 not accepted, 1 without an answer'
    status 1 "$WARPCHECK" replay --reference fast-portable --impl spec $name.txt
    holds out "^$name.txt:1: NO ANSWER: fast-portable: "
    status 1 "$WARPCHECK" reduce --impl fast-portable $name.txt
    holds out "^fast-portable does not answer this case: fast-portable $what"
done
finish
