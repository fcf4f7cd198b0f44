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

/* "8.6" as 86. */
static bool read_version(struct builder *b)
{
    struct lexer *l = &b->lexer;
    const struct token *t = &l->token;
    bool right = t->kind == TOKEN_NUMBER && t->size == 3 && t->at[1] == '.' && t->at[0] >= '0' && t->at[0] <= '9' &&
                 t->at[2] >= '0' && t->at[2] <= '9';
    if (!right)
        return error_expected(b->error, t, "a PTX version such as 8.6");
    b->program->ptx = (uint16_t)((t->at[0] - '0') * 10 + (t->at[2] - '0'));
    lexer_next(l);
    return true;
}

static bool read_target(struct builder *b)
{
    struct lexer *l = &b->lexer;
    char name[32] = "";
    char quote[TOKEN_QUOTE_MAX];
    if (l->token.kind == TOKEN_WORD && l->token.size < sizeof name)
        memcpy(name, l->token.at, l->token.size);
    const struct warp_target_info *info = warp_target_find(name);
    if (!info)
        return error_at(b->error, l->token.line, l->token.column, "%s is not a known target, such as sm_90",
                        token_quote(&l->token, quote));
    b->program->target = info->target;
    lexer_next(l);
    while (lexer_take(l, ',')) /* texmode_..., debug: nothing to do with warps */
        lexer_next(l);
    return true;
}

static bool read_address_size(struct builder *b)
{
    uint64_t value;
    if (!number_integer(&b->lexer.token, &value))
        return error_expected(b->error, &b->lexer.token, "32 or 64");
    lexer_next(&b->lexer);
    return true;
}

static bool read_directive(struct builder *b)
{
    struct token word = b->lexer.token;
    char quote[TOKEN_QUOTE_MAX];
    lexer_next(&b->lexer);
    if (token_is(&word, ".reg"))
        return builder_reg_directive(b);
    if (token_is(&word, ".version"))
        return read_version(b);
    if (token_is(&word, ".target"))
        return read_target(b);
    if (token_is(&word, ".address_size"))
        return read_address_size(b);
    return error_at(b->error, word.line, word.column,
                    "%s is not read: a program is a straight line with .reg, .version and .target",
                    token_quote(&word, quote));
}

static bool read_instruction(struct builder *b)
{
    struct statement s;
    struct program_instruction i;
    memset(&i, 0, sizeof i);
    for (size_t n = 0; n < 4; n++)
        i.srcs[n].reg = PROGRAM_NO_REGISTER;
    i.dsts[0].reg = i.dsts[1].reg = i.guard.reg = PROGRAM_NO_REGISTER;
    if (!statement_read(&b->lexer, &s, b->error))
        return false;
    i.line = s.opcode.line;
    bool warp = ptx_is_warp_opcode(s.name, strlen(s.name));
    return (warp ? builder_warp(b, &s, &i) : builder_arithmetic(b, &s, &i)) && append(b, &i);
}

static bool read_all(struct builder *b)
{
    struct lexer *l = &b->lexer;
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
        b->error = error;
        b->implicit_inputs = options && options->implicit_inputs;
        lexer_start(&b->lexer, text, size, 1, 1, true);
        ok = read_all(b);
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
    /* The convergence rule of sm_6x and below would hide what waits: the least target above. All forms are legal on
     * some of those. */
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        if (!warp_target_needs_convergence(t->target) && takes_all(program, t->target))
            return t->target;
    snprintf(why, why_size, "no target takes all instructions of the program");
    return 0;
}
