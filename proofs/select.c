/* Choices between scalars, parts of scalars, and scalars put together. */
#include "proofs/number.h"

#include <string.h>

/* Pointers into one object, whose known offsets differ by multiples of the scale, differ in their index. */
static const struct scalar *select_pointer(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    const uint64_t difference = x->number > y->number ? x->number - y->number : y->number - x->number;
    const uint64_t scale = x->index != NULL ? x->scale : y->index != NULL ? y->scale : difference;
    const struct scalar *zero = make_known(m, 64, 0), *i, *j;
    const uint64_t base = x->number < y->number ? x->number : y->number;
    if (x->object != y->object || scale == 0 || difference % scale != 0 ||
        (x->index != NULL && y->index != NULL && x->scale != y->scale))
        return make_unmerged(m, 64, "a choice between pointers to different objects is not translated");
    i = x->index == NULL ? zero : x->index;
    j = y->index == NULL ? zero : y->index;
    i = make_term(m,
                  smt_keep(m->s, Z3_mk_bvadd(m->s->z3, as_term(m, i), v_number(m->s, (x->number - base) / scale, 64))));
    j = make_term(m,
                  smt_keep(m->s, Z3_mk_bvadd(m->s->z3, as_term(m, j), v_number(m->s, (y->number - base) / scale, 64))));
    return make_pointer(m, x->object, base, scalar_select(m, c, i, j), scale);
}

static const struct scalar *select_bits(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    const unsigned width = x->width;
    term *a = arena_take(&m->arena, width * sizeof *a), *b = arena_take(&m->arena, width * sizeof *b);
    as_bits(m, x, a);
    as_bits(m, y, b);
    for (unsigned i = 0; i < width; i++)
        a[i] = b_ite(m->s, c, a[i], b[i]);
    return make_bits(m, width, a);
}

static const struct scalar *select_content(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    const bool x_bits = x->kind == BITS || x->kind == KNOWN, y_bits = y->kind == BITS || y->kind == KNOWN;
    if (x->width != y->width || x->kind == UNMERGED || y->kind == UNMERGED)
        return make_unmerged(m, x->width, "values that cannot be merged are used after all");
    if (x->kind == POINTER && y->kind == POINTER)
        return select_pointer(m, c, x, y);
    if (x->kind == POINTER || y->kind == POINTER)
        return make_unmerged(m, x->width, "a choice between a pointer and a number is not translated");
    if (x_bits && y_bits && (x->kind == BITS || y->kind == BITS || x->width <= 64))
        return select_bits(m, c, x, y);
    return make_term(m, v_ite(m->s, c, as_term(m, x), as_term(m, y)));
}

const struct scalar *scalar_select(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    const struct scalar *content;
    term no = term_bool(m->s, false);
    if (is_true(m->s, c) || is_false(m->s, c))
        return is_true(m->s, c) ? x : y;
    if (scalar_same(x, y))
        return x;
    content = select_content(m, c, x, y);
    if (x->poison == NULL && y->poison == NULL)
        return content;
    { /* the content has no poison of its own here */
        term poison = b_ite(m->s, c, x->poison == NULL ? no : x->poison, y->poison == NULL ? no : y->poison);
        bool whole = false;
        const uint64_t unset = unset_bits(x, &whole) | unset_bits(y, &whole);
        return whole ? with_poison(m, content, poison) : with_unset(m, content, poison, unset);
    }
}

const struct scalar *scalar_slice(struct maker *m, const struct scalar *x, unsigned low, unsigned width)
{
    const struct scalar *y;
    if (low == 0 && width == x->width)
        return x;
    if (x->kind == KNOWN)
        y = make_known(m, width, x->number >> low);
    else if (x->kind == BITS)
        y = make_bits(m, width, x->bits + low);
    else if (x->kind == TERM && width > 1)
        y = make_term(m, v_extract(m->s, low + width - 1, low, x->t));
    else if (x->kind == CHOICE || x->kind == TERM) {
        term *bits = arena_take(&m->arena, x->width * sizeof *bits);
        as_bits(m, x, bits);
        y = make_bits(m, width, bits + low);
    } else
        y = make_unmerged(m, width, "a part of a pointer is used");
    return x->unset == 0 ? with_poison(m, y, x->poison)
                         : with_unset(m, y, x->poison, x->unset >> low & mask_of_width(width));
}

const struct scalar *scalar_concat(struct maker *m, const struct scalar *high, const struct scalar *low)
{
    const unsigned width = high->width + low->width;
    const struct scalar *y;
    const bool bits = high->kind != TERM && high->kind != POINTER && high->kind != UNMERGED && low->kind != TERM &&
                      low->kind != POINTER && low->kind != UNMERGED;
    if (high->kind == KNOWN && low->kind == KNOWN && width <= 64)
        y = make_known(m, width, high->number << low->width | low->number);
    else if (bits || high->width == 1 || low->width == 1) {
        term *b = arena_take(&m->arena, width * sizeof *b);
        as_bits(m, low, b);
        as_bits(m, high, b + low->width);
        y = make_bits(m, width, b);
    } else
        y = make_term(m, v_concat(m->s, as_term(m, high), as_term(m, low)));
    {
        term poison = poison_or(m, high->poison, low->poison);
        bool whole = width > 64;
        uint64_t unset = unset_bits(low, &whole);
        if (!whole && high->poison != NULL)
            unset |= unset_bits(high, &whole) << low->width;
        return whole ? with_poison(m, y, poison) : with_unset(m, y, poison, unset);
    }
}

const struct scalar *scalar_pick(struct maker *m, const struct scalar *const *x, unsigned n, const struct scalar *index)
{
    const struct scalar *level[256], *r;
    term *bits = arena_take(&m->arena, index->width * sizeof *bits);
    if (n == 0 || n > 256)
        fail(m, "a choice among %u elements", n);
    if (index->kind == CHOICE) {
        r = NULL;
        for (unsigned i = index->count; i-- > 0;) {
            const struct scalar *y = x[index->from[i] < n ? index->from[i] : 0];
            r = r == NULL ? y : scalar_select(m, index->bits[i], y, r);
        }
        return with_poison(m, r, index->poison);
    }
    as_bits(m, index, bits);
    memcpy(level, x, n * sizeof *level);
    for (unsigned bit = 0; n > 1; bit++) {
        if (bit >= index->width)
            fail(m, "an index of %u bits for too many elements", index->width);
        for (unsigned i = 0; i < n; i += 2)
            level[i / 2] = i + 1 < n ? scalar_select(m, bits[bit], level[i + 1], level[i]) : level[i];
        n = (n + 1) / 2;
    }
    return with_poison(m, level[0], index->poison);
}
