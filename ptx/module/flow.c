/*
 * Resolves what is known only at the end of the text: where branches go, which instructions form blocks, which
 * functions cannot be used because they call one that is not read.
 */
#include "ptx/module/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_block(const struct module_instruction *i)
{
    return i->op == OP_BRA || i->op == OP_BRX || i->op == OP_RET || i->op == OP_EXIT || i->op == OP_TRAP;
}

static bool falls_through(const struct module_instruction *i)
{
    return !ends_block(i) || i->guard != MODULE_NONE;
}

/* A function may end with its '}', also behind a label: a ret that nobody wrote stands there. */
static bool add_ret(struct reader *r)
{
    struct module_instruction ret = {.op = OP_RET,
                                     .vector = 1,
                                     .implicit = true,
                                     .guard = MODULE_NONE,
                                     .target = MODULE_NONE,
                                     .callee = MODULE_NONE,
                                     .location = r->location,
                                     .line = r->lexer.token.line,
                                     .column = r->lexer.token.column,
                                     .name = "ret"};
    struct module_instruction *to = LIST_ADD(r, r->instructions);
    if (to)
        *to = ret;
    return to != NULL;
}

static bool find_label(struct reader *r, const struct reference *ref, enum symbol_kind kind, uint32_t *index)
{
    char quote[TOKEN_QUOTE_MAX];
    const struct symbol *s = symbol_find(r, ref->scope, ref->name.at, ref->name.size);
    if (!s || s->kind != kind)
        return reader_error(r, &ref->name, "%s is no %s of this function", token_quote(&ref->name, quote),
                            kind == SYMBOL_LABEL ? "label" : "list of .branchtargets");
    *index = s->index;
    r->label_at_end |= s->index == r->instructions.count && kind == SYMBOL_LABEL;
    return true;
}

static bool resolve_table(struct reader *r, struct table *table)
{
    uint32_t *targets = table->targets ? table->targets : reader_memory(r, 2 * table->count * sizeof *targets);
    if (!targets)
        return false;
    for (uint32_t n = 0; n < table->count && !table->targets; n++)
        if (!find_label(r, &r->references.items[table->first + n], SYMBOL_LABEL, &targets[n])) {
            table->is_lost = true;
            return false;
        }
    table->targets = targets;
    return true;
}

static bool resolve_brx(struct reader *r, const struct reference *ref, struct module_instruction *i)
{
    uint32_t index = 0;
    if (!find_label(r, ref, SYMBOL_TABLE, &index))
        return false;
    if (r->tables.items[index].is_lost)
        return reader_error(r, &ref->name, "a name in this list of .branchtargets is no label");
    if (!resolve_table(r, &r->tables.items[index]))
        return false;
    i->targets = r->tables.items[index].targets;
    i->targets_count = r->tables.items[index].count;
    return true;
}

/* Makes a branch to an unknown label OP_UNREAD, when mistakes are kept; else false. */
static bool lose_branch(struct reader *r, struct module_instruction *i)
{
    if (!r->keep_wrong || r->no_memory)
        return false;
    instruction_lose(i, reader_copy(r, r->error.what, strlen(r->error.what)), (uint32_t)r->error.line,
                     (uint32_t)r->error.column);
    return i->unread != NULL;
}

static bool resolve_branches(struct reader *r)
{
    for (size_t n = 0; n < r->branches.count; n++) {
        const struct reference *ref = &r->branches.items[n];
        struct module_instruction *i = &r->instructions.items[ref->instruction];
        bool found = i->op == OP_BRA ? find_label(r, ref, SYMBOL_LABEL, &i->target) : resolve_brx(r, ref, i);
        if (!found && !lose_branch(r, i))
            return false;
    }
    return true;
}

/* Which instructions begin a block: the block's number, else MODULE_NONE. Then each instruction's block is known. */
static uint32_t number_blocks(const struct reader *r, struct module_instruction *items, uint32_t count, bool *first)
{
    uint32_t blocks = 0;
    first[0] = true;
    for (size_t t = 0; t < r->tables.count; t++)
        for (uint32_t k = 0; r->tables.items[t].targets && k < r->tables.items[t].count; k++)
            first[r->tables.items[t].targets[k]] = true;
    for (uint32_t n = 0; n < count; n++) {
        const struct module_instruction *i = &items[n];
        if (i->op == OP_BRA)
            first[i->target] = true;
        if (ends_block(i) && n + 1 < count)
            first[n + 1] = true;
    }
    for (uint32_t n = 0; n < count; n++) {
        blocks += first[n];
        items[n].block = blocks - 1;
    }
    return blocks;
}

/* The blocks of the targets of brx, in the room behind them. */
static void fill_tables(struct reader *r, const struct module_instruction *items)
{
    for (size_t t = 0; t < r->tables.count; t++) {
        const struct table *table = &r->tables.items[t];
        for (uint32_t k = 0; table->targets && k < table->count; k++)
            table->targets[table->count + k] = items[table->targets[k]].block;
    }
}

