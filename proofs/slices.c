#include "proofs/slices.h"

#include "proofs/node.h"

#include <stdlib.h>

/* --- what a condition says of two bits ---------------------------------------------------------------------------- */

/* Two bits of words, and how much more may be looked at. A table has bit i for the values of the two bits in i. */
struct two_bits {
    struct smt *s;
    term word[2];
    unsigned bit[2], count, steps;
};

#define STEPS_MOST 256u /* terms, for one conjunct */
#define EVERY      15u
#define NO_TABLE   16u /* more bits than two, or nothing that is understood */
#define BOTH_SAME  9u

static unsigned table_of_bit(struct two_bits *t, term x, unsigned i);

static unsigned inverted(unsigned table)
{
    return table == NO_TABLE ? NO_TABLE : EVERY & ~table;
}

static unsigned combined(Z3_decl_kind kind, unsigned x, unsigned y)
{
    if (x == NO_TABLE || y == NO_TABLE)
        return NO_TABLE;
    switch (kind) {
    case Z3_OP_AND:
    case Z3_OP_BAND:
        return x & y;
    case Z3_OP_OR:
    case Z3_OP_BOR:
        return x | y;
    case Z3_OP_XOR:
    case Z3_OP_BXOR:
        return x ^ y;
    case Z3_OP_EQ:
    case Z3_OP_IFF:
        return EVERY & ~(x ^ y);
    default:
        return NO_TABLE;
    }
}

static unsigned chosen(unsigned c, unsigned x, unsigned y)
{
    return c == NO_TABLE || x == NO_TABLE || y == NO_TABLE ? NO_TABLE : (c & x) | (EVERY & ~c & y);
}

static unsigned table_of(struct two_bits *t, term x)
{
    struct smt *s = t->s;
    const Z3_decl_kind kind = term_kind(s, x);
    unsigned table;
    if (is_true(s, x) || is_false(s, x))
        return is_true(s, x) ? EVERY : 0;
    if (t->steps == 0 || arity(s, x) == 0)
        return NO_TABLE;
    t->steps--;
    if (kind == Z3_OP_NOT)
        return inverted(table_of(t, argument(s, x, 0)));
    if (kind == Z3_OP_ITE)
        return chosen(table_of(t, argument(s, x, 0)), table_of(t, argument(s, x, 1)), table_of(t, argument(s, x, 2)));
    if (kind == Z3_OP_EQ && term_width(s, argument(s, x, 0)) == 1)
        return combined(kind, table_of_bit(t, argument(s, x, 0), 0), table_of_bit(t, argument(s, x, 1), 0));
    if (kind == Z3_OP_EQ && term_width(s, argument(s, x, 0)) != 0)
        return NO_TABLE;
    table = table_of(t, argument(s, x, 0));
    for (unsigned i = 1; table != NO_TABLE && i < arity(s, x); i++)
        table = combined(kind, table, table_of(t, argument(s, x, i)));
    return table;
}

static unsigned table_of_unknown(struct two_bits *t, term x, unsigned i)
{
    unsigned k = 0;
    while (k < t->count && (t->word[k] != x || t->bit[k] != i))
        k++;
    if (k == 2)
        return NO_TABLE;
    t->word[k] = x;
    t->bit[k] = i;
    t->count += k == t->count;
    return k == 0 ? 10 : 12;
}

static unsigned table_of_bit(struct two_bits *t, term x, unsigned i)
{
    struct smt *s = t->s;
    const Z3_decl_kind kind = term_kind(s, x);
    unsigned high, low, n, table;
    uint64_t number;
    if (t->steps == 0)
        return NO_TABLE;
    t->steps--;
    if (v_value(s, x, &number))
        return number >> i & 1u ? EVERY : 0;
    if (is_part(s, x, &high, &low))
        return table_of_bit(t, argument(s, x, 0), low + i);
    if (kind == Z3_OP_CONCAT) {
        for (n = arity(s, x); i >= term_width(s, argument(s, x, n - 1)); n--)
            i -= term_width(s, argument(s, x, n - 1));
        return table_of_bit(t, argument(s, x, n - 1), i);
    }
    if (kind == Z3_OP_BNOT)
        return inverted(table_of_bit(t, argument(s, x, 0), i));
    if (kind == Z3_OP_ITE)
        return chosen(table_of(t, argument(s, x, 0)), table_of_bit(t, argument(s, x, 1), i),
                      table_of_bit(t, argument(s, x, 2), i));
    if (kind != Z3_OP_BAND && kind != Z3_OP_BOR && kind != Z3_OP_BXOR)
        return table_of_unknown(t, x, i);
    table = table_of_bit(t, argument(s, x, 0), i);
    for (n = 1; table != NO_TABLE && n < arity(s, x); n++)
        table = combined(kind, table, table_of_bit(t, argument(s, x, n), i));
    return table;
}

