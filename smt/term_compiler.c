#include "smt/term_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operation on the values of earlier nodes; `low` is the lowest bit of an extract, the lower part's width of a
 * concat. */
struct node {
    enum code_op {
        CODE_INPUT,
        CODE_LITERAL,
        CODE_EQ,
        CODE_ITE,
        CODE_AND, /* of Bools and of words */
        CODE_OR,
        CODE_XOR,
        CODE_NOT, /* within the width */
        CODE_IMPLIES,
        CODE_ADD,
        CODE_SUB,
        CODE_NEG,
        CODE_SHL,
        CODE_SHR,
        CODE_ULE,
        CODE_ULT,
        CODE_SLE,
        CODE_SLT,
        CODE_EXTRACT,
        CODE_CONCAT,
        CODE_SAME, /* the argument's value: zeros in front, or an f32 that is its bits */
        CODE_IS_NAN,
        CODE_FLOAT_LT,
        CODE_FLOAT_EQ,
        CODE_UNKNOWN
    } op;
    uint8_t width; /* of the arguments for comparisons, else of the value */
    uint8_t low;
    uint32_t x, y, z;
    uint64_t literal; /* or the number of the input */
};

struct term_code {
    struct node *nodes;
    uint64_t *values;
    size_t count, room;
    uint32_t *results;
    size_t results_count;
};

struct maker {
    struct smt *s;
    struct term_code *f;
    const term *inputs;
    size_t inputs_count;
    struct term_map place;
    struct term_list stack;
    const char *problem;
};

static uint64_t ones(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* The place of a term plus 1; 0: the term was not met yet. */
static uint32_t *place_of(struct maker *m, term x)
{
    return term_map_at(m->s, &m->place, x);
}

static uint32_t add_node(struct term_code *f, struct node node)
{
    f->nodes = smt_room(f->nodes, f->count, &f->room, sizeof *f->nodes);
    f->nodes[f->count++] = node;
    return (uint32_t)f->count; /* plus 1, as in place */
}

static enum code_op op_of(Z3_decl_kind kind)
{
    static const struct {
        Z3_decl_kind kind;
        enum code_op op;
    } table[] = {
        {Z3_OP_EQ, CODE_EQ},
        {Z3_OP_IFF, CODE_EQ},
        {Z3_OP_ITE, CODE_ITE},
        {Z3_OP_AND, CODE_AND},
        {Z3_OP_BAND, CODE_AND},
        {Z3_OP_OR, CODE_OR},
        {Z3_OP_BOR, CODE_OR},
        {Z3_OP_BXOR, CODE_XOR},
        {Z3_OP_NOT, CODE_NOT},
        {Z3_OP_BNOT, CODE_NOT},
        {Z3_OP_IMPLIES, CODE_IMPLIES},
        {Z3_OP_BADD, CODE_ADD},
        {Z3_OP_BSUB, CODE_SUB},
        {Z3_OP_BNEG, CODE_NEG},
        {Z3_OP_BSHL, CODE_SHL},
        {Z3_OP_BLSHR, CODE_SHR},
        {Z3_OP_ULEQ, CODE_ULE},
        {Z3_OP_ULT, CODE_ULT},
        {Z3_OP_SLEQ, CODE_SLE},
        {Z3_OP_SLT, CODE_SLT},
        {Z3_OP_EXTRACT, CODE_EXTRACT},
        {Z3_OP_CONCAT, CODE_CONCAT},
        {Z3_OP_ZERO_EXT, CODE_SAME},
        {Z3_OP_FPA_TO_FP, CODE_SAME},
        {Z3_OP_FPA_IS_NAN, CODE_IS_NAN},
        {Z3_OP_FPA_LT, CODE_FLOAT_LT},
        {Z3_OP_FPA_EQ, CODE_FLOAT_EQ},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].kind == kind)
            return table[i].op;
    return CODE_UNKNOWN;
}

static unsigned width_of(struct maker *m, term x)
{
    unsigned width = term_width(m->s, x);
    return width > 0 ? width : 1;
}

/* A term without arguments. */
static uint32_t add_leaf(struct maker *m, term x)
{
    struct node node = {.op = CODE_LITERAL, .width = (uint8_t)width_of(m, x)};
    if (term_value(m->s, x, &node.literal))
        return add_node(m->f, node);
    node.op = CODE_INPUT;
    while (node.literal < m->inputs_count && m->inputs[node.literal] != x)
        node.literal++;
    if (node.literal == m->inputs_count)
        m->problem = "a constant without a value";
    return add_node(m->f, node);
}

/* A term whose arguments have their places. Logic of many arguments becomes a chain of two. */
static uint32_t add_term(struct maker *m, Z3_app app, unsigned n)
{
    Z3_context z3 = m->s->z3;
    Z3_func_decl decl = Z3_get_app_decl(z3, app);
    struct node node = {.op = op_of(Z3_get_decl_kind(z3, decl))};
    term first = Z3_get_app_arg(z3, app, 0);
    bool logic = node.op == CODE_AND || node.op == CODE_OR;
    bool compares = node.op >= CODE_ULE && node.op <= CODE_SLT;
    uint32_t at[3] = {0};
    for (unsigned i = 0; i < n && i < 3; i++)
        at[i] = *place_of(m, Z3_get_app_arg(z3, app, i)) - 1;
    if (node.op == CODE_UNKNOWN || (n > 2 && !logic && node.op != CODE_ITE) || width_of(m, Z3_app_to_ast(z3, app)) > 64)
        m->problem = Z3_get_symbol_string(z3, Z3_get_decl_name(z3, decl));
    node.width = (uint8_t)width_of(m, compares ? first : Z3_app_to_ast(z3, app));
    node.x = at[0];
    node.y = n > 1 ? at[1] : at[0];
    node.z = at[2];
    if (node.op == CODE_EXTRACT)
        node.low = (uint8_t)Z3_get_decl_int_parameter(z3, decl, 1);
    if (node.op == CODE_CONCAT)
        node.low = (uint8_t)width_of(m, Z3_get_app_arg(z3, app, 1));
    for (unsigned i = 2; i < n && logic; i++) {
        node.x = add_node(m->f, node) - 1;
        node.y = *place_of(m, Z3_get_app_arg(z3, app, i)) - 1;
    }
    return add_node(m->f, node);
}

