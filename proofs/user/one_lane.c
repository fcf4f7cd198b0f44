/*
 * Reductions that choose: a minimum, a maximum, "some lane", "all lanes". Whatever a function keeps of a set of lanes,
 * it is what it would keep of one of them, so sets are brought together two at a time on two lanes that stand for them.
 *
 * A result is taken apart into the terms that depend on no lanes but those of a set M (a prefix of the lanes in a loop,
 * half of them in a tree), down to single lanes. `terms` of M with one lane's unknowns y in the place of all of M's
 * are kept(M, y). Claimed for each M, made of A and B, is, for all y1 and y2:
 *
 *   the terms of M, with kept(A, y1) and kept(B, y2) in them, are kept(M, y) for y = y1 or for y = y2, where y takes
 *   part if one of both does, and y's key is no greater than that of one that does.
 *
 * By induction, whatever the lanes hold, the terms of M are kept(M, y), y being what the lane of M with the least key
 * holds. Both results are of this kind, so what is left to claim is that they are equal for all y and z of equal key.
 * Which number is the key only decides whether the claims hold, not what follows from them.
 */
#include "proofs/user/proof.h"

#include "proofs/fast/redux_float.h"
#include "proofs/node.h"

#include <stdio.h>
#include <stdlib.h>

#define CLAIM_MS    2000u
#define LEVELS_MOST 64u

/* The unknowns of a lane that stands for a set. */
struct stand_in {
    term of[UNKNOWNS];
};

struct lanes {
    struct user_proof *p;
    struct smt *s;
    struct term_map seen, mask; /* of terms: looked at (1), and the lanes on which they depend */
    struct term_list nodes;     /* what was looked at */
    struct stand_in any, first, second;
    lanemask always, never; /* lanes that take part, lanes that do not; the others may */
    bool other;             /* a term depends on something else */
    bool asks_nan; /* with .NaN: claims are made of lanes that hold a NaN, too, whose key is before all others */
};

/* Terms of a set of lanes, and what they are where one lane stands for the set. */
struct part {
    lanemask lanes;
    struct term_map listed;
    struct term_list terms, kept;
};

/* What stands for a part needs no seals: it is small. */
static term plain(struct lanes *l, term x)
{
    return term_simplify(l->s, l->p->keyed ? v_unsealed(l->s, x) : x);
}

/* --- on which lanes terms depend ---------------------------------------------------------------------------------- */

static lanemask lanes_of(struct lanes *l, term x)
{
    lanemask mask = 0;
    if (Z3_get_ast_kind(l->s->z3, x) != Z3_APP_AST)
        return 0;
    if (*term_map_at(l->s, &l->seen, x) != 0)
        return *term_map_at(l->s, &l->mask, x);
    if (arity(l->s, x) == 0 && is(l->s, x, Z3_OP_UNINTERPRETED))
        l->other = true;
    for (unsigned i = 0; i < arity(l->s, x); i++)
        mask |= lanes_of(l, argument(l->s, x, i));
    *term_map_at(l->s, &l->seen, x) = 1;
    *term_map_at(l->s, &l->mask, x) = mask;
    term_list_add(&l->nodes, x);
    return mask;
}

static void lanes_free(struct lanes *l)
{
    term_map_free(&l->seen);
    term_map_free(&l->mask);
    term_list_free(&l->nodes);
}

static void name_unknowns(struct lanes *l)
{
    for (size_t i = 0; i < l->p->unknown_count; i++) {
        const struct user_unknown *u = &l->p->unknowns[i];
        *term_map_at(l->s, &l->seen, u->t) = 1;
        *term_map_at(l->s, &l->mask, u->t) = 1u << u->lane;
        term_list_add(&l->nodes, u->t);
    }
    for (unsigned k = 0; k < WARP_LANES; k++) {
        l->always |= is_true(l->s, l->p->group[k]) ? 1u << k : 0;
        l->never |= is_false(l->s, l->p->group[k]) ? 1u << k : 0;
    }
}

