/*
 * A finding: one case on which two implementations differ, reduced, with everything that a person needs to judge it.
 */
#ifndef WARPCHECK_CHECK_FINDING_H
#define WARPCHECK_CHECK_FINDING_H

#include "check/checker.h"
#include "warpcheck/text.h"

#define FINDING_SIGNATURE_MAX 96u
#define FINDING_LINE_MAX      (3u * WARP_TEXT_MAX)

struct finding {
    struct warp_case c;
    struct warp_result reference;
    struct warp_result observed;
    struct warp_diff diff;
    uint32_t parts;
    const char *reference_name;
    const char *observed_name;
    /* Of several implementations that were asked, those that differ ("avx2", "avx2.portable"): part of the signature.
     * NULL: all of them, or only one was asked. */
    const char *only;
    /* NULL: the case differs when it is asked alone. Else the cases that must be asked in one call for it
     * (check/sequence.h). */
    const struct warp_case *sequence;
    size_t sequence_n;
    size_t sequence_at; /* which of them is `c` */
};

/* Evaluates both on the case. True when they accept it, answer, and differ. */
bool finding_make(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                  const struct warp_case *c);

/*
 * A short stable name for the defect: instruction, what differs, circumstances ("shfl.sync-d-segment"). Made of a-z,
 * 0-9,
 * '.', '-'. Lane numbers, values, and the form (mode, operation, type) are not in it, so one defect gives one or a few
 * signatures however often and in however many forms it is hit. Of a reduced case: another has circumstances that do
 * not matter.
 */
void finding_signature(const struct finding *f, char signature[FINDING_SIGNATURE_MAX]);

/* A finer one, with the form, for gathering cases that have not been reduced: what differs in kind is not taken for one
 * defect before that. */
void finding_kind(const struct finding *f, char kind[FINDING_SIGNATURE_MAX]);

/* The instruction as signatures have it: its family, but match.any and match.all, redux of integers and of floats apart
 * ("shfl.sync", "match.any.sync", "redux.sync.f32"). */
void finding_instruction(const struct warp_form_info *info, char instruction[FINDING_SIGNATURE_MAX]);

/* The form as PTX spells it, fit for a file's name: "shfl.sync.up", "redux.sync.min.abs.nan.f32". */
void finding_form(const struct finding *f, char form[FINDING_SIGNATURE_MAX]);

/*
 * One line that can be parsed back by warp_text_parse (case, `=>`, the observed result), then ` expected` and the
 * reference's result, then who against whom: "... => d=... expected d=... [fast against spec, lanes 3]".
 */
size_t finding_line(const struct finding *f, char *buf, size_t size);

/*
 * Writes DIR/NAME/{case.txt,finding.txt,verdict.txt}: the readable case with the reference's answer, the line, and a
 * form for a person's verdict. Each file is written under another name, flushed and renamed, so that a finding is on
 * disk whole or not at all. An existing folder with the same signature keeps these files (`existed` set); a form that
 * it does not show yet is added as also-FORM.txt. Returns false and one clear line in `error` when it cannot be
 * written.
 */
bool finding_write(const struct finding *f, const char *dir, char *path, size_t path_size, bool *existed, char *error,
                   size_t error_size);

/*
 * The same, where both implementations are known: when the case that is kept under this signature agrees by now (its
 * defect is mended and this is another one), the finding gets a folder of its own beside it: NAME.2, NAME.3... Of a
 * sequence the first one stays, whatever it shows.
 */
bool finding_write_beside(const struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                          const char *dir, char *path, size_t path_size, bool *existed, char *error, size_t error_size);

/*
 * The same with texts of the caller's: the case, and the line that says what it shows (with its line break). `name`
 * names the folder.
 */
bool finding_write_folder(const char *dir, const char *name, const char *text, const char *line, char *path,
                          size_t path_size, bool *existed, char *error, size_t error_size);

/* The same with files of the caller's, at least one; a folder that has the first of them exists. */
struct finding_file {
    const char *name;
    const void *data;
    size_t size;
};
bool finding_write_files(const char *dir, const char *name, const struct finding_file *files, size_t n, char *path,
                         size_t path_size, bool *existed, char *error, size_t error_size);

/*
 * The same with one file of the caller's (a case, a program, a target's input) beside finding.txt and verdict.txt.
 * `line` ends with its line break. Where the folder is there and `shows` says that what is kept in it shows no defect
 * any more, the finding gets NAME.2, NAME.3... `shows` NULL: what is kept stays, whatever it shows.
 */
typedef bool (*finding_shows_fn)(void *context, const char *folder);
struct finding_entry {
    const char *name; /* less than FINDING_SIGNATURE_MAX characters */
    struct finding_file file;
    const char *line;
    finding_shows_fn shows;
    void *context;
};
bool finding_write_entry(const struct finding_entry *entry, const char *dir, char *path, size_t path_size,
                         bool *existed, char *error, size_t error_size);

/* Of a folder: the case of its case.txt (false: none that can be read); is its verdict still "open" (or none)? */
bool finding_read_case(const char *folder, struct warp_case *c);
bool finding_is_open(void *context, const char *folder);

/* Writes one file of a finding's folder anew: under another name, flushed, then renamed. */
bool finding_replace_file(const char *dir, const struct finding_file *file, char *error, size_t error_size);

#endif
