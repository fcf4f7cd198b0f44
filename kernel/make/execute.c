#include "kernel/exec/block.h"
#include "kernel/make/make_internal.h"
#include "kernel/silicon.h"

#include <stdlib.h>
#include <string.h>

#define STEPS     200000u /* of warps, for one block */
#define SCHEDULES 3u      /* beside the friendliest */

const char *make_verdict_name(enum make_verdict verdict)
{
    switch (verdict) {
    case MAKE_CLEAN:
        return "clean";
    case MAKE_WRONG:
        return "wrong";
    case MAKE_UNSETTLED:
        return "unsettled";
    case MAKE_ENDLESS:
        return "endless";
    case MAKE_UNREAD:
        return "unread";
    case MAKE_VERDICTS:
        break;
    }
    return "";
}

struct execution {
    const struct make_kernel *k;
    const struct code *code;
    struct kernel *kernel;
    struct kernel_input *input;
    struct kernel_outcome *outcome;
    uint32_t size;
    uint8_t *start, *end; /* of one block: `size` bytes each */
};

/* The parameters: a pointer to the first buffer, and n. */
void make_input(const struct make_kernel *kernel, const uint8_t *before, struct kernel_input *input)
{
    const uint64_t pointer = CODE_BUFFERS;
    *input = (struct kernel_input){.block = {kernel->block, 1, 1},
                                   .grid = {kernel->grid, 1, 1},
                                   .seed = 1,
                                   .params_size = 12,
                                   .content = before,
                                   .content_size = make_memory_size(kernel)};
    memcpy(input->params, &pointer, 8);
    memcpy(input->params + 8, &kernel->n, 4);
}

static enum make_verdict judge(const struct execution *e, struct make_answer *answer)
{
    const struct kernel_outcome *const o = e->outcome;
    for (uint32_t n = 0; n < o->events_count; n++)
        if (kernel_is_error(o->events[n].kind) || o->events[n].kind == KERNEL_UNINITIALIZED) {
            answer->event = o->events[n];
            answer->line = code_place(e->code, o->events[n].at).ptx_line;
            return MAKE_WRONG;
        }
    if (o->open != KERNEL_OPEN_NOTHING) {
        answer->line = code_place(e->code, o->open_at).ptx_line;
        error_set(&answer->error, ERROR_UNDEFINED, "%s", kernel_open_text(o->open));
        return MAKE_WRONG;
    }
    switch (o->ending) {
    case KERNEL_ENDED:
        return MAKE_CLEAN;
    case KERNEL_ENDLESS:
        return MAKE_ENDLESS;
    case KERNEL_STOPPED:
        return MAKE_WRONG;
    case KERNEL_TRAPPED:
    case KERNEL_UNANSWERED:
        break;
    }
    error_set(&answer->error, ERROR_DECLINED, "%s", o->why[0] ? o->why : "the kernel traps");
    return MAKE_UNREAD;
}

/* Puts what one block left into `after`. Two blocks that leave different values in one word depend on their order. */
static bool merge(const struct execution *e, const uint8_t *before, uint8_t *after)
{
    bool settled = true;
    for (uint32_t n = 0; n < e->size; n++) {
        if (e->end[n] == before[n])
            continue;
        settled &= after[n] == before[n];
        after[n] = e->end[n];
    }
    return settled;
}

/* Where blocks begin: each with the memory before the launch, or with what the others left before it. */
enum order { ORDER_APART, ORDER_UP, ORDER_DOWN };

/* All blocks in one schedule. A block that reads what another one writes leaves something else in another order. */
static bool run_blocks(struct execution *e, enum order order, const uint8_t *before, uint8_t *after,
                       struct make_answer *answer)
{
    memcpy(after, before, e->size);
    answer->groups = answer->steps = 0;
    for (uint32_t n = 0; n < e->k->grid; n++) {
        const uint32_t block = order == ORDER_DOWN ? e->k->grid - 1 - n : n;
        e->input->ctaid[0] = block;
        if (order != ORDER_APART) {
            memcpy(e->start, after, e->size);
            e->input->content = e->start;
        }
        if (!kernel_execute(e->kernel, e->input, STEPS, e->outcome))
            return false;
        answer->groups += e->outcome->groups;
        answer->steps += e->outcome->steps;
        answer->verdict = judge(e, answer);
        if (answer->verdict != MAKE_CLEAN)
            return true;
        if (e->outcome->wild > 0) {
            error_set(&answer->error, ERROR_UNSUPPORTED, "it reads outside of its memory");
            answer->verdict = MAKE_UNREAD;
            return true;
        }
        memory_snapshot(&e->kernel->memory, CODE_BUFFERS, e->size, e->start, e->end);
        if (order != ORDER_APART)
            memcpy(after, e->end, e->size);
        else if (!merge(e, before, after))
            answer->verdict = MAKE_UNSETTLED;
    }
    return true;
}

