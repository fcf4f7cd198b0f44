#include "smt/solver/solver.h"

#include <stdio.h>

/* Not there yet: says so. */
bool drat_prove(struct smt *s, const struct query *query, double timeout_s, bool *trivial, char *why, size_t why_size)
{
    (void)s;
    (void)query;
    (void)timeout_s;
    (void)trivial;
    snprintf(why, why_size, "DRAT proofs are not built in");
    return false;
}
