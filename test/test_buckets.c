/*
 * The buckets of a case told once more, by their names and in the plainest way, from the meanings that coverage.def
 * writes beside them: on random cases both must say the same set.
 */
#include "check/random.h"
#include "fuzz/coverage/coverage.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define CASES 30000u

static char names[COVERAGE_BUCKETS][96];
static bool expected[COVERAGE_BUCKETS];

/* The case and its answer; the group of done lanes that is looked at. */
struct look {
    const struct warp_case *c;
    const struct warp_result *r;
    const struct warp_form_info *info;
    lanemask group;
};

static void hit(const struct look *k, const char *rest)
{
    char name[96];
    snprintf(name, sizeof name, "%s/%s", warp_family_name(k->info->family), rest);
    for (size_t i = 0; i < COVERAGE_BUCKETS; i++)
        if (strcmp(names[i], name) == 0) {
            expected[i] = true;
            return;
        }
    fail_msg("there is no bucket %s", name);
}

static unsigned count(lanemask mask)
{
    unsigned n = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        n += mask >> lane & 1u;
    return n;
}

static const char *shape(lanemask mask)
{
    unsigned first = 0, last = 31;
    if (mask == 0)
        return "none";
    while (!(mask >> first & 1u))
        first++;
    while (!(mask >> last & 1u))
        last--;
    if (count(mask) == 1)
        return "single";
    if (count(mask) != last - first + 1)
        return "sparse";
    return count(mask) == 32 ? "full" : first == 0 ? "prefix" : "run";
}

static lanemask group_of(const struct warp_case *c, unsigned lane)
{
    return warp_form_is_sync(warp_form_get(c->form)) ? c->membermask[lane] & ~c->exited : c->active;
}

static void look_at_state(struct look *k)
{
    char text[80];
    const char *parts[] = {k->r->done ? "done" : NULL, k->r->waiting ? "waiting" : NULL,
                           k->r->undefined ? "undefined" : NULL};
    unsigned groups = 0, kinds = 0;
    if (!warp_form_is_sync(k->info)) {
        snprintf(text, sizeof text, "active/%s/%s/%s", shape(k->c->active), k->c->exited ? "exited" : "live",
                 (k->c->active | k->c->exited) == UINT32_MAX ? "together" : "elsewhere");
        hit(k, text);
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const lanemask group = group_of(k->c, lane);
        if (!(k->r->done >> lane & 1u) || (group & ((1u << lane) - 1u)) != 0)
            continue;
        groups++;
        snprintf(text, sizeof text, "group/%s/%s/%s", shape(group),
                 k->c->membermask[lane] & k->c->exited ? "exited" : "live",
                 (group | k->c->exited) == UINT32_MAX ? "together" : "elsewhere");
        hit(k, text);
    }
    snprintf(text, sizeof text, "outcome/");
    for (unsigned i = 0; i < 3; i++)
        if (parts[i] != NULL)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", kinds++ > 0 ? "+" : "", parts[i]);
    if (kinds == 0)
        snprintf(text, sizeof text, "outcome/nobody");
    else if (kinds == 3)
        snprintf(text, sizeof text, "outcome/all-outcomes");
    else if (kinds == 1 && k->r->done)
        snprintf(text, sizeof text, "outcome/%s", groups > 1 ? "many-groups" : "one-group");
    snprintf(text + strlen(text), sizeof text - strlen(text), "/%s",
             k->c->target < WARP_TARGET(70, 0) ? "sm_6x" : "sm_70");
    hit(k, text);
}

/* ---- shfl ---- */

static const char *segment_name(unsigned mask)
{
    if (mask == 0)
        return "whole";
    if (mask == 31)
        return "lane";
    return mask == 16 || mask == 24 || mask == 28 || mask == 30 ? "split" : "irregular";
}

