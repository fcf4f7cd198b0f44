/*
 * The structure-aware mutator and its wrappers for both engines.
 */
#include "fuzz/mutator.h"

#include "fuzz/seek.h"
#include "fuzz/seeker.h"

#include "fuzz/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(DERIVED_ORDER_MAX <= 64, "the longest case and its order fit: it is far shorter than WARP_BYTES_MAX");
#define SEEKS_ONE_IN 8u                   /* mutations */
#define BYTES_SEED   UINT64_C(0x62797465) /* apart from the seeds of the changes */
#define SEEKS_SEED   UINT64_C(0x7365656b)

static uint32_t families = WARP_FAMILY_ALL;
static enum mutator_way way = MUTATOR_OWN;

void mutator_set_way(enum mutator_way to)
{
    way = to;
}

void mutator_seek_by(bool (*ask)(const struct warp_case *c, const uint8_t *steps, size_t n))
{
    seek_by(ask);
}

void mutator_learn(const struct feedback *from)
{
    mutation_learn(from);
}

void mutator_set_families(uint32_t set)
{
    families = set & WARP_FAMILY_ALL ? set & WARP_FAMILY_ALL : WARP_FAMILY_ALL;
}

/* Any form; half of the time of a family that is drawn first, so that small families are not rare. One that the code
 * under test looks for comes oftener. */
static void change_form(struct mutation *m)
{
    const uint32_t known = mutation_below(m, 3) == 0 ? mutation_learned_form(m) : WARP_FORMS;
    uint32_t start = known < WARP_FORMS ? known : mutation_below(m, WARP_FORMS),
             family = mutation_below(m, 2) ? mutation_below(m, WARP_FAMILIES) : WARP_FAMILIES;
    uint32_t wanted =
        known == WARP_FORMS && family < WARP_FAMILIES && (families >> family & 1u) ? WARP_FAMILY_BIT(family) : families;
    for (uint32_t i = 0; i < WARP_FORMS; i++) {
        uint32_t form = (start + i) % WARP_FORMS;
        if (wanted & WARP_FAMILY_BIT(warp_form_get(form)->family)) {
            m->c->form = form;
            break;
        }
    }
    m->info = warp_form_get(m->c->form);
    m->c->target = mutation_draw(m); /* repaired to one of those that have the form */
    m->c->dst = mutation_below(m, WARP_DST_COUNT);
    m->c->negate = mutation_below(m, 2);
}

/* Another form of the same family with the same operands. */
static void change_sibling(struct mutation *m)
{
    enum warp_family family = m->info->family;
    for (uint32_t steps = 1 + mutation_below(m, 20); steps > 0;) {
        m->c->form = (m->c->form + 1) % WARP_FORMS;
        steps -= warp_form_get(m->c->form)->family == family;
    }
    m->info = warp_form_get(m->c->form);
}

static void change_target(struct mutation *m)
{
    m->c->target = mutation_below(m, 64);
    m->c->dst = mutation_below(m, WARP_DST_COUNT);
    m->c->negate = mutation_below(m, 2);
}

/* A case that has nothing to do with this one: what random bytes decode to. */
static void start_anew(struct mutation *m)
{
    uint8_t bytes[192];
    for (size_t i = 0; i < sizeof bytes; i += 4) {
        uint32_t word = mutation_draw(m);
        memcpy(bytes + i, &word, 4);
    }
    bytes[0] = bytes[0] == WARP_BYTES_RAW ? 0 : bytes[0];
    warp_case_from_bytes(bytes, sizeof bytes, families, m->c);
    m->info = warp_form_get(m->c->form);
}

typedef void (*mutation_fn)(struct mutation *m);

