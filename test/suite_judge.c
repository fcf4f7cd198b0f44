/*
 * Runs a suite of `warpcheck gen kernel` over the executor, in this process: to be linked with a mistake in the
 * executor (planted_suite.sh). Says how many kernels agree until the first that does not: "12 agree, then k12:
 * differs". With a number behind the suite it ends after so many.
 */
#include "base/file.h"
#include "kernel/make/make.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MOST ((size_t)1 << 30)

/* What is wrong with what the kernel leaves; NULL: nothing. */
static const char *run(const struct make_kernel *k, const char *path, const char *entry, const uint8_t *before,
                       const uint8_t *expected, struct error *error)
{
    struct make_answer answer;
    size_t size = 0;
    char *text = file_read(path, MODULE_TEXT_MAX, &size, error);
    uint8_t *after = malloc(make_memory_size(k));
    const char *wrong = "cannot be read";
    if (text && after && make_execute(k, text, size, entry, spec_get(), false, before, after, &answer)) {
        wrong = answer.verdict != MAKE_CLEAN                        ? make_verdict_name(answer.verdict)
                : memcmp(after, expected, make_memory_size(k)) != 0 ? "differs"
                                                                    : NULL;
    }
    free(after);
    free(text);
    return wrong;
}

int main(int argc, char **argv)
{
    char path[FILE_PATH_MAX], file[128], entry[64];
    struct error error = {0};
    size_t size = 0, offset = 0, bytes = 0, memory_size = 0;
    unsigned agree = 0;
    const unsigned long most = argc == 3 ? strtoul(argv[2], NULL, 10) : UINT32_MAX;
    if (argc < 2 || argc > 3 || !file_join(argv[1], "manifest.txt", path, &error))
        return 2;
    char *manifest = file_read(path, SIZE_MOST, &size, &error);
    char *memory = manifest && file_join(argv[1], "memory.bin", path, &error)
                       ? file_read(path, SIZE_MOST, &memory_size, &error)
                       : NULL;
    const char *wrong = memory ? NULL : error.text;
    for (char *line = memory ? strtok(manifest, "\n") : NULL; line && !wrong && agree < most;
         line = strtok(NULL, "\n")) {
        struct make_kernel k = {0};
        if (*line == '#')
            continue;
        if (sscanf(line, "kernel %63s %127s block %u grid %u n %u bytes %zu offset %zu", entry, file, &k.block, &k.grid,
                   &k.n, &bytes, &offset) != 7 ||
            bytes != make_memory_size(&k) || offset + 2 * bytes > memory_size ||
            !file_join(argv[1], file, path, &error))
            return fprintf(stderr, "%s: cannot be read: %s\n", argv[1], line), 2;
        const uint8_t *before = (const uint8_t *)memory + offset;
        wrong = run(&k, path, entry, before, before + bytes, &error);
        agree += wrong == NULL;
    }
    printf("%u agree%s%s%s%s\n", agree, wrong ? ", then " : "", wrong ? entry : "", wrong ? ": " : "",
           wrong ? wrong : "");
    free(memory);
    free(manifest);
    return wrong != NULL;
}
