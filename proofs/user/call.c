/* The native code on numbers. */
#include "proofs/user/answer.h"
#include "proofs/user/native.h"

#include <stdio.h>
#include <string.h>

#define NATIVE_SECONDS 20.0

/* Lies in shared memory, with the answers behind it. */
struct session {
    const struct user_request *request;
    const struct user_shape *shape;
    const struct user_question *q;
    size_t n;
    struct user_answer *answers;
};

/* What one call gets and leaves; aligned as allocated memory is. */
struct registers {
    _Alignas(64) uint32_t a[WARP_LANES];
    _Alignas(64) uint64_t a64[WARP_LANES];
    _Alignas(64) uint32_t b[WARP_LANES];
    _Alignas(64) uint32_t c[WARP_LANES];
    _Alignas(64) uint32_t d[WARP_LANES];
    uint32_t p, returned;
};

typedef void (*code)(void);
typedef uint32_t lane_code(uint32_t lane, uint32_t b, uint32_t c);
typedef uint32_t lane_p_code(uint32_t lane, uint32_t b, uint32_t c, uint32_t *p);
typedef void shfl_code(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t membermask, uint32_t active,
                       uint32_t *d, uint32_t *p);
typedef void inplace_code(uint32_t *r, const uint32_t *b, const uint32_t *c, uint32_t membermask, uint32_t active,
                          uint32_t *p);
typedef uint32_t vote_code(uint32_t predicates, uint32_t membermask, uint32_t active);
typedef void match_code(const uint32_t *a, uint32_t membermask, uint32_t active, uint32_t *d, uint32_t *p);
typedef void match64_code(const uint64_t *a, uint32_t membermask, uint32_t active, uint32_t *d, uint32_t *p);
typedef uint32_t redux_code(const uint32_t *a, uint32_t membermask, uint32_t active);
typedef bool impl_code(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                       size_t error_size);

static void call(const struct session *s, const struct user_question *q, code f, struct registers *r)
{
    const char *name = s->shape->name;
    const uint32_t members = user_members(q), active = q->c->active, b = q->c->b[q->lane], c = q->c->c[q->lane];
    if (strcmp(name, "lane") == 0)
        r->returned = ((lane_code *)f)(q->lane, b, c);
    else if (strcmp(name, "lane-p") == 0)
        r->returned = ((lane_p_code *)f)(q->lane, b, c, &r->p);
    else if (strcmp(name, "cuda") == 0)
        r->returned = ((lane_code *)f)(q->lane, b, user_cuda_width(s->request->info, c));
    else if (strcmp(name, "shfl") == 0)
        ((shfl_code *)f)(r->a, r->b, r->c, members, active, r->d, &r->p);
    else if (strcmp(name, "shfl-inplace") == 0)
        ((inplace_code *)f)(memcpy(r->d, r->a, sizeof r->d), r->b, r->c, members, active, &r->p);
    else if (strcmp(name, "vote") == 0)
        r->returned = ((vote_code *)f)(user_predicates(q->c), members, active);
    else if (strcmp(name, "match") == 0 && s->request->info->type == WARP_B64)
        ((match64_code *)f)(r->a64, members, active, r->d, &r->p);
    else if (strcmp(name, "match") == 0)
        ((match_code *)f)(r->a, members, active, r->d, &r->p);
    else
        r->returned = ((redux_code *)f)(r->a, members, active);
}

static void take_answer(const struct session *s, const struct user_question *q, const struct registers *r,
                        struct user_answer *answer)
{
    const char *roles = s->shape->roles;
    const bool array = strpbrk(roles, "dr") != NULL;
    const bool p_word = strpbrk(roles, "po") != NULL;
    for (unsigned k = 0; k < WARP_LANES; k++)
        answer->d[k] = array ? r->d[k] : r->returned;
    answer->p = !p_word || s->shape->call == USER_EACH_LANE ? ((p_word ? r->p : r->returned) != 0 ? ~0u : 0u) : r->p;
    answer->p &= s->shape->call == USER_EACH_LANE ? 1u << q->lane : q->group;
}

static void answer_all(void *context, size_t which, code f)
{
    const struct session *s = context;
    (void)which;
    for (size_t i = 0; i < s->n; i++) {
        const struct user_question *q = &s->q[i];
        const uint32_t *before = s->request->before;
        struct registers r = {.p = before != NULL ? before[WARP_LANES] : USER_UNWRITTEN};
        if (s->shape->call == USER_WHOLE_CASE) {
            memset(&s->answers[i].whole, 0xa5, sizeof s->answers[i].whole);
            s->answers[i].given = ((impl_code *)f)(NULL, q->c, 1, &s->answers[i].whole, NULL, 0);
            continue;
        }
        memcpy(r.a, q->c->a, sizeof r.a);
        memcpy(r.b, q->c->b, sizeof r.b);
        memcpy(r.c, q->c->c, sizeof r.c);
        for (unsigned k = 0; k < WARP_LANES; k++) {
            r.a64[k] = warp_case_a64(q->c, k);
            r.d[k] = before != NULL ? before[k] : USER_UNWRITTEN;
        }
        call(s, q, f, &r);
        take_answer(s, q, &r, &s->answers[i]);
        s->answers[i].given = true;
    }
}

bool user_answer_native(const struct user_request *request, const struct user_shape *shape,
                        const struct user_question *q, size_t n, struct user_answer *answers, char *why,
                        size_t why_size)
{
    const size_t size = n * sizeof *answers;
    struct session s = {request, shape, q, n, n == 0 ? NULL : native_memory(size)};
    bool ok;
    if (n == 0)
        return true;
    if (s.answers == NULL) {
        snprintf(why, why_size, "out of memory");
        return false;
    }
    ok = native_call(request->file, &request->function, 1, answer_all, &s, NATIVE_SECONDS, why, why_size);
    if (ok)
        memcpy(answers, s.answers, size);
    for (size_t i = 0; ok && i < n; i++)
        if (!answers[i].given) {
            snprintf(why, why_size, "the function returned false");
            ok = false;
        }
    native_free(s.answers, size);
    return ok;
}
