#include "kernel/section.h"

#include "base/buffer.h"
#include "kernel/execute.h"
#include "ptx/lex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTES_MAX        4096u
#define FOLLOWED_MAX     1000000u /* instructions of a section, with those that make constants alone */
#define ORIGIN_DEPTH_MAX 64u      /* instructions in a row that make what a section reads */

/* A `//!` line. */
struct note {
    struct token token; /* in the text */
    uint32_t function;
    uint32_t before; /* as many instructions of the function stand above it */
};

struct notes {
    struct note *items;
    size_t count, room;
    bool too_many, no_memory;
};

static bool keep_note(void *context, struct reader *r, const struct token *token)
{
    struct notes *const notes = context;
    struct note *items;
    (void)r;
    if (notes->count == NOTES_MAX) {
        notes->too_many = true;
        return true;
    }
    items = array_grow(notes->items, notes->count, &notes->room, sizeof *items);
    if (items == NULL) {
        notes->no_memory = true;
        return true;
    }
    notes->items = items;
    notes->items[notes->count++] = (struct note){.token = *token, .function = MODULE_NONE};
    return true;
}

/* Where the note stands: a note ends its line, so what shares the line stands above it. */
static void place_note(const struct module *m, struct note *note)
{
    for (uint32_t f = 0; f < m->functions_count; f++)
        if (!m->functions[f].is_declaration && m->functions[f].line <= note->token.line)
            note->function = f;
    if (note->function == MODULE_NONE)
        return;
    const struct module_function *const f = &m->functions[note->function];
    while (note->before < f->instructions_count && !f->instructions[note->before].implicit &&
           f->instructions[note->before].line <= note->token.line)
        note->before++;
}

static struct token word_of(const struct note *note, struct lexer *l)
{
    lexer_start(l, note->token.at, note->token.size, note->token.line, note->token.column, false);
    return l->token;
}

static bool is_word(const struct note *note, const char *word)
{
    struct lexer l;
    const struct token t = word_of(note, &l);
    return token_is(&t, word);
}

/* ---- the straight line ---- */

/* What is known of a register while the section is followed. */
enum held {
    HELD_ABOVE,    /* what it held at the section's first line: nobody has asked for it yet */
    HELD_VALUE,    /* something that the program has, too */
    HELD_CONSTANT, /* `value`, in all lanes */
    HELD_UNREAD    /* the result of what does not belong to a program, at `line` */
};

/* How the program comes to what a register held at the section's first line. */
enum above { ABOVE_UNASKED, ABOVE_FETCHED, ABOVE_INPUT };

struct followed_register {
    enum held held;
    uint64_t value;
    uint32_t line;
    enum above above;
    uint32_t origin;      /* of FETCHED: the instruction above the section that is in the program now */
    bool origin_constant; /* and which gives all lanes `origin_value` */
    uint64_t origin_value;
    bool used;       /* stands in the program */
    bool is_claimed; /* by a claim alone */
};

struct line_of_program {
    struct module_instruction instruction;
    bool is_lane;                  /* write `mov.u32 d, %laneid` instead */
    struct module_operand srcs[4]; /* of a warp instruction: constants in the place of registers that hold them */
};

struct program_lines {
    struct line_of_program *items;
    size_t count, room;
};

struct follower {
    const struct module *module;
    const struct module_function *f;
    struct program names; /* the function's registers, for the printer */
    struct followed_register *registers;
    struct program_lines above, lines; /* what was fetched from above the section; the section's own */
    uint32_t from, to;                 /* instructions of the section */
    struct section *section;
};

static bool refuse(struct follower *w, uint32_t line, const char *format, const char *what)
{
    char clause[200];
    snprintf(clause, sizeof clause, format, what);
    snprintf(w->section->why, sizeof w->section->why, "line %u: %s", line, clause);
    return false;
}

