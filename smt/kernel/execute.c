/* Inputs, and one instruction after the other. */
#include "smt/kernel/symbolic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static term zero_of(struct smt *s, enum ptx_type type)
{
    return type == PTX_PRED ? term_bool(s, false) : term_bits(s, 0, ptx_type_bits(type));
}

/* A refutation may choose its inputs: a few lanes are unknown, the others 0 (for `and`: all ones). */
static bool is_free(const struct symbolic *x, const struct program_register *r, unsigned lane)
{
    return !x->refuting || r->input.uniform || lane == 0 || lane == 1 || lane == 16 || lane == 31;
}

static term rest_of(const struct symbolic *x, enum ptx_type type)
{
    for (size_t i = 0; i < x->program->instructions_count; i++)
        if (x->program->instructions[i].op == OP_AND && x->program->instructions[i].type == type)
            return term_bits(x->g->s, UINT64_MAX, ptx_type_bits(type));
    return zero_of(x->g->s, type);
}

/* A mask of the lowest lanes, with which a refutation chooses the executing lanes. */
static term few_lanes(struct symbolic *x, const char *name)
{
    struct smt *s = x->g->s;
    term v = term_constant(s, Z3_get_sort(s->z3, term_bits(s, 0, 3)), name);
    goal_unknown(x->g, v, true);
    return term_extend(s, 32, v);
}

/* A whole number of the range, as f32. */
static term float_in_range(struct symbolic *x, const struct program_register *r, const char *name)
{
    struct smt *s = x->g->s;
    Z3_ast mode = smt_keep(s, Z3_mk_fpa_round_nearest_ties_to_even(s->z3));
    term k = term_constant(s, s->word_sort, name);
    goal_unknown(x->g, k, x->refuting);
    goal_assume(x->g, term_sle(s, term_word(s, (uint32_t)r->input.low), k));
    goal_assume(x->g, term_sle(s, k, term_word(s, (uint32_t)r->input.high)));
    return smt_keep(s, Z3_mk_fpa_to_ieee_bv(s->z3, smt_keep(s, Z3_mk_fpa_to_fp_signed(s->z3, mode, k, s->float_sort))));
}

/* A number of the range, with no more bits than the range needs. */
static term small_number(struct symbolic *x, const struct program_register *r, const char *name, unsigned bits,
                         unsigned lane)
{
    struct smt *s = x->g->s;
    unsigned width = 1;
    term v;
    if (r->input.low == r->input.high)
        return term_bits(s, (uint64_t)r->input.low, bits);
    while (width < bits && (uint64_t)r->input.high >> width != 0)
        width++;
    v = term_constant(s, Z3_get_sort(s->z3, term_bits(s, 0, width)), name);
    if (r->input.uniform && lane != 0)
        return term_extend(s, bits, v);
    goal_unknown(x->g, v, x->refuting);
    goal_assume(x->g, term_ule(s, term_bits(s, (uint64_t)r->input.low, width), v));
    goal_assume(x->g, term_ule(s, v, term_bits(s, (uint64_t)r->input.high, width)));
    return term_extend(s, bits, v);
}

/*
 * An example instead of unknowns, since sums of unknown f32 take a solver long: 1 + 2^24 - 2^24 depends on its order;
 * where a range is given, small whole numbers.
 */
static term float_example(struct smt *s, const struct program_register *r, unsigned lane)
{
    bool whole = r->input.has_range;
    uint32_t bits = lane == 0    ? 0x3f800000u
                    : lane == 1  ? (whole ? 0x40000000u : 0x4b800000u)
                    : lane == 16 ? (whole ? 0x40400000u : 0xcb800000u)
                                 : 0;
    if (whole && (r->input.low > 0 || r->input.high < 3))
        bits = 0; /* shows nothing, and then proves nothing */
    return term_word(s, bits);
}

/* Five bits, which tell 32 values apart. */
static term key(struct symbolic *x, const char *name, unsigned bits)
{
    struct smt *s = x->g->s;
    term v = term_constant(s, Z3_get_sort(s->z3, term_bits(s, 0, 5)), name);
    goal_unknown(x->g, v, x->refuting);
    return term_extend(s, bits, v);
}

