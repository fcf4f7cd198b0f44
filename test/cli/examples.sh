#!/usr/bin/env bash
# The examples do what they say: the right ones agree, the mistaken one is told its mistakes, the pipe answers.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

include=$ROOT/model/include
status 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Wconversion -Werror -shared -fPIC -I"$include" "$ROOT/examples/right.c" -o right.so
for name in right_shfl right_vote right_match right_reduce; do
    status 0 "$WARPCHECK" cross spec "./right.so:$name" --cases 20000 --out findings
    holds out '^agrees on [0-9,]{6,} cases .* not offered: '
    lacks out 'MISMATCH'
done
[ -z "$(ls findings 2>/dev/null)" ] || fail "findings about a right implementation: $(ls findings)"

if command -v c++ >/dev/null; then
    status 0 c++ -std=c++17 -Wall -Wextra -Wconversion -Werror -shared -fPIC -I"$include" "$ROOT/examples/mistaken.cpp" -o mistaken.so
    status 1 "$WARPCHECK" cross spec ./mistaken.so --cases 20000 --out findings
    holds out '^MISMATCH'
else
    echo 'UNAVAILABLE: no C++ compiler'
fi

if command -v python3 >/dev/null; then
    "$WARPCHECK" gen vote.sync --done-only --count 5000 | "$ROOT/examples/pipe.py" >answers 2>err || fail "pipe.py: $(tail -n 1 err)"
    status 0 "$WARPCHECK" verify answers
    holds out '^all agree: 0 mismatches in 5,000 cases'
    sed 's/ => p=0x0$/ => p=0x1/' answers >wrong
    status 1 "$WARPCHECK" verify wrong
else
    echo 'UNAVAILABLE: no python3'
fi
finish
