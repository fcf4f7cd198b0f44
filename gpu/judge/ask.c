#define _POSIX_C_SOURCE 200809L

#include "gpu/judge/judge.h"
#include "gpu/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_SIZE 65536u

/* What one run of ptxas said. */
struct outcome {
    bool refused_text;        /* an error that belongs to no instruction: version or target unknown */
    bool accepted;            /* exit status 0 */
    bool fatal[JUDGE_COMBOS]; /* it stopped reading at this one */
    bool refused[JUDGE_COMBOS];
};

struct folder {
    char path[64];
    char input[96];
};

static bool folder_make(struct folder *f, char *error, size_t error_size)
{
    snprintf(f->path, sizeof f->path, "/tmp/warpcheck-judge-XXXXXX");
    if (mkdtemp(f->path) == NULL) {
        snprintf(error, error_size, "cannot make a folder in /tmp");
        return false;
    }
    snprintf(f->input, sizeof f->input, "%s/k.ptx", f->path);
    return true;
}

static void folder_remove(const struct folder *f)
{
    unlink(f->input);
    rmdir(f->path);
}

/* Writes the instructions in `ask`; lines[i] is the line number of combination i, 0 when it is not asked about. */
static void write_text(struct writer *t, uint16_t ptx, uint32_t target, const bool ask[JUDGE_COMBOS],
                       unsigned lines[JUDGE_COMBOS])
{
    unsigned line = 1;
    text_header(t, ptx, target);
    writer_format(t, ".entry k\n{\n"); /* as every PTX version takes it */
    text_registers(t);
    for (size_t i = 0; i < t->length; i++)
        line += t->buf[i] == '\n';
    for (unsigned i = 0; i < JUDGE_COMBOS; i++) {
        lines[i] = ask[i] ? line++ : 0;
        if (ask[i])
            text_instruction(t, warp_form_get(i / WARP_DST_COUNT), i % WARP_DST_COUNT, false);
    }
    writer_format(t, "    ret;\n}\n");
}

static void note_line(struct outcome *o, const char *message, const unsigned lines[JUDGE_COMBOS])
{
    const char *at = strstr(message, ", line ");
    const bool fatal = strstr(message, "fatal   :") != NULL;
    unsigned long line;
    if (!fatal && strstr(message, "error   :") == NULL)
        return;
    if (at == NULL)
        return; /* "Ptx assembly aborted due to errors": the reasons stand before it */
    line = strtoul(at + strlen(", line "), NULL, 10);
    for (unsigned i = 0; i < JUDGE_COMBOS; i++)
        if (lines[i] == line) {
            o->refused[i] = true;
            o->fatal[i] |= fatal;
            return;
        }
    o->refused_text = true;
}

/* For a target older than the oldest that it builds for, ptxas builds for that one. */
static const char *architecture(uint32_t target)
{
    return target < WARP_TARGET(75, 0) ? "sm_75" : warp_target_name(target);
}

static bool run(const char *ptxas, const struct folder *f, uint32_t target, const unsigned lines[JUDGE_COMBOS],
                struct outcome *o, char *error, size_t error_size)
{
    char command[1024];
    char line[512];
    FILE *pipe;
    memset(o, 0, sizeof *o);
    snprintf(command, sizeof command, "'%s' -arch=%s '%s' -o /dev/null 2>&1", ptxas, architecture(target), f->input);
    pipe = popen(command, "r");
    if (pipe == NULL) {
        snprintf(error, error_size, "cannot start %s", ptxas);
        return false;
    }
    while (fgets(line, sizeof line, pipe) != NULL)
        note_line(o, line, lines);
    o->accepted = pclose(pipe) == 0;
    return true;
}

/* Asks about the instructions in `ask`. */
static bool ask_once(const char *ptxas, uint16_t ptx, uint32_t target, const bool ask[JUDGE_COMBOS], struct outcome *o,
                     char *error, size_t error_size)
{
    static char buf[TEXT_SIZE];
    unsigned lines[JUDGE_COMBOS];
    struct writer t = writer_start(buf, sizeof buf);
    struct folder f;
    FILE *file;
    bool ok;
    write_text(&t, ptx, target, ask, lines);
    if (!folder_make(&f, error, error_size))
        return false;
    file = fopen(f.input, "w");
    ok = file != NULL && fwrite(buf, 1, t.length, file) == t.length;
    if (file != NULL)
        ok = fclose(file) == 0 && ok;
    if (!ok)
        snprintf(error, error_size, "cannot write %s", f.input);
    ok = ok && run(ptxas, &f, target, lines, o, error, error_size);
    folder_remove(&f);
    return ok;
}

