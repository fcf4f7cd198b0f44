/*
 * Mistakes in redux.
 */
#include "base.h"

static const struct warp_form_info *form_of(const struct warp_case *c)
{
    return warp_form_get(c->form);
}

static bool is_float(const struct warp_case *c)
{
    return form_of(c)->type == WARP_F32;
}

static void mask_value_swapped(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                               struct answer *r)
{
    struct warp_case swapped = *c;
    for (unsigned other = 0; other < WARP_LANES; other++)
        swapped.a[other] = c->membermask[other];
    base_redux(s, &swapped, lane, (c->a[lane] & group) != 0 ? c->a[lane] & group : group, r);
}

static uint32_t first_value(const struct warp_case *c, lanemask group)
{
    unsigned lane = 0;
    while (!in_mask(group, lane))
        lane++;
    return c->a[lane];
}

static void nan_payload_kept(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                             struct answer *r)
{
    base_redux(s, c, lane, group, r);
    if (is_float(c) && is_nan(r->d) && is_nan(first_value(c, group)))
        r->d = first_value(c, group) | 0x00400000u;
}

static void nan_is_7fc00000(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                            struct answer *r)
{
    base_redux(s, c, lane, group, r);
    if (is_float(c) && is_nan(r->d))
        r->d = 0x7fc00000u;
}

static void all_nan_is_infinity(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                                struct answer *r)
{
    base_redux(s, c, lane, group, r);
    if (is_float(c) && !form_of(c)->nan && is_nan(r->d))
        r->d = form_of(c)->op == WARP_MIN ? 0x7f800000u : 0xff800000u; /* the neutral value that it started from */
}

static void nan_qualifier_ignored(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                                  struct answer *r)
{
    lanemask numbers = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && !is_nan(c->a[other]))
            numbers |= (lanemask)1 << other;
    base_redux(s, c, lane, is_float(c) && numbers != 0 ? numbers : group, r);
}

static void nan_always_wins(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                            struct answer *r)
{
    base_redux(s, c, lane, group, r);
    for (unsigned other = 0; is_float(c) && other < WARP_LANES; other++)
        if (in_mask(group, other) && is_nan(c->a[other]))
            r->d = CANONICAL_NAN;
}

static void signed_as_unsigned(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                               struct answer *r)
{
    struct warp_case mistaken = *c;
    if (c->form == WARP_REDUX_SYNC_MIN_S32)
        mistaken.form = WARP_REDUX_SYNC_MIN_U32;
    if (c->form == WARP_REDUX_SYNC_MAX_S32)
        mistaken.form = WARP_REDUX_SYNC_MAX_U32;
    base_redux(s, &mistaken, lane, group, r);
}

/* Equal as numbers: the zero that comes first stays. */
static void zeros_equal(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                        struct answer *r)
{
    base_redux(s, c, lane, group, r);
    if (!is_float(c) || form_of(c)->abs || (r->d & 0x7fffffffu) != 0)
        return;
    for (unsigned other = WARP_LANES; other-- > 0;)
        if (in_mask(group, other) && (c->a[other] & 0x7fffffffu) == 0)
            r->d = c->a[other];
}

static void subnormals_flushed(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                               struct answer *r)
{
    struct warp_case flushed = *c;
    for (unsigned other = 0; is_float(c) && other < WARP_LANES; other++)
        if ((c->a[other] & 0x7f800000u) == 0)
            flushed.a[other] = c->a[other] & 0x80000000u;
    base_redux(s, &flushed, lane, group, r);
}

static void float_as_integer(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                             struct answer *r)
{
    struct warp_case mistaken = *c;
    base_redux(s, c, lane, group, r);
    if (!is_float(c) || is_nan(r->d) || form_of(c)->abs)
        return;
    for (unsigned other = 0; other < WARP_LANES; other++) /* signed order: negative floats the wrong way round */
        if (is_nan(c->a[other]))
            mistaken.a[other] = r->d;
    mistaken.form = form_of(c)->op == WARP_MIN ? WARP_REDUX_SYNC_MIN_S32 : WARP_REDUX_SYNC_MAX_S32;
    base_redux(s, &mistaken, lane, group, r);
}

