/*
 * The corpus: each file named on the command line is read, has a comment and a whole expected result, is what the
 * printer would write, and the transcription of the manual gives what it expects. The expected results were worked out
 * apart from this program.
 */
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <string.h>

#define FILE_MAX 16384u

static int complain(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    return 1;
}

static bool read_whole(const char *path, char buf[FILE_MAX], size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    *size = fread(buf, 1, FILE_MAX, file);
    return fclose(file) == 0 && *size < FILE_MAX;
}

/* Everything but comments is as the printer writes it. */
static bool is_canonical(const char *text, size_t size, const struct warp_text *read)
{
    char again[FILE_MAX];
    const char *body = memchr(text, '\n', size);
    size_t length = warp_case_to_file(&read->c, NULL, &read->result, read->parts, again, sizeof again);
    const char *body_again = strchr(again, '\n');
    while (body != NULL && (size_t)(body + 1 - text) < size && body[1] == '#')
        body = memchr(body + 1, '\n', size - (size_t)(body + 1 - text));
    return body != NULL && length - (size_t)(body_again - again) == size - (size_t)(body - text) &&
           memcmp(body, body_again, size - (size_t)(body - text)) == 0;
}

static bool answers_as_expected(const struct warp_text *read)
{
    const struct warp_impl *spec = spec_get();
    struct warp_result answer;
    char error[128];
    return spec->eval(spec->state, &read->c, 1, &answer, error, sizeof error) &&
           memcmp(&answer, &read->result, sizeof answer) == 0;
}

static int check_file(const char *path)
{
    char text[FILE_MAX], where[256];
    size_t size;
    struct warp_text read;
    struct warp_text_error error;
    if (!read_whole(path, text, &size))
        return complain(path, "cannot be read");
    if (!warp_text_parse(text, size, &read, &error)) {
        snprintf(where, sizeof where, "%zu:%zu: %s", error.line, error.column, error.what);
        return complain(path, where);
    }
    if (strncmp(text, "warpcheck-case 1\n# ", 19) != 0)
        return complain(path, "it does not say where its shape comes from");
    if (!read.has_result || read.parts != WARP_PART_ALL)
        return complain(path, "it has no whole expected result");
    if (!is_canonical(text, size, &read))
        return complain(path, "it is not laid out as the printer does");
    return answers_as_expected(&read) ? 0 : complain(path, "the transcription gives another result");
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed += check_file(argv[i]);
    printf("%d files, %d failed\n", argc - 1, failed);
    return failed > 0 || argc < 81;
}
