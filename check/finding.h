/*
 * A finding: something that an implementation does wrong, reduced, with everything that a person needs to judge it.
 * Whatever found it, it has one name (finding_signature), one line (finding_line) and one folder (finding_keep).
 */
#ifndef WARPCHECK_CHECK_FINDING_H
#define WARPCHECK_CHECK_FINDING_H

#include "base/file.h"
#include "check/case_file.h"
#include "check/checker.h"
#include "warpcheck/text.h"

#define FINDING_SIGNATURE_MAX 96u
#define FINDING_LINE_MAX      (3u * WARP_TEXT_MAX)
#define FINDING_SEQUENCE_MAX  4096u /* cases that are asked in one call to show one */

enum finding_kind {
    FINDING_MISMATCH, /* another answer than the reference's */
    FINDING_CRASH,    /* a signal ended it within a call */
    FINDING_HANG,     /* no answer within the limit */
    FINDING_EXIT,     /* it ended the process within a call */
    FINDING_ERROR,    /* it said that it cannot answer what it accepts */
    FINDING_LAW,      /* its own answers break a law */
    FINDING_PROGRAM,  /* a program does something else over it than over the reference */
    FINDING_INPUT,    /* a property of a fuzz target's input by itself (parsers, round trips) */
    FINDING_BATCH,    /* a batch gives something else than its warps as cases */
    FINDING_KERNEL    /* a kernel makes an error on a launch and an input, or leaves something else than expected */
};

/* "mismatch", "crash"... */
const char *finding_kind_name(enum finding_kind kind);
bool finding_kind_find(const char *name, size_t length, enum finding_kind *kind);

/* The kind of finding for a case on which an implementation failed with this error. Giving no answer is an error of
 * its own. */
enum finding_kind finding_kind_of_error(enum error_code code);
/* CRASH, HANG, EXIT, ERROR: there is no answer. */
bool finding_is_ending(enum finding_kind kind);

/* The caller keeps the strings and arrays that a finding points to. Fields that a kind does not use are zero. */
struct finding {
    enum finding_kind kind;
    struct warp_case c;        /* all but PROGRAM, INPUT and KERNEL */
    const char *observed_name; /* the implementation that is wrong; of a kernel that was not compared: the entry */
    /* MISMATCH, PROGRAM, BATCH, a KERNEL that was compared: the implementation that it was compared with */
    const char *reference_name;
    /* The implementations that show it, when several were asked and some do not ("avx2", "avx2.portable"): they become
     * part of the signature. NULL: all of them show it, or only one was asked. */
    const char *only;
    bool unsure;      /* LAW, PROGRAM, INPUT: asking the same again did not always show it */
    const char *what; /* all but MISMATCH: what is wrong, one clause (ERROR: what it said; CRASH: may be NULL) */

    const char *cause;  /* MISMATCH: the known mistake that gives it, a word for its name; NULL: none */
    const char *folder; /* the folder that it is to be kept in, when that is not its signature; NULL: it is */

    /* MISMATCH, BATCH */
    struct warp_result reference;
    struct warp_result observed;
    struct warp_diff diff;
    uint32_t parts;
    /* NULL when the case differs when it is asked alone; else the cases that must be asked in one call to show it. */
    const struct warp_case *sequence;
    size_t sequence_n;
    size_t sequence_at; /* which of them is `c` */

    int signal;            /* CRASH: its number */
    const char *property;  /* LAW, INPUT: the property's name; PROGRAM: the instruction; BATCH: the signature;
                              KERNEL: "KIND-ENTRY-LINE"; compared: its whole signature */
    const char *statement; /* LAW: what it says */
    bool of_family;        /* LAW: it is about several families: the case's is part of the name */
    bool faults;           /* PROGRAM: faults differ, not values */
    const void *data;      /* PROGRAM: its text; INPUT: its bytes; KERNEL: the text of its module */
    size_t size;
    const char *launch; /* KERNEL: entry, limit and input, one line each */
    const char *more;   /* BATCH, KERNEL: further lines for the file that has the line; may be NULL */
    const char *replay; /* KERNEL: the implementation that it is replayed over, for a last such line; may be NULL */
    const struct finding_beside {
        const char *name, *text;
    } * beside; /* KERNEL: further files */
    size_t beside_count;
};

/* A mismatch: evaluates both on the case. True when they accept it, answer, and differ. */
bool finding_make(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                  const struct warp_case *c);

/* A crash, hang, exit or error: what `observed` did instead of answering the case. */
struct finding finding_of_ending(const char *observed, const struct warp_case *c, const struct error *how);

/* The same from what both answered to the case already: nobody is asked. */
bool finding_compare(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                     const struct warp_case *c, const struct warp_result *expected, const struct warp_result *answered);

/*
 * A mismatch in a sequence: asks both about all n cases (at most FINDING_SEQUENCE_MAX) in one call each. True when they
 * differ on case `at`. An implementation that keeps something from one case to the next is wrong only so. `cases` stay
 * the caller's.
 */
