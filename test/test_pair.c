/*
 * The proof by two lanes on the museum (corpus/kernels/): no entry that is named bad_ is proved, unless it is wrong in
 * another launch; races are asked about where one is planted, and in their own file; every entry that is named good_ is
 * proved, but for those that are listed here with the reason.
 *
 * usage: test_pair [quick|all FILE.ptx...]
 */
#include "base/file.h"
#include "smt/pair/pair.h"
#include "test/sample.h"

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
    {"good_turns", "lanes that exit behind a loop, each after its own turns"},
    {"good_activemask_of_loop", "lanes that exit behind a loop, each after its own turns"},
    {"good_mask_of_all", "many masks of earlier turns"},
    {"good_rank", "a source lane that is found in what activemask says"},
    {"good_by_key", "a loop over the lanes of a group of match"},
    {"good_meeting_after_loop", "lanes that leave a loop after their own turns and meet behind it"},
    {"good_leaving", "lanes that leave a loop and exit, each after its own turns"},
    {"good_lock", "a loop that polls shared memory"},
    {"good_flag", "a loop that polls shared memory"},
    {"good_grid", "a loop that polls what may be shared memory"},
    {"good_legacy", "warp instructions without .sync"},
    {"good_named_count", "a barrier for a part of the block"},
    {"good_hand_over", "a barrier for a part of the block"},
    {"good_mask_of_each_warp", "a membermask that came through shared memory"},
    {"good_with_leader", "pointers that may overlap: it is read twice, and another warp may write between"},
    {"good_equal_keys_in_turn", "the lanes of earlier turns, taken out of a mask"},
    {"good_each_in_turn", "lanes that leave a loop after their own turns, each out of the mask of the others"},
    {"good_four_branches", "lanes of four places make one group"},
    {"good_outer_calls_by_warp", "a barrier at another place for each warp"},
    {"good_coalesced_within", "a source lane that is found in what activemask says"},
};

/* Wrong by a race, and too many places for the time that there is. */
static const char slow_race[] = "bad_race_network";

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

static void judge(const char *name, bool races, bool walked, const struct pair_outcome *o, const char *why)
{
    bool whole = walked;
    for (size_t i = 0; i < o->count; i++)
        whole &= o->items[i].verdict == PAIR_PROVED;
    if (strncmp(name, "bad_", 4) == 0) {
        bad_count++;
        if (whole && (races || strncmp(name, "bad_race", 8) != 0) &&
            !is_in(name, other_launch, sizeof other_launch / sizeof other_launch[0]))
            fail(name, "wrong, and proved", "");
    } else if (strncmp(name, "good_", 5) == 0) {
        proved_count += whole;
        if (!whole && open_reason(name) == NULL)
            fail(name, "right, and not proved", why);
    }
}

/* Races are asked about in race.ptx, and wherever one is planted. */
static bool asks_races(const char *path, const char *name)
{
    return (strstr(path, "race.ptx") != NULL || strncmp(name, "bad_race", 8) == 0) && strcmp(name, slow_race) != 0;
}

static void look_at(const struct module *module, uint32_t function)
{
    const struct module_function *const f = &module->functions[function];
    struct error error = {0};
    struct code *const code = code_new(module, function, &error);
    struct pair_options options = {
        .races = asks_races(module->name, f->name), .effort = PAIR_EFFORT, .memory_mb = 1000, .seconds = 300};
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
    judge(f->name, options.races, walked, &outcome, error.text);
    pair_outcome_free(&outcome);
    code_free(code);
}

/* Of the others a sample in the quick suite. Of the slow ones `all` takes every third, and each with
 * WARPCHECK_SLOW=all; `quick` takes none. */
