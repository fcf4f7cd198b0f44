/* Shows a campaign to people, while it runs and at its end, and writes its result as JSON. */
#include "cli/work/stages.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "cli/command.h"
#include "cli/ui/json.h"
#include "cli/ui/terminal.h"
#include "cli/work/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- while it runs --- */

static struct progress progress;

static void show_began(const char *label, const char *unit)
{
    progress_start(&progress, label);
    progress.unit = unit;
}

static void show_progress(uint64_t done, uint64_t total, double seconds, uint64_t mismatches)
{
    progress_update(&progress, done, total, seconds, mismatches);
}

static void show_over(void)
{
    progress_end(&progress);
}

static void show_unreadable(const struct error *error)
{
    complain("%s", error->text);
}

static void show_stage(const struct stage_report *r)
{
    printf("  %-10s %-50s %13s %-10s %6.1f s", r->stage->name, r->stage->what, number_text(r->compared), r->unit,
           r->seconds);
    if (r->state == STAGE_UNFINISHED || r->state == STAGE_FAILED || r->state == STAGE_NOTHING)
        printf("  %s%s%s: %s", paint(PAINT_RED), stage_state_name(r->state), paint(PAINT_PLAIN), shown(r->why.text));
    else if (r->state != STAGE_RAN)
        printf("  %s: %s", stage_state_name(r->state), shown(r->why.text));
    printf("\n");
    fflush(stdout);
}

static void show_enumeration(const struct enumeration_tally *tally)
{
    const struct enumeration *e = tally->enumeration;
    printf("%-22s %13s %10s %-13s %8.2f s", e->name, number_text(tally->compared),
           number_text(e->count() * e->points_per_case), e->point, tally->seconds);
    printf(" %8s mismatches", number_text(tally->mismatches));
    if (tally->not_accepted)
        printf(", %s not accepted", number_text(tally->not_accepted));
    printf("%s\n    %s%s%s\n", tally->whole ? "" : "  NOT FINISHED", paint(PAINT_DIM), e->what, paint(PAINT_PLAIN));
    fflush(stdout);
}

const struct campaign_view view_stages = {.began = show_began,
                                          .progress = show_progress,
                                          .over = show_over,
                                          .unreadable = show_unreadable,
                                          .stage_ended = show_stage};
const struct campaign_view view_enumerations = {.began = show_began,
                                                .progress = show_progress,
                                                .over = show_over,
                                                .unreadable = show_unreadable,
                                                .enumerated = show_enumeration};
const struct campaign_view view_quiet = {
    .began = show_began, .progress = show_progress, .over = show_over, .unreadable = show_unreadable};

/* --- the tables --- */

static void print_cell(uint64_t n, int width)
{
    printf(" %*s", width, n ? number_text(n) : "-");
}

static void print_instructions(const struct campaign *campaign)
{
    printf("\n%s%-13s", paint(PAINT_BOLD), "instruction");
    for (size_t k = 0; k < KINDS; k++)
        printf(" %13s", kind_names[k]);
    printf(" %15s %10s%s\n", "lane results", "mismatches", paint(PAINT_PLAIN));
    for (size_t f = 0; f < WARP_FAMILIES; f++) {
        uint64_t lanes = 0;
        uint64_t mismatches = 0;
        printf("%-13s", warp_family_name((uint32_t)f));
        for (size_t k = 0; k < KINDS; k++) {
            struct checker_counts counts = campaign_family(campaign, (enum kind)k, (enum warp_family)f);
            print_cell(counts.compared, 13);
            lanes += counts.lane_results;
            mismatches += counts.mismatches;
        }
        print_cell(lanes, 15);
        printf(" %s%10s%s\n", mismatches ? paint(PAINT_RED) : "", number_text(mismatches), paint(PAINT_PLAIN));
    }
}

static void print_own(const struct campaign *campaign)
{
    uint64_t compared = 0;
    uint64_t mismatches = 0;
    for (size_t k = 0; k < KINDS; k++) {
        compared += checker_total(&campaign->own[k]).compared;
        mismatches += checker_total(&campaign->own[k]).mismatches;
    }
    if (compared)
        printf("%-28.28s %13s cases %14s mismatches   against what files expect and devices answered\n",
               shown(campaign->reference_option), number_text(compared), number_text(mismatches));
}