/* The lane itself, as a word or a set. */
static term atom(struct symbolic *x, unsigned bits, unsigned lane)
{
    struct smt *s = x->g->s;
    term v = term_word(s, x->values == SYMBOLIC_WORDS ? 0x10000u | lane << 8 | lane : 1u << lane);
    return bits == 64 ? term_concat(s, v, v) : v;
}

/* The input of a lane: any value of its range. */
static term input_value(struct symbolic *x, const struct program_register *r, unsigned lane)
{
    struct smt *s = x->g->s;
    unsigned bits = ptx_type_bits(r->type);
    char name[PTX_NAME_MAX + 16];
    term v;
    if (r->input.uniform)
        snprintf(name, sizeof name, "%s", r->name);
    else
        snprintf(name, sizeof name, "%s[%u]", r->name, lane);
    if (x->refuting && r->input.as == PTX_F32 && !r->input.uniform)
        return float_example(s, r, lane);
    if (!is_free(x, r, lane))
        return rest_of(x, r->type);
    if (x->refuting && r - x->program->registers == (ptrdiff_t)x->program->active_reg)
        return few_lanes(x, name);
    if (r->input.has_range && r->input.as == PTX_F32 && x->values == SYMBOLIC_CONCRETE)
        return float_in_range(x, r, name);
    if (x->first_kind[r - x->program->registers] == SYMBOLIC_KEY)
        return key(x, name, bits);
    if (r->input.has_range && r->input.as != PTX_F32 && r->input.low >= 0)
        return small_number(x, r, name, bits, lane);
    v = r->type == PTX_PRED ? term_constant(s, s->bool_sort, name)
                            : term_constant(s, Z3_get_sort(s->z3, term_bits(s, 0, bits)), name);
    if (!r->input.uniform || lane == 0)
        goal_unknown(x->g, v, x->refuting);
    if (r->input.has_range && r->input.as != PTX_F32) {
        goal_assume(x->g, term_sle(s, term_bits(s, (uint64_t)r->input.low, bits), v));
        goal_assume(x->g, term_sle(s, v, term_bits(s, (uint64_t)r->input.high, bits)));
    }
    return v;
}

/* Makes all registers, with the inputs' values. Used by symbolic_execute. */
static void symbolic_inputs(struct symbolic *x)
{
    struct smt *s = x->g->s;
    for (size_t i = 0; i < x->program->registers_count; i++) {
        const struct program_register *r = &x->program->registers[i];
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            bool product = x->first_kind[i] == SYMBOLIC_PRODUCT || x->first_kind[i] == SYMBOLIC_SIGNED;
            x->now[i].value[lane] = product             ? atom(x, ptx_type_bits(r->type), lane)
                                    : r->input.is_input ? input_value(x, r, lane)
                                                        : zero_of(s, r->type);
            x->now[i].defined[lane] = term_bool(s, r->input.is_input);
        }
        x->initial[i] = x->now[i];
    }
}

struct operand {
    term value[WARP_LANES];
    term defined[WARP_LANES];
};

static bool cannot(struct symbolic *x, const char *what, uint32_t line)
{
    error_set(&x->g->error, ERROR_UNSUPPORTED, "line %u: the prover does not read %s", (unsigned)line, what);
    return false;
}

static uint32_t special_value(enum ptx_special special, unsigned lane)
{
    uint32_t own = 1u << lane;
    switch (special) {
    case SPECIAL_LANEMASK_EQ:
        return own;
    case SPECIAL_LANEMASK_LE:
        return own | (own - 1u);
    case SPECIAL_LANEMASK_LT:
        return own - 1u;
    case SPECIAL_LANEMASK_GE:
        return ~(own - 1u);
    case SPECIAL_LANEMASK_GT:
        return ~(own | (own - 1u));
    case SPECIAL_LANEID:
        return lane;
    case SPECIALS_NOT_OF_LANE:
        break;
    }
    smt_defect("a special register without a name");
}

