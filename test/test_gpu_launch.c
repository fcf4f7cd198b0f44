#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
/*
 * Launches in child processes, over operations that take the device's place: what returns, what faults, what hangs, and
 * what takes its process with it must each be told, and cost no other launch its result.
 */
#include "gpu/launch.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

static bool start(struct gpu_info *info, struct error *error)
{
    (void)error;
    snprintf(info->device, sizeof info->device, "a device of this test");
    return true;
}

static bool start_not(struct gpu_info *info, struct error *error)
{
    (void)info;
    return error_set(error, ERROR_UNAVAILABLE, "there is none");
}

static unsigned launches_of_this_process;

/* The entry's name says what it does. */
static void run(struct launch *l, double seconds)
{
    (void)seconds;
    launches_of_this_process++;
    if (strcmp(l->entry, "abort") == 0)
        raise(SIGTERM);
    if (strcmp(l->entry, "sleep") == 0)
        for (;;)
            pause();
    l->ending = strcmp(l->entry, "hang") == 0    ? LAUNCH_HUNG
                : strcmp(l->entry, "fault") == 0 ? LAUNCH_FAULTED
                                                 : LAUNCH_RETURNED;
    for (uint32_t n = 0; n < l->regions_count; n++)
        memset(l->regions[n].after, (int)(l->params[0] + launches_of_this_process), (size_t)l->regions[n].size);
}

static const struct launch_ops ops = {2, start, run, NULL}, none = {2, start_not, run, NULL};

#define COUNT 8u

static void test_endings(void **state)
{
    (void)state;
    static const char *const entries[COUNT] = {"return", "return", "fault", "return",
                                               "abort",  "hang",   "sleep", "return"};
    static const enum launch_ending expected[COUNT] = {LAUNCH_RETURNED, LAUNCH_RETURNED, LAUNCH_FAULTED,
                                                       LAUNCH_RETURNED, LAUNCH_FAULTED,  LAUNCH_HUNG,
                                                       LAUNCH_HUNG,     LAUNCH_RETURNED};
    static const uint8_t before[24], params[COUNT] = {10, 20, 30, 40, 50, 60, 70, 80};
    uint8_t after[COUNT][24];
    struct launch_region regions[COUNT];
    struct launch launches[COUNT];
    struct gpu_info info;
    struct error error;
    memset(after, 0, sizeof after);
    for (unsigned n = 0; n < COUNT; n++) {
        regions[n] = (struct launch_region){.size = 20 + n % 4, .before = before, .after = after[n]};
        launches[n] = (struct launch){.ptx = "",
                                      .entry = entries[n],
                                      .params = &params[n],
                                      .params_size = 1,
                                      .regions = &regions[n],
                                      .regions_count = 1};
    }
    assert_true(launch_all(&ops, launches, COUNT, 0.1, NULL, &info, &error));
    assert_string_equal(info.device, "a device of this test");
    for (unsigned n = 0; n < COUNT; n++) {
        if (launches[n].ending != expected[n])
            fail_msg("%s (%u): ending %d", entries[n], n, (int)launches[n].ending);
        bool returned = expected[n] == LAUNCH_RETURNED;
        /* The second of the first process has seen two launches, others one. */
        assert_int_equal(after[n][0], returned ? params[n] + (n == 1 ? 2 : 1) : 0);
        assert_int_equal(after[n][regions[n].size - 1], after[n][0]);
    }
    assert_non_null(strstr(launches[4].why, "SIGTERM"));
}

/* ---- groups ---- */

/* How each group goes, as its first launch's parameter says; a group that does not return leaves nothing. */
static bool run_group(struct launch *launches, uint32_t count, double seconds)
{
    (void)seconds;
    for (uint32_t n = 0; n < count; n++) {
        memset(launches[n].regions[0].after, 77, (size_t)launches[n].regions[0].size);
        if (strcmp(launches[n].entry, "abort") == 0)
            raise(SIGTERM);
        if (strcmp(launches[n].entry, "return") != 0)
            return false;
        launches[n].ending = LAUNCH_RETURNED;
    }
    return true;
}

static const struct launch_ops group_ops = {2, start, run, run_group};

