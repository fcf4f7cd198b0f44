#include "smt/kernel/symbolic.h"

#include <stdio.h>

/* The group of a lane as Bools: which lanes belong to it (participants only). */
static void group_of(struct symbolic *x, const struct program_claim *c, unsigned lane, term member[WARP_LANES])
{
    struct smt *s = x->g->s;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term number = term_word(s, k);
        bool inside = c->group.kind == PROGRAM_GROUP_WIDTH  ? k / c->group.width == lane / c->group.width
                      : c->group.kind == PROGRAM_GROUP_MASK ? (c->group.mask >> k & 1u) != 0
                                                            : true;
        member[k] = TERM_ALL(s, term_bool(s, inside), term_in(s, number, x->start_active),
                             term_not(s, term_in(s, number, x->exited)));
        if (c->group.kind == PROGRAM_GROUP_EQUAL)
            member[k] = term_and(s, member[k],
                                 term_eq(s, x->initial[c->group.reg].value[k], x->initial[c->group.reg].value[lane]));
    }
    term_simplify_each(s, member, WARP_LANES);
}

/* Is the claim about this lane? */
static term is_about(struct symbolic *x, const struct program_claim *c, unsigned lane, const term member[WARP_LANES])
{
    struct smt *s = x->g->s;
    term about = term_and(s, member[lane], term_bool(s, (c->lanes >> lane & 1u) != 0));
    if (c->where != MODULE_NONE) {
        term where = x->now[c->where].value[lane];
        about = term_and(s, about, c->where_negate ? term_not(s, where) : where);
    }
    return about;
}

/* A predicate as 0 or 1, in the form that popc gives its bits: a solver then sees equal summands. */
static term as_word(struct smt *s, term v)
{
    if (term_width(s, v) != 0)
        return v;
    return term_extend(s, 32, term_ite(s, v, term_bits(s, 1, 1), term_bits(s, 0, 1)));
}

static bool is_symbol(const struct symbolic *x, const struct program_claim *c)
{
    return x->values != SYMBOLIC_CONCRETE && symbolic_same_operation(&x->operation, c->op, c->type, false);
}

/* Sums of integers, where a lane that is not taken adds 0: a solver's rewriting brings two such sums into one order. */
static term sum(struct symbolic *x, const struct program_claim *c, const term takes[WARP_LANES])
{
    struct smt *s = x->g->s;
    unsigned bits = ptx_type_bits(c->type);
    term total = term_bits(s, 0, bits);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term v = as_word(s, x->initial[c->of].value[k]);
        uint64_t literal = 0;
        v = term_value(s, v, &literal) && literal == 1 ? term_extend(s, bits, as_word(s, takes[k]))
                                                       : term_ite(s, takes[k], v, term_bits(s, 0, bits));
        total = term_add(s, total, v);
    }
    return total;
}

/* The lane's value of a group operation; every step takes the lanes that `takes` chooses, in `order`. */
static term fold(struct symbolic *x, const struct program_claim *c, const term takes[WARP_LANES], bool downwards,
                 term *some)
{
    struct smt *s = x->g->s;
    term value = NULL;
    term started = term_bool(s, false);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        unsigned k = downwards ? WARP_LANES - 1 - i : i;
        term v = as_word(s, x->initial[c->of].value[k]);
        uint64_t literal = 1;
        if (term_value(s, takes[k], &literal) && literal == 0)
            continue;
        if (value == NULL) {
            value = v;
        } else {
            term next =
                is_symbol(x, c) ? symbolic_combine(x, value, v) : symbolic_operate(x, c->op, c->type, false, value, v);
            if (next == NULL)
                return NULL;
            value = term_ite(s, takes[k], term_ite(s, started, next, v), value);
        }
        started = term_simplify(s, term_or(s, started, takes[k]));
    }
    *some = started;
    return value;
}

static term neutral(struct smt *s, const struct program_claim *c, unsigned bits)
{
    uint64_t ones = bits == 64 ? UINT64_MAX : UINT32_MAX;
    bool is_signed = c->type == PTX_S32 || c->type == PTX_S64;
    switch (c->op) {
    case OP_ADD:
    case OP_OR:
    case OP_XOR:
        return term_bits(s, 0, bits);
    case OP_MUL:
        return term_bits(s, 1, bits);
    case OP_AND:
        return term_bits(s, ones, bits);
    case OP_MIN:
        return term_bits(s, is_signed ? ones >> 1 : ones, bits);
    case OP_MAX:
        return term_bits(s, is_signed ? UINT64_C(1) << (bits - 1) : 0, bits);
    case OPS_NOT_COMBINING:
        break;
    }
    smt_defect("a claim combines by an operation that has no neutral element");
}

