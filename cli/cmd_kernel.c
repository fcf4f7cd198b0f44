/* warpcheck kernel: is every warp-level instruction of a CUDA kernel defined, on every launch and input that is tried?
 */
#include "base/file.h"
#include "base/text.h"
#include "cli/kernels/baseline.h"
#include "cli/kernels/report.h"
#include "cli/kernels/sections.h"
#include "cli/registry.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "kernel/finding.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROOF_SECONDS   60.0             /* for each launch */
#define AGAINST         UINT64_C(100000) /* executions of what is proved, in all */
#define AGAINST_TIMES   5.0              /* of --time, for those */
#define SECTION_SECONDS 30.0             /* for each claim about a section */

struct job {
    struct kernel_search_options options;
    struct option_list blocks, params, requires, contents, entries;
    const char *input; /* replays this one */
    const char *out;   /* folder in which errors are kept */
    const char *path;
    const char *text; /* of the file */
    size_t size;
    bool json, notes, prove, cross, races;
    uint32_t only; /* bit set of enum kernel_kind: only these count; 0: all */
    struct baseline *baseline;
    struct sarif *sarif;
    struct page *page;
    struct totals totals;
    int status;
    uint32_t entries_seen;
    bool many; /* more than one entry is executed: a parameter may be missing in some */
    /* bit sets of `params`, `contents` and `requires` that some entry has */
    uint64_t params_used, contents_used, requires_used;
    struct told_sections **sections; /* one a file that was read */
    size_t sections_count, sections_room;
};

