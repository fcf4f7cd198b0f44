#include "gpu/judge.h"

#include "base/file.h"
#include "base/process.h"
#include "gpu/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE   65536u
#define OUTPUT_SIZE 262144u
#define ASK_SECONDS 120.0

/* The result of one run of ptxas. */
struct outcome {
    bool refused_text;        /* an error that belongs to no instruction: version or target unknown */
    bool accepted;            /* exit status 0 */
    bool fatal[JUDGE_COMBOS]; /* it stopped reading at this one */
    bool refused[JUDGE_COMBOS];
};

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

/* ptxas knows no target below sm_75: older ones are assembled for that one. */
static const char *architecture(uint32_t target)
{
    return target < WARP_TARGET(75, 0) ? "sm_75" : warp_target_name(target);
}

/* Runs ptxas over the text and assigns its messages to the instructions. */
static bool run(const char *ptxas, const char *input, uint32_t target, const unsigned lines[JUDGE_COMBOS],
                struct outcome *o, struct error *error)
{
    static char said[OUTPUT_SIZE];
    char arch[32];
    const char *const argv[] = {ptxas, arch, input, "-o", "/dev/null", NULL};
    const struct process_plan plan = {.argv = argv, .in = PROCESS_NULL};
    snprintf(arch, sizeof arch, "-arch=%s", architecture(target));
    memset(o, 0, sizeof *o);
    o->accepted = process_run(&plan, ASK_SECONDS, said, sizeof said, error);
    if (!o->accepted && error->code != ERROR_EXIT)
        return false;
    for (char *line = strtok(said, "\n"); line != NULL; line = strtok(NULL, "\n"))
        note_line(o, line, lines);
    return true;
}

/* Asks about the instructions in `ask`. */
static bool ask_once(const char *ptxas, uint16_t ptx, uint32_t target, const bool ask[JUDGE_COMBOS], struct outcome *o,
                     struct error *error)
{
    static char buf[TEXT_SIZE];
    unsigned lines[JUDGE_COMBOS];
    struct writer t = writer_start(buf, sizeof buf);
    char folder[FILE_PATH_MAX], input[FILE_PATH_MAX];
    bool good;
    write_text(&t, ptx, target, ask, lines);
    if (!folder_temporary("judge", folder, error))
        return false;
    good = file_join(folder, "k.ptx", input, error) && file_write(input, buf, t.length, error) &&
           run(ptxas, input, target, lines, o, error);
    folder_remove(folder);
    return good;
}

bool judge_bit(const struct judge_verdict *v, uint32_t form, uint32_t dst)
{
    const uint32_t i = form * WARP_DST_COUNT + dst;
    return (v->bits[i / 8] >> (i % 8) & 1u) != 0;
}

/*
 * The sink `_|p` makes ptxas stop reading ("Result discard mode is not allowed"), where the instruction does not
 * take it. It is grammar, whatever the version and target, so that each is asked about alone for a few of them and
 * taken as refused for the others.
 */
static bool stops_reading(const struct warp_form_info *info, uint32_t dst)
{
    return dst == WARP_DST_SINK_P && !(info->destinations >> dst & 1u);
}

static bool ask_alone(const char *ptxas, uint16_t ptx, uint32_t target, unsigned i, bool *accepted, struct error *error)
{
    bool one[JUDGE_COMBOS] = {false};
    struct outcome o;
    one[i] = true;
    if (!ask_once(ptxas, ptx, target, one, &o, error))
        return false;
    *accepted = o.accepted;
    return true;
}

/* Asks about the instructions that make ptxas stop reading, for an old target in an old and a new version, and for
 * two new targets. */
static bool ask_stoppers(const char *ptxas, uint16_t ptx, uint32_t target, bool ask[JUDGE_COMBOS], struct error *error)
{
    const bool here = (target == WARP_TARGET(30, 0) && (ptx == 60 || ptx == 90)) ||
                      ((target == WARP_TARGET(90, 0) || target == WARP_TARGET(100, WARP_SUFFIX_A)) && ptx == 90);
    for (unsigned i = 0; i < JUDGE_COMBOS; i++) {
        if (!stops_reading(warp_form_get(i / WARP_DST_COUNT), i % WARP_DST_COUNT))
            continue;
        ask[i] = false;
        if (here && !ask_alone(ptxas, ptx, target, i, &ask[i], error))
            return false;
    }
    return true;
}

