#!/usr/bin/env bash
# Generated kernels over the executor and others: a CUDA driver without a device (stub_cuda.c) that has the defects
# of compilers, an assembler that refuses, a recording. What differs is found, reduced, named and kept.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
cd - >/dev/null || exit 1
STUB=$(realpath "$2")
cd "$WORK" || exit 1

# no device: that is said, and is no agreement
status 2 env LD_LIBRARY_PATH="$WORK/nowhere" "$WARPCHECK" cross kernels gpu --count 4
holds err 'UNAVAILABLE: '
usage 'needs one other side' "$WARPCHECK" cross kernels
usage "no target 'sm_1'" "$WARPCHECK" cross kernels gpu --target sm_1
usage 'spec answers no whole kernels, only single instructions' "$WARPCHECK" cross kernels spec
usage 'ptxas answers no case: it compiles whole kernels' "$WARPCHECK" run --impl ptxas
status 0 env WARPCHECK_PTXAS=./nowhere "$WARPCHECK" list implementations
holds out '^  ptxas +UNAVAILABLE: '
usage 'ptxas is none' "$WARPCHECK" cross kernels ptxas --record x
usage 'cannot be read|No such file' "$WARPCHECK" cross kernels nothing.txt

if env LD_LIBRARY_PATH="$STUB" "$WARPCHECK" cross kernels gpu --count 2 2>&1 | grep -q 'built without'; then
    echo "UNAVAILABLE: built without the declarations of the CUDA driver"
