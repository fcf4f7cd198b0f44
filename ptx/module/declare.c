/*
 * Declarations: registers, variables with initial values, parameters ("Variables", "Arrays", "Initializers").
 */
#include "ptx/module/reader.h"

#include <stdlib.h>
#include <string.h>

#define VARIABLE_BYTES_MAX (UINT64_C(1) << 40)
#define DIMENSIONS_MAX     8u
#define INITIAL_BYTES_MAX  (256u << 20) /* also those that braces skip, which no text pays for */

static const struct {
    const char *word;
    enum ptx_space space;
} spaces[] = {
    {".global", SPACE_GLOBAL}, {".shared", SPACE_SHARED}, {".local", SPACE_LOCAL},
    {".const", SPACE_CONST},   {".param", SPACE_PARAM},
};
#define SPACES_COUNT (sizeof spaces / sizeof spaces[0])

static bool find_space(const struct token *t, enum ptx_space *space)
{
    for (size_t n = 0; n < SPACES_COUNT; n++) {
        if (token_is(t, spaces[n].word)) {
            *space = spaces[n].space;
            return true;
        }
    }
    return false;
}

bool declare_starts(const struct token *t)
{
    enum ptx_space space;
    return find_space(t, &space);
}

static bool take_word(struct reader *r, const char *word)
{
    if (!token_is(&r->lexer.token, word))
        return false;
    lexer_next(&r->lexer);
    return true;
}

static bool read_type(struct reader *r, enum ptx_type *type)
{
    const struct token *t = &r->lexer.token;
    *type = t->kind == TOKEN_DOT ? ptx_type_find(t->at + 1, t->size - 1) : PTX_UNKNOWN;
    if (*type == PTX_UNKNOWN)
        return reader_expected(r, "a type, such as .b32");
    lexer_next(&r->lexer);
    return true;
}

/* `%r<10>`, behind the name. */
static bool add_range(struct reader *r, const struct token *name, enum ptx_type type)
{
    char prefix[OPCODE_NAME_MAX + 2];
    struct token key = *name;
    struct range *range;
    if (name->size > OPCODE_NAME_MAX)
        return reader_error(r, name, "the name of a register has more than %u characters", OPCODE_NAME_MAX);
    memcpy(prefix, name->at, name->size);
    prefix[name->size] = '<';
    key.at = prefix;
    key.size = name->size + 1;
    range = LIST_ADD(r, r->ranges);
    if (!range)
        return false;
    range->type = type;
    if (!constant_starts(r))
        return reader_expected(r, "a number of registers");
    if (!constant_integer(r, &range->count))
        return false;
    if (range->count > UINT32_MAX)
        return reader_error(r, name, "there cannot be so many registers: their number does not fit 32 bits");
    return reader_take(r, '>') && symbol_add(r, &key, SYMBOL_RANGE, (uint32_t)(r->ranges.count - 1)) != NULL;
}

static bool add_register(struct reader *r, const struct token *name, enum ptx_type type)
{
    struct symbol *s = symbol_add(r, name, SYMBOL_REGISTER, 0);
    if (!s)
        return false;
    uint32_t reg = register_add(r, name->at, name->size, type);
    s->index = reg;
    return reg != MODULE_NONE;
}

/* A vector register: the reader knows its name, but not its use. */
static bool add_vector(struct reader *r, const struct token *name)
{
    if (token_punct(&r->lexer.token, '<'))
        return reader_error(r, name, "ranges of vector registers are not read: name each register");
    return symbol_add(r, name, SYMBOL_OTHER, 0) != NULL;
}

bool declare_registers(struct reader *r)
{
    enum ptx_type type;
    bool vector = take_word(r, ".v2") || take_word(r, ".v4");
    if (!read_type(r, &type))
        return false;
    do {
        struct token name = r->lexer.token;
        char quote[TOKEN_QUOTE_MAX];
        if (name.kind != TOKEN_WORD || token_is(&name, "_"))
            return reader_expected(r, "the name of a register");
        if (operand_is_special(&name))
            return reader_error(r, &name, "%s is a special register: it cannot be declared", token_quote(&name, quote));
        lexer_next(&r->lexer);
        bool ok = vector                       ? add_vector(r, &name)
                  : lexer_take(&r->lexer, '<') ? add_range(r, &name, type)
                                               : add_register(r, &name, type);
        if (!ok)
            return false;
    } while (lexer_take(&r->lexer, ','));
    return lexer_take(&r->lexer, ';') || reader_expected(r, "',' or ';'");
}

