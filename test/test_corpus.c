/*
 * The corpus: every case of the files named on the command line has a name of its own, a comment that says where its
 * shape comes from and a whole expected result, stands as the printer writes it, and the transcription of the manual
 * gives what it expects. The expected results were worked out apart from this program. Every form has a case.
 *
 * Files in a folder `seeds` hold cases for engines: without names and expectations.
 */
#include "base/file.h"
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX 400u

struct tally {
    unsigned cases, failed;
    unsigned of_form[WARP_FORMS];
    char names[NAMES_MAX][80];
    unsigned names_count;
};

static void complain(struct tally *tally, const char *path, size_t line, const char *what)
{
    fprintf(stderr, "%s:%zu: %s\n", path, line, what);
    tally->failed++;
}

/* The line is what the printer would write. */
static bool is_canonical(const char *line, size_t size, const struct warp_text *read)
{
    char again[2 * WARP_TEXT_MAX];
    size_t length = warp_case_to_text(&read->c, again, sizeof again);
    if (read->has_result) {
        length += (size_t)snprintf(again + length, sizeof again - length, " => ");
        length += warp_result_to_text(&read->result, read->parts, again + length, sizeof again - length);
    }
    return length == size && memcmp(line, again, size) == 0;
}

static bool answers_as_expected(const struct warp_text *read)
{
    const struct warp_impl *spec = spec_get();
    struct warp_result answer;
    char error[128];
    return spec->eval(spec->state, &read->c, 1, &answer, error, sizeof error) &&
           memcmp(&answer, &read->result, sizeof answer) == 0;
}

/* A name that no other case has, and a line of comment below it. */
static bool is_named(struct tally *tally, const struct warp_text_list *list)
{
    const char *comment = list->name + list->name_size;
    char *name = tally->names[tally->names_count];
    if (list->name_size == 0 || list->name_size >= sizeof tally->names[0] || tally->names_count + 1 == NAMES_MAX)
        return false;
    snprintf(name, sizeof tally->names[0], "%.*s", (int)list->name_size, list->name);
    for (unsigned i = 0; i < tally->names_count; i++)
        if (strcmp(tally->names[i], name) == 0)
            return false;
    tally->names_count++;
    return strncmp(comment, "\n#   ", 5) == 0;
}

static void check_case(struct tally *tally, const char *path, const struct warp_text_list *list,
                       const struct warp_text *read)
{
    const bool is_seed = strstr(path, "/seeds/") != NULL;
    const char *end = list->at;
    const char *start;
    while (end[-1] == '\n')
        end--;
    for (start = end; start[-1] != '\n';)
        start--;
    tally->cases++;
    tally->of_form[read->c.form]++;
    if (!is_canonical(start, (size_t)(end - start), read))
        complain(tally, path, list->line, "it does not stand as the printer writes it");
    if (is_seed)
        return;
    if (!is_named(tally, list))
        complain(tally, path, list->line, "it has no name of its own, or does not say where its shape comes from");
    if (!read->has_result || read->parts != WARP_PART_ALL)
        complain(tally, path, list->line, "it has no whole expected result");
    else if (!answers_as_expected(read))
        complain(tally, path, list->line, "the transcription gives another result");
}

static void check_file(struct tally *tally, const char *path)
{
    struct error error;
    size_t size;
    char *text = file_read(path, (size_t)1 << 26, &size, &error);
    struct warp_text_list list;
    struct warp_text read;
    struct warp_text_error where;
    enum warp_text_step step;
    if (text == NULL) {
        complain(tally, path, 0, error.text);
        return;
    }
    list = warp_text_begin(text, size);
    while ((step = warp_text_next(&list, &read, &where)) == WARP_TEXT_CASE)
        check_case(tally, path, &list, &read);
    if (step == WARP_TEXT_WRONG)
        complain(tally, path, where.line, where.what);
    free(text);
}

int main(int argc, char **argv)
{
    static struct tally tally;
    for (int i = 1; i < argc; i++)
        check_file(&tally, argv[i]);
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (tally.of_form[form] == 0)
            complain(&tally, "corpus", 0, warp_form_get(form)->name);
    printf("%u cases, %u with a name, %u complaints\n", tally.cases, tally.names_count, tally.failed);
    return tally.failed > 0 || tally.names_count < 254;
}
