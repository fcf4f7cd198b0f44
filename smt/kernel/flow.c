/*
 * Where the values of an abstracted operation flow: which registers hold them, and what each instruction does with
 * them. They may be moved, combined, and thrown away; nothing else may look at them.
 */
#include "smt/kernel/symbolic.h"

#include <string.h>

struct flow {
    const struct program *program;
    const struct symbolic_operation *operation;
    enum symbolic_kind *kinds; /* of each register, so far */
};

bool symbolic_same_operation(const struct symbolic_operation *x, enum program_op op, enum ptx_type type, bool nan)
{
    bool any_sign =
        op == PROGRAM_ADD || op == PROGRAM_MUL || op == PROGRAM_AND || op == PROGRAM_OR || op == PROGRAM_XOR;
    if (x->op != op || x->nan != nan || ptx_type_bits(x->type) != ptx_type_bits(type))
        return false;
    return x->type == type || (any_sign && x->type != PTX_F32 && type != PTX_F32);
}

static enum symbolic_kind kind_of(const struct flow *f, const struct program_operand *o)
{
    return o->kind == PROGRAM_REGISTER ? f->kinds[o->reg] : SYMBOLIC_PLAIN;
}

/* A guard leaves the old value in some lanes, which then must be of the same kind. */
static bool writes(struct flow *f, const struct program_instruction *i, unsigned n, enum symbolic_kind kind)
{
    const struct program_operand *o = &i->dsts[n];
    enum symbolic_kind old;
    if (o->kind != PROGRAM_REGISTER)
        return true;
    old = f->kinds[o->reg];
    if (i->guard.kind == PROGRAM_REGISTER && old != SYMBOLIC_UNWRITTEN && old != kind)
        return false;
    f->kinds[o->reg] = kind;
    return true;
}

static bool breaks(struct flow *f, const struct program_instruction *i, enum symbolic_step *step)
{
    *step = SYMBOLIC_BREAKS;
    return writes(f, i, 0, SYMBOLIC_BROKEN);
}

static enum program_op redux_op(const struct warp_form_info *info)
{
    switch (info->op) {
    case WARP_ADD:
        return PROGRAM_ADD;
    case WARP_MIN:
        return PROGRAM_MIN;
    case WARP_MAX:
        return PROGRAM_MAX;
    case WARP_AND:
        return PROGRAM_AND;
    case WARP_OR:
        return PROGRAM_OR;
    default:
        return PROGRAM_XOR;
    }
}

static enum ptx_type redux_type(const struct warp_form_info *info)
{
    return info->type == WARP_F32   ? PTX_F32
           : info->type == WARP_S32 ? PTX_S32
           : info->type == WARP_U32 ? PTX_U32
                                    : PTX_B32;
}

