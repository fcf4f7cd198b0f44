/* The instruction table: names, operands, and legality as the assembler has been measured to judge it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "warpcheck/form.h"

#include <stdio.h>
#include <string.h>

static const struct warp_form_info *form(const char *name)
{
    const struct warp_form_info *info = warp_form_find(name);
    if (info == NULL)
        fail_msg("no form %s", name);
    return info;
}

static void names_are_unique_and_found(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < WARP_FORMS; i++) {
        const struct warp_form_info *info = warp_form_get(i);
        assert_int_equal(info->form, i);
        assert_ptr_equal(warp_form_find(info->name), info);
    }
    assert_null(warp_form_get(WARP_FORMS));
    assert_null(warp_form_get(UINT32_MAX));
}

/* Counted from the manual's syntax lines. */
static void every_variant_of_the_manual_is_there(void **state)
{
    static const unsigned expected[WARP_FAMILIES] = {4, 4, 4, 4, 4, 9 + 8, 1, 1, 1};
    unsigned counts[WARP_FAMILIES] = {0};
    (void)state;
    for (uint32_t i = 0; i < WARP_FORMS; i++)
        counts[warp_form_get(i)->family]++;
    for (unsigned i = 0; i < WARP_FAMILIES; i++)
        assert_int_equal(counts[i], expected[i]);
}

/* The qualifiers in the name are the fields of the entry. */
static void names_say_what_the_fields_say(void **state)
{
    static const char *const ops[] = {"up",     "down", "bfly", "idx", "all", "any", "uni",
                                      "ballot", "add",  "min",  "max", "and", "or",  "xor"};
    static const char *const types[] = {"pred", "b32", "b64", "u32", "s32", "f32"};
    char part[16];
    (void)state;
    for (uint32_t i = 0; i < WARP_FORMS; i++) {
        const struct warp_form_info *info = warp_form_get(i);
        if (info->type == WARP_NO_SOURCE) { /* activemask, bar.warp.sync, elect.sync: the name is the operation */
            assert_false(info->abs || info->nan);
            continue;
        }
        snprintf(part, sizeof part, ".%s.", ops[info->op]);
        assert_non_null(strstr(info->name, part));
        snprintf(part, sizeof part, ".%s", info->op == WARP_BALLOT ? "b32" : types[info->type]);
        assert_non_null(strstr(info->name, part));
        assert_int_equal(strstr(info->name, ".abs.") != NULL, info->abs);
        assert_int_equal(strstr(info->name, ".NaN.") != NULL, info->nan);
        assert_int_equal(strstr(info->name, ".sync") != NULL, warp_form_is_sync(info));
        assert_int_equal(strncmp(info->name, "shfl", 4) == 0, warp_form_is_shfl(info));
    }
}

/* Every order of the words behind the first, as ptxas takes them; and none with a word left out. */
static void permute(const struct warp_form_info *info, char words[8][16], unsigned fixed, unsigned count)
{
    char name[64] = "", shorter[64] = "";
    if (fixed < count) {
        for (unsigned n = fixed; n < count; n++) {
            char swap[16];
            memcpy(swap, words[fixed], 16);
            memcpy(words[fixed], words[n], 16);
            memcpy(words[n], swap, 16);
            permute(info, words, fixed + 1, count);
            memcpy(words[n], words[fixed], 16);
            memcpy(words[fixed], swap, 16);
        }
        return;
    }
    for (unsigned n = 0; n < count; n++) {
        if (n + 1 == count)
            memcpy(shorter, name, sizeof name);
        if (n > 0)
            strcat(name, ".");
        strcat(name, words[n]);
    }
    assert_ptr_equal(form(name), info);
    assert_ptr_not_equal(warp_form_find(shorter), info);
}

