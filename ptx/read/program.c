#include "ptx/read/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool builder_takes(enum ptx_type type)
{
    uint32_t taken = 1u << PTX_PRED | 1u << PTX_B32 | 1u << PTX_U32 | 1u << PTX_S32 | 1u << PTX_F32 | 1u << PTX_B64 |
                     1u << PTX_U64 | 1u << PTX_S64;
    return (taken >> type & 1u) != 0;
}

uint32_t program_register_find(const struct program *program, const char *name)
{
    for (uint32_t r = 0; r < program->registers_count; r++)
        if (strcmp(program->registers[r].name, name) == 0)
            return r;
    return MODULE_NONE;
}

uint32_t builder_known(struct builder *b, struct lexer *l)
{
    char name[PTX_NAME_MAX + 1] = "";
    char quote[TOKEN_QUOTE_MAX];
    uint32_t r = MODULE_NONE;
    if (l->token.kind == TOKEN_WORD && l->token.size <= PTX_NAME_MAX) {
        memcpy(name, l->token.at, l->token.size);
        r = program_register_find(b->program, name);
    }
    if (r == MODULE_NONE)
        error_expected(b->error, &l->token, "a register of the program");
    else if (!b->written[r]) {
        error_at(b->error, l->token.line, l->token.column, "%s is neither an input nor written",
                 token_quote(&l->token, quote));
        r = MODULE_NONE;
    }
    lexer_next(l);
    return r;
}

/* ---- which function, and its registers ---- */

/* The kernel whose body has notes, else the only one. */
static bool find_kernel(struct builder *b, uint32_t *function)
{
    const struct module *m = b->program->module;
    uint32_t entries = 0;
    *function = MODULE_NONE;
    for (size_t n = 0; n < b->notes.count; n++) {
        const struct builder_note *note = &b->notes.items[n];
        if (note->function == MODULE_NONE || note->function == *function)
            continue;
        if (*function != MODULE_NONE)
            return error_at(b->error, note->token.line, note->token.column,
                            "one kernel of a text has notes: %s has some above", m->functions[*function].name);
        *function = note->function;
    }
    for (uint32_t n = 0; n < m->functions_count && *function == MODULE_NONE; n++)
        entries += m->functions[n].is_entry;
    for (uint32_t n = 0; n < m->functions_count && *function == MODULE_NONE && entries == 1; n++)
        if (m->functions[n].is_entry)
            *function = n;
    return *function != MODULE_NONE || error_at(b->error, 1, 1, "%s",
                                                entries > 1 ? "of several kernels one must have the notes in its body"
                                                            : "there is no kernel in this text");
}

static bool make_registers(struct builder *b, const struct module_function *f)
{
    struct program *p = b->program;
    p->registers = calloc(f->registers_count + 1u, sizeof *p->registers);
    b->written = calloc(f->registers_count + 1u, sizeof *b->written);
    if (!p->registers || !b->written)
        return error_no_memory(b->error, 1, 1);
    p->registers_count = f->registers_count;
    for (uint32_t r = 0; r < f->registers_count; r++) {
        p->registers[r].name = f->registers[r].name;
        p->registers[r].type = f->registers[r].type;
    }
    return true;
}

static bool take_function(struct builder *b)
{
    struct program *p = b->program;
    struct module *m = p->module;
    p->function = module_function_find(m, "");
    if (p->function == MODULE_NONE && !find_kernel(b, &p->function))
        return false;
    const struct module_function *f = &m->functions[p->function];
    p->is_kernel = f->is_entry;
    p->instructions = (struct module_instruction *)(uintptr_t)f->instructions;
    p->instructions_count = f->instructions_count;
    if (p->instructions_count > 0 && p->instructions[p->instructions_count - 1].implicit)
        p->instructions_count--;
    p->ptx = m->ptx;
    p->target = m->target;
    return make_registers(b, f);
}

/* ---- what is read before it is written ---- */

/* A register that is read at this place. */
static bool check_read(struct builder *b, uint32_t reg, uint32_t line, uint32_t column)
{
    struct program_register *to = &b->program->registers[reg];
    const struct module_instruction *unplain;
    const char *why;
    if (b->written[reg] || b->program->is_kernel)
        return true;
    if (b->implicit_inputs && program_find_unplain(b->program, &unplain, &why))
        return error_at(b->error, unplain->line, unplain->column, "%s: %s; then inputs must be declared", unplain->name,
                        why);
    if (!b->implicit_inputs)
        return error_at(b->error, line, column,
                        "%s is read before anything writes it: declare it with '//! input %s %s'", to->name, to->name,
                        ptx_type_name(to->type));
    if (strlen(to->name) > PTX_NAME_MAX) /* as of one that is declared */
        return error_at(b->error, line, column, "a register's name of more than %u characters is not read",
                        PTX_NAME_MAX);
    to->input = (struct program_input){.is_input = true, .implicit = true, .as = to->type};
    b->written[reg] = true;
    return true;
}

static bool check_limits(struct builder *b, const struct module_instruction *i, size_t n)
{
    if (n >= PROGRAM_INSTRUCTIONS_MAX)
        return error_at(b->error, i->line, 1, "a program has at most %u instructions", PROGRAM_INSTRUCTIONS_MAX);
    for (unsigned k = 0; k < i->dsts_count; k++)
        if (i->dsts[k].kind == OPERAND_REGISTER && i->dsts[k].reg >= PROGRAM_REGISTERS_MAX)
            return error_at(b->error, i->line, i->column, "a program has at most %u registers", PROGRAM_REGISTERS_MAX);
    return true;
}

