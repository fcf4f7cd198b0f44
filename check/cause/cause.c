#include "check/cause/cause.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "check/enumerate.h"
#include "check/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH        256u
#define VARIANTS_MAX 512u
#define ALL_OPS      UINT32_MAX

/* --- evidence --- */

bool cause_add(struct cause_evidence *evidence, const struct warp_case *c, const struct warp_result *expected,
               const struct warp_result *observed, bool differs)
{
    size_t room = evidence->count;
    struct cause_case *cases = evidence->cases;
    if ((evidence->count & (evidence->count - 1)) == 0) { /* full at each power of two */
        room = evidence->count == 0 ? 1 : evidence->count * 2;
        cases = realloc(cases, room * sizeof *cases);
    }
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

/* The index-th of `count` cases of the family: every other one from the enumerations, spread over them. */
static void make_case(enum warp_family family, uint64_t seed, uint64_t index, struct warp_case *c)
{
    const struct enumeration *e;
    unsigned of_family = 0, wanted;
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++)
        of_family += e->families >> family & 1u;
    if (index % 2 == 0 || of_family == 0) {
        random_case(seed, index, 1u << family, c);
        return;
    }
    wanted = (unsigned)(index / 2 % of_family);
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++)
        if ((e->families >> family & 1u) && wanted-- == 0)
            break;
    e->make(random_mix(seed + index * RANDOM_STEP) % e->count(), c);
    if (warp_form_get(c->form)->family != family)
        random_case(seed, index, 1u << family, c);
}

static bool ask(const struct warp_impl *impl, const struct warp_case *cases, size_t n, struct warp_result *results,
                struct error *error)
{
    char why[256] = "";
    return n == 0 || impl->eval(impl->state, cases, n, results, why, sizeof why) ||
           error_set(error, ERROR_DECLINED, "%s: %s", impl->name, why);
}

bool cause_gather(struct cause_evidence *evidence, const struct warp_impl *reference, const struct warp_impl *observed,
                  enum warp_family family, uint64_t seed, size_t count, struct error *error)
{
    static _Thread_local struct warp_case cases[BATCH];
    static _Thread_local struct warp_result expected[BATCH], answers[BATCH];
    *evidence = (struct cause_evidence){.parts = reference->provides & observed->provides};
    for (uint64_t index = 0; index < count;) {
        size_t n = 0;
        for (size_t k = 0; k < BATCH && index < count; k++, index++) {
            make_case(family, seed, index, &cases[n]);
            n += warp_impl_accepts(observed, &cases[n], NULL, 0) && warp_impl_accepts(reference, &cases[n], NULL, 0);
        }
        if (!ask(reference, cases, n, expected, error) || !ask(observed, cases, n, answers, error))
            return false;
        for (size_t i = 0; i < n; i++) {
            const bool agrees = warp_result_compare(&cases[i], &expected[i], &answers[i], evidence->parts, NULL);
            if (!cause_add(evidence, &cases[i], &expected[i], &answers[i], !agrees))
                return error_set(error, ERROR_SYSTEM, "not enough memory to look for a cause");
        }
    }
    return true;
}

/* --- one hypothesis against the evidence --- */

/* Would this reading give d? When the source lane does not take part, the reading is uncertain: d may be that
 * lane's register, 0, or the own value. It is not judged where the implementation calls d unpredictable. */
static bool explains_d(const struct cause_case *k, const struct warp_result *h, uint32_t parts, unsigned lane)
{
    const uint32_t d = k->observed.d[lane];
    if (h->d[lane] == d)
        return true;
    if (h->d_defined >> lane & 1u)
        return false;
    return (parts & WARP_PART_D_DEFINED) || d == 0 || d == k->c.a[lane];
}

/* Would this reading have given the observed answer? Values count only in lanes that are done by the reference, and
 * d only where it is predictable: other lanes explain nothing. */
