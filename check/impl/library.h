/*
 * A plugin's shared library, loaded into this process: the child's, which spares its judge from then on
 * (process_spare), or a fuzzing engine's.
 */
#ifndef WARPCHECK_CHECK_IMPL_LIBRARY_H
#define WARPCHECK_CHECK_IMPL_LIBRARY_H

#include "base/error.h"
#include "warpcheck/batch.h"
#include "warpcheck/kernel.h"

/* More than any plugin has: one that offers so many ignores the index it is asked for. */
#define LIBRARY_IMPLS_MAX 4096u

struct library {
    void *handle;
    warp_implementation_fn get;
    warp_batch_fn batch; /* NULL: it has none */
    size_t count;        /* of its implementations, each of which has what the interface demands */
    warp_kernel_fn kernel;
};

/* Loads it and looks at all that it offers. False with one line (ERROR_INPUT): no such file, no entry point, another
 * ABI version and how to mend it, an implementation that lacks something. */
bool library_open(struct library *library, const char *path, struct error *error);
/* The same for what it exports to execute whole kernels: `kernel` alone is set. */
bool library_open_kernels(struct library *library, const char *path, struct error *error);
/* The implementation called `name` ("": the first); NULL with one line (ERROR_USAGE). */
const struct warp_impl *library_find(const struct library *library, const char *path, const char *name,
                                     struct error *error);
void library_close(struct library *library);

/*
 * What an implementation offers is what it offers when it is loaded. False with one line (ERROR_DECLINED) when it has
 * changed `provides` or `accepts` since `held` was copied from it: it may not take back what it is judged by.
 */
bool library_is_held(const struct warp_impl *held, const struct warp_impl *now, struct error *error);

#endif
