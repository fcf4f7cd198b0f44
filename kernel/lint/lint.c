#include "kernel/lint/lint_internal.h"

#include "ptx/module.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *lint_kind_name(enum lint_kind kind)
{
    static const char *const names[LINT_KINDS] = {"illegal", "undefined", "note"};
    return names[kind];
}

struct lint_finding *lint_add(struct lint_report *report, enum lint_kind kind, uint32_t line, uint32_t column,
                              const char *what, ...)
{
    report->counts[kind]++;
    if (report->findings_count == LINT_FINDINGS_MAX)
        return NULL;
    struct lint_finding *f = &report->findings[report->findings_count++];
    va_list arguments;
    va_start(arguments, what);
    *f = (struct lint_finding){.kind = kind, .line = line, .column = column};
    vsnprintf(f->what, sizeof f->what, what, arguments);
    va_end(arguments);
    return f;
}

static bool is_constant(const struct module_operand *o)
{
    return o->kind == OPERAND_IMMEDIATE;
}

static bool has_several_lanes(uint64_t mask)
{
    return (mask & (mask - 1)) != 0;
}

/* Reports what a constant membermask makes certain, and what is seldom meant. */
static void check_membermask(struct lint_report *report, const struct module_function *f,
                             const struct module_instruction *i)
{
    const struct module_operand *membermask = &i->srcs[OPERAND_MEMBERMASK];
    uint64_t mask = membermask->value;
    if (!is_constant(membermask))
        return;
    if (mask == 0)
        lint_add(report, LINT_UNDEFINED, i->line, i->column,
                 "membermask 0 has no lane: every lane that executes this is undefined");
    else if (mask != UINT32_MAX)
        lint_add(report, LINT_NOTE, i->line, i->column,
                 "undefined for a lane outside membermask 0x%08x: only those lanes may get here", (unsigned)mask);
    if (i->guard != MODULE_NONE && has_several_lanes(mask))
        lint_add(report, LINT_NOTE, i->line, i->column,
                 "lanes of membermask 0x%08x whose guard %s%s is false do not arrive: the others wait for them",
                 (unsigned)mask, i->guard_negate ? "!" : "", f->registers[i->guard].name);
}

static void check_shfl(struct lint_report *report, const struct module_instruction *i,
                       const struct warp_form_info *info)
{
    const struct module_operand *b = &i->srcs[OPERAND_B], *c = &i->srcs[OPERAND_C];
    if (!warp_form_is_shfl(info))
        return;
    if (is_constant(b) && b->value > 31)
        lint_add(report, LINT_NOTE, i->line, i->column, "of b = 0x%x only the low 5 bits count: %u", (unsigned)b->value,
                 (unsigned)(b->value & 31));
    if (info->op == WARP_UP && is_constant(c) && (c->value & 31) != 0)
        lint_add(report, LINT_NOTE, i->line, i->column,
                 "up: c[4:0] is the lowest source lane, %u here; for a plain shift it is 0", (unsigned)(c->value & 31));
}

static void check_instruction(struct lint_report *report, const struct module_function *f,
                              const struct module_instruction *i)
{
    char why[192];
    if (i->op == OP_UNREAD) {
        lint_add(report, LINT_ILLEGAL, i->unread_line, i->unread_column, "%s: %s", i->name, i->unread);
        return;
    }
    const struct warp_form_info *info = warp_form_get(i->form);
    if (!warp_legal(info, i->dst, report->ptx, report->target, why, sizeof why))
        lint_add(report, LINT_ILLEGAL, i->line, i->column, "%s", why);
    check_membermask(report, f, i);
    check_shfl(report, i, info);
}

static void check_function(struct lint_report *report, const struct module_function *f)
{
    for (uint32_t n = 0; n < f->instructions_count; n++) {
        const struct module_instruction *i = &f->instructions[n];
        bool is_warp = i->op == OP_WARP || (i->op == OP_UNREAD && ptx_is_warp_opcode(i->name));
        report->instructions += is_warp;
        report->skipped += !is_warp && !i->implicit;
        if (is_warp)
            check_instruction(report, f, i);
    }
}

static bool is_known_version(uint16_t ptx)
{
    for (size_t i = 0; warp_ptx_get(i) != 0; i++)
        if (warp_ptx_get(i) == ptx)
            return true;
    return false;
}

static uint16_t newest_ptx(void)
{
    uint16_t ptx = 0;
    for (size_t i = 0; warp_ptx_get(i) != 0; i++)
        ptx = warp_ptx_get(i);
    return ptx;
}

/* The PTX version and target for which legality is judged: the caller's, else the text's, else the defaults. */
static bool choose_target(const struct module *m, const struct lint_options *options, struct lint_report *report,
                          struct warp_text_error *error)
{
    report->ptx = options->ptx ? options->ptx : m->ptx ? m->ptx : newest_ptx();
    report->target = options->target ? options->target : m->target ? m->target : WARP_TARGET(90, 0);
    if (options->ptx != 0 || m->ptx == 0 || is_known_version(m->ptx))
        return true;
    error->line = m->ptx_line;
    error->column = m->ptx_column;
    snprintf(error->what, sizeof error->what, "%u.%u is not a known PTX version", m->ptx / 10u, m->ptx % 10u);
    return false;
}

bool lint_text(const char *text, size_t size, const struct lint_options *options, struct lint_report *report,
               struct warp_text_error *error)
{
    static const struct module_options piece = {.fragment = true, .keep_wrong = true};
    memset(report, 0, sizeof *report);
    struct module *m = module_read_piece(text, size, &piece, error);
    if (!m)
        return false;
    bool ok = choose_target(m, options, report, error);
    for (uint32_t f = 0; f < m->functions_count && ok; f++)
        check_function(report, &m->functions[f]);
    module_free(m);
    if (ok && report->instructions + report->skipped == 0) {
        error->line = error->column = 1;
        snprintf(error->what, sizeof error->what, "there is no instruction in this text");
        return false;
    }
    if (ok)
        lint_execute(text, size, options, report);
    return ok;
}
