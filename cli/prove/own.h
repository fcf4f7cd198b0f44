/* The table of `warpcheck prove compiled`: what is tried, and the results. */
#ifndef WARPCHECK_CLI_PROVE_OWN_H
#define WARPCHECK_CLI_PROVE_OWN_H

#include "cli/prove/session.h"
#include "proofs/warpcheck_compiled.h"

#define VARIANTS_MAX 8u
#define RUNNING_MAX  64u

/* One form of one variant. */
struct own_pair {
    const struct warp_form_info *info;
    const char *variant;
    const struct warp_impl *native; /* NULL: this machine cannot run it; for the encoding: its terms, evaluated */
};

struct own_result {
    bool started; /* false: error says why nothing could be proved */
    char error[300];
    struct compiled_outcome outcome;
};

struct own {
    struct option_list only, impl;
    double timeout, limit;
    uint64_t jobs, cases;
    bool compiled, json, markdown, quiet;
    const char *update, *folder;

    const char *variants[VARIANTS_MAX];
    size_t variant_count;
    uint32_t forms[WARP_FORMS];
    size_t form_count;
    struct own_pair *pairs;
    struct own_result *results;
    bool *has; /* results that are there */
    size_t count;
    char *goals; /* COMPILED_GOAL bytes for each pair, shared with its process; NULL: no memory */
    size_t running[RUNNING_MAX], running_count;
    struct proving proving;
};

/* "PROVED", ... */
const char *own_word(enum compiled_verdict verdict);
size_t own_count(const struct own *o, enum compiled_verdict verdict);

/* Prints the table, what is not proved, and the witnesses, replayed. */
void own_print(struct own *o);
void own_print_json(const struct own *o);
void own_print_markdown(const struct own *o);
/* Replaces the text between the two marks of o->update, through a new file beside it. Returns false after one line. */
bool own_update(const struct own *o);

#endif
