/*
 * The state of a block in execution. step.c executes what a lane does by itself, meet.c what lanes of a warp do
 * together, barrier.c what a block does together, block.c says who goes on.
 */
#ifndef WARPCHECK_KERNEL_EXEC_BLOCK_H
#define WARPCHECK_KERNEL_EXEC_BLOCK_H

#include "base/random.h"
#include "kernel/exec/memory.h"
#include "kernel/exec/race.h"

#define BLOCK_WARPS_MAX   (KERNEL_THREADS_MAX / WARP_LANES)
#define BLOCK_BARRIERS    16u
#define BLOCK_ORIGINS_MAX 4096u
#define BLOCK_REACHED     8192u /* bytes */

/* Every lane of a warp is in exactly one of running, waiting, blocked, exited. */
struct warp {
    struct kernel *kernel;
    uint32_t number;
    uint64_t *rows;                 /* [code->rows][WARP_LANES] */
    lanemask *tainted;              /* per row: lanes in which it is unpredictable */
    lanemask *unset;                /* per row: lanes in which nothing wrote it */
    uint16_t (*origin)[WARP_LANES]; /* per row: where an unpredictable value was read, index of kernel->origins */
    uint32_t pc[WARP_LANES];
    lanemask running;
    lanemask waiting;             /* at a .sync instruction */
    lanemask blocked;             /* at a block barrier */
    lanemask exited;              /* also lanes that do not exist */
    lanemask ended;               /* of these: at the end of the entry; of a piece, which goes on: not exited */
    uint32_t member[WARP_LANES];  /* waiting: the membermask */
    uint32_t barrier[WARP_LANES]; /* blocked: its number */
    uint8_t *frames;              /* [WARP_LANES][code->frame_bytes] */
    uint16_t *frame_taint;        /* likewise, origins of bytes */
    bool frame_is_tainted;
    uint32_t (*returns)[WARP_LANES]; /* per function of the code: place of the call */
    uint32_t (*passed)[WARP_LANES];  /* per count of the code (passes): how often the lane has come there */
    uint64_t turn;                   /* instructions since lanes that are ahead had theirs */
    uint32_t from;                   /* only lanes from this place on have their turn now */
    uint32_t poll_at;                /* where lanes read what others write, last */
    uint64_t poll_version;           /* of memory then */
    unsigned polls;                  /* how often they did there, with nothing written since */
    lanemask stalled;                /* lanes that did so, all that ran, when the warp had its last turn */
    lanemask stepped, polled;        /* circle.c: lanes that have executed something, that have polled shared memory */
    struct race race;
};

/* circle.c: when to look whether running lanes only go round, and the state at that moment: of one lane, or of all. */
struct circle {
    uint64_t next, probe, digest;
    bool is_whole;
    unsigned running; /* lanes that ran then */
    unsigned rounds;  /* that are left of this watch; 0: none is on */
};

struct barrier {
    uint32_t count;   /* threads that it is for; 0: all */
    uint32_t arrived; /* threads that have arrived and gone on */
    bool waits;       /* a thread waits at it */
};

/*
 * What somebody who executes registers and not memory wants to do and know (kernel/run/). With it, computing from an
 * unpredictable value always gives one, and an unpredictable b or c of a warp instruction ends the execution.
 */
struct kernel_watch {
    void *context;
    void (*start)(void *context, struct warp *w); /* before the first instruction: sets registers and lanes */
    /* Lanes read a row that is unpredictable there. */
    void (*used)(void *context, struct warp *w, uint32_t at, uint32_t row, lanemask lanes);
    /* Lanes have the results of their warp instruction in their registers, and are still at it. */
    void (*answered)(void *context, struct warp *w, lanemask lanes);
};

struct kernel {
    const struct code *code;
    const struct kernel_watch *watch; /* or NULL */
    const struct warp_impl *impl;
    const struct kernel_input *input;
    struct kernel_outcome *outcome;
    struct memory memory;
    struct warp *warps[BLOCK_WARPS_MAX];
    uint32_t warps_made, warps_count, threads;
    struct barrier barriers[BLOCK_BARRIERS];
    uint32_t origins[BLOCK_ORIGINS_MAX]; /* places; [0] is none */
    uint32_t origins_count;
    uint32_t target;
    uint64_t heap; /* of malloc */
    uint64_t steps_left;
    struct circle circle;
    struct random random;
    bool stop;
    uint8_t *visited, *arrived;
    uint64_t visited_count, news; /* reach.c */
    uint8_t reached[BLOCK_REACHED];
};

static inline uint64_t *warp_row(struct warp *w, uint32_t row)
{
    return w->rows + (size_t)row * WARP_LANES;
}

/* Adds the event unless one of its kind, place and origin is there. An error after which nothing has a meaning stops
 * the execution. */
void kernel_add_event(struct kernel *kernel, const struct kernel_event *event);
void kernel_stop(struct kernel *kernel, enum kernel_ending ending, uint32_t at);

/* step.c: runs lanes of the warp until none can go on, or the given number of instructions is done. */
void warp_run(struct warp *w, uint64_t quantum);
/* Notes that lanes read a register that nothing wrote, which then has a value. */
void warp_note_unset(struct warp *w, uint32_t at, uint32_t row, lanemask lanes);
/* An unpredictable value has arrived where it must not. */
void warp_report_use(struct warp *w, uint32_t at, uint32_t row, lanemask lanes, enum kernel_use use);
void warp_taint(struct warp *w, uint32_t row, unsigned lane, uint16_t origin);
uint16_t kernel_origin(struct kernel *kernel, uint32_t at);

/* meet.c: lanes arrive at a warp-level instruction. They wait, or go on with their results. */
void warp_arrive(struct warp *w, uint32_t at, lanemask lanes);
/* Lanes have exited: groups may be complete now. */
void warp_recheck(struct warp *w);
/* What the implementation says of these lanes, all at one form, as if they executed it together. False: no answer. */
bool warp_ask(struct warp *w, lanemask lanes, struct warp_result *r);

/* reach.c: these lanes are at a warp instruction or a block barrier together, and those are missing. */
void kernel_reach(struct kernel *kernel, uint32_t at, lanemask here, lanemask missing);

/* circle.c: at the start, and after each round of the warps. */
enum circle_kind {
    CIRCLE_OPEN,
    CIRCLE_DEADLOCK, /* lanes wait for lanes that will do for ever what they do now */
    CIRCLE_ENDLESS   /* all lanes that run will, unless another block changes something */
};
void circle_start(struct kernel *kernel);
enum circle_kind circle_look(struct kernel *kernel);

/* barrier.c: the same for block barriers. */
void barrier_arrive(struct warp *w, uint32_t at, lanemask lanes);
void barrier_recheck(struct kernel *kernel);
/* Reports that nobody can go on although not all have exited: which lanes wait for which. */
void kernel_report_deadlock(struct kernel *kernel);

#endif
