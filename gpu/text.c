#include "gpu/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_header(struct writer *t, uint16_t ptx, uint32_t target)
{
    writer_format(t, ".version %d.%d\n.target %s\n", ptx / 10, ptx % 10, warp_target_name(target));
    if (ptx >= 23)
        writer_format(t, ".address_size 64\n");
}

void text_registers(struct writer *t)
{
    writer_format(t, "    .reg .b32 %%d, %%a, %%ah, %%b, %%c, %%m;\n    .reg .b64 %%aa;\n    .reg .pred %%p, %%q;\n");
}

/* vote.all, any and uni have a predicate as their only destination; all others write a 32-bit register first. */
static void add_destination(struct writer *t, const struct warp_form_info *info, uint32_t dst)
{
    const char *first = warp_form_writes_d(info, WARP_DST_D) ? "%d" : "%p";
    const char *second = warp_form_writes_d(info, WARP_DST_D) ? "%p" : "%q";
    switch ((enum warp_dst)dst) {
    case WARP_DST_D_P:
        writer_format(t, "%s|%s", first, second);
        break;
    case WARP_DST_SINK_P:
        writer_format(t, "_|%s", second);
        break;
    case WARP_DST_D_SINK:
        writer_format(t, "%s|_", first);
        break;
    case WARP_DST_NONE:
        break;
    case WARP_DST_D:
    case WARP_DST_COUNT:
        writer_format(t, "%s", first);
        break;
    }
}

/* The operands follow each other with commas; `between` stands before the next one. */
static void add_operand(struct writer *t, const char **between, const char *operand)
{
    writer_format(t, "%s%s", *between, operand);
    *between = ", ";
}

static void add_sources(struct writer *t, const struct warp_form_info *info, bool negate, const char *between)
{
    switch (info->type) {
    case WARP_NO_SOURCE:
        break;
    case WARP_PRED:
        add_operand(t, &between, negate ? "!%q" : "%q");
        break;
    case WARP_B64:
        add_operand(t, &between, "%aa");
        break;
    case WARP_B32:
    case WARP_U32:
    case WARP_S32:
    case WARP_F32:
        add_operand(t, &between, "%a");
        break;
    }
    if (warp_form_is_shfl(info)) {
        add_operand(t, &between, "%b");
        add_operand(t, &between, "%c");
    }
    if (warp_form_is_sync(info))
        add_operand(t, &between, "%m");
}

const char *text_plant(const struct warp_form_info *info)
{
    const char *plant = getenv("WARPCHECK_GPU_PLANT");
    const size_t length = strlen(info->name);
    if (plant == NULL || strncmp(plant, info->name, length) != 0 || plant[length] != '=')
        return NULL;
    return plant + length + 1;
}

void text_instruction(struct writer *t, const struct warp_form_info *info, uint32_t dst, bool negate)
{
    writer_format(t, "%s ", info->name);
    add_destination(t, info, dst);
    add_sources(t, info, negate, dst == WARP_DST_NONE ? "" : ", ");
    writer_format(t, ";\n");
}

/* The kernels that run cases: operands from memory, real control flow, one instruction, answers to memory. */

#define OFFSET(member) ((unsigned)offsetof(struct warp_case, member))

void text_entry_name(char name[TEXT_ENTRY_MAX], const struct warp_form_info *info, uint32_t dst, bool negate)
{
    snprintf(name, TEXT_ENTRY_MAX, "c%u_%u_%u", (unsigned)info->form, (unsigned)dst, negate ? 1u : 0u);
}

/* Spins three seconds by the device's clock: long enough for a watchdog, and it ends by itself. */
static void add_hang(struct writer *t)
{
    writer_format(t,
                  "    {\n    .reg .u64 %%begin, %%now;\n    .reg .pred %%wait;\n    mov.u64 %%begin, %%globaltimer;\n"
                  "SPIN:\n    mov.u64 %%now, %%globaltimer;\n    sub.u64 %%now, %%now, %%begin;\n"
                  "    setp.lt.u64 %%wait, %%now, 3000000000;\n    @%%wait bra SPIN;\n    }\n");
}

void text_tested_instruction(struct writer *t, const struct warp_form_info *info, uint32_t dst, bool negate)
{
    const char *plant = text_plant(info);
    struct warp_form_info other = *info;
    if (plant != NULL && strcmp(plant, "hang") == 0)
        add_hang(t);
    else if (plant != NULL)
        other.name = plant;
    writer_format(t, "    ");
    text_instruction(t, &other, dst, negate);
}

static void add_registers(struct writer *t)
{
    text_registers(t);
    writer_format(t, "    .reg .b32 %%lane, %%bit, %%t, %%w, %%n, %%exited, %%active, %%flags;\n"
                     "    .reg .b64 %%case, %%answer, %%x, %%y;\n    .reg .pred %%r;\n");
}

