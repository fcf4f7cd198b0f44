/* The implementations: cases are batches whose arrays lie inside structures. */
#include "warpcheck_fast.h"

#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE_WORDS   (sizeof(struct warp_case) / sizeof(uint32_t))
#define RESULT_WORDS (sizeof(struct warp_result) / sizeof(uint32_t))
_Static_assert(sizeof(struct warp_case) % sizeof(uint32_t) == 0 && sizeof(struct warp_result) % sizeof(uint32_t) == 0,
               "strides");

#define MAX_VARIANTS 8

static struct warp_column per_lane(const uint32_t *values)
{
    return (struct warp_column){values, CASE_WORDS, false};
}

static struct warp_column per_warp(const uint32_t *values)
{
    return (struct warp_column){values, CASE_WORDS, true};
}

static struct warp_sink sink(uint32_t *values)
{
    return (struct warp_sink){values, RESULT_WORDS};
}

/* n cases that are alike. */
static void eval_alike(const struct fast_kernels *kernels, const struct warp_case *c, size_t n, struct warp_result *r)
{
    const struct warp_batch batch = {
        .form = c->form,
        .target = c->target,
        .dst = c->dst,
        .negate = c->negate,
        .n = n,
        .a = per_lane(c->a),
        .a_high = per_lane(c->a_high),
        .b = per_lane(c->b),
        .c = per_lane(c->c),
        .membermask = per_lane(c->membermask),
        .active = per_warp(&c->active),
        .exited = per_warp(&c->exited),
        .d = sink(r->d),
        .waits_for = sink(r->waits_for),
        .p = sink(&r->p),
        .d_defined = sink(&r->d_defined),
        .done = sink(&r->done),
        .waiting = sink(&r->waiting),
        .undefined = sink(&r->undefined),
    };
    fast_batch_run(kernels, &batch);
    for (size_t i = 0; i < n; i++)
        memset(r[i].reserved, 0, sizeof r[i].reserved);
}

/* The only property of the target that matters: up to sm_6x, or later. */
static bool alike(const struct warp_case *x, const struct warp_case *y)
{
    return x->form == y->form && x->dst == y->dst && x->negate == y->negate &&
           (x->target == y->target ||
            warp_target_needs_convergence(x->target) == warp_target_needs_convergence(y->target));
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct fast_kernels *kernels = state;
    (void)error, (void)error_size;
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && alike(&cases[first], &cases[end]);)
            end++;
        eval_alike(kernels, &cases[first], end - first, &results[first]);
    }
    return true;
}

/* The interface wants a state that is not const; eval does not write it. */
static struct warp_impl make_impl(const char *name, const char *description, const struct fast_kernels *kernels)
{
    union {
        const struct fast_kernels *kernels;
        void *state;
    } u = {.kernels = kernels};
    return (struct warp_impl){
        .name = name, .description = description, .provides = WARP_PART_ALL, .state = u.state, .eval = eval};
}

/* Filled on first use, always with the same content, so that a race of first uses is harmless in practice; call once
 * before threads. */
static struct warp_impl impls[MAX_VARIANTS];

bool fast_variant_get(size_t i, struct fast_variant *variant)
{
    size_t count;
    const struct variant_info *v = fast_variants(&count);
    if (i >= count)
        return false;
    *variant = (struct fast_variant){.name = v[i].name, .description = v[i].description};
    variant->unavailable = fast_variant_obstacle(&v[i]);
    if (variant->unavailable == NULL) {
        if (impls[i].eval == NULL)
            impls[i] = make_impl(v[i].name, v[i].description, v[i].kernels);
        variant->impl = &impls[i];
    }
    return true;
}

const struct warp_impl *fast_portable_get(void)
{
    struct fast_variant variant = {0};
    fast_variant_get(0, &variant);
    return variant.impl;
}

static struct warp_impl chosen; /* "fast" */
static char complaint[160];     /* why the wanted variant cannot be used */

static bool eval_unusable(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                          char *error, size_t error_size)
{
    (void)state, (void)cases, (void)n, (void)results;
    if (error_size > 0)
        snprintf(error, error_size, "%s", complaint);
    return false;
}

static const char *const prefix = "fast-";

static bool is_named(const struct variant_info *v, const char *name)
{
    return strcmp(v->name, name) == 0 || strcmp(v->name + strlen(prefix), name) == 0;
}

/* The variant of that name, or the fastest that works. NULL: `why` says what is wrong. */
static const struct variant_info *choose(const char *name, char *why, size_t why_size)
{
    size_t count;
    const struct variant_info *v = fast_variants(&count), *best = NULL;
    const bool automatic = name == NULL || *name == '\0';
    int used = snprintf(why, why_size, "fast has no variant '%s'; it has", automatic ? "" : name);
    for (size_t i = 0; i < count; i++) {
        const char *obstacle = fast_variant_obstacle(&v[i]);
        if (automatic && obstacle == NULL)
            best = &v[i];
        if (!automatic && is_named(&v[i], name)) {
            if (obstacle != NULL)
                snprintf(why, why_size, "%s is UNAVAILABLE here: %s", v[i].name, obstacle);
            return obstacle == NULL ? &v[i] : NULL;
        }
        if (used >= 0 && (size_t)used < why_size)
            used += snprintf(why + used, why_size - (size_t)used, " %s", v[i].name + strlen(prefix));
    }
    return best;
}

bool fast_select(const char *name, char *error, size_t error_size)
{
    const struct variant_info *v;
    char why[sizeof complaint];
    v = choose(name, why, sizeof why);
    if (v == NULL) {
        if (error_size > 0)
            snprintf(error, error_size, "%s", why);
        return false;
    }
    chosen = make_impl("fast", v->description, v->kernels);
    return true;
}

const struct warp_impl *fast_get(void)
{
    if (chosen.eval == NULL && !fast_select(getenv("WARPCHECK_FAST"), complaint, sizeof complaint)) {
        chosen = make_impl("fast", "unusable: the environment variable WARPCHECK_FAST names no variant of this machine",
                           NULL);
        chosen.eval = eval_unusable;
    }
    return &chosen;
}

/* Returns NULL when the batch is valid, else what is wrong. */
static const char *find_fault(const struct warp_batch *batch)
{
    const struct warp_form_info *info = warp_form_get(batch->form);
    if (info == NULL)
        return "unknown instruction form";
    if (batch->dst >= WARP_DST_COUNT || !(info->destinations >> batch->dst & 1u))
        return "the instruction does not take these destinations";
    if (batch->negate > 1 || (batch->negate == 1 && info->type != WARP_PRED))
        return "only a source predicate can be negated";
    if (info->type != WARP_NO_SOURCE && batch->a.values == NULL)
        return "the operand a is missing";
    if (batch->a.per_warp && info->type != WARP_PRED)
        return "a is per lane: only predicates may come as one lane mask a warp";
    if (info->type == WARP_B64 && (batch->a_high.values == NULL || batch->a_high.per_warp))
        return "a_high is missing or not per lane";
    if (warp_form_is_shfl(info) && (batch->b.values == NULL || batch->c.values == NULL))
        return "shfl needs the operands b and c";
    return NULL;
}

bool fast_batch_eval(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size)
{
    const char *fault = impl->eval == eval            ? find_fault(batch)
                        : impl->eval == eval_unusable ? complaint
                                                      : "not an implementation of fast";
    if (fault != NULL) {
        if (error_size > 0)
            snprintf(error, error_size, "%s", fault);
        return false;
    }
    fast_batch_run(impl->state, batch);
    return true;
}
