#include "check/finding.h"

#include "model/text/writer.h"

#include <stdio.h>
#include <string.h>

/* As the checker does: what an implementation does not write must not look right. */
#define GARBAGE 0xa5

static bool answer(const struct warp_impl *impl, const struct warp_case *c, struct warp_result *result)
{
    char error[8];
    memset(result, GARBAGE, sizeof *result);
    return warp_impl_accepts(impl, c, NULL, 0) && impl->eval(impl->state, c, 1, result, error, sizeof error);
}

bool finding_make(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                  const struct warp_case *c)
{
    f->c = *c;
    f->sequence = NULL;
    f->only = NULL;
    f->reference_name = reference->name;
    f->observed_name = observed->name;
    if (!answer(reference, c, &f->reference) || !answer(observed, c, &f->observed))
        return false;
    f->parts = reference->provides & observed->provides & WARP_PART_ALL;
    return !warp_result_compare(c, &f->reference, &f->observed, f->parts, &f->diff);
}

/* The form as PTX spells it, without the type where all forms of the instruction have the same, in lower case. */
static void add_form(struct writer *t, const struct warp_form_info *info)
{
    const bool has_types = info->family == WARP_MATCH_SYNC || info->family == WARP_REDUX_SYNC;
    const char *const end = has_types ? info->name + strlen(info->name) : strrchr(info->name, '.');
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

/* Some active lane's word has one of these bits. */
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
        if ((c->active >> lane & 1u) && (c->a[lane] & 0x7fffffffu) > 0x7f800000u)
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

/* What differs. Where the source lane or the group is wrong, d_defined and p often are too: the first of them names it.
 */
static void add_difference(struct writer *t, const struct warp_diff *diff)
{
    if (diff->outcome != 0)
        writer_format(t, "-outcome");
    else if (diff->waits_for != 0)
        writer_format(t, "-waits.for");
    else
        writer_format(t, (diff->d | diff->d_defined) != 0 ? "-d" : "-p");
}

void finding_signature(const struct finding *f, char signature[FINDING_SIGNATURE_MAX])
{
    struct writer t = {signature, FINDING_SIGNATURE_MAX, 0};
    add_instruction(&t, warp_form_get(f->c.form));
    add_difference(&t, &f->diff);
    add_circumstances(&t, f);
    if (f->sequence != NULL)
        writer_format(&t, "-sequence");
    if (f->only != NULL)
        writer_format(&t, "-%s", f->only);
}

void finding_instruction(const struct warp_form_info *info, char instruction[FINDING_SIGNATURE_MAX])
{
    struct writer t = {instruction, FINDING_SIGNATURE_MAX, 0};
    add_instruction(&t, info);
}

void finding_kind(const struct finding *f, char kind[FINDING_SIGNATURE_MAX])
{
    struct writer t = {kind, FINDING_SIGNATURE_MAX, 0};
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

static void add_lanes(struct writer *t, lanemask lanes)
{
    const char *separator = " ";
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned last = lane;
        if (!(lanes >> lane & 1u))
            continue;
        while (last + 1 < WARP_LANES && (lanes >> (last + 1) & 1u))
            last++;
        writer_format(t, last > lane ? "%s%u-%u" : "%s%u", separator, lane, last);
        separator = ",";
        lane = last;
    }
}

size_t finding_line(const struct finding *f, char *buf, size_t size)
{
    struct writer t = {buf, size, 0};
    const lanemask lanes = differing_lanes(f);
    char part[WARP_TEXT_MAX];
    warp_case_to_text(&f->c, part, sizeof part);
    writer_format(&t, "%s", part);
    warp_result_to_text(&f->observed, f->parts, part, sizeof part);
    writer_format(&t, " => %s", part);
    warp_result_to_text(&f->reference, f->parts, part, sizeof part);
    writer_format(&t, " expected %s [%s against %s, lane%s", part, f->observed_name, f->reference_name,
                  (lanes & (lanes - 1)) != 0 ? "s" : "");
    add_lanes(&t, lanes);
    writer_format(&t, "]");
    return t.length;
}
