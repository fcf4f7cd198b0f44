/*
 * Arithmetic of one lane. What is not worked out bit by bit (floating point, products of two unknown numbers of 64
 * bits) is a function without a meaning: equal operands give equal results, and nothing else is known.
 */
#include "smt/pair/internal.h"

#include <stdio.h>

static term resized(struct pair *p, term x, unsigned bits)
{
    struct smt *const s = p->s;
    const unsigned width = term_width(s, x);
    if (width == 0 && bits == 1)
        return x;
    if (width == 0)
        return pair_ite(p, x, term_bits(s, 1, bits), term_bits(s, 0, bits));
    if (bits == 1)
        return pair_fold(p, term_eq(s, pair_fold(p, term_extract(s, 0, 0, x)), term_bits(s, 1, 1)));
    if (width == bits)
        return x;
    return pair_fold(p, width < bits ? term_extend(s, bits, x) : term_extract(s, bits - 1, 0, x));
}

unsigned pair_room(const struct pair *p, uint32_t row, unsigned otherwise)
{
    return row != CODE_NO_ROW && row >= p->code->registers ? p->bits[row - p->code->registers] : otherwise;
}

term pair_sign_extend(struct pair *p, term x, unsigned bits)
{
    const unsigned width = term_width(p->s, x);
    return width >= bits ? x : pair_fold(p, smt_keep(p->s, Z3_mk_sign_ext(p->s->z3, bits - width, x)));
}

static term special(struct pair *p, unsigned lane, uint32_t number)
{
    struct smt *const s = p->s;
    const enum ptx_special which = number / 3 < SPECIAL_ENVREG ? (enum ptx_special)(number / 3) : SPECIAL_ENVREG;
    const uint32_t component = number - which * 3u;
    const term one = pair_fold(p, term_shl(s, term_word(s, 1), p->lane[lane])),
               below = term_sub(s, one, term_word(s, 1));
    char name[64];
    if (which == SPECIAL_TID)
        return p->tid[lane][component];
    if (which == SPECIAL_NTID)
        return p->ntid[component];
    if (which == SPECIAL_CTAID)
        return p->ctaid[component];
    if (which == SPECIAL_NCTAID)
        return p->nctaid[component];
    if (which == SPECIAL_LANEID)
        return p->lane[lane];
    if (which == SPECIAL_LANEMASK_EQ)
        return one;
    if (which == SPECIAL_LANEMASK_LT)
        return below;
    if (which == SPECIAL_LANEMASK_LE)
        return term_bor(s, one, below);
    if (which == SPECIAL_LANEMASK_GE)
        return term_bnot(s, below);
    if (which == SPECIAL_LANEMASK_GT)
        return term_bnot(s, term_bor(s, one, below));
    if (which == SPECIAL_WARPID || which == SPECIAL_SMID) /* they may change while the kernel runs */
        return pair_fresh(p, 64);
    snprintf(name, sizeof name, "special %u.%u", (unsigned)which, component); /* one for the block */
    return pair_function(p, name, 64, NULL, 0);
}

struct value pair_read(struct pair *p, const struct state *st, unsigned lane, uint32_t row, unsigned bits)
{
    const struct code *const code = p->code;
    struct value v = {NULL, NULL};
    if (row == CODE_NO_ROW)
        v.x = term_bits(p->s, 0, 64);
    else if (row < code->constants_count)
        v.x = term_bits(p->s, code->constants[row], 64);
    else if (row < code->registers)
        v.x = special(p, lane, row - code->specials);
    else {
        struct value *const at = &st->lane[lane].rows[row - code->registers];
        if (at->x == NULL)
            at->x = pair_fresh(p, p->bits[row - code->registers]);
        v = *at;
    }
    v.x = resized(p, v.x, bits);
    return v;
}

