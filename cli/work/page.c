/* A campaign as a page to show around: verdict, causes with a drawing of each, and what was compared. */
#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "check/campaign/causes.h"
#include "cli/command.h"
#include "cli/ui/html.h"
#include "cli/work/findings.h"
#include "cli/work/stages.h"
#include "warpcheck/text.h"

#include <stdlib.h>

static enum html_tone tone_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_AGREE:
        return HTML_GOOD;
    case VERDICT_AGREE_PARTLY:
    case VERDICT_INTERRUPTED:
    case VERDICT_UNFINISHED:
    case VERDICT_NOTHING_COMPARED:
        return HTML_OPEN;
    case VERDICT_MISMATCH:
    case VERDICT_FAILED:
    case VERDICT_UNREADABLE:
    case VERDICT_NOT_KEPT:
    case VERDICT_NOT_ALL_PROVED:
        return HTML_BAD;
    }
    abort();
}

static void put_forms(FILE *out, const char *label, uint64_t forms)
{
    struct buffer text = {0};
    report_add_forms(&text, forms);
    if (forms != 0)
        html_line(out, HTML_PLAIN, label, "%s", buffer_string(&text));
    buffer_free(&text);
}

static void put_verdict(FILE *out, const struct campaign *campaign)
{
    const struct checker_counts total = campaign_total(campaign);
    const enum verdict verdict = campaign_verdict(campaign);
    struct buffer line = {0};
    report_add_counts(&line, &total);
    if (campaign->fuzzed_checks)
        buffer_format(&line, " and %s in %s checks by libFuzzer", number_text(campaign->fuzzed_mismatches),
                      number_text(campaign->fuzzed_checks));
    if (campaign->unreadable)
        buffer_format(&line, ", %s files could not be read", number_text(campaign->unreadable));
    buffer_format(&line, ", %.1f s", clock_seconds() - campaign->start);
    for (size_t i = 0; i < campaign->reports_count; i++)
        if (campaign->reports[i].state != STAGE_RAN)
            buffer_format(&line, "; %s %s", campaign->reports[i].stage->name,
                          stage_state_name(campaign->reports[i].state));
    html_verdict(out, tone_of(verdict), verdict_name(verdict), buffer_string(&line));
    buffer_free(&line);
    if (campaign->ended)
        html_line(out, HTML_BAD, "ended", "%s", campaign->error.text);
    put_forms(out, "Compared:", campaign_forms_compared(campaign));
    put_forms(out, "Not offered:", campaign_forms_refused(campaign));
}

/* --- what is wrong --- */

static void put_times(FILE *out, const struct found *found)
{
    struct buffer text = {0};
    const char *comma = "";
    if (found->entry)
        for (uint32_t form = 0; form < WARP_FORMS; form++)
            if (found->entry->hits[form] > 0) {
                buffer_format(&text, "%s%s (%s)", comma, warp_form_get(form)->name,
                              number_text(found->entry->hits[form]));
                comma = ", ";
            }
    if (text.size == 0)
        report_add_forms(&text, found->forms);
    html_line(out, HTML_PLAIN, "Seen", "%s times, in %s", number_text(found->hits), buffer_string(&text));
    buffer_free(&text);
}

