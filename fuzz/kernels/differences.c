#include "fuzz/kernels/campaign.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/text.h"
#include "warpcheck_spec.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH      20.0 /* seconds in which one is reduced, at most */
#define CULPRIT_S 5.0  /* for the culprit of what hangs, even when the time is over */
#define HURRIED_S 2.0  /* that a launch may take which has hung before */
#define ROUND                                                                                                          \
    64u /* differences are reduced at a time, at most: as many as there are processes; each new cause is               \
           looked for in the others before the next one is taken */
#define NAMED       8u   /* kernels of one cause that are named; others are counted */
#define AGAIN       256u /* kernels that are tried without their cause in one question */

#define UNEXPLAINED UINT32_MAX

struct difference {
    struct generated_difference is;
    uint32_t cause; /* or UNEXPLAINED */
    unsigned tries; /* at reducing it; the second is careful: a process for each question */
};

/* All of a campaign. */
struct differences {
    struct kernel_campaign *campaign;
    const struct peer *peer;
    struct difference *all;
    size_t count;
    double until;
};

static void tell(const struct differences *e, const struct kernel_news *news)
{
    if (e->campaign->view && e->campaign->view->difference)
        e->campaign->view->difference(e->campaign, news);
}

static void explain_one(struct differences *e, struct difference *d, uint32_t cause)
{
    struct kernel_cause *c = &e->campaign->causes[cause];
    d->cause = cause;
    if (c->kernels++ < NAMED)
        tell(e, &(struct kernel_news){NEWS_EXPLAINED, &d->is, .name = c->is.name, .word = c->is.culprit.word});
}

/* Kernels without the instructions of a cause, and the questions about them. */
struct variants {
    struct made made[AGAIN];
    size_t of[AGAIN]; /* the difference */
    uint32_t count;
    struct peer_ask *asks;
    uint32_t asks_count;
};

static bool add_variant(const struct differences *e, struct variants *v, size_t n, const struct culprit *culprit)
{
    const struct generated_difference *d = &e->all[n].is;
    struct made *m = &v->made[v->count];
    struct make_kernel k;
    make_draw(&e->campaign->suite, d->number, &k);
    if (!culprit_without(culprit, &k))
        return true;
    if (!made_set(m, &k, spec_get()))
        return false;
    if (m->answer.verdict != MAKE_CLEAN) {
        made_free(m);
        return true;
    }
    for (unsigned level = 0; level < e->peer->levels_count; level++)
        if (d->levels >> level & 1u)
            v->asks[v->asks_count++] = (struct peer_ask){.kernel = &m->kernel,
                                                         .module = buffer_string(&m->text),
                                                         .entry = m->name,
                                                         .level = level,
                                                         .before = m->before,
                                                         .after = malloc(m->size)};
    v->of[v->count++] = n;
    return true;
}

/* Those of which every question is answered as the executor answers it have this culprit; of the one without a word,
 * those of which none is. */
static void take_variants(const struct differences *e, struct variants *v, const struct culprit *culprit,
                          bool *shown_by)
{
    uint32_t at = 0;
    for (uint32_t n = 0; n < v->count; n++) {
        bool *const all = &shown_by[v->of[n]];
        *all = true;
        for (; at < v->asks_count && v->asks[at].kernel == &v->made[n].kernel; at++)
            *all &= v->asks[at].ending != PEER_UNASKED &&
                    culprit_is_shown(culprit, v->asks[at].ending == PEER_RETURNED &&
                                                  !peer_differs(e->peer, &v->made[n], &v->asks[at]));
    }
}

/* What hangs costs seconds. */
static void hurry(struct peer *peer)
{
    peer->hurried = true;
    if (!peer->alone)
        peer->limit = HURRIED_S;
}

