// What people write at warp level out of habit, wrong and right.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu

// The right side of && is for some lanes alone.
extern "C" __global__ void bad_deadlock_short_circuit(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int hit = 0;
    if (i < n && __any_sync(FULL, in[i] > 3))
        hit = 1;
    __syncthreads();
    out[i] = hit;
}
extern "C" __global__ void good_short_circuit(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int any = __any_sync(FULL, i < n && in[i] > 3);
    __syncthreads();
    out[i] = i < n && any;
}

// So is an arm of a conditional expression.
extern "C" __global__ void bad_deadlock_conditional(const int *in, int *out)
{
    int i = threadIdx.x, v = in[i];
    int w = (v & 1) ? __shfl_xor_sync(FULL, v, 1) : 0;
    __syncwarp();
    out[i] = w;
}
extern "C" __global__ void good_conditional(const int *in, int *out)
{
    int i = threadIdx.x, v = in[i];
    int other = __shfl_xor_sync(FULL, v, 1);
    out[i] = (v & 1) ? other : 0;
}

// Lanes go on by themselves once they have no work, the others ask the whole warp.
extern "C" __global__ void bad_deadlock_while_work(const int *in, int *out)
{
    int left = in[threadIdx.x] & 7, rounds = 0;
    while (left > 0) {
        rounds += __any_sync(FULL, left > 1);
        left--;
    }
    out[threadIdx.x] = __shfl_sync(FULL, rounds, 0);
}
extern "C" __global__ void good_while_work(const int *in, int *out)
{
    int left = in[threadIdx.x] & 7, rounds = 0;
    while (__any_sync(FULL, left > 0)) {
        rounds++;
        left--;
    }
    out[threadIdx.x] = __shfl_sync(FULL, rounds, 0);
}

// The mask of those that are inside, and lanes that leave the loop before the others.
extern "C" __global__ void bad_deadlock_old_mask(const int *in, int *out, int n)
{
    int i = threadIdx.x, sum = 0;
    unsigned mask = __ballot_sync(FULL, i < n);
    if (i < n)
        for (int turn = 0; turn < 4; turn++) {
            int v = in[i + turn * n];
            if (v == 5)
                break;
            sum += __reduce_add_sync(mask, v);
        }
    __syncthreads();
    out[i] = sum;
}
extern "C" __global__ void good_new_mask(const int *in, int *out, int n)
{
    int i = threadIdx.x, sum = 0;
    unsigned mask = __ballot_sync(FULL, i < n);
    if (i < n)
        for (int turn = 0; turn < 4; turn++) {
            int v = in[i + turn * n];
            mask = __ballot_sync(mask, v != 5);
            if (v == 5)
                break;
            sum += __reduce_add_sync(mask, v);
        }
    __syncthreads();
    out[i] = sum;
}

// A stride loop whose last turn is not for all.
extern "C" __global__ void bad_deadlock_last_turn(const int *in, int *out, int n)
{
    __shared__ int total[32];
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += __popc(__ballot_sync(FULL, in[i] & 1));
    total[threadIdx.x / 32] = 0;
    __syncthreads();
    atomicAdd(&total[threadIdx.x / 32], sum);
    __syncthreads();
    out[threadIdx.x] = total[threadIdx.x / 32];
}
extern "C" __global__ void good_last_turn(const int *in, int *out, int n)
{
    int sum = 0;
    for (int first = threadIdx.x & ~31; first < n; first += blockDim.x) {
        int i = first + (threadIdx.x & 31);
        sum += __popc(__ballot_sync(FULL, i < n && (in[i] & 1)));
    }
    __syncthreads();
    out[threadIdx.x] = sum;
}

