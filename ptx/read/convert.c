/*
 * Converts instructions of modules to those of straight-line programs, which are a subset: checks operations, types
 * and modifiers, and that nothing is read before it is written.
 */
#include "ptx/read/builder.h"

#include <assert.h>
#include <string.h>

static const struct program_op_info ops[] = {
#define T(t)                                    (1u << PTX_##t)
#define PROGRAM_OP(id, name, sources, type_set) {PROGRAM_##id, name, sources, type_set},
#include "ptx/ops.def"
#undef PROGRAM_OP
};
#define OPS_COUNT (sizeof ops / sizeof ops[0])

const char *const compare_names[PROGRAM_COMPARES] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                                     "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
const char *const special_names[PROGRAM_SPECIALS] = {"%laneid",      "%lanemask_eq", "%lanemask_le",
                                                     "%lanemask_lt", "%lanemask_ge", "%lanemask_gt"};

static_assert((int)COMPARE_EQ == (int)PROGRAM_EQ + 1 && (int)COMPARE_NAN == (int)PROGRAM_NAN + 1,
              "the comparisons stand in the same order");

const struct program_op_info *program_op_get(enum program_op op)
{
    for (size_t i = 0; i < OPS_COUNT; i++)
        if (ops[i].op == op)
            return &ops[i];
    return NULL;
}

enum program_op op_find(const char *name, size_t size)
{
    for (size_t i = 0; i < OPS_COUNT; i++)
        if (strlen(ops[i].name) == size && memcmp(ops[i].name, name, size) == 0)
            return ops[i].op;
    return PROGRAM_OPS;
}

bool op_has_type(enum program_op op, enum ptx_type type)
{
    const struct program_op_info *info = program_op_get(op);
    return info && info->types >> type & 1u;
}

/* The program's operation, or PROGRAM_OPS. */
static enum program_op op_of(enum ptx_op op)
{
    static const enum program_op table[OPS] = {
#define PROGRAM_OP(id, ...) [OP_##id] = PROGRAM_##id,
#include "ptx/ops.def"
#undef PROGRAM_OP
        [OP_EXIT] = PROGRAM_EXIT,
    };
    return table[op] != PROGRAM_WARP || op == OP_WARP ? table[op] : PROGRAM_OPS;
}

static bool fail(struct reader *r, const struct module_instruction *i, const char *what)
{
    return error_at(&r->error, i->line, i->column, "%s %s", i->name, what);
}

static bool fail_unread(struct reader *r, const struct module_instruction *i)
{
    return error_at(&r->error, i->line, i->column, "%s is not read: %s", i->name, i->unread);
}

static bool has_other_modifiers(const struct module_instruction *i)
{
    bool rounds = i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL;
    return i->ftz || i->sat || i->cc || i->xorsign || i->relu ||
           (i->rounding != ROUND_NONE && !(rounds && i->rounding == ROUND_RN));
}

bool builder_accept(struct reader *r, const struct module_instruction *i)
{
    enum program_op op = op_of(i->op);
    bool jumps = i->op == OP_BRA || i->op == OP_BRX || i->op == OP_CALL || i->op == OP_RET;
    if (i->op == OP_UNREAD)
        return fail_unread(r, i);
    if (jumps)
        return fail(r, i, "is not read: a program is a straight line (guards and exit are read)");
    if (op == PROGRAM_OPS)
        return fail(r, i,
                    "is not read: a program holds warp instructions, exit, mov add sub mul min max and or xor not shl "
                    "shr neg abs selp setp popc clz brev");
    if (op == PROGRAM_WARP || op == PROGRAM_EXIT)
        return true;
    if (!op_has_type(op, i->type))
        return fail(r, i, "is not read: it has a type that does not go with the operation in a program");
    if (i->part != PART_NONE && i->part != PART_LO)
        return fail(r, i, "is not read: of integers only mul.lo");
    if (i->bool_op != ATOMIC_NONE)
        return fail(r, i, "is not read: of setp only one comparison");
    return !has_other_modifiers(i) ||
           fail(r, i, "has a modifier that is not read (f32: .rn of add, sub, mul; .NaN of min, max)");
}

/* A register that is read at this place. */
static bool check_read(struct builder *b, uint32_t reg, uint32_t line, uint32_t column)
{
    struct program_register *to = &b->program->registers[reg];
    if (b->written[reg])
        return true;
    if (!b->implicit_inputs)
        return error_at(b->error, line, column,
                        "%s is read before anything writes it: declare it with '//! input %s %s'", to->name, to->name,
                        ptx_type_name(to->type));
    to->input = (struct program_input){.is_input = true, .implicit = true, .as = to->type};
    b->written[reg] = true;
    return true;
}

