/*
 * Implementations as people write them from public descriptions, in the shapes of warpcheck/cuda.h, each with one or
 * two mistakes that real ones have. They are written as a simulator's author would, lane by lane, and share nothing
 * with the readings of check/cause. The description begins with the number of mistakes.
 */
#include "warpcheck/cuda.h"

/* --- shuffles by value, lane and width --- */

#define SHFL(name, words)                                                                                              \
    static uint32_t name##_fn(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t v[32],          \
                              unsigned lane, int b, int width);                                                        \
    WARPCHECK_SHAPED(name, name##_fn, warpcheck_cuda_shfl_fn, WARPCHECK_SHAPE_CUDA_SHFL, WARP_PART_D, words)           \
    static uint32_t name##_fn(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t v[32],          \
                              unsigned lane, int b, int width)

#define UP   WARPCHECK_SHFL_UP
#define DOWN WARPCHECK_SHFL_DOWN
#define XOR  WARPCHECK_SHFL_XOR

static int first_of(unsigned lane, int width)
{
    return (int)lane / width * width;
}

static uint32_t at(const uint32_t v[32], int j)
{
    return v[j & 31];
}

/* The right one, for shapes that change what comes after or before. */
static int right_source(enum warpcheck_shfl mode, unsigned lane, int b, int width)
{
    const int first = first_of(lane, width), last = first + width - 1, shift = b & 31;
    const int j = mode == UP     ? (int)lane - shift
                  : mode == DOWN ? (int)lane + shift
                  : mode == XOR  ? (int)lane ^ shift
                                 : first + shift % width;
    return mode == UP ? (j < first ? (int)lane : j) : (j > last ? (int)lane : j);
}

SHFL(delta_unmasked, "1: delta is used as it comes, in unsigned arithmetic")
{
    const unsigned first = (unsigned)first_of(lane, width), last = first + (unsigned)width - 1;
    unsigned j = lane;
    (void)mask, (void)active;
    if (mode == UP)
        j = lane - first >= (unsigned)b ? lane - (unsigned)b : lane;
    else if (mode == DOWN)
        j = (uint64_t)lane + (unsigned)b <= last ? lane + (unsigned)b : lane;
    else if (mode == XOR)
        j = (lane ^ (unsigned)b) <= last ? lane ^ (unsigned)b : lane;
    else
        j = first + ((unsigned)b & (unsigned)(width - 1));
    return v[j];
}

SHFL(delta_signed, "1: delta is an int, negative ones go the other way")
{
    const int first = first_of(lane, width), last = first + width - 1;
    int j = (int)lane;
    (void)mask, (void)active;
    if (mode == UP)
        j = (int)((unsigned)j - (unsigned)b);
    else if (mode == DOWN)
        j = (int)((unsigned)j + (unsigned)b);
    else if (mode == XOR)
        j = j ^ b;
    else
        return v[first | (b & (width - 1))];
    if (mode == UP ? j < first : j > last)
        return v[lane];
    return j >= 0 && j < 32 ? v[j] : 0;
}

SHFL(xor_unmasked_only, "1: only xor takes the whole lane mask")
{
    const int last = first_of(lane, width) + width - 1;
    (void)mask, (void)active;
    if (mode == XOR) {
        const int64_t j = (int64_t)lane ^ (int64_t)(uint32_t)b;
        return j > last ? v[lane] : at(v, (int)j);
    }
    return v[right_source(mode, lane, b, width)];
}

SHFL(width_dropped, "1: width is not looked at")
{
    (void)mask, (void)active, (void)width;
    return v[right_source(mode, lane, b, 32)];
}

SHFL(xor_stays, "1: xor into an earlier segment gives the own value")
{
    const int first = first_of(lane, width), j = (int)lane ^ (b & 31);
    (void)mask, (void)active;
    if (mode == XOR)
        return j >= first && j < first + width ? v[j] : v[lane];
    return v[right_source(mode, lane, b, width)];
}