/* Tries differences without a culprit: which of them have it goes to `shown_by`, at their numbers. */
static bool try_without(const struct differences *e, const struct culprit *culprit, const size_t *which, size_t count,
                        bool *shown_by, struct error *error)
{
    static struct variants v;
    struct peer peer = *e->peer;
    struct gpu_info info;
    peer.until = e->until;
    if (count > 0 && e->all[which[0]].is.ending == PEER_HUNG)
        hurry(&peer);
    v.count = v.asks_count = 0;
    v.asks = calloc((size_t)AGAIN * PEER_LEVELS, sizeof *v.asks);
    bool ok = v.asks != NULL;
    for (size_t n = 0; ok && n < count; n++)
        ok = add_variant(e, &v, which[n], culprit);
    for (uint32_t n = 0; ok && n < v.asks_count; n++)
        ok = v.asks[n].after != NULL;
    if (!ok)
        error_set(error, ERROR_SYSTEM, "out of memory");
    ok = ok && (v.asks_count == 0 || peer_ask(&peer, v.asks, v.asks_count, &info, error));
    if (ok)
        take_variants(e, &v, culprit, shown_by);
    for (uint32_t n = 0; v.asks && n < v.asks_count; n++)
        free(v.asks[n].after);
    for (uint32_t n = 0; n < v.count; n++)
        made_free(&v.made[n]);
    free(v.asks);
    return ok;
}

/* Up to `most` of the differences without a cause that hang, or do not, from *next on: each `step`-th of them. */
static size_t list_unexplained(const struct differences *e, bool hung, size_t *next, size_t step, size_t most,
                               size_t *which)
{
    size_t count = 0, seen = 0;
    for (; *next < e->count && count < most; ++*next) {
        const struct difference *const d = &e->all[*next];
        if (d->cause == UNEXPLAINED && (d->is.ending == PEER_HUNG) == hung && seen++ % step == 0)
            which[count++] = *next;
    }
    return count;
}

/* Looks which of the differences have this cause: not reduced, each costs one question. */
static bool explain(struct differences *e, uint32_t cause, struct error *error)
{
    size_t which[AGAIN], count, next = 0;
    bool *const shown_by = calloc(e->count + 1, sizeof *shown_by);
    bool ok = shown_by || error_set(error, ERROR_SYSTEM, "out of memory");
    while (ok && clock_seconds() < e->until && !interrupted() &&
           (count = list_unexplained(e, e->campaign->causes[cause].is_hung, &next, 1, AGAIN, which)) > 0) {
        ok = try_without(e, &e->campaign->causes[cause].is.culprit, which, count, shown_by, error);
        for (size_t n = 0; ok && n < count; n++)
            if (shown_by[which[n]])
                explain_one(e, &e->all[which[n]], cause);
    }
    free(shown_by);
    return ok;
}

#define TRIED 10u /* differences without which words that may be the culprit are told apart */

/* Does the reduced text hang without the lines that have the word? It is not the culprit then. */
static bool hangs_without(const struct differences *e, const struct culprit *culprit, const struct difference *d,
                          const struct generated_finding *f)
{
    struct peer peer = *e->peer;
    struct buffer text = {0};
    struct made m = {0};
    struct gpu_info info;
    struct error error;
    bool hangs = culprit_without_lines(culprit, f->text, &text) &&
                 made_set_text(&m, &f->kernel, buffer_string(&text), spec_get()) && m.answer.verdict == MAKE_CLEAN;
    uint8_t *const after = hangs ? malloc(m.size) : NULL;
    struct peer_ask a = {.kernel = &m.kernel,
                         .module = buffer_string(&text),
                         .entry = m.name,
                         .level = d->is.level,
                         .before = m.before,
                         .after = after};
    hurry(&peer);
    hangs = after && peer_ask(&peer, &a, 1, &info, &error) && a.ending == PEER_HUNG;
    free(after);
    made_free(&m);
    buffer_free(&text);
    return hangs;
}

/* How many of the differences `which` have the culprit. */
static bool count_explained(const struct differences *e, const struct culprit *culprit, const size_t *which,
                            size_t tried, size_t *explained, struct error *error)
{
    bool *const shown_by = calloc(e->count + 1, sizeof *shown_by);
    const bool ok = (shown_by || error_set(error, ERROR_SYSTEM, "out of memory")) &&
                    try_without(e, culprit, which, tried, shown_by, error);
    *explained = 0;
    for (size_t k = 0; ok && k < tried; k++)
        *explained += shown_by[which[k]];
    free(shown_by);
    return ok;
}