// The mask of the first n lanes, given by all of them.
extern "C" __global__ void bad_undefined_first_lanes(const int *in, int *out, int n)
{
    unsigned lane = threadIdx.x & 31, mask = (1u << (n & 31)) - 1;
    int v = in[threadIdx.x];
    v += __shfl_xor_sync(mask | 1, v, 1);
    if (lane < n)
        out[threadIdx.x] = v;
}
extern "C" __global__ void good_first_lanes(const int *in, int *out, int n)
{
    unsigned lane = threadIdx.x & 31, count = n & 31, mask = (1u << count) - 1;
    if (lane < count)
        out[threadIdx.x] = __reduce_max_sync(mask, in[threadIdx.x]);
}

// The tail of a sum reads lanes that are not in the mask of the tail.
extern "C" __global__ void bad_unpredictable_tail_sum(const float *in, float *out, int n)
{
    unsigned mask = __ballot_sync(FULL, threadIdx.x < n);
    if (threadIdx.x < n) {
        float v = in[threadIdx.x];
        for (int d = 16; d; d /= 2)
            v += __shfl_down_sync(mask, v, d);
        if (threadIdx.x % 32 == 0)
            out[threadIdx.x / 32] = v;
    }
}
extern "C" __global__ void good_tail_sum(const float *in, float *out, int n)
{
    unsigned mask = __ballot_sync(FULL, threadIdx.x < n);
    if (threadIdx.x < n) {
        float v = in[threadIdx.x];
        for (int d = 16; d; d /= 2) {
            float w = __shfl_down_sync(mask, v, d);
            if (threadIdx.x % 32 + d < 32 && (mask >> (threadIdx.x % 32 + d) & 1))
                v += w;
        }
        if (threadIdx.x % 32 == 0)
            out[threadIdx.x / 32] = v;
    }
}

// The second stage of a block's sum: as many lanes as there are warps.
extern "C" __global__ void bad_unpredictable_second_stage(const float *in, float *out)
{
    __shared__ float part[32];
    float v = in[threadIdx.x];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(FULL, v, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < blockDim.x / 32) {
        v = part[threadIdx.x];
        for (int d = 16; d; d /= 2)
            v += __shfl_down_sync(FULL, v, d);
        if (threadIdx.x == 0)
            *out = v;
    }
}
extern "C" __global__ void good_second_stage(const float *in, float *out)
{
    __shared__ float part[32];
    float v = in[threadIdx.x];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(FULL, v, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int d = 16; d; d /= 2)
            v += __shfl_down_sync(FULL, v, d);
        if (threadIdx.x == 0)
            *out = v;
    }
}

// Two halves of a word that are shuffled with different masks.
extern "C" __global__ void bad_unpredictable_two_masks(const long long *in, long long *out)
{
    long long v = in[threadIdx.x];
    int low = __shfl_sync(FULL, (int)v, 0), high = 0;
    if (v & 1)
        high = __shfl_sync(__activemask(), (int)(v >> 32), 0);
    out[threadIdx.x] = (long long)high << 32 | (unsigned)low;
}
extern "C" __global__ void good_two_masks(const long long *in, long long *out)
{
    long long v = in[threadIdx.x], w = __shfl_sync(FULL, v, 0);
    out[threadIdx.x] = (v & 1) ? w : (unsigned)w;
}

// A rank that the coalesced group does not have.
extern "C" __global__ void bad_unpredictable_rank(const int *in, int *out)
{
    int v = in[threadIdx.x];
    if (v & 1) {
        cg::coalesced_group g = cg::coalesced_threads();
        v = g.shfl(v, 8);
    }
    out[threadIdx.x] = v;
}
extern "C" __global__ void good_rank(const int *in, int *out)
{
    int v = in[threadIdx.x];
    if (v & 1) {
        cg::coalesced_group g = cg::coalesced_threads();
        v = g.shfl(v, g.size() - 1);
    }
    out[threadIdx.x] = v;
}

