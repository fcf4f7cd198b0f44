#include "warpcheck/impl.h"

#include <string.h>

_Static_assert(sizeof(struct warp_case) == 704, "part of the plugin ABI");
_Static_assert(sizeof(struct warp_result) == 320, "part of the plugin ABI");

uint32_t warp_form_least_target(const struct warp_form_info *info)
{
    const struct warp_target_info *t;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        if (warp_legal_from(info, t->target) != 0)
            return t->target;
    return 0;
}

/* Bits that an element of an operand may have. */
struct operand_limits {
    uint32_t a, a_high, b, c, membermask;
};

static struct operand_limits limits_of(const struct warp_form_info *info)
{
    struct operand_limits limits = {0};
    limits.a = info->type == WARP_PRED ? 1u : info->type == WARP_NO_SOURCE ? 0u : UINT32_MAX;
    limits.a_high = info->type == WARP_B64 ? UINT32_MAX : 0u;
    limits.b = limits.c = warp_form_is_shfl(info) ? UINT32_MAX : 0u;
    limits.membermask = warp_form_is_sync(info) ? UINT32_MAX : 0u;
    return limits;
}

static bool exceeds(const uint32_t operand[WARP_LANES], uint32_t allowed)
{
    uint32_t all = 0;
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        all |= operand[lane];
    return (all & ~allowed) != 0;
}

static const char *check_operands(const struct warp_case *c, const struct warp_form_info *info)
{
    struct operand_limits limits = limits_of(info);
    if (exceeds(c->a, limits.a))
        return info->type == WARP_PRED ? "a is a predicate: its values are 0 and 1"
                                       : "the instruction has no operand a";
    if (exceeds(c->a_high, limits.a_high))
        return "a has 32 bits in this instruction";
    if (exceeds(c->b, limits.b))
        return "the instruction has no operand b";
    if (exceeds(c->c, limits.c))
        return "the instruction has no operand c";
    if (exceeds(c->membermask, limits.membermask))
        return "the instruction has no membermask";
    return NULL;
}

const char *warp_case_check(const struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    if (info == NULL)
        return "unknown instruction form";
    if (warp_target_name(c->target) == NULL)
        return "unknown target";
    if (warp_legal_from(info, c->target) == 0)
        return "the instruction is legal for this target in no PTX version";
    if (c->dst >= WARP_DST_COUNT || !(info->destinations >> c->dst & 1u))
        return "the instruction does not take these destinations";
    if (c->negate > 1 || (c->negate == 1 && info->type != WARP_PRED))
        return "only a source predicate can be negated";
    if (c->active & c->exited)
        return "a lane is both active and exited";
    for (size_t i = 0; i < sizeof c->reserved / sizeof c->reserved[0]; i++)
        if (c->reserved[i] != 0)
            return "a reserved field is not zero";
    return check_operands(c, info);
}

static void limit(uint32_t operand[WARP_LANES], uint32_t allowed)
{
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        operand[lane] &= allowed;
}

/* The target for a damaged number: the number itself when it is a legal target, else a known target chosen by it. */
static uint32_t repaired_target(const struct warp_form_info *info, uint32_t target)
{
    size_t count = 0;
    if (warp_legal_from(info, target) != 0) /* of an unknown target: 0 */
        return target;
    while (warp_target_get(count) != NULL)
        count++;
    for (size_t i = 0; i < count; i++) {
        const struct warp_target_info *t = warp_target_get((target + i) % count);
        if (warp_legal_from(info, t->target) != 0)
            return t->target;
    }
    return warp_form_least_target(info);
}

void warp_case_repair(struct warp_case *c)
{
    const struct warp_form_info *info;
    struct operand_limits limits;
    c->form %= WARP_FORMS;
    info = warp_form_get(c->form);
    c->target = repaired_target(info, c->target);
    c->dst %= WARP_DST_COUNT;
    if (!(info->destinations >> c->dst & 1u))
        c->dst = warp_form_first_dst(info);
    c->negate = info->type == WARP_PRED ? c->negate & 1u : 0u;
    c->active &= ~c->exited;
    memset(c->reserved, 0, sizeof c->reserved);
    limits = limits_of(info);
    limit(c->a, limits.a);
    limit(c->a_high, limits.a_high);
    limit(c->b, limits.b);
    limit(c->c, limits.c);
    limit(c->membermask, limits.membermask);
}

void warp_case_init(struct warp_case *c, enum warp_form form)
{
    const struct warp_form_info *info = warp_form_get(form);
    memset(c, 0, sizeof *c);
    c->form = form;
    c->target = warp_form_least_target(info);
    c->dst = warp_form_first_dst(info);
    c->active = UINT32_MAX;
    if (warp_form_is_sync(info))
        for (size_t lane = 0; lane < WARP_LANES; lane++)
            c->membermask[lane] = UINT32_MAX;
}

bool warp_impl_accepts(const struct warp_impl *impl, const struct warp_case *c, char *why, size_t why_size)
{
    return impl->accepts == NULL || impl->accepts(impl->state, c, why, why_size);
}
