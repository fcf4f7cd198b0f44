/* Loops of a function, and which registers are read before they are written. */
#include "smt/pair/internal.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

static unsigned successors(const struct module_function *f, uint32_t b, uint32_t *next)
{
    const struct module_block *const block = &f->blocks[b];
    unsigned n = 0;
    for (uint32_t k = 0; k < block->next_count; k++)
        next[n++] = block->next[k];
    if (block->falls_through && b + 1 < f->blocks_count)
        next[n++] = b + 1;
    return n;
}

struct search {
    struct flow *flow;
    uint32_t *next, *order;   /* reverse postorder: order[0] is the entry */
    uint32_t *number, *above; /* of each block: place in the order; immediate dominator */
    uint32_t count;
};

static uint32_t widest(const struct module_function *f)
{
    uint32_t most = 2;
    for (uint32_t b = 0; b < f->blocks_count; b++)
        if (f->blocks[b].next_count + 2 > most)
            most = f->blocks[b].next_count + 2;
    return most;
}

static bool number_blocks(struct search *x)
{
    const struct module_function *const f = x->flow->f;
    struct frame {
        uint32_t block, at;
    } *const stack = calloc(f->blocks_count + 1, sizeof *stack);
    uint32_t depth = 1, left = f->blocks_count;
    if (stack == NULL)
        return false;
    x->flow->reached[0] = true;
    while (depth > 0) {
        struct frame *const top = &stack[depth - 1];
        const unsigned n = successors(f, top->block, x->next);
        if (top->at < n) {
            const uint32_t to = x->next[top->at++];
            if (!x->flow->reached[to]) {
                x->flow->reached[to] = true;
                stack[depth++] = (struct frame){to, 0};
            }
            continue;
        }
        x->order[--left] = top->block;
        depth--;
    }
    free(stack);
    x->count = f->blocks_count - left;
    memmove(x->order, x->order + left, x->count * sizeof *x->order);
    for (uint32_t n = 0; n < x->count; n++)
        x->number[x->order[n]] = n;
    return true;
}

static uint32_t meet(const struct search *x, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (x->number[a] > x->number[b])
            a = x->above[a];
        while (x->number[b] > x->number[a])
            b = x->above[b];
    }
    return a;
}

/* Cooper, Harvey, Kennedy: a simple, fast dominance algorithm. */
static void find_dominators(struct search *x)
{
    const struct module_function *const f = x->flow->f;
    bool changed = true;
    for (uint32_t b = 0; b < f->blocks_count; b++)
        x->above[b] = MODULE_NONE;
    x->above[0] = 0;
    while (changed) {
        changed = false;
        for (uint32_t n = 0; n < x->count; n++) {
            const uint32_t b = x->order[n];
            const unsigned count = successors(f, b, x->next);
            for (unsigned k = 0; k < count; k++) {
                const uint32_t to = x->next[k];
                uint32_t above = b;
                if (to == 0 || x->above[b] == MODULE_NONE)
                    continue;
                if (x->above[to] != MODULE_NONE)
                    above = meet(x, x->above[to], b);
                changed |= above != x->above[to];
                x->above[to] = above;
            }
        }
    }
}

static bool dominates(const struct search *x, uint32_t a, uint32_t b)
{
    while (b != a && b != 0)
        b = x->above[b];
    return b == a;
}

/* The loop with this head, made if there is none; NULL without memory. */
static struct flow_loop *loop_of(struct flow *flow, uint32_t head)
{
    struct flow_loop *loop, *loops;
    for (uint32_t l = 0; l < flow->loops_count; l++)
        if (flow->loops[l].head == head)
            return &flow->loops[l];
    loops = array_grow(flow->loops, flow->loops_count, &flow->loops_room, sizeof *loops);
    if (loops == NULL)
        return NULL;
    flow->loops = loops;
    loop = &flow->loops[flow->loops_count];
    *loop = (struct flow_loop){head, MODULE_NONE, calloc(flow->f->blocks_count, sizeof(bool))};
    if (loop->has == NULL)
        return NULL;
    flow->loops_count++;
    loop->has[head] = true;
    return loop;
}

/* Blocks from which `from` is reached without passing the head. */
static bool fill_loop(struct search *x, struct flow_loop *loop, uint32_t from)
{
    const struct module_function *const f = x->flow->f;
    bool changed = !loop->has[from];
    loop->has[from] = true;
    while (changed) {
        changed = false;
        for (uint32_t n = x->count; n-- > 0;) {
            const uint32_t b = x->order[n];
            const unsigned count = loop->has[b] ? 0 : successors(f, b, x->next);
            for (unsigned k = 0; k < count; k++)
                if (loop->has[x->next[k]] && x->next[k] != loop->head) {
                    loop->has[b] = true;
                    changed = true;
                }
        }
    }
    return true;
}

