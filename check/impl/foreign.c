#define _GNU_SOURCE /* MAP_ANONYMOUS, siginfo_t, memfd_create */
#include "check/impl/foreign.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/text.h"
#include "check/checker.h"
#include "check/impl/child.h"
#include "check/impl/history.h"
#include "check/impl/library.h"
#include "warpcheck/text.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CASES_MAX 1024u /* of one exchange; more are asked in several */
#define WHY_MAX   96u
#define CLOSED    0xc105edu
#define LIMIT_MAX 86400000u

/* A call that answers nothing for so long is looked into: its cases are asked alone. */
#define LOOK_S 5.0
/* A case alone hangs when it takes so long, and so many times as long as other cases took. */
#define HANG_S     10.0
#define HANG_TIMES 100.0

enum request { REQUEST_ASK = 1, REQUEST_RUN, REQUEST_CLOSE };
enum stage { STAGE_ACCEPTS = 1, STAGE_EVAL };
enum { WANTS_ACCEPTS = 1, WANTS_EVAL = 2 };

/*
 * What both processes see. Behind it lie room for cases that are accepted, and the results; elsewhere the cases, which
 * the child may only read: each ends at a page that nobody may touch. The parent believes nothing in here: whatever it
 * reads is a number that is in bounds, or a text that it cuts and cleans.
 */
struct board {
    struct impl_offer offer;
    uint32_t has_accepts;
    uint32_t n, wants;
    uint32_t in_place;  /* the cases are where the caller made them */
    uint32_t stage, at; /* what is being asked, and about which case */
    uint32_t closed;
    uint32_t answered;
    uint64_t fault; /* the address, when it crashed on one */
    char error[256];
    uint8_t refused[CASES_MAX];
    char why[CASES_MAX][WHY_MAX];
    impl_work_fn work;
    _Alignas(64) char argument[IMPL_WORK_MAX];
};

enum asked { ASKED_NOTHING, ASKED_PENDING, ASKED_SETTLED };

struct foreign {
    struct warp_impl impl; /* what others see */
    struct impl_offer offer;
    char file[80];
    char path[FILE_PATH_MAX], wanted[128]; /* a plugin's */
    const struct warp_impl *inner;         /* a built-in one's; in the child: whatever is asked */
    struct warp_impl held;                 /* in the child: what it was when it was loaded */
    warp_batch_fn batch;                   /* likewise */
    struct library library;                /* in the child */
    struct child *child;
    struct board *board;
    char *kept_end, *results_end;
    /* The cases: those that are copied, and those that the caller makes in place. This process sees them at `given`;
     * the child sees them at `shown`, where it cannot write whatever it does, unless they are the same (sealed: no). */
    char *given, *shown;
    char *copied_end, *placed_end; /* in `given` */
    bool sealed;
    double limit_s, calm_limit_s;
    bool calm_given;        /* limit_given and limit_s, before it was hurried */
    bool limit_given;       /* by a person or the caller: it holds for every call */
    bool slow;              /* a call took longer than LOOK_S although each case answers */
    bool measured;          /* it has answered: */
    double longest_s;       /* the longest time that one case took, on average over a call */
    double asked_at;        /* when the last call began */
    double waits_s;         /* and how long it may take */
    size_t posted;          /* its cases; 0: something else is asked */
    struct warp_case first; /* of them; in this memory, which the process cannot write */
    /* What was asked last: the answers are on the board, or in `own`. */
    enum asked state;
    const struct warp_case *cases;
    size_t n;
    bool in_place;
    uint32_t wants;
    uint8_t refused[CASES_MAX];
    struct warp_result *own; /* answers that were got one by one; NULL: none */
    unsigned late;           /* calls that hung, and did not when they were repeated */
    char note[ERROR_TEXT_MAX];
    bool failed;
    struct impl_failure failure;
    struct history history;
};

static size_t whole_pages(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) / page * page;
}

/* Two arrays of cases, each with the page behind it. */
static size_t cases_size(void)
{
    return 2 * (whole_pages(CASES_MAX * sizeof(struct warp_case)) + (size_t)sysconf(_SC_PAGESIZE));
}

/* --- in the child --- */

static struct board *own_board;

