/* In which ways the values of a program can be taken. */
#include "smt/kernel/symbolic.h"

#include <stdlib.h>
#include <string.h>

/* The operations whose laws the catalogue proves (redux-lemma-commutes, -associates; program-lemma-commutes,
 * -associates). */
static bool known_laws(const struct symbolic_operation *o)
{
    bool wide = ptx_type_bits(o->type) == 64;
    switch (o->op) {
    case PROGRAM_MIN:
    case PROGRAM_MAX:
        return !wide;
    case PROGRAM_ADD:
    case PROGRAM_AND:
    case PROGRAM_OR:
    case PROGRAM_XOR:
        return o->type != PTX_F32 && o->type != PTX_PRED;
    case PROGRAM_MUL:
        return o->type != PTX_F32 && !wide;
    default:
        return false;
    }
}

static enum symbolic_values values_of(const struct program *p, const struct symbolic_operation *o)
{
    if (p->abstract.present)
        return p->abstract.associative && p->abstract.commutative ? SYMBOLIC_SETS
               : p->abstract.associative                          ? SYMBOLIC_WORDS
               : p->abstract.commutative                          ? SYMBOLIC_PAIRS
                                                                  : SYMBOLIC_CONCRETE;
    if (known_laws(o))
        return SYMBOLIC_SETS;
    return o->op == PROGRAM_ADD && o->type == PTX_F32 ? SYMBOLIC_PAIRS : SYMBOLIC_CONCRETE;
}

/* The n-th operation that the program or, before, its claims name; false past the end. */
static bool named_operation(const struct program *p, size_t n, struct symbolic_operation *o)
{
    if (p->abstract.present) {
        *o = (struct symbolic_operation){p->abstract.op, p->abstract.type, false};
        return n == 0;
    }
    if (n < p->claims_count) {
        *o = (struct symbolic_operation){p->claims[n].op, p->claims[n].type, false};
        if (p->claims[n].kind < PROGRAM_CLAIM_REDUCE || p->claims[n].kind > PROGRAM_CLAIM_RSCAN)
            o->op = PROGRAM_OPS;
        return true;
    }
    n -= p->claims_count;
    if (n >= p->instructions_count)
        return false;
    *o = (struct symbolic_operation){p->instructions[n].op, p->instructions[n].type, p->instructions[n].nan};
    return true;
}

static bool named_before(const struct program *p, size_t n, const struct symbolic_operation *o)
{
    struct symbolic_operation earlier;
    for (size_t i = 0; i < n; i++)
        if (named_operation(p, i, &earlier) && symbolic_same_operation(&earlier, o->op, o->type, o->nan))
            return true;
    return false;
}

/* Of one input only: two inputs of a lane are two values, and a symbol says no more than the lane. */
static bool take_input(struct symbolic *x, size_t input, enum symbolic_kind kind)
{
    const struct program *p = x->program;
    const struct program_register *r = &p->registers[input];
    bool fits = r->input.is_input && !r->input.uniform && r->type != PTX_PRED &&
                ptx_type_bits(r->type) == ptx_type_bits(x->operation.type);
    if (kind == SYMBOLIC_SIGNED && (x->operation.type != PTX_F32 || x->values != SYMBOLIC_SETS))
        return false;
    memcpy(x->first_kind, x->plain_kind, p->registers_count * sizeof *x->first_kind);
    x->first_kind[input] = kind;
    return fits && symbolic_flow(x) && symbolic_combines(x);
}

/* The ways to take values as symbols of x->operation; counts `way` down. */
static bool choose_input(struct symbolic *x, unsigned *way)
{
    size_t n = x->program->registers_count;
    if (x->values == SYMBOLIC_PAIRS)
        return (*way)-- == 0;
    for (size_t i = 0; i < 2 * n; i++)
        if (take_input(x, i % n, i < n ? SYMBOLIC_PRODUCT : SYMBOLIC_SIGNED) && (*way)-- == 0)
            return true;
    return false;
}

