/* warpcheck verify: judges `case => result` lines from standard input. */
#include "check/checker.h"
#include "cli/registry.h"
#include "cli/ui/draw.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/ask.h"
#include "cli/work/findings.h"
#include "cli/work/judged.h"
#include "warpcheck/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MALFORMED_SHOWN 10u
#define VERIFY_LINE_MAX (4u * WARP_TEXT_MAX) /* a case and its result, also padded */

struct verify {
    const struct warp_impl *reference;
    uint64_t show; /* mismatches that are drawn */
    bool json, out_of_memory;
    uint64_t lines, compared, lane_results, mismatches, malformed;
    uint64_t not_accepted;  /* by the reference */
    uint64_t declined;      /* answers `not accepted: why` */
    struct checker reasons; /* why, and how many */
    struct judged judged;   /* mismatches and agreements, for their causes */
    uint64_t empty; /* of which nothing could be compared: no lane is active, the parts named are not compared */
    uint32_t parts_any, parts_all; /* that some line, that every line named */
};

static void malformed(struct verify *verify, size_t column, const char *what)
{
    verify->malformed++;
    if (verify->malformed <= MALFORMED_SHOWN)
        complain("line %llu, column %zu: %s", (unsigned long long)verify->lines, column, what);
}

static void compare(struct verify *verify, const struct warp_text *text)
{
    struct finding f = {.c = text->c, .observed = text->result};
    char why[256];
    if (ask_case(verify->reference, &text->c, &f.reference, why, sizeof why) != ANSWER_GIVEN) {
        verify->not_accepted++;
        return;
    }
    checker_complete(verify->reference, &text->c, 1, &f.reference);
    f.parts = text->parts & verify->reference->provides;
    f.reference_name = verify->reference->name;
    f.observed_name = "input";
    const bool agrees = warp_result_compare(&text->c, &f.reference, &f.observed, f.parts, &f.diff);
    const lanemask lanes = warp_result_compared(&text->c, &f.reference, &f.observed, f.parts);
    if (agrees && lanes == 0) {
        verify->empty++;
        return;
    }
    verify->compared++;
    verify->lane_results += lanes_in(lanes);
    verify->parts_any |= f.parts;
    verify->parts_all &= f.parts;
    verify->mismatches += !agrees;
    verify->out_of_memory |= !judged_add(&verify->judged, &f, agrees, verify->lines);
}

/* An answer that declines its case: counted and shown like what a plugin does not accept. */
static void decline(struct verify *verify, const char *why, size_t why_size)
{
    char text[96];
    text_printable(why, why_size, text, sizeof text);
    checker_decline(&verify->reasons, text[0] != '\0' ? text : "no reason given");
    verify->declined++;
}

static void verify_line(struct verify *verify, const char *line, size_t size)
{
    struct warp_text text;
    struct warp_text_error error;
    const char *why;
    size_t why_size;
    verify->lines++;
    if (size == 0 || line[0] == '#')
        return;
    if (warp_text_declines(line, size, &why, &why_size))
        decline(verify, why, why_size);
    else if (!warp_text_parse(line, size, &text, &error))
        malformed(verify, error.column, error.what);
    else if (!text.has_result)
        malformed(verify, size + 1, "no result: the line must go on with ` => d=... p=...`");
    else if (text.parts == 0)
        malformed(verify, size + 1, "the result names no part: d=, p=, done= ...");
    else
        compare(verify, &text);
}

/* The lines of a file, or of a pipe as they come. */
struct lines {
    FILE *in;
    char text[1u << 18];
    size_t at, end; /* what was read and not handed out */
    bool failed;
};
_Static_assert(sizeof((struct lines *)0)->text > 4 * VERIFY_LINE_MAX, "no line that can be right is longer");

/* Reads more behind what is there. False at the end of the input, or when it cannot be read, or at Ctrl-C. */
static bool read_more(struct lines *lines)
{
    ssize_t n;
    if (interrupted()) /* also in a line without an end */
        return false;
    memmove(lines->text, lines->text + lines->at, lines->end - lines->at);
    lines->end -= lines->at;
    lines->at = 0;
    do
        n = read(fileno(lines->in), lines->text + lines->end, sizeof lines->text - lines->end);
    while (n < 0 && errno == EINTR && !interrupted());
    lines->failed = n < 0 && !interrupted();
    lines->end += n > 0 ? (size_t)n : 0;
    return n > 0;
}

/* A line without its end; NULL at the end of the input. `*whole`: it has at most VERIFY_LINE_MAX bytes. What is longer
 * is read to its end and forgotten: no line takes more memory than one that can be right. */