/* A variable while it is declared. */
struct declared {
    struct module_variable variable;
    uint64_t element;                 /* bytes */
    uint64_t strides[DIMENSIONS_MAX]; /* bytes of an element of each dimension */
    unsigned dimensions;
    bool open; /* the first dimension is [] */
};

static bool read_align(struct reader *r, uint32_t *align)
{
    uint64_t value;
    struct token t = r->lexer.token;
    if (!constant_integer(r, &value))
        return false;
    if (value == 0 || value > 4096 || (value & (value - 1)) != 0)
        return reader_error(r, &t, "an alignment is a power of two up to 4096");
    if (value > *align)
        *align = (uint32_t)value;
    return true;
}

/* `.attribute(.managed)` and the like: nothing that a warp sees. */
static bool skip_attribute(struct reader *r)
{
    if (!reader_take(r, '('))
        return false;
    while (r->lexer.token.kind != TOKEN_END && !token_punct(&r->lexer.token, ')'))
        lexer_next(&r->lexer);
    return reader_take(r, ')');
}

/* `.ptr .global .align 8` */
static bool read_pointer(struct reader *r, struct module_variable *v)
{
    uint32_t align = 1;
    v->is_pointer = true;
    if (find_space(&r->lexer.token, &v->pointee))
        lexer_next(&r->lexer);
    return !take_word(r, ".align") || read_align(r, &align);
}

/* `.align 8 .v4 .b8`, in any order that declarations have. */
static bool read_declared(struct reader *r, struct declared *s)
{
    uint64_t vector = 1;
    s->variable.align = 1;
    for (bool typed = false; r->lexer.token.kind == TOKEN_DOT;) {
        bool ok = true;
        if (take_word(r, ".align"))
            ok = read_align(r, &s->variable.align);
        else if (take_word(r, ".attribute"))
            ok = skip_attribute(r);
        else if (take_word(r, ".ptr"))
            ok = read_pointer(r, &s->variable);
        else if (take_word(r, ".v2"))
            vector = 2;
        else if (take_word(r, ".v4"))
            vector = 4;
        else if (take_word(r, ".texref") || take_word(r, ".samplerref") || take_word(r, ".surfref"))
            s->variable.type = PTX_B64; /* only what is not read looks into it */
        else if (typed)
            return reader_expected(r, "a name");
        else
            ok = typed = read_type(r, &s->variable.type);
        if (!ok)
            return false;
    }
    if (s->variable.type == PTX_UNKNOWN)
        return reader_expected(r, "a type, such as .b32");
    s->element = (ptx_type_bits(s->variable.type) + 7) / 8;
    if (s->variable.align < s->element * vector)
        s->variable.align = (uint32_t)(s->element * vector);
    s->variable.size = s->element * vector;
    return true;
}

/* `[2][3]` */
static bool read_dimensions(struct reader *r, struct declared *s)
{
    uint64_t counts[DIMENSIONS_MAX];
    struct token start = r->lexer.token;
    for (s->dimensions = 0; lexer_take(&r->lexer, '['); s->dimensions++) {
        if (s->dimensions == DIMENSIONS_MAX)
            return reader_error(r, &start, "more than %u dimensions", DIMENSIONS_MAX);
        counts[s->dimensions] = 0;
        bool open = s->dimensions == 0 && token_punct(&r->lexer.token, ']');
        s->open |= open;
        if ((!open && !constant_integer(r, &counts[s->dimensions])) || !reader_take(r, ']'))
            return false;
    }
    for (unsigned n = s->dimensions; n-- > 0;) {
        s->strides[n] = s->variable.size;
        if (counts[n] > VARIABLE_BYTES_MAX / (s->variable.size ? s->variable.size : 1))
            return reader_error(r, &start, "the array is larger than 2^40 bytes");
        s->variable.size *= counts[n];
    }
    return true;
}

