#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "cli/kernels/campaign.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/kernels/generated.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "warpcheck_spec.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PIECE     2048u /* kernels that one process makes, executes and has executed, at most; */
#define PIECES    8192u /* and how many such pieces there are, at most */
#define LOST      2u    /* of a process or a plugin of which nothing has returned: the rest is not asked */
#define HUNG      4u    /* launches that hung in company and are asked again alone; of more it is believed */
#define KEPT      64u   /* differences that a piece tells of; others are counted */
#define CAUSES    48u   /* that are told apart, each reduced in at most */
#define EACH      20.0  /* seconds */
#define CULPRIT_S 5.0   /* for the culprit of what hangs, even when the time is over */
#define COMPANY_S 2.0   /* that a launch among many may take, and one that has hung before */
#define ROUND                                                                                                          \
    64u /* differences are reduced at a time, at most: as many as there are processes; each new cause is looked        \
           for in the others before the next one is taken */
#define PART   3.0  /* of an endless campaign's time: for reducing, when something differs; */
#define LEAST  5.0  /* and seconds for it that there are in any case */
#define ENOUGH 512u /* kernels differ: an endless campaign compares no more */
#define NAMED  8u   /* kernels of one cause that are named; others are counted */
#define AGAIN  256u /* kernels that are tried without their cause in one question */

/* What the work on one piece came to. Copied between processes as it lies in memory. */
struct piece {
    struct error error;
    struct gpu_info info;
    uint64_t verdicts[MAKE_VERDICTS], groups, answers, declined, unasked;
    uint64_t differing;        /* answers, */
    uint64_t kernels;          /* and kernels that have such */
    char declined_because[64]; /* the first of them */
    uint32_t kept;
    struct generated_difference differences[KEPT];
    struct make_coverage coverage;
    uint32_t recorded;
    struct generated_line lines[]; /* when a recording is made */
};

struct cross {
    const struct kernel_campaign *plan;
    const struct other *other;
    uint32_t each; /* kernels of a piece */
    char *pieces;  /* struct piece, in steps of pool.size */
    bool *done;
    double *begun;
    size_t ended;
    double start, longest; /* longest: of a piece, in seconds */
    double lasted;         /* all pieces; reducing comes behind */
    uint64_t differing;    /* kernels, so far */
    uint64_t lost;         /* launches that hung or faulted, in all pieces */
    struct error error;    /* of a piece that could not be done */
    struct pool pool;
    struct progress progress;
};

static struct piece *piece_at(const struct cross *x, size_t n)
{
    return (struct piece *)(void *)(x->pieces + n * x->pool.size);
}

/* ---- a piece of work, in a process of its own ---- */

struct batch {
    struct made *made; /* PIECE of them */
    uint32_t count;
    unsigned levels, module; /* kernels of a module */
    struct buffer *modules;
    struct other_ask *asks; /* of kernel n at a level: ask_of */
};

static bool draw_kernels(const struct cross *x, size_t number, struct batch *b, struct piece *p)
{
    const uint64_t first = x->plan->first + number * x->each, last = x->plan->first + x->plan->count,
                   end = last - first > x->each ? first + x->each : last;
    for (uint64_t n = first; n < end; n++) {
        struct made *m = &b->made[b->count];
        struct make_kernel k;
        make_draw(&x->plan->suite, n, &k);
        if (!made_set(m, &k, spec_get()))
            return error_set(&p->error, ERROR_SYSTEM, "out of memory");
        p->verdicts[m->answer.verdict]++;
        if (m->answer.verdict != MAKE_CLEAN) {
            made_free(m);
            continue;
        }
        p->groups += m->answer.groups;
        for (unsigned f = 0; f < m->features_count; f++)
            make_coverage_add(&p->coverage, &m->features[f]);
        struct buffer *module = &b->modules[b->count / b->module];
        if (module->size == 0)
            make_write_head(&m->kernel, module);
        buffer_add(module, m->text.data + m->head, m->text.size - m->head);
        b->count++;
    }
    return true;
}

/* Modules one after the other, each at all levels. */
static struct other_ask *ask_of(const struct batch *b, uint32_t kernel, unsigned level)
{
    const uint32_t first = kernel / b->module * b->module, left = b->count - first,
                   in = left < b->module ? left : b->module;
    return &b->asks[first * b->levels + level * in + kernel - first];
}

static bool set_asks(const struct cross *x, struct batch *b)
{
    b->asks = calloc((size_t)b->count * b->levels + 1, sizeof *b->asks);
    for (uint32_t k = 0; b->asks && k < b->count; k++)
        for (unsigned level = 0; level < b->levels; level++) {
            uint8_t *after = malloc(b->made[k].size);
            const struct buffer *text = x->other->alone ? &b->made[k].text : &b->modules[k / b->module];
            *ask_of(b, k, level) = (struct other_ask){.kernel = &b->made[k].kernel,
                                                      .module = buffer_string(text),
                                                      .entry = b->made[k].name,
                                                      .level = level,
                                                      .before = b->made[k].before,
                                                      .after = after};
            if (!after)
                return false;
        }
    return b->asks != NULL;
}

/* Does a process or a plugin only hang, as far as it was asked? Each time costs seconds, and tells nothing new. */
static bool only_hangs(const struct other *other)
{
    const struct launch_past *const past = other->past;
    return other->alone && past && atomic_load(&past->lost) >= LOST && atomic_load(&past->returned) == 0;
}

/* Are so many lost that no others are asked? */
static bool is_hopeless(const struct other *other)
{
    return only_hangs(other) || (other->past && launch_is_hopeless(other->past));
}

/* Counts what has ended in time and what has not. */
static void count_ending(const struct other *other, enum other_ending ending)
{
    if (other->past && ending != OTHER_UNASKED)
        atomic_fetch_add(ending == OTHER_HUNG ? &other->past->lost : &other->past->returned, 1);
}

