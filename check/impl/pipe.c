#define _POSIX_C_SOURCE 200809L /* sigtimedwait, strdup */
#include "check/impl/pipe.h"

#include "base/clock.h"
#include "base/coprocess.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "check/impl/history.h"
#include "check/impl/listen.h"
#include "warpcheck/text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_LONGEST 65536u
#define START_S      1.0  /* that a process may need to start, also when it is hurried */
#define SLOW_S       5.0  /* after which it is said that it is waited for */
#define SLOW_RATE    50.0 /* answers a second, below which it is said that it is slow */
#define SILENT_S     2.5  /* without any answer, after which it is looked whether it holds its answers back */
#define GRACE_S      0.5  /* for a process to end by itself once its input is closed, */
#define END_S        5.0  /* and when how it ends is part of the verdict: a busy machine takes its time */

/*
 * `accepts` and `eval` are one question to a process. So `accepts` asks, and `eval` uses the answer that is kept. That
 * costs a round trip a case; once a process has accepted TRUSTED cases of a form and refused none, `accepts` says yes
 * unasked and `eval` asks for the whole batch at once. When a trusted form is then refused, `eval` fails; asked again,
 * `accepts` knows.
 */
#define TRUSTED 64u
#define KEPT    1024u /* answers that are remembered; at least as many as a batch has cases */
#define ASK_MAX 512u  /* cases in one exchange */

struct kept {
    bool fresh; /* not used by eval yet */
    bool refused;
    char why[80];
    struct warp_case c;
    struct warp_result result;
};

struct pipe_impl {
    struct warp_impl impl;
    char *command;
    double timeout_s, calm_timeout_s; /* of one answer; the second, before it was hurried */
    struct coprocess co;
    struct listener said; /* its standard error */
    char *unread;         /* LINE_LONGEST bytes, of which `filled` hold what was read and not yet handed out */
    size_t filled;
    bool answers;      /* this process has answered a line */
    bool is_slow;      /* and it was said that it does so slowly */
    uint64_t answered; /* lines, in */
    double waited_s;   /* so many seconds */
    bool failed;       /* it is not asked any more */
    struct impl_failure failure;
    uint32_t settled; /* parts of which it is known whether the process provides them */
    uint32_t accepted[WARP_FORMS];
    bool refuses[WARP_FORMS];
    struct kept *kept; /* a ring of KEPT */
    size_t next;       /* where the next answer goes */
    size_t hint;       /* where the next question is likely to be answered */
    size_t fresh;      /* how many of them eval has not used yet */
    char *text;        /* room for ASK_MAX cases */
    struct warp_text parsed;
    struct history history;
};

/* The exchange under way. */
struct exchange {
    const struct warp_case *cases;
    size_t answered, n;
    const char *text; /* still to write */
    size_t length;
    const char *sent; /* the line of the case that is answered next */
    double began;
    double spoke;    /* when it last wrote to its standard error */
    double deadline; /* of the next line */
    bool told;       /* that it is waited for */
    bool looked;     /* whether it holds its answers back */
};

static bool fail_answer(struct pipe_impl *p, const char *line, const char *what)
{
    char clean[80];
    text_printable(line, strnlen(line, 60), clean, sizeof clean);
    return error_set(&p->failure.error, ERROR_DECLINED, "%s; the answer was `%s%s`", what, clean,
                     strlen(line) > 60 ? "..." : "");
}

/* The parts that an answer to this case can show. */
static uint32_t relevant_parts(const struct warp_case *c, const struct warp_text *answer)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    uint32_t parts = WARP_PART_OUTCOME;
    if (warp_form_writes_d(info, c->dst))
        parts |= WARP_PART_D | WARP_PART_D_DEFINED;
    if (warp_form_writes_p(info, c->dst))
        parts |= WARP_PART_P;
    if (answer->result.waiting != 0)
        parts |= WARP_PART_WAITS_FOR;
    return parts;
}

/* The first answer that could show a part settles whether the process provides it; later ones must keep to that. */
static bool settle_parts(struct pipe_impl *p, const struct warp_case *c, const char *line)
{
    const uint32_t relevant = relevant_parts(c, &p->parsed);
    const uint32_t missing = relevant & ~p->parsed.parts;
    if (missing & p->settled & p->impl.provides)
        return fail_answer(p, line, "it leaves out a part of the result that its first answer had");
    p->impl.provides &= ~(missing & ~p->settled);
    p->settled |= relevant;
    return true;
}

