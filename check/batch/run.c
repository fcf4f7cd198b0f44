/* One trial: arrays, the call, and what is left in them. */
#include "check/batch/bench.h"

#include "check/batch/fill.h"
#include "base/process.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct batch_bench *batch_open(const struct warp_impl *impl, warp_batch_fn eval, struct error *error)
{
    struct batch_bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL) {
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    bench->subject = eval != NULL ? foreign_open_builtin(impl, eval, error) : foreign_open_like(impl, error);
    if (bench->subject != NULL)
        return bench;
    free(bench);
    return NULL;
}

/* How its process ends is of interest where the implementation itself is closed. */
void batch_close(struct batch_bench *bench)
{
    if (bench == NULL)
        return;
    foreign_close(bench->subject, NULL);
    for (unsigned i = 0; i < COLUMNS; i++) {
        fenced_free(&bench->operands[i]);
        free(bench->own[i].words);
    }
    for (unsigned i = 0; i < SINKS; i++)
        fenced_free(&bench->results[i]);
    free(bench);
}

/* --- the arrays --- */

uint32_t *own_words(struct own *own, size_t words)
{
    if (own->words != NULL && own->room >= words)
        return own->words;
    free(own->words);
    own->room = words + 1; /* of none too there is room */
    own->words = calloc(own->room, sizeof *own->words);
    return own->words;
}

/* Fills the operands where nobody else sees them, and copies them to where they are asked. */
static bool fill(struct batch_bench *bench)
{
    const struct batch_layout *l = &bench->layout;
    uint32_t *words[COLUMNS] = {NULL};
    for (unsigned i = 0; i < COLUMNS; i++)
        if (bench->in[i] != NULL && !(words[i] = own_words(&bench->own[i], batch_extent(&l->columns[i], l->n))))
            return false;
    batch_fill(l, words);
    for (unsigned i = 0; i < COLUMNS; i++) {
        bench->asked[i] = words[i];
        if (words[i] != NULL)
            memcpy(bench->in[i], words[i], batch_extent(&l->columns[i], l->n) * sizeof *words[i]);
    }
    return true;
}

static bool find_room(struct batch_bench *bench, struct fenced *memory, const struct batch_place *place,
                      uint32_t **words)
{
    *words = NULL;
    if (!place->present)
        return true;
    *words = fenced_words(memory, batch_extent(place, bench->layout.n) + place->skew, place->at_end);
    if (*words != NULL)
        *words += place->skew;
    return *words != NULL;
}

/* The batch of the layout, its operands filled and its results full of canaries. */
static bool prepare(struct batch_bench *bench)
{
    const struct batch_layout *l = &bench->layout;
    struct warp_batch *b = &bench->batch;
    struct warp_column *columns[COLUMNS] = {&b->a, &b->a_high, &b->b, &b->c, &b->membermask, &b->active, &b->exited};
    struct warp_sink *sinks[SINKS] = {&b->d, &b->waits_for, &b->p, &b->d_defined, &b->done, &b->waiting, &b->undefined};
    *b = (struct warp_batch){.form = l->form, .target = l->target, .dst = l->dst, .negate = l->negate, .n = l->n};
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (!find_room(bench, &bench->operands[i], &l->columns[i], &bench->in[i]))
            return false;
        *columns[i] = (struct warp_column){bench->in[i], l->columns[i].stride, l->columns[i].per_warp};
    }
    for (unsigned i = 0; i < SINKS; i++) {
        if (!find_room(bench, &bench->results[i], &l->sinks[i], &bench->out[i]))
            return false;
        *sinks[i] = (struct warp_sink){bench->out[i], l->sinks[i].stride};
        if (bench->out[i] != NULL)
            fenced_set_canaries(&bench->results[i], bench->out[i], batch_extent(&l->sinks[i], l->n));
    }
    return fill(bench);
}

/* --- the call --- */

/* What the process of the subject is told. */
struct request {
    struct warp_batch batch;
    const struct warp_case *given; /* not NULL: cases, through the interface of cases */
    struct warp_result *got;
    size_t n;
    struct fenced operands[COLUMNS];
};
_Static_assert(sizeof(struct request) <= IMPL_WORK_MAX, "a request is one piece of work");

/* There. */
static bool answer(const struct warp_impl *impl, warp_batch_fn batch, void *argument, struct error *error)
{
    const struct request *const r = argument;
    char why[256] = "";
    bool good;
    for (unsigned i = 0; i < COLUMNS; i++)
        fenced_seal(&r->operands[i]); /* who writes an operand ends there */
    good = r->given != NULL ? impl->eval(impl->state, r->given, r->n, r->got, why, sizeof why)
                            : batch(impl, &r->batch, why, sizeof why);
    return good || error_set(error, ERROR_DECLINED, "%s", why);
}

