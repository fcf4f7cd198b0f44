#!/usr/bin/env bash
# Bad input: one clear line that says what, where and how to mend it; exit status 2; nothing lost, nothing skipped.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

# words on the command line
usage "unknown command 'runn'; did you mean run" "$WARPCHECK" runn
usage "unknown option '--secnds'; did you mean --seconds" "$WARPCHECK" run --secnds 3
usage "unknown option '--jsn'; did you mean --json" "$WARPCHECK" list --jsn
usage 'needs a value' "$WARPCHECK" run --seconds
usage 'not a number of seconds' "$WARPCHECK" run --seconds soon
usage 'not a number of seconds' "$WARPCHECK" run --seconds -1
usage 'not a number' "$WARPCHECK" gen --count many
usage 'not a number' "$WARPCHECK" gen --seed 0x
usage 'takes no value' "$WARPCHECK" list --json=yes
usage 'needs two implementations' "$WARPCHECK" cross spec
usage 'needs a case file' "$WARPCHECK" replay
usage 'unexpected' "$WARPCHECK" run fast
usage 'the command comes first' "$WARPCHECK" --seed 3 run
usage "nothing is called 'x'" "$WARPCHECK" list x
usage "no format 'cuba'" "$WARPCHECK" emit --format cuba x

# where proofs are to be written, before they are tried
if "$WARPCHECK" prove --help >help; then
    touch file
    chmod 755 file
    usage '^warpcheck prove: file: the folder cannot be made' "$WARPCHECK" prove shfl-up-zero-delta --seeds file
    usage '^warpcheck prove: file/no: the folder cannot be made' "$WARPCHECK" prove shfl-up-zero-delta --seeds file/no
    usage '^warpcheck prove: --record: no/' "$WARPCHECK" prove shfl-up-zero-delta --record no/such
    usage '--record: .*is a folder' "$WARPCHECK" prove shfl-up-zero-delta --record .
    status 0 "$WARPCHECK" prove shfl-up-zero-delta --timeout 60 --quiet --smtlib queries
    status 0 grep -x '; cvc5 --bitblast=eager --bv-sat-solver=cadical shfl-up-zero-delta.1.smt2' queries/shfl-up-zero-delta.1.smt2
fi

# implementations
usage "no implementation 'fats'; did you mean fast" "$WARPCHECK" run --impl fats
usage 'nowhere.so' "$WARPCHECK" run --impl ./nowhere.so
usage 'nowhere.rec' "$WARPCHECK" run --impl nowhere.rec
printf 'not a library' >bad.so
usage 'bad.so' "$WARPCHECK" run --impl ./bad.so
usage 'bad.so' "$WARPCHECK" list ./bad.so
if "$WARPCHECK" list implementations | grep -q 'gpu .*UNAVAILABLE'; then
    usage 'gpu is UNAVAILABLE: ' "$WARPCHECK" run --impl gpu
fi

# instructions and operands
usage "no instruction 'shfl.sync.up.b23'; did you mean shfl.sync.up.b32" "$WARPCHECK" explain shfl.sync.up.b23
usage "no instruction 'vot'; did you mean vote" "$WARPCHECK" gen vot
usage "no instruction 'redx'" "$WARPCHECK" run --only redx
usage 'sm_7' "$WARPCHECK" explain shfl.sync.up.b32 target=sm_7
usage 'sm_20' "$WARPCHECK" explain shfl.sync.up.b32 target=sm_20
usage 'not understood' "$WARPCHECK" explain shfl.sync.up.b32 q=1
usage 'width=12' "$WARPCHECK" explain shfl.sync.up.b32 width=12
usage 'column' "$WARPCHECK" explain vote.sync.all.pred b=1
usage '_\|p|destination' "$WARPCHECK" explain shfl.sync.up.b32 '_|p'

# case files: place and reason
good=$("$WARPCHECK" gen shfl.sync.idx.b32 --count 1)
bad() { # NAME PATTERN: the text on standard input is refused by every command that reads cases
    cat >"$1"
    usage "^$1:[0-9]+:[0-9]+: .*$2" "$WARPCHECK" show "$1"
    status 2 "$WARPCHECK" replay "$1"
    holds err "^$1:[0-9]+:[0-9]+: .*$2"
    usage "^$1:[0-9]+:[0-9]+: .*$2" "$WARPCHECK" emit "$1"
    usage "^$1:[0-9]+:[0-9]+: .*$2" "$WARPCHECK" reduce "$1"
}
bad instruction.txt 'shfl.sync.idx.b32' <<<"${good/idx/idz}"
bad target.txt 'impossible target: .* needs sm_30' < <(sed -E 's/target=sm_[0-9a-f]*/target=sm_20/' <<<"$good")
bad notarget.txt 'sm_999' < <(sed -E 's/target=sm_[0-9a-f]*/target=sm_999/' <<<"$good")
bad missing.txt 'membermask' < <(sed -E 's/ membermask=.*//' <<<"$good")
bad short.txt '32' < <(sed -E 's/ b=[^ ]*/ b=1,2,3/' <<<"$good")
bad overlap.txt '.' < <(sed -E 's/active=[^ ]*/active=0xff exited=0x1/; s/exited=0x[0-9a-f]* active/active/' <<<"$good")
bad version.txt '.' <<<"${good/warp1/warp9}"
bad second.txt '.' < <(printf '%s\n\n# a comment\n%s x=1\n' "$good" "$good")
holds err '^second.txt:4:'
bad prose.txt "begins neither with 'warp1'" < <(printf 'hello, this is no case\n')
bad file.txt '.' < <(printf 'warpcheck-case 1\ninstruction shfl.sync.up.b32\nnonsense here\n')
: >empty.txt
usage 'empty.txt: empty' "$WARPCHECK" show empty.txt
usage 'nothing.txt: cannot be read: No such file' "$WARPCHECK" show nothing.txt
status 2 "$WARPCHECK" replay nothing.txt
holds err 'nothing.txt: cannot be read: No such file'
mkdir void
status 2 "$WARPCHECK" replay void
holds err 'void: an empty folder'

