/* warpcheck cross kernels: generated kernels over the executor, and over a device, an assembler or a recording. */
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/kernels/generated.h"
#include "cli/kernels/other.h"
#include "cli/ui/options.h"
#include "warpcheck_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE  4096u /* kernels that one process makes, executes and has executed */
#define MODULE 64u   /* entries of one module */
#define KEPT   64u   /* differences that a piece tells of; others are counted */
#define LOOKED 12u   /* differences that are reduced, each in at most */
#define EACH   20.0  /* seconds */

/* What the work on one piece came to. Copied between processes as it lies in memory. */
struct piece {
    struct error error;
    struct gpu_info info;
    uint64_t verdicts[MAKE_VERDICTS], groups, differing;
    uint32_t kept;
    struct generated_difference differences[KEPT];
    struct make_coverage coverage;
    uint32_t recorded;
    struct generated_line lines[PIECE];
};

struct cross {
    struct other other;
    uint64_t seed, count, jobs;
    uint32_t target, each; /* kernels of a piece */
    const char *out, *record;
    double time, until; /* seconds for reducing, and when they are over */
    struct piece *pieces;
    size_t pieces_count, ended;
    struct error error; /* of a piece that could not be done */
    struct progress progress;
};

/* ---- a piece of work, in a process of its own ---- */

struct batch {
    struct made *made; /* PIECE of them */
    uint32_t count;
    struct buffer modules[PIECE / MODULE];
    struct other_ask *asks; /* of kernel n at a level: ask_of */
};

