#include "fuzz/campaign/causes.h"

#include "check/campaign/causes.h"
#include "check/checker.h"
#include "check/impl/impl.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <string.h>

#define HANG_SECONDS 1.0 /* a case that hung once is not waited for as long again */
#define IMPLS_MAX    8u  /* of which one campaign keeps findings: the variants of fast */

/* A kept case, asked again. */
struct again {
    struct cause_case k;
    const struct warp_impl *observed;
    bool shows;
};

struct sorter {
    struct causes *causes;
    struct {
        const char *name;
        const struct warp_impl *impl;
        struct findings_source source;
    } impls[IMPLS_MAX];
    size_t impls_count;
    struct again again[FUZZ_CAUSES_MAX];
};

void fuzz_causes_note(struct fuzz_causes *causes, const struct loop_finding *finding)
{
    if (finding->kind != FINDING_MISMATCH && !finding_is_ending(finding->kind))
        return;
    if (causes->count == FUZZ_CAUSES_MAX) {
        causes->left++;
        return;
    }
    struct kept_case *const k = &causes->kept[causes->count++];
    k->kind = finding->kind;
    snprintf(k->folder, sizeof k->folder, "%s", finding->folder);
    snprintf(k->observed, sizeof k->observed, "%s", finding->observed);
}

/* The place of the implementation in the list; IMPLS_MAX: it cannot be opened any more. */
static size_t find_impl(struct sorter *s, const char *name)
{
    struct error error;
    size_t i = 0;
    while (i < s->impls_count && strcmp(s->impls[i].name, name) != 0)
        i++;
    if (i < s->impls_count || i == IMPLS_MAX)
        return i;
    const struct warp_impl *const impl = impl_open_apart(name, &error); /* it may crash again */
    if (impl == NULL)
        return IMPLS_MAX;
    s->impls[i].name = name;
    s->impls[i].impl = impl;
    s->impls[i].source = (struct findings_source){.reference_option = "spec", .observed_option = name};
    s->impls_count++;
    return i;
}

/* Notes the answer to the case, or how it ends, as a sample of what is wrong. */
static void ask_again(struct sorter *s, const struct kept_case *kept, struct again *again)
{
    const size_t at = find_impl(s, kept->observed);
    char class[FINDING_SIGNATURE_MAX];
    struct checker checker;
    struct finding f;
    struct error error;
    if (at == IMPLS_MAX || !finding_read_case(kept->folder, &again->k.c))
        return;
    again->observed = s->impls[at].impl;
    if (!impl_restart(again->observed, &error))
        return;
    impl_hurry(again->observed, kept->kind == FINDING_HANG ? HANG_SECONDS : 0);
    if (finding_make(&f, spec_get(), again->observed, &again->k.c)) {
        again->shows = again->k.differs = true;
        again->k.expected = f.reference;
        again->k.observed = f.observed;
        finding_class(&f, class);
        checker_init(&checker, spec_get(), again->observed, NULL, NULL);
        causes_note(s->causes, &s->impls[at].source, &checker, &f, class);
        return;
    }
    const struct impl_failure *const failure = impl_failure(again->observed);
    if (failure == NULL || !failure->alone)
        return;
    again->k.ending = failure->error.code;
    again->shows = impl_restart(again->observed, &error) && finding_ask(spec_get(), &again->k.c, 1, &again->k.expected);
    causes_note_ending(s->causes, &s->impls[at].source, spec_get(), again->observed, &again->k.c, again->k.ending);
}

static void tell_entry(const struct fuzz_causes *kept, const struct sorter *s, const struct cause_entry *entry,
                       fuzz_cause_fn tell)
{
    const uint32_t parts = WARP_PART_ALL & entry->reference->provides & entry->observed->provides;
    bool shown_by[FUZZ_CAUSES_MAX] = {false};
    char text[CAUSE_LINE_MAX];
    for (size_t i = 0; i < kept->count; i++)
        shown_by[i] =
            s->again[i].shows && s->again[i].observed == entry->observed && causes_shows(entry, &s->again[i].k, parts);
    tell(kept, causes_text(entry, text), shown_by);
}

bool fuzz_causes_find(const struct fuzz_causes *causes, fuzz_cause_fn tell, struct error *error)
{
    static struct sorter s;
    bool good = true;
    memset(&s, 0, sizeof s);
    s.causes = causes_open(1);
    if (s.causes == NULL)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    for (size_t i = 0; i < causes->count; i++)
        ask_again(&s, &causes->kept[i], &s.again[i]);
    if (causes->count > 0)
        causes_settle(s.causes);
    const size_t count = causes_count(s.causes);
    for (size_t i = 0; i < count; i++)
        tell_entry(causes, &s, causes_entry(s.causes, i), tell);
    causes_free(s.causes);
    for (size_t i = 0; i < s.impls_count; i++)
        good = impl_close(s.impls[i].impl, error) && good;
    return good;
}
