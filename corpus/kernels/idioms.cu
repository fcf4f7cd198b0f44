// What kernels usually do with warps: reductions, scans, ballots, compaction, histograms, transposes, sorting.
#define FULL 0xffffffffu
extern "C" {

__device__ int warp_sum(int v)
{
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(FULL, v, d);
    return v;
}

__global__ void good_block_sum(int *out, const int *in, int n)
{
    __shared__ int s[32];
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = warp_sum(sum);
    if ((threadIdx.x & 31) == 0)
        s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_sum(threadIdx.x < blockDim.x / 32 ? s[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            atomicAdd(out, sum);
    }
}

__global__ void good_scan(int *out, const int *in)
{
    __shared__ int s[32];
    unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    int v = in[threadIdx.x];
    for (unsigned d = 1; d < 32; d <<= 1) {
        int w = __shfl_up_sync(FULL, v, d);
        if (lane >= d)
            v += w;
    }
    if (lane == 31)
        s[warp] = v;
    __syncthreads();
    int before = 0;
    for (unsigned w = 0; w < warp; w++)
        before += s[w];
    out[threadIdx.x] = v + before;
}

__global__ void good_compact(int *out, int *count, const int *in)
{
    unsigned lane = threadIdx.x & 31;
    bool keep = in[threadIdx.x] > 2;
    unsigned set = __ballot_sync(FULL, keep);
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(set));
    base = __shfl_sync(FULL, base, 0);
    if (keep)
        out[(base + __popc(set & ((1u << lane) - 1))) & 4095] = in[threadIdx.x];
}

__global__ void good_histogram(int *out, const unsigned char *in, int n)
{
    __shared__ int bins[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[in[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        atomicAdd(&out[i], bins[i]);
}

__global__ void __launch_bounds__(256) good_transpose(float *out, const float *in)
{
    __shared__ float tile[32][33];
    unsigned x = threadIdx.x & 31, y = threadIdx.x / 32;
    for (unsigned r = y; r < 32; r += blockDim.x / 32)
        tile[r][x] = in[r * 32 + x];
    __syncthreads();
    for (unsigned r = y; r < 32; r += blockDim.x / 32)
        out[r * 32 + x] = tile[x][r];
}

__global__ void good_bitonic(int *out, const int *in)
{
    unsigned lane = threadIdx.x & 31;
    int v = in[threadIdx.x];
    for (unsigned k = 2; k <= 32; k <<= 1)
        for (unsigned d = k / 2; d; d >>= 1) {
            int w = __shfl_xor_sync(FULL, v, d);
            bool up = !(lane & k), lower = !(lane & d);
            v = (v < w) == (up == lower) ? v : w;
        }
    out[threadIdx.x] = v;
}

__global__ void good_redux(unsigned *out, const unsigned *in)
{
    unsigned v = in[threadIdx.x];
    out[threadIdx.x] = __reduce_add_sync(FULL, v) ^ __reduce_max_sync(FULL, v) ^ __reduce_or_sync(FULL, v);
}

__global__ void good_softmax(float *out, const float *in, int columns)
{
    const float *row = in + blockIdx.x * columns;
    unsigned lane = threadIdx.x & 31;
    float most = -1e30f, sum = 0;
    for (int c = lane; c < columns; c += 32)
        most = fmaxf(most, row[c]);
    for (int d = 16; d; d >>= 1)
        most = fmaxf(most, __shfl_xor_sync(FULL, most, d));
    for (int c = lane; c < columns; c += 32)
        sum += __expf(row[c] - most);
    for (int d = 16; d; d >>= 1)
        sum += __shfl_xor_sync(FULL, sum, d);
    if (threadIdx.x < 32)
        for (int c = lane; c < columns; c += 32)
            out[blockIdx.x * columns + c] = __expf(row[c] - most) / sum;
}

__global__ void good_ticket(int *out, unsigned *ticket, const int *in, int n)
{
    __shared__ bool last;
    int sum = warp_sum(threadIdx.x < n ? in[threadIdx.x] : 0);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(out, sum);
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0)
        out[1] = 1;
}
}
