/* The table of mistakes that can be switched on. */
#include "smt/fault.h"

#include "smt/prove.h"
#include "smt/warpcheck_smt.h"

#include <string.h>

static const struct {
    const char *name, *what, *breaks;
} faults[] = {
    {NULL, NULL, NULL},
#define FAULT(id, name, breaks, what) {name, what, breaks},
#include "smt/faults.def"
#undef FAULT
};

bool fault_find(const char *name, uint32_t *fault)
{
    *fault = SMT_FAULT_NONE;
    if (name == NULL)
        return true;
    for (uint32_t i = 1; i < SMT_FAULTS; i++)
        if (strcmp(faults[i].name, name) == 0) {
            *fault = i;
            return true;
        }
    return false;
}

bool smt_fault_get(size_t i, const char **name, const char **what, const char **breaks)
{
    if (i + 1 >= SMT_FAULTS)
        return false;
    *name = faults[i + 1].name;
    *what = faults[i + 1].what;
    *breaks = faults[i + 1].breaks;
    return true;
}
