#include "smt/solver/solver.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "smt/warpcheck_smt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_MAX ((size_t)1 << 20)
#define FIRST_TRY  6 /* the first of two ways gets this part of the time */

/* Runs a solver with its output in `out`; `error` says how it ended, but for status 0. */
static bool run(const char *const argv[], double timeout_s, char *out, size_t size, struct error *error)
{
    const struct process_plan plan = {.argv = argv, .in = PROCESS_NULL};
    out[0] = '\0';
    if (timeout_s <= 0)
        return error_set(error, ERROR_TIMEOUT, "out of time");
    return process_run(&plan, timeout_s, out, size, error);
}

/* Another solver's program: its version, or why there is none. */
struct program {
    bool known;
    char version[32];
    struct error why;
};

/* "This is cvc5 version 1.0.3 [...]": the word behind "version", or the whole first word of other programs. */
static void read_version(const char *name, struct program *program)
{
    const char *const argv[] = {name, "--version", NULL};
    char out[512], word[64];
    const char *at;
    program->known = true;
    if (!run(argv, 10, out, sizeof out, &program->why) && program->why.code != ERROR_EXIT) {
        if (program->why.code == ERROR_SYSTEM && program->why.detail == ENOENT)
            error_set(&program->why, ERROR_UNAVAILABLE, "%s is not installed (Debian: %s)", name, name);
        return;
    }
    at = strstr(out, "version ");
    at = at != NULL ? at + strlen("version ") : out;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " \t\r\n"), at);
    text_printable(word, strlen(word), program->version, sizeof program->version);
    if (program->version[0] == '\0')
        error_set(&program->why, ERROR_DECLINED, "%s --version prints nothing", name);
}

/* Asked once. NULL with `error` when it cannot be used. */
static const char *version_of(const char *name, struct program *program, struct error *error)
{
    if (!program->known)
        read_version(name, program);
    if (program->version[0] != '\0')
        return program->version;
    if (error != NULL)
        *error = program->why;
    return NULL;
}

const char *smt_cvc5_find(struct error *error)
{
    static struct program cvc5;
    return version_of("cvc5", &cvc5, error);
}

const char *smt_cadical_find(struct error *error)
{
    static struct program cadical;
    return version_of("cadical", &cadical, error);
}

const char *smt_cvc5_version(void)
{
    return smt_cvc5_find(NULL);
}

const char *smt_cadical_version(void)
{
    return smt_cadical_find(NULL);
}

/* A literal as cvc5 prints it: true, false, #b..., #x.... NULL when it is another. */
static term read_literal(struct smt *s, term unknown, const char *text, size_t n)
{
    char digits[80];
    unsigned width = term_width(s, unknown);
    if (n == 4 && strncmp(text, "true", 4) == 0)
        return term_bool(s, true);
    if (n == 5 && strncmp(text, "false", 5) == 0)
        return term_bool(s, false);
    if (n < 3 || n >= sizeof digits || text[0] != '#' || width == 0 || width > 64)
        return NULL;
    memcpy(digits, text + 2, n - 2);
    digits[n - 2] = '\0';
    return term_bits(s, strtoull(digits, NULL, text[1] == 'x' ? 16 : 2), width);
}

