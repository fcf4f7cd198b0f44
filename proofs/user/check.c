/* Checks of a file and a function before anything is translated. */
#include "proofs/user/shape.h"

#include <errno.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool read_head(const char *file, unsigned char *head, size_t *size, char *error, size_t error_size)
{
    FILE *f = fopen(file, "rb");
    char version[32];
    if (f != NULL)
        *size = fread(head, 1, HEAD_SIZE, f);
    if (f == NULL || ferror(f)) {
        snprintf(error, error_size, "%s: cannot be read: %s", file, strerror(errno));
        if (f != NULL)
            fclose(f);
        return false;
    }
    fclose(f);
    if (*size < 4 || (memcmp(head, "BC\xc0\xde", 4) != 0 && memcmp(head, "\xde\xc0\x17\x0b", 4) != 0)) {
        snprintf(error, error_size, "%s: not LLVM bitcode (%s)", file, how);
        return false;
    }
    find_version(head, *size, version);
    if (strtoul(version, NULL, 10) > VERSION_HERE) {
        snprintf(error, error_size, "%s: bitcode of LLVM %s, and this reads LLVM 14's (%s)", file, version, how);
        return false;
    }
    return true;
}

/* Collects LLVM's messages while it reads. */
struct diagnosis {
    char text[200];
};

static void diagnose(LLVMDiagnosticInfoRef information, void *context)
{
    struct diagnosis *d = context;
    char *text = LLVMGetDiagInfoDescription(information);
    snprintf(d->text, sizeof d->text, "%s", text);
    LLVMDisposeMessage(text);
}

static LLVMModuleRef read_module(LLVMContextRef context, const char *file, char *error, size_t error_size)
{
    struct diagnosis d = {""};
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message)) {
        snprintf(error, error_size, "%s: cannot be read: %s", file, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    LLVMContextSetDiagnosticHandler(context, diagnose, &d);
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        snprintf(error, error_size, "%s: damaged bitcode: %s (%s)", file, d.text, how);
        module = NULL;
    }
    LLVMDisposeMemoryBuffer(buffer);
    if (module != NULL && LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        snprintf(error, error_size, "%s: bitcode that LLVM finds wrong: %.*s", file, (int)strcspn(message, "\n"),
                 message);
        LLVMDisposeModule(module);
        module = NULL;
    }
    LLVMDisposeMessage(message);
    return module;
}

/* Functions that may be called from one, found so far. */
struct reached {
    LLVMValueRef *functions;
    size_t count;
};

static void reach(struct reached *r, LLVMValueRef function)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->functions[i] == function)
            return;
    r->functions = smt_grow(r->functions, r->count + 1, sizeof *r->functions);
    r->functions[r->count++] = function;
}

/* The functions that an instruction may call: those that it names, or every function when it calls through a
 * pointer. */
static void reach_from(struct reached *r, LLVMModuleRef module, LLVMValueRef instruction)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        if (LLVMIsAFunction(LLVMGetOperand(instruction, (unsigned)i)) != NULL)
            reach(r, LLVMGetOperand(instruction, (unsigned)i));
    if (LLVMIsACallInst(instruction) == NULL || LLVMIsAFunction(LLVMGetCalledValue(instruction)) != NULL ||
        LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) != NULL)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
        reach(r, f);
}

static struct reached reach_all(LLVMModuleRef module, LLVMValueRef function)
{
    struct reached r = {NULL, 0};
    reach(&r, function);
    for (size_t i = 0; i < r.count; i++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(r.functions[i]); b != NULL; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef x = LLVMGetFirstInstruction(b); x != NULL; x = LLVMGetNextInstruction(x))
                reach_from(&r, module, x);
    return r;
}

/* Attributes of parameters that make a copy of what is pointed to, which a call here would not. */
static const char *copying_attribute(LLVMValueRef f)
{
    static const char *const copies[] = {"byval", "inalloca", "preallocated"};
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        for (size_t k = 0; k < sizeof copies / sizeof *copies; k++)
            if (LLVMGetEnumAttributeAtIndex(f, i + 1, LLVMGetEnumAttributeKindForName(copies[k], strlen(copies[k]))) !=
                NULL)
                return copies[k];
    return NULL;
}

