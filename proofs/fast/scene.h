/* The transcription's structures, as a proof puts them into memory. */
#ifndef WARPCHECK_COMPILED_SCENE_H
#define WARPCHECK_COMPILED_SCENE_H

#include "proofs/fast/proof.h"

/* The layout of struct spec_warp (model/spec/spec.h). */
struct scene_warp {
    const void *c, *info;
    bool writes_d, writes_p;
    lanemask done;
    lanemask group[WARP_LANES];
};

void scene_put(struct machine *machine, unsigned object, uint64_t at, const struct scalar *x);
const struct scalar *scene_get(struct machine *machine, unsigned object, uint64_t at, unsigned width);
/* Constants by name: the same name, the same constant. */
term scene_bool(struct smt *s, const char *name, unsigned k, unsigned i);
const struct scalar *scene_bits(struct maker *m, const char *name, unsigned k); /* 32 of them */
const struct scalar *scene_word(struct maker *m, const char *name, unsigned k);
/* The description of the setting's form, as the bitcode has it. */
const struct scalar *scene_info(struct machine *machine, const struct setting *setting);
const char *scene_instruction(const struct warp_form_info *info); /* "spec_shfl" ... */
/* Are the words equal, and neither poison nor uninitialized? */
term scene_same(struct maker *m, const struct scalar *x, const struct scalar *y);

#endif