SHFL(idx_of_source, "1: the segment of the source lane")
{
    const int shift = b & 31;
    (void)mask, (void)active;
    if (mode == WARPCHECK_SHFL_IDX)
        return v[shift / width * width + shift % width];
    return v[right_source(mode, lane, b, width)];
}

SHFL(wraps_around, "1: up and down wrap around within the segment")
{
    const int first = first_of(lane, width), own = (int)lane - first, shift = b & 31;
    (void)mask, (void)active;
    if (mode == UP)
        return v[first + ((own - shift) & (width - 1))];
    if (mode == DOWN)
        return v[first + ((own + shift) & (width - 1))];
    return v[right_source(mode, lane, b, width)];
}

SHFL(up_down_swapped, "1: the modes are in another order")
{
    const enum warpcheck_shfl other = mode == UP ? DOWN : mode == DOWN ? UP : mode;
    (void)mask, (void)active;
    return v[right_source(other, lane, b, width)];
}

SHFL(xor_idx_swapped, "1: the modes are in another order")
{
    const enum warpcheck_shfl idx = WARPCHECK_SHFL_IDX;
    (void)mask, (void)active;
    return v[right_source(mode == XOR ? idx : mode == idx ? XOR : mode, lane, b, width)];
}

SHFL(zero_outside, "1: out of range is 0")
{
    const int j = right_source(mode, lane, b, width);
    (void)mask, (void)active;
    if (j == (int)lane && (b & 31) != 0 && mode != WARPCHECK_SHFL_IDX)
        return 0;
    return v[j];
}

SHFL(edge_outside, "1: out of range is the edge of the segment")
{
    const int first = first_of(lane, width), last = first + width - 1, shift = b & 31;
    (void)mask, (void)active;
    if (mode == UP)
        return v[(int)lane - shift < first ? first : (int)lane - shift];
    if (mode == DOWN)
        return v[(int)lane + shift > last ? last : (int)lane + shift];
    return v[right_source(mode, lane, b, width)];
}

SHFL(down_one_short, "1: down never reaches the last lane of a segment")
{
    const int last = first_of(lane, width) + width - 1, j = (int)lane + (b & 31);
    (void)mask, (void)active;
    if (mode == DOWN)
        return j < last ? v[j] : v[lane];
    return v[right_source(mode, lane, b, width)];
}

SHFL(counted_lane, "1: lanes are counted over those that take part")
{
    uint32_t packed[32] = {0};
    unsigned n = 0, own = 0;
    (void)mask;
    for (unsigned i = 0; i < 32; i++)
        if (active >> i & 1u) {
            own = i == lane ? n : own;
            packed[n++] = v[i];
        }
    return packed[right_source(mode, own, b, width)];
}

SHFL(idx_beyond, "1: idx beyond the width gives the own value")
{
    (void)mask, (void)active;
    if (mode == WARPCHECK_SHFL_IDX && (b & 31) >= width)
        return v[lane];
    return v[right_source(mode, lane, b, width)];
}

SHFL(relative_in_mask, "1: a number within the segment is looked up in the membermask")
{
    (void)active;
    if (mode == WARPCHECK_SHFL_IDX && !(mask >> (b & (width - 1)) & 1u))
        return v[lane];
    return v[right_source(mode, lane, b, width)];
}

SHFL(leader_delta, "1: the first lane's delta is taken for all")
{
    static int delta;
    unsigned first = 0;
    (void)mask;
    while (!(active >> first & 1u))
        first++;
    delta = lane == first ? b : delta;
    return v[right_source(mode, lane, delta, width)];
}

/* Sources of a delta that may be negative; a lane that no warp has is the own one. */
static int guarded(enum warpcheck_shfl mode, unsigned lane, int delta, int width)
{
    const int own = (int)lane, first = first_of(lane, width), last = first + width - 1;
    const int j = mode == UP ? own - delta : mode == DOWN ? own + delta : own ^ delta;
    const bool in_range = mode == UP ? j >= first : j <= last;
    return in_range && j >= 0 && j < 32 ? j : own;
}