/* Does the line begin with the case as it was sent, up to the arrow? */
static bool repeats_sent(const char *sent, size_t length, const char *line, const char *arrow)
{
    if ((size_t)(arrow - line) < length || memcmp(line, sent, length) != 0)
        return false;
    const char *at = line + length;
    while (at < arrow && (*at == ' ' || *at == '\t'))
        at++;
    return at == arrow;
}

/*
 * Reads CASE => RESULT. The case may be missing. `line` is the answer, `sent` the case as it was sent. What it repeats
 * must be what it was asked: else the two have lost step. Mostly it is the same text, and is not read again.
 */
static bool read_result(struct pipe_impl *p, const struct warp_case *c, const char *sent, size_t length,
                        const char *line, const char *arrow)
{
    struct warp_text_error error;
    const bool repeats = strspn(line, " \t") < (size_t)(arrow - line);
    if (!repeats || repeats_sent(sent, length, line, arrow)) {
        p->parsed.c = *c;
        return warp_result_parse(arrow + 2, strlen(arrow + 2), &p->parsed, &error) || fail_answer(p, line, error.what);
    }
    if (!warp_text_parse(line, strlen(line), &p->parsed, &error))
        return fail_answer(p, line, error.what);
    return memcmp(&p->parsed.c, c, sizeof *c) == 0 ||
           fail_answer(p, line, "it answers another case than the one asked");
}

static struct kept *keep(struct pipe_impl *p, const struct warp_case *c)
{
    struct kept *const k = &p->kept[p->next];
    p->next = (p->next + 1) % KEPT;
    p->fresh += !k->fresh;
    k->fresh = true;
    k->refused = false;
    k->why[0] = '\0';
    k->c = *c;
    return k;
}

/* A line of the answer, without its newline; `sent` is the case as it was sent. */
static bool take_answer(struct pipe_impl *p, const struct warp_case *c, const char *sent, size_t sent_length,
                        const char *line, size_t length)
{
    const char *why;
    size_t why_length;
    if (strlen(line) != length)
        return fail_answer(p, line, "it has a zero byte");
    if (warp_text_declines(line, length, &why, &why_length)) {
        struct kept *const k = keep(p, c);
        k->refused = true;
        text_printable(why, why_length, k->why, sizeof k->why);
        p->refuses[c->form] = true;
        return true;
    }
    const char *const arrow = strstr(line, "=>");
    if (arrow == NULL)
        return fail_answer(p, line, "an answer is `=> result` or `not accepted: why`");
    if (!read_result(p, c, sent, sent_length, line, arrow) || !settle_parts(p, c, line))
        return false;
    keep(p, c)->result = p->parsed.result;
    p->accepted[c->form]++;
    return true;
}

/* --- the process --- */

static bool start(struct pipe_impl *p, struct error *error)
{
    p->filled = 0;
    p->answers = false;
    const bool started = coprocess_start(&p->co, p->command, COPROCESS_HEARD, error);
    listen_begin(&p->said, "pipe", 0, p->co.said);
    return started;
}

/* What it writes although nothing was asked: counted in `filled`, and forgotten where there is no room. */
static void read_surplus(struct pipe_impl *p)
{
    char forgotten[4096];
    ssize_t n;
    do {
        const bool has_room = p->filled < LINE_LONGEST;
        n = has_room ? read(p->co.from, p->unread + p->filled, LINE_LONGEST - p->filled)
                     : read(p->co.from, forgotten, sizeof forgotten);
        p->filled += has_room && n > 0 ? (size_t)n : 0;
    } while (n == (ssize_t)sizeof forgotten);
}

/* Gives it a moment to end, and listens meanwhile: what it prints last must not keep it from ending. */
static struct process_end wait_for_end(struct pipe_impl *p, double seconds)
{
    const double deadline = clock_seconds() + seconds;
    struct process_end end;
    do {
        listen_some(&p->said);
        read_surplus(p);
        end = process_wait(p->co.pid, clock_seconds() + 0.01);
    } while (end.ending == PROCESS_RUNS && clock_seconds() < deadline && !interrupted());
    read_surplus(p);
    return end;
}

