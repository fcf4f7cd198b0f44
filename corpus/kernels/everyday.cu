// Masks, tiles, rows and tails as people write them every day, wrong and right.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu

// The shift is made of the thread's number, not of the lane's: from the second warp on the mask is 0.
extern "C" __global__ void bad_undefined_tile_shift(const int *in, int *out)
{
    int t = threadIdx.x;
    unsigned mask = 0xffu << (t / 8 * 8);
    int v = in[t];
    v += __shfl_xor_sync(mask, v, 4, 8);
    v += __shfl_xor_sync(mask, v, 2, 8);
    out[t] = v;
}
extern "C" __global__ void good_tile_shift(const int *in, int *out)
{
    int t = threadIdx.x;
    unsigned mask = 0xffu << ((t & 31) / 8 * 8);
    int v = in[t];
    v += __shfl_xor_sync(mask, v, 4, 8);
    v += __shfl_xor_sync(mask, v, 2, 8);
    out[t] = v;
}

// The lanes below are without the own one.
extern "C" __global__ void bad_undefined_lanes_below(const int *in, int *out)
{
    unsigned lane = threadIdx.x & 31, below = (1u << lane) - 1;
    int v = in[threadIdx.x];
    if (v > 2)
        out[threadIdx.x] = __any_sync(below, v > 3);
}
extern "C" __global__ void good_lanes_below(const int *in, int *out)
{
    unsigned lane = threadIdx.x & 31, below = (1u << lane) - 1;
    int v = in[threadIdx.x];
    unsigned larger = __ballot_sync(FULL, v > 3);
    if (v > 2)
        out[threadIdx.x] = (larger & below) != 0;
}

// The mask was voted for with another array's predicate.
extern "C" __global__ void bad_undefined_other_predicate(const int *in, const int *other, int *out)
{
    int t = threadIdx.x, a = in[t], b = other[t];
    unsigned mask = __ballot_sync(FULL, a > 0);
    if (b > 0)
        out[t] = __popc(__match_any_sync(mask, a));
}
extern "C" __global__ void good_other_predicate(const int *in, const int *other, int *out)
{
    int t = threadIdx.x, a = in[t], b = other[t];
    unsigned mask = __ballot_sync(FULL, b > 0);
    if (b > 0)
        out[t] = __popc(__match_any_sync(mask, a));
}

// One lane too many comes.
extern "C" __global__ void bad_undefined_one_more(const float *in, float *out, int n)
{
    int t = threadIdx.x;
    unsigned mask = n >= 32 ? FULL : (1u << n) - 1;
    if (t <= n) {
        float v = in[t];
        v += __shfl_xor_sync(mask, v, 0);
        out[t] = v;
    }
}

// Each warp has a mask of its own.
extern "C" __global__ void bad_undefined_mask_of_warp_0(const int *in, int *out)
{
    __shared__ unsigned mask;
    int t = threadIdx.x, p = in[t] & 1;
    unsigned mine = __ballot_sync(FULL, p);
    if (t == 0)
        mask = mine;
    __syncthreads();
    if (p)
        out[t] = __reduce_add_sync(mask, in[t]);
}
extern "C" __global__ void good_mask_of_each_warp(const int *in, int *out)
{
    __shared__ unsigned mask[32];
    int t = threadIdx.x, p = in[t] & 1;
    unsigned mine = __ballot_sync(FULL, p);
    if (t % 32 == 0)
        mask[t / 32] = mine;
    __syncthreads();
    if (p)
        out[t] = __reduce_add_sync(mask[t / 32], in[t]);
}

// The leader has left the mask, and still takes part.
extern "C" __global__ void bad_undefined_without_leader(const int *in, int *out)
{
    int t = threadIdx.x;
    unsigned those = __ballot_sync(FULL, in[t] != 0);
    if (in[t] != 0) {
        unsigned rest = those & (those - 1);
        out[t] = __shfl_sync(rest, in[t], __ffs(those) - 1);
    }
}
extern "C" __global__ void good_with_leader(const int *in, int *out)
{
    int t = threadIdx.x;
    unsigned those = __ballot_sync(FULL, in[t] != 0);
    if (in[t] != 0)
        out[t] = __shfl_sync(those, in[t], __ffs(those) - 1);
}

