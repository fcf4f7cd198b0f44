/*
 * What the translator must not decide: the text behind the colon is what its error says. Built with -fwrapv, where
 * addresses may leave their object, and without LLVM's passes.
 */
#include <stdint.h>

/* vote vote.ballot.b32: the order of an address outside its object */
uint32_t order_below(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t x[4], *p = x, *q = p - 1, group = predicates & membermask & active;
    return predicates == 0x12345678 && q < p ? group ^ 1 : group;
}

/* vote vote.ballot.b32: outside its object */
uint32_t order_behind(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t x[4], *p = x + 5, *q = x + 1, group = predicates & membermask & active;
    return predicates == 0x12345678 && q > p ? group ^ 1 : group;
}

/* vote vote.ballot.b32: addresses of different objects */
uint32_t same_place(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t x[4], y[4], *p = x + 5, *q = y + 1, group = predicates & membermask & active;
    return predicates == 0x12345678 && p == q ? group ^ 1 : group;
}

/* vote vote.ballot.b32: addresses of different objects */
uint32_t end_and_begin(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t x[4], y[4], group = predicates & membermask & active;
    return predicates == 0x12345678 && x + 4 == y ? group ^ 1 : group;
}

extern __attribute__((weak)) uint32_t hook(uint32_t);

/* vote vote.ballot.b32: its address may be null */
uint32_t is_there(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t group = predicates & membermask & active, (*f)(uint32_t) = hook;
    return predicates == 0x12345678 && f == 0 ? group ^ 1 : group;
}

__attribute__((weak)) uint32_t replaceable(uint32_t group)
{
    return group;
}

/* vote vote.ballot.b32: may be another one when linked */
uint32_t calls_weak(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return replaceable(predicates & membermask & active);
}
