#define END_S       5u /* for removing folders on a signal */
#define _GNU_SOURCE    /* O_NOFOLLOW, nftw, renameat2, realpath, syncfs */
#include "base/file.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX     16
#define TEMPORARY_MAX 32
#define KEPT          "kept" /* a file in a temporary folder that stays */
#define REMOVE_TRIES  16
#define LINKS_MAX     40 /* as the system follows */
#define GIVE_FILE     "give a regular file"

static bool tell_kind(const char *path, mode_t mode, const char *how, struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s: is %s; %s", path,
                     S_ISDIR(mode)    ? "a folder"
                     : S_ISFIFO(mode) ? "a FIFO"
                     : S_ISSOCK(mode) ? "a socket"
                                      : "a device",
                     how);
}

int file_open(const char *path, struct error *error)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* O_NONBLOCK: a FIFO does not wait */
    if (fd < 0) {
        error_errno(error, "%s: cannot be read", path);
        return -1;
    }
    if (fstat(fd, &status) != 0)
        error_errno(error, "%s: cannot be read", path);
    else if (S_ISREG(status.st_mode))
        return fd;
    else
        tell_kind(path, status.st_mode, GIVE_FILE, error);
    close(fd);
    return -1;
}

/* Everything up to the end, at most `most` bytes. */
static bool read_all(int fd, const char *path, size_t most, struct buffer *buffer, struct error *error)
{
    char piece[65536];
    for (;;) {
        const ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR && !interrupted())
            continue;
        if (n < 0 && interrupted())
            return error_set(error, ERROR_INTERRUPTED, "%s: INTERRUPTED before its end was read", path);
        if (n < 0)
            return error_errno(error, "%s: cannot be read", path);
        if (n == 0)
            break;
        if ((size_t)n > most - buffer->size)
            return error_set(error, ERROR_INPUT, "%s: larger than the %zu bytes that such a file may have", path, most);
        buffer_add(buffer, piece, (size_t)n);
    }
    buffer_add(buffer, "", 0);
    return !buffer->failed || error_set(error, ERROR_SYSTEM, "%s: out of memory", path);
}

