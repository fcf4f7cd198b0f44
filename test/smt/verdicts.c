/*
 * verdicts NAME...: proves these properties, and says which of them still have the verdict that the catalogue expects.
 * must_break.sh links it with a broken encoding. Exit status: 0 none of them, 1 some (named on standard output), 2
 * wrong use.
 */
#include "smt/warpcheck_smt.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <string.h>

#define PROPERTIES_MAX 256

static const struct smt_property *chosen[PROPERTIES_MAX];
static struct smt_outcome outcomes[PROPERTIES_MAX];

static bool add(size_t *n, const char *name)
{
    const struct smt_property *property = smt_property_find(name);
    if (property == NULL || *n == PROPERTIES_MAX) {
        fprintf(stderr, property == NULL ? "verdicts: no property is called %s\n" : "verdicts: %s: too many\n", name);
        return false;
    }
    for (size_t i = 0; i < *n; i++)
        if (chosen[i] == property)
            return true;
    chosen[(*n)++] = property;
    return true;
}

static bool add_lemmas(size_t *n)
{
    for (size_t i = 0; i < *n; i++) {
        char name[SMT_NAME_MAX];
        for (const char *rest = chosen[i]->lemmas; smt_name_next(&rest, name);)
            if (!add(n, name))
                return false;
    }
    return true;
}

/* No answer in time is not noticed. UNKNOWN means something only when the lemmas were tried as well. */
static size_t count_unnoticed(size_t named, bool with_lemmas)
{
    size_t unnoticed = 0;
    for (size_t i = 0; i < named; i++) {
        const enum smt_verdict verdict = outcomes[i].verdict;
        if (verdict != chosen[i]->expected && verdict != SMT_TIMEOUT && (verdict != SMT_UNKNOWN || with_lemmas))
            continue;
        unnoticed++;
        if (with_lemmas)
            printf("%s is %s (%s)\n", chosen[i]->name, smt_verdict_name(verdict), outcomes[i].note);
    }
    return unnoticed;
}

static bool prove(size_t n)
{
    const struct warp_impl *const replay[] = {spec_get(), fast_get()};
    struct smt_options options;
    struct error error;
    smt_options_init(&options);
    options.replay = replay;
    options.replay_count = 2;
    options.jobs = 2;
    options.memory_mb = 0;
    options.timeout_s = 60; /* a busy machine */
    if (smt_prove(chosen, n, &options, outcomes, &error))
        return true;
    fprintf(stderr, "verdicts: %s\n", error.text);
    return false;
}

/* A broken lemma is as good as a broken property: first the named properties alone, then with what they rest on. */
int main(int argc, char **argv)
{
    size_t n = 0, named;
    for (int i = 1; i < argc; i++)
        if (!add(&n, argv[i]))
            return 2;
    named = n;
    if (named == 0 || !prove(named))
        return 2;
    if (count_unnoticed(named, false) == 0)
        return 0;
    if (!add_lemmas(&n) || !prove(n))
        return 2;
    return count_unnoticed(named, true) == 0 ? 0 : 1;
}
