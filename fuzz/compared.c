/*
 * What the code under test tells of itself, put into cases: the values that it compared, in the place of each other.
 */
#include "fuzz/seek.h"

static const struct feedback *learned;

void mutation_learn(const struct feedback *from)
{
    learned = from;
}

const struct feedback *mutation_learned(void)
{
    return learned;
}

bool mutation_has_learned(void)
{
    return learned != NULL && (learned->words_count > 0 || learned->used > 0);
}

uint32_t mutation_learned_word(struct mutation *m)
{
    const uint32_t used = learned != NULL ? learned->used : 0;
    if (used > 0 && used <= FEEDBACK_SITES && (learned->words_count == 0 || mutation_below(m, 2))) {
        const struct feedback_site *const site =
            &learned->sites[learned->order[mutation_below(m, used)] % FEEDBACK_SITES];
        const struct feedback_pair pair = site->pairs[mutation_below(m, FEEDBACK_PAIRS)];
        const uint64_t value = mutation_below(m, 4) ? pair.y : pair.x;
        return (uint32_t)(mutation_below(m, 4) ? value : value >> 32);
    }
    if (learned != NULL && learned->words_count > 0 && learned->words_count <= FEEDBACK_WORDS)
        return learned->words[mutation_below(m, learned->words_count)];
    return mutation_draw(m);
}

/* The bytes of a word that a value or another fills: code often compares a part of a word. */
static uint32_t bytes_of(uint32_t value)
{
    uint32_t bytes = 0;
    for (uint32_t shift = 0; shift < 32; shift += 8)
        bytes |= value >> shift & 0xffu ? 0xffu << shift : 0;
    return bytes;
}

/* The lane that is compared where that is known, else any, and lane 0 oftener. */
static uint32_t some_lane(struct mutation *m)
{
    if (m->lane < WARP_LANES)
        return m->lane;
    return mutation_below(m, 3) ? mutation_below(m, WARP_LANES) : 0;
}

/* Puts a value into a word of the case, or into some of its bytes: of one lane, of a few, of all. */
static void put_value(struct mutation *m, uint64_t value)
{
    uint32_t *const operand = mutation_operand_of(m, mutation_draw(m));
    const uint32_t lane = some_lane(m);
    const uint32_t word = (uint32_t)value + (mutation_below(m, 8) ? 0 : mutation_below(m, 3) - 1);
    const uint32_t bytes = mutation_below(m, 2) ? UINT32_MAX : bytes_of(word);
    const uint32_t shift = bytes == UINT32_MAX || mutation_below(m, 2) ? 0 : 8 * mutation_below(m, 4);
    const lanemask lanes = m->lane < WARP_LANES        ? 1u << lane
                           : mutation_below(m, 3) == 0 ? UINT32_MAX
                           : mutation_below(m, 4) == 0 ? mutation_mask(m)
                                                       : 1u << lane;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (lanes >> i & 1u) {
            operand[i] = (operand[i] & ~(bytes << shift)) | (word & bytes) << shift;
            if (operand == m->c->a && m->info->type == WARP_B64 && value >> 32 != 0)
                m->c->a_high[i] = (uint32_t)(value >> 32);
        }
}

/* A mask as the lanes that take part: all of them together, with others elsewhere or exited. */
static void put_mask(struct mutation *m, lanemask mask)
{
    switch (mutation_below(m, 5)) {
    case 0:
        m->c->active = mask & ~m->c->exited;
        break;
    case 1:
        m->c->exited = mask;
        m->c->active &= ~mask;
        break;
    case 2: /* together, the others exited */
        m->c->active = mask;
        m->c->exited = ~mask;
        mutation_set_group(m->c, UINT32_MAX, mask);
        break;
    case 3: /* together, the others elsewhere or in their own group */
        m->c->active |= mask;
        m->c->exited &= ~mask;
        mutation_set_group(m->c, ~mask, ~mask);
        mutation_set_group(m->c, mask, mask);
        break;
    default:
        if (m->info->type == WARP_PRED) /* what the lanes vote */
            for (uint32_t i = 0; i < WARP_LANES; i++)
                m->c->a[i] = mask >> i & 1u;
        else
            mutation_set_group(m->c, UINT32_MAX, mask);
        break;
    }
}