static void put_found(FILE *out, const struct found *found)
{
    char line[WARP_TEXT_MAX];
    html_finding_begin(out, HTML_BAD, found->signature);
    if (found->cause[0] != '\0')
        html_line(out, HTML_BAD, "Cause", "%s", found->cause);
    if (found->call[0] != '\0')
        html_code(out, "As CUDA", found->call);
    if (found->notes[0] != '\0')
        html_line(out, HTML_PLAIN, "In the values", "%s", found->notes);
    if (found->reading != 0)
        html_line(out, HTML_OPEN, "Reading",
                  "this rests on number %u of docs/ambiguities.md, where the manual is silent", found->reading);
    put_times(out, found);
    if (found->ending != NULL) {
        html_line(out, HTML_BAD, "It ends", "%s %s", found->source->observed_option, found->ending->words);
        if (!found->ends) {
            html_code(out, "As CUDA", found->ending->call[0] != '\0' ? found->ending->call : found->ending->line);
            html_code(out, "Ask it again", found->ending->command);
        }
    }
    if (found->undrawn) {
        html_code(out, "In one line", found->line);
    } else if (found->ends) {
        html_line(out, HTML_PLAIN, "No answer", "there is nothing to draw: the implementation does not answer");
    } else if (found->reproduced || found->unreduced) {
        const struct drawing drawing = {.c = &found->c,
                                        .expected = &found->expected,
                                        .expected_name = found->label[0] != '\0' ? found->label : "spec",
                                        .observed = &found->answer,
                                        .observed_name = found->source->observed_option,
                                        .parts = found->parts};
        html_case(out, &drawing);
    } else if (found->entry != NULL && found->entry->kind == ENTRY_UNASKED) {
        html_line(out, HTML_OPEN, "Not reduced", "it could not be asked again: the implementation had ended");
    } else {
        html_line(out, HTML_OPEN, "Not alone",
                  "it did not happen again, neither alone nor with the cases that were asked with it; no reproducer "
                  "was written");
    }
    warp_case_to_text(&found->c, line, sizeof line);
    html_code(out, "The case", line);
    if (found->path[0] != '\0')
        html_code(out, "Ask it again", found->command);
    html_finding_end(out);
}

static void put_findings(FILE *out, const struct campaign *campaign)
{
    const struct findings *const findings = campaign->findings;
    bool some = false;
    for (size_t i = 0; i < findings->count; i++) {
        if (!findings->items[i].reported || findings->items[i].same)
            continue;
        if (!some)
            html_section_begin(out, "What is wrong");
        some = true;
        put_found(out, &findings->items[i]);
    }
    if (findings->unkept)
        html_line(out, HTML_PLAIN, NULL, "%s mismatches more were not sorted: there was no room for their kinds",
                  number_text(findings->unkept));
    if (some)
        html_section_end(out);
}

/* --- what was compared --- */

static void put_stages(FILE *out, const struct campaign *campaign)
{
    static const struct html_column columns[] = {
        {"stage", false}, {"what", false}, {"compared", true}, {"seconds", true}, {"state", false}};
    const struct html_table table = html_table_begin(out, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < campaign->reports_count; i++) {
        const struct stage_report *const r = &campaign->reports[i];
        char compared[64], seconds[32], state[ERROR_TEXT_MAX + 64];
        const bool ran = r->state == STAGE_RAN;
        snprintf(compared, sizeof compared, "%s %s", number_text(r->compared), r->unit);
        snprintf(seconds, sizeof seconds, "%.1f", r->seconds);
        snprintf(state, sizeof state, "%s%s%s", stage_state_name(r->state), ran ? "" : ": ", ran ? "" : r->why.text);
        const char *const cells[] = {r->stage->name, r->stage->what, compared, seconds, state};
        html_table_row(&table, ran ? HTML_PLAIN : r->state == STAGE_FAILED ? HTML_BAD : HTML_OPEN, cells);
    }
    html_table_end(&table);
}

