/* Types, constants and global variables. */
#include "proofs/machine.h"

#include <stdio.h>
#include <string.h>

#define NO_VALUE "the variable '%s' has no initial value in this bitcode"

static _Noreturn void refuse_type(struct machine *machine, LLVMTypeRef type)
{
    char *text = LLVMPrintTypeToString(type), shown[160];
    strncpy(shown, text, sizeof shown - 1);
    shown[sizeof shown - 1] = '\0';
    LLVMDisposeMessage(text);
    fail(&machine->m, "the type '%s' is not translated (in %s)", shown, machine->where);
}

static unsigned scalar_width(struct machine *machine, LLVMTypeRef type, bool *pointer)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: /* values are kept in 64 bits (struct scalar) */
        if (LLVMGetIntTypeWidth(type) > 64)
            fail(&machine->m, "integers of %u bits are not translated (in %s)", LLVMGetIntTypeWidth(type),
                 machine->where);
        return LLVMGetIntTypeWidth(type);
    case LLVMFloatTypeKind:
        return 32;
    case LLVMPointerTypeKind:
        if (LLVMGetPointerAddressSpace(type) != 0)
            refuse_type(machine, type);
        *pointer = true;
        return 64;
    default:
        refuse_type(machine, type);
    }
}

struct shape machine_shape(struct machine *machine, LLVMTypeRef type)
{
    struct shape shape = {.n = 1};
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        shape.n = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    shape.width = scalar_width(machine, type, &shape.pointer);
    return shape;
}

static uint64_t float_bits(struct machine *machine, LLVMValueRef constant)
{
    LLVMBool inexact;
    const double d = LLVMConstRealGetDouble(constant, &inexact);
    const float f = (float)d;
    uint32_t bits;
    LLVMValueRef number; /* the same bits as an integer: also those of NaN */
    if (LLVMGetTypeKind(LLVMTypeOf(constant)) != LLVMFloatTypeKind || (d == d && (double)f != d))
        fail(&machine->m, "a floating-point constant that is no f32");
    number = LLVMConstBitCast(constant, LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(constant))));
    if (LLVMIsAConstantInt(number) != NULL)
        return LLVMConstIntGetZExtValue(number);
    if (d != d)
        fail(&machine->m, "a floating-point constant that is NaN");
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Another name of a function or variable: what it names. */
static LLVMValueRef aliasee(struct machine *machine, LLVMValueRef alias)
{
    if (machine_replaceable(alias))
        fail(&machine->m, "the name '%s' may stand for something else when linked (weak)", LLVMGetValueName(alias));
    return LLVMAliasGetAliasee(alias);
}

/* A pointer constant: address of a global, moved by known distances. */
static const struct scalar *pointer_constant(struct machine *machine, LLVMValueRef constant)
{
    struct maker *m = &machine->m;
    if (LLVMIsAConstantPointerNull(constant))
        return make_pointer(m, 0, 0, NULL, 1);
    if (LLVMIsAGlobalAlias(constant))
        return pointer_constant(machine, aliasee(machine, constant));
    if (LLVMIsAFunction(constant) || LLVMIsAGlobalVariable(constant))
        return machine_global(machine, constant);
    if (!LLVMIsAConstantExpr(constant))
        fail(m, "a pointer constant of an unknown kind");
    if (LLVMGetConstOpcode(constant) != LLVMGetElementPtr)
        fail(m, "constant expression number %d is not translated", (int)LLVMGetConstOpcode(constant));
    return machine_element_constant(machine, constant);
}

static const struct scalar *scalar_constant(struct machine *machine, LLVMValueRef constant, struct shape shape)
{
    struct maker *m = &machine->m;
    if (LLVMIsUndef(constant) || LLVMIsPoison(constant)) {
        if (shape.pointer)
            return make_unmerged(m, 64, "an undefined pointer is used");
        return LLVMIsPoison(constant) ? with_poison(m, make_known(m, shape.width, 0), term_bool(m->s, true))
                                      : make_unset(m, shape.width);
    }
    if (shape.pointer)
        return pointer_constant(machine, constant);
    if (LLVMIsAConstantInt(constant)) {
        if (shape.width > 64 && !LLVMIsNull(constant))
            fail(m, "an integer constant of %u bits is not translated", shape.width);
        return make_known(m, shape.width, shape.width > 64 ? 0 : LLVMConstIntGetZExtValue(constant));
    }
    if (LLVMIsAConstantFP(constant))
        return make_known(m, 32, float_bits(machine, constant));
    if (LLVMIsNull(constant))
        return make_known(m, shape.width, 0);
    if (LLVMIsAConstantExpr(constant) && LLVMGetConstOpcode(constant) == LLVMPtrToInt && shape.width == 64)
        return pointer_constant(machine, LLVMGetOperand(constant, 0));
    fail(m, "a constant of an unknown kind");
}

