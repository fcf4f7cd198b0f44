#include "check/cause/cause.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/text.h"
#include "check/cause/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPS_MAX        32u /* bits of a set of operations */
#define CANDIDATES_MAX 256u
#define SETS_MAX       64u /* that explain one operation */
#define LEAST_PERCENT  80u /* of the mismatches of an operation, that one mistake beside an unknown one explains */
#define CERTAIN_PERCENT                                                                                                \
    60u /* the same, with a wrong lane that may not take any value, where it explains all with others */
#define FORETOLD_PERCENT 80u /* of the wrong answers that it would give, were given */
/* A mistake that by itself explains fewer of its operations' mismatches is not named beside unexplained ones. */
#define ALONE_PERCENT 2u
#define BESIDE_MAX    3u    /* known mistakes beside an unknown one: more are most often parts of the unknown one */
#define ANSWERS_LEAST 5u    /* beside crashes and hangs: of one that answers less no cause is named */
#define BUSY_TIMES    15.0  /* so much longer may a search take on a busy machine */
#define APART_LEAST   3u    /* mismatches that a mistake must explain to be seen apart from others */
#define TRIED_MAX     3000u /* cases of one operation that are looked at */

static const char *const op_names[] = {
    [WARP_UP] = "up",
    [WARP_DOWN] = "down",
    [WARP_BFLY] = "bfly",
    [WARP_IDX] = "idx",
    [WARP_ALL] = "all",
    [WARP_ANY] = "any",
    [WARP_UNI] = "uni",
    [WARP_BALLOT] = "ballot",
    [WARP_ADD] = "add",
    [WARP_MIN] = "min",
    [WARP_MAX] = "max",
    [WARP_AND] = "and",
    [WARP_OR] = "or",
    [WARP_XOR] = "xor",
    [WARP_ACTIVE] = "activemask",
    [WARP_BARRIER] = "bar.warp",
    [WARP_LEADER] = "elect",
    [READING_MIN_F32] = "min of .f32",
    [READING_MAX_F32] = "max of .f32",
    [READING_ANY_B64] = "any of .b64",
    [READING_ALL_B64] = "all of .b64",
    [READING_ADD_S32] = "add of .s32",
    [READING_MIN_S32] = "min of .s32",
    [READING_MAX_S32] = "max of .s32",
};
_Static_assert(sizeof op_names / sizeof op_names[0] == READING_OPS && (unsigned)READING_OPS <= OPS_MAX,
               "each operation has a name");

/* The operation of .u32 and that of .s32 are told as one where a mistake is made in both. */
static const struct {
    unsigned of_u32, of_s32;
    const char *u32_alone;
} twins[] = {{WARP_ADD, READING_ADD_S32, "add of .u32"},
             {WARP_MIN, READING_MIN_S32, "min of .u32"},
             {WARP_MAX, READING_MAX_S32, "max of .u32"}};

/* The name of an operation of the set; NULL: its twin stands for it. */
static const char *name_in(uint32_t ops, unsigned op)
{
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
        if (op == twins[i].of_u32 && !(ops >> twins[i].of_s32 & 1u))
            return twins[i].u32_alone;
        if (op == twins[i].of_s32 && (ops >> twins[i].of_u32 & 1u))
            return NULL;
    }
    return op_names[op];
}

/* Does the mistake name its operation itself: "ballot: ..."? Then it can be in no other. One that names several may be
 * made in some of them. */
static bool names_op(const char *words)
{
    for (size_t op = 0; op < sizeof op_names / sizeof op_names[0]; op++) {
        const size_t length = strlen(op_names[op]);
        if (strncmp(words, op_names[op], length) == 0 && strchr(" :.", words[length]) != NULL)
            return strncmp(words + length, " and ", 5) != 0;
    }
    return strncmp(words, "match.", 6) == 0;
}

/* --- one hypothesis against one case --- */

/* What an implementation may do where a reading reads a lane that no warp has: always the same. A set of those that an
 * answer refutes; when it refutes all, the reading does not explain it. */
enum beside {
    BESIDE_WILD = 1,    /* it gets what lies there: any value, but hardly just the right one */
    BESIDE_GUARDED = 2, /* the read is guarded: the lane's own value, or 0, and p may say that it is out of range */
    BESIDE_MODULO = 4,  /* the lane modulo 32 is read */
    BESIDE_ALL = 7
};

/* Is d the value of the lane that the reading reads? When that lane does not take part, the reading is uncertain: d may
 * be its register, 0, or the own value. It is not judged where the implementation calls d unpredictable. */
static bool is_read(const struct cause_case *k, const struct reading_answer *h, uint32_t parts, unsigned lane)
{
    const uint32_t d = k->observed.d[lane];
    if (h->r.d[lane] == d)
        return true;
    return !(h->r.d_defined >> lane & 1u) && ((parts & WARP_PART_D_DEFINED) || d == 0 || d == k->c.a[lane]);
}

/* Which of them does d refute? 0 and 1 may be any of the first two. In a reduction the value may not tell. */
static unsigned beside_refuted(const struct cause_case *k, const struct reading_answer *h, uint32_t parts,
                               unsigned lane)
{
    const uint32_t d = k->observed.d[lane];
    const bool tells = d > 1 && warp_form_is_shfl(warp_form_get(k->c.form));
    return (tells && d == k->expected.d[lane] ? BESIDE_WILD : 0u) | (d > 1 && d != k->c.a[lane] ? BESIDE_GUARDED : 0u) |
           (is_read(k, h, parts, lane) ? 0u : BESIDE_MODULO);
}

/* Would this reading give d? */
static bool explains_d(const struct cause_case *k, const struct reading_answer *h, uint32_t parts, unsigned lane,
                       unsigned *refuted)
{
    if (!(h->anything >> lane & 1u))
        return is_read(k, h, parts, lane);
    *refuted |= beside_refuted(k, h, parts, lane);
    return *refuted != BESIDE_ALL;
}

