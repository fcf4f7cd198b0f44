#include "proofs/fast/classes_loop.h"

#include "proofs/fast/scene.h"

#include <string.h>

/* Lanes that are left; some of the group's. */
term classes_left(struct classes *classes, unsigned k)
{
    struct smt *s = classes->proof->d.s;
    return b_and(s, classes->proof->setting.group[k], scene_bool(s, "left", 0, k));
}

static term equal_operands(struct classes *classes, unsigned i, unsigned j)
{
    struct smt *s = classes->proof->d.s;
    term low = v_eq(s, classes->low[i], classes->low[j]);
    if (classes->proof->info->type != WARP_B64)
        return low;
    return b_and(s, low, v_eq(s, classes->high[i], classes->high[j]));
}

/* Bit o of the class of lane k in the group. */
term classes_bit(struct classes *classes, unsigned k, unsigned o)
{
    const term *group = classes->proof->setting.group;
    struct smt *s = classes->proof->d.s;
    return b_and(s, b_and(s, group[k], group[o]), equal_operands(classes, k, o));
}

/* What d of lane k is when the lanes that are left have not been looked at. */
static const struct scalar *word_so_far(struct classes *classes, struct maker *m, unsigned k)
{
    term bits[WARP_LANES];
    for (unsigned o = 0; o < WARP_LANES; o++) {
        bits[o] = b_and(m->s, b_not(m->s, classes_left(classes, k)), classes_bit(classes, k, o));
        if (classes->outside)
            bits[o] =
                b_or(m->s, bits[o],
                     b_and(m->s, b_not(m->s, classes->proof->setting.group[k]), scene_bool(m->s, "outside", k, o)));
    }
    return make_bits(m, WARP_LANES, bits);
}

static bool is_group(struct classes *classes, struct maker *m, const struct value *x)
{
    return x->n == 1 && scalar_same(x->e[0], make_bits(m, WARP_LANES, classes->proof->setting.group));
}

static bool is_zero(const struct value *x)
{
    uint64_t number;
    for (unsigned i = 0; i < x->n; i++)
        if (!is_known(x->e[i], &number) || number != 0 || x->e[i]->poison != NULL)
            return false;
    return true;
}

static bool is_limit(const struct value *x)
{
    return x->n == 1 && x->e[0]->kind == KNOWN && x->e[0]->number == WARP_LANES && x->e[0]->poison == NULL;
}

/* The loop over the operands that are left: at first all the group's lanes are, and d is 0. */
static bool is_loop(struct machine *machine, void *context, const struct value *const *phis, unsigned n)
{
    struct classes *classes = context;
    bool has_rest = false;
    unsigned words = 0;
    classes->has_limit = false;
    for (unsigned i = 0; i < n; i++) {
        if (!has_rest && is_group(classes, &machine->m, phis[i])) {
            classes->rest_phi = i;
            has_rest = true;
        } else if (!classes->has_limit && is_limit(phis[i])) {
            classes->limit_phi = i;
            classes->has_limit = true;
        } else if (is_zero(phis[i])) {
            words += phis[i]->n * phis[i]->e[0]->width / 32;
        } else {
            return false;
        }
    }
    classes->in_memory = words == 0;
    return has_rest && (words == 0 || words == WARP_LANES);
}

/* The phis of d in the order of the lanes: calls visit(context, first lane, phi). */
static void each_word_phi(struct classes *classes, unsigned n, const struct value **phis,
                          void (*visit)(struct classes *classes, struct machine *machine, unsigned lane,
                                        const struct value **phi),
                          struct machine *machine)
{
    unsigned lane = classes->upward ? 0 : WARP_LANES;
    for (unsigned i = 0; i < n; i++) {
        unsigned words;
        if (i == classes->rest_phi || (classes->has_limit && i == classes->limit_phi))
            continue;
        words = phis[i]->n * phis[i]->e[0]->width / 32;
        lane -= classes->upward ? 0 : words;
        visit(classes, machine, lane, &phis[i]);
        lane += classes->upward ? words : 0;
    }
}

static void put_words(struct classes *classes, struct machine *machine, unsigned lane, const struct value **phi)
{
    struct maker *m = &machine->m;
    const unsigned per = (*phi)->e[0]->width / 32;
    struct value *v = make_vector(m, (*phi)->n);
    for (unsigned i = 0; i < v->n; i++) {
        v->e[i] = word_so_far(classes, m, lane + i * per);
        for (unsigned w = 1; w < per; w++)
            v->e[i] = scalar_concat(m, word_so_far(classes, m, lane + i * per + w), v->e[i]);
    }
    *phi = v;
}

