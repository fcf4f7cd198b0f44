#include "kernel/search.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "kernel/contents.h"
#include "kernel/extent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct code *code;
    const struct kernel_search_options *options;
    struct kernel_search *search;
    struct kernel *kernel;
    struct kernel_outcome outcome;
    double until;
    bool uses_activemask, uses_schedule;
    uint32_t lines_count, launches_count; /* of one dimension, and all; 0 where the caller or the kernel states them */
    uint64_t longest;                     /* steps of an execution that ended */
    uint64_t ended_with[KERNEL_PATTERNS], endless_with[KERNEL_PATTERNS];
    struct kernel_input *led; /* inputs that reached something new */
    uint32_t led_count;
};

#define LED_MAX    64u
#define ASKED      36u /* executions that try to answer a question */
#define SYSTEMATIC 24u /* rounds, in each of which all parameters have the same telling value */

/* ---- launches ---- */

static void add_launch(struct kernel_search *s, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *most = s->code->entry->maxntid;
    uint64_t limit = most[0] ? (uint64_t)most[0] * most[1] * most[2] : KERNEL_THREADS_MAX;
    if (s->launches_count == KERNEL_LAUNCHES_MAX || (uint64_t)x * y * z > limit)
        return;
    for (uint32_t n = 0; n < s->launches_count; n++)
        if (s->launches[n][0] == x && s->launches[n][1] == y && s->launches[n][2] == z)
            return;
    uint32_t *launch = s->launches[s->launches_count++];
    launch[0] = x, launch[1] = y, launch[2] = z;
}

static bool uses_special(const struct code *code, enum ptx_special special, unsigned component)
{
    for (uint32_t n = 0; n < code->count; n++)
        for (unsigned k = 0; k < code->instructions[n].i->srcs_count; k++) {
            const struct module_operand *o = &code->instructions[n].i->srcs[k];
            if (o->kind == OPERAND_SPECIAL && o->special == special && o->component == component)
                return true;
        }
    return false;
}

static uint64_t threads_of(const uint32_t block[3])
{
    return (uint64_t)block[0] * block[1] * block[2];
}

/* A block barrier for a number of threads can only be meant for blocks that have so many. */
static uint64_t least_threads(const struct code *code)
{
    uint64_t least = 1;
    for (uint32_t n = 0; n < code->count; n++) {
        const struct module_instruction *i = code->instructions[n].i;
        bool counts = code->instructions[n].kind == CODE_BARRIER && i->srcs_count > 1;
        if (counts && i->srcs[1].kind == OPERAND_IMMEDIATE && i->srcs[1].value > least &&
            i->srcs[1].value <= KERNEL_THREADS_MAX)
            least = i->srcs[1].value;
    }
    return least;
}

/* The launch is a contract: the kernel or the user states it; otherwise blocks of whole warps are tried. */
static void find_launches(struct run *run)
{
    static const uint32_t lines[] = {64, 32, 256, 128, 1024, 512, 96, 160, 768};
    static const uint32_t planes[][3] = {{32, 4, 1}, {16, 16, 1}, {32, 32, 1}, {8, 8, 1}, {32, 8, 1}, {8, 64, 1}};
    static const uint32_t spaces[][3] = {{4, 4, 4}, {8, 8, 8}, {32, 2, 4}, {8, 4, 2}, {2, 2, 32}, {16, 4, 4}};
    const struct kernel_search_options *o = run->options;
    struct kernel_search *s = run->search;
    const uint32_t *required = run->code->entry->reqntid;
    const uint64_t least = least_threads(run->code);
    for (uint32_t n = 0; n < o->blocks_count; n++)
        add_launch(s, o->blocks[n][0], o->blocks[n][1], o->blocks[n][2]);
    if (o->blocks_count > 0)
        return;
    if (required[0]) {
        add_launch(s, required[0], required[1] ? required[1] : 1, required[2] ? required[2] : 1);
        return;
    }
    /* A bound below what every GPU takes is the extent that the kernel is made for. */
    const uint32_t *most = run->code->entry->maxntid;
    if (most[0] && (uint64_t)most[0] * most[1] * most[2] < KERNEL_THREADS_MAX) {
        add_launch(s, most[0], most[1], most[2]);
        return;
    }
    const struct kernel_extent extent = kernel_extent_of(run->code, NULL);
    s->slots.no_memory |= extent.no_memory;
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++)
        if (lines[n] >= least)
            add_launch(s, lines[n], 1, 1);
    for (uint32_t n = 0; n < extent.lines_count; n++)
        if (extent.lines[n] >= least)
            add_launch(s, extent.lines[n], 1, 1);
    run->lines_count = s->launches_count;
    if (extent.planes)
        for (size_t n = 0; n < sizeof spaces / sizeof spaces[0]; n++)
            if (threads_of(spaces[n]) >= least)
                add_launch(s, spaces[n][0], spaces[n][1], spaces[n][2]);
    if (extent.rows)
        for (size_t n = 0; n < sizeof planes / sizeof planes[0]; n++)
            if (threads_of(planes[n]) >= least)
                add_launch(s, planes[n][0], planes[n][1], planes[n][2]);
    run->launches_count = s->launches_count;
}

#define LOOK_AGAIN 64u /* executions */

/* What reads %tid.y may be code that no launch comes to, as of a library whose constants a compiler without
 * optimization has not followed. Then blocks of more than one dimension are not what the kernel is made for. */
static void leave_out_launches(struct run *run, uint64_t index)
{
    struct kernel_search *s = run->search;
    if (run->lines_count == run->launches_count || (index != run->lines_count && index % LOOK_AGAIN != 0) || index == 0)
        return;
    const struct kernel_extent extent = kernel_extent_of(run->code, kernel_visited(run->kernel));
    s->launches_count = extent.rows || extent.planes ? run->launches_count : run->lines_count;
}

/* ---- inputs ---- */

static uint64_t float_of(enum ptx_type type, uint64_t n)
{
    static const double values[] = {1, 0, 0.5, 2, -1, 3.25, 1e9, 100};
    double d = values[n % (sizeof values / sizeof values[0])];
    float f = (float)d;
    uint64_t bits = 0;
    if (type == PTX_F64)
        memcpy(&bits, &d, sizeof d);
    else
        memcpy(&bits, &f, sizeof f);
    return bits;
}

