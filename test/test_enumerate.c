/*
 * The enumerations say what they hold: here it is counted. Each case is valid; spaces called complete hold every point,
 * once.
 */
#include "check/enumerate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct enumeration *find(const char *name)
{
    const struct enumeration *e;
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++)
        if (strcmp(e->name, name) == 0)
            return e;
    fail_msg("no enumeration %s", name);
    return NULL;
}

static void test_entries(void **state)
{
    const struct enumeration *e;
    uint32_t families = 0;
    size_t n = 0;
    (void)state;
    for (; (e = enumeration_get(n)) != NULL; n++) {
        assert_true(e->count() > 0);
        assert_true(strlen(e->name) > 0 && strlen(e->name) <= 24);
        assert_true(strstr(e->what, "complete") != NULL || strstr(e->what, "bounded") != NULL ||
                    strstr(e->what, "sampled") != NULL);
        assert_true(e->points_per_case > 0 && e->families != 0);
        for (size_t k = 0; k < n; k++)
            assert_string_not_equal(e->name, enumeration_get(k)->name);
        families |= e->families;
    }
    assert_int_equal(families, (1u << WARP_FAMILIES) - 1u);
    assert_null(enumeration_get(n + 1));
}

/* Every 13th case, and the last one: valid, of a family that was announced, the same when made again over other memory.
 */
static void test_cases_are_valid(void **state)
{
    const struct enumeration *e;
    (void)state;
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++) {
        const uint64_t count = e->count();
        for (uint64_t at = 0; at < count; at = at + 13 < count || at == count - 1 ? at + 13 : count - 1) {
            struct warp_case c, again;
            memset(&c, 0x5a, sizeof c);
            e->make(at, &c);
            if (warp_case_check(&c) != NULL)
                fail_msg("%s, case %llu: %s", e->name, (unsigned long long)at, warp_case_check(&c));
            assert_true(e->families >> warp_form_get(c.form)->family & 1u);
            memset(&again, 0xa5, sizeof again);
            e->make(at, &again);
            assert_memory_equal(&c, &again, sizeof c);
        }
    }
}

static uint32_t point_of(const struct warp_case *c, unsigned lane)
{
    const uint32_t mode = (uint32_t)warp_form_get(c->form)->op;
    return mode << 20 | lane << 15 | (c->b[lane] & 31u) << 10 | (c->c[lane] & 31u) << 5 | (c->c[lane] >> 8 & 31u);
}

/* All 2^22 points, each exactly once; each lane tells its number in a. */
static void check_points(const char *name, bool per_lane)
{
    const struct enumeration *e = find(name);
    uint8_t *seen = calloc(1u << 22, 1);
    assert_non_null(seen);
    assert_int_equal(e->count() * e->points_per_case, 1u << 22);
    for (uint64_t i = 0; i < e->count(); i++) {
        struct warp_case c;
        uint32_t bs = 0, clamps = 0, segments = 0;
        e->make(i, &c);
        assert_int_equal(c.active, UINT32_MAX);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            seen[point_of(&c, lane)]++;
            bs |= UINT32_C(1) << (c.b[lane] & 31u);
            clamps |= UINT32_C(1) << (c.c[lane] & 31u);
            segments |= UINT32_C(1) << (c.c[lane] >> 8 & 31u);
        }
        /* per lane: 32 different values of each field; else one */
        assert_int_equal(bs == UINT32_MAX, per_lane);
        assert_int_equal(clamps == UINT32_MAX, per_lane);
        assert_int_equal(segments == UINT32_MAX, per_lane);
    }
    for (uint32_t i = 0; i < 1u << 22; i++)
        if (seen[i] != 1)
            fail_msg("%s: point %x comes %u times", name, i, seen[i]);
    free(seen);
}

static void test_shfl_points(void **state)
{
    (void)state;
    check_points("shfl-points", false);
    check_points("shfl-points-legacy", false);
    check_points("shfl-per-lane", true);
    check_points("shfl-per-lane-legacy", true);
}

