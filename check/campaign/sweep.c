#include "check/campaign/sweep.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "base/pool.h"
#include "check/campaign/campaign.h"
#include "check/impl/impl.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX  16
#define CHUNK        4096u
#define CACHED_BATCH 128u /* cases whose answers, and they themselves, stay in a core's own caches */
#define PIPE_BATCH   1u   /* with how many cases a process at the end of a pipe begins: who knows how slow it is? */
#define PIPE_CALM_S  1.0  /* what a batch of it may take, so that the time is looked at in between */

/* What the threads of one sweep share. */
struct shared {
    const struct sweep *sweep;
    atomic_uint_fast64_t next; /* index of the first case that nobody has taken */
    atomic_uint_fast64_t made;
    atomic_uint_fast64_t mismatches; /* for the progress line */
    atomic_bool stop;
    double deadline;      /* 0: none */
    pthread_mutex_t lock; /* guards the sweep's checkers */
};

struct worker {
    struct shared *shared;
    bool draws; /* this thread draws the progress line */
    bool failed;
    bool paces;               /* a pipe is asked: batches as large as it is quick */
    size_t most;              /* cases in the next batch */
    struct warp_case *cases;  /* CHECKER_BATCH of them, aligned */
    struct checker *checkers; /* one for each of the sweep's */
    struct checker_shared
        *answers; /* what their reference answered; NULL: someone keeps state, so each asks for itself */
};

/* Room for the next n cases: where the process of an implementation sees them, if one has its own. */
static struct warp_case *room_for(struct worker *worker, size_t n)
{
    for (size_t i = 0; i < worker->shared->sweep->checkers_count; i++) {
        struct warp_case *const place = impl_place(worker->checkers[i].observed, n);
        if (place != NULL && !worker->checkers[i].stopped)
            return place;
    }
    return worker->cases;
}

/* One batch through every checker that still runs. Returns false when none does, or one failed. */
static bool check_batch(struct worker *worker, const struct warp_case *cases, size_t n)
{
    struct shared *shared = worker->shared;
    bool running = false;
    if (worker->answers != NULL)
        worker->answers->cases = NULL;
    for (size_t i = 0; i < shared->sweep->checkers_count; i++) {
        struct checker *checker = &worker->checkers[i];
        uint64_t before = checker_total(checker).mismatches;
        if (checker->stopped)
            continue;
        if (!checker_run(checker, cases, n)) {
            worker->failed = true;
            return false;
        }
        atomic_fetch_add(&shared->mismatches, checker_total(checker).mismatches - before);
        running = running || !checker->stopped;
    }
    return running;
}

static bool out_of_time(const struct shared *shared)
{
    return interrupted() || (shared->deadline > 0.0 && clock_seconds() >= shared->deadline);
}

static void pace(struct worker *worker, double seconds)
{
    if (worker->paces && seconds > PIPE_CALM_S)
        worker->most = worker->most > 4 ? worker->most / 4 : 1;
    else if (worker->paces && seconds < PIPE_CALM_S / 4)
        worker->most = worker->most * 2 < CHECKER_BATCH ? worker->most * 2 : CHECKER_BATCH;
}

/* Makes the next n cases, those that are to be asked. Returns how many these are. */
static size_t make(const struct worker *worker, uint64_t index, size_t n, struct warp_case *cases)
{
    const struct sweep *const sweep = worker->shared->sweep;
    size_t asked = 0;
    for (uint64_t i = index; i < index + n; i++)
        asked += sweep->make(sweep->context, i, &cases[asked]);
    return asked;
}

static bool work_chunk(struct worker *worker, uint64_t first, uint64_t end)
{
    struct shared *shared = worker->shared;
    const struct sweep *sweep = shared->sweep;
    struct warp_case *cases;
    size_t n;
    for (uint64_t index = first; index < end; index += n) {
        const double began = worker->paces ? clock_seconds() : 0.0;
        n = end - index < worker->most ? (size_t)(end - index) : worker->most;
        if (atomic_load(&shared->stop) || out_of_time(shared))
            return false;
        cases = room_for(worker, n);
        const size_t asked = make(worker, index, n, cases);
        if (asked > 0 && !check_batch(worker, cases, asked))
            return false;
        pace(worker, worker->paces ? clock_seconds() - began : 0.0);
        uint64_t made = atomic_fetch_add(&shared->made, n) + n;
        if (worker->draws && sweep->view && sweep->view->progress)
            sweep->view->progress(made, sweep->seconds > 0.0 ? 0 : sweep->count, sweep->seconds,
                                  atomic_load(&shared->mismatches));
    }
    return true;
}

