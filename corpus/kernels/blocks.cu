// What blocks do together: one pass over a grid whose last block sums up, and barriers that functions come to.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ unsigned arrived = 0;

// Sums of warps by halves, then of the block by one thread.
__device__ float block_sum(volatile float *s, float v)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    s[threadIdx.x] = v;
    warp.sync();
    for (int half = 16; half > 0; half >>= 1) {
        if (warp.thread_rank() < half) {
            v += s[threadIdx.x + half];
            s[threadIdx.x] = v;
        }
        warp.sync();
    }
    block.sync();
    if (threadIdx.x == 0) {
        v = 0;
        for (int i = 0; i < blockDim.x; i += 32)
            v += s[i];
        s[0] = v;
    }
    block.sync();
    return s[0];
}
__device__ __noinline__ void add_all(int *s)
{
    s[threadIdx.x]++;
    __syncthreads();
}
__device__ __noinline__ void add_through(int *s, int k)
{
    s[threadIdx.x] += k;
    add_all(s);
}

extern "C" {
__global__ void __launch_bounds__(128) good_one_pass(const float *in, float *out, unsigned n)
{
    __shared__ float s[128];
    __shared__ bool last;
    float v = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (n & 0xfff); i += blockDim.x * gridDim.x)
        v += in[i];
    v = block_sum(s, v);
    if (threadIdx.x == 0) {
        out[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        v = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            v += out[i];
        v = block_sum(s, v);
        if (threadIdx.x == 0) {
            out[0] = v;
            arrived = 0;
        }
    }
}

// The calls part further up.
__global__ void bad_barrier_outer_calls(int *out, const int *in)
{
    __shared__ int s[1024];
    s[threadIdx.x] = 0;
    if (in[threadIdx.x] & 1)
        add_through(s, 1);
    else
        add_through(s, 2);
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void good_outer_calls_by_warp(int *out)
{
    __shared__ int s[1024];
    s[threadIdx.x] = 0;
    if (threadIdx.x / 32 & 1)
        add_through(s, 1);
    else
        add_through(s, 2);
    out[threadIdx.x] = s[threadIdx.x];
}
}