/* Notes where it crashed, and lets it crash. Without a stack left there is no note. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    own_board->fault = (uint64_t)(uintptr_t)info->si_addr;
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_faults(struct board *board)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    own_board = board;
    action.sa_sigaction = on_fault;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

void foreign_offer(const struct warp_impl *impl, bool batch, struct impl_offer *offer)
{
    snprintf(offer->name, sizeof offer->name, "%s", impl->name);
    snprintf(offer->description, sizeof offer->description, "%s", impl->description != NULL ? impl->description : "");
    offer->provides = impl->provides;
    offer->batch = batch;
}

static bool start(void *context, void *shared, struct error *error)
{
    struct foreign *const f = context;
    struct board *const board = shared;
    if (!f->sealed)
        mprotect(f->shown, cases_size(), PROT_READ);
    watch_faults(board);
    if (f->inner == NULL) {
        if (!library_open(&f->library, f->path, error))
            return false;
        f->inner = library_find(&f->library, f->path, f->wanted, error);
        if (f->inner == NULL)
            return false;
        f->batch = f->library.batch;
    }
    f->held = *f->inner;
    foreign_offer(&f->held, f->batch != NULL, &board->offer);
    board->has_accepts = f->held.accepts != NULL;
    return true;
}

static struct warp_case *cases_of(char *end, size_t n)
{
    return (struct warp_case *)(void *)(end - n * sizeof(struct warp_case));
}

/* Where the child sees the n cases. */
static const struct warp_case *shown_cases(const struct foreign *f, uint32_t in_place, size_t n)
{
    return cases_of(f->shown + ((in_place != 0 ? f->placed_end : f->copied_end) - f->given), n);
}

static struct warp_result *results_of(const struct foreign *f, size_t n)
{
    return (struct warp_result *)(void *)(f->results_end - n * sizeof(struct warp_result));
}

/* Returns how many it accepts. */
static size_t ask_accepts(const struct foreign *f, struct board *board, const struct warp_case *cases)
{
    size_t kept = board->n;
    memset(board->refused, 0, board->n);
    if (f->held.accepts == NULL || (board->wants & WANTS_ACCEPTS) == 0)
        return kept;
    board->stage = STAGE_ACCEPTS;
    for (uint32_t i = 0; i < board->n; i++) {
        board->at = i;
        board->why[i][0] = '\0';
        if (f->held.accepts(f->inner->state, &cases[i], board->why[i], WHY_MAX))
            continue;
        board->refused[i] = 1;
        kept--;
    }
    return kept;
}

static void serve_ask(const struct foreign *f, struct board *board)
{
    const size_t n = board->n;
    const struct warp_case *cases = shown_cases(f, board->in_place, n);
    const size_t kept = ask_accepts(f, board, cases);
    if (kept < n) {
        struct warp_case *const to = cases_of(f->kept_end, kept);
        for (size_t i = 0, k = 0; i < n; i++)
            if (board->refused[i] == 0)
                to[k++] = cases[i];
        cases = to;
    }
    board->answered = true;
    if ((board->wants & WANTS_EVAL) != 0 && kept > 0) {
        struct warp_result *const results = results_of(f, kept);
        board->stage = STAGE_EVAL;
        board->error[0] = '\0';
        memset(results, CHECKER_GARBAGE, kept * sizeof *results);
        board->answered = f->inner->eval(f->inner->state, cases, kept, results, board->error, sizeof board->error);
    }
}

static bool serve(void *context, void *shared, uint32_t request, struct error *error)
{
    struct foreign *const f = context;
    struct board *const board = shared;
    switch ((enum request)request) {
    case REQUEST_ASK:
        serve_ask(f, board);
        return library_is_held(&f->held, f->inner, error);
    case REQUEST_RUN:
        return board->work(f->inner, f->batch, board->argument, error);
    case REQUEST_CLOSE:
        if (f->inner->close != NULL && f->library.handle != NULL)
            f->inner->close(f->inner->state);
        library_close(&f->library);
        board->closed = CLOSED;
        _exit(0);
    }
    return error_set(error, ERROR_INTERNAL, "no such request");
}

/* --- how it failed --- */

/* A foreign number is read once: it may change while it is looked at. */
static uint32_t number_at(const uint32_t *shared)
{
    return *(const volatile uint32_t *)shared;
}

