/*
 * The kernels of `fast` as functions that are proved once and then replaced by their contract.
 */
#ifndef WARPCHECK_PROOFS_FAST_STRIP_H
#define WARPCHECK_PROOFS_FAST_STRIP_H

#include "model/fast/kernels.h"
#include "proofs/case_split.h"

#include <stddef.h>

/* The place of a field in a strip. */
#define STRIP(field) offsetof(struct fast_strip, field)

/* The results that a kernel leaves for one warp; NULL where it leaves none. */
struct strip_row {
    const struct scalar *word, *d_defined;
    const struct scalar *d[WARP_LANES];
};

/* Is lane k in group g, of a warp that has several? */
term strip_group_lane(struct smt *s, unsigned g, unsigned k);
void strip_group(struct smt *s, unsigned g, term bits[WARP_LANES]);

/* Each lane has a d of its own, which the kernel writes: shfl and match.any. */
bool strip_moves(const struct warp_form_info *info);

/* A lane's result needs no more of its group than which lanes are in it: these and vote. */
bool strip_by_lane(const struct warp_form_info *info);

/* Is the word of a row a bit for each lane, which p shows, and no value of the group? */
bool strip_word_is_lanes(const struct warp_form_info *info);

/* Is this a call of a kernel: of a function without result, with a strip and nothing else? */
bool strip_is_kernel(struct machine *machine, LLVMValueRef function, const struct value *const *a, unsigned n);

/*
 * Runs a kernel with the operands of one case: on one warp of a batch (`several` false, n 1), or on n copies of a warp
 * whose lanes are in several groups. `members`: the lanes' membermasks; NULL: it is not told them.
 */
void strip_run(struct machine *machine, struct case_split *split, LLVMValueRef kernel, bool several, unsigned n,
               const struct scalar *const *groups, const struct scalar *const *members, struct strip_row *rows);

/* The row with number w that the kernel's contract allows for a group of these lanes (`several`: or of fewer). */
void strip_row_any(struct maker *m, const struct case_split *split, bool several, unsigned w,
                   const term group[WARP_LANES], struct strip_row *row);

/*
 * In place of a kernel: checks that the strip is one on which strip_run ran it, and writes what the contract says.
 * `groups` and `rows` have room for WARP_LANES; returns the number of warps. The first of the rows has number `first`,
 * so that those of several calls are not taken for the same. `members`: the kernel must be told the case's membermasks;
 * else none.
 */
unsigned strip_answer(struct machine *machine, const struct case_split *split, unsigned case_object,
                      const struct scalar *strip, unsigned first, bool members, const struct scalar **groups,
                      struct strip_row *rows);

/* n arrays of these sizes lie apart and inside their objects. */
void strip_need_apart(struct machine *machine, const struct scalar *const *p, const uint64_t *size, unsigned n);

#endif
