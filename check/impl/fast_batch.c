#include "check/impl/fast_batch.h"

#include "warpcheck_batch.h"
#include "warpcheck_fast.h"

#include <string.h>

#define STRIP        256u
#define CASE_WORDS   (sizeof(struct warp_case) / sizeof(uint32_t))
#define RESULT_WORDS (sizeof(struct warp_result) / sizeof(uint32_t))

/* Room for the columns and results of one strip, one word a warp. */
struct words {
    uint32_t a[STRIP], b[STRIP], c[STRIP], membermask[STRIP], active[STRIP], exited[STRIP];
    uint32_t p[2 * STRIP], d_defined[2 * STRIP], done[2 * STRIP], waiting[2 * STRIP], undefined[2 * STRIP];
};

static bool alike(const struct warp_case *x, const struct warp_case *y)
{
    return x->form == y->form && x->target == y->target && x->dst == y->dst && x->negate == y->negate;
}

/* Do all active lanes of the case hold the same value? *value is then that value (lane 0's for a warp without
 * active lanes). */
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

/* Lays out an operand in the cheapest way: one value for all warps, one for each warp, or one for each lane.
 * `offset` is the operand's place in a case. */
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

/* A mask of each case. It is left out when every warp has the mask that leaving it out means. */
static struct warp_column mask_column(const struct warp_case *cases, size_t n, bool exited, bool left_out,
                                      uint32_t words[STRIP])
{
    for (size_t w = 0; w < n; w++)
        words[w] = exited ? cases[w].exited : cases[w].active;
    return (struct warp_column){left_out ? NULL : words, left_out ? 0 : 1, true};
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

/* Words side by side, or every second one; they start as garbage that must be overwritten. */
static struct warp_sink words_sink(uint32_t words[2 * STRIP], size_t stride)
{
    memset(words, 0xa5, 2 * STRIP * sizeof *words);
    return (struct warp_sink){words, stride};
}

static struct warp_sink lanes_sink(uint32_t *values)
{
    return (struct warp_sink){values, RESULT_WORDS};
}

/* Asks for the results that the form writes and leaves out the others; rows of lanes only when `rows` is true. */
static void want_results(struct warp_batch *batch, const struct warp_form_info *info, size_t stride, bool rows,
                         struct words *words, struct warp_result *r)
{
    const struct warp_sink left_out = {NULL, 1};
    const bool d = warp_form_writes_d(info, batch->dst), sync = warp_form_is_sync(info);
    batch->d = d && rows ? lanes_sink(r->d) : left_out;
    batch->d_defined = d ? words_sink(words->d_defined, stride) : left_out;
    batch->p = warp_form_writes_p(info, batch->dst) ? words_sink(words->p, stride) : left_out;
    batch->waits_for = sync && rows ? lanes_sink(r->waits_for) : left_out;
    batch->waiting = sync ? words_sink(words->waiting, stride) : left_out;
    batch->undefined = sync ? words_sink(words->undefined, stride) : left_out;
    batch->done = words_sink(words->done, stride);
}

static uint32_t word_of(const struct warp_sink *sink, size_t w)
{
    return sink->values == NULL ? 0 : sink->values[w * sink->stride];
}

/* Is the garbage behind the results, and between results that stand apart, as it was? */
static bool is_untouched(const struct warp_sink *sink, size_t n)
{
    const uint32_t garbage = 0xa5a5a5a5u;
    if (sink->values == NULL)
        return true;
    for (size_t i = 0; i < n * sink->stride; i++)
        if (i % sink->stride != 0 && sink->values[i] != garbage)
            return false;
    return n == STRIP || sink->values[n * sink->stride] == garbage;
}

static void gather_results(const struct warp_batch *batch, struct warp_result *r)
{
    for (size_t w = 0; w < batch->n; w++) {
        r[w].p = word_of(&batch->p, w);
        r[w].d_defined = word_of(&batch->d_defined, w);
        r[w].done = word_of(&batch->done, w);
        r[w].waiting = word_of(&batch->waiting, w);
        r[w].undefined = word_of(&batch->undefined, w);
    }
    if (!is_untouched(&batch->p, batch->n) || !is_untouched(&batch->d_defined, batch->n) ||
        !is_untouched(&batch->done, batch->n) || !is_untouched(&batch->waiting, batch->n) ||
        !is_untouched(&batch->undefined, batch->n))
        r[0].done = ~r[0].done; /* makes the answer wrong, so that it is found */
}

/* One call that leaves the rows of lanes out. */
static bool masks_alone(const struct warp_impl *variant, struct warp_batch *batch, const struct warp_form_info *info,
                        struct words *words, struct warp_result masks[STRIP], char *error, size_t error_size)
{
    want_results(batch, info, 1, false, words, masks);
    if (batch->n % 2 == 0)
        batch->d_defined = (struct warp_sink){NULL, 1};
    if (!fast_batch_eval(variant, batch, error, error_size))
        return false;
    gather_results(batch, masks);
    return true;
}

static void take_masks(const struct warp_result *masks, struct warp_result *r, bool d_defined)
{
    r->p = masks->p;
    if (d_defined)
        r->d_defined = masks->d_defined;
    r->done = masks->done;
    r->waiting = masks->waiting;
    r->undefined = masks->undefined;
}

static bool eval_strip(const struct warp_impl *variant, const struct warp_case *c, size_t n, struct warp_result *r,
                       char *error, size_t error_size)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    static struct words words;
    static struct warp_result masks[STRIP];
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
    batch.active = mask_column(c, n, false, all_live, words.active);
    batch.exited = mask_column(c, n, true, none_exited, words.exited);
    memset(r, 0, n * sizeof *r);
    if ((c->active & 2u) && !masks_alone(variant, &batch, info, &words, masks, error, error_size))
        return false;
    want_results(&batch, info, 1 + (c->active & 1u), true, &words, r);
    if (!fast_batch_eval(variant, &batch, error, error_size))
        return false;
    gather_results(&batch, r);
    for (size_t w = 0; (c->active & 2u) && w < n; w++)
        take_masks(&masks[w], &r[w], n % 2 != 0);
    return true;
}

/*
 * Repeats a few cases up to STRIP warps, so that code for the following blocks of a batch runs too. Every repetition
 * must get the same answer. Returns the last repetition that differs, else the first.
 */
static bool eval_repeated(const struct warp_impl *variant, const struct warp_case *c, size_t n, struct warp_result *r,
                          char *error, size_t error_size)
{
    static struct warp_case cases[STRIP];
    static struct warp_result results[STRIP];
    for (size_t w = 0; w < STRIP; w++)
        cases[w] = c[w % n];
    if (!eval_strip(variant, cases, STRIP, results, error, error_size))
        return false;
    memcpy(r, results, n * sizeof *r);
    for (size_t w = n; w < STRIP; w++)
        if (memcmp(&results[w], &results[w % n], sizeof results[w]) != 0)
            r[w % n] = results[w];
    return true;
}

/* Is the strip repeated? One in sixteen is, chosen by its content, because repeating takes so much longer. */
static bool is_repeated(const struct warp_case *c, size_t n)
{
    uint32_t sum = c->active + 31 * c->exited;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        sum = (sum ^ c->a[lane] ^ c->b[lane] ^ c->membermask[lane]) * 0x9e3779b1u;
    return n < STRIP / 2 && sum >> 28 == 0;
}

bool impl_fast_batch_eval(const struct warp_impl *variant, const struct warp_case *cases, size_t n,
                          struct warp_result *results, char *error, size_t error_size)
{
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && end - first < STRIP && alike(&cases[first], &cases[end]);)
            end++;
        if (!(is_repeated(&cases[first], end - first) ? eval_repeated : eval_strip)(variant, &cases[first], end - first,
                                                                                    &results[first], error, error_size))
            return false;
    }
    return true;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    (void)state;
    return impl_fast_batch_eval(fast_get(), cases, n, results, error, error_size);
}

const struct warp_impl *impl_fast_batch_get(void)
{
    static const struct warp_impl impl = {.name = "fast-batch",
                                          .description =
                                              "fast through its batch interface, operands as uniform as they are",
                                          .provides = WARP_PART_ALL,
                                          .eval = eval};
    return &impl;
}

bool impl_fast_batch_run(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size)
{
    (void)impl;
    return fast_batch_eval(fast_get(), batch, error, error_size);
}
