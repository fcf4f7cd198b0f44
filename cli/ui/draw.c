#include "cli/ui/draw.h"

#include "cli/ui/terminal.h"
#include "model/lanes.h"
#include "warpcheck_spec.h"

#include <string.h>

/* --- wires --- */

static void find_wires(struct wire wires[WARP_LANES], lanemask rows, const int reads[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        int from = reads[lane];
        if (from < 0 || from == (int)lane || !(rows >> lane & 1u) || !(rows >> from & 1u))
            continue;
        struct wire *wire = &wires[from];
        if (!wire->used) {
            wire->used = true;
            wire->first = wire->last = (unsigned)from;
        }
        wire->first = lane < wire->first ? lane : wire->first;
        wire->last = lane > wire->last ? lane : wire->last;
    }
}

/* Gives each wire the first track that is free on all its rows. Short wires come first, in order of their first
 * row, so that they lie beside the rows. */
static bool choose_tracks(struct wire wires[WARP_LANES])
{
    lanemask busy[WIRES_TRACKS_MAX] = {0};
    for (unsigned length = 1; length < WARP_LANES; length++) {
        for (unsigned from = 0; from < WARP_LANES; from++) {
            struct wire *wire = &wires[from];
            if (!wire->used || wire->last - wire->first != length)
                continue;
            lanemask span = (lanemask)((UINT64_C(2) << wire->last) - (UINT64_C(1) << wire->first));
            unsigned track = 0;
            while (track < WIRES_TRACKS_MAX && (busy[track] & span) != 0)
                track++;
            if (track == WIRES_TRACKS_MAX)
                return false;
            busy[track] |= span;
            wire->track = track;
        }
    }
    return true;
}

/* Horizontal line from the row to the track. Track t is character 2 + 2t. */
static void draw_end(char *cell, char edge, unsigned track, char joint)
{
    size_t at = 2 + 2 * (size_t)track;
    if (cell[0] != '<')
        cell[0] = edge;
    for (size_t i = 1; i < at; i++)
        if (cell[i] == ' ')
            cell[i] = '-';
    cell[at] = joint;
}

static void draw_row(char *cell, unsigned lane, const struct wire wires[WARP_LANES], int from)
{
    memset(cell, ' ', 2 + 2 * WIRES_TRACKS_MAX);
    for (unsigned source = 0; source < WARP_LANES; source++)
        if (wires[source].used && wires[source].first <= lane && lane <= wires[source].last)
            cell[2 + 2 * wires[source].track] = '|';
    if (from >= 0 && from != (int)lane && wires[from].used)
        draw_end(cell, '<', wires[from].track, '+');
    if (wires[lane].used)
        draw_end(cell, '-', wires[lane].track, 'o');
    size_t length = 2 + 2 * WIRES_TRACKS_MAX;
    while (length > 0 && cell[length - 1] == ' ')
        length--;
    cell[length] = '\0';
}

/*
 * Who reads whom, drawn as wires beside the rows of a table.
 *
 *     --o        lane 0 gives its a
 *     <-+-o      lane 1 takes it, and gives its own
 *     <---+      lane 2 takes lane 1's
 *
 * Fills the cells of the column. reads[lane] is the lane that it reads, or -1. Only lanes in `rows` are drawn. Returns
 * false, with empty cells, when it would take more than WIRES_TRACKS_MAX tracks.
 */
static bool wires_draw(struct table_column *column, struct wire wires[WARP_LANES], lanemask rows,
                       const int reads[WARP_LANES])
{
    column->left = true;
    find_wires(wires, rows, reads);
    if (!choose_tracks(wires))
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (rows >> lane & 1u)
            draw_row(column->cells[lane], lane, wires, reads[lane]);
    return true;
}

/* --- the drawing --- */

#define HOLDERS_MAX 4u
#define ROWS_WHOLE  8u /* as many active lanes are all drawn; of more, those that differ and those they depend on */

static bool in(lanemask lanes, unsigned lane)
{
    return (lanes >> lane & 1u) != 0;
}

static struct shfl_source source_of(const struct sketch *s, unsigned lane)
{
    return shfl_source_of(s->info->op, lane, s->d->c->b[lane], s->d->c->c[lane]);
}

