#!/usr/bin/env bash
# Planted defects in a plugin: `run` exits 1, prints the reduced case as a line and as a drawing, and leaves a
# reproducer that `replay` confirms from another folder. usage: mutants.sh PROGRAM PLUGIN
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
PLUGIN=$(realpath "${2:?the plugin of mutants}")

# NAME FAMILY: one for each class of mistake, over all instructions. (In the quick suite a third: all families.)
list='b-not-masked shfl.sync
up-segment-start shfl.sync
up-clamp-31 shfl.sync
wraps-in-segment shfl.sync
bfly-own-segment shfl.sync
idx-segment-of-source shfl.sync
clamp-ignored shfl.sync
mode-order shfl.sync
predicate-never-written shfl.sync
lane-counter shfl.sync
in-place shfl.sync
membermask-ignored match
exited-awaited vote
never-waits vote
vote-inverted vote
uni-is-all vote
ballot-stale-slots vote
match-by-float match
match-truncated match
redux-mask-value-swapped redux
nan-is-7fc00000 redux
signed-as-unsigned redux
subnormals-flushed redux
activemask-full activemask'

while read -r name family; do
    rm -rf found
    status 1 "$WARPCHECK" run --impl "$PLUGIN:$name" --only "$family" --seconds 0.1 --out found
    holds out "^MISMATCH .*: $name against spec"
    holds out '^warp1 .* => .* expected .*\[.* against spec, lane'
    holds out '^ *\^+'
    replay=$(sed -n 's/^replay: //p' out | head -n 1)
    path=$(sed -n 's/^written: //p' out | head -n 1)
    for file in case.txt finding.txt verdict.txt; do
        [ -s "$path/$file" ] || fail "$name: the reproducer has no $file"
    done
    (cd / && bash -c "${replay:-true}") >replayed 2>&1
    [ $? -eq 1 ] || fail "$name: replay does not confirm: $replay"
    holds replayed "MISMATCH: $name against spec"
    # The case itself is fine: the built-in implementation agrees on it.
    status 0 "$WARPCHECK" replay "$path"
    # The line can be read back, and holds the wrong answer.
    sed -n 's/^\(warp1 .*\) expected .*/\1/p' "$path/finding.txt" | head -n 1 >line
    status 1 "$WARPCHECK" verify line
done < <(sample 6 <<<"$list")

# The cause comes first, in the manual's words, once for all instructions that it explains.
named='b is not reduced to 5 bits, only to 24 \(explains all [0-9,]+ mismatches and all [0-9,]+ agreements; shfl.sync, .*\)'
for command in "run --impl" "cross spec"; do
    # shellcheck disable=SC2086
    status 1 "$WARPCHECK" $command "$PLUGIN:b-not-masked" --only shfl --seconds 0.1 --out found
    holds out "^cause: $named \[b-not-masked in shfl.sync, shfl\]\$"
    [ "$(grep -c '^cause: ' out)" -eq 1 ] || fail "one cause is told $(grep -c '^cause: ' out) times"
    [ "$(grep -n '^cause: ' out | cut -d : -f 1)" -lt "$(grep -n '^findings' out | cut -d : -f 1)" ] || fail 'the cause does not come first'
done
status 1 "$WARPCHECK" run --impl "$PLUGIN:b-not-masked" --only shfl --seconds 0.1 --out found --json
holds out "\"text\": \"$named \[b-not-masked in shfl.sync, shfl\]\""
# What no known mistake gives is not said to be one; neither is there a cause where all agrees.
cat >odd.c <<'END'
#include "warpcheck/cuda.h"
static uint32_t odd_shfl(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t values[32],
                         unsigned lane, int b, int width)
{
    (void)mode, (void)mask, (void)active, (void)b, (void)width;
    return lane % 7 == 3 ? values[lane] * 2654435761u >> 3 ^ lane : values[lane];
}
WARPCHECK_CUDA_SHFL(odd, odd_shfl)
WARPCHECK_PLUGIN(&odd)
END
status 0 "${CC:-cc}" -shared -fPIC -I"$ROOT/model/include" odd.c -o odd.so
status 1 "$WARPCHECK" run --impl ./odd.so --only shfl.sync --full-only --seconds 0.1 --out found
holds out '^cause: no known mistake explains it'
lacks out '^cause: .*explains all'

# The mutants without a mistake agree.
families=()
[ -z "${WARPCHECK_TEST_SAMPLE:-}" ] || families=(--only vote --only match.sync)
status 0 "$WARPCHECK" run --impl "$PLUGIN:base" "${families[@]}" --seconds 0.1
lacks out '^cause: '
# What a partial implementation does not cover is counted and named.
status 1 "$WARPCHECK" run --impl "$PLUGIN:full-mask-api" --only shfl --seconds 0.1 --out found
holds out 'not accepted: [0-9,]+ cases: full-mask-api: '
# reduce: from a big case to a small one.
"$WARPCHECK" gen shfl.sync.up.b32 --count 1 --full-only --done-only >big.line
sed -E 's/ b=[^ ]*/ b=0x21*32/; s/ c=[^ ]*/ c=0x0*32/; s/ a=[^ ]*/ a=0x5+0x11*32/' big.line >big.txt
status 1 "$WARPCHECK" reduce big.txt --impl "$PLUGIN:b-not-masked" --out reduced
holds out '^reduced in [0-9,]+ steps'
holds out 'active 0x0000000[0-9a-f]'
finish
