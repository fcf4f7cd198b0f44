#include "ptx/read/builder.h"

#include <stdio.h>
#include <string.h>

#define TYPE_BIT(t) (1u << (t))

static const struct program_op_info ops[] = {
#define T(t)                                    (1u << PTX_##t)
#define PROGRAM_OP(id, name, sources, type_set) {PROGRAM_##id, name, sources, type_set},
#include "ptx/ops.def"
#undef PROGRAM_OP
};
#define OPS (sizeof ops / sizeof ops[0])

const char *const compare_names[PROGRAM_COMPARES] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                                     "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
const char *const special_names[PROGRAM_SPECIALS] = {"%laneid",      "%lanemask_eq", "%lanemask_le",
                                                     "%lanemask_lt", "%lanemask_ge", "%lanemask_gt"};

const struct program_op_info *program_op_get(enum program_op op)
{
    for (size_t i = 0; i < OPS; i++)
        if (ops[i].op == op)
            return &ops[i];
    return NULL;
}

enum program_op op_find(const char *name, size_t size)
{
    for (size_t i = 0; i < OPS; i++)
        if (strlen(ops[i].name) == size && memcmp(ops[i].name, name, size) == 0)
            return ops[i].op;
    return PROGRAM_OPS;
}

bool op_has_type(enum program_op op, enum ptx_type type)
{
    const struct program_op_info *info = program_op_get(op);
    return info && info->types >> type & 1u;
}

/* The opcode's words between its dots. */
struct word {
    const char *at;
    size_t size;
};
#define WORDS_MAX 8u

static size_t split(const char *name, struct word words[WORDS_MAX])
{
    size_t n = 0;
    while (n < WORDS_MAX) {
        size_t size = strcspn(name, ".");
        words[n++] = (struct word){name, size};
        if (name[size] == '\0')
            return n;
        name += size + 1;
    }
    return 0;
}

static bool word_is(const struct word *w, const char *text)
{
    return w->size == strlen(text) && memcmp(w->at, text, w->size) == 0;
}

static bool fail(struct builder *b, const struct statement *s, const char *what)
{
    return error_at(b->error, s->opcode.line, s->opcode.column, "%s %s", s->name, what);
}

static bool unknown(struct builder *b, const struct statement *s, const struct word *first)
{
    static const char *const jumps[] = {"bra", "brx", "call", "ret"};
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++)
        if (word_is(first, jumps[i]))
            return fail(b, s, "is not read: a program is a straight line (guards and exit are read)");
    return fail(b, s,
                "is not read: a program holds warp instructions, exit, mov add sub mul min max and or xor not shl shr "
                "neg abs selp setp popc clz brev");
}

/* lo, ls, hi, hs are the unsigned names of lt, le, gt, ge. */
static bool read_compare(struct program_instruction *i, const struct word *w)
{
    static const char *const unsigned_names[] = {"lo", "ls", "hi", "hs"};
    bool is_float = i->type == PTX_F32;
    bool is_unsigned = i->type == PTX_U32 || i->type == PTX_U64;
    for (unsigned c = 0; c < PROGRAM_COMPARES; c++) {
        if (!word_is(w, compare_names[c]))
            continue;
        i->compare = (enum program_compare)c;
        return is_float || (c <= PROGRAM_GE && (c <= PROGRAM_NE || (i->type != PTX_B32 && i->type != PTX_B64)));
    }
    for (unsigned c = 0; c < 4 && is_unsigned; c++) {
        i->compare = (enum program_compare)(PROGRAM_LT + c);
        if (word_is(w, unsigned_names[c]))
            return true;
    }
    return false;
}

/* The words between the operation and its type. */
static bool read_modifiers(struct builder *b, const struct statement *s, struct program_instruction *i,
                           const struct word *words, size_t n)
{
    bool f32 = i->type == PTX_F32;
    bool needs_lo = i->op == PROGRAM_MUL && !f32;
    bool takes_rn = f32 && (i->op == PROGRAM_ADD || i->op == PROGRAM_SUB || i->op == PROGRAM_MUL);
    bool takes_nan = f32 && (i->op == PROGRAM_MIN || i->op == PROGRAM_MAX);
    if (i->op == PROGRAM_SETP)
        return n == 1 && read_compare(i, words) ? true : fail(b, s, "needs one comparison that goes with its type");
    if (needs_lo)
        return n == 1 && word_is(words, "lo") ? true : fail(b, s, "is not read: of integers only mul.lo");
    if (n == 0 || (n == 1 && takes_rn && word_is(words, "rn")))
        return true;
    i->nan = n == 1 && takes_nan && word_is(words, "NaN");
    return i->nan ? true : fail(b, s, "has a modifier that is not read (f32: .rn of add, sub, mul; .NaN of min, max)");
}

static bool read_opcode(struct builder *b, const struct statement *s, struct program_instruction *i)
{
    struct word words[WORDS_MAX];
    size_t n = split(s->name, words);
    if (n == 0)
        return fail(b, s, "is not read");
    i->op = op_find(words[0].at, words[0].size);
    if (i->op == PROGRAM_OPS)
        return unknown(b, s, &words[0]);
    i->type = ptx_type_find(words[n - 1].at, words[n - 1].size);
    if (n < 2 || !op_has_type(i->op, i->type))
        return fail(b, s, "has a type that does not go with the operation");
    if (i->op == PROGRAM_MOV && s->operands_count == 2 && i->type == PTX_B64) {
        if (s->operands[1].pair)
            i->op = PROGRAM_PACK;
        else if (s->operands[0].pair)
            i->op = PROGRAM_UNPACK;
    }
    return read_modifiers(b, s, i, words + 1, n - 2);
}

