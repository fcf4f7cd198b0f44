#include "kernel/contents.h"

#include <stdlib.h>

/* ---- what is expected ---- */

static const enum kernel_pattern of_bounds[] = {KERNEL_OFFSETS, KERNEL_RISING,  KERNEL_OFFSETS,
                                                KERNEL_ZEROS,   KERNEL_OFFSETS, KERNEL_ONES};
static const enum kernel_pattern of_layout[] = {KERNEL_ONES, KERNEL_ZEROS};
static const enum kernel_pattern of_counter[] = {KERNEL_ONES, KERNEL_FLAGS, KERNEL_SMALL};

bool kernel_role_allows(enum kernel_role role, enum kernel_pattern pattern)
{
    bool same = pattern == KERNEL_ZEROS || pattern == KERNEL_ONES;
    switch (role) {
    case ROLE_DATA:
        return true;
    case ROLE_BOUNDS:
        return same || pattern == KERNEL_RISING || pattern == KERNEL_OFFSETS;
    case ROLE_LAYOUT:
        return same;
    case ROLE_COUNTER:
        return same || pattern == KERNEL_FLAGS || pattern == KERNEL_SMALL;
    case ROLE_STATE:
        return false;
    }
    return true;
}

enum kernel_pattern kernel_role_pattern(enum kernel_role role, uint64_t n)
{
    if (role == ROLE_COUNTER)
        return of_counter[n % (sizeof of_counter / sizeof of_counter[0])];
    return role == ROLE_BOUNDS ? of_bounds[n % (sizeof of_bounds / sizeof of_bounds[0])]
                               : of_layout[n % (sizeof of_layout / sizeof of_layout[0])];
}

const char *kernel_role_text(enum kernel_role role)
{
    switch (role) {
    case ROLE_DATA:
        break;
    case ROLE_BOUNDS:
        return "bounds: expected to rise";
    case ROLE_LAYOUT:
        return "a size that shapes shared memory: which ones are right is not known";
    case ROLE_COUNTER:
        return "a counter of atomic operations";
    case ROLE_STATE:
        return "what the code itself keeps: its initial value is expected";
    }
    return "data";
}

bool kernel_variable_is_expected(const struct kernel_slots *slots, const struct kernel_input *in, uint32_t n)
{
    return !in->variables[n] ||
           kernel_role_allows(slots->variables[n].role, (enum kernel_pattern)(in->variables[n] - 1));
}

bool kernel_contents_are_expected(const struct kernel_slots *slots, const struct kernel_input *in, uint64_t stated)
{
    for (uint32_t n = 0; n < slots->count; n++) {
        const struct kernel_slot *s = &slots->slots[n];
        if (s->is_pointer && !(stated >> n & 1u) && !kernel_role_allows(s->role, kernel_contents(in, s->buffer)))
            return false;
    }
    return true;
}

/* ---- what the code does with the words of a buffer ---- */

#define LOADS_MAX 64u

/* A register's or variable's value, as far as this matters. Everything only grows, until nothing changes. */
struct value {
    uint64_t words;  /* bit set of the loads that it is computed from */
    uint32_t base;   /* the slot or variable to whose memory it points; MODULE_NONE: unknown */
    bool varies;     /* may differ from thread to thread */
    bool exchanged;  /* came through shared memory or a warp instruction: maybe another thread's word */
    bool to_address; /* an address is computed from it, */
    bool to_shared;  /* and that in shared memory */
};

struct analysis {
    const struct code *code;
    const struct kernel_slots *slots;
    const struct module_function *f;
    struct value *values; /* of the registers, then of the module's variables */
    struct load {
        uint32_t instruction, part, slot;
    } loads[LOADS_MAX]; /* of words of buffers */
    uint32_t loads_count;
    bool changed;
};

#define VARIABLE_BASE KERNEL_SLOTS_MAX /* bases from here on are variables */

static struct value *value_of(struct analysis *a, const struct module_operand *o)
{
    return o->kind == OPERAND_REGISTER ? &a->values[o->reg] : NULL;
}

static void merge(struct analysis *a, struct value *to, uint64_t words, bool varies, bool exchanged)
{
    a->changed |= (words & ~to->words) != 0 || (varies && !to->varies) || (exchanged && !to->exchanged);
    to->words |= words;
    to->varies |= varies;
    to->exchanged |= exchanged;
}

static void mark(struct analysis *a, struct value *to, bool to_address, bool to_shared)
{
    a->changed |= (to_address && !to->to_address) || (to_shared && !to->to_shared);
    to->to_address |= to_address;
    to->to_shared |= to_shared;
}

static void set_base(struct analysis *a, struct value *to, uint32_t base)
{
    if (base == MODULE_NONE || to->base != MODULE_NONE)
        return;
    to->base = base;
    a->changed = true;
}

