#!/usr/bin/env bash
# What a user brings: a plugin that calls what the headers declare, a pipe that declines, and what `new` writes.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

include=$ROOT/model/include

# Every function and table that the headers declare is exported, is called by the plugin, and links in C and in C++.
declared=$(sed -e 's/static inline.*//' "$include"/warpcheck/*.h | grep -oE '^(extern )?[a-z][a-z_0-9 *]*\bwarp_[a-z_0-9]+(\(|\[|;)' |
    grep -oE 'warp_[a-z_0-9]+[([;]$' | tr -d '([;' | sort -u)
checks=$((checks + 1))
[ "$(echo "$declared" | wc -l)" -ge 37 ] || fail "only these were found in the headers: $declared"
exported=$(grep -oE '^ +warp_[a-z_0-9]+' "$ROOT/model/exports.list" | tr -d ' ' | sort -u)
checks=$((checks + 1))
[ "$declared" = "$exported" ] || fail "model/exports.list is not what the headers declare: $(diff <(echo "$declared") <(echo "$exported") | tr '\n' ' ')"
for name in $declared; do
    checks=$((checks + 1))
    grep -q "\b$name\b" "$ROOT/test/plugins/calls.c" || fail "a plugin may call $name: test/plugins/calls.c must, and model/exports.list must have it"
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

# Answers that decline: one by one, alone or behind the case; of a pipe that is asked, and of lines that come.
cat >decline.awk <<'END'
NR % 7 == 0 { print "not accepted: every \033seventh"; fflush(); next }
NR % 11 == 0 { print $0 " => not accepted:every eleventh"; fflush(); next }
{ print $0 " => p=0x0"; fflush() }
END
status 0 "$WARPCHECK" gen vote.sync.all.pred --count 770 --done-only --full-only --seed 3
cp out cases
sed -E 's/ a=[^ ]*/ a=0x0*32/; s/ !a / /' cases | awk -f decline.awk >answers
status 0 "$WARPCHECK" verify answers
holds out '^not accepted: 110 cases: every .x1bseventh$'
holds out '^not accepted: 60 cases: every eleventh$'
holds out '^agrees on 600 cases \([0-9,]+ lane results\) of vote.sync.all.pred; not offered: some cases of these, outcomes, 325 of them the same case as one before, 170 not accepted$'
# Answers that do not come are told, and are no agreement; neither are more than were asked for.
status 0 "$WARPCHECK" verify answers --count 770
status 1 "$WARPCHECK" verify answers --count 1000
holds out '^MISSING ANSWERS: 0 mismatches in 600 cases .*, 230 of 1,000 answers are missing$'
status 1 "$WARPCHECK" verify answers --count 700
holds out '^TOO MANY ANSWERS: .*, 770 answers to 700 cases$'
# An instruction that is declined in every case is named.
{ cat answers; "$WARPCHECK" gen match.any.sync.b32 --count 3 | sed 's/$/ => not accepted: no match/'; } >without
status 0 "$WARPCHECK" verify without
holds out '^agrees on 600 cases .* of vote.sync.all.pred; not offered: match.any.sync.b32, outcomes, 325 of them the same case as one before, 173 not accepted$'
status 0 "$WARPCHECK" verify answers --json
holds out '"not_offered": "some cases of these, outcomes"'
holds out '"declined": 170'
grep 'not accepted' answers >declined
status 1 "$WARPCHECK" verify declined
holds out '^NOTHING COMPARED: .*, 170 not accepted$'
cat >always.sh <<'END'
while IFS= read -r line; do
    case $line in
    *vote.sync.all.pred*active=0xffffffff*) echo '=> not accepted: full' ;;
    *vote.sync.all.pred*) echo "$line => not accepted: partial" ;;
    *) echo 'not accepted' ;;
    esac
done
END
head -n 1 cases >one
status 1 "$WARPCHECK" show --impl 'pipe:bash always.sh' one
holds err 'does not accept this case: full$'
"$WARPCHECK" gen vote.sync.all.pred --count 40 --done-only | grep -v active=0xffffffff | head -n 1 >one
status 1 "$WARPCHECK" show --impl 'pipe:bash always.sh' one
holds err 'does not accept this case: partial$'
usage 'malformed|not a part' "$WARPCHECK" verify - < <(sed -n 1p cases | sed 's/$/ => not acceptable/')

