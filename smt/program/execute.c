#include "smt/program/symbolic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct operand {
    term value[WARP_LANES];
    term defined[WARP_LANES];
};

static bool cannot(struct symbolic *x, const char *what, uint32_t line)
{
    snprintf(x->g->error, sizeof x->g->error, "line %u: the prover does not read %s", (unsigned)line, what);
    return false;
}

static term zero_of(struct smt *s, enum ptx_type type)
{
    return type == PTX_PRED ? term_bool(s, false) : term_bits(s, 0, ptx_type_bits(type));
}

static uint32_t special_value(enum program_special special, unsigned lane)
{
    uint32_t own = 1u << lane;
    switch (special) {
    case PROGRAM_LANEMASK_EQ:
        return own;
    case PROGRAM_LANEMASK_LE:
        return own | (own - 1u);
    case PROGRAM_LANEMASK_LT:
        return own - 1u;
    case PROGRAM_LANEMASK_GE:
        return ~(own - 1u);
    case PROGRAM_LANEMASK_GT:
        return ~(own | (own - 1u));
    default:
        return lane;
    }
}

/* bits: of an immediate; 1 is a predicate. */
static void read_operand(struct symbolic *x, const struct program_operand *o, unsigned bits, struct operand *out)
{
    struct smt *s = x->g->s;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        out->defined[lane] = term_bool(s, true);
        if (o->kind == PROGRAM_REGISTER) {
            out->value[lane] = x->now[o->reg].value[lane];
            out->defined[lane] = x->now[o->reg].defined[lane];
        } else if (o->kind == PROGRAM_SPECIAL) {
            out->value[lane] = term_word(s, special_value((enum program_special)o->value, lane));
        } else {
            out->value[lane] = bits == 1 ? term_bool(s, o->value != 0) : term_bits(s, o->value, bits);
        }
        if (o->negate)
            out->value[lane] = term_not(s, out->value[lane]);
    }
}

static void write_register(struct symbolic *x, const struct program_operand *o, const term executes[WARP_LANES],
                           const struct operand *result)
{
    struct smt *s = x->g->s;
    if (o->kind != PROGRAM_REGISTER)
        return;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct symbolic_register *r = &x->now[o->reg];
        r->value[lane] = term_ite(s, executes[lane], result->value[lane], r->value[lane]);
        r->defined[lane] = term_simplify(s, term_ite(s, executes[lane], result->defined[lane], r->defined[lane]));
    }
}

static void fault_when(struct symbolic *x, term fault)
{
    x->faultless = term_and(x->g->s, x->faultless, term_not(x->g->s, fault));
}

static void note_use(struct symbolic *x, term executes, term defined)
{
    struct smt *s = x->g->s;
    x->used = term_or(s, x->used, term_and(s, executes, term_not(s, defined)));
}

/* Rules 2 and 5: active, not exited, guard true; a guard that is unpredictable is a fault. */
static void executing(struct symbolic *x, const struct program_instruction *i, term executes[WARP_LANES])
{
    struct smt *s = x->g->s;
    struct operand guard;
    if (i->guard.kind == PROGRAM_REGISTER)
        read_operand(x, &i->guard, 1, &guard);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        term k = term_word(s, lane);
        term here = term_and(s, term_in(s, k, x->start_active), term_not(s, term_in(s, k, x->exited)));
        if (i->guard.kind == PROGRAM_REGISTER) {
            term unknown = term_and(s, here, term_not(s, guard.defined[lane]));
            fault_when(x, unknown);
            x->used = term_or(s, x->used, unknown);
            here = term_and(s, here, guard.value[lane]);
        }
        executes[lane] = term_simplify(s, here);
    }
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

static void read_sources(struct symbolic *x, const struct program_instruction *i, struct smt_warp *w,
                         const term executes[WARP_LANES], struct operand *a)
{
    struct smt *s = x->g->s;
    struct operand o;
    unsigned a_bits = w->info->type == WARP_PRED ? 1 : w->info->type == WARP_B64 ? 64 : 32;
    term *into[4] = {w->a, w->b, w->c, w->membermask};
    for (unsigned k = 0; k < 4; k++) {
        if (i->srcs[k].kind == PROGRAM_NONE)
            continue;
        read_operand(x, &i->srcs[k], k == PROGRAM_A ? a_bits : 32, &o);
        memcpy(into[k], o.value, sizeof o.value);
        if (k == PROGRAM_A)
            *a = o;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            note_use(x, executes[lane], o.defined[lane]);
            if (k != PROGRAM_A)
                fault_when(x, term_and(s, executes[lane], term_not(s, o.defined[lane])));
        }
    }
}

