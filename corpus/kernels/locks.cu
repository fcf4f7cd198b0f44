// Locks and flags that lanes poll, grids that wait, and masks that were right a moment ago.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu
extern "C" {
// The lane that has the lock waits at a shuffle for lanes that poll the lock.
__global__ void bad_deadlock_lock(int *out, const int *in)
{
    __shared__ int lock;
    if (threadIdx.x == 0)
        lock = 0;
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            out[0] += __shfl_sync(FULL, in[threadIdx.x], 0);
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
// From sm_70 on lanes are independent: the others poll until the one that has the lock gives it back.
__global__ void good_lock(int *out, const int *in)
{
    __shared__ int lock;
    if (threadIdx.x == 0)
        lock = 0;
    __syncthreads();
    int first = __shfl_sync(FULL, in[threadIdx.x], 0);
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            out[0] += first;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
// The flag is set behind the barrier at which those who poll it are waited for.
__global__ void bad_deadlock_flag(int *out, const int *in)
{
    __shared__ int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x % 32 != 0)
        while (atomicAdd(&flag, 0) == 0)
            ;
    __syncwarp();
    if (threadIdx.x == 0)
        atomicExch(&flag, in[0] | 1);
    out[threadIdx.x] = atomicAdd(&flag, 0);
}
__global__ void good_flag(int *out, const int *in)
{
    __shared__ int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(&flag, in[0] | 1);
    if (threadIdx.x % 32 != 0)
        while (atomicAdd(&flag, 0) == 0)
            ;
    __syncwarp();
    out[threadIdx.x] = in[threadIdx.x];
}
// All blocks of the grid wait for each other.
__global__ void good_grid(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x];
    cg::this_grid().sync();
    out[threadIdx.x + 1024] = out[threadIdx.x ^ 1] + __shfl_xor_sync(FULL, in[threadIdx.x], 1);
}
// The mask of the inner group is kept where the outer one is meant.
__global__ void bad_undefined_inner_mask(int *out, const int *in)
{
    int v = in[threadIdx.x];
    unsigned m = __ballot_sync(FULL, v > 0);
    if (v > 0) {
        m = __ballot_sync(m, v > 3);
        if (v > 3)
            v = __shfl_sync(m, v, __ffs(m) - 1);
        __syncwarp(m);
    }
    out[threadIdx.x] = v;
}
__global__ void good_inner_mask(int *out, const int *in)
{
    int v = in[threadIdx.x];
    unsigned m = __ballot_sync(FULL, v > 0);
    if (v > 0) {
        unsigned inner = __ballot_sync(m, v > 3);
        if (v > 3)
            v = __shfl_sync(inner, v, __ffs(inner) - 1);
        __syncwarp(m);
    }
    out[threadIdx.x] = v;
}
// Lanes whose key has been served leave the loop that all must go round.
__global__ void bad_deadlock_served(int *out, const int *key)
{
    int k = key[threadIdx.x], count = 0;
    unsigned todo = FULL;
    while (todo) {
        int q = __shfl_sync(FULL, k, __ffs(todo) - 1);
        unsigned same = __ballot_sync(FULL, k == q);
        if (k == q) {
            count = __popc(same);
            break;
        }
        todo &= ~same;
    }
    __syncwarp();
    out[threadIdx.x] = count;
}
__global__ void good_served(int *out, const int *key)
{
    int k = key[threadIdx.x], count = 0;
    unsigned todo = FULL;
    while (todo) {
        int q = __shfl_sync(FULL, k, __ffs(todo) - 1);
        unsigned same = __ballot_sync(FULL, k == q);
        if (k == q)
            count = __popc(same);
        todo &= ~same;
    }
    __syncwarp();
    out[threadIdx.x] = count;
}
// Whatever activemask says, it says it to all whom it names: only a whole warp takes the short way.
__global__ void good_whole_or_not(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (__activemask() == FULL)
        v = __reduce_add_sync(FULL, v);
    else
        atomicAdd(out, v);
    out[threadIdx.x + 32] = v;
}
// Two halves are compared at once; the vote is about both.
__global__ void good_pair_of_halves(int *out, const __half2 *in)
{
    bool both = __hbgt2(in[threadIdx.x], __floats2half2_rn(1, 2));
    out[threadIdx.x] = __popc(__ballot_sync(FULL, both));
}
}