static void tell_fault(const struct error *error, struct batch_outcome *outcome)
{
    outcome->fault = error->code == ERROR_DECLINED || error->code == ERROR_SYSTEM ? BATCH_REFUSED : BATCH_CRASHED;
    if (outcome->fault == BATCH_REFUSED)
        snprintf(outcome->what, sizeof outcome->what, "gives no answer: %.250s", error->text);
    else if (error->code == ERROR_TIMEOUT)
        snprintf(outcome->what, sizeof outcome->what, "does not come back");
    else if (error->code == ERROR_EXIT)
        snprintf(outcome->what, sizeof outcome->what, "ends the process (exit)");
    else
        snprintf(outcome->what, sizeof outcome->what,
                 "crashes with %s (outside its arrays nothing may be read or written, and no operand may be written)",
                 process_signal_name(error->detail));
}

/* Was some of the memory made since the last look? The process does not see it then. */
static bool is_made(struct batch_bench *bench)
{
    bool made = false;
    for (unsigned i = 0; i < COLUMNS; i++) {
        made |= bench->operands[i].made;
        bench->operands[i].made = false;
    }
    for (unsigned i = 0; i < SINKS; i++) {
        made |= bench->results[i].made;
        bench->results[i].made = false;
    }
    return made;
}

/* Returns false when it crashed, hung, or gave no answer. */
static bool call(struct batch_bench *bench, struct batch_outcome *outcome)
{
    struct request request = {.batch = bench->batch, .n = bench->layout.n};
    struct error error;
    memcpy(request.operands, bench->operands, sizeof request.operands);
    if (bench->layout.as_cases) {
        request.given = bench->given;
        request.got = bench->got;
    }
    if ((is_made(bench) || foreign_failure(bench->subject) != NULL) && !foreign_restart(bench->subject, &error)) {
        tell_fault(&error, outcome);
        return false;
    }
    if (foreign_run(bench->subject, answer, &request, sizeof request, &error))
        return true;
    tell_fault(&error, outcome);
    return false;
}

/* --- what is left --- */

/* Is every word beside and between the rows as it was? */
static bool canaries_live(const struct batch_bench *bench, unsigned i, struct batch_outcome *outcome)
{
    const struct batch_place *place = &bench->layout.sinks[i];
    const size_t n = bench->layout.n, extent = batch_extent(place, n), row = place->per_warp ? 1 : WARP_LANES;
    const uint32_t *words = bench->out[i];
    const size_t before = fenced_before(&bench->results[i], words, MARGIN);
    const size_t behind = fenced_behind(&bench->results[i], words + extent, MARGIN);
    for (size_t k = 0; k < before + extent + behind; k++) {
        const size_t at = k < before ? 0 : k - before;
        const bool inside = k >= before && at < extent && at % place->stride < row;
        if (inside || words[(ptrdiff_t)k - (ptrdiff_t)before] == CANARY)
            continue;
        outcome->fault = BATCH_WROTE;
        outcome->part = batch_sink_names[i];
        outcome->warp = k < before ? 0 : at / place->stride < n ? at / place->stride : n - (n > 0);
        snprintf(outcome->what, sizeof outcome->what, "writes %s row %zu of %s", k < before ? "before" : "behind",
                 outcome->warp, outcome->part);
        return false;
    }
    return true;
}

/* Are the operands as they were? Who can read them can make them writable again. */
static void look_at_operands(const struct batch_bench *bench, struct batch_outcome *outcome)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        const size_t bytes = batch_extent(&bench->layout.columns[i], bench->layout.n) * sizeof(uint32_t);
        if (bench->asked[i] == NULL || memcmp(bench->in[i], bench->asked[i], bytes) == 0)
            continue;
        outcome->fault = BATCH_WROTE;
        outcome->part = "operand";
        snprintf(outcome->what, sizeof outcome->what, "writes into an operand");
        return;
    }
}

static const uint32_t *expected_part(const struct warp_result *r, unsigned i)
{
    const uint32_t *const parts[SINKS] = {r->d,     r->waits_for, &r->p,        &r->d_defined,
                                          &r->done, &r->waiting,  &r->undefined};
    return parts[i];
}

/* Where d and waits_for have no meaning, a batch has 0. */
static void clear_meaningless(struct warp_result *r)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(r->d_defined >> lane & 1u))
            r->d[lane] = 0;
        if (!(r->waiting >> lane & 1u))
            r->waits_for[lane] = 0;
    }
}

/* The result that the batch left for warp w; results that are not wanted are taken from the expected one. */
static void observed_result(const struct batch_bench *bench, size_t w, const struct warp_result *expected,
                            struct warp_result *r)
{
    uint32_t *const parts[SINKS] = {r->d, r->waits_for, &r->p, &r->d_defined, &r->done, &r->waiting, &r->undefined};
    *r = *expected;
    for (unsigned i = 0; i < SINKS; i++)
        if (bench->out[i] != NULL)
            memcpy(parts[i], bench->out[i] + w * bench->layout.sinks[i].stride,
                   (bench->layout.sinks[i].per_warp ? 1 : WARP_LANES) * sizeof(uint32_t));
}

