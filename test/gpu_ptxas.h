/* Finds a ptxas for the tests that need one; prints UNAVAILABLE and skips the test where there is none. */
#ifndef WARPCHECK_TEST_GPU_PTXAS_H
#define WARPCHECK_TEST_GPU_PTXAS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline const char *find_ptxas(void)
{
    static const char *const places[] = {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas", "/opt/cuda/bin/ptxas"};
    const char *named = getenv("WARPCHECK_PTXAS");
    if (named != NULL && access(named, X_OK) == 0)
        return named;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    print_message("UNAVAILABLE: no ptxas (WARPCHECK_PTXAS names one)\n");
    return NULL;
}

#endif