static uint64_t cut(uint64_t value, unsigned bytes)
{
    return bytes >= 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

/* Numbers that sizes usually are: near the block's size, near a warp's, small ones. */
static uint64_t interesting(uint64_t threads, uint64_t total, uint64_t n)
{
    const uint64_t values[] = {total,       1,         total - 1, 33,      0,  threads / 2, 31,        32,
                               threads + 1, 2 * total, 64,        100,     5,  total / 3,   total + 7, 63,
                               2,           1000,      16,        threads, 48, 127,         4,         3};
    return values[n % (sizeof values / sizeof values[0])];
}

uint64_t kernel_telling_number(const struct kernel_slot *slot, const struct kernel_input *in, uint64_t n)
{
    uint64_t threads = (uint64_t)in->block[0] * in->block[1] * in->block[2];
    uint64_t total = threads * in->grid[0] * in->grid[1] * in->grid[2];
    if (ptx_type_is_float(slot->type))
        return float_of(slot->type, n);
    return slot->bytes == 1 ? (n + 1) & 1 : cut(interesting(threads, total, n), slot->bytes);
}

/* One of the numbers with which the code compares integers, or a neighbour; `value` where there are none. */
static uint64_t compared(const struct run *run, uint64_t value, uint64_t mix)
{
    const uint32_t count = run->code->numbers_count;
    return count == 0 ? value : run->code->numbers[mix / 4 % count] + (mix % 4 == 2) - (mix % 4 == 3);
}

/* In round `n` all parameters have the n-th value; in later rounds each has its own. */
static void choose_params(struct run *run, struct kernel_input *in, uint64_t n, uint64_t mix)
{
    const struct kernel_slots *slots = &run->search->slots;
    kernel_slots_start(slots, in);
    for (uint32_t k = 0; k < slots->count; k++) {
        const struct kernel_slot *s = &slots->slots[k];
        const struct kernel_range *range = &run->options->ranges[k];
        uint64_t own = random_mix(mix + k * RANDOM_STEP), which = n < SYSTEMATIC ? n : own;
        uint64_t value;
        if (s->is_pointer)
            continue;
        if (range->is_set)
            value = (uint64_t)range->low + (n < 2 ? n * ((uint64_t)range->high - (uint64_t)range->low)
                                                  : own % ((uint64_t)range->high - (uint64_t)range->low + 1));
        else if (n >= SYSTEMATIC && own >> 60 > 12 && !ptx_type_is_float(s->type) && s->bytes > 1)
            value = compared(run, own >> 32 & 0xfff, own);
        else if (n >= SYSTEMATIC && own >> 60 == 0 && !ptx_type_is_float(s->type) && s->bytes > 1)
            value = own >> 32 & 0xfff;
        else
            value = kernel_telling_number(s, in, which);
        kernel_slot_set(s, in, cut(value, s->bytes));
    }
}

#define GRID_MOST 65536u

/* A kernel whose blocks wait for each other ends with one block alone, since no other is executed. */
static void choose_grid(struct run *run, struct kernel_input *in, uint64_t n, uint64_t mix)
{
    static const uint32_t sizes[] = {1, 2, 1, 4};
    const uint32_t *grid = run->options->grid;
    bool alone = uses_special(run->code, SPECIAL_ENVREG, 1) || uses_special(run->code, SPECIAL_ENVREG, 2);
    for (unsigned k = 0; k < 3; k++)
        in->grid[k] = grid[0] ? (grid[k] ? grid[k] : 1) : k == 0 && !alone ? sizes[n % 4] : 1;
    if (!grid[0] && !alone && n >= SYSTEMATIC && mix >> 61 == 0 && run->code->numbers_count > 0) {
        in->ctaid[0] = (uint32_t)(compared(run, 0, mix) % GRID_MOST);
        in->grid[0] = in->ctaid[0] + 1 + (uint32_t)(mix >> 40 & 1);
        return;
    }
    for (unsigned k = 0; k < 3; k++)
        in->ctaid[k] = n % 2 == 0 ? 0 : n < SYSTEMATIC ? in->grid[k] - 1 : (uint32_t)((mix >> 8 * k) % in->grid[k]);
}

/* Seldom tries memory with which executions rarely end: offsets of any bits, locks that another block holds. */
static enum kernel_pattern choose_pattern(const struct run *run, const enum kernel_pattern patterns[8], uint64_t first,
                                          uint64_t mix)
{
    const uint64_t count = run->code->numbers_count > 0 ? 8 : 7;
    for (uint64_t n = 0; n < count; n++) {
        enum kernel_pattern p = patterns[(first + n) % count];
        if (run->endless_with[p] <= 2 + run->ended_with[p] || mix % 64 == 0)
            return p;
    }
    return patterns[first % count];
}

/* Buffers hold what the user states. Of the others most inputs hold what their role allows; any contents are tried,
 * too. */
static void choose_contents(const struct run *run, struct kernel_input *in, uint64_t mix)
{
    const struct kernel_slots *slots = &run->search->slots;
    const bool expected = mix % 4 != 0;
    for (uint32_t n = 0; n < slots->count; n++) {
        const struct kernel_slot *s = &slots->slots[n];
        uint8_t stated = run->options->contents[n];
        if (!s->is_pointer)
            continue;
        in->contents[s->buffer] = stated;
        if (!stated && expected && !kernel_role_allows(s->role, in->pattern))
            in->contents[s->buffer] = (uint8_t)(1 + kernel_role_pattern(s->role, random_mix(mix + s->buffer) >> 8));
    }
}

/* Variables hold their initial value in every other input; else they are varied as far as their role lets one expect
 * it, seldom beyond. */
static void choose_variables(const struct run *run, struct kernel_input *in, uint64_t mix, bool initial)
{
    const struct kernel_slots *slots = &run->search->slots;
    for (uint32_t n = 0; n < slots->variables_count; n++) {
        const uint64_t own = random_mix(mix + n * RANDOM_STEP);
        const enum kernel_role role = slots->variables[n].role;
        enum kernel_pattern p = (enum kernel_pattern)(own >> 8 & 7);
        const bool expected = own % 8 != 0;
        if (expected && role == ROLE_COUNTER)
            p = kernel_role_pattern(role, own >> 8);
        in->variables[n] = run->options->variables[n];
        if (!in->variables[n] && !initial && !(expected && role == ROLE_STATE))
            in->variables[n] = (uint8_t)(1 + p);
    }
}

/* A number near another, or one that sizes usually are, within its range. */
static uint64_t change_number(const struct run *run, const struct kernel_input *in, uint32_t slot, uint64_t mix)
{
    const struct kernel_slot *s = &run->search->slots.slots[slot];
    const struct kernel_range *range = &run->options->ranges[slot];
    uint64_t value = kernel_slot_get(s, in), own = mix >> 8;
    uint64_t threads = (uint64_t)in->block[0] * in->block[1] * in->block[2];
    switch (mix % 8) {
    case 0:
        value += 1;
        break;
    case 1:
        value -= 1;
        break;
    case 2:
        value = own % 2 ? value * 2 : value / 2;
        break;
    case 3:
        value ^= UINT64_C(1) << own % (8 * s->bytes);
        break;
    case 4:
        value = own & 0xfff;
        break;
    case 5:
        value = interesting(threads, threads * in->grid[0], own);
        break;
    case 7:
        value = compared(run, value + 2, own);
        break;
    case 6: /* one digit */
        value ^= (own & 15) << 4 * ((own >> 4) % (2 * s->bytes));
        break;
    }
    if (ptx_type_is_float(s->type))
        value = float_of(s->type, own);
    if (range->is_set && ((int64_t)value < range->low || (int64_t)value > range->high))
        value = (uint64_t)range->low + own % ((uint64_t)range->high - (uint64_t)range->low + 1);
    return cut(value, s->bytes);
}

static void change_param(struct run *run, struct kernel_input *in, uint64_t mix)
{
    const struct kernel_slots *slots = &run->search->slots;
    for (uint32_t n = 0; n < slots->count; n++) {
        uint32_t slot = (uint32_t)((mix + n) % slots->count);
        if (slots->slots[slot].is_pointer)
            continue;
        kernel_slot_set(&slots->slots[slot], in, change_number(run, in, slot, random_mix(mix)));
        return;
    }
}

static void change(struct run *run, struct kernel_input *in, uint64_t mix, uint32_t *launch)
{
    const struct kernel_search *s = run->search;
    uint64_t own = mix >> 8;
    switch (mix % 8) {
    case 0:
        *launch = (uint32_t)(own % s->launches_count);
        memcpy(in->block, s->launches[*launch], sizeof in->block);
        break;
    case 1:
        in->pattern = (enum kernel_pattern)(own % KERNEL_PATTERNS);
        choose_contents(run, in, own >> 8);
        choose_variables(run, in, own >> 8, own >> 60 & 1);
        break;
    case 2:
        in->seed = own;
        break;
    case 3:
        if (run->uses_activemask)
            in->activemask = (enum kernel_activemask)(own % KERNEL_ACTIVEMASKS);
        in->shuffled = run->uses_schedule && own >> 8 & 1;
        in->schedule = in->shuffled ? (uint32_t)(own >> 16 & 0xff) : 0;
        break;
    case 4:
        choose_grid(run, in, own >> 20, own);
        break;
    default:
        change_param(run, in, own);
        break;
    }
}

/* Once the systematic rounds are over, three inputs in four come from one that reached something new. */
static bool choose_led(struct run *run, uint64_t index, struct kernel_input *in, uint32_t *launch)
{
    uint64_t mix = random_mix(~run->options->seed + index * RANDOM_STEP);
    if (run->led_count == 0 || index / run->search->launches_count < SYSTEMATIC || mix % 4 == 0)
        return false;
    *in = run->led[(mix >> 8) % run->led_count];
    for (uint32_t n = 0; n < run->search->launches_count; n++)
        if (memcmp(run->search->launches[n], in->block, sizeof in->block) == 0)
            *launch = n;
    for (uint64_t n = 0; n <= (mix >> 40 & 3); n++)
        change(run, in, random_mix(mix + n), launch);
    return true;
}

static void keep_led(struct run *run, const struct kernel_input *in)
{
    uint64_t news = kernel_news(run->kernel);
    if (news == 0 || run->outcome.ending == KERNEL_ENDLESS || !run->led)
        return;
    uint32_t at =
        run->led_count < LED_MAX ? run->led_count++ : (uint32_t)(random_mix(run->search->executions) % LED_MAX);
    run->led[at] = *in;
}

/* The launches take turns; after each turn of all, the rest changes. */
static void choose_input(struct run *run, uint64_t index, struct kernel_input *in)
{
    const struct kernel_search *s = run->search;
    static const enum kernel_pattern patterns[] = {KERNEL_SMALL,   KERNEL_BITS,  KERNEL_FLAGS,  KERNEL_ONES,
                                                   KERNEL_OFFSETS, KERNEL_ZEROS, KERNEL_RISING, KERNEL_NUMBERS};
    const uint32_t *launch = s->launches[index % s->launches_count];
    uint64_t round = index / s->launches_count, mix = random_mix(run->options->seed + index * RANDOM_STEP);
    memset(in, 0, offsetof(struct kernel_input, params));
    memcpy(in->block, launch, sizeof in->block);
    in->seed = round < 7 ? run->options->seed : mix;
    in->shared = run->options->shared;
    in->pattern = choose_pattern(run, patterns, round < SYSTEMATIC ? round : mix >> 40 & 7 ? mix >> 20 : 1, mix >> 8);
    choose_grid(run, in, round < SYSTEMATIC ? round / 2 : mix >> 50, mix);
    choose_params(run, in, round, mix);
    choose_contents(run, in, mix >> 30);
    choose_variables(run, in, mix >> 30, round % 2 == 0);
    if (run->uses_activemask)
        in->activemask = (enum kernel_activemask)(round % KERNEL_ACTIVEMASKS);
    in->shuffled = run->uses_schedule && round % 4 == 3;
}

/* A range may be meant as signed or as unsigned numbers. */
static bool is_in_range(const struct kernel_slot *s, const struct kernel_range *range, const struct kernel_input *in)
{
    const unsigned unused = 64 - 8 * s->bytes;
    const uint64_t value = kernel_slot_get(s, in);
    const int64_t plain = (int64_t)value, with_sign = (int64_t)(value << unused) >> unused;
    return !range->is_set || (plain >= range->low && plain <= range->high) ||
           (with_sign >= range->low && with_sign <= range->high);
}

/* Does the input keep what the caller promises? */
static bool is_allowed(const struct run *run, const struct kernel_input *in)
{
    const struct kernel_slots *slots = &run->search->slots;
    for (uint32_t n = 0; n < slots->count; n++)
        if (!slots->slots[n].is_pointer && !is_in_range(&slots->slots[n], &run->options->ranges[n], in))
            return false;
    for (uint32_t n = 0; n < run->options->requires_count; n++)
        if (!kernel_require_holds(&run->search->slots, &run->options->requires[n], in))
            return false;
    return true;
}

#define NUMBERS_TRIED 4096u /* of a range, until one keeps the other promises, too */

/* Looks for a number of the slot's range, from any one on, with which all promises hold. */
static bool mend_range(const struct run *run, struct kernel_input *in, uint32_t slot, uint64_t mix)
{
    const struct kernel_range *range = &run->options->ranges[slot];
    const uint64_t count = (uint64_t)range->high - (uint64_t)range->low + 1; /* 0: all numbers */
    for (uint64_t n = 0; n < NUMBERS_TRIED && (count == 0 || n < count); n++) {
        const uint64_t from = mix + n;
        kernel_slot_set(&run->search->slots.slots[slot], in, (uint64_t)range->low + (count ? from % count : from));
        if (is_allowed(run, in))
            return true;
    }
    return false;
}

/* Changes parameters so that the caller's promises hold. False: they cannot all hold, or it is not seen how. */
static bool keep_promises(const struct run *run, struct kernel_input *in, uint64_t index)
{
    for (uint32_t n = 0; n < run->options->requires_count; n++)
        kernel_require_mend(&run->search->slots, &run->options->requires[n], in);
    for (uint32_t n = 0; n < run->search->slots.count; n++)
        if (run->options->ranges[n].is_set && !is_allowed(run, in) &&
            mend_range(run, in, n, random_mix(run->options->seed + index)))
            return true;
    return is_allowed(run, in);
}

/* ---- what an execution shows ---- */

static bool is_one_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* One instruction, or what a compiler has made of one: the turns of an unrolled loop. */
static bool is_one_place(const struct code *code, uint32_t a, uint32_t b)
{
    const struct code_place x = code_place(code, a), y = code_place(code, b);
    if (x.line == 0 || x.line == x.ptx_line) /* of no line, or without .loc */
        return a == b;
    return a == b || (x.line == y.line && x.outer_line == y.outer_line && is_one_text(x.file, y.file) &&
                      is_one_text(x.outer_file, y.outer_file) && strcmp(x.text, y.text) == 0);
}

/* Do lanes at b's place take part in the event: wait for others, or miss them at a block barrier? */
static bool involves(const struct code *code, const struct kernel_event *a, const struct kernel_event *b)
{
    bool found = is_one_place(code, a->at, b->at);
    if (a->kind == KERNEL_BARRIER && a->apart == KERNEL_APART_PLACES)
        found |= is_one_place(code, a->from, b->at);
    for (uint32_t n = 0; n < a->waits_count && a->kind == KERNEL_DEADLOCK; n++)
        found |= a->waits[n].warp == a->warp && is_one_place(code, a->waits[n].at, b->at);
    return found;
}

/* Of lanes that wait for each other it is chance which are told first. */
static bool is_same(const struct code *code, const struct kernel_event *a, const struct kernel_event *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case KERNEL_BARRIER:
        return involves(code, a, b) || involves(code, b, a);
    case KERNEL_DEADLOCK:
        return involves(code, a, b) && involves(code, b, a);
    case KERNEL_UNPREDICTABLE:
        return is_one_place(code, a->at, b->at) && is_one_place(code, a->from, b->from);
    case KERNEL_UNDEFINED:
    case KERNEL_RACE:
    case KERNEL_CONVERGENCE:
        return is_one_place(code, a->at, b->at);
    case KERNEL_PAIRS:
    case KERNEL_PARTITION:
    case KERNEL_UNINITIALIZED:
    case KERNEL_EXITED:
    case KERNEL_KINDS:
        break;
    }
    return a->at == b->at;
}

