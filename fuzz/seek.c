#include "fuzz/seek.h"

#include <stdlib.h>
#include <string.h>

#define IN_VAIN      64u   /* times that a place was gone back to, before another that is as good takes its stead */
#define RARE         64u   /* an outcome is rare that fewer than one of so many inputs have */
#define VAIN_MAX     48u   /* cases that come no further, before a first search ends; later ones are longer */
#define HOPELESS     16u   /* times in vain that a comparison counts for which does not depend on the case */
#define LONGER_MAX   3u    /* times twice as long */
#define CASES_MAX    8192u /* of one search */
#define HELD_MAX     12u
#define CALLS_ONE_IN 4u                            /* searches */
#define LONG_CALL    16u                           /* cases of a call that count as much as one that is asked alone */
#define TOGGLES_AT   (4 * WARP_LANES)              /* words 0 to 127: a, the high half of a, b and c of each lane */
#define WORDS_MAX    (TOGGLES_AT + 5 * WARP_LANES) /* then what a lane takes part in */

static seek_ask_fn ask_code;

/* The cases that are kept: alone, and those that spell out a call (fuzz/derive.h). A call comes to a comparison in each
 * of its cases, so that here only counts whether it had the outcome. */
static struct seek_place *places[2][FEEDBACK_SITES][FEEDBACK_OUTCOMES];

static bool is_call(const struct mutation *m)
{
    return m->order.n > 0;
}

void seek_by(seek_ask_fn ask)
{
    ask_code = ask;
}

bool seek_can(void)
{
    const struct feedback *const f = mutation_learned();
    return ask_code != NULL && f != NULL && f->used > 0 && f->used <= FEEDBACK_SITES;
}

/* ---- How far a case came ---- */

struct reach {
    uint16_t times;
    uint8_t distance;
};

static uint8_t length(uint64_t value)
{
    return (uint8_t)(64 - __builtin_clzll(value | 1u));
}

/* How far two values are from each other: bits that differ, bits of their difference, or both. Sums come nearer by the
 * one, masks by the other. */
enum metric { BITS = 1, NUMBERS = 2, BOTH = 3 };
static uint8_t distance_of(struct feedback_pair pair, uint8_t bytes, enum metric metric)
{
    const uint64_t all = bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    const uint64_t up = (pair.x - pair.y) & all, down = (pair.y - pair.x) & all, least = up < down ? up : down;
    const uint64_t numbers = least < 16 ? least : 12u + length(least); /* of small ones each step counts */
    const int bits = metric & BITS ? __builtin_popcountll(pair.x ^ pair.y) : 0;
    return (uint8_t)(bits + (metric & NUMBERS ? (int)numbers : 0));
}

static bool has_outcome(struct feedback_pair pair, uint8_t bytes, enum feedback_outcome outcome)
{
    enum feedback_outcome outcomes[2];
    feedback_outcomes(pair, bytes, outcomes);
    return outcomes[0] == outcome || outcomes[1] == outcome;
}

/* The pair that is nearest to the outcome among those that do not have it; NULL: none of those that were noted. */
static const struct feedback_pair *nearest(const struct feedback_site *site, enum feedback_outcome outcome,
                                           enum metric metric)
{
    const struct feedback_pair *best = NULL;
    for (uint32_t i = 0; i < site->count && i < FEEDBACK_PAIRS; i++)
        if (!has_outcome(site->pairs[i], site->bytes, outcome) &&
            (best == NULL ||
             distance_of(site->pairs[i], site->bytes, metric) < distance_of(*best, site->bytes, metric)))
            best = &site->pairs[i];
    return best;
}

/* A comparison that the code did not come to is further than any that it came to: another one may lie before it in the
 * same loop. */
static struct reach reach_of(const struct feedback_site *site, enum feedback_outcome outcome, enum metric metric,
                             bool call)
{
    const uint16_t times = site->now[outcome];
    const struct feedback_pair *const pair = nearest(site, outcome, metric);
    const uint8_t none = outcome != FEEDBACK_EQUAL && site->now[FEEDBACK_EQUAL] > 0 ? 1 : UINT8_MAX;
    return (struct reach){call && times > 1 ? 1 : times, pair != NULL ? distance_of(*pair, site->bytes, metric) : none};
}

