/*
 * The command lines of the engines.
 */
#define _POSIX_C_SOURCE 200809L /* opendir */
#include "fuzz/campaign/command.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_INPUT "720" /* WARP_BYTES_MAX */
#define LONGEST_TEXT  "16384"

static bool is_empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bool empty = true;
    if (folder == NULL)
        return true;
    while (empty && (entry = readdir(folder)) != NULL)
        empty = entry->d_name[0] == '.';
    closedir(folder);
    return empty;
}

__attribute__((format(printf, 2, 3))) static void add(struct command_words *words, const char *format, ...)
{
    va_list list;
    char *at = words->text + words->used;
    size_t room = sizeof words->text - words->used;
    int length;
    va_start(list, format);
    length = vsnprintf(at, room, format, list);
    va_end(list);
    if (length < 0 || (size_t)length >= room || words->count + 1 >= COMMAND_WORDS_MAX)
        return;
    words->used += (size_t)length + 1;
    words->argv[words->count++] = at;
    words->argv[words->count] = NULL;
}

static void libfuzzer_command(const struct job_plan *plan, unsigned number, const char *artifacts,
                              struct command_words *words)
{
    const bool text = target_takes_text(target_kind(plan->target));
    char corpus[JOB_PATH_MAX + 64];
    plan_corpus(plan, corpus);
    add(words, "%s/%s", plan->targets, plan->target);
    add(words, "-max_len=%s", text ? LONGEST_TEXT : LONGEST_INPUT);
    add(words, "-len_control=%d", text ? 100 : 0);
    add(words, "-timeout=%u", plan_input_seconds(plan));
    add(words, "-rss_limit_mb=1024");
    add(words, "-reload=1");
    /* Its statistics cost a fifth of the time, and the buckets are reached as soon without; code has rarer edges. */
    add(words, "-entropic=%d", plan->traced);
    add(words, "-artifact_prefix=%s/", artifacts);
    if (text)
        add(words, "-dict=%s.dict", words->argv[0]);
    if (plan_way(plan, number) != MUTATOR_OWN)
        add(words, "-use_value_profile=1");
    if (plan->seed != 0)
        add(words, "-seed=%u", (unsigned)(plan->seed + number) & 0x7fffffffu);
    for (size_t i = 0; plan->options != NULL && plan->options[i] != NULL; i++)
        add(words, "%s", plan->options[i]);
    add(words, "%s", corpus);
    if (plan->seeds != NULL)
        add(words, "%s", plan->seeds);
}

static void afl_command(const struct job_plan *plan, unsigned number, struct command_words *words)
{
    const bool text = target_takes_text(target_kind(plan->target));
    char corpus[JOB_PATH_MAX + 64];
    plan_corpus(plan, corpus);
    add(words, "%s", getenv("WARPCHECK_AFL_FUZZ") != NULL ? getenv("WARPCHECK_AFL_FUZZ") : "afl-fuzz");
    add(words, "-i");
    if (!is_empty_folder(corpus))
        add(words, "%s", corpus);
    else if (plan->seeds != NULL)
        add(words, "%s", plan->seeds);
    else
        add(words, "%s/empty", plan->work);
    add(words, "-o");
    add(words, "%s/afl-%s", plan->work, plan->target);
    add(words, number == 0 ? "-M" : "-S");
    add(words, "job%u", number);
    add(words, "-G");
    add(words, "%s", text ? LONGEST_TEXT : LONGEST_INPUT);
    add(words, "-t");
    add(words, "%u+", plan_afl_input_ms(plan));
    if (text) {
        add(words, "-x");
        add(words, "%s/%s.dict", plan->targets, plan->target);
    }
    if (plan->seed != 0) {
        add(words, "-s");
        add(words, "%u", (unsigned)(plan->seed + number) & 0x7fffffffu);
    }
    if (plan_way(plan, number) == MUTATOR_BYTES) {
        add(words, "-c");
        add(words, "0"); /* the target itself: it tells what the plugin compares where it is asked to */
        add(words, "-l");
        add(words, "2AT");
    }
    for (size_t i = 0; plan->options != NULL && plan->options[i] != NULL; i++)
        add(words, "%s", plan->options[i]);
    add(words, "--");
    add(words, "%s/%s", plan->targets, plan->target);
}

void command_make(const struct job_plan *plan, unsigned number, const char *artifacts, struct command_words *words)
{
    memset(words, 0, sizeof *words);
    if (plan->engine == ENGINE_AFL)
        afl_command(plan, number, words);
    else
        libfuzzer_command(plan, number, artifacts, words);
}
