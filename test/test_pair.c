/*
 * The proof by two lanes on the museum (corpus/kernels/): no entry that is named bad_ is proved, unless it is wrong by
 * a race alone, of which the proof says nothing, or in another launch; every entry that is named good_ is proved, but
 * for those that are listed here with the reason.
 *
 * usage: test_pair quick|all FILE.ptx...
 */
#include "base/file.h"
#include "smt/pair/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Wrong only when the block is not a multiple of 32 threads in one dimension. */
static const char *const other_launch[] = {"bad_deadlock_row_of_16", "bad_unpredictable_half_warp", "bad_deadlock_3d"};

/* Right, and not proved. */
static const struct {
    const char *name, *why;
} open_ones[] = {
    {"good_both_branches", "lanes of two places make one group"},
    {"good_producer_consumer", "a barrier for a part of the block"},
    {"good_named_barrier", "a barrier for a part of the block"},
    {"good_roles", "a barrier for a part of the block"},
    {"good_lambda", "a product of two sizes of the launch"},
    {"good_mask_of_all", "many masks of earlier turns"},
};

/* Minutes on a busy machine. */
static const char *const slow[] = {"good_softmax",
                                   "good_scan",
                                   "good_warp_merge_sort",
                                   "good_mask_of_all",
                                   "good_turns_agree",
                                   "bad_deadlock_turns_differ",
                                   "bad_undefined_mask_of_earlier_turn",
                                   "bad_unpredictable_loop_bound"};

static unsigned failures, proved_count, bad_count;

static bool is_in(const char *name, const char *const *list, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (strcmp(name, list[n]) == 0)
            return true;
    return false;
}

static const char *open_reason(const char *name)
{
    for (size_t n = 0; n < sizeof open_ones / sizeof open_ones[0]; n++)
        if (strcmp(name, open_ones[n].name) == 0)
            return open_ones[n].why;
    return NULL;
}

static void fail(const char *name, const char *what, const char *why)
{
    printf("FAIL: %s: %s%s%s\n", name, what, why[0] != '\0' ? ": " : "", why);
    failures++;
}

static void judge(const char *name, bool walked, const struct pair_outcome *o, const char *why)
{
    bool whole = walked;
    for (size_t i = 0; i < o->count; i++)
        whole &= o->items[i].verdict == PAIR_PROVED;
    if (strncmp(name, "bad_", 4) == 0) {
        bad_count++;
        if (whole && strncmp(name, "bad_race", 8) != 0 &&
            !is_in(name, other_launch, sizeof other_launch / sizeof other_launch[0]))
            fail(name, "wrong, and proved", "");
    } else if (strncmp(name, "good_", 5) == 0) {
        proved_count += whole;
        if (!whole && open_reason(name) == NULL)
            fail(name, "right, and not proved", why);
    }
}

static void look_at(const struct module *module, uint32_t function)
{
    const struct module_function *const f = &module->functions[function];
    struct error error = {0};
    struct code *const code = code_new(module, function, &error);
    struct pair_options options = {.effort = PAIR_EFFORT, .seconds = 300};
    struct pair_outcome outcome;
    struct kernel_slots slots;
    bool walked;
    if (code == NULL) {
        fail(f->name, "not read", error.text);
        return;
    }
    kernel_find_slots(code, &slots);
    options.slots = &slots;
    if (f->reqntid[0] != 0)
        for (unsigned d = 0; d < 3; d++)
            options.launch.block[d] = f->reqntid[d] != 0 ? f->reqntid[d] : 1;
    walked = pair_prove(code, &options, &outcome, &error);
    judge(f->name, walked, &outcome, error.text);
    pair_outcome_free(&outcome);
    code_free(code);
}

static void look_into(const char *path, bool quick)
{
    struct error error;
    size_t size;
    char *const text = file_read(path, MODULE_TEXT_MAX, &size, &error);
    struct module *const module = text != NULL ? module_read(text, size, path, &error) : NULL;
    if (module == NULL) {
        fail(path, "not read", error.text);
        return;
    }
    for (uint32_t n = 0; n < module->functions_count; n++) {
        const struct module_function *const f = &module->functions[n];
        if (f->is_entry && !(quick && is_in(f->name, slow, sizeof slow / sizeof slow[0])))
            look_at(module, n);
    }
    module_free(module);
    free(text);
}

int main(int argc, char **argv)
{
    for (int n = 2; n < argc; n++)
        look_into(argv[n], strcmp(argv[1], "quick") == 0);
    printf("%u right ones proved, %u wrong ones not; %u failures\n", proved_count, bad_count, failures);
    if (proved_count == 0 || bad_count == 0) {
        printf("FAIL: a test that sees only one side shows nothing\n");
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
