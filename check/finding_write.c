/*
 * A finding on disk: a folder that appears whole, by one rename, or not at all.
 */
#define _POSIX_C_SOURCE 200809L

#include "check/finding.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM        4096
#define FINDING_NAME_MAX (FINDING_SIGNATURE_MAX + 16u)
#define BESIDE_MAX       99u /* of one signature, in one folder of findings */

static const char verdict_form[] =
    "# A difference is not yet a bug: say here what it is.\n"
    "# status: open | defect of the implementation | defect of warpcheck | freedom of the manual\n"
    "status: open\n"
    "# by: who judged it, and when\n"
    "by:\n"
    "# why: the clause of the manual, the line of code, or what silicon does\n"
    "why:\n";

static bool fail(char *error, size_t error_size, const char *what, const char *path)
{
    snprintf(error, error_size, "cannot %s %s: %s", what, path, strerror(errno));
    return false;
}

/* dir/name; false, with errno set, when that is too long. */
static bool join_path(char path[PATH_ROOM], const char *dir, const char *name)
{
    const int n = snprintf(path, PATH_ROOM, "%s/%s", dir, name);
    if (n >= 0 && n < PATH_ROOM)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static bool write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t n = write(fd, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        length -= (size_t)n;
    }
    return true;
}

static bool write_file(const char *dir, const struct finding_file *f, char *error, size_t error_size)
{
    char path[PATH_ROOM];
    bool ok;
    int fd;
    if (!join_path(path, dir, f->name))
        return fail(error, error_size, "write into", dir);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return fail(error, error_size, "create", path);
    ok = write_all(fd, f->data, f->size) && fsync(fd) == 0;
    if (!ok)
        fail(error, error_size, "write", path);
    if (close(fd) != 0 && ok)
        return fail(error, error_size, "close", path);
    return ok;
}

/* So that the names in a folder outlive a crash of the machine; a file system that cannot do it is no error. */
static void flush_folder(const char *dir)
{
    const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

/* Makes the folder and those above it. */
static bool make_folders(const char *dir, char *error, size_t error_size)
{
    char path[PATH_ROOM];
    struct stat st;
    snprintf(path, sizeof path, "%s", dir);
    for (char *p = path + 1; *p != '\0'; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        (void)mkdir(path, 0777); /* what is wrong shows at the last one */
        *p = '/';
    }
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return fail(error, error_size, "create the folder", dir);
    if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        return fail(error, error_size, "write into", dir);
    }
    return true;
}

/* The readable case, with what a person wants to know first as its comment. */
static char *case_text(const struct finding *f, const char *signature)
{
    char comment[512];
    char *text;
    size_t length;
    snprintf(comment, sizeof comment, "%s\n%s differs from %s; the answer below is that of %s.", signature,
             f->observed_name, f->reference_name, f->reference_name);
    length = warp_case_to_file(&f->c, comment, &f->reference, f->parts, NULL, 0);
    text = malloc(length + 1);
    if (text != NULL)
        warp_case_to_file(&f->c, comment, &f->reference, f->parts, text, length + 1);
    return text;
}

/* A sequence: one line a case, in the order in which they are asked. */
static char *sequence_text(const struct finding *f, const char *signature)
{
    const size_t room = (f->sequence_n + 1) * WARP_TEXT_MAX;
    char *text = malloc(room);
    size_t used;
    if (text == NULL)
        return NULL;
    used = (size_t)snprintf(
        text, room, "# %s\n# %s differs from %s on the case of line %zu when all are asked in one call, not alone.\n",
        signature, f->observed_name, f->reference_name, f->sequence_at + 3);
    for (size_t i = 0; i < f->sequence_n; i++) {
        used += warp_case_to_text(&f->sequence[i], text + used, WARP_TEXT_MAX);
        text[used++] = '\n';
    }
    text[used] = '\0';
    return text;
}

static void remove_files(const char *dir, const struct finding_file *files, size_t n)
{
    char path[PATH_ROOM];
    for (size_t i = 0; i < n; i++)
        if (join_path(path, dir, files[i].name))
            (void)unlink(path);
    (void)rmdir(dir);
}

