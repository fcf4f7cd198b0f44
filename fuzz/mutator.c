/*
 * The structure-aware mutator and its wrappers for both engines.
 */
#include "fuzz/mutator.h"

#include "check/random.h"

#include <stdlib.h>
#include <string.h>

static uint32_t families = WARP_FAMILY_ALL;

void mutator_set_families(uint32_t set)
{
    families = set & WARP_FAMILY_ALL ? set & WARP_FAMILY_ALL : WARP_FAMILY_ALL;
}

/* What a mutation works on. */
struct mutation {
    struct warp_case *c;
    const struct warp_form_info *info;
    uint64_t state; /* of the random source */
};

static uint32_t draw(struct mutation *m)
{
    m->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(random_mix(m->state) >> 32);
}

static uint32_t below(struct mutation *m, uint32_t n)
{
    return (uint32_t)((uint64_t)draw(m) * n >> 32);
}

/* A lane mask of one of the shapes that code makes: prefix, single lane, tile of a power of two, sparse, dense, full.
 */
static lanemask draw_mask(struct mutation *m)
{
    uint32_t width = 1u << below(m, 6);
    switch (below(m, 8)) {
    case 0:
        return UINT32_MAX;
    case 1:
        return 1u << below(m, 32);
    case 2:
        return UINT32_MAX >> below(m, 32);
    case 3:
        return UINT32_MAX << below(m, 32);
    case 4:
        return (width == 32 ? UINT32_MAX : (1u << width) - 1u) << below(m, 32 / width) * width;
    case 5:
        return (UINT32_MAX >> below(m, 32)) << below(m, 32);
    case 6:
        return draw(m) & draw(m);
    default:
        return draw(m);
    }
}

static uint32_t draw_word(struct mutation *m)
{
    switch (below(m, 6)) {
    case 0:
        return draw(m);
    case 1:
        return below(m, 4);
    case 2:
        return below(m, 64);
    case 3:
        return warp_special_floats[below(m, (uint32_t)warp_special_floats_count)];
    case 4:
        return draw_mask(m);
    default:
        return warp_special_words[below(m, (uint32_t)warp_special_words_count)];
    }
}

/* A word near `value`. */
static uint32_t nudge(struct mutation *m, uint32_t value)
{
    switch (below(m, 5)) {
    case 0:
        return value ^ 1u << below(m, 32);
    case 1:
        return value + 1;
    case 2:
        return value - 1;
    case 3:
        return value ^ 0x80000000u;
    default:
        return ~value;
    }
}

/* Changes one operand, in one lane, a few, or all. */
static void change_operand(struct mutation *m, uint32_t operand[WARP_LANES])
{
    uint32_t word = draw_word(m), lane = below(m, WARP_LANES), step = below(m, 3);
    lanemask some = draw_mask(m);
    switch (below(m, 7)) {
    case 0:
        operand[lane] = word;
        break;
    case 1:
        operand[lane] = nudge(m, operand[lane]);
        break;
    case 2:
        operand[lane] = operand[below(m, WARP_LANES)];
        break;
    case 3: /* uniform, or counting up */
        for (uint32_t i = 0; i < WARP_LANES; i++)
            operand[i] = word + i * step;
        break;
    case 4:
        for (uint32_t i = 0; i < WARP_LANES; i++)
            operand[i] = some >> i & 1u ? word : operand[i];
        break;
    case 5:
        for (uint32_t i = 0; i < WARP_LANES; i++)
            operand[i] = some >> i & 1u ? draw_word(m) : operand[i];
        break;
    default:
        for (uint32_t i = 0; i < WARP_LANES; i++)
            operand[i] = draw(m);
        break;
    }
}

/* Predicates as votes see them: true in all of a group, in none, in all but one lane, and the contrary outside. */
static void change_predicates(struct mutation *m)
{
    lanemask lane = below(m, WARP_LANES);
    const lanemask choice[] = {0, UINT32_MAX, m->c->active, m->c->membermask[lane], m->c->exited, draw_mask(m)};
    lanemask truth = choice[below(m, sizeof choice / sizeof choice[0])];
    if (below(m, 2))
        truth = ~truth;
    if (below(m, 4) == 0)
        truth ^= 1u << lane;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        m->c->a[i] = truth >> i & 1u;
}

static void change_a(struct mutation *m)
{
    if (m->info->type == WARP_PRED && below(m, 2)) {
        change_predicates(m);
        return;
    }
    change_operand(m, m->c->a);
    if (m->info->type == WARP_B64 && below(m, 2))
        change_operand(m, m->c->a_high);
}

