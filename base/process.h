/*
 * Child processes. Each leads a session of its own, without a terminal, ends with its parent (also when that is
 * killed), and leaves no zombie. The only place that forks.
 */
#ifndef WARPCHECK_BASE_PROCESS_H
#define WARPCHECK_BASE_PROCESS_H

#include "base/error.h"

#include <sys/types.h>

struct process_variable {
    const char *name;
    const char *value; /* NULL: not set */
};

#define PROCESS_SAME (-2) /* a stream: the parent's */
#define PROCESS_NULL (-1) /* a stream: /dev/null */

struct process_plan {
    const char *const *argv;                  /* ends with NULL; argv[0] is looked for in PATH */
    const char *folder;                       /* to run in; NULL: here */
    const struct process_variable *variables; /* added to the environment, or taken from it */
    size_t variables_count;
    int in, out, err; /* file descriptors, which stay the caller's; or PROCESS_SAME, PROCESS_NULL */
    /* All that it starts ends with it and with this process, however these end: a process between the two sees to it.
     * SIGTERM is the signal to stop it: that process waits for the end of all. */
    bool whole;
};

/* Starts it. Returns its number, or -1 with one line: also when the program cannot be executed. */
pid_t process_start(const struct process_plan *plan, struct error *error);

/*
 * Forks. Returns 0 in the child, the child's number in the parent, and -1 with one line on failure. The child goes on
 * here with default handlers for SIGINT, SIGTERM, SIGHUP and SIGPIPE, and must end with _exit. Standard streams are
 * flushed before. From now on no other process of the same user can open this one's memory or files in /proc
 * (PR_SET_DUMPABLE), nor the child's, until that executes a program or makes itself dumpable again.
 */
pid_t process_fork(struct error *error);

/*
 * The same, for code that may start others: a process between the two keeps the child, and ends all that it has started
 * when the child or this process ends. The number is that of the keeper, which ends as the child does.
 */
pid_t process_fork_whole(struct error *error);

/* How a process ended. */
enum process_ending { PROCESS_RUNS, PROCESS_EXITED, PROCESS_SIGNALED };
struct process_end {
    enum process_ending ending;
    int number; /* the exit status, or the signal */
};

/* Waits until the process ends or `deadline` comes (on clock_seconds()'s clock; 0: looks once and does not wait).
 * Returns true when it has ended, and reaps it. */
struct process_end process_wait(pid_t pid, double deadline);
/* Sends the signal to it and its group. */
void process_signal(pid_t pid, int number);
/* Kills it and its group, and reaps them; what the kernel holds on to is left at the deadline (PROCESS_RUNS). */
struct process_end process_kill(pid_t pid);
struct process_end process_kill_until(pid_t pid, double deadline);
/* All of the bytes, to a connected socket. False: nobody reads it any more. */
bool process_send(int link, const void *bytes, size_t size);
/* ERROR_EXIT or ERROR_CRASH with "ended with status 3", "was ended by SIGSEGV". Always false. */
bool process_explain(struct process_end end, struct error *error);
/* "SIGSEGV" and so on; "signal 63" where there is no name. */
const char *process_signal_name(int number);

/*
 * Runs a command to its end, with its standard output and error together in `out` (cut to `size`, 0-terminated; may be
 * NULL). Returns true when it ended with status 0. After `seconds` (0: no limit) it is ended: ERROR_TIMEOUT.
 */
bool process_run(const struct process_plan *plan, double seconds, char *out, size_t size, struct error *error);

/*
 * From now on what a child leaves behind becomes ours, whatever session it made itself the leader of. processes_end
 * then kills and reaps all that is left; call it when the program has no use for a child any more.
 */
void processes_keep(void);
void processes_end(void);

/*
 * From now on this process, and what it starts, gets no further privileges (sudo), and as root gives up those that
 * reach others in ways that no call names: to trace, to mount, to load modules, to use devices raw, to set the clock.
 * Where the kernel has Landlock it cannot look into a process that it did not start, in /proc or otherwise, nor, from
 * Linux 6.12 on, send it a signal. False where it could not give the privileges up.
 */
bool process_enclose(void);

/*
 * The same, and from now on it is ended by SIGSYS when it sends `other`, its own parent, the group of
 * `other` or everybody a signal, of whatever number and by whatever call (also as the owner of a file's events, or by a
 * descriptor of a process), joins another's group, traces `other`, reads or writes its memory, changes its limits,
 * priority or processors, or calls by the numbers of 32-bit programs; also as root. Any other process or thread than
 * itself it cannot signal, trace, limit, nor reach its memory: that fails with EPERM, also for what it started. False
 * where the kernel has no filters of system calls: then it can.
 *
 * Files are not looked at. Those of /proc that give the memory of `other` are closed to it when that has forked by
 * process_fork.
 */
bool process_spare(pid_t other);

/* Processors that this process may use, at least 1. */
unsigned process_processors(void);

#endif
