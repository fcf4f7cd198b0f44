/*
 * What devices did with whole kernels (corpus/recordings/kernels-*.txt): each clean launch left bit for bit the memory
 * that the executor leaves, at both levels of the driver's optimizer; each wrong one is wrong in the executor.
 */
#include "base/file.h"
#include "base/text.h"
#include "kernel/silicon.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define FOLDER "corpus/recordings"
#define STEPS  1000000

/* ---- lines ---- */

static void test_lines(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "clean a.ptx k code=0123456789abcdef memory=00000000000000ff level0=returned:00000000000000ff "
        "level4=returned:00000000000000ff input: block=32,1,1\n",
        "deadlock a.ptx k code=0123456789abcdef at=17 level0=faulted:CUDA_ERROR_ILLEGAL_INSTRUCTION level4=hung input: "
        "block=32,1,1 @8=0x1\n",
    };
    static const char *const bad[] = {
        "unclean a.ptx k code=0123456789abcdef", "clean a.ptx k code=123 memory=00000000000000ff",
        "clean a.ptx k code=0123456789abcdef memory=00000000000000ff level0=slept level4=hung input: x",
        "clean a.ptx k code=0123456789abcdef memory=00000000000000ff level0=hung level4=hung",
        "race a.ptx k code=0123456789abcdef at=x level0=hung level4=hung input: x"};
    struct error error;
    char path[FILE_PATH_MAX], folder[FILE_PATH_MAX], text[2048];
    struct buffer b = {0};
    assert_true(folder_temporary("silicon", folder, &error));
    assert_true(file_join(folder, "r.txt", path, &error));
    int length = snprintf(text, sizeof text, "# device: an H1\n\n%s%s", lines[0], lines[1]);
    assert_true(file_write(path, text, (size_t)length, &error));
    struct silicon *s = silicon_load(path, &error);
    assert_non_null(s);
    assert_string_equal(s->device, "an H1");
    assert_int_equal(s->count, 2);
    assert_true(s->lines[0].is_clean && !s->lines[1].is_clean);
    assert_int_equal(s->lines[1].kind, KERNEL_DEADLOCK);
    silicon_line_text(&s->lines[0], &b);
    silicon_line_text(&s->lines[1], &b);
    assert_string_equal(buffer_string(&b), strstr(text, "clean"));
    buffer_free(&b);
    silicon_free(s);
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        assert_true(file_write(path, bad[n], strlen(bad[n]), &error));
        if (silicon_load(path, &error))
            fail_msg("taken: %s", bad[n]);
        assert_int_equal(error.code, ERROR_INPUT);
    }
    folder_remove(folder);
}

static void test_digest(void **state)
{
    (void)state;
    static const char one[] =
        ".entry a() {\n ret;\n}\n.entry b(\n) {\n$L__BB1_2: bra $L__BB1_2; // x\n{ .loc 1 2\n}\n}\n";
    static const char moved[] =
        "// c\n.entry b(\n) {\n\t.loc 1 7\n  $L__BB7_2: bra $L__BB7_2;\n{ .loc 1 2\n}\n}\n.entry c() {}";
    static const char other[] = ".entry b(\n) {\n$L__BB1_2: bra $L__BB1_3;\n{ .loc 1 2\n}\n}\n";
    assert_true(kernel_text_digest(one, 4) == kernel_text_digest(moved, 2));
    assert_true(kernel_text_digest(one, 4) != kernel_text_digest(other, 1));
    assert_true(kernel_text_digest(one, 4) != kernel_text_digest(one, 1));
}

/* ---- recordings ---- */

struct file {
    char name[128];
    char *text;
    struct module *module;
};

static struct file *open_file(struct file *files, size_t *count, const char *name)
{
    for (size_t n = 0; n < *count; n++)
        if (strcmp(files[n].name, name) == 0)
            return &files[n];
    struct file *f = &files[(*count)++];
    char path[FILE_PATH_MAX];
    struct error error;
    size_t size;
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(path, sizeof path, "corpus/kernels/%s", name);
    f->text = file_read(path, MODULE_TEXT_MAX, &size, &error);
    f->module = f->text ? module_read(f->text, size, path, &error) : NULL;
    if (!f->module)
        fail_msg("%s", error.text);
    return f;
}

static bool has_event(const struct code *code, const struct kernel_outcome *o, const struct silicon_line *line)
{
    for (uint32_t n = 0; n < o->events_count; n++)
        if (o->events[n].kind == line->kind && code_place(code, o->events[n].at).ptx_line == line->at)
            return true;
    return false;
}

static void check_clean(const struct silicon_line *line, const struct kernel_image *image)
{
    uint64_t memory = kernel_image_digest(image, NULL);
    for (unsigned n = 0; n < SILICON_LEVELS; n++)
        if (line->levels[n].ending != SILICON_RETURNED || line->levels[n].memory != memory)
            fail_msg("%s: %s: the executor leaves other memory than the device at level %u: %s", line->file,
                     line->entry, silicon_levels[n], line->input);
    assert_true(line->memory == memory);
}

