/*
 * Who else executes or compiles generated kernels: the first CUDA device; ptxas, which only compiles; or a process
 * (process.c) or a plugin (plugin.c) of the user's.
 */
#ifndef WARPCHECK_FUZZ_KERNELS_PEER_H
#define WARPCHECK_FUZZ_KERNELS_PEER_H

#include "check/impl/impl.h"
#include "gpu/launch.h"
#include "kernel/make/make.h"

#define KERNEL_FILE_MOST ((size_t)64 << 20) /* bytes of a finding's file, or of a recording */
uint64_t kernel_digest(const void *data, size_t size);

#define PEER_LEVELS 5u                 /* of the optimizer, at most */
#define PEER_OLDEST WARP_TARGET(75, 0) /* ptxas knows no target below it: older ones are assembled for that one */

enum peer_ending {
    PEER_RETURNED,
    PEER_HUNG,     /* no end within the limit: of the kernel, of ptxas, or of the process */
    PEER_FAULTED,  /* the device, the driver, ptxas or the process ended in an error or a signal: `why` */
    PEER_REFUSED,  /* the text was not taken: `why` */
    PEER_DECLINED, /* the process does not take such kernels, and says so: `why`. Not compared, and no fault */
    PEER_UNASKED   /* too many before it hung or faulted (gpu/launch.h), or the time was over. Not compared */
};
const char *peer_ending_name(enum peer_ending ending); /* "hung", ... */

/* One kernel at one level. Those of one module stand together. */
struct peer_ask {
    const struct make_kernel *kernel;
    const char *module; /* 0-terminated; kernels with the same pointer are of one module */
    const char *entry;
    unsigned level; /* 0 .. levels_count - 1 */
    const uint8_t *before;
    uint8_t *after; /* RETURNED: what it left */
    enum peer_ending ending;
    char why[160];
};

struct peer {
    const char *name;
    struct launch_past *past; /* of the device's launches in all processes; NULL: each question is the first */
    bool all;                 /* all are asked, however many launches are lost */
    bool gives_memory;        /* else it only compiles */
    bool alone;               /* each kernel is asked in a module of its own */
    unsigned levels[PEER_LEVELS], levels_count;
    bool here;           /* ask the device in this process (launch_here) */
    double limit;        /* seconds, for a launch, a module, or an answer */
    bool hurried;        /* it is asked about parts of a kernel at which it hung */
    double until;        /* on clock_seconds(): whom each question may cost so long is not asked later; 0: no end */
    const char *option;  /* the name by which it was found */
    const char *program; /* ptxas, the command of the process, or the plugin's file */
    void (*end)(void);   /* what it started; NULL: nothing */
    /* Asks many; NULL: `one` after the other. Both as peer_ask. */
    bool (*ask)(const struct peer *peer, struct peer_ask *asks, uint32_t count, struct gpu_info *info,
                struct error *error);
    bool (*one)(const struct peer *peer, struct peer_ask *ask, struct error *error);
};

/* What a process or a plugin has done so far, and so how long its next answer is waited for. */
struct patience {
    unsigned hangs;
    bool has_answered;
    double slowest; /* answer, in seconds */
};
/* At most peer->limit: less where answers have come quickly, the more so when it has hung, or hangs are many. */
double patience_seconds(const struct patience *patience, const struct peer *peer);
/* It has answered, after so many seconds. */
void patience_learn(struct patience *patience, double seconds);

/* The peer of that name, one at a time. False with one line: there is none, or what is so named answers no kernels. */
bool peer_find(const char *option, struct peer *peer, struct error *error);
/* Asks. False with one line: nobody can be asked. WARPCHECK_GPU_PLANT plants a defect in what is asked (make_plant). */
bool peer_ask(const struct peer *peer, struct peer_ask *asks, uint32_t count, struct gpu_info *info,
              struct error *error);
/* Did it answer otherwise than the executor: no return, or other memory? One that was declined or not asked does not.
 */
bool peer_differs(const struct peer *peer, const struct made *made, const struct peer_ask *ask);
/* Is the time over for asking it (`until`)? */
bool peer_is_late(const struct peer *peer);
/* Does a process or a plugin only hang, as far as it was asked? Each time costs seconds, and tells nothing new. */
bool peer_only_hangs(const struct peer *peer);
/* Call it before the end of a process that asked: what it started can end in order. */
void peer_end(const struct peer *peer);
/* Sets the levels that "0,1,4" names; false: it names none, or some that there are not (0 to 4; ptxas: 0 to 3). */
bool peer_set_levels(struct peer *peer, const char *text);
/* Sets all that there are, where there are levels. */
void peer_set_all_levels(struct peer *peer);
/* " at level 4"; "" where there are no levels. */
const char *peer_level_words(const struct peer *peer, unsigned level, char words[32]);

/* ---- a process, a plugin of the user's ---- */

/* Asks the process that `peer->program` starts, or the plugin at that path. It lives as long as this process does:
 * after a fault or a hang another one is started. False only when none can be started or loaded. */
bool peer_process_ask(const struct peer *peer, struct peer_ask *ask, struct error *error);
bool peer_plugin_ask(const struct peer *peer, struct peer_ask *ask, struct error *error);
/* How it ended; `why` need be no text, nor end with a zero byte within the room for it. */
void peer_ended(struct peer_ask *ask, enum peer_ending ending, const char *why);

/* Ends it, if there is one: the input of a process ends, and it has two seconds to tidy up. */
void peer_process_end(void);
void peer_plugin_end(void);

#endif
