#include "check/case_file.h"

#include "base/buffer.h"
#include "base/text.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum content { CONTENT_TEXT, CONTENT_BYTES, CONTENT_NEITHER };

/* Tells the forms apart by the first word outside comments, and a fuzzer's file by bytes that no text has (the
 * first of them is `strange`). */
static enum content content_of(const char *text, size_t size, unsigned char *strange)
{
    size_t i = 0;
    while (i < size && strchr(" \t\r\n#", text[i]) && text[i] != '\0') {
        if (text[i] == '#')
            while (i < size && text[i] != '\n')
                i++;
        else
            i++;
    }
    if (size - i >= 4 && memcmp(text + i, "warp", 4) == 0)
        return CONTENT_TEXT;
    for (size_t k = 0; k < size; k++) {
        unsigned char byte = (unsigned char)text[k];
        if (byte >= 0x7f || (byte < 0x20 && !strchr("\t\r\n", byte)) || byte == 0) {
            *strange = byte;
            return CONTENT_BYTES;
        }
    }
    return CONTENT_NEITHER;
}

static bool add_text(struct case_file *file, size_t line, const struct warp_text *text)
{
    struct warp_text *texts = array_grow(file->texts, file->count, &file->texts_room, sizeof *texts);
    if (texts)
        file->texts = texts;
    size_t *lines = array_grow(file->lines, file->count, &file->lines_room, sizeof *lines);
    if (lines)
        file->lines = lines;
    if (!texts || !lines)
        return false;
    file->texts[file->count] = *text;
    file->lines[file->count++] = line;
    return true;
}

/* Does the choice (a line number or a name) mean the case that was read last? */
static bool is_chosen(const struct warp_text_list *list, const char *choice)
{
    char number[32];
    snprintf(number, sizeof number, "%zu", list->line);
    return choice == NULL || strcmp(choice, number) == 0 ||
           (strlen(choice) == list->name_size && memcmp(choice, list->name, list->name_size) == 0);
}

static bool parse_text(const char *path, const char *text, size_t size, const char *choice, struct case_file *file,
                       struct error *error)
{
    struct warp_text_list list = warp_text_begin(text, size);
    struct warp_text parsed;
    struct warp_text_error where;
    enum warp_text_step step;
    while ((step = warp_text_next(&list, &parsed, &where)) == WARP_TEXT_CASE)
        if (is_chosen(&list, choice) && !add_text(file, list.line, &parsed)) {
            error_set(error, ERROR_INPUT, "%s: out of memory", path);
            return false;
        }
    if (step == WARP_TEXT_WRONG)
        error_set(error, ERROR_INPUT, "%s:%zu:%zu: %s", path, where.line, where.column, where.what);
    else if (choice != NULL && file->count == 0)
        error_set(error, ERROR_INPUT, "%s: no case has the name or the line %s", path, choice);
    return step == WARP_TEXT_END && (choice == NULL || file->count > 0);
}

static bool parse_bytes(const char *path, const char *text, size_t size, const struct load_rules *rules,
                        struct case_file *file, struct error *error)
{
    struct warp_text decoded;
    size_t length = warp_bytes_length((const uint8_t *)text, size);
    if (size < length) {
        error_set(error, ERROR_INPUT, "%s: truncated: %zu of %s%zu bytes of the raw byte form", path, size,
                  size < 3 ? "at least " : "", length);
        return false;
    }
    memset(&decoded, 0, sizeof decoded);
    uint32_t families = rules && rules->families ? rules->families : WARP_FAMILY_ALL;
    warp_case_from_bytes((const uint8_t *)text, size, families, &decoded.c);
    file->from_bytes = true;
    if (!add_text(file, 1, &decoded)) {
        error_set(error, ERROR_INPUT, "%s: out of memory", path);
        return false;
    }
    return true;
}

/* May bytes that no text has be a case? */
static bool takes_bytes(const struct load_rules *rules)
{
    return rules && (rules->bytes || rules->guess || (rules->families != 0 && rules->families != WARP_FAMILY_ALL));
}

