#include "check/campaign/lead.h"

#include "base/buffer.h"
#include "check/checker.h"
#include "check/impl/impl.h"
#include "model/lanes.h"
#include "warpcheck/bytes.h"
#include "warpcheck/cuda.h"

#include <stdio.h>
#include <string.h>

#define NAMED_MAX 4u /* lanes whose values are told one by one */

/* Does a case still show the entry, in this part of the result, and is it as plain? */
struct entry_test {
    const struct cause_entry *entry;
    uint32_t part;        /* 0: any */
    enum plainness plain; /* at least */
    bool any_cause;       /* whatever causes the mismatch */
    bool needed;          /* the entry's mistake is needed to give the answer: another one does not give it alone */
    bool alone;           /* the entry's mistake alone gives it */
    bool empty;           /* lanes that do not execute have nothing in their registers */
    bool held;            /* shfl: each wrong value is that of a lane that executes */
};

static bool holds(const struct warp_case *c, uint32_t value)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && c->a[lane] == value)
            return true;
    return false;
}

static bool wrong_values_held(const struct finding *f)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((f->diff.d >> lane & 1u) && !holds(&f->c, f->observed.d[lane]))
            return false;
    return warp_form_is_shfl(warp_form_get(f->c.form));
}

static bool others_empty(const struct warp_case *c)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!(c->active >> lane & 1u) && (c->a[lane] | c->a_high[lane]) != 0)
            return false;
    return true;
}

bool lead_make_finding(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                       const struct warp_case *c)
{
    struct error error;
    return (impl_failure(observed) == NULL || impl_restart(observed, &error)) &&
           finding_make(f, reference, observed, c);
}

static bool shows_entry(void *context, const struct warp_case *c)
{
    const struct entry_test *const t = context;
    struct cause_case k = {.c = *c, .differs = true};
    struct finding f;
    if (!lead_make_finding(&f, t->entry->reference, t->entry->observed, c))
        return false;
    if ((t->part != 0 && (reduce_parts(&f.diff) & t->part) == 0) || plain_of(c, &f.reference) < t->plain)
        return false;
    if ((t->empty && !others_empty(c)) || (t->held && !wrong_values_held(&f)))
        return false;
    k.expected = f.reference;
    k.observed = f.observed;
    return t->any_cause ||
           ((!t->needed || causes_needs(t->entry, &k, f.parts)) && (!t->alone || causes_shows(t->entry, &k, f.parts)));
}

/* What shows the entry in this case: its mistake is needed and gives the answer alone, or one of them, or neither. */
static void choose_test(struct entry_test *t, const struct warp_case *c)
{
    static const struct {
        bool needed, alone;
    } tests[] = {{true, true}, {true, false}, {false, true}};
    t->any_cause = true;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0] && t->any_cause; i++) {
        t->needed = tests[i].needed;
        t->alone = tests[i].alone;
        t->any_cause = false;
        t->any_cause = !shows_entry(t, c);
    }
}

static bool accepts_and_shows(void *context, const struct warp_case *c)
{
    const struct entry_test *const t = context;
    return warp_impl_accepts(t->entry->observed, c, NULL, 0) && shows_entry(context, c);
}

/* What lanes read that do not execute is left out where the entry shows without it. */
static void empty_others(struct warp_case *c, struct entry_test *t)
{
    struct warp_case empty = *c;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!(c->active >> lane & 1u))
            empty.a[lane] = empty.a_high[lane] = 0;
    t->empty = shows_entry(t, &empty);
    if (t->empty)
        *c = empty;
}

void lead_reduce_case(const struct cause_entry *entry, struct warp_case *c, enum plainness plain,
                      struct reduction *stats)
{
    struct entry_test t = {.entry = entry, .plain = plain};
    struct finding f;
    if (!lead_make_finding(&f, entry->reference, entry->observed, c))
        return;
    choose_test(&t, c);
    t.part = reduce_part(&f.diff);
    empty_others(c, &t);
    t.held = lead_make_finding(&f, entry->reference, entry->observed, c) && wrong_values_held(&f);
    reduce_case(c, shows_entry, &t, stats);
}