/* The one of them that explains most, of some of the `unexplained` differences. */
static bool choose_culprit(const struct differences *e, const struct culprit *culprits, unsigned count,
                           size_t unexplained, struct culprit *chosen, struct error *error)
{
    size_t which[TRIED], next = 0, most = 0, explained;
    const size_t tried = list_unexplained(e, false, &next, unexplained / TRIED + 1, TRIED, which);
    bool ok = true;
    for (unsigned n = 0; ok && n < count && clock_seconds() < e->until && !interrupted(); n++) {
        ok = count_explained(e, &culprits[n], which, tried, &explained, error);
        if (ok && explained > most) {
            most = explained;
            *chosen = culprits[n];
        }
    }
    return ok;
}

/* Of those of what hangs, which costs seconds: the first without which the `reduced` one does not hang. Instructions
 * are asked before words that tell where statements stand. There is some time for it even when the time is over. */
static bool choose_hung_culprit(struct differences *e, const struct culprit *culprits, unsigned count,
                                const struct difference *reduced, const struct generated_finding *f,
                                struct culprit *chosen, struct error *error)
{
    const double until = e->until, least = clock_seconds() + CULPRIT_S;
    const size_t which = (size_t)(reduced - e->all);
    size_t explained = 0;
    bool ok = true;
    e->until = until < least ? least : until;
    for (unsigned turn = 0; ok && explained == 0 && turn < 2 * count && clock_seconds() < e->until && !interrupted();
         turn++) {
        const struct culprit *const culprit = &culprits[turn % count];
        const bool is_instruction = strchr(culprit->word, '.') != NULL;
        if (is_instruction != (turn < count) || hangs_without(e, culprit, reduced, f))
            continue;
        ok = count_explained(e, culprit, &which, 1, &explained, error);
        if (explained > 0)
            *chosen = *culprit;
    }
    e->until = until;
    return ok;
}

/* The findings that an earlier campaign kept in the same folder. */
static bool explain_by_known(struct differences *e, struct error *error)
{
    DIR *dir = e->count > 0 ? opendir(e->campaign->out) : NULL;
    bool ok = true;
    for (struct dirent *entry;
         ok && dir && (entry = readdir(dir)) != NULL && e->campaign->causes_count < KERNEL_CAUSES;) {
        struct kernel_cause *c = &e->campaign->causes[e->campaign->causes_count];
        if (entry->d_name[0] == '.' || !generated_cause_load(e->campaign->out, entry->d_name, &c->is))
            continue;
        memcpy(c->first, c->is.name, sizeof c->first);
        c->known = c->explains = true;
        c->is_hung = strstr(entry->d_name, "-hung-") != NULL;
        ok = explain(e, e->campaign->causes_count++, error);
    }
    if (dir)
        closedir(dir);
    return ok;
}

/* What came of reducing one difference, in a process of its own. */
struct reduced {
    bool done;
    struct generated_finding finding;
};

struct round {
    struct differences *e;
    size_t of[ROUND]; /* the difference */
    size_t count;
    struct reduced reduced[ROUND];
    struct pool pool;
    size_t begun;
};

static void reduce_one(void *context, size_t number, void *result)
{
    struct round *r = context;
    struct reduced *reduced = result;
    const struct differences *e = r->e;
    const struct generated_difference *d = &r->e->all[r->of[number]].is;
    const double end = clock_seconds() + (d->ending == PEER_HUNG ? 2 * EACH : EACH);
    struct peer peer = *e->peer;
    struct error error;
    if (d->ending == PEER_HUNG)
        hurry(&peer);
    peer.here = d->ending == PEER_RETURNED && r->e->all[r->of[number]].tries == 0;
    reduced->done = generated_examine(&peer, &e->campaign->suite, d, 400, end < r->e->until ? end : r->e->until,
                                      &reduced->finding, &error);
    peer_end(&peer);
}

static void reduction_began(void *context, size_t number)
{
    struct round *r = context;
    r->begun = number + 1;
}

/* One that ended without a result leaves its difference as it is: not reduced. */
static void reduction_ended(void *context, size_t number, const struct error *error)
{
    struct round *r = context;
    if (error)
        r->reduced[number].done = false;
}

static void reduction_tick(void *context)
{
    struct round *r = context;
    if (clock_seconds() >= r->e->until)
        r->pool.n = r->begun;
}