/* Expects the lane's operands at %case; leaves %a, %b... loaded. An operand that the form lacks is not loaded. */
static void add_loads(struct writer *t, const struct warp_form_info *info)
{
    writer_format(t, "    ld.global.u32 %%exited, [%%case+%u];\n    ld.global.u32 %%active, [%%case+%u];\n",
                  OFFSET(exited), OFFSET(active));
    writer_format(t, "    mul.wide.u32 %%x, %%lane, 4;\n    add.u64 %%x, %%x, %%case;\n");
    if (info->type != WARP_NO_SOURCE)
        writer_format(t, "    ld.global.u32 %%a, [%%x+%u];\n", OFFSET(a));
    if (info->type == WARP_PRED)
        writer_format(t, "    setp.ne.u32 %%q, %%a, 0;\n");
    if (info->type == WARP_B64)
        writer_format(t, "    ld.global.u32 %%ah, [%%x+%u];\n    mov.b64 %%aa, {%%a, %%ah};\n", OFFSET(a_high));
    if (warp_form_is_shfl(info))
        writer_format(t, "    ld.global.u32 %%b, [%%x+%u];\n    ld.global.u32 %%c, [%%x+%u];\n", OFFSET(b), OFFSET(c));
    if (warp_form_is_sync(info))
        writer_format(t, "    ld.global.u32 %%m, [%%x+%u];\n", OFFSET(membermask));
}

/* Lanes of `exited` end; lanes that are not in `active` go elsewhere and meet the others behind the instruction. */
static void add_body(struct writer *t, const struct warp_form_info *info, uint32_t dst, bool negate, bool tested)
{
    writer_format(t, "    mov.u32 %%t, 1;\n    shl.b32 %%bit, %%t, %%lane;\n"
                     "    and.b32 %%t, %%exited, %%bit;\n    setp.ne.u32 %%r, %%t, 0;\n    @%%r exit;\n"
                     "    and.b32 %%t, %%active, %%bit;\n    setp.eq.u32 %%r, %%t, 0;\n    @%%r bra ELSEWHERE;\n"
                     "    mov.u32 %%d, 0;\n");
    if (tested) {
        text_tested_instruction(t, info, dst, negate);
    } else {
        writer_format(t, "    ");
        text_instruction(t, info, dst, negate);
    }
    writer_format(t, "    mov.u32 %%flags, %u;\n", ANSWER_RAN);
    if (warp_form_writes_p(info, dst))
        writer_format(t, "    @%%p mov.u32 %%flags, %u;\n", ANSWER_RAN | ANSWER_P);
    writer_format(t, "    bra JOIN;\nELSEWHERE:\n    mov.u32 %%d, 0;\n    mov.u32 %%flags, %u;\nJOIN:\n",
                  ANSWER_ELSEWHERE);
    writer_format(t, "    st.global.u32 [%%answer], %%d;\n    st.global.u32 [%%answer+%u], %%flags;\n",
                  WARP_LANES * 4u);
}

void text_batch_kernel(struct writer *t, const struct warp_form_info *info, uint32_t dst, bool negate)
{
    char name[TEXT_ENTRY_MAX];
    text_entry_name(name, info, dst, negate);
    writer_format(
        t, ".visible .entry %s(.param .u64 cases, .param .u64 list, .param .u64 answers, .param .u32 count)\n{\n",
        name);
    add_registers(t);
    writer_format(t, "    mov.u32 %%lane, %%laneid;\n    mov.u32 %%w, %%ctaid.x;\n    mov.u32 %%t, %%ntid.y;\n"
                     "    mov.u32 %%n, %%tid.y;\n    mad.lo.u32 %%w, %%w, %%t, %%n;\n    ld.param.u32 %%n, [count];\n"
                     "    setp.ge.u32 %%r, %%w, %%n;\n    @%%r bra END;\n");
    writer_format(t,
                  "    ld.param.u64 %%x, [list];\n    mul.wide.u32 %%y, %%w, 4;\n    add.u64 %%x, %%x, %%y;\n"
                  "    ld.global.u32 %%w, [%%x];\n    ld.param.u64 %%case, [cases];\n    mul.wide.u32 %%x, %%w, %u;\n"
                  "    add.u64 %%case, %%case, %%x;\n",
                  (unsigned)sizeof(struct warp_case));
    writer_format(
        t,
        "    ld.param.u64 %%answer, [answers];\n    mul.wide.u32 %%x, %%w, %u;\n    add.u64 %%answer, %%answer, %%x;\n"
        "    mul.wide.u32 %%x, %%lane, 4;\n    add.u64 %%answer, %%answer, %%x;\n",
        ANSWER_WORDS * 4u);
    add_loads(t, info);
    add_body(t, info, dst, negate, true);
    writer_format(t, "END:\n    ret;\n}\n");
}

static void add_case_data(struct writer *t, const struct warp_case *c)
{
    uint32_t words[sizeof *c / 4];
    memcpy(words, c, sizeof words);
    writer_format(t, ".global .align 8 .u32 warpcheck_operands[%u] = {", (unsigned)(sizeof words / 4));
    for (size_t i = 0; i < sizeof words / 4; i++)
        writer_format(t, "%s0x%x", i == 0 ? "\n    " : i % 16 == 0 ? ",\n    " : ", ", (unsigned)words[i]);
    writer_format(t, "};\n\n");
}

void text_single_kernel(struct writer *t, const struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    add_case_data(t, c);
    writer_format(t, ".visible .entry warpcheck_case(.param .u64 answers)\n{\n");
    add_registers(t);
    writer_format(t, "    mov.u32 %%lane, %%laneid;\n    mov.u64 %%case, warpcheck_operands;\n"
                     "    ld.param.u64 %%answer, [answers];\n    mul.wide.u32 %%x, %%lane, 4;\n"
                     "    add.u64 %%answer, %%answer, %%x;\n");
    add_loads(t, info);
    add_body(t, info, c->dst, c->negate != 0, false);
    writer_format(t, "    ret;\n}\n");
}