void pair_write(struct pair *p, struct state *st, unsigned lane, uint32_t row, struct value v, term when)
{
    struct value *at;
    if (row == CODE_NO_ROW || row < p->code->registers)
        return;
    at = &st->lane[lane].rows[row - p->code->registers];
    v.x = resized(p, v.x, p->bits[row - p->code->registers]);
    if (pair_is(p, when, true) || when == st->lane[lane].here) { /* what it holds elsewhere is of no matter */
        *at = v;
        return;
    }
    if (at->x == NULL) /* who does not write it reads anything */
        at->x = pair_fresh(p, p->bits[row - p->code->registers]);
    if (v.taint != NULL || at->taint != NULL) {
        const term no = term_bool(p->s, false);
        at->taint = pair_ite(p, when, v.taint != NULL ? v.taint : no, at->taint != NULL ? at->taint : no);
        if (pair_is(p, at->taint, false))
            at->taint = NULL;
    }
    at->x = pair_ite(p, when, v.x, at->x);
}

/* --- one operation --- */

struct operation {
    struct pair *p;
    struct state *st;
    const struct code_instruction *c;
    unsigned lane;
    term taint; /* of the sources that were read */
};

static term source(struct operation *o, unsigned n, unsigned bits)
{
    const struct value v = pair_read(o->p, o->st, o->lane, n < ROW_SOURCES ? o->c->src[n] : o->c->srcs[n], bits);
    o->taint = pair_either(o->p, o->taint, v.taint);
    return n < ROW_SOURCES && o->c->negated[n] ? pair_not(o->p, v.x) : v.x;
}

/* The operation as a function without a meaning. */
static term unknown(struct operation *o, const char *which, unsigned bits)
{
    term arguments[16];
    char name[160];
    const unsigned n = o->c->i->srcs_count < 16 ? o->c->i->srcs_count : 16;
    for (unsigned i = 0; i < n; i++)
        arguments[i] = source(o, i, 64);
    for (unsigned i = 0; i < n; i++)
        arguments[i] = resized(o->p, arguments[i], 64);
    snprintf(name, sizeof name, "%.100s %s", o->c->i->name, which);
    return pair_function(o->p, name, bits, arguments, n);
}

static bool is_number(struct pair *p, term x)
{
    uint64_t value;
    return term_value(p->s, x, &value);
}

static term product(struct operation *o, unsigned bits, bool is_signed, bool *known)
{
    struct smt *const s = o->p->s;
    term a = source(o, 0, bits), b = source(o, 1, bits);
    const enum ptx_part part = o->c->i->part;
    *known = part != PART_HI && (bits <= 32 || is_number(o->p, a) || is_number(o->p, b));
    if (!*known && part == PART_LO)
        return pair_aligned_product(o->p, a, b, known);
    if (!*known)
        return NULL;
    if (part == PART_WIDE) {
        a = smt_keep(s, is_signed ? Z3_mk_sign_ext(s->z3, bits, a) : Z3_mk_zero_ext(s->z3, bits, a));
        b = smt_keep(s, is_signed ? Z3_mk_sign_ext(s->z3, bits, b) : Z3_mk_zero_ext(s->z3, bits, b));
        a = pair_fold(o->p, a);
        b = pair_fold(o->p, b);
    }
    return pair_fold(o->p, smt_keep(s, Z3_mk_bvmul(s->z3, a, b)));
}

static term shifted(struct operation *o, unsigned bits, bool is_signed)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const term a = source(o, 0, bits), by = source(o, 1, 32);
    const term far = pair_fold(p, term_ule(s, term_word(s, bits), by));
    const term amount = resized(p, by, bits);
    const bool left = o->c->i->op == OP_SHL;
    term moved, out = term_bits(s, 0, bits);
    uint64_t number;
    if (!left && term_value(s, by, &number) && number < bits)
        return pair_shift_right(p, a, (unsigned)number, is_signed);
    if (left)
        moved = pair_fold(p, term_shl(s, a, amount));
    else if (is_signed)
        moved = pair_fold(p, smt_keep(s, Z3_mk_bvashr(s->z3, a, amount)));
    else
        moved = pair_fold(p, term_lshr(s, a, amount));
    if (!left && is_signed)
        out = pair_fold(p, smt_keep(s, Z3_mk_bvashr(s->z3, a, term_bits(s, bits - 1, bits))));
    return pair_ite(p, far, out, moved);
}

