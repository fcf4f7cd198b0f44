/*
 * One case and its answer as bytes.
 *
 * form u8, target u16, destination | negate << 4 u8, exited u32, active u32, then each operand that the form has, then
 * done u32, d_defined u32, p u32 (where the form writes one), d (where it writes one). An operand is a kind and its
 * data; a predicate is 32 bits.
 */
#include "gpu/codec.h"

#include "base/random.h"

#include <string.h>

static void codec_put_u8(struct buffer *b, uint32_t value)
{
    const uint8_t byte = (uint8_t)value;
    buffer_add(b, &byte, 1);
}

void codec_put_u32(struct buffer *b, uint32_t value)
{
    const uint8_t word[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    buffer_add(b, word, sizeof word);
}

static uint32_t cursor_u8(struct cursor *c)
{
    if (c->at >= c->length) {
        c->failed = true;
        return 0;
    }
    return c->data[c->at++];
}

uint32_t cursor_u32(struct cursor *c)
{
    uint32_t value = cursor_u8(c);
    value |= cursor_u8(c) << 8;
    value |= cursor_u8(c) << 16;
    return value | cursor_u8(c) << 24;
}

enum kind {
    UNIFORM,    /* u32: all lanes */
    ARITHMETIC, /* u32 v, u32 s: v + s * lane */
    HASHED,     /* u32 key: random_mix32(key + golden * lane), what random cases are often made of */
    HASH_OF_A,  /* random_mix32(a): the high half of a random 64-bit source */
    SMALL,      /* 32 bytes */
    FEW,        /* u8 n, n u32, 32 nibbles: indices into them */
    RAW,        /* 32 u32 */
    LANE_OF_A,  /* 32 bytes: the lane whose a it is, 32 for zero */
    KINDS
};

#define GOLDEN   0x9e3779b9u
#define FEW_MOST 16u

/* The inverse of an odd number modulo 2^32, by Newton: each step doubles the number of right bits. */
static uint32_t inverse(uint32_t odd)
{
    uint32_t x = odd;
    for (int i = 0; i < 5; i++)
        x *= 2u - odd * x;
    return x;
}

static uint32_t unhash(uint32_t x)
{
    x ^= x >> 16;
    x *= inverse(RANDOM_MIX32_2);
    x ^= x >> 15 ^ x >> 30;
    x *= inverse(RANDOM_MIX32_1);
    return x ^ x >> 16;
}

static void fill(uint32_t out[WARP_LANES], enum kind kind, uint32_t v, uint32_t s)
{
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        out[lane] = kind == HASHED ? random_mix32(v + GOLDEN * lane) : v + s * lane;
}

static bool same(const uint32_t x[WARP_LANES], const uint32_t y[WARP_LANES])
{
    return memcmp(x, y, WARP_LANES * sizeof *x) == 0;
}

/* The distinct values, in order of appearance; more than FEW_MOST: FEW_MOST + 1. */
static unsigned distinct(const uint32_t x[WARP_LANES], uint32_t values[FEW_MOST], uint8_t index[WARP_LANES])
{
    unsigned n = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned i = 0;
        while (i < n && values[i] != x[lane])
            i++;
        if (i == n) {
            if (n == FEW_MOST)
                return FEW_MOST + 1;
            values[n++] = x[lane];
        }
        index[lane] = (uint8_t)i;
    }
    return n;
}

/* For each lane, a lane whose a it is; false when there is none. The own lane first, so that answers compress. */
static bool lanes_of(const uint32_t x[WARP_LANES], const uint32_t a[WARP_LANES], uint8_t index[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned j = lane;
        if (x[lane] == 0 && a[lane] != 0)
            j = WARP_LANES;
        else if (x[lane] != a[lane])
            for (j = 0; j < WARP_LANES && a[j] != x[lane]; j++)
                ;
        if (j == WARP_LANES && x[lane] != 0)
            return false;
        index[lane] = (uint8_t)j;
    }
    return true;
}

static bool all_small(const uint32_t x[WARP_LANES])
{
    uint32_t all = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        all |= x[lane];
    return all < 256;
}

