/*
 * What kinds of fuzz targets there are: what one takes, asks and tells follows from its kind.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_TARGET_H
#define WARPCHECK_FUZZ_CAMPAIGN_TARGET_H

#include <stdbool.h>

enum target_kind {
    TARGET_CASES,   /* bytes are a case, whose answer is compared: all, a family (shfl_sync) */
    TARGET_LAWS,    /* bytes are a case, on which laws must hold */
    TARGET_PROGRAM, /* text is a program, which is executed over the implementation and over the transcription */
    TARGET_KERNEL,  /* bytes are a launch of a kernel, executed over the transcription */
    TARGET_BYTES,   /* bytes are a case, which the target itself judges: bytes, batch */
    TARGET_TEXT     /* text is read by a parser: text, ptx */
};
#define TARGET_KINDS (TARGET_TEXT + 1)

/* The kind of the target of this name, with or without "fuzz_". A name that is not listed is a family's. */
enum target_kind target_kind(const char *name);

/* The target's name without "fuzz_". */
const char *target_short_name(const char *name);

/* Is an input text, and not bytes? */
bool target_takes_text(enum target_kind kind);
/* Does the mutator of cases (fuzz/mutator.h) make its inputs? Otherwise the engine's own mutations do. */
bool target_has_mutator(enum target_kind kind);
/* Does it ask an implementation, so that one can be chosen? */
bool target_asks_implementation(enum target_kind kind);
/* Do its inputs fall into buckets of the specification's coverage? */
bool target_counts_buckets(enum target_kind kind);
/* Can only the target itself judge an input? The others' inputs are examined by the campaign. */
bool target_judges_alone(enum target_kind kind);

#endif
