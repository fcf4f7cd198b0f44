#include "smt/context.h"

#include "base/buffer.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* Z3 hands its error handler no pointer of ours; a thread works in one context at a time. */
static _Thread_local struct smt *current;

static void on_error(Z3_context z3, Z3_error_code code)
{
    struct smt *s = current;
    if (s == NULL || !s->guarded) {
        fprintf(stderr, "warpcheck: Z3: %s\n", Z3_get_error_msg(z3, code));
        exit(2);
    }
    error_set(&s->error, ERROR_INTERNAL, "%s", Z3_get_error_msg(z3, code));
    if (code == Z3_MEMOUT_FAIL || smt_reason_code(s->error.text) == ERROR_SYSTEM)
        s->error.code = ERROR_SYSTEM;
    longjmp(s->recover, 1);
}

enum error_code smt_reason_code(const char *reason)
{
    if (strstr(reason, "timeout") != NULL || strstr(reason, "canceled") != NULL)
        return ERROR_TIMEOUT;
    return strstr(reason, "memory") != NULL ? ERROR_SYSTEM : ERROR_DECLINED;
}

void smt_defect(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("warpcheck: a defect of the prover: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    abort();
}

static void *or_end(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "warpcheck: out of memory in the prover\n");
        exit(2);
    }
    return memory;
}

void *smt_grow(void *old, size_t count, size_t size)
{
    return or_end(realloc(old, count * size));
}

void *smt_room(void *items, size_t count, size_t *room, size_t size)
{
    return or_end(array_grow(items, count, room, size));
}

static Z3_sort keep_sort(struct smt *s, Z3_sort sort)
{
    smt_keep(s, Z3_sort_to_ast(s->z3, sort));
    return sort;
}

static void make_literals(struct smt *s)
{
    const Z3_sort bit_sort = keep_sort(s, Z3_mk_bv_sort(s->z3, 1));
    for (unsigned i = 0; i < 2; i++) {
        s->truth[i] = smt_keep(s, i == 0 ? Z3_mk_false(s->z3) : Z3_mk_true(s->z3));
        s->bit[i] = smt_keep(s, Z3_mk_unsigned_int(s->z3, i, bit_sort));
    }
    for (unsigned i = 0; i < sizeof s->small / sizeof *s->small; i++)
        s->small[i] = smt_keep(s, Z3_mk_unsigned_int(s->z3, i, s->word_sort));
}

/* Z3 takes large blocks for each question and frees them: the allocator keeps them, and need not ask the system for
 * them again, which would be most of the time of many small questions. */
static void keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 64 << 20);
#endif
}

struct smt *smt_open(unsigned memory_mb)
{
    struct smt *s = calloc(1, sizeof *s);
    char megabytes[16];
    Z3_config config;
    if (s == NULL)
        return NULL;
    keep_memory();
    if (memory_mb != 0) {
        snprintf(megabytes, sizeof megabytes, "%u", memory_mb);
        Z3_global_param_set("memory_max_size", megabytes);
    }
    Z3_global_param_set("smt.random_seed", "0");
    Z3_global_param_set("sat.random_seed", "0");
    config = Z3_mk_config();
    s->z3 = config != NULL ? Z3_mk_context_rc(config) : NULL;
    if (config != NULL)
        Z3_del_config(config);
    if (s->z3 == NULL) { /* no memory */
        free(s);
        return NULL;
    }
    current = s;
    Z3_set_error_handler(s->z3, on_error);
    s->bool_sort = keep_sort(s, Z3_mk_bool_sort(s->z3));
    s->word_sort = keep_sort(s, Z3_mk_bv_sort(s->z3, 32));
    s->float_sort = keep_sort(s, Z3_mk_fpa_sort_32(s->z3));
    make_literals(s);
    return s;
}

void smt_close(struct smt *s)
{
    if (s == NULL)
        return;
    smt_release(s, 0);
    Z3_del_context(s->z3);
    if (current == s)
        current = NULL;
    free(s->kept);
    free(s);
}

term smt_keep(struct smt *s, Z3_ast node)
{
    Z3_inc_ref(s->z3, node);
    s->kept = smt_room(s->kept, s->kept_count, &s->kept_room, sizeof *s->kept);
    s->kept[s->kept_count++] = node;
    return node;
}

size_t smt_mark(const struct smt *s)
{
    return s->kept_count;
}

void smt_release(struct smt *s, size_t mark)
{
    while (s->kept_count > mark)
        Z3_dec_ref(s->z3, s->kept[--s->kept_count]);
}

bool smt_guard(struct smt *s, void (*work)(void *context), void *context)
{
    current = s;
    s->guarded = true;
    if (setjmp(s->recover) != 0) {
        s->guarded = false;
        return false;
    }
    work(context);
    s->guarded = false;
    return true;
}
