#define _GNU_SOURCE /* nanosleep, scandir */
#include "fuzz/campaign/alone.h"

#include "base/clock.h"
#include "check/crash.h"
#include "check/impl/impl.h"
#include "fuzz/campaign/limits.h"
#include "warpcheck/text.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define START_SECONDS 5.0 /* for the target to begin, on a busy machine */
#define SLACK_SECONDS 0.5 /* for a plugin's guard to speak first */
#define INPUTS_MAX    64  /* of a folder */
#define TEXT_MAX      (1u << 16)

/* How a process ended, as one word; "" when it ended by itself. */
static const char *fate_of(int status)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    static const struct {
        int number;
        const char *word;
    } words[] = {{SIGSEGV, "segv"}, {SIGFPE, "fpe"}, {SIGILL, "ill"}, {SIGBUS, "bus"}, {SIGABRT, "abort"}};
    if (number == 0)
        return WIFEXITED(status) && WEXITSTATUS(status) != 0 ? "exit" : "";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].number == number)
            return words[i].word;
    return "signal";
}

/* Its files: what it is asked, and its counters. */
static void name_files(const struct job_plan *plan, unsigned number, char pinpoint[JOB_PATH_MAX + 64],
                       char counters[JOB_PATH_MAX + 64])
{
    snprintf(pinpoint, JOB_PATH_MAX + 64, "%s/pinpoint-%u", plan->work, number);
    snprintf(counters, JOB_PATH_MAX + 64, "%s/pinpoint-%u-counters", plan->work, number);
}

/* libFuzzer's signal handlers are switched off, and UBSan's, or the target exits and the signal is not known. */
static char no_handlers[][16] = {"-handle_segv=0", "-handle_bus=0", "-handle_abrt=0", "-handle_ill=0", "-handle_fpe=0"};
#define HANDLERS    (sizeof no_handlers / sizeof no_handlers[0])
#define NO_HANDLERS "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0"

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The inputs: of a folder, every file in it. Returns how many; the caller frees them. */
static size_t list_inputs(const char *input, char *inputs[INPUTS_MAX])
{
    struct dirent **entries;
    const int n = scandir(input, &entries, is_visible, alphasort);
    size_t count = 0;
    if (n < 0)
        inputs[count++] = strdup(input);
    for (int i = 0; i < n; i++) {
        if (count < INPUTS_MAX && asprintf(&inputs[count], "%s/%s", input, entries[i]->d_name) > 0)
            count++;
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return count;
}

static pid_t start(const struct job_plan *plan, const char *input, unsigned derived, double limit_s,
                   const char *pinpoint, const char *counters)
{
    char target[2 * JOB_PATH_MAX], relatives[16], families[16], limit[16];
    char *argv[INPUTS_MAX + HANDLERS + 2] = {target}, *inputs[INPUTS_MAX];
    const size_t count = list_inputs(input, inputs);
    size_t words = 1;
    pid_t pid;
    snprintf(target, sizeof target, "%s/%s", plan->targets, plan->target);
    snprintf(relatives, sizeof relatives, "%u", derived);
    snprintf(families, sizeof families, "%u", (unsigned)plan->families);
    snprintf(limit, sizeof limit, "%.0f", limit_s * 1000);
    const struct job_variable variables[] = {{"WARPCHECK_FUZZ_IMPL", plan->impl},
                                             {"WARPCHECK_FUZZ_FAMILIES", plan->families != 0 ? families : NULL},
                                             {"WARPCHECK_FUZZ_DERIVED", relatives},
                                             {"WARPCHECK_FUZZ_FINDINGS", plan->findings},
                                             {"WARPCHECK_FUZZ_STATUS", counters},
                                             {"WARPCHECK_FUZZ_KEEP_GOING", "1"},
                                             {"WARPCHECK_FUZZ_PINPOINT", pinpoint},
                                             {IMPL_TIMEOUT_VARIABLE, limit},
                                             {"UBSAN_OPTIONS", job_runtime_options(NO_HANDLERS)},
                                             {NULL, NULL}};
    for (size_t i = 0; i < count; i++)
        argv[words++] = inputs[i];
    for (size_t i = 0; plan->engine == ENGINE_LIBFUZZER && i < HANDLERS; i++)
        argv[words++] = no_handlers[i];
    unlink(pinpoint);
    unlink(counters);
    pid = job_spawn(argv, variables, "/dev/null", plan->work);
    for (size_t i = 0; i < count; i++)
        free(inputs[i]);
    return pid;
}

/* When the case that it is asked now was written down; 0 before the first. */
static double asked_since(const char *pinpoint)
{
    struct stat about;
    return stat(pinpoint, &about) == 0 ? (double)about.st_mtim.tv_sec + (double)about.st_mtim.tv_nsec * 1e-9 : 0;
}

/* Is a case written down that was not answered? */
static bool is_asked(const char *pinpoint)
{
    struct stat about;
    return stat(pinpoint, &about) == 0 && about.st_size > 0;
}

struct alone alone_run(const struct job_plan *plan, unsigned number, const char *input, unsigned derived,
                       alone_limit_fn limit_s, double end)
{
    const struct timespec moment = {0, 5000000};
    const struct fuzz_status *counted = NULL;
    char pinpoint[JOB_PATH_MAX + 64], counters[JOB_PATH_MAX + 64];
    struct alone run = {NULL, 0};
    double last = 0, since = clock_seconds();
    int status = 0;
    pid_t pid;
    name_files(plan, number, pinpoint, counters);
    pid = start(plan, input, derived, limit_s(plan, 0), pinpoint, counters);
    while (pid > 0 && waitpid(pid, &status, WNOHANG) != pid) {
        const double asked = asked_since(pinpoint), now = clock_seconds();
        counted = counted == NULL ? status_read(counters) : counted;
        run.slowest_s = counted != NULL ? (double)counted->slowest_us * 1e-6 : 0;
        since = asked != last ? now : since;
        last = asked;
        if (now - since > limit_s(plan, run.slowest_s) + (asked == 0 ? START_SECONDS : SLACK_SECONDS))
            run.ended = "hang";
        if (run.ended != NULL || now > end) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            status_close(counted);
            return run;
        }
        nanosleep(&moment, NULL);
    }
    counted = counted == NULL ? status_read(counters) : counted;
    run.slowest_s = counted != NULL ? (double)counted->slowest_us * 1e-6 : 0;
    run.ended = pid > 0 ? fate_of(status) : NULL;
    if (pid > 0 && WIFEXITED(status) && is_asked(pinpoint))
        run.ended = "exit"; /* whatever the status: it was in the midst of a case */
    status_close(counted);
    return run;
}