static void look_at_shfl_lane(struct look *k, unsigned lane)
{
    static const char *const modes[] = {
        [WARP_UP] = "up", [WARP_DOWN] = "down", [WARP_BFLY] = "bfly", [WARP_IDX] = "idx"};
    const uint32_t b = k->c->b[lane], c = k->c->c[lane];
    const int own = (int)lane, shift = (int)b & 31, clamp = (int)c & 31, segment = (int)(c >> 8) & 31;
    const char *mode = modes[k->info->op], *source = "clamped";
    char text[80];
    int j = own;
    bool reads;
    if (k->info->op == WARP_UP)
        j -= shift;
    else if (k->info->op == WARP_DOWN)
        j += shift;
    else if (k->info->op == WARP_BFLY)
        j ^= shift;
    else
        j = (own & segment) | (shift & (31 - segment));
    const int bound = (own & segment) | (clamp & (31 - segment));
    reads = k->info->op == WARP_UP ? j >= bound : j <= bound;
    if (reads) {
        const bool other = (j & segment) != (own & segment);
        source = j == own ? "self" : other ? "other" : j < own ? "below" : "above";
        snprintf(text, sizeof text, "read/%s/%s", mode,
                 k->c->exited >> j & 1u   ? "exited"
                 : k->group >> j & 1u     ? "group"
                 : k->c->active >> j & 1u ? "foreign"
                                          : "elsewhere");
        hit(k, text);
    }
    snprintf(text, sizeof text, "source/%s/%s/%s/%s", mode, segment_name((unsigned)segment),
             clamp == 0    ? "clamp0"
             : clamp == 31 ? "clamp31"
                           : "clampN",
             source);
    hit(k, text);
    snprintf(text, sizeof text, "bits/%s/%s/%s", mode,
             (int32_t)b < 0 ? "b-"
             : b > 31       ? "b32"
                            : "b5",
             c == (c & 0x1f1f) ? "c" : "c+");
    hit(k, text);
}

static void look_at_shfl(struct look *k)
{
    static const char *const modes[] = {
        [WARP_UP] = "up", [WARP_DOWN] = "down", [WARP_BFLY] = "bfly", [WARP_IDX] = "idx"};
    bool same_b = true, same_c = true;
    int first = -1;
    char text[80];
    snprintf(text, sizeof text, "dst/%s/%s", modes[k->info->op], warp_dst_name(k->c->dst));
    hit(k, text);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(k->r->done >> lane & 1u))
            continue;
        first = first < 0 ? (int)lane : first;
        same_b = same_b && k->c->b[lane] == k->c->b[first];
        same_c = same_c && k->c->c[lane] == k->c->c[first];
        k->group = group_of(k->c, lane);
        look_at_shfl_lane(k, lane);
    }
    if (first < 0)
        return;
    snprintf(text, sizeof text, "uniform/%s/%s/%s", modes[k->info->op], same_b ? "b=" : "b#", same_c ? "c=" : "c#");
    hit(k, text);
}

/* ---- vote ---- */

static void look_at_vote(struct look *k)
{
    static const char *const modes[] = {
        [WARP_ALL] = "all", [WARP_ANY] = "any", [WARP_UNI] = "uni", [WARP_BALLOT] = "ballot"};
    unsigned yes = 0, no = 0, outside_yes = 0;
    char text[80];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const bool in = k->group >> lane & 1u, truth = k->c->a[lane] != 0;
        yes += in && truth;
        no += in && !truth;
        outside_yes += !in && truth;
    }
    snprintf(text, sizeof text, "predicates/%s/%s/%s/%s", modes[k->info->op], k->c->negate ? "!a" : "a",
             no == 0    ? "true"
             : yes == 0 ? "false"
                        : "mixed",
             yes + no == 32    ? "no-outside"
             : outside_yes > 0 ? "outside-true"
                               : "outside-false");
    hit(k, text);
}

/* ---- match ---- */

static double as_number(uint64_t bits, bool wide)
{
    double d;
    float f;
    const uint32_t low = (uint32_t)bits;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &low, sizeof f);
    return wide ? d : (double)f;
}

