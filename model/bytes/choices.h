/*
 * The bytes of the generative form as a stream of choices, and streams of words drawn from them.
 */
#ifndef WARPCHECK_BYTES_CHOICES_H
#define WARPCHECK_BYTES_CHOICES_H

#include "base/random.h"
#include "warpcheck/bytes.h"

/* The next byte; zero past the end and past WARP_BYTES_MAX. */
struct choices {
    const uint8_t *at;
    const uint8_t *end;
};

static inline uint32_t choose(struct choices *choices)
{
    return choices->at < choices->end ? *choices->at++ : 0u;
}

/* A choice among n <= 256. */
static inline uint32_t choose_among(struct choices *choices, uint32_t n)
{
    return choose(choices) * n >> 8;
}

static inline uint32_t choose_word(struct choices *choices)
{
    uint32_t word;
    if (choices->end - choices->at >= 4) {
        const uint8_t *at = choices->at;
        choices->at += 4;
        return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    word = choose(choices);
    word |= choose(choices) << 8;
    word |= choose(choices) << 16;
    return word | choose(choices) << 24;
}

/* A random stream from four bytes, so that a short input gives a whole warp of values and a change of these bytes
 * changes them all. */
static inline struct random choose_stream(struct choices *choices)
{
    return (struct random){choose_word(choices)};
}

/* The same value in every lane. */
static inline void fill(uint32_t operand[WARP_LANES], uint32_t value)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = value;
}

/* Fills a case that is all zero; `first` is the first byte, which was already read. */
void generate_case(uint32_t first, struct choices *choices, uint32_t families, struct warp_case *c);

/* The parts of a generated case, in the order in which they read their bytes. */
void generate_lanes(struct choices *choices, struct warp_case *c);
void generate_membermasks(struct choices *choices, struct warp_case *c);
void generate_source(struct choices *choices, enum warp_type type, struct warp_case *c);
void generate_shfl(struct choices *choices, enum warp_op op, struct warp_case *c);

#endif
