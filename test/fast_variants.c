/*
 * Every variant of fast against the portable one, bit for bit, as cases and in batches: a program of its own without a
 * test library, so that it also runs under an emulator and on machines that have only a compiler. Prints one line a
 * variant; exit status 1 on a difference. The argument is the number of rounds.
 */
#include "check/batch/memory.h"
#include "fast_cases.h"
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH  301u
#define ODD    257u        /* the last strip has one warp */
#define STRIDE 35u         /* of rows with gaps */
#define FILL   0xdeadbeefu /* in results before and behind what is written */

static struct warp_case cases[BATCH];
static struct warp_result expected[BATCH], observed[BATCH];

static void make_cases(struct random *r, uint32_t form, bool alike)
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
    struct random r = {2};
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

/* Rows dense or with gaps; b and c per lane, one a warp, or one for all warps. */
struct layout {
    unsigned n; /* up to BATCH */
    bool gaps, b_per_warp, c_per_warp, constant;
};

/* Makes the cases say what the layout can express. */
static void apply(struct layout l)
{
    for (unsigned w = 0; w < BATCH; w++) {
        const struct warp_case *from = &cases[l.constant ? 0 : w];
        for (unsigned i = 0; i < WARP_LANES; i++) {
            if (l.b_per_warp)
                cases[w].b[i] = from->b[0];
            if (l.c_per_warp)
                cases[w].c[i] = from->c[0];
        }
    }
}

/* An operand's array ends where its last word does: behind it is a page that nobody may read. */
static struct warp_column column(size_t offset_of_operand, bool per_warp, bool constant, struct layout l)
{
    static struct fenced arrays[sizeof(struct warp_case) / sizeof(uint32_t)]; /* by the operand's first word */
    const size_t row = per_warp ? 1 : WARP_LANES, stride = constant ? 0 : l.gaps ? STRIDE : row;
    uint32_t *array = fenced_words(&arrays[offset_of_operand / sizeof(uint32_t)], (l.n - 1) * stride + row, true);
    if (array == NULL) {
        printf("no memory\n");
        exit(1);
    }
    for (unsigned w = 0; w < l.n; w++)
        memcpy(array + w * stride, (const char *)&cases[w] + offset_of_operand, row * sizeof *array);
    return (struct warp_column){array, stride, per_warp};
}

#define COLUMN(field, per_warp, constant) column(offsetof(struct warp_case, field), per_warp, constant, l)

static struct warp_batch make_batch(struct layout l)
{
    const struct warp_case *c = &cases[0];
    return (struct warp_batch){
        .form = c->form,
        .target = c->target,
        .dst = c->dst,
        .negate = c->negate,
        .n = l.n,
        .a = COLUMN(a, false, false),
        .a_high = COLUMN(a_high, false, false),
        .b = COLUMN(b, l.b_per_warp, l.b_per_warp && l.constant),
        .c = COLUMN(c, l.c_per_warp, l.c_per_warp && l.constant),
        .membermask = COLUMN(membermask, false, false),
        .active = COLUMN(active, true, false),
        .exited = COLUMN(exited, true, false),
    };
}

/* Where each result is in a batch and in struct warp_result, and its words a warp. */
static const struct part {
    const char *name;
    size_t in_batch, in_result, row;
} parts[] = {
#define PART(field, row)                                                                                               \
    {                                                                                                                  \
#field, offsetof(struct warp_batch, field), offsetof(struct warp_result, field), row                           \
    }
    PART(d, WARP_LANES), PART(waits_for, WARP_LANES), PART(p, 1), PART(d_defined, 1), PART(done, 1),
    PART(waiting, 1),    PART(undefined, 1),
#undef PART
};
#define PARTS (sizeof parts / sizeof parts[0])

static uint32_t sinks[PARTS][BATCH * STRIDE + 1];

static void give_sinks(struct warp_batch *batch, bool gaps)
{
    for (size_t k = 0; k < PARTS; k++) {
        const struct warp_sink sink = {sinks[k], gaps ? STRIDE : parts[k].row};
        memcpy((char *)batch + parts[k].in_batch, &sink, sizeof sink);
        for (size_t i = 0; i < sizeof sinks[k] / sizeof sinks[k][0]; i++)
            sinks[k][i] = FILL;
    }
}

/* NULL, or the name of a result that differs from the cases' or was written beside its place. */
static const char *difference(struct layout l)
{
    for (size_t k = 0; k < PARTS; k++) {
        const size_t row = parts[k].row, stride = l.gaps ? STRIDE : row;
        for (unsigned w = 0; w < l.n; w++) {
            const uint32_t *at = sinks[k] + w * stride;
            if (memcmp(at, (const char *)&expected[w] + parts[k].in_result, row * sizeof *at) != 0 ||
                ((l.gaps || w + 1 == l.n) && at[row] != FILL))
                return parts[k].name;
        }
    }
    return NULL;
}

static bool batch_agrees(const struct warp_impl *impl, struct layout l)
{
    struct warp_batch batch;
    const char *what;
    char error[128] = "";
    apply(l);
    evaluate(fast_portable_get(), expected);
    batch = make_batch(l);
    give_sinks(&batch, l.gaps);
    if (!fast_batch_eval(impl, &batch, error, sizeof error)) {
        printf("%s: %s\n", impl->name, error);
        return false;
    }
    what = difference(l);
    if (what != NULL)
        printf("%s: a batch differs from cases of fast-portable: %s, %s; gaps %d, b per warp %d, c per warp %d, "
               "constant %d\n",
               impl->name, warp_form_get(cases[0].form)->name, what, l.gaps, l.b_per_warp, l.c_per_warp, l.constant);
    return what == NULL;
}

/* Every layout of each form, `rounds` times. */
static bool batches_agree(const struct warp_impl *impl, unsigned rounds)
{
    struct random r = {4};
    for (unsigned round = 0; round < rounds; round++)
        for (uint32_t form = 0; form < WARP_FORMS; form++)
            for (unsigned bits = 0; bits < 16; bits++) {
                if ((bits & 14u) != 0 && !warp_form_is_shfl(warp_form_get(form)))
                    continue; /* no b, no c */
                make_cases(&r, form, true);
                if (!batch_agrees(impl, (struct layout){round % 2 == 0 ? BATCH : ODD, bits & 1u, bits >> 1 & 1u,
                                                        bits >> 2 & 1u, bits >> 3 & 1u}))
                    return false;
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
        else if (agrees(v.impl, rounds) && batches_agree(v.impl, rounds))
            printf("%s: %u cases and batches of %u warps agree\n", v.name, rounds * (unsigned)WARP_FORMS * BATCH,
                   BATCH);
        else
            ok = false;
    }
    return ok ? 0 : 1;
}
