// Block barriers in functions that are called.
extern "C" {

// A barrier in a function of its own is one as much: whoever goes round the call goes round it.
__device__ __noinline__ int shared_with_next(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    return s[(threadIdx.x + 1) % blockDim.x];
}
__device__ __noinline__ int halved_with_next(int *s, int v)
{
    return shared_with_next(s, v / 2) + 1;
}
__global__ void bad_barrier_in_function(int *out, const int *in)
{
    __shared__ int s[1024];
    int v = in[threadIdx.x];
    if (v > 0)
        v = shared_with_next(s, v);
    out[threadIdx.x] = v;
}
__global__ void good_barrier_in_function(int *out, const int *in)
{
    __shared__ int s[1024];
    int v = in[threadIdx.x];
    int w = shared_with_next(s, v);
    out[threadIdx.x] = v > 0 ? w : v;
}
__global__ void bad_barrier_in_function_of_function(int *out)
{
    __shared__ int s[1024];
    int v = threadIdx.x;
    if (threadIdx.x & 1)
        v = halved_with_next(s, v);
    out[threadIdx.x] = v;
}
__global__ void good_barrier_in_function_of_function(int *out, int n)
{
    __shared__ int s[1024];
    int v = threadIdx.x;
    if (n & 1)
        v = halved_with_next(s, v);
    out[threadIdx.x] = v;
}
__device__ __noinline__ void turns_with_barrier(int *s, int n)
{
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] += i;
        __syncthreads();
    }
}
__global__ void bad_barrier_turns_in_function(int *out, const int *in)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    turns_with_barrier(s, in[threadIdx.x] & 3);
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void good_barrier_turns_in_function(int *out, const int *in, int n)
{
    __shared__ int s[1024];
    s[threadIdx.x] = in[threadIdx.x];
    turns_with_barrier(s, n & 3);
    out[threadIdx.x] = s[threadIdx.x];
}
// Threads that have left are not waited for. The last of the rest does not use what its next one has not written.
__global__ void good_barrier_in_function_for_the_rest(int *out)
{
    __shared__ int s[1024];
    if (threadIdx.x >= 64 || threadIdx.x % 32 > 20)
        return;
    int next = shared_with_next(s, threadIdx.x);
    out[threadIdx.x] = threadIdx.x % 32 < 20 ? next : 0;
}
// Lanes that call it in both branches are at two places: the two calls.
__global__ void bad_barrier_by_two_calls(int *out, const int *in)
{
    __shared__ int s[1024];
    int v = in[threadIdx.x];
    if (v > 0)
        v = shared_with_next(s, v);
    else
        v = shared_with_next(s, -v) - 1;
    out[threadIdx.x] = v;
}
__global__ void good_barrier_by_two_calls(int *out, const int *in, int n)
{
    __shared__ int s[1024];
    int v = in[threadIdx.x];
    if (n > 0)
        v = shared_with_next(s, v);
    else
        v = shared_with_next(s, -v) - 1;
    out[threadIdx.x] = v;
}
}
