#!/usr/bin/env bash
# Defects planted in `fast` itself: copies of its sources are patched one at a time, compiled as a plugin and checked.
# usage: patched_fast.sh PROGRAM MODEL_LIBRARY
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
MODEL=$(realpath "${2:?the model library}")
CC=${CC:-cc}

# FILE, FAMILY, sed expression, what it does. Each must change the file, else the list is out of date.
list='shfl.c|shfl|s/\(values\[i\] >> shift & 31u\)/(values[i] >> shift \& 63u)/|fields of 6 bits for 5
shfl.c|shfl|s/WARP_UP \? j >= bound/WARP_UP ? j >= base/|up tests the start of the segment
shfl.c|shfl|s/: j <= bound/: (j <= bound \&\& j >= base)/|bfly does not read an earlier segment
shfl.c|shfl|s/f->cval\[i\]/31/|clamp ignored
shfl.c|shfl|s/segmask = f->segmask\[i\]/segmask = 0/|segments ignored
shfl.c|shfl|s/shfl_warps\(WARP_UP,/shfl_warps(WARP_DOWN,/|modes confused
shfl.c|shfl|s/fast_pack\(s\.in_range\) & group/group/|predicate always true
shfl.c|shfl|s/fast_lanes_with\(source_bit, group\) & group/group/|every source taken for one that takes part
vote.c|vote|s/= ~fast_/= fast_/|vote inverted
batch.c|vote|s/all \|\| !any \? group/all ? group/|uni is all
batch.c|vote|s/plan->batch->negate \? FAST_ALL_LANES : 0/0/|negation ignored
match.c|match|s/\(high\[i\] == high_value \? fast_lane_bit\[i\] : 0\)/fast_lane_bit[i]/|64-bit values cut to their low half
match.c|match|s/& ~same\) == 0 \? group : 0/\& ~same) == 0 ? group : same/|match.all gives a part of the group
redux.c|redux|s/\(int32_t\)x < \(int32_t\)y/x < y/|signed minimum compares unsigned
redux_op.h|redux|s/return UINT32_MAX;/return 0;/|accumulator starts at 0
redux_op.h|redux|s/abs \? magnitude : bits \^ flip/bits ^ flip/|.abs ignored
kernels.h|redux|s/0x7fffffffu/0x7fc00000u/|another NaN than the canonical one
outcome.c|vote|s/& ~o->exited\[w\] & ~o->active\[w\];/\& ~o->active[w];/|waits for lanes that have exited
outcome.c|vote|s/missing != 0 \? members : 0/0/|does not wait
outcome.c|match|s/mask & ~o->exited\[w\] & ~same;/mask \& ~o->exited[w] \& ~o->active[w];/|a lane with another membermask counts as arrived
fast.c|vote|s/x->negate == y->negate/true/|the negation of the case before is used: alone each case is right'

cat >plugin.c <<'END'
#include "warpcheck_fast.h"
const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;
const struct warp_impl *warpcheck_implementation(size_t i);
const struct warp_impl *warpcheck_implementation(size_t i)
{
    return i == 0 ? fast_portable_get() : NULL;
}
END

# build: the portable sources in ./fast as ./patched.so.
build() {
    "$CC" -std=c17 -O2 -shared -fPIC -w -I"$ROOT/model/include" -Ifast plugin.c fast/*.c "$MODEL" -o patched.so
}

mkdir fast
copy() {
    rm -f fast/*
    cp "$ROOT"/model/fast/*.c "$ROOT"/model/fast/*.h fast/
}

# Without a patch everything agrees: what the patched ones show is the patch.
copy
build || {
    fail 'the unpatched sources do not compile as a plugin'
    finish
}
status 0 "$WARPCHECK" run --impl ./patched.so --seconds 0.1 --corpus "$ROOT/corpus"

while IFS= read -r entry; do
    what=${entry##*|}
    rest=${entry%|*}
    file=${rest%%|*}
    rest=${rest#*|}
    family=${rest%%|*}
    patch=${rest#*|}
    copy
    sed -E "$patch" "$ROOT/model/fast/$file" >"fast/$file"
    if cmp -s "$ROOT/model/fast/$file" "fast/$file"; then
        fail "the patch '$what' no longer changes $file: $patch"
        continue
    fi
    build || {
        fail "with '$what' the sources do not compile"
        continue
    }
    rm -rf found
    status 1 "$WARPCHECK" run --impl ./patched.so --only "$family" --seconds 0.1 --out found
    holds out '^MISMATCH .*: fast-portable against spec'
    holds out '^warp1 .* => .* expected '
    holds out '^ *\^+'
    replay=$(sed -n 's/^replay: //p' out | head -n 1)
    (cd / && bash -c "${replay:-true}") >replayed 2>&1
    [ $? -eq 1 ] || fail "'$what': replay does not confirm: $replay"
    holds replayed 'MISMATCH: fast-portable against (spec|recording)'
done <<<"$list"
finish
