#include "fuzz/seek.h"

#include "model/lanes.h"
#include "warpcheck/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define SUM      0x2468ace0u
#define SEARCHES 4000u

/* Code under test that compares as a plugin would that was compiled for coverage. */
static struct feedback told;
static unsigned asked;

/* The comparison number `at` of the code. */
static bool equal(unsigned at, uint32_t x, uint32_t y)
{
    struct feedback_site *const site = &told.sites[at];
    enum feedback_outcome outcomes[2];
    if (site->place == 0) {
        site->place = at + 1;
        told.order[told.used++] = (uint16_t)at;
    }
    if (site->call != told.calls) {
        site->call = told.calls;
        site->bytes = 4;
        site->count = site->run = 0;
        memset(site->now, 0, sizeof site->now);
        told.here[told.here_count++] = (uint16_t)at;
    }
    feedback_outcomes((struct feedback_pair){x, y}, 4, outcomes);
    site->now[outcomes[0]]++;
    if (x != y) {
        site->now[outcomes[1]]++;
        if (site->count < FEEDBACK_PAIRS)
            site->pairs[site->count++] = (struct feedback_pair){x, y};
    }
    return x == y;
}

static void begin(void)
{
    told.calls++;
    told.here_count = 0;
    asked++;
}

/* Wrong where the lanes' values have a certain sum and read the same from both ends. */
static bool ask_sum(const struct warp_case *c, const uint8_t *steps, size_t n)
{
    uint32_t sum = 0;
    (void)steps, (void)n;
    begin();
    for (unsigned i = 0; i < WARP_LANES; i++)
        sum += c->a[i];
    for (unsigned i = 0; i < WARP_LANES / 2; i++)
        if (!equal(0, c->a[i], c->a[WARP_LANES - 1 - i]))
            return true;
    if (c->a[0] == c->a[1])
        return true;
    return !equal(1, sum, SUM);
}

/* Wrong where two lanes' bits differ in all places, two others are exchanged bytes, and one has exited. */
static bool ask_lanes(const struct warp_case *c, const uint8_t *steps, size_t n)
{
    const bool first = (begin(), equal(0, c->a[3] ^ c->a[9], UINT32_MAX));
    const bool second = equal(1, lanes_in(c->exited), 1); /* as one condition: neither guards the other */
    (void)steps, (void)n;
    return !(first && second);
}

/* Wrong where the call repeats its first case after two others. */
static bool ask_call(const struct warp_case *c, const uint8_t *steps, size_t n)
{
    (void)c;
    begin();
    if (equal(0, (uint32_t)n, 4) && equal(1, steps[0], steps[3]))
        return equal(2, steps[0], steps[1]) || equal(3, steps[1], steps[2]);
    return true;
}

/* Searches until an answer is wrong. Returns the case, and how many were asked in `asked`. */
static struct warp_case found_by(seek_ask_fn ask, bool call)
{
    struct warp_case c;
    memset(&told, 0, sizeof told);
    asked = 0;
    mutation_learn(&told);
    seek_by(ask);
    for (uint32_t n = 0; n < SEARCHES; n++) {
        struct mutation m = {.c = &c, .random = {random_mix(n)}, .families = WARP_FAMILY_ALL, .lane = WARP_LANES};
        warp_case_init(&c, WARP_REDUX_SYNC_ADD_U32);
        m.order.n = call && n < 8 ? 2 : 0;
        m.info = warp_form_get(c.form);
        if (n < 8) { /* the engine's inputs come first */
            mutate_a(&m);
            told.inputs++;
            ask(&c, m.order.steps, m.order.n);
            seek_note(&m);
        } else {
            mutate_seek(&m);
        }
        if (!ask(&c, m.order.steps, m.order.n)) {
            seek_by(NULL);
            mutation_learn(NULL);
            return c;
        }
    }
    fail_msg("%u searches, %u cases asked: the answer was never wrong", SEARCHES, asked);
    return c;
}

static void loops_and_sums_are_found(void **state)
{
    const struct warp_case c = found_by(ask_sum, false);
    uint32_t sum = 0;
    (void)state;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        sum += c.a[i];
        assert_int_equal(c.a[i], c.a[WARP_LANES - 1 - i]);
    }
    assert_int_equal(sum, SUM);
}

static void conditions_are_kept_together(void **state)
{
    const struct warp_case c = found_by(ask_lanes, false);
    (void)state;
    assert_int_equal(c.a[3], ~c.a[9]);
    assert_int_equal(lanes_in(c.exited), 1);
}

static void calls_are_found(void **state)
{
    (void)state;
    found_by(ask_call, true);
}

/* Without anybody to ask nothing is sought. */
static void nobody_is_asked(void **state)
{
    (void)state;
    mutation_learn(&told);
    assert_false(seek_can());
    seek_by(ask_sum);
    assert_true(seek_can());
    seek_by(NULL);
    mutation_learn(NULL);
    assert_false(seek_can());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_and_sums_are_found),
        cmocka_unit_test(conditions_are_kept_together),
        cmocka_unit_test(calls_are_found),
        cmocka_unit_test(nobody_is_asked),
    };
    return cmocka_run_group_tests_name("seek", tests, NULL, NULL);
}
