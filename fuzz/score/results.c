/*
 * Results on disk: each is there as soon as it is measured, so that a measurement can be stopped, go on, and be made in
 * parts.
 */
#include "fuzz/score/score.h"

#include "base/buffer.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#define LINE_ROOM 1024

/* What stays the same when mutants are numbered anew. */
static const char *key_of(const struct score_subject *s)
{
    return s->mechanical ? s->what : s->name;
}

/* "CHECK VERDICT SECONDS WORST CASES SEEDS CAUGHT JOBS PROCESSORS<tab>KEY" with the check as a word, the verdict as a
 * number. */
bool score_save(const char *path, const struct score_subject *subject, enum score_check check)
{
    const struct score_result *r = &subject->results[check];
    struct buffer line = {0};
    bool good;
    buffer_format(&line, "%s %d %.4f %.4f %llu %u %u %u %u\t%s\n", score_check_word(check), (int)r->verdict, r->seconds,
                  r->worst_s, (unsigned long long)r->cases, r->seeds, r->caught, r->jobs, r->processors,
                  key_of(subject));
    good = !line.failed && file_append(path, line.data, line.size, NULL);
    buffer_free(&line);
    return good;
}

static bool read_result(const char *line, unsigned *check, struct score_result *r)
{
    unsigned verdict;
    unsigned long long cases;
    char word[16];
    if (sscanf(line, "%15s %u %lf %lf %llu %u %u %u %u", word, &verdict, &r->seconds, &r->worst_s, &cases, &r->seeds,
               &r->caught, &r->jobs, &r->processors) != 9 ||
        verdict > SCORE_FAILED)
        return false;
    for (*check = 0; *check < SCORE_CHECKS && strcmp(word, score_check_word((enum score_check) * check)) != 0;)
        ++*check;
    if (*check == SCORE_CHECKS)
        return false;
    r->verdict = (enum score_verdict)verdict;
    r->cases = cases;
    return true;
}

size_t score_load(const char *path, const struct score_plan *plan, struct score_subject *subjects, size_t count)
{
    char line[LINE_ROOM];
    size_t loaded = 0;
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        struct score_result result;
        unsigned check;
        const char *key = strchr(line, '\t');
        line[strcspn(line, "\n")] = '\0';
        if (key == NULL || !read_result(line, &check, &result))
            continue;
        for (size_t i = 0; i < count; i++)
            if (strcmp(key_of(&subjects[i]), key + 1) == 0 &&
                result.seeds == score_seeds(plan, (enum score_check)check, subjects[i].mechanical)) {
                subjects[i].results[check] = result;
                loaded++;
            }
    }
    if (file != NULL)
        fclose(file);
    return loaded;
}