/* The prover tells lanes that stay together by masks that are written out. */
static void put_constants(const struct follower *w, struct line_of_program *line)
{
    for (unsigned k = OPERAND_B; k <= OPERAND_MEMBERMASK; k++) {
        struct module_operand *const o = &line->srcs[k];
        *o = line->instruction.srcs[k];
        if (o->kind == OPERAND_REGISTER && w->registers[o->reg].held == HELD_CONSTANT) {
            o->kind = OPERAND_IMMEDIATE;
            o->value = w->registers[o->reg].value;
        }
    }
    line->srcs[OPERAND_A] = line->instruction.srcs[OPERAND_A];
}

static bool add_line(struct follower *w, struct program_lines *to, const struct module_instruction *i, bool is_lane)
{
    struct line_of_program *const items = array_grow(to->items, to->count, &to->room, sizeof *items);
    if (to->count >= PROGRAM_INSTRUCTIONS_MAX)
        return refuse(w, i->line, "the section is longer than %s instructions", "4096");
    if (items == NULL)
        return refuse(w, i->line, "%s", "out of memory");
    to->items = items;
    to->items[to->count] = (struct line_of_program){.instruction = *i, .is_lane = is_lane};
    if (i->op == OP_WARP)
        put_constants(w, &to->items[to->count]);
    to->count++;
    for (unsigned k = 0; k < i->dsts_count; k++)
        if (i->dsts[k].kind == OPERAND_REGISTER)
            w->registers[i->dsts[k].reg].used = true;
    for (unsigned k = 0; k < i->srcs_count && !is_lane; k++)
        if (i->srcs[k].kind == OPERAND_REGISTER)
            w->registers[i->srcs[k].reg].used = true;
    if (i->guard != MODULE_NONE)
        w->registers[i->guard].used = true;
    return true;
}

/* Is the instruction one of a program? */
static bool is_plain(struct follower *w, const struct module_instruction *i)
{
    const struct module_instruction *unplain;
    const char *why;
    struct module_instruction copy = *i;
    struct program one = w->names;
    one.instructions = &copy;
    one.instructions_count = 1;
    return i->op != OP_EXIT && !program_find_unplain(&one, &unplain, &why);
}

static bool writes(const struct module_instruction *i, uint32_t reg)
{
    for (unsigned k = 0; k < i->dsts_count; k++)
        if (i->dsts[k].kind == OPERAND_REGISTER && i->dsts[k].reg == reg)
            return true;
    return false;
}

/* ---- constants ---- */

/* `above`: as the registers were above the section, of what was fetched from there. */
static bool operand_constant(const struct follower *w, const struct module_operand *o, bool above, uint64_t *value)
{
    if (o->kind == OPERAND_IMMEDIATE) {
        *value = o->value;
        return true;
    }
    if (o->kind != OPERAND_REGISTER)
        return false;
    const struct followed_register *const r = &w->registers[o->reg];
    *value = (above ? r->origin_value : r->value) ^ (o->negate ? 1u : 0u);
    return above ? r->above == ABOVE_FETCHED && r->origin_constant : r->held == HELD_CONSTANT;
}

/* The value that the instruction gives every lane that executes it, if that is a constant. */
static bool compute(const struct follower *w, const struct module_instruction *i, bool above, uint64_t *value)
{
    const struct program_op_info *const info = program_op_get(i->op);
    uint64_t v[3] = {0};
    if (info == NULL || i->dsts_count != 1 || i->op == OP_PACK || i->op == OP_UNPACK || i->type == PTX_F32)
        return false;
    for (unsigned k = 0; k < info->sources; k++)
        if (!operand_constant(w, &i->srcs[k], above, &v[k]))
            return false;
    if (i->op == OP_MOV)
        *value = v[0];
    else if (i->op == OP_SETP)
        *value = program_compare_values(i->compare, i->type, v[0], v[1]);
    else if (i->op == OP_SELP)
        *value = v[2] != 0 ? v[0] : v[1];
    else
        *value = program_compute(i->op, i->type, i->nan, v[0], v[1]);
    return true;
}