/* The call in a whole warp where lane i passes i, b and c are the same in all: what a person would write. */
static void make_call(struct warp_case *c, uint32_t b, uint32_t width_c)
{
    c->active = UINT32_MAX;
    c->exited = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c->membermask[lane] = UINT32_MAX;
        c->a[lane] = lane;
        c->b[lane] = b;
        c->c[lane] = width_c;
    }
}

bool lead_find_call(struct warp_case *c, const uint32_t *shifts, size_t count, lead_shows_fn shows, void *context)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    if (info->family != WARP_SHFL_SYNC)
        return false;
    for (unsigned width = WARP_LANES; width > 1; width /= 2)
        for (size_t i = 0; i < count; i++) {
            struct warp_case whole = *c;
            whole.dst = WARP_DST_D;
            make_call(&whole, shifts[i], warp_width_c(info->op, width));
            if (shows(context, &whole)) {
                *c = whole;
                return true;
            }
        }
    return false;
}

/* A call that a person would write comes first, where one shows the entry. */
static void reduce_lead(const struct cause_entry *entry, struct warp_case *c, struct reduction *stats)
{
    static const uint32_t shifts[] = {1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 34, 40, UINT32_MAX, 0x7fffffffu};
    struct entry_test t = {.entry = entry};
    bool said;
    choose_test(&t, c);
    t.any_cause = false;
    t.part = WARP_PART_D;
    t.plain = PLAIN_CUDA;
    said = lead_find_call(c, shifts, sizeof shifts / sizeof shifts[0], accepts_and_shows, &t);
    lead_reduce_case(entry, c, said ? PLAIN_CUDA : entry->plain, stats);
}

bool lead_finding(const struct cause_entry *entry, struct warp_case *c, struct finding *f, struct reduction *stats)
{
    struct error error;
    reduce_lead(entry, c, stats);
    return impl_restart(entry->observed, &error) && finding_make(f, entry->reference, entry->observed, c);
}

/* The same call in a whole warp. False: it does not show it, or nobody can be asked. */
static bool call_of_warp(const struct cause_entry *entry, const struct finding *f, unsigned lane, struct finding *whole)
{
    struct entry_test t = {.entry = entry, .part = WARP_PART_D, .plain = PLAIN_CUDA};
    struct warp_case c = f->c;
    if (entry->observed == NULL || !warp_form_is_shfl(warp_form_get(c.form)))
        return false;
    make_call(&c, f->c.b[lane], f->c.c[lane]);
    return accepts_and_shows(&t, &c) && lead_make_finding(whole, entry->reference, entry->observed, &c);
}

static void add_sources(const struct warp_case *c, struct buffer *text)
{
    const char *between = "";
    if (warp_form_get(c->form)->family == WARP_ACTIVEMASK)
        return;
    if (lanes_in(c->active) > NAMED_MAX) {
        buffer_text(text, ", v as drawn");
        return;
    }
    buffer_text(text, ", v = ");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (c->active >> lane & 1u) {
            buffer_format(text, "%s0x%llx", between, (unsigned long long)warp_case_a64(c, lane));
            between = ", ";
        }
    between = lanes_in(c->active) > 1 ? " in lanes " : " in lane ";
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (c->active >> lane & 1u) {
            buffer_format(text, "%s%u", between, lane);
            between = ", ";
        }
}

void lead_add_values(const struct warp_case *c, struct buffer *text)
{
    char lanes[LANES_TEXT_MAX];
    add_sources(c, text);
    if (c->exited != 0)
        buffer_format(text, "; %s exited", lanes_text(c->exited, lanes, sizeof lanes));
}