/* When nobody is asked any more; 0: never. */
static double end_of(const struct cross *x)
{
    return x->plan->seconds > 0 ? x->start + x->plan->seconds : 0;
}

/* Each alone, of a module at which the assembler hung or crashed. When it has hung at many, other suspects are not
 * asked.
 */
static bool find_hung(const struct other *other, struct other_ask *asks, uint32_t count, struct piece *p)
{
    uint32_t hung = 0;
    bool ok = true;
    for (uint32_t n = 0; ok && n < count; n++) {
        if (asks[n].ending == OTHER_HUNG && hung >= HUNG * other->levels_count) {
            asks[n].ending = OTHER_UNASKED;
            continue;
        }
        ok = other_ask(other, &asks[n], 1, &p->info, &p->error);
        count_ending(other, asks[n].ending);
        hung += asks[n].ending == OTHER_HUNG;
    }
    return ok;
}

/* A process or a plugin, kernel by kernel: one that hangs costs seconds. So no more are asked when many do, and none in
 * an endless campaign whose time is over. */
static bool ask_one_by_one(const struct cross *x, struct batch *b, struct piece *p)
{
    struct other other = *x->other;
    bool ok = true;
    for (uint32_t n = 0; ok && n < b->count; n++) {
        if (is_hopeless(x->other)) {
            b->asks[n].ending = OTHER_UNASKED;
            continue;
        }
        other.until = x->plan->is_endless && n > 0 ? end_of(x) : 0;
        ok = other_ask(&other, &b->asks[n], 1, &p->info, &p->error);
        count_ending(&other, b->asks[n].ending);
    }
    return ok;
}

/*
 * What did not return in company is asked again alone: it may have been the company. When so many launches are lost
 * that no others are started any more, one of them stands for all.
 */
static bool ask_alone(const struct cross *x, struct batch *b, uint32_t first, uint32_t end, struct piece *p)
{
    struct other other = *x->other;
    other.until = other.gives_memory ? 0 : end_of(x);
    const uint32_t most = is_hopeless(&other) ? 1 : UINT32_MAX;
    const uint32_t all = (end - first) * b->levels;
    struct other_ask *again = calloc((size_t)all + 1, sizeof *again);
    uint32_t *which = calloc((size_t)all + 1, sizeof *which), count = 0, hung = 0;
    bool ok = (again && which) || error_set(&p->error, ERROR_SYSTEM, "out of memory");
    for (uint32_t k = first; ok && k < end; k++)
        for (unsigned level = 0; level < b->levels && count < most; level++) {
            struct other_ask *a = ask_of(b, k, level);
            if (a->ending == OTHER_RETURNED || a->ending == OTHER_UNASKED ||
                (a->ending == OTHER_HUNG && other.gives_memory && hung++ >= HUNG))
                continue;
            a->module = buffer_string(&b->made[k].text);
            a->why[0] = '\0';
            which[count] = (uint32_t)(a - b->asks);
            again[count++] = *a;
        }
    other.all = true;
    if (ok && other.gives_memory)
        ok = count == 0 || other_ask(&other, again, count, &p->info, &p->error);
    else
        ok = ok && find_hung(&other, again, count, p);
    for (uint32_t n = 0; ok && n < count; n++)
        b->asks[which[n]] = again[n];
    free(again);
    free(which);
    return ok;
}

/*
 * An assembler, module by module. One at which it hangs tells nothing of its kernels, nor do the other levels: they are
 * asked alone.
 */
static bool ask_assembler(const struct cross *x, struct batch *b, struct piece *p)
{
    struct other other = *x->other;
    bool ok = true;
    other.until = end_of(x);
    for (uint32_t first = 0, end; ok && first < b->count; first = end) {
        struct other_ask *const asks = ask_of(b, first, 0);
        const bool hopeless = is_hopeless(x->other);
        bool hung = false;
        end = b->count - first < b->module ? b->count : first + b->module;
        const uint32_t in = end - first;
        for (unsigned level = 0; ok && level < b->levels; level++) {
            if (!hopeless && !hung)
                ok = other_ask(&other, asks + level * in, in, &p->info, &p->error);
            hung |= asks[level * in].ending == OTHER_HUNG;
            for (uint32_t n = 0; n < in; n++)
                if (hopeless || hung)
                    asks[level * in + n].ending = hopeless ? OTHER_UNASKED : OTHER_HUNG;
                else if (asks[n].ending == OTHER_RETURNED)
                    count_ending(x->other, OTHER_RETURNED);
        }
        ok = ok && ask_alone(x, b, first, end, p);
    }
    return ok;
}

/* Nothing takes long here: a kernel that hangs is not waited for as long as one that is looked at alone. */
static bool ask_in_company(const struct cross *x, struct batch *b, struct piece *p)
{
    struct other other = *x->other;
    if (other.alone)
        return ask_one_by_one(x, b, p);
    if (!other.gives_memory)
        return ask_assembler(x, b, p);
    other.limit = COMPANY_S;
    return other_ask(&other, b->asks, b->count * b->levels, &p->info, &p->error) && ask_alone(x, b, 0, b->count, p);
}

/* What one answer for each level tells already; reducing asks again, at all levels that there are. */
static enum generated_verdict verdict_so_far(const struct cross *x, const struct generated_difference *d,
                                             const uint64_t digests[OTHER_LEVELS])
{
    unsigned first = 0, differing = 0;
    bool same = true;
    if (!x->other->gives_memory || d->agrees != 0 || d->ending == OTHER_REFUSED)
        return VERDICT_COMPILER;
    if (x->other->alone)
        return VERDICT_IMPLEMENTATION;
    for (unsigned level = 0; level < x->other->levels_count; level++) {
        if (!(d->levels >> level & 1u))
            continue;
        if (differing++ == 0)
            first = level;
        same &= digests[level] == digests[first];
    }
    return differing < 2 ? VERDICT_OPEN : same ? VERDICT_EXECUTOR : VERDICT_COMPILER;
}

