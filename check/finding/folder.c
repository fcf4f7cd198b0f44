/*
 * A finding on disk: a folder that appears whole, by one rename, or not at all; and the command that shows it again.
 */
#define _GNU_SOURCE /* renameat2 */
#include "check/finding.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/text.h"
#include "check/impl/impl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_NAME_MAX (FINDING_NAME_MAX + 8u)
#define BESIDE_MAX      99u               /* of one signature, in one folder of findings */
#define KEPT_MAX        ((size_t)1 << 20) /* bytes of a file that is read back */
#define STALE_SECONDS   60                /* an unfinished folder of a process that is gone */

static const char verdict_form[] =
    "# A difference is not yet a bug: say here what it is.\n"
    "# status: open | defect of the implementation | defect of warpcheck | freedom of the manual\n"
    "status: open\n"
    "# by: who judged it, and when\n"
    "by:\n"
    "# why: the clause of the manual, the line of code, or what silicon does\n"
    "why:\n";

const char *finding_file(const struct finding *f)
{
    switch (f->kind) {
    case FINDING_MISMATCH:
    case FINDING_CRASH:
    case FINDING_HANG:
    case FINDING_EXIT:
    case FINDING_ERROR:
    case FINDING_LAW:
    case FINDING_BATCH:
        return "case.txt";
    case FINDING_PROGRAM:
        return "program.ptx";
    case FINDING_INPUT:
        return "input";
    case FINDING_KERNEL:
        return "kernel.ptx";
    }
    return "";
}

/* --- what is written --- */

/* The comment before the case, with what a person wants to know first. */
static void add_comment(struct buffer *t, const struct finding *f, const char *line)
{
    char signature[FINDING_SIGNATURE_MAX];
    finding_signature(f, signature);
    switch (f->kind) {
    case FINDING_MISMATCH:
        buffer_format(t, "%s\n%s differs from %s; the answer below is that of %s.", signature, f->observed_name,
                      f->reference_name, f->reference_name);
        break;
    case FINDING_LAW:
        buffer_format(t, "%s\n%s breaks the law \"%s\" on this case%s: %s\nwarpcheck replay --law %s judges it.",
                      signature, f->observed_name, f->statement,
                      f->unsure ? ", but not every time that it is asked" : "", f->what, f->property);
        break;
    case FINDING_CRASH:
    case FINDING_HANG:
    case FINDING_EXIT:
    case FINDING_ERROR:
        buffer_text(t, line);
        break;
    case FINDING_BATCH:
        buffer_text(t, f->what);
        break;
    case FINDING_PROGRAM:
    case FINDING_INPUT:
    case FINDING_KERNEL:
        break;
    }
}

/* The readable case, with the reference's answer where there is one. */
static void add_case(struct buffer *t, const struct finding *f, const char *line)
{
    const struct warp_result *const answer = f->parts != 0 ? &f->reference : NULL;
    struct buffer comment = {0};
    char *text;
    size_t length;
    add_comment(&comment, f, line);
    length = warp_case_to_file(&f->c, buffer_string(&comment), answer, f->parts, NULL, 0);
    text = malloc(length + 1);
    if (text != NULL) {
        warp_case_to_file(&f->c, buffer_string(&comment), answer, f->parts, text, length + 1);
        buffer_add(t, text, length);
    }
    t->failed = t->failed || comment.failed || text == NULL;
    free(text);
    buffer_free(&comment);
}

/* A sequence: one line a case, in the order in which they are asked. */
static void add_sequence(struct buffer *t, const struct finding *f)
{
    char signature[FINDING_SIGNATURE_MAX], line[WARP_TEXT_MAX];
    finding_signature(f, signature);
    buffer_format(t,
                  "# %s: only after other calls\n# %s differs from %s on the case of line %zu when all are asked in "
                  "one call, not alone.\n",
                  signature, f->observed_name, f->reference_name, f->sequence_at + 3);
    for (size_t i = 0; i < f->sequence_n; i++) {
        warp_case_to_text(&f->sequence[i], line, sizeof line);
        buffer_format(t, "%s\n", line);
    }
}

/* The file that shows the finding. */
static void add_content(struct buffer *t, const struct finding *f, const char *line)
{
    switch (f->kind) {
    case FINDING_MISMATCH:
        if (f->sequence != NULL)
            add_sequence(t, f);
        else
            add_case(t, f, line);
        break;
    case FINDING_CRASH:
    case FINDING_HANG:
    case FINDING_EXIT:
    case FINDING_ERROR:
    case FINDING_LAW:
    case FINDING_BATCH:
        add_case(t, f, line);
        break;
    case FINDING_PROGRAM:
    case FINDING_INPUT:
    case FINDING_KERNEL:
        buffer_add(t, f->size > 0 ? f->data : "", f->size);
        break;
    }
}

