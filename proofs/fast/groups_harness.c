/*
 * Warps whose lanes pass different membermasks: how `fast` finds their groups. Harnesses, and contracts.
 *
 * fast_settle_groups takes the active lanes class by class; a class is the active lanes that pass one membermask.
 */
#include "outcome.h"
#include "proofs/any.h"

/* Some lanes, of which `first` is the lowest. */
static lanemask any_from(const char *name, unsigned first)
{
    return (any_lanes(name, 0) | 1u << first) & UINT32_MAX << first;
}

static uint32_t *any_membermasks(void)
{
    uint32_t *members = ANY_OBJECTS(uint32_t, WARP_LANES);
    for (unsigned k = 0; k < WARP_LANES; k++)
        members[k] = any_word("mm", k);
    return members;
}

/* The lanes that pass the membermask v, or those that pass another. */
static lanemask passing(const uint32_t *members, uint32_t v, bool another)
{
    lanemask lanes = 0;
    for (unsigned k = 0; k < WARP_LANES; k++)
        lanes |= (lanemask)((members[k] != v) == another) << k;
    return lanes;
}

/* --- unify ---------------------------------------------------------------------------------------------------- */

/* What its next turn shall be told. */
static struct {
    const uint32_t *members;
    lanemask active, exited, rest, open;
    unsigned turn;
} told;

/* As for fast_settle_class below. */
static lanemask take_any(const uint32_t *members, lanemask active, lanemask exited, lanemask rest, lanemask *open)
{
    check(members == told.members && active == told.active && exited == told.exited && rest == told.rest &&
              *open == told.open && rest != 0,
          "what a turn of kernels->unify works on");
    *open = told.open = any_lanes("open", told.turn);
    told.rest &= any_lanes("left", told.turn) & ~1u << told.turn;
    told.turn++;
    return told.rest;
}

#define LOOP_TAKE_GROUP(variant)                                                                                       \
    fast_turn loop_fast_take_group_##variant;                                                                          \
    lanemask loop_fast_take_group_##variant(const uint32_t *members, lanemask active, lanemask exited, lanemask rest,  \
                                            lanemask *open)                                                            \
    {                                                                                                                  \
        return take_any(members, active, exited, rest, open);                                                          \
    }

LOOP_TAKE_GROUP(portable)
LOOP_TAKE_GROUP(avx2)

void harness_kernels(const struct fast_kernels *kernels)
{
    const unsigned first = given_number(); /* the lowest active lane */
    const uint32_t *members = any_membermasks(), v = any_word("v", 0);
    struct warp_column *column = ANY_OBJECTS(struct warp_column, 1);
    lanemask *active = ANY_OBJECTS(lanemask, 1), *exited = ANY_OBJECTS(lanemask, 1);
    lanemask *mask = ANY_OBJECTS(lanemask, 1), *stray = ANY_OBJECTS(lanemask, 1), *open = ANY_OBJECTS(lanemask, 1);
    struct fast_unified *u = ANY_OBJECTS(struct fast_unified, 1);
    any_constant(members);
    *column = (struct warp_column){members, sizeof(struct warp_case) / sizeof(uint32_t), false};
    *active = any_from("active", first);
    *exited = any_lanes("exited", 0) & ~*active;
    *u = (struct fast_unified){active, exited, mask, stray, open};
    check(kernels->equal(members, v) == passing(members, v, false), "kernels->equal");

    const lanemask others = *active & passing(members, members[first], true), present = members[first] & ~*exited;
    told.members = members;
    told.active = *active;
    told.exited = *exited;
    told.rest = *active & ~present & ~1u << first;
    told.open = present ^ (*active & ~others);
    told.turn = first + 1;
    kernels->unify(column, 1, u);
    check(*mask == members[first] && *stray == others, "kernels->unify");
    if (kernels->take_group != NULL)
        check(*open == told.open, "what kernels->unify says about the lanes that are not done");
}

