// CUB's warp and block primitives. The library's headers are NVIDIA's; what stands here is ours.
#include <cub/cub.cuh>

template <int N> __device__ void block_sum(int *out, const int *in)
{
    using Reduce = cub::BlockReduce<int, N>;
    __shared__ typename Reduce::TempStorage temp;
    int sum = Reduce(temp).Sum(in[threadIdx.x]);
    if (threadIdx.x == 0)
        out[0] = sum;
}

extern "C" {

__global__ void good_warp_reduce(int *out, const int *in, int valid)
{
    using Reduce = cub::WarpReduce<int>;
    __shared__ typename Reduce::TempStorage temp[32];
    int sum = Reduce(temp[threadIdx.x / 32]).Sum(in[threadIdx.x], valid < 1 ? 1 : valid > 32 ? 32 : valid);
    if ((threadIdx.x & 31) == 0)
        out[threadIdx.x / 32] = sum;
}

__global__ void good_warp_scan(int *out, const int *in)
{
    using Scan = cub::WarpScan<int, 16>;
    __shared__ typename Scan::TempStorage temp[64];
    int v;
    Scan(temp[threadIdx.x / 16]).ExclusiveSum(in[threadIdx.x], v);
    out[threadIdx.x] = v;
}

__global__ void good_warp_exchange(int *out, const int *in)
{
    using Exchange = cub::WarpExchange<int, 4>;
    __shared__ typename Exchange::TempStorage temp[32];
    int items[4];
    for (int i = 0; i < 4; i++)
        items[i] = in[threadIdx.x * 4 + i];
    Exchange(temp[threadIdx.x / 32]).BlockedToStriped(items, items);
    for (int i = 0; i < 4; i++)
        out[threadIdx.x + i * blockDim.x] = items[i];
}

__global__ void __block_size__((128, 1, 1)) good_block_reduce(int *out, const int *in)
{
    block_sum<128>(out, in);
}

__global__ void __block_size__((96, 1, 1)) good_block_reduce_96(int *out, const int *in)
{
    block_sum<96>(out, in);
}

__global__ void __block_size__((128, 1, 1)) good_block_scan(int *out, const int *in)
{
    using Scan = cub::BlockScan<int, 128>;
    __shared__ typename Scan::TempStorage temp;
    int v;
    Scan(temp).InclusiveSum(in[threadIdx.x], v);
    out[threadIdx.x] = v;
}

__global__ void __block_size__((64, 1, 1)) good_block_radix_sort(int *out, const int *in)
{
    using Sort = cub::BlockRadixSort<int, 64, 2>;
    __shared__ typename Sort::TempStorage temp;
    int keys[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]};
    Sort(temp).Sort(keys, 0, 8);
    out[threadIdx.x * 2] = keys[0];
    out[threadIdx.x * 2 + 1] = keys[1];
}

struct less {
    __device__ bool operator()(int a, int b) const { return a < b; }
};
__global__ void good_warp_merge_sort(int *out, const int *in)
{
    using Sort = cub::WarpMergeSort<int, 2>;
    __shared__ typename Sort::TempStorage temp[32];
    int keys[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]};
    Sort(temp[threadIdx.x / 32]).Sort(keys, less());
    out[threadIdx.x * 2] = keys[0];
    out[threadIdx.x * 2 + 1] = keys[1];
}
}
