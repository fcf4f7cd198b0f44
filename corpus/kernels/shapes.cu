#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// More shapes of the same mistakes, as they stand in real code: in loops, functions, structures, templates of
// libraries.
#define FULL 0xffffffffu
extern "C" {
// A loop over the grid: in its last turn lanes are missing.
__global__ void bad_unpredictable_stride(float *out, const float *in, int n)
{
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float v = in[i];
        for (int d = 16; d; d >>= 1)
            v += __shfl_down_sync(FULL, v, d);
        s += v;
    }
    if ((threadIdx.x & 31) == 0)
        out[threadIdx.x / 32] = s;
}
__global__ void bad_deadlock_stride(float *out, const float *in, int n)
{
    __shared__ float sh[32];
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float v = in[i];
        v += __shfl_xor_sync(FULL, v, 1);
        s += v;
    }
    __syncwarp();
    sh[threadIdx.x / 32] = 1;
    __syncthreads();
    out[threadIdx.x] = s + sh[0];
}
// Rows of different lengths.
__global__ void bad_deadlock_rows(float *out, const int *row, const float *val, int rows)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (w >= rows)
        return;
    float s = 0;
    for (int k = row[w] + lane; k < row[w + 1]; k += 32) {
        s += val[k];
        s += __shfl_xor_sync(FULL, s, 1);
    }
    __syncwarp();
    if (lane == 0)
        out[w] = s;
}
__global__ void good_rows(float *out, const int *row, const float *val, int rows)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (w >= rows)
        return;
    float s = 0;
    for (int k = row[w] + lane; k < row[w + 1]; k += 32)
        s += val[k];
    for (int d = 16; d; d >>= 1)
        s += __shfl_down_sync(FULL, s, d);
    if (lane == 0)
        out[w] = s;
}
// A warp barrier in a branch.
__global__ void bad_deadlock_syncwarp_in_branch(int *out, const int *in)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    if (in[threadIdx.x] & 1) {
        __syncwarp();
        out[threadIdx.x] = s[threadIdx.x ^ 1];
    }
    __syncthreads();
    out[threadIdx.x] += s[0];
}
// Who is here, of those who happen to be here.
__global__ void bad_undefined_ballot_of_activemask(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (v > 2) {
        unsigned m = __ballot_sync(__activemask(), v > 3);
        out[threadIdx.x] = __shfl_sync(m, v, __ffs(m) - 1);
    }
}
// A part of a tile shuffles.
__global__ void bad_deadlock_tile_in_branch(int *out, const int *in)
{
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[threadIdx.x];
    if (threadIdx.x % 32 < 20) {
        v = t.shfl_down(v, 1);
    }
    t.sync();
    out[threadIdx.x] = v;
}
__global__ void bad_barrier_count_in_branch(int *out, const int *in, int n)
{
    int c = 0;
    if ((int)threadIdx.x < n)
        c = __syncthreads_count(in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = c;
}
__device__ __noinline__ int wsum(int v)
{
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(FULL, v, d);
    return v;
}
__global__ void bad_deadlock_call(int *out, const int *in, int n)
{
    int v = in[threadIdx.x];
    if ((int)threadIdx.x < n)
        v = wsum(v);
    __syncthreads();
    out[threadIdx.x] = v;
}
__global__ void good_call(int *out, const int *in, int n)
{
    int v = (int)threadIdx.x < n ? in[threadIdx.x] : 0;
    v = wsum(v);
    __syncthreads();
    out[threadIdx.x] = v;
}
struct P {
    const int *in;
    int *out;
    int n;
    float f;
};
__global__ void bad_unpredictable_struct(P p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n) {
        int v = p.in[i];
        v = __shfl_down_sync(FULL, v, 1);
        p.out[i] = v;
    }
}
extern __shared__ float dyn[];
__global__ void good_dynamic_shared(float *out, const float *in)
{
    dyn[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = dyn[blockDim.x - 1 - threadIdx.x];
}
__global__ void bad_race_dynamic_shared(float *out, const float *in)
{
    dyn[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = dyn[threadIdx.x ^ 1];
}
__global__ void bad_unpredictable_source_by_data(int *out, const int *in, const int *src)
{
    int v = in[threadIdx.x];
    unsigned m = __ballot_sync(FULL, v & 1);
    if (v & 1)
        v = __shfl_sync(m, v, src[threadIdx.x]);
    out[threadIdx.x] = v;
}
__global__ void bad_deadlock_rare_value(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (v == 5)
        v = __any_sync(FULL, v);
    __syncwarp();
    out[threadIdx.x] = v;
}
__global__ void bad_unpredictable_width(int *out, const int *in, int w)
{
    int v = in[threadIdx.x];
    unsigned m = (1u << w) - 1;
    if ((int)(threadIdx.x % 32) < w)
        v = __shfl_xor_sync(m, v, 1);
    out[threadIdx.x] = v;
}
__global__ void bad_undefined_redux(int *out, const int *in)
{
    int v = in[threadIdx.x];
    out[threadIdx.x] = __reduce_add_sync(0xffff, v);
}
__global__ void bad_unpredictable_match(int *out, const int *in)
{
    unsigned m = __match_any_sync(FULL, in[threadIdx.x] & 3);
    int v = __shfl_sync(m, in[threadIdx.x], 0);
    out[threadIdx.x] = v;
}
__global__ void bad_deadlock_break(int *out, const int *in)
{
    int v = in[threadIdx.x];
    for (int i = 0; i < 10; i++) {
        if (v > 6)
            break;
        v += __shfl_xor_sync(FULL, v, 1) & 1;
        v++;
    }
    __syncwarp();
    out[threadIdx.x] = v;
}
__global__ void good_coalesced_offsets(int *out, int *c, const int *in)
{
    if (in[threadIdx.x] > 2) {
        auto g = cg::coalesced_threads();
        int p = 0;
        if (g.thread_rank() == 0)
            p = atomicAdd(c, g.size());
        p = g.shfl(p, 0) + g.thread_rank();
        out[p & 1023] = 1;
    }
}
__global__ void good_halves(int *out, const int *in)
{
    unsigned m = threadIdx.x & 16 ? 0xffff0000u : 0xffffu;
    int v = in[threadIdx.x];
    if (threadIdx.x & 16) {
        for (int d = 8; d; d >>= 1)
            v += __shfl_xor_sync(m, v, d, 16);
    } else {
        for (int d = 8; d; d >>= 1)
            v = max(v, __shfl_xor_sync(m, v, d, 16));
    }
    out[threadIdx.x] = v;
}
__global__ void good_volatile_flag(int *out, volatile int *flag)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = *flag;
    __syncthreads();
    out[threadIdx.x] = s;
}
__global__ void good_half2(unsigned *out, const unsigned *in)
{
    unsigned v = in[threadIdx.x];
    asm("add.f16x2 %0,%0,%0;" : "+r"(v));
    out[threadIdx.x] = v;
}
__global__ void good_switch(int *out, const int *in)
{
    int v = in[threadIdx.x] & 7;
    switch (v) {
    case 0:
        v = __ffs(v + 9);
        break;
    case 1:
        v *= 17;
        break;
    case 2:
        v = v << 3;
        break;
    case 3:
        v = ~v;
        break;
    case 4:
        v = v % 3;
        break;
    case 5:
        v += 100;
        break;
    case 6:
        v ^= 77;
        break;
    default:
        v = 0;
    }
    out[threadIdx.x] = v + __shfl_sync(FULL, v, 0);
}
__global__ void bad_deadlock_printf(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (v == 3) {
        printf("%d\n", __shfl_sync(FULL, v, 0));
    }
    __syncwarp();
    out[threadIdx.x] = v;
}
__global__ void bad_race_volatile(int *out, const int *in)
{
    extern __shared__ float x[];
    volatile float *s = x;
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
    }
    if (t == 0)
        out[0] = s[0];
}
__global__ void bad_undefined_elect(int *out)
{
    int r;
    asm volatile("{.reg .pred p; elect.sync _|p, %1; selp.u32 %0,1,0,p;}"
                 : "=r"(r)
                 : "r"(threadIdx.x < 16 ? FULL : 0xffff));
    out[threadIdx.x] = r;
}
}
