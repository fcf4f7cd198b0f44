#include "cli/fuzz/passed.h"

#include "base/file.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ENDS  "would end the engine, and with it the campaign: use --seconds and --jobs"
#define HIDES "would put what the engine finds where the campaign does not look: use --work and --out"

struct fault {
    const char *option, *why;
};

static const struct fault of_libfuzzer[] = {
    {"-runs=", ENDS},
    {"-max_total_time=", ENDS},
    {"-jobs=", ENDS},
    {"-workers=", ENDS},
    {"-fork=", ENDS},
    {"-merge=", ENDS},
    {"-set_cover_merge=", ENDS},
    {"-help=", ENDS},
    {"-minimize_crash=", ENDS},
    {"-cleanse_crash=", ENDS},
    {"-analyze_dict=", ENDS},
    {"-artifact_prefix=", HIDES},
    {"-exact_artifact_path=", HIDES},
    {NULL, NULL},
};
static const struct fault of_afl[] = {
    {"-V", ENDS}, {"-E", ENDS}, {"-i", HIDES}, {"-o", HIDES}, {"-M", HIDES}, {"-S", HIDES}, {NULL, NULL},
};

static const char *const paths_of_libfuzzer[] = {
    "-dict=", "-data_flow_trace=", "-features_dir=", "-mutation_graph_file=", "-stop_file=", NULL};
static const char *const paths_of_afl[] = {"-x", "-F", NULL};

static bool begins(const char *option, const char *with)
{
    return strncmp(option, with, strlen(with)) == 0;
}

static const char *fault_of(enum engine engine, const char *option)
{
    const struct fault *f = engine == ENGINE_LIBFUZZER ? of_libfuzzer : of_afl;
    if (engine == ENGINE_LIBFUZZER && option[0] != '-')
        return "is none: libFuzzer's are -NAME=VALUE; a folder of inputs is given with --seeds";
    if (engine == ENGINE_LIBFUZZER && (begins(option, "--") || strchr(option, '=') == NULL))
        return "is none: libFuzzer's are -NAME=VALUE";
    for (; f->option != NULL; f++)
        if (begins(option, f->option))
            return f->why;
    return NULL;
}

/* Where a path begins in an option; NULL: it has none. AFL++'s may stand in the word behind. */
static const char *path_in(enum engine engine, const char *option, const char *before)
{
    for (const char *const *p = engine == ENGINE_LIBFUZZER ? paths_of_libfuzzer : paths_of_afl; *p != NULL; p++) {
        if (engine == ENGINE_AFL && before != NULL && strcmp(before, *p) == 0)
            return option;
        if (begins(option, *p) && option[strlen(*p)] != '\0')
            return option + strlen(*p);
    }
    return NULL;
}

int passed_take(const struct command *command, enum engine engine, const char *const *given, struct passed *passed)
{
    char here[FILE_PATH_MAX];
    size_t used = 0, n = 0;
    for (; given != NULL && given[n] != NULL; n++) {
        const char *const option = given[n];
        const char *const fault = fault_of(engine, option);
        const char *const path = path_in(engine, option, n > 0 ? given[n - 1] : NULL);
        int length = (int)strlen(option);
        if (fault != NULL)
            return usage_error(command, "the option %s behind -- %s", shown(option), fault);
        if (n == COMMAND_OPTIONS_MAX)
            return usage_error(command, "behind -- there are more than %u options for the engine", COMMAND_OPTIONS_MAX);
        passed->options[n] = option;
        if (path != NULL && path[0] != '/' && getcwd(here, sizeof here) != NULL) {
            length = snprintf(passed->text + used, sizeof passed->text - used, "%.*s%s/%s", (int)(path - option),
                              option, here, path);
            passed->options[n] = passed->text + used;
        }
        used += (size_t)length + 1;
        if (used > sizeof passed->text)
            return usage_error(command, "behind -- there are more than %u characters for the engine", JOB_PATH_MAX);
    }
    passed->options[n] = NULL;
    return 0;
}
