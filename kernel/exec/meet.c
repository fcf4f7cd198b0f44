/*
 * Warp-level instructions: lanes arrive, wait, and make groups, each of which becomes one struct warp_case.
 */
#include "kernel/exec/block.h"

#include <stdio.h>
#include <string.h>

static const struct code_instruction *instruction_of(const struct warp *w, unsigned lane)
{
    return &w->kernel->code->instructions[w->pc[lane]];
}

static unsigned first_of(lanemask lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

static lanemask bit_of(unsigned lane)
{
    return UINT32_C(1) << lane;
}

/* ---- asking the implementation ---- */

/* What the implementation must give of this instruction's result and does not, as a clause; NULL: nothing. */
static const char *what_lacks(const struct warp_case *c, uint32_t provides)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool d = warp_form_writes_d(info, c->dst), p = warp_form_writes_p(info, c->dst);
    if (d && !(provides & WARP_PART_D))
        return "it gives no d";
    if (p && !(provides & WARP_PART_P))
        return "it gives no p";
    return d || p || (provides & WARP_PART_OUTCOME) ? NULL : "it gives no outcome (done, waiting, undefined)";
}

static bool ask(struct kernel *kernel, uint32_t at, const struct warp_case *c, struct warp_result *r)
{
    char why[160] = "";
    const char *wrong = warp_case_check(c);
    memset(r, 0, sizeof *r);
    if (!wrong && warp_impl_accepts(kernel->impl, c, why, sizeof why) &&
        kernel->impl->eval(kernel->impl->state, c, 1, r, why, sizeof why)) {
        if (!(kernel->impl->provides & WARP_PART_OUTCOME))
            r->done = c->active;
        if (!(kernel->impl->provides & WARP_PART_D_DEFINED))
            r->d_defined = r->done;
        wrong = (r->done | r->waiting | r->undefined) != c->active
                    ? "the lanes of its done, waiting and undefined are not those that are active"
                    : what_lacks(c, kernel->impl->provides);
        if (wrong == NULL)
            return true;
    }
    snprintf(kernel->outcome->why, sizeof kernel->outcome->why, "%s does not answer %s: %s", kernel->impl->name,
             warp_form_get(c->form)->name, wrong ? wrong : why);
    kernel_stop(kernel, KERNEL_UNANSWERED, at);
    return false;
}

static uint32_t source(struct warp *w, const struct code_instruction *c, unsigned place, unsigned lane)
{
    return place < c->i->srcs_count && c->srcs[place] != CODE_NO_ROW ? (uint32_t)warp_row(w, c->srcs[place])[lane] : 0;
}

static bool is_source_tainted(const struct warp *w, const struct code_instruction *c, unsigned place, unsigned lane)
{
    return place < c->i->srcs_count && c->srcs[place] != CODE_NO_ROW && w->tainted[c->srcs[place]] >> lane & 1u;
}

/* The destinations that most of the lanes' instructions have. A destination that an instruction lacks is not
 * written for its lanes. */
static enum warp_dst destinations(const struct warp *w, lanemask lanes)
{
    enum warp_dst dst = instruction_of(w, first_of(lanes))->i->dst;
    for (lanemask m = lanes; m != 0; m &= m - 1)
        if (instruction_of(w, first_of(m))->i->dst != dst)
            return WARP_DST_D_P;
    return dst;
}

static void make_case(struct warp *w, lanemask lanes, struct warp_case *c)
{
    const struct code_instruction *first = instruction_of(w, first_of(lanes));
    const struct warp_form_info *info = warp_form_get((uint32_t)first->i->form);
    memset(c, 0, sizeof *c);
    c->form = (uint32_t)first->i->form;
    c->target = w->kernel->target;
    c->dst = destinations(w, lanes);
    c->exited = w->exited;
    c->active = lanes;
    for (lanemask m = lanes; m != 0; m &= m - 1) {
        unsigned lane = first_of(m);
        const struct code_instruction *at = instruction_of(w, lane);
        if (warp_form_is_sync(info))
            c->membermask[lane] = source(w, at, OPERAND_MEMBERMASK, lane);
        if (info->type == WARP_NO_SOURCE)
            continue;
        uint64_t a = warp_row(w, at->srcs[OPERAND_A])[lane];
        c->a[lane] = (uint32_t)a ^ at->negated[OPERAND_A];
        if (info->type == WARP_B64)
            c->a_high[lane] = (uint32_t)(a >> 32);
        c->b[lane] = source(w, at, OPERAND_B, lane);
        c->c[lane] = source(w, at, OPERAND_C, lane);
    }
}