static void put_instructions(FILE *out, const struct campaign *campaign)
{
    struct html_column columns[KINDS + 3] = {{"instruction", false}};
    for (size_t k = 0; k < KINDS; k++)
        columns[k + 1] = (struct html_column){kind_names[k], true};
    columns[KINDS + 1] = (struct html_column){"lane results", true};
    columns[KINDS + 2] = (struct html_column){"mismatches", true};
    const struct html_table table = html_table_begin(out, columns, KINDS + 3);
    for (uint32_t f = 0; f < WARP_FAMILIES; f++) {
        char texts[KINDS + 3][32];
        const char *cells[KINDS + 3] = {warp_family_name(f)};
        uint64_t lanes = 0, mismatches = 0;
        for (size_t k = 0; k < KINDS; k++) {
            const struct checker_counts counts = campaign_family(campaign, (enum kind)k, (enum warp_family)f);
            snprintf(texts[k + 1], sizeof texts[0], "%s", counts.compared ? number_text(counts.compared) : "");
            lanes += counts.lane_results;
            mismatches += counts.mismatches;
        }
        snprintf(texts[KINDS + 1], sizeof texts[0], "%s", lanes ? number_text(lanes) : "");
        snprintf(texts[KINDS + 2], sizeof texts[0], "%s", lanes ? number_text(mismatches) : "not compared");
        for (size_t k = 1; k < KINDS + 3; k++)
            cells[k] = texts[k];
        html_table_row(&table, mismatches ? HTML_BAD : HTML_PLAIN, cells);
    }
    html_table_end(&table);
}

static void put_reasons(FILE *out, const struct subject *subject)
{
    static const struct html_column columns[] = {{"not accepted", true}, {"why", false}, {"first", false}};
    static struct checker sum;
    checker_init(&sum, NULL, NULL, NULL, NULL);
    for (size_t k = 0; k < KINDS; k++)
        checker_add(&sum, &subject->kinds[k]);
    if (sum.reasons_count == 0)
        return;
    const struct html_table table = html_table_begin(out, columns, 3);
    for (size_t i = 0; i < sum.reasons_count; i++) {
        const char *const cells[] = {number_text(sum.reasons[i].cases), sum.reasons[i].why, sum.reasons[i].example};
        html_table_row(&table, HTML_PLAIN, cells);
    }
    html_table_end(&table);
}

static void put_implementations(FILE *out, const struct campaign *campaign)
{
    html_section_begin(out, "Implementations");
    for (size_t i = 0; i < campaign->count; i++) {
        const struct subject *const subject = &campaign->subjects[i];
        const struct checker_counts sum = subject_total(subject);
        html_line(out, sum.mismatches ? HTML_BAD : HTML_PLAIN, subject->option,
                  "%s cases compared with %s, %s mismatches, %s not accepted%s", number_text(sum.compared),
                  campaign->reference_option, number_text(sum.mismatches), number_text(subject_not_accepted(subject)),
                  sum.compared ? "" : ": nothing compared");
        put_reasons(out, subject);
    }
    html_section_end(out);
}

static void put_notes(FILE *out, const struct campaign *campaign)
{
    if (campaign->notes_count + campaign->lacking_count == 0)
        return;
    html_section_begin(out, "Notes");
    for (size_t i = 0; i < campaign->notes_count; i++)
        html_line(out, HTML_PLAIN, NULL, "%s", campaign->notes[i]);
    for (size_t i = 0; i < campaign->lacking_count; i++)
        html_line(out, HTML_OPEN, NULL, "%s", campaign->lacking[i]);
    html_section_end(out);
}

bool report_page(const struct campaign *campaign, const char *command, const char *path, struct error *error)
{
    struct file_text text;
    struct buffer title = {0};
    if (!file_text_begin(&text, error))
        return false;
    buffer_format(&title, "warpcheck %s: ", command);
    for (size_t i = 0; i < campaign->count; i++)
        buffer_format(&title, "%s%s", i > 0 ? ", " : "", campaign->subjects[i].option);
    buffer_format(&title, " against %s, seed %llu", campaign->reference_option, (unsigned long long)campaign->seed);
    html_begin(text.stream, buffer_string(&title));
    buffer_free(&title);
    put_verdict(text.stream, campaign);
    put_findings(text.stream, campaign);
    html_section_begin(text.stream, "What was compared");
    put_stages(text.stream, campaign);
    put_instructions(text.stream, campaign);
    html_section_end(text.stream);
    put_implementations(text.stream, campaign);
    put_notes(text.stream, campaign);
    html_end(text.stream);
    return file_text_end(&text, path, error);
}
