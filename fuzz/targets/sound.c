#include "fuzz/targets/sound.h"

#include <string.h>

static const char *operand_unsound(const struct module *m, const struct module_function *f,
                                   const struct module_operand *o)
{
    bool is_address = o->kind == OPERAND_ADDRESS;
    if ((o->kind == OPERAND_REGISTER || (is_address && o->reg != MODULE_NONE)) && o->reg >= f->registers_count)
        return "an operand's register does not exist";
    if ((o->kind == OPERAND_VARIABLE || (is_address && o->variable != MODULE_NONE)) &&
        o->variable >= m->variables_count)
        return "an operand's variable does not exist";
    if (o->kind == OPERAND_FUNCTION && o->function >= m->functions_count)
        return "an operand's function does not exist";
    if (o->kind == OPERAND_SPECIAL && (o->special >= SPECIALS || o->component > 31))
        return "an operand's special register does not exist";
    if (is_address && o->reg != MODULE_NONE && o->variable != MODULE_NONE)
        return "an address has two bases";
    return o->negate && o->kind != OPERAND_REGISTER && o->kind != OPERAND_IMMEDIATE ? "a negated operand of that kind"
                                                                                    : NULL;
}

static bool has_warp_shape(const struct module_instruction *i)
{
    return i->srcs_count == 4 && i->dsts_count == 2;
}

static const char *shape_unsound(const struct module_instruction *i)
{
    if (i->op == OP_UNREAD && (i->unread == NULL || i->dsts_count + i->srcs_count > 0))
        return "an unread instruction without a reason, or with operands";
    if (i->op == OP_WARP && !has_warp_shape(i))
        return "a warp instruction with other operands";
    if (i->op == OP_WARP && !(warp_form_get(i->form)->destinations >> i->dst & 1u))
        return "destinations that the form does not take";
    if ((i->op == OP_LD || i->op == OP_LDU) && i->dsts_count != i->vector)
        return "a load with another number of destinations";
    if (i->op == OP_ST && i->srcs_count != i->vector + 1u)
        return "a store with another number of sources";
    if ((i->op == OP_LD || i->op == OP_ST || i->op == OP_ATOM) && i->srcs[0].kind != OPERAND_ADDRESS)
        return "an access without an address";
    if (i->cc && (i->dsts_count != 2 || i->dsts[1].kind != OPERAND_REGISTER))
        return "a carry without its register";
    return NULL;
}

static const char *instruction_unsound(const struct module *m, const struct module_function *f, uint32_t n)
{
    const struct module_instruction *i = &f->instructions[n];
    const struct module_block *b = &f->blocks[i->block];
    if (i->block >= f->blocks_count || n < b->first || n - b->first >= b->count)
        return "an instruction is not in its block";
    if (i->guard != MODULE_NONE && (i->guard >= f->registers_count || f->registers[i->guard].bits != 1))
        return "a guard is no predicate";
    if ((i->op == OP_BRA) != (i->target != MODULE_NONE) || (i->op == OP_BRA && i->target >= f->instructions_count))
        return "a branch goes nowhere";
    if ((i->op == OP_CALL) != (i->callee != MODULE_NONE) || (i->op == OP_CALL && i->callee >= m->functions_count))
        return "a call goes nowhere";
    if ((i->op == OP_BRX) != (i->targets_count > 0))
        return "a brx has no targets";
    for (uint32_t k = 0; k < i->targets_count; k++)
        if (i->targets[k] >= f->instructions_count)
            return "a brx goes nowhere";
    if (i->location != MODULE_NONE && i->location >= m->locations_count)
        return "a place in the source does not exist";
    for (unsigned k = 0; k < (unsigned)i->dsts_count + i->srcs_count; k++) {
        const char *why = operand_unsound(m, f, k < i->dsts_count ? &i->dsts[k] : &i->srcs[k - i->dsts_count]);
        if (why)
            return why;
    }
    if (i->op == OP_UNREAD && f->unread == NULL)
        return "an unread instruction in a function that is said to be read";
    return shape_unsound(i);
}

static const char *blocks_unsound(const struct module_function *f)
{
    uint32_t at = 0;
    for (uint32_t n = 0; n < f->blocks_count; n++) {
        const struct module_block *b = &f->blocks[n];
        if (b->first != at || b->count == 0)
            return "blocks do not follow each other";
        at += b->count;
        for (uint32_t k = 0; k < b->next_count; k++)
            if (b->next[k] >= f->blocks_count)
                return "a block goes nowhere";
        if (b->falls_through && n + 1 == f->blocks_count)
            return "the last block falls through";
    }
    return at == f->instructions_count ? NULL : "instructions outside blocks";
}

static const char *function_unsound(const struct module *m, const struct module_function *f)
{
    if (f->is_declaration != (f->instructions_count == 0))
        return "a body without instructions, or instructions without a body";
    for (uint32_t n = 0; n < f->params_count + f->returns_count; n++) {
        uint32_t v = n < f->params_count ? f->params[n] : f->returns[n - f->params_count];
        if (v >= m->variables_count)
            return "a parameter does not exist";
        if (!f->is_declaration && m->variables[v].reg != MODULE_NONE && m->variables[v].reg >= f->registers_count)
            return "a parameter's register does not exist";
    }
    const char *why = blocks_unsound(f);
    for (uint32_t n = 0; n < f->instructions_count && !why; n++)
        why = instruction_unsound(m, f, n);
    return why;
}

static const char *variable_unsound(const struct module *m, const struct module_variable *v)
{
    if (v->name == NULL || v->align == 0 || (v->align & (v->align - 1)) != 0)
        return "a variable without a name or alignment";
    if (v->data_size > v->size || (v->data == NULL && v->data_size > 0))
        return "more initial values than bytes";
    for (uint32_t n = 0; n < v->relocations_count; n++) {
        const struct module_relocation *at = &v->relocations[n];
        bool is_variable = at->variable != MODULE_NONE, is_function = at->function != MODULE_NONE;
        if (is_variable == is_function || (is_variable && at->variable >= m->variables_count) ||
            (is_function && at->function >= m->functions_count) || at->offset + at->bytes > v->data_size)
            return "an address in a variable is of nothing";
    }
    return NULL;
}

const char *module_unsound(const struct module *m)
{
    const char *why = m->address_size == 32 || m->address_size == 64 ? NULL : "an address size";
    for (uint32_t n = 0; n < m->locations_count && !why; n++)
        if ((m->locations[n].inlined_at != MODULE_NONE && m->locations[n].inlined_at >= n) ||
            (m->locations[n].file != MODULE_NONE && m->locations[n].file >= m->files_count))
            why = "a place in the source that is inlined in none";
    for (uint32_t n = 0; n < m->variables_count && !why; n++)
        why = variable_unsound(m, &m->variables[n]);
    for (uint32_t n = 0; n < m->functions_count && !why; n++)
        why = function_unsound(m, &m->functions[n]);
    return why;
}
