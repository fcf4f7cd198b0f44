#include "proofs/abstract.h"

#include "base/random.h"
#include "proofs/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Terms that were seen, and the equalities among them with their names. */
struct seen {
    struct smt *s;
    term *slots;
    size_t used, room;
    term *from, *to;
    size_t count, from_room, to_room;
};

/* Adds x; false: it was there. */
static bool add(struct seen *seen, term x)
{
    size_t i;
    if (2 * (seen->used + 1) > seen->room) {
        term *old = seen->slots;
        const size_t room = seen->room;
        seen->room = room == 0 ? 1024 : 4 * room;
        seen->slots = smt_grow(NULL, seen->room, sizeof *seen->slots);
        memset(seen->slots, 0, seen->room * sizeof *seen->slots);
        seen->used = 0;
        for (size_t k = 0; k < room; k++)
            if (old[k] != NULL)
                add(seen, old[k]);
        free(old);
    }
    for (i = (size_t)random_mix((uintptr_t)x) & (seen->room - 1); seen->slots[i] != NULL;
         i = (i + 1) & (seen->room - 1))
        if (seen->slots[i] == x)
            return false;
    seen->slots[i] = x;
    seen->used++;
    return true;
}

/* Of operands side by side: the equalities of the parts. */
static term named(struct seen *seen, term x, term y)
{
    struct smt *s = seen->s;
    char name[48];
    const unsigned i = Z3_get_ast_id(s->z3, x), k = Z3_get_ast_id(s->z3, y);
    if (is(s, x, Z3_OP_CONCAT) && is(s, y, Z3_OP_CONCAT) && arity(s, x) == 2 && arity(s, y) == 2 &&
        term_width(s, argument(s, x, 0)) == term_width(s, argument(s, y, 0)))
        return b_and(s, named(seen, argument(s, x, 0), argument(s, y, 0)),
                     named(seen, argument(s, x, 1), argument(s, y, 1)));
    if (x == y)
        return term_bool(s, true);
    snprintf(name, sizeof name, "equal[%u][%u]", i < k ? i : k, i < k ? k : i);
    return term_constant(s, s->bool_sort, name);
}

static void visit(struct seen *seen, term x)
{
    struct smt *s = seen->s;
    if (Z3_get_ast_kind(s->z3, x) != Z3_APP_AST || !add(seen, x))
        return;
    if (is(s, x, Z3_OP_EQ) && term_width(s, argument(s, x, 0)) >= 32) {
        seen->from = smt_room(seen->from, seen->count, &seen->from_room, sizeof *seen->from);
        seen->to = smt_room(seen->to, seen->count, &seen->to_room, sizeof *seen->to);
        seen->from[seen->count] = x;
        seen->to[seen->count++] = named(seen, argument(s, x, 0), argument(s, x, 1));
        return;
    }
    for (unsigned i = 0; i < arity(s, x); i++)
        visit(seen, argument(s, x, i));
}

term abstract_equalities(struct smt *s, term x)
{
    struct seen seen = {.s = s};
    visit(&seen, x);
    if (seen.count > 0)
        x = term_substitute(s, x, seen.from, seen.to, (unsigned)seen.count);
    else
        x = NULL;
    free(seen.slots);
    free(seen.from);
    free(seen.to);
    return x;
}