bool kernel_shows(struct kernel *kernel, const struct kernel_input *input, uint64_t steps,
                  const struct kernel_event *wanted, struct kernel_event *event)
{
    struct kernel_outcome *o = malloc(sizeof *o);
    bool found = false;
    if (o && kernel_execute(kernel, input, steps, o))
        for (uint32_t n = 0; n < o->events_count && !found; n++)
            if (is_same(kernel_code(kernel), &o->events[n], wanted)) {
                *event = o->events[n];
                found = true;
            }
    free(o);
    return found;
}

bool kernel_input_is_expected(const struct kernel_search_options *options, const struct kernel_slots *slots,
                              const struct kernel_input *input)
{
    uint64_t stated = 0;
    for (uint32_t n = 0; n < slots->count; n++)
        stated |= (uint64_t)(options->contents[n] != 0) << n;
    for (uint32_t n = 0; n < slots->variables_count; n++)
        if (!options->variables[n] && !kernel_variable_is_expected(slots, input, n))
            return false;
    return kernel_contents_are_expected(slots, input, stated);
}

static bool is_expected(const struct run *run, const struct kernel_input *in)
{
    return kernel_input_is_expected(run->options, &run->search->slots, in);
}

/* The error shows with contents that a host may write, too: it is no question any more. */
static void answer(struct kernel_finding *f, const struct kernel_input *in, const struct kernel_event *event)
{
    f->is_question = false;
    f->input = *in;
    f->event = *event;
}

