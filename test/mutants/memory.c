/*
 * Mistakes that go from one case to the next: state left over for the next instruction. Alone, each case is right.
 */
#include "base.h"

static struct memory old_predicates; /* lanes whose p was true: of this call */
static struct memory old_votes = {.for_ever = true};
static struct memory old_total = {.for_ever = true};

static bool is_of(const struct warp_case *c, enum warp_family sync, enum warp_family plain)
{
    const enum warp_family family = warp_form_get(c->form)->family;
    return family == sync || family == plain;
}

/* A predicate register is written where it becomes true; where it becomes false the old one is still there. */
static void predicate_kept(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                           struct answer *r)
{
    const lanemask bit = (lanemask)1 << lane;
    base_shfl(s, c, lane, group, r);
    r->p = r->p || (s->memory->before & bit) != 0;
    s->memory->before |= r->p ? bit : 0;
}

/* The accumulators of a vote are cleared by lane 0: where it does not execute, earlier votes count. */
static void begin_votes(struct memory *memory, const struct warp_case *c)
{
    if (!is_of(c, WARP_VOTE_SYNC, WARP_VOTE))
        return;
    memory->before = in_mask(c->active, 0) ? 0 : memory->before | memory->now;
    memory->now = 0;
}

static void votes_kept(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                       struct answer *r)
{
    base_vote(s, c, lane, group, r);
    s->memory->now |= predicate_of(c, lane) ? (lanemask)1 << lane : 0;
    if (op_of(c) == WARP_BALLOT)
        r->d |= s->memory->before;
    if (op_of(c) == WARP_ANY)
        r->p = r->p || s->memory->before != 0;
}

/* The accumulator of a reduction is cleared by lane 31, when it is done: where it does not execute, the next one goes
 * on from there. */
static void begin_total(struct memory *memory, const struct warp_case *c)
{
    if (!is_of(c, WARP_REDUX_SYNC, WARP_REDUX_SYNC))
        return;
    memory->before = memory->cleared ? 0 : memory->now;
    memory->now = 0;
    memory->cleared = in_mask(c->active, WARP_LANES - 1);
}

static void total_kept(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                       struct answer *r)
{
    const struct warp_form_info *form = warp_form_get(c->form);
    base_redux(s, c, lane, group, r);
    if (form->op != WARP_ADD && form->op != WARP_OR && form->op != WARP_XOR)
        return;
    r->d = combine(form, s->memory->before, r->d);
    s->memory->now = r->d;
}

const struct mutant mutants_of_memory[] = {
    {"predicate-kept",
     "shfl: p is written where it becomes true alone: else the one of an earlier case of the call is there",
     {.shfl = predicate_kept, .memory = &old_predicates},
     0,
     NULL},
    {"votes-kept",
     "ballot, any: lane 0 clears the accumulators; without it votes of earlier cases and calls count",
     {.vote = votes_kept, .memory = &old_votes, .begin = begin_votes},
     0,
     NULL},
    {"total-kept",
     "redux add, or, xor: lane 31 clears the accumulator; without it the next case, or call, goes on from there",
     {.redux = total_kept, .memory = &old_total, .begin = begin_total},
     0,
     NULL},
    {0},
};
