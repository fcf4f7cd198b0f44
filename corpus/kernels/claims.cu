// What parts of kernels compute, said beside them: inline assembly that is a comment stays in the PTX, with the names of
// the registers. `warpcheck kernel --prove corpus/kernels/claims.ptx` proves each claim for all inputs.

#define FULL 0xffffffffu

// One name for the register in which a value stands at a section's first line.
#define SECTION_F32(name, value) asm volatile("//! section " name "\n\t//! input %0 f32" : "+f"(value))
#define SECTION_U32(name, value) asm volatile("//! section " name "\n\t//! input %0 u32" : "+r"(value))

__device__ float warp_sum(float v)
{
    SECTION_F32("warp_sum", v);
    float sum = v;
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(FULL, sum, offset);
    asm volatile("//! abstract add.f32 associative commutative\n\t"
                 "//! claim %0 = reduce add of %1 lanes 0x1\n\t"
                 "//! refute %0 = reduce add of %1\n\t"
                 "//! end" ::"f"(sum), "f"(v));
    return sum;
}

// A tree in one block: every warp, then the first.
extern "C" __global__ void good_claims_block_sum(const float *__restrict__ in, float *out)
{
    __shared__ float part[32];
    float sum = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x] * 2.0f);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0)
            out[blockIdx.x] = sum;
    }
}

// A loop that the compiler leaves a loop, the lane from threadIdx.x.
extern "C" __global__ void good_claims_scan(const unsigned *in, unsigned *out)
{
    unsigned v = in[threadIdx.x];
    const unsigned lane = threadIdx.x % 32;
    SECTION_U32("scan", v);
    unsigned sum = v;
#pragma unroll 1
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const unsigned below = __shfl_up_sync(FULL, sum, offset);
        if (lane >= offset)
            sum += below;
    }
    asm volatile("//! claim %0 = scan add of %1\n\t//! end" ::"r"(sum), "r"(v));
    out[threadIdx.x] = sum;
}

// The same without its last turn: right for 16 lanes, wrong for 32.
extern "C" __global__ void good_claims_half_scan(const unsigned *in, unsigned *out)
{
    unsigned v = in[threadIdx.x];
    const unsigned lane = threadIdx.x % 32;
    SECTION_U32("half_scan", v);
    unsigned sum = v;
#pragma unroll 1
    for (unsigned offset = 1; offset < 16; offset *= 2) {
        const unsigned below = __shfl_up_sync(FULL, sum, offset);
        if (lane >= offset)
            sum += below;
    }
    asm volatile("//! claim %0 = scan add of %1 lanes 0xffff\n\t"
                 "//! refute %0 = scan add of %1\n\t"
                 "//! end" ::"r"(sum), "r"(v));
    out[threadIdx.x] = sum;
}

// The greatest of each tile of 8 lanes, in all of them; a store between does not matter.
extern "C" __global__ void good_claims_tiles(const int *in, int *out, int *log)
{
    int v = in[threadIdx.x];
    asm volatile("//! section tiles\n\t//! input %0 s32" : "+r"(v));
    int most = v;
    for (int mask = 4; mask > 0; mask >>= 1)
        most = max(most, __shfl_xor_sync(FULL, most, mask, 8));
    log[threadIdx.x] = v;
    asm volatile("//! claim %0 = reduce max of %1 over width 8\n\t"
                 "//! claim uniform %0 over width 8\n\t"
                 "//! end" ::"r"(most), "r"(v));
    out[threadIdx.x] = most;
}

// How many lanes below have the predicate.
extern "C" __global__ void good_claims_rank(const int *in, unsigned *out)
{
    unsigned flag = in[threadIdx.x] > 0;
    asm volatile("//! section rank\n\t//! input %0 u32 range 0 1" : "+r"(flag));
    const unsigned votes = __ballot_sync(FULL, flag != 0);
    unsigned below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    const unsigned rank = __popc(votes & below);
    asm volatile("//! claim %0 = exscan add of %1\n\t//! end" ::"r"(rank), "r"(flag));
    out[threadIdx.x] = rank;
}