// A function takes the mask; the caller gives one of other lanes.
__device__ __noinline__ bool agree(unsigned mask, int v)
{
    int p;
    __match_all_sync(mask, v, &p);
    return p;
}
extern "C" __global__ void bad_undefined_mask_for_function(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t];
    unsigned mask = __ballot_sync(FULL, v > 7);
    if (v > 4)
        out[t] = agree(mask, v);
}
extern "C" __global__ void good_mask_for_function(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t];
    unsigned mask = __ballot_sync(FULL, v > 4);
    if (v > 4)
        out[t] = agree(mask, v);
}

// A named barrier counts a warp that never comes.
extern "C" __global__ void bad_deadlock_named_count(const int *in, int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 64) {
        asm volatile("bar.sync 1, 96;" ::: "memory");
        out[t] = s[63 - t];
    }
    __syncthreads();
    out[t] += s[t];
}
extern "C" __global__ void good_named_count(const int *in, int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t] = s[63 - t];
    }
    __syncthreads();
    out[t] += s[t];
}

// Pairs of warps meet as often as each of them has turns.
extern "C" __global__ void bad_deadlock_warp_turns(const int *in, int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x, turns = (t / 32 & 1) + 1;
    for (int i = 0; i < turns; i++) {
        s[t] = in[t] + i;
        asm volatile("bar.sync 0, 64;" ::: "memory");
        out[t] = s[t ^ 32];
    }
}

// Warps hand data on by two named barriers.
extern "C" __global__ void good_hand_over(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (blockDim.x != 64)
        return;
    if (t < 32) {
        s[t] = in[t];
        asm volatile("bar.arrive 1, 64;\n\tbar.sync 2, 64;" ::: "memory");
        out[t] = s[t + 32];
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        s[t] = s[t - 32] * 2;
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
}

// Each lane has its own number of turns, as data want it.
extern "C" __global__ void bad_deadlock_gcd(const unsigned *in, unsigned *out)
{
    int t = threadIdx.x;
    unsigned a = in[t], b = in[t + 64] & 15, units = 0;
    while (b) {
        unsigned r = a % b;
        a = b;
        b = r;
        units |= __ballot_sync(FULL, r == 1);
    }
    __syncwarp();
    out[t] = a + units;
}
extern "C" __global__ void good_gcd(const unsigned *in, unsigned *out)
{
    int t = threadIdx.x;
    unsigned a = in[t], b = in[t + 64] & 15, units = 0;
    while (__any_sync(FULL, b != 0)) {
        unsigned r = b ? a % b : 0;
        if (b)
            a = b;
        b = r;
        units |= __ballot_sync(FULL, r == 1);
    }
    out[t] = a + units;
}
extern "C" __global__ void bad_deadlock_continue(const int *in, int *out)
{
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 4; i++) {
        int v = in[i * 32 + t];
        if (v == 0)
            continue;
        sum += __reduce_max_sync(FULL, v);
    }
    __syncthreads();
    out[t] = sum;
}
extern "C" __global__ void good_continue(const int *in, int *out)
{
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 4; i++) {
        int v = in[i * 32 + t];
        if (__all_sync(FULL, v == 0))
            continue;
        sum += __reduce_max_sync(FULL, v);
    }
    __syncthreads();
    out[t] = sum;
}
extern "C" __global__ void bad_deadlock_csr(const int *begin, const int *column, const float *value, const float *x,
                                            float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row < rows)
        for (int i = begin[row]; i < begin[row + 1]; i++) {
            float v = value[i] * x[column[i]];
            sum += v + __shfl_xor_sync(FULL, v, 1);
        }
    __syncthreads();
    y[row] = sum;
}

// Each lane waits for the next one, with a mask of the two.
extern "C" __global__ void bad_deadlock_next_of_each(const int *in, int *out)
{
    int t = threadIdx.x, lane = t & 31, next = (lane + 1) & 31;
    out[t] = __shfl_sync(1u << lane | 1u << next, in[t], next);
}

// A plane whose right edge is no multiple of a warp.
extern "C" __global__ void bad_deadlock_plane(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float v = in[y * w + x];
        out[y * w + x] = fmaxf(v, __shfl_xor_sync(FULL, v, 1));
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[w * h] = 1;
}
extern "C" __global__ void good_plane(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    bool inside = x < w && y < h;
    float v = inside ? in[y * w + x] : -1e30f;
    v = fmaxf(v, __shfl_xor_sync(FULL, v, 1));
    if (inside)
        out[y * w + x] = v;
}

