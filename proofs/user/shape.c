#include "proofs/user/shape.h"

#include "base/buffer.h"
#include "proofs/attribute.h"
#include "proofs/bitcode.h"
#include "proofs/number.h"
#include "proofs/user/adapt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHFL                       (WARP_FAMILY_BIT_OF(WARP_SHFL_SYNC) | WARP_FAMILY_BIT_OF(WARP_SHFL))
#define VOTE                       (WARP_FAMILY_BIT_OF(WARP_VOTE_SYNC) | WARP_FAMILY_BIT_OF(WARP_VOTE))
#define WARP_FAMILY_BIT_OF(family) (1u << (family))

static const struct user_shape shapes[] = {
    {"lane", "uint32_t f(uint32_t lane, uint32_t b, uint32_t c)", "iiii", "LBC", SHFL, USER_EACH_LANE, WARP_PART_D},
    {"lane-p", "uint32_t f(uint32_t lane, uint32_t b, uint32_t c, uint32_t *p)", "iiiip", "LBCo", SHFL, USER_EACH_LANE,
     WARP_PART_D | WARP_PART_P},
    {"lane-bool", "uint32_t f(uint32_t lane, uint32_t b, uint32_t c, bool *p)", "iiiip", "LBCt", SHFL, USER_EACH_LANE,
     WARP_PART_D | WARP_PART_P},
    {"cuda", "uint32_t f(uint32_t lane, uint32_t b, uint32_t width)", "iiii", "LBW", SHFL, USER_EACH_LANE, WARP_PART_D},
    {"shfl",
     "void f(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active, "
     "uint32_t d[32], uint32_t *p)",
     "vpppiipp", "abcmndp", SHFL, USER_EACH_GROUP, WARP_PART_D | WARP_PART_P},
    {"shfl-inplace",
     "void f(uint32_t r[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active, "
     "uint32_t *p)",
     "vpppiip", "rbcmnp", SHFL, USER_EACH_GROUP, WARP_PART_D | WARP_PART_P},
    {"vote", "uint32_t f(uint32_t predicates, uint32_t membermask, uint32_t active)", "iiii", "vmn", VOTE,
     USER_EACH_GROUP, WARP_PART_D | WARP_PART_P},
    {"match",
     "void f(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)  (.b64: const "
     "uint64_t a[32])",
     "vqiipp", "amndp", WARP_FAMILY_BIT_OF(WARP_MATCH_SYNC), USER_EACH_GROUP, WARP_PART_D | WARP_PART_P},
    {"redux", "uint32_t f(const uint32_t a[32], uint32_t membermask, uint32_t active)", "ipii", "amn",
     WARP_FAMILY_BIT_OF(WARP_REDUX_SYNC), USER_EACH_GROUP, WARP_PART_D},
    {"impl",
     "bool f(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error, size_t "
     "error_size)",
     "b**l**l", "SKNREZ", (1u << WARP_FAMILIES) - 1u, USER_WHOLE_CASE, WARP_PART_ALL},
};

bool user_shape_get(size_t i, const char **name, const char **declaration)
{
    if (i >= sizeof shapes / sizeof *shapes)
        return false;
    *name = shapes[i].name;
    *declaration = shapes[i].declaration;
    return true;
}

const struct user_shape *user_shape_find(const char *name)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].name, name) == 0)
            return &shapes[i];
    return NULL;
}

bool user_shape_takes(const char *shape, const struct warp_form_info *info, struct error *error)
{
    const struct user_shape *s = user_shape_find(shape);
    struct buffer list = {0};
    if (s != NULL && (s->families >> info->family & 1u))
        return true;
    if (s == NULL) {
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            buffer_format(&list, "%s %s", i == 0 ? "" : ",", shapes[i].name);
        error_set(error, ERROR_USAGE, "unknown shape '%.80s':%s", shape, buffer_string(&list));
    } else {
        for (uint32_t family = 0; family < WARP_FAMILIES; family++)
            if (s->families >> family & 1u)
                buffer_format(&list, " %s", warp_family_name((enum warp_family)family));
        error_set(error, ERROR_UNSUPPORTED, "a function of shape '%s' cannot be %s; it can be%s", s->name, info->name,
                  buffer_string(&list));
    }
    buffer_free(&list);
    return false;
}

/* CUDA's headers: the segment mask from the width, and the clamp 0 for up, 31 for the others. */
uint32_t user_cuda_c(const struct warp_form_info *info, uint32_t width)
{
    return (WARP_LANES - width) << 8 | (info->op == WARP_UP ? 0u : 0x1fu);
}