static void print_implementations(const struct campaign *campaign)
{
    printf("\n%simplementation%s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN));
    for (size_t i = 0; i < campaign->count; i++) {
        const struct subject *subject = &campaign->subjects[i];
        const struct checker_counts sum = subject_total(subject);
        const uint64_t refused = subject_not_accepted(subject);
        printf("%-28.28s %13s cases %14s mismatches   against %.20s", shown(subject->impl->name),
               number_text(sum.compared), number_text(sum.mismatches), shown(campaign->reference_option));
        if (refused)
            printf(", %s not accepted", number_text(refused));
        if (sum.unanswered)
            printf(", %s not answered", number_text(sum.unanswered));
        printf("%s\n", sum.lane_results ? "" : ", NOTHING COMPARED");
    }
    print_own(campaign);
}

/* Bit i of a set of parts (WARP_PART_...). */
static const char *const part_names[] = {"d", "p", "which d are predictable", "outcomes", "whom lanes wait for"};
#define PARTS (sizeof part_names / sizeof part_names[0])

void report_add_parts(struct buffer *text, uint32_t parts)
{
    const char *comma = "";
    for (size_t i = 0; i < PARTS; i++) {
        if (!(parts >> i & 1u))
            continue;
        buffer_format(text, "%s%s", comma, part_names[i]);
        comma = ", ";
    }
}

static void print_part_names(uint32_t parts)
{
    struct buffer text = {0};
    report_add_parts(&text, parts);
    printf("%s", buffer_string(&text));
    buffer_free(&text);
}

/* The parts that are not compared because one of the two does not give them. */
static void print_parts(const struct subject *subject)
{
    const uint32_t parts = checker_parts(&subject->kinds[0]);
    if (parts == WARP_PART_ALL)
        return;
    printf("not compared with %s: ", shown(subject->impl->name));
    print_part_names(WARP_PART_ALL & ~parts);
    printf("\n");
}

static void print_reasons(const struct subject *subject)
{
    struct checker sum;
    checker_init(&sum, subject->kinds[0].reference, subject->kinds[0].observed, NULL, NULL);
    for (size_t k = 0; k < KINDS; k++)
        checker_add(&sum, &subject->kinds[k]);
    for (size_t i = 0; i < sum.reasons_count; i++)
        printf("not accepted: %s cases: %s (first: %s)\n", number_text(sum.reasons[i].cases), shown(sum.reasons[i].why),
               shown(sum.reasons[i].example));
    for (size_t k = 0; k < KINDS; k++)
        if (subject->kinds[k].stopped)
            printf("%s was left out of the rest of '%s' after %s mismatches\n", shown(subject->impl->name),
                   kind_names[k], number_text(checker_total(&subject->kinds[k]).mismatches));
}

/* --- forms --- */

static uint64_t forms_of(uint32_t family)
{
    uint64_t forms = 0;
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if ((uint32_t)warp_form_get(form)->family == family)
            forms |= UINT64_C(1) << form;
    return forms;
}

void report_add_forms(struct buffer *text, uint64_t forms)
{
    const char *comma = "";
    for (uint32_t family = 0; family < WARP_FAMILIES; family++) {
        const uint64_t all = forms_of(family), some = forms & all;
        if (some == all) {
            buffer_format(text, "%s%s", comma, warp_family_name(family));
            comma = ", ";
            continue;
        }
        for (uint32_t form = 0; form < WARP_FORMS; form++)
            if (some >> form & 1u) {
                buffer_format(text, "%s%s", comma, warp_form_get(form)->name);
                comma = ", ";
            }
    }
}

static void print_form_names(uint64_t forms)
{
    struct buffer text = {0};
    report_add_forms(&text, forms);
    printf("%s", buffer_string(&text));
    buffer_free(&text);
}

void report_add_counts(struct buffer *text, const struct checker_counts *counts)
{
    buffer_format(text, "%s mismatch%s in %s cases (%s lane results)", number_text(counts->mismatches),
                  counts->mismatches == 1 ? "" : "es", number_text(counts->compared),
                  number_text(counts->lane_results));
}

/* --- findings --- */

void report_add_hits(struct buffer *text, const uint64_t hits[WARP_FORMS])
{
    const char *comma = "";
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (hits[form] > 0) {
            buffer_format(text, "%s%s (%s)", comma, warp_form_get(form)->name, number_text(hits[form]));
            comma = ", ";
        }
}

static void print_hits(const struct cause_entry *entry)
{
    struct buffer text = {0};
    report_add_hits(&text, entry->hits);
    printf("  in %s\n", buffer_string(&text));
    buffer_free(&text);
}

static void print_findings(const struct campaign *campaign)
{
    size_t kinds = 0;
    for (size_t i = 0; i < campaign->findings->count; i++) {
        const struct found *found = &campaign->findings->items[i];
        if (!found->reported || found->same)
            continue;
        if (kinds++ == 0)
            printf("\n%sfindings%s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN));
        printf("%-20.20s %-50s %13s times%s\n", shown(found->observed->name), found->signature,
               number_text(found->hits),
               found->unreduced    ? ", not reduced"
               : found->reproduced ? ""
                                   : ", not alone");
        if (found->cause[0] != '\0')
            printf("  %s\n", shown(found->cause));
        if (found->ending != NULL)
            printf("  it %s: %s\n", found->ending->words, found->ending->signature);
        if (found->entry != NULL) {
            print_hits(found->entry);
        } else if ((found->forms & (found->forms - 1)) != 0) {
            printf("  in ");
            print_form_names(found->forms);
            printf("\n");
        }
    }
    if (campaign->findings->unkept)
        printf("and %s mismatches that were not sorted into kinds: there was room for %u kinds of each instruction\n",
               number_text(campaign->findings->unkept), FINDINGS_FAMILY_MAX);
}

/* --- the verdict --- */

static int report_status(const struct campaign *campaign)
{
    if (campaign->unkept || campaign->unreadable)
        return STATUS_USAGE;
    switch (campaign_verdict(campaign)) {
    case VERDICT_AGREE:
    case VERDICT_AGREE_PARTLY:
        return STATUS_AGREE;
    case VERDICT_MISMATCH:
    case VERDICT_FAILED:
    case VERDICT_INTERRUPTED:
    case VERDICT_NOT_ALL_PROVED:
    case VERDICT_UNFINISHED:
    case VERDICT_NOTHING_COMPARED:
        return STATUS_MISMATCH;
    case VERDICT_UNREADABLE:
    case VERDICT_NOT_KEPT:
        return STATUS_USAGE;
    }
    abort();
}

static void print_lacks(const struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->lacking_count; i++)
        printf("%s\n", shown(campaign->lacking[i]));
    for (size_t i = 0; i < campaign->reports_count; i++)
        if (campaign->reports[i].state != STAGE_RAN)
            printf("%s: %s: %s\n", campaign->reports[i].stage->name, stage_state_name(campaign->reports[i].state),
                   shown(campaign->reports[i].why.text));
}

/* Every stage that did not run to its end, by name, behind the verdict. */
static void print_not_run(const struct campaign *campaign)
{
    size_t left_out = 0;
    for (size_t i = 0; i < campaign->reports_count; i++)
        if (campaign->reports[i].state != STAGE_RAN && campaign->reports[i].state != STAGE_LEFT_OUT)
            printf("; %s %s", campaign->reports[i].stage->name, stage_state_name(campaign->reports[i].state));
    for (size_t i = 0; i < campaign->reports_count; i++)
        if (campaign->reports[i].state == STAGE_LEFT_OUT)
            printf("%s%s", left_out++ > 0 ? ", " : "; left out: ", campaign->reports[i].stage->name);
    if (campaign->properties_expected != campaign->properties && campaign_verdict(campaign) != VERDICT_NOT_ALL_PROVED)
        printf("; prove: %s of %s properties as expected", number_text(campaign->properties_expected),
               number_text(campaign->properties));
    if (campaign->sampled)
        printf("; samples of what is enumerated and recorded");
}

/* The implementations of which nothing was compared. */
static void print_silent(const struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->count; i++)
        if (subject_total(&campaign->subjects[i]).lane_results == 0)
            printf("%s, ", shown(campaign->subjects[i].option));
}

