/*
 * What the translator must not take: opcodes, flags and intrinsics that it does not know are errors that name them, and
 * behaviour that LLVM's reference leaves undefined is refuted with the reason; what just keeps to the reference is
 * proved. The functions and what must be said of each stand in test/compiled/ll/. The argument: the name of the only
 * function to ask; or "kept": all that are right twins of broken ones, and "others": all but these.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proofs/user/user.h"
#include "test/sample.h"
#include "warpcheck_spec.h"

#define LINE        400
#define SAMPLE_STEP 3 /* of functions that take a proof */

static const char *only; /* the name of a function; NULL: all */
static unsigned asked;

struct expectation {
    char shape[32], form[64], says[120], function[80];
};

static void write_bitcode(const char *path, char bitcode[64])
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message = NULL;
    int file;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
        fail_msg("%s: %s", path, message);
    if (LLVMParseIRInContext(context, buffer, &module, &message))
        fail_msg("%s: %s", path, message);
    strcpy(bitcode, "/tmp/warpcheck-XXXXXX");
    file = mkstemp(bitcode);
    assert_true(file >= 0);
    assert_int_equal(LLVMWriteBitcodeToFD(module, file, 1, 0), 0);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

/* The next "; shape instruction: text" and the function below it. */
static bool next_function(FILE *f, struct expectation *e)
{
    char line[LINE];
    e->shape[0] = '\0';
    while (fgets(line, sizeof line, f) != NULL) {
        if (sscanf(line, "; %31[a-z-] %63[a-zA-Z0-9.]: %119[^\n]", e->shape, e->form, e->says) == 3 &&
            warp_form_find(e->form) != NULL)
            continue;
        if (sscanf(line, "define %*[a-z0-9] @%79[a-z0-9_](", e->function) == 1 && e->says[0] != '\0')
            return true;
    }
    return false;
}

static void check_file(const char *path, enum compiled_verdict expected, unsigned least)
{
    static struct user_outcome o;
    char bitcode[64];
    struct expectation e = {.says = ""};
    unsigned count = 0, failed = 0;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    write_bitcode(path, bitcode);
    for (size_t n = 0; next_function(f, &e); n++) {
        const struct user_request request = {.file = bitcode,
                                             .function = e.function,
                                             .shape = e.shape,
                                             .info = warp_form_find(e.form),
                                             .spec = spec_get(),
                                             .timeout_s = 20};
        bool ok;
        if ((only != NULL && strcmp(only, e.function) != 0) ||
            (expected != COMPILED_ERROR && !is_in_sample(n, SAMPLE_STEP))) {
            e.says[0] = '\0';
            continue;
        }
        asked++;
        user_prove(&request, &o);
        ok = o.verdict == expected &&
             strstr(expected == COMPILED_PROVED ? compiled_verdict_name(o.verdict) : o.note, e.says) != NULL &&
             o.unusable == (expected == COMPILED_ERROR) && o.has_witness == (expected == COMPILED_REFUTED);
        if (!ok)
            print_message("%s: %s: %s, and must say '%s'\n", e.function, compiled_verdict_name(o.verdict), o.note,
                          e.says);
        failed += !ok;
        count++;
        e.says[0] = '\0';
    }
    fclose(f);
    unlink(bitcode);
    assert_int_equal(failed, 0);
    assert_true(only != NULL || count >= (takes_sample() ? least / SAMPLE_STEP : least));
}

static void test_refused(void **state)
{
    (void)state;
    check_file("test/compiled/ll/refused.ll", COMPILED_ERROR, 64);
    check_file("test/compiled/ll/refused_call.ll", COMPILED_ERROR, 1);
}

static void test_undefined(void **state)
{
    (void)state;
    check_file("test/compiled/ll/undefined.ll", COMPILED_REFUTED, 46);
}

static void test_defined(void **state)
{
    (void)state;
    check_file("test/compiled/ll/defined.ll", COMPILED_PROVED, 20);
}

static void test_broken(void **state)
{
    (void)state;
    check_file("test/compiled/ll/broken_addresses.ll", COMPILED_REFUTED, 29);
    check_file("test/compiled/ll/broken_promises.ll", COMPILED_REFUTED, 28);
    check_file("test/compiled/ll/broken_flags.ll", COMPILED_REFUTED, 18);
    check_file("test/compiled/ll/broken_structures.ll", COMPILED_REFUTED, 11);
    check_file("test/compiled/ll/broken_steps.ll", COMPILED_REFUTED, 36);
    check_file("test/compiled/ll/broken_groups.ll", COMPILED_REFUTED, 15);
    check_file("test/compiled/ll/broken_bits.ll", COMPILED_REFUTED, 32);
    check_file("test/compiled/ll/broken_rules.ll", COMPILED_REFUTED, 16);
}

static void test_kept(void **state)
{
    (void)state;
    check_file("test/compiled/ll/kept_addresses.ll", COMPILED_PROVED, 29);
    check_file("test/compiled/ll/kept_promises.ll", COMPILED_PROVED, 28);
    check_file("test/compiled/ll/kept_flags.ll", COMPILED_PROVED, 18);
    check_file("test/compiled/ll/kept_structures.ll", COMPILED_PROVED, 11);
    check_file("test/compiled/ll/kept_steps.ll", COMPILED_PROVED, 38);
    check_file("test/compiled/ll/kept_groups.ll", COMPILED_PROVED, 4);
    check_file("test/compiled/ll/kept_bits.ll", COMPILED_PROVED, 33);
    check_file("test/compiled/ll/kept_rules.ll", COMPILED_PROVED, 16);
}

/* The table of shapes against the table of instructions: each form can be proved in some shape, and each shape is one
 * of some form. */
static void test_shapes(void **state)
{
    const char *name, *declaration;
    struct error error;
    (void)state;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        unsigned taken = 0;
        for (size_t i = 0; user_shape_get(i, &name, &declaration); i++)
            taken += user_shape_takes(name, warp_form_get(form), &error);
        if (taken == 0)
            fail_msg("proofs/user/shape.c has no shape for %s", warp_form_get(form)->name);
    }
    for (size_t i = 0; user_shape_get(i, &name, &declaration); i++) {
        unsigned taken = 0;
        for (uint32_t form = 0; form < WARP_FORMS; form++)
            taken += user_shape_takes(name, warp_form_get(form), &error);
        if (taken == 0)
            fail_msg("the shape %s is one of no form", name);
    }
    assert_false(user_shape_takes("nonsense", warp_form_get(0), &error));
    assert_int_equal(error.code, ERROR_USAGE);
    assert_false(user_shape_takes("vote", warp_form_get(WARP_SHFL_SYNC_UP_B32), &error));
    assert_int_equal(error.code, ERROR_UNSUPPORTED);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest others[] = {
        cmocka_unit_test(test_shapes),  cmocka_unit_test(test_refused), cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_defined), cmocka_unit_test(test_broken),
    };
    const struct CMUnitTest kept[] = {cmocka_unit_test(test_kept)};
    const char *const what = argc > 1 ? argv[1] : NULL;
    const bool kept_alone = what != NULL && strcmp(what, "kept") == 0;
    const bool others_alone = what != NULL && strcmp(what, "others") == 0;
    int failed = 0;
    only = kept_alone || others_alone ? NULL : what;
    if (!kept_alone)
        failed += cmocka_run_group_tests(others, NULL, NULL);
    if (!others_alone)
        failed += cmocka_run_group_tests(kept, NULL, NULL);
    return failed == 0 && asked > 0 ? 0 : 1;
}
