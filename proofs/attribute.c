#include "proofs/attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The places where an attribute is accepted. */
enum place { ON_FUNCTION = 1, ON_ARGUMENT = 2, ON_RESULT = 4 };

struct taken {
    const char *name;
    unsigned places;
};

static const struct taken attributes[] = {
    /* obeyed (promise.c) */
    {"align", ON_ARGUMENT | ON_RESULT},
    {"dereferenceable", ON_ARGUMENT | ON_RESULT},
    {"dereferenceable_or_null", ON_ARGUMENT | ON_RESULT},
    {"nonnull", ON_ARGUMENT | ON_RESULT},
    {"noundef", ON_ARGUMENT | ON_RESULT},
    {"sret", ON_ARGUMENT},
    {"writable", ON_ARGUMENT},
    {"byval", ON_ARGUMENT}, /* the caller makes the copy (step.c) */
    {"noreturn", ON_FUNCTION},
    {"returned", ON_ARGUMENT},
    {"memory", ON_FUNCTION}, /* as far as it says what is read and written anywhere */
    {"range", ON_ARGUMENT | ON_RESULT},
    {"nofree", ON_FUNCTION},
    {"norecurse", ON_FUNCTION},
    /* about what the translator refuses or follows anyway: exceptions, threads, loops without end */
    {"dead_on_unwind", ON_ARGUMENT},
    {"nocallback", ON_FUNCTION},
    {"nosync", ON_FUNCTION},
    {"nounwind", ON_FUNCTION},
    {"mustprogress", ON_FUNCTION},
    {"willreturn", ON_FUNCTION},
    {"speculatable", ON_FUNCTION},
    {"null_pointer_is_valid", ON_FUNCTION},
    {"strictfp", ON_FUNCTION},
    /* about who else knows or reaches the memory: not obeyed, and not noticed when it is wrong */
    {"noalias", ON_ARGUMENT | ON_RESULT},
    {"nocapture", ON_ARGUMENT},
    {"readnone", ON_ARGUMENT},
    {"readonly", ON_ARGUMENT},
    {"writeonly", ON_ARGUMENT},
    /* for the optimizer and the code generator */
    {"allocalign", ON_ARGUMENT},
    {"allockind", ON_FUNCTION},
    {"allocptr", ON_ARGUMENT},
    {"allocsize", ON_FUNCTION},
    {"alwaysinline", ON_FUNCTION},
    {"builtin", ON_FUNCTION},
    {"cold", ON_FUNCTION},
    {"convergent", ON_FUNCTION},
    {"disable_sanitizer_instrumentation", ON_FUNCTION},
    {"elementtype", ON_ARGUMENT},
    {"fn_ret_thunk_extern", ON_FUNCTION},
    {"hot", ON_FUNCTION},
    {"immarg", ON_ARGUMENT},
    {"inlinehint", ON_FUNCTION},
    {"inreg", ON_ARGUMENT | ON_RESULT},
    {"jumptable", ON_FUNCTION},
    {"minsize", ON_FUNCTION},
    {"nobuiltin", ON_FUNCTION},
    {"nocf_check", ON_FUNCTION},
    {"noduplicate", ON_FUNCTION},
    {"noimplicitfloat", ON_FUNCTION},
    {"noinline", ON_FUNCTION},
    {"nomerge", ON_FUNCTION},
    {"nonlazybind", ON_FUNCTION},
    {"noprofile", ON_FUNCTION},
    {"noredzone", ON_FUNCTION},
    {"nosanitize_bounds", ON_FUNCTION},
    {"nosanitize_coverage", ON_FUNCTION},
    {"optdebug", ON_FUNCTION},
    {"optforfuzzing", ON_FUNCTION},
    {"optnone", ON_FUNCTION},
    {"optsize", ON_FUNCTION},
    {"shadowcallstack", ON_FUNCTION},
    {"signext", ON_ARGUMENT | ON_RESULT},
    {"skipprofile", ON_FUNCTION},
    {"speculative_load_hardening", ON_FUNCTION},
    {"ssp", ON_FUNCTION},
    {"sspreq", ON_FUNCTION},
    {"sspstrong", ON_FUNCTION},
    {"uwtable", ON_FUNCTION},
    {"zeroext", ON_ARGUMENT | ON_RESULT},
};

/* All other attributes of LLVM 19, to name the one that is refused. */
static const char *const refused[] = {
    "alignstack",
    "byref",
    "coro_only_destroy_when_complete",
    "hybrid_patchable",
    "inalloca",
    "initializes",
    "naked",
    "nest",
    "nofpclass",
    "preallocated",
    "presplitcoroutine",
    "returns_twice",
    "safestack",
    "sanitize_address",
    "sanitize_hwaddress",
    "sanitize_memory",
    "sanitize_memtag",
    "sanitize_numerical_stability",
    "sanitize_thread",
    "swiftasync",
    "swifterror",
    "swiftself",
    "vscale_range",
};

