/*
 * What `warpcheck score` prints when it ends.
 */
#include "cli/score/score.h"

#include "cli/command.h"
#include "cli/ui/terminal.h"

#include <stdio.h>
#include <string.h>

int score_summarize(const struct score_subject *subjects, size_t count, const struct score_plan *plan)
{
    struct score_sums sums = {0};
    char fate[SCORE_VERDICT_MAX];
    for (size_t i = 0; i < count; i++) {
        const struct score_subject *s = &subjects[i];
        score_add(&sums, s);
        if (!score_caught_by(s, UINT32_MAX)) {
            score_verdict_text(s, fate);
            printf("%s%s%s: %s: %s\n", paint(score_missed(s) || score_failed(s) ? PAINT_RED : PAINT_PLAIN), s->name,
                   paint(PAINT_PLAIN), shown(s->what), fate);
        }
        for (unsigned check = SCORE_LIBFUZZER; check < SCORE_TRAPS; check++)
            if ((plan->checks >> check & 1u) && s->results[check].verdict == SCORE_FAILED)
                printf("%s could not run under %s: %s\n", s->name, score_check_name((enum score_check)check),
                       shown(s->what));
            else if ((plan->checks >> check & 1u) && s->results[check].caught < s->results[check].seeds)
                printf("%s missed by %s with %u of %u seeds: %s\n", s->name, score_check_name((enum score_check)check),
                       s->results[check].seeds - s->results[check].caught, s->results[check].seeds, shown(s->what));
    }
    printf("%zu mutants: %zu caught, %zu of them by the checks of run, %zu equivalent (%zu proved, %zu argued and "
           "proved for some cases, %zu argued alone), %zu missed",
           sums.all, sums.caught, sums.by_run, sums.equivalent, sums.proved, sums.bounded, sums.argued, sums.missed);
    if (sums.by_traps > 0)
        printf(", %zu of the caught only in a build with bounds and shift checks", sums.by_traps);
    if (sums.failed > 0)
        printf(", %zu could not run", sums.failed);
    printf("\n");
    if (sums.failed > 0)
        return STATUS_USAGE;
    return sums.missed > 0 ? STATUS_MISMATCH : STATUS_AGREE;
}

int score_summarize_programs(const struct score_program *programs, size_t count, const struct score_control *control)
{
    size_t caught = 0, linted = 0;
    for (size_t i = 0; i < count; i++) {
        const struct score_program *p = &programs[i];
        caught += score_program_caught(p);
        linted += p->lint[0] != '\0';
        if (!score_program_caught(p))
            printf("%s%s%s: %s: MISSED\n", paint(PAINT_RED), p->name, paint(PAINT_PLAIN), p->what);
    }
    if (count == 0)
        return STATUS_AGREE;
    printf("%zu wrong programs: %zu caught, %zu of them by lint; of %zu claims of %zu right programs %zu refuted, %zu "
           "programs with a fault\n",
           count, caught, linted, control->claims, control->programs, control->refuted, control->faults);
    return caught == count && control->refuted == 0 && control->faults == 0 ? STATUS_AGREE : STATUS_MISMATCH;
}
