#include "choices.h"

#include "warpcheck/bytes.h"

#include <string.h>

/* ---- the raw form: integers are little-endian; operands that the form lacks are not there, predicates are one mask
 * ---- */

struct sink {
    uint8_t *at;
};

static void put(struct sink *s, uint32_t value, unsigned bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        *s->at++ = (uint8_t)value;
}

static void put_operand(struct sink *s, const uint32_t operand[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        put(s, operand[lane], 4);
}

static void put_predicates(struct sink *s, const uint32_t operand[WARP_LANES])
{
    lanemask predicates = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        predicates |= operand[lane] << lane;
    put(s, predicates, 4);
}

static void put_source(struct sink *s, const struct warp_form_info *info, const struct warp_case *c)
{
    if (info->type == WARP_PRED)
        put_predicates(s, c->a);
    else if (info->type != WARP_NO_SOURCE)
        put_operand(s, c->a);
    if (info->type == WARP_B64)
        put_operand(s, c->a_high);
}

size_t warp_case_to_bytes(const struct warp_case *c, uint8_t bytes[WARP_BYTES_MAX])
{
    const struct warp_form_info *info = warp_form_get(c->form);
    struct sink s = {bytes};
    put(&s, WARP_BYTES_RAW, 1);
    put(&s, c->form, 2);
    put(&s, c->target, 2);
    put(&s, c->dst, 1);
    put(&s, c->negate, 1);
    put(&s, c->exited, 4);
    put(&s, c->active, 4);
    if (info == NULL)
        return (size_t)(s.at - bytes); /* not a case */
    if (warp_form_is_sync(info))
        put_operand(&s, c->membermask);
    put_source(&s, info, c);
    if (warp_form_is_shfl(info)) {
        put_operand(&s, c->b);
        put_operand(&s, c->c);
    }
    return (size_t)(s.at - bytes);
}

size_t warp_bytes_length(const uint8_t *bytes, size_t size)
{
    struct warp_case c = {.form = WARP_FORMS}; /* none: the fields that every form has */
    uint8_t whole[WARP_BYTES_MAX];
    if (size == 0 || bytes[0] != WARP_BYTES_RAW)
        return size;
    if (size >= 3)
        c.form = (bytes[1] | (uint32_t)bytes[2] << 8) % WARP_FORMS;
    return warp_case_to_bytes(&c, whole);
}

static void get_source(struct choices *choices, const struct warp_form_info *info, struct warp_case *c)
{
    if (info->type == WARP_PRED) {
        lanemask predicates = choose_word(choices);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            c->a[lane] = predicates >> lane & 1u;
    } else if (info->type != WARP_NO_SOURCE) {
        choose_operand(choices, c->a);
    }
    if (info->type == WARP_B64)
        choose_operand(choices, c->a_high);
}

/* The form itself when its family is wanted, else a form of a wanted family. */
static uint32_t allowed_form(uint32_t form, uint32_t families)
{
    form %= WARP_FORMS;
    while (!(families >> warp_form_get(form)->family & 1u))
        form = (form + 1) % WARP_FORMS;
    return form;
}

static void get_case(struct choices *choices, uint32_t families, struct warp_case *c)
{
    const struct warp_form_info *info;
    c->form = choose(choices);
    c->form = allowed_form(c->form | choose(choices) << 8, families);
    info = warp_form_get(c->form);
    c->target = choose(choices);
    c->target |= choose(choices) << 8;
    c->dst = choose(choices);
    c->negate = choose(choices);
    c->exited = choose_word(choices);
    c->active = choose_word(choices);
    if (warp_form_is_sync(info))
        choose_operand(choices, c->membermask);
    get_source(choices, info, c);
    if (warp_form_is_shfl(info)) {
        choose_operand(choices, c->b);
        choose_operand(choices, c->c);
    }
}

#ifdef BYTES_HAVE_AVX2
void generate_body_avx2(struct choices *choices, struct warp_case *c);
#endif

/* generate_body, as compiled for this processor. */
static void generate(struct choices *choices, struct warp_case *c)
{
#ifdef BYTES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2")) {
        generate_body_avx2(choices, c);
        return;
    }
#endif
    generate_body(choices, c);
}

