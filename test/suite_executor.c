/*
 * The executor as a program that examples/kernel-suite/run.c calls: KERNEL.ptx ENTRY BLOCK GRID N MEMORY. With
 * SUITE_PLANT=N it has the N-th defect of kernel_plants.h; with SUITE_DECLINE=TEXT it declines kernels that have it.
 */
#include "base/file.h"
#include "kernel/make/make.h"
#include "kernel_plants.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct error error = {0};
    struct make_answer answer;
    size_t size = 0, bytes = 0;
    if (argc != 7)
        return 2;
    struct make_kernel k = {.block = (uint32_t)strtoul(argv[3], NULL, 10),
                            .grid = (uint32_t)strtoul(argv[4], NULL, 10),
                            .n = (uint32_t)strtoul(argv[5], NULL, 10)};
    char *text = file_read(argv[1], MODULE_TEXT_MAX, &size, &error);
    char *before = file_read(argv[6], (size_t)1 << 24, &bytes, &error);
    uint8_t *after = before && bytes == make_memory_size(&k) ? malloc(bytes) : NULL;
    const char *decline = getenv("SUITE_DECLINE"), *plant = getenv("SUITE_PLANT");
    if (text && decline && strstr(text, decline))
        return 77;
    char *changed = text && plant ? plant_change(text, size, &plant_miscompiles[strtoul(plant, NULL, 10)], 0) : NULL;
    if (changed) {
        free(text);
        text = changed;
        size = strlen(text);
    }
    bool ok = text && after &&
              make_execute(&k, text, size, argv[2], spec_get(), false, (const uint8_t *)before, after, &answer);
    if (ok && answer.verdict != MAKE_CLEAN)
        fprintf(stderr, "%s: %s %s\n", argv[2], make_verdict_name(answer.verdict), answer.error.text);
    FILE *f = ok && answer.verdict == MAKE_CLEAN ? fopen(argv[6], "wb") : NULL;
    ok = f && fwrite(after, 1, bytes, f) == bytes && fclose(f) == 0;
    free(after);
    free(before);
    free(text);
    return ok ? 0 : 1;
}
