/* Arithmetic on terms, as rule 3 of ptx/program.h says. */
#include "smt/kernel/symbolic.h"

#define CANONICAL_NAN 0x7fffffffu
/* A word is 0x10000 | first << 8 | last, lanes in rising or falling order; a set is the mask of its lanes. */

static term byte_of(struct smt *s, term x, unsigned low)
{
    return term_field(s, x, low + 7, low);
}

/* Goes on from a by one, with both in the same order (a single lane is in either). */
static term continues(struct smt *s, term a, term b, uint32_t by)
{
    term a_first = byte_of(s, a, 8), a_last = byte_of(s, a, 0), b_first = byte_of(s, b, 8), b_last = byte_of(s, b, 0);
    bool rising = by == 1;
    return TERM_ALL(s, term_eq(s, term_add(s, a_last, term_word(s, by)), b_first),
                    rising ? term_ule(s, a_first, a_last) : term_ule(s, a_last, a_first),
                    rising ? term_ule(s, b_first, b_last) : term_ule(s, b_last, b_first));
}

static term words(struct smt *s, term a, term b)
{
    term both = term_and(s, term_eq(s, term_extract(s, 31, 16, a), term_bits(s, 1, 16)),
                         term_eq(s, term_extract(s, 31, 16, b), term_bits(s, 1, 16)));
    term next = term_or(s, continues(s, a, b, 1), continues(s, a, b, UINT32_MAX));
    term joined = term_bor(s, term_band(s, a, term_word(s, 0x1ff00)), byte_of(s, b, 0));
    return term_ite(s, term_and(s, both, next), joined, term_word(s, 0));
}

static term sets(struct smt *s, term a, term b)
{
    term zero = term_word(s, 0);
    term apart = TERM_ALL(s, term_eq(s, term_band(s, a, b), zero), term_ne(s, a, zero), term_ne(s, b, zero));
    return term_ite(s, apart, term_bor(s, a, b), zero);
}

/* f(a, b), with f(a, b) = f(b, a) for this pair. */
static term pairs(struct symbolic *x, term a, term b)
{
    struct smt *s = x->g->s;
    Z3_ast ab[2] = {a, b}, ba[2] = {b, a};
    term value = smt_keep(s, Z3_mk_app(s->z3, x->function, 2, ab));
    goal_assume(x->g, term_eq(s, value, smt_keep(s, Z3_mk_app(s->z3, x->function, 2, ba))));
    return value;
}

term symbolic_broken(struct symbolic *x, unsigned bits)
{
    return bits == 1 ? term_bool(x->g->s, false) : term_bits(x->g->s, 0, bits);
}

term symbolic_is_whole(struct symbolic *x, term value)
{
    return term_ne(x->g->s, value, symbolic_broken(x, term_width(x->g->s, value)));
}

/* min and max of integers; of f32 by redux's own operation, which is the same (NaN skipped, +0 > -0, canonical). */
static term extreme(struct smt *s, enum ptx_op op, enum ptx_type type, bool nan, term a, term b)
{
    bool is_signed = type == PTX_S32 || type == PTX_S64;
    term a_less;
    if (type == PTX_F32)
        return encode_redux_combine(s,
                                    warp_form_get(op == OP_MIN
                                                      ? (nan ? WARP_REDUX_SYNC_MIN_NAN_F32 : WARP_REDUX_SYNC_MIN_F32)
                                                      : (nan ? WARP_REDUX_SYNC_MAX_NAN_F32 : WARP_REDUX_SYNC_MAX_F32)),
                                    a, b);
    a_less = is_signed ? term_sle(s, a, b) : term_ule(s, a, b);
    return op == OP_MIN ? term_ite(s, a_less, a, b) : term_ite(s, a_less, b, a);
}

static term float_operate(struct smt *s, enum ptx_op op, term a, term b)
{
    Z3_ast mode = smt_keep(s, Z3_mk_fpa_round_nearest_ties_to_even(s->z3));
    term x = term_float(s, a), y = term_float(s, b);
    term r = smt_keep(s, op == OP_ADD   ? Z3_mk_fpa_add(s->z3, mode, x, y)
                         : op == OP_SUB ? Z3_mk_fpa_sub(s->z3, mode, x, y)
                                        : Z3_mk_fpa_mul(s->z3, mode, x, y));
    term bits = smt_keep(s, Z3_mk_fpa_to_ieee_bv(s->z3, r));
    return term_ite(s, smt_keep(s, Z3_mk_fpa_is_nan(s->z3, r)), term_word(s, CANONICAL_NAN), bits);
}

