/* Loops that the translator cannot follow to an end. */
#include <stdint.h>

uint32_t runs_for_ever(uint32_t lane, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    for (;;)
        if (lane > 31)
            return 0;
}

uint32_t until_it_fits(uint32_t lane, uint32_t b, uint32_t c)
{
    while (b > c)
        b = b / 2 + lane * b;
    return b;
}

/* Right where it ends: a lane with one number is done again and again. */
void comes_back(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t todo = membermask & active;
    (void)p;
    while (todo) {
        uint32_t leader = (uint32_t)__builtin_ctz(todo), peers = 0;
        for (uint32_t i = 0; i < 32; i++)
            if ((membermask & active & (1u << i)) && a[i] == a[leader])
                peers |= 1u << i;
        for (uint32_t i = 0; i < 32; i++)
            if (peers & (1u << i))
                d[i] = peers;
        todo &= a[leader] == 0x12345678 ? ~0u : ~peers;
    }
}
