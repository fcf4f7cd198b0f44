/* What the values of a program are taken for, and its inputs. */
#include "smt/program/symbolic.h"

#include <stdio.h>

static term zero_of(struct smt *s, enum ptx_type type)
{
    return type == PTX_PRED ? term_bool(s, false) : term_bits(s, 0, ptx_type_bits(type));
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
    goal_unknown(x->g, k, x->refuting);
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
        goal_unknown(x->g, v, x->refuting);
    if (r->input.has_range) {
        goal_assume(x->g, term_sle(s, term_bits(s, (uint64_t)r->input.low, bits), v));
        goal_assume(x->g, term_sle(s, v, term_bits(s, (uint64_t)r->input.high, bits)));
    }
    return v;
}

void symbolic_inputs(struct symbolic *x)
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

static void choose_values(struct symbolic *x)
{
    const struct program *p = x->program;
    x->values = SYMBOLIC_CONCRETE;
    if (x->refuting)
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

void symbolic_choose(struct symbolic *x)
{
    choose_values(x);
    make_function(x);
}