/* The initial value while it is read. */
struct value {
    struct buffer bytes;
    LIST(struct module_relocation) relocations;
    uint64_t most; /* bytes */
};

static bool put(struct reader *r, struct value *v, uint64_t at, uint64_t bits, uint64_t size)
{
    static const char zeros[4096];
    char bytes[8];
    const struct token *t = &r->lexer.token;
    if (at + size > v->most || at < v->bytes.size)
        return reader_error(r, t, "more initial values than there are elements");
    r->initial_bytes += at + size - v->bytes.size;
    if (r->initial_bytes > INITIAL_BYTES_MAX)
        return reader_error(r, t, "the initial values of a module have at most %u bytes", INITIAL_BYTES_MAX);
    while (v->bytes.size < at && !v->bytes.failed)
        buffer_add(&v->bytes, zeros, at - v->bytes.size < sizeof zeros ? (size_t)(at - v->bytes.size) : sizeof zeros);
    for (unsigned n = 0; n < 8; n++)
        bytes[n] = (char)(bits >> 8 * n);
    buffer_add(&v->bytes, bytes, (size_t)size);
    return !v->bytes.failed || reader_no_memory(r);
}

/* `name`, `name+4`, `generic(name)+4` */
static bool read_symbol(struct reader *r, const struct declared *s, struct value *v, uint64_t at)
{
    struct token t = r->lexer.token;
    char quote[TOKEN_QUOTE_MAX];
    struct want want = {.address = true};
    struct module_operand o = {.reg = MODULE_NONE, .variable = MODULE_NONE, .function = MODULE_NONE};
    bool generic = take_word(r, "generic");
    if (generic && !reader_take(r, '('))
        return false;
    if (s->element != 4 && s->element != 8)
        return reader_error(r, &t, "%s is an address, for which a .%s has no room", token_quote(&t, quote),
                            ptx_type_name(s->variable.type));
    uint64_t addend = 0;
    if (!operand_read(r, &want, &o))
        return r->unread ? reader_error(r, &t, "%s has no address", token_quote(&t, quote)) : false;
    if (o.kind != OPERAND_VARIABLE && o.kind != OPERAND_FUNCTION)
        return reader_error(r, &t, "%s has no address", token_quote(&t, quote));
    if (generic && !reader_take(r, ')'))
        return false;
    if (generic && (token_punct(&r->lexer.token, '+') || token_punct(&r->lexer.token, '-')) &&
        !constant_integer(r, &addend))
        return false;
    struct module_relocation *relocation = LIST_ADD(r, v->relocations);
    if (!relocation)
        return false;
    *relocation = (struct module_relocation){at,      o.variable,         o.function, (int64_t)(o.value + addend),
                                             generic, (uint8_t)s->element};
    return put(r, v, at, 0, s->element);
}

static bool read_scalar(struct reader *r, const struct declared *s, struct value *v, uint64_t at)
{
    struct constant c;
    struct token t = r->lexer.token;
    uint64_t bits;
    if (t.kind == TOKEN_WORD && !token_is(&t, "WARP_SZ"))
        return read_symbol(r, s, v, at);
    if (!constant_starts(r))
        return reader_expected(r, "an initial value");
    if (!constant_read(r, &c) || !constant_bits(r, &c, s->variable.type, &t, &bits))
        return false;
    if (token_punct(&r->lexer.token, '('))
        return reader_error(r, &t, "single bytes of an address are not read");
    return put(r, v, at, bits, s->element);
}

/* {..., {...}}: level 0 is the first dimension. Vectors are one level more. */
static bool read_values(struct reader *r, const struct declared *s, struct value *v, unsigned level, uint64_t at)
{
    if (!lexer_take(&r->lexer, '{'))
        return read_scalar(r, s, v, at);
    if (level > s->dimensions || level >= DIMENSIONS_MAX)
        return reader_error(r, &r->lexer.token, "more braces than the variable has dimensions");
    uint64_t stride = level < s->dimensions ? s->strides[level] : s->element;
    if (lexer_take(&r->lexer, '}'))
        return true;
    do {
        bool nested = token_punct(&r->lexer.token, '{');
        if (!read_values(r, s, v, level + 1, at))
            return false;
        at += nested ? stride : s->element;
    } while (lexer_take(&r->lexer, ','));
    return reader_take(r, '}');
}

