#include "kernel/make/make.h"

#include "base/random.h"
#include "kernel/make/make_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const char *const place_names[] = {
#define MAKE_PLACE(id, name, what) name,
#include "kernel/make/make.def"
#undef MAKE_PLACE
};
static const char *const mask_names[] = {
#define MAKE_MASK(id, name, what) name,
#include "kernel/make/make.def"
#undef MAKE_MASK
};
static const char *const missing_names[] = {
#define MAKE_MISSING(id, name, what) name,
#include "kernel/make/make.def"
#undef MAKE_MISSING
};
static const char *const idiom_names[] = {
#define MAKE_IDIOM(id, name, what) name,
#include "kernel/make/make.def"
#undef MAKE_IDIOM
};

static const char *const size_names[] = {"large", "small", "mixed", "wide", "tiny"};

bool make_size_find(const char *name, enum make_size *size)
{
    for (unsigned n = 0; n < sizeof size_names / sizeof size_names[0]; n++)
        if (strcmp(name, size_names[n]) == 0) {
            *size = (enum make_size)n;
            return true;
        }
    return false;
}

const char *make_size_name(enum make_size size)
{
    return size_names[size];
}

static const unsigned axis_sizes[MAKE_AXES] = {WARP_FORMS, MAKE_PLACES, MAKE_MASKS, MAKE_MISSINGS, MAKE_IDIOMS};

static unsigned axis_start(unsigned axis)
{
    unsigned start = 0;
    for (unsigned n = 0; n < axis; n++)
        start += axis_sizes[n];
    return start;
}

static const char *value_name(unsigned value)
{
    unsigned axis = 0;
    while (value >= axis_start(axis) + axis_sizes[axis])
        axis++;
    value -= axis_start(axis);
    const char *const *names[] = {NULL, place_names, mask_names, missing_names, idiom_names};
    return axis == 0 ? warp_form_get(value)->name : names[axis][value];
}

/* ---- what can stand together ---- */

uint16_t make_ptx(uint32_t target)
{
    const struct warp_target_info *info = warp_target_of(target);
    uint16_t ptx = info && info->min_ptx > 63 ? info->min_ptx : 63; /* 6.3: activemask, and the older forms as well */
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (warp_legal_from(warp_form_get(form), target) > ptx)
            ptx = warp_legal_from(warp_form_get(form), target);
    return ptx;
}

bool make_form_is_legal(enum warp_form form, uint16_t ptx, uint32_t target)
{
    const struct warp_form_info *info = warp_form_get(form);
    return warp_legal(info, warp_form_first_dst(info), ptx, target, NULL, 0);
}

static bool mask_splits(enum make_mask mask)
{
    return mask == MAKE_MASK_BALLOT || mask == MAKE_MASK_MATCH || mask == MAKE_MASK_TILE || mask == MAKE_MASK_OWN;
}

/* With activemask: can the answers be put together so that the sum is the same for each partition? */
static bool form_sums(enum warp_form form)
{
    const struct warp_form_info *f = warp_form_get(form);
    switch (f->family) {
    case WARP_VOTE_SYNC:
        return f->op != WARP_UNI;
    case WARP_REDUX_SYNC:
        return f->type != WARP_F32;
    case WARP_SHFL_SYNC:
        return f->op == WARP_IDX;
    case WARP_BAR_WARP:
    case WARP_ELECT:
        return true;
    case WARP_MATCH_SYNC:
    case WARP_SHFL:
    case WARP_VOTE:
    case WARP_ACTIVEMASK:
    case WARP_FAMILIES:
        break;
    }
    return false;
}

static bool is_divergent(enum make_place place)
{
    return place == MAKE_IF_LANE || place == MAKE_IF_DATA || place == MAKE_ELSE || place == MAKE_LOOP_LANE ||
           place == MAKE_SWITCH || place == MAKE_GUARD;
}

struct tuple {
    unsigned value[MAKE_AXES];
};

