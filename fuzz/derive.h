/*
 * Further cases made from one: many checks for one input.
 *
 * An engine pays for each input, AFL++ far more than a check costs, so one input stands for the case that it decodes to
 * and for its relatives: the other forms of the family, the lanes in other places, other masks, operands turned round.
 * Each is a case of its own, found again without the input.
 */
#ifndef WARPCHECK_FUZZ_DERIVE_H
#define WARPCHECK_FUZZ_DERIVE_H

#include "warpcheck/warp.h"

#define DERIVED_MAX 64u

/* The k-th relative of `base`, k < DERIVED_MAX; passes warp_case_check when base does. Its family is the base's. */
void derive_case(const struct warp_case *base, unsigned k, struct warp_case *c);

/* The case and all its relatives. */
void derive_all(const struct warp_case *base, struct warp_case cases[DERIVED_MAX + 1]);

/* The number of the i-th relative where `count` of them are checked: other ones with each base, unless it is all. */
unsigned derive_number(const struct warp_case *base, unsigned i, unsigned count);

/*
 * Some inputs are asked in a long call too: their case and its relatives again and again, each once or several times in
 * a row. An implementation may go wrong by the size of a call, or far in one. Small calls are frequent.
 */
#define DERIVED_CALL_MAX 8192u
/* How many cases the call of this input has; 0: there is none. */
size_t derive_call_size(const uint8_t *data, size_t size);
/* Which of `n` cases stands at place `at` of the call of this input. */
size_t derive_call_case(const uint8_t *data, size_t size, size_t n, size_t at);

/*
 * An input may spell out a call: each byte behind a raw case is the number of a case that the call has, one after
 * another. 0 is the base, then come its relatives, then its operands with any form of the families, then the base with
 * a lane less or one word changed. So what goes wrong only after certain cases, or when one comes again or nearly so,
 * is found step by step. The last two numbers are no cases: the one before some more times, and all so far once more.
 */
#define DERIVED_ORDER_MAX   24u  /* steps */
#define DERIVED_ORDER_CASES 512u /* that they make at most */
#define DERIVED_MORE        254u /* the one before DERIVED_MORE_TIMES more */
#define DERIVED_AGAIN       255u
#define DERIVED_MORE_TIMES  6u
/* The case that a step stands for. */
void derive_step(const struct warp_case *base, uint32_t families, unsigned step, struct warp_case *c);
/* The cases of that call. Returns how many; 0: the input has none. */
size_t derive_order(const uint8_t *data, size_t size, uint32_t families, struct warp_case cases[DERIVED_ORDER_CASES]);
/* How many cases these steps make. */
size_t derive_order_length(const uint8_t *steps, size_t n);

#endif
