/* Inside the user's part: shapes of functions, and how a case becomes their arguments. */
#ifndef WARPCHECK_PROOFS_USER_SHAPE_H
#define WARPCHECK_PROOFS_USER_SHAPE_H

#include "proofs/machine.h"
#include "proofs/user/user.h"

/* How often a function is called for one instruction. */
enum user_call { USER_EACH_LANE, USER_EACH_GROUP, USER_WHOLE_CASE };

/* The type of a result or parameter, by its letter. */
enum user_type {
    USER_VOID = 'v',
    USER_BOOL = 'b',
    USER_WORD = 'i',    /* 32 bits */
    USER_SIZE = 'l',    /* 64 bits */
    USER_WORDS = 'p',   /* a pointer to 32-bit words */
    USER_SOURCES = 'q', /* a pointer to words of the width of the form's source */
    USER_POINTER = '*'  /* any other pointer */
};

/* What a parameter is, by its letter. */
enum user_role {
    USER_RETURNED = 0, /* the result: no parameter */
    /* arrays of 32 */
    USER_ROLE_A = 'a',
    USER_ROLE_B = 'b',
    USER_ROLE_C = 'c',
    USER_ROLE_D = 'd',
    USER_ROLE_A_AND_D = 'r', /* source and result in one */
    /* pointers to one word */
    USER_ROLE_P = 'p',        /* the predicates of all lanes: a lane mask */
    USER_ROLE_ONE_P = 'o',    /* one predicate */
    USER_ROLE_ONE_BOOL = 't', /* ... as a bool */
    /* words */
    USER_ROLE_MEMBERMASK = 'm',
    USER_ROLE_ACTIVE = 'n',
    USER_ROLE_PREDICATES = 'v',
    /* words of one lane */
    USER_ROLE_LANE = 'L', /* its number */
    USER_ROLE_LANE_B = 'B',
    USER_ROLE_LANE_C = 'C',
    USER_ROLE_WIDTH = 'W',
    /* of warp_impl.eval */
    USER_ROLE_STATE = 'S',
    USER_ROLE_CASES = 'K',
    USER_ROLE_COUNT = 'N',
    USER_ROLE_RESULTS = 'R',
    USER_ROLE_ERROR = 'E',
    USER_ROLE_ERROR_SIZE = 'Z'
};

/* clang-format off */
#define USER_ROLES_OF_EVAL USER_ROLE_STATE: case USER_ROLE_CASES: case USER_ROLE_COUNT: case USER_ROLE_RESULTS: \
               case USER_ROLE_ERROR: case USER_ROLE_ERROR_SIZE
/* clang-format on */

struct user_shape {
    const char *name, *declaration;
    const char *types; /* a letter for the result, then one for each parameter */
    const char *roles; /* a letter for each parameter */
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
 * Is this bitcode with a function of this shape? False with one clear line: not readable, not bitcode of clang 14 to
 * 19, no such function, other parameters, or something that the translator would not notice and get wrong.
 */
bool user_check_file(const struct user_request *request, const struct user_shape *shape, struct error *error);

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