SHFL(remainder_signed, "1: b % 32 of an int, which may be negative, in all modes but idx")
{
    (void)mask, (void)active;
    return v[mode == WARPCHECK_SHFL_IDX ? right_source(mode, lane, b, width) : guarded(mode, lane, b % 32, width)];
}

SHFL(clamped_signed, "1: an int b above 31 is taken for 31, in up and down")
{
    (void)mask, (void)active;
    if (mode != UP && mode != DOWN)
        return v[right_source(mode, lane, b, width)];
    return v[b < -32 ? (int)lane : guarded(mode, lane, b > 31 ? 31 : b, width)];
}

SHFL(two_signed, "2: b % 32 of an int in up and down; idx is a lane of the warp")
{
    (void)mask, (void)active;
    if (mode == UP || mode == DOWN)
        return v[guarded(mode, lane, b % 32, width)];
    return v[mode == XOR ? right_source(mode, lane, b, width) : b & 31];
}

SHFL(two_a, "2: delta unmasked in down, xor into an earlier segment")
{
    const int first = first_of(lane, width), last = first + width - 1, x = (int)lane ^ (b & 31);
    (void)mask, (void)active;
    if (mode == DOWN)
        return (int64_t)lane + (uint32_t)b > last ? v[lane] : at(v, (int)lane + b);
    if (mode == XOR)
        return x >= first && x <= last ? v[x] : v[lane];
    return v[right_source(mode, lane, b, width)];
}

SHFL(two_b, "2: width dropped in xor, out of range 0 in up and down")
{
    const int j = right_source(mode, lane, b, mode == XOR ? 32 : width);
    (void)mask, (void)active;
    if ((mode == UP || mode == DOWN) && j == (int)lane && (b & 31) != 0)
        return 0;
    return v[j];
}

SHFL(two_c, "2: delta unmasked, and the segment of the source lane in idx")
{
    const int first = first_of(lane, width), last = first + width - 1;
    const int64_t shift = (uint32_t)b;
    int64_t j = (int64_t)lane;
    (void)mask, (void)active;
    if (mode == UP)
        j = j - shift < first ? j : j - shift;
    else if (mode == DOWN)
        j = j + shift > last ? j : j + shift;
    else if (mode == XOR)
        j = (j ^ shift) > last ? j : j ^ shift;
    else
        j = (b & 31) / width * width + (b & 31) % width;
    return v[j];
}

SHFL(two_d, "2: up and down wrap, xor stays in its segment")
{
    const int first = first_of(lane, width), own = (int)lane - first, shift = b & 31;
    const int x = (int)lane ^ shift;
    (void)mask, (void)active;
    if (mode == UP || mode == DOWN)
        return v[first + ((mode == UP ? own - shift : own + shift) & (width - 1))];
    if (mode == XOR)
        return x >= first && x < first + width ? v[x] : v[lane];
    return v[right_source(mode, lane, b, width)];
}

SHFL(three, "3: delta unmasked in up, xor stays in its segment, idx of the source lane")
{
    const int first = first_of(lane, width), x = (int)lane ^ (b & 31);
    (void)mask, (void)active;
    if (mode == UP)
        return (int64_t)lane - (uint32_t)b < first ? v[lane] : at(v, (int)lane - b);
    if (mode == XOR)
        return x >= first && x < first + width ? v[x] : v[lane];
    if (mode == WARPCHECK_SHFL_IDX)
        return v[(b & 31) / width * width + (b & 31) % width];
    return v[right_source(mode, lane, b, width)];
}

SHFL(bytes_only, "1: values are cut to 8 bits")
{
    (void)mask, (void)active;
    return v[right_source(mode, lane, b, width)] & 255u;
}

SHFL(twelve_bits, "1?: values are cut to 12 bits")
{
    (void)mask, (void)active;
    return v[right_source(mode, lane, b, width)] & 4095u;
}

SHFL(pairs_only, "1?: in segments of 2 lanes the other value")
{
    (void)mask, (void)active;
    return width == 2 ? v[right_source(mode, lane, b, width)] ^ 0x5a5a5a5au : v[right_source(mode, lane, b, width)];
}