static term compared(struct operation *o, unsigned bits, bool is_signed)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const term a = source(o, 0, bits), b = source(o, 1, bits);
    switch (o->c->i->compare) {
    case COMPARE_EQ:
    case COMPARE_EQU:
        return a == b ? term_bool(s, true) : pair_fold(p, term_eq(s, a, b));
    case COMPARE_NE:
    case COMPARE_NEU:
        return a == b ? term_bool(s, false) : pair_not(p, pair_fold(p, term_eq(s, a, b)));
    case COMPARE_LT:
    case COMPARE_LTU:
        return pair_fold(p, is_signed ? term_slt(s, a, b) : term_ult(s, a, b));
    case COMPARE_LE:
    case COMPARE_LEU:
        return pair_fold(p, is_signed ? term_sle(s, a, b) : term_ule(s, a, b));
    case COMPARE_GT:
    case COMPARE_GTU:
        return pair_fold(p, is_signed ? term_slt(s, b, a) : term_ult(s, b, a));
    case COMPARE_GE:
    case COMPARE_GEU:
        return pair_fold(p, is_signed ? term_sle(s, b, a) : term_ule(s, b, a));
    case COMPARE_NONE:
    case COMPARE_NUM:
    case COMPARE_NAN:
        break;
    }
    return unknown(o, "comparison", 1);
}

static term joined(struct pair *p, enum ptx_atomic how, term x, term y)
{
    if (how == ATOMIC_AND)
        return pair_both(p, x, y);
    if (how == ATOMIC_OR)
        return pair_either(p, x, y);
    if (how == ATOMIC_XOR)
        return pair_not(p, pair_fold(p, term_eq(p->s, x, y)));
    return x;
}

/* setp: the comparison, and what q gets. */
static void set_predicates(struct operation *o, term when)
{
    struct pair *const p = o->p;
    const struct module_instruction *const i = o->c->i;
    const unsigned bits = ptx_type_bits(i->type);
    term x, y;
    if (i->type == PTX_F16X2 || i->type == PTX_BF16X2) {
        x = unknown(o, "p", 1);
        y = unknown(o, "q", 1);
    } else {
        x = ptx_type_is_float(i->type) ? unknown(o, "comparison", 1)
            : bits == 1                ? unknown(o, "comparison", 1)
                                       : compared(o, bits, ptx_type_is_signed(i->type));
        y = pair_not(p, x);
        if (i->bool_op != ATOMIC_NONE) {
            const term c = source(o, 2, 1);
            x = joined(p, i->bool_op, x, c);
            y = joined(p, i->bool_op, y, c);
        }
    }
    pair_write(p, o->st, o->lane, o->c->dst, (struct value){x, o->taint}, when);
    pair_write(p, o->st, o->lane, o->c->dst2, (struct value){y, o->taint}, when);
}

static term bits_of(struct operation *o, term x, unsigned n)
{
    return pair_fold(o->p, term_extract(o->p->s, n, n, x));
}

static term counted(struct operation *o, unsigned bits)
{
    struct smt *const s = o->p->s;
    const term a = source(o, 0, bits);
    term sum = term_word(s, 0);
    if (is_number(o->p, a))
        for (unsigned n = 0; n < bits; n++)
            sum = pair_fold(o->p, term_add(s, sum, resized(o->p, bits_of(o, a, n), 32)));
    else
        for (unsigned n = 0; n < bits; n++)
            sum = term_add(s, sum, term_extend(s, 32, term_extract(s, n, n, a)));
    return sum;
}

/* The number of zeros above the highest bit (of brev: below the lowest). */
static term zeros_above(struct operation *o, term a, unsigned bits)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    term n = term_word(s, bits);
    for (unsigned at = 0; at < bits; at++)
        n = pair_ite(p, pair_fold(p, term_eq(s, bits_of(o, a, at), term_bits(s, 1, 1))), term_word(s, bits - 1 - at),
                     n);
    return n;
}