// A group that is kept while some of its lanes go elsewhere.
extern "C" __global__ void bad_deadlock_kept_group(const int *in, int *out)
{
    int v = in[threadIdx.x];
    cg::coalesced_group g = cg::coalesced_threads();
    if (v > 2)
        out[threadIdx.x] = g.ballot(v > 4);
    __syncthreads();
}
extern "C" __global__ void good_kept_group(const int *in, int *out)
{
    int v = in[threadIdx.x];
    if (v > 2) {
        cg::coalesced_group g = cg::coalesced_threads();
        out[threadIdx.x] = g.ballot(v > 4);
    }
    __syncthreads();
}

// The result of an atomic operation is broadcast from lane 0, which is not always there.
extern "C" __global__ void bad_unpredictable_push(const int *in, int *queue, int *count)
{
    int v = in[threadIdx.x];
    if (v > 3) {
        unsigned mask = __activemask(), lane = threadIdx.x & 31, before = __popc(mask & ((1u << lane) - 1));
        int first = 0;
        if (before == 0)
            first = atomicAdd(count, __popc(mask));
        first = __shfl_sync(mask, first, 0);
        queue[first + before] = v;
    }
}
extern "C" __global__ void good_push(const int *in, int *queue, int *count)
{
    int v = in[threadIdx.x];
    if (v > 3) {
        unsigned mask = __activemask(), lane = threadIdx.x & 31, before = __popc(mask & ((1u << lane) - 1));
        int first = 0;
        if (before == 0)
            first = atomicAdd(count, __popc(mask));
        first = __shfl_sync(mask, first, __ffs(mask) - 1);
        queue[first + before] = v;
    }
}

// A sum for each key: lanes with another key are not in the group.
extern "C" __global__ void bad_unpredictable_by_key(const int *keys, const int *in, int *out)
{
    int key = keys[threadIdx.x], v = in[threadIdx.x];
    unsigned group = __match_any_sync(FULL, key);
    for (int d = 1; d < 32; d *= 2)
        v += __shfl_down_sync(group, v, d);
    if ((threadIdx.x & 31) == __ffs(group) - 1)
        out[key & 31] = v;
}
extern "C" __global__ void good_by_key(const int *keys, const int *in, int *out)
{
    int key = keys[threadIdx.x], v = in[threadIdx.x], sum = 0;
    unsigned group = __match_any_sync(FULL, key);
    for (unsigned m = group; m; m &= m - 1)
        sum += __shfl_sync(group, v, __ffs(m) - 1);
    if ((threadIdx.x & 31) == __ffs(group) - 1)
        out[key & 31] = sum;
}

// A bitonic network in shared memory, a warp for itself.
extern "C" __global__ void bad_race_network(int *data)
{
    __shared__ int s[1024];
    unsigned t = threadIdx.x, lane = t & 31;
    s[t] = data[t];
    __syncwarp();
    for (unsigned k = 2; k <= 32; k *= 2)
        for (unsigned j = k / 2; j; j /= 2) {
            unsigned other = t ^ j;
            if (other > t) {
                int a = s[t], b = s[other];
                if ((a > b) == ((lane & k) == 0))
                    s[t] = b, s[other] = a;
            }
        }
    __syncwarp();
    data[t] = s[t];
}
extern "C" __global__ void good_network(int *data)
{
    __shared__ int s[1024];
    unsigned t = threadIdx.x, lane = t & 31;
    s[t] = data[t];
    for (unsigned k = 2; k <= 32; k *= 2)
        for (unsigned j = k / 2; j; j /= 2) {
            unsigned other = t ^ j;
            __syncwarp();
            if (other > t) {
                int a = s[t], b = s[other];
                if ((a > b) == ((lane & k) == 0))
                    s[t] = b, s[other] = a;
            }
        }
    __syncwarp();
    data[t] = s[t];
}