/* What an address in the shared memory tells. */
static const char *fault_words(const struct foreign *f)
{
    const char *const at = (const char *)(uintptr_t)f->board->fault;
    const char *const copied = f->shown + (f->copied_end - f->given);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = whole_pages(CASES_MAX * sizeof(struct warp_case));
    if (at >= f->results_end && at < f->results_end + page)
        return " (behind the results that it was given)";
    if (at >= copied - size && at < copied + page + size && (at < copied || at >= copied + page))
        return " (it wrote into the cases that it was given)";
    if ((at >= copied && at < copied + page) || (at >= copied + page + size && at < copied + size + 2 * page) ||
        (at >= f->kept_end && at < f->kept_end + page))
        return " (behind the cases that it was given)";
    return "";
}

static void cut(char *text, size_t size, int length)
{
    if (size > 4 && length >= (int)size)
        memcpy(text + size - 4, "...", 4);
}

/* How long n cases may take in one call. 0: for ever. */
static double limit_of(const struct foreign *f, size_t n)
{
    const double alone = HANG_TIMES * f->longest_s > HANG_S ? HANG_TIMES * f->longest_s : HANG_S;
    const double least = n > 1 ? LOOK_S : alone;
    if (f->limit_given || (n > 1 ? f->slow : !f->measured) || least > f->limit_s)
        return f->limit_s;
    return least;
}

/* Waits for the answer; of a crash on a given array it is said which. */
static bool await(struct foreign *f, struct error *error)
{
    size_t used;
    if (child_await(f->child, f->waits_s, error)) {
        const double took_s = (clock_seconds() - f->asked_at) / (double)(f->posted > 0 ? f->posted : 1);
        f->measured = true;
        f->longest_s = took_s > f->longest_s ? took_s : f->longest_s;
        f->posted = 0;
        return true;
    }
    used = strlen(error->text);
    if (error->code == ERROR_CRASH)
        snprintf(error->text + used, sizeof error->text - used, "%s", fault_words(f));
    return false;
}

/* Says on standard error that it is waited for, and with what. */
static void tell_slow(void *context)
{
    const struct foreign *const f = context;
    char text[WARP_TEXT_MAX];
    const size_t n = f->posted;
    if (n == 0) {
        fprintf(stderr, "%s: no answer for %.0f s\n", f->file, CHILD_SLOW_S);
        return;
    }
    warp_case_to_text(&f->first, text, sizeof text);
    if (n > 1)
        fprintf(stderr, "%s: no answer for %.0f s to %zu cases, which are now asked one by one; the first is %s\n",
                f->file, CHILD_SLOW_S, n, text);
    else
        fprintf(stderr, "%s: no answer for %.0f s to %s (a call may take %.0f s; %s)\n", f->file, CHILD_SLOW_S, text,
                f->waits_s, IMPL_TIMEOUT_VARIABLE);
}

/* It is not asked any more. The case comes last, so that only it is cut where there is no room. */
static bool fail(struct foreign *f, const struct error *how, const char *when, const struct warp_case *c, bool alone)
{
    struct impl_failure *const failure = &f->failure;
    char text[WARP_TEXT_MAX] = "";
    int length;
    failure->error.code = how->code;
    failure->error.detail = how->detail;
    failure->has_case = c != NULL;
    failure->alone = alone;
    if (c != NULL) {
        failure->c = *c;
        warp_case_to_text(c, text, sizeof text);
    }
    length = snprintf(failure->error.text, sizeof failure->error.text, "%s %s%s%s%s%s%s", f->file, how->text,
                      how->code == ERROR_TIMEOUT ? " (" IMPL_TIMEOUT_VARIABLE ")" : "", when[0] != '\0' ? " " : "",
                      when, c != NULL ? " " : "", text);
    cut(failure->error.text, sizeof failure->error.text, length);
    f->failed = true;
    f->state = ASKED_NOTHING;
    child_end(f->child);
    return false;
}

static bool is_break(const struct error *error)
{
    return error->code == ERROR_CRASH || error->code == ERROR_EXIT || error->code == ERROR_TIMEOUT;
}

/* --- asking --- */

static void post(struct foreign *f, const struct warp_case *cases, size_t n, uint32_t wants)
{
    struct board *const board = f->board;
    const bool in_place = cases == cases_of(f->placed_end, n);
    if (!in_place)
        memcpy(cases_of(f->copied_end, n), cases, n * sizeof *cases);
    board->in_place = in_place;
    board->n = (uint32_t)n;
    board->wants = wants;
    board->stage = STAGE_EVAL;
    board->at = 0;
    board->fault = 0;
    f->asked_at = clock_seconds();
    f->waits_s = limit_of(f, n);
    f->posted = n;
    f->first = cases[0];
    if ((wants & WANTS_EVAL) != 0)
        history_add(&f->history, cases, n);
    child_post(f->child, REQUEST_ASK);
}

