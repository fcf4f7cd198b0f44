#include "check/guarded.h"

#include "base/clock.h"
#include "check/guard.h"
#include "warpcheck/text.h"

#include <stdio.h>
#include <string.h>

/* The words of one call; the plugin writes its answer through them. */
struct request {
    struct guarded *guarded;
    const struct warp_case *cases;
    size_t n;
    struct warp_result *results;
    char *text; /* eval's error, accepts' why */
    size_t text_size;
    bool answer;
};

static void call_eval(void *argument)
{
    struct request *const r = argument;
    const struct warp_impl *const inner = r->guarded->inner;
    r->answer = inner->eval(inner->state, r->cases, r->n, r->results, r->text, r->text_size);
}

static void call_accepts(void *argument)
{
    struct request *const r = argument;
    const struct warp_impl *const inner = r->guarded->inner;
    r->answer = inner->accepts(inner->state, r->cases, r->text, r->text_size);
}

static void call_close(void *argument)
{
    struct request *const r = argument;
    r->guarded->inner->close(r->guarded->inner->state);
}

static void ending_eval(const void *argument, char *text, size_t size)
{
    const struct request *const r = argument;
    snprintf(text, size, "%s: %s ended the process (exit) while answering %zu case%s, the first of which is %s",
             r->guarded->file, r->guarded->impl.name, r->n, r->n == 1 ? "" : "s",
             warp_form_get(r->cases[0].form)->name);
}

static void ending_accepts(const void *argument, char *text, size_t size)
{
    const struct request *const r = argument;
    snprintf(text, size, "%s: %s ended the process (exit) when asked whether it accepts a case of %s", r->guarded->file,
             r->guarded->impl.name, warp_form_get(r->cases[0].form)->name);
}

static void ending_close(const void *argument, char *text, size_t size)
{
    const struct request *const r = argument;
    snprintf(text, size, "%s: %s ended the process (exit) when it was closed", r->guarded->file, r->guarded->impl.name);
}

/* "crashed with SIGSEGV", "ended the process (exit)" or "gave no answer within 60 s". */
static void say_what(int how, char *text, size_t size)
{
    const unsigned limit = guard_timeout_ms();
    if (how == GUARD_EXITED)
        snprintf(text, size, "ended the process (exit)");
    else if (how != GUARD_TIMED_OUT)
        snprintf(text, size, "crashed with %s", guard_signal_name(how));
    else if (limit % 1000 == 0)
        snprintf(text, size, "gave no answer within %u s (%s)", limit / 1000, GUARD_TIMEOUT_VARIABLE);
    else
        snprintf(text, size, "gave no answer within %u ms (%s)", limit, GUARD_TIMEOUT_VARIABLE);
}

/* The case comes last, so that only it is cut where there is no room. */
static void bury(struct guarded *guarded, int how, const char *when, const struct warp_case *c)
{
    char what[100], text[WARP_TEXT_MAX];
    int length;
    guarded->dead = true;
    guarded->how = how;
    guarded->culprit = *c;
    say_what(how, what, sizeof what);
    warp_case_to_text(c, text, sizeof text);
    length = snprintf(guarded->reason, sizeof guarded->reason, "%s %s %s %s", guarded->file, what, when, text);
    if (length >= (int)sizeof guarded->reason)
        memcpy(guarded->reason + sizeof guarded->reason - 4, "...", 4);
}

/* Asks each case of a batch alone: false when it crashed or hung on one, which is then the culprit. */
static bool ask_each(struct request *batch)
{
    batch->answer = true;
    for (size_t i = 0; i < batch->n; i++) {
        struct request one = *batch;
        int how;
        one.cases = &batch->cases[i];
        one.results = &batch->results[i];
        one.n = 1;
        how = guard_call(call_eval, &one, ending_eval);
        if (how != GUARD_RETURNED) {
            bury(batch->guarded, how, "on", one.cases);
            return false;
        }
        batch->answer = batch->answer && one.answer;
    }
    return true;
}

