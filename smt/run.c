#define _POSIX_C_SOURCE 200809L
#include "smt/prove.h"

#include "smt/solver/solver.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOBS_MAX 64u
/* Z3 looks at its own clock; a process that does not is ended this much later. */
#define GRACE_S 5.0

/* A process that tries one property and writes its outcome, a struct as it lies in memory, into a pipe. */
struct worker {
    pid_t pid; /* 0: idle */
    int in;
    size_t which;
    double deadline;
    double begin;
    struct smt_outcome outcome;
    size_t got;
};

void smt_options_init(struct smt_options *options)
{
    memset(options, 0, sizeof *options);
    options->timeout_s = 30;
    options->jobs = 1;
    options->memory_mb = 900;
    options->programs_dir = "corpus/programs";
}

static void child(const struct smt_property *property, const struct smt_options *options, int out)
{
    static struct smt_outcome outcome;
    const char *from = (const char *)&outcome;
    size_t left = sizeof outcome;
    process_end_on_sigterm();
    if (options->stop != NULL)
        signal(SIGINT, SIG_IGN); /* the parent ends its workers itself */
    prove_entry(property_entry_of(property), options, &outcome);
    while (left > 0) {
        ssize_t n = write(out, from, left);
        if (n <= 0)
            _exit(3);
        from += n;
        left -= (size_t)n;
    }
    _exit(0);
}

static bool start(struct worker *w, const struct smt_property *property, size_t which,
                  const struct smt_options *options)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        return false;
    w->pid = fork();
    if (w->pid == 0) {
        close(ends[0]);
        child(property, options, ends[1]);
    }
    close(ends[1]);
    if (w->pid < 0) {
        w->pid = 0;
        close(ends[0]);
        return false;
    }
    w->in = ends[0];
    w->which = which;
    w->got = 0;
    w->begin = smt_clock();
    w->deadline = w->begin + (1 + options->cross + options->drat) * options->timeout_s + GRACE_S;
    return true;
}

static void describe_death(struct worker *w, int status, bool too_long)
{
    struct smt_outcome *o = &w->outcome;
    memset(o, 0, sizeof *o);
    o->verdict = too_long ? SMT_TIMEOUT : SMT_ERROR;
    o->seconds = smt_clock() - w->begin;
    if (too_long)
        snprintf(o->note, sizeof o->note, "the prover's process did not stop in time and was ended");
    else if (WIFSIGNALED(status))
        snprintf(o->note, sizeof o->note, "the prover's process was ended by signal %d", WTERMSIG(status));
    else
        snprintf(o->note, sizeof o->note, "the prover's process ended with status %d", WEXITSTATUS(status));
}

/* Takes what the worker wrote; true when it is finished, one way or the other. */
static bool collect(struct worker *w, bool readable)
{
    bool too_long = smt_clock() > w->deadline;
    int status = 0;
    if (readable && !too_long) {
        ssize_t n = read(w->in, (char *)&w->outcome + w->got, sizeof w->outcome - w->got);
        w->got += n > 0 ? (size_t)n : 0;
        if (n > 0 && w->got < sizeof w->outcome)
            return false;
    } else if (!too_long) {
        return false;
    }
    if (too_long)
        kill(w->pid, SIGTERM);
    close(w->in);
    waitpid(w->pid, &status, 0);
    if (w->got < sizeof w->outcome)
        describe_death(w, status, too_long);
    w->pid = 0;
    return true;
}

static void report(const struct smt_options *options, const struct smt_property *property,
                   const struct smt_outcome *outcome)
{
    if (options->progress != NULL)
        options->progress(options->context, property, outcome);
}

static void wait_for_any(struct worker *workers, unsigned jobs, const struct smt_property *const *properties,
                         const struct smt_options *options, struct smt_outcome *outcomes)
{
    struct pollfd polls[JOBS_MAX];
    for (unsigned i = 0; i < jobs; i++)
        polls[i] = (struct pollfd){workers[i].pid != 0 ? workers[i].in : -1, POLLIN, 0};
    poll(polls, jobs, 200);
    for (unsigned i = 0; i < jobs; i++) {
        struct worker *w = &workers[i];
        if (w->pid == 0 || !collect(w, polls[i].revents != 0))
            continue;
        outcomes[w->which] = w->outcome;
        report(options, properties[w->which], &w->outcome);
    }
}

static void describe_not_tried(struct smt_outcome *o)
{
    memset(o, 0, sizeof *o);
    o->verdict = SMT_UNKNOWN;
    o->not_tried = true;
    snprintf(o->note, sizeof o->note, "not tried: the run was interrupted");
}

/* Ends what is running; that and what was not begun has no verdict. */
static void stop_all(struct worker *workers, unsigned jobs, struct smt_outcome *outcomes, size_t next, size_t n)
{
    for (unsigned i = 0; i < jobs; i++) {
        struct worker *w = &workers[i];
        if (w->pid == 0)
            continue;
        kill(w->pid, SIGTERM);
        close(w->in);
        waitpid(w->pid, NULL, 0);
        w->pid = 0;
        describe_not_tried(&outcomes[w->which]);
    }
    for (; next < n; next++)
        describe_not_tried(&outcomes[next]);
}

