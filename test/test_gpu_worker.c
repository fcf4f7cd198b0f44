/* gpu/gpu.c and gpu/worker.c over a device made of software: answers, refusals, and a child that hangs, dies or fails.
 */
#define _POSIX_C_SOURCE 200809L

#include "gpu/gpu.h"
#include "gpu/text.h"
#include "warpcheck_spec.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Values of a[31], a lane that never takes part, that make the software device misbehave. */
enum { BEHAVE, HANG = 0x1001, DIE = 0x1002, FAIL = 0x1003, LOSE_LANE = 0x1004 };

static bool fake_start(struct gpu_info *info, struct error *error)
{
    (void)error;
    memset(info, 0, sizeof *info);
    snprintf(info->device, sizeof info->device, "Software");
    info->sm = 90;
    info->driver = 13000;
    return true;
}

static bool fake_evaluate(const struct warp_case *cases, size_t n, uint32_t *answers, struct error *error)
{
    const struct warp_impl *spec = spec_get();
    for (size_t i = 0; i < n; i++) {
        struct warp_result r;
        char why[256];
        if (cases[i].a[31] == HANG)
            pause();
        if (cases[i].a[31] == DIE)
            raise(SIGKILL);
        if (cases[i].a[31] == FAIL) {
            return error_set(error, ERROR_DECLINED, "kernel: CUDA_ERROR_ILLEGAL_ADDRESS");
        }
        if (!spec->eval(spec->state, &cases[i], 1, &r, why, sizeof why))
            return error_set(error, ERROR_DECLINED, "%s", why);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const bool ran = (r.done >> lane & 1u) && !(cases[i].a[31] == LOSE_LANE && lane == 0);
            answers[i * ANSWER_WORDS + lane] = r.d[lane];
            answers[i * ANSWER_WORDS + WARP_LANES + lane] =
                (ran ? ANSWER_RAN : 0u) | (r.p >> lane & 1u ? ANSWER_P : 0u);
        }
    }
    return true;
}

static bool fake_throughput(const struct throughput_request *request, struct throughput_reply *reply,
                            struct error *error)
{
    (void)request;
    (void)error;
    memset(reply, 0, sizeof *reply);
    return true;
}

static const struct worker_ops ops = {fake_start, fake_evaluate, fake_throughput};

static const struct warp_impl *open_fake(void)
{
    struct error why;
    const struct warp_impl *impl = gpu_open(&ops, 1000, &why);
    assert_non_null(impl);
    return impl;
}

/* shfl.sync.up over lanes 0..15; lane 31 is elsewhere. */
static void make_case(struct warp_case *c, uint32_t behaviour)
{
    warp_case_init(c, WARP_SHFL_SYNC_UP_B32);
    c->dst = WARP_DST_D_P;
    c->active = 0xffff;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c->a[lane] = 100 + lane;
        c->b[lane] = 1;
        c->membermask[lane] = 0xffff;
    }
    c->a[31] = behaviour;
}

static void assert_answers(const struct warp_impl *impl, const struct warp_case *c)
{
    const struct warp_impl *spec = spec_get();
    struct warp_result expected, observed;
    char error[512];
    assert_true(spec->eval(spec->state, c, 1, &expected, error, sizeof error));
    assert_true(impl->eval(impl->state, c, 1, &observed, error, sizeof error));
    assert_true(warp_result_compare(c, &expected, &observed, impl->provides, NULL));
    assert_int_equal(observed.d_defined, expected.d_defined);
}

static void test_answers(void **state)
{
    const struct warp_impl *impl = open_fake();
    struct warp_case c;
    (void)state;
    make_case(&c, BEHAVE);
    assert_answers(impl, &c);
    assert_non_null(strstr(impl->description, "Software, sm_90"));
    impl->close(impl->state);
}

/* Lanes that a device lost show as a difference of the outcome. */
static void test_lost_lane(void **state)
{
    const struct warp_impl *impl = open_fake();
    struct warp_case c;
    struct warp_result r;
    char error[512];
    (void)state;
    make_case(&c, LOSE_LANE);
    assert_true(impl->eval(impl->state, &c, 1, &r, error, sizeof error));
    assert_int_equal(r.done, 0xfffe);
    impl->close(impl->state);
}

static void assert_refused(const struct warp_impl *impl, const struct warp_case *c, const char *reason)
{
    char why[256] = "";
    struct warp_result r;
    assert_null(warp_case_check(c));
    assert_false(warp_impl_accepts(impl, c, why, sizeof why));
    assert_non_null(strstr(why, reason));
    /* A caller that does not ask `accepts` gets no answer either. */
    assert_false(impl->eval(impl->state, c, 1, &r, why, sizeof why));
}

