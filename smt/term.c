#include "smt/term.h"

#include <stdlib.h>
#include <string.h>

void term_list_add(struct term_list *list, term x)
{
    list->items = smt_room(list->items, list->count, &list->room, sizeof *list->items);
    list->items[list->count++] = x;
}

void term_list_free(struct term_list *list)
{
    free(list->items);
    *list = (struct term_list){0};
}

bool term_list_has(const struct term_list *list, term x)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == x)
            return true;
    return false;
}

void term_list_keep(struct smt *s, struct term_list *list, term x)
{
    Z3_inc_ref(s->z3, x);
    term_list_add(list, x);
}

void term_list_release(struct smt *s, struct term_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        Z3_dec_ref(s->z3, list->items[i]);
    term_list_free(list);
}

uint32_t *term_map_at(struct smt *s, struct term_map *map, term x)
{
    const size_t id = Z3_get_ast_id(s->z3, x);
    if (id >= map->room) {
        const size_t room = 2 * id + 1024;
        map->numbers = smt_grow(map->numbers, room, sizeof *map->numbers);
        memset(map->numbers + map->room, 0, (room - map->room) * sizeof *map->numbers);
        map->room = room;
    }
    return &map->numbers[id];
}

void term_map_free(struct term_map *map)
{
    free(map->numbers);
    *map = (struct term_map){0};
}

unsigned term_arguments(struct smt *s, term x)
{
    return Z3_get_ast_kind(s->z3, x) == Z3_APP_AST ? Z3_get_app_num_args(s->z3, Z3_to_app(s->z3, x)) : 0;
}

Z3_decl_kind term_kind(struct smt *s, term x)
{
    return Z3_get_ast_kind(s->z3, x) == Z3_APP_AST
               ? Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, x)))
               : Z3_OP_UNINTERPRETED;
}

term term_argument(struct smt *s, term x, unsigned i)
{
    return Z3_get_app_arg(s->z3, Z3_to_app(s->z3, x), i);
}

term term_word(struct smt *s, uint32_t value)
{
    if (value < sizeof s->small / sizeof *s->small)
        return s->small[value];
    return smt_keep(s, Z3_mk_unsigned_int(s->z3, value, s->word_sort));
}

term term_bits(struct smt *s, uint64_t value, unsigned width)
{
    Z3_sort sort;
    if (width == 1)
        return s->bit[value & 1];
    sort = Z3_mk_bv_sort(s->z3, width);
    smt_keep(s, Z3_sort_to_ast(s->z3, sort));
    return smt_keep(s, Z3_mk_unsigned_int64(s->z3, value, sort));
}

term term_bool(struct smt *s, bool value)
{
    return s->truth[value];
}

term term_constant(struct smt *s, Z3_sort sort, const char *name)
{
    return smt_keep(s, Z3_mk_const(s->z3, Z3_mk_string_symbol(s->z3, name), sort));
}

bool term_value(struct smt *s, term x, uint64_t *value)
{
    Z3_lbool truth = Z3_get_bool_value(s->z3, x);
    if (truth != Z3_L_UNDEF) {
        *value = truth == Z3_L_TRUE;
        return true;
    }
    return Z3_get_ast_kind(s->z3, x) == Z3_NUMERAL_AST && Z3_get_numeral_uint64(s->z3, x, value);
}

unsigned term_width(struct smt *s, term x)
{
    Z3_sort sort = Z3_get_sort(s->z3, x);
    return Z3_get_sort_kind(s->z3, sort) == Z3_BV_SORT ? Z3_get_bv_sort_size(s->z3, sort) : 0;
}

/*
 * Below, what is plain from literals and from equal terms is not built: most masks of a program are literals, and Z3
 * takes longer to simplify such terms than to decide about the rest.
 */

term term_not(struct smt *s, term x)
{
    if (x == s->truth[false] || x == s->truth[true])
        return s->truth[x == s->truth[false]];
    return smt_keep(s, Z3_mk_not(s->z3, x));
}

/* `make` of the terms: the truth `neutral` changes nothing, the other one decides. */
static term join(struct smt *s, const term *x, size_t n, bool neutral,
                 Z3_ast (*make)(Z3_context, unsigned, const Z3_ast[]))
{
    struct term_list rest = {0};
    term joined;
    for (size_t i = 0; i < n; i++) {
        if (x[i] == s->truth[!neutral]) {
            term_list_free(&rest);
            return x[i];
        }
        if (x[i] != s->truth[neutral])
            term_list_add(&rest, x[i]);
    }
    joined = rest.count == 0   ? s->truth[neutral]
             : rest.count == 1 ? rest.items[0]
                               : smt_keep(s, make(s->z3, (unsigned)rest.count, rest.items));
    term_list_free(&rest);
    return joined;
}

term term_all(struct smt *s, const term *x, size_t n)
{
    return join(s, x, n, true, Z3_mk_and);
}

