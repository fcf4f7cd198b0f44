/*
 * Where mutants come from, and their results on disk: each is there as soon as it is measured, so that a measurement
 * can be stopped, go on, and be made in parts.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "fuzz/score/score.h"

#include "base/buffer.h"
#include "base/file.h"
#include "check/impl/impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 1024u

int score_add_plugin(struct score_subject *subjects, size_t room, const char *path, struct error *error)
{
    size_t offered = 0, count = 0;
    struct impl_offer *const offers = impl_list_plugin(path, &offered, error);
    char absolute[FILE_PATH_MAX]; /* engines run in folders of their own */
    if (offers == NULL)
        return -1;
    file_absolute(path, absolute);
    for (size_t i = 0; i < offered && count < room; i++) {
        const struct impl_offer *const impl = &offers[i];
        struct score_subject *s = &subjects[count];
        if (strcmp(impl->name, "base") == 0)
            continue;
        memset(s, 0, sizeof *s);
        snprintf(s->name, sizeof s->name, "%s", impl->name);
        snprintf(s->what, sizeof s->what, "%s", impl->description);
        snprintf(s->spec, sizeof s->spec, "%s:%s", absolute, impl->name);
        count++;
    }
    free(offers);
    return (int)count;
}

void score_traps_path(const struct score_subject *subject, char *path, size_t size)
{
    snprintf(path, size, "%.*s-traps.so", (int)strlen(subject->spec) - 3, subject->spec);
}

bool score_has_traps(const struct score_subject *subject)
{
    char path[sizeof subject->spec + 16];
    score_traps_path(subject, path, sizeof path);
    return subject->mechanical && access(path, R_OK) == 0;
}

/* The reason that stands behind the key in the file of equivalent mutants: KEY, a line break, four spaces and the
 * reason. "missed:" before it says that the change is no equivalent. */
static void find_reason(const char *reasons, const char *key, struct score_subject *s)
{
    static const char missed[] = "missed:";
    const size_t size = sizeof s->reason;
    char *const reason = s->reason;
    char line[LINE_MAX_BYTES];
    bool found = false;
    FILE *file = fopen(reasons, "r");
    reason[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (found && strncmp(line, "    ", 4) == 0) {
            size_t used = strlen(reason);
            snprintf(reason + used, size - used, "%s%s", used > 0 ? " " : "", line + 4);
        } else if (found && reason[0] != '\0') {
            break;
        }
        found = found || strcmp(line, key) == 0;
    }
    if (file != NULL)
        fclose(file);
    s->known_missed = strncmp(reason, missed, sizeof missed - 1) == 0;
    if (s->known_missed) {
        const char *why = reason + sizeof missed - 1;
        why += strspn(why, " ");
        memmove(reason, why, strlen(why) + 1);
    }
}

/* One line of mutants.tsv: number, variant, status, key. */
static bool read_mutant(char *line, const char *folder, const char *reasons, struct score_subject *s)
{
    char *field[4];
    field[0] = line;
    for (int i = 1; i < 4; i++) {
        char *tab = strchr(field[i - 1], '\t');
        if (tab == NULL)
            return false;
        *tab = '\0';
        field[i] = tab + 1;
    }
    if (strcmp(field[2], "no-mutant") == 0)
        return false;
    memset(s, 0, sizeof *s);
    s->mechanical = true;
    s->same_code = strcmp(field[2], "same-code") == 0;
    snprintf(s->name, sizeof s->name, "%.*s", (int)sizeof s->name - 1, field[0]);
    snprintf(s->what, sizeof s->what, "%s", field[3]);
    snprintf(s->spec, sizeof s->spec, "%s/%s.so", folder, field[0]);
    if (s->same_code)
        snprintf(s->reason, sizeof s->reason, "the compiler makes the same object code of it");
    else
        find_reason(reasons, field[3], s);
    return true;
}

int score_add_mechanical(struct score_subject *subjects, size_t room, const char *folder, const char *reasons,
                         struct error *error)
{
    char path[JOB_PATH_MAX + 64], line[LINE_MAX_BYTES];
    char *absolute;
    size_t count = 0;
    FILE *file;
    snprintf(path, sizeof path, "%s/mutants.tsv", folder);
    file = fopen(path, "r");
    if (file == NULL) {
        error_set(error, ERROR_INPUT, "%s is not there: build the mutants with test/mutants/mechanical/build.sh", path);
        return -1;
    }
    absolute = realpath(folder, NULL); /* engines run in folders of their own */
    while (count < room && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        count += read_mutant(line, absolute != NULL ? absolute : folder, reasons, &subjects[count]);
    }
    free(absolute);
    fclose(file);
    return (int)count;
}

