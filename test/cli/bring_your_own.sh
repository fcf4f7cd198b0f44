#!/usr/bin/env bash
# docs/bring-your-own.md, done: its commands are executed, and the output that it shows comes out, but for numbers of
# cases and times.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

page=$ROOT/docs/bring-your-own.md
command -v make >/dev/null && command -v python3 >/dev/null || {
    echo 'UNAVAILABLE: no make, or no python3'
    exit 0
}
# block N: the N-th block between ``` of the page.
block() {
    awk -v wanted="$1" '/^```/ { inside = !inside; count += inside; next } inside && count == wanted' "$page"
}
# shown N FILE: every line of block N but its commands is a line of FILE, or begins one where it ends with `...`.
shown() {
    local line lines=0
    sed -E 's/^agrees on [0-9,]+ cases \([0-9,]+ lane results\)/agrees on #/' "$2" >plain
    while IFS= read -r line; do
        case $line in '$ '* | '...' | '') continue ;; esac
        lines=$((lines + 1))
        checks=$((checks + 1))
        line=$(sed -E 's/^agrees on [0-9,]+ cases \([0-9,]+ lane results\)/agrees on #/' <<<"$line")
        line=${line%...}
        grep -qF -- "$line" plain || fail "the page shows, and nothing printed: $line"
    done < <(block "$1")
    [ "$lines" -gt 0 ] || fail "block $1 of the page shows no output"
}

ln -s "$WARPCHECK" warpcheck
for number in 1 2 3 4 5; do
    checks=$((checks + 1))
    [ -n "$(block $number)" ] || fail "the page has no block $number"
done

# 1: a folder
checks=$((checks + 1))
[ "$(block 1 | head -n 1)" = '$ ./warpcheck new cuda mine' ] || fail 'the first command of the page is another one'
status 0 ./warpcheck new cuda mine
shown 1 out
# 2: right
status 0 make -C mine check
shown 2 out
# 3: the function has the shape that the page says
python3 - "$page" mine/mine.c <<'END' || fail "the function of the page has another shape than mine.c's"
import re, sys
page, source = (open(path).read() for path in sys.argv[1:])
shape = lambda text: re.sub(r"\s+", " ", re.search(r"static uint32_t my_shfl\([^)]*\)", text).group())
sys.exit(shape(page) != shape(source))
END
# 4: the mistake, put in the place of the line that it replaces
python3 - "$(block 4 | head -n 1)" mine/mine.c <<'END' || fail 'the mistake of the page replaces no line'
import sys
wrong, path = sys.argv[1:]
lines = open(path).read().split("\n")
places = [i for i, line in enumerate(lines) if line.strip().startswith("source = (own ^ shift)")]
for i in places:
    lines[i] = wrong
open(path, "w").write("\n".join(lines))
sys.exit(len(places) != 1)
END
status 2 make -C mine check
cp out first
shown 5 first
# 5: each row of the table
cd mine || exit 1
status 1 bash -c "$(sed -n 's/^replay: //p' ../first | head -n 1)"
found=$(echo findings/*)
run() {
    checks=$((checks + 1))
    grep -qF -- "\`warpcheck $1" "$page" || fail "the page has no command: warpcheck $1"
    eval "status ${2:-0} $WARPCHECK ${1//findings\/NAME/$found}"
}
run 'emit --suite findings --format c'
holds out 'my_shfl|under_test'
run 'run --impl ./mine.so --html report.html' 1
[ -s report.html ] || fail 'no page was written'
run 'show findings/NAME/case.txt'
holds out 'shfl.sync.bfly.b32'
run 'run --impl ./mine.so' 1
checks=$((checks + 1))
grep -q -- '--cuda-only --done-only' Makefile || fail 'the Makefile has no filters to be taken out'
finish
