/* model/fast/batch.c: batches in every layout against the same warps as cases. */
#include "fast_cases.h"
#include "stream.h"
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define N      201u /* more than a strip, and odd */
#define STRIDE 37u  /* of padded rows */
#define FILL   0xdeadbeefu

static struct warp_case cases[N];
static struct warp_result expected[N];

/* Which operands are one a warp, which are the same for all warps, which are not given. */
struct layout {
    bool b_per_warp, c_per_warp, members_per_warp;
    bool constant; /* b, c where per warp, and the masks: the first warp's */
    bool defaults; /* no membermask, active, exited */
    bool predicates_as_mask;
    bool no_members;        /* no membermask */
    bool one_row;           /* of membermasks, the first warp's, where they are per lane; other lanes may be there */
    bool fewer, no_rows;    /* results that are not wanted */
    unsigned n;             /* warps in the batch; 0: all */
    bool repeated;          /* every warp has the first one's members, active and exited lanes, */
    uint32_t odd, odd_lane; /* ... but for one bit in this warp; N: none */
    enum { MEMBERS, ACTIVE, EXITED } odd_in;
    uint32_t padded; /* arrays whose rows have gaps and are not aligned, see padded_bit */
};

/* None, all, some. */
static uint32_t random_padded(struct random *r)
{
    const uint32_t which = fast_random_below(r, 4), some = fast_random_word(r) & fast_random_word(r);
    return which == 0 ? 0 : which == 1 ? UINT32_MAX : some;
}

/* None, the first or the last, any. */
static uint32_t random_odd(struct random *r)
{
    const uint32_t which = fast_random_below(r, 4);
    return which == 0 ? fast_random_below(r, N) : which == 1 ? (fast_random_word(r) & 1) * (N - 1) : N;
}

static struct layout random_layout(struct random *r)
{
    const uint32_t bits = fast_random_word(r);
    return (struct layout){.b_per_warp = bits & 1,
                           .c_per_warp = bits >> 1 & 1,
                           .members_per_warp = bits >> 2 & 1,
                           .constant = (bits >> 3 & 3) == 0,
                           .defaults = (bits >> 5 & 3) == 0,
                           .predicates_as_mask = bits >> 7 & 1,
                           .no_members = (bits >> 8 & 7) == 0,
                           .fewer = (bits >> 11 & 3) == 0,
                           .no_rows = (bits >> 13 & 3) == 0,
                           .n = (bits >> 15 & 3) == 0 ? 1 + fast_random_below(r, 4) : 0,
                           .repeated = (bits >> 17 & 3) == 0,
                           .one_row = (bits >> 19 & 3) == 0,
                           .odd = random_odd(r),
                           .odd_lane = fast_random_below(r, WARP_LANES),
                           .odd_in = fast_random_below(r, 3),
                           .padded = random_padded(r)};
}

static void set_all(uint32_t x[WARP_LANES], uint32_t value)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        x[i] = value;
}

static void flip_one(const struct layout *l, struct warp_case *c, const struct warp_form_info *form)
{
    const uint32_t bit = 1u << l->odd_lane;
    if (l->odd_in == MEMBERS && !l->members_per_warp && !l->no_members && !l->one_row && warp_form_is_sync(form))
        c->membermask[l->odd_lane] ^= bit;
    if (l->odd_in == ACTIVE && !l->constant)
        c->active ^= bit;
    if (l->odd_in == EXITED && !l->constant)
        c->exited ^= bit;
}

/* Makes the cases say what the layout can express. */
static void apply(const struct layout *l)
{
    const struct warp_form_info *form = warp_form_get(cases[0].form);
    for (unsigned w = 0; w < N; w++) {
        struct warp_case *c = &cases[w];
        const struct warp_case *from = l->constant || l->repeated ? &cases[0] : c;
        c->target = cases[0].target;
        c->dst = cases[0].dst;
        c->negate = cases[0].negate;
        c->exited = l->defaults ? 0 : from->exited;
        c->active = l->defaults ? UINT32_MAX : from->active;
        if (l->b_per_warp)
            set_all(c->b, from->b[0]);
        if (l->c_per_warp)
            set_all(c->c, from->c[0]);
        if (l->repeated || l->one_row)
            memcpy(c->membermask, cases[0].membermask, sizeof c->membermask);
        if (l->no_members && warp_form_is_sync(form))
            set_all(c->membermask, UINT32_MAX);
        if (l->members_per_warp)
            set_all(c->membermask, from->membermask[0]);
        if (l->defaults)
            set_all(c->membermask, warp_form_is_sync(form) ? UINT32_MAX : 0);
    }
    if (l->repeated && l->odd < N && !l->defaults)
        flip_one(l, &cases[l->odd], form);
}

