/* One instruction. */
#include "proofs/attribute.h"
#include "proofs/machine.h"

#include <string.h>

static const struct value *operand(const struct step *s, unsigned i)
{
    return s->operand(s, i);
}

static struct shape result_shape(const struct step *s)
{
    return machine_shape(s->machine, LLVMTypeOf(s->instruction));
}

/* Division by 0, and of the least number by -1, is undefined. */
static void oblige_divisor(struct machine *machine, bool is_signed, const struct scalar *x, const struct scalar *y)
{
    struct maker *m = &machine->m;
    const struct scalar *zero = arith_compare(m, LLVMIntEQ, y, make_known(m, y->width, 0));
    if (y->poison != NULL)
        machine_oblige(machine, b_not(m->s, y->poison), "a division by a poison or uninitialized value");
    machine_oblige(machine, b_not(m->s, as_bool(m, zero)), "a division by 0");
    if (is_signed) {
        const struct scalar *least =
            arith_compare(m, LLVMIntEQ, x, make_known(m, x->width, (uint64_t)1 << (x->width - 1)));
        const struct scalar *minus = arith_compare(m, LLVMIntEQ, y, make_known(m, y->width, ~(uint64_t)0));
        term both = b_and(m->s, poison_or(m, as_bool(m, least), x->poison), as_bool(m, minus)); /* it may be any */
        machine_oblige(machine, b_not(m->s, both), "a division of the least number by -1");
    }
}

static const struct value *division(const struct step *s)
{
    const struct value *x = operand(s, 0), *y = operand(s, 1);
    const LLVMOpcode op = LLVMGetInstructionOpcode(s->instruction);
    struct value *v = make_vector(&s->machine->m, x->n);
    for (unsigned i = 0; i < x->n; i++) {
        oblige_divisor(s->machine, op == LLVMSDiv || op == LLVMSRem, x->e[i], y->e[i]);
        v->e[i] = arith_binary(&s->machine->m, op, s->flags, x->e[i], y->e[i]);
    }
    return v;
}

static const struct value *binary(const struct step *s)
{
    const struct value *x = operand(s, 0), *y = operand(s, 1);
    struct value *v = make_vector(&s->machine->m, x->n);
    for (unsigned i = 0; i < x->n; i++)
        v->e[i] = arith_binary(&s->machine->m, LLVMGetInstructionOpcode(s->instruction), s->flags, x->e[i], y->e[i]);
    return v;
}

static const struct value *compare(const struct step *s)
{
    const struct value *x = operand(s, 0), *y = operand(s, 1);
    struct value *v = make_vector(&s->machine->m, x->n);
    const bool integers = LLVMGetInstructionOpcode(s->instruction) == LLVMICmp;
    for (unsigned i = 0; i < x->n; i++)
        v->e[i] = integers
                      ? machine_compare(s->machine, LLVMGetICmpPredicate(s->instruction), x->e[i], y->e[i])
                      : arith_float_compare(&s->machine->m, LLVMGetFCmpPredicate(s->instruction), x->e[i], y->e[i]);
    return v;
}

static const struct value *select_values(const struct step *s)
{
    const struct value *c = operand(s, 0), *x = operand(s, 1), *y = operand(s, 2);
    struct maker *m = &s->machine->m;
    struct value *v = make_vector(m, x->n);
    for (unsigned i = 0; i < x->n; i++) {
        const struct scalar *condition = c->e[c->n == 1 ? 0 : i];
        v->e[i] = with_poison(m, arith_select(m, machine_here(s->machine, as_bool(m, condition)), x->e[i], y->e[i]),
                              condition->poison);
    }
    return v;
}

/* r, of which a flag says that it is the same number as x. */
static const struct scalar *keeps_number(struct maker *m, struct flags flags, const struct scalar *x,
                                         const struct scalar *r)
{
    const struct scalar *y = r;
    if (flags.nuw || flags.nsw) /* of the bits that are cut off; of the sign that is left, too */
        y = with_poison(m, y, unset_among(m, x, r->width - flags.nsw, x->width - r->width + flags.nsw));
    if (flags.nuw)
        y = with_poison(m, y, as_bool(m, arith_compare(m, LLVMIntNE, arith_cast(m, LLVMZExt, r, x->width), x)));
    if (flags.nsw)
        y = with_poison(m, y, as_bool(m, arith_compare(m, LLVMIntNE, arith_cast(m, LLVMSExt, r, x->width), x)));
    if (flags.nneg)
        y = with_poison(
            m, y, poison_or(m, as_bool(m, scalar_slice(m, x, x->width - 1, 1)), unset_among(m, x, x->width - 1, 1)));
    return y;
}

