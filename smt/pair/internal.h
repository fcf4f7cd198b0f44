/*
 * The state of the proof: two lanes, what they hold, and where each of them is.
 *
 * pair.c opens and closes it and asks the solver, flow.c finds loops, places.c what may disturb a load, walk.c goes
 * through the code, operate.c computes (split.c with numbers of warps and lanes), memory.c loads and stores, meet.c is
 * about what lanes do together, barrier.c about block barriers.
 */
#ifndef WARPCHECK_SMT_PAIR_INTERNAL_H
#define WARPCHECK_SMT_PAIR_INTERNAL_H

#include "smt/pair/pair.h"
#include "smt/term.h"

/* A value; `taint` is a Bool that says when it is unpredictable, NULL: never. */
struct value {
    term x;
    term taint;
};

/* What one lane holds at a place. NULL in a row: not written yet. */
struct lane_state {
    term here;           /* Bool: the lane is at this place */
    struct value *rows;  /* of registers */
    struct value *frame; /* bytes of the frame; x NULL: not written */
};

struct state {
    struct lane_state lane[2];
};

/* A function's blocks in the order in which they are walked, and its loops. */
struct flow_loop {
    uint32_t head;
    uint32_t parent; /* a loop, or MODULE_NONE */
    bool *has;       /* per block */
};
struct flow {
    const struct module_function *f;
    uint32_t first; /* place of its first instruction in the code */
    uint32_t rows;  /* number of its first register among the code's registers */
    bool *reached;  /* per block */
    uint32_t *loop; /* per block: the innermost loop, or MODULE_NONE */
    struct flow_loop *loops;
    uint32_t loops_count;
    size_t loops_room;
    uint64_t *live; /* per block: words of a bit set, registers that are read before they are written */
    uint32_t live_words;
};

#define RACE_ELEMENTS_MAX 8u

/* What one instruction does in shared memory, by each lane. */
struct race_access {
    uint32_t at;
    bool writes, strong;
    unsigned bytes, count; /* of an element; elements of a vector */
    term when[2], address[2];
    term values[2][RACE_ELEMENTS_MAX]; /* of a plain store */
    term open;                         /* Bool: no meeting since has ordered it before what the other lane does now */
};
struct races {
    struct race_access *all;
    size_t count, room;
};

#define BLOCK_BARRIERS 16u

/* For which warps the barriers of one number are, as bits, and where that was said. 0: no such barrier yet. */
struct barrier_use {
    uint32_t warps, at;
};

struct pair {
    struct smt *s;
    const struct code *code;
    const struct pair_options *options;
    struct pair_outcome *outcome;
    struct error *error;
    Z3_solver solver;
    double end;         /* clock_seconds */
    struct flow *flows; /* per function of the code */
    uint8_t *bits;      /* per register: 1, 8, ... 64 */
    uint32_t registers;
    bool *disturbed;     /* per place: a load; another thread may write its words meanwhile */
    bool *constant;      /* per place: a load of what nobody writes */
    bool *repeated;      /* per place: lanes may be at it in different turns or calls at one time */
    bool *may_be_shared; /* per place: an access that may be of shared memory */
    bool other_warps;    /* the lanes are of two warps of a block */

    term lane[2];   /* their numbers in the warp, 32 bits */
    term thread[2]; /* in the block */
    term exists[2];
    term tid[2][3];
    term ntid[3], ctaid[3], nctaid[3];
    term exited[2]; /* Bool, now */
    unsigned epoch; /* of memory: loads of one epoch at one address give one value */
    unsigned fresh;
    unsigned quiet;      /* > 0: obligations are not asked */
    unsigned races_only; /* > 0: nor here, but accesses are held against those of `races` */
    struct races races;  /* what the walk has met and nothing has ordered */
    bool has_barrier;
    struct barrier_use barriers[BLOCK_BARRIERS];
    unsigned depth;   /* loops around the place that is walked */
    size_t loop_mark; /* items when the outermost of them began */
    bool restricted;  /* the walk assumed that something does not happen: a trap, a loop without end */
    bool spoiled;     /* an obligation that others rest on was not proved */
    uint32_t steps_left;
};

