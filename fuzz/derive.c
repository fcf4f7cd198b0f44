/*
 * Relatives of a case. Four kinds, 16 of each: forms, places, masks, operands.
 */
#include "fuzz/derive.h"

#include "base/random.h"
#include "warpcheck/bytes.h"

#include <string.h>

static void fill(uint32_t operand[WARP_LANES], uint32_t value)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = value;
}

static lanemask rotated(lanemask mask, unsigned by)
{
    return by == 0 ? mask : mask << by | mask >> (WARP_LANES - by);
}

/* The forms of each family, in the order of their numbers. */
struct siblings {
    uint32_t forms[WARP_FORMS];
    unsigned count;
};

static const struct siblings *siblings_of(enum warp_family family)
{
    static struct siblings all[WARP_FAMILIES];
    if (all[family].count == 0)
        for (uint32_t form = 0; form < WARP_FORMS; form++)
            if (warp_form_get(form)->family == family)
                all[family].forms[all[family].count++] = form;
    return &all[family];
}

/* The k-th form after the base's in its family, round and round; with each round the destinations and b move on. */
static void other_form(struct warp_case *c, unsigned k)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const enum warp_family family = info->family;
    const struct siblings *siblings = siblings_of(family);
    const unsigned rounds = (k + 1) / siblings->count;
    unsigned at = 0;
    uint32_t form;
    while (siblings->forms[at] != c->form)
        at++;
    form = siblings->forms[(at + k + 1) % siblings->count];
    info = warp_form_get(form);
    c->form = form;
    c->dst = (c->dst + rounds) % WARP_DST_COUNT;
    while (!(info->destinations >> c->dst & 1u))
        c->dst = (c->dst + 1) % WARP_DST_COUNT;
    if (warp_form_is_shfl(info)) /* all forms of shfl have the same operands and targets: nothing to repair */
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            c->b[lane] += 5 * rounds;
    else if (family == WARP_VOTE_SYNC)
        c->negate ^= rounds & 1u;
    else {
        c->negate ^= rounds & 1u;
        warp_case_repair(c);
    }
}

/* to[lane + by] = from[lane], round the warp. */
static void rotate(uint32_t to[WARP_LANES], const uint32_t from[WARP_LANES], unsigned by)
{
    memcpy(to + by, from, (WARP_LANES - by) * sizeof *to);
    memcpy(to, from + WARP_LANES - by, by * sizeof *to);
}

/* All lanes moved up by 2k+1, round the warp, with their operands and masks. */
static void other_place(const struct warp_case *base, struct warp_case *c, unsigned k)
{
    unsigned by = (2 * k + 1) % WARP_LANES;
    c->active = rotated(base->active, by);
    c->exited = rotated(base->exited, by);
    rotate(c->a, base->a, by);
    rotate(c->a_high, base->a_high, by);
    rotate(c->b, base->b, by);
    rotate(c->c, base->c, by);
    rotate(c->membermask, base->membermask, by);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->membermask[lane] = rotated(c->membermask[lane], by);
}

static void set_membermask(struct warp_case *c, const struct warp_form_info *info, lanemask mask)
{
    if (warp_form_is_sync(info))
        fill(c->membermask, mask);
}

/* Each tile of `width` lanes is a group; lanes that are elsewhere leave the masks unless `strict`. */
static void set_tiles(struct warp_case *c, const struct warp_form_info *info, unsigned width, bool strict)
{
    lanemask tile = (1u << width) - 1u;
    if (warp_form_is_sync(info))
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            c->membermask[lane] = (tile << lane / width * width) & (strict ? UINT32_MAX : c->active | c->exited);
}

static void other_masks(struct warp_case *c, const struct warp_form_info *info, unsigned k)
{
    switch (k) {
    case 0: /* everything plain: all lanes, one group */
        c->active = UINT32_MAX;
        c->exited = 0;
        set_membermask(c, info, UINT32_MAX);
        break;
    case 1:
        set_membermask(c, info, c->active);
        break;
    case 2:
        set_membermask(c, info, c->active | c->exited);
        break;
    case 3: /* lanes that are not active have exited */
        c->exited = ~c->active;
        set_membermask(c, info, UINT32_MAX);
        break;
    case 4:
    case 5:
    case 6:
    case 7:
        set_tiles(c, info, 2u << (k - 4), false);
        break;
    case 8:
    case 9: /* the upper half, the odd lanes */
        c->active &= k == 8 ? 0xffff0000u : 0xaaaaaaaau;
        set_membermask(c, info, c->active | c->exited);
        break;
    case 10: /* the lower half, a partial last warp */
    case 11:
        c->active = k == 10 ? 0xffffu : 0x1fffffu;
        c->exited = ~c->active;
        set_membermask(c, info, UINT32_MAX);
        break;
    case 12: /* one lane more, one lane less */
    case 13:
        set_membermask(c, info, k == 12 ? c->active | (c->active << 1) : c->active & (c->active - 1));
        break;
    case 14:
        set_tiles(c, info, 8, true);
        break;
    default:
        c->active = ~c->active & ~c->exited;
        set_membermask(c, info, c->active);
        break;
    }
}

