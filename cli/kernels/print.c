/* For people. */
#include "cli/kernels/report.h"

#include "base/random.h"
#include "base/text.h"
#include "cli/ui/terminal.h"
#include "kernel/silicon.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *told_verdict_name(enum told_verdict verdict)
{
    static const char *const names[TOLD_VERDICTS] = {"clean",     "known",   "error",     "unknown",
                                                     "unreached", "nothing", "unreadable"};
    return names[verdict];
}

bool is_told(const struct told *told, const struct kernel_finding *f)
{
    return told->notes || kernel_is_error(f->event.kind);
}

void totals_add(struct totals *totals, const struct told *told)
{
    totals->entries[told->verdict]++;
    for (uint32_t n = 0; told->search && n < told->search->findings_count; n++) {
        const struct kernel_finding *f = &told->search->findings[n];
        bool is_error = kernel_finding_is_error(f);
        *(told->known[n]   ? &totals->known
          : is_error       ? &totals->errors
          : f->is_question ? &totals->questions
                           : &totals->notes) += 1;
    }
}

void kernel_signature(const struct code *code, const struct kernel_event *event, struct buffer *out)
{
    const struct code_place place = code_place(code, event->at);
    char *line = kernel_source_line(code->module, place.file, place.line);
    buffer_format(out, "%s %s %s ", kernel_kind_name(event->kind), code->entry->name, place.text);
    if (line)
        buffer_format(out, "%016" PRIx64, hash_bytes(HASH_START, line, strlen(line)));
    else
        buffer_text(out, "-");
    free(line);
}

static void print_launches(const struct kernel_search *s, uint32_t set)
{
    for (uint32_t n = 0; n < s->launches_count; n++) {
        if (!(set >> n & 1u))
            continue;
        printf(" %u", s->launches[n][0]);
        if (s->launches[n][1] > 1 || s->launches[n][2] > 1)
            printf("x%u", s->launches[n][1]);
        if (s->launches[n][2] > 1)
            printf("x%u", s->launches[n][2]);
    }
}

static uint32_t tried(const struct kernel_search *s)
{
    uint32_t set = 0;
    for (uint32_t n = 0; n < s->launches_count; n++)
        if (s->launch_executions[n] > 0)
            set |= UINT32_C(1) << n;
    return set;
}

static void print_words(const struct kernel_search *s, const struct kernel_finding *f)
{
    struct buffer b = {0};
    kernel_event_text(s->code, &f->event, &b);
    buffer_text(&b, "\n");
    kernel_event_describe(s->code, &f->event, &b);
    buffer_text(&b, "    input   ");
    kernel_input_describe(&s->slots, &f->input, &b);
    buffer_text(&b, "\n");
    if (f->rule.kind != RULE_NONE) {
        buffer_text(&b, "    ");
        kernel_rule_text(&s->slots, &f->rule, &b);
        buffer_text(&b, "\n");
    }
    printf("%s", buffer_string(&b));
    buffer_free(&b);
}

/* What is in the baseline is told in two lines. */
static void print_known(const struct kernel_search *s, const struct kernel_finding *f, const char *reason)
{
    struct buffer b = {0};
    kernel_place_text(s->code, f->event.at, &b);
    printf("  %sknown %s%s: %s\n    reason  %s\n", paint(PAINT_DIM), kernel_kind_name(f->event.kind),
           paint(PAINT_PLAIN), buffer_string(&b), shown(reason));
    buffer_free(&b);
}

static void print_replay(const struct told *told, const struct kernel_finding *f)
{
    const struct kernel_search *s = told->search;
    char text[KERNEL_INPUT_TEXT_MAX], word[2 * KERNEL_INPUT_TEXT_MAX];
    if (!told->launch_is_stated && (tried(s) & ~f->launches_with))
        printf("    it needs a certain launch: say with --block which one the kernel is made for\n");
    struct buffer silicon = {0};
    silicon_known_text(f->event.kind, &silicon);
    char *second = silicon.size > 0 ? strchr(silicon.data, ';') : NULL;
    if (second) /* in two lines */
        printf("    silicon %.*s;\n           %s\n", (int)(second - silicon.data), silicon.data, second + 1);
    buffer_free(&silicon);
    kernel_input_text(&s->slots, &f->input, text, sizeof text);
    printf("    replay%s warpcheck kernel %s %s --input %s\n", f->replayed ? " " : "  (did not show it again!)",
           text_quote(told->path, word, 1024), s->code->entry->name, text_quote(text, word + 1024, sizeof word - 1024));
    if (told->has_baseline) {
        struct buffer b = {0};
        kernel_signature(s->code, &f->event, &b);
        printf("    baseline %s\n", buffer_string(&b));
        buffer_free(&b);
    }
}

const char *finding_word(const struct kernel_finding *f)
{
    return kernel_finding_is_error(f) ? "ERROR" : f->is_question ? "question" : "note";
}