/* --- pair.c --- */
void pair_fail(struct pair *p, enum error_code code, const char *format, ...) PRINTF_LIKE(3, 4);
static inline bool pair_failed(const struct pair *p)
{
    return p->error->code != ERROR_NONE;
}
void pair_assume(struct pair *p, term x);
/* Is there no way for all of x to hold? */
enum pair_verdict pair_never(struct pair *p, term x);
/* Asks whether the obligation can fail, and notes the answer. */
void pair_oblige(struct pair *p, uint32_t at, enum pair_obligation obligation, term fails);
/* Notes what was found of a race between two places; MODULE_NONE: with nobody. */
void pair_note_race(struct pair *p, uint32_t at, uint32_t other, enum pair_verdict verdict);
term pair_fresh(struct pair *p, unsigned bits); /* of 1 bit: a Bool */
/* A function without a meaning, applied: equal arguments give equal results. */
term pair_function(struct pair *p, const char *name, unsigned bits, const term *arguments, unsigned count);

/* Bools with the obvious things left out. NULL counts as false in pair_either. */
term pair_both(struct pair *p, term x, term y);
term pair_either(struct pair *p, term x, term y);
term pair_not(struct pair *p, term x);
term pair_but(struct pair *p, term x, term y); /* x and not y */
term pair_ite(struct pair *p, term c, term x, term y);
/* A node whose arguments are all known is worked out. */
term pair_fold(struct pair *p, term x);
bool pair_is(struct pair *p, term x, bool value);

/* --- split.c --- */
struct split {
    term high, low; /* x = high * 32 + low */
};
bool pair_split(struct pair *p, term x, struct split *parts);
term pair_sum(struct pair *p, term x, term y);
/* A product of which only the lowest bits are known: 0. */
term pair_aligned_product(struct pair *p, term x, term y, bool *known);
term pair_and(struct pair *p, term x, term y);
term pair_shift_right(struct pair *p, term x, unsigned by, bool is_signed); /* by less than its bits */

/* --- operate.c --- */
struct value pair_read(struct pair *p, const struct state *s, unsigned lane, uint32_t row, unsigned bits);
void pair_write(struct pair *p, struct state *s, unsigned lane, uint32_t row, struct value v, term when);
/* Bits of the register in this row; of no register: `otherwise`. */
unsigned pair_room(const struct pair *p, uint32_t row, unsigned otherwise);
/* Where that is wider than x. */
term pair_sign_extend(struct pair *p, term x, unsigned bits);
void pair_compute(struct pair *p, struct state *s, const struct code_instruction *c, unsigned lane, term when);

/* --- memory.c --- */
void pair_memory(struct pair *p, struct state *s, uint32_t at, const struct code_instruction *c, const term when[2]);

/* --- meet.c --- */
void pair_meet(struct pair *p, struct state *s, uint32_t at, const struct code_instruction *c, const term when[2]);

/* --- barrier.c --- */
void pair_barrier(struct pair *p, struct state *s, uint32_t at, const struct code_instruction *c, const term when[2]);

/* --- races.c --- */
/* An access of both lanes is made. */
void races_access(struct pair *p, const struct state *s, uint32_t at, const struct code_instruction *c,
                  const term when[2]);
/* A meeting that orders memory, of both lanes where `together` holds. */
void races_order(struct pair *p, term together);
struct races races_take(struct pair *p);
struct races races_copy(const struct pair *p);
void races_put(struct pair *p, struct races races); /* instead of what there is */
void races_add(struct pair *p, struct races races);

/* --- flow.c --- */
bool flow_find(struct flow *flow, const struct module_function *f);
/* Is it read from the block on before it is written? Registers of other functions: always. */
bool flow_is_live(const struct flow *flow, uint32_t block, uint32_t reg);
void flow_free(struct flow *flow);

/* --- places.c --- */
bool pair_find_places(struct pair *p);

/* --- polls.c --- */
/* Does what a lane polls in shared memory decide when a loop ends? True also where that cannot be told. */
bool pair_polls(const struct pair *p);

/* --- walk.c --- */
void pair_state_free(struct state *s);
bool pair_state_new(struct pair *p, struct state *s);
void pair_walk(struct pair *p, struct state *s);

#endif