static void part_free(struct part *part)
{
    term_map_free(&part->listed);
    term_list_free(&part->terms);
    term_list_free(&part->kept);
}

/* --- terms in pieces ---------------------------------------------------------------------------------------------- */

static void list(struct lanes *l, struct part *part, term x)
{
    uint32_t *place = term_map_at(l->s, &part->listed, x);
    if (*place != 0)
        return;
    term_list_add(&part->terms, x);
    *place = (uint32_t)part->terms.count;
}

static bool is_flat(struct smt *s, term x)
{
    return is(s, x, Z3_OP_AND) || is(s, x, Z3_OP_OR);
}

/* Of a long `and` or `or`: what it says of the part alone. NULL: nothing. */
static term said_of(struct lanes *l, term x, lanemask lanes)
{
    struct term_list own = {0};
    term y = NULL;
    for (unsigned i = 0; i < arity(l->s, x); i++) {
        const lanemask mask = lanes_of(l, argument(l->s, x, i));
        if (mask != 0 && (mask & ~lanes) == 0)
            term_list_add(&own, argument(l->s, x, i));
    }
    if (own.count > 0)
        y = is(l->s, x, Z3_OP_AND) ? term_all(l->s, own.items, own.count) : term_any(l->s, own.items, own.count);
    term_list_free(&own);
    if (y != NULL)
        lanes_of(l, y);
    return y;
}

static bool is_of(const struct part *part, lanemask lanes)
{
    return (lanes & ~part->lanes) == 0;
}

static bool is_of_both(struct lanes *l, struct part *const two[2], term x)
{
    return !is_of(two[0], lanes_of(l, x)) && !is_of(two[1], lanes_of(l, x));
}

/* Lists the greatest terms in x that depend on one of two parts. */
static void take_apart(struct lanes *l, struct part *const two[2], struct term_map *done, term x)
{
    const lanemask mask = lanes_of(l, x);
    if (mask == 0 || *term_map_at(l->s, done, x) != 0)
        return;
    *term_map_at(l->s, done, x) = 1;
    for (unsigned i = 0; i < 2; i++)
        if (is_of(two[i], mask)) {
            list(l, two[i], x);
            return;
        }
    for (unsigned i = 0; i < 2 && is_flat(l->s, x); i++) {
        term own = said_of(l, x, two[i]->lanes);
        if (own != NULL)
            list(l, two[i], own);
    }
    for (unsigned i = 0; i < arity(l->s, x); i++)
        if (!is_flat(l->s, x) || is_of_both(l, two, argument(l->s, x, i)))
            take_apart(l, two, done, argument(l->s, x, i));
}

/* Adds to what is replaced each long `and` or `or` in x that speaks of both parts: what it says of one of them is a
 * term of that part, though it stands nowhere in x. */
static void replace_flat(struct lanes *l, struct part *const two[2], struct term_replacer *r, struct term_map *done,
                         term x)
{
    struct term_list said = {0};
    if (!is_of_both(l, two, x) || *term_map_at(l->s, done, x) != 0)
        return;
    *term_map_at(l->s, done, x) = 1;
    for (unsigned i = 0; i < arity(l->s, x); i++)
        replace_flat(l, two, r, done, argument(l->s, x, i));
    if (!is_flat(l->s, x))
        return;
    for (unsigned i = 0; i < 2; i++) {
        term own = said_of(l, x, two[i]->lanes);
        if (own != NULL)
            term_list_add(&said, term_replace(l->s, r, own));
    }
    for (unsigned i = 0; i < arity(l->s, x); i++)
        if (lanes_of(l, argument(l->s, x, i)) == 0 || is_of_both(l, two, argument(l->s, x, i)))
            term_list_add(&said, term_replace(l->s, r, argument(l->s, x, i)));
    term_replacer_add(l->s, r, x,
                      is(l->s, x, Z3_OP_AND) ? term_all(l->s, said.items, said.count)
                                             : term_any(l->s, said.items, said.count));
    term_list_free(&said);
}

