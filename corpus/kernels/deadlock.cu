// Lanes that wait for lanes that wait elsewhere: at a block barrier, with another mask, at another instruction.
#define FULL 0xffffffffu
extern "C" {

// Lanes beyond n wait at the block barrier, the others for them.
__global__ void bad_deadlock_barrier_behind(float *out, const float *in, int n)
{
    __shared__ float s[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = in[i];
        for (int d = 16; d; d >>= 1)
            v += __shfl_down_sync(FULL, v, d);
        if (threadIdx.x % 32 == 0)
            s[threadIdx.x / 32] = v;
    }
    __syncthreads();
    if (threadIdx.x == 0 && i < n)
        out[blockIdx.x] = s[0];
}
__global__ void good_barrier_behind(float *out, const float *in, int n)
{
    __shared__ float s[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0;
    for (int d = 16; d; d >>= 1)
        v += __shfl_down_sync(FULL, v, d);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

// Each lane computes its own idea of who is there.
__global__ void bad_deadlock_masks_differ(int *out, const int *in)
{
    unsigned lane = threadIdx.x & 31;
    unsigned mask = lane < 16 ? FULL : 0xffff0000u;
    int v = __shfl_xor_sync(mask, in[threadIdx.x], 1);
    __syncwarp();
    out[threadIdx.x] = v;
}
__global__ void good_masks_agree(int *out, const int *in)
{
    unsigned lane = threadIdx.x & 31;
    unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    int v = __shfl_xor_sync(mask, in[threadIdx.x], 1);
    __syncwarp();
    out[threadIdx.x] = v;
}

// A loop whose number of turns differs from lane to lane, with a vote of all in it and a barrier behind it.
__global__ void bad_deadlock_turns_differ(int *out, const int *in)
{
    int count = in[threadIdx.x] & 3, sum = 0;
    for (int i = 0; i < count; i++)
        sum += __popc(__ballot_sync(FULL, i & 1));
    __syncwarp();
    out[threadIdx.x] = sum;
}
__global__ void good_turns_agree(int *out, const int *in)
{
    int count = in[threadIdx.x] & 3, sum = 0;
    for (int i = 0; __any_sync(FULL, i < count); i++)
        sum += __popc(__ballot_sync(FULL, i < count && (i & 1)));
    __syncwarp();
    out[threadIdx.x] = sum;
}

// One side votes, the other shuffles.
__global__ void bad_deadlock_other_form(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (threadIdx.x & 1)
        v = __shfl_sync(FULL, v, 0);
    else
        v = __any_sync(FULL, v);
    out[threadIdx.x] = v;
}
__global__ void good_one_form(int *out, const int *in)
{
    int v = in[threadIdx.x];
    int w = __shfl_sync(FULL, v, 0);
    int any = __any_sync(FULL, v);
    out[threadIdx.x] = threadIdx.x & 1 ? w : any;
}

// Only the first lane comes to the instruction; the others go on to the next one.
__global__ void bad_deadlock_leader_alone(int *out, int *counter)
{
    int base = 0;
    if ((threadIdx.x & 31) == 0) {
        base = atomicAdd(counter, 32);
        base = __shfl_sync(FULL, base, 0);
    }
    __syncwarp();
    out[threadIdx.x] = base;
}
__global__ void good_leader_and_all(int *out, int *counter)
{
    int base = 0;
    if ((threadIdx.x & 31) == 0)
        base = atomicAdd(counter, 32);
    base = __shfl_sync(FULL, base, 0);
    out[threadIdx.x] = base;
}

// The last warp returns half, and the rest of it waits at a named barrier that counts all.
__global__ void bad_deadlock_named_barrier(int *out)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = 1;
}
__global__ void good_named_barrier(int *out)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 32;" ::: "memory");
    out[threadIdx.x] = 1;
}
}
