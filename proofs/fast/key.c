#include "proofs/fast/key.h"

#include "proofs/node.h"
#include "proofs/fast/scene.h"

#include <stdlib.h>

#define KEY_MAX       0x7fffffffu
#define KEY_MIN       0x80000000u
#define MAGNITUDE     0x7fffffffu
#define INFINITY_BITS 0x7f800000u
#define MINUS_INF_KEY ((0x80000000u | INFINITY_BITS) ^ MAGNITUDE)
#define CANONICAL_NAN 0x7fffffffu

bool key_applies(const struct warp_form_info *info)
{
    return info->family == WARP_REDUX_SYNC && info->type == WARP_F32;
}

enum algebra key_operation(const struct warp_form_info *info)
{
    return info->op == WARP_MIN ? ALGEBRA_SMIN : ALGEBRA_SMAX;
}

term key_neutral(struct smt *s, const struct warp_form_info *info)
{
    return term_word(s, algebra_neutral(key_operation(info)));
}

/* NaN never wins without .NaN, and always with it. */
static uint32_t nan_key(const struct warp_form_info *info)
{
    return (info->op == WARP_MIN) != info->nan ? KEY_MAX : KEY_MIN;
}

term key_of_float(struct smt *s, const struct warp_form_info *info, term a)
{
    term magnitude = term_band(s, a, term_word(s, MAGNITUDE)), key = magnitude;
    if (!info->abs)
        key = term_ite(s, term_slt(s, a, term_word(s, 0)), term_bxor(s, a, term_word(s, MAGNITUDE)), a);
    if (info->abs && nan_key(info) == KEY_MAX) /* NaN's magnitude is beyond infinity's by itself */
        return key;
    return term_ite(s, term_ult(s, term_word(s, INFINITY_BITS), magnitude), term_word(s, nan_key(info)), key);
}

term key_number(struct smt *s, term key)
{
    term bits = term_ite(s, term_slt(s, key, term_word(s, 0)), term_bxor(s, key, term_word(s, MAGNITUDE)), key);
    term magnitude = term_band(s, bits, term_word(s, MAGNITUDE));
    return term_ite(s, term_ult(s, term_word(s, INFINITY_BITS), magnitude), term_word(s, CANONICAL_NAN), bits);
}

term key_of_lane(struct proof *proof, struct maker *m, unsigned k)
{
    struct smt *s = m->s;
    term key = key_of_float(s, proof->info, as_term(m, scene_word(m, "a", k)));
    return term_ite(s, proof->setting.group[k], key, key_neutral(s, proof->info));
}

term key_in_range(struct smt *s, const struct warp_form_info *info, term key)
{
    if (!info->abs)
        return term_bool(s, true);
    if (nan_key(info) == KEY_MAX && info->op == WARP_MIN) /* no key is the least number */
        return term_sle(s, term_word(s, 0), key);
    return term_or(s, term_sle(s, term_word(s, 0), key), term_eq(s, key, term_word(s, KEY_MIN)));
}

term key_is_sticky(struct smt *s, const struct warp_form_info *info, term key)
{
    return info->op == WARP_MIN ? term_slt(s, key, term_word(s, MINUS_INF_KEY))
                                : term_slt(s, term_word(s, INFINITY_BITS), key);
}

/* --- the kernel ------------------------------------------------------------------------------------------------ */

/* The minima in x that are inside no other minimum; at most two are told apart. */
static void find_least(struct smt *s, term x, term found[2], unsigned *n)
{
    if (Z3_get_ast_kind(s->z3, x) != Z3_APP_AST)
        return;
    if (algebra_is_opaque(s, x, NULL)) {
        if (*n == 0 || found[0] != x)
            found[*n == 0 ? 0 : 1] = x;
        *n = *n == 0 || found[0] == x ? 1 : 2;
        return;
    }
    for (unsigned i = 0; i < arity(s, x); i++)
        find_least(s, argument(s, x, i), found, n);
}

term key_open(struct smt *s, term x, term *least)
{
    term found[2] = {NULL, NULL}, name = term_constant(s, s->word_sort, "key");
    unsigned n = 0;
    find_least(s, x, found, &n);
    *least = n == 1 ? found[0] : NULL;
    return n == 1 ? term_substitute(s, x, found, &name, 1) : x;
}

/* The lanes whose operand or membership occurs in x. */
static lanemask lanes_of(struct smt *s, term x, const term a[WARP_LANES], const term group[WARP_LANES])
{
    lanemask lanes = 0;
    if (Z3_get_ast_kind(s->z3, x) != Z3_APP_AST)
        return 0;
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (x == a[k] || x == group[k])
            return 1u << k;
    for (unsigned i = 0; i < arity(s, x); i++)
        lanes |= lanes_of(s, argument(s, x, i), a, group);
    return lanes;
}

static unsigned lowest(lanemask lanes)
{
    unsigned k = 0;
    while (k + 1 < WARP_LANES && (lanes >> k & 1u) == 0)
        k++;
    return k;
}

/* The parts of the minimum that speak of lane k make its key. A part may be counted to any lane: the minimum is that of
 * all parts. */
static bool decide_parts(struct proof *proof, const struct algebra_leaf *leaves, size_t n, bool unsigned_too)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    const enum algebra op = key_operation(proof->info);
    term part[WARP_LANES], a[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        part[k] = key_neutral(s, proof->info);
        a[k] = as_term(m, scene_word(m, "a", k));
    }
    for (size_t i = 0; i < n; i++) {
        lanemask of_word = lanes_of(s, leaves[i].x, a, proof->setting.group);
        const unsigned k = lowest(of_word != 0 ? of_word : lanes_of(s, leaves[i].c, a, proof->setting.group));
        term x = term_ite(s, leaves[i].c, leaves[i].x, key_neutral(s, proof->info));
        part[k] = algebra_apply(s, op, part[k], x);
        if (unsigned_too && !decide(&proof->d, &proof->setting, term_sle(s, term_word(s, 0), x),
                                    "a key that is compared as an unsigned number", k))
            return false;
    }
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (!decide(&proof->d, &proof->setting, term_eq(s, part[k], key_of_lane(proof, m, k)),
                    "the key of a lane in the kernel", k))
            return false;
    return true;
}

bool key_decide_word(struct proof *proof, const struct scalar *word)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    const enum algebra op = key_operation(proof->info);
    term least, x = key_open(s, as_term(m, word), &least), key = term_constant(s, s->word_sort, "key");
    struct algebra_leaf *leaves;
    size_t n;
    bool ok, unsigned_too;
    if (least == NULL) { /* no minimum of two, as in a group of one lane */
        key = key_neutral(s, proof->info);
        for (unsigned k = 0; k < WARP_LANES; k++)
            key = algebra_apply(s, op, key, key_of_lane(proof, m, k));
        return decide(&proof->d, &proof->setting, term_eq(s, x, key_number(s, key)), "the kernel's d", WARP_LANES);
    }
    leaves = algebra_leaves(s, op, least, &n, &unsigned_too);
    ok = decide_parts(proof, leaves, n, unsigned_too);
    free(leaves);
    proof->d.outcome->algebraic += ok;
    return ok && decide(&proof->d, &proof->setting,
                        term_implies(s, key_in_range(s, proof->info, key), term_eq(s, x, key_number(s, key))),
                        "the number of the kernel's key", WARP_LANES);
}
