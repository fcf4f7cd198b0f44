/* Legality: the instruction table, as a function of a symbolic entry, version and target. */
#include "smt/catalogue/catalogue.h"

/* A column of the table: the entry's value, for a symbolic row. */
static term column(struct goal *g, term row, uint32_t (*value)(const struct warp_form_info *info))
{
    struct smt *s = g->s;
    uint64_t literal;
    term x = term_word(s, value(warp_form_get(WARP_FORMS - 1)));
    if (term_value(s, row, &literal))
        return term_word(s, value(warp_form_get((uint32_t)literal)));
    for (uint32_t i = WARP_FORMS - 1; i-- > 0;)
        x = term_ite(s, term_eq(s, row, term_word(s, i)), term_word(s, value(warp_form_get(i))), x);
    return x;
}

static uint32_t family_of(const struct warp_form_info *info)
{
    return (uint32_t)info->family;
}

static uint32_t qualifiers_of(const struct warp_form_info *info)
{
    return (uint32_t)info->op << 8 | (uint32_t)info->type << 2 | (uint32_t)info->abs << 1 | (uint32_t)info->nan;
}

static uint32_t destinations_of(const struct warp_form_info *info)
{
    return info->destinations;
}

static uint32_t min_ptx_of(const struct warp_form_info *info)
{
    return info->min_ptx;
}

static uint32_t min_sm_of(const struct warp_form_info *info)
{
    return info->min_sm;
}

static uint32_t rule_of(const struct warp_form_info *info)
{
    return (uint32_t)info->rule;
}

static term row_of(struct goal *g, const char *name)
{
    term row = goal_word(g, name);
    goal_assume(g, term_ult(g->s, row, term_word(g->s, WARP_FORMS)));
    return row;
}

/* Two entries that one instruction text could mean. */
static void no_overlap(struct goal *g, int with_qualifiers)
{
    struct smt *s = g->s;
    term x = row_of(g, "form"), y = row_of(g, "other_form");
    term same = term_and(s, term_eq(s, column(g, x, family_of), column(g, y, family_of)),
                         with_qualifiers ? term_eq(s, column(g, x, qualifiers_of), column(g, y, qualifiers_of))
                                         : term_bool(s, true));
    if (smt_faulty(s, SMT_FAULT_TABLE_OVERLAP))
        same = term_eq(s, column(g, x, family_of), column(g, y, family_of));
    goal_claim_when(g, "different entries, different instructions", term_ne(s, x, y), term_not(s, same));
}

static void has_destination(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term x = row_of(g, "form");
    term d = column(g, x, destinations_of);
    (void)unused;
    goal_claim(g, "some destination", term_ne(s, d, term_word(s, 0)));
    goal_claim(g, "no unknown one", term_ult(s, d, term_word(s, 1u << WARP_DST_COUNT)));
    goal_claim(g, "the plain destination is always one",
               term_eq(s, term_band(s, d, term_word(s, 1u << WARP_DST_D)), term_word(s, 1u << WARP_DST_D)));
}

/* Legal, in the manual's words: `sm` is the architecture number of the target, `special` that it ends in a or f. */
static term legal_words(struct goal *g, term row, term ptx, term sm, term special)
{
    struct smt *s = g->s;
    term rule = column(g, row, rule_of);
    term family = term_eq(s, rule, term_word(s, WARP_TARGET_SM100_FAMILY));
    term removed = TERM_ALL(s, term_eq(s, rule, term_word(s, WARP_TARGET_NONSYNC)), term_ule(s, term_word(s, 64), ptx),
                            term_ule(s, term_word(s, 70), sm));
    /* ".f32 type requires sm_100a", "or higher in the same family" from sm_100f on: sm_100 to sm_109 */
    term of_family = TERM_ALL(s, special, term_ule(s, term_word(s, 100), sm), term_ult(s, sm, term_word(s, 110)));
    return TERM_ALL(s, term_ule(s, column(g, row, min_ptx_of), ptx), term_implies(s, family, of_family),
                    term_or(s, family, term_ule(s, column(g, row, min_sm_of), sm)), term_not(s, removed));
}

/* The library's warp_legal, asked about every form, target and PTX version, is the manual's sentence. */
static void library(struct goal *g, int unused)
{
    struct smt *s = g->s;
    (void)unused;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        const struct warp_target_info *t;
        term row = term_word(s, form), all = term_bool(s, true);
        for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
            for (size_t k = 0; warp_ptx_get(k) != 0; k++) {
                uint16_t ptx = warp_ptx_get(k);
                term words = legal_words(g, row, term_word(s, ptx), term_word(s, t->target / 10u),
                                         term_bool(s, t->target % 10u != 0));
                bool said = warp_legal(info, WARP_DST_D, ptx, t->target, NULL, 0);
                /* a target needs a version that knows it: warp_target_info's min_ptx */
                words = term_and(s, words, term_bool(s, ptx >= t->min_ptx));
                all = term_and(s, all, term_eq(s, words, term_bool(s, said)));
            }
        goal_claim(g, info->name, all);
    }
}

static void monotone(struct goal *g, int kept_forms)
{
    struct smt *s = g->s;
    term row = row_of(g, "form");
    term ptx = goal_word(g, "ptx"), sm = goal_word(g, "sm"), later = goal_word(g, "later_ptx");
    term special = goal_bool(g, "target_ends_in_a_or_f");
    if (kept_forms)
        goal_assume(g, term_ne(s, column(g, row, rule_of), term_word(s, WARP_TARGET_NONSYNC)));
    goal_assume(g, term_ule(s, ptx, later));
    goal_claim_when(g, "still legal", legal_words(g, row, ptx, sm, special), legal_words(g, row, later, sm, special));
}

#define NOTES "PTX ISA Notes and Target ISA Notes of each instruction"
#define P(name, expected, build, argument, sentence, trick)                                                            \
    PROPERTY("legality-" name, "legality", expected, build, argument, sentence, NOTES, trick, "")

static const struct property_entry entries[] = {
    P("no-overlap", PROVED, no_overlap, 1,
      "no two forms of the table overlap: family, operation, type, .abs and .NaN tell them apart", "two symbolic rows"),
    P("family-tells-all", REFUTED, no_overlap, 0, "the family alone tells the forms apart", "two symbolic rows"),
    P("destinations", PROVED, has_destination, 0, "every form takes the plain destination d, and no unknown one",
      "one symbolic row"),
    P("library", PROVED, library, 0,
      "the library's warp_legal is the manual's sentence for every form, target and PTX version of the tables",
      "the function itself is called at every point; the solver compares the answers"),
    PROPERTY("legality-monotone", "legality", PROVED, monotone, 1,
             "a .sync form or activemask, once legal for a target, is legal in every later PTX version", NOTES,
             "one symbolic row", "legality-library"),
    P("monotone-legacy", REFUTED, monotone, 0,
      "every form, once legal for a target, is legal in every later PTX version (forms without .sync end at 6.4)",
      "one symbolic row"),
};

PROPERTY_LIST(catalogue_legality, entries);
