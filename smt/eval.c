#include "smt/warpcheck_smt.h"

#include "smt/encode/encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONSTANTS (4u + 4u * WARP_LANES)

/* The terms of one form and destination: the constants of its case, and for each lane its answer packed into two words.
 */
struct compiled {
    bool ready;
    struct smt_warp w;
    term from[CONSTANTS];
    size_t from_count;
    /*
     * The whole answer as one term, so that what the lanes share is looked at once: an application of a function
     * without meaning to, for each lane, flags (done, waiting, undefined, d_defined, p above 32 bits of waits_for) and
     * d.
     */
    term answer;
};

struct evaluator {
    struct smt *s;
    struct compiled forms[WARP_FORMS][WARP_DST_COUNT];
};

enum { FLAG_P = 32, FLAG_D_DEFINED, FLAG_UNDEFINED, FLAG_WAITING, FLAG_DONE };

static void add_constant(struct smt *s, struct compiled *t, term x)
{
    uint64_t literal;
    if (!term_value(s, x, &literal))
        t->from[t->from_count++] = x;
}

static void list_constants(struct smt *s, struct compiled *t)
{
    add_constant(s, t, t->w.convergence);
    add_constant(s, t, t->w.negate);
    add_constant(s, t, t->w.exited);
    add_constant(s, t, t->w.active);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        add_constant(s, t, t->w.a[lane]);
        add_constant(s, t, t->w.b[lane]);
        add_constant(s, t, t->w.c[lane]);
        add_constant(s, t, t->w.membermask[lane]);
    }
}

static term flag(struct smt *s, term x)
{
    return term_ite(s, x, term_bits(s, 1, 1), term_bits(s, 0, 1));
}

static term pack_flags(struct smt *s, const struct smt_lane *r)
{
    term x = term_concat(s, flag(s, r->p), r->waits_for);
    x = term_concat(s, flag(s, r->d_defined), x);
    x = term_concat(s, flag(s, r->undefined), x);
    x = term_concat(s, flag(s, r->waiting), x);
    return term_concat(s, flag(s, r->done), x);
}

static void compile(struct smt *s, struct compiled *t, enum warp_form form, uint32_t dst)
{
    term part[2 * WARP_LANES];
    Z3_sort sort[2 * WARP_LANES];
    Z3_func_decl tuple;
    encode_warp(s, &t->w, form, dst, "case");
    list_constants(s, t);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct smt_lane r;
        encode_lane(s, &t->w, term_word(s, lane), &r);
        part[2 * lane] = pack_flags(s, &r);
        /* a d that is not defined is no value: 0 stands for it */
        part[2 * lane + 1] = term_ite(s, r.d_defined, r.d, term_word(s, 0));
        sort[2 * lane] = Z3_get_sort(s->z3, part[2 * lane]);
        sort[2 * lane + 1] = s->word_sort;
    }
    tuple = Z3_mk_func_decl(s->z3, Z3_mk_string_symbol(s->z3, "answer"), 2 * WARP_LANES, sort, s->bool_sort);
    smt_keep(s, Z3_func_decl_to_ast(s->z3, tuple));
    t->answer = term_simplify(s, smt_keep(s, Z3_mk_app(s->z3, tuple, 2 * WARP_LANES, part)));
    t->ready = true;
}

static term a_of(struct smt *s, const struct smt_warp *w, const struct warp_case *c, unsigned lane)
{
    if (w->info->type == WARP_PRED)
        return term_bool(s, c->a[lane] != 0);
    return w->info->type == WARP_B64 ? term_bits(s, warp_case_a64(c, lane), 64) : term_word(s, c->a[lane]);
}

