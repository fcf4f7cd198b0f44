/*
 * Walking the code with both lanes at once. Each block is walked when all blocks before it were; where paths join, what
 * the lane holds is a choice by the path that it came on. The order in which places are walked is the rank of the
 * argument that nobody waits for ever (SOUNDNESS.md).
 *
 * A loop whose turns are the same for all lanes is unrolled. Of any other the first turn is walked, and then one that
 * stands for all further ones: it begins with anything that the loop's invariants allow. Invariants are guessed and
 * what does not hold, and is not kept by a turn, is dropped (Houdini: Flanagan and Leino).
 */
#include "smt/pair/internal.h"

#include "kernel/exec/print.h"

#include <stdlib.h>
#include <string.h>

#define UNROLL_MAX       130u
#define UNROLL_ASKED_MAX 12u /* of a loop whose turns are known to be the same by the solver alone */

/* A function being walked. */
struct activation {
    struct flow *flow;
    struct state **pending; /* per block: what has come to it so far; NULL: nobody */
    struct state **back;    /* per loop: what goes back to its head */
    struct state *returned;
};

/* --- states --- */

bool pair_state_new(struct pair *p, struct state *st)
{
    bool good = true;
    for (unsigned i = 0; i < 2; i++) {
        st->lane[i].rows = calloc(p->registers + 1, sizeof *st->lane[i].rows);
        st->lane[i].frame = calloc(p->code->frame_bytes + 1, sizeof *st->lane[i].frame);
        good = good && st->lane[i].rows != NULL && st->lane[i].frame != NULL;
    }
    if (!good)
        pair_fail(p, ERROR_SYSTEM, "out of memory");
    return good;
}

void pair_state_free(struct state *st)
{
    for (unsigned i = 0; i < 2; i++) {
        free(st->lane[i].rows);
        free(st->lane[i].frame);
    }
}

static void state_drop(struct state **st)
{
    if (*st == NULL)
        return;
    pair_state_free(*st);
    free(*st);
    *st = NULL;
}

static void copy_lane(struct pair *p, struct lane_state *to, const struct lane_state *from)
{
    to->here = from->here;
    memcpy(to->rows, from->rows, p->registers * sizeof *to->rows);
    memcpy(to->frame, from->frame, p->code->frame_bytes * sizeof *to->frame);
}

static struct state *state_copy(struct pair *p, const struct state *from)
{
    struct state *const st = calloc(1, sizeof *st);
    if (st == NULL || !pair_state_new(p, st)) {
        free(st);
        pair_fail(p, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    for (unsigned i = 0; i < 2; i++)
        copy_lane(p, &st->lane[i], &from->lane[i]);
    return st;
}

static void merge_value(struct pair *p, struct value *to, const struct value *from, term when, unsigned bits)
{
    const term no = term_bool(p->s, false);
    if (to->x == from->x && to->taint == from->taint)
        return;
    /* One path does not write it: who comes that way reads anything. */
    if (to->x == NULL)
        to->x = pair_fresh(p, bits);
    if (to->taint != NULL || from->taint != NULL) {
        to->taint = pair_ite(p, when, from->taint != NULL ? from->taint : no, to->taint != NULL ? to->taint : no);
        if (pair_is(p, to->taint, false))
            to->taint = NULL;
    }
    to->x = pair_ite(p, when, from->x != NULL ? from->x : pair_fresh(p, bits), to->x);
}

/* Where states are delivered: what is not read from there on is forgotten. Without a flow all is kept. */
struct where {
    const struct flow *flow;
    uint32_t block;
};
static const struct where anywhere = {NULL, 0};

/* Lane by lane: who is in neither, or in one only, needs no choice. */
static void merge(struct pair *p, struct state *to, const struct state *from, struct where to_where)
{
    for (unsigned i = 0; i < 2; i++) {
        struct lane_state *const a = &to->lane[i];
        const struct lane_state *const b = &from->lane[i];
        if (pair_is(p, b->here, false))
            continue;
        if (pair_is(p, a->here, false)) {
            copy_lane(p, a, b);
            continue;
        }
        for (uint32_t r = 0; r < p->registers; r++)
            if (to_where.flow != NULL && !flow_is_live(to_where.flow, to_where.block, r))
                a->rows[r] = (struct value){NULL, NULL};
            else
                merge_value(p, &a->rows[r], &b->rows[r], b->here, p->bits[r]);
        for (uint64_t n = 0; n < p->code->frame_bytes; n++)
            merge_value(p, &a->frame[n], &b->frame[n], b->here, 8);
        a->here = pair_either(p, a->here, b->here);
    }
}

static void deliver(struct pair *p, struct state **to, struct where where, const struct state *from, const term here[2])
{
    struct state *st;
    if (pair_is(p, here[0], false) && pair_is(p, here[1], false))
        return;
    st = state_copy(p, from);
    if (st == NULL)
        return;
    st->lane[0].here = here[0];
    st->lane[1].here = here[1];
    if (*to == NULL) {
        *to = st;
        return;
    }
    merge(p, *to, st, where);
    state_drop(&st);
}

/* --- one block --- */

static bool loop_has(const struct flow *flow, uint32_t loop, uint32_t block)
{
    return loop == MODULE_NONE || flow->loops[loop].has[block];
}

#define QUICK_MAX 16u

/* A block in which lanes exit without waiting for anybody, and that is none to which those at a barrier come, too. */
static bool is_quick_end(const struct pair *p, const struct flow *flow, uint32_t block)
{
    const struct module_block *const b = &flow->f->blocks[block];
    if (b->next_count != 0 || b->falls_through || b->count > QUICK_MAX)
        return false;
    for (uint32_t n = 0; n < b->count; n++) {
        const enum code_kind kind = p->code->instructions[flow->first + b->first + n].kind;
        if (kind == CODE_WARP || kind == CODE_BARRIER || kind == CODE_CALL || kind == CODE_RETURN || kind == CODE_END ||
            p->code->instructions[flow->first + b->first + n].passes != CODE_NO_ROW)
            return false;
    }
    return true;
}

static void walk_block(struct pair *p, struct activation *a, uint32_t block, struct state *st);

/* Lanes that go to such a block have exited from here on: who waits later does not wait for them. */
static void end_here(struct pair *p, struct activation *a, uint32_t block, const struct state *st, const term here[2])
{
    struct state *ending = NULL;
    deliver(p, &ending, anywhere, st, here);
    if (ending != NULL && !pair_failed(p))
        walk_block(p, a, block, ending);
    state_drop(&ending);
}

/* Follows an edge: back to the head of a loop that has both ends, or on. */
static void follow(struct pair *p, struct activation *a, uint32_t from, uint32_t to, const struct state *st,
                   const term here[2])
{
    for (uint32_t l = 0; l < a->flow->loops_count; l++)
        if (a->flow->loops[l].head == to && a->flow->loops[l].has[from]) {
            deliver(p, &a->back[l], (struct where){a->flow, to}, st, here);
            return;
        }
    if (is_quick_end(p, a->flow, to))
        end_here(p, a, to, st, here);
    else
        deliver(p, &a->pending[to], (struct where){a->flow, to}, st, here);
}

static void pair_function_walk(struct pair *p, uint32_t index, struct state *st);

static void guards(struct pair *p, struct state *st, uint32_t at, const struct code_instruction *c, term when[2])
{
    for (unsigned i = 0; i < 2; i++) {
        struct value g;
        when[i] = st->lane[i].here;
        if (c->guard == CODE_NO_ROW)
            continue;
        g = pair_read(p, st, i, c->guard, 1);
        if (g.taint != NULL && i == 0)
            pair_oblige(p, at, PAIR_USE, pair_both(p, when[0], g.taint));
        when[i] = pair_both(p, when[i], c->i->guard_negate ? pair_not(p, g.x) : g.x);
    }
}

static void leave(struct pair *p, struct state *st, const term when[2])
{
    for (unsigned i = 0; i < 2; i++)
        st->lane[i].here = pair_but(p, st->lane[i].here, when[i]);
}

static const struct module_variable *formal_of(const struct pair *p, uint32_t variable)
{
    return &p->code->module->variables[variable];
}

/* Copies bytes within the frames of both lanes; what is no place of a frame becomes anything. */
static void copy_bytes(struct pair *p, struct state *st, uint64_t to, uint64_t from, uint64_t size)
{
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t n = 0; n < size && to + n < p->code->frame_bytes; n++)
            st->lane[i].frame[to + n] =
                from + n < p->code->frame_bytes ? st->lane[i].frame[from + n] : (struct value){NULL, NULL};
}

/* A register or a constant to bytes of a frame. */
static void spread_bytes(struct pair *p, struct state *st, uint64_t to, uint32_t row, uint64_t size)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct value v = pair_read(p, st, i, row, 64);
        for (uint64_t n = 0; n < size && n < 8 && to + n < p->code->frame_bytes; n++)
            st->lane[i].frame[to + n] =
                (struct value){pair_fold(p, term_extract(p->s, 8 * (unsigned)n + 7, 8 * (unsigned)n, v.x)), v.taint};
    }
}

