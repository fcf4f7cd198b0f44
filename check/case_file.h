/*
 * Cases from files: the readable form, one-line texts (one or many), or a fuzzer's bytes; and what a file expects of
 * its case, as an implementation.
 */
#ifndef WARPCHECK_CHECK_CASE_FILE_H
#define WARPCHECK_CHECK_CASE_FILE_H

#include "base/file.h"
#include "warpcheck/impl.h"
#include "warpcheck/text.h"

#define CASE_FILE_MAX (1u << 26) /* bytes; a larger file is an error */

/* The cases of one file. */
struct case_file {
    struct warp_text *texts; /* count of them; owned */
    size_t *lines;           /* where each begins; owned */
    size_t count;
    bool from_bytes; /* decoded from a byte file */
};

/* How files are read. */
struct load_rules {
    uint32_t families; /* of generative bytes; 0: all */
    bool bytes;        /* everything is bytes, whatever it looks like */
    bool guess;        /* what does not look like text is bytes: for the folders in which a fuzzer keeps its own */
};

/*
 * Reads one file ("-": standard input), or of a text file one case: FILE:LINE, or FILE:NAME (warpcheck/text.h). A file
 * whose first word begins with "warp" is text. One that has bytes which no text has is refused, unless the rules say
 * that it is a fuzzer's byte string: `bytes`, `guess`, or `families`, which only such a string needs. The raw form cut
 * short is refused always. Returns false with one clear line, "FILE:LINE:COLUMN: what" or "FILE: what", in `error`.
 */
bool case_file_load(const char *path, const struct load_rules *rules, struct case_file *file, struct error *error);
void case_file_free(struct case_file *file);

/* Whether the path is FILE:LINE or FILE:NAME with a FILE that is there. */
bool path_names_case(const char *path);
/* Whether the file lies in a folder `fuzz`: a fuzzer's byte strings, as in the corpus. */
bool path_is_fuzz(const char *path);
/* False for files that lie beside cases and are something else: notes, recordings, programs, verdicts. */
bool path_is_case(const char *path);

/* What a case file expects, as an implementation: it answers that one case. */
struct expected {
    struct warp_impl impl;
    const struct warp_text *text;
};

/* The implementation lives as long as both arguments. The text must have a result. */
const struct warp_impl *expected_init(struct expected *expected, const struct warp_text *text);

#endif
