/*
 * A kernel's error as a finding (check/finding.h): written as a folder with kernel.ptx and launch.txt, and executed
 * again from there.
 */
#ifndef WARPCHECK_KERNEL_FINDING_H
#define WARPCHECK_KERNEL_FINDING_H

#include "base/buffer.h"
#include "check/finding.h"
#include "kernel/search.h"

/* The finding of an error that a search found, with its texts; `text` is the module's PTX. The finding may be used
 * until kernel_finding_free. */
struct kernel_finding_texts {
    char name[FINDING_SIGNATURE_MAX];
    struct buffer what, more, launch;
};
bool kernel_finding_make(const struct kernel_search *search, const struct kernel_finding *found, const char *text,
                         size_t size, uint64_t steps, struct kernel_finding_texts *texts, struct finding *f);
void kernel_finding_free(struct kernel_finding_texts *texts);

/*
 * Keeps an error that a search found below `dir`. `text` is the module's PTX, `steps` the limit of an execution. False
 * with one line when it cannot be written.
 */
bool kernel_finding_keep(const struct kernel_search *search, const struct kernel_finding *f, const char *text,
                         size_t size, uint64_t steps, const char *dir, struct finding_kept *kept, struct error *error);

/* What a finding's folder holds: a module, its entry made ready, and the launch. */
struct kernel_launch {
    char *text; /* of the module */
    size_t size;
    struct module *module;
    struct code *code;
    struct kernel_slots slots;
    struct kernel_input input;
    uint64_t steps;
    uint8_t *content; /* of the input, when launch.txt has it; owned */
    bool is_compared; /* a finding of what the kernel leaves: it differs when it is compiled at this */
    unsigned level;   /* of the optimizer */
};
/* Both false with one line: a file is missing or cannot be read. kernel_launch_close in any case. The second makes an
 * entry of a text ready (`path` is what errors call it); the input is the caller's to set. */
bool kernel_launch_open(const char *folder, struct kernel_launch *launch, struct error *error);
bool kernel_launch_make(const char *text, size_t size, const char *path, const char *entry,
                        struct kernel_launch *launch, struct error *error);
/* What launch.txt says of it. */
void kernel_launch_text(const struct kernel_launch *launch, struct buffer *out);
void kernel_launch_close(struct kernel_launch *launch);

enum kernel_replayed {
    KERNEL_SHOWS_ERROR,   /* the launch shows an error */
    KERNEL_SHOWS_NOTHING, /* it ends without one */
    KERNEL_NO_VERDICT     /* it does not end, or ends in a trap: neither an error nor clean */
};

/*
 * Executes the launch of FOLDER/launch.txt on FOLDER/kernel.ptx, and adds what it shows to `words`, in one line, and
 * the drawings of its errors to `drawn`. False with one line: a file is missing or cannot be read, or `impl` does not
 * answer.
 */
bool kernel_finding_replay(const char *folder, const struct warp_impl *impl, enum kernel_replayed *replayed,
                           struct buffer *words, struct buffer *drawn, struct error *error);

#endif