static bool run_all(struct execution *e, bool checked, const uint8_t *before, uint8_t *after,
                    struct make_answer *answer)
{
    static const enum kernel_activemask partitions[SCHEDULES] = {KERNEL_ANY, KERNEL_ALONE, KERNEL_TOGETHER};
    const uint64_t seed = random_mix(e->k->number + 1);
    make_input(e->k, before, e->input);
    if (!run_blocks(e, ORDER_APART, before, after, answer))
        return false;
    uint8_t *const other = malloc(e->size);
    const struct make_answer first = *answer;
    bool ok = other != NULL;
    for (uint32_t n = 0; ok && checked && answer->verdict == MAKE_CLEAN && n < SCHEDULES; n++) {
        e->input->shuffled = true;
        e->input->schedule = n + 1;
        e->input->seed = seed;
        e->input->activemask = partitions[n];
        ok = run_blocks(e, n == 0 ? ORDER_APART : n == 1 ? ORDER_UP : ORDER_DOWN, before, other, answer);
        if (ok && answer->verdict == MAKE_CLEAN && memcmp(after, other, e->size) != 0)
            answer->verdict = MAKE_UNSETTLED;
    }
    answer->groups = first.groups;
    answer->steps = first.steps;
    free(other);
    return ok;
}

/* What is the device's own, not the kernel's: approximations, and where on it a thread runs. */
static bool check_code(const struct code *code, struct make_answer *answer)
{
    const char *what = kernel_is_approximate(code) ? "an approximation, whose bits are open" : NULL;
    for (uint32_t n = 0; n < code->count && what == NULL; n++)
        for (unsigned k = 0; k < code->instructions[n].i->srcs_count; k++) {
            const struct module_operand *const o = &code->instructions[n].i->srcs[k];
            if (o->kind == OPERAND_SPECIAL &&
                (o->special == SPECIAL_WARPID || o->special == SPECIAL_NWARPID || o->special == SPECIAL_SMID ||
                 o->special == SPECIAL_NSMID || o->special == SPECIAL_GRIDID))
                what = "a register that tells where on the device a thread runs";
        }
    if (what == NULL)
        return true;
    answer->verdict = MAKE_WRONG;
    return error_set(&answer->error, ERROR_UNDEFINED, "%s", what);
}

/* A feature is reached when lanes came to its instruction in some execution, at any of the lines that stand for it. */
static void note_reached(const struct execution *e, struct made *made)
{
    const uint8_t *const arrived = kernel_arrived(e->kernel);
    for (uint32_t n = 0; n < e->code->count; n++) {
        const struct module_instruction *const i = e->code->instructions[n].i;
        if (!arrived[n] || i->op != OP_WARP)
            continue;
        const uint32_t line = code_place(e->code, n).ptx_line;
        for (unsigned k = 0; k < made->features_count; k++) {
            struct make_feature *const f = &made->features[k];
            f->is_reached |= i->form == f->form && line >= f->from && line < f->to;
        }
    }
}

/* made: whose features are to be noted, or NULL. */
static bool execute(const struct make_kernel *kernel, const char *text, size_t size, const char *entry,
                    const struct warp_impl *impl, bool checked, const uint8_t *before, uint8_t *after,
                    struct make_answer *answer, struct made *made)
{
    struct execution e = {.k = kernel, .size = make_memory_size(kernel)};
    memset(answer, 0, sizeof *answer);
    answer->verdict = MAKE_UNREAD;
    struct module *module = module_read(text, size, "generated", &answer->error);
    uint32_t function = module ? module_function_find(module, entry) : MODULE_NONE;
    if (module && function == MODULE_NONE)
        error_set(&answer->error, ERROR_INPUT, "it has no entry %s", entry);
    struct code *code = function != MODULE_NONE ? code_new(module, function, &answer->error) : NULL;
    bool ok = true;
    if (code && check_code(code, answer)) {
        e.code = code;
        e.kernel = kernel_new(code, impl);
        e.input = malloc(sizeof *e.input);
        e.outcome = malloc(sizeof *e.outcome);
        e.start = malloc(e.size);
        e.end = malloc(e.size);
        ok = e.kernel && e.input && e.outcome && e.start && e.end && run_all(&e, checked, before, after, answer);
        if (ok && made)
            note_reached(&e, made);
        free(e.start);
        free(e.end);
        free(e.outcome);
        free(e.input);
        kernel_free(e.kernel);
    }
    code_free(code);
    module_free(module);
    return ok;
}

bool make_execute(const struct make_kernel *kernel, const char *text, size_t size, const char *entry,
                  const struct warp_impl *impl, bool checked, const uint8_t *before, uint8_t *after,
                  struct make_answer *answer)
{
    return execute(kernel, text, size, entry, impl, checked, before, after, answer, NULL);
}

/* The text is written. */
static bool execute_made(struct made *made, const struct warp_impl *impl)
{
    make_name(&made->kernel, made->name);
    made->size = make_memory_size(&made->kernel);
    made->before = malloc(made->size);
    made->after = malloc(made->size);
    if (!made->before || !made->after || made->text.failed)
        return false;
    make_memory(&made->kernel, made->before);
    return execute(&made->kernel, made->text.data, made->text.size, made->name, impl, true, made->before, made->after,
                   &made->answer, made);
}

bool made_set(struct made *made, const struct make_kernel *kernel, const struct warp_impl *impl)
{
    memset(made, 0, sizeof *made);
    made->kernel = *kernel;
    make_write_head(kernel, &made->text);
    made->head = made->text.size;
    make_write(kernel, &made->text, made->features, &made->features_count);
    return execute_made(made, impl);
}

bool made_set_text(struct made *made, const struct make_kernel *kernel, const char *text, const struct warp_impl *impl)
{
    memset(made, 0, sizeof *made);
    made->kernel = *kernel;
    buffer_text(&made->text, text);
    return execute_made(made, impl);
}

void made_free(struct made *made)
{
    free(made->before);
    free(made->after);
    buffer_free(&made->text);
    made->before = made->after = NULL;
}