struct arrays {
    uint32_t a[N * STRIDE + 1], a_high[N * STRIDE + 1], b[N * STRIDE + 1], c[N * STRIDE + 1],
        membermask[N * STRIDE + 1];
    uint32_t active[N], exited[N], predicates[N];
    uint32_t d[N * STRIDE + 1], waits_for[N * STRIDE + 1];
    uint32_t p[2 * N], d_defined[2 * N], done[2 * N], waiting[2 * N], undefined[2 * N];
};

static struct arrays arrays;

/* A bit for each array, by where it lies: those of rows have bits of their own. */
static uint32_t padded_bit(const uint32_t *array)
{
    return 1u << (size_t)((const char *)array - (const char *)&arrays) / sizeof arrays.active % 32;
}

static bool is_padded(const uint32_t *array, const struct layout *l)
{
    return (l->padded & padded_bit(array)) != 0;
}

static struct warp_column rows(uint32_t *array, size_t offset_of_operand, const struct layout *l)
{
    const size_t begin = is_padded(array, l), stride = begin ? STRIDE : WARP_LANES;
    for (unsigned w = 0; w < N; w++)
        memcpy(array + begin + w * stride, (const char *)&cases[w] + offset_of_operand, WARP_LANES * sizeof *array);
    return (struct warp_column){array + begin, stride, false};
}

static struct warp_column words(uint32_t *array, size_t offset_of_word, const struct layout *l)
{
    for (unsigned w = 0; w < N; w++)
        memcpy(array + w, (const char *)&cases[w] + offset_of_word, sizeof *array);
    return (struct warp_column){array, l->constant ? 0 : 1, true};
}

static struct warp_sink out(uint32_t *array, size_t elements, size_t row, const struct layout *l)
{
    const bool padded = is_padded(array, l);
    const size_t stride = row == 1 ? (padded ? 2 : 1) : (padded ? STRIDE : row);
    for (size_t i = 0; i < elements; i++)
        array[i] = FILL;
    return (struct warp_sink){array + (row != 1 && padded), stride};
}

#define ROWS(field)     rows(arrays.field, offsetof(struct warp_case, field), l)
#define WORDS(field)    words(arrays.field, offsetof(struct warp_case, field), l)
#define OUT(field, row) out(arrays.field, sizeof arrays.field / sizeof arrays.field[0], row, l)

static unsigned warps_of(const struct layout *l)
{
    return l->n == 0 ? N : l->n;
}

static struct warp_batch make_batch(const struct layout *l)
{
    const struct warp_case *c = &cases[0];
    struct warp_batch batch = {
        .form = c->form, .target = c->target, .dst = c->dst, .negate = c->negate, .n = warps_of(l)};
    batch.a = ROWS(a);
    batch.a_high = ROWS(a_high);
    batch.b = l->b_per_warp ? WORDS(b) : ROWS(b);
    batch.c = l->c_per_warp ? WORDS(c) : ROWS(c);
    if (!l->defaults) {
        if (!l->no_members)
            batch.membermask = l->members_per_warp ? WORDS(membermask) : ROWS(membermask);
        if (l->one_row && !batch.membermask.per_warp)
            batch.membermask.stride = 0;
        batch.active = WORDS(active);
        batch.exited = WORDS(exited);
    }
    if (l->predicates_as_mask && warp_form_get(c->form)->type == WARP_PRED) {
        for (unsigned w = 0; w < N; w++) {
            arrays.predicates[w] = 0;
            for (unsigned i = 0; i < WARP_LANES; i++)
                arrays.predicates[w] |= cases[w].a[i] << i;
        }
        batch.a = (struct warp_column){arrays.predicates, 1, true};
    }
    batch.d = OUT(d, WARP_LANES);
    batch.waits_for = OUT(waits_for, WARP_LANES);
    batch.p = OUT(p, 1);
    batch.d_defined = OUT(d_defined, 1);
    batch.done = OUT(done, 1);
    batch.waiting = OUT(waiting, 1);
    batch.undefined = OUT(undefined, 1);
    if (l->fewer) {
        batch.d.values = NULL;
        batch.p.values = NULL;
        batch.waiting.values = NULL;
    }
    if (l->no_rows)
        batch.d.values = batch.waits_for.values = NULL;
    return batch;
}