static bool find_loops(struct search *x)
{
    struct flow *const flow = x->flow;
    for (uint32_t n = 0; n < x->count; n++) {
        const uint32_t b = x->order[n];
        const unsigned count = successors(flow->f, b, x->next);
        uint32_t heads[64];
        unsigned heads_count = 0;
        for (unsigned k = 0; k < count; k++) {
            if (x->number[x->next[k]] > n)
                continue;
            if (heads_count == sizeof heads / sizeof heads[0])
                return false;
            heads[heads_count++] = x->next[k];
        }
        for (unsigned k = 0; k < heads_count; k++) {
            struct flow_loop *loop;
            if (!dominates(x, heads[k], b))
                return false; /* it is entered at two places */
            loop = loop_of(flow, heads[k]);
            if (loop == NULL)
                return false;
            fill_loop(x, loop, b);
        }
    }
    return true;
}

static uint32_t size_of(const struct flow *flow, uint32_t loop)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < flow->f->blocks_count; b++)
        n += flow->loops[loop].has[b];
    return n;
}

/* The smallest loop that has the block, is not `but`; MODULE_NONE: none. */
static uint32_t innermost(const struct flow *flow, uint32_t block, uint32_t but)
{
    uint32_t found = MODULE_NONE, least = UINT32_MAX;
    for (uint32_t l = 0; l < flow->loops_count; l++) {
        if (l == but || !flow->loops[l].has[block])
            continue;
        if (size_of(flow, l) < least && (but == MODULE_NONE || size_of(flow, l) > size_of(flow, but))) {
            found = l;
            least = size_of(flow, l);
        }
    }
    return found;
}

static bool find_live(struct search *x)
{
    struct flow *const flow = x->flow;
    const struct module_function *const f = flow->f;
    bool changed = true;
    flow->live_words = f->registers_count / 64 + 1;
    flow->live = calloc((size_t)f->blocks_count * flow->live_words, sizeof *flow->live);
    uint64_t *const now = calloc(flow->live_words, sizeof *now);
    for (; changed && flow->live != NULL && now != NULL;) {
        changed = false;
        for (uint32_t n = x->count; n-- > 0;) {
            const uint32_t b = x->order[n];
            const unsigned count = successors(f, b, x->next);
            memset(now, 0, flow->live_words * sizeof *now);
            for (unsigned k = 0; k < count; k++)
                for (uint32_t w = 0; w < flow->live_words; w++)
                    now[w] |= flow->live[(size_t)x->next[k] * flow->live_words + w];
            for (uint32_t k = f->blocks[b].count; k-- > 0;) {
                const struct module_instruction *const i = &f->instructions[f->blocks[b].first + k];
                for (unsigned d = 0; d < i->dsts_count && i->guard == MODULE_NONE; d++)
                    if (i->dsts[d].kind == OPERAND_REGISTER)
                        now[i->dsts[d].reg / 64] &= ~(UINT64_C(1) << i->dsts[d].reg % 64);
                for (unsigned r = 0; r < i->srcs_count; r++)
                    if ((i->srcs[r].kind == OPERAND_REGISTER || i->srcs[r].kind == OPERAND_ADDRESS) &&
                        i->srcs[r].reg != MODULE_NONE)
                        now[i->srcs[r].reg / 64] |= UINT64_C(1) << i->srcs[r].reg % 64;
                if (i->guard != MODULE_NONE)
                    now[i->guard / 64] |= UINT64_C(1) << i->guard % 64;
            }
            uint64_t *const to = flow->live + (size_t)b * flow->live_words;
            changed |= memcmp(to, now, flow->live_words * sizeof *now) != 0;
            memcpy(to, now, flow->live_words * sizeof *now);
        }
    }
    free(now);
    return flow->live != NULL && now != NULL;
}

bool flow_find(struct flow *flow, const struct module_function *f)
{
    struct search x = {.flow = flow};
    bool good;
    flow->f = f;
    flow->reached = calloc(f->blocks_count + 1, sizeof *flow->reached);
    flow->loop = malloc((f->blocks_count + 1) * sizeof *flow->loop);
    x.next = calloc(widest(f), sizeof *x.next);
    x.order = calloc(f->blocks_count + 1, sizeof *x.order);
    x.number = calloc(f->blocks_count + 1, sizeof *x.number);
    x.above = calloc(f->blocks_count + 1, sizeof *x.above);
    good = flow->reached && flow->loop && x.next && x.order && x.number && x.above && number_blocks(&x);
    if (good) {
        find_dominators(&x);
        good = find_loops(&x) && find_live(&x);
    }
    for (uint32_t b = 0; good && b < f->blocks_count; b++)
        flow->loop[b] = innermost(flow, b, MODULE_NONE);
    for (uint32_t l = 0; good && l < flow->loops_count; l++)
        flow->loops[l].parent = innermost(flow, flow->loops[l].head, l);
    free(x.next);
    free(x.order);
    free(x.number);
    free(x.above);
    return good;
}

bool flow_is_live(const struct flow *flow, uint32_t block, uint32_t reg)
{
    const uint32_t own = reg - flow->rows;
    if (reg < flow->rows || own >= flow->f->registers_count)
        return true;
    return flow->live[(size_t)block * flow->live_words + own / 64] >> own % 64 & 1;
}

void flow_free(struct flow *flow)
{
    for (uint32_t l = 0; l < flow->loops_count; l++)
        free(flow->loops[l].has);
    free(flow->loops);
    free(flow->reached);
    free(flow->loop);
    free(flow->live);
}