term term_any(struct smt *s, const term *x, size_t n)
{
    return join(s, x, n, false, Z3_mk_or);
}

term term_and(struct smt *s, term x, term y)
{
    return TERM_ALL(s, x, y);
}

term term_or(struct smt *s, term x, term y)
{
    return TERM_ANY(s, x, y);
}

term term_implies(struct smt *s, term x, term y)
{
    if (x == s->truth[true])
        return y;
    if (x == s->truth[false] || y == s->truth[true])
        return s->truth[true];
    return smt_keep(s, Z3_mk_implies(s->z3, x, y));
}

term term_ite(struct smt *s, term condition, term yes, term no)
{
    if (condition == s->truth[true] || yes == no)
        return yes;
    if (condition == s->truth[false])
        return no;
    return smt_keep(s, Z3_mk_ite(s->z3, condition, yes, no));
}

term term_eq(struct smt *s, term x, term y)
{
    if (x == y)
        return s->truth[true];
    return smt_keep(s, Z3_mk_eq(s->z3, x, y));
}

term term_ne(struct smt *s, term x, term y)
{
    return term_not(s, term_eq(s, x, y));
}

#define TERM_BINARY(name, make)                                                                                        \
    term term_##name(struct smt *s, term x, term y)                                                                    \
    {                                                                                                                  \
        return smt_keep(s, make(s->z3, x, y));                                                                         \
    }
TERM_BINARY(add, Z3_mk_bvadd)
TERM_BINARY(sub, Z3_mk_bvsub)
TERM_BINARY(band, Z3_mk_bvand)
TERM_BINARY(bor, Z3_mk_bvor)
TERM_BINARY(bxor, Z3_mk_bvxor)
TERM_BINARY(shl, Z3_mk_bvshl)
TERM_BINARY(lshr, Z3_mk_bvlshr)
TERM_BINARY(ule, Z3_mk_bvule)
TERM_BINARY(ult, Z3_mk_bvult)
TERM_BINARY(sle, Z3_mk_bvsle)
TERM_BINARY(slt, Z3_mk_bvslt)
TERM_BINARY(concat, Z3_mk_concat)

term term_neg(struct smt *s, term x)
{
    return smt_keep(s, Z3_mk_bvneg(s->z3, x));
}

term term_bnot(struct smt *s, term x)
{
    return smt_keep(s, Z3_mk_bvnot(s->z3, x));
}

term term_extract(struct smt *s, unsigned high, unsigned low, term x)
{
    return smt_keep(s, Z3_mk_extract(s->z3, high, low, x));
}

term term_extend(struct smt *s, unsigned width, term x)
{
    unsigned has = term_width(s, x);
    return has >= width ? x : smt_keep(s, Z3_mk_zero_ext(s->z3, width - has, x));
}

term term_field(struct smt *s, term x, unsigned high, unsigned low)
{
    return term_extend(s, 32, term_extract(s, high, low, x));
}

term term_float(struct smt *s, term bits)
{
    return smt_keep(s, Z3_mk_fpa_to_fp_bv(s->z3, bits, s->float_sort));
}

term term_is_nan(struct smt *s, term bits)
{
    return smt_keep(s, Z3_mk_fpa_is_nan(s->z3, term_float(s, bits)));
}

term term_float_lt(struct smt *s, term x, term y)
{
    return smt_keep(s, Z3_mk_fpa_lt(s->z3, term_float(s, x), term_float(s, y)));
}

term term_float_eq(struct smt *s, term x, term y)
{
    return smt_keep(s, Z3_mk_fpa_eq(s->z3, term_float(s, x), term_float(s, y)));
}

term term_is_negative(struct smt *s, term bits)
{
    return term_eq(s, term_extract(s, 31, 31, bits), term_bits(s, 1, 1));
}

term term_in(struct smt *s, term lane, term mask)
{
    uint64_t k, members;
    const bool is_known = term_value(s, lane, &k);
    term bit;
    if (is_known && term_value(s, mask, &members))
        return term_bool(s, k < WARP_LANES && (members >> k & 1) != 0);
    if (is_known)
        bit = k < WARP_LANES ? term_extract(s, (unsigned)k, (unsigned)k, mask) : term_bits(s, 0, 1);
    else
        bit = term_extract(s, 0, 0, term_lshr(s, mask, lane));
    return term_eq(s, bit, term_bits(s, 1, 1));
}

term term_only(struct smt *s, term lane)
{
    return term_shl(s, term_word(s, 1), lane);
}

/* Are all of them literals? Then they are a literal mask. */
static bool are_literals(struct smt *s, const term bit[WARP_LANES], uint32_t *mask)
{
    *mask = 0;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        if (bit[k] != s->truth[false] && bit[k] != s->truth[true])
            return false;
        *mask |= (uint32_t)(bit[k] == s->truth[true]) << k;
    }
    return true;
}