/* ---- what the section reads from above it ---- */

/* Which instructions wrote a register last, on all ways to a place. */
struct search {
    const struct follower *w;
    uint32_t reg;
    uint32_t found; /* the only instruction, or MODULE_NONE */
    bool several;   /* more than one, or none on some way */
    uint8_t *seen;  /* blocks whose ends were looked at */
    uint32_t *todo; /* blocks */
    uint32_t todo_count;
};

/* Looks at instructions [first, end) from the last on. */
static bool search_instructions(struct search *s, uint32_t first, uint32_t end)
{
    for (uint32_t n = end; n > first; n--)
        if (writes(&s->w->f->instructions[n - 1], s->reg)) {
            s->several |= s->found != MODULE_NONE && s->found != n - 1;
            s->found = n - 1;
            return true;
        }
    return false;
}

static void search_before_block(struct search *s, uint32_t block)
{
    const struct module_function *const f = s->w->f;
    if (f->blocks[block].first == 0)
        s->several = true; /* from the function's start on nothing has written it */
    for (uint32_t n = 0; n < f->blocks_count; n++) {
        const struct module_block *const b = &f->blocks[n];
        bool leads = b->falls_through && n + 1u == block;
        for (uint32_t k = 0; k < b->next_count; k++)
            leads |= b->next[k] == block;
        if (!leads || s->seen[n])
            continue;
        s->seen[n] = 1;
        if (!search_instructions(s, b->first, b->first + b->count))
            s->todo[s->todo_count++] = n;
    }
}

/* The instruction that alone wrote the register last before `at`, on every way; MODULE_NONE: there is no such one. */
static uint32_t find_origin(const struct follower *w, uint32_t at, uint32_t reg)
{
    const struct module_function *const f = w->f;
    struct search s = {.w = w, .reg = reg, .found = MODULE_NONE};
    s.seen = calloc(f->blocks_count + 1u, 1);
    s.todo = calloc(f->blocks_count + 1u, sizeof *s.todo);
    if (s.seen != NULL && s.todo != NULL && at < f->instructions_count) {
        const uint32_t block = f->instructions[at].block;
        if (!search_instructions(&s, f->blocks[block].first, at))
            search_before_block(&s, block);
        while (s.todo_count > 0 && !s.several)
            search_before_block(&s, s.todo[--s.todo_count]);
    }
    free(s.seen);
    free(s.todo);
    return s.several ? MODULE_NONE : s.found;
}

static bool is_tid(const struct follower *w, uint32_t at, const struct module_operand *o)
{
    const uint32_t origin = o->kind == OPERAND_REGISTER ? find_origin(w, at, o->reg) : MODULE_NONE;
    if (origin != MODULE_NONE && w->f->instructions[origin].op == OP_MOV &&
        w->f->instructions[origin].guard == MODULE_NONE)
        o = &w->f->instructions[origin].srcs[0];
    return o->kind == OPERAND_SPECIAL && o->special == SPECIAL_TID && o->component == 0;
}

/* and.b32 d, %tid.x, 31 */
static bool is_lane(const struct follower *w, uint32_t at)
{
    const struct module_instruction *const i = &w->f->instructions[at];
    return i->op == OP_AND && i->type == PTX_B32 && i->guard == MODULE_NONE && i->srcs[1].kind == OPERAND_IMMEDIATE &&
           i->srcs[1].value == 31 && is_tid(w, at, &i->srcs[0]);
}

/*
 * Puts the instruction that made what the register holds before `at` into the program, if it made it of constants and
 * of the lane's number. False: it did not, or the section tells why it is no program.
 */
