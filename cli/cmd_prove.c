/*
 * `warpcheck prove`: the catalogue of properties, each proved for all values or refuted with a witness.
 */
#include "cli/command.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/prove/session.h"
#include "cli/prove/report.h"
#include "cli/ui/draw.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/load.h"
#include "smt/warpcheck_smt.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The command line. */
struct request {
    struct option_list families;
    double timeout;
    uint64_t jobs;
    bool json, drat, markdown, quiet, draw;
    const char *smtlib, *solver, *seeds, *record;
};

static void show_progress(void *context, const struct smt_property *property, const struct smt_outcome *outcome)
{
    struct session *s = context;
    s->proving.ended += outcome != NULL;
    if (outcome == NULL)
        s->running = property->name;
    proving_show(&s->proving, s->running);
}

static bool has(const struct session *s, const struct smt_property *property)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->properties[i] == property)
            return true;
    return false;
}

static void add(struct session *s, const struct smt_property *property)
{
    if (property != NULL && !has(s, property))
        s->properties[s->count++] = property;
}

/* A proof counts only when the lemmas it rests on are proved too. */
static void add_lemmas(struct session *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const char *rest = s->properties[i]->lemmas;
        for (char name[SMT_NAME_MAX]; smt_name_next(&rest, name);)
            add(s, smt_property_find(name));
    }
}

static int unknown_name(const struct command *command, const char *word, bool family)
{
    const char **names = calloc(smt_property_count() + 1, sizeof *names);
    const char *nearest;
    size_t n = 0;
    for (; names != NULL && n < smt_property_count(); n++)
        names[n] = family ? smt_property_get(n)->family : smt_property_get(n)->name;
    nearest = names != NULL ? text_nearest(word, names, n) : NULL;
    free(names);
    return usage_error(command, "unknown %s '%s'%s%s (docs/generated/properties.md lists them)",
                       family ? "family" : "property", word, nearest != NULL ? "; did you mean " : "",
                       nearest != NULL ? nearest : "");
}

static int choose(const struct command *command, const struct request *r, int operands, char **argv, struct session *s)
{
    for (int i = 1; i <= operands; i++) {
        if (smt_property_find(argv[i]) == NULL)
            return unknown_name(command, argv[i], false);
        add(s, smt_property_find(argv[i]));
    }
    for (size_t f = 0; f < r->families.count; f++) {
        size_t before = s->count;
        for (size_t i = 0; i < smt_property_count(); i++)
            if (strcmp(smt_property_get(i)->family, r->families.items[f]) == 0)
                add(s, smt_property_get(i));
        if (s->count == before)
            return unknown_name(command, r->families.items[f], true);
    }
    if (operands == 0 && r->families.count == 0)
        for (size_t i = 0; i < smt_property_count(); i++)
            add(s, smt_property_get(i));
    add_lemmas(s);
    return STATUS_AGREE;
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    struct error error;
    if (file_write(path, bytes, size, &error))
        return true;
    complain("warpcheck prove: %s", error.text);
    return false;
}

static bool write_record(const struct session *s, const char *path)
{
    struct buffer page = {0};
    bool ok;
    prove_write_record(s, &page);
    if (page.failed)
        complain("warpcheck prove: %s: out of memory", path);
    ok = !page.failed && write_file(path, page.data, page.size);
    buffer_free(&page);
    return ok;
}

/* Checks, before hours of proving, that the seeds can be written. */
static bool writable(const struct request *r)
{
    struct error error = {.code = ERROR_NONE};
    const bool ok = r->seeds == NULL || (folder_make(r->seeds, &error) && folder_is_writable(r->seeds, &error));
    if (!ok)
        complain("warpcheck prove: %s", error.text);
    return ok;
}

/* Each case of a witness as a fuzzer's bytes and as a readable file. */
static bool write_seeds(const struct session *s, const char *dir)
{
    static char text[4 * WARP_TEXT_MAX];
    char path[FILE_PATH_MAX];
    for (size_t i = 0; i < s->count; i++)
        for (unsigned k = 0; k < s->outcomes[i].cases; k++) {
            const struct warp_case *c = &s->outcomes[i].c[k];
            uint8_t bytes[WARP_BYTES_MAX];
            size_t n = warp_case_to_bytes(c, bytes);
            snprintf(path, sizeof path, "%s/%s-%u.raw", dir, s->properties[i]->name, k + 1);
            if (!write_file(path, bytes, n))
                return false;
            n = warp_case_to_file(c, s->properties[i]->sentence, NULL, 0, text, sizeof text);
            snprintf(path, sizeof path, "%s/%s-%u.txt", dir, s->properties[i]->name, k + 1);
            if (!write_file(path, text, n < sizeof text ? n : sizeof text - 1))
                return false;
        }
    return true;
}