/* What each implementation does not offer: forms, cases, parts of the results. */
static void print_not_offered(const struct campaign *campaign)
{
    const char *between = "; not offered: ";
    for (size_t i = 0; i < campaign->count; i++) {
        const struct subject *const subject = &campaign->subjects[i];
        const uint64_t forms = subject_forms_refused(subject);
        const uint32_t parts = subject_left_out(subject);
        if (subject_not_accepted(subject) == 0 && parts == 0)
            continue;
        printf("%s", between);
        if (subject_not_accepted(subject) > 0) {
            print_form_names(forms);
            printf("%s%s", forms != 0 ? "" : "some cases of these", parts != 0 ? ", " : "");
        }
        print_part_names(parts);
        if (campaign->count > 1)
            printf(" (%s)", shown(subject->option));
        between = ", ";
    }
}

static void print_fuzzed(const struct campaign *campaign)
{
    if (campaign->fuzzed_checks)
        printf(" and %s in %s checks by libFuzzer", number_text(campaign->fuzzed_mismatches),
               number_text(campaign->fuzzed_checks));
}

/* The last line: the verdict, over how many cases, and what was not done. */
static void print_verdict(const struct campaign *campaign)
{
    const struct checker_counts total = campaign_total(campaign);
    const struct checker_counts asked = campaign_asked(campaign);
    const enum verdict verdict = campaign_verdict(campaign);
    const bool good = report_status(campaign) == STATUS_AGREE;
    const char *colour = paint(good ? PAINT_GREEN : PAINT_RED), *plain = paint(PAINT_PLAIN);
    printf("\n");
    if (verdict == VERDICT_AGREE_PARTLY) {
        printf("%sagrees%s on %s cases (%s lane results) of ", colour, plain, number_text(asked.compared),
               number_text(asked.lane_results));
        print_form_names(campaign_forms_compared(campaign));
        print_not_offered(campaign);
        if (campaign->fuzzed_checks)
            printf(", 0 mismatches");
        print_fuzzed(campaign);
        printf(", %.1f s", clock_seconds() - campaign->start);
    } else {
        printf("%s%s%s%s: ", colour, verdict_name(verdict), plain, verdict == VERDICT_NOTHING_COMPARED ? " of" : "");
        if (verdict == VERDICT_NOTHING_COMPARED)
            print_silent(campaign);
        if (total.mismatches == 0 && campaign->fuzzed_mismatches > 0) {
            printf("%s mismatch%s in %s checks by libFuzzer, none in %s cases (%s lane results)",
                   number_text(campaign->fuzzed_mismatches), campaign->fuzzed_mismatches == 1 ? "" : "es",
                   number_text(campaign->fuzzed_checks), number_text(total.compared), number_text(total.lane_results));
        } else {
            struct buffer counts = {0};
            report_add_counts(&counts, &total);
            printf("%s", buffer_string(&counts));
            buffer_free(&counts);
            print_fuzzed(campaign);
        }
        if (campaign->unreadable)
            printf(", %s files could not be read", number_text(campaign->unreadable));
        printf(", %.1f s", clock_seconds() - campaign->start);
    }
    print_not_run(campaign);
    printf("\n");
}

