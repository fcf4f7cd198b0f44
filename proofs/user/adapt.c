#include "proofs/user/adapt.h"

#include <string.h>

#define ADAPTED "warpcheck.adapted"

static bool is_float(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

/* The bits of an integer; 0: it is none. */
static unsigned integer_bits(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool is_c_integer(unsigned bits)
{
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

bool user_type_fits(enum user_type expected, enum user_role role, LLVMTypeRef type)
{
    const unsigned bits = integer_bits(type);
    switch (expected) {
    case USER_VOID:
        return LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    case USER_BOOL:
        return bits == 1;
    case USER_WORD:
        return is_c_integer(bits) || (role == USER_RETURNED && is_float(type));
    case USER_SIZE:
        return bits == 64;
    case USER_WORDS: /* bitcode does not say to what a pointer points: the shape does */
    case USER_SOURCES:
    case USER_POINTER:
        return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    }
    return false;
}

/* The type that C has without conversion; shapes with others are not adapted. */
static LLVMTypeRef plain_type(LLVMContextRef context, enum user_type type)
{
    switch (type) {
    case USER_VOID:
        return LLVMVoidTypeInContext(context);
    case USER_WORDS:
    case USER_SOURCES:
        return LLVMPointerTypeInContext(context, 0);
    case USER_WORD:
    case USER_BOOL:
    case USER_SIZE:
    case USER_POINTER:
        break;
    }
    return LLVMInt32TypeInContext(context);
}

static LLVMValueRef is_not_zero(LLVMBuilderRef b, LLVMValueRef x)
{
    return LLVMBuildICmp(b, LLVMIntNE, x, LLVMConstInt(LLVMTypeOf(x), 0, false), "");
}

/* A word as a number of another width. */
static LLVMValueRef converted(LLVMBuilderRef b, LLVMValueRef word, LLVMTypeRef type)
{
    const unsigned bits = integer_bits(type);
    if (bits == 1)
        return is_not_zero(b, word);
    return bits < 32 ? LLVMBuildTrunc(b, word, type, "") : bits > 32 ? LLVMBuildZExt(b, word, type, "") : word;
}

static bool has_attribute(LLVMValueRef function, unsigned at, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(function, at, LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

/* Who extends narrow values must agree. */
static void copy_passing(LLVMContextRef context, LLVMValueRef call, LLVMValueRef function)
{
    static const char *const passing[] = {"zeroext", "signext", "inreg"};
    for (unsigned at = LLVMAttributeReturnIndex; at <= LLVMCountParams(function); at++)
        for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
            if (has_attribute(function, at, passing[i]))
                LLVMAddCallSiteAttribute(
                    call, at,
                    LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(passing[i], strlen(passing[i])),
                                            0));
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
}

/* Where it does not hold is a place that must not be reached. */
static void must_hold(LLVMBuilderRef b, LLVMContextRef context, LLVMValueRef wrapper, LLVMValueRef condition)
{
    LLVMBasicBlockRef holds = LLVMAppendBasicBlockInContext(context, wrapper, ""),
                      other = LLVMAppendBasicBlockInContext(context, wrapper, "");
    LLVMBuildCondBr(b, condition, holds, other);
    LLVMPositionBuilderAtEnd(b, other);
    LLVMBuildUnreachable(b);
    LLVMPositionBuilderAtEnd(b, holds);
}

/* A number of 64 bits as a word; another number must not be returned. */
static LLVMValueRef narrowed(LLVMBuilderRef b, LLVMContextRef context, LLVMValueRef wrapper, LLVMValueRef x,
                             bool is_signed)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(context), wide = LLVMTypeOf(x);
    LLVMValueRef low = LLVMBuildTrunc(b, x, word, ""), back;
    back = is_signed ? LLVMBuildSExt(b, low, wide, "") : LLVMBuildZExt(b, low, wide, "");
    must_hold(b, context, wrapper, LLVMBuildICmp(b, LLVMIntEQ, back, x, ""));
    return low;
}

/* A byte that C reads as a bool: it must be 0 or 1. */
static LLVMValueRef bool_word(LLVMBuilderRef b, LLVMContextRef context, LLVMValueRef wrapper, LLVMValueRef byte)
{
    must_hold(b, context, wrapper, LLVMBuildICmp(b, LLVMIntULE, byte, LLVMConstInt(LLVMTypeOf(byte), 1, false), ""));
    return LLVMBuildZExt(b, byte, LLVMInt32TypeInContext(context), "");
}

static LLVMValueRef result_word(LLVMBuilderRef b, LLVMContextRef context, LLVMValueRef wrapper, LLVMValueRef x,
                                bool sign_extended, const struct warp_form_info *info)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    const unsigned bits = integer_bits(LLVMTypeOf(x));
    if (bits == 0)
        return LLVMBuildBitCast(b, x, word, "");
    if (bits < 32)
        return sign_extended ? LLVMBuildSExt(b, x, word, "") : LLVMBuildZExt(b, x, word, "");
    if (bits == 32)
        return x;
    if (warp_form_writes_p(info, user_dst(info)) && !warp_form_writes_d(info, user_dst(info)))
        return LLVMBuildZExt(b, is_not_zero(b, x), word, "");
    return narrowed(b, context, wrapper, x, info->type == WARP_S32);
}

/* The call of the user's function, and what it leaves as words. */
static void build(LLVMModuleRef module, LLVMValueRef wrapper, LLVMValueRef function, const struct user_shape *shape,
                  const struct warp_form_info *info)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMTypeRef type = LLVMGlobalGetValueType(function), byte = LLVMInt8TypeInContext(context), types[8];
    LLVMValueRef a[8], room = NULL, last = NULL, call;
    const unsigned n = LLVMCountParamTypes(type);
    LLVMGetParamTypes(type, types);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, wrapper, ""));
    for (unsigned i = 0; i < n; i++) {
        a[i] = LLVMGetParam(wrapper, i);
        if (shape->roles[i] == USER_ROLE_ONE_BOOL) {
            last = a[i];
            a[i] = room = LLVMBuildAlloca(b, byte, "");
        } else if (LLVMTypeOf(a[i]) != types[i]) {
            a[i] = converted(b, a[i], types[i]);
        }
    }
    call = LLVMBuildCall2(b, type, function, a, n, "");
    copy_passing(context, call, function);
    if (room != NULL)
        LLVMBuildStore(b, bool_word(b, context, wrapper, LLVMBuildLoad2(b, byte, room, "")), last);
    if (shape->types[0] == USER_VOID)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, result_word(b, context, wrapper, call,
                                    has_attribute(function, LLVMAttributeReturnIndex, "signext"), info));
    LLVMDisposeBuilder(b);
}

const char *user_entry(LLVMModuleRef module, const struct user_request *request, const struct user_shape *shape)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef function = LLVMGetNamedFunction(module, request->function), wrapper;
    LLVMTypeRef types[8], type;
    const unsigned n = (unsigned)strlen(shape->roles);
    if (function == NULL || shape->call == USER_WHOLE_CASE)
        return request->function;
    if (LLVMGetNamedFunction(module, ADAPTED) != NULL)
        return ADAPTED;
    for (unsigned i = 0; i < n; i++)
        types[i] = plain_type(context, (enum user_type)shape->types[i + 1]);
    type = LLVMFunctionType(plain_type(context, (enum user_type)shape->types[0]), types, n, false);
    if (type == LLVMGlobalGetValueType(function) && strchr(shape->roles, USER_ROLE_ONE_BOOL) == NULL)
        return request->function;
    wrapper = LLVMAddFunction(module, ADAPTED, type);
    build(module, wrapper, function, shape, request->info);
    return ADAPTED;
}
