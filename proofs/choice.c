#include "proofs/choice.h"

#include "proofs/node.h"

/* A byte that is looked up in two halves of a table, one of which gives 0: one choice. NULL: it is something else. */
static term one_choice(struct smt *s, term x)
{
    term half[2], condition[2], content[2];
    uint64_t zero;
    if (is(s, x, Z3_OP_ITE))
        return x;
    if (!is(s, x, Z3_OP_BOR) || arity(s, x) != 2)
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        half[i] = argument(s, x, i);
        if (!is(s, half[i], Z3_OP_ITE))
            return NULL;
        condition[i] = argument(s, half[i], 0);
        content[i] = argument(s, half[i], 1);
        if (v_value(s, content[i], &zero) && zero == 0) {
            content[i] = argument(s, half[i], 2);
            condition[i] = b_not(s, condition[i]);
        } else if (!v_value(s, argument(s, half[i], 2), &zero) || zero != 0) {
            return NULL;
        }
    }
    if (condition[1] != b_not(s, condition[0]))
        return NULL;
    return v_ite(s, condition[0], content[0], content[1]);
}

term choice_joined(struct smt *s, term high, term low)
{
    term x = one_choice(s, high), y, yes, no;
    if (is(s, low, Z3_OP_CONCAT) && arity(s, low) == 2 && x != NULL)
        low = choice_joined(s, argument(s, low, 0), argument(s, low, 1));
    if (low == NULL)
        return NULL;
    y = one_choice(s, low);
    if (x == NULL && y == NULL)
        return v_concat(s, high, low);
    if (x == NULL || y == NULL || argument(s, x, 0) != argument(s, y, 0))
        return NULL;
    yes = choice_joined(s, argument(s, x, 1), argument(s, y, 1));
    no = choice_joined(s, argument(s, x, 2), argument(s, y, 2));
    return yes == NULL || no == NULL ? NULL : smt_keep(s, Z3_mk_ite(s->z3, argument(s, x, 0), yes, no));
}
