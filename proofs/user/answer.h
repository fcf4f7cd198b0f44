/* One call of a user's function on numbers: by the translator, or as native code. */
#ifndef WARPCHECK_PROOFS_USER_ANSWER_H
#define WARPCHECK_PROOFS_USER_ANSWER_H

#include "proofs/user/shape.h"

/* A call: the case, and the lane for which the function is called. */
struct user_question {
    const struct warp_case *c;
    unsigned lane; /* EACH_LANE: the lane; EACH_GROUP: the lowest of the group */
    lanemask group;
    lanemask needs_d; /* lanes whose d must be a number */
    bool needs_p;
};

struct user_answer {
    bool given;
    uint32_t d[WARP_LANES];
    lanemask p;               /* of all lanes */
    struct warp_result whole; /* WHOLE_CASE */
};

/* membermask, active lanes and predicates that the function gets. */
lanemask user_members(const struct user_question *q);
lanemask user_predicates(const struct warp_case *c);

/* False with one clause: undefined behaviour, a value that is not initialized, or not translated. */
bool user_answer_translated(struct machine *machine, const struct user_request *request, const struct user_shape *shape,
                            const struct user_question *q, struct user_answer *answer, struct error *error);

/* Asks n questions in one child process. */
bool user_answer_native(const struct user_request *request, const struct user_shape *shape,
                        const struct user_question *q, size_t n, struct user_answer *answers, struct error *error);

#endif
