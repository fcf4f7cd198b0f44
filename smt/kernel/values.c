#include "smt/kernel/symbolic.h"

#include <stdlib.h>
#include <string.h>

/*
 * Where the values of an abstracted operation flow: which registers hold them, and what each instruction does with
 * them. They may be moved, combined, and thrown away; nothing else may look at them.
 */
struct flow {
    const struct program *program;
    const struct symbolic_operation *operation;
    enum symbolic_kind *kinds; /* of each register, so far */
};

bool symbolic_same_operation(const struct symbolic_operation *x, enum ptx_op op, enum ptx_type type, bool nan)
{
    bool any_sign = op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR;
    if (x->op != op || x->nan != nan || ptx_type_bits(x->type) != ptx_type_bits(type))
        return false;
    return x->type == type || (any_sign && x->type != PTX_F32 && type != PTX_F32);
}

static enum symbolic_kind kind_of(const struct flow *f, const struct module_operand *o)
{
    return o->kind == OPERAND_REGISTER ? f->kinds[o->reg] : SYMBOLIC_PLAIN;
}

/* A guard leaves the old value in some lanes, which then must be of the same kind. */
static bool writes(struct flow *f, const struct module_instruction *i, unsigned n, enum symbolic_kind kind)
{
    const struct module_operand *o = program_destination(i, n);
    enum symbolic_kind old;
    if (o->kind != OPERAND_REGISTER)
        return true;
    old = f->kinds[o->reg];
    if (i->guard != MODULE_NONE && old != SYMBOLIC_UNWRITTEN && old != kind)
        return false;
    f->kinds[o->reg] = kind;
    return true;
}

static bool breaks(struct flow *f, const struct module_instruction *i, enum symbolic_step *step)
{
    *step = SYMBOLIC_BREAKS;
    return writes(f, i, 0, SYMBOLIC_BROKEN);
}

static enum ptx_op redux_op(const struct warp_form_info *info)
{
    switch (info->op) {
    case WARP_ADD:
        return OP_ADD;
    case WARP_MIN:
        return OP_MIN;
    case WARP_MAX:
        return OP_MAX;
    case WARP_AND:
        return OP_AND;
    case WARP_OR:
        return OP_OR;
    case WARP_XOR:
        return OP_XOR;
    case WARP_OPS_BUT_REDUX:
        break;
    }
    smt_defect("%s is no reduction", info->name);
}

static enum ptx_type redux_type(const struct warp_form_info *info)
{
    return info->type == WARP_F32   ? PTX_F32
           : info->type == WARP_S32 ? PTX_S32
           : info->type == WARP_U32 ? PTX_U32
                                    : PTX_B32;
}

/* redux of inputs whose absolute values are meant takes .abs; of other values it must not. */
static bool flow_redux(struct flow *f, const struct module_instruction *i, enum symbolic_kind a,
                       enum symbolic_step *step)
{
    const struct warp_form_info *info = warp_form_get(i->form);
    bool same = symbolic_same_operation(f->operation, redux_op(info), redux_type(info), info->nan);
    if (a == SYMBOLIC_PLAIN)
        return writes(f, i, 0, SYMBOLIC_PLAIN);
    if (a == SYMBOLIC_LOW || a == SYMBOLIC_HIGH || a == SYMBOLIC_KEY)
        return false;
    if (!same || a == SYMBOLIC_BROKEN || info->abs != (a == SYMBOLIC_SIGNED))
        return breaks(f, i, step);
    *step = SYMBOLIC_COMBINES;
    return writes(f, i, 0, SYMBOLIC_PRODUCT);
}

