#include "check/cause/common.h"

#include "base/buffer.h"
#include "base/text.h"
#include "model/lanes.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>

/* --- mismatches: it holds in every lane that differs --- */

static bool in_lanes(const struct cause_case *k, lanemask lanes, bool (*test)(const struct cause_case *, unsigned))
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((lanes >> lane & 1u) && !test(k, lane))
            return false;
    return true;
}

static bool b_above_31(const struct cause_case *k, unsigned lane)
{
    return k->c.b[lane] > 31;
}

static bool has_segments(const struct cause_case *k, unsigned lane)
{
    return (k->c.c[lane] >> 8 & 31u) != 0;
}

static bool clamp_is_no_end(const struct cause_case *k, unsigned lane)
{
    return (k->c.c[lane] & 31u) != 0 && (k->c.c[lane] & 31u) != 31;
}

static bool is_partial(const struct cause_case *k, unsigned lane)
{
    return warp_form_is_sync(warp_form_get(k->c.form)) ? k->c.membermask[lane] != UINT32_MAX
                                                       : k->c.active != UINT32_MAX;
}

static bool is_first_lane(const struct cause_case *k, unsigned lane)
{
    return (k->c.active & (((lanemask)1 << lane) - 1u)) == 0;
}

static bool value_is_nan(const struct cause_case *k, unsigned lane)
{
    return lanes_is_nan(k->c.a[lane]);
}

/* Does its shuffle have no source? The reference says that only where p is written. */
static bool is_out_of_range(const struct cause_case *k, unsigned lane)
{
    struct warp_case with_p = k->c;
    struct reading reading;
    struct reading_answer answer;
    if (!warp_form_is_shfl(warp_form_get(k->c.form)))
        return false;
    with_p.dst = WARP_DST_D_P;
    reading_init(&reading);
    reading_eval_lanes(&reading, &with_p, (lanemask)1 << lane, &answer);
    return (answer.r.done & ~answer.r.p) != 0;
}

struct circumstance {
    const char *words;
    bool (*lane)(const struct cause_case *, unsigned); /* holds in every lane that differs */
};

static const struct circumstance circumstances[] = {
    {"b is above 31", b_above_31},
    {"the segment mask is not 0", has_segments},
    {"the clamp is neither 0 nor 31", clamp_is_no_end},
    {"not all 32 lanes take part", is_partial},
    {"the own value is a NaN", value_is_nan},
    {"it is the first active lane", is_first_lane},
    {"the source lane is out of range", is_out_of_range},
};

static bool several_groups(const struct cause_case *k)
{
    uint32_t first = 0;
    bool found = false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(k->c.active >> lane & 1u))
            continue;
        if (found && k->c.membermask[lane] != first)
            return true;
        first = k->c.membermask[lane];
        found = true;
    }
    return false;
}

static bool some_exited(const struct cause_case *k)
{
    return k->c.exited != 0;
}

static bool some_elsewhere(const struct cause_case *k)
{
    return (k->c.active | k->c.exited) != UINT32_MAX;
}

static bool negated(const struct cause_case *k)
{
    return k->c.negate != 0;
}

static bool lane_0_absent(const struct cause_case *k)
{
    return (k->c.active & 1u) == 0;
}

struct state {
    const char *words;
    bool (*holds)(const struct cause_case *);
};

static const struct state states[] = {
    {"the warp has several groups", several_groups}, {"some lanes have exited", some_exited},
    {"some lanes are elsewhere", some_elsewhere},    {"the source predicate is negated", negated},
    {"lane 0 does not take part", lane_0_absent},
};

static void add_words(struct buffer *text, const char *words)
{
    buffer_format(text, "%s%s", text->size == 0 ? "" : ", ", words);
}

