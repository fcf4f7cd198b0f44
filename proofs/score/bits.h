/*
 * Words of which each bit is known, so that a generator knows what its programs do: 0 or 1, a bit of one word x that
 * the program does not know, its opposite, or a bit that nobody has written.
 */
#ifndef WARPCHECK_PROOFS_SCORE_BITS_H
#define WARPCHECK_PROOFS_SCORE_BITS_H

#include "base/buffer.h"

#include <stdbool.h>

#define BITS 64u

/* What a bit is. */
enum { BIT_0, BIT_1, BIT_X, BIT_NOT_X = BIT_X + 32, BIT_UNWRITTEN = BIT_NOT_X + 32 };

struct bits {
    uint8_t at[BITS];
};

struct bits bits_of(uint64_t number);
/* The word x, in 32 bits. */
struct bits bits_of_x(void);

/* Are the lowest `width` bits 0 and 1 alone? */
bool bits_are_known(const struct bits *v, unsigned width);
/* Which of the lowest 32 are not written. */
uint32_t bits_unwritten(const struct bits *v);
/* The number that the lowest `width` bits are; they are known. The second reads the highest of them as a sign. */
uint64_t bits_number(const struct bits *v, unsigned width);
int64_t bits_signed(const struct bits *v, unsigned width);

/* The lowest `from` bits, and above them 0 or the highest of them. */
struct bits bits_extended(struct bits v, unsigned from, bool is_signed);
struct bits bits_shifted_left(struct bits v, unsigned by);
/* Of `width` bits; what comes from above is 0, or the sign. */
struct bits bits_shifted_right(struct bits v, unsigned width, unsigned by, bool is_signed);
struct bits bits_not(struct bits v);
/* `op` is '&', '|' or '^'. False: a bit is a function of two of x's bits. */
bool bits_combine(char op, const struct bits *u, const struct bits *v, struct bits *result);

/* An expression in C of the lowest 32 bits, by a variable x; 0 where they are not written. */
void bits_write(struct buffer *out, const struct bits *v);

#endif
