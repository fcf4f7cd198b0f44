/*
 * Right functions for every clang whose bitcode is read, as C and as C++ (producers.sh). The line above a function says
 * its shape and the instruction that it is.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
template <typename T> static T least(const T &x, const T &y)
{
    return y < x ? y : x;
}
extern "C" {
#else
static int least(int x, int y)
{
    return y < x ? y : x;
}
#endif

/* lane shfl.down.b32: a minimum of the source and what is just too far */
uint32_t down_least(uint32_t lane, uint32_t b, uint32_t c)
{
    const int segment = (int)(c >> 8 & 31), last = ((int)lane & segment) | ((int)(c & 31) & ~segment);
    const int source = (int)(lane + (b & 31)), reached = least(source, last + 1);
    return reached == source && source != last + 1 ? (uint32_t)source : lane;
}

/* lane-bool shfl.up.b32: the predicate is a bool */
uint32_t up_bool(uint32_t lane, uint32_t b, uint32_t c, bool *valid)
{
    const int segment = (int)(c >> 8 & 31), first = ((int)lane & segment) | ((int)(c & 31) & ~segment);
    const int source = (int)lane - (int)(b & 31);
    *valid = source >= first;
    return *valid ? (uint32_t)source : lane;
}

/* vote vote.ballot.b32: bit by bit */
uint32_t ballot_bits(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result = 0;
    for (uint32_t m = membermask & active; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        if (predicates >> lane & 1)
            result |= 1u << lane;
    }
    return result;
}

/* vote vote.uni.pred: by counts */
uint32_t uni_counts(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    const uint32_t group = membermask & active;
    return __builtin_popcount(predicates & group) == 0 || __builtin_popcount(~predicates & group) == 0;
}

static __thread uint32_t copy[32];

/* redux redux.sync.or.b32: through a copy of the thread's, and by bytes at the end */
uint32_t or_copied(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t r = 0;
    unsigned char bytes[4];
    memcpy(copy, a, sizeof copy);
    for (int i = 0; i < 32; i++)
        r |= (membermask & active) >> i & 1 ? copy[i] : 0;
    memcpy(bytes, &r, sizeof bytes);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}
#ifdef __cplusplus
}
#endif