static term reversed(struct operation *o, unsigned bits)
{
    const term a = source(o, 0, bits);
    term x = bits_of(o, a, 0);
    for (unsigned n = 1; n < bits; n++)
        x = pair_fold(o->p, term_concat(o->p->s, x, bits_of(o, a, n)));
    return x;
}

static term table3(struct operation *o)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const term v[3] = {source(o, 0, 32), source(o, 1, 32), source(o, 2, 32)};
    uint64_t table = 0;
    term x = term_word(s, 0);
    if (!term_value(s, source(o, 3, 32), &table))
        return unknown(o, "d", 32);
    for (unsigned n = 0; n < 8; n++) {
        term all;
        if (!(table >> n & 1))
            continue;
        all = n >> 2 & 1 ? v[0] : pair_fold(p, term_bnot(s, v[0]));
        all = pair_fold(p, term_band(s, all, n >> 1 & 1 ? v[1] : pair_fold(p, term_bnot(s, v[1]))));
        all = pair_fold(p, term_band(s, all, n & 1 ? v[2] : pair_fold(p, term_bnot(s, v[2]))));
        x = pair_fold(p, term_bor(s, x, all));
    }
    return x;
}

static term field_of(struct operation *o, unsigned bits, bool is_signed)
{
    struct smt *const s = o->p->s;
    uint64_t from, size;
    term x;
    if (!term_value(s, source(o, 1, 32), &from) || !term_value(s, source(o, 2, 32), &size) || (from &= 255) >= bits ||
        (size &= 255) == 0 || from + size > bits)
        return unknown(o, "d", bits);
    x = term_extract(s, (unsigned)(from + size - 1), (unsigned)from, source(o, 0, bits));
    if (size == bits)
        return x;
    if (is_signed)
        return pair_fold(o->p, smt_keep(s, Z3_mk_sign_ext(s->z3, bits - (unsigned)size, x)));
    return pair_fold(o->p, term_extend(s, bits, x));
}

static term inserted(struct operation *o, unsigned bits)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    uint64_t from, size, ones;
    term a, b;
    if (!term_value(s, source(o, 2, 32), &from) || !term_value(s, source(o, 3, 32), &size) || (from &= 255) >= bits ||
        (size &= 255) == 0 || from + size > bits)
        return unknown(o, "d", bits);
    ones = (size >= 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1) << from;
    a = pair_fold(p, term_shl(s, source(o, 0, bits), term_bits(s, from, bits)));
    b = source(o, 1, bits);
    return pair_fold(p, term_bor(s, pair_fold(p, term_band(s, a, term_bits(s, ones, bits))),
                                 pair_fold(p, term_band(s, b, term_bits(s, ~ones, bits)))));
}

static term bit_mask(struct operation *o)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    term from = source(o, 0, 32), size = source(o, 1, 32);
    if (o->c->i->wrap) {
        from = pair_fold(p, term_band(s, from, term_word(s, 31)));
        size = pair_fold(p, term_band(s, size, term_word(s, 31)));
    }
    size = pair_fold(p, term_sub(s, pair_fold(p, term_shl(s, term_word(s, 1), size)), term_word(s, 1)));
    return pair_fold(p, term_shl(s, size, from));
}

static term funnel(struct operation *o)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const term both = pair_fold(p, term_concat(s, source(o, 1, 32), source(o, 0, 32)));
    term by = source(o, 2, 32);
    by = o->c->i->wrap ? pair_fold(p, term_band(s, by, term_word(s, 31)))
                       : pair_ite(p, pair_fold(p, term_ult(s, by, term_word(s, 32))), by, term_word(s, 32));
    by = resized(p, by, 64);
    if (o->c->i->left)
        return pair_fold(p, term_extract(s, 63, 32, pair_fold(p, term_shl(s, both, by))));
    return pair_fold(p, term_extract(s, 31, 0, pair_fold(p, term_lshr(s, both, by))));
}

