/*
 * Defects planted in the text of generated kernels, of kinds that compilers have. Line by line, by what write.c and
 * host.c write. Most leave a defined kernel, which does something else: where lanes come together that did not, the
 * membermask is changed with them, so that nobody waits for ever.
 */
#include "kernel/make/make_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 512u /* a longer line is in no kernel */

struct lines {
    char (*at)[LINE];
    unsigned count;
};

/* ---- lines ---- */

static bool begins(const char *line, const char *words)
{
    return strncmp(line, words, strlen(words)) == 0;
}

static bool has(const char *line, const char *words)
{
    return strstr(line, words) != NULL;
}

/* Puts `by` in the place of each `name` that no digit follows. False: the line would be too long. */
static bool replace_all(char line[LINE], const char *name, const char *by)
{
    char out[LINE];
    size_t size = 0;
    const size_t length = strlen(name), by_length = strlen(by);
    for (const char *at = line; *at; size++) {
        if (strncmp(at, name, length) == 0 && !(at[length] >= '0' && at[length] <= '9')) {
            if (size + by_length >= LINE)
                return false;
            memcpy(out + size, by, by_length);
            size += by_length - 1;
            at += length;
        } else if (size + 1 >= LINE) {
            return false;
        } else {
            out[size] = *at++;
        }
    }
    memcpy(line, out, size);
    line[size] = '\0';
    return true;
}

/* Puts text before or behind a line, into the same one. */
static void wrap(char line[LINE], const char *before, const char *behind)
{
    char out[2 * LINE];
    if (snprintf(out, sizeof out, "%s%s%s", before, line, behind) < (int)LINE)
        strcpy(line, out);
}

/* Moves a line to another place; those between go one on. */
static void move(struct lines *l, unsigned from, unsigned to)
{
    char line[LINE];
    memcpy(line, l->at[from], LINE);
    if (from > to)
        memmove(l->at[to + 1], l->at[to], (from - to) * (size_t)LINE);
    else
        memmove(l->at[from], l->at[from + 1], (to - from) * (size_t)LINE);
    memcpy(l->at[to], line, LINE);
}

/* The line that is exactly this, behind `from`; count: there is none. */
static unsigned find(const struct lines *l, unsigned from, const char *line)
{
    while (from < l->count && strcmp(l->at[from], line) != 0)
        from++;
    return from;
}

/* Of the function or the entry that line `n` is in. */
static unsigned end_of_body(const struct lines *l, unsigned n)
{
    while (n < l->count && !begins(l->at[n], ".func") && !begins(l->at[n], ".visible"))
        n++;
    return n;
}

/* Its membermask, the last operand. */
static char *mask_of(char *line)
{
    char *const comma = strrchr(line, ',');
    return comma != NULL ? comma + 2 : strrchr(line, ' ') + 1;
}

static bool has_constant_mask(const struct lines *l, unsigned from, unsigned to)
{
    for (; from < to && from < l->count; from++)
        if (has(l->at[from], ".sync") && *mask_of(l->at[from]) != '%')
            return true;
    return false;
}

/* The operand becomes %t0, which a line computes first; neither %t0 nor %t1 is used behind the kernel's first lines. */
static void set_mask(char line[LINE], const char *computed)
{
    char before[LINE];
    char *const mask = mask_of(line);
    snprintf(before, sizeof before, computed, (int)strcspn(mask, ";"), mask);
    strcpy(mask, computed[0] == '\0' ? "-1;" : "%t0;");
    wrap(line, before, "");
}

static bool is_group_question(const char *line)
{
    return has(line, "redux.sync") || has(line, "match.any.sync") || has(line, "match.all.sync");
}

/* ---- branches with a membermask for each side (split in write.c) ---- */

struct branch {
    unsigned number, at, otherwise, join; /* lines: the branch, its label E, its label J or, without one, E */
    char inside[16], outside[16], both[16];
};

