#include "kernel/finding.h"

#include "base/text.h"
#include "kernel/report.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCH_MAX ((size_t)16 << 20) /* bytes of launch.txt */

/* --- keeping --- */

/* "race-reduce-80": what is wrong, in which entry, on which line of the PTX; fit for a signature. */
static void name_error(const struct kernel_search *s, const struct kernel_event *e, char name[FINDING_SIGNATURE_MAX])
{
    char plain[256];
    kernel_plain_name(s->code->entry->name, plain, sizeof plain);
    snprintf(name, FINDING_SIGNATURE_MAX, "%s-%.48s-%u", kernel_kind_name(e->kind), plain,
             code_place(s->code, e->at).ptx_line);
    for (char *p = name; *p != '\0'; p++) {
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
        else if (!(*p >= 'a' && *p <= 'z') && !(*p >= '0' && *p <= '9') && *p != '-')
            *p = '.';
    }
}

static void add_launch(const struct code *code, uint64_t steps, const struct kernel_slots *slots,
                       const struct kernel_input *input, struct buffer *out)
{
    char text[KERNEL_INPUT_TEXT_MAX];
    kernel_input_text(slots, input, text, sizeof text);
    buffer_format(out, "entry %s\nsteps %" PRIu64 "\ninput %s\n", code->entry->name, steps, text);
}

void kernel_launch_text(const struct kernel_launch *launch, struct buffer *out)
{
    add_launch(launch->code, launch->steps, &launch->slots, &launch->input, out);
    if (launch->is_compared)
        buffer_format(out, "level %u\n", launch->level);
    if (launch->input.content) {
        buffer_text(out, "content ");
        buffer_hex(out, launch->input.content, launch->input.content_size);
        buffer_text(out, "\n");
    }
}

bool kernel_finding_make(const struct kernel_search *search, const struct kernel_finding *found, const char *text,
                         size_t size, uint64_t steps, struct kernel_finding_texts *texts, struct finding *f)
{
    *texts = (struct kernel_finding_texts){0};
    name_error(search, &found->event, texts->name);
    kernel_event_text(search->code, &found->event, &texts->what);
    buffer_text(&texts->what, " at ");
    kernel_place_text(search->code, found->event.at, &texts->what);
    kernel_event_describe(search->code, &found->event, &texts->more);
    add_launch(search->code, steps, &search->slots, &found->input, &texts->launch);
    *f = (struct finding){.kind = FINDING_KERNEL,
                          .observed_name = search->code->entry->name,
                          .property = texts->name,
                          .what = buffer_string(&texts->what),
                          .data = text,
                          .size = size,
                          .launch = buffer_string(&texts->launch),
                          .more = buffer_string(&texts->more)};
    return !texts->what.failed && !texts->more.failed && !texts->launch.failed;
}

void kernel_finding_free(struct kernel_finding_texts *texts)
{
    buffer_free(&texts->launch);
    buffer_free(&texts->more);
    buffer_free(&texts->what);
}

bool kernel_finding_keep(const struct kernel_search *search, const struct kernel_finding *found, const char *text,
                         size_t size, uint64_t steps, const char *dir, struct finding_kept *kept, struct error *error)
{
    struct kernel_finding_texts texts;
    struct finding f;
    bool ok = kernel_finding_make(search, found, text, size, steps, &texts, &f);
    ok = ok ? finding_keep(&f, dir, NULL, NULL, kept, error) : error_set(error, ERROR_SYSTEM, "out of memory");
    kernel_finding_free(&texts);
    return ok;
}

/* --- executing one again --- */

struct plan {
    const char *entry, *input, *level, *content; /* the last two: NULL where there is none */
    uint64_t steps;
};

/* Takes launch.txt apart, in place. */
static bool read_plan(char *text, struct plan *launch)
{
    *launch = (struct plan){0};
    for (char *line = text, *end; *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        if (*end != '\0')
            *end++ = '\0';
        if (strncmp(line, "entry ", 6) == 0)
            launch->entry = line + 6;
        else if (strncmp(line, "input ", 6) == 0)
            launch->input = line + 6;
        else if (strncmp(line, "level ", 6) == 0)
            launch->level = line + 6;
        else if (strncmp(line, "content ", 8) == 0)
            launch->content = line + 8;
        else if (strncmp(line, "steps ", 6) == 0 && !text_number(line + 6, &launch->steps))
            return false;
    }
    return launch->entry && launch->input && launch->steps > 0;
}

static bool find_entry(const struct module *module, const char *name, uint32_t *function)
{
    for (*function = 0; *function < module->functions_count; ++*function) {
        const struct module_function *f = &module->functions[*function];
        if (f->is_entry && !f->is_declaration && strcmp(f->name, name) == 0)
            return true;
    }
    return false;
}