static void keep(struct run *run, const struct kernel_input *in, const struct kernel_event *event, uint32_t launch)
{
    struct kernel_search *s = run->search;
    const bool is_question = kernel_is_error(event->kind) && !is_expected(run, in);
    for (uint32_t n = 0; n < s->findings_count; n++)
        if (is_same(run->code, &s->findings[n].event, event)) {
            if (s->findings[n].is_question && !is_question)
                answer(&s->findings[n], in, event);
            s->findings[n].executions += s->findings[n].last != s->executions;
            s->findings[n].last = s->executions;
            s->findings[n].launches_with |= UINT32_C(1) << launch;
            return;
        }
    uint32_t room = kernel_is_error(event->kind) ? KERNEL_FINDINGS_MAX : KERNEL_FINDINGS_MAX / 2;
    if (s->findings_count >= room)
        return;
    s->findings[s->findings_count++] = (struct kernel_finding){.event = *event,
                                                               .input = *in,
                                                               .executions = 1,
                                                               .last = s->executions,
                                                               .launches_with = UINT32_C(1) << launch,
                                                               .is_question = is_question};
}

/* Once an execution has not ended, later ones get a lower limit: many times the steps that were enough so far. */
static uint64_t steps_for(const struct run *run)
{
    uint64_t enough = 20000 + 16 * run->longest;
    return run->search->endless > 0 && enough < run->options->steps ? enough : run->options->steps;
}

