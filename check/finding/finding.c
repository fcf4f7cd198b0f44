#include "check/finding.h"

#include "base/process.h"
#include "base/text.h"
#include "check/impl/impl.h"
#include "model/lanes.h"
#include "model/text/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
    [FINDING_MISMATCH] = "mismatch", [FINDING_CRASH] = "crash", [FINDING_HANG] = "hang",
    [FINDING_EXIT] = "exit",         [FINDING_ERROR] = "error", [FINDING_LAW] = "law",
    [FINDING_PROGRAM] = "program",   [FINDING_INPUT] = "input", [FINDING_BATCH] = "batch",
    [FINDING_KERNEL] = "kernel",
};

const char *finding_kind_name(enum finding_kind kind)
{
    return kind_names[kind];
}

bool finding_kind_find(const char *name, size_t length, enum finding_kind *kind)
{
    for (size_t i = 0; i < sizeof kind_names / sizeof kind_names[0]; i++)
        if (strlen(kind_names[i]) == length && strncmp(kind_names[i], name, length) == 0) {
            *kind = (enum finding_kind)i;
            return true;
        }
    return false;
}

enum finding_kind finding_kind_of_error(enum error_code code)
{
    switch (code) {
    case ERROR_CRASH:
        return FINDING_CRASH;
    case ERROR_TIMEOUT:
        return FINDING_HANG;
    case ERROR_EXIT:
        return FINDING_EXIT;
    case ERROR_NONE:
    case ERROR_USAGE:
    case ERROR_INPUT:
    case ERROR_SYSTEM:
    case ERROR_UNAVAILABLE:
    case ERROR_DECLINED:
    case ERROR_NOTHING:
    case ERROR_INTERRUPTED:
    case ERROR_UNSUPPORTED:
    case ERROR_UNDEFINED:
    case ERROR_INTERNAL:
        return FINDING_ERROR;
    }
    return FINDING_ERROR;
}

struct finding finding_of_ending(const char *observed, const struct warp_case *c, const struct error *how)
{
    return (struct finding){.kind = finding_kind_of_error(how->code),
                            .c = *c,
                            .observed_name = observed,
                            .signal = how->detail,
                            .what = how->code == ERROR_DECLINED ? how->text : NULL};
}

bool finding_is_ending(enum finding_kind kind)
{
    switch (kind) {
    case FINDING_CRASH:
    case FINDING_HANG:
    case FINDING_EXIT:
    case FINDING_ERROR:
        return true;
    case FINDING_MISMATCH:
    case FINDING_LAW:
    case FINDING_PROGRAM:
    case FINDING_INPUT:
    case FINDING_BATCH:
    case FINDING_KERNEL:
        return false;
    }
    return false;
}

/* --- making one --- */

bool finding_ask(const struct warp_impl *impl, const struct warp_case *cases, size_t n, struct warp_result *results)
{
    char error[8];
    if (n > 1) /* in one call, and in this order, also where it is asked about each case whether it accepts it */
        impl_ask_ahead(impl, cases, n, IMPL_ALL);
    for (size_t i = 0; i < n; i++)
        if (!warp_impl_accepts(impl, &cases[i], NULL, 0))
            return false;
    memset(results, CHECKER_GARBAGE, n * sizeof *results);
    return impl->eval(impl->state, cases, n, results, error, sizeof error);
}

/* The fields that are known before anything is asked. */
static void describe(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                     const struct warp_case *c)
{
    *f = (struct finding){
        .kind = FINDING_MISMATCH, .c = *c, .reference_name = reference->name, .observed_name = observed->name};
}

static bool differs(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed)
{
    f->parts = reference->provides & observed->provides & WARP_PART_ALL; /* the first answers may have settled them */
    checker_complete(reference, &f->c, 1, &f->reference);
    return !warp_result_compare(&f->c, &f->reference, &f->observed, f->parts, &f->diff);
}

bool finding_make(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                  const struct warp_case *c)
{
    describe(f, reference, observed, c);
    return finding_ask(reference, c, 1, &f->reference) && finding_ask(observed, c, 1, &f->observed) &&
           differs(f, reference, observed);
}

bool finding_compare(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                     const struct warp_case *c, const struct warp_result *expected, const struct warp_result *answered)
{
    describe(f, reference, observed, c);
    f->reference = *expected;
    f->observed = *answered;
    return differs(f, reference, observed);
}