/* Compares the answers for one kernel. */
static void look_at(const struct cross *x, const struct batch *b, uint32_t k, struct piece *p)
{
    const struct made *m = &b->made[k];
    struct generated_difference d = {.number = m->kernel.number};
    struct generated_line line;
    bool is_asked = true;
    generated_line_set(&line, m);
    for (unsigned level = 0; level < b->levels; level++) {
        const struct other_ask *a = ask_of(b, k, level);
        line.memory[level] = a->ending == OTHER_RETURNED ? generated_digest(a->after, m->size) : 0;
        is_asked &= a->ending != OTHER_UNASKED;
        p->answers += a->ending != OTHER_DECLINED && a->ending != OTHER_UNASKED;
        p->unasked += a->ending == OTHER_UNASKED;
        p->declined += a->ending == OTHER_DECLINED;
        if (a->ending == OTHER_DECLINED && !p->declined_because[0])
            snprintf(p->declined_because, sizeof p->declined_because, "%.60s", a->why);
        if (!generated_differs(x->other, m, a)) {
            d.agrees |= (a->ending == OTHER_RETURNED ? 1u : 0u) << level;
            continue;
        }
        d.levels |= 1u << level;
        d.level = level;
        d.ending = a->ending;
        memcpy(d.why, a->why, sizeof d.why);
        p->differing++;
    }
    d.verdict = verdict_so_far(x, &d, line.memory);
    if (x->plan->record && is_asked)
        p->lines[p->recorded++] = line;
    p->kernels += d.levels != 0;
    if (d.levels != 0 && p->kept < KEPT)
        p->differences[p->kept++] = d;
}

static void batch_free(struct batch *b)
{
    for (uint32_t n = 0; b->asks && n < b->count * b->levels; n++)
        free(b->asks[n].after);
    for (uint32_t n = 0; b->made && n < b->count; n++)
        made_free(&b->made[n]);
    for (unsigned n = 0; b->modules && n <= PIECE / b->module; n++)
        buffer_free(&b->modules[n]);
    free(b->modules);
    free(b->asks);
    free(b->made);
}

static void work(void *context, size_t number, void *result)
{
    const struct cross *x = context;
    struct piece *p = result;
    const unsigned module = x->plan->module < PIECE ? (unsigned)x->plan->module : PIECE;
    struct batch b = {.made = calloc(PIECE, sizeof *b.made),
                      .module = module,
                      .levels = x->other->levels_count,
                      .modules = calloc(PIECE / module + 1, sizeof *b.modules)};
    make_coverage_start(&p->coverage, x->plan->suite.target);
    if (!b.made || !b.modules)
        error_set(&p->error, ERROR_SYSTEM, "out of memory");
    else if (draw_kernels(x, number, &b, p)) {
        if (!set_asks(x, &b))
            error_set(&p->error, ERROR_SYSTEM, "out of memory");
        else if (ask_in_company(x, &b, p))
            for (uint32_t k = 0; k < b.count; k++)
                look_at(x, &b, k, p);
    }
    other_end(x->other);
    batch_free(&b);
}

/* ---- all pieces ---- */

static void began(void *context, size_t number)
{
    struct cross *x = context;
    x->begun[number] = clock_seconds();
}

static void ended(void *context, size_t number, const struct error *error)
{
    struct cross *x = context;
    const struct error *why = error ? error : &piece_at(x, number)->error;
    const double lasted = clock_seconds() - x->begun[number];
    x->ended++;
    x->longest = lasted > x->longest ? lasted : x->longest;
    x->done[number] = why->code == ERROR_NONE;
    x->differing += x->done[number] ? piece_at(x, number)->kernels : 0;
    if (why->code != ERROR_NONE && x->error.code == ERROR_NONE)
        x->error = *why;
}

/* For comparing; 0: no limit. */
static double seconds_of(const struct cross *x)
{
    const double all = x->plan->seconds, part = all / PART < x->plan->time ? all / PART : x->plan->time;
    return x->plan->is_endless && x->differing > 0 ? all - part : all;
}

static bool has_enough(const struct cross *x)
{
    return x->plan->is_endless && x->differing >= ENOUGH;
}

/* When a piece would not end in time any more, or nothing is asked any more, those that have begun are the last. */
static void tick(void *context)
{
    struct cross *x = context;
    const double elapsed = clock_seconds() - x->start, seconds = seconds_of(x);
    size_t begun = 0;
    while (begun < x->pool.n && x->begun[begun] > 0)
        begun++;
    if ((seconds > 0 && elapsed + x->longest > seconds) || has_enough(x) || is_hopeless(x->other))
        x->pool.n = begun;
    progress_update(&x->progress, x->ended, x->pool.n, 0, 0);
}

/* Nothing can be asked: the rest cannot either. */
static bool stop(void *context)
{
    const struct cross *x = context;
    return x->error.code != ERROR_NONE;
}

/* Small pieces where time is limited, so that the end is near when it is over. */
static uint32_t piece_size(const struct kernel_campaign *plan)
{
    const uint64_t share = (plan->count + plan->jobs - 1) / plan->jobs, most = plan->other.alone ? 256 : PIECE;
    return (uint32_t)(share < most ? share : most);
}