static void add_circumstances(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    for (size_t x = 0; x < sizeof circumstances / sizeof circumstances[0]; x++) {
        bool always = true, told = false;
        for (size_t i = 0; i < e->count && always; i++) {
            const struct cause_case *const k = &e->cases[i];
            if (of[i])
                always = in_lanes(k, cause_wrong_lanes(k, e->parts), circumstances[x].lane);
            else
                told = told || (!k->differs && !in_lanes(k, k->expected.done, circumstances[x].lane));
        }
        if (always && told)
            add_words(text, circumstances[x].words);
    }
}

static void add_states(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    for (size_t x = 0; x < sizeof states / sizeof states[0]; x++) {
        bool always = true, told = false;
        for (size_t i = 0; i < e->count && always; i++) {
            always = !of[i] || states[x].holds(&e->cases[i]);
            told = told || (!e->cases[i].differs && !states[x].holds(&e->cases[i]));
        }
        if (always && told)
            add_words(text, states[x].words);
    }
}

/* Bits of b[4:0] that are the same in every wrong lane. */
static void add_bits(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    uint32_t ones = 31, zeros = 31;
    size_t lanes = 0;
    for (size_t i = 0; i < e->count; i++) {
        const lanemask wrong = of[i] ? cause_wrong_lanes(&e->cases[i], e->parts) : 0;
        if (!warp_form_is_shfl(warp_form_get(e->cases[i].c.form)))
            return;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            ones &= wrong >> lane & 1u ? e->cases[i].c.b[lane] : 31u;
            zeros &= wrong >> lane & 1u ? ~e->cases[i].c.b[lane] : 31u;
            lanes += wrong >> lane & 1u;
        }
    }
    if ((ones | zeros) == 31u && lanes >= 16) {
        buffer_format(text, "%sb[4:0] is %u", text->size == 0 ? "" : ", ", ones);
        return;
    }
    for (unsigned bit = 0; bit < 5 && lanes >= 16; bit++)
        if ((ones | zeros) >> bit & 1u)
            buffer_format(text, "%sbit %u of b is %u", text->size == 0 ? "" : ", ", bit, ones >> bit & 1u);
}

/* The operations and types in which it is seen, when they are not all. */
static void add_forms(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    uint64_t wrong = 0, all = 0;
    const char *between = text->size == 0 ? "" : ", ";
    for (size_t i = 0; i < e->count; i++) {
        all |= UINT64_C(1) << e->cases[i].c.form;
        wrong |= of[i] ? UINT64_C(1) << e->cases[i].c.form : 0;
    }
    for (uint32_t form = 0; form < WARP_FORMS && wrong != all; form++)
        if (wrong >> form & 1u) {
            buffer_format(text, "%s%s", between, warp_form_get(form)->name);
            between = " or ";
        }
}

/* The one segment mask of all wrong lanes, when lanes that are right have others as well. */
static void add_width(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    uint32_t one = UINT32_MAX;
    bool others = false;
    for (size_t i = 0; i < e->count; i++) {
        const struct cause_case *const k = &e->cases[i];
        const lanemask wrong = of[i] ? cause_wrong_lanes(k, e->parts) : 0;
        if (!warp_form_is_shfl(warp_form_get(k->c.form)))
            return;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint32_t mask = k->c.c[lane] >> 8 & 31u;
            if ((wrong >> lane & 1u) && one != UINT32_MAX && one != mask)
                return;
            if (wrong >> lane & 1u)
                one = mask;
        }
    }
    for (size_t i = 0; i < e->count; i++)
        for (unsigned lane = 0; lane < WARP_LANES && !e->cases[i].differs; lane++)
            others = others || ((e->cases[i].expected.done >> lane & 1u) && (e->cases[i].c.c[lane] >> 8 & 31u) != one);
    if (one == UINT32_MAX || !others)
        return;
    buffer_format(text, "%sthe segment mask is %u", text->size == 0 ? "" : ", ", one);
    if (((32u - one) & (31u - one)) == 0)
        buffer_format(text, " (width %u)", 32u - one);
}

static unsigned bits_of(uint32_t word)
{
    return word == 0 ? 0 : 32u - (unsigned)__builtin_clz(word);
}

#define LANES_LEAST 16u /* wrong lanes, of which a common number is no chance */

