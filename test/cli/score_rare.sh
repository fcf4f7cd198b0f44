#!/usr/bin/env bash
# `score --rare` sets methods side by side: medians censored at the limit, how many each found, and A12.
# usage: score_rare.sh PROGRAM
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
"${CC:-cc}" -std=c17 -O1 -fPIC -shared -I "$ROOT/model/include" "$ROOT/test/mutants/rare.c" "$ROOT/test/mutants/base.c" -o rare.so ||
    fail "the mutants do not compile"
# What a call of 37 cases alone shows no check here can find: it is missed, and status 1 says so.
status 1 "$WARPCHECK" score --rare --plugin rare.so --only odd-call --only target-and-sink --checks enumeration,random \
    --seconds 1 --seeds 2 --markdown page.md
holds out '^median until found +enumeration +random$'
holds out '^odd-call +> 1 s +> 1 s$'
holds out '^found by the median run +in 0.1 s +in 1 s +in 10 s +at all$'
holds out '^enumeration +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ of +2 \|[#.]+\|$'
holds out '^A12: row sooner than +enumeration +random$'
holds out '^random +(0\.[0-9]{2}|1\.00) *$'
holds page.md 'odd-call'
finish
