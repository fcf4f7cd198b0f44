#include "ptx/read/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool append(struct builder *b, const struct program_instruction *i)
{
    struct program *program = b->program;
    if (program->instructions_count == PROGRAM_INSTRUCTIONS_MAX)
        return error_at(b->error, i->line, 1, "a program has at most %u instructions", PROGRAM_INSTRUCTIONS_MAX);
    if (program->instructions_count == b->instructions_room) {
        size_t room = b->instructions_room ? 2 * b->instructions_room : 16;
        struct program_instruction *grown = realloc(program->instructions, room * sizeof *grown);
        if (!grown)
            return error_at(b->error, i->line, 1, "out of memory");
        program->instructions = grown;
        b->instructions_room = room;
    }
    program->instructions[program->instructions_count++] = *i;
    for (size_t n = 0; n < 2; n++)
        if (i->dsts[n].kind == PROGRAM_REGISTER)
            b->written[i->dsts[n].reg] = true;
    return true;
}

bool builder_takes(enum ptx_type type)
{
    uint32_t taken = 1u << PTX_PRED | 1u << PTX_B32 | 1u << PTX_U32 | 1u << PTX_S32 | 1u << PTX_F32 | 1u << PTX_B64 |
                     1u << PTX_U64 | 1u << PTX_S64;
    return (taken >> type & 1u) != 0;
}

/* Registers that the reader made since the last call, for what stands at `at`. */
static bool builder_registers(struct builder *b, const struct token *at)
{
    struct program *program = b->program;
    while (program->registers_count < b->reader.registers.count) {
        const struct module_register *from = &b->reader.registers.items[program->registers_count];
        if (program->registers_count == PROGRAM_REGISTERS_MAX)
            return error_at(b->error, at->line, at->column, "a program has at most %u registers",
                            PROGRAM_REGISTERS_MAX);
        if (strlen(from->name) > PTX_NAME_MAX)
            return error_at(b->error, at->line, at->column, "a register's name of more than %u characters is not read",
                            PTX_NAME_MAX);
        struct program_register *reg = &program->registers[program->registers_count++];
        memset(reg, 0, sizeof *reg);
        snprintf(reg->name, sizeof reg->name, "%s", from->name);
        reg->type = from->type;
    }
    return true;
}

uint32_t program_register_find(const struct program *program, const char *name)
{
    for (uint32_t r = 0; r < program->registers_count; r++)
        if (strcmp(program->registers[r].name, name) == 0)
            return r;
    return PROGRAM_NO_REGISTER;
}

uint32_t builder_declare(struct builder *b, const struct token *name, enum ptx_type type)
{
    char quote[TOKEN_QUOTE_MAX];
    if (name->kind != TOKEN_WORD || token_is(name, "_")) {
        error_expected(b->error, name, "the name of a register");
        return PROGRAM_NO_REGISTER;
    }
    if (operand_is_special(name)) {
        error_at(b->error, name->line, name->column, "%s is a special register: it cannot be declared",
                 token_quote(name, quote));
        return PROGRAM_NO_REGISTER;
    }
    struct symbol *s = symbol_add(&b->reader, name, SYMBOL_REGISTER, 0);
    uint32_t reg = s ? register_add(&b->reader, name->at, name->size, type) : MODULE_NONE;
    if (reg == MODULE_NONE)
        return PROGRAM_NO_REGISTER;
    s->index = reg;
    return builder_registers(b, name) ? reg : PROGRAM_NO_REGISTER;
}