/* The files of a finding. */
struct entry {
    char name[FINDING_NAME_MAX];
    struct buffer content, line;
};

static bool entry_make(struct entry *e, const struct finding *f, struct error *error)
{
    char *line = malloc(FINDING_LINE_MAX);
    *e = (struct entry){0};
    if (line == NULL)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    finding_signature(f, e->name);
    if (f->folder != NULL)
        snprintf(e->name, sizeof e->name, "%s", f->folder);
    finding_line(f, line, FINDING_LINE_MAX);
    add_content(&e->content, f, line);
    buffer_format(&e->line, "%s\n%s", line, f->more != NULL ? f->more : "");
    free(line);
    return (!e->content.failed && !e->line.failed) || error_set(error, ERROR_SYSTEM, "out of memory");
}

static void entry_free(struct entry *e)
{
    buffer_free(&e->content);
    buffer_free(&e->line);
}

/* --- what is there already --- */

static char *read_file(const char *folder, const char *name, size_t *size)
{
    char path[FILE_PATH_MAX];
    struct error error;
    return file_join(folder, name, path, &error) ? file_read(path, KEPT_MAX, size, &error) : NULL;
}

/* Is every line a case or a comment, and one of them a case? */
static bool is_sequence(const char *content)
{
    static _Thread_local struct warp_text text;
    struct warp_text_error where;
    size_t cases = 0;
    for (const char *at = content; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        if (at[0] != '#' && length > 0) {
            if (!warp_text_parse(at, length, &text, &where))
                return false;
            cases++;
        }
        at += length + (at[length] == '\n');
    }
    return cases > 0;
}

bool finding_read_case(const char *folder, struct warp_case *c)
{
    static _Thread_local struct warp_text text;
    struct warp_text_error where;
    size_t size;
    char *content = read_file(folder, "case.txt", &size);
    const bool good = content != NULL && warp_text_parse(content, size, &text, &where);
    free(content);
    if (good)
        *c = text.c;
    return good;
}

/* Can the kept files be read as such a finding? A damaged folder must not swallow later findings. */
static bool is_whole(const struct finding *f, const char *folder)
{
    struct warp_case c;
    size_t size = 0, told = 0;
    char *content = read_file(folder, finding_file(f), &size);
    char *const line = read_file(folder, "finding.txt", &told);
    bool good = line != NULL && told > 0 && content != NULL && (size > 0 || f->kind == FINDING_INPUT);
    free(line);
    if (good && f->sequence != NULL)
        good = is_sequence(content);
    else if (good && strcmp(finding_file(f), "case.txt") == 0)
        good = finding_read_case(folder, &c);
    free(content);
    return good;
}

bool finding_is_open(const char *folder)
{
    size_t size;
    char *content = read_file(folder, "verdict.txt", &size);
    bool open = true;
    for (const char *line = content; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, "status:", 7) == 0)
            open = strncmp(line + 7 + strspn(line + 7, " \t"), "open", 4) == 0;
    free(content);
    return open;
}

bool finding_pair_shows(void *pair, const struct finding *f, const char *folder)
{
    static _Thread_local struct finding kept;
    const struct finding_pair *const p = pair;
    struct warp_case c;
    return f->sequence != NULL ||
           (finding_read_case(folder, &c) &&
            (memcmp(&c, &f->c, sizeof c) == 0 || finding_make(&kept, p->reference, p->observed, &c)));
}

/* Does the finding of the folder show this form already? Its line begins with "warp1 FORM". */
static bool shows_form(const struct finding *f, const char *folder)
{
    const char *const name = warp_form_get(f->c.form)->name;
    size_t size;
    char *line = read_file(folder, "finding.txt", &size);
    const char *const word = line != NULL ? strchr(line, ' ') : NULL;
    const bool same = word != NULL && strncmp(word + 1, name, strlen(name)) == 0 && word[1 + strlen(name)] == ' ';
    free(line);
    return same;
}

/* --- keeping --- */

/* Another form of a known defect: its case beside the first one. */
static bool add_other_form(const struct finding *f, const struct entry *e, const char *folder, struct error *error)
{
    char form[FINDING_SIGNATURE_MAX], name[FINDING_SIGNATURE_MAX + 16], path[FILE_PATH_MAX];
    bool existed;
    finding_form(f, form);
    snprintf(name, sizeof name, "also-%s.txt", form);
    return shows_form(f, folder) || (file_join(folder, name, path, error) &&
                                     file_create(path, e->content.data, e->content.size, &existed, error));
}

