#include "proofs/hints.h"

#include "proofs/node.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NODES 20000u /* of a claim that are looked at */
#define SLOTS      (2 * 32768u)
#define NAMES      64u
#define NAME       48u

static void add(struct hints *hints, uint32_t word)
{
    for (unsigned i = 0; i < hints->n; i++)
        if (hints->word[i] == word)
            return;
    if (hints->n < HINTS)
        hints->word[hints->n++] = word;
}

static void add_number(struct hints *hints, struct smt *s, term x)
{
    uint64_t number;
    if (term_width(s, x) >= 16 && term_width(s, x) <= 64 && term_value(s, x, &number)) {
        add(hints, (uint32_t)number);
        if (number >> 32 != 0)
            add(hints, (uint32_t)(number >> 32));
    }
}

/* True the first time. */
static bool visit(term *seen, struct smt *s, term x)
{
    size_t i = Z3_get_ast_id(s->z3, x) * 0x9e3779b1u & (SLOTS - 1);
    while (seen[i] != NULL && seen[i] != x)
        i = (i + 1) & (SLOTS - 1);
    if (seen[i] == x)
        return false;
    seen[i] = x;
    return true;
}

static void take_numbers(struct hints *hints, struct smt *s, term claim)
{
    term *seen = smt_grow(NULL, SLOTS, sizeof *seen), *list = smt_grow(NULL, MOST_NODES, sizeof *list);
    unsigned count = 1;
    memset(seen, 0, SLOTS * sizeof *seen);
    list[0] = claim;
    for (unsigned at = 0; at < count; at++) {
        const bool number = Z3_get_ast_kind(s->z3, list[at]) == Z3_NUMERAL_AST;
        if (number)
            add_number(hints, s, list[at]);
        if (number || Z3_get_ast_kind(s->z3, list[at]) != Z3_APP_AST)
            continue;
        for (unsigned i = 0; i < arity(s, list[at]) && count < MOST_NODES; i++)
            if (visit(seen, s, argument(s, list[at], i)))
                list[count++] = argument(s, list[at], i);
    }
    free(seen);
    free(list);
}

/* The Bools of one name, as bits. */
struct bools {
    char name[NAME];
    uint32_t word;
};

static void take_bool(struct bools *all, unsigned *n, const char *full, bool value)
{
    const char *index = strrchr(full, '[');
    const unsigned long lane = index == NULL ? 32 : strtoul(index + 1, NULL, 10);
    const size_t length = index == NULL ? 0 : (size_t)(index - full);
    unsigned i = 0;
    if (lane >= 32 || length >= NAME)
        return;
    while (i < *n && (strncmp(all[i].name, full, length) != 0 || all[i].name[length] != '\0'))
        i++;
    if (i == NAMES)
        return;
    if (i == *n) {
        memcpy(all[i].name, full, length);
        all[i].name[length] = '\0';
        all[i].word = 0;
        ++*n;
    }
    all[i].word |= (uint32_t)value << lane;
}

static void take_model(struct hints *hints, struct smt *s, Z3_model model)
{
    struct bools bools[NAMES];
    unsigned n = 0;
    for (unsigned i = 0; i < Z3_model_get_num_consts(s->z3, model); i++) {
        Z3_func_decl constant = Z3_model_get_const_decl(s->z3, model, i);
        Z3_symbol symbol = Z3_get_decl_name(s->z3, constant);
        term value = Z3_model_get_const_interp(s->z3, model, constant);
        if (value == NULL || Z3_get_symbol_kind(s->z3, symbol) != Z3_STRING_SYMBOL)
            continue;
        if (is_true(s, value) || is_false(s, value))
            take_bool(bools, &n, Z3_get_symbol_string(s->z3, symbol), is_true(s, value));
        else
            add_number(hints, s, value);
    }
    for (unsigned i = 0; i < n; i++)
        add(hints, bools[i].word);
}

void hints_take(struct hints *hints, struct smt *s, term claim, Z3_model model)
{
    hints->n = 0;
    take_model(hints, s, model);
    take_numbers(hints, s, claim);
}
