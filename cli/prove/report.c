#include "cli/prove/report.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "cli/command.h"
#include "cli/ui/draw.h"
#include "cli/ui/json.h"
#include "cli/ui/terminal.h"
#include "model/lanes.h"
#include "warpcheck_spec.h"

#include <stdio.h>

size_t prove_unexpected(const struct session *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++)
        n += !s->outcomes[i].not_tried && s->outcomes[i].verdict != s->properties[i]->expected;
    return n;
}

static void print_row(const struct smt_property *p, const struct smt_outcome *o)
{
    bool good = o->verdict == p->expected;
    printf("%s%-34s %-8s%s %6.2f s  %s", good ? "" : paint(PAINT_RED), p->name, smt_verdict_name(o->verdict),
           paint(PAINT_PLAIN), o->seconds, o->solver[0] != '\0' ? o->solver : "-");
    if (o->agreed > 0)
        printf(", cvc5 agrees on %u of %u (z3 %.2f s, cvc5 %.2f s)", o->agreed, o->claims, o->solver_s[SMT_Z3],
               o->solver_s[SMT_CVC5]);
    if (o->undecided > 0)
        printf(", cvc5 undecided on %u of %u (%s)", o->undecided, o->claims, o->undecided_why);
    if (o->drat_checked + o->drat_trivial > 0)
        printf(", DRAT checked %u, trivial %u (cadical %.2f s, our checker %.2f s)", o->drat_checked, o->drat_trivial,
               o->cadical_s, o->checker_s);
    if (o->drat_undecided > 0)
        printf(", DRAT undecided on %u of %u", o->drat_undecided, o->claims);
    if (!good)
        printf("  (expected %s)", smt_verdict_name(p->expected));
    printf("\n");
    if (!good && o->note[0] != '\0')
        printf("    %s\n", shown(o->note));
}

static void draw_witness(const struct smt_outcome *o)
{
    for (unsigned i = 0; i < o->cases; i++) {
        struct warp_result r;
        char error[128];
        char lanes[LANES_TEXT_MAX];
        struct drawing drawing = {
            .c = &o->c[i], .expected = &r, .expected_name = "spec", .parts = WARP_PART_ALL, .lanes = o->lanes[i]};
        const struct warp_impl *spec = spec_get();
        if (!spec->eval(spec->state, &o->c[i], 1, &r, error, sizeof error))
            continue;
        if (o->cases > 1 && o->lanes[i] == 0)
            continue; /* nothing of it reaches the claim */
        if (o->cases > 1)
            printf("  instruction %u of %u\n", i + 1, o->cases);
        printf("  what matters: %s\n", lanes_text(o->lanes[i], lanes, sizeof lanes));
        draw_case(stdout, &drawing);
    }
}

static void describe_witness(const struct smt_property *p, const struct smt_outcome *o, bool draw)
{
    printf("\n%s%s%s: %s\n  false: %s", paint(PAINT_BOLD), p->name, paint(PAINT_PLAIN), p->sentence, shown(o->note));
    printf("%s%s; ", o->witness[0] != '\0' ? "; " : "", o->witness);
    if (o->replayed > 0)
        printf("replayed on %u implementations\n", o->replayed);
    else
        printf("no warp executes here: nothing to replay\n");
    if (draw || o->verdict != p->expected)
        draw_witness(o);
}

/* The second solvers' results for the summary line: an undecided claim never counts as agreement. */
static void print_second_opinions(const struct session *s)
{
    unsigned claims = 0, agreed = 0, undecided = 0, checked = 0, trivial = 0, open = 0, unable = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct smt_outcome *o = &s->outcomes[i];
        claims += o->claims;
        agreed += o->agreed;
        undecided += o->undecided;
        checked += o->drat_checked;
        trivial += o->drat_trivial;
        open += o->drat_undecided;
        unable += o->drat_unable;
    }
    if (s->cross)
        printf("; cvc5 agrees on %u of %u claims, undecided on %u", agreed, claims, undecided);
    if (s->drat)
        printf("; DRAT proofs checked for %u claims, trivial %u, undecided %u, not of bit-vectors alone %u", checked,
               trivial, open, unable);
}

