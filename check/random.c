#define _DEFAULT_SOURCE /* htole64 */
#include "check/random.h"

#include "warpcheck/bytes.h"

#include <endian.h>
#include <string.h>

#define USUAL 64u /* bytes, of which most cases need fewer */
#define KINDS 32u /* of cases: all but a few are what the bytes say */

/* The first bytes of a stream, which itself stays where it is: the same whatever the machine's byte order. */
static void fill(const struct random *stream, uint8_t *bytes, size_t size)
{
    struct random next = *stream;
    for (size_t i = 0; i < size; i += 8) {
        const uint64_t word = htole64(random_next(&next));
        memcpy(bytes + i, &word, sizeof word);
    }
    if (bytes[0] == WARP_BYTES_RAW)
        bytes[0] ^= 0xffu; /* always the generative form */
}

/* What the bytes of this seed and index decode to. Most cases need few of them, and all are drawn only for the others.
 */
static void draw(struct random *stream, uint32_t families, struct warp_case *c)
{
    uint8_t bytes[WARP_BYTES_MAX];
    fill(stream, bytes, USUAL);
    if (warp_case_from_bytes(bytes, USUAL, families, c) == USUAL) {
        fill(stream, bytes, sizeof bytes);
        warp_case_from_bytes(bytes, sizeof bytes, families, c);
    }
    stream->state += sizeof bytes / 8 * RANDOM_STEP; /* behind all of them */
}

/* The seed is mixed first, so that (seed, index + 1) and (seed + 1, index) have nothing in common. */
static struct random stream_of(uint64_t seed, uint64_t index)
{
    return (struct random){random_mix(random_mix(seed + RANDOM_STEP) ^ (index + 1) * RANDOM_STEP)};
}

/* Changes one thing: who takes part, or one lane's value. */
static void change_one(struct random *stream, struct warp_case *c)
{
    const unsigned lane = (unsigned)random_below(stream, WARP_LANES);
    switch (random_below(stream, 4)) {
    case 0:
        c->exited ^= 1u << lane;
        break;
    case 1:
        c->active ^= 1u << lane;
        break;
    case 2:
        for (unsigned i = 0; i < WARP_LANES; i++)
            c->membermask[i] ^= 1u << lane;
        break;
    default:
        c->a[lane] ^= 1u;
        break;
    }
}

/* The sign alone, INT_MIN and -0.0, in some lanes, which otherwise keep their values. */
static void set_sign_alone(struct random *stream, struct warp_case *c)
{
    for (uint64_t left = 1 + random_below(stream, 3); left > 0; left--)
        c->a[random_below(stream, WARP_LANES)] = 0x80000000u;
}

/* Two lanes are a group, alone in the warp or beside the others. */
static void set_two_lanes(struct random *stream, struct warp_case *c)
{
    const unsigned one = (unsigned)random_below(stream, WARP_LANES), other = (unsigned)random_below(stream, WARP_LANES);
    const lanemask both = 1u << one | 1u << other;
    const bool alone = random_below(stream, 2) == 0;
    c->active = alone ? both : c->active | both;
    c->exited &= ~both;
    c->membermask[one] = c->membermask[other] = both;
    for (unsigned i = 0; i < WARP_LANES; i++)
        if (!(both >> i & 1u))
            c->membermask[i] = ~both;
}

void random_case(uint64_t seed, uint64_t index, uint32_t families, struct warp_case *c)
{
    struct random stream = stream_of(seed, index);
    const uint64_t kind = random_mix(stream.state) % KINDS;
    if (kind == 0 && index > 0) { /* nearly the case of before: one that remembers too little of it answers that */
        struct random before = stream_of(seed, index - 1);
        draw(&before, families, c);
        change_one(&stream, c);
    } else {
        draw(&stream, families, c);
        if (kind > 2)
            return;
        if (kind == 1)
            set_sign_alone(&stream, c);
        else
            set_two_lanes(&stream, c);
    }
    warp_case_repair(c);
}

_Static_assert(WARP_BYTES_MAX % 8 == 0, "bytes are filled by words");
