/*
 * Cases from files (the readable form, one-line texts, a fuzzer's bytes), and the expectation of a file as an
 * implementation.
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
    size_t count, texts_room, lines_room;
    bool from_bytes; /* decoded from a byte file */
};

/* How files are read. */
struct load_rules {
    uint32_t families; /* of generative bytes; 0: all */
    bool bytes;        /* everything is bytes, whatever it looks like */
    bool guess;        /* a file that does not look like text is bytes: for folders in which a fuzzer keeps its own */
};

/*
 * Reads the cases of one file ("-": standard input), or one case of a text file: FILE:LINE, or FILE:NAME
 * (warpcheck/text.h). A file whose first word begins with "warp" is text. A file with bytes that no text has is
 * refused, unless the rules say that it is a fuzzer's byte string: `bytes`, `guess`, or `families`, which only a byte
 * string needs. A raw form that was cut short is always refused. Returns false with one line in `error`:
 * "FILE:LINE:COLUMN: what" or "FILE: what".
 */
bool case_file_load(const char *path, const struct load_rules *rules, struct case_file *file, struct error *error);
void case_file_free(struct case_file *file);

/* Is the path FILE:LINE or FILE:NAME, with a FILE that exists? */
bool path_names_case(const char *path);
/* Does the file lie in a folder `fuzz`, which holds a fuzzer's byte strings? */
bool path_is_fuzz(const char *path);
/* Can the file hold cases? False for what lies beside cases: notes, recordings, programs, verdicts. */
bool path_is_case(const char *path);

/* The expected result of a case file as an implementation, which answers that one case. */
struct expected {
    struct warp_impl impl;
    const struct warp_text *text;
};

/* The implementation lives as long as both arguments. The text must have a result. */
const struct warp_impl *expected_init(struct expected *expected, const struct warp_text *text);

#endif
