/* Which instruction a generated case is of, for which target, and where its results go. */
#include "choices.h"

/* The weight of each family's forms: families with more room for mistakes are chosen more often. */
static const uint8_t family_weights[] = {4, 2, 2, 1, 3, 1, 1, 1, 2};
_Static_assert(sizeof family_weights == WARP_FAMILIES, "every family has a weight");
#define MOST_WEIGHTED (WARP_FORMS * 4u)

/* The usual targets; those on which lanes wait stand in the list more often. The first is the simplest. */
static const uint32_t usual_targets[16] = {
    WARP_TARGET(70, 0),  WARP_TARGET(75, 0),
    WARP_TARGET(80, 0),  WARP_TARGET(86, 0),
    WARP_TARGET(89, 0),  WARP_TARGET(90, 0),
    WARP_TARGET(90, 0),  WARP_TARGET(90, WARP_SUFFIX_A),
    WARP_TARGET(30, 0),  WARP_TARGET(100, WARP_SUFFIX_A),
    WARP_TARGET(60, 0),  WARP_TARGET(100, WARP_SUFFIX_F),
    WARP_TARGET(72, 0),  WARP_TARGET(103, WARP_SUFFIX_A),
    WARP_TARGET(120, 0), WARP_TARGET(100, WARP_SUFFIX_A),
};

/*
 * Keeps what the last call of this thread worked out, since it does not depend on the bytes: the forms of the wanted
 * families, each as often as its weight, and which targets are legal for a form (bit i for usual_targets[i], and for
 * warp_target_get(i)).
 */
static _Thread_local struct {
    uint32_t families;
    uint32_t forms_count;
    uint8_t forms[MOST_WEIGHTED];
    struct legal_targets {
        bool known;
        uint32_t usual;
        uint64_t all;
    } legal[WARP_FORMS];
} memo;

static void remember_forms(uint32_t families)
{
    memo.families = families;
    memo.forms_count = 0;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        enum warp_family family = warp_form_get(form)->family;
        if (families >> family & 1u)
            for (uint8_t i = 0; i < family_weights[family]; i++)
                memo.forms[memo.forms_count++] = (uint8_t)form;
    }
}

static const struct warp_form_info *choose_form(uint32_t first, uint32_t families)
{
    if (memo.families != families)
        remember_forms(families);
    return warp_form_get(memo.forms[first * memo.forms_count >> 8]);
}

static struct legal_targets legal_targets_of(const struct warp_form_info *info)
{
    struct legal_targets *const legal = &memo.legal[info->form];
    const struct warp_target_info *t;
    if (legal->known)
        return *legal;
    for (unsigned i = 0; i < 16; i++)
        if (warp_legal_from(info, usual_targets[i]) != 0)
            legal->usual |= 1u << i;
    for (unsigned i = 0; i < 64 && (t = warp_target_get(i)) != NULL; i++)
        if (warp_legal_from(info, t->target) != 0)
            legal->all |= (uint64_t)1 << i;
    legal->known = true;
    return *legal;
}

/* The first of these bits from bit i on, or after the last the first of all. There is one. */
static uint32_t next_bit(uint32_t bits, uint32_t i)
{
    const uint32_t above = bits >> i << i;
    return (uint32_t)__builtin_ctz(above != 0 ? above : bits);
}

/* Chooses a target, mostly a usual one, and takes the next legal one from there. */
static uint32_t choose_target(struct choices *choices, const struct warp_form_info *info)
{
    const uint32_t choice = choose(choices);
    const struct legal_targets legal = legal_targets_of(info);
    if (choice < 240 && legal.usual != 0)
        return usual_targets[next_bit(legal.usual, choice % 16)];
    const uint32_t first = choose_among(choices, 40);
    const uint64_t above = legal.all >> first << first;
    return above != 0 ? warp_target_get((size_t)__builtin_ctzll(above))->target : warp_form_least_target(info);
}

static uint32_t choose_destination(struct choices *choices, const struct warp_form_info *info)
{
    return next_bit(info->destinations, choose_among(choices, WARP_DST_COUNT));
}

void generate_head(uint32_t first, struct choices *choices, uint32_t families, struct warp_case *c)
{
    const struct warp_form_info *info = choose_form(first, families);
    c->form = info->form;
    c->target = choose_target(choices, info);
    c->dst = choose_destination(choices, info);
    c->negate = info->type == WARP_PRED ? choose(choices) & 1u : 0u;
}
