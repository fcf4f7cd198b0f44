/* Inside the user's part: shapes of functions, and how a case becomes their arguments. */
#ifndef WARPCHECK_PROOFS_USER_SHAPE_H
#define WARPCHECK_PROOFS_USER_SHAPE_H

#include "proofs/machine.h"
#include "proofs/user/user.h"

/* How often a function is called for one instruction. */
enum user_call { USER_EACH_LANE, USER_EACH_GROUP, USER_WHOLE_CASE };

/*
 * `types`: the result, then the parameters: v nothing, b bool, i 32 bits, l 64 bits, p pointer to 32-bit words,
 * q pointer to words of the width of the form's source, * any pointer.
 * `roles`: what each parameter is. Arrays of 32: a b c sources, d result, r source and result in one. Words: m
 * membermask, n active lanes, v predicates. Of one lane: L number, B b, C c, W width. Pointers to one word: p
 * predicates (a lane mask), o one predicate. Of warp_impl.eval: S K N R E Z.
 */
struct user_shape {
    const char *name, *declaration, *types, *roles;
    uint32_t families;
    enum user_call call;
    uint32_t provides; /* WARP_PART_... of a result */
};

const struct user_shape *user_shape_find(const char *name);
/* The segment mask and clamp that CUDA's headers make of a width. */
uint32_t user_cuda_c(const struct warp_form_info *info, uint32_t width);
/* The width whose c this is; 0: there is none. */
uint32_t user_cuda_width(const struct warp_form_info *info, uint32_t c);

/* The destination with the most results that the form has. */
uint32_t user_dst(const struct warp_form_info *info);

/*
 * Is this bitcode with a function of this shape? False with one clear line: not readable, not bitcode, of a newer LLVM,
 * no such function, other parameters, or something that the translator would not notice and get wrong.
 */
bool user_check_file(const struct user_request *request, const struct user_shape *shape, char *error,
                     size_t error_size);

/* The arguments of a function: terms, or numbers as scalars. Unused ones are NULL. */
struct user_inputs {
    const struct scalar *a[WARP_LANES], *high[WARP_LANES], *b[WARP_LANES], *c[WARP_LANES];
    const struct scalar *before[USER_BEFORE]; /* what d, and last *p, hold before the call */
    const struct scalar *members, *active, *predicates;
    unsigned lane;
    uint32_t width;
};

struct user_outputs {
    const struct scalar *d[WARP_LANES]; /* where the shape has an array of results */
    const struct scalar *p;             /* the word behind p or o */
    const struct scalar *returned;
};

/* Calls the function in the machine, on new objects. Jumps when it cannot go on. */
void user_call_shape(struct machine *machine, const struct user_request *request, const struct user_shape *shape,
                     const struct user_inputs *in, struct user_outputs *out);

/* d (0 or 1 where the form gives a predicate: p) of lane k, from what a function of a group or lane gave. */
const struct scalar *user_result_d(const struct user_shape *shape, const struct user_outputs *out, unsigned k);
const struct scalar *user_result_p(struct machine *machine, const struct user_request *request,
                                   const struct user_shape *shape, const struct user_outputs *out, unsigned k);

#endif