# counts
usage '--cases 0: a count must be 1 or more' "$WARPCHECK" run --cases 0
usage '--cases 0: a count must be 1 or more' "$WARPCHECK" cross spec fast --cases 0
usage '--count 0: a count must be 1 or more' "$WARPCHECK" gen --count 0

# truncated files, at every length that is not the whole: refused
"$WARPCHECK" emit - --out whole.txt <<<"$good"
"$WARPCHECK" emit whole.txt --format bytes --out whole.bytes
size=$(wc -c <whole.txt)
for length in 5 20 60 $((size / 4)) $((size / 2)); do
    head -c "$length" whole.txt >cut.txt
    usage '^cut.txt:' "$WARPCHECK" show cut.txt
done
for length in 1 2 17 200 400; do
    head -c "$length" whole.bytes >cut.bytes
    for command in show replay emit; do
        status 2 "$WARPCHECK" $command cut.bytes
        holds err '^cut.bytes: not a case file .byte 0xb1.; give --bytes'
        status 2 "$WARPCHECK" $command cut.bytes --bytes
        holds err "^cut.bytes: truncated: $length of (at least )?[0-9]+ bytes"
    done
done
status 0 "$WARPCHECK" show whole.bytes --bytes
usage 'byte 0xb1.; give --bytes' "$WARPCHECK" show whole.bytes

# files that are something else: a case only where --bytes says so
printf '\0\0\0\0' >zeros
printf 'hello \377\376' >junk
for command in show emit reduce; do
    usage '^zeros: not a case file .byte 0x00.; give --bytes' "$WARPCHECK" $command zeros
    usage '^junk: not a case file .byte 0xff.; give --bytes' "$WARPCHECK" $command junk
    status 0 "$WARPCHECK" $command zeros --bytes
    status 0 "$WARPCHECK" $command junk --bytes
done
mkdir mixed mixed/fuzz
printf '%s\n' "$good" >mixed/good.txt
cp junk mixed/
status 2 "$WARPCHECK" replay mixed
holds out '^1 cases, 0 mismatches.* 1 unreadable files'
status 2 "$WARPCHECK" cross spec fast --corpus mixed --only shfl --cases 10
holds err '^mixed/junk: not a case file'
mv mixed/junk mixed/fuzz/
status 0 "$WARPCHECK" cross spec fast --corpus mixed --only shfl --cases 10

# nothing is skipped: one bad file among good ones
mkdir corpus
printf '%s\n' "$good" >corpus/good.txt
printf '%s =\n' "$good" >corpus/bad.txt
status 2 "$WARPCHECK" run --corpus corpus --crashes void --only redux --cases 10
holds err '^corpus/bad.txt:1:'
holds out 'UNREADABLE INPUT'
lacks out 'all agree'
status 2 "$WARPCHECK" replay corpus
holds out '1 cases, 0 mismatches.* 1 unreadable'

# the pipe: line numbers of malformed lines
"$WARPCHECK" gen --count 3 --answers >lines
sed '2s/ => .*//' lines >noresult
status 2 "$WARPCHECK" verify noresult
holds err '^line 2, column [0-9]+: no result'
holds out 'MALFORMED INPUT.* 1 malformed'
sed '3s/d=/q=/' lines >badresult
{ head -c 300000 /dev/zero | tr '\0' x; echo; cat badresult; } >longline # takes no memory in proportion
status 2 "$WARPCHECK" verify longline
holds err '^line 1, column [0-9]+: longer than any line'
holds err '^line 4, '
status 2 "$WARPCHECK" verify badresult
holds err '^line 3, column [0-9]+: '
: >nolines
status 1 "$WARPCHECK" verify nolines
holds out 'NOTHING COMPARED'

# lint: a text without any warp instruction was not checked
if "$WARPCHECK" lint --help >help; then
    status 2 "$WARPCHECK" lint -e foo
    holds err 'no warp-level instruction in the input'
    printf '.version 8.0\n.target sm_90\nadd.u32 x, y, z;\n' >plain.ptx
    status 2 "$WARPCHECK" lint plain.ptx
    status 0 "$WARPCHECK" lint plain.ptx -e 'activemask.b32 r;'
    printf 'foo.bar x;\nactivemask.b32 r;\n' >other.ptx
    status 0 "$WARPCHECK" lint other.ptx
    holds out '1 warp instruction,.* 1 other statement not checked'
fi

# folders and files that cannot be written
usage '/dev/null/x: the folder cannot be made: Not a directory .choose another folder with --out' "$WARPCHECK" run --out /dev/null/x
usage 'whole.txt: the folder cannot be made: Not a directory' "$WARPCHECK" run --out whole.txt
usage '/dev/null/x' "$WARPCHECK" emit whole.txt --out /dev/null/x
if [ -e /dev/full ]; then
    checks=$((checks + 1))
    "$WARPCHECK" list >/dev/full 2>err
    [ $? -eq 2 ] || fail 'a full disk is not exit status 2'
    holds err 'cannot write to standard output'
fi
finish