/* Above 0: the first came further than the second. */
static int further(struct reach one, struct reach other)
{
    return one.times != other.times ? (int)one.times - other.times : (int)other.distance - one.distance;
}

static uint32_t visits(const struct feedback_site *site)
{
    return (uint32_t)site->now[FEEDBACK_EQUAL] + site->now[FEEDBACK_BELOW] + site->now[FEEDBACK_ABOVE];
}

static bool is_rare(const struct feedback *f, const struct feedback_site *site, enum feedback_outcome outcome)
{
    return (uint64_t)site->inputs[outcome] * RARE <= f->inputs;
}

/* ---- The cases that are kept ---- */

static uint16_t weight_of(const struct feedback *f)
{
    uint32_t weight = 0;
    for (uint32_t i = 0; i < f->here_count && i < FEEDBACK_SITES; i++)
        for (enum feedback_outcome o = 0; o < FEEDBACK_OUTCOMES; o++)
            weight += f->sites[f->here[i] % FEEDBACK_SITES].now[o] > 0 &&
                      is_rare(f, &f->sites[f->here[i] % FEEDBACK_SITES], o);
    return (uint16_t)weight;
}

static size_t cases_of(const struct mutation_order *order)
{
    return order->n > 0 ? derive_order_length(order->steps, order->n) : 1;
}

static bool is_better(const struct seek_place *before, struct reach reach, uint16_t weight, size_t cases)
{
    const int more = before == NULL ? 1 : further(reach, (struct reach){before->times, before->distance});
    if (more != 0)
        return more > 0;
    if (cases != cases_of(&before->order))
        return cases < cases_of(&before->order);
    return weight > before->weight || (weight == before->weight && before->returns >= IN_VAIN);
}

static void keep(struct seek_place **place, const struct feedback_site *site, struct reach reach, uint16_t weight,
                 const struct mutation *m)
{
    const bool came_further = *place == NULL || further(reach, (struct reach){(*place)->times, (*place)->distance}) > 0;
    const uint32_t tries = came_further ? 0 : (*place)->tries, starts = came_further ? 0 : (*place)->starts;
    if (*place == NULL && (*place = malloc(sizeof **place)) == NULL)
        return;
    **place = (struct seek_place){.c = *m->c,
                                  .order = m->order,
                                  .count = site->count,
                                  .bytes = site->bytes,
                                  .run = site->run,
                                  .distance = reach.distance,
                                  .times = reach.times,
                                  .weight = weight,
                                  .is_open = reach.times < (is_call(m) ? 1u : visits(site)),
                                  .tries = tries,
                                  .starts = starts};
    memcpy((*place)->pairs, site->pairs, sizeof site->pairs);
}

void seek_note(const struct mutation *m)
{
    const struct feedback *const f = mutation_learned();
    if (f == NULL)
        return;
    const uint16_t weight = weight_of(f);
    const size_t cases = cases_of(&m->order);
    for (uint32_t i = 0; i < f->here_count && i < FEEDBACK_SITES; i++) {
        const uint32_t at = f->here[i] % FEEDBACK_SITES;
        const struct feedback_site *const site = &f->sites[at];
        if (site->call != f->calls || site->count > FEEDBACK_PAIRS)
            continue;
        for (enum feedback_outcome o = 0; o < FEEDBACK_OUTCOMES; o++) {
            const struct reach reach = reach_of(site, o, BOTH, is_call(m));
            struct seek_place **const place = &places[is_call(m)][at][o];
            if (is_better(*place, reach, weight, cases))
                keep(place, site, reach, weight, m);
        }
    }
}

static bool is_of_families(const struct mutation *m, const struct seek_place *place)
{
    return (m->families >> warp_form_get(place->c.form)->family & 1u) != 0;
}

static void go_to(struct mutation *m, struct seek_place *place)
{
    place->returns++;
    *m->c = place->c;
    m->order = place->order;
    m->info = warp_form_get(m->c->form);
    m->fresh = false;
}

const struct seek_place *seek_back(struct mutation *m)
{
    const struct feedback *const f = mutation_learned();
    struct seek_place *best = NULL;
    for (uint32_t tries = 0; tries < 24; tries++) {
        const uint32_t at = f->order[mutation_below(m, f->used)] % FEEDBACK_SITES;
        struct seek_place *const one = places[mutation_below(m, 2)][at][FEEDBACK_EQUAL];
        if (one != NULL && one->count > 0 && (one->run > 0 || f->sites[at].equal == 0) &&
            (best == NULL || one->tries < best->tries) && is_of_families(m, one))
            best = one;
    }
    if (best != NULL) {
        best->tries++;
        go_to(m, best);
    }
    return best;
}