static mutation_fn choose(struct mutation *m)
{
    static const mutation_fn any[] = {
        mutate_a,      mutate_a,         mutate_a_to_pool, mutate_a_to_odd, mutate_a_to_few,    mutate_active,
        mutate_active, change_form,      change_sibling,   change_sibling,  change_target,      mutate_place,
        start_anew,    mutate_partition, mutate_relation,  mutate_relation, mutate_permutation, mutate_plain,
        mutate_shape,  mutate_shape,     mutate_shape,     mutate_gone};
    static const mutation_fn sync[] = {mutate_membermask, mutate_membermask, mutate_tiles, mutate_partition};
    static const mutation_fn shfl[] = {mutate_b, mutate_b, mutate_c, mutate_c, mutate_permutation};
    uint32_t kind = mutation_below(m, 20);
    if (kind < 4 && warp_form_is_sync(m->info))
        return sync[kind];
    if (kind >= 4 && kind < 9 && warp_form_is_shfl(m->info))
        return shfl[kind - 4];
    if (kind >= 12 && mutation_has_learned())
        return mutate_compared;
    return any[mutation_below(m, sizeof any / sizeof any[0])];
}

void mutate_any(struct mutation *m)
{
    choose(m)(m);
}

/* The last case that was given to libFuzzer, which hands its bytes to the target at once. */
static struct {
    struct warp_case c;
    uint8_t bytes[WARP_BYTES_MAX];
    size_t size; /* 0: none */
} last;

bool mutator_last_case(const uint8_t *data, size_t size, struct warp_case *c)
{
    if (size == 0 || size != last.size || memcmp(data, last.bytes, size) != 0)
        return false;
    *c = last.c;
    return true;
}

static void keep_last(const struct warp_case *c, const uint8_t *bytes, size_t size)
{
    last.c = *c;
    last.size = size;
    memcpy(last.bytes, bytes, size);
}

