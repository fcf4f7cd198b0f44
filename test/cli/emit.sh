#!/usr/bin/env bash
# What emit writes as tests: an empty function fails each, a right one passes all, a wrong one fails where it is wrong.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

cc=${CC:-cc}
flags='-Wall -Wextra -Wconversion -Werror'

# Every case of the corpus alone, as C: an untouched stub fails it, whatever d and p must be.
count=0
"$WARPCHECK" gen --count 40 --seed 5 >some
while IFS= read -r line; do
    echo "$line" >one
    if "$WARPCHECK" emit one --format c --out one.c 2>err; then
        count=$((count + 1))
        status 0 "$cc" -std=c11 $flags one.c -o one.test
        status 1 ./one.test
        holds out '^[0-9]+ wrong, in 1 of 1 tests$'
    else
        checks=$((checks + 1))
        grep -q 'no case that a test could see' err || fail "emit: $(cat err)"
    fi
done <some
checks=$((checks + 1))
[ "$count" -ge 20 ] || fail "only $count of 40 cases can be tested"

# A suite of files and a folder: idx, of two files, one of them in findings' shape.
mkdir -p found/shfl.sync-b-whole
"$WARPCHECK" gen shfl.sync.idx.b32 --full-only --cuda-only --count 25 --seed 2 >cases.txt
head -n 1 cases.txt >found/shfl.sync-b-whole/case.txt
cat >right.inc <<'END'
struct operands { const char *test, *instruction, *destinations; uint32_t negate, active, exited; const uint32_t *a, *a_high, *b, *c, *membermask; };
void under_test(const struct operands *o, uint32_t d[32], uint32_t *p);
void under_test(const struct operands *o, uint32_t d[32], uint32_t *p)
{
    (void)p;
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t width = 32 - (o->c[lane] >> 8);
        d[lane] = o->a[(lane & ~(width - 1)) | (o->b[lane] & (width - 1))];
    }
}
END
{ echo '#include <stdint.h>'; cat right.inc; } >right.c
sed 's/o->b\[lane\] &/(o->b[lane] + 1) \&/' right.c >wrong.c
{ echo '#include <cstdint>'; cat right.inc; } >right.cpp
sed 's/o->b\[lane\] &/(o->b[lane] + 1) \&/' right.cpp >wrong.cpp

# suite LANGUAGE BUILD...: the stub fails all 26, right passes, wrong fails.
status 0 "$WARPCHECK" emit --suite cases.txt found --format c --out suite.c
status 0 "$cc" -std=c11 $flags suite.c -o stub
status 1 ./stub
holds out '^[0-9]+ wrong, in 26 of 26 tests$'
holds out '^shfl.sync-b-whole: lane '
holds out '^cases:25: lane '
for kind in right wrong; do
    status 0 "$cc" -std=c11 -DUNDER_TEST_ELSEWHERE suite.c "$kind.c" -o "$kind"
done
status 0 ./right
holds out '^as the manual says \(26 tests\)$'
status 1 ./wrong

# Further forms of two findings, and two files of one name, are four tests with a name each.
mkdir -p same/a same/b
for folder in same/a same/b; do
    head -n 1 cases.txt >"$folder/also-shfl.sync.idx.txt"
    head -n 1 cases.txt >"$folder/one.txt"
done
status 0 "$WARPCHECK" emit --suite same --format c --out same.c
status 0 "$cc" -std=c11 $flags same.c -o same.test
status 1 ./same.test
for name in a/shfl.sync.idx b/shfl.sync.idx one 'one#2'; do
    holds out "^$name: lane "
done

if command -v c++ >/dev/null; then
    status 0 "$WARPCHECK" emit --suite cases.txt found --format cpp --out suite.cpp
    status 0 c++ -std=c++17 $flags suite.cpp -o stub
    status 1 ./stub
    holds out '^[0-9]+ wrong, in 26 of 26 tests$'
    for kind in right wrong; do
        status 0 c++ -std=c++17 -DUNDER_TEST_ELSEWHERE suite.cpp "$kind.cpp" -o "$kind"
    done
    status 0 ./right
    status 1 ./wrong
    if c++ -std=c++17 -DWITH_GTEST suite.cpp -o gtest -lgtest_main -lgtest -pthread 2>/dev/null; then
        status 1 ./gtest
        holds out '26 FAILED TESTS'
        status 0 c++ -std=c++17 -DWITH_GTEST -DUNDER_TEST_ELSEWHERE suite.cpp right.cpp -o gtest -lgtest_main -lgtest -pthread
        status 0 ./gtest
        holds out 'PASSED.* 26 tests'
    else
        echo 'UNAVAILABLE: GoogleTest'
    fi
