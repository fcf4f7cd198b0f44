/* Comparisons, casts, and what is made of comparisons. */
#include "proofs/algebra.h"
#include "proofs/node.h"
#include "proofs/number.h"

static bool known_compare(struct maker *m, LLVMIntPredicate predicate, unsigned width, uint64_t a, uint64_t b)
{
    const int64_t sa = as_signed(a, width), sb = as_signed(b, width);
    switch (predicate) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
        return a > b;
    case LLVMIntUGE:
        return a >= b;
    case LLVMIntULT:
        return a < b;
    case LLVMIntULE:
        return a <= b;
    case LLVMIntSGT:
        return sa > sb;
    case LLVMIntSGE:
        return sa >= sb;
    case LLVMIntSLT:
        return sa < sb;
    case LLVMIntSLE:
        return sa <= sb;
    default:
        fail(m, "an unknown comparison");
    }
}

/* The conjuncts of `whole` that `part` has not; NULL: one of the part's is not among them. */
static term what_more(struct smt *s, term whole, term part)
{
    const unsigned n = b_conjuncts(s, whole), less = b_conjuncts(s, part);
    term rest = term_bool(s, true);
    unsigned kept = 0;
    if (n <= less || is_true(s, part) || is_false(s, part) || is_false(s, whole))
        return NULL;
    for (unsigned i = 0; i < n; i++) {
        bool found = false;
        for (unsigned k = 0; !found && k < less; k++)
            found = b_conjunct(s, part, k) == b_conjunct(s, whole, i);
        kept += !found;
        if (!found)
            rest = b_and(s, rest, b_conjunct(s, whole, i));
    }
    return kept == n - less ? rest : NULL;
}

/* Are two Bools the same? Where one is the other and more, that is whether the other implies the more. */
static term same_bool(struct smt *s, term x, term y)
{
    term more = what_more(s, x, y);
    if (more != NULL)
        return b_or(s, b_not(s, y), more);
    more = what_more(s, y, x);
    return more != NULL ? b_or(s, b_not(s, x), more) : b_not(s, b_xor(s, x, y));
}

#define CHOICES_MOST 256u

/* What is asked and was answered about parts of a word. */
struct zeros {
    struct smt *s;
    term x[CHOICES_MOST], is[CHOICES_MOST];
    unsigned n;
};

/* A part of a choice, or of bits that were brought together, as a choice or as parts. */
static term opened(struct smt *s, term x)
{
    unsigned high, low;
    term chosen = v_chosen_part(s, x), y;
    if (chosen != NULL || !is_part(s, x, &high, &low))
        return chosen != NULL ? chosen : x;
    y = argument(s, x, 0);
    if (is(s, y, Z3_OP_BOR) && arity(s, y) == 2)
        return smt_keep(s, Z3_mk_bvor(s->z3, v_extract(s, high, low, argument(s, y, 0)),
                                      v_extract(s, high, low, argument(s, y, 1))));
    return x;
}

static term zero(struct zeros *z, term whole)
{
    struct smt *s = z->s;
    term x = opened(s, whole), found = NULL, c, yes, no, more;
    const bool choice = is(s, x, Z3_OP_ITE);
    const bool parts = is(s, x, Z3_OP_BOR) || (is(s, x, Z3_OP_CONCAT) && arity(s, x) == 2);
    if (z->n == CHOICES_MOST || (!choice && !parts))
        return v_eq(s, x, v_number(s, 0, term_width(s, x)));
    for (unsigned i = 0; i < z->n; i++)
        if (z->x[i] == whole)
            return z->is[i];
    if (choice) {
        c = argument(s, x, 0);
        yes = zero(z, argument(s, x, 1));
        no = zero(z, argument(s, x, 2));
        if ((more = what_more(s, yes, no)) != NULL) /* c ? no and more : no */
            found = b_and(s, no, b_or(s, b_not(s, c), more));
        else if ((more = what_more(s, no, yes)) != NULL)
            found = b_and(s, yes, b_or(s, c, more));
        else
            found = b_ite(s, c, yes, no);
    } else {
        found = term_bool(s, true);
        for (unsigned i = 0; i < arity(s, x); i++)
            found = b_and(s, found, zero(z, argument(s, x, i)));
    }
    if (z->n < CHOICES_MOST) { /* asking has filled it meanwhile */
        z->x[z->n] = whole;
        z->is[z->n++] = found;
    }
    return found;
}

