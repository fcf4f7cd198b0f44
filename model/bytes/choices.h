/*
 * The bytes of the generative form as a stream of choices, and streams of words drawn from them.
 */
#ifndef WARPCHECK_BYTES_CHOICES_H
#define WARPCHECK_BYTES_CHOICES_H

#include "base/random.h"
#include "model/bytes/source.h"

/* The next byte; zero past the end and past WARP_BYTES_MAX. */
struct choices {
    const uint8_t *at;
    const uint8_t *end;          /* of what was made so far */
    struct bytes_source *source; /* has more, which are made when they are wanted; NULL: there are none */
};

/* Makes n more bytes of the source, as far as it has them. */
void choices_make(struct choices *choices, size_t n);

/* Are n more bytes there? */
static inline bool choices_has(struct choices *choices, size_t n)
{
    if ((size_t)(choices->end - choices->at) < n && choices->source != NULL)
        choices_make(choices, n);
    return (size_t)(choices->end - choices->at) >= n;
}

static inline uint32_t choose(struct choices *choices)
{
    return choices_has(choices, 1) ? *choices->at++ : 0u;
}

/* A choice among n <= 256. */
static inline uint32_t choose_among(struct choices *choices, uint32_t n)
{
    return choose(choices) * n >> 8;
}

/* Little-endian, on every machine. */
static inline uint32_t word_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint32_t choose_word(struct choices *choices)
{
    uint32_t word;
    if (choices_has(choices, 4)) {
        const uint8_t *at = choices->at;
        choices->at += 4;
        return word_at(at);
    }
    word = choose(choices);
    word |= choose(choices) << 8;
    word |= choose(choices) << 16;
    return word | choose(choices) << 24;
}

/* A word for each lane. */
static inline void choose_operand(struct choices *choices, uint32_t operand[WARP_LANES])
{
    if (choices_has(choices, 4 * WARP_LANES)) { /* the same, without looking for the end in each lane */
        const uint8_t *const at = choices->at;
        choices->at += 4 * WARP_LANES;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            operand[lane] = word_at(at + 4 * lane);
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = choose_word(choices);
}

/*
 * Words drawn from four bytes, so that a short input gives a whole warp of values and a change of these bytes changes
 * them all. Each follows from its place in the stream and not from the word before it, in 32 bits alone: a loop that
 * draws one for each lane becomes vector instructions.
 */
struct words {
    uint32_t state;
};
#define WORDS_STEP 0x9e3779b9u /* 2^32 divided by the golden ratio, odd */

static inline struct words choose_words(struct choices *choices)
{
    return (struct words){choose_word(choices)};
}

static inline uint32_t next_word(struct words *words)
{
    return random_mix32(words->state += WORDS_STEP);
}

/* 0 .. n-1; n <= 65536. */
static inline uint32_t next_below(struct words *words, uint32_t n)
{
    return (next_word(words) >> 16) * n >> 16;
}

/* The lanes by their bits: compilers make vectors of `lane_bit[lane] & mask`, and seldom of a shift by the lane. */
#define FOUR_BITS(lane) 1u << (lane), 2u << (lane), 4u << (lane), 8u << (lane)
static const lanemask lane_bit[WARP_LANES] = {FOUR_BITS(0),  FOUR_BITS(4),  FOUR_BITS(8),  FOUR_BITS(12),
                                              FOUR_BITS(16), FOUR_BITS(20), FOUR_BITS(24), FOUR_BITS(28)};
#undef FOUR_BITS

/* `inside` where the lane is in the set, else `outside`. */
static inline uint32_t word_of(lanemask lanes, unsigned lane, uint32_t inside, uint32_t outside)
{
    return (lanes & lane_bit[lane]) != 0 ? inside : outside;
}

/* The same value in every lane. */
static inline void fill(uint32_t operand[WARP_LANES], uint32_t value)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = value;
}

/* The files that make the parts are compiled twice: for every processor, and for those with AVX2 by these names. */
#ifdef BYTES_FOR_AVX2
#define generate_body        generate_body_avx2
#define generate_lanes       generate_lanes_avx2
#define generate_membermasks generate_membermasks_avx2
#define generate_source      generate_source_avx2
#define generate_shfl        generate_shfl_avx2
#endif

/* Fills form, target, dst and negate; `first` is the first byte, which was already read. */
void generate_head(uint32_t first, struct choices *choices, uint32_t families, struct warp_case *c);
/* Fills all else. */
void generate_body(struct choices *choices, struct warp_case *c);

/* The parts of the body, in the order in which they read their bytes. */
void generate_lanes(struct choices *choices, struct warp_case *c);
void generate_membermasks(struct choices *choices, struct warp_case *c);
void generate_source(struct choices *choices, enum warp_type type, struct warp_case *c);
void generate_shfl(struct choices *choices, enum warp_op op, struct warp_case *c);

#endif