static int set_options(const struct command *command, const struct request *r, struct smt_options *o)
{
    static const struct warp_impl *replay[2];
    static char programs[FILE_PATH_MAX];
    struct error error = {.code = ERROR_NONE};
    smt_options_init(o);
    o->timeout_s = r->timeout;
    o->jobs = (unsigned)(r->jobs < 64 ? r->jobs : 64);
    o->drat = r->drat;
    o->smtlib_dir = r->smtlib;
    if (r->solver != NULL && strcmp(r->solver, "both") == 0)
        o->cross = true;
    else if (r->solver != NULL && strcmp(r->solver, "cvc5") == 0)
        o->cvc5_only = true;
    else if (r->solver != NULL && strcmp(r->solver, "z3") != 0)
        return usage_error(command, "unknown solver '%s': z3, cvc5 or both", r->solver);
    if ((o->cross || o->cvc5_only) && smt_cvc5_find(&error) == NULL)
        return usage_error(command, "%s", error.text);
    if (o->drat && smt_cadical_find(&error) == NULL)
        return usage_error(command, "%s", error.text);
    if (load_default_folder("corpus/programs", programs, sizeof programs))
        o->programs_dir = programs;
    replay[0] = spec_get();
    replay[1] = fast_get();
    o->replay = replay;
    o->replay_count = 2;
    return STATUS_AGREE;
}

static int prove(const struct command *command, const struct request *r, struct session *s)
{
    struct smt_options options;
    struct error error;
    int status = set_options(command, r, &options);
    bool done;
    if (status != STATUS_AGREE)
        return status;
    if (!writable(r))
        return STATUS_USAGE;
    options.progress = show_progress;
    options.context = s;
    s->cross = options.cross;
    s->drat = options.drat;
    interrupt_catch();
    proving_begin(&s->proving, "prove", s->count, r->quiet);
    done = smt_prove(s->properties, s->count, &options, s->outcomes, &error);
    proving_end(&s->proving);
    if (!done)
        return usage_error(command, "%s", error.text);
    for (size_t i = 0; i < s->count; i++)
        if (s->outcomes[i].verdict == SMT_ERROR)
            complain("warpcheck prove: %s: %s", s->properties[i]->name, s->outcomes[i].note);
    if (r->json)
        prove_print_json(s);
    else
        prove_print_table(s);
    if (r->seeds != NULL && !write_seeds(s, r->seeds))
        return STATUS_USAGE;
    if (interrupted())
        return STATUS_MISMATCH;
    if (r->record != NULL && !write_record(s, r->record))
        return STATUS_USAGE;
    return prove_unexpected(s) == 0 ? STATUS_AGREE : STATUS_MISMATCH;
}

static int run_prove(int argc, char **argv)
{
    struct request r = {.timeout = 30, .jobs = 0};
    struct session s = {0};
    const struct option table[] = {
        {OPT_FAMILY, &r.families, NULL, false},   {OPT_TIMEOUT, &r.timeout, NULL, false},
        {OPT_JOBS, &r.jobs, "processors", false}, {OPT_SOLVER, &r.solver, "z3", false},
        {OPT_DRAT, &r.drat, NULL, false},         {OPT_SMTLIB, &r.smtlib, NULL, false},
        {OPT_SEEDS_KEPT, &r.seeds, NULL, false},  {OPT_RECORD, &r.record, NULL, false},
        {OPT_DRAW, &r.draw, NULL, false},         {OPT_MARKDOWN, &r.markdown, NULL, false},
        {OPT_QUIET, &r.quiet, NULL, false},       {OPT_JSON, &r.json, NULL, false},
    };
    int operands, status;
    r.jobs = process_processors();
    operands = options_parse(&command_prove, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (r.markdown) {
        smt_properties_markdown(stdout);
        return STATUS_AGREE;
    }
    s.properties = calloc(smt_property_count() + 1, sizeof *s.properties);
    s.outcomes = calloc(smt_property_count() + 1, sizeof *s.outcomes);
    s.draw = r.draw || operands > 0;
    if (s.properties == NULL || s.outcomes == NULL)
        status = usage_error(&command_prove, "out of memory");
    else
        status = choose(&command_prove, &r, operands, argv, &s);
    if (status == STATUS_AGREE)
        status = prove(&command_prove, &r, &s);
    free(s.properties);
    free(s.outcomes);
    return status;
}

static const struct command *const subcommands[] = {&command_prove_own, &command_prove_bitcode, NULL};

const struct command command_prove = {
    .name = "prove",
    .summary = "prove the catalogue of properties for all operands at once",
    .help = "usage: warpcheck prove [NAME...] [--family F] [OPTION...]\n"
            "\n"
            "Proves properties of the manual's semantics with Z3, or refutes them with a witness that is replayed on\n"
            "spec and fast. Without a name: the whole catalogue (docs/generated/properties.md). Exit status 0 only "
            "when every\n"
            "verdict is the expected one.\n"
            "\n"
            "example: warpcheck prove --family shfl --solver both\n",
    .subcommands = subcommands,
    .run = run_prove,
};
