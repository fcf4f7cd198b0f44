/* Facts: instances of lemmas, made from the lemma's own goal, and matched against it before they are used. */
#include "smt/lemma.h"

#include "smt/catalogue/catalogue.h"

#include <stdlib.h>
#include <string.h>

void lemmas_free(struct goal *g)
{
    while (g->lemmas != NULL) {
        struct goal_lemma *next = g->lemmas->next;
        goal_free(&g->lemmas->goal);
        free(g->lemmas);
        g->lemmas = next;
    }
}

/* The lemma's goal, built once for all the facts of a goal. NULL with g->error. */
static struct goal_lemma *lemma_of(struct goal *g, const char *name)
{
    const struct smt_property *property = smt_property_find(name);
    const struct property_entry *entry;
    struct goal_lemma *lemma = g->lemmas;
    while (lemma != NULL && strcmp(lemma->goal.property->name, name) != 0)
        lemma = lemma->next;
    if (lemma != NULL)
        return lemma;
    if (property == NULL) {
        error_set(&g->error, ERROR_INTERNAL, "no lemma is called %s", name);
        return NULL;
    }
    lemma = smt_grow(NULL, 1, sizeof *lemma);
    lemma->next = g->lemmas;
    g->lemmas = lemma;
    entry = property_entry_of(property);
    goal_init(&lemma->goal, g->s);
    lemma->goal.property = property;
    lemma->goal.programs_dir = g->programs_dir;
    lemma->goal.is_lemma = true;
    entry->build(&lemma->goal, entry->argument);
    return lemma;
}

/* "Hypotheses and when imply the claim": true for all values of the goal's unknowns when it is proved. */
static term lemma_statement(struct goal *lemma, size_t claim)
{
    struct smt *s = lemma->s;
    const struct goal_claim *c = &lemma->claims[claim];
    struct term_list all = {0};
    term statement;
    for (size_t i = 0; i < lemma->hypotheses.count; i++)
        term_list_add(&all, lemma->hypotheses.items[i]);
    if (c->when != NULL)
        term_list_add(&all, c->when);
    statement = all.count == 0 ? c->claim : term_implies(s, term_all(s, all.items, all.count), c->claim);
    term_list_free(&all);
    return goal_expand(lemma, statement);
}

/* The one claim of that name. */
static bool find_claim(struct goal *g, const struct goal_lemma *lemma, const char *what, size_t *claim)
{
    size_t found = 0;
    for (size_t i = 0; i < lemma->goal.claims_count; i++)
        if (strcmp(lemma->goal.claims[i].what, what) == 0) {
            *claim = i;
            found++;
        }
    if (found != 1)
        error_set(&g->error, ERROR_INTERNAL, "lemma %.60s has %zu claims called '%.60s'", lemma->goal.property->name,
                  found, what);
    return found == 1;
}

static term unknown_called(struct goal *g, const struct goal_lemma *lemma, const char *name)
{
    Z3_context z3 = g->s->z3;
    const struct term_list *unknowns = &lemma->goal.unknowns;
    for (size_t i = 0; i < unknowns->count; i++) {
        Z3_func_decl constant = Z3_get_app_decl(z3, Z3_to_app(z3, unknowns->items[i]));
        if (strcmp(Z3_get_symbol_string(z3, Z3_get_decl_name(z3, constant)), name) == 0)
            return unknowns->items[i];
    }
    error_set(&g->error, ERROR_INTERNAL, "lemma %.60s has no unknown '%.30s'", lemma->goal.property->name, name);
    return NULL;
}

static void add(struct goal *g, const struct goal_fact *fact)
{
    g->facts = smt_room(g->facts, g->facts_count, &g->facts_room, sizeof *g->facts);
    g->facts[g->facts_count++] = *fact;
}

void goal_fact(struct goal *g, const char *lemma, const char *what, const struct goal_with *with, size_t n)
{
    struct term_list from = {0}, to = {0};
    struct goal_fact fact;
    if (g->is_lemma || g->error.code != ERROR_NONE || (fact.lemma = lemma_of(g, lemma)) == NULL ||
        !find_claim(g, fact.lemma, what, &fact.claim))
        return;
    for (size_t i = 0; i < n; i++) {
        term unknown = unknown_called(g, fact.lemma, with[i].unknown);
        if (unknown == NULL)
            break;
        term_list_add(&from, unknown);
        term_list_add(&to, goal_expand(g, with[i].value));
    }
    if (g->error.code == ERROR_NONE) {
        term statement = lemma_statement(&fact.lemma->goal, fact.claim);
        fact.instance = term_substitute(g->s, statement, from.items, to.items, from.count);
        add(g, &fact);
    }
    term_list_free(&from);
    term_list_free(&to);
}

void goal_earlier(struct goal *g)
{
    for (size_t i = 0; i < g->claims_count && !g->is_lemma; i++)
        add(g, &(struct goal_fact){lemma_statement(g, i), NULL, i});
}

void goal_lemma_name(const struct goal *g, unsigned i, char name[SMT_NAME_MAX])
{
    const char *rest = g->property->lemmas;
    do
        smt_name_next(&rest, name);
    while (i-- > 0);
}

static bool rests_on(const struct smt_property *property, const char *lemma)
{
    const char *rest = property->lemmas;
    for (char name[SMT_NAME_MAX]; smt_name_next(&rest, name);)
        if (strcmp(name, lemma) == 0)
            return true;
    return false;
}

/* Matching: `stands_for` gives each node of the pattern, by a number of its own, the one term that it stands for. */
struct matching {
    struct smt *s;
    const struct term_list *variables;
    struct term_map number;
    struct term_list stands_for;
};

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
    uint32_t *const number = term_map_at(m->s, &m->number, pattern);
    Z3_app p, a;
    unsigned n;
    if (*number != 0)
        return m->stands_for.items[*number - 1] == x;
    term_list_add(&m->stands_for, x);
    *number = (uint32_t)m->stands_for.count;
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
    struct matching m = {.s = s, .variables = variables};
    const bool ok = match(&m, pattern, x);
    term_map_free(&m.number);
    term_list_free(&m.stands_for);
    return ok;
}

static bool is_earlier(struct goal *g, const struct goal_fact *fact, size_t of_claim)
{
    return fact->claim < of_claim && fact->instance == lemma_statement(g, fact->claim);
}

bool fact_check(struct goal *g, const struct goal_fact *fact, size_t of_claim, struct error *error)
{
    struct goal *lemma;
    const char *name;
    if (fact->lemma == NULL) {
        return is_earlier(g, fact, of_claim) ||
               error_set(error, ERROR_INTERNAL, "what it uses of an earlier claim is not that claim");
    }
    lemma = &fact->lemma->goal;
    name = lemma->property->name;
    if (!rests_on(g->property, name))
        return error_set(error, ERROR_INTERNAL, "it uses %s, which is not among its lemmas", name);
    return instance_of(g->s, lemma_statement(lemma, fact->claim), &lemma->unknowns, fact->instance) ||
           error_set(error, ERROR_INTERNAL, "what it uses of %s is not an instance of it", name);
}
