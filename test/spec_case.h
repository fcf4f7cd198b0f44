/*
 * Helpers for tests of the transcription: build a case, evaluate it, compare with values that were worked out by hand.
 */
#ifndef WARPCHECK_TEST_SPEC_CASE_H
#define WARPCHECK_TEST_SPEC_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "warpcheck_spec.h"

#define FULL UINT32_MAX

static inline void case_of(struct warp_case *c, const char *name)
{
    const struct warp_form_info *info = warp_form_find(name);
    assert_non_null(info);
    warp_case_init(c, info->form);
    if (warp_form_is_sync(info) && info->min_sm < 70)
        c->target = WARP_TARGET(70, 0);
}

static inline void fill(uint32_t operand[WARP_LANES], uint32_t value)
{
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = value;
}

/* Lane i holds base + i. */
static inline void count_up(uint32_t operand[WARP_LANES], uint32_t base)
{
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = base + (uint32_t)lane;
}

static inline void eval(const struct warp_case *c, struct warp_result *r)
{
    const struct warp_impl *spec = spec_get();
    char error[64];
    assert_null(warp_case_check(c));
    assert_true(spec->eval(spec->state, c, 1, r, error, sizeof error));
    assert_int_equal(r->done | r->waiting | r->undefined, c->active);
}

#endif