static bool fetch(struct follower *w, uint32_t at, uint32_t reg, unsigned depth)
{
    struct followed_register *const r = &w->registers[reg];
    const uint32_t origin = depth > 0 && r->above != ABOVE_INPUT ? find_origin(w, at, reg) : MODULE_NONE;
    if (origin == MODULE_NONE)
        return false;
    if (r->above == ABOVE_FETCHED)
        return r->origin == origin;
    const struct module_instruction *const i = &w->f->instructions[origin];
    const bool lane = is_lane(w, origin);
    if (i->guard != MODULE_NONE || i->op == OP_WARP || (!lane && !is_plain(w, i)))
        return false;
    for (unsigned k = 0; k < i->srcs_count && !lane; k++)
        if (i->srcs[k].kind == OPERAND_REGISTER && !fetch(w, origin, i->srcs[k].reg, depth - 1))
            return false;
    r->above = ABOVE_FETCHED;
    r->origin = origin;
    r->origin_constant = !lane && compute(w, i, true, &r->origin_value);
    w->section->lane_is_tid |= lane;
    return add_line(w, &w->above, i, lane);
}

/* What the register held at the section's first line. */
static bool read_above(struct follower *w, uint32_t reg, const struct module_instruction *reader)
{
    struct followed_register *const r = &w->registers[reg];
    const bool fetched = fetch(w, w->from, reg, ORIGIN_DEPTH_MAX);
    if (!fetched && r->above == ABOVE_FETCHED)
        return refuse(w, reader->line,
                      "%s holds two values above the section that both are needed: name it as an input",
                      w->names.registers[reg].name);
    if (!fetched)
        r->above = ABOVE_INPUT;
    r->held = fetched && r->origin_constant ? HELD_CONSTANT : HELD_VALUE;
    r->value = r->origin_value;
    return w->section->why[0] == '\0';
}

static bool refuse_unread(struct follower *w, uint32_t line, const char *reader, uint32_t reg)
{
    char what[160];
    snprintf(what, sizeof what, "%.40s reads %.40s, which line %u made in a way that no program has", reader,
             w->names.registers[reg].name, w->registers[reg].line);
    return refuse(w, line, "%s", what);
}

/* A register that the section reads. */
static bool read_register(struct follower *w, uint32_t reg, const struct module_instruction *reader)
{
    return w->registers[reg].held != HELD_ABOVE || read_above(w, reg, reader);
}

/* One that has to be known. */
static bool need_register(struct follower *w, uint32_t reg, const struct module_instruction *reader)
{
    return read_register(w, reg, reader) &&
           (w->registers[reg].held != HELD_UNREAD || refuse_unread(w, reader->line, reader->name, reg));
}

/* ---- following ---- */

/* Reads what the instruction does; `unread` is a register among it whose value no program has, or MODULE_NONE. */
static bool read_sources(struct follower *w, const struct module_instruction *i, uint32_t *unread)
{
    *unread = MODULE_NONE;
    for (unsigned k = 0; k < i->srcs_count; k++) {
        const uint32_t reg = i->srcs[k].kind == OPERAND_REGISTER ? i->srcs[k].reg : MODULE_NONE;
        if (reg != MODULE_NONE && !read_register(w, reg, i))
            return false;
        if (reg != MODULE_NONE && w->registers[reg].held == HELD_UNREAD)
            *unread = reg;
    }
    /* Lanes that the guard keeps out keep what the register held. */
    for (unsigned k = 0; k < i->dsts_count && i->guard != MODULE_NONE; k++) {
        const uint32_t reg = i->dsts[k].kind == OPERAND_REGISTER ? i->dsts[k].reg : MODULE_NONE;
        if (reg != MODULE_NONE && !read_register(w, reg, i))
            return false;
        if (reg != MODULE_NONE && w->registers[reg].held == HELD_UNREAD)
            *unread = reg;
    }
    return true;
}

