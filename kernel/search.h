/*
 * Searches for a launch and an input on which a kernel makes an error: first systematically, then at random. What it
 * finds is made as small as possible.
 */
#ifndef WARPCHECK_KERNEL_SEARCH_H
#define WARPCHECK_KERNEL_SEARCH_H

#include "kernel/params.h"

#define KERNEL_LAUNCHES_MAX 32u
#define KERNEL_FINDINGS_MAX 48u

struct kernel_range {
    bool is_set;
    int64_t low, high;
};

struct kernel_search_options {
    const struct warp_impl *impl;
    uint32_t blocks[KERNEL_LAUNCHES_MAX][3]; /* --block; none: .reqntid, else multiples of 32 */
    uint32_t blocks_count;
    uint32_t grid[3];                                    /* 0: some */
    uint32_t shared;                                     /* dynamic shared memory in bytes */
    struct kernel_range ranges[KERNEL_SLOTS_MAX];        /* one for each slot */
    struct kernel_require requires[KERNEL_REQUIRES_MAX]; /* inputs for which one does not hold are not executed */
    uint32_t requires_count;
    uint8_t contents[KERNEL_SLOTS_MAX]; /* --memory, per slot: 0, or 1 plus the pattern of its buffer */
    uint8_t variables[CODE_VARIED_MAX]; /* likewise, per variable */
    uint64_t seed;
    double seconds;      /* for the search; reducing takes as long again at most */
    uint64_t executions; /* at most; 0: no limit but time */
    uint64_t steps;      /* of warps, for one execution */
};

/* "clean exactly when n % 32 == 0", as far as the inputs that were tried tell. */
struct kernel_rule {
    enum kernel_rule_kind { RULE_NONE, RULE_MULTIPLE, RULE_BELOW, RULE_FROM, RULE_NEVER_CLEAN } kind;
    uint32_t slot;
    uint64_t number;
    uint32_t tried, clean;
};

struct kernel_finding {
    struct kernel_event event; /* on `input` */
    struct kernel_input input; /* reduced */
    uint64_t executions;       /* executions that showed it, */
    uint64_t last;             /* and the last of them, counted from 1 */
    uint32_t launches_with;    /* bit set of launches that showed it, of those that were tried */
    struct kernel_rule rule;
    bool replayed; /* the reduced input shows it once more */
    /* Only seen with contents of memory that a host may never write (kernel/contents.h): no error but a question. */
    bool is_question;
};

struct kernel_search {
    const struct code *code;
    struct kernel_slots slots;
    uint32_t launches[KERNEL_LAUNCHES_MAX][3];
    uint32_t launches_count;
    uint64_t launch_executions[KERNEL_LAUNCHES_MAX];
    uint64_t launch_ended[KERNEL_LAUNCHES_MAX];          /* those of them that came to an end, and not in a trap */
    struct kernel_finding findings[KERNEL_FINDINGS_MAX]; /* errors and notes, in the order in which they were found */
    uint32_t findings_count;
    uint64_t executions, steps, lane_steps, groups, wild;
    uint64_t oversized;        /* executions that touched more memory than is given to one: no verdict */
    uint64_t endless, trapped; /* executions that did not end; that a trap or a failed assert ended: no verdict */
    uint32_t endless_at;
    uint32_t warp_instructions, warp_instructions_seen, instructions_seen;
    double seconds;
    bool failed; /* the implementation did not answer, or no memory: `why` */
    char why[256];
};

/* False: nothing could be executed (`why`). */
bool kernel_search(const struct code *code, const struct kernel_search_options *options, struct kernel_search *search);

/* Fills in only the parameters and the launches that a search would try. */
void kernel_search_prepare(const struct code *code, const struct kernel_search_options *options,
                           struct kernel_search *search);
/* "Searches" this one input: its errors and notes, reduced, and their rules. False as above. */
bool kernel_search_input(const struct code *code, const struct kernel_search_options *options,
                         const struct kernel_input *input, struct kernel_search *search);
/* The n-th of the values of a parameter that usually tell something, for this launch. */
uint64_t kernel_telling_number(const struct kernel_slot *slot, const struct kernel_input *input, uint64_t n);

/*
 * Up to `most` inputs of the search on which the kernel ends without an error, reads nothing outside its buffers and
 * nothing that is not written, and leaves the same memory under each schedule and each activemask that is tried. The
 * launch has one block. Returns how many.
 */
uint32_t kernel_clean_inputs(const struct code *code, const struct kernel_search_options *options,
                             struct kernel_input *inputs, uint32_t most);

/* Does the input show an event of this kind at this place? */
bool kernel_shows(struct kernel *kernel, const struct kernel_input *input, uint64_t steps,
                  const struct kernel_event *wanted, struct kernel_event *event);

/* An error, and no question. */
bool kernel_finding_is_error(const struct kernel_finding *finding);
/* Is the input's memory as a host may be expected to write it, or as `options` states it? */
bool kernel_input_is_expected(const struct kernel_search_options *options, const struct kernel_slots *slots,
                              const struct kernel_input *input);
uint32_t kernel_errors(const struct kernel_search *search);
/* True when no execution ended in a way that allows a verdict: neither error nor clean. */
bool kernel_is_unknown(const struct kernel_search *search);

#endif
