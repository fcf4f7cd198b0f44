/* The checker of DRAT proofs accepts proofs and refuses everything else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "smt/solver/rup.h"

/* All eight clauses over three variables: unsatisfiable, and not by propagation. */
static const char eight[] =
    "p cnf 3 8\n1 2 3 0\n1 2 -3 0\n1 -2 3 0\n1 -2 -3 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n-1 -2 -3 0\n";

static void check(const char *dimacs, const char *proof, const char *complaint)
{
    struct error error = {.code = ERROR_NONE};
    bool good = rup_check(dimacs, proof, 0, &error);
    if (good != (complaint == NULL) || (complaint != NULL && strstr(error.text, complaint) == NULL))
        fail_msg("for the proof %s: %s", proof, error.text);
}

static void test_proofs(void **state)
{
    (void)state;
    check(eight, "1 2 0\n1 -2 0\n1 0\n-1 2 0\n-1 -2 0\n0\n", NULL);
    check(eight, "1 2 0\nd 1 2 3 0\nd 1 2 -3 0\n1 -2 0\n1 0\n-1 2 0\n0\n", NULL);
    check("p cnf 1 2\n1 0\n-1 0\n", "", NULL); /* propagation alone */
    /* A literal that occurs nowhere else: redundant by resolution, not a consequence. */
    check("p cnf 4 8\n1 2 3 0\n1 2 -3 0\n1 -2 3 0\n1 -2 -3 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n-1 -2 -3 0\n",
          "4 1 0\n1 2 0\n1 -2 0\n1 0\n-1 2 0\n0\n", NULL);
    /* Deleting the clause behind a unit leaves the unit. */
    check("p cnf 2 3\n1 0\n-1 2 0\n-1 -2 0\n", "d 1 0\n0\n", NULL);
}

static void test_refused(void **state)
{
    (void)state;
    check(eight, "1 0\n0\n", "step 2"); /* the first is redundant by resolution */
    check(eight, "1 2 0\n", "empty clause");
    check(eight, "", "empty clause");
    check(eight, "0\n", "step 1");
    check(eight, "1 2 0\nd 1 2 0\nd 1 2 3 0\n1 -2 0\n1 0\n-1 2 0\n0\n", "does not follow");
    check("p cnf 3 7\n1 2 3 0\n1 2 -3 0\n1 -2 3 0\n1 -2 -3 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n",
          "1 2 0\n1 -2 0\n1 0\n-1 2 0\n0\n", "does not follow"); /* satisfiable */
    check(eight, "1 x 0\n", "cannot be read");
    check(eight, "9 0\n", "cannot be read");
    check("1 0\n", "", "header");
    check("p cnf 1 1\n1 y 0\n", "", "cannot be read");
}

enum { VARIABLES = 6, CLAUSES = 14, STEPS = 8, ROUNDS = 20000 };

/* Clauses of three literals, each true under `solution`; returns what was written. */
static size_t satisfiable(struct random *random, uint32_t solution, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "p cnf %d %d\n", VARIABLES, CLAUSES);
    for (unsigned i = 0; i < CLAUSES; i++) {
        unsigned good = random_word(random) % 3;
        for (unsigned k = 0; k < 3; k++) {
            unsigned v = random_word(random) % VARIABLES;
            bool positive = k == good ? (solution >> v & 1u) != 0 : (random_word(random) & 1u) != 0;
            n += (size_t)snprintf(out + n, size - n, "%s%u ", positive ? "" : "-", v + 1);
        }
        n += (size_t)snprintf(out + n, size - n, "0\n");
    }
    return n;
}

/* Whatever a proof says, clauses that have a solution are never refuted. */
static void test_never_wrong(void **state)
{
    struct random random = {1};
    char dimacs[1024], proof[1024];
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        size_t n = 0;
        satisfiable(&random, random_word(&random), dimacs, sizeof dimacs);
        for (unsigned i = 0; i < STEPS; i++) {
            unsigned literals = random_word(&random) % 4;
            n += (size_t)snprintf(proof + n, sizeof proof - n, "%s", random_word(&random) % 8 == 0 ? "d " : "");
            for (unsigned k = 0; k < literals; k++)
                n += (size_t)snprintf(proof + n, sizeof proof - n, "%s%u ", random_word(&random) & 1u ? "-" : "",
                                      random_word(&random) % VARIABLES + 1);
            n += (size_t)snprintf(proof + n, sizeof proof - n, "0\n");
        }
        if (rup_check(dimacs, proof, 0, NULL))
            fail_msg("refuted a satisfiable formula:\n%s%s", dimacs, proof);
    }
}

/* A good proof with one clause of the formula missing is refused: each of the eight is needed. */
static void test_clause_missing(void **state)
{
    (void)state;
    for (unsigned missing = 0; missing < 8; missing++) {
        char dimacs[256];
        size_t n = (size_t)snprintf(dimacs, sizeof dimacs, "p cnf 3 7\n");
        for (unsigned i = 0; i < 8; i++)
            if (i != missing)
                n += (size_t)snprintf(dimacs + n, sizeof dimacs - n, "%s1 %s2 %s3 0\n", i & 4u ? "-" : "",
                                      i & 2u ? "-" : "", i & 1u ? "-" : "");
        assert_false(rup_check(dimacs, "1 2 0\n1 -2 0\n1 0\n-1 2 0\n-1 -2 0\n0\n", 0, NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_proofs), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_never_wrong), cmocka_unit_test(test_clause_missing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