/* The lanes in which an implementation with these mistakes would end so: it hangs where they would not be done, or loop
 * without an end, and may crash where they would not be done, and where they would read a lane outside 0 to 31. */
static lanemask lost_lanes(const struct cause_case *k, const struct reading_answer *h)
{
    const lanemask beside = k->ending == ERROR_TIMEOUT ? h->endless : h->anything | h->beyond;
    return k->expected.done & (beside | ~h->r.done);
}

/* Would this reading have given the observed answer in these lanes, or have ended where it did? Values count only in
 * lanes that are done by the reference, and d only where it is predictable: other lanes explain nothing. *refuted: what
 * it cannot do beside the warp (enum beside). */
static bool explains_lanes(const struct reading *reading, const struct cause_case *k, uint32_t parts, lanemask of,
                           unsigned *refuted)
{
    const struct warp_form_info *const info = warp_form_get(k->c.form);
    const struct warp_result *const o = &k->observed;
    struct reading_answer h;
    lanemask lanes = k->expected.done & of;
    *refuted = 0;
    parts &= k->parts != 0 ? k->parts : parts;
    reading_eval_lanes(reading, &k->c, of, &h);
    if (k->ending != ERROR_NONE) {
        *refuted = (h.anything & k->expected.done) != 0 ? BESIDE_GUARDED | BESIDE_MODULO : 0u;
        return lost_lanes(k, &h) != 0;
    }
    if ((h.endless & k->expected.done) != 0)
        return false; /* it answered where this reading never ends */
    if (parts & WARP_PART_OUTCOME) {
        if (h.r.done != (o->done & of) || h.r.waiting != (o->waiting & of) || h.r.undefined != (o->undefined & of))
            return false;
        lanes &= o->done;
    } else if (lanes & ~h.r.done) {
        return false; /* it answered where this reading waits */
    }
    if ((parts & WARP_PART_P) && warp_form_writes_p(info, k->c.dst)) {
        const lanemask other = (h.r.p ^ o->p) & lanes;
        if ((other & ~h.anything) != 0) /* a read that is guarded may be out of range as well */
            return false;
        *refuted |= other != 0 ? BESIDE_WILD | BESIDE_MODULO : 0u;
    }
    if ((parts & WARP_PART_D_DEFINED) && warp_form_writes_d(info, k->c.dst) &&
        ((h.r.d_defined ^ o->d_defined) & lanes & ~h.anything) != 0)
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const lanemask bit = (lanemask)1 << lane;
        if ((parts & WARP_PART_D) && (lanes & k->expected.d_defined & bit) && !explains_d(k, &h, parts, lane, refuted))
            return false;
        if ((parts & WARP_PART_WAITS_FOR) && (h.r.waiting & o->waiting & bit) &&
            h.r.waits_for[lane] != o->waits_for[lane])
            return false;
    }
    return true;
}

/* The same of the whole case. A lane that differs is asked first: there most readings fail. */
static bool explains_how(const struct reading *reading, const struct cause_case *k, uint32_t parts, unsigned *refuted)
{
    return (k->probe == 0 || explains_lanes(reading, k, parts, k->probe, refuted)) &&
           explains_lanes(reading, k, parts, UINT32_MAX, refuted);
}

static bool explains(const struct reading *reading, const struct cause_case *k, uint32_t parts)
{
    unsigned refuted;
    return explains_how(reading, k, parts, &refuted);
}

/* Would whoever reads so answer wrongly? */
static bool is_foretold(const struct reading *reading, const struct cause_case *k, uint32_t parts)
{
    struct reading_answer answer;
    reading_eval(reading, &k->c, &answer);
    return answer.anything != 0 ||
           !warp_result_compare(&k->c, &k->expected, &answer.r, parts & (k->parts != 0 ? k->parts : parts), NULL);
}

/* --- one operation --- */

/* A mistake as it is tried in one operation: one of mistakes.def, or MISTAKES: computed as the mode `as`. */
struct candidate {
    enum mistake mistake;
    uint8_t as;
};

struct set {
    size_t count;
    uint16_t of[CAUSE_SET_MAX]; /* indices of candidates, ascending */
    bool guesses;               /* it explains some answer only because that could be any */
};

/* The cases of one operation, and the sets that explain them. */
struct op_search {
    unsigned op; /* reading_op */
    struct cause_case **cases;
    size_t count;
    bool wrong;     /* some case differs */
    bool ends_only; /* those that differ are ends: there is no wrong value among them */
    struct set sets[SETS_MAX];
    size_t sets_count;
    bool apart[CANDIDATES_MAX]; /* alone it gives some of the wrong answers */
};

struct search {
    struct cause_evidence *evidence;
    struct candidate candidates[CANDIDATES_MAX];
    size_t count;
    struct op_search ops[OPS_MAX];
    size_t ops_count;
    double end;  /* on clock_thread_seconds()'s clock */
    double last; /* on clock_seconds()'s: whatever else the machine does */
    bool late;
};

static void switch_on(struct reading *reading, const struct candidate *c, uint32_t ops)
{
    if (c->mistake == MISTAKES) {
        for (unsigned mode = 0; mode < 4; mode++)
            if (ops >> (WARP_UP + mode) & 1u)
                reading->order.of[mode] = c->as;
    } else {
        reading->ops[c->mistake] |= ops;
    }
}

/* Does the set explain every case of the operation, and does it the same beside the warp in all of them? A case that
 * refutes it moves to the front: it will soon refute others. */
static bool explains_op(const struct search *s, struct op_search *op, struct set *set)
{
    struct reading reading;
    unsigned refuted = 0;
    reading_init(&reading);
    for (size_t i = 0; i < set->count; i++)
        switch_on(&reading, &s->candidates[set->of[i]], 1u << op->op);
    for (size_t i = 0; i < op->count; i++) {
        unsigned more = 0;
        const bool good = explains_how(&reading, op->cases[i], s->evidence->parts, &more);
        refuted |= more;
        if (!good || refuted == BESIDE_ALL) {
            struct cause_case *const found = op->cases[i];
            op->cases[i] = op->cases[i / 2];
            op->cases[i / 2] = found;
            return false;
        }
    }
    set->guesses = (refuted & BESIDE_MODULO) != 0 && !op->ends_only; /* an end is no value */
    return true;
}