SHFL(with_lane_3, "1?: wrong where lane 3 takes part")
{
    (void)active;
    return v[right_source(mode, lane, b, width)] ^ (mask >> 3 & 1u);
}

SHFL(half_words, "1: the exchange buffer holds 16-bit words")
{
    (void)mask, (void)active;
    return at(v, right_source(mode, lane, b, width)) & 0xffffu;
}

SHFL(both_ends, "1: b is an int as it comes, and what leaves the segment on either side is the own value")
{
    const int first = first_of(lane, width), own = (int)lane;
    const int64_t j = mode == UP     ? (int64_t)own - b
                      : mode == DOWN ? (int64_t)own + b
                      : mode == XOR  ? own ^ b
                                     : first + (b & (width - 1));
    (void)mask, (void)active;
    return j < first || j >= first + width ? v[lane] : v[j];
}

SHFL(ends_exchanged, "1: both ends of the range are exchanged")
{
    const int first = first_of(lane, width), last = first + width - 1, own = (int)lane, shift = b & 31;
    const int j = mode == UP     ? own - shift
                  : mode == DOWN ? own + shift
                  : mode == XOR  ? own ^ shift
                                 : first + shift % width;
    (void)mask, (void)active;
    return (mode == UP ? j <= last : j >= first) ? at(v, j) : v[lane];
}

SHFL(half_permuted, "1: a vector instruction permutes 16 lanes: each half of the warp reads in itself")
{
    const unsigned j = (unsigned)right_source(mode, lane, b, width);
    (void)mask, (void)active;
    return v[(lane & 16u) | (j & 15u)];
}

SHFL(strange, "1?: nobody makes this mistake")
{
    (void)mask, (void)active;
    return v[right_source(mode, lane, b, width)] ^ ((b & 7) == 5 && lane > 3 ? 0x40u : 0u);
}

/* --- votes --- */

