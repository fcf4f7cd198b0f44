/*
 * The reducer of programs works on their canonical text and reads every candidate again, so that whatever it keeps is a
 * program that a person can be given.
 */
#include "kernel/differ.h"

#include <stdlib.h>
#include <string.h>

#define ROOM (1u << 18) /* bytes of text; a longer program is not reduced */

/* What is counted, the weightiest first. Every accepted step makes it less, so that the reduction ends. */
enum cost_part { COST_INSTRUCTIONS, COST_REGISTERS, COST_OPERANDS, COST_INPUTS, COST_TEXT, COST_PARTS };
struct cost {
    size_t part[COST_PARTS];
};

struct reducer {
    struct program *best;
    struct cost cost;
    char text[ROOM];      /* of best */
    char candidate[ROOM]; /* of what is tried */
    program_test test;
    void *context;
    struct reduction *limits;
};

/* The cost of an immediate: values that a person reads without counting bits are cheap, others cost more, a
 * register the most. */
static const uint64_t plain[] = {0, 1, 0x1f, UINT32_MAX};
#define PLAIN         (sizeof plain / sizeof plain[0])
#define COST_REGISTER (PLAIN + 1)

/* c of shfl has fields: the last of them would say less than what is there. */
static size_t plain_count(const struct module_instruction *i, size_t s)
{
    return PLAIN - (i->op == OP_WARP && s == OPERAND_C);
}

static size_t operand_cost(const struct module_operand *o)
{
    size_t rank = 0;
    if (o->kind == OPERAND_NONE || o->kind == OPERAND_SINK)
        return 0;
    if (o->kind != OPERAND_IMMEDIATE)
        return COST_REGISTER + o->negate;
    while (rank < PLAIN && plain[rank] != o->value)
        rank++;
    return rank;
}

static size_t input_cost(const struct program_input *input)
{
    return input->is_input ? 2u - input->uniform + input->has_range : 0;
}

static void cost_of(const struct program *p, size_t text, struct cost *cost)
{
    *cost = (struct cost){{p->instructions_count, p->registers_count, 0, 0, text}};
    for (size_t n = 0; n < p->instructions_count; n++) {
        const struct module_instruction *i = &p->instructions[n];
        cost->part[COST_OPERANDS] += i->guard != MODULE_NONE ? 2 * COST_REGISTER : 0;
        for (size_t s = 0; s < i->srcs_count; s++)
            cost->part[COST_OPERANDS] += operand_cost(&i->srcs[s]);
    }
    for (size_t r = 0; r < p->registers_count; r++)
        cost->part[COST_INPUTS] += input_cost(&p->registers[r].input);
}

static bool cost_less(const struct cost *x, const struct cost *y)
{
    for (size_t i = 0; i < COST_PARTS; i++)
        if (x->part[i] != y->part[i])
            return x->part[i] < y->part[i];
    return false;
}

/* The program that a text reads as and prints as again (in `candidate`), or NULL. */
static struct program *read_candidate(struct reducer *r, size_t size, size_t *length)
{
    const struct program_options options = {.implicit_inputs = true};
    struct warp_text_error error;
    struct program *first = program_parse(r->candidate, size, &options, &error), *again;
    *length = first != NULL ? program_print(first, r->candidate, ROOM) : ROOM;
    program_free(first);
    if (*length >= ROOM)
        return NULL;
    again = program_parse(r->candidate, *length, NULL, &error); /* with the lines that it has now */
    return again;
}

/* Takes the program in the first `size` characters of `candidate` when it is simpler and still shows the
 * difference. */
static bool propose(struct reducer *r, size_t size)
{
    struct cost cost;
    size_t length;
    struct program *p;
    if (!reduction_goes_on(r->limits) || size >= ROOM || (p = read_candidate(r, size, &length)) == NULL)
        return false;
    cost_of(p, length, &cost);
    if (r->best != NULL && !cost_less(&cost, &r->cost)) {
        program_free(p);
        return false;
    }
    r->limits->tried++;
    if (!r->test(r->context, p)) {
        program_free(p);
        return false;
    }
    r->limits->kept++;
    program_free(r->best);
    r->best = p;
    r->cost = cost;
    memcpy(r->text, r->candidate, length + 1);
    return true;
}

