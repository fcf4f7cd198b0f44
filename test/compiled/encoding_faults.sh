#!/bin/sh
# encoding_faults.sh SOURCE-DIR BITCODE-DIR PROVE REPLAY [FAULT...]
#
# With each mistake that smt/encode makes on purpose (smt/faults.def), the proof that the compiled transcription and the
# encoding say the same must be a refutation, for each form that is named here; its witness must show the difference between the
# native transcription and the encoding as evaluated. Fails if anything is still proved or is not decided, and if a mistake
# is not listed. Without names: all of them.
set -u
source=$1 bitcode=$2 prove=$3 replay=$4
shift 4
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT INT TERM
failed=0

cat >"$work/table" <<'TABLE'
exited-awaited vote.sync.all.pred redux.sync.add.u32
masks-ignored vote.sync.any.pred shfl.sync.up.b32
outside-waits vote.sync.uni.pred match.any.sync.b32
convergence-waits vote.sync.ballot.b32 shfl.sync.down.b32
group-with-exited vote.sync.ballot.b32 match.all.sync.b32
group-with-exited-but-vote match.any.sync.b64 redux.sync.max.s32 shfl.sync.idx.b32
shfl-convergence-ignored shfl.sync.bfly.b32
shfl-c-of-lane-0 shfl.sync.up.b32 shfl.idx.b32
shfl-b-of-lane-0 shfl.sync.down.b32 shfl.bfly.b32
shfl-clamp-ignored shfl.sync.up.b32 shfl.down.b32
shfl-segment-ignored shfl.sync.bfly.b32 shfl.up.b32
shfl-b-unmasked shfl.sync.up.b32 shfl.down.b32
shfl-c-unmasked shfl.sync.idx.b32 shfl.up.b32
shfl-up-min-lane shfl.sync.up.b32 shfl.up.b32
shfl-down-wraps shfl.sync.down.b32 shfl.down.b32
shfl-idx-absolute shfl.sync.idx.b32 shfl.idx.b32
shfl-bfly-own-segment shfl.sync.bfly.b32 shfl.bfly.b32
shfl-no-own shfl.sync.up.b32 shfl.down.b32
shfl-all-defined shfl.sync.down.b32 shfl.bfly.b32
shfl-p-from-group shfl.sync.bfly.b32 shfl.idx.b32
vote-negation-ignored vote.sync.ballot.b32 vote.all.pred
vote-whole-warp vote.sync.all.pred vote.ballot.b32
vote-uni-is-all vote.sync.uni.pred vote.uni.pred
match-truncates match.any.sync.b64 match.all.sync.b64
match-by-float match.any.sync.b32 match.all.sync.b32
match-any-outside match.any.sync.b32 match.any.sync.b64
match-all-keeps-d match.all.sync.b32 match.all.sync.b64
redux-whole-warp redux.sync.add.u32 redux.sync.min.f32
redux-add-is-or redux.sync.add.u32 redux.sync.add.s32
redux-and-is-or redux.sync.and.b32
redux-xor-is-or redux.sync.xor.b32
redux-unsigned redux.sync.min.s32 redux.sync.max.s32
redux-last-wins redux.sync.min.u32 redux.sync.max.s32
redux-start-zero redux.sync.min.u32 redux.sync.max.s32 redux.sync.max.NaN.f32
redux-f32-zeros-equal redux.sync.min.f32 redux.sync.max.NaN.f32
redux-f32-nan-skipped redux.sync.min.NaN.f32 redux.sync.max.abs.NaN.f32
redux-f32-nan-payload redux.sync.min.f32 redux.sync.max.abs.f32
redux-f32-abs-ignored redux.sync.min.abs.f32 redux.sync.max.abs.NaN.f32
redux-f32-abs-30-bits redux.sync.max.abs.f32 redux.sync.min.abs.NaN.f32
redux-f32-nan-exchanged redux.sync.min.NaN.f32 redux.sync.max.abs.NaN.f32
redux-order-inside redux.sync.or.b32 redux.sync.min.f32
redux-wrong-in-part redux.sync.xor.b32 redux.sync.max.f32
activemask-own activemask.b32
TABLE

# Every mistake that the encoding's files know is in the table.
# shellcheck disable=SC2013 # names have no spaces
for id in $(grep -oh 'SMT_FAULT_[A-Z0-9_]*' "$source"/smt/encode/*.c | sort -u | sed 's/^SMT_FAULT_//'); do
    name=$(sed -n "s/^FAULT($id, \"\([^\"]*\)\".*/\1/p" "$source/smt/faults.def")
    if [ -z "$name" ] || ! grep -q "^$name " "$work/table"; then
        echo "FAILED: the mistake $id ($name) is not in the table of this test"
        failed=1
    fi
done

tried=0
while read -r fault forms; do
    if [ $# -gt 0 ]; then
        case " $* " in *" $fault "*) ;; *) continue ;; esac
    fi
    tried=$((tried + 1))
    for form in $forms; do
        rm -f "$work/witness"
        verdict=$("$prove" "$bitcode" encoding "$form" "$work/witness" "$fault")
        status=$?
        if [ $status -ne 1 ] || [ ! -s "$work/witness" ]; then
            echo "FAILED $fault: $form (status $status): $verdict"
            failed=1
            continue
        fi
        "$replay" encoding "$work/witness"
        if [ $? -ne 1 ]; then
            echo "FAILED $fault: the witness of $form shows nothing: $(cat "$work/witness")"
            failed=1
        else
            echo "$fault: $form: $verdict; the witness shows it"
        fi
    done
done <"$work/table"
if [ $tried -lt $# ] || [ $tried -eq 0 ]; then
    echo "FAILED: not every name is in the table: $*"
    failed=1
fi
exit $failed
