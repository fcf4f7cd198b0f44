#include "kernel/execute.h"

#include <stdio.h>
#include <string.h>

struct run {
    const struct program *program;
    const struct warp_impl *impl;
    struct program_state *state;
    struct program_outcome *outcome;
    uint32_t target;
    const struct program_instruction *i;
    size_t at;
    lanemask executing;
    char *error;
    size_t error_size;
};

static uint64_t value_of(const struct run *run, const struct program_operand *o, unsigned lane)
{
    switch (o->kind) {
    case PROGRAM_REGISTER:
        return run->state->value[o->reg][lane] ^ (o->negate ? 1u : 0u);
    case PROGRAM_IMMEDIATE:
        return o->value ^ (o->negate ? 1u : 0u);
    case PROGRAM_NONE:
    case PROGRAM_SPECIAL:
    case PROGRAM_SINK:
        break;
    }
    return 0;
}

static lanemask defined_of(const struct run *run, const struct program_operand *o)
{
    return o->kind == PROGRAM_REGISTER ? run->state->defined[o->reg] : UINT32_MAX;
}

static void note_use(struct run *run, const struct program_operand *o, lanemask lanes)
{
    lanemask unpredictable = lanes & ~defined_of(run, o);
    if (unpredictable == 0 || run->outcome->used)
        return;
    run->outcome->used = true;
    run->outcome->used_at = run->at;
    run->outcome->used_lanes = unpredictable;
    run->outcome->used_reg = o->reg;
}

static void fault(struct run *run, enum program_fault_kind kind, lanemask lanes)
{
    run->outcome->fault = kind;
    run->outcome->fault_at = run->at;
    run->outcome->fault_lanes = lanes;
}

static lanemask true_lanes(const struct run *run, const struct program_operand *o)
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= (lanemask)(value_of(run, o, lane) & 1) << lane;
    return lanes;
}

/* False: the guard is unpredictable. */
static bool find_executing(struct run *run)
{
    const struct program_operand *guard = &run->i->guard;
    run->executing = run->state->active & ~run->state->exited;
    if (guard->kind == PROGRAM_NONE)
        return true;
    lanemask unpredictable = run->executing & ~defined_of(run, guard);
    note_use(run, guard, run->executing);
    run->executing &= true_lanes(run, guard);
    if (unpredictable)
        fault(run, PROGRAM_FAULT_GUARD, unpredictable);
    return unpredictable == 0;
}

static uint64_t special_value(uint64_t special, unsigned lane)
{
    lanemask own = UINT32_C(1) << lane;
    switch (special) {
    case PROGRAM_LANEMASK_EQ:
        return own;
    case PROGRAM_LANEMASK_LE:
        return own | (own - 1);
    case PROGRAM_LANEMASK_LT:
        return own - 1;
    case PROGRAM_LANEMASK_GE:
        return (uint32_t) ~(own - 1);
    case PROGRAM_LANEMASK_GT:
        return (uint32_t) ~(own | (own - 1));
    default:
        return lane;
    }
}

static void write_lane(struct run *run, const struct program_operand *o, unsigned lane, uint64_t value, bool defined)
{
    lanemask bit = UINT32_C(1) << lane;
    if (o->kind != PROGRAM_REGISTER)
        return;
    run->state->value[o->reg][lane] = value;
    run->state->defined[o->reg] = (run->state->defined[o->reg] & ~bit) | (defined ? bit : 0);
}

static uint64_t arithmetic_lane(const struct run *run, unsigned lane)
{
    const struct program_instruction *i = run->i;
    uint64_t x = value_of(run, &i->srcs[0], lane);
    uint64_t y = value_of(run, &i->srcs[1], lane);
    switch (i->op) {
    case PROGRAM_SETP:
        return program_compare_values(i->compare, i->type, x, y);
    case PROGRAM_SELP:
        return value_of(run, &i->srcs[2], lane) & 1 ? x : y;
    case PROGRAM_PACK:
        return y << 32 | x;
    case PROGRAM_UNPACK:
        return x & UINT32_MAX;
    case PROGRAM_MOV:
        return i->srcs[0].kind == PROGRAM_SPECIAL ? special_value(i->srcs[0].value, lane) : x;
    case PROGRAM_WARP:
    case PROGRAM_EXIT:
    case PROGRAM_ADD:
    case PROGRAM_SUB:
    case PROGRAM_MUL:
    case PROGRAM_MIN:
    case PROGRAM_MAX:
    case PROGRAM_AND:
    case PROGRAM_OR:
    case PROGRAM_XOR:
    case PROGRAM_NOT:
    case PROGRAM_SHL:
    case PROGRAM_SHR:
    case PROGRAM_NEG:
    case PROGRAM_ABS:
    case PROGRAM_POPC:
    case PROGRAM_CLZ:
    case PROGRAM_BREV:
    case PROGRAM_OPS:
        break;
    }
    return program_compute(i->op, i->type, i->nan, x, y);
}

