/*
 * Errors: a code that programs decide by, and a text that people read. No code reads a text to decide.
 */
#ifndef WARPCHECK_BASE_ERROR_H
#define WARPCHECK_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

enum error_code {
    ERROR_NONE,
    ERROR_USAGE,       /* the caller asked for something that makes no sense */
    ERROR_INPUT,       /* malformed, truncated, of another version */
    ERROR_SYSTEM,      /* no memory, process, file, space; `detail` is errno */
    ERROR_UNAVAILABLE, /* a device, solver or part that is not here */
    ERROR_TIMEOUT,     /* no answer within the limit */
    ERROR_CRASH,       /* a process ended by a signal; `detail` is its number */
    ERROR_EXIT,        /* a process ended by itself; `detail` is its status */
    ERROR_DECLINED,    /* an implementation could not answer, and said why */
    ERROR_NOTHING,     /* there was nothing to do, or nothing was compared */
    ERROR_INTERRUPTED, /* a person ended it */
    ERROR_UNSUPPORTED, /* legal, but nothing that this program reads or follows */
    ERROR_UNDEFINED,   /* the code under examination has undefined behaviour */
    ERROR_INTERNAL     /* ours: a defect of warpcheck */
};

#define ERROR_TEXT_MAX 1024u

struct error {
    enum error_code code;
    int detail;
    char text[ERROR_TEXT_MAX]; /* one clause or line, without a line break; what, where, how to mend it */
};

/* Sets code and text, with detail 0. Always returns false, so that a function can end with it. `error` may be NULL. */
bool error_set(struct error *error, enum error_code code, const char *format, ...) PRINTF_LIKE(3, 4);

/* ERROR_SYSTEM with errno's number as the detail and ": REASON" behind the text. Always false. */
bool error_errno(struct error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/* Puts "TEXT: " before the text that is there; code and detail stay. Always false. */
bool error_prefix(struct error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/* Forgets what was set. */
void error_clear(struct error *error);

#endif