static bool ask(struct foreign *f, const struct warp_case *cases, size_t n, uint32_t wants, struct error *error)
{
    if (!child_start(f->child, f->limit_s, error))
        return false;
    post(f, cases, n, wants);
    return await(f, error);
}

/*
 * Each case alone, in one fresh process. Returns the first that breaks it, or n: the answers are then in `own`, and
 * took_s is how long they took, without the start of the process, which is long on a busy machine.
 */
static size_t ask_each(struct foreign *f, const struct warp_case *const *cases, size_t n, double *took_s,
                       struct error *error)
{
    bool answered = true;
    *took_s = 0;
    child_end(f->child);
    for (size_t i = 0; i < n; i++) {
        if (!ask(f, cases[i], 1, WANTS_EVAL, error))
            return i;
        *took_s += clock_seconds() - f->asked_at;
        answered = answered && f->board->answered;
        f->own[i] = *results_of(f, 1);
    }
    f->board->answered = answered;
    return n;
}

static bool breaks_alone(struct foreign *f, const struct warp_case *c, struct error *error)
{
    const double limit_s = f->limit_s;
    const bool given = f->limit_given, hangs = error->code == ERROR_TIMEOUT;
    struct error again;
    bool breaks;
    child_end(f->child);
    if (hangs && limit_s > LOOK_S) { /* it was waited for long enough before */
        f->limit_s = LOOK_S;
        f->limit_given = true;
    }
    breaks = !ask(f, c, 1, WANTS_EVAL, &again) && is_break(&again);
    f->limit_s = limit_s;
    f->limit_given = given;
    if (breaks && !hangs)
        *error = again;
    return breaks;
}

/*
 * After it broke on several cases: which of them was it? (A hang is waited for again, as long as one case may take.)
 * When no case alone breaks it, a call that took too long was only slow if the cases take as long one after the other:
 * true, with their answers. A call that hung, and does not when it is repeated, is noted once; the second is a failure.
 */
static bool look_into(struct foreign *f, struct error *error)
{
    const struct warp_case *cases[CASES_MAX];
    const double waited_s = f->waits_s;
    double took_s;
    struct error found = *error;
    char when[100];
    size_t n = 0, i;
    if (error->code == ERROR_TIMEOUT && waited_s >= LOOK_S)
        tell_slow(f);
    for (size_t k = 0; k < f->n; k++)
        if (f->refused[k] == 0)
            cases[n++] = &f->cases[k];
    if (n == 0)
        return fail(f, error, "on several cases, of which it accepts none, the first is", f->cases, false);
    f->own = malloc(n * sizeof *f->own);
    if (f->own == NULL)
        return fail(f, error, "on several cases, the first is", cases[0], false);
    i = ask_each(f, cases, n, &took_s, &found);
    if (i < n && !is_break(&found))
        return fail(f, &found, "", NULL, false);
    if (i < n && breaks_alone(f, cases[i], &found))
        return fail(f, &found, "on", cases[i], true);
    if (i == n && error->code == ERROR_TIMEOUT && took_s >= waited_s / 2) {
        f->slow = true;
        return true;
    }
    child_end(f->child);
    if (error->code == ERROR_TIMEOUT && f->late == 0 && ask(f, f->cases, f->n, f->wants, &found)) {
        f->late++;
        snprintf(f->note, sizeof f->note, "%s %.200s (%s) to %zu cases, and did when it was asked again", f->file,
                 error->text, IMPL_TIMEOUT_VARIABLE, n);
        free(f->own);
        f->own = NULL;
        return true;
    }
    snprintf(when, sizeof when, "on %zu cases but on none of them alone, the first is", n);
    return fail(f, error, when, cases[0], false);
}

/* It ended, or was ended, with something unanswered. True when that could be mended. */
static bool broken(struct foreign *f, struct error *error)
{
    const uint32_t said = number_at(&f->board->at), at = said < f->n ? said : 0;
    const bool accepts = f->board->stage == STAGE_ACCEPTS;
    if (error->code == ERROR_DECLINED)
        return fail(f, error, "", NULL, false);
    if (!is_break(error)) { /* interrupted */
        f->state = ASKED_NOTHING;
        return false;
    }
    if (accepts)
        return fail(f, error, "when asked whether it accepts", &f->cases[at], true);
    if (f->n == 1)
        return fail(f, error, "on", f->cases, true);
    return look_into(f, error);
}

