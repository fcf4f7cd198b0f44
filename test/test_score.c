#define _POSIX_C_SOURCE 200809L /* mkstemp, mkdtemp */
#include "fuzz/score/score.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static struct score_subject subjects[3]; /* large */

static void make_subjects(void)
{
    memset(subjects, 0, sizeof subjects);
    strcpy(subjects[0].name, "by-hand");
    strcpy(subjects[1].name, "1");
    strcpy(subjects[1].what, "match.c: alike: x {+ -> -} y\tz");
    subjects[1].mechanical = true;
    strcpy(subjects[2].name, "2");
    strcpy(subjects[2].what, "match.c: alike: x {+ -> *} y");
    subjects[2].mechanical = true;
}

static void results_are_kept_and_found_again(void **state)
{
    char path[] = "/tmp/warpcheck-test-XXXXXX";
    const struct score_result caught = {.verdict = SCORE_CAUGHT,
                                        .seconds = 0.5,
                                        .worst_s = 1.25,
                                        .cases = 512,
                                        .seeds = 20,
                                        .caught = 20,
                                        .jobs = 12,
                                        .processors = 16,
                                        .limit_s = 30,
                                        .share = 0.75,
                                        .times = {[0] = 0.25F, [19] = 1.25F}},
                              missed = {.verdict = SCORE_MISSED,
                                        .seconds = 4,
                                        .worst_s = 4,
                                        .cases = 77,
                                        .seeds = 1,
                                        .jobs = 1,
                                        .processors = 2,
                                        .limit_s = 4,
                                        .times = {INFINITY}};
    struct score_plan plan = {
        .seeds = {[ENGINE_LIBFUZZER] = 5, [ENGINE_AFL] = 20}, .limit_s = 4, .engine_s = {[ENGINE_AFL] = 30}};
    const int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    make_subjects();
    subjects[0].results[SCORE_AFL] = caught;
    subjects[1].results[SCORE_REPLAY] = missed;
    assert_true(score_save(path, &subjects[0], SCORE_AFL));
    assert_true(score_save(path, &subjects[1], SCORE_REPLAY));
    make_subjects();
    strcpy(subjects[1].name, "7"); /* numbered anew: the change counts */
    assert_int_equal(score_load(path, &plan, subjects, 3), 2);
    assert_int_equal(subjects[0].results[SCORE_AFL].verdict, SCORE_CAUGHT);
    assert_int_equal(subjects[0].results[SCORE_AFL].cases, 512);
    assert_int_equal(subjects[0].results[SCORE_AFL].seeds, 20);
    assert_true(subjects[0].results[SCORE_AFL].worst_s == 1.25);
    assert_true(subjects[0].results[SCORE_AFL].share == 0.75);
    assert_memory_equal(subjects[0].results[SCORE_AFL].times, caught.times, sizeof caught.times);
    assert_true(isinf(subjects[1].results[SCORE_REPLAY].times[0]));
    assert_int_equal(subjects[1].results[SCORE_REPLAY].verdict, SCORE_MISSED);
    assert_int_equal(subjects[1].results[SCORE_REPLAY].jobs, 1);
    assert_int_equal(subjects[1].results[SCORE_REPLAY].processors, 2);
    assert_int_equal(subjects[2].results[SCORE_REPLAY].verdict, SCORE_NOT_RUN);
    make_subjects();
    plan.seeds[ENGINE_AFL] = 3; /* another measurement than the one that was kept */
    assert_int_equal(score_load(path, &plan, subjects, 3), 1);
    assert_int_equal(subjects[0].results[SCORE_AFL].verdict, SCORE_NOT_RUN);
    make_subjects();
    plan.limit_s = 5; /* nor is what missed within another limit */
    assert_int_equal(score_load(path, &plan, subjects, 3), 0);
    unlink(path);
    assert_int_equal(score_load(path, &plan, subjects, 3), 0);
    assert_false(score_save("/nowhere/at/all", &subjects[0], SCORE_AFL));
}

