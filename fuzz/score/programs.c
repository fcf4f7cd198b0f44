/*
 * Wrong programs: which check tells their author; and the check that right programs are left alone.
 */
#define _GNU_SOURCE /* scandir */
#include "fuzz/score/score.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "kernel/execute.h"
#include "kernel/lint.h"
#include "warpcheck_spec.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INPUTS      1000u /* as `warpcheck program` */
#define INPUTS_SEED 1u
#define PATH_ROOM   (JOB_PATH_MAX + 512u)

/* A program's text and what is read from it. */
struct source {
    char *text;
    size_t size;
    struct program *program;
};

static void close_source(struct source *source)
{
    if (source->program != NULL)
        program_free(source->program);
    free(source->text);
}

static bool open_source(struct source *source, const char *path, struct error *error)
{
    struct warp_text_error where = {0};
    memset(source, 0, sizeof *source);
    source->text = file_read(path, PROGRAM_TEXT_MAX, &source->size, error);
    if (source->text == NULL)
        return false;
    source->program = program_parse(source->text, source->size, NULL, &where);
    if (source->program != NULL)
        return true;
    free(source->text);
    return error_set(error, ERROR_INPUT, "%s:%zu:%zu: %s", path, where.line, where.column, where.what);
}

/* The first finding of lint that is more than a note; "" when there is none. `fault` (may be NULL): lanes wait or
 * are undefined. A value that the program leaves unpredictable by design is no fault. */
static void lint_source(const struct source *source, char *text, size_t size, bool *fault)
{
    static struct lint_report report; /* large */
    const struct lint_options options = {.impl = spec_get()};
    struct warp_text_error where;
    text[0] = '\0';
    if (!lint_text(source->text, source->size, &options, &report, &where))
        return;
    for (size_t i = 0; i < report.findings_count; i++) {
        const struct lint_finding *f = &report.findings[i];
        if (f->kind == LINT_NOTE)
            continue;
        if (text[0] == '\0')
            snprintf(text, size, "line %u: %s", f->line, f->what);
        if (fault != NULL && !f->of_value)
            *fault = true;
    }
}

/* Tests all claims, right and wrong ones, over the transcription. */
static bool test_source(const struct source *source, struct program_claim_record records[PROGRAM_CLAIMS_MAX],
                        struct error *error)
{
    memset(records, 0, PROGRAM_CLAIMS_MAX * sizeof records[0]);
    return program_test_claims(source->program, spec_get(), INPUTS_SEED, INPUTS, records, error);
}

static bool measure(const char *path, const char *name, struct score_program *p, struct error *error)
{
    static struct program_claim_record records[PROGRAM_CLAIMS_MAX]; /* large */
    struct source source;
    const double start = clock_seconds();
    bool good;
    memset(p, 0, sizeof *p);
    if (!open_source(&source, path, error))
        return false;
    snprintf(p->name, sizeof p->name, "%.*s", (int)strcspn(name, "."), name);
    if (strncmp(source.text, "// ", 3) == 0)
        snprintf(p->what, sizeof p->what, "%.*s", (int)strcspn(source.text + 3, "\n"), source.text + 3);
    snprintf(p->from, sizeof p->from, "%s", source.program->from);
    lint_source(&source, p->lint, sizeof p->lint, NULL);
    good = test_source(&source, records, error);
    for (size_t i = 0; good && i < source.program->claims_count && p->claim[0] == '\0'; i++)
        if (records[i].failed > 0) {
            snprintf(p->claim, sizeof p->claim, "%s", source.program->claims[i].text);
            p->failed = records[i].failed;
            p->inputs = records[i].held + records[i].failed;
        }
    p->seconds = clock_seconds() - start;
    close_source(&source);
    return good;
}

static int is_program(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".ptx") == 0;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool go_on(struct error *error)
{
    return !interrupted() || error_set(error, ERROR_INTERRUPTED, "interrupted");
}

