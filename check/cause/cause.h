/*
 * Which known mistakes would give the answers that were observed?
 *
 * A hypothesis is a set of one to three known mistakes (check/cause/mistakes.def), each in all operations of the
 * instruction or in some; or shfl's modes in another order. It explains the evidence when an implementation that makes
 * them, and reads everything else right, answers every case of it as was observed: those that differ from the reference
 * and those that agree with it. Only lanes that are done are judged by value.
 */
#ifndef WARPCHECK_CHECK_CAUSE_CAUSE_H
#define WARPCHECK_CHECK_CAUSE_CAUSE_H

#include "check/cause/reading.h"
#include "base/error.h"
#include "warpcheck/impl.h"

#define CAUSE_TERMS_MAX 3u
#define CAUSE_TEXT_MAX  1200u

struct cause_case {
    struct warp_case c;
    struct warp_result expected, observed;
    bool differs;
};

/* Cases of one instruction (a family), with both answers. */
struct cause_evidence {
    struct cause_case *cases; /* owned */
    size_t count;
    uint32_t parts; /* WARP_PART_... that were compared */
    uint64_t mismatches, agreements;
};

/*
 * Asks both implementations about `count` cases of the family: sampled enumerations, and random cases of the seed, as
 * far as both accept them. Returns false with one line when one could not answer or memory ran out. Free the evidence
 * with cause_evidence_free.
 */
bool cause_gather(struct cause_evidence *evidence, const struct warp_impl *reference, const struct warp_impl *observed,
                  enum warp_family family, uint64_t seed, size_t count, struct error *error);
/* Adds a case with both answers. False: no memory. */
bool cause_add(struct cause_evidence *evidence, const struct warp_case *c, const struct warp_result *expected,
               const struct warp_result *observed, bool differs);
void cause_evidence_free(struct cause_evidence *evidence);

struct cause_term {
    enum mistake mistake; /* MISTAKES: shfl's modes in another order */
    uint32_t ops;         /* bit set of enum warp_op in which it is made */
    struct mode_order order;
};

struct cause {
    size_t count; /* terms; 0: no known mistake explains it */
    struct cause_term terms[CAUSE_TERMS_MAX];
    bool in_all_ops[CAUSE_TERMS_MAX]; /* the term is made in every operation that was asked */
    uint64_t mismatches, agreements;  /* of the evidence, all of which it explains */
    char common[CAUSE_TEXT_MAX / 2];  /* when there is no cause: what the mismatches have in common, or "" */
    bool late;                        /* when there is no cause: the time was over before every set was tried */
};

/* Do both name the same mistakes, made in the same operations? Without a cause: have the mismatches the same in
 * common? */
bool cause_same(const struct cause *x, const struct cause *y);

/* Finds the smallest set of mistakes that explains the evidence; gives up after `seconds`. Changes the order of the
 * evidence. */
void cause_find(struct cause_evidence *evidence, double seconds, struct cause *cause);

/*
 * Writes the cause as a sentence: "b is not reduced to 5 bits (explains all 41,630 mismatches and all 8,509 agreements;
 * shfl.sync, Semantics: ...)". Several terms are numbered. When there is no cause: "no known mistake explains it; ...".
 * Returns `text`.
 */
const char *cause_text(const struct cause *cause, enum warp_family family, char text[CAUSE_TEXT_MAX]);

#endif