/* To whose memory an address points. */
static uint32_t base_of(struct analysis *a, const struct module_operand *o)
{
    if (o->kind == OPERAND_REGISTER || (o->kind == OPERAND_ADDRESS && o->reg != MODULE_NONE))
        return a->values[o->reg].base;
    bool named = o->kind == OPERAND_VARIABLE || (o->kind == OPERAND_ADDRESS && o->variable != MODULE_NONE);
    return named ? VARIABLE_BASE + o->variable : MODULE_NONE;
}

static struct value *variable_of(struct analysis *a, uint32_t base)
{
    return base == MODULE_NONE || base < VARIABLE_BASE ? NULL
                                                       : &a->values[a->f->registers_count + base - VARIABLE_BASE];
}

static bool differs_by_thread(enum ptx_special special)
{
    return special == SPECIAL_TID || special == SPECIAL_LANEID || special == SPECIAL_WARPID ||
           special == SPECIAL_LANEMASK_EQ || special == SPECIAL_LANEMASK_LT || special == SPECIAL_LANEMASK_LE ||
           special == SPECIAL_LANEMASK_GT || special == SPECIAL_LANEMASK_GE;
}

/* The number of this load of a buffer's word, which is new the first time; LOADS_MAX: there are too many. */
static uint32_t number_load(struct analysis *a, uint32_t instruction, uint32_t part, uint32_t slot)
{
    for (uint32_t n = 0; n < a->loads_count; n++)
        if (a->loads[n].instruction == instruction && a->loads[n].part == part)
            return n;
    if (a->loads_count == LOADS_MAX)
        return LOADS_MAX;
    a->loads[a->loads_count] = (struct load){instruction, part, slot};
    return a->loads_count++;
}

static void see_load(struct analysis *a, uint32_t at, const struct module_instruction *i)
{
    const struct module_operand *from = &i->srcs[0];
    bool by_register = from->kind == OPERAND_ADDRESS && from->reg != MODULE_NONE;
    uint32_t base = base_of(a, from);
    struct value *variable = variable_of(a, base);
    for (uint32_t n = 0; n < i->dsts_count; n++) {
        struct value *to = value_of(a, &i->dsts[n]);
        if (!to)
            continue;
        if (i->space == SPACE_PARAM) {
            set_base(a, to, kernel_slot_of_load(a->slots, a->code, i, n));
            continue;
        }
        merge(a, to, variable ? variable->words : 0, by_register && a->values[from->reg].varies, variable != NULL);
        if (variable)
            mark(a, variable, to->to_address, to->to_shared);
        if (base != MODULE_NONE && base < VARIABLE_BASE && !ptx_type_is_float(i->type)) {
            uint32_t number = number_load(a, at, n, base);
            merge(a, to, number < LOADS_MAX ? UINT64_C(1) << number : 0, false, false);
        }
    }
}

static void see_store(struct analysis *a, const struct module_instruction *i)
{
    struct value *variable = variable_of(a, base_of(a, &i->srcs[0]));
    for (uint32_t n = 1; variable && n < i->srcs_count; n++) {
        struct value *from = value_of(a, &i->srcs[n]);
        if (!from)
            continue;
        merge(a, variable, from->words, false, true);
        mark(a, from, variable->to_address, variable->to_shared);
    }
}

static void see_address(struct analysis *a, const struct module_instruction *i)
{
    const struct module_operand *o = &i->srcs[0];
    if (o->kind == OPERAND_ADDRESS && o->reg != MODULE_NONE && i->space != SPACE_PARAM)
        mark(a, &a->values[o->reg], true, i->space == SPACE_SHARED);
}

/* Which comes first, how far apart: that two words are equal or not says nothing of their order. */
static bool puts_in_order(const struct module_instruction *i)
{
    return !ptx_type_is_float(i->type) &&
           (i->op == OP_SUB || (i->op == OP_SETP && i->compare != COMPARE_EQ && i->compare != COMPARE_NE));
}

/* Arithmetic, also what warp instructions hand on: the result has what its sources have. */
static void see_computed(struct analysis *a, const struct module_instruction *i)
{
    const bool decides = i->op == OP_SETP || i->op == OP_SET; /* the result is none of the words; it may choose */
    for (uint32_t d = 0; d < i->dsts_count; d++) {
        struct value *to = value_of(a, &i->dsts[d]);
        for (uint32_t n = 0; to && n < i->srcs_count; n++) {
            const struct module_operand *o = &i->srcs[n];
            struct value *from = value_of(a, o);
            bool varies = (o->kind == OPERAND_SPECIAL && differs_by_thread(o->special)) || (from && from->varies);
            merge(a, to, from && !decides && !ptx_type_is_float(i->type) ? from->words : 0, varies || i->op == OP_WARP,
                  (from && from->exchanged) || i->op == OP_WARP);
            if (i->op == OP_MOV || i->op == OP_CVTA || i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MAD ||
                i->op == OP_SELP)
                set_base(a, to, base_of(a, o));
            if (from && (!decides || puts_in_order(i)))
                mark(a, from, to->to_address, to->to_shared);
        }
    }
}