uint32_t user_cuda_width(const struct warp_form_info *info, uint32_t c)
{
    for (uint32_t width = 1; width <= WARP_LANES; width *= 2)
        if (user_cuda_c(info, width) == c)
            return width;
    return 0;
}

uint32_t user_dst(const struct warp_form_info *info)
{
    return warp_form_widest_dst(info);
}

static void put_array(struct machine *machine, unsigned object, const struct scalar *const x[WARP_LANES],
                      const struct scalar *const high[WARP_LANES])
{
    const uint64_t unit = high != NULL ? 8 : 4;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        machine_store(machine, machine_address(machine, object, k * unit), x[k]);
        if (high != NULL)
            machine_store(machine, machine_address(machine, object, k * unit + 4), high[k]);
    }
}

static unsigned make_array(struct machine *machine, const char *name, const struct scalar *const x[WARP_LANES],
                           const struct scalar *const high[WARP_LANES])
{
    const unsigned object =
        machine_object(machine, name, WARP_LANES * (high != NULL ? 8u : 4u), high != NULL ? 8u : 4u);
    put_array(machine, object, x, high);
    return object;
}

static const struct scalar *pointer_argument(struct machine *machine, const struct user_request *request,
                                             enum user_role role, const struct user_inputs *in, unsigned *results,
                                             unsigned *predicates)
{
    unsigned object = 0;
    switch (role) {
    case USER_ROLE_A:
        object = make_array(machine, "a", in->a, request->info->type == WARP_B64 ? in->high : NULL);
        break;
    case USER_ROLE_B:
        object = make_array(machine, "b", in->b, NULL);
        break;
    case USER_ROLE_C:
        object = make_array(machine, "c", in->c, NULL);
        break;
    case USER_ROLE_D:
        object = *results = make_array(machine, "d", in->before, NULL);
        return machine_address(machine, object, 0);
    case USER_ROLE_A_AND_D:
        object = *results = make_array(machine, "r", in->a, NULL);
        return machine_address(machine, object, 0);
    case USER_ROLE_P:
    case USER_ROLE_ONE_P:
    case USER_ROLE_ONE_BOOL:
        object = *predicates = machine_object(machine, "p", 4, 4);
        machine_store(machine, machine_address(machine, object, 0), in->before[WARP_LANES]);
        return machine_address(machine, object, 0);
    case USER_RETURNED:
    case USER_ROLE_MEMBERMASK:
    case USER_ROLE_ACTIVE:
    case USER_ROLE_PREDICATES:
    case USER_ROLE_LANE:
    case USER_ROLE_LANE_B:
    case USER_ROLE_LANE_C:
    case USER_ROLE_WIDTH:
    case USER_ROLES_OF_EVAL:
        break;
    }
    if (object == 0)
        fail(&machine->m, "a pointer of an unknown role");
    machine->objects[object].constant = true;
    return machine_address(machine, object, 0);
}

static const struct scalar *word_argument(struct machine *machine, enum user_role role, const struct user_inputs *in)
{
    switch (role) {
    case USER_ROLE_MEMBERMASK:
        return in->members;
    case USER_ROLE_ACTIVE:
        return in->active;
    case USER_ROLE_PREDICATES:
        return in->predicates;
    case USER_ROLE_LANE:
        return make_known(&machine->m, 32, in->lane);
    case USER_ROLE_LANE_B:
        return in->b[in->lane];
    case USER_ROLE_LANE_C:
        return in->c[in->lane];
    case USER_ROLE_WIDTH:
        return make_known(&machine->m, 32, in->width);
    case USER_RETURNED:
    case USER_ROLE_A:
    case USER_ROLE_B:
    case USER_ROLE_C:
    case USER_ROLE_D:
    case USER_ROLE_A_AND_D:
    case USER_ROLE_P:
    case USER_ROLE_ONE_P:
    case USER_ROLE_ONE_BOOL:
    case USER_ROLES_OF_EVAL:
        break;
    }
    fail(&machine->m, "a parameter of an unknown role");
}

