#include "proofs/bitcode.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITCODE_MAX ((size_t)1 << 30) /* bytes */
#define OLDEST      14ul              /* the versions of LLVM whose bitcode is read */
#define NEWEST      19ul

static const char how[] = "make it with clang 14 to 19: clang -O2 -emit-llvm -c FILE.c -o FILE.bc";

/* --- who wrote it ------------------------------------------------------------------------------------------------ */

/* Bitcode is numbers of so many bits, lowest first. What lies beyond its end is 0. */
struct bits {
    const unsigned char *bytes;
    size_t size, at; /* bytes; bits */
};

static unsigned fixed(struct bits *b, unsigned width)
{
    unsigned r = 0;
    for (unsigned i = 0; i < width; i++, b->at++)
        if (b->at / 8 < b->size)
            r |= (unsigned)(b->bytes[b->at / 8] >> b->at % 8 & 1u) << i;
    return r;
}

/* Parts of width - 1 bits, lowest first, each with a bit that says whether another follows. */
static unsigned variable(struct bits *b, unsigned width)
{
    const unsigned more = 1u << (width - 1);
    unsigned r = 0;
    for (unsigned shift = 0; shift < 32; shift += width - 1) {
        const unsigned part = fixed(b, width);
        r |= (part & (more - 1)) << shift;
        if ((part & more) == 0)
            break;
    }
    return r;
}

/* The definition of an abbreviation, of which only the last part matters here: the kind of an array's elements. */
static void read_abbreviation(struct bits *b, bool *six)
{
    enum { FIXED = 1, VARIABLE = 2, SIX = 4 };
    const unsigned n = variable(b, 5);
    for (unsigned i = 0; i < n && i < 16; i++) {
        unsigned kind;
        if (fixed(b, 1)) {
            variable(b, 8); /* a literal */
            continue;
        }
        kind = fixed(b, 3);
        if (kind == FIXED || kind == VARIABLE)
            variable(b, 5); /* the width */
        *six = kind == SIX;
    }
}

#define NAME_ROOM 64u

/*
 * The program that wrote a file, as it names itself in the block that all bitcode begins with: "LLVM14.0.6". False: the
 * file does not begin so.
 */
static bool read_writer(struct bits *b, char name[NAME_ROOM])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    enum { ENTER = 1, IDENTIFICATION = 13, DEFINE = 2, WHOLE = 3, STRING = 1 };
    unsigned width, id, n;
    bool six = false;
    if (fixed(b, 2) != ENTER || variable(b, 8) != IDENTIFICATION)
        return false;
    width = variable(b, 4);
    b->at = (b->at + 31) / 32 * 32 + 32; /* the block's length */
    while ((id = fixed(b, width)) == DEFINE)
        read_abbreviation(b, &six);
    if (id < WHOLE || (id == WHOLE && variable(b, 6) != STRING))
        return false;
    n = variable(b, 6);
    for (unsigned i = 0; i < n && i < NAME_ROOM - 1; i++)
        name[i] = id == WHOLE ? (char)variable(b, 6) : six ? letters[fixed(b, 6)] : (char)fixed(b, 8);
    name[n < NAME_ROOM ? n : NAME_ROOM - 1] = '\0';
    for (char *c = name; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return true;
}

/* "LLVM19.1.7", also with what names a state between two releases ("LLVM19.0.0git"). */
static bool is_read(const char *writer)
{
    const bool llvm = strncmp(writer, "LLVM", 4) == 0;
    const char *rest = llvm ? writer + 4 + strspn(writer + 4, "0123456789.") : writer;
    const unsigned long version = llvm ? strtoul(writer + 4, NULL, 10) : 0;
    return version >= OLDEST && version <= NEWEST && (*rest == '\0' || strcmp(rest, "git") == 0);
}