static bool explains(const struct reading *reading, const struct cause_case *k, uint32_t parts)
{
    const struct warp_form_info *const info = warp_form_get(k->c.form);
    const struct warp_result *const o = &k->observed;
    struct warp_result h;
    lanemask lanes = k->expected.done;
    reading_eval(reading, &k->c, &h);
    if (parts & WARP_PART_OUTCOME) {
        if (h.done != o->done || h.waiting != o->waiting || h.undefined != o->undefined)
            return false;
        lanes &= o->done;
    }
    lanes &= h.done;
    if ((parts & WARP_PART_P) && warp_form_writes_p(info, k->c.dst) && ((h.p ^ o->p) & lanes) != 0)
        return false;
    if ((parts & WARP_PART_D_DEFINED) && ((h.d_defined ^ o->d_defined) & lanes) != 0)
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const lanemask bit = (lanemask)1 << lane;
        if ((parts & WARP_PART_D) && (lanes & k->expected.d_defined & bit) && !explains_d(k, &h, parts, lane))
            return false;
        if ((parts & WARP_PART_WAITS_FOR) && (h.waiting & o->waiting & bit) && h.waits_for[lane] != o->waits_for[lane])
            return false;
    }
    return true;
}

struct search {
    struct cause_evidence *evidence;
    struct cause_term variants[VARIANTS_MAX];
    size_t count;
    uint32_t ops;       /* that were asked */
    uint32_t wrong_ops; /* in which something differs */
    double end;
};

static void add_term(struct reading *reading, const struct cause_term *term)
{
    if (term->mistake == MISTAKES)
        reading->order = term->order;
    else
        reading->ops[term->mistake] |= term->ops;
}

/* Does the set explain all the evidence? A case that refutes it moves to the front, because it will soon refute
 * others. */
static bool explains_all(struct search *s, const struct cause_term *const *terms, size_t n)
{
    struct cause_case *const cases = s->evidence->cases;
    struct reading reading;
    reading_init(&reading);
    for (size_t i = 0; i < n; i++)
        add_term(&reading, terms[i]);
    for (size_t i = 0; i < s->evidence->count; i++)
        if (!explains(&reading, &cases[i], s->evidence->parts)) {
            if (i > 8) {
                const struct cause_case found = cases[i];
                cases[i] = cases[i / 2];
                cases[i / 2] = found;
            }
            return false;
        }
    return true;
}

/* --- the hypotheses --- */

static void add_variant(struct search *s, enum mistake mistake, uint32_t ops)
{
    if (s->count < VARIANTS_MAX)
        s->variants[s->count++] = (struct cause_term){.mistake = mistake, .ops = ops};
}

/* Tries the mistake in all operations, in exactly the operations where something differs, and in each of these
 * alone. */
static void add_variants(struct search *s, uint32_t classes)
{
    for (int m = 0; m < MISTAKES; m++)
        if (mistake_get((enum mistake)m)->classes & classes)
            add_variant(s, (enum mistake)m, ALL_OPS);
    for (int m = 0; m < MISTAKES && s->wrong_ops != s->ops; m++)
        if (mistake_get((enum mistake)m)->classes & classes)
            add_variant(s, (enum mistake)m, s->wrong_ops);
    for (int m = 0; m < MISTAKES && (s->wrong_ops & (s->wrong_ops - 1)) != 0; m++)
        for (uint32_t op = 0; op < 32 && (mistake_get((enum mistake)m)->classes & classes); op++)
            if (s->wrong_ops >> op & 1u)
                add_variant(s, (enum mistake)m, 1u << op);
}

static void add_orders(struct search *s)
{
    for (unsigned code = 0; code < 256; code++) {
        const struct mode_order o = {
            {(uint8_t)(code & 3u), (uint8_t)(code >> 2 & 3u), (uint8_t)(code >> 4 & 3u), (uint8_t)(code >> 6)}};
        unsigned seen = 0, wrong = 0;
        for (unsigned i = 0; i < 4; i++) {
            seen |= 1u << o.of[i];
            wrong |= o.of[i] != i ? 1u << (WARP_UP + i) : 0;
        }
        if (seen == 15 && wrong != 0 && s->count < VARIANTS_MAX)
            s->variants[s->count++] = (struct cause_term){.mistake = MISTAKES, .ops = wrong, .order = o};
    }
}

/* Drops mistakes that change no answer in the evidence: they explain nothing and fit with everything. */
static void drop_idle(struct search *s)
{
    size_t kept = 0;
    for (size_t v = 0; v < s->count; v++) {
        struct reading right, reading;
        bool idle = true;
        reading_init(&right);
        reading_init(&reading);
        add_term(&reading, &s->variants[v]);
        for (size_t i = 0; i < s->evidence->count && idle; i++) {
            struct warp_result x, y;
            reading_eval(&right, &s->evidence->cases[i].c, &x);
            reading_eval(&reading, &s->evidence->cases[i].c, &y);
            idle = memcmp(&x, &y, sizeof x) == 0;
        }
        if (!idle)
            s->variants[kept++] = s->variants[v];
    }
    s->count = kept;
}

