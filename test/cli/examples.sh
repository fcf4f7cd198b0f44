#!/usr/bin/env bash
# The examples do what they say: the right ones agree, the mistaken one is told its mistakes, the pipe answers.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

include=$ROOT/model/include
cases=20000 count=50000
# A sample asks less, and builds no engine for `run`: that takes a minute of a processor.
[ -z "${WARPCHECK_TEST_SAMPLE:-}" ] || export WARPCHECK_FUZZ_BUILD=0 cases=8000 count=10000
unset WARPCHECK_ROOT # of the bootstrap script, when it runs the tests: what is written then names that script
status 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Wconversion -Werror -shared -fPIC -I"$include" "$ROOT/examples/right.c" -o right.so
for name in right_vote right_match right_reduce; do
    status 0 "$WARPCHECK" cross spec "./right.so:$name" --cases "$cases" --out findings
    holds out '^agrees on [0-9,]{6,} cases .* not offered: '
    lacks out 'MISMATCH'
done
# Without a name `run` asks each of them; a command that asks one says which.
status 0 "$WARPCHECK" run --impl ./right.so --full-only --only redux.sync --only vote.sync --only match.sync --cases 2000 --out findings
for name in right_vote right_match right_reduce; do
    holds out "^$name +[0-9,]+ cases +0 mismatches"
done
status 0 "$WARPCHECK" cross spec ./right.so --only vote.sync --cases 2000 --out findings
holds err '^./right.so has 3 implementations; asked is the first one, right_vote \(FILE.so:NAME'
[ -z "$(ls findings 2>/dev/null)" ] || fail "findings about a right implementation: $(ls findings)"

if command -v c++ >/dev/null; then
    status 0 c++ -std=c++17 -Wall -Wextra -Wconversion -Werror -shared -fPIC -I"$include" "$ROOT/examples/mistaken.cpp" -o mistaken.so
    status 1 "$WARPCHECK" cross spec ./mistaken.so --cases "$cases" --out findings
    holds out '^MISMATCH'
else
    echo 'UNAVAILABLE: no C++ compiler'
fi

# Each shape as `new` writes it: it builds without a warning, and agrees; with a mistake in its one function it does
# not. make_new SHAPE: the folder, and `make check` in it.
make_new() {
    status 0 "$WARPCHECK" new "$1" "new $1"
    holds out '^try it: +cd .* && make check$'
    for file in "new $1"/*; do
        checks=$((checks + 1))
        sed -e "s|'$WARPCHECK'|../../warpcheck|; s|'$include'|../../model/include|" "$file" | cmp -s - "$ROOT/examples/$1/$(basename "$file")" ||
            fail "$file is not what examples/ has"
    done
    status 0 make -C "new $1" check COUNT=$count CFLAGS="-O2 -Wall -Wextra -Werror" CC="${CC:-cc}"
}
# mistaken SHAPE FILE RIGHT WRONG: the same with a mistake.
mistaken() {
    checks=$((checks + 1))
    grep -qF -- "$3" "new $1/$2" || fail "$2 of $1 has no $3"
    python3 - "new $1/$2" "$3" "$4" <<'END' || return
import sys
path, right, wrong = sys.argv[1:]
text = open(path).read().replace(right, wrong)
open(path, "w").write(text)
END
    status 2 make -C "new $1" check COUNT=$count CFLAGS=-O2 CC="${CC:-cc}"
    holds out 'MISMATCH'
}
if command -v make >/dev/null && command -v python3 >/dev/null; then
    make_new cuda
    holds out '^agrees on [0-9,]{6,} cases .* of shfl.sync; not offered: '
    mistaken cuda mine.c '(own ^ shift) <= last' '(own ^ shift) >= first && (own ^ shift) <= last'
    holds out '^cause: bfly into an earlier segment'
    # README.md begins with a mistake as it is printed: b whole, and no lane read beyond the warp
    sed -e 's/(own ^ shift) >= first && //; s/shift = b & 31/shift = b/' \
        -e 's/values\[source\]/values[source >= 0 \&\& source < 32 ? source : own]/' "new cuda/mine.c" >whole.c
    status 0 "${CC:-cc}" -O2 -shared -fPIC -I"$include" whole.c -o mine.so
    status 1 "$WARPCHECK" cross spec ./mine.so --cases 5000 --out findings
    sed -n '/^MISMATCH/,/^written/p' "$ROOT/README.md" | grep -E '^(MISMATCH|CUDA:|  )' >told
    checks=$((checks + 1))
    [ "$(wc -l <told)" -eq 10 ] && grep -Fxvf out told && fail "README.md shows what is not printed (above)"
    make_new ptx
    holds out '^agrees on [0-9,]{6,} cases .* of shfl.sync; not offered: '
    mistaken ptx mine.c 'j >= max_lane' 'j >= min_lane'
    make_new lane
    holds out '^agrees on [0-9,]{6,} cases .* of vote.sync, activemask; not offered: '
    mistaken lane mine.c 'votes &= group;' ''
    make_new pipe-c
    holds out '^agrees on [0-9,]{5,} cases .* of redux.sync.add.u32, redux.sync.add.s32, redux.sync.and.b32, redux.sync.or.b32, redux.sync.xor.b32; not offered: '
    holds out '^not accepted: .* this instruction'
    mistaken pipe-c mine.c 'all &= values[lane];' 'all = values[lane];'
    make_new pipe-python
    holds out '^agrees on (9,9[0-9]{2}|[0-9]{2},[0-9]{3}) cases'
    mistaken pipe-python mine.py 'all(votes) or not any(votes)' 'all(votes)'
else
    echo 'UNAVAILABLE: no make, or no python3'
fi
# A folder of the user's is not touched.
mkdir -p kept && echo mine >kept/mine.c
usage 'kept/mine.c is there already' "$WARPCHECK" new cuda kept
checks=$((checks + 1))
[ "$(cat kept/mine.c) $(ls kept)" = 'mine mine.c' ] || fail 'new wrote into a folder that holds one of its files'
usage "no shape 'cudaa': did you mean cuda" "$WARPCHECK" new cudaa elsewhere
usage 'needs a shape and a folder' "$WARPCHECK" new cuda
usage "elsewhere" "$WARPCHECK" new cuda /proc/elsewhere
finish
