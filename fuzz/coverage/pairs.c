/*
 * From a case to its pairs of features.
 */
#include "fuzz/coverage/pairs.h"

#include "fuzz/coverage/internal.h"
#include "model/lanes.h"

static bool is_run(lanemask mask)
{
    const lanemask from_0 = mask >> coverage_first_lane(mask);
    return (from_0 & (from_0 + 1)) == 0;
}

static bool is_periodic(lanemask mask)
{
    return mask >> 16 == (mask & 0xffffu);
}

static enum coverage_mask_shape shape_of(lanemask mask)
{
    const unsigned count = coverage_count(mask);
    if (count == 0 || count == WARP_LANES)
        return count == 0 ? MASK_NONE : MASK_FULL;
    if (count <= 2)
        return count == 1 ? MASK_SINGLE : MASK_TWO;
    if (is_run(mask)) {
        const bool power = (count & (count - 1)) == 0;
        return power && coverage_first_lane(mask) % count == 0 ? MASK_TILE : mask & 1u ? MASK_PREFIX : MASK_RUN;
    }
    if (is_periodic(mask))
        return MASK_PERIODIC;
    return is_run(mask & (mask + (mask & -mask))) ? MASK_RUNS : MASK_OTHER; /* without its first run */
}

/* The words of some lanes, without gaps. The loops over them have no branches, for they run for each input. */
struct words {
    uint32_t at[WARP_LANES];
    unsigned count;
};

static void gather(struct words *w, const uint32_t words[WARP_LANES], lanemask lanes, uint32_t bits)
{
    w->count = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        w->at[w->count & 31u] = words[lane] & bits;
        w->count += lanes >> lane & 1u;
    }
}

static uint32_t kind_bit(uint32_t word)
{
    const uint32_t magnitude = word << 1;
    uint32_t kind = magnitude < UINT32_C(1) << 24 ? KIND_SUBNORMAL : KIND_ORDINARY;
    kind = magnitude > UINT32_C(0xff000000) ? KIND_SIGNALLING : kind;
    kind = magnitude >= UINT32_C(0xff800000) ? KIND_QUIET_NAN : kind;
    kind = magnitude == UINT32_C(0xff000000) ? KIND_INFINITY : kind;
    kind = word == 0x80000000u || word == 0x7fffffffu || word == UINT32_MAX ? KIND_EXTREME : kind;
    kind = word < 64 ? KIND_SMALL : kind;
    kind = word == 0 ? KIND_ZERO : kind;
    return 1u << kind;
}

static unsigned kinds_of(const struct words *w)
{
    unsigned kinds = 0, first, second;
    for (unsigned i = 0; i < w->count; i++)
        kinds |= kind_bit(w->at[i]);
    if (kinds == 0)
        return KIND_PAIRS - 1;
    first = (unsigned)__builtin_ctz(kinds);
    kinds &= kinds - 1;
    second = kinds != 0 ? (unsigned)__builtin_ctz(kinds) : first;
    return second * (second + 1) / 2 + first;
}

/* Do the words fit the same from both ends, or in both halves? */
static bool is_mirror(const struct words *w)
{
    uint32_t differs = 0;
    for (unsigned i = 0; i < w->count / 2; i++)
        differs |= w->at[i] ^ w->at[w->count - 1 - i];
    return differs == 0;
}

static bool is_twice(const struct words *w)
{
    uint32_t differs = w->count & 1u;
    for (unsigned i = 0; i < w->count / 2; i++)
        differs |= w->at[i] ^ w->at[i + w->count / 2];
    return differs == 0;
}

static enum coverage_relation relation_of(const struct words *w)
{
    const uint32_t first = w->at[0], step = w->at[1] - first;
    uint32_t unlike = 0, other = first, low = 1u << (first & 31u);
    unsigned equal = 1, others = 0, rises = 0, falls = 0;
    if (w->count <= 1)
        return w->count == 0 ? RELATION_NONE : RELATION_ONE;
    for (unsigned i = 1; i < w->count; i++) {
        const uint32_t word = w->at[i], before = w->at[i - 1];
        unlike |= (word - before) ^ step;
        rises += word > before;
        falls += word < before;
        equal += word == first;
        other = word != first ? word : other; /* the last one */
        low |= 1u << (word & 31u);
    }
    for (unsigned i = 1; i < w->count; i++)
        others += w->at[i] == other;
    if (equal == w->count)
        return RELATION_EQUAL;
    if (unlike == 0)
        return w->count == 2 ? RELATION_TWO : RELATION_STEP;
    if (equal + others == w->count)
        return equal == 1 || others == 1 ? RELATION_ODD : RELATION_TWO;
    if (is_mirror(w))
        return RELATION_MIRROR;
    if (is_twice(w))
        return RELATION_HALVES;
    if (rises == w->count - 1 || falls == w->count - 1)
        return falls == 0 ? RELATION_RISING : RELATION_FALLING;
    return coverage_count(low) == w->count ? RELATION_PERMUTED : RELATION_OTHER;
}

void coverage_features(const struct warp_case *c, const struct warp_result *r, unsigned features[FEATURES])
{
    const bool shfl = warp_form_is_shfl(warp_form_get(c->form));
    const lanemask lanes = r->done != 0 ? lanes_group(c, coverage_first_lane(r->done)) & r->done : c->active;
    struct words words;
    gather(&words, c->a, lanes, UINT32_MAX);
    features[FEATURE_KINDS] = kinds_of(&words);
    if (shfl)
        gather(&words, c->b, lanes, 31);
    features[FEATURE_RELATION] = relation_of(&words);
    features[FEATURE_MODE] = c->form;
    features[FEATURE_SHAPE] = shape_of(lanes);
    features[FEATURE_OUTCOME] =
        (r->done != 0) + 2u * (r->waiting != 0) + 4u * (r->undefined != 0) + 8u * (c->exited != 0);
}

void coverage_pairs(const struct warp_case *c, const struct warp_result *r, uint16_t pairs[COVERAGE_PAIRS_OF_CASE])
{
    static const unsigned sizes[FEATURES] = {WARP_FORMS, MASK_SHAPES, KIND_PAIRS, OUTCOME_SETS, RELATIONS};
    unsigned features[FEATURES], from = 0, n = 0;
    coverage_features(c, r, features);
    for (unsigned x = 0; x < FEATURES; x++)
        for (unsigned y = x + 1; y < FEATURES; y++) {
            pairs[n++] = (uint16_t)(from + features[x] * sizes[y] + features[y]);
            from += (sizes[x] * sizes[y] + 7) / 8 * 8;
        }
}