static term logic(struct smt *s, enum ptx_op op, term a, term b)
{
    switch (op) {
    case OP_AND:
        return term_and(s, a, b);
    case OP_OR:
        return term_or(s, a, b);
    case OP_XOR:
        return term_ne(s, a, b);
    case OP_NOT:
        return term_not(s, a);
    case OP_MOV:
        return a;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_MIN:
    case OP_MAX:
    case OP_NEG:
    case OP_ABS:
    case OP_SHL:
    case OP_SHR:
    case OP_SELP:
    case OP_SETP:
    case OP_PACK:
    case OP_UNPACK:
    case OPS_BITCOUNT:
    case OP_WARP:
    case OP_EXIT:
    case OPS_NOT_PLAIN:
        break;
    }
    smt_defect("no operation on predicates: %s", program_op_get(op)->name);
}

static term popcount(struct smt *s, term a)
{
    term n = term_word(s, 0);
    for (unsigned i = 0; i < term_width(s, a); i++)
        n = term_add(s, n, term_field(s, a, i, i));
    return n;
}

/* The number of zeros above the highest one. */
static term leading_zeros(struct smt *s, term a)
{
    unsigned width = term_width(s, a);
    term n = term_word(s, width);
    for (unsigned i = 0; i < width; i++)
        n = term_ite(s, term_eq(s, term_extract(s, i, i, a), term_bits(s, 1, 1)), term_word(s, width - 1 - i), n);
    return n;
}

static term reversed(struct smt *s, term a)
{
    term r = term_extract(s, 0, 0, a);
    for (unsigned i = 1; i < term_width(s, a); i++)
        r = term_concat(s, r, term_extract(s, i, i, a));
    return r;
}

static term shift(struct smt *s, enum ptx_op op, enum ptx_type type, term a, term amount)
{
    amount = term_extend(s, term_width(s, a), amount);
    if (op == OP_SHL)
        return term_shl(s, a, amount);
    if (type == PTX_S32 || type == PTX_S64)
        return smt_keep(s, Z3_mk_bvashr(s->z3, a, amount));
    return term_lshr(s, a, amount);
}

static term integer_operate(struct smt *s, enum ptx_op op, enum ptx_type type, term a, term b)
{
    switch (op) {
    case OP_ADD:
        return term_add(s, a, b);
    case OP_SUB:
        return term_sub(s, a, b);
    case OP_MUL:
        return smt_keep(s, Z3_mk_bvmul(s->z3, a, b));
    case OP_AND:
        return term_band(s, a, b);
    case OP_OR:
        return term_bor(s, a, b);
    case OP_XOR:
        return term_bxor(s, a, b);
    case OP_NOT:
        return term_bnot(s, a);
    case OP_NEG:
        return term_neg(s, a);
    case OP_ABS:
        return term_ite(s, term_slt(s, a, term_bits(s, 0, term_width(s, a))), term_neg(s, a), a);
    case OP_SHL:
    case OP_SHR:
        return shift(s, op, type, a, b);
    case OP_POPC:
        return popcount(s, a);
    case OP_CLZ:
        return leading_zeros(s, a);
    case OP_BREV:
        return reversed(s, a);
    case OP_MOV:
    case OP_MIN:
    case OP_MAX:
    case OP_SELP:
    case OP_SETP:
    case OP_PACK:
    case OP_UNPACK:
    case OP_WARP:
    case OP_EXIT:
    case OPS_NOT_PLAIN:
        break;
    }
    return NULL;
}

term symbolic_operate(struct symbolic *x, enum ptx_op op, enum ptx_type type, bool nan, term a, term b)
{
    struct smt *s = x->g->s;
    if (op == OP_MOV)
        return a;
    if (type == PTX_PRED)
        return logic(s, op, a, b);
    if (op == OP_MIN || op == OP_MAX)
        return extreme(s, op, type, nan, a, b);
    if (type != PTX_F32)
        return integer_operate(s, op, type, a, b);
    if (op == OP_ADD || op == OP_SUB || op == OP_MUL)
        return float_operate(s, op, a, b);
    if (op == OP_NEG || op == OP_ABS) {
        term bits =
            op == OP_NEG ? term_bxor(s, a, term_word(s, 0x80000000u)) : term_band(s, a, term_word(s, 0x7fffffffu));
        return term_ite(s, term_is_nan(s, a), term_word(s, CANONICAL_NAN), bits);
    }
    return NULL;
}

/* A product of 64 bits has the same word or set in both halves. */
term symbolic_combine(struct symbolic *x, term a, term b)
{
    struct smt *s = x->g->s;
    term c;
    if (x->values == SYMBOLIC_PAIRS)
        return pairs(x, a, b);
    if (term_width(s, a) == 32)
        return x->values == SYMBOLIC_WORDS ? words(s, a, b) : sets(s, a, b);
    c = symbolic_combine(x, term_extract(s, 31, 0, a), term_extract(s, 31, 0, b));
    return term_concat(s, c, c);
}