/* Does the mistake show only by an end? Where there is none, it explains everything. */
static bool only_ends(const struct candidate *c)
{
    return c->mistake != MISTAKES && (mistake_get(c->mistake)->classes & CLASS_ENDS) != 0;
}

/* No answer refutes a mistake that shows only by an end. So it must end on most of the cases where it can. */
static bool ends_where_it_can(const struct search *s, const struct op_search *op, const struct set *set)
{
    for (size_t x = 0; x < set->count; x++) {
        const struct candidate *const c = &s->candidates[set->of[x]];
        struct reading reading;
        size_t can = 0, ended = 0;
        reading_init(&reading);
        switch_on(&reading, c, 1u << op->op);
        for (size_t i = 0; i < op->count && only_ends(c); i++) {
            struct reading_answer answer;
            reading_eval(&reading, &op->cases[i]->c, &answer);
            can += (answer.beyond | answer.endless) != 0;
            ended += (answer.beyond | answer.endless) != 0 && op->cases[i]->ending != ERROR_NONE;
        }
        if (ended * 100 < can * FORETOLD_PERCENT)
            return false;
    }
    return true;
}

/* Is there a mismatch that the others of the set do not explain without this one? One that only mends what another one
 * says of agreements was not made. */
static bool is_needed(const struct search *s, const struct op_search *op, const struct set *set, size_t which)
{
    struct reading reading;
    reading_init(&reading);
    for (size_t i = 0; i < set->count; i++)
        if (i != which)
            switch_on(&reading, &s->candidates[set->of[i]], 1u << op->op);
    for (size_t i = 0; i < op->count; i++)
        if (op->cases[i]->differs && !explains(&reading, op->cases[i], s->evidence->parts))
            return true;
    return false;
}

/* Does the mistake alone change some answer of the operation? One that is right there is none. */
static bool is_wrong_alone(const struct search *s, const struct op_search *op, size_t x)
{
    struct reading reading;
    reading_init(&reading);
    switch_on(&reading, &s->candidates[x], 1u << op->op);
    for (size_t i = 0; i < op->count; i++)
        if (is_foretold(&reading, op->cases[i], s->evidence->parts))
            return true;
    return false;
}

/* Is each of several mistakes one, and needed? */
static bool are_needed(const struct search *s, const struct op_search *op, const struct set *set)
{
    bool needed = true;
    for (size_t i = 0; i < set->count && needed && set->count > 1; i++)
        needed = is_needed(s, op, set, i) && is_wrong_alone(s, op, set->of[i]);
    return needed;
}

static void try_set(struct search *s, struct op_search *op, struct set *set)
{
    if (op->sets_count < SETS_MAX && explains_op(s, op, set) && ends_where_it_can(s, op, set) && are_needed(s, op, set))
        op->sets[op->sets_count++] = *set;
}

static bool is_late(struct search *s)
{
    s->late = s->late || clock_thread_seconds() >= s->end || clock_seconds() >= s->last;
    return s->late;
}

/* Two modes at once are no set. */
static bool can_stand_with(const struct search *s, size_t i, size_t k)
{
    return s->candidates[i].mistake != MISTAKES || s->candidates[k].mistake != MISTAKES;
}

/* Which candidates give some of the wrong answers alone? */
static void find_apart(const struct search *s, struct op_search *op)
{
    for (size_t x = 0; x < s->count; x++) {
        struct reading reading;
        unsigned shown = 0;
        reading_init(&reading);
        switch_on(&reading, &s->candidates[x], 1u << op->op);
        for (size_t i = 0; i < op->count && shown < APART_LEAST; i++)
            shown += op->cases[i]->differs && explains(&reading, op->cases[i], s->evidence->parts);
        op->apart[x] = shown == APART_LEAST;
    }
}

/* Sets of several are so many that one fits a few mismatches by chance. Mistakes that were really made are mostly seen
 * apart: one of two, behind which the other may stand, and each of three. */
static void try_pairs(struct search *s, struct op_search *op)
{
    for (size_t i = 0; i < s->count && !is_late(s); i++)
        for (size_t k = i + 1; k < s->count; k++)
            if ((op->apart[i] || op->apart[k]) && can_stand_with(s, i, k))
                try_set(s, op, &(struct set){.count = 2, .of = {(uint16_t)i, (uint16_t)k}});
}

static void try_triples(struct search *s, struct op_search *op)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = i + 1; k < s->count && op->apart[i] && !is_late(s); k++)
            for (size_t l = k + 1; l < s->count && op->apart[k]; l++)
                if (op->apart[l] && can_stand_with(s, i, k) && can_stand_with(s, i, l) && can_stand_with(s, k, l))
                    try_set(s, op, &(struct set){.count = 3, .of = {(uint16_t)i, (uint16_t)k, (uint16_t)l}});
}

/* All sets of the least size of which one explains the operation: which of them is told is chosen later. An end says
 * less than a wrong value: several mistakes that fit ends alone do so by chance. */
static void search_op(struct search *s, struct op_search *op)
{
    for (size_t i = 0; i < s->count; i++)
        try_set(s, op, &(struct set){.count = 1, .of = {(uint16_t)i}});
    if (op->ends_only)
        return;
    if (op->sets_count > 0)
        return;
    find_apart(s, op);
    try_pairs(s, op);
    if (op->sets_count == 0)
        try_triples(s, op);
}

/* --- all operations together --- */

/* What is chosen: candidates, and the operations in which each is made. */
struct choice {
    uint32_t ops[CANDIDATES_MAX];
    uint32_t explained;              /* operations */
    const struct set *sets[OPS_MAX]; /* what explains each; NULL: nothing, or nothing was to be explained */
};

static bool is_chosen(const struct choice *choice, size_t candidate)
{
    return choice->ops[candidate] != 0;
}

