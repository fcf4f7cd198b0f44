/*
 * Implementations in the shapes of warpcheck/cuda.h that end on the operands that they handle wrongly, as under a
 * sanitizer: a lane number outside the warp aborts.
 */
#include "warpcheck/cuda.h"

#include <stdlib.h>

static uint32_t checked(const uint32_t v[32], int64_t j)
{
    if (j < 0 || j > 31)
        abort();
    return v[j];
}

/* b is an int, used as it comes, but in idx. */
static uint32_t delta_signed(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t v[32],
                             unsigned lane, int b, int width)
{
    const int own = (int)lane, first = own / width * width, last = first + width - 1;
    int j = own;
    (void)mask, (void)active;
    if (mode == WARPCHECK_SHFL_UP)
        j = (int)((unsigned)own - (unsigned)b) < first ? own : (int)((unsigned)own - (unsigned)b);
    else if (mode == WARPCHECK_SHFL_DOWN)
        j = (int)((unsigned)own + (unsigned)b) > last ? own : (int)((unsigned)own + (unsigned)b);
    else if (mode == WARPCHECK_SHFL_XOR)
        j = (own ^ b) > last ? own : own ^ b;
    else
        j = first + (b & (width - 1));
    return checked(v, j);
}

/* xor alone: b is whole, and nothing is tested. */
static uint32_t xor_bare(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t v[32], unsigned lane,
                         int b, int width)
{
    if (mode == WARPCHECK_SHFL_XOR)
        return checked(v, (int64_t)((unsigned)b ^ lane));
    return delta_signed(mode, mask, active, v, lane, b & 31, width);
}

/* Nothing is wrong but in segments of 4 lanes. */
static uint32_t fours(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t v[32], unsigned lane,
                      int b, int width)
{
    if (width == 4)
        abort();
    return delta_signed(mode, mask, active, v, lane, b & 31, width);
}

/* Nothing is wrong but in lane 5 of segments of 8 lanes, when b is 31. */
static uint32_t fifth(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t v[32], unsigned lane,
                      int b, int width)
{
    if (width == 8 && b == 31 && lane == 5)
        abort();
    return delta_signed(mode, mask, active, v, lane, b & 31, width);
}

/* Up spins in segments of 16 lanes when nothing is to be moved. */
static uint32_t stays(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t v[32], unsigned lane,
                      int b, int width)
{
    volatile bool spins = mode == WARPCHECK_SHFL_UP && (b & 31) == 0 && width == 16;
    while (spins)
        continue;
    return delta_signed(mode, mask, active, v, lane, b & 31, width);
}

static uint32_t vote(enum warpcheck_vote op, uint32_t active, uint32_t predicates)
{
    const uint32_t yes = predicates & active;
    return op == WARPCHECK_VOTE_ALL   ? yes == active
           : op == WARPCHECK_VOTE_ANY ? yes != 0
           : op == WARPCHECK_VOTE_UNI ? yes == active || yes == 0
                                      : yes;
}

/* Spins until all lanes of the mask have come; those that have exited never do. */
static uint32_t spins(enum warpcheck_vote op, uint32_t mask, uint32_t active, uint32_t predicates, unsigned lane)
{
    static volatile uint32_t arrived;
    (void)lane;
    arrived = active;
    while ((arrived & mask) != mask)
        continue;
    return vote(op, active, predicates);
}

/* The same, but it notices. */
static uint32_t deadlock(enum warpcheck_vote op, uint32_t mask, uint32_t active, uint32_t predicates, unsigned lane)
{
    (void)lane;
    if ((active & mask) != mask)
        exit(3);
    return vote(op, active, predicates);
}

WARPCHECK_CUDA_SHFL(delta_signed_impl, delta_signed)
WARPCHECK_CUDA_SHFL(xor_bare_impl, xor_bare)
WARPCHECK_CUDA_SHFL(fours_impl, fours)
WARPCHECK_CUDA_SHFL(fifth_impl, fifth)
WARPCHECK_CUDA_SHFL(stays_impl, stays)
WARPCHECK_CUDA_VOTE(spins_impl, spins)
WARPCHECK_CUDA_VOTE(deadlock_impl, deadlock)
WARPCHECK_PLUGIN(&delta_signed_impl, &xor_bare_impl, &fours_impl, &fifth_impl, &stays_impl, &spins_impl, &deadlock_impl)