/* What a run left: the case, the variant that was asked (or ""), the reason that it gave (or ""). Ends the lines by NUL
 * in place. */
struct pinpointed {
    const char *text, *variant, *why;
    size_t text_size;
};

static struct pinpointed read_pinpoint(const char *path, char data[TEXT_MAX])
{
    struct pinpointed p = {"", "", "", 0};
    const char **field[] = {&p.text, &p.variant, &p.why};
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    char *at = data;
    if (file != NULL) {
        size = fread(data, 1, TEXT_MAX, file);
        fclose(file);
    }
    for (size_t i = 0; i < 3; i++) {
        char *end = memchr(at, '\n', size - (size_t)(at - data));
        if (end == NULL)
            break;
        *end = '\0';
        *field[i] = at;
        at = end + 1;
    }
    p.text_size = strlen(p.text);
    return p;
}

/* "shfl.sync-segv", or "shfl.sync-segv-avx2" for a variant. */
static void name_crash(const struct warp_case *c, const char *fate, const char *variant, char *name, size_t size)
{
    char base[CRASH_NAME_MAX];
    crash_name(c, fate, base);
    snprintf(name, size, "%s%s", base, variant[0] != '\0' ? strchr(variant, '-') : "");
}

/* The line of the finding. */
static void say_ending(const struct pinpointed *at, const char *fate, const char *impl, char *line, size_t size)
{
    if (strcmp(fate, "error") == 0)
        snprintf(line, size, "%s => %s does not answer: error: %s", at->text, impl, at->why);
    else
        snprintf(line, size, "%s => %s ends by: %s", at->text, impl, fate);
}

enum alone_verdict alone_keep(const struct job_plan *plan, unsigned number, const char *input, const struct alone *run,
                              job_crash_fn found, void *context)
{
    static struct warp_text text;
    static char data[TEXT_MAX], line[2 * WARP_TEXT_MAX];
    char pinpoint[JOB_PATH_MAX + 64], counters[JOB_PATH_MAX + 64], folder[2 * JOB_PATH_MAX];
    char name[CRASH_NAME_MAX + 64], fate[CRASH_FATE_MAX], why[2 * JOB_PATH_MAX];
    struct warp_text_error error;
    struct pinpointed at;
    bool existed;
    if (run->ended == NULL)
        return ALONE_UNDECIDED;
    name_files(plan, number, pinpoint, counters);
    at = read_pinpoint(pinpoint, data);
    /* It said itself why it cannot answer: the abort is then the target's. */
    crash_fate(at.why, at.why[0] != '\0' && strcmp(run->ended, "abort") == 0 ? "error" : run->ended, fate);
    if (fate[0] == '\0' || at.text_size == 0 || !warp_text_parse(at.text, at.text_size, &text, &error)) {
        snprintf(line, sizeof line, "an input ended the target and does not when it runs alone, or is no case: %s",
                 input);
        found(context, input, line);
        return ALONE_HARMLESS;
    }
    name_crash(&text.c, fate, at.variant, name, sizeof name);
    say_ending(&at, fate, at.variant[0] != '\0' ? at.variant : plan->impl, line, sizeof line);
    if (crash_write(plan->findings, name, &text.c, line, folder, sizeof folder, &existed, why, sizeof why)) {
        found(context, folder, line);
        return ALONE_ENDS;
    }
    snprintf(line + strlen(line), sizeof line - strlen(line), " (the reproducer was not written: %s)", why);
    found(context, input, line);
    return ALONE_ENDS;
}

static double plans_own(const struct job_plan *plan, double slowest_s)
{
    (void)slowest_s;
    return plan_limit_ms(plan) / 1000.0;
}

enum alone_verdict alone_look(const struct job_plan *plan, unsigned number, const char *input, double end,
                              job_crash_fn found, void *context)
{
    const struct alone run = alone_run(plan, number, input, plan->derived, plans_own, end);
    return alone_keep(plan, number, input, &run, found, context);
}
