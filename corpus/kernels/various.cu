// Mistakes in many shapes: roles of warps, tiles used wrongly, stale masks, tails, calls, two and three dimensions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cassert>
#include <cstdio>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu

template <class T> struct Pair {
    T value;
    int index;
};

// Two 32-bit halves of a double, as code for old compilers does it.
__device__ double shuffle_double(unsigned mask, double v, int delta)
{
    int low = __shfl_down_sync(mask, __double2loint(v), delta);
    int high = __shfl_down_sync(mask, __double2hiint(v), delta);
    return __hiloint2double(high, low);
}

template <class T, class Op> __device__ T warp_reduce(unsigned mask, T v, Op op)
{
    for (int d = 16; d; d >>= 1)
        v = op(v, __shfl_xor_sync(mask, v, d));
    return v;
}

__device__ __noinline__ int sum_of_warp(int v)
{
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(FULL, v, d);
    return v;
}
__device__ __noinline__ int maybe_sum(int v, int limit)
{
    return v < limit ? sum_of_warp(v) : v;
}
__device__ __noinline__ int always_sum(int v, int limit)
{
    int s = sum_of_warp(v < limit ? v : 0);
    return v < limit ? s : v;
}

template <class F> __device__ __forceinline__ int per_item(int n, F f)
{
    int r = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        r += f(i);
    return r;
}

