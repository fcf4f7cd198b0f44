/* A map of verdicts as text, in a block of Markdown: "TARGET FIRST-LAST HEX" for each run of PTX versions with equal
 * verdicts, "-" where it takes neither. */
#include "gpu/judge/judge.h"
#include "gpu/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(const struct judge_verdict *x, const struct judge_verdict *y)
{
    return x->known == y->known && memcmp(x->bits, y->bits, sizeof x->bits) == 0;
}

static void write_row(struct writer *t, const char *target, uint16_t first, uint16_t last,
                      const struct judge_verdict *v)
{
    writer_format(t, "    %s %d.%d-%d.%d ", target, first / 10, first % 10, last / 10, last % 10);
    for (size_t i = 0; v->known && i < sizeof v->bits; i++)
        writer_format(t, "%02x", v->bits[i]);
    writer_format(t, "%s\n", v->known ? "" : "-");
}

size_t judge_write(const struct judge_map *map, char *buf, size_t size)
{
    struct writer t = writer_start(buf, size);
    const struct warp_target_info *target;
    writer_format(
        &t,
        "# What ptxas accepts\n\n"
        "> Written by `warpcheck-judge`. One line for a target and a run of PTX versions with equal answers: one "
        "bit for\n"
        "> each form and destination (bit form * %d + destination, the lowest bit of the first byte first; "
        "forms.def has\n"
        "> the order). `-`: it does not take these versions for the target.\n\n",
        WARP_DST_COUNT);
    writer_format(&t, "    ptxas %s\n    forms %d\n", map->assembler, WARP_FORMS);
    for (size_t i = 0; (target = warp_target_get(i)) != NULL; i++)
        for (size_t first = 0, next; warp_ptx_get(first) != 0; first = next) {
            for (next = first + 1; warp_ptx_get(next) != 0; next++)
                if (!same(&map->verdicts[i][first], &map->verdicts[i][next]))
                    break;
            write_row(&t, target->name, warp_ptx_get(first), warp_ptx_get(next - 1), &map->verdicts[i][first]);
        }
    return t.length;
}

static bool read_bits(const char *hex, struct judge_verdict *v)
{
    memset(v, 0, sizeof *v);
    if (strcmp(hex, "-") == 0)
        return true;
    if (strlen(hex) != 2 * sizeof v->bits)
        return false;
    for (size_t i = 0; i < sizeof v->bits; i++) {
        const char byte[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        char *end;
        v->bits[i] = (uint8_t)strtoul(byte, &end, 16);
        if (*end != '\0')
            return false;
    }
    v->known = true;
    return true;
}

static bool read_row(const char *line, struct judge_map *map)
{
    char name[16];
    char hex[128];
    unsigned first[2], last[2];
    struct judge_verdict v;
    const struct warp_target_info *t;
    if (sscanf(line, "%15s %u.%u-%u.%u %127s", name, &first[0], &first[1], &last[0], &last[1], hex) != 6 ||
        !read_bits(hex, &v))
        return false;
    for (size_t i = 0; i < JUDGE_TARGETS && (t = warp_target_get(i)) != NULL; i++)
        if (strcmp(t->name, name) == 0) {
            for (size_t j = 0; j < JUDGE_VERSIONS && warp_ptx_get(j) != 0; j++)
                if (warp_ptx_get(j) >= first[0] * 10 + first[1] && warp_ptx_get(j) <= last[0] * 10 + last[1])
                    map->verdicts[i][j] = v;
            return true;
        }
    return true; /* a target that this table does not have any more */
}

static bool read_line(const char *line, struct judge_map *map)
{
    if (strncmp(line, "    ", 4) != 0)
        return true; /* words for people */
    line += 4;
    if (strncmp(line, "ptxas ", 6) == 0) {
        snprintf(map->assembler, sizeof map->assembler, "%.100s", line + 6);
        return true;
    }
    if (strncmp(line, "forms ", 6) == 0)
        return strtoul(line + 6, NULL, 10) == WARP_FORMS;
    return read_row(line, map);
}

bool judge_read(const char *text, struct judge_map *map, char *error, size_t error_size)
{
    memset(map, 0, sizeof *map);
    for (unsigned number = 1; *text != '\0'; number++) {
        char line[256];
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), text);
        if (!read_line(line, map)) {
            snprintf(error, error_size,
                     "line %u cannot be read, or is about another number of forms: make it anew with ptxas", number);
            return false;
        }
        text += length + (text[length] == '\n');
    }
    return true;
}
