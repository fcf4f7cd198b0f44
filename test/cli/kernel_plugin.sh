#!/usr/bin/env bash
# Whole kernels over a plugin (warpcheck/kernel.h): examples/kernel-suite/plugin.c with the executor as its emulator,
# right, with the defect of a compiler, and doing what a plugin must not do.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
cd - >/dev/null || exit 1
PLUGIN=$(realpath "$2")
cd "$WORK" || exit 1
cp "$PLUGIN" mine.so

# all agree, by both commands
status 0 "$WARPCHECK" cross kernels ./mine.so --count 120 --jobs 2
holds out '^120 kernels for sm_90, .* each kernel also by plugin: 0 answers differ$'
status 0 "$WARPCHECK" fuzz --target kernel --impl ./mine.so --seconds 1 --jobs 2 --seed 5
holds out '^fuzzing ./mine.so with generated kernels, seed 5$'
holds out 'also by plugin: 0 answers differ$'

# a defect is found, reduced, named and kept; its folder is replayed, over the wrong one and the right one
export EMULATOR_FAULT=20
"$WARPCHECK" fuzz --target kernel --impl ./mine.so --seconds 0 --jobs 2 --seed 5 --out found >out 2>err &
wait_for grep -q 'reduced: ' out
ends_by INT 1
holds out "verdict implementation; reduced: 'found/plugin-memory-redux.sync.add"
folder=$(find found -name 'plugin-memory-redux*' | head -n 1)
checks=$((checks + 1))
[ "$(sed '1,/^ld.global.v4/d' "$folder/kernel.ptx" | wc -l)" -le 20 ] || fail "lines are left in $folder/kernel.ptx"
holds "$folder/finding.txt" '^verdict: implementation: '
holds "$folder/finding.txt" '^plugin: leaves other memory'
holds "$folder/finding.txt" '^plugin-memory-redux.* for sm_90 .*, reduced by asking [0-9]+ times .plugin against the executor.$'
holds "$folder/verdict.txt" '^status: open$'
status 0 "$WARPCHECK" emit "$folder" --format ptx
cmp -s out "$folder/kernel.ptx" || fail "emit writes another text than $folder/kernel.ptx"
status 2 "$WARPCHECK" show "$folder"
holds err 'warpcheck replay executes it'
holds "$folder/launch.c" '^//   byte [0-9]+: before 0x[0-9a-f]*, expected 0x[0-9a-f]*, observed 0x[0-9a-f]*$'
holds "$folder/finding.txt" "^replay: warpcheck replay --impl '?/.*/mine.so'? "
status 1 sh -c "$(sed -n 's/^replay: warpcheck/"$0"/p' "$folder/finding.txt")" "$WARPCHECK"
holds out 'kernel.ptx:1: MISMATCH: .* leaves other memory than the executor'
unset EMULATOR_FAULT
status 0 "$WARPCHECK" replay "$folder" --impl ./mine.so
holds out 'kernel.ptx:1: agree: .* leaves what the executor leaves'
status 2 "$WARPCHECK" replay "$ROOT/corpus/cases" --impl ./mine.so
holds err 'no finding of generated kernels, and ./mine.so executes nothing else'

# a folder is whole or absent, and the summary names what there is
defect() {
    EMULATOR_FAULT=20 "$WARPCHECK" cross kernels ./mine.so --count 40 --seed 2 --jobs 1 --out "$1"
}
(ulimit -f 4 && defect full >out 2>err)
checks=$((checks + 1))
[ "$(cd full && find . -mindepth 1)" = ./not-reduced.txt ] || fail "without room: $(find full)"
holds err '/launch.c: cannot be written: '
lacks out "; reduced: |^[0-9]+ kernels?: '"
holds out ' kernels differ and were not reduced .not-reduced.txt.; '
(ulimit -f 0 && defect full2 2>&1) | cat >out
holds out ' kernels differ and were not reduced; '
# a name that another run took meanwhile: the same finding is kept once, and what shows another one stays as it is
status 1 defect taken
name=$(cd taken && echo plugin-*)
sed -i '/^cause: /d' "taken/$name/finding.txt" # so that it is not known from the start
cp -R taken before
status 1 defect taken
holds out "reduced, it is as 'taken/$name'$"
diff -r taken before || fail 'a finding was written over'
rm "taken/$name/kernel.ptx" "before/$name/kernel.ptx"
status 1 defect taken
holds out "reduced: 'taken/$name.2'$"
holds out "^[0-9]+ kernels?: '$name.2', verdict implementation$"
holds "taken/$name.2/finding.txt" "^replay: .* taken/$name.2$"
diff -r "taken/$name" "before/$name" || fail 'a finding was written over'