/* The number of properties of which both solvers decided everything; the others by name. */
static void print_agreement(const struct session *s)
{
    size_t both = 0;
    for (size_t i = 0; i < s->count; i++)
        both += s->outcomes[i].claims > 0 && s->outcomes[i].agreed == s->outcomes[i].claims;
    printf("\nZ3 and cvc5 agree on every claim of %zu properties of %zu\n", both, s->count);
    for (size_t i = 0; i < s->count; i++)
        if (s->properties[i]->solver != SMT_Z3)
            printf("  %s: decided by %s alone\n", s->properties[i]->name, smt_solver_name(s->properties[i]->solver));
        else if (s->outcomes[i].verdict == SMT_ERROR)
            printf("  %s: ERROR, cvc5 decided %u of %u claims\n", s->properties[i]->name, s->outcomes[i].agreed,
                   s->outcomes[i].claims);
        else if (s->outcomes[i].agreed < s->outcomes[i].claims)
            printf("  %s: cvc5 decided %u of %u claims in its time\n", s->properties[i]->name, s->outcomes[i].agreed,
                   s->outcomes[i].claims);
}

void prove_print_table(const struct session *s)
{
    double seconds = 0;
    size_t untried = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!s->outcomes[i].not_tried)
            print_row(s->properties[i], &s->outcomes[i]);
        untried += s->outcomes[i].not_tried;
        seconds += s->outcomes[i].seconds;
    }
    for (size_t i = 0; i < s->count; i++)
        if (s->outcomes[i].verdict == SMT_REFUTED || s->outcomes[i].cases > 0)
            describe_witness(s->properties[i], &s->outcomes[i], s->draw);
    if (!s->draw)
        printf("(the witnesses drawn: prove NAME, or --draw)\n");
    if (s->cross)
        print_agreement(s);
    if (interrupted())
        printf("\nINTERRUPTED: %zu of %zu properties have no verdict yet; the others:", untried, s->count);
    printf("\n%s%zu properties, %zu not as expected", interrupted() ? "INTERRUPTED: " : "", s->count - untried,
           prove_unexpected(s));
    print_second_opinions(s);
    printf(", %.1f s (%.1f s of proving); Z3 %s, cvc5 %s\n", clock_seconds() - s->proving.begin, seconds,
           smt_z3_version(), smt_cvc5_version() != NULL ? smt_cvc5_version() : "UNAVAILABLE");
}

static void json_property(const struct smt_property *p, const struct smt_outcome *o)
{
    out_begin_object(NULL);
    out_text("name", p->name);
    out_text("family", p->family);
    out_text("sentence", p->sentence);
    out_text("verdict", smt_verdict_name(o->verdict));
    out_text("expected", smt_verdict_name(p->expected));
    out_text("solver", o->solver);
    out_real("seconds", o->seconds);
    out_real("z3_seconds", o->solver_s[SMT_Z3]);
    out_real("cvc5_seconds", o->solver_s[SMT_CVC5]);
    out_real("cadical_seconds", o->cadical_s);
    out_real("checker_seconds", o->checker_s);
    out_number("claims", o->claims);
    out_number("agreed", o->agreed);
    out_number("undecided_by_cvc5", o->undecided);
    out_text("undecided_why", o->undecided_why);
    out_number("drat_checked", o->drat_checked);
    out_number("drat_undecided", o->drat_undecided);
    out_number("drat_trivial", o->drat_trivial);
    out_number("drat_unable", o->drat_unable);
    out_bool("not_tried", o->not_tried);
    out_text("note", o->note);
    out_text("witness", o->witness);
    out_number("replayed", o->replayed);
    out_begin_array("cases");
    for (unsigned i = 0; i < o->cases; i++)
        out_case(NULL, &o->c[i]);
    out_end();
    out_end();
}

