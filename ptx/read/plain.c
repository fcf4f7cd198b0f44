/*
 * Which instructions are plain: arithmetic of plain.def, warp instructions and exit, in a straight line.
 */
#include "ptx/read/builder.h"

#include <string.h>

static const struct program_op_info ops[] = {
#define T(t)                                  (1u << PTX_##t)
#define PLAIN_OP(id, name, sources, type_set) {OP_##id, name, sources, type_set},
#include "ptx/plain.def"
#undef PLAIN_OP
};
#define OPS_COUNT (sizeof ops / sizeof ops[0])

const struct program_op_info *program_op_get(enum ptx_op op)
{
    for (size_t i = 0; i < OPS_COUNT; i++)
        if (ops[i].op == op)
            return &ops[i];
    return NULL;
}

enum ptx_op op_find(const char *name, size_t size)
{
    for (size_t i = 0; i < OPS_COUNT; i++)
        if (strlen(ops[i].name) == size && memcmp(ops[i].name, name, size) == 0)
            return ops[i].op;
    return OPS;
}

bool op_has_type(enum ptx_op op, enum ptx_type type)
{
    const struct program_op_info *info = program_op_get(op);
    return info && info->types >> type & 1u;
}

static const struct module_operand none = {
    .kind = OPERAND_NONE, .reg = MODULE_NONE, .variable = MODULE_NONE, .function = MODULE_NONE};

const struct module_operand *program_source(const struct module_instruction *i, size_t n)
{
    return n < i->srcs_count ? &i->srcs[n] : &none;
}

const struct module_operand *program_destination(const struct module_instruction *i, size_t n)
{
    return n < i->dsts_count ? &i->dsts[n] : &none;
}

static bool is_value(const struct module_operand *o)
{
    return o->kind == OPERAND_NONE || o->kind == OPERAND_SINK || o->kind == OPERAND_REGISTER ||
           o->kind == OPERAND_IMMEDIATE || o->kind == OPERAND_SPECIAL;
}

bool program_goes_straight(const struct module_instruction *i)
{
    bool memory = i->op == OP_LD || i->op == OP_LDU || i->op == OP_ST || i->op == OP_ATOM || i->op == OP_RED ||
                  i->op == OP_PREFETCH;
    bool jumps = i->op == OP_BRA || i->op == OP_BRX || i->op == OP_CALL || i->op == OP_RET || i->op == OP_TRAP;
    bool block = i->op == OP_BAR_SYNC || i->op == OP_BAR_ARRIVE || i->op == OP_BAR_RED;
    for (unsigned n = 0; n < i->srcs_count; n++)
        memory |= !is_value(&i->srcs[n]);
    return !memory && !jumps && !block && i->op != OP_UNREAD;
}

static bool has_other_modifiers(const struct module_instruction *i)
{
    bool rounds = i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL;
    return i->ftz || i->sat || i->cc || i->xorsign || i->abs || i->relu ||
           (i->rounding != ROUND_NONE && !(rounds && i->rounding == ROUND_RN));
}

static bool has_other_special(const struct module_instruction *i)
{
    for (unsigned n = 0; n < i->srcs_count; n++)
        if (i->srcs[n].kind == OPERAND_SPECIAL && i->srcs[n].special != SPECIAL_LANEID &&
            (i->srcs[n].special < SPECIAL_LANEMASK_EQ || i->srcs[n].special > SPECIAL_LANEMASK_GT))
            return true;
    return false;
}

/* The only pairs are two registers of 32 bits in one of 64; setp has one predicate. */
static bool has_other_shape(const struct module_instruction *i)
{
    unsigned halves = i->op == OP_PACK ? i->srcs_count : i->dsts_count;
    if (i->op == OP_PACK || i->op == OP_UNPACK)
        return i->type != PTX_B64 || halves != 2;
    return i->dsts_count != 1;
}

static const char *why_not_plain(const struct module_instruction *i)
{
    if (i->op == OP_WARP || i->op == OP_EXIT)
        return NULL;
    if (!program_goes_straight(i))
        return "it leaves the straight line or touches memory";
    if (!program_op_get(i->op))
        return "this operation";
    if (!op_has_type(i->op, i->type))
        return "the operation in this type";
    if (i->part != PART_NONE && i->part != PART_LO)
        return "of integers only mul.lo";
    if (i->bool_op != ATOMIC_NONE)
        return "of setp only one comparison";
    if (has_other_modifiers(i))
        return "a modifier (f32: only .rn of add, sub, mul and .NaN of min, max)";
    if (has_other_shape(i))
        return "operands of this shape";
    return has_other_special(i) ? "special registers but %laneid and %lanemask_..." : NULL;
}

bool program_find_unplain(const struct program *program, const struct module_instruction **i, const char **why)
{
    for (size_t n = 0; n < program->instructions_count; n++) {
        *i = &program->instructions[n];
        *why = why_not_plain(*i);
        if (*why)
            return true;
    }
    return false;
}
