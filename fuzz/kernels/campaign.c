#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "fuzz/kernels/campaign.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "fuzz/kernels/recording.h"
#include "warpcheck_spec.h"

#include <inttypes.h>
#include <stddef.h>
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
    struct kernel_recording_line lines[]; /* when a recording is made */
};

struct cross {
    struct kernel_campaign *plan;
    const struct peer *peer;
    uint32_t each; /* kernels of a piece */
    char *pieces;  /* struct piece, in steps of pool.size */
    bool *done;
    double *begun;
    size_t ended;
    double start, longest; /* longest: of a piece, in seconds */
    uint64_t differing;    /* kernels, so far */
    struct error error;    /* of a piece that could not be done */
    struct pool pool;
    const struct campaign_view *view; /* NULL: no progress is shown */
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
    struct peer_ask *asks; /* of kernel n at a level: ask_of */
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
static struct peer_ask *ask_of(const struct batch *b, uint32_t kernel, unsigned level)
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
            const struct buffer *text = x->peer->alone ? &b->made[k].text : &b->modules[k / b->module];
            *ask_of(b, k, level) = (struct peer_ask){.kernel = &b->made[k].kernel,
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
static bool is_hopeless(const struct peer *peer)
{
    return peer_only_hangs(peer) || (peer->past && launch_is_hopeless(peer->past));
}

/* Counts what has ended in time and what has not. */
static void count_ending(const struct peer *peer, enum peer_ending ending)
{
    if (peer->past && ending != PEER_UNASKED)
        atomic_fetch_add(ending == PEER_HUNG ? &peer->past->lost : &peer->past->returned, 1);
}

/* When nobody is asked any more; 0: never. */
static double end_of(const struct cross *x)
{
    return x->plan->seconds > 0 ? x->start + x->plan->seconds : 0;
}

/* Each alone, of a module at which the assembler hung or crashed. When it has hung at many, other suspects are not
 * asked.
 */
static bool find_hung(const struct peer *peer, struct peer_ask *asks, uint32_t count, struct piece *p)
{
    uint32_t hung = 0;
    bool ok = true;
    for (uint32_t n = 0; ok && n < count; n++) {
        if (asks[n].ending == PEER_HUNG && hung >= HUNG * peer->levels_count) {
            asks[n].ending = PEER_UNASKED;
            continue;
        }
        ok = peer_ask(peer, &asks[n], 1, &p->info, &p->error);
        count_ending(peer, asks[n].ending);
        hung += asks[n].ending == PEER_HUNG;
    }
    return ok;
}

/* A process or a plugin, kernel by kernel: one that hangs costs seconds. So no more are asked when many do, and none in
 * an endless campaign whose time is over. */
static bool ask_one_by_one(const struct cross *x, struct batch *b, struct piece *p)
{
    struct peer peer = *x->peer;
    bool ok = true;
    for (uint32_t n = 0; ok && n < b->count; n++) {
        if (is_hopeless(x->peer)) {
            b->asks[n].ending = PEER_UNASKED;
            continue;
        }
        peer.until = x->plan->is_endless && n > 0 ? end_of(x) : 0;
        ok = peer_ask(&peer, &b->asks[n], 1, &p->info, &p->error);
        count_ending(&peer, b->asks[n].ending);
    }
    return ok;
}

/*
 * What did not return in company is asked again alone: it may have been the company. When so many launches are lost
 * that no others are started any more, one of them stands for all.
 */
static bool ask_alone(const struct cross *x, struct batch *b, uint32_t first, uint32_t end, struct piece *p)
{
    struct peer peer = *x->peer;
    peer.until = peer.gives_memory ? 0 : end_of(x);
    const uint32_t most = is_hopeless(&peer) ? 1 : UINT32_MAX;
    const uint32_t all = (end - first) * b->levels;
    struct peer_ask *again = calloc((size_t)all + 1, sizeof *again);
    uint32_t *which = calloc((size_t)all + 1, sizeof *which), count = 0, hung = 0;
    bool ok = (again && which) || error_set(&p->error, ERROR_SYSTEM, "out of memory");
    for (uint32_t k = first; ok && k < end; k++)
        for (unsigned level = 0; level < b->levels && count < most; level++) {
            struct peer_ask *a = ask_of(b, k, level);
            if (a->ending == PEER_RETURNED || a->ending == PEER_UNASKED ||
                (a->ending == PEER_HUNG && peer.gives_memory && hung++ >= HUNG))
                continue;
            a->module = buffer_string(&b->made[k].text);
            a->why[0] = '\0';
            which[count] = (uint32_t)(a - b->asks);
            again[count++] = *a;
        }
    peer.all = true;
    if (ok && peer.gives_memory)
        ok = count == 0 || peer_ask(&peer, again, count, &p->info, &p->error);
    else
        ok = ok && find_hung(&peer, again, count, p);
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
    struct peer peer = *x->peer;
    bool ok = true;
    peer.until = end_of(x);
    for (uint32_t first = 0, end; ok && first < b->count; first = end) {
        struct peer_ask *const asks = ask_of(b, first, 0);
        const bool hopeless = is_hopeless(x->peer);
        bool hung = false;
        end = b->count - first < b->module ? b->count : first + b->module;
        const uint32_t in = end - first;
        for (unsigned level = 0; ok && level < b->levels; level++) {
            if (!hopeless && !hung)
                ok = peer_ask(&peer, asks + level * in, in, &p->info, &p->error);
            hung |= asks[level * in].ending == PEER_HUNG;
            for (uint32_t n = 0; n < in; n++)
                if (hopeless || hung)
                    asks[level * in + n].ending = hopeless ? PEER_UNASKED : PEER_HUNG;
                else if (asks[n].ending == PEER_RETURNED)
                    count_ending(x->peer, PEER_RETURNED);
        }
        ok = ok && ask_alone(x, b, first, end, p);
    }
    return ok;
}

/* Nothing takes long here: a kernel that hangs is not waited for as long as one that is looked at alone. */
static bool ask_in_company(const struct cross *x, struct batch *b, struct piece *p)
{
    struct peer peer = *x->peer;
    if (peer.alone)
        return ask_one_by_one(x, b, p);
    if (!peer.gives_memory)
        return ask_assembler(x, b, p);
    peer.limit = COMPANY_S;
    return peer_ask(&peer, b->asks, b->count * b->levels, &p->info, &p->error) && ask_alone(x, b, 0, b->count, p);
}

/* What one answer for each level tells already; reducing asks again, at all levels that there are. */
static enum generated_verdict verdict_so_far(const struct cross *x, const struct generated_difference *d,
                                             const uint64_t digests[PEER_LEVELS])
{
    unsigned first = 0, differing = 0;
    bool same = true;
    if (!x->peer->gives_memory || d->agrees != 0 || d->ending == PEER_REFUSED)
        return VERDICT_COMPILER;
    if (x->peer->alone)
        return VERDICT_IMPLEMENTATION;
    for (unsigned level = 0; level < x->peer->levels_count; level++) {
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
    struct kernel_recording_line line;
    bool is_asked = true;
    kernel_recording_set(&line, m);
    for (unsigned level = 0; level < b->levels; level++) {
        const struct peer_ask *a = ask_of(b, k, level);
        line.memory[level] = a->ending == PEER_RETURNED ? kernel_digest(a->after, m->size) : 0;
        is_asked &= a->ending != PEER_UNASKED;
        p->answers += a->ending != PEER_DECLINED && a->ending != PEER_UNASKED;
        p->unasked += a->ending == PEER_UNASKED;
        p->declined += a->ending == PEER_DECLINED;
        if (a->ending == PEER_DECLINED && !p->declined_because[0])
            snprintf(p->declined_because, sizeof p->declined_because, "%.60s", a->why);
        if (!peer_differs(x->peer, m, a)) {
            d.agrees |= (a->ending == PEER_RETURNED ? 1u : 0u) << level;
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
                      .levels = x->peer->levels_count,
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
    peer_end(x->peer);
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
    if ((seconds > 0 && elapsed + x->longest > seconds) || has_enough(x) || is_hopeless(x->peer))
        x->pool.n = begun;
    if (x->view)
        x->view->progress(x->ended, x->pool.n, 0, 0);
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
    const uint64_t share = (plan->count + plan->jobs - 1) / plan->jobs, most = plan->peer.alone ? 256 : PIECE;
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
                            .size = sizeof(struct piece) +
                                    (plan->record ? x->each * sizeof(struct kernel_recording_line) : 0),
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
    if (x->view)
        x->view->began("kernels", "pieces");
    bool ok = pool_run(&x->pool, error) || error->code == ERROR_INTERRUPTED; /* what is done counts */
    if (x->view)
        x->view->over();
    x->plan->lasted = clock_seconds() - x->start;
    x->plan->lost = x->peer->past ? atomic_load(&x->peer->past->lost) : 0;
    if (x->error.code != ERROR_NONE) {
        *error = x->error;
        ok = false;
    }
    return ok;
}

/* When all pieces are done, while there is time. */
static bool examine(const struct cross *x, struct error *error)
{
    struct kernel_campaign *const c = x->plan;
    const double now = clock_seconds(), end = x->start + c->seconds;
    struct generated_difference *const all = calloc(c->kept + 1, sizeof *all);
    size_t count = 0;
    for (size_t n = 0; all && n < x->pool.n; n++)
        for (uint32_t k = 0; x->done[n] && k < piece_at(x, n)->kept; k++)
            all[count++] = piece_at(x, n)->differences[k];
    const bool ok = all ? differences_examine(c, x->peer, all, count,
                                              !c->is_endless      ? now + c->time
                                              : end > now + LEAST ? end
                                                                  : now + LEAST,
                                              error)
                        : error_set(error, ERROR_SYSTEM, "out of memory");
    free(all);
    return ok;
}

/* ---- what came of it ---- */

static void add_piece(struct kernel_campaign *c, const struct piece *p)
{
    for (unsigned v = 0; v < MAKE_VERDICTS; v++)
        c->verdicts[v] += p->verdicts[v];
    c->groups += p->groups;
    c->answers += p->answers;
    c->unasked += p->unasked;
    c->differing += p->differing;
    c->kernels += p->kernels;
    c->kept += p->kept;
    if (p->declined > 0 && c->declined == 0)
        memcpy(c->declined_because, p->declined_because, sizeof c->declined_because);
    c->declined += p->declined;
    for (unsigned a = 0; a < MAKE_PAIR_VALUES; a++)
        for (unsigned b = 0; b < MAKE_PAIR_VALUES; b++)
            c->coverage.seen[a][b] += p->coverage.seen[a][b];
}

static void add_up(const struct cross *x)
{
    struct kernel_campaign *const c = x->plan;
    size_t first = 0; /* that is not done */
    while (first < x->pool.n && x->done[first])
        first++;
    for (size_t n = 0; n < x->pool.n; n++)
        if (x->done[n])
            add_piece(c, piece_at(x, n));
    c->covered = first * x->each < c->count ? first * x->each : c->count;
    c->info = piece_at(x, 0)->info;
    c->is_hopeless = is_hopeless(x->peer);
    c->is_compared = true;
}

static bool write_recording(const struct cross *x, struct error *error)
{
    const struct gpu_info *info = &x->plan->info;
    struct buffer b = {0};
    uint64_t lines = 0;
    buffer_format(&b, "# device: %s, sm_%u, driver %s (CUDA %u.%u)\n", info->device, (unsigned)info->sm,
                  info->driver_name, (unsigned)info->driver / 1000, (unsigned)info->driver % 1000 / 10);
    buffer_text(&b, "# made by: warpcheck cross kernels gpu --record (docs/kernel-suite.md)\n");
    for (size_t n = 0; n < x->pool.n; n++)
        lines += x->done[n] ? piece_at(x, n)->recorded : 0;
    kernel_recording_head(&x->plan->suite, x->peer, lines, &b);
    for (size_t n = 0; n < x->pool.n; n++)
        for (uint32_t k = 0; x->done[n] && k < piece_at(x, n)->recorded; k++)
            kernel_recording_text(&piece_at(x, n)->lines[k], x->peer->levels_count, &b);
    bool ok =
        b.failed ? error_set(error, ERROR_SYSTEM, "out of memory") : file_write(x->plan->record, b.data, b.size, error);
    buffer_free(&b);
    return ok;
}

/* A process, a plugin or an assembler is asked for a kernel without a statement. One that returns from that hangs at
 * some kernels only, and can be looked at; and how long it takes is known. */
static bool ask_simplest(const struct cross *x, struct error *error)
{
    const struct peer *const peer = x->peer;
    struct make_kernel k;
    struct made m;
    struct gpu_info info;
    if (!peer->program || !peer->past)
        return true;
    make_draw(&x->plan->suite, x->plan->first, &k);
    k.root = 0;
    bool ok = made_set(&m, &k, spec_get()) || error_set(error, ERROR_SYSTEM, "out of memory");
    struct peer_ask a = {
        .kernel = &m.kernel, .module = buffer_string(&m.text), .entry = m.name, .before = m.before, .after = m.after};
    ok = ok && peer_ask(peer, &a, 1, &info, error);
    if (ok)
        count_ending(peer, a.ending);
    peer_end(peer); /* each piece starts its own */
    made_free(&m);
    return ok;
}

/* The results of an earlier run with the same campaign. */
static void forget(struct kernel_campaign *c)
{
    const size_t from = offsetof(struct kernel_campaign, is_compared);
    memset((char *)c + from, 0, sizeof *c - from);
    make_coverage_start(&c->coverage, c->suite.target);
}

bool kernel_campaign_run(struct kernel_campaign *plan, struct error *error)
{
    struct peer peer = plan->peer;
    struct cross x = {.plan = plan, .peer = &peer, .view = plan->view ? plan->view->progress : NULL};
    error_clear(error);
    forget(plan);
    interrupt_catch();
    void *const past = mmap(NULL, sizeof *peer.past, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    peer.past = past != MAP_FAILED ? past : NULL; /* without it each process knows its own launches alone */
    bool ok = folder_make(plan->out, error) && folder_is_writable(plan->out, error) &&
              (!plan->record || file_is_writable(plan->record, error)) && ask_simplest(&x, error) &&
              run_pieces(&x, error);
    plan->had_enough = has_enough(&x);
    peer.all = true; /* what differs is looked at, whatever is lost by that */
    if (ok)
        add_up(&x);
    ok = ok && examine(&x, error) && (!plan->record || write_recording(&x, error));
    plan->took = clock_seconds() - x.start;
    peer_end(x.peer);
    if (peer.past)
        munmap(peer.past, sizeof *peer.past);
    free(x.pieces);
    free(x.done);
    free(x.begun);
    return ok;
}