static void look_at_match(struct look *k)
{
    const bool wide = k->info->type == WARP_B64;
    const char *op = k->info->op == WARP_ANY ? (wide ? "any.b64" : "any.b32") : wide ? "all.b64" : "all.b32";
    uint64_t seen[WARP_LANES];
    unsigned of[WARP_LANES], values = 0, members = 0, last = 0, positive_zero = 0, negative_zero = 0, nans = 0;
    bool same_nan = false, outside_same = false;
    char text[80];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t a = warp_case_a64(k->c, lane);
        unsigned v = 0;
        if (!(k->group >> lane & 1u))
            continue;
        members++;
        while (v < values && seen[v] != a)
            v++;
        if (v == values) {
            seen[values] = a;
            of[values++] = 0;
        }
        of[v]++;
        last = v;
        same_nan = same_nan || (as_number(a, wide) != as_number(a, wide) && of[v] > 1);
    }
    for (unsigned v = 0; v < values; v++) {
        const uint64_t difference = seen[v] ^ seen[0];
        const double number = as_number(seen[v], wide);
        positive_zero += seen[v] == 0;
        negative_zero += number == 0 && seen[v] != 0;
        nans += number != number;
        if (v == 0)
            continue;
        snprintf(text, sizeof text, "half/%s/%s", op,
                 (difference >> 32) != 0 && (uint32_t)difference != 0 ? "both"
                 : (difference >> 32) != 0                            ? "high"
                                                                      : "low");
        hit(k, text);
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        outside_same = outside_same || (!(k->group >> lane & 1u) && warp_case_a64(k->c, lane) == seen[0]);
    if (positive_zero + negative_zero > 1) {
        snprintf(text, sizeof text, "float/%s/zeros", op);
        hit(k, text);
    }
    if (same_nan) {
        snprintf(text, sizeof text, "float/%s/same-nan", op);
        hit(k, text);
    }
    if (nans > 1) {
        snprintf(text, sizeof text, "float/%s/two-nans", op);
        hit(k, text);
    }
    snprintf(text, sizeof text, "values/%s/%s/%s", op,
             values == 1    ? "1-value"
             : values == 2  ? "2-values"
             : values <= 4  ? "4-values"
             : values <= 8  ? "8-values"
             : values <= 31 ? "many-values"
                            : "32-values",
             outside_same ? "outside-same" : "outside-other");
    hit(k, text);
    snprintf(text, sizeof text, "dst/%s/%s", op, warp_dst_name(k->c->dst));
    hit(k, text);
    if (values == 2 && members >= 3 && (of[0] == 1 || of[1] == 1)) {
        snprintf(text, sizeof text, "odd/%s/%s", op, of[0] == 1 ? "odd-first" : last == 1 ? "odd-last" : "odd-middle");
        hit(k, text);
    }
}

/* ---- redux ---- */

static const char *position(const bool holds[WARP_LANES], lanemask group)
{
    unsigned holders = 0, before = 0, after = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(group >> lane & 1u))
            continue;
        if (holds[lane])
            holders++;
        else if (holders == 0)
            before++;
        else
            after++;
    }
    return holders > 1 ? "tie" : before == 0 ? "first" : after == 0 ? "last" : "middle";
}

/* One more input in the reduction. */
static uint32_t with(const struct warp_form_info *info, uint32_t x, uint32_t y)
{
    const bool below = info->type == WARP_S32 ? (int32_t)y < (int32_t)x : y < x;
    if (info->op == WARP_MIN)
        return below ? y : x;
    if (info->op == WARP_MAX)
        return below ? x : y;
    return info->op == WARP_ADD ? x + y : info->op == WARP_AND ? x & y : info->op == WARP_OR ? x | y : x ^ y;
}

