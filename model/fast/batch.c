/*
 * Batches: outcomes and groups, then the kernels, strip by strip.
 *
 * Nearly every warp has one group: then the outcome is a few operations on lane masks, for many warps at once, and the
 * kernel runs once. So it does where lanes pass different membermasks, if a lane's result needs no more of its group
 * than which lanes are in it: a done lane's group is the done lanes of its membermask. Where a group's lanes share a
 * result that is computed, the warp is evaluated once a group, or by a kernel that computes all groups together.
 */
#include "lanes.h"
#include "outcome.h"
#include "stream.h"

#include <string.h>

/* What is the same for all strips of a batch. */
struct plan {
    const struct fast_kernels *kernels;
    const struct warp_batch *batch;
    const struct warp_form_info *info;
    fast_kernel kernel;         /* NULL: the word is the group (activemask) */
    fast_kernel by_lane_kernel; /* for all groups of a warp at once; NULL: `kernel`, group after group */
    bool is_shfl, is_sync, elects;
    bool writes_d, writes_p;
    bool moves;     /* the kernel writes d itself, lane by lane; else d is the word in every lane of the group */
    bool by_lane;   /* a lane's result needs no more of its group than which lanes are in it */
    bool p_is_word; /* the kernel's words are the caller's p: it may write them there */
    bool everyone;  /* all lanes of all warps take part, and waits_for is not wanted */
    bool constant;  /* all warps have the outcomes of the first */
    bool large;     /* larger than the caches (stream.h) */
    bool streams;   /* d is written past them */
};

/* One strip: what the kernels see, and room for what they write. */
struct work {
    struct fast_strip strip;
    struct fast_outcomes outcomes;
    lanemask word[FAST_STRIP], d_defined[FAST_STRIP];
    uint32_t scratch[WARP_LANES]; /* a row of d that nobody reads */
    uint32_t *rows;               /* room for the rows of d that are to be streamed */
};

static enum fast_redux redux_of(const struct warp_form_info *info)
{
    const bool is_signed = info->type == WARP_S32;
    if (info->type == WARP_F32)
        return (enum fast_redux)((info->op == WARP_MIN ? FAST_MIN_F32 : FAST_MAX_F32) + info->abs + 2 * info->nan);
    switch (info->op) {
    case WARP_MIN:
        return is_signed ? FAST_MIN_S32 : FAST_MIN_U32;
    case WARP_MAX:
        return is_signed ? FAST_MAX_S32 : FAST_MAX_U32;
    case WARP_AND:
        return FAST_AND;
    case WARP_OR:
        return FAST_OR;
    case WARP_XOR:
        return FAST_XOR;
    case WARP_ADD:
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return FAST_ADD;
}

_Static_assert(FAST_MIN_ABS_F32 == FAST_MIN_F32 + 1 && FAST_MIN_NAN_F32 == FAST_MIN_F32 + 2 &&
                   FAST_MIN_ABS_NAN_F32 == FAST_MIN_F32 + 3 && FAST_MAX_ABS_NAN_F32 == FAST_MAX_F32 + 3,
               "redux_of adds .abs and .NaN");

static void ballot_of_bits(struct fast_strip *strip)
{
    for (size_t w = 0; w < strip->n; w++)
        strip->word[w] = *fast_at(&strip->a, w) & strip->group[w];
}

static fast_kernel kernel_of(const struct plan *plan)
{
    const struct fast_kernels *k = plan->kernels;
    const struct warp_form_info *info = plan->info;
    const unsigned wide = info->type == WARP_B64;
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        return k->shfl[info->op];
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        return plan->batch->a.per_warp ? ballot_of_bits : k->ballot;
    case WARP_MATCH_SYNC:
        return info->op == WARP_ANY ? k->match_any[wide] : k->match_all[wide];
    case WARP_REDUX_SYNC:
        return k->redux[redux_of(info)];
    case WARP_ELECT:
        return fast_elect_portable;
    case WARP_BAR_WARP:
        return fast_bar_warp_portable;
    case WARP_ACTIVEMASK:
    case WARP_FAMILIES:
        break;
    }
    return NULL;
}

