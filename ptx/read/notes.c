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

/* The register that an input line names: declared above with a type of the same size, or new. */
static uint32_t input_register(struct builder *b, const struct token *name, enum ptx_type type)
{
    char copy[PTX_NAME_MAX + 1] = "";
    if (name->kind == TOKEN_WORD && name->size <= PTX_NAME_MAX)
        memcpy(copy, name->at, name->size);
    uint32_t r = program_register_find(b->program, copy);
    if (r == PROGRAM_NO_REGISTER)
        return builder_declare(b, name, type);
    if (ptx_type_bits(b->program->registers[r].type) == ptx_type_bits(type) && !b->written[r])
        return r;
    error_at(b->error, name->line, name->column,
             b->written[r] ? "%s is an input or written above" : "%s is declared with another size above", copy);
    return PROGRAM_NO_REGISTER;
}

/* input NAME TYPE [uniform] [range LOW HIGH] */
static bool read_input(struct builder *b, struct lexer *l)
{
    struct token name = l->token;
    lexer_next(l);
    bool dot = l->token.kind == TOKEN_DOT;
    enum ptx_type type = ptx_type_find(l->token.at + dot, l->token.size - dot);
    if (!builder_takes(type))
        return error_expected(b->error, &l->token, "the type of the input: pred b32 u32 s32 f32 b64 u64 s64");
    lexer_next(l);
    uint32_t r = input_register(b, &name, type);
    if (r == PROGRAM_NO_REGISTER)
        return false;
    struct program_input *input = &b->program->registers[r].input;
    *input = (struct program_input){.is_input = true, .as = type};
    b->written[r] = true;
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
    if (r == PROGRAM_NO_REGISTER)
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
    a.op = l->token.kind == TOKEN_WORD ? op_find(l->token.at, l->token.size) : PROGRAM_OPS;
    lexer_next(l);
    if (a.op == PROGRAM_MUL && token_is(&l->token, ".lo"))
        lexer_next(l);
    if (l->token.kind == TOKEN_DOT)
        a.type = ptx_type_find(l->token.at + 1, l->token.size - 1);
    if (a.op == PROGRAM_SELP || a.op == PROGRAM_SETP || !op_has_type(a.op, a.type) ||
        program_op_get(a.op)->sources != 2)
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

static bool keep_claim(struct builder *b, const struct token *note)
{
    if (b->notes_count == PROGRAM_CLAIMS_MAX)
        return error_at(b->error, note->line, note->column, "a program has at most %u claims", PROGRAM_CLAIMS_MAX);
    b->notes[b->notes_count++] = *note;
    return true;
}

bool builder_note(struct builder *b, const struct token *note)
{
    struct lexer l;
    lexer_start(&l, note->at, note->size, note->line, note->column, false);
    struct token word = l.token;
    b->program->notes_count++;
    if (token_is(&word, "claim") || token_is(&word, "refute"))
        return keep_claim(b, note);
    if (word.kind == TOKEN_END)
        return true;
    lexer_next(&l);
    if (token_is(&word, "input"))
        return read_input(b, &l);
    if (token_is(&word, "active"))
        return read_active(b, &l);
    if (token_is(&word, "exited"))
        return read_exited(b, &l);
    if (token_is(&word, "abstract"))
        return read_abstract(b, &l);
    if (token_is(&word, "from"))
        return read_from(b, note, &l);
    return error_expected(b->error, &word, "claim, refute, input, active, exited, abstract or from behind //!");
}

bool builder_claims(struct builder *b)
{
    for (size_t i = 0; i < b->notes_count; i++)
        if (!builder_claim(b, &b->notes[i]))
            return false;
    return true;
}