/* What the wrong values of d are like: few bits, right in the low ones, wrong for large ones. */
static void add_values(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    uint32_t any = 0, changed = 0, due = 0, least = UINT32_MAX, right_most = 0;
    size_t lanes = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct cause_case *const k = &e->cases[i];
        const lanemask compared = k->expected.done & k->expected.d_defined;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint32_t is = k->observed.d[lane], must = k->expected.d[lane];
            if (!(compared >> lane & 1u) || k->ending != ERROR_NONE || (k->differs && !of[i]))
                continue;
            if (is == must) {
                right_most = must > right_most ? must : right_most;
                continue;
            }
            any |= is;
            changed |= is ^ must;
            due |= must;
            least = must < least ? must : least;
            lanes++;
        }
    }
    if (lanes < LANES_LEAST)
        return;
    if (any != 0 && bits_of(any) < bits_of(due) && bits_of(any) <= 24)
        buffer_format(text, "%sd always fits in %u bits", text->size == 0 ? "" : ", ", bits_of(any));
    const unsigned low = changed == 0 ? WARP_LANES : lanes_lowest(changed);
    if (low >= 4)
        buffer_format(text, "%sthe low %u bits of d are right", text->size == 0 ? "" : ", ", low);
    if (least > right_most) { /* the end of as many bits, where what was seen allows it */
        const unsigned bits = bits_of(right_most);
        const uint32_t end = bits == 0 ? 0 : UINT32_MAX >> (32u - bits);
        buffer_format(text, "%sd must be above 0x%x", text->size == 0 ? "" : ", ",
                      (unsigned)(end < least ? end : right_most));
    }
}

/* A lane that the membermask of every wrong lane names, and that of some lane which is right does not. */
static void add_members(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    lanemask always = UINT32_MAX, lacked = 0;
    size_t cases = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct cause_case *const k = &e->cases[i];
        const lanemask wrong = of[i] ? cause_wrong_lanes(k, e->parts) : 0;
        if (!warp_form_is_sync(warp_form_get(k->c.form)))
            return;
        cases += wrong != 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            always &= wrong >> lane & 1u ? k->c.membermask[lane] : UINT32_MAX;
            lacked |= !k->differs && (k->expected.done >> lane & 1u) ? ~k->c.membermask[lane] : 0;
        }
    }
    always &= lacked;
    for (unsigned lane = 0; lane < WARP_LANES && cases >= LANES_LEAST && lanes_in(always) <= 2; lane++)
        if (always >> lane & 1u)
            buffer_format(text, "%slane %u is in the membermask", text->size == 0 ? "" : ", ", lane);
}

#define WRONG_LEAST 8u /* times that a lane would be wrong if it were as the others: less often may be chance */

/* The lanes that are wrong, when each other one would have been wrong as well, were it like them. */
static void add_lanes(struct buffer *text, const struct cause_evidence *e, const bool *of)
{
    uint64_t asked[WARP_LANES] = {0}, asked_wrong = 0, wrong = 0;
    lanemask lanes = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct cause_case *const k = &e->cases[i];
        const lanemask compared = e->parts & WARP_PART_OUTCOME ? k->c.active : k->expected.done;
        for (unsigned lane = 0; lane < WARP_LANES && of[i]; lane++)
            asked[lane] += compared >> lane & 1u;
        lanes |= of[i] ? cause_wrong_lanes(k, e->parts) : 0;
        wrong += of[i] ? lanes_in(cause_wrong_lanes(k, e->parts)) : 0;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        asked_wrong += lanes >> lane & 1u ? asked[lane] : 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!(lanes >> lane & 1u) && asked[lane] * wrong < WRONG_LEAST * asked_wrong)
            return;
    if (lanes != UINT32_MAX && lanes != 0)
        buffer_format(text, "%sonly lanes in 0x%08x differ", text->size == 0 ? "" : ", ", (unsigned)lanes);
}