/* The lanes between two, from `below` upward and round the warp to `lane`. */
static lanemask between(unsigned below, unsigned lane)
{
    lanemask lanes = 0;
    for (unsigned k = (below + 1) % WARP_LANES; k != lane; k = (k + 1) % WARP_LANES)
        lanes |= (lanemask)1 << k;
    return lanes;
}

/* Where it takes no turns: a lane that it does not say to be open is in its own membermask, whose lane before it (round
 * the warp, exited lanes apart) is active and passes the same. */
void harness_neighbour(const struct fast_kernels *kernels)
{
    const unsigned lane = given_number();
    const uint32_t *members = any_membermasks();
    struct warp_column *column = ANY_OBJECTS(struct warp_column, 1);
    lanemask *active = ANY_OBJECTS(lanemask, 1), *exited = ANY_OBJECTS(lanemask, 1);
    lanemask *mask = ANY_OBJECTS(lanemask, 1), *stray = ANY_OBJECTS(lanemask, 1), *open = ANY_OBJECTS(lanemask, 1);
    struct fast_unified *u = ANY_OBJECTS(struct fast_unified, 1);
    if (kernels->take_group != NULL)
        return;
    any_constant(members);
    *column = (struct warp_column){members, sizeof(struct warp_case) / sizeof(uint32_t), false};
    *active = any_lanes("active", 0) | 1u << lane;
    *exited = any_lanes("exited", 0) & ~*active;
    *u = (struct fast_unified){active, exited, mask, stray, open};
    kernels->unify(column, 1, u);

    const lanemask present = members[lane] & ~*exited;
    const bool closed = (*open >> lane & 1u) == 0;
    check(!closed || (present >> lane & 1u) != 0, "a lane that kernels->unify closes is in its own membermask");
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const bool before = (present >> k & 1u) != 0 && (present & between(k, lane)) == 0;
        if (k == lane)
            continue;
        check(!closed || !before || ((*active >> k & 1u) != 0 && members[k] == members[lane]),
              "the neighbour of a lane that kernels->unify closes is active and passes the same membermask");
    }
}

/* A turn of it. Lane `first` is the lowest that is left. */
void harness_take_group(const struct fast_kernels *kernels)
{
    const unsigned first = given_number();
    const uint32_t *members = any_membermasks();
    const lanemask active = any_lanes("active", 0) | 1u << first, exited = any_lanes("exited", 0) & ~active;
    const lanemask rest = any_from("left", first) & active, before = any_lanes("open", 0);
    const lanemask present = members[first] & ~exited, same = active & passing(members, members[first], false);
    lanemask *open = ANY_OBJECTS(lanemask, 1);
    if (kernels->take_group == NULL)
        return;
    any_constant(members);
    *open = before;
    check(kernels->take_group(members, active, exited, rest, open) == (rest & ~present & ~1u << first),
          "the lanes that a turn of kernels->unify leaves");
    check(*open == (before | (present ^ same)), "the open lanes of a turn of kernels->unify");
}

/* A turn that opens no lanes, and one of fast_settle_groups (harness_turn): this one makes a group and nothing else,
 * and both leave the same. */
void harness_whole(const struct fast_kernels *kernels)
{
    const unsigned first = given_number();
    const lanemask active = any_lanes("active", 0) | 1u << first, exited = any_lanes("exited", 0) & ~active;
    const lanemask rest = any_from("left", first) & active, mask = any_lanes("mask", 0);
    const lanemask present = mask & ~exited, same = (any_lanes("passes", 0) | 1u << first) & active;
    const bool opens = (present ^ same) != 0;
    (void)kernels;
    check(opens || (same & ~mask) == 0, "no lane of a turn that opens none is undefined");
    check(opens || (mask & ~exited & ~same) == 0, "no lane of a turn that opens none is missing");
    check(opens || (rest & ~same) == (rest & ~present & ~1u << first), "a turn that opens no lanes leaves the same");
}