static struct value gather_bytes(struct pair *p, const struct state *st, unsigned lane, uint64_t from, uint64_t size)
{
    struct value x = {pair_fresh(p, 64), NULL};
    for (uint64_t n = 0; n < size && from + n < p->code->frame_bytes; n++)
        x.taint = pair_either(p, x.taint, st->lane[lane].frame[from + n].taint);
    return x;
}

/* What the callee holds from a call before is forgotten: it begins with anything, and with its arguments. */
static void pass_arguments(struct pair *p, struct state *st, const struct code_instruction *c, uint32_t index)
{
    const struct module_function *const f = p->flows[index].f;
    const uint32_t function = p->code->functions[index].function;
    for (uint32_t k = 0; k < p->code->module->variables_count; k++) {
        const struct module_variable *const v = formal_of(p, k);
        if (v->function == function && (v->space == SPACE_PARAM || v->space == SPACE_LOCAL) && v->reg == MODULE_NONE)
            copy_bytes(p, st, p->code->places[k], UINT64_MAX / 2, v->size);
    }
    for (uint32_t r = 0; r < f->registers_count; r++)
        for (unsigned i = 0; i < 2; i++)
            st->lane[i].rows[p->flows[index].rows + r] = (struct value){NULL, NULL};
    for (unsigned n = 0; n < c->i->srcs_count && n < f->params_count; n++) {
        const struct module_operand *const o = &c->i->srcs[n];
        const struct module_variable *const v = formal_of(p, f->params[n]);
        const uint64_t to = p->code->places[f->params[n]];
        if (o->kind == OPERAND_VARIABLE) {
            const uint64_t size = formal_of(p, o->variable)->size;
            copy_bytes(p, st, to, p->code->places[o->variable], size < v->size ? size : v->size);
        } else if (c->srcs[n] != CODE_NO_ROW && v->reg == MODULE_NONE) {
            spread_bytes(p, st, to, c->srcs[n], v->size);
        } else if (c->srcs[n] != CODE_NO_ROW) {
            for (unsigned i = 0; i < 2; i++)
                pair_write(p, st, i, p->code->registers + p->flows[index].rows + v->reg,
                           pair_read(p, st, i, c->srcs[n], 64), term_bool(p->s, true));
        }
    }
}

static void pass_back(struct pair *p, struct state *st, const struct code_instruction *c, uint32_t index)
{
    const struct module_function *const f = p->flows[index].f;
    for (unsigned n = 0; n < c->i->dsts_count && n < f->returns_count; n++) {
        const struct module_operand *const o = &c->i->dsts[n];
        const struct module_variable *const v = formal_of(p, f->returns[n]);
        if (o->kind == OPERAND_VARIABLE) {
            const uint64_t size = formal_of(p, o->variable)->size;
            copy_bytes(p, st, p->code->places[o->variable], p->code->places[f->returns[n]],
                       size < v->size ? size : v->size);
            continue;
        }
        for (unsigned i = 0; i < 2 && c->dsts[n] != CODE_NO_ROW; i++) {
            const struct value x = v->reg != MODULE_NONE
                                       ? pair_read(p, st, i, p->code->registers + p->flows[index].rows + v->reg, 64)
                                       : gather_bytes(p, st, i, p->code->places[f->returns[n]], v->size);
            pair_write(p, st, i, c->dsts[n], x, term_bool(p->s, true));
        }
    }
}