static bool put_formula(struct buffer *b, const uint32_t x[WARP_LANES])
{
    uint32_t y[WARP_LANES];
    fill(y, UNIFORM, x[0], 0);
    if (same(x, y)) {
        codec_put_u8(b, UNIFORM);
        codec_put_u32(b, x[0]);
        return true;
    }
    fill(y, ARITHMETIC, x[0], x[1] - x[0]);
    if (same(x, y)) {
        codec_put_u8(b, ARITHMETIC);
        codec_put_u32(b, x[0]);
        codec_put_u32(b, x[1] - x[0]);
        return true;
    }
    fill(y, HASHED, unhash(x[0]), 0);
    if (same(x, y)) {
        codec_put_u8(b, HASHED);
        codec_put_u32(b, unhash(x[0]));
        return true;
    }
    return false;
}

static bool is_hash_of(const uint32_t x[WARP_LANES], const uint32_t a[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (x[lane] != random_mix32(a[lane]))
            return false;
    return true;
}

static void put_few(struct buffer *b, const uint32_t values[FEW_MOST], unsigned n, const uint8_t index[WARP_LANES])
{
    codec_put_u8(b, FEW);
    codec_put_u8(b, n);
    for (unsigned i = 0; i < n; i++)
        codec_put_u32(b, values[i]);
    for (unsigned lane = 0; lane < WARP_LANES; lane += 2)
        codec_put_u8(b, index[lane] | (uint32_t)index[lane + 1] << 4);
}

/* `a` may be NULL: then nothing is told by it. */
static void put_array(struct buffer *b, const uint32_t x[WARP_LANES], const uint32_t *a)
{
    uint32_t values[FEW_MOST];
    uint8_t index[WARP_LANES];
    uint8_t lanes[WARP_LANES];
    unsigned n;
    if (put_formula(b, x))
        return;
    if (a != NULL && is_hash_of(x, a)) {
        codec_put_u8(b, HASH_OF_A);
        return;
    }
    if (all_small(x)) {
        codec_put_u8(b, SMALL);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            codec_put_u8(b, x[lane]);
        return;
    }
    n = distinct(x, values, index);
    if (n <= 8) {
        put_few(b, values, n, index);
        return;
    }
    if (a != NULL && lanes_of(x, a, lanes)) {
        codec_put_u8(b, LANE_OF_A);
        buffer_add(b, lanes, sizeof lanes);
        return;
    }
    if (n <= FEW_MOST) {
        put_few(b, values, n, index);
        return;
    }
    codec_put_u8(b, RAW);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        codec_put_u32(b, x[lane]);
}

static void get_few(struct cursor *in, uint32_t x[WARP_LANES])
{
    uint32_t values[FEW_MOST] = {0};
    const uint32_t n = cursor_u8(in);
    in->failed |= n > FEW_MOST;
    for (uint32_t i = 0; i < n && !in->failed; i++)
        values[i] = cursor_u32(in);
    for (unsigned lane = 0; lane < WARP_LANES; lane += 2) {
        const uint32_t pair = cursor_u8(in);
        x[lane] = values[pair & 15u];
        x[lane + 1] = values[pair >> 4];
    }
}

static void get_lanes_of(struct cursor *in, const uint32_t *a, uint32_t x[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t j = cursor_u8(in);
        in->failed |= j > WARP_LANES;
        x[lane] = j < WARP_LANES ? a[j] : 0;
    }
}

static void get_array(struct cursor *in, uint32_t x[WARP_LANES], const uint32_t *a)
{
    const uint32_t read = cursor_u8(in);
    const enum kind kind = read < KINDS ? (enum kind)read : KINDS;
    const uint32_t v = kind <= HASHED ? cursor_u32(in) : 0;
    const uint32_t s = kind == ARITHMETIC ? cursor_u32(in) : 0;
    switch (kind) {
    case UNIFORM:
    case ARITHMETIC:
    case HASHED:
        fill(x, kind, v, s);
        break;
    case SMALL:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            x[lane] = cursor_u8(in);
        break;
    case FEW:
        get_few(in, x);
        break;
    case RAW:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            x[lane] = cursor_u32(in);
        break;
    case HASH_OF_A:
        for (unsigned lane = 0; lane < WARP_LANES && a != NULL; lane++)
            x[lane] = random_mix32(a[lane]);
        break;
    case LANE_OF_A:
        if (a != NULL)
            get_lanes_of(in, a, x);
        break;
    case KINDS:
        in->failed = true;
        break;
    }
    in->failed |= (kind == HASH_OF_A || kind == LANE_OF_A) && a == NULL;
}

static uint32_t gather_bits(const uint32_t x[WARP_LANES])
{
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        bits |= (x[lane] & 1u) << lane;
    return bits;
}

bool codec_encode(struct buffer *b, const struct warp_case *c, const struct warp_result *r)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    if ((r->waiting | r->undefined | (r->done & ~c->active) | (r->d_defined & ~r->done) | (r->p & ~r->done)) != 0)
        return false;
    codec_put_u8(b, c->form);
    codec_put_u8(b, c->target);
    codec_put_u8(b, c->target >> 8);
    codec_put_u8(b, c->dst | c->negate << 4);
    codec_put_u32(b, c->exited);
    codec_put_u32(b, c->active);
    if (info->type == WARP_PRED)
        codec_put_u32(b, gather_bits(c->a));
    else if (info->type != WARP_NO_SOURCE)
        put_array(b, c->a, NULL);
    if (info->type == WARP_B64)
        put_array(b, c->a_high, c->a);
    if (warp_form_is_shfl(info)) {
        put_array(b, c->b, NULL);
        put_array(b, c->c, NULL);
    }
    if (warp_form_is_sync(info))
        put_array(b, c->membermask, NULL);
    codec_put_u32(b, r->done);
    codec_put_u32(b, r->d_defined);
    if (warp_form_writes_p(info, c->dst))
        codec_put_u32(b, r->p);
    if (warp_form_writes_d(info, c->dst))
        put_array(b, r->d, c->a);
    return true;
}

