/*
 * Your shuffles, in the shape of CUDA's __shfl_{up,down,xor,idx}_sync: one function, asked lane by lane.
 *
 * Edit my_shfl: take out what it does and call yours. It returns what lane `lane` gets when all lanes of `mask` that
 * have not exited (`active`) call it with the same mode and width; values[i] is lane i's, also of lanes that do not
 * take part. `make check` then tells whether it is right, and shows the smallest case where it is not.
 */
#include <warpcheck/cuda.h>

static uint32_t my_shfl(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t values[32],
                        unsigned lane, int b, int width)
{
    const int own = (int)lane, first = own / width * width, last = first + width - 1, shift = b & 31;
    int source = own;
    (void)mask, (void)active; /* a source that does not take part is unpredictable: any value will do */
    if (mode == WARPCHECK_SHFL_UP)
        source = own - shift >= first ? own - shift : own;
    else if (mode == WARPCHECK_SHFL_DOWN)
        source = own + shift <= last ? own + shift : own;
    else if (mode == WARPCHECK_SHFL_XOR)
        source = (own ^ shift) <= last ? own ^ shift : own; /* an earlier segment may be read */
    else
        source = first + (shift & (width - 1));
    return values[source];
}

WARPCHECK_CUDA_SHFL(mine, my_shfl)
WARPCHECK_PLUGIN(&mine)
