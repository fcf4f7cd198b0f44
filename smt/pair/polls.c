/*
 * Loops whose end another lane decides. The proof assumes that loops end. That is a weak assumption of a loop which
 * polls shared memory: what it waits for may come from a lane that waits for this one. So nothing that rests on such a
 * loop's end is proved, although no violation is seen.
 *
 * Looked for are branches out of a loop whose guard comes, through registers of any place, from a volatile, stronger or
 * atomic read that may be of shared memory. Values that go through a call or a lane's own memory are followed too
 * coarsely to tell: they count as such.
 */
#include "smt/pair/internal.h"

#include <stdlib.h>
#include <string.h>

struct polls {
    const struct pair *p;
    bool *polled; /* per register: it comes from such a read */
};

static bool is_poll(const struct code_instruction *c)
{
    bool shared = c->i->space == SPACE_SHARED || c->i->space == SPACE_GENERIC || c->i->space == SPACE_CLUSTER;
    return shared && (c->kind == CODE_ATOMIC || (c->kind == CODE_LOAD && c->i->order >= ORDER_VOLATILE));
}

static bool is_polled(const struct polls *x, uint32_t row)
{
    return row != CODE_NO_ROW && row >= x->p->code->registers && x->polled[row - x->p->code->registers];
}

static bool reads_polled(const struct polls *x, const struct code_instruction *c)
{
    for (unsigned n = 0; n < c->i->srcs_count; n++)
        if (is_polled(x, c->srcs[n]))
            return true;
    return is_polled(x, c->guard) || (c->kind == CODE_LOAD && is_polled(x, c->address));
}

/* Does the instruction give what is followed no further? */
static bool hides(const struct code_instruction *c)
{
    bool own = c->i->space == SPACE_LOCAL || c->i->space == SPACE_PARAM || c->i->space == SPACE_GENERIC;
    return c->kind == CODE_CALL || c->kind == CODE_RETURN || c->kind == CODE_EXTERNAL || (c->kind == CODE_STORE && own);
}

/* False: a value that was polled is lost sight of. */
static bool follow(struct polls *x)
{
    const struct code *const code = x->p->code;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t at = 0; at < code->count; at++) {
            const struct code_instruction *const c = &code->instructions[at];
            if (!is_poll(c) && !reads_polled(x, c))
                continue;
            if (hides(c))
                return false;
            for (unsigned n = 0; n < c->i->dsts_count; n++) {
                const uint32_t row = c->dsts[n];
                if (row == CODE_NO_ROW || row < code->registers || x->polled[row - code->registers])
                    continue;
                x->polled[row - code->registers] = true;
                more = true;
            }
        }
    }
    return true;
}

static bool leaves_loop(const struct flow *flow, uint32_t block)
{
    const struct module_block *const b = &flow->f->blocks[block];
    for (uint32_t loop = flow->loop[block]; loop != MODULE_NONE; loop = flow->loops[loop].parent) {
        for (uint32_t n = 0; n < b->next_count; n++)
            if (!flow->loops[loop].has[b->next[n]])
                return true;
        if (b->falls_through && !flow->loops[loop].has[block + 1])
            return true;
    }
    return false;
}

static bool ends_polled_loop(const struct polls *x, const struct flow *flow)
{
    for (uint32_t block = 0; block < flow->f->blocks_count; block++) {
        const struct module_block *const b = &flow->f->blocks[block];
        const struct code_instruction *const last = &x->p->code->instructions[flow->first + b->first + b->count - 1];
        if (flow->reached[block] && reads_polled(x, last) && leaves_loop(flow, block))
            return true;
    }
    return false;
}

bool pair_polls(const struct pair *p)
{
    struct polls x = {.p = p, .polled = calloc(p->registers + 1, sizeof *x.polled)};
    bool polls = x.polled == NULL || !follow(&x);
    for (uint32_t n = 0; !polls && n < p->code->functions_count; n++)
        polls = ends_polled_loop(&x, &p->flows[n]);
    free(x.polled);
    return polls;
}