static bool step_warp(struct symbolic *x, const struct program_instruction *i, const term executes[WARP_LANES],
                      bool convergence)
{
    struct smt *s = x->g->s;
    struct smt_warp *w = goal_full_warp(x->g, i->form);
    struct operand a = {{0}, {0}}, d, p;
    bool only_p = !warp_form_writes_d(warp_form_get(i->form), WARP_DST_D);
    w->dst = i->dst;
    w->negate = term_bool(s, false);
    w->convergence = term_bool(s, convergence);
    w->exited = x->exited;
    w->active = term_simplify(s, term_mask(s, executes));
    read_sources(x, i, w, executes, &a);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct smt_lane r = goal_result(x->g, w, term_word(s, lane));
        term from = source_defined(x, w, lane, r.group, &a);
        bool p_of_data = !warp_form_is_shfl(w->info);
        fault_when(x, term_and(s, executes[lane], term_not(s, r.done)));
        d.value[lane] = only_p ? r.p : r.d;
        d.defined[lane] = only_p ? from : term_and(s, r.d_defined, from);
        p.value[lane] = r.p;
        p.defined[lane] = p_of_data ? from : term_bool(s, true);
    }
    write_register(x, &i->dsts[0], executes, &d);
    write_register(x, &i->dsts[1], executes, &p);
    return true;
}

static void step_exit(struct symbolic *x, const term executes[WARP_LANES])
{
    x->exited = term_simplify(x->g->s, term_bor(x->g->s, x->exited, term_mask(x->g->s, executes)));
}

/* selp reads its predicate and the source that this chooses; setp writes a predicate. */
static bool step_choice(struct symbolic *x, const struct program_instruction *i, const term executes[WARP_LANES])
{
    struct smt *s = x->g->s;
    unsigned bits = ptx_type_bits(i->type);
    struct operand a, b, c, d;
    read_operand(x, &i->srcs[0], bits, &a);
    read_operand(x, &i->srcs[1], bits, &b);
    if (i->op == PROGRAM_SELP)
        read_operand(x, &i->srcs[2], 1, &c);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (i->op == PROGRAM_SELP) {
            d.value[lane] = term_ite(s, c.value[lane], a.value[lane], b.value[lane]);
            d.defined[lane] =
                term_and(s, c.defined[lane], term_ite(s, c.value[lane], a.defined[lane], b.defined[lane]));
        } else {
            d.value[lane] = symbolic_compare(x, i->compare, i->type, a.value[lane], b.value[lane]);
            d.defined[lane] = term_and(s, a.defined[lane], b.defined[lane]);
            if (d.value[lane] == NULL)
                return cannot(x, "this comparison", i->line);
        }
        note_use(x, executes[lane], d.defined[lane]);
    }
    write_register(x, &i->dsts[0], executes, &d);
    return true;
}

static bool step_pack(struct symbolic *x, const struct program_instruction *i, const term executes[WARP_LANES])
{
    struct smt *s = x->g->s;
    struct operand a, b, low, high;
    bool pack = i->op == PROGRAM_PACK;
    read_operand(x, &i->srcs[0], pack ? 32 : 64, &a);
    if (pack)
        read_operand(x, &i->srcs[1], 32, &b);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        low.defined[lane] = high.defined[lane] = a.defined[lane];
        if (pack) {
            low.value[lane] = term_concat(s, b.value[lane], a.value[lane]);
            low.defined[lane] = term_and(s, a.defined[lane], b.defined[lane]);
        } else {
            low.value[lane] = term_extract(s, 31, 0, a.value[lane]);
            high.value[lane] = term_extract(s, 63, 32, a.value[lane]);
        }
        note_use(x, executes[lane], low.defined[lane]);
    }
    write_register(x, &i->dsts[0], executes, &low);
    if (!pack)
        write_register(x, &i->dsts[1], executes, &high);
    return true;
}

static bool step_arithmetic(struct symbolic *x, const struct program_instruction *i, const term executes[WARP_LANES])
{
    struct smt *s = x->g->s;
    unsigned sources = program_op_get(i->op)->sources;
    unsigned bits = ptx_type_bits(i->type);
    bool shifts = i->op == PROGRAM_SHL || i->op == PROGRAM_SHR;
    struct operand a, b, d;
    read_operand(x, &i->srcs[0], bits, &a);
    b = a;
    if (sources > 1)
        read_operand(x, &i->srcs[1], shifts ? 32 : bits, &b);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool abstract = x->values != SYMBOLIC_CONCRETE && i->op == x->op;
        d.value[lane] = abstract ? symbolic_combine(x, i->op, i->type, a.value[lane], b.value[lane])
                                 : symbolic_operate(x, i->op, i->type, i->nan, a.value[lane], b.value[lane]);
        d.defined[lane] = term_and(s, a.defined[lane], b.defined[lane]);
        if (d.value[lane] == NULL)
            return cannot(x, program_op_get(i->op)->name, i->line);
        note_use(x, executes[lane], d.defined[lane]);
    }
    write_register(x, &i->dsts[0], executes, &d);
    return true;
}