# verify names causes: two mistakes in two instructions, each drawn once, with the lines that show it.
status 0 "$WARPCHECK" gen shfl.sync.idx.b32 --count 2000 --cuda-only --done-only --answers
sed -E 's/ => (d=[^ ]*).*/ => \1/' out >right
status 0 "$WARPCHECK" gen vote.sync.uni.pred --count 2000 --done-only
awk '{ print $0 " => p=0x0" }' out >wrong
cat right wrong >both
status 1 "$WARPCHECK" verify both
holds out '^cause: .* \[in vote.sync\]$'
lacks out '\[in shfl'
checks=$((checks + 1))
[ "$(grep -c '^MISMATCH in line' out)" -eq 1 ] || fail "verify does not group its mismatches"
holds out '^[0-9,]+ lines in vote.sync.uni.pred \([0-9,]+\)$'
holds out '^CUDA: __uni_sync\(0x[0-9a-f]+, !?v\) in lane [0-9]+ returns 0, must be 1, v = .* in lanes? [0-9]+'
holds out '^not reduced, for nobody can be asked again'
holds out '^  vote.sync.uni.pred  d '
# Who gave the answers is asked again: then the case is as small as run makes it. One that is right by now is told.
cat >never.sh <<'END'
while IFS= read -r line; do echo "$line => p=0x0"; done
END
status 1 "$WARPCHECK" verify wrong --impl 'pipe:bash never.sh'
holds out '^reduced in [0-9,]+ steps by asking pipe:bash never.sh again'
holds out '^cause: the predicate is never written, or always false \(explains all '
holds out '^CUDA: __uni_sync\(0x00000001, v\) in lane 0 returns 0, must be 1, v = 0x0 in lane 0$'
status 1 "$WARPCHECK" verify wrong --impl spec
holds out '^not reduced: asked again, spec agrees with the reference; line [0-9,]+ as it came'
status 1 "$WARPCHECK" verify wrong --impl 'pipe:exit 1'
holds out '^not reduced: asked again, pipe:exit 1 gives no answer'
status 2 "$WARPCHECK" verify wrong --impl nobody

# Lines of several implementations: some give p, and others do not. What a line leaves out refutes no cause.
if command -v python3 >/dev/null; then
    status 0 "$WARPCHECK" gen shfl.sync.up.b32 --count 2000 --done-only --answers --seed 5
    grep ' d|p ' out | sed -E 's/ d_defined=.*//; s/ done=.*//' >answers
    python3 - <<'END' >mixed
import re
for number, line in enumerate(open("answers")):
    line = line.rstrip()
    if number % 2:
        print(re.sub(r" p=0x[0-9a-f]+", "", line))
    else:
        print(re.sub(r" p=(0x[0-9a-f]+)", lambda m: " p=0x%x" % (int(m[1], 16) ^ 0xFFFFFFFF), line))
END
    status 1 "$WARPCHECK" verify mixed
    holds out '^cause: the predicate is inverted \(explains all '
    holds out '^compared in some cases:.* p'
fi

# A page to show around: well-formed, whole, and foreign text in it is text.
sed 's/(own ^ shift) <= last/(own ^ shift) >= first \&\& (own ^ shift) <= last/' "$ROOT/examples/cuda/mine.c" >'<b>&.c'
status 0 "${CC:-cc}" -std=c11 -shared -fPIC -I"$include" '<b>&.c' -o '<b>&.so'
status 1 "$WARPCHECK" run --impl './<b>&.so' --only shfl.sync --cases 2000 --seconds 0.5 --out findings --html page.html
cp page.html out
holds out '<h1>warpcheck run: ./&lt;b&gt;&amp;.so against spec, seed 1</h1>'
holds out '<strong>MISMATCH</strong> [0-9,]+ mismatches in [0-9,]+ cases'
holds out '>Cause</b> bfly into an earlier segment'
holds out '__shfl_xor_sync\(0x[0-9a-f]+, v, [0-9]+, [0-9]+\) in lane'
holds out '<svg .*role="img"'
holds out 'replay --impl .*&lt;b&gt;&amp;.so'
holds out 'data-head="stage" class="text plain">enumerate<'
lacks out '<script|<link|<img|@import|url\(|src='
if command -v python3 >/dev/null; then
    status 0 python3 -c 'import xml.etree.ElementTree as tree; tree.parse("page.html")'
fi
status 0 "$WARPCHECK" cross spec fast --only activemask --cases 100 --out findings --html cross.html
grep -q '<strong>all agree</strong>' cross.html || fail 'cross --html has no verdict'
checks=$((checks + 1))
status 2 "$WARPCHECK" cross spec fast --only activemask --cases 100 --out findings --html /nonexistent/page.html
holds err '^warpcheck cross: --html: .*/nonexistent'

