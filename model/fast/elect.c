/* elect and bar.warp: what is left to do once a group is complete. */
#include "kernels.h"

/* One lane of the group leads it. Any may; the lowest costs two operations, for many warps at once. */
void fast_elect_portable(struct fast_strip *strip)
{
    for (size_t w = 0; w < strip->n; w++)
        strip->word[w] = strip->group[w] & (0u - strip->group[w]);
}

/* Nothing is. */
void fast_bar_warp_portable(struct fast_strip *strip)
{
    for (size_t w = 0; w < strip->n; w++)
        strip->word[w] = 0;
}
