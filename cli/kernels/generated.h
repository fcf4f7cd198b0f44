/*
 * Generated kernels over the executor and over somebody else: what is compared, a difference and what is wrong in it,
 * and recordings of answers.
 */
#ifndef WARPCHECK_CLI_KERNELS_GENERATED_H
#define WARPCHECK_CLI_KERNELS_GENERATED_H

#include "base/file.h"
#include "cli/kernels/other.h"

/* Did this answer differ from the executor's: no return, or other memory? */
bool generated_differs(const struct other *other, const struct made *made, const struct other_ask *ask);

/* ---- recordings ---- */

/*
 * A recording is a text: comments, "suite seed=S target=T", and one line a kernel:
 *
 *     NUMBER TEXT MEMORY LEVEL LEVEL
 *
 * digests of the kernel's text, of the memory that the executor left, and of that which the device left when the driver
 * compiled it at the least and at the greatest level; 0 when it did not return.
 */
struct generated_line {
    uint64_t number, text, expected, memory[OTHER_LEVELS];
};
uint64_t generated_digest(const void *data, size_t size);
/* All but the device's. */
void generated_line_set(struct generated_line *line, const struct made *made);
void generated_line_text(const struct generated_line *line, struct buffer *out);

struct generated_recording {
    char device[256];
    uint64_t seed;
    uint32_t target;
    struct generated_line *lines;
    size_t count;
};
/* False with one line. Free it in any case. */
bool generated_load(const char *path, struct generated_recording *recording, struct error *error);
void generated_free(struct generated_recording *recording);

/* ---- differences ---- */

struct generated_difference {
    uint64_t number;
    unsigned level;
    enum other_ending ending;
    char why[160];
};

/* Who is wrong, as far as one can tell from the answers. */
enum generated_verdict {
    VERDICT_COMPILER,  /* one level does it: the other one agrees with the executor; or the text is not taken */
    VERDICT_EXECUTOR,  /* all levels leave the same, and the executor something else; or the device */
    VERDICT_GENERATOR, /* the answer changes from run to run: the kernel is not defined, or the device is not sound */
    VERDICT_GONE       /* it did not come again */
};
const char *generated_verdict_name(enum generated_verdict verdict);

/* A difference, reduced. */
struct generated_finding {
    char name[160]; /* of its folder; the same for the same defect, as a rule */
    struct make_kernel kernel;
    enum generated_verdict verdict;
    unsigned asked;              /* how often, for the reduction */
    struct make_feature feature; /* the last warp instruction of the reduced kernel; */
    bool has_feature;            /* false: it has none */
};
/*
 * Asks again, reduces the kernel while the executor calls it clean and the difference stays, and says who is wrong.
 * No step of the reduction begins after `until` (clock_seconds). False with one line when the other could not be asked.
 */
bool generated_examine(const struct other *other, uint64_t seed, uint32_t target, const struct generated_difference *d,
                       unsigned most, double until, struct generated_finding *finding, struct error *error);
/* May this difference, which nobody has looked at, be the same as the finding: the same level and ending, and the
 * kernel has such an instruction in such a place? */
bool generated_is_like(const struct generated_difference *d, uint64_t seed, uint32_t target,
                       const struct generated_difference *of, const struct generated_finding *finding);
/* Writes kernel.ptx, launch.cu and launch.c (programs that run it), finding.txt below DIR/NAME. */
bool generated_keep(const struct other *other, const struct generated_difference *d,
                    const struct generated_finding *finding, const char *dir, char path[FILE_PATH_MAX],
                    struct error *error);

#endif
