/* A run of the prover: proves the properties in processes apart, then checks the lemmas that each rests on. */
#include "smt/catalogue/catalogue.h"
#include "smt/warpcheck_smt.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/pool.h"
#include "smt/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Z3 looks at its own clock. A process that runs longer is ended this much later. */
#define GRACE_S 5.0

struct session {
    const struct smt_property *const *properties;
    const struct smt_options *options;
    struct smt_outcome *outcomes;
    double *began;
    bool *ended;
    size_t *order;
};

void smt_options_init(struct smt_options *options)
{
    *options = (struct smt_options){.timeout_s = 30, .jobs = 1, .memory_mb = 900, .programs_dir = "corpus/programs"};
}

static void work(void *context, size_t i, void *result)
{
    const struct session *const s = context;
    prove_entry(property_entry_of(s->properties[i]), s->options, result);
}

/* A process that proved or refuted one property proves the next, in a context of its own. */
static bool again(const void *result)
{
    const struct smt_outcome *const o = result;
    return o->verdict == SMT_PROVED || o->verdict == SMT_REFUTED;
}

static void report(const struct session *s, size_t i, const struct smt_outcome *outcome)
{
    if (s->options->progress != NULL)
        s->options->progress(s->options->context, s->properties[i], outcome);
}

static void began(void *context, size_t i)
{
    struct session *const s = context;
    s->began[i] = clock_seconds();
    report(s, i, NULL);
}

static void ended(void *context, size_t i, const struct error *error)
{
    struct session *const s = context;
    struct smt_outcome *const o = &s->outcomes[i];
    s->ended[i] = true;
    if (error != NULL) {
        *o = (struct smt_outcome){.verdict = error->code == ERROR_TIMEOUT ? SMT_TIMEOUT : SMT_ERROR,
                                  .seconds = clock_seconds() - s->began[i]};
        snprintf(o->note, sizeof o->note, "the prover: %.220s", error->text);
    }
    report(s, i, o);
}

static bool stop(void *context)
{
    const struct session *const s = context;
    return s->options->stop != NULL && s->options->stop(s->options->context);
}

static void describe_not_tried(struct smt_outcome *o)
{
    *o = (struct smt_outcome){.verdict = SMT_UNKNOWN, .not_tried = true};
    snprintf(o->note, sizeof o->note, "not tried: the run was interrupted");
}

/* NULL: the lemma is not among the properties of this run. */
static const struct smt_outcome *lemma_outcome(const char *name, const struct smt_property *const *properties, size_t n,
                                               const struct smt_outcome *outcomes)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(properties[i]->name, name) == 0)
            return &outcomes[i];
    return NULL;
}

/* True when a lemma of the property is not proved; it is noted. */
static bool lacks_lemma(const struct smt_property *property, const struct smt_property *const *properties, size_t n,
                        const struct smt_outcome *outcomes, struct smt_outcome *outcome)
{
    const char *rest = property->lemmas;
    for (char name[SMT_NAME_MAX]; smt_name_next(&rest, name);) {
        const struct smt_outcome *lemma = lemma_outcome(name, properties, n, outcomes);
        if (lemma == NULL || lemma->verdict != SMT_PROVED) {
            outcome->not_tried = lemma != NULL && lemma->not_tried;
            snprintf(outcome->note, sizeof outcome->note, "its lemma %s %s", name,
                     outcome->not_tried ? "was not tried: the run was interrupted" : "is not proved");
            return true;
        }
    }
    return false;
}

/* Are all the property's lemmas among the marked ones? */
static bool is_grounded(const struct smt_property *property, const struct smt_property *const *properties, size_t n,
                        const struct smt_outcome *outcomes, const bool *marked)
{
    const char *rest = property->lemmas;
    for (char name[SMT_NAME_MAX]; smt_name_next(&rest, name);) {
        const struct smt_outcome *lemma = lemma_outcome(name, properties, n, outcomes);
        if (lemma == NULL || !marked[lemma - outcomes])
            return false;
    }
    return true;
}

/* Marks properties whose lemmas, step by step, rest on properties without lemmas. What is left over rests on
 * itself, and proves nothing. */
