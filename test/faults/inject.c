/*
 * A library to preload: the N-th call of one kind fails, as on a machine that has run out of something.
 *
 *   WARPCHECK_FAULT=KIND:N    N from 1; N+ for it and all later ones. KIND:
 *     memory   malloc, calloc, realloc          process  fork                  thread  pthread_create
 *     file     open, fopen, pipe2, socketpair, memfd_create, shm_open: no descriptor is left
 *     write    mkdir, mkdtemp, rename, write, ftruncate, posix_fallocate: no space is left
 *     name     link, renameat2: the file system does not know that            flush   fsync: a failing disk
 *     close    close of a regular file, which is closed                        list    opendir, readdir
 *     read     read: a failing disk, of regular files                          wait    waitpid, poll: interrupted
 *     signal   sigaction                        random   getrandom             map     mmap
 *     set      fcntl with F_SETFL, madvise: refused
 *   WARPCHECK_FAULT_COUNT=FILE  nothing fails; at its end each process adds to it, for each kind, the calls that it
 * made
 *
 * Only in warpcheck and in fuzz targets. A process that is forked goes on counting from its parent's count.
 */
#define _GNU_SOURCE /* RTLD_NEXT, pipe2, mkostemp */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char kind[16];
static long first, calls;
static bool later;

/* The kinds, and how many calls of each were made where they are counted. */
static const char *const kinds[] = {"memory", "process", "thread", "file",   "write",  "name", "flush", "close",
                                    "list",   "read",    "wait",   "signal", "random", "map",  "set"};
#define KINDS (sizeof kinds / sizeof kinds[0])
static long counts[KINDS];
static bool counting;

/* The allocator is called before the constructor of this library has run: what it is asked for then comes from here. */
static char early[65536] __attribute__((aligned(16)));
static size_t early_used;

__attribute__((constructor)) static void begin(void)
{
    const char *const fault = getenv("WARPCHECK_FAULT");
    char sign = '\0';
    /* A shell, or what builds the engines' targets, is not what is examined. */
    if (strncmp(program_invocation_short_name, "warpcheck", 9) != 0 &&
        strncmp(program_invocation_short_name, "fuzz_", 5) != 0)
        return;
    counting = getenv("WARPCHECK_FAULT_COUNT") != NULL;
    if (fault != NULL && sscanf(fault, "%15[a-z]:%ld%c", kind, &first, &sign) >= 2)
        later = sign == '+';
}

