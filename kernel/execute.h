/*
 * Programs executed for one warp over any implementation, and their claims evaluated. program.h says what a program
 * means; kernel/exec/ executes it, as it does whole kernels.
 */
#ifndef WARPCHECK_KERNEL_EXECUTE_H
#define WARPCHECK_KERNEL_EXECUTE_H

#include "base/error.h"
#include "ptx/program.h"
#include "warpcheck/impl.h"

/* All registers of a warp. Element [register][lane]; values are cut to the register's width. */
struct program_state {
    uint64_t (*value)[WARP_LANES];
    lanemask *defined; /* per register: lanes in which it is not unpredictable */
    lanemask active;   /* lanes that were active at the start */
    lanemask exited;
};

/* NULL when there is no memory. Inputs zero and defined, everything else unpredictable, lanes as the program says. */
struct program_state *program_state_new(const struct program *program);
void program_state_free(struct program_state *state);
void program_state_copy(const struct program *program, struct program_state *to, const struct program_state *from);
/* Sets active and exited from the program and the inputs' values. Call it after changing inputs. */
void program_state_start(const struct program *program, struct program_state *state);
/* The index-th inputs of a seed, as the input lines say (ranges, uniform), and program_state_start. */
void program_state_random(const struct program *program, struct program_state *state, uint64_t seed, uint64_t index);

enum program_fault_kind {
    PROGRAM_FAULT_NONE,
    PROGRAM_FAULT_UNDEFINED, /* lanes that are not in their own membermask (targets to sm_6x: or do not converge) */
    PROGRAM_FAULT_WAITS,     /* lanes that wait for lanes `waits_for`, which do not execute the instruction with them */
    PROGRAM_FAULT_GUARD,     /* the guard is unpredictable */
    PROGRAM_FAULT_OPERAND,   /* b, c or membermask is unpredictable */
    PROGRAM_FAULT_USE,       /* an unpredictable value reaches an address, an atomic operation, global memory */
    PROGRAM_FAULT_BARRIER,   /* a part of the warp is at an aligned block barrier */
    PROGRAM_FAULT_RACE       /* lanes touch one shared word, one writes, and nothing orders them */
};

struct program_outcome {
    enum program_fault_kind fault;
    size_t fault_at; /* index of the instruction */
    lanemask fault_lanes;
    lanemask waits_for;
    bool used; /* an unpredictable value was read; not a fault */
    size_t used_at;
    lanemask used_lanes;
    uint32_t used_reg;
};

/*
 * Executes the program on `state` until its end or its first fault. False when the implementation did not accept or
 * answer a case: one clause in `error`.
 */
bool program_execute(const struct program *program, const struct warp_impl *impl, struct program_state *state,
                     struct program_outcome *outcome, struct error *error);

/* One sentence: "line 7: lanes 0x0000fff0 wait for lanes 0x0000000f, which do not execute it"; "" when there is no
 * fault. */
size_t program_fault_text(const struct program *program, const struct program_outcome *outcome, char *buf, size_t size);
/* That sentence without its line. */
size_t program_fault_clause(const struct program *program, const struct program_outcome *outcome, char *buf,
                            size_t size);

/* The place where a claim fails: the first lane, its value, and the value that the claim says (0 when the claim is not
 * about a value). */
struct program_failure {
    lanemask lanes; /* 0: the claim fails as a whole (fault, use) */
    unsigned lane;
    bool undefined; /* the register is unpredictable there */
    uint64_t observed;
    uint64_t expected;
};

/* Does the claim (ignoring `refute`) hold in this execution? `failure` may be NULL. */
bool program_claim_holds(const struct program *program, const struct program_claim *claim,
                         const struct program_state *initial, const struct program_state *final,
                         const struct program_outcome *outcome, struct program_failure *failure);

/* The value that the claim says lane `lane` has, for SAME ... PEERS: the reference, evaluated from the inputs. */
uint64_t program_claim_expected(const struct program *program, const struct program_claim *claim, unsigned lane,
                                const struct program_state *initial, const struct program_state *final);

/* One step of arithmetic on bits of the type's width, as the executor computes it (not MOV of specials, PACK,
 * UNPACK, SETP, SELP). */
uint64_t program_compute(enum ptx_op op, enum ptx_type type, bool nan, uint64_t x, uint64_t y);
/* setp. */
bool program_compare_values(enum ptx_compare compare, enum ptx_type type, uint64_t x, uint64_t y);

/*
 * Tests the claims on `count` inputs of a seed. A claim that holds on all of them is "not contradicted", never proved;
 * a `refute` needs one input on which the claim fails.
 */
struct program_claim_record {
    uint64_t held;
    uint64_t failed;
    uint64_t first_failure; /* index of the inputs */
    struct program_failure failure;
    struct program_outcome outcome; /* of the first failure */
};

/* `records` has one element a claim. False: `error`. */
bool program_test_claims(const struct program *program, const struct warp_impl *impl, uint64_t seed, uint64_t count,
                         struct program_claim_record *records, struct error *error);

/* Is the record what the claim expects: no failure, or at least one failure for `refute`? */
bool program_claim_as_expected(const struct program_claim *claim, const struct program_claim_record *record);

#endif