/* What the reduced kernel has that makes the others of its cause differ, too. */
static bool find_culprit(struct differences *e, const struct generated_finding *f, const struct difference *reduced,
                         struct culprit *culprit, struct error *error)
{
    struct culprit culprits[CULPRITS];
    unsigned culprits_count = 0;
    size_t count = 0;
    uint64_t *const numbers = malloc((e->count + 1) * sizeof *numbers);
    for (size_t n = 0; numbers && n < e->count; n++)
        if (e->all[n].cause == UNEXPLAINED)
            numbers[count++] = e->all[n].is.number;
    const bool ok =
        (numbers || error_set(error, ERROR_SYSTEM, "out of memory")) &&
        culprit_choose(&e->campaign->suite, &f->kernel, f->text, numbers, count, culprits, &culprits_count, error);
    free(numbers);
    if (!ok)
        return false;
    *culprit = culprits[0];
    if (culprits_count == 1)
        return true;
    return reduced->is.ending == PEER_HUNG
               ? choose_hung_culprit(e, culprits, culprits_count, reduced, f, culprit, error)
               : choose_culprit(e, culprits, culprits_count, count, culprit, error);
}

/* A new cause: kept, and looked for in the others. */
static bool add_cause(struct differences *e, struct difference *d, const struct generated_finding *f,
                      struct error *error)
{
    struct kernel_cause *c = &e->campaign->causes[e->campaign->causes_count];
    struct peer peer = *e->peer;
    struct finding_kept kept;
    if (d->is.ending == PEER_HUNG)
        hurry(&peer);
    *c = (struct kernel_cause){.is.verdict = f->verdict,
                               .kernels = 1,
                               .explains = f->verdict != VERDICT_GONE,
                               .is_hung = d->is.ending == PEER_HUNG};
    memcpy(c->first, f->name, sizeof c->first);
    if ((c->explains && !find_culprit(e, f, d, &c->is.culprit, error)) ||
        !generated_keep(&peer, &d->is, f, c->explains ? &c->is.culprit : NULL, e->campaign->out, &kept, error))
        return false;
    c->known = kept.existed;
    snprintf(c->is.name, sizeof c->is.name, "%.159s", strrchr(kept.path, '/') + 1);
    d->cause = e->campaign->causes_count++;
    tell(e, &(struct kernel_news){kept.existed ? NEWS_KNOWN : NEWS_KEPT, &d->is, f->verdict, .name = kept.path});
    return !c->explains || explain(e, d->cause, error);
}

/* What one came to: another kernel of a cause of that name, or a new cause. It stays unexplained when there are enough.
 */
static bool take_reduced(struct differences *e, struct difference *d, const struct generated_finding *f,
                         struct error *error)
{
    uint32_t n = 0;
    while (n < e->campaign->causes_count && strcmp(e->campaign->causes[n].first, f->name) != 0)
        n++;
    if (n == KERNEL_CAUSES)
        return true;
    if (n == e->campaign->causes_count)
        return add_cause(e, d, f, error);
    d->cause = n;
    if (e->campaign->causes[n].kernels++ < NAMED)
        tell(e, &(struct kernel_news){NEWS_SAME, &d->is, f->verdict, .name = e->campaign->causes[n].is.name});
    return true;
}

/* Reduces some of those without a cause, many at a time. */
static bool run_round(struct differences *e, struct round *r, struct error *error)
{
    memset(r->reduced, 0, sizeof r->reduced);
    peer_end(e->peer); /* a process that was asked here is not for others: each starts its own */
    r->pool = (struct pool){.n = r->count,
                            .jobs = (unsigned)e->campaign->jobs,
                            .size = sizeof r->reduced[0],
                            .results = r->reduced,
                            .limit_s = 4 * EACH,
                            .context = r,
                            .work = reduce_one,
                            .began = reduction_began,
                            .ended = reduction_ended,
                            .tick = reduction_tick};
    bool ok = pool_run(&r->pool, error) || error->code == ERROR_INTERRUPTED;
    for (size_t n = 0; n < r->count; n++)
        e->all[r->of[n]].tries++;
    for (size_t n = 0; ok && n < r->count; n++)
        if (r->reduced[n].done && e->all[r->of[n]].cause == UNEXPLAINED) /* by one that came before it */
            ok = take_reduced(e, &e->all[r->of[n]], &r->reduced[n].finding, error);
    return ok;
}

