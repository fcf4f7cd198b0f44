/*
 * Changes of a generated kernel's text, as a compiler with a defect would make them, or a generator with one: line by
 * line, at a place that is picked among all where the change can be made.
 */
#ifndef TEST_KERNEL_PLANTS_H
#define TEST_KERNEL_PLANTS_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A change: in the pick-th line that has `has` (and `too`, if given), from the entry's first line on,
 * PLANT_REPLACE  puts `by` in the place of `has`
 * PLANT_REMOVE   leaves the line out
 * PLANT_TWICE    repeats it
 * PLANT_BEFORE   puts the line `by` before it
 * PLANT_AFTER    puts the line `by` behind it
 * PLANT_UP       moves it before the last branch that stands before it
 * PLANT_DOWN     moves it behind the next label
 * PLANT_MASK     its last operand becomes `by`; with %t0 in it, after a line that computes it
 * PLANT_MOVE     a mov of its operand number `by` into its destination
 * PLANT_TRUE     the predicate of d|p becomes true
 * PLANT_NEXT     leaves out the next line that has `by`
 */
enum plant_how {
    PLANT_REPLACE,
    PLANT_REMOVE,
    PLANT_TWICE,
    PLANT_BEFORE,
    PLANT_AFTER,
    PLANT_UP,
    PLANT_DOWN,
    PLANT_MASK,
    PLANT_MOVE,
    PLANT_TRUE,
    PLANT_NEXT
};

struct plant {
    const char *name;
    enum plant_how how;
    const char *has, *too, *by;
};

/* What a compiler does wrong. */
static const struct plant plant_miscompiles[] = {
    {"a branch's predicate is inverted", PLANT_REPLACE, "@!%p", " bra", "@%p"},
    {"a branch is never taken", PLANT_REMOVE, "@!%p", " bra E", NULL},
    {"two branches are merged: the first falls into the second", PLANT_REMOVE, "bra J", NULL, NULL},
    {"a comparison is turned round", PLANT_REPLACE, "setp.eq", NULL, "setp.ne"},
    {"a comparison loses its equality", PLANT_REPLACE, "setp.le", NULL, "setp.lt"},
    {"a guard is inverted", PLANT_REPLACE, "@%p", ".sync", "@!%p"},
    {"the group is the own lane alone", PLANT_MASK, ".sync", "vote", "%own"},
    {"redux of the wrong group", PLANT_MASK, "redux.sync", NULL, "%own"},
    {"the mask of the whole warp for that of a branch", PLANT_MASK, ".sync", "%t", "%t2"},
    {"a shuffle goes the other way", PLANT_REPLACE, "shfl.sync.up", NULL, "shfl.sync.down"},
    {"a shuffle by index is one by distance", PLANT_REPLACE, "shfl.sync.idx", NULL, "shfl.sync.bfly"},
    {"a shuffle is taken for a copy", PLANT_MOVE, "shfl.sync", NULL, "1"},
    {"a shuffle is hoisted out of its branch", PLANT_UP, "shfl.sync", NULL, NULL},
    {"a vote is sunk below the join", PLANT_DOWN, "vote.sync", NULL, NULL},
    {"a vote loses its negation", PLANT_REPLACE, ", !%p", NULL, ", %p"},
    {"any for all", PLANT_REPLACE, "vote.sync.all", NULL, "vote.sync.any"},
    {"all for any", PLANT_REPLACE, "vote.sync.any", NULL, "vote.sync.all"},
    {"uni for all", PLANT_REPLACE, "vote.sync.uni", NULL, "vote.sync.all"},
    {"a ballot is its membermask", PLANT_MOVE, "vote.sync.ballot", NULL, "2"},
    {"match.any is its membermask", PLANT_MOVE, "match.any.sync.b32", NULL, "2"},
    {"a reduction is another one", PLANT_REPLACE, "redux.sync.add", NULL, "redux.sync.max"},
    {"a minimum is signed", PLANT_REPLACE, "redux.sync.min.u32", NULL, "redux.sync.min.s32"},
    {"a predicate beside a value is always true", PLANT_TRUE, ".sync", "|%p", NULL},
    {"a loop turn is dropped", PLANT_REPLACE, ", 3;", "mov.b32 %t", ", 2;"},
    {"a loop has a turn too many", PLANT_REPLACE, ", 2;", "mov.b32 %t", ", 3;"},
    {"a loop ends after the first turn", PLANT_REMOVE, " bra L", "@%p", NULL},
    {"an atomic operation is done twice", PLANT_TWICE, "red.global.add", NULL, NULL},
    {"an atomic operation is lost", PLANT_REMOVE, "red.global", NULL, NULL},
    {"a load from shared memory is narrowed", PLANT_REPLACE, "ld.shared.b32", NULL, "ld.shared.u8"},
    {"a switch has its targets in another order", PLANT_REPLACE, "_0, S", "branchtargets", "_1, S"},
    {"a select takes the other one", PLANT_REPLACE, ", 1, 0, %p", "selp", ", 0, 1, %p"},
    {"an argument of a call is lost", PLANT_REPLACE, "[b0], %v0", NULL, "[b0], %v5"},
    {"lanes that exit leave nothing", PLANT_REMOVE, "st.global.v2", NULL, NULL},
    {"a comparison of large numbers becomes signed", PLANT_REPLACE, "setp.ge.u32", ", %v", "setp.ge.s32"},
    {"a shift of 64 bits loses the sign", PLANT_REPLACE, "shr.s64", NULL, "shr.u64"},
};

