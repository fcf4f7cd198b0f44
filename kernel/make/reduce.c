#include "kernel/make/make_internal.h"

#include <string.h>

struct reducer {
    struct make_kernel *k; /* the smallest that shows it, so far */
    make_test test;
    void *context;
    unsigned asked, most;
};

static bool try(struct reducer *r, const struct make_kernel *smaller)
{
    if (r->asked == r->most || memcmp(smaller, r->k, sizeof *smaller) == 0)
        return false;
    r->asked++;
    if (!r->test(r->context, smaller))
        return false;
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
    smaller.nodes[node].shape = MAKE_TOP;
    return try(r, &smaller) || changed;
}

static bool reduce_launch(struct reducer *r)
{
    struct make_kernel smaller = *r->k;
    bool changed = false;
    smaller.grid = 1;
    changed |= try(r, &smaller);
    for (uint32_t block = 1; block < r->k->block; block *= 2) {
        smaller = *r->k;
        smaller.block = block;
        if (try(r, &smaller)) {
            changed = true;
            break;
        }
    }
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

unsigned make_reduce(struct make_kernel *kernel, make_test test, void *context, unsigned most)
{
    struct reducer r = {.k = kernel, .test = test, .context = context, .most = most};
    for (bool changed = true; changed && r.asked < most;) {
        changed = reduce_launch(&r);
        for (uint32_t n = 1; n < kernel->nodes_count; n++)
            changed |= reduce_node(&r, (uint16_t)n) || reduce_host(&r, (uint16_t)n);
    }
    return r.asked;
}
