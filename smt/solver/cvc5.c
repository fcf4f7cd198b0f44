#define _POSIX_C_SOURCE 200809L
#include "smt/solver/solver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT_MAX ((size_t)1 << 20)
#define FIRST_TRY  6 /* the first of two ways gets this part of the time */

/* "This is cvc5 version 1.0.3 [...]": the word behind "version", or the whole first word of other programs. */
static bool read_version(const char *program, char *version, size_t size)
{
    const char *const argv[] = {program, "--version", NULL};
    char out[512];
    const char *at;
    size_t n = 0;
    if (solver_run(argv, 10, out, sizeof out) < 0)
        return false;
    at = strstr(out, "version ");
    at = at != NULL ? at + strlen("version ") : out;
    while (at[n] != '\0' && !isspace((unsigned char)at[n]) && n + 1 < size)
        n++;
    memcpy(version, at, n);
    version[n] = '\0';
    return n > 0;
}

const char *smt_cvc5_version(void)
{
    static char version[32];
    static int known = -1;
    if (known < 0)
        known = read_version("cvc5", version, sizeof version);
    return known ? version : NULL;
}

const char *smt_cadical_version(void)
{
    static char version[32];
    static int known = -1;
    if (known < 0)
        known = read_version("cadical", version, sizeof version);
    return known ? version : NULL;
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

static enum answer read_answer(struct smt *s, const struct query *query, int status, const char *out,
                               struct assignment *found, char *why, size_t why_size)
{
    if (status == -2 || strstr(out, "interrupted by timeout") != NULL) {
        snprintf(why, why_size, "cvc5: timeout");
        return ANSWER_TIMEOUT;
    }
    if (strncmp(out, "unsat", 5) == 0)
        return ANSWER_UNSAT;
    if (strncmp(out, "sat", 3) == 0) {
        if (found != NULL)
            read_values(s, query, out + 3, found);
        return ANSWER_SAT;
    }
    snprintf(why, why_size, "cvc5: %.120s", out[0] != '\0' ? out : "no answer");
    why[strcspn(why, "\n")] = '\0';
    return strncmp(out, "unknown", 7) == 0 ? ANSWER_UNKNOWN : ANSWER_ERROR;
}

static bool is_decided(const char *out)
{
    return strncmp(out, "unsat", 5) == 0 || strncmp(out, "sat", 3) == 0;
}

/*
 * For bit-vectors alone its lazy solver takes minutes where the eager one takes milliseconds; with one SAT solver below
 * it or, where every value is a candidate (a minimum is attained), with another. With functions either the eager or the
 * lazy one may be the one that does it.
 */
static enum answer try_options(struct smt *s, const struct query *query, const char *path, double timeout_s, char *out,
                               struct assignment *found, char *why, size_t why_size)
{
    const char *const eager[] = {"cvc5", "--lang", "smt2", "--bitblast=eager", "--bv-sat-solver=cadical", path, NULL};
    const char *const other[] = {"cvc5", "--lang", "smt2", "--bitblast=eager", "--bv-sat-solver=cryptominisat",
                                 path,   NULL};
    const char *const functions[] = {"cvc5", "--lang", "smt2", "--bitblast=eager", "--ackermann", path, NULL};
    const char *const lazy[] = {"cvc5", "--lang", "smt2", path, NULL};
    double end = smt_clock() + timeout_s;
    bool with_functions = strcmp(query->logic, "QF_UFBV") == 0, one_way = !with_functions && !query->only_bits;
    const char *const *first = with_functions ? functions : query->only_bits ? eager : lazy;
    int status = solver_run(first, one_way ? timeout_s : timeout_s / FIRST_TRY, out, OUTPUT_MAX);
    if (!one_way && !is_decided(out))
        status = solver_run(with_functions ? lazy : other, end - smt_clock(), out, OUTPUT_MAX);
    return read_answer(s, query, status, out, found, why, why_size);
}

enum answer cvc5_ask(struct smt *s, const struct query *query, double timeout_s, struct assignment *found, char *why,
                     size_t why_size)
{
    char path[] = "/tmp/warpcheck-XXXXXX";
    char *out;
    enum answer answer = ANSWER_ERROR;
    int file;
    if (smt_cvc5_version() == NULL) {
        snprintf(why, why_size, "cvc5 is not installed");
        return ANSWER_UNAVAILABLE;
    }
    file = mkstemp(path);
    if (file < 0) {
        snprintf(why, why_size, "cannot write to /tmp");
        return ANSWER_ERROR;
    }
    close(file);
    out = smt_grow(NULL, OUTPUT_MAX, 1);
    if (query_write(s, query, path, found != NULL, why, why_size))
        answer = try_options(s, query, path, timeout_s, out, found, why, why_size);
    unlink(path);
    free(out);
    return answer;
}
