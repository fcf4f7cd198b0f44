/*
 * `warpcheck kernel --prove`: after the search for an error, the proof that there is none, for all inputs of a launch,
 * and what it says of each instruction. The two are held against each other.
 */
#ifndef WARPCHECK_CLI_KERNELS_PROOF_H
#define WARPCHECK_CLI_KERNELS_PROOF_H

#include "kernel/search.h"

struct proof;

/*
 * Tries it for each block of the options, else for .reqntid, else for every multiple of 32 threads in one dimension.
 * `search` was made with the same options. With `cross` cvc5 is asked, too, wherever Z3 says that something cannot
 * happen; with `races` it is proved, too, that lanes of one warp do not race for shared memory. NULL with one line in
 * `error` when nothing could be tried.
 */
struct proof *proof_try(const struct code *code, const struct kernel_search *search,
                        const struct kernel_search_options *options, double seconds, bool cross, bool races,
                        struct error *error);
void proof_free(struct proof *proof);

/* Every obligation of every launch is proved, and no execution shows a race. */
bool proof_is_whole(const struct proof *proof);
/* An execution showed what was proved not to happen: a defect of this program. */
bool proof_is_contradicted(const struct proof *proof);
void proof_print(const struct proof *proof);
void proof_json(const struct proof *proof); /* an object "proof" */

#endif
