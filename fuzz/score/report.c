/*
 * The score as Markdown, and the verdict on each mutant: caught, equivalent or missed.
 */
#include "fuzz/score/score.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[SCORE_CHECKS] = {"enumeration", "replay",       "random",
                                                "batches",     "laws",         "libFuzzer",
                                                "AFL++",       "byte mutator", "bounds and shift checks"};
static const char *const words[SCORE_CHECKS] = {"enumeration", "replay", "random", "batches", "laws",
                                                "libfuzzer",   "afl",    "bytes",  "traps"};

const char *score_check_name(enum score_check check)
{
    return names[check];
}

const char *score_check_word(enum score_check check)
{
    return words[check];
}

static void print_seconds(FILE *out, double seconds)
{
    if (seconds < 1)
        fprintf(out, "%.0f ms", seconds * 1000);
    else
        fprintf(out, "%.1f s", seconds);
}

/* "31 ms, 512"; "missed, 512"; of several seeds the median, "(19 of 20)" when not all caught it. */
static void print_result(FILE *out, const struct score_result *r)
{
    static const char *const verdicts[] = {"", "missed", "", "crash, ", "hang, ", "could not run"};
    fprintf(out, " %s", verdicts[r->verdict]);
    if (r->verdict == SCORE_MISSED && r->caught == 0)
        fprintf(out, ", %llu", (unsigned long long)r->cases);
    if (r->verdict == SCORE_FAILED || r->verdict == SCORE_NOT_RUN || r->caught == 0) {
        fprintf(out, " |");
        return;
    }
    if (r->verdict == SCORE_MISSED)
        fprintf(out, " by %u of %u seeds; median ", r->seeds - r->caught, r->seeds);
    print_seconds(out, r->seconds);
    fprintf(out, ", %llu |", (unsigned long long)r->cases);
}

/* Characters that a table would take for its own. */
static void print_code(FILE *out, const char *text)
{
    fputs(" `` ", out);
    for (; *text != '\0'; text++)
        fputs(*text == '|' ? "\\|" : (const char[]){*text, '\0'}, out);
    fputs(" `` |", out);
}

static void print_table(FILE *out, const struct score_subject *subjects, size_t count, bool mechanical, uint32_t checks)
{
    fprintf(out, "| mutant | %s |", mechanical ? "change" : "mistake");
    for (unsigned check = 0; check < SCORE_CHECKS; check++)
        if (checks >> check & 1u)
            fprintf(out, " %s |", names[check]);
    fprintf(out, "\n|---|---|");
    for (unsigned check = 0; check < SCORE_CHECKS; check++)
        if (checks >> check & 1u)
            fprintf(out, "---|");
    fprintf(out, "\n");
    for (size_t i = 0; i < count; i++) {
        const struct score_subject *s = &subjects[i];
        if (s->mechanical != mechanical || (mechanical && !score_caught_by(s, UINT32_MAX)))
            continue;
        fprintf(out, "| %s |", s->name);
        if (mechanical)
            print_code(out, s->what);
        else
            fprintf(out, " %s |", s->what);
        for (unsigned check = 0; check < SCORE_CHECKS; check++)
            if (checks >> check & 1u)
                print_result(out, &s->results[check]);
        fprintf(out, "\n");
    }
    fprintf(out, "\n");
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void print_totals(FILE *out, const struct score_subject *subjects, size_t count, bool mechanical,
                         uint32_t checks)
{
    struct score_sums sums = {0};
    for (size_t i = 0; i < count; i++)
        if (subjects[i].mechanical == mechanical)
            score_add(&sums, &subjects[i]);
    fprintf(out, "%zu mutants, %zu equivalent", sums.all, sums.equivalent);
    if (sums.equivalent > 0)
        fprintf(out, " (%zu proved, %zu argued and proved for some cases, %zu argued alone)", sums.proved, sums.bounded,
                sums.argued);
    fprintf(out, "; of the other %zu, %zu caught, %zu of them by the checks of `run` together",
            sums.all - sums.equivalent - sums.failed, sums.caught, sums.by_run);
    if (sums.by_traps > 0)
        fprintf(out, "; %zu only in a build with bounds and shift checks, as the sanitizers' builds are",
                sums.by_traps);
    if (sums.failed > 0)
        fprintf(out, "; %zu could not run", sums.failed);
    if (sums.by_crash > 0)
        fprintf(out, "; %zu only by a crash", sums.by_crash);
    fprintf(out, ".\n\n");
    fprintf(out, "| check | caught | median of the times | longest | longest run |\n|---|---|---|---|---|\n");
    for (unsigned check = 0; check < SCORE_CHECKS; check++) {
        double times[4096], worst = 0;
        size_t n = 0, tried = 0;
        if (!(checks >> check & 1u))
            continue;
        for (size_t i = 0; i < count && n < 4096; i++) {
            const struct score_result *r = &subjects[i].results[check];
            if (subjects[i].mechanical != mechanical || r->verdict == SCORE_NOT_RUN)
                continue;
            tried++;
            if (r->caught == 0)
                continue;
            times[n++] = r->seconds;
            worst = r->worst_s > worst ? r->worst_s : worst;
        }
        qsort(times, n, sizeof times[0], by_value);
        fprintf(out, "| %s | %zu of %zu | ", names[check], n, tried);
        print_seconds(out, n > 0 ? times[n / 2] : 0);
        fprintf(out, " | ");
        print_seconds(out, n > 0 ? times[n - 1] : 0);
        fprintf(out, " | ");
        print_seconds(out, worst);
        fprintf(out, " |\n");
    }
    fprintf(out, "\n");
}

/* What a hang costs, in the times above. */
static void print_hangs(FILE *out, const struct score_subject *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned check = 0; check < SCORE_CHECKS; check++)
            if (!subjects[i].mechanical && subjects[i].results[check].verdict == SCORE_HUNG) {
                fprintf(out,
                        "A hang is seen by a limit of time, which is in the entries: %.0f s for a call of the first "
                        "checks, and as long again to find the case of the call;\n%.1f s of the engines, more than "
                        "once, since the input is asked again case by case. (A campaign allows 1.5 s or more: it "
                        "cannot know how slow an implementation is.)\n\n",
                        SCORE_GUARD_MS / 1000.0, SCORE_ENGINE_GUARD_MS / 1000.0);
                return;
            }
}

