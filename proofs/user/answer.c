/* The translator on numbers. */
#include "proofs/user/answer.h"

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

static bool answer_once(struct machine *machine, struct work *w, char *why, size_t why_size)
{
    const size_t mark = smt_mark(machine->m.s);
    memset(w->answer, 0, sizeof *w->answer);
    machine_reset(machine);
    machine->hook = NULL;
    w->answer->given = machine_try(machine, work, w);
    if (!w->answer->given)
        snprintf(why, why_size, "%s", machine->m.error);
    smt_release(machine->m.s, mark);
    return w->answer->given;
}

/* Are both answers the same, where they count? */
static bool same_answers(const struct user_answer *x, const struct user_answer *y, char *why, size_t why_size)
{
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (x->d[k] != y->d[k] || ((x->p ^ y->p) >> k & 1u) != 0) {
            snprintf(why, why_size, "%s of lane %u depends on what d or *p held before the call",
                     x->d[k] != y->d[k] ? "d" : "p", k);
            return false;
        }
    return true;
}

bool user_answer_translated(struct machine *machine, const struct user_request *request, const struct user_shape *shape,
                            const struct user_question *q, struct user_answer *answer, char *why, size_t why_size)
{
    struct user_answer other;
    struct work w = {request, shape, q, answer, false}, again = {request, shape, q, &other, true};
    if (!answer_once(machine, &w, why, why_size))
        return false;
    if (strpbrk(shape->roles, "dpo") == NULL)
        return true;
    answer->given = answer_once(machine, &again, why, why_size) && same_answers(answer, &other, why, why_size);
    return answer->given;
}
