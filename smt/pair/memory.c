/*
 * Loads and stores. A lane's own frame is a byte for each byte, as long as its addresses are known. What other lanes
 * see is a function of the address, another one after each barrier and in each turn of a loop. What a write may disturb
 * before the next barrier is anything (places.c).
 */
#include "smt/pair/internal.h"

#include <stdio.h>

struct access {
    struct pair *p;
    struct state *st;
    const struct code_instruction *c;
    uint32_t at;
    unsigned lane;
    unsigned bits; /* of an element */
    term when;
    term taint;          /* of the address */
    term address;        /* generic; 64 bits */
    bool may_be_private; /* in the frame or the parameters */
    bool known;          /* it is, at `offset` of the private window */
    uint64_t offset;
};

static void find_address(struct access *a)
{
    struct pair *const p = a->p;
    const enum ptx_space space = a->c->i->space;
    const bool is_parameters = space == SPACE_LOCAL || space == SPACE_PARAM;
    const struct value v = pair_read(p, a->st, a->lane, a->c->address, 64);
    term x = v.x;
    uint64_t number;
    if (a->c->offset != 0)
        x = pair_fold(p, term_add(p->s, x, term_bits(p->s, a->c->offset, 64)));
    if (space == SPACE_SHARED || is_parameters)
        x = pair_fold(p,
                      term_add(p->s, x, term_bits(p->s, is_parameters ? CODE_PRIVATE_WINDOW : CODE_SHARED_WINDOW, 64)));
    a->address = x;
    a->taint = v.taint;
    a->known = false;
    a->may_be_private = is_parameters || (space == SPACE_GENERIC && p->code->frame_bytes > 0);
    if (!term_value(p->s, x, &number) || !a->may_be_private)
        return;
    a->known = number - CODE_PRIVATE_WINDOW < CODE_WINDOW_SIZE;
    a->may_be_private = a->known;
    a->offset = number - CODE_PRIVATE_WINDOW;
}

static void oblige_clean(struct access *a, term taint)
{
    if (taint != NULL && a->lane == 0)
        pair_oblige(a->p, a->at, PAIR_USE, pair_both(a->p, a->when, taint));
}

static struct value load_frame(struct access *a, uint64_t offset)
{
    struct pair *const p = a->p;
    struct value *const frame = a->st->lane[a->lane].frame, v = {NULL, NULL};
    for (unsigned n = 0; n < a->bits / 8; n++) {
        struct value *const byte = &frame[offset + n];
        if (byte->x == NULL)
            byte->x = pair_fresh(p, 8);
        v.x = v.x == NULL ? byte->x : pair_fold(p, term_concat(p->s, byte->x, v.x));
        v.taint = pair_either(p, v.taint, byte->taint);
    }
    return v;
}

static void store_frame(struct access *a, uint64_t offset, struct value v)
{
    struct pair *const p = a->p;
    for (unsigned n = 0; n < a->bits / 8; n++) {
        struct value *const byte = &a->st->lane[a->lane].frame[offset + n];
        const term part = pair_fold(p, term_extract(p->s, 8 * n + 7, 8 * n, v.x));
        const term no = term_bool(p->s, false);
        if (byte->x == NULL)
            byte->x = pair_fresh(p, 8);
        if (pair_is(p, a->when, true) || a->when == a->st->lane[a->lane].here) {
            *byte = (struct value){part, v.taint};
            continue;
        }
        if (byte->taint != NULL || v.taint != NULL)
            byte->taint = pair_ite(p, a->when, v.taint != NULL ? v.taint : no, byte->taint != NULL ? byte->taint : no);
        byte->x = pair_ite(p, a->when, part, byte->x);
    }
}

/* Somewhere in the frame something was written. */
static void spoil_frame(struct access *a)
{
    for (uint64_t n = 0; n < a->p->code->frame_bytes; n++) {
        struct value *const byte = &a->st->lane[a->lane].frame[n];
        byte->x = NULL; /* its taint stays: nothing unpredictable was written */
    }
}

