/*
 * The program `warpcheck`: finds the command in its table and hands over the words.
 */
#include "base/buffer.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/registry.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WARPCHECK_VERSION
#define WARPCHECK_VERSION "unknown"
#endif

struct entry {
    const char *group; /* not NULL: a heading, nothing else */
    const struct command *command;
    const char *name; /* of a command that is not available */
    const char *summary;
    const char *reason;
};

static const struct entry entries[] = {
#define COMMAND_GROUP(title)                    {.group = (title)},
#define COMMAND(name, variable)                 {.command = &(variable)},
#define COMMAND_UNAVAILABLE(missing, what, why) {.name = #missing, .summary = (what), .reason = (why)},
#include "cli/commands.def"
#undef COMMAND_GROUP
#undef COMMAND
#undef COMMAND_UNAVAILABLE
};
#define ENTRIES (sizeof entries / sizeof entries[0])

static const char *entry_name(const struct entry *entry)
{
    return entry->command ? entry->command->name : entry->name;
}

static void print_entry(const struct entry *entry)
{
    if (entry->group)
        printf("\n%s%s%s\n", paint(PAINT_BOLD), entry->group, paint(PAINT_PLAIN));
    else if (entry->command)
        printf("  %-9s %s\n", entry->command->name, entry->command->summary);
    else
        printf("  %-9s %s (UNAVAILABLE: %s)\n", entry->name, entry->summary, entry->reason);
}

static void print_help(void)
{
    printf("warpcheck checks implementations of NVIDIA's PTX warp-level instructions: shfl, vote, match,\n"
           "redux, activemask, bar.warp and elect. It compares yours with a transcription of the PTX\n"
           "manual and shows the smallest case on which they differ.\n"
           "\n"
           "usage: warpcheck COMMAND [OPTION...]     warpcheck COMMAND --help tells more about each\n");
    for (size_t i = 0; i < ENTRIES; i++)
        print_entry(&entries[i]);
    printf("\n%sTwo examples%s\n"
           "  warpcheck run                                    everything, against the built-in implementations\n"
           "  warpcheck gen shfl | ./mine | warpcheck verify   check a program of yours through a pipe\n"
           "\n"
           "In the source folder, ./warpcheck builds it first, and installs the Debian packages that the command\n"
           "uses, with their size (WARPCHECK_INSTALL=0: it installs none, and names those that are missing;\n"
           "WARPCHECK_BUILD=FOLDER: it builds there). ./warpcheck selftest runs the tests.\n"
           "\n"
           "Exit status: 0 all agree, 1 a mismatch (or refuted, or unknown), 2 wrong usage or unreadable input.\n"
           "Read on in README.md (first steps), docs/commands.md (every command), ARCHITECTURE.md (what a case\n"
           "means), and `warpcheck list` (instructions and implementations).\n",
           paint(PAINT_BOLD), paint(PAINT_PLAIN));
}

static int unknown_command(const char *word)
{
    const char *names[ENTRIES];
    size_t n = 0;
    for (size_t i = 0; i < ENTRIES; i++)
        if (!entries[i].group)
            names[n++] = entry_name(&entries[i]);
    const char *nearest = text_nearest(word, names, n);
    if (nearest)
        complain("warpcheck: unknown command '%s'; did you mean %s? (warpcheck --help lists them)", word, nearest);
    else
        complain("warpcheck: unknown command '%s'; warpcheck --help lists them", word);
    return STATUS_USAGE;
}

static int run_command(int argc, char **argv)
{
    for (size_t i = 0; i < ENTRIES; i++) {
        if (entries[i].group || strcmp(entry_name(&entries[i]), argv[0]) != 0)
            continue;
        if (entries[i].command)
            return command_call(entries[i].command, argc, argv);
        complain("warpcheck %s: UNAVAILABLE: %s", argv[0], entries[i].reason);
        return STATUS_USAGE;
    }
    return unknown_command(argv[0]);
}

