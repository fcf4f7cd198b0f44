#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "cli/kernels/campaign.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/kernels/differences.h"
#include "cli/kernels/generated.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "warpcheck_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PIECE     2048u /* kernels that one process makes, executes and has executed, at most; */
#define PIECES    8192u /* and how many such pieces there are, at most */
#define HUNG      4u    /* launches that hung in company and are asked again alone; of more it is believed */
#define KEPT      64u   /* differences that a piece tells of; others are counted */
#define COMPANY_S 2.0   /* that a launch among many may take */
#define PART      3.0   /* of an endless campaign's time: for reducing, when something differs; */
#define LEAST     5.0   /* and seconds for it that there are in any case */
#define ENOUGH    512u  /* kernels differ: an endless campaign compares no more */

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

/* Are so many lost that no others are asked? */
static bool is_hopeless(const struct other *other)
{
    return other_only_hangs(other) || (other->past && launch_is_hopeless(other->past));
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

/* When all pieces are done, while there is time. */
static bool examine(const struct cross *x, struct differences *differences, struct error *error)
{
    const double now = clock_seconds(), end = x->start + x->plan->seconds;
    bool ok = true;
    for (size_t n = 0; n < x->pool.n; n++)
        for (uint32_t k = 0; ok && x->done[n] && k < piece_at(x, n)->kept; k++)
            ok = differences_add(differences, &piece_at(x, n)->differences[k], error);
    return ok && differences_examine(differences,
                                     !x->plan->is_endless ? now + x->plan->time
                                     : end > now + LEAST  ? end
                                                          : now + LEAST,
                                     error);
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

static void print_summary(const struct cross *x, const struct differences *differences, struct totals *t)
{
    const struct other *other = x->other;
    unsigned seen;
    const unsigned possible = make_coverage_count(&t->coverage, &seen);
    const struct gpu_info *info = &piece_at(x, 0)->info;
    const double seconds = clock_seconds() - x->start;
    const uint64_t clean = t->verdicts[MAKE_CLEAN], refused = t->verdicts[MAKE_WRONG] + t->verdicts[MAKE_UNSETTLED] +
                                                              t->verdicts[MAKE_ENDLESS] + t->verdicts[MAKE_UNREAD];
    differences_print_causes(differences);
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
    struct other other = plan->other;
    struct cross x = {.plan = plan, .other = &other};
    struct error error = {0};
    struct differences *const differences = differences_open(plan, &other);
    t = (struct totals){0};
    interrupt_catch();
    void *const past = mmap(NULL, sizeof *other.past, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    other.past = past != MAP_FAILED ? past : NULL; /* without it each process knows its own launches alone */
    bool ok = (differences || error_set(&error, ERROR_SYSTEM, "out of memory")) && folder_make(plan->out, &error) &&
              folder_is_writable(plan->out, &error) && (!plan->record || file_is_writable(plan->record, &error)) &&
              ask_simplest(&x, &error) && run_pieces(&x, &error);
    plan->had_enough = has_enough(&x);
    other.all = true; /* what differs is looked at, whatever is lost by that */
    const bool is_compared = ok;
    ok = ok && examine(&x, differences, &error);
    if (is_compared) {
        make_coverage_start(&t.coverage, plan->suite.target);
        for (size_t n = 0; n < x.pool.n; n++)
            if (x.done[n])
                add_piece(&t, piece_at(&x, n));
        print_summary(&x, differences, &t);
    }
    if (ok && plan->record)
        ok = write_recording(&x, &error);
    other_end(x.other);
    if (other.past)
        munmap(other.past, sizeof *other.past);
    differences_free(differences);
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
