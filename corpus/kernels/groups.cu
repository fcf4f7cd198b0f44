// Cooperative groups as people use them. The library's headers are NVIDIA's; what stands here is ours.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" {

__global__ void good_tile_reduce(int *out, const int *in)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
    if (tile.thread_rank() == 0)
        out[threadIdx.x / 16] = sum;
}

__global__ void good_tile_scan(int *out, const int *in)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    out[threadIdx.x] = cg::inclusive_scan(tile, in[threadIdx.x]) + cg::exclusive_scan(tile, in[threadIdx.x]);
}

__global__ void good_coalesced(int *out, int *counter, const int *in)
{
    if (in[threadIdx.x] & 1) {
        cg::coalesced_group g = cg::coalesced_threads();
        int base = 0;
        if (g.thread_rank() == 0)
            base = atomicAdd(counter, g.size());
        out[(g.shfl(base, 0) + g.thread_rank()) & 4095] = threadIdx.x;
    }
}

__global__ void good_labeled(int *out, const int *in)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto g = cg::labeled_partition(tile, in[threadIdx.x] & 3);
    out[threadIdx.x] = cg::reduce(g, in[threadIdx.x], cg::greater<int>());
}

__global__ void good_binary(int *out, const int *in)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto g = cg::binary_partition(tile, (in[threadIdx.x] & 1) != 0);
    out[threadIdx.x] = g.shfl((int)threadIdx.x, 0) + g.any(in[threadIdx.x] > 5);
}

__global__ void good_block_sync(int *out, const int *in)
{
    __shared__ int s[1024];
    cg::thread_block block = cg::this_thread_block();
    s[block.thread_rank()] = in[block.thread_rank()];
    block.sync();
    out[block.thread_rank()] = s[block.size() - 1 - block.thread_rank()];
}
}
