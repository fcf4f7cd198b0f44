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
    term truth[2];      /* literals that are wanted often: false and true, */
    term bit[2];        /* one bit, */
    term small[32];     /* and words */
    unsigned fresh;     /* numbers the constants that need a name of their own */
    term *kept;
    size_t kept_count;
    size_t kept_room;
    unsigned first_turn; /* of solver/z3.c, for the next query */
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
 * Runs work(context). Returns false when Z3 reported an error meanwhile (s->error: ERROR_SYSTEM when memory ran out);
 * the context is then only good for smt_close. Outside such a call an error of Z3 ends the process with one line.
 */
bool smt_guard(struct smt *s, void (*work)(void *context), void *context);

/* The meaning of Z3's text for a reason: ERROR_TIMEOUT, ERROR_SYSTEM (memory), else ERROR_DECLINED. Nothing else
 * reads such texts. */
enum error_code smt_reason_code(const char *reason);

/* Reports that the prover contradicts itself: prints one line and aborts the process. */
_Noreturn void smt_defect(const char *format, ...) PRINTF_LIKE(1, 2);

/* Allocates memory, or ends the process with one clear line. */
void *smt_grow(void *old, size_t count, size_t size);
/* array_grow, or ends the process with that line. */
void *smt_room(void *items, size_t count, size_t *room, size_t size);

#endif
