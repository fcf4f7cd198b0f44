/*
 * What is known of places before any walk: which loads another thread may disturb, and where lanes may be in different
 * turns at one time.
 *
 * Threads between two block barriers are ordered by nothing. So a load is disturbed when a write to memory of its kind
 * can be reached from the same barrier (or the start) without another one between: what it gives is anything. Addresses
 * are not looked at, because pointers may point to the same words.
 */
#include "smt/pair/internal.h"

#include <stdlib.h>
#include <string.h>

/* Kinds of memory that other threads see; a generic address may be of each. */
enum { KIND_GLOBAL = 1, KIND_SHARED = 2 };

#define ORIGIN_UNKNOWN  (UINT64_C(1) << 63)
#define ORIGIN_VARIABLE (UINT64_C(1) << 62)
#define ORIGIN_NUMBER   (UINT64_C(1) << 61) /* what was computed from no address of which this is known */
#define ORIGIN_PARAMS   61u
#define ORIGIN_NOT_SURE (ORIGIN_UNKNOWN | ORIGIN_NUMBER)

struct places {
    struct pair *p;
    uint64_t *origins; /* per register: of which parameters its value may be an address, as bits */
    bool *seen;
    uint32_t *stack, depth;
};

static unsigned kinds_of(const struct code_instruction *c)
{
    switch (c->i->space) {
    case SPACE_GENERIC:
        return KIND_GLOBAL | KIND_SHARED;
    case SPACE_GLOBAL:
        return KIND_GLOBAL;
    case SPACE_SHARED:
    case SPACE_CLUSTER:
        return KIND_SHARED;
    case SPACE_LOCAL:
    case SPACE_CONST:
    case SPACE_PARAM:
    case SPACES:
        break;
    }
    return 0;
}

static bool is_write(const struct code_instruction *c)
{
    return c->kind == CODE_STORE || c->kind == CODE_ATOMIC;
}

/* --- where an address comes from --- */

static uint64_t origin_of_row(const struct places *x, uint32_t row)
{
    const struct code *const code = x->p->code;
    if (row == CODE_NO_ROW || row < code->registers || x->p->bits[row - code->registers] < 64)
        return ORIGIN_NUMBER;
    return x->origins[row - code->registers];
}

/* An address and a number added are that address. */
static uint64_t origin_of_sum(uint64_t a, uint64_t b)
{
    return ((a | b) & ~ORIGIN_NUMBER) | (a & b & ORIGIN_NUMBER);
}

static uint64_t origin_of_source(const struct places *x, const struct code_instruction *c, unsigned n)
{
    return c->i->srcs[n].kind == OPERAND_VARIABLE ? ORIGIN_VARIABLE : origin_of_row(x, c->srcs[n]);
}

