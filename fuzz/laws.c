/*
 * The laws. Each evaluates the implementation on the case and on one or more cases made from it, and compares the
 * answers; laws.h says what it returns.
 *
 * A program of corpus/programs that claims the same is named at the law. The program claims it of a full warp or of one
 * group; a law judges the groups that a fuzzer's case has.
 */
#include "fuzz/laws.h"

#include "model/lanes.h"
#include "warpcheck/bytes.h"

#include <string.h>

#define D_AND_OUTCOME (WARP_PART_D | WARP_PART_D_DEFINED | WARP_PART_OUTCOME)

/* Evaluates; false when the implementation does not accept the case. */
static bool answer(const struct warp_impl *impl, const struct warp_case *c, struct warp_result *r)
{
    char error[64];
    memset(r, 0xa5, sizeof *r);
    return warp_impl_accepts(impl, c, NULL, 0) && impl->eval(impl->state, c, 1, r, error, sizeof error);
}

/* Does the implementation provide all of these parts? */
static bool provides(const struct warp_impl *impl, uint32_t parts)
{
    return (impl->provides & parts) == parts;
}

/* The form of a family with another operation, type or qualifiers; the destinations are set to d alone. */
static bool with_form(struct warp_case *c, uint32_t form)
{
    c->form = form;
    c->dst = WARP_DST_D;
    if (warp_legal_from(warp_form_get(form), c->target) == 0)
        return false;
    warp_case_repair(c);
    return true;
}

/* ---- all instructions, and activemask ---- */

static const char *law_inactive_lanes(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case other = *c;
    struct warp_result x, y;
    uint32_t parts = impl->provides;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!(c->active >> lane & 1u)) {
            other.a[lane] = ~c->a[lane];
            other.a_high[lane] = ~c->a_high[lane];
            other.b[lane] = ~c->b[lane];
            other.c[lane] = c->c[lane] ^ 0x101fu;
            other.membermask[lane] = c->active;
        }
    warp_case_repair(&other);
    *tried =
        c->active != UINT32_MAX && provides(impl, WARP_PART_OUTCOME) && answer(impl, c, &x) && answer(impl, &other, &y);
    if (*tried && !provides(impl, WARP_PART_D_DEFINED))
        parts &= ~WARP_PART_D; /* a d that is unpredictable may come from there */
    return !*tried || warp_result_compare(c, &x, &y, parts, NULL) ? NULL
                                                                  : "operands of a lane that is not active matter";
}

static const char *law_activemask_ballot(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case ballot = *c;
    struct warp_result x, y;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        ballot.a[lane] = 1;
    ballot.form = WARP_VOTE_BALLOT_B32;
    ballot.target = WARP_TARGET(30, 0);
    *tried = provides(impl, D_AND_OUTCOME) && answer(impl, c, &x) && answer(impl, &ballot, &y);
    return !*tried || (lanes_that_differ(x.d, y.d) & c->active) == 0 ? NULL : "activemask is not the ballot of true";
}

/* ---- shfl, and .sync against the older forms ---- */

static const char *law_meaningless_bits(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case other = *c;
    struct warp_result x, y;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        other.b[lane] ^= 0xffffffe0u;
        other.c[lane] ^= 0xffffe0e0u;
    }
    *tried = provides(impl, D_AND_OUTCOME) && answer(impl, c, &x) && answer(impl, &other, &y);
    return !*tried || warp_result_compare(c, &x, &y, impl->provides, NULL)
               ? NULL
               : "bits of b or c outside b[4:0], c[4:0], c[12:8] matter";
}

static const char *law_moves_data(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case other = *c;
    struct warp_result x, y;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        other.a[lane] = ~c->a[lane];
    *tried = provides(impl, D_AND_OUTCOME) && answer(impl, c, &x) && answer(impl, &other, &y);
    if (!*tried)
        return NULL;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        y.d[lane] = ~y.d[lane];
    return warp_result_compare(c, &x, &y, impl->provides, NULL)
               ? NULL
               : "shfl of the complement is not the complement of shfl";
}

/*
 * bfly twice with one b and a clamp of 31 gives a back, wherever both reads are predictable. masks/bfly-involution.ptx
 * claims it of a full warp.
 */
