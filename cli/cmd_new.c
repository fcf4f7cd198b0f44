/* warpcheck new: a folder with an implementation that builds, is right, and is there to be edited. */
#include "base/buffer.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/ui/options.h"
#include "cli/work/load.h"
#include "cli/work/templates.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct shape {
    const char *name, *what;
} shapes[] = {
    {"cuda", "a plugin in C: __shfl_*_sync, one function, asked lane by lane"},
    {"ptx", "the same with PTX's operands: clamp, segment mask, predicate"},
    {"lane", "a plugin in C: any instruction, one function, asked lane by lane"},
    {"pipe-c", "a program in C that reads cases and writes answers"},
    {"pipe-python", "the same in Python"},
};
#define SHAPES (sizeof shapes / sizeof shapes[0])

static const struct shape *find_shape(const char *word)
{
    const char *names[SHAPES];
    for (size_t i = 0; i < SHAPES; i++) {
        names[i] = shapes[i].name;
        if (strcmp(shapes[i].name, word) == 0)
            return &shapes[i];
    }
    const char *const nearest = text_nearest(word, names, SHAPES);
    usage_error(&command_new, "no shape '%s'%s%s%s; there are cuda, ptx, lane, pipe-c and pipe-python", word,
                nearest ? ": did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    return NULL;
}

/* A word of the shell within a recipe of make. */
static void add_word(struct buffer *out, const char *path)
{
    char word[2 * FILE_PATH_MAX];
    text_quote(path, word, sizeof word);
    for (const char *at = word; *at != '\0'; at++)
        buffer_format(out, "%s%c", *at == '$' ? "$" : *at == '#' ? "\\" : "", *at);
}

/* The text with the places that hold in examples/ replaced by those of this program. */
static void add_text(struct buffer *out, const char *text, const char *program, const char *include)
{
    static const char in_program[] = "../../warpcheck", in_include[] = "../../model/include";
    while (*text != '\0') {
        if (strncmp(text, in_program, sizeof in_program - 1) == 0) {
            add_word(out, program);
            text += sizeof in_program - 1;
        } else if (strncmp(text, in_include, sizeof in_include - 1) == 0) {
            add_word(out, include);
            text += sizeof in_include - 1;
        } else {
            buffer_add(out, text++, 1);
        }
    }
}

/* Nothing is overwritten: when one of the files is there already, none is written. */
static bool is_free(const struct shape *shape, const char *dir, struct error *error)
{
    char path[FILE_PATH_MAX];
    for (const struct template_file *f = template_files; f->shape; f++) {
        if (strcmp(f->shape, shape->name) != 0)
            continue;
        if (!file_join(dir, f->name, path, error))
            return false;
        if (file_exists(path))
            return error_set(error, ERROR_USAGE, "%.900s is there already; name a new folder", path);
    }
    return true;
}

static bool write_one(const struct template_file *file, const char *dir, const char *program, const char *include,
                      struct error *error)
{
    char path[FILE_PATH_MAX];
    struct buffer text = {0};
    bool existed = false;
    add_text(&text, file->text, program, include);
    const bool good = text.failed ? error_set(error, ERROR_SYSTEM, "out of memory")
                                  : file_join(dir, file->name, path, error) &&
                                        file_create(path, text.data, text.size, &existed, error);
    buffer_free(&text);
    return good && (!existed || error_set(error, ERROR_USAGE, "%.900s is there already", path));
}

/* All files of the shape, or none: what was written before one failed is taken back. */
static bool write_files(const struct shape *shape, const char *dir, const char *program, const char *include,
                        struct error *error)
{
    const struct template_file *f = template_files;
    char path[FILE_PATH_MAX];
    struct error ignored;
    while (f->shape && (strcmp(f->shape, shape->name) != 0 || write_one(f, dir, program, include, error)))
        f++;
    if (!f->shape)
        return true;
    while (f > template_files) {
        f--;
        if (strcmp(f->shape, shape->name) == 0 && file_join(dir, f->name, path, &ignored))
            unlink(path);
    }
    return false;
}

static int write_all(const struct shape *shape, const char *dir)
{
    const bool was_there = file_exists(dir);
    char program[FILE_PATH_MAX], include[FILE_PATH_MAX], word[FILE_PATH_MAX + 16];
    struct error error;
    load_program(program, sizeof program);
    if (!load_headers(include, sizeof include))
        return usage_error(&command_new, "the headers (warpcheck/cuda.h) are not where this program was built or "
                                         "installed: set WARPCHECK_ROOT to its source folder");
    if (!is_free(shape, dir, &error) || !folder_make(dir, &error))
        return usage_error(&command_new, "%s", error.text);
    if (!write_files(shape, dir, program, include, &error)) {
        if (!was_there)
            rmdir(dir);
        return usage_error(&command_new, "%s", error.text);
    }
    printf("%s: %s\n", shown(dir), shape->what);
    for (const struct template_file *f = template_files; f->shape; f++)
        if (strcmp(f->shape, shape->name) == 0)
            printf("  %s\n", f->name);
    printf("try it:  cd %s && make check\n", shown(text_quote(dir, word, sizeof word)));
    return STATUS_AGREE;
}

static int run_main(int argc, char **argv)
{
    const int operands = options_parse(&command_new, NULL, 0, argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != 2)
        return usage_error(&command_new, "needs a shape and a folder: warpcheck new cuda mine");
    const struct shape *const shape = find_shape(argv[1]);
    if (shape && argv[2][0] == '\0')
        return usage_error(&command_new, "the folder has no name: warpcheck new %s mine", shape->name);
    return shape ? write_all(shape, argv[2]) : STATUS_USAGE;
}

const struct command command_new = {
    .name = "new",
    .summary = "a folder with an implementation to begin with: a plugin, or a program for a pipe",
    .help = "usage: warpcheck new SHAPE DIR\n"
            "\n"
            "Writes a source, a Makefile and a README.md into DIR. What is there builds, and is right: `make check`\n"
            "says so. Then edit one function, so that it calls yours. Overwrites nothing.\n"
            "\n"
            "  cuda         a plugin in C or C++: __shfl_*_sync, one function, asked lane by lane\n"
            "  ptx          the same with PTX's operands: clamp, segment mask, predicate\n"
            "  lane         a plugin: any instruction, one function, asked lane by lane\n"
            "  pipe-c       a program in C that reads cases and writes answers\n"
            "  pipe-python  the same in Python\n"
            "\n"
            "  warpcheck new cuda mine && cd mine && make check\n"
            "\n"
            "docs/bring-your-own.md goes on from there.\n",
    .run = run_main};
