#include "kernel/report.h"

#include "base/file.h"
#include "base/text.h"
#include "kernel/contents.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_printable(struct buffer *out, const char *text)
{
    char shown[1024];
    buffer_text(out, text_printable(text, strlen(text), shown, sizeof shown));
}

void kernel_place_text(const struct code *code, uint32_t at, struct buffer *out)
{
    struct code_place p = code_place(code, at);
    add_printable(out, file_name(p.file));
    buffer_format(out, ":%u", p.line);
    buffer_text(out, " (");
    add_printable(out, p.text);
    buffer_format(out, ", PTX line %u", p.ptx_line);
    if (p.inner_file) {
        buffer_text(out, ", from ");
        add_printable(out, file_name(p.inner_file));
        buffer_format(out, ":%u", p.inner_line);
    }
    if (p.outer_file) {
        buffer_text(out, ", inlined at ");
        add_printable(out, file_name(p.outer_file));
        buffer_format(out, ":%u", p.outer_line);
    }
    buffer_text(out, ")");
}

char *kernel_source(const struct module *module, const char *path)
{
    char beside[FILE_PATH_MAX];
    struct error ignored;
    size_t size;
    char *text = file_read(path, 16u << 20, &size, &ignored);
    if (text)
        return text;
    int n = snprintf(beside, sizeof beside, "%.*s%s", (int)(file_name(module->name) - module->name), module->name,
                     file_name(path));
    return n > 0 && (size_t)n < sizeof beside ? file_read(beside, 16u << 20, &size, &ignored) : NULL;
}

char *kernel_source_line(const struct module *module, const char *path, uint32_t line)
{
    char *text = kernel_source(module, path), *at = text;
    for (uint32_t n = 1; at && n < line; n++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at || line == 0) {
        free(text);
        return NULL;
    }
    at += strspn(at, " \t");
    size_t length = strcspn(at, "\r\n");
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t'))
        length--;
    memmove(text, at, length);
    text[length] = '\0';
    return text;
}

/* The source's line, if the file is there. */
static void quote(const struct code *code, struct buffer *out, const char *path, uint32_t line)
{
    char shown[200];
    char *text = kernel_source_line(code->module, path, line);
    for (char *tab = text; tab && (tab = strchr(tab, '\t'));)
        *tab = ' ';
    if (text)
        buffer_format(out, "        | %s\n", text_printable(text, strlen(text), shown, sizeof shown));
    free(text);
}

static void add_place(const struct code *code, uint32_t at, const char *label, struct buffer *out)
{
    struct code_place p = code_place(code, at);
    buffer_format(out, "    %-7s ", label);
    kernel_place_text(code, at, out);
    buffer_text(out, "\n");
    quote(code, out, p.file, p.line);
    if (p.outer_file)
        quote(code, out, p.outer_file, p.outer_line);
}

static void add_mask(const char *label, lanemask mask, struct buffer *out)
{
    char drawn[WARP_LANES + 4];
    size_t n = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (lane > 0 && lane % 8 == 0)
            drawn[n++] = ' ';
        drawn[n++] = mask >> lane & 1u ? '#' : '.';
    }
    drawn[n] = '\0';
    buffer_format(out, "    %-7s 0x%08x  %s\n", label, mask, drawn);
}

static const char *use_text(enum kernel_use use)
{
    switch (use) {
    case KERNEL_BRANCHED:
        return "decides a branch, a guard or a block barrier";
    case KERNEL_ADDRESSED:
        return "is used as an address";
    case KERNEL_MASKED:
        return "is used as a membermask";
    case KERNEL_ATOMIC:
        return "goes into an atomic operation";
    case KERNEL_STORED:
        return "is stored where others see it";
    case KERNEL_GIVEN:
        return "goes to printf, malloc or free";
    }
    return "";
}

static const char *apart_text(enum kernel_apart apart)
{
    switch (apart) {
    case KERNEL_APART_PART:
        return "a part of a warp comes to a block barrier, which is for whole warps";
    case KERNEL_APART_PLACES:
        return "lanes of one warp come to different block barriers";
    case KERNEL_APART_CALLS:
        return "lanes of one warp come to a block barrier by different calls of its function";
    case KERNEL_APART_ROUND:
        return "a part of a warp comes to a block barrier, and the other lanes go round it";
    case KERNEL_APART_NUMBERS:
        return "lanes of one warp give different numbers or counts to one block barrier";
    case KERNEL_APART_NO_NUMBER:
        return "there is no block barrier with this number: they have 0 to 15";
    case KERNEL_APART_NO_COUNT:
        return "a block barrier is told a number of threads that is no multiple of 32";
    }
    return "";
}

static bool waits_at_barrier(const struct kernel_event *e)
{
    for (uint32_t n = 0; n < e->waits_count; n++)
        if (e->waits[n].mask == 0 && !e->waits[n].circles)
            return true;
    return false;
}

static bool some_circle(const struct kernel_event *e)
{
    for (uint32_t n = 0; n < e->waits_count; n++)
        if (e->waits[n].circles)
            return true;
    return false;
}

