/*
 * The structure-aware mutator: bytes of a case in, bytes of a similar, valid case out.
 *
 * One file serves both engines: libFuzzer links it into the target (LLVMFuzzerCustomMutator,
 * LLVMFuzzerCustomCrossOver), AFL++ loads the same code as a shared library (afl_custom_*).
 */
#ifndef WARPCHECK_FUZZ_MUTATOR_H
#define WARPCHECK_FUZZ_MUTATOR_H

#include "warpcheck/bytes.h"

/* Which changes the target makes under libFuzzer: its own, the engine's to the bytes of the fields, or by turns. */
enum mutator_way { MUTATOR_OWN, MUTATOR_BYTES, MUTATOR_BOTH };
void mutator_set_way(enum mutator_way way);

/* Uses what the code under test tells (fuzz/feedback.h), which must stay; NULL: it tells nothing. */
struct feedback;
void mutator_learn(const struct feedback *from);

/* Who asks the code under test when the mutator seeks (fuzz/seek.h); NULL: nobody can. */
void mutator_seek_by(bool (*ask)(const struct warp_case *c, const uint8_t *steps, size_t n));

/* Limits all later cases to these families (WARP_FAMILY_BIT); all of them before the first call. */
void mutator_set_families(uint32_t families);

/*
 * Mutates the case of data[size] in place; data has room for max_size bytes. Returns the new size, at least 1 where
 * max_size is. The same seed gives the same answer. With room for fewer than WARP_BYTES_MAX bytes the answer may be
 * cut, and is then some other case.
 */
size_t mutator_mutate(uint8_t *data, size_t size, size_t max_size, uint64_t seed);

/* Seeks (fuzz/seek.h) from where the inputs that were checked have come, the one of `data` last. Where it can. */
size_t mutator_seek(uint8_t *data, size_t size, size_t max_size, uint64_t seed);

/* Writes a case that has some fields or lanes of one and some of the other. Returns its size. */
size_t mutator_cross(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size, uint8_t *out,
                     size_t max_size, uint64_t seed);

/*
 * The case of these bytes, if they are what the last call gave: the target then need not decode what was encoded just
 * before. False when they are not.
 */
bool mutator_last_case(const uint8_t *data, size_t size, struct warp_case *c);

#endif