/* A case by itself is taken group after group: so it is proved. */
static fast_kernel by_lane_kernel_of(const struct plan *plan)
{
    const struct fast_kernels *k = plan->kernels;
    const struct warp_form_info *info = plan->info;
    if (plan->batch->n == 1)
        return NULL;
    if (info->family == WARP_REDUX_SYNC)
        return k->redux_by_lane == NULL ? NULL : k->redux_by_lane[redux_of(info)];
    if (info->family != WARP_MATCH_SYNC)
        return NULL;
    return info->op == WARP_ANY ? k->match_any_by_lane[info->type == WARP_B64]
                                : k->match_all_by_lane[info->type == WARP_B64];
}

/* Are all lanes done, as is known without reading any array? */
static bool is_everyone(const struct warp_batch *batch, bool sync)
{
    return (!sync || batch->membermask.values == NULL) && batch->active.values == NULL &&
           batch->exited.values == NULL && batch->waits_for.values == NULL && batch->waiting.values == NULL &&
           batch->undefined.values == NULL;
}

/* Written in its final place: a copy would wait until each of its parts reached memory. */
static void make_plan(const struct fast_kernels *kernels, const struct warp_batch *batch, struct plan *plan)
{
    const struct warp_form_info *info = warp_form_get(batch->form);
    plan->kernels = kernels;
    plan->batch = batch;
    plan->info = info;
    plan->kernel = kernel_of(plan);
    plan->writes_d = warp_form_writes_d(info, batch->dst);
    plan->writes_p = warp_form_writes_p(info, batch->dst);
    plan->is_shfl = warp_form_is_shfl(info);
    plan->is_sync = warp_form_is_sync(info);
    plan->elects = info->family == WARP_ELECT;
    plan->moves = plan->is_shfl || (info->family == WARP_MATCH_SYNC && info->op == WARP_ANY);
    plan->by_lane_kernel = by_lane_kernel_of(plan);
    plan->by_lane = plan->moves || info->type == WARP_PRED;
    plan->p_is_word = plan->writes_p && batch->p.values != NULL && batch->p.stride == 1;
    plan->everyone = is_everyone(batch, plan->is_sync);
    plan->constant = plan->everyone || fast_outcomes_constant(batch, plan->is_sync);
    plan->large = fast_stream_is_large(batch->n);
    plan->streams = plan->large && plan->writes_d && batch->d.values != NULL && fast_stream_fits(&batch->d);
}

/* The word of vote, of lanes that vote: `group` do, `ballot` for it; `some` have one in their group who votes for it,
 * `others` one who does not. */
FAST_INLINE lanemask vote_word(enum warp_op op, lanemask group, lanemask ballot, lanemask some, lanemask others)
{
    switch (op) {
    case WARP_ALL:
        return group & ~others;
    case WARP_ANY:
        return group & some;
    case WARP_UNI:
        return group & ~(some & others);
    case WARP_BALLOT:
    case WARP_OPS_BUT_VOTE:
        break;
    }
    return ballot;
}

/* From the ballot to the mode. In one group all lanes have the same others. */
static void vote(const struct plan *plan, struct fast_strip *strip)
{
    const lanemask invert = plan->batch->negate ? FAST_ALL_LANES : 0;
    lanemask *word = strip->word;
    for (size_t w = 0; w < strip->n; w++) {
        const lanemask group = strip->group[w], ballot = (word[w] ^ invert) & group;
        word[w] = vote_word(plan->info->op, group, ballot, ballot != 0 ? group : 0, ballot != group ? group : 0);
    }
}

