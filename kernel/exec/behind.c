#include "kernel/exec/behind.h"

#include <stdlib.h>

struct ways {
    struct code *code;
    const struct code_function *cf;
    const struct module_function *f;
    uint32_t *last; /* per block: the last block on all of its ways to an exit; MODULE_NONE: not known yet */
};

static struct code_instruction *instruction_of(const struct ways *w, const struct module_block *b, uint32_t n)
{
    return &w->code->instructions[w->cf->first + b->first + n];
}

static bool leaves(const struct code_instruction *c)
{
    return c->kind == CODE_EXIT || c->kind == CODE_RETURN || c->kind == CODE_END;
}

/* Does it nothing but go elsewhere? */
static bool only_goes(const struct code_instruction *c)
{
    return leaves(c) || c->kind == CODE_TRAP || c->kind == CODE_NOTHING ||
           (c->kind == CODE_BRANCH && c->guard == CODE_NO_ROW);
}

/* The last instruction of the block that does something; MODULE_NONE: there is none. */
static uint32_t last_work(const struct ways *w, uint32_t block)
{
    const struct module_block *b = &w->f->blocks[block];
    for (uint32_t n = b->count; n-- > 0;)
        if (!only_goes(instruction_of(w, b, n)))
            return w->cf->first + b->first + n;
    return MODULE_NONE;
}

/* Goes the way on from the block to an exit, with nothing done before? */
static bool is_end(const struct ways *w, uint32_t block)
{
    const struct module_block *b = &w->f->blocks[block];
    return last_work(w, block) == MODULE_NONE && b->next_count == 0 && !b->falls_through &&
           leaves(instruction_of(w, b, b->count - 1));
}

/* Adds one way on from `block`. A way that ends in a trap has no last block. */
static uint32_t join(const struct ways *w, uint32_t block, uint32_t so_far, uint32_t to)
{
    const uint32_t last = is_end(w, to) ? block : w->last[to];
    if (last == MODULE_NONE)
        return so_far;
    return so_far == MODULE_NONE || so_far == last ? last : block;
}

/* Where the last blocks of all ways on are one, it is the block's own, too; else the block itself is the last one. */
static uint32_t find_last(const struct ways *w, uint32_t block)
{
    const struct module_block *b = &w->f->blocks[block];
    uint32_t last = MODULE_NONE;
    if (leaves(instruction_of(w, b, b->count - 1)))
        return block;
    for (uint32_t n = 0; n < b->next_count; n++)
        last = join(w, block, last, b->next[n]);
    return b->falls_through && block + 1 < w->f->blocks_count ? join(w, block, last, block + 1) : last;
}

static void find_all(const struct ways *w)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = w->f->blocks_count; b-- > 0;) {
            const uint32_t last = w->last[b] == b ? b : find_last(w, b);
            changed |= last != w->last[b];
            w->last[b] = last;
        }
    }
}

static void mark(const struct ways *w, struct code_instruction *barrier, uint32_t at, uint32_t block)
{
    const uint32_t last = w->last[block] == MODULE_NONE ? MODULE_NONE : last_work(w, w->last[block]);
    if (last == MODULE_NONE || (w->last[block] == block && last <= at))
        return;
    barrier->behind = last;
    if (w->code->instructions[last].passes == CODE_NO_ROW)
        w->code->instructions[last].passes = w->code->passes_count++;
}

/* A barrier, or a call of a function that comes to one: in `has`, per function of the code. Callees come first. */
static bool is_barrier(const struct code *code, const bool *has, const struct code_instruction *c)
{
    if (c->kind != CODE_CALL)
        return c->kind == CODE_BARRIER && c->i->aligned;
    for (uint32_t n = 0; n < code->functions_count; n++)
        if (code->functions[n].first == c->target)
            return has[n];
    return false;
}

static bool mark_function(struct code *code, const struct code_function *cf, bool *has)
{
    const struct module_function *f = &code->module->functions[cf->function];
    struct ways w = {.code = code, .cf = cf, .f = f, .last = malloc((f->blocks_count + 1u) * sizeof *w.last)};
    if (!w.last)
        return false;
    for (uint32_t b = 0; b < f->blocks_count; b++)
        w.last[b] = MODULE_NONE;
    find_all(&w);
    for (uint32_t b = 0; b < f->blocks_count; b++)
        for (uint32_t n = 0; n < f->blocks[b].count; n++) {
            struct code_instruction *c = instruction_of(&w, &f->blocks[b], n);
            if (is_barrier(code, has, c)) {
                has[cf->index] = true;
                mark(&w, c, cf->first + f->blocks[b].first + n, b);
            }
        }
    free(w.last);
    return true;
}

bool behind_find(struct code *code)
{
    bool *const has = calloc(code->functions_count + 1u, sizeof *has), ok = has != NULL;
    for (uint32_t n = 0; n < code->count; n++)
        code->instructions[n].behind = code->instructions[n].passes = CODE_NO_ROW;
    for (uint32_t n = 0; ok && n < code->functions_count; n++)
        ok = mark_function(code, &code->functions[n], has);
    free(has);
    return ok;
}
