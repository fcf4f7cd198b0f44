#include "check/cause/evidence.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "check/cause/plain.h"
#include "check/enumerate.h"
#include "check/filter.h"
#include "check/impl/impl.h"
#include "check/random.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH           256u
#define GATHER_SECONDS  1.0 /* for what accepts hardly anything */
#define SLOW_SECONDS    8.0 /* for what is slow, so that not all cases are asked; the first questions are small */
#define FIRST_BATCH     8u
#define ENDINGS_MAX     150u
#define ENDINGS_SECONDS 2.0 /* each costs a fresh process */
#define HANGS_MAX       6u
#define AROUND_MAX      16u /* ends, above which none are looked for around them */
#define AROUND_SECONDS  1.0
#define HURRY_SECONDS   0.2 /* how long a case is waited for once one hung */

bool cause_add(struct cause_evidence *evidence, const struct cause_case *k)
{
    struct cause_case *cases = array_grow(evidence->cases, evidence->count, &evidence->room, sizeof *cases);
    if (cases == NULL)
        return false;
    evidence->cases = cases;
    cases[evidence->count++] = *k;
    if (k->ending != ERROR_NONE)
        evidence->ending = evidence->endings++ == 0 || evidence->ending == k->ending ? k->ending : ERROR_INTERNAL;
    else
        *(k->differs ? &evidence->mismatches : &evidence->agreements) += 1;
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

static bool is_ending(const struct impl_failure *failure)
{
    return failure != NULL && (failure->error.code == ERROR_CRASH || failure->error.code == ERROR_EXIT ||
                               failure->error.code == ERROR_TIMEOUT);
}

bool cause_observe(const struct warp_impl *observed, struct cause_case *k)
{
    const struct impl_failure *failure;
    struct error error;
    char why[8];
    k->ending = ERROR_NONE;
    k->signal = 0;
    if (observed->eval(observed->state, &k->c, 1, &k->observed, why, sizeof why))
        return true;
    failure = impl_failure(observed);
    if (!is_ending(failure))
        return false;
    memset(&k->observed, 0, sizeof k->observed);
    k->ending = failure->error.code;
    k->signal = failure->error.detail;
    k->differs = true;
    return impl_restart(observed, &error);
}

struct warp_case cause_lane_alone(const struct warp_case *c, unsigned lane)
{
    const lanemask bit = (lanemask)1 << lane;
    struct warp_case alone = *c;
    alone.active = bit;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (other != lane && !(c->exited >> other & 1u))
            alone.a[other] = alone.a_high[other] = alone.b[other] = alone.c[other] = alone.membermask[other] = 0;
        else
            alone.membermask[other] &= bit | c->exited;
    return alone;
}

/* Who is asked, and what was seen of its ends. */
struct gathering {
    struct cause_evidence *evidence;
    const struct warp_impl *reference, *observed;
    bool ends;    /* it has ended on some case: each is asked alone from now on */
    double until; /* then */
    unsigned hangs;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_SYSTEM, "not enough memory to look for a cause");
}

/* Adds a case that was answered. */
static bool add_answer(const struct gathering *g, struct cause_case *k, struct error *error)
{
    k->differs = !warp_result_compare(&k->c, &k->expected, &k->observed, g->evidence->parts, NULL);
    return cause_add(g->evidence, k) || no_memory(error);
}

/* Has it ended often enough to know where it does? */
static bool has_enough_endings(const struct gathering *g)
{
    return g->ends && (clock_seconds() >= g->until || g->evidence->endings >= ENDINGS_MAX || g->hangs >= HANGS_MAX);
}