/* What makes a kernel undefined: the executor must not call it clean. */
static const struct plant plant_undefined[] = {
    {"a membermask of 0", PLANT_MASK, ".sync", "vote", "0"},
    {"a membermask without the own lane", PLANT_MASK, ".sync", "vote", "%others"},
    {"a constant membermask without some lanes", PLANT_MASK, ".sync", "shfl", "65534"},
    {"the full membermask in a branch", PLANT_MASK, ".sync", "%t", "-1"},
    {"an unpredictable value is used", PLANT_REPLACE, "setp.ne.u32", ", 0;", "setp.ge.u32"},
    {"shared memory without bar.warp.sync", PLANT_NEXT, "st.shared", NULL, "bar.warp.sync"},
    {"a block barrier in a branch", PLANT_AFTER, "@!%p", " bra E", "bar.sync 0;"},
    {"a warp barrier in a branch for all", PLANT_AFTER, "@!%p", " bra E", "bar.warp.sync -1;"},
    {"a register that nothing wrote", PLANT_AFTER, "%t2, -1;", NULL, ".reg .b32 %un;\nadd.s32 %v0, %v0, %un;"},
    {"a loop without an end", PLANT_AFTER, "%t2, -1;", NULL, "ENDLESS: bra ENDLESS;"},
    {"a load from elsewhere", PLANT_AFTER, "%t2, -1;", NULL, "ld.global.u32 %v0, [%in+1073741824000];"},
    {"a load from before its memory", PLANT_AFTER, "%t2, -1;", NULL, "ld.global.u32 %v0, [%mem+-64];"},
    {"activemask as a value", PLANT_AFTER, "@!%p", " bra E", "activemask.b32 %t0;\nadd.s32 %v0, %v0, %t0;"},
    {"a remainder of a negative number", PLANT_AFTER, "%t2, -1;", NULL, "mov.b32 %t0, -5;\nrem.s32 %v0, %t0, 3;"},
    {"a product of more than 24 bits", PLANT_AFTER, "%t2, -1;", NULL, "mov.b32 %t0, -5;\nmul24.lo.u32 %v0, %t0, 3;"},
    {"a sum with a product of more than 24 bits", PLANT_AFTER, "%t2, -1;", NULL,
     "mov.b32 %t0, 8388608;\nmad24.lo.s32 %v0, %t0, 3, %v0;"},
    {"the order of atomic operations", PLANT_AFTER, "%t2, -1;", NULL,
     "atom.global.add.u32 %t0, [%acc], 1;\nadd.s32 %v0, %v0, %t0;"},
    {"lanes write one word", PLANT_AFTER, "%t2, -1;", NULL, "st.shared.b32 [%sh], %lane;\nld.shared.b32 %v0, [%sh];"},
};

/* The pick-th line with the words; NULL: fewer. Comments of the head have none of them. */
static inline char *plant_find(char *text, const char *has, const char *too, unsigned pick)
{
    for (char *at = text; (at = strstr(at, has)) != NULL; at++) {
        char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        const size_t length = strcspn(line, "\n");
        char saved = line[length];
        line[length] = '\0';
        const bool found = (!too || strstr(line, too)) && pick-- == 0;
        line[length] = saved;
        if (found)
            return line;
        at = line + length - 1;
    }
    return NULL;
}

