/* Legality: the instruction table, as a function of a symbolic entry, version and target. */
#include "smt/catalogue/catalogue.h"

#include <stdio.h>
#include <string.h>

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
    goal_claim_when(g, "different entries, different instructions", term_ne(s, x, y), term_not(s, same));
}

static void has_destination(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term x = row_of(g, "form");
    term d = column(g, x, destinations_of), no = term_word(s, 0), none = term_word(s, 1u << WARP_DST_NONE);
    term plain = term_band(s, d, term_word(s, 1u << WARP_DST_D)), p = term_band(s, d, term_word(s, 1u << WARP_DST_D_P));
    (void)unused;
    goal_claim(g, "some destination, or that there is none", term_ne(s, d, no));
    goal_claim(g, "no unknown one", term_ult(s, d, term_word(s, 1u << WARP_DST_COUNT)));
    goal_claim_when(g, "none stands alone", term_ne(s, term_band(s, d, none), no), term_eq(s, d, none));
    goal_claim_when(g, "else d alone is one, or d with a predicate", term_ne(s, d, none),
                    term_or(s, term_ne(s, plain, no), term_ne(s, p, no)));
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

/* The library's warp_legal, asked about every form, target and PTX version, applies the columns as legal_words does. */
static void words(struct goal *g, int unused)
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
                bool said = warp_legal(info, warp_form_first_dst(info), ptx, t->target, NULL, 0);
                /* a target needs a version that knows it: warp_target_info's min_ptx */
                words = term_and(s, words, term_bool(s, ptx >= t->min_ptx));
                all = term_and(s, all, term_eq(s, words, term_bool(s, said)));
            }
        goal_claim(g, info->name, all);
    }
}

/*
 * The manual's notes once more, by hand, from its pages and not from the table: by the instruction's text alone. "PTX
 * ISA Notes: Introduced in PTX ISA version", "Target ISA Notes: Requires sm_NN or higher". The first prefix that fits.
 * The pages of the older shfl and vote are known by their removal note: "removed for sm_70+ at PTX 6.4".
 */
static const struct note {
    const char *prefix, *suffix;
    unsigned ptx, sm;
    bool removed;
} notes[] = {
    {"shfl.sync.", "", 60, 30, false},     {"vote.sync.", "", 60, 30, false},  {"match.", "", 60, 70, false},
    {"redux.sync.", ".f32", 86, 0, false}, {"redux.sync.", "", 70, 80, false}, {"activemask.", "", 62, 30, false},
    {"bar.warp.", "", 60, 30, false},      {"elect.", "", 80, 90, false},      {"shfl.", "", 30, 30, true},
    {"vote.ballot.", "", 20, 20, true},    {"vote.", "", 12, 12, true},
};

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

/* ".f32 type requires sm_100a and is supported on sm_100f [or higher in the same family] from PTX ISA version 8.8." */
static bool has_f32(const char *target, unsigned ptx)
{
    bool of_family = strncmp(target, "sm_10", 5) == 0 && strlen(target) == 7;
    return of_family && (target[6] == 'a' || (target[6] == 'f' && ptx >= 88));
}

/* "shfl.sync{.mode}.b32 d[|p]"; "match.all.sync.type d[|p]", of which either may be the sink; "elect.sync d|p", of
 * which d may be; "bar.warp.sync membermask" has none; all else has d alone. */
static bool takes(const char *name, uint32_t dst)
{
    bool shfl = strncmp(name, "shfl.", 5) == 0, all = strncmp(name, "match.all.", 10) == 0;
    if (strncmp(name, "elect.", 6) == 0)
        return dst == WARP_DST_D_P || dst == WARP_DST_SINK_P;
    if (strncmp(name, "bar.warp.", 9) == 0)
        return dst == WARP_DST_NONE;
    return dst == WARP_DST_D || ((shfl || all) && dst == WARP_DST_D_P) || ((shfl || all) && dst == WARP_DST_D_SINK) ||
           (all && dst == WARP_DST_SINK_P);
}

static bool manual_legal(const char *name, uint32_t dst, unsigned ptx, const struct warp_target_info *t)
{
    const struct note *n = notes;
    unsigned sm = 0;
    while (strncmp(name, n->prefix, strlen(n->prefix)) != 0 || !ends_in(name, n->suffix))
        if (++n == notes + sizeof notes / sizeof notes[0])
            return false;
    sscanf(t->name, "sm_%u", &sm);
    if (n->sm == 0 ? !has_f32(t->name, ptx) : sm < n->sm)
        return false;
    return takes(name, dst) && ptx >= n->ptx && ptx >= t->min_ptx && !(n->removed && ptx >= 64 && sm >= 70);
}