#define VOTE(name, words)                                                                                              \
    static uint32_t name##_fn(enum warpcheck_vote op, uint32_t mask, uint32_t active, uint32_t p, unsigned lane);      \
    WARPCHECK_SHAPED(name, name##_fn, warpcheck_cuda_vote_fn, WARPCHECK_SHAPE_VOTE, WARP_PART_D | WARP_PART_P, words)  \
    static uint32_t name##_fn(enum warpcheck_vote op, uint32_t mask, uint32_t active, uint32_t p, unsigned lane)

static uint32_t vote(enum warpcheck_vote op, uint32_t group, uint32_t p)
{
    const uint32_t yes = p & group;
    return op == WARPCHECK_VOTE_ALL   ? yes == group
           : op == WARPCHECK_VOTE_ANY ? yes != 0
           : op == WARPCHECK_VOTE_UNI ? yes == 0 || yes == group
                                      : yes;
}

VOTE(vote_of_32, "1: all and uni count their votes against 32")
{
    const uint32_t yes = p & active;
    (void)mask, (void)lane;
    return op == WARPCHECK_VOTE_ALL   ? yes == UINT32_MAX
           : op == WARPCHECK_VOTE_UNI ? yes == UINT32_MAX || yes == 0
                                      : vote(op, active, p);
}

VOTE(vote_below, "1: ballot knows only who came before")
{
    (void)mask;
    return op == WARPCHECK_VOTE_BALLOT ? p & active & (((uint32_t)1 << lane) - 1u) : vote(op, active, p);
}

VOTE(vote_popc, "1: ballot is a population count")
{
    uint32_t n = 0;
    (void)mask, (void)lane;
    for (unsigned i = 0; i < 32; i++)
        n += p >> i & active >> i & 1u;
    return op == WARPCHECK_VOTE_BALLOT ? n : vote(op, active, p);
}

VOTE(vote_subgroups, "1: subgroups of 16 lanes, as a back end for another GPU has them")
{
    (void)mask;
    return vote(op, active & (lane < 16 ? 0xffffu : 0xffff0000u), p);
}

VOTE(vote_by_mask, "1: exited lanes of the mask vote by their registers")
{
    (void)active, (void)lane;
    return vote(op, mask, p);
}

VOTE(vote_exited_false, "1: exited lanes count as false in all and uni")
{
    (void)lane;
    return vote(op, mask, p & active);
}

VOTE(vote_all_and_any, "1: all and any are exchanged")
{
    (void)mask, (void)lane;
    return vote(op == WARPCHECK_VOTE_ALL   ? WARPCHECK_VOTE_ANY
                : op == WARPCHECK_VOTE_ANY ? WARPCHECK_VOTE_ALL
                                           : op,
                active, p);
}

VOTE(vote_inverted, "1: the result is inverted")
{
    (void)mask, (void)lane;
    return op == WARPCHECK_VOTE_BALLOT ? ~p & active : !vote(op, active, p);
}

VOTE(vote_uni_all, "1: uni is all")
{
    (void)mask, (void)lane;
    return vote(op == WARPCHECK_VOTE_UNI ? WARPCHECK_VOTE_ALL : op, active, p);
}

VOTE(vote_every_lane, "1: all 32 lanes vote")
{
    (void)mask, (void)lane, (void)active;
    return vote(op, 0xffffffffu, p);
}

VOTE(vote_all_32, "1: all needs 32 lanes")
{
    (void)mask, (void)lane;
    return op == WARPCHECK_VOTE_ALL ? (p & active) == 0xffffffffu : vote(op, active, p);
}

VOTE(vote_first_lanes, "1: a loop over as many lanes as take part, from 0 on")
{
    uint32_t lanes = 0;
    (void)mask, (void)lane;
    for (uint32_t rest = active; rest != 0; rest &= rest - 1)
        lanes = lanes << 1 | 1u;
    return vote(op, lanes, p);
}

VOTE(vote_ballot_raw, "1: ballot is not masked")
{
    (void)mask, (void)lane;
    return op == WARPCHECK_VOTE_BALLOT ? p : vote(op, active, p);
}

/* --- match --- */

#define MATCH(name, words)                                                                                             \
    static uint32_t name##_fn(enum warpcheck_match op, uint32_t mask, uint32_t active, const uint64_t v[32], int bits, \
                              unsigned lane, bool *p);                                                                 \
    WARPCHECK_SHAPED(name, name##_fn, warpcheck_cuda_match_fn, WARPCHECK_SHAPE_MATCH, WARP_PART_D | WARP_PART_P,       \
                     words)                                                                                            \
    static uint32_t name##_fn(enum warpcheck_match op, uint32_t mask, uint32_t active, const uint64_t v[32], int bits, \
                              unsigned lane, bool *p)

static uint32_t match(enum warpcheck_match op, uint32_t group, const uint64_t v[32], unsigned lane, bool *p)
{
    uint32_t same = 0;
    for (unsigned i = 0; i < 32; i++)
        same |= (group >> i & 1u) && v[i] == v[lane] ? 1u << i : 0;
    *p = same == group;
    return op == WARPCHECK_MATCH_ANY ? same : *p ? group : 0;
}

MATCH(match_by_float, "1: 32-bit values are compared as floats")
{
    uint32_t same = 0;
    (void)mask;
    for (unsigned i = 0; i < 32; i++) {
        const uint32_t x = (uint32_t)v[i], y = (uint32_t)v[lane];
        float a, b;
        memcpy(&a, &x, 4);
        memcpy(&b, &y, 4);
        same |= (active >> i & 1u) && (bits == 32 ? a == b : v[i] == v[lane]) ? 1u << i : 0;
    }
    *p = same == active;
    return op == WARPCHECK_MATCH_ANY ? same : *p ? active : 0;
}

MATCH(match_low_half, "1: 64-bit values are cut")
{
    uint64_t low[32];
    (void)mask, (void)bits;
    for (unsigned i = 0; i < 32; i++)
        low[i] = v[i] & 0xffffffffu;
    return match(op, active, low, lane, p);
}

