#include "proofs/score/bits.h"

#include <inttypes.h>
#include <string.h>

struct bits bits_of(uint64_t number)
{
    struct bits v;
    for (unsigned i = 0; i < BITS; i++)
        v.at[i] = number >> i & 1u ? BIT_1 : BIT_0;
    return v;
}

struct bits bits_of_x(void)
{
    struct bits v = bits_of(0);
    for (unsigned i = 0; i < 32; i++)
        v.at[i] = (uint8_t)(BIT_X + i);
    return v;
}

bool bits_are_known(const struct bits *v, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        if (v->at[i] > BIT_1)
            return false;
    return true;
}

uint32_t bits_unwritten(const struct bits *v)
{
    uint32_t unwritten = 0;
    for (unsigned i = 0; i < 32; i++)
        unwritten |= (uint32_t)(v->at[i] == BIT_UNWRITTEN) << i;
    return unwritten;
}

uint64_t bits_number(const struct bits *v, unsigned width)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < width; i++)
        number |= (uint64_t)(v->at[i] == BIT_1) << i;
    return number;
}

int64_t bits_signed(const struct bits *v, unsigned width)
{
    const uint64_t number = bits_number(v, width), sign = (uint64_t)1 << (width - 1);
    const uint64_t magnitude = number & (sign - 1);
    return number & sign ? (int64_t)magnitude - (int64_t)(sign - 1) - 1 : (int64_t)magnitude;
}

struct bits bits_extended(struct bits v, unsigned from, bool is_signed)
{
    for (unsigned i = from; i < BITS; i++)
        v.at[i] = is_signed ? v.at[from - 1] : BIT_0;
    return v;
}

struct bits bits_shifted_left(struct bits v, unsigned by)
{
    struct bits r = bits_of(0);
    memcpy(r.at + by, v.at, BITS - by);
    return r;
}

struct bits bits_shifted_right(struct bits v, unsigned width, unsigned by, bool is_signed)
{
    const struct bits wide = bits_extended(v, width, is_signed);
    struct bits r;
    for (unsigned i = 0; i < BITS; i++)
        r.at[i] = i + by < BITS ? wide.at[i + by] : is_signed ? wide.at[BITS - 1] : (uint8_t)BIT_0;
    return r;
}

static uint8_t opposite(uint8_t bit)
{
    if (bit == BIT_UNWRITTEN)
        return bit;
    return (uint8_t)(bit <= BIT_1 ? 1 - bit : bit < BIT_NOT_X ? bit + 32 : bit - 32);
}

struct bits bits_not(struct bits v)
{
    for (unsigned i = 0; i < BITS; i++)
        v.at[i] = opposite(v.at[i]);
    return v;
}

#define TWO_OF_X 255 /* no bit */

/* What is not written is another bit at each use: it is not its own opposite, and does not equal itself. */
static uint8_t both(uint8_t u, uint8_t v)
{
    if (u == BIT_UNWRITTEN || v == BIT_UNWRITTEN)
        return u == BIT_0 || v == BIT_0 ? BIT_0 : BIT_UNWRITTEN;
    if (u == BIT_0 || v == BIT_0 || u == opposite(v))
        return BIT_0;
    return u == BIT_1 || u == v ? v : v == BIT_1 ? u : TWO_OF_X;
}

static uint8_t differ(uint8_t u, uint8_t v)
{
    if (u == BIT_UNWRITTEN || v == BIT_UNWRITTEN)
        return BIT_UNWRITTEN;
    if (u == v || u == opposite(v))
        return u == v ? BIT_0 : BIT_1;
    return u <= BIT_1 ? (u == BIT_1 ? opposite(v) : v) : v <= BIT_1 ? (v == BIT_1 ? opposite(u) : u) : TWO_OF_X;
}

static uint8_t either(uint8_t u, uint8_t v)
{
    const uint8_t neither = both(opposite(u), opposite(v));
    return neither == TWO_OF_X ? neither : opposite(neither);
}

bool bits_combine(char op, const struct bits *u, const struct bits *v, struct bits *result)
{
    for (unsigned i = 0; i < BITS; i++) {
        const uint8_t x = u->at[i], y = v->at[i];
        result->at[i] = op == '&' ? both(x, y) : op == '|' ? either(x, y) : differ(x, y);
        if (result->at[i] == TWO_OF_X)
            return false;
    }
    return true;
}

void bits_write(struct buffer *out, const struct bits *v)
{
    uint32_t ones = 0, moved[63] = {0}; /* by how many places more than 31 to the left */
    for (unsigned i = 0; i < 32; i++) {
        const uint8_t bit = v->at[i];
        if (bit == BIT_UNWRITTEN)
            continue;
        if (bit == BIT_1 || bit >= BIT_NOT_X)
            ones |= 1u << i;
        if (bit > BIT_1)
            moved[31 + i - (bit - BIT_X) % 32u] |= 1u << i;
    }
    buffer_format(out, "(0x%" PRIx32 "u", ones);
    for (unsigned i = 0; i < 63; i++)
        if (moved[i] != 0)
            buffer_format(out, " ^ (x %s %u & 0x%" PRIx32 "u)", i < 31 ? ">>" : "<<", i < 31 ? 31 - i : i - 31,
                          moved[i]);
    buffer_text(out, ")");
}