static bool choose_symbols(struct symbolic *x, unsigned *way)
{
    for (size_t n = 0; !x->refuting && named_operation(x->program, n, &x->operation); n++) {
        x->values = values_of(x->program, &x->operation);
        if (x->values != SYMBOLIC_CONCRETE && !named_before(x->program, n, &x->operation) && choose_input(x, way))
            return true;
    }
    return false;
}

/* As they are, or with PAIRS, every register holds its value. */
static void take_plain(struct symbolic *x)
{
    memcpy(x->first_kind, x->plain_kind, x->program->registers_count * sizeof *x->first_kind);
    symbolic_flow(x);
    for (size_t i = 0; i < x->program->instructions_count; i++) {
        const struct program_instruction *k = &x->program->instructions[i];
        bool is_it = x->values == SYMBOLIC_PAIRS && symbolic_same_operation(&x->operation, k->op, k->type, k->nan);
        x->steps[i] = is_it ? SYMBOLIC_COMBINES : SYMBOLIC_AS_IT_IS;
    }
}

/* An input, of any value, is a key when instructions and claims do no more than compare it with itself elsewhere. */
static bool is_key(struct symbolic *x, size_t input)
{
    const struct program *p = x->program;
    const struct program_register *r = &p->registers[input];
    if (!r->input.is_input || r->input.uniform || r->input.has_range || r->type == PTX_PRED)
        return false;
    memcpy(x->first_kind, x->plain_kind, p->registers_count * sizeof *x->first_kind);
    x->first_kind[input] = SYMBOLIC_KEY;
    if (!symbolic_flow(x))
        return false;
    for (size_t i = 0; i < p->claims_count; i++)
        if (!symbolic_fits(x, &p->claims[i]))
            return false;
    return true;
}

/* One key at most: two together have more than 32 values. */
static void find_key(struct symbolic *x)
{
    const struct program *p = x->program;
    size_t i;
    x->operation.op = PROGRAM_OPS;
    for (i = 0; i < p->registers_count; i++)
        x->plain_kind[i] = p->registers[i].input.is_input ? SYMBOLIC_PLAIN : SYMBOLIC_UNWRITTEN;
    for (i = 0; i < p->registers_count; i++)
        if (is_key(x, i)) {
            x->plain_kind[i] = SYMBOLIC_KEY;
            return;
        }
}

static void make_function(struct symbolic *x)
{
    struct smt *s = x->g->s;
    Z3_sort words[2] = {s->word_sort, s->word_sort};
    x->function = Z3_mk_func_decl(s->z3, Z3_mk_string_symbol(s->z3, "f"), 2, words, s->word_sort);
    smt_keep(s, Z3_func_decl_to_ast(s->z3, x->function));
}

bool symbolic_open(struct symbolic *x, struct goal *g, const struct program *program, unsigned way, bool refuting)
{
    memset(x, 0, sizeof *x);
    x->g = g;
    x->program = program;
    x->refuting = refuting;
    x->first_kind = smt_grow(NULL, program->registers_count + 1, sizeof *x->first_kind);
    x->last_kind = smt_grow(NULL, program->registers_count + 1, sizeof *x->last_kind);
    x->plain_kind = smt_grow(NULL, program->registers_count + 1, sizeof *x->plain_kind);
    x->steps = smt_grow(NULL, program->instructions_count + 1, sizeof *x->steps);
    x->initial = smt_grow(NULL, program->registers_count + 1, sizeof *x->initial);
    x->now = smt_grow(NULL, program->registers_count + 1, sizeof *x->now);
    find_key(x);
    if (!choose_symbols(x, &way)) {
        x->values = SYMBOLIC_CONCRETE;
        if (way != 0)
            return false;
    }
    if (x->values == SYMBOLIC_PAIRS)
        make_function(x);
    if (x->values == SYMBOLIC_PAIRS || x->values == SYMBOLIC_CONCRETE)
        take_plain(x);
    return true;
}

void symbolic_close(struct symbolic *x)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        term_list_free(&x->faults[lane]);
        term_list_free(&x->uses[lane]);
    }
    free(x->plain_kind);
    free(x->first_kind);
    free(x->last_kind);
    free(x->steps);
    free(x->initial);
    free(x->now);
}
