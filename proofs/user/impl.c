/* The user's function as an implementation. */
#include "model/lanes.h"
#include "proofs/user/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user_impl {
    struct warp_impl impl; /* what others see */
    struct user_request request;
    const struct user_shape *shape;
    bool native;
    struct smt *s; /* not native */
    struct machine *machine;
};

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct user_impl *u = state;
    if (c->form != u->request.info->form) {
        snprintf(why, why_size, "it is %s", u->request.info->name);
        return false;
    }
    for (unsigned k = 0; strcmp(u->shape->name, "cuda") == 0 && k < WARP_LANES; k++)
        if ((c->active >> k & 1u) && user_cuda_width(u->request.info, c->c[k]) == 0) {
            snprintf(why, why_size, "c of lane %u is none that CUDA makes of a width", k);
            return false;
        }
    return true;
}

/* The calls that one case needs; at most one a lane. */
static size_t ask(const struct user_impl *u, const struct warp_case *c, const struct warp_result *expected,
                  struct user_question *q)
{
    lanemask left = expected->done;
    size_t n = 0;
    const bool needs_p = warp_form_writes_p(u->request.info, c->dst);
    if (u->shape->call == USER_WHOLE_CASE) {
        q[0] = (struct user_question){c, 0, 0, expected->d_defined, needs_p};
        return 1;
    }
    for (unsigned k = 0; k < WARP_LANES; k++) {
        if (!(left >> k & 1u))
            continue;
        q[n++] = (struct user_question){c, k, lanes_group(c, k), expected->d_defined, needs_p};
        left &= u->shape->call == USER_EACH_LANE ? ~(1u << k) : ~lanes_group(c, k);
    }
    return n;
}

/* A function of one lane names the lane that it reads. */
static bool read_source(const struct user_question *q, uint32_t source, uint32_t *d, struct error *error)
{
    if (source >= WARP_LANES)
        return error_set(error, ERROR_DECLINED, "lane %u would read lane %u (0x%x), which there is not", q->lane,
                         source, source);
    *d = q->c->a[source];
    return true;
}

static bool take(const struct user_impl *u, const struct user_question *q, const struct user_answer *answer,
                 struct warp_result *r, struct error *error)
{
    if (u->shape->call == USER_WHOLE_CASE) {
        *r = answer->whole;
        return true;
    }
    r->p |= answer->p;
    if (u->shape->call == USER_EACH_LANE)
        return !(q->needs_d >> q->lane & 1u) || read_source(q, answer->d[q->lane], &r->d[q->lane], error);
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (q->group >> k & 1u)
            r->d[k] = answer->d[k];
    return true;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    struct user_impl *u = state;
    const struct warp_impl *spec = u->request.spec;
    struct user_question *q = calloc(n * WARP_LANES + 1, sizeof *q);
    struct user_answer *answers = calloc(n * WARP_LANES + 1, sizeof *answers);
    size_t *of = calloc(n * WARP_LANES + 1, sizeof *of), count = 0;
    struct error why = {0};
    bool ok = q != NULL && answers != NULL && of != NULL;
    if (!ok)
        snprintf(error, error_size, "out of memory");
    for (size_t i = 0; ok && i < n; i++) {
        size_t more;
        ok = spec->eval(spec->state, &cases[i], 1, &results[i], error, error_size);
        more = ok ? ask(u, &cases[i], &results[i], q + count) : 0;
        for (size_t k = 0; k < more; k++)
            of[count + k] = i;
        count += more;
        memset(&results[i], 0, sizeof results[i]);
    }
    if (ok && u->native)
        ok = user_answer_native(&u->request, u->shape, q, count, answers, &why);
    for (size_t i = 0; ok && !u->native && i < count; i++)
        ok = user_answer_translated(u->machine, &u->request, u->shape, &q[i], &answers[i], &why);
    for (size_t i = 0; ok && i < count; i++)
        ok = take(u, &q[i], &answers[i], &results[of[i]], &why);
    if (why.code != ERROR_NONE)
        snprintf(error, error_size, "%s", why.text);
    free(q);
    free(answers);
    free(of);
    return ok;
}

static void close_impl(void *state)
{
    struct user_impl *u = state;
    if (u->machine != NULL)
        machine_close(u->machine);
    if (u->s != NULL) {
        logic_forget(u->s);
        smt_close(u->s);
    }
    free(u);
}

const struct warp_impl *user_impl_open(const struct user_request *request, bool native, struct error *error)
{
    const struct user_shape *shape = user_shape_find(request->shape);
    struct user_impl *u = calloc(1, sizeof *u);
    bool shape_fits = false;
    if (u == NULL)
        error_set(error, ERROR_SYSTEM, "out of memory");
    else
        shape_fits = user_shape_takes(request->shape, request->info, error) && user_check_file(request, shape, error);
    if (!shape_fits) {
        free(u);
        return NULL;
    }
    u->request = *request;
    u->shape = shape;
    u->native = native;
    u->impl = (struct warp_impl){.name = request->function,
                                 .description = native ? "native code of bitcode" : "bitcode, evaluated",
                                 .provides = shape->provides,
                                 .state = u,
                                 .accepts = accepts,
                                 .eval = eval,
                                 .close = close_impl};
    if (native)
        return &u->impl;
    u->s = smt_open(0);
    u->machine = u->s == NULL ? NULL : machine_open(u->s, &request->file, 1, error);
    if (u->machine != NULL)
        return &u->impl;
    if (u->s == NULL)
        error_set(error, ERROR_SYSTEM, "Z3 cannot start");
    close_impl(u);
    return NULL;
}