/* Are bits brought together in a term, as far as a look into it shows? */
static bool collects(struct smt *s, term x, unsigned depth)
{
    const bool choice = is(s, x, Z3_OP_ITE);
    if (is(s, x, Z3_OP_BOR) || depth == 0)
        return is(s, x, Z3_OP_BOR);
    if (!choice && !is(s, x, Z3_OP_EXTRACT) && !is(s, x, Z3_OP_CONCAT))
        return false;
    for (unsigned i = choice; i < arity(s, x); i++)
        if (collects(s, argument(s, x, i), depth - 1))
            return true;
    return false;
}

/* Differences that were collected, under conditions: is there none? */
static term is_zero(struct smt *s, term x)
{
    struct zeros z = {.s = s};
    if (term_width(s, x) == 64 && collects(s, x, 6))
        return b_and(s, zero(&z, v_extract(s, 63, 32, x)), zero(&z, v_extract(s, 31, 0, x)));
    return collects(s, x, 6) ? zero(&z, x) : v_eq(s, x, v_number(s, 0, term_width(s, x)));
}

static term equal(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    const bool x_bits = x->kind == BITS || x->kind == CHOICE, y_bits = y->kind == BITS || y->kind == CHOICE;
    if ((x_bits && (y_bits || y->kind == KNOWN)) || (y_bits && x->kind == KNOWN) || x->width == 1) {
        term *a = arena_take(&m->arena, x->width * sizeof *a), *b = arena_take(&m->arena, x->width * sizeof *b);
        as_bits(m, x, a);
        as_bits(m, y, b);
        for (unsigned i = 0; i < x->width; i++)
            a[i] = same_bool(m->s, a[i], b[i]);
        return b_all(m->s, a, x->width);
    }
    if (m->takes_apart && x->kind == TERM && y->kind == TERM) {
        term all = algebra_all_equal(m->s, x->t, y->t);
        return all != NULL ? all : v_eq(m->s, x->t, y->t);
    }
    if (m->takes_apart && x->kind == TERM && y->kind == KNOWN && y->number == 0)
        return is_zero(m->s, x->t);
    return v_eq(m->s, as_term(m, x), as_term(m, y));
}

/* Is a mask below this number, which is a power of two? No bit from there on is set. NULL: it is none. */
static term mask_below(struct maker *m, const struct scalar *x, uint64_t number)
{
    term *clear;
    unsigned n = 0;
    if (x->kind != BITS || number == 0 || (number & (number - 1)) != 0)
        return NULL;
    clear = arena_take(&m->arena, x->width * sizeof *clear);
    for (unsigned i = (unsigned)__builtin_ctzll(number); i < x->width; i++)
        clear[n++] = b_not(m->s, x->bits[i]);
    return b_all(m->s, clear, n);
}

static term unsigned_less(struct maker *m, bool or_equal, const struct scalar *x, const struct scalar *y)
{
    uint64_t number;
    term below = NULL;
    if (is_known(y, &number))
        below = mask_below(m, x, number + or_equal);
    else if (is_known(x, &number) && (below = mask_below(m, y, number + !or_equal)) != NULL)
        below = b_not(m->s, below);
    if (below != NULL)
        return below;
    return (or_equal ? term_ule : term_ult)(m->s, as_term(m, x), as_term(m, y));
}

static term less(struct maker *m, bool is_signed, bool or_equal, const struct scalar *x, const struct scalar *y)
{
    uint64_t number;
    if (!or_equal && is_known(x, &number) &&
        number == (is_signed ? mask_of_width(x->width) >> 1 : mask_of_width(x->width)))
        return term_bool(m->s, false); /* nothing is above the greatest number */
    if (!or_equal && is_known(y, &number) && number == (is_signed ? (uint64_t)1 << (y->width - 1) : 0))
        return term_bool(m->s, false);                                 /* nothing is below the least */
    if (is_signed && !or_equal && is_known(y, &number) && number == 0) /* the sign bit */
        return as_bool(m, scalar_slice(m, x, x->width - 1, 1));
    if (is_signed && !or_equal && is_known(x, &number) && number == mask_of_width(x->width))
        return b_not(m->s, as_bool(m, scalar_slice(m, y, y->width - 1, 1)));
    if (!is_signed)
        return unsigned_less(m, or_equal, x, y);
    return (or_equal ? term_sle : term_slt)(m->s, as_term(m, x), as_term(m, y));
}