static bool step(struct symbolic *x, const struct program_instruction *i, bool convergence)
{
    term executes[WARP_LANES];
    executing(x, i, executes);
    switch (i->op) {
    case PROGRAM_WARP:
        return step_warp(x, i, executes, convergence);
    case PROGRAM_EXIT:
        step_exit(x, executes);
        return true;
    case PROGRAM_SELP:
    case PROGRAM_SETP:
        return step_choice(x, i, executes);
    case PROGRAM_PACK:
    case PROGRAM_UNPACK:
        return step_pack(x, i, executes);
    default:
        return step_arithmetic(x, i, executes);
    }
}

/* A refutation may choose its inputs: few lanes are unknown, the others 0. */
static bool is_free(const struct symbolic *x, const struct program_register *r, unsigned lane)
{
    return !x->refuting || r->input.uniform || lane == 0 || lane == 1 || lane == 16 || lane == 31;
}

/* A whole number of the range, as f32. */
static term float_in_range(struct symbolic *x, const struct program_register *r, const char *name)
{
    struct smt *s = x->g->s;
    Z3_ast mode = smt_keep(s, Z3_mk_fpa_round_nearest_ties_to_even(s->z3));
    term k = term_constant(s, s->word_sort, name);
    term_list_add(&x->g->unknowns, k);
    goal_assume(x->g, term_sle(s, term_word(s, (uint32_t)r->input.low), k));
    goal_assume(x->g, term_sle(s, k, term_word(s, (uint32_t)r->input.high)));
    return smt_keep(s, Z3_mk_fpa_to_ieee_bv(s->z3, smt_keep(s, Z3_mk_fpa_to_fp_signed(s->z3, mode, k, s->float_sort))));
}

/* The input of a lane: any value of its range; of words and sets, the lane itself. */
static term input_value(struct symbolic *x, const struct program_register *r, unsigned lane)
{
    struct smt *s = x->g->s;
    unsigned bits = ptx_type_bits(r->type);
    char name[PTX_NAME_MAX + 16];
    term v;
    if (x->values == SYMBOLIC_WORDS && r->type != PTX_PRED)
        return term_word(s, 0x10000u | lane << 8 | lane);
    if (x->values == SYMBOLIC_SETS && r->type != PTX_PRED)
        return term_word(s, 1u << lane);
    if (r->input.uniform)
        snprintf(name, sizeof name, "%s", r->name);
    else
        snprintf(name, sizeof name, "%s[%u]", r->name, lane);
    if (!is_free(x, r, lane))
        return zero_of(s, r->type);
    if (r->input.has_range && r->input.as == PTX_F32)
        return float_in_range(x, r, name);
    v = r->type == PTX_PRED ? term_constant(s, s->bool_sort, name)
                            : term_constant(s, Z3_get_sort(s->z3, term_bits(s, 0, bits)), name);
    if (!r->input.uniform || lane == 0)
        term_list_add(&x->g->unknowns, v);
    if (r->input.has_range) {
        goal_assume(x->g, term_sle(s, term_bits(s, (uint64_t)r->input.low, bits), v));
        goal_assume(x->g, term_sle(s, v, term_bits(s, (uint64_t)r->input.high, bits)));
    }
    return v;
}

static bool make_inputs(struct symbolic *x)
{
    struct smt *s = x->g->s;
    for (size_t i = 0; i < x->program->registers_count; i++) {
        const struct program_register *r = &x->program->registers[i];
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            x->now[i].value[lane] = r->input.is_input ? input_value(x, r, lane) : zero_of(s, r->type);
            x->now[i].defined[lane] = term_bool(s, r->input.is_input);
        }
        x->initial[i] = x->now[i];
    }
    return true;
}

