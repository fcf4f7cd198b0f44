/* Matching: a term against a pattern with variables. */
#include "smt/lemma/lemma.h"

#include <stdlib.h>
#include <string.h>

/* The term that a node of the pattern stands for, by the node's number: one only, as terms are shared. */
struct matching {
    struct smt *s;
    const struct term_list *variables;
    term *stands_for;
    size_t size;
};

static term *place_of(struct matching *m, term pattern)
{
    size_t id = Z3_get_ast_id(m->s->z3, pattern);
    if (id >= m->size) {
        size_t size = 2 * id + 256;
        m->stands_for = smt_grow(m->stands_for, size, sizeof(term));
        memset(m->stands_for + m->size, 0, (size - m->size) * sizeof(term));
        m->size = size;
    }
    return &m->stands_for[id];
}

static bool is_variable(const struct matching *m, term x)
{
    for (size_t i = 0; i < m->variables->count; i++)
        if (m->variables->items[i] == x)
            return true;
    return false;
}

static bool match(struct matching *m, term pattern, term x)
{
    Z3_context z3 = m->s->z3;
    term *known = place_of(m, pattern);
    Z3_app p, a;
    unsigned n;
    if (*known != NULL)
        return *known == x;
    *known = x;
    if (Z3_get_ast_kind(z3, pattern) != Z3_APP_AST || Z3_get_ast_kind(z3, x) != Z3_get_ast_kind(z3, pattern))
        return is_variable(m, pattern) ? Z3_get_sort(z3, pattern) == Z3_get_sort(z3, x) : pattern == x;
    p = Z3_to_app(z3, pattern);
    a = Z3_to_app(z3, x);
    n = Z3_get_app_num_args(z3, p);
    if (n == 0 && is_variable(m, pattern))
        return Z3_get_sort(z3, pattern) == Z3_get_sort(z3, x);
    if (Z3_get_app_decl(z3, p) != Z3_get_app_decl(z3, a) || Z3_get_app_num_args(z3, a) != n)
        return false;
    for (unsigned i = 0; i < n; i++)
        if (!match(m, Z3_get_app_arg(z3, p, i), Z3_get_app_arg(z3, a, i)))
            return false;
    return true;
}

bool instance_of(struct smt *s, term pattern, const struct term_list *variables, term x)
{
    struct matching m = {s, variables, NULL, 0};
    bool ok = match(&m, pattern, x);
    free(m.stands_for);
    return ok;
}
