/* As JSON. */
#include "cli/kernels/report.h"

#include "cli/ui/json.h"
#include "cli/ui/terminal.h"
#include "kernel/silicon.h"

#include <stdio.h>
#include <string.h>

static void json_place(const char *key, const struct code *code, uint32_t at)
{
    struct code_place p = code_place(code, at);
    out_begin_object(key);
    out_text("file", shown(p.file));
    out_number("line", p.line);
    if (p.inner_file) {
        out_text("inlined_from_file", shown(p.inner_file));
        out_number("inlined_from_line", p.inner_line);
    }
    if (p.outer_file) {
        out_text("inlined_at_file", shown(p.outer_file));
        out_number("inlined_at_line", p.outer_line);
    }
    out_number("ptx_line", p.ptx_line);
    out_text("function", shown(p.function));
    out_text("instruction", p.text);
    out_end();
}

static void json_waits(const struct code *code, const struct kernel_event *e)
{
    out_begin_array("waits");
    for (uint32_t n = 0; n < e->waits_count; n++) {
        out_begin_object(NULL);
        out_number("warp", e->waits[n].warp);
        json_place("at", code, e->waits[n].at);
        out_mask("lanes", e->waits[n].lanes);
        out_mask("membermask", e->waits[n].mask);
        out_mask("missing", e->waits[n].missing);
        out_bool("circles", e->waits[n].circles);
        out_end();
    }
    out_end();
}

/* The launches that were tried; with `set` those among them. */
static void json_launches(const char *key, const struct kernel_search *s, uint32_t set)
{
    char shape[48];
    out_begin_array(key);
    for (uint32_t n = 0; n < s->launches_count; n++) {
        if (s->launch_executions[n] == 0 || !(set >> n & 1u))
            continue;
        snprintf(shape, sizeof shape, "%u,%u,%u", s->launches[n][0], s->launches[n][1], s->launches[n][2]);
        out_text(NULL, shape);
    }
    out_end();
}

static void json_buffer(const char *key, struct buffer *b)
{
    out_text(key, buffer_string(b));
    buffer_free(b);
    *b = (struct buffer){0};
}

static void json_finding(const struct kernel_search *s, const struct kernel_finding *f, const char *known)
{
    struct buffer b = {0};
    char text[KERNEL_INPUT_TEXT_MAX];
    out_begin_object(NULL);
    out_bool("error", kernel_finding_is_error(f));
    out_bool("question", f->is_question);
    out_text("kind", kernel_kind_name(f->event.kind));
    kernel_event_text(s->code, &f->event, &b);
    json_buffer("what", &b);
    kernel_signature(s->code, &f->event, &b);
    json_buffer("signature", &b);
    if (known)
        out_text("known", shown(known));
    json_place("at", s->code, f->event.at);
    json_place("from", s->code, f->event.from);
    out_number("warp", f->event.warp);
    out_mask("lanes", f->event.lanes);
    out_mask("others", f->event.others);
    out_mask("membermask", f->event.mask);
    if (f->event.waits_count)
        json_waits(s->code, &f->event);
    kernel_input_text(&s->slots, &f->input, text, sizeof text);
    out_text("input", text);
    kernel_input_describe(&s->slots, &f->input, &b);
    json_buffer("input_in_words", &b);
    silicon_known_text(f->event.kind, &b);
    if (b.size > 0)
        out_text("silicon", buffer_string(&b));
    buffer_free(&b);
    b = (struct buffer){0};
    out_bool("replayed", f->replayed);
    out_number("executions", f->executions);
    json_launches("blocks_with", s, f->launches_with);
    json_launches("blocks_without", s, ~f->launches_with);
    kernel_rule_text(&s->slots, &f->rule, &b);
    if (f->rule.kind != RULE_NONE)
        out_text("rule", buffer_string(&b));
    buffer_free(&b);
    out_end();
}

static void json_search(const struct told *told, const struct kernel_search *s)
{
    out_number("executions", s->executions);
    out_number("endless", s->endless);
    if (s->endless)
        json_place("endless_at", s->code, s->endless_at);
    out_number("trapped", s->trapped);
    out_number("oversized", s->oversized);
    out_number("lane_instructions", s->lane_steps);
    out_number("groups", s->groups);
    out_number("warp_instructions", s->warp_instructions);
    out_number("warp_instructions_reached", s->warp_instructions_seen);
    out_number("wild_loads", s->wild);
    out_number("left_out", told->left_out);
    out_real("seconds", s->seconds);
    json_launches("blocks", s, UINT32_MAX);
    out_begin_array("findings");
    for (uint32_t n = 0; n < s->findings_count; n++)
        json_finding(s, &s->findings[n], told->known[n]);
    out_end();
}

void json_told(const struct told *told)
{
    out_begin_object(NULL);
    out_text("file", shown(told->path));
    out_text("entry", shown(told->name));
    out_text("verdict", told_verdict_name(told->verdict));
    if (told->search)
        json_search(told, told->search);
    else
        out_text("why", shown(told->why));
    if (told->proof)
        proof_json(told->proof);
    out_end();
}

void json_totals(const struct totals *t)
{
    out_begin_object("totals");
    for (unsigned n = 0; n < TOLD_VERDICTS; n++)
        out_number(told_verdict_name((enum told_verdict)n), t->entries[n]);
    out_number("errors", t->errors);
    out_number("errors_known", t->known);
    out_number("questions", t->questions);
    out_number("notes", t->notes);
    out_end();
}
