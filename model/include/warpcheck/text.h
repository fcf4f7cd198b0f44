/*
 * Cases and results as text: one line for pipes, a file for people.
 *
 * One line, version 1 (docs/formats.md has the grammar):
 *
 *   warp1 shfl.sync.up.b32 d|p target=sm_70 exited=0x0 active=0xffffffff
 *     a=0x0+1*32 b=0x1*32 c=0x0*32 membermask=0xffffffff*32        (all in one line)
 *
 * with ` => d=... p=... d_defined=... done=... waiting=... undefined=... waits_for=...` behind it for a result. A list
 * has 32 elements in lane order; `v*n` is n times v, `v+s*n` is v, v+s, v+2s... (modulo 2^32, or 2^64 for .b64). A
 * source predicate written `!a` is the word `!a` behind the destinations. Numbers are decimal, 0x hexadecimal, or PTX's
 * 0fXXXXXXXX.
 *
 * The file has the same fields, one a line, the operands as a table of lanes, and comments from `#` to the end of the
 * line; an optional `expect` line holds a result.
 */
#ifndef WARPCHECK_TEXT_H
#define WARPCHECK_TEXT_H

#include "warpcheck/warp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WARP_TEXT_VERSION 1u
/* Enough for any case or result on one line, with its terminating zero. */
#define WARP_TEXT_MAX 8192u

struct warp_text_error {
    size_t line;    /* from 1 */
    size_t column;  /* from 1 */
    char what[192]; /* one clause: what is wrong and what would be right */
    bool no_memory; /* not the text is wrong: there was no memory to read it. Only texts of PTX set it */
};

/* Writes the case on one line without a newline into buf[size]; size WARP_TEXT_MAX always suffices. Returns the length.
 */
size_t warp_case_to_text(const struct warp_case *c, char *buf, size_t size);
/* Writes the parts of a result likewise (what stands behind `=>`). */
size_t warp_result_to_text(const struct warp_result *r, uint32_t parts, char *buf, size_t size);

/* What was read from a text. */
struct warp_text {
    struct warp_case c;
    bool has_result;
    uint32_t parts; /* which parts the result names */
    struct warp_result result;
};

/*
 * Reads a line, or a whole readable file (told apart by their first word). Everything is checked: the case passes
 * warp_case_check. Returns false and fills `error` otherwise; `out` is then unspecified.
 */
bool warp_text_parse(const char *text, size_t size, struct warp_text *out, struct warp_text_error *error);

/*
 * Reads the parts of a result alone, what stands behind `=>`. `out` holds the case that they belong to, which is left
 * as it is. False and `error` as above.
 */
bool warp_result_parse(const char *text, size_t size, struct warp_text *out, struct warp_text_error *error);

/* Does this line of an answer decline its case: `not accepted: why`, alone or behind `=>`? `*why`, within the text,
 * gets the reason, of `*why_size` bytes, which may be 0. */
bool warp_text_declines(const char *text, size_t size, const char **why, size_t *why_size);

/*
 * The cases of a text one after another: of a readable file its case, else one a line, with blank lines and comments
 * between them. A case has a name when the comment directly above it begins with a line of one word:
 *
 *     # bfly-into-earlier-segment
 *     #   Real implementations return the lane's own value here.
 *     warp1 shfl.sync.bfly.b32 ...
 */
struct warp_text_list {
    const char *at, *end;
    size_t line;      /* of the case that was read last, from 1 */
    const char *name; /* its name, in the text; name_size 0: it has none */
    size_t name_size;
    size_t next_line; /* of `at` */
};

enum warp_text_step { WARP_TEXT_CASE, WARP_TEXT_END, WARP_TEXT_WRONG };

struct warp_text_list warp_text_begin(const char *text, size_t size);
/* Reads the next case as warp_text_parse does; WARP_TEXT_WRONG fills `error`, with the line in the whole text. */
enum warp_text_step warp_text_next(struct warp_text_list *list, struct warp_text *out, struct warp_text_error *error);

/*
 * Writes the readable file. `comment` may be NULL; each of its lines becomes a comment. `expect` may be NULL.
 * Returns the length, whatever `size` is, as snprintf does.
 */
size_t warp_case_to_file(const struct warp_case *c, const char *comment, const struct warp_result *expect,
                         uint32_t parts, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif
