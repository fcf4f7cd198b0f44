#define _GNU_SOURCE /* memmem */
/* warpcheck verify: judges `case => result` lines from standard input. */
#include "base/buffer.h"
#include "base/random.h"
#include "check/checker.h"
#include "cli/registry.h"
#include "cli/ui/draw.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/ask.h"
#include "cli/work/findings.h"
#include "check/campaign/judged.h"
#include "check/campaign/lead.h"
#include "cli/work/stages.h"
#include "warpcheck/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MALFORMED_SHOWN  10u
#define VERIFY_SEEN_BITS 20u /* of hashes that are kept, to count cases that come again */
#define VERIFY_SEEN_NEAR 16u
#define VERIFY_LINE_MAX  (4u * WARP_TEXT_MAX) /* a case and its result, also padded */

struct verify {
    const struct warp_impl *reference;
    uint64_t show; /* mismatches that are drawn */
    bool json, out_of_memory;
    uint64_t lines, compared, lane_results, mismatches, malformed;
    uint64_t again;         /* of those compared: the same case as one before */
    uint64_t not_accepted;  /* by the reference */
    uint64_t unanswered;    /* by the reference, which failed */
    uint64_t declined;      /* answers `not accepted: why` */
    struct checker reasons; /* why, and how many */
    struct judged judged;   /* mismatches and agreements, for their causes */
    uint64_t empty; /* of which nothing could be compared: no lane is active, the parts named are not compared */
    uint64_t count; /* cases that were asked; 0: that is not known */
    uint32_t parts_any, parts_all;           /* that some line, that every line named */
    uint32_t parts_missing;                  /* that some line left out although its case has them */
    uint64_t forms_compared, forms_declined; /* bit sets of enum warp_form; a line may not say what it declines */
    const char *impl_option;
    const struct warp_impl *impl; /* who gave the answers, to be asked again; NULL: nobody can be */
    bool ended_badly;             /* that one, or the reference */
};

enum verified {
    VERIFIED_AGREES, /* every answer was compared, in every part */
    VERIFIED_PARTLY,
    VERIFIED_MISMATCH,
    VERIFIED_INTERRUPTED,
    VERIFIED_MALFORMED,
    VERIFIED_MISSING, /* there are fewer answers than cases */
    VERIFIED_TOO_MANY,
    VERIFIED_NOTHING,  /* was compared */
    VERIFIED_REPEATED, /* nearly all are the same few cases, and --count says how many there should be */
    VERIFIED_FAILED    /* the reference gave no answer, or an implementation ended as none should */
};

static void malformed(struct verify *verify, size_t column, const char *what)
{
    verify->malformed++;
    if (verify->malformed <= MALFORMED_SHOWN)
        complain("line %llu, column %zu: %s", (unsigned long long)verify->lines, column, what);
}

/* The parts that the reference's answer to this case has. */
static uint32_t parts_of(const struct warp_case *c, const struct warp_result *answer)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    return WARP_PART_OUTCOME | (answer->waiting != 0 ? WARP_PART_WAITS_FOR : 0u) |
           (warp_form_writes_d(info, c->dst) ? WARP_PART_D : 0u) |
           (warp_form_writes_p(info, c->dst) ? WARP_PART_P : 0u) |
           (warp_form_is_shfl(info) && warp_form_writes_d(info, c->dst) ? WARP_PART_D_DEFINED : 0u);
}

/* Did this case come before? Exact up to about a million cases; of more, some that come again are missed. */
static bool comes_again(const struct warp_case *c)
{
    static uint64_t seen[UINT64_C(1) << VERIFY_SEEN_BITS]; /* hashes of cases; 0: free */
    char line[WARP_TEXT_MAX];
    const size_t length = warp_case_to_text(c, line, sizeof line);
    const uint64_t hash = hash_bytes(HASH_START, line, length), most = (UINT64_C(1) << VERIFY_SEEN_BITS) - 1;
    for (uint64_t n = 0; n < VERIFY_SEEN_NEAR; n++) {
        uint64_t *const at = &seen[((hash >> 32) + n) & most];
        if (*at == hash)
            return true;
        if (*at == 0) {
            *at = hash;
            break;
        }
    }
    return false;
}