/* Attributes that are text, with what they say where it matters. */
static const struct {
    const char *name, *value; /* value NULL: whatever it is */
} texts[] = {
    {"alloc-family", NULL},
    {"approx-func-fp-math", "false"},
    {"correctly-rounded-divide-sqrt-fp-math", NULL}, /* no division is translated */
    {"denormal-fp-math", "ieee,ieee"},
    {"disable-tail-calls", NULL},
    {"frame-pointer", NULL},
    {"less-precise-fpmad", NULL}, /* nor addition or multiplication */
    {"min-legal-vector-width", NULL},
    {"no-builtins", NULL},
    {"no-infs-fp-math", "false"},
    {"no-inline-line-tables", NULL},
    {"no-jump-tables", NULL},
    {"no-nans-fp-math", "false"},
    {"no-signed-zeros-fp-math", "false"},
    {"no-trapping-math", NULL},
    {"patchable-function-entry", NULL},
    {"prefer-vector-width", NULL},
    {"profile-sample-accurate", NULL},
    {"stack-protector-buffer-size", NULL},
    {"stackrealign", NULL},
    {"target-cpu", NULL},
    {"target-features", NULL},
    {"tune-cpu", NULL},
    {"unsafe-fp-math", "false"},
    {"use-sample-profile", NULL},
    {"use-soft-float", NULL},
};

struct known_metadata {
    const char *name;
    bool obeyed; /* by machine_promised */
};

