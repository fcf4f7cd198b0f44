/*
 * Numbers as `high * 32 + low`. A thread's number is such a one: its warp and its lane. Where arithmetic keeps the
 * halves apart, what both lanes know of their warp is one and the same term, and the solver has nothing to do.
 */
#include "smt/pair/internal.h"

#define LOW_BITS 5u

static term part(struct pair *p, unsigned high, unsigned low, term x)
{
    return pair_fold(p, term_extract(p->s, high, low, x));
}

/* Are the lowest bits certainly 0? */
static bool is_aligned(struct pair *p, term x)
{
    struct split parts;
    uint64_t low;
    return pair_split(p, x, &parts) && term_value(p->s, parts.low, &low) && low == 0;
}

static bool split_extended(struct pair *p, term x, bool is_signed, struct split *parts)
{
    const unsigned more = term_width(p->s, x) - term_width(p->s, term_argument(p->s, x, 0));
    if (!pair_split(p, term_argument(p->s, x, 0), parts))
        return false;
    parts->high = pair_fold(p, smt_keep(p->s, is_signed ? Z3_mk_sign_ext(p->s->z3, more, parts->high)
                                                        : Z3_mk_zero_ext(p->s->z3, more, parts->high)));
    return true;
}

bool pair_split(struct pair *p, term x, struct split *parts)
{
    struct smt *const s = p->s;
    const unsigned bits = term_width(s, x), n = term_arguments(s, x);
    uint64_t number;
    if (bits <= LOW_BITS)
        return false;
    if (term_value(s, x, &number)) {
        *parts = (struct split){term_bits(s, number >> LOW_BITS, bits - LOW_BITS), term_bits(s, number & 31, LOW_BITS)};
        return true;
    }
    if (n == 0)
        return false;
    switch ((unsigned)term_kind(s, x)) {
    case Z3_OP_CONCAT:
        if (n != 2 || term_width(s, term_argument(s, x, 1)) != LOW_BITS)
            return false;
        *parts = (struct split){term_argument(s, x, 0), term_argument(s, x, 1)};
        return true;
    case Z3_OP_ZERO_EXT:
        if (term_width(s, term_argument(s, x, 0)) != LOW_BITS)
            return split_extended(p, x, false, parts);
        *parts = (struct split){term_bits(s, 0, bits - LOW_BITS), term_argument(s, x, 0)};
        return true;
    case Z3_OP_SIGN_EXT:
        return split_extended(p, x, true, parts);
    case Z3_OP_BMUL:
        if (!is_aligned(p, term_argument(s, x, 0)) && !is_aligned(p, term_argument(s, x, n - 1)))
            return false;
        break;
    default:
        return false;
    }
    *parts = (struct split){part(p, bits - 1, LOW_BITS, x), term_bits(s, 0, LOW_BITS)};
    return true;
}

static term join(struct pair *p, term high, term low)
{
    return pair_fold(p, term_concat(p->s, high, low));
}

term pair_sum(struct pair *p, term x, term y)
{
    struct split a, b;
    uint64_t low;
    if (pair_split(p, x, &a) && pair_split(p, y, &b)) {
        const term high = pair_fold(p, term_add(p->s, a.high, b.high));
        if (term_value(p->s, b.low, &low) && low == 0)
            return join(p, high, a.low);
        if (term_value(p->s, a.low, &low) && low == 0)
            return join(p, high, b.low);
    }
    return pair_fold(p, term_add(p->s, x, y));
}

term pair_aligned_product(struct pair *p, term x, term y, bool *known)
{
    const unsigned bits = term_width(p->s, x);
    *known = is_aligned(p, x) || is_aligned(p, y);
    if (!*known)
        return NULL;
    const term any = pair_function(p, "product", bits, (const term[]){x, y}, 2);
    return join(p, part(p, bits - 1, LOW_BITS, any), term_bits(p->s, 0, LOW_BITS));
}

term pair_shift_right(struct pair *p, term x, unsigned by, bool is_signed)
{
    struct smt *const s = p->s;
    const unsigned bits = term_width(s, x);
    struct split a;
    if (by >= LOW_BITS && by < bits && pair_split(p, x, &a)) {
        const term high = by == LOW_BITS ? a.high : part(p, bits - LOW_BITS - 1, by - LOW_BITS, a.high);
        return pair_fold(p, smt_keep(s, is_signed ? Z3_mk_sign_ext(s->z3, by, high) : Z3_mk_zero_ext(s->z3, by, high)));
    }
    x = is_signed ? Z3_mk_bvashr(s->z3, x, term_bits(s, by, bits)) : Z3_mk_bvlshr(s->z3, x, term_bits(s, by, bits));
    return pair_fold(p, smt_keep(s, x));
}

term pair_and(struct pair *p, term x, term y)
{
    struct split a;
    uint64_t number;
    if (term_value(p->s, y, &number) && (number % 32 == 0 || number % 32 == 31) && pair_split(p, x, &a)) {
        const unsigned bits = term_width(p->s, a.high);
        const term mask = term_bits(p->s, number >> LOW_BITS, bits);
        const bool all = number >> LOW_BITS == UINT64_MAX >> (64 - bits);
        return join(p, all ? a.high : pair_fold(p, term_band(p->s, a.high, mask)),
                    number % 32 == 0 ? term_bits(p->s, 0, LOW_BITS) : a.low);
    }
    return pair_fold(p, term_band(p->s, x, y));
}
