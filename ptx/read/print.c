#include "ptx/program.h"

#include "model/text/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_operand(struct writer *w, const struct program *program, const struct module_operand *o, bool f32)
{
    writer_format(w, "%s", o->negate ? "!" : "");
    switch (o->kind) {
    case OPERAND_NONE:
        break;
    case OPERAND_REGISTER:
        writer_format(w, "%s", program->registers[o->reg].name);
        break;
    case OPERAND_IMMEDIATE:
        if (f32)
            writer_format(w, "0f%08" PRIx64, o->value);
        else
            writer_format(w, o->value < 10 ? "%" PRIu64 : "0x%" PRIx64, o->value);
        break;
    case OPERAND_SPECIAL:
        writer_format(w, "%s", ptx_special_name(o->special));
        break;
    case OPERAND_SINK:
        writer_format(w, "_");
        break;
    case OPERAND_VARIABLE:
    case OPERAND_FUNCTION:
    case OPERAND_ADDRESS: /* of no plain instruction */
        break;
    }
}

static void put_pair(struct writer *w, const struct program *program, const struct module_operand *pair)
{
    writer_format(w, "{");
    put_operand(w, program, &pair[0], false);
    writer_format(w, ", ");
    put_operand(w, program, &pair[1], false);
    writer_format(w, "}");
}

static const char *const compare_names[] = {
    [COMPARE_EQ] = "eq",   [COMPARE_NE] = "ne",   [COMPARE_LT] = "lt",   [COMPARE_LE] = "le",   [COMPARE_GT] = "gt",
    [COMPARE_GE] = "ge",   [COMPARE_EQU] = "equ", [COMPARE_NEU] = "neu", [COMPARE_LTU] = "ltu", [COMPARE_LEU] = "leu",
    [COMPARE_GTU] = "gtu", [COMPARE_GEU] = "geu", [COMPARE_NUM] = "num", [COMPARE_NAN] = "nan"};

static void put_opcode(struct writer *w, const struct module_instruction *i)
{
    writer_format(w, "%s", program_op_get(i->op)->name);
    if (i->op == OP_MUL && i->type != PTX_F32)
        writer_format(w, ".lo");
    if (i->op == OP_SETP)
        writer_format(w, ".%s", compare_names[i->compare]);
    writer_format(w, "%s.%s ", i->nan ? ".NaN" : "", ptx_type_name(i->type));
}

static void put_arithmetic(struct writer *w, const struct program *program, const struct module_instruction *i)
{
    bool f32 = i->type == PTX_F32;
    put_opcode(w, i);
    if (i->op == OP_UNPACK)
        put_pair(w, program, i->dsts);
    else
        put_operand(w, program, &i->dsts[0], false);
    writer_format(w, ", ");
    if (i->op == OP_PACK) {
        put_pair(w, program, i->srcs);
        return;
    }
    for (unsigned n = 0; n < program_op_get(i->op)->sources; n++) {
        writer_format(w, "%s", n > 0 ? ", " : "");
        put_operand(w, program, &i->srcs[n], f32);
    }
}

static void put_warp(struct writer *w, const struct program *program, const struct module_instruction *i)
{
    const struct warp_form_info *info = warp_form_get(i->form);
    writer_format(w, "%s ", info->name);
    const char *between = "";
    if (i->dst != WARP_DST_NONE) {
        put_operand(w, program, &i->dsts[0], false);
        between = ", ";
    }
    if (program_destination(i, 1)->kind != OPERAND_NONE) {
        writer_format(w, "|");
        put_operand(w, program, &i->dsts[1], false);
    }
    for (unsigned n = 0; n < i->srcs_count; n++) {
        if (i->srcs[n].kind == OPERAND_NONE)
            continue;
        writer_format(w, "%s", between);
        between = ", ";
        put_operand(w, program, &i->srcs[n], n == OPERAND_A && info->type == WARP_F32);
    }
}