/* "((name value) (name value) ...)" in the order of the question; a name in bars may hold anything but bars. */
static void read_values(struct smt *s, const struct query *query, const char *at, struct assignment *found)
{
    for (size_t i = 0; i < query->free.count && at != NULL; i++) {
        const char *name = Z3_ast_to_string(s->z3, query->free.items[i]);
        size_t n = 0;
        term value;
        at = strstr(at, name);
        if (at == NULL)
            return;
        at += strlen(name);
        at += strspn(at, " \n");
        n = strcspn(at, ")");
        value = read_literal(s, query->free.items[i], at, n);
        if (value == NULL)
            continue;
        term_list_add(&found->unknown, query->free.items[i]);
        term_list_add(&found->value, value);
    }
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static bool is_decided(const char *out)
{
    return begins(out, "unsat") || begins(out, "sat");
}

/* Did it end as a solver does that has said what it has to say? `values` were asked for: there are none after unsat,
 * and some versions end with another status then. */
static bool has_ended_well(const char *out, bool values, const struct error *ended)
{
    return ended->code == ERROR_NONE || (ended->code == ERROR_EXIT && values && begins(out, "unsat"));
}

/* `error` says how it ended, and then what the answer is where it is neither sat nor unsat. */
static enum answer read_answer(struct smt *s, const struct query *query, const char *out, struct assignment *found,
                               struct error *error)
{
    char line[121], printable[160];
    if (error->code == ERROR_TIMEOUT) {
        error_set(error, ERROR_TIMEOUT, "cvc5: timeout");
        return ANSWER_TIMEOUT;
    }
    snprintf(line, sizeof line, "%.*s", (int)strcspn(out, "\n"), out);
    text_printable(line, strlen(line), printable, sizeof printable);
    if (!has_ended_well(out, found != NULL, error)) {
        const struct error ended = *error;
        error_set(error, ended.code, "%s%s%s", ended.text, out[0] != '\0' ? ": " : "", printable);
        return ANSWER_ERROR;
    }
    if (begins(out, "unsat"))
        return ANSWER_UNSAT;
    if (begins(out, "sat")) {
        if (found != NULL)
            read_values(s, query, out + strlen("sat"), found);
        return ANSWER_SAT;
    }
    error_set(error, ERROR_DECLINED, "cvc5: %s", out[0] != '\0' ? printable : "no answer");
    return begins(out, "unknown") ? ANSWER_UNKNOWN : ANSWER_ERROR;
}

/*
 * For bit-vectors alone cvc5's lazy solver takes minutes where the eager one takes milliseconds, with one SAT solver
 * or, when every value is a candidate (a minimum is attained), with another. With functions either the eager or the
 * lazy solver may succeed. `error` says how the last attempt ended.
 */
static void try_options(const struct query *query, const char *path, double timeout_s, char *out, struct error *error)
{
    const char *const eager[] = {"cvc5", "--lang", "smt2", "--bitblast=eager", "--bv-sat-solver=cadical", path, NULL};
    const char *const other[] = {"cvc5", "--lang", "smt2", "--bitblast=eager", "--bv-sat-solver=cryptominisat",
                                 path,   NULL};
    const char *const functions[] = {"cvc5", "--lang", "smt2", "--bitblast=eager", "--ackermann", path, NULL};
    const char *const lazy[] = {"cvc5", "--lang", "smt2", path, NULL};
    const double end = clock_seconds() + timeout_s;
    const bool with_functions = query->has_functions, one_way = !with_functions && !query->only_bits;
    const char *const *const first = with_functions ? functions : query->only_bits ? eager : lazy;
    run(first, one_way ? timeout_s : timeout_s / FIRST_TRY, out, OUTPUT_MAX, error);
    if (one_way || is_decided(out) || error->code == ERROR_CRASH || error->code == ERROR_SYSTEM)
        return;
    error_clear(error);
    run(with_functions ? lazy : other, end - clock_seconds(), out, OUTPUT_MAX, error);
}

enum answer cvc5_ask(struct smt *s, const struct query *query, double timeout_s, struct assignment *found,
                     struct error *error)
{
    char folder[FILE_PATH_MAX], path[FILE_PATH_MAX];
    struct error ended = {.code = ERROR_NONE};
    enum answer answer = ANSWER_ERROR;
    char *out;
    if (smt_cvc5_find(error) == NULL)
        return ANSWER_UNAVAILABLE;
    if (!folder_temporary("query", folder, error))
        return ANSWER_ERROR;
    out = smt_grow(NULL, OUTPUT_MAX, 1);
    if (file_join(folder, "query.smt2", path, error) && query_write(s, query, path, found != NULL, error)) {
        try_options(query, path, timeout_s, out, &ended);
        answer = read_answer(s, query, out, found, &ended);
        if (answer != ANSWER_SAT && answer != ANSWER_UNSAT && error != NULL)
            *error = ended;
    }
    folder_remove(folder);
    free(out);
    return answer;
}
