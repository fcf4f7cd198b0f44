#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "gpu/worker.h"

#include "check/impl/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum request { REQUEST_EVALUATE = 1, REQUEST_THROUGHPUT };

/* What both processes see. */
struct board {
    struct gpu_info info;
    struct throughput_request request;
    struct throughput_reply reply;
    size_t n;
    struct warp_case cases[WORKER_CASES];
    uint32_t answers[WORKER_CASES * ANSWER_WORDS];
};

struct worker {
    const struct worker_ops *ops;
    unsigned start_ms;
    struct board *board;
    struct child *child;
};

/* --- in the child --- */

static bool start(void *context, void *shared, struct error *error)
{
    const struct worker *const w = context;
    struct board *const board = shared;
    if (w->ops->start(&board->info, error))
        return true;
    error->code = ERROR_UNAVAILABLE;
    return false;
}

static bool serve(void *context, void *shared, uint32_t request, struct error *error)
{
    const struct worker *const w = context;
    struct board *const board = shared;
    switch ((enum request)request) {
    case REQUEST_EVALUATE:
        return w->ops->evaluate(board->cases, board->n, board->answers, error);
    case REQUEST_THROUGHPUT:
        return w->ops->throughput(&board->request, &board->reply, error);
    }
    return false;
}

/* --- in the parent --- */

/* The child's own error is passed on unchanged; an error about its end names it. After any failure the device may be
 * unusable, so the child is ended. */
static bool failed(struct worker *w, const struct error *why, struct error *error)
{
    const bool own = why->code == ERROR_DECLINED || why->code == ERROR_UNAVAILABLE || why->code == ERROR_SYSTEM;
    child_end(w->child);
    return error_set(error, why->code, "%s%s", own ? "" : "the process that drives the device ", why->text);
}

struct worker *worker_start(const struct worker_ops *ops, unsigned start_ms, struct gpu_info *info, struct error *error)
{
    struct worker *const w = calloc(1, sizeof *w);
    void *const board = mmap(NULL, sizeof *w->board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct child_plan plan = {.who = "gpu", .context = w, .start = start, .serve = serve};
    struct error why = {0};
    if (w == NULL || board == MAP_FAILED) {
        free(w);
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    w->ops = ops;
    w->start_ms = start_ms;
    w->board = plan.board = board;
    plan.regions[0] = (struct child_region){board, sizeof *w->board};
    w->child = child_open(&plan);
    if (w->child == NULL) {
        error_set(error, ERROR_SYSTEM, "out of memory");
    } else if (child_start(w->child, start_ms / 1000.0, &why)) {
        *info = w->board->info;
        return w;
    } else {
        failed(w, &why, error);
    }
    worker_stop(w);
    return NULL;
}

void worker_stop(struct worker *w)
{
    child_free(w->child);
    munmap(w->board, sizeof *w->board);
    free(w);
}

static bool ask(struct worker *w, enum request request, unsigned timeout_ms, struct error *error)
{
    struct error why = {0};
    child_post(w->child, request);
    return child_await(w->child, timeout_ms / 1000.0, &why) || failed(w, &why, error);
}

/* One that went with the request before is started anew. */
static bool revive(struct worker *w, struct error *error)
{
    struct error why = {0};
    return child_start(w->child, w->start_ms / 1000.0, &why) || failed(w, &why, error);
}

bool worker_evaluate(struct worker *w, const struct warp_case *cases, size_t n, uint32_t *answers, unsigned timeout_ms,
                     struct error *error)
{
    if (n > WORKER_CASES)
        return error_set(error, ERROR_INTERNAL, "more than %u cases in one request", WORKER_CASES);
    if (!revive(w, error))
        return false;
    w->board->n = n;
    memcpy(w->board->cases, cases, n * sizeof *cases);
    if (!ask(w, REQUEST_EVALUATE, timeout_ms, error))
        return false;
    memcpy(answers, w->board->answers, n * ANSWER_WORDS * sizeof *answers);
    return true;
}

bool worker_throughput(struct worker *w, const struct throughput_request *request, struct throughput_reply *reply,
                       unsigned timeout_ms, struct error *error)
{
    if (!revive(w, error))
        return false;
    w->board->request = *request;
    if (!ask(w, REQUEST_THROUGHPUT, timeout_ms, error))
        return false;
    *reply = w->board->reply;
    return true;
}
