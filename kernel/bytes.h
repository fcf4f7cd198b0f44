/*
 * Any bytes as a launch of one of a module's entries, for fuzzing engines.
 */
#ifndef WARPCHECK_KERNEL_BYTES_H
#define WARPCHECK_KERNEL_BYTES_H

#include "kernel/finding.h"

/* The entries of a module that can be executed. */
struct kernel_set {
    char *text;
    size_t size;
    struct module *module;
    const struct warp_impl *impl;
    struct kernel_entry {
        struct code *code;
        struct kernel *kernel;
        struct kernel_search *search; /* its parameters and launches */
        bool has_warp;                /* instructions: an execution that comes to none of them checks nothing */
    } * entries;
    uint32_t count;
    uint32_t left_out;   /* entries that cannot be executed */
    struct error reason; /* of the first of them; its text begins with the file and the line */
};

#define KERNEL_BYTES_STEPS  100000u
#define KERNEL_BYTES_SHARED 49152u

/* Where a fuzz target finds its kernels. */
#define KERNEL_SET_VARIABLE "WARPCHECK_FUZZ_KERNEL"

/* FILE.ptx, or FILE.ptx:ENTRY; NULL: a small module of its own. NULL with one line: it cannot be read, or no entry can
 * be executed. */
struct kernel_set *kernel_set_open(const char *path, const struct warp_impl *impl, struct error *error);
void kernel_set_free(struct kernel_set *set);

/* The entry and the input that the bytes are. */
const struct kernel_entry *kernel_set_decode(const struct kernel_set *set, const uint8_t *data, size_t size,
                                             struct kernel_input *input);

#endif