/* ---- A search ---- */

struct goal {
    const struct feedback_site *site;
    enum feedback_outcome outcome;
};

struct search {
    struct mutation *m; /* the case that came furthest */
    struct goal goal;
    enum metric metric;
    struct reach reach;
    struct feedback_pair pair; /* what was compared there, that has not the outcome */
    struct goal held[HELD_MAX];
    uint32_t held_count;
    uint16_t words[WORDS_MAX]; /* that what is compared depends on */
    uint32_t words_count, asked, vain, longer;
};

static bool has_been_reached(const struct feedback_site *site)
{
    return site->call == mutation_learned()->calls && site->count <= FEEDBACK_PAIRS;
}

/* Asks a case. False: the answer is wrong, and the search is over. */
static bool ask(struct search *s, struct mutation *trial)
{
    warp_case_repair(trial->c);
    trial->info = warp_form_get(trial->c->form);
    const uint32_t cases = (uint32_t)cases_of(&trial->order);
    s->asked += cases;
    s->vain += cases / LONG_CALL;
    if (ask_code(trial->c, trial->order.steps, trial->order.n)) {
        seek_note(trial);
        return true;
    }
    *s->m->c = *trial->c;
    s->m->order = trial->order;
    return false;
}

static bool holds(const struct search *s)
{
    for (uint32_t i = 0; i < s->held_count; i++)
        if (!has_been_reached(s->held[i].site) || s->held[i].site->now[s->held[i].outcome] == 0)
            return false;
    return true;
}

/* The rarest outcomes of the case must stay. */
static void hold(struct search *s)
{
    const struct feedback *const f = mutation_learned();
    s->held_count = 0;
    if (mutation_below(s->m, 4) == 0)
        return;
    for (uint32_t i = 0; i < f->here_count && i < FEEDBACK_SITES; i++)
        for (enum feedback_outcome o = 0; o < FEEDBACK_OUTCOMES; o++) {
            const struct feedback_site *const site = &f->sites[f->here[i] % FEEDBACK_SITES];
            uint32_t at = s->held_count;
            if (site->now[o] == 0 || !is_rare(f, site, o))
                continue;
            for (; at > 0 && s->held[at - 1].site->inputs[s->held[at - 1].outcome] > site->inputs[o]; at--)
                if (at < HELD_MAX)
                    s->held[at] = s->held[at - 1];
            if (at < HELD_MAX)
                s->held[at] = (struct goal){site, o};
            s->held_count += s->held_count < HELD_MAX;
        }
}

static void set_reach(struct search *s)
{
    const struct feedback_site *const site = s->goal.site;
    const struct feedback_pair *const pair = nearest(site, s->goal.outcome, s->metric);
    s->reach = reach_of(site, s->goal.outcome, s->metric, is_call(s->m));
    s->pair = pair != NULL ? *pair : (struct feedback_pair){0, 1};
}

/* Can it be? Nothing is below 0. Whether the code looks at signs shows where it matters. */
static bool is_possible(const struct feedback_site *site, enum feedback_outcome outcome)
{
    const uint64_t y = site->count > 0 ? site->pairs[0].y : 1;
    switch (outcome) {
    case FEEDBACK_BELOW:
        return y != 0;
    case FEEDBACK_ABOVE:
        return y != UINT64_MAX >> (64 - 8 * (site->bytes < 8 ? site->bytes : 8u));
    case FEEDBACK_LESS:
        return site->inputs[FEEDBACK_LESS] != site->inputs[FEEDBACK_BELOW];
    case FEEDBACK_GREATER:
        return site->inputs[FEEDBACK_GREATER] != site->inputs[FEEDBACK_ABOVE];
    case FEEDBACK_EQUAL:
    case FEEDBACK_OUTCOMES:
        break;
    }
    return true;
}

static struct seek_place *place_of(const struct search *s, struct goal goal)
{
    return places[is_call(s->m)][goal.site - mutation_learned()->sites][goal.outcome];
}

