/*
 * Laws (fuzz/laws.h) judged on one case, for findings that are about one.
 */
#ifndef WARPCHECK_CLI_WORK_LAW_H
#define WARPCHECK_CLI_WORK_LAW_H

#include "base/error.h"
#include "check/case_file.h"
#include "warpcheck/impl.h"

struct law;

/* The law of that name; NULL with one line in `error` that names those there are. */
const struct law *law_open(const char *name, struct error *error);

/*
 * The law that the finding.txt beside a case file names: "... => breaks the law NAME ...". NULL without a line in
 * `error` when there is none: the case is about a mismatch. With one when the law is not known, or finding.txt cannot
 * be read or is not about the cases of the file.
 */
const struct law *law_of_case(const char *path, const struct case_file *cases, struct error *error);

enum law_verdict { LAW_HOLDS, LAW_BROKEN, LAW_NOT_TRIED };
/* Judges the law on a case. `why` gets the law, and what is wrong or why it was not tried. */
enum law_verdict law_judge(const struct law *law, const struct warp_impl *impl, const struct warp_case *c, char *why,
                           size_t why_size);

#endif
