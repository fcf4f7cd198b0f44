/*
 * Mistakes that the encoding makes on purpose, one at a time, so that a test can see the proofs fail.
 *
 * FAULT(id, name, breaks, what): `breaks` names the properties, by spaces, none of which may then have the
 * verdict that is expected of it.
 */
#ifndef WARPCHECK_SMT_FAULT_H
#define WARPCHECK_SMT_FAULT_H

#include "smt/context.h"

enum smt_fault {
    SMT_FAULT_NONE,
#define FAULT(id, name, breaks, what) SMT_FAULT_##id,
#include "smt/faults.def"
#undef FAULT
    SMT_FAULTS
};

/* Is this mistake switched on? */
static inline bool smt_faulty(const struct smt *s, enum smt_fault fault)
{
    return s->fault == (uint32_t)fault;
}

#endif