static void print_report(struct campaign *campaign)
{
    print_findings(campaign);
    print_instructions(campaign);
    print_implementations(campaign);
    for (size_t i = 0; i < campaign->count; i++) {
        print_parts(&campaign->subjects[i]);
        print_reasons(&campaign->subjects[i]);
    }
    campaign_end(campaign);
    if (campaign->notes_count + campaign->lacking_count)
        printf("\n");
    for (size_t i = 0; i < campaign->notes_count; i++)
        printf("%s\n", shown(campaign->notes[i]));
    print_lacks(campaign);
    if (interrupted())
        printf("\nINTERRUPTED: this is what was done so far; it is no answer about the rest\n");
    print_verdict(campaign);
}

/* --- for machines --- */

static void write_instructions(const struct campaign *campaign)
{
    out_begin_array("instructions");
    for (size_t f = 0; f < WARP_FAMILIES; f++) {
        uint64_t lanes = 0;
        uint64_t mismatches = 0;
        out_begin_object(NULL);
        out_text("name", warp_family_name((uint32_t)f));
        for (size_t k = 0; k < KINDS; k++) {
            struct checker_counts counts = campaign_family(campaign, (enum kind)k, (enum warp_family)f);
            out_number(kind_names[k], counts.compared);
            lanes += counts.lane_results;
            mismatches += counts.mismatches;
        }
        out_number("lane_results", lanes);
        out_number("mismatches", mismatches);
        out_end();
    }
    out_end();
}