__attribute__((destructor)) static void end(void)
{
    const char *const path = getenv("WARPCHECK_FAULT_COUNT");
    char text[32 * KINDS];
    int fd, length = 0;
    if (!counting)
        return;
    counting = false;
    for (size_t i = 0; i < KINDS; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s %ld\n", kinds[i], counts[i]);
    if ((fd = (int)open(path, O_WRONLY | O_CREAT | O_APPEND, 0600)) < 0)
        return;
    if (write(fd, text, (size_t)length) != length)
        _exit(99);
    close(fd);
}

/* Whether this kind is to fail or be counted. */
static bool is_asked(const char *what)
{
    return counting || strcmp(kind, what) == 0;
}

static bool fails(const char *what)
{
    long mine;
    for (size_t i = 0; counting && i < KINDS; i++)
        if (strcmp(kinds[i], what) == 0)
            __atomic_add_fetch(&counts[i], 1, __ATOMIC_RELAXED);
    if (strcmp(kind, what) != 0)
        return false;
    mine = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    return first > 0 && (mine == first || (later && mine > first));
}

/* The next function of that name, looked up once. */
#define NEXT(function, name)                                                                                           \
    static __typeof__(&function) next;                                                                                 \
    if (next == NULL) {                                                                                                \
        void *const found = dlsym(RTLD_NEXT, name);                                                                    \
        memcpy(&next, &found, sizeof next);                                                                            \
    }

static void *take_early(size_t size)
{
    const size_t at = __atomic_fetch_add(&early_used, (size + 15) & ~(size_t)15, __ATOMIC_RELAXED);
    return at + size <= sizeof early ? early + at : NULL;
}

/* dlsym may itself allocate, and free what it said of an earlier failure: `meanwhile` is what that gets. Volatile: it
 * is declared as a function that calls nothing here. */
static __thread volatile bool looking;
#define NEXT_OF_MEMORY(function, name, meanwhile)                                                                      \
    static __typeof__(&function) next;                                                                                 \
    if (next == NULL) {                                                                                                \
        void *found;                                                                                                   \
        if (looking)                                                                                                   \
            return meanwhile;                                                                                          \
        looking = true;                                                                                                \
        found = dlsym(RTLD_NEXT, name);                                                                                \
        memcpy(&next, &found, sizeof next);                                                                            \
        looking = false;                                                                                               \
    }

void *malloc(size_t size)
{
    NEXT_OF_MEMORY(malloc, "malloc", take_early(size))
    if (fails("memory")) {
        errno = ENOMEM;
        return NULL;
    }
    return next(size);
}

void free(void *p)
{
    NEXT_OF_MEMORY(free, "free", )
    if ((char *)p >= early && (char *)p < early + sizeof early)
        return;
    next(p);
}

void *calloc(size_t n, size_t size)
{
    NEXT_OF_MEMORY(calloc, "calloc", take_early(n * size)) /* static memory is zero */
    if (fails("memory")) {
        errno = ENOMEM;
        return NULL;
    }
    return next(n, size);
}

void *realloc(void *p, size_t size)
{
    NEXT_OF_MEMORY(realloc, "realloc", NULL)
    if (fails("memory")) {
        errno = ENOMEM;
        return NULL;
    }
    if ((char *)p >= early && (char *)p < early + sizeof early) {
        void *const moved = malloc(size);
        return moved != NULL ? memcpy(moved, p, size) : NULL;
    }
    return next(p, size);
}

pid_t fork(void)
{
    NEXT(fork, "fork")
    if (fails("process")) {
        errno = EAGAIN;
        return -1;
    }
    return next();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    NEXT(pthread_create, "pthread_create")
    return fails("thread") ? EAGAIN : next(thread, attributes, run, argument);
}

int open(const char *path, int flags, ...)
{
    NEXT(open, "open")
    va_list arguments;
    mode_t mode;
    va_start(arguments, flags);
    mode = (flags & O_CREAT) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (fails("file")) {
        errno = EMFILE;
        return -1;
    }
    return next(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    NEXT(fopen, "fopen")
    if (fails("file")) {
        errno = EMFILE;
        return NULL;
    }
    return next(path, mode);
}

int pipe2(int ends[2], int flags)
{
    NEXT(pipe2, "pipe2")
    if (fails("file")) {
        errno = EMFILE;
        return -1;
    }
    return next(ends, flags);
}

int mkdir(const char *path, mode_t mode)
{
    NEXT(mkdir, "mkdir")
    if (fails("write")) {
        errno = ENOSPC;
        return -1;
    }
    return next(path, mode);
}

char *mkdtemp(char *path)
{
    NEXT(mkdtemp, "mkdtemp")
    if (fails("write")) {
        errno = ENOSPC;
        return NULL;
    }
    return next(path);
}

int rename(const char *from, const char *to)
{
    NEXT(rename, "rename")
    if (fails("write")) {
        errno = ENOSPC;
        return -1;
    }
    return next(from, to);
}

/* Of regular files alone: what goes to a pipe or a terminal takes no space. */
ssize_t write(int fd, const void *data, size_t size)
{
    NEXT(write, "write")
    struct stat status;
    if (is_asked("write") && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && fails("write")) {
        errno = ENOSPC;
        return -1;
    }
    return next(fd, data, size);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    NEXT(mmap, "mmap")
    if (fails("map")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return next(at, size, protection, flags, fd, offset);
}

/* --- functions that fail and do nothing --- */

#define FAILS(function, kind, number, failed)                                                                          \
    NEXT(function, #function)                                                                                          \
    if (fails(kind)) {                                                                                                 \
        errno = number;                                                                                                \
        return failed;                                                                                                 \
    }

int socketpair(int domain, int type, int protocol, int ends[2])
{
    FAILS(socketpair, "file", EMFILE, -1)
    return next(domain, type, protocol, ends);
}

int memfd_create(const char *name, unsigned flags)
{
    FAILS(memfd_create, "file", EMFILE, -1)
    return next(name, flags);
}

int shm_open(const char *name, int flags, mode_t mode)
{
    FAILS(shm_open, "file", EMFILE, -1)
    return next(name, flags, mode);
}

int ftruncate(int fd, off_t size)
{
    FAILS(ftruncate, "write", ENOSPC, -1)
    return next(fd, size);
}

int posix_fallocate(int fd, off_t offset, off_t size)
{
    FAILS(posix_fallocate, "write", ENOSPC, ENOSPC)
    return next(fd, offset, size);
}

int link(const char *from, const char *to)
{
    FAILS(link, "name", EPERM, -1)
    return next(from, to);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    FAILS(renameat2, "name", EINVAL, -1)
    return next(from_dir, from, to_dir, to, flags);
}

int fsync(int fd)
{
    FAILS(fsync, "flush", EIO, -1)
    return next(fd);
}

DIR *opendir(const char *path)
{
    FAILS(opendir, "list", EIO, NULL)
    return next(path);
}

struct dirent *readdir(DIR *folder)
{
    FAILS(readdir, "list", EIO, NULL)
    return next(folder);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
    FAILS(waitpid, "wait", EINTR, -1)
    return next(pid, status, options);
}

int poll(struct pollfd *fds, nfds_t count, int ms)
{
    FAILS(poll, "wait", EINTR, -1)
    return next(fds, count, ms);
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    FAILS(sigaction, "signal", EINVAL, -1)
    return next(number, action, old);
}

ssize_t getrandom(void *data, size_t size, unsigned flags)
{
    FAILS(getrandom, "random", EAGAIN, -1)
    return next(data, size, flags);
}

/* --- of regular files alone --- */

static bool is_regular(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

int close(int fd)
{
    NEXT(close, "close")
    const bool late = is_asked("close") && is_regular(fd) && fails("close");
    const int closed = next(fd);
    if (late)
        errno = EIO;
    return late ? -1 : closed;
}

ssize_t read(int fd, void *data, size_t size)
{
    NEXT(read, "read")
    if (is_asked("read") && is_regular(fd) && fails("read")) {
        errno = EIO;
        return -1;
    }
    return next(fd, data, size);
}

static int set_flags(int fd, int command, void *argument)
{
    static int (*next)(int, int, ...);
    if (next == NULL) {
        void *const found = dlsym(RTLD_NEXT, "fcntl");
        memcpy(&next, &found, sizeof next);
    }
    if (command == F_SETFL && fails("set")) {
        errno = EPERM;
        return -1;
    }
    return next(fd, command, argument);
}

int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *const argument = va_arg(arguments, void *);
    va_end(arguments);
    return set_flags(fd, command, argument);
}

int fcntl64(int fd, int command, ...);
int fcntl64(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *const argument = va_arg(arguments, void *);
    va_end(arguments);
    return set_flags(fd, command, argument);
}

int madvise(void *at, size_t size, int advice)
{
    NEXT(madvise, "madvise")
    if (fails("set")) {
        errno = ENOMEM;
        return -1;
    }
    return next(at, size, advice);
}
