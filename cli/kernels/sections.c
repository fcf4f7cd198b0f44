#include "cli/kernels/sections.h"

#include "base/interrupt.h"
#include "base/process.h"
#include "cli/ui/json.h"
#include "cli/ui/terminal.h"
#include "cli/work/programs.h"
#include "kernel/execute.h"

#ifdef WARPCHECK_HAVE_SMT
#include "smt/program.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUTS 1000u /* on which each claim is tested */

/* What is said of a claim, the best first. */
enum said { SAID_PROVED, SAID_HELD, SAID_UNKNOWN, SAID_REFUTED, SAID_CONTRADICTED };

struct told_claim {
    const struct section *section;
    size_t claim; /* of its program */
    struct program_claim_record record;
    enum said said;
    char why[400]; /* of UNKNOWN, REFUTED and CONTRADICTED */
    double seconds;
};

struct told_sections {
    const char *path;
    struct sections sections;
    struct told_claim *claims;
    size_t count;
    bool prove;
};

static const struct program_claim *claim_of(const struct told_claim *c)
{
    return &c->section->program->claims[c->claim];
}

/* ---- executing ---- */

/*
 * Where add.f32 or mul.f32 stands for any operation, execution tests it on numbers of which it is exact: of others a
 * tree gives other bits than a chain. Where a range is stated it stays. Returns whether any input was limited.
 */
static bool limit_floats(struct program *p, bool limited[PROGRAM_REGISTERS_MAX])
{
    const bool multiplies = p->abstract.op == OP_MUL;
    bool any = false;
    memset(limited, 0, PROGRAM_REGISTERS_MAX * sizeof *limited);
    for (size_t r = 0; r < p->registers_count && r < PROGRAM_REGISTERS_MAX; r++) {
        struct program_input *const input = &p->registers[r].input;
        if (!p->abstract.present || p->abstract.type != PTX_F32 || !input->is_input || input->as != PTX_F32 ||
            input->has_range)
            continue;
        limited[r] = any = input->has_range = true;
        input->low = multiplies ? 1 : -1000;
        input->high = multiplies ? 2 : 1000;
    }
    return any;
}

static bool test(struct told_sections *t, struct section *section, const struct sections_options *o,
                 struct error *error)
{
    static struct program_claim_record records[PROGRAM_CLAIMS_MAX];
    bool limited[PROGRAM_REGISTERS_MAX];
    struct program *const p = section->program;
    const bool exact = limit_floats(p, limited);
    const bool answered = program_test_claims(p, o->impl, o->seed, INPUTS, records, error);
    for (size_t r = 0; exact && r < p->registers_count && r < PROGRAM_REGISTERS_MAX; r++)
        p->registers[r].input.has_range &= !limited[r];
    if (!answered)
        return error_prefix(error, "%s: section %s", t->path, section->name);
    for (size_t n = 0; n < p->claims_count; n++) {
        struct told_claim *const c = &t->claims[t->count++];
        *c = (struct told_claim){.section = section, .claim = n, .record = records[n], .said = SAID_HELD};
        if (program_claim_as_expected(&p->claims[n], &records[n]))
            continue;
        c->said = SAID_REFUTED;
        if (p->claims[n].refute)
            snprintf(c->why, sizeof c->why, "it holds on all %u inputs that were tried", INPUTS);
        else
            program_failure_text(p, &p->claims[n], &records[n], c->why, sizeof c->why);
    }
    return true;
}

/* ---- proving ---- */

#ifdef WARPCHECK_HAVE_SMT
static bool stopped(void *context)
{
    (void)context;
    return interrupted();
}