/* Tests a right program: its claims, but not its `refute` lines. */
static bool control_one(const char *path, struct score_control *control, struct error *error)
{
    static struct program_claim_record records[PROGRAM_CLAIMS_MAX]; /* large */
    char text[280];
    struct source source;
    bool fault = false;
    if (!open_source(&source, path, error))
        return false;
    lint_source(&source, text, sizeof text, &fault);
    const bool good = test_source(&source, records, error);
    control->programs++;
    control->faults += fault;
    for (size_t i = 0; good && i < source.program->claims_count; i++) {
        control->claims += !source.program->claims[i].refute;
        control->refuted += !source.program->claims[i].refute && records[i].failed > 0;
    }
    close_source(&source);
    return good;
}

static bool control_folder(const char *folder, struct score_control *control, struct error *error)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_program, alphasort);
    bool good = true;
    for (int i = 0; i < n; i++) {
        char path[PATH_ROOM + 512];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        good = good && go_on(error) && control_one(path, control, error);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return good;
}

/* The folders beside this one. */
static bool measure_control(const char *folder, struct score_control *control, struct error *error)
{
    char parent[JOB_PATH_MAX];
    const char *slash = strrchr(folder, '/'), *own = slash != NULL ? slash + 1 : folder;
    struct dirent **entries;
    bool good = true;
    int n;
    snprintf(parent, sizeof parent, "%.*s", slash != NULL ? (int)(slash - folder) : 1, slash != NULL ? folder : ".");
    n = scandir(parent, &entries, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        char path[PATH_ROOM];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", parent, entries[i]->d_name);
        if (good && strcmp(entries[i]->d_name, own) != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
            good = control_folder(path, control, error);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return good;
}

int score_programs(const char *folder, struct score_program *programs, size_t room, struct score_control *control,
                   struct error *error)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_program, alphasort);
    int count = 0;
    bool good = n > 0;
    memset(control, 0, sizeof *control);
    if (!good)
        error_set(error, ERROR_INPUT, "%s: there are no programs (*.ptx)", folder);
    for (int i = 0; i < n; i++) {
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (good && (size_t)count < room)
            good = go_on(error) && measure(path, entries[i]->d_name, &programs[count++], error);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return good && measure_control(folder, control, error) ? count : -1;
}

bool score_program_caught(const struct score_program *program)
{
    return program->lint[0] != '\0' || program->failed > 0;
}

static void print_cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fputs(*text == '|' ? "\\|" : (const char[]){*text, '\0'}, out);
    fputs(" |", out);
}

void score_report_programs(FILE *out, const struct score_program *programs, size_t count,
                           const struct score_control *control)
{
    size_t caught = 0, linted = 0;
    for (size_t i = 0; i < count; i++) {
        caught += score_program_caught(&programs[i]);
        linted += programs[i].lint[0] != '\0';
    }
    fprintf(out,
            "\n## Programs\n\nWrong programs (`corpus/programs/wrong`), as people wrote them. `warpcheck lint` reads "
            "and executes each; `warpcheck program` tests on %u inputs what its author would claim of it.\n"
            "%zu programs: %zu caught, %zu of them by `lint` alone from their text. Beside them %zu right programs, to "
            "see what is said of those: of their %zu claims %zu were refuted, and\nin %zu of them `lint` found a "
            "lane that waits or is undefined. `warpcheck prove --family program` refutes and proves the same claims "
            "for all inputs ([proved.md](proved.md)).\n\n",
            INPUTS, count, caught, linted, control->programs, control->claims, control->refuted, control->faults);
    fprintf(out, "| program | mistake | seen in | lint | claim that fails |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        const struct score_program *p = &programs[i];
        fprintf(out, "| %s | ", p->name);
        print_cell(out, p->what);
        fprintf(out, " ");
        print_cell(out, p->from);
        fprintf(out, " ");
        print_cell(out, p->lint[0] != '\0' ? p->lint : "nothing");
        if (p->failed > 0)
            fprintf(out, " `%s`: on %llu of %llu inputs |\n", p->claim, (unsigned long long)p->failed,
                    (unsigned long long)p->inputs);
        else
            fprintf(out, " none |\n");
    }
}
