#include "kernel/extent.h"

#include "kernel/kernel.h"

#include <stdlib.h>

/* What a register holds. The number of a thread is (tid.z * ntid.y + tid.y) * ntid.x + tid.x. */
enum value {
    VALUE_OTHER,
    VALUE_TID_Y,
    VALUE_TID_Z,
    VALUE_NTID_X,
    VALUE_NTID_Y,
    VALUE_NTID_Z,
    VALUE_ROWS_BEFORE, /* tid.z * ntid.y */
    VALUE_ROW          /* tid.z * ntid.y + tid.y */
};

struct reading {
    const struct module_function *f;
    enum value *values;
    uint8_t *writers; /* of each register: 0, 1, 2: more */
};

static enum value of_special(const struct module_operand *o)
{
    static const enum value sizes[] = {VALUE_NTID_X, VALUE_NTID_Y, VALUE_NTID_Z};
    if (o->special == SPECIAL_NTID && o->component < 3)
        return sizes[o->component];
    if (o->special == SPECIAL_TID && o->component > 0)
        return o->component == 1 ? VALUE_TID_Y : VALUE_TID_Z;
    return VALUE_OTHER;
}

static enum value of_operand(const struct reading *r, const struct module_operand *o)
{
    if (o->kind == OPERAND_SPECIAL)
        return of_special(o);
    return o->kind == OPERAND_REGISTER && r->writers[o->reg] == 1 ? r->values[o->reg] : VALUE_OTHER;
}

static bool are(enum value a, enum value b, enum value one, enum value other)
{
    return (a == one && b == other) || (a == other && b == one);
}

static bool is_size(enum value v)
{
    return v == VALUE_NTID_X || v == VALUE_NTID_Y || v == VALUE_NTID_Z;
}

/* A product that belongs to the number of a thread or of all threads; false: it is none of these. */
static bool product(enum value a, enum value b, enum value *result)
{
    *result = are(a, b, VALUE_TID_Z, VALUE_NTID_Y) ? VALUE_ROWS_BEFORE : VALUE_OTHER;
    return *result != VALUE_OTHER || are(a, b, VALUE_ROW, VALUE_NTID_X) || (is_size(a) && is_size(b)) ||
           (a == VALUE_OTHER && is_size(b)) || (b == VALUE_OTHER && is_size(a));
}

static bool sum(enum value a, enum value b, enum value *result)
{
    *result = are(a, b, VALUE_ROWS_BEFORE, VALUE_TID_Y) ? VALUE_ROW : VALUE_OTHER;
    return *result != VALUE_OTHER;
}

static bool tells_apart(enum value v)
{
    return v != VALUE_OTHER && v != VALUE_NTID_X;
}

static void note(struct kernel_extent *extent, enum value v)
{
    extent->rows |= v == VALUE_TID_Y || v == VALUE_NTID_Y || v == VALUE_ROW;
    extent->planes |= v == VALUE_TID_Z || v == VALUE_NTID_Z || v == VALUE_ROWS_BEFORE || v == VALUE_ROW;
}

/* The value that the instruction computes. `extent`, unless NULL, takes what it says of the block. */
static enum value see(const struct reading *r, const struct module_instruction *i, struct kernel_extent *extent)
{
    enum value v[3] = {VALUE_OTHER, VALUE_OTHER, VALUE_OTHER}, result = VALUE_OTHER, between;
    bool known = false;
    for (uint32_t n = 0; n < i->srcs_count && n < 3; n++)
        v[n] = of_operand(r, &i->srcs[n]);
    if (i->op == OP_MOV || i->op == OP_CVT) {
        result = v[0];
        known = i->dsts_count == 1 && i->dsts[0].kind == OPERAND_REGISTER && r->writers[i->dsts[0].reg] == 1;
    } else if (i->op == OP_MUL) {
        known = product(v[0], v[1], &result);
    } else if (i->op == OP_ADD) {
        known = sum(v[0], v[1], &result);
    } else if (i->op == OP_MAD && product(v[0], v[1], &between)) {
        known = !tells_apart(between) ? !tells_apart(v[2]) : sum(between, v[2], &result);
    } else if (i->op == OP_ST) { /* code for a debugger keeps all of %tid as one variable */
        known = true;
    }
    for (uint32_t n = 0; extent && !known && n < i->srcs_count; n++)
        note(extent, of_operand(r, &i->srcs[n]));
    return result;
}

static void see_line(const struct reading *r, const struct module_instruction *i, struct kernel_extent *extent)
{
    for (unsigned n = 0; i->op == OP_SETP && n < 2; n++) {
        const struct module_operand *o = &i->srcs[n ^ 1u];
        if (of_operand(r, &i->srcs[n]) == VALUE_NTID_X && o->kind == OPERAND_IMMEDIATE && o->value != 0 &&
            o->value % WARP_LANES == 0 && o->value <= KERNEL_THREADS_MAX && extent->lines_count < EXTENT_LINES)
            extent->lines[extent->lines_count++] = (uint32_t)o->value;
    }
}

static void see_function(struct reading *r, const uint8_t *visited, struct kernel_extent *extent)
{
    for (uint32_t n = 0; n < r->f->instructions_count; n++) {
        const struct module_instruction *i = &r->f->instructions[n];
        for (uint32_t d = 0; d < i->dsts_count; d++)
            if (i->dsts[d].kind == OPERAND_REGISTER && r->writers[i->dsts[d].reg] < 2)
                r->writers[i->dsts[d].reg]++;
    }
    for (uint32_t n = 0; n < r->f->instructions_count; n++) { /* compilers write a register before they read it */
        const struct module_instruction *i = &r->f->instructions[n];
        if (i->dsts_count == 1 && i->dsts[0].kind == OPERAND_REGISTER)
            r->values[i->dsts[0].reg] = see(r, i, NULL);
    }
    for (uint32_t n = 0; n < r->f->instructions_count; n++) {
        if (!visited || visited[n])
            see(r, &r->f->instructions[n], extent);
        see_line(r, &r->f->instructions[n], extent);
    }
}

struct kernel_extent kernel_extent_of(const struct code *code, const uint8_t *visited)
{
    struct kernel_extent extent = {0};
    for (uint32_t n = 0; n < code->functions_count; n++) {
        struct reading r = {.f = &code->module->functions[code->functions[n].function]};
        r.values = calloc(r.f->registers_count + 1u, sizeof *r.values);
        r.writers = calloc(r.f->registers_count + 1u, sizeof *r.writers);
        extent.no_memory |= !r.values || !r.writers;
        if (r.values && r.writers)
            see_function(&r, visited ? visited + code->functions[n].first : NULL, &extent);
        free(r.values);
        free(r.writers);
    }
    return extent;
}