static term permuted(struct operation *o)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const term both = pair_fold(p, term_concat(s, source(o, 1, 32), source(o, 0, 32)));
    uint64_t select;
    term x = NULL;
    if (o->c->i->prmt_mode != PRMT_NONE || !term_value(s, source(o, 2, 32), &select) || (select & 0x8888) != 0)
        return unknown(o, "d", 32);
    for (unsigned n = 0; n < 4; n++) {
        const unsigned at = 8 * (unsigned)(select >> (4 * n) & 7);
        const term byte = pair_fold(p, term_extract(s, at + 7, at, both));
        x = x == NULL ? byte : pair_fold(p, term_concat(s, byte, x));
    }
    return x;
}

static term converted(struct operation *o)
{
    const struct module_instruction *const i = o->c->i;
    const unsigned from = ptx_type_bits(i->type2), to = ptx_type_bits(i->type);
    const unsigned room = pair_room(o->p, o->c->dst, to);
    term x;
    if (ptx_type_is_float(i->type) || ptx_type_is_float(i->type2) || i->sat || i->satfinite || i->relu ||
        i->srcs_count != 1 || to > 64 || from > 64 || from == 1 || to == 1)
        return unknown(o, "d", room);
    x = source(o, 0, from);
    x = ptx_type_is_signed(i->type2) ? pair_sign_extend(o->p, x, to) : x;
    x = resized(o->p, x, to);
    return ptx_type_is_signed(i->type) ? pair_sign_extend(o->p, x, room) : x;
}

static term packed(struct operation *o, unsigned bits)
{
    const unsigned n = o->c->i->srcs_count;
    term x = NULL;
    for (unsigned i = 0; i < n; i++) {
        const struct value v = pair_read(o->p, o->st, o->lane, o->c->srcs[i], bits / n);
        o->taint = pair_either(o->p, o->taint, v.taint);
        x = x == NULL ? v.x : pair_fold(o->p, term_concat(o->p->s, v.x, x));
    }
    return x;
}

static term divided(struct operation *o, unsigned bits, bool is_signed)
{
    struct smt *const s = o->p->s;
    const bool rest = o->c->i->op == OP_REM;
    const term a = source(o, 0, bits), b = source(o, 1, bits);
    uint64_t number;
    Z3_ast x;
    if (!term_value(s, b, &number) || number == 0)
        return unknown(o, "d", bits);
    if (is_signed)
        x = rest ? Z3_mk_bvsrem(s->z3, a, b) : Z3_mk_bvsdiv(s->z3, a, b);
    else
        x = rest ? Z3_mk_bvurem(s->z3, a, b) : Z3_mk_bvudiv(s->z3, a, b);
    return pair_fold(o->p, smt_keep(s, x));
}

static term chosen(struct operation *o, unsigned bits)
{
    struct pair *const p = o->p;
    const struct value a = pair_read(p, o->st, o->lane, o->c->src[0], bits),
                       b = pair_read(p, o->st, o->lane, o->c->src[1], bits);
    const term c = source(o, 2, 1); /* its taint is in o->taint now */
    if (a.taint != NULL || b.taint != NULL) {
        const term no = term_bool(p->s, false);
        o->taint =
            pair_either(p, o->taint, pair_ite(p, c, a.taint != NULL ? a.taint : no, b.taint != NULL ? b.taint : no));
    }
    return pair_ite(p, c, a.x, b.x);
}

/* and, or of two: known where one of them hides the other. */
static term logic(struct operation *o, unsigned bits)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const bool is_and = o->c->i->op == OP_AND;
    struct value v[2];
    for (unsigned n = 0; n < 2; n++) {
        v[n] = pair_read(p, o->st, o->lane, o->c->src[n], bits);
        if (o->c->negated[n])
            v[n].x = pair_not(p, v[n].x);
    }
    for (unsigned n = 0; n < 2; n++) {
        const term other = v[n ^ 1u].x,
                   hides = bits == 1 ? (is_and ? pair_not(p, other) : other)
                                     : pair_fold(p, term_eq(s, other, term_bits(s, is_and ? 0 : UINT64_MAX, bits)));
        if (v[n].taint != NULL)
            o->taint = pair_either(p, o->taint,
                                   v[n ^ 1u].taint != NULL ? v[n].taint : pair_both(p, v[n].taint, pair_not(p, hides)));
    }
    if (bits == 1)
        return is_and ? pair_both(p, v[0].x, v[1].x) : pair_either(p, v[0].x, v[1].x);
    return is_and ? pair_and(p, v[0].x, v[1].x) : pair_fold(p, term_bor(s, v[0].x, v[1].x));
}

