#include "cli/programs/load.h"

#include "cli/work/load.h"
#include "cli/ui/terminal.h"

#include <stdio.h>
#include <stdlib.h>

struct program *program_load(const char *path)
{
    struct error error;
    struct warp_text_error wrong;
    size_t size;
    char *text = file_read(path, LOAD_FILE_MAX, &size, &error);
    struct program *program = text ? program_parse(text, size, NULL, &wrong) : NULL;
    if (!text)
        complain("%s", error.text);
    else if (!program)
        complain("%s:%zu:%zu: %s", path, wrong.line, wrong.column, wrong.what);
    free(text);
    return program;
}