static const struct known_metadata metadata[] = {
    {"align", true},
    {"dereferenceable", true},
    {"dereferenceable_or_null", true},
    {"nonnull", true},
    {"noundef", true},
    {"range", true},
    /* about who else reaches the memory: not obeyed, and not noticed when it is wrong */
    {"alias.scope", false},
    {"llvm.access.group", false},
    {"llvm.loop", false}, /* also: that the loop ends */
    {"llvm.mem.parallel_loop_access", false},
    {"noalias", false},
    {"tbaa", false},
    {"tbaa.struct", false},
    /* for the optimizer and the code generator */
    {"annotation", false},
    {"dbg", false},
    {"DIAssignID", false},
    {"fpmath", false},
    {"heapallocsite", false},
    {"irr_loop", false},
    {"make.implicit", false},
    {"nontemporal", false},
    {"nosanitize", false},
    {"prof", false},
    {"srcloc", false},
    {"unpredictable", false},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static unsigned kind_named(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void refuse(struct flags *flags, const char *kind, const char *name)
{
    if (flags->unknown != NULL)
        return;
    flags->unknown_kind = kind;
    flags->unknown = name;
}

static void check_text(LLVMAttributeRef attribute, struct flags *flags)
{
    unsigned length, value_length;
    const char *name =
                   LLVMGetStringAttributeKind(attribute, &length), /* ends with 0, and lives as long as the module */
        *value = LLVMGetStringAttributeValue(attribute, &value_length);
    for (size_t i = 0; i < COUNT(texts); i++)
        if (strcmp(texts[i].name, name) == 0 &&
            (texts[i].value == NULL ||
             (strlen(texts[i].value) == value_length && memcmp(texts[i].value, value, value_length) == 0)))
            return;
    refuse(flags, "attribute", name);
}

static void check_one(LLVMAttributeRef attribute, enum place place, struct flags *flags)
{
    unsigned kind;
    if (LLVMIsStringAttribute(attribute)) {
        check_text(attribute, flags);
        return;
    }
    kind = LLVMGetEnumAttributeKind(attribute);
    for (size_t i = 0; i < COUNT(attributes); i++)
        if (kind_named(attributes[i].name) == kind) {
            if ((attributes[i].places & place) == 0)
                refuse(flags, "attribute", attributes[i].name);
            return;
        }
    for (size_t i = 0; i < COUNT(refused); i++)
        if (kind_named(refused[i]) == kind)
            refuse(flags, "attribute", refused[i]);
    refuse(flags, "attribute", "of an unknown kind");
}

static enum place place_of(unsigned at)
{
    return at == LLVMAttributeReturnIndex               ? ON_RESULT
           : at == (unsigned)LLVMAttributeFunctionIndex ? ON_FUNCTION
                                                        : ON_ARGUMENT;
}

static void check_all(LLVMValueRef of, bool call, unsigned at, struct flags *flags)
{
    const unsigned n = call ? LLVMGetCallSiteAttributeCount(of, at) : LLVMGetAttributeCountAtIndex(of, at);
    LLVMAttributeRef *found = smt_grow(NULL, n + 1, sizeof *found);
    if (call)
        LLVMGetCallSiteAttributes(of, at, found);
    else
        LLVMGetAttributesAtIndex(of, at, found);
    for (unsigned i = 0; i < n; i++)
        check_one(found[i], place_of(at), flags);
    free(found);
}

void attribute_check_function(LLVMValueRef function, struct flags *flags)
{
    check_all(function, false, (unsigned)LLVMAttributeFunctionIndex, flags);
    for (unsigned i = 0; i <= LLVMCountParams(function); i++) /* 0: the result */
        check_all(function, false, i, flags);
}

void attribute_check_call(LLVMValueRef call, struct flags *flags)
{
    check_all(call, true, (unsigned)LLVMAttributeFunctionIndex, flags);
    for (unsigned i = 0; i <= LLVMGetNumArgOperands(call); i++)
        check_all(call, true, i, flags);
}

static const struct known_metadata *find_metadata(LLVMContextRef context, unsigned kind)
{
    for (size_t i = 0; i < COUNT(metadata); i++)
        if (LLVMGetMDKindIDInContext(context, metadata[i].name, (unsigned)strlen(metadata[i].name)) == kind)
            return &metadata[i];
    return NULL;
}

static const char *const refused_metadata[] = {
    "absolute_symbol", "associated",    "callback",        "callees",        "callsite",  "coro.outside.frame",
    "exclude",         "func_sanitize", "invariant.group", "invariant.load", "kcfi_type", "llvm.preserve.access.index",
    "memprof",         "mmra",          "pcsections",      "section_prefix", "type",      "vcall_visibility",
};

void attribute_check_metadata(LLVMValueRef instruction, struct flags *flags)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
    size_t n;
    LLVMValueMetadataEntry *entries;
    if (!LLVMHasMetadata(instruction))
        return;
    entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(instruction, &n);
    for (size_t i = 0; i < n; i++) {
        const unsigned kind = LLVMValueMetadataEntriesGetKind(entries, (unsigned)i);
        const struct known_metadata *known = find_metadata(context, kind);
        const char *name = "of an unknown kind";
        if (known != NULL) {
            flags->promised |= known->obeyed;
            continue;
        }
        for (size_t k = 0; k < COUNT(refused_metadata); k++)
            if (LLVMGetMDKindIDInContext(context, refused_metadata[k], (unsigned)strlen(refused_metadata[k])) == kind)
                name = refused_metadata[k];
        refuse(flags, "metadata", name);
    }
    LLVMDisposeValueMetadataEntries(entries);
}

LLVMAttributeRef attribute_of_call(LLVMValueRef call, unsigned at, const char *name)
{
    return call == NULL ? NULL : LLVMGetCallSiteEnumAttribute(call, at, kind_named(name));
}

LLVMAttributeRef attribute_of_function(LLVMValueRef function, unsigned at, const char *name)
{
    return function == NULL ? NULL : LLVMGetEnumAttributeAtIndex(function, at, kind_named(name));
}

bool attribute_promised(LLVMValueRef call, LLVMValueRef function, const char *name)
{
    const unsigned at = (unsigned)LLVMAttributeFunctionIndex;
    return attribute_of_call(call, at, name) != NULL || attribute_of_function(function, at, name) != NULL;
}

LLVMTypeRef attribute_type(LLVMAttributeRef attribute)
{
    return attribute == NULL ? NULL : LLVMGetTypeAttributeValue(attribute);
}

bool attribute_same(LLVMAttributeRef x, LLVMAttributeRef y)
{
    if (x == NULL || y == NULL || !LLVMIsTypeAttribute(x) || !LLVMIsTypeAttribute(y))
        return (x == NULL) == (y == NULL);
    return attribute_type(x) == attribute_type(y);
}

/*
 * LLVM's C interface has no question for the numbers of a range. Printed, on a function that has nothing else that
 * could have a name, they stand behind its only parenthesis: "declare range(i32 0, 33) i32 @f()".
 */
bool attribute_range(LLVMContextRef context, LLVMAttributeRef range, uint64_t *low, uint64_t *high)
{
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("", context);
    LLVMTypeRef type = LLVMFunctionType(LLVMInt64TypeInContext(context), NULL, 0, false);
    LLVMValueRef function = LLVMAddFunction(module, "f", type);
    char *text;
    long long bounds[2];
    bool found;
    LLVMAddAttributeAtIndex(function, LLVMAttributeReturnIndex, range);
    text = LLVMPrintValueToString(function);
    found = sscanf(text, "declare range(i%*u %lld, %lld) ", &bounds[0], &bounds[1]) == 2;
    *low = (uint64_t)bounds[0];
    *high = (uint64_t)bounds[1];
    LLVMDisposeMessage(text);
    LLVMDisposeModule(module);
    return found;
}
