#define _GNU_SOURCE /* memmem */
#include "kernel/silicon.h"

#include "base/buffer.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const unsigned silicon_levels[SILICON_LEVELS] = {0, 4};

#define FILE_MOST ((size_t)16 << 20)

static const char *const ending_names[] = {[SILICON_RETURNED] = "returned",
                                           [SILICON_HUNG] = "hung",
                                           [SILICON_FAULTED] = "faulted",
                                           [SILICON_UNABLE] = "unable"};

/* ---- what is known ---- */

const struct silicon_known silicon_known = {
    .device = "H100",
    .kinds = {[KERNEL_UNDEFINED] = {{0, 0, 27}, {17, 0, 10}},
              [KERNEL_DEADLOCK] = {{32, 42, 2}, {2, 74, 0}},
              [KERNEL_UNPREDICTABLE] = {{63, 0, 0}, {63, 0, 0}},
              [KERNEL_BARRIER] = {{9, 9, 0}, {10, 8, 0}},
              [KERNEL_RACE] = {{82, 1, 0}, {83, 0, 0}},
              [KERNEL_CONVERGENCE] = {{1, 0, 0}, {1, 0, 0}}},
};

static void add_counts(const struct silicon_counts *c, struct buffer *out)
{
    const char *separator = "";
    if (c->returned)
        buffer_format(out, "%u came back as if nothing were wrong", c->returned);
    separator = c->returned ? ", " : "";
    if (c->hung)
        buffer_format(out, "%s%u hung", separator, c->hung);
    separator = c->returned || c->hung ? ", " : "";
    if (c->faulted)
        buffer_format(out, "%s%u ended in a fault", separator, c->faulted);
}

void silicon_known_text(enum kernel_kind kind, struct buffer *out)
{
    const struct silicon_counts *levels = silicon_known.kinds[kind];
    uint32_t all = levels[0].returned + levels[0].hung + levels[0].faulted;
    if (all == 0)
        return;
    buffer_format(out, "of %u such launches of other kernels on an %s, not optimized: ", all, silicon_known.device);
    add_counts(&levels[0], out);
    buffer_text(out, "; optimized: ");
    add_counts(&levels[1], out);
}

/* ---- code ---- */

/* Numbers that count the module's functions, and so change with those before it. */
static size_t skip_counted(const char *at, size_t left)
{
    static const char *const counted[] = {"$L__BB", "__local_depot"};
    for (size_t n = 0; n < sizeof counted / sizeof counted[0]; n++) {
        size_t length = strlen(counted[n]);
        if (left >= length && strncmp(at, counted[n], length) == 0) {
            while (length < left && isdigit((unsigned char)at[length]))
                length++;
            return length;
        }
    }
    return 0;
}

/* One line without comments, blanks at its ends and counted names; places in the source are none of it. Adds to
 * *depth what it opens and closes. */
static uint64_t hash_line(uint64_t hash, const char *line, size_t length, int *depth)
{
    const char *comment = length > 1 ? memmem(line, length, "//", 2) : NULL;
    if (comment)
        length = (size_t)(comment - line);
    while (length > 0 && isspace((unsigned char)line[0]))
        line++, length--;
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    if (length == 0 || (length > 4 && strncmp(line, ".loc", 4) == 0) ||
        (length > 7 && strncmp(line, "$L__tmp", 7) == 0))
        return hash;
    for (size_t n = 0, skipped; n < length; n += skipped + (skipped == 0)) {
        *depth += (line[n] == '{') - (line[n] == '}');
        skipped = skip_counted(line + n, length - n);
        if (skipped == 0)
            hash = hash_bytes(hash, line + n, 1);
    }
    return hash_bytes(hash, "\n", 1);
}

uint64_t kernel_text_digest(const char *text, uint32_t line)
{
    uint64_t hash = HASH_START;
    int depth = 0;
    for (uint32_t n = 1; text && n < line; n++) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    for (bool opened = false; text && *text && !(opened && depth <= 0);) {
        size_t length = strcspn(text, "\n");
        hash = hash_line(hash, text, length, &depth);
        opened |= depth > 0;
        text += length + (text[length] != '\0');
    }
    return hash;
}

bool kernel_is_approximate(const struct code *code)
{
    for (uint32_t n = 0; n < code->count; n++)
        if (code->instructions[n].i->approx || code->instructions[n].i->full)
            return true;
    return false;
}

bool kernel_is_cooperative(const struct code *code)
{
    for (uint32_t n = 0; n < code->count; n++)
        for (unsigned k = 0; k < code->instructions[n].i->srcs_count; k++) {
            const struct module_operand *o = &code->instructions[n].i->srcs[k];
            if (o->kind == OPERAND_SPECIAL && o->special == SPECIAL_ENVREG)
                return true;
        }
    return false;
}

/* ---- lines ---- */