static void find_reads(struct sketch *s)
{
    for (int lane = 0; lane < WARP_LANES; lane++) {
        s->reads[lane] = -1;
        if (warp_form_is_shfl(s->info) && in(s->d->expected->done, (unsigned)lane)) {
            struct shfl_source r = source_of(s, (unsigned)lane);
            s->reads[lane] = r.pval ? r.j : lane;
        }
    }
}

/* The lane that j names although it is not read: a wrong implementation may have read it. */
static lanemask out_of_range(const struct sketch *s, unsigned lane)
{
    int j = source_of(s, lane).j;
    return in(s->differs, lane) && j >= 0 && j < WARP_LANES ? 1u << j : 0;
}

/* The lanes that the given ones read, wait for, or share a group with. */
static lanemask concerned(const struct sketch *s, lanemask lanes)
{
    lanemask rows = lanes;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!in(lanes, lane))
            continue;
        if (s->reads[lane] >= 0)
            rows |= 1u << s->reads[lane] | out_of_range(s, lane);
        if (in(s->d->expected->waiting, lane))
            rows |= s->d->expected->waits_for[lane];
        if (!warp_form_is_shfl(s->info) && in(s->d->expected->done, lane))
            rows |= lanes_group(s->d->c, lane);
    }
    return rows;
}

/* Lanes that do not execute and hold something, when they are few: a wrong answer may be what they hold. */
static lanemask holders(const struct sketch *s)
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!in(s->d->c->active, lane) && (s->d->c->a[lane] | s->d->c->a_high[lane]) != 0)
            lanes |= 1u << lane;
    return s->differs != 0 && lanes_in(lanes) <= HOLDERS_MAX ? lanes : 0;
}

static void choose_rows(struct sketch *s)
{
    const struct warp_diff *diff = &s->diff;
    s->differs = diff->outcome | diff->d_defined | diff->d | diff->p | diff->waits_for;
    if (s->d->all)
        s->table.rows = UINT32_MAX;
    else if (s->d->lanes)
        s->table.rows = concerned(s, s->d->lanes & s->d->c->active) | s->d->lanes;
    else if (s->differs && lanes_in(s->d->c->active) > ROWS_WHOLE)
        s->table.rows = concerned(s, s->differs) | holders(s);
    else
        s->table.rows = concerned(s, s->d->c->active) | holders(s);
}

static const char *state_name(const struct warp_case *c, const struct warp_result *r, unsigned lane)
{
    if (in(c->exited, lane))
        return "exited";
    if (in(r->done, lane))
        return "done";
    if (in(r->waiting, lane))
        return "waiting";
    if (in(r->undefined, lane))
        return "undefined";
    return in(c->active, lane) ? "none" : "elsewhere";
}

static void add_states(struct sketch *s)
{
    struct table_column *lanes = table_add(&s->table, "lane");
    struct table_column *expected = table_add(&s->table, s->diff.outcome ? "expected" : "state");
    expected->left = true;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        snprintf(lanes->cells[lane], TABLE_CELL_MAX, "%u", lane);
        snprintf(expected->cells[lane], TABLE_CELL_MAX, "%s", state_name(s->d->c, s->d->expected, lane));
    }
    if (!s->diff.outcome)
        return;
    struct table_column *observed = table_add(&s->table, "observed");
    observed->left = true;
    observed->marks = s->diff.outcome;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        snprintf(observed->cells[lane], TABLE_CELL_MAX, "%s", state_name(s->d->c, s->d->observed, lane));
}

static void format_source(const struct sketch *s, unsigned lane, char cell[TABLE_CELL_MAX])
{
    uint32_t a = s->d->c->a[lane];
    float value;
    memcpy(&value, &a, sizeof value);
    if (s->info->type == WARP_PRED)
        snprintf(cell, TABLE_CELL_MAX, "%u", a);
    else if (s->info->type == WARP_B64)
        snprintf(cell, TABLE_CELL_MAX, "0x%llx", (unsigned long long)warp_case_a64(s->d->c, lane));
    else if (s->info->type == WARP_F32)
        snprintf(cell, TABLE_CELL_MAX, "0f%08x %g", a, (double)value);
    else
        snprintf(cell, TABLE_CELL_MAX, "0x%x", a);
}

static void add_source(struct sketch *s)
{
    if (s->info->type == WARP_NO_SOURCE)
        return;
    struct table_column *column = table_add(&s->table, s->d->c->negate ? "!a of a" : "a");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        format_source(s, lane, column->cells[lane]);
}

