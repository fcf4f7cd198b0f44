#define _GNU_SOURCE /* scandir */
#include "fuzz/campaign/plan.h"

#include "base/file.h"
#include "check/impl/impl.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * An engine takes an input for hung after this time. A plugin may be slow: its limit for one case was measured
 * (fuzz/campaign/calibrate.h), an input takes no longer, and examining the input finds the case that hangs.
 */
#define HANG_SECONDS  5u
#define HANG_AFL_MS   2000u
#define HANG_SLACK_MS 3000u /* beyond a plugin's limit */

enum mutator_way plan_way(const struct job_plan *plan, unsigned job)
{
    if (plan->bytes)
        return MUTATOR_BYTES;
    if (!plan->traced || target_kind(plan->target) != TARGET_CASES)
        return MUTATOR_OWN;
    if (plan->jobs > 1 && job % 2 == 0)
        return MUTATOR_OWN;
    if (plan->engine == ENGINE_LIBFUZZER) /* both, so that each job seeks (fuzz/seek.h) */
        return MUTATOR_BOTH;
    return plan->jobs > 1 ? MUTATOR_BYTES : MUTATOR_OWN;
}

unsigned plan_given_limit_ms(void)
{
    const char *const text = getenv(IMPL_TIMEOUT_VARIABLE);
    const long value = text != NULL ? strtol(text, NULL, 10) : 0;
    return value > 0 && value < 86400000 ? (unsigned)value : 0;
}

unsigned plan_limit_ms(const struct job_plan *plan)
{
    const unsigned given = plan_given_limit_ms();
    if (given != 0)
        return given;
    return plan->limit_ms != 0 ? plan->limit_ms : PLAN_LIMIT_LEAST_MS;
}

bool plan_is_guarded(const struct job_plan *plan)
{
    struct impl_name name;
    return impl_name_parse(plan->impl, &name, NULL) && name.kind == IMPL_PLUGIN;
}

unsigned plan_input_seconds(const struct job_plan *plan)
{
    return plan_is_guarded(plan) ? (plan_limit_ms(plan) + HANG_SLACK_MS + 999) / 1000 : HANG_SECONDS;
}

unsigned plan_afl_input_ms(const struct job_plan *plan)
{
    return plan_is_guarded(plan) ? plan_limit_ms(plan) + HANG_SLACK_MS : HANG_AFL_MS;
}

/* --- folders --- */

/* The folder into which targets write inputs that show something. */
void plan_inputs(const struct job_plan *plan, char path[JOB_PATH_MAX + 64])
{
    snprintf(path, JOB_PATH_MAX + 64, "%s/inputs-%s", plan->work, plan->target);
}

void plan_left(const struct job_plan *plan, char path[JOB_PATH_MAX + 64])
{
    snprintf(path, JOB_PATH_MAX + 64, "%s/left-%s", plan->work, plan->target);
}

void plan_corpus(const struct job_plan *plan, char path[JOB_PATH_MAX + 64])
{
    snprintf(path, JOB_PATH_MAX + 64, "%s/corpus-%s", plan->work, plan->target);
}

bool plan_make_folders(const struct job_plan *plan, struct error *error)
{
    char corpus[JOB_PATH_MAX + 64], inputs[JOB_PATH_MAX + 64], start[JOB_PATH_MAX + 64], seed[JOB_PATH_MAX + 80];
    plan_corpus(plan, corpus);
    plan_inputs(plan, inputs);
    snprintf(start, sizeof start, "%s/empty", plan->work);
    snprintf(seed, sizeof seed, "%s/zero", start); /* AFL++ cannot begin with nothing */
    return folder_make(plan->work, error) && folder_make(plan->findings, error) && folder_make(corpus, error) &&
           folder_make(inputs, error) && folder_make(start, error) && file_write(seed, "", 1, error);
}

int plan_lock(const struct job_plan *plan, struct error *error)
{
    char path[FILE_PATH_MAX];
    bool busy = false;
    const int lock = file_join(plan->work, "lock", path, error) ? file_lock(path, &busy, error) : -1;
    if (busy)
        error_set(error, ERROR_INPUT, "another campaign uses the folder %.300s: give this one another with --work",
                  plan->work);
    return lock;
}

int plan_is_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strncmp(entry->d_name, "README", 6) != 0;
}

/* Moves a file into a folder. False: it stays where it is, or is in both. */
static bool move(const char *from, const char *folder)
{
    char path[FILE_PATH_MAX];
    struct error error;
    size_t size = 0;
    bool existed;
    char *data = file_read(from, PLAN_INPUT_MAX, &size, &error);
    const bool good = data != NULL && file_join(folder, file_name(from), path, &error) &&
                      file_create(path, data, size, &existed, &error) && unlink(from) == 0;
    free(data);
    return good;
}

void plan_set_apart(const struct job_plan *plan)
{
    char inputs[JOB_PATH_MAX + 64], left[JOB_PATH_MAX + 64], from[2 * JOB_PATH_MAX];
    struct dirent **list;
    struct error error;
    plan_inputs(plan, inputs);
    plan_left(plan, left);
    const int n = scandir(inputs, &list, plan_is_entry, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(from, sizeof from, "%s/%s", inputs, list[i]->d_name);
        if (folder_make(left, &error))
            move(from, left);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

bool plan_ask_again(const struct job_plan *plan, const char *path)
{
    char corpus[JOB_PATH_MAX + 64], line[2 * JOB_PATH_MAX];
    plan_corpus(plan, corpus);
    snprintf(line, sizeof line, "%s.line", path);
    if (plan->engine != ENGINE_LIBFUZZER || !move(path, corpus)) /* AFL++ reads its own corpus only, once it has one */
        return false;
    unlink(line);
    return true;
}
