#include "ptx/program.h"

#include <string.h>

static bool operand_equal(const struct module_operand *x, const struct module_operand *y)
{
    return x->kind == y->kind && x->negate == y->negate && x->reg == y->reg && x->value == y->value &&
           x->special == y->special && x->component == y->component && x->variable == y->variable &&
           x->function == y->function;
}

/* Not the targets of brx, which a text that is equal otherwise has too. */
static bool instruction_equal(const struct module_instruction *x, const struct module_instruction *y)
{
    bool same = x->op == y->op && x->type == y->type && x->type2 == y->type2 && x->compare == y->compare &&
                x->bool_op == y->bool_op && x->part == y->part && x->nan == y->nan && x->form == y->form &&
                x->dst == y->dst && x->space == y->space && x->atomic == y->atomic && x->target == y->target &&
                x->callee == y->callee && x->guard == y->guard && x->guard_negate == y->guard_negate &&
                x->dsts_count == y->dsts_count && x->srcs_count == y->srcs_count;
    for (size_t n = 0; same && n < x->dsts_count; n++)
        same = operand_equal(&x->dsts[n], &y->dsts[n]);
    for (size_t n = 0; same && n < x->srcs_count; n++)
        same = operand_equal(&x->srcs[n], &y->srcs[n]);
    return same;
}

static bool register_equal(const struct program_register *x, const struct program_register *y)
{
    const struct program_input *a = &x->input, *b = &y->input;
    return strcmp(x->name, y->name) == 0 && x->type == y->type && a->is_input == b->is_input && a->as == b->as &&
           a->uniform == b->uniform && a->has_range == b->has_range && a->low == b->low && a->high == b->high;
}

static bool group_equal(const struct program_group *x, const struct program_group *y)
{
    return x->kind == y->kind && x->width == y->width && x->mask == y->mask && x->reg == y->reg;
}

static bool claim_equal(const struct program_claim *x, const struct program_claim *y)
{
    return x->refute == y->refute && x->kind == y->kind && x->reg == y->reg && x->of == y->of && x->lane == y->lane &&
           x->op == y->op && x->type == y->type && group_equal(&x->group, &y->group) && x->lanes == y->lanes &&
           x->where == y->where && x->where_negate == y->where_negate && strcmp(x->text, y->text) == 0;
}

static bool abstract_equal(const struct program_abstract *x, const struct program_abstract *y)
{
    return x->present == y->present && x->op == y->op && x->type == y->type && x->commutative == y->commutative &&
           x->associative == y->associative;
}

static bool head_equal(const struct program *x, const struct program *y)
{
    return x->instructions_count == y->instructions_count && x->registers_count == y->registers_count &&
           x->claims_count == y->claims_count && abstract_equal(&x->abstract, &y->abstract) && x->ptx == y->ptx &&
           x->target == y->target && x->exited == y->exited && x->active == y->active &&
           x->active_reg == y->active_reg && strcmp(x->from, y->from) == 0;
}

bool program_equal(const struct program *x, const struct program *y)
{
    if (!head_equal(x, y))
        return false;
    for (size_t n = 0; n < x->instructions_count; n++)
        if (!instruction_equal(&x->instructions[n], &y->instructions[n]))
            return false;
    for (size_t n = 0; n < x->registers_count; n++)
        if (!register_equal(&x->registers[n], &y->registers[n]))
            return false;
    for (size_t n = 0; n < x->claims_count; n++)
        if (!claim_equal(&x->claims[n], &y->claims[n]))
            return false;
    return true;
}
