#include "check/cause/evidence.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "check/cause/plain.h"
#include "check/enumerate.h"
#include "check/filter.h"
#include "check/impl/impl.h"
#include "check/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH          256u
#define GATHER_SECONDS 1.0 /* for what accepts hardly anything */

bool cause_add(struct cause_evidence *evidence, const struct warp_case *c, const struct warp_result *expected,
               const struct warp_result *observed, bool differs)
{
    struct cause_case *cases = array_grow(evidence->cases, evidence->count, &evidence->room, sizeof *cases);
    if (cases == NULL)
        return false;
    evidence->cases = cases;
    cases[evidence->count++] = (struct cause_case){*c, *expected, *observed, differs};
    *(differs ? &evidence->mismatches : &evidence->agreements) += 1;
    return true;
}

void cause_evidence_free(struct cause_evidence *evidence)
{
    free(evidence->cases);
    *evidence = (struct cause_evidence){0};
}

/* --- gathering --- */

/* A case of the family from one of its enumerations. */
static bool enumerated_case(enum warp_family family, uint64_t seed, uint64_t index, struct warp_case *c)
{
    const struct enumeration *e;
    unsigned of_family = 0, wanted;
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++)
        of_family += e->families >> family & 1u;
    if (of_family == 0)
        return false;
    wanted = (unsigned)(index % of_family);
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++)
        if ((e->families >> family & 1u) && wanted-- == 0)
            break;
    e->make(random_mix(seed + index * RANDOM_STEP) % e->count(), c);
    return warp_form_get(c->form)->family == family;
}

/* The index-th case of the family: every other one from an enumeration, and one in four made plainer in each way. */
static void make_case(enum warp_family family, uint64_t seed, uint64_t index, struct warp_case *c)
{
    if (index % 2 == 0 || !enumerated_case(family, seed, index / 2, c))
        random_case(seed, index, 1u << family, c);
    plain_make(c, (enum plain_way)(index / 2 % PLAIN_WAYS));
}

static bool answer(const struct warp_impl *impl, const struct warp_case *cases, size_t n, struct warp_result *results,
                   struct error *error)
{
    char why[256] = "";
    return n == 0 || impl->eval(impl->state, cases, n, results, why, sizeof why) ||
           error_set(error, ERROR_DECLINED, "%s: %s", impl->name, why);
}

/* Asks both about n cases, at most BATCH, and adds those that both accept. */
static bool ask(struct cause_evidence *evidence, const struct warp_impl *reference, const struct warp_impl *observed,
                const struct warp_case *cases, size_t n, struct error *error)
{
    static _Thread_local struct warp_case accepted[BATCH];
    static _Thread_local struct warp_result expected[BATCH], answers[BATCH];
    size_t count = 0;
    if (observed->accepts != NULL)
        impl_ask_ahead(observed, cases, n, IMPL_ACCEPTS);
    for (size_t i = 0; i < n; i++)
        if (warp_impl_accepts(reference, &cases[i], NULL, 0) && warp_impl_accepts(observed, &cases[i], NULL, 0))
            accepted[count++] = cases[i];
    if (!answer(reference, accepted, count, expected, error) || !answer(observed, accepted, count, answers, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const bool agrees = warp_result_compare(&accepted[i], &expected[i], &answers[i], evidence->parts, NULL);
        if (!cause_add(evidence, &accepted[i], &expected[i], &answers[i], !agrees))
            return error_set(error, ERROR_SYSTEM, "not enough memory to look for a cause");
    }
    return true;
}

bool cause_gather(struct cause_evidence *evidence, const struct warp_impl *reference, const struct warp_impl *observed,
                  enum warp_family family, uint64_t seed, size_t count, struct error *error)
{
    static _Thread_local struct warp_case cases[BATCH];
    const double end = clock_seconds() + GATHER_SECONDS;
    *evidence = (struct cause_evidence){.parts = reference->provides & observed->provides};
    for (uint64_t index = 0; evidence->count < count && (index < count || clock_seconds() < end);) {
        const size_t n = count - evidence->count < BATCH ? count - evidence->count : BATCH;
        for (size_t k = 0; k < n; k++, index++) {
            make_case(family, seed, index, &cases[k]);
            filter_fit_for(reference, &cases[k]);
        }
        if (!ask(evidence, reference, observed, cases, n, error))
            return false;
    }
    return true;
}

/* --- what mismatches have in common --- */

lanemask cause_wrong_lanes(const struct cause_case *k, uint32_t parts)
{
    struct warp_diff diff;
    warp_result_compare(&k->c, &k->expected, &k->observed, parts, &diff);
    return diff.outcome | diff.d_defined | diff.d | diff.p | diff.waits_for;
}

static bool in_lanes(const struct cause_case *k, lanemask lanes, bool (*test)(const struct cause_case *, unsigned))
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((lanes >> lane & 1u) && !test(k, lane))
            return false;
    return true;
}

static bool b_above_31(const struct cause_case *k, unsigned lane)
{
    return k->c.b[lane] > 31;
}

static bool has_segments(const struct cause_case *k, unsigned lane)
{
    return (k->c.c[lane] >> 8 & 31u) != 0;
}

static bool clamp_is_no_end(const struct cause_case *k, unsigned lane)
{
    return (k->c.c[lane] & 31u) != 0 && (k->c.c[lane] & 31u) != 31;
}

static bool is_partial(const struct cause_case *k, unsigned lane)
{
    return warp_form_is_sync(warp_form_get(k->c.form)) ? k->c.membermask[lane] != UINT32_MAX
                                                       : k->c.active != UINT32_MAX;
}

