#include "cli/kernels/baseline.h"

#include "base/buffer.h"
#include "base/file.h"
#include "cli/kernels/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 4u /* of a signature */

struct known {
    const char *signature, *reason;
    uint32_t line;
    bool needed, executed;
};

struct baseline {
    char *text; /* taken apart in place */
    struct known *items;
    size_t count, room;
};

/* Ends the signature behind its four words, and copies the entry's name out of it. */
static bool read_known(char *at, struct known *known)
{
    known->signature = at;
    for (unsigned n = 0; n < WORDS; n++) {
        size_t length = strcspn(at, " \t");
        char *behind = at + length + strspn(at + length, " \t");
        if (length == 0 || *behind == '\0')
            return false;
        if (n == WORDS - 1)
            at[length] = '\0';
        else if (behind != at + length + 1 || at[length] == '\t')
            return false;
        at = behind;
    }
    known->reason = at;
    return true;
}

static bool read_lines(struct baseline *b, const char *path, struct error *error)
{
    uint32_t number = 0;
    for (char *at = b->text, *next; *at; at = next) {
        size_t length = strcspn(at, "\n");
        next = at + length + (at[length] != '\0');
        at[length] = '\0';
        number++;
        while (length > 0 && strchr(" \t\r", at[length - 1]))
            at[--length] = '\0';
        at += strspn(at, " \t");
        if (*at == '\0' || *at == '#')
            continue;
        struct known *larger = array_grow(b->items, b->count, &b->room, sizeof *b->items);
        if (!larger)
            return error_set(error, ERROR_SYSTEM, "out of memory");
        b->items = larger;
        struct known *known = &b->items[b->count++];
        *known = (struct known){.line = number};
        if (!read_known(at, known))
            return error_set(error, ERROR_INPUT,
                             "%s:%u: needs CLASS ENTRY INSTRUCTION HASH, as a report prints them, and a reason", path,
                             (unsigned)number);
    }
    return true;
}

struct baseline *baseline_read(const char *path, struct error *error)
{
    size_t size;
    struct baseline *b = calloc(1, sizeof *b);
    if (!b) {
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    b->text = file_read(path, (size_t)16 << 20, &size, error);
    if (b->text && read_lines(b, path, error))
        return b;
    baseline_free(b);
    return NULL;
}

void baseline_free(struct baseline *b)
{
    if (!b)
        return;
    free(b->items);
    free(b->text);
    free(b);
}

const char *baseline_find(struct baseline *b, const struct code *code, const struct kernel_event *event)
{
    struct buffer signature = {0};
    const char *reason = NULL;
    kernel_signature(code, event, &signature);
    for (size_t n = 0; n < b->count; n++)
        if (strcmp(b->items[n].signature, buffer_string(&signature)) == 0) {
            b->items[n].needed = true;
            reason = reason ? reason : b->items[n].reason;
        }
    buffer_free(&signature);
    return reason;
}

void baseline_executed(struct baseline *b, const char *entry)
{
    size_t length = strlen(entry);
    for (size_t n = 0; n < b->count; n++) {
        const char *at = strchr(b->items[n].signature, ' ') + 1;
        b->items[n].executed |= strncmp(at, entry, length) == 0 && at[length] == ' ';
    }
}

uint32_t baseline_unmatched(const struct baseline *b, void (*tell)(void *context, uint32_t line, const char *text),
                            void *context)
{
    uint32_t count = 0;
    for (size_t n = 0; n < b->count; n++) {
        const struct known *known = &b->items[n];
        if (known->needed || !known->executed)
            continue;
        tell(context, known->line, known->signature);
        count++;
    }
    return count;
}
