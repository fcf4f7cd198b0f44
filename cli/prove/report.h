/* What `warpcheck prove` prints: a table, or JSON. */
#ifndef WARPCHECK_CLI_PROVE_REPORT_H
#define WARPCHECK_CLI_PROVE_REPORT_H

#include "base/buffer.h"
#include "cli/prove/session.h"
#include "smt/warpcheck_smt.h"

/* What is tried, and what came of it. */
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

/* How many verdicts are not the expected ones; what an interrupted run did not try has none. */
size_t prove_unexpected(const struct session *s);
void prove_print_table(const struct session *s);
/* A page: for each property who decided how many claims, in what time, with which versions. */
void prove_write_record(const struct session *s, struct buffer *out);
void prove_print_json(const struct session *s);

#endif
