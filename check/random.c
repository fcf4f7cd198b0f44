#include "check/random.h"

#include "warpcheck/bytes.h"

void random_case(uint64_t seed, uint64_t index, uint32_t families, struct warp_case *c)
{
    uint8_t bytes[WARP_BYTES_MAX];
    /* The seed is mixed first, so that (seed, index + 1) and (seed + 1, index) have nothing in common. */
    struct random stream = {random_mix(random_mix(seed + RANDOM_STEP) ^ (index + 1) * RANDOM_STEP)};
    for (size_t i = 0; i < sizeof bytes; i += 8) {
        const uint64_t word = random_next(&stream);
        for (size_t k = 0; k < 8; k++) /* byte by byte: the same cases whatever the byte order */
            bytes[i + k] = (uint8_t)(word >> 8 * k);
    }
    if (bytes[0] == WARP_BYTES_RAW)
        bytes[0] ^= 0xffu; /* always the generative form */
    warp_case_from_bytes(bytes, sizeof bytes, families, c);
}

_Static_assert(WARP_BYTES_MAX % 8 == 0, "bytes are filled by words");
