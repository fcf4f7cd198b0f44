// What a kernel prints is what others see. Each bad_ kernel has its corrected twin good_.
#include <cstdio>

extern "C" {

// The sum of the last warp counts lanes that have returned.
__global__ void bad_unpredictable_printed(const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = in[i];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        printf("sum from %d on: %f\n", i, v);
}
__global__ void good_printed(const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        printf("sum from %d on: %f\n", i, v);
}

// A wide argument behind narrow ones, read from lanes that do not take part.
__global__ void bad_unpredictable_printed_last(const long long *in)
{
    unsigned lane = threadIdx.x & 31;
    if (lane < 8) {
        long long next = __shfl_down_sync(0xffu, in[threadIdx.x], 4);
        printf("%c%5u%% %*lld\n", 'a' + (int)lane, lane, 9, next);
    }
}
__global__ void good_printed_last(const long long *in)
{
    unsigned lane = threadIdx.x & 31;
    if (lane < 8) {
        long long next = __shfl_down_sync(0xffu, in[threadIdx.x], 4);
        if (lane < 4)
            printf("%c%5u%% %*lld\n", 'a' + (int)lane, lane, 9, next);
    }
}
}
