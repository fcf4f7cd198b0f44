/*
 * Between the corpus, which is text, and the folders of files that fuzzing engines begin with and leave.
 *
 *   warpcheck-seeds bytes FOLDER FILE...   each case of the text files as a byte string of its own in FOLDER
 *   warpcheck-seeds text FOLDER FILE...    each case as a readable file of its own, and as a line
 *   warpcheck-seeds merge OUT FOLDER...    the byte strings of the folders as one text a family in the folder OUT, in
 *                                          the order of the forms; a comment says which buckets of the specification
 *                                          each case is first to reach
 */
#include "base/file.h"
#include "fuzz/coverage/coverage.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST ((size_t)1 << 26)

static int fail(const char *what)
{
    fprintf(stderr, "warpcheck-seeds: %s\n", what);
    return 2;
}

/* The file's name without its folder and its ending. */
static void stem_of(const char *path, char stem[64])
{
    const char *const name = file_name(path), *const dot = strrchr(name, '.');
    snprintf(stem, 64, "%.*s", dot != NULL ? (int)(dot - name) : (int)strlen(name), name);
}

static bool write_seed(const char *folder, const char *stem, size_t line, const char *ending, const void *data,
                       size_t size, struct error *error)
{
    char name[128], path[FILE_PATH_MAX];
    snprintf(name, sizeof name, "%s-%zu%s", stem, line, ending);
    return file_join(folder, name, path, error) && file_write(path, data, size, error);
}

static bool write_bytes(const char *folder, const char *stem, const struct warp_text_list *at,
                        const struct warp_text *text, struct error *error)
{
    uint8_t bytes[WARP_BYTES_MAX];
    const size_t size = warp_case_to_bytes(&text->c, bytes);
    return write_seed(folder, stem, at->line, "", bytes, size, error);
}

static bool write_texts(const char *folder, const char *stem, const struct warp_text_list *at,
                        const struct warp_text *text, struct error *error)
{
    static char buf[2 * WARP_TEXT_MAX];
    size_t size = warp_case_to_file(&text->c, NULL, &text->result, text->parts, buf, sizeof buf);
    if (!write_seed(folder, stem, at->line, ".txt", buf, size, error))
        return false;
    size = warp_case_to_text(&text->c, buf, sizeof buf);
    if (text->has_result) {
        size += (size_t)snprintf(buf + size, sizeof buf - size, " => ");
        size += warp_result_to_text(&text->result, text->parts, buf + size, sizeof buf - size);
    }
    return write_seed(folder, stem, at->line, ".line", buf, size, error);
}

static bool expand_file(const char *path, const char *folder, bool as_bytes, struct error *error)
{
    size_t size;
    char stem[64], *text = file_read(path, TEXT_MOST, &size, error);
    struct warp_text_list list;
    struct warp_text read;
    struct warp_text_error where;
    enum warp_text_step step;
    bool good = true;
    if (text == NULL)
        return false;
    stem_of(path, stem);
    list = warp_text_begin(text, size);
    while (good && (step = warp_text_next(&list, &read, &where)) != WARP_TEXT_END) {
        good = step == WARP_TEXT_CASE;
        if (good)
            good = (as_bytes ? write_bytes : write_texts)(folder, stem, &list, &read, error);
        else
            error_set(error, ERROR_INPUT, "%s:%zu:%zu: %s", path, where.line, where.column, where.what);
    }
    free(text);
    return good;
}

static int expand(const char *folder, char **files, int count, bool as_bytes)
{
    struct error error;
    if (!folder_make(folder, &error))
        return fail(error.text);
    for (int i = 0; i < count; i++)
        if (!expand_file(files[i], folder, as_bytes, &error))
            return fail(error.text);
    return 0;
}

struct seed {
    struct warp_case c;
    uint8_t bytes[WARP_BYTES_MAX]; /* zeros behind what the case needs */
};

/* By form, then by the bytes: the same order whatever the files were called. */
static int compare_seeds(const void *x, const void *y)
{
    const struct seed *s = x, *t = y;
    if (s->c.form != t->c.form)
        return s->c.form < t->c.form ? -1 : 1;
    return memcmp(s->bytes, t->bytes, sizeof s->bytes);
}