static void look_at_integers(struct look *k, const char *op, uint32_t result)
{
    unsigned top = 0, members = 0, changing = 0;
    double sum = 0, signed_sum = 0;
    bool holds[WARP_LANES];
    char text[80];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t a = k->c->a[lane];
        const bool in = k->group >> lane & 1u;
        holds[lane] = a == result;
        members += in;
        top += in && (int32_t)a < 0;
        sum += in ? (double)a : 0;
        signed_sum += in ? (double)(int32_t)a : 0;
        changing += !in && with(k->info, result, a) != result;
    }
    snprintf(text, sizeof text, "signs/%s/%s", op, top == 0 ? "top-clear" : top == members ? "top-set" : "top-mixed");
    hit(k, text);
    snprintf(text, sizeof text, "outside/%s/%s", op,
             members == 32  ? "no-outside"
             : changing > 0 ? "outside-changes"
                            : "outside-neutral");
    hit(k, text);
    text[0] = '\0';
    if (k->info->op == WARP_ADD)
        snprintf(text, sizeof text, "sum/%s/%s/%s", op, sum > (double)UINT32_MAX ? "carry" : "no-carry",
                 signed_sum > INT32_MAX || signed_sum < INT32_MIN ? "overflow" : "no-overflow");
    else if (k->info->op == WARP_MIN || k->info->op == WARP_MAX)
        snprintf(text, sizeof text, "winner/%s/%s", op, position(holds, k->group));
    else
        snprintf(text, sizeof text, "bitwise/%s/%s", op,
                 result == 0            ? "zero"
                 : result == UINT32_MAX ? "ones"
                                        : "other");
    hit(k, text);
}

static const char *float_class(uint32_t bits)
{
    static const char *const classes[2][5] = {{"+0", "+subnormal", "+normal", "+inf", "nan"},
                                              {"-0", "-subnormal", "-normal", "-inf", "nan"}};
    const uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    const unsigned class = exponent == 0xff ? (fraction != 0 ? 4 : 3) : exponent != 0 ? 2 : fraction != 0 ? 1 : 0;
    return classes[bits >> 31][class];
}

static bool is_nan(uint32_t bits)
{
    return strcmp(float_class(bits), "nan") == 0;
}

static void look_at_floats(struct look *k, const char *op, uint32_t result)
{
    unsigned nans = 0, members = 0, plus = 0, minus = 0, holders = 0;
    bool holds[WARP_LANES] = {false};
    char text[80];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t a = k->c->a[lane];
        if (!(k->group >> lane & 1u))
            continue;
        members++;
        plus += a == 0;
        minus += a == 0x80000000u;
        holds[lane] = !is_nan(a) && (k->info->abs ? a & 0x7fffffffu : a) == result;
        holders += holds[lane];
        if (!is_nan(a))
            continue;
        nans++;
        snprintf(text, sizeof text, "nan-kind/%s/%s", op,
                 a >> 31            ? "negative"
                 : a == 0x7fffffffu ? "canonical"
                 : a >> 22 & 1u     ? "quiet"
                                    : "signalling");
        hit(k, text);
    }
    snprintf(text, sizeof text, "nans/%s/%s", op, nans == 0 ? "no-nan" : nans == members ? "all-nan" : "some-nan");
    hit(k, text);
    if (plus + minus > 0) {
        snprintf(text, sizeof text, "zeros/%s/%s%s", op, plus > 0 ? "+0" : "", minus > 0 ? "-0" : "");
        hit(k, text);
    }
    snprintf(text, sizeof text, "result/%s/%s", op, float_class(result));
    hit(k, text);
    if (holders > 0) {
        snprintf(text, sizeof text, "winner/%s/%s", op, position(holds, k->group));
        hit(k, text);
    }
}

/* ---- elect ---- */

static void look_at_elect(struct look *k)
{
    bool active_below = false, exited_below = false;
    char text[80];
    unsigned lane = 0;
    for (; !(k->group >> lane & 1u); lane++) {
        active_below = active_below || (k->c->active >> lane & 1u);
        for (unsigned member = 0; member < WARP_LANES; member++)
            if (k->group >> member & 1u)
                exited_below = exited_below || (k->c->exited & k->c->membermask[member]) >> lane & 1u;
    }
    snprintf(text, sizeof text, "leader/%s/%s", warp_dst_name(k->c->dst),
             k->group & 1u  ? "lane-0"
             : active_below ? "active-below"
             : exited_below ? "exited-below"
                            : "idle-below");
    hit(k, text);
}