static void call(struct pair *p, struct state *st, const struct code_instruction *c, const term when[2])
{
    struct state *inside = state_copy(p, st);
    uint32_t index = 0;
    if (inside == NULL)
        return;
    inside->lane[0].here = when[0];
    inside->lane[1].here = when[1];
    while (index < p->code->functions_count && p->code->functions[index].first != c->target)
        index++;
    pass_arguments(p, inside, c, index);
    pair_function_walk(p, index, inside);
    leave(p, st, when);
    pass_back(p, inside, c, index);
    merge(p, st, inside, anywhere);
    state_drop(&inside);
}

/* The n-th number that lane 0 gives to a function outside of the module; `taint` gets when it is unpredictable. */
static term given(struct pair *p, const struct state *st, const struct code_instruction *c, unsigned n, term *taint)
{
    const struct module_operand *const o = &c->i->srcs[n];
    term x = NULL;
    if (o->kind != OPERAND_VARIABLE) {
        const struct value v = pair_read(p, st, 0, c->srcs[n], 64);
        *taint = pair_either(p, *taint, v.taint);
        return v.x;
    }
    for (uint64_t k = 0; k < p->code->module->variables[o->variable].size; k++) {
        const struct value byte = st->lane[0].frame[p->code->places[o->variable] + k];
        const term bits = byte.x != NULL ? byte.x : pair_fresh(p, 8);
        *taint = pair_either(p, *taint, byte.taint);
        if (k < 8)
            x = x == NULL ? bits : pair_fold(p, term_concat(p->s, bits, x));
    }
    return x != NULL ? x : pair_fresh(p, 64);
}

/* When an argument of printf is unpredictable. Where it is not known which bytes are printed, all of the frame may be.
 */
static term taint_of_printed(struct pair *p, const struct state *st, term format, term arguments)
{
    uint64_t text = 0, at = 0;
    const bool is_known = term_value(p->s, arguments, &at) && term_value(p->s, format, &text);
    bool printed[PRINTED_MAX] = {false};
    term taint = NULL;
    if (is_known)
        print_mark_arguments(p->code, text, printed);
    for (uint64_t n = 0; n < p->code->frame_bytes; n++) {
        const uint64_t k = n + CODE_PRIVATE_WINDOW - at;
        if (!is_known || (k < PRINTED_MAX && printed[k]))
            taint = pair_either(p, taint, st->lane[0].frame[n].taint);
    }
    return taint;
}

static void oblige_given(struct pair *p, const struct state *st, uint32_t at, const struct code_instruction *c,
                         term when)
{
    term taint = NULL, x[2] = {NULL, NULL};
    for (unsigned n = 0; n < c->i->srcs_count; n++)
        x[n & 1] = given(p, st, c, n, &taint);
    if (c->external == CODE_PRINTF && c->i->srcs_count == 2)
        taint = pair_either(p, taint, taint_of_printed(p, st, x[0], x[1]));
    if (taint != NULL)
        pair_oblige(p, at, PAIR_USE, pair_both(p, when, taint));
}

/* What comes back from printf and the like is anything. */
static void call_outside(struct pair *p, struct state *st, uint32_t at, const struct code_instruction *c, term when)
{
    oblige_given(p, st, at, c, when);
    for (unsigned d = 0; d < c->i->dsts_count; d++) {
        const struct module_operand *const o = &c->i->dsts[d];
        const bool in_frame =
            o->kind == OPERAND_VARIABLE &&
            p->code->places[o->variable] + p->code->module->variables[o->variable].size <= p->code->frame_bytes;
        if (!in_frame) {
            pair_fail(p, ERROR_UNSUPPORTED, "%s:%u: the result of %s is not read by this prover", p->code->module->name,
                      c->i->line, c->i->name);
            return;
        }
        for (unsigned i = 0; i < 2; i++)
            for (uint64_t n = 0; n < p->code->module->variables[o->variable].size; n++)
                st->lane[i].frame[p->code->places[o->variable] + n].x = NULL;
    }
}

/* Branches by an index: who has none of the indices takes the last. */
static void indexed(struct pair *p, struct activation *a, uint32_t block, struct state *st, uint32_t at,
                    const struct code_instruction *c, const term when[2])
{
    struct smt *const s = p->s;
    term left[2] = {when[0], when[1]};
    for (uint32_t k = 0; k < c->i->targets_count; k++) {
        term here[2];
        for (unsigned i = 0; i < 2; i++) {
            const struct value v = pair_read(p, st, i, c->srcs[0], 32);
            const term is =
                k + 1 == c->i->targets_count ? term_bool(s, true) : pair_fold(p, term_eq(s, v.x, term_word(s, k)));
            if (v.taint != NULL && i == 0 && k == 0)
                pair_oblige(p, at, PAIR_USE, pair_both(p, when[0], v.taint));
            here[i] = pair_both(p, left[i], is);
            left[i] = pair_both(p, left[i], pair_not(p, is));
        }
        follow(p, a, block, a->flow->f->instructions[c->targets[k] - a->flow->first].block, st, here);
    }
}

/* Nobody comes here: the input is not one that the kernel is for. */
static void assume_not(struct pair *p, struct state *st, const term when[2])
{
    p->restricted = true;
    for (unsigned i = 0; i < 2; i++)
        pair_assume(p, term_not(p->s, when[i]));
    leave(p, st, when);
}

