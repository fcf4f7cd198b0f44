#include "smt/program.h"

#include "smt/catalogue/catalogue.h"
#include "smt/kernel/symbolic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the prover takes for granted of operations that it takes as symbols, and of redux as a set of lanes. */
#define LAWS                                                                                                           \
    "redux-lemma-commutes redux-lemma-associates redux-lemma-starts redux-is-the-chain redux-f32-abs-is-plain-max "    \
    "program-nan-payload program-lemma-commutes program-lemma-associates"
#define LAWS_MAX 64u

/* A property that is not of the catalogue; `entry` is the first field, as everywhere. */
struct claim_entry {
    struct property_entry entry;
    char name[32];
    const struct smt_claim *claim;
};

static void build(struct goal *g, int unused)
{
    const struct claim_entry *const e = (const void *)property_entry_of(g->property);
    const struct program *const p = e->claim->program;
    bool wanted[PROGRAM_CLAIMS_MAX] = {false};
    (void)unused;
    wanted[e->claim->claim] = true;
    symbolic_state(g, p, wanted, p->claims[e->claim->claim].refute);
    if (wanted[e->claim->claim] && g->error.code == ERROR_NONE)
        error_set(&g->error, ERROR_UNSUPPORTED, "the prover cannot state this claim");
}

static void make_entry(struct claim_entry *e, const struct smt_claim *claim, size_t n)
{
    const struct program_claim *const c = &claim->program->claims[claim->claim];
    snprintf(e->name, sizeof e->name, "claim-%zu", n + 1);
    e->claim = claim;
    e->entry.build = build;
    e->entry.property = (struct smt_property){.name = e->name,
                                              .family = "program",
                                              .sentence = c->text,
                                              .clause = "docs/programs.md",
                                              .expected = c->refute ? SMT_REFUTED : SMT_PROVED,
                                              .solver = SMT_Z3,
                                              .trick = "",
                                              .lemmas = c->refute ? "" : LAWS};
}

static bool is_among(const struct smt_property *const *properties, size_t n, const struct smt_property *property)
{
    for (size_t i = 0; i < n; i++)
        if (properties[i] == property)
            return true;
    return false;
}

/* The laws, and what they rest on. Returns how many properties there are then. */
static size_t add_laws(const struct smt_property **properties, size_t n, size_t room)
{
    for (size_t i = 0; i < n; i++) {
        const char *rest = properties[i]->lemmas;
        for (char name[SMT_NAME_MAX]; smt_name_next(&rest, name);) {
            const struct smt_property *const law = smt_property_find(name);
            if (law != NULL && n < room && !is_among(properties, n, law))
                properties[n++] = law;
        }
    }
    return n;
}

bool smt_prove_claims(struct smt_claim *claims, size_t n, const struct smt_options *options, struct error *error)
{
    struct claim_entry *const entries = calloc(n + 1, sizeof *entries);
    const struct smt_property **const properties = calloc(n + LAWS_MAX, sizeof *properties);
    struct smt_outcome *const outcomes = calloc(n + LAWS_MAX, sizeof *outcomes);
    bool ok = entries != NULL && properties != NULL && outcomes != NULL;
    if (!ok)
        error_set(error, ERROR_SYSTEM, "out of memory");
    for (size_t i = 0; ok && i < n; i++) {
        make_entry(&entries[i], &claims[i], i);
        properties[i] = &entries[i].entry.property;
    }
    ok = ok && smt_prove(properties, add_laws(properties, n, n + LAWS_MAX), options, outcomes, error);
    for (size_t i = 0; ok && i < n; i++)
        claims[i].outcome = outcomes[i];
    free(entries);
    free(properties);
    free(outcomes);
    return ok;
}