# An engine's input stands for its case, 64 relatives, and the 4 forms of shfl: where the case itself is right, the
# relative that is wrong is found, drawn and reduced.
echo 'warp1 shfl.sync.idx.b32 d target=sm_70 exited=0x0 active=0xffffffff a=0x100+1*32 b=0x10*32 c=0x101f*32 membermask=0xffffffff*32' >idx.line
status 0 "$WARPCHECK" emit idx.line --format bytes --out input
status 0 "$WARPCHECK" replay idx.line --impl './<b>&.so'
holds out '^1 cases, 0 mismatches'
if "$WARPCHECK" fuzz --help >/dev/null 2>&1; then
    status 1 "$WARPCHECK" replay input --bytes --impl './<b>&.so'
    holds out "MISMATCH: mine against spec, on number [0-9]+ of the case's relatives"
    holds out '^69 cases, [1-9]'
    status 0 "$WARPCHECK" show input --bytes --impl './<b>&.so'
    holds out '^\(number [0-9]+ of its relatives'
    holds out 'shfl.sync.bfly.b32'
    status 1 "$WARPCHECK" reduce input --bytes --impl './<b>&.so'
    holds out '^they agree on this case; number [0-9]+ of its relatives'
    holds out '^  active 0x[0-9a-f]+ \(lanes [0-9]+,[0-9]+\)'
    # A crash on a relative is no agreement, nor is one that was not accepted; a target passes over the latter.
    echo 'warp1 shfl.sync.down.b32 d target=sm_70 exited=0x0 active=0xffffffff a=0x100+1*32 b=0x10*32 c=0x1f*32 membermask=0xffffffff*32' >down.line
    "$WARPCHECK" emit down.line --format bytes --out down >/dev/null
    sed 's/source = first + (shift & (width - 1));/source = *(volatile int *)8;/' "$ROOT/examples/cuda/mine.c" >crash.c
    status 0 "${CC:-cc}" -std=c11 -shared -fPIC -I"$include" crash.c -o crash.so
    status 1 "$WARPCHECK" replay down --bytes --impl ./crash.so --quiet
    holds out 'NO ANSWER: mine: crash.so crashed with SIGSEGV on warp1 shfl.sync.idx.* on number [0-9]+ of the case'
    holds out ' 3 without an answer, '
    status 0 "${CC:-cc}" -std=c11 -shared -fPIC -I"$include" "$ROOT/examples/cuda/mine.c" -o right.so
    sed 's/active=0xffffffff/active=0xffff/' down.line >half.line
    status 1 "$WARPCHECK" replay half.line --impl ./right.so
    "$WARPCHECK" emit half.line --format bytes --out half >/dev/null
    status 0 "$WARPCHECK" replay half --bytes --impl ./right.so --quiet
    holds out '^half:1: not accepted: mine: lanes of the membermask are elsewhere'
    holds out '^half:1: not accepted: [0-9]+ of the [0-9]+ relatives that a target asks with it'
    holds out ', 0 not accepted, .* relatives not accepted$'
    sed 's/c=0x1f/c=0x3/; s/membermask=0xffffffff/membermask=0xfffffff1/' down.line >none.line
    "$WARPCHECK" emit none.line --format bytes --out none >/dev/null
    status 1 "$WARPCHECK" replay none --bytes --impl ./right.so --quiet
    status 1 "$WARPCHECK" replay down --target match_sync --impl ./right.so
    holds out '^NOTHING COMPARED .*down: .*right.so accepts nothing that fuzz_match_sync makes of it'
    holds out '^1 inputs, 0 new findings, 0 times a known one, 1 of which nothing was compared'
    mkdir -p empty
    status 2 "$WARPCHECK" replay empty --target all --impl ./right.so
    holds err '^empty: an empty folder, no input in it'
    head -c 1048577 /dev/zero >large
    status 2 "$WARPCHECK" replay large --target all --impl ./right.so
    holds err '^large: larger than the 1048576 bytes that such a file may have'
    status 2 "$WARPCHECK" replay down empty --target all --impl ./right.so
    holds err '^empty: an empty folder, no input in it'
    status 2 "$WARPCHECK" fuzz --seconds 2 -- -runs=10
    holds err 'the option -runs=10 behind -- would end the engine, and with it the campaign'
    status 2 "$WARPCHECK" fuzz --seconds 2 -- -artifact_prefix=elsewhere/
    holds err 'the option -artifact_prefix=elsewhere/ behind -- would put what the engine finds where the campaign does not'
    status 2 "$WARPCHECK" fuzz --seconds 2 -- folder
    holds err "the option folder behind -- is none: .*; a folder of inputs is given with --seeds"
    status 2 "$WARPCHECK" fuzz --engine afl --seconds 2 -- -p rare -V 5
    holds err 'the option -V behind -- would end the engine'
    status 2 "$WARPCHECK" fuzz --seconds 2 -- --nonsense
    holds err "the option --nonsense behind -- is none: libFuzzer's are -NAME=VALUE"
fi
# What gives only d is shown beside what spec says.
status 0 "$WARPCHECK" show idx.line --impl './<b>&.so'
holds out '^  expected: spec  observed: mine$'
holds out '^ +0 +done +0x100 .* +0x100 +0x100$'
lacks out ' none '
finish
