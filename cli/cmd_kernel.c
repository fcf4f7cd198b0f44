/* warpcheck kernel: is every warp-level instruction of a CUDA kernel defined, on every launch and input that is tried?
 */
#include "base/file.h"
#include "base/text.h"
#include "cli/registry.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "kernel/finding.h"
#include "kernel/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    struct kernel_search_options options;
    struct option_list blocks, params, entries;
    const char *input; /* replays this one */
    const char *out;   /* folder in which errors are kept */
    const char *path;
    const char *text; /* of the file */
    size_t size;
    bool json, notes;
    int status;
    uint32_t entries_seen;
};

static void worsen(struct job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

static const char *printable(const char *text, char *shown, size_t size)
{
    return text_printable(text, strlen(text), shown, size);
}

/* ---- options ---- */

static bool read_shape(const char *text, uint32_t shape[3])
{
    char *end;
    shape[0] = shape[1] = shape[2] = 1;
    for (unsigned n = 0; n < 3; n++) {
        unsigned long value = strtoul(text, &end, 10);
        if (end == text || value == 0 || value > 65535)
            return false;
        shape[n] = (uint32_t)value;
        if (*end == '\0')
            return true;
        if (*end != ',' && *end != 'x')
            return false;
        text = end + 1;
    }
    return false;
}

static int set_blocks(struct job *job)
{
    for (size_t n = 0; n < job->blocks.count; n++) {
        uint32_t *shape = job->options.blocks[job->options.blocks_count++];
        if (!read_shape(job->blocks.items[n], shape) || (uint64_t)shape[0] * shape[1] * shape[2] > KERNEL_THREADS_MAX)
            return usage_error(&command_kernel, "--block %s: needs X, X,Y or X,Y,Z with at most %u threads",
                               job->blocks.items[n], KERNEL_THREADS_MAX);
    }
    return STATUS_AGREE;
}

static bool read_range(const char *text, struct kernel_range *range)
{
    char *end;
    range->low = strtoll(text, &end, 0);
    range->high = range->low;
    range->is_set = true;
    if (end == text)
        return false;
    if (strncmp(end, "..", 2) == 0) {
        text = end + 2;
        range->high = strtoll(text, &end, 0);
    }
    return end != text && *end == '\0' && range->low <= range->high;
}

/* --param NAME=VALUE or NAME=LOW..HIGH, for one entry. */
static bool set_params(struct job *job, const struct kernel_slots *slots)
{
    memset(job->options.ranges, 0, sizeof job->options.ranges);
    for (size_t n = 0; n < job->params.count; n++) {
        char name[64], known[512] = "";
        const char *text = job->params.items[n], *equals = strchr(text, '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - text : 0), text);
        uint32_t slot = kernel_slot_find(slots, name);
        if (slot != MODULE_NONE && !slots->slots[slot].is_pointer && read_range(equals + 1, &job->options.ranges[slot]))
            continue;
        for (uint32_t k = 0; k < slots->count; k++)
            if (!slots->slots[k].is_pointer)
                snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s (number %u)", known[0] ? ", " : "",
                         slots->slots[k].name, slots->slots[k].param);
        complain("warpcheck kernel: --param %s: needs NAME=VALUE or NAME=LOW..HIGH; the parameters are: %s", text,
                 known[0] ? known : "none");
        return false;
    }
    return true;
}

/* ---- people ---- */

static void print_launches(const struct kernel_search *s, uint32_t set)
{
    for (uint32_t n = 0; n < s->launches_count; n++) {
        if (!(set >> n & 1u))
            continue;
        printf(" %u", s->launches[n][0]);
        if (s->launches[n][1] > 1 || s->launches[n][2] > 1)
            printf("x%ux%u", s->launches[n][1], s->launches[n][2]);
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

static void print_finding(const struct job *job, const struct kernel_search *s, const struct kernel_finding *f)
{
    struct buffer b = {0};
    char text[KERNEL_INPUT_TEXT_MAX], word[2 * KERNEL_INPUT_TEXT_MAX];
    bool is_error = kernel_is_error(f->event.kind);
    printf("  %s%s %s%s: ", paint(is_error ? PAINT_RED : PAINT_YELLOW), is_error ? "ERROR" : "note",
           kernel_kind_name(f->event.kind), paint(PAINT_PLAIN));
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
    printf("    seen    %s execution%s, with block", number_text(f->executions), f->executions == 1 ? "" : "s");
    print_launches(s, f->launches_with);
    if (tried(s) & ~f->launches_with) {
        printf("; not with");
        print_launches(s, tried(s) & ~f->launches_with);
    }
    printf("\n");
    if (!is_error)
        return;
    if (job->options.blocks_count == 0 && (tried(s) & ~f->launches_with))
        printf("    it needs a certain launch: say with --block which one the kernel is made for\n");
    kernel_input_text(&s->slots, &f->input, text, sizeof text);
    printf("    replay%s warpcheck kernel %s %s --input %s\n", f->replayed ? " " : "  (did not show it again!)",
           text_quote(job->path, word, 1024), s->code->entry->name, text_quote(text, word + 1024, sizeof word - 1024));
}

static void print_entry(const struct job *job, const char *name, const struct kernel_search *s)
{
    uint32_t errors = kernel_errors(s), notes = s->findings_count - errors;
    char shown[512];
    printf("%s: %s: %s%s%s", printable(job->path, shown, sizeof shown), name,
           paint(errors                 ? PAINT_RED
                 : kernel_is_unknown(s) ? PAINT_YELLOW
                                        : PAINT_GREEN),
           errors                 ? "ERROR"
           : kernel_is_unknown(s) ? "UNKNOWN"
                                  : "clean",
           paint(PAINT_PLAIN));
    printf(" on %s executions (%s groups, %u of %u warp instructions reached, %.1f s)", number_text(s->executions),
           number_text(s->groups), s->warp_instructions_seen, s->warp_instructions, s->seconds);
    if (errors)
        printf(", %u error%s", errors, errors == 1 ? "" : "s");
    if (notes)
        printf(", %u note%s%s", notes, notes == 1 ? "" : "s", job->notes ? "" : " (--notes)");
    printf("\n  blocks tried:");
    print_launches(s, tried(s));
    printf("\n");
    if (s->endless) {
        struct buffer b = {0};
        kernel_place_text(s->code, s->endless_at, &b);
        printf("  unknown: progress not shown in %s executions, which did not end and count as nothing; the first was "
               "at %s\n",
               number_text(s->endless), buffer_string(&b));
        buffer_free(&b);
    }
    if (s->trapped)
        printf("  %s executions ended in a trap or a failed assert: no inputs that the kernel is for\n",
               number_text(s->trapped));
    if (s->wild)
        printf("  %s loads outside any buffer gave arbitrary values\n", number_text(s->wild));
    for (uint32_t n = 0; n < s->findings_count; n++)
        if (job->notes || kernel_is_error(s->findings[n].event.kind))
            print_finding(job, s, &s->findings[n]);
}

/* ---- machines ---- */

static void json_place(const char *key, const struct code *code, uint32_t at)
{
    struct code_place p = code_place(code, at);
    char shown[1024];
    out_begin_object(key);
    out_text("file", printable(p.file, shown, sizeof shown));
    out_number("line", p.line);
    if (p.outer_file) {
        out_text("inlined_at_file", printable(p.outer_file, shown, sizeof shown));
        out_number("inlined_at_line", p.outer_line);
    }
    out_number("ptx_line", p.ptx_line);
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
        out_end();
    }
    out_end();
}

static void json_finding(const struct kernel_search *s, const struct kernel_finding *f)
{
    struct buffer b = {0};
    char text[KERNEL_INPUT_TEXT_MAX];
    out_begin_object(NULL);
    out_bool("error", kernel_is_error(f->event.kind));
    out_text("kind", kernel_kind_name(f->event.kind));
    kernel_event_text(s->code, &f->event, &b);
    out_text("what", buffer_string(&b));
    buffer_free(&b);
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
    out_bool("replayed", f->replayed);
    out_number("executions", f->executions);
    kernel_rule_text(&s->slots, &f->rule, &b);
    if (f->rule.kind != RULE_NONE)
        out_text("rule", buffer_string(&b));
    buffer_free(&b);
    out_end();
}

static void json_launches(const struct kernel_search *s)
{
    char shape[48];
    out_begin_array("blocks");
    for (uint32_t n = 0; n < s->launches_count; n++) {
        if (s->launch_executions[n] == 0)
            continue;
        snprintf(shape, sizeof shape, "%u,%u,%u", s->launches[n][0], s->launches[n][1], s->launches[n][2]);
        out_text(NULL, shape);
    }
    out_end();
}

static void json_entry(const struct job *job, const char *name, const struct kernel_search *s)
{
    char shown[512];
    uint32_t errors = kernel_errors(s);
    out_begin_object(NULL);
    out_text("file", printable(job->path, shown, sizeof shown));
    out_text("entry", name);
    out_text("verdict", errors ? "error" : kernel_is_unknown(s) ? "unknown" : "clean");
    out_number("executions", s->executions);
    out_number("endless", s->endless);
    out_number("trapped", s->trapped);
    out_number("lane_instructions", s->lane_steps);
    out_number("warp_instructions", s->warp_instructions);
    out_number("warp_instructions_reached", s->warp_instructions_seen);
    out_number("wild_loads", s->wild);
    out_real("seconds", s->seconds);
    json_launches(s);
    out_begin_array("findings");
    for (uint32_t n = 0; n < s->findings_count; n++)
        json_finding(s, &s->findings[n]);
    out_end();
    out_end();
}

static void refuse_entry(struct job *job, const char *name, const char *why)
{
    char path[512], shown[1100];
    if (job->json) {
        out_begin_object(NULL);
        out_text("file", printable(job->path, path, sizeof path));
        out_text("entry", name);
        out_text("verdict", "unreadable");
        out_text("why", printable(why, shown, sizeof shown));
        out_end();
    } else {
        printf("%s: %s: %sNOT READ%s: %s\n", printable(job->path, path, sizeof path), name, paint(PAINT_YELLOW),
               paint(PAINT_PLAIN), printable(why, shown, sizeof shown));
    }
    worsen(job, STATUS_USAGE);
}

/* ---- keeping ---- */

static void keep(struct job *job, const struct kernel_search *s, const struct kernel_finding *f)
{
    struct finding_kept kept;
    struct error error;
    char path[FILE_PATH_MAX], word[4 * FILE_PATH_MAX];
    if (!kernel_finding_keep(s, f, job->text, job->size, job->options.steps, job->out, &kept, &error)) {
        complain("warpcheck kernel: %s", error.text);
        worsen(job, STATUS_USAGE);
    } else if (!job->json) {
        file_absolute(kept.path, path);
        printf("  %s %s\n  replay: warpcheck replay %s\n", kept.existed ? "known as" : "written:", shown(path),
               text_quote(path, word, sizeof word));
    }
}

/* ---- one entry ---- */

static bool replay(struct job *job, const struct code *code, struct kernel_search *s)
{
    static struct kernel_outcome outcome;
    struct kernel_input in;
    struct error error;
    *s = (struct kernel_search){.code = code};
    kernel_find_slots(code, &s->slots);
    if (!kernel_input_read(&s->slots, job->input, &in, &error)) {
        complain("warpcheck kernel: --input: %s", error.text);
        return false;
    }
    struct kernel *kernel = kernel_new(code, job->options.impl);
    bool ok = kernel && kernel_execute(kernel, &in, job->options.steps, &outcome);
    kernel_free(kernel);
    if (!ok || outcome.ending == KERNEL_UNANSWERED) {
        complain("warpcheck kernel: %s", ok ? outcome.why : "out of memory");
        return false;
    }
    memcpy(s->launches[0], in.block, sizeof in.block);
    s->launches_count = 1;
    s->launch_executions[0] = s->executions = 1;
    s->endless = outcome.ending == KERNEL_ENDLESS;
    s->endless_at = outcome.ended_at;
    s->trapped = outcome.ending == KERNEL_TRAPPED;
    s->groups = outcome.groups;
    s->lane_steps = outcome.lane_steps;
    s->wild = outcome.wild;
    for (uint32_t n = 0; n < outcome.events_count; n++)
        s->findings[s->findings_count++] = (struct kernel_finding){
            .event = outcome.events[n], .input = in, .executions = 1, .launches_with = 1, .replayed = true};
    return true;
}

static void run_code(struct job *job, const char *name, const struct code *code, struct kernel_search *s)
{
    kernel_find_slots(code, &s->slots);
    if (!set_params(job, &s->slots)) {
        worsen(job, STATUS_USAGE);
        return;
    }
    if (job->input ? !replay(job, code, s) : !kernel_search(code, &job->options, s)) {
        if (!job->input)
            refuse_entry(job, name, s->why);
        worsen(job, STATUS_USAGE);
        return;
    }
    (job->json ? json_entry : print_entry)(job, name, s);
    if (kernel_errors(s) || kernel_is_unknown(s))
        worsen(job, STATUS_MISMATCH);
    for (uint32_t n = 0; job->out && n < s->findings_count; n++)
        if (kernel_is_error(s->findings[n].event.kind))
            keep(job, s, &s->findings[n]);
}

static void run_entry(struct job *job, const struct module *module, uint32_t function)
{
    struct error error = {0};
    char name[512];
    printable(module->functions[function].name, name, sizeof name);
    struct kernel_search *search = calloc(1, sizeof *search);
    struct code *code = search ? code_new(module, function, &error) : NULL;
    if (code)
        run_code(job, name, code, search);
    else
        refuse_entry(job, name, search ? error.text : "out of memory");
    code_free(code);
    free(search);
    fflush(stdout);
}

static bool is_wanted(const struct job *job, const char *name)
{
    char plain[256];
    kernel_plain_name(name, plain, sizeof plain);
    for (size_t n = 0; n < job->entries.count; n++)
        if (strcmp(job->entries.items[n], name) == 0 || strcmp(job->entries.items[n], plain) == 0)
            return true;
    return job->entries.count == 0;
}

static void run_file(struct job *job, const char *path)
{
    struct error error;
    char *text = file_read(path, MODULE_TEXT_MAX, &job->size, &error);
    struct module *module = text ? module_read(text, job->size, path, &error) : NULL;
    job->path = path;
    job->text = text;
    if (!module) {
        complain("%s", error.text);
        worsen(job, STATUS_USAGE);
    }
    for (uint32_t n = 0; module && n < module->functions_count; n++) {
        const struct module_function *f = &module->functions[n];
        if (!f->is_entry || f->is_declaration || !is_wanted(job, f->name))
            continue;
        job->entries_seen++;
        run_entry(job, module, n);
    }
    module_free(module);
    free(text);
}

static int run_all(struct job *job, int operands, char **argv)
{
    uint32_t files = 0;
    for (int n = 1; n <= operands; n++) /* what is no file is the name of an entry */
        if (!text_ends(argv[n], ".ptx") && !file_exists(argv[n]) && strcmp(argv[n], "-") != 0) {
            if (job->entries.count == OPTION_LIST_MAX)
                return usage_error(&command_kernel, "more than %u entries", OPTION_LIST_MAX);
            job->entries.items[job->entries.count++] = argv[n];
        } else {
            files++;
        }
    if (files == 0)
        return usage_error(&command_kernel, "needs a PTX file (nvcc -ptx -lineinfo FILE.cu)");
    if (job->json) {
        out_start();
        out_begin_array("entries");
    }
    for (int n = 1; n <= operands; n++)
        if (text_ends(argv[n], ".ptx") || file_exists(argv[n]) || strcmp(argv[n], "-") == 0)
            run_file(job, argv[n]);
    if (job->entries_seen == 0 && job->status == STATUS_AGREE) {
        usage_error(&command_kernel, job->entries.count ? "no file has an entry of that name" : "no entry to execute");
        worsen(job, STATUS_USAGE);
    }
    if (job->json) {
        out_end();
        out_number("status", (uint64_t)job->status);
        out_print();
    }
    return job->status;
}

static int kernel_main(int argc, char **argv)
{
    struct job job = {.options = {.seed = 1, .seconds = 3, .steps = 1000000}};
    const char *impl = "spec", *grid = NULL;
    uint64_t shared = UINT64_C(49152);
    const struct option table[] = {
        {OPT_BLOCK, &job.blocks, ".reqntid, else multiples of 32", false},
        {OPT_GRID, &grid, "1, 2 and 4 blocks", false},
        {OPT_SHARED, &shared, NULL, false},
        {OPT_PARAM, &job.params, NULL, false},
        {OPT_TIME, &job.options.seconds, NULL, false},
        {OPT_EXECUTIONS, &job.options.executions, "", false},
        {OPT_STEPS, &job.options.steps, NULL, false},
        {OPT_SEED, &job.options.seed, NULL, false},
        {OPT_IMPL, &impl, NULL, false},
        {OPT_INPUT, &job.input, NULL, false},
        {OPT_NOTES, &job.notes, NULL, false},
        {OPT_OUT, &job.out, "nowhere", false},
        {OPT_JSON, &job.json, NULL, false},
    };
    int operands = options_parse(&command_kernel, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (grid && !read_shape(grid, job.options.grid))
        return usage_error(&command_kernel, "--grid %s: needs X, X,Y or X,Y,Z", grid);
    if (shared > UINT64_C(1) << 20)
        return usage_error(&command_kernel, "--shared: at most 1048576 bytes");
    job.options.shared = (uint32_t)shared;
    int status = set_blocks(&job);
    if (status != STATUS_AGREE)
        return status;
    job.options.impl = ask_open(&command_kernel, impl);
    if (!job.options.impl)
        return STATUS_USAGE;
    interrupt_catch();
    status = run_all(&job, operands, argv);
    registry_close(job.options.impl);
    return status;
}

const struct command command_kernel = {
    .name = "kernel",
    .summary = "execute CUDA kernels (PTX): is every warp-level instruction defined?",
    .help =
        "usage: warpcheck kernel [OPTION...] FILE.ptx... [ENTRY...]\n"
        "\n"
        "Executes whole blocks of each entry on many launches and inputs, and reports warp-level instructions that\n"
        "are undefined, wait for ever, or give values that nothing defines and that are used; block barriers in\n"
        "divergent code; and lanes of a warp that race for shared memory (docs/kernels.md). Each error comes with\n"
        "its line in the source, a small launch and input that shows it, and a command that replays it.\n"
        "\n"
        "\"clean\" means clean on the executions that were tried, not proved.\n"
        "\n"
        "Exit status: 0 clean, 1 an error or unknown (no execution ended), 2 unreadable or wrong usage.\n"
        "\n"
        "  nvcc -ptx -lineinfo my.cu && warpcheck kernel my.ptx\n"
        "  warpcheck kernel my.ptx reduce --block 256 --param n=0..300\n",
    .run = kernel_main};