bool finding_make_sequence(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                           const struct warp_case *cases, size_t n, size_t at);

/* Asks `impl` about all n cases in one call (results: room for n). False when it does not accept one of them or cannot
 * answer. */
bool finding_ask(const struct warp_impl *impl, const struct warp_case *cases, size_t n, struct warp_result *results);

/*
 * A short stable name for the defect, made of a-z, 0-9, '.', '-': "shfl.sync-d-segment" (instruction, what differs,
 * circumstances), "redux.sync-segv", "law-bfly-twice", "program-shfl.sync-values". Lane numbers, values, and the form
 * are not in it, so one defect gives one or a few signatures however often and in however many forms it is hit. Call it
 * on reduced cases only; what is left over in an unreduced case ends up in the name.
 */
void finding_signature(const struct finding *f, char signature[FINDING_SIGNATURE_MAX]);

/* The signature without circumstances, for a case that was not reduced. */
void finding_short_signature(const struct finding *f, char signature[FINDING_SIGNATURE_MAX]);

/* A finer name for gathering mismatches before they are reduced: it contains the form, so that mismatches that
 * differ in kind stay apart until then. */
void finding_class(const struct finding *f, char name[FINDING_SIGNATURE_MAX]);

/* The instruction as it stands in signatures: its family, with match.any and match.all, and redux of integers and of
 * floats, kept apart ("shfl.sync", "match.any.sync", "redux.sync.f32"). */
void finding_instruction(const struct warp_form_info *info, char instruction[FINDING_SIGNATURE_MAX]);

/* The form as PTX spells it, fit for a file's name: "shfl.sync.up", "redux.sync.min.abs.nan.f32". */
void finding_form(const struct finding *f, char form[FINDING_SIGNATURE_MAX]);

/*
 * Writes the finding as one line. When there is a case, the line begins with it, and warp_text_parse can read it back.
 * For a mismatch, `=>` and the observed result follow, then ` expected` and the reference's result, then the names of
 * both: "... => d=... expected d=... [fast against spec, lanes 3]". Returns the length; what does not fit is cut.
 */
size_t finding_line(const struct finding *f, char *buf, size_t size);

/*
 * Writes the finding as a folder DIR/NAME with the case (case.txt; program.ptx; input; kernel.ptx and launch.txt),
 * finding.txt (the line) and verdict.txt (a form for a person's verdict). The folder appears by one rename, whole or
 * not at all.
 *
 * When a folder of that name exists and shows the defect, it keeps its files (`existed`). A mismatch in a form that it
 * does not show yet is added as also-FORM.txt; of inputs, and of kernels that were not compared, the newest is kept.
 * When the kept case cannot be read, or `shows` says that it shows no defect any more (the old defect is mended, and
 * this is another), the finding gets a folder beside it: NAME.2, NAME.3... With `shows` NULL the kept case is never
 * asked. Several processes may keep findings in one folder at a time. Returns false with one line when the finding
 * cannot be written.
 */
typedef bool (*finding_shows_fn)(void *context, const struct finding *f, const char *folder);
struct finding_kept {
    char path[FILE_PATH_MAX];
    bool existed;
};
bool finding_keep(const struct finding *f, const char *dir, finding_shows_fn shows, void *context,
                  struct finding_kept *kept, struct error *error);

#define FINDING_NAME_MAX 192u /* of `folder` */

/* "PROGRAM COMMAND --impl OBSERVED", with quotes where a shell needs them. Returns its length. */
size_t finding_command(const char *program, const char *command, const char *observed_option, char *text, size_t size);
/* The command that shows the kept case again: "PROGRAM replay --impl OBSERVED --reference REFERENCE PATH". */
void finding_replay_command(const char *program, const char *reference_option, const char *observed_option,
                            const char *path, char *text, size_t size);

/* Tells of a mismatch whether the kept case still differs. The context is a struct finding_pair. */
struct finding_pair {
    const struct warp_impl *reference, *observed;
};
bool finding_pair_shows(void *pair, const struct finding *f, const char *folder);

/* The name of the law that a finding's line is about; false: it is about none. */
#define FINDING_LAW_MAX 64u
bool finding_line_law(const char *line, char name[FINDING_LAW_MAX]);

/*
 * Is the text of a finding.txt whole, and about these cases of the case.txt beside it? A cut file would ask another
 * question. Else false with one line.
 */
bool finding_text_fits(const char *text, const struct case_file *cases, struct error *error);

/* The file of a folder that shows the finding: "case.txt", "program.ptx", "input", "kernel.ptx". */
const char *finding_file(const struct finding *f);

/* The first reads the case of a folder's case.txt (false: there is none that can be read). The second says whether
 * the folder's verdict is still "open", or missing. */
bool finding_read_case(const char *folder, struct warp_case *c);
bool finding_is_open(const char *folder);

#endif
