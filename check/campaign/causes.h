/*
 * What is wrong with the implementations of a campaign, sorted by cause: the mismatches are samples, the entries are
 * what a maintainer reads. One entry for each known mistake of an implementation, over all forms that show it; one for
 * what depends on earlier calls; one for each instruction and part of the result that no known mistake explains.
 */
#ifndef WARPCHECK_CHECK_CAMPAIGN_CAUSES_H
#define WARPCHECK_CHECK_CAMPAIGN_CAUSES_H

#include "check/cause/cause.h"
#include "check/cause/plain.h"
#include "check/checker.h"
#include "check/finding.h"

#define SUBJECTS_MAX 16u /* implementations under check at once */
#define ENTRIES_MAX  128u

/* The context of a checker: who collects its mismatches. */
struct findings;
struct findings_source {
    struct findings *findings;
    const char *reference_option; /* how impl_open finds them; the reference may be "expect" */
    const char *observed_option;
    const char *label; /* NULL: the reference's option; else a file: each file is its own reference */
    bool device;       /* the reference is what a device answered earlier, to few cases */
};

/* Mismatches of one class (finding_class) of one pair of implementations, and one of them. */
struct cause_sample {
    const struct findings_source *source;
    const struct warp_impl *reference, *observed;
    char class[FINDING_SIGNATURE_MAX];
    struct warp_case c;
    struct finding seen; /* it, as it was answered then; an ending has none */
    /* The cases that were asked in one call with it, which of them it is; NULL: there was no room. Owned. */
    struct warp_case *batch;
    size_t batch_n, batch_at;
    uint64_t hits;
    enum error_code
        ending; /* ERROR_NONE: a mismatch; else how it ended on the case, which `observed` is not asked again */
    bool sorted;
    bool told;    /* without being sorted */
    size_t entry; /* when it is sorted */
};

/* What an entry without a known mistake shows: one entry for each. */
enum entry_part { PART_VALUES, PART_OUTCOMES, PART_ENDING };

enum entry_kind {
    ENTRY_MISTAKE, /* `term` gives these answers */
    ENTRY_UNKNOWN, /* no known mistake explains it */
    ENTRY_HISTORY, /* it depends on what was asked before */
    ENTRY_UNASKED  /* it could not be asked again, or ends on no case alone: `why` */
};

struct cause_entry {
    enum entry_kind kind;
    const struct findings_source *source; /* of its first sample */
    const struct warp_impl *reference, *observed;
    uint32_t families;      /* bit set */
    struct cause_term term; /* ENTRY_MISTAKE */
    struct cause cause;     /* of the family in which it was seen first */
    uint64_t shown;         /* mismatches of that evidence that are this entry's */
    enum entry_part part;   /* ENTRY_UNKNOWN */
    unsigned reading; /* ENTRY_UNKNOWN: of ours that is at stake in all of its cases (docs/ambiguities.md), or 0 */
    uint64_t hits[WARP_FORMS]; /* counted by causes_count */
    struct warp_case lead;     /* the plainest case that shows it, not reduced */
    enum plainness plain;      /* of the lead */
    enum error_code ending;    /* how the implementation ends on the lead; ERROR_NONE: it answers, and is wrong */
    /* ENTRY_HISTORY: in one call of a fresh process, case `at` differs, and not alone unless n is 1; NULL: it did not
     * happen again. Owned. */
    struct warp_case *sequence;
    size_t sequence_n, sequence_at;
    bool repeats;        /* it is one case, n times */
    bool random;         /* ENTRY_HISTORY: not even that: fresh processes that are asked the same answer differently */
    double search_until; /* on clock_seconds()'s clock; 0: it was not looked for yet */
    struct error why;
};

struct causes;

/* NULL: no memory. */
struct causes *causes_open(uint64_t seed);
void causes_free(struct causes *causes);

/* Counts a mismatch; `class` is its finding_class. The checker's implementations and the source must live as long. */
void causes_note(struct causes *causes, const struct findings_source *source, const struct checker *checker,
                 const struct finding *f, const char *class);

/* Notes that the implementation ended on the case, in this way. It must run again when causes_settle is called. */
void causes_note_ending(struct causes *causes, const struct findings_source *source, const struct warp_impl *reference,
                        const struct warp_impl *observed, const struct warp_case *c, enum error_code ending);

/*
 * Sorts what was noted since the last call into entries: asks the implementation in fresh processes about the samples
 * and 2000 cases of each instruction that is wrong, and looks for causes, for some seconds at most. An interrupt ends
 * that: then some samples stay as they are (causes_unsorted).
 */
void causes_settle(struct causes *causes);

/* The entries, in the order in which they were found. Their number only grows. */
size_t causes_count(struct causes *causes);
struct cause_entry *causes_entry(struct causes *causes, size_t i);

/* A sample of the entry in this form; NULL: there is none. */
const struct cause_sample *causes_sample(const struct causes *causes, size_t entry, uint32_t form);

/* A sample of the entry in any form whose answer is known; NULL: there is none. */
const struct cause_sample *causes_seen(const struct causes *causes, size_t entry);

/* A mismatch that is neither sorted nor told; NULL: there is none. The caller marks it as told. */
struct cause_sample *causes_unsorted(const struct causes *causes);

/* Does this entry's mistake, or none when it has none, show in the case as both answered it? */
bool causes_shows(const struct cause_entry *entry, const struct cause_case *k, uint32_t parts);

/* Is this entry's mistake needed to give the case's wrong answer? Others of the same cause may give it, too. */
bool causes_needs(const struct cause_entry *entry, const struct cause_case *k, uint32_t parts);

/* The entry of the endings that were noted of the implementation; causes_count: there is none. */
size_t causes_of_ending(const struct causes *causes, const struct warp_impl *observed);

/* The number in docs/ambiguities.md of the reading of ours on which the entry rests; 0: on none. */
unsigned causes_reading(const struct cause_entry *entry);
/* For an entry that no known mistake explains: is one reading at stake in all cases of the evidence that show it? */
unsigned causes_reading_at_stake(const struct cause_entry *entry, const struct cause_evidence *e);

/* The family whose page is cited: the first, which is the one with a membermask where there are both. */
enum warp_family causes_family(const struct cause_entry *entry);

/* One line: the cause, then who and in which instructions: "b is not reduced ... (...) [mine in shfl.sync, shfl]". */
#define CAUSE_LINE_MAX (CAUSE_TEXT_MAX + 512u)
/* Without a name where `observed` is NULL: "... [in shfl.sync]". */
const char *causes_text(const struct cause_entry *entry, char text[CAUSE_LINE_MAX]);

#endif