/* How many mistakes would the set add? */
static size_t cost_of(const struct choice *choice, const struct set *set)
{
    size_t cost = 0;
    for (size_t i = 0; i < set->count; i++)
        cost += !is_chosen(choice, set->of[i]);
    return cost;
}

static bool has_candidate(const struct set *set, size_t x)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->of[i] == x)
            return true;
    return false;
}

/* What explains the operation when the set is chosen, too; NULL: nothing. */
static const struct set *explained_with(const struct op_search *op, const struct choice *choice, const struct set *set)
{
    for (size_t i = 0; i < op->sets_count; i++) {
        const struct set *const other = &op->sets[i];
        bool chosen = true;
        for (size_t k = 0; k < other->count && chosen; k++)
            chosen = is_chosen(choice, other->of[k]) || has_candidate(set, other->of[k]);
        if (chosen)
            return other;
    }
    return NULL;
}

/* The operations, not yet explained, that are when the set is chosen. */
static uint32_t explained_by(const struct search *s, const struct choice *choice, const struct set *set)
{
    uint32_t ops = 0;
    for (size_t o = 0; o < s->ops_count; o++)
        if (!(choice->explained >> o & 1u) && explained_with(&s->ops[o], choice, set) != NULL)
            ops |= 1u << o;
    return ops;
}

/* A mistake that names its operation, or can be made in all of them, is told in fewer words than one that is made "in
 * ... alone". */
static bool is_short(struct search *s, const struct set *set)
{
    struct set tried = *set;
    bool everywhere = true;
    for (size_t o = 0; o < s->ops_count && everywhere; o++)
        everywhere = explains_op(s, &s->ops[o], &tried);
    for (size_t i = 0; i < set->count && !everywhere; i++)
        if (s->candidates[set->of[i]].mistake == MISTAKES ||
            !names_op(mistake_get(s->candidates[set->of[i]].mistake)->words))
            return false;
    return true;
}

/* Chooses the set that explains the most further operations for each mistake that it adds; where two do, the one that
 * says each value, instead of leaving some open; then the one that is told in fewer words; then the earlier one. False:
 * none explains another one. */
static bool choose_next(struct search *s, struct choice *choice)
{
    const struct set *best = NULL, *sets[OPS_MAX] = {NULL};
    uint32_t best_ops = 0;
    double best_worth = 0;
    for (size_t o = 0; o < s->ops_count; o++)
        for (size_t i = 0; i < s->ops[o].sets_count && !(choice->explained >> o & 1u); i++) {
            const struct set *const set = &s->ops[o].sets[i];
            const uint32_t ops = explained_by(s, choice, set);
            const double worth = (double)lanes_in(ops) / ((double)cost_of(choice, set) + 0.01) +
                                 (set->guesses ? 0 : 0.001) + (is_short(s, set) ? 0.0001 : 0);
            if (worth > best_worth) {
                best = set;
                best_ops = ops;
                best_worth = worth;
            }
        }
    for (size_t o = 0; best != NULL && o < s->ops_count; o++)
        if (best_ops >> o & 1u)
            sets[o] = explained_with(&s->ops[o], choice, best);
    for (size_t o = 0; best != NULL && o < s->ops_count; o++) {
        for (size_t i = 0; sets[o] != NULL && i < sets[o]->count; i++)
            choice->ops[sets[o]->of[i]] |= 1u << o;
        choice->sets[o] = sets[o] != NULL ? sets[o] : choice->sets[o];
    }
    choice->explained |= best_ops;
    return best != NULL;
}

/* All that is chosen in the operation, and x. False: they are too many. */
static bool chosen_with(const struct search *s, const struct choice *choice, size_t o, size_t x, struct set *set)
{
    *set = (struct set){0};
    for (size_t y = 0; y < s->count; y++)
        if (y == x || (choice->ops[y] >> o & 1u)) {
            if (set->count == CAUSE_SET_MAX)
                return false;
            set->of[set->count++] = (uint16_t)y;
        }
    return true;
}

/* Would some lane of the reading take any value? Then it explains nothing by itself. */
static bool takes_anything(const struct reading *reading, const struct warp_case *c)
{
    struct reading_answer answer;
    reading_eval(reading, c, &answer);
    return answer.anything != 0;
}

/* All that is chosen but x, tried as a set of the operation: a smaller one may be all that was looked for. */
static void try_others(struct search *s, const struct choice *choice, struct op_search *op, size_t x)
{
    struct set set = {0};
    for (size_t y = 0; y < s->count; y++)
        if (y != x && is_chosen(choice, y)) {
            if (set.count == CAUSE_SET_MAX)
                return;
            set.of[set.count++] = (uint16_t)y;
        }
    try_set(s, op, &set);
}

/* A set of what is chosen anyway that explains the operation without x; NULL: there is none. */
static const struct set *set_without(struct search *s, const struct choice *choice, size_t o, size_t x)
{
    try_others(s, choice, &s->ops[o], x);
    for (size_t i = 0; i < s->ops[o].sets_count; i++)
        if (cost_of(choice, &s->ops[o].sets[i]) == 0 && !has_candidate(&s->ops[o].sets[i], x))
            return &s->ops[o].sets[i];
    return NULL;
}

/* What was chosen early may not be needed any more: does the rest explain everything? */
static void drop_needless(struct search *s, struct choice *choice)
{
    for (size_t x = s->count; x-- > 0;) {
        const struct set *sets[OPS_MAX];
        bool needless = is_chosen(choice, x);
        for (size_t o = 0; o < s->ops_count && needless; o++) {
            const bool uses = choice->sets[o] != NULL && has_candidate(choice->sets[o], x);
            sets[o] = uses ? set_without(s, choice, o, x) : choice->sets[o];
            needless = !uses || sets[o] != NULL;
        }
        if (!needless)
            continue;
        memset(choice->ops, 0, sizeof choice->ops);
        for (size_t o = 0; o < s->ops_count; o++) {
            choice->sets[o] = sets[o];
            for (size_t i = 0; sets[o] != NULL && i < sets[o]->count; i++)
                choice->ops[sets[o]->of[i]] |= 1u << o;
        }
    }
}