static bool keep_value(struct reader *r, struct module_variable *v, const struct value *value)
{
    uint8_t *data = reader_memory(r, value->bytes.size + 1);
    size_t bytes = value->relocations.count * sizeof *value->relocations.items;
    struct module_relocation *relocations = reader_memory(r, bytes + 1);
    if (!data || !relocations)
        return false;
    if (value->bytes.size > 0)
        memcpy(data, value->bytes.data, value->bytes.size);
    if (bytes > 0)
        memcpy(relocations, value->relocations.items, bytes);
    v->data = data;
    v->data_size = value->bytes.size;
    v->relocations = relocations;
    v->relocations_count = (uint32_t)value->relocations.count;
    return true;
}

static bool read_initial(struct reader *r, struct declared *s)
{
    struct value value = {.most = s->open ? INITIAL_BYTES_MAX : s->variable.size};
    bool ok = read_values(r, s, &value, 0, 0) && keep_value(r, &s->variable, &value);
    if (ok && s->open) {
        uint64_t stride = s->strides[0] ? s->strides[0] : 1;
        s->variable.size = (value.bytes.size + stride - 1) / stride * stride;
    }
    buffer_free(&value.bytes);
    free(value.relocations.items);
    return ok;
}

/* A place in the function's frame. */
static bool place_in_frame(struct reader *r, struct module_variable *v, const struct token *at)
{
    struct module_function *f = &r->functions.items[r->function];
    uint64_t offset = (r->frame_bytes + v->align - 1) / v->align * v->align;
    if (offset + v->size > VARIABLE_BYTES_MAX)
        return reader_error(r, at, "the variables of the function are larger than 2^40 bytes");
    v->offset = offset;
    r->frame_bytes = offset + v->size;
    if (f->frame_bytes < r->frame_bytes)
        f->frame_bytes = r->frame_bytes;
    if (f->frame_align < v->align)
        f->frame_align = v->align;
    return true;
}

/* Handles a second declaration of a module's variable: the one that is not extern counts. */
static bool declare_again(struct reader *r, struct symbol *s, const struct module_variable *v, const struct token *at)
{
    char quote[TOKEN_QUOTE_MAX];
    struct module_variable *old = s->kind == SYMBOL_VARIABLE ? &r->variables.items[s->index] : NULL;
    if (!old || old->space != v->space || (old->linkage != LINKAGE_EXTERN && v->linkage != LINKAGE_EXTERN))
        return reader_error(r, at, "%s is declared in line %u already: give it another name", token_quote(at, quote),
                            s->line);
    if (old->linkage == LINKAGE_EXTERN)
        *old = *v;
    return true;
}

static bool add_variable(struct reader *r, struct module_variable *v, const struct token *name)
{
    bool is_new;
    struct symbol *s = symbol_intern(r, r->scope, name->at, name->size, &is_new);
    if (!s)
        return false;
    v->name = s->name;
    v->line = name->line;
    v->column = name->column;
    v->function = r->function;
    v->reg = MODULE_NONE;
    if (!is_new)
        return declare_again(r, s, v, name);
    struct module_variable *to = LIST_ADD(r, r->variables);
    if (!to)
        return false;
    *to = *v;
    s->kind = SYMBOL_VARIABLE;
    s->index = (uint32_t)(r->variables.count - 1);
    s->line = name->line;
    return true;
}

static bool in_frame(const struct reader *r, const struct module_variable *v)
{
    return r->function != MODULE_NONE && (v->space == SPACE_LOCAL || v->space == SPACE_PARAM);
}