bool warp_ask(struct warp *w, lanemask lanes, struct warp_result *r)
{
    struct warp_case c;
    make_case(w, lanes, &c);
    return ask(w->kernel, w->pc[first_of(lanes)], &c, r);
}

/* ---- unpredictable sources ---- */

static uint16_t taint_of(const struct warp *w, lanemask lanes)
{
    for (lanemask m = lanes; m != 0; m &= m - 1) {
        const struct code_instruction *c = instruction_of(w, first_of(m));
        if (is_source_tainted(w, c, OPERAND_A, first_of(m)))
            return w->origin[c->srcs[OPERAND_A]][first_of(m)];
    }
    return 0;
}

/* The origin of each lane's result: 0, or the origin of an unpredictable value. For shfl the same instruction moves
 * the marks; the others combine the whole group. */
static bool find_origins(struct warp *w, const struct warp_case *c, uint16_t origins[WARP_LANES])
{
    lanemask marked = 0;
    memset(origins, 0, WARP_LANES * sizeof *origins);
    for (lanemask m = c->active; m != 0; m &= m - 1)
        if (is_source_tainted(w, instruction_of(w, first_of(m)), OPERAND_A, first_of(m)))
            marked |= bit_of(first_of(m));
    if (marked == 0)
        return true;
    if (!warp_form_is_shfl(warp_form_get(c->form))) {
        for (lanemask m = c->active; m != 0; m &= m - 1)
            origins[first_of(m)] = taint_of(w, marked);
        return true;
    }
    struct warp_case marks = *c;
    struct warp_result r;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        marks.a[lane] = marked >> lane & 1u ? taint_of(w, bit_of(lane)) : 0;
    if (!ask(w->kernel, w->pc[first_of(c->active)], &marks, &r))
        return false;
    for (lanemask m = c->active; m != 0; m &= m - 1)
        origins[first_of(m)] = (uint16_t)r.d[first_of(m)];
    return true;
}

/* ---- results ---- */

static void put(struct warp *w, uint32_t row, unsigned lane, uint64_t value, uint16_t origin)
{
    if (row == CODE_NO_ROW)
        return;
    warp_row(w, row)[lane] = value;
    w->unset[row] &= ~bit_of(lane);
    w->tainted[row] &= ~bit_of(lane);
    if (origin)
        warp_taint(w, row, lane, origin);
}

static void go_on(struct warp *w, lanemask lanes)
{
    w->waiting &= ~lanes;
    w->running |= lanes;
    for (lanemask m = lanes; m != 0; m &= m - 1)
        w->pc[first_of(m)]++;
}

static void write_results(struct warp *w, const struct warp_case *c, const struct warp_result *r,
                          const uint16_t origins[WARP_LANES])
{
    const struct warp_form_info *info = warp_form_get(c->form);
    for (lanemask m = c->active; m != 0; m &= m - 1) {
        unsigned lane = first_of(m);
        const struct code_instruction *at = instruction_of(w, lane);
        enum warp_dst dst = at->i->dst;
        uint16_t own = 0;
        for (unsigned place = OPERAND_B; place <= OPERAND_C; place++)
            if (is_source_tainted(w, at, place, lane))
                own = w->origin[at->srcs[place]][lane];
        uint16_t d = own ? own : origins[lane];
        uint16_t p = own || warp_form_is_shfl(info) ? own : origins[lane];
        if (warp_form_writes_d(info, dst)) {
            if (!(r->d_defined >> lane & 1u))
                d = kernel_origin(w->kernel, w->pc[lane]);
            put(w, at->dst, lane, r->d[lane], d);
        }
        if (warp_form_writes_p(info, dst))
            put(w, warp_form_writes_d(info, dst) || dst == WARP_DST_SINK_P ? at->dst2 : at->dst, lane,
                r->p >> lane & 1u, p);
    }
}

/*
 * elect.sync: a program must be right whichever lane of the group leads, as long as it is the same for the same
 * membermask. Where the input asks for another course than the friendliest, another one than the answer's leads.
 */