else
    export LD_LIBRARY_PATH=$STUB
    # without a defect all agree; what the device left is kept, and compared without it
    status 0 "$WARPCHECK" cross kernels gpu --count 150 --jobs 2 --record made.txt
    holds out '^150 kernels for sm_90, .* at levels 0 and 4: 0 answers differ$'
    status 0 "$WARPCHECK" cross kernels made.txt
    holds out '^a driver without a device.*: 150 kernels leave what the device left at all levels, 0 do not; 0 leave .* now: 0$'
    holds made.txt '^7 [0-9a-f]{16} [0-9a-f]{16} = =$'
    sed 's/^\(7 [0-9a-f]* [0-9a-f]* \)=/\1zz/' made.txt >bad.txt
    usage 'bad.txt:[0-9]*: not a number and 4 digests' "$WARPCHECK" cross kernels bad.txt
    awk '$1 == 9 {$5 = $2} $1 == 8 {$2 = $3} {print}' made.txt >other.txt
    status 0 "$WARPCHECK" cross kernels other.txt
    holds out '^COMPILER: kernel 9: '
    holds out ': 148 kernels leave .*, 0 do not; 1 leave .* now: 1$'
    awk '$1 + 0 > 50 {$2 = $3} {print}' made.txt >other.txt
    status 1 "$WARPCHECK" cross kernels other.txt
    holds out '^more than one in 20 was not compared: this is no agreement$'
    awk '$1 == 7 {$4 = $5 = $2} $1 == 8 {$2 = $3} {print}' made.txt >other.txt
    status 1 "$WARPCHECK" cross kernels other.txt
    holds out '^DIFFERENT: kernel 7: '
    holds out ': 148 kernels leave .*, 1 do not; 0 leave .* now: 1$'

    # a long run in parts: the same kernels; other levels; a time that is over
    status 0 "$WARPCHECK" cross kernels gpu --first 100 --count 50 --jobs 1 --record part.txt --levels 0,1,2,3,4
    holds out '^50 kernels for sm_90, .* at levels 0, 1, 2, 3 and 4: 0 answers differ$'
    checks=$((checks + 1))
    grep -v '^[#s]' part.txt | cut -d' ' -f1-5 >part && grep -v '^[#s]' made.txt | sed 1,100d | cmp -s - part ||
        fail 'other kernels when they are compared in parts'
    status 0 "$WARPCHECK" cross kernels part.txt
    head -n -1 part.txt >cut.txt
    usage 'of the [0-9]+ kernels that its line' "$WARPCHECK" cross kernels cut.txt
    sed '$p' part.txt >twice.txt
    usage 'is not behind the one before it' "$WARPCHECK" cross kernels twice.txt
    status 0 "$WARPCHECK" cross kernels gpu --count 1000000 --jobs 2 --seconds 0.5 --size small
    holds out '^[0-9,]* of 1,000,000 kernels; the rest: --first [0-9]+ --count [0-9]+$'
    usage 'give the levels of gpu' "$WARPCHECK" cross kernels gpu --levels 0,5
    usage 'no more than 2.64 kernels' "$WARPCHECK" cross kernels gpu --first 18446744073709551615 --count 2
    : >file
    usage 'the folder cannot be made' "$WARPCHECK" cross kernels gpu --out file
    usage 'cannot be written' "$WARPCHECK" cross kernels gpu --record nowhere/x
    "$WARPCHECK" cross kernels gpu --count 1000000 --jobs 2 >out 2>err &
    wait_for grep -q pieces err
    ends_by INT 1
    holds out '^interrupted: [0-9,]* of 1,000,000 kernels; the rest: --first'
    usage 'give the levels of gpu' "$WARPCHECK" cross kernels gpu --levels 4,0
    usage 'give tiny, small, mixed, large or wide' "$WARPCHECK" cross kernels gpu --size huge

    # a defect of one level is the compiler's; of both, it is told otherwise. Each is reduced to a few lines.
    for plant in 0 2 7 9 21; do
        rm -rf found
        status 1 env STUB_PLANT=$plant STUB_LEVEL=4 "$WARPCHECK" cross kernels gpu --size large --count 80 --jobs 2 --out found
        holds out 'verdict compiler; reduced: '
        lacks out 'verdict (executor|generator|gone)'
        holds out "^[0-9]+ kernels?: 'gpu-level4-.*', verdict compiler$"
        [ $plant != 9 ] || holds out "other memory; as 'gpu-level4-memory-shfl.sync.up.b32-.*without .* its shfl.sync.up.b32 it agrees$"
        checks=$((checks + 1))
        [ "$(find found -name finding.txt | wc -l)" -le 2 ] || fail "defect $plant has many folders: $(ls found)"
    done
    # what is known from an earlier run is counted, and not reduced again
    status 1 env STUB_PLANT=9 STUB_LEVEL=4 "$WARPCHECK" cross kernels gpu --size large --count 80 --jobs 2 --out found2
    status 1 env STUB_PLANT=9 STUB_LEVEL=4 "$WARPCHECK" cross kernels gpu --size large --count 80 --jobs 2 --out found2
    lacks out 'reduced: '
    holds out "^[0-9]+ kernels?: 'gpu-level4-memory-.*', verdict compiler, known before$"
    holds out "other memory; as 'gpu-level4-memory-shfl.sync.up.b32-.*without .* its shfl.sync.up.b32 it agrees$"
    # another defect is not taken for it
    status 1 env STUB_PLANT=20 STUB_LEVEL=4 "$WARPCHECK" cross kernels gpu --size large --count 80 --jobs 2 --out found2
    holds out 'reduced: .*redux.sync'
    name=$(find found -name finding.txt | head -n 1)
    checks=$((checks + 1))
    [ "$(wc -l <"$(dirname "$name")/kernel.ptx")" -lt 90 ] || fail "not reduced: $name"
    cp "$name" finding.txt
    holds finding.txt '^verdict: compiler: '
    holds finding.txt '^gpu at level 0: agrees with the executor'
    holds finding.txt '^gpu at level 4: '
    holds finding.txt '^device: a driver without a device, sm_90, driver '
    holds finding.txt '^shown without warpcheck: cc -o launch launch.c -ldl && ./launch 5 4$'
    cp "$(dirname "$name")/launch.c" launch.c
    holds launch.c '; memory as it is given\.$'
    # the program that is kept shows it by itself, and nothing where there is no defect
    cd "$(dirname "$name")" || exit 1
    status 0 "${CC:-cc}" -o launch launch.c -ldl
    status 0 ./launch
    status 1 env STUB_PLANT=21 ./launch
    status 0 "$WARPCHECK" replay . # whatever was built there
    status 1 env STUB_PLANT=21 STUB_LEVEL=4 ./launch 5
    status 0 env STUB_PLANT=21 STUB_LEVEL=4 ./launch 5 0
    status 1 env STUB_PLANT=21 STUB_LEVEL=0 ./launch 5 0
    cd "$WORK" || exit 1
    status 1 env STUB_PLANT=9 "$WARPCHECK" cross kernels gpu --size large --count 40 --jobs 2 --out both
    holds out 'verdict executor; reduced: '
    status 1 env STUB_PLANT=9 "$WARPCHECK" cross kernels gpu --size large --count 40 --jobs 2 --time 0
    holds out 'verdict executor so far; not reduced: the time is over'
    status 1 env WARPCHECK_GPU_PLANT=redux.sync.add=redux.sync.max "$WARPCHECK" cross kernels gpu --size large --count 80 --time 0
    holds out 'A DEFECT IS PLANTED'
    usage 'keeps no answers while' env WARPCHECK_GPU_PLANT=a=b "$WARPCHECK" cross kernels gpu --record x
    # kernels without an end: found and reduced; when they are many, the rest is not asked, and that is no agreement
    status 1 env STUB_HANG=redux.sync.xor STUB_LEVEL=4 "$WARPCHECK" cross kernels gpu --size large --count 40 --jobs 2 --time 8 --out hung
    holds out '^DIFFERENT: kernel [0-9]* at level 4: hung$'
    holds out 'verdict compiler; reduced: .*gpu-level4-hung-redux.sync.xor'
    status 1 env STUB_HANG=.entry "$WARPCHECK" cross kernels gpu --count 400 --jobs 2 --time 0
    holds out '^DIFFERENT: kernel [0-9]* at level 0: hung; verdict open so far; not reduced'
    holds out ' kernels differ and were not reduced .not-reduced.txt.; verdicts so far: [0-9]+ open$'
    holds findings/not-reduced.txt '^[0-9]+ 0x1 hung open '
    holds out '^not asked: [1-9][0-9]*, because [0-9]+ launches before had hung or faulted, more than one in 20$'
    lacks out 'another level agrees'
    status 1 env STUB_NOISE=1 "$WARPCHECK" cross kernels gpu --size large --count 4 --jobs 1 --out noise
    holds out 'verdict generator; reduced: '
    status 1 env STUB_REFUSE=redux.sync.xor "$WARPCHECK" cross kernels gpu --size large --count 60 --jobs 2 --out refused
    holds out 'refused .*CUDA_ERROR_INVALID_PTX'
    unset LD_LIBRARY_PATH
