#include "cli/fuzz/causes.h"

#include "check/campaign/causes.h"
#include "check/checker.h"
#include "check/impl/impl.h"
#include "cli/registry.h"
#include "cli/ui/json.h"
#include "cli/ui/terminal.h"
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
        causes_note(s->causes, &s->impls[at].source, &checker, &again->k.c, class);
        return;
    }
    const struct impl_failure *const failure = impl_failure(again->observed);
    if (failure == NULL || !failure->alone)
        return;
    again->k.ending = failure->error.code;
    again->shows = impl_restart(again->observed, &error) && finding_ask(spec_get(), &again->k.c, 1, &again->k.expected);
    causes_note_ending(s->causes, &s->impls[at].source, spec_get(), again->observed, &again->k.c, again->k.ending);
}

static const char *name_of(const char *folder)
{
    const char *const slash = strrchr(folder, '/');
    return slash != NULL ? slash + 1 : folder;
}

static void print_entry(const struct fuzz_causes *kept, const struct sorter *s, const struct cause_entry *entry,
                        bool json)
{
    char text[CAUSE_LINE_MAX];
    causes_text(entry, text);
    if (json) {
        out_text(NULL, text);
        return;
    }
    printf("\n%scause%s: %s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN), shown(text));
    for (size_t i = 0; i < kept->count; i++)
        if (s->again[i].shows && s->again[i].observed == entry->observed &&
            causes_shows(entry, &s->again[i].k, WARP_PART_ALL & entry->reference->provides & entry->observed->provides))
            printf("  shown by %s\n", shown(name_of(kept->kept[i].folder)));
}

void fuzz_causes_print(const struct fuzz_causes *causes, bool json)
{
    static struct sorter s;
    memset(&s, 0, sizeof s);
    s.causes = causes_open(1);
    if (json)
        out_begin_array("causes");
    for (size_t i = 0; i < causes->count && s.causes != NULL; i++)
        ask_again(&s, &causes->kept[i], &s.again[i]);
    if (causes->count > 0 && s.causes != NULL) {
        causes_settle(s.causes);
        const size_t count = causes_count(s.causes);
        for (size_t i = 0; i < count; i++)
            print_entry(causes, &s, causes_entry(s.causes, i), json);
    }
    if (json)
        out_end();
    else if (causes->left > 0)
        printf("%zu further findings were not sorted by cause\n", causes->left);
    causes_free(s.causes);
    for (size_t i = 0; i < s.impls_count; i++)
        registry_close(s.impls[i].impl);
}
