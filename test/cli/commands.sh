#!/usr/bin/env bash
# Every command does what its help says, on good input.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

status 0 "$WARPCHECK" --help
checks=$((checks + 1)) # what the bootstrap script shows where nothing is built yet
cmp -s "$WORK/out" "$ROOT/docs/generated/usage.txt" || fail "docs/generated/usage.txt is not what --help prints; write it anew"
for group in 'Check an implementation' 'Look at one case' 'Exit status: 0 all agree'; do holds out "$group"; done
status 2 "$WARPCHECK"
status 0 "$WARPCHECK" --version
holds out '^warpcheck [0-9]+\.[0-9]+\.[0-9]+$'
for command in run exhaust cross batch replay show reduce emit explain gen verify list; do
    status 0 "$WARPCHECK" "$command" --help
    holds out "^usage: warpcheck $command"
    holds out '^ *--help'
    lacks out '^.{101,}'
    status 0 "$WARPCHECK" help "$command"
    holds out "^usage: warpcheck $command"
done

status 0 "$WARPCHECK" run --help
holds out 'about a minute and a half'

# list
if "$WARPCHECK" prove --help >help; then
    status 0 "$WARPCHECK" list properties
    holds out 'expected of each .warpcheck prove establishes them'
    holds out '^  property +expected '
    status 0 "$WARPCHECK" --help
    holds out '^  run .*proofs'
fi
status 0 "$WARPCHECK" list
for name in redux.sync.min.abs.NaN.f32 fast-portable shfl-points sm_100a gpu; do holds out "$name"; done
status 0 "$WARPCHECK" list mutants
holds out 'bfly-own-segment|UNAVAILABLE'
status 0 "$WARPCHECK" list instructions
holds out 'match.all.sync.b64 +d, d\|p, _\|p, d\|_ +PTX 6.0 +sm_70'
lacks out fast-portable

# gen and verify: the answers of spec are right, in whole and in part
status 0 "$WARPCHECK" gen --count 300 --answers --seed 7
cp out answers
status 0 "$WARPCHECK" verify answers
holds out 'all agree: 0 mismatches in 300 cases'
holds out 'compared in every case: d p d_defined outcome waits_for'
status 0 "$WARPCHECK" gen redux.sync.add.u32 --count 5 --answers --done-only
sed -E 's/ => (d=[^ ]*).*/ => \1/' out >parts
status 0 "$WARPCHECK" verify parts
holds out 'compared in every case: d$'
sed -E 's/ => d=(0x)?[0-9a-f]/ => d=0x9/; s/ => d=([^,*]*)/ => d=0x7/' parts >wrong
status 1 "$WARPCHECK" verify wrong
holds out 'MISMATCH in line [1-5]: '
holds out '\^\^\^'
status 0 "$WARPCHECK" gen shfl --count 50 --cuda-only --full-only --done-only
lacks out 'd\|p'
checks=$((checks + 1))
[ "$(wc -l <out)" -eq 50 ] || fail "gen --count 50 printed $(wc -l <out) lines"
cp out first
status 0 "$WARPCHECK" gen shfl --count 50 --cuda-only --full-only --done-only
cmp -s out first || fail 'the same seed gave other cases'

# the same options where cases are asked: what does not pass is counted, and the plugin never sees it
status 0 "$WARPCHECK" run --impl fast --only shfl.sync --cases 3000 --cuda-only --done-only --full-only --out findings
holds out '^not accepted: [0-9,]+ cases: spec: --cuda-only: c is no width'
holds out '^not accepted: [0-9,]+ cases: spec: --full-only: not all lanes execute it'
holds out '^ +random .* 3,000 cases'
holds out '^asked only cases that pass the options: --cuda-only --done-only --full-only'
holds out '^agrees on [0-9,]+ cases'
status 0 "$WARPCHECK" exhaust shfl-points --cuda-only --out findings
holds out 'shfl-points .* not accepted'
status 0 "$WARPCHECK" cross spec fast --only vote --cases 500 --cuda-only --out findings
holds out '^agrees on'

# explain
status 0 "$WARPCHECK" explain shfl.sync.up.b32 b=1 c=0
holds out '^ +0 +done +0x100 +0-31 +0 +-1 +own +--o +0 +0x100'
holds out '^ +31 +done +0x11f +0-31 +0 +30 +30 .* 1 +0x11e'
status 0 "$WARPCHECK" explain shfl.sync.bfly.b32 b=4 width=8 active=0xff membermask=0xff --some
holds out '^ +7 +done +0x107 +0-7 +7 +3 +3 '
lacks out '^ +8 '
status 0 "$WARPCHECK" explain vote.sync.ballot.b32 a=1*4,0*28 membermask=0xff active=0xff
holds out '^ +3 +done +1 +0xff +0xf$'
status 0 "$WARPCHECK" explain redux.sync.min.f32 active=0x3 membermask=0x7
holds out 'waiting .* 0x4'
status 0 "$WARPCHECK" explain activemask.b32 active=0x5 exited=0x2
holds out '^ +1 +exited'
checks=$((checks + 1))
for instruction in $("$WARPCHECK" list instructions | awk 'NR > 1 {print $1}'); do
    "$WARPCHECK" explain "$instruction" >explained || fail "explain $instruction"
    awk -v name="$instruction" 'length($0) > 100 {print "FAIL: wider than 100 columns: explain " name; exit 1}' explained ||
        failures=$((failures + 1))
