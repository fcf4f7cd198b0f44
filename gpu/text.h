/*
 * PTX text written from the instruction table.
 *
 * Register names in every kernel: %d destination, %p predicate destination, %a %ah %aa source (low, high, 64 bit), %q
 * source predicate, %b %c %m the operands b, c, membermask.
 */
#ifndef WARPCHECK_GPU_TEXT_H
#define WARPCHECK_GPU_TEXT_H

#include "model/text/writer.h"
#include "warpcheck/warp.h"

/* ".version 6.0\n.target sm_70\n.address_size 64\n" */
void text_header(struct writer *t, uint16_t ptx, uint32_t target);

/* Writes the instruction as one line, also with destinations that the form does not take (the judge of legality
 * asks about those). */
void text_instruction(struct writer *t, const struct warp_form_info *info, uint32_t dst, bool negate);

/* Declares the registers that text_instruction names. */
void text_registers(struct writer *t);

/*
 * A defect planted on purpose, to measure the checker. WARPCHECK_GPU_PLANT=FORM=OTHER in the environment makes the
 * kernels run OTHER where FORM is asked for ("shfl.sync.up.b32=shfl.sync.bfly.b32"); the OTHER `hang` makes them spin
 * for three seconds. Returns NULL when nothing is planted for this form.
 */
const char *text_plant(const struct warp_form_info *info);

/* The instruction as the kernels run it: with the planted defect, if there is one. */
void text_tested_instruction(struct writer *t, const struct warp_form_info *info, uint32_t dst, bool negate);

/* The entry of the batch kernel for a form with these destinations, for example "c12_1_0". */
#define TEXT_ENTRY_MAX 32u
void text_entry_name(char name[TEXT_ENTRY_MAX], const struct warp_form_info *info, uint32_t dst, bool negate);

/*
 * The batch kernel: one warp a case. Parameters: address of the cases (struct warp_case), of a list of indices, of the
 * answers (ANSWER_WORDS words a case), number of indices. Lanes of `exited` end first; inactive lanes branch elsewhere
 * and come back.
 */
void text_batch_kernel(struct writer *t, const struct warp_form_info *info, uint32_t dst, bool negate);

/* Writes a kernel with the case as constants in the text: entry `warpcheck_case`, one parameter, the address of
 * ANSWER_WORDS words. */
void text_single_kernel(struct writer *t, const struct warp_case *c);

/* Answers of one case: d of 32 lanes, then flags of 32 lanes. */
#define ANSWER_WORDS     64u
#define ANSWER_RAN       1u /* the lane executed the instruction and went on */
#define ANSWER_P         2u
#define ANSWER_ELSEWHERE 4u /* the lane branched elsewhere and came back */

#endif
