/*
 * Wrong functions for every clang whose bitcode is read, as C and as C++ (producers.sh). The line above a function says
 * its shape and the instruction that it is not.
 */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* lane shfl.up.b32: the clamp is forgotten */
uint32_t up_unclamped(uint32_t lane, uint32_t b, uint32_t c)
{
    const int first = (int)(lane & c >> 8 & 31), source = (int)lane - (int)(b & 31);
    return source >= first ? (uint32_t)source : lane;
}

/* lane-p shfl.down.b32: of the predicate only a byte is written */
uint32_t down_byte(uint32_t lane, uint32_t b, uint32_t c, uint32_t *p)
{
    const uint32_t segment = c >> 8 & 31, last = (lane & segment) | (c & 31 & ~segment), source = lane + (b & 31);
    *(unsigned char *)p = source <= last;
    return source <= last ? source : lane;
}

/* vote vote.sync.ballot.b32: the membermask is ignored */
uint32_t ballot_of_all(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    (void)membermask;
    return predicates & active;
}

/* vote vote.any.pred: by a count that forgets the last lane */
uint32_t any_but_last(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    int count = 0;
    for (int i = 0; i < 31; i++)
        count += (predicates & membermask & active) >> i & 1;
    return count > 0;
}

/* redux redux.sync.and.b32: each lane gives what the one after it has */
uint32_t and_next(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t r = 0xffffffff;
    for (uint32_t m = membermask & active; m != 0; m &= m - 1)
        r &= a[__builtin_ctz(m) + 1];
    return r;
}
#ifdef __cplusplus
}
#endif