/* --- lanes that stand for parts ----------------------------------------------------------------------------------- */

/* x of `any` with another lane, and where it is known whether that takes part: `part` 0 or 1; 2: as it says. */
static term of_stand_in(struct lanes *l, term x, const struct stand_in *y, unsigned part)
{
    term to[UNKNOWNS];
    for (unsigned i = 0; i < UNKNOWNS; i++)
        to[i] = i == UNKNOWN_IN_GROUP && part < 2 ? term_bool(l->s, part != 0) : y->of[i];
    return plain(l, term_substitute(l->s, x, l->any.of, to, UNKNOWNS));
}

/* Does the lane that stands for these take part? */
static term takes_part(struct lanes *l, lanemask lanes, const struct stand_in *y)
{
    if ((lanes & l->always) != 0 || (lanes & ~l->never) == 0)
        return term_bool(l->s, (lanes & l->always) != 0);
    return y->of[UNKNOWN_IN_GROUP];
}

/* The lane whose key is before the others' is the one that counts. */
static term key_of(struct lanes *l, const struct stand_in *y)
{
    struct smt *s = l->s;
    const struct warp_form_info *info = l->p->request->info;
    term predicate = y->of[UNKNOWN_PREDICATE];
    if (key_applies(info))
        return key_of_float(s, info, y->of[UNKNOWN_A]);
    if (info->family == WARP_REDUX_SYNC)
        return y->of[UNKNOWN_A];
    return term_ite(s, info->op == WARP_ALL ? predicate : term_not(s, predicate), term_word(s, 1), term_word(s, 0));
}

static term is_no_worse(struct lanes *l, term key, term other)
{
    const struct warp_form_info *info = l->p->request->info;
    const bool is_signed = info->type == WARP_S32 || info->type == WARP_F32;
    term x = info->op == WARP_MAX ? other : key, y = info->op == WARP_MAX ? key : other;
    return is_signed ? term_sle(l->s, x, y) : term_ule(l->s, x, y);
}

/* What is asked only of lanes that take part: with .NaN that they hold numbers, where it is known that one NaN settles
 * it. */
static term is_asked_of(struct lanes *l, const struct stand_in *y)
{
    const struct warp_form_info *info = l->p->request->info;
    return key_applies(info) && info->nan && !l->asks_nan ? term_not(l->s, key_is_nan(l->s, y->of[UNKNOWN_A]))
                                                          : term_bool(l->s, true);
}

/* The next goal makes the same term, with the same number in Z3, so that rewriting it gives the same, too. */
static void remember(struct user_proof *p, term x)
{
    if (!term_list_has(&p->lane_terms, x))
        term_list_keep(p->s, &p->lane_terms, x);
}

static struct stand_in make_stand_in(struct user_proof *p, const char *name)
{
    struct smt *s = p->s;
    struct stand_in y;
    for (unsigned i = 0; i < UNKNOWNS; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s.%u", name, i);
        y.of[i] = term_constant(s, i <= UNKNOWN_C ? s->word_sort : s->bool_sort, text);
        remember(p, y.of[i]);
    }
    return y;
}

static bool claim_holds(struct lanes *l, term given)
{
    term claim;
    if (term_list_has(&l->p->lane_terms, given))
        return true;
    claim = term_simplify(l->s, given);
    if (!is_true(l->s, claim) && !term_list_has(&l->p->lane_terms, claim) && !user_holds(l->p, claim, CLAIM_MS))
        return false;
    remember(l->p, given);
    remember(l->p, claim);
    return true;
}

/* --- how lanes are parted ----------------------------------------------------------------------------------------- */

#define PARTS_MOST 16u

