/*
 * Claims about a part of a kernel: from the registers at one place of its text to those at another.
 *
 *     //! section NAME
 *     //! input %f5 f32                              (what else may stand here: docs/programs.md, "Lines")
 *     ... instructions ...
 *     //! claim %f7 = reduce add of %f5 lanes 0x1
 *     //! end
 *
 * A section becomes a program (ptx/program.h): the straight line that lanes execute which come to its first line
 * together, up to the first time that they come to its last. A branch is followed where its guard is a constant there.
 * A register that is read before the section writes it is what the code above made of constants, %laneid and
 * %tid.x & 31 (which then is the lane); else it is an input: any value in each lane. What does not belong to a program
 * (loads, other types) may stand in a section as long as nothing in it reads the result.
 *
 * Source: docs/kernels.md, "Claims".
 */
#ifndef WARPCHECK_KERNEL_SECTION_H
#define WARPCHECK_KERNEL_SECTION_H

#include "base/error.h"
#include "ptx/program.h"

#define SECTION_NAME_MAX 63u

struct section {
    char name[SECTION_NAME_MAX + 1];
    uint32_t function;       /* of the module of `text` */
    uint32_t line, end_line; /* in the text */
    struct program *program; /* its lines are those of the text; NULL: `why` */
    bool lane_is_tid;        /* %tid.x & 31 was taken for the lane */
    char why[256];           /* why it is no program, one clause with its line */
};

struct sections {
    struct section *items;
    size_t count, room;
};

/*
 * Finds the sections of a module's text, in its order. False with one clause in `error` when the text cannot be read or
 * a section has no end. A section that is not a straight line has no program and says why. sections_free afterwards, in
 * either case.
 */
bool sections_read(const char *text, size_t size, struct sections *sections, struct error *error);
void sections_free(struct sections *sections);

#endif
