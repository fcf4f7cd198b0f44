// Lanes that execute a warp instruction without being in their own membermask; membermasks of 0.
// What is undefined here raises an error in debug builds and gives plausible values in release builds.
#define FULL 0xffffffffu
extern "C" {

// The mask was computed once, for lanes that have an element; in the last turn of the loop others come too.
__global__ void bad_undefined_mask_of_earlier_turn(int *out, const int *in, int n)
{
    int sum = 0;
    unsigned mask = __ballot_sync(FULL, threadIdx.x < n);
    for (int i = threadIdx.x; i < 64; i += 32) {
        int v = in[i];
        sum += __shfl_xor_sync(mask, v, 1);
    }
    out[threadIdx.x] = sum;
}
__global__ void good_mask_of_all(int *out, const int *in, int n)
{
    int sum = 0;
    for (int i = threadIdx.x; i < 64; i += 32) {
        unsigned mask = __ballot_sync(FULL, i < 2 * n);
        int v = in[i];
        if (mask >> (threadIdx.x & 31) & 1)
            sum += __shfl_xor_sync(mask, v, 1);
    }
    out[threadIdx.x] = sum;
}

// A mask that was written for the lower half, in code that the whole warp executes.
__global__ void bad_undefined_half_mask(int *out, const int *in)
{
    int v = in[threadIdx.x];
    v += __shfl_down_sync(0x0000ffffu, v, 8);
    out[threadIdx.x] = v;
}
__global__ void good_half_mask(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if ((threadIdx.x & 31) < 16) {
        int w = __shfl_down_sync(0x0000ffffu, v, 8);
        if ((threadIdx.x & 31) < 8)
            v += w;
    }
    out[threadIdx.x] = v;
}

// (1 << width) - 1 is 0 for a width of 32 on this machine, and shifts by 32 give 0.
__global__ void bad_undefined_width_32(int *out, const int *in, int width)
{
    unsigned mask = width >= 32 ? 0 : (1u << width) - 1;
    int v = in[threadIdx.x];
    if ((threadIdx.x & 31) < width)
        v = __shfl_sync(mask, v, 0);
    out[threadIdx.x] = v;
}
__global__ void good_width_32(int *out, const int *in, int width)
{
    unsigned mask = width >= 32 ? FULL : (1u << width) - 1;
    int v = in[threadIdx.x];
    if ((int)(threadIdx.x & 31) < width)
        v = __shfl_sync(mask, v, 0);
    out[threadIdx.x] = v;
}

// The ballot's mask of those with true predicate, used by all.
__global__ void bad_undefined_ballot_then_all(unsigned *out, const int *in)
{
    unsigned set = __ballot_sync(FULL, in[threadIdx.x] & 1);
    out[threadIdx.x] = __match_any_sync(set, in[threadIdx.x]);
}
__global__ void good_ballot_then_those(unsigned *out, const int *in)
{
    bool odd = in[threadIdx.x] & 1;
    unsigned set = __ballot_sync(FULL, odd);
    out[threadIdx.x] = odd ? __match_any_sync(set, in[threadIdx.x]) : 0;
}

// Groups of 8: the mask of the first group in every group.
__global__ void bad_undefined_group_mask(int *out, const int *in)
{
    int v = in[threadIdx.x];
    for (int d = 4; d; d >>= 1)
        v += __shfl_xor_sync(0xffu, v, d, 8);
    out[threadIdx.x] = v;
}
__global__ void good_group_mask(int *out, const int *in)
{
    unsigned mask = 0xffu << (threadIdx.x & 24);
    int v = in[threadIdx.x];
    for (int d = 4; d; d >>= 1)
        v += __shfl_xor_sync(mask, v, d, 8);
    out[threadIdx.x] = v;
}

// bar.warp.sync with the mask of the other half.
__global__ void bad_undefined_syncwarp(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x];
    if ((threadIdx.x & 31) < 16)
        __syncwarp(0xffff0000u);
}
__global__ void good_syncwarp(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x];
    if ((threadIdx.x & 31) < 16)
        __syncwarp(0x0000ffffu);
}
}