/* Every bit without a meaning is set alone in some case, for every mode with and without .sync. */
static void test_ignored_bits(void **state)
{
    const struct enumeration *e = find("shfl-ignored-bits");
    static bool alone[WARP_FORMS][2][32];
    (void)state;
    for (uint64_t i = 0; i < e->count(); i++) {
        struct warp_case c;
        e->make(i, &c);
        for (uint32_t bit = 0; bit < 32; bit++) {
            const uint32_t word = UINT32_C(1) << bit;
            alone[c.form][0][bit] |= (c.b[3] & ~0x1fu) == word && (c.c[3] & ~0x1f1fu) == 0;
            alone[c.form][1][bit] |= (c.c[3] & ~0x1f1fu) == word && (c.b[3] & ~0x1fu) == 0;
        }
    }
    for (unsigned form = WARP_SHFL_SYNC_UP_B32; form <= WARP_SHFL_IDX_B32; form++)
        for (unsigned bit = 0; bit < 32; bit++) {
            assert_int_equal(alone[form][0][bit], bit >= 5);
            assert_int_equal(alone[form][1][bit], bit >= 13 || (bit >= 5 && bit < 8));
        }
}

static int compare_words(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* How many different values there are. */
static size_t count_different(uint64_t *values, size_t n)
{
    size_t different = n > 0;
    qsort(values, n, sizeof *values, compare_words);
    for (size_t i = 1; i < n; i++)
        different += values[i] != values[i - 1];
    return different;
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* All of a case, as one word. */
static uint64_t fingerprint(const struct warp_case *c)
{
    const uint8_t *bytes = (const uint8_t *)c;
    uint64_t hash = 1;
    for (size_t i = 0; i < sizeof *c; i += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        hash = mix(hash, word);
    }
    return hash;
}

/* The cases first, first + step, first + 2 step...: how many different ones. */
static size_t different_cases(const struct enumeration *e, size_t first, size_t step)
{
    const size_t count = (size_t)e->count() / step;
    uint64_t *prints = malloc(count * sizeof *prints);
    size_t different;
    assert_non_null(prints);
    for (size_t i = 0; i < count; i++) {
        struct warp_case c;
        e->make(first + i * step, &c);
        prints[i] = fingerprint(&c);
    }
    different = count_different(prints, count);
    free(prints);
    return different;
}

/*
 * Spaces called complete: in one place of the warp (the lowest digit of the index) no case comes twice. Across places a
 * few do: where only lanes are active that both places have.
 */
static void test_no_case_twice(void **state)
{
    static const struct {
        const char *name;
        size_t places;
    } spaces[] = {{"vote-states", 5},    {"vote-states-sm_6x", 1}, {"vote-states-legacy", 4}, {"activemask-states", 4},
                  {"redux-integers", 4}, {"redux-floats", 4},      {"elect-states", 5},       {"bar-warp-states", 5}};
    (void)state;
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        const struct enumeration *e = find(spaces[i].name);
        assert_int_equal(e->count() % spaces[i].places, 0);
        for (size_t place = 0; place < spaces[i].places; place++)
            if (different_cases(e, place, spaces[i].places) != e->count() / spaces[i].places)
                fail_msg("%s, place %zu: a case comes twice", e->name, place);
    }
}

/* Which of 8 lanes have equal values, as a number. */
static uint64_t partition_of(const struct warp_case *c)
{
    unsigned lanes[8];
    unsigned n = 0;
    uint64_t partition = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (c->active >> lane & 1u)
            lanes[n++] = lane;
    assert_int_equal(n, 8);
    for (unsigned i = 0; i < 8; i++) {
        unsigned first = 0;
        while (warp_case_a64(c, lanes[first]) != warp_case_a64(c, lanes[i]))
            first++;
        partition = partition << 3 | first;
    }
    return partition;
}

/* Each setting (form, kind of value, place) has all 4140 partitions, and no lane outside holds a value of its own. */
static void test_match_partitions(void **state)
{
    const struct enumeration *e = find("match-partitions");
    const size_t settings = (size_t)e->count() / 4140u;
    uint64_t partitions[4140];
    (void)state;
    assert_int_equal(e->count(), settings * 4140u);
    for (size_t setting = 0; setting < settings; setting++) {
        for (size_t i = 0; i < 4140; i++) {
            struct warp_case c;
            e->make(setting + i * settings, &c);
            partitions[i] = partition_of(&c);
            for (unsigned lane = 0; lane < WARP_LANES; lane++) {
                unsigned other = 0;
                while (other < WARP_LANES &&
                       !((c.active >> other & 1u) && warp_case_a64(&c, other) == warp_case_a64(&c, lane)))
                    other++;
                assert_true(other < WARP_LANES);
            }
        }
        assert_int_equal(count_different(partitions, 4140), 4140);
    }
}

/* All destinations of match.all are used, with values that match and values that do not. */
static void test_match_destinations(void **state)
{
    const struct enumeration *e = find("match-partitions");
    bool seen[WARP_DST_COUNT][2] = {{false}};
    (void)state;
    for (uint64_t i = 0; i < e->count(); i++) {
        struct warp_case c;
        e->make(i, &c);
        if (warp_form_get(c.form)->op == WARP_ALL)
            seen[c.dst][partition_of(&c) == 0] = true;
    }
    for (unsigned dst = 0; dst < WARP_DST_COUNT; dst++) {
        const bool has = warp_form_get(WARP_MATCH_ALL_SYNC_B32)->destinations >> dst & 1u;
        assert_true(seen[dst][0] == has && seen[dst][1] == has);
    }
}

/* Small groups: all six states occur together with all predicates. 4 lanes * (state, predicate) gives 12^4 sets of
 * masks. */
static void test_vote_states(void **state)
{
    const struct enumeration *e = find("vote-states");
    uint64_t waiting = 0, undefined = 0, exited = 0, groups = 0;
    (void)state;
    assert_int_equal(e->count() % 20736u, 0);
    for (uint64_t i = 0; i < e->count(); i += 7) {
        struct warp_case c;
        lanemask first_mask = 0;
        bool outside = false, more = false;
        e->make(i, &c);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (!(c.active >> lane & 1u))
                continue;
            outside |= !(c.membermask[lane] >> lane & 1u);
            more |= first_mask != 0 && c.membermask[lane] != first_mask;
            first_mask = c.membermask[lane];
        }
        waiting += (first_mask & ~c.exited & ~c.active) != 0;
        undefined += outside;
        exited += c.exited != 0;
        groups += more;
    }
    assert_true(waiting > 1000 && undefined > 1000 && exited > 1000 && groups > 1000);
}