bool declare_variables(struct reader *r, enum module_linkage linkage)
{
    struct declared declared = {.variable = {.linkage = linkage}};
    find_space(&r->lexer.token, &declared.variable.space);
    lexer_next(&r->lexer);
    if (!read_declared(r, &declared))
        return false;
    do {
        struct declared s = declared;
        struct token name = r->lexer.token;
        if (name.kind != TOKEN_WORD)
            return reader_expected(r, "the name of a variable");
        lexer_next(&r->lexer);
        if (token_punct(&r->lexer.token, '<'))
            return reader_error(r, &name, "ranges of variables are not read: name each variable");
        if (!read_dimensions(r, &s) || (lexer_take(&r->lexer, '=') && !read_initial(r, &s)))
            return false;
        if (in_frame(r, &s.variable) && !place_in_frame(r, &s.variable, &name))
            return false;
        if (!add_variable(r, &s.variable, &name))
            return false;
    } while (lexer_take(&r->lexer, ','));
    return reader_take(r, ';');
}

static bool read_name(struct reader *r, struct token *name)
{
    *name = r->lexer.token;
    if (name->kind != TOKEN_WORD)
        return reader_expected(r, "the name of a parameter");
    lexer_next(&r->lexer);
    return true;
}

/* A parameter that is a register. It is also entered as a variable, so that all parameters are in one list. */
static bool read_register_parameter(struct reader *r, struct module_variable *v, struct token *name)
{
    *v = (struct module_variable){.space = SPACE_PARAM, .align = 1};
    if (!read_type(r, &v->type) || !read_name(r, name))
        return false;
    v->size = (ptx_type_bits(v->type) + 7) / 8;
    v->reg = register_add(r, name->at, name->size, v->type);
    if (v->reg == MODULE_NONE)
        return false;
    return token_is(name, "_") || symbol_add(r, name, SYMBOL_REGISTER, v->reg) != NULL;
}

static bool read_variable_parameter(struct reader *r, struct module_variable *v, struct token *name)
{
    struct declared s = {.variable = {.space = SPACE_PARAM}};
    struct module_function *f = &r->functions.items[r->function];
    if (!read_declared(r, &s) || !read_name(r, name) || !read_dimensions(r, &s))
        return false;
    *v = s.variable;
    if (!f->is_entry)
        return place_in_frame(r, v, name);
    v->offset = (f->params_bytes + v->align - 1) / v->align * v->align;
    f->params_bytes = v->offset + v->size;
    return f->params_bytes <= VARIABLE_BYTES_MAX || reader_error(r, name, "the parameters are larger than 2^40 bytes");
}

static bool read_parameter(struct reader *r)
{
    struct module_variable v;
    struct token name;
    bool is_register = take_word(r, ".reg");
    if (!is_register && !take_word(r, ".param"))
        return reader_expected(r, "'.param' or '.reg'");
    if (is_register ? !read_register_parameter(r, &v, &name) : !read_variable_parameter(r, &v, &name))
        return false;
    bool has_name = !is_register && !token_is(&name, "_");
    if (has_name && !symbol_add(r, &name, SYMBOL_VARIABLE, (uint32_t)r->variables.count))
        return false;
    struct module_variable *to = LIST_ADD(r, r->variables);
    if (!to)
        return false;
    v.name = reader_copy(r, name.at, name.size);
    v.function = r->function;
    v.line = name.line;
    v.column = name.column;
    if (!is_register)
        v.reg = MODULE_NONE;
    *to = v;
    return v.name != NULL;
}

bool declare_parameters(struct reader *r, const uint32_t **list, uint32_t *count)
{
    uint32_t first = (uint32_t)r->variables.count;
    *list = NULL;
    *count = 0;
    if (!reader_take(r, '('))
        return false;
    if (lexer_take(&r->lexer, ')'))
        return true;
    do {
        if (!read_parameter(r))
            return false;
    } while (lexer_take(&r->lexer, ','));
    *count = (uint32_t)r->variables.count - first;
    uint32_t *indices = reader_memory(r, *count * sizeof *indices);
    if (!indices)
        return false;
    for (uint32_t n = 0; n < *count; n++)
        indices[n] = first + n;
    *list = indices;
    return reader_take(r, ')');
}
