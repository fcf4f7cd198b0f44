/*
 * Loops whose end another lane decides. The proof assumes that loops end. That is a weak assumption of a loop which
 * polls shared memory: what it waits for may come from a lane that waits for this one. So nothing that rests on such a
 * loop's end is proved, although no violation is seen.
 *
 * Looked for are branches out of a loop whose guard comes, through registers of any place, from a volatile, stronger or
 * atomic read that may be of shared memory. What a branch in a loop on such a value decides comes from it, too: which
 * registers are written, and which way out is taken, until the paths have joined again. Values that go through a call
 * or a lane's own memory are followed too coarsely to tell: they count as such.
 *
 * A plain read of shared memory is one where nothing else ends the loop: its address stays the same, and so does all
 * that decides whether the loop is left, as long as nobody else writes the word.
 */
#include "smt/pair/internal.h"

#include <stdlib.h>
#include <string.h>

struct polls {
    const struct pair *p;
    bool ends;       /* a loop's end depends on such a read, or that cannot be told */
    bool *polled;    /* per register: it comes from such a read */
    bool *decided;   /* per place: a branch on such a value decides whether it is executed */
    bool *done;      /* per place: a branch whose decisions are marked */
    bool *varies;    /* per register: it changes in the loop that is looked at, by what the lane does */
    bool *less;      /* the next `varies` */
    bool *seen, *in; /* per block: the code's end is reached from it; a branch decides whether it is executed */
    uint32_t *stack;
};

static bool is_poll(const struct code_instruction *c)
{
    bool shared = c->i->space == SPACE_SHARED || c->i->space == SPACE_GENERIC || c->i->space == SPACE_CLUSTER;
    return shared && (c->kind == CODE_ATOMIC || (c->kind == CODE_LOAD && c->i->order >= ORDER_VOLATILE));
}

static bool is_in(const struct polls *x, const bool *set, uint32_t row)
{
    return row != CODE_NO_ROW && row >= x->p->code->registers && set[row - x->p->code->registers];
}

static bool reads(const struct polls *x, const bool *set, const struct code_instruction *c)
{
    for (unsigned n = 0; n < c->i->srcs_count; n++)
        if (is_in(x, set, c->srcs[n]))
            return true;
    return is_in(x, set, c->guard) || ((c->kind == CODE_LOAD || c->kind == CODE_ATOMIC) && is_in(x, set, c->address));
}

/* Does the instruction give what is followed no further? */
static bool hides(const struct polls *x, const struct code_instruction *c)
{
    bool own = c->i->space == SPACE_LOCAL || c->i->space == SPACE_PARAM ||
               (c->i->space == SPACE_GENERIC && x->p->code->frame_bytes > 0);
    return c->kind == CODE_CALL || c->kind == CODE_RETURN || c->kind == CODE_EXTERNAL || (c->kind == CODE_STORE && own);
}

/* Adds what the instruction writes to the set. Was some of it new? */
static bool add_results(const struct polls *x, bool *set, const struct code_instruction *c)
{
    bool more = false;
    for (unsigned n = 0; n < c->i->dsts_count; n++) {
        const uint32_t row = c->dsts[n];
        if (row == CODE_NO_ROW || row < x->p->code->registers || set[row - x->p->code->registers])
            continue;
        set[row - x->p->code->registers] = true;
        more = true;
    }
    return more;
}

static const struct code_instruction *last_of(const struct polls *x, const struct flow *flow, uint32_t block)
{
    const struct module_block *const b = &flow->f->blocks[block];
    return &x->p->code->instructions[flow->first + b->first + b->count - 1];
}

static bool ends_code(const struct code_instruction *c)
{
    return c->kind == CODE_EXIT || c->kind == CODE_RETURN || c->kind == CODE_END;
}

/* Does the block leave this loop? */
static bool leaves(const struct polls *x, const struct flow *flow, uint32_t loop, uint32_t block)
{
    const struct module_block *const b = &flow->f->blocks[block];
    const bool *const has = flow->loops[loop].has;
    if (!has[block])
        return false;
    for (uint32_t n = 0; n < b->next_count; n++)
        if (!has[b->next[n]])
            return true;
    return (b->falls_through && block + 1 < flow->f->blocks_count && !has[block + 1]) ||
           ends_code(last_of(x, flow, block));
}

/* Does it leave one in which `inside` is, too? */
static bool leaves_loop(const struct polls *x, const struct flow *flow, uint32_t block, uint32_t inside)
{
    for (uint32_t loop = flow->loop[block]; loop != MODULE_NONE; loop = flow->loops[loop].parent)
        if (flow->loops[loop].has[inside] && leaves(x, flow, loop, block))
            return true;
    return false;
}

/* --- what a branch decides --- */