/* One instruction; branches and the end of the block are followed. */
static void step(struct pair *p, struct activation *a, uint32_t block, struct state *st, uint32_t at)
{
    const struct code_instruction *const c = &p->code->instructions[at];
    const bool plain = c->kind == CODE_ROW || c->kind == CODE_UNPACK || c->kind == CODE_CVTA ||
                       c->kind == CODE_ISSPACEP || c->kind == CODE_CLOCK;
    term when[2];
    guards(p, st, at, c, when);
    if (plain) {
        for (unsigned i = 0; i < 2; i++)
            pair_compute(p, st, c, i,
                         c->guard == CODE_NO_ROW ? term_bool(p->s, true)
                                                 : (c->i->guard_negate ? pair_not(p, pair_read(p, st, i, c->guard, 1).x)
                                                                       : pair_read(p, st, i, c->guard, 1).x));
        return;
    }
    switch (c->kind) {
    case CODE_LOAD:
    case CODE_STORE:
    case CODE_ATOMIC:
        pair_memory(p, st, at, c, when);
        break;
    case CODE_WARP:
        pair_meet(p, st, at, c, when);
        break;
    case CODE_BARRIER:
        pair_barrier(p, st, at, c, when);
        break;
    case CODE_BRANCH:
        follow(p, a, block, a->flow->f->instructions[c->target - a->flow->first].block, st, when);
        leave(p, st, when);
        break;
    case CODE_INDEXED:
        indexed(p, a, block, st, at, c, when);
        leave(p, st, when);
        break;
    case CODE_CALL:
        call(p, st, c, when);
        break;
    case CODE_EXTERNAL:
        if (c->external == CODE_ASSERTFAIL)
            assume_not(p, st, when);
        else
            call_outside(p, st, at, c, when[0]);
        break;
    case CODE_TRAP:
        assume_not(p, st, when);
        break;
    case CODE_RETURN:
        deliver(p, &a->returned, anywhere, st, when);
        leave(p, st, when);
        break;
    case CODE_EXIT:
        for (unsigned i = 0; i < 2; i++)
            p->exited[i] = pair_either(p, p->exited[i], when[i]);
        leave(p, st, when);
        break;
    case CODE_END: /* the lane stays, and takes part in nothing more */
        leave(p, st, when);
        break;
    case CODE_FENCE:
    case CODE_NOTHING:
    case CODE_ROW:
    case CODE_UNPACK:
    case CODE_CVTA:
    case CODE_ISSPACEP:
    case CODE_CLOCK:
        break;
    }
}

static void walk_block(struct pair *p, struct activation *a, uint32_t block, struct state *st)
{
    const struct module_block *const b = &a->flow->f->blocks[block];
    for (uint32_t n = 0; n < b->count && !pair_failed(p); n++) {
        if (p->steps_left == 0)
            pair_fail(p, ERROR_TIMEOUT, "the code is too long to be walked, its loops unrolled");
        else
            p->steps_left--;
        step(p, a, block, st, a->flow->first + b->first + n);
    }
    if (b->falls_through && !pair_failed(p)) {
        const term here[2] = {st->lane[0].here, st->lane[1].here};
        follow(p, a, block, block + 1, st, here);
    }
}

/* --- regions --- */

static void walk_loop(struct pair *p, struct activation *a, uint32_t loop, struct state *entry);

/* The loop that lies directly in `region` and has the block; MODULE_NONE: the block lies in the region itself. */
static uint32_t child_with(const struct flow *flow, uint32_t region, uint32_t block)
{
    uint32_t l = flow->loop[block];
    if (l == region)
        return MODULE_NONE;
    while (flow->loops[l].parent != region)
        l = flow->loops[l].parent;
    return l;
}

static bool is_back(const struct flow *flow, uint32_t from, uint32_t to)
{
    for (uint32_t l = 0; l < flow->loops_count; l++)
        if (flow->loops[l].head == to && flow->loops[l].has[from])
            return true;
    return false;
}

/* How many edges come to each node of the region from within it; a loop is one node, its head. */
static void count_edges(const struct flow *flow, uint32_t region, uint32_t *waits, int by, uint32_t node)
{
    const struct module_function *const f = flow->f;
    for (uint32_t b = 0; b < f->blocks_count; b++) {
        const uint32_t child =
            flow->reached[b] && loop_has(flow, region, b) ? child_with(flow, region, b) : MODULE_NONE;
        if (!flow->reached[b] || !loop_has(flow, region, b))
            continue;
        if (node != MODULE_NONE && (child == MODULE_NONE ? b : flow->loops[child].head) != node)
            continue;
        for (uint32_t k = 0; k <= f->blocks[b].next_count; k++) {
            const bool falls = k == f->blocks[b].next_count;
            const uint32_t to = falls ? b + 1 : f->blocks[b].next[k];
            if ((falls && !f->blocks[b].falls_through) || to >= f->blocks_count || !loop_has(flow, region, to))
                continue;
            if (is_back(flow, b, to) || (child != MODULE_NONE && flow->loops[child].has[to]))
                continue;
            waits[to] += (uint32_t)by;
        }
    }
}

static bool is_end(const struct flow *flow, uint32_t b)
{
    return flow->f->blocks[b].next_count == 0 && !flow->f->blocks[b].falls_through;
}

/* Who can be walked now: first those where lanes end, then in the order of the code. */
static uint32_t next_node(const struct flow *flow, uint32_t region, const uint32_t *waits, const bool *done)
{
    uint32_t found = MODULE_NONE;
    for (uint32_t b = 0; b < flow->f->blocks_count; b++) {
        uint32_t child;
        if (!flow->reached[b] || !loop_has(flow, region, b) || done[b] || waits[b] != 0)
            continue;
        child = child_with(flow, region, b);
        if (child != MODULE_NONE && flow->loops[child].head != b)
            continue;
        if (is_end(flow, b))
            return b;
        if (found == MODULE_NONE)
            found = b;
    }
    return found;
}