static void worsen(struct job *job, int status)
{
    if (status > job->status)
        job->status = status;
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
    if (job->blocks.count > KERNEL_LAUNCHES_MAX)
        return usage_error(&command_kernel, "--block: at most %u", KERNEL_LAUNCHES_MAX);
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

static int set_only(struct job *job, const struct option_list *only)
{
    const char *names[KERNEL_KINDS];
    for (unsigned n = 0; n < KERNEL_KINDS; n++)
        names[n] = kernel_kind_name((enum kernel_kind)n);
    for (size_t k = 0; k < only->count; k++) {
        unsigned n = 0;
        while (n < KERNEL_KINDS && strcmp(names[n], only->items[k]) != 0)
            n++;
        const char *nearest = text_nearest(only->items[k], names, KERNEL_KINDS);
        if (n == KERNEL_KINDS)
            return usage_error(&command_kernel, "--only %s: no kind of error or note%s%s%s", only->items[k],
                               nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
        job->only |= UINT32_C(1) << n;
    }
    return STATUS_AGREE;
}

/* What is wrong in the words of --param, --memory and --require themselves, whatever the entries are. */
static int check_words(const struct job *job)
{
    struct error error;
    for (size_t n = 0; n < job->params.count; n++) {
        const char *const text = job->params.items[n], *const equals = strchr(text, '=');
        struct kernel_range range;
        if (!equals || equals == text || !read_range(equals + 1, &range))
            return usage_error(&command_kernel, "--param %s: needs NAME=VALUE or NAME=LOW..HIGH", text);
    }
    for (size_t n = 0; n < job->contents.count; n++) {
        const char *const text = job->contents.items[n], *const equals = strchr(text, '=');
        enum kernel_pattern pattern;
        if (!equals || equals == text || !kernel_pattern_read(equals + 1, &pattern))
            return usage_error(&command_kernel,
                               "--memory %s: needs NAME=zeros, ones, flags, small, rising, offsets, numbers or bits",
                               text);
    }
    if (job->requires.count > KERNEL_REQUIRES_MAX)
        return usage_error(&command_kernel, "--require: at most %u", KERNEL_REQUIRES_MAX);
    for (size_t n = 0; n < job->requires.count; n++)
        if (!kernel_require_is_read(job->requires.items[n], &error))
            return usage_error(&command_kernel, "--require %s", error.text);
    return STATUS_AGREE;
}

/* What the parameters (or `pointers`, and variables) are called. */
static const char *known_parameters(const struct kernel_slots *slots, bool pointers, char known[512])
{
    known[0] = '\0';
    for (uint32_t k = 0; k < slots->count; k++)
        if (slots->slots[k].is_pointer == pointers)
            snprintf(known + strlen(known), 512 - strlen(known), "%s%s (number %u)", known[0] ? ", " : "",
                     slots->slots[k].name, slots->slots[k].param);
    for (uint32_t k = 0; pointers && k < slots->variables_count; k++)
        snprintf(known + strlen(known), 512 - strlen(known), "%s%s", known[0] ? ", " : "", slots->variables[k].name);
    return known[0] ? known : "none";
}

/* The entry has no such parameter, or not of this kind. */
static void refuse_parameter(const char *option, const char *text, const struct kernel_slots *slots, bool pointers)
{
    char known[512];
    complain("warpcheck kernel: %s %s: needs %s; the %s are: %s", option, shown(text),
             pointers ? "NAME=PATTERN" : "NAME=VALUE or NAME=LOW..HIGH",
             pointers ? "pointers and variables" : "parameters", known_parameters(slots, pointers, known));
}

/* --param NAME=VALUE or NAME=LOW..HIGH, for one entry. */
static bool set_params(struct job *job, const struct kernel_slots *slots)
{
    memset(job->options.ranges, 0, sizeof job->options.ranges);
    for (size_t n = 0; n < job->params.count; n++) {
        char name[128];
        const char *text = job->params.items[n], *equals = strchr(text, '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - text : 0), text);
        uint32_t slot = kernel_slot_find(slots, name);
        if (slot == MODULE_NONE && equals && job->many)
            continue; /* another entry may have it */
        if (slot == MODULE_NONE || slots->slots[slot].is_pointer ||
            !read_range(equals + 1, &job->options.ranges[slot])) {
            refuse_parameter("--param", text, slots, false);
            return false;
        }
        job->params_used |= UINT64_C(1) << n;
    }
    return true;
}

/* --memory NAME=PATTERN, for one entry. */
static bool set_contents(struct job *job, const struct kernel_slots *slots)
{
    memset(job->options.contents, 0, sizeof job->options.contents);
    memset(job->options.variables, 0, sizeof job->options.variables);
    for (size_t n = 0; n < job->contents.count; n++) {
        char name[128];
        enum kernel_pattern pattern;
        const char *text = job->contents.items[n], *equals = strchr(text, '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - text : 0), text);
        uint32_t slot = kernel_slot_find(slots, name), variable = 0;
        while (variable < slots->variables_count && strcmp(slots->variables[variable].name, name) != 0)
            variable++;
        bool is_pointer = slot != MODULE_NONE ? slots->slots[slot].is_pointer : variable < slots->variables_count;
        if (!is_pointer && job->many)
            continue; /* another entry may have it */
        if (!is_pointer || !equals || !kernel_pattern_read(equals + 1, &pattern)) {
            refuse_parameter("--memory", text, slots, true);
            return false;
        }
        *(slot != MODULE_NONE ? &job->options.contents[slot] : &job->options.variables[variable]) =
            (uint8_t)(1 + pattern);
        job->contents_used |= UINT64_C(1) << n;
    }
    return true;
}

/* --require CONDITION, for one entry. */
static bool set_requires(struct job *job, const struct kernel_slots *slots)
{
    struct error error = {0};
    job->options.requires_count = 0;
    for (size_t n = 0; n < job->requires.count; n++) {
        struct kernel_require *require = &job->options.requires[job->options.requires_count];
        const bool is_read = kernel_require_read(slots, job->requires.items[n], require, &error);
        if (!is_read && error.code == ERROR_UNAVAILABLE && job->many)
            continue; /* another entry may have it */
        if (!is_read) {
            char known[512];
            if (error.code == ERROR_UNAVAILABLE)
                complain("warpcheck kernel: --require %s; the parameters are: %s", shown(error.text),
                         known_parameters(slots, false, known));
            else
                complain("warpcheck kernel: --require %s", shown(error.text));
            return false;
        }
        job->requires_used |= UINT64_C(1) << n;
        job->options.requires_count++;
    }
    return true;
}

/* ---- telling ---- */

static void tell(struct job *job, struct told *told)
{
    totals_add(&job->totals, told);
    if (job->json)
        json_told(told);
    else
        print_told(told);
    if (job->sarif)
        sarif_add(job->sarif, told);
    if (job->page)
        page_add(job->page, told);
    fflush(stdout);
}

static void refuse_entry(struct job *job, const char *name, const char *why)
{
    struct told told = {.path = job->path, .name = name, .verdict = TOLD_UNREAD, .why = why};
    tell(job, &told);
    worsen(job, STATUS_USAGE);
}

/* Forgets findings of kinds that --only does not name. Returns how many, and which kinds. */
static uint32_t leave_out(const struct job *job, struct kernel_search *s, uint32_t *kinds)
{
    uint32_t kept = 0, before = s->findings_count;
    *kinds = 0;
    for (uint32_t n = 0; n < before; n++) {
        const uint32_t kind = UINT32_C(1) << s->findings[n].event.kind;
        if (job->only == 0 || (job->only & kind))
            s->findings[kept++] = s->findings[n];
        else
            *kinds |= kind;
    }
    s->findings_count = kept;
    return before - kept;
}

static enum told_verdict judge_clean(const struct kernel_search *s)
{
    if (s->warp_instructions > 0 && s->warp_instructions_seen == 0)
        return TOLD_UNREACHED;
    return code_has_checks(s->code) ? TOLD_CLEAN : TOLD_NOTHING;
}

static enum told_verdict judge(const struct kernel_search *s, const struct told *told)
{
    uint32_t errors = 0, known = 0;
    for (uint32_t n = 0; n < s->findings_count; n++) {
        known += told->known[n] != NULL;
        errors += kernel_finding_is_error(&s->findings[n]) && !told->known[n];
    }
    return errors ? TOLD_ERROR : known ? TOLD_KNOWN : kernel_is_unknown(s) ? TOLD_UNKNOWN : judge_clean(s);
}

/*
 * Executes what is proved until it was executed AGAINST times in all. What contradicts the proof takes the place of the
 * search.
 */
static void execute_against(const struct job *job, const struct code *code, struct kernel_search *s)
{
    struct kernel_search_options options = job->options;
    struct kernel_search *const more = calloc(1, sizeof *more);
    const uint64_t before = s->executions;
    if (!more || job->input || options.executions != 0 || before >= AGAINST || interrupted()) {
        free(more);
        return;
    }
    options.seed++;
    options.seconds *= AGAINST_TIMES;
    options.executions = AGAINST - before;
    if (kernel_search(code, &options, more)) {
        if (kernel_errors(more) > 0)
            *s = *more;
        else {
            s->executions += more->executions;
            for (uint32_t n = 0; n < s->launches_count; n++) {
                s->launch_executions[n] += more->launch_executions[n];
                s->launch_ended[n] += more->launch_ended[n];
            }
            s->groups += more->groups;
            s->steps += more->steps;
            s->lane_steps += more->lane_steps;
            s->wild += more->wild;
            s->oversized += more->oversized;
            s->endless += more->endless;
            s->trapped += more->trapped;
            s->seconds += more->seconds;
        }
    }
    free(more);
}

static void tell_search(struct job *job, const char *name, const struct code *code, struct kernel_search *s,
                        struct told *told)
{
    uint32_t kinds;
    const uint32_t left_out = leave_out(job, s, &kinds);
    *told = (struct told){.path = job->path,
                          .name = name,
                          .search = s,
                          .left_out = left_out,
                          .left_out_kinds = kinds,
                          .notes = job->notes,
                          .launch_is_stated = job->options.blocks_count > 0,
                          .has_baseline = job->baseline != NULL};
    for (uint32_t n = 0; job->baseline && n < s->findings_count; n++)
        if (kernel_is_error(s->findings[n].event.kind))
            told->known[n] = baseline_find(job->baseline, code, &s->findings[n].event);
    if (job->baseline && !job->input)
        baseline_executed(job->baseline, code->entry->name);
    struct error error = {0};
    struct proof *proof = job->prove ? proof_try(code, s, &job->options, job->cross ? 4 * PROOF_SECONDS : PROOF_SECONDS,
                                                 job->cross, job->races, &error)
                                     : NULL;
    if (proof && proof_is_whole(proof))
        execute_against(job, code, s);
    told->verdict = judge(s, told);
    told->proof = proof;
    tell(job, told);
    told->proof = NULL;
    if (job->prove && !proof)
        worsen(job, usage_error(&command_kernel, "--prove: %s", error.text));
    else if (proof && proof_is_contradicted(proof))
        worsen(job, STATUS_USAGE);
    else if (proof && !proof_is_whole(proof))
        worsen(job, STATUS_MISMATCH);
    proof_free(proof);
    if (told->verdict == TOLD_ERROR || told->verdict == TOLD_UNKNOWN || told->verdict == TOLD_UNREACHED)
        worsen(job, STATUS_MISMATCH);
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
    s->code = code;
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
    s->launch_ended[0] = !s->endless && !s->trapped;
    s->groups = outcome.groups;
    s->lane_steps = outcome.lane_steps;
    s->wild = outcome.wild;
    for (uint32_t n = 0; n < outcome.events_count; n++)
        s->findings[s->findings_count++] =
            (struct kernel_finding){.event = outcome.events[n],
                                    .input = in,
                                    .executions = 1,
                                    .launches_with = 1,
                                    .replayed = true,
                                    .is_question = kernel_is_error(outcome.events[n].kind) &&
                                                   !kernel_input_is_expected(&job->options, &s->slots, &in)};
    return true;
}

static void run_code(struct job *job, const char *name, const struct code *code, struct kernel_search *s)
{
    kernel_find_slots(code, &s->slots);
    if (s->slots.no_memory) {
        refuse_entry(job, name, "out of memory");
        worsen(job, STATUS_USAGE);
        return;
    }
    if (!set_params(job, &s->slots) || !set_contents(job, &s->slots) || !set_requires(job, &s->slots)) {
        worsen(job, STATUS_USAGE);
        return;
    }
    if (job->input ? !replay(job, code, s) : !kernel_search(code, &job->options, s)) {
        if (!job->input)
            refuse_entry(job, name, s->why);
        worsen(job, STATUS_USAGE);
        return;
    }
    struct told told;
    tell_search(job, name, code, s, &told);
    for (uint32_t n = 0; job->out && n < s->findings_count; n++)
        if (kernel_finding_is_error(&s->findings[n]) && !told.known[n])
            keep(job, s, &s->findings[n]);
}

static void run_entry(struct job *job, const struct module *module, uint32_t function)
{
    struct error error = {0};
    const char *name = module->functions[function].name;
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

static uint32_t count_wanted(const struct job *job, const struct module *module)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < module->functions_count; n++)
        count += module->functions[n].is_entry && !module->functions[n].is_declaration &&
                 is_wanted(job, module->functions[n].name);
    return count;
}

/* Claims about parts of kernels; `--input` asks about one execution alone. */
static void run_sections(struct job *job)
{
    const struct sections_options options = {.impl = job->options.impl,
                                             .seed = job->options.seed,
                                             .prove = job->prove,
                                             .cross = job->cross,
                                             .seconds = SECTION_SECONDS};
    struct error error;
    struct told_sections *const told = sections_try(job->path, job->text, job->size, &options, &error);
    struct told_sections **const all =
        array_grow(job->sections, job->sections_count, &job->sections_room, sizeof *job->sections);
    if (!told || !all) {
        complain("warpcheck kernel: %s", told ? "out of memory" : error.text);
        worsen(job, STATUS_USAGE);
        told_sections_free(told);
        return;
    }
    job->sections = all;
    job->sections[job->sections_count++] = told;
    if (!job->json)
        sections_print(told);
    if (!sections_are_whole(told))
        worsen(job, sections_are_contradicted(told) ? STATUS_USAGE : STATUS_MISMATCH);
}

static void run_file(struct job *job, const char *path)
{
    struct error error;
    char *text = file_read(path, MODULE_TEXT_MAX, &job->size, &error);
    struct module *module = text ? module_read(text, job->size, path, &error) : NULL;
    job->path = path;
    job->text = text;
    if (!module) {
        complain("%s%s", error.text,
                 text && text_ends(path, ".cu") ? " (this is CUDA source: make PTX of it with nvcc -ptx -lineinfo)"
                                                : "");
        worsen(job, STATUS_USAGE);
    }
    job->many |= module && count_wanted(job, module) > 1;
    for (uint32_t n = 0; module && n < module->functions_count && !interrupted(); n++) {
        const struct module_function *f = &module->functions[n];
        if (!f->is_entry || f->is_declaration || !is_wanted(job, f->name))
            continue;
        job->entries_seen++;
        run_entry(job, module, n);
    }
    if (module && !job->input && !interrupted())
        run_sections(job);
    module_free(module);
    free(text);
}

/* ---- all of them ---- */

static bool is_file(const char *operand)
{
    return text_ends(operand, ".ptx") || file_exists(operand) || strcmp(operand, "-") == 0;
}

/* What is no file is the name of an entry. */
static int sort_operands(struct job *job, int operands, char **argv, uint32_t *files)
{
    for (int n = 1; n <= operands; n++) {
        if (is_file(argv[n]))
            ++*files;
        else if (job->entries.count == OPTION_LIST_MAX)
            return usage_error(&command_kernel, "more than %u entries", OPTION_LIST_MAX);
        else
            job->entries.items[job->entries.count++] = argv[n];
    }
    return *files ? STATUS_AGREE : usage_error(&command_kernel, "needs a PTX file (nvcc -ptx -lineinfo FILE.cu)");
}

static void tell_unmatched(void *context, uint32_t line, const char *text)
{
    struct job *job = context;
    if (job->json) {
        out_begin_object(NULL);
        out_number("line", line);
        out_text("signature", shown(text));
        out_end();
    } else {
        printf("baseline line %u matches nothing any more: %s\n", (unsigned)line, shown(text));
    }
}

/* The last line of standard output; of JSON the line is on standard error. */
static void tell_last(const struct job *job, const char *line)
{
    if (job->json)
        complain("warpcheck kernel: %s", line);
    else
        printf("%s\n", line);
}

/* What concerns all entries together. */
static void tell_all(struct job *job)
{
    for (size_t n = 0; n < job->params.count && job->many && job->entries_seen > 0; n++)
        if (!(job->params_used >> n & 1u))
            worsen(job, usage_error(&command_kernel, "--param %s: no entry has this parameter", job->params.items[n]));
    for (size_t n = 0; n < job->contents.count && job->many && job->entries_seen > 0; n++)
        if (!(job->contents_used >> n & 1u))
            worsen(job, usage_error(&command_kernel, "--memory %s: no entry has this pointer", job->contents.items[n]));
    for (size_t n = 0; n < job->requires.count && job->many && job->entries_seen > 0; n++)
        if (!(job->requires_used >> n & 1u))
            worsen(job, usage_error(&command_kernel, "--require %s: no entry has this scalar parameter",
                                    job->requires.items[n]));
    const bool is_nothing = job->entries_seen > 0 && job->totals.entries[TOLD_NOTHING] == job->entries_seen;
    if (interrupted() || is_nothing)
        worsen(job, STATUS_MISMATCH);
    else if (job->entries_seen == 0 && job->status == STATUS_AGREE)
        worsen(job, usage_error(&command_kernel,
                                job->entries.count ? "no file has an entry of that name" : "no entry to execute"));
    if (job->json) {
        out_end();
        out_begin_array("sections");
        for (size_t n = 0; n < job->sections_count; n++)
            sections_json(job->sections[n]);
        out_end();
        out_begin_array("baseline_unmatched");
    } else if (job->entries_seen > 1) {
        print_totals(&job->totals);
    }
    if (interrupted())
        tell_last(job, "INTERRUPTED: what follows was not executed, and the last entry not to its end");
    else if (is_nothing)
        tell_last(job, "NOTHING COMPARED: no warp instruction, no barrier and no shared memory");
    if (job->baseline)
        baseline_unmatched(job->baseline, tell_unmatched, job);
    if (job->json) {
        out_end();
        json_totals(&job->totals);
        out_number("status", (uint64_t)job->status);
        out_print();
    }
}

static void run_all(struct job *job, int operands, char **argv, uint32_t files)
{
    job->many = files > 1;
    if (job->json) {
        out_start();
        out_begin_array("entries");
    }
    for (int n = 1; n <= operands && !interrupted(); n++)
        if (is_file(argv[n]))
            run_file(job, argv[n]);
    tell_all(job);
}

/* The files that are written at the end, and the baseline. */
struct paths {
    const char *baseline, *sarif, *html;
};

static bool open_paths(struct job *job, const struct paths *paths, struct error *error)
{
    if (paths->baseline && !(job->baseline = baseline_read(paths->baseline, error)))
        return false;
    if (paths->sarif && !(job->sarif = sarif_new()))
        return error_set(error, ERROR_SYSTEM, "out of memory");
    return !paths->html || (job->page = page_new(error)) != NULL;
}

static void write_paths(struct job *job, const struct paths *paths)
{
    struct error error = {0};
    if (job->sarif && !sarif_write(job->sarif, paths->sarif, &error))
        worsen(job, usage_error(&command_kernel, "%s", error.text));
    if (job->page && !page_write(job->page, &job->totals, paths->html, &error))
        worsen(job, usage_error(&command_kernel, "%s", error.text));
    baseline_free(job->baseline);
}

static int kernel_main(int argc, char **argv)
{
    struct job job = {.options = {.seed = 1, .seconds = 3, .steps = 1000000}};
    struct option_list only = {0};
    struct paths paths = {0};
    struct error error;
    const char *impl = "spec", *grid = NULL, *solver = NULL;
    uint64_t shared = UINT64_C(49152);
    const struct option table[] = {
        {OPT_BLOCK, &job.blocks, ".reqntid, else multiples of 32", false},
        {OPT_GRID, &grid, "1, 2 and 4 blocks", false},
        {OPT_SHARED, &shared, NULL, false},
        {OPT_PARAM, &job.params, NULL, false},
        {OPT_MEMORY, &job.contents, "what the code allows", false},
        {OPT_TIME, &job.options.seconds, NULL, false},
        {OPT_EXECUTIONS, &job.options.executions, "", false},
        {OPT_STEPS, &job.options.steps, NULL, false},
        {OPT_SEED, &job.options.seed, NULL, false},
        {OPT_IMPL, &impl, NULL, false},
        {OPT_INPUT, &job.input, NULL, false},
        {OPT_ONLY_KINDS, &only, "all", false},
        {OPT_BASELINE, &paths.baseline, NULL, false},
        {OPT_PROVE, &job.prove, NULL, false},
        {OPT_RACES, &job.races, NULL, false},
        {OPT_SOLVER, &solver, "z3", false},
        {OPT_REQUIRE, &job.requires, "nothing", false},
        {OPT_NOTES, &job.notes, NULL, false},
        {OPT_SARIF, &paths.sarif, NULL, false},
        {OPT_HTML, &paths.html, NULL, false},
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
    job.prove |= job.races;
    job.cross = solver && strcmp(solver, "both") == 0;
    if (solver && !job.cross && strcmp(solver, "z3") != 0)
        return usage_error(&command_kernel, "--solver %s: needs z3, or both (cvc5 then checks each answer of Z3)",
                           shown(solver));
    uint32_t files = 0;
    int status = check_words(&job);
    if (status == STATUS_AGREE)
        status = set_blocks(&job);
    if (status == STATUS_AGREE)
        status = set_only(&job, &only);
    if (status == STATUS_AGREE)
        status = sort_operands(&job, operands, argv, &files);
    if (status != STATUS_AGREE)
        return status;
    job.options.impl = ask_open(&command_kernel, impl);
    if (!job.options.impl)
        return STATUS_USAGE;
    if (!open_paths(&job, &paths, &error)) {
        registry_close(job.options.impl);
        baseline_free(job.baseline);
        return usage_error(&command_kernel, "%s", error.text);
    }
    interrupt_catch();
    run_all(&job, operands, argv, files);
    write_paths(&job, &paths);
    for (size_t n = 0; n < job.sections_count; n++)
        told_sections_free(job.sections[n]);
    free(job.sections);
    registry_close(job.options.impl);
    return job.status;
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
        "\"clean\" means clean on the executions that were tried. With --prove it is then proved, for all inputs\n"
        "and schedules of a launch, instruction by instruction; what could not be proved is UNKNOWN and why.\n"
        "\n"
        "Exit status: 0 clean, 1 an error, unknown (no execution ended), not reached (no warp instruction was) or\n"
        "nothing to check in any entry, or interrupted, 2 unreadable or wrong usage. An error that\n"
        "the baseline names is told and does not count, nor does a question: an error that needs contents of memory\n"
        "which the host may never write (--memory says what it writes).\n"
        "\n"
        "  nvcc -ptx -lineinfo my.cu && warpcheck kernel my.ptx\n"
        "  warpcheck kernel my.ptx reduce --block 256 --param n=0..300\n"
        "  warpcheck kernel my.ptx --prove --require 'n % 32 == 0'\n"
        "  warpcheck kernel build/*.ptx --baseline known.txt --sarif kernels.sarif\n",
    .run = kernel_main};