static const struct value *cast(const struct step *s)
{
    const struct value *x = operand(s, 0);
    struct value *v = make_vector(&s->machine->m, x->n);
    const unsigned width = result_shape(s).width;
    for (unsigned i = 0; i < x->n; i++)
        v->e[i] = keeps_number(&s->machine->m, s->flags, x->e[i],
                               arith_cast(&s->machine->m, LLVMGetInstructionOpcode(s->instruction), x->e[i], width));
    return v;
}

/* The sign bit the other way round, of NaN too. */
static const struct value *negate_float(const struct step *s)
{
    struct maker *m = &s->machine->m;
    const struct value *x = operand(s, 0);
    struct value *v = make_vector(m, x->n);
    for (unsigned i = 0; i < x->n; i++)
        v->e[i] = arith_binary(m, LLVMXor, (struct flags){0}, x->e[i], make_known(m, x->e[i]->width, 0x80000000u));
    return v;
}

/* An address as a number, of which sums, differences, comparisons and `and` are translated. */
static const struct value *address_as_number(const struct step *s)
{
    if (result_shape(s).width != 64)
        fail(&s->machine->m, "an address as a number of %u bits is not translated", result_shape(s).width);
    return operand(s, 0);
}

/* The same bits as elements of another width; element 0 is lowest. */
static const struct value *reshape(struct maker *m, const struct value *x, struct shape to)
{
    struct value *v;
    const unsigned from = x->e[0]->width;
    if (from == to.width)
        return x;
    v = make_vector(m, to.n);
    for (unsigned i = 0; i < to.n; i++) {
        const unsigned low = i * to.width;
        if (to.width < from) {
            v->e[i] = scalar_slice(m, x->e[low / from], low % from, to.width);
            continue;
        }
        for (unsigned k = 0; k < to.width / from; k++) {
            const struct scalar *part = x->e[low / from + k];
            v->e[i] = k == 0 ? part : scalar_concat(m, part, v->e[i]);
        }
    }
    return v;
}

static const struct value *bitcast(const struct step *s)
{
    const struct shape to = result_shape(s);
    const struct value *x = operand(s, 0);
    if (to.pointer)
        return x;
    if ((to.width > x->e[0]->width ? to.width % x->e[0]->width : x->e[0]->width % to.width) != 0)
        fail(&s->machine->m, "a cast between elements of %u and %u bits is not translated", x->e[0]->width, to.width);
    return reshape(&s->machine->m, x, to);
}

/* A number as the nearest f32. */
static const struct value *to_float(const struct step *s, bool is_signed)
{
    const struct value *x = operand(s, 0);
    struct value *v = make_vector(&s->machine->m, x->n);
    for (unsigned i = 0; i < x->n; i++)
        v->e[i] = keeps_number(&s->machine->m, s->flags, x->e[i],
                               arith_to_float(&s->machine->m, x->e[i], result_shape(s).width, is_signed));
    return v;
}

static uint64_t known_index(const struct step *s, unsigned i)
{
    uint64_t number;
    if (!is_known(operand(s, i)->e[0], &number))
        fail(&s->machine->m, "a vector element with an unknown index is not translated");
    return number;
}

static const struct value *extract_element(const struct step *s)
{
    const struct value *x = operand(s, 0);
    const uint64_t at = known_index(s, 1);
    if (at >= x->n)
        fail(&s->machine->m, "a vector element out of range");
    return make_value(&s->machine->m, with_poison(&s->machine->m, x->e[at], operand(s, 1)->e[0]->poison));
}

static const struct value *insert_element(const struct step *s)
{
    const struct value *x = operand(s, 0);
    struct value *v = make_vector(&s->machine->m, x->n);
    const uint64_t at = known_index(s, 2);
    if (at >= x->n)
        fail(&s->machine->m, "a vector element out of range");
    memcpy(v->e, x->e, x->n * sizeof v->e[0]);
    v->e[at] = operand(s, 1)->e[0];
    for (unsigned i = 0; i < x->n; i++)
        v->e[i] = with_poison(&s->machine->m, v->e[i], operand(s, 2)->e[0]->poison);
    return v;
}