term term_mask(struct smt *s, const term bit[WARP_LANES])
{
    uint32_t literal;
    if (are_literals(s, bit, &literal))
        return term_word(s, literal);
    term one = term_bits(s, 1, 1);
    term zero = term_bits(s, 0, 1);
    term mask = term_ite(s, bit[0], one, zero);
    for (unsigned k = 1; k < WARP_LANES; k++)
        mask = term_concat(s, term_ite(s, bit[k], one, zero), mask);
    return mask;
}

/* v[first .. first + 2^bits - 1], chosen by the low bits of lane: a balanced tree, so that its depth is 5, not 32. */
static term choose(struct smt *s, const term *v, term lane, unsigned bits)
{
    term low;
    term high;
    if (bits == 0)
        return v[0];
    low = choose(s, v, lane, bits - 1);
    high = choose(s, v + (1u << (bits - 1)), lane, bits - 1);
    if (low == high)
        return low;
    return term_ite(s, term_eq(s, term_extract(s, bits - 1, bits - 1, lane), term_bits(s, 1, 1)), high, low);
}

term term_of_lane(struct smt *s, const term v[WARP_LANES], term lane)
{
    uint64_t k;
    if (term_value(s, lane, &k))
        return v[k % WARP_LANES];
    return choose(s, v, lane, 5);
}

term term_each_in(struct smt *s, term mask, const term x[WARP_LANES])
{
    term each[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        each[k] = term_implies(s, term_in(s, term_word(s, k), mask), x[k]);
    return term_all(s, each, WARP_LANES);
}

void term_replacer_add(struct smt *s, struct term_replacer *r, term from, term to)
{
    term_list_add(&r->result, to);
    *term_map_at(s, &r->place, from) = (uint32_t)r->result.count;
}

static term replaced(struct smt *s, struct term_replacer *r, term x)
{
    const uint32_t place = *term_map_at(s, &r->place, x);
    return place == 0 ? NULL : r->result.items[place - 1];
}

/* Replaces in a term whose arguments have been replaced. */
static term rebuild(struct smt *s, struct term_replacer *r, term x, unsigned n)
{
    term *const arguments = smt_grow(NULL, n, sizeof *arguments);
    bool changed = false;
    for (unsigned i = 0; i < n; i++) {
        arguments[i] = replaced(s, r, term_argument(s, x, i));
        changed |= arguments[i] != term_argument(s, x, i);
    }
    if (changed)
        x = smt_keep(s, Z3_mk_app(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, x)), n, arguments));
    free(arguments);
    return x;
}

/* Visits arguments before the terms that have them, without recursion, because terms are deep. */
term term_replace(struct smt *s, struct term_replacer *r, term x)
{
    struct term_list stack = {0};
    term_list_add(&stack, x);
    while (stack.count > 0) {
        const term top = stack.items[stack.count - 1];
        const size_t waiting = stack.count;
        const unsigned n = term_arguments(s, top);
        if (Z3_get_ast_kind(s->z3, top) == Z3_QUANTIFIER_AST)
            smt_defect("a quantified term is not replaced");
        for (unsigned i = n; i-- > 0 && replaced(s, r, top) == NULL;)
            if (replaced(s, r, term_argument(s, top, i)) == NULL)
                term_list_add(&stack, term_argument(s, top, i));
        if (stack.count > waiting)
            continue;
        stack.count--;
        if (replaced(s, r, top) == NULL)
            term_replacer_add(s, r, top, n == 0 ? top : rebuild(s, r, top, n));
    }
    term_list_free(&stack);
    return replaced(s, r, x);
}

void term_replacer_free(struct term_replacer *r)
{
    term_map_free(&r->place);
    term_list_free(&r->result);
}

term term_substitute(struct smt *s, term x, const term *from, const term *to, size_t n)
{
    return n == 0 ? x : smt_keep(s, Z3_substitute(s->z3, x, (unsigned)n, from, to));
}

term term_simplify(struct smt *s, term x)
{
    return smt_keep(s, Z3_simplify(s->z3, x));
}

term term_together(struct smt *s, const term *x, size_t n)
{
    Z3_sort *const sorts = smt_grow(NULL, n, sizeof *sorts);
    Z3_func_decl tuple;
    for (size_t i = 0; i < n; i++)
        sorts[i] = Z3_get_sort(s->z3, x[i]);
    tuple = Z3_mk_func_decl(s->z3, Z3_mk_string_symbol(s->z3, "together"), (unsigned)n, sorts, s->bool_sort);
    free(sorts);
    smt_keep(s, Z3_func_decl_to_ast(s->z3, tuple));
    return smt_keep(s, Z3_mk_app(s->z3, tuple, (unsigned)n, x));
}

void term_simplify_each(struct smt *s, term *x, size_t n)
{
    term all = term_simplify(s, term_together(s, x, n));
    for (size_t i = 0; i < n; i++)
        x[i] = smt_keep(s, term_argument(s, all, (unsigned)i));
}