/* --- fast_settle_groups ------------------------------------------------------------------------------------------- */

/* What it writes, and the lanes that it has left. */
struct place {
    struct fast_outcomes *o;
    struct fast_groups *groups;
    uint32_t *waits_for;
    lanemask rest;
};

static struct {
    const struct fast_kernels *kernels;
    uint32_t *members;
    bool convergence;
    unsigned turn;
} now;
static struct place is, shall; /* `shall`: what must be there */

/* Any state. */
static void put_any(const struct place *p, unsigned turn, size_t n)
{
    p->o->undefined[0] = any_lanes("undefined.before", turn);
    p->o->waiting[0] = any_lanes("waiting.before", turn);
    p->groups->n = n;
    p->groups->done = any_lanes("groups.done", turn);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        p->groups->lanes[k] = any_word("lanes.before", turn * WARP_LANES + k);
        p->waits_for[k] = any_word("waits_for.before", turn * WARP_LANES + k);
    }
}

static void make_place(struct place *p, lanemask active, size_t n)
{
    p->o = ANY_OBJECTS(struct fast_outcomes, 1);
    p->groups = ANY_OBJECTS(struct fast_groups, 1);
    p->waits_for = ANY_OBJECTS(uint32_t, WARP_LANES);
    p->rest = p->o->active[0] = active;
    p->o->exited[0] = any_lanes("exited", 0) & ~active;
    p->o->open[0] = any_lanes("open", 0);
    put_any(p, WARP_LANES, n);
}

static void make(const struct fast_kernels *kernels, lanemask active, size_t n, unsigned turn)
{
    now.kernels = kernels;
    now.members = any_membermasks();
    now.convergence = warp_target_needs_convergence(given_case()->target);
    now.turn = turn;
    make_place(&is, active, n);
    make_place(&shall, active, n);
}

/* `groups`: some may have been written. */
static void check_place(bool groups)
{
    check(is.rest == shall.rest, "the lanes that fast_settle_groups has left");
    check(is.o->active[0] == shall.o->active[0] && is.o->exited[0] == shall.o->exited[0] &&
              is.o->open[0] == shall.o->open[0],
          "the lanes that fast_settle_groups is told");
    check(is.o->undefined[0] == shall.o->undefined[0], "the undefined lanes of fast_settle_groups");
    check(is.o->waiting[0] == shall.o->waiting[0], "the waiting lanes of fast_settle_groups");
    check(is.groups->done == shall.groups->done, "the done lanes of fast_settle_groups");
    check(is.groups->n == shall.groups->n, "the number of groups of fast_settle_groups");
    for (unsigned k = 0; k < WARP_LANES; k++) {
        check(!groups || is.groups->lanes[k] == shall.groups->lanes[k], "the groups of fast_settle_groups");
        check(is.waits_for[k] == shall.waits_for[k], "waits_for of fast_settle_groups");
    }
}

/* In place of kernels->equal: the lanes that pass the membermask of the lowest lane that is left. */
static lanemask equal_first(const uint32_t *values, uint32_t v)
{
    check(values == now.members && v == now.members[now.turn], "kernels->equal is asked for the lowest lane's class");
    return any_lanes("passes", 0) | 1u << now.turn;
}

