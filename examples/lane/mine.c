/*
 * Any of your warp instructions, as a simulator executes them: one function, asked for one lane of one instruction.
 *
 * Edit my_lane: take out what it does and call yours. `c` is the instruction with the registers of all lanes, `group`
 * the lanes that take part, of which `lane` is one. It writes d of that lane, or its predicate p, and returns true; for
 * an instruction that you do not have it returns false, and is then not asked again. The names of the instructions are
 * in warpcheck/forms.def. `make check` tells whether it is right, and shows the smallest case where it is not.
 */
#include <warpcheck/cuda.h>

static bool my_lane(const struct warp_case *c, uint32_t group, unsigned lane, uint32_t *d, bool *p)
{
    uint32_t votes = 0;
    for (unsigned i = 0; i < 32; i++)
        votes |= (uint32_t)((c->a[i] != 0) != (c->negate != 0)) << i;
    votes &= group;
    (void)lane;
    switch (c->form) {
    case WARP_VOTE_SYNC_ALL_PRED:
        *p = votes == group;
        return true;
    case WARP_VOTE_SYNC_ANY_PRED:
        *p = votes != 0;
        return true;
    case WARP_VOTE_SYNC_UNI_PRED:
        *p = votes == group || votes == 0;
        return true;
    case WARP_VOTE_SYNC_BALLOT_B32:
        *d = votes;
        return true;
    case WARP_ACTIVEMASK_B32:
        *d = group;
        return true;
    default:
        return false; /* not one of mine */
    }
}

WARPCHECK_LANE(mine, my_lane)
WARPCHECK_PLUGIN(&mine)
