/* The layout of a trial, as a function of its number. */
#include "check/batch/layout.h"

#include "check/batch.h"
#include "check/random.h"

#include <stdio.h>
#include <string.h>

const char *const batch_column_names[COLUMNS] = {"a", "a_high", "b", "c", "membermask", "active", "exited"};
const char *const batch_sink_names[SINKS] = {"d", "waits_for", "p", "d_defined", "done", "waiting", "undefined"};

/* Sizes around the borders of vectors and strips, which are powers of two. */
static const size_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 64, 65, 127, 128, 129, 130, 255, 256, 257};
#define SIZES (sizeof sizes / sizeof sizes[0])

size_t batch_extent(const struct batch_place *place, size_t n)
{
    return n == 0 ? 0 : (n - 1) * place->stride + (place->per_warp ? 1 : WARP_LANES);
}

static uint32_t some_target(struct random *r, const struct warp_form_info *info)
{
    const struct warp_target_info *target;
    uint32_t targets[64], count = 0;
    for (size_t i = 0; (target = warp_target_get(i)) != NULL && count < 64; i++)
        if (warp_legal_from(info, target->target) != 0)
            targets[count++] = target->target;
    return targets[random_below32(r, count)];
}

static uint32_t some_dst(struct random *r, const struct warp_form_info *info)
{
    uint32_t dst = random_below32(r, WARP_DST_COUNT);
    while (!(info->destinations >> dst & 1u))
        dst = (dst + 1) % WARP_DST_COUNT;
    return dst;
}

static size_t usual_stride(bool per_warp)
{
    return per_warp ? 1 : WARP_LANES;
}

/* Rows of lanes may overlap (1, 2), be one row (0), follow each other (32) or stand apart. */
static size_t some_stride(struct random *r, bool per_warp)
{
    static const size_t strides[] = {0, 1, 2, WARP_LANES, WARP_LANES + 1, 2 * WARP_LANES};
    if (random_below32(r, 3) == 0)
        return usual_stride(per_warp); /* what callers mostly have */
    return strides[random_below32(r, sizeof strides / sizeof strides[0])];
}

/* Rows of results do not overlap. */
static size_t some_sink_stride(struct random *r, bool per_warp)
{
    static const size_t words[] = {1, 1, 2, 3, WARP_LANES, 2 * WARP_LANES};
    static const size_t rows[] = {WARP_LANES, WARP_LANES, WARP_LANES + 1, 2 * WARP_LANES};
    return per_warp ? words[random_below32(r, 6)] : rows[random_below32(r, 4)];
}

static struct batch_place some_column(struct random *r, bool present, bool per_warp)
{
    struct batch_place place = {.present = present, .per_warp = per_warp, .at_end = random_below32(r, 2) != 0};
    place.stride = some_stride(r, per_warp);
    return place;
}

/* Operands that the form has are present; those that may be left out are missing sometimes; a few that the form
 * lacks are present too. */
static void choose_columns(struct random *r, const struct warp_form_info *info, struct batch_layout *l)
{
    const bool shfl = warp_form_is_shfl(info), pred = info->type == WARP_PRED, idle = random_below32(r, 16) == 0;
    l->columns[COLUMN_A] = some_column(r, idle || info->type != WARP_NO_SOURCE, pred && random_below32(r, 2) != 0);
    l->columns[COLUMN_A_HIGH] = some_column(r, idle || info->type == WARP_B64, false);
    l->columns[COLUMN_B] = some_column(r, idle || shfl, random_below32(r, 2) != 0);
    l->columns[COLUMN_C] = some_column(r, idle || shfl, random_below32(r, 2) != 0);
    l->columns[COLUMN_MEMBERMASK] =
        some_column(r, (idle || warp_form_is_sync(info)) && random_below32(r, 4) != 0, random_below32(r, 2) != 0);
    l->columns[COLUMN_ACTIVE] = some_column(r, random_below32(r, 3) != 0, true);
    l->columns[COLUMN_EXITED] = some_column(r, random_below32(r, 3) != 0, true);
}

static void choose_sinks(struct random *r, uint32_t wanted, struct batch_layout *l)
{
    for (unsigned i = 0; i < SINKS; i++) {
        const bool per_warp = i != SINK_D && i != SINK_WAITS_FOR;
        l->sinks[i] = (struct batch_place){wanted >> i & 1u, per_warp, random_below32(r, 2) != 0,
                                           some_sink_stride(r, per_warp), 0};
    }
}

/* In one array alone rows do not follow each other, so that this array decides for the whole batch. */
static void make_dense_but_one(struct random *r, struct batch_layout *l)
{
    const unsigned odd = random_below32(r, COLUMNS + (unsigned)SINKS);
    for (unsigned i = 0; i < COLUMNS + (unsigned)SINKS; i++) {
        struct batch_place *place = i < COLUMNS ? &l->columns[i] : &l->sinks[i - COLUMNS];
        place->stride = (i == odd ? 2 : 1) * usual_stride(place->per_warp);
    }
}

/*
 * The large batches: a few whose operands are small (one value, or overlapping rows), one whose rows are as large as
 * the result, and one of which only the predicate is wanted.
 */