/* Visits arguments before the terms that have them, without recursion, because terms are deep. */
static void add_all(struct maker *m, term x)
{
    term_list_add(&m->stack, x);
    while (m->stack.count > 0 && m->problem == NULL) {
        const term top = m->stack.items[m->stack.count - 1];
        const unsigned n = term_arguments(m->s, top);
        const size_t waiting = m->stack.count;
        if (*place_of(m, top) != 0) {
            m->stack.count--;
            continue;
        }
        for (unsigned i = 0; i < n; i++)
            if (*place_of(m, term_argument(m->s, top, i)) == 0)
                term_list_add(&m->stack, term_argument(m->s, top, i));
        if (m->stack.count > waiting)
            continue;
        const uint32_t place = n == 0 ? add_leaf(m, top) : add_term(m, Z3_to_app(m->s->z3, top), n);
        *place_of(m, top) = place;
        m->stack.count--;
    }
}

struct term_code *term_compile(struct smt *s, const term *results, size_t results_count, const term *inputs,
                               size_t inputs_count, struct error *error)
{
    struct maker m = {.s = s, .inputs = inputs, .inputs_count = inputs_count};
    m.f = smt_grow(NULL, 1, sizeof *m.f);
    memset(m.f, 0, sizeof *m.f);
    m.f->results = smt_grow(NULL, results_count + 1, sizeof *m.f->results);
    m.f->results_count = results_count;
    for (size_t i = 0; i < results_count && m.problem == NULL; i++) {
        add_all(&m, results[i]);
        m.f->results[i] = *place_of(&m, results[i]) - 1;
    }
    m.f->values = smt_grow(NULL, m.f->count + 1, sizeof *m.f->values);
    memset(m.f->values, 0, (m.f->count + 1) * sizeof *m.f->values);
    term_map_free(&m.place);
    term_list_free(&m.stack);
    if (m.problem == NULL)
        return m.f;
    error_set(error, ERROR_UNSUPPORTED, "not known here: %s", m.problem);
    term_code_free(m.f);
    return NULL;
}

/* The two words with their signs turned, so that unsigned order is signed order. */
static uint64_t flip(uint64_t x, unsigned width)
{
    return x ^ (UINT64_C(1) << (width - 1));
}

static bool is_nan(uint64_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

/* Compares floats in IEEE order by their bits, so that the processor's treatment of subnormals does not matter. Not
 * for NaN. */
static int64_t float_key(uint64_t bits)
{
    const int64_t magnitude = (int64_t)(bits & 0x7fffffffu);
    return bits >> 31 & 1 ? -magnitude : magnitude;
}

static uint64_t compute(const struct node *n, const uint64_t *v, const uint64_t *inputs)
{
    uint64_t x = v[n->x], y = v[n->y];
    switch (n->op) {
    case CODE_INPUT:
        return inputs[n->literal] & ones(n->width);
    case CODE_LITERAL:
        return n->literal;
    case CODE_EQ:
        return x == y;
    case CODE_ITE:
        return x ? y : v[n->z];
    case CODE_AND:
        return x & y;
    case CODE_OR:
        return x | y;
    case CODE_XOR:
        return x ^ y;
    case CODE_NOT:
        return ~x & ones(n->width);
    case CODE_IMPLIES:
        return !x || y;
    case CODE_ADD:
        return (x + y) & ones(n->width);
    case CODE_SUB:
        return (x - y) & ones(n->width);
    case CODE_NEG:
        return (0 - x) & ones(n->width);
    case CODE_SHL:
        return y < n->width ? x << y & ones(n->width) : 0;
    case CODE_SHR:
        return y < n->width ? x >> y : 0;
    case CODE_ULE:
        return x <= y;
    case CODE_ULT:
        return x < y;
    case CODE_SLE:
        return flip(x, n->width) <= flip(y, n->width);
    case CODE_SLT:
        return flip(x, n->width) < flip(y, n->width);
    case CODE_EXTRACT:
        return x >> n->low & ones(n->width);
    case CODE_CONCAT:
        return (x << n->low) | y;
    case CODE_IS_NAN:
        return is_nan(x);
    case CODE_FLOAT_LT:
        return !is_nan(x) && !is_nan(y) && float_key(x) < float_key(y);
    case CODE_FLOAT_EQ:
        return !is_nan(x) && !is_nan(y) && float_key(x) == float_key(y);
    case CODE_SAME:
    case CODE_UNKNOWN: /* never in a list that was compiled */
        break;
    }
    return x;
}

void term_code_run(struct term_code *f, const uint64_t *inputs, uint64_t *results)
{
    for (size_t i = 0; i < f->count; i++)
        f->values[i] = compute(&f->nodes[i], f->values, inputs);
    for (size_t i = 0; i < f->results_count; i++)
        results[i] = f->values[f->results[i]];
}

void term_code_free(struct term_code *f)
{
    if (f == NULL)
        return;
    free(f->nodes);
    free(f->values);
    free(f->results);
    free(f);
}