MATCH(match_any_low_half, "1: only match.any cuts 64-bit values")
{
    uint64_t low[32];
    (void)mask, (void)bits;
    for (unsigned i = 0; i < 32; i++)
        low[i] = op == WARPCHECK_MATCH_ANY ? v[i] & 0xffffffffu : v[i];
    return match(op, active, low, lane, p);
}

MATCH(match_all_gives_mask, "1: match.all gives the mask with its exited lanes")
{
    const uint32_t d = match(op, active, v, lane, p);
    (void)bits;
    return op == WARPCHECK_MATCH_ALL && *p ? mask : d;
}

MATCH(match_every_lane, "1: all lanes are compared")
{
    (void)mask, (void)bits, (void)active;
    return match(op, 0xffffffffu, v, lane, p);
}

MATCH(match_always_group, "1: match.all gives the group where values differ")
{
    const uint32_t d = match(op, active, v, lane, p);
    (void)mask, (void)bits;
    return op == WARPCHECK_MATCH_ALL ? active : d;
}

/* --- redux --- */

#define REDUX(name, words)                                                                                             \
    static uint32_t name##_fn(enum warpcheck_redux op, uint32_t mask, uint32_t active, const uint32_t v[32],           \
                              unsigned lane);                                                                          \
    WARPCHECK_SHAPED(name, name##_fn, warpcheck_cuda_redux_fn, WARPCHECK_SHAPE_REDUX, WARP_PART_D, words)              \
    static uint32_t name##_fn(enum warpcheck_redux op, uint32_t mask, uint32_t active, const uint32_t v[32],           \
                              unsigned lane)

static uint32_t step(enum warpcheck_redux op, uint32_t x, uint32_t y)
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

static uint32_t reduce(enum warpcheck_redux op, uint32_t group, const uint32_t v[32])
{
    uint32_t d = 0;
    bool found = false;
    for (unsigned i = 0; i < 32; i++)
        if (group >> i & 1u) {
            d = found ? step(op, d, v[i]) : v[i];
            found = true;
        }
    return d;
}

REDUX(redux_from_zero, "1: the accumulator starts at 0")
{
    uint32_t d = 0;
    (void)mask, (void)lane;
    for (unsigned i = 0; i < 32; i++)
        d = active >> i & 1u ? step(op, d, v[i]) : d;
    return d;
}

static uint32_t identity(enum warpcheck_redux op)
{
    return op == WARPCHECK_REDUX_MIN_U32 || op == WARPCHECK_REDUX_AND_B32 ? UINT32_MAX
           : op == WARPCHECK_REDUX_MIN_S32                                ? INT32_MAX
           : op == WARPCHECK_REDUX_MAX_S32                                ? 0x80000000u
                                                                          : 0;
}

REDUX(redux_to_30, "1: the loop leaves lane 31 out, and starts from the identity")
{
    uint32_t d = identity(op);
    (void)mask, (void)lane;
    for (unsigned i = 0; i < 31; i++)
        d = active >> i & 1u ? step(op, d, v[i]) : d;
    return d;
}

REDUX(redux_by_ffs, "1: ffs counts from 1, the lanes from 0")
{
    uint32_t d = identity(op);
    (void)mask, (void)lane;
    for (unsigned i = 0; i < 32; i++)
        d = active >> i & 1u ? step(op, d, v[i + 1]) : d;
    return d;
}

REDUX(redux_unsigned, "1: signed numbers are compared as unsigned ones")
{
    (void)mask, (void)lane;
    return reduce(op == WARPCHECK_REDUX_MIN_S32   ? WARPCHECK_REDUX_MIN_U32
                  : op == WARPCHECK_REDUX_MAX_S32 ? WARPCHECK_REDUX_MAX_U32
                                                  : op,
                  active, v);
}

REDUX(redux_by_mask, "1: exited lanes are reduced")
{
    (void)active, (void)lane;
    return reduce(op, mask, v);
}

REDUX(redux_every_lane, "1: all 32 lanes are reduced")
{
    (void)mask, (void)active, (void)lane;
    return reduce(op, 0xffffffffu, v);
}

