#include "smt/flat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operation on the values of earlier nodes; `low` is the lowest bit of an extract, the lower part's width of a
 * concat. */
struct node {
    enum flat_op {
        FLAT_INPUT,
        FLAT_LITERAL,
        FLAT_EQ,
        FLAT_ITE,
        FLAT_AND, /* of Bools and of words */
        FLAT_OR,
        FLAT_XOR,
        FLAT_NOT, /* within the width */
        FLAT_IMPLIES,
        FLAT_ADD,
        FLAT_SUB,
        FLAT_NEG,
        FLAT_SHL,
        FLAT_SHR,
        FLAT_ULE,
        FLAT_ULT,
        FLAT_SLE,
        FLAT_SLT,
        FLAT_EXTRACT,
        FLAT_CONCAT,
        FLAT_SAME, /* the argument's value: zeros in front, or an f32 that is its bits */
        FLAT_IS_NAN,
        FLAT_FLOAT_LT,
        FLAT_FLOAT_EQ,
        FLAT_UNKNOWN
    } op;
    uint8_t width; /* of the arguments for comparisons, else of the value */
    uint8_t low;
    uint32_t x, y, z;
    uint64_t literal; /* or the number of the input */
};

struct flat {
    struct node *nodes;
    uint64_t *values;
    size_t count, room;
    uint32_t *results;
    size_t results_count;
};

struct maker {
    struct smt *s;
    struct flat *f;
    const term *inputs;
    size_t inputs_count;
    uint32_t *place; /* of the node with this number, plus 1; 0: none yet */
    size_t place_count;
    term *stack;
    size_t stack_count, stack_room;
    const char *problem;
};

static uint64_t ones(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* The place of a term that was met; 0: it was not. */
static uint32_t *place_of(struct maker *m, term x)
{
    size_t id = Z3_get_ast_id(m->s->z3, x);
    if (id >= m->place_count) {
        size_t count = 2 * id + 1024;
        m->place = smt_grow(m->place, count, sizeof *m->place);
        memset(m->place + m->place_count, 0, (count - m->place_count) * sizeof *m->place);
        m->place_count = count;
    }
    return &m->place[id];
}

static void push(struct maker *m, term x)
{
    if (m->stack_count == m->stack_room) {
        m->stack_room = m->stack_room == 0 ? 256 : 2 * m->stack_room;
        m->stack = smt_grow(m->stack, m->stack_room, sizeof *m->stack);
    }
    m->stack[m->stack_count++] = x;
}

static uint32_t add_node(struct flat *f, struct node node)
{
    if (f->count == f->room) {
        f->room = f->room == 0 ? 1024 : 2 * f->room;
        f->nodes = smt_grow(f->nodes, f->room, sizeof *f->nodes);
    }
    f->nodes[f->count++] = node;
    return (uint32_t)f->count; /* plus 1, as in place */
}

static enum flat_op op_of(Z3_decl_kind kind)
{
    static const struct {
        Z3_decl_kind kind;
        enum flat_op op;
    } table[] = {
        {Z3_OP_EQ, FLAT_EQ},
        {Z3_OP_IFF, FLAT_EQ},
        {Z3_OP_ITE, FLAT_ITE},
        {Z3_OP_AND, FLAT_AND},
        {Z3_OP_BAND, FLAT_AND},
        {Z3_OP_OR, FLAT_OR},
        {Z3_OP_BOR, FLAT_OR},
        {Z3_OP_BXOR, FLAT_XOR},
        {Z3_OP_NOT, FLAT_NOT},
        {Z3_OP_BNOT, FLAT_NOT},
        {Z3_OP_IMPLIES, FLAT_IMPLIES},
        {Z3_OP_BADD, FLAT_ADD},
        {Z3_OP_BSUB, FLAT_SUB},
        {Z3_OP_BNEG, FLAT_NEG},
        {Z3_OP_BSHL, FLAT_SHL},
        {Z3_OP_BLSHR, FLAT_SHR},
        {Z3_OP_ULEQ, FLAT_ULE},
        {Z3_OP_ULT, FLAT_ULT},
        {Z3_OP_SLEQ, FLAT_SLE},
        {Z3_OP_SLT, FLAT_SLT},
        {Z3_OP_EXTRACT, FLAT_EXTRACT},
        {Z3_OP_CONCAT, FLAT_CONCAT},
        {Z3_OP_ZERO_EXT, FLAT_SAME},
        {Z3_OP_FPA_TO_FP, FLAT_SAME},
        {Z3_OP_FPA_IS_NAN, FLAT_IS_NAN},
        {Z3_OP_FPA_LT, FLAT_FLOAT_LT},
        {Z3_OP_FPA_EQ, FLAT_FLOAT_EQ},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].kind == kind)
            return table[i].op;
    return FLAT_UNKNOWN;
}

static unsigned width_of(struct maker *m, term x)
{
    unsigned width = term_width(m->s, x);
    return width > 0 ? width : 1;
}