static bool run_pieces(struct cross *x, struct error *error)
{
    const struct kernel_campaign *plan = x->plan;
    x->each = piece_size(plan);
    const uint64_t pieces = plan->count / x->each + (plan->count % x->each != 0);
    if (pieces > PIECES && plan->seconds == 0)
        return error_set(error, ERROR_USAGE, "at most %" PRIu64 " kernels at a time: split them with --first",
                         (uint64_t)PIECES * x->each);
    x->pool = (struct pool){.n = pieces < PIECES ? (size_t)pieces : PIECES,
                            .jobs = (unsigned)plan->jobs,
                            .size = sizeof(struct piece) + (plan->record ? x->each * sizeof(struct generated_line) : 0),
                            .context = x,
                            .work = work,
                            .began = began,
                            .ended = ended,
                            .tick = tick,
                            .stop = stop};
    x->pool.results = x->pieces = calloc(x->pool.n, x->pool.size);
    x->done = calloc(x->pool.n, sizeof *x->done);
    x->begun = calloc(x->pool.n, sizeof *x->begun);
    if (!x->pieces || !x->done || !x->begun)
        return error_set(error, ERROR_SYSTEM, "out of memory for the results of %zu pieces", x->pool.n);
    x->start = clock_seconds();
    progress_start(&x->progress, "kernels");
    x->progress.unit = "pieces";
    bool ok = pool_run(&x->pool, error) || error->code == ERROR_INTERRUPTED; /* what is done counts */
    progress_end(&x->progress);
    x->lasted = clock_seconds() - x->start;
    x->lost = x->other->past ? atomic_load(&x->other->past->lost) : 0;
    if (x->error.code != ERROR_NONE) {
        *error = x->error;
        ok = false;
    }
    return ok;
}

/* Pieces that are done; all before the first that is not. */
static size_t pieces_done(const struct cross *x)
{
    size_t n = 0;
    while (n < x->pool.n && x->done[n])
        n++;
    return n;
}

/* ---- what differs ---- */

#define UNEXPLAINED UINT32_MAX

struct difference {
    struct generated_difference is;
    uint32_t cause; /* or UNEXPLAINED */
    unsigned tries; /* at reducing it; the second is careful: a process for each question */
};

/* A cause, and the kernels that have it. */
struct counted_cause {
    struct generated_cause is;
    char first[160]; /* the name of the finding; its folder has another when that was taken */
    uint64_t kernels;
    bool explains; /* others can be tried without it */
    bool is_hung;  /* those that hang, and no others: what still hangs costs seconds */
    bool known;    /* from an earlier campaign */
};

struct examination {
    const struct cross *x;
    struct difference *differences;
    size_t count;
    struct counted_cause causes[CAUSES];
    uint32_t causes_count;
    uint64_t unreduced, verdicts[VERDICT_OPEN + 1]; /* of those */
    bool are_listed;                                /* in REST_FILE */
    double until;
};

static void print_difference(const struct cross *x, const struct generated_difference *d)
{
    printf("DIFFERENT: kernel %" PRIu64, d->number);
    if (!x->other->alone) {
        printf(" at level");
        for (unsigned level = 0, n = 0; level < x->other->levels_count; level++)
            if (d->levels >> level & 1u)
                printf("%s%u", n++ ? "," : " ", x->other->levels[level]);
    }
    printf(": %s%s%s", d->ending == OTHER_RETURNED ? "other memory" : other_ending_name(d->ending),
           d->why[0] ? " " : "", shown(d->why));
}

static void explain_one(struct examination *e, struct difference *d, uint32_t cause)
{
    struct counted_cause *c = &e->causes[cause];
    d->cause = cause;
    if (c->kernels++ >= NAMED)
        return;
    print_difference(e->x, &d->is);
    printf(c->is.culprit.word[0] ? "; as '%s': without the statements that have its %s it agrees\n"
                                 : "; as '%s': without any statement it differs%s, too\n",
           shown(c->is.name), shown(c->is.culprit.word));
}

/* Kernels without the instructions of a cause, and the questions about them. */
struct variants {
    struct made made[AGAIN];
    size_t of[AGAIN]; /* the difference */
    uint32_t count;
    struct other_ask *asks;
    uint32_t asks_count;
};