extern "C" {

// Producer and consumer warps: the consumers wait at the block's barrier, not at theirs.
__global__ void __launch_bounds__(64) bad_deadlock_roles(int *out, const int *in, int rounds)
{
    __shared__ int stage[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    rounds &= 3;
    for (int r = 0; r <= rounds; r++) {
        if (warp == 0) {
            stage[lane] = in[r * 32 + lane];
            asm volatile("bar.sync 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 2, 64;" ::: "memory");
            out[r * 32 + lane] = stage[lane];
        }
        __syncthreads();
    }
}
__global__ void __launch_bounds__(64) good_roles(int *out, const int *in, int rounds)
{
    __shared__ int stage[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    rounds &= 3;
    for (int r = 0; r <= rounds; r++) {
        if (warp == 0) {
            stage[lane] = in[r * 32 + lane];
            asm volatile("bar.sync 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[r * 32 + lane] = stage[lane];
        }
        __syncthreads();
    }
}

// A tile of 16 whose code says 32 lanes by hand; only the even tiles work.
__global__ void bad_deadlock_tile_full_mask(float *out, const float *in, int n)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    float v = in[threadIdx.x];
    if (tile.meta_group_rank() % 2 == 0) {
        v += __shfl_down_sync(FULL, v, 8, 16);
        v += tile.shfl_down(v, 4);
    }
    __syncthreads();
    out[threadIdx.x] = tile.thread_rank() == 0 ? v : 0;
}
__global__ void good_tile_full_mask(float *out, const float *in, int n)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    float v = in[threadIdx.x];
    if (tile.meta_group_rank() % 2 == 0) {
        float w = tile.shfl_down(v, 8);
        v += tile.thread_rank() < 8 ? w : 0;
    }
    __syncthreads();
    out[threadIdx.x] = tile.thread_rank() == 0 ? v : 0;
}

// A list walked by each lane: the vote asks all lanes in each turn.
__global__ void bad_deadlock_walk(int *out, const int *next)
{
    int at = threadIdx.x & 31, hops = 0;
    while (at > 0 && hops < 64) {
        at = next[at] & (at - 1);
        hops++;
        if (__all_sync(FULL, at == 0))
            break;
    }
    __syncwarp();
    out[threadIdx.x] = hops;
}
__global__ void good_walk(int *out, const int *next)
{
    int at = threadIdx.x & 31, hops = 0;
    while (__any_sync(FULL, at > 0)) {
        if (at > 0) {
            at = next[at] & (at - 1);
            hops++;
        }
    }
    out[threadIdx.x] = hops;
}

// Returns early, then a shuffle, then a block barrier. Lanes that are gone are read.
__global__ void bad_unpredictable_guard_return(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float v = in[y * width + x];
    float right = __shfl_down_sync(__activemask(), v, 1);
    out[y * width + x] = right - v;
}
__global__ void good_guard_return(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    bool inside = x < width && y < height;
    float v = inside ? in[y * width + x] : 0;
    float right = __shfl_down_sync(FULL, v, 1);
    if (inside)
        out[y * width + x] = right - v;
}

// The mask of a ballot that was taken before the lanes went apart again.
__global__ void bad_undefined_stale_ballot(int *out, const int *in)
{
    int v = in[threadIdx.x];
    unsigned mask = __ballot_sync(FULL, v & 1);
    if (v & 2) {
        v = __shfl_sync(mask, v, __ffs(mask) - 1);
    }
    out[threadIdx.x] = v;
}
__global__ void good_stale_ballot(int *out, const int *in)
{
    int v = in[threadIdx.x];
    unsigned mask = __ballot_sync(FULL, v & 2);
    if (v & 2) {
        v = __shfl_sync(mask, v, __ffs(mask) - 1);
    }
    out[threadIdx.x] = v;
}

// The active lanes of the loop's first turn, kept for all turns.
__global__ void bad_deadlock_activemask_of_loop(int *out, const int *in)
{
    int left = in[threadIdx.x] & 7, best = -1;
    unsigned mask = __activemask();
    for (int turn = 0; turn < left; turn++)
        best = max(best, __shfl_xor_sync(mask, left, 1));
    __syncwarp();
    out[threadIdx.x] = best;
}
__global__ void good_activemask_of_loop(int *out, const int *in)
{
    int left = in[threadIdx.x] & 7, best = -1;
    int turns = __reduce_max_sync(FULL, left);
    for (int turn = 0; turn < turns; turn++)
        best = max(best, __shfl_xor_sync(FULL, left, 1));
    out[threadIdx.x] = best;
}

// The tail of a reduction in shared memory, without a word between its steps.
__global__ void bad_race_tail(float *out, const float *in)
{
    extern __shared__ float part[];
    unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t < 32) {
        if (blockDim.x >= 64)
            part[t] += part[t + 32];
        part[t] += part[t + 16];
        part[t] += part[t + 8];
        part[t] += part[t + 4];
        part[t] += part[t + 2];
        part[t] += part[t + 1];
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}
__global__ void good_tail(float *out, const float *in)
{
    extern __shared__ float part[];
    unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t < 32) {
        float v = part[t];
        if (blockDim.x >= 64)
            v += part[t + 32];
        __syncwarp();
        part[t] = v;
        __syncwarp();
        for (int s = 16; s; s >>= 1) {
            if (t < s && t + s < blockDim.x)
                v += part[t + s];
            __syncwarp();
            part[t] = v;
            __syncwarp();
        }
        if (t == 0)
            out[blockIdx.x] = v;
    }
}

// Aggregated atomics: the leader adds, and everybody reads the leader of the whole warp.
__global__ void bad_unpredictable_leader(int *counter, int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    unsigned takers = __ballot_sync(FULL, v > 0);
    if (v > 0) {
        int lane = threadIdx.x & 31, base = 0;
        if (lane == __ffs(takers) - 1)
            base = atomicAdd(counter, __popc(takers));
        base = __shfl_sync(takers, base, 0);
        out[base + __popc(takers & ((1u << lane) - 1))] = v;
    }
}
__global__ void good_leader(int *counter, int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    unsigned takers = __ballot_sync(FULL, v > 0);
    if (v > 0) {
        int lane = threadIdx.x & 31, base = 0;
        if (lane == __ffs(takers) - 1)
            base = atomicAdd(counter, __popc(takers));
        base = __shfl_sync(takers, base, __ffs(takers) - 1);
        out[base + __popc(takers & ((1u << lane) - 1))] = v;
    }
}

// Groups of equal keys, and a butterfly over all lanes' numbers inside of them.
__global__ void bad_unpredictable_peers(int *out, const int *key, const int *in)
{
    unsigned peers = __match_any_sync(FULL, key[threadIdx.x]);
    int v = in[threadIdx.x];
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(peers, v, d);
    if ((threadIdx.x & 31) == __ffs(peers) - 1)
        out[key[threadIdx.x]] = v;
}
__global__ void good_peers(int *out, const int *key, const int *in)
{
    unsigned peers = __match_any_sync(FULL, key[threadIdx.x]);
    int sum = __reduce_add_sync(peers, in[threadIdx.x]);
    if ((threadIdx.x & 31) == __ffs(peers) - 1)
        out[key[threadIdx.x]] = sum;
}

// redux by those that have something, with the mask of all.
__global__ void bad_deadlock_redux_some(unsigned *out, const unsigned *in)
{
    unsigned v = in[threadIdx.x];
    if (v != 0)
        v = __reduce_min_sync(FULL, v);
    __syncthreads();
    out[threadIdx.x] = v;
}
__global__ void good_redux_some(unsigned *out, const unsigned *in)
{
    unsigned v = in[threadIdx.x];
    unsigned least = __reduce_min_sync(FULL, v != 0 ? v : FULL);
    __syncthreads();
    out[threadIdx.x] = v != 0 ? least : 0;
}

// Two calls deep, behind a condition.
__global__ void bad_deadlock_two_calls(int *out, const int *in, int limit)
{
    int r = maybe_sum(in[threadIdx.x], limit);
    __syncthreads();
    out[threadIdx.x] = r;
}
__global__ void good_two_calls(int *out, const int *in, int limit)
{
    int r = always_sum(in[threadIdx.x], limit);
    __syncthreads();
    out[threadIdx.x] = r;
}

// A block of rows: a warp is two rows of 16, and one row alone shuffles.
__global__ void bad_deadlock_row_of_16(float *out, const float *in, int rows)
{
    int x = threadIdx.x, y = threadIdx.y;
    float v = in[y * blockDim.x + x];
    if (y < rows)
        v = fmaxf(v, __shfl_xor_sync(FULL, v, 1));
    __syncthreads();
    out[y * blockDim.x + x] = v;
}
__global__ void good_row_of_16(float *out, const float *in, int rows)
{
    int x = threadIdx.x, y = threadIdx.y;
    float v = in[y * blockDim.x + x], w = fmaxf(v, __shfl_xor_sync(FULL, v, 1));
    __syncthreads();
    out[y * blockDim.x + x] = y < rows ? w : v;
}

// The last warp of a block of 48 threads is half there; the sum over it takes lanes that do not exist.
__global__ void __launch_bounds__(48) bad_unpredictable_half_warp(int *out, const int *in)
{
    int v = threadIdx.x < 48 ? in[threadIdx.x] : 0;
    for (int d = 16; d; d >>= 1)
        v += __shfl_down_sync(FULL, v, d);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = v;
}
__global__ void __launch_bounds__(48) good_half_warp(int *out, const int *in)
{
    unsigned first = threadIdx.x & ~31u, count = min(32u, blockDim.x - first);
    int v = in[threadIdx.x];
    for (int d = 16; d; d >>= 1) {
        int w = __shfl_down_sync(FULL, v, d);
        v += (threadIdx.x & 31) + d < count ? w : 0;
    }
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = v;
}

// assert and printf between ballots.
__global__ void bad_undefined_report(int *out, const int *in)
{
    int v = in[threadIdx.x];
    unsigned odd = __ballot_sync(FULL, v & 1);
    assert(in != nullptr);
    if (v < 0) {
        printf("negative %d\n", v);
        odd = __ballot_sync(odd, 1);
    }
    out[threadIdx.x] = odd;
}
__global__ void good_report(int *out, const int *in)
{
    int v = in[threadIdx.x];
    unsigned negative = __ballot_sync(FULL, v < 0), odd = __ballot_sync(FULL, v & 1);
    assert(in != nullptr);
    if (v < 0) {
        printf("negative %d\n", v);
        odd &= __ballot_sync(negative, 1);
    }
    out[threadIdx.x] = odd;
}

// A sum of halves over a group of active lanes.
__global__ void bad_unpredictable_half(__half *out, const __half *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half v = __float2half(0.f);
    if (i < n) {
        v = in[i];
        unsigned mask = __activemask();
        for (int d = 1; d < 32; d *= 2)
            v = __hadd(v, __shfl_down_sync(mask, v, d));
        if ((threadIdx.x & 31) == 0)
            out[i / 32] = v;
    }
}
__global__ void good_half(__half *out, const __half *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half v = i < n ? in[i] : __float2half(0.f);
    for (int d = 16; d; d /= 2)
        v = __hadd(v, __shfl_down_sync(FULL, v, d));
    if ((threadIdx.x & 31) == 0)
        out[i / 32] = v;
}
__global__ void bad_deadlock_bf16(float *out, const __nv_bfloat162 *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (; i < n; i += blockDim.x * gridDim.x) {
        float2 v = __bfloat1622float2(in[i]);
        sum += warp_reduce(FULL, v.x + v.y, [](float a, float b) { return a + b; });
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
__global__ void good_bf16(float *out, const __nv_bfloat162 *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (; i < n; i += blockDim.x * gridDim.x) {
        float2 v = __bfloat1622float2(in[i]);
        sum += v.x + v.y;
    }
    sum = warp_reduce(FULL, sum, [](float a, float b) { return a + b; });
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

// A double in two halves, read from lanes that are not in the mask.
__global__ void bad_unpredictable_double(double *out, const double *in)
{
    double v = in[threadIdx.x];
    if ((threadIdx.x & 31) < 24) {
        for (int d = 16; d; d >>= 1)
            v += shuffle_double(0x00ffffffu, v, d);
        if ((threadIdx.x & 31) == 0)
            out[threadIdx.x / 32] = v;
    }
}
__global__ void good_double(double *out, const double *in)
{
    double v = (threadIdx.x & 31) < 24 ? in[threadIdx.x] : 0;
    for (int d = 16; d; d >>= 1)
        v += shuffle_double(FULL, v, d);
    if ((threadIdx.x & 31) == 0)
        out[threadIdx.x / 32] = v;
}

// Value and index, two shuffles: the second in a branch of those whose value changed.
__global__ void bad_deadlock_argmax(int *out, const float *in)
{
    Pair<float> best = {in[threadIdx.x], (int)threadIdx.x};
    for (int d = 16; d; d >>= 1) {
        float v = __shfl_xor_sync(FULL, best.value, d);
        if (v > best.value) {
            best.index = __shfl_xor_sync(FULL, best.index, d);
            best.value = v;
        }
    }
    __syncthreads();
    out[threadIdx.x] = best.index;
}
__global__ void good_argmax(int *out, const float *in)
{
    Pair<float> best = {in[threadIdx.x], (int)threadIdx.x};
    for (int d = 16; d; d >>= 1) {
        Pair<float> other = {__shfl_xor_sync(FULL, best.value, d), __shfl_xor_sync(FULL, best.index, d)};
        if (other.value > best.value)
            best = other;
    }
    __syncthreads();
    out[threadIdx.x] = best.index;
}

// Decoupled look-back: the window's lanes vote; those that have run past the first tile do not.
__global__ void bad_deadlock_look_back(int *prefix, const int *status, int tile)
{
    int lane = threadIdx.x & 31, at = (tile & 63) - 1 - lane, sum = 0;
    while (at >= 0) {
        int s = status[at];
        sum += s & 0xff;
        unsigned done = __ballot_sync(FULL, s & 0x100);
        if (done)
            break;
        at -= 32;
    }
    __syncwarp();
    prefix[threadIdx.x] = sum;
}
__global__ void good_look_back(int *prefix, const int *status, int tile)
{
    int lane = threadIdx.x & 31, at = (tile & 63) - 1 - lane, sum = 0;
    for (;;) {
        int s = at >= 0 ? status[at] : 0x100;
        sum += s & 0xff;
        if (__any_sync(FULL, s & 0x100))
            break;
        at -= 32;
    }
    prefix[threadIdx.x] = sum;
}

// __syncwarp with the mask of the other half.
__global__ void bad_undefined_other_half(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x & 63, lane = t & 31;
    s[t] = in[threadIdx.x];
    if (lane < 16)
        __syncwarp(0xffff0000u);
    else
        __syncwarp(0x0000ffffu);
    out[threadIdx.x] = s[t ^ 1];
}
__global__ void good_other_half(int *out, const int *in)
{
    __shared__ int s[1024];
    int t = threadIdx.x, lane = t & 31;
    s[t] = in[threadIdx.x];
    if (lane < 16)
        __syncwarp(0x0000ffffu);
    else
        __syncwarp(0xffff0000u);
    out[threadIdx.x] = (t ^ 1) < blockDim.x ? s[t ^ 1] : 0;
}

// A partition by label inside of a branch that not all lanes of the parent take.
__global__ void bad_deadlock_parent_tile(int *out, const int *in)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[threadIdx.x], sum = 0;
    if (v != 3) {
        auto same = cg::labeled_partition(warp, v & 1);
        sum = cg::reduce(same, v, cg::plus<int>());
    }
    warp.sync();
    out[threadIdx.x] = sum;
}
__global__ void good_parent_tile(int *out, const int *in)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[threadIdx.x], sum = 0;
    if (v != 3) {
        auto here = cg::coalesced_threads();
        auto same = cg::labeled_partition(here, v & 1);
        sum = cg::reduce(same, v, cg::plus<int>());
    }
    warp.sync();
    out[threadIdx.x] = sum;
}

// A block barrier that a warp's lanes come to in different turns.
__global__ void bad_barrier_turns(int *out, const int *in, int n)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&total, in[i]);
        __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = total;
}
__global__ void good_barrier_turns(int *out, const int *in, int n)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    for (int base = 0; base < n; base += blockDim.x) {
        if (base + threadIdx.x < n)
            atomicAdd(&total, in[base + threadIdx.x]);
        __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = total;
}

