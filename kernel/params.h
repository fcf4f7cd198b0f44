/*
 * An entry's parameters as an executor needs them: which words the code reads, and which of these are pointers.
 */
#ifndef WARPCHECK_KERNEL_PARAMS_H
#define WARPCHECK_KERNEL_PARAMS_H

#include "kernel/kernel.h"

/* What the words of a buffer are used for, as far as it bounds what a host writes there (kernel/contents.h). */
enum kernel_role {
    ROLE_DATA,   /* anything may be expected */
    ROLE_BOUNDS, /* two of them are put in order and become addresses: where parts begin and end */
    ROLE_LAYOUT, /* one for all threads becomes an address of shared memory: a size */
    /* Of variables of the module: */
    ROLE_COUNTER, /* changed by atomic operations: other blocks have counted */
    ROLE_STATE    /* else stored to by the code, or a table: its initial value is expected */
};

/* A .global variable. */
struct kernel_variable {
    const char *name;
    enum kernel_role role;
};

/* A word that the code reads from the parameters. */
struct kernel_slot {
    uint32_t param;     /* its number, from 0 */
    uint32_t offset;    /* in the block of parameters */
    uint32_t inner;     /* in the parameter (a struct by value) */
    uint32_t bytes;     /* 1, 2, 4, 8 */
    enum ptx_type type; /* as it is read */
    bool is_pointer;    /* to `buffer` */
    uint32_t buffer;
    enum kernel_role role; /* of the buffer */
    char name[64];         /* as the source has it, if that is there; else "param 2" or "param 2+8" */
    const char *symbol;    /* the parameter's name in PTX, where the slot is all of it (else NULL); the code's */
};

#define KERNEL_SLOTS_MAX 64u
struct kernel_slots {
    struct kernel_slot slots[KERNEL_SLOTS_MAX];
    uint32_t count;
    uint32_t bytes;                                    /* of all parameters */
    uint32_t buffers;                                  /* pointers among them */
    struct kernel_variable variables[CODE_VARIED_MAX]; /* of the code (varied) */
    uint32_t variables_count;
    bool no_memory; /* there was not enough to find them all: they are not to be used */
};

/* Slots beyond KERNEL_SLOTS_MAX are left out: they are zeros. Look at `no_memory` behind it. */
void kernel_find_slots(const struct code *code, struct kernel_slots *slots);

/* The slot that the n-th destination of an ld.param is read from, or MODULE_NONE. */
uint32_t kernel_slot_of_load(const struct kernel_slots *slots, const struct code *code,
                             const struct module_instruction *i, uint32_t n);

/* The slot with this name, in the source or in PTX, or this number ("2"), or MODULE_NONE. */
uint32_t kernel_slot_find(const struct kernel_slots *slots, const char *name);

uint64_t kernel_slot_get(const struct kernel_slot *slot, const struct kernel_input *input);
void kernel_slot_set(const struct kernel_slot *slot, struct kernel_input *input, uint64_t value);
/*
 * What the caller promises of a scalar parameter: "n % 32 == 0", "n > 0". The parameter is read as a signed number, and
 * the rest of its division as C has it.
 */
enum kernel_relation { RELATION_EQ, RELATION_LT, RELATION_LE, RELATION_GT, RELATION_GE };
#define KERNEL_REQUIRES_MAX 16u
struct kernel_require {
    uint32_t slot;
    uint64_t modulus; /* 0: the number itself */
    enum kernel_relation relation;
    int64_t number;
};
const char *kernel_relation_name(enum kernel_relation relation); /* "==", "<", ... */
/* Reads NAME [% NUMBER] RELATION NUMBER; false with one clause in `error`, which is ERROR_UNAVAILABLE when it could be
 * read, and the kernel has no such scalar parameter. */
bool kernel_require_read(const struct kernel_slots *slots, const char *text, struct kernel_require *require,
                         struct error *error);
/* Could it be read for a kernel that has the parameter? */
bool kernel_require_is_read(const char *text, struct error *error);
bool kernel_require_holds(const struct kernel_slots *slots, const struct kernel_require *require,
                          const struct kernel_input *input);
/* Changes the parameter so that it holds, to a value near by. */
void kernel_require_mend(const struct kernel_slots *slots, const struct kernel_require *require,
                         struct kernel_input *input);

/* Sets every pointer to its buffer, and everything else to zero. */
void kernel_slots_start(const struct kernel_slots *slots, struct kernel_input *input);

/* The input as one line, and back; false with one line when it is none. */
#define KERNEL_INPUT_TEXT_MAX 2048u
void kernel_input_text(const struct kernel_slots *slots, const struct kernel_input *input, char *text, size_t size);
bool kernel_input_read(const struct kernel_slots *slots, const char *text, struct kernel_input *input,
                       struct error *error);

const char *kernel_pattern_name(enum kernel_pattern pattern);
/* Reads the name of a pattern. */
bool kernel_pattern_read(const char *name, enum kernel_pattern *pattern);
const char *kernel_activemask_name(enum kernel_activemask activemask);

#endif
