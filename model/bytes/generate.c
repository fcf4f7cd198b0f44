#include "choices.h"

#include <string.h>

/* What the operands of lanes that are not active become. */
struct garbage {
    uint32_t kind;
    uint32_t words[WARP_LANES];
    uint32_t idle[WARP_LANES]; /* all bits where the lane is not active, else none */
};

static struct garbage choose_garbage(struct choices *choices, lanemask active)
{
    struct garbage g = {.kind = choose_among(choices, 4)};
    struct words s = choose_words(choices);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        g.words[lane] = next_word(&s);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        g.idle[lane] = word_of(active, lane, 0u, UINT32_MAX);
    return g;
}

/* `bits` are those that the operand has. There are no branches on the lane masks, because no processor could predict
 * them. */
static void spoil(uint32_t operand[WARP_LANES], const struct garbage *g, uint32_t factor, uint32_t bits)
{
    const uint32_t opposite = g->kind == 0 ? UINT32_MAX : 0u; /* of what an active lane would have had */
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] ^= ((opposite ? UINT32_MAX : operand[lane] ^ g->words[lane] * factor)) & g->idle[lane] & bits;
}

static void spoil_membermasks(uint32_t membermask[WARP_LANES], const struct garbage *g, lanemask active)
{
    const lanemask of_an_active_lane = active != 0 ? membermask[31 - __builtin_clz(active)] : 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t word = g->words[lane];
        const lanemask garbage = g->kind < 2 ? of_an_active_lane : g->kind == 2 ? UINT32_MAX : word ^ word << 13;
        membermask[lane] ^= (membermask[lane] ^ garbage) & g->idle[lane];
    }
}

/* Gives lanes that are not active other operands than the active ones, so that reading them shows. */
static void generate_garbage(struct choices *choices, const struct warp_form_info *info, struct warp_case *c)
{
    if (c->active == UINT32_MAX ||
        choose(choices) >= 248) /* rarely none: a change of other bytes is then easier to see */
        return;
    const struct garbage g = choose_garbage(choices, c->active);
    if (info->type != WARP_NO_SOURCE)
        spoil(c->a, &g, 1u, info->type == WARP_PRED ? 1u : UINT32_MAX);
    if (info->type == WARP_B64)
        spoil(c->a_high, &g, 0x9e3779b1u, UINT32_MAX);
    if (warp_form_is_shfl(info)) {
        spoil(c->b, &g, 0x85ebca6bu, UINT32_MAX);
        spoil(c->c, &g, 0xc2b2ae35u, UINT32_MAX);
    }
    if (warp_form_is_sync(info))
        spoil_membermasks(c->membermask, &g, c->active);
}

/* An operand that the form lacks is 0 in each lane. Each is written once: to clear the whole case first costs more than
 * most of what is drawn. */
void generate_body(struct choices *choices, struct warp_case *c)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    memset(c->reserved, 0, sizeof c->reserved);
    generate_lanes(choices, c);
    if (warp_form_is_sync(info))
        generate_membermasks(choices, c);
    else
        fill(c->membermask, 0);
    generate_source(choices, info->type, c);
    if (warp_form_is_shfl(info)) {
        generate_shfl(choices, info->op, c);
    } else {
        fill(c->b, 0);
        fill(c->c, 0);
    }
    generate_garbage(choices, info, c);
}
