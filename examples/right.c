/*
 * A correct implementation of CUDA's votes, matches and reductions, lane by lane; cuda/mine.c has the shuffles.
 *
 *     cc -shared -fPIC -I../model/include right.c -o right.so
 *     ../warpcheck run --impl ./right.so:right_vote
 */
#include "warpcheck/cuda.h"

/* Lanes of the mask that have exited do not vote. */
static uint32_t vote(enum warpcheck_vote op, uint32_t mask, uint32_t active, uint32_t predicates, unsigned lane)
{
    const uint32_t group = mask & active, yes = predicates & group;
    (void)lane;
    switch (op) {
    case WARPCHECK_VOTE_ALL:
        return yes == group;
    case WARPCHECK_VOTE_ANY:
        return yes != 0;
    case WARPCHECK_VOTE_UNI:
        return yes == group || yes == 0;
    case WARPCHECK_VOTE_BALLOT:
        break;
    }
    return yes;
}

static uint32_t match(enum warpcheck_match op, uint32_t mask, uint32_t active, const uint64_t values[32], int bits,
                      unsigned lane, bool *p)
{
    uint32_t same = 0;
    (void)bits; /* the high halves of 32-bit values are 0 */
    for (unsigned other = 0; other < 32; other++)
        if (((mask & active) >> other & 1u) && values[other] == values[lane])
            same |= 1u << other;
    *p = op == WARPCHECK_MATCH_ALL && same == (mask & active);
    return op == WARPCHECK_MATCH_ANY || *p ? same : 0;
}

static uint32_t combine(enum warpcheck_redux op, uint32_t x, uint32_t y)
{
    switch (op) {
    case WARPCHECK_REDUX_ADD_U32:
    case WARPCHECK_REDUX_ADD_S32:
        return x + y;
    case WARPCHECK_REDUX_MIN_U32:
        return x < y ? x : y;
    case WARPCHECK_REDUX_MAX_U32:
        return x > y ? x : y;
    case WARPCHECK_REDUX_MIN_S32:
        return (int32_t)x < (int32_t)y ? x : y;
    case WARPCHECK_REDUX_MAX_S32:
        return (int32_t)x > (int32_t)y ? x : y;
    case WARPCHECK_REDUX_AND_B32:
        return x & y;
    case WARPCHECK_REDUX_OR_B32:
        return x | y;
    case WARPCHECK_REDUX_XOR_B32:
        break;
    }
    return x ^ y;
}

static uint32_t reduce(enum warpcheck_redux op, uint32_t mask, uint32_t active, const uint32_t values[32],
                       unsigned lane)
{
    uint32_t result = values[lane];
    for (unsigned other = 0; other < 32; other++)
        if (((mask & active) >> other & 1u) && other != lane)
            result = combine(op, result, values[other]);
    return result;
}

WARPCHECK_CUDA_VOTE(right_vote, vote)
WARPCHECK_CUDA_MATCH(right_match, match)
WARPCHECK_CUDA_REDUX(right_reduce, reduce)
WARPCHECK_PLUGIN(&right_vote, &right_match, &right_reduce)