/* Literals, no two with a lane in common: none can be counted twice. */
static bool are_apart(struct smt *s, const term value[WARP_LANES])
{
    uint64_t all = 0;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        uint64_t literal;
        if (!term_value(s, value[k], &literal) || literal == 0 || (all & literal) != 0)
            return false;
        all |= literal;
    }
    return true;
}

term symbolic_union(struct symbolic *x, const term value[WARP_LANES], const term takes[WARP_LANES])
{
    struct smt *s = x->g->s;
    bool apart = are_apart(s, value);
    term product = symbolic_broken(x, term_width(s, value[0])), none = product, some = term_bool(s, false);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        if (apart) {
            product = term_bor(s, product, term_ite(s, takes[k], value[k], none));
            continue;
        }
        product = term_ite(s, takes[k], term_ite(s, some, symbolic_combine(x, product, value[k]), value[k]), product);
        some = term_simplify(s, term_or(s, some, takes[k]));
    }
    return term_simplify(s, product);
}

term symbolic_redux(struct symbolic *x, const term value[WARP_LANES], term mask)
{
    struct smt *s = x->g->s;
    term takes[WARP_LANES], two = term_bool(s, false), one = two, product;
    if (x->values != SYMBOLIC_SETS)
        return symbolic_broken(x, 32);
    for (unsigned k = 0; k < WARP_LANES; k++)
        takes[k] = term_in(s, term_word(s, k), mask);
    term_simplify_each(s, takes, WARP_LANES);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        two = term_or(s, two, term_and(s, takes[k], one));
        one = term_or(s, one, takes[k]);
    }
    product = symbolic_union(x, value, takes);
    return x->operation.type == PTX_F32 ? term_simplify(s, term_ite(s, two, product, symbolic_broken(x, 32))) : product;
}

/* setp of f32: false with a NaN, or, for the comparisons that end in u, true. */
static term float_compare(struct smt *s, enum ptx_compare compare, term a, term b)
{
    term nan = term_or(s, term_is_nan(s, a), term_is_nan(s, b));
    switch (compare) {
    case COMPARE_EQ:
        return term_float_eq(s, a, b);
    case COMPARE_NE:
        return term_not(s, term_or(s, nan, term_float_eq(s, a, b)));
    case COMPARE_LT:
        return term_float_lt(s, a, b);
    case COMPARE_LE:
        return term_or(s, term_float_lt(s, a, b), term_float_eq(s, a, b));
    case COMPARE_GT:
        return term_float_lt(s, b, a);
    case COMPARE_GE:
        return term_or(s, term_float_lt(s, b, a), term_float_eq(s, a, b));
    case COMPARE_NUM:
        return term_not(s, nan);
    case COMPARE_NAN:
        return nan;
    case COMPARE_EQU:
    case COMPARE_NEU:
    case COMPARE_LTU:
    case COMPARE_LEU:
    case COMPARE_GTU:
    case COMPARE_GEU: /* equ neu ltu leu gtu geu stand in the order of eq ne lt le gt ge */
        return term_or(s, nan, float_compare(s, (enum ptx_compare)(COMPARE_EQ + (compare - COMPARE_EQU)), a, b));
    case COMPARE_NONE:
        break;
    }
    smt_defect("no comparison");
}

term symbolic_compare(struct symbolic *x, enum ptx_compare compare, enum ptx_type type, term a, term b)
{
    struct smt *s = x->g->s;
    bool is_signed = type == PTX_S32 || type == PTX_S64;
    if (type == PTX_F32)
        return float_compare(s, compare, a, b);
    switch (compare) {
    case COMPARE_EQ:
        return term_eq(s, a, b);
    case COMPARE_NE:
        return term_ne(s, a, b);
    case COMPARE_LT:
        return is_signed ? term_slt(s, a, b) : term_ult(s, a, b);
    case COMPARE_LE:
        return is_signed ? term_sle(s, a, b) : term_ule(s, a, b);
    case COMPARE_GT:
        return is_signed ? term_slt(s, b, a) : term_ult(s, b, a);
    case COMPARE_GE:
        return is_signed ? term_sle(s, b, a) : term_ule(s, b, a);
    case COMPARE_EQU:
    case COMPARE_NEU:
    case COMPARE_LTU:
    case COMPARE_LEU:
    case COMPARE_GTU:
    case COMPARE_GEU:
    case COMPARE_NUM:
    case COMPARE_NAN:
        return NULL; /* of f32 alone */
    case COMPARE_NONE:
        break;
    }
    smt_defect("no comparison");
}