/* The sources that the lanes read. Of selp's first two sources only the chosen one counts. */
static lanemask defined_sources(struct run *run)
{
    const struct program_instruction *i = run->i;
    lanemask chosen[4] = {run->executing, run->executing, run->executing, run->executing};
    lanemask defined = UINT32_MAX;
    if (i->op == PROGRAM_SELP) {
        lanemask first = true_lanes(run, &i->srcs[2]);
        chosen[0] &= first;
        chosen[1] &= ~first;
    }
    for (size_t n = 0; n < 4; n++) {
        note_use(run, &i->srcs[n], chosen[n]);
        defined &= defined_of(run, &i->srcs[n]) | ~chosen[n];
    }
    return defined;
}

static void arithmetic(struct run *run)
{
    const struct program_instruction *i = run->i;
    lanemask defined = defined_sources(run);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(run->executing >> lane & 1u))
            continue;
        uint64_t high = value_of(run, &i->srcs[0], lane) >> 32;
        write_lane(run, &i->dsts[0], lane, arithmetic_lane(run, lane), defined >> lane & 1u);
        if (i->op == PROGRAM_UNPACK)
            write_lane(run, &i->dsts[1], lane, high, defined >> lane & 1u);
    }
}

static void make_case(const struct run *run, struct warp_case *c)
{
    const struct program_operand *srcs = run->i->srcs;
    memset(c, 0, sizeof *c);
    c->form = run->i->form;
    c->target = run->target;
    c->dst = run->i->dst;
    c->negate = srcs[PROGRAM_A].negate;
    c->exited = run->state->exited;
    c->active = run->executing;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct program_operand a = srcs[PROGRAM_A];
        a.negate = false;
        c->a[lane] = (uint32_t)value_of(run, &a, lane);
        c->a_high[lane] = (uint32_t)(value_of(run, &a, lane) >> 32);
        c->b[lane] = (uint32_t)value_of(run, &srcs[PROGRAM_B], lane);
        c->c[lane] = (uint32_t)value_of(run, &srcs[PROGRAM_C], lane);
        c->membermask[lane] = (uint32_t)value_of(run, &srcs[PROGRAM_MEMBERMASK], lane);
    }
}

static bool evaluate(struct run *run, const struct warp_case *c, struct warp_result *r)
{
    char why[160] = "";
    const char *wrong = warp_case_check(c);
    memset(r, 0, sizeof *r);
    if (wrong)
        snprintf(why, sizeof why, "%s", wrong);
    else if (!warp_impl_accepts(run->impl, c, why, sizeof why) ||
             !run->impl->eval(run->impl->state, c, 1, r, why, sizeof why))
        wrong = why;
    if (!wrong) {
        if (!(run->impl->provides & WARP_PART_OUTCOME))
            r->done = c->active;
        if (!(run->impl->provides & WARP_PART_D_DEFINED))
            r->d_defined = r->done;
        return true;
    }
    snprintf(run->error, run->error_size, "line %u: %s does not answer %s: %s", run->i->line, run->impl->name,
             warp_form_get(c->form)->name, why);
    return false;
}

/*
 * The lanes whose result comes from an unpredictable `a`. For shfl the same instruction is asked to move the marks;
 * the others combine the whole group.
 */
static bool find_tainted(struct run *run, const struct warp_case *c, lanemask *tainted)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    lanemask unpredictable = run->executing & ~defined_of(run, &run->i->srcs[PROGRAM_A]);
    *tainted = 0;
    if (unpredictable == 0)
        return true;
    if (warp_form_is_shfl(info)) {
        struct warp_case marks = *c;
        struct warp_result r;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            marks.a[lane] = unpredictable >> lane & 1u;
        if (!evaluate(run, &marks, &r))
            return false;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            *tainted |= (lanemask)(r.d[lane] != 0) << lane;
        return true;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        lanemask group = warp_form_is_sync(info) ? c->membermask[lane] & ~c->exited : c->active;
        *tainted |= (lanemask)((group & unpredictable) != 0) << lane;
    }
    return true;
}

