/*
 * Every program of corpus/programs: reads, prints back, says where it comes from, is legal, and its claims do what they
 * say over both implementations.
 */
#include "kernel/execute.h"
#include "kernel/lint.h"

#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define FOLDER "corpus/programs"
#define INPUTS 60

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, PROGRAM_TEXT_MAX);
    if (!f || !text)
        fail_msg("%s cannot be read", path);
    *size = fread(text, 1, PROGRAM_TEXT_MAX - 1, f);
    fclose(f);
    return text;
}

static void check_round_trip(const char *path, const struct program *program)
{
    struct warp_text_error error;
    size_t size = program_print(program, NULL, 0) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    program_print(program, text, size);
    struct program *again = program_parse(text, size - 1, NULL, &error);
    if (!again || !program_equal(program, again))
        fail_msg("%s does not read back", path);
    program_free(again);
    free(text);
}

static void check_claims(const char *path, const struct program *program, const struct warp_impl *impl)
{
    static struct program_claim_record records[PROGRAM_CLAIMS_MAX];
    struct error error;
    if (!program_test_claims(program, impl, 1, INPUTS, records, &error))
        fail_msg("%s: %s", path, error.text);
    for (size_t n = 0; n < program->claims_count; n++) {
        const struct program_claim *claim = &program->claims[n];
        if (!program_claim_as_expected(claim, &records[n]))
            fail_msg("%s over %s: %s %s: failed on %u of %u inputs", path, impl->name,
                     claim->refute ? "refute" : "claim", claim->text, (unsigned)records[n].failed, INPUTS);
    }
}

static void check_legal(const char *path, const char *text, size_t size)
{
    static struct lint_report report;
    struct lint_options options = {.impl = NULL};
    struct warp_text_error error;
    if (!lint_text(text, size, &options, &report, &error) || report.counts[LINT_ILLEGAL] != 0)
        fail_msg("%s is not legal", path);
}

static void check_program(const char *path)
{
    struct warp_text_error error;
    size_t size;
    char *text = read_file(path, &size);
    struct program *program = program_parse(text, size, NULL, &error);
    if (!program)
        fail_msg("%s:%zu:%zu: %s", path, error.line, error.column, error.what);
    if (program->from[0] == '\0' || program->claims_count == 0 || program->ptx == 0 || program->target == 0)
        fail_msg("%s: no from, claim, .version or .target", path);
    check_round_trip(path, program);
    check_legal(path, text, size);
    check_claims(path, program, spec_get());
    check_claims(path, program, fast_get());
    check_claims(path, program, fast_portable_get());
    program_free(program);
    free(text);
}

static unsigned check_folder(const char *path)
{
    DIR *dir = opendir(path);
    unsigned count = 0;
    if (!dir)
        fail_msg("%s: no such folder", path);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char below[1024];
        const char *suffix = strrchr(entry->d_name, '.');
        if (entry->d_name[0] == '.')
            continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (!suffix)
            count += check_folder(below);
        else if (strcmp(suffix, ".ptx") == 0) {
            check_program(below);
            count++;
        }
    }
    closedir(dir);
    return count;
}

static void every_program(void **state)
{
    (void)state;
    assert_true(check_folder(FOLDER) >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
