/*
 * Operands: registers, constants, special registers, addresses, vectors ("Instruction Operands"). Which registers go
 * with which type: ptx_type_fits.
 */
#include "ptx/module/reader.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned bits, components;
} specials[SPECIALS] = {
#define SPECIAL(id, name, bits, components) [SPECIAL_##id] = {name, bits, components},
#include "ptx/special.def"
#undef SPECIAL
};

const char *ptx_special_name(enum ptx_special special)
{
    return specials[special].name;
}

struct module_operand *operand_add(struct reader *r)
{
    struct module_operand *o = LIST_ADD(r, r->operands);
    if (o)
        *o = (struct module_operand){.reg = MODULE_NONE, .variable = MODULE_NONE, .function = MODULE_NONE};
    return o;
}

static const char *describe(const struct want *want, char text[64])
{
    if (want->type == PTX_UNKNOWN)
        return "an integer of 32 or 64 bits";
    snprintf(text, 64, "%s register for .%s", want->larger ? "the size of that or a larger" : "a",
             ptx_type_name(want->type));
    return text;
}

static bool register_fits(enum ptx_type declared, const struct want *want)
{
    if (want->type == PTX_UNKNOWN)
        return ptx_type_fits(declared, PTX_U32) || ptx_type_fits(declared, PTX_U64);
    return ptx_type_fits(declared, want->type) ||
           (want->larger && declared != PTX_PRED && ptx_type_bits(declared) > ptx_type_bits(want->type));
}

static bool read_register(struct reader *r, const struct want *want, const struct symbol *s, struct module_operand *out)
{
    char quote[TOKEN_QUOTE_MAX], text[64];
    struct token t = r->lexer.token;
    enum ptx_type declared = r->registers.items[s->index].type;
    out->kind = OPERAND_REGISTER;
    out->reg = s->index;
    lexer_next(&r->lexer);
    if (token_punct(&r->lexer.token, '.') || r->lexer.token.kind == TOKEN_DOT)
        return reader_unread(r, "a component of a vector register");
    if (register_fits(declared, want))
        return true;
    return reader_error(r, &t, "%s is declared .%s, but %s must stand here", token_quote(&t, quote),
                        ptx_type_name(declared), describe(want, text));
}

static bool read_special(struct reader *r, const struct want *want, enum ptx_special special,
                         struct module_operand *out)
{
    struct token t = r->lexer.token;
    out->kind = OPERAND_SPECIAL;
    out->special = special;
    lexer_next(&r->lexer);
    if (r->lexer.token.kind == TOKEN_DOT) {
        static const char *const names[] = {".x", ".y", ".z"};
        unsigned n = 0;
        while (n < 3 && !token_is(&r->lexer.token, names[n]))
            n++;
        if (specials[special].components == 1 || n >= specials[special].components)
            return reader_error(r, &r->lexer.token, "%s has no such component", specials[special].name);
        out->component = (uint8_t)n;
        lexer_next(&r->lexer);
    } else if (specials[special].components > 1) {
        return reader_error(r, &t, "%s needs a component: %s.x", specials[special].name, specials[special].name);
    }
    if (!want->special)
        return reader_error(r, &t, "the special register %s is read by mov and cvt alone: move it to a register first",
                            specials[special].name);
    if (ptx_type_is_float(want->type) || (want->type == PTX_PRED) != (specials[special].bits == 1) ||
        ptx_type_bits(want->type) > specials[special].bits)
        return reader_error(r, &t, "the special register %s is an integer of %u bits", specials[special].name,
                            specials[special].bits);
    return true;
}

/* `+ 4`, `-4`, `+-4` behind a name; 0 when there is none. */
static bool read_offset(struct reader *r, uint64_t *value)
{
    struct token t = r->lexer.token;
    *value = 0;
    if (!token_punct(&t, '+') && !token_punct(&t, '-'))
        return true;
    return constant_integer(r, value);
}

static bool read_name(struct reader *r, const struct want *want, const struct symbol *s, struct module_operand *out)
{
    char quote[TOKEN_QUOTE_MAX], text[64];
    struct token t = r->lexer.token;
    switch (s->kind) {
    case SYMBOL_REGISTER:
        return read_register(r, want, s, out);
    case SYMBOL_VARIABLE:
    case SYMBOL_FUNCTION:
        if (!want->address)
            return reader_error(r, &t, "%s is an address: move it to a register first", token_quote(&t, quote));
        out->kind = s->kind == SYMBOL_VARIABLE ? OPERAND_VARIABLE : OPERAND_FUNCTION;
        *(s->kind == SYMBOL_VARIABLE ? &out->variable : &out->function) = s->index;
        lexer_next(&r->lexer);
        return read_offset(r, &out->value);
    case SYMBOL_LABEL:
    case SYMBOL_TABLE:
    case SYMBOL_OTHER:
        return reader_unread(r, "the operand %s", token_quote(&t, quote));
    case SYMBOL_NONE:
    case SYMBOL_RANGE:
    case SYMBOL_LOCATION:
    case SYMBOL_OPCODE:
        break;
    }
    return reader_expected(r, describe(want, text));
}