static void qualifiers_in_any_order(void **state)
{
    (void)state;
    for (uint32_t f = 0; f < WARP_FORMS; f++) {
        char words[8][16], copy[64];
        unsigned count = 0;
        snprintf(copy, sizeof copy, "%s", warp_form_get(f)->name);
        for (char *word = strtok(copy, "."); word != NULL; word = strtok(NULL, "."))
            snprintf(words[count++], 16, "%s", word);
        permute(warp_form_get(f), words, warp_form_get(f)->family == WARP_BAR_WARP ? 2 : 1, count);
    }
    assert_ptr_equal(form("vote.ballot.sync.b32"), warp_form_get(WARP_VOTE_SYNC_BALLOT_B32));
    assert_ptr_equal(form("vote.any.sync.pred"), warp_form_get(WARP_VOTE_SYNC_ANY_PRED));
    assert_ptr_equal(form("redux.f32.NaN.min.sync.abs"), warp_form_get(WARP_REDUX_SYNC_MIN_ABS_NAN_F32));
}

static void forms_that_do_not_exist(void **state)
{
    static const char *const names[] = {
        "",
        "shfl",
        "shfl.sync.up",
        "shfl.sync.up.b64",
        "shfl.sync.up.f32",
        "vote.sync.all.b32",
        "vote.sync.ballot.pred",
        "match.any.sync.u32",
        "match.sync.sync.b32",
        "redux.sync.add.b32",
        "redux.sync.and.u32",
        "redux.sync.add.f32",
        "redux.sync.min.NaN.abs.u32",
        "sync.redux.min.f32",
        "redux.sync.min.sync.f32",
        "vote.sync.ballot..b32",
        "vote.sync.ballot.b32.",
        "redux.sync.min.abs.abs.f32",
        "activemask",
        "bar.sync",
        "bar.sync.warp",
        "bar.warp",
        "bar.warp.sync.aligned",
        "barrier.warp.sync",
        "elect",
        "elect.sync.b32",
        "SHFL.SYNC.UP.B32",
        "shfl.sync.up.b32 ",
        "redux.sync.min.b32.a.very.long.name.that.is.longer.than.any.form.has.a.right.to.be.in.this.table"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (warp_form_find(names[i]) != NULL)
            fail_msg("%s exists", names[i]);
}

static void families_by_name(void **state)
{
    (void)state;
    for (uint32_t family = 0; family < WARP_FAMILIES; family++)
        assert_int_equal(warp_family_find(warp_family_name(family)), family);
    assert_int_equal(warp_family_find("redux"), WARP_FAMILIES);
    assert_string_equal(warp_family_name(WARP_FAMILIES), "unknown");
    assert_string_equal(warp_dst_name(WARP_DST_COUNT), "unknown");
}

/* Which destinations the assembler takes (1: d, 2: d|p, 4: _|p, 8: d|_, 16: none). */
static void destinations(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < WARP_FORMS; i++) {
        const struct warp_form_info *info = warp_form_get(i);
        uint32_t expected = 1;
        if (info->family == WARP_SHFL || info->family == WARP_SHFL_SYNC)
            expected = 1 | 2 | 8;
        if (info->family == WARP_MATCH_SYNC && info->op == WARP_ALL)
            expected = 1 | 2 | 4 | 8;
        if (info->family == WARP_ELECT)
            expected = 2 | 4;
        if (info->family == WARP_BAR_WARP)
            expected = 16;
        assert_int_equal(info->destinations, expected);
        assert_int_equal(warp_form_first_dst(info), expected == 16        ? WARP_DST_NONE
                                                    : expected == (2 | 4) ? WARP_DST_D_P
                                                                          : WARP_DST_D);
        assert_int_equal(warp_form_widest_dst(info), expected & 2 ? WARP_DST_D_P : warp_form_first_dst(info));
    }
}