/* The answers to what was asked are there, or it failed. */
static bool settle(struct foreign *f, struct error *error)
{
    bool good;
    if (f->state != ASKED_PENDING)
        return f->state == ASKED_SETTLED;
    good = await(f, error);
    memcpy(f->refused, f->board->refused, f->n);
    if (!good && !broken(f, error))
        return false;
    f->state = ASKED_SETTLED;
    return true;
}

static void forget(struct foreign *f)
{
    struct error error;
    if (f->state == ASKED_PENDING && !f->failed)
        settle(f, &error);
    free(f->own);
    f->own = NULL;
    f->state = ASKED_NOTHING;
}

/* Begins with n cases; at most CASES_MAX. */
static bool begin(struct foreign *f, const struct warp_case *cases, size_t n, uint32_t wants, struct error *error)
{
    forget(f);
    if (f->failed)
        return false;
    f->cases = cases;
    f->n = n;
    f->in_place = cases == cases_of(f->placed_end, n);
    f->wants = wants;
    memset(f->refused, 0, n);
    if (!child_start(f->child, f->limit_s, error)) {
        if (is_break(error) || error->code == ERROR_DECLINED)
            fail(f, error, "when it was loaded", NULL, false);
        return false;
    }
    post(f, cases, n, wants);
    f->state = ASKED_PENDING;
    return true;
}

void foreign_ask_ahead(struct foreign *f, const struct warp_case *cases, size_t n, enum impl_ahead ahead)
{
    const uint32_t wants = (f->impl.accepts != NULL && ahead != IMPL_ANSWERS ? WANTS_ACCEPTS : 0u) |
                           (ahead != IMPL_ACCEPTS ? WANTS_EVAL : 0u);
    struct error error;
    if (n > 0 && n <= CASES_MAX && wants != 0 && !f->failed)
        begin(f, cases, n, wants, &error);
}

/* Is this case among those that were asked ahead? Then *at is which. */
static bool is_asked(const struct foreign *f, const struct warp_case *c, size_t *at)
{
    const uintptr_t from = (uintptr_t)f->cases, to = (uintptr_t)c;
    if (f->state == ASKED_NOTHING || (f->wants & WANTS_ACCEPTS) == 0 || to < from || to >= from + f->n * sizeof *c)
        return false;
    *at = (to - from) / sizeof *c;
    return f->in_place || memcmp(&cases_of(f->copied_end, f->n)[*at], c, sizeof *c) == 0;
}

/* A failure is no refusal: the case counts as accepted, and eval then tells. */
/* A failure is for eval to report; but after an interrupt it may answer, and nobody knows whether it takes the case. */
static bool accepts_unasked(const struct error *error, char *why, size_t why_size)
{
    if (error->code != ERROR_INTERRUPTED)
        return true;
    if (why_size > 0)
        snprintf(why, why_size, "interrupted");
    return false;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    struct foreign *const f = state;
    struct error error = {.code = ERROR_NONE};
    size_t at = 0;
    if (f->failed)
        return true;
    if (!is_asked(f, c, &at)) {
        at = 0;
        if (!begin(f, c, 1, WANTS_ACCEPTS, &error))
            return accepts_unasked(&error, why, why_size);
    }
    if (!settle(f, &error))
        return accepts_unasked(&error, why, why_size);
    if (f->refused[at] == 0)
        return true;
    if (why_size > 0)
        text_printable(f->board->why[at], strnlen(f->board->why[at], WHY_MAX), why, why_size);
    return false;
}

/* Are these the cases that were asked ahead, but for those that it refused? */
static bool are_asked(const struct foreign *f, const struct warp_case *cases, size_t n)
{
    const struct warp_case *const sent = cases_of(f->in_place ? f->placed_end : f->copied_end, f->n);
    size_t k = 0;
    if (f->state == ASKED_NOTHING || (f->wants & WANTS_EVAL) == 0 || n > f->n)
        return false;
    if (n == f->n && memchr(f->refused, 1, n) == NULL)
        return sent == cases || memcmp(sent, cases, n * sizeof *cases) == 0;
    for (size_t i = 0; i < f->n; i++) {
        if (f->refused[i] != 0)
            continue;
        if (k == n || memcmp(&sent[i], &cases[k], sizeof cases[k]) != 0)
            return false;
        k++;
    }
    return k == n;
}

