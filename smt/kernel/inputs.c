/* The inputs of a program. */
#include "smt/kernel/symbolic.h"

#include <stdio.h>

static term zero_of(struct smt *s, enum ptx_type type)
{
    return type == PTX_PRED ? term_bool(s, false) : term_bits(s, 0, ptx_type_bits(type));
}

/* A refutation may choose its inputs: few lanes are unknown, the others 0 (with `and`: all ones). */
static bool is_free(const struct symbolic *x, const struct program_register *r, unsigned lane)
{
    return !x->refuting || r->input.uniform || lane == 0 || lane == 1 || lane == 16 || lane == 31;
}

static term rest_of(const struct symbolic *x, enum ptx_type type)
{
    for (size_t i = 0; i < x->program->instructions_count; i++)
        if (x->program->instructions[i].op == PROGRAM_AND && x->program->instructions[i].type == type)
            return term_bits(x->g->s, UINT64_MAX, ptx_type_bits(type));
    return zero_of(x->g->s, type);
}

/* A mask of the lowest lanes, for a refutation to choose who executes. */
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

void symbolic_inputs(struct symbolic *x)
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