static void take_word(struct classes *classes, struct maker *m, unsigned lane, const struct scalar *x)
{
    struct way *way = &classes->ways[classes->count];
    as_bits(m, x, way->row[lane]);
    if (x->poison != NULL)
        way->sound = b_and(m->s, way->sound, b_not(m->s, x->poison));
}

static void take_words(struct classes *classes, struct machine *machine, unsigned lane, const struct value **phi)
{
    const unsigned per = (*phi)->e[0]->width / 32;
    for (unsigned i = 0; i < (*phi)->n; i++)
        for (unsigned w = 0; w < per; w++)
            take_word(classes, &machine->m, lane + i * per + w, scalar_slice(&machine->m, (*phi)->e[i], 32 * w, 32));
}

/* The limit is 32 less the rounds t that were done, and the lowest t lanes are done. */
static term rounds_done(struct smt *s, unsigned t)
{
    return scene_bool(s, "rounds", 0, t);
}

const struct scalar *classes_limit(struct maker *m, unsigned width)
{
    term when[WARP_LANES];
    uint64_t number[WARP_LANES];
    for (unsigned t = 0; t < WARP_LANES; t++) {
        when[t] = t + 1 == WARP_LANES ? term_bool(m->s, true) : rounds_done(m->s, t);
        number[t] = WARP_LANES - t;
    }
    return make_choice(m, width, WARP_LANES, when, number);
}

/* The lanes below t are not left, where t rounds were done. */
term classes_limit_holds(struct maker *m, const struct scalar *limit, const term rest[WARP_LANES])
{
    term all = term_bool(m->s, true), some = term_bool(m->s, false);
    for (unsigned t = 0; t < WARP_LANES; t++) {
        term here = as_bool(m, arith_compare(m, LLVMIntEQ, limit, make_known(m, limit->width, WARP_LANES - t)));
        some = term_or(m->s, some, here);
        for (unsigned k = 0; k < t; k++)
            all = term_and(m->s, all, term_or(m->s, term_not(m->s, here), term_not(m->s, rest[k])));
    }
    return term_and(m->s, all, some);
}

/* Where the kernel writes d (strip.c). */
static unsigned row_object(struct machine *machine)
{
    for (unsigned i = 0; i < machine->object_count; i++)
        if (strcmp(machine->objects[i].name, "the strip's d") == 0)
            return i;
    fail(&machine->m, "match.any has no row");
}

static void begin_loop(struct classes *classes, struct machine *machine, const struct value **phis, unsigned n)
{
    struct maker *m = &machine->m;
    const unsigned row = row_object(machine);
    term bits[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = classes_left(classes, k);
    each_word_phi(classes, n, phis, put_words, machine);
    phis[classes->rest_phi] = make_value(m, make_bits(m, WARP_LANES, bits));
    if (classes->has_limit)
        phis[classes->limit_phi] = make_value(m, classes_limit(m, phis[classes->limit_phi]->e[0]->width));
    for (unsigned k = 0; classes->in_memory && k < WARP_LANES; k++) {
        uint64_t number;
        const struct scalar *x = scene_get(machine, row, 4 * k, 32);
        if (!is_known(x, &number) || number != 0 || x->poison != NULL)
            fail(m, "the row of match.any is not cleared before the loop");
        scene_put(machine, row, 4 * k, word_so_far(classes, m, k));
    }
}

static void cut_loop(struct machine *machine, void *context, bool again, const struct value **phis, unsigned n)
{
    struct classes *classes = context;
    struct maker *m = &machine->m;
    struct way *way = &classes->ways[classes->count];
    const struct scalar *rest;
    if (!again) {
        begin_loop(classes, machine, phis, n);
        return;
    }
    if (classes->count == WAYS)
        fail(m, "the loop of match.any goes on in too many ways");
    rest = phis[classes->rest_phi]->e[0];
    way->path = term_all(m->s, machine->path, machine->path_count);
    way->sound = term_bool(m->s, rest->poison == NULL);
    as_bits(m, rest, way->rest);
    if (classes->has_limit)
        way->sound = classes_limit_holds(m, phis[classes->limit_phi]->e[0], way->rest);
    each_word_phi(classes, n, phis, take_words, machine);
    for (unsigned k = 0; classes->in_memory && k < WARP_LANES; k++)
        take_word(classes, m, k, scene_get(machine, row_object(machine), 4 * k, 32));
    classes->count++;
}

void classes_run(struct machine *machine, void *context)
{
    struct classes *classes = context;
    struct proof *proof = classes->proof;
    const struct scalar *group = make_bits(&machine->m, WARP_LANES, proof->setting.group);
    classes->count = 0;
    machine->cut_function = LLVMGetValueName(proof->kernel);
    machine->cut_wanted = is_loop;
    machine->cut = cut_loop;
    machine->cut_context = classes;
    strip_run(machine, &proof->setting, proof->kernel, false, 1, &group, &classes->row);
}
