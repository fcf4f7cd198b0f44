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

#endif