bool judge_ask(const char *ptxas, uint16_t ptx, uint32_t target, struct judge_verdict *v, struct error *error)
{
    bool ask[JUDGE_COMBOS];
    struct outcome o;
    memset(v, 0, sizeof *v);
    memset(ask, true, sizeof ask);
    if (!ask_stoppers(ptxas, ptx, target, ask, error) || !ask_once(ptxas, ptx, target, ask, &o, error))
        return false;
    if (o.refused_text)
        return true; /* not known */
    for (unsigned i = 0; i < JUDGE_COMBOS; i++) {
        if (o.fatal[i]) {
            error_set(error, ERROR_UNSUPPORTED, "ptxas stopped reading at %s: add it to stops_reading",
                      warp_form_get(i / WARP_DST_COUNT)->name);
            return false;
        }
        ask[i] = ask[i] && !o.refused[i];
    }
    if (!ask_once(ptxas, ptx, target, ask, &o, error))
        return false;
    if (!o.accepted) {
        error_set(error, ERROR_UNSUPPORTED,
                  "ptxas refuses in code generation what it read without an error, PTX %d.%d, %s", ptx / 10, ptx % 10,
                  warp_target_name(target));
        return false;
    }
    for (unsigned i = 0; i < JUDGE_COMBOS; i++)
        v->bits[i / 8] = (uint8_t)(v->bits[i / 8] | (unsigned)ask[i] << (i % 8));
    v->known = true;
    return true;
}

bool judge_version(const char *ptxas, char *version, size_t size, struct error *error)
{
    const char *const argv[] = {ptxas, "--version", NULL};
    const struct process_plan plan = {.argv = argv, .in = PROCESS_NULL};
    char said[1024];
    const char *at;
    if (!process_run(&plan, ASK_SECONDS, said, sizeof said, error))
        return false;
    at = strstr(said, "release ");
    if (at == NULL)
        return error_set(error, ERROR_INPUT, "%s does not tell its version", ptxas);
    snprintf(version, size, "%.*s", (int)strcspn(at, "\n"), at);
    return true;
}

/*
 * The verdict that the table predicts for ptxas. It differs from warp_legal in one place: ptxas takes `|_` behind any
 * d and ignores it, also where the instruction has no predicate destination and the manual's grammar does not allow
 * it.
 */
static bool judge_expected(const struct warp_form_info *info, uint32_t dst, uint16_t ptx, uint32_t target)
{
    return warp_legal(info, dst == WARP_DST_D_SINK ? WARP_DST_D : dst, ptx, target, NULL, 0);
}

/* A version that is known for no target is newer than this ptxas. */
static bool version_is_known(const struct judge_map *map, size_t version)
{
    for (size_t i = 0; i < JUDGE_TARGETS; i++)
        if (map->verdicts[i][version].known)
            return true;
    return false;
}

unsigned judge_differences(const struct judge_map *map, judge_difference_fn report, void *context)
{
    const struct warp_target_info *t;
    unsigned count = 0;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        for (size_t j = 0; warp_ptx_get(j) != 0; j++)
            for (uint32_t k = 0; version_is_known(map, j) && k < JUDGE_COMBOS; k++) {
                const struct warp_form_info *info = warp_form_get(k / WARP_DST_COUNT);
                const uint32_t dst = k % WARP_DST_COUNT;
                const bool expected = judge_expected(info, dst, warp_ptx_get(j), t->target);
                if (expected == judge_bit(&map->verdicts[i][j], info->form, dst))
                    continue;
                if (report != NULL)
                    report(context, info, dst, warp_ptx_get(j), t, expected);
                count++;
            }
    return count;
}

/* A map of verdicts as text, in a block of Markdown: "TARGET FIRST-LAST HEX" for each run of PTX versions with equal
 * verdicts, "-" where it takes neither. */

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

bool judge_read(const char *text, struct judge_map *map, struct error *error)
{
    memset(map, 0, sizeof *map);
    for (unsigned number = 1; *text != '\0'; number++) {
        char line[256];
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), text);
        if (!read_line(line, map)) {
            error_set(error, ERROR_INPUT,
                      "line %u cannot be read, or is about another number of forms: make it anew with ptxas", number);
            return false;
        }
        text += length + (text[length] == '\n');
    }
    return true;
}