/* A recorded launch must not depend on the order of warps: a device chooses its own. */
static void check_settled(struct kernel *kernel, const struct silicon_line *line, const struct kernel_input *in)
{
    static struct kernel_outcome plain, other;
    assert_true(kernel_execute(kernel, in, STEPS, &plain));
    for (uint32_t n = 1; n <= 8; n++) {
        struct kernel_input shuffled = *in;
        shuffled.shuffled = true;
        shuffled.schedule = n;
        assert_true(kernel_execute(kernel, &shuffled, STEPS, &other));
        if (other.digest != plain.digest)
            fail_msg("%s: %s: memory depends on the schedule: %s", line->file, line->entry, line->input);
    }
}

/* The same bytes in another place of memory are another digest: else a device that writes beside would pass. */
static void check_notices(const struct kernel_image *image)
{
    uint8_t *after[64] = {0};
    assert_true(image->count < 64);
    for (uint32_t n = 0; n < image->count; n++)
        after[n] = image->regions[n].after;
    uint64_t digest = kernel_image_digest(image, after);
    for (uint32_t n = 0; n < image->count; n++)
        if (image->regions[n].is_compared) {
            after[n][0] ^= 1;
            assert_true(kernel_image_digest(image, after) != digest);
            after[n][0] ^= 1;
        }
}

static void check_line(const struct code *code, const struct silicon_line *line)
{
    static struct kernel_outcome outcome;
    struct kernel_slots slots;
    struct kernel_input in;
    struct kernel_image image;
    struct error error;
    kernel_find_slots(code, &slots);
    if (!kernel_input_read(&slots, line->input, &in, &error))
        fail_msg("%s: %s: %s", line->file, line->entry, error.text);
    struct kernel *kernel = kernel_new(code, spec_get());
    assert_non_null(kernel);
    assert_true(kernel_execute(kernel, &in, STEPS, &outcome));
    if (line->is_clean) {
        if (!kernel_image_take(kernel, &slots, UINT64_C(1) << 26, &image, &error))
            fail_msg("%s: %s: %s", line->file, line->entry, error.text);
        check_clean(line, &image);
        check_notices(&image);
        check_settled(kernel, line, &in);
        kernel_image_free(&image);
    } else if (!has_event(code, &outcome, line)) {
        fail_msg("%s: %s: no %s at PTX line %u: %s", line->file, line->entry, kernel_kind_name(line->kind), line->at,
                 line->input);
    }
    kernel_free(kernel);
}

/* What the reports say of a device is what its recording says. */
static void check_known(const struct silicon *s)
{
    static struct silicon_counts counts[KERNEL_KINDS][SILICON_LEVELS];
    memset(counts, 0, sizeof counts);
    for (uint32_t n = 0; n < s->count; n++)
        for (unsigned k = 0; k < SILICON_LEVELS && !s->lines[n].is_clean; k++) {
            struct silicon_counts *c = &counts[s->lines[n].kind][k];
            switch (s->lines[n].levels[k].ending) {
            case SILICON_RETURNED:
                c->returned++;
                break;
            case SILICON_HUNG:
                c->hung++;
                break;
            case SILICON_FAULTED:
                c->faulted++;
                break;
            case SILICON_UNABLE:
                fail_msg("%s: it was not launched", s->lines[n].entry);
            }
        }
    if (strstr(s->device, silicon_known.device))
        assert_memory_equal(counts, silicon_known.kinds, sizeof counts);
}

static void check_recording(const char *path, unsigned *clean, unsigned *wrong, unsigned *changed)
{
    static struct file files[64];
    size_t files_count = 0;
    struct error error;
    struct silicon *s = silicon_load(path, &error);
    if (!s)
        fail_msg("%s", error.text);
    check_known(s);
    for (uint32_t n = 0; n < s->count; n++) {
        const struct silicon_line *line = &s->lines[n];
        const struct file *f = open_file(files, &files_count, line->file);
        uint32_t function = 0;
        while (function < f->module->functions_count && strcmp(f->module->functions[function].name, line->entry) != 0)
            function++;
        if (function == f->module->functions_count ||
            kernel_text_digest(f->text, f->module->functions[function].line) != line->code) {
            print_message("%s: %s has changed since it was recorded: not compared\n", line->file, line->entry);
            ++*changed;
            continue;
        }
        struct code *code = code_new(f->module, function, &error);
        if (!code)
            fail_msg("%s", error.text);
        check_line(code, line);
        code_free(code);
        ++*(line->is_clean ? clean : wrong);
    }
    for (size_t n = 0; n < files_count; n++) {
        module_free(files[n].module);
        free(files[n].text);
    }
    silicon_free(s);
}

static void test_recordings(void **state)
{
    (void)state;
    struct path_list list = {0};
    struct error error;
    unsigned clean = 0, wrong = 0, changed = 0;
    assert_true(path_list_find(&list, FOLDER, &error));
    for (size_t n = 0; n < list.count; n++)
        if (strstr(list.paths[n], "/kernels-") && text_ends(list.paths[n], ".txt"))
            check_recording(list.paths[n], &clean, &wrong, &changed);
    path_list_free(&list);
    assert_true(clean > 600 && wrong > 200); /* else the museum has to be recorded again */
    print_message("%u clean launches leave the device's memory, %u wrong ones are wrong; %u have changed\n", clean,
                  wrong, changed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_digest),
                                       cmocka_unit_test(test_recordings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