/*
 * After a crash or a hang in a batch: which case was it? (A hang costs the time limit once more.) No case alone takes
 * the whole limit: then a batch that did was slow, when the cases take as long one after the other, or the machine was
 * busy, when the batch comes back now. Its results are there, and true is returned.
 */
static bool find_culprit(struct request *batch, int how)
{
    const double start = clock_seconds();
    const double limit = guard_timeout_ms() / 1000.0;
    char when[100];
    if (!ask_each(batch))
        return false;
    if (how == GUARD_TIMED_OUT && clock_seconds() - start >= limit / 2)
        return true;
    if (how == GUARD_TIMED_OUT)
        how = guard_call(call_eval, batch, ending_eval);
    if (how == GUARD_RETURNED)
        return true;
    snprintf(when, sizeof when, "on %zu cases but on none of them alone, the first is", batch->n);
    bury(batch->guarded, how, when, batch->cases);
    return false;
}

static bool tell(const struct guarded *guarded, char *error, size_t error_size)
{
    const int length = snprintf(error, error_size, "%s", guarded->reason);
    if (error_size > 4 && length >= (int)error_size)
        memcpy(error + error_size - 4, "...", 4);
    return false;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    struct guarded *const guarded = state;
    struct request request = {guarded, cases, n, results, error, error_size, false};
    int how;
    if (guarded->dead)
        return tell(guarded, error, error_size);
    if (n == 0)
        return true;
    how = guard_call(call_eval, &request, ending_eval);
    guarded->impl.provides = guarded->inner->provides; /* its first answers may settle it */
    if (how == GUARD_RETURNED)
        return request.answer;
    if (n == 1)
        bury(guarded, how, "on", cases);
    else if (find_culprit(&request, how))
        return request.answer;
    return tell(guarded, error, error_size);
}

/* A crash is no refusal: the case counts as accepted, and eval then tells. */
static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    struct guarded *const guarded = state;
    struct request request = {guarded, c, 1, NULL, why, why_size, false};
    int how;
    if (guarded->dead)
        return true;
    how = guard_call(call_accepts, &request, ending_accepts);
    if (how == GUARD_RETURNED)
        return request.answer;
    bury(guarded, how, "when asked whether it accepts", c);
    return true;
}

void guarded_init(struct guarded *guarded, const struct warp_impl *inner, const char *path)
{
    const char *const slash = strrchr(path, '/');
    memset(guarded, 0, sizeof *guarded);
    guarded->inner = inner;
    snprintf(guarded->file, sizeof guarded->file, "%s", slash != NULL ? slash + 1 : path);
    guarded->impl = *inner;
    guarded->impl.state = guarded;
    guarded->impl.eval = eval;
    guarded->impl.accepts = inner->accepts != NULL ? accepts : NULL;
    guarded->impl.close = NULL; /* plugin_close does it */
}

const struct warp_case *guarded_culprit(const struct warp_impl *impl)
{
    const struct guarded *const guarded = impl->eval == eval ? impl->state : NULL;
    return guarded != NULL && guarded->dead ? &guarded->culprit : NULL;
}

void guarded_explain(const struct warp_impl *impl, struct error *error)
{
    const struct guarded *const guarded = impl->eval == eval ? impl->state : NULL;
    if (guarded == NULL || !guarded->dead)
        return;
    error->code = guarded->how == GUARD_TIMED_OUT ? ERROR_TIMEOUT
                  : guarded->how == GUARD_EXITED  ? ERROR_EXIT
                                                  : ERROR_CRASH;
    error->detail = guarded->how;
}

void guarded_close(struct guarded *guarded)
{
    struct request request = {.guarded = guarded};
    char what[100];
    int how;
    if (guarded->dead || guarded->inner->close == NULL)
        return;
    how = guard_call(call_close, &request, ending_close);
    if (how == GUARD_RETURNED)
        return;
    guarded->dead = true;
    say_what(how, what, sizeof what);
    fprintf(stderr, "warpcheck: %s: %s %s when it was closed\n", guarded->file, guarded->impl.name, what);
}
