/*
 * Places where no object is, or none any more. Built without LLVM's passes: they would remove the accesses. The line
 * above a function says its shape and the instruction that it is not.
 */
#include <stdint.h>
#include <stdlib.h>

/* vote vote.ballot.b32: the variable that p names ended with its block */
uint32_t outlives_its_block(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t *p;
    {
        uint32_t x;
        p = &x;
    }
    *p = predicates & membermask & active;
    return *p;
}

/* vote vote.ballot.b32: one word behind the array */
uint32_t one_behind(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t words[4] = {0}, *p = words;
    return predicates == 5 ? p[4] : predicates & membermask & active;
}

/* vote vote.ballot.b32: one word before the array */
uint32_t one_before(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t words[4] = {0}, *p = words;
    if (predicates == 5)
        p[-1] = 0;
    return predicates & membermask & active;
}

/* vote vote.ballot.b32: null */
uint32_t through_null(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    const uint32_t *p = 0;
    return predicates == 5 ? *p : predicates & membermask & active;
}

static uint32_t *leak(void)
{
    uint32_t x[2] = {0};
    uint32_t *p = x;
    return p;
}

/* vote vote.ballot.b32: a variable of a function that has returned */
uint32_t through_leak(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return predicates == 5 ? *leak() : predicates & membermask & active;
}

/* vote vote.ballot.b32: freed memory, of which nothing is used */
uint32_t reads_freed(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t *p = malloc(4), nothing = 0;
    if (p == NULL)
        abort();
    *p = predicates;
    free(p);
    if (predicates == 0x1badb002)
        nothing = *p & 0;
    return (predicates & membermask & active) ^ nothing;
}