/* %envreg0 to %envreg31, which are one special register with so many components. */
static bool is_envreg(const struct token *t, uint8_t *number)
{
    size_t stem = strlen(specials[SPECIAL_ENVREG].name);
    unsigned value = 0;
    if (t->size <= stem || t->size > stem + 2 || memcmp(t->at, specials[SPECIAL_ENVREG].name, stem) != 0)
        return false;
    for (size_t n = stem; n < t->size; n++) {
        if (t->at[n] < '0' || t->at[n] > '9')
            return false;
        value = value * 10 + (unsigned)(t->at[n] - '0');
    }
    *number = (uint8_t)value;
    return value < 32;
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

bool operand_is_special(const struct token *t)
{
    uint8_t number;
    for (enum ptx_special special = 0; special < SPECIALS; special++)
        if (special != SPECIAL_ENVREG && token_is(t, specials[special].name))
            return true;
    return is_envreg(t, &number);
}

/* Makes a register by its first use, which tells nothing but its size. */
static bool add_loose(struct reader *r, const struct want *want, struct module_operand *out)
{
    static const enum ptx_type by_size[] = {PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_B128};
    struct token t = r->lexer.token;
    enum ptx_type type = PTX_PRED;
    for (unsigned n = 0; n < sizeof by_size / sizeof by_size[0]; n++)
        if (ptx_type_bits(by_size[n]) == ptx_type_bits(want->type))
            type = by_size[n];
    if (want->type == PTX_UNKNOWN)
        type = PTX_B64;
    struct symbol *s = symbol_add(r, &t, SYMBOL_REGISTER, 0);
    uint32_t reg = s ? register_add(r, t.at, t.size, type) : MODULE_NONE;
    if (reg == MODULE_NONE)
        return false;
    s->index = reg;
    out->kind = OPERAND_REGISTER;
    out->reg = reg;
    lexer_next(&r->lexer);
    return true;
}

static bool read_word(struct reader *r, const struct want *want, struct module_operand *out)
{
    struct token t = r->lexer.token;
    char quote[TOKEN_QUOTE_MAX];
    const struct symbol *s = symbol_find(r, r->scope, t.at, t.size);
    if (s)
        return read_name(r, want, s, out);
    if (r->no_memory)
        return false;
    if (is_envreg(&t, &out->component))
        return read_special(r, want, SPECIAL_ENVREG, out);
    for (enum ptx_special special = 0; special < SPECIALS; special++)
        if (special != SPECIAL_ENVREG && token_is(&t, specials[special].name))
            return read_special(r, want, special, out);
    if (token_is(&t, "_")) {
        out->kind = OPERAND_SINK;
        lexer_next(&r->lexer);
        return want->sink || reader_error(r, &t, "the sink _ cannot stand here");
    }
    if (t.size > 3 && memcmp(t.at, "%pm", 3) == 0)
        return reader_unread(r, "the special register %s", token_quote(&t, quote));
    if (r->loose && r->scope != NAMES_MODULE)
        return add_loose(r, want, out);
    return reader_error(r, &t, "%s is not declared", token_quote(&t, quote));
}

/* A constant of hand-written text must fit; the assembler cuts it silently. */
static bool check_fit(struct reader *r, const struct want *want, const struct constant *c, const struct token *at)
{
    unsigned bits = ptx_type_bits(want->type);
    uint64_t value;
    if (r->loose && want->type == PTX_F32 && c->kind == CONSTANT_F64) {
        constant_bits(r, c, PTX_F32, at, &value);
        if ((value & 0x7fffffff) == 0x7f800000)
            return reader_error(r, at, "this is not a constant of PTX that fits an f32");
    }
    if (!r->loose || c->kind != CONSTANT_INTEGER || bits <= 1 || bits >= 64)
        return true;
    int64_t least = -(INT64_C(1) << (bits - 1));
    if (c->bits >> bits == 0 || ((int64_t)c->bits < 0 && (int64_t)c->bits >= least))
        return true;
    return reader_error(r, at, "the constant does not fit the %u bits of .%s", bits, ptx_type_name(want->type));
}

static bool read_constant(struct reader *r, const struct want *want, struct module_operand *out)
{
    struct token t = r->lexer.token;
    struct constant c;
    char text[64];
    if (!want->constant)
        return reader_expected(r, describe(want, text));
    out->kind = OPERAND_IMMEDIATE;
    return constant_read(r, &c) && check_fit(r, want, &c, &t) &&
           constant_bits(r, &c, want->type == PTX_UNKNOWN ? PTX_B64 : want->type, &t, &out->value);
}

bool operand_read(struct reader *r, const struct want *want, struct module_operand *out)
{
    const struct token *t = &r->lexer.token;
    char text[64];
    out->line = t->line;
    out->column = t->column;
    if (want->type == PTX_PRED && token_punct(t, '!') && want->constant) {
        lexer_next(&r->lexer);
        out->negate = true;
        out->column = t->column;
        out->line = t->line;
    } else if (token_punct(t, '!') && t->at + 1 < r->lexer.end && is_name_start(t->at[1])) {
        return reader_error(r, t, "only a predicate that is read is negated with '!': %s must stand here",
                            describe(want, text));
    }
    if (token_is(t, "WARP_SZ") || (t->kind != TOKEN_WORD && constant_starts(r)))
        return read_constant(r, want, out);
    if (t->kind != TOKEN_WORD)
        return reader_expected(r, describe(want, text));
    return read_word(r, want, out);
}

static bool operand_address(struct reader *r, struct module_operand *out)
{
    static const struct want base = {.constant = true, .address = true};
    if (!reader_take(r, '[') || !operand_read(r, &base, out))
        return false;
    if (out->kind == OPERAND_REGISTER && !read_offset(r, &out->value))
        return false;
    if (out->kind == OPERAND_FUNCTION)
        return reader_unread(r, "the address of a function's code");
    out->kind = OPERAND_ADDRESS;
    return reader_take(r, ']');
}

/* {a, b, ...} or, of one, a; `alone`: {a} as well. */
static bool read_vector(struct reader *r, const struct want *want, unsigned count, bool alone)
{
    bool braces = count > 1 || (alone && token_punct(&r->lexer.token, '{'));
    if (braces && !reader_take(r, '{'))
        return false;
    for (unsigned n = 0; n < count; n++) {
        struct module_operand *o = operand_add(r);
        if (!o || (n > 0 && !reader_take(r, ',')) || !operand_read(r, want, o))
            return false;
    }
    return !braces || reader_take(r, '}');
}

static enum ptx_type wide_type(const struct module_instruction *i)
{
    if (i->part != PART_WIDE)
        return i->type;
    bool is_signed = ptx_type_is_signed(i->type);
    if (ptx_type_bits(i->type) == 16)
        return is_signed ? PTX_S32 : PTX_U32;
    return is_signed ? PTX_S64 : PTX_U64;
}

/* p, or p|q. */
static bool read_predicates(struct reader *r)
{
    static const struct want want = {.type = PTX_PRED, .sink = true};
    struct module_operand *o = operand_add(r);
    if (!o || !operand_read(r, &want, o))
        return false;
    if (!lexer_take(&r->lexer, '|'))
        return true;
    o = operand_add(r);
    return o && operand_read(r, &want, o);
}

static struct want want_of(const struct module_instruction *i, enum operand_letter letter)
{
    switch (letter) {
    case LETTER_TYPE:
    case LETTER_CAS:
    case LETTER_VECTOR:
        return (struct want){.type = i->type,
                             .larger = i->op == OP_LD || i->op == OP_LDU || i->op == OP_ST,
                             .sink = letter == LETTER_VECTOR};
    case LETTER_LARGER:
        return (struct want){.type = i->type, .larger = true};
    case LETTER_WIDE:
        return (struct want){.type = wide_type(i)};
    case LETTER_TYPE2:
        return (struct want){.type = i->type2};
    case LETTER_LARGER2:
    case LETTER_PAIR2:
        return (struct want){.type = i->type2, .larger = true, .special = true};
    case LETTER_PREDICATE:
    case LETTER_PREDICATES:
    case LETTER_BOOL:
        return (struct want){.type = PTX_PRED};
    case LETTER_ADDRESSED:
    case LETTER_ADDRESS:
        return (struct want){.address = true};
    case LETTER_WORD:
    case LETTER_CONSTANT:
        break;
    }
    return (struct want){.type = PTX_U32};
}

/* Do the words of the opcode require this operand? */
static bool is_asked_for(const struct module_instruction *i, enum operand_letter letter)
{
    if (letter == LETTER_CAS)
        return i->atomic == ATOMIC_CAS;
    if (letter == LETTER_BOOL)
        return i->bool_op != ATOMIC_NONE;
    if (letter == LETTER_PAIR2)
        return (i->type == PTX_F16X2 || i->type == PTX_BF16X2) && i->type2 == PTX_F32;
    return true;
}

bool operand_letter(struct reader *r, const struct module_instruction *i, enum operand_letter letter,
                    bool is_destination)
{
    struct want want = want_of(i, letter);
    if (!is_asked_for(i, letter))
        return true;
    if (r->operands.count > 0 && !reader_take(r, ','))
        return false;
    if (letter == LETTER_PREDICATES)
        return read_predicates(r);
    if (letter == LETTER_ADDRESS) {
        struct module_operand *o = operand_add(r);
        return o && operand_address(r, o);
    }
    want.constant = !is_destination;
    want.sink = want.sink && is_destination;
    bool plain = i->op == OP_LD || i->op == OP_LDU || i->op == OP_ST;
    return read_vector(r, &want, letter == LETTER_VECTOR ? i->vector : 1, plain && letter == LETTER_VECTOR);
}
