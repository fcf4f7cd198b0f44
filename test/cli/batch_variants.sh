#!/usr/bin/env bash
# Every variant of `fast` that this processor has, and `fast-batch`, asked for batches. A variant that it lacks says
# UNAVAILABLE and is named. usage: batch_variants.sh PROGRAM shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

asked=0
for variant in portable avx2 avx512 neon batch; do
    said=$("$WARPCHECK" batch --impl "fast-$variant" --only match --trial 1 2>&1)
    case $said in *UNAVAILABLE*)
        echo "$said"
        continue
        ;;
    esac
    status 0 "$WARPCHECK" batch --impl "fast-$variant"
    holds out "^in batches: fast-$variant answered [0-9,]+ batches, of [0-9,]+ warps together"
    holds out '^all agree: 0 mismatches in [0-9,]+ cases'
    asked=$((asked + 1))
done
[ "$asked" -gt 1 ] || fail "no variant was asked"
echo "$asked variants asked for batches"
finish