static void elect_another(const struct warp *w, const struct warp_case *c, struct warp_result *r)
{
    const lanemask group = c->active;
    const uint32_t mask = c->membermask[first_of(group)];
    if (w->kernel->input->activemask == KERNEL_TOGETHER)
        return;
    unsigned turn = (unsigned)(random_mix(w->kernel->input->seed ^ mask) % (unsigned)__builtin_popcount(group));
    lanemask rest = group;
    while (turn-- > 0)
        rest &= rest - 1;
    warp_result_elect(r, group, first_of(rest));
}

/* Answers the lanes of one case, all of which are done. */
static void answer(struct warp *w, lanemask lanes)
{
    struct warp_case c;
    struct warp_result r;
    uint16_t origins[WARP_LANES];
    uint32_t at = w->pc[first_of(lanes)];
    make_case(w, lanes, &c);
    if (!ask(w->kernel, at, &c, &r))
        return;
    if (r.undefined | r.waiting) {
        kernel_add_event(w->kernel, &(struct kernel_event){.kind = KERNEL_CONVERGENCE,
                                                           .at = at,
                                                           .from = at,
                                                           .warp = w->number,
                                                           .lanes = r.undefined | r.waiting,
                                                           .mask = c.membermask[first_of(lanes)]});
        kernel_stop(w->kernel, KERNEL_STOPPED, at);
        return;
    }
    if (!find_origins(w, &c, origins))
        return;
    if (warp_form_any_leader(warp_form_get(c.form)))
        elect_another(w, &c, &r);
    write_results(w, &c, &r, origins);
    if (w->kernel->watch)
        w->kernel->watch->answered(w->kernel->watch->context, w, lanes);
    w->kernel->outcome->groups++;
    go_on(w, lanes);
}

/* ---- groups ---- */

/* Lanes of one group at several places: defined, seldom meant; an error where lanes must converge. */
static void note_places(struct warp *w, lanemask group)
{
    uint32_t at = w->pc[first_of(group)];
    lanemask here = 0;
    for (lanemask m = group; m != 0; m &= m - 1)
        if (w->pc[first_of(m)] == at)
            here |= bit_of(first_of(m));
    if (here == group)
        return;
    bool old = warp_target_needs_convergence(w->kernel->target);
    kernel_add_event(w->kernel, &(struct kernel_event){.kind = old ? KERNEL_CONVERGENCE : KERNEL_PAIRS,
                                                       .at = at,
                                                       .from = w->pc[first_of(group & ~here)],
                                                       .warp = w->number,
                                                       .lanes = here,
                                                       .others = group & ~here,
                                                       .mask = w->member[first_of(group)]});
    if (old)
        kernel_stop(w->kernel, KERNEL_STOPPED, at);
}