/* One turn of the loop. Lane `first` is the lowest that is left, and at most that many groups were found. */
void harness_turn(const struct fast_kernels *kernels)
{
    static const struct fast_kernels only_equal = {.equal = equal_first};
    const unsigned first = given_number();
    const lanemask active = any_from("active", first), mask = any_lanes("mask", 0);
    (void)kernels;
    make(&only_equal, active, any_below("n", first + 1), first);
    is.rest = shall.rest = any_from("left", first) & active;
    now.members[first] = mask;
    any_constant(now.members);
    is.rest = fast_settle_class(now.kernels, now.members, now.convergence, is.waits_for, is.o, 0, is.groups, is.rest);

    const bool closed = shall.o->open[0] == 0; /* then all lanes that the membermask names pass it (harness_whole) */
    const lanemask same = (closed ? mask : equal_first(now.members, mask)) & shall.o->active[0], members = same & mask;
    const lanemask missing = mask & ~shall.o->exited[0] & ~same;
    shall.rest &= ~same;
    shall.o->undefined[0] |= same & ~mask;
    if (members == 0) {
        /* nobody */
    } else if (missing == 0) {
        check((mask & shall.o->active[0]) == members, "a group is what its membermask has of the active lanes");
        shall.groups->lanes[shall.groups->n++] = members;
        shall.groups->done |= members;
    } else if (now.convergence) {
        shall.o->undefined[0] |= members;
    } else {
        shall.o->waiting[0] |= members;
        for (unsigned k = 0; k < WARP_LANES; k++)
            shall.waits_for[k] = (members >> k & 1u) != 0 ? missing : shall.waits_for[k];
    }
    check_place(true);
}

/* A turn takes any lanes away, the lowest among them. As none was below the turn's number, none is up to it now. */
lanemask loop_fast_settle_class(const struct fast_kernels *kernels, const uint32_t *members, bool convergence,
                                uint32_t *waits_for, struct fast_outcomes *o, size_t w, struct fast_groups *groups,
                                lanemask rest)
{
    check(kernels == now.kernels && members == now.members && convergence == now.convergence && rest != 0 && w == 0 &&
              waits_for == is.waits_for && o == is.o && groups == is.groups,
          "what a turn of fast_settle_groups works on");
    is.rest = rest;
    check_place(now.turn > 0);
    put_any(&is, now.turn, any_word("n", now.turn));
    put_any(&shall, now.turn, any_word("n", now.turn));
    shall.rest &= any_lanes("left", now.turn) & ~1u << now.turn;
    now.turn++;
    return shall.rest;
}

void harness_loop(const struct fast_kernels *kernels)
{
    struct warp_batch *batch = ANY_OBJECTS(struct warp_batch, 1);
    make(kernels, any_lanes("active", 0), 0, 0);
    is.groups = ANY_OBJECTS(struct fast_groups, 1); /* not initialized */
    shall.groups->done = 0;
    batch->target = given_case()->target;
    batch->membermask = (struct warp_column){now.members, sizeof(struct warp_case) / sizeof(uint32_t), false};
    batch->waits_for = (struct warp_sink){is.waits_for, sizeof(struct warp_result) / sizeof(uint32_t)};
    any_constant(batch);
    any_constant(now.members);
    fast_settle_groups(kernels, batch, 0, is.o, 0, is.groups);
    is.rest = 0; /* it has ended */
    check_place(now.turn > 0);
}

/* --- fast_settle_lanes -------------------------------------------------------------------------------------------- */

static unsigned settled; /* how often fast_settle_groups was asked */

void once_fast_settle_groups(const struct fast_kernels *kernels, const struct warp_batch *batch, size_t at,
                             struct fast_outcomes *o, size_t w, struct fast_groups *groups)
{
    check(kernels == now.kernels && batch->membermask.values == now.members && at == 0 && o == is.o && w == 0,
          "what fast_settle_lanes asks fast_settle_groups");
    settled++;
    put_any(&is, 0, any_below("n", WARP_LANES + 1));
    put_any(&shall, 0, any_below("n", WARP_LANES + 1));
    groups->n = shall.groups->n;
    groups->done = shall.groups->done;
}

