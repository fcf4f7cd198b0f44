/*
 * Executes programs over two implementations: finds the first difference, and the shortest program that still shows
 * it.
 */
#ifndef WARPCHECK_KERNEL_DIFFER_H
#define WARPCHECK_KERNEL_DIFFER_H

#include "check/reduce.h"
#include "kernel/execute.h"

/* The inputs that a program is executed on by default: indices 0 to RUNS - 1 of the seed, as the fuzz target draws
 * them. */
#define PROGRAM_DIFFER_SEED 1u
#define PROGRAM_DIFFER_RUNS 3u

enum program_comparison {
    PROGRAM_AGREES,
    PROGRAM_DIFFERS,
    PROGRAM_NOT_COMPARED /* no memory, no target, or an implementation did not accept or answer a case */
};

/*
 * The first instruction after which the two differ. When they fault differently, `reg` is MODULE_NONE. Else it
 * is the destination that differs; [0] is the reference's value and [1] the observed one, in the first lane of
 * `lanes`.
 */
struct program_difference {
    uint64_t seed, index; /* of the inputs (program_state_random) */
    size_t at;            /* instruction */
    uint32_t reg;
    lanemask lanes;
    bool defined[2];
    uint64_t value[2];
    struct program_outcome outcome[2];
};

/*
 * Executes the program over both, instruction by instruction, on the index-th inputs of the seed, until they differ or
 * both end or fault alike. `error`: why they were not compared.
 */
enum program_comparison program_find_difference(const struct program *program, const struct warp_impl *reference,
                                                const struct warp_impl *observed, uint64_t seed, uint64_t index,
                                                struct program_difference *difference, struct error *error);

/*
 * Makes a finding of the difference (check/finding.h): the program, the instruction whose results differ, whether
 * faults do. Its signature does not depend on how the program goes on. `instruction` holds the name as long as the
 * finding is used.
 */
struct finding program_difference_finding(const struct program *program, const struct program_difference *d,
                                          char instruction[FINDING_SIGNATURE_MAX]);

/* One clause: "line 3, `shfl...;`: y in lane 4 is 0x5, expected 0x4 (lanes 0x000000f0; input 0 of seed 1)". */
size_t program_difference_text(const struct program *program, const struct program_difference *d, char *buf,
                               size_t size);

/* Does this program still show what is being reduced? */
typedef bool (*program_test)(void *context, const struct program *program);

/*
 * Simplifies the program until no step keeps `test` true: leaves out lines (a register that nothing writes any more
 * becomes an input of any value) and guards, and makes operands and inputs plain. Deterministic. The result prints and
 * reads back as itself. Returns NULL when `test` does not hold for the program as its text reads, or there is no
 * memory. Free it with program_free.
 */
struct program *program_reduce(const struct program *program, program_test test, void *context, struct reduction *r);

#endif
