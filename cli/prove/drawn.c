#include "cli/prove/drawn.h"

#include "base/interrupt.h"
#include "base/pool.h"
#include "cli/command.h"
#include "cli/prove/session.h"
#include "cli/ui/terminal.h"
#include "proofs/score/judge.h"
#include "proofs/warpcheck_compiled.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The limit is of processor time, so that what is open does not depend on what else runs. So often longer may it take.
 */
#define WAIT 10

struct scoring {
    const struct drawn_request *r;
    struct judge_plan plan;
    struct judged *judged;
    bool *has;
    struct proving proving;
};

static void work(void *context, size_t i, void *result)
{
    const struct scoring *s = context;
    judge_function(&s->plan, s->r->first + i, result);
}

/* What takes longer than the limit is open; any other end without a result is a crash. */
static void ended(void *context, size_t i, const struct error *error)
{
    struct scoring *s = context;
    struct judged *j = &s->judged[i];
    s->proving.ended++;
    s->has[i] = true;
    if (error == NULL)
        return;
    judge_draw(&s->plan, s->r->first + i, j);
    j->end = error->code == ERROR_TIMEOUT ? JUDGE_OPEN : JUDGE_WRONG;
    snprintf(j->note, sizeof j->note, "%.400s", error->text);
    if (j->end == JUDGE_WRONG)
        judge_keep(&s->plan, s->r->first + i, j);
}

static void tick(void *context)
{
    struct scoring *s = context;
    proving_show(&s->proving, "");
}

static void print_row(const char *name, const size_t n[2][JUDGE_ENDS])
{
    const size_t *const r = n[0], *const w = n[1];
    size_t all = 0;
    for (unsigned end = 0; end < JUDGE_ENDS; end++)
        all += r[end] + w[end];
    printf("%-12s %6zu | %6zu %7zu %6zu %7zu | %7zu %7zu %6zu %7zu %6zu %7zu | %5zu %6zu\n", name, all, r[JUDGE_RIGHT],
           r[JUDGE_BOUNDED], r[JUDGE_OPEN], r[JUDGE_REFUSED], w[JUDGE_RIGHT], w[JUDGE_BOUNDED], w[JUDGE_OPEN],
           w[JUDGE_REFUSED], w[JUDGE_GONE], w[JUDGE_UNSEEN], r[JUDGE_WRONG] + w[JUDGE_WRONG],
           r[JUDGE_BROKEN] + w[JUDGE_BROKEN]);
}

/* How those ended that have this level and this shape; JUDGE_LEVELS and NULL: any. */
static void count(const struct scoring *s, enum judge_level level, const char *shape, size_t n[2][JUDGE_ENDS])
{
    memset(n, 0, 2 * sizeof *n);
    for (uint64_t i = 0; i < s->r->count; i++) {
        const struct judged *j = &s->judged[i];
        if (s->has[i] && (level == JUDGE_LEVELS || level == j->level) &&
            (shape == NULL || strcmp(shape, j->shape) == 0))
            n[j->wrong][j->end]++;
    }
}

/* A row a level and a shape, and all; how many verdicts are wrong, or could not be had. */
static size_t print_table(const struct scoring *s)
{
    size_t n[2][JUDGE_ENDS];
    const char *shape, *declaration;
    puts("                    | right functions               | wrong functions                               |\n"
         "             drawn  | proved bounded   open refused | refuted bounded   open refused   gone  unseen | "
         "wrong broken");
    for (enum judge_level level = JUDGE_O0; level < JUDGE_LEVELS; level++) {
        count(s, level, NULL, n);
        print_row(judge_level_name(level), n);
    }
    for (size_t i = 0; user_shape_get(i, &shape, &declaration); i++) {
        if (strcmp(shape, "impl") == 0)
            continue; /* not drawn */
        count(s, JUDGE_LEVELS, shape, n);
        print_row(shape, n);
    }
    count(s, JUDGE_LEVELS, NULL, n);
    print_row("all", n);
    return n[0][JUDGE_WRONG] + n[1][JUDGE_WRONG] + n[0][JUDGE_BROKEN] + n[1][JUDGE_BROKEN];
}

static void print_wrong(const struct scoring *s)
{
    for (uint64_t i = 0; i < s->r->count; i++) {
        const struct judged *j = &s->judged[i];
        if (s->has[i] && (j->end == JUDGE_WRONG || j->end == JUDGE_BROKEN))
            printf("%s%s%s: function %" PRIu64 ", %s, %s (%s): %s\n  %s/%" PRIu64 "-%" PRIu64 ".c\n", paint(PAINT_RED),
                   j->end == JUDGE_WRONG ? "WRONG VERDICT" : "BROKEN", paint(PAINT_PLAIN), s->r->first + i,
                   j->wrong ? "wrong" : "right", judge_level_name(j->level), j->step, shown(j->note), s->r->out,
                   s->r->seed, s->r->first + i);
    }
}

int score_prover(const struct drawn_request *r)
{
    struct scoring s = {.r = r, .plan = {.seed = r->seed, .timeout_s = r->timeout, .out = r->out}};
    struct pool pool = {.n = r->count,
                        .jobs = (unsigned)r->jobs,
                        .size = sizeof *s.judged,
                        .limit_s = WAIT * r->limit,
                        .cpu_s = (unsigned)ceil(r->limit),
                        .context = &s,
                        .work = work,
                        .ended = ended,
                        .tick = tick};
    struct error error;
    size_t bad = 0;
    s.plan.limits.only = r->only;
    if (r->only != NULL && !draw_is_step(r->only))
        return usage_error(&command_score, "no step has '%s' in its name (proofs/score/draw.def)", r->only);
    if (!judge_prepare(&s.plan))
        return usage_error(&command_score, "no clang (clang-14 to clang-19) is here");
    if (!compiled_open(&error))
        return usage_error(&command_score, "%s", error.text);
    s.judged = calloc(r->count, sizeof *s.judged);
    s.has = calloc(r->count, sizeof *s.has);
    pool.results = s.judged;
    interrupt_catch();
    proving_begin(&s.proving, "score --prover", r->count, false);
    if (s.judged == NULL || s.has == NULL || !proving_run(&s.proving, &command_score, &pool)) {
        free(s.judged);
        free(s.has);
        return STATUS_USAGE;
    }
    print_wrong(&s);
    bad = print_table(&s);
    if (s.proving.interrupted)
        printf("INTERRUPTED: %zu of %" PRIu64 " functions\n", s.proving.ended, r->count);
    free(s.judged);
    free(s.has);
    return bad > 0 || s.proving.interrupted ? STATUS_MISMATCH : STATUS_AGREE;
}