static bool execute(struct run *run, const struct kernel_input *in)
{
    struct kernel_search *s = run->search;
    struct kernel_outcome *o = &run->outcome;
    if (!kernel_execute(run->kernel, in, steps_for(run), o)) {
        if (!kernel_is_oversized(run->kernel)) {
            s->failed = true;
            snprintf(s->why, sizeof s->why, "out of memory for an execution");
            return false;
        }
        o->ending = KERNEL_ENDLESS; /* what it did so far is no whole execution */
        o->events_count = 0;
        s->executions++;
        s->oversized++;
        run->endless_with[in->pattern]++;
        return true;
    }
    if (o->ending == KERNEL_UNANSWERED) {
        s->failed = true;
        snprintf(s->why, sizeof s->why, "%s", o->why);
        return false;
    }
    s->executions++;
    if (o->ending == KERNEL_ENDED && o->steps > run->longest)
        run->longest = o->steps;
    run->ended_with[in->pattern] += o->ending != KERNEL_ENDLESS;
    run->endless_with[in->pattern] += o->ending == KERNEL_ENDLESS;
    s->steps += o->steps;
    s->lane_steps += o->lane_steps;
    s->groups += o->groups;
    s->wild += o->wild;
    s->trapped += o->ending == KERNEL_TRAPPED;
    if (o->ending == KERNEL_ENDLESS && s->endless++ == 0)
        s->endless_at = o->ended_at;
    run->uses_activemask |= o->saw_activemask;
    run->uses_schedule |= o->saw_schedule;
    return true;
}

static bool is_clean(const struct kernel_outcome *o)
{
    for (uint32_t n = 0; n < o->events_count; n++)
        if (kernel_is_error(o->events[n].kind))
            return false;
    return o->ending == KERNEL_ENDED;
}

static uint32_t find_activemask(const struct code *code)
{
    for (uint32_t n = 0; n < code->count; n++)
        if (code->instructions[n].i->op == OP_WARP && code->instructions[n].i->form == WARP_ACTIVEMASK_B32)
            return n;
    return 0;
}

/* Executes the same input with the friendliest partition: does memory end up different? */
static bool compare_partitions(struct run *run, const struct kernel_input *in, uint32_t launch)
{
    struct kernel_input friendly = *in;
    uint64_t digest = run->outcome.digest;
    if (in->activemask == KERNEL_TOGETHER || !is_clean(&run->outcome))
        return true;
    friendly.activemask = KERNEL_TOGETHER;
    if (!execute(run, &friendly))
        return false;
    if (is_clean(&run->outcome) && run->outcome.digest != digest) {
        uint32_t at = find_activemask(run->code);
        keep(run, in, &(struct kernel_event){.kind = KERNEL_PARTITION, .at = at, .from = at}, launch);
    }
    return true;
}

/* Does the event come of it that lanes of its warp missed each other at a block barrier? They may do so again at every
 * later one, and what it would have ordered races. */
static bool comes_of_missing(const struct kernel_outcome *o, uint32_t event)
{
    const struct kernel_event *e = &o->events[event];
    for (uint32_t n = 0; n < (e->kind == KERNEL_RACE ? o->events_count : event); n++)
        if (o->events[n].kind == KERNEL_BARRIER && o->events[n].warp == e->warp)
            return e->kind == KERNEL_RACE || e->kind == KERNEL_BARRIER;
    return false;
}

static bool try_input(struct run *run, const struct kernel_input *in, uint32_t launch)
{
    if (!execute(run, in))
        return false;
    run->search->launch_executions[launch]++;
    bool endless = run->outcome.ending == KERNEL_ENDLESS;
    run->search->launch_ended[launch] += !endless && run->outcome.ending != KERNEL_TRAPPED;
    keep_led(run, in);
    for (uint32_t n = 0; n < run->outcome.events_count && run->outcome.ending != KERNEL_TRAPPED; n++)
        if (!comes_of_missing(&run->outcome, n))
            keep(run, in, &run->outcome.events[n], launch);
    return endless || compare_partitions(run, in, launch);
}

/* ---- smaller ---- */

struct reducing {
    struct run *run;
    struct kernel_finding *finding;
    double until;
};

static bool same_inputs(const struct kernel_input *x, const struct kernel_input *y)
{
    return memcmp(x->block, y->block, sizeof x->block) == 0 && memcmp(x->grid, y->grid, sizeof x->grid) == 0 &&
           memcmp(x->ctaid, y->ctaid, sizeof x->ctaid) == 0 && x->shared == y->shared &&
           x->activemask == y->activemask && x->pattern == y->pattern &&
           memcmp(x->contents, y->contents, sizeof x->contents) == 0 &&
           memcmp(x->variables, y->variables, sizeof x->variables) == 0 && x->seed == y->seed &&
           x->shuffled == y->shuffled && x->schedule == y->schedule && x->one_lane == y->one_lane &&
           x->content == y->content && x->content_size == y->content_size && x->params_size == y->params_size &&
           memcmp(x->params, y->params, x->params_size) == 0;
}

