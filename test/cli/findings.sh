#!/usr/bin/env bash
# Findings are causes: one folder, one section and one element of the JSON for each mistake, however many forms show it;
# led by a case that CUDA can say where there is one. What depends on earlier calls is a sequence, and says so.
# usage: findings.sh PROGRAM PLUGIN PEERS STATE PIPE
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
PLUGIN=$(realpath "${2:?the plugin of mutants}")
PEERS=$(realpath "${3:?the plugin of peers}")
STATE=$(realpath "${4:?the plugin of what is kept}")
PIPE=$(realpath "${5:?the program at the end of a pipe}")

# One mistake in all modes, d and p, .sync and without: one of everything.
status 1 "$WARPCHECK" run --impl "$PLUGIN:b-not-masked" --only shfl --seconds 0.1 --out one
[ "$(ls one)" = shfl.sync-b-24-bits ] || fail "one cause has the folders: $(ls one)"
[ "$(grep -c '^MISMATCH ' out)" -eq 1 ] || fail 'one cause is told more than once'
for form in shfl.sync.up shfl.sync.down shfl.up shfl.down shfl.bfly; do
    [ -s "one/shfl.sync-b-24-bits/also-$form.txt" ] || grep -q "^warp1 $form" one/*/finding.txt || fail "the folder has no case of $form"
done
holds one/shfl.sync-b-24-bits/finding.txt '^cause: b is not reduced to 5 bits'
holds out '^  in shfl.sync.up.b32 \([0-9,]+\), shfl.sync.down.b32 \([0-9,]+\), '
status 1 "$WARPCHECK" run --impl "$PLUGIN:b-not-masked" --only shfl --seconds 0.1 --out one --json
python3 - out <<'E2' || fail 'the JSON does not have one finding for one cause'
import json, sys
findings = json.load(open(sys.argv[1]))["findings"]
assert len(findings) == 1, len(findings)
assert findings[0]["cause"]["mistakes"] == ["b-24-bits"], findings[0]["cause"]
assert len(findings[0]["forms"]) == 6 or len(findings[0]["forms"]) == 8, findings[0]["forms"]
assert sum(findings[0]["times_by_form"].values()) == findings[0]["times"]
E2

# What CUDA can say leads, as a person would write it, and rests on a reading where it does.
status 1 "$WARPCHECK" run --impl "$PEERS:delta_unmasked" --only shfl.sync --seconds 0.1 --out cuda
holds out '^CUDA: __shfl_down_sync\(0xffffffff, v, 33, 32\) in lane 0 returns 0x0, must be 0x1 '
lacks out '^this rests on a reading'
status 1 "$WARPCHECK" run --impl "$PEERS:xor_stays" --only shfl.sync --seconds 0.1 --out cuda
holds out '^CUDA: __shfl_xor_sync\(0xffffffff, v, 16, 16\) in lane 16 returns 0x10, must be 0x0 '
holds out '^this rests on a reading of the manual: number 9 of docs/ambiguities.md$'
[ "$(ls cuda | wc -l)" -eq 2 ] || fail "two causes have the folders: $(ls cuda)"

# What lanes hold that do not execute is told and drawn where the wrong answer depends on it: else nobody can repeat it.
status 1 "$WARPCHECK" run --impl "$PEERS:vote_ballot_raw" --only vote.sync --seconds 0.1 --seed 4 --out raw
holds out '^CUDA: __ballot_sync\(.* v = 0x1 in lane [0-9]+ and 0x0 in lanes? [0-9,-]+, which do not execute$'
holds out '^seen: the answer depends on the registers? of lanes? [0-9,-]+, which do(es)? not execute$'
holds out '^ +[0-9]+  elsewhere  1$'

# Three mistakes are three findings; each folder replays.
status 1 "$WARPCHECK" run --impl "$PEERS:three" --only shfl.sync --seconds 0.1 --out three
[ "$(grep -c '^MISMATCH shfl' out)" -eq 3 ] || fail 'three mistakes are not three findings'
holds out '^cause: .* alone, and with 2 other mistakes all of them, '
for folder in three/*; do
    status 1 "$WARPCHECK" replay --impl "$PEERS:three" "$folder"
done

# What is kept from earlier calls is a sequence.
status 1 "$WARPCHECK" run --impl "$PLUGIN:predicate-kept" --only shfl.sync --seconds 0.1 --out kept
holds out '^MISMATCH shfl.sync-p-sequence: predicate-kept against spec, only after other calls$'
holds out '^cause: it keeps something from earlier calls'
[ "$(ls kept)" = shfl.sync-p-sequence ] || fail "state has the folders: $(ls kept)"
holds kept/shfl.sync-p-sequence/case.txt '^# shfl.sync-p-sequence: only after other calls$'
[ "$(grep -c '^warp1 ' kept/shfl.sync-p-sequence/case.txt)" -eq 2 ] || fail 'the sequence is not reduced to two calls'
status 1 "$WARPCHECK" replay --impl "$PLUGIN:predicate-kept" kept/shfl.sync-p-sequence

# An engine's input whose cases are right one by one, and wrong in a call that a target makes of it, is no agreement.
if "$WARPCHECK" fuzz --help >/dev/null 2>&1; then
    echo 'warp1 shfl.sync.idx.b32 d target=sm_70 exited=0x0 active=0xffffffff a=0x10+100*32 b=0x10*32 c=0x1f*32 membermask=0xffffffff*32' >calls.line
    "$WARPCHECK" emit calls.line --format bytes --out calls >/dev/null
    status 1 "$WARPCHECK" replay calls --family shfl.sync --impl "$STATE:neighbour" --quiet
    holds out '^calls:1: agree: '
    holds out '^calls:1: MISMATCH: .* on case [0-9]+ of the 65 that a target asks in one call$'
    status 0 "$WARPCHECK" replay calls --family shfl.sync --impl fast-portable --quiet
fi

# What is said of a case alone was asked; what is kept shows again in a replay, whatever the mistake counts or keeps.
# usage: kept NAME WORDS [IMPLEMENTATION]: one folder, which replays
kept() {
    status 1 "$WARPCHECK" run --impl "${3:-$STATE:$1}" --only shfl.sync --seconds 0.1 --out "kept-$1"
    holds out "^cause: $2"
    lacks out '^It did not happen again'
    [ "$(ls "kept-$1" | wc -l)" -eq 1 ] || fail "$1 has the folders: $(ls "kept-$1")"
    status 1 "$WARPCHECK" replay --impl "${3:-$STATE:$1}" "kept-$1"/*
    holds out ' MISMATCH: '
}
kept memo 'it keeps something from earlier calls: asked alone, in a fresh process, it agrees; in a call of 2 cases it does not'
case $(ls kept-memo) in *-sequence) ;; *) fail "a sequence is called $(ls kept-memo)" ;; esac
# A process at the end of a pipe keeps things as well.
kept pipe 'it keeps something from earlier calls: asked alone, in a fresh process, it agrees; in a call of 2 cases it does not' "pipe:$PIPE keeps"
case $(ls kept-pipe) in *-sequence) ;; *) fail "a sequence is called $(ls kept-pipe)" ;; esac
# verify, which only reads what one answered, asks it again: alone, then after what came before.
"$WARPCHECK" gen shfl.sync --count 200 --done-only >cases || fail 'gen fails'
"$PIPE" keeps <cases | paste -d ' ' cases - >answers
status 1 "$WARPCHECK" verify answers --impl "pipe:$PIPE keeps"
[ "$(grep -c '^MISMATCH in line .*, only after other calls$' out)" -eq 1 ] || fail 'verify does not tell what is kept as one entry'
holds out '^cause: it keeps something from earlier calls: asked alone, in a fresh process, it agrees; in a call of 2 cases it does not'
[ "$(grep -c '^warp1 [^=]*=[^>]*$' out)" -eq 2 ] || fail 'verify does not print the two calls'
status 1 "$WARPCHECK" verify answers --impl "pipe:$PIPE good"
holds out '^not reduced: asked again, .* agrees with the reference, also after what came before'
lacks out 'only after other calls'
kept hundredth 'it keeps something from earlier calls: asked alone, in a fresh process, it agrees; .* 100 '
# In fresh processes it looks like a known mistake (0 out of range; latched: the width ignored), after others it does
# not.
kept unwritten 'it keeps something from earlier calls: asked alone, in a fresh process, it agrees; in a call of 2 cases it does not'
# Some first calls are wrong already; one that is right is kept, if it is found in time.
kept late_c '(it keeps something from earlier calls: asked alone, in a fresh process, it agrees; in a call of 2 cases|what it answers depends on what was asked before)'
lacks out ', when all cases of the file'
if [ -z "${WARPCHECK_TEST_SAMPLE:-}" ]; then
    kept first_c 'it keeps something from earlier calls: asked alone, in a fresh process, it agrees; in a call of 2 cases it does not'
    kept leftover '(it keeps something from earlier calls: asked alone, in a fresh process, it agrees; in a call of 2 cases|what it answers depends on what was asked before)'
    kept latched 'it keeps something from earlier calls: asked alone, in a fresh process, it agrees; in a call of 2 cases it does not'
fi

# What answers differently from one process to the next is called so first.
status 1 "$WARPCHECK" run --impl "$STATE:random" --only vote.sync --seconds 0.1 --out random
holds out '^MISMATCH vote.sync-once: random against spec: it is not deterministic$'
holds out '^cause: it is not deterministic: fresh processes that are asked the same answer differently '
lacks out 'keeps something'
[ ! -e random ] || [ -z "$(ls random)" ] || fail 'what is not deterministic has a reproducer'

# A right one in CUDA's shape agrees on what it offers.
status 0 "$WARPCHECK" run --impl "$PEERS:ptx_right" --only shfl.sync --seconds 0.1 --out right
holds out '^agrees on [0-9,]+ cases .*; not offered: '
[ ! -e right ] || [ -z "$(ls right)" ] || fail 'a right implementation has findings'
finish
