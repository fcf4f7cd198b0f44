/*
 * Batches whose rows lie more than 2^32 words apart, of one strip and of several: offsets that are worked out in 32
 * bits read and write elsewhere. The rows lie in memory that is reserved, and there only where it is touched.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "check/random.h"
#include "kernels.h"
#include "warpcheck/bytes.h"
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

/*
 * Rows that lie beyond 2^32 words, and modulo 2^32 at no row: the third, within a strip; and the first and the last of
 * a second strip, which begins there.
 */
static const struct spread {
    unsigned warps;
    size_t stride; /* words */
} spreads[] = {{3, ((size_t)1 << 31) + 96}, {FAST_STRIP + 2, ((size_t)1 << 32) / FAST_STRIP + 96}};
#define MOST (FAST_STRIP + 2)
#define ROOM ((3 * (((size_t)1 << 31) + 96) + WARP_LANES) * sizeof(uint32_t)) /* enough for each of them */

static size_t stride;

static uint32_t *far_rows(void)
{
    void *rows = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return rows == MAP_FAILED ? NULL : rows;
}

enum { A, A_HIGH, B, C, MEMBERMASK, ACTIVE, EXITED, OPERANDS };
enum { D, WAITS_FOR, P, D_DEFINED, DONE, WAITING, UNDEFINED, RESULTS };

static uint32_t *operands[OPERANDS], *results[RESULTS];

static void fill_row(unsigned w, const struct warp_case *c)
{
    const uint32_t *const rows[] = {c->a, c->a_high, c->b, c->c, c->membermask};
    for (unsigned i = A; i <= MEMBERMASK; i++)
        memcpy(operands[i] + w * stride, rows[i], sizeof c->a);
    operands[ACTIVE][w * stride] = c->active;
    operands[EXITED][w * stride] = c->exited;
}

/* What a batch says of warp w. */
static struct warp_result gathered(unsigned w)
{
    struct warp_result r = {0};
    memcpy(r.d, results[D] + w * stride, sizeof r.d);
    memcpy(r.waits_for, results[WAITS_FOR] + w * stride, sizeof r.waits_for);
    r.p = results[P][w * stride];
    r.d_defined = results[D_DEFINED][w * stride];
    r.done = results[DONE][w * stride];
    r.waiting = results[WAITING][w * stride];
    r.undefined = results[UNDEFINED][w * stride];
    return r;
}

static void check_form(const struct warp_impl *fast, const struct warp_impl *variant, uint32_t form, unsigned warps)
{
    static struct warp_case cases[MOST];
    static struct warp_result expected[MOST];
    char error[128];
    struct warp_batch batch = {.form = form, .n = warps};
    for (unsigned w = 0; w < warps; w++) {
        random_case(13, (uint64_t)form * MOST + w, WARP_FAMILY_BIT(warp_form_get(form)->family), &cases[w]);
        cases[w].form = form;
        cases[w].target = warp_form_least_target(warp_form_get(form));
        cases[w].dst = warp_form_get(form)->destinations & 2u ? WARP_DST_D_P : WARP_DST_D;
        cases[w].negate = 0;
        warp_case_repair(&cases[w]);
        fill_row(w, &cases[w]);
    }
    batch.target = cases[0].target;
    batch.dst = cases[0].dst;
    batch.a = (struct warp_column){operands[A], stride, false};
    batch.a_high = (struct warp_column){operands[A_HIGH], stride, false};
    batch.b = (struct warp_column){operands[B], stride, false};
    batch.c = (struct warp_column){operands[C], stride, false};
    batch.membermask = (struct warp_column){operands[MEMBERMASK], stride, false};
    batch.active = (struct warp_column){operands[ACTIVE], stride, true};
    batch.exited = (struct warp_column){operands[EXITED], stride, true};
    batch.d = (struct warp_sink){results[D], stride};
    batch.waits_for = (struct warp_sink){results[WAITS_FOR], stride};
    batch.p = (struct warp_sink){results[P], stride};
    batch.d_defined = (struct warp_sink){results[D_DEFINED], stride};
    batch.done = (struct warp_sink){results[DONE], stride};
    batch.waiting = (struct warp_sink){results[WAITING], stride};
    batch.undefined = (struct warp_sink){results[UNDEFINED], stride};
    for (unsigned w = 0; w < warps; w++)
        for (unsigned i = 0; i < RESULTS; i++)
            memset(results[i] + w * stride, 0xa5, (i <= WAITS_FOR ? WARP_LANES : 1) * sizeof(uint32_t));
    assert_true(fast->eval(fast->state, cases, warps, expected, error, sizeof error));
    if (!fast_batch_eval(variant, &batch, error, sizeof error))
        fail_msg("%s, %s: %s", variant->name, warp_form_get(form)->name, error);
    for (unsigned w = 0; w < warps; w++) {
        const struct warp_result r = gathered(w);
        if (!warp_result_compare(&cases[w], &expected[w], &r, WARP_PART_ALL, NULL))
            fail_msg("%s, %s: warp %u, %zu words from the first, is wrong", variant->name, warp_form_get(form)->name, w,
                     w * stride);
    }
}

static void rows_beyond_32_bits(void **state)
{
    struct fast_variant variant;
    unsigned tried = 0;
    (void)state;
    for (unsigned i = 0; i < OPERANDS + RESULTS; i++) {
        uint32_t **rows = i < OPERANDS ? &operands[i] : &results[i - OPERANDS];
        *rows = far_rows();
        if (*rows == NULL) {
            print_message("UNAVAILABLE: %zu GiB of addresses: not tried\n", ROOM >> 30);
            skip();
        }
    }
    for (unsigned s = 0; s < sizeof spreads / sizeof spreads[0]; s++) {
        stride = spreads[s].stride;
        for (size_t i = 0; fast_variant_get(i, &variant); i++)
            for (uint32_t form = 0; variant.impl != NULL && form < WARP_FORMS; form++, tried++)
                check_form(fast_portable_get(), variant.impl, form, spreads[s].warps);
    }
    print_message("%u instructions tried\n", tried);
    assert_true(tried >= 2 * WARP_FORMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_beyond_32_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