/* The n-th operand of a line, 0 the destination. */
static inline void plant_operand(const char *line, unsigned n, char *operand, size_t size)
{
    const char *at = strchr(line, ' ') + 1;
    if (line[0] == '@')
        at = strchr(at, ' ') + 1;
    while (n-- > 0)
        at = at[strcspn(at, ",;")] == ',' ? at + strcspn(at, ",") + 2 : at;
    snprintf(operand, size, "%.*s", (int)strcspn(at, ",;|"), at);
}

static inline void plant_mask(char *out, size_t size, const char *line, const char *by)
{
    const char *last = strrchr(line, ',') ? strrchr(line, ',') + 1 : strrchr(line, ' ');
    const bool own = strcmp(by, "%own") == 0, others = strcmp(by, "%others") == 0;
    snprintf(out, size, "%s%s%.*s %s;\n", own || others ? "shl.b32 %t0, 1, %lane;\n" : "",
             others ? "not.b32 %t0, %t0;\n" : "", (int)(last - line), line, own || others ? "%t0" : by);
}

/*
 * The text with the change, to be freed; NULL where the change cannot be made as often as `pick`.
 */
static inline char *plant_change(const char *text, size_t size, const struct plant *p, unsigned pick)
{
    char *copy = malloc(size + 1), *out = malloc(size + 4096), line[2048], operand[64], *to;
    memcpy(copy, text, size);
    copy[size] = '\0';
    char *at = plant_find(copy, p->has, p->too, pick), *next;
    if (at == NULL || strncmp(at, ".visible", 8) == 0 || strncmp(at, ".func", 5) == 0) {
        free(copy);
        free(out);
        return NULL;
    }
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    next = at + strlen(line) + 1;
    to = out + sprintf(out, "%.*s", (int)(at - copy), copy);
    switch (p->how) {
    case PLANT_REPLACE: {
        const char *has = strstr(line, p->has);
        to += sprintf(to, "%.*s%s%s\n", (int)(has - line), line, p->by, has + strlen(p->has));
        break;
    }
    case PLANT_REMOVE:
        break;
    case PLANT_TWICE:
        to += sprintf(to, "%s\n%s\n", line, line);
        break;
    case PLANT_BEFORE:
        to += sprintf(to, "%s\n%s\n", p->by, line);
        break;
    case PLANT_AFTER:
        to += sprintf(to, "%s\n%s\n", line, p->by);
        break;
    case PLANT_UP: {
        char *branch = NULL, *end = out;
        *to = '\0';
        for (char *b = out; (b = strstr(b, " bra")) != NULL; b++)
            branch = b;
        if (branch == NULL)
            branch = out + strlen(out);
        while (branch > out && branch[-1] != '\n')
            branch--;
        end = out + strlen(out);
        memmove(branch + strlen(line) + 1, branch, (size_t)(end - branch));
        memcpy(branch, line, strlen(line));
        branch[strlen(line)] = '\n';
        to = end + strlen(line) + 1;
        break;
    }
    case PLANT_DOWN: {
        char *label = strstr(next, ":\n");
        if (label != NULL) {
            to += sprintf(to, "%.*s%s\n", (int)(label + 2 - next), next, line);
            next = label + 2;
        }
        break;
    }
    case PLANT_MASK:
        plant_mask(to, 4096, line, p->by);
        to += strlen(to);
        break;
    case PLANT_MOVE: {
        char source[64];
        plant_operand(line, 0, operand, sizeof operand);
        plant_operand(line, (unsigned)atoi(p->by), source, sizeof source);
        to += sprintf(to, "mov.b32 %s, %s;\n", operand, source);
        break;
    }
    case PLANT_TRUE: {
        const char *bar = strchr(line, '|');
        to += sprintf(to, "%s\nsetp.eq.u32 %.*s, 0, 0;\n", line, (int)strcspn(bar + 1, ","), bar + 1);
        break;
    }
    case PLANT_NEXT: {
        char *other = plant_find(next, p->by, NULL, 0);
        to += sprintf(to, "%s\n", line);
        if (other != NULL) {
            to += sprintf(to, "%.*s", (int)(other - next), next);
            next = other + strcspn(other, "\n") + 1;
        }
        break;
    }
    }
    sprintf(to, "%s", next);
    free(copy);
    return out;
}

#endif
