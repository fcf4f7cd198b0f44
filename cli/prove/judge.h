/* What a child process does for `warpcheck prove bitcode`: the proof, the witness reduced and replayed. */
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

/* What a child tells of one form, or of one case. */
struct judged {
    struct user_outcome outcome;
    bool differs; /* `finding` is the witness, reduced: the function's result as the translator evaluates it */
    struct finding finding;
    char native[200];  /* what the native code does on the witness */
    bool stopped;      /* --limit ended it: nothing is known of it */
    bool contradicted; /* ... and that is another result than the translator's */
};

void judge_form(const struct judge_request *r, uint32_t form, struct judged *j);
/* Nothing is proved. A note without `differs`: the function has no result, and why. */
void judge_one_case(const struct judge_request *r, const struct warp_case *c, struct judged *j);

#endif