static term compare(struct maker *m, LLVMIntPredicate predicate, const struct scalar *x, const struct scalar *y)
{
    switch (predicate) {
    case LLVMIntEQ:
        return equal(m, x, y);
    case LLVMIntNE:
        return b_not(m->s, equal(m, x, y));
    case LLVMIntULT:
        return less(m, false, false, x, y);
    case LLVMIntULE:
        return less(m, false, true, x, y);
    case LLVMIntUGT:
        return less(m, false, false, y, x);
    case LLVMIntUGE:
        return less(m, false, true, y, x);
    case LLVMIntSLT:
        return less(m, true, false, x, y);
    case LLVMIntSLE:
        return less(m, true, true, x, y);
    case LLVMIntSGT:
        return less(m, true, false, y, x);
    case LLVMIntSGE:
        return less(m, true, true, y, x);
    default:
        fail(m, "an unknown comparison");
    }
}

/* Compares a choice with a number: chooses between the comparisons. */
static term compare_choice(struct maker *m, LLVMIntPredicate predicate, const struct scalar *x, const struct scalar *y)
{
    const struct scalar *choice = x->kind == CHOICE ? x : y;
    term r = NULL;
    for (unsigned i = choice->count; i-- > 0;) {
        const uint64_t a = x->kind == CHOICE ? x->from[i] : x->number, b = x->kind == CHOICE ? y->number : y->from[i];
        term one = term_bool(m->s, known_compare(m, predicate, x->width, a, b));
        r = r == NULL ? one : b_ite(m->s, choice->bits[i], one, r);
    }
    return r;
}

/* --- numbers of set bits ------------------------------------------------------------------------------------------ */

/* Are at least n of the bits set? Counts them: at_least[k] after each bit. */
static term at_least(struct maker *m, const struct scalar *x, uint64_t n)
{
    struct smt *s = m->s;
    term *bits, *count;
    if (n == 0 || n > x->width)
        return term_bool(s, n == 0);
    bits = arena_take(&m->arena, x->width * sizeof *bits);
    count = arena_take(&m->arena, (n + 1) * sizeof *count);
    as_bits(m, x, bits);
    for (uint64_t k = 0; k <= n; k++)
        count[k] = term_bool(s, k == 0);
    for (unsigned i = 0; i < x->width; i++)
        for (uint64_t k = n; k > 0; k--)
            count[k] = b_or(s, count[k], b_and(s, count[k - 1], bits[i]));
    return count[n];
}

/* Is y true where x is, by its very form? */
static bool says_so(struct smt *s, term x, term y)
{
    unsigned parts = 0;
    for (unsigned k = 0; x != y && k < b_conjuncts(s, y); k++) {
        bool here = false;
        for (unsigned j = 0; !here && j < b_conjuncts(s, x); j++)
            here = b_conjunct(s, x, j) == b_conjunct(s, y, k);
        parts += here;
    }
    return x == y || (parts > 0 && parts == b_conjuncts(s, y));
}

/* The bit of x, not yet taken, that says so of y; of what is always true any one does. x->width: none. */
static unsigned bit_that_says(struct maker *m, const struct scalar *x, const term *bits, uint64_t taken, term y)
{
    const bool any = is_true(m->s, y);
    unsigned k = 0;
    while (k < x->width && ((taken >> k & 1u) != 0 || is_false(m->s, bits[k]) || !(any || says_so(m->s, bits[k], y))))
        k++;
    return k;
}

/* Where each bit of x says so of another one of y, by its very form, x has as many set bits as y only where both of
 * each pair are the same and no other bit of y is set. NULL: they do not. */