static bool has_file(const char *dir, const char *name)
{
    char path[PATH_ROOM];
    return join_path(path, dir, name) && access(path, F_OK) == 0;
}

static bool fill_folder(const char *dir, const struct finding_file *files, size_t n, char *error, size_t error_size)
{
    for (size_t i = 0; i < n; i++)
        if (!write_file(dir, &files[i], error, error_size)) {
            remove_files(dir, files, n);
            return false;
        }
    flush_folder(dir);
    return true;
}

bool finding_write_files(const char *dir, const char *name, const struct finding_file *files, size_t n, char *path,
                         size_t path_size, bool *existed, char *error, size_t error_size)
{
    char final[PATH_ROOM];
    char unfinished[PATH_ROOM];
    char hidden[FINDING_NAME_MAX + 32];
    snprintf(hidden, sizeof hidden, ".%.*s.%ld", (int)FINDING_NAME_MAX, name, (long)getpid());
    if (!join_path(final, dir, name) || !join_path(unfinished, dir, hidden))
        return fail(error, error_size, "write into", dir);
    snprintf(path, path_size, "%s", final);
    *existed = has_file(final, files[0].name);
    if (*existed)
        return true;
    if (!make_folders(dir, error, error_size))
        return false;
    if (mkdir(unfinished, 0777) != 0 && errno != EEXIST)
        return fail(error, error_size, "create the folder", unfinished);
    if (!fill_folder(unfinished, files, n, error, error_size))
        return false;
    if (rename(unfinished, final) != 0) {
        fail(error, error_size, "create the folder", final);
        remove_files(unfinished, files, n);
        *existed = has_file(final, files[0].name); /* another process was faster: as good */
        return *existed;
    }
    flush_folder(dir);
    return true;
}

/* The folder for a finding: NAME, or where what is kept there shows no defect by now, NAME.2, NAME.3... */
static void free_name(const struct finding_entry *entry, const char *dir, char name[FINDING_NAME_MAX])
{
    char path[PATH_ROOM];
    snprintf(name, FINDING_NAME_MAX, "%s", entry->name);
    for (unsigned i = 2; i <= BESIDE_MAX; i++) {
        if (entry->shows == NULL || !join_path(path, dir, name) || !has_file(path, entry->file.name) ||
            entry->shows(entry->context, path))
            return;
        snprintf(name, FINDING_NAME_MAX, "%.*s.%u", (int)FINDING_SIGNATURE_MAX, entry->name, i);
    }
}

bool finding_write_entry(const struct finding_entry *entry, const char *dir, char *path, size_t path_size,
                         bool *existed, char *error, size_t error_size)
{
    const struct finding_file files[] = {entry->file,
                                         {"finding.txt", entry->line, strlen(entry->line)},
                                         {"verdict.txt", verdict_form, strlen(verdict_form)}};
    char name[FINDING_NAME_MAX];
    free_name(entry, dir, name);
    return finding_write_files(dir, name, files, sizeof files / sizeof files[0], path, path_size, existed, error,
                               error_size);
}

bool finding_write_folder(const char *dir, const char *name, const char *text, const char *line, char *path,
                          size_t path_size, bool *existed, char *error, size_t error_size)
{
    const struct finding_entry entry = {name, {"case.txt", text, strlen(text)}, line, NULL, NULL};
    return finding_write_entry(&entry, dir, path, path_size, existed, error, error_size);
}

bool finding_is_open(void *context, const char *folder)
{
    char path[PATH_ROOM], line[256];
    FILE *file = join_path(path, folder, "verdict.txt") ? fopen(path, "r") : NULL;
    bool open = true;
    (void)context;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "status:", 7) == 0)
            open = strncmp(line + 7 + strspn(line + 7, " \t"), "open", 4) == 0;
    if (file != NULL)
        fclose(file);
    return open;
}

