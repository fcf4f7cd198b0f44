/*
 * What `prove`, `prove compiled` and `prove bitcode` share: workers try the goals, a line on standard error shows the
 * progress, and Ctrl-C ends the work, after which they say what was decided.
 */
#ifndef WARPCHECK_CLI_PROVE_SESSION_H
#define WARPCHECK_CLI_PROVE_SESSION_H

#include "base/pool.h"
#include "cli/command.h"
#include "cli/ui/options.h"
#include "warpcheck/form.h"

extern const struct command command_prove_own, command_prove_bitcode;

struct proving {
    const char *label; /* "prove compiled" */
    size_t count, ended;
    bool quiet;
    bool interrupted; /* some have no verdict; known when all is over */
    bool terminal;    /* the line is redrawn */
    double begin, last;
};

void proving_begin(struct proving *p, const char *label, size_t count, bool quiet);
/* Prints the line of progress, a few times a second or every few seconds. `now` names the work in progress; "":
 * none to name. */
void proving_show(struct proving *p, const char *now);
/* Removes the line. */
void proving_end(struct proving *p);
/* Runs the pool, then removes the line. Returns false after one line on standard error when no process could be
 * started. */
bool proving_run(struct proving *p, const struct command *command, struct pool *pool);

/* The forms that --only names, all without it, in `forms`; 0 after one line on standard error. */
size_t prove_forms(const struct command *command, const struct option_list *only, uint32_t forms[WARP_FORMS]);

#endif