/* Launches of one module and level run at once; where one of them fails, all of these run one by one. */
static void test_groups(void **state)
{
    (void)state;
    static const char *const modules[] = {"first", "second", "third"};
    static const struct {
        const char *entry;
        unsigned module, level;
        enum launch_ending expected;
        bool in_group;
    } rows[] = {{"return", 0, 0, LAUNCH_RETURNED, true},  {"return", 0, 0, LAUNCH_RETURNED, true},
                {"return", 0, 4, LAUNCH_RETURNED, false}, {"fault", 0, 4, LAUNCH_FAULTED, false},
                {"return", 0, 4, LAUNCH_RETURNED, false}, {"return", 1, 4, LAUNCH_RETURNED, true},
                {"return", 1, 4, LAUNCH_RETURNED, true},  {"abort", 2, 4, LAUNCH_FAULTED, false},
                {"return", 2, 4, LAUNCH_RETURNED, false}, {"return", 2, 0, LAUNCH_RETURNED, true},
                {"return", 2, 0, LAUNCH_RETURNED, true}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    static const uint8_t before[4], params[4] = {1};
    uint8_t after[ROWS][4] = {{0}};
    struct launch_region regions[ROWS];
    struct launch launches[ROWS];
    struct gpu_info info;
    struct error error;
    for (unsigned n = 0; n < ROWS; n++) {
        regions[n] = (struct launch_region){.size = 4, .before = before, .after = after[n]};
        launches[n] = (struct launch){.ptx = modules[rows[n].module],
                                      .entry = rows[n].entry,
                                      .level = rows[n].level,
                                      .params = params,
                                      .params_size = 4,
                                      .regions = &regions[n],
                                      .regions_count = 1};
    }
    assert_true(launch_all(&group_ops, launches, ROWS, 0.1, NULL, &info, &error));
    for (unsigned n = 0; n < ROWS; n++) {
        if (launches[n].ending != rows[n].expected || (after[n][0] == 77) != rows[n].in_group)
            fail_msg("%u: ending %d, left %u", n, (int)launches[n].ending, after[n][0]);
        assert_true((after[n][0] != 0) == (rows[n].expected == LAUNCH_RETURNED));
    }
}

/* ---- what hangs, and what it costs ---- */

/* What the child does, seen from here. */
static struct {
    unsigned starts, tries;
    double limits[64]; /* of the first tries */
    struct launch_past past;
} * shared;

static bool start_counted(struct gpu_info *info, struct error *error)
{
    shared->starts++;
    return start(info, error);
}

/* As a device does: it is known which one hung, and none has left anything. */
static bool run_group_hanging(struct launch *launches, uint32_t count, double seconds)
{
    shared->limits[shared->tries++ % 64] = seconds;
    for (uint32_t n = 0; n < count; n++)
        if (strcmp(launches[n].entry, "hang") == 0) {
            launches[n].ending = LAUNCH_HUNG;
            return false;
        }
    launches[0].took = 0.001;
    for (uint32_t n = 0; n < count; n++) {
        memset(launches[n].regions[0].after, 77, (size_t)launches[n].regions[0].size);
        launches[n].ending = LAUNCH_RETURNED;
    }
    return true;
}

static const struct launch_ops hanging_ops = {2, start_counted, run, run_group_hanging};

#define MANY 200u
struct many {
    uint8_t after[MANY][4];
    struct launch_region regions[MANY];
    struct launch launches[MANY];
};

/* One module of MANY launches; those that `hangs` names hang. */
static void set_many(struct many *m, bool (*hangs)(unsigned n))
{
    static const uint8_t before[4], params[4] = {1};
    memset(m, 0, sizeof *m);
    memset(shared, 0, sizeof *shared);
    for (unsigned n = 0; n < MANY; n++) {
        m->regions[n] = (struct launch_region){.size = 4, .before = before, .after = m->after[n]};
        m->launches[n] = (struct launch){.ptx = "module",
                                         .entry = hangs(n) ? "hang" : "return",
                                         .params = params,
                                         .params_size = 4,
                                         .regions = &m->regions[n],
                                         .regions_count = 1};
    }
}

static bool hangs_twice(unsigned n)
{
    return n == 70 || n == 71;
}

static bool hangs_often(unsigned n)
{
    return n % 3 == 1;
}

/* A launch that hangs costs one process and one limit; the others of its module still run together. */
static void test_hang_in_group(void **state)
{
    static struct many m;
    struct launch_past *const past = &shared->past;
    struct gpu_info info;
    struct error error;
    (void)state;
    set_many(&m, hangs_twice);
    assert_true(launch_all(&hanging_ops, m.launches, MANY, 0.8, past, &info, &error));
    for (unsigned n = 0; n < MANY; n++) {
        assert_int_equal(m.launches[n].ending, hangs_twice(n) ? LAUNCH_HUNG : LAUNCH_RETURNED);
        assert_int_equal(m.after[n][0], hangs_twice(n) ? 0 : 77);
    }
    assert_int_equal(shared->starts, 3);
    assert_int_equal(past->lost, 2);
    assert_int_equal(past->returned, MANY - 2);
    assert_int_equal(past->longest_us, 1000);
    /* Nothing is known at first; then an eighth of the limit is many times what others took. */
    assert_true(shared->limits[0] == 0.8);
    assert_true(shared->limits[shared->tries - 1] == 0.1);
}

/* When many are lost no more are started, in this call and in others with the same past; unless all are wanted. */
static void test_hopeless(void **state)
{
    static struct many m;
    struct launch_past *const past = &shared->past;
    struct gpu_info info;
    struct error error;
    unsigned hung = 0, unasked = 0;
    (void)state;
    set_many(&m, hangs_often);
    assert_true(launch_all(&hanging_ops, m.launches, MANY, 0.8, past, &info, &error));
    for (unsigned n = 0; n < MANY; n++) {
        hung += m.launches[n].ending == LAUNCH_HUNG;
        unasked += m.launches[n].ending == LAUNCH_UNASKED;
        assert_true(m.launches[n].ending != LAUNCH_HUNG || hangs_often(n));
        assert_true(m.launches[n].ending != LAUNCH_RETURNED || m.after[n][0] != 0);
    }
    assert_in_range(hung, LAUNCH_LOST_MOST, LAUNCH_LOST_MOST + 1);
    assert_true(unasked > MANY / 2);
    assert_true(launch_is_hopeless(past));
    set_many(&m, hangs_twice);
    past->lost = MANY;
    assert_true(launch_all(&hanging_ops, m.launches, MANY, 0.8, past, &info, &error));
    assert_int_equal(m.launches[0].ending, LAUNCH_UNASKED);
    assert_int_equal(shared->starts, 0);
    for (unsigned n = 0; n < MANY; n++)
        m.launches[n].wanted = true;
    assert_true(launch_all(&hanging_ops, m.launches, 80, 0.8, past, &info, &error));
    assert_int_equal(m.launches[70].ending, LAUNCH_HUNG);
    assert_int_equal(m.launches[79].ending, LAUNCH_RETURNED);
    /* One in a thousand is no reason to stop. */
    past->returned = 100000;
    assert_false(launch_is_hopeless(past));
}

/* One that is alone shares its process with none before and none behind it. */
static void test_alone(void **state)
{
    (void)state;
    static const uint8_t before[4], params[3];
    uint8_t after[3][4] = {{0}};
    struct launch_region regions[3];
    struct launch launches[3];
    struct gpu_info info;
    struct error error;
    for (unsigned n = 0; n < 3; n++) {
        regions[n] = (struct launch_region){.size = 4, .before = before, .after = after[n]};
        launches[n] = (struct launch){.ptx = "",
                                      .entry = "return",
                                      .params = params,
                                      .regions = &regions[n],
                                      .regions_count = 1,
                                      .alone = n == 1};
    }
    assert_true(launch_all(&ops, launches, 3, 0.1, NULL, &info, &error));
    for (unsigned n = 0; n < 3; n++)
        assert_int_equal(after[n][0], 1);
}

static void test_no_device(void **state)
{
    (void)state;
    struct launch launch = {.ptx = "", .entry = "return"};
    struct gpu_info info;
    struct error error;
    assert_false(launch_all(&none, &launch, 1, 0.1, NULL, &info, &error));
    assert_int_equal(error.code, ERROR_UNAVAILABLE);
    assert_string_equal(error.text, "there is none");
}

int main(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hang_in_group), cmocka_unit_test(test_hopeless),
                                       cmocka_unit_test(test_endings),       cmocka_unit_test(test_alone),
                                       cmocka_unit_test(test_groups),        cmocka_unit_test(test_no_device)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
