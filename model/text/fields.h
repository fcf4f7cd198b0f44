/*
 * The fields of cases and results, by their names: what the one-line form and the readable file have in common.
 */
#ifndef WARPCHECK_TEXT_FIELDS_H
#define WARPCHECK_TEXT_FIELDS_H

#include "reader.h"
#include "writer.h"

enum field { FIELD_TARGET, FIELD_EXITED, FIELD_ACTIVE, FIELD_A, FIELD_B, FIELD_C, FIELD_MEMBERMASK, FIELDS };

extern const char *const field_names[FIELDS];

/* Bits of an element of the operand: 1, 32 or 64; 0 when the form has no such operand (or the field is none). */
unsigned field_bits(const struct warp_form_info *info, enum field field);
/* The low half of the operand in the case, one element a lane. */
const uint32_t *field_values(const struct warp_case *c, enum field field);

/* A case while it is read. */
struct draft {
    struct warp_case *c;
    const struct warp_form_info *info;
    unsigned seen;               /* bit set of enum field */
    bool negated;                /* a source was named */
    struct place places[FIELDS]; /* of the values seen */
};

/* Reads the instruction and the destinations. They come first; the other fields may stand in any order. */
bool draft_instruction(struct reader *r, struct draft *draft, const struct word *name);
bool draft_destinations(struct reader *r, struct draft *draft, const struct word *dst);
/* The word `!a`. */
bool draft_negate(struct reader *r, struct draft *draft, const struct word *source);
/* Reads key=value; the value of an operand is a list of 32. */
bool draft_set(struct reader *r, struct draft *draft, const struct word *key, const struct word *value);
/* Declares that values of this operand follow. Returns its field, or FIELDS after an error. */
enum field draft_operand(struct reader *r, struct draft *draft, const struct word *name);
bool draft_store(struct reader *r, struct draft *draft, enum field field, unsigned lane, uint64_t value,
                 struct place place);
/* Ends the case: is it complete and valid? `end` is the place that an error about something missing names. */
bool draft_finish(struct reader *r, struct draft *draft, struct place end);

/*
 * Reads the parts of a result to the end of the line. After the word `until` (NULL: none) the rest of the line is
 * skipped.
 */
bool result_read(struct reader *r, struct warp_text *out, const char *until);

#endif