/* Asks about each case alone: those on which it ends are found so, and the others are answered. */
static bool ask_each(struct gathering *g, const struct warp_case *cases, size_t n, struct error *error)
{
    for (size_t i = 0; i < n && !has_enough_endings(g); i++) {
        struct cause_case k = {.c = cases[i]};
        if (!warp_impl_accepts(g->reference, &k.c, NULL, 0) || !warp_impl_accepts(g->observed, &k.c, NULL, 0))
            continue;
        if (!answer(g->reference, &k.c, 1, &k.expected, error))
            return false;
        if (!cause_observe(g->observed, &k) && impl_failure(g->observed) == NULL)
            continue; /* it declined */
        if (impl_failure(g->observed) != NULL)
            return error_set(error, ERROR_DECLINED, "%s does not answer any more", g->observed->name);
        if (k.ending == ERROR_NONE ? !add_answer(g, &k, error) : !cause_add(g->evidence, &k) && !no_memory(error))
            return false;
        if (k.ending == ERROR_TIMEOUT && g->hangs++ == 0)
            impl_hurry(g->observed, HURRY_SECONDS);
    }
    return true;
}

/* Asks both about n cases, at most BATCH, and adds those that both accept. */
static bool ask(struct gathering *g, const struct warp_case *cases, size_t n, struct error *error)
{
    static _Thread_local struct warp_case accepted[BATCH];
    static _Thread_local struct warp_result expected[BATCH], answers[BATCH];
    size_t count = 0;
    if (g->observed->accepts != NULL)
        impl_ask_ahead(g->observed, cases, n, IMPL_ACCEPTS);
    for (size_t i = 0; i < n; i++)
        if (warp_impl_accepts(g->reference, &cases[i], NULL, 0) && warp_impl_accepts(g->observed, &cases[i], NULL, 0))
            accepted[count++] = cases[i];
    if (!answer(g->reference, accepted, count, expected, error))
        return false;
    if (!answer(g->observed, accepted, count, answers, error)) {
        if (!is_ending(impl_failure(g->observed)) || !impl_restart(g->observed, error))
            return false;
        error_clear(error);
        g->ends = true;
        g->until = clock_seconds() + ENDINGS_SECONDS;
        return ask_each(g, cases, n, error);
    }
    for (size_t i = 0; i < count; i++) {
        struct cause_case k = {.c = accepted[i], .expected = expected[i], .observed = answers[i]};
        if (!add_answer(g, &k, error))
            return false;
    }
    return true;
}

bool cause_gather(struct cause_evidence *evidence, const struct warp_impl *reference, const struct warp_impl *observed,
                  enum warp_family family, uint64_t seed, size_t count, struct error *error)
{
    static _Thread_local struct warp_case cases[BATCH];
    struct gathering g = {.evidence = evidence, .reference = reference, .observed = observed};
    const double began = clock_seconds();
    size_t most = FIRST_BATCH;
    bool good = true;
    *evidence = (struct cause_evidence){.parts = reference->provides & observed->provides};
    for (uint64_t index = 0; good && evidence->count < count &&
                             clock_seconds() < began + (index < count ? SLOW_SECONDS : GATHER_SECONDS) &&
                             !has_enough_endings(&g);) {
        const size_t n = count - evidence->count < most ? count - evidence->count : most;
        most = most * 2 <= BATCH && clock_seconds() < began + GATHER_SECONDS ? most * 2 : most;
        for (size_t k = 0; k < n; k++, index++) {
            make_case(family, seed, index, &cases[k]);
            filter_fit_for(reference, &cases[k]);
        }
        good = g.ends ? ask_each(&g, cases, n, error) : ask(&g, cases, n, error);
    }
    return good;
}

/* --- around an end --- */

struct around {
    struct cause_evidence *evidence;
    const struct warp_impl *reference, *observed;
    double until;
};

/* Asks both, and adds the case. True: it ends on it as well. */
static bool ends_too(const struct around *around, const struct warp_case *c)
{
    struct cause_case k = {.c = *c};
    char why[8];
    if (clock_seconds() >= around->until || warp_case_check(c) != NULL ||
        !warp_impl_accepts(around->observed, c, NULL, 0) ||
        !around->reference->eval(around->reference->state, c, 1, &k.expected, why, sizeof why) ||
        !cause_observe(around->observed, &k))
        return false;
    k.differs =
        k.ending != ERROR_NONE || !warp_result_compare(&k.c, &k.expected, &k.observed, around->evidence->parts, NULL);
    cause_add(around->evidence, &k);
    return k.ending != ERROR_NONE;
}

