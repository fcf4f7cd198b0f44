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

# An ending is an observation: it has a cause like a wrong answer, in one entry with the wrong answers of that cause.
status 0 "${CC:-cc}" -std=c11 -O1 -shared -fPIC -I"$ROOT/model/include" "$ROOT/test/plugins/ending_peers.c" -o ending_peers.so
# ends NAME INSTRUCTION HOW COUNT WORDS: `run` tells COUNT things, and that the cause is WORDS, also of the ending.
ends() {
    status 1 "$WARPCHECK" run --impl "./ending_peers.so:$1_impl" --no-proofs --only "$2" --cuda-only --done-only --seconds 0.5 --out "ending-$1" --html "$1.html"
    holds out "^CRASH $2-$3: "
    holds out "^cause: .*$5"
    holds out "^CUDA: __.* in lane [0-9]+ (crashes with SIGABRT|hangs|ends the process with status 3), must return "
    checks=$((checks + 1))
    [ "$(grep -c "^$1_impl  .* times" out)" -eq "$4" ] || fail "not $4 entries but: $(grep "^$1_impl  .* times" out)"
    holds "$1.html" '>It ends</b>'
    holds "ending-$1/$2-$3/finding.txt" "^cause: "
    status 1 "$WARPCHECK" run --impl "./ending_peers.so:$1_impl" --no-proofs --only "$2" --cuda-only --done-only --seconds 0.5 --out "json-$1" --json
    holds out "\"ending\": "
    holds out "\"signature\": \"$2-$3\""
}
ends delta_signed shfl.sync abrt 1 'in up, down, bfly alone: b is not reduced to 5 bits, but taken as a signed 32-bit number \(explains all [0-9,]+ .*crashes, and all '
ends xor_bare shfl.sync abrt 2 'in bfly alone: b is not reduced to 5 bits'
holds out 'the range is not tested: any lane number is read'
ends fours shfl.sync abrt 1 'no known mistake explains it; in every crash: the segment mask c.12:8. is 28 in some lane \(and in none that it answers\)'
# It is reduced to the one lane that ends it, and what that lane has is told from cases around it.
# How many of the facts are found depends on the time there is.
ends fifth shfl.sync abrt 1 'no known mistake explains it; in every crash: .*(b.4:0. is 31|the number of the lane is 5)'
holds ending-fifth/shfl.sync-abrt/case.txt ' active=0x20 '
ends stays shfl.sync hang 1 'no known mistake explains it; in every hang: .*(it is shfl.sync.up.b32|b.4:0. is 0)'
holds ending-stays/shfl.sync-hang/case.txt ' active=0x1 '
ends spins vote.sync hang 1 'it waits for lanes that have exited \(explains all [0-9]+ hangs'
ends deadlock vote.sync exit 1 'it waits for lanes that have exited \(explains all [0-9]+ exits'
# One that ends on every case makes no known mistake: it may not even have started.
status 1 "$WARPCHECK" run --impl 'pipe:exit 2' --no-proofs --only shfl.sync --seconds 0.2 --out ending-all
holds out '^cause: no known mistake explains it; it does so on every case that was asked'
finish