// The lanes that are here now are not neighbours.
extern "C" __global__ void bad_unpredictable_up_of_active(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (in[t] > n) {
        int v = in[t + 1024];
        out[t] = v - __shfl_up_sync(__activemask(), v, 1);
    }
}
extern "C" __global__ void good_up_discarded(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(FULL, t < n);
    if (t < n) {
        int v = in[t], before = __shfl_up_sync(mask, v, 1);
        out[t] = t & 31 ? v - before : v;
    }
}

// 64 bits are two shuffles.
extern "C" __global__ void bad_unpredictable_largest_64(const unsigned long long *in, unsigned long long *out, int n)
{
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(FULL, t < n);
    if (t >= n)
        return;
    unsigned long long v = in[t];
    for (int d = 16; d; d /= 2) {
        unsigned long long w = __shfl_down_sync(mask, v, d);
        v = w > v ? w : v;
    }
    if (t == 0)
        out[0] = v;
}
extern "C" __global__ void good_bitonic_64(const unsigned long long *in, unsigned long long *out)
{
    int t = threadIdx.x, lane = t & 31;
    unsigned long long v = in[t];
    for (int k = 2; k <= 8; k *= 2)
        for (int j = k / 2; j; j /= 2) {
            unsigned long long w = __shfl_xor_sync(FULL, v, j);
            bool up = (lane & k) == 0, low = (lane & j) == 0;
            v = (low == up) == (v < w) ? v : w;
        }
    out[t] = v;
}

__device__ __noinline__ int take(unsigned mask, int v, int lane)
{
    return __shfl_sync(mask, v, lane);
}
extern "C" __global__ void bad_unpredictable_taken_by_function(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t];
    unsigned mask = __ballot_sync(FULL, v & 1);
    if (v & 1)
        out[t] = take(mask, v, (t + 1) & 31);
}
extern "C" __global__ void good_taken_by_function(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t];
    unsigned mask = __ballot_sync(FULL, v & 1);
    if (v & 1)
        out[t] = take(mask, v, __ffs(mask) - 1);
}

// Through packed halves, and through shared memory into a branch.
extern "C" __global__ void bad_unpredictable_half2_sum(const __half2 *in, __half2 *out, int n)
{
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(FULL, t < n);
    if (t >= n)
        return;
    __half2 v = in[t];
    for (int d = 16; d; d /= 2)
        v = __hadd2(v, __shfl_down_sync(mask, v, d));
    if (t == 0)
        out[0] = v;
}
extern "C" __global__ void good_half2_sum(const __half2 *in, __half2 *out, int n)
{
    int t = threadIdx.x;
    __half2 v = t < n ? in[t] : __float2half2_rn(0.0f);
    for (int d = 16; d; d /= 2)
        v = __hadd2(v, __shfl_down_sync(FULL, v, d));
    if (t == 0)
        out[0] = v;
}
extern "C" __global__ void bad_unpredictable_bf16_shared(const __nv_bfloat162 *in, float *out, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x & 31;
    unsigned mask = __ballot_sync(FULL, t < n);
    __nv_bfloat162 v = in[t];
    if (t < n)
        v = __shfl_xor_sync(mask, v, 8);
    s[t] = __low2float(v) + __high2float(v);
    __syncwarp();
    if (s[31 - t] > 1.0f)
        out[t] = 1.0f;
}

// It chooses where to write, or is voted about.
extern "C" __global__ void bad_unpredictable_chosen_array(const int *in, int *out, int n)
{
    int t = threadIdx.x & 31;
    unsigned mask = __ballot_sync(FULL, t < n);
    if (t >= n)
        return;
    int *to = __shfl_sync(mask, in[t], 31 - t) > 2 ? out : out + 64;
    to[t] = 5;
}
extern "C" __global__ void bad_unpredictable_voted(const int *in, int *out, int n)
{
    int t = threadIdx.x & 31;
    unsigned mask = __ballot_sync(FULL, t < n);
    if (t >= n)
        return;
    unsigned larger = __ballot_sync(mask, __shfl_down_sync(mask, in[t], 4) > 3);
    if (t == 0)
        out[0] = larger;
}
extern "C" __global__ void good_tail_kept_out(const int *in, int *out, int n)
{
    int t = threadIdx.x & 31;
    unsigned mask = __ballot_sync(FULL, t < n);
    if (t >= n)
        return;
    int v = in[t];
    for (int d = 16; d; d /= 2) {
        int w = __shfl_down_sync(mask, v, d);
        if (t + d < n && t + d < 32)
            v += w;
    }
    if (t == 0)
        out[0] = v;
}

