/*
 * must_break_prove BITCODE-FOLDER VARIANT FORM [WITNESS-FILE]: what the proof says of that bitcode, on one
 * line. A witness goes to the file as text; of the variant `encoding` with the encoding's result behind it. Exit
 * status: 0 proved, 1 refuted, 3 anything else, 2 wrong use.
 */
#include "proofs/warpcheck_compiled.h"
#include "smt/warpcheck_smt.h"

#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <string.h>

static const struct warp_form_info *form_named(const char *name)
{
    const struct warp_form_info *info;
    for (uint32_t i = 0; (info = warp_form_get(i)) != NULL; i++)
        if (strcmp(info->name, name) == 0)
            return info;
    return NULL;
}

/* `encoding`: gives the result that stands behind the case; NULL: none does. */
static bool write_witness(const char *path, const struct warp_case *c, const struct warp_impl *encoding)
{
    char text[WARP_TEXT_MAX], error[128];
    struct warp_result r;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    warp_case_to_text(c, text, sizeof text);
    fputs(text, file);
    if (encoding != NULL && encoding->eval(encoding->state, c, 1, &r, error, sizeof error)) {
        warp_result_to_text(&r, WARP_PART_ALL, text, sizeof text);
        fprintf(file, " => %s", text);
    }
    fputc('\n', file);
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    struct compiled_options options = {.timeout_s = 60, .spec = spec_get()};
    struct compiled_outcome outcome;
    const struct warp_form_info *info = argc < 4 ? NULL : form_named(argv[3]);
    struct error why;
    if (info == NULL) {
        fprintf(stderr, "usage: must_break_prove BITCODE-FOLDER VARIANT FORM [WITNESS-FILE]\n");
        return 2;
    }
    options.bitcode = argv[1];
    if (strcmp(argv[2], COMPILED_ENCODING) == 0 && (options.fast = smt_get(&why)) == NULL) {
        fprintf(stderr, "must_break_prove: %s\n", why.text);
        return 2;
    }
    if (!compiled_prove(info, argv[2], &options, &outcome, &why)) {
        fprintf(stderr, "must_break_prove: %s\n", why.text);
        return 2;
    }
    printf("%s: %s\n", compiled_verdict_name(outcome.verdict), outcome.note);
    if (outcome.verdict == COMPILED_REFUTED && outcome.has_witness && argc > 4 &&
        !write_witness(argv[4], &outcome.witness, options.fast)) {
        fprintf(stderr, "must_break_prove: cannot write %s\n", argv[4]);
        return 2;
    }
    return outcome.verdict == COMPILED_PROVED ? 0 : outcome.verdict == COMPILED_REFUTED ? 1 : 3;
}