/* Products and shifts are numbers, and so is what was made from fewer bits. */
static uint64_t origin_of_result(const struct places *x, const struct code_instruction *c)
{
    const bool param = c->kind == CODE_LOAD && c->i->space == SPACE_PARAM &&
                       &x->p->code->module->functions[c->function] == x->p->code->entry &&
                       c->i->srcs[0].reg == MODULE_NONE && c->i->srcs[0].variable != MODULE_NONE;
    if (param)
        return UINT64_C(1) << (c->i->srcs[0].variable % ORIGIN_PARAMS);
    if (c->kind == CODE_CVTA && !c->i->to && c->i->space != SPACE_GLOBAL && c->i->space != SPACE_CONST)
        return ORIGIN_VARIABLE;
    if (c->kind == CODE_CVTA)
        return origin_of_source(x, c, 0);
    if (c->kind != CODE_ROW)
        return ORIGIN_UNKNOWN;
    switch (c->i->op) {
    case OP_MUL:
    case OP_SHL:
    case OP_SHR:
    case OP_SETP:
        return ORIGIN_NUMBER;
    case OP_CVT:
        return ptx_type_bits(c->i->type2) < 64 ? ORIGIN_NUMBER : origin_of_row(x, c->srcs[0]);
    case OP_MAD:
        return origin_of_source(x, c, 2);
    case OP_MOV:
        return c->i->srcs_count == 1 ? origin_of_source(x, c, 0) : ORIGIN_UNKNOWN;
    case OP_SELP:
        return origin_of_source(x, c, 0) | origin_of_source(x, c, 1);
    case OP_ADD:
    case OP_SUB:
    case OP_AND:
        return origin_of_sum(origin_of_source(x, c, 0), origin_of_source(x, c, 1));
    case OP_PACK:
    case OP_UNPACK:
    case OP_FMA:
    case OP_MIN:
    case OP_MAX:
    case OP_NEG:
    case OP_ABS:
    case OP_NOT:
    case OP_OR:
    case OP_XOR:
    case OP_ADDC:
    case OP_SUBC:
    case OP_MADC:
    case OP_SET:
    case OP_SLCT:
    case OPS_BITCOUNT:
    case OPS_INTEGER:
    case OPS_SIZED:
    case OPS_REAL:
    case OPS_NO_VALUE:
        break;
    }
    return ORIGIN_UNKNOWN;
}

static void find_origins(struct places *x)
{
    const struct code *const code = x->p->code;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t at = 0; at < code->count; at++) {
            const struct code_instruction *const c = &code->instructions[at];
            const uint64_t origins = origin_of_result(x, c);
            for (unsigned d = 0; d < c->i->dsts_count; d++) {
                const uint32_t row = c->dsts[d];
                if (row == CODE_NO_ROW || row < code->registers || x->p->bits[row - code->registers] < 64)
                    continue;
                changed |= (x->origins[row - code->registers] | origins) != x->origins[row - code->registers];
                x->origins[row - code->registers] |= origins;
            }
        }
    }
}

static uint64_t origin_of_address(const struct places *x, const struct code_instruction *c)
{
    const struct module_operand *const o = &c->i->srcs[0];
    return origin_of_sum(o->variable != MODULE_NONE ? ORIGIN_VARIABLE : ORIGIN_NUMBER, origin_of_row(x, c->address));
}

/*
 * Is it read through .nc, and written through no pointer that may come from the same parameter? The manual forbids to
 * write what is read so.
 */
static bool is_constant(const struct places *x, const struct code_instruction *c)
{
    const struct code *const code = x->p->code;
    const uint64_t origins = origin_of_address(x, c);
    if (c->i->cache != CACHE_NC || origins == 0 || (origins & ORIGIN_NOT_SURE) != 0)
        return false;
    for (uint32_t at = 0; at < code->count; at++) {
        const struct code_instruction *const w = &code->instructions[at];
        uint64_t written;
        if (!is_write(w) || (kinds_of(w) & KIND_GLOBAL) == 0)
            continue;
        written = origin_of_address(x, w);
        if (written == 0 || (written & (ORIGIN_NOT_SURE | origins)) != 0)
            return false;
    }
    return true;
}

/* --- between two barriers --- */

static bool stops(const struct pair *p, const struct code_instruction *c)
{
    const uint32_t *const block = p->options->launch.block;
    const bool one_warp = block[0] != 0 && block[0] * block[1] * block[2] <= 32;
    const struct module_operand *const mask = &c->i->srcs[OPERAND_MEMBERMASK];
    if (c->guard != CODE_NO_ROW)
        return false;
    if (c->kind == CODE_BARRIER)
        return c->i->op != OP_BAR_ARRIVE && (c->i->srcs_count < 2 || c->i->srcs[1].kind == OPERAND_NONE);
    return one_warp && c->kind == CODE_WARP && warp_form_get(c->i->form)->family == WARP_BAR_WARP &&
           mask->kind == OPERAND_IMMEDIATE && (uint32_t)mask->value == UINT32_MAX;
}

