#include "cli/programs/load.h"

#include "cli/work/load.h"

#include <stdio.h>
#include <stdlib.h>

struct program *program_load(const char *path)
{
    char error[LOAD_ERROR_MAX];
    struct warp_text_error wrong;
    size_t size;
    char *text = load_bytes(path, &size, error, sizeof error);
    struct program *program = text ? program_parse(text, size, NULL, &wrong) : NULL;
    if (!text)
        fprintf(stderr, "%s\n", error);
    else if (!program)
        fprintf(stderr, "%s:%zu:%zu: %s\n", path, wrong.line, wrong.column, wrong.what);
    free(text);
    return program;
}
