#!/usr/bin/env bash
# A plugin that crashes or hangs: the case is kept, said once, and replayed by the printed command.
# usage: crash.sh PROGRAM PLUGIN
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
PLUGIN=$(realpath "${2:?the plugin that crashes}")
export WARPCHECK_PLUGIN_TIMEOUT_MS=1000

for name in segv abort hang; do
    case $name in abort) fate=abrt ;; *) fate=$name ;; esac
    status 1 "$WARPCHECK" run --impl "$PLUGIN:$name" --no-proofs --only activemask --cases 100 --out "found-$name"
    holds out "^CRASH activemask-$fate: "
    holds out "^written: $WORK/found-$name/activemask-$fate\$"
    holds out ", [0-9,]+ not answered\$"
    holds err "$name: .*(crashed with SIG|gave no answer)"
    replay=$(sed -n "s/^replay: \(.*-$fate\)\$/\1/p" "$WORK/out")
    mkdir -p elsewhere
    status 1 sh -c "cd elsewhere && $replay"
    holds out "found-$name/activemask-$fate/case.txt:[0-9]+: NO ANSWER: "
done
finish