void prove_print_json(const struct session *s)
{
    out_start();
    out_text("command", "prove");
    out_number("properties", s->count);
    out_bool("interrupted", interrupted());
    out_number("unexpected", prove_unexpected(s));
    out_text("z3", smt_z3_version());
    out_text("cvc5", smt_cvc5_version() != NULL ? smt_cvc5_version() : "UNAVAILABLE");
    out_begin_array("results");
    for (size_t i = 0; i < s->count; i++)
        json_property(s->properties[i], &s->outcomes[i]);
    out_end();
    out_print();
}

/* cvc5's part of a row. */
static void record_cross(const struct session *s, const struct smt_property *p, const struct smt_outcome *o,
                         struct buffer *out)
{
    if (p->solver != SMT_Z3)
        buffer_format(out, " | alone");
    else if (!s->cross)
        buffer_format(out, " | not asked");
    else if (o->undecided > 0)
        buffer_format(out, " | %u, undecided on %u", o->agreed, o->undecided);
    else
        buffer_format(out, " | %u", o->agreed);
    if (o->solver_s[SMT_CVC5] > 0)
        buffer_format(out, " | %.2f", o->solver_s[SMT_CVC5]);
    else
        buffer_format(out, " | -");
}

/* cadical's and the checker's. */
static void record_drat(const struct session *s, const struct smt_outcome *o, struct buffer *out)
{
    if (!s->drat) {
        buffer_format(out, " | not asked | - | - | - |\n");
        return;
    }
    buffer_format(out, " | %u", o->drat_checked);
    if (o->drat_undecided > 0)
        buffer_format(out, ", undecided on %u", o->drat_undecided);
    buffer_format(out, " | %u | %.2f | %.2f |\n", o->drat_trivial, o->cadical_s, o->checker_s);
}

void prove_write_record(const struct session *s, struct buffer *out)
{
    buffer_format(
        out,
        "# Who proved what\n\n"
        "Written by `warpcheck prove%s%s --record FILE`, with Z3 %s, cvc5 %s, cadical %s.\n\n"
        "`claims` are the queries of a property, each decided by the first solver. `cvc5 agrees`: on how many cvc5, "
        "asked the same query\n"
        "as SMT-LIB, gave the same answer; *alone*: cvc5 is the first solver. `DRAT checked`: for how many cadical's "
        "proof of the\n"
        "clauses was followed by our checker; `trivial`: the query was closed by Z3's rewriting, before there was a "
        "clause; a refuted\n"
        "claim, or one with floating-point numbers or functions, has neither. *Undecided* is what had no answer in its "
        "time: it is counted as\n"
        "no agreement. It leaves the exit status as it is; a disagreement, or a proof that does not hold, is an ERROR "
        "of "
        "the property, and\n"
        "the exit status 1. Times in seconds: `z3` with the checks that hypotheses are satisfiable, `cadical` with the "
        "making of\n"
        "clauses, `checker` our own.\n\n"
        "| property | verdict | claims | first solver | z3 s | cvc5 agrees | cvc5 s | DRAT checked | trivial | "
        "cadical s | checker s |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n",
        s->cross ? " --solver both" : "", s->drat ? " --drat" : "", smt_z3_version(),
        smt_cvc5_version() != NULL ? smt_cvc5_version() : "UNAVAILABLE",
        smt_cadical_version() != NULL ? smt_cadical_version() : "UNAVAILABLE");
    for (size_t i = 0; i < s->count; i++) {
        const struct smt_property *p = s->properties[i];
        const struct smt_outcome *o = &s->outcomes[i];
        buffer_format(out, "| `%s` | %s | %u | %s | %.2f", p->name, smt_verdict_name(o->verdict), o->claims,
                      smt_solver_name(p->solver), o->solver_s[SMT_Z3]);
        record_cross(s, p, o, out);
        record_drat(s, o, out);
    }
}
