// Copies from global to shared memory beside the lanes' work (cp.async), wrong and right.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu

// A barrier is missing: each lane waits for its own copies alone.
extern "C" __global__ void bad_race_copied(const int4 *in, int4 *out)
{
    __shared__ int4 s[1024];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[t ^ 1];
}
extern "C" __global__ void good_copied(const int4 *in, int4 *out)
{
    __shared__ int4 s[1024];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    out[t] = s[t ^ 1];
}

// Two buffers in turn; the next copy goes to the one that others still read.
extern "C" __global__ void bad_race_next_tile(const float *in, float *out)
{
    __shared__ float s[2][32];
    int t = threadIdx.x & 31;
    float sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    for (int i = 0; i < 4; i++) {
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncwarp();
        sum += s[i & 1][31 - t];
        __pipeline_memcpy_async(&s[i & 1][t], &in[32 * i + 32 + t], 4);
        __pipeline_memcpy_async(&s[(i & 1) ^ 1][t], &in[32 * i + 32 + t], 4);
    }
    out[t] = sum;
}
extern "C" __global__ void good_next_tile(const float *in, float *out)
{
    __shared__ float s[2][32];
    int t = threadIdx.x & 31;
    float sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    for (int i = 0; i < 4; i++) {
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncwarp();
        __pipeline_memcpy_async(&s[(i & 1) ^ 1][t], &in[32 * i + 32 + t], 4);
        sum += s[i & 1][31 - t];
    }
    out[t] = sum;
}

// The tail is filled with zeros; once it is left out instead, the sum takes lanes that are not there.
extern "C" __global__ void good_copied_tail(const int *in, int *out, int n)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4, t < n ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    int v = s[t];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(FULL, v, d);
    if ((t & 31) == 0)
        out[t / 32] = v;
}
extern "C" __global__ void bad_unpredictable_copied_tail(const int *in, int *out, int n)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    if (t >= n)
        return;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    int v = s[t];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(FULL, v, d);
    if ((t & 31) == 0)
        out[t / 32] = v;
}

// By the whole block at once, and one lane's copies waited for by a part of a warp.
extern "C" __global__ void good_copied_by_block(const int *in, int *out)
{
    __shared__ int s[256];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof s);
    cg::wait(block);
    out[threadIdx.x] = s[255 - (threadIdx.x & 255)];
}
extern "C" __global__ void bad_barrier_copied_by_some(const int *in, int *out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    if (in[t] > 3) {
        __pipeline_memcpy_async(&s[t & 255], &in[t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        out[t] = s[(t ^ 1) & 255];
    }
    out[t] += s[t & 255];
}