fi

# an assembler that refuses legal text, one that crashes, and one that is right
cat >right <<'X'
#!/bin/sh
for f; do
    case $f in *.ptx) grep -q no.such.instruction "$f" && exit 1 ;; *.cubin) echo compiled >"$f" ;; esac
done
exit 0
X
cat >refusing <<'X'
#!/bin/sh
for f; do
    case $f in *.ptx) grep -q redux.sync.xor "$f" && echo "ptxas $f, line 3; error   : no xor today" && exit 1 ;; esac
done
exec ./right "$@"
X
printf '#!/bin/sh\nfor f; do case $f in *.ptx) grep -q brx.idx "$f" && kill -SEGV $$;; esac; done\nexec ./right "$@"\n' >crashing
cat >old <<'X'
#!/bin/sh
echo 'ptxas module.ptx, line 1; fatal   : Unsupported .version 8.0; current version is 7.4'
exit 255
X
chmod +x refusing crashing right old
status 1 env WARPCHECK_PTXAS=./refusing "$WARPCHECK" cross kernels ptxas --size large --count 40 --jobs 2 --out asm
holds out 'refused no xor today'
holds out 'reduced: .asm/ptxas-level[03]-refused-redux.sync.xor'
status 1 env WARPCHECK_PTXAS=./crashing "$WARPCHECK" cross kernels ptxas --size large --count 40 --jobs 2 --out asm2
holds out 'faulted .*SIGSEGV'
status 0 env WARPCHECK_PTXAS=./right "$WARPCHECK" cross kernels ptxas --size large --count 40 --jobs 2
holds out '^compared: that each is compiled; nothing was executed but by the executor$'
status 0 env WARPCHECK_PTXAS=./right "$WARPCHECK" cross kernels ptxas --target sm_60 --count 4 --jobs 1
holds out '^compared: that each is compiled, for sm_75, which is the oldest target of ptxas; '
usage 'the finding of a kernel: finding.txt tells it' "$WARPCHECK" show asm/*
# one that hangs: only what it was seen to hang at is told as that, whatever module it stands in; when it has hung at
# many of a module, what else may be one is not asked
for word in brx.idx setp.lt; do
    printf '#!/bin/sh\nfor f; do case $f in *.ptx) grep -q %s "$f" && exec sleep 100;; esac; done\nexec ./right "$@"\n' \
        $word >hanging_$word
    chmod +x hanging_$word
    WARPCHECK_PTXAS=./hanging_$word "$WARPCHECK" cross kernels ptxas --seed 4 --count 20 --module 20 --levels 0 --jobs 1 \
        --time 0 --out hung_$word >hung_$word.txt 2>&1 &
done
wait
holds hung_brx.idx.txt '^DIFFERENT: kernel 10 at level 0: hung; verdict compiler so far; not reduced'
holds hung_brx.idx.txt ': 1 answers differ, of 1 kernels$'
lacks hung_brx.idx.txt 'not asked'
holds hung_setp.lt.txt ': 4 answers differ, of 4 kernels$'
holds hung_setp.lt.txt '^not asked: [1-9][0-9]*, because '
lacks hung_setp.lt.txt 'kernel ([0-4]|[678]|1[0-24-6]) at'
# one that knows no such version or target is not there; and what an old target lacks is not written for it
status 2 env WARPCHECK_PTXAS=./old "$WARPCHECK" cross kernels ptxas --count 4 --jobs 1
holds err 'UNAVAILABLE: ./old takes no PTX of this version and target: .*Unsupported .version'
status 0 "$WARPCHECK" gen kernel --target sm_30 --size wide --count 60 --out old_suite
checks=$((checks + 1))
! grep -lE '^(lop3|shf[.]|ld.global.nc)' old_suite/kernels/*.ptx || fail 'sm_30 has no lop3, shf, ld.global.nc'

finish