/* A term without arguments. */
static uint32_t add_leaf(struct maker *m, term x)
{
    struct node node = {.op = FLAT_LITERAL, .width = (uint8_t)width_of(m, x)};
    if (term_value(m->s, x, &node.literal))
        return add_node(m->f, node);
    node.op = FLAT_INPUT;
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
    bool logic = node.op == FLAT_AND || node.op == FLAT_OR;
    bool compares = node.op >= FLAT_ULE && node.op <= FLAT_SLT;
    uint32_t at[3] = {0};
    for (unsigned i = 0; i < n && i < 3; i++)
        at[i] = *place_of(m, Z3_get_app_arg(z3, app, i)) - 1;
    if (node.op == FLAT_UNKNOWN || (n > 2 && !logic && node.op != FLAT_ITE) || width_of(m, Z3_app_to_ast(z3, app)) > 64)
        m->problem = Z3_get_symbol_string(z3, Z3_get_decl_name(z3, decl));
    node.width = (uint8_t)width_of(m, compares ? first : Z3_app_to_ast(z3, app));
    node.x = at[0];
    node.y = n > 1 ? at[1] : at[0];
    node.z = at[2];
    if (node.op == FLAT_EXTRACT)
        node.low = (uint8_t)Z3_get_decl_int_parameter(z3, decl, 1);
    if (node.op == FLAT_CONCAT)
        node.low = (uint8_t)width_of(m, Z3_get_app_arg(z3, app, 1));
    for (unsigned i = 2; i < n && logic; i++) {
        node.x = add_node(m->f, node) - 1;
        node.y = *place_of(m, Z3_get_app_arg(z3, app, i)) - 1;
    }
    return add_node(m->f, node);
}

/* Arguments before the terms that have them, without recursion: terms are deep. */
static void add_all(struct maker *m, term x)
{
    Z3_context z3 = m->s->z3;
    push(m, x);
    while (m->stack_count > 0 && m->problem == NULL) {
        term top = m->stack[m->stack_count - 1];
        bool leaf = Z3_get_ast_kind(z3, top) != Z3_APP_AST || Z3_get_app_num_args(z3, Z3_to_app(z3, top)) == 0;
        unsigned n = leaf ? 0 : Z3_get_app_num_args(z3, Z3_to_app(z3, top));
        size_t waiting = m->stack_count;
        if (*place_of(m, top) != 0) {
            m->stack_count--;
            continue;
        }
        for (unsigned i = 0; i < n; i++)
            if (*place_of(m, Z3_get_app_arg(z3, Z3_to_app(z3, top), i)) == 0)
                push(m, Z3_get_app_arg(z3, Z3_to_app(z3, top), i));
        if (m->stack_count > waiting)
            continue;
        uint32_t place = leaf ? add_leaf(m, top) : add_term(m, Z3_to_app(z3, top), n);
        *place_of(m, top) = place;
        m->stack_count--;
    }
}

struct flat *flat_make(struct smt *s, const term *results, size_t results_count, const term *inputs,
                       size_t inputs_count, char *why, size_t why_size)
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
    free(m.place);
    free(m.stack);
    if (m.problem == NULL)
        return m.f;
    snprintf(why, why_size, "not known here: %s", m.problem);
    flat_free(m.f);
    return NULL;
}

/* The two words with their signs turned, so that unsigned order is signed order. */
static uint64_t flip(uint64_t x, unsigned width)
{
    return x ^ (UINT64_C(1) << (width - 1));
}

static float as_float(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static uint64_t compute(const struct node *n, const uint64_t *v, const uint64_t *inputs)
{
    uint64_t x = v[n->x], y = v[n->y];
    switch (n->op) {
    case FLAT_INPUT:
        return inputs[n->literal] & ones(n->width);
    case FLAT_LITERAL:
        return n->literal;
    case FLAT_EQ:
        return x == y;
    case FLAT_ITE:
        return x ? y : v[n->z];
    case FLAT_AND:
        return x & y;
    case FLAT_OR:
        return x | y;
    case FLAT_XOR:
        return x ^ y;
    case FLAT_NOT:
        return ~x & ones(n->width);
    case FLAT_IMPLIES:
        return !x || y;
    case FLAT_ADD:
        return (x + y) & ones(n->width);
    case FLAT_SUB:
        return (x - y) & ones(n->width);
    case FLAT_NEG:
        return (0 - x) & ones(n->width);
    case FLAT_SHL:
        return y < n->width ? x << y & ones(n->width) : 0;
    case FLAT_SHR:
        return y < n->width ? x >> y : 0;
    case FLAT_ULE:
        return x <= y;
    case FLAT_ULT:
        return x < y;
    case FLAT_SLE:
        return flip(x, n->width) <= flip(y, n->width);
    case FLAT_SLT:
        return flip(x, n->width) < flip(y, n->width);
    case FLAT_EXTRACT:
        return x >> n->low & ones(n->width);
    case FLAT_CONCAT:
        return (x << n->low) | y;
    case FLAT_IS_NAN:
        return (x & 0x7fffffffu) > 0x7f800000u;
    case FLAT_FLOAT_LT:
        return as_float(x) < as_float(y);
    case FLAT_FLOAT_EQ:
        return as_float(x) == as_float(y);
    default:
        return x;
    }
}

void flat_run(struct flat *f, const uint64_t *inputs, uint64_t *results)
{
    for (size_t i = 0; i < f->count; i++)
        f->values[i] = compute(&f->nodes[i], f->values, inputs);
    for (size_t i = 0; i < f->results_count; i++)
        results[i] = f->values[f->results[i]];
}

void flat_free(struct flat *f)
{
    if (f == NULL)
        return;
    free(f->nodes);
    free(f->values);
    free(f->results);
    free(f);
}