static term same_number(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    term a[64], b[64], same = term_bool(m->s, true);
    uint64_t taken = 0;
    if (x->width > 64 || y->width > 64)
        return NULL;
    as_bits(m, x, a);
    as_bits(m, y, b);
    for (unsigned always = 0; always < 2; always++) /* those that any bit says come last */
        for (unsigned i = 0; i < y->width; i++) {
            const unsigned k = bit_that_says(m, x, a, taken, b[i]);
            if (is_true(m->s, b[i]) != (always != 0))
                continue;
            taken |= k < x->width ? (uint64_t)1 << k : 0;
            same = b_and(m->s, same, b_not(m->s, k < x->width ? b_xor(m->s, a[k], b[i]) : b[i]));
        }
    for (unsigned k = 0; k < x->width; k++)
        if ((taken >> k & 1u) == 0 && !is_false(m->s, a[k]))
            return NULL;
    return same;
}

/* x predicate n, for the number of set bits; NULL: a predicate of signed numbers that may be negative. */
static term compare_count(struct maker *m, LLVMIntPredicate predicate, const struct scalar *bits, unsigned width,
                          uint64_t n)
{
    struct smt *s = m->s;
    const bool is_negative = width > 6 && as_signed(n, width) < 0;
    switch (predicate) {
    case LLVMIntEQ:
        return b_and(s, at_least(m, bits, n), b_not(s, at_least(m, bits, n + 1)));
    case LLVMIntNE:
        return b_not(s, b_and(s, at_least(m, bits, n), b_not(s, at_least(m, bits, n + 1))));
    case LLVMIntUGE:
        return at_least(m, bits, n);
    case LLVMIntUGT:
        return n >= bits->width ? term_bool(s, false) : at_least(m, bits, n + 1);
    case LLVMIntULT:
        return b_not(s, at_least(m, bits, n));
    case LLVMIntULE:
        return n >= bits->width ? term_bool(s, true) : b_not(s, at_least(m, bits, n + 1));
    case LLVMIntSGE:
        return is_negative ? term_bool(s, true) : at_least(m, bits, n);
    case LLVMIntSGT:
        return is_negative ? term_bool(s, true) : n >= bits->width ? term_bool(s, false) : at_least(m, bits, n + 1);
    case LLVMIntSLT:
        return is_negative ? term_bool(s, false) : b_not(s, at_least(m, bits, n));
    case LLVMIntSLE:
        return is_negative        ? term_bool(s, false)
               : n >= bits->width ? term_bool(s, true)
                                  : b_not(s, at_least(m, bits, n + 1));
    }
    return NULL;
}

static LLVMIntPredicate swapped(LLVMIntPredicate predicate)
{
    switch (predicate) {
    case LLVMIntEQ:
    case LLVMIntNE:
        return predicate;
    case LLVMIntUGT:
        return LLVMIntULT;
    case LLVMIntUGE:
        return LLVMIntULE;
    case LLVMIntULT:
        return LLVMIntUGT;
    case LLVMIntULE:
        return LLVMIntUGE;
    case LLVMIntSGT:
        return LLVMIntSLT;
    case LLVMIntSGE:
        return LLVMIntSLE;
    case LLVMIntSLT:
        return LLVMIntSGT;
    case LLVMIntSLE:
        return LLVMIntSGE;
    }
    return predicate;
}

/* x = -y, for numbers of set bits: there are none. NULL: it is something else. */
static term both_empty(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    term bits[2 * COUNT_MOST], none = term_bool(m->s, true);
    unsigned n, more;
    if (y->negative_of == NULL || y->negative_of->width != x->width)
        return NULL;
    n = counted_bits(m, x, bits);
    if (n == COUNT_NONE)
        return NULL;
    more = counted_bits(m, y->negative_of, bits + n);
    if (more == COUNT_NONE || n + more > COUNT_MOST)
        return NULL;
    for (unsigned i = 0; i < n + more; i++)
        none = b_and(m->s, none, b_not(m->s, bits[i]));
    return none;
}

