/* Where a program parts from the transcription, what that is called, and what is left of the program. */
#include "kernel/differ.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The transcription, wrong in one family: lane 5's d and p, or (waits) nobody waits. */
struct defect {
    enum warp_family family;
    bool waits;
};

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct defect *defect = state;
    if (!spec_get()->eval(spec_get()->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (warp_form_get(cases[i].form)->family != defect->family)
            continue;
        if (defect->waits) {
            results[i].done |= results[i].waiting;
            results[i].waiting = 0;
        } else {
            results[i].d[5] ^= 1u;
            results[i].p ^= 1u << 5;
        }
    }
    return true;
}

static struct defect shfl = {WARP_SHFL_SYNC, false}, vote = {WARP_VOTE_SYNC, false}, waits = {WARP_SHFL_SYNC, true};
static const struct warp_impl wrong_shfl = {
    .name = "wrong-shfl", .provides = WARP_PART_ALL, .state = &shfl, .eval = eval};
static const struct warp_impl wrong_vote = {
    .name = "wrong-vote", .provides = WARP_PART_ALL, .state = &vote, .eval = eval};
static const struct warp_impl never_waits = {
    .name = "never-waits", .provides = WARP_PART_ALL, .state = &waits, .eval = eval};

static const char text[] = "//! input x u32 range 0 100\n"
                           "//! input q pred\n"
                           "add.u32 y, x, 7;\n"
                           "vote.sync.ballot.b32 m, q, 0xffffffff;\n"
                           "add.u32 z, y, m;\n"
                           "shfl.sync.idx.b32 s, z, 3, 0x1f, 0xffffffff;\n"
                           "add.u32 t, s, z;\n"
                           "mov.u32 s, 0;\n" /* what was wrong is overwritten */
                           "mov.u32 m, 0;\n"
                           "@q vote.sync.any.pred r, q, 0xffffffff;\n";

static struct program *parse(const char *source)
{
    struct warp_text_error error;
    const struct program_options options = {.implicit_inputs = true};
    struct program *program = program_parse(source, strlen(source), &options, &error);
    if (program == NULL)
        fail_msg("line %zu: %s", error.line, error.what);
    return program;
}

static enum program_comparison compare(const struct program *program, const struct warp_impl *impl,
                                       struct program_difference *d)
{
    return program_find_difference(program, spec_get(), impl, 1, 0, d, NULL);
}

static void name_of(const struct program *program, const struct program_difference *d, char name[FINDING_SIGNATURE_MAX])
{
    char instruction[FINDING_SIGNATURE_MAX];
    const struct finding f = program_difference_finding(program, d, instruction);
    finding_signature(&f, name);
}

/* The first instruction that is wrong is found, also where a later one hides it. */
static void the_first_wrong_instruction_is_named(void **state)
{
    struct program *program = parse(text);
    struct program_difference d;
    char name[FINDING_SIGNATURE_MAX], what[1400];
    (void)state;
    assert_int_equal(compare(program, spec_get(), &d), PROGRAM_AGREES);
    assert_int_equal(compare(program, &wrong_shfl, &d), PROGRAM_DIFFERS);
    assert_int_equal(program->instructions[d.at].line, 6);
    assert_string_equal(program->registers[d.reg].name, "s");
    assert_int_equal(d.lanes, 1u << 5);
    name_of(program, &d, name);
    assert_string_equal(name, "program-shfl.sync-values");
    program_difference_text(program, &d, what, sizeof what);
    assert_non_null(strstr(what, "line 6, `shfl.sync.idx.b32 s, z, 3, 0x1f, 0xffffffff;`: s in lane 5 is 0x"));
    assert_int_equal(compare(program, &wrong_vote, &d), PROGRAM_DIFFERS);
    assert_int_equal(program->instructions[d.at].line, 4);
    name_of(program, &d, name);
    assert_string_equal(name, "program-vote.sync-values");
    program_free(program);
}