/* Likewise, with several groups in a warp. */
static void vote_by_lane(const struct plan *plan, struct fast_strip *strip, const struct warp_column *members)
{
    const lanemask invert = plan->batch->negate ? FAST_ALL_LANES : 0;
    const enum warp_op op = plan->info->op;
    lanemask *word = strip->word, against[FAST_STRIP], some[FAST_STRIP], others[FAST_STRIP];
    for (size_t w = 0; w < strip->n; w++) {
        word[w] = (word[w] ^ invert) & strip->group[w];
        against[w] = strip->group[w] & ~word[w];
        some[w] = others[w] = 0;
    }
    if (op == WARP_ANY || op == WARP_UNI)
        plan->kernels->with(members, strip->n, word, some);
    if (op == WARP_ALL || op == WARP_UNI)
        plan->kernels->with(members, strip->n, against, others);
    for (size_t w = 0; w < strip->n; w++)
        word[w] = vote_word(op, strip->group[w], word[w], some[w], others[w]);
}

/* elect's d is the number of the lane whose bit the word is. */
static void spread_leader(const struct plan *plan, const struct fast_strip *strip)
{
    lanemask number[FAST_STRIP];
    for (size_t w = 0; w < strip->n; w++)
        number[w] = fast_first_lane(strip->word[w]);
    plan->kernels->spread(number, strip->group, strip->n, &strip->d);
}

/* Each lane keeps the lanes of its group. */
static void keep_members(const struct warp_column *members, size_t n, const struct warp_sink *d)
{
    for (size_t w = 0; w < n; w++)
        fast_keep_bits(fast_at(members, w), d->values + w * d->stride);
}

/* Fills the strip's word, d where wanted (strip->d) and d_defined where the kernel does. `members`: NULL, or the groups
 * of a warp are what its lanes' membermasks have of the strip's group. */
static void evaluate(const struct plan *plan, struct fast_strip *strip, const struct warp_column *members)
{
    if (plan->kernel != NULL)
        plan->kernel(strip);
    else
        memcpy(strip->word, strip->group, strip->n * sizeof strip->word[0]);
    if (plan->info->type == WARP_PRED && members != NULL)
        vote_by_lane(plan, strip, members);
    else if (plan->info->type == WARP_PRED)
        vote(plan, strip);
    if (!plan->writes_d || strip->d.values == NULL)
        return;
    if (plan->elects)
        spread_leader(plan, strip);
    else if (!plan->moves)
        plan->kernels->spread(strip->word, strip->group, strip->n, &strip->d);
    if (members != NULL && !plan->is_shfl) /* d are lanes */
        keep_members(members, strip->n, &strip->d);
}

static struct warp_column column_from(const struct warp_column *column, size_t first)
{
    struct warp_column c = *column;
    if (c.values != NULL)
        c.values += first * c.stride;
    return c;
}

static struct warp_sink sink_from(const struct warp_sink *sink, size_t first)
{
    struct warp_sink s = *sink;
    if (s.values != NULL)
        s.values += first * s.stride;
    return s;
}

static void set_operands(const struct warp_batch *batch, size_t first, struct fast_strip *strip)
{
    strip->a = column_from(&batch->a, first);
    strip->a_high = column_from(&batch->a_high, first);
    strip->b = column_from(&batch->b, first);
    strip->c = column_from(&batch->c, first);
}

/* Lanes that share one result, in several groups: a strip that holds the same warp once for each group. */
static void evaluate_groups(const struct plan *plan, size_t at, const struct fast_groups *groups,
                            struct fast_strip *strip, size_t w)
{
    lanemask words[FAST_STRIP], word = 0;
    struct fast_strip parts = {.n = groups->n, .group = groups->lanes, .word = words};
    uint32_t *d = strip->d.values == NULL ? NULL : strip->d.values + w * strip->d.stride;
    set_operands(plan->batch, at, &parts);
    parts.a.stride = parts.a_high.stride = 0;
    evaluate(plan, &parts, NULL);
    for (size_t g = 0; g < groups->n; g++) {
        word |= words[g] & groups->lanes[g];
        words[g] = plan->elects ? fast_first_lane(words[g]) : words[g];
    }
    if (d != NULL)
        plan->kernels->spread_groups(words, groups->lanes, groups->n, d);
    strip->word[w] = word;
}

