#include "ptx/read/builder.h"

#include <stdio.h>
#include <string.h>

bool note_number(struct builder *b, struct lexer *l, const char *what, uint64_t most, uint64_t *value)
{
    if (!number_integer(&l->token, value) || *value > most)
        return error_expected(b->error, &l->token, what);
    lexer_next(l);
    return true;
}

static bool at_end(struct builder *b, const struct lexer *l)
{
    return l->token.kind == TOKEN_END || error_expected(b->error, &l->token, "nothing more on this line");
}

static bool read_signed(struct builder *b, struct lexer *l, int64_t *value)
{
    bool minus = lexer_take(l, '-');
    uint64_t magnitude;
    if (!note_number(b, l, "a whole number of the range", INT64_MAX, &magnitude))
        return false;
    *value = minus ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

/* The numbers that the type holds exactly. */
static bool range_fits(const struct program_input *input)
{
    switch (input->as) {
    case PTX_PRED:
        return input->low >= 0 && input->high <= 1;
    case PTX_F32:
        return input->low >= -16777216 && input->high <= 16777216;
    case PTX_S32:
        return input->low >= INT32_MIN && input->high <= INT32_MAX;
    case PTX_S64:
        return true;
    case PTX_U64:
    case PTX_B64:
        return input->low >= 0;
    case PTX_B32:
    case PTX_U32:
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
    return input->low >= 0 && input->high <= (int64_t)UINT32_MAX;
}

static bool read_range(struct builder *b, struct lexer *l, struct program_input *input)
{
    struct token at = l->token;
    input->has_range = true;
    if (!read_signed(b, l, &input->low) || !read_signed(b, l, &input->high))
        return false;
    if (input->low > input->high || !range_fits(input))
        return error_at(b->error, at.line, at.column,
                        "the range is empty, or has numbers that .%s does not hold exactly", ptx_type_name(input->as));
    return true;
}

/* Declares the register of an input line: it may be declared above, with a type of the same size. */
static bool declare_input(struct reader *r, const struct token *note)
{
    struct lexer l;
    char quote[TOKEN_QUOTE_MAX];
    lexer_start(&l, note->at, note->size, note->line, note->column, false);
    lexer_next(&l);
    struct token name = l.token;
    lexer_next(&l);
    bool dot = l.token.kind == TOKEN_DOT;
    enum ptx_type type = ptx_type_find(l.token.at + dot, l.token.size - dot);
    if (!builder_takes(type))
        return error_expected(&r->error, &l.token, "the type of the input: pred b32 u32 s32 f32 b64 u64 s64");
    if (name.kind != TOKEN_WORD || token_is(&name, "_"))
        return error_expected(&r->error, &name, "the name of a register");
    if (operand_is_special(&name))
        return error_at(&r->error, name.line, name.column, "%s is a special register: it cannot be declared",
                        token_quote(&name, quote));
    if (name.size > PTX_NAME_MAX)
        return error_at(&r->error, name.line, name.column, "a register's name of more than %u characters is not read",
                        PTX_NAME_MAX);
    struct symbol *s = symbol_find(r, r->scope, name.at, name.size);
    if (s && s->kind == SYMBOL_REGISTER)
        return ptx_type_bits(r->registers.items[s->index].type) == ptx_type_bits(type) ||
               error_at(&r->error, name.line, name.column, "%s is declared with another size above",
                        token_quote(&name, quote));
    s = symbol_add(r, &name, SYMBOL_REGISTER, 0);
    uint32_t reg = s ? register_add(r, name.at, name.size, type) : MODULE_NONE;
    if (reg != MODULE_NONE)
        s->index = reg;
    return reg != MODULE_NONE;
}

bool note_is(const struct token *note, const char *word)
{
    struct lexer l;
    lexer_start(&l, note->at, note->size, note->line, note->column, false);
    return token_is(&l.token, word);
}

bool builder_keep(void *context, struct reader *r, const struct token *note)
{
    struct builder *b = context;
    bool is_input = note_is(note, "input");
    if (note_is(note, "claim") || note_is(note, "refute"))
        b->claims_count++;
    if (b->claims_count > PROGRAM_CLAIMS_MAX)
        return error_at(&r->error, note->line, note->column, "a program has at most %u claims", PROGRAM_CLAIMS_MAX);
    if (is_input && r->function == MODULE_NONE)
        return error_at(&r->error, note->line, note->column, "an input stands in the body of its kernel");
    struct builder_note *to = LIST_ADD(r, b->notes);
    if (!to)
        return false;
    *to = (struct builder_note){*note, r->function, (uint32_t)r->instructions.count};
    return !is_input || declare_input(r, note);
}

/* NAME TYPE [uniform] [range LOW HIGH]; declare_input has read the first two. */
static bool read_input(struct builder *b, struct lexer *l)
{
    char name[PTX_NAME_MAX + 1];
    struct token at = l->token;
    snprintf(name, sizeof name, "%.*s", (int)at.size, at.at);
    uint32_t r = program_register_find(b->program, name);
    if (b->written[r])
        return error_at(b->error, at.line, at.column, "%s is an input or written above", name);
    lexer_next(l);
    bool dot = l->token.kind == TOKEN_DOT;
    struct program_input *input = &b->program->registers[r].input;
    *input = (struct program_input){.is_input = true, .as = ptx_type_find(l->token.at + dot, l->token.size - dot)};
    b->written[r] = true;
    lexer_next(l);
    while (l->token.kind != TOKEN_END) {
        if (token_is(&l->token, "uniform")) {
            input->uniform = true;
            lexer_next(l);
        } else if (token_is(&l->token, "range")) {
            lexer_next(l);
            if (!read_range(b, l, input))
                return false;
        } else {
            return error_expected(b->error, &l->token, "'uniform' or 'range LOW HIGH'");
        }
    }
    return true;
}

/* active MASK, or active NAME of a uniform 32-bit input */
static bool read_active(struct builder *b, struct lexer *l)
{
    struct token at = l->token;
    uint64_t mask;
    if (b->has_active)
        return error_at(b->error, at.line, at.column, "which lanes are active has been said above");
    b->has_active = true;
    if (number_integer(&at, &mask)) {
        if (!note_number(b, l, "a mask of 32 lanes", UINT32_MAX, &mask))
            return false;
        b->program->active = (lanemask)mask;
        return at_end(b, l);
    }
    uint32_t r = builder_known(b, l);
    if (r == MODULE_NONE)
        return false;
    const struct program_register *reg = &b->program->registers[r];
    if (!reg->input.is_input || !reg->input.uniform || ptx_type_bits(reg->type) != 32)
        return error_at(b->error, at.line, at.column, "the active lanes come from a mask or a uniform 32-bit input");
    b->program->active_reg = r;
    return at_end(b, l);
}

static bool read_exited(struct builder *b, struct lexer *l)
{
    uint64_t mask;
    if (b->has_exited)
        return error_at(b->error, l->token.line, l->token.column, "which lanes have exited has been said above");
    b->has_exited = true;
    if (!note_number(b, l, "a mask of 32 lanes", UINT32_MAX, &mask))
        return false;
    b->program->exited = (lanemask)mask;
    return at_end(b, l);
}

/* abstract OP.TYPE [commutative] [associative] */
static bool read_abstract(struct builder *b, struct lexer *l)
{
    struct program_abstract a = {.present = true};
    struct token at = l->token;
    a.op = l->token.kind == TOKEN_WORD ? op_find(l->token.at, l->token.size) : OPS;
    lexer_next(l);
    if (a.op == OP_MUL && token_is(&l->token, ".lo"))
        lexer_next(l);
    if (l->token.kind == TOKEN_DOT)
        a.type = ptx_type_find(l->token.at + 1, l->token.size - 1);
    if (a.op == OP_SELP || a.op == OP_SETP || !op_has_type(a.op, a.type) || program_op_get(a.op)->sources != 2)
        return error_expected(b->error, &at, "an operation with two sources and its type, such as add.f32");
    lexer_next(l);
    while (l->token.kind != TOKEN_END) {
        a.commutative |= token_is(&l->token, "commutative");
        a.associative |= token_is(&l->token, "associative");
        if (!token_is(&l->token, "commutative") && !token_is(&l->token, "associative"))
            return error_expected(b->error, &l->token, "'commutative' or 'associative'");
        lexer_next(l);
    }
    if (b->program->abstract.present)
        return error_at(b->error, at.line, at.column, "one operation can be abstract");
    b->program->abstract = a;
    return true;
}

static bool read_from(struct builder *b, const struct token *note, const struct lexer *l)
{
    const char *end = note->at + note->size;
    while (end > l->token.at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    size_t size = (size_t)(end - l->token.at);
    if (size >= sizeof b->program->from)
        return error_at(b->error, l->token.line, l->token.column, "at most %zu characters say where it comes from",
                        sizeof b->program->from - 1);
    for (size_t i = 0; i < size; i++)
        if (l->token.at[i] < ' ' || l->token.at[i] > '~')
            return error_at(b->error, l->token.line, l->token.column, "only printable ASCII is read here");
    memcpy(b->program->from, l->token.at, size);
    b->program->from[size] = '\0';
    return true;
}

bool builder_input(struct builder *b, const struct token *note)
{
    struct lexer l;
    lexer_start(&l, note->at, note->size, note->line, note->column, false);
    lexer_next(&l);
    return read_input(b, &l);
}

bool builder_note(struct builder *b, const struct token *note)
{
    struct lexer l;
    lexer_start(&l, note->at, note->size, note->line, note->column, false);
    struct token word = l.token;
    if (word.kind == TOKEN_END)
        return true;
    lexer_next(&l);
    if (token_is(&word, "active"))
        return read_active(b, &l);
    if (token_is(&word, "exited"))
        return read_exited(b, &l);
    if (token_is(&word, "abstract"))
        return read_abstract(b, &l);
    if (token_is(&word, "from"))
        return read_from(b, note, &l);
    if (token_is(&word, "section") || token_is(&word, "end"))
        return error_at(b->error, word.line, word.column,
                        "sections are claims about a part of a kernel: 'warpcheck kernel' tests and proves them");
    return error_expected(b->error, &word, "claim, refute, input, active, exited, abstract or from behind //!");
}
