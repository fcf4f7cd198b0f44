/*
 * Seeking where the mutator has not the code under test, or may not die with it: AFL++ changes inputs in a process of
 * its own, and a farm's engine keeps the input that it gave when its target ends, not one that was asked on the way
 * (fuzz/seek.h). So the target is started once more, to seek and nothing else. It gets an input, and gives back what it
 * came to from there. What ends it, or never comes back, is the answer: the engine then asks it as any other, and keeps
 * what it ends by.
 */
#ifndef WARPCHECK_FUZZ_SEEKER_H
#define WARPCHECK_FUZZ_SEEKER_H

#include "fuzz/harness.h"
#include "warpcheck/bytes.h"

/* Set: the target seeks, for whoever is at its standard input, a socket. Its counters are at its standard output. */
#define SEEKER_VARIABLE "WARPCHECK_FUZZ_SEEKS"

/* What goes to and fro, in this order: one `ready` with size 0 in answer to none, then each answer to its question. */
struct seeker_message {
    uint64_t seed; /* of an answer: 0 */
    uint32_t size; /* of the input; of an answer 0: nothing was found */
    uint8_t data[FUZZ_ASKED_MAX];
};

/* In the mutator: where the target is; NULL: nowhere. Can that seek? It is started by the first such question. */
void seeker_of(const char *target);
bool seeker_can(void);
/* Seeks from the input. Writes an input into `data`, which has room for max_size bytes, and returns its size; 0: there
 * is none. */
size_t seeker_ask(uint8_t *data, size_t size, size_t max_size, uint64_t seed);
/* What the code compared there; NULL: nobody seeks. */
const struct feedback *seeker_feedback(void);
void seeker_end(void);

/* In the target: seeks until nobody asks any more. */
_Noreturn void seeker_serve(struct harness *h);

#endif