char *file_read(const char *path, size_t most, size_t *size, struct error *error)
{
    struct buffer buffer = {0};
    const bool standard = strcmp(path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : file_open(path, error);
    const bool good = fd >= 0 && read_all(fd, path, most, &buffer, error);
    if (fd >= 0 && !standard)
        close(fd);
    *size = buffer.size;
    if (good)
        return buffer.data;
    buffer_free(&buffer);
    return NULL;
}

const char *file_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void fresh_name(const char *path, char name[FILE_PATH_MAX + 64])
{
    static unsigned number;
    const int folder = (int)(file_name(path) - path);
    const uint64_t drawn = random_mix((uint64_t)(clock_seconds() * 1e9) ^ (uint64_t)getpid() << 40 ^
                                      __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
    snprintf(name, FILE_PATH_MAX + 64, "%.*s.%.*s.%016llx", folder, path, 64, path + folder, (unsigned long long)drawn);
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

static bool flushes_later;

/* Some files cannot be flushed, and need not: EINVAL, EROFS. */
static bool flush(int fd)
{
    return flushes_later || fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

/* Writes the content under a fresh name beside `path`. `*late`: only flushing or closing it failed. */
static bool write_once(const char *path, const void *data, size_t size, char name[FILE_PATH_MAX + 64], bool *late,
                       struct error *error)
{
    int fd, tries = 0;
    bool good;
    do {
        fresh_name(path, name);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST && ++tries < 16);
    if (fd < 0)
        return error_errno(error, "%s: cannot be written", path);
    *late = write_all(fd, data, size);
    good = (*late && flush(fd)) || error_errno(error, "%s: cannot be written", path);
    if (close(fd) != 0 && good)
        good = error_errno(error, "%s: cannot be written", path);
    if (!good)
        unlink(name);
    return good;
}

/* After a flush that failed, data may be lost though a second flush succeeds: all is written again, to a new file. */
static bool write_fresh(const char *path, const void *data, size_t size, char name[FILE_PATH_MAX + 64],
                        struct error *error)
{
    bool late = false;
    return write_once(path, data, size, name, &late, error) ||
           (late && write_once(path, data, size, name, &late, error));
}

/* The folder of `path`, without links; false where there is none. */
static bool find_folder(const char *path, char folder[FILE_PATH_MAX])
{
    char above[FILE_PATH_MAX];
    snprintf(above, sizeof above, "%.*s", (int)(file_name(path) - path), path);
    return realpath(above[0] != '\0' ? above : ".", folder) != NULL;
}

static void flush_parent(const char *path)
{
    char folder[FILE_PATH_MAX];
    if (find_folder(path, folder))
        folder_flush(folder);
}

/* Is it, or does it lead to, a link of the system to an open file, as /dev/stdout does? */
static bool is_stream(const char *path)
{
    char at[FILE_PATH_MAX], folder[FILE_PATH_MAX], to[FILE_PATH_MAX];
    snprintf(at, sizeof at, "%s", path);
    for (int links = 0; links < LINKS_MAX && find_folder(at, folder); links++) {
        if (strncmp(folder, "/proc/", 6) == 0)
            return true;
        const ssize_t length = readlink(at, to, sizeof to - 1);
        if (length < 0)
            return false;
        to[length] = '\0';
        if (to[0] == '/')
            snprintf(at, sizeof at, "%s", to);
        else if (!file_join(folder, to, at, NULL))
            return false;
    }
    return false;
}

/* A device, or a link to a stream, would be replaced by a file of its name. */
static bool is_replaceable(const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return tell_kind(path, status.st_mode, GIVE_FILE, error);
    return !is_stream(path) || error_set(error, ERROR_USAGE, "%s: leads to an open stream; " GIVE_FILE, path);
}

bool file_is_writable(const char *path, struct error *error)
{
    char name[FILE_PATH_MAX + 64];
    if (path[0] == '\0')
        return error_set(error, ERROR_USAGE, "a file to be written has no name");
    if (strcmp(path, "-") == 0)
        return true;
    if (!is_replaceable(path, error) || !write_fresh(path, "", 0, name, error))
        return false;
    unlink(name);
    return true;
}

bool file_is_same(const char *one, const char *other)
{
    char folder[FILE_PATH_MAX], its[FILE_PATH_MAX];
    struct stat a, b;
    const bool is_there = stat(one, &a) == 0;
    if (is_there != (stat(other, &b) == 0))
        return false;
    if (is_there)
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    return strcmp(one, other) == 0 || (strcmp(file_name(one), file_name(other)) == 0 && find_folder(one, folder) &&
                                       find_folder(other, its) && strcmp(folder, its) == 0);
}

bool file_write(const char *path, const void *data, size_t size, struct error *error)
{
    char name[FILE_PATH_MAX + 64];
    if (!is_replaceable(path, error) || !write_fresh(path, data, size, name, error))
        return false;
    if (rename(name, path) != 0) {
        error_errno(error, "%s: cannot be written", path);
        unlink(name);
        return false;
    }
    flush_parent(path);
    return true;
}

/* Is this what a file system says that does not know what it was asked for? */
static bool is_unknown(int number)
{
    return number == EPERM || number == EINVAL || number == ENOSYS || number == EOPNOTSUPP || number == EMLINK;
}

/* For a file system that knows neither hard links nor renaming without replacing: the name is taken first and filled
 * then, so that two processes still do not write the same file. */
static int fill_name(const char *path, const void *data, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    int failed = fd < 0 ? errno : 0;
    if (fd < 0)
        return failed;
    if (!write_all(fd, data, size) || !flush(fd))
        failed = errno;
    if (close(fd) != 0 && failed == 0)
        failed = errno;
    if (failed != 0)
        unlink(path);
    return failed;
}

/* Gives the finished file its final name, unless there is a file of that name. Returns 0 or errno's number. */
static int take_name(const char *name, const char *path, const void *data, size_t size)
{
    int failed = link(name, path) == 0 ? 0 : errno;
    if (failed == 0 || failed == EEXIST) {
        unlink(name);
        return failed;
    }
    if (renameat2(AT_FDCWD, name, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return 0;
    failed = errno;
    unlink(name);
    return is_unknown(failed) ? fill_name(path, data, size) : failed;
}

bool file_create(const char *path, const void *data, size_t size, bool *existed, struct error *error)
{
    char name[FILE_PATH_MAX + 64];
    int failed;
    *existed = false;
    if (!write_fresh(path, data, size, name, error))
        return false;
    failed = take_name(name, path, data, size);
    *existed = failed == EEXIST;
    if (failed != 0 && !*existed) {
        errno = failed;
        return error_errno(error, "%s: cannot be written", path);
    }
    flush_parent(path);
    return true;
}

bool file_append(const char *path, const void *data, size_t size, struct error *error)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool good = fd >= 0 && write_all(fd, data, size);
    struct stat about;
    if (!good)
        error_errno(error, "%s: cannot be written", path);
    if (!good && fd >= 0 && size > 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0)
        unlink(path); /* nothing of it is there */
    if (good && !flush(fd))
        good = error_errno(error, "%s: was written, but not to the disk", path);
    if (fd >= 0 && close(fd) != 0 && good)
        good = error_errno(error, "%s: cannot be written", path);
    return good;
}

/* Writes zeros behind the end, for a file system that reserves nothing. Returns 0 or errno's number. */
static int write_zeros(int fd, size_t from, size_t to)
{
    static const char zeros[4096];
    while (from < to) {
        const ssize_t n = pwrite(fd, zeros, to - from < sizeof zeros ? to - from : sizeof zeros, (off_t)from);
        if (n < 0 && errno != EINTR)
            return errno;
        from += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* The file has its size only when all of its room is reserved, so that who waits for the size may map it. */
static bool reserve(int fd, const char *path, size_t size, bool make, struct error *error)
{
    struct stat status;
    int failed;
    if (fstat(fd, &status) != 0)
        return error_errno(error, "%s: cannot be read", path);
    if (!S_ISREG(status.st_mode))
        return tell_kind(path, status.st_mode, GIVE_FILE, error);
    if (!make && status.st_size != (off_t)size)
        return error_set(error, ERROR_INPUT, "%s: has not the %zu bytes of such a file", path, size);
    do
        failed = posix_fallocate(fd, 0, (off_t)size);
    while (failed == EINTR);
    if (failed == EINVAL || failed == ENOSYS || failed == EOPNOTSUPP)
        failed = write_zeros(fd, (size_t)status.st_size, size);
    if (failed == 0 && status.st_size > (off_t)size && ftruncate(fd, (off_t)size) != 0)
        failed = errno;
    if (failed == 0)
        return true;
    if (status.st_size < (off_t)size && ftruncate(fd, status.st_size) != 0)
        unlink(path); /* no file is left that looks whole */
    errno = failed;
    return error_errno(error, "%s: no room for its %zu bytes", path, size);
}

void *file_map(const char *path, size_t size, bool make, struct error *error)
{
    const int fd = open(path, O_RDWR | (make ? O_CREAT : 0) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
    void *at = MAP_FAILED;
    if (fd < 0)
        error_errno(error, "%s: cannot be written", path);
    else if (reserve(fd, path, size, make, error)) {
        at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at == MAP_FAILED)
            error_errno(error, "%s: cannot be mapped", path);
    }
    if (fd >= 0)
        close(fd);
    return at == MAP_FAILED ? NULL : at;
}

int file_log(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
}

int file_lock(const char *path, bool *busy, struct error *error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    *busy = fd >= 0 && fcntl(fd, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN);
    if (fd >= 0 && !*busy)
        return fd;
    error_errno(error, "%s: cannot be locked", path);
    if (fd >= 0)
        close(fd);
    return -1;
}

bool file_text_begin(struct file_text *text, struct error *error)
{
    *text = (struct file_text){0};
    text->stream = open_memstream(&text->data, &text->size);
    return text->stream != NULL || error_errno(error, "no memory for a text");
}

bool file_text_end(struct file_text *text, const char *path, struct error *error)
{
    bool good = !ferror(text->stream);
    good = fclose(text->stream) == 0 && good;
    if (!good)
        error_set(error, ERROR_SYSTEM, "%s: no memory for its text", path);
    else if (strcmp(path, "-") != 0)
        good = file_write(path, text->data, text->size, error);
    else if (fwrite(text->data, 1, text->size, stdout) != text->size || fflush(stdout) != 0)
        good = error_errno(error, "standard output: cannot be written");
    free(text->data);
    return good;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool file_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool file_join(const char *dir, const char *name, char path[FILE_PATH_MAX], struct error *error)
{
    const int length = snprintf(path, FILE_PATH_MAX, "%s%s%s", dir, strcmp(dir, "/") == 0 ? "" : "/", name);
    return (length >= 0 && length < (int)FILE_PATH_MAX) || error_set(error, ERROR_INPUT, "%.200s: path too long", dir);
}

const char *file_absolute(const char *path, char absolute[FILE_PATH_MAX])
{
    if (realpath(path, absolute) == NULL)
        snprintf(absolute, FILE_PATH_MAX, "%s", path);
    return absolute;
}

bool folder_make(const char *path, struct error *error)
{
    char part[FILE_PATH_MAX];
    const size_t length = strlen(path);
    if (length >= sizeof part)
        return error_set(error, ERROR_INPUT, "%.200s: path too long", path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return error_errno(error, "%s: the folder cannot be made", part);
    }
    if (!file_is_folder(path)) {
        errno = ENOTDIR;
        return error_errno(error, "%s: the folder cannot be made", path);
    }
    return true;
}

bool folder_create(const char *path, bool *existed, struct error *error)
{
    const bool made = mkdir(path, 0777) == 0;
    *existed = !made && errno == EEXIST;
    return made || error_errno(error, "%s: cannot make this folder", path);
}

bool folder_is_writable(const char *path, struct error *error)
{
    char probe[FILE_PATH_MAX], name[FILE_PATH_MAX + 64];
    if (!file_join(path, "probe", probe, error) || !write_fresh(probe, "", 0, name, error))
        return false;
    unlink(name);
    return true;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    remove(path);
    return 0;
}

/* A process that is about to end may still put files there, while its folder can be found. */
void folder_remove(const char *path)
{
    for (int tries = 0; tries == 0 || (tries < REMOVE_TRIES && file_exists(path)); tries++)
        nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void folder_flush(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    flush(fd);
    close(fd);
}

void files_flush_later(void)
{
    flushes_later = true;
}

bool files_flush(const char *folder, struct error *error)
{
    const int fd = flushes_later ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const bool good =
        fd < 0 || syncfs(fd) == 0 || error_errno(error, "%s: what was written there may not be on the disk", folder);
    flushes_later = false;
    if (fd >= 0)
        close(fd);
    return good;
}

/* Folders that this process made. Written before the flag, so that a signal handler sees whole names. */
static struct {
    char path[FILE_PATH_MAX];
    volatile sig_atomic_t used;
} temporary[TEMPORARY_MAX];
static pid_t owner;

void folders_remove_all(void)
{
    if (owner != getpid())
        return; /* a child does not remove what its parent uses */
    for (int i = 0; i < TEMPORARY_MAX; i++)
        if (temporary[i].used) {
            folder_remove(temporary[i].path);
            temporary[i].used = 0;
        }
}

/* What the signal came upon may hold a lock that is needed: then SIGALRM ends it. */
static void end_by(int number)
{
    signal(SIGALRM, SIG_DFL);
    alarm(END_S);
    folders_remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

/* Removes the folders on signals that end the program by default. */
static void watch_ends(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old, action = {.sa_handler = end_by};
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    }
    atexit(folders_remove_all);
}

static bool is_kept(const char *folder)
{
    char mark[FILE_PATH_MAX];
    return file_join(folder, KEPT, mark, NULL) && file_exists(mark);
}

/* Removes the folders "warpcheck-WHAT.PID.XXXXXX" of this user whose process is gone, but those that are kept. */
static void sweep(const char *dir)
{
    DIR *const folder = opendir(dir);
    if (folder == NULL)
        return;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[FILE_PATH_MAX];
        struct stat status;
        const char *dot = strncmp(entry->d_name, "warpcheck-", 10) == 0 ? strchr(entry->d_name, '.') : NULL;
        const long pid = dot != NULL ? strtol(dot + 1, NULL, 10) : 0;
        if (pid <= 1 || (kill((pid_t)pid, 0) == 0 || errno != ESRCH) || !file_join(dir, entry->d_name, path, NULL) ||
            is_kept(path))
            continue;
        if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid())
            folder_remove(path);
    }
    closedir(folder);
}

void folder_keep(const char *path)
{
    char mark[FILE_PATH_MAX];
    struct error error;
    if (file_join(path, KEPT, mark, NULL))
        (void)file_write(mark, "", 0, &error);
    for (int i = 0; i < TEMPORARY_MAX; i++)
        if (temporary[i].used && strcmp(temporary[i].path, path) == 0)
            temporary[i].used = 0;
}

static const char *temporary_place(void)
{
    const char *const set = getenv("TMPDIR");
    return set != NULL && set[0] != '\0' ? set : "/tmp";
}

void folders_sweep(void)
{
    sweep(temporary_place());
}

bool folder_temporary(const char *what, char path[FILE_PATH_MAX], struct error *error)
{
    const char *const dir = temporary_place();
    int slot = 0;
    if (owner != getpid()) {
        owner = getpid();
        for (int i = 0; i < TEMPORARY_MAX; i++)
            temporary[i].used = 0;
        watch_ends();
        sweep(dir);
    }
    while (slot < TEMPORARY_MAX && temporary[slot].used && file_exists(temporary[slot].path))
        slot++;
    if (slot == TEMPORARY_MAX)
        return error_set(error, ERROR_INTERNAL, "more than %d temporary folders", TEMPORARY_MAX);
    if (snprintf(path, FILE_PATH_MAX, "%s/warpcheck-%s.%ld.XXXXXX", dir, what, (long)getpid()) >= (int)FILE_PATH_MAX)
        return error_set(error, ERROR_INPUT, "TMPDIR: path too long");
    if (mkdtemp(path) == NULL)
        return error_errno(error, "%s: no temporary folder can be made (TMPDIR chooses another place)", dir);
    temporary[slot].used = 0;
    snprintf(temporary[slot].path, FILE_PATH_MAX, "%s", path);
    temporary[slot].used = 1;
    return true;
}

bool path_list_add(struct path_list *list, const char *path)
{
    char **const paths = array_grow(list->paths, list->count, &list->room, sizeof *paths);
    char *const copy = paths != NULL ? strdup(path) : NULL;
    if (paths != NULL)
        list->paths = paths;
    if (copy == NULL)
        return false;
    list->paths[list->count++] = copy;
    return true;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Where to tell what cannot be read: only the first is told, and all are counted. */
static struct error *unread(struct path_list *list, struct error *error)
{
    return list->unread++ == 0 ? error : NULL;
}

static bool find_any(struct path_list *list, const char *path, int depth, struct error *error);

/* Passes over what cannot be read. */
static bool find_below(struct path_list *list, DIR *folder, const char *path, int depth, struct error *error)
{
    struct dirent *entry;
    while (errno = 0, (entry = readdir(folder)) != NULL) {
        char below[FILE_PATH_MAX];
        if (entry->d_name[0] == '.')
            continue;
        if (!file_join(path, entry->d_name, below, NULL))
            return error_set(unread(list, error), ERROR_INPUT, "%.200s: path too long", path);
        if (!find_any(list, below, depth + 1, error))
            return false;
    }
    if (errno != 0)
        error_errno(unread(list, error), "%s: cannot be read to its end", path);
    return true;
}

/* False: the search must end. */
static bool find_any(struct path_list *list, const char *path, int depth, struct error *error)
{
    struct stat status;
    bool good = true;
    if (stat(path, &status) != 0)
        return !error_errno(unread(list, error), "%s: cannot be read", path);
    if (S_ISREG(status.st_mode))
        return path_list_add(list, path) || error_set(unread(list, error), ERROR_SYSTEM, "%s: out of memory", path);
    if (!S_ISDIR(status.st_mode))
        return !tell_kind(path, status.st_mode, depth > 0 ? "take it out of the folder" : GIVE_FILE,
                          unread(list, error));
    if (depth == DEPTH_MAX)
        return error_set(unread(list, error), ERROR_INPUT, "%s: folders are nested too deep", path);
    DIR *const folder = opendir(path);
    if (folder == NULL)
        return !error_errno(unread(list, error), "%s: cannot be read", path);
    good = find_below(list, folder, path, depth, error);
    closedir(folder);
    return good;
}

bool path_list_find(struct path_list *list, const char *path, struct error *error)
{
    const size_t before = list->count;
    char start[FILE_PATH_MAX];
    size_t length = strlen(path);
    list->unread = 0;
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length >= sizeof start)
        return error_set(unread(list, error), ERROR_INPUT, "%.200s: path too long", path);
    snprintf(start, sizeof start, "%.*s", (int)length, path);
    if (strcmp(path, "-") != 0)
        find_any(list, start, 0, error);
    else if (!path_list_add(list, path))
        error_set(unread(list, error), ERROR_SYSTEM, "out of memory");
    if (list->count > before)
        qsort(list->paths + before, list->count - before, sizeof *list->paths, by_name);
    if (list->unread > 1)
        error_prefix(error, "%zu files or folders of %s cannot be used; the first", list->unread, start);
    return list->unread == 0;
}

void path_list_free(struct path_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (struct path_list){0};
}