// A running sum where each lane reads its neighbour's word and writes its own.
extern "C" __global__ void bad_race_running_sum(const int *in, int *out)
{
    __shared__ volatile int s[1024];
    int t = threadIdx.x, lane = t & 31;
    s[t] = in[t];
    for (int d = 1; d < 32; d *= 2) {
        int v = lane >= d ? s[t - d] : 0;
        s[t] += v;
        __syncwarp();
    }
    out[t] = s[t];
}
extern "C" __global__ void good_running_sum(const int *in, int *out)
{
    __shared__ volatile int s[1024];
    int t = threadIdx.x, lane = t & 31;
    s[t] = in[t];
    __syncwarp();
    for (int d = 1; d < 32; d *= 2) {
        int v = lane >= d ? s[t - d] : 0;
        __syncwarp();
        s[t] += v;
        __syncwarp();
    }
    out[t] = s[t];
}

// Two buffers in turn need one meeting a turn, one buffer needs two.
extern "C" __global__ void bad_race_one_buffer(const int *in, int *out, int turns)
{
    __shared__ int s[1024];
    int t = threadIdx.x, v = in[t];
    for (int turn = 0; turn < (turns & 15); turn++) {
        s[t] = v;
        __syncwarp();
        v += s[t ^ 1];
    }
    out[t] = v;
}
extern "C" __global__ void good_two_buffers(const int *in, int *out, int turns)
{
    __shared__ int s[2][1024];
    int t = threadIdx.x, v = in[t];
    for (int turn = 0; turn < (turns & 15); turn++) {
        s[turn & 1][t] = v;
        __syncwarp();
        v += s[turn & 1][t ^ 1];
    }
    out[t] = v;
}

// A count of bins without atomic operations.
extern "C" __global__ void bad_race_bins(const unsigned char *in, int *out)
{
    __shared__ int bins[256];
    for (int n = threadIdx.x; n < 256; n += blockDim.x)
        bins[n] = 0;
    __syncthreads();
    bins[in[threadIdx.x]]++;
    __syncthreads();
    for (int n = threadIdx.x; n < 256; n += blockDim.x)
        out[n] = bins[n];
}
extern "C" __global__ void good_bins(const unsigned char *in, int *out)
{
    __shared__ int bins[256];
    for (int n = threadIdx.x; n < 256; n += blockDim.x)
        bins[n] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x]], 1);
    __syncthreads();
    for (int n = threadIdx.x; n < 256; n += blockDim.x)
        out[n] = bins[n];
}

// elect.sync by the lanes of a branch, for all.
__device__ __forceinline__ bool elect(unsigned mask)
{
    unsigned is_leader;
    asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p; }"
                 : "=r"(is_leader)
                 : "r"(mask)
                 : "memory");
    return is_leader;
}
extern "C" __global__ void bad_deadlock_elect_in_branch(int *out, int n)
{
    if (threadIdx.x < n && elect(FULL))
        out[threadIdx.x / 32] = 1;
    __syncthreads();
    out[32 + threadIdx.x] = out[threadIdx.x / 32];
}
extern "C" __global__ void good_elect_in_branch(int *out, int n)
{
    unsigned inside = __ballot_sync(FULL, threadIdx.x < n);
    if (threadIdx.x < n && elect(inside))
        out[threadIdx.x / 32] = 1;
    __syncthreads();
    out[32 + threadIdx.x] = out[threadIdx.x / 32];
}
// The leader's own value, taken from lane 0 of half a warp.
extern "C" __global__ void bad_unpredictable_leader_is_0(const int *in, int *out)
{
    if (threadIdx.x & 16) {
        int v = elect(0xffff0000u) ? in[threadIdx.x / 32] : 0;
        out[threadIdx.x] = __shfl_sync(0xffff0000u, v, 0);
    }
}

