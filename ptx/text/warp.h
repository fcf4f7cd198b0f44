/*
 * A warp instruction made of a statement.
 */
#ifndef WARPCHECK_PROGRAM_TEXT_WARP_H
#define WARPCHECK_PROGRAM_TEXT_WARP_H

#include "ptx/text/statement.h"

/* The operands of a warp instruction in the order in which they are written, with the guard first. */
enum warp_slot { SLOT_GUARD, SLOT_D, SLOT_P, SLOT_A, SLOT_B, SLOT_C, SLOT_MEMBERMASK, SLOTS };

/* Is there such an operand in the form, and what may it be? SLOT_GUARD and SLOT_P always have rules. */
bool warp_slot_rule(const struct warp_form_info *info, enum warp_slot slot, struct operand_rule *rule);
struct ptx_operand *warp_slot_operand(struct ptx_instruction *i, enum warp_slot slot);

/* All checks of ptx_parse but the syntax. */
bool warp_from_statement(const struct statement *s, struct ptx_instruction *out, struct warp_text_error *error);

#endif