/* Blocks from which the code's end, or `again` a next time, is reached without `without`: seen. */
static void find_ending(struct polls *x, const struct flow *flow, uint32_t without, uint32_t again)
{
    const struct module_function *const f = flow->f;
    memset(x->seen, 0, f->blocks_count * sizeof *x->seen);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = f->blocks_count; b-- > 0;) {
            const struct module_block *const block = &f->blocks[b];
            bool ending = ends_code(last_of(x, flow, b)) ||
                          (block->falls_through && b + 1 < f->blocks_count && (x->seen[b + 1] || b + 1 == again));
            if (x->seen[b] || b == without)
                continue;
            for (uint32_t n = 0; n < block->next_count; n++)
                ending |= x->seen[block->next[n]] || block->next[n] == again;
            x->seen[b] = ending;
            more |= ending;
        }
    }
}

static bool decide(struct polls *x, const struct flow *flow, uint32_t branch, uint32_t block, uint32_t *depth)
{
    const struct module_block *const b = &flow->f->blocks[block];
    bool more = false;
    if (!x->in[block]) {
        find_ending(x, flow, block, branch);
        if (!x->seen[branch] && block != branch)
            return false; /* whoever came to the branch comes here, too, and before the next turn */
        x->in[block] = true;
        x->stack[(*depth)++] = block;
    }
    for (uint32_t n = 0; n < b->count; n++) {
        more |= !x->decided[flow->first + b->first + n];
        x->decided[flow->first + b->first + n] = true;
    }
    return more;
}

/* Marks what is executed or not as the branch at the end of this block decides. Was some of it new? */
static bool decide_all(struct polls *x, const struct flow *flow, uint32_t branch)
{
    const struct module_function *const f = flow->f;
    uint32_t depth = 0, block = branch;
    bool more = false;
    memset(x->in, 0, f->blocks_count * sizeof *x->in);
    for (;;) {
        const struct module_block *const b = &f->blocks[block];
        for (uint32_t n = 0; n < b->next_count; n++)
            if (!x->in[b->next[n]])
                more |= decide(x, flow, branch, b->next[n], &depth);
        if (b->falls_through && block + 1 < f->blocks_count && !x->in[block + 1])
            more |= decide(x, flow, branch, block + 1, &depth);
        if (block != branch)
            x->ends |= leaves_loop(x, flow, block, branch);
        if (depth == 0)
            return more;
        block = x->stack[--depth];
    }
}

/* Branches in loops whose guards are polled. */
static bool decide_in(struct polls *x, const struct flow *flow)
{
    bool more = false;
    for (uint32_t block = 0; block < flow->f->blocks_count && !x->ends; block++) {
        const struct code_instruction *const last = last_of(x, flow, block);
        const uint32_t at = (uint32_t)(last - x->p->code->instructions);
        if (!flow->reached[block] || x->done[at] || !reads(x, x->polled, last) || !x->p->repeated[at] ||
            (last->kind != CODE_BRANCH && last->kind != CODE_INDEXED && !ends_code(last)))
            continue;
        x->done[at] = true;
        find_ending(x, flow, MODULE_NONE, MODULE_NONE);
        x->ends |= !x->seen[block] || leaves_loop(x, flow, block, block);
        if (!x->ends)
            more |= decide_all(x, flow, block);
    }
    return more;
}

/* Follows what is polled. */
static void follow(struct polls *x)
{
    const struct code *const code = x->p->code;
    for (bool more = true; more && !x->ends;) {
        more = false;
        for (uint32_t at = 0; at < code->count; at++) {
            const struct code_instruction *const c = &code->instructions[at];
            if (!is_poll(c) && !reads(x, x->polled, c) && !x->decided[at])
                continue;
            x->ends |= hides(x, c); /* lost sight of */
            more |= add_results(x, x->polled, c);
        }
        for (uint32_t n = 0; n < code->functions_count && !x->ends; n++)
            more |= decide_in(x, &x->p->flows[n]);
    }
}

/* --- plain reads --- */

/* Certainly not the same word: two variables, or two places in one. */
static bool are_apart(const struct code_instruction *a, const struct code_instruction *b)
{
    const struct module_operand *const x = &a->i->srcs[0], *const y = &b->i->srcs[0];
    return x->variable != MODULE_NONE && y->variable != MODULE_NONE && x->reg == MODULE_NONE && y->reg == MODULE_NONE &&
           (x->variable != y->variable || a->offset != b->offset);
}

static const struct code_instruction *next_in(const struct polls *x, const struct flow *flow, uint32_t loop,
                                              uint32_t *at)
{
    while (*at < flow->f->instructions_count) {
        const uint32_t n = (*at)++;
        if (flow->loops[loop].has[flow->f->instructions[n].block])
            return &x->p->code->instructions[flow->first + n];
    }
    return NULL;
}