static const char *deadlock_text(const struct kernel_event *e)
{
    if (some_circle(e))
        return e->mask == 0 ? "threads wait at a block barrier for lanes that go round in a loop for ever"
                            : "lanes wait for lanes that go round in a loop for ever";
    if (e->mask == 0)
        return "threads wait for ever at a block barrier";
    return waits_at_barrier(e) ? "lanes wait for ever for lanes that wait at a block barrier"
                               : "lanes wait for ever for lanes that wait elsewhere";
}

void kernel_event_text(const struct code *code, const struct kernel_event *e, struct buffer *out)
{
    (void)code;
    switch (e->kind) {
    case KERNEL_UNDEFINED:
        if (e->mask == 0)
            buffer_text(out, "the membermask is 0: no lane may execute it so");
        else
            buffer_text(out, "lanes execute it that are not in their own membermask");
        break;
    case KERNEL_DEADLOCK:
        buffer_text(out, deadlock_text(e));
        break;
    case KERNEL_UNPREDICTABLE:
        buffer_format(out, "a value that no lane of the group has given %s", use_text(e->use));
        break;
    case KERNEL_BARRIER:
        buffer_text(out, apart_text(e->apart));
        break;
    case KERNEL_RACE:
        buffer_format(out,
                      "lanes of one warp race for shared memory: one %s a word that another %s, with no "
                      "__syncwarp or __syncthreads between",
                      e->writes ? "writes" : "reads", e->writes ? "has read or written" : "has written");
        break;
    case KERNEL_CONVERGENCE:
        buffer_text(out, "up to sm_6x all lanes of the membermask must execute it together, and they do not");
        break;
    case KERNEL_PAIRS:
        buffer_text(out, "lanes at different places make one group: defined, and seldom meant");
        break;
    case KERNEL_PARTITION:
        buffer_text(out, "the result depends on which lanes activemask finds together; nothing promises all of them");
        break;
    case KERNEL_UNINITIALIZED:
        buffer_text(out, "a register is read that nothing has written");
        break;
    case KERNEL_EXITED:
        buffer_text(out, "a part of the warp has exited before a block barrier (defined from sm_70 on)");
        break;
    case KERNEL_KINDS:
        break;
    }
}

static void add_waits(const struct code *code, const struct kernel_event *e, struct buffer *out)
{
    for (uint32_t n = 0; n < e->waits_count; n++) {
        const struct kernel_wait *w = &e->waits[n];
        buffer_format(out, "    warp %u: ", w->warp);
        kernel_place_text(code, w->at, out);
        buffer_text(out, "\n");
        add_mask(w->circles ? "  loop" : "  here", w->lanes, out);
        if (w->mask)
            add_mask("  mask", w->mask, out);
        if (w->missing)
            add_mask("  missing", w->missing, out);
    }
}

void kernel_event_describe(const struct code *code, const struct kernel_event *e, struct buffer *out)
{
    add_place(code, e->at, "at", out);
    if (e->kind == KERNEL_UNPREDICTABLE)
        add_place(code, e->from, "read by", out);
    else if (e->from != e->at)
        add_place(code, e->from, "and", out);
    if (e->kind == KERNEL_PARTITION)
        return;
    if (e->waits_count > 0) {
        add_waits(code, e, out);
        return;
    }
    buffer_format(out, "    warp    %u\n", e->warp);
    add_mask("lanes", e->lanes, out);
    if (e->others)
        add_mask("others", e->others, out);
    if (e->kind == KERNEL_UNDEFINED || e->kind == KERNEL_CONVERGENCE || e->kind == KERNEL_PAIRS)
        add_mask("mask", e->mask, out);
    if (e->kind == KERNEL_RACE)
        buffer_format(out, "    word    at 0x%" PRIx64 " of shared memory\n", e->address & ~UINT64_C(3));
}

static void add_value(struct buffer *out, const struct kernel_slot *s, uint64_t value)
{
    float f;
    double d;
    uint32_t low = (uint32_t)value;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &value, sizeof d);
    unsigned unused = 64 - 8 * s->bytes;
    if (s->type == PTX_F32)
        buffer_format(out, "%.9g", (double)f);
    else if (s->type == PTX_F64)
        buffer_format(out, "%.17g", d);
    else if (ptx_type_is_signed(s->type))
        buffer_format(out, "%" PRId64, (int64_t)(value << unused) >> unused);
    else
        buffer_format(out, "%" PRIu64, value);
}

const char *kernel_open_text(enum kernel_open open)
{
    switch (open) {
    case KERNEL_OPEN_NOTHING:
        return "nothing";
    case KERNEL_OPEN_ALIGNMENT:
        return "an address that is no multiple of what is accessed there";
    case KERNEL_OPEN_PLACE:
        return "an access outside of its memory";
    case KERNEL_OPEN_TARGET:
        return "brx.idx with an index behind its list";
    case KERNEL_OPEN_DIVISION:
        return "an integer divided by 0";
    case KERNEL_OPEN_REMAINDER:
        return "rem of a negative number";
    case KERNEL_OPEN_24_BITS:
        return "a number of more than 24 bits, which is multiplied as one of 24";
    case KERNEL_OPEN_UNIFORM:
        return "lanes that do not go together, at an instruction with .uni";
    case KERNEL_OPEN_CLOCK:
        return "a value of a clock";
    }
    return "";
}

