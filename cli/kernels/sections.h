/*
 * `warpcheck kernel`: the claims about parts of kernels (kernel/section.h), tested, and with --prove proved.
 */
#ifndef WARPCHECK_CLI_KERNELS_SECTIONS_H
#define WARPCHECK_CLI_KERNELS_SECTIONS_H

#include "kernel/section.h"
#include "warpcheck/impl.h"

struct told_sections;

struct sections_options {
    const struct warp_impl *impl; /* executes them */
    uint64_t seed;
    bool prove, cross; /* with Z3; with cvc5, too */
    double seconds;    /* for one question of the proof */
};

/*
 * Finds the sections of a text, tests their claims, and proves them where that is asked for. NULL with one line in
 * `error` when they cannot be found, or executed. `path` must live as long.
 */
struct told_sections *sections_try(const char *path, const char *text, size_t size,
                                   const struct sections_options *options, struct error *error);
void told_sections_free(struct told_sections *told);

/* Nothing contradicts a claim, and where proofs were asked for each is proved. No section at all is whole. */
bool sections_are_whole(const struct told_sections *told);
/* A claim was proved that an execution contradicts: a defect of this program. */
bool sections_are_contradicted(const struct told_sections *told);
void sections_print(const struct told_sections *told);
void sections_json(const struct told_sections *told); /* an object for each, into the open array */

#endif