/* What is said where there is no room for all of it ends in "...". */
static bool say(const char *text, char *error, size_t error_size)
{
    cut(error, error_size, snprintf(error, error_size, "%s", text));
    return false;
}

static bool eval_some(struct foreign *f, const struct warp_case *cases, size_t n, struct warp_result *results,
                      char *error, size_t error_size)
{
    struct error e = {0};
    const bool asked = f->state != ASKED_NOTHING && settle(f, &e) && are_asked(f, cases, n);
    bool answered;
    if (!f->failed && !asked && begin(f, cases, n, WANTS_EVAL, &e))
        settle(f, &e);
    if (f->failed)
        return say(f->failure.error.text, error, error_size);
    if (f->state != ASKED_SETTLED)
        return say(e.text, error, error_size);
    answered = number_at(&f->board->answered) != 0;
    memcpy(results, f->own != NULL ? f->own : results_of(f, n), n * sizeof *results);
    if (!answered)
        text_printable(f->board->error, strnlen(f->board->error, sizeof f->board->error), error, error_size);
    forget(f);
    return answered;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    for (size_t done = 0; done < n; done += CASES_MAX) {
        const size_t part = n - done < CASES_MAX ? n - done : CASES_MAX;
        if (!eval_some(state, cases + done, part, results + done, error, error_size))
            return false;
    }
    return true;
}

struct warp_case *foreign_place(struct foreign *f, size_t n)
{
    if (!f->sealed || n > CASES_MAX)
        return NULL;
    forget(f);
    return cases_of(f->placed_end, n);
}

bool foreign_run(struct foreign *f, impl_work_fn work, void *argument, size_t size, struct error *error)
{
    forget(f);
    if (size > IMPL_WORK_MAX)
        return error_set(error, ERROR_INTERNAL, "%zu bytes are too many for one piece of work", size);
    if (f->failed) {
        *error = f->failure.error;
        return false;
    }
    if (!child_start(f->child, f->limit_s, error))
        return error_prefix(error, "%s", f->file);
    f->board->work = work;
    f->board->fault = 0;
    f->posted = 0;
    memcpy(f->board->argument, argument, size);
    child_post(f->child, REQUEST_RUN);
    if (!child_await(f->child, f->limit_s, error)) {
        if (is_break(error)) {
            fail(f, error, "", NULL, false);
            *error = f->failure.error;
        }
        return false;
    }
    memcpy(argument, f->board->argument, size);
    return true;
}

/* --- opening and closing --- */

bool foreign_limit(double *limit_s, struct error *error)
{
    const char *const text = getenv(IMPL_TIMEOUT_VARIABLE);
    char word[64];
    uint64_t value = IMPL_TIMEOUT_MS;
    if (text != NULL && (!text_number(text, &value) || value > LIMIT_MAX))
        return error_set(error, ERROR_USAGE,
                         "the environment variable %s is `%s`: give milliseconds, 1 to %u, or 0 for no limit",
                         IMPL_TIMEOUT_VARIABLE, text_printable(text, strlen(text), word, sizeof word), LIMIT_MAX);
    *limit_s = (double)value / 1000;
    return true;
}

void foreign_hurry(struct foreign *f, double limit_s)
{
    const double own = f->longest_s * HANG_TIMES;
    const double least = own > limit_s ? own : limit_s;
    if (limit_s <= 0) {
        f->limit_s = f->calm_limit_s;
        f->limit_given = f->calm_given;
        return;
    }
    if (f->limit_s <= 0 || f->limit_s > least)
        f->limit_s = least;
    f->limit_given = true;
}

/* Takes a mapping, and makes of it arrays that end at a page that nobody may touch. */
static void lay_out(char *at, const size_t *sizes, char **const *ends, size_t count)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < count; i++) {
        at += whole_pages(sizes[i]);
        *ends[i] = at;
        mprotect(at, page, PROT_NONE);
        at += page;
    }
}