static bool late(const struct search *s)
{
    return clock_seconds() >= s->end;
}

static bool try_set(struct search *s, const struct cause_term *const *terms, size_t n, struct cause *cause)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (terms[i]->mistake == terms[k]->mistake && (terms[i]->ops & terms[k]->ops) != 0)
                return false;
    if (!explains_all(s, terms, n))
        return false;
    cause->count = n;
    for (size_t i = 0; i < n; i++) {
        cause->terms[i] = *terms[i];
        cause->in_all_ops[i] = (s->ops & ~terms[i]->ops) == 0;
    }
    return true;
}

static bool search_sets(struct search *s, struct cause *cause)
{
    const struct cause_term *terms[CAUSE_TERMS_MAX];
    for (size_t i = 0; i < s->count; i++) {
        terms[0] = &s->variants[i];
        if (try_set(s, terms, 1, cause))
            return true;
    }
    for (size_t i = 0; i < s->count && !late(s); i++)
        for (size_t k = i + 1; k < s->count; k++) {
            terms[0] = &s->variants[i], terms[1] = &s->variants[k];
            if (try_set(s, terms, 2, cause))
                return true;
        }
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = i + 1; k < s->count && !late(s); k++)
            for (size_t l = k + 1; l < s->count; l++) {
                terms[0] = &s->variants[i], terms[1] = &s->variants[k], terms[2] = &s->variants[l];
                if (try_set(s, terms, 3, cause))
                    return true;
            }
    return false;
}

/* --- what the mismatches have in common --- */

/* The lanes in which something that was compared differs. */
static lanemask wrong_lanes(const struct cause_case *k, uint32_t parts)
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

static void add_common(struct buffer *text, const char *words)
{
    buffer_format(text, "%s%s", text->size == 0 ? "" : ", ", words);
}

/* Finds what holds for every mismatch and not for every agreement. */
static void describe_common(const struct cause_evidence *e, struct cause *cause)
{
    struct buffer text = {0};
    lanemask lanes = 0;
    for (size_t i = 0; i < e->count; i++)
        lanes |= e->cases[i].differs ? wrong_lanes(&e->cases[i], e->parts) : 0;
    if (lanes != UINT32_MAX && lanes != 0)
        buffer_format(&text, "only lanes in 0x%08x differ", (unsigned)lanes);
    for (size_t x = 0; x < sizeof circumstances / sizeof circumstances[0]; x++) {
        bool always = true, told = false;
        for (size_t i = 0; i < e->count && always; i++) {
            const struct cause_case *const k = &e->cases[i];
            if (k->differs)
                always = in_lanes(k, wrong_lanes(k, e->parts), circumstances[x].lane);
            else
                told = told || !in_lanes(k, k->expected.done, circumstances[x].lane);
        }
        if (always && told)
            add_common(&text, circumstances[x].words);
    }
    for (size_t x = 0; x < sizeof states / sizeof states[0]; x++) {
        bool always = true, told = false;
        for (size_t i = 0; i < e->count && always; i++) {
            always = !e->cases[i].differs || states[x].holds(&e->cases[i]);
            told = told || (!e->cases[i].differs && !states[x].holds(&e->cases[i]));
        }
        if (always && told)
            add_common(&text, states[x].words);
    }
    snprintf(cause->common, sizeof cause->common, "%.*s", (int)sizeof cause->common - 1, buffer_string(&text));
    buffer_free(&text);
}

/* --- finding and telling --- */

static int mismatches_first(const void *x, const void *y)
{
    return (int)((const struct cause_case *)y)->differs - (int)((const struct cause_case *)x)->differs;
}

void cause_find(struct cause_evidence *evidence, double seconds, struct cause *cause)
{
    static _Thread_local struct search s;
    uint32_t classes = 0;
    memset(cause, 0, sizeof *cause);
    cause->mismatches = evidence->mismatches;
    cause->agreements = evidence->agreements;
    if (evidence->mismatches == 0)
        return;
    qsort(evidence->cases, evidence->count, sizeof evidence->cases[0], mismatches_first);
    s = (struct search){.evidence = evidence, .end = clock_seconds() + seconds};
    for (size_t i = 0; i < evidence->count; i++) {
        const struct warp_form_info *const info = warp_form_get(evidence->cases[i].c.form);
        classes |= mistake_classes(info);
        s.ops |= 1u << info->op;
        s.wrong_ops |= evidence->cases[i].differs ? 1u << info->op : 0;
    }
    add_variants(&s, classes);
    if (classes & CLASS_SHFL)
        add_orders(&s);
    drop_idle(&s);
    if (search_sets(&s, cause))
        return;
    cause->late = late(&s);
    describe_common(evidence, cause);
}

