/*
 * A generated kernel at which a peer differs from the executor: reduced, judged, kept as a finding, and asked again.
 */
#ifndef WARPCHECK_FUZZ_KERNELS_FINDING_H
#define WARPCHECK_FUZZ_KERNELS_FINDING_H

#include "check/finding.h"
#include "fuzz/kernels/culprit.h"
#include "fuzz/kernels/peer.h"
#include "kernel/finding.h"

/* Who is wrong, as far as one can tell from the answers. */
enum generated_verdict {
    VERDICT_COMPILER,       /* one level does it: another one agrees with the executor; or the text is not taken */
    VERDICT_EXECUTOR,       /* all levels leave the same, and the executor something else; or the device */
    VERDICT_IMPLEMENTATION, /* a process leaves the same each time, and the executor something else */
    VERDICT_GENERATOR, /* the answer changes from run to run: the kernel is not defined, or the device is not sound */
    VERDICT_GONE,      /* it did not come again */
    VERDICT_OPEN       /* one level alone was asked, once */
};
const char *generated_verdict_name(enum generated_verdict verdict);

struct generated_difference {
    uint64_t number;
    uint32_t levels; /* bit set: where it differs; */
    uint32_t agrees; /* where it was compared and agrees */
    unsigned level;  /* the last at which it differs, */
    enum peer_ending ending;
    char why[160];                  /* how it ended there */
    enum generated_verdict verdict; /* so far, by what was asked once at each level */
};

/* A difference, reduced. */
struct generated_finding {
    char name[160]; /* of its folder; the same for the same defect, as a rule */
    struct make_kernel kernel;
    char text[16384]; /* what is left of the kernel's; "": it was not made shorter */
    enum generated_verdict verdict;
    uint64_t asked; /* how often, for the reduction */
};

/* A finding's cause, when others are looked for that have it. */
struct generated_cause {
    struct culprit culprit;
    enum generated_verdict verdict;
    char name[160]; /* of the finding */
};
/* Of DIR/NAME/finding.txt, kept earlier; false: it tells none. */
bool generated_cause_load(const char *dir, const char *name, struct generated_cause *cause);

/*
 * Asks again, reduces the kernel while the executor calls it clean and the difference stays, and says who is wrong.
 * No step of the reduction begins after `until` (clock_seconds). False with one line when the peer could not be asked.
 */
bool generated_examine(const struct peer *peer, const struct make_suite *suite, const struct generated_difference *d,
                       unsigned most, double until, struct generated_finding *finding, struct error *error);
/* Keeps it (finding_keep), with programs that run it beside it, launch.cu and launch.c. A folder of that name and
 * verdict keeps its files. */
bool generated_keep(const struct peer *peer, const struct generated_difference *d,
                    const struct generated_finding *finding, const struct culprit *culprit, const char *dir,
                    struct finding_kept *kept, struct error *error);

/* Is the folder such a finding? */
bool generated_is_kept(const char *folder);

/*
 * Has FOLDER/kernel.ptx executed by the implementation of that name, and compares what it leaves with what the executor
 * leaves: a process (pipe:COMMAND), a plugin that executes kernels or a device executes the kernel; of others, which
 * are asked through `impl`, the executor takes the answers of warp instructions. SHOWS_ERROR: they differ; NO_VERDICT:
 * it was declined. Adds one line to `words`. False with one line: a file is missing or cannot be read, or nobody can be
 * asked.
 */
bool generated_replay(const char *folder, const char *name, const struct warp_impl *impl,
                      enum kernel_replayed *replayed, struct buffer *words, struct error *error);

#endif