/* Walks the blocks of a loop (MODULE_NONE: of the function) once, from `start`. */
static void walk_region(struct pair *p, struct activation *a, uint32_t region, uint32_t start, const struct state *st)
{
    const struct flow *const flow = a->flow;
    uint32_t *const waits = calloc(flow->f->blocks_count + 1, sizeof *waits);
    bool *const done = calloc(flow->f->blocks_count + 1, sizeof *done);
    uint32_t b = start;
    if (waits == NULL || done == NULL)
        pair_fail(p, ERROR_SYSTEM, "out of memory");
    if (!pair_failed(p)) {
        const term here[2] = {st->lane[0].here, st->lane[1].here};
        count_edges(flow, region, waits, 1, MODULE_NONE);
        waits[start] = 0;
        deliver(p, &a->pending[start], (struct where){flow, start}, st, here);
    }
    for (; !pair_failed(p) && b != MODULE_NONE; b = next_node(flow, region, waits, done)) {
        const uint32_t child = child_with(flow, region, b);
        struct state *now = a->pending[b];
        done[b] = true;
        a->pending[b] = NULL;
        if (now != NULL && child != MODULE_NONE)
            walk_loop(p, a, child, now);
        else if (now != NULL)
            walk_block(p, a, b, now);
        state_drop(&now);
        count_edges(flow, region, waits, -1, b);
    }
    for (b = 0; !pair_failed(p) && b < flow->f->blocks_count; b++)
        if (loop_has(flow, region, b) && a->pending[b] != NULL)
            pair_fail(p, ERROR_INTERNAL, "%s: a block is never walked", p->code->module->name);
    free(waits);
    free(done);
}

static bool activate(struct pair *p, struct activation *a, struct flow *flow)
{
    *a = (struct activation){flow, calloc(flow->f->blocks_count + 1, sizeof *a->pending),
                             calloc(flow->loops_count + 1, sizeof *a->back), NULL};
    if (a->pending == NULL || a->back == NULL)
        pair_fail(p, ERROR_SYSTEM, "out of memory");
    return !pair_failed(p);
}

static void deactivate(struct activation *a)
{
    for (uint32_t b = 0; a->pending != NULL && b < a->flow->f->blocks_count; b++)
        state_drop(&a->pending[b]);
    for (uint32_t l = 0; a->back != NULL && l < a->flow->loops_count; l++)
        state_drop(&a->back[l]);
    state_drop(&a->returned);
    free(a->pending);
    free(a->back);
}

static void pair_function_walk(struct pair *p, uint32_t index, struct state *st)
{
    struct activation a;
    if (activate(p, &a, &p->flows[index]))
        walk_region(p, &a, MODULE_NONE, 0, st);
    st->lane[0].here = st->lane[1].here = term_bool(p->s, false);
    if (!pair_failed(p) && a.returned != NULL)
        for (unsigned i = 0; i < 2; i++)
            copy_lane(p, &st->lane[i], &a.returned->lane[i]);
    deactivate(&a);
}

void pair_walk(struct pair *p, struct state *st)
{
    uint32_t index = 0;
    while (p->code->functions[index].first != p->code->start)
        index++;
    pair_function_walk(p, index, st);
}

/* --- what a loop does --- */

struct effect {
    bool *writes; /* per register */
    bool stores;  /* into a frame, perhaps */
    bool may_taint, exits;
    bool shares; /* accesses shared memory, perhaps, where races are asked about */
};

static void note_code(struct pair *p, struct effect *e, uint32_t first, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const struct code_instruction *const c = &p->code->instructions[first + n];
        for (unsigned d = 0; d < c->i->dsts_count; d++)
            if (c->dsts[d] != CODE_NO_ROW && c->dsts[d] >= p->code->registers)
                e->writes[c->dsts[d] - p->code->registers] = true;
        e->stores |= (c->kind == CODE_STORE || c->kind == CODE_ATOMIC) && c->i->space != SPACE_GLOBAL &&
                     c->i->space != SPACE_SHARED;
        e->may_taint |= c->kind == CODE_WARP;
        e->exits |= c->kind == CODE_EXIT;
        e->shares |= p->options->races && p->may_be_shared[first + n];
        e->stores |= c->kind == CODE_CALL || c->kind == CODE_EXTERNAL;
        for (uint32_t k = 0; c->kind == CODE_CALL && k < p->code->functions_count; k++)
            if (p->code->functions[k].first == c->target)
                note_code(p, e, p->flows[k].first, p->flows[k].f->instructions_count);
    }
}

static bool find_effect(struct pair *p, const struct flow *flow, uint32_t loop, const struct state *entry,
                        struct effect *e)
{
    *e = (struct effect){.writes = calloc(p->registers + 1, sizeof *e->writes)};
    if (e->writes == NULL) {
        pair_fail(p, ERROR_SYSTEM, "out of memory");
        return false;
    }
    for (uint32_t b = 0; b < flow->f->blocks_count; b++) {
        const struct module_block *const block = &flow->f->blocks[b];
        if (!flow->loops[loop].has[b])
            continue;
        note_code(p, e, flow->first + block->first, block->count);
        /* Who goes from here to a quick end has exited at once: in this loop, although that block is not in it. */
        for (uint32_t k = 0; k < block->next_count; k++)
            e->exits |= is_quick_end(p, flow, block->next[k]);
        e->exits |= block->falls_through && is_quick_end(p, flow, b + 1);
    }
    for (unsigned i = 0; i < 2; i++) {
        for (uint32_t r = 0; r < p->registers; r++)
            e->may_taint |= entry->lane[i].rows[r].taint != NULL;
        for (uint64_t n = 0; n < p->code->frame_bytes; n++)
            e->may_taint |= entry->lane[i].frame[n].taint != NULL;
    }
    return true;
}

/* --- invariants --- */

enum guess {
    GUESS_TOGETHER, /* of those that have not exited, both lanes are in the loop, or none */
    GUESS_BOTH,     /* both lanes are in the loop, or none */
    GUESS_CLEAN,    /* it is predictable */
    GUESS_EQUAL,    /* both lanes hold the same */
    GUESS_LANES,    /* they differ by what the lanes' numbers differ by */
    GUESS_APART,    /* they differ by what they differed by before the loop */
    GUESS_SAME,     /* it holds what it held before the loop */
    GUESS_OWN,      /* the lane's bit is in it */
    GUESS_COMES,    /* of whose bit is in it, that lane is here with the same one, or has exited */
    GUESS_STAYS,    /* of whose bit is in it, that lane is here with the same one */
    GUESS_ALIGNED,  /* its rest by 32 is that before the loop */
    GUESS_BELOW,    /* it is not above what it was before the loop, as a number without a sign */
    GUESSES
};

struct invariant {
    enum guess guess;
    uint32_t reg;
    bool dropped;
};