static const char *next_line(struct lines *lines, size_t *size, bool *whole)
{
    char *newline;
    size_t seen = 0;
    *whole = true;
    while ((newline = memchr(lines->text + lines->at + seen, '\n', lines->end - lines->at - seen)) == NULL) {
        seen = lines->end - lines->at;
        *whole = *whole && seen <= VERIFY_LINE_MAX;
        if (!*whole)
            lines->at = lines->end;
        seen = lines->end - lines->at;
        if (!read_more(lines)) {
            newline = lines->text + lines->end;
            break;
        }
    }
    const char *const line = lines->text + lines->at;
    *size = (size_t)(newline - line);
    *whole = *whole && *size <= VERIFY_LINE_MAX;
    if (newline == lines->text + lines->end && *size == 0 && *whole)
        return NULL;
    lines->at += *size + (newline < lines->text + lines->end);
    while (*size > 0 && line[*size - 1] == '\r')
        --*size;
    return line;
}

/* False when the input could not be read to its end. */
static bool read_lines(struct verify *verify, FILE *in)
{
    static struct lines lines;
    struct progress progress;
    const char *line;
    size_t size;
    bool whole;
    lines.in = in;
    progress_start(&progress, "verify");
    while (!interrupted() && (line = next_line(&lines, &size, &whole)) != NULL) {
        if (whole) {
            verify_line(verify, line, size);
        } else {
            verify->lines++;
            malformed(verify, VERIFY_LINE_MAX + 1, "longer than any line that a case and its result make");
        }
        progress_update(&progress, verify->lines, 0, 0.0, verify->mismatches);
    }
    progress_end(&progress);
    return !lines.failed;
}

static void print_parts(const char *what, uint32_t parts)
{
    static const char *const names[] = {"d", "p", "d_defined", "outcome", "waits_for"};
    printf("%s", what);
    for (size_t i = 0; i < 5; i++)
        if (parts >> i & 1u)
            printf(" %s", names[i]);
    printf(parts ? "\n" : " nothing\n");
}

/* --- what is wrong, by cause --- */

static const char *group_words(const struct judged_group *g, char text[CAUSE_TEXT_MAX])
{
    if (g->known)
        return cause_term_words(&g->term, text);
    snprintf(text, CAUSE_TEXT_MAX, "no known mistake explains it");
    return text;
}

static void print_forms(uint64_t forms)
{
    const char *comma = "in ";
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (forms >> form & 1u) {
            printf("%s%s", comma, warp_form_get(form)->name);
            comma = ", ";
        }
    printf("\n");
}

static void print_group(const struct judged_group *g, bool drawn)
{
    char words[CAUSE_TEXT_MAX], call[400];
    const struct finding *const f = &g->lead->f;
    const lanemask wrong = f->diff.d | f->diff.p | f->diff.outcome | f->diff.d_defined | f->diff.waits_for;
    unsigned lane = 0;
    printf("%sMISMATCH%s in line %llu: %s\n%s lines ", paint(PAINT_RED), paint(PAINT_PLAIN),
           (unsigned long long)g->lead->line, group_words(g, words), number_text(g->times));
    print_forms(g->forms);
    if (!drawn)
        return;
    finding_print(f, false);
    while (lane < WARP_LANES - 1 && !(wrong >> lane & 1u))
        lane++;
    if (f->diff.d && plain_call(&f->c, lane, call, sizeof call))
        printf("  in CUDA: %s in lane %u returns 0x%x, must be 0x%x\n", call, lane, (unsigned)f->observed.d[lane],
               (unsigned)f->reference.d[lane]);
    printf("\n");
}

static void print_causes(const struct verify *verify)
{
    const struct judged *const j = &verify->judged;
    char text[CAUSE_TEXT_MAX];
    for (size_t f = 0; f < WARP_FAMILIES; f++)
        if (j->evidence[f].mismatches > 0)
            printf("%scause%s: %s [in %s]\n", paint(PAINT_BOLD), paint(PAINT_PLAIN),
                   cause_text(&j->causes[f], (enum warp_family)f, text), warp_family_name((uint32_t)f));
    if (j->unsorted)
        printf("%s mismatches more were not sorted: there was room for %u kinds\n", number_text(j->unsorted),
               JUDGED_KINDS_MAX);
    if (j->groups_count > 0)
        printf("\n");
    for (size_t i = 0; i < j->groups_count; i++)
        print_group(&j->groups[i], i < verify->show);
}

static void write_causes(const struct verify *verify)
{
    const struct judged *const j = &verify->judged;
    char text[CAUSE_TEXT_MAX];
    out_begin_array("mismatches_shown");
    for (size_t i = 0; i < j->groups_count && i < verify->show; i++) {
        const struct finding *const f = &j->groups[i].lead->f;
        out_begin_object(NULL);
        out_number("line", j->groups[i].lead->line);
        out_number("times", j->groups[i].times);
        out_text("cause", group_words(&j->groups[i], text));
        out_case("case", &f->c);
        out_result("expected", &f->reference, f->parts);
        out_result("answer", &f->observed, f->parts);
        out_end();
    }
    out_end();
    out_begin_array("causes");
    for (size_t f = 0; f < WARP_FAMILIES; f++)
        if (j->evidence[f].mismatches > 0) {
            out_begin_object(NULL);
            out_text("instruction", warp_family_name((uint32_t)f));
            out_text("text", cause_text(&j->causes[f], (enum warp_family)f, text));
            out_end();
        }
    out_end();
}