REDUX(redux_leader_only, "1: only the first lane gets the result")
{
    (void)mask;
    return (active & ((1u << lane) - 1u)) == 0 ? reduce(op, active, v) : v[lane];
}

REDUX(redux_prefix, "1: a scan")
{
    (void)mask;
    return reduce(op, active & (lane == 31 ? 0xffffffffu : (2u << lane) - 1u), v);
}

REDUX(redux_min_max, "1: min and max exchanged")
{
    static const enum warpcheck_redux other[] = {
        [WARPCHECK_REDUX_ADD_U32] = WARPCHECK_REDUX_ADD_U32, [WARPCHECK_REDUX_MIN_U32] = WARPCHECK_REDUX_MAX_U32,
        [WARPCHECK_REDUX_MAX_U32] = WARPCHECK_REDUX_MIN_U32, [WARPCHECK_REDUX_ADD_S32] = WARPCHECK_REDUX_ADD_S32,
        [WARPCHECK_REDUX_MIN_S32] = WARPCHECK_REDUX_MAX_S32, [WARPCHECK_REDUX_MAX_S32] = WARPCHECK_REDUX_MIN_S32,
        [WARPCHECK_REDUX_AND_B32] = WARPCHECK_REDUX_AND_B32, [WARPCHECK_REDUX_OR_B32] = WARPCHECK_REDUX_OR_B32,
        [WARPCHECK_REDUX_XOR_B32] = WARPCHECK_REDUX_XOR_B32};
    (void)mask, (void)lane;
    return reduce(other[op], active, v);
}

REDUX(redux_two, "2: starts at 0 in and, signed compared as unsigned")
{
    const uint32_t d = reduce(op == WARPCHECK_REDUX_MIN_S32   ? WARPCHECK_REDUX_MIN_U32
                              : op == WARPCHECK_REDUX_MAX_S32 ? WARPCHECK_REDUX_MAX_U32
                                                              : op,
                              active, v);
    (void)mask, (void)lane;
    return op == WARPCHECK_REDUX_AND_B32 ? 0 : d;
}

/* --- shuffles with PTX's c --- */

#define PTX(name, words)                                                                                               \
    static uint32_t name##_fn(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t v[32],          \
                              unsigned lane, uint32_t b, uint32_t c, bool *p);                                         \
    WARPCHECK_SHAPED(name, name##_fn, warpcheck_ptx_shfl_fn, WARPCHECK_SHAPE_PTX_SHFL, WARP_PART_D | WARP_PART_P,      \
                     words)                                                                                            \
    static uint32_t name##_fn(enum warpcheck_shfl mode, uint32_t mask, uint32_t active, const uint32_t v[32],          \
                              unsigned lane, uint32_t b, uint32_t c, bool *p)

static int ptx_source(enum warpcheck_shfl mode, int lane, int shift, int clamp, int segment, bool *p)
{
    const int max = (lane & segment) | (clamp & ~segment), min = lane & segment;
    const int j = mode == UP     ? lane - shift
                  : mode == DOWN ? lane + shift
                  : mode == XOR  ? lane ^ shift
                                 : min | (shift & ~segment);
    *p = mode == UP ? j >= max : j <= max;
    return *p ? j : lane;
}

PTX(ptx_up_start, "1: up tests the start of the segment")
{
    const int segment = (int)(c >> 8 & 31u);
    (void)mask, (void)active;
    return v[ptx_source(mode, (int)lane, (int)(b & 31u), mode == UP ? 0 : (int)(c & 31u), segment, p)];
}

PTX(ptx_p_other, "1: p says whether the source is another lane")
{
    const int j = ptx_source(mode, (int)lane, (int)(b & 31u), (int)(c & 31u), (int)(c >> 8 & 31u), p);
    (void)mask, (void)active;
    *p = j != (int)lane;
    return v[j];
}

PTX(ptx_no_p, "1: p is never written")
{
    bool ignored;
    (void)mask, (void)active, (void)p;
    return v[ptx_source(mode, (int)lane, (int)(b & 31u), (int)(c & 31u), (int)(c >> 8 & 31u), &ignored)];
}