static void print_finding(const struct told *told, const struct kernel_finding *f)
{
    const struct kernel_search *s = told->search;
    bool is_error = kernel_finding_is_error(f);
    printf("  %s%s %s%s: ", paint(is_error ? PAINT_RED : PAINT_YELLOW), finding_word(f),
           kernel_kind_name(f->event.kind), paint(PAINT_PLAIN));
    print_words(s, f);
    printf("    seen    %s execution%s, with block", number_text(f->executions), f->executions == 1 ? "" : "s");
    print_launches(s, f->launches_with);
    if (tried(s) & ~f->launches_with) {
        printf("; not with");
        print_launches(s, tried(s) & ~f->launches_with);
    }
    printf("\n");
    if (f->is_question) {
        struct buffer b = {0};
        kernel_question_text(&s->slots, &f->input, &b);
        printf("%s", buffer_string(&b));
        buffer_free(&b);
    }
    if (is_error || f->is_question)
        print_replay(told, f);
}

static void print_verdict(const struct told *told)
{
    static const struct {
        const char *word;
        enum paint paint;
    } verdicts[TOLD_VERDICTS] = {{"clean", PAINT_GREEN},        {"clean but for what is known", PAINT_GREEN},
                                 {"ERROR", PAINT_RED},          {"UNKNOWN", PAINT_YELLOW},
                                 {"NOT REACHED", PAINT_YELLOW}, {"nothing to check", PAINT_DIM},
                                 {"NOT READ", PAINT_YELLOW}};
    printf("%s: %s: %s%s%s", shown(told->path), shown(told->name), paint(verdicts[told->verdict].paint),
           verdicts[told->verdict].word, paint(PAINT_PLAIN));
}

static void print_left_out(const struct told *told)
{
    const char *between = " left out by --only: ";
    printf(", %u", told->left_out);
    for (unsigned kind = 0; kind < KERNEL_KINDS; kind++) {
        if (!(told->left_out_kinds >> kind & 1u))
            continue;
        printf("%s%s", between, kernel_kind_name((enum kernel_kind)kind));
        between = ", ";
    }
}

static void print_counts(const struct told *told)
{
    const struct kernel_search *s = told->search;
    struct totals own = {0};
    totals_add(&own, told);
    printf(" on %s executions (%s groups, %u of %u warp instructions reached, %.1f s)", number_text(s->executions),
           number_text(s->groups), s->warp_instructions_seen, s->warp_instructions, s->seconds);
    if (own.errors)
        printf(", %u error%s", own.errors, own.errors == 1 ? "" : "s");
    if (own.known)
        printf(", %u known", own.known);
    if (own.questions)
        printf(", %u question%s", own.questions, own.questions == 1 ? "" : "s");
    if (own.notes)
        printf(", %u note%s%s", own.notes, own.notes == 1 ? "" : "s", told->notes ? "" : " (--notes)");
    if (told->left_out)
        print_left_out(told);
    printf("\n  blocks tried:");
    print_launches(s, tried(s));
    printf("\n");
}

/* Executions that count as nothing, and what was arbitrary. */
static void print_open(const struct kernel_search *s)
{
    if (s->endless) {
        struct buffer b = {0};
        kernel_place_text(s->code, s->endless_at, &b);
        printf("  unknown: progress not shown in %s executions, which did not end within --steps and count as nothing; "
               "the first was at %s\n",
               number_text(s->endless), buffer_string(&b));
        buffer_free(&b);
    }
    if (s->oversized)
        printf("  %s executions touched more than 256 MiB and count as nothing\n", number_text(s->oversized));
    if (s->trapped)
        printf("  %s executions ended in a trap or a failed assert: no inputs that the kernel is for\n",
               number_text(s->trapped));
    if (s->wild)
        printf("  %s loads outside any buffer gave arbitrary values\n", number_text(s->wild));
}

void print_told(const struct told *told)
{
    const struct kernel_search *s = told->search;
    print_verdict(told);
    if (!s) {
        printf(": %s\n", shown(told->why));
        return;
    }
    print_counts(told);
    print_open(s);
    for (uint32_t n = 0; n < s->findings_count; n++)
        if (told->known[n])
            print_known(s, &s->findings[n], told->known[n]);
        else if (is_told(told, &s->findings[n]))
            print_finding(told, &s->findings[n]);
    if (told->proof)
        proof_print(told->proof);
}

void print_totals(const struct totals *t)
{
    static const char *const words[TOLD_VERDICTS] = {
        "clean",       "clean but for what is known", "with errors", "unknown",
        "not reached", "with nothing to check",       "not read"};
    uint32_t entries = 0;
    for (unsigned n = 0; n < TOLD_VERDICTS; n++)
        entries += t->entries[n];
    printf("%u entries", entries);
    const char *separator = ": ";
    for (unsigned n = 0; n < TOLD_VERDICTS; n++)
        if (t->entries[n] > 0) {
            printf("%s%u %s", separator, t->entries[n], words[n]);
            separator = ", ";
        }
    printf("; %u error%s", t->errors, t->errors == 1 ? "" : "s");
    if (t->questions)
        printf(", %u question%s", t->questions, t->questions == 1 ? "" : "s");
    if (t->known)
        printf(", %u known", t->known);
    printf("\n");
}