struct houdini {
    struct pair *p;
    struct activation *a;
    uint32_t loop;
    const struct state *entry;
    term exited[2]; /* before the loop */
    struct effect effect;
    struct invariant *all;
    size_t count, room;
};

static void add_guess(struct houdini *h, enum guess guess, uint32_t reg)
{
    if (h->count == h->room) {
        h->room = h->room == 0 ? 64 : 2 * h->room;
        h->all = smt_grow(h->all, h->room, sizeof *h->all);
    }
    h->all[h->count++] = (struct invariant){guess, reg, false};
}

static void make_guesses(struct houdini *h)
{
    struct pair *const p = h->p;
    const uint32_t head = h->a->flow->loops[h->loop].head;
    add_guess(h, GUESS_TOGETHER, 0);
    if (h->effect.exits)
        add_guess(h, GUESS_BOTH, 0);
    for (uint32_t r = 0; r < p->registers; r++) {
        const unsigned bits = p->bits[r];
        const bool before = h->entry->lane[0].rows[r].x != NULL && h->entry->lane[1].rows[r].x != NULL;
        if (!h->effect.writes[r] || !before || !flow_is_live(h->a->flow, head, r))
            continue;
        if (h->effect.may_taint)
            add_guess(h, GUESS_CLEAN, r);
        add_guess(h, GUESS_EQUAL, r);
        add_guess(h, GUESS_SAME, r);
        if (bits >= 32) {
            add_guess(h, GUESS_LANES, r);
            add_guess(h, GUESS_APART, r);
            add_guess(h, GUESS_ALIGNED, r);
            if (h->effect.shares)
                add_guess(h, GUESS_BELOW, r);
        }
        if (bits == 32 && !p->other_warps) {
            add_guess(h, GUESS_OWN, r);
            add_guess(h, GUESS_COMES, r);
            if (h->effect.exits)
                add_guess(h, GUESS_STAYS, r);
        }
    }
}

static term difference(struct pair *p, term x, term y)
{
    return pair_fold(p, term_sub(p->s, x, y));
}

/* The guess of a state at the head, as a Bool. `exited` is of that moment. */
static term guess_term(struct houdini *h, const struct invariant *v, const struct state *st, const term exited[2])
{
    struct pair *const p = h->p;
    struct smt *const s = p->s;
    const term here[2] = {st->lane[0].here, st->lane[1].here};
    const struct value *const x[2] = {&st->lane[0].rows[v->reg], &st->lane[1].rows[v->reg]};
    const struct value *const e[2] = {&h->entry->lane[0].rows[v->reg], &h->entry->lane[1].rows[v->reg]};
    const term yes = term_bool(s, true), entered = term_and(s, h->entry->lane[0].here, h->entry->lane[1].here);
    const unsigned bits = p->bits[v->reg];
    if (v->guess != GUESS_TOGETHER && v->guess != GUESS_BOTH && v->guess != GUESS_CLEAN &&
        (x[0]->x == NULL || x[1]->x == NULL))
        return term_bool(s, false);
    switch (v->guess) {
    case GUESS_TOGETHER:
        return term_implies(s, TERM_ALL(s, entered, term_not(s, exited[0]), term_not(s, exited[1])),
                            term_eq(s, here[0], here[1]));
    case GUESS_BOTH:
        return term_implies(s, entered, term_eq(s, here[0], here[1]));
    case GUESS_CLEAN: {
        const term no = term_bool(s, false),
                   t[2] = {x[0]->taint != NULL ? x[0]->taint : no, x[1]->taint != NULL ? x[1]->taint : no};
        return term_and(s, term_implies(s, here[0], term_not(s, t[0])), term_implies(s, here[1], term_not(s, t[1])));
    }
    case GUESS_EQUAL:
        return term_implies(s, term_and(s, here[0], here[1]), term_eq(s, x[0]->x, x[1]->x));
    case GUESS_LANES: {
        term lanes = difference(p, p->lane[0], p->lane[1]);
        if (bits == 64)
            lanes = smt_keep(s, Z3_mk_sign_ext(s->z3, 32, lanes));
        return term_implies(s, term_and(s, here[0], here[1]), term_eq(s, difference(p, x[0]->x, x[1]->x), lanes));
    }
    case GUESS_APART:
        return term_implies(s, term_and(s, here[0], here[1]),
                            term_eq(s, difference(p, x[0]->x, x[1]->x), difference(p, e[0]->x, e[1]->x)));
    case GUESS_SAME:
        return term_and(s, term_implies(s, here[0], term_eq(s, x[0]->x, e[0]->x)),
                        term_implies(s, here[1], term_eq(s, x[1]->x, e[1]->x)));
    case GUESS_ALIGNED: {
        const term low = term_bits(s, 31, bits);
        term all[2];
        for (unsigned i = 0; i < 2; i++)
            all[i] = term_implies(s, here[i], term_eq(s, term_band(s, x[i]->x, low), term_band(s, e[i]->x, low)));
        return term_and(s, all[0], all[1]);
    }
    case GUESS_BELOW:
        return term_and(s, term_implies(s, here[0], term_ule(s, x[0]->x, e[0]->x)),
                        term_implies(s, here[1], term_ule(s, x[1]->x, e[1]->x)));
    case GUESS_OWN:
        return term_and(s, term_implies(s, here[0], term_in(s, p->lane[0], x[0]->x)),
                        term_implies(s, here[1], term_in(s, p->lane[1], x[1]->x)));
    case GUESS_COMES:
    case GUESS_STAYS: {
        term all[2];
        for (unsigned i = 0; i < 2; i++) {
            const unsigned o = i ^ 1u;
            const term comes = term_and(s, here[o], term_eq(s, x[0]->x, x[1]->x));
            all[i] = term_implies(s, term_and(s, here[i], term_in(s, p->lane[o], x[i]->x)),
                                  v->guess == GUESS_STAYS ? comes : term_or(s, comes, exited[o]));
        }
        return term_and(s, all[0], all[1]);
    }
    case GUESSES:
        break;
    }
    return yes;
}

static bool holds(const struct houdini *h, enum guess guess, uint32_t reg)
{
    for (size_t n = 0; n < h->count; n++)
        if (h->all[n].guess == guess && h->all[n].reg == reg)
            return !h->all[n].dropped;
    return false;
}

