/*
 * As SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), which code hosts show beside the source: one
 * rule a class, one result a finding, one region of one line. Paths are relative to the folder in which the program
 * runs, which should be the root of the sources.
 */
#define _GNU_SOURCE /* getcwd */
#include "cli/kernels/report.h"

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "cli/ui/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

struct sarif {
    json_t *results, *notifications;
    char folder[FILE_PATH_MAX]; /* with a slash at its end */
};

static const struct {
    const char *name, *text, *help;
} rules[KERNEL_KINDS] = {
    [KERNEL_UNDEFINED] =
        {"UndefinedWarpInstruction", "A lane is not in its own membermask, or the membermask is 0",
         "Every lane that executes a .sync instruction must be named in the membermask that it passes."},
    [KERNEL_DEADLOCK] =
        {"WarpDeadlock", "Lanes wait for ever",
         "All lanes of a membermask that have not exited must come to the same instruction with the same "
         "membermask; lanes that wait at a block barrier never do."},
    [KERNEL_UNPREDICTABLE] =
        {"UnpredictableValueUsed", "A value that no lane of the group has given is used",
         "A shuffle whose source lane is not in the group gives an unpredictable value. It must not "
         "reach a branch, an address, a membermask, an atomic operation or memory."},
    [KERNEL_BARRIER] = {"DivergentBlockBarrier", "A block barrier in divergent code",
                        "bar.sync and barrier.sync.aligned (__syncthreads) are for whole warps at one place."},
    [KERNEL_RACE] = {"IntraWarpRace", "Lanes of one warp race for shared memory",
                     "Put __syncwarp or __syncthreads between the accesses; shuffles and votes order no memory."},
    [KERNEL_CONVERGENCE] = {"ConvergenceRequired", "Lanes of a membermask do not execute it together",
                            "Up to sm_6x all lanes of the membermask must execute the instruction in convergence."},
    [KERNEL_PAIRS] = {"GroupOverSeveralPlaces", "Lanes at different places make one group",
                      "Defined, and seldom meant: two branches or two turns of a loop pair."},
    [KERNEL_PARTITION] = {"ResultDependsOnActivemask", "The result depends on what activemask returns",
                          "activemask may return any set of lanes that contains the own one."},
    [KERNEL_UNINITIALIZED] = {"UninitializedRegister", "A register is read that nothing has written",
                              "Its value is arbitrary."},
    [KERNEL_EXITED] = {"ExitedBeforeBarrier", "A part of a warp exits before a block barrier",
                       "Defined from sm_70 on."},
};

/* jansson takes NULL as out of memory wherever it is put; the text is looked at once, at the end. */
static json_t *text_of(const char *text)
{
    json_t *value = json_string(text);
    return value ? value : json_string(shown(text)); /* not UTF-8 */
}

static json_t *message_of(const char *text)
{
    json_t *message = json_object();
    json_object_set_new(message, "text", text_of(text));
    return message;
}

struct sarif *sarif_new(void)
{
    struct sarif *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->results = json_array();
    s->notifications = json_array();
    if (getcwd(s->folder, sizeof s->folder - 1))
        strcat(s->folder, s->folder[strlen(s->folder) - 1] == '/' ? "" : "/");
    return s;
}

/* ---- places ---- */

/* A path as a relative URI: what no URI may hold is written %HH. */
static json_t *uri_of(const struct sarif *s, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/+@,=";
    struct buffer b = {0};
    size_t length = strlen(s->folder);
    if (length > 0 && strncmp(path, s->folder, length) == 0)
        path += length;
    while (*path == '/' || strncmp(path, "./", 2) == 0)
        path += *path == '/' ? 1 : 2;
    for (; *path; path++)
        if (strchr(plain, *path))
            buffer_add(&b, path, 1);
        else
            buffer_format(&b, "%%%02X", (unsigned)(unsigned char)*path);
    json_t *uri = json_string(buffer_string(&b));
    buffer_free(&b);
    return uri;
}

/* Where a person finds the file: as the compiler was given it, else beside the module, where it lies often. */
static void find_file(const struct code *code, const char *path, char found[FILE_PATH_MAX])
{
    const char *const module = code->module->name;
    snprintf(found, FILE_PATH_MAX, "%s", path);
    if (file_exists(path))
        return;
    snprintf(found, FILE_PATH_MAX, "%.*s%s", (int)(file_name(module) - module), module, file_name(path));
    if (!file_exists(found))
        snprintf(found, FILE_PATH_MAX, "%s", path);
}

