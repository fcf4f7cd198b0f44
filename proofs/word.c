/* Bit-vectors: concatenations, extractions and choices are kept in view. */
#include "proofs/node.h"

term v_number(struct smt *s, uint64_t value, unsigned width)
{
    return term_bits(s, width >= 64 ? value : value & (((uint64_t)1 << width) - 1), width);
}

bool v_value(struct smt *s, term x, uint64_t *value)
{
    return Z3_get_ast_kind(s->z3, x) == Z3_NUMERAL_AST && Z3_get_numeral_uint64(s->z3, x, value);
}

term v_ite(struct smt *s, term c, term x, term y)
{
    if (is_true(s, c) || is_false(s, c))
        return is_true(s, c) ? x : y;
    if (x == y)
        return x;
    if (is(s, x, Z3_OP_ITE)) {
        if (argument(s, x, 0) == c)
            return v_ite(s, c, argument(s, x, 1), y);
        if (argument(s, x, 2) == y)
            return v_ite(s, b_and(s, c, argument(s, x, 0)), argument(s, x, 1), y);
    }
    if (is(s, y, Z3_OP_ITE)) {
        if (argument(s, y, 0) == c)
            return v_ite(s, c, x, argument(s, y, 2));
        if (argument(s, y, 1) == x)
            return v_ite(s, b_or(s, c, argument(s, y, 0)), x, argument(s, y, 2));
    }
    return smt_keep(s, Z3_mk_ite(s->z3, c, x, y));
}

term v_given(struct smt *s, term x, term c)
{
    while (!is_true(s, c) && is(s, x, Z3_OP_ITE)) {
        term condition = argument(s, x, 0), left = NULL;
        bool yes = condition == c, no = condition == b_not(s, c);
        if (is(s, condition, Z3_OP_OR))
            for (unsigned i = 0; i < arity(s, condition); i++)
                yes |= argument(s, condition, i) == c;
        if (is(s, condition, Z3_OP_AND)) {
            for (unsigned i = 0; i < arity(s, condition); i++)
                no |= argument(s, condition, i) == b_not(s, c);
            left = b_and(s, c, condition) == condition ? b_without(s, condition, c) : NULL;
        }
        if (left != NULL && !no)
            return v_ite(s, left, v_given(s, argument(s, x, 1), c), v_given(s, argument(s, x, 2), c));
        if (!yes && !no)
            return x;
        x = argument(s, x, yes ? 1 : 2);
    }
    return x;
}

term v_eq(struct smt *s, term x, term y)
{
    uint64_t a, b;
    if (x == y)
        return term_bool(s, true);
    if (v_value(s, x, &a) && v_value(s, y, &b))
        return term_bool(s, a == b);
    if (is(s, y, Z3_OP_ITE) && !is(s, x, Z3_OP_ITE)) {
        term swap = x;
        x = y;
        y = swap;
    }
    if (is(s, x, Z3_OP_ITE)) {
        term c = argument(s, x, 0), yes = argument(s, x, 1), no = argument(s, x, 2);
        const bool numerals = v_value(s, y, &b) && v_value(s, yes, &a) && v_value(s, no, &a);
        if (yes == y || no == y || numerals)
            return b_ite(s, c, v_eq(s, yes, y), v_eq(s, no, y));
    }
    if (is(s, x, Z3_OP_CONCAT) && v_value(s, y, &b)) {
        const unsigned low = term_width(s, argument(s, x, arity(s, x) - 1));
        if (arity(s, x) == 2) /* a zero-extended field against a number */
            return b_and(s, v_eq(s, argument(s, x, 0), v_extract(s, term_width(s, x) - 1, low, y)),
                         v_eq(s, argument(s, x, 1), v_extract(s, low - 1, 0, y)));
    }
    return smt_keep(s, Z3_mk_eq(s->z3, x, y));
}

#define EXTRACT_DEPTH 3 /* choices that an extraction is carried into */

static term extract(struct smt *s, unsigned high, unsigned low, term x, unsigned depth);

static term extract_of_concat(struct smt *s, unsigned high, unsigned low, term x, unsigned depth)
{
    term upper = argument(s, x, 0), lower = argument(s, x, 1);
    const unsigned split = term_width(s, lower);
    if (low >= split)
        return extract(s, high - split, low - split, upper, depth);
    if (high < split)
        return extract(s, high, low, lower, depth);
    return v_concat(s, extract(s, high - split, 0, upper, depth), extract(s, split - 1, low, lower, depth));
}

static term extract(struct smt *s, unsigned high, unsigned low, term x, unsigned depth)
{
    uint64_t value;
    const unsigned width = high - low + 1;
    if (low == 0 && width == term_width(s, x))
        return x;
    if (v_value(s, x, &value))
        return v_number(s, value >> low, width);
    switch (kind_of(s, x)) {
    case Z3_OP_EXTRACT: {
        Z3_func_decl decl = Z3_get_app_decl(s->z3, Z3_to_app(s->z3, x));
        const unsigned from = (unsigned)Z3_get_decl_int_parameter(s->z3, decl, 1);
        return extract(s, high + from, low + from, argument(s, x, 0), depth);
    }
    case Z3_OP_CONCAT:
        if (arity(s, x) == 2)
            return extract_of_concat(s, high, low, x, depth);
        break;
    case Z3_OP_ITE:
        if (depth < EXTRACT_DEPTH)
            return v_ite(s, argument(s, x, 0), extract(s, high, low, argument(s, x, 1), depth + 1),
                         extract(s, high, low, argument(s, x, 2), depth + 1));
        break;
    default:
        break;
    }
    return smt_keep(s, Z3_mk_extract(s->z3, high, low, x));
}