#define HELP_WORDS 2 /* a command and a subcommand */

/* `help`, `help NAME` and `help NAME SUBCOMMAND`, for people who try that first. */
static int run_help(int argc, char **argv)
{
    char flag[] = "--help";
    char *words[HELP_WORDS + 2] = {NULL};
    int n = 0;
    for (int i = 1; i < argc && n < HELP_WORDS; i++)
        words[n++] = argv[i];
    words[n] = flag;
    if (n > 0)
        return run_command(n + 1, words);
    print_help();
    return STATUS_AGREE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help();
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        return run_help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0) {
        printf("warpcheck %s\n", WARPCHECK_VERSION);
        return STATUS_AGREE;
    }
    if (argv[1][0] == '-') {
        complain("warpcheck: unknown option '%s'; the command comes first (warpcheck --help)", argv[1]);
        return STATUS_USAGE;
    }
    return run_command(argc - 1, argv + 1);
}

/* A crash of the program itself, or of a library (the solver's, without memory), has its line too, and its usual end.
 */
static void tell_crash(int number, siginfo_t *info, void *context)
{
    static const char crash[] =
        "warpcheck: it crashed, within itself or a library (no memory? a defect?): what it has not "
        "told yet is not known\n";
    static const char sent[] =
        "warpcheck: another process ended it by a signal: what it has not told yet is not known\n";
    const bool is_own = info->si_code > 0 || info->si_pid == getpid();
    (void)context;
    if (write(STDERR_FILENO, is_own ? crash : sent, is_own ? sizeof crash - 1 : sizeof sent - 1) < 0)
        _exit(STATUS_USAGE);
    raise(number); /* one that was sent does not come again by itself */
}

static void watch_crashes(void)
{
    static const int numbers[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
    static char room[1u << 16];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old, action = {.sa_flags = (int)(SA_RESETHAND | SA_ONSTACK | SA_SIGINFO)};
        action.sa_sigaction = tell_crash;
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) /* a sanitizer has its own */
            sigaction(numbers[i], &action, NULL);
    }
}

/*
 * Repairs what the caller left. A closed standard stream would become the first file that is opened, and the report
 * would be written into a finding: it is opened, and that nothing could be printed is told at the end. SIGCHLD is
 * restored, so that it is learnt how children end. A file that may not grow is an error of its write, not a signal.
 */
static void settle(void)
{
    static const char *const instead[] = {"/dev/null", "/dev/full", "/dev/null"};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open(instead[fd], fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) != fd)
            _exit(STATUS_USAGE);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN);
}

/* What a person sets wrongly is no reason to leave stages out. */
static bool has_root(void)
{
    const char *const root = getenv("WARPCHECK_ROOT");
    char corpus[FILE_PATH_MAX];
    if (root == NULL || root[0] == '\0')
        return true;
    const bool is_folder = file_is_folder(root);
    if (is_folder && file_join(root, "corpus", corpus, NULL) && file_is_folder(corpus))
        return true;
    complain("warpcheck: WARPCHECK_ROOT is %s, which %s: set it to the folder of warpcheck's sources, or unset it",
             shown(root), is_folder ? "has no folder corpus" : "is no folder");
    return false;
}

int main(int argc, char **argv)
{
    int status;
    settle();
    if (!has_root())
        return STATUS_USAGE;
    watch_crashes();
    processes_keep();
    registry_provide();
    status = dispatch(argc, argv);
    processes_end();
    if (status == STATUS_AGREE && interrupted())
        status = STATUS_MISMATCH; /* whatever the command has seen by then is not all */
    if (status == STATUS_AGREE && !registry_closed_well())
        status = STATUS_MISMATCH;
    if (status == STATUS_AGREE && buffer_any_failed()) {
        complain("warpcheck: out of memory: some of the report is missing");
        status = STATUS_USAGE;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain("warpcheck: cannot write to standard output");
        return STATUS_USAGE;
    }
    return status;
}