static json_t *location_of(const struct sarif *s, const struct code *code, uint32_t at, const char *message)
{
    const struct code_place p = code_place(code, at);
    char path[FILE_PATH_MAX];
    json_t *artifact = json_object(), *region = json_object(), *physical = json_object(), *location = json_object();
    char *line = kernel_source_line(code->module, p.file, p.line);
    find_file(code, p.file, path);
    json_object_set_new(artifact, "uri", uri_of(s, path));
    json_object_set_new(region, "startLine", json_integer(p.line > 0 ? p.line : 1));
    if (line)
        json_object_set_new(region, "snippet", message_of(line));
    free(line);
    json_object_set_new(physical, "artifactLocation", artifact);
    json_object_set_new(physical, "region", region);
    json_object_set_new(location, "physicalLocation", physical);
    if (message)
        json_object_set_new(location, "message", message_of(message));
    return location;
}

/* ---- results ---- */

static json_t *words_of(const struct told *told, const struct kernel_finding *f)
{
    const struct kernel_search *s = told->search;
    struct buffer b = {0};
    char plain[256];
    kernel_plain_name(told->name, plain, sizeof plain);
    kernel_event_text(s->code, &f->event, &b);
    buffer_format(&b, ".\nKernel %s, ", plain);
    kernel_input_describe(&s->slots, &f->input, &b);
    if (f->rule.kind != RULE_NONE) {
        buffer_text(&b, ".\nIt is ");
        kernel_rule_text(&s->slots, &f->rule, &b);
    }
    buffer_text(&b, ".\n\n");
    kernel_event_describe(s->code, &f->event, &b);
    json_t *message = message_of(buffer_string(&b));
    buffer_free(&b);
    return message;
}

static json_t *properties_of(const struct told *told, const struct kernel_finding *f)
{
    json_t *properties = json_object();
    char input[KERNEL_INPUT_TEXT_MAX];
    kernel_input_text(&told->search->slots, &f->input, input, sizeof input);
    json_object_set_new(properties, "module", text_of(told->path));
    json_object_set_new(properties, "entry", text_of(told->name));
    json_object_set_new(properties, "input", json_string(input));
    json_object_set_new(properties, "ptxLine", json_integer(code_place(told->search->code, f->event.at).ptx_line));
    return properties;
}

/* The standard wants no location twice; lanes may wait at one place for different lanes. */
static void add_once(json_t *list, json_t *location)
{
    size_t n = 0;
    while (n < json_array_size(list) && !json_equal(json_array_get(list, n), location))
        n++;
    if (n == json_array_size(list))
        json_array_append(list, location);
    json_decref(location);
}

static json_t *related_of(const struct sarif *s, const struct code *code, const struct kernel_event *e)
{
    json_t *related = json_array();
    if (e->from != e->at)
        add_once(related, location_of(s, code, e->from,
                                      e->kind == KERNEL_UNPREDICTABLE ? "the value is read here" : "the other place"));
    for (uint32_t n = 0; n < e->waits_count; n++)
        add_once(related,
                 location_of(s, code, e->waits[n].at, e->waits[n].circles ? "lanes go round here" : "lanes wait here"));
    return related;
}

static json_t *result_of(const struct sarif *s, const struct told *told, uint32_t index)
{
    const struct kernel_finding *f = &told->search->findings[index];
    const struct code *code = told->search->code;
    json_t *result = json_object(), *locations = json_array(), *prints = json_object();
    struct buffer signature = {0};
    char hash[32];
    kernel_signature(code, &f->event, &signature);
    snprintf(hash, sizeof hash, "%016" PRIx64, hash_bytes(HASH_START, buffer_string(&signature), signature.size));
    buffer_free(&signature);
    json_object_set_new(result, "ruleId", json_string(kernel_kind_name(f->event.kind)));
    json_object_set_new(result, "ruleIndex", json_integer((json_int_t)f->event.kind));
    json_object_set_new(result, "level",
                        json_string(kernel_finding_is_error(f) ? "error"
                                    : f->is_question           ? "warning"
                                                               : "note"));
    json_object_set_new(result, "message", words_of(told, f));
    json_array_append_new(locations, location_of(s, code, f->event.at, NULL));
    json_object_set_new(result, "locations", locations);
    json_object_set_new(result, "relatedLocations", related_of(s, code, &f->event));
    json_object_set_new(prints, "warpcheckKernel/v1", json_string(hash));
    json_object_set_new(result, "partialFingerprints", prints);
    json_object_set_new(result, "properties", properties_of(told, f));
    if (told->known[index]) {
        json_t *suppression = json_object(), *suppressions = json_array();
        json_object_set_new(suppression, "kind", json_string("external"));
        json_object_set_new(suppression, "justification", text_of(told->known[index]));
        json_array_append_new(suppressions, suppression);
        json_object_set_new(result, "suppressions", suppressions);
    }
    return result;
}

