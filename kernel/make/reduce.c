#include "kernel/make/make_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reducer {
    struct make_kernel *k; /* the smallest that shows it, so far */
    make_test test;
    void *context;
    struct reduction *limits;
};

static bool try(struct reducer *r, const struct make_kernel *smaller)
{
    if (!reduction_goes_on(r->limits) || memcmp(smaller, r->k, sizeof *smaller) == 0)
        return false;
    r->limits->tried++;
    if (!r->test(r->context, smaller))
        return false;
    r->limits->kept++;
    *r->k = *smaller;
    return true;
}

/* Takes `node` out of the list in which it is; puts the list `instead` in its place. */
static bool replace(struct make_kernel *k, uint16_t node, uint16_t instead)
{
    uint16_t *links[] = {&k->root}, next = k->nodes[node].next, *at = NULL;
    if (*links[0] == node)
        at = links[0];
    for (uint32_t n = 1; at == NULL && n < k->nodes_count; n++) {
        struct make_node *m = &k->nodes[n];
        at = m->next == node ? &m->next : m->body == node ? &m->body : m->other == node ? &m->other : NULL;
    }
    if (at == NULL)
        return false;
    *at = instead;
    while (*at != 0)
        at = &k->nodes[*at].next;
    *at = next;
    k->nodes[node].next = 0;
    return true;
}

void make_leave_out(struct make_kernel *kernel, uint16_t node)
{
    replace(kernel, node, 0);
}

/* Leaves the statement out, or puts one of its lists in its place. */
static bool reduce_node(struct reducer *r, uint16_t node)
{
    const uint16_t lists[] = {0, r->k->nodes[node].body, r->k->nodes[node].other};
    for (unsigned n = 0; n < 3; n++) {
        struct make_kernel smaller = *r->k;
        if ((n == 0 || lists[n] != 0) && replace(&smaller, node, lists[n]) && try(r, &smaller))
            return true;
    }
    if (r->k->nodes[node].other != 0 && r->k->nodes[node].body != 0) {
        struct make_kernel smaller = *r->k;
        smaller.nodes[node].other = 0;
        if (try(r, &smaller))
            return true;
    }
    return false;
}

/* A host in its plainest surroundings. */
static bool reduce_host(struct reducer *r, uint16_t node)
{
    struct make_kernel smaller = *r->k;
    bool changed = false;
    if (smaller.nodes[node].kind != MAKE_HOST)
        return false;
    smaller.nodes[node].idiom = MAKE_IDIOM_PLAIN;
    changed |= try(r, &smaller);
    smaller = *r->k;
    if (smaller.nodes[node].mask != MAKE_MASK_NONE)
        smaller.nodes[node].mask = MAKE_MASK_HERE;
    changed |= try(r, &smaller);
    smaller = *r->k;
    smaller.nodes[node].place = MAKE_TOP;
    return try(r, &smaller) || changed;
}

static bool try_block(struct reducer *r, uint32_t block)
{
    struct make_kernel smaller = *r->k;
    smaller.block = block;
    return try(r, &smaller);
}

/* The first power of two that shows it, and what is smaller above the one before. */
static bool reduce_block(struct reducer *r)
{
    const uint32_t before = r->k->block;
    uint32_t least = 0;
    for (uint32_t block = 1; block < r->k->block && !try_block(r, block); block *= 2)
        least = block;
    for (uint32_t step = 16; step > 0; step /= 2)
        if (least + step < r->k->block && !try_block(r, least + step))
            least += step;
    return r->k->block != before;
}

static bool reduce_launch(struct reducer *r)
{
    struct make_kernel smaller = *r->k;
    bool changed = false;
    smaller.grid = 1;
    changed |= try(r, &smaller);
    changed |= reduce_block(r);
    for (unsigned word = 0; word < MAKE_IN; word++) {
        smaller = *r->k;
        smaller.zeroed |= 1u << word;
        changed |= try(r, &smaller);
        smaller = *r->k;
        smaller.inputs &= ~(0xffu << word * 8); /* the thread's number */
        changed |= try(r, &smaller);
    }
    smaller = *r->k;
    smaller.n = 0;
    return try(r, &smaller) || changed;
}

void make_reduce(struct make_kernel *kernel, make_test test, void *context, struct reduction *limits)
{
    struct reducer r = {.k = kernel, .test = test, .context = context, .limits = limits};
    for (bool changed = true; changed && reduction_goes_on(limits);) {
        changed = false;
        for (uint32_t n = 1; n < kernel->nodes_count; n++)
            changed |= reduce_node(&r, (uint16_t)n) || reduce_host(&r, (uint16_t)n);
        changed |= reduce_launch(&r);
    }
}

/* ---- lines of the text ---- */

#define LINES_MOST 2048u

struct lines {
    char *text;                   /* of all, a 0 at the end of each */
    const char *line[LINES_MOST]; /* NULL: left out */
    unsigned count;
    unsigned entry, loads; /* where the entry begins, and where its inputs are loaded */
    struct buffer now;     /* those that are left */
    make_text_test test;
    void *context;
    struct reduction *limits;
};

