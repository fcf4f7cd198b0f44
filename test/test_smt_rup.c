/* The checker of DRAT proofs accepts proofs and refuses everything else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "smt/solver/rup.h"

/* All eight clauses over three variables: unsatisfiable, and not by propagation. */
static const char eight[] =
    "p cnf 3 8\n1 2 3 0\n1 2 -3 0\n1 -2 3 0\n1 -2 -3 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n-1 -2 -3 0\n";

static void check(const char *dimacs, const char *proof, const char *complaint)
{
    char why[120] = "";
    bool good = rup_check(dimacs, proof, why, sizeof why);
    if (good != (complaint == NULL) || (complaint != NULL && strstr(why, complaint) == NULL))
        fail_msg("for the proof %s: %s", proof, why);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_proofs), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
