/*
 * Draws a warp as a table of lanes: operands, which lane reads which, expected and observed results. At most 100
 * columns wide.
 */
#ifndef WARPCHECK_CLI_UI_DRAW_H
#define WARPCHECK_CLI_UI_DRAW_H

#include "cli/ui/table.h"
#include "warpcheck/warp.h"

#include <stdio.h>

struct drawing {
    const struct warp_case *c;
    const struct warp_result *expected; /* complete: a reference's answer */
    const char *expected_name;
    const struct warp_result *observed; /* NULL: nothing to compare with */
    const char *observed_name;
    uint32_t parts; /* of the observed result that count */
    bool all;       /* all 32 lanes, not only those that matter */
    bool explain;   /* also the numbers in between: segment, maxLane, j */
    lanemask lanes; /* lanes to draw, with the lanes that they read; 0: found from the case */
};

/* Writes the heading, the table, and carets under the cells that differ. */
void draw_case(FILE *out, const struct drawing *drawing);
/* Draws the case on standard output with what the transcription answers. */
void draw_answer(const struct warp_case *c);

/* A wire leaves its source lane and passes every lane that reads it; wires on one track never meet. */
#define WIRES_TRACKS_MAX 10u
struct wire {
    unsigned first, last; /* rows, as lane numbers */
    bool used;
    unsigned track;
};

/* What is drawn, for those that draw it otherwise (html.h). Some 30 KB. */
struct sketch {
    const struct drawing *d;
    const struct warp_form_info *info;
    struct table table; /* without the columns that are empty or hidden: those are marked */
    struct warp_diff diff;
    lanemask differs;
    int reads[WARP_LANES]; /* shfl, done lanes: the lane that is read; else -1 */
    struct wire wires[WARP_LANES];
    bool has_wires;   /* false also where they would take more than WIRES_TRACKS_MAX tracks */
    char uniform[96]; /* operands that are the same in all lanes drawn, each behind two blanks */
    size_t uniform_used;
    const char *uniform_value;
};
void draw_sketch(struct sketch *sketch, const struct drawing *drawing);

#endif