static void write_reasons(const struct checker *checker)
{
    for (size_t i = 0; i < checker->reasons_count; i++) {
        out_begin_object(NULL);
        out_text("why", checker->reasons[i].why);
        out_text("first", checker->reasons[i].example);
        out_number("cases", checker->reasons[i].cases);
        out_end();
    }
}

static void write_implementations(const struct campaign *campaign)
{
    out_begin_array("implementations");
    for (size_t i = 0; i < campaign->count; i++) {
        const struct subject *subject = &campaign->subjects[i];
        out_begin_object(NULL);
        out_text("name", subject->impl->name);
        out_text("opened_as", subject->option);
        for (size_t k = 0; k < KINDS; k++) {
            struct checker_counts counts = checker_total(&subject->kinds[k]);
            out_begin_object(kind_names[k]);
            out_number("cases", counts.compared);
            out_number("lane_results", counts.lane_results);
            out_number("mismatches", counts.mismatches);
            out_bool("stopped", subject->kinds[k].stopped);
            out_end();
        }
        out_number("cases_not_accepted", subject_not_accepted(subject));
        out_number("cases_not_answered", subject_total(subject).unanswered);
        out_begin_array("parts_not_offered");
        for (size_t part = 0; part < PARTS; part++)
            if (subject_left_out(subject) >> part & 1u)
                out_text(NULL, part_names[part]);
        out_end();
        out_begin_array("not_accepted");
        for (size_t k = 0; k < KINDS; k++)
            write_reasons(&subject->kinds[k]);
        out_end();
        out_end();
    }
    out_end();
}

static void write_forms(const char *key, uint64_t forms)
{
    out_begin_array(key);
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (forms >> form & 1u)
            out_text(NULL, warp_form_get(form)->name);
    out_end();
}

static void write_mistakes(const struct cause_entry *entry)
{
    char slug[CAUSE_SLUG_MAX];
    out_begin_array("mistakes"); /* none: no known one explains it */
    if (entry->kind == ENTRY_MISTAKE)
        out_text(NULL, cause_term_slug(&entry->term, slug));
    out_end();
}

/* What is known of why, of one finding. */
static void write_cause(const char *key, const struct found *found)
{
    const struct cause_entry *const entry = found->entry;
    out_begin_object(key);
    out_text("implementation", entry->observed->name);
    out_begin_array("instructions");
    for (unsigned f = 0; f < WARP_FAMILIES; f++)
        if (entry->families >> f & 1u)
            out_text(NULL, warp_family_name(f));
    out_end();
    out_bool("asked", entry->kind != ENTRY_UNASKED);
    out_bool("history", entry->kind == ENTRY_HISTORY);
    write_mistakes(entry);
    out_number("mismatches", entry->cause.mismatches);
    out_number("endings", entry->cause.endings);
    out_number("agreements", entry->cause.agreements);
    out_bool("certain", entry->kind == ENTRY_MISTAKE && cause_is_whole(&entry->cause));
    out_number("explained", entry->kind == ENTRY_MISTAKE ? entry->cause.explained : 0);
    out_text("text", found->cause);
    out_end();
}

static void write_causes(const struct campaign *campaign)
{
    out_begin_array("causes");
    for (size_t i = 0; i < campaign->findings->count; i++)
        if (campaign->findings->items[i].entry != NULL)
            write_cause(NULL, &campaign->findings->items[i]);
    out_end();
}

