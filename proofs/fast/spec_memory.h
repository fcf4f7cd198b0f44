/* The transcription's structures, as a proof puts them into memory. */
#ifndef WARPCHECK_PROOFS_FAST_SPEC_MEMORY_H
#define WARPCHECK_PROOFS_FAST_SPEC_MEMORY_H

#include "model/spec/spec.h"
#include "proofs/fast/proof.h"

void spec_memory_put(struct machine *machine, unsigned object, uint64_t at, const struct scalar *x);
const struct scalar *spec_memory_get(struct machine *machine, unsigned object, uint64_t at, unsigned width);
/* Constants by name: the same name, the same constant. */
term spec_memory_bool(struct smt *s, const char *name, unsigned k, unsigned i);
const struct scalar *spec_memory_bits(struct maker *m, const char *name, unsigned k); /* 32 of them */
const struct scalar *spec_memory_word(struct maker *m, const char *name, unsigned k);
/* The description of the case split's form, as the bitcode has it. */
const struct scalar *spec_memory_info(struct machine *machine, const struct case_split *split);
const char *spec_memory_instruction(const struct warp_form_info *info); /* "spec_shfl" ... */
/* Are the words equal, and neither poison nor uninitialized? */
term spec_memory_same(struct maker *m, const struct scalar *x, const struct scalar *y);

#endif