/* Closes its pipes, gives it so long to end, then kills what is left of its group. */
static struct process_end stop(struct pipe_impl *p, double seconds)
{
    struct process_end end = {.ending = PROCESS_RUNS};
    const pid_t pid = p->co.pid;
    const bool hung = p->failed && p->failure.error.code == ERROR_TIMEOUT;
    coprocess_close(&p->co.to);
    if (pid != 0 && !hung) /* one that hangs would not end by itself */
        end = wait_for_end(p, seconds);
    coprocess_close(&p->co.from);
    if (pid != 0 && end.ending == PROCESS_RUNS)
        process_kill(pid);
    else if (pid != 0)
        process_signal(pid, SIGKILL);
    listen_end(&p->said);
    p->co.pid = 0;
    return end;
}

/* It closed its output: say how it ended, if it did. */
static bool fail_ended(struct pipe_impl *p)
{
    struct error *const error = &p->failure.error;
    const struct process_end end = stop(p, GRACE_S);
    if (end.ending == PROCESS_RUNS)
        return error_set(error, ERROR_EXIT, "the process closed its standard output and did not answer");
    return coprocess_explain(end, "before it answered", error);
}

/* All that was asked is answered. What it should do then: write nothing more, and end with status 0. */
static bool end_well(struct pipe_impl *p, struct error *error)
{
    const struct process_end end = stop(p, END_S);
    char clean[80];
    if (interrupted())
        return true;
    if (p->filled > 0) {
        text_printable(p->unread, p->filled < 60 ? p->filled : 60, clean, sizeof clean);
        return error_set(error, ERROR_DECLINED, "the process wrote more than it was asked for: `%s%s`", clean,
                         p->filled > 60 ? "..." : "");
    }
    if (end.ending == PROCESS_RUNS)
        return error_set(error, ERROR_TIMEOUT, "the process did not end within %.0f s of the end of its input", END_S);
    return (end.ending == PROCESS_EXITED && end.number == 0) || coprocess_explain(end, "after its last answer", error);
}

/* Writes what the pipe takes. A process that no longer reads is no error yet: it may have answered. */
static void write_some(struct pipe_impl *p, struct exchange *x)
{
    const ssize_t n = write(p->co.to, x->text, x->length);
    if (n > 0) {
        x->text += n;
        x->length -= (size_t)n;
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
        coprocess_close(&p->co.to);
        x->length = 0;
    }
}

/* Takes the whole lines that have come. False when one is refused. */
static bool take_lines(struct pipe_impl *p, struct exchange *x)
{
    size_t from = 0;
    char *end;
    while (x->answered < x->n && (end = memchr(p->unread + from, '\n', p->filled - from)) != NULL) {
        const char *const line = p->unread + from;
        *end = '\0';
        from = (size_t)(end - p->unread) + 1;
        x->deadline = clock_seconds() + p->timeout_s;
        x->told = false;
        p->answers = true;
        const size_t sent = strcspn(x->sent, "\n");
        if (!take_answer(p, &x->cases[x->answered], x->sent, sent, line, (size_t)(end - line)))
            return false;
        x->sent += sent + 1;
        x->answered++;
    }
    memmove(p->unread, p->unread + from, p->filled - from);
    p->filled -= from;
    return true;
}

static bool read_some(struct pipe_impl *p, struct exchange *x)
{
    const ssize_t n = read(p->co.from, p->unread + p->filled, LINE_LONGEST - p->filled);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        return fail_ended(p);
    p->filled += n > 0 ? (size_t)n : 0;
    if (!take_lines(p, x))
        return false;
    return p->filled < LINE_LONGEST ||
           error_set(&p->failure.error, ERROR_DECLINED, "an answer has more than %u bytes on one line", LINE_LONGEST);
}

/* Says once on standard error that it is waited for, and with what. */
static void tell_slow(const struct pipe_impl *p, struct exchange *x)
{
    fprintf(stderr, "pipe: no answer for %.0f s to %.*s (an answer may take %.0f s)\n", SLOW_S,
            (int)strcspn(x->sent, "\n"), x->sent, p->timeout_s);
    x->told = true;
}