/* "in lane 1 returns 0x1, must be 0x0" */
static void add_wrong_lane(struct buffer *text, const struct finding *f, unsigned lane)
{
    const bool sets_p = warp_form_get(f->c.form)->op == WARP_ALL && f->c.dst == WARP_DST_D_P;
    buffer_format(text, " in lane %u", lane);
    if (f->diff.d >> lane & 1u)
        buffer_format(text, " returns 0x%x, must be 0x%x", (unsigned)f->observed.d[lane],
                      (unsigned)f->reference.d[lane]);
    else
        buffer_format(text, " %s %u, must be %u", sets_p ? "sets p to" : "returns", f->observed.p >> lane & 1u,
                      f->reference.p >> lane & 1u);
}

/* Another value of the lane's register. */
static void change_source(struct warp_case *c, unsigned lane)
{
    if (warp_form_get(c->form)->type == WARP_PRED) {
        c->a[lane] = c->a[lane] == 0;
        return;
    }
    c->a[lane] = ~c->a[lane];
    if (warp_form_get(c->form)->type == WARP_B64)
        c->a_high[lane] = ~c->a_high[lane];
}

/* Is `again` what the implementation answered before? */
static bool is_answer(const struct finding *f, const struct warp_result *again)
{
    return cause_same_values(&f->c, &f->reference, &f->observed, again, f->parts);
}

/* The lanes that do not execute and on whose registers the wrong answer depends: with another value there the
 * implementation answers otherwise. None where nobody can be asked. */
static lanemask absent_lanes(const struct cause_entry *entry, const struct finding *f)
{
    struct warp_case cases[WARP_LANES + 2]; /* as it is, one lane changed, all of them changed */
    struct warp_result results[WARP_LANES + 2];
    lanemask lanes = 0;
    if (entry->observed == NULL || f->sequence != NULL || f->c.active == UINT32_MAX ||
        warp_form_get(f->c.form)->type == WARP_NO_SOURCE)
        return 0;
    for (unsigned i = 0; i < WARP_LANES + 2; i++) {
        cases[i] = f->c;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (!(f->c.active >> lane & 1u) && (lane + 1 == i || i == WARP_LANES + 1))
                change_source(&cases[i], lane);
    }
    if (!finding_ask(entry->observed, cases, WARP_LANES + 2, results) || !is_answer(f, &results[0]))
        return 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!is_answer(f, &results[lane + 1]))
            lanes |= (lanemask)1 << lane;
    return lanes != 0 || is_answer(f, &results[WARP_LANES + 1]) ? lanes : ~f->c.active;
}

/* "lane 31, which does not execute" */
static void add_absent(struct buffer *text, lanemask lanes)
{
    char words[LANES_TEXT_MAX];
    buffer_format(text, "%s, which do%s not execute", lanes_text(lanes, words, sizeof words),
                  lanes_in(lanes) == 1 ? "es" : "");
}

/* The lanes of these whose registers are not 0. */
static lanemask holders_of(const struct warp_case *c, lanemask lanes)
{
    lanemask holders = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((lanes >> lane & 1u) && warp_case_a64(c, lane) != 0)
            holders |= (lanemask)1 << lane;
    return holders;
}

/* What must stand in the registers of lanes that do not execute, so that the call can be repeated: "; v = 0x1 in lane
 * 31 and 0x0 in lanes 1-30, which do not execute". */