static void check_sink(const char *what, const struct warp_sink *sink, size_t n, size_t row, size_t offset_of_part)
{
    for (unsigned w = 0; sink->values != NULL && w < n; w++) {
        const void *part = (const char *)&expected[w] + offset_of_part;
        if (memcmp(sink->values + w * sink->stride, part, row * sizeof(uint32_t)) != 0)
            fail_msg("%s: %s of warp %u differs", warp_form_get(cases[0].form)->name, what, w);
        if (sink->stride > row)
            assert_int_equal(sink->values[w * sink->stride + row], FILL); /* nothing behind it is touched */
    }
}

static void check_layout(const struct warp_impl *impl, const struct layout *l)
{
    struct warp_batch batch;
    char error[128] = "";
    apply(l);
    batch = make_batch(l);
    for (unsigned w = 0; w < N; w++) /* each alone, so that no other warp can matter */
        assert_true(impl->eval(impl->state, &cases[w], 1, &expected[w], error, sizeof error));
    if (!fast_batch_eval(impl, &batch, error, sizeof error))
        fail_msg("%s", error);
    check_sink("d", &batch.d, batch.n, WARP_LANES, offsetof(struct warp_result, d));
    check_sink("waits_for", &batch.waits_for, batch.n, WARP_LANES, offsetof(struct warp_result, waits_for));
    check_sink("p", &batch.p, batch.n, 1, offsetof(struct warp_result, p));
    check_sink("d_defined", &batch.d_defined, batch.n, 1, offsetof(struct warp_result, d_defined));
    check_sink("done", &batch.done, batch.n, 1, offsetof(struct warp_result, done));
    check_sink("waiting", &batch.waiting, batch.n, 1, offsetof(struct warp_result, waiting));
    check_sink("undefined", &batch.undefined, batch.n, 1, offsetof(struct warp_result, undefined));
}

static void check_random(const struct warp_impl *impl, uint32_t form, const struct layout *l, struct random *r)
{
    for (unsigned w = 0; w < N; w++)
        fast_random_case(r, form, &cases[w]);
    check_layout(impl, l);
}

/* Random layouts, and those where one array alone has gaps. */
static void check_variant(const struct warp_impl *impl, struct random *r)
{
    const uint32_t *const alone[] = {arrays.a, arrays.a_high, arrays.b, arrays.c, arrays.membermask, arrays.d};
    for (unsigned round = 0; round < 30; round++)
        for (uint32_t form = 0; form < WARP_FORMS; form++) {
            const struct layout l = random_layout(r);
            check_random(impl, form, &l, r);
        }
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        for (uint32_t form = 0; form < WARP_FORMS; form++) {
            const struct layout l = {.padded = padded_bit(alone[i])};
            check_random(impl, form, &l, r);
        }
}

static void batches_answer_as_cases(void **state)
{
    struct random r = {3};
    struct fast_variant v;
    (void)state;
    for (size_t i = 0; fast_variant_get(i, &v); i++)
        if (v.impl == NULL)
            printf("%s: UNAVAILABLE: %s\n", v.name, v.unavailable);
        else
            check_variant(v.impl, &r);
}

/* All warps are the same but for one bit: of the members of a lane, of the active or of the exited lanes. */
static void one_bit_is_seen(void **state)
{
    static const unsigned odd[] = {0, 1, FAST_STRIP - 1, FAST_STRIP, N - 1};
    struct random r = {4};
    struct fast_variant v;
    (void)state;
    for (size_t i = 0; fast_variant_get(i, &v); i++)
        for (unsigned k = 0; v.impl != NULL && k < sizeof odd / sizeof odd[0] * WARP_LANES * 3; k++) {
            const unsigned lane = k % WARP_LANES;
            const struct layout l = {.repeated = true,
                                     .n = k / 3 / WARP_LANES == 1 ? 2 : 0,
                                     .odd = odd[k / 3 / WARP_LANES],
                                     .odd_lane = lane,
                                     .odd_in = k / WARP_LANES % 3};
            for (unsigned w = 0; w < N; w++)
                fast_random_case(&r, WARP_SHFL_SYNC_IDX_B32, &cases[w]);
            set_all(cases[0].membermask, UINT32_MAX);
            cases[0].active = 0xaaaaaaaau;
            cases[0].exited = 0x55555555u;
            check_layout(v.impl, &l);
        }
}