static bool read_branch(const struct lines *l, unsigned n, struct branch *b)
{
    unsigned p, q, in, out;
    char label[32];
    int end = 0;
    if (n < 3 || sscanf(l->at[n], "@!%%p%u bra E%u;%n", &p, &b->number, &end) != 2 || end == 0 ||
        sscanf(l->at[n - 3], "vote.sync.ballot.b32 %%t%u, %%p%u, %15[^;];", &in, &q, b->both) != 3 || p != q ||
        sscanf(l->at[n - 1], "and.b32 %%t%u, ", &out) != 1)
        return false;
    snprintf(b->inside, sizeof b->inside, "%%t%u", in);
    snprintf(b->outside, sizeof b->outside, "%%t%u", out);
    b->at = n;
    snprintf(label, sizeof label, "E%u:", b->number);
    b->otherwise = find(l, n, label);
    snprintf(label, sizeof label, "bra J%u;", b->number);
    b->join = b->otherwise;
    if (strcmp(l->at[b->otherwise - 1], label) == 0) {
        snprintf(label, sizeof label, "J%u:", b->number);
        b->join = find(l, b->otherwise, label);
    }
    return b->join < l->count && !has_constant_mask(l, n, b->join);
}

/* The lanes of the first side go through the second as well. */
static void merge_branches(struct lines *l, unsigned n)
{
    struct branch b;
    if (!read_branch(l, n, &b) || b.join == b.otherwise)
        return;
    l->at[b.otherwise - 1][0] = '\0';
    for (unsigned k = b.otherwise; k < b.join; k++)
        replace_all(l->at[k], b.outside, b.both);
}

/* The sides change places. */
static void invert_branch(struct lines *l, unsigned n)
{
    struct branch b;
    char swap[LINE];
    if (!read_branch(l, n, &b))
        return;
    memmove(l->at[n] + 1, l->at[n] + 2, strlen(l->at[n] + 1)); /* without its `!` */
    snprintf(swap, sizeof swap, "xor.b32 %s, %s, %s;\nxor.b32 %s, %s, %s;\nxor.b32 %s, %s, %s;\n", b.inside, b.inside,
             b.outside, b.outside, b.inside, b.outside, b.inside, b.inside, b.outside);
    wrap(l->at[n], swap, "");
}

/* Can it be done before the branch: does it change no more than a register of its own? */
static bool is_apart(const char *line)
{
    const char *const operand = strchr(line, ' ');
    return operand != NULL && line[0] != '@' && line[0] != '.' && line[0] != '{' && !begins(line, "st.") &&
           !begins(line, "red.") && !begins(line, "bar.") && !begins(line, "atom.") &&
           (begins(operand, " %t") || begins(operand, " %p") || begins(operand, " %f") || begins(operand, " {%t") ||
            (begins(operand, " %w") && !begins(operand, " %w0,")));
}

static bool ends_block(const char *line)
{
    return line[0] == '\0' || line[0] == '@' || begins(line, "bra") || begins(line, "brx") || begins(line, "ret") ||
           begins(line, "exit") || begins(line, "bar.") || begins(line, "{") || line[strlen(line) - 1] == ':' ||
           has(line, ".branchtargets") || begins(line, "not.b32 %t"); /* masks of another branch */
}

/* Is what the lines between compute a membermask behind them? */
static bool is_mask_behind(const struct lines *l, unsigned from, unsigned to, unsigned end)
{
    for (unsigned k = from; k <= to; k++) {
        const char *const operand = strchr(l->at[k], ' ');
        const size_t length = operand != NULL ? strcspn(operand, ",|;") : 0;
        for (unsigned n = to + 1; length > 1 && n < end; n++) {
            const char *const mask = has(l->at[n], ".sync") ? mask_of(l->at[n]) : "";
            if (strncmp(mask, operand + 1, length - 1) == 0 && mask[length - 1] == ';')
                return true;
        }
    }
    return false;
}