static void test_membership(void **state)
{
    const struct enumeration *e = find("membership");
    bool seen[WARP_FORMS] = {false};
    (void)state;
    assert_int_equal(e->count(), 31u * 4u * 32u * 7u * 3u);
    for (uint64_t i = 0; i < e->count(); i++) {
        struct warp_case c;
        e->make(i, &c);
        seen[c.form] = true;
    }
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        assert_int_equal(seen[form], warp_form_is_sync(warp_form_get(form)));
}

/* Each b from 32 to 95 and from -1 to -64, with the c of each of CUDA's widths, for every mode with and without .sync.
 */
static void test_far_shifts(void **state)
{
    static const uint32_t segments[6] = {0x1f00, 0x1e00, 0x1c00, 0x1800, 0x1000, 0};
    static bool seen[WARP_FORMS][6][160];
    const struct enumeration *e = find("shfl-far-shifts");
    (void)state;
    for (uint64_t i = 0; i < e->count(); i++) {
        struct warp_case c;
        unsigned width = 0;
        e->make(i, &c);
        assert_null(warp_case_check(&c));
        while (width < 5 && (c.c[0] & 0x1f00u) != segments[width])
            width++;
        assert_int_equal(c.c[0], segments[width] | (warp_form_get(c.form)->op == WARP_UP ? 0u : 31u));
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint32_t shifted = c.b[lane] + 64u; /* -64 to -1, 32 to 95 */
            assert_int_equal(c.c[lane], c.c[0]);
            assert_true(shifted < 64 || (shifted >= 96 && shifted < 160));
            if (c.b[0] == c.b[1])
                seen[c.form][width][shifted] = true;
        }
    }
    for (unsigned form = WARP_SHFL_SYNC_UP_B32; form <= WARP_SHFL_IDX_B32; form++)
        for (unsigned width = 0; width < 6; width++)
            for (unsigned b = 0; b < 160; b++)
                assert_int_equal(seen[form][width][b], b < 64 || b >= 96);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far_shifts),       cmocka_unit_test(test_entries),
        cmocka_unit_test(test_cases_are_valid),  cmocka_unit_test(test_shfl_points),
        cmocka_unit_test(test_ignored_bits),     cmocka_unit_test(test_no_case_twice),
        cmocka_unit_test(test_match_partitions), cmocka_unit_test(test_match_destinations),
        cmocka_unit_test(test_vote_states),      cmocka_unit_test(test_membership),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