/* Says once that it answers, but slowly: all that is asked of it will take its time. */
static void tell_pace(struct pipe_impl *p, const struct exchange *x)
{
    const double waited = p->waited_s + clock_seconds() - x->began;
    const uint64_t answered = p->answered + x->answered;
    if (p->is_slow || answered == 0 || waited < SLOW_S || (double)answered > SLOW_RATE * waited)
        return;
    fprintf(stderr, "pipe: it is slow: %llu answer%s in %.0f s\n", (unsigned long long)answered,
            answered == 1 ? "" : "s", waited);
    p->is_slow = true;
}

/* Starts the command a second time, gives it that line alone and ends its input. */
static bool start_probe(const struct pipe_impl *p, const char *line, size_t length, struct coprocess *probe)
{
    struct error error;
    const bool good =
        coprocess_start(probe, p->command, PROCESS_NULL, &error) && write(probe->to, line, length) == (ssize_t)length;
    coprocess_close(&probe->to);
    return good;
}

enum writer { NOBODY, ANSWERS, PROBE, WORDS };

/* Waits until the process, its probe or, where they matter, its words come, or the time is up. */
static enum writer first_to_write(struct pipe_impl *p, int probe, bool words_matter, double deadline)
{
    while (clock_seconds() < deadline && !interrupted()) {
        struct pollfd fds[3] = {{.fd = p->co.from, .events = POLLIN},
                                {.fd = probe, .events = POLLIN},
                                {.fd = p->said.fd, .events = POLLIN}};
        if (poll(fds, 3, 20) <= 0)
            continue;
        const bool speaks = fds[2].revents != 0 && listen_some(&p->said); /* heard, or it would wait for that */
        if (fds[0].revents != 0 || fds[1].revents != 0)
            return fds[0].revents != 0 ? ANSWERS : PROBE;
        if (speaks && words_matter)
            return WORDS;
    }
    return NOBODY;
}

/*
 * Is it silent because it keeps its answers in a buffer? Then it answers when its input ends, while this one, which was
 * asked long before, still does not after as long again, and says nothing.
 */
static bool holds_back(struct pipe_impl *p, const struct exchange *x)
{
    const double began = clock_seconds();
    struct coprocess probe;
    char byte;
    const bool answered = start_probe(p, x->sent, strcspn(x->sent, "\n") + 1, &probe) &&
                          first_to_write(p, probe.from, false, x->deadline) == PROBE && read(probe.from, &byte, 1) == 1;
    const double again = clock_seconds() + (clock_seconds() - began) + START_S;
    const bool is_silent = answered && first_to_write(p, -1, true, again < x->deadline ? again : x->deadline) == NOBODY;
    coprocess_close(&probe.from);
    if (probe.pid > 0) {
        process_signal(probe.pid, SIGTERM); /* with all that it has started */
        if (process_wait(probe.pid, clock_seconds() + START_S).ending == PROCESS_RUNS)
            process_kill(probe.pid);
    }
    return is_silent && !interrupted();
}

static bool step(struct pipe_impl *p, struct exchange *x)
{
    struct pollfd fds[3] = {{.fd = p->co.from, .events = POLLIN},
                            {.fd = x->length > 0 ? p->co.to : -1, .events = POLLOUT},
                            {.fd = p->said.fd, .events = POLLIN}};
    const double left = x->deadline - clock_seconds();
    if (left <= 0)
        return error_set(&p->failure.error, ERROR_TIMEOUT,
                         "no answer within %.0f ms (does the process flush its output after each line?)",
                         p->timeout_s * 1000);
    if (interrupted())
        return error_set(&p->failure.error, ERROR_INTERRUPTED, "was interrupted");
    if (!x->looked && !p->answers && p->filled == 0 && clock_seconds() - x->spoke >= SILENT_S) {
        x->looked = true;
        if (holds_back(p, x))
            return error_set(&p->failure.error, ERROR_DECLINED,
                             "it keeps its answers back until its input ends: let the process flush its output after "
                             "each line (fflush(stdout), print(..., flush=True), sed -u, stdbuf -oL)");
    }
    if (!x->told && p->timeout_s - left >= SLOW_S)
        tell_slow(p, x);
    tell_pace(p, x);
    if (poll(fds, 3, left > 0.25 ? 250 : (int)(left * 1000) + 1) < 0 && errno != EINTR)
        return error_errno(&p->failure.error, "cannot wait for the process");
    if (fds[2].revents != 0 && listen_some(&p->said))
        x->spoke = clock_seconds();
    if (fds[1].revents != 0)
        write_some(p, x);
    return fds[0].revents == 0 || read_some(p, x);
}