static bool replace_file(const char *folder, const char *name, const void *data, size_t size, struct error *error)
{
    char path[FILE_PATH_MAX];
    return file_join(folder, name, path, error) && file_write(path, data, size, error);
}

/* Does an open folder take the newest that shows the finding? What it holds may be mended: an input in the targets, a
 * kernel in the user's source. */
static bool keeps_newest(const struct finding *f)
{
    return f->kind == FINDING_INPUT || (f->kind == FINDING_KERNEL && !f->reference_name);
}

/* Keeps the files of an existing folder, and adds what this finding adds. */
static bool add_to(const struct finding *f, const struct entry *e, const char *folder, struct error *error)
{
    if (f->kind == FINDING_MISMATCH && f->sequence == NULL)
        return add_other_form(f, e, folder, error);
    if (keeps_newest(f))
        return replace_file(folder, finding_file(f), e->content.data, e->content.size, error) &&
               (!f->launch || replace_file(folder, "launch.txt", f->launch, strlen(f->launch), error)) &&
               replace_file(folder, "finding.txt", e->line.data, e->line.size, error);
    return true;
}

static bool write_file(const char *folder, const char *name, const void *data, size_t size, struct error *error)
{
    char path[FILE_PATH_MAX];
    bool existed = false;
    return file_join(folder, name, path, error) && file_create(path, data, size, &existed, error);
}

struct keeping {
    const struct finding *f;
    const struct entry *e;
    finding_shows_fn shows;
    void *context;
};

static bool is_shown(const struct keeping *k, const char *path)
{
    if (!is_whole(k->f, path))
        return false;
    return keeps_newest(k->f) ? finding_is_open(path) : k->shows == NULL || k->shows(k->context, k->f, path);
}

/* finding.txt: it may end with the command that shows the finding again in `path`. */
static bool write_line(const struct keeping *k, const char *folder, const char *path, struct error *error)
{
    static _Thread_local char command[3 * FILE_PATH_MAX];
    struct buffer line = {0};
    buffer_add(&line, k->e->line.data, k->e->line.size);
    if (k->f->replay != NULL) {
        finding_replay_command("warpcheck", "spec", k->f->replay, path, command, sizeof command);
        buffer_format(&line, "replay: %s\n", command);
    }
    const bool ok = line.failed ? error_set(error, ERROR_SYSTEM, "out of memory")
                                : write_file(folder, "finding.txt", line.data, line.size, error);
    buffer_free(&line);
    return ok;
}

static bool write_files(const struct keeping *k, const char *folder, const char *path, struct error *error)
{
    const struct finding *const f = k->f;
    bool ok = true;
    for (size_t n = 0; ok && n < f->beside_count; n++)
        ok = write_file(folder, f->beside[n].name, f->beside[n].text, strlen(f->beside[n].text), error);
    return ok && write_file(folder, finding_file(f), k->e->content.data, k->e->content.size, error) &&
           (!f->launch || write_file(folder, "launch.txt", f->launch, strlen(f->launch), error)) &&
           write_line(k, folder, path, error) &&
           write_file(folder, "verdict.txt", verdict_form, strlen(verdict_form), error);
}

/* Writes everything into a folder with a hidden name, which is to become `path`. */
static bool write_unfinished(const struct keeping *k, const char *dir, const char *path, char unfinished[FILE_PATH_MAX],
                             struct error *error)
{
    static _Atomic unsigned number;
    char name[FOLDER_NAME_MAX + 48];
    bool existed, made;
    do {
        snprintf(name, sizeof name, ".%s.%ld.%u", k->e->name, (long)getpid(), number++);
        if (!file_join(dir, name, unfinished, error))
            return false;
        made = folder_create(unfinished, &existed, error);
    } while (!made && existed);
    if (!made)
        return false;
    if (write_files(k, unfinished, path, error))
        return true;
    folder_remove(unfinished);
    return false;
}

/* Renames the folder to its final name, unless that name exists: true, or false with errno. */
static bool rename_fresh(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    /* A file system that does not know that: rename replaces no folder but an empty one. */
    return (errno == EINVAL || errno == ENOSYS) && rename(from, to) == 0;
}

