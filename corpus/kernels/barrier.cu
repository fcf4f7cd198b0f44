// Block barriers in divergent code. Threads that have exited are not waited for; those that have not are.
extern "C" {

__global__ void bad_barrier_two_places(int *out, const int *in)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x & 1) {
        __syncthreads();
        s[threadIdx.x] += s[threadIdx.x ^ 1];
    } else {
        asm volatile("bar.sync 0;" ::: "memory");
        s[threadIdx.x] *= 3;
    }
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void good_barrier_one_place(int *out, const int *in)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int v = threadIdx.x & 1 ? s[threadIdx.x] + s[threadIdx.x ^ 1] : s[threadIdx.x] * 3;
    out[threadIdx.x] = v;
}

// Those behind the end leave out the barrier in the loop, and meet the others at the next one.
__global__ void bad_barrier_in_branch(int *out, const int *in, int n)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    if ((int)threadIdx.x < n) {
        s[threadIdx.x] += 1;
        __syncthreads();
        out[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
    }
    __syncthreads();
    in[0] ? (out[threadIdx.x] += s[0]) : 0;
}
__global__ void good_barrier_in_branch(int *out, const int *in, int n)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    if ((int)threadIdx.x < n)
        s[threadIdx.x] += 1;
    __syncthreads();
    if ((int)threadIdx.x < n)
        out[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    in[0] ? (out[threadIdx.x] += s[0]) : 0;
}

// As many turns as the lane's number: a barrier in a loop that lanes leave one by one.
__global__ void bad_barrier_in_loop(int *out, const int *in)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    for (int i = 0; i < (int)(threadIdx.x & 3); i++) {
        s[threadIdx.x] += i;
        __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void good_barrier_in_loop(int *out, const int *in)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    for (int i = 0; i < 3; i++) {
        if (i < (int)(threadIdx.x & 3))
            s[threadIdx.x] += i;
        __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
}
