/*
 * The child process (check/impl/child.h) that does the device work.
 *
 * A request that fails or is not answered in time ends the child. The next request starts a fresh one.
 */
#ifndef WARPCHECK_GPU_WORKER_H
#define WARPCHECK_GPU_WORKER_H

#include "base/error.h"
#include "gpu/throughput.h"
#include "gpu/warpcheck_gpu.h"

#define WORKER_CASES 4096u /* cases in one request, at most */

/* The operations that run in the child. Each returns false with a clause in `error`; a failure ends the child. */
struct worker_ops {
    bool (*start)(struct gpu_info *info, struct error *error);
    bool (*evaluate)(const struct warp_case *cases, size_t n, uint32_t *answers, struct error *error);
    bool (*throughput)(const struct throughput_request *request, struct throughput_reply *reply, struct error *error);
};

struct worker;

/* Starts the child and waits until it has its device. NULL with a clause in `error`. */
struct worker *worker_start(const struct worker_ops *ops, unsigned start_ms, struct gpu_info *info,
                            struct error *error);
void worker_stop(struct worker *w);

/*
 * Answers n cases (at most WORKER_CASES), ANSWER_WORDS words each, within timeout_ms. False with a clause in `error`;
 * the child is then gone and the next call starts another.
 */
bool worker_evaluate(struct worker *w, const struct warp_case *cases, size_t n, uint32_t *answers, unsigned timeout_ms,
                     struct error *error);
bool worker_throughput(struct worker *w, const struct throughput_request *request, struct throughput_reply *reply,
                       unsigned timeout_ms, struct error *error);

#endif
