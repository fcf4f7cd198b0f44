#include "proofs/case_split.h"

#include <stdio.h>
#include <string.h>

/* x where the unknowns have these values; false: it is no number then. */
static bool valuation_of(const struct valuation *v, term x, uint64_t *value)
{
    const size_t mark = smt_mark(v->s);
    bool ok;
    x = smt_keep(v->s, Z3_substitute(v->s->z3, x, (unsigned)v->n, v->from, v->to));
    ok = term_value(v->s, smt_keep(v->s, Z3_simplify(v->s->z3, x)), value);
    smt_release(v->s, mark);
    return ok;
}

static bool valuation_mask(const struct valuation *v, const term bits[WARP_LANES], lanemask *mask)
{
    const size_t mark = smt_mark(v->s);
    term word = NULL;
    uint64_t value = 0;
    bool ok;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term bit = term_ite(v->s, bits[k], v_number(v->s, 1, 1), v_number(v->s, 0, 1));
        word = word == NULL ? bit : term_concat(v->s, bit, word);
    }
    ok = valuation_of(v, word, &value);
    smt_release(v->s, mark);
    *mask = (lanemask)value;
    return ok;
}

void valuation_ready(struct valuation *v, struct smt *s, const struct case_split *split)
{
    lanemask members = 0;
    v->s = s;
    v->split = split;
    for (v->n = 0; v->n < split->unknown_count; v->n++) {
        const unsigned width = term_width(s, split->unknowns[v->n]);
        v->from[v->n] = split->unknowns[v->n];
        v->to[v->n] = width == 0 ? term_bool(s, v->values[v->n] != 0) : v_number(s, v->values[v->n], width);
    }
    if (split->members == NULL)
        return;
    valuation_mask(v, split->member, &members);
    v->from[v->n] = split->members;
    v->to[v->n++] = v_number(s, members, 32);
}

/* The value of the unknown NAME[LANE]; 0 when the case split has none. */
static uint32_t named(const struct valuation *v, const char *name, unsigned lane)
{
    char full[32];
    snprintf(full, sizeof full, "%s[%u]", name, lane);
    for (size_t i = 0; i < v->split->unknown_count; i++) {
        Z3_app app = Z3_to_app(v->s->z3, v->split->unknowns[i]);
        Z3_symbol symbol = Z3_get_decl_name(v->s->z3, Z3_get_app_decl(v->s->z3, app));
        if (strcmp(Z3_get_symbol_string(v->s->z3, symbol), full) == 0)
            return (uint32_t)v->values[i];
    }
    return 0;
}

static uint32_t chosen(const struct valuation *v, const struct split_choice *choice, const char *name)
{
    for (unsigned i = 0; i + 1 < choice->n; i++)
        if (named(v, name, i) != 0)
            return (uint32_t)choice->number[i];
    return (uint32_t)choice->number[choice->n - 1];
}

void valuation_case(const struct valuation *v, struct warp_case *c)
{
    const struct case_split *split = v->split;
    const char *a = split->info->type == WARP_PRED ? "q" : "a";
    lanemask members = 0;
    warp_case_init(c, split->info->form);
    c->target = chosen(v, &split->target, "target");
    c->dst = chosen(v, &split->dst, "dst");
    c->negate = named(v, "negate", 0);
    valuation_mask(v, split->active, &c->active);
    valuation_mask(v, split->exited, &c->exited);
    valuation_mask(v, split->member, &members);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        c->a[k] = named(v, a, k);
        c->a_high[k] = named(v, "h", k);
        c->b[k] = named(v, "b", k);
        c->c[k] = named(v, "c", k);
        if (warp_form_is_sync(split->info))
            c->membermask[k] = c->active >> k & 1u ? members : named(v, "y", k);
    }
}