void silicon_line_text(const struct silicon_line *line, struct buffer *out)
{
    buffer_format(out, "%s %s %s code=%016" PRIx64, line->is_clean ? "clean" : kernel_kind_name(line->kind), line->file,
                  line->entry, line->code);
    if (line->is_clean)
        buffer_format(out, " memory=%016" PRIx64, line->memory);
    else
        buffer_format(out, " at=%" PRIu32, line->at);
    for (unsigned n = 0; n < SILICON_LEVELS; n++) {
        const struct silicon_did *did = &line->levels[n];
        buffer_format(out, " level%u=%s", silicon_levels[n], ending_names[did->ending]);
        if (did->ending == SILICON_RETURNED)
            buffer_format(out, ":%016" PRIx64, did->memory);
        else if (did->why[0])
            buffer_format(out, ":%s", did->why);
    }
    buffer_format(out, " input: %s\n", line->input);
}

/* The text behind "KEY=" up to the next space; NULL: not there. Moves *at behind it. */
static const char *take_value(char **at, const char *key)
{
    size_t length = strlen(key);
    char *value = *at;
    if (strncmp(value, key, length) != 0 || value[length] != '=')
        return NULL;
    value += length + 1;
    *at = value + strcspn(value, " ");
    if (**at)
        *(*at)++ = '\0';
    return value;
}

static bool take_word(char **at, char *out, size_t size)
{
    size_t length = strcspn(*at, " ");
    if (length == 0 || length >= size || (*at)[length] == '\0')
        return false;
    memcpy(out, *at, length);
    out[length] = '\0';
    *at += length + 1;
    return true;
}

static bool read_hex(const char *text, uint64_t *value)
{
    char *end;
    *value = text ? strtoull(text, &end, 16) : 0;
    return text && strlen(text) == 16 && *end == '\0';
}

static bool read_did(const char *text, struct silicon_did *did)
{
    size_t length = strcspn(text, ":");
    for (unsigned n = 0; n < sizeof ending_names / sizeof ending_names[0]; n++)
        if (strlen(ending_names[n]) == length && strncmp(ending_names[n], text, length) == 0) {
            const char *rest = text[length] ? text + length + 1 : "";
            did->ending = (enum silicon_ending)n;
            snprintf(did->why, sizeof did->why, "%s", did->ending == SILICON_RETURNED ? "" : rest);
            return did->ending != SILICON_RETURNED || read_hex(rest, &did->memory);
        }
    return false;
}

static bool read_kind(const char *word, struct silicon_line *line)
{
    line->is_clean = strcmp(word, "clean") == 0;
    for (unsigned n = 0; n < KERNEL_KINDS && !line->is_clean; n++)
        if (strcmp(kernel_kind_name((enum kernel_kind)n), word) == 0) {
            line->kind = (enum kernel_kind)n;
            return true;
        }
    return line->is_clean;
}

static bool read_line(char *at, struct silicon_line *line)
{
    char word[32];
    uint64_t number = 0;
    if (!take_word(&at, word, sizeof word) || !read_kind(word, line) ||
        !take_word(&at, line->file, sizeof line->file) || !take_word(&at, line->entry, sizeof line->entry) ||
        !read_hex(take_value(&at, "code"), &line->code))
        return false;
    if (line->is_clean && !read_hex(take_value(&at, "memory"), &line->memory))
        return false;
    const char *place = line->is_clean ? "0" : take_value(&at, "at");
    if (!place || !text_number(place, &number))
        return false;
    line->at = (uint32_t)number;
    for (unsigned n = 0; n < SILICON_LEVELS; n++) {
        char key[16];
        snprintf(key, sizeof key, "level%u", silicon_levels[n]);
        const char *did = take_value(&at, key);
        if (!did || !read_did(did, &line->levels[n]))
            return false;
    }
    if (strncmp(at, "input: ", 7) != 0 || strlen(at + 7) >= sizeof line->input)
        return false;
    snprintf(line->input, sizeof line->input, "%s", at + 7);
    return true;
}

static bool read_lines(char *text, const char *path, struct silicon *s, struct error *error)
{
    static const char device[] = "# device: ";
    size_t room = 0;
    uint32_t number = 0;
    for (char *at = text, *next; *at; at = next) {
        size_t length = strcspn(at, "\n");
        next = at + length + (at[length] != '\0');
        at[length] = '\0';
        number++;
        if (strncmp(at, device, sizeof device - 1) == 0)
            snprintf(s->device, sizeof s->device, "%s", at + sizeof device - 1);
        if (*at == '#' || *at == '\0')
            continue;
        struct silicon_line *larger = array_grow(s->lines, s->count, &room, sizeof *s->lines);
        if (!larger)
            return error_set(error, ERROR_SYSTEM, "out of memory");
        s->lines = larger;
        s->lines[s->count] = (struct silicon_line){0};
        if (!read_line(at, &s->lines[s->count]))
            return error_set(error, ERROR_INPUT, "%s:%" PRIu32 ": no line of a recording of kernels", path, number);
        s->count++;
    }
    return true;
}

struct silicon *silicon_load(const char *path, struct error *error)
{
    size_t size;
    char *text = file_read(path, FILE_MOST, &size, error);
    struct silicon *s = text ? calloc(1, sizeof *s) : NULL;
    if (text && !s)
        error_set(error, ERROR_SYSTEM, "out of memory");
    if (s && !read_lines(text, path, s, error)) {
        silicon_free(s);
        s = NULL;
    }
    free(text);
    return s;
}

void silicon_free(struct silicon *silicon)
{
    if (silicon)
        free(silicon->lines);
    free(silicon);
}