/* Compares numbers of set bits. NULL: it is no such comparison, or the bits do not decide it. */
static term compare_counts(struct maker *m, LLVMIntPredicate predicate, const struct scalar *x, const struct scalar *y)
{
    const bool equality = predicate == LLVMIntEQ || predicate == LLVMIntNE;
    if (x->width < 8) /* wide enough for 64 and a sign */
        return NULL;
    if (x->count_of != NULL && y->kind == KNOWN)
        return compare_count(m, predicate, x->count_of, x->width, y->number);
    if (y->count_of != NULL && x->kind == KNOWN)
        return compare_count(m, swapped(predicate), y->count_of, x->width, x->number);
    if (equality) {
        term none = both_empty(m, x, y);
        none = none != NULL ? none : both_empty(m, y, x);
        if (none != NULL)
            return predicate == LLVMIntEQ ? none : b_not(m->s, none);
    }
    if (equality && x->count_of != NULL && y->count_of != NULL) {
        term same = same_number(m, x->count_of, y->count_of);
        same = same != NULL ? same : same_number(m, y->count_of, x->count_of);
        return same == NULL || predicate == LLVMIntEQ ? same : b_not(m->s, same);
    }
    return NULL;
}

/* Does the comparison of x with this number ask whether the bits from *from on are all 0, or not all (*any)? */
static bool asks_high_bits(LLVMIntPredicate predicate, unsigned width, uint64_t number, unsigned *from, bool *any)
{
    const uint64_t beyond = predicate == LLVMIntUGT || predicate == LLVMIntULE ? number + 1 : number;
    const bool by_size =
        predicate == LLVMIntUGT || predicate == LLVMIntULE || predicate == LLVMIntULT || predicate == LLVMIntUGE;
    *any = predicate == LLVMIntUGT || predicate == LLVMIntUGE || predicate == LLVMIntSLT;
    *from = width - 1;
    if ((predicate == LLVMIntSLT && number == 0) || (predicate == LLVMIntSGT && number == UINT64_MAX >> (64 - width)))
        return true;
    for (*from = 0; *from < width; ++*from)
        if (by_size && beyond == (uint64_t)1 << *from)
            return true;
    return false;
}

const struct scalar *arith_compare(struct maker *m, LLVMIntPredicate predicate, const struct scalar *x,
                                   const struct scalar *y)
{
    uint64_t a, b;
    unsigned from;
    bool any;
    term r;
    if (x->unset != NULL && is_data(x) && y->kind == KNOWN && y->poison == NULL && x->width <= 64 &&
        asks_high_bits(predicate, x->width, y->number, &from, &any) && from > 0) /* those below may be undefined */
        return arith_compare(m, any ? LLVMIntNE : LLVMIntEQ, scalar_slice(m, x, from, x->width - from),
                             make_known(m, x->width - from, 0));
    if (!is_data(x) || !is_data(y))
        fail(m, "%s", x->kind == UNMERGED ? x->why : y->kind == UNMERGED ? y->why : NUMBER_OF_POINTER);
    else if (is_known(x, &a) && is_known(y, &b))
        r = term_bool(m->s, known_compare(m, predicate, x->width, a, b));
    else if ((x->kind == CHOICE && y->kind == KNOWN) || (x->kind == KNOWN && y->kind == CHOICE))
        r = compare_choice(m, predicate, x, y);
    else {
        r = compare_counts(m, predicate, x, y);
        r = r != NULL ? r : compare(m, predicate, x, y);
    }
    return with_poison(m, make_bool(m, r), poison_or(m, x->poison, y->poison));
}

/* IEEE binary32 on bits: NaN has a magnitude above infinity's; zeros are equal; otherwise sign and magnitude. */
static term is_nan(struct maker *m, term x)
{
    term magnitude = v_extract(m->s, 30, 0, x);
    return smt_keep(m->s, Z3_mk_bvugt(m->s->z3, magnitude, v_number(m->s, 0x7f800000u, 31)));
}

static term float_equal(struct maker *m, term x, term y)
{
    term zero = v_number(m->s, 0, 31);
    term zeros = b_and(m->s, v_eq(m->s, v_extract(m->s, 30, 0, x), zero), v_eq(m->s, v_extract(m->s, 30, 0, y), zero));
    return b_or(m->s, zeros, v_eq(m->s, x, y));
}