static void put_instruction(struct writer *w, const struct program *program, const struct module_instruction *i)
{
    if (i->guard != MODULE_NONE)
        writer_format(w, "@%s%s ", i->guard_negate ? "!" : "", program->registers[i->guard].name);
    if (i->op == OP_WARP)
        put_warp(w, program, i);
    else if (i->op == OP_EXIT)
        writer_format(w, "exit");
    else
        put_arithmetic(w, program, i);
    writer_format(w, ";");
}

/* As it stands in the text, to its semicolon. */
static void put_source(struct writer *w, const struct program *program, const struct module_instruction *i)
{
    const char *at = program->text, *end = at + program->text_size;
    for (uint32_t line = 1; line < i->line && at < end; line++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    at += i->column - 1 < (size_t)(end - at) ? i->column - 1 : (size_t)(end - at);
    const char *stop = memchr(at, ';', (size_t)(end - at));
    if (i->guard != MODULE_NONE)
        writer_format(w, "@%s%s ", i->guard_negate ? "!" : "", program->registers[i->guard].name);
    for (; at < (stop ? stop : end); at++)
        writer_format(w, "%c", *at < ' ' || *at > '~' ? ' ' : *at);
    writer_format(w, ";");
}

size_t program_print_instruction(const struct program *program, const struct module_instruction *i, char *buf,
                                 size_t size)
{
    struct writer w = {.buf = buf, .size = size};
    if (program->is_plain)
        put_instruction(&w, program, i);
    else
        put_source(&w, program, i);
    return w.length;
}

static void put_input(struct writer *w, const struct program_register *reg)
{
    writer_format(w, "//! input %s %s", reg->name, ptx_type_name(reg->input.as));
    if (reg->input.uniform)
        writer_format(w, " uniform");
    if (reg->input.has_range)
        writer_format(w, " range %" PRId64 " %" PRId64, reg->input.low, reg->input.high);
    writer_format(w, "\n");
}

static void put_abstract(struct writer *w, const struct program_abstract *a)
{
    const char *lo = a->op == OP_MUL && a->type != PTX_F32 ? ".lo" : "";
    writer_format(w, "//! abstract %s%s.%s%s%s\n", program_op_get(a->op)->name, lo, ptx_type_name(a->type),
                  a->commutative ? " commutative" : "", a->associative ? " associative" : "");
}

static void put_head(struct writer *w, const struct program *program)
{
    if (program->from[0] != '\0')
        writer_format(w, "//! from %s\n", program->from);
    if (program->ptx != 0)
        writer_format(w, ".version %d.%d\n", program->ptx / 10, program->ptx % 10);
    if (program->target != 0)
        writer_format(w, ".target %s\n", warp_target_name(program->target));
    for (size_t r = 0; r < program->registers_count; r++)
        writer_format(w, ".reg .%s %s;\n", ptx_type_name(program->registers[r].type), program->registers[r].name);
    for (size_t r = 0; r < program->registers_count; r++)
        if (program->registers[r].input.is_input)
            put_input(w, &program->registers[r]);
    if (program->active_reg != MODULE_NONE)
        writer_format(w, "//! active %s\n", program->registers[program->active_reg].name);
    else if (program->active != UINT32_MAX)
        writer_format(w, "//! active 0x%08" PRIx32 "\n", program->active);
    if (program->exited != 0)
        writer_format(w, "//! exited 0x%08" PRIx32 "\n", program->exited);
    if (program->abstract.present)
        put_abstract(w, &program->abstract);
}

size_t program_print(const struct program *program, char *buf, size_t size)
{
    struct writer w = {.buf = buf, .size = size};
    if (!program->is_plain) {
        writer_format(&w, "%s", program->text);
        return w.length;
    }
    put_head(&w, program);
    for (size_t n = 0; n < program->instructions_count; n++) {
        put_instruction(&w, program, &program->instructions[n]);
        writer_format(&w, "\n");
    }
    for (size_t n = 0; n < program->claims_count; n++)
        writer_format(&w, "//! %s %s\n", program->claims[n].refute ? "refute" : "claim", program->claims[n].text);
    return w.length;
}
