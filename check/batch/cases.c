/* Trials by cases. The array of cases ends at a guard page, and so does the array of results. */
#include "check/batch/bench.h"

#include "check/random.h"
#include "warpcheck/bytes.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define CASE_WORDS   (sizeof(struct warp_case) / sizeof(uint32_t))
#define RESULT_WORDS (sizeof(struct warp_result) / sizeof(uint32_t))

/* Three of four cases are like the one before them but for the operands: an implementation may answer them
 * together. */
static void make_cases(const struct batch_layout *l, struct warp_case *cases)
{
    const uint32_t family = WARP_FAMILY_BIT((unsigned)warp_form_get(l->form)->family);
    struct random r = {l->content};
    for (size_t i = 0; i < l->n; i++) {
        struct warp_case *c = &cases[i];
        random_case(l->content, i, family, c);
        if (i == 0 || random_below32(&r, 4) == 0)
            continue;
        memcpy(c->b, cases[i - 1].b, sizeof c->b);
        c->form = cases[i - 1].form;
        c->target = cases[i - 1].target;
        c->dst = cases[i - 1].dst;
        c->negate = cases[i - 1].negate;
        warp_case_repair(c);
    }
}

bool batch_prepare_cases(struct batch_bench *bench)
{
    const struct batch_layout *l = &bench->layout;
    uint32_t *words;
    words = fenced_words(&bench->operands[0], l->n * CASE_WORDS, l->columns[0].at_end);
    bench->out[0] = fenced_words(&bench->results[0], l->n * RESULT_WORDS, l->sinks[0].at_end);
    if (words == NULL || bench->out[0] == NULL)
        return false;
    bench->given = (struct warp_case *)(void *)words;
    bench->got = (struct warp_result *)(void *)bench->out[0];
    fenced_set_canaries(&bench->results[0], bench->out[0], l->n * RESULT_WORDS);
    struct warp_case *const cases = (struct warp_case *)(void *)own_words(&bench->own[0], l->n * CASE_WORDS);
    if (cases == NULL)
        return false;
    make_cases(l, cases);
    memcpy(bench->given, cases, l->n * sizeof *cases);
    bench->asked_cases = cases;
    return true;
}

static bool canaries_live(const struct batch_bench *bench)
{
    const size_t extent = bench->layout.n * RESULT_WORDS;
    const uint32_t *words = bench->out[0];
    const size_t before = fenced_before(&bench->results[0], words, MARGIN);
    const size_t behind = fenced_behind(&bench->results[0], words + extent, MARGIN);
    for (size_t i = 0; i < before; i++)
        if (words[-1 - (ptrdiff_t)i] != CANARY)
            return false;
    for (size_t i = 0; i < behind; i++)
        if (words[extent + i] != CANARY)
            return false;
    return true;
}

static void find_difference(struct batch_bench *bench, size_t first, size_t n, struct batch_outcome *outcome)
{
    struct finding *f = &outcome->finding;
    for (size_t i = 0; i < n; i++) {
        if (warp_result_compare(&bench->asked_cases[first + i], &bench->expected[i], &bench->got[first + i],
                                WARP_PART_ALL, &f->diff))
            continue;
        outcome->fault = BATCH_WRONG;
        outcome->part = "case";
        outcome->warp = first + i;
        f->c = bench->asked_cases[first + i];
        f->reference = bench->expected[i];
        f->observed = bench->got[first + i];
        f->parts = WARP_PART_ALL;
        snprintf(outcome->what, sizeof outcome->what, "case %zu of %zu differs", outcome->warp, bench->layout.n);
        return;
    }
}

bool batch_compare_cases(struct batch_bench *bench, const struct warp_impl *reference, bool answered,
                         struct batch_outcome *outcome)
{
    char error[128];
    if (bench->layout.n > 0)
        outcome->finding.c = bench->asked_cases[0];
    if (answered && !canaries_live(bench)) {
        outcome->fault = BATCH_WROTE;
        outcome->part = "case";
        snprintf(outcome->what, sizeof outcome->what, "writes beside the results of %zu cases", bench->layout.n);
    } else if (answered && memcmp(bench->given, bench->asked_cases, bench->layout.n * sizeof *bench->given) != 0) {
        outcome->fault = BATCH_WROTE;
        outcome->part = "case";
        snprintf(outcome->what, sizeof outcome->what, "writes into the cases that it is asked");
    }
    for (size_t first = 0; first < bench->layout.n && outcome->fault == BATCH_AGREES; first += CHUNK) {
        const size_t left = bench->layout.n - first, n = left < CHUNK ? left : CHUNK;
        if (!reference->eval(reference->state, bench->asked_cases + first, n, bench->expected, error, sizeof error)) {
            outcome->fault = BATCH_UNKNOWN;
            snprintf(outcome->what, sizeof outcome->what, "%s gives no answer: %s", reference->name, error);
            return false;
        }
        for (size_t i = 0; i < n; i++)
            outcome->lanes += lanes_in(bench->asked_cases[first + i].active);
        find_difference(bench, first, n, outcome);
    }
    return outcome->fault == BATCH_AGREES;
}