static term float_less(struct maker *m, term x, term y)
{
    Z3_context z = m->s->z3;
    term one = v_number(m->s, 1, 1);
    term x_negative = v_eq(m->s, v_extract(m->s, 31, 31, x), one),
         y_negative = v_eq(m->s, v_extract(m->s, 31, 31, y), one);
    term below = smt_keep(m->s, Z3_mk_bvult(z, v_extract(m->s, 30, 0, x), v_extract(m->s, 30, 0, y)));
    term above = smt_keep(m->s, Z3_mk_bvugt(z, v_extract(m->s, 30, 0, x), v_extract(m->s, 30, 0, y)));
    term by_sign = b_ite(m->s, x_negative, b_or(m->s, b_not(m->s, y_negative), above),
                         b_and(m->s, b_not(m->s, y_negative), below));
    return b_and(m->s, by_sign, b_not(m->s, float_equal(m, x, y)));
}

const struct scalar *arith_float_compare(struct maker *m, LLVMRealPredicate predicate, const struct scalar *x,
                                         const struct scalar *y)
{
    term a = as_term(m, x), b = as_term(m, y), unordered, ordered, r;
    if (x->width != 32)
        fail(m, "a comparison of floating-point numbers of %u bits is not translated", x->width);
    unordered = b_or(m->s, is_nan(m, a), is_nan(m, b));
    ordered = b_not(m->s, unordered);
    switch (predicate) {
    case LLVMRealPredicateFalse:
        r = term_bool(m->s, false);
        break;
    case LLVMRealPredicateTrue:
        r = term_bool(m->s, true);
        break;
    case LLVMRealUNO:
        r = unordered;
        break;
    case LLVMRealORD:
        r = ordered;
        break;
    case LLVMRealOEQ:
        r = b_and(m->s, ordered, float_equal(m, a, b));
        break;
    case LLVMRealUEQ:
        r = b_or(m->s, unordered, float_equal(m, a, b));
        break;
    case LLVMRealONE:
        r = b_and(m->s, ordered, b_not(m->s, float_equal(m, a, b)));
        break;
    case LLVMRealUNE:
        r = b_or(m->s, unordered, b_not(m->s, float_equal(m, a, b)));
        break;
    case LLVMRealOLT:
        r = b_and(m->s, ordered, float_less(m, a, b));
        break;
    case LLVMRealULT:
        r = b_or(m->s, unordered, float_less(m, a, b));
        break;
    case LLVMRealOGT:
        r = b_and(m->s, ordered, float_less(m, b, a));
        break;
    case LLVMRealUGT:
        r = b_or(m->s, unordered, float_less(m, b, a));
        break;
    case LLVMRealOLE:
        r = b_and(m->s, ordered, b_not(m->s, float_less(m, b, a)));
        break;
    case LLVMRealULE:
        r = b_or(m->s, unordered, b_not(m->s, float_less(m, b, a)));
        break;
    case LLVMRealOGE:
        r = b_and(m->s, ordered, b_not(m->s, float_less(m, a, b)));
        break;
    case LLVMRealUGE:
        r = b_or(m->s, unordered, b_not(m->s, float_less(m, a, b)));
        break;
    default:
        fail(m, "floating-point comparison number %d is not translated", (int)predicate);
    }
    if (x->kind == KNOWN && y->kind == KNOWN) /* known, too */
        r = smt_keep(m->s, Z3_simplify(m->s->z3, r));
    return with_poison(m, make_bool(m, r), poison_or(m, x->poison, y->poison));
}

/* A known signed number as IEEE binary32; one that is rounded is not translated. */
static uint32_t float_of_number(struct maker *m, uint32_t number)
{
    const uint32_t sign = number & 0x80000000u, size = sign != 0 ? 0u - number : number;
    uint32_t exponent = 0;
    if (size == 0)
        return 0;
    while (exponent < 31 && size >> exponent > 1)
        exponent++;
    if (exponent > 23 && size << (31 - exponent + 24) != 0)
        fail(m, "a conversion to floating point that rounds is not translated");
    return sign | (127 + exponent) << 23 |
           ((exponent > 23 ? size >> (exponent - 23) : size << (23 - exponent)) & 0x7fffffu);
}

