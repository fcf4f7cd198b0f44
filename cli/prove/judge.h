/* The work of a child process of `warpcheck prove bitcode`: the proof, and the witness, reduced and replayed. */
#ifndef WARPCHECK_CLI_PROVE_JUDGE_H
#define WARPCHECK_CLI_PROVE_JUDGE_H

#include "check/finding.h"
#include "cli/ui/options.h"
#include "proofs/user/user.h"

/* The command line. */
struct judge_request {
    const char *bitcode, *function, *shape, *impl, *file;
    struct option_list only;
    double timeout, limit;
    uint64_t jobs, cases;
    bool json, quiet, all;
};

/* The child's result for one form, or for one case. */
struct judge_result {
    struct user_outcome outcome;
    bool differs; /* `finding` is the witness, reduced: the function's result as the translator evaluates it */
    struct finding finding;
    char native[200];  /* what the native code does on the witness */
    bool stopped;      /* --limit ended it before there was a verdict */
    bool contradicted; /* the native code gives another result than the translator */
};

void judge_form(const struct judge_request *r, uint32_t form, struct judge_result *j);
/* Evaluates the function on a case; nothing is proved. When the function has no result, `note` says why and
 * `differs` is false. */
void judge_one_case(const struct judge_request *r, const struct warp_case *c, struct judge_result *j);

#endif