static void what_destinations_write(void **state)
{
    const struct warp_form_info *all = form("match.all.sync.b64");
    const struct warp_form_info *vote = form("vote.sync.uni.pred");
    const struct warp_form_info *ballot = form("vote.ballot.b32");
    const struct warp_form_info *elect = form("elect.sync");
    const struct warp_form_info *bar = form("bar.warp.sync");
    (void)state;
    assert_true(warp_form_writes_d(all, WARP_DST_D) && !warp_form_writes_p(all, WARP_DST_D));
    assert_true(warp_form_writes_d(all, WARP_DST_D_P) && warp_form_writes_p(all, WARP_DST_D_P));
    assert_true(!warp_form_writes_d(all, WARP_DST_SINK_P) && warp_form_writes_p(all, WARP_DST_SINK_P));
    assert_true(warp_form_writes_d(all, WARP_DST_D_SINK) && !warp_form_writes_p(all, WARP_DST_D_SINK));
    assert_true(!warp_form_writes_d(vote, WARP_DST_D) && warp_form_writes_p(vote, WARP_DST_D));
    assert_true(warp_form_writes_d(ballot, WARP_DST_D) && !warp_form_writes_p(ballot, WARP_DST_D));
    assert_true(warp_form_writes_d(elect, WARP_DST_D_P) && warp_form_writes_p(elect, WARP_DST_D_P));
    assert_true(!warp_form_writes_d(elect, WARP_DST_SINK_P) && warp_form_writes_p(elect, WARP_DST_SINK_P));
    assert_true(!warp_form_writes_d(bar, WARP_DST_NONE) && !warp_form_writes_p(bar, WARP_DST_NONE));
}

struct judgement {
    const char *form;
    const char *target;
    uint16_t ptx;
    bool legal;
    const char *why; /* a part of the clause, when not legal */
};

/* Measured with the assembler of CUDA 13.0, and the manual's notes for targets that it no longer builds. */
static const struct judgement judgements[] = {
    {"shfl.up.b32", "sm_30", 64, true, ""},
    {"shfl.up.b32", "sm_70", 63, true, ""},
    {"shfl.up.b32", "sm_70", 64, false, "removed in PTX 6.4"},
    {"shfl.up.b32", "sm_90", 80, false, "removed in PTX 6.4"},
    {"shfl.up.b32", "sm_62", 91, true, ""},
    {"shfl.idx.b32", "sm_20", 64, false, "sm_30 or higher"},
    {"shfl.idx.b32", "sm_30", 23, false, "PTX 3.0"},
    {"vote.all.pred", "sm_12", 12, true, ""},
    {"vote.ballot.b32", "sm_12", 20, false, "sm_20 or higher"},
    {"vote.ballot.b32", "sm_20", 20, true, ""},
    {"vote.uni.pred", "sm_75", 63, true, ""},
    {"vote.uni.pred", "sm_75", 64, false, "removed in PTX 6.4"},
    {"vote.any.pred", "sm_60", 65, true, ""},
    {"shfl.sync.bfly.b32", "sm_30", 60, true, ""},
    {"shfl.sync.bfly.b32", "sm_30", 50, false, "PTX 6.0"},
    {"shfl.sync.bfly.b32", "sm_20", 60, false, "sm_30 or higher"},
    {"vote.sync.ballot.b32", "sm_30", 60, true, ""},
    {"match.any.sync.b32", "sm_70", 60, true, ""},
    {"match.any.sync.b32", "sm_62", 60, false, "sm_70 or higher"},
    {"match.all.sync.b64", "sm_90", 78, true, ""},
    {"match.all.sync.b64", "sm_90", 77, false, "PTX 7.8"},
    {"redux.sync.add.u32", "sm_80", 70, true, ""},
    {"redux.sync.add.u32", "sm_75", 70, false, "sm_80 or higher"},
    {"redux.sync.xor.b32", "sm_80", 65, false, "PTX 7.0"},
    {"redux.sync.min.f32", "sm_100a", 86, true, ""},
    {"redux.sync.min.f32", "sm_100a", 85, false, "PTX 8.6"},
    {"redux.sync.min.f32", "sm_100", 90, false, "sm_100a"},
    {"redux.sync.min.f32", "sm_100f", 88, true, ""},
    {"redux.sync.min.f32", "sm_100f", 87, false, "PTX 8.8"},
    {"redux.sync.max.abs.NaN.f32", "sm_103a", 88, true, ""},
    {"redux.sync.max.abs.NaN.f32", "sm_103", 88, false, "sm_100a"},
    {"redux.sync.max.NaN.f32", "sm_120a", 90, false, "sm_100a"},
    {"redux.sync.max.abs.f32", "sm_90a", 90, false, "sm_100a"},
    {"redux.sync.max.s32", "sm_121f", 88, true, ""},
    {"activemask.b32", "sm_30", 62, true, ""},
    {"activemask.b32", "sm_30", 61, false, "PTX 6.2"},
    {"activemask.b32", "sm_20", 62, false, "sm_30 or higher"},
};