static void get_operands(struct cursor *in, const struct warp_form_info *info, struct warp_case *c)
{
    if (info->type == WARP_PRED) {
        const uint32_t bits = cursor_u32(in);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            c->a[lane] = bits >> lane & 1u;
    } else if (info->type != WARP_NO_SOURCE) {
        get_array(in, c->a, NULL);
    }
    if (info->type == WARP_B64)
        get_array(in, c->a_high, c->a);
    if (warp_form_is_shfl(info)) {
        get_array(in, c->b, NULL);
        get_array(in, c->c, NULL);
    }
    if (warp_form_is_sync(info))
        get_array(in, c->membermask, NULL);
}

const char *codec_decode(struct cursor *in, struct warp_case *c, struct warp_result *r)
{
    const struct warp_form_info *info;
    const char *wrong;
    uint32_t packed;
    memset(c, 0, sizeof *c);
    memset(r, 0, sizeof *r);
    c->form = cursor_u8(in);
    c->target = cursor_u8(in);
    c->target |= cursor_u8(in) << 8;
    packed = cursor_u8(in);
    c->dst = packed & 15u;
    c->negate = packed >> 4;
    c->exited = cursor_u32(in);
    c->active = cursor_u32(in);
    info = warp_form_get(c->form);
    if (info == NULL)
        return "unknown instruction form";
    get_operands(in, info, c);
    wrong = in->failed ? "it ends too early" : warp_case_check(c);
    if (wrong != NULL)
        return wrong;
    r->done = cursor_u32(in);
    r->d_defined = cursor_u32(in);
    if (warp_form_writes_p(info, c->dst))
        r->p = cursor_u32(in);
    if (warp_form_writes_d(info, c->dst))
        get_array(in, r->d, c->a);
    if (in->failed)
        return "it ends too early";
    return ((r->done & ~c->active) | (r->d_defined & ~r->done) | (r->p & ~r->done)) != 0
               ? "an answer of a lane that is not done"
               : NULL;
}