static bool operands_defined(struct run *run)
{
    lanemask undefined = 0;
    for (size_t n = PROGRAM_B; n <= PROGRAM_MEMBERMASK; n++)
        undefined |= run->executing & ~defined_of(run, &run->i->srcs[n]);
    if (undefined)
        fault(run, PROGRAM_FAULT_OPERAND, undefined);
    return undefined == 0;
}

static bool all_done(struct run *run, const struct warp_case *c, const struct warp_result *r)
{
    if (r->done == c->active)
        return true;
    if (r->undefined) {
        fault(run, PROGRAM_FAULT_UNDEFINED, r->undefined);
        return false;
    }
    fault(run, PROGRAM_FAULT_WAITS, c->active & ~r->done);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (r->waiting >> lane & 1u)
            run->outcome->waits_for |= r->waits_for[lane];
    return false;
}

static void write_results(struct run *run, const struct warp_case *c, const struct warp_result *r, lanemask tainted)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const struct program_operand *dsts = run->i->dsts;
    const struct program_operand *p =
        warp_form_writes_d(info, c->dst) || c->dst == WARP_DST_SINK_P ? &dsts[1] : &dsts[0];
    lanemask p_tainted = warp_form_is_shfl(info) ? 0 : tainted; /* shfl's p depends on the lane, b and c alone */
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(c->active >> lane & 1u))
            continue;
        if (warp_form_writes_d(info, c->dst))
            write_lane(run, &dsts[0], lane, r->d[lane], (r->d_defined & ~tainted) >> lane & 1u);
        if (warp_form_writes_p(info, c->dst))
            write_lane(run, p, lane, r->p >> lane & 1u, ~p_tainted >> lane & 1u);
    }
}

static bool warp_instruction(struct run *run)
{
    struct warp_case c;
    struct warp_result r;
    lanemask tainted;
    for (size_t n = 0; n < 4; n++)
        note_use(run, &run->i->srcs[n], run->executing);
    if (!operands_defined(run))
        return true;
    make_case(run, &c);
    if (!evaluate(run, &c, &r))
        return false;
    if (!all_done(run, &c, &r))
        return true;
    if (!find_tainted(run, &c, &tainted))
        return false;
    write_results(run, &c, &r, tainted);
    return true;
}

static bool step(struct run *run)
{
    if (!find_executing(run))
        return true;
    if (run->i->op == PROGRAM_WARP)
        return run->executing == 0 || warp_instruction(run);
    if (run->i->op == PROGRAM_EXIT)
        run->state->exited |= run->executing;
    else
        arithmetic(run);
    return true;
}

bool program_execute(const struct program *program, const struct warp_impl *impl, struct program_state *state,
                     struct program_outcome *outcome, char *error, size_t error_size)
{
    struct run run = {
        .program = program, .impl = impl, .state = state, .outcome = outcome, .error = error, .error_size = error_size};
    memset(outcome, 0, sizeof *outcome);
    run.target = program_target(program, error, error_size);
    if (run.target == 0)
        return false;
    for (run.at = 0; run.at < program->instructions_count && outcome->fault == PROGRAM_FAULT_NONE; run.at++) {
        run.i = &program->instructions[run.at];
        if (!step(&run))
            return false;
    }
    return true;
}

static const char *undefined_reason(const struct program *program)
{
    char why[128];
    if (warp_target_needs_convergence(program_target(program, why, sizeof why)))
        return ": not in their membermask, or (up to sm_6x) not all of it executes this together";
    return ", which are not in their membermask";
}

size_t program_fault_text(const struct program *program, const struct program_outcome *outcome, char *buf, size_t size)
{
    char what[160] = "";
    lanemask lanes = outcome->fault_lanes;
    if (size > 0)
        buf[0] = '\0';
    switch (outcome->fault) {
    case PROGRAM_FAULT_NONE:
        return 0;
    case PROGRAM_FAULT_UNDEFINED:
        snprintf(what, sizeof what, "undefined for lanes 0x%08x%s", lanes, undefined_reason(program));
        break;
    case PROGRAM_FAULT_WAITS:
        snprintf(what, sizeof what, "lanes 0x%08x wait for lanes 0x%08x, which do not execute it with that membermask",
                 lanes, outcome->waits_for);
        break;
    case PROGRAM_FAULT_GUARD:
        snprintf(what, sizeof what, "the guard is unpredictable in lanes 0x%08x", lanes);
        break;
    case PROGRAM_FAULT_OPERAND:
        snprintf(what, sizeof what, "b, c or membermask is unpredictable in lanes 0x%08x", lanes);
        break;
    }
    int n = snprintf(buf, size, "line %u: %s", program->instructions[outcome->fault_at].line, what);
    return n > 0 ? (size_t)n : 0;
}