static void see(struct analysis *a, uint32_t at)
{
    const struct module_instruction *i = &a->f->instructions[at];
    if (i->op == OP_LD || i->op == OP_LDU) {
        see_address(a, i);
        see_load(a, at, i);
    } else if (i->op == OP_ST) {
        see_address(a, i);
        see_store(a, i);
    } else if (i->op == OP_ATOM || i->op == OP_RED) {
        see_address(a, i);
        for (uint32_t n = 0; n < i->dsts_count; n++)
            if (value_of(a, &i->dsts[n]))
                merge(a, value_of(a, &i->dsts[n]), 0, true, false);
    } else if (i->op != OP_CALL) {
        see_computed(a, i);
    }
}

/* Two different words of one buffer that become addresses, or choose one. */
static void see_pair(struct analysis *a, uint32_t first, uint32_t second, bool exchanged, struct kernel_slots *slots)
{
    const struct load *x = &a->loads[first], *y = &a->loads[second];
    if ((first == second && !exchanged) || x->slot != y->slot)
        return;
    for (unsigned k = 0; k < 2; k++) {
        const struct load *l = k == 0 ? x : y;
        const struct value *v = value_of(a, &a->f->instructions[l->instruction].dsts[l->part]);
        if (v && v->to_address)
            slots->slots[x->slot].role = ROLE_BOUNDS;
    }
}

static void find_bounds(struct analysis *a, const struct module_instruction *i, struct kernel_slots *slots)
{
    if (!puts_in_order(i) || !value_of(a, &i->srcs[0]) || !value_of(a, &i->srcs[1]))
        return;
    const struct value *one = value_of(a, &i->srcs[0]), *other = value_of(a, &i->srcs[1]);
    bool exchanged = one->exchanged || other->exchanged;
    for (uint64_t m = one->words == other->words && !exchanged ? 0 : one->words; m != 0; m &= m - 1)
        for (uint64_t k = other->words; k != 0; k &= k - 1)
            see_pair(a, (uint32_t)__builtin_ctzll(m), (uint32_t)__builtin_ctzll(k), exchanged, slots);
}

static void find_layout(struct analysis *a, const struct load *l, struct kernel_slots *slots)
{
    const struct module_instruction *i = &a->f->instructions[l->instruction];
    const struct value *v = value_of(a, &i->dsts[l->part]), *address = &a->values[i->srcs[0].reg];
    if (v && v->to_shared && !address->varies && slots->slots[l->slot].role == ROLE_DATA)
        slots->slots[l->slot].role = ROLE_LAYOUT;
}

/* What the code does with a variable. One whose address goes into another function is taken for state. */
static enum kernel_role role_of_variable(struct analysis *a, uint32_t variable)
{
    enum kernel_role role = code_starts_as_zeros(&a->code->module->variables[variable]) ? ROLE_DATA : ROLE_STATE;
    for (uint32_t n = 0; n < a->code->count && role != ROLE_COUNTER; n++) {
        const struct module_instruction *i = a->code->instructions[n].i;
        const bool own = &a->code->module->functions[a->code->instructions[n].function] == a->f;
        for (uint32_t k = 0; k < i->srcs_count; k++) {
            const struct module_operand *o = &i->srcs[k];
            const bool names = (o->kind == OPERAND_VARIABLE || o->kind == OPERAND_ADDRESS) && o->variable == variable;
            if (own ? base_of(a, o) != VARIABLE_BASE + variable : !names)
                continue;
            if (i->op == OP_ATOM || i->op == OP_RED)
                role = ROLE_COUNTER;
            else if (i->op == OP_ST || (!own && i->op != OP_LD))
                role = ROLE_STATE;
        }
    }
    return role;
}

static void find_variables(struct analysis *a, struct kernel_slots *slots)
{
    const struct code *code = a->code;
    slots->variables_count = code->varied_count;
    for (uint32_t n = 0; n < code->varied_count; n++)
        slots->variables[n] = (struct kernel_variable){code->module->variables[code->varied[n]].name,
                                                       role_of_variable(a, code->varied[n])};
}

void kernel_find_roles(const struct code *code, struct kernel_slots *slots)
{
    struct analysis a = {.code = code, .slots = slots, .f = code->entry, .changed = true};
    const size_t count = (size_t)a.f->registers_count + code->module->variables_count;
    a.values = calloc(count + 1, sizeof *a.values);
    slots->no_memory |= a.values == NULL;
    for (size_t n = 0; a.values && n < count; n++)
        a.values[n].base = MODULE_NONE;
    while (a.values && a.changed) {
        a.changed = false;
        for (uint32_t n = 0; n < a.f->instructions_count; n++)
            see(&a, n);
        for (uint32_t n = a.f->instructions_count; n-- > 0;)
            see(&a, n);
    }
    for (uint32_t n = 0; a.values && n < a.f->instructions_count; n++)
        find_bounds(&a, &a.f->instructions[n], slots);
    for (uint32_t n = 0; n < a.loads_count; n++)
        find_layout(&a, &a.loads[n], slots);
    if (a.values)
        find_variables(&a, slots);
    free(a.values);
}