/* A plain read of shared memory that gives the same in every turn of the loop, if no other lane writes. */
static bool is_plain_poll(const struct polls *x, const struct flow *flow, uint32_t loop,
                          const struct code_instruction *c)
{
    const struct code_instruction *w;
    if (c->kind != CODE_LOAD || c->i->order >= ORDER_VOLATILE || is_in(x, x->varies, c->address) ||
        !x->p->may_be_shared[c - x->p->code->instructions])
        return false;
    for (uint32_t at = 0; (w = next_in(x, flow, loop, &at)) != NULL;)
        if (w->kind == CODE_CALL || ((w->kind == CODE_STORE || w->kind == CODE_ATOMIC) &&
                                     x->p->may_be_shared[w - x->p->code->instructions] && !are_apart(c, w)))
            return false;
    return true;
}

static bool may_vary(const struct polls *x, const struct flow *flow, uint32_t loop, const struct code_instruction *c)
{
    if (reads(x, x->varies, c))
        return true;
    if (c->kind == CODE_LOAD)
        return c->i->space != SPACE_PARAM && c->i->space != SPACE_CONST && !is_plain_poll(x, flow, loop, c);
    return c->kind != CODE_ROW && c->kind != CODE_UNPACK && c->kind != CODE_CVTA && c->kind != CODE_ISSPACEP;
}

/* Registers that change in the loop by what the lane does: all that it writes, but for those of which that is clear. */
static void find_varying(struct polls *x, const struct flow *flow, uint32_t loop)
{
    const struct code_instruction *c;
    const size_t bytes = (x->p->registers + 1) * sizeof *x->varies;
    memset(x->varies, 0, bytes);
    for (uint32_t at = 0; (c = next_in(x, flow, loop, &at)) != NULL;)
        add_results(x, x->varies, c);
    for (bool fewer = true; fewer;) {
        memset(x->less, 0, bytes);
        for (uint32_t at = 0; (c = next_in(x, flow, loop, &at)) != NULL;)
            if (may_vary(x, flow, loop, c))
                add_results(x, x->less, c);
        fewer = memcmp(x->less, x->varies, bytes) != 0;
        memcpy(x->varies, x->less, bytes);
    }
}

/* Does a plain read decide in the loop, and nothing that varies whether it is left? */
static bool ends_by_plain(struct polls *x, const struct flow *flow, uint32_t loop)
{
    const struct code_instruction *c;
    bool decides = false, left = false;
    find_varying(x, flow, loop);
    memset(x->polled, 0, (x->p->registers + 1) * sizeof *x->polled);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t at = 0; (c = next_in(x, flow, loop, &at)) != NULL;)
            if (is_plain_poll(x, flow, loop, c) || reads(x, x->polled, c))
                more |= add_results(x, x->polled, c);
    }
    for (uint32_t block = 0; block < flow->f->blocks_count; block++) {
        const struct code_instruction *const last = last_of(x, flow, block);
        if (!flow->loops[loop].has[block])
            continue;
        decides |=
            (last->kind == CODE_BRANCH || last->kind == CODE_INDEXED || ends_code(last)) && reads(x, x->polled, last);
        if (leaves(x, flow, loop, block)) {
            left = true;
            if (reads(x, x->varies, last))
                return false;
        }
    }
    return decides && left;
}

static void follow_plain(struct polls *x, const struct flow *flow)
{
    for (uint32_t loop = 0; loop < flow->loops_count && !x->ends; loop++)
        x->ends |= ends_by_plain(x, flow, loop);
}

bool pair_polls(const struct pair *p)
{
    struct polls x = {.p = p};
    uint32_t blocks = 0, loops = 0;
    for (uint32_t n = 0; n < p->code->functions_count; n++) {
        blocks = p->flows[n].f->blocks_count > blocks ? p->flows[n].f->blocks_count : blocks;
        loops += p->flows[n].loops_count;
    }
    if (loops == 0)
        return false;
    x.polled = calloc(p->registers + 1, sizeof *x.polled);
    x.varies = calloc(p->registers + 1, sizeof *x.varies);
    x.less = calloc(p->registers + 1, sizeof *x.less);
    x.decided = calloc(p->code->count + 1, sizeof *x.decided);
    x.done = calloc(p->code->count + 1, sizeof *x.done);
    x.seen = calloc(blocks + 1, sizeof *x.seen);
    x.in = calloc(blocks + 1, sizeof *x.in);
    x.stack = calloc(blocks + 1, sizeof *x.stack);
    x.ends = !x.polled || !x.varies || !x.less || !x.decided || !x.done || !x.seen || !x.in || !x.stack;
    if (!x.ends)
        follow(&x);
    for (uint32_t n = 0; n < p->code->functions_count && !x.ends; n++)
        follow_plain(&x, &p->flows[n]);
    free(x.polled);
    free(x.varies);
    free(x.less);
    free(x.decided);
    free(x.done);
    free(x.seen);
    free(x.in);
    free(x.stack);
    return x.ends;
}
