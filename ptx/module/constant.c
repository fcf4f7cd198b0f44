/*
 * Constants and expressions of them ("Integer Constants", "Floating-Point Constants", "Constant Expressions"), without
 * comparisons and `? :`.
 */
#include "ptx/module/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool constant_starts(const struct reader *r)
{
    const struct token *t = &r->lexer.token;
    return t->kind == TOKEN_NUMBER || token_is(t, "WARP_SZ") ||
           (t->kind == TOKEN_PUNCT && strchr("+-~!(", *t->at) != NULL && *t->at != '\0');
}

static bool read_number(struct reader *r, struct constant *out)
{
    const struct token *t = &r->lexer.token;
    char quote[TOKEN_QUOTE_MAX];
    if (number_integer(t, &out->bits))
        out->kind = CONSTANT_INTEGER;
    else if (number_hex(t, 'f', 8, &out->bits))
        out->kind = CONSTANT_F32;
    else if (number_hex(t, 'd', 16, &out->bits) || number_decimal(t, &out->bits))
        out->kind = CONSTANT_F64;
    else
        return reader_error(r, t, "%s is not a constant of PTX that fits", token_quote(t, quote));
    lexer_next(&r->lexer);
    return true;
}

static bool read_sum(struct reader *r, struct constant *out, unsigned level, unsigned depth);

static bool apply_sign(struct reader *r, const struct token *sign, struct constant *c)
{
    char op = *sign->at;
    if (op == '+')
        return true;
    if (c->kind != CONSTANT_INTEGER) {
        if (op != '-')
            return reader_error(r, sign, "'%c' needs an integer", op);
        if (c->kind == CONSTANT_F32)
            return reader_error(r, sign, "a minus sign cannot stand before 0f: set its first bit");
        c->bits ^= UINT64_C(1) << 63;
        return true;
    }
    c->bits = op == '-' ? 0 - c->bits : op == '~' ? ~c->bits : c->bits == 0;
    return true;
}

/* A cast, which changes nothing in two's complement: `(.s64)`. */
static void skip_cast(struct reader *r)
{
    if (token_is(&r->lexer.token, ".s64") || token_is(&r->lexer.token, ".u64"))
        lexer_next(&r->lexer);
}

static bool read_unary(struct reader *r, struct constant *out, unsigned depth)
{
    struct token t = r->lexer.token;
    if (depth == MODULE_DEPTH_MAX)
        return reader_error(r, &t, "the expression is nested deeper than %u", MODULE_DEPTH_MAX);
    if (token_is(&t, "WARP_SZ")) {
        *out = (struct constant){CONSTANT_INTEGER, WARP_LANES};
        lexer_next(&r->lexer);
        return true;
    }
    if (t.kind != TOKEN_PUNCT)
        return read_number(r, out);
    if (lexer_take(&r->lexer, '(')) {
        struct token inner = r->lexer.token;
        skip_cast(r);
        if (inner.at != r->lexer.token.at)
            return reader_take(r, ')') && read_unary(r, out, depth + 1);
        return read_sum(r, out, 0, depth + 1) && reader_take(r, ')');
    }
    if (strchr("+-~!", *t.at) == NULL || *t.at == '\0')
        return reader_expected(r, "a constant");
    lexer_next(&r->lexer);
    return read_unary(r, out, depth + 1) && apply_sign(r, &t, out);
}

/* Operators by level, loosest first; each is one byte, `<` and `>` stand for << and >>. */
static const char *const levels[] = {"|", "^", "&", "<>", "+-", "*/%"};
#define LEVELS (sizeof levels / sizeof levels[0])

static bool take_operator(struct reader *r, unsigned level, struct token *op)
{
    *op = r->lexer.token;
    if (op->kind != TOKEN_PUNCT || *op->at == '\0' || strchr(levels[level], *op->at) == NULL)
        return false;
    if ((*op->at == '<' || *op->at == '>') && (op->at + 1 == r->lexer.end || op->at[1] != *op->at))
        return false;
    lexer_next(&r->lexer);
    if (*op->at == '<' || *op->at == '>')
        lexer_next(&r->lexer);
    return true;
}