/* --- the end --- */

static void print_totals(const struct verify *verify, const char *verdict)
{
    if (verify->json) {
        out_number("lines", verify->lines);
        out_number("compared", verify->compared);
        out_number("lane_results", verify->lane_results);
        out_number("mismatches", verify->mismatches);
        out_number("not_accepted", verify->not_accepted);
        out_number("declined", verify->declined);
        out_begin_array("declined_why");
        for (size_t i = 0; i < verify->reasons.reasons_count; i++) {
            out_begin_object(NULL);
            out_text("why", verify->reasons.reasons[i].why);
            out_number("cases", verify->reasons.reasons[i].cases);
            out_end();
        }
        out_end();
        out_number("nothing_compared", verify->empty);
        out_number("malformed", verify->malformed);
        out_number("parts_compared_everywhere", verify->compared ? verify->parts_all : 0);
        out_number("parts_compared_somewhere", verify->parts_any);
        out_text("verdict", verdict);
        out_print();
        return;
    }
    for (size_t i = 0; i < verify->reasons.reasons_count; i++)
        printf("not accepted: %s cases: %s\n", number_text(verify->reasons.reasons[i].cases),
               verify->reasons.reasons[i].why);
    print_parts("compared in every case:", verify->compared ? verify->parts_all : 0);
    if (verify->compared && verify->parts_any != verify->parts_all)
        print_parts("compared in some cases:", verify->parts_any);
    printf("%s: %s mismatches in %s cases (%s lane results)", verdict, number_text(verify->mismatches),
           number_text(verify->compared), number_text(verify->lane_results));
    if (verify->not_accepted)
        printf(", %s not accepted by the reference", number_text(verify->not_accepted));
    if (verify->declined)
        printf(", %s not accepted", number_text(verify->declined));
    if (verify->empty)
        printf(", %s lines of which nothing could be compared", number_text(verify->empty));
    if (verify->malformed)
        printf(", %s malformed lines", number_text(verify->malformed));
    printf("\n");
}

static int judge(struct verify *verify, FILE *in, const char *name)
{
    verify->parts_all = WARP_PART_ALL;
    bool whole = read_lines(verify, in);
    judged_settle(&verify->judged);
    if (verify->json) {
        out_start();
        write_causes(verify);
    } else {
        print_causes(verify);
    }
    const char *verdict = verify->mismatches      ? "MISMATCH"
                          : interrupted()         ? "INTERRUPTED"
                          : verify->malformed     ? "MALFORMED INPUT"
                          : verify->compared == 0 ? "NOTHING COMPARED"
                          : verify->declined      ? "what was answered agrees"
                                                  : "all agree";
    print_totals(verify, verdict);
    fflush(stdout);
    if (verify->malformed > MALFORMED_SHOWN)
        complain("and %s malformed lines more", number_text(verify->malformed - MALFORMED_SHOWN));
    if (!whole && !interrupted())
        return usage_error(&command_verify, "%s: cannot be read", name);
    if (verify->out_of_memory)
        return usage_error(&command_verify, "out of memory: the causes rest on a part of the answers");
    if (verify->malformed)
        return STATUS_USAGE;
    return verify->mismatches || interrupted() || verify->compared == 0 ? STATUS_MISMATCH : STATUS_AGREE;
}

static int run_main(int argc, char **argv)
{
    static struct verify verify; /* large */
    const char *reference = "spec";
    const struct option table[] = {
        {OPT_REFERENCE, &reference, NULL, false},
        {OPT_SHOW, &verify.show, NULL, false},
        {OPT_JSON, &verify.json, NULL, false},
    };
    verify = (struct verify){.show = 3};
    int operands = options_parse(&command_verify, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 1)
        return usage_error(&command_verify, "reads one file, or standard input");
    const char *name = operands == 1 ? argv[1] : "-";
    FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
    if (!in)
        return usage_error(&command_verify, "%s: %s", name, strerror(errno));
    verify.reference = ask_open(&command_verify, reference);
    interrupt_catch();
    int status = verify.reference ? judge(&verify, in, name) : STATUS_USAGE;
    registry_close(verify.reference);
    judged_free(&verify.judged);
    if (in != stdin)
        fclose(in);
    return status;
}

const struct command command_verify = {
    .name = "verify",
    .summary = "judge `case => result` lines, the other end of the pipe",
    .help = "usage: warpcheck verify [FILE] [OPTION...]\n"
            "\n"
            "Reads lines `warp1 ... => d=... p=... done=...` (docs/formats.md) and compares each result with the\n"
            "transcription of the manual. A result may leave parts out; what was compared is printed. The answer\n"
            "`not accepted: why` declines a case, and is counted. Mismatches are sorted by cause at the end.\n"
            "\n"
            "  warpcheck gen vote | ./mine | warpcheck verify\n",
    .run = run_main};
