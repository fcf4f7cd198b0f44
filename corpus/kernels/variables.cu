// What variables of the module hold: an earlier launch, another block or the host may have changed it.
extern "C" {

__device__ int mode;
__device__ unsigned retired;

__global__ void bad_deadlock_in_a_mode(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (mode == 1 && v > 0)
        __syncwarp();
    __syncthreads();
    out[threadIdx.x] = v;
}
__global__ void good_in_a_mode(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (mode == 1)
        __syncwarp();
    __syncthreads();
    out[threadIdx.x] = v;
}

// The last block adds up what the others left: only so many lanes as there are blocks take part in the sum.
__global__ void bad_unpredictable_last_block(float *out, float *part)
{
    __shared__ bool last;
    if (threadIdx.x == 0)
        last = atomicInc(&retired, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last && gridDim.x > 1 && threadIdx.x < gridDim.x) {
        float s = part[threadIdx.x];
        for (int d = 16; d > 0; d >>= 1)
            s += __shfl_down_sync(0xffffffff, s, d);
        if (threadIdx.x == 0)
            *out = s;
    }
}
__global__ void good_last_block(float *out, float *part)
{
    __shared__ bool last;
    if (threadIdx.x == 0)
        last = atomicInc(&retired, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x < 32) {
        float s = threadIdx.x < gridDim.x ? part[threadIdx.x] : 0;
        for (int d = 16; d > 0; d >>= 1)
            s += __shfl_down_sync(0xffffffff, s, d);
        if (threadIdx.x == 0)
            *out = s;
    }
}

// All that write the flag write the same.
__global__ void good_flag_by_exchange(int *out, const int *in)
{
    __shared__ unsigned any;
    if (threadIdx.x == 0)
        any = 0;
    __syncthreads();
    if (in[threadIdx.x] & 1)
        atomicExch(&any, 1);
    else
        any = 1;
    __syncthreads();
    out[threadIdx.x] = any;
}
// One more is what another lane may have seen: the order matters.
__global__ void bad_race_flag_by_sum(int *out, const int *in)
{
    __shared__ unsigned any;
    if (threadIdx.x == 0)
        any = 0;
    __syncthreads();
    if (in[threadIdx.x] & 1)
        atomicAdd(&any, 1);
    else
        any = 1;
    __syncthreads();
    out[threadIdx.x] = any;
}
}