/* --- slices ------------------------------------------------------------------------------------------------------- */

/* A pair of words, and which of their bits are said to be the same. */
struct pair {
    term x, y;
    uint64_t same;
};

/* Does the conjunct say that the same slice of two words is the same? */
static bool says_same(struct smt *s, term x, struct pair *pair)
{
    struct two_bits t = {.s = s, .steps = STEPS_MOST};
    unsigned high[2], low[2];
    if (is(s, x, Z3_OP_EQ) && is_part(s, argument(s, x, 0), &high[0], &low[0]) &&
        is_part(s, argument(s, x, 1), &high[1], &low[1]) && high[0] == high[1] && low[0] == low[1] && high[0] < 64) {
        *pair = (struct pair){argument(s, argument(s, x, 0), 0), argument(s, argument(s, x, 1), 0), 0};
        for (unsigned i = low[0]; i <= high[0]; i++)
            pair->same |= (uint64_t)1 << i;
    } else {
        if (table_of(&t, x) != BOTH_SAME || t.bit[0] != t.bit[1] || t.bit[0] >= 64)
            return false;
        *pair = (struct pair){t.word[0], t.word[1], (uint64_t)1 << t.bit[0]};
    }
    return pair->x != pair->y && term_width(s, pair->x) == term_width(s, pair->y) && term_width(s, pair->x) <= 64;
}

static bool is_whole(struct smt *s, const struct pair *pair)
{
    return pair->same == UINT64_MAX >> (64 - term_width(s, pair->x));
}

#define PAIRS_MOST 64u

/* The pair with these words, which may be a new one. NULL: there are too many. */
static struct pair *pair_of(struct pair *pairs, unsigned *count, const struct pair *words)
{
    unsigned i = 0;
    while (i < *count && !(pairs[i].x == words->x && pairs[i].y == words->y) &&
           !(pairs[i].x == words->y && pairs[i].y == words->x))
        i++;
    if (i == PAIRS_MOST)
        return NULL;
    if (i == *count)
        pairs[(*count)++] = (struct pair){words->x, words->y, 0};
    return &pairs[i];
}

term slices_joined(struct smt *s, term x)
{
    struct pair pairs[PAIRS_MOST], one;
    const unsigned n = b_conjuncts(s, x);
    unsigned count = 0, kept = 0, *of;
    bool any = false;
    term *left;
    if (b_is_or(s, x)) {
        term negated = b_not(s, x), joined = slices_joined(s, negated);
        return joined == negated ? x : b_not(s, joined);
    }
    of = smt_grow(NULL, n, sizeof *of);
    left = smt_grow(NULL, n + PAIRS_MOST, sizeof *left);
    for (unsigned i = 0; n > 1 && i < n; i++) {
        struct pair *pair = says_same(s, b_conjunct(s, x, i), &one) ? pair_of(pairs, &count, &one) : NULL;
        of[i] = pair == NULL ? PAIRS_MOST : (unsigned)(pair - pairs);
        if (pair != NULL)
            pair->same |= one.same;
    }
    for (unsigned i = 0; n > 1 && i < n; i++)
        if (of[i] == PAIRS_MOST || !is_whole(s, &pairs[of[i]]))
            left[kept++] = b_conjunct(s, x, i);
    for (unsigned i = 0; i < count; i++)
        if (is_whole(s, &pairs[i])) {
            left[kept++] = v_eq(s, pairs[i].x, pairs[i].y);
            any = true;
        }
    x = any ? b_all(s, left, kept) : x;
    free(left);
    free(of);
    return x;
}
