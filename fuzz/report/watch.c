/*
 * Implementations under test that are watched: a case that is not answered is remembered, whoever asked it.
 */
#include "fuzz/harness.h"
#include "base/clock.h"
#include "warpcheck/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stands for the implementation that it watches: with its name, parts and answers. */
struct watched {
    struct warp_impl impl;
    const struct warp_impl *inner;
    struct harness *h;
    size_t which; /* of h->tested */
};

/* The first case that was not answered since the last look. */
struct unanswered {
    const struct warp_impl *impl; /* NULL: all were */
    struct warp_case c;
    char why[512];
};

static struct watched watched[HARNESS_TESTED_MAX];
static struct unanswered unanswered;

void harness_pinpoint(const struct harness *h, const struct warp_impl *impl, const struct warp_case *c, const char *why)
{
    char line[WARP_TEXT_MAX];
    FILE *file = fopen(h->pinpoint, "w");
    if (file == NULL)
        return;
    warp_case_to_text(c, line, sizeof line);
    fprintf(file, "%s\n%s\n%s\n", line, h->tested_count > 1 ? impl->name : "", why);
    fclose(file);
}

void harness_pinpoint_done(const struct harness *h)
{
    FILE *file = fopen(h->pinpoint, "w");
    if (file != NULL)
        fclose(file);
}

bool harness_ask_pinpointed(const struct harness *h, const struct warp_impl *impl, const struct warp_case *c,
                            struct warp_result *r, char *error, size_t error_size)
{
    const double start = clock_seconds();
    uint64_t took_us;
    harness_pinpoint(h, impl, c, "");
    if (!impl->eval(impl->state, c, 1, r, error, error_size))
        return false;
    took_us = (uint64_t)((clock_seconds() - start) * 1e6);
    h->status->slowest_us = took_us > h->status->slowest_us ? took_us : h->status->slowest_us;
    return true;
}

/*
 * What is being reduced when a case ends the implementation is still to be told, and an implementation behind a guard
 * answers no more: it is opened anew.
 */
static void revive(struct watched *w)
{
    struct harness again = *w->h;
    if (!status_is_reporting(w->h->status))
        return;
    harness_open(&again);
    w->inner = again.tested[w->which];
}

static bool ask_one(struct watched *w, const struct warp_case *c, struct warp_result *r, char *error, size_t error_size)
{
    const struct warp_impl *const inner = w->inner;
    bool answered;
    if (w->h->pinpoint == NULL)
        return inner->eval(inner->state, c, 1, r, error, error_size);
    answered = harness_ask_pinpointed(w->h, inner, c, r, error, error_size);
    harness_pinpoint_done(w->h); /* what ends the target now is not this case */
    return answered;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    struct watched *const w = state;
    char why[sizeof unanswered.why] = "";
    for (size_t i = 0; i < n; i++) {
        const bool answered = ask_one(w, &cases[i], &results[i], why, sizeof why);
        w->impl.provides = w->inner->provides; /* its first answers may settle it */
        if (answered)
            continue;
        if (unanswered.impl == NULL) {
            unanswered.impl = &w->impl;
            unanswered.c = cases[i];
            memcpy(unanswered.why, why, sizeof why);
        }
        revive(w);
        snprintf(error, error_size, "%s", why);
        return false;
    }
    return true;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct watched *const w = state;
    bool accepted;
    if (w->h->pinpoint == NULL)
        return w->inner->accepts(w->inner->state, c, why, why_size);
    harness_pinpoint(w->h, w->inner, c, "");
    accepted = w->inner->accepts(w->inner->state, c, why, why_size);
    harness_pinpoint_done(w->h);
    return accepted;
}

void harness_watch(struct harness *h)
{
    unanswered.impl = NULL;
    for (size_t i = 0; i < h->tested_count; i++) {
        struct watched *const w = &watched[i];
        *w = (struct watched){.impl = *h->tested[i], .inner = h->tested[i], .h = h, .which = i};
        w->impl.state = w;
        w->impl.eval = eval;
        w->impl.accepts = w->inner->accepts != NULL ? accepts : NULL;
        w->impl.close = NULL; /* who opened it closes it */
        h->tested[i] = &w->impl;
    }
    h->observed = h->tested[0];
}

void harness_end_unanswered(struct harness *h, const uint8_t *data, size_t size)
{
    if (unanswered.impl == NULL)
        return;
    h->observed = unanswered.impl;
    if (h->pinpoint != NULL) {
        harness_pinpoint(h, unanswered.impl, &unanswered.c, unanswered.why);
        abort();
    }
    harness_crash(h, data, size, &unanswered.c, 1, unanswered.why);
}
