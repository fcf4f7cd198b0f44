#!/usr/bin/env bash
# What a user brings: a plugin that calls what the headers declare, a pipe that declines, and what `new` writes.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

include=$ROOT/model/include

# Every function and table that the headers declare is exported, is called by the plugin, and links in C and in C++.
declared=$(sed -e 's/static inline.*//' "$include"/warpcheck/*.h | grep -oE '^(extern )?(const |struct |enum |bool |size_t |void |char |u?int[0-9]+_t )[a-z_0-9 *]*\bwarp_[a-z_0-9]+(\(|\[|;)' |
    grep -oE 'warp_[a-z_0-9]+[([;]$' | tr -d '([;' | sort -u)
checks=$((checks + 1))
[ "$(echo "$declared" | wc -l)" -ge 37 ] || fail "only these were found in the headers: $declared"
exported=$(grep -oE '^ +warp_[a-z_0-9]+' "$ROOT/model/exports.list" | tr -d ' ' | sort -u)
checks=$((checks + 1))
[ "$declared" = "$exported" ] || fail "model/exports.list is not what the headers declare: $(diff <(echo "$declared") <(echo "$exported") | tr '\n' ' ')"
for name in $declared; do
    checks=$((checks + 1))
    grep -q "\b$name\b" "$ROOT/test/plugins/calls.c" || fail "test/plugins/calls.c does not use $name"
done
status 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -shared -fPIC -I"$include" "$ROOT/test/plugins/calls.c" -o calls.so
status 0 "$WARPCHECK" cross spec ./calls.so --only activemask --cases 1000 --out findings
holds out '^(all agree|agrees on)'
if command -v c++ >/dev/null; then
    status 0 c++ -x c++ -std=c++17 -Wall -Wextra -Werror -shared -fPIC -I"$include" "$ROOT/test/plugins/calls.c" -o calls++.so
    status 0 "$WARPCHECK" cross spec ./calls++.so --only activemask --cases 1000 --out findings
    holds out '^(all agree|agrees on)'
else
    echo 'UNAVAILABLE: no C++ compiler'
fi
finish