/* The proof and the executions together. */
static void judge(struct told_claim *c, const struct smt_outcome *o)
{
    const bool refute = claim_of(c)->refute;
    const bool proved = o->verdict == SMT_PROVED, refuted = o->verdict == SMT_REFUTED;
    const bool failed = c->record.failed > 0;
    c->seconds = o->seconds;
    if (proved && failed) {
        c->said = SAID_CONTRADICTED;
    } else if (refute ? refuted || failed : proved) { /* an input on which it fails refutes it */
        c->said = SAID_PROVED;
    } else if (!refute && refuted && !failed) {
        c->said = SAID_REFUTED;
        snprintf(c->why, sizeof c->why, "%.390s", o->witness);
    } else if (c->said == SAID_HELD) {
        c->said = SAID_UNKNOWN;
        snprintf(c->why, sizeof c->why, "%s%s%.300s", smt_verdict_name(o->verdict), o->note[0] != '\0' ? ": " : "",
                 o->note);
    }
}

static bool prove(struct told_sections *t, const struct sections_options *options, struct error *error)
{
    struct smt_options o;
    struct smt_claim *const claims = calloc(t->count + 1, sizeof *claims);
    bool ok = claims != NULL || error_set(error, ERROR_SYSTEM, "out of memory");
    smt_options_init(&o);
    o.timeout_s = options->seconds;
    o.jobs = process_processors();
    o.cross = options->cross;
    o.stop = stopped;
    o.replay = &options->impl;
    o.replay_count = 1;
    for (size_t n = 0; ok && n < t->count; n++)
        claims[n] = (struct smt_claim){.program = t->claims[n].section->program, .claim = t->claims[n].claim};
    ok = ok && smt_prove_claims(claims, t->count, &o, error);
    for (size_t n = 0; ok && n < t->count; n++)
        judge(&t->claims[n], &claims[n].outcome);
    free(claims);
    return ok;
}
#else
static bool prove(struct told_sections *t, const struct sections_options *options, struct error *error)
{
    (void)t, (void)options;
    return error_set(error, ERROR_UNAVAILABLE, "built without Z3 (Debian: libz3-dev)");
}
#endif

static size_t count_claims(const struct sections *s)
{
    size_t count = 0;
    for (size_t n = 0; n < s->count; n++)
        count += s->items[n].program != NULL ? s->items[n].program->claims_count : 0;
    return count;
}

struct told_sections *sections_try(const char *path, const char *text, size_t size,
                                   const struct sections_options *options, struct error *error)
{
    struct told_sections *const t = calloc(1, sizeof *t);
    bool ok = t != NULL || error_set(error, ERROR_SYSTEM, "out of memory");
    if (!ok)
        return NULL;
    *t = (struct told_sections){.path = path, .prove = options->prove};
    ok = sections_read(text, size, &t->sections, error) || error_prefix(error, "%s", path);
    t->claims = calloc(count_claims(&t->sections) + 1, sizeof *t->claims);
    if (ok && t->claims == NULL)
        ok = error_set(error, ERROR_SYSTEM, "out of memory");
    for (size_t n = 0; ok && n < t->sections.count && !interrupted(); n++)
        if (t->sections.items[n].program != NULL)
            ok = test(t, &t->sections.items[n], options, error);
    if (ok && options->prove && t->count > 0)
        ok = prove(t, options, error);
    if (ok)
        return t;
    told_sections_free(t);
    return NULL;
}

void told_sections_free(struct told_sections *t)
{
    if (t == NULL)
        return;
    sections_free(&t->sections);
    free(t->claims);
    free(t);
}

/* A section without a program, or without a claim, says nothing: that is no success. */
static const char *why_nothing(const struct section *s)
{
    return s->program == NULL              ? s->why
           : s->program->claims_count == 0 ? "it has no claim: write one as `//! claim ...` (docs/programs.md)"
                                           : NULL;
}

bool sections_are_whole(const struct told_sections *t)
{
    for (size_t n = 0; n < t->sections.count; n++)
        if (why_nothing(&t->sections.items[n]) != NULL)
            return false;
    for (size_t n = 0; n < t->count; n++)
        if (t->claims[n].said > (t->prove ? SAID_PROVED : SAID_HELD))
            return false;
    return true;
}