bool judge_bit(const struct judge_verdict *v, uint32_t form, uint32_t dst)
{
    const uint32_t i = form * WARP_DST_COUNT + dst;
    return (v->bits[i / 8] >> (i % 8) & 1u) != 0;
}

/*
 * The sink `_|p` makes ptxas stop reading ("Result discard mode is not allowed"), except in match.all. It is grammar,
 * whatever the version and target, so that each is asked about alone for a few of them and taken as refused for the
 * others.
 */
static bool stops_reading(const struct warp_form_info *info, uint32_t dst)
{
    return dst == WARP_DST_SINK_P && !(info->family == WARP_MATCH_SYNC && info->op == WARP_ALL);
}

static bool ask_alone(const char *ptxas, uint16_t ptx, uint32_t target, unsigned i, bool *accepted, char *error,
                      size_t error_size)
{
    bool one[JUDGE_COMBOS] = {false};
    struct outcome o;
    one[i] = true;
    if (!ask_once(ptxas, ptx, target, one, &o, error, error_size))
        return false;
    *accepted = o.accepted;
    return true;
}

/* Asks about those that stop reading for an old target in an old and a new version, and for two new targets. */
static bool ask_stoppers(const char *ptxas, uint16_t ptx, uint32_t target, bool ask[JUDGE_COMBOS], char *error,
                         size_t error_size)
{
    const bool here = (target == WARP_TARGET(30, 0) && (ptx == 60 || ptx == 90)) ||
                      ((target == WARP_TARGET(90, 0) || target == WARP_TARGET(100, WARP_SUFFIX_A)) && ptx == 90);
    for (unsigned i = 0; i < JUDGE_COMBOS; i++) {
        if (!stops_reading(warp_form_get(i / WARP_DST_COUNT), i % WARP_DST_COUNT))
            continue;
        ask[i] = false;
        if (here && !ask_alone(ptxas, ptx, target, i, &ask[i], error, error_size))
            return false;
    }
    return true;
}

bool judge_ask(const char *ptxas, uint16_t ptx, uint32_t target, struct judge_verdict *v, char *error,
               size_t error_size)
{
    bool ask[JUDGE_COMBOS];
    struct outcome o;
    memset(v, 0, sizeof *v);
    memset(ask, true, sizeof ask);
    if (!ask_stoppers(ptxas, ptx, target, ask, error, error_size) ||
        !ask_once(ptxas, ptx, target, ask, &o, error, error_size))
        return false;
    if (o.refused_text)
        return true; /* not known */
    for (unsigned i = 0; i < JUDGE_COMBOS; i++) {
        if (o.fatal[i]) {
            snprintf(error, error_size, "ptxas stopped reading at %s: add it to stops_reading",
                     warp_form_get(i / WARP_DST_COUNT)->name);
            return false;
        }
        ask[i] = ask[i] && !o.refused[i];
    }
    if (!ask_once(ptxas, ptx, target, ask, &o, error, error_size))
        return false;
    if (!o.accepted) {
        snprintf(error, error_size, "ptxas refuses in code generation what it read without an error, PTX %d.%d, %s",
                 ptx / 10, ptx % 10, warp_target_name(target));
        return false;
    }
    for (unsigned i = 0; i < JUDGE_COMBOS; i++)
        v->bits[i / 8] = (uint8_t)(v->bits[i / 8] | (unsigned)ask[i] << (i % 8));
    v->known = true;
    return true;
}

bool judge_version(const char *ptxas, char *version, size_t size, char *error, size_t error_size)
{
    char command[1024];
    char line[256];
    FILE *pipe;
    snprintf(command, sizeof command, "'%s' --version 2>/dev/null", ptxas);
    pipe = popen(command, "r");
    version[0] = '\0';
    while (pipe != NULL && fgets(line, sizeof line, pipe) != NULL) {
        const char *at = strstr(line, "release ");
        if (at != NULL)
            snprintf(version, size, "%.*s", (int)strcspn(at, "\n"), at);
    }
    if (pipe != NULL)
        pclose(pipe);
    if (version[0] == '\0')
        snprintf(error, error_size, "%s does not tell its version", ptxas);
    return version[0] != '\0';
}