# one defect, one folder, or two, however many instructions show it
for fault in '3 setp.eq' '22 d.p'; do
    rm -rf one
    status 1 env EMULATOR_FAULT="${fault% *}" "$WARPCHECK" cross kernels ./mine.so --count 150 --seed 3 --jobs 2 --out one
    checks=$((checks + 1))
    [ "$(find one -name finding.txt | wc -l)" -le 2 ] || fail "defect $fault has many folders: $(ls one)"
    cat one/*/finding.txt >causes
    holds causes "^cause: ${fault#* }"
done

# what does not show when it is asked again is told as that, each time, and nothing crashes
status 1 env EMULATOR_FAULT=tired "$WARPCHECK" cross kernels ./mine.so --count 30 --jobs 2 --out gone
holds out 'verdict gone; reduced: '
holds out "^[0-9]+ kernels?: 'plugin-memory-.*', verdict gone$"
lacks out 'not reduced'
lacks err 'it crashed'

# a defect that is planted in the text
status 1 env WARPCHECK_GPU_PLANT=@drop-turn "$WARPCHECK" cross kernels ./mine.so --count 40 --jobs 2 --time 0
holds out '^A DEFECT IS PLANTED'
usage 'WARPCHECK_GPU_PLANT=@nothing: give TEXT=OTHER or a name' \
    env WARPCHECK_GPU_PLANT=@nothing "$WARPCHECK" cross kernels ./mine.so

# fuzz without a limit: Ctrl-C is its end; so many kernels that differ are, too
"$WARPCHECK" fuzz --target kernel --impl ./mine.so --seconds 0 --jobs 2 >out 2>err &
wait_for grep -q '[1-9] pieces' err
ends_by INT 0
holds out 'also by plugin: 0 answers differ$'
status 1 env EMULATOR_FAULT=32 "$WARPCHECK" fuzz --target kernel --impl ./mine.so --seconds 0 --jobs 2 --out enough
holds out '^ended, because so many kernels differ: mend these first$'

# what it must not do is its own fault, kernel by kernel, and touches nobody else
for fault in 'crash:crashed with SIGSEGV' 'exit:ended the process .exit. with status 0' 'behind:crashed with SIG(SEGV|BUS)' \
    'kill:crashed with SIG|hung|sent SIG' 'status:status 3'; do
    status 1 env EMULATOR_FAULT="${fault%%:*}" "$WARPCHECK" cross kernels ./mine.so --count 2 --jobs 1 --time 0
    holds out "^DIFFERENT: kernel 0: faulted .*(${fault#*:})"
    holds out ': 2 answers differ, of 2 kernels$'
done
status 1 env EMULATOR_FAULT=hang "$WARPCHECK" cross kernels ./mine.so --count 1 --jobs 1 --time 0
holds out '^DIFFERENT: kernel 0: hung'
status 1 env EMULATOR_FAULT=decline "$WARPCHECK" cross kernels ./mine.so --count 3 --jobs 1
holds out '^declined: 3 .an instruction that is not known.$'

# what hangs is reduced, and its cause is a word without which it does not
status 1 env EMULATOR_FAULT=hang-switch "$WARPCHECK" cross kernels ./mine.so --seed 77 --first 5 --count 1 --jobs 1 \
    --time 3 --out switch
holds out 'verdict implementation; reduced: '
cat switch/*/finding.txt >causes
holds causes '^cause: brx.idx$'

# what is no such plugin, and no engine
usage 'stop or --engine' "$WARPCHECK" fuzz --engine afl --target kernel --impl ./mine.so
usage 'executes whole kernels .warpcheck fuzz --target kernel.' "$WARPCHECK" cross spec ./mine.so --cases 10
usage 'cannot load the plugin|No such file' "$WARPCHECK" cross kernels ./nowhere.so --count 2
"${CC:-cc}" -shared -fPIC -I"$ROOT/model/include" -o single.so "$ROOT/examples/ptx/mine.c" || fail 'examples/ptx'
usage 'executes no whole kernels: it does not export warpcheck_kernel_run' "$WARPCHECK" cross kernels ./single.so --count 2
status 2 "$WARPCHECK" fuzz --target kernel --impl ./single.so --seconds 1
holds err 'executes no whole kernels'

finish
