#include "ptx/read/builder.h"

#include <stdio.h>
#include <string.h>

static uint32_t find(const struct program *program, const char *name)
{
    for (uint32_t r = 0; r < program->registers_count; r++)
        if (strcmp(program->registers[r].name, name) == 0)
            return r;
    return PROGRAM_NO_REGISTER;
}

uint32_t program_register_find(const struct program *program, const char *name)
{
    return find(program, name);
}

static uint32_t add(struct builder *b, const char *name, enum ptx_type type, uint32_t line, uint32_t column)
{
    struct program *program = b->program;
    if (program->registers_count == PROGRAM_REGISTERS_MAX) {
        error_at(b->error, line, column, "a program has at most %u registers", PROGRAM_REGISTERS_MAX);
        return PROGRAM_NO_REGISTER;
    }
    uint32_t r = (uint32_t)program->registers_count++;
    struct program_register *reg = &program->registers[r];
    memset(reg, 0, sizeof *reg);
    snprintf(reg->name, sizeof reg->name, "%s", name);
    reg->type = type;
    return r;
}

uint32_t builder_declare(struct builder *b, const struct token *name, enum ptx_type type)
{
    char copy[PTX_NAME_MAX + 1];
    if (name->kind != TOKEN_WORD || name->size > PTX_NAME_MAX || token_is(name, "_")) {
        error_expected(b->error, name, "the name of a register");
        return PROGRAM_NO_REGISTER;
    }
    memcpy(copy, name->at, name->size);
    copy[name->size] = '\0';
    if (name_is_special(copy)) {
        error_at(b->error, name->line, name->column, "%s is a special register: it cannot be declared", copy);
        return PROGRAM_NO_REGISTER;
    }
    if (find(b->program, copy) != PROGRAM_NO_REGISTER) {
        error_at(b->error, name->line, name->column, "%s is declared or used above", copy);
        return PROGRAM_NO_REGISTER;
    }
    return add(b, copy, type, name->line, name->column);
}

/* `%r<10>` declares %r0 to %r9. */
static bool in_range(const struct register_range *range, const char *name)
{
    size_t prefix = strlen(range->prefix), size = strlen(name);
    uint64_t number = 0;
    if (size <= prefix || memcmp(name, range->prefix, prefix) != 0 || size - prefix > 9)
        return false;
    if (name[prefix] == '0' && size - prefix > 1)
        return false;
    for (const char *s = name + prefix; *s != '\0'; s++) {
        if (*s < '0' || *s > '9')
            return false;
        number = number * 10 + (uint64_t)(*s - '0');
    }
    return number < range->count;
}

static enum ptx_type range_type(const struct builder *b, const char *name)
{
    for (size_t i = 0; i < b->ranges_count; i++)
        if (in_range(&b->ranges[i], name))
            return b->ranges[i].type;
    return PTX_UNKNOWN;
}

/* What a register is whose first use tells nothing but the size. */
static enum ptx_type untyped(const struct operand_rule *rule)
{
    if (rule->types >> PTX_PRED & 1u)
        return PTX_PRED;
    return rule->types >> PTX_B64 & 1u ? PTX_B64 : PTX_B32;
}

uint32_t builder_register(struct builder *b, const struct ptx_operand *o, const struct operand_rule *rule)
{
    uint32_t r = find(b->program, o->name);
    if (r == PROGRAM_NO_REGISTER) {
        enum ptx_type type = range_type(b, o->name);
        r = add(b, o->name, type == PTX_UNKNOWN ? untyped(rule) : type, o->line, o->column);
        if (r == PROGRAM_NO_REGISTER)
            return r;
    }
    bool right = operand_check_type(o, rule, b->program->registers[r].type, b->error);
    return right ? r : PROGRAM_NO_REGISTER;
}

static bool add_range(struct builder *b, const struct token *name, enum ptx_type type)
{
    struct lexer *l = &b->lexer;
    uint64_t count;
    if (!number_integer(&l->token, &count))
        return error_expected(b->error, &l->token, "a number of registers");
    if (b->ranges_count == BUILDER_RANGES_MAX || name->size > PTX_NAME_MAX)
        return error_at(b->error, name->line, name->column, "too many ranges of registers, or too long a name");
    struct register_range *range = &b->ranges[b->ranges_count++];
    memset(range, 0, sizeof *range);
    memcpy(range->prefix, name->at, name->size);
    range->type = type;
    range->count = count;
    lexer_next(l);
    return lexer_take(l, '>') || error_expected(b->error, &l->token, "'>'");
}