static void merge(struct worker *worker)
{
    const struct sweep *sweep = worker->shared->sweep;
    pthread_mutex_lock(&worker->shared->lock);
    for (size_t i = 0; i < sweep->checkers_count; i++)
        checker_add(sweep->checkers[i], &worker->checkers[i]);
    pthread_mutex_unlock(&worker->shared->lock);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct shared *shared = worker->shared;
    uint64_t count = shared->sweep->count;
    for (bool going = true; going;) {
        uint64_t first = atomic_fetch_add(&shared->next, CHUNK);
        if (first >= count)
            break;
        going = work_chunk(worker, first, count - first < CHUNK ? count : first + CHUNK);
    }
    if (worker->failed)
        atomic_store(&shared->stop, true);
    merge(worker);
    return NULL;
}

static bool is_pipe(const struct warp_impl *impl)
{
    return impl_can(impl).kind == IMPL_PIPE;
}

static bool prepare(struct worker *worker, struct shared *shared)
{
    const struct sweep *sweep = shared->sweep;
    worker->shared = shared;
    worker->failed = false;
    worker->cases = aligned_alloc(64, CHECKER_BATCH * sizeof *worker->cases);
    worker->checkers = calloc(sweep->checkers_count, sizeof *worker->checkers);
    if (sweep->stateless)
        worker->answers = malloc(sizeof *worker->answers);
    if (!worker->cases || !worker->checkers || (sweep->stateless && !worker->answers))
        return false;
    worker->paces = false;
    for (size_t i = 0; i < sweep->checkers_count; i++) {
        const struct checker *from = sweep->checkers[i];
        worker->paces = worker->paces || is_pipe(from->observed) || is_pipe(from->reference);
        checker_init(&worker->checkers[i], from->reference, from->observed, from->on_mismatch, from->context);
        worker->checkers[i].stopped = from->stopped;
        worker->checkers[i].shared = from->reference == sweep->checkers[0]->reference ? worker->answers : NULL;
    }
    worker->most = worker->paces ? PIPE_BATCH : sweep->stateless ? CACHED_BATCH : CHECKER_BATCH;
    return true;
}

static void release(struct worker *worker)
{
    free(worker->cases);
    free(worker->checkers);
    free(worker->answers);
}

static unsigned thread_count(const struct sweep *sweep)
{
    const unsigned processors = process_processors();
    if (!sweep->stateless || processors < 2 || sweep->count <= CHUNK)
        return 1;
    return processors < THREADS_MAX ? processors : THREADS_MAX;
}

/* The calling thread is the first worker: an implementation with state is always called from it alone. A thread that
 * cannot be started is done without: the others take its cases. */
static bool run_workers(struct shared *shared, struct worker workers[THREADS_MAX], unsigned threads)
{
    void *arguments[THREADS_MAX] = {&workers[0]};
    bool failed = false;
    for (unsigned i = 1; i < threads; i++)
        arguments[i] = prepare(&workers[i], shared) ? &workers[i] : NULL;
    workers[0].draws = true;
    threads_run(work, arguments, threads);
    failed = workers[0].failed;
    for (unsigned i = 1; i < threads; i++) {
        failed = failed || workers[i].failed;
        release(&workers[i]);
    }
    return !failed;
}

bool sweep_run(const struct sweep *sweep, uint64_t *cases, struct error *error)
{
    struct shared shared = {.sweep = sweep};
    struct worker workers[THREADS_MAX];
    bool good;
    memset(workers, 0, sizeof workers);
    pthread_mutex_init(&shared.lock, NULL);
    shared.deadline = sweep->seconds > 0.0 ? clock_seconds() + sweep->seconds : 0.0;
    if (sweep->view && sweep->view->began)
        sweep->view->began(sweep->label, "cases");
    if (!prepare(&workers[0], &shared))
        good = error_set(error, ERROR_SYSTEM, "%s: out of memory", sweep->label);
    else if (!run_workers(&shared, workers, thread_count(sweep)))
        good = error_set(error, ERROR_DECLINED, "%s: an implementation could not answer", sweep->label);
    else
        good = true;
    release(&workers[0]);
    if (sweep->view && sweep->view->over)
        sweep->view->over();
    pthread_mutex_destroy(&shared.lock);
    *cases = atomic_load(&shared.made);
    return good;
}
