/*
 * Every variant of fast against the portable one, bit for bit: a program of its own without a test library, so that it
 * also runs under an emulator and on machines that have only a compiler. Prints one line a variant; exit status 1 on a
 * difference. The argument is the number of rounds.
 */
#include "fast_cases.h"
#include "warpcheck_fast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 301u

static struct warp_case cases[BATCH];
static struct warp_result expected[BATCH], observed[BATCH];

static void make_cases(struct fast_random *r, uint32_t form, bool alike)
{
    for (unsigned i = 0; i < BATCH; i++) {
        fast_random_case(r, form, &cases[i]);
        if (alike) {
            cases[i].target = cases[0].target;
            cases[i].dst = cases[0].dst;
            cases[i].negate = cases[0].negate;
        }
    }
}

static void evaluate(const struct warp_impl *impl, struct warp_result *results)
{
    char error[128] = "";
    memset(results, 0xa5, sizeof expected);
    if (!impl->eval(impl->state, cases, BATCH, results, error, sizeof error)) {
        printf("%s: %s\n", impl->name, error);
        exit(1);
    }
}

static bool agrees(const struct warp_impl *impl, unsigned rounds)
{
    struct fast_random r = {2};
    for (unsigned round = 0; round < rounds; round++)
        for (uint32_t form = 0; form < WARP_FORMS; form++) {
            make_cases(&r, form, round % 2 == 0);
            evaluate(fast_portable_get(), expected);
            evaluate(impl, observed);
            for (unsigned i = 0; i < BATCH; i++)
                if (memcmp(&expected[i], &observed[i], sizeof expected[i]) != 0) {
                    printf("%s: differs from fast-portable: %s, round %u, case %u\n", impl->name,
                           warp_form_get(form)->name, round, i);
                    return false;
                }
        }
    return true;
}

int main(int argc, char **argv)
{
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10;
    struct fast_variant v;
    bool ok = true;
    for (size_t i = 0; fast_variant_get(i, &v); i++) {
        if (v.impl == NULL)
            printf("%s: UNAVAILABLE: %s\n", v.name, v.unavailable);
        else if (agrees(v.impl, rounds))
            printf("%s: %u cases agree\n", v.name, rounds * (unsigned)WARP_FORMS * BATCH);
        else
            ok = false;
    }
    return ok ? 0 : 1;
}
