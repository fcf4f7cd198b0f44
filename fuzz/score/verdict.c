/*
 * The verdict on a mutant: caught, equivalent or missed.
 */
#include "fuzz/score/score.h"

#include <string.h>

bool score_is_caught(enum score_verdict verdict)
{
    return verdict == SCORE_CAUGHT || verdict == SCORE_CRASHED || verdict == SCORE_HUNG;
}

bool score_caught_by(const struct score_subject *subject, uint32_t checks)
{
    for (unsigned check = 0; check < SCORE_CHECKS; check++)
        if ((checks >> check & 1u) && subject->results[check].caught > 0)
            return true;
    return false;
}

bool score_failed(const struct score_subject *subject)
{
    bool failed = false;
    if (subject->proved == SCORE_PROVED || subject->proved == SCORE_REFUTED)
        return false; /* the proofs have said what it is */
    for (unsigned check = 0; check < SCORE_CHECKS; check++) {
        if (check == SCORE_TRAPS && subject->results[check].caught == 0)
            continue; /* another build agrees: that is no answer of this one */
        if (subject->results[check].caught > 0 || subject->results[check].verdict == SCORE_MISSED)
            return false;
        failed = failed || subject->results[check].verdict == SCORE_FAILED;
    }
    return failed;
}

bool score_missed(const struct score_subject *subject)
{
    const char *reason = subject->reason;
    if (score_failed(subject))
        return false;
    if (score_caught_by(subject, UINT32_MAX) || subject->same_code || subject->proved == SCORE_PROVED)
        return false;
    return subject->proved == SCORE_REFUTED || reason[0] == '\0' || strncmp(reason, "missed:", 7) == 0;
}

static bool only_crashed(const struct score_subject *subject)
{
    for (unsigned check = 0; check < SCORE_CHECKS; check++)
        if (subject->results[check].caught > 0 && subject->results[check].verdict != SCORE_CRASHED)
            return false;
    return true;
}

void score_add(struct score_sums *sums, const struct score_subject *subject)
{
    sums->all++;
    sums->by_run += score_caught_by(subject, SCORE_RUN_CHECKS);
    if (score_caught_by(subject, UINT32_MAX)) {
        sums->caught++;
        sums->by_traps += !score_caught_by(subject, SCORE_ORDINARY);
        sums->by_crash += score_caught_by(subject, SCORE_ORDINARY) && only_crashed(subject);
        return;
    }
    if (score_failed(subject)) {
        sums->failed++;
        return;
    }
    if (score_missed(subject)) {
        sums->missed++;
        return;
    }
    sums->equivalent++;
    if (subject->same_code || subject->proved == SCORE_PROVED)
        sums->proved++;
    else if (subject->proved == SCORE_BOUNDED)
        sums->bounded++;
    else
        sums->argued++;
}

void score_verdict_text(const struct score_subject *s, char fate[SCORE_VERDICT_MAX])
{
    static const char *const proofs[] = {[SCORE_UNPROVED] = " Not proved: ",
                                         [SCORE_BOUNDED] = " Proved for some cases: ",
                                         [SCORE_REFUTED] = " The proof about compiled code: "};
    unsigned long long agreed = 0;
    for (unsigned check = 0; check < SCORE_CHECKS; check++)
        agreed += s->results[check].verdict == SCORE_MISSED && check != SCORE_LAWS && check != SCORE_TRAPS
                      ? s->results[check].cases
                      : 0;
    if (score_failed(s))
        snprintf(fate, SCORE_VERDICT_MAX, "COULD NOT RUN: no check of it ended, so nothing is said of it.");
    else if (s->same_code)
        snprintf(fate, SCORE_VERDICT_MAX, "equivalent, proved: %s.", s->reason);
    else if (s->proved == SCORE_PROVED)
        snprintf(fate, SCORE_VERDICT_MAX, "equivalent, proved: %s. %s It agreed on %llu cases.", s->proof, s->reason,
                 agreed);
    else if (!score_missed(s))
        snprintf(fate, SCORE_VERDICT_MAX, "equivalent, argued: %s It agreed on %llu cases.%s%s%s", s->reason, agreed,
                 s->proof[0] != '\0' ? proofs[s->proved] : "", s->proof, s->proof[0] != '\0' ? "." : "");
    else
        snprintf(fate, SCORE_VERDICT_MAX, "MISSED%s%s%s%s",
                 strncmp(s->reason, "missed", 6) == 0 ? s->reason + 6
                 : s->proved == SCORE_REFUTED         ? "."
                                                      : ": nobody has said why.",
                 s->proof[0] != '\0' ? proofs[SCORE_REFUTED] : "", s->proof, s->proof[0] != '\0' ? "." : "");
}
