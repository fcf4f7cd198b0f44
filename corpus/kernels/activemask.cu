// activemask says who is here now, and nothing promises that those who could be here are.
#define FULL 0xffffffffu
extern "C" {

// Works as long as the lanes of the branch stay together. Alone, each lane waits for nobody, and reads nobody.
__global__ void bad_unpredictable_activemask(int *out, const int *in)
{
    int v = in[threadIdx.x];
    if (v & 1) {
        unsigned mask = __activemask();
        int leader = __ffs(in[0] & 1 ? FULL : FULL << 1) - 1;
        v = __shfl_sync(mask, v, leader);
    }
    out[threadIdx.x] = v;
}

// The mask of one place, used where other lanes have come.
__global__ void bad_deadlock_activemask(int *out, const int *in)
{
    int v = in[threadIdx.x];
    unsigned mask = __activemask();
    if (v & 1)
        v = __shfl_xor_sync(mask, v, 0);
    __syncwarp();
    out[threadIdx.x] = v;
}
__global__ void good_ballot(int *out, const int *in)
{
    int v = in[threadIdx.x];
    unsigned mask = __ballot_sync(FULL, v & 1);
    if (v & 1)
        v = __shfl_xor_sync(mask, v, 0);
    __syncwarp();
    out[threadIdx.x] = v;
}

// Aggregated atomics: right for every partition.
__global__ void good_aggregated(int *counter, const int *in)
{
    if (in[threadIdx.x] & 1) {
        unsigned mask = __activemask(), lane = threadIdx.x & 31;
        int leader = __ffs(mask) - 1;
        if ((int)lane == leader)
            atomicAdd(counter, __popc(mask));
    }
}
}