static struct operand_rule destination_rule(const struct program_instruction *i)
{
    if (i->op == PROGRAM_SETP)
        return operand_rule_destination("the destination", PTX_PRED);
    if (i->op == PROGRAM_POPC || i->op == PROGRAM_CLZ)
        return operand_rule_destination("the destination", PTX_U32);
    if (i->op == PROGRAM_UNPACK) {
        struct operand_rule rule = operand_rule_destination("a half of the pair", PTX_B32);
        rule.sink = true;
        return rule;
    }
    return operand_rule_destination("the destination", i->type);
}

static struct operand_rule source_rule(const struct program_instruction *i, size_t n)
{
    struct operand_rule rule;
    if ((i->op == PROGRAM_SHL || i->op == PROGRAM_SHR) && n == 1)
        return operand_rule_integer("the amount");
    if (i->op == PROGRAM_PACK)
        return operand_rule_source("a half of the pair", PTX_B32);
    bool predicate = i->type == PTX_PRED || (i->op == PROGRAM_SELP && n == 2);
    rule = operand_rule_source(predicate ? "the predicate" : "the source", predicate ? PTX_PRED : i->type);
    rule.negate = predicate;
    return rule;
}

static bool read_special(const struct statement_value *v, struct program_instruction *i)
{
    for (unsigned n = 0; n < PROGRAM_SPECIALS; n++) {
        if (!token_is(&v->token, special_names[n]))
            continue;
        i->srcs[0] = (struct program_operand){.kind = PROGRAM_SPECIAL, .reg = PROGRAM_NO_REGISTER, .value = n};
        return !v->negated;
    }
    return false;
}

static bool read_source(struct builder *b, struct program_instruction *i, size_t n, const struct statement_value *v)
{
    struct operand_rule rule = source_rule(i, n);
    struct ptx_operand operand;
    if (i->op == PROGRAM_MOV && (i->type == PTX_U32 || i->type == PTX_S32 || i->type == PTX_B32) && read_special(v, i))
        return true;
    return operand_make(v, &rule, &operand, b->error) && builder_source(b, &operand, &rule, v->negated, &i->srcs[n]);
}

static bool read_destination(struct builder *b, struct program_instruction *i, size_t n,
                             const struct statement_value *v)
{
    struct operand_rule rule = destination_rule(i);
    struct ptx_operand operand;
    return operand_make(v, &rule, &operand, b->error) && builder_destination(b, &operand, &rule, &i->dsts[n]);
}

static bool check_shape(struct builder *b, const struct statement *s, const struct program_instruction *i)
{
    size_t sources = i->op == PROGRAM_PACK ? 1 : program_op_get(i->op)->sources;
    if (s->operands_count != 1 + sources)
        return error_at(b->error, s->end.line, s->end.column, "%s takes a destination and %zu source%s", s->name,
                        sources, sources == 1 ? "" : "s");
    for (size_t n = 0; n < s->operands_count; n++) {
        const struct statement_operand *o = &s->operands[n];
        bool pair = (i->op == PROGRAM_PACK && n == 1) || (i->op == PROGRAM_UNPACK && n == 0);
        if (o->bar || o->pair != pair)
            return error_at(b->error, o->x.token.line, o->x.token.column, "%s has no operand of this shape", s->name);
    }
    return true;
}

/* Sources first: an instruction may read the register that it writes. */
static bool read_operands(struct builder *b, const struct statement *s, struct program_instruction *i)
{
    if (i->op == PROGRAM_PACK) {
        if (!read_source(b, i, 0, &s->operands[1].x) || !read_source(b, i, 1, &s->operands[1].y))
            return false;
    } else {
        for (size_t n = 1; n < s->operands_count; n++)
            if (!read_source(b, i, n - 1, &s->operands[n].x))
                return false;
    }
    if (!read_destination(b, i, 0, &s->operands[0].x))
        return false;
    if (i->op != PROGRAM_UNPACK)
        return true;
    if (!read_destination(b, i, 1, &s->operands[0].y))
        return false;
    if (i->dsts[0].kind == PROGRAM_SINK && i->dsts[1].kind == PROGRAM_SINK)
        return fail(b, s, "throws both halves away");
    if (i->dsts[0].reg == i->dsts[1].reg)
        return fail(b, s, "writes both halves to one register");
    return true;
}

bool builder_arithmetic(struct builder *b, const struct statement *s, struct program_instruction *i)
{
    if (!builder_guard(b, s, i))
        return false;
    if (strcmp(s->name, "exit") == 0) {
        i->op = PROGRAM_EXIT;
        return s->operands_count == 0 ? true : fail(b, s, "takes no operands");
    }
    return read_opcode(b, s, i) && check_shape(b, s, i) && read_operands(b, s, i);
}

bool builder_warp(struct builder *b, const struct statement *s, struct program_instruction *i)
{
    struct ptx_instruction ptx;
    struct operand_rule rule;
    if (!warp_from_statement(s, &ptx, b->error) || !builder_guard(b, s, i))
        return false;
    const struct warp_form_info *info = warp_form_get(ptx.form);
    i->op = PROGRAM_WARP;
    i->form = ptx.form;
    i->dst = ptx.dst;
    for (enum warp_slot slot = SLOT_A; slot < SLOTS; slot++) {
        warp_slot_rule(info, slot, &rule);
        if (!builder_source(b, warp_slot_operand(&ptx, slot), &rule, slot == SLOT_A && ptx.negate,
                            &i->srcs[slot - SLOT_A]))
            return false;
    }
    for (enum warp_slot slot = SLOT_D; slot <= SLOT_P; slot++) {
        warp_slot_rule(info, slot, &rule);
        if (!builder_destination(b, warp_slot_operand(&ptx, slot), &rule, &i->dsts[slot - SLOT_D]))
            return false;
    }
    return true;
}
