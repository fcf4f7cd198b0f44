/* gpu/throughput: the cases are valid, safe and varied; mismatches that a device reports go the ordinary way again. */
#include "gpu/gpu.h"
#include "model/lanes.h"
#include "warpcheck_spec.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { CASES = 20000 };

/* True when an active lane has another group than all active lanes. */
static bool has_part_of(const struct warp_case *c)
{
    for (unsigned lane = 0; warp_form_is_sync(warp_form_get(c->form)) && lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && lanes_group(c, lane) != c->active)
            return true;
    return false;
}

static void test_cases(void **state)
{
    (void)state;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        struct throughput_request request = {.seed = 5};
        unsigned groups = 0, exited = 0, elsewhere = 0;
        assert_true(throughput_target(info, info->type == WARP_F32 ? 100 : 90, 90, &request));
        for (uint32_t i = 0; i < CASES; i++) {
            struct warp_case c, again;
            throughput_case(&request, i, &c);
            throughput_case(&request, i, &again);
            assert_memory_equal(&c, &again, sizeof c);
            assert_null(warp_case_check(&c));
            assert_int_equal(lanes_not_done(&c), 0);
            groups += has_part_of(&c);
            exited += c.exited != 0;
            elsewhere += (c.active | c.exited) != UINT32_MAX;
        }
        assert_true(exited > CASES / 4 && elsewhere > CASES / 4);
        assert_true(!warp_form_is_sync(info) || groups > CASES / 4);
    }
}

/* All of b, clamp and segment mask, once each, with every lane: 2^20 points a mode. */
static void test_points(void **state)
{
    static bool seen[THROUGHPUT_POINT_CASES];
    struct throughput_request request = {.space = THROUGHPUT_POINTS};
    (void)state;
    assert_true(throughput_target(warp_form_get(WARP_SHFL_SYNC_BFLY_B32), 90, 90, &request));
    for (uint32_t i = 0; i < THROUGHPUT_POINT_CASES; i++) {
        struct warp_case c;
        throughput_case(&request, i, &c);
        assert_int_equal(c.active, UINT32_MAX);
        assert_true(c.b[7] < 32 && (c.c[7] & ~0x1f1fu) == 0);
        seen[c.b[7] | (c.c[7] & 31u) << 5 | (c.c[7] >> 8) << 10] = true;
    }
    for (uint32_t i = 0; i < THROUGHPUT_POINT_CASES; i++)
        assert_true(seen[i]);
}

static void test_targets(void **state)
{
    struct throughput_request request;
    (void)state;
    assert_false(throughput_target(warp_form_get(WARP_REDUX_SYNC_MAX_F32), 90, 90, &request));
    assert_true(throughput_target(warp_form_get(WARP_SHFL_UP_B32), 90, 90, &request));
    assert_true(warp_legal(warp_form_get(WARP_SHFL_UP_B32), WARP_DST_D, request.ptx, request.target, NULL, 0));
    assert_true(request.ptx >= 60 && request.ptx < 64);
    assert_false(throughput_target(warp_form_get(WARP_REDUX_SYNC_ADD_U32), 75, 90, &request));
    assert_false(throughput_target(warp_form_get(WARP_REDUX_SYNC_ADD_U32), 90, 65, &request));
}

/* A device of software that answers right, or xors d, and names three cases in throughput requests. */
static uint32_t damage;

static bool fake_start(struct gpu_info *info, struct error *error)
{
    (void)error;
    memset(info, 0, sizeof *info);
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
        if (!spec->eval(spec->state, &cases[i], 1, &r, why, sizeof why))
            return error_set(error, ERROR_DECLINED, "%s", why);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            answers[i * ANSWER_WORDS + lane] = r.d[lane] ^ damage;
            answers[i * ANSWER_WORDS + WARP_LANES + lane] =
                (r.done >> lane & 1u ? ANSWER_RAN : 0u) | (r.p >> lane & 1u ? ANSWER_P : 0u);
        }
    }
    return true;
}

static bool fake_throughput(const struct throughput_request *request, struct throughput_reply *reply,
                            struct error *error)
{
    (void)error;
    memset(reply, 0, sizeof *reply);
    reply->lanes = (uint64_t)request->warps * THROUGHPUT_CASES_A_WARP * 20;
    reply->mismatches = 5;
    reply->named = 3;
    for (uint32_t i = 0; i < 3; i++)
        reply->index[i] = request->first + 100 * i;
    return true;
}

static void check_with(uint32_t d_damage, uint64_t confirmed)
{
    static const struct worker_ops ops = {fake_start, fake_evaluate, fake_throughput};
    struct throughput_report r;
    struct error error = {0};
    const struct warp_impl *gpu;
    damage = d_damage; /* before the child starts: it has its own copy */
    gpu = gpu_open(&ops, 5000, &error);
    assert_non_null(gpu);
    assert_true(throughput_check(gpu, spec_get(), warp_form_get(WARP_REDUX_SYNC_XOR_B32), THROUGHPUT_RANDOM, 3, 1000,
                                 &r, &error));
    assert_int_equal(r.mismatches, 5);
    assert_int_equal(r.rechecked, 3);
    assert_int_equal(r.confirmed, confirmed);
    assert_true(r.has_example);
    assert_true(r.sampled > 0);
    assert_true(confirmed == 0 ? r.sample_differs == 0 : r.sample_differs > 0);
    gpu->close(gpu->state);
}

static void test_recheck(void **state)
{
    (void)state;
    check_with(0, 0);
    check_with(1, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_points),
                                       cmocka_unit_test(test_targets), cmocka_unit_test(test_recheck)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