static void legality(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof judgements / sizeof judgements[0]; i++) {
        const struct judgement *j = &judgements[i];
        char why[128] = "";
        const struct warp_form_info *info = form(j->form);
        bool legal = warp_legal(info, WARP_DST_D, j->ptx, warp_target_find(j->target)->target, why, sizeof why);
        if (legal != j->legal || strstr(why, j->why) == NULL)
            fail_msg("%s PTX %d %s: %s (%s)", j->form, j->ptx, j->target, legal ? "legal" : "not legal", why);
    }
}

static void legality_of_destinations_and_unknown_targets(void **state)
{
    char why[128] = "";
    (void)state;
    assert_false(warp_legal(form("match.any.sync.b32"), WARP_DST_D_P, 60, WARP_TARGET(70, 0), why, sizeof why));
    assert_non_null(strstr(why, "does not take the destination d|p"));
    assert_false(warp_legal(form("shfl.sync.up.b32"), WARP_DST_SINK_P, 60, WARP_TARGET(70, 0), NULL, 0));
    assert_false(warp_legal(form("shfl.sync.up.b32"), WARP_DST_COUNT, 60, WARP_TARGET(70, 0), NULL, 0));
    assert_false(warp_legal(form("activemask.b32"), WARP_DST_D, 62, 7, why, sizeof why));
    assert_string_equal(why, "unknown target");
    assert_true(warp_legal(form("match.all.sync.b32"), WARP_DST_SINK_P, 60, WARP_TARGET(70, 0), why, 1));
}

/* warp_legal_from against a search through all versions; and only forms without .sync are ever taken away. */
static void least_version_is_the_first_legal_one(void **state)
{
    const struct warp_target_info *t;
    (void)state;
    for (uint32_t i = 0; i < WARP_FORMS; i++) {
        const struct warp_form_info *info = warp_form_get(i);
        for (size_t k = 0; (t = warp_target_get(k)) != NULL; k++) {
            uint16_t first = 0;
            bool was_legal = false;
            for (size_t v = 0; warp_ptx_get(v) != 0; v++) {
                bool legal = false;
                for (uint32_t dst = 0; dst < WARP_DST_COUNT; dst++)
                    legal |= warp_legal(info, dst, warp_ptx_get(v), t->target, NULL, 0);
                if (legal && first == 0)
                    first = warp_ptx_get(v);
                if (was_legal && !legal)
                    assert_int_equal(info->rule, WARP_TARGET_NONSYNC);
                was_legal = legal;
            }
            assert_int_equal(warp_legal_from(info, t->target), first);
        }
        assert_int_equal(warp_legal_from(info, 7), 0);
    }
}

static void targets(void **state)
{
    const struct warp_target_info *t;
    (void)state;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++) {
        assert_ptr_equal(warp_target_find(t->name), t);
        assert_string_equal(warp_target_name(t->target), t->name);
        if (i > 0)
            assert_true(warp_target_get(i - 1)->target < t->target);
        assert_int_equal(warp_target_needs_convergence(t->target), t->target / 10 < 70);
    }
    assert_null(warp_target_find("sm_71"));
    assert_null(warp_target_find("compute_70"));
    assert_null(warp_target_name(0));
    for (size_t i = 1; warp_ptx_get(i) != 0; i++)
        assert_true(warp_ptx_get(i - 1) < warp_ptx_get(i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_found),
        cmocka_unit_test(every_variant_of_the_manual_is_there),
        cmocka_unit_test(names_say_what_the_fields_say),
        cmocka_unit_test(qualifiers_in_any_order),
        cmocka_unit_test(forms_that_do_not_exist),
        cmocka_unit_test(families_by_name),
        cmocka_unit_test(destinations),
        cmocka_unit_test(what_destinations_write),
        cmocka_unit_test(legality),
        cmocka_unit_test(legality_of_destinations_and_unknown_targets),
        cmocka_unit_test(least_version_is_the_first_legal_one),
        cmocka_unit_test(targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