static bool still(struct reducing *r, const struct kernel_input *in)
{
    struct kernel_event event;
    if (clock_seconds() > r->until || same_inputs(in, &r->finding->input) || !is_allowed(r->run, in) ||
        (kernel_is_error(r->finding->event.kind) && !r->finding->is_question && !is_expected(r->run, in)))
        return false;
    if (!kernel_shows(r->run->kernel, in, r->run->options->steps, &r->finding->event, &event))
        return false;
    r->finding->input = *in;
    r->finding->event = event;
    r->finding->is_question &= !is_expected(r->run, in);
    return true;
}

static bool reduce_launch(struct reducing *r)
{
    const struct kernel_search *s = r->run->search;
    bool changed = false;
    for (uint32_t n = 0; n < s->launches_count; n++) {
        struct kernel_input in = r->finding->input;
        if (threads_of(s->launches[n]) >= threads_of(in.block))
            continue;
        memcpy(in.block, s->launches[n], sizeof in.block);
        changed |= still(r, &in);
    }
    struct kernel_input one = r->finding->input;
    for (unsigned k = 0; k < 3 && !r->run->options->grid[0]; k++)
        one.grid[k] = 1, one.ctaid[k] = 0;
    if (still(r, &one))
        return true;
    one = r->finding->input;
    memset(one.ctaid, 0, sizeof one.ctaid);
    return still(r, &one) || changed;
}

/* A buffer that holds something of its own may do with what all hold, or with one number everywhere. */
static bool reduce_contents(struct reducing *r)
{
    static const uint8_t simpler[] = {0, 1 + KERNEL_ZEROS, 1 + KERNEL_ONES, 1 + KERNEL_RISING, 1 + KERNEL_OFFSETS};
    const struct kernel_slots *slots = &r->run->search->slots;
    bool changed = false;
    for (uint32_t k = 0; k < slots->count; k++) {
        const uint32_t buffer = slots->slots[k].buffer;
        const bool plain = slots->slots[k].role == ROLE_DATA && !r->finding->input.contents[buffer];
        if (!slots->slots[k].is_pointer || plain || r->run->options->contents[k])
            continue;
        /* Of a question as few buffers as possible hold what is not expected. */
        for (size_t n = r->finding->is_question; n < sizeof simpler; n++) {
            if (simpler[n] == r->finding->input.contents[buffer])
                break;
            struct kernel_input in = r->finding->input;
            in.contents[buffer] = simpler[n];
            if (still(r, &in)) {
                changed = true;
                break;
            }
        }
    }
    return changed;
}

static bool reduce_variables(struct reducing *r)
{
    static const uint8_t simpler[] = {0, 1 + KERNEL_ONES, 1 + KERNEL_FLAGS, 1 + KERNEL_SMALL};
    bool changed = false;
    for (uint32_t k = 0; k < r->run->search->slots.variables_count; k++)
        for (size_t n = 0; n < sizeof simpler && !r->run->options->variables[k]; n++) {
            struct kernel_input in = r->finding->input;
            if (in.variables[k] == simpler[n])
                break;
            in.variables[k] = simpler[n];
            if (still(r, &in)) {
                changed = true;
                break;
            }
        }
    return changed;
}

static bool reduce_rest(struct reducing *r)
{
    static const enum kernel_pattern simpler[] = {KERNEL_ZEROS, KERNEL_ONES, KERNEL_FLAGS, KERNEL_SMALL};
    bool changed = false;
    struct kernel_input in = r->finding->input;
    in.activemask = KERNEL_TOGETHER;
    changed |= still(r, &in);
    in = r->finding->input;
    in.shuffled = false;
    in.schedule = 0;
    changed |= still(r, &in);
    for (size_t n = 0; n < 4 && simpler[n] != r->finding->input.pattern; n++) {
        in = r->finding->input;
        in.pattern = simpler[n];
        if (still(r, &in)) {
            changed = true;
            break;
        }
    }
    in = r->finding->input;
    in.seed = 1;
    return still(r, &in) || changed;
}

static bool reduce_params(struct reducing *r)
{
    const struct kernel_slots *slots = &r->run->search->slots;
    bool changed = false;
    for (uint32_t k = 0; k < slots->count; k++) {
        const struct kernel_slot *s = &slots->slots[k];
        const struct kernel_range *range = &r->run->options->ranges[k];
        uint64_t low = range->is_set ? (uint64_t)range->low : 0;
        if (s->is_pointer)
            continue;
        for (uint64_t step = 0; step < 20; step++) {
            struct kernel_input in = r->finding->input;
            uint64_t value = kernel_slot_get(s, &in), least = step < 4 ? low + step : low + (value - low) / 2;
            if (step >= 12)
                least = value - 1;
            if (least >= value || least < low || (ptx_type_is_float(s->type) && step > 0))
                continue;
            kernel_slot_set(s, &in, least);
            changed |= still(r, &in);
        }
    }
    return changed;
}

static void reduce(struct run *run, struct kernel_finding *f, double until)
{
    struct reducing r = {run, f, until};
    struct kernel_event event;
    bool changed = true;
    for (unsigned turn = 0; turn < 4 && changed && clock_seconds() < until; turn++) {
        changed = reduce_launch(&r);
        changed |= reduce_params(&r);
        changed |= reduce_rest(&r);
        changed |= reduce_contents(&r);
        changed |= reduce_variables(&r);
    }
    f->replayed = f->event.kind == KERNEL_PARTITION ||
                  kernel_shows(run->kernel, &f->input, run->options->steps, &f->event, &event);
}