static bool mask_fits(const struct tuple *t)
{
    const enum make_place place = t->value[1];
    const enum make_mask mask = t->value[2];
    const enum make_missing missing = t->value[3];
    switch (mask) {
    case MAKE_MASK_NONE:
    case MAKE_MASK_HERE:
    case MAKE_MASK_RELAYED:
        return missing != MAKE_OTHERS && !(mask == MAKE_MASK_RELAYED && place == MAKE_GUARD);
    case MAKE_MASK_CONST:
        return missing != MAKE_OTHERS && place != MAKE_IF_DATA && place != MAKE_ELSE && place != MAKE_LOOP_LANE &&
               place != MAKE_SWITCH && place != MAKE_CALL;
    case MAKE_MASK_BALLOT:
    case MAKE_MASK_MATCH:
        return missing != MAKE_NOBODY && place != MAKE_GUARD;
    case MAKE_MASK_TILE:
        return missing != MAKE_NOBODY;
    case MAKE_MASK_OWN:
        return missing != MAKE_NOBODY && place != MAKE_MEET;
    case MAKE_MASK_ACTIVE:
        return missing != MAKE_NOBODY && missing != MAKE_OTHERS && place != MAKE_MEET && place != MAKE_GUARD &&
               t->value[4] == MAKE_IDIOM_ATOMIC && form_sums((enum warp_form)t->value[0]);
    case MAKE_MASK_STALE:
        return missing == MAKE_EXITED && !is_divergent(place) && place != MAKE_CALL;
    case MAKE_MASKS:
        break;
    }
    return false;
}