/* What has no verdict is told as the tool's own notification: it is about no line of the source. */
static json_t *notification_of(const struct told *told)
{
    json_t *notification = json_object();
    struct buffer b = {0};
    buffer_format(&b, "%s: %s: ", told->path, told->name);
    if (told->verdict == TOLD_UNREAD)
        buffer_format(&b, "not read: %s", told->why);
    else if (told->verdict == TOLD_UNREACHED)
        buffer_text(&b, "not reached: no execution came to any of its warp instructions");
    else
        buffer_text(&b, "unknown: no execution ended in a way that allows a verdict");
    json_object_set_new(notification, "level", json_string("warning"));
    json_object_set_new(notification, "message", message_of(buffer_string(&b)));
    buffer_free(&b);
    return notification;
}

void sarif_add(struct sarif *sarif, const struct told *told)
{
    if (told->verdict == TOLD_UNREAD || told->verdict == TOLD_UNKNOWN || told->verdict == TOLD_UNREACHED)
        json_array_append_new(sarif->notifications, notification_of(told));
    for (uint32_t n = 0; told->search && n < told->search->findings_count; n++)
        if (is_told(told, &told->search->findings[n]))
            json_array_append_new(sarif->results, result_of(sarif, told, n));
}

/* ---- the whole ---- */

static json_t *rule_of(enum kernel_kind kind)
{
    json_t *rule = json_object(), *configuration = json_object();
    json_object_set_new(configuration, "level", json_string(kernel_is_error(kind) ? "error" : "note"));
    json_object_set_new(rule, "id", json_string(kernel_kind_name(kind)));
    json_object_set_new(rule, "name", json_string(rules[kind].name));
    json_object_set_new(rule, "shortDescription", message_of(rules[kind].text));
    json_object_set_new(rule, "fullDescription", message_of(rules[kind].text));
    json_object_set_new(rule, "help", message_of(rules[kind].help));
    json_object_set_new(rule, "defaultConfiguration", configuration);
    return rule;
}

static json_t *tool_of(void)
{
    json_t *tool = json_object(), *driver = json_object(), *list = json_array();
    for (unsigned n = 0; n < KERNEL_KINDS; n++)
        json_array_append_new(list, rule_of((enum kernel_kind)n));
    json_object_set_new(driver, "name", json_string("warpcheck"));
    json_object_set_new(driver, "semanticVersion", json_string(WARPCHECK_VERSION));
    json_object_set_new(driver, "rules", list);
    json_object_set_new(tool, "driver", driver);
    return tool;
}

bool sarif_write(struct sarif *s, const char *path, struct error *error)
{
    json_t *root = json_object(), *runs = json_array(), *run = json_object(), *invocation = json_object(),
           *invocations = json_array();
    json_object_set_new(invocation, "executionSuccessful", json_true());
    json_object_set_new(invocation, "toolExecutionNotifications", s->notifications);
    json_array_append_new(invocations, invocation);
    json_object_set_new(run, "tool", tool_of());
    json_object_set_new(run, "invocations", invocations);
    json_object_set_new(run, "columnKind", json_string("unicodeCodePoints"));
    json_object_set_new(run, "results", s->results);
    json_array_append_new(runs, run);
    json_object_set_new(root, "$schema", json_string(SCHEMA));
    json_object_set_new(root, "version", json_string("2.1.0"));
    json_object_set_new(root, "runs", runs);
    char *text = json_dumps(root, JSON_INDENT(1));
    bool ok = text ? file_write(path, text, strlen(text), error) : error_set(error, ERROR_SYSTEM, "out of memory");
    free(text);
    json_decref(root);
    free(s);
    return ok;
}
