/*
 * The one place that owns a Z3 context: fixed seed, time and memory limits, error handler, and the terms that are kept
 * alive.
 *
 * Terms live until smt_close, or until smt_release goes back behind the mark at which they were made.
 */
#ifndef WARPCHECK_SMT_CONTEXT_H
#define WARPCHECK_SMT_CONTEXT_H

#include "base/error.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <z3.h>

typedef Z3_ast term;

struct smt {
    Z3_context z3;
    Z3_sort bool_sort;
    Z3_sort word_sort;  /* 32 bits */
    Z3_sort float_sort; /* IEEE binary32 */
    unsigned fresh;     /* numbers the constants that need a name of their own */
    term *kept;
    size_t kept_count;
    size_t kept_room;
    bool guarded;
    jmp_buf recover;
    struct error error; /* what Z3 said last */
};

/* memory_mb limits all of the process's contexts together; 0: no limit. NULL when Z3 cannot start. */
struct smt *smt_open(unsigned memory_mb);
void smt_close(struct smt *s);

/* Keeps a new node alive; every constructor in term.c goes through it. */
term smt_keep(struct smt *s, Z3_ast node);
size_t smt_mark(const struct smt *s);
void smt_release(struct smt *s, size_t mark);

/*
 * Runs work(context); false when Z3 reported an error meanwhile (s->error: ERROR_SYSTEM when memory ran out). After
 * that the context is only good for smt_close. Without a guard an error of Z3 ends the process with one clear line.
 */
bool smt_guard(struct smt *s, void (*work)(void *context), void *context);

/* What Z3 means by the text of a reason: ERROR_TIMEOUT, ERROR_SYSTEM (memory), else ERROR_DECLINED. Nothing else reads
 * such texts. */
enum error_code smt_reason_code(const char *reason);

/* The prover contradicts itself: one line, and the process is aborted. */
_Noreturn void smt_defect(const char *format, ...) PRINTF_LIKE(1, 2);

/* Memory that is there or the process ends with one clear line. */
void *smt_grow(void *old, size_t count, size_t size);

#endif
