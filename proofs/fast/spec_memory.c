#include "proofs/fast/spec_memory.h"

#include <stdio.h>

void spec_memory_put(struct machine *machine, unsigned object, uint64_t at, const struct scalar *x)
{
    memory_store(&machine->m, &machine->now, object, machine->sizes[object], at, x);
}

const struct scalar *spec_memory_get(struct machine *machine, unsigned object, uint64_t at, unsigned width)
{
    return memory_load(&machine->m, &machine->now, object, at, width);
}

term spec_memory_bool(struct smt *s, const char *name, unsigned k, unsigned i)
{
    char full[64];
    snprintf(full, sizeof full, "%s[%u][%u]", name, k, i);
    return term_constant(s, s->bool_sort, full);
}

const struct scalar *spec_memory_bits(struct maker *m, const char *name, unsigned k)
{
    term bits[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++)
        bits[i] = spec_memory_bool(m->s, name, k, i);
    return make_bits(m, WARP_LANES, bits);
}

const struct scalar *spec_memory_word(struct maker *m, const char *name, unsigned k)
{
    char full[64];
    snprintf(full, sizeof full, "%s[%u]", name, k);
    return make_term(m, term_constant(m->s, m->s->word_sort, full));
}

const struct scalar *spec_memory_info(struct machine *machine, const struct case_split *split)
{
    const struct value *form = make_value(&machine->m, make_known(&machine->m, 32, split->info->form));
    return machine_call(machine, "warp_form_get", &form, 1)->e[0];
}

const char *spec_memory_instruction(const struct warp_form_info *info)
{
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        return "spec_shfl";
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        return "spec_vote";
    case WARP_MATCH_SYNC:
        return "spec_match";
    case WARP_REDUX_SYNC:
        return "spec_redux";
    case WARP_ACTIVEMASK:
        return "spec_activemask";
    case WARP_BAR_WARP:
        return "spec_bar_warp";
    case WARP_ELECT:
        return "spec_elect";
    case WARP_FAMILIES:
        break;
    }
    return "no instruction";
}

term spec_memory_same(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    term a[64], b[64];
    if (x->width != y->width || x->width > 64)
        fail(m, "words of different widths are compared");
    if (!scalar_same(x, y)) {
        as_bits(m, x, a);
        as_bits(m, y, b);
        for (unsigned k = 0; k < x->width; k++)
            a[k] = b_not(m->s, b_xor(m->s, a[k], b[k]));
    }
    return b_and(m->s, scalar_same(x, y) ? term_bool(m->s, true) : b_all(m->s, a, x->width),
                 x->poison == NULL ? term_bool(m->s, true) : b_not(m->s, x->poison));
}