static void test_refusals(void **state)
{
    const struct warp_impl *impl = open_fake();
    struct warp_case c;
    (void)state;
    make_case(&c, BEHAVE);
    c.membermask[3] = 0xfffff; /* lanes 16..19 never come */
    assert_refused(impl, &c, "would wait");
    make_case(&c, BEHAVE);
    c.membermask[3] = 0x1; /* not in its own membermask */
    assert_refused(impl, &c, "undefined");
    make_case(&c, BEHAVE);
    c.target = WARP_TARGET(100, 0);
    assert_refused(impl, &c, "sm_90");
    warp_case_init(&c, WARP_REDUX_SYNC_MIN_F32);
    assert_refused(impl, &c, "f32 redux needs sm_100a");
    warp_case_init(&c, WARP_VOTE_ALL_PRED);
    c.target = WARP_TARGET(12, 0);
    assert_refused(impl, &c, "below sm_30");
    impl->close(impl->state);
}

/* A batch with one bad case: the message names it, and the next batch is answered. */
static void assert_survives(uint32_t behaviour, const char *message)
{
    const struct warp_impl *impl = open_fake();
    struct warp_case cases[3];
    struct warp_result results[3];
    char error[512] = "";
    make_case(&cases[0], BEHAVE);
    make_case(&cases[1], behaviour);
    make_case(&cases[2], BEHAVE);
    cases[1].active = 0xfff;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        cases[1].membermask[lane] = 0xfff;
    assert_false(impl->eval(impl->state, cases, 3, results, error, sizeof error));
    print_message("%s\n", error);
    assert_non_null(strstr(error, "active=0xfff:"));
    assert_non_null(strstr(error, "shfl.sync.up.b32"));
    assert_non_null(strstr(error, message));
    assert_answers(impl, &cases[0]);
    impl->close(impl->state);
}

static void test_hang(void **state)
{
    (void)state;
    assert_survives(HANG, "the process that drives the device gave no answer within 1 s");
}

static void test_death(void **state)
{
    (void)state;
    assert_survives(DIE, "the process that drives the device crashed with SIGKILL");
}

static void test_failure(void **state)
{
    (void)state;
    assert_survives(FAIL, "CUDA_ERROR_ILLEGAL_ADDRESS");
}

static bool start_fails(struct gpu_info *info, struct error *error)
{
    (void)info;
    return error_set(error, ERROR_UNAVAILABLE, "no CUDA driver here");
}

static bool start_hangs(struct gpu_info *info, struct error *error)
{
    (void)info;
    (void)error;
    pause();
    return true;
}

static void test_start(void **state)
{
    static const struct worker_ops failing = {start_fails, fake_evaluate, fake_throughput};
    static const struct worker_ops hanging = {start_hangs, fake_evaluate, fake_throughput};
    struct gpu_info info;
    struct error why = {0};
    (void)state;
    assert_null(gpu_open(&failing, 1000, &why));
    assert_int_equal(why.code, ERROR_UNAVAILABLE);
    assert_string_equal(why.text, "no CUDA driver here");
    assert_null(worker_start(&hanging, 200, &info, &why));
    assert_int_equal(why.code, ERROR_TIMEOUT);
    assert_string_equal(why.text, "the process that drives the device gave no answer within 200 ms");
}

/* More cases than one request holds. */
static void test_many(void **state)
{
    static struct warp_case cases[WORKER_CASES + 5];
    static struct warp_result results[WORKER_CASES + 5];
    const struct warp_impl *impl = open_fake();
    char error[256];
    (void)state;
    for (uint32_t i = 0; i < WORKER_CASES + 5; i++) {
        make_case(&cases[i], BEHAVE);
        cases[i].a[0] = i;
    }
    assert_true(impl->eval(impl->state, cases, WORKER_CASES + 5, results, error, sizeof error));
    for (uint32_t i = 0; i < WORKER_CASES + 5; i++)
        assert_int_equal(results[i].d[1], i);
    impl->close(impl->state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers),  cmocka_unit_test(test_lost_lane),
                                       cmocka_unit_test(test_refusals), cmocka_unit_test(test_hang),
                                       cmocka_unit_test(test_death),    cmocka_unit_test(test_failure),
                                       cmocka_unit_test(test_start),    cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