static enum kernel_replayed judge(const struct code *code, const struct kernel_outcome *o, struct buffer *words,
                                  struct buffer *drawn)
{
    uint32_t errors = 0;
    for (uint32_t n = 0; n < o->events_count; n++) {
        const struct kernel_event *e = &o->events[n];
        if (!kernel_is_error(e->kind))
            continue;
        if (errors++ == 0) {
            buffer_format(words, "%s: ", kernel_kind_name(e->kind));
            kernel_event_text(code, e, words);
            buffer_text(words, " at ");
            kernel_place_text(code, e->at, words);
        }
        kernel_event_describe(code, e, drawn);
    }
    if (errors > 1)
        buffer_format(words, " (and %u more)", errors - 1);
    if (errors > 0)
        return KERNEL_SHOWS_ERROR;
    switch (o->ending) {
    case KERNEL_ENDED:
    case KERNEL_STOPPED:
        buffer_text(words, "it ends without an error");
        return KERNEL_SHOWS_NOTHING;
    case KERNEL_ENDLESS:
        buffer_text(words, "it does not end within the limit of steps");
        return KERNEL_NO_VERDICT;
    case KERNEL_TRAPPED:
        buffer_text(words, "it ends in a trap or a failed assert");
        return KERNEL_NO_VERDICT;
    case KERNEL_UNANSWERED:
        break;
    }
    return KERNEL_NO_VERDICT;
}

static char *read_beside(const char *folder, const char *name, size_t most, char path[FILE_PATH_MAX], size_t *size,
                         struct error *error)
{
    return file_join(folder, name, path, error) ? file_read(path, most, size, error) : NULL;
}

/* Makes an entry of the text that the launch has ready. */
static bool ready(const char *path, const char *entry, struct kernel_launch *launch, struct error *error)
{
    uint32_t function;
    launch->module = module_read(launch->text, launch->size, path, error);
    if (!launch->module)
        return false;
    if (!find_entry(launch->module, entry, &function))
        return error_set(error, ERROR_INPUT, "%s: has no entry %s", path, entry);
    launch->code = code_new(launch->module, function, error);
    if (!launch->code)
        return false;
    kernel_find_slots(launch->code, &launch->slots);
    return !launch->slots.no_memory || error_set(error, ERROR_SYSTEM, "out of memory");
}

bool kernel_launch_make(const char *text, size_t size, const char *path, const char *entry,
                        struct kernel_launch *launch, struct error *error)
{
    *launch = (struct kernel_launch){.text = malloc(size + 1), .size = size, .steps = 1000000};
    if (!launch->text)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    memcpy(launch->text, text, size);
    launch->text[size] = '\0';
    return ready(path, entry, launch, error);
}

static bool set_content(const char *digits, struct kernel_launch *launch, struct error *error)
{
    const size_t size = strlen(digits) / 2;
    launch->content = malloc(size + 1);
    if (!launch->content)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    launch->input.content = launch->content;
    launch->input.content_size = size;
    return text_hex(digits, launch->content, size) ||
           error_set(error, ERROR_INPUT, "launch.txt: its content is not hexadecimal");
}

static bool open_plan(const char *folder, const struct plan *plan, struct kernel_launch *launch, struct error *error)
{
    char path[FILE_PATH_MAX];
    uint64_t level = 0;
    launch->steps = plan->steps;
    launch->is_compared = plan->level != NULL;
    launch->text = read_beside(folder, "kernel.ptx", MODULE_TEXT_MAX, path, &launch->size, error);
    if (!launch->text || !ready(path, plan->entry, launch, error))
        return false;
    if (plan->level && (!text_number(plan->level, &level) || level > UINT_MAX))
        return error_set(error, ERROR_INPUT, "launch.txt: its level is no number");
    launch->level = (unsigned)level;
    if (!kernel_input_read(&launch->slots, plan->input, &launch->input, error))
        return error_prefix(error, "launch.txt");
    return !plan->content || set_content(plan->content, launch, error);
}

bool kernel_launch_open(const char *folder, struct kernel_launch *launch, struct error *error)
{
    char path[FILE_PATH_MAX];
    size_t size;
    struct plan plan;
    memset(launch, 0, sizeof *launch);
    char *text = read_beside(folder, "launch.txt", LAUNCH_MAX, path, &size, error);
    bool ok = text && (read_plan(text, &plan) ||
                       error_set(error, ERROR_INPUT, "%s: needs the lines entry, steps and input", path));
    ok = ok && open_plan(folder, &plan, launch, error);
    free(text);
    return ok;
}

void kernel_launch_close(struct kernel_launch *launch)
{
    code_free(launch->code);
    module_free(launch->module);
    free(launch->text);
    free(launch->content);
}

bool kernel_finding_replay(const char *folder, const struct warp_impl *impl, enum kernel_replayed *replayed,
                           struct buffer *words, struct buffer *drawn, struct error *error)
{
    struct kernel_launch *launch = calloc(1, sizeof *launch);
    struct kernel_outcome *outcome = calloc(1, sizeof *outcome);
    bool ok =
        launch && outcome ? kernel_launch_open(folder, launch, error) : error_set(error, ERROR_SYSTEM, "out of memory");
    struct kernel *kernel = ok ? kernel_new(launch->code, impl) : NULL;
    if (ok && !(kernel && kernel_execute(kernel, &launch->input, launch->steps, outcome)))
        ok = error_set(error, ERROR_SYSTEM, "out of memory");
    else if (ok && outcome->ending == KERNEL_UNANSWERED)
        ok = error_set(error, ERROR_DECLINED, "%s", outcome->why);
    else if (ok)
        *replayed = judge(launch->code, outcome, words, drawn);
    kernel_free(kernel);
    if (launch)
        kernel_launch_close(launch);
    free(launch);
    free(outcome);
    return ok;
}