/* A shuffle of a branch, and what it needs, are done before the branch, by all lanes. */
static void hoist_shuffle(struct lines *l, unsigned n)
{
    struct branch b;
    unsigned k = n + 1;
    if (!read_branch(l, n, &b))
        return;
    while (!ends_block(l->at[k]) && !has(l->at[k], "%h") &&
           !(begins(l->at[k], "shfl.sync") && !is_mask_behind(l, n + 1, k, b.join)))
        k++;
    if (!begins(l->at[k], "shfl.sync"))
        return;
    const unsigned shuffle = k;
    for (k = n + 1; k <= shuffle; k++)
        if (is_apart(l->at[k])) {
            replace_all(l->at[k], b.inside, b.both);
            move(l, k, b.at++);
        }
}

/* ---- guards ---- */

/* A statement under a guard: a ballot of the guard's predicate is its membermask. */
static bool read_guard(const struct lines *l, unsigned n, char predicate[16], char mask[16], char both[16])
{
    unsigned p, t, guarded = 0;
    if (sscanf(l->at[n], "vote.sync.ballot.b32 %%t%u, %%p%u, %15[^;];", &t, &p, both) != 3)
        return false;
    snprintf(predicate, 16, "@%%p%u ", p);
    snprintf(mask, 16, "%%t%u", t);
    for (unsigned k = n + 1, end = end_of_body(l, n); k < end; k++)
        if (begins(l->at[k], predicate) && has(l->at[k], ".sync")) {
            guarded++;
            if (has_constant_mask(l, k, k + 1))
                return false;
        }
    return guarded > 0;
}

static void change_guard(struct lines *l, unsigned n, bool invert)
{
    char predicate[16], mask[16], both[16], text[LINE];
    if (!read_guard(l, n, predicate, mask, both))
        return;
    for (unsigned k = n + 1, end = end_of_body(l, n); k < end; k++) {
        if (begins(l->at[k], predicate) && !has(l->at[k], " bra")) {
            snprintf(text, sizeof text, "%s", l->at[k] + strlen(predicate));
            snprintf(l->at[k], LINE, "%s%.*s%.*s", invert ? "@!" : "", invert ? (int)strlen(predicate) - 1 : 0,
                     predicate + 1, (int)(LINE - 32), text);
        }
        if (!invert)
            replace_all(l->at[k], mask, both);
    }
    snprintf(text, sizeof text, "\nxor.b32 %s, %s, %s;", mask, mask, both);
    if (invert)
        wrap(l->at[n], "", text);
}

static void lose_guard(struct lines *l, unsigned n)
{
    change_guard(l, n, false);
}

static void invert_guard(struct lines *l, unsigned n)
{
    change_guard(l, n, true);
}

/* ---- loops ---- */

/* The comparison at its end, with another number of turns. */
static void change_turns(struct lines *l, unsigned n, const char *to)
{
    unsigned turns, compared, p;
    char relation[4];
    if (n == 0 || sscanf(l->at[n - 1], "sub.s32 %%t%u, ", &turns) != 1 ||
        sscanf(l->at[n], "setp.%3[a-z].s32 %%p%u, %%t%u, ", relation, &p, &compared) != 3 || turns != compared ||
        strcmp(mask_of(l->at[n]), "0;") != 0 || !has(l->at[n - 1], ", 1;"))
        return;
    strcpy(mask_of(l->at[n]), to);
}

static void drop_turn(struct lines *l, unsigned n)
{
    change_turns(l, n, "1;");
}

static void add_turn(struct lines *l, unsigned n)
{
    change_turns(l, n, "-1;");
}

/* ---- membermasks ---- */

/* Each lane answers for itself. */
static void take_own_mask(struct lines *l, unsigned n)
{
    if (is_group_question(l->at[n]) || has(l->at[n], "vote.sync.a") || has(l->at[n], "vote.sync.uni"))
        set_mask(l->at[n], "shl.b32 %%t0, 1, %%lane;\n");
}

/* Half the warp. */
static void take_half_mask(struct lines *l, unsigned n)
{
    if (is_group_question(l->at[n]))
        set_mask(l->at[n], "and.b32 %%t0, %%lane, 16;\nshl.b32 %%t0, 65535, %%t0;\nand.b32 %%t0, %%t0, %.*s;\n");
}