/* bits: of an immediate; 1 is a predicate. */
static void read_operand(struct symbolic *x, const struct module_operand *o, unsigned bits, struct operand *out)
{
    struct smt *s = x->g->s;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        out->defined[lane] = term_bool(s, true);
        if (o->kind == OPERAND_REGISTER) {
            out->value[lane] = x->now[o->reg].value[lane];
            out->defined[lane] = x->now[o->reg].defined[lane];
        } else if (o->kind == OPERAND_SPECIAL) {
            out->value[lane] = term_word(s, special_value(o->special, lane));
        } else {
            out->value[lane] = bits == 1 ? term_bool(s, o->value != 0) : term_bits(s, o->value, bits);
        }
        if (o->negate)
            out->value[lane] = term_not(s, out->value[lane]);
    }
}

static void write_register(struct symbolic *x, const struct module_operand *o, const term executes[WARP_LANES],
                           const struct operand *result)
{
    struct smt *s = x->g->s;
    if (o->kind != OPERAND_REGISTER)
        return;
    struct symbolic_register *const r = &x->now[o->reg];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        r->value[lane] = term_ite(s, executes[lane], result->value[lane], r->value[lane]);
        r->defined[lane] = term_ite(s, executes[lane], result->defined[lane], r->defined[lane]);
    }
    term_simplify_each(s, r->defined, WARP_LANES);
}

/* Adds to each lane's list (faults or uses) that the lane executes and `good` does not hold. */
static void note(struct symbolic *x, struct term_list lists[WARP_LANES], const term executes[WARP_LANES],
                 const term good[WARP_LANES])
{
    struct smt *s = x->g->s;
    term bad[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        bad[lane] = term_and(s, executes[lane], term_not(s, good[lane]));
    term_simplify_each(s, bad, WARP_LANES);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t literal = 1;
        if (!term_value(s, bad[lane], &literal) || literal != 0)
            term_list_add(&lists[lane], bad[lane]);
    }
}

/* Rules 2 and 5: active, not exited, guard true; a guard that is unpredictable is a fault. */
static void executing(struct symbolic *x, const struct module_instruction *i, term executes[WARP_LANES])
{
    struct smt *s = x->g->s;
    const struct module_operand o = {.kind = OPERAND_REGISTER, .reg = i->guard, .negate = i->guard_negate};
    struct operand guard;
    if (i->guard != MODULE_NONE)
        read_operand(x, &o, 1, &guard);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        term k = term_word(s, lane);
        executes[lane] = term_and(s, term_in(s, k, x->start_active), term_not(s, term_in(s, k, x->exited)));
    }
    if (i->guard != MODULE_NONE) {
        note(x, x->faults, executes, guard.defined);
        note(x, x->uses, executes, guard.defined);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            executes[lane] = term_and(s, executes[lane], guard.value[lane]);
    }
    term_simplify_each(s, executes, WARP_LANES);
}

/* Rule 4, where the `a` that d comes from is unpredictable, d is too. */
static term source_defined(struct symbolic *x, const struct smt_warp *w, unsigned lane, term group,
                           const struct operand *a)
{
    struct smt *s = x->g->s;
    struct smt_shfl_source source;
    if (!warp_form_is_shfl(w->info))
        return w->info->type == WARP_NO_SOURCE ? term_bool(s, true) : term_each_in(s, group, a->defined);
    source = encode_shfl_source(s, w->info->op, term_word(s, lane), w->b[lane], w->c[lane]);
    return term_of_lane(s, a->defined, term_simplify(s, encode_shfl_lane(s, &source, term_word(s, lane))));
}

static void read_sources(struct symbolic *x, const struct module_instruction *i, struct smt_warp *w,
                         const term executes[WARP_LANES], struct operand *a)
{
    struct operand o;
    unsigned a_bits = w->info->type == WARP_PRED ? 1 : w->info->type == WARP_B64 ? 64 : 32;
    term *into[4] = {w->a, w->b, w->c, w->membermask};
    for (unsigned k = 0; k < 4; k++) {
        if (program_source(i, k)->kind == OPERAND_NONE)
            continue;
        read_operand(x, program_source(i, k), k == OPERAND_A ? a_bits : 32, &o);
        memcpy(into[k], o.value, sizeof o.value);
        if (k == OPERAND_A)
            *a = o;
        note(x, x->uses, executes, o.defined);
        if (k != OPERAND_A)
            note(x, x->faults, executes, o.defined);
    }
}

/* When a witness is wanted, the goal keeps the warp and its results. Values taken as symbols give no witness. */
static struct smt_warp *open_warp(struct symbolic *x, enum warp_form form)
{
    struct smt *s = x->g->s;
    if (x->values == SYMBOLIC_CONCRETE)
        return goal_full_warp(x->g, form);
    encode_warp(s, &x->warp, form, WARP_DST_D, "symbols");
    return &x->warp;
}

static struct smt_lane result_of(struct symbolic *x, const struct smt_warp *w, unsigned lane, enum symbolic_step how,
                                 const struct operand *a)
{
    struct smt *s = x->g->s;
    term number = term_word(s, lane);
    struct smt_lane r;
    if (x->values == SYMBOLIC_CONCRETE)
        return goal_result(x->g, w, number);
    if (how == SYMBOLIC_AS_IT_IS) {
        encode_lane(s, w, number, &r);
        return r;
    }
    encode_outcome(s, w, number, &r);
    r.d = how == SYMBOLIC_COMBINES ? symbolic_redux(x, a->value, r.group) : symbolic_broken(x, 32);
    r.d_defined = term_bool(s, true);
    r.p = term_bool(s, false);
    return r;
}

static bool step_warp(struct symbolic *x, const struct module_instruction *i, const term executes[WARP_LANES],
                      bool convergence)
{
    struct smt *s = x->g->s;
    struct smt_warp *w = open_warp(x, i->form);
    struct operand a = {{0}, {0}}, d, p;
    term done[WARP_LANES];
    bool only_p = !warp_form_writes_d(warp_form_get(i->form), WARP_DST_D);
    w->dst = i->dst;
    w->negate = term_bool(s, false);
    w->convergence = term_bool(s, convergence);
    w->exited = x->exited;
    w->active = term_simplify(s, term_mask(s, executes));
    read_sources(x, i, w, executes, &a);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct smt_lane r = result_of(x, w, lane, x->steps[i - x->program->instructions], &a);
        term from = source_defined(x, w, lane, r.group, &a);
        bool p_of_data = !warp_form_is_shfl(w->info);
        done[lane] = r.done;
        d.value[lane] = only_p ? r.p : r.d;
        d.defined[lane] = only_p ? from : term_and(s, r.d_defined, from);
        p.value[lane] = r.p;
        p.defined[lane] = p_of_data ? from : term_bool(s, true);
    }
    note(x, x->faults, executes, done);
    write_register(x, program_destination(i, 0), executes, &d);
    write_register(x, program_destination(i, 1), executes, &p);
    return true;
}

static void step_exit(struct symbolic *x, const term executes[WARP_LANES])
{
    x->exited = term_simplify(x->g->s, term_bor(x->g->s, x->exited, term_mask(x->g->s, executes)));
}

/* selp reads its predicate and the source that this chooses; setp writes a predicate. */
static bool step_choice(struct symbolic *x, const struct module_instruction *i, const term executes[WARP_LANES])
{
    struct smt *s = x->g->s;
    unsigned bits = ptx_type_bits(i->type);
    struct operand a, b, c, d;
    read_operand(x, program_source(i, 0), bits, &a);
    read_operand(x, program_source(i, 1), bits, &b);
    if (i->op == OP_SELP)
        read_operand(x, program_source(i, 2), 1, &c);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (i->op == OP_SELP) {
            d.value[lane] = term_ite(s, c.value[lane], a.value[lane], b.value[lane]);
            d.defined[lane] =
                term_and(s, c.defined[lane], term_ite(s, c.value[lane], a.defined[lane], b.defined[lane]));
        } else {
            d.value[lane] = symbolic_compare(x, i->compare, i->type, a.value[lane], b.value[lane]);
            d.defined[lane] = term_and(s, a.defined[lane], b.defined[lane]);
            if (d.value[lane] == NULL)
                return cannot(x, "this comparison", i->line);
        }
    }
    note(x, x->uses, executes, d.defined);
    write_register(x, program_destination(i, 0), executes, &d);
    return true;
}

