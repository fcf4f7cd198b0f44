/*
 * An implementation in a process of its own: it looks like any other (struct warp_impl), and what it does wrong is an
 * error of it alone. A crash, an exit or a hang is looked into in fresh processes, until the case is known.
 */
#ifndef WARPCHECK_CHECK_IMPL_FOREIGN_H
#define WARPCHECK_CHECK_IMPL_FOREIGN_H

#include "check/impl/impl.h"

struct foreign;

/* The plugin FILE.so:NAME ("": its first). NULL with one line. */
struct foreign *foreign_open_plugin(const char *path, const char *name, struct error *error);
/* An implementation that is built into this program. `batch` is its function for batches, or NULL. */
struct foreign *foreign_open_builtin(const struct warp_impl *inner, warp_batch_fn batch, struct error *error);
/* Opens in one more process what stands behind `impl`: a plugin, or a built-in implementation that has batches. */
struct foreign *foreign_open_like(const struct warp_impl *impl, struct error *error);
/* Closes it, as impl_close does. */
bool foreign_close(struct foreign *foreign, struct error *error);

const struct warp_impl *foreign_impl(const struct foreign *foreign);
/* The process behind this implementation; NULL when it has none. */
struct foreign *foreign_of(const struct warp_impl *impl);

bool foreign_has_batch(const struct foreign *foreign);
const struct impl_failure *foreign_failure(const struct foreign *foreign);
const char *foreign_note(const struct foreign *foreign);
bool foreign_restart(struct foreign *foreign, struct error *error);
/* How long the next calls may take before the process is taken to hang (impl_hurry). */
void foreign_hurry(struct foreign *foreign, double limit_s);
struct warp_case *foreign_place(struct foreign *foreign, size_t n);
void foreign_ask_ahead(struct foreign *foreign, const struct warp_case *cases, size_t n, enum impl_ahead ahead);
/*
 * Runs work(inner, batch function, argument) in the process and copies `argument` (at most IMPL_WORK_MAX bytes) there
 * and back. What else it touches must lie in memory that was mapped shared before that process was started:
 * foreign_restart. False: `error` says how it ended, or what `work` said.
 */
#define IMPL_WORK_MAX 4096u
typedef bool (*impl_work_fn)(const struct warp_impl *inner, warp_batch_fn batch, void *argument, struct error *error);
bool foreign_run(struct foreign *foreign, impl_work_fn work, void *argument, size_t size, struct error *error);

/* Copies the cases that were asked last, in order, and returns how many (impl_history). */
size_t foreign_history(const struct foreign *foreign, struct warp_case *cases);

/* Copies what an implementation says of itself, cut to the fields' sizes. */
void foreign_offer(const struct warp_impl *impl, bool batch, struct impl_offer *offer);
/* Copies an offer and makes its texts fit for a terminal. */
void foreign_clean_offer(const struct impl_offer *from, struct impl_offer *to);

/* Turns the clause that child_start left into a line: "mine.so crashed with SIGSEGV while it was loaded". */
void foreign_tell_load(const char *path, struct error *error);

/* Limit of one call in seconds, from the environment (IMPL_TIMEOUT_VARIABLE); 0: none. False with one line. */
bool foreign_limit(double *limit_s, struct error *error);

#endif
