/* elect: one lane of the group leads it. Any may; the lowest costs two operations, for many warps at once. */
#include "kernels.h"

void fast_elect_portable(struct fast_strip *strip)
{
    for (size_t w = 0; w < strip->n; w++)
        strip->word[w] = strip->group[w] & (0u - strip->group[w]);
}