/* Tries the input of a question with what a host may be expected to write. */
static void ask_expected(struct run *run, struct kernel_finding *f, double until)
{
    struct kernel_event event;
    const struct kernel_slots *slots = &run->search->slots;
    for (uint64_t n = 0; n < ASKED && f->is_question && clock_seconds() < until; n++) {
        struct kernel_input in = f->input;
        in.seed = n < ASKED / 2 ? in.seed : random_mix(n);
        in.pattern = n % 3 == 0 ? KERNEL_BITS : n % 3 == 1 ? KERNEL_FLAGS : in.pattern;
        for (uint32_t k = 0; k < slots->count; k++) {
            const struct kernel_slot *s = &slots->slots[k];
            if (s->is_pointer && !run->options->contents[k] &&
                !kernel_role_allows(s->role, kernel_contents(&in, s->buffer)))
                in.contents[s->buffer] = (uint8_t)(1 + kernel_role_pattern(s->role, n / 3));
        }
        for (uint32_t k = 0; k < slots->variables_count; k++)
            if (!run->options->variables[k] && !kernel_variable_is_expected(slots, &in, k))
                in.variables[k] = slots->variables[k].role == ROLE_STATE
                                      ? 0
                                      : (uint8_t)(1 + kernel_role_pattern(slots->variables[k].role, n / 3));
        if (is_expected(run, &in) && kernel_shows(run->kernel, &in, run->options->steps, &f->event, &event))
            answer(f, &in, &event);
    }
}

/* ---- which values are clean ---- */

#define SWEEP 192u

static bool fits(const struct kernel_rule *rule, uint64_t value)
{
    switch (rule->kind) {
    case RULE_MULTIPLE:
        return value % rule->number == 0;
    case RULE_BELOW:
        return value < rule->number;
    case RULE_FROM:
        return value >= rule->number;
    case RULE_NONE:
    case RULE_NEVER_CLEAN:
        break;
    }
    return false;
}

static bool explains(const struct kernel_rule *rule, const bool clean[SWEEP])
{
    for (uint64_t value = 0; value < SWEEP; value++)
        if (fits(rule, value) != clean[value])
            return false;
    return true;
}

static struct kernel_rule find_rule(const bool clean[SWEEP], uint32_t slot)
{
    struct kernel_rule rule = {.slot = slot, .tried = SWEEP};
    for (unsigned n = 0; n < SWEEP; n++)
        rule.clean += clean[n];
    if (rule.clean == SWEEP || rule.clean == 0)
        return rule;
    for (rule.kind = RULE_MULTIPLE, rule.number = 2; rule.number <= SWEEP / 2; rule.number++)
        if (explains(&rule, clean))
            return rule;
    for (rule.number = 1; rule.number < SWEEP; rule.number++) {
        rule.kind = RULE_FROM;
        if (explains(&rule, clean))
            return rule;
        rule.kind = RULE_BELOW;
        if (explains(&rule, clean))
            return rule;
    }
    rule.kind = RULE_NONE;
    return rule;
}

/* Does any block of the grid show it? */
static bool grid_shows(struct run *run, struct kernel_input *in, const struct kernel_event *wanted)
{
    struct kernel_event event;
    for (in->ctaid[0] = 0; in->ctaid[0] < in->grid[0]; in->ctaid[0]++)
        if (kernel_shows(run->kernel, in, run->options->steps, wanted, &event))
            return true;
    return false;
}

/* Executes the witness with every small value of one parameter, the others unchanged, in a grid that covers all
 * values. */
static void infer(struct run *run, struct kernel_finding *f, double until)
{
    const struct kernel_slots *slots = &run->search->slots;
    for (uint32_t k = 0; k < slots->count && f->rule.kind == RULE_NONE; k++) {
        bool clean[SWEEP];
        if (slots->slots[k].is_pointer || ptx_type_is_float(slots->slots[k].type) || slots->slots[k].bytes < 4)
            continue;
        struct kernel_input in = f->input;
        uint64_t value;
        if (!run->options->grid[0] && in.grid[0] == 1)
            in.grid[0] = (uint32_t)(SWEEP / threads_of(in.block) + 1);
        for (value = 0; value < SWEEP && clock_seconds() < until; value++) {
            kernel_slot_set(&slots->slots[k], &in, value);
            clean[value] = !grid_shows(run, &in, &f->event);
        }
        if (value == SWEEP)
            f->rule = find_rule(clean, k);
    }
}

/* ---- all together ---- */

static void count_seen(struct run *run)
{
    const uint8_t *visited = kernel_visited(run->kernel);
    for (uint32_t n = 0; n < run->code->count; n++) {
        if (run->code->instructions[n].kind != CODE_WARP)
            continue;
        run->search->warp_instructions++;
        run->search->warp_instructions_seen += visited[n];
    }
}

bool kernel_finding_is_error(const struct kernel_finding *finding)
{
    return kernel_is_error(finding->event.kind) && !finding->is_question;
}

uint32_t kernel_errors(const struct kernel_search *search)
{
    uint32_t errors = 0;
    for (uint32_t n = 0; n < search->findings_count; n++)
        errors += kernel_finding_is_error(&search->findings[n]);
    return errors;
}

bool kernel_is_unknown(const struct kernel_search *search)
{
    return kernel_errors(search) == 0 && search->endless + search->trapped + search->oversized >= search->executions;
}

/* Errors before questions before notes, each in the order of the code. */
static int compare_findings(const void *a, const void *b)
{
    const struct kernel_finding *x = a, *y = b;
    int ex = kernel_is_error(x->event.kind) + kernel_finding_is_error(x);
    int ey = kernel_is_error(y->event.kind) + kernel_finding_is_error(y);
    if (ex != ey)
        return ex > ey ? -1 : 1;
    return x->event.at < y->event.at ? -1 : x->event.at > y->event.at;
}

static void run_free(struct run *run)
{
    if (run) {
        kernel_free(run->kernel);
        free(run->led);
    }
    free(run);
}

/* Starts a search: the parameters and launches are known then. NULL: no memory. */
static struct run *run_new(const struct code *code, const struct kernel_search_options *options,
                           struct kernel_search *search)
{
    struct run *run = calloc(1, sizeof *run);
    *search = (struct kernel_search){.code = code};
    kernel_find_slots(code, &search->slots);
    if (!run || search->slots.no_memory) {
        free(run);
        return NULL;
    }
    *run =
        (struct run){.code = code, .options = options, .search = search, .until = clock_seconds() + options->seconds};
    run->kernel = kernel_new(code, options->impl);
    run->led = calloc(LED_MAX, sizeof *run->led);
    if (!run->kernel || !run->led) {
        run_free(run);
        return NULL;
    }
    find_launches(run);
    return run;
}