static void write_ending(const struct found_ending *e)
{
    out_begin_object("ending");
    out_text("kind", finding_kind_name(finding_kind_of_error(e->code)));
    out_text("signature", e->signature);
    out_text("words", e->words);
    out_text("cuda", e->call);
    out_text("line", e->line);
    out_text("path", e->path);
    out_text("replay", e->path[0] ? e->command : "");
    out_case("case", &e->c);
    out_end();
}

static void write_entry(const struct found *found)
{
    write_cause("cause", found);
    out_text("cuda", found->call);
    out_text("seen", found->notes);
    out_number("reading", found->reading);
    if (found->ending != NULL)
        write_ending(found->ending);
    out_begin_object("times_by_form");
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (found->entry->hits[form] > 0)
            out_number(warp_form_get(form)->name, found->entry->hits[form]);
    out_end();
}

static void write_findings(const struct campaign *campaign)
{
    out_begin_array("findings");
    for (size_t i = 0; i < campaign->findings->count; i++) {
        const struct found *found = &campaign->findings->items[i];
        if (!found->reported || found->same)
            continue;
        out_begin_object(NULL);
        out_text("signature", found->signature);
        out_number("times", found->hits);
        write_forms("forms", found->forms);
        if (found->entry != NULL)
            write_entry(found);
        out_bool("reproduced", found->reproduced);
        out_text("line", found->line);
        out_text("path", found->path);
        out_text("replay", found->path[0] ? found->command : "");
        out_case("case", &found->c);
        out_end();
    }
    out_end();
}

static void write_stages(const struct campaign *campaign)
{
    out_begin_array("stages");
    for (size_t i = 0; i < campaign->reports_count; i++) {
        const struct stage_report *r = &campaign->reports[i];
        out_begin_object(NULL);
        out_text("name", r->stage->name);
        out_text("state", stage_state_name(r->state));
        out_text("why", r->state == STAGE_RAN ? "" : r->why.text);
        out_number(r->unit, r->compared);
        out_real("seconds", r->seconds);
        out_end();
    }
    out_end();
}

static void write_report(struct campaign *campaign, const char *command)
{
    struct checker_counts total = campaign_total(campaign);
    out_start();
    out_text("command", command);
    out_text("reference", campaign->reference_option);
    out_number("fuzz_checks", campaign->fuzzed_checks);
    out_number("fuzz_mismatches", campaign->fuzzed_mismatches);
    out_number("seed", campaign->seed);
    write_stages(campaign);
    write_instructions(campaign);
    write_implementations(campaign);
    write_causes(campaign);
    write_findings(campaign);
    campaign_end(campaign);
    out_begin_array("notes");
    for (size_t i = 0; i < campaign->notes_count; i++)
        out_text(NULL, campaign->notes[i]);
    for (size_t i = 0; i < campaign->lacking_count; i++)
        out_text(NULL, campaign->lacking[i]);
    out_end();
    out_number("cases", total.compared);
    out_number("lane_results", total.lane_results);
    out_number("mismatches", total.mismatches);
    out_number("properties", campaign->properties);
    out_number("properties_as_expected", campaign->properties_expected);
    write_forms("forms_compared", campaign_forms_compared(campaign));
    write_forms("forms_not_accepted", campaign_forms_refused(campaign));
    out_number("unreadable_files", campaign->unreadable);
    out_text("error", campaign->ended ? campaign->error.text : "");
    out_real("seconds", clock_seconds() - campaign->start);
    out_text("verdict", verdict_name(campaign_verdict(campaign)));
    out_number("status", (uint64_t)report_status(campaign));
    out_print();
}

int report_print(struct campaign *campaign, const char *command)
{
    if (campaign->json)
        write_report(campaign, command);
    else
        print_report(campaign);
    fflush(stdout);
    if (campaign->ended)
        complain("warpcheck: %s", campaign->error.text);
    for (size_t i = 0; i < campaign->reports_count; i++)
        if (campaign->reports[i].state == STAGE_FAILED && !campaign->ended)
            complain("warpcheck: %s: %s", campaign->reports[i].stage->name, campaign->reports[i].why.text);
    return report_status(campaign);
}