static void abs_ignored(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                        struct answer *r)
{
    struct warp_case mistaken = *c;
    if (form_of(c)->abs)
        mistaken.form = c->form - (WARP_REDUX_SYNC_MIN_ABS_F32 - WARP_REDUX_SYNC_MIN_F32);
    base_redux(s, &mistaken, lane, group, r);
}

static void abs_of_result(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                          struct answer *r)
{
    abs_ignored(s, c, lane, group, r);
    if (form_of(c)->abs)
        r->d &= 0x7fffffffu;
}

static void starts_at_zero(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                           struct answer *r)
{
    base_redux(s, c, lane, group, r);
    if (!is_float(c))
        r->d = combine(form_of(c), 0, r->d);
}

/* A butterfly in which lanes that do not take part give the reader's own value. */
static void tree_of_full_warp(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                              struct answer *r)
{
    uint32_t values[WARP_LANES];
    uint32_t next[WARP_LANES];
    base_redux(s, c, lane, group, r);
    if (is_float(c))
        return;
    for (unsigned i = 0; i < WARP_LANES; i++)
        values[i] = c->a[i];
    for (unsigned step = WARP_LANES / 2; step > 0; step /= 2) {
        for (unsigned i = 0; i < WARP_LANES; i++)
            next[i] = combine(form_of(c), values[i], in_mask(group, i ^ step) ? values[i ^ step] : values[i]);
        for (unsigned i = 0; i < WARP_LANES; i++)
            values[i] = next[i];
    }
    r->d = values[lane];
}

static void add_saturates(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                          struct answer *r)
{
    int64_t sum = 0;
    base_redux(s, c, lane, group, r);
    if (c->form != WARP_REDUX_SYNC_ADD_S32)
        return;
    for (unsigned other = 0; other < WARP_LANES; other++)
        sum += in_mask(group, other) ? (int32_t)c->a[other] : 0;
    r->d = (uint32_t)(int32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}

static void exclusive_or_as_or(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                               struct answer *r)
{
    struct warp_case mistaken = *c;
    if (c->form == WARP_REDUX_SYNC_XOR_B32)
        mistaken.form = WARP_REDUX_SYNC_OR_B32;
    base_redux(s, &mistaken, lane, group, r);
}

const struct mutant mutants_of_redux[] = {
    {"redux-mask-value-swapped", "membermask and value exchanged", {.redux = mask_value_swapped}, 0, NULL},
    {"nan-payload-kept", "a NaN result keeps an input's payload", {.redux = nan_payload_kept}, 0, NULL},
    {"nan-is-7fc00000", "another NaN than the canonical one", {.redux = nan_is_7fc00000}, 0, NULL},
    {"all-nan-is-infinity", "all inputs NaN: the neutral value of the loop", {.redux = all_nan_is_infinity}, 0, NULL},
    {"nan-qualifier-ignored", ".NaN ignored", {.redux = nan_qualifier_ignored}, 0, NULL},
    {"nan-always-wins", "without .NaN: NaN is not skipped", {.redux = nan_always_wins}, 0, NULL},
    {"signed-as-unsigned", "min and max of .s32 compare unsigned", {.redux = signed_as_unsigned}, 0, NULL},
    {"zeros-equal", "+0 and -0 taken for equal", {.redux = zeros_equal}, 0, NULL},
    {"subnormals-flushed", "subnormals become zero", {.redux = subnormals_flushed}, 0, NULL},
    {"float-as-integer", "floats ordered as signed integers", {.redux = float_as_integer}, 0, NULL},
    {"abs-ignored", ".abs ignored", {.redux = abs_ignored}, 0, NULL},
    {"abs-of-result", ".abs applied to the result", {.redux = abs_of_result}, 0, NULL},
    {"starts-at-zero", "the accumulator starts at 0 whatever the operation", {.redux = starts_at_zero}, 0, NULL},
    {"tree-of-full-warp", "a butterfly that assumes a full warp", {.redux = tree_of_full_warp}, 0, NULL},
    {"add-saturates", "add.s32 saturates", {.redux = add_saturates}, 0, NULL},
    {"xor-as-or", "xor computed as or", {.redux = exclusive_or_as_or}, 0, NULL},
    {0},
};
