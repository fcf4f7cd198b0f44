/*
 * Programs over a few objects, drawn at random: stores of parts of them, copies, pointers, branches that meet,
 * bit-fields, vectors. The generator executes what it writes, so it knows what the program leaves.
 */
#ifndef WARPCHECK_PROOFS_SCORE_PROGRAM_H
#define WARPCHECK_PROOFS_SCORE_PROGRAM_H

#include "proofs/score/draw.h"

/*
 * Writes the body of `uint32_t f(uint32_t x, uint32_t h)`, where h is 0 or 1, and what must stand before it. It returns
 * x. A wrong one does not where h is 1, or does what `how` says; where the program has no place for that, it is wrong
 * by VALUE. `name` makes its names its own. The same salt gives the same program.
 */
void program_write(struct buffer *before, struct buffer *body, unsigned name, uint64_t salt, bool wrong,
                   enum draw_how how);

#endif