/* Up to `count` groups, each about as large as the others, or one larger than they are together. */
static void draw_groups(struct random *r, unsigned count, bool one_is_large, struct warp_case *c)
{
    lanemask groups[8] = {0};
    unsigned group[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        group[lane] = one_is_large && fast_random_below(r, 5) != 0 ? 0 : fast_random_below(r, count);
        groups[group[lane]] |= 1u << lane;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->membermask[lane] = groups[group[lane]];
}

/* In each warp others: all lanes active, some exited, or some not there, which are waited for. */
static void groups_of_every_number_and_size(void **state)
{
    const struct layout l = {.n = 0};
    struct random r = {5};
    struct fast_variant v;
    (void)state;
    for (size_t i = 0; fast_variant_get(i, &v); i++)
        for (uint32_t form = 0; v.impl != NULL && form < WARP_FORMS; form++) {
            for (unsigned w = 0; w < N; w++) {
                fast_random_case(&r, form, &cases[w]);
                if (!warp_form_is_sync(warp_form_get(form)))
                    continue;
                draw_groups(&r, 1 + w % 8, w / 8 % 2 == 0, &cases[w]);
                cases[w].active = w / 16 % 3 == 0 ? UINT32_MAX : fast_random_word(&r) | fast_random_word(&r);
                cases[w].exited = w / 16 % 3 == 2 ? 0 : ~cases[w].active;
            }
            check_layout(v.impl, &l);
        }
}

static void refuses(struct warp_batch batch, const char *part_of_reason)
{
    char error[128] = "";
    assert_false(fast_batch_eval(fast_portable_get(), &batch, error, sizeof error));
    if (strstr(error, part_of_reason) == NULL)
        fail_msg("'%s' does not say '%s'", error, part_of_reason);
}

static void senseless_batches_are_refused(void **state)
{
    static const uint32_t row[WARP_LANES];
    const struct warp_column lanes = {row, 0, false};
    (void)state;
    refuses((struct warp_batch){.form = WARP_FORMS}, "unknown instruction");
    refuses((struct warp_batch){.form = WARP_REDUX_SYNC_ADD_U32}, "operand a is missing");
    refuses((struct warp_batch){.form = WARP_SHFL_SYNC_UP_B32, .a = lanes, .b = lanes}, "b and c");
    refuses((struct warp_batch){.form = WARP_MATCH_ANY_SYNC_B64, .a = lanes}, "a_high");
    refuses((struct warp_batch){.form = WARP_MATCH_ANY_SYNC_B32, .a = lanes, .dst = WARP_DST_D_P}, "destinations");
    refuses((struct warp_batch){.form = WARP_MATCH_ANY_SYNC_B32, .a = lanes, .negate = 1}, "negated");
    refuses((struct warp_batch){.form = WARP_REDUX_SYNC_ADD_U32, .a = {row, 1, true}}, "per lane");
}

/* What would be read, or shifted by, beyond its place: each alone in a batch that is otherwise answered. */
static void numbers_out_of_range_and_missing_operands_are_refused(void **state)
{
    static const uint32_t row[WARP_LANES];
    const struct warp_column lanes = {row, 0, false}, one = {row, 0, true}, none = {NULL, 0, false};
    const struct warp_batch vote = {.form = WARP_VOTE_SYNC_BALLOT_B32, .n = 1, .a = lanes};
    const struct warp_batch shfl = {.form = WARP_SHFL_SYNC_IDX_B32, .n = 1, .a = lanes, .b = lanes, .c = lanes};
    const struct warp_batch wide = {.form = WARP_MATCH_ANY_SYNC_B64, .n = 1, .a = lanes, .a_high = lanes};
    struct warp_batch batch;
    char error[128] = "";
    (void)state;
    assert_true(fast_batch_eval(fast_portable_get(), &vote, error, sizeof error));
    assert_true(fast_batch_eval(fast_portable_get(), &shfl, error, sizeof error));
    assert_true(fast_batch_eval(fast_portable_get(), &wide, error, sizeof error));
    for (uint32_t dst = WARP_DST_COUNT; dst <= 64; dst++) { /* 32 and 64: a shift by them may look at bit 0 */
        batch = shfl;
        batch.dst = dst;
        refuses(batch, "destinations");
    }
    batch.dst = UINT32_MAX;
    refuses(batch, "destinations");
    batch = vote;
    batch.negate = 2;
    refuses(batch, "negated");
    batch = shfl;
    batch.b = none;
    refuses(batch, "b and c");
    batch = shfl;
    batch.c = none;
    refuses(batch, "b and c");
    batch = wide;
    batch.a_high = one;
    refuses(batch, "a_high");
    batch.a_high = none;
    refuses(batch, "a_high");
}

static void an_empty_batch_is_nothing(void **state)
{
    const struct warp_batch batch = {.form = WARP_ACTIVEMASK_B32};
    char error[8];
    (void)state;
    assert_true(fast_batch_eval(fast_get(), &batch, error, sizeof error));
}

/*
 * More rows than the caches hold are written another way (model/fast/stream.h): they must be the rows that small
 * batches give, in the same places. Rows of operands overlap, one word apart, which keeps the operands small.
 */
#define MANY      (FAST_STREAM_BYTES / sizeof(uint32_t[WARP_LANES]) + 45) /* and a last step that is not full */
#define A_FEW     100u
#define UNTOUCHED 0x0badcafeu

static const uint32_t large_forms[] = {WARP_SHFL_SYNC_BFLY_B32, WARP_MATCH_ANY_SYNC_B64, WARP_REDUX_SYNC_ADD_U32,
                                       WARP_VOTE_SYNC_BALLOT_B32, WARP_VOTE_SYNC_ALL_PRED};

static void evaluate_or_fail(const struct warp_impl *impl, const struct warp_batch *batch)
{
    char error[128];
    if (!fast_batch_eval(impl, batch, error, sizeof error))
        fail_msg("%s: %s", impl->name, error);
}

static void check_large(const struct warp_impl *impl, struct warp_batch batch, uint32_t *d, size_t offset)
{
    uint32_t few[A_FEW * WARP_LANES];
    const struct warp_column a = batch.a, a_high = batch.a_high, b = batch.b, active = batch.active;
    memset(d, 0, (MANY + 1) * WARP_LANES * sizeof *d);
    d[offset + MANY * WARP_LANES] = UNTOUCHED;
    batch.n = MANY;
    batch.d = (struct warp_sink){d + offset, WARP_LANES};
    evaluate_or_fail(impl, &batch);
    assert_int_equal(d[offset + MANY * WARP_LANES], UNTOUCHED);
    for (size_t first = 0; first < MANY; first += A_FEW) {
        batch.n = MANY - first < A_FEW ? MANY - first : A_FEW;
        batch.a.values = a.values + first;
        batch.a_high.values = a_high.values + first;
        batch.b.values = b.values + first;
        batch.active.values = batch.membermask.values = active.values + first; /* one array */
        batch.d = (struct warp_sink){few, WARP_LANES};
        evaluate_or_fail(impl, &batch);
        if (memcmp(few, d + offset + first * WARP_LANES, batch.n * WARP_LANES * sizeof *few) != 0)
            fail_msg("%s: form %u, large batch, a warp from %zu on differs", impl->name, batch.form, first);
    }
}

static void large_batches_answer_as_small_ones(void **state)
{
    static uint32_t words[MANY + WARP_LANES], masks[MANY], c[1] = {WARP_LANES - 1};
    uint32_t *d = malloc((MANY + 1) * WARP_LANES * sizeof *d);
    struct random r = {1};
    struct fast_variant v;
    (void)state;
    assert_non_null(d);
    for (size_t i = 0; i < MANY + WARP_LANES; i++)
        words[i] = fast_random_word(&r) & (i % 64 < 32 ? UINT32_MAX : 1u); /* also few distinct values */
    for (size_t i = 0; i < MANY; i++)
        masks[i] = i % 3 == 0 ? UINT32_MAX : fast_random_word(&r) | 1u;
    for (size_t i = 0; fast_variant_get(i, &v); i++)
        for (size_t k = 0; v.impl != NULL && k < sizeof large_forms / sizeof large_forms[0]; k++)
            check_large(
                v.impl,
                (struct warp_batch){.form = large_forms[k],
                                    .target = WARP_TARGET(90, 0),
                                    .dst = large_forms[k] == WARP_SHFL_SYNC_BFLY_B32 ? WARP_DST_D_P : WARP_DST_D,
                                    .a = {words, 1, false},
                                    .a_high = {words, 1, false},
                                    .b = {words, 1, true},
                                    .c = {c, 0, true},
                                    .membermask = {masks, 1, true},
                                    .active = {masks, 1, true}},
                d, k % 2); /* aligned for streaming, or not */
    free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_answer_as_cases),
        cmocka_unit_test(one_bit_is_seen),
        cmocka_unit_test(groups_of_every_number_and_size),
        cmocka_unit_test(senseless_batches_are_refused),
        cmocka_unit_test(numbers_out_of_range_and_missing_operands_are_refused),
        cmocka_unit_test(an_empty_batch_is_nothing),
        cmocka_unit_test(large_batches_answer_as_small_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