/* A magnitude, shifted up until its highest bit is set (unless it is 0), by as many bits as `by` says. */
static const struct scalar *normalized(struct maker *m, const struct scalar *size, const struct scalar **by)
{
    const unsigned width = size->width;
    term steps[32];
    for (unsigned i = 0; i < 32; i++)
        steps[i] = term_bool(m->s, false);
    for (unsigned i = 6; i-- > 0;) {
        const unsigned step = 1u << i;
        if (step >= width)
            continue;
        steps[i] =
            as_bool(m, arith_compare(m, LLVMIntEQ, scalar_slice(m, size, width - step, step), make_known(m, step, 0)));
        size = scalar_select(m, steps[i], arith_binary(m, LLVMShl, (struct flags){0}, size, make_known(m, width, step)),
                             size);
    }
    *by = make_bits(m, 32, steps);
    return size;
}

/* A number as IEEE binary32, to the nearest, of two the even one: by its bits, without Z3's floating-point
 * theory, whose goals its solver for bits answers wrongly. */
static const struct scalar *float_of_bits(struct maker *m, const struct scalar *x, bool is_signed)
{
    const struct flags none = {0};
    const unsigned width = x->width < 32 ? 32 : x->width;
    const struct scalar *sign = make_known(m, 1, 0), *size, *by, *r, *up, *odd;
    term round;
    size = x = x->width < 32 ? arith_cast(m, is_signed ? LLVMSExt : LLVMZExt, x, 32) : x;
    if (is_signed) {
        sign = scalar_slice(m, x, width - 1, 1);
        size = scalar_select(m, as_bool(m, sign), arith_binary(m, LLVMSub, none, make_known(m, width, 0), x), x);
    }
    size = normalized(m, size, &by);
    r = arith_binary(m, LLVMSub, none, make_known(m, 32, 127 + width - 1), by);
    r = scalar_concat(m, scalar_slice(m, r, 0, 8), scalar_slice(m, size, width - 24, 23));
    odd = scalar_slice(m, size, width - 24, 1);
    up = scalar_slice(m, size, width - 25, 1);
    round = as_bool(m, arith_compare(m, LLVMIntNE, scalar_slice(m, size, 0, width - 25), make_known(m, width - 25, 0)));
    round = b_and(m->s, as_bool(m, up), b_or(m->s, as_bool(m, odd), round));
    r = arith_binary(m, LLVMAdd, none, r, arith_cast(m, LLVMZExt, make_bool(m, round), 31)); /* carries go up */
    r = scalar_select(m, as_bool(m, scalar_slice(m, size, width - 1, 1)), r, make_known(m, 31, 0));
    return scalar_concat(m, sign, r);
}

const struct scalar *arith_to_float(struct maker *m, const struct scalar *x, unsigned width, bool is_signed)
{
    if (width != 32)
        fail(m, "a conversion to floating point of %u bits is not translated", width);
    if (x->kind == CHOICE && x->width == 32 && is_signed) {
        uint64_t *number = arena_take(&m->arena, x->count * sizeof *number);
        for (unsigned i = 0; i < x->count; i++)
            number[i] = float_of_number(m, (uint32_t)x->from[i]);
        return with_poison(m, make_choice(m, 32, x->count, x->bits, number), x->poison);
    }
    return with_poison(m, float_of_bits(m, without_poison(m, need_data(m, x)), is_signed), x->poison);
}

static const struct scalar *cast_bits(struct maker *m, LLVMOpcode op, const struct scalar *x, unsigned width);

const struct scalar *arith_cast(struct maker *m, LLVMOpcode op, const struct scalar *x, unsigned width)
{
    if (!is_data(x))
        fail(m, "%s", NUMBER_OF_POINTER);
    if (x->count_of != NULL && width >= 8 && x->width >= 8) { /* at most 64, so it fits */
        struct scalar *counted = arena_take(&m->arena, sizeof *counted);
        *counted = *cast_bits(m, op, x, width);
        counted->count_of = x->count_of;
        return counted;
    }
    return cast_bits(m, op, x, width);
}