/* Is the guard a constant, and does it let the lanes in? */
static bool guard_constant(const struct follower *w, const struct module_instruction *i, bool *takes)
{
    *takes = true;
    if (i->guard == MODULE_NONE)
        return true;
    const struct followed_register *const r = &w->registers[i->guard];
    *takes = (r->value != 0) != i->guard_negate;
    return r->held == HELD_CONSTANT;
}

static void write_results(struct follower *w, const struct module_instruction *i, enum held held)
{
    for (unsigned k = 0; k < i->dsts_count; k++)
        if (i->dsts[k].kind == OPERAND_REGISTER) {
            struct followed_register *const r = &w->registers[i->dsts[k].reg];
            r->held = held;
            r->line = i->line;
        }
}

/* An instruction of a program; `i` has no guard where that always lets the lanes in. */
static bool follow_plain(struct follower *w, const struct module_instruction *i, bool is_lane)
{
    uint32_t unread = MODULE_NONE;
    uint64_t value = 0;
    if (!is_lane && !read_sources(w, i, &unread))
        return false;
    if (unread != MODULE_NONE && i->op == OP_WARP)
        return refuse_unread(w, i->line, i->name, unread);
    if (unread != MODULE_NONE) {
        write_results(w, i, HELD_UNREAD);
        return true;
    }
    const bool constant = !is_lane && i->guard == MODULE_NONE && compute(w, i, false, &value);
    if (!add_line(w, &w->lines, i, is_lane))
        return false;
    write_results(w, i, constant ? HELD_CONSTANT : HELD_VALUE);
    if (constant)
        w->registers[i->dsts[0].reg].value = value;
    w->section->lane_is_tid |= is_lane;
    return true;
}

/* The instruction `at`, which goes on to the next; `always`: its guard lets all lanes in. */
static bool follow_straight(struct follower *w, uint32_t at, bool always)
{
    struct module_instruction i = w->f->instructions[at];
    const bool lane = is_lane(w, at);
    if (always)
        i.guard = MODULE_NONE;
    if (lane || is_plain(w, &i))
        return follow_plain(w, &i, lane);
    if (i.op == OP_CALL || i.op == OP_UNREAD)
        return refuse(w, i.line, "%s may do anything: no program has it", i.name);
    write_results(w, &i, HELD_UNREAD);
    return true;
}

static bool leaves(const struct module_instruction *i)
{
    return i->op == OP_RET || i->op == OP_EXIT || i->op == OP_TRAP || i->op == OP_BRX;
}

/* One instruction; `at` becomes the next. */
static bool follow(struct follower *w, uint32_t *at)
{
    const struct module_instruction *const i = &w->f->instructions[*at];
    bool takes;
    if (i->guard != MODULE_NONE && !need_register(w, i->guard, i))
        return false;
    const bool known = guard_constant(w, i, &takes);
    if (known && !takes) {
        ++*at;
        return true;
    }
    if (leaves(i))
        return refuse(w, i->line, "%s leaves the section before its end", i->name);
    if (i->op == OP_BRA && !known)
        return refuse(w, i->line, "%s goes where a value decides: a section is one straight line", i->name);
    if (i->op == OP_BRA) {
        *at = i->target;
        return true;
    }
    return follow_straight(w, (*at)++, known);
}

static bool follow_all(struct follower *w)
{
    uint32_t at = w->from;
    for (uint32_t steps = 0; at != w->to; steps++) {
        if (at >= w->f->instructions_count || steps == FOLLOWED_MAX)
            return refuse(w, w->section->line, "%s", "lanes never come from here to the section's end");
        if (!follow(w, &at))
            return false;
    }
    return true;
}

/* ---- the program's text ---- */

/* The text, and which line of the module each of its lines is. */
struct written {
    struct buffer text;
    uint32_t *lines;
    size_t count, room;
    bool failed;
};

static void end_line(struct written *out, uint32_t line)
{
    uint32_t *const lines = array_grow(out->lines, out->count, &out->room, sizeof *lines);
    buffer_text(&out->text, "\n");
    if (lines == NULL) {
        out->failed = true;
        return;
    }
    out->lines = lines;
    out->lines[out->count++] = line;
}