/* Words of a table, one a lane, from a place that depends on the case. */
static void from_table(uint32_t words[WARP_LANES], const uint32_t *table, size_t count, uint32_t start)
{
    size_t at = start % count;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        words[lane] = table[at];
        at = at + 1 < count ? at + 1 : 0;
    }
}

/* Sets a by one rule. */
static void changed_a(const struct warp_case *c, unsigned k, uint32_t words[WARP_LANES])
{
    if (k == 4)
        from_table(words, warp_special_floats, warp_special_floats_count, c->a[0]);
    else if (k == 5)
        from_table(words, warp_special_words, warp_special_words_count, c->a[0]);
    else
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            uint32_t a = c->a[lane];
            words[lane] = k == 0   ? ~a
                          : k == 1 ? c->a[0]
                          : k == 2 ? lane
                          : k == 3 ? a ^ 0x80000000u
                          : k == 6 ? 0u - a
                                   : a & 3u;
        }
}

static void other_a(struct warp_case *c, const struct warp_form_info *info, unsigned k)
{
    uint32_t limit = info->type == WARP_PRED ? 1u : info->type == WARP_NO_SOURCE ? 0u : UINT32_MAX;
    uint32_t words[WARP_LANES];
    changed_a(c, k, words);
    if (info->type == WARP_B64 && !(k & 1u))
        memcpy(c->a_high, words, sizeof words);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->a[lane] = words[lane] & limit;
}

/* Changes b and c by one rule (shfl). In the other families the values move round under the masks instead. */
static void other_bc(const struct warp_case *base, struct warp_case *c, const struct warp_form_info *info, unsigned k)
{
    static const uint8_t width[8] = {32, 16, 8, 4, 2, 1, 32, 8};
    if (!warp_form_is_shfl(info)) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            c->a[lane] = base->a[(lane + k + 1) % WARP_LANES];
            c->a_high[lane] = base->a_high[(lane + k + 1) % WARP_LANES];
        }
        return;
    }
    if (k < 6)
        fill(c->c, warp_width_c(info->op, width[k]));
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c->b[lane] = k == 6 ? ~base->b[lane] : base->b[(lane + 1) % WARP_LANES] + (k & 1u ? 32u : 0u);
        if (k >= 6)
            c->c[lane] = base->c[lane] ^ (k == 6 ? 0x1f1fu : 0xffffe0e0u);
    }
}

void derive_case(const struct warp_case *base, unsigned k, struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(base->form);
    *c = *base;
    switch (k / 16) {
    case 0:
        other_form(c, k % 16);
        break;
    case 1:
        other_place(base, c, k % 16);
        break;
    case 2:
        other_masks(c, info, k % 16);
        break;
    default:
        if (k % 16 < 8)
            other_a(c, info, k % 8);
        else
            other_bc(base, c, info, k % 8);
        break;
    }
}

void derive_all(const struct warp_case *base, struct warp_case cases[DERIVED_MAX + 1])
{
    cases[0] = *base;
    for (unsigned k = 0; k < DERIVED_MAX; k++)
        derive_case(base, k, &cases[k + 1]);
}

unsigned derive_number(const struct warp_case *base, unsigned i, unsigned count)
{
    const uint32_t words[] = {base->form, base->active, base->a[0], base->a[7], base->membermask[0]};
    if (count >= DERIVED_MAX)
        return i;
    return (unsigned)((i * DERIVED_MAX / count + hash_bytes(HASH_START, words, sizeof words)) % DERIVED_MAX);
}

#define CALLS_ONE_IN 32u /* inputs have a long call */
#define LARGE_ONE_IN 8u  /* of these, where the call is large */
#define LARGE        256u

