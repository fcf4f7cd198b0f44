#include "proofs/bitcode.h"

#include "base/file.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITCODE_MAX  ((size_t)1 << 30) /* bytes */
#define HEAD_SIZE    256u
#define VERSION_HERE 14ul /* the LLVM that reads */

static const char how[] = "make it with: clang-14 -O2 -emit-llvm -c FILE.c -o FILE.bc";

/* `width` bits from bit `at`, lowest first, as bitcode counts them. */
static unsigned bits_at(const unsigned char *bytes, size_t at, unsigned width)
{
    unsigned r = 0;
    for (unsigned i = 0; i < width; i++)
        r |= (unsigned)(bytes[(at + i) / 8] >> (at + i) % 8 & 1u) << i;
    return r;
}

static char letter_at(const unsigned char *bytes, size_t at, unsigned width)
{
    static const char six[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    const unsigned n = bits_at(bytes, at, width);
    return width == 6 ? six[n] : (char)n;
}

/*
 * The version of the LLVM that wrote a file, "14.0.6", from the identification at its beginning: the letters
 * "LLVM14.0.6" in 6 or 8 bits each, at any bit. "" when there is none.
 */
static void find_version(const unsigned char *bytes, size_t size, char version[32])
{
    version[0] = '\0';
    for (unsigned width = 6; width <= 8; width += 2)
        for (size_t at = 0; at + 16 * width < 8 * size; at++) {
            char text[16] = "";
            for (unsigned i = 0; i < 15; i++)
                text[i] = letter_at(bytes, at + i * width, width);
            if (strncmp(text, "LLVM", 4) == 0 && strchr("0123456789", text[4]) != NULL && text[4] != '\0') {
                snprintf(version, 32, "%.*s", (int)strspn(text + 4, "0123456789."), text + 4);
                return;
            }
        }
}

/* Is it bitcode, of no newer LLVM? */
static bool check_head(const char *file, const char *bytes, size_t size, struct error *error)
{
    unsigned char head[HEAD_SIZE + 16] = {0}; /* find_version reads beyond what is there */
    char version[32];
    const size_t known = size < HEAD_SIZE ? size : HEAD_SIZE;
    memcpy(head, bytes, known);
    if (known < 4 || (memcmp(head, "BC\xc0\xde", 4) != 0 && memcmp(head, "\xde\xc0\x17\x0b", 4) != 0))
        return error_set(error, ERROR_INPUT, "%s: not LLVM bitcode (%s)", file, how);
    find_version(head, known, version);
    if (strtoul(version, NULL, 10) > VERSION_HERE)
        return error_set(error, ERROR_UNSUPPORTED, "%s: bitcode of LLVM %s, and this reads LLVM 14's (%s)", file,
                         version, how);
    return true;
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
    return module;
}

LLVMModuleRef bitcode_read(LLVMContextRef context, const char *file, struct error *error)
{
    size_t size;
    char *const bytes = file_read(file, BITCODE_MAX, &size, error);
    LLVMModuleRef module = NULL;
    if (bytes != NULL && check_head(file, bytes, size, error))
        module = parse(context, file, bytes, size, error);
    free(bytes);
    return module;
}
