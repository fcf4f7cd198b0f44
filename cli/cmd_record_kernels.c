/* warpcheck record kernels: what a device does with whole kernels, right ones and wrong ones. */
#include "base/buffer.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "cli/registry.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "gpu/launch.h"
#include "kernel/silicon.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUTS_MAX  16u
#define REGION_MOST (UINT64_C(16) << 20) /* bytes that one launch may touch */

/* One launch with its input, run at each level. */
struct item {
    struct silicon_line line;
    struct kernel_image image;
    struct launch_region *regions[SILICON_LEVELS];
    struct launch_pointer *pointers;
    uint32_t pointers_count;
    struct kernel_input input;
    const char *ptx;
};

struct recorder {
    struct kernel_search_options options;
    const struct warp_impl *impl;
    uint64_t inputs; /* of a clean kernel, at most */
    double limit;    /* of one launch */
    struct item *items;
    size_t count, room;
    struct module **modules;
    char **texts;
    uint32_t files;
    uint32_t clean, wrong, approximate, unsettled, unread;
};

/* ---- what is launched ---- */

static void item_free(struct item *item)
{
    for (unsigned n = 0; n < SILICON_LEVELS; n++) {
        for (uint32_t k = 0; item->regions[n] && k < item->image.count; k++)
            free(item->regions[n][k].after);
        free(item->regions[n]);
    }
    free(item->pointers);
    kernel_image_free(&item->image);
}

static bool set_regions(struct item *item, unsigned level)
{
    const struct kernel_image *image = &item->image;
    struct launch_region *regions = item->regions[level] = calloc(image->count + 1, sizeof *regions);
    for (uint32_t n = 0; regions && n < image->count; n++) {
        const struct kernel_region *r = &image->regions[n];
        regions[n] = (struct launch_region){.variable = r->variable,
                                            .is_set = r->is_input || r->is_compared,
                                            .size = r->size,
                                            .before = r->before,
                                            .after = malloc((size_t)r->size + 1)};
        if (!regions[n].after)
            return false;
        memcpy(regions[n].after, r->before, (size_t)r->size);
    }
    return regions != NULL;
}

static bool set_pointers(struct item *item, const struct kernel_slots *slots)
{
    item->pointers = calloc(slots->count + 1, sizeof *item->pointers);
    for (uint32_t n = 0; item->pointers && n < slots->count; n++)
        for (uint32_t r = 0; slots->slots[n].is_pointer && r < item->image.count; r++)
            if (item->image.regions[r].buffer == slots->slots[n].buffer)
                item->pointers[item->pointers_count++] = (struct launch_pointer){slots->slots[n].offset, r};
    return item->pointers != NULL;
}

/* Executes the input and keeps what a device needs for it. */
static bool add_item(struct recorder *r, struct kernel *kernel, const struct kernel_slots *slots,
                     const struct kernel_input *in, const struct silicon_line *line, struct error *error)
{
    static struct kernel_outcome outcome;
    struct item *larger = array_grow(r->items, r->count, &r->room, sizeof *r->items);
    if (!larger)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    r->items = larger;
    struct item *item = &r->items[r->count];
    *item = (struct item){.line = *line, .input = *in};
    item->ptx = r->texts[r->files - 1];
    if (!kernel_execute(kernel, in, r->options.steps, &outcome))
        return error_set(error, ERROR_SYSTEM, "out of memory");
    bool ok = kernel_image_take(kernel, slots, REGION_MOST, &item->image, error);
    if (ok && !(set_pointers(item, slots) && set_regions(item, 0) && set_regions(item, 1)))
        ok = error_set(error, ERROR_SYSTEM, "out of memory");
    if (!ok) {
        item_free(item);
        return false;
    }
    item->line.memory = kernel_image_digest(&item->image, NULL);
    kernel_input_text(slots, in, item->line.input, sizeof item->line.input);
    r->count++;
    return true;
}

