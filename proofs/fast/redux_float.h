/*
 * redux on f32: both programs against a minimum (maximum) of integers.
 *
 * Each lane's float has a key, a signed integer whose order is the order that min and max want; lanes outside the group
 * have the neutral key. Claim: the transcription's reduce_float, and the kernel, give the number of the least
 * (greatest) key of all lanes. The transcription goes from lane to lane: one round of its loop, from any key, takes
 * that lane's key in. The kernel's tree is brought to a normal form (algebra.h), and each lane's part of it is that
 * lane's key.
 *
 * `fast` has keys like these, but nothing rests on that: they are a form between the two programs, and both are proved
 * equal to it.
 */
#ifndef WARPCHECK_PROOFS_FAST_REDUX_FLOAT_H
#define WARPCHECK_PROOFS_FAST_REDUX_FLOAT_H

#include "proofs/fast/proof.h"

#define KEY_FUNCTION "reduce_float" /* of the transcription */

bool key_applies(const struct warp_form_info *info);
enum algebra key_operation(const struct warp_form_info *info);

term key_nan(struct smt *s); /* canonical NaN */
term key_is_nan(struct smt *s, term a);
term key_of_float(struct smt *s, const struct warp_form_info *info, term a);
term key_number(struct smt *s, term key);                           /* the float that has the key, or canonical NaN */
term key_neutral(struct smt *s, const struct warp_form_info *info); /* of a lane that takes no part */
term key_of_lane(struct proof *proof, struct maker *m, unsigned k); /* in the case split's group */
term key_in_range(struct smt *s, const struct warp_form_info *info, term key); /* what a minimum of keys can be */
/* Beyond the infinity that never wins: NaN with .NaN, which always wins; without it there is no such key. */
term key_is_sticky(struct smt *s, const struct warp_form_info *info, term key);

/* The transcription's reduce_float gives the number of the least key. */
bool key_prove_transcription(struct proof *proof);
/* A hook (machine.h) in place of reduce_float: its result has the name key_result. The context is the spec memory's
 * answer.
 */
struct key_answer {
    struct proof *proof;
    unsigned warp;              /* the object that it shall be called with */
    const struct scalar *group; /* ... and the group */
};
bool key_answer(struct machine *machine, void *context, const char *name, const struct value *const *a, unsigned n,
                const struct value **result);
const struct scalar *key_result(struct maker *m);

/* `word`, from a run with m->opaque_order, is the number of the least key of the case split's group. */
bool key_decide_word(struct proof *proof, const struct scalar *word);
/* The minimum within x, as one name: x in terms of "key" alone. *least: the minimum; NULL: there is none, or several.
 */
term key_open(struct smt *s, term x, term *least);

#endif