/* Nothing but the operation looks at the values: moves, shuffles, guards that do not depend on them. */
static bool may_abstract(const struct program *p, enum program_op op)
{
    for (size_t k = 0; k < p->instructions_count; k++) {
        const struct program_instruction *i = &p->instructions[k];
        bool moves = i->op == PROGRAM_MOV || i->op == PROGRAM_SELP || i->op == PROGRAM_EXIT;
        bool shuffles = i->op == PROGRAM_WARP && warp_form_is_shfl(warp_form_get(i->form));
        if (i->op != op && !moves && !shuffles)
            return false;
        if (i->op == PROGRAM_MOV && i->srcs[0].kind != PROGRAM_REGISTER)
            return false;
        for (unsigned n = 0; n < 4; n++)
            if (i->op == PROGRAM_WARP && n > 0 && i->srcs[n].kind == PROGRAM_REGISTER)
                return false; /* b, c or membermask from a register: an input of another kind */
    }
    for (size_t k = 0; k < p->registers_count; k++)
        if (ptx_type_bits(p->registers[k].type) == 64)
            return false;
    for (size_t k = 0; k < p->claims_count; k++)
        if (p->claims[k].kind >= PROGRAM_CLAIM_REDUCE && p->claims[k].kind <= PROGRAM_CLAIM_EXSCAN &&
            p->claims[k].op != op)
            return false;
    return true;
}

/* The operations whose laws the catalogue proves (redux-lemma-commutes, -associates). */
static bool known_laws(enum program_op op, enum ptx_type type)
{
    if (ptx_type_bits(type) != 32)
        return false;
    if (type == PTX_F32)
        return op == PROGRAM_MIN || op == PROGRAM_MAX;
    return op == PROGRAM_ADD || op == PROGRAM_MIN || op == PROGRAM_MAX || op == PROGRAM_AND || op == PROGRAM_OR ||
           op == PROGRAM_XOR;
}

static void choose_values(struct symbolic *x, bool concrete)
{
    const struct program *p = x->program;
    x->values = SYMBOLIC_CONCRETE;
    if (concrete)
        return;
    if (p->abstract.present && may_abstract(p, p->abstract.op)) {
        x->op = p->abstract.op;
        x->type = p->abstract.type;
        x->values = p->abstract.associative && p->abstract.commutative ? SYMBOLIC_SETS
                    : p->abstract.associative                          ? SYMBOLIC_WORDS
                    : p->abstract.commutative                          ? SYMBOLIC_PAIRS
                                                                       : SYMBOLIC_CONCRETE;
        return;
    }
    for (size_t k = 0; k < p->instructions_count; k++) {
        const struct program_instruction *i = &p->instructions[k];
        if (i->op > PROGRAM_EXIT && i->op != PROGRAM_MOV && i->op != PROGRAM_SELP && may_abstract(p, i->op) &&
            !i->nan) {
            x->op = i->op;
            x->type = i->type;
            x->values = known_laws(i->op, i->type)                   ? SYMBOLIC_SETS
                        : i->op == PROGRAM_ADD && i->type == PTX_F32 ? SYMBOLIC_PAIRS
                                                                     : SYMBOLIC_CONCRETE;
            return;
        }
    }
}

static void make_function(struct symbolic *x)
{
    struct smt *s = x->g->s;
    Z3_sort words[2] = {s->word_sort, s->word_sort};
    if (x->values != SYMBOLIC_PAIRS)
        return;
    x->function = Z3_mk_func_decl(s->z3, Z3_mk_string_symbol(s->z3, "f"), 2, words, s->word_sort);
    smt_keep(s, Z3_func_decl_to_ast(s->z3, x->function));
}

bool symbolic_execute(struct symbolic *x, struct goal *g, const struct program *program, bool concrete)
{
    struct smt *s = g->s;
    char why[120];
    uint32_t target = program_target(program, why, sizeof why);
    memset(x, 0, sizeof *x);
    x->g = g;
    x->program = program;
    x->refuting = concrete;
    choose_values(x, concrete);
    make_function(x);
    x->initial = smt_grow(NULL, program->registers_count + 1, sizeof *x->initial);
    x->now = smt_grow(NULL, program->registers_count + 1, sizeof *x->now);
    make_inputs(x);
    x->exited = term_word(s, program->exited);
    x->start_active = program->active_reg != PROGRAM_NO_REGISTER ? x->now[program->active_reg].value[0]
                                                                 : term_word(s, program->active);
    x->start_active = term_simplify(s, term_band(s, x->start_active, term_bnot(s, x->exited)));
    x->faultless = term_bool(s, true);
    x->used = term_bool(s, false);
    for (size_t i = 0; i < program->instructions_count; i++)
        if (!step(x, &program->instructions[i], warp_target_needs_convergence(target)))
            return false;
    return true;
}

void symbolic_free(struct symbolic *x)
{
    free(x->initial);
    free(x->now);
}