/* Settles the warps that fast_settle left without done lanes because their membermasks differ, and evaluates them. */
static void settle_mixed(const struct plan *plan, size_t first, struct work *work)
{
    struct fast_outcomes *o = &work->outcomes;
    const size_t n = work->strip.n, settled = o->same ? 1 : n;
    for (size_t w = 0; w < settled; w++) {
        struct fast_groups groups;
        if (o->stray[w] == 0)
            continue;
        fast_settle_groups(plan->kernels, plan->batch, first + w, o, w, &groups);
        o->group[w] = groups.done;
        if (groups.n != 0)
            for (size_t i = w; i < (o->same ? n : w + 1); i++)
                evaluate_groups(plan, first + i, &groups, &work->strip, i);
    }
    if (o->same)
        fast_repeat_mixed(plan->batch, first, n, o);
}

static const lanemask no_lanes[FAST_STRIP];

/* from NULL: zeros. Does nothing when the words are there already. */
static void store(const struct warp_sink *sink, size_t first, size_t n, const lanemask *from)
{
    uint32_t *to = sink->values == NULL ? NULL : sink->values + first * sink->stride;
    if (to == NULL || to == from)
        return;
    for (size_t w = 0; w < n; w++)
        to[w * sink->stride] = from == NULL ? 0 : from[w];
}

static void store_masks(const struct plan *plan, size_t first, const struct work *work)
{
    const struct warp_batch *batch = plan->batch;
    const struct fast_strip *strip = &work->strip;
    store(&batch->p, first, strip->n, plan->writes_p ? strip->word : NULL);
    store(&batch->d_defined, first, strip->n, !plan->writes_d ? NULL : plan->is_shfl ? strip->d_defined : strip->group);
    store(&batch->done, first, strip->n, strip->group);
    store(&batch->waiting, first, strip->n, work->outcomes.waiting);
    store(&batch->undefined, first, strip->n, work->outcomes.undefined);
}

/* Chooses where the kernels write: in the caller's arrays when that is the format that they write, else in the
 * work's own. */
static void set_results(const struct plan *plan, size_t first, struct work *work)
{
    const struct warp_batch *batch = plan->batch;
    struct fast_strip *strip = &work->strip;
    strip->d = (struct warp_sink){plan->moves ? work->scratch : NULL, 0};
    if (plan->streams)
        strip->d = (struct warp_sink){work->rows, WARP_LANES};
    else if (batch->d.values != NULL && plan->writes_d)
        strip->d = sink_from(&batch->d, first);
    strip->word = plan->p_is_word ? batch->p.values + first : work->word;
    strip->d_defined = work->d_defined;
    if (plan->is_shfl && batch->d_defined.values != NULL && batch->d_defined.stride == 1)
        strip->d_defined = batch->d_defined.values + first;
}

/* Settles the warps of the strip whose lanes pass different membermasks; these are the members of each lane. */
static struct warp_column members_of(const struct plan *plan, size_t first, struct work *work)
{
    struct warp_column members = column_from(&plan->batch->membermask, first);
    fast_settle_lanes(plan->kernels, plan->batch, first, work->strip.n, &work->outcomes);
    if (work->outcomes.same)
        members.stride = 0;
    return members;
}