/* The manual's reading with the set's mistakes switched on in the operation. */
static struct reading reading_of_set(const struct search *s, const struct op_search *op, const struct set *set)
{
    struct reading reading;
    reading_init(&reading);
    for (size_t i = 0; i < set->count; i++)
        switch_on(&reading, &s->candidates[set->of[i]], 1u << op->op);
    return reading;
}

/* How many mismatches of the operation the set explains; 0 when it does not explain an agreement, or when it would give
 * many wrong answers that were not given: then what fits does so by chance, or as a part of something else. */
static size_t explained_in_part(const struct search *s, const struct op_search *op, const struct set *set)
{
    const struct reading reading = reading_of_set(s, op, set);
    size_t explained = 0, foretold = 0;
    for (size_t i = 0; i < op->count; i++) {
        const bool good = explains(&reading, op->cases[i], s->evidence->parts);
        if (!good && !op->cases[i]->differs)
            return 0;
        explained += good && op->cases[i]->differs &&
                     (op->cases[i]->ending != ERROR_NONE || !takes_anything(&reading, &op->cases[i]->c));
        foretold += is_foretold(&reading, op->cases[i], s->evidence->parts);
    }
    return explained * 100 >= foretold * FORETOLD_PERCENT ? explained : 0;
}

/* Where no set explains all of an operation, a known mistake may be made beside an unknown one: it must explain every
 * agreement and much of what differs. One that is made elsewhere comes first. */
static void choose_in_part(struct search *s, struct choice *choice, size_t o)
{
    const struct op_search *const op = &s->ops[o];
    size_t wrong = 0, best = 0, best_explained = 0;
    if (op->ends_only)
        return;
    for (size_t i = 0; i < op->count; i++)
        wrong += op->cases[i]->differs;
    for (size_t x = 0; x < s->count; x++) {
        const struct set set = {.count = 1, .of = {(uint16_t)x}};
        const size_t explained = explained_in_part(s, op, &set);
        if (explained == 0 || explained * 100 < wrong * LEAST_PERCENT)
            continue;
        if (explained * (is_chosen(choice, x) ? 2 : 1) > best_explained) {
            best = x;
            best_explained = explained * (is_chosen(choice, x) ? 2 : 1);
        }
    }
    if (best_explained > 0)
        choice->ops[best] |= 1u << o;
}

/* A mistake that was found in some operations is made in all, when it explains the others too: with all that is chosen
 * there. */
static void widen(struct search *s, struct choice *choice)
{
    for (size_t x = 0; x < s->count; x++) {
        bool fits = is_chosen(choice, x) && s->candidates[x].mistake != MISTAKES && !only_ends(&s->candidates[x]);
        for (size_t o = 0; o < s->ops_count && fits; o++) {
            struct set set;
            fits =
                (choice->ops[x] >> o & 1u) || (chosen_with(s, choice, o, x, &set) && explains_op(s, &s->ops[o], &set));
        }
        if (fits)
            choice->ops[x] = (1u << s->ops_count) - 1u;
    }
}

/* Is the mistake told as one of some operations only, though it could be made in others? */
static bool is_restricted(const struct search *s, const struct choice *choice, size_t x)
{
    return is_chosen(choice, x) && choice->ops[x] != (1u << s->ops_count) - 1u &&
           (s->candidates[x].mistake == MISTAKES || !names_op(mistake_get(s->candidates[x].mistake)->words));
}

/* Does the set, made in these operations, explain them all, and is its mistake y needed in one? */
static bool explains_all_of(struct search *s, uint32_t ops, struct set *set, size_t y)
{
    bool needed = false;
    for (size_t o = 0; o < s->ops_count; o++)
        if ((ops >> o & 1u) && (!explains_op(s, &s->ops[o], set) || set->guesses))
            return false;
    for (size_t i = 0; i < set->count; i++)
        for (size_t o = 0; o < s->ops_count && !needed && set->of[i] == y; o++)
            needed = (ops >> o & 1u) && is_needed(s, &s->ops[o], set, i) && is_wrong_alone(s, &s->ops[o], y);
    return needed;
}

/* All operations but those of .f32, which mostly have code of their own. */
static uint32_t without_floats(const struct search *s)
{
    uint32_t ops = 0;
    for (size_t o = 0; o < s->ops_count; o++)
        ops |= s->ops[o].op == READING_MIN_F32 || s->ops[o].op == READING_MAX_F32 ? 0 : 1u << o;
    return ops;
}

/* The chosen mistakes but x, and y. False: they are too many, or one of them is no mistake of every operation. */
static bool chosen_instead(const struct search *s, const struct choice *choice, size_t x, size_t y, struct set *set)
{
    *set = (struct set){0};
    for (size_t z = 0; z < s->count; z++) {
        if (z != y && (z == x || !is_chosen(choice, z)))
            continue;
        if (set->count == CAUSE_SET_MAX || s->candidates[z].mistake == MISTAKES || only_ends(&s->candidates[z]))
            return false;
        set->of[set->count++] = (uint16_t)z;
    }
    return true;
}

/* A mistake that is made in every operation, or in all of integers, is told instead of another one that fits in some
 * alone: where d is 0 because the reduction starts there, "never written" fits as well, but only of min and and. */
static void replace_restricted(struct search *s, struct choice *choice)
{
    const uint32_t all = (1u << s->ops_count) - 1u, scopes[] = {all, without_floats(s)};
    for (size_t x = 0; x < s->count && choice->explained == all; x++)
        for (size_t k = 0; k < 2 * s->count && is_restricted(s, choice, x) && !is_late(s); k++) {
            const size_t y = k % s->count;
            const uint32_t ops = scopes[k / s->count];
            struct set set;
            if ((choice->ops[x] & ~ops) != 0 || choice->ops[x] == ops || is_chosen(choice, y) ||
                !chosen_instead(s, choice, x, y, &set) || !explains_all_of(s, ops, &set, y))
                continue;
            choice->ops[x] = 0;
            for (size_t i = 0; i < set.count; i++)
                choice->ops[set.of[i]] |= ops;
        }
}

