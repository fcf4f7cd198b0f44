/*
 * Findings of the batch interface. Each is a trial, which `warpcheck batch --trial` asks again.
 */
#ifndef WARPCHECK_CLI_WORK_FINDINGS_BATCH_H
#define WARPCHECK_CLI_WORK_FINDINGS_BATCH_H

#include "check/batch.h"
#include "cli/work/findings.h"

/*
 * Prints the finding and, with `write`, keeps it. Findings with one signature are one finding. The checker's context
 * is a struct findings_source. The caller holds a lock. Returns false with one line when it could not be kept.
 */
bool findings_batch(const struct checker *checker, const struct batch_outcome *outcome, uint64_t seed, uint64_t trial,
                    bool write, struct error *error);

#endif