const struct value *machine_constant(struct machine *machine, LLVMValueRef constant)
{
    struct shape shape;
    struct value *v;
    if (machine_is_aggregate(LLVMTypeOf(constant)))
        return machine_aggregate_constant(machine, constant);
    shape = machine_shape(machine, LLVMTypeOf(constant));
    v = make_vector(&machine->m, shape.n);
    for (unsigned i = 0; i < shape.n; i++) {
        const bool vector = LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMVectorTypeKind;
        LLVMValueRef element = vector ? LLVMGetAggregateElement(constant, i) : constant;
        if (element == NULL)
            fail(&machine->m, "a constant of an unknown kind");
        v->e[i] = scalar_constant(machine, element, shape);
    }
    return v;
}

/* The variable whose address the constant is, perhaps moved, when its content is not in this bitcode; else NULL. */
static LLVMValueRef elsewhere(LLVMValueRef constant)
{
    while (LLVMIsAConstantExpr(constant) && LLVMGetConstOpcode(constant) == LLVMGetElementPtr)
        constant = LLVMGetOperand(constant, 0);
    return LLVMIsAGlobalVariable(constant) && LLVMGetInitializer(constant) == NULL ? constant : NULL;
}

/* What has no value is an error only where it is used: the table of a class with virtual functions names the library's
 * description of classes, which nobody reads. */
static const struct value *initial(struct machine *machine, LLVMValueRef constant)
{
    LLVMValueRef variable = elsewhere(constant);
    char *why;
    size_t size;
    if (variable == NULL)
        return machine_constant(machine, constant);
    size = sizeof NO_VALUE + strlen(LLVMGetValueName(variable));
    why = arena_take(&machine->m.arena, size);
    snprintf(why, size, NO_VALUE, LLVMGetValueName(variable));
    return make_value(&machine->m, make_unmerged(&machine->m, 64, why));
}

/* Writes an initializer into a new object. */
static void initialize(struct machine *machine, unsigned object, uint64_t at, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    const uint64_t size = machine->sizes[object];
    const struct value *v;
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
        const unsigned n = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength(type);
        if (LLVMIsNull(constant)) {
            for (uint64_t i = 0; i < LLVMABISizeOfType(machine->layout, type); i++)
                memory_store(&machine->m, &machine->now, object, size, at + i, make_known(&machine->m, 8, 0));
            return;
        }
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef element = LLVMGetAggregateElement(constant, i);
            const uint64_t offset = kind == LLVMStructTypeKind
                                        ? LLVMOffsetOfElement(machine->layout, type, i)
                                        : i * LLVMABISizeOfType(machine->layout, LLVMGetElementType(type));
            if (element == NULL)
                fail(&machine->m, "a constant of an unknown kind");
            initialize(machine, object, at + offset, element);
        }
        return;
    }
    v = initial(machine, constant);
    if (v->n > 1 && v->e[0]->width % 8 != 0)
        fail(&machine->m, "a constant vector of elements of %u bits in memory is not translated", v->e[0]->width);
    for (unsigned i = 0; i < v->n; i++) {
        const struct scalar *x = v->e[i];
        if (x->width % 8 != 0)
            x = arith_cast(&machine->m, LLVMZExt, x, (x->width + 7) / 8 * 8);
        memory_store(&machine->m, &machine->now, object, size, at + i * (x->width / 8), x);
    }
}

/* Linkers may take another definition than this one, which need not be equivalent (those of ..._odr are). */
bool machine_replaceable(LLVMValueRef global)
{
    switch (LLVMGetLinkage(global)) {
    case LLVMWeakAnyLinkage:
    case LLVMLinkOnceAnyLinkage:
    case LLVMCommonLinkage:
    case LLVMExternalWeakLinkage:
        return true;
    case LLVMExternalLinkage: /* with -fsemantic-interposition the dynamic linker may */
        return LLVMGetModuleFlag(LLVMGetGlobalParent(global), "SemanticInterposition", 21) != NULL;
    case LLVMAvailableExternallyLinkage:
    case LLVMLinkOnceODRLinkage:
    case LLVMLinkOnceODRAutoHideLinkage:
    case LLVMWeakODRLinkage:
    case LLVMAppendingLinkage:
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
    case LLVMDLLImportLinkage:
    case LLVMDLLExportLinkage:
    case LLVMGhostLinkage:
    case LLVMLinkerPrivateLinkage:
    case LLVMLinkerPrivateWeakLinkage:
        return false;
    }
    return true;
}

