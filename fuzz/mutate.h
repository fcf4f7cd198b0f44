/*
 * A mutation in progress: the case, its random source, and the changes to choose from. After each change
 * warp_case_repair makes the case valid.
 */
#ifndef WARPCHECK_FUZZ_MUTATE_H
#define WARPCHECK_FUZZ_MUTATE_H

#include "base/random.h"
#include "fuzz/derive.h"
#include "fuzz/feedback.h"
#include "warpcheck/form.h"
#include "warpcheck/warp.h"

/* The call that an input spells out behind its case (fuzz/derive.h). */
struct mutation_order {
    uint8_t steps[DERIVED_ORDER_MAX];
    size_t n;
};

struct mutation {
    struct warp_case *c;
    struct mutation_order order;
    const struct warp_form_info *info; /* of the case's form */
    struct random random;
    uint32_t families; /* that the case may be of */
    uint32_t lane;     /* what is compared may be this lane's; WARP_LANES: nothing is known */
    bool enough;       /* further changes would only spoil it */
    bool fresh;        /* the case is the one that was asked last: its comparisons are known */
    bool seeks;        /* the case is led somewhere: it is not exchanged for another */
};

static inline uint32_t mutation_draw(struct mutation *m)
{
    return random_word(&m->random);
}

static inline uint32_t mutation_below(struct mutation *m, uint32_t n)
{
    return (uint32_t)((uint64_t)mutation_draw(m) * n >> 32);
}

/* A lane mask: prefix, single lane, tile of a power of two, union of tiles, two or three lanes, periodic, sparse,
 * dense, full. */
lanemask mutation_mask(struct mutation *m);

/* A word of any kind: small, special, a mask, or known from the code under test. */
uint32_t mutation_word(struct mutation *m);

/* A float of a kind: zero, subnormal, number, infinity, NaN; of any sign, positive, negative. */
#define MUTATION_KINDS 15u
uint32_t mutation_of_kind(struct mutation *m, uint32_t kind);

/* Gives a set of lanes that has the number `from` (so many lanes, that one first or last, so many pieces) the number
 * `to`: a group, the exited lanes, the lanes of equal values or of one kind. False: no set that was tried has it. */
bool mutation_fit(struct mutation *m, uint32_t from, uint32_t to);

/* What the code under test compared, and the constants of its file (NULL: nothing is known). It must stay. */
void mutation_learn(const struct feedback *from);
/* That; NULL: nothing is known. */
const struct feedback *mutation_learned(void);
/* Is anything known of the code under test? */
bool mutation_has_learned(void);

/* Operands. */
void mutate_a(struct mutation *m);
void mutate_a_to_pool(struct mutation *m);
void mutate_a_to_odd(struct mutation *m);
void mutate_a_to_few(struct mutation *m);
void mutate_shape(struct mutation *m); /* how the values of lanes lie beside each other */
void mutate_b(struct mutation *m);     /* shfl */
void mutate_c(struct mutation *m);     /* shfl */

/* Who takes part. */
void mutate_active(struct mutation *m);
void mutate_membermask(struct mutation *m);
void mutate_tiles(struct mutation *m);
void mutate_plain(struct mutation *m);
void mutate_place(struct mutation *m);
void mutate_partition(struct mutation *m);
void mutate_gone(struct mutation *m);

/* Which lane has what: permutations of lanes, relations between lanes and between operands. */
void mutate_permutation(struct mutation *m);
void mutate_relation(struct mutation *m);

/* From the code under test; nothing when nothing is known of it. `fresh`: the case is the one that was asked last. */
void mutate_compared(struct mutation *m);

/* Has the values that were compared come together, in one of several ways. */
void mutation_bring_together(struct mutation *m, struct feedback_pair pair, uint8_t bytes);

/* A value that the code under test compared with, or a constant of its file. */
uint32_t mutation_learned_word(struct mutation *m);

/* The words of a case that a lane has. The caller picks one by `which`; b and c only of shfl. */
uint32_t *mutation_operand_of(struct mutation *m, uint32_t which);
/* Gives the lanes of `members` one membermask. */
void mutation_set_group(struct warp_case *c, lanemask members, lanemask membermask);

/* One of all these changes. */
void mutate_any(struct mutation *m);

/* Changes the order, keeps it, or gives it up. True: the order alone has changed. */
bool mutate_order(struct mutation *m);

/* A form that has the second value as its number, family, operation or type, if there is one, or any. */
uint32_t mutation_form_for(struct mutation *m, struct feedback_pair pair);

/* Changes the order, so that the values may come together: one step becomes a form that was compared, or any. */
void mutate_order_for(struct mutation *m, struct feedback_pair pair);

/* A form that the code under test may look for: rather one that the form of this case was compared with. WARP_FORMS:
 * none is known. */
uint32_t mutation_learned_form(struct mutation *m);

#endif
