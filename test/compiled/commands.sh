#!/usr/bin/env bash
# `warpcheck prove --bitcode` and `--compiled` as users meet them: verdicts, witnesses that replay, and errors of one
# line. shellcheck source=../cli/common.sh
. "$(dirname "$0")/../cli/common.sh"
CLANG=$2
BROKEN=$3
SOURCES=$ROOT/test/compiled/user

compile() { # LEVEL NAME
    "$CLANG" -std=c17 -w "-O$1" -I"$ROOT/model/include" -emit-llvm -c "$SOURCES/$2.c" -o "$2.bc" || fail "$2.c does not compile"
}
for name in right wrong_shfl wrong_group undefined impl_wrong loops; do compile 2 "$name"; done
prove() { "$WARPCHECK" prove --bitcode "$@"; }

# a right one, at every level of optimization
for level in 0 1 2 3; do
    compile "$level" right
    status 0 prove right.bc --function lane_up --shape lane --only shfl.sync.up.b32
    holds out '^lane_up as shfl.sync.up.b32: PROVED'
    holds out 'translation and native code agree on 20 random cases'
done
status 0 prove right.bc --function redux_add --shape redux --only redux.sync.add.u32 --cases 0
holds out 'PROVED'

# a wrong one: the witness is reduced and drawn, and replays
status 1 prove wrong_shfl.bc --function wraps_at_5_bits --shape lane --only shfl.sync.down.b32
holds out '^wraps_at_5_bits as shfl.sync.down.b32: REFUTED, .*: d of lane [0-9]+'
holds out '\^\^'
holds out 'the native code differs from spec in the same way'
sed -n 's/^replay: //p' "$WORK/out" >replay.sh
sed -i "s|warpcheck prove|'$WARPCHECK' prove|" replay.sh
status 1 sh replay.sh
holds out '^wraps_at_5_bits: MISMATCH'
sed -n "s/^echo '\(.*\)' |.*/\1/p" replay.sh >witness.txt
status 1 prove wrong_shfl.bc --function wraps_at_5_bits --shape lane --case witness.txt
status 0 prove wrong_shfl.bc --function wraps_at_5_bits --shape lane --case - < <(sed 's/ b=[^ ]*/ b=0*32/' witness.txt)
holds out '^wraps_at_5_bits: agrees'

# undefined behaviour: no result at all
status 1 prove undefined.bc --function signed_sum --shape redux --only redux.sync.add.s32
holds out 'REFUTED, .*poison'
sed -n 's/^replay: //p' "$WORK/out" >replay.sh
sed -i "s|warpcheck prove|'$WARPCHECK' prove|" replay.sh
status 1 sh replay.sh
holds out 'signed_sum: NO RESULT: d of lane [0-9]+ depends on a value that is not initialized, or poison'

# several forms of one implementation
# A function is judged by what it is, not by its name: one that begins as the transcription's are called is bad input
# too.
cat >special.c <<'END'
#include "warpcheck/impl.h"
bool outside(void);
bool special_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error, size_t size);
bool special_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error, size_t size)
{
    (void)state, (void)cases, (void)n, (void)results, (void)error, (void)size;
    return outside();
}
END
"$CLANG" -std=c17 -O2 -I"$ROOT/model/include" -emit-llvm -c special.c -o special.bc || fail 'special.c does not compile'
status 2 prove special.bc --function special_eval --shape impl --only vote.sync.all.pred
one_line
status 1 prove impl_wrong.bc --function vote_writes_d --shape impl --only vote.any.pred --only vote.all.pred
holds out '^vote_writes_d as vote.any.pred: REFUTED'
holds out '^vote_writes_d as vote.all.pred: REFUTED'

# no end: open, nothing is claimed
status 1 prove loops.bc --function runs_for_ever --shape lane --only shfl.sync.up.b32 --limit 3
holds out '^runs_for_ever as shfl.sync.up.b32: OPEN, 3.0 s: it did not come to an end within 3 s and was stopped in turn [0-9]+ of a loop of .runs_for_ever. \(one without a bound\? --limit 3\)$'
[ "$(wc -l <"$WORK/out")" = 1 ] || fail "more than one line of a proof that was stopped: $(cat "$WORK/out")"
status 1 prove loops.bc --function until_it_fits --shape lane --only shfl.sync.up.b32 --limit 3
holds out ': OPEN, .*did not come to an end within 3 s'
status 1 prove loops.bc --function comes_back --shape match --only match.any.sync.b32
holds out 'as match.any.sync.b32: OPEN, .*a loop over the bits of a mask that does not clear each in its turn'
# a limit that is too short for a function that ends: no loop is suspected
status 1 prove right.bc --function lane_up --shape lane --only shfl.sync.up.b32 --limit 0.001
holds out 'lane_up as shfl.sync.up.b32: OPEN, .*was stopped \(--limit 0.001; a larger one gives it more time\)$'