/* Is it bitcode of an LLVM that is read here? A wrapper, as some systems have it, says where the bitcode begins. */
static bool check_writer(const char *file, const char *bytes, size_t size, struct error *error)
{
    struct bits b = {.bytes = (const unsigned char *)bytes, .size = size};
    char writer[NAME_ROOM] = "";
    if (size >= 12 && memcmp(bytes, "\xde\xc0\x17\x0b", 4) == 0) {
        b.at = 64;
        b.at = 8 * (size_t)fixed(&b, 32);
    }
    if (b.at / 8 >= size || size - b.at / 8 < 4 || memcmp(bytes + b.at / 8, "BC\xc0\xde", 4) != 0)
        return error_set(error, ERROR_INPUT, "%s: not LLVM bitcode (%s)", file, how);
    b.at += 32;
    if (!read_writer(&b, writer))
        return error_set(error, ERROR_UNSUPPORTED, "%s: bitcode that does not say which LLVM wrote it (%s)", file, how);
    if (!is_read(writer))
        return error_set(error, ERROR_UNSUPPORTED, "%s: bitcode of %s, and this reads LLVM %lu's to %lu's (%s)", file,
                         writer, OLDEST, NEWEST, how);
    return true;
}

/* The compilers that made the parts of a module, where they say so: "Debian clang version 14.0.6". */
static bool check_compilers(const char *file, LLVMModuleRef module, struct error *error)
{
    const unsigned n = LLVMGetNamedMetadataNumOperands(module, "llvm.ident");
    LLVMValueRef *const nodes = calloc(n + 1, sizeof *nodes);
    bool ok = nodes != NULL;
    if (ok)
        LLVMGetNamedMetadataOperands(module, "llvm.ident", nodes);
    for (unsigned i = 0; ok && i < n; i++) {
        LLVMValueRef text = NULL;
        unsigned length = 0;
        const char *name = "";
        if (LLVMGetMDNodeNumOperands(nodes[i]) == 1)
            LLVMGetMDNodeOperands(nodes[i], &text);
        if (text != NULL)
            name = LLVMGetMDString(text, &length);
        ok = name != NULL && strstr(name, "clang version ") != NULL;
        if (!ok)
            error_set(error, ERROR_UNSUPPORTED, "%s: bitcode that '%.80s' made, and this reads clang's (%s)", file,
                      name == NULL ? "" : name, how);
    }
    free(nodes);
    return ok;
}

/* Collects LLVM's messages while it reads. */
struct diagnosis {
    char text[200];
};

static void diagnose(LLVMDiagnosticInfoRef information, void *context)
{
    struct diagnosis *const d = context;
    char *const text = LLVMGetDiagInfoDescription(information);
    snprintf(d->text, sizeof d->text, "%s", text);
    LLVMDisposeMessage(text);
}

/* LLVM's own messages would go to standard error. */
static void be_quiet(LLVMDiagnosticInfoRef information, void *context)
{
    (void)information, (void)context;
}

static LLVMModuleRef parse(LLVMContextRef context, const char *file, const char *bytes, size_t size,
                           struct error *error)
{
    struct diagnosis d = {""};
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, file);
    LLVMModuleRef module = NULL;
    char *message = NULL;
    LLVMContextSetDiagnosticHandler(context, diagnose, &d);
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        error_set(error, ERROR_INPUT, "%s: damaged bitcode: %s (%s)", file, d.text, how);
        module = NULL;
    }
    LLVMContextSetDiagnosticHandler(context, be_quiet, NULL);
    LLVMDisposeMemoryBuffer(buffer);
    if (module != NULL && LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        error_set(error, ERROR_INPUT, "%s: bitcode that LLVM finds wrong: %.*s", file, (int)strcspn(message, "\n"),
                  message);
        LLVMDisposeModule(module);
        module = NULL;
    }
    LLVMDisposeMessage(message);
    if (module != NULL && !check_compilers(file, module, error)) {
        LLVMDisposeModule(module);
        module = NULL;
    }
    return module;
}

LLVMModuleRef bitcode_read(LLVMContextRef context, const char *file, struct error *error)
{
    size_t size;
    char *const bytes = file_read(file, BITCODE_MAX, &size, error);
    LLVMModuleRef module = NULL;
    if (bytes != NULL && check_writer(file, bytes, size, error))
        module = parse(context, file, bytes, size, error);
    free(bytes);
    return module;
}
