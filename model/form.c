#include "warpcheck/form.h"

#include <stdio.h>
#include <string.h>

/* "124" in the table is the set {d, d|p, d|_}. */
#define DST_BIT(s, i) (sizeof(s) > (i) + 1 ? 1u << ((s)[(sizeof(s) > (i) + 1) ? (i) : 0] - '1') : 0u)
#define DST_SET(s)    (DST_BIT(s, 0) | DST_BIT(s, 1) | DST_BIT(s, 2) | DST_BIT(s, 3) | DST_BIT(s, 4))
_Static_assert(WARP_DST_COUNT == 5, "DST_SET reads a string of as many destinations");

static const struct warp_form_info forms[WARP_FORMS] = {
#define WARP_FORM(id, name, family, op, type, abs, nan, min_ptx, min_sm, rule, destinations)                           \
    {WARP_##id, #id, name,    WARP_##family, WARP_##op,          WARP_##type,                                          \
     abs,       nan, min_ptx, min_sm,        WARP_TARGET_##rule, DST_SET(destinations)},
#include "warpcheck/forms.def"
#undef WARP_FORM
};

static const char *const family_names[WARP_FAMILIES] = {
#define WARP_FAMILY(id, name, has_membermask) name,
#include "warpcheck/forms.def"
#undef WARP_FAMILY
};
static const char *const dst_names[WARP_DST_COUNT] = {"d", "d|p", "_|p", "d|_", "none"};

/* The one copy of each, for those that do not inline them. */
extern inline bool warp_form_is_sync(const struct warp_form_info *info);
extern inline bool warp_form_is_shfl(const struct warp_form_info *info);
extern inline bool warp_form_writes_only_p(const struct warp_form_info *info);
extern inline bool warp_form_writes_d(const struct warp_form_info *info, uint32_t dst);
extern inline bool warp_form_writes_p(const struct warp_form_info *info, uint32_t dst);
extern inline bool warp_target_needs_convergence(uint32_t target);

const struct warp_form_info *warp_form_get(uint32_t form)
{
    return form < WARP_FORMS ? &forms[form] : NULL;
}

/* The size of the word that `s` begins with, up to a point or the end. */
static size_t word_size(const char *s)
{
    return strcspn(s, ".");
}

static bool has_word(const char *name, const char *word, size_t size)
{
    for (; name != NULL; name = strchr(name, '.')) {
        name += *name == '.';
        if (word_size(name) == size && memcmp(name, word, size) == 0)
            return true;
    }
    return false;
}

static unsigned words_in(const char *name)
{
    unsigned count = 1;
    while ((name = strchr(name, '.')) != NULL) {
        name++;
        count++;
    }
    return count;
}

/* No form has a word twice, so it is enough to compare the number of words and to find each of them. */
static bool same_words(const char *name, const char *form)
{
    if (word_size(name) != word_size(form) || words_in(name) != words_in(form))
        return false;
    if (memcmp(name, form, word_size(form)) != 0)
        return false;
    for (const char *s = form; s != NULL; s = strchr(s, '.')) {
        s += *s == '.';
        if (!has_word(name, s, word_size(s)))
            return false;
    }
    return true;
}

/* The qualifiers of bar.warp follow its name, which has two words: `bar.sync` is another instruction. */
static bool in_place(const char *name, const struct warp_form_info *info)
{
    static const char bar_warp[] = "bar.warp.";
    return info->family != WARP_BAR_WARP || strncmp(name, bar_warp, sizeof bar_warp - 1) == 0;
}

const struct warp_form_info *warp_form_find(const char *name)
{
    for (size_t i = 0; i < WARP_FORMS; i++) /* mostly it is written as in the table */
        if (strcmp(name, forms[i].name) == 0)
            return &forms[i];
    for (size_t i = 0; i < WARP_FORMS; i++)
        if (same_words(name, forms[i].name) && in_place(name, &forms[i]))
            return &forms[i];
    return NULL;
}

const char *warp_family_name(uint32_t family)
{
    return family < WARP_FAMILIES ? family_names[family] : "unknown";
}

enum warp_family warp_family_find(const char *name)
{
    unsigned family = 0;
    while (family < WARP_FAMILIES && strcmp(family_names[family], name) != 0)
        family++;
    return (enum warp_family)family;
}

const char *warp_dst_name(uint32_t dst)
{
    return dst < WARP_DST_COUNT ? dst_names[dst] : "unknown";
}

enum warp_dst warp_form_first_dst(const struct warp_form_info *info)
{
    unsigned dst = 0;
    while (!(info->destinations >> dst & 1u))
        dst++;
    return (enum warp_dst)dst;
}

enum warp_dst warp_form_widest_dst(const struct warp_form_info *info)
{
    return info->destinations >> WARP_DST_D_P & 1u ? WARP_DST_D_P : warp_form_first_dst(info);
}

bool warp_form_may_be_unpredictable(const struct warp_form_info *info)
{
    return warp_form_is_shfl(info); /* "Shuffle": "the value read is unpredictable" of an inactive lane */
}

bool warp_form_passes_values(const struct warp_form_info *info)
{
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
    case WARP_REDUX_SYNC:
        return true;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_MATCH_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return false;
}

bool warp_form_any_leader(const struct warp_form_info *info)
{
    switch (info->family) {
    case WARP_ELECT:
        return true;
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_MATCH_SYNC:
    case WARP_REDUX_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_FAMILIES:
        break;
    }
    return false;
}

const struct warp_form_info *warp_form_in_family(const struct warp_form_info *info, enum warp_family family,
                                                 enum warp_op op)
{
    for (size_t i = 0; i < WARP_FORMS; i++)
        if (forms[i].family == family && forms[i].op == op && forms[i].type == info->type &&
            forms[i].abs == info->abs && forms[i].nan == info->nan)
            return &forms[i];
    return NULL;
}

static uint32_t sm_of(uint32_t target)
{
    return target / 10;
}

/* "`.f32` type requires sm_100a and is supported on sm_100f": the architecture- and family-specific targets of one
 * family. */
static bool in_sm100_family(uint32_t target)
{
    return (sm_of(target) == 100 || sm_of(target) == 103) && target % 10 != 0;
}

static bool target_is_legal(const struct warp_form_info *info, uint32_t target)
{
    if (info->rule == WARP_TARGET_SM100_FAMILY)
        return in_sm100_family(target);
    return sm_of(target) >= info->min_sm;
}

static bool is_removed(const struct warp_form_info *info, uint16_t ptx, uint32_t target)
{
    return info->rule == WARP_TARGET_NONSYNC && ptx >= 64 && sm_of(target) >= 70;
}

enum obstacle { NONE, DESTINATION, UNKNOWN_TARGET, FORM_PTX, TARGET_PTX, TARGET, REMOVED };

static enum obstacle find_obstacle(const struct warp_form_info *info, const struct warp_target_info *t, uint32_t dst,
                                   uint16_t ptx)
{
    if (dst >= WARP_DST_COUNT || !(info->destinations >> dst & 1u))
        return DESTINATION;
    if (t == NULL)
        return UNKNOWN_TARGET;
    if (ptx < info->min_ptx)
        return FORM_PTX;
    if (ptx < t->min_ptx)
        return TARGET_PTX;
    if (!target_is_legal(info, t->target))
        return TARGET;
    return is_removed(info, ptx, t->target) ? REMOVED : NONE;
}

static void describe(enum obstacle obstacle, const struct warp_form_info *info, const struct warp_target_info *t,
                     uint32_t dst, char *why, size_t why_size)
{
    switch (obstacle) {
    case NONE:
        break;
    case DESTINATION:
        snprintf(why, why_size, "%s does not take the destination %s", info->name, warp_dst_name(dst));
        break;
    case UNKNOWN_TARGET:
        snprintf(why, why_size, "unknown target");
        break;
    case FORM_PTX:
        snprintf(why, why_size, "%s needs PTX %d.%d or later", info->name, info->min_ptx / 10, info->min_ptx % 10);
        break;
    case TARGET_PTX:
        snprintf(why, why_size, "%s needs PTX %d.%d or later", t->name, t->min_ptx / 10, t->min_ptx % 10);
        break;
    case TARGET:
        if (info->rule == WARP_TARGET_SM100_FAMILY)
            snprintf(why, why_size, "%s needs sm_100a, sm_100f or another a or f target of that family", info->name);
        else
            snprintf(why, why_size, "%s needs sm_%u or higher", info->name, info->min_sm);
        break;
    case REMOVED:
        snprintf(why, why_size, "%s, having no .sync, was removed in PTX 6.4 for sm_70 and higher", info->name);
        break;
    }
}

bool warp_legal(const struct warp_form_info *info, uint32_t dst, uint16_t ptx, uint32_t target, char *why,
                size_t why_size)
{
    const struct warp_target_info *t = warp_target_of(target);
    enum obstacle obstacle = find_obstacle(info, t, dst, ptx);
    if (why != NULL)
        describe(obstacle, info, t, dst, why, why_size);
    return obstacle == NONE;
}

/* Later versions only remove forms and never add a target to one, so only the first version that knows both can be
 * the least. */
uint16_t warp_legal_from(const struct warp_form_info *info, uint32_t target)
{
    const struct warp_target_info *t = warp_target_of(target);
    uint16_t ptx = info->min_ptx;
    if (t == NULL || !target_is_legal(info, target))
        return 0;
    if (ptx < t->min_ptx)
        ptx = t->min_ptx;
    return is_removed(info, ptx, target) ? 0 : ptx;
}
