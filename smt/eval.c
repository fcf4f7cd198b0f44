#include "smt/warpcheck_smt.h"

#include "smt/encode/encode.h"
#include "smt/term_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONSTANTS (5u + 4u * WARP_LANES)

/* The terms of one form and destination: the constants of its case, and for each lane its answer packed into two words.
 */
struct compiled {
    bool ready;
    struct smt_warp w;
    term from[CONSTANTS +
              WARP_LANES]; /* the constants of the case, then what each lane's d is where it is not defined */
    size_t from_count;     /* of the case */
    /* For each lane flags (done, waiting, undefined, d_defined, p above 32 bits of waits_for) and d. */
    struct term_code *code;
    /* For Z3, the same results as one term, an application of an uninterpreted function to all of them: Z3 then
     * evaluates shared parts once. */
    term answer;
};

struct evaluator {
    struct smt *s;
    bool by_z3; /* evaluates by Z3's simplifier */
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
    add_constant(s, t, t->w.preferred);
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

/* False with s->error when the terms have something that cannot be evaluated. */
static bool compile(struct evaluator *e, struct compiled *t, enum warp_form form, uint32_t dst)
{
    struct smt *s = e->s;
    term part[2 * WARP_LANES];
    encode_warp(s, &t->w, form, dst, "case");
    list_constants(s, t);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct smt_lane r;
        encode_lane(s, &t->w, term_word(s, lane), &r);
        t->from[t->from_count + lane] = r.unpredictable;
        part[2 * lane] = pack_flags(s, &r);
        /* a d that is not defined is no value: 0 stands for it */
        part[2 * lane + 1] = term_ite(s, r.d_defined, r.d, term_word(s, 0));
    }
    if (e->by_z3)
        t->answer = term_simplify(s, term_together(s, part, 2 * WARP_LANES));
    else
        t->code = term_compile(s, part, 2 * WARP_LANES, t->from, t->from_count + WARP_LANES, &s->error);
    t->ready = e->by_z3 || t->code != NULL;
    return t->ready;
}

/* The values of the constants, in the order of list_constants. */
static void list_values(const struct compiled *t, const struct warp_case *c, uint64_t to[CONSTANTS])
{
    const struct warp_form_info *info = t->w.info;
    size_t n = 0;
    to[n++] = warp_target_needs_convergence(c->target);
    if (info->type == WARP_PRED)
        to[n++] = c->negate != 0;
    to[n++] = c->exited;
    to[n++] = c->active;
    if (warp_form_any_leader(info))
        to[n++] = 0; /* elects the lowest lane */
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (info->type == WARP_PRED)
            to[n++] = c->a[lane] != 0;
        else if (info->type != WARP_NO_SOURCE)
            to[n++] = info->type == WARP_B64 ? warp_case_a64(c, lane) : c->a[lane];
        if (warp_form_is_shfl(info)) {
            to[n++] = c->b[lane];
            to[n++] = c->c[lane];
        }
        if (warp_form_is_sync(info))
            to[n++] = c->membermask[lane];
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

/* Stands for a d that is not defined: if it ever reached an answer, that would be no lane's value. */
#define UNPREDICTABLE 0xdeadbeefu

struct job {
    struct evaluator *e;
    const struct warp_case *c;
    struct warp_result *r;
    bool ok;
};

/* A constant that is left in the answer is a gap in the encoding: an error, not a value. */
static bool simplify(struct smt *s, const struct compiled *t, const uint64_t values[CONSTANTS],
                     uint64_t answer[2 * WARP_LANES])
{
    term to[CONSTANTS];
    Z3_app all;
    bool ok = true;
    for (size_t i = 0; i < t->from_count; i++) {
        unsigned width = term_width(s, t->from[i]);
        to[i] = width == 0 ? term_bool(s, values[i] != 0) : term_bits(s, values[i], width);
    }
    all = Z3_to_app(s->z3, term_simplify(s, term_substitute(s, t->answer, t->from, to, t->from_count)));
    for (unsigned i = 0; i < 2 * WARP_LANES && ok; i++)
        ok = term_value(s, Z3_get_app_arg(s->z3, all, i), &answer[i]);
    if (!ok)
        error_set(&s->error, ERROR_INTERNAL, "the terms of %s do not reduce to a value", t->w.info->name);
    return ok;
}

static void eval_case(void *context)
{
    struct job *job = context;
    struct smt *s = job->e->s;
    struct compiled *t = &job->e->forms[job->c->form][job->c->dst];
    uint64_t values[CONSTANTS + WARP_LANES], answer[2 * WARP_LANES] = {0};
    size_t mark;
    if (!t->ready && !compile(job->e, t, (enum warp_form)job->c->form, job->c->dst))
        return;
    list_values(t, job->c, values);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        values[t->from_count + lane] = UNPREDICTABLE;
    mark = smt_mark(s);
    job->ok = !job->e->by_z3 || simplify(s, t, values, answer);
    smt_release(s, mark);
    if (!job->e->by_z3)
        term_code_run(t->code, values, answer);
    for (unsigned lane = 0; lane < WARP_LANES && job->ok; lane++) {
        put_flags(answer[2 * lane], lane, job->r);
        job->r->d[lane] = (uint32_t)answer[2 * lane + 1];
    }
}

static bool smt_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                     size_t error_size)
{
    struct evaluator *e = state;
    for (size_t i = 0; i < n; i++) {
        struct job job = {e, &cases[i], &results[i], false};
        memset(&results[i], 0, sizeof results[i]);
        if (!smt_guard(e->s, eval_case, &job) || !job.ok) {
            snprintf(error, error_size, "Z3: %s", e->s->error.text);
            return false;
        }
    }
    return true;
}

static void smt_impl_close(void *state)
{
    struct evaluator *e = state;
    for (unsigned form = 0; form < WARP_FORMS; form++)
        for (unsigned dst = 0; dst < WARP_DST_COUNT; dst++)
            term_code_free(e->forms[form][dst].code);
    smt_close(e->s);
    e->s = NULL;
    memset(e->forms, 0, sizeof e->forms);
}

/* An implementation whose state is `evaluator`. */
#define EVALUATOR(called, what, evaluator)                                                                             \
    {                                                                                                                  \
        .name = (called), .description = (what), .provides = WARP_PART_ALL, .state = &(evaluator), .eval = smt_eval,   \
        .close = smt_impl_close                                                                                        \
    }

static const struct warp_impl *open_evaluator(struct evaluator *e, const struct warp_impl *impl, struct error *error)
{
    if (e->s == NULL)
        e->s = smt_open(0);
    if (e->s == NULL)
        error_set(error, ERROR_UNAVAILABLE, "Z3 cannot start: out of memory");
    return e->s != NULL ? impl : NULL;
}

const struct warp_impl *smt_get(struct error *error)
{
    static struct evaluator evaluator;
    static const struct warp_impl impl = EVALUATOR("smt", "the Z3 terms of the proofs, evaluated", evaluator);
    return open_evaluator(&evaluator, &impl, error);
}

const struct warp_impl *smt_simplified_get(struct error *error)
{
    static struct evaluator evaluator = {.by_z3 = true};
    static const struct warp_impl impl =
        EVALUATOR("smt-simplified", "the Z3 terms of the proofs, evaluated by Z3's simplifier", evaluator);
    return open_evaluator(&evaluator, &impl, error);
}