/* Both at every form, destination, target and PTX version; where they differ the claim is false and says where. */
static void library(struct goal *g, int unused)
{
    (void)unused;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        const struct warp_target_info *t;
        char what[96];
        bool same = true;
        snprintf(what, sizeof what, "%s", info->name);
        for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
            for (uint32_t at = 0; warp_ptx_get(at / WARP_DST_COUNT) != 0 && same; at++) {
                uint16_t ptx = warp_ptx_get(at / WARP_DST_COUNT);
                uint32_t dst = at % WARP_DST_COUNT;
                same = warp_legal(info, dst, ptx, t->target, NULL, 0) == manual_legal(info->name, dst, ptx, t);
                if (!same)
                    snprintf(what, sizeof what, "%s %s, PTX %u.%u, %s", info->name, warp_dst_name(dst), ptx / 10u,
                             ptx % 10u, t->name);
            }
        goal_claim(g, what, term_bool(g->s, same));
    }
}

/* The manual's lines of syntax, each as all the texts that it stands for: "{x,y}" is either, "{,x}" perhaps x. */
static const char *const syntax[] = {"shfl{,.sync}.{up,down,bfly,idx}.b32",
                                     "vote{,.sync}.{all,any,uni}.pred",
                                     "vote{,.sync}.ballot.b32",
                                     "match.{any,all}.sync.{b32,b64}",
                                     "redux.sync.{add,min,max}.{u32,s32}",
                                     "redux.sync.{and,or,xor}.b32",
                                     "redux.sync.{min,max}{,.abs}{,.NaN}.f32",
                                     "activemask.b32",
                                     "bar.warp.sync",
                                     "elect.sync"};

/* Marks the forms that a line stands for; `done` is the text so far. False: a text that no form has, or one twice. */
static bool mark_texts(const char *done, const char *line, bool marked[WARP_FORMS])
{
    char text[128];
    const char *close;
    size_t plain = strcspn(line, "{");
    snprintf(text, sizeof text, "%.60s%.60s", done, line);
    text[strlen(done) + plain] = '\0';
    if (line[plain] == '\0') {
        const struct warp_form_info *info = warp_form_find(text);
        bool ok = info != NULL && strcmp(info->name, text) == 0 && !marked[info->form];
        if (ok)
            marked[info->form] = true;
        return ok;
    }
    close = strchr(line, '}');
    for (const char *at = line + plain; at != close;) {
        char next[128];
        size_t n = strcspn(++at, ",}");
        snprintf(next, sizeof next, "%.60s%.60s", text, at);
        next[strlen(text) + n] = '\0';
        at += n;
        if (!mark_texts(next, close + 1, marked))
            return false;
    }
    return true;
}

static void forms(struct goal *g, int unused)
{
    bool marked[WARP_FORMS] = {false};
    bool all = true;
    (void)unused;
    for (size_t i = 0; i < sizeof syntax / sizeof syntax[0]; i++)
        goal_claim(g, syntax[i], term_bool(g->s, mark_texts("", syntax[i], marked)));
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        all = all && marked[form];
    goal_claim(g, "and no other", term_bool(g->s, all));
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
    goal_assume(g, term_ule(s, later, term_word(s, 99))); /* versions have one digit each side of the point */
    goal_claim_when(g, "still legal", legal_words(g, row, ptx, sm, special), legal_words(g, row, later, sm, special));
}

#define NOTES "PTX ISA Notes and Target ISA Notes of each instruction"
#define P(name, expected, build, argument, sentence, trick)                                                            \
    PROPERTY("legality-" name, "legality", expected, build, argument, sentence, NOTES, trick, "")

static const struct property_entry entries[] = {
    P("no-overlap", PROVED, no_overlap, 1,
      "no two forms of the table overlap: family, operation, type, .abs and .NaN tell them apart", "two symbolic rows"),
    P("family-tells-all", REFUTED, no_overlap, 0, "the family alone tells the forms apart", "two symbolic rows"),
    P("destinations", PROVED, has_destination, 0,
      "every form takes d or d|p, or has no destination at all, and no unknown one", "one symbolic row"),
    P("forms", PROVED, forms, 0,
      "the forms of the table are the texts that the manual's lines of syntax stand for, each once",
      "no solver: every text is looked up"),
    P("library", PROVED, library, 0,
      "the library's warp_legal is what the manual's notes say, at every form, destination, target and PTX version",
      "no solver: both are computed at every point; the notes are written by hand a second time, by the instruction's "
      "text (that a target exists from some PTX version on is the table of targets')"),
    P("words", PROVED, words, 0,
      "the library's warp_legal applies the table's columns as these properties do, at every form, target and PTX "
      "version",
      "the function itself is called at every point; the solver compares the answers"),
    PROPERTY("legality-monotone", "legality", PROVED, monotone, 1,
             "a .sync form or activemask, once legal for a target, is legal in every later PTX version", NOTES,
             "one symbolic row", "legality-words"),
    P("monotone-legacy", REFUTED, monotone, 0,
      "every form, once legal for a target, is legal in every later PTX version (forms without .sync end at 6.4)",
      "one symbolic row"),
};

PROPERTY_LIST(catalogue_legality, entries);
