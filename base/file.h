/*
 * Files and folders: read whole, written whole or not at all, temporary ones removed however the program ends.
 *
 * A path from outside is opened only when it is a regular file: a FIFO or a device is refused at once, with one line.
 */
#ifndef WARPCHECK_BASE_FILE_H
#define WARPCHECK_BASE_FILE_H

#include "base/error.h"

#include <stdio.h>

#define FILE_PATH_MAX 4096u

/* Reads the whole file ("-": standard input) and puts a zero byte behind it; the caller frees it. Returns NULL with
 * one line on failure. A file larger than `most` bytes is an error (ERROR_INPUT) before anything of that size is
 * allocated. */
char *file_read(const char *path, size_t most, size_t *size, struct error *error);

/*
 * Opens a regular file for reading and returns its descriptor, or -1 with one line. A symbolic link is followed.
 */
int file_open(const char *path, struct error *error);

/*
 * Writes the file under a fresh name in its folder (O_EXCL, O_NOFOLLOW), flushes it and renames it: afterwards the old
 * or the new content is on disk, whole. What could not be finished is removed. Only a regular file is replaced.
 */
bool file_write(const char *path, const void *data, size_t size, struct error *error);
/* Could file_write write it now (or is it "-")? False with one line. Ask before long work whose result would be lost.
 */
bool file_is_writable(const char *path, struct error *error);
/* Do both names mean one file, also one that is not there yet? */
bool file_is_same(const char *one, const char *other);

/* The same, but never replaces a file: when there is one, sets `*existed` and writes nothing. When two processes
 * write the same name at once, exactly one of them writes. A file system that has no hard links and cannot rename
 * without replacing shows the file while it is written. */
bool file_create(const char *path, const void *data, size_t size, bool *existed, struct error *error);

/* Adds to the end of a file with one write, so that the lines of several processes stay whole; makes the file where
 * there is none. Use it for records that grow. What must be whole or absent goes through file_write. */
bool file_append(const char *path, const void *data, size_t size, struct error *error);

/*
 * Maps a file of `size` bytes for reading and writing, shared with all who map it. Its room is reserved first: on a
 * full disk a write to a file with holes ends the process by SIGBUS. `make`: there need be no such file, and one of
 * another size gets this one; else that is ERROR_INPUT. NULL with one line; munmap gives the memory back.
 */
void *file_map(const char *path, size_t size, bool make, struct error *error);

/* Opens a log for the output of a process, which goes behind what is there. -1: it cannot be written. A symbolic link
 * is not followed. */
int file_log(const char *path);

/*
 * Locks a file, which need not be there, for this process, and returns a descriptor: who closes it, or ends, gives the
 * lock back. Children do not have the lock, so that one that is left alone keeps nobody out. -1 with one line: it
 * cannot be made, or (*busy) another process has the lock. Where files cannot be locked, everybody gets the lock.
 */
int file_lock(const char *path, bool *busy, struct error *error);

/*
 * A text that is printed piece by piece and then written whole, as file_write does ("-": to standard output). After
 * file_text_begin returned true, file_text_end must be called; it frees everything.
 */
struct file_text {
    FILE *stream;
    char *data;
    size_t size;
};
bool file_text_begin(struct file_text *text, struct error *error);
bool file_text_end(struct file_text *text, const char *path, struct error *error);

bool file_exists(const char *path);
bool file_is_folder(const char *path);

/* "DIR/NAME" in `path`; false with one line when it is too long. */
bool file_join(const char *dir, const char *name, char path[FILE_PATH_MAX], struct error *error);
/* The last part of a path: within `path`. */
const char *file_name(const char *path);
/* The absolute path of what exists, else `path` itself. Returns `absolute`. */
const char *file_absolute(const char *path, char absolute[FILE_PATH_MAX]);

/* Makes the folder and those above it. */
bool folder_make(const char *path, struct error *error);
/* Makes this one folder; false and `*existed` when the name is taken. */
bool folder_create(const char *path, bool *existed, struct error *error);

/* Can something be created in this folder? False with one line when not. */
bool folder_is_writable(const char *path, struct error *error);
/* Removes a folder and what is in it, following no symbolic link. */
void folder_remove(const char *path);
/* Flushes a folder, so that what was created or renamed in it survives a crash of the machine. */
void folder_flush(const char *path);
/* From now on nothing is flushed by itself, because time is short: many small files wait long for a disk... */
void files_flush_later(void);
/* ... until this flushes the file system of the folder, once for all of them. False with one line. */
bool files_flush(const char *folder, struct error *error);

/*
 * A fresh private folder below TMPDIR (else /tmp), "warpcheck-WHAT.PID.XXXXXX". It is removed by folder_remove, at
 * exit, and when SIGHUP, SIGINT, SIGTERM or SIGPIPE end the program (folders_remove_all); after interrupt_catch also
 * when SIGQUIT does. The first call sweeps away such folders of this user whose process is gone.
 */
bool folder_temporary(const char *what, char path[FILE_PATH_MAX], struct error *error);
/* Keeps one where it is, for whoever is pointed at it: nothing of the above removes it any more. */
void folder_keep(const char *path);
/* Removes those of this user's processes that are gone: call it after a child was killed. */
void folders_sweep(void);
/* Removes the temporary folders that this process made. For signal handlers that are about to end the program. */
void folders_remove_all(void);

/* Paths in the order of their names. */
struct path_list {
    char **paths;
    size_t count, room;
    size_t unread; /* by the last path_list_find: files and folders that it passed over */
};

/* Adds a copy. False: no memory. */
bool path_list_add(struct path_list *list, const char *path);
/*
 * Adds every regular file below `path` (or the file itself; "-" as it is), sorted, hidden ones left out. False with one
 * line when something cannot be read, or is neither file nor folder: it is passed over, and the rest is added.
 */
bool path_list_find(struct path_list *list, const char *path, struct error *error);
void path_list_free(struct path_list *list);

#endif
