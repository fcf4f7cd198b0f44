#!/usr/bin/env bash
# A plugin cannot end the program, silence it, hang it, write into its output or change how it computes: whatever it
# does, a run that did not compare everything says so, and its status is not 0. usage: hostile.sh PROGRAM PLUGIN
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
PLUGIN=$(realpath "${2:?the plugin that misbehaves}")
export WARPCHECK_PLUGIN_TIMEOUT_MS=2000
run() { timeout -k 10 600 "$WARPCHECK" run --impl "$PLUGIN:$1" --only activemask --cases 1 --out found "${@:2}"; }

# Ends that were no crash, signals that nobody caught, and what never came back.
# (The test impl_foreign asks all of them, too, without the command.)
for way in $(printf '%s\n' exit at-once system-call thread-exit pthread-exit exec trap sys pipe alarm xcpu xfsz kill handlers double-free \
    overrun write-behind hang-blocked hang-handlers seccomp locked-up stop | sample 5); do
    status 1 run "$way"
    holds err "libtest_plugin_hostile.so (crashed with SIG|ended the process \(exit\) with status 0|gave no answer within 2 s)"
    holds out '^FAILED: '
    rm -rf found
done
# Signals to the program that asks it end the plugin's process, also those that could be caught.
for way in ends-parent interrupts-parent alarms-parent pipes-parent; do
    status 1 run "$way"
    holds err 'libtest_plugin_hostile.so .*SIGSYS .a system call that it may not use'
    holds out '^FAILED: '
done
status 1 run kills-parent
holds err 'libtest_plugin_hostile.so crashed with SIGSYS'
holds out '^FAILED: '
# The memory that both see: what it takes away, it loses. What it answers where nobody sees it, is not its answer.
for way in unmaps unmaps-all protects remaps-all; do
    status 1 run "$way"
    holds err 'libtest_plugin_hostile.so (crashed with SIGSEGV|gave no answer within 2 s)'
    holds out '^FAILED: '
done
status 1 run remaps
holds out '^MISMATCH: [1-9]'
rm -rf found
# It is judged by what it offered when it was loaded.
for way in takes-back-d takes-back-accepts; do
    status 1 run "$way"
    holds err 'libtest_plugin_hostile.so (changed the parts that it provides|added its function `accepts`) .*after it was loaded'
    holds out '^FAILED: '
done
# What it does not offer is not compared, and the last line says so.
status 0 run good
tail -n 1 out >last
holds last '^agrees on [0-9,]+ cases .* of activemask; not offered: outcomes'
for way in close-segv close-exit close-hang; do
    status 1 run "$way"
    holds err 'when it was closed|gave no answer within 2 s'
done
# An end that is not as it should be is the command's status wherever one is asked.
"$WARPCHECK" gen activemask --count 3 >few.txt
echo 'warp1 activemask.b32 d target=sm_70 exited=0x0 active=0x3' >one.txt
for way in close-segv close-exit close-hang; do
    for command in "replay few.txt" "show one.txt" "reduce one.txt"; do
        # shellcheck disable=SC2086
        status 1 "$WARPCHECK" $command --impl "$PLUGIN:$way"
        holds err 'when it was closed|gave no answer within 2 s'
    done
done
export WARPCHECK_TEST_HOSTILE
for WARPCHECK_TEST_HOSTILE in unload-exit unload-segv unload-hang; do
    status 1 run good
    holds err 'when it was closed'
done
for WARPCHECK_TEST_HOSTILE in load-exit load-segv load-hang get-exit get-segv get-hang get-wild get-never name-wild; do
    usage 'while it was loaded|past its last one' "$WARPCHECK" list "$PLUGIN"
    usage 'while it was loaded|past its last one' run good
done
# What follows ends well: on a busy machine too.
export WARPCHECK_PLUGIN_TIMEOUT_MS=30000
# Its floating-point environment is its own.
WARPCHECK_TEST_HOSTILE=load-ftz
status 0 "$WARPCHECK" cross fast "$PLUGIN:good" --only activemask --seconds 0
unset WARPCHECK_TEST_HOSTILE
# The plugin's prints are not part of the output.
status 0 run prints --json
python3 -m json.tool out >/dev/null || fail "what the plugin prints is in the JSON"
holds err 'x1b\[2J'
finish