static bool flow_warp(struct flow *f, const struct module_instruction *i, enum symbolic_step *step)
{
    const struct warp_form_info *info = warp_form_get(i->form);
    enum symbolic_kind a = kind_of(f, program_source(i, OPERAND_A));
    for (unsigned n = OPERAND_B; n <= OPERAND_MEMBERMASK; n++)
        if (kind_of(f, program_source(i, n)) != SYMBOLIC_PLAIN)
            return false;
    switch (info->family) {
    case WARP_REDUX_SYNC:
        return flow_redux(f, i, a, step);
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        return writes(f, i, 0, a) && writes(f, i, 1, SYMBOLIC_PLAIN);
    case WARP_MATCH_SYNC: /* compares keys as it compares words */
        a = a == SYMBOLIC_KEY ? SYMBOLIC_PLAIN : a;
        break;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return a == SYMBOLIC_PLAIN && writes(f, i, 0, a) && writes(f, i, 1, SYMBOLIC_PLAIN);
}

/* Both halves of a 64-bit value are the value; so they may be moved and put together again, and nothing else. */
static bool flow_halves(struct flow *f, const struct module_instruction *i, enum symbolic_step *step)
{
    enum symbolic_kind a = kind_of(f, program_source(i, 0)), b = kind_of(f, program_source(i, 1));
    if (i->op == OP_UNPACK) {
        bool product = a == SYMBOLIC_PRODUCT;
        if (a != SYMBOLIC_PLAIN && !product)
            return false;
        return writes(f, i, 0, product ? SYMBOLIC_LOW : SYMBOLIC_PLAIN) &&
               writes(f, i, 1, product ? SYMBOLIC_HIGH : SYMBOLIC_PLAIN);
    }
    if (a == SYMBOLIC_LOW && b == SYMBOLIC_HIGH) {
        *step = SYMBOLIC_COMBINES;
        return writes(f, i, 0, SYMBOLIC_PRODUCT);
    }
    return a == SYMBOLIC_PLAIN && b == SYMBOLIC_PLAIN && writes(f, i, 0, SYMBOLIC_PLAIN);
}

static bool flow_arithmetic(struct flow *f, const struct module_instruction *i, enum symbolic_step *step)
{
    unsigned sources = program_op_get(i->op)->sources;
    bool plain = true, products = true;
    for (unsigned n = 0; n < sources; n++) {
        enum symbolic_kind kind = kind_of(f, program_source(i, n));
        if (kind == SYMBOLIC_LOW || kind == SYMBOLIC_HIGH || kind == SYMBOLIC_KEY)
            return false;
        plain = plain && kind == SYMBOLIC_PLAIN;
        products = products && kind == SYMBOLIC_PRODUCT;
    }
    if (plain)
        return writes(f, i, 0, SYMBOLIC_PLAIN);
    if (i->op == OP_ABS && i->type == PTX_F32 && kind_of(f, program_source(i, 0)) == SYMBOLIC_SIGNED) {
        *step = SYMBOLIC_PASSES;
        return writes(f, i, 0, SYMBOLIC_PRODUCT);
    }
    if (!products || sources != 2 || !symbolic_same_operation(f->operation, i->op, i->type, i->nan))
        return breaks(f, i, step);
    *step = SYMBOLIC_COMBINES;
    return writes(f, i, 0, SYMBOLIC_PRODUCT);
}

static bool compares_equality(const struct module_instruction *i)
{
    return i->type != PTX_F32 && (i->compare == COMPARE_EQ || i->compare == COMPARE_NE);
}

static bool flow_step(struct flow *f, const struct module_instruction *i, enum symbolic_step *step)
{
    enum symbolic_kind a = kind_of(f, program_source(i, 0)), b = kind_of(f, program_source(i, 1));
    *step = SYMBOLIC_AS_IT_IS;
    if (i->guard != MODULE_NONE && f->kinds[i->guard] != SYMBOLIC_PLAIN)
        return false;
    switch (i->op) {
    case OP_WARP:
        return flow_warp(f, i, step);
    case OP_EXIT:
        return true;
    case OP_MOV:
        return writes(f, i, 0, a);
    case OP_SELP:
        return a == b && writes(f, i, 0, a);
    case OP_SETP:
        return a == b && (a == SYMBOLIC_PLAIN || (a == SYMBOLIC_KEY && compares_equality(i))) &&
               writes(f, i, 0, SYMBOLIC_PLAIN);
    case OP_PACK:
    case OP_UNPACK:
        return flow_halves(f, i, step);
    case OP_POPC:
    case OP_CLZ:
        return a == SYMBOLIC_PLAIN && writes(f, i, 0, SYMBOLIC_PLAIN);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_MIN:
    case OP_MAX:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_NOT:
    case OP_SHL:
    case OP_SHR:
    case OP_NEG:
    case OP_ABS:
    case OP_BREV:
        return flow_arithmetic(f, i, step);
    case OPS_NOT_PLAIN:
        break;
    }
    smt_defect("an instruction without an operation");
}

/* Fills the other kinds and the steps from x->operation and x->first_kind; false when the program does more with a
 * product than move and combine it, or more with a key than move and compare it. */
static bool symbolic_flow(struct symbolic *x)
{
    const struct program *p = x->program;
    struct flow f = {p, &x->operation, x->last_kind};
    memcpy(x->last_kind, x->first_kind, p->registers_count * sizeof *x->last_kind);
    for (size_t k = 0; k < p->instructions_count; k++)
        if (!flow_step(&f, &p->instructions[k], &x->steps[k]))
            return false;
    return true;
}

/* Does any instruction combine products? */
static bool symbolic_combines(const struct symbolic *x)
{
    for (size_t k = 0; k < x->program->instructions_count; k++)
        if (x->steps[k] == SYMBOLIC_COMBINES)
            return true;
    return false;
}

static bool holds_values(enum symbolic_kind kind)
{
    return kind == SYMBOLIC_PLAIN || kind == SYMBOLIC_PRODUCT || kind == SYMBOLIC_KEY;
}

static bool has_identity(enum symbolic_kind kind)
{
    return kind == SYMBOLIC_PLAIN || kind == SYMBOLIC_KEY;
}

bool symbolic_fits(const struct symbolic *x, const struct program_claim *c)
{
    const enum symbolic_kind *first = x->first_kind, *last = x->last_kind;
    if (c->kind == PROGRAM_CLAIM_FAULTLESS || c->kind == PROGRAM_CLAIM_DEFINED)
        return true;
    if (c->group.kind == PROGRAM_GROUP_EQUAL && !has_identity(first[c->group.reg]))
        return false;
    switch (c->kind) {
    case PROGRAM_CLAIM_VALUE:
        return true;
    case PROGRAM_CLAIM_UNIFORM:
        return holds_values(last[c->reg]);
    case PROGRAM_CLAIM_SAME:
        return holds_values(last[c->reg]) && last[c->reg] == last[c->of];
    case PROGRAM_CLAIM_INITIAL:
    case PROGRAM_CLAIM_FROM:
        return holds_values(last[c->reg]) && last[c->reg] == first[c->of];
    case PROGRAM_CLAIM_BALLOT:
    case PROGRAM_CLAIM_PEERS:
        return last[c->reg] == SYMBOLIC_PLAIN && has_identity(first[c->of]);
    case PROGRAM_CLAIM_FAULTLESS:
    case PROGRAM_CLAIM_DEFINED:
    case PROGRAM_CLAIM_REDUCE:
    case PROGRAM_CLAIM_SCAN:
    case PROGRAM_CLAIM_RSCAN:
    case PROGRAM_CLAIM_EXSCAN:
        if (x->values == SYMBOLIC_CONCRETE || x->values == SYMBOLIC_PAIRS)
            return last[c->reg] == SYMBOLIC_PLAIN && first[c->of] == SYMBOLIC_PLAIN;
        return c->kind != PROGRAM_CLAIM_EXSCAN && last[c->reg] == SYMBOLIC_PRODUCT &&
               first[c->of] == SYMBOLIC_PRODUCT && symbolic_same_operation(&x->operation, c->op, c->type, false);
    }
    smt_defect("a claim without a kind");
}

/* The ways in which the values of a program can be taken. */

/* The operations whose laws the catalogue proves (redux-lemma-commutes, -associates; program-lemma-commutes,
 * -associates). */
static bool known_laws(const struct symbolic_operation *o)
{
    bool wide = ptx_type_bits(o->type) == 64;
    switch (o->op) {
    case OP_MIN:
    case OP_MAX:
        return !wide;
    case OP_ADD:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return o->type != PTX_F32 && o->type != PTX_PRED;
    case OP_MUL:
        return o->type != PTX_F32 && !wide;
    case OP_MOV:
    case OP_SUB:
    case OP_NEG:
    case OP_ABS:
    case OP_NOT:
    case OP_SHL:
    case OP_SHR:
    case OP_SELP:
    case OP_SETP:
    case OP_PACK:
    case OP_UNPACK:
    case OPS_BITCOUNT:
    case OP_WARP:
    case OP_EXIT:
    case OPS_NOT_PLAIN:
        break;
    }
    return false;
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
    return o->op == OP_ADD && o->type == PTX_F32 ? SYMBOLIC_PAIRS : SYMBOLIC_CONCRETE;
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
            o->op = OPS;
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

/* Only one input can be taken as symbols: two inputs of a lane are two values, and a symbol tells only the lane. */
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

/* Taken as they are, or with PAIRS, every register holds its value. */
static void take_plain(struct symbolic *x)
{
    memcpy(x->first_kind, x->plain_kind, x->program->registers_count * sizeof *x->first_kind);
    symbolic_flow(x);
    for (size_t i = 0; i < x->program->instructions_count; i++) {
        const struct module_instruction *k = &x->program->instructions[i];
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

/* At most one input is a key: two together have more than 32 values. */
static void find_key(struct symbolic *x)
{
    const struct program *p = x->program;
    size_t i;
    x->operation.op = OPS;
    for (i = 0; i < p->registers_count; i++)
        x->plain_kind[i] = p->registers[i].input.is_input ? SYMBOLIC_PLAIN : SYMBOLIC_UNWRITTEN;
    for (i = 0; i < p->registers_count; i++)
        if (is_key(x, i)) {
            x->plain_kind[i] = SYMBOLIC_KEY;
            return;
        }
}

/* The same in all lanes, and in the whole program. */
static bool is_fixed(const struct program *p, const struct module_operand *o)
{
    if (o->kind != OPERAND_REGISTER)
        return true;
    for (size_t i = 0; i < p->instructions_count; i++)
        for (unsigned n = 0; n < p->instructions[i].dsts_count; n++)
            if (p->instructions[i].dsts[n].kind == OPERAND_REGISTER && p->instructions[i].dsts[n].reg == o->reg)
                return false;
    return p->registers[o->reg].input.uniform;
}

/*
 * Where all lanes that are there execute an instruction with one membermask, those that wait, wait for lanes that never
 * come. Else the lanes that they wait for may be at a later instruction of the form, or wait at an earlier one.
 */
bool symbolic_may_meet(const struct program *p)
{
    for (size_t i = 0; i < p->instructions_count; i++) {
        const struct module_instruction *a = &p->instructions[i];
        if (a->op != OP_WARP || !warp_form_is_sync(warp_form_get(a->form)) ||
            (a->guard == MODULE_NONE && is_fixed(p, program_source(a, OPERAND_MEMBERMASK))))
            continue;
        for (size_t k = 0; k < p->instructions_count; k++)
            if (k != i && p->instructions[k].op == OP_WARP && p->instructions[k].form == a->form)
                return true;
    }
    return false;
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
