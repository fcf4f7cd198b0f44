/*
 * Implementations by their names, the same in every command and every fuzz target:
 *
 *     spec | fast | fast-VARIANT | fast-all | fast-batch | FILE.so[:NAME] | pipe:COMMAND | FILE.rec | gpu | smt | ptxas
 *
 * What comes from outside (a plugin, a process, a device) runs in a process of its own that only computes. A crash, an
 * exit or a hang of it is an error of that implementation: its eval returns false, impl_failure tells code, words and
 * case, and nobody else is touched. Everything here is for one thread at a time, but what is stateless.
 */
#ifndef WARPCHECK_CHECK_IMPL_IMPL_H
#define WARPCHECK_CHECK_IMPL_IMPL_H

#include "base/error.h"
#include "base/file.h"
#include "warpcheck/batch.h"

/* --- names --- */

enum impl_kind {
    IMPL_SPEC,
    IMPL_FAST,       /* also its variants */
    IMPL_FAST_ALL,   /* every variant that this machine has: no implementation, but a list of them */
    IMPL_FAST_BATCH, /* fast through its batch interface */
    IMPL_PLUGIN,
    IMPL_PIPE,
    IMPL_RECORDING,
    IMPL_GPU,
    IMPL_SMT,
    IMPL_PTXAS /* NVIDIA's assembler */
};

struct impl_name {
    enum impl_kind kind;
    char path[FILE_PATH_MAX]; /* the file of a plugin or recording, the command of a pipe; else the whole name */
    char inner[128];          /* NAME of FILE.so:NAME; "" when none is given: the first */
};

/* Takes a name apart; nothing is opened. False with one line: no such implementation, with the nearest name. */
bool impl_name_parse(const char *text, struct impl_name *name, struct error *error);

/* What can be asked of what has this name: bit set. Nothing is opened: the file of a plugin tells, and a process shows
 * it when it is asked. */
enum impl_asked {
    IMPL_CASES = 1,   /* single instructions: it can be opened */
    IMPL_BATCHES = 2, /* the same, by its interface for batches */
    IMPL_KERNELS = 4  /* to execute or compile whole kernels (fuzz/kernels/peer.h) */
};
uint32_t impl_name_answers(const struct impl_name *name);
/* The assembler: the file or command that WARPCHECK_PTXAS names, else "ptxas". */
const char *impl_ptxas(void);

/* The name with which it is found again from any folder: the path of a file made absolute. Returns `full`. */
#define IMPL_FULL_MAX (FILE_PATH_MAX + 160u)
const char *impl_name_full(const char *text, char full[IMPL_FULL_MAX]);

/* Are two implementations, opened by these names, the same? Then nothing would be compared. A file may have several
 * names, and `fast` is one of its variants. */
bool impl_is_same(const char *name, const struct warp_impl *impl, const char *other_name,
                  const struct warp_impl *other);

/* Can a fuzz target run it? It is code then: not a process, a device or a recording. */
bool impl_kind_can_be_fuzzed(enum impl_kind kind);
#define IMPL_FUZZED "fast, fast-VARIANT, fast-all, fast-batch, spec, FILE.so or FILE.so:NAME"

/* --- opening --- */

/* A call of a plugin takes at most so long; the variable sets another limit in milliseconds, 0: none. Without it, a
 * call of several cases is looked into after 5 seconds, one by one, and a case that takes 10 seconds and 100 times as
 * long as others hangs. */
#define IMPL_TIMEOUT_VARIABLE "WARPCHECK_PLUGIN_TIMEOUT_MS"
#define IMPL_TIMEOUT_MS       60000u

/*
 * Opens it. NULL with one line: unknown (ERROR_USAGE), not a plugin or damaged (ERROR_INPUT), ERROR_UNAVAILABLE and
 * why, or what happened when it was loaded (ERROR_CRASH, ERROR_EXIT, ERROR_TIMEOUT). Close it with impl_close.
 */
const struct warp_impl *impl_open(const char *name, struct error *error);

/*
 * The same, but a plugin is loaded into this process: for fuzzing engines, whose process is the child already, and
 * whose coverage is wanted. A crash of it is then a crash of the process.
 */
const struct warp_impl *impl_open_here(const char *name, struct error *error);

/* The same as impl_open, but a built-in implementation too runs in a process of its own. */
const struct warp_impl *impl_open_apart(const char *name, struct error *error);

/*
 * Closes it; of NULL and of built-in ones nothing happens. False with one line when it did not end as it should: it
 * crashed, hung or exited in its close or its destructors, had ended before, or a call of it had hung for a while
 * (impl_note). The status of a run is then not 0.
 */
