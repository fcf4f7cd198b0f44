/* warpcheck explain: what an instruction does with these operands, lane by lane. */
#include "base/text.h"
#include "cli/ui/draw.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of a one-line case; those that are not given have defaults. */
struct request {
    const struct warp_form_info *info;
    const char *dst;
    bool negate;
    const char *keys[7]; /* in the order of `names` */
    char width_c[24];
};
static const char *const names[] = {"target", "exited", "active", "a", "b", "c", "membermask"};
enum { TARGET, EXITED, ACTIVE, A, B, C, MEMBERMASK, KEYS };

/* Always false. */
static bool given_twice(const char *word)
{
    usage_error(&command_explain, "'%s': that operand is given already; give each once", word);
    return false;
}

static bool set_width(struct request *request, const char *value)
{
    uint64_t width = 0;
    if (!warp_form_is_shfl(request->info) || !text_number(value, &width) || width == 0 || width > 32 ||
        (width & (width - 1)) != 0) {
        usage_error(&command_explain, "width=%s: a width is 1, 2, 4, 8, 16 or 32, and only shfl has one", value);
        return false;
    }
    snprintf(request->width_c, sizeof request->width_c, "0x%x", warp_width_c(request->info->op, (unsigned)width));
    request->keys[C] = request->width_c;
    return true;
}

static bool set_word(struct request *request, const char *word)
{
    for (uint32_t dst = 0; dst < WARP_DST_COUNT; dst++) {
        if (strcmp(word, warp_dst_name(dst)) == 0) {
            if (request->dst)
                return given_twice(word);
            request->dst = word;
            return true;
        }
    }
    if (strcmp(word, "!a") == 0)
        return request->negate ? given_twice(word) : (request->negate = true);
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : 0;
    if (length == 5 && strncmp(word, "width", 5) == 0)
        return request->keys[C] ? given_twice(word) : set_width(request, equals + 1);
    for (size_t i = 0; equals && i < KEYS; i++) {
        if (strlen(names[i]) == length && strncmp(names[i], word, length) == 0) {
            if (request->keys[i])
                return given_twice(word);
            request->keys[i] = equals + 1;
            return true;
        }
    }
    usage_error(&command_explain,
                "'%s' is not understood; give a, b, c, width, membermask, active, exited or target as "
                "NAME=VALUE, the destinations (d, d|p, _|p, d|_, none), or !a",
                word);
    return false;
}

static bool default_operand(const struct request *request, size_t key, char *text, size_t size)
{
    const struct warp_form_info *info = request->info;
    if (key == A && info->type == WARP_PRED)
        snprintf(text, size, "1*16,0*16");
    else if (key == A && info->type == WARP_F32)
        snprintf(text, size, "0f3f800000+0x800000*32");
    else if (key == A)
        snprintf(text, size, "0x100+1*32");
    else if (key == B)
        snprintf(text, size, "1*32");
    else if (key == C)
        snprintf(text, size, "0x%x*32", warp_width_c(info->op, 32));
    else
        snprintf(text, size, "0xffffffff*32");
    return (key == A && info->type != WARP_NO_SOURCE) || ((key == B || key == C) && warp_form_is_shfl(info)) ||
           (key == MEMBERMASK && warp_form_is_sync(info));
}

/* A current target, on which lanes wait for each other; for forms that it lacks the least one. */
static const char *default_target(const struct warp_form_info *info)
{
    const uint32_t today = WARP_TARGET(90, 0);
    return warp_target_name(warp_legal_from(info, today) != 0 ? today : warp_form_least_target(info));
}

/* A single value stands for all lanes. */
static size_t add_key(const struct request *request, size_t key, char *text, size_t size)
{
    char value[64];
    const char *given = request->keys[key];
    if (key == TARGET)
        return (size_t)snprintf(text, size, " target=%s", given ? given : default_target(request->info));
    if (key == EXITED || key == ACTIVE)
        return (size_t)snprintf(text, size, " %s=%s", names[key], given ? given : key == ACTIVE ? "0xffffffff" : "0x0");
    bool has = default_operand(request, key, value, sizeof value);
    if (!given)
        return has ? (size_t)snprintf(text, size, " %s=%s", names[key], value) : 0;
    return (size_t)snprintf(text, size, " %s=%s%s", names[key], given, strpbrk(given, "*,") ? "" : "*32");
}