bool builder_takes(enum ptx_type type)
{
    uint32_t taken = 1u << PTX_PRED | 1u << PTX_B32 | 1u << PTX_U32 | 1u << PTX_S32 | 1u << PTX_F32 | 1u << PTX_B64 |
                     1u << PTX_U64 | 1u << PTX_S64;
    return (taken >> type & 1u) != 0;
}

bool builder_reg_directive(struct builder *b)
{
    struct lexer *l = &b->lexer;
    if (l->token.kind != TOKEN_DOT)
        return error_expected(b->error, &l->token, "a type, such as .b32");
    enum ptx_type type = ptx_type_find(l->token.at + 1, l->token.size - 1);
    if (!builder_takes(type))
        return error_expected(b->error, &l->token, "one of .pred .b32 .u32 .s32 .f32 .b64 .u64 .s64");
    lexer_next(l);
    do {
        struct token name = l->token;
        if (name.kind != TOKEN_WORD)
            return error_expected(b->error, &name, "the name of a register");
        lexer_next(l);
        if (lexer_take(l, '<') ? !add_range(b, &name, type) : builder_declare(b, &name, type) == PROGRAM_NO_REGISTER)
            return false;
    } while (lexer_take(l, ','));
    return lexer_take(l, ';') || error_expected(b->error, &l->token, "',' or ';'");
}

uint32_t builder_known(struct builder *b, struct lexer *l)
{
    char name[PTX_NAME_MAX + 1] = "";
    char quote[TOKEN_QUOTE_MAX];
    uint32_t r = PROGRAM_NO_REGISTER;
    if (l->token.kind == TOKEN_WORD && l->token.size <= PTX_NAME_MAX) {
        memcpy(name, l->token.at, l->token.size);
        r = find(b->program, name);
    }
    if (r == PROGRAM_NO_REGISTER)
        error_expected(b->error, &l->token, "a register of the program");
    else if (!b->written[r]) {
        error_at(b->error, l->token.line, l->token.column, "%s is neither an input nor written",
                 token_quote(&l->token, quote));
        r = PROGRAM_NO_REGISTER;
    }
    lexer_next(l);
    return r;
}

bool builder_destination(struct builder *b, const struct ptx_operand *o, const struct operand_rule *rule,
                         struct program_operand *out)
{
    *out = (struct program_operand){.kind = PROGRAM_NONE, .reg = PROGRAM_NO_REGISTER};
    if (o->kind == PTX_NONE)
        return true;
    out->kind = o->kind == PTX_SINK ? PROGRAM_SINK : PROGRAM_REGISTER;
    if (o->kind == PTX_REGISTER)
        out->reg = builder_register(b, o, rule);
    return o->kind == PTX_SINK || out->reg != PROGRAM_NO_REGISTER;
}

bool builder_source(struct builder *b, const struct ptx_operand *o, const struct operand_rule *rule, bool negate,
                    struct program_operand *out)
{
    *out = (struct program_operand){.kind = PROGRAM_NONE, .reg = PROGRAM_NO_REGISTER};
    if (o->kind == PTX_NONE)
        return true;
    out->kind = PROGRAM_IMMEDIATE;
    out->negate = negate;
    out->value = o->value;
    if (o->kind != PTX_REGISTER)
        return true;
    out->kind = PROGRAM_REGISTER;
    out->reg = builder_register(b, o, rule);
    if (out->reg == PROGRAM_NO_REGISTER)
        return false;
    struct program_register *reg = &b->program->registers[out->reg];
    if (b->written[out->reg])
        return true;
    if (!b->implicit_inputs)
        return error_at(b->error, o->line, o->column,
                        "%s is read before anything writes it: declare it with '//! input %s %s'", o->name, o->name,
                        ptx_type_name(reg->type));
    reg->input = (struct program_input){.is_input = true, .implicit = true, .as = reg->type};
    b->written[out->reg] = true;
    return true;
}

bool builder_guard(struct builder *b, const struct statement *s, struct program_instruction *i)
{
    struct operand_rule rule = operand_rule_destination("the guard", PTX_PRED);
    struct statement_value value = {.token = s->guard};
    struct ptx_operand operand = {.kind = PTX_NONE};
    if (s->has_guard && !operand_make(&value, &rule, &operand, b->error))
        return false;
    return builder_source(b, &operand, &rule, s->guard_negate, &i->guard);
}