static bool is_open(const struct search *s, struct goal goal)
{
    const uint32_t most = is_call(s->m) ? 1 : visits(goal.site);
    return has_been_reached(goal.site) && goal.site->now[goal.outcome] < most && is_possible(goal.site, goal.outcome);
}

static enum feedback_outcome some_outcome(struct mutation *m)
{
    return mutation_below(m, 2) ? FEEDBACK_EQUAL : mutation_below(m, FEEDBACK_OUTCOMES);
}

/* Another outcome that the case could have: the rarest of some. */
static bool choose_goal(struct search *s)
{
    const struct feedback *const f = mutation_learned();
    bool found = false;
    for (uint32_t tries = 0; tries < 24 && f->here_count > 0 && f->here_count <= FEEDBACK_SITES; tries++) {
        const struct goal goal = {&f->sites[f->here[mutation_below(s->m, f->here_count)] % FEEDBACK_SITES],
                                  some_outcome(s->m)};
        if (!is_open(s, goal) || place_of(s, goal) == NULL || place_of(s, goal)->tries >= HOPELESS ||
            (found && goal.site->inputs[goal.outcome] >= s->goal.site->inputs[s->goal.outcome]))
            continue;
        s->goal = goal;
        found = true;
    }
    return found;
}

/* ---- Changes to the words that matter ---- */

static uint32_t *word_at(struct warp_case *c, uint32_t word)
{
    uint32_t *const operands[] = {c->a, c->a_high, c->b, c->c};
    return &operands[word / WARP_LANES % 4][word % WARP_LANES];
}

/* A lane joins or leaves: its group, those that are active, those that have exited. */
static void toggle(struct warp_case *c, uint32_t what, uint32_t lane)
{
    const lanemask bit = 1u << lane, group = c->membermask[lane];
    switch (what) {
    case 0: /* all who pass its mask pass another */
        for (uint32_t i = 0; i < WARP_LANES; i++)
            c->membermask[i] ^= c->membermask[i] == group || (group >> i & 1u) != 0 ? bit : 0;
        break;
    case 1:
        c->active ^= bit;
        c->exited &= ~c->active;
        break;
    case 2:
        c->exited ^= bit;
        c->active &= ~c->exited;
        break;
    case 3: /* it is alone, or joins the lane before */
        for (uint32_t i = 0; i < WARP_LANES; i++)
            c->membermask[i] &= ~(i != lane && (group >> i & 1u) != 0 ? bit : 0);
        c->membermask[lane] = bit;
        if (group != bit)
            break;
        const lanemask joined = c->membermask[(lane + WARP_LANES - 1) % WARP_LANES] | bit;
        for (uint32_t i = 0; i < WARP_LANES; i++)
            c->membermask[i] = joined >> i & 1u ? joined : c->membermask[i];
        break;
    default: /* it takes part together with all others, or is not there */
        c->active ^= bit;
        c->exited &= ~bit;
        for (uint32_t i = 0; i < WARP_LANES; i++)
            c->membermask[i] = c->active;
        break;
    }
}

static bool can_matter(const struct warp_form_info *info, uint32_t word)
{
    switch (word / WARP_LANES) {
    case 0:
        return info->type != WARP_NO_SOURCE;
    case 1:
        return info->type == WARP_B64;
    case 2:
    case 3:
        return warp_form_is_shfl(info);
    case 4:
    case 7:
        return warp_form_is_sync(info);
    default:
        return true;
    }
}

static void disturb(struct mutation *m, uint32_t word)
{
    const uint32_t drawn = mutation_draw(m) | 1u;
    if (word >= TOGGLES_AT)
        toggle(m->c, word / WARP_LANES - 4, word % WARP_LANES);
    else
        *word_at(m->c, word) ^= m->info->type == WARP_PRED ? 1u : word / WARP_LANES == 2 ? drawn & 31u : drawn;
}

/* Notes the words without which the comparison is not reached or has other values. False: an answer was wrong. */
static bool find_words(struct search *s)
{
    s->words_count = 0;
    for (uint32_t word = 0; word < WORDS_MAX; word++) {
        struct warp_case c = *s->m->c;
        struct mutation trial = *s->m;
        trial.c = &c;
        if (!can_matter(trial.info, word))
            continue;
        disturb(&trial, word);
        s->m->random = trial.random;
        if (!ask(s, &trial))
            return false;
        if (!has_been_reached(s->goal.site)) { /* it matters on the way there */
            s->words[s->words_count++] = (uint16_t)word;
            continue;
        }
        const struct reach reach = reach_of(s->goal.site, s->goal.outcome, s->metric, is_call(s->m));
        const struct feedback_pair *const pair = nearest(s->goal.site, s->goal.outcome, s->metric);
        if (further(reach, s->reach) != 0 || pair == NULL || pair->x != s->pair.x || pair->y != s->pair.y)
            s->words[s->words_count++] = (uint16_t)word;
    }
    return true;
}

