/*
 * Which known mistakes would give the answers that were observed?
 *
 * A hypothesis is a set of at most three known mistakes (check/cause/mistakes.def) in each operation of an instruction;
 * shfl's modes in another order are one of them. It explains the evidence when an implementation that makes them, and
 * reads everything else right, answers every case of it as was observed: those that differ from the reference and those
 * that agree with it. Only lanes that are done are judged by value. A case on which the implementation ends (a crash, a
 * hang) is explained when a lane would then read a lane that no warp has, or would not be done.
 *
 * No answer depends on another operation's mistakes. So every set is tried in each operation alone, and the fewest
 * mistakes that explain all operations together are the cause.
 */
#ifndef WARPCHECK_CHECK_CAUSE_CAUSE_H
#define WARPCHECK_CHECK_CAUSE_CAUSE_H

#include "base/buffer.h"
#include "check/cause/evidence.h"

#define CAUSE_SET_MAX   3u /* mistakes that are tried together in one operation */
#define CAUSE_TERMS_MAX 6u
#define CAUSE_TEXT_MAX  1200u
#define CAUSE_SLUG_MAX  64u

struct cause_term {
    enum mistake mistake;    /* MISTAKES: shfl's modes in another order */
    uint32_t ops;            /* bit set of reading_op, in which it is made */
    bool in_all_ops;         /* of those that were asked */
    struct mode_order order; /* when it is that */
};

struct cause {
    size_t count; /* terms; 0: no known mistake explains anything */
    struct cause_term terms[CAUSE_TERMS_MAX];
    uint64_t mismatches, agreements, endings; /* of the evidence */
    enum error_code ending;                   /* their kind, as in the evidence */
    uint64_t explained; /* of the mismatches and endings; all agreements are explained too, where there is a term */
    bool late;          /* the time was over before every set was tried */
    char common[CAUSE_TEXT_MAX / 2]; /* what the mismatches have in common that are not explained, or "" */
};

/* Is every mismatch and every ending of the evidence explained? */
static inline bool cause_is_whole(const struct cause *cause)
{
    return cause->explained == cause->mismatches + cause->endings;
}

/* Is it the same mistake, wherever it is made? */
bool cause_term_same(const struct cause_term *x, const struct cause_term *y);

/*
 * Finds the fewest mistakes that explain the evidence; gives up after `seconds` of computing. Terms of `known` (may be
 * NULL), a cause that was found for other instructions of the same implementation, are tried first. Changes the order
 * of the evidence.
 */
void cause_find(struct cause_evidence *evidence, const struct cause *known, double seconds, struct cause *cause);

/*
 * Which term gives this case's wrong answer? One that alone gives it as it was observed, else one without which the
 * others do not; cause->count when the whole cause does not explain the case, or when it agrees.
 */
size_t cause_of_case(const struct cause *cause, const struct cause_case *k, uint32_t parts);

/* Is the term, one of the cause's, needed to explain this wrong answer or end? */
bool cause_needs(const struct cause *cause, size_t term, const struct cause_case *k, uint32_t parts);

/* Does the term alone give the observed answer, and another one than the reference's? */
bool cause_term_shows(const struct cause_term *term, const struct cause_case *k, uint32_t parts);

/* "b is not reduced to 5 bits", "in up, down alone: the clamp is ignored". Returns `text`. */
const char *cause_term_words(const struct cause_term *term, char text[CAUSE_TEXT_MAX]);
/* The place in the page of the instruction. */
const char *cause_term_clause(const struct cause_term *term);
/* Fit for a file's name: "b-whole", "modes". Returns `text`. */
const char *cause_term_slug(const struct cause_term *term, char text[CAUSE_SLUG_MAX]);
/* The reading of ours that is at stake, as docs/ambiguities.md counts; 0: none. */
unsigned cause_term_reading(const struct cause_term *term);

/* "41,630 mismatches", "300 mismatches and 120 crashes". */
void cause_add_counts(struct buffer *words, const struct cause *cause);
/* The same behind "... of": "41,630 mismatches", "420 (300 mismatches and 120 crashes)". */
void cause_add_total(struct buffer *words, const struct cause *cause);

/*
 * The cause as a sentence: "b is not reduced to 5 bits (explains all 41,630 mismatches and all 8,509 agreements;
 * shfl.sync, Semantics: ...)". Several terms are numbered. When there is none: "no known mistake explains it; ...".
 * Returns `text`.
 */
const char *cause_text(const struct cause *cause, enum warp_family family, char text[CAUSE_TEXT_MAX]);

#endif