/* The process that made the unfinished folder ".NAME.PID.NUMBER"; 0: it is something else. */
static pid_t maker_of(const char *name)
{
    const char *const last = strrchr(name, '.');
    const char *before = last;
    char digits[16];
    uint64_t number;
    if (name[0] != '.' || last == name)
        return 0;
    while (before > name && *--before != '.')
        ;
    snprintf(digits, sizeof digits, "%.*s", (int)(last - before - 1), before + 1);
    return before > name && text_number(digits, &number) && number <= INT32_MAX ? (pid_t)number : 0;
}

/* Removes what killed processes left unfinished. */
static void sweep(const char *dir)
{
    DIR *folder = opendir(dir);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        const pid_t maker = maker_of(entry->d_name);
        char path[FILE_PATH_MAX];
        struct stat about;
        if (maker != 0 && kill(maker, 0) != 0 && errno == ESRCH && file_join(dir, entry->d_name, path, NULL) &&
            lstat(path, &about) == 0 && S_ISDIR(about.st_mode) &&
            clock_calendar() - (double)about.st_mtime >= STALE_SECONDS)
            folder_remove(path);
    }
    if (folder != NULL)
        closedir(folder);
}

/* Finds the folder for a finding: NAME, NAME.2..., the first that keeps this defect or does not exist. */
static bool find_place(const struct keeping *k, const char *dir, unsigned *first, struct finding_kept *kept,
                       struct error *error)
{
    char name[FOLDER_NAME_MAX];
    struct stat about;
    for (; *first <= BESIDE_MAX; (*first)++) {
        snprintf(name, sizeof name, *first > 1 ? "%s.%u" : "%s", k->e->name, *first);
        if (!file_join(dir, name, kept->path, error))
            return false;
        kept->existed = lstat(kept->path, &about) == 0;
        if (!kept->existed || is_shown(k, kept->path))
            return true;
    }
    return error_set(error, ERROR_SYSTEM, "%s/%s: there are %u findings of that name already", dir, k->e->name,
                     BESIDE_MAX);
}

static bool keep(const struct keeping *k, const char *dir, struct finding_kept *kept, struct error *error)
{
    char unfinished[FILE_PATH_MAX];
    unsigned first = 1;
    error_clear(error);
    if (!folder_make(dir, error))
        return false;
    sweep(dir);
    for (;;) { /* another process may take the place first: then it is looked at like any other */
        if (!find_place(k, dir, &first, kept, error))
            return false;
        if (kept->existed)
            return true;
        if (!write_unfinished(k, dir, kept->path, unfinished, error))
            return false;
        if (rename_fresh(unfinished, kept->path)) {
            folder_flush(dir);
            return true;
        }
        const int why = errno;
        folder_remove(unfinished);
        errno = why;
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
            return error_errno(error, "%s: cannot make this folder", kept->path);
    }
}

bool finding_keep(const struct finding *f, const char *dir, finding_shows_fn shows, void *context,
                  struct finding_kept *kept, struct error *error)
{
    struct entry e;
    const struct keeping k = {f, &e, shows, context};
    const bool good =
        entry_make(&e, f, error) && keep(&k, dir, kept, error) && (!kept->existed || add_to(f, &e, kept->path, error));
    entry_free(&e);
    return good;
}

/* --- commands --- */

#define OPTION_LENGTH_MAX 4608u

/* One word for the shell: bare where that is the same. */
static void quote(const char *word, char *text, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:+=@%,";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0')
        snprintf(text, size, "%s", word);
    else
        text_quote(word, text, size);
}

static size_t add_option(const char *name, const char *option, char *text, size_t size)
{
    char full[IMPL_FULL_MAX];
    char word[OPTION_LENGTH_MAX];
    quote(impl_name_full(option, full), word, sizeof word);
    return (size_t)snprintf(text, size, " %s %s", name, word);
}

size_t finding_command(const char *program, const char *command, const char *observed_option, char *text, size_t size)
{
    char word[OPTION_LENGTH_MAX];
    quote(program, word, sizeof word);
    size_t used = (size_t)snprintf(text, size, "%s %s", word, command);
    return used + add_option("--impl", observed_option, text + used, size - used);
}

void finding_replay_command(const char *program, const char *reference_option, const char *observed_option,
                            const char *path, char *text, size_t size)
{
    char word[OPTION_LENGTH_MAX];
    size_t used = finding_command(program, "replay", observed_option, text, size);
    /* spec is the default; what the file expects is in the file. */
    bool implied = strcmp(reference_option, "spec") == 0 || strcmp(reference_option, "expect") == 0;
    if (!implied && used < size)
        used += add_option("--reference", reference_option, text + used, size - used);
    quote(path, word, sizeof word);
    if (used < size)
        snprintf(text + used, size - used, " %s", word);
}