/* redux of inputs whose absolute values are meant takes .abs; of other values it must not. */
static bool flow_redux(struct flow *f, const struct program_instruction *i, enum symbolic_kind a,
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

static bool flow_warp(struct flow *f, const struct program_instruction *i, enum symbolic_step *step)
{
    const struct warp_form_info *info = warp_form_get(i->form);
    enum symbolic_kind a = kind_of(f, &i->srcs[PROGRAM_A]);
    for (unsigned n = PROGRAM_B; n <= PROGRAM_MEMBERMASK; n++)
        if (kind_of(f, &i->srcs[n]) != SYMBOLIC_PLAIN)
            return false;
    if (info->family == WARP_REDUX_SYNC)
        return flow_redux(f, i, a, step);
    if (info->family == WARP_MATCH_SYNC && a == SYMBOLIC_KEY)
        a = SYMBOLIC_PLAIN;
    if (!warp_form_is_shfl(info) && a != SYMBOLIC_PLAIN)
        return false;
    return writes(f, i, 0, a) && writes(f, i, 1, SYMBOLIC_PLAIN);
}

/* Both halves of a 64-bit value are the value; so they may be moved and put together again, and nothing else. */
static bool flow_halves(struct flow *f, const struct program_instruction *i, enum symbolic_step *step)
{
    enum symbolic_kind a = kind_of(f, &i->srcs[0]), b = kind_of(f, &i->srcs[1]);
    if (i->op == PROGRAM_UNPACK) {
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

static bool flow_arithmetic(struct flow *f, const struct program_instruction *i, enum symbolic_step *step)
{
    unsigned sources = program_op_get(i->op)->sources;
    bool plain = true, products = true;
    for (unsigned n = 0; n < sources; n++) {
        enum symbolic_kind kind = kind_of(f, &i->srcs[n]);
        if (kind == SYMBOLIC_LOW || kind == SYMBOLIC_HIGH || kind == SYMBOLIC_KEY)
            return false;
        plain = plain && kind == SYMBOLIC_PLAIN;
        products = products && kind == SYMBOLIC_PRODUCT;
    }
    if (plain)
        return writes(f, i, 0, SYMBOLIC_PLAIN);
    if (i->op == PROGRAM_ABS && i->type == PTX_F32 && kind_of(f, &i->srcs[0]) == SYMBOLIC_SIGNED) {
        *step = SYMBOLIC_PASSES;
        return writes(f, i, 0, SYMBOLIC_PRODUCT);
    }
    if (!products || sources != 2 || !symbolic_same_operation(f->operation, i->op, i->type, i->nan))
        return breaks(f, i, step);
    *step = SYMBOLIC_COMBINES;
    return writes(f, i, 0, SYMBOLIC_PRODUCT);
}

static bool compares_equality(const struct program_instruction *i)
{
    return i->type != PTX_F32 && (i->compare == PROGRAM_EQ || i->compare == PROGRAM_NE);
}

static bool flow_step(struct flow *f, const struct program_instruction *i, enum symbolic_step *step)
{
    enum symbolic_kind a = kind_of(f, &i->srcs[0]), b = kind_of(f, &i->srcs[1]);
    *step = SYMBOLIC_AS_IT_IS;
    if (kind_of(f, &i->guard) != SYMBOLIC_PLAIN)
        return false;
    switch (i->op) {
    case PROGRAM_WARP:
        return flow_warp(f, i, step);
    case PROGRAM_EXIT:
        return true;
    case PROGRAM_MOV:
        return writes(f, i, 0, a);
    case PROGRAM_SELP:
        return a == b && writes(f, i, 0, a);
    case PROGRAM_SETP:
        return a == b && (a == SYMBOLIC_PLAIN || (a == SYMBOLIC_KEY && compares_equality(i))) &&
               writes(f, i, 0, SYMBOLIC_PLAIN);
    case PROGRAM_PACK:
    case PROGRAM_UNPACK:
        return flow_halves(f, i, step);
    case PROGRAM_POPC:
    case PROGRAM_CLZ:
        return a == SYMBOLIC_PLAIN && writes(f, i, 0, SYMBOLIC_PLAIN);
    default:
        return flow_arithmetic(f, i, step);
    }
}

bool symbolic_flow(struct symbolic *x)
{
    const struct program *p = x->program;
    struct flow f = {p, &x->operation, x->last_kind};
    memcpy(x->last_kind, x->first_kind, p->registers_count * sizeof *x->last_kind);
    for (size_t k = 0; k < p->instructions_count; k++)
        if (!flow_step(&f, &p->instructions[k], &x->steps[k]))
            return false;
    return true;
}

bool symbolic_combines(const struct symbolic *x)
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
    default:
        if (x->values == SYMBOLIC_CONCRETE || x->values == SYMBOLIC_PAIRS)
            return last[c->reg] == SYMBOLIC_PLAIN && first[c->of] == SYMBOLIC_PLAIN;
        return c->kind != PROGRAM_CLAIM_EXSCAN && last[c->reg] == SYMBOLIC_PRODUCT &&
               first[c->of] == SYMBOLIC_PRODUCT && symbolic_same_operation(&x->operation, c->op, c->type, false);
    }
}
