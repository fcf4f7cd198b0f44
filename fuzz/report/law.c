/*
 * A broken law: the case made smaller as long as the same is wrong with the same law.
 */
#include "fuzz/report/report.h"

#include "base/clock.h"
#include "check/reduce.h"
#include "fuzz/laws.h"

#include <stdio.h>
#include <string.h>

#define REDUCE_LIMIT 4000u

struct broken {
    const struct law *law;
    const struct warp_impl *impl;
    const char *wrong; /* what is wrong; NULL: whatever it is */
    double until;      /* clock_seconds */
    const struct warp_case *c;
};

static bool breaks(const struct broken *b, const struct warp_impl *impl, const struct warp_case *c)
{
    bool tried = false;
    const char *wrong = b->law->check(impl, c, &tried);
    return wrong != NULL && (b->wrong == NULL || strcmp(wrong, b->wrong) == 0);
}

static bool still_broken(void *context, const struct warp_case *c)
{
    const struct broken *b = context;
    return clock_seconds() < b->until && breaks(b, b->impl, c);
}

static bool is_broken_by(void *context, const struct warp_impl *impl)
{
    const struct broken *b = context;
    return breaks(b, impl, b->c);
}

/* What is kept under the name: does the implementation break the law on it still? */
static bool kept_is_broken(void *context, const char *folder)
{
    const struct broken *b = context;
    struct warp_case c;
    return !finding_read_case(folder, &c) || breaks(b, b->impl, &c);
}

/* "law-bfly-twice-shfl.sync", the family only where the law is about several. */
static void name_law(const struct law *law, const struct warp_case *c, const char *only, bool unsure, char name[],
                     size_t size)
{
    const enum warp_family family = warp_form_get(c->form)->family;
    const bool several = (law->families & (law->families - 1)) != 0;
    snprintf(name, size, "law-%s%s%s%.40s%s", law->name, several ? "-" : "", several ? warp_family_name(family) : "",
             only, unsure ? "-state" : "");
}

static void keep_law(struct harness *h, struct broken *b, const char *wrong, bool unsure)
{
    static char line[WARP_TEXT_MAX + 1024], text[4 * WARP_TEXT_MAX], shown[WARP_TEXT_MAX];
    char name[FINDING_SIGNATURE_MAX], comment[1024], all[REPORT_NAMES_MAX], only[REPORT_NAMES_MAX + 1];
    struct finding_entry entry = {name, {"case.txt", text, 0}, line, unsure ? NULL : kept_is_broken, b};
    report_name_differing(h, is_broken_by, b, all, only);
    name_law(b->law, b->c, unsure ? "" : only, unsure, name, sizeof name);
    if (!harness_remember(h, harness_hash(name, strlen(name)))) {
        h->status->duplicates++;
        return;
    }
    snprintf(comment, sizeof comment,
             "%s\n%s breaks the law \"%s\" on this case%s: %s\nwarpcheck replay --law %s judges it.", name,
             all[0] != '\0' ? all : b->impl->name, b->law->statement,
             unsure ? ", but not every time that it is asked" : "", wrong, b->law->name);
    entry.file.size = warp_case_to_file(b->c, comment, NULL, 0, text, sizeof text);
    warp_case_to_text(b->c, shown, sizeof shown);
    snprintf(line, sizeof line, "%s => breaks the law %s (\"%s\"): %s [%s against itself]%s\n", shown, b->law->name,
             b->law->statement, wrong, all[0] != '\0' ? all : b->impl->name, unsure ? ", not every time" : "");
    b->wrong = NULL;
    report_keep(h, &entry, "replay");
}

/* Was this law seen broken so before, by the same implementations? Then it is not reduced again. */
static bool known(struct harness *h, const struct law *law, const char *wrong, const struct warp_case *c, uint32_t who)
{
    char kind[512];
    snprintf(kind, sizeof kind, "%s %u %s %u", law->name, (unsigned)warp_form_get(c->form)->family, wrong, who);
    return !harness_remember(h, harness_hash(kind, strlen(kind)));
}

void harness_law_broken(struct harness *h, const struct law *law, const char *wrong, const struct warp_case *c,
                        uint32_t who)
{
    struct warp_case reduced = *c;
    struct broken b = {law, h->tested[__builtin_ctz(who)], wrong, clock_seconds() + REPORT_REDUCE_S, &reduced};
    h->status->mismatches += (unsigned)__builtin_popcount(who);
    if (known(h, law, wrong, c, who)) {
        h->status->duplicates++;
        report_end_target(h);
        return;
    }
    h->observed = b.impl;
    status_reports(h->status);
    reduce_case(&reduced, still_broken, &b, REDUCE_LIMIT, NULL);
    keep_law(h, &b, wrong, !breaks(&b, b.impl, &reduced) || !breaks(&b, b.impl, &reduced));
    status_reported(h->status);
    report_end_target(h);
}
