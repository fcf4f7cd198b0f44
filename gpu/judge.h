/*
 * Compares ptxas, instruction by instruction, with warp_legal(): which forms does it accept?
 *
 * A verdict is a bit for each form and destination; a map holds the verdicts for all PTX versions and targets of the
 * tables. Maps are kept as text (corpus/recordings/ptxas-*.md), so that the comparison needs no ptxas.
 */
#ifndef WARPCHECK_GPU_JUDGE_H
#define WARPCHECK_GPU_JUDGE_H

#include "base/error.h"
#include "warpcheck/form.h"

#define JUDGE_TARGETS  64u
#define JUDGE_VERSIONS 64u
#define JUDGE_COMBOS   ((unsigned)WARP_FORMS * WARP_DST_COUNT)

/* Bit i: form i / WARP_DST_COUNT with destination i % WARP_DST_COUNT is accepted. */
struct judge_verdict {
    bool known; /* ptxas was asked and answered */
    uint8_t bits[(JUDGE_COMBOS + 7) / 8];
};

struct judge_map {
    char assembler[128];                                          /* "release 13.0, V13.0.88" */
    struct judge_verdict verdicts[JUDGE_TARGETS][JUDGE_VERSIONS]; /* by index of warp_target_get and warp_ptx_get */
};

bool judge_bit(const struct judge_verdict *v, uint32_t form, uint32_t dst);

/* Walks over all verdicts that differ from judge_expected, in versions that this ptxas knows. Returns how many there
 * are. */
typedef void (*judge_difference_fn)(void *context, const struct warp_form_info *info, uint32_t dst, uint16_t ptx,
                                    const struct warp_target_info *target, bool expected);
unsigned judge_differences(const struct judge_map *map, judge_difference_fn report, void *context);

/* The version of a ptxas, or false with one line in `error` when it cannot be run. */
bool judge_version(const char *ptxas, char *version, size_t size, struct error *error);

/*
 * Asks ptxas about every form and destination for one PTX version and target: first all in one text, whose errors name
 * lines, then the accepted ones again through code generation. False with one clause in `error` when it could not be
 * asked; `known` is false when it does not take this PTX version or target at all.
 */
bool judge_ask(const char *ptxas, uint16_t ptx, uint32_t target, struct judge_verdict *v, struct error *error);

/* Text form of a map; equal neighbours are one line. judge_read returns false with a clause that names the line. */
size_t judge_write(const struct judge_map *map, char *buf, size_t size);
bool judge_read(const char *text, struct judge_map *map, struct error *error);

#endif
