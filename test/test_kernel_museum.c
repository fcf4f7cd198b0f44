/*
 * The museum: each entry of corpus/kernels/ that is named bad_KIND_... shows an error of that kind, whose reduced input
 * shows it again, in the .cu beside it if there is one, and is kept as a finding that shows it again; each that is
 * named good_... shows none; each that is named ask_KIND_... shows none but a question of that kind, which becomes an
 * error where the user states that memory may hold it.
 */
#include "base/file.h"
#include "base/text.h"
#include "kernel/finding.h"
#include "test/sample.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define FOLDER     "corpus/kernels"
#define EXECUTIONS 400
#define STEPS      1000000
#define SECONDS    30 /* on a slow machine under a sanitizer; the executions end it long before */

static unsigned bad_seen, good_seen, asked_seen;

/* Its folder shows the error again; where the launch is another, it says so. */
static void check_kept(const struct kernel_search *s, const struct kernel_finding *f, const char *text, size_t size)
{
    static const char unknown[] = "entry nowhere\nsteps 9\ninput \n";
    char folder[FILE_PATH_MAX], path[FILE_PATH_MAX];
    struct finding_kept kept, again;
    enum kernel_replayed replayed;
    struct buffer words = {0}, drawn = {0};
    struct error error;
    assert_true(folder_temporary("museum", folder, &error));
    if (!kernel_finding_keep(s, f, text, size, STEPS, folder, &kept, &error) ||
        !kernel_finding_replay(kept.path, spec_get(), &replayed, &words, &drawn, &error))
        fail_msg("%s", error.text);
    if (kept.existed || replayed != KERNEL_SHOWS_ERROR || drawn.size == 0)
        fail_msg("%s: %s", kept.path, buffer_string(&words));
    assert_non_null(strstr(words.data, kernel_kind_name(f->event.kind)));
    assert_true(kernel_finding_keep(s, f, text, size, STEPS, folder, &again, &error) && again.existed);
    assert_string_equal(again.path, kept.path);
    assert_true(file_join(kept.path, "launch.txt", path, &error) &&
                file_write(path, unknown, sizeof unknown - 1, &error));
    assert_false(kernel_finding_replay(kept.path, spec_get(), &replayed, &words, &drawn, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    buffer_free(&words);
    buffer_free(&drawn);
    folder_remove(folder);
}

static bool is_of_kind(const struct kernel_finding *f, const char *name)
{
    const char *kind = kernel_kind_name(f->event.kind);
    kind = strcmp(kind, "block-barrier") == 0 ? "barrier" : kind;
    return kernel_is_error(f->event.kind) && strncmp(name, kind, strlen(kind)) == 0;
}

/* Only a question, and an error once the contents of its input are stated. */
static void check_question(const struct code *code, const struct kernel_search_options *options,
                           const struct kernel_search *s, const char *name)
{
    struct kernel_search_options stated = *options;
    struct kernel_search *again = calloc(1, sizeof *again);
    const struct kernel_finding *f = s->findings;
    assert_non_null(again);
    if (kernel_errors(s) > 0 || s->findings_count == 0 || !is_of_kind(f, name) || !f->is_question || !f->replayed)
        fail_msg("%s: %u errors, no question first, or another one", name, kernel_errors(s));
    assert_false(kernel_input_is_expected(options, &s->slots, &f->input));
    for (uint32_t k = 0; k < s->slots.count; k++)
        if (s->slots.slots[k].is_pointer)
            stated.contents[k] = (uint8_t)(1 + kernel_contents(&f->input, s->slots.slots[k].buffer));
    for (uint32_t k = 0; k < s->slots.variables_count; k++)
        stated.variables[k] = f->input.variables[k];
    assert_true(kernel_input_is_expected(&stated, &s->slots, &f->input));
    assert_true(kernel_search(code, &stated, again));
    if (!kernel_finding_is_error(again->findings) || !is_of_kind(again->findings, name))
        fail_msg("%s: no error though its contents are stated", name);
    free(again);
    asked_seen++;
}

static bool has_kind(const struct kernel_search *s, const char *name, const char *path, const char *text, size_t size)
{
    for (uint32_t n = 0; n < s->findings_count; n++) {
        const struct kernel_finding *f = &s->findings[n];
        if (f->is_question || !is_of_kind(f, name))
            continue;
        if (!f->replayed)
            fail_msg("%s: %s: the reduced input does not show it again", path, name);
        char source[FILE_PATH_MAX];
        snprintf(source, sizeof source, "%.*s.cu", (int)strlen(path) - 4, path);
        const char *written = file_exists(source) ? source : path; /* some are written in PTX */
        struct code_place place = code_place(s->code, f->event.at);
        if (strcmp(place.file, written) != 0)
            fail_msg("%s: %s: found in %s, not in %s", path, name, place.file, written);
        check_kept(s, f, text, size);
        return true;
    }
    return false;
}

static void check_entry(const struct module *module, uint32_t function, const char *path, const char *text, size_t size)
{
    const char *name = module->functions[function].name;
    struct error error;
    struct kernel_search *s = calloc(1, sizeof *s);
    struct code *code = code_new(module, function, &error);
    struct kernel_search_options options = {
        .impl = spec_get(), .seed = 1, .seconds = SECONDS, .executions = EXECUTIONS, .steps = STEPS, .shared = 4096};
    assert_non_null(s);
    if (!code)
        fail_msg("%s: %s", path, error.text);
    if (takes_sample() && strncmp(name, "good_", 5) == 0) /* an error may take all of them */
        options.executions = EXECUTIONS / 4;
    if (!kernel_search(code, &options, s))
        fail_msg("%s: %s: %s", path, name, s->why);
    bool good = strncmp(name, "good_", 5) == 0, asks = strncmp(name, "ask_", 4) == 0;
    /* Unrolled turns may never be reached. */
    if (kernel_is_unknown(s) || (s->warp_instructions > 0 && s->warp_instructions_seen == 0))
        fail_msg("%s: %s: %u of %u warp instructions reached, %u executions without an end", path, name,
                 s->warp_instructions_seen, s->warp_instructions, (unsigned)s->endless);
    for (uint32_t n = 0; good && n < s->findings_count; n++)
        if (kernel_is_error(s->findings[n].event.kind))
            fail_msg("%s: %s: %s at PTX line %u", path, name, kernel_kind_name(s->findings[n].event.kind),
                     code_place(code, s->findings[n].event.at).ptx_line);
    if (asks)
        check_question(code, &options, s, name + 4);
    else if (!good && (strncmp(name, "bad_", 4) != 0 || !has_kind(s, name + 4, path, text, size)))
        fail_msg("%s: %s: not found", path, name);
    *(good ? &good_seen : &bad_seen) += !asks;
    code_free(code);
    free(s);
}

static void check_file(const char *path)
{
    struct error error;
    size_t size;
    char *text = file_read(path, MODULE_TEXT_MAX, &size, &error);
    struct module *module = text ? module_read(text, size, path, &error) : NULL;
    if (!module)
        fail_msg("%s", error.text);
    for (uint32_t n = 0; n < module->functions_count; n++)
        if (module->functions[n].is_entry && strncmp(module->functions[n].name, "_Z", 2) != 0) /* the library's own */
            check_entry(module, n, path, text, size);
    module_free(module);
    free(text);
}

static void test_museum(void **state)
{
    (void)state;
    struct path_list list = {0};
    struct error error;
    assert_true(path_list_find(&list, FOLDER, &error));
    for (size_t n = 0; n < list.count; n++)
        if (text_ends(list.paths[n], ".ptx"))
            check_file(list.paths[n]);
    path_list_free(&list);
    print_message("%u wrong kernels found, %u right ones silent, %u questions asked\n", bad_seen, good_seen,
                  asked_seen);
    assert_true(bad_seen >= 142 && good_seen >= 159 && asked_seen >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_museum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