/*
 * Writes the text and takes the answers, both at the same time, so that neither side waits for the other. A write to a
 * process that has ended raises SIGPIPE: it is held back here and taken away, and the caller's rules are left alone.
 */
static bool exchange(struct pipe_impl *p, struct exchange *x)
{
    const struct timespec at_once = {0, 0};
    sigset_t broken_pipe, before, pending;
    bool was_pending, ok = true;
    if (p->filled > 0)
        return error_set(&p->failure.error, ERROR_DECLINED, "the process wrote more lines than it was given cases");
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    sigpending(&pending);
    was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    while (ok && (x->answered < x->n || x->length > 0))
        ok = step(p, x);
    while (!was_pending && sigtimedwait(&broken_pipe, NULL, &at_once) < 0 && errno == EINTR)
        continue;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

/* --- asking --- */

/* Asks about n cases, at most ASK_MAX. The answers are the last n kept ones. */
static bool ask(struct pipe_impl *p, const struct warp_case *cases, size_t n)
{
    struct exchange x = {.cases = cases, .n = n, .text = p->text, .sent = p->text};
    if (p->failed)
        return false;
    for (size_t i = 0; i < n; i++) {
        x.length += warp_case_to_text(&cases[i], p->text + x.length, WARP_TEXT_MAX);
        p->text[x.length++] = '\n';
    }
    p->text[x.length] = '\0';
    history_add(&p->history, cases, n);
    p->hint = p->next;
    x.began = x.spoke = clock_seconds();
    x.deadline = x.began + p->timeout_s;
    const bool good = exchange(p, &x);
    tell_pace(p, &x);
    p->waited_s += clock_seconds() - x.began;
    p->answered += x.answered;
    if (good)
        return true;
    p->failed = true;
    p->failure.has_case = x.answered < n; /* the first that was not answered; those before it may have to do with it */
    p->failure.alone = x.answered == 0 && n == 1;
    p->failure.c = cases[x.answered < n ? x.answered : 0];
    return false;
}

/* The kept answer to this case that eval has not used yet, or NULL. Cases come in the order in which they were asked.
 */
static struct kept *find_kept(struct pipe_impl *p, const struct warp_case *c)
{
    for (size_t i = 0; p->fresh > 0 && i < KEPT; i++) {
        const size_t at = (p->hint + i) % KEPT;
        if (p->kept[at].fresh && memcmp(&p->kept[at].c, c, sizeof *c) == 0) {
            p->hint = (at + 1) % KEPT;
            return &p->kept[at];
        }
    }
    return NULL;
}

static bool pipe_accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    struct pipe_impl *const p = state;
    struct kept *k = find_kept(p, c);
    if (k == NULL) {
        const bool is_trusted = p->accepted[c->form] >= TRUSTED && !p->refuses[c->form];
        if (is_trusted || !ask(p, c, 1))
            return true; /* a broken pipe is for eval to report */
        k = find_kept(p, c);
    }
    if (k == NULL || !k->refused)
        return true;
    k->fresh = false;
    p->fresh--;
    if (why_size > 0)
        snprintf(why, why_size, "%s", k->why[0] != '\0' ? k->why : "not accepted");
    return false;
}

/* Asks for those of the cases from the first on that have no kept answer, up to one that has. */
static bool ask_ahead(struct pipe_impl *p, const struct warp_case *cases, size_t n)
{
    size_t run = 1;
    while (run < n && run < ASK_MAX && find_kept(p, &cases[run]) == NULL)
        run++;
    return ask(p, cases, run);
}