/* The first sink in which warp w differs; SINKS: none. */
static unsigned differing_sink(const struct batch_bench *bench, size_t w, const struct warp_result *expected)
{
    for (unsigned i = 0; i < SINKS; i++) {
        const struct batch_place *place = &bench->layout.sinks[i];
        if (bench->out[i] != NULL && memcmp(bench->out[i] + w * place->stride, expected_part(expected, i),
                                            (place->per_warp ? 1 : WARP_LANES) * sizeof(uint32_t)) != 0)
            return i;
    }
    return SINKS;
}

static void keep_case(const struct batch_bench *bench, size_t w, const struct warp_case *c,
                      const struct warp_result *expected, struct batch_outcome *outcome)
{
    struct finding *f = &outcome->finding;
    f->c = *c;
    f->reference = *expected;
    f->parts = WARP_PART_ALL;
    observed_result(bench, w, expected, &f->observed);
    warp_result_compare(c, expected, &f->observed, f->parts, &f->diff);
}

/* Compares every warp with the reference's answer. After a fault it only looks for the case of the faulty warp. */
static bool compare(struct batch_bench *bench, const struct warp_impl *reference, struct batch_outcome *outcome)
{
    char error[128];
    for (size_t first = 0; first < bench->layout.n; first += CHUNK) {
        const size_t left = bench->layout.n - first, n = left < CHUNK ? left : CHUNK;
        for (size_t i = 0; i < n; i++)
            batch_case(&bench->layout, bench->asked, first + i, &bench->cases[i]);
        if (!reference->eval(reference->state, bench->cases, n, bench->expected, error, sizeof error)) {
            outcome->fault = BATCH_UNKNOWN;
            snprintf(outcome->what, sizeof outcome->what, "%s gives no answer: %s", reference->name, error);
            return false;
        }
        for (size_t i = 0; i < n; i++) {
            unsigned sink = SINKS;
            clear_meaningless(&bench->expected[i]);
            outcome->lanes += lanes_in(bench->cases[i].active);
            if (outcome->fault == BATCH_AGREES)
                sink = differing_sink(bench, first + i, &bench->expected[i]);
            if (sink != SINKS) {
                outcome->fault = BATCH_WRONG;
                outcome->part = batch_sink_names[sink];
                outcome->warp = first + i;
                snprintf(outcome->what, sizeof outcome->what, "%s of warp %zu differs", outcome->part, first + i);
            }
            if (outcome->fault != BATCH_AGREES && outcome->warp == first + i) {
                keep_case(bench, first + i, &bench->cases[i], &bench->expected[i], outcome);
                return false;
            }
        }
    }
    return outcome->fault == BATCH_AGREES;
}

bool batch_try(struct batch_bench *bench, uint64_t seed, uint64_t number, const struct warp_impl *reference,
               struct batch_outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    outcome->part = "";
    batch_layout(seed, number, &bench->layout);
    outcome->warps = bench->layout.n;
    outcome->finding.reference_name = reference->name;
    outcome->finding.observed_name = foreign_impl(bench->subject)->name;
    warp_case_init(&outcome->finding.c, (enum warp_form)bench->layout.form); /* of a batch of no warps */
    if (!(bench->layout.as_cases ? batch_prepare_cases(bench) : prepare(bench))) {
        outcome->fault = BATCH_UNKNOWN;
        snprintf(outcome->what, sizeof outcome->what, "no memory for %zu warps", bench->layout.n);
        return false;
    }
    if (bench->layout.as_cases)
        return batch_compare_cases(bench, reference, call(bench, outcome), outcome);
    if (call(bench, outcome)) {
        for (unsigned i = 0; i < SINKS && outcome->fault == BATCH_AGREES; i++)
            if (bench->out[i] != NULL)
                canaries_live(bench, i, outcome);
        if (outcome->fault == BATCH_AGREES)
            look_at_operands(bench, outcome);
    }
    return compare(bench, reference, outcome);
}

void batch_signature(const struct batch_outcome *outcome, char signature[FINDING_SIGNATURE_MAX])
{
    static const char *const words[] = {"", "wrong", "writes-outside", "crash", "refused", "unknown"};
    snprintf(signature, FINDING_SIGNATURE_MAX, "batch-%s-%s%s%s",
             warp_family_name(warp_form_get(outcome->finding.c.form)->family), outcome->part,
             outcome->part[0] != '\0' ? "-" : "", words[outcome->fault]);
    for (char *c = signature; *c != '\0'; c++)
        *c = *c == '_' ? '-' : *c;
}
