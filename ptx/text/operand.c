#include "ptx/text/statement.h"

#include <stdio.h>
#include <string.h>

#define BIT(t)    (1u << PTX_##t)
#define INTEGER32 (BIT(B32) | BIT(U32) | BIT(S32))
#define INTEGER64 (BIT(B64) | BIT(U64) | BIT(S64))

/* Untyped instructions take any register of the size, typed ones the untyped registers too (checked against ptxas). */
static uint32_t compatible_types(enum ptx_type type)
{
    switch (type) {
    case PTX_PRED:
        return BIT(PRED);
    case PTX_B32:
        return INTEGER32 | BIT(F32);
    case PTX_U32:
    case PTX_S32:
        return INTEGER32;
    case PTX_F32:
        return BIT(F32) | BIT(B32);
    case PTX_B64:
        return INTEGER64 | BIT(F64);
    case PTX_U64:
    case PTX_S64:
        return INTEGER64;
    case PTX_F64:
    case PTX_B8:
    case PTX_U8:
    case PTX_S8:
    case PTX_B16:
    case PTX_U16:
    case PTX_S16:
    case PTX_F16:
    case PTX_BF16:
    case PTX_F16X2:
    case PTX_BF16X2:
    case PTX_U16X2:
    case PTX_S16X2:
    case PTX_B128:
    case PTX_UNKNOWN:
    case PTX_TYPES:
        break;
    }
    return 0;
}

struct operand_rule operand_rule_destination(const char *what, enum ptx_type type)
{
    return (struct operand_rule){.what = what, .types = compatible_types(type), .bits = ptx_type_bits(type)};
}

struct operand_rule operand_rule_source(const char *what, enum ptx_type type)
{
    struct operand_rule rule = operand_rule_destination(what, type);
    rule.integer = type != PTX_F32;
    rule.hex_float = type == PTX_B32;
    rule.real = type == PTX_F32;
    return rule;
}

struct operand_rule operand_rule_integer(const char *what)
{
    return operand_rule_source(what, PTX_U32);
}

bool name_is_special(const char *name)
{
    static const char *const special[] = {"%laneid",   "%tid",     "%ntid",   "%ctaid",      "%nctaid",
                                          "%warpid",   "%nwarpid", "%smid",   "%nsmid",      "%clock",
                                          "%clock_hi", "%clock64", "%gridid", "%globaltimer"};
    if (strncmp(name, "%lanemask_", 10) == 0)
        return true;
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (strcmp(name, special[i]) == 0)
            return true;
    return false;
}

static bool make_register(const struct statement_value *v, const struct operand_rule *rule, struct ptx_operand *out,
                          struct warp_text_error *error)
{
    const struct token *t = &v->token;
    if (t->size > PTX_NAME_MAX)
        return error_at(error, t->line, t->column, "a register's name of more than %u characters is not read",
                        PTX_NAME_MAX);
    memcpy(out->name, t->at, t->size);
    if (name_is_special(out->name))
        return error_at(error, t->line, t->column,
                        "%s is a special register, which only mov reads: move it to a register first", out->name);
    out->kind = PTX_REGISTER;
    if (strcmp(out->name, "_") != 0)
        return true;
    if (!rule->sink)
        return error_at(error, t->line, t->column, "the sink _ cannot stand for %s here", rule->what);
    out->kind = PTX_SINK;
    return true;
}

static bool make_integer(const struct statement_value *v, const struct operand_rule *rule, uint64_t value,
                         struct ptx_operand *out, struct warp_text_error *error)
{
    const struct token *t = &v->token;
    uint64_t most = rule->bits == 64 ? UINT64_MAX : UINT32_MAX;
    uint64_t most_negative = (most >> 1) + 1;
    if (!rule->integer)
        return error_at(error, t->line, t->column,
                        rule->real ? "%s is an f32: write 1.0 or 0fXXXXXXXX, not an integer"
                                   : "%s cannot be a constant",
                        rule->what);
    if (value > (v->minus ? most_negative : most))
        return error_at(error, t->line, t->column, "the constant does not fit the %u bits of %s",
                        rule->bits == 64 ? 64u : 32u, rule->what);
    if (rule->bits == 1)
        value = value != 0;
    else if (v->minus)
        value = (0 - value) & most;
    out->kind = PTX_IMMEDIATE;
    out->value = value;
    return true;
}

static bool make_number(const struct statement_value *v, const struct operand_rule *rule, struct ptx_operand *out,
                        struct warp_text_error *error)
{
    const struct token *t = &v->token;
    char quote[TOKEN_QUOTE_MAX];
    uint64_t value;
    uint32_t bits;
    bool hex;
    if (number_integer(t, &value))
        return make_integer(v, rule, value, out, error);
    if (!number_float(t, &bits, &hex))
        return error_at(error, t->line, t->column, "%s is not a constant of PTX that fits", token_quote(t, quote));
    if (hex && v->minus)
        return error_at(error, t->line, t->column, "a minus sign cannot stand before 0f: set its first bit");
    if (!rule->real && !(hex && rule->hex_float))
        return error_at(error, t->line, t->column, "%s cannot be a floating-point constant", rule->what);
    out->kind = rule->real ? PTX_FLOAT : PTX_IMMEDIATE;
    out->value = bits ^ (v->minus ? 0x80000000u : 0u);
    return true;
}

bool operand_make(const struct statement_value *v, const struct operand_rule *rule, struct ptx_operand *out,
                  struct warp_text_error *error)
{
    const struct token *t = &v->token;
    memset(out, 0, sizeof *out);
    out->line = t->line;
    out->column = t->column;
    if (v->negated && !rule->negate)
        return error_at(error, t->line, t->column, "%s cannot be negated with !", rule->what);
    if (t->kind == TOKEN_NUMBER)
        return make_number(v, rule, out, error);
    return make_register(v, rule, out, error);
}

static const char *describe_types(const struct operand_rule *rule)
{
    if (rule->types & BIT(PRED))
        return "a predicate";
    if (rule->types & INTEGER64)
        return rule->types & BIT(F64) ? "a 64-bit register" : "a 64-bit integer register";
    if (!(rule->types & BIT(U32)))
        return "an f32 or b32 register";
    return rule->types & BIT(F32) ? "a 32-bit register" : "a 32-bit integer register";
}

bool operand_check_type(const struct ptx_operand *o, const struct operand_rule *rule, enum ptx_type type,
                        struct warp_text_error *error)
{
    if (o->kind != PTX_REGISTER || type == PTX_UNKNOWN || rule->types >> type & 1u)
        return true;
    return error_at(error, o->line, o->column, "%s is declared .%s, but %s is %s here", o->name, ptx_type_name(type),
                    rule->what, describe_types(rule));
}