static void print_survivors(FILE *out, const struct score_subject *subjects, size_t count)
{
    bool none = true;
    char fate[SCORE_VERDICT_MAX];
    fprintf(
        out,
        "## Survivors\n\nMutants that no check caught, and why. *Proved*: the compiler makes the same code of it, or "
        "`warpcheck prove --compiled` proves the changed code right\nfor every case of every form that the "
        "changed function serves, on the variant that is named. *Argued*: by people; where those proofs "
        "hold for some cases alone,\nor for none, this is said.\n\n");
    for (size_t i = 0; i < count; i++) {
        const struct score_subject *s = &subjects[i];
        if (score_caught_by(s, UINT32_MAX))
            continue;
        none = false;
        fprintf(out, "- ");
        if (!s->mechanical)
            fprintf(out, "%s: %s: ", s->name, s->what);
        else
            fprintf(out, "`` %s ``: ", s->what);
        score_verdict_text(s, fate);
        fprintf(out, "%s\n", fate);
    }
    fprintf(out, none ? "None.\n" : "");
}

static bool has_any(const struct score_subject *subjects, size_t count, bool mechanical)
{
    for (size_t i = 0; i < count; i++)
        if (subjects[i].mechanical == mechanical)
            return true;
    return false;
}

/* Times depend on how many measurements share the machine. Results of another session may have been kept. */
static void print_conditions(FILE *out, const struct score_subject *subjects, size_t count)
{
    struct {
        unsigned jobs, processors;
        size_t results;
    } seen[16];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned check = 0; check < SCORE_CHECKS; check++) {
            const struct score_result *r = &subjects[i].results[check];
            size_t k = 0;
            while (k < n && (seen[k].jobs != r->jobs || seen[k].processors != r->processors))
                k++;
            if (r->verdict == SCORE_NOT_RUN || k == sizeof seen / sizeof seen[0])
                continue;
            if (k == n) {
                seen[n].jobs = r->jobs, seen[n].processors = r->processors;
                seen[n++].results = 0;
            }
            seen[k].results++;
        }
    for (size_t k = 0; k < n; k++)
        fprintf(out, "%zu results were measured %u at a time on %u processors.\n", seen[k].results, seen[k].jobs,
                seen[k].processors);
}

static void print_unfound(FILE *out, const struct score_subject *subjects, size_t count)
{
    size_t none = 0;
    for (size_t i = 0; i < count; i++)
        if (!score_caught_by(&subjects[i], UINT32_MAX))
            fprintf(out, none++ == 0 ? "Found by no run of any method: %s" : ", %s", subjects[i].name);
    fprintf(out, none == 0 ? "Each is found by some run of some method.\n\n" : ".\n\n");
}

