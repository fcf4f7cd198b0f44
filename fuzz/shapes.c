#include "fuzz/shapes.h"

#include "warpcheck_batch.h"
#include "warpcheck_fast.h"

#include <string.h>

#define STRIP        64u
#define CASE_WORDS   (sizeof(struct warp_case) / sizeof(uint32_t))
#define RESULT_WORDS (sizeof(struct warp_result) / sizeof(uint32_t))

/* Room for the columns of one strip, one word a warp. */
struct words {
    uint32_t a[STRIP], b[STRIP], c[STRIP], membermask[STRIP];
};

static bool alike(const struct warp_case *x, const struct warp_case *y)
{
    return x->form == y->form && x->target == y->target && x->dst == y->dst && x->negate == y->negate;
}

/* Does every active lane of the case hold the same? *value is then what (of a warp without active lanes: lane 0's). */
static bool uniform(const uint32_t operand[WARP_LANES], lanemask active, uint32_t *value)
{
    bool first = true;
    *value = operand[0];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(active >> lane & 1u))
            continue;
        if (!first && operand[lane] != *value)
            return false;
        *value = operand[lane];
        first = false;
    }
    return true;
}

/* One value for all warps, one a warp, or one a lane, whichever is least. `offset` is the operand's place in a case. */
static struct warp_column column(const struct warp_case *cases, size_t n, size_t offset, uint32_t words[STRIP])
{
    const uint32_t *lanes = (const uint32_t *)(const void *)((const char *)cases + offset);
    bool constant = true;
    for (size_t w = 0; w < n; w++) {
        if (!uniform(lanes + w * CASE_WORDS, cases[w].active, &words[w]))
            return (struct warp_column){lanes, CASE_WORDS, false};
        constant = constant && words[w] == words[0];
    }
    return (struct warp_column){words, constant ? 0 : 1, true};
}

/* A mask of each case; left out where every warp has what leaving it out means. */
static struct warp_column mask_column(const lanemask *mask, bool left_out)
{
    return left_out ? (struct warp_column){NULL, 0, true} : (struct warp_column){mask, CASE_WORDS, true};
}

static struct warp_column predicates(const struct warp_case *cases, size_t n, uint32_t words[STRIP])
{
    for (size_t w = 0; w < n; w++) {
        words[w] = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            words[w] |= (cases[w].a[lane] & 1u) << lane;
    }
    return (struct warp_column){words, 1, true};
}

static struct warp_sink sink(uint32_t *values)
{
    return (struct warp_sink){values, RESULT_WORDS};
}

static bool eval_strip(const struct warp_impl *variant, const struct warp_case *c, size_t n, struct warp_result *r,
                       char *error, size_t error_size)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    struct words words;
    struct warp_batch batch = {.form = c->form, .target = c->target, .dst = c->dst, .negate = c->negate, .n = n};
    bool all_live = true, none_exited = true;
    for (size_t w = 0; w < n; w++) {
        all_live = all_live && c[w].active == (lanemask)~c[w].exited;
        none_exited = none_exited && c[w].exited == 0;
    }
    batch.a = info->type == WARP_PRED ? predicates(c, n, words.a) : (struct warp_column){c->a, CASE_WORDS, false};
    batch.a_high = (struct warp_column){c->a_high, CASE_WORDS, false};
    batch.b = column(c, n, offsetof(struct warp_case, b), words.b);
    batch.c = column(c, n, offsetof(struct warp_case, c), words.c);
    batch.membermask = column(c, n, offsetof(struct warp_case, membermask), words.membermask);
    if (batch.membermask.per_warp && batch.membermask.stride == 0 && words.membermask[0] == UINT32_MAX)
        batch.membermask = (struct warp_column){NULL, 0, true};
    batch.active = mask_column(&c->active, all_live);
    batch.exited = mask_column(&c->exited, none_exited);
    memset(r, 0, n * sizeof *r);
    if (warp_form_writes_d(info, c->dst)) {
        batch.d = sink(r->d);
        batch.d_defined = sink(&r->d_defined);
    }
    if (warp_form_writes_p(info, c->dst))
        batch.p = sink(&r->p);
    if (warp_form_is_sync(info)) {
        batch.waits_for = sink(r->waits_for);
        batch.waiting = sink(&r->waiting);
        batch.undefined = sink(&r->undefined);
    }
    batch.done = sink(&r->done);
    return fast_batch_eval(variant, &batch, error, error_size);
}

bool shapes_eval(const struct warp_impl *variant, const struct warp_case *cases, size_t n, struct warp_result *results,
                 char *error, size_t error_size)
{
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && end - first < STRIP && alike(&cases[first], &cases[end]);)
            end++;
        if (!eval_strip(variant, &cases[first], end - first, &results[first], error, error_size))
            return false;
    }
    return true;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    (void)state;
    return shapes_eval(fast_get(), cases, n, results, error, error_size);
}

const struct warp_impl *shapes_get(void)
{
    static const struct warp_impl impl = {.name = "fast-batch",
                                          .description =
                                              "fast through its batch interface, operands as uniform as they are",
                                          .provides = WARP_PART_ALL,
                                          .eval = eval};
    return &impl;
}