/* An operand of the active lanes: a column, or a word above the table when it is the same in all lanes drawn. */
static void add_operand(struct sketch *s, const char *name, const uint32_t values[WARP_LANES])
{
    struct table_column *column = table_add(&s->table, name);
    lanemask shown = s->table.rows & s->d->c->active;
    for (unsigned lane = WARP_LANES; lane-- > 0;) {
        if (!in(shown, lane))
            continue;
        snprintf(column->cells[lane], TABLE_CELL_MAX, "0x%x", values[lane]);
        s->uniform_value = column->cells[lane];
    }
    column->hidden = table_is_uniform(column, shown);
    if (column->hidden)
        s->uniform_used += (size_t)snprintf(s->uniform + s->uniform_used, sizeof s->uniform - s->uniform_used,
                                            "  %s=%s", name, s->uniform_value);
}

static void add_routes(struct sketch *s)
{
    static const char *const heads[] = {"segment", "maxLane", "j"};
    struct table_column *columns[3];
    for (size_t i = 0; i < 3; i++) {
        columns[i] = table_add(&s->table, heads[i]);
        columns[i]->expendable = true;
        columns[i]->hidden = i == 0 && !s->d->explain;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!in(s->d->expected->done, lane))
            continue;
        unsigned segmask = s->d->c->c[lane] >> 8 & 31u;
        struct shfl_source r = source_of(s, lane);
        /* A segment is a run of lanes only when the mask's zeros are its low bits; otherwise show where it starts. */
        bool run = ((~segmask & 31u) & ((~segmask & 31u) + 1u)) == 0;
        snprintf(columns[0]->cells[lane], TABLE_CELL_MAX, run ? "%d-%d" : "%d...", r.min_lane,
                 r.min_lane | (int)(~segmask & 31u));
        snprintf(columns[1]->cells[lane], TABLE_CELL_MAX, "%d", r.max_lane);
        snprintf(columns[2]->cells[lane], TABLE_CELL_MAX, "%d", r.j);
    }
}

static void add_reads(struct sketch *s)
{
    struct table_column *reads = table_add(&s->table, "reads");
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (s->reads[lane] == (int)lane)
            snprintf(reads->cells[lane], TABLE_CELL_MAX, "own");
        else if (s->reads[lane] >= 0)
            snprintf(reads->cells[lane], TABLE_CELL_MAX, "%d", s->reads[lane]);
    }
    struct table_column *wires = table_add(&s->table, "");
    wires->expendable = true;
    s->has_wires = wires_draw(wires, s->wires, s->table.rows, s->reads);
    wires->hidden = !s->has_wires;
}

static void add_groups(struct sketch *s)
{
    struct table_column *column = table_add(&s->table, "group");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (in(s->d->expected->done, lane))
            snprintf(column->cells[lane], TABLE_CELL_MAX, "0x%x", lanes_group(s->d->c, lane));
}

static void head_of(char head[24], const char *what, bool observed, bool alone)
{
    snprintf(head, 24, alone ? "%s" : observed ? "%s observed" : "%s expected", what);
}

static void add_waits(struct sketch *s, const struct warp_result *r, bool observed, const char *what)
{
    if (!(r->waiting & s->table.rows))
        return;
    struct table_column *column = table_add(&s->table, what);
    column->marks = observed ? s->diff.waits_for : 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (in(r->waiting, lane))
            snprintf(column->cells[lane], TABLE_CELL_MAX, "0x%x", r->waits_for[lane]);
}

/* A result that does not tell outcomes is taken to be done where the reference is. */
static lanemask done_lanes(const struct sketch *s, const struct warp_result *r, bool observed)
{
    return observed && !(s->d->parts & WARP_PART_OUTCOME) ? s->d->expected->done : r->done;
}

static void add_p(struct sketch *s, const struct warp_result *r, bool observed, bool alone)
{
    char head[24];
    head_of(head, "p", observed, alone);
    struct table_column *column = table_add(&s->table, head);
    column->marks = observed ? s->diff.p : 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (in(done_lanes(s, r, observed), lane))
            snprintf(column->cells[lane], TABLE_CELL_MAX, "%u", r->p >> lane & 1u);
}