static void add_mismatches(struct buffer *words, const struct cause_evidence *e, const bool *of)
{
    add_forms(words, e, of);
    add_lanes(words, e, of);
    add_bits(words, e, of);
    add_width(words, e, of);
    add_values(words, e, of);
    add_members(words, e, of);
    add_circumstances(words, e, of);
    add_states(words, e, of);
}

/* --- where it ends: one lane is enough for that, whichever it is --- */

/* A number that each lane has. */
struct feature {
    const char *words;
    bool shfl;  /* shuffles alone have it */
    bool small; /* below 32: single values are looked at too */
    uint64_t (*of)(const struct cause_case *, unsigned lane);
};

static uint64_t whole_b(const struct cause_case *k, unsigned lane)
{
    return k->c.b[lane];
}

static uint64_t low_b(const struct cause_case *k, unsigned lane)
{
    return k->c.b[lane] & 31u;
}

static uint64_t whole_c(const struct cause_case *k, unsigned lane)
{
    return k->c.c[lane];
}

static uint64_t clamp_of(const struct cause_case *k, unsigned lane)
{
    return k->c.c[lane] & 31u;
}

static uint64_t mask_of(const struct cause_case *k, unsigned lane)
{
    return k->c.c[lane] >> 8 & 31u;
}

static uint64_t value_of(const struct cause_case *k, unsigned lane)
{
    return warp_case_a64(&k->c, lane);
}

static uint64_t number_of(const struct cause_case *k, unsigned lane)
{
    (void)k;
    return lane;
}

static uint64_t sharers_of(const struct cause_case *k, unsigned lane)
{
    (void)lane;
    return lanes_in(k->c.active) - 1u;
}

static const struct feature features[] = {
    {"b", true, false, whole_b},
    {"b[4:0]", true, true, low_b},
    {"the clamp c[4:0]", true, true, clamp_of},
    {"the segment mask c[12:8]", true, true, mask_of},
    {"c", true, false, whole_c},
    {"the value a", false, false, value_of},
    {"the number of the lane", false, true, number_of},
    {"the number of other active lanes", false, true, sharers_of},
};

/* What the lanes of a case have. */
struct span {
    uint64_t least, most;
    uint32_t seen; /* bit v: some lane has v, below 32 */
};

static struct span span_of(const struct feature *f, const struct cause_case *k)
{
    struct span s = {UINT64_MAX, 0, 0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t v = k->c.active >> lane & 1u ? f->of(k, lane) : 0;
        if (!(k->c.active >> lane & 1u))
            continue;
        s.least = v < s.least ? v : s.least;
        s.most = v > s.most ? v : s.most;
        s.seen |= v < 32 ? (uint32_t)1 << v : 0;
    }
    return s;
}

/* The cases on which it ends, against those of the same forms that it answers. */
struct ends {
    const struct cause_evidence *e;
    const bool *of;
    uint64_t forms;
};

static bool is_end(const struct ends *ends, size_t i)
{
    return ends->of[i] && ends->e->cases[i].ending != ERROR_NONE;
}

static bool is_answer(const struct ends *ends, size_t i)
{
    return ends->e->cases[i].ending == ERROR_NONE && (ends->forms >> ends->e->cases[i].c.form & 1u);
}

/* There is one. */
static const struct cause_case *first_end(const struct ends *ends)
{
    size_t i = 0;
    while (i + 1 < ends->e->count && !is_end(ends, i))
        i++;
    return &ends->e->cases[i];
}

static void add_number(struct buffer *text, uint64_t n)
{
    buffer_format(text, n < 4096 ? "%llu" : "0x%llx", (unsigned long long)n);
}

