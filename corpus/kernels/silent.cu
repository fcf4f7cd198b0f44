// What has been reported as a mistake somewhere, or looks like one, and is defined. All of it must stay silent.
#define FULL 0xffffffffu
extern "C" {

// Both branches have the shuffle: groups meet across places, each lane with its own operands.
__global__ void good_both_branches(int *out, const int *in)
{
    int v = in[threadIdx.x], w;
    if (threadIdx.x & 1)
        w = __shfl_sync(FULL, v, 0) + 1;
    else
        w = __shfl_sync(FULL, v * 2, 3) * 5;
    out[threadIdx.x] = w;
}

// Whole groups return early.
__global__ void good_groups_return(int *out, const int *in, int groups)
{
    int group = threadIdx.x / 8;
    unsigned mask = 0xffu << (threadIdx.x & 24);
    if (group >= groups)
        return;
    int v = in[threadIdx.x];
    for (int d = 4; d; d >>= 1)
        v += __shfl_xor_sync(mask, v, d, 8);
    out[threadIdx.x] = v;
}

// Whole warps return before the others vote.
__global__ void good_warps_return(unsigned *out, const int *in, int warps)
{
    if ((int)(threadIdx.x / 32) >= warps)
        return;
    out[threadIdx.x] = __ballot_sync(FULL, in[threadIdx.x] > 3);
}

// Lanes that have exited are not waited for.
__global__ void good_exited(unsigned *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = __ballot_sync(FULL, in[i] & 1);
}

// The value of a lane that is not there is read and thrown away.
__global__ void good_read_and_discard(int *out, const int *in)
{
    unsigned lane = threadIdx.x & 31;
    int v = in[threadIdx.x];
    if (lane < 20) {
        int next = __shfl_down_sync(0x000fffffu, v, 4);
        v = lane < 16 ? v + next : v;
    }
    out[threadIdx.x] = v;
}

// All lanes write the same value into one word.
__global__ void good_same_value(int *out, const int *in, int n)
{
    __shared__ int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (in[threadIdx.x] == n)
        flag = 1;
    __syncthreads();
    out[threadIdx.x] = flag;
}

// A lock is taken turn by turn.
__global__ void good_turns(int *out, const int *in)
{
    unsigned todo = __ballot_sync(FULL, in[threadIdx.x] & 3);
    int sum = 0;
    while (todo) {
        int leader = __ffs(todo) - 1;
        sum += __shfl_sync(FULL, in[threadIdx.x], leader);
        todo &= todo - 1;
    }
    out[threadIdx.x] = sum;
}

// Lanes of equal keys form groups and work apart from the others.
__global__ void good_match_groups(int *out, const int *in)
{
    int key = in[threadIdx.x] & 3, v = threadIdx.x;
    unsigned peers = __match_any_sync(FULL, key);
    int leader = __ffs(peers) - 1;
    out[threadIdx.x] = __shfl_sync(peers, v, leader);
}

// The trip count differs, and the mask is made anew each turn.
__global__ void good_shrinking_mask(int *out, const int *in)
{
    int count = in[threadIdx.x] & 7, sum = 0;
    unsigned mask = __ballot_sync(FULL, count > 0);
    while (count > 0) {
        sum += __popc(__ballot_sync(mask, count & 1));
        count--;
        mask = __ballot_sync(mask, count > 0);
    }
    out[threadIdx.x] = sum;
}

// Warps are at different barriers of one number: producer and consumer.
__global__ void good_producer_consumer(int *out, const int *in)
{
    __shared__ int s[32];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = in[threadIdx.x];
        __threadfence_block();
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else if (threadIdx.x < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x] = s[threadIdx.x - 32];
    }
}
}