static const struct value *shuffle(const struct step *s)
{
    struct maker *m = &s->machine->m;
    const struct value *x = operand(s, 0), *y = operand(s, 1);
    const unsigned n = LLVMGetNumMaskElements(s->instruction);
    struct value *v = make_vector(m, n);
    for (unsigned i = 0; i < n; i++) {
        const int from = LLVMGetMaskValue(s->instruction, i);
        if (from == LLVMGetUndefMaskElem())
            v->e[i] = with_poison(m, make_known(m, x->e[0]->width, 0), term_bool(m->s, true));
        else
            v->e[i] = (unsigned)from < x->n ? x->e[from] : y->e[(unsigned)from - x->n];
    }
    return v;
}

static const struct scalar *frozen(struct maker *m, const struct scalar *x)
{
    Z3_sort sort = Z3_mk_bv_sort(m->s->z3, x->width);
    const struct scalar *any = make_term(m, smt_keep(m->s, Z3_mk_fresh_const(m->s->z3, "frozen", sort)));
    const struct scalar *y = without_poison(m, x);
    term *bits = arena_take(&m->arena, x->width * sizeof *bits);
    term *any_bits = arena_take(&m->arena, x->width * sizeof *any_bits);
    any = x->width == 1 ? make_bool(m, as_bool(m, any)) : any;
    if (x->unset != NULL) {
        as_bits(m, y, bits);
        as_bits(m, any, any_bits);
        for (unsigned i = 0; i < x->width; i++)
            bits[i] = x->unset[i] == NULL ? bits[i] : b_ite(m->s, x->unset[i], any_bits[i], bits[i]);
        y = make_bits(m, x->width, bits);
    }
    return whole_poison(x) == NULL ? y : scalar_select(m, whole_poison(x), any, y);
}

static const struct value *freeze(const struct step *s)
{
    struct maker *m = &s->machine->m;
    const struct value *x = operand(s, 0);
    struct value *v = make_vector(m, x->n);
    for (unsigned i = 0; i < x->n; i++) {
        v->e[i] = x->e[i];
        if (x->e[i]->poison == NULL)
            continue;
        if (x->e[i]->kind == POINTER || x->e[i]->kind == UNMERGED)
            fail(m, "freeze of a value of this kind is not translated");
        v->e[i] = frozen(m, x->e[i]);
    }
    return v;
}

/* Does a mark say where the variable's life begins? It is not alive before. */
static bool has_life(LLVMValueRef variable, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u != NULL; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), callee;
        if (LLVMIsABitCastInst(user) != NULL && depth > 0 && has_life(user, depth - 1))
            return true;
        callee = LLVMIsACallInst(user) == NULL ? NULL : LLVMIsAFunction(LLVMGetCalledValue(user));
        if (callee != NULL && strncmp(LLVMGetValueName(callee), "llvm.lifetime.start.", 20) == 0)
            return true;
    }
    return false;
}

static const struct value *allocate(const struct step *s)
{
    struct machine *machine = s->machine;
    uint64_t count;
    unsigned object;
    if (!is_known(operand(s, 0)->e[0], &count))
        fail(&machine->m, "an array of unknown size is not translated");
    count *= LLVMABISizeOfType(machine->layout, LLVMGetAllocatedType(s->instruction));
    object = machine_object(machine, "a local variable", count, LLVMGetAlignment(s->instruction));
    machine->objects[object].local = true;
    if (has_life(s->instruction, 4))
        memory_end(&machine->m, &machine->now, object, count);
    return make_value(&machine->m, machine_address(machine, object, 0));
}

static const struct value *load(const struct step *s)
{
    struct shape shape;
    struct value *v;
    const struct scalar *p = operand(s, 0)->e[0];
    if (machine_is_aggregate(LLVMTypeOf(s->instruction))) {
        machine_oblige_aligned(s->machine, p, LLVMGetAlignment(s->instruction));
        return machine_load_aggregate(s->machine, LLVMTypeOf(s->instruction), p);
    }
    shape = result_shape(s);
    v = make_vector(&s->machine->m, shape.n);
    if (LLVMGetVolatile(s->instruction))
        fail(&s->machine->m, "a volatile load is not translated");
    machine_oblige_aligned(s->machine, p, LLVMGetAlignment(s->instruction));
    for (unsigned i = 0; i < shape.n; i++)
        v->e[i] = machine_load(s->machine, machine_nth(s->machine, p, i, shape.width), shape.width);
    return v;
}

/* A vector of single bits lies in memory as a number, element 0 lowest. */
static const struct value *packed(struct maker *m, const struct value *x)
{
    return x->n > 1 && x->e[0]->width == 1 && x->n % 8 == 0 ? reshape(m, x, (struct shape){1, x->n, false}) : x;
}