// Neighbours of a stencil, at the end of the data and at the edges of warps.
extern "C" __global__ void bad_unpredictable_stencil(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float c = in[i], r = __shfl_down_sync(FULL, c, 1);
    out[i] = 0.5f * (c + r);
}
extern "C" __global__ void good_stencil(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    float c = i < n ? in[i] : 0, r = __shfl_down_sync(FULL, c, 1);
    if (lane == 31)
        r = i + 1 < n ? in[i + 1] : 0;
    if (i < n)
        out[i] = 0.5f * (c + r);
}

// Two parts of a warp, each with its own mask; the partner is in the other.
extern "C" __global__ void bad_unpredictable_two_parts(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t];
    unsigned mask = __ballot_sync(FULL, v > 3);
    out[t] = __shfl_xor_sync(v > 3 ? mask : ~mask, v, 1);
}
extern "C" __global__ void good_two_parts(const int *in, int *out)
{
    int v = in[threadIdx.x];
    auto part = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), v > 3);
    out[threadIdx.x] = part.shfl(v, 0) + part.size();
}
extern "C" __global__ void bad_unpredictable_segments(const int *keys, const int *in, int *out)
{
    int t = threadIdx.x & 31, v = in[t];
    unsigned segment = __match_any_sync(FULL, keys[t]);
    for (int d = 1; d < 32; d *= 2) {
        int w = __shfl_up_sync(segment, v, d);
        if (t >= d)
            v += w;
    }
    out[t] = v;
}
extern "C" __global__ void good_segments(const int *heads, const int *in, int *out)
{
    int t = threadIdx.x & 31, v = in[t];
    unsigned starts = __ballot_sync(FULL, heads[t] & 1) | 1;
    int start = 31 - __clz(starts & FULL >> (31 - t));
    for (int d = 1; d < 32; d *= 2) {
        int w = __shfl_up_sync(FULL, v, d);
        if (t - d >= start)
            v += w;
    }
    out[t] = v;
}

// Block barriers of some lanes.
extern "C" __global__ void bad_barrier_of_cases(const int *in, int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = in[t];
    switch (in[t] & 3) {
    case 0:
        __syncthreads();
        out[t] = s[t];
        break;
    case 1:
        out[t] = 7;
        break;
    default:
        __syncthreads();
        out[t] = s[t] + 1;
        break;
    }
    out[t + 1024] = s[t] + 1;
}
extern "C" __global__ void bad_barrier_of_votes(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (in[t] > 0)
        out[t] = __syncthreads_or(in[t] > n);
    else
        out[t] = __syncthreads_and(in[t] < n);
}
extern "C" __global__ void good_barrier_votes(const int *in, int *out, int n)
{
    int t = threadIdx.x, any = __syncthreads_or(in[t] > n), all = __syncthreads_and(in[t] < n);
    out[t] = in[t] > 0 ? any : all;
}
extern "C" __global__ void bad_barrier_of_halves(const int *in, int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2)
        if (t < half) {
            s[t] += s[t + half];
            __syncthreads();
        }
    out[t] = s[t];
}

// Shared memory within a warp.
extern "C" __global__ void bad_race_vectors(const int4 *in, int *out)
{
    __shared__ int4 s[32];
    int t = threadIdx.x & 31;
    s[t] = in[t];
    out[t] = ((int *)s)[(t * 4 + 4) & 127];
}
extern "C" __global__ void bad_race_leader_writes(const int *in, int *out)
{
    __shared__ int first[32];
    int t = threadIdx.x;
    if ((t & 31) == 0)
        first[t / 32] = in[t];
    int v = first[t / 32];
    __syncwarp();
    out[t] = v;
}
extern "C" __global__ void bad_race_published_mask(const int *in, int *out)
{
    __shared__ unsigned mask;
    int t = threadIdx.x & 31;
    unsigned those = __ballot_sync(FULL, in[t] > 1);
    if (t == 5)
        mask = those;
    if (mask >> t & 1)
        out[t] = 1;
}
extern "C" __global__ void bad_race_stack(const int *in, int *out)
{
    __shared__ int stack[64], top;
    int t = threadIdx.x & 31;
    if (t == 0)
        top = 0;
    __syncwarp();
    unsigned those = __ballot_sync(FULL, in[t] > 0);
    if (in[t] > 0)
        stack[top + __popc(those & ((1u << t) - 1))] = t;
    if (t == 0)
        top += __popc(those);
    __syncwarp();
    for (int i = t; i < top; i += 32)
        out[i] = stack[i];
}
extern "C" __global__ void bad_race_other_tile(const int *in, int *out)
{
    __shared__ int s[1024];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    out[threadIdx.x] = s[threadIdx.x ^ 31];
}
extern "C" __global__ void good_own_tile(const int *in, int *out)
{
    __shared__ int s[1024];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    out[threadIdx.x] = s[threadIdx.x ^ 15];
}
extern "C" __global__ void good_volatile_sum(const int *in, int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x & 31, v = in[t];
    s[t] = v;
    s[t + 32] = 0;
    __syncwarp();
    for (int d = 16; d; d /= 2) {
        int w = s[t + d];
        __syncwarp();
        s[t] = v += w;
        __syncwarp();
    }
    if (t == 0)
        out[0] = v;
}