static const char *law_bfly_twice(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case twice = *c;
    struct warp_result x, y;
    lanemask both;
    *tried = warp_form_get(c->form)->op == WARP_BFLY && provides(impl, D_AND_OUTCOME);
    if (!*tried)
        return NULL;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        twice.b[lane] = c->b[0];
        twice.c[lane] = 0x1f;
    }
    if (!answer(impl, &twice, &x))
        return NULL;
    memcpy(twice.a, x.d, sizeof twice.a);
    if (!answer(impl, &twice, &y))
        return NULL;
    both = x.done & x.d_defined;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!(x.d_defined >> (lane ^ (c->b[0] & 31u)) & 1u))
            both &= ~(1u << lane);
    return (lanes_that_differ(y.d, c->a) & both & y.d_defined) == 0 ? NULL : "bfly is not its own inverse";
}

/* The family without .sync; the law is of these two alone (laws.def). */
static enum warp_family older_family(enum warp_family family)
{
    switch (family) {
    case WARP_SHFL_SYNC:
        return WARP_SHFL;
    case WARP_VOTE_SYNC:
        return WARP_VOTE;
    case WARP_SHFL:
    case WARP_VOTE:
    case WARP_MATCH_SYNC:
    case WARP_REDUX_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return WARP_FAMILIES;
}

/* Without other groups .sync is what the older form does. */
static const char *law_sync_is_plain(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case sync = *c, plain = *c;
    struct warp_result x, y;
    const struct warp_form_info *info = warp_form_get(c->form);
    const struct warp_form_info *older = warp_form_in_family(info, older_family(info->family), info->op);
    *tried = false;
    if (older == NULL)
        return NULL;
    plain.form = older->form;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        sync.membermask[lane] = c->active;
    plain.target = sync.target = WARP_TARGET(30, 0);
    warp_case_repair(&plain);
    *tried = provides(impl, D_AND_OUTCOME) && answer(impl, &sync, &x) && answer(impl, &plain, &y);
    return !*tried || warp_result_compare(&sync, &x, &y, impl->provides, NULL)
               ? NULL
               : "with all active lanes as members .sync differs";
}

/* ---- vote ---- */

/* The answers of one vote on c with another operation. */
static bool vote(const struct warp_impl *impl, const struct warp_case *c, enum warp_op op, bool negate,
                 struct warp_result *r)
{
    struct warp_case other = *c;
    const struct warp_form_info *info = warp_form_get(c->form);
    other.form = warp_form_in_family(info, info->family, op)->form;
    other.negate = c->negate ^ negate;
    return provides(impl, D_AND_OUTCOME | WARP_PART_P) &&
           warp_legal_from(warp_form_get(other.form), other.target) != 0 && answer(impl, &other, r);
}

/* partial/vote-any-mask-logic.ptx claims it of one group. */
static const char *law_vote_de_morgan(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result any, all;
    *tried = vote(impl, c, WARP_ANY, false, &any) && vote(impl, c, WARP_ALL, true, &all);
    return !*tried || ((any.p ^ ~all.p) & any.done) == 0 ? NULL : "any(a) is not !all(!a)";
}

/* idioms/vote-from-ballot.ptx claims it, by way of the ballot, of a full warp. */
static const char *law_vote_uni(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result uni, all, none;
    *tried = vote(impl, c, WARP_UNI, false, &uni) && vote(impl, c, WARP_ALL, false, &all) &&
             vote(impl, c, WARP_ALL, true, &none);
    return !*tried || ((uni.p ^ (all.p | none.p)) & uni.done) == 0 ? NULL : "uni(a) is not all(a) or all(!a)";
}

/* idioms/vote-from-ballot.ptx claims what follows from the ballot of a full warp. */
static const char *law_vote_ballot(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result yes, no, all, any;
    *tried = vote(impl, c, WARP_BALLOT, false, &yes) && vote(impl, c, WARP_BALLOT, true, &no) &&
             vote(impl, c, WARP_ALL, false, &all) && vote(impl, c, WARP_ANY, false, &any);
    if (!*tried)
        return NULL;
    for (lanemask left = yes.done; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        lanemask group = lanes_group(c, lane);
        if ((yes.d[lane] & no.d[lane]) != 0 || (yes.d[lane] | no.d[lane]) != group)
            return "ballot(a) and ballot(!a) do not split the group";
        if ((all.p >> lane & 1u) != (yes.d[lane] == group) || (any.p >> lane & 1u) != (yes.d[lane] != 0))
            return "all or any differs from ballot";
    }
    return NULL;
}

/* ---- match ---- */

static const char *law_match_equivalence(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result r;
    *tried = warp_form_get(c->form)->op == WARP_ANY && provides(impl, D_AND_OUTCOME) && answer(impl, c, &r);
    for (lanemask left = *tried ? r.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        lanemask group = lanes_group(c, lane);
        if (!(r.d[lane] >> lane & 1u) || (r.d[lane] & ~group) != 0)
            return "match.any: a lane does not match itself, or matches outside its group";
        for (lanemask peer = r.d[lane]; peer != 0; peer &= peer - 1)
            if (r.d[__builtin_ctz(peer)] != r.d[lane])
                return "match.any: not an equivalence";
    }
    return NULL;
}

static const char *law_match_all_any(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case all = *c, any = *c;
    struct warp_result x, y;
    bool wide = warp_form_get(c->form)->type == WARP_B64;
    *tried = provides(impl, D_AND_OUTCOME) &&
             with_form(&all, wide ? WARP_MATCH_ALL_SYNC_B64 : WARP_MATCH_ALL_SYNC_B32) &&
             with_form(&any, wide ? WARP_MATCH_ANY_SYNC_B64 : WARP_MATCH_ANY_SYNC_B32) && answer(impl, &all, &x) &&
             answer(impl, &any, &y);
    for (lanemask left = *tried ? x.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        lanemask group = lanes_group(c, lane);
        if (x.d[lane] != (y.d[lane] == group ? group : 0))
            return "match.all is not match.any with the whole group";
    }
    return NULL;
}

/* idioms/match-b64.ptx claims it of a full warp. */
static const char *law_match_halves(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case both = *c, low = *c, high = *c;
    struct warp_result x, y, z;
    memcpy(high.a, c->a_high, sizeof high.a);
    *tried = warp_form_get(c->form)->type == WARP_B64 && provides(impl, D_AND_OUTCOME) &&
             with_form(&both, WARP_MATCH_ANY_SYNC_B64) && with_form(&low, WARP_MATCH_ANY_SYNC_B32) &&
             with_form(&high, WARP_MATCH_ANY_SYNC_B32) && answer(impl, &both, &x) && answer(impl, &low, &y) &&
             answer(impl, &high, &z);
    for (lanemask left = *tried ? x.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (x.d[lane] != (y.d[lane] & z.d[lane]))
            return "match.any.b64 is not match.any of both halves";
    }
    return NULL;
}

/* ---- redux ---- */

/* redux with another form on operands a ^ flip. */
static bool redux(const struct warp_impl *impl, const struct warp_case *c, uint32_t form, uint32_t flip,
                  struct warp_result *r)
{
    struct warp_case other = *c;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        other.a[lane] ^= flip;
    if (!provides(impl, D_AND_OUTCOME) || !with_form(&other, form))
        return false;
    return answer(impl, &other, r);
}

/* Is form(a) equal to other(a ^ flip) ^ flip? */
static const char *redux_pair(const struct warp_impl *impl, const struct warp_case *c, uint32_t form, uint32_t other,
                              uint32_t flip, bool *tried, const char *what)
{
    struct warp_result x, y;
    if (!redux(impl, c, form, 0, &x) || !redux(impl, c, other, flip, &y))
        return NULL;
    *tried = true;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        y.d[lane] ^= flip;
    return (lanes_that_differ(x.d, y.d) & x.done) == 0 && x.done == y.done ? NULL : what;
}

static const char *law_redux_integers(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    static const struct {
        uint32_t form, other, flip;
        const char *what;
    } pairs[] = {
        {WARP_REDUX_SYNC_ADD_U32, WARP_REDUX_SYNC_ADD_S32, 0, "add.u32 is not add.s32"},
        {WARP_REDUX_SYNC_MIN_U32, WARP_REDUX_SYNC_MAX_U32, UINT32_MAX, "min.u32 is not the complement of max.u32"},
        {WARP_REDUX_SYNC_MIN_S32, WARP_REDUX_SYNC_MAX_S32, UINT32_MAX, "min.s32 is not the complement of max.s32"},
        {WARP_REDUX_SYNC_MIN_S32, WARP_REDUX_SYNC_MIN_U32, 0x80000000u, "min.s32 is not min.u32 with the sign flipped"},
        {WARP_REDUX_SYNC_MAX_S32, WARP_REDUX_SYNC_MAX_U32, 0x80000000u, "max.s32 is not max.u32 with the sign flipped"},
        {WARP_REDUX_SYNC_AND_B32, WARP_REDUX_SYNC_OR_B32, UINT32_MAX, "and is not the complement of or"}};
    const char *wrong = NULL;
    for (size_t i = 0; wrong == NULL && i < sizeof pairs / sizeof pairs[0]; i++)
        wrong = redux_pair(impl, c, pairs[i].form, pairs[i].other, pairs[i].flip, tried, pairs[i].what);
    return wrong;
}

/* min(x) = -max(-x), where the result is a number; NaN on both sides or on neither. */
static const char *law_redux_floats(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result x, y;
    bool nan = warp_form_get(c->form)->nan;
    *tried = redux(impl, c, nan ? WARP_REDUX_SYNC_MIN_NAN_F32 : WARP_REDUX_SYNC_MIN_F32, 0, &x) &&
             redux(impl, c, nan ? WARP_REDUX_SYNC_MAX_NAN_F32 : WARP_REDUX_SYNC_MAX_F32, 0x80000000u, &y);
    for (lanemask left = *tried ? x.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        bool x_nan = x.d[lane] == 0x7fffffffu, y_nan = y.d[lane] == 0x7fffffffu;
        if (x_nan != y_nan || (!x_nan && x.d[lane] != (y.d[lane] ^ 0x80000000u)))
            return "min(x) is not -max(-x)";
    }
    return NULL;
}

/* idioms/redux-is-butterfly-*.ptx claim it of a full warp. */
static const char *law_redux_uniform(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result r;
    *tried = provides(impl, D_AND_OUTCOME) && answer(impl, c, &r);
    for (lanemask left = *tried ? r.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        lanemask group = lanes_group(c, lane);
        if (group == 0 || r.d[__builtin_ctz(group)] != r.d[lane])
            return "lanes of one group have different results";
    }
    return NULL;
}

static uint32_t combine(enum warp_op op, bool is_signed, uint32_t x, uint32_t y)
{
    bool less = is_signed ? (int32_t)x < (int32_t)y : x < y;
    switch (op) {
    case WARP_ADD:
        return x + y;
    case WARP_MIN:
        return less ? x : y;
    case WARP_MAX:
        return less ? y : x;
    case WARP_AND:
        return x & y;
    case WARP_OR:
        return x | y;
    case WARP_XOR:
        return x ^ y;
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return 0; /* no reduction */
}

/*
 * With all lanes in one group an integer redux is the butterfly of five shfl. idioms/redux-is-butterfly-*.ptx claim it
 * of six of the nine integer forms, and of three of f32.
 */
static const char *law_redux_butterfly(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    struct warp_case step, whole = *c;
    struct warp_result r, s;
    if (info->type == WARP_F32 || !provides(impl, D_AND_OUTCOME))
        return NULL;
    whole.active = UINT32_MAX;
    whole.exited = 0;
    memset(whole.membermask, 0xff, sizeof whole.membermask);
    warp_case_init(&step, WARP_SHFL_SYNC_BFLY_B32);
    memcpy(step.a, c->a, sizeof step.a);
    if (!answer(impl, &whole, &r))
        return NULL;
    for (uint32_t distance = 16; distance > 0; distance /= 2) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            step.b[lane] = distance;
            step.c[lane] = 0x1f;
        }
        if (!answer(impl, &step, &s))
            return NULL;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            step.a[lane] = combine(info->op, info->type == WARP_S32, step.a[lane], s.d[lane]);
    }
    *tried = true;
    return lanes_that_differ(r.d, step.a) == 0 ? NULL : "redux is not the butterfly of shfl";
}

