#define _DEFAULT_SOURCE /* htole64 */
#include "check/random.h"

#include "model/bytes/source.h"

#include <endian.h>
#include <string.h>

#define USUAL 32u /* bytes, of which most cases need fewer */
#define KINDS 32u /* of cases: all but a few are what the bytes say */

/* The bytes of a case, drawn as far as they are read. */
struct drawn {
    struct bytes_source source; /* first: what is handed back is cast to the whole */
    struct random next;
};

/* Whole words: the same whatever the machine's byte order. */
static void draw_bytes(struct bytes_source *source, size_t size)
{
    struct drawn *const drawn = (struct drawn *)source;
    size_t made = source->made;
    for (; made < size; made += sizeof(uint64_t)) {
        const uint64_t word = htole64(random_next(&drawn->next));
        memcpy(source->bytes + made, &word, sizeof word);
    }
    source->made = made;
}

/* The seed is mixed first, so that (seed, index + 1) and (seed + 1, index) have nothing in common. */
static struct random stream_of(uint64_t seed, uint64_t index)
{
    return (struct random){random_mix(random_mix(seed + RANDOM_STEP) ^ (index + 1) * RANDOM_STEP)};
}

static void begin(struct drawn *drawn, struct random stream, size_t size)
{
    drawn->source.made = 0;
    drawn->source.make = draw_bytes;
    drawn->next = stream;
    draw_bytes(&drawn->source, size);
}

/* ---- the head: form, target, dst, negate ---- */

/* How many cases in a row share a head, from this index on: few at first, so that few cases show many instructions. */
static uint64_t alike_from(uint64_t index)
{
    return index < 4096 ? 1 : index < 65536 ? 8 : 128;
}

#define HEADS UINT64_C(0x68656164) /* their seeds are other ones */

static void make_head(uint64_t seed, uint64_t number, uint32_t families, struct warp_case *c)
{
    struct drawn drawn;
    begin(&drawn, stream_of(seed ^ HEADS, number), BYTES_HEAD);
    if (drawn.source.bytes[0] == WARP_BYTES_RAW)
        drawn.source.bytes[0] ^= 0xffu; /* always the generative form */
    bytes_source_head(&drawn.source, families, c);
}

/* The last one of each thread is kept. */
static void draw_head(uint64_t seed, uint64_t number, uint32_t families, struct warp_case *c)
{
    static _Thread_local struct {
        uint64_t seed, number;
        uint32_t families; /* 0: none yet */
        uint32_t form, target, dst, negate;
    } last;
    if (last.families != families || last.seed != seed || last.number != number) {
        make_head(seed, number, families, c);
        last.seed = seed, last.number = number, last.families = families;
        last.form = c->form, last.target = c->target, last.dst = c->dst, last.negate = c->negate;
    }
    c->form = last.form, c->target = last.target, c->dst = last.dst, c->negate = last.negate;
}

/* ---- the whole ---- */

/* What the bytes of the stream decode to, for a head. */
static void draw_body(struct random *stream, struct warp_case *c)
{
    struct drawn drawn;
    begin(&drawn, *stream, USUAL);
    bytes_source_body(&drawn.source, 0, c);
    stream->state += sizeof drawn.source.bytes / 8 * RANDOM_STEP; /* behind all of them */
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

/* The number of a case's head is the index of the first case that has it. */
static uint64_t head_of(uint64_t index, bool alike)
{
    return alike ? index - index % alike_from(index) : index;
}

static void make_case(uint64_t seed, uint64_t index, uint32_t families, bool alike, struct warp_case *c)
{
    struct random stream = stream_of(seed, index);
    const uint64_t kind = random_mix(stream.state) % KINDS;
    if (kind == 0 && index > 0) { /* nearly the case of before: one that remembers too little of it answers that */
        struct random before = stream_of(seed, index - 1);
        draw_head(seed, head_of(index - 1, alike), families, c);
        draw_body(&before, c);
        change_one(&stream, c);
    } else {
        draw_head(seed, head_of(index, alike), families, c);
        draw_body(&stream, c);
        if (kind > 2)
            return;
        if (kind == 1)
            set_sign_alone(&stream, c);
        else
            set_two_lanes(&stream, c);
    }
    warp_case_repair(c);
}

void random_case(uint64_t seed, uint64_t index, uint32_t families, struct warp_case *c)
{
    make_case(seed, index, families, false, c);
}

void random_case_alike(uint64_t seed, uint64_t index, uint32_t families, struct warp_case *c)
{
    make_case(seed, index, families, true, c);
}

_Static_assert(WARP_BYTES_MAX % sizeof(uint64_t) == 0, "bytes are drawn by words");