/*
 * What the loop writes is anything that the guesses allow. Those that say what a value is are put in its place, so that
 * equal values are one term: of a lane that is not here they say nothing, and nothing of it is looked at.
 */
static void forget_register(struct houdini *h, struct state *st, uint32_t r)
{
    struct pair *const p = h->p;
    const bool live = flow_is_live(h->a->flow, h->a->flow->loops[h->loop].head, r);
    const bool may_taint = h->effect.may_taint && !holds(h, GUESS_CLEAN, r);
    for (unsigned i = 0; i < 2; i++) {
        struct value *const v = &st->lane[i].rows[r];
        if (!live || v->x == NULL)
            v->x = NULL;
        else if (!holds(h, GUESS_SAME, r))
            v->x = i == 1 && holds(h, GUESS_EQUAL, r) ? st->lane[0].rows[r].x : pair_fresh(p, p->bits[r]);
        v->taint = may_taint ? pair_fresh(p, 1) : NULL;
    }
}

/* A state that stands for any turn. */
static struct state *any_turn(struct houdini *h)
{
    struct pair *const p = h->p;
    struct smt *const s = p->s;
    struct state *const st = state_copy(p, h->entry);
    const bool one =
        h->entry->lane[0].here == h->entry->lane[1].here && holds(h, h->effect.exits ? GUESS_BOTH : GUESS_TOGETHER, 0);
    if (st == NULL)
        return NULL;
    p->epoch++;
    for (uint32_t r = 0; r < p->registers; r++)
        if (h->effect.writes[r])
            forget_register(h, st, r);
    for (unsigned i = 0; i < 2; i++) {
        const term entered = h->entry->lane[i].here, here = i == 1 && one ? st->lane[0].here : pair_fresh(p, 1);
        for (uint64_t n = 0; h->effect.stores && n < p->code->frame_bytes; n++)
            st->lane[i].frame[n] = (struct value){NULL, h->effect.may_taint ? pair_fresh(p, 1) : NULL};
        st->lane[i].here = here;
        pair_assume(p, term_implies(s, here, entered));
        p->exited[i] = h->exited[i];
        if (h->effect.exits) {
            p->exited[i] = pair_fresh(p, 1);
            pair_assume(p, term_implies(s, h->exited[i], p->exited[i]));
            pair_assume(
                p, term_implies(s, p->exited[i], term_and(s, term_or(s, h->exited[i], entered), term_not(s, here))));
        }
    }
    for (size_t n = 0; n < h->count; n++)
        if (!h->all[n].dropped)
            pair_assume(p, guess_term(h, &h->all[n], st, p->exited));
    return st;
}

/* Drops the guesses that do not hold of the state. Returns how many. */
static unsigned drop_guesses(struct houdini *h, const struct state *st, const term exited[2])
{
    unsigned dropped = 0;
    for (size_t n = 0; n < h->count && !pair_failed(h->p); n++) {
        struct invariant *const v = &h->all[n];
        if (v->dropped || pair_never(h->p, term_not(h->p->s, guess_term(h, v, st, exited))) == PAIR_PROVED)
            continue;
        v->dropped = true;
        dropped++;
    }
    return dropped;
}

static void find_invariants(struct houdini *h)
{
    struct pair *const p = h->p;
    unsigned dropped = 1;
    make_guesses(h);
    drop_guesses(h, h->entry, h->exited);
    while (dropped > 0 && !pair_failed(p)) {
        struct activation trial;
        struct state *turn;
        dropped = 0;
        Z3_solver_push(p->s->z3, p->solver);
        p->quiet++;
        turn = any_turn(h);
        if (turn != NULL && activate(p, &trial, h->a->flow)) {
            walk_region(p, &trial, h->loop, h->a->flow->loops[h->loop].head, turn);
            if (!pair_failed(p) && trial.back[h->loop] != NULL)
                dropped = drop_guesses(h, trial.back[h->loop], p->exited);
            deactivate(&trial);
        }
        state_drop(&turn);
        p->quiet--;
        Z3_solver_pop(p->s->z3, p->solver, 1);
    }
}

/* Walks a turn that begins with `turn`, and gives what goes back to the head; NULL: nobody. */
static struct state *walk_turn(struct houdini *h, const struct state *turn)
{
    struct pair *const p = h->p;
    struct activation trial;
    struct state *back = NULL;
    if (turn == NULL || !activate(p, &trial, h->a->flow))
        return NULL;
    walk_region(p, &trial, h->loop, h->a->flow->loops[h->loop].head, turn);
    back = trial.back[h->loop];
    trial.back[h->loop] = NULL;
    deactivate(&trial);
    return back;
}

/*
 * Holds the accesses that are open against the turn that begins with `from`, and those that are open then against one
 * that stands for any later one. Nothing else is kept of these turns.
 */
static void races_of_later_turns(struct houdini *h, const struct state *from)
{
    struct pair *const p = h->p;
    const struct races open = races_copy(p);
    struct state *back, *later = NULL;
    if (open.count > 0 && from != NULL && p->quiet == 0) {
        p->races_only++;
        Z3_solver_push(p->s->z3, p->solver);
        back = walk_turn(h, from);
        if (p->races.count > 0 && back != NULL && (later = any_turn(h)) != NULL) {
            struct state *after;
            for (unsigned i = 0; i < 2; i++)
                pair_assume(p, term_implies(p->s, later->lane[i].here, back->lane[i].here));
            after = walk_turn(h, later);
            state_drop(&after);
        }
        Z3_solver_pop(p->s->z3, p->solver, 1);
        p->races_only--;
        state_drop(&back);
        state_drop(&later);
    }
    races_put(p, open);
}