static void push(struct places *x, uint32_t at)
{
    if (at < x->p->code->count && !x->seen[at]) {
        x->seen[at] = true;
        x->stack[x->depth++] = at;
    }
}

/* Whoever returns may go on behind any call of that function. */
static void push_returns(struct places *x, uint32_t function)
{
    const struct code *const code = x->p->code;
    for (uint32_t at = 0; at < code->count; at++)
        if (code->instructions[at].kind == CODE_CALL && code->instructions[at].i->callee == function)
            push(x, at + 1);
}

static void push_next(struct places *x, uint32_t at)
{
    const struct code_instruction *const c = &x->p->code->instructions[at];
    const bool ends = c->kind == CODE_BRANCH || c->kind == CODE_INDEXED || c->kind == CODE_RETURN ||
                      c->kind == CODE_EXIT || c->kind == CODE_END || c->kind == CODE_TRAP;
    if (c->kind == CODE_BRANCH || c->kind == CODE_CALL)
        push(x, c->target);
    for (uint32_t k = 0; c->kind == CODE_INDEXED && k < c->i->targets_count; k++)
        push(x, c->targets[k]);
    if (c->kind == CODE_RETURN)
        push_returns(x, c->function);
    if (!ends || c->guard != CODE_NO_ROW)
        push(x, at + 1);
}

/* May what was written, through pointers of these origins, be what is read here? */
static bool is_disturbed(const struct places *x, const struct code_instruction *c, unsigned kinds, uint64_t origins)
{
    const uint64_t own = origin_of_address(x, c);
    if ((kinds_of(c) & kinds) == 0)
        return false;
    if (c->i->space != SPACE_GLOBAL || own == 0 || ((own | origins) & ORIGIN_NOT_SURE) != 0 || (own & origins) != 0)
        return true;
    x->p->outcome->overlap_matters = true;
    return !x->p->options->pointers_apart;
}

/* Adds where a write goes. */
static void note_write(const struct places *x, const struct code_instruction *c, unsigned *kinds, uint64_t *origins)
{
    const uint64_t own = origin_of_address(x, c);
    *kinds |= kinds_of(c);
    if ((kinds_of(c) & KIND_GLOBAL) != 0)
        *origins |= own == 0 ? ORIGIN_UNKNOWN : own;
}

/* All places that are reached from this one before the next barrier: what is written there disturbs what is read. */
static void disturb_from(struct places *x, uint32_t start)
{
    struct pair *const p = x->p;
    unsigned written = 0;
    uint64_t origins = 0;
    memset(x->seen, 0, p->code->count * sizeof *x->seen);
    push(x, start);
    while (x->depth > 0) {
        const uint32_t at = x->stack[--x->depth];
        const struct code_instruction *const c = &p->code->instructions[at];
        if (is_write(c))
            note_write(x, c, &written, &origins);
        if (!stops(p, c))
            push_next(x, at);
    }
    for (uint32_t at = 0; at < p->code->count; at++)
        if (x->seen[at] && p->code->instructions[at].kind == CODE_LOAD)
            p->disturbed[at] |= is_disturbed(x, &p->code->instructions[at], written, origins);
}

static void find_disturbed(struct places *x)
{
    struct pair *const p = x->p;
    unsigned atomics = 0; /* other blocks may do them at any time */
    uint64_t origins = 0;
    disturb_from(x, p->code->start);
    for (uint32_t at = 0; at < p->code->count; at++) {
        const struct code_instruction *const c = &p->code->instructions[at];
        if (stops(p, c))
            disturb_from(x, at + 1);
        if (c->kind == CODE_ATOMIC)
            note_write(x, c, &atomics, &origins);
    }
    for (uint32_t at = 0; at < p->code->count; at++) {
        const struct code_instruction *const c = &p->code->instructions[at];
        if (c->kind != CODE_LOAD)
            continue;
        p->disturbed[at] |= is_disturbed(x, c, atomics & KIND_GLOBAL, origins) || c->i->space == SPACE_CLUSTER;
        if (p->disturbed[at] && is_constant(x, c))
            p->disturbed[at] = false;
        p->constant[at] = c->i->space == SPACE_CONST || is_constant(x, c);
    }
}

