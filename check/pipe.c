#include "check/plugin.h"

#include "check/pipe_process.h"
#include "warpcheck/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * `accepts` and `eval` are one question to a process. So `accepts` asks, and `eval` uses the answer that is kept. That
 * costs a round trip a case; once a process has accepted TRUSTED cases of a form and refused none, `accepts` says yes
 * unasked and `eval` asks for the whole batch at once. When a trusted form is then refused, `eval` fails; asked again,
 * `accepts` knows.
 */
#define TRUSTED 64u
#define KEPT    512u /* answers that are remembered; at least as many as a batch has cases */
#define ASK_MAX 256u /* cases in one exchange */

struct kept {
    bool fresh; /* not used by eval yet */
    bool refused;
    char why[80];
    struct warp_case c;
    struct warp_result result;
};

struct pipe_impl {
    struct warp_impl impl;
    struct process process;
    char broken[320]; /* not empty: why the process can no longer be asked */
    uint32_t settled; /* parts of which it is known whether the process provides them */
    uint32_t accepted[WARP_FORMS];
    bool refuses[WARP_FORMS];
    struct kept *kept; /* a ring of KEPT */
    size_t next;       /* where the next answer goes */
    size_t hint;       /* where the next question is likely to be answered */
    char *text;        /* room for ASK_MAX cases */
    struct warp_text parsed;
};

/* The exchange under way, for the line callback. */
struct asking {
    struct pipe_impl *pipe;
    const struct warp_case *cases;
    size_t answered;
};

static bool fail_answer(struct pipe_impl *p, const char *line, const char *what)
{
    snprintf(p->broken, sizeof p->broken, "%s; the answer was `%.60s%s`", what, line, strlen(line) > 60 ? "..." : "");
    return false;
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

/*
 * Reads CASE => RESULT. The case may be missing. `line` is the answer, `own` the case as it was sent. What it repeats
 * must be what it was asked: else the two have lost step.
 */
static bool read_result(struct pipe_impl *p, const struct warp_case *c, const char *line, const char *arrow)
{
    char own[2 * WARP_TEXT_MAX];
    struct warp_text_error error;
    size_t length;
    const bool repeats = strspn(line, " \t") < (size_t)(arrow - line);
    if (repeats) {
        if (!warp_text_parse(line, strlen(line), &p->parsed, &error))
            return fail_answer(p, line, error.what);
        return memcmp(&p->parsed.c, c, sizeof *c) == 0 ||
               fail_answer(p, line, "it answers another case than the one asked");
    }
    length = warp_case_to_text(c, own, sizeof own);
    if (length + strlen(arrow) + 2 > sizeof own)
        return fail_answer(p, line, "the result is too long");
    snprintf(own + length, sizeof own - length, " %s", arrow);
    return warp_text_parse(own, strlen(own), &p->parsed, &error) || fail_answer(p, line, error.what);
}

static struct kept *keep(struct pipe_impl *p, const struct warp_case *c)
{
    struct kept *const k = &p->kept[p->next];
    p->next = (p->next + 1) % KEPT;
    k->fresh = true;
    k->refused = false;
    k->why[0] = '\0';
    k->c = *c;
    return k;
}

static bool on_answer(void *context, const char *line, size_t length)
{
    static const char refusal[] = "not accepted";
    struct asking *const asking = context;
    struct pipe_impl *const p = asking->pipe;
    const struct warp_case *const c = &asking->cases[asking->answered++];
    const char *const arrow = strstr(line, "=>");
    struct kept *k;
    if (strlen(line) != length)
        return fail_answer(p, line, "it has a zero byte");
    if (strncmp(line, refusal, sizeof refusal - 1) == 0) {
        const char *const why = line + sizeof refusal - 1;
        k = keep(p, c);
        k->refused = true;
        snprintf(k->why, sizeof k->why, "%s", why + strspn(why, ": \t"));
        p->refuses[c->form] = true;
        return true;
    }
    if (arrow == NULL)
        return fail_answer(p, line, "an answer is `=> result` or `not accepted: why`");
    if (!read_result(p, c, line, arrow) || !settle_parts(p, c, line))
        return false;
    keep(p, c)->result = p->parsed.result;
    p->accepted[c->form]++;
    return true;
}

/* Asks about n cases, at most ASK_MAX. The answers are the last n kept ones. */
static bool ask(struct pipe_impl *p, const struct warp_case *cases, size_t n)
{
    struct asking asking = {p, cases, 0};
    char error[sizeof p->broken] = "";
    size_t length = 0;
    if (p->broken[0] != '\0')
        return false;
    for (size_t i = 0; i < n; i++) {
        length += warp_case_to_text(&cases[i], p->text + length, WARP_TEXT_MAX);
        p->text[length++] = '\n';
    }
    p->hint = p->next;
    if (peer_exchange(&p->process, p->text, length, n, on_answer, &asking, error, sizeof error))
        return true;
    if (p->broken[0] == '\0')
        snprintf(p->broken, sizeof p->broken, "%s", error);
    return false;
}

/* The kept answer to this case that eval has not used yet, or NULL. Cases come in the order in which they were asked.
 */
static struct kept *find_kept(struct pipe_impl *p, const struct warp_case *c)
{
    for (size_t i = 0; i < KEPT; i++) {
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
            snprintf(error, error_size, "%s", p->broken);
            return false;
        }
        if (k->refused) {
            snprintf(error, error_size, "not accepted: %s", k->why);
            return false;
        }
        results[i] = k->result;
    }
    for (size_t i = 0; i < KEPT; i++) /* asked again, it shall answer again */
        p->kept[i].fresh = p->kept[i].fresh && p->kept[i].refused;
    return true;
}

static void pipe_close(void *state)
{
    struct pipe_impl *const p = state;
    peer_stop(&p->process);
    free(p->kept);
    free(p->text);
    free(p);
}

const struct warp_impl *pipe_open(const char *command, unsigned timeout_ms, char *error, size_t error_size)
{
    struct pipe_impl *const p = calloc(1, sizeof *p);
    if (p == NULL) {
        snprintf(error, error_size, "out of memory");
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
    p->process = (struct process){.to = -1, .from = -1};
    p->kept = calloc(KEPT, sizeof *p->kept);
    p->text = malloc(ASK_MAX * (WARP_TEXT_MAX + 1u));
    if (p->kept == NULL || p->text == NULL)
        snprintf(error, error_size, "out of memory");
    else if (peer_start(&p->process, command, timeout_ms, error, error_size))
        return &p->impl;
    pipe_close(p);
    return NULL;
}
