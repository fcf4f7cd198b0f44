/* The end of a campaign for machines. */
#include "cli/ui/json.h"
#include "base/clock.h"
#include "cli/work/campaign.h"

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
        out_number("cases_not_answered", subject_unanswered(subject));
        out_begin_array("not_accepted");
        for (size_t k = 0; k < KINDS; k++)
            write_reasons(&subject->kinds[k]);
        out_end();
        out_end();
    }
    out_end();
}

static void write_findings(const struct campaign *campaign)
{
    out_begin_array("findings");
    for (size_t i = 0; i < campaign->findings.count; i++) {
        const struct found *found = &campaign->findings.items[i];
        if (!found->reported || found->same)
            continue;
        out_begin_object(NULL);
        out_text("signature", found->signature);
        out_number("times", found->hits);
        out_begin_array("forms");
        for (uint32_t form = 0; form < WARP_FORMS; form++)
            if (found->forms >> form & 1u)
                out_text(NULL, warp_form_get(form)->name);
        out_end();
        out_bool("reproduced", found->reproduced);
        out_text("line", found->line);
        out_text("path", found->path);
        out_text("replay", found->path[0] ? found->command : "");
        out_case("case", &found->c);
        out_end();
    }
    out_end();
}

void campaign_json(const struct campaign *campaign, const char *command)
{
    struct checker_counts total = campaign_total(campaign);
    out_start();
    out_text("command", command);
    out_text("reference", campaign->reference_option);
    out_number("fuzz_checks", campaign->fuzzed_checks);
    out_number("fuzz_mismatches", campaign->fuzzed_mismatches);
    out_number("seed", campaign->seed);
    write_instructions(campaign);
    write_implementations(campaign);
    write_findings(campaign);
    out_begin_array("notes");
    for (size_t i = 0; i < campaign->notes_count; i++)
        out_text(NULL, campaign->notes[i]);
    out_end();
    out_number("cases", total.compared);
    out_number("lane_results", total.lane_results);
    out_number("mismatches", total.mismatches);
    out_number("properties", campaign->properties);
    out_number("properties_as_expected", campaign->properties_expected);
    out_number("unreadable_files", campaign->unreadable);
    out_text("error", campaign->failed ? campaign->error : "");
    out_real("seconds", clock_seconds() - campaign->start);
    out_text("verdict", campaign_verdict(campaign));
    out_number("status", (uint64_t)campaign_status(campaign));
    out_print();
}