static bool draw_kernels(const struct cross *x, size_t number, struct batch *b, struct piece *p)
{
    const uint64_t first = number * x->each, end = first + x->each < x->count ? first + x->each : x->count;
    for (uint64_t n = first; n < end; n++) {
        struct made *m = &b->made[b->count];
        struct make_kernel k;
        make_draw(x->seed, n, x->target, &k);
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
        struct buffer *module = &b->modules[b->count / MODULE];
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
    const uint32_t first = kernel / MODULE * MODULE, in = b->count - first < MODULE ? b->count - first : MODULE;
    return &b->asks[first * OTHER_LEVELS + level * in + kernel - first];
}

static bool set_asks(struct batch *b)
{
    b->asks = calloc((size_t)b->count * OTHER_LEVELS + 1, sizeof *b->asks);
    for (uint32_t k = 0; b->asks && k < b->count; k++)
        for (unsigned level = 0; level < OTHER_LEVELS; level++) {
            uint8_t *after = malloc(b->made[k].size);
            *ask_of(b, k, level) = (struct other_ask){.kernel = &b->made[k].kernel,
                                                      .module = buffer_string(&b->modules[k / MODULE]),
                                                      .entry = b->made[k].name,
                                                      .level = level,
                                                      .before = b->made[k].before,
                                                      .after = after};
            if (!after)
                return false;
        }
    return b->asks != NULL;
}

static void note(const struct other_ask *a, struct piece *p)
{
    p->differing++;
    if (p->kept == KEPT)
        return;
    struct generated_difference *d = &p->differences[p->kept++];
    *d = (struct generated_difference){.number = a->kernel->number, .level = a->level, .ending = a->ending};
    memcpy(d->why, a->why, sizeof d->why);
}

/* What did not return in company is asked again alone: it may have been the company. */
static bool look_at(const struct cross *x, struct batch *b, struct piece *p)
{
    for (uint32_t k = 0; k < b->count; k++) {
        struct generated_line *line = &p->lines[p->recorded++];
        const struct made *m = &b->made[k];
        generated_line_set(line, m);
        for (unsigned level = 0; level < OTHER_LEVELS; level++) {
            struct other_ask *a = ask_of(b, k, level);
            if (a->ending != OTHER_RETURNED) {
                a->module = buffer_string(&m->text);
                a->why[0] = '\0';
                if (!x->other.ask(&x->other, a, 1, &p->info, &p->error))
                    return false;
            }
            if (generated_differs(&x->other, m, a))
                note(a, p);
            line->memory[level] = a->ending == OTHER_RETURNED ? generated_digest(a->after, m->size) : 0;
        }
    }
    return true;
}

static void batch_free(struct batch *b)
{
    for (uint32_t n = 0; b->asks && n < b->count * OTHER_LEVELS; n++)
        free(b->asks[n].after);
    for (uint32_t n = 0; n < b->count; n++)
        made_free(&b->made[n]);
    for (unsigned n = 0; n < PIECE / MODULE; n++)
        buffer_free(&b->modules[n]);
    free(b->asks);
    free(b->made);
}

static void work(void *context, size_t number, void *result)
{
    const struct cross *x = context;
    struct piece *p = result;
    struct batch b = {.made = calloc(PIECE, sizeof *b.made)};
    memset(p, 0, sizeof *p);
    make_coverage_start(&p->coverage, x->target);
    if (!b.made)
        error_set(&p->error, ERROR_SYSTEM, "out of memory");
    else if (draw_kernels(x, number, &b, p)) {
        if (!set_asks(&b))
            error_set(&p->error, ERROR_SYSTEM, "out of memory");
        else if (x->other.ask(&x->other, b.asks, b.count * OTHER_LEVELS, &p->info, &p->error))
            look_at(x, &b, p);
    }
    batch_free(&b);
}

/* ---- all pieces ---- */

static void ended(void *context, size_t number, const struct error *error)
{
    struct cross *x = context;
    const struct error *why = error ? error : &x->pieces[number].error;
    x->ended++;
    if (why->code != ERROR_NONE && x->error.code == ERROR_NONE)
        x->error = *why;
}

static void tick(void *context)
{
    struct cross *x = context;
    progress_update(&x->progress, x->ended, x->pieces_count, 0, 0);
}

/* Nothing can be asked: the rest cannot either. */
static bool stop(void *context)
{
    const struct cross *x = context;
    return x->error.code != ERROR_NONE;
}

static bool run_pieces(struct cross *x, struct error *error)
{
    const uint64_t share = (x->count + x->jobs - 1) / x->jobs;
    x->each = share < PIECE ? (uint32_t)share : PIECE;
    x->pieces_count = (size_t)((x->count + x->each - 1) / x->each);
    x->pieces = calloc(x->pieces_count, sizeof *x->pieces);
    if (!x->pieces)
        return error_set(error, ERROR_SYSTEM, "out of memory for the results of %zu pieces", x->pieces_count);
    struct pool pool = {.n = x->pieces_count,
                        .jobs = (unsigned)x->jobs,
                        .size = sizeof *x->pieces,
                        .results = x->pieces,
                        .context = x,
                        .work = work,
                        .ended = ended,
                        .tick = tick,
                        .stop = stop};
    progress_start(&x->progress, "kernels");
    x->progress.unit = "pieces";
    bool ok = pool_run(&pool, error);
    progress_end(&x->progress);
    if (x->error.code != ERROR_NONE) {
        *error = x->error;
        ok = false;
    }
    return ok;
}

/* ---- what came of it ---- */

/* Differences that were reduced, and what they came to. */
struct looked {
    struct generated_difference of[LOOKED];
    struct generated_finding findings[LOOKED];
    unsigned count;
};

static void print_difference(const struct cross *x, const struct generated_difference *d)
{
    printf("DIFFERENT: kernel %" PRIu64 " at level %u: %s%s%s", d->number, x->other.levels[d->level],
           d->ending == OTHER_RETURNED ? "other memory" : other_ending_name(d->ending), d->why[0] ? " " : "",
           shown(d->why));
}

static bool examine(struct cross *x, const struct generated_difference *d, struct looked *looked, struct error *error)
{
    struct generated_finding *f = &looked->findings[looked->count];
    const double end = clock_seconds() + EACH;
    char path[FILE_PATH_MAX], text[FILE_PATH_MAX];
    for (unsigned n = 0; n < looked->count; n++)
        if (generated_is_like(d, x->seed, x->target, &looked->of[n], &looked->findings[n])) {
            print_difference(x, d);
            printf("; perhaps as '%s'\n", looked->findings[n].name);
            return true;
        }
    print_difference(x, d);
    if (looked->count == LOOKED || clock_seconds() >= x->until) {
        printf("; not reduced: %s\n", looked->count == LOOKED ? "enough others were" : "the time is over (--time)");
        return true;
    }
    fflush(stdout);
    bool ok = generated_examine(&x->other, x->seed, x->target, d, 150, end < x->until ? end : x->until, f, error) &&
              generated_keep(&x->other, d, f, x->out, path, error);
    if (ok)
        printf("\n  verdict %s; reduced: %s\n", generated_verdict_name(f->verdict),
               text_quote(path, text, sizeof text));
    else
        printf("\n");
    looked->of[looked->count++] = *d;
    return ok;
}

/* When all pieces are done: the first ones of each kind are reduced, while there is time; all are named. */
static bool examine_all(struct cross *x, struct error *error)
{
    static struct looked looked;
    bool ok = true;
    x->until = clock_seconds() + x->time;
    for (size_t n = 0; n < x->pieces_count; n++)
        for (uint32_t k = 0; ok && k < x->pieces[n].kept && !interrupted(); k++)
            ok = examine(x, &x->pieces[n].differences[k], &looked, error);
    return ok;
}

static void add_coverage(struct make_coverage *all, const struct make_coverage *one)
{
    for (unsigned a = 0; a < MAKE_PAIR_VALUES; a++)
        for (unsigned b = 0; b < MAKE_PAIR_VALUES; b++)
            all->seen[a][b] += one->seen[a][b];
}

static uint64_t print_summary(const struct cross *x, double seconds, uint64_t *differing)
{
    static struct make_coverage coverage;
    uint64_t verdicts[MAKE_VERDICTS] = {0}, groups = 0;
    unsigned seen;
    *differing = 0;
    make_coverage_start(&coverage, x->target);
    for (size_t n = 0; n < x->pieces_count; n++) {
        const struct piece *p = &x->pieces[n];
        for (unsigned v = 0; v < MAKE_VERDICTS; v++)
            verdicts[v] += p->verdicts[v];
        groups += p->groups;
        *differing += p->differing;
        add_coverage(&coverage, &p->coverage);
    }
    const unsigned possible = make_coverage_count(&coverage, &seen);
    const struct gpu_info *info = &x->pieces[0].info;
    if (x->other.gives_memory)
        printf("%s, sm_%u, driver %s%s\n", shown(info->device), (unsigned)info->sm, shown(info->driver_name),
               getenv("WARPCHECK_GPU_PLANT") ? "; A DEFECT IS PLANTED (WARPCHECK_GPU_PLANT)" : "");
    printf("%s kernels for %s, %s warp instructions executed, each kernel also by %s at levels %u and %u: %s answers "
           "differ\n",
           number_text(verdicts[MAKE_CLEAN]), warp_target_name(x->target), number_text(groups), x->other.name,
           x->other.levels[0], x->other.levels[1], number_text(*differing));
    printf(
        "%u of %u pairs of features; left out, not clean by the executor: %s; %.0f s\n", seen, possible,
        number_text(verdicts[MAKE_WRONG] + verdicts[MAKE_UNSETTLED] + verdicts[MAKE_ENDLESS] + verdicts[MAKE_UNREAD]),
        seconds);
    if (!x->other.gives_memory)
        printf("compared: that each is compiled; nothing was executed but by the executor\n");
    return verdicts[MAKE_CLEAN];
}

static bool write_recording(const struct cross *x, struct error *error)
{
    const struct gpu_info *info = &x->pieces[0].info;
    struct buffer b = {0};
    buffer_format(&b, "# device: %s, sm_%u, driver %s (CUDA %u.%u)\n", info->device, (unsigned)info->sm,
                  info->driver_name, (unsigned)info->driver / 1000, (unsigned)info->driver % 1000 / 10);
    buffer_format(&b,
                  "# made by: warpcheck cross kernels gpu --record (docs/kernel-suite.md)\nsuite seed=%" PRIu64
                  " target=%s\n",
                  x->seed, warp_target_name(x->target));
    for (size_t n = 0; n < x->pieces_count; n++)
        for (uint32_t k = 0; k < x->pieces[n].recorded; k++)
            generated_line_text(&x->pieces[n].lines[k], &b);
    bool ok = b.failed ? error_set(error, ERROR_SYSTEM, "out of memory") : file_write(x->record, b.data, b.size, error);
    buffer_free(&b);
    return ok;
}

static int cross_other(struct cross *x)
{
    struct error error = {0};
    const double start = clock_seconds();
    uint64_t differing = 0, compared = 0;
    bool ok = run_pieces(x, &error) && examine_all(x, &error);
    if (ok)
        compared = print_summary(x, clock_seconds() - start, &differing);
    if (ok && x->record)
        ok = write_recording(x, &error);
    free(x->pieces);
    if (!ok) {
        complain("warpcheck cross kernels: %s%s", error.code == ERROR_UNAVAILABLE ? "UNAVAILABLE: " : "", error.text);
        return STATUS_USAGE;
    }
    return differing == 0 && compared > 0 ? STATUS_AGREE : STATUS_MISMATCH;
}

/* ---- a recording ---- */

struct replayed {
    uint64_t agree, differ, changed;
    uint64_t compiler; /* one level of the optimizer left what the executor leaves, another one did not */
};

static bool replay_line(const struct generated_recording *r, const struct generated_line *line, struct replayed *count)
{
    struct make_kernel k;
    struct made m;
    struct generated_line now;
    make_draw(r->seed, line->number, r->target, &k);
    bool ok = made_set(&m, &k, spec_get());
    if (ok) {
        generated_line_set(&now, &m);
        if (now.text != line->text) {
            count->changed++;
        } else {
            unsigned agree = 0;
            for (unsigned level = 0; level < OTHER_LEVELS; level++)
                agree += m.answer.verdict == MAKE_CLEAN && now.expected == line->memory[level];
            count->agree += agree == OTHER_LEVELS;
            count->compiler += agree > 0 && agree < OTHER_LEVELS;
            count->differ += agree == 0;
            if (agree < OTHER_LEVELS)
                printf("%s: kernel %" PRIu64 ": the device left other memory than the executor leaves at %s\n",
                       agree ? "COMPILER" : "DIFFERENT", line->number, agree ? "one level" : "all levels");
        }
    }
    made_free(&m);
    return ok;
}

static int cross_recording(const char *path)
{
    struct generated_recording r;
    struct replayed count = {0};
    struct error error = {0};
    bool ok = generated_load(path, &r, &error);
    for (size_t n = 0; ok && n < r.count && !interrupted(); n++)
        ok = replay_line(&r, &r.lines[n], &count) || error_set(&error, ERROR_SYSTEM, "out of memory");
    if (ok && interrupted())
        ok = error_set(&error, ERROR_INTERRUPTED, "interrupted");
    if (ok)
        printf("%s: %s kernels leave what the device left at both levels, %s do not; %s leave what one level left and "
               "another did not; not compared, because the generator writes other kernels now: %s\n",
               shown(r.device), number_text(count.agree), number_text(count.differ), number_text(count.compiler),
               number_text(count.changed));
    generated_free(&r);
    if (!ok) {
        complain("warpcheck cross kernels: %s", error.text);
        return STATUS_USAGE;
    }
    return count.differ == 0 && count.agree > 0 ? STATUS_AGREE : STATUS_MISMATCH;
}

/* ---- the command ---- */

static int cross_kernels_main(int argc, char **argv)
{
    static struct cross x = {.seed = 1, .count = 1000, .out = "findings", .time = 120};
    const char *target = "sm_90";
    x.jobs = process_processors();
    const struct option table[] = {
        {OPT_COUNT_KERNELS, &x.count, NULL, false},
        {OPT_SEED, &x.seed, NULL, false},
        {OPT_TARGET_SM, &target, NULL, false},
        {OPT_JOBS, &x.jobs, "as many as processors", false},
        {OPT_OUT, &x.out, NULL, false},
        {OPT_RECORD_KERNELS, &x.record, NULL, false},
        {OPT_TIME_REDUCE, &x.time, NULL, false},
    };
    int operands = options_parse(&command_cross_kernels, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != 1)
        return usage_error(&command_cross_kernels, "needs one other side: gpu, ptxas, or a recording");
    if (warp_target_find(target) == NULL)
        return usage_error(&command_cross_kernels, "no target '%s'; for example sm_70, sm_90, sm_100a", shown(target));
    x.target = warp_target_find(target)->target;
    interrupt_catch();
    if (!other_find(argv[1], &x.other))
        return cross_recording(argv[1]);
    if (x.record && getenv("WARPCHECK_GPU_PLANT"))
        return usage_error(&command_cross_kernels, "--record keeps no answers while a defect is planted "
                                                   "(WARPCHECK_GPU_PLANT)");
    if (x.record && !x.other.gives_memory)
        return usage_error(&command_cross_kernels, "--record keeps what a device left: %s gives no memory",
                           x.other.name);
    return cross_other(&x);
}

const struct command command_cross_kernels = {
    .name = "cross kernels",
    .summary = "generated kernels, over the executor and a GPU or ptxas",
    .help = "usage: warpcheck cross kernels gpu|ptxas|RECORDING [OPTION...]\n"
            "\n"
            "Draws kernels that are defined (docs/kernel-suite.md), executes each, and has it executed by the first\n"
            "CUDA device, compiled by the driver at levels 0 and 4: memory must be the same bit for bit. `ptxas` only\n"
            "compiles (at 0 and 3; WARPCHECK_PTXAS names another): crashes, hangs and refusals count. A recording\n"
            "(--record) is compared without a device. What differs is reduced, named with who is wrong, and kept.\n"
            "Exit status 0: all agree; 1: some differ, or nothing was compared; 2: no device, or wrong usage.\n"
            "\n"
            "  warpcheck cross kernels gpu --count 1000000\n"
            "  warpcheck cross kernels ptxas --target sm_100a\n",
    .run = cross_kernels_main};
