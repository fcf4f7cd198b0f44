/*
 * A program that does not do the same over the implementation: made shorter as long as the same instruction's results
 * differ in the same way.
 */
#include "fuzz/report/program.h"

#include "base/clock.h"
#include "fuzz/report/report.h"

#include <stdio.h>
#include <string.h>

#define REDUCE_LIMIT 3000u
#define INPUTS       16u /* of the seed, on which a shorter program must differ: fewer than `warpcheck program` tries */
#define TEXT_MAX     (1u << 18)

struct parting {
    const struct warp_impl *reference, *impl;
    const char *name;                     /* NULL: of any defect */
    double until;                         /* clock_seconds */
    const struct program *program;        /* that is kept */
    struct program_difference difference; /* the last that was found */
};

static bool parts(struct parting *p, const struct warp_impl *impl, const struct program *program)
{
    char name[FINDING_SIGNATURE_MAX], error[256];
    for (uint64_t index = 0; index < INPUTS; index++) {
        if (program_find_difference(program, p->reference, impl, HARNESS_PROGRAM_SEED, index, &p->difference, error,
                                    sizeof error) != PROGRAM_DIFFERS)
            continue;
        program_difference_name(program, &p->difference, name, sizeof name);
        return p->name == NULL || strcmp(name, p->name) == 0;
    }
    return false;
}

static bool still_parts(void *context, const struct program *program)
{
    struct parting *p = context;
    return clock_seconds() < p->until && parts(p, p->impl, program);
}

static bool is_parted_by(void *context, const struct warp_impl *impl)
{
    struct parting *p = context;
    return parts(p, impl, p->program);
}

static struct program *read_program(const char *path)
{
    static char text[TEXT_MAX];
    struct warp_text_error error;
    FILE *file = fopen(path, "r");
    size_t size = 0;
    if (file == NULL)
        return NULL;
    size = fread(text, 1, sizeof text, file);
    fclose(file);
    return program_parse(text, size, NULL, &error);
}

/* What is kept under the name: does the implementation part there still? */
static bool kept_parts(void *context, const char *folder)
{
    struct parting *p = context;
    char path[REPORT_PATH_MAX];
    struct program *program;
    bool result;
    snprintf(path, sizeof path, "%.4000s/program.ptx", folder);
    program = read_program(path);
    result = program == NULL || parts(p, p->impl, program);
    program_free(program);
    return result;
}

/* The text that is kept, and the program that it reads as: with the lines that a person counts. NULL: too long. */
static struct program *write_text(const struct parting *p, const struct program *program, const char *all,
                                  char text[TEXT_MAX])
{
    struct warp_text_error error;
    int head = snprintf(text, TEXT_MAX, "// %s: %s against %s\n", p->name, all, p->reference->name);
    size_t size = (size_t)head + program_print(program, text + head, TEXT_MAX - (size_t)head);
    return size < TEXT_MAX ? program_parse(text, size, NULL, &error) : NULL;
}

/* `sure`: it parts each time that it is asked. */
static void keep_program(struct harness *h, struct parting *p, const struct program *program, bool sure)
{
    static char text[TEXT_MAX], line[2048];
    char name[2 * FINDING_SIGNATURE_MAX], what[1400], all[REPORT_NAMES_MAX], only[REPORT_NAMES_MAX + 1];
    struct finding_entry entry = {name, {"program.ptx", text, 0}, line, sure ? kept_parts : NULL, p};
    struct program *kept;
    p->program = program;
    report_name_differing(h, is_parted_by, p, all, only);
    snprintf(name, FINDING_SIGNATURE_MAX, "%.48s%.40s", p->name, sure ? only : "-state");
    if (!harness_remember(h, harness_hash(name, strlen(name)))) {
        h->status->duplicates++;
        return;
    }
    if (all[0] == '\0')
        snprintf(all, sizeof all, "%s", p->impl->name);
    kept = write_text(p, program, all, text);
    if (kept == NULL) {
        harness_unkept(h, "the program is too long");
        return;
    }
    if (sure)
        parts(p, p->impl, kept); /* the difference with these lines */
    program_difference_text(sure ? kept : program, &p->difference, what, sizeof what);
    snprintf(line, sizeof line, "%s: %s [%s against %s]%s\n", name, what, all, p->reference->name,
             sure ? "" : ", not every time");
    entry.file.size = strlen(text);
    p->name = NULL;
    report_keep(h, &entry, "program --against spec");
    program_free(kept);
}

/* Was such a difference seen before, of the same implementations? Then it is not reduced again. */
static bool known(struct harness *h, const char *name, uint32_t who)
{
    char kind[FINDING_SIGNATURE_MAX + 16];
    snprintf(kind, sizeof kind, "%s %u", name, who);
    return !harness_remember(h, harness_hash(kind, strlen(kind)));
}

void harness_program_differs(struct harness *h, const struct program *program, const struct program_difference *d,
                             uint32_t who)
{
    char name[FINDING_SIGNATURE_MAX];
    struct parting p = {.reference = h->reference, .impl = h->tested[__builtin_ctz(who)], .name = name};
    struct program *reduced;
    h->status->mismatches += (unsigned)__builtin_popcount(who);
    program_difference_name(program, d, name, sizeof name);
    if (known(h, name, who)) {
        h->status->duplicates++;
        report_end_target(h);
        return;
    }
    h->observed = p.impl;
    status_reports(h->status);
    p.until = clock_seconds() + REPORT_REDUCE_S;
    reduced = program_reduce(program, still_parts, &p, REDUCE_LIMIT, NULL);
    if (reduced != NULL && parts(&p, p.impl, reduced) && parts(&p, p.impl, reduced)) {
        keep_program(h, &p, reduced, true);
    } else {
        const bool sure = parts(&p, p.impl, program) && parts(&p, p.impl, program);
        p.difference = *d;
        keep_program(h, &p, program, sure);
    }
    program_free(reduced);
    status_reported(h->status);
    report_end_target(h);
}
