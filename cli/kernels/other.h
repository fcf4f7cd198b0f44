/*
 * Who else executes or compiles generated kernels: the first CUDA device; ptxas, which only compiles; or a process or a
 * plugin of the user's.
 */
#ifndef WARPCHECK_CLI_KERNELS_OTHER_H
#define WARPCHECK_CLI_KERNELS_OTHER_H

#include "gpu/launch.h"
#include "kernel/make/make.h"

#define OTHER_LEVELS 5u                 /* of the optimizer, at most */
#define OTHER_OLDEST WARP_TARGET(75, 0) /* ptxas knows no target below it: older ones are assembled for that one */

enum other_ending {
    OTHER_RETURNED,
    OTHER_HUNG,     /* no end within the limit: of the kernel, of ptxas, or of the process */
    OTHER_FAULTED,  /* the device, the driver, ptxas or the process ended in an error or a signal: `why` */
    OTHER_REFUSED,  /* the text was not taken: `why` */
    OTHER_DECLINED, /* the process does not take such kernels, and says so: `why`. Not compared, and no fault */
    OTHER_UNASKED   /* too many before it hung or faulted (gpu/launch.h), or the time was over. Not compared */
};
const char *other_ending_name(enum other_ending ending); /* "hung", ... */

/* One kernel at one level. Those of one module stand together. */
struct other_ask {
    const struct make_kernel *kernel;
    const char *module; /* 0-terminated; kernels with the same pointer are of one module */
    const char *entry;
    unsigned level; /* 0 .. levels_count - 1 */
    const uint8_t *before;
    uint8_t *after; /* RETURNED: what it left */
    enum other_ending ending;
    char why[160];
};

struct other {
    const char *name;
    struct launch_past *past; /* of the device's launches in all processes; NULL: each question is the first */
    bool all;                 /* all are asked, however many launches are lost */
    bool gives_memory;        /* else it only compiles */
    bool alone;               /* each kernel is asked in a module of its own */
    unsigned levels[OTHER_LEVELS], levels_count;
    bool here;           /* ask the device in this process (launch_here) */
    double limit;        /* seconds, for a launch, a module, or an answer */
    bool hurried;        /* it is asked about parts of a kernel at which it hung */
    double until;        /* on clock_seconds(): whom each question may cost so long is not asked later; 0: no end */
    const char *program; /* ptxas, the command of the process, or the plugin's file */
    const char *full;    /* the name with which it is found again from any folder */
    void (*end)(void);   /* what it started; NULL: nothing */
    bool (*ask)(const struct other *other, struct other_ask *asks, uint32_t count, struct gpu_info *info,
                struct error *error); /* by other_ask */
};

/* What a process or a plugin has done so far, and so how long its next answer is waited for. */
struct patience {
    unsigned hangs;
    bool has_answered;
    double slowest; /* answer, in seconds */
};
/* At most other->limit: less where answers have come quickly, the more so when it has hung, or hangs are many. */
double patience_seconds(const struct patience *patience, const struct other *other);
/* It has answered, after so many seconds. */
void patience_learn(struct patience *patience, double seconds);

/* "gpu", "ptxas", "pipe:COMMAND" or "FILE.so"; false: it is none. WARPCHECK_PTXAS names another ptxas than that in
 * PATH. */
bool other_find(const char *name, struct other *other);
/* Does it name a plugin whose file has the function for kernels? And does it answer single instructions too? */
bool other_is_kernel_plugin(const char *name, bool *answers_instructions);
/* Asks. False with one line: nobody can be asked. WARPCHECK_GPU_PLANT plants a defect in what is asked (make_plant). */
bool other_ask(const struct other *other, struct other_ask *asks, uint32_t count, struct gpu_info *info,
               struct error *error);
/* Is the time over for asking it (`until`)? */
bool other_is_late(const struct other *other);
/* Does a process or a plugin only hang, as far as it was asked? Each time costs seconds, and tells nothing new. */
bool other_only_hangs(const struct other *other);
/* Call it before the end of a process that asked: what it started can end in order. */
void other_end(const struct other *other);
/* Sets the levels that "0,1,4" names; false: it names none, or some that there are not (0 to 4; ptxas: 0 to 3). */
bool other_set_levels(struct other *other, const char *text);
/* Sets all that there are, where there are levels. */
void other_set_all_levels(struct other *other);
/* " at level 4"; "" where there are no levels. */
const char *other_level_words(const struct other *other, unsigned level, char words[32]);

#endif