/* Sets of the most lanes of `lanes`, but not all, on which a term depends alone. */
static unsigned largest_parts(struct lanes *l, lanemask lanes, lanemask parts[PARTS_MOST])
{
    int most = 0;
    unsigned n = 0;
    for (size_t i = 0; i < l->nodes.count; i++) {
        const lanemask mask = *term_map_at(l->s, &l->mask, l->nodes.items[i]);
        const int size = __builtin_popcount(mask);
        bool is_new = (mask & ~lanes) == 0 && mask != lanes && size >= most && size > 0;
        for (unsigned k = 0; is_new && size == most && k < n; k++)
            is_new = parts[k] != mask;
        if (!is_new || (size == most && n == PARTS_MOST))
            continue;
        n = size > most ? 0 : n;
        most = size;
        parts[n++] = mask;
    }
    return n;
}

/* Into how many terms those of `part` fall apart. */
static size_t pieces(struct lanes *l, const struct part *part, lanemask some)
{
    struct part x = {.lanes = some}, y = {.lanes = part->lanes & ~some};
    struct term_map done = {0};
    size_t n;
    for (size_t i = 0; i < part->terms.count; i++)
        take_apart(l, (struct part *const[2]){&x, &y}, &done, part->terms.items[i]);
    n = x.terms.count + y.terms.count;
    term_map_free(&done);
    part_free(&x);
    part_free(&y);
    return n;
}

/* The parting that cuts the fewest terms: a loop after one of its rounds, a tree between its halves. */
static lanemask best_part(struct lanes *l, const struct part *part)
{
    lanemask parts[PARTS_MOST] = {0}, best;
    const unsigned n = largest_parts(l, part->lanes, parts);
    size_t fewest = n > 1 ? pieces(l, part, parts[0]) : 0;
    best = parts[0];
    for (unsigned i = 1; i < n; i++) {
        const size_t cut = pieces(l, part, parts[i]);
        if (cut < fewest) {
            fewest = cut;
            best = parts[i];
        }
    }
    return best;
}

/* --- the induction ------------------------------------------------------------------------------------------------ */

static bool keep(struct lanes *l, struct part *part, unsigned level);

static void keep_lane(struct lanes *l, struct part *part)
{
    const unsigned lane = (unsigned)__builtin_ctz(part->lanes);
    term from[UNKNOWNS], to[UNKNOWNS];
    size_t n = 0;
    for (size_t i = 0; i < l->p->unknown_count; i++)
        if (l->p->unknowns[i].lane == lane) {
            from[n] = l->p->unknowns[i].t;
            to[n++] = l->any.of[l->p->unknowns[i].kind];
        }
    for (size_t i = 0; i < part->terms.count; i++)
        term_list_add(&part->kept, plain(l, term_substitute(l->s, part->terms.items[i], from, to, n)));
}

/* Each term of `whole`, with what stands in `with` in the places of the terms of two parts. */
static void join(struct lanes *l, const struct part *whole, struct part *const two[2], const struct term_list with[2],
                 struct term_list *results)
{
    struct term_replacer r = {0};
    struct term_map done = {0};
    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < two[i]->terms.count; k++)
            term_replacer_add(l->s, &r, two[i]->terms.items[k], with[i].items[k]);
    for (size_t i = 0; i < whole->terms.count; i++) {
        replace_flat(l, two, &r, &done, whole->terms.items[i]);
        term_list_add(results, plain(l, term_replace(l->s, &r, whole->terms.items[i])));
    }
    term_map_free(&done);
    term_replacer_free(&r);
}

static void stand_in_for(struct lanes *l, const struct part *part, const struct stand_in *y, unsigned takes_part,
                         struct term_list *with)
{
    for (size_t i = 0; i < part->kept.count; i++)
        term_list_add(with, of_stand_in(l, part->kept.items[i], y, takes_part));
}

/* What is kept where one lane stands for all: the second part has none, or the same one if it always has one. */
static void keep_both(struct lanes *l, struct part *part, struct part *const two[2])
{
    struct term_list with[2] = {{0}, {0}};
    for (unsigned i = 0; i < 2; i++)
        stand_in_for(l, two[i], &l->any, i == 1 && (two[1]->lanes & l->always) == 0 ? 0 : 2, &with[i]);
    join(l, part, two, with, &part->kept);
    for (unsigned i = 0; i < 2; i++)
        term_list_free(&with[i]);
}

