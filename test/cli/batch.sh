#!/usr/bin/env bash
# Batches: right ones agree; a mistake that only batches show is found by `run`, kept once, and asked again by the
# printed command. usage: batch.sh PROGRAM PLUGIN shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
PLUGIN=$(realpath "${2:?the plugin with batches}")

status 0 "$WARPCHECK" run --impl "$PLUGIN:right" --seconds 0.1 --only match
holds out '^  batches .* cases'
holds out '^in batches: right answered [0-9,]+ batches, of [0-9,]+ warps together'
status 0 "$WARPCHECK" batch --impl "$PLUGIN:right" --only vote --trial 48
holds out '^trial 48: vote.sync.all.pred, destinations'

# NAME, what its finding is called, what is said
while read -r name signature what; do
    rm -rf found
    status 1 "$WARPCHECK" run --impl "$PLUGIN:$name" --only redux --seconds 0.1 --seed 2 --out found
    holds out "^MISMATCH $signature: $name, asked for a batch, $what"
    holds out '^warp1 redux.* => '
    holds out '^batch: redux.sync.*; wanted'
    holds out "^$name +$signature +[0-9,]+ times"
    holds out '^MISMATCH: '
    path=$(sed -n 's/^written: //p' out | head -n 1)
    for file in case.txt finding.txt verdict.txt; do
        [ -s "$path/$file" ] || fail "$name: the finding has no $file"
    done
    replay=$(sed -n 's/^replay: //p' out | head -n 1)
    grep -qF "$replay" "$path/finding.txt" || fail "$name: finding.txt has not the command"
    (cd / && bash -c "${replay:-true}") >replayed 2>&1
    [ $? -eq 1 ] || fail "$name: the printed command does not confirm: $replay"
    holds replayed '^MISMATCH: '
    # As cases all is right.
    status 0 "$WARPCHECK" replay --impl "$PLUGIN:$name" "$path"
done < <(sample 2 <<'END'
reads-behind batch-redux.sync-crash crashes with SIGSEGV
writes-behind batch-redux.sync-d-writes-outside writes behind row
wrong-stride batch-redux.sync-[a-z-]*-wrong [a-z_]* of warp [0-9]* differs
wrong-tail batch-redux.sync-d-wrong d of warp 1967[0-9][0-9] differs
END
)

# A kept batch whose line is lost swallows nothing; one that still differs is known.
status 1 "$WARPCHECK" batch --impl "$PLUGIN:wrong-tail" --only redux --out kept
status 1 "$WARPCHECK" batch --impl "$PLUGIN:wrong-tail" --only redux --out kept
holds out '^known as .*/kept/batch-redux.sync-d-wrong$'
: >kept/batch-redux.sync-d-wrong/finding.txt
status 1 "$WARPCHECK" batch --impl "$PLUGIN:wrong-tail" --only redux --out kept
holds out '^written: .*/kept/batch-redux.sync-d-wrong.2$'

# Who changes what it is asked is judged by what it was asked.
for name in forges-operands forges-cases; do
    status 1 "$WARPCHECK" batch --impl "$PLUGIN:$name" --only shfl --out forged
    holds out '^MISMATCH: [1-9]'
    lacks out 'all agree'
done

# No seed makes rows that repeat: what is copied from other rows is seen.
for seed in $(seq 6 | sample 3); do
    status 1 "$WARPCHECK" batch --impl "$PLUGIN:wrong-tail" --only redux --seed $seed
done

usage 'exports warpcheck_batch_eval' "$WARPCHECK" batch --impl spec
usage 'trial takes 0 to' "$WARPCHECK" batch --trial 99999999
usage "no instruction 'vot'" "$WARPCHECK" batch --only vot
finish
