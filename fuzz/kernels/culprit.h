/*
 * What many differences have in common that may be one defect: a word of the kernels, which is an instruction or its
 * beginning ("redux.sync.add"), a branch of a kind ("@!bra.E"), or where statements stand, which membermask they have
 * and what is around them ("switch", "ballot", "tail"). Found by counting: of the words of a reduced kernel those
 * whose kernels differ most surely, and of these the one that explains most. Proved by trying: a difference is of this
 * cause when it is gone as soon as its kernel has no statement with the word.
 */
#ifndef WARPCHECK_FUZZ_KERNELS_CULPRIT_H
#define WARPCHECK_FUZZ_KERNELS_CULPRIT_H

#include "base/buffer.h"
#include "kernel/make/make.h"

#define CULPRIT_WORD_MAX 48u
struct culprit {
    char word[CULPRIT_WORD_MAX]; /* "": the reduced kernel has no statement; others differ without any, too */
};

/* What a line of PTX is called: its instruction; of a branch, its guard and the kind of its label. False: nothing. */
bool culprit_line_word(const char *line, char word[CULPRIT_WORD_MAX]);

/*
 * Chooses the words of a reduced kernel, and of `text`, what is left of its own, that may be it, the surest first; of a
 * kernel without statements "".
 * `differing` are the numbers of `count` kernels of the suite that differ and have no cause yet, that of the reduced
 * one among them. False with one line: there is no memory.
 */
#define CULPRITS 6u
bool culprit_choose(const struct make_suite *suite, const struct make_kernel *reduced, const char *text,
                    const uint64_t *differing, size_t count, struct culprit culprits[CULPRITS],
                    unsigned *culprits_count, struct error *error);
/* The kernel without the statements that have the word; of "", without any. False: it has none, or the word is also in
 * what stands around all statements. */
bool culprit_without(const struct culprit *culprit, struct make_kernel *kernel);
/* The text without the lines that have it, to `out`; false: none has. */
bool culprit_without_lines(const struct culprit *culprit, const char *text, struct buffer *out);
/* What the kernel without them does when it is of this cause: agree, but of "" differ. */
bool culprit_is_shown(const struct culprit *culprit, bool agrees);

#endif