static void write_note(struct written *out, const struct note *note)
{
    buffer_format(&out->text, "//! %.*s", (int)note->token.size, note->token.at);
    end_line(out, note->token.line);
}

static bool names_register(const struct note *note, const char *name)
{
    struct lexer l;
    for (word_of(note, &l); l.token.kind != TOKEN_END; lexer_next(&l))
        if (token_is(&l.token, name))
            return true;
    return false;
}

/* Is the register used by the section's instructions, or named by one of its notes? */
static bool is_declared(const struct follower *w, uint32_t reg, const struct note *notes, size_t count)
{
    if (w->registers[reg].used)
        return true;
    for (size_t n = 0; n < count; n++)
        if (names_register(&notes[n], w->names.registers[reg].name))
            return true;
    return false;
}

static void write_head(struct written *out, const struct follower *w, const struct note *notes, size_t count)
{
    const uint32_t line = w->section->line;
    if (w->module->ptx != 0) {
        buffer_format(&out->text, ".version %u.%u", w->module->ptx / 10u, w->module->ptx % 10u);
        end_line(out, line);
    }
    if (w->module->target != 0) {
        buffer_format(&out->text, ".target %s", warp_target_name(w->module->target));
        end_line(out, line);
    }
    for (uint32_t r = 0; r < w->f->registers_count; r++)
        if (is_declared(w, r, notes, count)) {
            buffer_format(&out->text, ".reg .%s %s;", ptx_type_name(w->names.registers[r].type),
                          w->names.registers[r].name);
            end_line(out, line);
        }
}

/* Inputs that no instruction reads. */
static void write_inputs(struct written *out, const struct follower *w)
{
    for (uint32_t r = 0; r < w->f->registers_count; r++)
        if (w->registers[r].is_claimed && w->registers[r].above == ABOVE_INPUT) {
            buffer_format(&out->text, "//! input %s %s", w->names.registers[r].name,
                          ptx_type_name(w->names.registers[r].type));
            end_line(out, w->section->line);
        }
}

static void write_instruction(struct written *out, const struct follower *w, const struct line_of_program *line)
{
    struct module_instruction i = line->instruction;
    char text[512];
    if (i.op == OP_WARP)
        i.srcs = line->srcs;
    if (line->is_lane)
        snprintf(text, sizeof text, "mov.u32 %s, %%laneid;", w->names.registers[i.dsts[0].reg].name);
    else
        program_print_instruction(&w->names, &i, text, sizeof text);
    buffer_text(&out->text, text);
    end_line(out, i.line);
}

/* Inputs and all else first, then the instructions, then claims, which may name any register. */
static void write_program(struct written *out, const struct follower *w, const struct note *notes, size_t count)
{
    write_head(out, w, notes, count);
    for (size_t n = 0; n < count; n++)
        if (!is_word(&notes[n], "claim") && !is_word(&notes[n], "refute"))
            write_note(out, &notes[n]);
    write_inputs(out, w);
    for (size_t n = 0; n < w->above.count; n++)
        write_instruction(out, w, &w->above.items[n]);
    for (size_t n = 0; n < w->lines.count; n++)
        write_instruction(out, w, &w->lines.items[n]);
    for (size_t n = 0; n < count; n++)
        if (is_word(&notes[n], "claim") || is_word(&notes[n], "refute"))
            write_note(out, &notes[n]);
}

/* Gives the program's instructions and claims the lines of the module's text. */
static void set_lines(struct program *p, const struct written *out)
{
    for (size_t n = 0; n < p->instructions_count; n++)
        if (p->instructions[n].line - 1u < out->count)
            p->instructions[n].line = out->lines[p->instructions[n].line - 1u];
    for (size_t n = 0; n < p->claims_count; n++)
        if (p->claims[n].line - 1u < out->count)
            p->claims[n].line = out->lines[p->claims[n].line - 1u];
}

/* What a claim names must be what the program has; a register that no instruction of the section touches, too. */
static bool has_claimed(struct follower *w, const struct note *notes, size_t count)
{
    for (size_t n = 0; n < count; n++)
        for (uint32_t r = 0; r < w->f->registers_count; r++) {
            const struct module_instruction line = {.name = "the line", .line = notes[n].token.line};
            if (!names_register(&notes[n], w->names.registers[r].name))
                continue;
            w->registers[r].is_claimed = w->registers[r].held == HELD_ABOVE;
            if (!need_register(w, r, &line))
                return false;
        }
    return true;
}

static void make_program(struct follower *w, const struct note *notes, size_t count)
{
    const struct program_options options = {.implicit_inputs = true};
    struct warp_text_error error;
    struct written out = {0};
    write_program(&out, w, notes, count);
    if (out.failed || out.text.failed)
        refuse(w, w->section->line, "%s", "out of memory");
    else {
        w->section->program = program_parse(out.text.data, out.text.size, &options, &error);
        if (w->section->program != NULL)
            set_lines(w->section->program, &out);
        else
            refuse(w, error.line >= 1 && error.line <= out.count ? out.lines[error.line - 1] : w->section->line, "%s",
                   error.what);
    }
    buffer_free(&out.text);
    free(out.lines);
}

/* ---- one section ---- */

/* Registers of inner blocks may share a name: the later ones get a number behind it. */
static bool name_registers(struct follower *w)
{
    const uint32_t count = w->f->registers_count;
    for (uint32_t r = 0; r < count; r++) {
        struct program_register *const to = &w->names.registers[r];
        char *name = malloc(PTX_NAME_MAX + 16u);
        bool again = false;
        if (name == NULL)
            return false;
        for (uint32_t k = 0; k < r && !again; k++)
            again = strcmp(w->f->registers[k].name, w->f->registers[r].name) == 0;
        snprintf(name, PTX_NAME_MAX + 16u, again ? "%.63s_%u" : "%.63s", w->f->registers[r].name, r);
        to->name = name;
        to->type = w->f->registers[r].type;
    }
    return true;
}

static bool open_follower(struct follower *w, const struct module *m, struct section *section)
{
    *w = (struct follower){.module = m, .f = &m->functions[section->function], .section = section};
    w->names.registers = calloc(w->f->registers_count + 1u, sizeof *w->names.registers);
    w->registers = calloc(w->f->registers_count + 1u, sizeof *w->registers);
    w->names.registers_count = w->f->registers_count;
    w->names.is_plain = true; /* what is printed of it is */
    if (w->names.registers == NULL || w->registers == NULL || !name_registers(w))
        return refuse(w, section->line, "%s", "out of memory");
    return true;
}

static void close_follower(struct follower *w)
{
    for (uint32_t r = 0; w->names.registers != NULL && r < w->f->registers_count; r++)
        free((char *)(uintptr_t)w->names.registers[r].name);
    free(w->names.registers);
    free(w->registers);
    free(w->above.items);
    free(w->lines.items);
}

/* What `//! input` names is an input, whatever the code above made of it. */
static void take_inputs(struct follower *w, const struct note *notes, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        struct lexer l;
        word_of(&notes[n], &l);
        if (!token_is(&l.token, "input"))
            continue;
        lexer_next(&l);
        for (uint32_t r = 0; r < w->f->registers_count; r++)
            if (token_is(&l.token, w->names.registers[r].name)) {
                w->registers[r].held = HELD_VALUE;
                w->registers[r].above = ABOVE_INPUT;
            }
    }
}

