#!/usr/bin/env bash
# planted.sh SOURCE_DIR BUILD_DIR SET [WORD]: plants each mistake of planted_SET.txt (whose line has the word) and runs
# the quick tests of that part, or what the line names, of which one must fail, and pass without it. Prints those that
# nothing notices; status 1 when there are any.
# A mistake is one changed file, linked before the library. With `--there` as the word nothing is planted: is the text
# that each changes still in its file?
# Without a word and without WARPCHECK_SLOW=all every fourth of `kernel` and every tenth of `pair` is planted; half as
# many at once as there are processors, and two at least. A mistake by which a test does not end is noticed: a test has
# many times what it needs.
#   SET kernel: execution and search of kernels (kernel/). SET pair: the proof by two lanes (smt/pair/). SET make: the
#   generator of kernels (kernel/make/), whose undefined kernels the executor must refuse. SET prover: the proofs about
#   compiled code (proofs/), by functions in LLVM's text, by drawn ones, and by those that people would write.
set -u
src=$1 build=$2 set=$3 word=${4:-}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
flags="-std=c17 -O1 -ffp-contract=off -D_XOPEN_SOURCE=700 -I$src -I$src/model/include -I$src/model/spec"
libraries="$build/kernel/libwarpcheck-kernel.a $build/check/libwarpcheck-check.a $build/ptx/libwarpcheck-ptx.a
  $build/model/spec/libwarpcheck-spec.a $build/model/libwarpcheck-model.a $build/base/libwarpcheck-base.a"
system="-lcmocka -lm -lpthread -ldl"
case $set in
kernel)
    step=4 folder=kernel
    tests="kernel_row kernel_memory kernel_execute program_compute program_execute kernel_search"
    ;;
pair)
    step=10 folder=smt/pair tests="pair pair_table pair_random"
    libraries="$build/smt/libwarpcheck-smt.a $build/model/fast/libwarpcheck-fast.a $libraries" system="-lz3 $system"
    ;;
make) step=1 folder=kernel/make tests=make_refused ;;
prover)
    step=1 folder=proofs tests="compiled_drawn compiled_refused compiled_operations"
    flags="$flags -I$src/model/fast -isystem $(llvm-config-19 --includedir) -isystem $build/proofs/llvm"
    libraries="$build/proofs/libwarpcheck-compiled.a $build/smt/libwarpcheck-smt.a $build/model/fast/libwarpcheck-fast.a $libraries"
    system="-lz3 $(llvm-config-19 --ldflags --libs) $system"
    ;;
*) echo "no set $set" && exit 2 ;;
esac
# link TEST FOLDER [OBJECT]: makes FOLDER/TEST
link() { ${CC:-cc} -o "$2/$1" "$work/$1.o" ${3:-} $libraries $libraries $system >"$2/log" 2>&1; }
# what a line of the list says, in Python
parts='
import re, sys
def parts_of(line):
    return [part.replace("\\|", "|").replace("@", "\n") for part in re.split(r" \| ", line.rstrip("\n"))]
def code_of(file):
    return open(sys.argv[1] + "/" + file).read()
'
if [ "$word" = --there ]; then
    grep -v '^#' "$src/test/planted_$set.txt" | python3 -c "$parts"'
gone = [what for file, what, text, *_ in map(parts_of, sys.stdin) if text not in code_of(file)]
for what in gone:
    print("not there: " + what)
sys.exit(len(gone) > 0)
' "$src/$folder"
    exit
fi
# run FOLDER TEST [ARGUMENT]: as FOLDER has it
run() {
    case $2 in
    compiled_drawn) set -- "$1" "$2" 6 1 lane "$3" ;;
    compiled_drawn-vote) set -- "$1" compiled_drawn 4 1 vote "$3" ;;
    compiled_operations) set -- "$1" "$2" "$src/proofs/x86.c" ;;
    esac
    (folder=$1 test=$2 && shift 2 && cd "$src" && timeout 900 "$folder/$test" "$@" >"$folder/log" 2>&1)
}
for test in $tests; do
    { ${CC:-cc} $flags -c "$src/test/test_$test.c" -o "$work/$test.o" && link "$test" "$work"; } || { cat "$work/log"; exit 2; }
done
# notices FOLDER [TEST [ARGUMENT]]: what FOLDER's mutant does not pass, and the code without a mistake does
notices() {
    if [ $# -eq 1 ]; then
        for test in $tests; do notices "$1" "$test" && return; done
        return 1
    fi
    program=${2%-*} known="$work/passed.$(echo "$2 ${3:-}" | tr -c 'a-z0-9_\n' _)"
    link "$program" "$1" mutant.o || { echo "does not link: $(cat what log)" >verdict; return 0; }
    run "$@" && return 1
    [ -e "$known" ] || { mkdir -p base && cp "$work/$program" base && run "$PWD/base" "$2" ${3:+"$3"} && : >"$known"; } ||
        echo "fails without the mistake: $*" >verdict
    [ -e verdict ] || { : >verdict; echo "$2" >by; }
}
# plant NUMBER LINE: says in $work/NUMBER/verdict what came of it
plant() {
    mkdir "$work/$1" && cd "$work/$1" || return
    if ! printf '%s\n' "$2" | python3 -c "$parts"'
file, what, text, instead, *step = parts_of(sys.stdin.read())
code = code_of(file)
if text not in code:
    sys.exit("not there: " + what)
open("mutant.c", "w").write(code.replace(text, instead, 1))
open("what", "w").write(file + ": " + what)
open("step", "w").write("".join(step))
' "$src/$folder" >said 2>&1; then
        echo "not there: $(cat said)" >verdict
    elif ! ${CC:-cc} $flags -c mutant.c -o mutant.o 2>said; then
        { echo "does not compile: $(cat what)"; cat said; } >verdict
    else
        set -- "$(cat step)"
        case $1 in
        "") set -- ;;
        *" "*) set -- "compiled_${1%% *}" "${1#* }" ;;
        *) set -- "compiled_$1" ;;
        esac
        notices "$PWD" "$@" || echo "not noticed: $(cat what)" >verdict
    fi
    rm -rf $tests base mutant.o
}
planted=0 number=0 at_once=$(($(nproc) / 2))
[ "$at_once" -ge 2 ] || at_once=2
grep -v '^#' "$src/test/planted_$set.txt" | grep -- "$word" >"$work/list"
while IFS= read -r line; do
    number=$((number + 1))
    [ -n "$word" ] || [ "${WARPCHECK_SLOW:-}" = all ] || [ $((number % step)) -eq 0 ] || continue
    planted=$((planted + 1))
    [ "$planted" -le "$at_once" ] || wait -n
    (plant "$number" "$line") &
done <"$work/list"
wait
cat "$work"/*/verdict
cat "$work"/*/by | sort | uniq -c
told=$(find "$work" -mindepth 2 -name verdict | wc -l) survived=$(find "$work" -mindepth 2 -name verdict -size +0 | wc -l)
echo "$planted of $number mistakes planted, $survived not noticed"
[ "$told" -eq "$planted" ] && [ "$survived" -eq 0 ] && [ "$planted" -gt 0 ]