static bool keeps_one(struct lanes *l, const struct part *part, struct part *const two[2])
{
    struct smt *s = l->s;
    const struct stand_in *const y[2] = {&l->first, &l->second};
    struct term_list with[2] = {{0}, {0}}, results = {0};
    term takes[2], key[2], claim = term_bool(s, false), asked = term_bool(s, true);
    for (unsigned i = 0; i < 2; i++) {
        stand_in_for(l, two[i], y[i], 2, &with[i]);
        takes[i] = takes_part(l, two[i]->lanes, y[i]);
        key[i] = key_of(l, y[i]);
    }
    join(l, part, two, with, &results);
    for (unsigned i = 0; i < 2; i++) {
        term holds = term_or(s, takes[i], term_not(s, takes[1 - i]));
        holds = term_and(s, holds, term_or(s, term_not(s, takes[1 - i]), is_no_worse(l, key[i], key[1 - i])));
        asked = term_and(s, asked, term_or(s, term_not(s, takes[i]), is_asked_of(l, y[i])));
        for (size_t k = 0; k < results.count; k++)
            holds = term_and(s, holds, term_eq(s, results.items[k], of_stand_in(l, part->kept.items[k], y[i], 2)));
        claim = term_or(s, claim, holds);
    }
    for (unsigned i = 0; i < 2; i++)
        term_list_free(&with[i]);
    term_list_free(&results);
    return claim_holds(l, term_implies(s, asked, claim));
}

/* The part that always has a lane comes first, and before one that never has. */
static bool comes_first(struct lanes *l, lanemask x, lanemask y)
{
    const bool always = (x & l->always) != 0, never = (x & ~l->never) == 0;
    return always || ((y & l->always) == 0 && (!never || (y & ~l->never) == 0));
}

static bool keep(struct lanes *l, struct part *part, unsigned level)
{
    const bool one = (part->lanes & (part->lanes - 1)) == 0;
    const lanemask some = one ? part->lanes : best_part(l, part), rest = part->lanes & ~some;
    struct part x = {.lanes = comes_first(l, some, rest) ? some : rest}, y = {.lanes = part->lanes & ~x.lanes};
    struct part *const two[2] = {&x, &y};
    struct term_map done = {0};
    bool ok = level < LEVELS_MOST;
    if (one) {
        keep_lane(l, part);
        return true;
    }
    for (size_t i = 0; i < part->terms.count; i++)
        take_apart(l, two, &done, part->terms.items[i]);
    term_map_free(&done);
    ok = ok && keep(l, &x, level + 1) && keep(l, &y, level + 1);
    if (ok) {
        keep_both(l, part, two);
        ok = keeps_one(l, part, two);
    }
    part_free(&x);
    part_free(&y);
    return ok;
}

/* What x is where one lane, which takes part, stands for the group. NULL: it is not seen to be. */
static term of_one_lane(struct lanes *l, term x, const struct stand_in *y)
{
    struct part all = {.lanes = lanes_of(l, x)};
    term kept = NULL;
    if (!l->other && (~all.lanes & ~l->never) == 0) {
        list(l, &all, x);
        if (keep(l, &all, 0))
            kept = of_stand_in(l, all.kept.items[0], y, 1);
    }
    part_free(&all);
    return kept;
}

static bool chooses(const struct warp_form_info *info)
{
    if (info->family == WARP_REDUX_SYNC)
        return info->op == WARP_MIN || info->op == WARP_MAX;
    return (info->family == WARP_VOTE_SYNC || info->family == WARP_VOTE) &&
           (info->op == WARP_ALL || info->op == WARP_ANY);
}