size_t derive_call_size(const uint8_t *data, size_t size)
{
    const uint64_t choice = random_mix(hash_bytes(HASH_START, data, size));
    const size_t least = (size_t)1 << (choice >> 8) % 13, cases = least + (size_t)(choice >> 16) % least;
    if (choice % CALLS_ONE_IN != 0 || (cases >= LARGE && (choice >> 5) % LARGE_ONE_IN != 0))
        return 0;
    return cases < DERIVED_CALL_MAX ? cases : DERIVED_CALL_MAX;
}

size_t derive_call_case(const uint8_t *data, size_t size, size_t n, size_t at)
{
    const uint64_t choice = random_mix(hash_bytes(HASH_START, data, size) + 1);
    return (at >> choice % 5) % n;
}

/* The base's operands with the k-th form, where that is of the families; further rounds have other destinations. */
static void with_form(struct warp_case *c, uint32_t families, unsigned k)
{
    const struct warp_form_info *const info = warp_form_get(k % WARP_FORMS);
    if (!(families & WARP_FAMILY_BIT((unsigned)info->family)))
        return;
    c->form = info->form;
    c->dst = (c->dst + k / WARP_FORMS) % WARP_DST_COUNT;
    while (!(info->destinations >> c->dst & 1u))
        c->dst = (c->dst + 1) % WARP_DST_COUNT;
    warp_case_repair(c);
}

#define WITH_FORM   (DERIVED_MAX + 1u) /* steps from here on: another form, with each of three destinations */
#define LANE_EXITS  (WITH_FORM + 3u * WARP_FORMS)
#define LANE_OTHER  (LANE_EXITS + WARP_LANES)
#define OTHER_WORDS (LANE_OTHER + WARP_LANES)
_Static_assert(OTHER_WORDS + 4 < DERIVED_MORE, "a step is a byte");

/* The base but for a little: what a memory that compares too few words takes for the same. */
static void with_small_change(struct warp_case *c, unsigned step)
{
    const unsigned lane = (step - LANE_EXITS) % WARP_LANES;
    if (step < LANE_OTHER) {
        c->exited |= 1u << lane;
        c->active &= ~c->exited;
    } else if (step < OTHER_WORDS) {
        c->a[lane] += 1;
    } else if (step == OTHER_WORDS) {
        c->negate ^= 1u;
    } else if (step == OTHER_WORDS + 1) {
        c->target++;
    } else {
        uint32_t *const operands[] = {c->a, c->b, c->c};
        for (unsigned i = 0; i < WARP_LANES; i++)
            operands[(step - OTHER_WORDS) % 3][i]++;
    }
    warp_case_repair(c);
}

void derive_step(const struct warp_case *base, uint32_t families, unsigned step, struct warp_case *c)
{
    *c = *base;
    if (step >= LANE_EXITS)
        with_small_change(c, step);
    else if (step >= WITH_FORM)
        with_form(c, families, step - WITH_FORM);
    else if (step > 0)
        derive_case(base, step - 1u, c);
}

/* How many cases there are after this step, where there were `n`. */
static size_t after_step(size_t n, uint8_t step)
{
    const size_t more = step == DERIVED_AGAIN ? n : step == DERIVED_MORE ? (n > 0 ? DERIVED_MORE_TIMES : 0) : 1;
    return n + more < DERIVED_ORDER_CASES ? n + more : DERIVED_ORDER_CASES;
}

size_t derive_order_length(const uint8_t *steps, size_t n)
{
    size_t cases = 0;
    for (size_t i = 0; i < n && i < DERIVED_ORDER_MAX; i++)
        cases = after_step(cases, steps[i]);
    return cases;
}

size_t derive_order(const uint8_t *data, size_t size, uint32_t families, struct warp_case cases[DERIVED_ORDER_CASES])
{
    const size_t before = warp_bytes_length(data, size);
    struct warp_case base;
    size_t n = 0;
    if (size <= before || data[0] != WARP_BYTES_RAW)
        return 0;
    warp_case_from_bytes(data, size, families, &base);
    for (const uint8_t *step = data + before; step < data + size && step < data + before + DERIVED_ORDER_MAX; step++) {
        const size_t had = n;
        n = after_step(had, *step);
        for (size_t at = had; at < n; at++)
            if (*step == DERIVED_AGAIN || *step == DERIVED_MORE)
                cases[at] = cases[*step == DERIVED_AGAIN ? at - had : had - 1];
            else
                derive_step(&base, families, *step, &cases[at]);
    }
    return n;
}