static void report_rare(FILE *out, const struct score_subject *subjects, size_t count, const struct score_plan *plan)
{
    fprintf(
        out,
        "# Score: rare defects\n\nWritten by `warpcheck score --rare`; do not edit. %zu defects that few cases show "
        "(`test/mutants/rare.c`), one at a time, in a plugin that is compiled for coverage.\n\n"
        "Each method has %g s for each defect, and begins with nothing: no corpus, no seeds. All but the "
        "enumeration, which is the same every time, run with %u seeds. `random` makes cases as `warpcheck run` does, "
        "without an engine; `laws` compares the defect's answers to such cases with each other alone; `libFuzzer` "
        "and `AFL++` have warpcheck's own mutator, `byte mutator` is libFuzzer without it. A median that lies "
        "beyond the limit is shown as the limit, with how many runs found the defect.\n\n",
        count, plan->limit_s, plan->seeds[ENGINE_LIBFUZZER]);
    print_conditions(out, subjects, count);
    fprintf(out, "Times are by the clock, with the start of all processes.\n\n");
    print_unfound(out, subjects, count);
    fprintf(out, "```\n");
    score_compare(out, subjects, count, plan);
    fprintf(out, "```\n\n## Cases\n\nTime, and the cases that were compared until then: medians of the runs, those "
                 "that missed as they ended.\n\n");
    print_table(out, subjects, count, false, plan->checks & SCORE_ORDINARY & ~(uint32_t)SCORE_MECHANICAL_ONLY);
}

static void report_all(FILE *out, const struct score_subject *subjects, size_t count, const struct score_plan *plan)
{
    fprintf(out, "# Score: the checker measured\n\nWritten by `warpcheck score`; do not edit. Each entry is the time "
                 "until the mutant was "
                 "caught, with the start of the process, and the cases checked until then.\n");
    if (plan->checks & SCORE_ENGINES)
        fprintf(
            out,
            "The engines start from an empty corpus. libFuzzer's entries are medians over %u seed%s with a limit of "
            "%.0f s, AFL++'s over %u with a limit of %.0f s.\n",
            plan->seeds[ENGINE_LIBFUZZER], plan->seeds[ENGINE_LIBFUZZER] == 1 ? "" : "s",
            plan->engine_s[ENGINE_LIBFUZZER], plan->seeds[ENGINE_AFL], plan->engine_s[ENGINE_AFL]);
    if (plan->checks & SCORE_RUN_CHECKS)
        fprintf(out,
                "Enumeration, replay, random cases and laws end at a limit of %.0f s each: \"missed\" is within that. "
                "Of the "
                "batches all are asked.\n",
                plan->limit_s);
    print_conditions(out, subjects, count);
    fprintf(out, "\n```\n");
    score_compare(out, subjects, count, plan);
    fprintf(out, "```\n\n");
    for (int mechanical = 0; mechanical < 2; mechanical++) {
        const uint32_t checks = plan->checks & ~(mechanical ? SCORE_HAND_ONLY : SCORE_MECHANICAL_ONLY);
        if (!has_any(subjects, count, mechanical != 0))
            continue;
        fprintf(out,
                mechanical
                    ? "## Mechanical mutants\n\nOne operator, constant or bound of `model/fast` changed at "
                      "a time, compiled as `fast` is. Enumeration, replay and random ask by cases, as `run` asks "
                      "`fast`;\nbatches ask its batch interface; libFuzzer asks by cases and by batches of "
                      "the cheapest shape, with one seed. Laws and AFL++ are not run.\nA mutant that none of these "
                      "caught is built again with bounds and shift checks, as the sanitizers' builds are: an index "
                      "beyond an array,\na shift that is too far or a count of the zeros of 0 then ends the program. "
                      "The last column is what "
                      "`run` sees of such a build; it is not counted among the checks of `run`.\nMutants that no check "
                      "caught are listed as survivors below.\n\n"
                    : "## Hand-written mutants\n\nThe mistakes that real implementations made. They answer "
                      "cases; batches are for what has an interface for them.\n\n");
        print_totals(out, subjects, count, mechanical != 0, checks);
        print_table(out, subjects, count, mechanical != 0, checks);
        if (!mechanical)
            print_hangs(out, subjects, count);
    }
    print_survivors(out, subjects, count);
}

void score_report(FILE *out, const struct score_subject *subjects, size_t count, const struct score_plan *plan)
{
    if (plan->rare)
        report_rare(out, subjects, count, plan);
    else
        report_all(out, subjects, count, plan);
}

/* --- verdicts --- */

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
    if (score_failed(subject))
        return false;
    if (score_caught_by(subject, UINT32_MAX) || subject->same_code || subject->proved == SCORE_PROVED)
        return false;
    return subject->proved == SCORE_REFUTED || subject->reason[0] == '\0' || subject->known_missed;
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
        snprintf(fate, SCORE_VERDICT_MAX, "MISSED%s%s%s%s%s", s->known_missed ? ": " : "",
                 s->known_missed              ? s->reason
                 : s->proved == SCORE_REFUTED ? "."
                                              : ": nobody has said why.",
                 s->proof[0] != '\0' ? proofs[SCORE_REFUTED] : "", s->proof, s->proof[0] != '\0' ? "." : "");
}