static void make_large(struct random *r, uint64_t which, struct batch_layout *l)
{
    static const uint32_t forms[BATCH_LARGE] = {
        WARP_SHFL_SYNC_BFLY_B32, WARP_MATCH_ANY_SYNC_B64, WARP_REDUX_SYNC_ADD_U32, WARP_VOTE_SYNC_BALLOT_B32,
        WARP_MATCH_ANY_SYNC_B32, WARP_SHFL_SYNC_IDX_B32,  WARP_SHFL_SYNC_UP_B32};
    /* Below, at and above multiples of a step and of a strip: last steps of many sizes. */
    static const uint32_t beyond[BATCH_LARGE] = {3395, 0, 127, 2059, 276, 90, 4111};
    l->form = forms[which];
    l->n = BATCH_LARGE_WARPS + beyond[which] + random_below32(r, 3);
    l->dst = which == 6 ? WARP_DST_D_P : WARP_DST_D;
    l->negate = 0;
    l->target = some_target(r, warp_form_get(l->form));
    choose_columns(r, warp_form_get(l->form), l);
    for (unsigned i = 0; i < COLUMNS; i++)
        l->columns[i].stride = i == COLUMN_A && which == 5 ? WARP_LANES : which == 4 ? 0 : 1;
    /* Without membermasks all lanes must be active, else nobody is done and there is nothing to compare. */
    l->columns[COLUMN_MEMBERMASK].per_warp = true;
    l->columns[COLUMN_MEMBERMASK].present = which != 4;
    if (which == 4)
        l->columns[COLUMN_ACTIVE].present = false;
    l->masks = which == 3 || which == 5 ? MASKS_MISSING : MASKS_ONE_GROUP;
    l->negative = which == 1; /* vector code likes to look at sign bits; and so many values collide in any hash */
    choose_sinks(r, which == 6 ? 1u << SINK_P : 1u << SINK_D, l);
    l->sinks[SINK_D].stride = which == 2 ? WARP_LANES + 1 : which == 5 ? 2 * WARP_LANES : WARP_LANES;
    l->sinks[SINK_D].at_end = which != 2 && which != 3; /* from a page on: 2 is aligned as streaming stores want */
    l->sinks[SINK_D].skew = which == 3;
}

/* A prime that does not divide the number of forms: steps of it come by each of them, and neighbours are of different
 * families. */
#define FORM_STEP 7u
_Static_assert(WARP_FORMS % FORM_STEP != 0, "choose another prime: every family has arrays of cases");

/* Cases in an array: their own family's forms, mixed. */
static void make_cases(struct random *r, uint64_t which, struct batch_layout *l)
{
    l->as_cases = true;
    l->form = (uint32_t)(which * FORM_STEP % WARP_FORMS);
    l->n = sizes[which / 4 % SIZES];
    l->columns[0] = (struct batch_place){true, false, random_below32(r, 4) != 0, WARP_LANES, 0};
    l->sinks[0] = (struct batch_place){true, false, random_below32(r, 4) != 0, WARP_LANES, 0};
}

void batch_layout(uint64_t seed, uint64_t number, struct batch_layout *l)
{
    struct random state = {random_mix(seed + 1) ^ random_mix(number + 1)}, *r = &state;
    const uint64_t round = number / WARP_FORMS;
    const struct warp_form_info *info;
    memset(l, 0, sizeof *l);
    l->content = random_next(r);
    l->masks = (enum batch_masks)random_below32(r, MASKS_KINDS);
    if (number >= BATCH_SMALL + BATCH_LARGE) {
        make_cases(r, number - BATCH_SMALL - BATCH_LARGE, l);
        return;
    }
    if (number >= BATCH_SMALL) {
        make_large(r, (number - BATCH_SMALL) % BATCH_LARGE, l);
        return;
    }
    l->form = (uint32_t)(number % WARP_FORMS);
    info = warp_form_get(l->form);
    l->n = sizes[round % SIZES];
    l->target = some_target(r, info);
    l->dst = some_dst(r, info);
    l->negate = info->type == WARP_PRED ? random_below32(r, 2) : 0;
    choose_columns(r, info, l);
    /* Every set of wanted results, for every form: 2^SINKS divides the rounds, and an odd factor mixes them with n. */
    choose_sinks(r, (uint32_t)((round + round / (1u << SINKS)) * 37u) % (1u << SINKS), l);
    if (random_below32(r, 4) == 0)
        make_dense_but_one(r, l);
}

_Static_assert(BATCH_ROUNDS % (1u << SINKS) == 0, "each set of results is wanted as often");

uint32_t batch_form(uint64_t seed, uint64_t number)
{
    struct batch_layout layout;
    batch_layout(seed, number, &layout);
    return layout.form;
}

static void describe_place(const char *name, const struct batch_place *place, char *text, size_t size)
{
    const size_t used = strlen(text);
    if (place->present)
        snprintf(text + used, size - used, "; %s per %s, stride %zu, %s", name, place->per_warp ? "warp" : "lane",
                 place->stride,
                 place->at_end ? "up to a guard page"
                 : place->skew ? "one word behind a guard page"
                               : "from a guard page on");
}

void batch_describe(uint64_t seed, uint64_t number, char text[BATCH_TEXT_MAX])
{
    struct batch_layout l;
    batch_layout(seed, number, &l);
    if (l.as_cases) {
        snprintf(text, BATCH_TEXT_MAX, "%zu cases of %s in one array, %s a guard page; results %s a guard page", l.n,
                 warp_family_name(warp_form_get(l.form)->family), l.columns[0].at_end ? "up to" : "behind",
                 l.sinks[0].at_end ? "up to" : "behind");
        return;
    }
    snprintf(text, BATCH_TEXT_MAX, "%s, destinations %s, %s%s, %zu warps", warp_form_get(l.form)->name,
             warp_dst_name(l.dst), warp_target_name(l.target), l.negate ? ", negated" : "", l.n);
    for (unsigned i = 0; i < COLUMNS; i++)
        describe_place(batch_column_names[i], &l.columns[i], text, BATCH_TEXT_MAX);
    snprintf(text + strlen(text), BATCH_TEXT_MAX - strlen(text), "; wanted");
    for (unsigned i = 0; i < SINKS; i++)
        describe_place(batch_sink_names[i], &l.sinks[i], text, BATCH_TEXT_MAX);
}