static void add_clean(struct recorder *r, const struct code *code, struct kernel *kernel,
                      const struct kernel_slots *slots, struct silicon_line *line)
{
    static struct kernel_input inputs[INPUTS_MAX];
    struct error error;
    uint32_t count = kernel_clean_inputs(code, &r->options, inputs, (uint32_t)r->inputs), added = 0;
    line->is_clean = true;
    if (kernel_is_approximate(code)) {
        r->approximate++;
        printf("%s: %s: not compared: it uses .approx or .full, whose bits are open\n", line->file, line->entry);
        return;
    }
    if (kernel_is_cooperative(code)) {
        r->unsettled++;
        printf("%s: %s: not compared: it needs a cooperative launch\n", line->file, line->entry);
        return;
    }
    error_set(&error, ERROR_UNSUPPORTED, "no input leaves the same memory under every schedule");
    for (uint32_t n = 0; n < count; n++)
        added += add_item(r, kernel, slots, &inputs[n], line, &error);
    r->clean += added > 0;
    if (added > 0)
        return;
    r->unsettled++;
    printf("%s: %s: not compared: %s\n", line->file, line->entry, error.text);
}

static void add_wrong(struct recorder *r, const struct kernel_search *s, struct kernel *kernel,
                      struct silicon_line *line)
{
    uint32_t added = 0;
    for (uint32_t n = 0; n < s->findings_count; n++) {
        const struct kernel_finding *f = &s->findings[n];
        struct error error;
        if (!kernel_finding_is_error(f))
            continue;
        line->is_clean = false;
        line->kind = f->event.kind;
        line->at = code_place(s->code, f->event.at).ptx_line;
        if (add_item(r, kernel, &s->slots, &f->input, line, &error))
            added++;
        else
            printf("%s: %s: %s at PTX line %" PRIu32 ": not launched: %s\n", line->file, line->entry,
                   kernel_kind_name(line->kind), line->at, error.text);
    }
    r->wrong += added > 0;
}

static bool has_question(const struct kernel_search *s)
{
    for (uint32_t n = 0; n < s->findings_count; n++)
        if (s->findings[n].is_question)
            return true;
    return false;
}

static void add_entry(struct recorder *r, const struct module *module, uint32_t function, const char *file)
{
    struct error error = {0};
    struct silicon_line line = {0};
    struct kernel_search *s = calloc(1, sizeof *s);
    struct code *code = s ? code_new(module, function, &error) : NULL;
    struct kernel *kernel = code ? kernel_new(code, r->impl) : NULL;
    bool fits = strlen(module->functions[function].name) < sizeof line.entry && strlen(file) < sizeof line.file;
    if (kernel && fits && kernel_search(code, &r->options, s)) {
        snprintf(line.file, sizeof line.file, "%s", file);
        snprintf(line.entry, sizeof line.entry, "%s", module->functions[function].name);
        line.code = kernel_text_digest(r->texts[r->files - 1], module->functions[function].line);
        if (kernel_errors(s))
            add_wrong(r, s, kernel, &line);
        else if (has_question(s))
            r->unsettled++, printf("%s: %s: not compared: it has a question\n", line.file, line.entry);
        else
            add_clean(r, code, kernel, &s->slots, &line);
    } else {
        r->unread++;
        printf("%s: %s: not read: %s\n", file, module->functions[function].name,
               !kernel ? error.text
               : fits  ? s->why
                       : "too long a name");
    }
    kernel_free(kernel);
    code_free(code);
    free(s);
}

static bool add_file(struct recorder *r, const char *path)
{
    struct error error;
    size_t size;
    char *text = file_read(path, MODULE_TEXT_MAX, &size, &error);
    struct module *module = text ? module_read(text, size, path, &error) : NULL;
    if (!module) {
        complain("warpcheck record kernels: %s", error.text);
        free(text);
        return false;
    }
    r->texts[r->files] = text;
    r->modules[r->files++] = module;
    for (uint32_t n = 0; n < module->functions_count && !interrupted(); n++)
        if (module->functions[n].is_entry && !module->functions[n].is_declaration)
            add_entry(r, module, n, file_name(path));
    return true;
}

