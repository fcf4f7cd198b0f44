// A source lane outside the group gives an unpredictable value. Reading it is allowed; using it is the mistake.
#define FULL 0xffffffffu
extern "C" {

// The lanes behind the end return early: nobody waits for them, and their values are missing in the sum.
__global__ void bad_unpredictable_return_early(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = in[i];
    for (int d = 16; d; d >>= 1)
        v += __shfl_down_sync(FULL, v, d);
    if (threadIdx.x % 32 == 0)
        out[i / 32] = v;
}
__global__ void good_zero_behind_end(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0.0f;
    for (int d = 16; d; d >>= 1)
        v += __shfl_down_sync(FULL, v, d);
    if (threadIdx.x % 32 == 0 && i < n)
        out[i / 32] = v;
}

// The mask is right, the offsets are those of a whole warp.
__global__ void bad_unpredictable_offsets(int *out, const int *in, int warps)
{
    bool here = (int)threadIdx.x < warps && threadIdx.x < 32;
    unsigned mask = __ballot_sync(FULL, here);
    if (here) {
        int v = in[threadIdx.x];
        for (int d = 16; d; d >>= 1)
            v += __shfl_down_sync(mask, v, d);
        if (threadIdx.x == 0)
            out[0] = v;
    }
}
__global__ void good_offsets(int *out, const int *in, int warps)
{
    bool here = (int)threadIdx.x < warps && threadIdx.x < 32;
    unsigned mask = __ballot_sync(FULL, here);
    if (here) {
        int v = in[threadIdx.x];
        for (int d = 16; d; d >>= 1) {
            int w = __shfl_down_sync(mask, v, d);
            if (mask >> ((threadIdx.x & 31) + d & 31) & 1 && (threadIdx.x & 31) + d < 32)
                v += w;
        }
        if (threadIdx.x == 0)
            out[0] = v;
    }
}

// Broadcast from lane 0, which is not among those that have an odd number.
__global__ void bad_unpredictable_broadcast(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (threadIdx.x & 1)
        v = __shfl_sync(0xaaaaaaaau, v, 0);
    out[threadIdx.x] = v;
}
__global__ void good_broadcast(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (threadIdx.x & 1)
        v = __shfl_sync(0xaaaaaaaau, v, 1);
    out[threadIdx.x] = v;
}

// As an address, and as a branch.
__global__ void bad_unpredictable_address(int *out, const int *in)
{
    unsigned lane = threadIdx.x & 31;
    if (lane < 24) {
        int next = __shfl_down_sync(0x00ffffffu, in[threadIdx.x] & 31, 4);
        out[next] = 1;
    }
}
__global__ void good_address(int *out, const int *in)
{
    unsigned lane = threadIdx.x & 31;
    if (lane < 24) {
        int next = __shfl_down_sync(0x00ffffffu, in[threadIdx.x] & 31, 4);
        if (lane < 20)
            out[next] = 1;
    }
}
__global__ void bad_unpredictable_branch(int *out, const int *in)
{
    unsigned lane = threadIdx.x & 31;
    if (lane < 24) {
        int next = __shfl_down_sync(0x00ffffffu, in[threadIdx.x], 4);
        if (next > 3)
            atomicAdd(out, 1);
    }
}
__global__ void good_branch(int *out, const int *in)
{
    unsigned lane = threadIdx.x & 31;
    if (lane < 24) {
        int next = __shfl_down_sync(0x00ffffffu, in[threadIdx.x], 4);
        if (lane < 20 && next > 3)
            atomicAdd(out, 1);
    }
}

// Through shared memory, and into an atomic operation.
__global__ void bad_unpredictable_atomic(int *out, const int *in)
{
    __shared__ int s[1024];
    unsigned lane = threadIdx.x & 31;
    int v = in[threadIdx.x];
    if (lane < 16)
        v = __shfl_xor_sync(0x0000ffffu, v, 16);
    s[threadIdx.x] = v;
    __syncthreads();
    atomicAdd(out, s[threadIdx.x]);
}
__global__ void good_atomic(int *out, const int *in)
{
    __shared__ int s[1024];
    unsigned lane = threadIdx.x & 31;
    int v = in[threadIdx.x];
    if (lane < 16)
        v = __shfl_xor_sync(0x0000ffffu, v, 8);
    s[threadIdx.x] = v;
    __syncthreads();
    atomicAdd(out, s[threadIdx.x]);
}
}
