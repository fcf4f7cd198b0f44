/* A user's function on numbers: by the translator, and as native code. */
#include "proofs/user/answer.h"

#include "proofs/user/adapt.h"
#include "proofs/user/native.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct work {
    const struct user_request *request;
    const struct user_shape *shape;
    const struct user_question *q;
    struct user_answer *answer;
    bool inverted; /* what d and *p hold before the call */
};

lanemask user_members(const struct user_question *q)
{
    return warp_form_is_sync(warp_form_get(q->c->form)) ? q->c->membermask[q->lane] : q->c->active;
}

lanemask user_predicates(const struct warp_case *c)
{
    lanemask p = 0;
    for (unsigned k = 0; k < WARP_LANES; k++)
        p |= (lanemask)((c->a[k] != 0) != (c->negate != 0)) << k;
    return p;
}

static bool is_poison(struct machine *machine, const struct scalar *x)
{
    struct smt *s = machine->m.s;
    return x->poison != NULL && !is_false(s, smt_keep(s, Z3_simplify(s->z3, x->poison)));
}

/* Stops where x is poison. */
static uint32_t number_of(struct machine *machine, const struct scalar *x, const char *what, unsigned lane)
{
    struct maker *m = &machine->m;
    uint64_t number = 0;
    if (is_poison(machine, x))
        fail(m, "%s of lane %u depends on a value that is not initialized, or poison", what, lane);
    if (!is_known(x, &number) && !term_value(m->s, smt_keep(m->s, Z3_simplify(m->s->z3, as_term(m, x))), &number))
        fail(m, "%s of lane %u is no number", what, lane);
    return (uint32_t)number;
}

/* What d and *p hold: the same, but for each bit the other way round, shows what depends on it. */
static uint32_t before(const struct work *w, unsigned i)
{
    const uint32_t x = w->request->before != NULL ? w->request->before[i] : USER_UNWRITTEN;
    return w->inverted ? ~x : x;
}

static void take_inputs(struct machine *machine, const struct work *w, struct user_inputs *in)
{
    struct maker *m = &machine->m;
    const struct warp_case *c = w->q->c;
    *in = (struct user_inputs){.lane = w->q->lane, .width = user_cuda_width(w->request->info, c->c[w->q->lane])};
    for (unsigned k = 0; k < WARP_LANES; k++) {
        in->a[k] = make_known(m, 32, c->a[k]);
        in->high[k] = make_known(m, 32, c->a_high[k]);
        in->b[k] = make_known(m, 32, c->b[k]);
        in->c[k] = make_known(m, 32, c->c[k]);
    }
    for (unsigned i = 0; i < USER_BEFORE; i++)
        in->before[i] = make_known(m, 32, before(w, i));
    in->members = make_known(m, 32, user_members(w->q));
    in->active = make_known(m, 32, c->active);
    in->predicates = make_known(m, 32, user_predicates(c));
}

/* Stops where the call had undefined behaviour. */
static void need_defined(struct machine *machine)
{
    struct smt *s = machine->m.s;
    for (size_t i = 0; i < machine->obligation_count; i++)
        if (!is_true(s, smt_keep(s, Z3_simplify(s->z3, machine->obligations[i].holds))))
            fail(&machine->m, "undefined behaviour: %s", machine->obligations[i].what);
}

static void call_function(struct machine *machine, const struct work *w)
{
    struct user_inputs in;
    struct user_outputs out;
    const bool has_p = (w->shape->provides & WARP_PART_P) != 0;
    take_inputs(machine, w, &in);
    user_call_shape(machine, w->request, w->shape, &in, &out);
    need_defined(machine);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const bool mine = w->shape->call == USER_EACH_LANE ? k == w->q->lane : (w->q->group >> k & 1u) != 0;
        if (mine && (w->q->needs_d >> k & 1u))
            w->answer->d[k] = number_of(machine, user_result_d(w->shape, &out, k), "d", k);
        if (mine && has_p && w->q->needs_p)
            w->answer->p |= (lanemask)number_of(machine, user_result_p(machine, w->request, w->shape, &out, k), "p", k)
                            << k;
    }
}