bool cause_same(const struct cause *x, const struct cause *y)
{
    if (x->count != y->count || x->late != y->late)
        return false;
    for (size_t i = 0; i < x->count; i++) {
        const struct cause_term *const a = &x->terms[i], *const b = &y->terms[i];
        if (a->mistake != b->mistake || x->in_all_ops[i] != y->in_all_ops[i] ||
            (!x->in_all_ops[i] && a->ops != b->ops) || memcmp(&a->order, &b->order, sizeof a->order) != 0)
            return false;
    }
    return x->count > 0 || strcmp(x->common, y->common) == 0;
}

static const char *const op_names[] = {
    [WARP_UP] = "up",        [WARP_DOWN] = "down", [WARP_BFLY] = "bfly",         [WARP_IDX] = "idx",
    [WARP_ALL] = "all",      [WARP_ANY] = "any",   [WARP_UNI] = "uni",           [WARP_BALLOT] = "ballot",
    [WARP_ADD] = "add",      [WARP_MIN] = "min",   [WARP_MAX] = "max",           [WARP_AND] = "and",
    [WARP_OR] = "or",        [WARP_XOR] = "xor",   [WARP_ACTIVE] = "activemask", [WARP_BARRIER] = "bar.warp",
    [WARP_LEADER] = "elect",
};
_Static_assert(sizeof op_names / sizeof op_names[0] == WARP_OPS, "every operation has a name");

static void add_ops(struct buffer *text, uint32_t ops)
{
    const char *between = "in ";
    for (size_t op = 0; op < sizeof op_names / sizeof op_names[0]; op++)
        if (ops >> op & 1u) {
            buffer_format(text, "%s%s", between, op_names[op]);
            between = ", ";
        }
    buffer_text(text, " alone: ");
}

static void add_order(struct buffer *text, const struct mode_order *order)
{
    const char *between = "";
    buffer_text(text, "the modes are numbered in another order: ");
    for (unsigned i = 0; i < 4; i++)
        if (order->of[i] != i) {
            buffer_format(text, "%s%s is computed as %s", between, op_names[WARP_UP + i],
                          op_names[WARP_UP + order->of[i]]);
            between = ", ";
        }
}

static void add_term_words(struct buffer *text, const struct cause *cause, size_t i)
{
    if (cause->count > 1)
        buffer_format(text, "%s(%zu) ", i == 0 ? "" : "; ", i + 1);
    if (cause->terms[i].mistake == MISTAKES) {
        add_order(text, &cause->terms[i].order);
        return;
    }
    if (!cause->in_all_ops[i])
        add_ops(text, cause->terms[i].ops);
    buffer_text(text, mistake_get(cause->terms[i].mistake)->words);
}

/* "41,630" */
static const char *with_commas(uint64_t n, char text[32])
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

const char *cause_text(const struct cause *cause, enum warp_family family, char text[CAUSE_TEXT_MAX])
{
    struct buffer words = {0};
    char x[32], y[32];
    if (cause->count == 0) {
        buffer_format(&words, "no known mistake explains it%s%s%s",
                      cause->late ? " (the time was over before every set of mistakes was tried)" : "",
                      cause->common[0] != '\0' ? "; in every mismatch: " : "", cause->common);
    } else {
        for (size_t i = 0; i < cause->count; i++)
            add_term_words(&words, cause, i);
        buffer_format(&words, " (explains all %s mismatches and all %s agreements", with_commas(cause->mismatches, x),
                      with_commas(cause->agreements, y));
        buffer_format(&words, "; %s", warp_family_name(family));
        for (size_t i = 0; i < cause->count; i++)
            buffer_format(&words, ", %s",
                          cause->terms[i].mistake == MISTAKES ? "Syntax: .mode"
                                                              : mistake_get(cause->terms[i].mistake)->clause);
        buffer_text(&words, ")");
    }
    snprintf(text, CAUSE_TEXT_MAX, "%s", buffer_string(&words));
    buffer_free(&words);
    return text;
}