void user_call_shape(struct machine *machine, const struct user_request *request, const struct user_shape *shape,
                     const struct user_inputs *in, struct user_outputs *out)
{
    const struct value *a[8] = {NULL}, *returned;
    unsigned results = 0, predicates = 0;
    size_t n = strlen(shape->roles);
    for (size_t i = 0; i < n; i++) {
        const enum user_role role = (enum user_role)shape->roles[i];
        const bool pointer = shape->types[i + 1] == USER_WORDS || shape->types[i + 1] == USER_SOURCES;
        a[i] = make_value(&machine->m, pointer ? pointer_argument(machine, request, role, in, &results, &predicates)
                                               : word_argument(machine, role, in));
    }
    /* What is claimed of results is claimed of numbers, and where nothing catches that they are none. */
    returned = machine_call(machine, user_entry(machine->module, request, shape), a, (unsigned)n);
    *out = (struct user_outputs){.returned = returned == NULL ? NULL : need_data(&machine->m, returned->e[0])};
    for (unsigned k = 0; results != 0 && k < WARP_LANES; k++)
        out->d[k] = need_data(&machine->m, machine_load(machine, machine_address(machine, results, k * 4), 32));
    if (predicates != 0)
        out->p = need_data(&machine->m, machine_load(machine, machine_address(machine, predicates, 0), 32));
}

const struct scalar *user_result_d(const struct user_shape *shape, const struct user_outputs *out, unsigned k)
{
    (void)shape;
    return out->d[k] != NULL ? out->d[k] : out->returned;
}

static const struct scalar *is_not_zero(struct maker *m, const struct scalar *x)
{
    return arith_compare(m, LLVMIntNE, x, make_known(m, x->width, 0));
}

const struct scalar *user_result_p(struct machine *machine, const struct user_request *request,
                                   const struct user_shape *shape, const struct user_outputs *out, unsigned k)
{
    struct maker *m = &machine->m;
    (void)request;
    if (out->p == NULL)
        return is_not_zero(m, out->returned);
    return shape->call == USER_EACH_LANE ? is_not_zero(m, out->p) : scalar_slice(m, out->p, k, 1);
}

/* --- is this bitcode with a function of this shape? --- */

/* A structure by value is a copy that the caller makes, which no shape has. */
static bool check_attributes(LLVMValueRef function, const char *file, struct error *error)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < LLVMCountParams(function); i++)
        ok = attribute_of_function(function, i + 1, "byval") == NULL;
    if (!ok)
        error_set(error, ERROR_UNSUPPORTED, "%s: '%s' takes a structure by value (byval), and no shape does", file,
                  LLVMGetValueName(function));
    return ok;
}

static bool check_signature(const struct user_request *request, const struct user_shape *shape, LLVMValueRef function,
                            struct error *error)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[32];
    const unsigned n = LLVMCountParamTypes(type);
    bool fits = n == strlen(shape->roles) && n <= 32 && !LLVMIsFunctionVarArg(type) &&
                user_type_fits((enum user_type)shape->types[0], USER_RETURNED, LLVMGetReturnType(type));
    char *text;
    if (fits)
        LLVMGetParamTypes(type, parameters);
    for (unsigned i = 0; fits && i < n; i++)
        fits = user_type_fits((enum user_type)shape->types[i + 1], (enum user_role)shape->roles[i], parameters[i]);
    if (fits)
        return true;
    text = LLVMPrintTypeToString(type);
    error_set(error, ERROR_UNSUPPORTED, "%s: '%s' is %s, and shape '%s' is %s", request->file, request->function, text,
              shape->name, shape->declaration);
    LLVMDisposeMessage(text);
    return false;
}

static void no_function(const struct user_request *request, LLVMModuleRef module, struct error *error)
{
    struct buffer names = {0};
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && n++ < 8)
            buffer_format(&names, " %s", LLVMGetValueName(f));
    error_set(error, ERROR_USAGE, "%s: no function '%s'; there are%s%s", request->file, request->function,
              n == 0 ? " none" : buffer_string(&names), n > 8 ? " ..." : "");
    buffer_free(&names);
}

static bool check_module(const struct user_request *request, const struct user_shape *shape, LLVMModuleRef module,
                         struct error *error)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    LLVMValueRef function = LLVMGetNamedFunction(module, request->function);
    if (LLVMByteOrder(layout) != LLVMLittleEndian || LLVMPointerSize(layout) != 8) {
        error_set(error, ERROR_UNSUPPORTED,
                  "%s: made for '%s', and only little-endian targets with 64-bit pointers are translated",
                  request->file, LLVMGetTarget(module));
        return false;
    }
    if (function == NULL || LLVMIsDeclaration(function)) {
        no_function(request, module, error);
        return false;
    }
    return check_signature(request, shape, function, error) && check_attributes(function, request->file, error);
}

bool user_check_file(const struct user_request *request, const struct user_shape *shape, struct error *error)
{
    LLVMContextRef context = llvm_open(error);
    LLVMModuleRef module = context == NULL ? NULL : bitcode_read(context, request->file, error);
    const bool ok = module != NULL && check_module(request, shape, module, error);
    if (module != NULL)
        LLVMDisposeModule(module);
    if (context != NULL)
        LLVMContextDispose(context);
    return ok;
}
