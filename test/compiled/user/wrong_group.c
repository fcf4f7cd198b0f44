/*
 * The mistakes that implementations of vote, match and redux make, each as its author would write it. The line above a
 * function says its shape and the instruction that it is not.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* vote vote.sync.ballot.b32: the membermask is ignored, so that two groups are mixed */
uint32_t membermask_ignored(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    (void)membermask;
    return predicates & active;
}

/* vote vote.sync.all.pred: lanes that have exited count as false */
uint32_t exited_count_as_false(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return (predicates & active & membermask) == membermask;
}

/* vote vote.sync.any.pred: the result is inverted */
uint32_t vote_inverted(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return (predicates & membermask & active) == 0;
}

/* vote vote.sync.uni.pred: true only where all are true */
uint32_t uni_is_all(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return (~predicates & membermask & active) == 0;
}

/* vote vote.sync.ballot.b32: slots of lanes that did not vote are stale */
uint32_t stale_slots(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    bool slot[32];
    uint32_t result = 0;
    (void)active;
    for (int i = 0; i < 32; i++)
        slot[i] = predicates >> i & 1;
    for (int i = 0; i < 32; i++)
        if (membermask >> i & 1)
            result |= (uint32_t)slot[i] << i;
    return result;
}

/* match match.any.sync.b32: compared as floating-point numbers: NaN differs from itself, +0 equals -0 */
void match_by_float(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    *p = 0;
    for (int i = 0; i < 32; i++) {
        uint32_t same = 0;
        for (int k = 0; k < 32; k++) {
            float x, y;
            memcpy(&x, &a[i], sizeof x);
            memcpy(&y, &a[k], sizeof y);
            if ((membermask & active & 1u << k) && x == y)
                same |= 1u << k;
        }
        d[i] = same;
    }
}

/* match match.all.sync.b64: the value is truncated to 32 bits */
void match_truncated(const uint64_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, first = (uint32_t)a[__builtin_ctz(group)];
    bool same = true;
    for (int i = 0; i < 32; i++)
        if ((group >> i & 1) && (uint32_t)a[i] != first)
            same = false;
    for (int i = 0; i < 32; i++)
        d[i] = same ? group : 0;
    *p = same ? group : 0;
}

/* match match.all.sync.b32: d is the membermask, with the lanes that have exited */
void match_with_exited(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, first = a[__builtin_ctz(group)];
    bool same = true;
    for (int i = 0; i < 32; i++)
        if ((group >> i & 1) && a[i] != first)
            same = false;
    for (int i = 0; i < 32; i++)
        d[i] = same ? membermask : 0;
    *p = same ? group : 0;
}

static uint32_t sum(uint32_t mask, const uint32_t *value, uint32_t lane)
{
    uint32_t result = 0;
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1)
            result += value[lane];
    return result;
}

/* redux redux.sync.add.u32: mask and value swapped */
uint32_t mask_and_value_swapped(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    const uint32_t mask[1] = {membermask & active};
    return sum(a[0], mask, 0);
}

/* redux redux.sync.add.s32: adds every lane that executes, not the group's */
uint32_t adds_other_group(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t result = 0;
    (void)membermask;
    for (int i = 0; i < 32; i++)
        if (active >> i & 1)
            result += a[i];
    return result;
}

/* redux redux.sync.add.u32: the short way for a full warp forgets the last lane; every smaller group is right */
uint32_t full_warp_forgets_last(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    const uint32_t group = membermask & active;
    uint32_t result = 0;
    if (group == 0xffffffff) {
        for (int i = 0; i < 31; i++)
            result += a[i];
        return result;
    }
    for (int i = 0; i < 32; i++)
        if (group >> i & 1)
            result += a[i];
    return result;
}

/* vote vote.sync.uni.pred: the short way for a full warp is that of all */
uint32_t full_warp_uni_is_all(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    const uint32_t group = membermask & active;
    if (group == 0xffffffff)
        return predicates == 0xffffffff;
    return (predicates & group) == 0 || (~predicates & group) == 0;
}

/* redux redux.sync.max.s32: begins with 0 */
uint32_t begins_with_zero(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    int32_t most = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active & 1u << i) && (int32_t)a[i] > most)
            most = (int32_t)a[i];
    return (uint32_t)most;
}

static bool is_nan(uint32_t x)
{
    return (x & 0x7fffffff) > 0x7f800000;
}

/* redux redux.sync.min.f32: when all are NaN the result is the last of them, not the canonical NaN */
uint32_t nan_not_canonical(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t result = 0x7fffffff;
    for (int i = 0; i < 32; i++) {
        float x, y;
        if (!(membermask & active & 1u << i))
            continue;
        memcpy(&x, &a[i], sizeof x);
        memcpy(&y, &result, sizeof y);
        if (is_nan(result) || x < y)
            result = a[i];
    }
    return result;
}

/* redux redux.sync.max.f32: +0 and -0 are the same */
uint32_t zeros_alike(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t result = 0x7fffffff;
    for (int i = 0; i < 32; i++) {
        float x, y;
        if (!(membermask & active & 1u << i) || is_nan(a[i]))
            continue;
        memcpy(&x, &a[i], sizeof x);
        memcpy(&y, &result, sizeof y);
        if (is_nan(result) || x > y)
            result = a[i];
    }
    return result;
}
