/*
 * Whole kernels executed: one block, every warp of it, each lane with its own place in the code (docs/kernels.md).
 *
 * Rules, in short. Lanes meet at `.sync` instructions alone: a group fires when all non-exited lanes of a membermask
 * wait at the same form with the same membermask, wherever in the code; an implementation answers the group as one
 * struct warp_case. Nothing else makes lanes wait but block barriers. What a lane computes from a value that the manual
 * leaves unpredictable is unpredictable; it is an error where it reaches a branch, an address, a membermask, an atomic
 * operation, global memory or printf. Lanes of a warp that touch one shared word without an order between them, one
 * writing another value, race.
 */
#ifndef WARPCHECK_KERNEL_KERNEL_H
#define WARPCHECK_KERNEL_KERNEL_H

#include "kernel/exec/code.h"
#include "warpcheck/impl.h"

/* What activemask returns to the lanes that have come to it: all of them, each lane alone, or any partition. */
enum kernel_activemask { KERNEL_TOGETHER, KERNEL_ALONE, KERNEL_ANY, KERNEL_ACTIVEMASKS };

/* What the buffers hold at the start. */
enum kernel_pattern {
    KERNEL_ZEROS,
    KERNEL_SMALL,   /* numbers below 8 */
    KERNEL_FLAGS,   /* 0 and 1 */
    KERNEL_RISING,  /* 0, 1, 2, ... */
    KERNEL_OFFSETS, /* rising by 0 to 6: where rows of different lengths begin */
    KERNEL_BITS,    /* any bits */
    KERNEL_ONES,    /* 1 everywhere */
    KERNEL_NUMBERS, /* those with which the code compares integers, and their neighbours; small ones among them */
    KERNEL_PATTERNS
};

#define KERNEL_PARAMS_MAX  4096u
#define KERNEL_BUFFERS_MAX 64u

/* One launch with its input: everything that an execution depends on. */
struct kernel_input {
    uint32_t block[3], grid[3], ctaid[3];
    uint32_t shared; /* bytes of dynamic shared memory */
    enum kernel_activemask activemask;
    enum kernel_pattern pattern;          /* of what the buffers hold, but for */
    uint8_t contents[KERNEL_BUFFERS_MAX]; /* per buffer: 0, or 1 plus the pattern that this one has */
    uint8_t variables[CODE_VARIED_MAX];   /* per variable of the code (varied): 0: its value, or 1 plus the pattern */
    uint64_t seed;                        /* of the patterns, of KERNEL_ANY and of the schedule */
    bool shuffled;                        /* lanes and warps in random order, else the friendliest */
    uint32_t schedule;                    /* which random order; 0 unless shuffled */
    bool one_lane;          /* runs each lane by itself as far as it gets: the baseline for execution by rows */
    const uint8_t *content; /* NULL, or what the first buffer holds in place of its pattern; zeros behind it */
    uint64_t content_size;
    uint32_t params_size;
    uint8_t params[KERNEL_PARAMS_MAX];
};

/* What this buffer holds at the start. */
static inline enum kernel_pattern kernel_contents(const struct kernel_input *input, uint32_t buffer)
{
    uint8_t own = buffer < KERNEL_BUFFERS_MAX ? input->contents[buffer] : 0;
    return own ? (enum kernel_pattern)(own - 1) : input->pattern;
}

enum kernel_kind {
    KERNEL_UNDEFINED,     /* a lane that is not in its own membermask; a membermask of 0 */
    KERNEL_DEADLOCK,      /* lanes wait for ever */
    KERNEL_UNPREDICTABLE, /* an unpredictable value is used */
    KERNEL_BARRIER,       /* an aligned block barrier by a part of a warp, or at two places; one that does not exist */
    KERNEL_RACE,          /* lanes of a warp, one shared word, no order */
    KERNEL_CONVERGENCE,   /* sm_6x and older: lanes that do not execute it together */
    KERNEL_PAIRS,         /* note: lanes at different places make one group */
    KERNEL_PARTITION,     /* note: what activemask returns changes the result */
    KERNEL_UNINITIALIZED, /* note: a register that nothing wrote */
    KERNEL_EXITED,        /* note: a block barrier that a part of a warp never reaches, having exited */
    KERNEL_KINDS
};
bool kernel_is_error(enum kernel_kind kind);
const char *kernel_kind_name(enum kernel_kind kind); /* "undefined", "deadlock", ... */

/* The use of an unpredictable value that makes it an error. */
enum kernel_use { KERNEL_BRANCHED, KERNEL_ADDRESSED, KERNEL_MASKED, KERNEL_ATOMIC, KERNEL_STORED, KERNEL_GIVEN };

/* How lanes of one warp miss each other at a block barrier. */
enum kernel_apart {
    KERNEL_APART_PART,    /* a part of the warp has come, and the others have exited (up to sm_6x) or wait elsewhere */
    KERNEL_APART_PLACES,  /* they are at different block barriers */
    KERNEL_APART_CALLS,   /* they are at one by different calls of its function; `from`: the others' call */
    KERNEL_APART_ROUND,   /* the others have gone round it: they were at `from`, which lies behind it */
    KERNEL_APART_NUMBERS, /* they give different numbers or counts of threads */
    KERNEL_APART_NO_NUMBER, /* they give a number beyond 15, */
    KERNEL_APART_NO_COUNT   /* or a count that is no multiple of 32 */
};