/* --- candidates --- */

static void add_candidate(struct search *s, enum mistake mistake, uint8_t as)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->candidates[i].mistake == mistake && s->candidates[i].as == as)
            return;
    if (s->count < CANDIDATES_MAX)
        s->candidates[s->count++] = (struct candidate){mistake, as};
}

static void add_candidates(struct search *s, const struct cause *known, uint32_t classes)
{
    for (size_t i = 0; known != NULL && i < known->count; i++)
        if (known->terms[i].mistake != MISTAKES && (mistake_get(known->terms[i].mistake)->classes & classes))
            add_candidate(s, known->terms[i].mistake, 0);
    for (int m = 0; m < MISTAKES; m++)
        if ((mistake_get((enum mistake)m)->classes & classes) &&
            (s->evidence->endings > 0 || !(mistake_get((enum mistake)m)->classes & CLASS_ENDS)))
            add_candidate(s, (enum mistake)m, 0);
    for (uint8_t as = 0; as < 2 * MODE_OWN_CLAMP && (classes & CLASS_SHFL); as++)
        add_candidate(s, MISTAKES, as);
}

/* --- the result --- */

/* The operations of the choice as bits of enum warp_op. */
static uint32_t ops_of(const struct search *s, uint32_t chosen)
{
    uint32_t ops = 0;
    for (size_t o = 0; o < s->ops_count; o++)
        ops |= chosen >> o & 1u ? 1u << s->ops[o].op : 0;
    return ops;
}

static void add_order(struct cause *cause, uint8_t as, uint32_t ops)
{
    struct cause_term *term = NULL;
    for (size_t i = 0; i < cause->count; i++)
        if (cause->terms[i].mistake == MISTAKES)
            term = &cause->terms[i];
    if (term == NULL && cause->count < CAUSE_TERMS_MAX) {
        term = &cause->terms[cause->count++];
        *term = (struct cause_term){.mistake = MISTAKES, .order = {{0, 1, 2, 3}}};
    }
    for (unsigned mode = 0; term != NULL && mode < 4; mode++)
        if (ops >> (WARP_UP + mode) & 1u)
            term->order.of[mode] = as;
    if (term != NULL)
        term->ops |= ops;
}

static void take_choice(const struct search *s, const struct choice *choice, struct cause *cause)
{
    const uint32_t all = (1u << s->ops_count) - 1u;
    for (size_t x = 0; x < s->count; x++) {
        const struct candidate *const c = &s->candidates[x];
        if (!is_chosen(choice, x))
            continue;
        if (c->mistake == MISTAKES)
            add_order(cause, c->as, ops_of(s, choice->ops[x]));
        else if (cause->count < CAUSE_TERMS_MAX)
            cause->terms[cause->count++] = (struct cause_term){.mistake = c->mistake,
                                                               .ops = ops_of(s, choice->ops[x]),
                                                               .in_all_ops = choice->ops[x] == all,
                                                               .order = {{0, 1, 2, 3}}};
    }
}

static void switch_on_term(struct reading *reading, const struct cause_term *term)
{
    if (term->mistake != MISTAKES) {
        reading->ops[term->mistake] |= term->ops;
        return;
    }
    for (unsigned mode = 0; mode < 4; mode++)
        if (term->order.of[mode] != mode)
            reading->order.of[mode] = term->order.of[mode];
}

static bool terms_explain(const struct cause *cause, size_t but, const struct cause_case *k, uint32_t parts)
{
    struct reading reading;
    reading_init(&reading);
    for (size_t i = 0; i < cause->count; i++)
        if (i != but)
            switch_on_term(&reading, &cause->terms[i]);
    return explains(&reading, k, parts);
}

bool cause_term_shows(const struct cause_term *term, const struct cause_case *k, uint32_t parts)
{
    struct reading reading;
    reading_init(&reading);
    switch_on_term(&reading, term);
    return k->differs && explains(&reading, k, parts);
}

size_t cause_of_case(const struct cause *cause, const struct cause_case *k, uint32_t parts)
{
    if (!k->differs || !terms_explain(cause, cause->count, k, parts))
        return cause->count;
    for (size_t i = 0; i < cause->count; i++)
        if (cause_term_shows(&cause->terms[i], k, parts))
            return i;
    for (size_t i = 0; i < cause->count; i++)
        if (!terms_explain(cause, i, k, parts))
            return i;
    return 0;
}

bool cause_needs(const struct cause *cause, size_t term, const struct cause_case *k, uint32_t parts)
{
    return k->differs && terms_explain(cause, cause->count, k, parts) && !terms_explain(cause, term, k, parts);
}

bool cause_term_same(const struct cause_term *x, const struct cause_term *y)
{
    if (x->mistake != y->mistake)
        return false;
    return x->mistake != MISTAKES || memcmp(&x->order, &y->order, sizeof x->order) == 0;
}

/* Counts what is explained, and says what the rest has in common. */
static void judge(const struct cause_evidence *e, struct cause *cause)
{
    bool *const rest = calloc(e->count + 1, sizeof *rest);
    for (size_t i = 0; i < e->count; i++) {
        const struct cause_case *const k = &e->cases[i];
        const bool explained = k->differs && cause_of_case(cause, k, e->parts) < cause->count;
        cause->explained += explained;
        if (rest != NULL)
            rest[i] = k->differs && !explained;
    }
    if (rest != NULL && cause->explained < cause->mismatches + cause->endings)
        cause_common(e, rest, cause->common, sizeof cause->common);
    free(rest);
}

/* --- searching --- */

static int mismatches_first(const void *x, const void *y)
{
    return (int)((const struct cause_case *)y)->differs - (int)((const struct cause_case *)x)->differs;
}