else
    echo 'UNAVAILABLE: no C++ compiler'
fi

if command -v python3 >/dev/null; then
    status 0 "$WARPCHECK" emit --suite cases.txt found --format python --out suite.py
    status 1 python3 suite.py
    holds err '^FAIL: .*shfl.sync-b-whole'
    cat >warp_under_test.py <<'END'
def under_test(operands, d, p):
    for lane in range(32):
        width = 32 - (operands.c[lane] >> 8)
        d[lane] = operands.a[(lane & ~(width - 1)) | (operands.b[lane] & (width - 1))]
    return d, p
END
    status 0 python3 suite.py
    sed -i 's/operands.b\[lane\] &/(operands.b[lane] + 1) \&/' warp_under_test.py
    status 1 python3 suite.py
else
    echo 'UNAVAILABLE: no python3'
fi

# elect.sync: any lane of the group may lead, the same for all of the group; a stub is wrong.
for dst in 'd|p' '_|p' 'd|_'; do
    "$WARPCHECK" gen elect.sync --count 400 --seed 3 | grep -F " $dst " | grep -v 'active=0x0 ' | head -12
done >all.txt
while IFS= read -r line; do # what a test can see
    echo "$line" >one
    ! "$WARPCHECK" emit one --format c --out one.c 2>err || echo "$line"
done <all.txt >elect.txt
tests=$(wc -l <elect.txt)
checks=$((checks + 1))
[ "$tests" -ge 20 ] || fail "only $tests cases of elect.sync"
status 0 "$WARPCHECK" emit --suite elect.txt --format c --out elect.c
status 0 "$cc" -std=c11 $flags elect.c -o stub
status 1 ./stub
holds out "in $tests of $tests tests$"
{
    echo '#include <stdint.h>'
    sed -n 1,2p right.inc
    cat <<'END'
void under_test(const struct operands *o, uint32_t d[32], uint32_t *p)
{
    *p = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t leader = 99;
        if (!(o->active >> lane & 1u))
            continue;
        const uint32_t group = o->membermask[lane] & o->active;
        for (uint32_t n = 0; n < 32; n++)
            if ((group >> n & 1u) && (leader == 99 || LAST))
                leader = n;
        d[lane] = leader OTHER;
        *p |= (uint32_t)((leader OTHER) == lane) << lane;
    }
}
END
} >elect.inc
sed 's/LAST/0/; s/OTHER//' elect.inc >first.c
sed 's/LAST/1/; s/OTHER//' elect.inc >last.c
sed 's/LAST/1/; s/OTHER/+ 32/' elect.inc >outside.c
sed 's/LAST/lane < 16/; s/OTHER//' elect.inc >two.c
for kind in first last outside two; do
    status 0 "$cc" -std=c11 -DUNDER_TEST_ELSEWHERE elect.c "$kind.c" -o "$kind"
done
status 0 ./first
status 0 ./last
status 1 ./outside
holds out "in $tests of $tests tests$"
status 1 ./two
if command -v python3 >/dev/null; then
    status 0 "$WARPCHECK" emit --suite elect.txt --format python --out elect.py
    rm -f warp_under_test.py
    status 1 python3 elect.py
    for kind in last outside two; do
        cat >warp_under_test.py <<END
def under_test(operands, d, p):
    p = 0
    for lane in (n for n in range(32) if operands.active >> n & 1):
        group = [n for n in range(32) if operands.membermask[lane] & operands.active & 1 << n]
        leader = {"last": group[-1], "outside": group[-1] + 32, "two": group[-1 if lane < 16 else 0]}["$kind"]
        d[lane] = leader
        p |= (leader == lane) << lane
    return d, p
END
        expected=1
        [ $kind != last ] || expected=0
        status $expected python3 elect.py
    done
fi

usage '--suite is written as c, cpp or python' "$WARPCHECK" emit --suite cases.txt --format ptx
usage '--suite needs files or folders' "$WARPCHECK" emit --suite --format c
usage 'holds 25 cases' "$WARPCHECK" emit cases.txt --format c
usage 'nonexistent' "$WARPCHECK" emit --suite nonexistent --format c
finish