static void add_d(struct sketch *s, const struct warp_result *r, bool observed, bool alone)
{
    char head[24];
    uint32_t parts = observed ? s->d->parts : WARP_PART_ALL;
    head_of(head, "d", observed, alone);
    struct table_column *column = table_add(&s->table, head);
    column->marks = observed ? s->diff.d | s->diff.d_defined : 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!in(done_lanes(s, r, observed), lane))
            continue;
        if (parts & WARP_PART_D_DEFINED && !in(r->d_defined, lane))
            snprintf(column->cells[lane], TABLE_CELL_MAX, "any");
        else if (s->info->type == WARP_F32)
            snprintf(column->cells[lane], TABLE_CELL_MAX, "0f%08x", r->d[lane]);
        else
            snprintf(column->cells[lane], TABLE_CELL_MAX, "0x%x", r->d[lane]);
    }
}

static void add_results(struct sketch *s)
{
    const struct drawing *d = s->d;
    const struct warp_result *observed = d->observed;
    bool with_p = warp_form_writes_p(s->info, d->c->dst);
    bool with_d = warp_form_writes_d(s->info, d->c->dst);
    bool see_p = observed && d->parts & WARP_PART_P;
    bool see_d = observed && d->parts & WARP_PART_D;
    add_waits(s, d->expected, false, "waits for");
    if (s->diff.waits_for)
        add_waits(s, observed, true, "observed");
    if (with_p)
        add_p(s, d->expected, false, !see_p);
    if (with_p && see_p)
        add_p(s, observed, true, false);
    if (with_d)
        add_d(s, d->expected, false, !see_d);
    if (with_d && see_d)
        add_d(s, observed, true, false);
}

static void print_heading(FILE *out, const struct sketch *s)
{
    char active[LANES_TEXT_MAX];
    char exited[LANES_TEXT_MAX];
    const struct warp_case *c = s->d->c;
    fprintf(out, "  %s%s%s  %s%s  %s\n", paint(PAINT_BOLD), s->info->name, paint(PAINT_PLAIN), warp_dst_name(c->dst),
            c->negate ? "  source !a" : "", warp_target_name(c->target));
    fprintf(out, "  active 0x%08x (%s)", c->active, lanes_text(c->active, active, 44));
    if (c->exited)
        fprintf(out, "  exited 0x%08x (%s)", c->exited, lanes_text(c->exited, exited, 30));
    fputc('\n', out);
}

/* Lanes without a row are named, so that nobody takes the table for the whole warp. */
static void print_rest(FILE *out, const struct sketch *s)
{
    char text[LANES_TEXT_MAX];
    lanemask rest = s->d->c->active & ~s->table.rows;
    if (rest)
        fprintf(out, "  %s(active, not drawn: %s; --all draws every lane)%s\n", paint(PAINT_DIM),
                lanes_text(rest, text, sizeof text), paint(PAINT_PLAIN));
}

void draw_sketch(struct sketch *s, const struct drawing *drawing)
{
    memset(s, 0, sizeof *s);
    s->d = drawing;
    s->info = warp_form_get(drawing->c->form);
    if (drawing->observed)
        warp_result_compare(drawing->c, drawing->expected, drawing->observed, drawing->parts, &s->diff);
    find_reads(s);
    choose_rows(s);
    add_states(s);
    add_source(s);
    if (warp_form_is_shfl(s->info)) {
        add_operand(s, "b", drawing->c->b);
        add_operand(s, "c", drawing->c->c);
    }
    if (warp_form_is_sync(s->info))
        add_operand(s, "membermask", drawing->c->membermask);
    if (warp_form_is_shfl(s->info)) {
        add_routes(s);
        add_reads(s);
    } else if (s->info->family != WARP_ACTIVEMASK) {
        add_groups(s);
    }
    add_results(s);
    table_hide_empty(&s->table);
}

void draw_case(FILE *out, const struct drawing *drawing)
{
    static struct sketch s; /* too much for small stacks */
    draw_sketch(&s, drawing);
    print_heading(out, &s);
    if (drawing->observed)
        fprintf(out, "  expected: %s  observed: %s\n", drawing->expected_name, drawing->observed_name);
    if (s.uniform_used)
        fprintf(out, "  every lane drawn:%s\n", s.uniform);
    table_print(out, &s.table);
    print_rest(out, &s);
}

void draw_answer(const struct warp_case *c)
{
    const struct warp_impl *const spec = spec_get();
    struct warp_result r;
    char error[128];
    struct drawing drawing = {.c = c, .expected = &r, .expected_name = "spec", .parts = WARP_PART_ALL};
    if (spec->eval(spec->state, c, 1, &r, error, sizeof error))
        draw_case(stdout, &drawing);
}
