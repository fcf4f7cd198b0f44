/*
 * What the code of a harness calls. A harness is a C function on the headers of the code that a proof is about; it is
 * compiled to bitcode beside that code and executed on unknowns (harness.h). It makes unknowns, calls the code, and
 * checks what that leaves. A contract is called in the place of a function: it checks what that is handed, and leaves
 * unknowns. `static` variables are written before they are read.
 */
#ifndef WARPCHECK_PROOFS_ANY_H
#define WARPCHECK_PROOFS_ANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct warp_case;

/* Unknowns. The same name is the same unknown wherever it is asked for. */
uint32_t any_word(const char *name, unsigned k);  /* name[k], as a whole */
uint32_t any_lanes(const char *name, unsigned k); /* 32 Bools: name[k][0] in bit 0, ... */
size_t any_below(const char *name, size_t n);     /* one of 0 .. n - 1, n <= 33 */
/* An object apart from all others, aligned so and no more; it is not initialized. */
void *any_object(size_t size, size_t alignment);
void any_constant(const void *object); /* from here on nobody may write it */
#define ANY_OBJECTS(type, n) ((type *)any_object((n) * sizeof(type), _Alignof(type)))

/* What the run is about: a case, and a number. */
const struct warp_case *given_case(void);
unsigned given_number(void);

/* Claims that the condition holds, and is defined, whenever this place is reached. */
void check(bool condition, const char *what);

#endif