/* What some lane has in every case on which it ends, and none in those that it answers. */
static void add_feature(struct buffer *text, const struct ends *ends, const struct feature *f)
{
    struct span in = {0, UINT64_MAX, UINT32_MAX}, out = {UINT64_MAX, 0, 0};
    bool answered = false;
    for (size_t i = 0; i < ends->e->count; i++) {
        const struct cause_case *const k = &ends->e->cases[i];
        const struct span s = span_of(f, k);
        if (f->shfl && !warp_form_is_shfl(warp_form_get(k->c.form)))
            continue;
        if (is_end(ends, i)) {
            in.least = s.least > in.least ? s.least : in.least;
            in.most = s.most < in.most ? s.most : in.most;
            in.seen &= s.seen;
        } else if (is_answer(ends, i)) {
            answered = true;
            out.least = s.least < out.least ? s.least : out.least;
            out.most = s.most > out.most ? s.most : out.most;
            out.seen |= s.seen;
        }
    }
    const bool above = answered && in.most > out.most && in.most != UINT64_MAX;
    const bool below = answered && in.least < out.least;
    const uint32_t single = f->small && answered ? in.seen & ~out.seen : 0;
    if (!above && !below && single == 0)
        return;
    buffer_format(text, "%s%s is ", text->size == 0 ? "" : ", ", f->words);
    if (single != 0 && (single & (single - 1)) == 0) {
        add_number(text, lanes_lowest(single));
    } else if (above || below) {
        add_number(text, above ? in.most : in.least);
        buffer_text(text, above ? " or more" : " or less");
    } else {
        const char *between = "";
        for (unsigned v = 0; v < 32; v++)
            if (single >> v & 1u) {
                buffer_format(text, "%s%u", between, v);
                between = " and ";
            }
    }
    buffer_text(text, " in some lane");
}

/* The single value of a small feature that some lane has in every case on which it ends; 32: there is none. */
static unsigned single_value(const struct ends *ends, const struct feature *f)
{
    uint32_t seen = UINT32_MAX;
    for (size_t i = 0; i < ends->e->count; i++) {
        if (f->shfl && !warp_form_is_shfl(warp_form_get(ends->e->cases[i].c.form)))
            continue;
        if (is_end(ends, i))
            seen &= span_of(f, &ends->e->cases[i]).seen;
    }
    if (!f->small || seen == 0 || (seen & (seen - 1)) != 0)
        return 32;
    return lanes_lowest(seen);
}

#define FEATURES (sizeof features / sizeof features[0])

/* Is there a lane of an answered case that has all these values but the one of `but`? Then that one is needed. */
static bool is_needed(const struct ends *ends, const unsigned values[FEATURES], size_t but)
{
    for (size_t i = 0; i < ends->e->count; i++) {
        const struct cause_case *const k = &ends->e->cases[i];
        for (unsigned lane = 0; lane < WARP_LANES && is_answer(ends, i); lane++) {
            bool fits = k->c.active >> lane & 1u;
            for (size_t x = 0; x < FEATURES && fits; x++)
                fits = values[x] == 32 || (features[x].of(k, lane) == values[x]) == (x != but);
            if (fits)
                return true;
        }
    }
    return false;
}

/* Values that one lane has together in every case on which it ends. */
static void add_together(struct buffer *text, const struct ends *ends)
{
    unsigned values[FEATURES];
    for (size_t x = 0; x < FEATURES; x++)
        values[x] = features[x].shfl && !warp_form_is_shfl(warp_form_get(first_end(ends)->c.form))
                        ? 32
                        : single_value(ends, &features[x]);
    for (size_t x = 0; x < FEATURES; x++)
        if (values[x] < 32 && is_needed(ends, values, x))
            buffer_format(text, "%s%s is %u", text->size == 0 ? "" : ", ", features[x].words, values[x]);
}

static bool lanes_wait(const struct cause_case *k)
{
    return (k->expected.waiting | k->expected.undefined) != 0;
}

static bool is_partial_warp(const struct cause_case *k)
{
    return k->c.active != UINT32_MAX;
}

static bool no_destination(const struct cause_case *k)
{
    return k->c.dst != WARP_DST_D && k->c.dst != WARP_DST_D_P;
}