/* Few different values, so that lanes match and reductions tie. */
static void change_a_to_pool(struct mutation *m)
{
    uint32_t pool[4], high[4], size = 1 + below(m, 4);
    bool floats = m->info->type == WARP_F32 || below(m, 3) == 0;
    for (uint32_t i = 0; i < size; i++) {
        pool[i] = floats ? warp_special_floats[below(m, (uint32_t)warp_special_floats_count)] : draw_word(m);
        high[i] = below(m, 2) ? m->c->a_high[i] : floats ? pool[i] : draw_word(m);
    }
    if (m->info->type == WARP_B64 && below(m, 2)) /* doubles: the kind is in the high half */
        for (uint32_t i = 0; i < size; i++) {
            pool[i] = below(m, 2);
            high[i] = warp_special_floats[below(m, (uint32_t)warp_special_floats_count)];
        }
    if (size > 1 && below(m, 4) == 0) { /* a value and its negative, often the two zeros */
        if (below(m, 3) == 0)
            pool[0] = high[0] = 0;
        pool[1] = pool[0] ^ (m->info->type == WARP_B64 ? 0 : 0x80000000u);
        high[1] = high[0] ^ 0x80000000u;
    }
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t pick = below(m, size);
        m->c->a[i] = pool[pick];
        m->c->a_high[i] = high[pick];
    }
}

/* All lanes of a mask the same, but for one. */
static void change_a_to_odd(struct mutation *m)
{
    uint32_t lane = below(m, WARP_LANES), word = draw_word(m), high = draw_word(m);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        m->c->a[i] = word;
        m->c->a_high[i] = high;
    }
    if (m->info->type != WARP_B64 || below(m, 2))
        m->c->a[lane] = nudge(m, word);
    else
        m->c->a_high[lane] = nudge(m, high);
}

/* All lanes read one lane. */
static void change_b_to_broadcast(struct mutation *m)
{
    uint32_t source = below(m, 2) ? 0 : below(m, WARP_LANES);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        m->c->b[i] = m->info->op == WARP_UP     ? i - source
                     : m->info->op == WARP_DOWN ? source - i
                     : m->info->op == WARP_BFLY ? i ^ source
                                                : source;
}

static void change_b(struct mutation *m)
{
    uint32_t word = below(m, 32);
    switch (below(m, 4)) {
    case 0:
    case 1:
        change_operand(m, m->c->b);
        break;
    case 2:
        change_b_to_broadcast(m);
        break;
    default:
        for (uint32_t i = 0; i < WARP_LANES; i++)
            m->c->b[i] = word;
        break;
    }
}

static void change_c(struct mutation *m)
{
    static const uint8_t edge[] = {0, 31, 1, 15, 16, 30};
    uint32_t width = 1u << below(m, 6), word, lane = below(m, WARP_LANES);
    switch (below(m, 5)) {
    case 0:
        change_operand(m, m->c->c);
        return;
    case 1:
        word = warp_width_c(m->info->op, width);
        break;
    case 2:
        word = (32 - width) << 8 | below(m, 32);
        break;
    case 3:
        word = below(m, 32) << 8 | edge[below(m, sizeof edge)];
        break;
    default:
        word = (draw(m) & 0x1f1fu) | (below(m, 2) ? draw(m) & ~0x1f1fu : 0u);
        break;
    }
    if (below(m, 4) == 0)
        m->c->c[lane] = word;
    else
        for (uint32_t i = 0; i < WARP_LANES; i++)
            m->c->c[i] = word;
}

static void change_active(struct mutation *m)
{
    switch (below(m, 6)) {
    case 5:
        m->c->active = 0;
        break;
    case 0:
        m->c->active = draw_mask(m);
        break;
    case 1:
        m->c->active ^= 1u << below(m, WARP_LANES);
        break;
    case 2:
        m->c->exited = draw_mask(m) & draw_mask(m);
        break;
    case 3:
        m->c->exited ^= 1u << below(m, WARP_LANES);
        break;
    default: /* all lanes are active or have ended */
        m->c->exited = ~m->c->active;
        break;
    }
    m->c->active &= ~m->c->exited;
}

/* Gives the lanes of `members` one membermask. */
static void set_group(struct warp_case *c, lanemask members, lanemask membermask)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (members >> i & 1u)
            c->membermask[i] = membermask;
}