/* ---- bar.warp and elect ---- */

static const char *law_waits_as_vote(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case vote = *c;
    struct warp_result x, y;
    *tried = provides(impl, WARP_PART_OUTCOME) && with_form(&vote, WARP_VOTE_SYNC_ANY_PRED) && answer(impl, c, &x) &&
             answer(impl, &vote, &y);
    if (!*tried)
        return NULL;
    if (x.done != y.done || x.waiting != y.waiting || x.undefined != y.undefined)
        return "lanes have another outcome than under vote.sync";
    return provides(impl, WARP_PART_WAITS_FOR) && (lanes_that_differ(x.waits_for, y.waits_for) & x.waiting) != 0
               ? "lanes wait for others than under vote.sync"
               : NULL;
}

/* With both destinations, whatever the case has. */
static bool elect(const struct warp_impl *impl, const struct warp_case *c, struct warp_result *r)
{
    struct warp_case both = *c;
    both.dst = WARP_DST_D_P;
    return provides(impl, D_AND_OUTCOME | WARP_PART_P) && answer(impl, &both, r);
}

static const char *law_elect_one(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result r;
    *tried = elect(impl, c, &r);
    for (lanemask left = *tried ? r.done : 0; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const lanemask group = lanes_group(c, lane), leader = r.p & group;
        if (leader == 0 || (leader & (leader - 1)) != 0)
            return "a group has no leader, or several";
        if (r.d[lane] != (unsigned)__builtin_ctz(leader))
            return "d names another lane than the one whose p is true";
    }
    return NULL;
}