# bad input: one line, status 2
usage 'needs a bitcode FILE, --function NAME and --shape NAME' prove right.bc
usage "which instruction is 'lane_up'" prove right.bc --function lane_up --shape lane
usage "unknown shape 'lanes': lane, lane-p" prove right.bc --function lane_up --shape lanes --only shfl.sync.up.b32
usage "'lane' cannot be vote.sync.all.pred; it can be shfl.sync shfl" prove right.bc --function lane_up --shape lane --only vote.sync.all.pred
usage "no instruction 'shfl.sync.pu.b32'; did you mean" prove right.bc --function lane_up --shape lane --only shfl.sync.pu.b32
usage 'is one instruction: --only names 4' prove right.bc --function lane_up --shape lane --only shfl.sync
usage 'nowhere.bc: cannot be read: No such file' prove nowhere.bc --function f --shape lane --only shfl.sync.up.b32
usage '.: is a folder; give a regular file' prove . --function f --shape lane --only shfl.sync.up.b32
echo 'int f;' >plain.c
usage 'plain.c: not LLVM bitcode \(make it with clang 14 to 19: clang ' prove plain.c --function f --shape lane --only shfl.sync.up.b32
"$CLANG" -c plain.c -o plain.o
usage 'plain.o: not LLVM bitcode' prove plain.o --function f --shape lane --only shfl.sync.up.b32
: >empty.bc
usage 'empty.bc: not LLVM bitcode' prove empty.bc --function f --shape lane --only shfl.sync.up.b32
for size in 8 100 600 2000; do
    head -c "$size" right.bc >cut.bc
    usage 'cut.bc: ' prove cut.bc --function lane_up --shape lane --only shfl.sync.up.b32
done
usage "right.bc: no function 'lane_pu'; there are lane_up" prove right.bc --function lane_pu --shape lane --only shfl.sync.up.b32
usage "'vote_all' is i32 \(i32, i32, i32\), and shape 'lane-p' is uint32_t f" prove right.bc --function vote_all --shape lane-p --only shfl.sync.up.b32
usage 'nothing.txt' prove right.bc --function lane_up --shape lane --case nothing.txt
usage 'the case is not accepted: it is|cannot be' prove right.bc --function vote_all --shape vote --case witness.txt

# what is not translated is named
cat >refused.c <<'C'
#include <stdint.h>
uint32_t elsewhere(uint32_t);
static uint32_t calls;
uint32_t external(uint32_t lane, uint32_t b, uint32_t c) { return elsewhere(b); }
uint32_t remembers(uint32_t lane, uint32_t b, uint32_t c) { return calls++; }
uint32_t divides(uint32_t lane, uint32_t b, uint32_t c) { return (uint32_t)((float)b / (float)(c | 1)); }
uint32_t clock(uint32_t lane, uint32_t b, uint32_t c) { return (uint32_t)__builtin_readcyclecounter(); }
uint32_t assembly(uint32_t lane, uint32_t b, uint32_t c) { __asm__("incl %0" : "+r"(b)); return b; }
C
"$CLANG" -O1 -w -emit-llvm -c refused.c -o refused.bc
refused() { # FUNCTION PATTERN
    usage "$2" prove refused.bc --function "$1" --shape lane --only shfl.sync.up.b32
}
refused external "'elsewhere' is not translated|'elsewhere'.* is not in this bitcode"
refused remembers "the variable 'calls' keeps its value"
refused divides 'uitofp|fdiv'
refused clock "'llvm.readcyclecounter' is not translated"
refused assembly 'inline assembly'

# other writers' bitcode: the identification at its beginning says whose it is, and the metadata which compiler made it
"$CLANG" -O1 -w -emit-llvm -c plain.c -o plain.bc
forge() { # WRITER, of the same length as "LLVM14" or "LLVM19"
    python3 - "$1" <<'P'
import sys
six = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._'
data = open('plain.bc', 'rb').read()
n = int.from_bytes(data, 'little')
def bits(text):
    return sum(six.index(c) << 6 * i for i, c in enumerate(text))
for at in range(800):
    for real in ('LLVM14', 'LLVM19'):
        if n >> at & ((1 << 36) - 1) == bits(real):
            n ^= (bits(real) ^ bits(sys.argv[1])) << at
            open('forged.bc', 'wb').write(n.to_bytes(len(data), 'little'))
            sys.exit(0)
sys.exit(1)
P
}
refused_writer() { # WRITER
    forge "$1" || fail "$1: the identification is not found"
    usage "^warpcheck prove bitcode: forged.bc: bitcode of $1[0-9.]*, and this reads LLVM 14's to 19's \(make it with clang 14 to 19" \
        prove forged.bc --function f --shape lane --only shfl.sync.up.b32
}
for writer in LLVM20 LLVM22 LLVM99 LLVM13 LLVM_1 APPLE1 RUST19; do refused_writer "$writer"; done
for version in 14 15 16 17 18 19; do
    forge "LLVM$version" || fail "$version: the identification is not found"
    usage "forged.bc: no function 'f'" prove forged.bc --function f --shape lane --only shfl.sync.up.b32