/* Runs that miss are later than all that find, and no run is given a time that it did not take. */
static void runs_are_summed_up_and_compared(void **state)
{
    const struct score_run quick[] = {{SCORE_CAUGHT, 2, 20}, {SCORE_CAUGHT, 1, 10}, {SCORE_CRASHED, 3, 30}},
                           slow[] = {{SCORE_MISSED, 9, 90}, {SCORE_CAUGHT, 2, 20}, {SCORE_MISSED, 1, 5}};
    struct score_result x, y;
    (void)state;
    score_sum_up(&x, quick, 3);
    score_sum_up(&y, slow, 3);
    assert_int_equal(x.verdict, SCORE_CRASHED);
    assert_int_equal(x.caught, 3);
    assert_true(x.seconds == 2 && x.worst_s == 3 && x.cases == 20);
    assert_true(x.times[0] == 1 && x.times[1] == 2 && x.times[2] == 3);
    assert_int_equal(y.verdict, SCORE_MISSED);
    assert_int_equal(y.caught, 1);
    assert_true(y.times[0] == 2 && isinf(y.times[1]) && isinf(y.times[2]));
    assert_true(fabs(score_a12(&x, &y) - (3 + 2.5 + 2) / 9) < 1e-6); /* 1 before all, 2 equal to one, 3 after one */
    assert_true(fabs(score_a12(&x, &y) + score_a12(&y, &x) - 1) < 1e-6);
    assert_true(score_a12(&x, &x) == 0.5);
}

/* The table: medians, censored at the limit, and counts within a time. */
static void methods_stand_side_by_side(void **state)
{
    static const struct score_run found[] = {{SCORE_CAUGHT, 0.5, 1}, {SCORE_CAUGHT, 0.5, 1}, {SCORE_MISSED, 7, 1}},
                                  missed[] = {{SCORE_CAUGHT, 2, 1}, {SCORE_MISSED, 7, 1}, {SCORE_MISSED, 7, 1}};
    const struct score_plan plan = {.limit_s = 7, .engine_s = {7, 7}};
    char text[8192] = "";
    FILE *const out = fmemopen(text, sizeof text, "w");
    (void)state;
    make_subjects();
    memset(subjects[0].results, 0, sizeof subjects[0].results);
    score_sum_up(&subjects[0].results[SCORE_RANDOM], missed, 3);
    score_sum_up(&subjects[0].results[SCORE_LIBFUZZER], found, 3);
    assert_non_null(out);
    score_compare(out, subjects, 3, &plan);
    fclose(out);
    assert_non_null(strstr(text, "by-hand                    > 7 s (1/3)        0.50 s\n"));
    assert_non_null(strstr(text, "libFuzzer                        0         1         1         1 of   1 |#####"));
    assert_non_null(strstr(text, "random                           0         0         0         0 of   1 |....."));
    assert_non_null(strstr(text, "libFuzzer                         0.78              \n"));
    assert_non_null(strstr(text, "\nlibFuzzer                ...........................666666666666\n"));
    assert_non_null(strstr(text, "\nrandom                   ..................................33333\n"));
}

/* A page of its own says the limit, what nobody found, and how much of a processor the runs had. */
static void rare_defects_have_a_page(void **state)
{
    static const struct score_run missed[] = {{SCORE_MISSED, 5, 77}, {SCORE_MISSED, 5, 78}};
    const struct score_plan plan = {.limit_s = 5,
                                    .engine_s = {5, 5},
                                    .seeds = {2, 2},
                                    .rare = true,
                                    .checks = 1u << SCORE_RANDOM | 1u << SCORE_AFL};
    char text[8192] = "";
    FILE *const out = fmemopen(text, sizeof text, "w");
    (void)state;
    make_subjects();
    score_sum_up(&subjects[0].results[SCORE_RANDOM], missed, 2);
    score_sum_up(&subjects[0].results[SCORE_AFL], missed, 2);
    subjects[0].results[SCORE_RANDOM].limit_s = subjects[0].results[SCORE_AFL].limit_s = 5;
    subjects[0].results[SCORE_RANDOM].share = 0.98;
    assert_non_null(out);
    score_report(out, subjects, 1, &plan);
    fclose(out);
    assert_non_null(strstr(text, "Each method has 5 s for each defect"));
    assert_non_null(strstr(text, "Found by no run of any method: by-hand.\n"));
    assert_non_null(strstr(text, "\nrandom                        0.98      0.98 of   1\n"));
}

