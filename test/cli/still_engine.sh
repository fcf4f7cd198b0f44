#!/usr/bin/env bash
# The fuzz stage of run is judged from outside the engine's process: one that hears no signal, stands still, or ends
# without a word is told, and never counts as a stage that ran. usage: still_engine.sh PROGRAM ENGINE shellcheck
# source=common.sh
. "$(dirname "$0")/common.sh"
ENGINE=$(realpath "${2:?the target that stands still}")
mkdir -p corpus targets/libfuzzer
ln -s "$ENGINE" targets/libfuzzer/fuzz_all
"$WARPCHECK" gen activemask --count 20 --answers >corpus/cases.txt
export WARPCHECK_FUZZ_TARGETS=$WORK/targets WARPCHECK_TEST_ENGINE
# stage STATUS PATTERN WAY: what the last line is
stage() {
    WARPCHECK_TEST_ENGINE=$3
    status "$1" timeout -k 10 600 "$WARPCHECK" run --impl fast --only activemask --corpus corpus --crashes corpus --seconds 1 --cases 20 --out "$3"
    tail -n 1 out >last
    holds last "$2"
    [ "$1" -eq 0 ] || lacks out 'all agree'
}
stage 0 '^all agree: .* and 0 in [1-9][0-9,]* checks by libFuzzer' works
stage 0 '^all agree: .* and 0 in [1-9][0-9,]* checks by libFuzzer' is-deaf
holds out '^fuzz: job 0 did not end when it was asked to, and was killed while it went on, after [1-9][0-9]* checks'
stage 1 '^MISMATCH: 1 mismatch in 65 checks by libFuzzer' hangs
holds out '^fuzz: job 0 did not end when it was asked to, and was killed in the midst of an input, after 65 checks'
stage 1 '^MISMATCH: 1 mismatch in 65 checks by libFuzzer' ends-late
stage 1 '^UNFINISHED: .*; fuzz UNFINISHED' stands-still
holds out 'fuzz: UNFINISHED: fast gave no sign of life any more, and its process was killed'
stage 1 '^UNFINISHED: .*; fuzz UNFINISHED' never-begins
holds out 'fuzz: UNFINISHED: fast was compared with nothing in [0-9]+ s'
finish
