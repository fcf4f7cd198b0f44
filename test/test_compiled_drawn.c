/*
 * The prover of compiled code on functions that are drawn, of which it is known whether they are right
 * (docs/compiled.md): no verdict may be wrong. The arguments: how many functions, the seed, and `any`, or `lane` for
 * those that each lane calls. A step's name behind these: those that have only this step, at levels that take nothing
 * out of the code.
 */
#include "base/pool.h"
#include "base/process.h"
#include "proofs/score/judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a function, and of a question: what takes longer is open. With a step, which must notice something, long enough.
 */
#define LIMIT_S(step)   ((step) ? 300.0 : 20.0)
#define TIMEOUT_S(step) ((step) ? 30.0 : 2.0)

struct drawing {
    struct judge_plan plan;
    struct judged *judged;
    unsigned ends[JUDGE_ENDS];
};

static void work(void *context, size_t i, void *result)
{
    const struct drawing *d = context;
    judge_function(&d->plan, i, result);
}

static void ended(void *context, size_t i, const struct error *error)
{
    struct drawing *d = context;
    struct judged *j = &d->judged[i];
    if (error != NULL) {
        judge_draw(&d->plan, i, j);
        j->end = error->code == ERROR_TIMEOUT ? JUDGE_OPEN : JUDGE_WRONG;
        snprintf(j->note, sizeof j->note, "%.400s", error->text);
    }
    d->ends[j->end]++;
    if (j->end == JUDGE_WRONG || j->end == JUDGE_BROKEN)
        printf("FAIL: function %zu, %s, %s (%s): %s\n", i, j->wrong ? "wrong" : "right", judge_level_name(j->level),
               j->step, j->note);
}

int main(int argc, char **argv)
{
    const size_t count = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 0;
    struct drawing d = {.plan = {.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
                                 .timeout_s = TIMEOUT_S(argc > 4),
                                 .out = "findings/prover",
                                 .limits.shape = argc > 3 && strcmp(argv[3], "any") != 0 ? argv[3] : NULL,
                                 .limits.bare = argc > 4,
                                 .limits.only = argc > 4 ? argv[4] : NULL,
                                 .plain = argc > 4},
                        .judged = calloc(count + 1, sizeof *d.judged)};
    struct pool pool = {.n = count,
                        .jobs = process_processors(),
                        .size = sizeof *d.judged,
                        .results = d.judged,
                        .limit_s = LIMIT_S(argc > 4),
                        .context = &d,
                        .work = work,
                        .ended = ended};
    struct error error = {.text = "no clang is here"};
    if (d.judged == NULL || !judge_prepare(&d.plan) || !pool_run(&pool, &error)) {
        printf("FAIL: %s\n", error.text);
        return 1;
    }
    printf("%zu functions: %u decided, %u bounded, %u open, %u refused, %u optimized away, %u unseen, %u wrong "
           "verdicts\n",
           count, d.ends[JUDGE_RIGHT], d.ends[JUDGE_BOUNDED], d.ends[JUDGE_OPEN], d.ends[JUDGE_REFUSED],
           d.ends[JUDGE_GONE], d.ends[JUDGE_UNSEEN], d.ends[JUDGE_WRONG]);
    free(d.judged);
    return (d.ends[JUDGE_RIGHT] > 0 || argc > 4) && d.ends[JUDGE_WRONG] + d.ends[JUDGE_BROKEN] == 0 ? 0 : 1;
}