static uint32_t some_word(struct search *s, struct mutation *m)
{
    return s->words[mutation_below(m, s->words_count)];
}

static uint32_t related(uint32_t rule, uint32_t value)
{
    return rule == 0   ? value
           : rule == 1 ? value + 1
           : rule == 2 ? value - 1
           : rule == 3 ? ~value
           : rule == 4 ? 0u - value
           : rule == 5 ? value ^ 0x80000000u
           : rule == 6 ? value << 1
                       : value >> 1;
}

static uint32_t changed(const struct search *s, struct mutation *m, uint32_t word, uint32_t by)
{
    const uint32_t x = (uint32_t)s->pair.x, y = (uint32_t)s->pair.y;
    switch (by) {
    case 0:
        return word ^ 1u << mutation_below(m, 32);
    case 1:
        return word + (1u << mutation_below(m, 32));
    case 2:
        return word - (1u << mutation_below(m, 32));
    case 3:
        return word + (y - x);
    case 4:
        return word - (y - x);
    case 5:
        return word ^ x ^ y;
    case 6:
        return y;
    case 7:
        return word + ((y - x) << mutation_below(m, 32));
    case 8: /* one of two that share the difference */
        return word + (y - x) / 2;
    case 9:
        return related(mutation_below(m, 8), word);
    default:
        return mutation_word(m);
    }
}

/* Two words, changed together: exchanged, one what the other is, both alike, one more by what the other is less. */
static void change_two(struct search *s, struct mutation *m, uint32_t *one, uint32_t *other)
{
    const uint32_t before = *one;
    switch (mutation_below(m, 5)) {
    case 0:
        *one = *other;
        *other = before;
        break;
    case 4:
        *one = changed(s, m, before, mutation_below(m, 9));
        *other += *one - before;
        break;
    case 1:
        *one = related(mutation_below(m, 8), *other);
        break;
    case 2:
        *one = changed(s, m, before, mutation_below(m, 6));
        *other -= *one - before;
        break;
    default:
        *one = changed(s, m, before, mutation_below(m, 6));
        *other ^= *one ^ before;
        break;
    }
}

static void change_words(struct search *s, struct mutation *m)
{
    const uint32_t one = some_word(s, m), other = some_word(s, m), by = mutation_below(m, 11);
    if (one >= TOGGLES_AT) {
        toggle(m->c, one / WARP_LANES - 4, one % WARP_LANES);
        if (other >= TOGGLES_AT && mutation_below(m, 2))
            toggle(m->c, one / WARP_LANES - 4, other % WARP_LANES);
    } else if (other < TOGGLES_AT && mutation_below(m, 4) == 0) {
        change_two(s, m, word_at(m->c, one), word_at(m->c, other));
    } else if (mutation_below(m, 16) == 0) {
        for (uint32_t i = 0; i < s->words_count; i++)
            if (s->words[i] < TOGGLES_AT && s->words[i] / WARP_LANES == one / WARP_LANES)
                *word_at(m->c, s->words[i]) = changed(s, m, *word_at(m->c, s->words[i]), by);
    } else {
        *word_at(m->c, one) = changed(s, m, *word_at(m->c, one), by);
    }
}

static void change(struct search *s, struct mutation *m)
{
    const uint32_t way = mutation_below(m, 8);
    m->lane = WARP_LANES;
    if (is_call(m) && way < 4) {
        mutate_order_for(m, s->pair);
        m->order.n += m->order.n == 0;
    } else if (s->words_count > 0 && way < 4) {
        change_words(s, m);
    } else if (way < 6) {
        m->lane = mutation_below(m, 2) && s->reach.times < WARP_LANES ? s->reach.times : WARP_LANES;
        mutation_bring_together(m, s->pair, s->goal.site->bytes);
    } else {
        mutate_any(m);
    }
}

