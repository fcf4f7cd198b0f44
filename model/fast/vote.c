/* vote.sync, vote: all modes follow from the ballot (batch.c). */
#include "kernels.h"

void fast_ballot_portable(struct fast_strip *strip)
{
    for (size_t w = 0; w < strip->n; w++) /* a call, not an inlined compare with 0: that is not vectorized by Clang */
        strip->word[w] = ~fast_kernels_portable.equal(fast_at(&strip->a, w), 0) & strip->group[w];
}
