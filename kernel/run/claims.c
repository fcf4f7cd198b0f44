#include "kernel/run/runner.h"

#include <stdio.h>
#include <stdlib.h>

struct look {
    const struct program *program;
    const struct program_claim *claim;
    const struct program_state *initial;
    const struct program_state *final;
    uint64_t combined[WARP_LANES]; /* REDUCE to EXSCAN: what the claim says of each lane */
};

static lanemask segment_of(unsigned lane, unsigned width)
{
    lanemask ones = width == 32 ? UINT32_MAX : (UINT32_C(1) << width) - 1;
    return ones << (lane & ~(width - 1));
}

static lanemask equal_lanes(const struct look *look, uint32_t reg, unsigned lane)
{
    const uint64_t *values = look->initial->value[reg];
    lanemask lanes = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        lanes |= (lanemask)(values[other] == values[lane]) << other;
    return lanes;
}

static lanemask participants(const struct look *look)
{
    return look->initial->active & ~look->final->exited;
}

/* The group of a participant; 0 when the claim is not about it. */
static lanemask group_of(const struct look *look, unsigned lane)
{
    const struct program_group *group = &look->claim->group;
    lanemask all = participants(look);
    switch (group->kind) {
    case PROGRAM_GROUP_ALL:
        return all;
    case PROGRAM_GROUP_WIDTH:
        return all & segment_of(lane, group->width);
    case PROGRAM_GROUP_MASK:
        return group->mask >> lane & 1u ? all & group->mask : 0;
    case PROGRAM_GROUP_EQUAL:
        return all & equal_lanes(look, group->reg, lane);
    }
    return 0;
}

static uint64_t neutral(enum ptx_op op, enum ptx_type type)
{
    uint64_t all = ptx_type_bits(type) == 64 ? UINT64_MAX : UINT32_MAX;
    bool is_signed = type == PTX_S32 || type == PTX_S64;
    uint64_t largest = is_signed ? all >> 1 : all;
    switch (op) {
    case OP_ADD:
    case OP_OR:
    case OP_XOR:
        return 0;
    case OP_MUL:
        return 1;
    case OP_MIN:
        return largest;
    case OP_MAX:
        return largest ^ all;
    case OP_AND:
        return all;
    case OPS_NOT_COMBINING:
        break;
    }
    return 0; /* not reached: no claim combines by another operation (ptx/read/claim.c) */
}

/* The lanes whose values lane `lane` combines. */
static lanemask combined_lanes(const struct look *look, unsigned lane)
{
    lanemask group = group_of(look, lane), own = UINT32_C(1) << lane, below = own - 1;
    switch (look->claim->kind) {
    case PROGRAM_CLAIM_REDUCE:
        return group;
    case PROGRAM_CLAIM_SCAN:
        return group & (below | own);
    case PROGRAM_CLAIM_RSCAN:
        return group & ~below;
    case PROGRAM_CLAIM_EXSCAN:
        return group & below;
    case PROGRAM_CLAIM_FAULTLESS:
    case PROGRAM_CLAIM_DEFINED:
    case PROGRAM_CLAIM_VALUE:
    case PROGRAM_CLAIM_UNIFORM:
    case PROGRAM_CLAIM_SAME:
    case PROGRAM_CLAIM_INITIAL:
    case PROGRAM_CLAIM_FROM:
    case PROGRAM_CLAIM_BALLOT:
    case PROGRAM_CLAIM_PEERS:
        break;
    }
    return 0;
}

/* Combines serially, upwards or downwards, for all lanes at once: each step takes one lane's value. */
static void combine(const struct look *look, uint64_t result[WARP_LANES])
{
    const struct program_claim *claim = look->claim;
    lanemask lanes[WARP_LANES], started = 0;
    uint64_t values[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        lanes[lane] = combined_lanes(look, lane);
        result[lane] = neutral(claim->op, claim->type);
    }
    for (unsigned n = 0; n < WARP_LANES; n++) {
        unsigned from = claim->kind == PROGRAM_CLAIM_RSCAN ? WARP_LANES - 1 - n : n;
        lanemask takes = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            takes |= (lanes[lane] >> from & 1u) << lane;
            values[lane] = look->initial->value[claim->of][from];
        }
        if (takes & started)
            program_compute_row(claim->op, claim->type, result, values, takes & started);
        for (lanemask m = takes & ~started; m != 0; m &= m - 1)
            result[__builtin_ctz(m)] = values[0];
        started |= takes;
    }
}

static struct look look_at(const struct program *program, const struct program_claim *claim,
                           const struct program_state *initial, const struct program_state *final)
{
    struct look look = {program, claim, initial, final, {0}};
    if (claim->kind >= PROGRAM_CLAIM_REDUCE && claim->kind <= PROGRAM_CLAIM_EXSCAN)
        combine(&look, look.combined);
    return look;
}

static lanemask ballot(const struct look *look, lanemask lanes)
{
    lanemask set = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        set |= (lanemask)(look->initial->value[look->claim->of][lane] & 1) << lane;
    return set & lanes;
}

static uint64_t expected_of(const struct look *look, unsigned lane)
{
    const struct program_claim *claim = look->claim;
    lanemask group = group_of(look, lane);
    unsigned base = claim->group.kind == PROGRAM_GROUP_WIDTH ? lane & ~(claim->group.width - 1) : 0;
    switch (claim->kind) {
    case PROGRAM_CLAIM_SAME:
        return look->final->value[claim->of][lane];
    case PROGRAM_CLAIM_INITIAL:
        return look->initial->value[claim->of][lane];
    case PROGRAM_CLAIM_FROM:
        return look->initial->value[claim->of][base + claim->lane];
    case PROGRAM_CLAIM_REDUCE:
    case PROGRAM_CLAIM_SCAN:
    case PROGRAM_CLAIM_RSCAN:
    case PROGRAM_CLAIM_EXSCAN:
        return look->combined[lane];
    case PROGRAM_CLAIM_BALLOT:
        return ballot(look, group);
    case PROGRAM_CLAIM_PEERS:
        return group & equal_lanes(look, claim->of, lane);
    case PROGRAM_CLAIM_DEFINED:
    case PROGRAM_CLAIM_FAULTLESS:
    case PROGRAM_CLAIM_UNIFORM:
    case PROGRAM_CLAIM_VALUE: /* not about one value */
        break;
    }
    return 0;
}