static void look_at_groups(struct look *k)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        k->group = group_of(k->c, lane);
        if (!(k->r->done >> lane & 1u) || (k->group & ((1u << lane) - 1u)) != 0)
            continue; /* the lowest lane stands for its group */
        if (k->info->type == WARP_PRED)
            look_at_vote(k);
        else if (k->info->family == WARP_MATCH_SYNC)
            look_at_match(k);
        else if (k->info->family == WARP_ELECT)
            look_at_elect(k);
        else if (k->info->type == WARP_F32)
            look_at_floats(k, k->info->name + strlen("redux.sync."), k->r->d[lane]);
        else if (k->info->family == WARP_REDUX_SYNC)
            look_at_integers(k, k->info->name + strlen("redux.sync."), k->r->d[lane]);
    }
}

/* Sources at the borders of what floating-point numbers are: the first NaN, infinity, the first subnormal, zeros. */
static void set_borders(struct warp_case *c, uint64_t number)
{
    static const uint64_t borders[] = {UINT64_C(0x7ff0000000000001), UINT64_C(0x7ff0000000000000),
                                       UINT64_C(0xfff0000000000001), UINT64_C(0x8000000000000000),
                                       UINT64_C(0x0000000000000001), UINT64_C(0x7fefffffffffffff)};
    static const uint32_t narrow[] = {0x7f800001u, 0x7f800000u, 0xff800001u, 0x80000000u, 1u, 0x7f7fffffu};
    const bool wide = warp_form_get(c->form)->type == WARP_B64;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const size_t at = (number >> 3) % 7 == 0 ? 0 : (number / 8 * 5 + lane * (lane + number / 64)) % 6;
        c->a[lane] = wide ? (uint32_t)borders[at] : narrow[at];
        c->a_high[lane] = wide ? (uint32_t)(borders[at] >> 32) : 0;
    }
}

/* Sums at the borders of what 32 bits hold, with a sign and without. */
static void set_sum(struct warp_case *c, uint64_t number)
{
    static const uint32_t terms[][2] = {{0x80000000u, 0},          {0x80000000u, UINT32_MAX}, {0x7fffffffu, 0},
                                        {0x7fffffffu, 1},          {UINT32_MAX, 0},           {UINT32_MAX, 1},
                                        {0x80000000u, 0x80000000u}};
    const uint32_t *const pair = terms[number / 8 % 7];
    unsigned n = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->a[lane] = (c->active >> lane & 1u) && n < 2 ? pair[n++] : 0;
}

static void buckets_mean_what_they_say(void **state)
{
    static struct coverage_set set;
    static bool ever[COVERAGE_BUCKETS];
    unsigned reached = 0;
    (void)state;
    for (size_t i = 0; i < COVERAGE_BUCKETS; i++)
        coverage_name(i, names[i], sizeof names[i]);
    for (uint64_t i = 0; i < CASES; i++) {
        struct warp_case c;
        struct warp_result r;
        struct look k = {&c, &r, NULL, 0};
        random_case(11, i, WARP_FAMILY_ALL, &c);
        k.info = warp_form_get(c.form);
        if (i % 8 == 1 && k.info->family == WARP_MATCH_SYNC)
            set_borders(&c, i);
        if (i % 8 == 1 && k.info->family == WARP_REDUX_SYNC && k.info->op == WARP_ADD)
            set_sum(&c, i);
        assert_true(spec_get()->eval(NULL, &c, 1, &r, NULL, 0));
        memset(expected, 0, sizeof expected);
        look_at_state(&k);
        if (warp_form_is_shfl(k.info))
            look_at_shfl(&k);
        else
            look_at_groups(&k);
        coverage_clear(&set);
        coverage_add(&set, &c, &r);
        for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
            if (expected[bucket] != (bool)(set.words[bucket / 64] >> bucket % 64 & 1u))
                fail_msg("case %u: the bucket %s is %s", (unsigned)i, names[bucket],
                         expected[bucket] ? "missing" : "there without a reason");
            reached += expected[bucket] && !ever[bucket];
            ever[bucket] = ever[bucket] || expected[bucket];
        }
    }
    print_message("%u buckets reached by %u cases\n", reached, CASES);
    assert_true(reached > 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(buckets_mean_what_they_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