/* Lists the comparisons of what several lanes hold, with a Bool of its own for each. */
static void name_comparisons(struct lanes *l, struct term_map *seen, struct term_replacer *r, term x)
{
    char name[32];
    const lanemask mask = lanes_of(l, x);
    if ((mask & (mask - 1)) == 0 || *term_map_at(l->s, seen, x) != 0)
        return;
    *term_map_at(l->s, seen, x) = 1;
    if (term_width(l->s, x) == 0 && arity(l->s, x) == 2 && term_width(l->s, argument(l->s, x, 0)) > 0) {
        snprintf(name, sizeof name, "compared[%u]", Z3_get_ast_id(l->s->z3, x));
        term_replacer_add(l->s, r, x, term_constant(l->s, l->s->bool_sort, name));
        return;
    }
    for (unsigned i = 0; i < arity(l->s, x); i++)
        name_comparisons(l, seen, r, argument(l->s, x, i));
}

/* x, whatever comparisons of what several lanes hold say. */
static term compared_anyhow(struct lanes *l, term x)
{
    struct term_map seen = {0};
    struct term_replacer r = {0};
    name_comparisons(l, &seen, &r, x);
    x = term_replace(l->s, &r, x);
    term_replacer_free(&r);
    term_map_free(&seen);
    return x;
}

term user_compared_anyhow(struct user_proof *p, term x)
{
    struct lanes l = {.p = p, .s = p->s};
    name_unknowns(&l);
    x = compared_anyhow(&l, x);
    lanes_free(&l);
    return x;
}

/* With .NaN: where a lane has one, y is the NaN that the transcription gives, whatever comparisons of numbers say. */
static bool is_nan_for_nan(struct lanes *l, term y)
{
    struct smt *s = l->s;
    term nan[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        nan[k] = term_and(s, l->p->group[k], key_is_nan(s, l->p->words[OPERAND_A][k]));
    return user_holds(l->p, term_implies(s, term_any(s, nan, WARP_LANES), term_eq(s, y, key_nan(s))), CLAIM_MS);
}

/* x where the lane is in the group. */
static term with_lane(struct lanes *l, term x, unsigned lane)
{
    term yes = term_bool(l->s, true);
    if (lane == WARP_LANES || is_true(l->s, l->p->group[lane]))
        return x;
    l->always |= 1u << lane;
    return term_substitute(l->s, x, &l->p->group[lane], &yes, 1);
}

static bool one_lane(struct user_proof *p, unsigned lane, term x, term y, bool asks_nan)
{
    const struct warp_form_info *info = p->request->info;
    struct lanes l = {.p = p, .s = p->s, .asks_nan = asks_nan};
    const size_t mark = smt_mark(p->s);
    term same, one = NULL;
    bool ok = false;
    l.any = make_stand_in(p, "any");
    l.first = make_stand_in(p, "first");
    l.second = make_stand_in(p, "second");
    name_unknowns(&l);
    y = with_lane(&l, y, lane);
    x = with_lane(&l, x, lane);
    x = key_applies(info) ? key_number(p->s, key_of(&l, &l.first)) : of_one_lane(&l, x, &l.first);
    if (x != NULL && (asks_nan || !key_applies(info) || !info->nan || is_nan_for_nan(&l, y)))
        one = of_one_lane(&l, y, &l.second);
    if (one != NULL) {
        same = term_eq(p->s, key_of(&l, &l.first), key_of(&l, &l.second));
        same = term_and(p->s, same, term_and(p->s, is_asked_of(&l, &l.first), is_asked_of(&l, &l.second)));
        ok = claim_holds(&l, term_implies(p->s, same, term_eq(p->s, x, one)));
    }
    lanes_free(&l);
    smt_release(p->s, mark);
    return ok;
}

bool user_one_lane(struct user_proof *p, unsigned lane, term x, term y)
{
    const struct warp_form_info *info = p->request->info;
    return chooses(info) &&
           ((key_applies(info) && info->nan && one_lane(p, lane, x, y, true)) || one_lane(p, lane, x, y, false));
}
