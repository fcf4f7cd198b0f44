/*
 * Your shuffles, in the shape of PTX's shfl.sync.{up,down,bfly,idx}.b32 d|p, a, b, c, membermask: one function, asked
 * lane by lane.
 *
 * Edit my_shfl: take out what it does and call yours. It returns d of lane `lane`, and sets *p; b and c are the whole
 * registers of that lane, as an instruction finds them; values[i] is lane i's a, also of lanes that do not take part.
 * `make check` then tells whether it is right, and shows the smallest case where it is not.
 */
#include <warpcheck/cuda.h>

static uint32_t my_shfl(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t values[32],
                        unsigned lane, uint32_t b, uint32_t c, bool *p)
{
    const int bval = (int)(b & 31), clamp = (int)(c & 31), segmask = (int)(c >> 8 & 31), own = (int)lane;
    const int min_lane = own & segmask, max_lane = min_lane | (clamp & ~segmask);
    int j = own;
    (void)mask, (void)active; /* a source that does not take part is unpredictable: any value will do */
    switch (mode) {
    case WARPCHECK_SHFL_UP:
        j = own - bval;
        *p = j >= max_lane;
        break;
    case WARPCHECK_SHFL_DOWN:
        j = own + bval;
        *p = j <= max_lane;
        break;
    case WARPCHECK_SHFL_XOR:
        j = own ^ bval;
        *p = j <= max_lane;
        break;
    case WARPCHECK_SHFL_IDX:
        j = min_lane | (bval & ~segmask);
        *p = j <= max_lane;
        break;
    }
    return values[*p ? j : own];
}

WARPCHECK_PTX_SHFL(mine, my_shfl)
WARPCHECK_PLUGIN(&mine)