/* A warp without stray lanes is left as it is. One that is not open has all lanes done. */
void harness_lanes(const struct fast_kernels *kernels)
{
    struct warp_batch *batch = ANY_OBJECTS(struct warp_batch, 1);
    const lanemask stray = any_lanes("stray", 0), open = any_lanes("open", 0), before = any_lanes("group", 0);
    make(kernels, any_lanes("active", 0), 0, 0);
    settled = 0;
    shall.groups->done = stray == 0 ? before : shall.o->active[0];
    batch->membermask = (struct warp_column){now.members, sizeof(struct warp_case) / sizeof(uint32_t), false};
    any_constant(batch);
    any_constant(now.members);
    is.o->stray[0] = stray;
    is.o->open[0] = open;
    is.o->group[0] = before;
    is.o->same = false;
    fast_settle_lanes(kernels, batch, 0, 1, is.o);
    check(settled == (stray != 0 && open != 0), "whether fast_settle_lanes asks fast_settle_groups");
    check(is.o->group[0] == shall.groups->done, "the done lanes of fast_settle_lanes");
    is.groups->done = shall.groups->done;
    check_place(false);
}

/* --- contracts of runs with several groups ------------------------------------------------------------------------ */

/* Some active lane passes another membermask than the first. */
static void some_stray(const struct warp_column *column, size_t n, const struct fast_unified *u)
{
    const struct warp_case *c = given_case();
    check(n == 1 && column->values == c->membermask, "kernels->unify is asked of the case's membermasks");
    check(*u->active == c->active && *u->exited == c->exited, "kernels->unify is told the lanes of the case");
    *u->mask = any_word("mask", 0);
    *u->stray = any_lanes("stray", 0);
    *u->open = any_lanes("open", 0);
}

static struct fast_kernels *with_stray; /* the variant's, but for unify */

void groups_fast_batch_run(const struct fast_kernels *kernels, const struct warp_batch *batch)
{
    with_stray = ANY_OBJECTS(struct fast_kernels, 1);
    *with_stray = *kernels;
    with_stray->unify = some_stray;
    any_constant(with_stray);
    fast_batch_run(with_stray, batch);
}

/* The case's lanes that are not done. */
static void settle_others(const struct fast_kernels *kernels, const struct warp_batch *batch, size_t at,
                          struct fast_outcomes *o, size_t w)
{
    const struct warp_case *c = given_case();
    const lanemask waiting = any_lanes("waiting", 0);
    uint32_t *waits_for = batch->waits_for.values;
    check(kernels == with_stray && at == 0 && batch->membermask.values == c->membermask && batch->target == c->target,
          "the groups of the case are settled");
    check(o->active[w] == c->active && o->exited[w] == c->exited,
          "the settling of groups is told the lanes of the case");
    check(o->undefined[w] == 0 && o->waiting[w] == 0, "the settling of groups begins with no lane settled");
    o->undefined[w] = any_lanes("undefined", 0);
    o->waiting[w] = waiting;
    for (unsigned k = 0; k < WARP_LANES; k++)
        waits_for[k] = (waiting >> k & 1u) != 0 ? any_word("missing", k) : waits_for[k];
}

void groups_fast_settle_groups(const struct fast_kernels *kernels, const struct warp_batch *batch, size_t at,
                               struct fast_outcomes *o, size_t w, struct fast_groups *groups)
{
    settle_others(kernels, batch, at, o, w);
    groups->n = given_number();
    groups->done = 0;
    for (unsigned g = 0; g < given_number(); g++)
        groups->done |= groups->lanes[g] = any_lanes("strip", g);
}

/* Where only the done lanes matter: those of any number of groups. */
void lanes_fast_batch_run(const struct fast_kernels *kernels, const struct warp_batch *batch)
{
    groups_fast_batch_run(kernels, batch);
}

void lanes_fast_settle_lanes(const struct fast_kernels *kernels, const struct warp_batch *batch, size_t first, size_t n,
                             struct fast_outcomes *o)
{
    check(n == 1 && !o->same, "fast_settle_lanes is asked of one warp");
    settle_others(kernels, batch, first, o, 0);
    o->group[0] = any_lanes("strip", 0);
}