static const struct value *store(const struct step *s)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(s->instruction, 0));
    const struct value *x = operand(s, 0);
    const struct scalar *p = operand(s, 1)->e[0];
    if (LLVMGetVolatile(s->instruction))
        fail(&s->machine->m, "a volatile store is not translated");
    machine_oblige_aligned(s->machine, p, LLVMGetAlignment(s->instruction));
    if (machine_is_aggregate(type)) {
        machine_store_aggregate(s->machine, type, p, x);
        return NULL;
    }
    x = packed(&s->machine->m, x);
    for (unsigned i = 0; i < x->n; i++)
        machine_store(s->machine, machine_nth(s->machine, p, i, x->e[0]->width), x->e[i]);
    return NULL;
}

#define MOST_ARGUMENTS 16

/* The attributes that say who extends a narrow value to a whole register, which registers are used, and what is handed
 * over or returned in memory: caller and function must agree. */
static void need_same_passing(struct machine *machine, LLVMValueRef call, LLVMValueRef callee)
{
    static const char *const passing[] = {"zeroext", "signext", "inreg", "byval", "sret"};
    for (unsigned at = LLVMAttributeReturnIndex; at <= LLVMCountParams(callee); at++)
        for (size_t k = 0; k < sizeof passing / sizeof *passing; k++)
            if (!attribute_same(attribute_of_call(call, at, passing[k]), attribute_of_function(callee, at, passing[k])))
                fail(&machine->m, "'%s' is called without the '%s' that it has, or with one that it has not",
                     LLVMGetValueName(callee), passing[k]);
}

/* A call in another way than the function is made for is undefined. */
static void need_same_call(struct machine *machine, LLVMValueRef call, LLVMValueRef callee)
{
    need_same_passing(machine, call, callee);
    if (LLVMGetInstructionCallConv(call) != LLVMGetFunctionCallConv(callee))
        fail(&machine->m, "'%s' is called by another calling convention than it has", LLVMGetValueName(callee));
    if (LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(callee))
        fail(&machine->m, "'%s' is called as a function of another type than it has", LLVMGetValueName(callee));
}

static _Noreturn void refuse_callee(struct machine *machine, const char *name)
{
    fail(&machine->m, "'%s' is not %s (called in %s)", name,
         strncmp(name, "llvm.", 5) == 0 ? "translated" : "in this bitcode", machine->where);
}

/* No intrinsic that is known gives a structure, but for sums and products with overflow: its name says more than the
 * type. */
static bool gives_structure(LLVMValueRef callee)
{
    const char *name = LLVMGetValueName(callee);
    return strncmp(name, "llvm.", 5) == 0 && strstr(name, ".with.overflow.") != NULL;
}

static struct shape call_shape(struct machine *machine, LLVMValueRef callee, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return (struct shape){0};
    if (LLVMIsDeclaration(callee) && LLVMGetTypeKind(type) == LLVMStructTypeKind && !gives_structure(callee))
        refuse_callee(machine, LLVMGetValueName(callee));
    return machine_is_aggregate(type) ? (struct shape){0} : machine_shape(machine, type);
}

/* The function that is called. */
static LLVMValueRef callee_of(const struct step *s)
{
    struct machine *machine = s->machine;
    LLVMValueRef callee = LLVMGetCalledValue(s->instruction);
    const struct scalar *p;
    if (LLVMIsAInlineAsm(callee))
        fail(&machine->m, "inline assembly is not translated");
    if (LLVMIsAFunction(callee) != NULL)
        return callee;
    p = operand(s, (unsigned)LLVMGetNumOperands(s->instruction) - 1)->e[0];
    if (p->kind != POINTER || p->index != NULL || p->poison != NULL || machine->objects[p->object].function == NULL ||
        p->number != 0)
        fail(&machine->m, "a call of an unknown function");
    return machine->objects[p->object].function;
}

static const struct value *answer_call(struct machine *machine, LLVMValueRef call, LLVMValueRef callee,
                                       const struct value **a, unsigned n)
{
    const char *name = LLVMGetValueName(callee);
    const struct shape shape = call_shape(machine, callee, LLVMTypeOf(call));
    const struct value *result = NULL;
    if (LLVMIsDeclaration(callee) && attribute_promised(call, callee, "noreturn")) {
        if (machine->catches > 0)
            fail(&machine->m, "'%s', which may throw where that is caught, is not translated", name);
        machine_oblige(machine, term_bool(machine->m.s, false),
                       "a function is called that never returns (a failed assertion, abort, exit)");
        return NULL;
    }
    if (!LLVMIsDeclaration(callee))
        result = machine_execute(machine, callee, call, a, n);
    else if (!machine_intrinsic(machine, name, a, n, shape.n, shape.width, &result))
        refuse_callee(machine, name);
    return machine_returned(machine, call, callee, a, result);
}