static void add_absent_values(struct buffer *text, const struct warp_case *c, lanemask lanes)
{
    const lanemask holders = holders_of(c, lanes);
    char words[LANES_TEXT_MAX];
    const char *between = "; v = ";
    if (lanes_in(holders) > NAMED_MAX) {
        buffer_text(text, "; v as in the case also in ");
        add_absent(text, lanes);
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (holders >> lane & 1u) {
            buffer_format(text, "%s0x%llx in lane %u", between, (unsigned long long)warp_case_a64(c, lane), lane);
            between = " and ";
        }
    if ((lanes & ~holders) != 0)
        buffer_format(text, "%s0x0 in %s", between, lanes_text(lanes & ~holders, words, sizeof words));
    if (lanes != 0)
        buffer_format(text, ", which do%s not execute", lanes_in(lanes) == 1 ? "es" : "");
}

const char *lead_call(const struct cause_entry *entry, const struct finding *f, char text[LEAD_CALL_MAX])
{
    const bool is_cuda = plain_of(&f->c, &f->reference) == PLAIN_CUDA;
    const unsigned in_f = lanes_lowest(f->diff.d | f->diff.p);
    struct finding whole;
    const bool of_warp = is_cuda && call_of_warp(entry, f, in_f, &whole);
    const struct finding *const said = of_warp ? &whole : f;
    const unsigned lane = of_warp && !(whole.diff.d >> in_f & 1u) ? lanes_lowest(whole.diff.d) : in_f;
    struct buffer words = {0};
    char call[128];
    text[0] = '\0';
    if (!is_cuda || (said->diff.d | said->diff.p) == 0 || !plain_call(&said->c, lane, call, sizeof call))
        return text;
    buffer_text(&words, call);
    add_wrong_lane(&words, said, lane);
    if (of_warp) {
        buffer_text(&words, " (v is the number of the lane)");
    } else {
        lead_add_values(&said->c, &words);
        add_absent_values(&words, &said->c, absent_lanes(entry, said));
    }
    snprintf(text, LEAD_CALL_MAX, "%s", buffer_string(&words));
    buffer_free(&words);
    return text;
}

/* The lane that does not execute and alone holds the value; WARP_LANES: there is none. */
static unsigned absent_holder(const struct warp_case *c, uint32_t value)
{
    unsigned holder = WARP_LANES;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (c->a[lane] == value && (c->active >> lane & 1u))
            return WARP_LANES;
        else if (c->a[lane] == value && holder == WARP_LANES)
            holder = lane;
    return holder;
}

const char *lead_notes(const struct cause_entry *entry, const struct finding *f, char notes[LEAD_NOTES_MAX])
{
    const lanemask absent_read = absent_lanes(entry, f);
    bool told = false; /* which lanes were read that do not execute */
    const uint32_t unwritten = CHECKER_GARBAGE * UINT32_C(0x01010101);
    struct buffer text = {0};
    if (f->diff.p != 0 && f->observed.p == unwritten)
        buffer_text(&text, "p was never written");
    if (f->diff.outcome != 0 && (f->observed.done == unwritten || f->observed.waiting == unwritten))
        buffer_format(&text, "%sthe outcomes were never written", text.size > 0 ? "; " : "");
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t d = f->observed.d[lane];
        const unsigned absent = absent_holder(&f->c, d);
        if (!(f->diff.d >> lane & 1u))
            continue;
        if (d == WARPCHECK_NOBODYS)
            buffer_format(&text, "%slane %u read beside the 32 values", text.size > 0 ? "; " : "", lane);
        else if (d == unwritten)
            buffer_format(&text, "%sd of lane %u was never written", text.size > 0 ? "; " : "", lane);
        else if (d > 1 && absent < WARP_LANES && warp_form_is_shfl(warp_form_get(f->c.form)))
            buffer_format(&text, "%slane %u read lane %u, which does not execute (its register held 0x%x)",
                          text.size > 0 ? "; " : "", lane, absent, (unsigned)d);
        told = told || (d > 1 && absent < WARP_LANES && warp_form_is_shfl(warp_form_get(f->c.form)));
        if (text.size > 200)
            break;
    }
    if (absent_read != 0 && !told) {
        buffer_format(&text, "%sthe answer depends on the register%s of ", text.size > 0 ? "; " : "",
                      lanes_in(absent_read) == 1 ? "" : "s");
        add_absent(&text, absent_read);
    }
    snprintf(notes, LEAD_NOTES_MAX, "%s", buffer_string(&text));
    buffer_free(&text);
    return notes;
}