/* Splits FILE:NAME or FILE:LINE, which choose one case of a file: writes FILE to `file` and returns the choice.
 * NULL when `path` is itself a file, or FILE is none. */
static const char *split_choice(const char *path, char file[FILE_PATH_MAX])
{
    const char *colon = strrchr(path, ':');
    if (colon == NULL || colon[1] == '\0' || file_exists(path) || (size_t)(colon - path) >= FILE_PATH_MAX)
        return NULL;
    snprintf(file, FILE_PATH_MAX, "%.*s", (int)(colon - path), path);
    return file_exists(file) && !file_is_folder(file) ? colon + 1 : NULL;
}

bool path_names_case(const char *path)
{
    char file[FILE_PATH_MAX];
    return split_choice(path, file) != NULL;
}

bool case_file_load(const char *path, const struct load_rules *rules, struct case_file *file, struct error *error)
{
    size_t size = 0;
    unsigned char strange = 0;
    char chosen_from[FILE_PATH_MAX];
    const char *choice = split_choice(path, chosen_from);
    memset(file, 0, sizeof *file);
    if (choice != NULL)
        path = chosen_from;
    char *text = file_read(path, CASE_FILE_MAX, &size, error);
    if (!text)
        return false;
    bool good = false;
    switch (rules && rules->bytes ? CONTENT_BYTES : content_of(text, size, &strange)) {
    case CONTENT_TEXT:
        good = parse_text(path, text, size, choice, file, error);
        break;
    case CONTENT_BYTES:
        if (takes_bytes(rules))
            good = parse_bytes(path, text, size, rules, file, error);
        else
            error_set(error, ERROR_INPUT,
                      "%s: not a case file (byte 0x%02x); give --bytes to decode it as a fuzzer's byte string", path,
                      strange);
        break;
    case CONTENT_NEITHER:
        error_set(error, ERROR_INPUT,
                  size == 0 ? "%s: empty; a case begins with 'warp1' (a line) or 'warpcheck-case 1' (a file)"
                            : "%s:1:1: not a case: it begins neither with 'warp1' nor with 'warpcheck-case 1'",
                  path);
        break;
    }
    free(text);
    if (!good)
        case_file_free(file);
    return good;
}

void case_file_free(struct case_file *file)
{
    free(file->texts);
    free(file->lines);
    memset(file, 0, sizeof *file);
}

bool path_is_case(const char *path)
{
    static const char *const others[] = {".md",     ".rec",     ".ptx",         ".cu",          ".json",
                                         ".dict",   ".options", "/finding.txt", "/verdict.txt", "/note.txt",
                                         ".sha256", "/input",   "/launch.txt",  "/launch.c",    "/launch"};
    const char *const name = file_name(path);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (text_ends(path, others[i]))
            return false;
    /* What a device did with whole kernels, and with generated ones, is no case. */
    return strncmp(name, "kernels-", 8) != 0 && strncmp(name, "generated-", 10) != 0;
}

bool path_is_fuzz(const char *path)
{
    static const char name[] = "/fuzz";
    const char *end = strrchr(path, '/');
    size_t length = end ? (size_t)(end - path) : 0;
    if (length == sizeof name - 2) /* "fuzz/FILE" */
        return memcmp(path, name + 1, length) == 0;
    return length >= sizeof name - 1 && memcmp(end - (sizeof name - 1), name, sizeof name - 1) == 0;
}

/* --- what a file expects --- */

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct expected *expected = state;
    if (memcmp(c, &expected->text->c, sizeof *c) == 0)
        return true;
    if (why_size > 0)
        snprintf(why, why_size, "the file says nothing about any other case");
    return false;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct expected *expected = state;
    (void)cases, (void)error, (void)error_size;
    for (size_t i = 0; i < n; i++)
        results[i] = expected->text->result;
    return true;
}

const struct warp_impl *expected_init(struct expected *expected, const struct warp_text *text)
{
    expected->text = text;
    expected->impl = (struct warp_impl){.name = "expect",
                                        .description = "what the case file expects",
                                        .provides = text->parts,
                                        .state = expected,
                                        .accepts = accepts,
                                        .eval = eval,
                                        .close = NULL};
    return &expected->impl;
}