static term exclusive(struct operation *o, unsigned bits)
{
    struct pair *const p = o->p;
    const term a = source(o, 0, bits), b = source(o, 1, bits);
    if (bits == 1)
        return pair_not(p, pair_fold(p, term_eq(p->s, a, b)));
    return a == b ? term_bits(p->s, 0, bits) : pair_fold(p, term_bxor(p->s, a, b));
}

static term extreme(struct operation *o, unsigned bits, bool is_signed)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const term a = source(o, 0, bits), b = source(o, 1, bits);
    const term less = pair_fold(p, is_signed ? term_sle(s, a, b) : term_ule(s, a, b));
    return o->c->i->op == OP_MIN ? pair_ite(p, less, a, b) : pair_ite(p, less, b, a);
}

static term summed(struct operation *o, unsigned bits)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const term a = source(o, 0, bits), b = source(o, 1, bits);
    if (o->c->i->op == OP_ADD)
        return pair_sum(p, a, b);
    return a == b ? term_bits(s, 0, bits) : pair_fold(p, term_sub(s, a, b));
}

/* Integers and bits. NULL: a function without a meaning will do. */
/* Operations on single bits and fields of them. */
static term bitwise(struct operation *o, unsigned bits, bool is_signed)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const struct module_instruction *const i = o->c->i;
    if (i->op == OP_LOP3)
        return table3(o);
    if (i->op == OP_SHL || i->op == OP_SHR)
        return shifted(o, bits, is_signed);
    if (i->op == OP_SHF)
        return funnel(o);
    if (i->op == OP_POPC)
        return counted(o, bits);
    if (i->op == OP_CLZ)
        return zeros_above(o, source(o, 0, bits), bits);
    if (i->op == OP_BREV)
        return reversed(o, bits);
    if (i->op == OP_BFIND && !is_signed) {
        const term a = source(o, 0, bits), zeros = zeros_above(o, a, bits);
        if (!i->shiftamt)
            return pair_fold(p, term_sub(s, term_word(s, bits - 1), zeros)); /* without a bit: -1 */
        return pair_ite(p, pair_fold(p, term_eq(s, a, term_bits(s, 0, bits))), term_word(s, UINT32_MAX), zeros);
    }
    if (i->op == OP_BFE)
        return field_of(o, bits, is_signed);
    if (i->op == OP_BFI)
        return inserted(o, bits);
    if (i->op == OP_BMSK)
        return bit_mask(o);
    if (i->op == OP_PRMT)
        return permuted(o);
    return NULL;
}