/* A number of lanes, or of one lane. */
static void put_small(struct mutation *m, uint32_t value)
{
    lanemask mask = 0;
    if (mutation_below(m, 2)) { /* so many lanes */
        const uint32_t start = mutation_below(m, WARP_LANES), step = 1 + 2 * mutation_below(m, 16);
        for (uint32_t i = 0; i < value && i < WARP_LANES; i++)
            mask |= 1u << (start + i * step) % WARP_LANES;
    } else if (mutation_below(m, 2)) { /* that lane is the first, or the last */
        mask = mutation_below(m, 2) ? mutation_draw(m) << (value & 31u) | 1u << (value & 31u)
                                    : mutation_draw(m) >> (31u - (value & 31u)) | 1u << (value & 31u);
    } else {
        mask = 1u << (value & 31u);
    }
    if (mutation_below(m, 3) == 0)
        mutation_operand_of(m, mutation_draw(m))[some_lane(m)] = mask;
    else
        put_mask(m, mask);
}

/* Puts `to` in the place of `from`, which is the whole word or these bytes of it. False: it is not there. */
static bool replace_part(uint32_t *word, uint32_t from, uint32_t to, uint32_t bytes)
{
    for (uint32_t shift = 0; shift < 32; shift += 8)
        if (bytes << shift >> shift == bytes && (*word >> shift & bytes) == (from & bytes)) {
            *word = (*word & ~(bytes << shift)) | (to & bytes) << shift;
            return true;
        }
    return false;
}

/* The fields that the whole warp has, where one holds `from`. */
static bool replace_field(struct mutation *m, uint32_t from, uint32_t to)
{
    uint32_t *const fields[] = {&m->c->target, &m->c->dst, &m->c->negate};
    const uint32_t first = mutation_below(m, 3);
    for (uint32_t k = 0; k < 3; k++)
        if (*fields[(first + k) % 3] == from) {
            *fields[(first + k) % 3] = to;
            return true;
        }
    if (m->c->form != from || to >= WARP_FORMS || !(m->families >> warp_form_get(to)->family & 1u))
        return false;
    m->c->form = to;
    m->info = warp_form_get(to);
    return true;
}

/* Where a word of the case holds the one value, whole or as a part, puts the other. True when some word did. */
static bool replace_value(struct mutation *m, uint64_t from, uint64_t to, unsigned size)
{
    const uint32_t start = some_lane(m), first = mutation_below(m, 5);
    const uint32_t whole = size == 1 ? 0xffu : size == 2 ? 0xffffu : UINT32_MAX;
    const uint32_t part = mutation_below(m, 2) ? bytes_of((uint32_t)(from | to)) & whole : whole;
    const bool all = mutation_below(m, 4) == 0;
    bool found = false;
    if (mutation_below(m, 4) == 0 && replace_field(m, (uint32_t)from, (uint32_t)to))
        return true;
    for (uint32_t k = 0; k < 5 && part != 0; k++) {
        uint32_t *const operand = mutation_operand_of(m, first + k);
        for (uint32_t n = 0; n < WARP_LANES && (all || !found); n++) {
            const uint32_t lane = (start + n) % WARP_LANES;
            if (!replace_part(&operand[lane], (uint32_t)from, (uint32_t)to, part))
                continue;
            if (operand == m->c->a && size == 8)
                m->c->a_high[lane] = (uint32_t)(to >> 32);
            found = true;
        }
        if (found)
            return true;
    }
    if (m->c->active == (uint32_t)from || m->c->exited == (uint32_t)from) {
        put_mask(m, (lanemask)to);
        return true;
    }
    return false;
}

/* Adds what the values differ by to a word: right where what was compared is a sum, a difference or an xor of it. */
static void add_difference(struct mutation *m, uint64_t from, uint64_t to)
{
    uint32_t *const word = &mutation_operand_of(m, mutation_draw(m))[some_lane(m)];
    const uint32_t shift = mutation_below(m, 4) ? 0 : mutation_below(m, 32);
    switch (mutation_below(m, 8)) {
    case 0:
    case 1:
        *word += (uint32_t)(to - from) << shift;
        break;
    case 2:
    case 3:
        *word -= (uint32_t)(to - from) << shift;
        break;
    case 4:
    case 5:
    case 6:
        *word ^= (uint32_t)(to ^ from) << shift;
        break;
    default:
        put_mask(m, m->c->active ^ (uint32_t)(to ^ from) << shift);
        break;
    }
}

/* Has the form y where some form has x: in its number, its family, its operation or its type? */
static bool has_part(const struct warp_form_info *info, uint64_t y, uint32_t part)
{
    const uint32_t parts[] = {info->form, (uint32_t)info->family, (uint32_t)info->op, (uint32_t)info->type};
    return parts[part] == y;
}

