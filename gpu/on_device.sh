#!/bin/sh
# Everything that needs a real GPU, in one go: sh gpu/on_device.sh OUT [BUILD]
#
# Builds with what a bare CUDA machine has (CMake, a C compiler), checks spec and fast against the GPU, shows that
# planted defects and a hung kernel are caught, records, runs the throughput mode and the emitted reproducers. Logs and
# the recording go to OUT.
set -u
source_dir=$(cd "$(dirname "$0")/.." && pwd)
out=$1
build=${2:-$out/build}
mkdir -p "$out"
log=$out/on_device.log
: >"$log"
failures=0

say() { echo "== $*" | tee -a "$log"; }

# expect STATUS COMMAND...: runs it, keeps its output, notes when the exit status is another.
expect() {
  wanted=$1
  shift
  start=$(date +%s)
  "$@" >"$out/step.txt" 2>&1
  status=$?
  cat "$out/step.txt" | tee -a "$log"
  echo "-- exit status $status, $(($(date +%s) - start)) s" | tee -a "$log"
  if [ "$status" -ne "$wanted" ]; then
    say "FAILED: expected exit status $wanted: $*"
    failures=$((failures + 1))
  fi
}

say "build"
{
  cmake -S "$source_dir" -B "$build" -DCMAKE_BUILD_TYPE=Release -DWARPCHECK_FUZZ=OFF -DWARPCHECK_SMT=OFF \
    -DWARPCHECK_BENCH=OFF -DBUILD_TESTING=OFF &&
    cmake --build "$build" -j 16 --target warpcheck
} >"$out/build.log" 2>&1 || { tail -30 "$out/build.log"; exit 2; }
grep -E -- '-- (The GPU|  |warpcheck)' "$out/build.log" | tee -a "$log"
w=$build/cli/warpcheck
work=$(mktemp -d)

say "implementations"
expect 0 "$w" list implementations

say "spec and fast against the GPU"
expect 0 "$w" cross spec gpu --seconds "${SECONDS_SPEC:-60}" --out "$out/crashes"
expect 0 "$w" cross fast gpu --seconds "${SECONDS_FAST:-30}" --seed 2 --out "$out/crashes"

expect 0 "$w" record --compare --seed 3 --cases "${CASES:-3000000}"

say "planted defects"
for plant in shfl.sync.up.b32=shfl.sync.bfly.b32 shfl.idx.b32=shfl.down.b32 vote.sync.all.pred=vote.sync.any.pred \
  match.any.sync.b32=match.all.sync.b32 redux.sync.min.s32=redux.sync.min.u32; do
  say "planted: $plant"
  WARPCHECK_GPU_PLANT=$plant expect 1 "$w" cross spec gpu --cases 20000 --only "${plant%%.*}" --out "$work/planted"
done
say "planted, throughput"
WARPCHECK_GPU_PLANT=redux.sync.min.s32=redux.sync.min.u32 \
  expect 1 "$w" record --throughput --only redux.sync --lanes 1000000

say "a kernel that hangs"
WARPCHECK_GPU_PLANT=shfl.sync.up.b32=hang WARPCHECK_GPU_TIMEOUT_MS=1500 \
  expect 1 "$w" cross spec gpu --cases 2000 --only shfl.sync --out "$work/hang"
expect 0 "$w" cross spec gpu --cases 20000 --only shfl.sync --out "$work/after"

say "record"
expect 0 "$w" record "$out/device.rec" --stored

say "throughput"
expect 0 "$w" record --throughput --lanes "${LANES:-10000000000}"

say "emitted reproducers"
cat >"$work/case1.txt" <<'CASE'
warp1 shfl.up.b32 d|p target=sm_30 exited=0x0 active=0xffff00ff a=0x0+3*32 b=0x1*32 c=0x0*32
CASE
cat >"$work/case2.txt" <<'CASE'
warp1 match.all.sync.b64 d|p target=sm_70 exited=0xf0 active=0xff0f a=0x700000001*32 membermask=0xffff*32
CASE
cat >"$work/case3.txt" <<'CASE'
warp1 vote.sync.uni.pred d !a target=sm_70 exited=0x0 active=0xf a=0x1*32 membermask=0xf*32
CASE
for i in 1 2 3; do
  "$w" emit "$work/case$i.txt" --format ptx --out "$work/case.ptx"
  "$w" emit "$work/case$i.txt" --format host --out "$work/host.c"
  "$w" emit "$work/case$i.txt" --format cuda --out "$work/case.cu"
  (cd "$work" && cc -o host host.c -ldl) || failures=$((failures + 1))
  expect 0 sh -c "cd $work && ./host"
  if command -v nvcc >/dev/null; then
    (cd "$work" && nvcc -o cuda case.cu -lcuda) 2>&1 | tee -a "$log"
    expect 0 sh -c "cd $work && ./cuda"
  else
    say "UNAVAILABLE: no nvcc, the .cu files were not built"
  fi
done

say "generated kernels"
expect 0 "$w" cross kernels gpu --count 3000 --record "$out/generated.txt" --out "$out/crashes"
expect 0 "$w" cross kernels "$out/generated.txt"
expect 0 "$w" cross kernels gpu --count "${KERNELS:-200000}" --seed 2 --out "$out/crashes"
expect 0 "$w" cross kernels gpu --size tiny --count "${KERNELS:-200000}" --seed 3 --out "$out/crashes"
expect 0 "$w" cross kernels gpu --size wide --count 10000 --seed 4 --out "$out/crashes"

say "generated kernels, planted: TEXT=OTHER or @NAME in all kernels, between the generator and the driver"
while IFS= read -r plant; do
  say "planted: $plant"
  WARPCHECK_GPU_PLANT=$plant expect 1 "$w" cross kernels gpu --size large --count 256 --jobs 8 --time 0 --out "$work/planted"
done <<'PLANTS'
@merge-branches
@invert-branch
@hoist-shuffle
@lose-guard
@invert-guard
@drop-turn
@add-turn
@own-mask
@half-mask
@full-mask
@delay-store
@repeat-atomic
setp.le=setp.lt
shfl.sync.up=shfl.sync.down
shfl.sync.bfly=shfl.sync.idx
, 31, =, 7, 
, !%p=, %p
vote.sync.all=vote.sync.any
vote.sync.any=vote.sync.all
vote.sync.uni=vote.sync.all
redux.sync.add=redux.sync.max
redux.sync.min.u32=redux.sync.min.s32
redux.sync.and=redux.sync.or
, 1, 0, %p=, 0, 1, %p
red.global.add=red.global.max
_0, S=_1, S
[b0], %v0=[b0], %v5
PLANTS

rm -rf "$work" "$out/step.txt"
say "failures: $failures"
[ "$failures" -eq 0 ]