bool finding_make_sequence(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                           const struct warp_case *cases, size_t n, size_t at)
{
    struct warp_result *results = n <= FINDING_SEQUENCE_MAX ? malloc(2 * n * sizeof *results) : NULL;
    bool wrong = false;
    if (results != NULL && finding_ask(reference, cases, n, results) && finding_ask(observed, cases, n, results + n)) {
        wrong = finding_compare(f, reference, observed, &cases[at], &results[at], &results[n + at]);
        f->sequence = cases;
        f->sequence_n = n;
        f->sequence_at = at;
    }
    free(results);
    return wrong;
}

/* --- its name --- */

/* Has the instruction forms of more than one type? */
static bool has_types(enum warp_family family)
{
    switch (family) {
    case WARP_MATCH_SYNC:
    case WARP_REDUX_SYNC:
        return true;
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return false;
}

/* The form as PTX spells it, without the type where all forms of the instruction have the same, in lower case. */
static void add_form(struct writer *t, const struct warp_form_info *info)
{
    const char *const end = has_types(info->family) ? info->name + strlen(info->name) : strrchr(info->name, '.');
    for (const char *p = info->name; p < end; p++)
        writer_format(t, "%c", *p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
}

static bool has_groups(const struct warp_case *c)
{
    lanemask seen = 0;
    bool found = false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(c->active >> lane & 1u))
            continue;
        if (found && c->membermask[lane] != seen)
            return true;
        seen = c->membermask[lane];
        found = true;
    }
    return false;
}

/* Has the word of some active lane one of these bits? */
static bool has_bits(const struct warp_case *c, const uint32_t operand[WARP_LANES], uint32_t bits)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && (operand[lane] & bits) != 0)
            return true;
    return false;
}

static bool has_nan(const struct warp_case *c)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && lanes_is_nan(c->a[lane]))
            return true;
    return false;
}

static lanemask differing_lanes(const struct finding *f)
{
    const struct warp_diff *d = &f->diff;
    return d->outcome | d->d_defined | d->d | d->p | d->waits_for;
}

/* The circumstances that tell one kind of defect from another. A reduced case has only those that matter. */
static void add_circumstances(struct writer *t, const struct finding *f)
{
    const struct warp_form_info *info = warp_form_get(f->c.form);
    const lanemask lanes = differing_lanes(f);
    if (f->reference.waiting & lanes)
        writer_format(t, "-waiting");
    if (f->reference.undefined & lanes)
        writer_format(t, "-undefined");
    if (has_groups(&f->c))
        writer_format(t, "-groups");
    if (f->c.exited != 0)
        writer_format(t, "-exited");
    if (f->c.negate != 0)
        writer_format(t, "-negated");
    if (has_bits(&f->c, f->c.b, ~0x1fu))
        writer_format(t, "-high.b");
    if (has_bits(&f->c, f->c.c, ~0x1f1fu))
        writer_format(t, "-high.c");
    if (has_bits(&f->c, f->c.c, 0x1f00u))
        writer_format(t, "-segment");
    if (info->type == WARP_F32 && has_nan(&f->c))
        writer_format(t, "-nan");
}

/* The instruction: its forms share most of the code of any implementation. match.any and match.all are two, and so are
 * redux of integers and of floats. */
static void add_instruction(struct writer *t, const struct warp_form_info *info)
{
    if (info->family == WARP_MATCH_SYNC)
        writer_format(t, info->op == WARP_ANY ? "match.any.sync" : "match.all.sync");
    else
        writer_format(t, "%s%s", warp_family_name(info->family), info->type == WARP_F32 ? ".f32" : "");
}

/* The word for what differs. When the source lane or the group is wrong, d_defined and p are often wrong too; the
 * first part that differs gives the name. */
static void add_difference(struct writer *t, const struct warp_diff *diff)
{
    if (diff->outcome != 0)
        writer_format(t, "-outcome");
    else if (diff->waits_for != 0)
        writer_format(t, "-waits.for");
    else if ((diff->d | diff->d_defined) != 0)
        writer_format(t, "-d");
    else
        writer_format(t, diff->p != 0 ? "-p" : "-once"); /* it did not show again: nobody knows where it differs */
}