PTX(ptx_clamp_reversed, "1: clamp 0 and 31 are confused in up")
{
    const int clamp = (int)(c & 31u);
    (void)mask, (void)active;
    return v[ptx_source(mode, (int)lane, (int)(b & 31u), mode == UP ? 31 - clamp : clamp, (int)(c >> 8 & 31u), p)];
}

PTX(ptx_five_bits, "1: lane numbers have 5 bits")
{
    const int segment = (int)(c >> 8 & 31u), clamp = (int)(c & 31u), shift = (int)(b & 31u);
    const int max = ((int)lane & segment) | (clamp & ~segment);
    const int j = (mode == UP     ? (int)lane - shift
                   : mode == DOWN ? (int)lane + shift
                   : mode == XOR  ? (int)lane ^ shift
                                  : ((int)lane & segment) | (shift & ~segment)) &
                  31;
    (void)mask, (void)active;
    *p = mode == UP ? j >= max : j <= max;
    return v[*p ? j : (int)lane];
}

PTX(ptx_two, "2: p inverted, the segment mask ignored")
{
    const int j = ptx_source(mode, (int)lane, (int)(b & 31u), (int)(c & 31u), 0, p);
    (void)mask, (void)active;
    *p = !*p;
    return v[j];
}

PTX(ptx_kept, "1: p of the lane before, whatever was asked")
{
    static bool before;
    const int j = ptx_source(mode, (int)lane, (int)(b & 31u), (int)(c & 31u), (int)(c >> 8 & 31u), p);
    const bool now = *p;
    (void)mask, (void)active;
    *p = before;
    before = now;
    return v[j];
}

PTX(ptx_p_of_exited, "1: p is false where the source lane has exited")
{
    const int j = ptx_source(mode, (int)lane, (int)(b & 31u), (int)(c & 31u), (int)(c >> 8 & 31u), p);
    *p = *p && !((mask & ~active) >> j & 1u);
    return v[j];
}

PTX(ptx_p_of_member, "1: p says whether the lane that is read is in the membermask")
{
    const int j = ptx_source(mode, (int)lane, (int)(b & 31u), (int)(c & 31u), (int)(c >> 8 & 31u), p);
    (void)active;
    *p = mask >> j & 1u;
    return v[j];
}

PTX(ptx_right, "0: right")
{
    (void)mask, (void)active;
    return v[ptx_source(mode, (int)lane, (int)(b & 31u), (int)(c & 31u), (int)(c >> 8 & 31u), p)];
}

WARPCHECK_PLUGIN(&delta_unmasked, &delta_signed, &xor_unmasked_only, &width_dropped, &xor_stays, &idx_of_source,
                 &wraps_around, &up_down_swapped, &xor_idx_swapped, &zero_outside, &edge_outside, &down_one_short,
                 &counted_lane, &idx_beyond, &relative_in_mask, &leader_delta, &two_a, &two_b, &two_c, &two_d, &three,
                 &strange, &ends_exchanged, &half_permuted, &vote_first_lanes, &match_any_low_half, &redux_to_30,
                 &redux_by_ffs, &ptx_p_of_exited, &ptx_p_of_member, &bytes_only, &twelve_bits, &pairs_only,
                 &with_lane_3, &half_words, &remainder_signed, &clamped_signed, &two_signed, &both_ends, &vote_of_32,
                 &vote_below, &vote_popc, &vote_subgroups, &vote_by_mask, &vote_exited_false, &vote_all_and_any,
                 &vote_inverted, &vote_uni_all, &vote_every_lane, &vote_all_32, &vote_ballot_raw, &match_by_float,
                 &match_low_half, &match_all_gives_mask, &match_every_lane, &match_always_group, &redux_from_zero,
                 &redux_unsigned, &redux_by_mask, &redux_every_lane, &redux_leader_only, &redux_prefix, &redux_min_max,
                 &redux_two, &ptx_up_start, &ptx_p_other, &ptx_no_p, &ptx_clamp_reversed, &ptx_five_bits, &ptx_two,
                 &ptx_kept, &ptx_right)