static bool divide(struct reader *r, const struct token *op, uint64_t *x, uint64_t y)
{
    int64_t a = (int64_t)*x, b = (int64_t)y;
    if (b == 0)
        return reader_error(r, op, "division by zero");
    if (b == -1)
        *x = *op->at == '/' ? 0 - *x : 0;
    else
        *x = (uint64_t)(*op->at == '/' ? a / b : a % b);
    return true;
}

static bool combine(struct reader *r, const struct token *op, uint64_t *x, uint64_t y)
{
    switch (*op->at) {
    case '|':
        *x |= y;
        return true;
    case '^':
        *x ^= y;
        return true;
    case '&':
        *x &= y;
        return true;
    case '<':
        *x = y > 63 ? 0 : *x << y;
        return true;
    case '>':
        *x = (uint64_t)((int64_t)*x >> (y > 63 ? 63 : y));
        return true;
    case '+':
        *x += y;
        return true;
    case '-':
        *x -= y;
        return true;
    case '*':
        *x *= y;
        return true;
    default: /* '/' or '%' */
        return divide(r, op, x, y);
    }
}

/* Precedence climbing: operators of `level` and tighter. */
static bool read_sum(struct reader *r, struct constant *out, unsigned level, unsigned depth)
{
    struct token op;
    struct constant right;
    if (level == LEVELS)
        return read_unary(r, out, depth);
    if (!read_sum(r, out, level + 1, depth))
        return false;
    while (take_operator(r, level, &op)) {
        if (!read_sum(r, &right, level + 1, depth))
            return false;
        if (out->kind != CONSTANT_INTEGER || right.kind != CONSTANT_INTEGER)
            return reader_error(r, &op, "only integers are calculated with: write the number itself");
        if (!combine(r, &op, &out->bits, right.bits))
            return false;
    }
    return true;
}

bool constant_read(struct reader *r, struct constant *out)
{
    return read_sum(r, out, 0, 0);
}

bool constant_integer(struct reader *r, uint64_t *value)
{
    struct constant c;
    struct token at = r->lexer.token;
    if (!constant_starts(r))
        return reader_expected(r, "a number");
    if (!constant_read(r, &c))
        return false;
    *value = c.bits;
    return c.kind == CONSTANT_INTEGER || reader_error(r, &at, "an integer must stand here");
}

static double as_f64(const struct constant *c)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)c->bits;
    memcpy(&wide, &c->bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return c->kind == CONSTANT_F64 ? wide : (double)narrow;
}

/* PTX reads a decimal constant as f64 and rounds it where an f32 is wanted. */
static uint64_t as_f32(const struct constant *c)
{
    uint32_t bits;
    double wide = as_f64(c);
    /* From halfway between the largest f32 and 2^128 on: infinity. The cast would be undefined. */
    float narrow = wide > 3.4028235677973366e38 ? INFINITY : wide < -3.4028235677973366e38 ? -INFINITY : (float)wide;
    if (c->kind == CONSTANT_F32)
        return c->bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

bool constant_bits(struct reader *r, const struct constant *c, enum ptx_type type, const struct token *at,
                   uint64_t *bits)
{
    unsigned size = ptx_type_bits(type);
    bool is_float = c->kind != CONSTANT_INTEGER;
    if (type == PTX_F32 && is_float) {
        *bits = as_f32(c);
    } else if (type == PTX_F64 && is_float) {
        double wide = as_f64(c);
        memcpy(bits, &wide, sizeof wide);
    } else if (ptx_type_is_float(type)) {
        return reader_error(r, at,
                            type == PTX_F32 || type == PTX_F64 ? "a .%s is written 1.0 or 0fXXXXXXXX, not as an integer"
                                                               : "a .%s cannot be a constant: move it to a register",
                            ptx_type_name(type));
    } else if (is_float && !(c->kind == CONSTANT_F32 && type == PTX_B32) &&
               !(c->kind == CONSTANT_F64 && type == PTX_B64)) {
        return reader_error(r, at, "a .%s cannot be a floating-point constant", ptx_type_name(type));
    } else {
        *bits = type == PTX_PRED ? c->bits != 0 : size >= 64 ? c->bits : c->bits & ((UINT64_C(1) << size) - 1);
    }
    return true;
}