static char *map_shared(size_t size, int protection, int fd)
{
    char *const at = mmap(NULL, size, protection, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
    return at != MAP_FAILED ? at : NULL;
}

/*
 * Maps the cases twice: where this process writes them, which no child inherits, and where children read them, which
 * the seal keeps from ever being made writable. Without seals (an old kernel) there is one mapping, and no cases are
 * made in place: a child that writes there changes copies.
 */
static void map_cases(struct foreign *f)
{
    const size_t size = cases_size();
    const int fd = memfd_create("warpcheck", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && ftruncate(fd, (off_t)size) == 0)
        f->given = map_shared(size, PROT_READ | PROT_WRITE, fd);
    f->sealed = f->given != NULL && madvise(f->given, size, MADV_DONTFORK) == 0 &&
                fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0 &&
                (f->shown = map_shared(size, PROT_READ, fd)) != NULL;
    if (fd >= 0)
        close(fd);
    if (f->sealed)
        return;
    if (f->given != NULL)
        munmap(f->given, size);
    f->given = f->shown = map_shared(size, PROT_READ | PROT_WRITE, -1);
}

/* The board, and behind it two arrays. */
static size_t room_size(void)
{
    return whole_pages(sizeof(struct board)) + whole_pages(CASES_MAX * sizeof(struct warp_case)) +
           whole_pages(CASES_MAX * sizeof(struct warp_result)) + 3 * (size_t)sysconf(_SC_PAGESIZE);
}

static bool make_room(struct foreign *f)
{
    char *board_end, *shown_end;
    char **const ends[] = {&board_end, &f->kept_end, &f->results_end};
    char **const given[] = {&f->copied_end, &f->placed_end}, **const shown[] = {&shown_end, &shown_end};
    const size_t case_room = CASES_MAX * sizeof(struct warp_case);
    const size_t sizes[] = {sizeof(struct board), case_room, CASES_MAX * sizeof(struct warp_result)};
    const size_t cases[] = {case_room, case_room};
    char *const all = map_shared(room_size(), PROT_READ | PROT_WRITE, -1);
    if (all == NULL)
        return false;
    f->board = (struct board *)(void *)all;
    lay_out(all, sizes, ends, 3);
    map_cases(f);
    if (f->given == NULL)
        return false;
    lay_out(f->given, cases, given, 2);
    lay_out(f->shown, cases, shown, 2);
    return true;
}

static void free_foreign(struct foreign *f)
{
    child_free(f->child);
    if (f->board != NULL)
        munmap(f->board, room_size());
    if (f->given != NULL)
        munmap(f->given, cases_size());
    if (f->sealed)
        munmap(f->shown, cases_size());
    free(f->own);
    history_free(&f->history);
    free(f);
}

void foreign_clean_offer(const struct impl_offer *from, struct impl_offer *to)
{
    unsigned char batch; /* a foreign byte may be no bool */
    text_printable(from->name, strnlen(from->name, sizeof from->name), to->name, sizeof to->name);
    text_printable(from->description, strnlen(from->description, sizeof from->description), to->description,
                   sizeof to->description);
    memcpy(&batch, &from->batch, 1);
    to->provides = from->provides & WARP_PART_ALL;
    to->batch = batch != 0;
}

/* What the child offers becomes what others see; a name or description that it changes later changes nothing. */
static void take_offer(struct foreign *f)
{
    foreign_clean_offer(&f->board->offer, &f->offer);
    f->impl = (struct warp_impl){.name = f->offer.name,
                                 .description = f->offer.description,
                                 .provides = f->offer.provides,
                                 .state = f,
                                 .accepts = f->board->has_accepts ? accepts : NULL,
                                 .eval = eval};
}

void foreign_tell_load(const char *path, struct error *error)
{
    char how[ERROR_TEXT_MAX], name[512];
    memcpy(how, error->text, sizeof how);
    snprintf(error->text, sizeof error->text, "%s %.400s%s while it was loaded",
             text_printable(path, strlen(path), name, sizeof name), how,
             error->code == ERROR_TIMEOUT ? " (" IMPL_TIMEOUT_VARIABLE ")" : "");
}

static struct foreign *open_foreign(struct foreign *f, struct error *error)
{
    struct child_plan plan;
    if (f == NULL || !make_room(f)) {
        if (f != NULL)
            free_foreign(f);
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    plan = (struct child_plan){.who = f->file,
                               .board = f->board,
                               .regions = {{f->board, room_size()}, {f->shown, cases_size()}},
                               .context = f,
                               .start = start,
                               .serve = serve,
                               .slow = tell_slow};
    f->child = child_open(&plan);
    if (f->child == NULL) {
        error_set(error, ERROR_SYSTEM, "out of memory");
    } else if (foreign_limit(&f->limit_s, error)) {
        f->limit_given = f->calm_given = getenv(IMPL_TIMEOUT_VARIABLE) != NULL;
        f->calm_limit_s = f->limit_s;
        if (child_start(f->child, f->limit_s, error)) {
            take_offer(f);
            return f;
        }
        if (error != NULL && (is_break(error) || error->code == ERROR_DECLINED))
            foreign_tell_load(f->path[0] != '\0' ? f->path : f->file, error);
    }
    free_foreign(f);
    return NULL;
}

struct foreign *foreign_open_plugin(const char *path, const char *name, struct error *error)
{
    const char *const file = file_name(path);
    struct foreign *const f = calloc(1, sizeof *f);
    if (f != NULL) {
        snprintf(f->path, sizeof f->path, "%s", path);
        snprintf(f->wanted, sizeof f->wanted, "%s", name);
        text_printable(file, strlen(file), f->file, sizeof f->file);
    }
    return open_foreign(f, error);
}

struct foreign *foreign_open_builtin(const struct warp_impl *inner, warp_batch_fn batch, struct error *error)
{
    struct foreign *const f = calloc(1, sizeof *f);
    if (f != NULL) {
        f->inner = inner;
        f->batch = batch;
        snprintf(f->file, sizeof f->file, "%s", inner->name);
    }
    return open_foreign(f, error);
}

struct foreign *foreign_open_like(const struct warp_impl *impl, struct error *error)
{
    const struct foreign *const f = foreign_of(impl);
    const struct warp_impl *inner = impl;
    const warp_batch_fn batch = f == NULL ? impl_batch(impl, &inner) : f->batch;
    if (f != NULL && f->path[0] != '\0')
        return foreign_open_plugin(f->path, f->wanted, error);
    return foreign_open_builtin(f != NULL ? f->inner : inner, batch, error);
}

/* Asks it to close. What it should do: say that it is closed, and end with status 0. */
static bool end_well(struct foreign *f, struct error *error)
{
    f->board->closed = 0;
    f->board->fault = 0;
    child_post(f->child, REQUEST_CLOSE);
    if (child_await(f->child, f->limit_s, error)) /* it wrote into the memory that both see */
        error_set(error, ERROR_DECLINED, "gave an answer instead of ending");
    else if (error->code == ERROR_EXIT && error->detail == 0 && f->board->closed == CLOSED)
        return true;
    if (error->code == ERROR_INTERRUPTED)
        return true;
    fail(f, error, "when it was closed", NULL, false);
    *error = f->failure.error;
    return false;
}

bool foreign_close(struct foreign *f, struct error *error)
{
    const bool told = f->failed;
    struct error own;
    bool good;
    forget(f);
    good = f->failed || !child_runs(f->child) || end_well(f, &own);
    if (f->failed && !told) { /* on cases that were asked ahead and whose answers were never fetched */
        own = f->failure.error;
        good = false;
    }
    if (good && f->note[0] != '\0')
        good = error_set(&own, ERROR_TIMEOUT, "%s", f->note);
    if (!good && error != NULL)
        *error = own;
    free_foreign(f);
    return good;
}

/* --- how it fares --- */

const struct warp_impl *foreign_impl(const struct foreign *foreign)
{
    return &foreign->impl;
}

struct foreign *foreign_of(const struct warp_impl *impl)
{
    return impl->eval == eval ? impl->state : NULL;
}

bool foreign_has_batch(const struct foreign *foreign)
{
    return foreign->offer.batch;
}

const struct impl_failure *foreign_failure(const struct foreign *foreign)
{
    return foreign->failed ? &foreign->failure : NULL;
}

const char *foreign_note(const struct foreign *foreign)
{
    return foreign->note[0] != '\0' ? foreign->note : NULL;
}

size_t foreign_history(const struct foreign *f, struct warp_case *cases)
{
    return history_get(&f->history, cases);
}

bool foreign_restart(struct foreign *f, struct error *error)
{
    forget(f);
    history_forget(&f->history);
    f->failed = false;
    child_end(f->child);
    return child_start(f->child, f->limit_s, error) || error_prefix(error, "%s", f->file);
}
