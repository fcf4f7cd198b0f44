/*
 * Kernels that are defined by construction, drawn at random (docs/kernel-suite.md).
 *
 * A kernel is a tree of statements. Each is drawn from the seed and the kernel's number alone, so that any kernel of a
 * suite can be made again by itself; and each keeps a salt of its own for its details, so that it stays the same text
 * when others are left out. What is written for it never depends on the order in which lanes or warps run: wherever a
 * statement stands, the lanes that are there are known in a register, and every membermask is made of these.
 *
 * The executor has the last word: who uses a kernel asks make_execute first, and leaves out what it does not call
 * clean.
 *
 * draw.c draws, write.c, arithmetic.c and host.c write PTX, execute.c executes, reduce.c makes a kernel smaller,
 * plant.c plants defects.
 */
#ifndef WARPCHECK_KERNEL_MAKE_MAKE_H
#define WARPCHECK_KERNEL_MAKE_MAKE_H

#include "base/buffer.h"
#include "check/reduce.h"
#include "kernel/kernel.h"

enum make_place {
#define MAKE_PLACE(id, ...) MAKE_##id,
#include "kernel/make/make.def"
#undef MAKE_PLACE
    MAKE_PLACES
};
enum make_mask {
#define MAKE_MASK(id, ...) MAKE_MASK_##id,
#include "kernel/make/make.def"
#undef MAKE_MASK
    MAKE_MASKS
};
enum make_missing {
#define MAKE_MISSING(id, ...) MAKE_##id,
#include "kernel/make/make.def"
#undef MAKE_MISSING
    MAKE_MISSINGS
};
enum make_idiom {
#define MAKE_IDIOM(id, ...) MAKE_IDIOM_##id,
#include "kernel/make/make.def"
#undef MAKE_IDIOM
    MAKE_IDIOMS
};

/* ---- features ---- */

/* What one warp instruction of a kernel shows; `missing` is a bit set. */
struct make_feature {
    enum warp_form form;
    enum make_place place;
    enum make_mask mask;
    enum make_idiom idiom;
    uint32_t missing;
    uint32_t from, to; /* the lines of the text that stand for it, from 1 on */
    bool is_reached;   /* made_set: a lane came to it */
};

#define MAKE_AXES 5u /* form, place, mask, missing, idiom */
#define MAKE_PAIR_VALUES                                                                                               \
    ((unsigned)WARP_FORMS + (unsigned)MAKE_PLACES + (unsigned)MAKE_MASKS + (unsigned)MAKE_MISSINGS +                   \
     (unsigned)MAKE_IDIOMS)
/* Which pairs of values of two axes were met. Values are numbered through all axes. */
struct make_coverage {
    uint32_t target;
    bool possible[MAKE_PAIR_VALUES][MAKE_PAIR_VALUES]; /* [smaller][larger]: a kernel for the target can show it */
    uint64_t seen[MAKE_PAIR_VALUES][MAKE_PAIR_VALUES]; /* warp instructions that lanes came to did */
};

void make_coverage_start(struct make_coverage *coverage, uint32_t target);
/* Those that no lane comes to are left out. */
void make_coverage_add(struct make_coverage *coverage, const struct make_feature *feature);
/* Of the possible pairs; *seen of them were met. */
unsigned make_coverage_count(const struct make_coverage *coverage, unsigned *seen);
/* "vote.sync.all.pred x loop-exit" of the n-th possible pair that was not met; false: there are not as many. */
bool make_coverage_unseen(const struct make_coverage *coverage, unsigned n, char *text, size_t size);

/* What a statement is called by where it stands, its membermask and what is around it ("switch", "ballot", "tail"), as
 * far as that is special. Returns how many. */
#define MAKE_NODE_WORDS 3u
struct make_node;
unsigned make_node_words(const struct make_node *node, const char *words[MAKE_NODE_WORDS]);

/* "redux.sync.add.s32-if-data-tile-plain" */
void make_feature_name(const struct make_feature *feature, char *text, size_t size);

/* ---- a kernel ---- */

enum make_kind { MAKE_COMPUTE, MAKE_EXIT, MAKE_CONTROL, MAKE_HOST };

/* A statement; `body`, `other` and `next` are numbers of nodes, 0: none. */
struct make_node {
    enum make_kind kind;
    enum make_place place; /* CONTROL; HOST: MEET, GUARD, or TOP for neither */
    enum warp_form form;   /* HOST, and the next two */
    enum make_mask mask;
    enum make_idiom idiom;
    uint32_t salt;
    uint16_t body, other, next;
};

#define MAKE_NODES    96u
#define MAKE_FEATURES 128u
#define MAKE_IN       4u  /* words of input a thread has */
#define MAKE_OUT      8u  /* words that a thread leaves */
#define MAKE_SUMS     16u /* words of a block for atomic operations */

/* How much stands around the warp instruction that a kernel is made for. */
enum make_size {
    MAKE_LARGE, /* 120 lines of PTX, as a rule: other statements before, behind and around it */
    MAKE_SMALL, /* half of it: little else */
    MAKE_MIXED, /* to draw: one in 32 is large, the others are small */
    MAKE_WIDE,  /* as large; arithmetic of all kinds */
    MAKE_TINY   /* nothing else, and mostly the plainest of what its pair of features leaves open */
};
/* "tiny", "small", "mixed", "large", "wide"; false: it is none. */
bool make_size_find(const char *name, enum make_size *size);
const char *make_size_name(enum make_size size);