/* Does the call copy from the address, and nothing else with it? */
static bool copies_from(LLVMValueRef call, LLVMValueRef address)
{
    LLVMValueRef callee = LLVMIsACallInst(call) == NULL ? NULL : LLVMIsAFunction(LLVMGetCalledValue(call));
    const char *name = callee == NULL ? "" : LLVMGetValueName(callee);
    return (strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memmove.", 13) == 0) &&
           LLVMGetOperand(call, 0) != address;
}

/* Is every use of the address one that reads? */
static bool only_reads(LLVMValueRef address, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u != NULL; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        const LLVMOpcode op = LLVMIsAInstruction(user) != NULL    ? LLVMGetInstructionOpcode(user)
                              : LLVMIsAConstantExpr(user) != NULL ? LLVMGetConstOpcode(user)
                                                                  : LLVMRet;
        const bool moves = op == LLVMGetElementPtr || op == LLVMBitCast;
        if (op != LLVMLoad && !copies_from(user, address) && !(moves && depth > 0 && only_reads(user, depth - 1)))
            return false;
    }
    return true;
}

/* A table that is not `const`, but nobody else can reach it and nobody here writes it. */
static bool is_never_written(LLVMValueRef variable)
{
    const LLVMLinkage linkage = LLVMGetLinkage(variable);
    return (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage) && only_reads(variable, 6);
}

static bool is_known_global(const struct machine *machine, LLVMValueRef value, unsigned *object)
{
    for (size_t i = 0; i < machine->global_count; i++)
        if (machine->globals[i].value == value) {
            *object = machine->globals[i].object;
            return true;
        }
    return false;
}

static void note_global(struct machine *machine, LLVMValueRef value, unsigned object)
{
    machine->globals = smt_grow(machine->globals, machine->global_count + 1, sizeof *machine->globals);
    machine->globals[machine->global_count++] = (struct global_object){value, object};
}

/* A new object for the variable or function; its content is not there yet. */
static unsigned new_global(struct machine *machine, LLVMValueRef value)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    uint64_t size = 0;
    unsigned object, alignment = LLVMGetAlignment(value); /* 0: not stated */
    if (LLVMGetLinkage(value) == LLVMExternalWeakLinkage)
        fail(&machine->m, "'%s' is weak and not in this bitcode: its address may be null", name);
    if (LLVMIsAGlobalVariable(value)) {
        if (machine_replaceable(value) || LLVMIsExternallyInitialized(value))
            fail(&machine->m, "the variable '%s' may have another initial value when linked (weak)", name);
        if (LLVMGetInitializer(value) == NULL)
            fail(&machine->m, NO_VALUE, name);
        size = LLVMABISizeOfType(machine->layout, LLVMGlobalGetValueType(value));
        if (alignment == 0)
            alignment = LLVMABIAlignmentOfType(machine->layout, LLVMGlobalGetValueType(value));
    }
    object = machine_object(machine, name, size, alignment == 0 ? 1 : alignment);
    note_global(machine, value, object);
    if (LLVMIsAFunction(value))
        machine->objects[object].function = value;
    else if (LLVMIsGlobalConstant(value) || is_never_written(value))
        machine->objects[object].constant = machine->objects[object].fixed = true;
    else
        machine->objects[object].kept = true;
    return object;
}

static bool is_here(const struct machine *machine, unsigned object)
{
    return object < machine->now.n && machine->now.blocks[object] != NULL;
}

/* It is one object on every way, though it comes into each way's memory only where that uses it first. */
const struct scalar *machine_global(struct machine *machine, LLVMValueRef value)
{
    unsigned object;
    const bool known = is_known_global(machine, value, &object);
    if (!known)
        object = new_global(machine, value);
    if (known && is_here(machine, object))
        return machine_address(machine, object, 0);
    if (machine->objects[object].kept) {
        state_keep(&machine->now, object, machine->sizes[object]);
    } else {
        state_add(&machine->now, object, machine->sizes[object]);
        if (machine->objects[object].fixed)
            initialize(machine, object, 0, LLVMGetInitializer(value));
    }
    return machine_address(machine, object, 0);
}

/* It becomes an object of its own, which has only these bytes: what is constant may be there twice. */
const struct scalar *machine_part(struct machine *machine, LLVMValueRef constant, const struct scalar *p, int64_t low,
                                  int64_t high)
{
    const uint64_t first = p->number + (uint64_t)low, n = (uint64_t)high - (uint64_t)low;
    const uint64_t size = p->kind == POINTER ? machine->sizes[p->object] : 0;
    unsigned object, alignment;
    bool known;
    if (p->kind != POINTER || p->index != NULL || p->poison != NULL || !machine->objects[p->object].fixed || low > 0 ||
        high < low || first > size || n > size - first)
        fail(&machine->m, "'inrange' is translated of a place in a constant alone");
    known = is_known_global(machine, constant, &object);
    if (!known) {
        alignment = machine->objects[p->object].alignment;
        while (first % alignment != 0)
            alignment /= 2;
        object = machine_object(machine, machine->objects[p->object].name, n, alignment);
        note_global(machine, constant, object);
        machine->objects[object].constant = machine->objects[object].part = true;
    }
    if (!known || !is_here(machine, object)) {
        state_add(&machine->now, object, n);
        memory_copy(&machine->now, object, n, 0, p->object, first, n);
    }
    return machine_address(machine, object, 0 - (uint64_t)low);
}