static bool pipe_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                      size_t error_size)
{
    struct pipe_impl *const p = state;
    for (size_t i = 0; i < n; i++) {
        struct kept *k = find_kept(p, &cases[i]);
        if (k == NULL && ask_ahead(p, &cases[i], n - i))
            k = find_kept(p, &cases[i]);
        if (k == NULL) {
            snprintf(error, error_size, "%s", p->failure.error.text);
            return false;
        }
        if (k->refused) {
            snprintf(error, error_size, "not accepted: %s", k->why);
            return false;
        }
        results[i] = k->result;
    }
    for (size_t i = 0; p->fresh > 0 && i < KEPT; i++) /* asked again, it shall answer again */
        if (p->kept[i].fresh && !p->kept[i].refused) {
            p->kept[i].fresh = false;
            p->fresh--;
        }
    return true;
}

/* The whole batch in one exchange: what it refuses is known then, too. A failure is for eval to report. */
void pipe_ask_ahead(const struct warp_impl *impl, const struct warp_case *cases, size_t n)
{
    struct pipe_impl *const p = impl->state;
    if (n == 0 || n > ASK_MAX)
        return;
    for (size_t i = 0; p->fresh > 0 && i < KEPT; i++) {
        p->fresh -= p->kept[i].fresh;
        p->kept[i].fresh = false;
    }
    (void)ask(p, cases, n);
}

static void pipe_close(void *state)
{
    struct pipe_impl *const p = state;
    stop(p, GRACE_S);
    free(p->command);
    free(p->unread);
    free(p->kept);
    free(p->text);
    history_free(&p->history);
    free(p);
}

const struct warp_impl *pipe_open(const char *command, unsigned timeout_ms, struct error *error)
{
    struct pipe_impl *const p = calloc(1, sizeof *p);
    if (p == NULL) {
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    p->impl = (struct warp_impl){
        .name = "pipe",
        .description = "a process at the end of a pipe",
        .provides = WARP_PART_ALL,
        .state = p,
        .accepts = pipe_accepts,
        .eval = pipe_eval,
        .close = pipe_close,
    };
    p->co = (struct coprocess){.to = -1, .from = -1, .said = -1};
    listen_begin(&p->said, "pipe", 0, -1);
    p->timeout_s = p->calm_timeout_s = timeout_ms / 1000.0;
    p->command = strdup(command);
    p->unread = malloc(LINE_LONGEST);
    p->kept = calloc(KEPT, sizeof *p->kept);
    p->text = malloc(ASK_MAX * (WARP_TEXT_MAX + 1u) + 1u);
    if (p->command == NULL || p->unread == NULL || p->kept == NULL || p->text == NULL)
        error_set(error, ERROR_SYSTEM, "out of memory");
    else if (start(p, error))
        return &p->impl;
    pipe_close(p);
    return NULL;
}

static struct pipe_impl *pipe_of(const struct warp_impl *impl)
{
    return impl->eval == pipe_eval ? impl->state : NULL;
}

const struct impl_failure *pipe_failure(const struct warp_impl *impl)
{
    const struct pipe_impl *const p = pipe_of(impl);
    return p != NULL && p->failed ? &p->failure : NULL;
}

bool pipe_end(const struct warp_impl *impl, struct error *error)
{
    struct pipe_impl *const p = impl->state;
    const bool good = p->failed || p->co.pid == 0 || end_well(p, error) || error_prefix(error, "pipe");
    pipe_close(p);
    return good;
}

void pipe_hurry(const struct warp_impl *impl, double limit_s)
{
    struct pipe_impl *const p = pipe_of(impl);
    if (p == NULL)
        return;
    if (limit_s <= 0)
        p->timeout_s = p->calm_timeout_s;
    else if (limit_s + START_S < p->timeout_s)
        p->timeout_s = limit_s + START_S;
}

size_t pipe_history(const struct warp_impl *impl, struct warp_case *cases)
{
    const struct pipe_impl *const p = pipe_of(impl);
    return p != NULL ? history_get(&p->history, cases) : 0;
}

bool pipe_restart(const struct warp_impl *impl, struct error *error)
{
    struct pipe_impl *const p = pipe_of(impl);
    if (p == NULL)
        return true;
    stop(p, GRACE_S);
    for (size_t i = 0; i < KEPT; i++)
        p->kept[i].fresh = false;
    p->fresh = 0;
    history_forget(&p->history);
    memset(p->accepted, 0, sizeof p->accepted);
    memset(p->refuses, 0, sizeof p->refuses);
    p->failed = false;
    if (!start(p, error))
        return false;
    p->said.mute = true; /* it is asked again what it was asked before */
    return true;
}