bool impl_close(const struct warp_impl *impl, struct error *error);

/* --- what an open one can do, and how it fares --- */

struct impl_abilities {
    enum impl_kind kind;
    bool stateless; /* several threads may call it at once */
    bool foreign;   /* it runs in a process of its own, which may end */
    bool fuzz;      /* a fuzz target can run it */
    bool batch;     /* it has an interface for batches: impl_batch, foreign_run */
};
struct impl_abilities impl_can(const struct warp_impl *impl);

/* Why the implementation is not asked any more, and the case on which it failed. NULL: it answers. */
struct impl_failure {
    /* ERROR_CRASH, ERROR_EXIT, ERROR_TIMEOUT; ERROR_DECLINED: it took back what it offers. One line that names who,
     * what and the case. */
    struct error error;
    bool has_case;
    bool alone;         /* it fails on that case alone, in a fresh process; else the case is the first of several */
    struct warp_case c; /* on which */
};
const struct impl_failure *impl_failure(const struct warp_impl *impl);

/* A note that the report must show although the implementation answers: a call that hung once. NULL: there is none. */
const char *impl_note(const struct warp_impl *impl);

/* Ends its process and starts a fresh one: it answers again, and remembers nothing. True of what has no process. */
bool impl_restart(const struct warp_impl *impl, struct error *error);

/*
 * Copies the last cases that its process was asked to answer since it was started, oldest first, to `cases`, which has
 * room for IMPL_HISTORY_MAX. Returns their number; 0: none are remembered. Those that it did not accept are among them.
 */
#define IMPL_HISTORY_MAX                                                                                               \
    1024u /* each asked case is copied: more would cost more than the nearest cache has room for                       \
           */
size_t impl_history(const struct warp_impl *impl, struct warp_case *cases);

/* From now on a call may take `limit_s` at most, or 100 times as long as its slowest case took so far; for what looks
 * for a hang again and again. 0: as it was. Nothing for what has no process. */
void impl_hurry(const struct warp_impl *impl, double limit_s);

/*
 * These n cases will be asked next, in one call: a foreign one begins with them now, while the caller does something
 * else. Of what is asked ahead, `accepts` and `eval` only take the answers. The cases must not change until then.
 */
enum impl_ahead {
    IMPL_ACCEPTS, /* only whether it accepts them */
    IMPL_ANSWERS, /* only the answers: it accepts them all */
    IMPL_ALL      /* both: the answers to those that it accepts */
};
void impl_ask_ahead(const struct warp_impl *impl, const struct warp_case *cases, size_t n, enum impl_ahead ahead);

/*
 * Where the caller may make the next n cases, so that they need not be copied for the implementation's process. It
 * cannot write there. They stay until the next call of this function. NULL: make them anywhere.
 */
struct warp_case *impl_place(const struct warp_impl *impl, size_t n);

/* --- batches (warpcheck/batch.h) --- */

/* Its function for batches, to be called in this process: built-in ones, and what impl_open_here opened. NULL: none. */
warp_batch_fn impl_batch(const struct warp_impl *impl, const struct warp_impl **inner);

/* --- lists --- */

/* The i-th built-in name. False past the end. Whether gpu, smt and ptxas can be used is known to impl_list_check alone,
 * which opens them. */
struct impl_entry {
    enum impl_kind kind;
    const char *name, *description;
    bool available;
    char why[256]; /* why it is not available */
};
bool impl_list(size_t i, struct impl_entry *entry);
/* "fast-avx2" for "fast" where that is the variant which it stands for; any other name as it is. */
const char *impl_variant_name(const char *name);
/* Settles `available`, and `why` it is not. */
void impl_list_check(struct impl_entry *entry);

/* One implementation of a plugin. */
struct impl_offer {
    char name[64], description[192];
    uint32_t provides;
    bool batch;
};
/* Asks a plugin what it offers, in a process of its own. free() the list. NULL with one line. */
struct impl_offer *impl_list_plugin(const char *path, size_t *count, struct error *error);

/* --- what lies above check/ --- */

/* How gpu, smt and recordings are opened: handed in when the program starts. What is not handed in is UNAVAILABLE. */
struct impl_provider {
    enum impl_kind kind;
    const char *description;
    /* NULL with a clause in `error` (ERROR_UNAVAILABLE, ERROR_INPUT). `path`: of a recording. Its close() is called. */
    const struct warp_impl *(*open)(const char *path, struct error *error);
    const char *unavailable; /* why there is no `open` */
};
void impl_provide(const struct impl_provider *providers, size_t count);

#endif