static bool is_first_lane(const struct cause_case *k, unsigned lane)
{
    return (k->c.active & (((lanemask)1 << lane) - 1u)) == 0;
}

static bool value_is_nan(const struct cause_case *k, unsigned lane)
{
    return (k->c.a[lane] & 0x7fffffffu) > 0x7f800000u;
}

struct circumstance {
    const char *words;
    bool (*lane)(const struct cause_case *, unsigned); /* holds in every lane that differs */
};

static const struct circumstance circumstances[] = {
    {"b is above 31", b_above_31},
    {"the segment mask is not 0", has_segments},
    {"the clamp is neither 0 nor 31", clamp_is_no_end},
    {"not all 32 lanes take part", is_partial},
    {"the own value is a NaN", value_is_nan},
    {"it is the first active lane", is_first_lane},
};

static bool several_groups(const struct cause_case *k)
{
    uint32_t first = 0;
    bool found = false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(k->c.active >> lane & 1u))
            continue;
        if (found && k->c.membermask[lane] != first)
            return true;
        first = k->c.membermask[lane];
        found = true;
    }
    return false;
}

static bool some_exited(const struct cause_case *k)
{
    return k->c.exited != 0;
}

static bool some_elsewhere(const struct cause_case *k)
{
    return (k->c.active | k->c.exited) != UINT32_MAX;
}

static bool negated(const struct cause_case *k)
{
    return k->c.negate != 0;
}

static bool lane_0_absent(const struct cause_case *k)
{
    return (k->c.active & 1u) == 0;
}

struct state {
    const char *words;
    bool (*holds)(const struct cause_case *);
};

static const struct state states[] = {
    {"the warp has several groups", several_groups}, {"some lanes have exited", some_exited},
    {"some lanes are elsewhere", some_elsewhere},    {"the source predicate is negated", negated},
    {"lane 0 does not take part", lane_0_absent},
};

static void add_words(struct buffer *text, const char *words)
{
    buffer_format(text, "%s%s", text->size == 0 ? "" : ", ", words);
}

static void add_circumstances(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    for (size_t x = 0; x < sizeof circumstances / sizeof circumstances[0]; x++) {
        bool always = true, told = false;
        for (size_t i = 0; i < e->count && always; i++) {
            const struct cause_case *const k = &e->cases[i];
            if (of[i])
                always = in_lanes(k, cause_wrong_lanes(k, e->parts), circumstances[x].lane);
            else
                told = told || (!k->differs && !in_lanes(k, k->expected.done, circumstances[x].lane));
        }
        if (always && told)
            add_words(text, circumstances[x].words);
    }
}

static void add_states(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    for (size_t x = 0; x < sizeof states / sizeof states[0]; x++) {
        bool always = true, told = false;
        for (size_t i = 0; i < e->count && always; i++) {
            always = !of[i] || states[x].holds(&e->cases[i]);
            told = told || (!e->cases[i].differs && !states[x].holds(&e->cases[i]));
        }
        if (always && told)
            add_words(text, states[x].words);
    }
}

/* Bits of b[4:0] that are the same in every wrong lane. */
static void add_bits(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    uint32_t ones = 31, zeros = 31;
    size_t lanes = 0;
    for (size_t i = 0; i < e->count; i++) {
        const lanemask wrong = of[i] ? cause_wrong_lanes(&e->cases[i], e->parts) : 0;
        if (!warp_form_is_shfl(warp_form_get(e->cases[i].c.form)))
            return;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            ones &= wrong >> lane & 1u ? e->cases[i].c.b[lane] : 31u;
            zeros &= wrong >> lane & 1u ? ~e->cases[i].c.b[lane] : 31u;
            lanes += wrong >> lane & 1u;
        }
    }
    if ((ones | zeros) == 31u && lanes >= 16) {
        buffer_format(text, "%sb[4:0] is %u", text->size == 0 ? "" : ", ", ones);
        return;
    }
    for (unsigned bit = 0; bit < 5 && lanes >= 16; bit++)
        if ((ones | zeros) >> bit & 1u)
            buffer_format(text, "%sbit %u of b is %u", text->size == 0 ? "" : ", ", bit, ones >> bit & 1u);
}

/* The operations and types in which it is seen, when they are not all. */
static void add_forms(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    uint64_t wrong = 0, all = 0;
    const char *between = text->size == 0 ? "" : ", ";
    for (size_t i = 0; i < e->count; i++) {
        all |= UINT64_C(1) << e->cases[i].c.form;
        wrong |= of[i] ? UINT64_C(1) << e->cases[i].c.form : 0;
    }
    for (uint32_t form = 0; form < WARP_FORMS && wrong != all; form++)
        if (wrong >> form & 1u) {
            buffer_format(text, "%s%s", between, warp_form_get(form)->name);
            between = " or ";
        }
}

const char *cause_common(const struct cause_evidence *e, const bool *of, char *text, size_t size)
{
    struct buffer words = {0};
    lanemask lanes = 0;
    add_forms(&words, e, of);
    for (size_t i = 0; i < e->count; i++)
        lanes |= of[i] ? cause_wrong_lanes(&e->cases[i], e->parts) : 0;
    if (lanes != UINT32_MAX && lanes != 0)
        buffer_format(&words, "%sonly lanes in 0x%08x differ", words.size == 0 ? "" : ", ", (unsigned)lanes);
    add_bits(&words, e, of);
    add_circumstances(&words, e, of);
    add_states(&words, e, of);
    snprintf(text, size, "%s", buffer_string(&words));
    buffer_free(&words);
    return text;
}