static void take_full_mask(struct lines *l, unsigned n)
{
    if (is_group_question(l->at[n]) || has(l->at[n], "shfl.sync"))
        set_mask(l->at[n], "");
}

/* ---- memory ---- */

/* A store to shared memory comes behind the load that is to see it. */
static void delay_store(struct lines *l, unsigned n)
{
    unsigned k = n + 1;
    if (!begins(l->at[n], "st.shared"))
        return;
    while (k < l->count && !begins(l->at[k], "ld.shared") && l->at[k][strlen(l->at[k]) - 1] == ';')
        k++;
    if (k < l->count && begins(l->at[k], "ld.shared"))
        move(l, n, k);
}

static void repeat_atomic(struct lines *l, unsigned n)
{
    char again[LINE];
    if (!has(l->at[n], "red.global.add"))
        return;
    snprintf(again, sizeof again, "\n%s", l->at[n]);
    wrap(l->at[n], "", again);
}

/* ---- by their names ---- */

static const struct {
    const char *name;
    void (*change)(struct lines *l, unsigned n);
} plants[] = {
    {"@merge-branches", merge_branches},
    {"@invert-branch", invert_branch},
    {"@hoist-shuffle", hoist_shuffle},
    {"@lose-guard", lose_guard},
    {"@invert-guard", invert_guard},
    {"@drop-turn", drop_turn},
    {"@add-turn", add_turn},
    {"@own-mask", take_own_mask},
    {"@half-mask", take_half_mask},
    {"@full-mask", take_full_mask},
    {"@delay-store", delay_store},
    {"@repeat-atomic", repeat_atomic},
};

const char *make_plant_name(unsigned n)
{
    return n < sizeof plants / sizeof plants[0] ? plants[n].name : NULL;
}

/* From the end on, so that what a change leaves is not changed again. */
static char *plant_structure(const char *text, void (*change)(struct lines *l, unsigned n))
{
    struct lines l = {0};
    struct buffer out = {0};
    for (const char *at = text; *at; at++)
        l.count += *at == '\n';
    l.at = calloc(l.count + 1, sizeof *l.at);
    for (unsigned n = 0; l.at != NULL && n < l.count; n++, text = strchr(text, '\n') + 1)
        snprintf(l.at[n], LINE, "%.*s", (int)strcspn(text, "\n"), text);
    for (unsigned n = l.at != NULL ? l.count : 0; n-- > 0;)
        if (l.at[n][0] != '\0' && l.at[n][0] != '.')
            change(&l, n);
    for (unsigned n = 0; l.at != NULL && n < l.count; n++)
        buffer_format(&out, "%s\n", l.at[n]);
    free(l.at);
    return out.data;
}

/* Puts OTHER in the place of each TEXT. */
static char *plant_text(const char *module, const char *plant, const char *equals)
{
    const size_t length = (size_t)(equals - plant);
    char text[128];
    struct buffer b = {0};
    if (length == 0 || length >= sizeof text)
        return NULL;
    snprintf(text, sizeof text, "%.*s", (int)length, plant);
    for (const char *found; (found = strstr(module, text)) != NULL; module = found + length) {
        buffer_add(&b, module, (size_t)(found - module));
        buffer_text(&b, equals + 1);
    }
    buffer_text(&b, module);
    return b.data;
}

bool make_plant_is_known(const char *plant)
{
    const char *const equals = strchr(plant, '=');
    unsigned n = 0;
    while (make_plant_name(n) != NULL && strcmp(make_plant_name(n), plant) != 0)
        n++;
    return make_plant_name(n) != NULL || (plant[0] != '@' && equals != NULL && equals > plant && equals - plant < 128);
}

char *make_plant(const char *module, const char *plant)
{
    const char *const equals = strchr(plant, '=');
    for (unsigned n = 0; make_plant_name(n) != NULL; n++)
        if (strcmp(make_plant_name(n), plant) == 0)
            return plant_structure(module, plants[n].change);
    return equals != NULL ? plant_text(module, plant, equals) : NULL;
}