void kernel_input_describe(const struct kernel_slots *slots, const struct kernel_input *in, struct buffer *out)
{
    buffer_format(out, "block %u", in->block[0]);
    if (in->block[1] > 1 || in->block[2] > 1)
        buffer_format(out, "x%ux%u", in->block[1], in->block[2]);
    buffer_format(out, ", grid %u", in->grid[0]);
    if (in->grid[1] > 1 || in->grid[2] > 1)
        buffer_format(out, "x%ux%u", in->grid[1], in->grid[2]);
    if (in->ctaid[0] || in->ctaid[1] || in->ctaid[2])
        buffer_format(out, ", block %u,%u,%u of it", in->ctaid[0], in->ctaid[1], in->ctaid[2]);
    for (uint32_t n = 0; n < slots->count; n++) {
        const struct kernel_slot *s = &slots->slots[n];
        if (s->is_pointer)
            continue;
        buffer_format(out, ", %s = ", s->name);
        add_value(out, s, kernel_slot_get(s, in));
    }
    buffer_format(out, "; memory %s", in->content ? "as it is given" : kernel_pattern_name(in->pattern));
    for (uint32_t n = 0; n < slots->count; n++) {
        const struct kernel_slot *s = &slots->slots[n];
        if (s->is_pointer && in->contents[s->buffer])
            buffer_format(out, ", %s %s", s->name, kernel_pattern_name(kernel_contents(in, s->buffer)));
    }
    for (uint32_t n = 0; n < slots->variables_count; n++)
        if (in->variables[n])
            buffer_format(out, ", %s %s", slots->variables[n].name,
                          kernel_pattern_name((enum kernel_pattern)(in->variables[n] - 1)));
    if (in->activemask != KERNEL_TOGETHER)
        buffer_format(out, "; activemask: lanes %s", in->activemask == KERNEL_ALONE ? "one by one" : "in any parts");
    if (in->shuffled)
        buffer_format(out, "; schedule random, seed %" PRIu64, in->seed);
}

static void add_condition(struct buffer *out, struct buffer *answer, const char *name, enum kernel_pattern pattern,
                          enum kernel_role role)
{
    buffer_format(out, "    only    when %s holds %s, which is used as %s\n", name, kernel_pattern_name(pattern),
                  kernel_role_text(role));
    buffer_format(answer, " --memory '%s=%s'", name, kernel_pattern_name(pattern));
}

void kernel_question_text(const struct kernel_slots *slots, const struct kernel_input *in, struct buffer *out)
{
    struct buffer answer = {0};
    for (uint32_t n = 0; n < slots->count; n++) {
        const struct kernel_slot *s = &slots->slots[n];
        if (s->is_pointer && !kernel_role_allows(s->role, kernel_contents(in, s->buffer)))
            add_condition(out, &answer, s->name, kernel_contents(in, s->buffer), s->role);
    }
    for (uint32_t n = 0; n < slots->variables_count; n++)
        if (!kernel_variable_is_expected(slots, in, n))
            add_condition(out, &answer, slots->variables[n].name, (enum kernel_pattern)(in->variables[n] - 1),
                          slots->variables[n].role);
    buffer_format(out, "    answer  an error if the host may write that: say%s\n", buffer_string(&answer));
    buffer_free(&answer);
}

void kernel_rule_text(const struct kernel_slots *slots, const struct kernel_rule *rule, struct buffer *out)
{
    const char *name = slots->slots[rule->slot].name;
    switch (rule->kind) {
    case RULE_NONE:
        return;
    case RULE_MULTIPLE:
        buffer_format(out, "clean exactly when %s %% %" PRIu64 " == 0", name, rule->number);
        break;
    case RULE_BELOW:
        buffer_format(out, "clean exactly when %s < %" PRIu64, name, rule->number);
        break;
    case RULE_FROM:
        buffer_format(out, "clean exactly when %s >= %" PRIu64, name, rule->number);
        break;
    case RULE_NEVER_CLEAN:
        buffer_format(out, "never clean, whatever %s is", name);
        break;
    }
    buffer_format(out, " (of 0..%u tried, all else as in the input)", rule->tried - 1);
}

void kernel_plain_name(const char *mangled, char *name, size_t size)
{
    snprintf(name, size, "%s", mangled);
    if (strncmp(mangled, "_Z", 2) != 0)
        return;
    const char *at = mangled + 2;
    while (*at && !isdigit((unsigned char)*at))
        at++;
    while (isdigit((unsigned char)*at)) { /* of a name in namespaces the last */
        char *end;
        unsigned long length = strtoul(at, &end, 10);
        if (length == 0 || length >= size || length > strlen(end))
            return;
        snprintf(name, size, "%.*s", (int)length, end);
        if (mangled[2] != 'N') /* what follows is the type of the first parameter */
            return;
        at = end + length;
    }
}