static bool step_pack(struct symbolic *x, const struct module_instruction *i, const term executes[WARP_LANES])
{
    struct smt *s = x->g->s;
    struct operand a, b, low, high;
    bool pack = i->op == OP_PACK;
    read_operand(x, program_source(i, 0), pack ? 32 : 64, &a);
    if (pack)
        read_operand(x, program_source(i, 1), 32, &b);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        low.defined[lane] = high.defined[lane] = a.defined[lane];
        if (pack) {
            low.value[lane] = term_concat(s, b.value[lane], a.value[lane]);
            if (x->steps[i - x->program->instructions] == SYMBOLIC_COMBINES) /* only halves of one product */
                low.value[lane] =
                    term_ite(s, term_eq(s, a.value[lane], b.value[lane]), low.value[lane], symbolic_broken(x, 64));
            low.defined[lane] = term_and(s, a.defined[lane], b.defined[lane]);
        } else {
            low.value[lane] = term_extract(s, 31, 0, a.value[lane]);
            high.value[lane] = term_extract(s, 63, 32, a.value[lane]);
        }
    }
    note(x, x->uses, executes, low.defined);
    write_register(x, program_destination(i, 0), executes, &low);
    if (!pack)
        write_register(x, program_destination(i, 1), executes, &high);
    return true;
}

static term compute(struct symbolic *x, const struct module_instruction *i, term a, term b)
{
    switch (x->steps[i - x->program->instructions]) {
    case SYMBOLIC_COMBINES:
        return symbolic_combine(x, a, b);
    case SYMBOLIC_PASSES:
        return a;
    case SYMBOLIC_BREAKS:
        return symbolic_broken(x, ptx_type_bits(i->type));
    case SYMBOLIC_AS_IT_IS:
        return symbolic_operate(x, i->op, i->type, i->nan, a, b);
    }
    smt_defect("a step without a kind");
}

static bool step_arithmetic(struct symbolic *x, const struct module_instruction *i, const term executes[WARP_LANES])
{
    struct smt *s = x->g->s;
    unsigned sources = program_op_get(i->op)->sources;
    unsigned bits = ptx_type_bits(i->type);
    bool shifts = i->op == OP_SHL || i->op == OP_SHR;
    struct operand a, b, d;
    read_operand(x, program_source(i, 0), bits, &a);
    b = a;
    if (sources > 1)
        read_operand(x, program_source(i, 1), shifts ? 32 : bits, &b);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        d.value[lane] = compute(x, i, a.value[lane], b.value[lane]);
        d.defined[lane] = term_and(s, a.defined[lane], b.defined[lane]);
        if (d.value[lane] == NULL)
            return cannot(x, i->name, i->line);
    }
    note(x, x->uses, executes, d.defined);
    write_register(x, program_destination(i, 0), executes, &d);
    return true;
}

static bool step(struct symbolic *x, const struct module_instruction *i, bool convergence)
{
    term executes[WARP_LANES];
    executing(x, i, executes);
    switch (i->op) {
    case OP_WARP:
        return step_warp(x, i, executes, convergence);
    case OP_EXIT:
        step_exit(x, executes);
        return true;
    case OP_SELP:
    case OP_SETP:
        return step_choice(x, i, executes);
    case OP_PACK:
    case OP_UNPACK:
        return step_pack(x, i, executes);
    case OP_MOV:
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_MIN:
    case OP_MAX:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_NOT:
    case OP_SHL:
    case OP_SHR:
    case OP_NEG:
    case OP_ABS:
    case OP_POPC:
    case OP_CLZ:
    case OP_BREV:
        return step_arithmetic(x, i, executes);
    case OPS_NOT_PLAIN:
        break;
    }
    smt_defect("an instruction without an operation");
}

bool symbolic_execute(struct symbolic *x)
{
    const struct program *program = x->program;
    struct smt *s = x->g->s;
    const uint32_t target = program_target(program, NULL);
    symbolic_inputs(x);
    x->exited = term_word(s, program->exited);
    x->start_active =
        program->active_reg != MODULE_NONE ? x->now[program->active_reg].value[0] : term_word(s, program->active);
    x->start_active = term_simplify(s, term_band(s, x->start_active, term_bnot(s, x->exited)));
    for (size_t i = 0; i < program->instructions_count; i++)
        if (!step(x, &program->instructions[i], warp_target_needs_convergence(target)))
            return false;
    return true;
}