done

# show, emit and back: the case stays the same
status 0 "$WARPCHECK" gen match --count 1 --seed 3
cp out case.line
status 0 "$WARPCHECK" emit case.line --out case.txt
status 0 "$WARPCHECK" emit case.line --format bytes --out case.bytes
for file in case.txt case.bytes; do
    bytes=()
    [ "$file" = case.txt ] || bytes=(--bytes)
    status 0 "$WARPCHECK" emit "$file" --format line "${bytes[@]}"
    cmp -s out case.line || fail "emit $file --format line differs from the case"
    status 0 "$WARPCHECK" show "$file" --all "${bytes[@]}"
    holds out '^ +31 '
    status 0 "$WARPCHECK" replay "$file" "${bytes[@]}"
    holds out 'agree: fast against spec'
done
status 0 "$WARPCHECK" replay case.txt
holds out 'agree: spec against expect'
status 0 "$WARPCHECK" emit case.line --format answer
cp out case.answer
status 0 "$WARPCHECK" verify case.answer
status 0 "$WARPCHECK" show - <case.line
holds out '^-:1, answered by spec'
printf '\377\001\002\003some fuzzer wrote this' >input
status 0 "$WARPCHECK" replay input --family redux.sync
holds out 'agree'
status 0 "$WARPCHECK" reduce case.txt
holds out 'no mismatch'

# a folder of cases, and many cases in one file
mkdir folder
"$WARPCHECK" gen --count 20 >folder/many.txt
cp case.txt folder/
status 0 "$WARPCHECK" replay folder --impl fast-portable
holds out '^21 cases, 0 mismatches'
status 0 "$WARPCHECK" show folder/many.txt
status 0 "$WARPCHECK" show "$ROOT/corpus/cases/mistakes.txt:bfly-into-earlier-segment"
holds out "^  shfl.sync.bfly.b32"
[ "$(grep -c "answered by" "$WORK/out")" -eq 1 ] || fail "one named case, several drawn"
status 0 "$WARPCHECK" replay "$ROOT/corpus/cases/mistakes.txt:bfly-into-earlier-segment"
holds out "^1 cases, 0 mismatches"
status 2 "$WARPCHECK" show "$ROOT/corpus/cases/mistakes.txt:no-such-case"
holds err "no case has the name or the line no-such-case"

# the C test: right and wrong implementations of activemask
"$WARPCHECK" gen activemask --count 1 >am.line
status 0 "$WARPCHECK" emit am.line --format c --out am.c
cat >right.c <<'END'
#include <stdint.h>
struct operands { const char *test, *instruction, *destinations; uint32_t negate, active, exited; const uint32_t *a, *a_high, *b, *c, *membermask; };
void under_test(const struct operands *o, uint32_t d[32], uint32_t *p);
void under_test(const struct operands *o, uint32_t d[32], uint32_t *p)
{
    (void)p;
    for (int i = 0; i < 32; i++)
        d[i] = o->active;
}
END
sed 's/= o->active/= o->active + 1/' right.c >wrong.c
for kind in right wrong; do
    status 0 "${CC:-cc}" -std=c17 -Wall -Wextra -Werror -DUNDER_TEST_ELSEWHERE am.c "$kind.c" -o "$kind"
done
status 0 ./right
status 1 ./wrong
holds out 'expected 0x'

# exhaust, cross, run; a pipe as an implementation
status 0 "$WARPCHECK" exhaust shfl-points match-partitions
holds out 'shfl-points +131,072 +4,194,304 lane points'
lacks out 'vote-states'
status 0 "$WARPCHECK" cross spec fast-portable --only vote --cases 5000
holds out 'all agree: 0 mismatches'
status 0 "$WARPCHECK" run --seconds 0.3 --only match --seed 5
holds out '^match.sync +[1-9]'
holds out 'seed 5'
holds out 'all agree: 0 mismatches'
cat >mine.sh <<'END'
#!/bin/sh
exec sed -u -E 's/.*active=(0x[0-9a-f]+).*/=> d=\1*32/'
END
chmod +x mine.sh
status 0 "$WARPCHECK" cross spec "pipe:$WORK/mine.sh" --only activemask --cases 100
holds out 'not compared with pipe: which d are predictable, outcomes'
finish