/* The function gets a copy of each structure that is handed over by value. */
static void copy_arguments(struct machine *machine, LLVMValueRef call, const struct value **a, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        LLVMAttributeRef by_value = attribute_of_call(call, i + 1, "byval"),
                         align = attribute_of_call(call, i + 1, "align");
        if (by_value != NULL)
            a[i] = machine_by_value(machine, LLVMGetTypeAttributeValue(by_value),
                                    align == NULL ? 1 : (unsigned)LLVMGetEnumAttributeValue(align), a[i]);
    }
}

static const struct value *call(const struct step *s)
{
    struct machine *machine = s->machine;
    LLVMValueRef callee = callee_of(s);
    const struct value *a[MOST_ARGUMENTS], *result = NULL;
    const unsigned n = LLVMGetNumArgOperands(s->instruction), effects = machine->effect_count;
    unsigned first, copies; /* objects: the copies of structures */
    const char *name = LLVMGetValueName(callee);
    if (strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.experimental.noalias", 25) == 0)
        return NULL;
    if (n > MOST_ARGUMENTS)
        fail(&machine->m, "a call with %u arguments is not translated", n);
    for (unsigned i = 0; i < n; i++)
        a[i] = operand(s, i);
    need_same_call(machine, s->instruction, callee);
    machine_oblige_arguments(machine, s->instruction, callee, a, n);
    first = machine->object_count;
    copy_arguments(machine, s->instruction, a, n);
    copies = machine->object_count;
    if (machine->hook != NULL && machine->hook(machine, machine->hook_context, name, a, n, &result))
        return result;
    if (LLVMIsACallInst(s->instruction) != NULL && LLVMIsTailCall(s->instruction))
        machine_limit_tail(machine, first);
    result = answer_call(machine, s->instruction, callee, a, n);
    for (unsigned i = first; i < copies; i++)
        machine->objects[i].ended = true;
    machine->effect_count = effects;
    return result;
}

void machine_refuse_unknown(struct machine *machine, struct flags flags)
{
    if (flags.unknown != NULL)
        fail(&machine->m, "the %s '%s' is not translated", flags.unknown_kind, flags.unknown);
}

static _Noreturn void refuse_instruction(const struct step *s)
{
    char *text = LLVMPrintValueToString(s->instruction), shown[160];
    strncpy(shown, text, sizeof shown - 1);
    shown[sizeof shown - 1] = '\0';
    LLVMDisposeMessage(text);
    fail(&s->machine->m, "an instruction is not translated:%s", shown);
}

static const struct value *execute(const struct step *s)
{
    machine_refuse_unknown(s->machine, s->flags);
    switch (LLVMGetInstructionOpcode(s->instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return binary(s);
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem:
        return division(s);
    case LLVMFNeg:
        return negate_float(s);
    case LLVMICmp:
    case LLVMFCmp:
        return compare(s);
    case LLVMSelect:
        return select_values(s);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
        return cast(s);
    case LLVMBitCast:
        return bitcast(s);
    case LLVMPtrToInt:
        return address_as_number(s);
    case LLVMUIToFP:
        return to_float(s, false);
    case LLVMSIToFP:
        return to_float(s, true);
    case LLVMExtractElement:
        return extract_element(s);
    case LLVMInsertElement:
        return insert_element(s);
    case LLVMExtractValue:
        return machine_extract(s->machine, s->instruction, operand(s, 0));
    case LLVMInsertValue:
        return machine_insert(s->machine, s->instruction, operand(s, 0), operand(s, 1));
    case LLVMShuffleVector:
        return shuffle(s);
    case LLVMFreeze:
        return freeze(s);
    case LLVMAlloca:
        return allocate(s);
    case LLVMGetElementPtr:
        return machine_element(s);
    case LLVMLoad:
        return load(s);
    case LLVMStore:
        return store(s);
    case LLVMCall:
    case LLVMInvoke:
        return call(s);
    default:
        refuse_instruction(s);
    }
}

const struct value *machine_step(const struct step *s)
{
    const struct value *x = execute(s);
    return s->flags.promised ? machine_promised(s->machine, s->instruction, x) : x;
}