/* ---- inputs for another machine ---- */

static bool has_kind(const struct kernel_outcome *o, enum kernel_kind kind)
{
    for (uint32_t n = 0; n < o->events_count; n++)
        if (o->events[n].kind == kind)
            return true;
    return false;
}

#define SCHEDULES 16u /* that are compared: the friendliest and random ones */

/* Does memory end up the same whatever the schedule and activemask? */
static bool is_settled(struct run *run, const struct kernel_input *in)
{
    if (!execute(run, in) || !is_clean(&run->outcome) || run->outcome.wild > 0 ||
        run->outcome.open == KERNEL_OPEN_TARGET || has_kind(&run->outcome, KERNEL_UNINITIALIZED))
        return false;
    const uint64_t digest = run->outcome.digest;
    for (unsigned n = 1; n < SCHEDULES * KERNEL_ACTIVEMASKS; n++) {
        struct kernel_input other = *in;
        other.activemask = (enum kernel_activemask)(n / SCHEDULES);
        other.shuffled = n % SCHEDULES > 0;
        other.schedule = n % SCHEDULES;
        if (!execute(run, &other) || !is_clean(&run->outcome) || run->outcome.digest != digest)
            return false;
    }
    return true;
}

uint32_t kernel_clean_inputs(const struct code *code, const struct kernel_search_options *options,
                             struct kernel_input *inputs, uint32_t most)
{
    struct kernel_search_options one = *options;
    struct kernel_search *search = calloc(1, sizeof *search);
    struct run *run = search ? run_new(code, &one, search) : NULL;
    uint32_t count = 0;
    for (unsigned k = 0; k < 3; k++)
        one.grid[k] = 1;
    for (uint64_t n = 0; run && search->launches_count > 0 && count < most && clock_seconds() < run->until; n++) {
        struct kernel_input in;
        choose_input(run, n, &in);
        in.activemask = KERNEL_TOGETHER;
        in.shuffled = false;
        memset(in.variables, 0, sizeof in.variables);
        if (options->executions > 0 && n >= options->executions)
            break;
        if (is_settled(run, &in))
            inputs[count++] = in;
    }
    run_free(run);
    free(search);
    return count;
}

#define QUIET 0.7 /* seconds */

/* Reduces what was found, and puts it in order. */
static void finish(struct run *run, double start)
{
    struct kernel_search *search = run->search;
    const struct kernel_search_options *options = run->options;
    double most = options->seconds > 1 ? options->seconds : 1, share = most / (search->findings_count + 1);
    for (uint32_t n = 0; n < search->findings_count && !interrupted(); n++) {
        ask_expected(run, &search->findings[n], clock_seconds() + share);
        reduce(run, &search->findings[n], clock_seconds() + share);
        if (kernel_finding_is_error(&search->findings[n]))
            infer(run, &search->findings[n], clock_seconds() + share / 2);
    }
    qsort(search->findings, search->findings_count, sizeof search->findings[0], compare_findings);
    count_seen(run);
    search->seconds = clock_seconds() - start;
}

void kernel_search_prepare(const struct code *code, const struct kernel_search_options *options,
                           struct kernel_search *search)
{
    struct run run = {.code = code, .options = options, .search = search};
    *search = (struct kernel_search){.code = code};
    kernel_find_slots(code, &search->slots);
    find_launches(&run);
}

bool kernel_search_input(const struct code *code, const struct kernel_search_options *options,
                         const struct kernel_input *input, struct kernel_search *search)
{
    double start = clock_seconds();
    struct run *run = run_new(code, options, search);
    if (!run) {
        snprintf(search->why, sizeof search->why, "out of memory");
        return false;
    }
    uint32_t launch = 0;
    for (uint32_t n = 0; n < search->launches_count; n++)
        if (memcmp(search->launches[n], input->block, sizeof input->block) == 0)
            launch = n;
    if (try_input(run, input, launch))
        finish(run, start);
    run_free(run);
    return !search->failed && search->executions > 0;
}

bool kernel_search(const struct code *code, const struct kernel_search_options *options, struct kernel_search *search)
{
    struct kernel_input in;
    double start = clock_seconds();
    struct run *run = run_new(code, options, search);
    if (!run) {
        snprintf(search->why, sizeof search->why, "out of memory");
        return false;
    }
    if (search->launches_count == 0)
        snprintf(search->why, sizeof search->why, "no launch of at most %u threads fits", KERNEL_THREADS_MAX);
    /* Each launch gets a few turns, however long they take, within reason. */
    uint64_t least = 2 * search->launches_count;
    uint32_t known = 0;
    double news = start;
    for (uint64_t n = 0; search->launches_count > 0 && (options->executions == 0 || n < options->executions); n++) {
        double now = clock_seconds();
        if (search->findings_count != known) {
            known = search->findings_count;
            news = now;
        }
        /* With an error in hand, and nothing new for a while, telling it comes first. */
        if (options->executions == 0 && kernel_errors(search) > 0 && n >= least && now - news > QUIET)
            break;
        if (interrupted() || (now > run->until && (n >= least || now > run->until + 3 * options->seconds)))
            break;
        leave_out_launches(run, n);
        uint32_t launch = (uint32_t)(n % search->launches_count);
        if (!choose_led(run, n, &in, &launch))
            choose_input(run, n, &in);
        if (!keep_promises(run, &in, n))
            continue;
        if (!try_input(run, &in, launch))
            break;
    }
    finish(run, start);
    run_free(run);
    if (search->executions == 0 && search->why[0] == '\0')
        snprintf(search->why, sizeof search->why, "nothing was executed %s",
                 interrupted() ? "before it was interrupted"
                 : options->requires_count > 0
                     ? "within --time and --executions: no input was met that fulfils --require"
                     : "within --time and --executions");
    return !search->failed && search->executions > 0;
}
