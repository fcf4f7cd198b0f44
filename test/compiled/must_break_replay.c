/*
 * must_break_replay VARIANT WITNESS-FILE: the witness on the transcription and on the (patched) variant that this
 * program is linked with. `encoding`: what the encoding says stands in the file, behind the case. Exit status: 1 they
 * differ, 0 they agree, 3 this processor cannot run the variant, 2 wrong use.
 */
#include "warpcheck/text.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    static struct warp_result expected, observed;
    static struct warp_text text;
    struct warp_text_error problem;
    char line[WARP_TEXT_MAX], error[256];
    FILE *file = argc < 3 ? NULL : fopen(argv[2], "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL ||
        !warp_text_parse(line, strlen(line), &text, &problem)) {
        fprintf(stderr, "usage: must_break_replay VARIANT WITNESS-FILE (which must hold a case)\n");
        return 2;
    }
    fclose(file);
    if (strcmp(argv[1], "smt") == 0) {
        if (!text.has_result || text.parts != WARP_PART_ALL ||
            !spec_get()->eval(spec_get()->state, &text.c, 1, &expected, error, sizeof error))
            return 2;
        return warp_result_compare(&text.c, &expected, &text.result, WARP_PART_ALL, NULL) ? 0 : 1;
    }
    if (!fast_select(argv[1] + strlen("fast-"), error, sizeof error)) {
        printf("UNAVAILABLE: %s\n", error);
        return 3;
    }
    if (!spec_get()->eval(spec_get()->state, &text.c, 1, &expected, error, sizeof error) ||
        !fast_get()->eval(fast_get()->state, &text.c, 1, &observed, error, sizeof error))
        return 2;
    return warp_result_compare(&text.c, &expected, &observed, WARP_PART_ALL, NULL) ? 0 : 1;
}