/*
 * "The same leader thread is elected for the same membermask every time": also when nobody else executes the
 * instruction, when no lane that the membermask does not name has exited, and when d is not written.
 */
static const char *law_elect_same(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result r, s;
    lanemask group;
    *tried = elect(impl, c, &r);
    for (lanemask left = *tried ? r.done : 0; left != 0; left &= ~group) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        struct warp_case alone = *c;
        group = lanes_group(c, lane) | 1u << lane;
        alone.active = group & ~c->exited;
        alone.exited = c->exited & c->membermask[lane];
        alone.dst = WARP_DST_SINK_P;
        if (!answer(impl, &alone, &s))
            continue;
        if (((r.p ^ s.p) & group & s.done) != 0)
            return "the same membermask elects another leader";
    }
    return NULL;
}

/* ---- the list ---- */

#define SHFL  (WARP_FAMILY_BIT(WARP_SHFL) | WARP_FAMILY_BIT(WARP_SHFL_SYNC))
#define VOTE  (WARP_FAMILY_BIT(WARP_VOTE) | WARP_FAMILY_BIT(WARP_VOTE_SYNC))
#define SYNC  (WARP_FAMILY_BIT(WARP_SHFL_SYNC) | WARP_FAMILY_BIT(WARP_VOTE_SYNC))
#define MATCH WARP_FAMILY_BIT(WARP_MATCH_SYNC)
#define REDUX WARP_FAMILY_BIT(WARP_REDUX_SYNC)
#define ELECT WARP_FAMILY_BIT(WARP_ELECT)