static bool add_variant(const struct examination *e, struct variants *v, size_t n, const struct culprit *culprit)
{
    const struct generated_difference *d = &e->differences[n].is;
    struct made *m = &v->made[v->count];
    struct make_kernel k;
    make_draw(&e->x->plan->suite, d->number, &k);
    if (!culprit_without(culprit, &k))
        return true;
    if (!made_set(m, &k, spec_get()))
        return false;
    if (m->answer.verdict != MAKE_CLEAN) {
        made_free(m);
        return true;
    }
    for (unsigned level = 0; level < e->x->other->levels_count; level++)
        if (d->levels >> level & 1u)
            v->asks[v->asks_count++] = (struct other_ask){.kernel = &m->kernel,
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
static void take_variants(const struct examination *e, struct variants *v, const struct culprit *culprit,
                          bool *shown_by)
{
    uint32_t at = 0;
    for (uint32_t n = 0; n < v->count; n++) {
        bool *const all = &shown_by[v->of[n]];
        *all = true;
        for (; at < v->asks_count && v->asks[at].kernel == &v->made[n].kernel; at++)
            *all &= v->asks[at].ending != OTHER_UNASKED &&
                    culprit_is_shown(culprit, v->asks[at].ending == OTHER_RETURNED &&
                                                  !generated_differs(e->x->other, &v->made[n], &v->asks[at]));
    }
}

/* What hangs costs seconds. */
static void hurry(struct other *other)
{
    other->hurried = true;
    if (!other->alone)
        other->limit = COMPANY_S;
}

/* Tries differences without a culprit: which of them have it goes to `shown_by`, at their numbers. */
static bool try_without(const struct examination *e, const struct culprit *culprit, const size_t *which, size_t count,
                        bool *shown_by, struct error *error)
{
    static struct variants v;
    struct other other = *e->x->other;
    struct gpu_info info;
    other.until = e->until;
    if (count > 0 && e->differences[which[0]].is.ending == OTHER_HUNG)
        hurry(&other);
    v.count = v.asks_count = 0;
    v.asks = calloc((size_t)AGAIN * OTHER_LEVELS, sizeof *v.asks);
    bool ok = v.asks != NULL;
    for (size_t n = 0; ok && n < count; n++)
        ok = add_variant(e, &v, which[n], culprit);
    for (uint32_t n = 0; ok && n < v.asks_count; n++)
        ok = v.asks[n].after != NULL;
    if (!ok)
        error_set(error, ERROR_SYSTEM, "out of memory");
    ok = ok && (v.asks_count == 0 || other_ask(&other, v.asks, v.asks_count, &info, error));
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
static size_t list_unexplained(const struct examination *e, bool hung, size_t *next, size_t step, size_t most,
                               size_t *which)
{
    size_t count = 0, seen = 0;
    for (; *next < e->count && count < most; ++*next) {
        const struct difference *const d = &e->differences[*next];
        if (d->cause == UNEXPLAINED && (d->is.ending == OTHER_HUNG) == hung && seen++ % step == 0)
            which[count++] = *next;
    }
    return count;
}

/* Looks which of the differences have this cause: not reduced, each costs one question. */
static bool explain(struct examination *e, uint32_t cause, struct error *error)
{
    size_t which[AGAIN], count, next = 0;
    bool *const shown_by = calloc(e->count + 1, sizeof *shown_by);
    bool ok = shown_by || error_set(error, ERROR_SYSTEM, "out of memory");
    while (ok && clock_seconds() < e->until && !interrupted() &&
           (count = list_unexplained(e, e->causes[cause].is_hung, &next, 1, AGAIN, which)) > 0) {
        ok = try_without(e, &e->causes[cause].is.culprit, which, count, shown_by, error);
        for (size_t n = 0; ok && n < count; n++)
            if (shown_by[which[n]])
                explain_one(e, &e->differences[which[n]], cause);
    }
    free(shown_by);
    return ok;
}

#define TRIED 10u /* differences without which words that may be the culprit are told apart */

/* Does the reduced text hang without the lines that have the word? It is not the culprit then. */
static bool hangs_without(const struct examination *e, const struct culprit *culprit, const struct difference *d,
                          const struct generated_finding *f)
{
    struct other other = *e->x->other;
    struct buffer text = {0};
    struct made m = {0};
    struct gpu_info info;
    struct error error;
    bool hangs = culprit_without_lines(culprit, f->text, &text) &&
                 made_set_text(&m, &f->kernel, buffer_string(&text), spec_get()) && m.answer.verdict == MAKE_CLEAN;
    uint8_t *const after = hangs ? malloc(m.size) : NULL;
    struct other_ask a = {.kernel = &m.kernel,
                          .module = buffer_string(&text),
                          .entry = m.name,
                          .level = d->is.level,
                          .before = m.before,
                          .after = after};
    hurry(&other);
    hangs = after && other_ask(&other, &a, 1, &info, &error) && a.ending == OTHER_HUNG;
    free(after);
    made_free(&m);
    buffer_free(&text);
    return hangs;
}

/* How many of the differences `which` have the culprit. */
static bool count_explained(const struct examination *e, const struct culprit *culprit, const size_t *which,
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
static bool choose_culprit(const struct examination *e, const struct culprit *culprits, unsigned count,
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
static bool choose_hung_culprit(struct examination *e, const struct culprit *culprits, unsigned count,
                                const struct difference *reduced, const struct generated_finding *f,
                                struct culprit *chosen, struct error *error)
{
    const double until = e->until, least = clock_seconds() + CULPRIT_S;
    const size_t which = (size_t)(reduced - e->differences);
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
static bool explain_by_known(struct examination *e, struct error *error)
{
    DIR *dir = e->count > 0 ? opendir(e->x->plan->out) : NULL;
    bool ok = true;
    for (struct dirent *entry; ok && dir && (entry = readdir(dir)) != NULL && e->causes_count < CAUSES;) {
        struct counted_cause *c = &e->causes[e->causes_count];
        if (entry->d_name[0] == '.' || !generated_cause_load(e->x->plan->out, entry->d_name, &c->is))
            continue;
        memcpy(c->first, c->is.name, sizeof c->first);
        c->known = c->explains = true;
        c->is_hung = strstr(entry->d_name, "-hung-") != NULL;
        ok = explain(e, e->causes_count++, error);
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
    struct examination *e;
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
    const struct cross *x = r->e->x;
    const struct generated_difference *d = &r->e->differences[r->of[number]].is;
    const double end = clock_seconds() + (d->ending == OTHER_HUNG ? 2 * EACH : EACH);
    struct other other = *x->other;
    struct error error;
    if (d->ending == OTHER_HUNG)
        hurry(&other);
    other.here = d->ending == OTHER_RETURNED && r->e->differences[r->of[number]].tries == 0;
    reduced->done = generated_examine(&other, &x->plan->suite, d, 400, end < r->e->until ? end : r->e->until,
                                      &reduced->finding, &error);
    other_end(&other);
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
static bool find_culprit(struct examination *e, const struct generated_finding *f, const struct difference *reduced,
                         struct culprit *culprit, struct error *error)
{
    struct culprit culprits[CULPRITS];
    unsigned culprits_count = 0;
    size_t count = 0;
    uint64_t *const numbers = malloc((e->count + 1) * sizeof *numbers);
    for (size_t n = 0; numbers && n < e->count; n++)
        if (e->differences[n].cause == UNEXPLAINED)
            numbers[count++] = e->differences[n].is.number;
    const bool ok =
        (numbers || error_set(error, ERROR_SYSTEM, "out of memory")) &&
        culprit_choose(&e->x->plan->suite, &f->kernel, f->text, numbers, count, culprits, &culprits_count, error);
    free(numbers);
    if (!ok)
        return false;
    *culprit = culprits[0];
    if (culprits_count == 1)
        return true;
    return reduced->is.ending == OTHER_HUNG
               ? choose_hung_culprit(e, culprits, culprits_count, reduced, f, culprit, error)
               : choose_culprit(e, culprits, culprits_count, count, culprit, error);
}

/* A new cause: kept, and looked for in the others. */
static bool add_cause(struct examination *e, struct difference *d, const struct generated_finding *f,
                      struct error *error)
{
    const struct cross *x = e->x;
    struct counted_cause *c = &e->causes[e->causes_count];
    struct other other = *x->other;
    struct finding_kept kept;
    char text[FILE_PATH_MAX];
    if (d->is.ending == OTHER_HUNG)
        hurry(&other);
    *c = (struct counted_cause){.is.verdict = f->verdict,
                                .kernels = 1,
                                .explains = f->verdict != VERDICT_GONE,
                                .is_hung = d->is.ending == OTHER_HUNG};
    memcpy(c->first, f->name, sizeof c->first);
    if ((c->explains && !find_culprit(e, f, d, &c->is.culprit, error)) ||
        !generated_keep(&other, &d->is, f, c->explains ? &c->is.culprit : NULL, x->plan->out, &kept, error))
        return false;
    c->known = kept.existed;
    snprintf(c->is.name, sizeof c->is.name, "%.159s", strrchr(kept.path, '/') + 1);
    d->cause = e->causes_count++;
    print_difference(x, &d->is);
    printf(kept.existed ? "\n  verdict %s; reduced, it is as %s\n" : "\n  verdict %s; reduced: %s\n",
           generated_verdict_name(f->verdict), text_quote(kept.path, text, sizeof text));
    fflush(stdout);
    return !c->explains || explain(e, d->cause, error);
}

/* What one came to: another kernel of a cause of that name, or a new cause. It stays unexplained when there are enough.
 */
static bool take_reduced(struct examination *e, struct difference *d, const struct generated_finding *f,
                         struct error *error)
{
    uint32_t n = 0;
    while (n < e->causes_count && strcmp(e->causes[n].first, f->name) != 0)
        n++;
    if (n == CAUSES)
        return true;
    if (n == e->causes_count)
        return add_cause(e, d, f, error);
    d->cause = n;
    if (e->causes[n].kernels++ < NAMED) {
        print_difference(e->x, &d->is);
        printf("\n  verdict %s; reduced, it is as '%s'\n", generated_verdict_name(f->verdict),
               shown(e->causes[n].is.name));
    }
    return true;
}

/* Reduces some of those without a cause, many at a time. */
static bool run_round(struct examination *e, struct round *r, struct error *error)
{
    const struct cross *x = e->x;
    memset(r->reduced, 0, sizeof r->reduced);
    other_end(x->other); /* a process that was asked here is not for others: each starts its own */
    r->pool = (struct pool){.n = r->count,
                            .jobs = (unsigned)x->plan->jobs,
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
        e->differences[r->of[n]].tries++;
    for (size_t n = 0; ok && n < r->count; n++)
        if (r->reduced[n].done && e->differences[r->of[n]].cause == UNEXPLAINED) /* by one that came before it */
            ok = take_reduced(e, &e->differences[r->of[n]], &r->reduced[n].finding, error);
    return ok;
}

/* The next ones that were tried so often: those that returned first, which cost less and tell more. False: there are
 * none. */
static bool choose_round(const struct examination *e, unsigned tries, struct round *r)
{
    const size_t most = e->x->plan->jobs < ROUND ? (size_t)e->x->plan->jobs : ROUND;
    r->count = 0;
    for (unsigned lost = 0; lost < 2; lost++)
        for (size_t n = 0; n < e->count && r->count < most; n++)
            if (e->differences[n].cause == UNEXPLAINED && e->differences[n].tries == tries &&
                (e->differences[n].is.ending != OTHER_RETURNED) == (lost != 0))
                r->of[r->count++] = n;
    return r->count > 0;
}

/* One line for each difference that was not reduced, so that it can be looked at again by its number. */
#define REST_FILE "not-reduced.txt"

static bool keep_rest(struct examination *e, struct error *error)
{
    const struct make_suite *const suite = &e->x->plan->suite;
    char path[FILE_PATH_MAX], why[512];
    struct buffer b = {0};
    if (e->unreduced == 0)
        return true;
    buffer_format(&b,
                  "# seed %" PRIu64 ", %s, %s: kernel, bits of the levels where it differs, how it ended, verdict\n",
                  suite->seed, warp_target_name(suite->target), make_size_name(suite->size));
    for (size_t n = 0; n < e->count; n++) {
        const struct generated_difference *const d = &e->differences[n].is;
        if (e->differences[n].cause == UNEXPLAINED)
            buffer_format(&b, "%" PRIu64 " 0x%" PRIx32 " %s %s %s\n", d->number, d->levels,
                          other_ending_name(d->ending), generated_verdict_name(d->verdict),
                          text_printable(d->why, strlen(d->why), why, sizeof why));
    }
    e->are_listed = b.failed
                        ? error_set(error, ERROR_SYSTEM, "out of memory")
                        : file_join(e->x->plan->out, REST_FILE, path, error) && file_write(path, b.data, b.size, error);
    buffer_free(&b);
    return e->are_listed;
}

static void print_rest(struct examination *e, bool were_kept)
{
    const bool enough = e->causes_count == CAUSES;
    for (size_t n = 0; n < e->count; n++) {
        if (e->differences[n].cause != UNEXPLAINED)
            continue;
        const struct generated_difference *const d = &e->differences[n].is;
        e->verdicts[d->verdict]++;
        if (e->unreduced++ >= NAMED)
            continue;
        print_difference(e->x, d);
        printf("; verdict %s%s; not reduced: %s\n", generated_verdict_name(d->verdict),
               e->x->other->gives_memory && d->agrees ? ": another level agrees" : " so far",
               !were_kept                    ? "findings cannot be kept"
               : interrupted()               ? "interrupted"
               : enough                      ? "enough others were"
               : only_hangs(e->x->other)     ? "nothing has returned"
               : clock_seconds() >= e->until ? "the time is over (--time)"
                                             : "it ended the process that reduces it");
    }
}

static bool collect(struct examination *e, struct error *error)
{
    size_t room = 0;
    for (size_t n = 0; n < e->x->pool.n; n++)
        for (uint32_t k = 0; e->x->done[n] && k < piece_at(e->x, n)->kept; k++) {
            struct difference *larger = array_grow(e->differences, e->count, &room, sizeof *larger);
            if (!larger)
                return error_set(error, ERROR_SYSTEM, "out of memory");
            e->differences = larger;
            e->differences[e->count++] =
                (struct difference){.is = piece_at(e->x, n)->differences[k], .cause = UNEXPLAINED};
        }
    return true;
}

/* When all pieces are done: the differences that have no cause yet are reduced, while there is time. */
static bool examine_all(struct examination *e, struct error *error)
{
    static struct round r;
    const double now = clock_seconds(), end = e->x->start + e->x->plan->seconds;
    e->until = !e->x->plan->is_endless ? now + e->x->plan->time : end > now + LEAST ? end : now + LEAST;
    bool ok = collect(e, error) && explain_by_known(e, error);
    r.e = e;
    for (unsigned tries = 0; tries < 2; tries++)
        while (ok && !only_hangs(e->x->other) && clock_seconds() < e->until && e->causes_count < CAUSES &&
               !interrupted() && choose_round(e, tries, &r))
            ok = run_round(e, &r, error);
    ok |= error->code == ERROR_INTERRUPTED;
    print_rest(e, ok);
    return keep_rest(e, ok ? error : NULL) && ok;
}

/* ---- the summary ---- */

struct totals {
    uint64_t verdicts[MAKE_VERDICTS], groups, answers, declined, unasked, differing, kernels, kept;
    const char *because; /* why the first was declined; NULL: none */
    struct make_coverage coverage;
};

static void add_piece(struct totals *t, const struct piece *p)
{
    for (unsigned v = 0; v < MAKE_VERDICTS; v++)
        t->verdicts[v] += p->verdicts[v];
    t->groups += p->groups;
    t->answers += p->answers;
    t->declined += p->declined;
    t->unasked += p->unasked;
    t->differing += p->differing;
    t->kernels += p->kernels;
    t->kept += p->kept;
    if (p->declined > 0 && !t->because)
        t->because = p->declined_because;
    for (unsigned a = 0; a < MAKE_PAIR_VALUES; a++)
        for (unsigned b = 0; b < MAKE_PAIR_VALUES; b++)
            t->coverage.seen[a][b] += p->coverage.seen[a][b];
}

static void print_causes(const struct examination *e)
{
    for (uint32_t n = 0; n < e->causes_count; n++)
        if (e->causes[n].kernels > 0)
            printf("%s kernel%s: '%s', verdict %s%s\n", number_text(e->causes[n].kernels),
                   e->causes[n].kernels == 1 ? "" : "s", shown(e->causes[n].is.name),
                   generated_verdict_name(e->causes[n].is.verdict), e->causes[n].known ? ", known before" : "");
    if (e->unreduced == 0)
        return;
    printf("%s kernels differ and were not reduced%s; verdicts so far:", number_text(e->unreduced),
           e->are_listed ? " (" REST_FILE ")" : "");
    for (unsigned v = 0, n = 0; v <= VERDICT_OPEN; v++)
        if (e->verdicts[v] > 0)
            printf("%s %s %s", n++ ? "," : "", number_text(e->verdicts[v]),
                   generated_verdict_name((enum generated_verdict)v));
    printf("\n");
}

static void print_levels(const struct other *other)
{
    for (unsigned n = 0; n < other->levels_count && !other->alone; n++)
        printf("%s%u",
               n == 0                        ? (other->levels_count == 1 ? " at level " : " at levels ")
               : n + 1 < other->levels_count ? ", "
                                             : " and ",
               other->levels[n]);
}

/* How the next part of a long run begins. */
static void print_next(const struct cross *x)
{
    const struct kernel_campaign *plan = x->plan;
    const size_t pieces = pieces_done(x);
    const uint64_t covered = pieces * x->each < plan->count ? pieces * x->each : plan->count;
    if (plan->had_enough)
        printf("ended, because so many kernels differ: mend these first\n");
    if (plan->is_endless)
        return;
    if (interrupted() && covered == plan->count)
        printf("interrupted while it reduced\n");
    else if (covered < plan->count)
        printf("%s%s of %s kernels; the rest: --first %" PRIu64 " --count %" PRIu64 "\n",
               interrupted() ? "interrupted: " : "", number_text(covered), number_text(plan->count),
               plan->first + covered, plan->count - covered);
}

static void print_summary(const struct cross *x, const struct examination *e, struct totals *t)
{
    const struct other *other = x->other;
    unsigned seen;
    const unsigned possible = make_coverage_count(&t->coverage, &seen);
    const struct gpu_info *info = &piece_at(x, 0)->info;
    const double seconds = clock_seconds() - x->start;
    const uint64_t clean = t->verdicts[MAKE_CLEAN], refused = t->verdicts[MAKE_WRONG] + t->verdicts[MAKE_UNSETTLED] +
                                                              t->verdicts[MAKE_ENDLESS] + t->verdicts[MAKE_UNREAD];
    print_causes(e);
    if (!other->program)
        printf("%s, sm_%u, driver %s\n", shown(info->device), (unsigned)info->sm, shown(info->driver_name));
    if (getenv("WARPCHECK_GPU_PLANT"))
        printf("A DEFECT IS PLANTED (WARPCHECK_GPU_PLANT)\n");
    printf("%s kernels for %s, %s warp instructions executed, each kernel also by %s", number_text(clean),
           warp_target_name(x->plan->suite.target), number_text(t->groups), other->name);
    print_levels(other);
    printf(": %s answers differ", number_text(t->differing));
    if (t->differing > 0)
        printf(", of %s kernels", number_text(t->kernels));
    printf("\n%u of %u pairs of features; left out, not clean by the executor: %s; %.0f s, %.0f kernels/s\n", seen,
           possible, number_text(refused), seconds, (double)clean / (x->lasted > 0 ? x->lasted : 1));
    if (t->kernels > t->kept)
        printf("not looked at: %s of the kernels that differ\n", number_text(t->kernels - t->kept));
    if (t->declined > 0)
        printf("declined: %s (%s)\n", number_text(t->declined), shown(t->because));
    if (t->unasked > 0 && is_hopeless(other))
        printf("not asked: %s, because %s %s before had hung or faulted, more than one in %u\n",
               number_text(t->unasked), number_text(x->lost), other->gives_memory ? "launches" : "texts",
               LAUNCH_LOST_OF);
    else if (t->unasked > 0)
        printf("not asked: %s, because %s\n", number_text(t->unasked),
               other->gives_memory     ? "the time was over"
               : x->plan->seconds == 0 ? "it had hung at several others of the same module"
                                       : "the time was over, or it had hung at several others of the same module");
    if (!other->gives_memory)
        printf("compared: that each is compiled%s; nothing was executed but by the executor\n",
               x->plan->suite.target < OTHER_OLDEST ? ", for sm_75, which is the oldest target of ptxas" : "");
    print_next(x);
}

static bool write_recording(const struct cross *x, struct error *error)
{
    const struct gpu_info *info = &piece_at(x, 0)->info;
    struct buffer b = {0};
    uint64_t lines = 0;
    buffer_format(&b, "# device: %s, sm_%u, driver %s (CUDA %u.%u)\n", info->device, (unsigned)info->sm,
                  info->driver_name, (unsigned)info->driver / 1000, (unsigned)info->driver % 1000 / 10);
    buffer_text(&b, "# made by: warpcheck cross kernels gpu --record (docs/kernel-suite.md)\n");
    for (size_t n = 0; n < x->pool.n; n++)
        lines += x->done[n] ? piece_at(x, n)->recorded : 0;
    generated_head_text(&x->plan->suite, x->other, lines, &b);
    for (size_t n = 0; n < x->pool.n; n++)
        for (uint32_t k = 0; x->done[n] && k < piece_at(x, n)->recorded; k++)
            generated_line_text(&piece_at(x, n)->lines[k], x->other->levels_count, &b);
    bool ok =
        b.failed ? error_set(error, ERROR_SYSTEM, "out of memory") : file_write(x->plan->record, b.data, b.size, error);
    buffer_free(&b);
    return ok;
}

/* A process, a plugin or an assembler is asked for a kernel without a statement. One that returns from that hangs at
 * some kernels only, and can be looked at; and how long it takes is known. */
static bool ask_simplest(const struct cross *x, struct error *error)
{
    const struct other *const other = x->other;
    struct make_kernel k;
    struct made m;
    struct gpu_info info;
    if (!other->program || !other->past)
        return true;
    make_draw(&x->plan->suite, x->plan->first, &k);
    k.root = 0;
    bool ok = made_set(&m, &k, spec_get()) || error_set(error, ERROR_SYSTEM, "out of memory");
    struct other_ask a = {
        .kernel = &m.kernel, .module = buffer_string(&m.text), .entry = m.name, .before = m.before, .after = m.after};
    ok = ok && other_ask(other, &a, 1, &info, error);
    if (ok)
        count_ending(other, a.ending);
    other_end(other); /* each piece starts its own */
    made_free(&m);
    return ok;
}

int kernel_campaign_run(struct kernel_campaign *plan)
{
    static struct totals t;
    static struct examination e;
    struct other other = plan->other;
    struct cross x = {.plan = plan, .other = &other};
    struct error error = {0};
    e = (struct examination){.x = &x};
    t = (struct totals){0};
    interrupt_catch();
    void *const past = mmap(NULL, sizeof *other.past, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    other.past = past != MAP_FAILED ? past : NULL; /* without it each process knows its own launches alone */
    bool ok = folder_make(plan->out, &error) && folder_is_writable(plan->out, &error) &&
              (!plan->record || file_is_writable(plan->record, &error)) && ask_simplest(&x, &error) &&
              run_pieces(&x, &error);
    plan->had_enough = has_enough(&x);
    other.all = true; /* what differs is looked at, whatever is lost by that */
    const bool is_compared = ok;
    ok = ok && examine_all(&e, &error);
    if (is_compared) {
        make_coverage_start(&t.coverage, plan->suite.target);
        for (size_t n = 0; n < x.pool.n; n++)
            if (x.done[n])
                add_piece(&t, piece_at(&x, n));
        print_summary(&x, &e, &t);
    }
    if (ok && plan->record)
        ok = write_recording(&x, &error);
    other_end(x.other);
    if (other.past)
        munmap(other.past, sizeof *other.past);
    free(e.differences);
    free(x.pieces);
    free(x.done);
    free(x.begun);
    if (!ok) {
        complain("warpcheck %s: %s%s", plan->command, error.code == ERROR_UNAVAILABLE ? "UNAVAILABLE: " : "",
                 error.text);
        return error_status(&error);
    }
    const bool is_cut = interrupted() && !plan->awaits_interrupt;
    if (is_cut && plan->is_endless)
        complain("warpcheck %s: INTERRUPTED: this is what was done so far", plan->command);
    return t.differing == 0 && t.answers > 0 && !is_cut ? STATUS_AGREE : STATUS_MISMATCH;
}