/* The next ones that were tried so often: those that returned first, which cost less and tell more. False: there are
 * none. */
static bool choose_round(const struct differences *e, unsigned tries, struct round *r)
{
    const size_t most = e->campaign->jobs < ROUND ? (size_t)e->campaign->jobs : ROUND;
    r->count = 0;
    for (unsigned lost = 0; lost < 2; lost++)
        for (size_t n = 0; n < e->count && r->count < most; n++)
            if (e->all[n].cause == UNEXPLAINED && e->all[n].tries == tries &&
                (e->all[n].is.ending != PEER_RETURNED) == (lost != 0))
                r->of[r->count++] = n;
    return r->count > 0;
}

static bool keep_rest(struct differences *e, struct error *error)
{
    const struct make_suite *const suite = &e->campaign->suite;
    char path[FILE_PATH_MAX], why[512];
    struct buffer b = {0};
    if (e->campaign->unreduced == 0)
        return true;
    buffer_format(&b,
                  "# seed %" PRIu64 ", %s, %s: kernel, bits of the levels where it differs, how it ended, verdict\n",
                  suite->seed, warp_target_name(suite->target), make_size_name(suite->size));
    for (size_t n = 0; n < e->count; n++) {
        const struct generated_difference *const d = &e->all[n].is;
        if (e->all[n].cause == UNEXPLAINED)
            buffer_format(&b, "%" PRIu64 " 0x%" PRIx32 " %s %s %s\n", d->number, d->levels, peer_ending_name(d->ending),
                          generated_verdict_name(d->verdict), text_printable(d->why, strlen(d->why), why, sizeof why));
    }
    e->campaign->are_listed = b.failed ? error_set(error, ERROR_SYSTEM, "out of memory")
                                       : file_join(e->campaign->out, KERNEL_CAMPAIGN_REST, path, error) &&
                                             file_write(path, b.data, b.size, error);
    buffer_free(&b);
    return e->campaign->are_listed;
}

static void count_rest(struct differences *e, bool were_kept)
{
    struct kernel_campaign *const c = e->campaign;
    for (size_t n = 0; n < e->count; n++) {
        const struct generated_difference *const d = &e->all[n].is;
        if (e->all[n].cause != UNEXPLAINED)
            continue;
        c->unreduced_verdicts[d->verdict]++;
        if (c->unreduced++ < NAMED)
            tell(e,
                 &(struct kernel_news){NEWS_UNREDUCED, d, d->verdict,
                                       .why = !were_kept                         ? "findings cannot be kept"
                                              : interrupted()                    ? "interrupted"
                                              : c->causes_count == KERNEL_CAUSES ? "enough others were"
                                              : peer_only_hangs(e->peer)         ? "nothing has returned"
                                              : clock_seconds() >= e->until      ? "the time is over (--time)"
                                                                            : "it ended the process that reduces it"});
    }
}

bool differences_examine(struct kernel_campaign *campaign, const struct peer *peer,
                         const struct generated_difference *all, size_t count, double until, struct error *error)
{
    static struct round r;
    struct differences e = {
        .campaign = campaign, .peer = peer, .all = calloc(count + 1, sizeof *e.all), .count = count, .until = until};
    if (!e.all)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    for (size_t n = 0; n < count; n++)
        e.all[n] = (struct difference){.is = all[n], .cause = UNEXPLAINED};
    r.e = &e;
    bool ok = explain_by_known(&e, error);
    for (unsigned tries = 0; tries < 2; tries++)
        while (ok && !peer_only_hangs(peer) && clock_seconds() < until && campaign->causes_count < KERNEL_CAUSES &&
               !interrupted() && choose_round(&e, tries, &r))
            ok = run_round(&e, &r, error);
    ok |= error->code == ERROR_INTERRUPTED;
    count_rest(&e, ok);
    ok = keep_rest(&e, ok ? error : NULL) && ok;
    free(e.all);
    return ok;
}
