#include "cli/kernels/cross.h"

#include "base/interrupt.h"
#include "base/text.h"
#include "cli/ui/options.h"
#include "cli/work/stages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- while it runs ---- */

static void print_difference(const struct kernel_campaign *c, const struct generated_difference *d)
{
    printf("DIFFERENT: kernel %" PRIu64, d->number);
    for (unsigned level = 0, n = 0; level < c->peer.levels_count && !c->peer.alone; level++)
        if (d->levels >> level & 1u)
            printf("%s%u", n++ ? "," : " at level ", c->peer.levels[level]);
    printf(": %s%s%s", d->ending == PEER_RETURNED ? "other memory" : peer_ending_name(d->ending), d->why[0] ? " " : "",
           shown(d->why));
}

static void show_difference(const struct kernel_campaign *c, const struct kernel_news *news)
{
    const char *const verdict = generated_verdict_name(news->verdict);
    char text[FILE_PATH_MAX];
    print_difference(c, news->is);
    switch (news->what) {
    case NEWS_EXPLAINED:
        printf(news->word[0] ? "; as '%s': without the statements that have its %s it agrees\n"
                             : "; as '%s': without any statement it differs%s, too\n",
               shown(news->name), shown(news->word));
        break;
    case NEWS_KEPT:
        printf("\n  verdict %s; reduced: %s\n", verdict, text_quote(news->name, text, sizeof text));
        break;
    case NEWS_KNOWN:
        printf("\n  verdict %s; reduced, it is as %s\n", verdict, text_quote(news->name, text, sizeof text));
        break;
    case NEWS_SAME:
        printf("\n  verdict %s; reduced, it is as '%s'\n", verdict, shown(news->name));
        break;
    case NEWS_UNREDUCED:
        printf("; verdict %s%s; not reduced: %s\n", verdict,
               c->peer.gives_memory && news->is->agrees ? ": another level agrees" : " so far", news->why);
        break;
    }
    fflush(stdout);
}

/* ---- its end ---- */

/* The causes, with how many kernels have each, and how many were not reduced. */
static void print_causes(const struct kernel_campaign *c)
{
    for (uint32_t n = 0; n < c->causes_count; n++)
        if (c->causes[n].kernels > 0)
            printf("%s kernel%s: '%s', verdict %s%s\n", number_text(c->causes[n].kernels),
                   c->causes[n].kernels == 1 ? "" : "s", shown(c->causes[n].is.name),
                   generated_verdict_name(c->causes[n].is.verdict), c->causes[n].known ? ", known before" : "");
    if (c->unreduced == 0)
        return;
    printf("%s kernels differ and were not reduced%s; verdicts so far:", number_text(c->unreduced),
           c->are_listed ? " (" KERNEL_CAMPAIGN_REST ")" : "");
    for (unsigned v = 0, n = 0; v <= VERDICT_OPEN; v++)
        if (c->unreduced_verdicts[v] > 0)
            printf("%s %s %s", n++ ? "," : "", number_text(c->unreduced_verdicts[v]),
                   generated_verdict_name((enum generated_verdict)v));
    printf("\n");
}

static void print_levels(const struct peer *peer)
{
    for (unsigned n = 0; n < peer->levels_count && !peer->alone; n++)
        printf("%s%u",
               n == 0                       ? (peer->levels_count == 1 ? " at level " : " at levels ")
               : n + 1 < peer->levels_count ? ", "
                                            : " and ",
               peer->levels[n]);
}

static void print_unasked(const struct kernel_campaign *c)
{
    printf("not asked: %s, because ", number_text(c->unasked));
    if (c->is_hopeless)
        printf("%s %s before had hung or faulted, more than one in %u\n", number_text(c->lost),
               c->peer.gives_memory ? "launches" : "texts", LAUNCH_LOST_OF);
    else
        printf("%s\n", c->peer.gives_memory ? "the time was over"
                       : c->seconds == 0    ? "it had hung at several others of the same module"
                                            : "the time was over, or it had hung at several others of the same module");
}

/* How the next part of a long run begins. */
static void print_next(const struct kernel_campaign *c)
{
    if (c->had_enough)
        printf("ended, because so many kernels differ: mend these first\n");
    if (c->is_endless)
        return;
    if (interrupted() && c->covered == c->count)
        printf("interrupted while it reduced\n");
    else if (c->covered < c->count)
        printf("%s%s of %s kernels; the rest: --first %" PRIu64 " --count %" PRIu64 "\n",
               interrupted() ? "interrupted: " : "", number_text(c->covered), number_text(c->count),
               c->first + c->covered, c->count - c->covered);
}

static void print_summary(const struct kernel_campaign *c)
{
    unsigned seen;
    const unsigned possible = make_coverage_count(&c->coverage, &seen);
    const uint64_t clean = c->verdicts[MAKE_CLEAN], refused = c->verdicts[MAKE_WRONG] + c->verdicts[MAKE_UNSETTLED] +
                                                              c->verdicts[MAKE_ENDLESS] + c->verdicts[MAKE_UNREAD];
    print_causes(c);
    if (!c->peer.program)
        printf("%s, sm_%u, driver %s\n", shown(c->info.device), (unsigned)c->info.sm, shown(c->info.driver_name));
    if (getenv("WARPCHECK_GPU_PLANT"))
        printf("A DEFECT IS PLANTED (WARPCHECK_GPU_PLANT)\n");
    printf("%s kernels for %s, %s warp instructions executed, each kernel also by %s", number_text(clean),
           warp_target_name(c->suite.target), number_text(c->groups), c->peer.name);
    print_levels(&c->peer);
    printf(": %s answers differ", number_text(c->differing));
    if (c->differing > 0)
        printf(", of %s kernels", number_text(c->kernels));
    printf("\n%u of %u pairs of features; left out, not clean by the executor: %s; %.0f s, %.0f kernels/s\n", seen,
           possible, number_text(refused), c->took, (double)clean / (c->lasted > 0 ? c->lasted : 1));
    if (c->kernels > c->kept)
        printf("not looked at: %s of the kernels that differ\n", number_text(c->kernels - c->kept));
    if (c->declined > 0)
        printf("declined: %s (%s)\n", number_text(c->declined), shown(c->declined_because));
    if (c->unasked > 0)
        print_unasked(c);
    if (!c->peer.gives_memory)
        printf("compared: that each is compiled%s; nothing was executed but by the executor\n",
               c->suite.target < PEER_OLDEST ? ", for sm_75, which is the oldest target of ptxas" : "");
    print_next(c);
}

int cross_kernels(struct kernel_campaign *c, const char *command, bool awaits_interrupt)
{
    static const struct kernel_campaign_view view = {&view_quiet, show_difference};
    struct error error = {0};
    c->view = &view;
    const bool ok = kernel_campaign_run(c, &error);
    if (c->is_compared)
        print_summary(c);
    if (!ok) {
        complain("warpcheck %s: %s%s", command, error.code == ERROR_UNAVAILABLE ? "UNAVAILABLE: " : "", error.text);
        return error_status(&error);
    }
    const bool is_cut = interrupted() && !awaits_interrupt;
    if (is_cut && c->is_endless)
        complain("warpcheck %s: INTERRUPTED: this is what was done so far", command);
    return c->differing == 0 && c->answers > 0 && !is_cut ? STATUS_AGREE : STATUS_MISMATCH;
}