static enum score_proof read_proof(const char *status)
{
    return strcmp(status, "proved") == 0    ? SCORE_PROVED
           : strcmp(status, "bounded") == 0 ? SCORE_BOUNDED
           : strcmp(status, "refuted") == 0 ? SCORE_REFUTED
                                            : SCORE_UNPROVED;
}

/* "KEY<tab>proved, bounded, refuted or open<tab>what" */
void score_load_proofs(const char *path, struct score_subject *subjects, size_t count)
{
    char line[LINE_MAX_BYTES];
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *status = strchr(line, '\t'), *what = status != NULL ? strchr(status + 1, '\t') : NULL;
        line[strcspn(line, "\n")] = '\0';
        if (what == NULL)
            continue;
        *status++ = *what++ = '\0';
        for (size_t i = 0; i < count; i++)
            if (subjects[i].mechanical && strcmp(subjects[i].what, line) == 0) {
                snprintf(subjects[i].proof, sizeof subjects[i].proof, "%s", what);
                subjects[i].proved = read_proof(status);
            }
    }
    if (file != NULL)
        fclose(file);
}

/* --- results on disk --- */

#define LINE_ROOM 2048

/* What stays the same when mutants are numbered anew. */
static const char *key_of(const struct score_subject *s)
{
    return s->mechanical ? s->what : s->name;
}

/* "CHECK VERDICT SECONDS WORST CASES SEEDS CAUGHT JOBS PROCESSORS LIMIT SHARE TIME...<tab>KEY" with the check as a
 * word, the verdict as a number, and the time of each run. */
bool score_save(const char *path, const struct score_subject *subject, enum score_check check)
{
    const struct score_result *r = &subject->results[check];
    struct buffer line = {0};
    bool good;
    buffer_format(&line, "%s %d %.4f %.4f %llu %u %u %u %u %g %.3f", score_check_word(check), (int)r->verdict,
                  r->seconds, r->worst_s, (unsigned long long)r->cases, r->seeds, r->caught, r->jobs, r->processors,
                  r->limit_s, r->share);
    for (unsigned i = 0; i < r->seeds; i++)
        buffer_format(&line, " %.4f", (double)r->times[i]);
    buffer_format(&line, "\t%s\n", key_of(subject));
    good = !line.failed && file_append(path, line.data, line.size, NULL);
    buffer_free(&line);
    return good;
}

static bool read_result(const char *line, unsigned *check, struct score_result *r)
{
    unsigned verdict;
    unsigned long long cases;
    char word[16], *end;
    int length = 0;
    if (sscanf(line, "%15s %u %lf %lf %llu %u %u %u %u %lf %lf%n", word, &verdict, &r->seconds, &r->worst_s, &cases,
               &r->seeds, &r->caught, &r->jobs, &r->processors, &r->limit_s, &r->share, &length) != 11 ||
        verdict > SCORE_FAILED || r->seeds > SCORE_SEEDS_MAX)
        return false;
    for (unsigned i = 0; i < r->seeds; i++) {
        r->times[i] = strtof(line + length, &end);
        if (end == line + length || line[length] != ' ')
            return false;
        length = (int)(end - line);
    }
    for (*check = 0; *check < SCORE_CHECKS && strcmp(word, score_check_word((enum score_check) * check)) != 0;)
        ++*check;
    if (*check == SCORE_CHECKS)
        return false;
    r->verdict = (enum score_verdict)verdict;
    r->cases = cases;
    return true;
}

static bool is_asked_for(const struct score_result *r, const struct score_plan *plan, enum score_check check,
                         bool mechanical)
{
    return r->seeds == score_seeds(plan, check, mechanical) && fabs(r->limit_s - score_limit(plan, check)) < 1e-3;
}

size_t score_load(const char *path, const struct score_plan *plan, struct score_subject *subjects, size_t count)
{
    char line[LINE_ROOM];
    size_t loaded = 0;
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        struct score_result result = {0};
        unsigned check;
        const char *key = strchr(line, '\t');
        line[strcspn(line, "\n")] = '\0';
        if (key == NULL || !read_result(line, &check, &result))
            continue;
        for (size_t i = 0; i < count; i++)
            if (strcmp(key_of(&subjects[i]), key + 1) == 0 &&
                is_asked_for(&result, plan, (enum score_check)check, subjects[i].mechanical)) {
                subjects[i].results[check] = result;
                loaded++;
            }
    }
    if (file != NULL)
        fclose(file);
    return loaded;
}