static void a_fault_of_one_is_a_difference(void **state)
{
    struct program *program = parse("mov.u32 x, %laneid;\nsetp.lt.u32 q, x, 4;\n"
                                    "@q shfl.sync.idx.b32 y, x, 0, 0x1f, 0xffffffff;\n");
    struct program_difference d;
    char name[FINDING_SIGNATURE_MAX], what[1400];
    (void)state;
    assert_int_equal(compare(program, &never_waits, &d), PROGRAM_DIFFERS);
    assert_int_equal(d.reg, MODULE_NONE);
    name_of(program, &d, name);
    assert_string_equal(name, "program-shfl.sync-fault");
    program_difference_text(program, &d, what, sizeof what);
    assert_non_null(strstr(what, "no fault; expected: lanes 0x0000000f wait for lanes 0xfffffff0"));
    program_free(program);
}

/* Both fault alike: they agree, and what follows is not executed. */
static void after_a_fault_nothing_is_compared(void **state)
{
    struct program *program = parse("shfl.sync.idx.b32 y, x, 0, 0x1f, 0xffff;\n"
                                    "vote.sync.ballot.b32 m, q, 0xffffffff;\n");
    struct program_difference d;
    (void)state;
    assert_int_equal(compare(program, &wrong_vote, &d), PROGRAM_AGREES);
    program_free(program);
}

static bool refuses(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    (void)state, (void)c;
    snprintf(why, why_size, "takes nothing");
    return false;
}

static void what_is_not_accepted_is_not_compared(void **state)
{
    struct warp_impl impl = wrong_vote;
    struct program *program = parse(text);
    struct program_difference d;
    struct error error = {0};
    (void)state;
    impl.accepts = refuses;
    assert_int_equal(program_find_difference(program, spec_get(), &impl, 1, 0, &d, &error), PROGRAM_NOT_COMPARED);
    assert_int_equal(error.code, ERROR_DECLINED);
    assert_non_null(strstr(error.text, "takes nothing"));
    program_free(program);
}

static bool still(void *context, const struct program *program)
{
    struct program_difference d;
    return compare(program, context, &d) == PROGRAM_DIFFERS;
}

static void reduces_to(const struct warp_impl *impl, const char *expected)
{
    struct program *program = parse(text);
    struct reduction stats = {.limit = 10000};
    char printed[4096];
    struct program *reduced = program_reduce(program, still, (void *)impl, &stats);
    assert_non_null(reduced);
    program_print(reduced, printed, sizeof printed);
    assert_string_equal(printed, expected);
    assert_true(stats.kept > 1 && stats.kept <= stats.tried);
    program_free(reduced);
    program_free(program);
}

static void only_what_is_needed_is_left(void **state)
{
    (void)state;
    reduces_to(&wrong_shfl, ".reg .b32 s;\nshfl.sync.idx.b32 s, 0, 0, 0, 0xffffffff;\n");
    reduces_to(&wrong_vote, ".reg .b32 m;\nvote.sync.ballot.b32 m, 0, 0xffffffff;\n");
}

/* What agrees is not reduced, and the limit is one of tests. */
static void a_reduction_ends(void **state)
{
    struct program *program = parse(text), *reduced;
    struct reduction stats = {.limit = 100};
    (void)state;
    assert_null(program_reduce(program, still, (void *)spec_get(), &stats));
    assert_int_equal(stats.tried, 1);
    stats = (struct reduction){.limit = 3};
    reduced = program_reduce(program, still, (void *)&wrong_shfl, &stats);
    assert_non_null(reduced);
    assert_int_equal(stats.tried, 3);
    program_free(reduced);
    program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_wrong_instruction_is_named), cmocka_unit_test(a_fault_of_one_is_a_difference),
        cmocka_unit_test(after_a_fault_nothing_is_compared),    cmocka_unit_test(what_is_not_accepted_is_not_compared),
        cmocka_unit_test(only_what_is_needed_is_left),          cmocka_unit_test(a_reduction_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
