// Lanes of one warp that talk through shared memory as if they walked in step.
#define FULL 0xffffffffu
extern "C" {

__global__ void bad_race_reduce(int *out, const int *in)
{
    __shared__ volatile int s[64];
    unsigned t = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        s[t] = in[t];
        s[t + 32] = in[t + 32];
        __syncwarp();
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
        if (t == 0)
            out[0] = s[0];
    }
}
__global__ void good_reduce(int *out, const int *in)
{
    __shared__ int s[64];
    unsigned t = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        s[t] = in[t];
        s[t + 32] = in[t + 32];
        __syncwarp();
        for (int d = 32; d; d >>= 1) {
            int v = s[t + d];
            __syncwarp();
            s[t] += v;
            __syncwarp();
            if (d == 32)
                s[t + 32] = 0;
            __syncwarp();
        }
        if (t == 0)
            out[0] = s[0];
    }
}

// A shuffle orders no memory.
__global__ void bad_race_shuffle_orders(int *out, const int *in)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    int turn = __shfl_sync(FULL, in[0], 0);
    out[threadIdx.x] = s[threadIdx.x ^ 1] + turn;
}
__global__ void good_syncwarp_orders(int *out, const int *in)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    int turn = __shfl_sync(FULL, in[0], 0);
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 1] + turn;
}

// A barrier of one half, a word of the other.
__global__ void bad_race_half_barrier(int *out, const int *in)
{
    __shared__ int s[1024];
    unsigned lane = threadIdx.x & 31;
    s[threadIdx.x] = in[threadIdx.x];
    if (lane < 16)
        __syncwarp(0x0000ffffu);
    else
        __syncwarp(0xffff0000u);
    out[threadIdx.x] = s[threadIdx.x ^ 16];
}
__global__ void good_half_barrier(int *out, const int *in)
{
    __shared__ int s[1024];
    unsigned lane = threadIdx.x & 31;
    s[threadIdx.x] = in[threadIdx.x];
    if (lane < 16)
        __syncwarp(0x0000ffffu);
    else
        __syncwarp(0xffff0000u);
    out[threadIdx.x] = s[threadIdx.x ^ 8];
}

// Two lanes write two values into one word.
__global__ void bad_race_two_values(int *out, const int *in)
{
    __shared__ int s[32];
    s[threadIdx.x / 32] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x / 32];
}
__global__ void good_one_value(int *out, const int *in)
{
    __shared__ int s[32];
    s[threadIdx.x / 32] = in[blockIdx.x]; // all lanes the same
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x / 32];
}

// The buffer of one turn is overwritten by the next, before all have read it.
__global__ void bad_race_next_turn(int *out, const int *in)
{
    __shared__ int s[1024];
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        s[threadIdx.x] = in[threadIdx.x + i * 32];
        __syncwarp();
        sum += s[threadIdx.x ^ 5];
    }
    out[threadIdx.x] = sum;
}
__global__ void good_next_turn(int *out, const int *in)
{
    __shared__ int s[1024];
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        s[threadIdx.x] = in[threadIdx.x + i * 32];
        __syncwarp();
        sum += s[threadIdx.x ^ 5];
        __syncwarp();
    }
    out[threadIdx.x] = sum;
}
}