term v_extract(struct smt *s, unsigned high, unsigned low, term x)
{
    return extract(s, high, low, x, 0);
}

/* Neighbours of one term become one extraction. NULL: they are none. */
static term neighbours(struct smt *s, term high, term low)
{
    Z3_func_decl above, below;
    unsigned from;
    if (!is(s, high, Z3_OP_EXTRACT) || !is(s, low, Z3_OP_EXTRACT) || argument(s, high, 0) != argument(s, low, 0))
        return NULL;
    above = Z3_get_app_decl(s->z3, Z3_to_app(s->z3, high));
    below = Z3_get_app_decl(s->z3, Z3_to_app(s->z3, low));
    from = (unsigned)Z3_get_decl_int_parameter(s->z3, below, 0) + 1;
    if ((unsigned)Z3_get_decl_int_parameter(s->z3, above, 1) != from)
        return NULL;
    return v_extract(s, (unsigned)Z3_get_decl_int_parameter(s->z3, above, 0),
                     (unsigned)Z3_get_decl_int_parameter(s->z3, below, 1), argument(s, high, 0));
}

/* One term for both, or NULL. */
static term fused(struct smt *s, term high, term low)
{
    uint64_t a, b;
    if (v_value(s, high, &a) && v_value(s, low, &b) && term_width(s, high) + term_width(s, low) <= 64)
        return v_number(s, a << term_width(s, low) | b, term_width(s, high) + term_width(s, low));
    if (is(s, high, Z3_OP_ITE) && is(s, low, Z3_OP_ITE) && argument(s, high, 0) == argument(s, low, 0)) {
        /* parts of one choice; two different choices by one condition are left alone */
        term yes = fused(s, argument(s, high, 1), argument(s, low, 1));
        term no = yes == NULL ? NULL : fused(s, argument(s, high, 2), argument(s, low, 2));
        return no == NULL ? NULL : v_ite(s, argument(s, high, 0), yes, no);
    }
    return neighbours(s, high, low);
}

/* Right-nested: concat(high part, rest). */
term v_concat(struct smt *s, term high, term low)
{
    term one = fused(s, high, low);
    if (one != NULL)
        return one;
    if (is(s, high, Z3_OP_CONCAT) && arity(s, high) == 2)
        return v_concat(s, argument(s, high, 0), v_concat(s, argument(s, high, 1), low));
    if (is(s, low, Z3_OP_CONCAT) && arity(s, low) == 2) {
        one = fused(s, high, argument(s, low, 0));
        if (one != NULL)
            return v_concat(s, one, argument(s, low, 1));
    }
    return smt_keep(s, Z3_mk_concat(s->z3, high, low));
}

term v_sign_extend(struct smt *s, unsigned width, term x)
{
    const unsigned has = term_width(s, x);
    uint64_t value;
    if (has == width)
        return x;
    if (v_value(s, x, &value) && width <= 64)
        return v_number(s, (value >> (has - 1) & 1u) ? value | ~(uint64_t)0 << has : value, width);
    return smt_keep(s, Z3_mk_sign_ext(s->z3, width - has, x));
}

static term plain_bitwise(struct smt *s, enum v_bitwise op, term x, term y)
{
    switch (op) {
    case V_AND:
        return smt_keep(s, Z3_mk_bvand(s->z3, x, y));
    case V_OR:
        return smt_keep(s, Z3_mk_bvor(s->z3, x, y));
    case V_XOR:
        break;
    }
    return smt_keep(s, Z3_mk_bvxor(s->z3, x, y));
}

/* One operand is the number n. NULL: no rule. */
static term bitwise_number(struct smt *s, enum v_bitwise op, uint64_t n, term number, term x)
{
    const unsigned width = term_width(s, x);
    const uint64_t ones = width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
    unsigned run = 0;
    if (n == 0)
        return op == V_AND ? number : x;
    if (n == ones && op != V_XOR)
        return op == V_AND ? x : number;
    if (n == ones)
        return smt_keep(s, Z3_mk_bvnot(s->z3, x));
    /* cut at the first bit that differs from bit 0 */
    while (run < width && (n >> run & 1u) == (n & 1u))
        run++;
    if (op == V_XOR || run == width)
        return NULL;
    return v_concat(s, v_bitwise(s, op, v_extract(s, width - 1, run, number), v_extract(s, width - 1, run, x)),
                    v_bitwise(s, op, v_extract(s, run - 1, 0, number), v_extract(s, run - 1, 0, x)));
}

term v_bitwise(struct smt *s, enum v_bitwise op, term x, term y)
{
    uint64_t a, b;
    const unsigned width = term_width(s, x);
    const bool x_number = v_value(s, x, &a), y_number = v_value(s, y, &b);
    term easy;
    if (x_number && y_number)
        return v_number(s, op == V_AND ? a & b : op == V_OR ? a | b : a ^ b, width);
    if (x == y)
        return op == V_XOR ? v_number(s, 0, width) : x;
    easy = x_number ? bitwise_number(s, op, a, x, y) : y_number ? bitwise_number(s, op, b, y, x) : NULL;
    if (easy != NULL)
        return easy;
    if (is(s, y, Z3_OP_CONCAT) && !is(s, x, Z3_OP_CONCAT))
        return v_bitwise(s, op, y, x);
    if (is(s, x, Z3_OP_CONCAT) && arity(s, x) == 2) {
        const unsigned split = term_width(s, argument(s, x, 1));
        return v_concat(s, v_bitwise(s, op, argument(s, x, 0), v_extract(s, width - 1, split, y)),
                        v_bitwise(s, op, argument(s, x, 1), v_extract(s, split - 1, 0, y)));
    }
    return plain_bitwise(s, op, x, y);
}