done
sed 's/clang version/rustc version/' plain.bc >forged.bc
cmp -s plain.bc forged.bc && fail 'the compiler does not name itself'
usage "forged.bc: bitcode that '.*rustc version .*' made, and this reads clang's" prove forged.bc --function f --shape lane --only shfl.sync.up.b32

# the product's own
usage "no implementation 'fast-avx51'; did you mean fast-avx512" "$WARPCHECK" prove compiled --impl fast-avx51
for name in spec fast-batch fast-neon ./no.so pipe:cat; do
    usage "^warpcheck prove compiled: --impl $name cannot be proved: give fast, " "$WARPCHECK" prove compiled --impl "$name"
done
status 0 "$WARPCHECK" prove compiled --only activemask --impl fast --impl "$("$WARPCHECK" list implementations | grep -o 'fast-[a-z0-9]*' | head -1)"
usage "unknown option '--onyl'; did you mean --only" "$WARPCHECK" prove --compiled --onyl vote
usage 'without --only, --impl and --folder' "$WARPCHECK" prove --compiled --only vote --update x.md
usage "no instruction 'vot'" "$WARPCHECK" prove --compiled --only vot
usage '^warpcheck prove compiled: nowhere: no bitcode there' "$WARPCHECK" prove --compiled --folder nowhere
status 0 "$WARPCHECK" prove --compiled --help
status 0 "$WARPCHECK" prove --bitcode x --help
status 0 "$WARPCHECK" prove --compiled --only activemask --impl fast-portable --impl fast-avx512
holds out '^activemask.b32 +PROVED +[0-9.]+ s PROVED'
holds out '^2 of 2 pairs: 2 proved, 0 bounded, 0 open, 0 refuted, 0 errors'
status 0 "$WARPCHECK" prove --compiled --only activemask --impl fast-avx2 --markdown
holds out '^\| `activemask.b32` \| proved, [0-9.]+ s \|'

# the encoding, right and with a mistake (the program linked with the patch vote-uni-is-all): the witness is replayed on
# its terms
status 0 "$WARPCHECK" prove --compiled --only activemask --only vote.any.pred --impl smt
holds out '^vote.any.pred +PROVED'
status 1 "$BROKEN" prove --compiled --only vote.uni.pred --impl smt
holds out '^vote.uni.pred smt: REFUTED'
holds out 'replayed on the native code of spec and the encoding, evaluated, which differ'
holds out "^  replay: echo 'warp1 vote.uni.pred .*' \| warpcheck replay - --impl smt"
if "$WARPCHECK" list --json >/dev/null 2>&1; then
    status 0 "$WARPCHECK" prove --compiled --only activemask --impl fast-avx2 --json
    holds out '"command": "prove compiled"'
    holds out '"verdict": "PROVED"'
    status 1 prove wrong_group.bc --function vote_inverted --shape vote --only vote.sync.any.pred --json
    holds out '"command": "prove bitcode"'
    holds out '"verdict": "REFUTED"'
    holds out '"observed"'
fi

# Ctrl-C shows what is there
("$WARPCHECK" prove --compiled --only activemask --only match.any.sync.b64 --jobs 1 >"$WORK/out" 2>"$WORK/err"; echo $? >"$WORK/rc") &
for _ in $(seq 100); do
    sleep 0.1
    child=$(pgrep -P $! -f 'prove' | head -n 1)
    [ -n "$child" ] && break
done
sleep 1
kill -INT "$child"
wait
checks=$((checks + 1))
[ "$(cat "$WORK/rc")" = 1 ] || fail "an interrupted proof ended with $(cat "$WORK/rc")"
holds out 'INTERRUPTED: [0-9]+ of 8 pairs'
holds out 'not tried'

# the prover, tried by functions that are drawn
status 0 "$WARPCHECK" score --prover --count 2 --only 'linked list'
holds out '^all +2 '
usage "no step has 'nonsense' in its name" "$WARPCHECK" score --prover --only nonsense

finish
