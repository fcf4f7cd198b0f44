/* What `warpcheck prove` prints: a table, or JSON. */
#ifndef WARPCHECK_CLI_PROVE_REPORT_H
#define WARPCHECK_CLI_PROVE_REPORT_H

#include "base/buffer.h"
#include "cli/prove/session.h"
#include "smt/warpcheck_smt.h"

/* What is tried, and the results. */
struct session {
    const struct smt_property **properties;
    struct smt_outcome *outcomes;
    size_t count;
    const char *running; /* the property that began last */
    bool cross;          /* cvc5 checks every answer */
    bool drat;           /* bit-vector proofs also as clauses */
    bool draw;           /* also the witnesses that were expected */
    struct proving proving;
};

/* The number of verdicts that are not the expected ones. Properties that an interrupted run did not try have no
 * verdict. */
size_t prove_unexpected(const struct session *s);
void prove_print_table(const struct session *s);
/* Writes a page that says for each property which solver decided how many claims, in what time, with which
 * versions. */
void prove_write_record(const struct session *s, struct buffer *out);
void prove_print_json(const struct session *s);

#endif