static void survivors_are_missed_unless_equivalent(void **state)
{
    (void)state;
    make_subjects();
    assert_true(score_missed(&subjects[0])); /* nobody said anything */
    strcpy(subjects[0].reason, "each bit is set once");
    assert_false(score_missed(&subjects[0]));
    strcpy(subjects[0].reason, "nobody looks there");
    subjects[0].known_missed = true;
    assert_true(score_missed(&subjects[0]));
    subjects[0].results[SCORE_RANDOM] = (struct score_result){.verdict = SCORE_CRASHED, .seeds = 1, .caught = 1};
    assert_false(score_missed(&subjects[0]));
    assert_true(score_caught_by(&subjects[0], 1u << SCORE_RANDOM));
    assert_false(score_caught_by(&subjects[0], 1u << SCORE_REPLAY));
}

static void what_could_not_run_is_not_missed(void **state)
{
    struct score_sums sums = {0};
    char fate[SCORE_VERDICT_MAX];
    (void)state;
    make_subjects();
    memset(subjects[0].results, 0, sizeof subjects[0].results);
    subjects[0].results[SCORE_LIBFUZZER].verdict = SCORE_FAILED;
    assert_true(score_failed(&subjects[0]));
    assert_false(score_missed(&subjects[0]));
    score_add(&sums, &subjects[0]);
    assert_int_equal(sums.failed, 1);
    assert_int_equal(sums.missed + sums.equivalent + sums.caught, 0);
    score_verdict_text(&subjects[0], fate);
    assert_memory_equal(fate, "COULD NOT RUN", 13);
    subjects[0].results[SCORE_REPLAY].verdict = SCORE_MISSED; /* one that ran */
    assert_false(score_failed(&subjects[0]));
    assert_true(score_missed(&subjects[0]));
}

static void proofs_count_as_what_they_are(void **state)
{
    static const struct {
        enum score_proof proof;
        size_t missed, proved, bounded, argued;
    } expected[] = {{SCORE_UNPROVED, 0, 0, 0, 1},
                    {SCORE_BOUNDED, 0, 0, 1, 0},
                    {SCORE_PROVED, 0, 1, 0, 0},
                    {SCORE_REFUTED, 1, 0, 0, 0}}; /* whatever the argument says */
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct score_sums sums = {0};
        make_subjects();
        strcpy(subjects[1].reason, "an argument");
        subjects[1].proved = expected[i].proof;
        score_add(&sums, &subjects[1]);
        assert_int_equal(sums.missed, expected[i].missed);
        assert_int_equal(sums.proved, expected[i].proved);
        assert_int_equal(sums.bounded, expected[i].bounded);
        assert_int_equal(sums.argued, expected[i].argued);
        assert_int_equal(sums.equivalent, 1 - expected[i].missed);
        subjects[1].reason[0] = '\0'; /* a proof for some cases is none */
        assert_true(score_missed(&subjects[1]) == (expected[i].proof != SCORE_PROVED));
    }
}