struct make_kernel {
    uint64_t seed, number;
    uint32_t target;
    enum make_size size;                /* not MIXED */
    uint16_t ptx;                       /* version, times ten */
    uint32_t block, grid, n;            /* one dimension; the scalar parameter */
    uint32_t inputs;                    /* kinds of input words, a byte for each of a thread's words */
    uint32_t zeroed;                    /* bit set of a thread's words whose input is zero: by reduction */
    struct make_node nodes[MAKE_NODES]; /* [0] is none */
    uint32_t nodes_count;
    uint16_t root;
};

/* What is drawn: each of its kernels is a number. */
struct make_suite {
    uint64_t seed;
    uint32_t target; /* of the table */
    enum make_size size;
};
/* The number-th kernel of the suite. False: no form of the table is legal for the target. */
bool make_draw(const struct make_suite *suite, uint64_t number, struct make_kernel *kernel);

/* The directives at the head of a module. */
void make_write_head(const struct make_kernel *kernel, struct buffer *out);
/* One kernel: its variables, functions and entry, whose names begin with its name. Writes its features, at most
 * MAKE_FEATURES, to `features` (may be NULL). */
void make_write(const struct make_kernel *kernel, struct buffer *out, struct make_feature *features, unsigned *count);
/* The entry: "k" and the number. */
#define MAKE_NAME_MAX 32u
void make_name(const struct make_kernel *kernel, char name[MAKE_NAME_MAX]);

/*
 * The memory behind the pointer parameter, in bytes: MAKE_IN words of input for each thread of the grid, then MAKE_OUT
 * words of output for each, then MAKE_SUMS words for each block.
 */
uint32_t make_memory_size(const struct make_kernel *kernel);
void make_memory(const struct make_kernel *kernel, uint8_t *memory);

/* ---- execution ---- */

enum make_verdict {
    MAKE_CLEAN,
    MAKE_WRONG,     /* an error: `event` */
    MAKE_UNSETTLED, /* the memory depends on the schedule or on activemask */
    MAKE_ENDLESS,   /* more than the limit of steps */
    MAKE_UNREAD,    /* the reader or the executor refuses the text: `error` */
    MAKE_VERDICTS
};
const char *make_verdict_name(enum make_verdict verdict);

struct make_answer {
    enum make_verdict verdict;
    struct kernel_event event;
    uint32_t line;   /* of the error, in the text */
    uint64_t groups; /* warp instructions that were answered, in one execution */
    uint64_t steps;
    struct error error; /* UNREAD */
};

/* The launch as an input of the executor, for its first block. `before` must live as long. */
void make_input(const struct make_kernel *kernel, const uint8_t *before, struct kernel_input *input);

/*
 * Executes an entry with the parameters and the launch of a kernel (the text need not be the kernel's own): each block
 * from `before`, and puts together in `after` what they leave. `checked`: also in other schedules and with other
 * partitions for activemask, which must leave the same. False only when there is no memory.
 */
bool make_execute(const struct make_kernel *kernel, const char *text, size_t size, const char *entry,
                  const struct warp_impl *impl, bool checked, const uint8_t *before, uint8_t *after,
                  struct make_answer *answer);

/* A kernel with all that belongs to it. */
struct made {
    struct make_kernel kernel;
    char name[MAKE_NAME_MAX];
    struct buffer text; /* a module of its own; */
    size_t head;        /* the directives end here */
    uint32_t size;      /* of its memory */
    uint8_t *before, *after;
    struct make_answer answer;
    struct make_feature features[MAKE_FEATURES];
    unsigned features_count;
};
/* Writes the kernel and executes it. False only when there is no memory. Free it in any case. */
bool made_set(struct made *made, const struct make_kernel *kernel, const struct warp_impl *impl);
/* The same with a text that is not the kernel's own; it has no features. */
bool made_set_text(struct made *made, const struct make_kernel *kernel, const char *text, const struct warp_impl *impl);
void made_free(struct made *made);

/* ---- reduction ---- */

/* Leaves a statement out, with all that is in it. */
void make_leave_out(struct make_kernel *kernel, uint16_t node);

/* Does the smaller kernel still show what is looked for? It is asked about kernels that need not be clean. */
typedef bool (*make_test)(void *context, const struct make_kernel *kernel);
/* Leaves out statements, puts bodies in the place of branches and loops, makes the launch and the inputs plain, while
 * `test` holds. */
void make_reduce(struct make_kernel *kernel, make_test test, void *context, struct reduction *limits);

/* Does the text still show it? It need be no PTX. */
typedef bool (*make_text_test)(void *context, const char *text);
/* Leaves out lines of a kernel's text, branches with their labels and guards, while `test` holds: what statements
 * cannot be without, and what the launch does not come to. */
void make_reduce_text(struct buffer *text, make_text_test test, void *context, struct reduction *limits);

/* ---- defects planted on purpose, to measure a comparison ---- */

/* "@merge-branches", ...: what compilers do wrong; NULL: no more. */
const char *make_plant_name(unsigned n);
/* Is it such a name, or TEXT=OTHER? */
bool make_plant_is_known(const char *plant);
/* The text of a module of generated kernels with the defect, or with OTHER in the place of each TEXT; to be freed.
 * NULL: it is not known, or there is no memory. */
char *make_plant(const char *module, const char *plant);

#endif