static term folded(struct symbolic *x, const struct program_claim *c, unsigned lane, const term member[WARP_LANES])
{
    struct smt *s = x->g->s;
    term takes[WARP_LANES];
    term some = NULL, value;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        bool in_order = c->kind == PROGRAM_CLAIM_SCAN     ? k <= lane
                        : c->kind == PROGRAM_CLAIM_RSCAN  ? k >= lane
                        : c->kind == PROGRAM_CLAIM_EXSCAN ? k < lane
                                                          : true;
        takes[k] = in_order ? member[k] : term_bool(s, false);
    }
    if (x->values == SYMBOLIC_SETS)
        return symbolic_union(x, x->initial[c->of].value, takes);
    if (!is_symbol(x, c) && c->op == OP_ADD && c->type != PTX_F32)
        return sum(x, c, takes);
    value = fold(x, c, takes, c->kind == PROGRAM_CLAIM_RSCAN, &some);
    if (c->kind != PROGRAM_CLAIM_EXSCAN)
        return value;
    if (value == NULL)
        return neutral(s, c, ptx_type_bits(c->type));
    return term_ite(s, some, value, neutral(s, c, term_width(s, value)));
}

static term mask_of(struct symbolic *x, const struct program_claim *c, unsigned lane, const term member[WARP_LANES])
{
    struct smt *s = x->g->s;
    const struct symbolic_register *of = &x->initial[c->of];
    term bit[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        bit[k] = term_and(s, member[k],
                          c->kind == PROGRAM_CLAIM_PEERS ? term_eq(s, of->value[k], of->value[lane]) : of->value[k]);
    return term_mask(s, bit);
}

static term expected(struct symbolic *x, const struct program_claim *c, unsigned lane, const term member[WARP_LANES])
{
    unsigned first = c->group.kind == PROGRAM_GROUP_WIDTH ? lane / c->group.width * c->group.width : 0;
    switch (c->kind) {
    case PROGRAM_CLAIM_SAME:
        return x->now[c->of].value[lane];
    case PROGRAM_CLAIM_INITIAL:
        return x->initial[c->of].value[lane];
    case PROGRAM_CLAIM_FROM:
        return x->initial[c->of].value[(first + c->lane) % WARP_LANES];
    case PROGRAM_CLAIM_BALLOT:
    case PROGRAM_CLAIM_PEERS:
        return mask_of(x, c, lane, member);
    case PROGRAM_CLAIM_FAULTLESS:
    case PROGRAM_CLAIM_DEFINED:
    case PROGRAM_CLAIM_VALUE:
    case PROGRAM_CLAIM_UNIFORM:
    case PROGRAM_CLAIM_REDUCE:
    case PROGRAM_CLAIM_SCAN:
    case PROGRAM_CLAIM_RSCAN:
    case PROGRAM_CLAIM_EXSCAN:
        return folded(x, c, lane, member);
    }
    smt_defect("a claim without a kind");
}

static term first_argument(struct smt *s, term x)
{
    return smt_keep(s, Z3_get_app_arg(s->z3, Z3_to_app(s->z3, x), 0));
}

/*
 * Lane k's value, in a group whose members have lane `lane`'s input. The own input is put in its place, since both are
 * equal: terms over inputs alone are then the same in both lanes.
 */
static term value_in_group(struct symbolic *x, const struct program_claim *c, unsigned lane, unsigned k)
{
    struct smt *s = x->g->s;
    term value = x->now[c->reg].value[k];
    const term *key;
    if (c->group.kind != PROGRAM_GROUP_EQUAL || x->refuting)
        return value;
    key = x->initial[c->group.reg].value;
    if (Z3_get_app_num_args(s->z3, Z3_to_app(s->z3, key[k])) == 1) /* bits of a constant */
        return term_substitute(s, goal_expand(x->g, value), (term[]){first_argument(s, key[k])},
                               (term[]){first_argument(s, key[lane])}, 1);
    return term_substitute(s, goal_expand(x->g, value), &key[k], &key[lane], 1);
}

/* All lanes of the claim in one group have the value of each other. */
static term uniform(struct symbolic *x, const struct program_claim *c, unsigned lane, const term member[WARP_LANES],
                    term about)
{
    struct smt *s = x->g->s;
    const struct symbolic_register *r = &x->now[c->reg];
    term same[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        same[k] = term_implies(s, term_and(s, about, is_about(x, c, k, member)),
                               term_eq(s, r->value[lane], value_in_group(x, c, lane, k)));
    return term_all(s, same, WARP_LANES);
}

static term of_lane(struct symbolic *x, const struct program_claim *c, unsigned lane)
{
    struct smt *s = x->g->s;
    const struct symbolic_register *r = &x->now[c->reg];
    term member[WARP_LANES];
    term about, good, value;
    group_of(x, c, lane, member);
    about = is_about(x, c, lane, member);
    good = r->defined[lane];
    if (c->where != MODULE_NONE)
        good = term_and(s, good, x->now[c->where].defined[lane]);
    if (c->kind != PROGRAM_CLAIM_VALUE && x->last_kind[c->reg] == SYMBOLIC_PRODUCT)
        good = term_and(s, good, symbolic_is_whole(x, r->value[lane]));
    if (c->kind == PROGRAM_CLAIM_UNIFORM)
        return term_and(s, term_implies(s, about, good), uniform(x, c, lane, member, about));
    if (c->kind == PROGRAM_CLAIM_VALUE)
        return term_implies(s, about, good);
    value = expected(x, c, lane, member);
    if (value == NULL) { /* no lane can be claimed about, or the operation is not read */
        uint64_t literal = 1;
        return term_value(s, term_simplify(s, about), &literal) && literal == 0 ? term_bool(s, true) : NULL;
    }
    if (c->kind == PROGRAM_CLAIM_SAME)
        good = term_and(s, good, x->now[c->of].defined[lane]);
    if (term_width(s, r->value[lane]) == 0 && term_width(s, value) != 0)
        value = term_ne(s, value, term_word(s, 0));
    return term_implies(s, about, term_and(s, good, term_eq(s, r->value[lane], value)));
}

term symbolic_about(struct symbolic *x, const struct program_claim *c)
{
    struct smt *s = x->g->s;
    term member[WARP_LANES], about[WARP_LANES], any;
    uint64_t literal = 0;
    if (c->kind == PROGRAM_CLAIM_FAULTLESS || c->kind == PROGRAM_CLAIM_DEFINED)
        return NULL;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        group_of(x, c, lane, member);
        about[lane] = is_about(x, c, lane, member);
    }
    any = term_simplify(s, term_any(s, about, WARP_LANES));
    return term_value(s, any, &literal) && literal != 0 ? NULL : any;
}

static term none_of(struct symbolic *x, const struct term_list *bad)
{
    return term_not(x->g->s, term_any(x->g->s, bad->items, bad->count));
}

void symbolic_faultless(struct symbolic *x, term each[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        each[lane] = none_of(x, &x->faults[lane]);
}

static bool state_lanes(struct symbolic *x, const struct program_claim *claim, term each[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        each[lane] = claim->kind == PROGRAM_CLAIM_FAULTLESS ? term_bool(x->g->s, true)
                     : claim->kind == PROGRAM_CLAIM_DEFINED ? none_of(x, &x->uses[lane])
                                                            : of_lane(x, claim, lane);
        if (each[lane] == NULL) {
            error_set(&x->g->error, ERROR_UNSUPPORTED, "line %u: the prover cannot state this claim",
                      (unsigned)claim->line);
            return false;
        }
    }
    return true;
}

size_t symbolic_claim(struct symbolic *x, const struct program_claim *claim, term each[WARP_LANES])
{
    bool plain = x->values == SYMBOLIC_CONCRETE;
    if (!state_lanes(x, claim, each))
        return 0;
    if (!x->refuting && (claim->kind == PROGRAM_CLAIM_DEFINED || (plain && claim->kind >= PROGRAM_CLAIM_SAME)))
        return WARP_LANES;
    each[0] = term_all(x->g->s, each, WARP_LANES);
    return 1;
}