/* The values of the constants, in the order of list_constants. */
static void list_values(struct smt *s, const struct compiled *t, const struct warp_case *c, term to[CONSTANTS])
{
    const struct warp_form_info *info = t->w.info;
    size_t n = 0;
    to[n++] = term_bool(s, warp_target_needs_convergence(c->target));
    if (info->type == WARP_PRED)
        to[n++] = term_bool(s, c->negate != 0);
    to[n++] = term_word(s, c->exited);
    to[n++] = term_word(s, c->active);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (info->type != WARP_NO_SOURCE)
            to[n++] = a_of(s, &t->w, c, lane);
        if (warp_form_is_shfl(info)) {
            to[n++] = term_word(s, c->b[lane]);
            to[n++] = term_word(s, c->c[lane]);
        }
        if (warp_form_is_sync(info))
            to[n++] = term_word(s, c->membermask[lane]);
    }
}

static void put_flags(uint64_t flags, unsigned lane, struct warp_result *r)
{
    r->p |= (lanemask)(flags >> FLAG_P & 1) << lane;
    r->d_defined |= (lanemask)(flags >> FLAG_D_DEFINED & 1) << lane;
    r->undefined |= (lanemask)(flags >> FLAG_UNDEFINED & 1) << lane;
    r->waiting |= (lanemask)(flags >> FLAG_WAITING & 1) << lane;
    r->done |= (lanemask)(flags >> FLAG_DONE & 1) << lane;
    r->waits_for[lane] = (uint32_t)flags;
}

struct job {
    struct evaluator *e;
    const struct warp_case *c;
    struct warp_result *r;
    bool ok;
};

/* A constant that is left in the answer is a hole in the encoding: an error, not a value. */
static void eval_case(void *context)
{
    struct job *job = context;
    struct smt *s = job->e->s;
    struct compiled *t = &job->e->forms[job->c->form][job->c->dst];
    term to[CONSTANTS];
    Z3_app answer;
    size_t mark;
    if (!t->ready)
        compile(s, t, (enum warp_form)job->c->form, job->c->dst);
    mark = smt_mark(s);
    list_values(s, t, job->c, to);
    answer = Z3_to_app(s->z3, term_simplify(s, term_substitute(s, t->answer, t->from, to, t->from_count)));
    job->ok = true;
    for (unsigned lane = 0; lane < WARP_LANES && job->ok; lane++) {
        uint64_t flags = 0, d = 0;
        job->ok = term_value(s, Z3_get_app_arg(s->z3, answer, 2 * lane), &flags) &&
                  term_value(s, Z3_get_app_arg(s->z3, answer, 2 * lane + 1), &d);
        put_flags(flags, lane, job->r);
        job->r->d[lane] = (uint32_t)d;
    }
    smt_release(s, mark);
}

static bool smt_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                     size_t error_size)
{
    struct evaluator *e = state;
    for (size_t i = 0; i < n; i++) {
        struct job job = {e, &cases[i], &results[i], false};
        memset(&results[i], 0, sizeof results[i]);
        if (!smt_guard(e->s, eval_case, &job)) {
            snprintf(error, error_size, "Z3: %s", e->s->error);
            return false;
        }
        if (!job.ok) {
            snprintf(error, error_size, "the terms of %s do not reduce to a value", warp_form_get(cases[i].form)->name);
            return false;
        }
    }
    return true;
}

static void smt_impl_close(void *state)
{
    struct evaluator *e = state;
    smt_close(e->s);
    e->s = NULL;
    memset(e->forms, 0, sizeof e->forms);
}

const struct warp_impl *smt_get(char *why, size_t why_size)
{
    static struct evaluator evaluator;
    static const struct warp_impl impl = {
        .name = "smt",
        .description = "the Z3 terms of the proofs, evaluated",
        .provides = WARP_PART_ALL,
        .state = &evaluator,
        .eval = smt_eval,
        .close = smt_impl_close,
    };
    if (evaluator.s == NULL)
        evaluator.s = smt_open(0);
    if (evaluator.s == NULL)
        snprintf(why, why_size, "Z3 cannot start: out of memory");
    return evaluator.s != NULL ? &impl : NULL;
}
