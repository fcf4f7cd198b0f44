#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "fuzz/score/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
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
    const struct score_result caught = {SCORE_CAUGHT, 0.5, 1.25, 512, 20, 20, 12, 16},
                              missed = {SCORE_MISSED, 4, 4, 77, 1, 0, 1, 2};
    struct score_plan plan = {.seeds = {[ENGINE_LIBFUZZER] = 5, [ENGINE_AFL] = 20}};
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
    assert_int_equal(subjects[1].results[SCORE_REPLAY].verdict, SCORE_MISSED);
    assert_int_equal(subjects[1].results[SCORE_REPLAY].jobs, 1);
    assert_int_equal(subjects[1].results[SCORE_REPLAY].processors, 2);
    assert_int_equal(subjects[2].results[SCORE_REPLAY].verdict, SCORE_NOT_RUN);
    make_subjects();
    plan.seeds[ENGINE_AFL] = 3; /* another measurement than the one that was kept */
    assert_int_equal(score_load(path, &plan, subjects, 3), 1);
    assert_int_equal(subjects[0].results[SCORE_AFL].verdict, SCORE_NOT_RUN);
    unlink(path);
    assert_int_equal(score_load(path, &plan, subjects, 3), 0);
    assert_false(score_save("/nowhere/at/all", &subjects[0], SCORE_AFL));
}

static void survivors_are_missed_unless_equivalent(void **state)
{
    (void)state;
    make_subjects();
    assert_true(score_missed(&subjects[0])); /* nobody said anything */
    strcpy(subjects[0].reason, "each bit is set once");
    assert_false(score_missed(&subjects[0]));
    strcpy(subjects[0].reason, "missed: nobody looks there");
    assert_true(score_missed(&subjects[0]));
    subjects[0].results[SCORE_RANDOM] = (struct score_result){SCORE_CRASHED, 1, 1, 1, 1, 1, 1, 1};
    assert_false(score_missed(&subjects[0]));
    assert_true(score_caught_by(&subjects[0], 1u << SCORE_RANDOM));
    assert_false(score_caught_by(&subjects[0], 1u << SCORE_REPLAY));
}

static void what_could_not_run_is_not_missed(void **state)
{
    struct score_sums sums = {0};
    char fate[SCORE_FATE_MAX];
    (void)state;
    make_subjects();
    memset(subjects[0].results, 0, sizeof subjects[0].results);
    subjects[0].results[SCORE_LIBFUZZER].verdict = SCORE_FAILED;
    assert_true(score_failed(&subjects[0]));
    assert_false(score_missed(&subjects[0]));
    score_add(&sums, &subjects[0]);
    assert_int_equal(sums.failed, 1);
    assert_int_equal(sums.missed + sums.equivalent + sums.caught, 0);
    score_fate(&subjects[0], fate);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_kept_and_found_again),
        cmocka_unit_test(survivors_are_missed_unless_equivalent),
        cmocka_unit_test(what_could_not_run_is_not_missed),
        cmocka_unit_test(proofs_count_as_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
