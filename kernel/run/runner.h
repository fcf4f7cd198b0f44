/*
 * A program made ready to be executed any number of times over one implementation.
 */
#ifndef WARPCHECK_KERNEL_RUN_RUNNER_H
#define WARPCHECK_KERNEL_RUN_RUNNER_H

#include "kernel/exec/block.h"
#include "kernel/execute.h"

#define PROGRAM_STEPS_MAX 100000u /* instructions of the warp */

struct program_runner {
    const struct program *program;
    struct code *code;
    struct kernel *kernel;
    struct kernel_watch watch;
    uint32_t rows; /* the row of register 0 */
    /* May be set between executions: called for each group that has its results. It may stop the kernel and set
     * `stopped`, and then the outcome has no fault. */
    void (*answered)(struct program_runner *r, struct warp *w, lanemask lanes);
    void *context;
    bool stopped;
    /* of the execution at hand */
    struct program_state *state;
    struct program_outcome *outcome;
    struct kernel_outcome kernel_outcome;
};

/* False: one clause in `error`. The program and the implementation must live as long. */
bool program_runner_open(struct program_runner *r, const struct program *program, const struct warp_impl *impl,
                         struct error *error);
void program_runner_close(struct program_runner *r);
/* d = op(d, y) in the lanes. */
void program_compute_row(enum ptx_op op, enum ptx_type type, uint64_t d[WARP_LANES], const uint64_t y[WARP_LANES],
                         lanemask lanes);
/* Executes the program as program_execute does, with what program_runner_open made. */
bool program_runner_execute(struct program_runner *r, struct program_state *state, struct program_outcome *outcome,
                            struct error *error);

#endif
