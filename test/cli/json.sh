#!/usr/bin/env bash
# --json: valid JSON and nothing else on standard output.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

"$WARPCHECK" gen shfl.sync --count 3 --answers >lines
# valid: the last output is one JSON value. Checked with python3 where it is there, else by its shape.
valid() {
    checks=$((checks + 1))
    if command -v python3 >/dev/null; then
        python3 -m json.tool "$WORK/out" >/dev/null || fail "no JSON: $1"
    else
        [ "$(head -c 1 "$WORK/out")$(tail -n 1 "$WORK/out")" = '{}' ] || fail "no JSON: $1"
    fi
}

status 0 "$WARPCHECK" list --json
valid list
holds out '"name": "redux.sync.max.abs.f32"'
status 0 "$WARPCHECK" show lines --json
valid show
holds out '"membermask": \['
status 0 "$WARPCHECK" replay lines --json
valid replay
holds out '"verdict": "agree"'
status 0 "$WARPCHECK" verify lines --json
valid verify
holds out '"verdict": "all agree"'
status 0 "$WARPCHECK" exhaust activemask --json
valid exhaust
status 0 "$WARPCHECK" cross spec fast --only activemask --cases 100 --json
valid cross
status 0 "$WARPCHECK" run --only activemask --cases 100 --json
valid run
holds out '"verdict": "all agree"'
holds out '"status": 0'
sed -E 's/ => d=[^ ]*/ => d=0x123*32/' lines >wrong
status 1 "$WARPCHECK" verify wrong --json
valid 'verify with a mismatch'
holds out '"verdict": "MISMATCH"'
finish