static bool make_blocks(struct reader *r, struct module_function *f, struct module_instruction *items, uint32_t count)
{
    bool *first = calloc(count, sizeof *first);
    if (!first)
        return reader_no_memory(r);
    f->blocks_count = number_blocks(r, items, count, first);
    fill_tables(r, items);
    struct module_block *blocks = reader_memory(r, f->blocks_count * sizeof *blocks);
    uint32_t *next = reader_memory(r, f->blocks_count * sizeof *next);
    for (uint32_t n = 0; n < count && blocks && next; n++) {
        const struct module_instruction *i = &items[n];
        struct module_block *b = &blocks[i->block];
        if (first[n])
            b->first = n;
        b->count++;
        if (n + 1 < count && !first[n + 1])
            continue;
        b->falls_through = falls_through(i);
        if (i->op == OP_BRA) {
            next[i->block] = items[i->target].block;
            b->next = &next[i->block];
            b->next_count = 1;
        } else if (i->op == OP_BRX) {
            b->next = i->targets + i->targets_count;
            b->next_count = i->targets_count;
        }
    }
    free(first);
    f->blocks = blocks;
    return blocks && next;
}

/* The first statement of the function that is not read, with its place. */
static bool note_unread(struct reader *r, struct module_function *f)
{
    char text[ERROR_TEXT_MAX];
    for (uint32_t n = 0; n < f->instructions_count && !f->unread; n++) {
        const struct module_instruction *i = &f->instructions[n];
        if (i->op != OP_UNREAD)
            continue;
        snprintf(text, sizeof text, "%s:%u:%u: %s is not read: %s", r->module->name, i->unread_line, i->unread_column,
                 i->name, i->unread);
        f->unread = reader_copy(r, text, strlen(text));
        return f->unread != NULL;
    }
    return true;
}

bool flow_finish(struct reader *r)
{
    struct module_function *f = &r->functions.items[r->function];
    r->label_at_end = false;
    if (!resolve_branches(r))
        return false;
    bool open = r->instructions.count == 0 || falls_through(&r->instructions.items[r->instructions.count - 1]);
    if ((open || r->label_at_end) && !add_ret(r))
        return false;
    uint32_t count = (uint32_t)r->instructions.count;
    struct module_instruction *instructions = reader_memory(r, count * sizeof *instructions);
    struct module_register *registers = reader_memory(r, r->registers.count * sizeof *registers + 1);
    if (!instructions || !registers)
        return false;
    memcpy(instructions, r->instructions.items, count * sizeof *instructions);
    if (r->registers.count > 0)
        memcpy(registers, r->registers.items, r->registers.count * sizeof *registers);
    f->instructions = instructions;
    f->instructions_count = count;
    f->registers = registers;
    f->registers_count = (uint32_t)r->registers.count;
    f->carry = r->carry;
    return make_blocks(r, f, instructions, count) && note_unread(r, f);
}

/* Redirects calls of an alias to its function. */
static void follow_aliases(struct reader *r)
{
    for (size_t n = 0; n < r->calls.count; n++) {
        struct call *call = &r->calls.items[n];
        const struct module_function *f = &r->functions.items[call->caller];
        struct module_instruction *i = (struct module_instruction *)(uintptr_t)&f->instructions[call->instruction];
        uint32_t alias = r->aliases.items[i->callee];
        if (alias != MODULE_NONE)
            i->callee = alias;
    }
}

static const struct module_instruction *call_of(const struct reader *r, const struct call *call)
{
    return &r->functions.items[call->caller].instructions[call->instruction];
}

static bool blame(struct reader *r, const struct call *call)
{
    char text[ERROR_TEXT_MAX];
    struct module_function *caller = &r->functions.items[call->caller];
    const struct module_function *callee = &r->functions.items[call_of(r, call)->callee];
    snprintf(text, sizeof text, "it calls %s: %s", callee->name, callee->unread);
    caller->unread = reader_copy(r, text, strlen(text));
    return caller->unread != NULL;
}

/*
 * A function that calls one that cannot be read cannot be used either: a search over the calls, sorted by callee.
 * from[f] to from[f + 1] are the places in `sorted` of the calls to f.
 */
static bool spread(struct reader *r, size_t *from, size_t *sorted, uint32_t *queue)
{
    size_t functions = r->functions.count, head = 0, tail = 0;
    for (size_t n = 0; n < r->calls.count; n++)
        from[call_of(r, &r->calls.items[n])->callee + 2]++;
    for (size_t f = 2; f < functions + 2; f++)
        from[f] += from[f - 1];
    for (size_t n = 0; n < r->calls.count; n++)
        sorted[from[call_of(r, &r->calls.items[n])->callee + 1]++] = n;
    for (uint32_t f = 0; f < functions; f++)
        if (r->functions.items[f].unread)
            queue[tail++] = f;
    while (head < tail) {
        uint32_t callee = queue[head++];
        for (size_t n = from[callee]; n < from[callee + 1]; n++) {
            const struct call *call = &r->calls.items[sorted[n]];
            if (r->functions.items[call->caller].unread)
                continue;
            if (!blame(r, call))
                return false;
            queue[tail++] = call->caller;
        }
    }
    return true;
}

bool flow_calls(struct reader *r)
{
    size_t *from = calloc(r->functions.count + 2, sizeof *from);
    size_t *sorted = calloc(r->calls.count + 1, sizeof *sorted);
    uint32_t *queue = calloc(r->functions.count + 1, sizeof *queue);
    bool ok = from && sorted && queue;
    follow_aliases(r);
    ok = ok ? spread(r, from, sorted, queue) : reader_no_memory(r);
    free(from);
    free(sorted);
    free(queue);
    return ok;
}