/* Takes the trial where it came as far at least and has lost nothing. True where it came further. */
static bool take(struct search *s, const struct mutation *trial)
{
    if (!has_been_reached(s->goal.site) || !holds(s))
        return false;
    const int more = further(reach_of(s->goal.site, s->goal.outcome, s->metric, is_call(s->m)), s->reach);
    const size_t cases = cases_of(&trial->order), before = cases_of(&s->m->order);
    if (more < 0 || (more == 0 && (cases > before || (cases == before && mutation_below(s->m, 2)))))
        return false;
    *s->m->c = *trial->c;
    s->m->order = trial->order;
    s->m->info = trial->info;
    set_reach(s);
    return more > 0;
}

/* Seeks one outcome. True: it is there, and the case is asked again last. */
static bool seek_goal(struct search *s)
{
    s->metric = mutation_below(s->m, 2) ? BITS : NUMBERS;
    set_reach(s);
    hold(s);
    s->words_count = 0;
    if (s->longer > 0 && !is_call(s->m) && (!find_words(s) || !ask(s, s->m)))
        return false;
    if (s->longer > 0 && !is_call(s->m) && s->words_count == 0 &&
        place_of(s, s->goal) != NULL) { /* nothing of it depends on the case */
        place_of(s, s->goal)->tries += HOPELESS;
        return false;
    }
    for (s->vain = 0; s->vain < VAIN_MAX << s->longer && s->asked < CASES_MAX;) {
        struct warp_case c = *s->m->c;
        struct mutation trial = *s->m;
        trial.c = &c;
        change(s, &trial);
        s->m->random = trial.random;
        if (!ask(s, &trial))
            return false;
        const bool came_further = take(s, &trial);
        s->vain = came_further ? 0 : s->vain + 1;
        if (came_further && !is_open(s, s->goal))
            return true;
    }
    return false;
}

/* Of beginning at a place: how often it was in vain, less where much is rare there. Equality leads furthest. */
static uint64_t cost(const struct mutation *m, const struct goal *goal, const struct seek_place *place, bool own)
{
    const struct feedback *const f = mutation_learned();
    const uint64_t tries = own ? place->tries : place->starts, factor = goal->outcome == FEEDBACK_EQUAL ? 1 : 3;
    if (!is_of_families(m, place) ||
        (own ? !place->is_open || !is_possible(goal->site, goal->outcome) : place->times == 0))
        return UINT64_MAX;
    if (!is_rare(f, goal->site, goal->outcome) && (!own || place->times < 2))
        return UINT64_MAX;
    return ((1 + tries * tries) << 16) * factor / (8u + place->weight);
}

/* `own`: to have the outcome there, or oftener; else to go on from it to another. NULL: there is none. */
static struct seek_place *choose_place(struct mutation *m, struct goal *goal, bool own)
{
    const struct feedback *const f = mutation_learned();
    const bool calls = mutation_below(m, CALLS_ONE_IN) == 0;
    const uint32_t start = mutation_below(m, f->used);
    struct seek_place *best = NULL;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < f->used; i++)
        for (enum feedback_outcome o = 0; o < FEEDBACK_OUTCOMES; o++) {
            const uint32_t at = f->order[(start + i) % f->used] % FEEDBACK_SITES;
            const struct goal one = {&f->sites[at], o};
            const uint64_t its = places[calls][at][o] == NULL ? UINT64_MAX : cost(m, &one, places[calls][at][o], own);
            if (its >= least)
                continue;
            least = its;
            best = places[calls][at][o];
            *goal = one;
        }
    return best;
}

void mutate_seek(struct mutation *m)
{
    const bool own = mutation_below(m, 4) != 0;
    struct search s = {.m = m};
    struct seek_place *const place = choose_place(m, &s.goal, own);
    if (place == NULL)
        return;
    s.longer = place->tries < LONGER_MAX ? place->tries : LONGER_MAX;
    place->tries += own;
    place->starts += !own;
    go_to(m, place);
    if (own && !is_call(m) && s.longer > 0 && mutation_below(m, 2 * CALLS_ONE_IN) == 0)
        mutate_order_for(m, place->pairs[0]);
    m->seeks = true;
    if (ask(&s, m) && (own ? is_open(&s, s.goal) : choose_goal(&s)))
        while (seek_goal(&s) && choose_goal(&s))
            ;
    m->seeks = false;
    m->enough = true;
}