static void change_membermask(struct mutation *m)
{
    struct warp_case *c = m->c;
    lanemask one = draw_mask(m), lane = below(m, WARP_LANES);
    switch (below(m, 7)) {
    case 0: /* everybody who is there */
        set_group(c, UINT32_MAX, c->active);
        break;
    case 1: /* and those who have left */
        set_group(c, UINT32_MAX, c->active | c->exited);
        break;
    case 2: /* two groups */
        set_group(c, c->active & one, c->active & one);
        set_group(c, c->active & ~one, c->active & ~one);
        break;
    case 3:
        set_group(c, one, one);
        break;
    case 4:
        set_group(c, UINT32_MAX, one);
        break;
    case 5: /* a lane too many or too few, in one lane or all */
        set_group(c, below(m, 2) ? UINT32_MAX : 1u << lane, c->membermask[lane] ^ 1u << below(m, WARP_LANES));
        break;
    default:
        change_operand(m, c->membermask);
        break;
    }
}

/* Tiles of a power of two, each its own group: cooperative groups, sub-warp reductions. */
static void change_tiles(struct mutation *m)
{
    uint32_t width = 1u << below(m, 6);
    lanemask tile = width == 32 ? UINT32_MAX : (1u << width) - 1u;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        m->c->membermask[i] = tile << i / width * width & (below(m, 16) ? UINT32_MAX : m->c->active);
}

/* Any form; half of the time of a family that is drawn first, so that small families are not rare. */
static void change_form(struct mutation *m)
{
    uint32_t start = below(m, WARP_FORMS), family = below(m, 2) ? below(m, WARP_FAMILIES) : WARP_FAMILIES;
    uint32_t wanted = family < WARP_FAMILIES && (families >> family & 1u) ? WARP_FAMILY_BIT(family) : families;
    for (uint32_t i = 0; i < WARP_FORMS; i++) {
        uint32_t form = (start + i) % WARP_FORMS;
        if (wanted & WARP_FAMILY_BIT(warp_form_get(form)->family)) {
            m->c->form = form;
            break;
        }
    }
    m->info = warp_form_get(m->c->form);
    m->c->target = draw(m); /* repaired to one of those that have the form */
    m->c->dst = below(m, WARP_DST_COUNT);
    m->c->negate = below(m, 2);
}

/* Another form of the same family with the same operands. */
static void change_sibling(struct mutation *m)
{
    enum warp_family family = m->info->family;
    for (uint32_t steps = 1 + below(m, 20); steps > 0;) {
        m->c->form = (m->c->form + 1) % WARP_FORMS;
        steps -= warp_form_get(m->c->form)->family == family;
    }
    m->info = warp_form_get(m->c->form);
}

static void change_target(struct mutation *m)
{
    m->c->target = below(m, 64);
    m->c->dst = below(m, WARP_DST_COUNT);
    m->c->negate = below(m, 2);
}

/* Moves all lanes round the warp, operands and masks together. */
static void rotate_lanes(struct mutation *m)
{
    struct warp_case from = *m->c;
    uint32_t by = 1 + below(m, WARP_LANES - 1);
    m->c->active = from.active << by | from.active >> (WARP_LANES - by);
    m->c->exited = from.exited << by | from.exited >> (WARP_LANES - by);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t to = (i + by) % WARP_LANES;
        m->c->a[to] = from.a[i];
        m->c->a_high[to] = from.a_high[i];
        m->c->b[to] = from.b[i];
        m->c->c[to] = from.c[i];
        m->c->membermask[to] = from.membermask[i] << by | from.membermask[i] >> (WARP_LANES - by);
    }
}

/* A case that has nothing to do with this one: what random bytes decode to. */
static void start_anew(struct mutation *m)
{
    uint8_t bytes[192];
    for (size_t i = 0; i < sizeof bytes; i += 4) {
        uint32_t word = draw(m);
        memcpy(bytes + i, &word, 4);
    }
    bytes[0] = bytes[0] == WARP_BYTES_RAW ? 0 : bytes[0];
    warp_case_from_bytes(bytes, sizeof bytes, families, m->c);
    m->info = warp_form_get(m->c->form);
}

typedef void (*mutation_fn)(struct mutation *m);

static mutation_fn choose(struct mutation *m)
{
    static const mutation_fn any[] = {change_a,       change_a,      change_a_to_pool, change_a_to_odd,
                                      change_active,  change_active, change_form,      change_sibling,
                                      change_sibling, change_target, rotate_lanes,     start_anew};
    static const mutation_fn sync[] = {change_membermask, change_membermask, change_tiles};
    static const mutation_fn shfl[] = {change_b, change_b, change_c, change_c};
    uint32_t kind = below(m, 16);
    if (kind < 3 && warp_form_is_sync(m->info))
        return sync[kind];
    if (kind >= 3 && kind < 7 && warp_form_is_shfl(m->info))
        return shfl[kind - 3];
    return any[below(m, sizeof any / sizeof any[0])];
}

