#include "program/read/builder.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct writer {
    char *buf;
    size_t size;
    size_t length;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(struct writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = w->length < w->size ? w->size - w->length : 0;
    int n = vsnprintf(room ? w->buf + w->length : NULL, room, format, arguments);
    va_end(arguments);
    w->length += n > 0 ? (size_t)n : 0;
}

static void put_operand(struct writer *w, const struct program *program, const struct program_operand *o, bool f32)
{
    put(w, "%s", o->negate ? "!" : "");
    switch (o->kind) {
    case PROGRAM_NONE:
        break;
    case PROGRAM_REGISTER:
        put(w, "%s", program->registers[o->reg].name);
        break;
    case PROGRAM_IMMEDIATE:
        if (f32)
            put(w, "0f%08" PRIx64, o->value);
        else
            put(w, o->value < 10 ? "%" PRIu64 : "0x%" PRIx64, o->value);
        break;
    case PROGRAM_SPECIAL:
        put(w, "%s", special_names[o->value]);
        break;
    case PROGRAM_SINK:
        put(w, "_");
        break;
    }
}

static void put_pair(struct writer *w, const struct program *program, const struct program_operand *pair)
{
    put(w, "{");
    put_operand(w, program, &pair[0], false);
    put(w, ", ");
    put_operand(w, program, &pair[1], false);
    put(w, "}");
}

static void put_opcode(struct writer *w, const struct program_instruction *i)
{
    put(w, "%s", program_op_get(i->op)->name);
    if (i->op == PROGRAM_MUL && i->type != PTX_F32)
        put(w, ".lo");
    if (i->op == PROGRAM_SETP)
        put(w, ".%s", compare_names[i->compare]);
    put(w, "%s.%s ", i->nan ? ".NaN" : "", ptx_type_name(i->type));
}

static void put_arithmetic(struct writer *w, const struct program *program, const struct program_instruction *i)
{
    bool f32 = i->type == PTX_F32;
    put_opcode(w, i);
    if (i->op == PROGRAM_UNPACK)
        put_pair(w, program, i->dsts);
    else
        put_operand(w, program, &i->dsts[0], false);
    put(w, ", ");
    if (i->op == PROGRAM_PACK) {
        put_pair(w, program, i->srcs);
        return;
    }
    for (unsigned n = 0; n < program_op_get(i->op)->sources; n++) {
        put(w, "%s", n > 0 ? ", " : "");
        put_operand(w, program, &i->srcs[n], f32);
    }
}

static void put_warp(struct writer *w, const struct program *program, const struct program_instruction *i)
{
    const struct warp_form_info *info = warp_form_get(i->form);
    put(w, "%s ", info->name);
    put_operand(w, program, &i->dsts[0], false);
    if (i->dsts[1].kind != PROGRAM_NONE) {
        put(w, "|");
        put_operand(w, program, &i->dsts[1], false);
    }
    for (unsigned n = 0; n < 4; n++) {
        if (i->srcs[n].kind == PROGRAM_NONE)
            continue;
        put(w, ", ");
        put_operand(w, program, &i->srcs[n], n == PROGRAM_A && info->type == WARP_F32);
    }
}

static void put_instruction(struct writer *w, const struct program *program, const struct program_instruction *i)
{
    if (i->guard.kind == PROGRAM_REGISTER) {
        put(w, "@");
        put_operand(w, program, &i->guard, false);
        put(w, " ");
    }
    if (i->op == PROGRAM_WARP)
        put_warp(w, program, i);
    else if (i->op == PROGRAM_EXIT)
        put(w, "exit");
    else
        put_arithmetic(w, program, i);
    put(w, ";");
}

size_t program_print_instruction(const struct program *program, const struct program_instruction *i, char *buf,
                                 size_t size)
{
    struct writer w = {.buf = buf, .size = size};
    put_instruction(&w, program, i);
    return w.length;
}

static void put_input(struct writer *w, const struct program_register *reg)
{
    put(w, "//! input %s %s", reg->name, ptx_type_name(reg->input.as));
    if (reg->input.uniform)
        put(w, " uniform");
    if (reg->input.has_range)
        put(w, " range %" PRId64 " %" PRId64, reg->input.low, reg->input.high);
    put(w, "\n");
}

static void put_abstract(struct writer *w, const struct program_abstract *a)
{
    const char *lo = a->op == PROGRAM_MUL && a->type != PTX_F32 ? ".lo" : "";
    put(w, "//! abstract %s%s.%s%s%s\n", program_op_get(a->op)->name, lo, ptx_type_name(a->type),
        a->commutative ? " commutative" : "", a->associative ? " associative" : "");
}

static void put_head(struct writer *w, const struct program *program)
{
    if (program->from[0] != '\0')
        put(w, "//! from %s\n", program->from);
    if (program->ptx != 0)
        put(w, ".version %d.%d\n", program->ptx / 10, program->ptx % 10);
    if (program->target != 0)
        put(w, ".target %s\n", warp_target_name(program->target));
    for (size_t r = 0; r < program->registers_count; r++)
        put(w, ".reg .%s %s;\n", ptx_type_name(program->registers[r].type), program->registers[r].name);
    for (size_t r = 0; r < program->registers_count; r++)
        if (program->registers[r].input.is_input)
            put_input(w, &program->registers[r]);
    if (program->active_reg != PROGRAM_NO_REGISTER)
        put(w, "//! active %s\n", program->registers[program->active_reg].name);
    else if (program->active != UINT32_MAX)
        put(w, "//! active 0x%08" PRIx32 "\n", program->active);
    if (program->exited != 0)
        put(w, "//! exited 0x%08" PRIx32 "\n", program->exited);
    if (program->abstract.present)
        put_abstract(w, &program->abstract);
}

size_t program_print(const struct program *program, char *buf, size_t size)
{
    struct writer w = {.buf = buf, .size = size};
    put_head(&w, program);
    for (size_t n = 0; n < program->instructions_count; n++) {
        put_instruction(&w, program, &program->instructions[n]);
        put(&w, "\n");
    }
    for (size_t n = 0; n < program->claims_count; n++)
        put(&w, "//! %s %s\n", program->claims[n].refute ? "refute" : "claim", program->claims[n].text);
    return w.length;
}
