/*
 * The case with which an entry leads: reduced, as plain as it gets while it still shows the entry, and written as a
 * call of CUDA where CUDA can say it.
 */
#ifndef WARPCHECK_CHECK_CAMPAIGN_LEAD_H
#define WARPCHECK_CHECK_CAMPAIGN_LEAD_H

#include "check/campaign/causes.h"
#include "check/reduce.h"

/* Does the call, of a whole warp, show what is looked for? */
typedef bool (*lead_shows_fn)(void *context, const struct warp_case *c);

/* Looks for a call of a whole warp that shows it: lane i passes i, all lanes pass one of these shifts as b, and the
 * width is one of CUDA's, wide ones first. Puts the first into *c. False: none does, or *c is not of shfl.sync. */
bool lead_find_call(struct warp_case *c, const uint32_t *shifts, size_t count, lead_shows_fn shows, void *context);

/* Reduces *c as long as it shows the entry and is at least so plain. A mistake that is needed to give the answer stays
 * needed. A mistake that is not needed, and does not give the answer alone either, cannot be held: then any mismatch
 * will do. */
void lead_reduce_case(const struct cause_entry *entry, struct warp_case *c, enum plainness plain,
                      struct reduction *stats);
/* Makes the finding of the entry's lead *c: reduces it so, with a call that a person would write where one shows the
 * entry, and asks again in a fresh process. False: it does not differ there. */
bool lead_finding(const struct cause_entry *entry, struct warp_case *c, struct finding *f, struct reduction *stats);

/* As finding_make; one that ended before, on another case, is started again first. */
bool lead_make_finding(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                       const struct warp_case *c);

/*
 * "__shfl_xor_sync(0xffffffff, v, 33, 32) in lane 1 returns 0x1, must be 0x0, v = ...; lanes 3-5 exited", or "" where
 * CUDA cannot say the case. Where the implementation can be asked and a whole warp shows the entry as well, that call
 * is said. Returns `text`.
 */
#define LEAD_CALL_MAX 400u
const char *lead_call(const struct cause_entry *entry, const struct finding *f, char text[LEAD_CALL_MAX]);

/* Adds ", v = 0x0, 0x1 in lanes 0, 1; lanes 3-5 exited": what the call does not say. */
void lead_add_values(const struct warp_case *c, struct buffer *text);

/* What the wrong values tell by themselves: "d of lane 1 was never written". Returns `text`. */
#define LEAD_NOTES_MAX 600u
const char *lead_notes(const struct cause_entry *entry, const struct finding *f, char text[LEAD_NOTES_MAX]);

#endif
