/* Where struct fast_strip has its fields. */
#ifndef WARPCHECK_PROOFS_FAST_STRIP_LAYOUT_H
#define WARPCHECK_PROOFS_FAST_STRIP_LAYOUT_H

#include "proofs/fast/strip.h"

/* Within a column or sink. */
enum { STRIP_STRIDE = 8, STRIP_PER_WARP = 16 };

uint64_t strip_size(struct machine *machine);
uint64_t strip_offset(struct machine *machine, enum strip_field field);
/* n arrays of these sizes lie apart and inside their objects. */
void strip_need_apart(struct machine *machine, const struct scalar *const *p, const uint64_t *size, unsigned n);

#endif