/* Does it give something that depends on more than who is active? */
static bool gives_from_lanes(const struct warp_form_info *info)
{
    switch (info->family) {
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
        return false;
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_MATCH_SYNC:
    case WARP_REDUX_SYNC:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return true;
}

static bool idiom_fits(const struct tuple *t)
{
    const struct warp_form_info *f = warp_form_get(t->value[0]);
    const enum make_place place = t->value[1];
    const enum make_missing missing = t->value[3];
    const bool gives = gives_from_lanes(f);
    switch ((enum make_idiom)t->value[4]) {
    case MAKE_IDIOM_BRANCH:
    case MAKE_IDIOM_DEAD:
        return gives;
    case MAKE_IDIOM_CHAIN:
        return gives && warp_form_is_sync(f) && place != MAKE_GUARD;
    case MAKE_IDIOM_SHARED:
        return place != MAKE_GUARD && warp_form_is_sync(f);
    case MAKE_IDIOM_BLOCK:
        return (place == MAKE_TOP || place == MAKE_LOOP) && (missing == MAKE_NOBODY || missing == MAKE_OTHERS) &&
               t->value[2] != MAKE_MASK_STALE;
    case MAKE_IDIOM_PLAIN:
    case MAKE_IDIOM_TWICE:
    case MAKE_IDIOM_TAIL:
    case MAKE_IDIOM_HOIST:
    case MAKE_IDIOM_UNIFORM:
    case MAKE_IDIOM_INVARIANT:
    case MAKE_IDIOM_CONVERT:
    case MAKE_IDIOM_SELECT:
    case MAKE_IDIOM_ATOMIC:
    case MAKE_IDIOM_FLOAT:
        return true;
    case MAKE_IDIOMS:
        break;
    }
    return false;
}

/* Up to sm_6x all forms need the lanes together: there only whole warps do them. */
static bool convergence_fits(const struct tuple *t, uint32_t target)
{
    const struct warp_form_info *f = warp_form_get(t->value[0]);
    const enum make_place place = t->value[1];
    const bool older = f->rule == WARP_TARGET_NONSYNC;
    if (!warp_target_needs_convergence(target))
        return !older; /* from sm_70 on nothing brings lanes together again for them */
    return (place == MAKE_TOP || place == MAKE_LOOP || place == MAKE_IF_UNIFORM) &&
           (t->value[3] == MAKE_NOBODY || t->value[3] == MAKE_ABSENT);
}

static bool is_possible(const struct tuple *t, uint16_t ptx, uint32_t target)
{
    const enum warp_form form = (enum warp_form)t->value[0];
    const enum make_place place = t->value[1];
    const enum make_missing missing = t->value[3];
    const bool sync = warp_form_is_sync(warp_form_get(form));
    if (t->value[2] == MAKE_MASK_MATCH && !make_form_is_legal(WARP_MATCH_ANY_SYNC_B32, ptx, target))
        return false;
    if (!make_form_is_legal(form, ptx, target) || sync == (t->value[2] == MAKE_MASK_NONE) || !mask_fits(t) ||
        !idiom_fits(t) || !convergence_fits(t, target))
        return false;
    if (missing == MAKE_NOBODY && (is_divergent(place) || place == MAKE_LOOP_EXIT))
        return false;
    if (missing == MAKE_ELSEWHERE &&
        (place == MAKE_TOP || (t->value[2] == MAKE_MASK_CONST && place != MAKE_IF_LANE && place != MAKE_GUARD)))
        return false;
    if (missing == MAKE_OTHERS && !mask_splits((enum make_mask)t->value[2]))
        return false;
    return sync || place != MAKE_MEET; /* without a membermask lanes do not meet */
}

/* ---- coverage ---- */

/* All tuples that are possible, in order; *count of them. */
static bool tuple_next(struct tuple *t)
{
    for (unsigned axis = MAKE_AXES; axis-- > 0;) {
        if (++t->value[axis] < axis_sizes[axis])
            return true;
        t->value[axis] = 0;
    }
    return false;
}

void make_coverage_start(struct make_coverage *coverage, uint32_t target)
{
    struct tuple t = {{0}};
    const uint16_t ptx = make_ptx(target);
    memset(coverage, 0, sizeof *coverage);
    coverage->target = target;
    do {
        if (!make_form_is_legal((enum warp_form)t.value[0], ptx, target) || !is_possible(&t, ptx, target))
            continue;
        for (unsigned a = 0; a < MAKE_AXES; a++)
            for (unsigned b = a + 1; b < MAKE_AXES; b++)
                coverage->possible[axis_start(a) + t.value[a]][axis_start(b) + t.value[b]] = true;
    } while (tuple_next(&t));
}

void make_coverage_add(struct make_coverage *coverage, const struct make_feature *f)
{
    for (unsigned missing = 0; missing < MAKE_MISSINGS; missing++) {
        const unsigned v[MAKE_AXES] = {f->form, f->place, f->mask, missing, f->idiom};
        if (!f->is_reached || !(f->missing >> missing & 1u))
            continue;
        for (unsigned a = 0; a < MAKE_AXES; a++)
            for (unsigned b = a + 1; b < MAKE_AXES; b++)
                coverage->seen[axis_start(a) + v[a]][axis_start(b) + v[b]]++;
    }
}

unsigned make_coverage_count(const struct make_coverage *coverage, unsigned *seen)
{
    unsigned possible = 0;
    *seen = 0;
    for (unsigned a = 0; a < MAKE_PAIR_VALUES; a++)
        for (unsigned b = a + 1; b < MAKE_PAIR_VALUES; b++) {
            possible += coverage->possible[a][b];
            *seen += coverage->possible[a][b] && coverage->seen[a][b] > 0;
        }
    return possible;
}

bool make_coverage_unseen(const struct make_coverage *coverage, unsigned n, char *text, size_t size)
{
    for (unsigned a = 0; a < MAKE_PAIR_VALUES; a++)
        for (unsigned b = a + 1; b < MAKE_PAIR_VALUES; b++)
            if (coverage->possible[a][b] && coverage->seen[a][b] == 0 && n-- == 0) {
                snprintf(text, size, "%s x %s", value_name(a), value_name(b));
                return true;
            }
    return false;
}

void make_feature_name(const struct make_feature *f, char *text, size_t size)
{
    snprintf(text, size, "%s-%s-%s-%s", warp_form_get(f->form)->name, place_names[f->place], mask_names[f->mask],
             idiom_names[f->idiom]);
}

unsigned make_node_words(const struct make_node *node, const char *words[MAKE_NODE_WORDS])
{
    unsigned count = 0;
    if (node->kind == MAKE_EXIT)
        words[count++] = "exits";
    if ((node->kind == MAKE_CONTROL || node->kind == MAKE_HOST) && node->place != MAKE_TOP)
        words[count++] = place_names[node->place];
    if (node->kind == MAKE_HOST && node->mask != MAKE_MASK_NONE && node->mask != MAKE_MASK_HERE)
        words[count++] = mask_names[node->mask];
    if (node->kind == MAKE_HOST && node->idiom != MAKE_IDIOM_PLAIN)
        words[count++] = idiom_names[node->idiom];
    return count;
}

/* ---- the kernel that is built around a pair ---- */

/* The pairs of a target that are possible, once for each process and target. */
static const struct make_coverage *pairs_of(uint32_t target)
{
    static struct make_coverage pairs;
    if (pairs.target != target)
        make_coverage_start(&pairs, target);
    return &pairs;
}

/* The n-th possible pair, its axes and values. */
static void find_pair(const struct make_coverage *pairs, uint64_t n, unsigned axis[2], unsigned value[2])
{
    for (unsigned a = 0; a < MAKE_AXES; a++)
        for (unsigned b = a + 1; b < MAKE_AXES; b++)
            for (unsigned i = 0; i < axis_sizes[a]; i++)
                for (unsigned j = 0; j < axis_sizes[b]; j++)
                    if (pairs->possible[axis_start(a) + i][axis_start(b) + j] && n-- == 0) {
                        axis[0] = a, axis[1] = b, value[0] = i, value[1] = j;
                        return;
                    }
}

struct drawer {
    struct make_kernel *k;
    struct random r;
    bool exits; /* statements in which lanes exit may be drawn */
};

#define SMALL_EXTRA 12u /* in a small kernel, one in so many places where a statement may stand has one; */
#define TINY_EXTRA  60u /* and in a tiny one */

static uint32_t any(struct drawer *d, uint32_t n)
{
    return (uint32_t)random_below(&d->r, n);
}

static bool is_large(const struct make_kernel *k)
{
    return k->size == MAKE_LARGE || k->size == MAKE_WIDE;
}

/* Does this place have a statement more? It has one in `n` in a large kernel. */
static bool draws_more(struct drawer *d, uint32_t n)
{
    return any(d, is_large(d->k) ? n : d->k->size == MAKE_SMALL ? SMALL_EXTRA : TINY_EXTRA) == 0;
}

/* Is there something on the other side of a branch, too? */
static bool draws_other_side(struct drawer *d)
{
    return is_large(d->k) ? any(d, 2) != 0 : draws_more(d, 0);
}

/* How many statements stand there: fewer than `n`. */
static unsigned draw_count(struct drawer *d, uint32_t n)
{
    return is_large(d->k) ? any(d, n) : draws_more(d, 0);
}

/* What is plain in a tuple, of the axes that the pair leaves open, and something else now and then. False: that cannot
 * be. */
static bool draw_plain(struct drawer *d, const unsigned axis[2], const unsigned value[2], struct tuple *t)
{
    for (unsigned tries = 0; tries < 64; tries++) {
        *t = (struct tuple){{any(d, WARP_FORMS), MAKE_TOP, MAKE_MASK_HERE, MAKE_NOBODY, MAKE_IDIOM_PLAIN}};
        for (unsigned n = 1; n < MAKE_AXES; n++)
            if (any(d, 8) == 0 || tries > 16)
                t->value[n] = any(d, axis_sizes[n]);
        t->value[axis[0]] = value[0];
        t->value[axis[1]] = value[1];
        if (is_possible(t, d->k->ptx, d->k->target))
            return true;
    }
    return false;
}

/* A possible tuple with these values of two axes; or any. There is one: the pair is possible. */
static struct tuple draw_tuple(struct drawer *d, const unsigned axis[2], const unsigned value[2])
{
    struct tuple t = {{0}};
    if (axis && d->k->size == MAKE_TINY && draw_plain(d, axis, value, &t))
        return t;
    for (unsigned tries = 0; tries < 200000; tries++) {
        for (unsigned n = 0; n < MAKE_AXES; n++)
            t.value[n] = any(d, axis_sizes[n]);
        if (axis)
            t.value[axis[0]] = value[0], t.value[axis[1]] = value[1];
        if (is_possible(&t, d->k->ptx, d->k->target))
            return t;
    }
    return (struct tuple){{WARP_VOTE_SYNC_BALLOT_B32, MAKE_TOP, MAKE_MASK_HERE, MAKE_NOBODY, MAKE_IDIOM_PLAIN}};
}

/* A new node; 0 when there is no room. */
static uint16_t add(struct drawer *d, enum make_kind kind)
{
    struct make_kernel *k = d->k;
    if (k->nodes_count == MAKE_NODES)
        return 0;
    k->nodes[k->nodes_count] = (struct make_node){.kind = kind, .salt = any(d, UINT32_MAX)};
    return (uint16_t)k->nodes_count++;
}

static uint16_t add_control(struct drawer *d, enum make_place place, uint16_t body, uint16_t other)
{
    uint16_t n = add(d, MAKE_CONTROL);
    if (n == 0)
        return body;
    d->k->nodes[n].place = place;
    d->k->nodes[n].body = place == MAKE_ELSE ? other : body;
    d->k->nodes[n].other = place == MAKE_ELSE ? body : other;
    return n;
}

/* Puts `second` behind the list that begins with `first`. */
static uint16_t join(struct drawer *d, uint16_t first, uint16_t second)
{
    uint16_t at = first;
    if (first == 0)
        return second;
    while (d->k->nodes[at].next != 0)
        at = d->k->nodes[at].next;
    d->k->nodes[at].next = second;
    return first;
}

static uint16_t draw_list(struct drawer *d, unsigned depth, unsigned count);

/* The statement that shows this tuple, in the branch or loop that it asks for. */
static uint16_t draw_scene(struct drawer *d, const struct tuple *t, unsigned depth)
{
    const enum make_place place = t->value[1];
    uint16_t host = add(d, MAKE_HOST), list;
    if (host == 0)
        return 0;
    struct make_node *n = &d->k->nodes[host];
    n->form = (enum warp_form)t->value[0];
    n->mask = (enum make_mask)t->value[2];
    n->idiom = (enum make_idiom)t->value[4];
    n->place = place == MAKE_MEET || place == MAKE_GUARD ? place : MAKE_TOP;
    list = host;
    if (place != MAKE_TOP && n->place == MAKE_TOP) {
        const bool quiet = t->value[4] == MAKE_IDIOM_BLOCK || t->value[3] == MAKE_NOBODY;
        if (draws_more(d, 3) && depth < 2 && !quiet)
            list = join(d, draw_list(d, depth + 1, 1), list);
        if (draws_more(d, 3))
            list = join(d, add(d, MAKE_COMPUTE), list);
        if (draws_more(d, 3))
            list = join(d, list, add(d, MAKE_COMPUTE));
        list = add_control(d, place, list, draws_other_side(d) ? draw_list(d, depth + 1, 1) : 0);
    }
    if (t->value[3] == MAKE_ELSEWHERE && !is_divergent(place))
        list = add_control(d, t->value[2] == MAKE_MASK_CONST || any(d, 2) ? MAKE_IF_LANE : MAKE_IF_DATA, list, 0);
    return list;
}

static uint16_t draw_exit(struct drawer *d)
{
    uint16_t n = add(d, MAKE_EXIT);
    return any(d, 4) == 0 ? add_control(d, any(d, 2) ? MAKE_IF_DATA : MAKE_IF_LANE, n, 0) : n;
}

/* Statements for the sake of what stands around them. */
static uint16_t draw_list(struct drawer *d, unsigned depth, unsigned count)
{
    uint16_t list = 0;
    for (unsigned n = 0; n < count; n++) {
        const unsigned what = any(d, 8);
        if (what < 2) {
            list = join(d, list, add(d, MAKE_COMPUTE));
        } else if (what == 2 && d->exits) {
            list = join(d, list, draw_exit(d));
        } else if (depth < 3) {
            struct tuple t = draw_tuple(d, NULL, NULL);
            bool exits = t.value[3] == MAKE_EXITED || t.value[1] == MAKE_LOOP_EXIT;
            if ((exits && !d->exits) || (t.value[4] == MAKE_IDIOM_BLOCK && depth > 0) ||
                (depth > 0 && t.value[3] == MAKE_NOBODY))
                list = join(d, list, add(d, MAKE_COMPUTE));
            else
                list = join(d, list, draw_scene(d, &t, depth));
        }
    }
    return list;
}

static void draw_launch(struct drawer *d, enum make_missing missing)
{
    static const uint32_t warps[] = {1, 1, 1, 1, 2, 2, 2, 3, 4, 8};
    struct make_kernel *k = d->k;
    k->block = 32 * warps[any(d, 10)];
    if (missing == MAKE_ABSENT || (missing != MAKE_NOBODY && any(d, 8) == 0))
        k->block -= 1 + any(d, k->block > 32 ? 31 : 24);
    k->grid = any(d, 4) == 0 ? 2 : 1;
    k->n = any(d, 5);
    k->inputs = any(d, UINT32_MAX);
}

/* Of a mixed suite one kernel in 32 is large, which pairs they are made for changes from one run through all to the
 * next. */
static enum make_size size_of(const struct make_suite *suite, uint64_t number)
{
    if (suite->size != MAKE_MIXED)
        return suite->size;
    return random_mix(suite->seed + random_mix(number)) % 32 == 0 ? MAKE_LARGE : MAKE_SMALL;
}

bool make_draw(const struct make_suite *suite, uint64_t number, struct make_kernel *k)
{
    const struct make_coverage *pairs = pairs_of(suite->target);
    struct drawer d = {.k = k, .r = {random_mix(suite->seed * RANDOM_STEP + random_mix(number + 1))}};
    unsigned unused, axis[2] = {0}, value[2] = {0};
    const unsigned count = make_coverage_count(pairs, &unused);
    memset(k, 0, sizeof *k);
    *k = (struct make_kernel){.seed = suite->seed,
                              .number = number,
                              .target = suite->target,
                              .size = size_of(suite, number),
                              .ptx = make_ptx(suite->target),
                              .nodes_count = 1};
    if (count == 0)
        return false;
    /* Each run of as many kernels as there are pairs has each pair once; it begins elsewhere for each seed. */
    find_pair(pairs, (number + random_mix(suite->seed) % count) % count, axis, value);
    const struct tuple main = draw_tuple(&d, axis, value);
    const bool whole =
        main.value[3] == MAKE_NOBODY || main.value[4] == MAKE_IDIOM_BLOCK || warp_target_needs_convergence(k->target);
    draw_launch(&d, (enum make_missing)main.value[3]);
    d.exits = false;
    uint16_t list = draw_list(&d, 0, draw_count(&d, 2));
    d.exits = !whole;
    if (main.value[3] == MAKE_EXITED)
        list = join(&d, list, draw_exit(&d));
    else if (!whole && draws_more(&d, 4))
        list = join(&d, list, draw_list(&d, 0, 1));
    list = join(&d, list, draw_scene(&d, &main, 0));
    d.exits = !warp_target_needs_convergence(k->target);
    list = join(&d, list, draw_list(&d, 0, draw_count(&d, 3)));
    k->root = list;
    return true;
}
