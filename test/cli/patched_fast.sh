#!/usr/bin/env bash
# Defects planted in `fast` itself: copies of its sources are patched one at a time, compiled as a plugin and checked.
# In the quick suite a third of them: at least one of each family, and one in a header.
# usage: patched_fast.sh PROGRAM MODEL_LIBRARY
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
MODEL=$(realpath "${2:?the model library}")
CC=${CC:-cc}

# FILE, FAMILY, sed expression, what it does. Each must change the file, else the list is out of date.
list='shfl.c|shfl.sync|s/\(values\[i\] >> shift & 31u\)/(values[i] >> shift \& 63u)/|fields of 6 bits for 5
shfl.c|shfl.sync|s/WARP_UP \? j >= bound/WARP_UP ? j >= base/|up tests the start of the segment
shfl.c|shfl.sync|s/: j <= bound/: (j <= bound \&\& j >= base)/|bfly does not read an earlier segment
shfl.c|shfl.sync|s/f->cval\[i\]/31/|clamp ignored
shfl.c|shfl.sync|s/segmask = f->segmask\[i\]/segmask = 0/|segments ignored
shfl.c|shfl.sync|s/shfl_warps\(WARP_UP,/shfl_warps(WARP_DOWN,/|modes confused
shfl.c|shfl.sync|s/fast_pack\(s\.in_range\) & group/group/|predicate always true
shfl.c|shfl.sync|s/fast_lanes_with\(source_bit, group\) & group/group/|every source taken for one that takes part
vote.c|vote.sync|s/= ~fast_/= fast_/|vote inverted
batch.c|vote.sync|s/group & ~\(some & others\)/group \& ~others/|uni is all
batch.c|vote.sync|s/plan->batch->negate \? FAST_ALL_LANES : 0/0/|negation ignored
match.c|match.sync|s/\(high\[i\] == high_value \? fast_lane_bit\[i\] : 0\)/fast_lane_bit[i]/|64-bit values cut to their low half
match.c|match.sync|s/& ~same\) == 0 \? group : 0/\& ~same) == 0 ? group : same/|match.all gives a part of the group
redux.c|redux.sync|s/\(int32_t\)x < \(int32_t\)y/x < y/|signed minimum compares unsigned
redux_op.h|redux.sync|s/return UINT32_MAX;/return 0;/|accumulator starts at 0
redux_op.h|redux.sync|s/abs \? magnitude : bits \^ flip/bits ^ flip/|.abs ignored
kernels.h|redux.sync|s/0x7fffffffu/0x7fc00000u/|another NaN than the canonical one
outcome.c|vote.sync|s/& ~o->exited\[w\] & ~o->active\[w\];/\& ~o->active[w];/|waits for lanes that have exited
outcome.c|vote.sync|s/missing != 0 \? members : 0/0/|does not wait
outcome.c|match.sync|s/mask & ~o->exited\[w\] & ~same;/mask \& ~o->exited[w] \& ~o->active[w];/|a lane with another membermask counts as arrived
fast.c|vote.sync|s/x->negate == y->negate/true/|the negation of the case before is used: alone each case is right'

cat >plugin.c <<'END'
#include "warpcheck_fast.h"
const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;
const struct warp_impl *warpcheck_implementation(size_t i);
const struct warp_impl *warpcheck_implementation(size_t i)
{
    return i == 0 ? fast_portable_get() : NULL;
}
END

mkdir fast objects
cp "$ROOT"/model/fast/*.c "$ROOT"/model/fast/*.h fast/

# compile FILE.c...: to objects/.
compile() {
    local file
    for file in "$@"; do
        "$CC" -std=c17 -O1 -fPIC -w -I"$ROOT/model/include" -Ifast -c "$file" -o "objects/$(basename "$file" .c).o" || return
    done
}

# build [FILE]: what its change concerns, a header all sources, and of the objects the plugin.
build() {
    case ${1:-.h} in
    *.c) compile "fast/$1" ;;
    *) compile plugin.c fast/*.c ;;
    esac && "$CC" -shared objects/*.o "$MODEL" -o patched.so
}

# Without a patch everything agrees: what the patched ones show is the patch.
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
    sed -E "$patch" "$ROOT/model/fast/$file" >"fast/$file"
    if cmp -s "$ROOT/model/fast/$file" "fast/$file"; then
        fail "the patch '$what' no longer changes $file: $patch"
        continue
    fi
    build "$file" || fail "with '$what' the sources do not compile"
    rm -rf found
    status 1 "$WARPCHECK" run --impl ./patched.so --only "$family" --seconds 0.1 --out found
    holds out '^MISMATCH .*: fast-portable against spec'
    holds out '^warp1 .* => .* expected '
    holds out '^ *\^+'
    replay=$(sed -n 's/^replay: //p' out | head -n 1)
    (cd / && bash -c "${replay:-true}") >replayed 2>&1
    [ $? -eq 1 ] || fail "'$what': replay does not confirm: $replay"
    holds replayed 'MISMATCH: fast-portable against (spec|recording)'
    cp "$ROOT/model/fast/$file" fast/
    build "$file" || fail "without '$what' the sources do not compile"
done < <(sample 6 <<<"$list")
finish
