/*
 * The register declarations of a whole PTX module: names to types, where that is sure.
 */
#ifndef WARPCHECK_PROGRAM_LINT_TYPES_H
#define WARPCHECK_PROGRAM_LINT_TYPES_H

#include "ptx/text/lex.h"
#include "ptx/ptx.h"

#define LINT_TYPES_MAX 1024u

struct lint_type {
    char name[PTX_NAME_MAX + 1];
    bool is_range; /* name<count> */
    uint64_t count;
    enum ptx_type type; /* PTX_UNKNOWN: declared with several types, in different scopes */
};

struct lint_types {
    size_t count;
    struct lint_type entries[LINT_TYPES_MAX];
};

/* Reads `.type a, b<10>...` behind .reg, as far as it is understood. */
void lint_types_read(struct lint_types *types, struct lexer *l);
/* A ptx_type_fn; the context is a struct lint_types. */
enum ptx_type lint_types_find(void *types, const char *name);

#endif