static void check_circles(const struct smt_property *const *properties, size_t n, struct smt_outcome *outcomes)
{
    bool *marked = calloc(n + 1, sizeof *marked);
    bool changed = marked != NULL;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            if (!marked[i] && is_grounded(properties[i], properties, n, outcomes, marked))
                changed = marked[i] = true;
    }
    for (size_t i = 0; i < n; i++)
        if (outcomes[i].verdict == SMT_PROVED && (marked == NULL || !marked[i])) {
            outcomes[i].verdict = SMT_ERROR;
            snprintf(outcomes[i].note, sizeof outcomes[i].note, "its lemmas rest on each other in a circle");
        }
    free(marked);
}

/* A proof from a lemma that is not proved is no proof, and lemmas rest on lemmas. */
static void check_lemmas(const struct smt_property *const *properties, size_t n, struct smt_outcome *outcomes)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            if (outcomes[i].verdict == SMT_PROVED &&
                lacks_lemma(properties[i], properties, n, outcomes, &outcomes[i])) {
                outcomes[i].verdict = SMT_UNKNOWN;
                changed = true;
            }
    }
    check_circles(properties, n, outcomes);
}

/* Checks, before hours of proving, that queries can be written to the folder. */
static bool prepare(const struct smt_options *options, struct error *error)
{
    return options->smtlib_dir == NULL ||
           (folder_make(options->smtlib_dir, error) && folder_is_writable(options->smtlib_dir, error));
}

/* Those that take seconds, longest first: one of them that begins last is waited for alone. */
static const char *const longest[] = {
    "program-mask-lemma",
    "match-all-b64",
    "program-aggregated-atomic-branch",
    "match-any-b64",
    "redux-pair",
    "program-any-independent-masks",
    "redux-lemma-associates",
    "shfl-idx-own-operands",
    "elect-one-leader",
    "program-vote-any-mask-plain",
};

static size_t rank(const char *name)
{
    size_t i = 0;
    while (i < sizeof longest / sizeof *longest && strcmp(longest[i], name) != 0)
        i++;
    return i;
}

/* The numbers of the properties in the order in which they are started. */
static void put_in_order(const struct session *s, size_t n, size_t *order)
{
    size_t k = 0;
    for (size_t r = 0; r <= sizeof longest / sizeof *longest; r++)
        for (size_t i = 0; i < n; i++)
            if (rank(s->properties[i]->name) == r)
                order[k++] = i;
}

static bool run(struct session *s, size_t n, struct error *error)
{
    const struct smt_options *const o = s->options;
    struct error why = {.code = ERROR_NONE};
    struct pool pool = {.n = n,
                        .order = s->order,
                        .jobs = o->jobs,
                        .size = sizeof *s->outcomes,
                        .results = s->outcomes,
                        .limit_s = (1 + o->cross + o->drat) * o->timeout_s + GRACE_S,
                        .context = s,
                        .work = work,
                        .again = again,
                        .began = began,
                        .ended = ended,
                        .stop = stop};
    if (!pool_run(&pool, &why) && why.code != ERROR_INTERRUPTED)
        return error_set(error, why.code, "%s", why.text);
    for (size_t i = 0; i < n; i++)
        if (!s->ended[i])
            describe_not_tried(&s->outcomes[i]);
    check_lemmas(s->properties, n, s->outcomes);
    return true;
}

bool smt_prove(const struct smt_property *const *properties, size_t n, const struct smt_options *options,
               struct smt_outcome *outcomes, struct error *error)
{
    struct session s = {.properties = properties, .options = options, .outcomes = outcomes};
    bool done;
    if (!prepare(options, error))
        return false;
    /* The children inherit what is found out here, and Z3's tables, which take longer than many a proof. */
    smt_close(smt_open(options->memory_mb));
    (void)smt_cvc5_version();
    (void)smt_cadical_version();
    s.began = calloc(n + 1, sizeof *s.began);
    s.ended = calloc(n + 1, sizeof *s.ended);
    s.order = calloc(n + 1, sizeof *s.order);
    if (s.order != NULL)
        put_in_order(&s, n, s.order);
    done = s.began != NULL && s.ended != NULL ? run(&s, n, error) : error_set(error, ERROR_SYSTEM, "out of memory");
    free(s.began);
    free(s.ended);
    free(s.order);
    return done;
}
