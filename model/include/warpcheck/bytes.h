/*
 * Cases as bytes: what a fuzzing engine mutates. Every byte string decodes to a case.
 *
 * The first byte tells the form. WARP_BYTES_RAW: the case field by field (version 1), so that every case has bytes. Any
 * other value: the generative form, in which the bytes are choices (kind of mask, kind of operand, width, special
 * values), read in order, zeros past the end. The generative form covers what real code does and what breaks
 * implementations far more often than uniform bytes would; its grammar may change between versions, so findings are
 * kept as text or raw.
 */
#ifndef WARPCHECK_BYTES_H
#define WARPCHECK_BYTES_H

#include "warpcheck/warp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WARP_BYTES_VERSION      1u
#define WARP_BYTES_RAW          0xb1u /* the raw form, version 1 */
#define WARP_BYTES_MAX          720u  /* the longest raw form; generative decoding never reads further either */

#define WARP_FAMILY_BIT(family) (1u << (family))
#define WARP_FAMILY_ALL         ((1u << WARP_FAMILIES) - 1u)

/*
 * Decodes any `size` bytes (also none) to a case that passes warp_case_check. `families` (WARP_FAMILY_BIT) limits the
 * generative form to some instructions; a raw case of another family is moved to one of them by warp_case_repair's
 * rules. It must not be 0. Returns how many bytes were read: fewer than `size` when the rest says nothing.
 */
size_t warp_case_from_bytes(const uint8_t *bytes, size_t size, uint32_t families, struct warp_case *c);

/* The raw form; decodes to the same case. Returns its length, at most WARP_BYTES_MAX. */
size_t warp_case_to_bytes(const struct warp_case *c, uint8_t bytes[WARP_BYTES_MAX]);

/*
 * How many bytes a raw form with this beginning has in all; with too few bytes to tell, the length of the shortest
 * one. A raw form with fewer bytes was cut short, and its rest decodes as zeros. Generative bytes are never cut short:
 * returns `size`.
 */
size_t warp_bytes_length(const uint8_t *bytes, size_t size);

/* Words with a meaning (special floats, edges of integers, width encodings of c), for mutators and enumerations. */
extern const uint32_t warp_special_words[];
extern const size_t warp_special_words_count;
extern const uint32_t warp_special_floats[];
extern const size_t warp_special_floats_count;

/* The c operand that CUDA's __shfl_*_sync makes of a width: 1, 2, 4, 8, 16, 32. Up: clamp 0, else 31 (segments by the
 * mask). */
uint32_t warp_width_c(enum warp_op op, unsigned width);

#ifdef __cplusplus
}
#endif

#endif
