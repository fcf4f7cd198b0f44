/*
 * The call that an input spells out behind its case: which cases, one after another.
 */
#include "fuzz/mutate.h"

#include <string.h>

/* The base's operands with this form, and one of its destinations. */
static uint8_t step_of(struct mutation *m, uint32_t form)
{
    return (uint8_t)(DERIVED_MAX + 1 + form + WARP_FORMS * mutation_below(m, 3));
}

/* The base, one of its relatives, or another form with its operands; or cases once more. */
static uint8_t draw_step(struct mutation *m)
{
    if (mutation_below(m, 16) == 0)
        return mutation_below(m, 2) ? DERIVED_AGAIN : DERIVED_MORE;
    const uint32_t kind = mutation_below(m, 4), form = kind < 3 ? WARP_FORMS : mutation_learned_form(m);
    if (form < WARP_FORMS)
        return step_of(m, form);
    return (uint8_t)(kind < 1   ? 0
                     : kind < 2 ? 1 + mutation_below(m, DERIVED_MAX)
                                : DERIVED_MAX + 1 + mutation_below(m, 255 - DERIVED_MAX));
}

static void insert_step(struct mutation_order *order, size_t at, uint8_t step)
{
    if (order->n == DERIVED_ORDER_MAX)
        order->n--;
    at = at < order->n ? at : order->n;
    memmove(order->steps + at + 1, order->steps + at, order->n - at);
    order->steps[at] = step;
    order->n++;
}

#define SHORT 8u /* steps: longer calls rather lose one */
static void change_order(struct mutation *m, struct mutation_order *order)
{
    const size_t at = order->n > 0 ? mutation_below(m, (uint32_t)order->n) : 0;
    const uint8_t step = order->n > 0 && mutation_below(m, 3) == 0 ? order->steps[at] : draw_step(m);
    const uint32_t rule = order->n > SHORT && mutation_below(m, 2) ? 2 : mutation_below(m, 8);
    switch (order->n == 0 ? 0 : rule) {
    case 0: /* a case, another, and the first again */
        insert_step(order, at, step);
        insert_step(order, at + 1, draw_step(m));
        insert_step(order, at + 2, step);
        break;
    case 1: /* again and again */
        for (uint32_t left = 1 + mutation_below(m, 8); left > 0; left--)
            insert_step(order, at, order->steps[at]);
        break;
    case 2:
        order->n--;
        memmove(order->steps + at, order->steps + at + 1, order->n - at);
        break;
    case 3:
    case 4:
        order->steps[at] = step;
        break;
    case 5: /* in front, behind */
        insert_step(order, mutation_below(m, 2) ? 0 : order->n, step);
        break;
    default:
        insert_step(order, at, step);
        break;
    }
}

void mutate_order_for(struct mutation *m, struct feedback_pair pair)
{
    const bool may_be_form = pair.x < WARP_FORMS && pair.y < WARP_FORMS && mutation_below(m, 2);
    const size_t at = mutation_below(m, (uint32_t)m->order.n + 1);
    if (!may_be_form)
        change_order(m, &m->order);
    else if (at == m->order.n || mutation_below(m, 2))
        insert_step(&m->order, at, step_of(m, mutation_form_for(m, pair)));
    else
        m->order.steps[at] = step_of(m, mutation_form_for(m, pair));
}

bool mutate_order(struct mutation *m)
{
    struct mutation_order *const order = &m->order;
    if (!mutation_has_learned() || mutation_below(m, order->n > 0 ? 2 : 10) != 0) {
        if (order->n > 0 && mutation_below(m, 8) == 0)
            order->n = 0;
        return false;
    }
    for (uint32_t left = 1 + mutation_below(m, 2); left > 0; left--)
        change_order(m, order);
    return mutation_below(m, 4) != 0;
}