static void get_order(const uint8_t *data, size_t size, struct mutation_order *order)
{
    const size_t before =
        mutation_has_learned() ? warp_bytes_length(data, size) : size; /* else nobody asks such calls */
    order->n = size > before && data[0] == WARP_BYTES_RAW ? size - before : 0;
    if (order->n > DERIVED_ORDER_MAX)
        order->n = DERIVED_ORDER_MAX;
    if (order->n > 0)
        memcpy(order->steps, data + before, order->n);
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

/* The bytes of a case and the order behind it. */
static size_t put_input(const struct warp_case *c, const struct mutation_order *order, uint8_t *out, size_t max_size)
{
    size_t size = put_case(c, out, max_size);
    if (max_size < WARP_BYTES_MAX)
        return size;
    if (size + order->n <= max_size) {
        memcpy(out + size, order->steps, order->n);
        size += order->n;
    }
    keep_last(c, out, size);
    return size;
}

/* Another process may seek where this one does not (fuzz/seeker.h). 0: it does not either, or found nothing. */
static size_t sought_elsewhere(uint8_t *data, size_t size, size_t max_size, uint64_t seed)
{
    if (random_mix(seed ^ SEEKS_SEED) % SEEKS_ONE_IN != 0 || !seeker_can())
        return 0;
    const size_t sought = seeker_ask(data, size, max_size, seed);
    if (mutation_learned() == NULL)
        mutator_learn(seeker_feedback());
    return sought;
}

size_t mutator_mutate(uint8_t *data, size_t size, size_t max_size, uint64_t seed)
{
    const size_t sought = sought_elsewhere(data, size, max_size, seed);
    if (sought > 0)
        return sought;
    struct warp_case c;
    struct mutation m = {.c = &c, .random = {random_mix(seed)}, .families = families, .lane = WARP_LANES};
    uint32_t steps;
    get_order(data, size, &m.order);
    m.fresh = mutator_last_case(data, size, &c);
    if (!m.fresh)
        warp_case_from_bytes(data, size, families, &c);
    m.info = warp_form_get(c.form);
    if (m.fresh)
        seek_note(&m);
    steps = 1 + (uint32_t)__builtin_ctz(mutation_draw(&m) | 1u << 4); /* 1, 2, 3... half as often each */
    if (seek_can() && mutation_below(&m, SEEKS_ONE_IN) == 0)
        mutate_seek(&m);
    else if (mutate_order(&m))
        steps = 0;
    for (; steps > 0 && !m.enough; steps--)
        mutate_any(&m);
    warp_case_repair(&c);
    return put_input(&c, &m.order, data, max_size);
}

size_t mutator_seek(uint8_t *data, size_t size, size_t max_size, uint64_t seed)
{
    struct warp_case c;
    struct mutation m = {.c = &c, .random = {random_mix(seed)}, .families = families, .lane = WARP_LANES};
    get_order(data, size, &m.order);
    warp_case_from_bytes(data, size, families, &c);
    m.info = warp_form_get(c.form);
    seek_note(&m);
    if (!seek_can())
        return size;
    mutate_seek(&m);
    warp_case_repair(&c);
    return put_input(&c, &m.order, data, max_size);
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
    struct mutation m = {.c = &c, .random = {random_mix(seed)}};
    lanemask lanes;
    uint32_t fields;
    warp_case_from_bytes(one, one_size, families, &c);
    warp_case_from_bytes(other, other_size, families, &o);
    lanes = mutation_below(&m, 2) ? UINT32_MAX : mutation_mask(&m);
    fields = mutation_draw(&m);
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
    if (mutation_below(&m, 2))
        get_order(one, one_size, &m.order);
    else
        get_order(other, other_size, &m.order);
    return put_input(&c, &m.order, out, max_size);
}

/* libFuzzer. */

__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* The engine's own changes, on the bytes of the fields: a value that was compared stands there as it is. */
static size_t mutate_bytes(uint8_t *data, size_t size, size_t max_size)
{
    struct warp_case c;
    if (max_size >= WARP_BYTES_MAX && (size == 0 || data[0] != WARP_BYTES_RAW)) {
        warp_case_from_bytes(data, size, families, &c);
        size = warp_case_to_bytes(&c, data);
    }
    return LLVMFuzzerMutate(data, size, max_size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    const bool bytes = way == MUTATOR_BYTES || (way == MUTATOR_BOTH && random_mix(seed ^ BYTES_SEED) % 2 == 0);
    if (bytes && LLVMFuzzerMutate != NULL)
        return mutate_bytes(data, size, max_size);
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
    const char *status_path;
    struct fuzz_status *status; /* of the target, which makes it: NULL until then */
    uint8_t out[WARP_BYTES_MAX];
};

/* What afl-fuzz was told to execute, behind "--". NULL: not found. */
static const char *afl_target(void)
{
    static char words[1 << 14];
    FILE *const file = fopen("/proc/self/cmdline", "re");
    const size_t size = file != NULL ? fread(words, 1, sizeof words - 1, file) : 0;
    const char *word = words;
    if (file != NULL)
        fclose(file);
    for (; word < words + size && strcmp(word, "--") != 0; word += strlen(word) + 1)
        continue;
    return word < words + size && word[3] != '\0' ? word + 3 : NULL;
}

void *afl_custom_init(void *afl, unsigned int seed);
void *afl_custom_init(void *afl, unsigned int seed)
{
    const char *limit = getenv("WARPCHECK_FUZZ_FAMILIES");
    struct afl_state *state = calloc(1, sizeof *state);
    (void)afl;
    if (limit != NULL)
        mutator_set_families((uint32_t)strtoul(limit, NULL, 0));
    seeker_of(getenv("WARPCHECK_FUZZ_IMPL") != NULL ? afl_target() : NULL);
    if (state != NULL) {
        state->seed = random_mix(seed);
        state->status_path = getenv("WARPCHECK_FUZZ_STATUS");
    }
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
    if (state->status == NULL && state->status_path != NULL && seed % 64 == 0 &&
        (state->status = status_read(state->status_path)) != NULL)
        mutator_learn(&state->status->feedback);
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
    struct afl_state *state = data;
    if (state != NULL) {
        mutator_learn(NULL);
        seeker_end();
        status_close(state->status);
    }
    free(state);
}
