#include "ptx/text/warp.h"

#include <string.h>

static struct operand_rule source_rule(const struct warp_form_info *info)
{
    struct operand_rule rule;
    switch (info->type) {
    case WARP_PRED:
        rule = operand_rule_source("a", PTX_PRED);
        rule.negate = true;
        return rule;
    case WARP_B64:
        return operand_rule_source("a", PTX_B64);
    case WARP_F32:
        return operand_rule_source("a", PTX_F32);
    case WARP_B32:
        /* redux.and, or, xor: the assembler refuses f32 registers, which shfl and match take. */
        return operand_rule_source("a", info->family == WARP_REDUX_SYNC ? PTX_U32 : PTX_B32);
    case WARP_U32:
    case WARP_S32:
    case WARP_NO_SOURCE:
        break;
    }
    return operand_rule_source("a", PTX_U32);
}

static struct operand_rule destination_rule(const struct warp_form_info *info)
{
    if (info->type == WARP_PRED && info->op != WARP_BALLOT)
        return operand_rule_destination("the destination", PTX_PRED);
    if (info->type == WARP_F32)
        return operand_rule_destination("d", PTX_F32);
    if (info->family == WARP_MATCH_SYNC || info->family == WARP_REDUX_SYNC)
        return operand_rule_destination("d", PTX_U32);
    return operand_rule_destination("d", PTX_B32);
}

bool warp_slot_rule(const struct warp_form_info *info, enum warp_slot slot, struct operand_rule *rule)
{
    switch (slot) {
    case SLOT_GUARD:
        *rule = operand_rule_destination("the guard", PTX_PRED);
        return true;
    case SLOT_D:
        *rule = destination_rule(info);
        rule->sink = info->destinations >> WARP_DST_SINK_P & 1u;
        return true;
    case SLOT_P:
        *rule = operand_rule_destination("p", PTX_PRED);
        rule->sink = info->destinations >> WARP_DST_D_SINK & 1u;
        return true;
    case SLOT_A:
        *rule = source_rule(info);
        return info->type != WARP_NO_SOURCE;
    case SLOT_B:
    case SLOT_C:
        *rule = operand_rule_source(slot == SLOT_B ? "b" : "c", PTX_B32);
        return warp_form_is_shfl(info);
    case SLOT_MEMBERMASK:
        *rule = operand_rule_integer("membermask");
        return warp_form_is_sync(info);
    case SLOTS:
        break;
    }
    return false;
}

struct ptx_operand *warp_slot_operand(struct ptx_instruction *i, enum warp_slot slot)
{
    struct ptx_operand *operands[SLOTS] = {&i->guard, &i->d, &i->p, &i->a, &i->b, &i->c, &i->membermask};
    return operands[slot];
}

static const struct warp_form_info *nearest_form(const char *name)
{
    const struct warp_form_info *best = NULL;
    size_t best_size = 3;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        size_t size = 0;
        while (name[size] != '\0' && name[size] == info->name[size])
            size++;
        if (size > best_size) {
            best = info;
            best_size = size;
        }
    }
    return best;
}

static bool find_form(const struct statement *s, const struct warp_form_info **info, struct warp_text_error *error)
{
    *info = warp_form_find(s->name);
    if (*info)
        return true;
    const struct warp_form_info *nearest = nearest_form(s->name);
    return error_at(error, s->opcode.line, s->opcode.column, "%s is no form of a warp instruction%s%s%s", s->name,
                    nearest ? " (nearest: " : "", nearest ? nearest->name : "", nearest ? ")" : "");
}

static bool check_count(const struct statement *s, const struct warp_form_info *info, struct warp_text_error *error)
{
    static const char *const shapes[WARP_FAMILIES] = {
        "d[|p], a, b, c, membermask", "d[|p], a, b, c", "d, a, membermask", "d, a", NULL, "d, a, membermask", "d"};
    struct operand_rule rule;
    size_t expected = 1;
    for (enum warp_slot slot = SLOT_A; slot < SLOTS; slot++)
        expected += warp_slot_rule(info, slot, &rule);
    if (s->operands_count == expected)
        return true;
    const char *shape = shapes[info->family];
    if (!shape)
        shape = info->op == WARP_ALL ? "d[|p], a, membermask" : "d, a, membermask";
    const struct token *at = s->operands_count > expected ? &s->operands[expected].x.token : &s->end;
    return error_at(error, at->line, at->column, "%s takes %zu operands (%s), not %zu", info->name, expected, shape,
                    s->operands_count);
}