/* A build with bounds and shift checks is another build: what only it shows is no catch of `run`. */
static void what_traps_alone_catch_is_counted_apart(void **state)
{
    const struct score_result trapped = {.verdict = SCORE_CRASHED, .seeds = 1, .caught = 1},
                              missed = {.verdict = SCORE_MISSED, .cases = 5, .seeds = 1};
    struct score_sums sums = {0};
    (void)state;
    make_subjects();
    subjects[1].results[SCORE_BATCHES] = subjects[2].results[SCORE_BATCHES] = missed;
    subjects[1].results[SCORE_TRAPS] = trapped;
    subjects[2].results[SCORE_TRAPS] = missed;
    assert_true(score_caught_by(&subjects[1], UINT32_MAX));
    assert_false(score_caught_by(&subjects[1], SCORE_ORDINARY));
    assert_false(score_caught_by(&subjects[1], SCORE_RUN_CHECKS));
    assert_false(score_missed(&subjects[1]));
    assert_true(score_missed(&subjects[2]));
    score_add(&sums, &subjects[1]);
    score_add(&sums, &subjects[2]);
    assert_int_equal(sums.caught, 1);
    assert_int_equal(sums.by_traps, 1);
    assert_int_equal(sums.by_run, 0);
    assert_int_equal(sums.by_crash, 0);
    assert_int_equal(sums.missed, 1);
    subjects[2].results[SCORE_BATCHES].verdict =
        SCORE_FAILED; /* that the other build agrees is no answer of this one */
    assert_true(score_failed(&subjects[2]));
}

static void traps_have_a_plugin_of_their_own(void **state)
{
    char path[sizeof subjects[1].spec + 16];
    FILE *file;
    (void)state;
    make_subjects();
    strcpy(subjects[1].spec, "/tmp/warpcheck-test-none/1.so");
    score_traps_path(&subjects[1], path, sizeof path);
    assert_string_equal(path, "/tmp/warpcheck-test-none/1-traps.so");
    assert_false(score_has_traps(&subjects[1]));
    snprintf(subjects[1].spec, sizeof subjects[1].spec, "/tmp/warpcheck-test-%d.so", (int)getpid());
    score_traps_path(&subjects[1], path, sizeof path);
    file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_true(score_has_traps(&subjects[1]));
    subjects[1].mechanical = false;
    assert_false(score_has_traps(&subjects[1]));
    unlink(path);
}