size_t warp_case_from_bytes(const uint8_t *bytes, size_t size, uint32_t families, struct warp_case *c)
{
    struct choices choices = {0};
    uint32_t first = size > 0 ? bytes[0] : 0u;
    if (size > 0) {
        choices.at = bytes;
        choices.end = bytes + (size < WARP_BYTES_MAX ? size : WARP_BYTES_MAX);
    }
    if ((families & WARP_FAMILY_ALL) == 0)
        families = WARP_FAMILY_ALL; /* the caller's mistake, made harmless */
    choose(&choices);
    if (size == 0 || first != WARP_BYTES_RAW) {
        generate_head(first, &choices, families, c);
        generate(&choices, c);
    } else {
        memset(c, 0, sizeof *c);
        get_case(&choices, families, c);
        warp_case_repair(c);
    }
    return size > 0 ? (size_t)(choices.at - bytes) : 0;
}

void choices_make(struct choices *choices, size_t n)
{
    struct bytes_source *const source = choices->source;
    const size_t wanted = (size_t)(choices->at - source->bytes) + n;
    source->make(source, wanted < sizeof source->bytes ? wanted : sizeof source->bytes);
    choices->end = source->bytes + source->made;
    if (source->made == sizeof source->bytes)
        choices->source = NULL;
}

size_t bytes_source_head(const struct bytes_source *source, uint32_t families, struct warp_case *c)
{
    struct choices choices = {source->bytes + 1, source->bytes + BYTES_HEAD, NULL};
    generate_head(source->bytes[0], &choices, families, c);
    return (size_t)(choices.at - source->bytes);
}

void bytes_source_body(struct bytes_source *source, size_t at, struct warp_case *c)
{
    struct choices choices = {source->bytes + at, source->bytes + source->made, source};
    generate(&choices, c);
}

/* clang-format off */
const uint32_t warp_special_floats[] = {
    0x00000000u, 0x80000000u, /* zeros */
    0x00000001u, 0x80000001u, /* the least subnormals */
    0x007fffffu, 0x807fffffu, /* the greatest subnormals */
    0x00800000u, 0x80800000u, /* the least normals */
    0x3f800000u, 0xbf800000u, /* 1 */
    0x3f800001u, 0xbf800001u, /* the next above 1 */
    0x40000000u, 0xc0000000u, /* 2 */
    0x7f7fffffu, 0xff7fffffu, /* the greatest numbers */
    0x7f800000u, 0xff800000u, /* infinities */
    0x7f800001u, 0xff800001u, /* signalling NaNs, least payload */
    0x7fa00000u, 0xffa00000u, /* signalling NaNs, greatest bit of the payload */
    0x7fc00000u, 0xffc00000u, /* quiet NaNs of x86 */
    0x7fc12345u, 0xffc54321u, /* quiet NaNs with a payload */
    0x7fffffffu, 0xffffffffu, /* the canonical NaN, and its negative */
};

const uint32_t warp_special_words[] = {
    /* Edges of integers, of 5-bit lane numbers and of lane masks. */
    0u, 1u, 2u, 3u, 4u, 7u, 8u, 15u, 16u, 30u, 31u, 32u, 33u, 63u, 64u, 127u, 255u, 256u, 0xffffu, 0x10000u,
    0xffff0000u, 0x55555555u, 0xaaaaaaaau, 0x7ffffffeu, 0x7fffffffu, 0x80000000u, 0x80000001u,
    0xffffffe0u, 0xffffffe1u, 0xfffffff0u, 0xfffffffeu, 0xffffffffu,
    /* Operand c of CUDA's widths 16, 8, 4, 2, 1, with clamp 0 for up, with clamp 31 for the other modes; that of 32 is
     * 0 or 31, and stands above. */
    0x1000u, 0x1800u, 0x1c00u, 0x1e00u, 0x1f00u, 0x101fu, 0x181fu, 0x1c1fu, 0x1e1fu, 0x1f1fu,
    /* Floats. */
    0x3f800000u, 0xbf800000u, 0x00800000u, 0x7f7fffffu, 0x7f800000u, 0xff800000u, 0x7f800001u, 0x7fc00000u, 0xffc00000u,
};
/* clang-format on */

const size_t warp_special_floats_count = sizeof warp_special_floats / sizeof warp_special_floats[0];
const size_t warp_special_words_count = sizeof warp_special_words / sizeof warp_special_words[0];

/* The segment mask keeps the bits of the lane number above the width; CUDA passes clamp 31, also for narrow segments.
 */
uint32_t warp_width_c(enum warp_op op, unsigned width)
{
    return (32u - width) << 8 | (op == WARP_UP ? 0u : 31u);
}