static const struct state end_states[] = {
    {"the warp has several groups", several_groups},
    {"some lanes have exited", some_exited},
    {"the source predicate is negated", negated},
    {"lane 0 does not take part", lane_0_absent},
    {"not all 32 lanes execute it", is_partial_warp},
    {"some lanes wait or are undefined by the manual", lanes_wait},
    {"a destination is the sink, or is missing", no_destination},
};

/* The states of all cases on which it ends: those that no answered case has when `never`, else those that some have
 * not. */
static void add_end_states(struct buffer *text, const struct ends *ends, bool never)
{
    for (size_t x = 0; x < sizeof end_states / sizeof end_states[0]; x++) {
        bool always = true, some = false, all = true;
        for (size_t i = 0; i < ends->e->count; i++) {
            const bool holds = end_states[x].holds(&ends->e->cases[i]);
            always = always && (!is_end(ends, i) || holds);
            some = some || (is_answer(ends, i) && holds);
            all = all && (!is_answer(ends, i) || holds);
        }
        if (always && !all && some == !never)
            add_words(text, end_states[x].words);
    }
}

/* The forms in which alone it ends. */
static void add_end_forms(struct buffer *text, const struct ends *ends)
{
    uint64_t all = 0;
    const char *between = "it is ";
    for (size_t i = 0; i < ends->e->count; i++)
        all |= UINT64_C(1) << ends->e->cases[i].c.form;
    for (uint32_t form = 0; form < WARP_FORMS && ends->forms != all; form++)
        if (ends->forms >> form & 1u) {
            buffer_format(text, "%s%s", between, warp_form_get(form)->name);
            between = " or ";
        }
}

/* What tells the cases on which it ends from those of the same forms that it answers. */
static void add_exact(struct buffer *exact, const struct ends *ends)
{
    add_end_states(exact, ends, true);
    for (size_t x = 0; x < sizeof features / sizeof features[0]; x++)
        add_feature(exact, ends, &features[x]);
}

static void add_ends(struct buffer *words, const struct cause_evidence *e, const bool *of)
{
    struct ends ends = {e, of, UINT64_MAX};
    struct buffer exact = {0}, more = {0};
    uint64_t forms = 0;
    for (size_t i = 0; i < e->count; i++)
        forms |= is_end(&ends, i) ? UINT64_C(1) << e->cases[i].c.form : 0;
    if (forms == 0)
        return;
    if (e->agreements + e->mismatches == 0) {
        buffer_format(words, "it does so on every case that was asked (%s of them)", number_text(e->endings));
        return;
    }
    add_exact(&exact, &ends);
    if (exact.size == 0) { /* not over all forms; in those alone? */
        ends.forms = forms;
        add_end_forms(&more, &ends);
        add_exact(&exact, &ends);
    }
    if (exact.size == 0) {
        add_together(&more, &ends);
        add_end_states(&more, &ends, false);
    }
    if (more.size + exact.size > 0)
        buffer_format(words, "%sin every %s: %s", words->size == 0 ? "" : "; ", cause_ending_name(e->ending, 1),
                      buffer_string(&more));
    if (exact.size > 0)
        buffer_format(words, "%s%s (and in none that it answers)", more.size > 0 ? ", " : "", buffer_string(&exact));
    buffer_free(&exact);
    buffer_free(&more);
}

const char *cause_common(const struct cause_evidence *e, const bool *of, char *text, size_t size)
{
    struct buffer mismatches = {0}, words = {0};
    bool *const answered = calloc(e->count + 1, sizeof *answered);
    size_t some = 0;
    for (size_t i = 0; answered != NULL && i < e->count; i++) {
        answered[i] = of[i] && e->cases[i].ending == ERROR_NONE;
        some += answered[i];
    }
    if (some > 0)
        add_mismatches(&mismatches, e, answered);
    if (mismatches.size > 0)
        buffer_format(&words, "in every mismatch: %s", buffer_string(&mismatches));
    add_ends(&words, e, of);
    snprintf(text, size, "%s", buffer_string(&words));
    buffer_free(&mismatches);
    buffer_free(&words);
    free(answered);
    return text;
}