static const struct law laws[] = {
    {"inactive-lanes", "operands of lanes that are not active do not matter", WARP_FAMILY_ALL, law_inactive_lanes},
    {"meaningless-bits", "only b[4:0], c[4:0] and c[12:8] matter", SHFL, law_meaningless_bits},
    {"moves-data", "shfl(~a) = ~shfl(a), and p does not depend on a", SHFL, law_moves_data},
    {"bfly-twice", "bfly is its own inverse", SHFL, law_bfly_twice},
    {"sync-is-plain", "with all active lanes as members .sync is the older form", SYNC, law_sync_is_plain},
    {"vote-de-morgan", "any(a) = !all(!a)", VOTE, law_vote_de_morgan},
    {"vote-uni", "uni(a) = all(a) or all(!a)", VOTE, law_vote_uni},
    {"vote-ballot", "ballot(a), ballot(!a) split the group; all and any follow from ballot", VOTE, law_vote_ballot},
    {"match-equivalence", "match.any is an equivalence on each group", MATCH, law_match_equivalence},
    {"match-all-any", "match.all = match.any with the whole group", MATCH, law_match_all_any},
    {"match-halves", "match.any.b64 = match.any of the low halves and of the high halves", MATCH, law_match_halves},
    {"redux-integers", "add, min, max, and, or of integers follow from each other", REDUX, law_redux_integers},
    {"redux-floats", "min(x) = -max(-x)", REDUX, law_redux_floats},
    {"redux-uniform", "all lanes of a group get the same", REDUX, law_redux_uniform},
    {"redux-butterfly", "redux of a full warp is the butterfly of five shfl", REDUX, law_redux_butterfly},
    {"activemask-ballot", "activemask = ballot of true", WARP_FAMILY_BIT(WARP_ACTIVEMASK), law_activemask_ballot},
    {"waits-as-vote", "who waits, and for whom, is as under vote.sync", ELECT | WARP_FAMILY_BIT(WARP_BAR_WARP),
     law_waits_as_vote},
    {"elect-one", "each group has one leader, whose number is d", ELECT, law_elect_one},
    {"elect-same", "the same membermask elects the same leader every time", ELECT, law_elect_same}};

const struct law *law_get(size_t i)
{
    return i < sizeof laws / sizeof laws[0] ? &laws[i] : NULL;
}