bool sections_are_contradicted(const struct told_sections *t)
{
    for (size_t n = 0; n < t->count; n++)
        if (t->claims[n].said == SAID_CONTRADICTED)
            return true;
    return false;
}

/* ---- telling ---- */

static const char *word_of(const struct told_claim *c)
{
    static const char *const claim[] = {"PROVED", "held", "UNKNOWN", "REFUTED", "CONTRADICTED"};
    static const char *const refute[] = {"refuted", "refuted", "UNKNOWN", "NOT REFUTED", "CONTRADICTED"};
    return claim_of(c)->refute ? refute[c->said] : claim[c->said];
}

static enum paint paint_of(enum said said)
{
    return said <= SAID_HELD ? PAINT_GREEN : said == SAID_UNKNOWN ? PAINT_YELLOW : PAINT_RED;
}

static void print_claim(const struct told_claim *c)
{
    const struct program_claim *const claim = claim_of(c);
    printf("    %s%-7s%s %s%s (line %u)\n", paint(paint_of(c->said)), word_of(c), paint(PAINT_PLAIN),
           claim->refute ? "refute " : "", shown(claim->text), claim->line);
    if (c->said == SAID_CONTRADICTED)
        printf("            an execution shows that it fails: this proof is wrong, please report it\n");
    if (c->why[0] != '\0')
        printf("            %s\n", shown(c->why));
}

void sections_print(const struct told_sections *t)
{
    for (size_t n = 0; n < t->sections.count; n++) {
        const struct section *const s = &t->sections.items[n];
        const char *const nothing = why_nothing(s);
        printf("%s: section %s, lines %u to %u%s\n", shown(t->path), shown(s->name), s->line, s->end_line,
               nothing != NULL ? "" : ": of lanes that come to its first line together");
        if (nothing != NULL)
            printf("    %sNOT TESTED%s: %s\n", paint(PAINT_YELLOW), paint(PAINT_PLAIN), shown(nothing));
        for (size_t k = 0; k < t->count; k++)
            if (t->claims[k].section == s)
                print_claim(&t->claims[k]);
        if (nothing == NULL)
            printf("    on %u random inputs%s%s%s\n", INPUTS,
                   s->program->abstract.present && s->program->abstract.type == PTX_F32 ? " of which f32 is exact" : "",
                   t->prove ? ", and for all" : "; --prove tries all of them",
                   s->lane_is_tid ? "; %tid.x % 32 is taken for the lane, as in blocks of one dimension" : "");
    }
}

static void json_claim(const struct told_claim *c, bool prove)
{
    const struct program_claim *const claim = claim_of(c);
    out_begin_object(NULL);
    out_number("line", claim->line);
    out_text("kind", claim->refute ? "refute" : "claim");
    out_text("claim", shown(claim->text));
    out_text("verdict", word_of(c));
    out_number("held", c->record.held);
    out_number("failed", c->record.failed);
    if (c->why[0] != '\0')
        out_text("why", shown(c->why));
    if (prove)
        out_real("seconds", c->seconds);
    out_end();
}

void sections_json(const struct told_sections *t)
{
    for (size_t n = 0; n < t->sections.count; n++) {
        const struct section *const s = &t->sections.items[n];
        out_begin_object(NULL);
        out_text("file", shown(t->path));
        out_text("section", shown(s->name));
        out_number("line", s->line);
        out_number("end_line", s->end_line);
        if (why_nothing(s) != NULL)
            out_text("why", shown(why_nothing(s)));
        out_bool("lane_is_tid", s->lane_is_tid);
        out_begin_array("claims");
        for (size_t k = 0; k < t->count; k++)
            if (t->claims[k].section == s)
                json_claim(&t->claims[k], t->prove);
        out_end();
        out_end();
    }
}