static bool still_shows(struct lines *l)
{
    struct buffer b = {0};
    for (unsigned n = 0; n < l->count; n++)
        if (l->line[n] != NULL) {
            buffer_text(&b, l->line[n]);
            buffer_text(&b, "\n");
        }
    const bool tries = reduction_goes_on(l->limits) && !b.failed,
               shows = tries && l->test(l->context, buffer_string(&b));
    l->limits->tried += tries;
    l->limits->kept += shows;
    if (shows) {
        buffer_free(&l->now);
        l->now = b;
    } else {
        buffer_free(&b);
    }
    return shows;
}

/* What stands around all: the head, where functions begin and end. A variable may go by itself. */
static bool is_frame(const struct lines *l, unsigned n, bool alone)
{
    const char *const line = l->line[n], *const next = n + 1 < l->count ? l->line[n + 1] : NULL;
    return line[0] == '{' || line[0] == '}' || line[0] == '\0' || (line[0] == '.' && (!alone || n < 3)) ||
           ((strcmp(line, "ret;") == 0 || strcmp(line, "exit;") == 0) && next != NULL && next[0] == '}');
}

/* Of what is computed before the inputs are loaded, addresses above all: is it used? */
static bool is_needed(const struct lines *l, unsigned n)
{
    char name[32];
    const char *const space = n > l->entry && n <= l->loads ? strstr(l->line[n], " %") : NULL;
    if (space == NULL)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(space + 1, ","), space + 1);
    for (unsigned k = n + 1; k < l->count; k++)
        if (l->line[k] != NULL && l->line[k][0] != '.' && strstr(l->line[k], name) != NULL)
            return true;
    return false;
}

/* Leaves out `size` lines from the n-th on, those that are there and may go. */
static bool drop_lines(struct lines *l, unsigned from, unsigned size)
{
    const char *kept[LINES_MOST];
    bool any = false;
    memcpy(kept, l->line, sizeof kept);
    for (unsigned n = from; n < from + size && n < l->count; n++)
        if (l->line[n] != NULL && !is_frame(l, n, size == 1) && !is_needed(l, n)) {
            l->line[n] = NULL;
            any = true;
        }
    if (any && still_shows(l))
        return true;
    memcpy(l->line, kept, sizeof kept);
    return false;
}

/* The line without its guard. */
static bool drop_guard(struct lines *l, unsigned n)
{
    const char *const line = l->line[n], *const space = line && line[0] == '@' ? strchr(line, ' ') : NULL;
    if (space == NULL)
        return false;
    l->line[n] = space + 1;
    if (still_shows(l))
        return true;
    l->line[n] = line;
    return false;
}

/* A branch and its label. */
static bool drop_branch(struct lines *l, unsigned n)
{
    const char *const line = l->line[n], *const bra = line ? strstr(line, "bra") : NULL,
                      *const name = bra ? strchr(bra, ' ') : NULL;
    const size_t length = name ? strcspn(name + 1, ";") : 0;
    for (unsigned k = 0; name && k < l->count; k++) {
        const char *const label = l->line[k];
        if (label == NULL || strncmp(label, name + 1, length) != 0 || label[length] != ':')
            continue;
        l->line[n] = l->line[k] = NULL;
        if (still_shows(l))
            return true;
        l->line[n] = line;
        l->line[k] = label;
    }
    return false;
}

static bool read_lines(struct lines *l, const char *text)
{
    l->text = malloc(strlen(text) + 1);
    if (l->text == NULL)
        return false;
    strcpy(l->text, text);
    for (char *at = l->text; *at != '\0';) {
        char *const end = at + strcspn(at, "\n");
        if (l->count == LINES_MOST)
            return false;
        if (strncmp(at, ".visible", 8) == 0)
            l->entry = l->count;
        else if (l->entry > 0 && l->loads == 0 && strncmp(at, "ld.global", 9) == 0)
            l->loads = l->count;
        l->line[l->count++] = at;
        at = *end == '\0' ? end : end + 1;
        *end = '\0';
    }
    return true;
}

void make_reduce_text(struct buffer *text, make_text_test test, void *context, struct reduction *limits)
{
    struct lines *const l = calloc(1, sizeof *l);
    if (l == NULL)
        return;
    l->test = test;
    l->context = context;
    l->limits = limits;
    if (read_lines(l, buffer_string(text))) {
        for (unsigned size = l->count / 2; size > 1; size /= 2)
            for (unsigned n = l->count / size + 1; n-- > 0;)
                drop_lines(l, n * size, size);
        for (bool changed = true; changed && reduction_goes_on(limits);) {
            changed = false;
            for (unsigned n = l->count; n-- > 0;)
                changed |= drop_lines(l, n, 1) || drop_branch(l, n) || drop_guard(l, n);
        }
        if (l->now.size > 0) {
            buffer_free(text);
            *text = l->now;
        }
    }
    free(l->text);
    free(l);
}