// A barrier in a loop whose turns depend on the lane.
extern "C" __global__ void bad_barrier_lane_turns(const int *in, int *out)
{
    int sum = 0;
    for (int turn = 0; turn < (threadIdx.x & 3); turn++) {
        sum += in[turn];
        __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = sum;
}
extern "C" __global__ void good_lane_turns(const int *in, int *out)
{
    int sum = 0;
    for (int turn = 0; turn < 3; turn++) {
        if (turn < (threadIdx.x & 3))
            sum += in[turn];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// A shuffle in one case of a switch.
extern "C" __global__ void bad_deadlock_cases(const int *in, int *out)
{
    int v = in[threadIdx.x];
    switch (v & 7) {
    case 0:
        v = v * 3;
        break;
    case 1:
        v = __shfl_down_sync(FULL, v, 1);
        break;
    case 2:
        v = __shfl_up_sync(FULL, v, 1);
        break;
    case 3:
        v = v - in[v & 31];
        break;
    case 4:
        v = __float_as_int((float)v);
        break;
    case 5:
        v = v / 3;
        break;
    default:
        v ^= 0x55;
        break;
    }
    out[threadIdx.x] = v;
    __syncthreads();
}
extern "C" __global__ void good_cases(const int *in, int *out, int kind)
{
    int v = in[threadIdx.x];
    switch (kind & 7) {
    case 0:
        v = v * 3;
        break;
    case 1:
        v = __shfl_down_sync(FULL, v, 1);
        break;
    case 2:
        v = __shfl_up_sync(FULL, v, 1);
        break;
    case 3:
        v = v - in[v & 31];
        break;
    case 4:
        v = __float_as_int((float)v);
        break;
    case 5:
        v = v / 3;
        break;
    default:
        v ^= 0x55;
        break;
    }
    out[threadIdx.x] = v;
    __syncthreads();
}

// Functions in functions, the inner one for whole warps.
__device__ __noinline__ float warp_max(float v, unsigned mask)
{
    for (int d = 1; d < 32; d *= 2)
        v = fmaxf(v, __shfl_xor_sync(mask, v, d));
    return v;
}
__device__ __noinline__ float row_max(const float *row, int count, unsigned mask)
{
    float m = -1e30f;
    for (int i = threadIdx.x & 31; i < count; i += 32)
        m = fmaxf(m, row[i]);
    return warp_max(m, mask);
}
extern "C" __global__ void bad_deadlock_inner_function(const float *in, float *out, int n)
{
    if ((threadIdx.x & 31) < n)
        out[threadIdx.x] = row_max(in, n, FULL);
    __syncthreads();
    out[threadIdx.x] += 1;
}
extern "C" __global__ void good_inner_function(const float *in, float *out, int n)
{
    float m = row_max(in, n, FULL);
    if ((threadIdx.x & 31) < n)
        out[threadIdx.x] = m;
    __syncthreads();
    out[threadIdx.x] += 1;
}

// What looks wrong and is not.
extern "C" __global__ void good_redux_of_those_left(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = __reduce_or_sync(FULL, in[i]);
}
extern "C" __global__ void good_width_8(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 4; d; d /= 2)
        v += __shfl_down_sync(FULL, v, d, 8);
    if (threadIdx.x % 8 == 0)
        out[threadIdx.x / 8] = v + __shfl_down_sync(0x01010101u, v, 9, 8);
}
extern "C" __global__ void good_relaxed(int *out)
{
    __shared__ int s[32];
    unsigned lane = threadIdx.x & 31, at = (unsigned)__cvta_generic_to_shared(&s[lane]);
    unsigned next = (unsigned)__cvta_generic_to_shared(&s[(lane + 1) & 31]);
    int v;
    if (threadIdx.x < 32) {
        asm volatile("st.relaxed.cta.shared.b32 [%0], %1;" ::"r"(at), "r"(lane + 7) : "memory");
        asm volatile("ld.relaxed.cta.shared.b32 %0, [%1];" : "=r"(v) : "r"(next) : "memory");
        out[lane] = v;
    }
}
extern "C" __global__ void good_meeting_after_loop(const int *in, int *out)
{
    int turns = in[threadIdx.x] & 3, sum = 0;
    for (int turn = 0; turn < 3; turn++) {
        if (turn == turns)
            break;
        sum += turn;
        __syncwarp(__activemask());
    }
    __syncwarp();
    out[threadIdx.x] = sum;
}
extern "C" __global__ void good_row_sums(const int *offsets, const float *in, float *out, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = offsets[row] + lane; i < offsets[row + 1]; i += 32)
        sum += in[i];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(FULL, sum, d);
    if (lane == 0)
        out[row] = sum;
}
// A lane for each row, of rows that have different lengths.
extern "C" __global__ void bad_deadlock_row_sums(const int *offsets, const float *in, float *out, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row < rows)
        for (int i = offsets[row]; i < offsets[row + 1]; i++)
            sum += __shfl_xor_sync(FULL, in[i], 1);
    __syncthreads();
    out[row] = sum;
}
extern "C" __global__ void bad_undefined_sentinel(const int *next, int *out)
{
    int at = next[threadIdx.x], sum = 0;
    unsigned inside = __ballot_sync(FULL, at > 0);
    if (at >= 0)
        sum = __reduce_add_sync(inside, out[at & 1023]);
    __syncthreads();
    out[1024 + threadIdx.x] = sum;
}