static void compare(struct verify *verify, const struct warp_text *text)
{
    struct finding f = {.c = text->c, .observed = text->result};
    char why[256];
    const enum answer answer = ask_case(verify->reference, &text->c, &f.reference, why, sizeof why);
    if (answer != ANSWER_GIVEN) {
        if (answer == ANSWER_FAILED && verify->unanswered++ == 0)
            complain("line %llu: %s could not answer: %s", (unsigned long long)verify->lines, verify->reference->name,
                     why);
        verify->not_accepted += answer == ANSWER_NOT_ACCEPTED;
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
    verify->again += comes_again(&text->c);
    verify->lane_results += lanes_in(lanes);
    verify->parts_any |= f.parts;
    verify->parts_all &= f.parts;
    verify->parts_missing |= parts_of(&f.c, &f.reference) & ~f.parts;
    verify->forms_compared |= UINT64_C(1) << f.c.form;
    verify->mismatches += !agrees;
    verify->out_of_memory |= !judged_add(&verify->judged, &f, agrees, verify->lines);
}

/* An answer that declines its case: counted and shown like what a plugin does not accept. */
static void decline(struct verify *verify, const char *line, const char *why, size_t why_size)
{
    struct warp_text declined;
    struct warp_text_error error;
    const char *const arrow = memmem(line, (size_t)(why - line), "=>", 2);
    char text[96];
    if (arrow != NULL && warp_text_parse(line, (size_t)(arrow - line), &declined, &error))
        verify->forms_declined |= UINT64_C(1) << declined.c.form;
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
        decline(verify, line, why, why_size);
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

/* The calls that show it, to be asked in this order. */
static void print_sequence(const struct verify *verify, const struct judged_entry *e)
{
    char line[WARP_TEXT_MAX];
    printf("reduced in %s steps by asking %s again in fresh processes: alone it agrees, in this sequence case %zu "
           "differs:\n\n",
           number_text(e->steps), shown(verify->impl_option), e->f.sequence_at + 1);
    for (size_t i = 0; i < e->f.sequence_n; i++) {
        warp_case_to_text(&e->f.sequence[i], line, sizeof line);
        printf("%s\n", line);
    }
    printf("\n");
}

static void print_origin(const struct verify *verify, const struct judged_entry *e)
{
    if (e->reduced && e->f.sequence != NULL)
        print_sequence(verify, e);
    else if (e->reduced)
        printf("reduced in %s steps by asking %s again; one line, and as a drawing:\n\n", number_text(e->steps),
               shown(verify->impl_option));
    else if (verify->impl_option != NULL && e->after > 0)
        printf("not reduced: asked again, %s agrees with the reference, also after what came before the first of "
               "these lines (%s of its cases); line %s as it came:\n\n",
               shown(verify->impl_option), number_text(e->after), number_text(e->line));
    else if (verify->impl_option != NULL)
        printf("not reduced: asked again, %s %s; line %s as it came:\n\n", shown(verify->impl_option),
               e->unasked ? "gives no answer" : "agrees with the reference", number_text(e->line));
    else
        printf("not reduced, for nobody can be asked again (--impl): the plainest of the lines, as it came:\n\n");
}

/* What a maintainer wants to know first, as `run` says it. */
static void print_entry(const struct verify *verify, const struct judged_entry *e, bool drawn)
{
    const unsigned reading = causes_reading(&e->entry);
    char cause[CAUSE_LINE_MAX], call[LEAD_CALL_MAX], notes[LEAD_NOTES_MAX];
    struct buffer hits = {0};
    uint64_t lines = 0;
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        lines += e->entry.hits[form];
    report_add_hits(&hits, e->entry.hits);
    printf("%sMISMATCH%s in line %llu: %s against %s%s\n", paint(PAINT_RED), paint(PAINT_PLAIN),
           (unsigned long long)e->line, shown(e->f.observed_name), shown(e->f.reference_name),
           e->f.sequence != NULL ? ", only after other calls" : "");
    printf("%scause%s: %s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN), shown(causes_text(&e->entry, cause)));
    if (e->f.sequence == NULL && lead_call(&e->entry, &e->f, call)[0] != '\0')
        printf("CUDA: %s\n", call);
    if (lead_notes(&e->entry, &e->f, notes)[0] != '\0')
        printf("seen: %s\n", notes);
    if (reading != 0)
        printf("this rests on a reading of the manual: number %u of docs/ambiguities.md\n", reading);
    printf("%s lines in %s\n", number_text(lines), buffer_string(&hits));
    buffer_free(&hits);
    if (drawn) {
        print_origin(verify, e);
        finding_print(&e->f, false);
    }
    printf("\n");
}

static void print_causes(const struct verify *verify)
{
    const struct judged *const j = &verify->judged;
    for (size_t i = 0; i < j->entries_count; i++)
        print_entry(verify, &j->entries[i], i < verify->show);
    if (j->unsorted)
        printf("%s mismatches more were counted and not sorted: there is room for %s of each instruction\n\n",
               number_text(j->unsorted), number_text(JUDGED_MISMATCHES));
}

static void write_causes(const struct verify *verify)
{
    const struct judged *const j = &verify->judged;
    out_begin_array("causes");
    for (size_t i = 0; i < j->entries_count; i++) {
        const struct judged_entry *const e = &j->entries[i];
        char cause[CAUSE_LINE_MAX], call[LEAD_CALL_MAX];
        uint64_t lines = 0;
        for (uint32_t form = 0; form < WARP_FORMS; form++)
            lines += e->entry.hits[form];
        out_begin_object(NULL);
        out_text("instruction", warp_family_name(causes_family(&e->entry)));
        out_text("text", causes_text(&e->entry, cause));
        out_number("times", lines);
        out_number("line", e->line);
        out_bool("reduced", e->reduced);
        out_bool("history", e->entry.kind == ENTRY_HISTORY);
        out_text("cuda", e->f.sequence != NULL ? "" : lead_call(&e->entry, &e->f, call));
        out_begin_array("sequence");
        for (size_t k = 0; e->f.sequence != NULL && k < e->f.sequence_n; k++)
            out_case(NULL, &e->f.sequence[k]);
        out_end();
        if (i < verify->show) {
            out_case("case", &e->f.c);
            out_result("expected", &e->f.reference, e->f.parts);
            out_result("answer", &e->f.observed, e->f.parts);
        }
        out_end();
    }
    out_end();
    out_number("not_sorted", j->unsorted);
}

/* --- the end --- */

static uint64_t answers_of(const struct verify *verify)
{
    return verify->compared + verify->not_accepted + verify->unanswered + verify->declined + verify->empty +
           verify->malformed;
}

static uint64_t missing_of(const struct verify *verify)
{
    return verify->count > answers_of(verify) ? verify->count - answers_of(verify) : 0;
}

static enum verified verdict_of(const struct verify *verify)
{
    if (verify->mismatches)
        return VERIFIED_MISMATCH;
    if (interrupted())
        return VERIFIED_INTERRUPTED;
    if (verify->malformed)
        return VERIFIED_MALFORMED;
    if (missing_of(verify) > 0)
        return VERIFIED_MISSING;
    if (verify->count > 0 && answers_of(verify) > verify->count)
        return VERIFIED_TOO_MANY;
    if (verify->ended_badly || verify->unanswered)
        return VERIFIED_FAILED;
    if (verify->compared == 0)
        return VERIFIED_NOTHING;
    if (verify->count > 0 && verify->again * 20 > verify->compared * 19)
        return VERIFIED_REPEATED;
    return verify->declined || verify->not_accepted || verify->empty || verify->parts_missing ? VERIFIED_PARTLY
                                                                                              : VERIFIED_AGREES;
}

static const char *const verdict_names[] = {
    [VERIFIED_MISMATCH] = "MISMATCH",
    [VERIFIED_INTERRUPTED] = "INTERRUPTED",
    [VERIFIED_MALFORMED] = "MALFORMED INPUT",
    [VERIFIED_MISSING] = "MISSING ANSWERS",
    [VERIFIED_TOO_MANY] = "TOO MANY ANSWERS",
    [VERIFIED_NOTHING] = "NOTHING COMPARED",
    [VERIFIED_REPEATED] = "REPEATED CASES",
    [VERIFIED_FAILED] = "FAILED",
    [VERIFIED_PARTLY] = "agrees",
    [VERIFIED_AGREES] = "all agree",
};

/* Forms, cases and parts of results that no answer was compared in. */
static void add_not_offered(const struct verify *verify, struct buffer *text)
{
    const uint64_t never = verify->forms_declined & ~verify->forms_compared;
    const uint32_t parts = verify->parts_missing & ~verify->parts_any, some = verify->parts_missing & verify->parts_any;
    const size_t before = text->size;
    report_add_forms(text, never);
    if (verify->declined > 0 && never == 0)
        buffer_text(text, "some cases of these");
    if (parts != 0) {
        buffer_text(text, text->size > before ? ", " : "");
        report_add_parts(text, parts);
    }
    if (some != 0) {
        buffer_text(text, text->size > before ? ", in some cases " : "in some cases ");
        report_add_parts(text, some);
    }
}

static void write_totals(const struct verify *verify)
{
    struct buffer forms = {0}, others = {0};
    report_add_forms(&forms, verify->forms_compared);
    add_not_offered(verify, &others);
    out_number("lines", verify->lines);
    out_number("compared", verify->compared);
    out_number("came_again", verify->again);
    out_number("lane_results", verify->lane_results);
    out_number("mismatches", verify->mismatches);
    out_number("not_accepted", verify->not_accepted);
    out_number("not_answered", verify->unanswered);
    out_bool("ended_well", !verify->ended_badly);
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
    out_number("missing", missing_of(verify));
    out_bool("interrupted", interrupted());
    out_text("forms", buffer_string(&forms));
    out_text("not_offered", buffer_string(&others));
    out_number("parts_compared_everywhere", verify->compared ? verify->parts_all : 0);
    out_number("parts_compared_somewhere", verify->parts_any);
    out_text("verdict", verdict_names[verdict_of(verify)]);
    out_print();
    buffer_free(&forms);
    buffer_free(&others);
}

/* What was not compared, behind the verdict. */
static void print_rest(const struct verify *verify)
{
    if (verify->again)
        printf(", %s of them the same case as one before", number_text(verify->again));
    if (verify->not_accepted)
        printf(", %s not accepted by the reference", number_text(verify->not_accepted));
    if (verify->unanswered)
        printf(", %s not answered by the reference", number_text(verify->unanswered));
    if (verify->ended_badly)
        printf(", an implementation ended as none should");
    if (verify->declined)
        printf(", %s not accepted", number_text(verify->declined));
    if (verify->empty)
        printf(", %s lines of which nothing could be compared", number_text(verify->empty));
    if (verify->malformed)
        printf(", %s malformed lines", number_text(verify->malformed));
    if (verify->count > 0 && missing_of(verify) > 0)
        printf(", %s of %s answers are missing", number_text(missing_of(verify)), number_text(verify->count));
    else if (verify->count > 0 && answers_of(verify) > verify->count)
        printf(", %s answers to %s cases", number_text(answers_of(verify)), number_text(verify->count));
    printf("\n");
}

/* The last line: the verdict, over how many cases, and what was not offered. */
static void print_verdict(const struct verify *verify)
{
    const enum verified verdict = verdict_of(verify);
    const bool good = verdict == VERIFIED_AGREES || verdict == VERIFIED_PARTLY;
    struct buffer text = {0};
    printf("%s%s%s", paint(good ? PAINT_GREEN : PAINT_RED), verdict_names[verdict], paint(PAINT_PLAIN));
    if (verdict == VERIFIED_PARTLY) {
        report_add_forms(&text, verify->forms_compared);
        buffer_text(&text, "; not offered: ");
        const size_t before = text.size;
        add_not_offered(verify, &text);
        if (text.size == before)
            buffer_text(&text, "some cases of these");
        printf(" on %s cases (%s lane results) of %s", number_text(verify->compared), number_text(verify->lane_results),
               buffer_string(&text));
    } else {
        printf(": %s mismatches in %s cases (%s lane results)", number_text(verify->mismatches),
               number_text(verify->compared), number_text(verify->lane_results));
    }
    buffer_free(&text);
    print_rest(verify);
}

static void print_totals(const struct verify *verify)
{
    for (size_t i = 0; i < verify->reasons.reasons_count; i++)
        printf("not accepted: %s cases: %s\n", number_text(verify->reasons.reasons[i].cases),
               verify->reasons.reasons[i].why);
    print_parts("compared in every case:", verify->compared ? verify->parts_all : 0);
    if (verify->compared && verify->parts_any != verify->parts_all)
        print_parts("compared in some cases:", verify->parts_any);
    if (interrupted() && verdict_of(verify) != VERIFIED_INTERRUPTED)
        printf("INTERRUPTED: what came behind was not read\n");
    print_verdict(verify);
}

static int status_of(enum verified verdict)
{
    switch (verdict) {
    case VERIFIED_AGREES:
    case VERIFIED_PARTLY:
        return STATUS_AGREE;
    case VERIFIED_MALFORMED:
        return STATUS_USAGE;
    case VERIFIED_MISMATCH:
    case VERIFIED_INTERRUPTED:
    case VERIFIED_MISSING:
    case VERIFIED_TOO_MANY:
    case VERIFIED_NOTHING:
    case VERIFIED_REPEATED:
    case VERIFIED_FAILED:
        break;
    }
    return STATUS_MISMATCH;
}

static int judge(struct verify *verify, FILE *in, const char *name)
{
    verify->parts_all = WARP_PART_ALL;
    bool whole = read_lines(verify, in);
    verify->out_of_memory |= !judged_settle(&verify->judged, verify->reference, verify->impl);
    if (verify->json) {
        out_start();
        write_causes(verify);
    } else {
        print_causes(verify);
    }
    fflush(stdout);
    verify->ended_badly = !registry_close(verify->impl);
    verify->ended_badly |= !registry_close(verify->reference);
    if (verify->json)
        write_totals(verify);
    else
        print_totals(verify);
    fflush(stdout);
    if (verify->malformed > MALFORMED_SHOWN)
        complain("and %s malformed lines more", number_text(verify->malformed - MALFORMED_SHOWN));
    if (!whole && !interrupted())
        return usage_error(&command_verify, "%s: cannot be read", name);
    if (verify->out_of_memory)
        return usage_error(&command_verify, "out of memory: the causes rest on a part of the answers");
    return verify->malformed ? STATUS_USAGE : status_of(verdict_of(verify));
}

/* A FIFO is fine, for answers come by it; a device but a terminal gives none, and may never end. */
static FILE *open_input(const char *name)
{
    struct stat status;
    FILE *const in = fopen(name, "r");
    if (in == NULL) {
        usage_error(&command_verify, "%s: %s", name, strerror(errno));
    } else if (fstat(fileno(in), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) &&
               !S_ISDIR(status.st_mode) && !isatty(fileno(in))) {
        usage_error(&command_verify, "%s: is a device; give a file, a FIFO, or - for standard input", name);
        fclose(in);
        return NULL;
    }
    return in;
}

static int run_main(int argc, char **argv)
{
    static struct verify verify; /* large */
    const char *reference = "spec";
    const struct option table[] = {
        {OPT_REFERENCE, &reference, NULL, false},      {OPT_IMPL, &verify.impl_option, NULL, false},
        {OPT_COUNT_ASKED, &verify.count, NULL, false}, {OPT_SHOW, &verify.show, NULL, false},
        {OPT_JSON, &verify.json, NULL, false},
    };
    verify = (struct verify){.show = 3};
    int operands = options_parse(&command_verify, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 1)
        return usage_error(&command_verify, "reads one file, or standard input");
    const char *name = operands == 1 ? argv[1] : "-";
    FILE *in = strcmp(name, "-") == 0 ? stdin : open_input(name);
    if (!in)
        return STATUS_USAGE;
    verify.reference = ask_open(&command_verify, reference);
    if (verify.reference && verify.impl_option)
        verify.impl = ask_open_guarded(&command_verify, verify.impl_option);
    interrupt_catch();
    const bool opened = verify.reference && (verify.impl || !verify.impl_option);
    int status = opened ? judge(&verify, in, name) : STATUS_USAGE;
    if (!opened) {
        registry_close(verify.impl);
        registry_close(verify.reference);
    }
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
            "`not accepted: why` declines a case, and is counted. Mismatches are sorted by cause at the end; with\n"
            "--impl the plainest case of each cause is asked again and reduced, as `run` does; one that then\n"
            "agrees is asked again after the cases that came before it, for what is kept between calls.\n"
            "\n"
            "  warpcheck gen vote --count 5000 | ./mine | warpcheck verify --count 5000 --impl pipe:./mine\n",
    .run = run_main};