static void call_whole(struct machine *machine, const struct work *w)
{
    struct maker *m = &machine->m;
    const unsigned c = machine_object(machine, "the case", sizeof(struct warp_case), _Alignof(struct warp_case));
    const unsigned r = machine_object(machine, "the result", sizeof(struct warp_result), _Alignof(struct warp_result));
    const struct scalar *null = make_pointer(m, 0, 0, NULL, 1);
    uint32_t words[sizeof(struct warp_case) / 4], results[sizeof(struct warp_result) / 4];
    const struct value *a[6] = {make_value(m, null),
                                make_value(m, machine_address(machine, c, 0)),
                                make_value(m, make_known(m, 64, 1)),
                                make_value(m, machine_address(machine, r, 0)),
                                make_value(m, null),
                                make_value(m, make_known(m, 64, 0))};
    const struct value *ok;
    memcpy(words, w->q->c, sizeof words);
    for (size_t i = 0; i < sizeof words / 4; i++)
        machine_store(machine, machine_address(machine, c, 4 * i), make_known(m, 32, words[i]));
    machine->objects[c].constant = true;
    ok = machine_call(machine, w->request->function, a, 6);
    need_defined(machine);
    if (number_of(machine, ok->e[0], "the returned value", 0) == 0)
        fail(m, "the function returned false");
    for (size_t i = 0; i < sizeof results / 4; i++) {
        const unsigned lane = (unsigned)(i % WARP_LANES);
        const bool is_d = i < WARP_LANES;
        const struct scalar *x = machine_load(machine, machine_address(machine, r, 4 * i), 32);
        const bool any = is_d && !(w->q->needs_d >> lane & 1u) && is_poison(machine, x);
        results[i] = any ? 0 : number_of(machine, x, is_d ? "d" : "a word of the result", lane);
    }
    memcpy(&w->answer->whole, results, sizeof results);
}

static void work(struct machine *machine, void *context)
{
    const struct work *w = context;
    if (w->shape->call == USER_WHOLE_CASE)
        call_whole(machine, w);
    else
        call_function(machine, w);
}

static bool answer_once(struct machine *machine, struct work *w, struct error *error)
{
    const size_t mark = smt_mark(machine->m.s);
    memset(w->answer, 0, sizeof *w->answer);
    machine_reset(machine);
    machine->hook = NULL;
    w->answer->given = machine_try(machine, work, w);
    if (!w->answer->given)
        error_set(error, ERROR_UNDEFINED, "%s", machine->m.error.text);
    smt_release(machine->m.s, mark);
    return w->answer->given;
}

/* Are both answers the same, where they count? */
static bool same_answers(const struct user_answer *x, const struct user_answer *y, struct error *error)
{
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (x->d[k] != y->d[k] || ((x->p ^ y->p) >> k & 1u) != 0) {
            error_set(error, ERROR_UNDEFINED, "%s of lane %u depends on what d or *p held before the call",
                      x->d[k] != y->d[k] ? "d" : "p", k);
            return false;
        }
    return true;
}

bool user_answer_translated(struct machine *machine, const struct user_request *request, const struct user_shape *shape,
                            const struct user_question *q, struct user_answer *answer, struct error *error)
{
    struct user_answer other;
    struct work w = {request, shape, q, answer, false}, again = {request, shape, q, &other, true};
    if (!answer_once(machine, &w, error))
        return false;
    if (strpbrk(shape->roles, "dpo") == NULL)
        return true;
    answer->given = answer_once(machine, &again, error) && same_answers(answer, &other, error);
    return answer->given;
}

/* --- native code --- */

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
    else if (strcmp(name, "lane-p") == 0 || strcmp(name, "lane-bool") == 0)
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
    const bool p_word = strpbrk(roles, "pot") != NULL;
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

static const char *entry_of(void *context, LLVMModuleRef module, const char *function)
{
    const struct session *s = context;
    (void)function;
    return user_entry(module, s->request, s->shape);
}

bool user_answer_native(const struct user_request *request, const struct user_shape *shape,
                        const struct user_question *q, size_t n, struct user_answer *answers, struct error *error)
{
    const size_t size = n * sizeof *answers;
    struct session s = {request, shape, q, n, n == 0 ? NULL : native_memory(size)};
    bool ok;
    if (n == 0)
        return true;
    if (s.answers == NULL) {
        error_set(error, ERROR_SYSTEM, "out of memory");
        return false;
    }
    ok = native_call(request->file, &request->function, 1, answer_all, entry_of, &s, NATIVE_SECONDS, error);
    if (ok)
        memcpy(answers, s.answers, size);
    for (size_t i = 0; ok && i < n; i++)
        if (!answers[i].given) {
            error_set(error, ERROR_DECLINED, "the function returned false");
            ok = false;
        }
    native_free(s.answers, size);
    return ok;
}