// A transpose through shared memory inside of a warp: the read of the next turn meets the write of this one.
__global__ void bad_race_transpose_rounds(int *out, const int *in, int rounds)
{
    __shared__ int s[32][33];
    int lane = threadIdx.x & 31;
    if (threadIdx.x >= 32)
        return;
    for (int r = 0; r <= (rounds & 1); r++) {
        for (int k = 0; k < 32; k++)
            s[k][lane] = in[r * 1024 + k * 32 + lane];
        __syncwarp();
        for (int k = 0; k < 32; k++)
            out[r * 1024 + lane * 32 + k] = s[lane][k];
    }
}
__global__ void good_transpose_rounds(int *out, const int *in, int rounds)
{
    __shared__ int s[32][33];
    int lane = threadIdx.x & 31;
    if (threadIdx.x >= 32)
        return;
    for (int r = 0; r <= (rounds & 1); r++) {
        for (int k = 0; k < 32; k++)
            s[k][lane] = in[r * 1024 + k * 32 + lane];
        __syncwarp();
        for (int k = 0; k < 32; k++)
            out[r * 1024 + lane * 32 + k] = s[lane][k];
        __syncwarp();
    }
}

// One lane fills a queue of the warp, all take from it.
__global__ void bad_race_queue(int *out, const int *in)
{
    __shared__ int queue[32][4];
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    if (lane == 0)
        for (int k = 0; k < 4; k++)
            queue[warp][k] = in[warp * 4 + k] + 1;
    out[threadIdx.x] = queue[warp][lane & 3];
}
__global__ void good_queue(int *out, const int *in)
{
    __shared__ int queue[32][4];
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    if (lane == 0)
        for (int k = 0; k < 4; k++)
            queue[warp][k] = in[warp * 4 + k] + 1;
    __syncwarp();
    out[threadIdx.x] = queue[warp][lane & 3];
}