uint32_t mutation_form_for(struct mutation *m, struct feedback_pair pair)
{
    const uint32_t start = mutation_below(m, WARP_FORMS), part = mutation_below(m, 4);
    for (uint32_t tries = 0; tries < 2; tries++) /* the value, then any */
        for (uint32_t i = 0; i < WARP_FORMS; i++) {
            const struct warp_form_info *const info = warp_form_get((start + i) % WARP_FORMS);
            if ((m->families >> info->family & 1u) && (tries > 0 || has_part(info, pair.y, part)))
                return info->form;
        }
    return m->c->form;
}

/* Another form with the same operands, target and destination, for what is compared may depend on the form alone. */
static void put_form(struct mutation *m, struct feedback_pair pair)
{
    m->c->form = mutation_form_for(m, pair);
    m->info = warp_form_get(m->c->form);
}

void mutation_bring_together(struct mutation *m, struct feedback_pair pair, uint8_t bytes)
{
    if (mutation_below(m, 4) == 0)
        pair = (struct feedback_pair){pair.y, pair.x};
    if (pair.x < WARP_FORMS && pair.y < WARP_FORMS && mutation_below(m, 8) == 0) {
        put_form(m, pair);
        return;
    }
    if ((pair.x == 0 || pair.y == 0) && mutation_below(m, 3) != 0) { /* a difference that was compared with nothing */
        add_difference(m, pair.x, pair.y);
        return;
    }
    if (pair.x <= WARP_LANES && pair.y <= WARP_LANES && mutation_below(m, 3) != 0 &&
        mutation_fit(m, (uint32_t)pair.x, (uint32_t)pair.y))
        return;
    switch (mutation_below(m, 8)) {
    case 0:
    case 1:
    case 2:
        if (!replace_value(m, pair.x, pair.y, bytes))
            put_value(m, pair.y);
        break;
    case 3:
        add_difference(m, pair.x, pair.y);
        break;
    case 4:
    case 5:
        if (pair.x <= WARP_LANES && pair.y <= WARP_LANES)
            put_small(m, (uint32_t)pair.y);
        else
            put_mask(m, (lanemask)pair.y);
        break;
    default:
        put_value(m, pair.y);
        break;
    }
}

uint32_t mutation_learned_form(struct mutation *m)
{
    const uint32_t used = learned != NULL && learned->used <= FEEDBACK_SITES ? learned->used : 0;
    for (uint32_t tries = 0; used > 0 && tries < 48; tries++) {
        const struct feedback_site *const site =
            &learned->sites[learned->order[mutation_below(m, used)] % FEEDBACK_SITES];
        const struct feedback_pair pair = site->pairs[0];
        const bool of_this_form = m->fresh && site->call == learned->calls && pair.x == m->c->form;
        if (site->count > 0 && pair.x < WARP_FORMS && pair.y < WARP_FORMS &&
            (of_this_form || (tries >= 32 && (site->equal == 0 || tries >= 40))))
            return (uint32_t)(of_this_form || mutation_below(m, 4) ? pair.y : pair.x);
    }
    return WARP_FORMS;
}

void mutate_compared(struct mutation *m)
{
    const uint32_t used = learned != NULL ? learned->used : 0;
    const struct feedback_site *site = NULL;
    const struct seek_place *back;
    if (used == 0 || used > FEEDBACK_SITES) {
        put_value(m, mutation_learned_word(m));
        return;
    }
    if (!m->seeks && mutation_below(m, 2) && (back = seek_back(m)) != NULL) {
        m->lane = back->run < WARP_LANES && mutation_below(m, 4) != 0 ? back->run : WARP_LANES;
        const struct feedback_pair pair = back->pairs[back->run > 0 ? 0 : mutation_below(m, back->count)];
        if (m->order.n > 0 && mutation_below(m, 2))
            mutate_order_for(m, pair);
        else
            mutation_bring_together(m, pair, back->bytes);
        m->lane = WARP_LANES;
        m->enough = mutation_below(m, 4) != 0;
        return;
    }
    for (uint32_t tries = 0; tries < 6; tries++) { /* one that was reached now, and was never equal, if there is */
        site = &learned->sites[learned->order[mutation_below(m, used)] % FEEDBACK_SITES];
        if (site->equal == 0 && (!m->fresh || site->call == learned->calls))
            break;
    }
    mutation_bring_together(
        m,
        site->pairs[mutation_below(m, site->count > 0 && site->count <= FEEDBACK_PAIRS ? site->count : FEEDBACK_PAIRS)],
        site->bytes);
}
