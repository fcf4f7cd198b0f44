#include "cli/ui/wires.h"

#include <string.h>

/* A wire leaves its source lane and passes every lane that reads it. */
struct wire {
    unsigned first, last; /* rows, as lane numbers */
    bool used;
    unsigned track;
};

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

/* Each wire takes the first track that is free on all its rows: short wires lie beside the rows, in order of their
 * first row. */
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

bool wires_draw(struct table_column *column, lanemask rows, const int reads[WARP_LANES])
{
    struct wire wires[WARP_LANES] = {{0}};
    column->left = true;
    find_wires(wires, rows, reads);
    if (!choose_tracks(wires))
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (rows >> lane & 1u)
            draw_row(column->cells[lane], lane, wires, reads[lane]);
    return true;
}