uint64_t program_claim_expected(const struct program *program, const struct program_claim *claim, unsigned lane,
                                const struct program_state *initial, const struct program_state *final)
{
    struct look look = look_at(program, claim, initial, final);
    return expected_of(&look, lane);
}

/* Is the claim about the lane? Sets *unpredictable when its `where` is unpredictable there. */
static bool is_about(const struct look *look, unsigned lane, bool *unpredictable)
{
    const struct program_claim *claim = look->claim;
    *unpredictable = false;
    if (!(participants(look) >> lane & 1u) || !(claim->lanes >> lane & 1u) || group_of(look, lane) == 0)
        return false;
    if (claim->where == MODULE_NONE)
        return true;
    *unpredictable = !(look->final->defined[claim->where] >> lane & 1u);
    return *unpredictable || (look->final->value[claim->where][lane] & 1u) != claim->where_negate;
}

/* The lowest lane of the group that the claim is about. The others must agree with it. */
static unsigned first_of(const struct look *look, unsigned lane)
{
    lanemask group = group_of(look, lane);
    bool unpredictable;
    for (unsigned first = 0; first < lane; first++)
        if (group >> first & 1u && is_about(look, first, &unpredictable))
            return first;
    return lane;
}

static bool lane_holds(const struct look *look, unsigned lane, struct program_failure *f)
{
    const struct program_claim *claim = look->claim;
    f->observed = look->final->value[claim->reg][lane];
    f->undefined = !(look->final->defined[claim->reg] >> lane & 1u);
    if (claim->kind == PROGRAM_CLAIM_VALUE)
        return !f->undefined;
    if (claim->kind == PROGRAM_CLAIM_UNIFORM)
        f->expected = look->final->value[claim->reg][first_of(look, lane)];
    else
        f->expected = expected_of(look, lane);
    if (claim->kind == PROGRAM_CLAIM_SAME && !(look->final->defined[claim->of] >> lane & 1u))
        return false;
    return !f->undefined && f->observed == f->expected;
}

static bool all_lanes_hold(const struct look *look, struct program_failure *failure)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct program_failure f = {.lane = lane};
        bool unpredictable;
        if (!is_about(look, lane, &unpredictable))
            continue;
        if (!unpredictable && lane_holds(look, lane, &f))
            continue;
        f.undefined |= unpredictable;
        if (failure->lanes == 0)
            *failure = f;
        failure->lanes |= UINT32_C(1) << lane;
    }
    return failure->lanes == 0;
}

bool program_claim_holds(const struct program *program, const struct program_claim *claim,
                         const struct program_state *initial, const struct program_state *final,
                         const struct program_outcome *outcome, struct program_failure *failure)
{
    struct program_failure local;
    struct program_failure *f = failure ? failure : &local;
    *f = (struct program_failure){.lanes = 0};
    if (outcome->fault != PROGRAM_FAULT_NONE)
        return false;
    if (claim->kind == PROGRAM_CLAIM_FAULTLESS)
        return true;
    if (claim->kind == PROGRAM_CLAIM_DEFINED)
        return !outcome->used;
    struct look look = look_at(program, claim, initial, final);
    return all_lanes_hold(&look, f);
}

static void record(const struct program *program, const struct program_state *initial,
                   const struct program_state *final, const struct program_outcome *outcome, uint64_t index,
                   struct program_claim_record *records)
{
    for (size_t n = 0; n < program->claims_count; n++) {
        struct program_failure failure;
        struct program_claim_record *r = &records[n];
        if (program_claim_holds(program, &program->claims[n], initial, final, outcome, &failure)) {
            r->held++;
            continue;
        }
        if (r->failed++ == 0) {
            r->first_failure = index;
            r->failure = failure;
            r->outcome = *outcome;
        }
    }
}

bool program_test_claims(const struct program *program, const struct warp_impl *impl, uint64_t seed, uint64_t count,
                         struct program_claim_record *records, struct error *error)
{
    struct program_state *initial = program_state_new(program);
    struct program_state *final = program_state_new(program);
    struct program_runner *r = malloc(sizeof *r);
    bool ok = initial && final && r;
    if (!ok)
        error_set(error, ERROR_SYSTEM, "out of memory");
    bool opened = ok && program_runner_open(r, program, impl, error);
    ok = opened;
    for (size_t n = 0; n < program->claims_count; n++)
        records[n] = (struct program_claim_record){.held = 0};
    for (uint64_t index = 0; ok && index < count; index++) {
        struct program_outcome outcome;
        program_state_random(program, initial, seed, index);
        program_state_copy(program, final, initial);
        ok = program_runner_execute(r, final, &outcome, error);
        if (ok && initial->active != 0) /* of no lane nothing can be claimed */
            record(program, initial, final, &outcome, index, records);
    }
    if (opened)
        program_runner_close(r);
    free(r);
    program_state_free(initial);
    program_state_free(final);
    return ok;
}

bool program_claim_as_expected(const struct program_claim *claim, const struct program_claim_record *r)
{
    return claim->refute ? r->failed > 0 : r->failed == 0 && r->held > 0;
}