static bool orders_memory(enum warp_family family)
{
    switch (family) {
    case WARP_BAR_WARP:
        return true;
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_MATCH_SYNC:
    case WARP_REDUX_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return false;
}

static void fire(struct warp *w, lanemask group)
{
    const enum warp_family family = warp_form_get((uint32_t)instruction_of(w, first_of(group))->i->form)->family;
    kernel_reach(w->kernel, w->pc[first_of(group)], group, w->member[first_of(group)] & ~group);
    note_places(w, group);
    if (w->kernel->stop)
        return;
    if (orders_memory(family))
        race_meet(&w->race, group);
    else
        race_publish(&w->race, group);
    answer(w, group);
}

/* The group of this membermask at this kind of instruction, if it is complete. */
static lanemask complete_group(const struct warp *w, uint32_t sync, uint32_t mask)
{
    lanemask ready = 0;
    for (lanemask m = w->waiting; m != 0; m &= m - 1) {
        unsigned lane = first_of(m);
        if (w->member[lane] == mask && instruction_of(w, lane)->sync == sync)
            ready |= bit_of(lane);
    }
    lanemask group = mask & ~w->exited;
    return (group & ~ready) == 0 ? group & ready : 0;
}

void warp_recheck(struct warp *w)
{
    for (unsigned lane = 0; lane < WARP_LANES && !w->kernel->stop; lane++) {
        if (!(w->waiting >> lane & 1u))
            continue;
        lanemask group = complete_group(w, instruction_of(w, lane)->sync, w->member[lane]);
        if (group)
            fire(w, group);
    }
}

/* ---- arriving ---- */

static void refuse_undefined(struct warp *w, uint32_t at, lanemask lanes, uint32_t mask)
{
    kernel_add_event(
        w->kernel,
        &(struct kernel_event){
            .kind = KERNEL_UNDEFINED, .at = at, .from = at, .warp = w->number, .lanes = lanes, .mask = mask});
    kernel_stop(w->kernel, KERNEL_STOPPED, at);
}

static bool check_masks(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask lanes)
{
    uint32_t row = c->srcs[OPERAND_MEMBERMASK];
    lanemask outside = 0;
    if (row == CODE_NO_ROW)
        return true;
    warp_note_unset(w, at, row, lanes);
    if (w->tainted[row] & lanes) {
        warp_report_use(w, at, row, w->tainted[row] & lanes, KERNEL_MASKED);
        return false;
    }
    for (lanemask m = lanes; m != 0; m &= m - 1) {
        unsigned lane = first_of(m);
        w->member[lane] = (uint32_t)warp_row(w, row)[lane];
        if (!(w->member[lane] >> lane & 1u))
            outside |= bit_of(lane);
    }
    if (outside)
        refuse_undefined(w, at, outside, w->member[first_of(outside)]);
    return outside == 0;
}

/* b and c, for who asks for it. */
static bool check_operands(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask lanes)
{
    for (unsigned place = OPERAND_B; place <= OPERAND_C && place < c->i->srcs_count; place++)
        if (c->srcs[place] != CODE_NO_ROW && w->tainted[c->srcs[place]] & lanes)
            warp_report_use(w, at, c->srcs[place], w->tainted[c->srcs[place]] & lanes, KERNEL_MASKED);
    return !w->kernel->stop;
}

/* activemask and the forms without .sync: executed by the lanes that have come, together or in parts. */
static void answer_now(struct warp *w, lanemask lanes, bool is_activemask)
{
    struct kernel *kernel = w->kernel;
    enum kernel_activemask how = is_activemask ? kernel->input->activemask : KERNEL_TOGETHER;
    kernel->outcome->saw_activemask |= is_activemask && (lanes & (lanes - 1)) != 0;
    kernel->memory.changed |= is_activemask; /* another time it may return other lanes */
    w->waiting |= lanes;
    w->running &= ~lanes;
    while (lanes != 0 && !kernel->stop) {
        lanemask part = lanes;
        if (how == KERNEL_ALONE)
            part = lanes & -lanes;
        else if (how == KERNEL_ANY)
            part = (lanes & (lanemask)random_next(&kernel->random)) | (lanes & -lanes);
        answer(w, part);
        lanes &= ~part;
    }
}

static void park(struct warp *w, lanemask lanes)
{
    w->running &= ~lanes;
    w->waiting |= lanes;
}

void warp_arrive(struct warp *w, uint32_t at, lanemask lanes)
{
    const struct code_instruction *c = &w->kernel->code->instructions[at];
    const struct warp_form_info *info = c->i->op == OP_WARP ? warp_form_get((uint32_t)c->i->form) : NULL;
    w->kernel->arrived[at] = 1;
    for (unsigned n = 0; n < c->i->srcs_count; n++)
        if (c->srcs[n] != CODE_NO_ROW && w->unset[c->srcs[n]] & lanes)
            warp_note_unset(w, at, c->srcs[n], lanes);
    if (w->kernel->watch && !check_operands(w, at, c, lanes))
        return;
    if (info && !warp_form_is_sync(info)) {
        answer_now(w, lanes, info->family == WARP_ACTIVEMASK);
        return;
    }
    if (!check_masks(w, at, c, lanes))
        return;
    park(w, lanes);
    while (lanes != 0 && !w->kernel->stop) {
        uint32_t mask = w->member[first_of(lanes)];
        lanemask group = complete_group(w, c->sync, mask);
        lanemask same = bit_of(first_of(lanes));
        for (lanemask m = lanes; m != 0; m &= m - 1)
            if (w->member[first_of(m)] == mask)
                same |= bit_of(first_of(m));
        if (group)
            fire(w, group);
        else
            kernel_reach(w->kernel, at, same, mask & ~same);
        lanes &= ~same;
    }
}