static bool make_case(const struct request *request, struct warp_text *text)
{
    char line[WARP_TEXT_MAX];
    struct warp_text_error error;
    const char *dst = request->dst;
    if (!dst)
        dst = warp_dst_name(warp_form_widest_dst(request->info));
    size_t used =
        (size_t)snprintf(line, sizeof line, "warp1 %s %s%s", request->info->name, dst, request->negate ? " !a" : "");
    for (size_t key = 0; key < KEYS && used < sizeof line; key++)
        used += add_key(request, key, line + used, sizeof line - used);
    if (used >= sizeof line) {
        usage_error(&command_explain, "the operands are longer than any case");
        return false;
    }
    if (warp_text_parse(line, used, text, &error))
        return true;
    usage_error(&command_explain, "%s (column %zu of: %.300s)", error.what, error.column, line);
    return false;
}

/* The lines that say which rule applies; the table shows the rest. */
static void print_rule(const struct warp_form_info *info)
{
    static const char *const shfl[] = {"up: j = lane - b, in range when j >= maxLane",
                                       "down: j = lane + b, in range when j <= maxLane",
                                       "bfly: j = lane ^ b, in range when j <= maxLane",
                                       "idx: j = minLane | (b & ~segmask), in range when j <= maxLane"};
    if (warp_form_is_shfl(info))
        printf("  %s; p says so.\n"
               "  Out of range: the lane keeps its own a. d is unpredictable when lane j is not in the group.\n"
               "  b counts modulo 32; clamp = c[4:0], segmask = c[12:8]; minLane = lane & segmask;\n"
               "  maxLane = minLane | (clamp & ~segmask).\n",
               shfl[info->op]);
    if (warp_form_is_sync(info))
        printf("  A lane waits until every non-exited lane of its membermask executes this instruction with the\n"
               "  same membermask; these lanes are its group. A lane outside its own membermask is undefined.\n");
    else
        printf("  No membermask: the group is the active lanes.\n");
}

static int explain(const struct request *request, bool some)
{
    struct warp_text text;
    struct warp_result result;
    char why[256];
    if (!make_case(request, &text))
        return STATUS_USAGE;
    if (ask_case(spec_get(), &text.c, &result, why, sizeof why) != ANSWER_GIVEN)
        return usage_error(&command_explain, "spec: %s", why);
    struct drawing drawing = {
        .c = &text.c, .expected = &result, .expected_name = "spec", .all = !some, .explain = true};
    print_rule(request->info);
    printf("\n");
    draw_case(stdout, &drawing);
    return STATUS_AGREE;
}

/* The form of that name, or the only one of an instruction of that name ("activemask"); else NULL after one line. */
static const struct warp_form_info *find_form(const char *word)
{
    const struct warp_form_info *const exact = warp_form_find(word), *only = NULL;
    const uint32_t families = exact ? 0 : option_families(word, NULL);
    size_t forms = 0;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *const info = warp_form_get(form);
        if (families >> info->family & 1u && forms++ == 0)
            only = info;
    }
    if (exact || forms == 1)
        return exact ? exact : only;
    if (forms > 1)
        usage_error(&command_explain, "'%s' has %zu forms: give one, as %s (warpcheck list instructions)", word, forms,
                    only->name);
    else
        option_unknown_instruction(&command_explain, word);
    return NULL;
}

static int run_main(int argc, char **argv)
{
    struct request request = {.info = NULL};
    bool some = false;
    const struct option table[] = {
        {OPT_SOME, &some, NULL, false},
    };
    int operands = options_parse(&command_explain, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands == 0)
        return usage_error(&command_explain, "needs an instruction: warpcheck explain shfl.sync.up.b32 b=1 c=0");
    request.info = find_form(argv[1]);
    if (!request.info)
        return STATUS_USAGE;
    for (int i = 2; i <= operands; i++)
        if (!set_word(&request, argv[i]))
            return STATUS_USAGE;
    return explain(&request, some);
}

const struct command command_explain = {
    .name = "explain",
    .summary = "what an instruction does with these operands, drawn lane by lane",
    .help = "usage: warpcheck explain INSTRUCTION [OPERAND=VALUE...] [OPTION...]\n"
            "\n"
            "INSTRUCTION is spelled as in PTX. Operands: a, b, c, membermask (one value for all lanes, or a\n"
            "list of 32: v*n is n times v, v+s*n is v, v+s, v+2s...), width (instead of c: the width of CUDA's\n"
            "__shfl_*_sync), active, exited, target, the destinations (d, d|p, _|p, d|_, none), !a.\n"
            "All have defaults.\n"
            "\n"
            "  warpcheck explain shfl.sync.up.b32 b=1 c=0\n"
            "  warpcheck explain shfl.sync.bfly.b32 b=4 width=8 active=0xff membermask=0xff --some\n"
            "  warpcheck explain vote.sync.ballot.b32 a=1*4,0*28 membermask=0xff active=0xff\n",
    .run = run_main};