/* Does the finding of the folder show this form already? Its line begins with "warp1 FORM". */
static bool shows_form(const struct finding *f, const char *dir)
{
    char path[PATH_ROOM], word[2][128] = {"", ""};
    FILE *file = join_path(path, dir, "finding.txt") ? fopen(path, "r") : NULL;
    bool same = false;
    if (file == NULL)
        return false;
    if (fscanf(file, "%127s %127s", word[0], word[1]) == 2)
        same = strcmp(word[1], warp_form_get(f->c.form)->name) == 0;
    fclose(file);
    return same;
}

bool finding_replace_file(const char *dir, const struct finding_file *file, char *error, size_t error_size)
{
    char hidden[FINDING_NAME_MAX + 32], path[PATH_ROOM], unfinished[PATH_ROOM];
    const struct finding_file whole = {hidden, file->data, file->size};
    snprintf(hidden, sizeof hidden, ".%.*s.%ld", (int)FINDING_NAME_MAX, file->name, (long)getpid());
    if (!join_path(path, dir, file->name) || !join_path(unfinished, dir, hidden))
        return fail(error, error_size, "write into", dir);
    if (!write_file(dir, &whole, error, error_size)) {
        (void)unlink(unfinished);
        return false;
    }
    return rename(unfinished, path) == 0 || fail(error, error_size, "create", path);
}

/* Another form of a known defect: its case beside the first one. */
static bool add_form(const struct finding *f, const char *dir, const char *text, char *error, size_t error_size)
{
    char form[FINDING_SIGNATURE_MAX], name[FINDING_SIGNATURE_MAX + 16];
    const struct finding_file file = {name, text, strlen(text)};
    finding_form(f, form);
    snprintf(name, sizeof name, "also-%s.txt", form);
    return shows_form(f, dir) || has_file(dir, name) || finding_replace_file(dir, &file, error, error_size);
}

bool finding_read_case(const char *folder, struct warp_case *c)
{
    static _Thread_local struct warp_text text;
    char path[PATH_ROOM], content[4 * WARP_TEXT_MAX];
    struct warp_text_error where;
    size_t size;
    FILE *file = join_path(path, folder, "case.txt") ? fopen(path, "r") : NULL;
    if (file == NULL)
        return false;
    size = fread(content, 1, sizeof content, file);
    fclose(file);
    if (size == sizeof content || !warp_text_parse(content, size, &text, &where))
        return false;
    *c = text.c;
    return true;
}

/* Does the kept case still show a mismatch? One that cannot be read counts as one that does. */
static bool pair_shows(void *pair, const char *folder)
{
    static _Thread_local struct finding f;
    const struct warp_impl *const *const impl = pair;
    struct warp_case c;
    return !finding_read_case(folder, &c) || finding_make(&f, impl[0], impl[1], &c);
}

bool finding_write_beside(const struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                          const char *dir, char *path, size_t path_size, bool *existed, char *error, size_t error_size)
{
    const struct warp_impl *pair[] = {reference, observed};
    char name[FINDING_SIGNATURE_MAX];
    char line[FINDING_LINE_MAX + 2];
    struct finding_entry entry = {name, {"case.txt", NULL, 0}, line, NULL, pair};
    char *text;
    bool ok;
    finding_signature(f, name);
    if (reference != NULL && f->sequence == NULL)
        entry.shows = pair_shows;
    text = f->sequence != NULL ? sequence_text(f, name) : case_text(f, name);
    if (text == NULL) {
        snprintf(error, error_size, "out of memory");
        return false;
    }
    entry.file.data = text;
    entry.file.size = strlen(text);
    finding_line(f, line, FINDING_LINE_MAX);
    strcat(line, "\n");
    ok = finding_write_entry(&entry, dir, path, path_size, existed, error, error_size);
    if (ok && *existed && f->sequence == NULL)
        ok = add_form(f, path, text, error, error_size);
    free(text);
    return ok;
}

bool finding_write(const struct finding *f, const char *dir, char *path, size_t path_size, bool *existed, char *error,
                   size_t error_size)
{
    return finding_write_beside(f, NULL, NULL, dir, path, path_size, existed, error, error_size);
}