static bool find_destinations(const struct statement_operand *o, const struct warp_form_info *info, enum warp_dst *dst,
                              struct warp_text_error *error)
{
    const struct token *t = &o->x.token;
    bool first_sink = token_is(t, "_");
    bool second_sink = o->bar && token_is(&o->y.token, "_");
    if (o->bar && first_sink && second_sink)
        return error_at(error, t->line, t->column, "only one of the destinations can be the sink _");
    if (!o->bar)
        *dst = WARP_DST_D;
    else
        *dst = first_sink ? WARP_DST_SINK_P : second_sink ? WARP_DST_D_SINK : WARP_DST_D_P;
    if (!o->bar && first_sink)
        return error_at(error, t->line, t->column, "the sink _ cannot be the only destination");
    if (info->destinations >> *dst & 1u)
        return true;
    if (!(info->destinations >> WARP_DST_D_P & 1u))
        return error_at(error, t->line, t->column, "%s has one destination, not %s", info->name, warp_dst_name(*dst));
    return error_at(error, t->line, t->column, "%s does not take the destination %s", info->name, warp_dst_name(*dst));
}

static bool make_destinations(const struct statement *s, const struct warp_form_info *info, struct ptx_instruction *out,
                              struct warp_text_error *error)
{
    struct operand_rule rule;
    const struct statement_operand *o = &s->operands[0];
    warp_slot_rule(info, SLOT_D, &rule);
    if (!find_destinations(o, info, &out->dst, error) || !operand_make(&o->x, &rule, &out->d, error))
        return false;
    warp_slot_rule(info, SLOT_P, &rule);
    return !o->bar || operand_make(&o->y, &rule, &out->p, error);
}

static bool make_sources(const struct statement *s, const struct warp_form_info *info, struct ptx_instruction *out,
                         struct warp_text_error *error)
{
    struct operand_rule rule;
    size_t n = 1;
    for (enum warp_slot slot = SLOT_A; slot < SLOTS; slot++) {
        if (!warp_slot_rule(info, slot, &rule))
            continue;
        const struct statement_operand *o = &s->operands[n++];
        if (o->bar)
            return error_at(error, o->x.token.line, o->x.token.column, "only destinations are written with |");
        if (!operand_make(&o->x, &rule, warp_slot_operand(out, slot), error))
            return false;
    }
    out->negate = info->type == WARP_PRED && s->operands[1].x.negated;
    return true;
}

static bool make_guard(const struct statement *s, struct ptx_instruction *out, struct warp_text_error *error)
{
    struct operand_rule rule = operand_rule_destination("the guard", PTX_PRED);
    struct statement_value value = {.token = s->guard};
    out->guard_negate = s->guard_negate;
    return !s->has_guard || operand_make(&value, &rule, &out->guard, error);
}

/* The earlier operand with the same name, if the two uses allow no common type, else SLOTS. */
static enum warp_slot conflicting_use(struct ptx_instruction *i, const struct warp_form_info *info, enum warp_slot slot)
{
    struct operand_rule rule, other_rule;
    const struct ptx_operand *o = warp_slot_operand(i, slot);
    if (o->kind != PTX_REGISTER || !warp_slot_rule(info, slot, &rule))
        return SLOTS;
    for (enum warp_slot other = 0; other < slot; other++) {
        const struct ptx_operand *p = warp_slot_operand(i, other);
        if (p->kind == PTX_REGISTER && strcmp(p->name, o->name) == 0 && warp_slot_rule(info, other, &other_rule) &&
            !(rule.types & other_rule.types))
            return other;
    }
    return SLOTS;
}

static bool check_uses(struct ptx_instruction *i, const struct warp_form_info *info, struct warp_text_error *error)
{
    for (enum warp_slot slot = 0; slot < SLOTS; slot++) {
        enum warp_slot other = conflicting_use(i, info, slot);
        if (other == SLOTS)
            continue;
        struct operand_rule rule, other_rule;
        const struct ptx_operand *o = warp_slot_operand(i, slot);
        warp_slot_rule(info, slot, &rule);
        warp_slot_rule(info, other, &other_rule);
        return error_at(error, o->line, o->column, "%s cannot be both %s and %s: their types differ", o->name,
                        other_rule.what, rule.what);
    }
    return true;
}

static bool check_shapes(const struct statement *s, struct warp_text_error *error)
{
    for (size_t n = 0; n < s->operands_count; n++)
        if (s->operands[n].pair)
            return error_at(error, s->operands[n].x.token.line, s->operands[n].x.token.column,
                            "%s takes no {...} operand: move the pair to a register first", s->name);
    return true;
}

bool warp_from_statement(const struct statement *s, struct ptx_instruction *out, struct warp_text_error *error)
{
    const struct warp_form_info *info;
    memset(out, 0, sizeof *out);
    if (!find_form(s, &info, error) || !check_shapes(s, error) || !check_count(s, info, error))
        return false;
    out->form = info->form;
    return make_guard(s, out, error) && make_destinations(s, info, out, error) && make_sources(s, info, out, error) &&
           check_uses(out, info, error);
}