// A mask made of a count: of 32 the shift is 0.
__global__ void bad_undefined_count_mask(int *out, const int *in, int count)
{
    int lane = threadIdx.x & 31, v = in[threadIdx.x];
    count = min(max(count, 1), 32);
    unsigned mask = (1u << (count & 31)) - 1;
    if (lane < count)
        v = __any_sync(mask, v == 0);
    out[threadIdx.x] = v;
}
__global__ void good_count_mask(int *out, const int *in, int count)
{
    int lane = threadIdx.x & 31, v = in[threadIdx.x];
    count = min(max(count, 1), 32);
    unsigned mask = FULL >> (32 - count);
    if (lane < count)
        v = __any_sync(mask, v == 0);
    out[threadIdx.x] = v;
}
// A lambda with a shuffle inside a strided loop.
__global__ void bad_deadlock_lambda(int *out, const int *in, int n)
{
    int r = per_item(n, [&](int i) { return __shfl_xor_sync(FULL, in[i], 1); });
    __syncthreads();
    out[threadIdx.x] = r;
}
__global__ void good_lambda(int *out, const int *in, int n)
{
    int up = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
    int r = per_item(up, [&](int i) { return __shfl_xor_sync(FULL, i < n ? in[i] : 0, 1); });
    __syncthreads();
    out[threadIdx.x] = r;
}
// A switch with votes in two cases of different kinds.
__global__ void bad_deadlock_switch(int *out, const int *in)
{
    int v = in[threadIdx.x], r = 0;
    switch (v & 3) {
    case 0:
        r = __any_sync(FULL, v > 4);
        break;
    case 1:
        r = __all_sync(FULL, v > 4);
        break;
    default:
        r = __popc(__ballot_sync(FULL, v > 4));
    }
    __syncwarp();
    out[threadIdx.x] = r;
}
// An inclusive scan where lanes at or above count have left.
__global__ void bad_unpredictable_scan_down(int *out, const int *in, int count)
{
    int lane = threadIdx.x & 31;
    if ((int)threadIdx.x >= count)
        return;
    int v = in[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        int w = __shfl_down_sync(FULL, v, d);
        if (lane + d < 32)
            v += w;
    }
    out[threadIdx.x] = v;
}
__global__ void good_scan_up(int *out, const int *in, int count)
{
    int lane = threadIdx.x & 31;
    if ((int)threadIdx.x >= count)
        return;
    int v = in[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        int w = __shfl_up_sync(FULL, v, d);
        if (lane >= d)
            v += w;
    }
    out[threadIdx.x] = v;
}
// A scan that rests on volatile words and lanes in step.
__global__ void bad_race_volatile_scan(int *out, const int *in)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = 0;
        s[t + 32] = in[t];
        int v = s[t + 32];
        v += s[t + 31];
        s[t + 32] = v;
        v += s[t + 30];
        s[t + 32] = v;
        v += s[t + 28];
        s[t + 32] = v;
        v += s[t + 24];
        s[t + 32] = v;
        v += s[t + 16];
        s[t + 32] = v;
        out[t] = v;
    }
}
// Atomics and a plain read without an order.
__global__ void bad_race_atomic_then_read(int *out, const int *in)
{
    __shared__ int c[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    if (lane == 0)
        c[warp] = 0;
    __syncwarp();
    if (in[threadIdx.x] & 1)
        atomicAdd(&c[warp], 1);
    out[threadIdx.x] = c[warp];
}
__global__ void good_atomic_then_read(int *out, const int *in)
{
    __shared__ int c[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    if (lane == 0)
        c[warp] = 0;
    __syncwarp();
    if (in[threadIdx.x] & 1)
        atomicAdd(&c[warp], 1);
    __syncwarp();
    out[threadIdx.x] = c[warp];
}
// An unpredictable value through shared memory and a second shuffle.
__global__ void bad_unpredictable_through_shared(int *out, const int *in)
{
    __shared__ int s[1024];
    int lane = threadIdx.x & 31, v = in[threadIdx.x];
    if (lane < 16)
        v = __shfl_sync(0xffff, v, lane + 8);
    s[threadIdx.x] = v;
    __syncwarp();
    v = s[threadIdx.x ^ 1];
    v = __shfl_xor_sync(FULL, v, 4);
    out[threadIdx.x] = v;
}
__global__ void bad_unpredictable_loop_bound(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
    if (i >= n)
        return;
    int turns = __shfl_down_sync(FULL, in[i] & 7, 1);
    for (int k = 0; k < turns; k++)
        s += k * in[k];
    out[i] = s;
}
__global__ void bad_unpredictable_vote(int *out, const int *in)
{
    int lane = threadIdx.x & 31, v = in[threadIdx.x];
    if (lane & 1) {
        int w = __shfl_down_sync(0xaaaaaaaau, v, 1);
        if (__any_sync(0xaaaaaaaau, w > 3))
            out[threadIdx.x] = 1;
    }
}
__global__ void bad_deadlock_scan_tile(int *out, const int *in, int n)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = threadIdx.x, r = 0;
    if (i < n)
        r = cg::exclusive_scan(tile, in[i]);
    tile.sync();
    out[i] = r;
}
__global__ void good_scan_tile(int *out, const int *in, int n)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = threadIdx.x, r = 0;
    r = cg::exclusive_scan(tile, i < n ? in[i] : 0);
    tile.sync();
    out[i] = r;
}
// A block of three dimensions.
__global__ void bad_deadlock_3d(int *out, const int *in)
{
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), v = in[t];
    if (threadIdx.z & 1)
        v = __shfl_xor_sync(FULL, v, 3);
    __syncthreads();
    out[t] = v;
}
}
