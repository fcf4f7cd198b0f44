/* What a term is made of, for the files that rewrite terms. */
#ifndef WARPCHECK_PROOFS_NODE_H
#define WARPCHECK_PROOFS_NODE_H

#include "proofs/logic.h"

static inline unsigned arity(struct smt *s, term x)
{
    return Z3_get_app_num_args(s->z3, Z3_to_app(s->z3, x));
}

/* Lives as long as x does. */
static inline term argument(struct smt *s, term x, unsigned i)
{
    return Z3_get_app_arg(s->z3, Z3_to_app(s->z3, x), i);
}

static inline bool is(struct smt *s, term x, Z3_decl_kind kind)
{
    return term_kind(s, x) == kind;
}

/* Is the term a part of its argument, and which bits are it? */
static inline bool is_part(struct smt *s, term x, unsigned *high, unsigned *low)
{
    Z3_func_decl decl;
    if (!is(s, x, Z3_OP_EXTRACT))
        return false;
    decl = Z3_get_app_decl(s->z3, Z3_to_app(s->z3, x));
    *high = (unsigned)Z3_get_decl_int_parameter(s->z3, decl, 0);
    *low = (unsigned)Z3_get_decl_int_parameter(s->z3, decl, 1);
    return true;
}

#endif