/* NULL: the lemma is not among the properties of this run. */
static const struct smt_outcome *lemma_outcome(const char *name, size_t length,
                                               const struct smt_property *const *properties, size_t n,
                                               const struct smt_outcome *outcomes)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(properties[i]->name) == length && strncmp(properties[i]->name, name, length) == 0)
            return &outcomes[i];
    return NULL;
}

/* True when a lemma of the property is not proved; it is noted. */
static bool lacks_lemma(const struct smt_property *property, const struct smt_property *const *properties, size_t n,
                        const struct smt_outcome *outcomes, struct smt_outcome *outcome)
{
    for (const char *at = property->lemmas; *at != '\0';) {
        size_t length = strcspn(at, " ");
        const struct smt_outcome *lemma = lemma_outcome(at, length, properties, n, outcomes);
        if (lemma == NULL || lemma->verdict != SMT_PROVED) {
            outcome->not_tried = lemma != NULL && lemma->not_tried;
            snprintf(outcome->note, sizeof outcome->note, "its lemma %.*s %s", (int)length, at,
                     outcome->not_tried ? "was not tried: the run was interrupted" : "is not proved");
            return true;
        }
        at += length + strspn(at + length, " ");
    }
    return false;
}

/* Are all the property's lemmas among the marked ones? */
static bool is_grounded(const struct smt_property *property, const struct smt_property *const *properties, size_t n,
                        const struct smt_outcome *outcomes, const bool *marked)
{
    for (const char *at = property->lemmas; *at != '\0';) {
        size_t length = strcspn(at, " ");
        const struct smt_outcome *lemma = lemma_outcome(at, length, properties, n, outcomes);
        if (lemma == NULL || !marked[lemma - outcomes])
            return false;
        at += length + strspn(at + length, " ");
    }
    return true;
}

/* Marks what rests, step by step, on lemmas that rest on none: what is left over rests on itself, and proves nothing.
 */
static void check_circles(const struct smt_property *const *properties, size_t n, struct smt_outcome *outcomes)
{
    bool *marked = calloc(n + 1, sizeof *marked);
    bool changed = marked != NULL;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            if (!marked[i] && is_grounded(properties[i], properties, n, outcomes, marked))
                changed = marked[i] = true;
    }
    for (size_t i = 0; i < n; i++)
        if (outcomes[i].verdict == SMT_PROVED && (marked == NULL || !marked[i])) {
            outcomes[i].verdict = SMT_ERROR;
            snprintf(outcomes[i].note, sizeof outcomes[i].note, "its lemmas rest on each other in a circle");
        }
    free(marked);
}

/* A proof from a lemma that is not proved is no proof, and lemmas rest on lemmas. */
static void check_lemmas(const struct smt_property *const *properties, size_t n, struct smt_outcome *outcomes)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            if (outcomes[i].verdict == SMT_PROVED &&
                lacks_lemma(properties[i], properties, n, outcomes, &outcomes[i])) {
                outcomes[i].verdict = SMT_UNKNOWN;
                changed = true;
            }
    }
    check_circles(properties, n, outcomes);
}

static bool prepare(const struct smt_options *options, char *error, size_t error_size)
{
    struct stat about;
    if (options->smtlib_dir != NULL && mkdir(options->smtlib_dir, 0777) != 0 && errno != EEXIST) {
        snprintf(error, error_size, "cannot make the folder %s: %s", options->smtlib_dir, strerror(errno));
        return false;
    }
    if (options->smtlib_dir != NULL && (stat(options->smtlib_dir, &about) != 0 || !S_ISDIR(about.st_mode))) {
        snprintf(error, error_size, "%s is not a folder", options->smtlib_dir);
        return false;
    }
    if (options->smtlib_dir != NULL && access(options->smtlib_dir, W_OK | X_OK) != 0) {
        snprintf(error, error_size, "cannot write to %s: %s", options->smtlib_dir, strerror(errno));
        return false;
    }
    return true;
}

bool smt_prove(const struct smt_property *const *properties, size_t n, const struct smt_options *options,
               struct smt_outcome *outcomes, char *error, size_t error_size)
{
    unsigned jobs = options->jobs < 1 ? 1 : options->jobs > JOBS_MAX ? JOBS_MAX : options->jobs;
    struct worker *workers;
    size_t next = 0;
    unsigned busy;
    if (!prepare(options, error, error_size))
        return false;
    /* The children inherit what the parent has found out already. */
    (void)smt_cvc5_version();
    (void)smt_cadical_version();
    workers = calloc(jobs, sizeof *workers);
    do {
        busy = 0;
        if (workers != NULL && options->stop != NULL && options->stop()) {
            stop_all(workers, jobs, outcomes, next, n);
            next = n;
            break;
        }
        for (unsigned i = 0; workers != NULL && i < jobs; i++) {
            if (workers[i].pid == 0 && next < n) {
                report(options, properties[next], NULL);
                if (start(&workers[i], properties[next], next, options))
                    next++;
            }
            busy += workers[i].pid != 0;
        }
        if (busy > 0)
            wait_for_any(workers, jobs, properties, options, outcomes);
    } while (busy > 0);
    free(workers);
    if (next < n) {
        snprintf(error, error_size, "cannot start a process for the prover");
        return false;
    }
    check_lemmas(properties, n, outcomes);
    return true;
}