/* "segv" of SIGSEGV; "signal" of one without a name. */
static void add_signal(struct writer *t, int number)
{
    const char *name = process_signal_name(number);
    if (strncmp(name, "SIG", 3) != 0) {
        writer_format(t, "signal");
        return;
    }
    for (const char *p = name + 3; *p != '\0'; p++)
        writer_format(t, "%c", *p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
}

/* How it ended, in one word. */
static void add_ending(struct writer *t, const struct finding *f)
{
    if (f->kind == FINDING_CRASH)
        add_signal(t, f->signal);
    else
        writer_format(t, "%s", finding_kind_name(f->kind));
}

/* `whole`: with the circumstances. */
static void add_mismatch(struct writer *t, const struct finding *f, bool whole)
{
    add_instruction(t, warp_form_get(f->c.form));
    if (f->cause != NULL) {
        writer_format(t, "-%s", f->cause);
        return;
    }
    add_difference(t, &f->diff);
    if (whole)
        add_circumstances(t, f);
    if (f->sequence != NULL)
        writer_format(t, "-sequence");
}

/* Is the finding about one case? */
static bool has_case(enum finding_kind kind)
{
    return kind != FINDING_PROGRAM && kind != FINDING_INPUT && kind != FINDING_KERNEL;
}

static void add_signature(const struct finding *f, bool whole, char signature[FINDING_SIGNATURE_MAX])
{
    struct writer t = {signature, FINDING_SIGNATURE_MAX, 0};
    const char *const family = has_case(f->kind) ? warp_family_name(warp_form_get(f->c.form)->family) : "";
    switch (f->kind) {
    case FINDING_MISMATCH:
        add_mismatch(&t, f, whole);
        break;
    case FINDING_CRASH:
    case FINDING_HANG:
    case FINDING_EXIT:
    case FINDING_ERROR:
        writer_format(&t, "%s-", family);
        add_ending(&t, f);
        break;
    case FINDING_LAW:
        writer_format(&t, "law-%s%s%s", f->property, f->of_family ? "-" : "", f->of_family ? family : "");
        break;
    case FINDING_PROGRAM:
        writer_format(&t, "program-%s-%s", f->property, f->faults ? "fault" : "values");
        break;
    case FINDING_INPUT:
    case FINDING_BATCH:
        writer_format(&t, "%s", f->property);
        break;
    case FINDING_KERNEL:
        writer_format(&t, "%s%s", f->reference_name ? "" : "kernel-", f->property);
        break;
    }
    if (f->unsure)
        writer_format(&t, "-state");
    else if (f->only != NULL)
        writer_format(&t, "-%s", f->only);
}

void finding_signature(const struct finding *f, char signature[FINDING_SIGNATURE_MAX])
{
    add_signature(f, true, signature);
}

void finding_short_signature(const struct finding *f, char signature[FINDING_SIGNATURE_MAX])
{
    add_signature(f, false, signature);
}

void finding_instruction(const struct warp_form_info *info, char instruction[FINDING_SIGNATURE_MAX])
{
    struct writer t = {instruction, FINDING_SIGNATURE_MAX, 0};
    add_instruction(&t, info);
}

void finding_class(const struct finding *f, char name[FINDING_SIGNATURE_MAX])
{
    struct writer t = {name, FINDING_SIGNATURE_MAX, 0};
    add_form(&t, warp_form_get(f->c.form));
    if (f->diff.outcome != 0)
        writer_format(&t, "-outcome");
    else if (f->diff.waits_for != 0)
        writer_format(&t, "-waits.for");
    else if (f->diff.d_defined != 0)
        writer_format(&t, "-d.defined");
    else
        writer_format(&t, "%s%s", f->diff.d != 0 ? "-d" : "", f->diff.p != 0 ? "-p" : "");
    add_circumstances(&t, f);
}

void finding_form(const struct finding *f, char form[FINDING_SIGNATURE_MAX])
{
    struct writer t = {form, FINDING_SIGNATURE_MAX, 0};
    add_form(&t, warp_form_get(f->c.form));
}

/* --- its line --- */

#define SEQUENCE_MARK "; not alone, but as number "

/* The end of the line: which implementation against which, and in which lanes. */
static void add_parties(struct writer *t, const struct finding *f)
{
    const lanemask lanes = differing_lanes(f);
    char ranges[LANES_TEXT_MAX];
    writer_format(t, " [%s against %s, lane%s %s", f->observed_name, f->reference_name,
                  (lanes & (lanes - 1)) != 0 ? "s" : "", lanes_ranges(lanes, ranges, sizeof ranges));
    if (f->sequence != NULL)
        writer_format(t, SEQUENCE_MARK "%zu of %zu cases in one call", f->sequence_at + 1, f->sequence_n);
    writer_format(t, "]");
}

static void add_mismatch_line(struct writer *t, const struct finding *f)
{
    char part[WARP_TEXT_MAX];
    warp_result_to_text(&f->observed, f->parts, part, sizeof part);
    writer_format(t, " => %s", part);
    warp_result_to_text(&f->reference, f->parts, part, sizeof part);
    writer_format(t, " expected %s", part);
    add_parties(t, f);
}

#define LAW_MARK " => breaks the law "

bool finding_line_law(const char *line, char name[FINDING_LAW_MAX])
{
    const char *at = strstr(line, LAW_MARK);
    if (at == NULL || at > line + strcspn(line, "\n"))
        return false;
    at += strlen(LAW_MARK);
    snprintf(name, FINDING_LAW_MAX, "%.*s", (int)strcspn(at, " \n"), at);
    return true;
}

static bool is_same_case(const struct warp_case *a, const struct warp_case *b)
{
    char text[WARP_TEXT_MAX], other[WARP_TEXT_MAX];
    warp_case_to_text(a, text, sizeof text);
    warp_case_to_text(b, other, sizeof other);
    return strcmp(text, other) == 0;
}

bool finding_text_fits(const char *text, const struct case_file *cases, struct error *error)
{
    static _Thread_local struct warp_text told;
    struct warp_text_error where;
    const size_t length = strcspn(text, "\n");
    const char *const arrow = strstr(text, " => "), *const sequence = strstr(text, SEQUENCE_MARK);
    size_t at = 1, count = 1;
    if (text[length] != '\n' || arrow == NULL || arrow > text + length ||
        !warp_text_parse(text, (size_t)(arrow - text), &told, &where))
        return error_set(error, ERROR_INPUT, "finding.txt beside it is damaged: its first line is not `CASE => ...`");
    if (sequence != NULL && sequence < text + length &&
        sscanf(sequence + strlen(SEQUENCE_MARK), "%zu of %zu", &at, &count) != 2)
        return error_set(error, ERROR_INPUT, "finding.txt beside it is damaged: it does not say how many cases");
    if (cases->count != count || at == 0 || at > count)
        return error_set(error, ERROR_INPUT, "it has %zu cases, and finding.txt beside it is about %zu", cases->count,
                         count);
    return is_same_case(&told.c, &cases->texts[at - 1].c) ||
           error_set(error, ERROR_INPUT, "finding.txt beside it is about another case");
}

size_t finding_line(const struct finding *f, char *buf, size_t size)
{
    struct writer t = {buf, size, 0};
    char part[WARP_TEXT_MAX];
    if (has_case(f->kind)) {
        warp_case_to_text(&f->c, part, sizeof part);
        writer_format(&t, "%s", part);
    }
    switch (f->kind) {
    case FINDING_MISMATCH:
        add_mismatch_line(&t, f);
        break;
    case FINDING_CRASH:
    case FINDING_HANG:
    case FINDING_EXIT:
    case FINDING_ERROR:
        writer_format(&t, " => %s does not answer: ", f->observed_name);
        add_ending(&t, f);
        if (f->what != NULL && f->what[0] != '\0')
            writer_format(&t, ": %s", text_printable(f->what, strlen(f->what), part, sizeof part));
        break;
    case FINDING_LAW:
        writer_format(&t, LAW_MARK "%s (\"%s\"): %s [%s against itself]%s", f->property, f->statement, f->what,
                      f->observed_name, f->unsure ? ", not every time" : "");
        break;
    case FINDING_PROGRAM:
        finding_signature(f, part);
        writer_format(&t, "%s: %s [%s against %s]%s", part, f->what, f->observed_name, f->reference_name,
                      f->unsure ? ", not every time" : "");
        break;
    case FINDING_INPUT:
        writer_format(&t, "%s: %s%s", f->property, f->what, f->unsure ? "; not when the input was checked again" : "");
        break;
    case FINDING_BATCH:
        if (f->parts != 0 && differing_lanes(f) != 0)
            add_mismatch_line(&t, f);
        else
            writer_format(&t, " => %s %s", f->observed_name, f->what);
        break;
    case FINDING_KERNEL:
        finding_signature(f, part);
        writer_format(&t, "%s: %s [%s%s", part, f->what, f->reference_name ? "" : "entry ", f->observed_name);
        writer_format(&t, "%s%s]", f->reference_name ? " against " : "", f->reference_name ? f->reference_name : "");
        break;
    }
    return t.length;
}
