#include "smt/solver/solver.h"

#include "base/buffer.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The terms that a query is made of. */
struct ingredients {
    bool bits, floats, functions, sequences, integers, other;
    bool quantifiers;
};

/* Terms are a shared graph: each node is visited once, by its number. */
struct walk {
    struct smt *s;
    struct query *query;
    struct ingredients has;
    struct term_map seen;
    struct term_list stack;
};

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

static bool beyond_bits(const struct ingredients *has)
{
    return has->quantifiers || has->sequences || has->integers || has->other;
}

static void name_logic(const struct ingredients *has, char logic[24])
{
    if (beyond_bits(has)) {
        snprintf(logic, 24, "ALL");
        return;
    }
    snprintf(logic, 24, "QF_%s%s%s", has->functions ? "UF" : "", has->bits || !has->functions ? "BV" : "",
             has->floats ? "FP" : "");
}

void query_inspect(struct smt *s, struct query *query)
{
    struct walk w = {.s = s, .query = query};
    for (size_t i = 0; i < query->parts.count; i++)
        term_list_add(&w.stack, query->parts.items[i]);
    while (w.stack.count > 0) {
        Z3_ast node = w.stack.items[--w.stack.count];
        uint32_t *const seen = term_map_at(s, &w.seen, node);
        if (*seen == 0) {
            *seen = 1;
            visit(&w, node);
        }
    }
    name_logic(&w.has, query->logic);
    query->only_bits = !w.has.functions && !w.has.floats && !beyond_bits(&w.has);
    query->has_functions = w.has.functions && w.has.bits && !w.has.floats && !beyond_bits(&w.has);
    term_map_free(&w.seen);
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

/* Up to so many assertions are written one by one. More become one assertion, so that their parts share terms in
 * the text. */
#define PARTS_APART 16

/* The command line with which cvc5 decides the file: as cvc5_ask runs it, with a limit of time on the first try. */
static void write_how(const struct query *query, const char *path, struct buffer *text)
{
    const char *name = file_name(path);
    if (query->has_functions)
        buffer_format(text, "; cvc5 --bitblast=eager --ackermann %s\n; or, where that takes long: cvc5 %s\n", name,
                      name);
    else if (query->only_bits)
        buffer_format(text,
                      "; cvc5 --bitblast=eager --bv-sat-solver=cadical %s\n"
                      "; or, where that takes long: cvc5 --bitblast=eager --bv-sat-solver=cryptominisat %s\n",
                      name, name);
    else
        buffer_format(text, "; cvc5 %s\n", name);
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

/* Writes the raw terms. A solver object would print its own simplified goal, and a second solver must be asked
 * about the original. */
static void write_text(struct smt *s, const struct query *query, const char *path, bool values, struct buffer *text)
{
    struct term_list parts = {0};
    term together;
    const term *items;
    unsigned n;
    standard_parts(s, query, &parts);
    n = (unsigned)parts.count;
    together = n > PARTS_APART ? term_all(s, parts.items, n) : NULL;
    items = together != NULL ? &together : parts.items;
    n = together != NULL ? 1 : n;
    write_how(query, path, text);
    if (values)
        buffer_text(text, "(set-option :produce-models true)\n");
    buffer_text(text, Z3_benchmark_to_smtlib_string(s->z3, query->name, query->logic, "unknown", "", n - 1, items,
                                                    items[n - 1]));
    term_list_free(&parts);
    if (!values || query->free.count == 0)
        return;
    buffer_text(text, "(get-value (");
    for (size_t i = 0; i < query->free.count; i++)
        buffer_format(text, "%s\n", Z3_ast_to_string(s->z3, query->free.items[i]));
    buffer_text(text, "))\n");
}

bool query_write(struct smt *s, const struct query *query, const char *path, bool values, struct error *error)
{
    struct buffer text = {0};
    bool ok;
    write_text(s, query, path, values, &text);
    ok = text.failed ? error_set(error, ERROR_SYSTEM, "%s: out of memory", path)
                     : file_write(path, text.data, text.size, error);
    buffer_free(&text);
    return ok;
}
