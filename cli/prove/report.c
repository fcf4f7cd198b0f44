#include "cli/prove/report.h"

#include "cli/command.h"
#include "cli/ui/draw.h"
#include "cli/ui/json.h"
#include "cli/ui/terminal.h"
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
        printf(", agreed on %u of %u", o->agreed, o->claims);
    if (o->undecided > 0)
        printf(", cvc5 TIMEOUT on %u of %u", o->undecided, o->claims);
    if (o->drat_checked + o->drat_trivial > 0)
        printf(", DRAT checked %u, trivial %u", o->drat_checked, o->drat_trivial);
    if (o->drat_undecided > 0)
        printf(", DRAT TIMEOUT on %u", o->drat_undecided);
    if (!good)
        printf("  (expected %s)", smt_verdict_name(p->expected));
    printf("\n");
    if (!good && o->note[0] != '\0')
        printf("    %s\n", o->note);
}

static void draw_witness(const struct smt_outcome *o)
{
    for (unsigned i = 0; i < o->cases; i++) {
        struct warp_result r;
        char error[128];
        char lanes[DRAW_LANES_MAX];
        struct drawing drawing = {
            .c = &o->c[i], .expected = &r, .expected_name = "spec", .parts = WARP_PART_ALL, .lanes = o->lanes[i]};
        const struct warp_impl *spec = spec_get();
        if (!spec->eval(spec->state, &o->c[i], 1, &r, error, sizeof error))
            continue;
        if (o->cases > 1)
            printf("  instruction %u of %u\n", i + 1, o->cases);
        printf("  what matters: %s\n", draw_lanes(o->lanes[i], lanes, sizeof lanes));
        draw_case(stdout, &drawing);
    }
}

static void describe_witness(const struct smt_property *p, const struct smt_outcome *o, bool draw)
{
    printf("\n%s%s%s: %s\n  false: %s", paint(PAINT_BOLD), p->name, paint(PAINT_PLAIN), p->sentence, o->note);
    printf("%s%s; replayed on %u implementations\n", o->witness[0] != '\0' ? "; " : "", o->witness, o->replayed);
    if (draw || o->verdict != p->expected)
        draw_witness(o);
}

/* Of how many properties both solvers decided everything; the others by name. */
static void print_agreement(const struct session *s)
{
    size_t both = 0;
    for (size_t i = 0; i < s->count; i++)
        both += s->outcomes[i].claims > 0 && s->outcomes[i].agreed == s->outcomes[i].claims;
    printf("\nZ3 and cvc5 agree on every claim of %zu properties of %zu\n", both, s->count);
    for (size_t i = 0; i < s->count; i++)
        if (s->properties[i]->solver != SMT_Z3)
            printf("  %s: decided by %s alone\n", s->properties[i]->name, smt_solver_name(s->properties[i]->solver));
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
    printf("\n%zu properties, %zu not as expected, %.1f s (%.1f s of proving); Z3 %s, cvc5 %s\n", s->count - untried,
           prove_unexpected(s), clock_seconds() - s->begin, seconds, smt_z3_version(),
           smt_cvc5_version() != NULL ? smt_cvc5_version() : "UNAVAILABLE");
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
    out_number("claims", o->claims);
    out_number("agreed", o->agreed);
    out_number("undecided_by_cvc5", o->undecided);
    out_number("drat_checked", o->drat_checked);
    out_number("drat_undecided", o->drat_undecided);
    out_number("drat_trivial", o->drat_trivial);
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

void prove_write_record(const struct session *s, FILE *out)
{
    fprintf(out,
            "# Who proved what\n\nWritten by `warpcheck prove --record FILE`, with Z3 %s, cvc5 %s, cadical %s. A "
            "column says how many of a "
            "property's claims were decided\nby which solver; times are of the whole property, with all solvers, in "
            "seconds.\n\n"
            "| property | verdict | claims | first solver | s | cvc5 agrees | DRAT checked | trivial |\n"
            "|---|---|---|---|---|---|---|---|\n",
            smt_z3_version(), smt_cvc5_version() != NULL ? smt_cvc5_version() : "UNAVAILABLE",
            smt_cadical_version() != NULL ? smt_cadical_version() : "UNAVAILABLE");
    for (size_t i = 0; i < s->count; i++) {
        const struct smt_property *p = s->properties[i];
        const struct smt_outcome *o = &s->outcomes[i];
        fprintf(out, "| `%s` | %s | %u | %s | %.2f | ", p->name, smt_verdict_name(o->verdict), o->claims,
                smt_solver_name(p->solver), o->seconds);
        if (p->solver != SMT_Z3)
            fprintf(out, "alone");
        else if (!s->cross)
            fprintf(out, "not asked");
        else if (o->undecided > 0)
            fprintf(out, "%u, TIMEOUT on %u", o->agreed, o->undecided);
        else
            fprintf(out, "%u", o->agreed);
        fprintf(out, " | %u | %u |\n", o->drat_checked, o->drat_trivial);
    }
}
