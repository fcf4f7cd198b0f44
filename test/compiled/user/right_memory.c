/*
 * Right ones that write their memory bit by bit, or index it from its end. The line above a function says its shape and
 * the instruction that it is.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* shfl shfl.sync.down.b32: sets or clears each bit of what *p held */
void bit_by_bit(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active,
                uint32_t d[32], uint32_t *p)
{
    (void)membermask, (void)active;
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t segment = c[i] >> 8 & 31, max_lane = (i & segment) | (c[i] & 31 & ~segment), j = i + (b[i] & 31);
        bool ok = j <= max_lane;
        d[i] = a[ok ? j : i];
        if (ok)
            *p |= 1u << i;
        else
            *p &= ~(1u << i);
    }
}

/* vote vote.ballot.b32: the same in a local variable that starts with no value */
uint32_t local_bit_by_bit(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    struct {
        uint32_t low : 16, high : 16;
    } r;
    uint32_t group = predicates & membermask & active;
    r.low = (uint16_t)group;
    r.high = (uint16_t)(group >> 16);
    return (uint32_t)r.high << 16 | r.low;
}

struct operand {
    uint32_t clamp : 5, unused : 3, segment : 5, more : 19;
};

/* lane shfl.sync.bfly.b32: bit-fields */
uint32_t bit_fields(uint32_t lane, uint32_t b, uint32_t c)
{
    struct operand o;
    uint32_t max_lane, j = lane ^ (b & 31);
    o.clamp = c;
    o.segment = c >> 8;
    max_lane = (lane & o.segment) | (o.clamp & ~(uint32_t)o.segment);
    return j <= max_lane ? j : lane;
}

/* shfl shfl.sync.idx.b32: the lanes counted from the last */
void from_the_last(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                   uint32_t active, uint32_t d[32], uint32_t *p)
{
    const uint32_t *last = a + 31;
    (void)membermask, (void)active;
    *p = 0;
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t segment = c[i] >> 8 & 31, max_lane = (i & segment) | (c[i] & 31 & ~segment);
        uint32_t j = (i & segment) | (b[i] & 31 & ~segment), k;
        bool ok = j <= max_lane;
        k = 31 - (ok ? j : i);
        d[i] = last[-(int)k];
        *p |= (uint32_t)ok << i;
    }
}

/* vote vote.sync.any.pred: no bit is set in 0 */
uint32_t first_set(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    int none = 0;
    return (predicates & membermask & active) != 0 ? 1 : (uint32_t)__builtin_ffs(none);
}

/* vote vote.sync.ballot.b32: a table that nobody writes, though it is not const, is copied */
uint32_t copied_table(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    static uint32_t halves[2] = {0xffff, 0xffff0000};
    uint32_t mine[2], group = membermask & active;
    memcpy(mine, halves, sizeof mine);
    return (predicates & group & mine[0]) | (predicates & group & mine[1]);
}

/* lane shfl.sync.down.b32: a bit-field beside which nothing was written, in a sum whose low bits are kept */
uint32_t field_in_a_sum(uint32_t lane, uint32_t b, uint32_t c)
{
    struct operand o[4];
    uint32_t segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment), j;
    for (uint32_t k = 0; k <= c >> 30; k++)
        o[k].clamp = b;
    j = (o[c >> 30].clamp + lane) & 31;
    return j >= lane && j <= max_lane ? j : lane;
}

/* lane shfl.sync.bfly.b32: one bit of a word is written, and found by an unknown distance */
uint32_t bit_of_a_lane(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment), in_range;
    uint32_t j = lane ^ (b & 31);
    if (j <= max_lane)
        in_range |= 1u << lane;
    else
        in_range &= ~(1u << lane);
    return (in_range >> lane & 1u) != 0 ? j : lane;
}
