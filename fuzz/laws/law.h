/*
 * What the laws share. Each evaluates the implementation on the case and on one or more cases made from it, and
 * compares the answers; laws.h says what it returns.
 */
#ifndef WARPCHECK_FUZZ_LAWS_LAW_H
#define WARPCHECK_FUZZ_LAWS_LAW_H

#include "warpcheck/bytes.h"
#include "warpcheck/impl.h"

#define LAW_D_AND_OUTCOME (WARP_PART_D | WARP_PART_D_DEFINED | WARP_PART_OUTCOME)

/* Evaluates; false when the implementation does not accept the case. */
bool law_answer(const struct warp_impl *impl, const struct warp_case *c, struct warp_result *r);
/* Does the implementation say all of these parts? */
bool law_provides(const struct warp_impl *impl, uint32_t parts);
/* The form of a family with another operation, type or qualifiers; the destinations are set to d alone. */
bool law_with_form(struct warp_case *c, uint32_t form);
/* The lanes in which two operands differ. */
lanemask law_differing(const uint32_t x[WARP_LANES], const uint32_t y[WARP_LANES]);

const char *law_inactive_lanes(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_meaningless_bits(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_moves_data(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_bfly_twice(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_sync_is_plain(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_vote_de_morgan(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_vote_uni(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_vote_ballot(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_match_equivalence(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_match_all_any(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_match_halves(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_redux_integers(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_redux_floats(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_redux_uniform(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_redux_butterfly(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
const char *law_activemask_ballot(const struct warp_impl *impl, const struct warp_case *c, bool *tried);

#endif