static bool is_left_out(const char *name, bool quick)
{
    static size_t seen;
    const char *const wanted = getenv("WARPCHECK_SLOW");
    const bool whole = wanted != NULL && strcmp(wanted, "all") == 0;
    for (size_t n = 0; n < sizeof slow / sizeof slow[0]; n++)
        if (strcmp(name, slow[n]) == 0)
            return quick || (!whole && n % 3 != 0);
    return !is_in_sample(seen++, 3);
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
        if (f->is_entry && !is_left_out(f->name, quick))
            look_at(module, n);
    }
    module_free(module);
    free(text);
}

/* --- small ones: each obligation, each fact and each rule of loops by itself --- */

#define HEAD                                                                                                           \
    ".version 8.0\n.target sm_90\n.address_size 64\n.global .b8 format[3] = {37, 117, 0};\n"                           \
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.visible .entry k(.param .u64 a, .param "   \
    ".u32 n)\n{\n"                                                                                                     \
    ".reg .pred %p, %q;\n.reg .b32 %m, %t, %c, %v<4>, %id, %lane, %n;\n.reg .b64 %base, %out, %o;\n"                   \
    ".shared .b32 s[64];\nld.param.u64 %base, [a];\nld.param.u32 %n, [n];\nmov.u32 %id, %tid.x;\n"                     \
    "mov.u32 %lane, %laneid;\ncvta.to.global.u64 %base, %base;\nmul.wide.u32 %o, %id, 4;\n"                            \
    "add.u64 %out, %base, %o;\nld.global.u32 %v0, [%out];\nmov.u32 %v1, 0;\nmov.u32 %c, 0;\n"                          \
    "setp.gt.s32 %p, %v0, 5;\nsetp.lt.u32 %q, %lane, 16;\n"
#define LOOP(leave, body) "L:\n" leave "@!%p bra X;\n" body "add.u32 %c, %c, 1;\nbra.uni L;\nX:\n"
#define BY_N              "setp.lt.u32 %p, %c, %n;\n"
#define BY_DATA           "setp.lt.u32 %p, %c, %v0;\n"
#define STORE             "st.global.u32 [%out], %v1;\n"
#define PRINT(at)                                                                                                      \
    ".local .align 8 .b8 l[16];\n.param .b32 count;\nst.local.u32 [l+" #at "], %v1;\nmov.u64 %o, l;\n"                 \
    "cvta.local.u64 %o, %o;\nmov.u64 %out, format;\ncall (count), vprintf, (%out, %o);\n"
#define LOWEST "brev.b32 %t, %m;\nclz.b32 %t, %t;\n"

/* %p: by data; %q: the lower half of the warp. */
static const struct {
    const char *name, *body;
    bool proved;
} small[] = {
    {"full mask", "bar.warp.sync -1;\n", true},
    {"not in the mask", "bar.warp.sync 1;\n", false},
    {"mask 0", "bar.warp.sync 0;\n", false},
    {"half of a full mask", "@%q bar.warp.sync -1;\n", false},
    {"its own half", "@%q bar.warp.sync 65535;\n", true},
    {"the other half", "@!%q bar.warp.sync 65535;\n", false},
    {"ballot", "vote.sync.ballot.b32 %m, %p, -1;\n@%p bar.warp.sync %m;\n", true},
    {"ballot of the others", "vote.sync.ballot.b32 %m, %p, -1;\n@!%p bar.warp.sync %m;\n", false},
    {"ballot for all", "vote.sync.ballot.b32 %m, %p, -1;\nbar.warp.sync %m;\n", false},
    {"ballot is one", "vote.sync.ballot.b32 %m, %p, -1;\nsetp.gt.u32 %p, %m, 9;\n@%p bar.warp.sync -1;\n", true},
    {"any", "vote.sync.any.pred %p, %p, -1;\n@%p bar.warp.sync -1;\n", true},
    {"any of half", "@%q vote.sync.any.pred %p, %p, 65535;\n@%p bar.warp.sync -1;\n", false},
    {"all, negated", "vote.sync.all.pred %p, !%p, -1;\n@!%p bar.warp.sync -1;\n", true},
    {"any, by halves", "selp.b32 %m, 65535, -65536, %q;\nvote.sync.any.pred %p, %p, %m;\n@%p bar.warp.sync -1;\n",
     false},
    {"any, by halves, for a half",
     "selp.b32 %m, 65535, -65536, %q;\nvote.sync.any.pred %p, %p, %m;\n@%p bar.warp.sync %m;\n", true},
    {"redux, by halves",
     "selp.b32 %m, 65535, -65536, %q;\nredux.sync.add.s32 %v1, %v0, %m;\nsetp.gt.s32 %p, %v1, 5;\n"
     "@%p bar.warp.sync -1;\n",
     false},
    {"signed", "sub.s32 %v1, %lane, 16;\nsetp.lt.s32 %p, %v1, 0;\n@%p bar.warp.sync 65535;\n", true},
    {"signed, the other half", "sub.s32 %v1, %lane, 16;\nsetp.lt.s32 %p, %v1, 0;\n@%p bar.warp.sync -65536;\n", false},
    {"real numbers of lanes", "setp.gt.f32 %p, %v0, 0f3F800000;\n@%p bar.warp.sync -1;\n", false},
    {"one real number", "setp.gt.f32 %p, %n, 0f3F800000;\n@%p bar.warp.sync -1;\n", true},
    {"uni", "vote.sync.uni.pred %q, %p, -1;\n@!%q ret;\n@%p bar.warp.sync -1;\n", true},
    {"redux", "redux.sync.add.s32 %v1, %v0, -1;\nsetp.gt.s32 %p, %v1, 5;\n@%p bar.warp.sync -1;\n", true},
    {"data", "@%p bar.warp.sync -1;\n", false},
    {"match.any", "match.any.sync.b32 %m, %v0, -1;\nbar.warp.sync %m;\n", true},
    {"match.any of another value", "match.any.sync.b32 %m, %v0, -1;\n@%p bar.warp.sync %m;\n", true},
    {"match.any and half", "match.any.sync.b32 %m, %v0, -1;\n@%q bar.warp.sync %m;\n", false},
    {"match.all", "match.all.sync.b32 %m|%p, %v0, -1;\n@%p bar.warp.sync %m;\n", true},
    {"match.all fails", "match.all.sync.b32 %m|%p, %v0, -1;\nbar.warp.sync %m;\n", false},
    {"activemask", "activemask.b32 %m;\nbar.warp.sync %m;\n", true},
    {"activemask of a branch", "@%p activemask.b32 %m;\n@%p bar.warp.sync %m;\n", true},
    {"activemask before a branch", "activemask.b32 %m;\n@%p bar.warp.sync %m;\n", false},
    {"activemask is one", "activemask.b32 %m;\nsetp.eq.u32 %p, %m, -1;\n@%p bar.warp.sync -1;\n", true},
    {"activemask is large", "activemask.b32 %m;\nsetp.gt.u32 %p, %m, 99;\n@%p bar.warp.sync -1;\n", false},
    {"elect", "elect.sync %m|%p, -1;\nsetp.gt.u32 %q, %m, 3;\n@%q bar.warp.sync -1;\n", true},
    {"the elected alone", "elect.sync %m|%p, -1;\n@%p bar.warp.sync -1;\n", false},
    {"tiles", "and.b32 %t, %lane, 24;\nshl.b32 %m, 255, %t;\nbar.warp.sync %m;\n", true},
    {"tiles too narrow", "and.b32 %t, %lane, 24;\nshl.b32 %m, 127, %t;\nbar.warp.sync %m;\n", false},
    {"tiles too wide", "and.b32 %t, %lane, 24;\nshl.b32 %m, 1023, %t;\nbar.warp.sync %m;\n", false},
    {"source in the mask", "shfl.sync.bfly.b32 %v1, %v0, 1, 31, -1;\n" STORE, true},
    {"source outside", "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\n@%q " STORE, false},
    {"down over the end", "@%q shfl.sync.down.b32 %v1, %v0, 8, 31, 65535;\n@%q " STORE, false},
    {"up from the start", "@%q shfl.sync.up.b32 %v1, %v0, 8, 0, 65535;\n@%q " STORE, true},
    {"out of range is its own", "shfl.sync.down.b32 %v1, %v0, 8, 31, -1;\n" STORE, true},
    {"thrown away", "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\nst.global.u32 [%out], %v0;\n", true},
    {"selected away",
     "@%q shfl.sync.down.b32 %v1, %v0, 8, 31, 65535;\nsetp.lt.u32 %p, %lane, 8;\nselp.b32 %v1, %v1, 0, %p;\n" STORE,
     true},
    {"selected one too many",
     "@%q shfl.sync.down.b32 %v1, %v0, 8, 31, 65535;\nsetp.lt.u32 %p, %lane, 9;\nselp.b32 %v1, %v1, 0, %p;\n@%q " STORE,
     false},
    {"a part of it", "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\nand.b32 %v1, %v1, 255;\n@%q " STORE, false},
    {"no part of it", "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\nand.b32 %v1, %v1, 0;\n@%q " STORE, true},
    {"as an address",
     "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\nmul.wide.u32 %o, %v1, 4;\n"
     "add.u64 %o, %o, %base;\n@%q ld.global.u32 %v0, [%o];\n",
     false},
    {"as a mask", "@%q shfl.sync.idx.b32 %m, %v0, 20, 31, 65535;\nor.b32 %m, %m, 65535;\n@%q bar.warp.sync %m;\n",
     false},
    {"in a branch",
     "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\nsetp.gt.s32 %p, %v1, 3;\n@%p st.global.u32 [%out], 1;\n", false},
    {"in an atomic", "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\n@%q red.global.add.u32 [%base], %v1;\n", false},
    {"printed", "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\n" PRINT(0), false},
    {"beside what is printed", "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\n" PRINT(4), true},
    {"through shared memory", "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\n@%q st.shared.u32 [s], %v1;\n", false},
    {"handed on", "@%q shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\nshfl.sync.idx.b32 %v1, %v1, 3, 31, -1;\n" STORE,
     false},
    {"lowest of the peers",
     "match.any.sync.b32 %m, %v0, -1;\n" LOWEST "shfl.sync.idx.b32 %v1, %v0, %t, 31, %m;\n" STORE, true},
    {"broadcast is one", "shfl.sync.idx.b32 %v1, %v0, 7, 31, -1;\nsetp.gt.s32 %p, %v1, 3;\n@%p bar.warp.sync -1;\n",
     true},
    {"a neighbour's is not",
     "shfl.sync.bfly.b32 %v1, %v0, 1, 31, -1;\nsetp.gt.s32 %p, %v1, 3;\n@%p bar.warp.sync -1;\n", false},
    {"exited before", "setp.ge.u32 %p, %id, %n;\n@%p ret;\nbar.warp.sync -1;\n", true},
    {"exited sources", "setp.ge.u32 %p, %id, %n;\n@%p ret;\nshfl.sync.down.b32 %v1, %v0, 1, 31, -1;\n" STORE, false},
    {"exit behind", "@%p bra X;\nbar.warp.sync -1;\nX:\nbar.warp.sync -1;\n", false},
    {"turns by n", LOOP(BY_N, "bar.warp.sync -1;\n"), true},
    {"turns by data, then nothing", LOOP(BY_DATA, "bar.warp.sync -1;\n"), true},
    {"turns by data", LOOP(BY_DATA, "bar.warp.sync -1;\n") "bar.warp.sync -1;\n", false},
    {"turns by data, then all", LOOP(BY_DATA, "add.u32 %v1, %v1, %c;\n") "bar.warp.sync -1;\n", true},
    {"turns by data, then one value", LOOP(BY_DATA, "") "setp.gt.u32 %p, %c, 3;\n@%p bar.warp.sync -1;\n", false},
    {"turns by n, then one value", LOOP(BY_N, "") "setp.gt.u32 %p, %c, 3;\n@%p bar.warp.sync -1;\n", true},
    {"exit in a turn", "L:\nsetp.lt.u32 %p, %c, %v0;\n@!%p ret;\nbar.warp.sync -1;\nadd.u32 %c, %c, 1;\nbra.uni L;\n",
     true},
    {"sources that exited in an earlier turn",
     "L:\nshfl.sync.down.b32 %v1, %v0, 1, 31, -1;\n" STORE "add.u32 %c, %c, 1;\nsetp.lt.u32 %p, %c, %v0;\n@%p bra L;\n",
     false},
    {"sources that exit from the second turn on",
     "L:\nshfl.sync.down.b32 %v1, %v0, 1, 31, -1;\n" STORE "add.u32 %c, %c, 1;\n"
     "setp.gt.u32 %p, %n, 5;\nselp.b32 %t, 99, 0, %p;\nsetp.eq.u32 %p, %c, 1;\nselp.b32 %t, %t, %v0, %p;\n"
     "setp.lt.u32 %p, %c, %t;\n@%p bra L;\n",
     false},
    {"a mask that shrinks",
     "mov.u32 %m, -1;\nL:\n" BY_DATA "vote.sync.ballot.b32 %m, %p, %m;\n@!%p bra X;\nbar.warp.sync %m;\n"
     "add.u32 %c, %c, 1;\nbra.uni L;\nX:\nbar.warp.sync -1;\n",
     true},
    {"the mask of the first turn",
     "mov.u32 %m, -1;\nL:\n" BY_DATA
     "@!%p bra X;\nbar.warp.sync %m;\nadd.u32 %c, %c, 1;\nbra.uni L;\nX:\nbar.warp.sync -1;\n",
     false},
    {"kept from the turn before", "@!%q ret;\n" LOOP(BY_N, STORE "shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\n"),
     false},
    {"made anew in each turn",
     "@!%q ret;\n" LOOP(BY_N, "shfl.sync.idx.b32 %v1, %v0, 20, 31, 65535;\nmov.u32 %v1, 0;\n" STORE), true},
    {"grows from turn to turn",
     LOOP(BY_N, "setp.lt.u32 %q, %lane, %v1;\n@!%q bar.warp.sync -1;\nadd.u32 %v1, %v1, 1;\n"), false},
    {"block barrier", "bar.sync 0;\n", true},
    {"block barrier by half", "@%q bar.sync 0;\n", false},
    {"block barrier by one warp", "setp.lt.u32 %p, %id, 32;\n@%p bar.sync 0;\n", false},
    {"block barrier by n", "setp.gt.u32 %p, %n, 5;\n@%p bar.sync 0;\n", true},
    {"block barrier in turns by n", LOOP(BY_N, "bar.sync 0;\n"), true},
    {"block barrier in turns by warps", "shr.u32 %v0, %id, 5;\n" LOOP(BY_DATA, "bar.sync 0;\n") "bar.sync 0;\n", false},
    {"one word", "ld.global.u32 %v1, [%base];\nsetp.gt.s32 %p, %v1, 3;\n@%p bar.warp.sync -1;\n", true},
    {"one volatile word", "ld.volatile.global.u32 %v1, [%base];\nsetp.gt.s32 %p, %v1, 3;\n@%p bar.warp.sync -1;\n",
     false},
    {"own words", "ld.global.u32 %v1, [%out];\nsetp.gt.s32 %p, %v1, 3;\n@%p bar.warp.sync -1;\n", false},
    {"a word before and after a store",
     "@%q ld.global.u32 %v1, [%base];\nst.global.u32 [%base], 7;\n@!%q ld.global.u32 %v1, [%base];\n"
     "setp.gt.s32 %p, %v1, 3;\n@%p bar.warp.sync -1;\n",
     false},
    {"a word before and after a barrier",
     "@%q ld.shared.u32 %v1, [s];\nbar.warp.sync -1;\n@!%q ld.shared.u32 %v1, [s];\n"
     "setp.gt.s32 %p, %v1, 3;\n@%p bar.warp.sync -1;\n",
     false},
    {"behind a loop that never ends", "L:\nsetp.lt.u32 %q, %lane, 32;\n@%q bra L;\n@%p bar.warp.sync -1;\n", false},
    {"behind a trap of all", "setp.lt.u32 %q, %lane, 32;\n@%q trap;\n@%p bar.warp.sync -1;\n", false},
    {"behind a trap of some", "@%q trap;\nbar.warp.sync -1;\n", true},
    {"an atomic's old value", "atom.global.add.u32 %v1, [%base], 1;\nsetp.gt.s32 %p, %v1, 3;\n@%p bar.warp.sync -1;\n",
     false},
};

/* Is a kernel with this body proved whole, where `requires` holds of its parameters? */
static bool is_small_proved(const char *name, const char *body, const char *const *requires, uint32_t count)
{
    static char text[8192];
    struct kernel_require held[2];
    struct pair_options options = {.requires = held, .effort = PAIR_EFFORT, .memory_mb = 1000, .seconds = 300};
    struct error error = {0};
    struct kernel_slots slots;
    struct pair_outcome outcome = {0};
    const int size = snprintf(text, sizeof text, "%s%sret;\n}\n", HEAD, body);
    struct module *const module = module_read(text, (size_t)size, name, &error);
    struct code *const code = module != NULL ? code_new(module, module_function_find(module, "k"), &error) : NULL;
    bool whole = false;
    if (code == NULL) {
        fail(name, "not read", error.text);
        module_free(module);
        return false;
    }
    kernel_find_slots(code, &slots);
    options.slots = &slots;
    for (; options.requires_count < count; options.requires_count++)
        if (!kernel_require_read(&slots, requires[options.requires_count], &held[options.requires_count], &error))
            fail(name, "what is required is not read", error.text);
    whole = pair_prove(code, &options, &outcome, &error);
    for (size_t i = 0; i < outcome.count; i++)
        whole &= outcome.items[i].verdict == PAIR_PROVED;
    pair_outcome_free(&outcome);
    code_free(code);
    module_free(module);
    return whole;
}

/* What nothing fulfils proves nothing. */
static void look_at_requires(void)
{
    static const char *const less[] = {"1 < 7", "1 > 3"}, *const none[] = {"1 < 3", "1 > 7"},
                             *const rest[] = {"1 % 3 == 5"};
    static const char body[] = "bar.warp.sync -1;\n";
    if (!is_small_proved("required", body, less, 2))
        fail("required", "right, and not proved", "");
    if (is_small_proved("required of no number", body, none, 2) || is_small_proved("no such rest", body, rest, 1))
        fail("required of no number", "vacuous, and proved", "");
}

static void look_at_small(void)
{
    for (size_t n = 0; n < sizeof small / sizeof small[0]; n++)
        if (is_small_proved(small[n].name, small[n].body, NULL, 0) != small[n].proved)
            fail(small[n].name, small[n].proved ? "right, and not proved" : "wrong, and proved", "");
}

int main(int argc, char **argv)
{
    look_at_small();
    look_at_requires();
    if (argc < 3) {
        printf("%zu small ones; %u failures\n", sizeof small / sizeof small[0], failures);
        return failures == 0 ? 0 : 1;
    }
    for (int n = 2; n < argc; n++)
        look_into(argv[n], strcmp(argv[1], "quick") == 0);
    printf("%u right ones proved, %u wrong ones not; %u failures\n", proved_count, bad_count, failures);
    if (proved_count == 0 || bad_count == 0) {
        printf("FAIL: a test that sees only one side shows nothing\n");
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