bool builder_guard(struct builder *b, uint32_t guard, const struct token *at)
{
    return check_read(b, guard, at->line, at->column);
}

static bool convert_special(struct builder *b, const struct module_operand *o, struct program_operand *out)
{
    out->kind = PROGRAM_SPECIAL;
    for (unsigned n = 0; n < PROGRAM_SPECIALS; n++) {
        out->value = n;
        if (strcmp(ptx_special_name(o->special), special_names[n]) == 0)
            return true;
    }
    return error_at(b->error, o->line, o->column,
                    "the special register %s is not read: a program has %%laneid and %%lanemask_...",
                    ptx_special_name(o->special));
}

static bool convert_operand(struct builder *b, const struct module_operand *o, bool is_source,
                            struct program_operand *out)
{
    *out = (struct program_operand){.kind = PROGRAM_NONE, .negate = o->negate, .reg = PROGRAM_NO_REGISTER};
    switch (o->kind) {
    case OPERAND_NONE:
        return true;
    case OPERAND_SINK:
        out->kind = PROGRAM_SINK;
        return true;
    case OPERAND_REGISTER:
        out->kind = PROGRAM_REGISTER;
        out->reg = o->reg;
        return !is_source || check_read(b, o->reg, o->line, o->column);
    case OPERAND_IMMEDIATE:
        out->kind = PROGRAM_IMMEDIATE;
        out->value = o->value;
        return true;
    case OPERAND_SPECIAL:
        return convert_special(b, o, out);
    case OPERAND_VARIABLE:
    case OPERAND_FUNCTION:
    case OPERAND_ADDRESS:
        break;
    }
    return error_at(b->error, o->line, o->column, "a program has no memory, and no addresses");
}

/* The only pairs are two registers of 32 bits in one of 64. */
static bool check_shape(struct builder *b, const struct module_instruction *m)
{
    bool packs = m->op == OP_PACK || m->op == OP_UNPACK;
    unsigned halves = m->op == OP_PACK ? m->srcs_count : m->dsts_count;
    const struct module_operand *first = m->op == OP_PACK ? m->srcs : m->dsts;
    if (packs && (m->type != PTX_B64 || halves != 2))
        return error_at(b->error, first->line, first->column,
                        "%s has no operand of this shape: only the two halves of a .b64 are read", m->name);
    if (m->op == OP_SETP && m->dsts_count != 1)
        return error_at(b->error, first->line, first->column,
                        "%s has no operand of this shape: only one predicate is read", m->name);
    if (m->op != OP_UNPACK)
        return true;
    if (m->dsts[0].kind == OPERAND_SINK && m->dsts[1].kind == OPERAND_SINK)
        return fail(&b->reader, m, "throws both halves away");
    return m->dsts[0].reg != m->dsts[1].reg || fail(&b->reader, m, "writes both halves to one register");
}

/* Sources first: an instruction may read the register that it writes. */
bool builder_convert(struct builder *b, const struct module_instruction *m, struct program_instruction *i)
{
    memset(i, 0, sizeof *i);
    for (size_t n = 0; n < 4; n++)
        i->srcs[n].reg = PROGRAM_NO_REGISTER;
    i->dsts[0].reg = i->dsts[1].reg = i->guard.reg = PROGRAM_NO_REGISTER;
    i->line = m->line;
    i->op = op_of(m->op);
    i->type = m->type;
    i->compare = m->compare == COMPARE_NONE ? PROGRAM_EQ : (enum program_compare)(m->compare - 1);
    i->nan = m->nan;
    i->form = m->form;
    i->dst = m->dst;
    if (m->guard != MODULE_NONE)
        i->guard = (struct program_operand){.kind = PROGRAM_REGISTER, .negate = m->guard_negate, .reg = m->guard};
    if (m->op == OP_UNREAD) /* for an operand */
        return fail_unread(&b->reader, m);
    if (!check_shape(b, m))
        return false;
    for (size_t n = 0; n < m->srcs_count; n++)
        if (!convert_operand(b, &m->srcs[n], true, &i->srcs[n]))
            return false;
    for (size_t n = 0; n < m->dsts_count; n++)
        if (!convert_operand(b, &m->dsts[n], false, &i->dsts[n]))
            return false;
    return true;
}