static const struct scalar *extended_choice(struct maker *m, LLVMOpcode op, const struct scalar *x, unsigned width)
{
    uint64_t *number = arena_take(&m->arena, x->count * sizeof *number);
    for (unsigned i = 0; i < x->count; i++)
        number[i] = op == LLVMSExt ? (uint64_t)as_signed(x->from[i], x->width) : x->from[i];
    return make_choice(m, width, x->count, x->bits, number);
}

/* r, which is x extended, undefined as x is. */
static const struct scalar *extended_unset(struct maker *m, LLVMOpcode op, const struct scalar *x,
                                           const struct scalar *r)
{
    term *unset = no_unset(m, r->width);
    memcpy(unset, x->unset, x->width * sizeof *unset);
    for (unsigned i = x->width; op == LLVMSExt && i < r->width; i++)
        unset[i] = x->unset[x->width - 1];
    return with_unset(m, with_poison(m, r, x->whole), unset);
}

static const struct scalar *cast_bits(struct maker *m, LLVMOpcode op, const struct scalar *x, unsigned width)
{
    const struct scalar *r;
    uint64_t number;
    if (op == LLVMTrunc)
        return x->kind == CHOICE ? with_poison(m, make_choice(m, width, x->count, x->bits, x->from), x->poison)
                                 : scalar_slice(m, x, 0, width);
    if (op != LLVMZExt && op != LLVMSExt)
        fail(m, "cast number %d is not translated", (int)op);
    if (is_known(x, &number))
        r = make_known(m, width, op == LLVMSExt ? (uint64_t)as_signed(number, x->width) : number);
    else if (x->kind == CHOICE)
        r = extended_choice(m, op, x, width);
    else if (op == LLVMZExt)
        r = scalar_concat(m, make_known(m, width - x->width, 0), x);
    else if (x->kind == TERM)
        r = make_term(m, v_sign_extend(m->s, width, x->t));
    else {
        term *bits = arena_take(&m->arena, width * sizeof *bits);
        as_bits(m, x, bits);
        for (unsigned i = x->width; i < width; i++)
            bits[i] = bits[x->width - 1];
        r = make_bits(m, width, bits);
    }
    if (x->chosen != NULL)
        r = with_choice(m, r, extended_choice(m, op, x->chosen, width));
    if (width <= 64 && x->width < 64 && x->kind == TERM) {
        const int64_t most = (int64_t)mask_of_width(op == LLVMSExt ? x->width - 1 : x->width);
        r = with_range(m, r, op == LLVMSExt ? -most - 1 : 0, most);
    }
    return x->unset == NULL ? with_poison(m, r, x->poison) : extended_unset(m, op, x, without_poison(m, r));
}

static enum algebra order_of(bool max, bool is_signed)
{
    if (is_signed)
        return max ? ALGEBRA_SMAX : ALGEBRA_SMIN;
    return max ? ALGEBRA_UMAX : ALGEBRA_UMIN;
}

const struct scalar *arith_min_max(struct maker *m, bool max, bool is_signed, const struct scalar *x,
                                   const struct scalar *y)
{
    const LLVMIntPredicate predicate =
        max ? (is_signed ? LLVMIntSGT : LLVMIntUGT) : (is_signed ? LLVMIntSLT : LLVMIntULT);
    const struct scalar *first = arith_compare(m, predicate, x, y), *r;
    if (m->opaque_order && x->width == 32 && !(x->kind == KNOWN && y->kind == KNOWN))
        return with_poison(m,
                           make_term(m, algebra_opaque(m->s, order_of(max, is_signed), as_term(m, x), as_term(m, y))),
                           first->poison);
    r = scalar_select(m, as_bool(m, first), x, y);
    return with_poison(m, r, first->poison);
}

const struct scalar *arith_select(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    enum algebra op;
    if (m->opaque_order && x->width == 32 && is_data(x) && is_data(y) && x->poison == NULL && y->poison == NULL &&
        algebra_chosen(m->s, c, as_term(m, x), as_term(m, y), &op))
        return make_term(m, algebra_opaque(m->s, op, as_term(m, x), as_term(m, y)));
    return scalar_select(m, c, x, y);
}