/* --- shared memory --- */

/* What comes from parameters alone is no address of shared memory: the host has none. */
static void find_shared(const struct places *x)
{
    const uint64_t from_elsewhere = ORIGIN_NOT_SURE | ORIGIN_VARIABLE;
    for (uint32_t at = 0; at < x->p->code->count; at++) {
        const struct code_instruction *const c = &x->p->code->instructions[at];
        const uint64_t origins = (is_write(c) || c->kind == CODE_LOAD) ? origin_of_address(x, c) : 0;
        x->p->may_be_shared[at] = (is_write(c) || c->kind == CODE_LOAD) && (kinds_of(c) & KIND_SHARED) != 0 &&
                                  (c->i->space != SPACE_GENERIC || origins == 0 || (origins & from_elsewhere) != 0);
    }
}

/* --- turns --- */

static bool is_in_loop(const struct pair *p, uint32_t function, uint32_t at)
{
    const struct flow *const flow = &p->flows[function];
    return flow->loop[flow->f->instructions[at - flow->first].block] != MODULE_NONE;
}

/* A function that is called at two places, or in a loop, or by such a one. */
static void find_repeated(struct pair *p)
{
    const struct code *const code = p->code;
    bool *const again = calloc(code->functions_count + 1, sizeof *again);
    bool *const called = calloc(code->functions_count + 1, sizeof *called);
    if (again == NULL || called == NULL) {
        pair_fail(p, ERROR_SYSTEM, "out of memory");
        free(again);
        free(called);
        return;
    }
    for (uint32_t caller = code->functions_count; caller-- > 0;) /* callees stand first */
        for (uint32_t callee = 0; callee < code->functions_count; callee++) {
            unsigned calls = 0;
            for (uint32_t k = 0; k < p->flows[caller].f->instructions_count; k++) {
                const uint32_t at = p->flows[caller].first + k;
                if (code->instructions[at].kind != CODE_CALL ||
                    code->instructions[at].target != code->functions[callee].first)
                    continue;
                calls += is_in_loop(p, caller, at) || again[caller] ? 2 : 1;
            }
            again[callee] |= calls > 1 || (calls == 1 && called[callee]);
            called[callee] |= calls > 0;
        }
    for (uint32_t f = 0; f < code->functions_count; f++)
        for (uint32_t k = 0; k < p->flows[f].f->instructions_count; k++)
            p->repeated[p->flows[f].first + k] = again[f] || is_in_loop(p, f, p->flows[f].first + k);
    free(again);
    free(called);
}

bool pair_find_places(struct pair *p)
{
    const uint32_t count = p->code->count;
    struct places x = {.p = p,
                       .origins = calloc(p->registers + 1, sizeof *x.origins),
                       .seen = calloc(count + 1, sizeof *x.seen),
                       .stack = calloc(count + 1, sizeof *x.stack)};
    p->disturbed = calloc(count + 1, sizeof *p->disturbed);
    p->constant = calloc(count + 1, sizeof *p->constant);
    p->repeated = calloc(count + 1, sizeof *p->repeated);
    p->may_be_shared = calloc(count + 1, sizeof *p->may_be_shared);
    if (x.origins && x.seen && x.stack && p->disturbed && p->constant && p->repeated && p->may_be_shared) {
        find_origins(&x);
        find_shared(&x);
        find_disturbed(&x);
        find_repeated(p);
    } else {
        pair_fail(p, ERROR_SYSTEM, "out of memory");
    }
    free(x.origins);
    free(x.seen);
    free(x.stack);
    return !pair_failed(p);
}