/* Halves of a pair that go nowhere, or both to one register. */
static bool check_halves(struct builder *b, const struct module_instruction *i)
{
    if (i->op != OP_UNPACK || i->dsts_count != 2)
        return true;
    if (i->dsts[0].kind == OPERAND_SINK && i->dsts[1].kind == OPERAND_SINK)
        return error_at(b->error, i->line, i->column, "%s throws both halves away", i->name);
    if (i->dsts[0].kind == OPERAND_REGISTER && i->dsts[0].reg == i->dsts[1].reg)
        return error_at(b->error, i->line, i->column, "%s writes both halves to one register", i->name);
    return true;
}

static bool check_instruction(struct builder *b, const struct module_instruction *i, size_t n)
{
    if (i->op == OP_UNREAD)
        return error_at(b->error, i->unread_line, i->unread_column, "%s is not read: %s", i->name, i->unread);
    if (!check_limits(b, i, n) || !check_halves(b, i))
        return false;
    if (i->guard != MODULE_NONE && !check_read(b, i->guard, i->guard_line, i->guard_column))
        return false;
    for (unsigned k = 0; k < i->srcs_count; k++) {
        const struct module_operand *o = &i->srcs[k];
        bool reads = o->kind == OPERAND_REGISTER || (o->kind == OPERAND_ADDRESS && o->reg != MODULE_NONE);
        if (reads && !check_read(b, o->reg, o->line, o->column))
            return false;
    }
    for (unsigned k = 0; k < i->dsts_count; k++)
        if (i->dsts[k].kind == OPERAND_REGISTER)
            b->written[i->dsts[k].reg] = true;
    return true;
}

/* Instructions and inputs, in the order of the text. */
static bool check_order(struct builder *b)
{
    struct program *p = b->program;
    size_t next = 0;
    for (size_t n = 0; n <= p->instructions_count; n++) {
        for (; next < b->notes.count && b->notes.items[next].before <= n; next++)
            if (note_is(&b->notes.items[next].token, "input") && !builder_input(b, &b->notes.items[next].token))
                return false;
        if (n < p->instructions_count && !check_instruction(b, &p->instructions[n], n))
            return false;
    }
    return true;
}

static bool read_notes(struct builder *b, bool claims)
{
    for (size_t n = 0; n < b->notes.count; n++) {
        const struct token *note = &b->notes.items[n].token;
        bool is_claim = note_is(note, "claim") || note_is(note, "refute");
        if (is_claim == claims && !note_is(note, "input") && !(claims ? builder_claim(b, note) : builder_note(b, note)))
            return false;
    }
    return true;
}

/* ---- all together ---- */

static bool keep_text(struct builder *b, const char *text, size_t size)
{
    b->program->text = malloc(size + 1);
    if (!b->program->text)
        return error_no_memory(b->error, 1, 1);
    memcpy(b->program->text, text, size);
    b->program->text[size] = '\0';
    b->program->text_size = size;
    return true;
}

static bool build(struct builder *b, const char *text, size_t size)
{
    const struct module_options options = {.fragment = true, .note = builder_keep, .context = b};
    const struct module_instruction *unplain;
    const char *why;
    struct program *p = b->program;
    if (size > PROGRAM_TEXT_MAX)
        return error_at(b->error, 1, 1, "a program's text has at most %u bytes", PROGRAM_TEXT_MAX);
    p->claims = calloc(PROGRAM_CLAIMS_MAX, sizeof *p->claims);
    if (!p->claims || !keep_text(b, text, size))
        return error_no_memory(b->error, 1, 1);
    p->module = module_read_piece(text, size, &options, b->error);
    if (!p->module || !take_function(b))
        return false;
    p->is_plain = !p->is_kernel && !program_find_unplain(p, &unplain, &why);
    p->notes_count = b->notes.count;
    return check_order(b) && read_notes(b, false) && read_notes(b, true);
}

void program_free(struct program *program)
{
    if (!program)
        return;
    module_free(program->module);
    free(program->registers);
    free(program->claims);
    free(program->text);
    free(program);
}

struct program *program_parse(const char *text, size_t size, const struct program_options *options,
                              struct warp_text_error *error)
{
    struct program *program = calloc(1, sizeof *program);
    struct builder b = {.program = program,
                        .error = error,
                        .implicit_inputs = options && options->implicit_inputs,
                        .inputs_in = MODULE_NONE};
    if (!program) {
        error_no_memory(error, 1, 1);
        return NULL;
    }
    program->active = UINT32_MAX;
    program->active_reg = MODULE_NONE;
    bool ok = build(&b, text, size);
    free(b.notes.items);
    free(b.written);
    if (ok)
        return program;
    program_free(program);
    return NULL;
}

static bool takes_all(const struct program *program, uint32_t target)
{
    for (size_t n = 0; n < program->instructions_count; n++) {
        const struct module_instruction *i = &program->instructions[n];
        if (i->op == OP_WARP && warp_legal_from(warp_form_get(i->form), target) == 0)
            return false;
    }
    return true;
}

uint32_t program_target(const struct program *program, struct error *error)
{
    const struct warp_target_info *t;
    if (program->target != 0) {
        if (takes_all(program, program->target))
            return program->target;
        error_set(error, ERROR_UNSUPPORTED, "%s does not take all instructions of the program in any PTX version",
                  warp_target_name(program->target));
        return 0;
    }
    /* The convergence rule of sm_6x and below would hide waiting lanes, so this is the least target above. All
     * forms are legal on one of those. */
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        if (!warp_target_needs_convergence(t->target) && takes_all(program, t->target))
            return t->target;
    error_set(error, ERROR_UNSUPPORTED, "no target takes all instructions of the program");
    return 0;
}