/* `notes`: the section's own, between its first line and its end. */
static void make_section(const struct module *m, struct section *section, const struct note *first,
                         const struct note *end)
{
    struct follower w;
    const struct note *const notes = first + 1;
    const size_t count = (size_t)(end - notes);
    if (m->functions[section->function].unread != NULL) {
        snprintf(section->why, sizeof section->why, "the function is not read: %.200s",
                 m->functions[section->function].unread);
        return;
    }
    if (open_follower(&w, m, section)) {
        w.from = first->before;
        w.to = end->before;
        take_inputs(&w, notes, count);
        if (follow_all(&w) && has_claimed(&w, notes, count))
            make_program(&w, notes, count);
    }
    close_follower(&w);
}

static bool name_section(struct section *section, const struct note *note, struct error *error)
{
    struct lexer l;
    word_of(note, &l);
    lexer_next(&l);
    snprintf(section->name, sizeof section->name, "%.*s", (int)(l.token.size < 63 ? l.token.size : 63), l.token.at);
    const bool named = l.token.kind == TOKEN_WORD && l.token.size <= SECTION_NAME_MAX;
    lexer_next(&l);
    if (named && l.token.kind == TOKEN_END)
        return true;
    return error_set(error, ERROR_INPUT, "line %u: a section has one name: //! section NAME", note->token.line);
}

static bool add_section(struct sections *sections, const struct module *m, const struct note *first,
                        const struct note *end, struct error *error)
{
    struct section *const items = array_grow(sections->items, sections->count, &sections->room, sizeof *items);
    if (items == NULL)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    sections->items = items;
    struct section *const s = &items[sections->count];
    *s = (struct section){.function = first->function, .line = first->token.line, .end_line = end->token.line};
    if (!name_section(s, first, error))
        return false;
    sections->count++;
    make_section(m, s, first, end);
    return true;
}

static bool find_sections(struct sections *sections, const struct module *m, struct notes *notes, struct error *error)
{
    const struct note *first = NULL;
    for (size_t n = 0; n < notes->count; n++) {
        struct note *const note = &notes->items[n];
        const bool begins = is_word(note, "section"), ends = is_word(note, "end");
        place_note(m, note);
        if (begins && first != NULL)
            return error_set(error, ERROR_INPUT, "line %u: the section of line %u has no //! end", note->token.line,
                             first->token.line);
        if (begins && note->function == MODULE_NONE)
            return error_set(error, ERROR_INPUT, "line %u: a section stands in the body of a function",
                             note->token.line);
        if (ends && (first == NULL || first->function != note->function))
            return error_set(error, ERROR_INPUT, "line %u: //! end without //! section above it in its function",
                             note->token.line);
        if (ends && !add_section(sections, m, first, note, error))
            return false;
        first = begins ? note : ends ? NULL : first;
    }
    return first == NULL || error_set(error, ERROR_INPUT, "line %u: the section has no //! end", first->token.line);
}

bool sections_read(const char *text, size_t size, struct sections *sections, struct error *error)
{
    struct notes notes = {0};
    const struct module_options options = {.keep_wrong = true, .note = keep_note, .context = &notes};
    struct warp_text_error wrong;
    *sections = (struct sections){0};
    struct module *const m = module_read_piece(text, size, &options, &wrong);
    bool ok = m != NULL && !notes.no_memory && !notes.too_many;
    if (m == NULL)
        error_set(error, ERROR_INPUT, "line %zu: %s", wrong.line, wrong.what);
    else if (notes.no_memory)
        error_set(error, ERROR_SYSTEM, "out of memory");
    else if (notes.too_many)
        error_set(error, ERROR_INPUT, "a text has at most %u //! lines", NOTES_MAX);
    ok = ok && find_sections(sections, m, &notes, error);
    module_free(m);
    free(notes.items);
    return ok;
}

void sections_free(struct sections *sections)
{
    for (uint32_t n = 0; n < sections->count; n++)
        program_free(sections->items[n].program);
    free(sections->items);
    *sections = (struct sections){0};
}