/* ---- on the device ---- */

static struct launch launch_of(struct item *item, unsigned level)
{
    struct launch l = {.ptx = item->ptx,
                       .entry = item->line.entry,
                       .level = silicon_levels[level],
                       .shared = item->input.shared,
                       .params = item->input.params,
                       .params_size = item->input.params_size,
                       .pointers = item->pointers,
                       .pointers_count = item->pointers_count,
                       .regions = item->regions[level],
                       .regions_count = item->image.count,
                       .alone = !item->line.is_clean};
    memcpy(l.grid, item->input.grid, sizeof l.grid);
    memcpy(l.block, item->input.block, sizeof l.block);
    return l;
}

static void take_result(struct item *item, unsigned level, const struct launch *l)
{
    struct silicon_did *did = &item->line.levels[level];
    uint8_t **after = calloc(item->image.count + 1, sizeof *after);
    for (uint32_t n = 0; after && n < item->image.count; n++)
        after[n] = item->regions[level][n].after;
    switch (l->ending) {
    case LAUNCH_RETURNED:
        did->ending = SILICON_RETURNED;
        break;
    case LAUNCH_HUNG:
        did->ending = SILICON_HUNG;
        break;
    case LAUNCH_FAULTED:
        did->ending = SILICON_FAULTED;
        break;
    case LAUNCH_UNABLE:
    case LAUNCH_UNASKED:
        did->ending = SILICON_UNABLE;
        break;
    }
    did->memory = after ? kernel_image_digest(&item->image, after) : 0;
    const char *name = strstr(l->why, "CUDA_ERROR_") ? strstr(l->why, "CUDA_ERROR_") : l->why;
    snprintf(did->why, sizeof did->why, "%.95s", name);
    for (char *c = did->why; *c; c++) /* one word of a line */
        if (*c == ' ')
            *c = '_';
    free(after);
}

static bool run_level(struct recorder *r, unsigned level, struct gpu_info *info, struct error *error)
{
    struct launch *launches = calloc(r->count + 1, sizeof *launches);
    bool ok = launches != NULL;
    if (!ok)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    for (size_t n = 0; n < r->count; n++)
        launches[n] = launch_of(&r->items[n], level);
    ok = launch_all(NULL, launches, (uint32_t)r->count, r->limit, NULL, info, error);
    for (size_t n = 0; ok && n < r->count; n++)
        take_result(&r->items[n], level, &launches[n]);
    free(launches);
    return ok;
}

/* ---- what comes of it ---- */

static uint32_t count_differences(const struct recorder *r)
{
    uint32_t differ = 0;
    for (size_t n = 0; n < r->count; n++) {
        const struct silicon_line *line = &r->items[n].line;
        for (unsigned k = 0; k < SILICON_LEVELS && line->is_clean; k++) {
            if (line->levels[k].ending == SILICON_RETURNED && line->levels[k].memory == line->memory)
                continue;
            differ++;
            printf("DIFFERENT: %s: %s at level %u: %s %s: %s\n", line->file, line->entry, silicon_levels[k],
                   line->levels[k].ending == SILICON_RETURNED ? "other memory" : "did not return", line->levels[k].why,
                   line->input);
        }
    }
    return differ;
}

static bool write_lines(const struct recorder *r, const struct gpu_info *info, const char *path, struct error *error)
{
    struct buffer b = {0};
    buffer_format(&b, "# device: %s, sm_%u, driver %s (CUDA %u.%u)\n", info->device, (unsigned)info->sm,
                  info->driver_name, (unsigned)info->driver / 1000, (unsigned)info->driver % 1000 / 10);
    buffer_text(&b, "# made by: warpcheck record kernels (docs/recordings.md)\n");
    for (size_t n = 0; n < r->count; n++)
        silicon_line_text(&r->items[n].line, &b);
    bool ok = b.failed ? error_set(error, ERROR_SYSTEM, "out of memory") : file_write(path, b.data, b.size, error);
    buffer_free(&b);
    return ok;
}