/* Lanes of one warp that wait at one place, or that go round in a loop for ever and are waited for. */
struct kernel_wait {
    uint32_t warp, at;    /* at: of lanes that circle, the place in the loop at which the first of them is */
    lanemask lanes, mask; /* the membermask; 0: a block barrier */
    lanemask missing;     /* lanes of the mask that are not there; of a barrier: of the warp */
    bool circles;
};
#define KERNEL_WAITS_MAX 6u

struct kernel_event {
    enum kernel_kind kind;
    uint32_t at;   /* place in the code */
    uint32_t from; /* UNPREDICTABLE: the read; RACE, BARRIER, PAIRS: the other place; else == at */
    uint32_t warp;
    lanemask lanes, others; /* others: of `from`; UNDEFINED: unused */
    lanemask mask;          /* the membermask */
    enum kernel_use use;
    enum kernel_apart apart; /* BARRIER */
    uint64_t address;        /* RACE: offset in shared memory */
    bool writes;             /* RACE: `at` writes (else it reads what `from` writes) */
    struct kernel_wait waits[KERNEL_WAITS_MAX];
    uint32_t waits_count;
};

enum kernel_ending {
    KERNEL_ENDED,     /* every thread has exited */
    KERNEL_STOPPED,   /* by an error after which nothing has a meaning */
    KERNEL_ENDLESS,   /* the limit of steps: progress not shown */
    KERNEL_TRAPPED,   /* trap or a failed assert: the input is not one that the kernel is for */
    KERNEL_UNANSWERED /* the implementation did not answer: `why` */
};

#define KERNEL_EVENTS_MAX 32u
/* What no error of the warp level is, and yet gives a kernel no one meaning: the first of an execution is kept. */
enum kernel_open {
    KERNEL_OPEN_NOTHING,
    KERNEL_OPEN_ALIGNMENT, /* an address that is no multiple of the width of the access */
    KERNEL_OPEN_PLACE,     /* outside of the launch's content (kernel_input), or of shared memory */
    KERNEL_OPEN_TARGET,    /* brx.idx, behind its list */
    KERNEL_OPEN_DIVISION,  /* of integers by 0 */
    KERNEL_OPEN_REMAINDER, /* rem of negative numbers */
    KERNEL_OPEN_24_BITS,   /* mul24, mad24 of numbers that need more */
    KERNEL_OPEN_UNIFORM,   /* bra.uni, call.uni, ret.uni: and lanes do not go together */
    KERNEL_OPEN_CLOCK
};
const char *kernel_open_text(enum kernel_open open);

struct kernel_outcome {
    enum kernel_ending ending;
    uint32_t ended_at;                             /* ENDLESS, TRAPPED: a place */
    struct kernel_event events[KERNEL_EVENTS_MAX]; /* the first of each kind and place */
    uint32_t events_count;
    uint64_t steps, lane_steps;        /* instructions of warps, of lanes */
    uint64_t wild;                     /* loads outside any buffer */
    uint64_t digest;                   /* of what global memory holds at the end, as it differs from the start */
    bool saw_activemask, saw_schedule; /* activemask with several lanes; atomics, races: the schedule may matter */
    uint64_t groups;                   /* warp-level groups that fired */
    char why[256];
    enum kernel_open open;
    uint32_t open_at; /* the instruction */
};

/*
 * Executes one entry any number of times. `impl` answers the warp instructions. Returns NULL when there is no memory.
 * The code and the implementation must live as long.
 */
struct kernel;
struct kernel *kernel_new(const struct code *code, const struct warp_impl *impl);
void kernel_free(struct kernel *kernel);
const struct code *kernel_code(const struct kernel *kernel);

/* At most `steps` instructions of warps, and beyond them as many as each warp needs to go through the code twice.
 * False: not enough memory for the launch. */
bool kernel_execute(struct kernel *kernel, const struct kernel_input *input, uint64_t steps,
                    struct kernel_outcome *outcome);

/* After kernel_execute was false: did the execution touch more memory than one may? Else there was none to be had. */
bool kernel_is_oversized(const struct kernel *kernel);

/* Bit n: has instruction n of the code been executed by any execution so far? Bytes, one an instruction. */
const uint8_t *kernel_visited(const struct kernel *kernel);
/* The same for warp instructions that a lane whose guard was true came to. */
const uint8_t *kernel_arrived(const struct kernel *kernel);

/* How much has been reached since the last call that nothing reached before: instructions; warp instructions and block
 * barriers by the kind of lanes that came, and of those that were missing. */
uint64_t kernel_news(struct kernel *kernel);
/* Calls `tell` with a number for each of these that executions since kernel_forget reached. */
void kernel_reached(struct kernel *kernel, void (*tell)(uint32_t number));
void kernel_forget(struct kernel *kernel);

#define KERNEL_THREADS_MAX 1024u

#endif
