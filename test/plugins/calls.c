/*
 * A plugin that calls every function that warpcheck's headers declare, and links nothing: the program that loads it has
 * them. C11 and C++17. It answers activemask; when a function does not say what it should, it says which one instead.
 */
#include "warpcheck/batch.h"
#include "warpcheck/bytes.h"
#include "warpcheck/impl.h"
#include "warpcheck/text.h"

#include <stdio.h>
#include <string.h>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            snprintf(error, error_size, "%s is not so", #condition);                                                   \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

static bool check_forms(char *error, size_t error_size)
{
    const struct warp_form_info *const form = warp_form_get(WARP_MATCH_ALL_SYNC_B64);
    char why[128];
    EXPECT(form == warp_form_find("match.sync.all.b64"));
    EXPECT(strcmp(warp_family_name(form->family), "match.sync") == 0);
    EXPECT(warp_family_find("match.sync") == WARP_MATCH_SYNC);
    EXPECT(strcmp(warp_dst_name(WARP_DST_D_P), "d|p") == 0);
    EXPECT(warp_form_is_sync(form) && !warp_form_is_shfl(form));
    EXPECT(warp_form_writes_d(form, WARP_DST_D) && !warp_form_writes_p(form, WARP_DST_D));
    EXPECT(!warp_form_writes_only_p(form));
    EXPECT(warp_form_first_dst(form) == WARP_DST_D && warp_form_widest_dst(form) == WARP_DST_D_P);
    EXPECT(warp_form_least_target(form) == WARP_TARGET(70, 0));
    EXPECT(!warp_form_passes_values(form) && !warp_form_any_leader(form) && !warp_form_may_be_unpredictable(form));
    EXPECT(warp_form_in_family(form, (enum warp_family)form->family, (enum warp_op)form->op) == form);
    EXPECT(warp_target_find("sm_70") == warp_target_of(WARP_TARGET(70, 0)));
    EXPECT(strcmp(warp_target_name(warp_target_get(0)->target), "sm_12") == 0);
    EXPECT(warp_target_needs_convergence(WARP_TARGET(60, 0)));
    EXPECT(warp_ptx_get(0) == 12);
    EXPECT(warp_legal_from(form, WARP_TARGET(70, 0)) == 60);
    EXPECT(!warp_legal(form, WARP_DST_D, 50, WARP_TARGET(70, 0), why, sizeof why));
    return true;
}

static bool check_text(const struct warp_impl *impl, char *error, size_t error_size)
{
    struct warp_case c;
    struct warp_text text;
    struct warp_text_error wrong;
    char line[WARP_TEXT_MAX];
    warp_case_init(&c, WARP_ACTIVEMASK_B32);
    EXPECT(warp_case_check(&c) == NULL);
    EXPECT(warp_impl_accepts(impl, &c, NULL, 0));
    const size_t size = warp_case_to_text(&c, line, sizeof line);
    EXPECT(warp_text_parse(line, size, &text, &wrong) && memcmp(&text.c, &c, sizeof c) == 0);
    struct warp_text_list list = warp_text_begin(line, size);
    EXPECT(warp_text_next(&list, &text, &wrong) == WARP_TEXT_CASE);
    EXPECT(warp_text_next(&list, &text, &wrong) == WARP_TEXT_END);
    memset(&text.result, 0, sizeof text.result);
    EXPECT(warp_result_to_text(&text.result, WARP_PART_P, line, sizeof line) == strlen("p=0x0"));
    const char *why;
    size_t why_size;
    warp_result_elect(&text.result, 6, 1);
    EXPECT(text.result.d[2] == 1 && text.result.p == 2);
    memset(&text.result, 0, sizeof text.result);
    EXPECT(warp_result_parse("p=0x3", 5, &text, &wrong) && text.result.p == 3 && text.parts == WARP_PART_P);
    EXPECT(warp_text_declines("not accepted: no", 16, &why, &why_size) && why_size == 2 && *why == 'n');
    EXPECT(warp_result_compared(&c, &text.result, &text.result, WARP_PART_P) == 0);
    EXPECT(warp_result_compare(&c, &text.result, &text.result, WARP_PART_ALL, NULL));
    EXPECT(warp_case_to_file(&c, "note", &text.result, WARP_PART_P, line, sizeof line) == strlen(line));
    return true;
}

static bool check_bytes(char *error, size_t error_size)
{
    struct warp_case c, again;
    uint8_t bytes[WARP_BYTES_MAX];
    memset(&c, 0xff, sizeof c);
    warp_case_repair(&c);
    EXPECT(warp_case_check(&c) == NULL);
    const size_t size = warp_case_to_bytes(&c, bytes);
    EXPECT(warp_bytes_length(bytes, size) == size);
    warp_case_from_bytes(bytes, size, WARP_FAMILY_ALL, &again);
    EXPECT(memcmp(&c, &again, sizeof c) == 0);
    EXPECT(warp_width_c(WARP_DOWN, 8) == 0x181f);
    EXPECT(warp_special_words_count > 0 && warp_special_floats_count > 0);
    EXPECT(warp_special_words[0] == warp_special_words[0] && (warp_special_floats[0] | 1u) != 0);
    return true;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    (void)state;
    if (c->form == WARP_ACTIVEMASK_B32)
        return true;
    snprintf(why, why_size, "not %s", warp_form_get(c->form)->name);
    return false;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    if (!check_forms(error, error_size) || !check_text((const struct warp_impl *)state, error, error_size) ||
        !check_bytes(error, error_size))
        return false;
    for (size_t i = 0; i < n; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            results[i].d[lane] = cases[i].active;
    return true;
}

#ifdef __cplusplus
extern "C" {
#endif
extern const uint32_t warpcheck_abi_version;
const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;
const struct warp_impl *warpcheck_implementation(size_t i);
const struct warp_impl *warpcheck_implementation(size_t i)
{
    static struct warp_impl calls = {"calls", "calls every function of the headers", WARP_PART_D, 0, accepts, eval, 0};
    calls.state = &calls;
    return i == 0 ? &calls : NULL;
}
#ifdef __cplusplus
}
#endif