static term integer(struct operation *o)
{
    struct pair *const p = o->p;
    struct smt *const s = p->s;
    const struct module_instruction *const i = o->c->i;
    const unsigned bits = ptx_type_bits(i->type);
    const bool is_signed = ptx_type_is_signed(i->type);
    bool known;
    term x;
    if (bits == 0 || bits > 64 || i->sat)
        return NULL;
    /* The operations that are worked out; each other one of the many is a function. */
    if (i->op == OP_MOV)
        return source(o, 0, bits);
    if (i->op == OP_PACK)
        return packed(o, bits);
    if (i->op == OP_SELP)
        return chosen(o, bits);
    if (i->op == OP_AND || i->op == OP_OR)
        return logic(o, bits);
    if (i->op == OP_XOR)
        return exclusive(o, bits);
    if (i->op == OP_NOT)
        return bits == 1 ? pair_not(p, source(o, 0, 1)) : pair_fold(p, term_bnot(s, source(o, 0, bits)));
    if (i->op == OP_CVT)
        return converted(o);
    if (ptx_type_is_float(i->type) || i->type == PTX_U16X2 || i->type == PTX_S16X2 || bits == 1)
        return NULL;
    if (i->op == OP_ADD || i->op == OP_SUB)
        return summed(o, bits);
    if (i->op == OP_MUL) {
        x = product(o, bits, is_signed, &known);
        return known ? x : NULL;
    }
    if (i->op == OP_MAD) {
        x = product(o, bits, is_signed, &known);
        return known ? pair_sum(p, x, source(o, 2, i->part == PART_WIDE ? 2 * bits : bits)) : NULL;
    }
    if (i->op == OP_DIV || i->op == OP_REM)
        return divided(o, bits, is_signed);
    if (i->op == OP_MIN || i->op == OP_MAX)
        return i->relu ? NULL : extreme(o, bits, is_signed);
    if (i->op == OP_NEG)
        return pair_fold(p, term_neg(s, source(o, 0, bits)));
    if (i->op == OP_ABS) {
        x = source(o, 0, bits);
        return pair_ite(p, pair_fold(p, term_slt(s, x, term_bits(s, 0, bits))), pair_fold(p, term_neg(s, x)), x);
    }
    if (i->op == OP_CNOT)
        return resized(p, pair_fold(p, term_eq(s, source(o, 0, bits), term_bits(s, 0, bits))), bits);
    return bitwise(o, bits, is_signed);
}

static void unpack(struct operation *o, term when)
{
    const struct module_instruction *const i = o->c->i;
    const unsigned bits = ptx_type_bits(i->type) / i->dsts_count;
    const term x = source(o, 0, ptx_type_bits(i->type));
    for (unsigned n = 0; n < i->dsts_count; n++) {
        const term part = pair_fold(o->p, term_extract(o->p->s, bits * (n + 1) - 1, bits * n, x));
        pair_write(o->p, o->st, o->lane, o->c->dsts[n], (struct value){part, o->taint}, when);
    }
}

static term moved_address(struct operation *o)
{
    struct smt *const s = o->p->s;
    const struct module_instruction *const i = o->c->i;
    const uint64_t window = i->space == SPACE_SHARED || i->space == SPACE_CLUSTER ? CODE_SHARED_WINDOW
                            : i->space == SPACE_LOCAL || i->space == SPACE_PARAM  ? CODE_PRIVATE_WINDOW
                                                                                  : 0;
    const term a = source(o, 0, 64), w = term_bits(s, window, 64);
    if (window == 0)
        return a;
    return pair_fold(o->p, i->to ? term_sub(s, a, w) : term_add(s, a, w));
}

void pair_compute(struct pair *p, struct state *st, const struct code_instruction *c, unsigned lane, term when)
{
    struct operation o = {p, st, c, lane, NULL};
    const unsigned room = pair_room(p, c->dst, 64);
    term x;
    if (c->kind == CODE_UNPACK) {
        unpack(&o, when);
        return;
    }
    if (c->kind == CODE_CLOCK) {
        pair_write(p, st, lane, c->dst, (struct value){pair_fresh(p, room), NULL}, when);
        return;
    }
    if (c->kind == CODE_ROW && c->i->op == OP_SETP) {
        set_predicates(&o, when);
        return;
    }
    if (c->kind == CODE_CVTA)
        x = moved_address(&o);
    else if (c->kind == CODE_ISSPACEP)
        x = unknown(&o, "space", 1);
    else
        x = integer(&o);
    if (x == NULL) {
        o.taint = NULL;
        x = unknown(&o, "d", room);
    }
    pair_write(p, st, lane, c->dst, (struct value){x, o.taint}, when);
    if (c->second != NULL && c->dst2 != CODE_NO_ROW)
        pair_write(p, st, lane, c->dst2, (struct value){unknown(&o, "carry", 1), o.taint}, when);
}