/* An end is not of one lane. */
static lanemask probe_of(const struct cause_case *k, uint32_t parts)
{
    const lanemask wrong = k->differs && k->ending == ERROR_NONE ? cause_wrong_lanes(k, parts) : 0;
    return wrong & (~wrong + 1u);
}

static void split_ops(struct search *s, struct cause_case **room)
{
    struct cause_evidence *const e = s->evidence;
    for (unsigned op = 0; op < OPS_MAX; op++) {
        struct op_search *const o = &s->ops[s->ops_count];
        bool values = false; /* some value differs */
        *o = (struct op_search){.op = op, .cases = room};
        for (size_t i = 0; i < e->count && o->count < TRIED_MAX; i++)
            if (reading_op(warp_form_get(e->cases[i].c.form)) == op) {
                e->cases[i].probe = probe_of(&e->cases[i], e->parts);
                o->cases[o->count++] = &e->cases[i];
                o->wrong = o->wrong || e->cases[i].differs;
                values = values || (e->cases[i].differs && e->cases[i].ending == ERROR_NONE);
            }
        o->ends_only = o->wrong && !values;
        room += o->count;
        s->ops_count += o->count > 0;
    }
}

static void drop_term(struct cause *cause, size_t i)
{
    memmove(&cause->terms[i], &cause->terms[i + 1], (cause->count - i - 1) * sizeof cause->terms[0]);
    cause->count--;
}

/* Terms without which everything is explained as well are none. */
static void drop_idle(const struct cause_evidence *e, struct cause *cause)
{
    for (size_t i = cause->count; i-- > 0;) {
        bool idle = true;
        for (size_t k = 0; k < e->count && idle; k++)
            idle = terms_explain(cause, cause->count, &e->cases[k], e->parts) ==
                   terms_explain(cause, i, &e->cases[k], e->parts);
        if (idle)
            drop_term(cause, i);
    }
}

/* How many of the wrong answers of its operations does the term alone give? 0: hardly any. Then it is a guess that
 * others make fit. */
static uint64_t shown_alone(const struct cause_evidence *e, const struct cause_term *term)
{
    uint64_t wrong = 0, shown = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct cause_case *const k = &e->cases[i];
        if (!k->differs || !(term->ops >> reading_op(warp_form_get(k->c.form)) & 1u))
            continue;
        wrong++;
        shown += cause_term_shows(term, k, e->parts);
    }
    return shown * 100 < wrong * ALONE_PERCENT ? 0 : shown;
}

/* The term that shows least; of two, the later one. There is one. */
static size_t least_shown(const struct cause_evidence *e, const struct cause *cause)
{
    uint64_t fewest = UINT64_MAX;
    size_t least = 0;
    for (size_t i = 0; i < cause->count; i++) {
        const uint64_t shown = shown_alone(e, &cause->terms[i]);
        least = shown <= fewest ? i : least;
        fewest = shown <= fewest ? shown : fewest;
    }
    return least;
}

/* Does the cause explain every case, or when not `all` every agreement? */
static bool explains_each(const struct cause_evidence *e, const struct cause *cause, bool all)
{
    for (size_t i = 0; i < e->count; i++)
        if ((all || !e->cases[i].differs) && !terms_explain(cause, cause->count, &e->cases[i], e->parts))
            return false;
    return true;
}

/* Where something stays unexplained, terms that hardly show by themselves are not named: most often they are parts of
 * one unknown mistake. What they made fit is unexplained then; without them the others may contradict an agreement. */
static void drop_doubtful(const struct cause_evidence *e, struct cause *cause)
{
    const size_t count = cause->count;
    if (count < 2 || explains_each(e, cause, true))
        return;
    for (size_t i = cause->count; i-- > 0;)
        if (shown_alone(e, &cause->terms[i]) == 0)
            drop_term(cause, i);
    while (cause->count > BESIDE_MAX)
        drop_term(cause, least_shown(e, cause));
    if (cause->count < count && !explains_each(e, cause, false))
        cause->count = 0;
}

/* Does the set, which explains the operation, say the value of a wrong lane in much of what differs there? */
static bool is_certain(const struct search *s, const struct op_search *op, const struct set *set)
{
    const struct reading reading = reading_of_set(s, op, set);
    size_t wrong = 0, certain = 0;
    for (size_t i = 0; i < op->count; i++) {
        const struct cause_case *const k = op->cases[i];
        struct reading_answer answer;
        wrong += k->differs;
        reading_eval(&reading, &k->c, &answer);
        certain += k->differs && (cause_wrong_lanes(k, s->evidence->parts) & ~answer.anything) != 0;
    }
    return certain * 100 >= wrong * CERTAIN_PERCENT;
}

/* Where an operation stays unexplained, a set that needs guesses for most is a guess itself; and one of several
 * mistakes fits, most often, what an unknown one does there too. */
static void drop_guesses(struct search *s, struct choice *choice)
{
    if (choice->explained == (1u << s->ops_count) - 1u)
        return;
    for (size_t o = 0; o < s->ops_count; o++) {
        const struct set *const set = choice->sets[o];
        if (set == NULL || (set->count == 1 && (!set->guesses || is_certain(s, &s->ops[o], set))))
            continue;
        for (size_t x = 0; x < s->count; x++)
            choice->ops[x] &= ~(1u << o);
        choice->sets[o] = NULL;
        choice->explained &= ~(1u << o);
    }
}

static void search(struct search *s, struct cause *cause)
{
    struct choice choice = {.explained = 0};
    for (size_t o = 0; o < s->ops_count; o++)
        if (!s->ops[o].wrong)
            choice.explained |= 1u << o; /* nothing is to be explained there */
        else
            search_op(s, &s->ops[o]);
    while (choose_next(s, &choice))
        ;
    drop_needless(s, &choice);
    drop_guesses(s, &choice);
    replace_restricted(s, &choice);
    for (size_t o = 0; o < s->ops_count; o++)
        if (!(choice.explained >> o & 1u))
            choose_in_part(s, &choice, o);
    widen(s, &choice);
    take_choice(s, &choice, cause);
    drop_idle(s->evidence, cause);
    drop_doubtful(s->evidence, cause);
}