static int record(struct recorder *r, const char *path)
{
    struct gpu_info info = {0};
    struct error error = {0};
    uint32_t differ = 0;
    bool ok = true;
    for (unsigned level = 0; ok && level < SILICON_LEVELS; level++)
        ok = run_level(r, level, &info, &error);
    if (ok) {
        differ = count_differences(r);
        ok = write_lines(r, &info, path, &error);
    }
    if (!ok) {
        complain("warpcheck record kernels: %s", error.text);
        return STATUS_USAGE;
    }
    printf("%s: %zu launches of %" PRIu32 " clean and %" PRIu32 " wrong kernels at levels 0 and 4; %" PRIu32
           " clean launches left other memory than the executor\n",
           path, r->count, r->clean, r->wrong, differ);
    printf("not compared: %" PRIu32 " with .approx, %" PRIu32 " whose memory depends on more than the input, %" PRIu32
           " not read\n",
           r->approximate, r->unsettled, r->unread);
    return differ ? STATUS_MISMATCH : STATUS_AGREE;
}

static void recorder_free(struct recorder *r)
{
    for (size_t n = 0; n < r->count; n++)
        item_free(&r->items[n]);
    free(r->items);
    for (uint32_t n = 0; n < r->files; n++) {
        module_free(r->modules[n]);
        free(r->texts[n]);
    }
    free(r->modules);
    free(r->texts);
}

static int record_kernels_main(int argc, char **argv)
{
    struct recorder r = {.options = {.seed = 1, .seconds = 10, .executions = 400, .steps = 200000, .shared = 4096},
                         .inputs = 4,
                         .limit = 3};
    const struct option table[] = {
        {OPT_INPUTS, &r.inputs, NULL, false},
        {OPT_EXECUTIONS, &r.options.executions, NULL, false},
        {OPT_LAUNCH_LIMIT, &r.limit, NULL, false},
    };
    int operands = options_parse(&command_record_kernels, table, sizeof table / sizeof table[0], argc, argv);
    int status = STATUS_USAGE;
    if (operands < 0)
        return options_status(operands);
    if (operands < 2)
        return usage_error(&command_record_kernels, "needs a file to write and one or more PTX files");
    if (r.inputs > INPUTS_MAX)
        return usage_error(&command_record_kernels, "--inputs: at most %u", INPUTS_MAX);
    r.impl = r.options.impl = ask_open(&command_record_kernels, "spec");
    r.modules = calloc((size_t)operands, sizeof *r.modules);
    r.texts = calloc((size_t)operands, sizeof *r.texts);
    interrupt_catch();
    bool ok = r.impl && r.modules && r.texts;
    for (int n = 2; ok && n <= operands && !interrupted(); n++)
        ok = add_file(&r, argv[n]);
    if (ok && !interrupted())
        status = record(&r, argv[1]);
    recorder_free(&r);
    return status;
}

const struct command command_record_kernels = {
    .name = "record kernels",
    .summary = "run whole kernels on a GPU and keep what it did",
    .help = "usage: warpcheck record kernels FILE.txt MODULE.ptx... [OPTION...]\n"
            "\n"
            "Searches each entry as `warpcheck kernel` does. One without an error is launched with a few inputs on\n"
            "the first CUDA device, compiled by the driver at optimization levels 0 and 4: its memory must end up bit\n"
            "for bit as the executor leaves it. One with errors is launched with the input of each, in a process of\n"
            "its own and with a time limit. FILE.txt keeps what the device did (docs/recordings.md).\n"
            "Exit status 0: no clean launch differs; 1: some do; 2: no device, or something unreadable.\n"
            "\n"
            "  warpcheck record kernels corpus/recordings/kernels-mine.txt corpus/kernels/*.ptx\n",
    .run = record_kernels_main};