static bool read_seeds(const struct path_list *paths, struct seed *seeds, struct error *error)
{
    for (size_t i = 0; i < paths->count; i++) {
        size_t size;
        char *data = file_read(paths->paths[i], TEXT_MOST, &size, error);
        if (data == NULL)
            return false;
        memset(&seeds[i], 0, sizeof seeds[i]);
        warp_case_from_bytes((const uint8_t *)data, size, WARP_FAMILY_ALL, &seeds[i].c);
        warp_case_to_bytes(&seeds[i].c, seeds[i].bytes);
        free(data);
    }
    return true;
}

/* The buckets of the case that none before it reached, eight names at most. */
static void print_buckets(FILE *out, const struct warp_case *c, struct coverage_set *reached)
{
    const struct warp_impl *spec = spec_get();
    struct coverage_set own;
    struct warp_result r;
    char name[160], error[64];
    unsigned fresh = 0;
    spec->eval(spec->state, c, 1, &r, error, sizeof error);
    coverage_clear(&own);
    coverage_add(&own, c, &r);
    for (unsigned i = 0; i < own.count; i++) {
        if (reached->words[own.list[i] / 64] >> own.list[i] % 64 & 1u)
            continue;
        coverage_name(own.list[i], name, sizeof name);
        if (fresh++ < 8)
            fprintf(out, "%s%s", fresh == 1 ? "# first to reach " : ", ", strchr(name, '/') + 1);
    }
    if (fresh > 8)
        fprintf(out, " and %u more", fresh - 8);
    fprintf(out, fresh > 0 ? "\n" : "# for its relatives\n");
    coverage_add(reached, c, &r);
}

static void print_seeds(FILE *out, const struct seed *seeds, size_t count, enum warp_family family)
{
    static struct coverage_set reached;
    char line[WARP_TEXT_MAX];
    uint32_t form = WARP_FORMS;
    coverage_clear(&reached);
    fputs("# Seeds for the fuzzing engines: the fewest cases that reach every reachable bucket of the specification's\n"
          "# coverage. Written by warpcheck-seeds; what they expect is what the transcription answers.\n",
          out);
    for (size_t i = 0; i < count; i++) {
        const struct warp_form_info *info = warp_form_get(seeds[i].c.form);
        if (info->family != family || (i > 0 && compare_seeds(&seeds[i - 1], &seeds[i]) == 0))
            continue;
        if (seeds[i].c.form != form)
            fprintf(out, "\n# ---- %s\n\n", info->name);
        form = seeds[i].c.form;
        print_buckets(out, &seeds[i].c, &reached);
        warp_case_to_text(&seeds[i].c, line, sizeof line);
        fprintf(out, "%s\n", line);
    }
}

static bool write_family(const char *folder, const struct seed *seeds, size_t count, enum warp_family family,
                         struct error *error)
{
    char name[64], path[FILE_PATH_MAX], *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good;
    if (out == NULL)
        return error_errno(error, "%s", folder);
    print_seeds(out, seeds, count, family);
    good = fclose(out) == 0 || error_errno(error, "%s", folder);
    snprintf(name, sizeof name, "%s.txt", warp_family_name(family));
    good = good && file_join(folder, name, path, error) && file_write(path, text, size, error);
    free(text);
    return good;
}

static int merge(const char *into, char **folders, int count)
{
    struct path_list paths = {0};
    struct error error;
    struct seed *seeds;
    for (int i = 0; i < count; i++)
        if (!path_list_find(&paths, folders[i], &error))
            return fail(error.text);
    seeds = calloc(paths.count + 1, sizeof *seeds);
    if (seeds == NULL)
        return fail("out of memory");
    if (!read_seeds(&paths, seeds, &error) || !folder_make(into, &error))
        return fail(error.text);
    qsort(seeds, paths.count, sizeof *seeds, compare_seeds);
    for (unsigned family = 0; family < WARP_FAMILIES; family++)
        if (!write_family(into, seeds, paths.count, (enum warp_family)family, &error))
            return fail(error.text);
    free(seeds);
    path_list_free(&paths);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "bytes") == 0)
        return expand(argv[2], argv + 3, argc - 3, true);
    if (argc > 3 && strcmp(argv[1], "text") == 0)
        return expand(argv[2], argv + 3, argc - 3, false);
    if (argc > 3 && strcmp(argv[1], "merge") == 0)
        return merge(argv[2], argv + 3, argc - 3);
    return fail("usage: warpcheck-seeds bytes|text FOLDER FILE... | merge OUT FOLDER...");
}