void cause_find(struct cause_evidence *evidence, const struct cause *known, double seconds, struct cause *cause)
{
    static _Thread_local struct search s;
    struct cause_case **const room = calloc(evidence->count + 1, sizeof *room);
    uint32_t classes = 0;
    *cause = (struct cause){.mismatches = evidence->mismatches,
                            .agreements = evidence->agreements,
                            .endings = evidence->endings,
                            .ending = evidence->ending};
    if (evidence->mismatches + evidence->endings > 0 && room != NULL) {
        qsort(evidence->cases, evidence->count, sizeof evidence->cases[0], mismatches_first);
        s = (struct search){.evidence = evidence,
                            .end = clock_thread_seconds() + seconds,
                            .last = clock_seconds() + BUSY_TIMES * seconds};
        for (size_t i = 0; i < evidence->count; i++)
            classes |= mistake_classes(warp_form_get(evidence->cases[i].c.form));
        add_candidates(&s, known, classes);
        split_ops(&s, room);
        if (evidence->endings == 0 || evidence->mismatches + evidence->agreements >= ANSWERS_LEAST)
            search(&s, cause);
        cause->late = s.late;
        judge(evidence, cause);
    }
    free(room);
}

/* --- in words --- */

static void add_ops(struct buffer *text, uint32_t ops)
{
    const char *between = "in ";
    for (size_t op = 0; op < sizeof op_names / sizeof op_names[0]; op++)
        if ((ops >> op & 1u) && name_in(ops, (unsigned)op) != NULL) {
            buffer_format(text, "%s%s", between, name_in(ops, (unsigned)op));
            between = ", ";
        }
    buffer_text(text, " alone: ");
}

static void add_order_words(struct buffer *text, const struct mode_order *order)
{
    const char *between = "";
    buffer_text(text, "the modes are numbered in another order: ");
    for (unsigned i = 0; i < 4; i++)
        if (order->of[i] != i) {
            buffer_format(text, "%s%s is computed as %s", between, op_names[WARP_UP + i],
                          op_names[WARP_UP + (order->of[i] & 3u)]);
            between = ", ";
        }
}

const char *cause_term_words(const struct cause_term *term, char text[CAUSE_TEXT_MAX])
{
    struct buffer words = {0};
    if (term->mistake == MISTAKES) {
        add_order_words(&words, &term->order);
    } else {
        if (!term->in_all_ops && !names_op(mistake_get(term->mistake)->words))
            add_ops(&words, term->ops);
        buffer_text(&words, mistake_get(term->mistake)->words);
    }
    snprintf(text, CAUSE_TEXT_MAX, "%s", buffer_string(&words));
    buffer_free(&words);
    return text;
}

const char *cause_term_clause(const struct cause_term *term)
{
    return term->mistake == MISTAKES ? "Syntax: .mode" : mistake_get(term->mistake)->clause;
}

const char *cause_term_slug(const struct cause_term *term, char text[CAUSE_SLUG_MAX])
{
    size_t i = 0;
    if (term->mistake == MISTAKES) {
        snprintf(text, CAUSE_SLUG_MAX, "modes");
        return text;
    }
    for (const char *p = mistake_get(term->mistake)->name; *p != '\0' && i + 1 < CAUSE_SLUG_MAX; p++)
        text[i++] = *p == '_' ? '-' : *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
    text[i] = '\0';
    return text;
}

unsigned cause_term_reading(const struct cause_term *term)
{
    return term->mistake == MISTAKES ? 0 : mistake_get(term->mistake)->reading;
}

static void add_terms(struct buffer *words, const struct cause *cause)
{
    char text[CAUSE_TEXT_MAX];
    for (size_t i = 0; i < cause->count; i++) {
        if (cause->count > 1)
            buffer_format(words, "%s(%zu) ", i == 0 ? "" : "; ", i + 1);
        buffer_text(words, cause_term_words(&cause->terms[i], text));
    }
}

void cause_add_counts(struct buffer *words, const struct cause *cause)
{
    if (cause->mismatches > 0 || cause->endings == 0)
        buffer_format(words, "%s mismatches", number_text(cause->mismatches));
    if (cause->mismatches > 0 && cause->endings > 0)
        buffer_text(words, " and ");
    if (cause->endings > 0)
        buffer_format(words, "%s %s", number_text(cause->endings), cause_ending_name(cause->ending, cause->endings));
}

void cause_add_total(struct buffer *words, const struct cause *cause)
{
    const bool both = cause->mismatches > 0 && cause->endings > 0;
    if (both)
        buffer_format(words, "%s (", number_text(cause->mismatches + cause->endings));
    cause_add_counts(words, cause);
    buffer_text(words, both ? ")" : "");
}

const char *cause_text(const struct cause *cause, enum warp_family family, char text[CAUSE_TEXT_MAX])
{
    struct buffer words = {0};
    if (cause->count == 0) {
        buffer_format(&words, "no known mistake explains it%s%s%s",
                      cause->late ? " (the time was over before every set of mistakes was tried)" : "",
                      cause->common[0] != '\0' ? "; " : "", cause->common);
    } else {
        const bool whole = cause_is_whole(cause);
        add_terms(&words, cause);
        buffer_format(&words, " (explains %s%s%s", whole ? "all " : "", whole ? "" : number_text(cause->explained),
                      whole ? "" : " of ");
        (whole ? cause_add_counts : cause_add_total)(&words, cause);
        buffer_format(&words, "%s and all %s agreements; %s", cause->endings > 0 ? "," : "",
                      number_text(cause->agreements), warp_family_name(family));
        for (size_t i = 0; i < cause->count; i++)
            buffer_format(&words, ", %s", cause_term_clause(&cause->terms[i]));
        buffer_text(&words, ")");
    }
    snprintf(text, CAUSE_TEXT_MAX, "%s", buffer_string(&words));
    buffer_free(&words);
    return text;
}