uint32_t builder_known(struct builder *b, struct lexer *l)
{
    char name[PTX_NAME_MAX + 1] = "";
    char quote[TOKEN_QUOTE_MAX];
    uint32_t r = PROGRAM_NO_REGISTER;
    if (l->token.kind == TOKEN_WORD && l->token.size <= PTX_NAME_MAX) {
        memcpy(name, l->token.at, l->token.size);
        r = program_register_find(b->program, name);
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

static bool read_registers(struct builder *b)
{
    struct token t = b->reader.lexer.token;
    bool takes = t.kind == TOKEN_DOT && builder_takes(ptx_type_find(t.at + 1, t.size - 1));
    if (t.kind != TOKEN_DOT)
        return error_expected(b->error, &t, "a type, such as .b32");
    if (!takes)
        return error_expected(b->error, &t, "one of .pred .b32 .u32 .s32 .f32 .b64 .u64 .s64");
    return declare_registers(&b->reader) && builder_registers(b, &t);
}

static bool read_directive(struct builder *b)
{
    struct reader *r = &b->reader;
    struct token word = r->lexer.token;
    char quote[TOKEN_QUOTE_MAX];
    lexer_next(&r->lexer);
    if (token_is(&word, ".reg"))
        return read_registers(b);
    if (token_is(&word, ".version"))
        return reader_version(r);
    if (token_is(&word, ".target"))
        return reader_target(r);
    if (token_is(&word, ".address_size"))
        return reader_address_size(r);
    return error_at(b->error, word.line, word.column,
                    "%s is not read: a program is a straight line with .reg, .version and .target",
                    token_quote(&word, quote));
}

/* The guard's own place is behind '@' and '!'. */
static struct token guard_token(const struct builder *b)
{
    struct lexer l = b->reader.lexer;
    lexer_take(&l, '@');
    lexer_take(&l, '!');
    return l.token;
}

static bool read_instruction(struct builder *b)
{
    struct reader *r = &b->reader;
    struct program_instruction i;
    struct token at = guard_token(b);
    uint32_t guard;
    bool negate;
    if (token_punct(&r->lexer.token, '@') && at.kind != TOKEN_WORD)
        return error_expected(b->error, &at, "a predicate register behind '@'");
    if (!instruction_guard(r, &guard, &negate) || !builder_registers(b, &at))
        return false;
    if (guard != MODULE_NONE && !builder_guard(b, guard, &at))
        return false;
    struct token word = r->lexer.token;
    if (word.kind != TOKEN_WORD)
        return error_expected(b->error, &word, "an instruction");
    lexer_next(&r->lexer);
    if (token_punct(&r->lexer.token, ':'))
        return error_at(b->error, word.line, word.column, "a label is not read: a program is a straight line");
    r->instructions.count = 0;
    return instruction_read(r, &word, guard, negate) && builder_registers(b, &word) &&
           builder_convert(b, &r->instructions.items[0], &i) && append(b, &i);
}

static bool read_all(struct builder *b)
{
    struct lexer *l = &b->reader.lexer;
    while (l->token.kind != TOKEN_END) {
        bool ok;
        if (l->token.kind == TOKEN_NOTE) {
            struct token note = l->token;
            lexer_next(l);
            ok = builder_note(b, &note);
        } else if (l->token.kind == TOKEN_DOT) {
            ok = read_directive(b);
        } else if (token_punct(&l->token, ';')) {
            lexer_next(l);
            ok = true;
        } else {
            ok = read_instruction(b);
        }
        if (!ok)
            return false;
    }
    return builder_claims(b);
}

static struct program *program_new(void)
{
    struct program *program = calloc(1, sizeof *program);
    if (!program)
        return NULL;
    program->registers = calloc(PROGRAM_REGISTERS_MAX, sizeof *program->registers);
    program->claims = calloc(PROGRAM_CLAIMS_MAX, sizeof *program->claims);
    program->active = UINT32_MAX;
    program->active_reg = PROGRAM_NO_REGISTER;
    if (program->registers && program->claims)
        return program;
    program_free(program);
    return NULL;
}

void program_free(struct program *program)
{
    if (!program)
        return;
    free(program->instructions);
    free(program->registers);
    free(program->claims);
    free(program);
}

struct program *program_parse(const char *text, size_t size, const struct program_options *options,
                              struct warp_text_error *error)
{
    struct builder *b = calloc(1, sizeof *b);
    struct program *program = program_new();
    bool ok = false;
    if (!b || !program) {
        error_at(error, 1, 1, "out of memory");
    } else if (size > PROGRAM_TEXT_MAX) {
        error_at(error, 1, 1, "a program's text has at most %u bytes", PROGRAM_TEXT_MAX);
    } else {
        b->program = program;
        b->error = &b->reader.error;
        b->implicit_inputs = options && options->implicit_inputs;
        reader_start(&b->reader, &b->arena, &b->module, text, size, true);
        b->reader.loose = true;
        b->reader.accept = builder_accept;
        ok = reader_scopes(&b->reader) && scope_open(&b->reader) && read_all(b);
        program->ptx = b->module.ptx;
        program->target = b->module.target;
        if (!ok)
            *error = b->reader.error;
        reader_finish(&b->reader);
        ptx_arena_free(&b->arena);
    }
    free(b);
    if (ok)
        return program;
    program_free(program);
    return NULL;
}

static bool takes_all(const struct program *program, uint32_t target)
{
    for (size_t n = 0; n < program->instructions_count; n++) {
        const struct program_instruction *i = &program->instructions[n];
        if (i->op == PROGRAM_WARP && warp_legal_from(warp_form_get(i->form), target) == 0)
            return false;
    }
    return true;
}

uint32_t program_target(const struct program *program, char *why, size_t why_size)
{
    const struct warp_target_info *t;
    if (program->target != 0) {
        if (takes_all(program, program->target))
            return program->target;
        snprintf(why, why_size, "%s does not take all instructions of the program in any PTX version",
                 warp_target_name(program->target));
        return 0;
    }
    /* The convergence rule of sm_6x and below would hide waiting lanes, so this is the least target above. All
     * forms are legal on one of those. */
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        if (!warp_target_needs_convergence(t->target) && takes_all(program, t->target))
            return t->target;
    snprintf(why, why_size, "no target takes all instructions of the program");
    return 0;
}