// What looks wrong and is not.
extern "C" __global__ void good_equal_keys_in_turn(const int *keys, int *out)
{
    int t = threadIdx.x, key = keys[t] & 7, rank = -1;
    for (unsigned todo = FULL; todo;) {
        int first = __shfl_sync(FULL, key, __ffs(todo) - 1);
        unsigned same = __ballot_sync(FULL, key == first);
        if (key == first)
            rank = __popc(same & ((1u << (t & 31)) - 1));
        todo &= ~same;
    }
    out[t] = rank;
}
extern "C" __global__ void good_each_in_turn(const int *in, int *out)
{
    int t = threadIdx.x, sum = 0;
    unsigned left = __ballot_sync(FULL, in[t] & 1);
    if (in[t] & 1)
        for (;; left &= left - 1) {
            int first = __ffs(left) - 1, v = __shfl_sync(left, in[t], first);
            if ((t & 31) == first) {
                out[t] = sum;
                break;
            }
            sum += v;
        }
}
extern "C" __global__ void good_aggregated_by_those_here(const int *in, int *out, int *count)
{
    int t = threadIdx.x;
    if (in[t] > 0) {
        unsigned mask = __activemask();
        int leader = __ffs(mask) - 1, base = 0;
        if ((t & 31) == leader)
            base = atomicAdd(count, __popc(mask));
        base = __shfl_sync(mask, base, leader);
        out[base + __popc(mask & ((1u << (t & 31)) - 1))] = t;
    }
}
extern "C" __global__ void good_four_branches(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t], r;
    switch (v & 3) {
    case 0:
        r = __shfl_sync(FULL, v, 0);
        break;
    case 1:
        r = __shfl_sync(FULL, v + 1, 0);
        break;
    case 2:
        r = __shfl_sync(FULL, v * 3, 0);
        break;
    default:
        r = __shfl_sync(FULL, v - 1, 0);
        break;
    }
    out[t] = r;
}
extern "C" __global__ void good_coalesced_within(const int *in, int *out, int *count)
{
    int v = in[threadIdx.x];
    if (v & 1) {
        auto outer = cg::coalesced_threads();
        if (v & 2) {
            auto inner = cg::coalesced_threads();
            if (inner.thread_rank() == 0)
                atomicAdd(count, inner.size());
        }
        outer.sync();
        out[threadIdx.x] = outer.shfl(v, outer.size() - 1);
    }
}
extern "C" __global__ void good_transposed_bits(const unsigned *in, unsigned *out)
{
    int lane = threadIdx.x & 31;
    unsigned v = in[threadIdx.x], column = 0;
    for (int i = 0; i < 4; i++) {
        unsigned bits = __ballot_sync(FULL, v >> i & 1);
        if (lane == i)
            column = bits;
    }
    out[threadIdx.x] = column;
}
extern "C" __global__ void good_transposed_doubles(const double *in, double *out)
{
    int t = threadIdx.x, lane = t & 31;
    out[t] = __shfl_sync(FULL, in[t], lane % 4 * 8 + lane / 4);
}
extern "C" __global__ void good_search_by_warp(const int *in, int *out, int key)
{
    int lane = threadIdx.x & 31, low = 0;
    for (int step = 32; step > 0; step /= 32) {
        int less = __popc(__ballot_sync(FULL, in[low + lane * step] < key));
        low += less ? (less - 1) * step : 0;
    }
    out[threadIdx.x] = low;
}
extern "C" __global__ void good_labeled_sums(const int *in, int *out)
{
    int v = in[threadIdx.x];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(warp, v & 3);
    int sum = cg::reduce(same, v, cg::plus<int>());
    if (same.thread_rank() == 0)
        atomicAdd(&out[v & 3], sum);
}