/* Writes the best text without `count` lines from `from` on. False when there are no such lines. */
static bool without_lines(struct reducer *r, size_t from, size_t count, size_t *size)
{
    const char *at = r->text;
    size_t line = 0;
    *size = 0;
    while (*at != '\0') {
        const size_t length = strcspn(at, "\n") + 1;
        if (line < from || line >= from + count) {
            memcpy(r->candidate + *size, at, length);
            *size += length;
        }
        at += length;
        line++;
    }
    return from < line;
}

static void drop_lines(struct reducer *r)
{
    size_t lines = 0, size;
    for (const char *at = r->text; *at != '\0'; at++)
        lines += *at == '\n';
    for (size_t count = lines / 2 > 0 ? lines / 2 : 1; count > 0; count /= 2)
        for (size_t from = lines; from-- > 0;)
            if ((count == 1 || from % count == 0) && without_lines(r, from, count, &size))
                propose(r, size);
}

/* Tries the best program as the caller changed it in place. When this fails, the caller undoes the change. */
static bool propose_changed(struct reducer *r)
{
    return propose(r, program_print(r->best, r->candidate, ROOM));
}

static void simplify_operand(struct reducer *r, size_t n, size_t s)
{
    const size_t count = plain_count(&r->best->instructions[n], s);
    for (size_t i = 0; i < count; i++) {
        /* The module's own, which nobody else reads meanwhile. */
        struct module_operand *o = (struct module_operand *)(uintptr_t)&r->best->instructions[n].srcs[s];
        const struct module_operand before = *o;
        if (operand_cost(o) <= i)
            return;
        *o = (struct module_operand){.kind = OPERAND_IMMEDIATE, .reg = MODULE_NONE, .value = plain[i]};
        if (propose_changed(r))
            return;
        *o = before;
    }
}

static void simplify_operands(struct reducer *r)
{
    for (size_t n = 0; n < r->best->instructions_count && r->best->is_plain; n++) {
        const uint32_t guard = r->best->instructions[n].guard;
        r->best->instructions[n].guard = MODULE_NONE;
        if (guard == MODULE_NONE || !propose_changed(r))
            r->best->instructions[n].guard = guard;
        /* The membermask first: with all lanes in one group more of the rest is plain. */
        for (size_t s = r->best->instructions[n].srcs_count; s-- > 0;)
            simplify_operand(r, n, s);
    }
}

/* Makes an input plain: without its range, the same in all lanes. Its first value stays the number of the lane,
 * which tells lanes apart. */
static void simplify_input(struct reducer *r, size_t reg)
{
    for (unsigned choice = 0; choice < 2; choice++) {
        const struct program_input before = r->best->registers[reg].input;
        if (choice == 0)
            r->best->registers[reg].input.has_range = false;
        else
            r->best->registers[reg].input.uniform = true;
        if (!before.is_input || !propose_changed(r))
            r->best->registers[reg].input = before;
    }
}

static void run(struct reducer *r)
{
    uint64_t kept;
    do {
        kept = r->limits->kept;
        drop_lines(r);
        simplify_operands(r);
        for (size_t reg = 0; reg < r->best->registers_count && r->best->is_plain; reg++)
            simplify_input(r, reg);
    } while (r->limits->kept != kept && reduction_goes_on(r->limits));
}

struct program *program_reduce(const struct program *program, program_test test, void *context,
                               struct reduction *limits)
{
    struct reducer *r = calloc(1, sizeof *r);
    struct program *best = NULL;
    if (r == NULL)
        return NULL;
    r->test = test;
    r->context = context;
    r->limits = limits;
    if (propose(r, program_print(program, r->candidate, ROOM)))
        run(r);
    best = r->best;
    free(r);
    return best;
}