// Right for what a host writes, and wrong for other contents: a question.
extern "C" __global__ void ask_race_limits(const int *limits, const int *in, int *out)
{
    __shared__ int first, count, s[256];
    if (threadIdx.x == 0) {
        first = limits[blockIdx.x];
        count = limits[blockIdx.x + 1] - first;
    }
    __syncthreads();
    if (count < 0) /* lanes that do not wait for each other */
        s[(threadIdx.x ^ 1) & 255] = threadIdx.x;
    s[threadIdx.x & 255] = in[first + threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x & 255] + count;
}
extern "C" __global__ void ask_race_stride(const int *size, const int *in, int *out)
{
    extern __shared__ int s[];
    int stride = *size, *own = s + (threadIdx.x & 31) * ((stride & 7) + 1);
    for (int n = 0; n <= (stride & 3); n++)
        own[n] = in[n * blockDim.x + threadIdx.x];
    if ((stride & 7) == 3)
        own[4] = 0;
    int sum = 0;
    for (int n = 0; n <= (stride & 3); n++)
        sum += own[n];
    if (threadIdx.x < 32)
        out[threadIdx.x] = sum;
}

// Who has nothing to store goes round the barrier, and on.
extern "C" __global__ void bad_barrier_gone_round(const int *in, int *out, int n)
{
    __shared__ int s[1024];
    if (threadIdx.x < n) {
        s[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        for (int k = 0; k < n && k < blockDim.x; k++)
            *out += s[k];
}
extern "C" __global__ void good_not_round(const int *in, int *out, int n)
{
    __shared__ int s[1024];
    if (threadIdx.x < n)
        s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < n && k < blockDim.x; k++)
            *out += s[k];
}

// Four lanes write bytes of one word; what is read is not the byte that was written last.
extern "C" __global__ void bad_race_bytes(const unsigned char *in, unsigned char *out)
{
    __shared__ unsigned char s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[threadIdx.x & ~3];
}
extern "C" __global__ void good_bytes(const unsigned char *in, unsigned char *out)
{
    __shared__ unsigned char s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x & ~3];
}

// Wrong for one number alone, which only the code tells.
extern "C" __global__ void bad_undefined_one_number(int *out, int version)
{
    unsigned mask = version == 20305 ? 0xffff : FULL;
    out[threadIdx.x] = __ballot_sync(mask, threadIdx.x & 1);
}
extern "C" __global__ void good_one_number(int *out, int version)
{
    unsigned mask = version == 20305 ? __activemask() | FULL : FULL;
    out[threadIdx.x] = __ballot_sync(mask, threadIdx.x & 1);
}