static bool in_frame(const struct access *a, uint64_t offset)
{
    return a->known && offset + a->bits / 8 <= a->p->code->frame_bytes;
}

static struct value load(struct access *a, unsigned n)
{
    struct pair *const p = a->p;
    const struct module_instruction *const i = a->c->i;
    const uint64_t step = (uint64_t)n * (a->bits / 8);
    const term address = step == 0 ? a->address : pair_fold(p, term_add(p->s, a->address, term_bits(p->s, step, 64)));
    char name[64];
    if (in_frame(a, a->offset + step))
        return load_frame(a, a->offset + step);
    if (a->known) { /* a parameter: the same for all threads */
        snprintf(name, sizeof name, "param %u", a->bits);
        return (struct value){pair_function(p, name, a->bits, &address, 1), NULL};
    }
    if (a->may_be_private) {
        struct value v = {pair_fresh(p, a->bits), NULL};
        for (uint64_t k = 0; k < p->code->frame_bytes; k++)
            v.taint = pair_either(p, v.taint, a->st->lane[a->lane].frame[k].taint);
        return v;
    }
    if (i->order != ORDER_NONE && i->order != ORDER_WEAK)
        return (struct value){pair_fresh(p, a->bits), NULL};
    if (p->disturbed[a->at])
        return (struct value){pair_fresh(p, a->bits), NULL};
    if (p->constant[a->at])
        snprintf(name, sizeof name, "constant %u", a->bits);
    else
        snprintf(name, sizeof name, "memory %u %u", p->epoch, a->bits);
    return (struct value){pair_function(p, name, a->bits, &address, 1), NULL};
}

/* A signed value fills a wider register with its sign. */
static void put(struct access *a, unsigned n, struct value v)
{
    if (ptx_type_is_signed(a->c->i->type))
        v.x = pair_sign_extend(a->p, v.x, pair_room(a->p, a->c->dsts[n], a->bits));
    pair_write(a->p, a->st, a->lane, a->c->dsts[n], v, a->when);
}

static void load_all(struct access *a)
{
    for (unsigned n = 0; n < a->c->i->dsts_count; n++)
        put(a, n, load(a, n));
}

static void store_all(struct access *a)
{
    struct pair *const p = a->p;
    for (unsigned n = 1; n < a->c->i->srcs_count; n++) {
        const struct value v = pair_read(p, a->st, a->lane, a->c->srcs[n], a->bits);
        const uint64_t offset = a->offset + (uint64_t)(n - 1) * (a->bits / 8);
        if (in_frame(a, offset)) {
            store_frame(a, offset, v);
            continue;
        }
        oblige_clean(a, v.taint);
        if (a->may_be_private)
            spoil_frame(a);
    }
}

static void change(struct access *a)
{
    struct pair *const p = a->p;
    for (unsigned n = 1; n < a->c->i->srcs_count; n++)
        oblige_clean(a, pair_read(p, a->st, a->lane, a->c->srcs[n], a->bits).taint);
    if (a->may_be_private)
        spoil_frame(a);
    for (unsigned n = 0; n < a->c->i->dsts_count; n++)
        put(a, n, (struct value){pair_fresh(p, a->bits), NULL});
}

void pair_memory(struct pair *p, struct state *st, uint32_t at, const struct code_instruction *c, const term when[2])
{
    const unsigned bits = ptx_type_bits(c->i->type);
    if (bits < 8 || bits > 64) {
        pair_fail(p, ERROR_UNSUPPORTED, "%s:%u: %s is not read by this prover", p->code->module->name, c->i->line,
                  c->i->name);
        return;
    }
    races_access(p, st, at, c, when);
    for (unsigned lane = 0; lane < 2; lane++) {
        struct access a = {.p = p, .st = st, .c = c, .at = at, .lane = lane, .bits = bits, .when = when[lane]};
        find_address(&a);
        oblige_clean(&a, a.taint);
        if (c->kind == CODE_LOAD)
            load_all(&a);
        else if (c->kind == CODE_STORE)
            store_all(&a);
        else
            change(&a);
    }
}