static void run_strip(const struct plan *plan, size_t first, struct work *work)
{
    const struct warp_batch *batch = plan->batch;
    struct fast_strip *strip = &work->strip;
    set_operands(batch, first, strip);
    set_results(plan, first, work);
    if (!plan->writes_d && batch->d.values != NULL) {
        const struct warp_sink d = sink_from(&batch->d, first);
        plan->kernels->spread(strip->group, no_lanes, strip->n, &d);
    }
    if (batch->waits_for.values != NULL) {
        const struct warp_sink waits_for = sink_from(&batch->waits_for, first);
        plan->kernels->spread(work->outcomes.missing, work->outcomes.waiting, strip->n, &waits_for);
    }
    strip->members = (struct warp_column){NULL, 0, false};
    if (work->outcomes.mixed && plan->by_lane_kernel != NULL) {
        strip->members = members_of(plan, first, work);
        if (strip->d.values == NULL)
            strip->d = (struct warp_sink){work->scratch, 0};
        plan->by_lane_kernel(strip);
    } else if (work->outcomes.mixed && plan->by_lane) {
        const struct warp_column members = members_of(plan, first, work);
        if (plan->is_shfl)
            strip->members = members;
        evaluate(plan, strip, &members);
    } else {
        evaluate(plan, strip, NULL);
        if (work->outcomes.mixed)
            settle_mixed(plan, first, work);
    }
    store_masks(plan, first, work);
}

/* The outcomes of one warp serve all warps. Results that are not wanted need only the group. */
static void settle_constant(const struct plan *plan, size_t n, struct work *work)
{
    fast_settle(plan->kernels, plan->batch, plan->is_sync, 0, 1, &work->outcomes);
    fast_repeat(plan->batch, n < FAST_STRIP ? n : FAST_STRIP, &work->outcomes);
}

#define FOUR(x) x, x, x, x
static const lanemask all_lanes[] = {FOUR(FOUR(FOUR(FAST_ALL_LANES))), FOUR(FOUR(FOUR(FAST_ALL_LANES)))};
_Static_assert(sizeof all_lanes == FAST_STRIP * sizeof all_lanes[0], "one a warp of a strip");

/* Prefetches the next step's rows when some operand has no rows. (Three operands with rows, as shfl has, keep the
 * memory busy by themselves.) */
static void ask_ahead(const struct warp_batch *batch, size_t first)
{
    const size_t next = first + FAST_STREAM_ROWS, left = next < batch->n ? batch->n - next : 0;
    const size_t rows = left < FAST_STREAM_ROWS ? left : FAST_STREAM_ROWS;
    if (batch->b.values != NULL && !batch->b.per_warp)
        return;
    fast_stream_ask(&batch->a, next, rows);
    fast_stream_ask(&batch->a_high, next, rows);
    fast_stream_ask(&batch->membermask, next, rows);
}

static void run_strips(const struct plan *plan, struct work *work)
{
    const struct warp_batch *batch = plan->batch;
    const size_t step = plan->large ? FAST_STREAM_ROWS : FAST_STRIP;
    for (size_t first = 0; first < batch->n; first += step) {
        const size_t n = batch->n - first < step ? batch->n - first : step;
        work->strip.n = n;
        if (plan->large)
            ask_ahead(batch, first);
        if (!plan->constant)
            fast_settle(plan->kernels, batch, plan->is_sync, first, n, &work->outcomes);
        run_strip(plan, first, work);
        if (plan->streams)
            fast_stream_rows(batch->d.values + first * WARP_LANES, work->rows, n);
    }
}

/* Keeps the rows in a stack frame of their own, so that other batches do not touch that memory. */
static void run_streaming(const struct plan *plan, struct work *work)
{
    _Alignas(64) uint32_t rows[FAST_STREAM_ROWS * WARP_LANES];
    work->rows = rows;
    run_strips(plan, work);
    fast_stream_end();
}

void fast_batch_run(const struct fast_kernels *kernels, const struct warp_batch *batch)
{
    struct plan plan;
    struct work work;
    make_plan(kernels, batch, &plan);
    work.strip.group = plan.everyone ? all_lanes : work.outcomes.group;
    work.outcomes.mixed = false;
    if (batch->n != 0 && plan.constant && !plan.everyone)
        settle_constant(&plan, batch->n, &work);
    if (plan.streams)
        run_streaming(&plan, &work);
    else
        run_strips(&plan, &work);
}