static bool check_attributes(LLVMModuleRef module, LLVMValueRef function, const char *file, char *error,
                             size_t error_size)
{
    const struct reached r = reach_all(module, function);
    bool ok = true;
    for (size_t i = 0; ok && i < r.count; i++) {
        const char *attribute = copying_attribute(r.functions[i]);
        ok = attribute == NULL;
        if (!ok)
            snprintf(error, error_size,
                     "%s: '%s' takes a structure by value (attribute '%s'), which is not translated: pass a "
                     "pointer",
                     file, LLVMGetValueName(r.functions[i]), attribute);
    }
    free(r.functions);
    return ok;
}

static bool is_integer(LLVMTypeRef type, unsigned width)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == width;
}

static bool fits_type(char expected, LLVMTypeRef type, const struct warp_form_info *info)
{
    const bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    switch (expected) {
    case 'v':
        return LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    case 'b':
        return is_integer(type, 1);
    case 'i':
        return is_integer(type, 32);
    case 'l':
        return is_integer(type, 64);
    case 'p':
        return pointer && is_integer(LLVMGetElementType(type), 32);
    case 'q':
        return pointer && is_integer(LLVMGetElementType(type), info->type == WARP_B64 ? 64 : 32);
    default:
        return pointer;
    }
}

static bool check_signature(const struct user_request *request, const struct user_shape *shape, LLVMValueRef function,
                            char *error, size_t error_size)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[32];
    const unsigned n = LLVMCountParamTypes(type);
    bool fits = n == strlen(shape->roles) && n <= 32 && !LLVMIsFunctionVarArg(type) &&
                fits_type(shape->types[0], LLVMGetReturnType(type), request->info);
    char *text;
    if (fits)
        LLVMGetParamTypes(type, parameters);
    for (unsigned i = 0; fits && i < n; i++)
        fits = fits_type(shape->types[i + 1], parameters[i], request->info);
    if (fits)
        return true;
    text = LLVMPrintTypeToString(type);
    snprintf(error, error_size, "%s: '%s' is %s, and shape '%s' is %s", request->file, request->function, text,
             shape->name, shape->declaration);
    LLVMDisposeMessage(text);
    return false;
}

static void no_function(const struct user_request *request, LLVMModuleRef module, char *error, size_t error_size)
{
    size_t length =
        (size_t)snprintf(error, error_size, "%s: no function '%s'; there are", request->file, request->function);
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL && length < error_size; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && n++ < 8)
            length += (size_t)snprintf(error + length, error_size - length, " %s", LLVMGetValueName(f));
    if (length < error_size)
        snprintf(error + length, error_size - length, "%s", n == 0 ? " none" : n > 8 ? " ..." : "");
}

static bool check_module(const struct user_request *request, const struct user_shape *shape, LLVMModuleRef module,
                         char *error, size_t error_size)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    LLVMValueRef function = LLVMGetNamedFunction(module, request->function);
    if (LLVMByteOrder(layout) != LLVMLittleEndian || LLVMPointerSize(layout) != 8) {
        snprintf(error, error_size,
                 "%s: made for '%s', and only little-endian targets with 64-bit pointers are translated", request->file,
                 LLVMGetTarget(module));
        return false;
    }
    if (function == NULL || LLVMIsDeclaration(function)) {
        no_function(request, module, error, error_size);
        return false;
    }
    return check_signature(request, shape, function, error, error_size) &&
           check_attributes(module, function, request->file, error, error_size);
}

bool user_check_file(const struct user_request *request, const struct user_shape *shape, char *error, size_t error_size)
{
    unsigned char head[HEAD_SIZE + 16] = {0};
    size_t size = 0;
    LLVMContextRef context;
    LLVMModuleRef module;
    bool ok;
    if (!read_head(request->file, head, &size, error, error_size))
        return false;
    context = LLVMContextCreate();
    module = read_module(context, request->file, error, error_size);
    ok = module != NULL && check_module(request, shape, module, error, error_size);
    if (module != NULL)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return ok;
}