/* Walks one turn that stands for any, and asks its obligations; then for races the turns behind it. */
static void examine_turn(struct houdini *h)
{
    struct pair *const p = h->p;
    struct state *turn = any_turn(h), *back;
    const struct races before = p->races_only > 0 ? races_copy(p) : races_take(p);
    back = walk_turn(h, turn);
    if (p->races_only > 0) { /* whether there is such a turn is not known: it orders nothing behind it */
        races_put(p, before);
    } else {
        struct races own;
        const term exited[2] = {p->exited[0], p->exited[1]};
        races_of_later_turns(h, back);
        own = races_take(p);
        races_put(p, before);
        p->exited[0] = h->exited[0];
        p->exited[1] = h->exited[1];
        races_of_later_turns(h, h->entry);
        races_add(p, own);
        p->exited[0] = exited[0];
        p->exited[1] = exited[1];
    }
    state_drop(&back);
    state_drop(&turn);
}

/* The lanes in `which` go on to where the walk of a last turn brought them. */
static void send_on(struct pair *p, struct state **to, struct where where, const struct state *out, const bool which[2])
{
    if (out == NULL || pair_failed(p))
        return;
    const term here[2] = {which[0] ? out->lane[0].here : term_bool(p->s, false),
                          which[1] ? out->lane[1].here : term_bool(p->s, false)};
    deliver(p, to, where, out, here);
}

/*
 * Where nobody exits in the loop and it is left for one place only, whoever entered it comes there. To say it in the
 * words of the entry lets paths that join again be where they were.
 */
static void keep_entered(const struct houdini *h, const struct activation *last)
{
    const struct flow *const flow = h->a->flow;
    struct state *only = last->returned;
    unsigned places = only != NULL;
    for (uint32_t b = 0; b < flow->f->blocks_count; b++)
        if (last->pending[b] != NULL) {
            only = last->pending[b];
            places++;
        }
    for (uint32_t l = 0; l < flow->loops_count; l++)
        if (l != h->loop && last->back[l] != NULL) {
            only = last->back[l];
            places++;
        }
    if (places != 1 || h->effect.exits)
        return;
    for (unsigned i = 0; i < 2; i++)
        only->lane[i].here = h->entry->lane[i].here;
}

/*
 * Walks the last turn of the lanes in `which`, and sends on what leaves the loop. A lane that entered is in it, or has
 * exited in an earlier one, and does not go round again.
 */
static void leave_loop(struct houdini *h, const bool which[2], term exited[2])
{
    struct pair *const p = h->p;
    struct smt *const s = p->s;
    struct activation trial;
    struct state *turn;
    p->quiet++;
    p->restricted = true;
    turn = any_turn(h);
    for (unsigned i = 0; turn != NULL && i < 2; i++)
        if (which[i])
            pair_assume(p, term_implies(s, h->entry->lane[i].here, term_or(s, turn->lane[i].here, p->exited[i])));
    if (turn != NULL && activate(p, &trial, h->a->flow)) {
        walk_region(p, &trial, h->loop, h->a->flow->loops[h->loop].head, turn);
        for (unsigned i = 0; i < 2 && !pair_failed(p); i++)
            if (which[i] && trial.back[h->loop] != NULL)
                pair_assume(p, term_not(s, trial.back[h->loop]->lane[i].here));
        keep_entered(h, &trial);
        for (uint32_t b = 0; b < h->a->flow->f->blocks_count; b++)
            send_on(p, &h->a->pending[b], (struct where){h->a->flow, b}, trial.pending[b], which);
        for (uint32_t l = 0; l < h->a->flow->loops_count; l++)
            if (l != h->loop)
                send_on(p, &h->a->back[l], (struct where){h->a->flow, h->a->flow->loops[l].head}, trial.back[l], which);
        send_on(p, &h->a->returned, anywhere, trial.returned, which);
        deactivate(&trial);
    }
    for (unsigned i = 0; i < 2; i++)
        if (which[i])
            exited[i] = p->exited[i];
    state_drop(&turn);
    p->quiet--;
}

static void walk_by_invariant(struct pair *p, struct activation *a, uint32_t loop, const struct state *entry)
{
    struct houdini h = {.p = p, .a = a, .loop = loop, .entry = entry, .exited = {p->exited[0], p->exited[1]}};
    term after[2] = {p->exited[0], p->exited[1]};
    if (!find_effect(p, a->flow, loop, entry, &h.effect))
        return;
    find_invariants(&h);
    if (!pair_failed(p))
        examine_turn(&h);
    if (!pair_failed(p) && !h.all[0].dropped) {
        leave_loop(&h, (const bool[2]){true, true}, after);
    } else if (!pair_failed(p)) {
        leave_loop(&h, (const bool[2]){true, false}, after);
        leave_loop(&h, (const bool[2]){false, true}, after);
    }
    p->exited[0] = after[0];
    p->exited[1] = after[1];
    p->epoch++;
    free(h.all);
    free(h.effect.writes);
}

/* Did all lanes that began the turn come back? Then the next can be walked as it is. `asked` counts turns. */
static bool all_came_back(struct pair *p, const struct state *entry, struct state *back, unsigned *asked)
{
    for (unsigned i = 0; i < 2; i++) {
        const term lost = pair_both(p, entry->lane[i].here, pair_not(p, back->lane[i].here));
        if (back->lane[i].here == entry->lane[i].here)
            continue;
        if (*asked >= 2 * UNROLL_ASKED_MAX || pair_never(p, lost) != PAIR_PROVED)
            return false;
        ++*asked;
        back->lane[i].here = entry->lane[i].here;
    }
    return true;
}

static void walk_loop(struct pair *p, struct activation *a, uint32_t loop, struct state *entry)
{
    const uint32_t head = a->flow->loops[loop].head;
    struct state *now = state_copy(p, entry);
    unsigned asked = 0;
    if (p->depth++ == 0)
        p->loop_mark = p->outcome->count;
    for (unsigned turn = 0; now != NULL && !pair_failed(p); turn++) {
        struct state *back;
        const bool over = turn == UNROLL_MAX;
        if (!over)
            walk_region(p, a, loop, head, now);
        back = over ? NULL : a->back[loop];
        a->back[loop] = NULL;
        if (!over && (back == NULL || pair_failed(p))) {
            state_drop(&back);
            break;
        }
        if (over || !all_came_back(p, now, back, &asked)) {
            walk_by_invariant(p, a, loop, over ? now : back);
            state_drop(&back);
            break;
        }
        state_drop(&now);
        now = back;
    }
    p->depth--;
    state_drop(&now);
}
