#include "smt/solver/solver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a query is made of. */
struct ingredients {
    bool bits, floats, functions, sequences, integers, other;
    bool quantifiers;
};

/* Terms are a shared graph: each node is visited once, by its number. */
struct walk {
    struct smt *s;
    struct query *query;
    struct ingredients has;
    uint8_t *seen;
    size_t seen_size;
    struct term_list stack;
};

static bool first_visit(struct walk *w, Z3_ast node)
{
    size_t id = Z3_get_ast_id(w->s->z3, node);
    if (id >= w->seen_size) {
        size_t size = 2 * id + 1024;
        w->seen = smt_grow(w->seen, size, 1);
        memset(w->seen + w->seen_size, 0, size - w->seen_size);
        w->seen_size = size;
    }
    if (w->seen[id])
        return false;
    w->seen[id] = 1;
    return true;
}

static void note_sort(struct walk *w, Z3_sort sort)
{
    switch (Z3_get_sort_kind(w->s->z3, sort)) {
    case Z3_BOOL_SORT:
        break;
    case Z3_BV_SORT:
        w->has.bits = true;
        break;
    case Z3_FLOATING_POINT_SORT:
    case Z3_ROUNDING_MODE_SORT:
        w->has.floats = true;
        break;
    case Z3_SEQ_SORT:
        w->has.sequences = true;
        break;
    case Z3_INT_SORT:
        w->has.integers = true;
        break;
    case Z3_UNINTERPRETED_SORT:
        w->has.functions = true;
        break;
    default:
        w->has.other = true;
    }
}

static void visit(struct walk *w, Z3_ast node)
{
    Z3_context z3 = w->s->z3;
    Z3_app app;
    unsigned n;
    note_sort(w, Z3_get_sort(z3, node));
    if (Z3_get_ast_kind(z3, node) == Z3_QUANTIFIER_AST) {
        w->has.quantifiers = true;
        term_list_add(&w->stack, Z3_get_quantifier_body(z3, node));
        return;
    }
    if (Z3_get_ast_kind(z3, node) != Z3_APP_AST)
        return;
    app = Z3_to_app(z3, node);
    n = Z3_get_app_num_args(z3, app);
    if (Z3_get_decl_kind(z3, Z3_get_app_decl(z3, app)) == Z3_OP_FPA_TO_IEEE_BV)
        term_list_add(&w->query->bits_of_floats, node);
    if (Z3_get_decl_kind(z3, Z3_get_app_decl(z3, app)) == Z3_OP_UNINTERPRETED) {
        if (n == 0)
            term_list_add(&w->query->free, node);
        else
            w->has.functions = true;
    }
    for (unsigned i = 0; i < n; i++)
        term_list_add(&w->stack, Z3_get_app_arg(z3, app, i));
}

static void name_logic(const struct ingredients *has, char logic[24])
{
    if (has->quantifiers || has->sequences || has->integers || has->other) {
        snprintf(logic, 24, "ALL");
        return;
    }
    snprintf(logic, 24, "QF_%s%s%s", has->functions ? "UF" : "", has->bits || !has->functions ? "BV" : "",
             has->floats ? "FP" : "");
}

void query_inspect(struct smt *s, struct query *query)
{
    struct walk w = {s, query, {0}, NULL, 0, {0}};
    for (size_t i = 0; i < query->parts.count; i++)
        term_list_add(&w.stack, query->parts.items[i]);
    while (w.stack.count > 0) {
        Z3_ast node = w.stack.items[--w.stack.count];
        if (first_visit(&w, node))
            visit(&w, node);
    }
    name_logic(&w.has, query->logic);
    query->only_bits = strcmp(query->logic, "QF_BV") == 0;
    free(w.seen);
    term_list_free(&w.stack);
}

void query_free(struct query *query)
{
    term_list_free(&query->parts);
    term_list_free(&query->free);
    term_list_free(&query->bits_of_floats);
}

void assignment_free(struct smt *s, struct assignment *a)
{
    term_list_free(&a->unknown);
    term_list_free(&a->value);
    if (a->model != NULL)
        Z3_model_dec_ref(s->z3, a->model);
    a->model = NULL;
}

/* So many assertions are written one by one; more become one, whose parts share their terms in the text. */
#define PARTS_APART 16

/* The command line with which cvc5 decides the file: as cvc5_ask runs it, with a limit of time on the first try. */
static void write_how(const struct query *query, const char *path, FILE *f)
{
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    if (strcmp(query->logic, "QF_UFBV") == 0)
        fprintf(f, "; cvc5 --bitblast=eager --ackermann %s\n; or, where that takes long: cvc5 %s\n", name, name);
    else if (query->only_bits)
        fprintf(f,
                "; cvc5 --bitblast=eager --bv-sat-solver=cadical %s\n"
                "; or, where that takes long: cvc5 --bitblast=eager --bv-sat-solver=cryptominisat %s\n",
                name, name);
    else
        fprintf(f, "; cvc5 %s\n", name);
}

/*
 * The parts in the words of SMT-LIB: the bits of a float are a new constant whose float is that one. Of a NaN it may be
 * any NaN's bits; the encoding does not look at those.
 */
static void standard_parts(struct smt *s, const struct query *query, struct term_list *parts)
{
    const struct term_list *from = &query->bits_of_floats;
    struct term_list to = {0};
    for (size_t i = 0; i < from->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "bits!%zu", i);
        term_list_add(&to, term_constant(s, Z3_get_sort(s->z3, from->items[i]), name));
    }
    for (size_t i = 0; i < query->parts.count; i++)
        term_list_add(parts, term_substitute(s, query->parts.items[i], from->items, to.items, from->count));
    for (size_t i = 0; i < from->count; i++) {
        term x = Z3_get_app_arg(s->z3, Z3_to_app(s->z3, from->items[i]), 0);
        Z3_ast same = Z3_mk_fpa_to_fp_bv(s->z3, to.items[i], Z3_get_sort(s->z3, x));
        term_list_add(parts, term_substitute(s, term_eq(s, smt_keep(s, same), x), from->items, to.items, from->count));
    }
    term_list_free(&to);
}

/* The raw terms: what a solver object prints is its own simplified goal, which a second solver must not be asked
 * instead. */
bool query_write(struct smt *s, const struct query *query, const char *path, bool values, char *why, size_t why_size)
{
    struct term_list parts = {0};
    term together;
    const term *items;
    unsigned n;
    FILE *f = fopen(path, "w");
    bool written;
    if (f == NULL) {
        snprintf(why, why_size, "cannot write %s: %s", path, strerror(errno));
        return false;
    }
    standard_parts(s, query, &parts);
    n = (unsigned)parts.count;
    together = n > PARTS_APART ? term_all(s, parts.items, n) : NULL;
    items = together != NULL ? &together : parts.items;
    n = together != NULL ? 1 : n;
    write_how(query, path, f);
    if (values)
        fputs("(set-option :produce-models true)\n", f);
    fputs(Z3_benchmark_to_smtlib_string(s->z3, query->name, query->logic, "unknown", "", n - 1, items, items[n - 1]),
          f);
    term_list_free(&parts);
    if (values && query->free.count > 0) {
        fputs("(get-value (", f);
        for (size_t i = 0; i < query->free.count; i++)
            fprintf(f, "%s\n", Z3_ast_to_string(s->z3, query->free.items[i]));
        fputs("))\n", f);
    }
    written = !ferror(f);
    if (fclose(f) != 0 || !written) {
        snprintf(why, why_size, "cannot write %s", path);
        return false;
    }
    return true;
}