static void ask_lanes(const struct around *around, const struct warp_case *c, struct warp_case *smallest)
{
    bool found = false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const struct warp_case alone = cause_lane_alone(c, lane);
        if ((c->active >> lane & 1u) && ends_too(around, &alone) && !found) {
            *smallest = alone;
            found = true;
        }
    }
}

static void ask_shifts(const struct around *around, const struct warp_case *c)
{
    for (unsigned bit = 0; bit <= 5; bit++) {
        struct warp_case other = *c;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            other.b[lane] ^= c->active >> lane & 1u ? (uint32_t)1 << bit : 0;
        ends_too(around, &other);
    }
}

static void ask_widths(const struct around *around, const struct warp_case *c)
{
    for (unsigned width = WARP_LANES; width > 0; width /= 2) {
        struct warp_case other = *c;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (c->active >> lane & 1u)
                other.c[lane] = warp_width_c(warp_form_get(c->form)->op, width);
        ends_too(around, &other);
    }
}

/* The same in the other modes, with the clamp that CUDA writes for each. */
static void ask_modes(const struct around *around, const struct warp_case *c)
{
    const struct warp_form_info *const own = warp_form_get(c->form);
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *const info = warp_form_get(form);
        struct warp_case other = *c;
        if (info->family != own->family || info->type != own->type || form == c->form)
            continue;
        other.form = form;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((c->active >> lane & 1u) && (c->c[lane] & 31u) == (own->op == WARP_UP ? 0 : 31))
                other.c[lane] = (c->c[lane] & ~31u) | (info->op == WARP_UP ? 0 : 31);
        ends_too(around, &other);
    }
}

void cause_gather_around(struct cause_evidence *evidence, const struct warp_impl *reference,
                         const struct warp_impl *observed)
{
    const struct around around = {evidence, reference, observed, clock_seconds() + AROUND_SECONDS};
    struct warp_case c;
    size_t at = 0;
    while (at < evidence->count && evidence->cases[at].ending == ERROR_NONE)
        at++;
    if (at == evidence->count || evidence->endings > AROUND_MAX || evidence->mismatches + evidence->agreements == 0)
        return;
    const struct warp_case first = evidence->cases[at].c; /* the array moves */
    c = first;
    ask_lanes(&around, &first, &c);
    ask_modes(&around, &c);
    if (!warp_form_is_shfl(warp_form_get(c.form)))
        return;
    ask_shifts(&around, &c);
    ask_widths(&around, &c);
}

bool cause_same_values(const struct warp_case *c, const struct warp_result *expected, const struct warp_result *before,
                       const struct warp_result *again, uint32_t parts)
{
    struct warp_result known = *expected;
    memcpy(known.d, before->d, sizeof known.d);
    known.p = before->p;
    return warp_result_compare(c, &known, again, parts & (WARP_PART_D | WARP_PART_P), NULL);
}

lanemask cause_wrong_lanes(const struct cause_case *k, uint32_t parts)
{
    struct warp_diff diff;
    if (k->ending != ERROR_NONE)
        return k->c.active;
    warp_result_compare(&k->c, &k->expected, &k->observed, k->parts != 0 ? k->parts : parts, &diff);
    return diff.outcome | diff.d_defined | diff.d | diff.p | diff.waits_for;
}

const char *cause_ending_name(enum error_code ending, uint64_t n)
{
    if (ending == ERROR_CRASH)
        return n == 1 ? "crash" : "crashes";
    if (ending == ERROR_TIMEOUT)
        return n == 1 ? "hang" : "hangs";
    if (ending == ERROR_EXIT)
        return n == 1 ? "exit" : "exits";
    return n == 1 ? "ending" : "endings";
}