/* A reason is that of one change, letter by letter: none stands for others of the function. */
static void reasons_are_of_one_change(void **state)
{
    static const char reasons[] =
        "# a list\n\nm.c: f: *\n    for all of f\n\nm.c: f: x {+ -> -} y\n    for this\n    one\n"
        "\nm.c: f: x {+ -> *} z\n    missed: nobody\n    looks\n";
    static const char mutants[] =
        "1\tfast-portable\tbuilt\tm.c: f: x {+ -> -} y\n2\tfast-portable\tbuilt\tm.c: f: x {+ -> *} y\n"
        "3\tfast-portable\tbuilt\tm.c: f: x {+ -> *} z\n";
    char folder[] = "/tmp/warpcheck-test-XXXXXX", path[64], list[64];
    struct error error;
    FILE *file;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/mutants.tsv", folder);
    snprintf(list, sizeof list, "%s/equivalent.txt", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(mutants, file);
    fclose(file);
    file = fopen(list, "w");
    assert_non_null(file);
    fputs(reasons, file);
    fclose(file);
    assert_int_equal(score_add_mechanical(subjects, 3, folder, list, &error), 3);
    assert_string_equal(subjects[0].reason, "for this one");
    assert_false(subjects[0].known_missed);
    assert_string_equal(subjects[1].reason, "");
    assert_true(subjects[2].known_missed && score_missed(&subjects[2]));
    assert_string_equal(subjects[2].reason, "nobody looks");
    assert_true(score_missed(&subjects[1]));
    unlink(path);
    unlink(list);
    rmdir(folder);
}

static void write_program(const char *folder, const char *text)
{
    char path[128];
    FILE *file;
    snprintf(path, sizeof path, "%s/p.ptx", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "// The mistake.\n//! from a test\n.version 6.0\n.target sm_70\n//! input x u32\n%s", text);
    fclose(file);
}

/* A program without a mistake is not called caught; one that lanes wait in is, by lint, and one that computes something
 * else than it claims, by the claim. */
static void programs_are_caught_by_what_sees_them(void **state)
{
    char folder[] = "/tmp/warpcheck-test-XXXXXX", wrong[64], path[96];
    struct error error;
    static struct score_program programs[2];
    struct score_control control;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(wrong, sizeof wrong, "%s/wrong", folder);
    assert_int_equal(mkdir(wrong, 0700), 0);
    write_program(wrong, "shfl.sync.bfly.b32 y, x, 1, 0x1f, 0xffffffff;\n//! refute uniform y over width 1\n");
    assert_int_equal(score_programs(wrong, programs, 2, &control, &error), 1);
    assert_false(score_program_caught(&programs[0]));
    assert_string_equal(programs[0].what, "The mistake.");
    assert_string_equal(programs[0].from, "a test");
    write_program(wrong, "shfl.sync.bfly.b32 y, x, 1, 0x1f, 0x1f;\n//! refute faultless\n");
    assert_int_equal(score_programs(wrong, programs, 2, &control, &error), 1);
    assert_non_null(strstr(programs[0].lint, "line 6: may be undefined"));
    assert_string_equal(programs[0].claim, "faultless");
    write_program(wrong, "shfl.sync.bfly.b32 y, x, 1, 0x1f, 0xffffffff;\n//! refute y = initial x\n");
    assert_int_equal(score_programs(wrong, programs, 2, &control, &error), 1);
    assert_string_equal(programs[0].lint, "");
    assert_string_equal(programs[0].claim, "y = initial x");
    assert_true(programs[0].failed > 500 && programs[0].inputs == 1000);
    write_program(wrong, "nonsense;\n");
    assert_int_equal(score_programs(wrong, programs, 2, &control, &error), -1);
    assert_non_null(strstr(error.text, "p.ptx:6:"));
    snprintf(path, sizeof path, "%s/p.ptx", wrong);
    unlink(path);
    assert_int_equal(score_programs(wrong, programs, 2, &control, &error), -1);
    rmdir(wrong);
    rmdir(folder);
}

/* What the right programs beside them are said to be. */
static void right_programs_are_the_control(void **state)
{
    char folder[] = "/tmp/warpcheck-test-XXXXXX", wrong[64], right[64], path[96];
    struct error error;
    static struct score_program programs[2];
    struct score_control control;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(wrong, sizeof wrong, "%s/wrong", folder);
    snprintf(right, sizeof right, "%s/right", folder);
    assert_int_equal(mkdir(wrong, 0700), 0);
    assert_int_equal(mkdir(right, 0700), 0);
    write_program(wrong, "shfl.sync.bfly.b32 y, x, 1, 0x1f, 0x1f;\n//! refute faultless\n");
    write_program(right, "shfl.sync.bfly.b32 y, x, 1, 0x1f, 0x1f;\n//! claim y = initial x\n//! claim defined x\n");
    assert_int_equal(score_programs(wrong, programs, 2, &control, &error), 1);
    assert_int_equal(control.programs, 1);
    assert_int_equal(control.claims, 2);
    assert_int_equal(control.refuted, 2); /* a fault fails every claim */
    assert_int_equal(control.faults, 1);
    snprintf(path, sizeof path, "%s/p.ptx", wrong);
    unlink(path);
    snprintf(path, sizeof path, "%s/p.ptx", right);
    unlink(path);
    rmdir(wrong);
    rmdir(right);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_kept_and_found_again),
        cmocka_unit_test(runs_are_summed_up_and_compared),
        cmocka_unit_test(methods_stand_side_by_side),
        cmocka_unit_test(rare_defects_have_a_page),
        cmocka_unit_test(survivors_are_missed_unless_equivalent),
        cmocka_unit_test(what_could_not_run_is_not_missed),
        cmocka_unit_test(proofs_count_as_what_they_are),
        cmocka_unit_test(what_traps_alone_catch_is_counted_apart),
        cmocka_unit_test(traps_have_a_plugin_of_their_own),
        cmocka_unit_test(reasons_are_of_one_change),
        cmocka_unit_test(programs_are_caught_by_what_sees_them),
        cmocka_unit_test(right_programs_are_the_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
