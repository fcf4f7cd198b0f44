/*
 * Is this PTX text legal in its warp instructions, and is their behaviour defined?
 *
 * Any PTX is taken: whole modules as compilers write them, of which only the warp instructions are examined, or single
 * lines. A text that program.h reads as a program is executed too, to find what its lanes wait for or leave undefined.
 */
#ifndef WARPCHECK_KERNEL_LINT_H
#define WARPCHECK_KERNEL_LINT_H

#include "ptx/program.h"
#include "warpcheck/impl.h"

enum lint_kind {
    LINT_ILLEGAL,   /* no such form, wrong operands, or not for this PTX version and target */
    LINT_UNDEFINED, /* warp-level undefined behaviour or an endless wait, certain or found by execution */
    LINT_NOTE       /* legal and defined, but seldom meant */
};
#define LINT_KINDS 3

struct lint_finding {
    enum lint_kind kind;
    uint32_t line;
    uint32_t column;
    bool of_value;  /* a value that the program leaves unpredictable is used: by design it may be */
    char what[256]; /* one clause */
};

struct lint_options {
    uint16_t ptx;                 /* times ten; 0: the text's .version, else the newest known */
    uint32_t target;              /* 0: the text's .target, else sm_90 */
    const struct warp_impl *impl; /* executes programs; NULL: nothing is executed */
    uint64_t executions;          /* inputs that are tried; 0: 256 */
};

#define LINT_FINDINGS_MAX 256u

struct lint_report {
    struct lint_finding findings[LINT_FINDINGS_MAX]; /* in the order of the text; executed ones last */
    size_t findings_count;
    uint64_t counts[LINT_KINDS]; /* also of those that found no room */
    uint64_t instructions;       /* warp instructions looked at */
    uint64_t skipped;            /* other statements */
    uint16_t ptx;                /* what legality was asked for; of the last .version and .target */
    uint32_t target;
    uint64_t executed;         /* inputs on which the program was executed; 0: it was not */
    struct error not_executed; /* why not, or not to the end; or ERROR_NONE */
    bool failed;               /* it could be executed, and was not, or not to the end: no memory, no answer */
};

/* False when the text cannot be read: `error` has the place and one clause. */
bool lint_text(const char *text, size_t size, const struct lint_options *options, struct lint_report *report,
               struct warp_text_error *error);

const char *lint_kind_name(enum lint_kind kind);

#endif
