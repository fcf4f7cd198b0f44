/*
 * What the files of kernel/make/ share: the state of a kernel's text while it is written.
 */
#ifndef WARPCHECK_KERNEL_MAKE_MAKE_INTERNAL_H
#define WARPCHECK_KERNEL_MAKE_MAKE_INTERNAL_H

#include "base/random.h"
#include "kernel/make/make.h"

/* draw.c */
uint16_t make_ptx(uint32_t target);
bool make_form_is_legal(enum warp_form form, uint16_t ptx, uint32_t target);

#define VALUES 6u /* registers %v0.. that live through the kernel, and %w0 of 64 bits */

/* What is computed at the start of a function: of a small kernel, only what it uses. */
enum { USED_IN = 1, USED_OUT = 2, USED_SUMS = 4, USED_SHARED = 8, USED_ALL = 15 };

struct writer {
    const struct make_kernel *k;
    struct buffer *out;       /* of the function that is being written */
    struct buffer *functions; /* texts of those that are finished */
    struct buffer *late;      /* what stands behind the entry's last ret */
    struct make_feature *features;
    unsigned features_count, marks; /* marks: features whose text has begun */
    struct random r;                /* of the statement */
    unsigned labels, predicates, temps, wides, reals, calls;
    unsigned values; /* %v0.. that it has: VALUES, or those of its input alone */
    unsigned exits;  /* statements in which lanes exit, so far */
    unsigned used;   /* USED_..., in this function so far */
    char name[MAKE_NAME_MAX];
};

#define REGISTER_MAX 16u

/* What is known at a place in the code. */
struct scope {
    char here[REGISTER_MAX];  /* the lanes of the warp that are at this place: no more, no less */
    char stale[REGISTER_MAX]; /* these and lanes that have exited since; "": there is none */
    bool is_known;            /* `known`: these and lanes that have exited or do not exist, a constant */
    lanemask known;
    enum make_place place;
    bool diverged, exited, in_function, in_block; /* in_block: all threads of the block are here */
};

/* A membermask: as it is written, and the lanes of it that have not exited. */
struct group {
    char operand[REGISTER_MAX], exact[REGISTER_MAX];
    enum make_mask mask; /* what it is in fact */
};

/* write.c */
#define PUT(...) buffer_format(w->out, __VA_ARGS__)
uint32_t write_any(struct writer *w, uint32_t n);
/* New registers: %t of 32 bits, %p predicates. */
unsigned write_temp(struct writer *w);
unsigned write_predicate(struct writer *w);
/* Sets a new predicate by what lanes hold; it differs between lanes, as a rule. */
unsigned write_data_condition(struct writer *w);
/* By the lane's number alone: `*lanes` are those in which it is true. */
unsigned write_lane_condition(struct writer *w, lanemask *lanes);
/* A step of arithmetic, of any kind (arithmetic.c). */
void write_wide_step(struct writer *w);
/* Arithmetic on the values. */
void write_compute(struct writer *w, unsigned count);

/* host.c: one warp instruction with what stands around it. */
void write_host(struct writer *w, const struct make_node *node, const struct scope *scope);

#endif