/* The bytes of the case; where they do not fit, bytes of another. */
static size_t put_case(const struct warp_case *c, uint8_t *out, size_t max_size)
{
    uint8_t bytes[WARP_BYTES_MAX];
    size_t size;
    if (max_size >= WARP_BYTES_MAX)
        return warp_case_to_bytes(c, out);
    size = warp_case_to_bytes(c, bytes);
    if (size > max_size) {
        size = max_size;
        bytes[0] = (uint8_t)c->a[0] == WARP_BYTES_RAW ? 0 : (uint8_t)c->a[0];
        memcpy(bytes + 1, c->a, sizeof c->a); /* as choices: as good as any others */
    }
    memcpy(out, bytes, size);
    return size;
}

size_t mutator_mutate(uint8_t *data, size_t size, size_t max_size, uint64_t seed)
{
    struct warp_case c;
    struct mutation m = {&c, NULL, random_mix(seed)};
    uint32_t steps;
    warp_case_from_bytes(data, size, families, &c);
    m.info = warp_form_get(c.form);
    steps = 1 + (uint32_t)__builtin_ctz(draw(&m) | 1u << 4); /* 1, 2, 3... half as often each */
    while (steps-- > 0)
        choose (&m)(&m);
    warp_case_repair(&c);
    return put_case(&c, data, max_size);
}

static void take_lanes(uint32_t to[WARP_LANES], const uint32_t from[WARP_LANES], lanemask lanes)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        to[i] = lanes >> i & 1u ? from[i] : to[i];
}

size_t mutator_cross(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size, uint8_t *out,
                     size_t max_size, uint64_t seed)
{
    struct warp_case c, o;
    struct mutation m = {&c, NULL, random_mix(seed)};
    lanemask lanes;
    uint32_t fields;
    warp_case_from_bytes(one, one_size, families, &c);
    warp_case_from_bytes(other, other_size, families, &o);
    lanes = below(&m, 2) ? UINT32_MAX : draw_mask(&m);
    fields = draw(&m);
    take_lanes(c.a, o.a, fields & 1u ? lanes : 0);
    take_lanes(c.a_high, o.a_high, fields & 1u ? lanes : 0);
    take_lanes(c.b, o.b, fields & 2u ? lanes : 0);
    take_lanes(c.c, o.c, fields & 4u ? lanes : 0);
    take_lanes(c.membermask, o.membermask, fields & 8u ? lanes : 0);
    if (fields & 16u) {
        c.active = (c.active & ~lanes) | (o.active & lanes);
        c.exited = (c.exited & ~lanes) | (o.exited & lanes);
    }
    if (fields & 32u)
        c.target = o.target;
    warp_case_repair(&c);
    return put_case(&c, out, max_size);
}

/* libFuzzer. */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    return mutator_mutate(data, size, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned int seed)
{
    return mutator_cross(one, one_size, other, other_size, out, max_size, seed);
}

/* AFL++. Its state: the next seed, and room for the answer, which AFL++ copies. */

struct afl_state {
    uint64_t seed;
    uint8_t out[WARP_BYTES_MAX];
};

void *afl_custom_init(void *afl, unsigned int seed);
void *afl_custom_init(void *afl, unsigned int seed)
{
    const char *limit = getenv("WARPCHECK_FUZZ_FAMILIES");
    struct afl_state *state = calloc(1, sizeof *state);
    (void)afl;
    if (limit != NULL)
        mutator_set_families((uint32_t)strtoul(limit, NULL, 0));
    if (state != NULL)
        state->seed = random_mix(seed);
    return state;
}

size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf, uint8_t *add_buf,
                       size_t add_buf_size, size_t max_size);
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf, uint8_t *add_buf,
                       size_t add_buf_size, size_t max_size)
{
    struct afl_state *state = data;
    size_t room = max_size < sizeof state->out ? max_size : sizeof state->out;
    uint64_t seed = state->seed++;
    *out_buf = state->out;
    if (add_buf != NULL && seed % 4 == 0)
        return mutator_cross(buf, buf_size, add_buf, add_buf_size, state->out, room, seed);
    if (buf_size > room)
        buf_size = room;
    memcpy(state->out, buf, buf_size);
    return mutator_mutate(state->out, buf_size, room, seed);
}

void afl_custom_deinit(void *data);
void afl_custom_deinit(void *data)
{
    free(data);
}
