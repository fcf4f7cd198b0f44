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
