#include "kernel/exec/code.h"

#include "base/buffer.h"
#include "base/text.h"
#include "kernel/exec/behind.h"

#include <stdlib.h>
#include <string.h>

/* The code that is being built, and the state of each of the module's functions. */
struct build {
    struct code *code;
    const struct module *module;
    uint8_t *marks; /* per function: 0 not seen, 1 on the way, 2 done */
    uint32_t *at;   /* per function: index among the code's functions, or MODULE_NONE */
    uint32_t room;
    size_t constants_room;
    uint32_t *pool; /* operand rows, brx targets */
    size_t pool_count, pool_room;
    bool no_memory;
    struct error *error;
};

static bool refuse(struct build *b, const struct module_instruction *i, const char *why)
{
    return error_set(b->error, ERROR_UNSUPPORTED, "%s:%u:%u: %s: %s", b->module->name, i->line, i->column, i->name,
                     why);
}

/* ---- functions, callees first ---- */

static bool add_function(struct build *b, uint32_t function)
{
    struct code *code = b->code;
    const struct module_function *f = &b->module->functions[function];
    struct code_function *item = &code->functions[code->functions_count];
    *item = (struct code_function){
        .function = function, .first = code->count, .rows = code->rows, .index = code->functions_count};
    b->at[function] = code->functions_count++;
    code->count += f->instructions_count;
    code->rows += f->registers_count;
    return true;
}

/* A stack of functions instead of recursion, each with the instruction that is examined next. */
static bool find_functions(struct build *b, uint32_t entry)
{
    struct visit {
        uint32_t function, next;
    } *stack = calloc(b->module->functions_count + 1, sizeof *stack);
    size_t depth = 1;
    bool ok = stack != NULL;
    if (!ok)
        return error_set(b->error, ERROR_SYSTEM, "out of memory");
    stack[0].function = entry;
    b->marks[entry] = 1;
    while (ok && depth > 0) {
        struct visit *v = &stack[depth - 1];
        const struct module_function *f = &b->module->functions[v->function];
        if (v->next == f->instructions_count) {
            b->marks[v->function] = 2;
            ok = add_function(b, v->function);
            depth--;
            continue;
        }
        const struct module_instruction *i = &f->instructions[v->next++];
        if (i->op == OP_UNREAD)
            ok = refuse(b, i, i->unread ? i->unread : "not read");
        if (i->op != OP_CALL || i->callee == MODULE_NONE || b->module->functions[i->callee].is_declaration)
            continue;
        if (b->marks[i->callee] == 1)
            ok = refuse(b, i, "recursive calls are not executed");
        else if (b->marks[i->callee] == 0) {
            b->marks[i->callee] = 1;
            stack[depth++] = (struct visit){i->callee, 0};
        }
    }
    free(stack);
    return ok;
}

/* ---- where variables lie ---- */

static uint64_t align_up(uint64_t at, uint64_t to)
{
    return to > 1 ? (at + to - 1) / to * to : at;
}

static bool belongs(const struct build *b, const struct module_variable *v)
{
    return v->function == MODULE_NONE || b->at[v->function] != MODULE_NONE;
}

/* Each function's frame: what the reader laid out, then its formal parameters and return values. */
static void place_frames(struct build *b)
{
    struct code *code = b->code;
    for (uint32_t n = 0; n < code->functions_count; n++) {
        const uint32_t function = code->functions[n].function;
        const struct module_function *f = &b->module->functions[function];
        uint64_t base = align_up(code->frame_bytes, f->frame_align > 16 ? f->frame_align : 16);
        for (uint32_t v = 0; v < b->module->variables_count; v++) {
            const struct module_variable *variable = &b->module->variables[v];
            if (variable->function == function && (variable->space == SPACE_LOCAL || variable->space == SPACE_PARAM))
                code->places[v] = base + variable->offset;
        }
        code->frame_bytes = base + f->frame_bytes;
        for (uint32_t k = 0; k < f->params_count + f->returns_count; k++) {
            uint32_t v = k < f->params_count ? f->params[k] : f->returns[k - f->params_count];
            const struct module_variable *variable = &b->module->variables[v];
            if (f->is_entry) {
                code->places[v] = CODE_PARAMS_START + variable->offset;
                continue;
            }
            code->places[v] = align_up(code->frame_bytes, variable->align > 8 ? variable->align : 8);
            code->frame_bytes = code->places[v] + variable->size;
        }
    }
    /* .local variables of the module itself */
    for (uint32_t v = 0; v < b->module->variables_count; v++) {
        const struct module_variable *variable = &b->module->variables[v];
        if (variable->space != SPACE_LOCAL || variable->function != MODULE_NONE)
            continue;
        code->places[v] = align_up(code->frame_bytes, variable->align);
        code->frame_bytes = code->places[v] + variable->size;
    }
    code->frame_bytes = align_up(code->frame_bytes, 16);
}

static void place_shared(struct build *b)
{
    struct code *code = b->code;
    uint64_t at = CODE_SHARED_START, align = 16;
    for (uint32_t v = 0; v < b->module->variables_count; v++) {
        const struct module_variable *variable = &b->module->variables[v];
        if (variable->space != SPACE_SHARED || !belongs(b, variable))
            continue;
        if (variable->size == 0) { /* the launch's: all of them begin at one place */
            align = variable->align > align ? variable->align : align;
            continue;
        }
        code->places[v] = align_up(at, variable->align);
        at = code->places[v] + variable->size;
    }
    code->shared_bytes = at;
    code->shared_extern = align_up(at, align);
    for (uint32_t v = 0; v < b->module->variables_count; v++)
        if (b->module->variables[v].space == SPACE_SHARED && b->module->variables[v].size == 0)
            code->places[v] = code->shared_extern;
}

#define FRAME_MAX  (512u << 10) /* what a GPU has */
#define SHARED_MAX (256u << 10) /* more than any has */
#define IMAGE_MAX  (UINT64_C(64) << 20)

static bool place_global(struct build *b)
{
    struct code *code = b->code;
    uint64_t at = 0;
    for (uint32_t v = 0; v < b->module->variables_count; v++) {
        const struct module_variable *variable = &b->module->variables[v];
        if ((variable->space != SPACE_GLOBAL && variable->space != SPACE_CONST) || variable->size > IMAGE_MAX)
            continue;
        at = align_up(at, variable->align > 16 ? variable->align : 16);
        code->places[v] = CODE_VARIABLES + at;
        at += variable->size ? variable->size : 16;
    }
    if (at > IMAGE_MAX)
        return error_set(b->error, ERROR_UNSUPPORTED, "%s: more than 64 MiB of .global and .const variables",
                         b->module->name);
    at = align_up(at, 16);
    code->workspace = CODE_VARIABLES + at;
    at += CODE_WORKSPACE_SIZE;
    code->image_bytes = at;
    code->image = calloc(1, at + 1);
    return code->image || error_set(b->error, ERROR_SYSTEM, "out of memory");
}

static uint64_t relocated(const struct build *b, const struct module_relocation *r)
{
    if (r->variable == MODULE_NONE)
        return (uint64_t)r->addend;
    uint64_t window = r->generic && b->module->variables[r->variable].space == SPACE_SHARED ? CODE_SHARED_WINDOW : 0;
    return b->code->places[r->variable] + window + (uint64_t)r->addend;
}

static void fill_image(struct build *b)
{
    struct code *code = b->code;
    for (uint32_t v = 0; v < b->module->variables_count; v++) {
        const struct module_variable *variable = &b->module->variables[v];
        if ((variable->space != SPACE_GLOBAL && variable->space != SPACE_CONST) || variable->size > IMAGE_MAX)
            continue;
        uint8_t *at = code->image + (code->places[v] - CODE_VARIABLES);
        if (variable->data)
            memcpy(at, variable->data, variable->data_size);
        code->image_is_input[v] = variable->space == SPACE_CONST && !variable->data && variable->relocations_count == 0;
        for (uint32_t n = 0; n < variable->relocations_count; n++) {
            uint64_t address = relocated(b, &variable->relocations[n]);
            memcpy(at + variable->relocations[n].offset, &address, variable->relocations[n].bytes);
        }
    }
}

/* ---- rows ---- */

static uint32_t constant_row(struct build *b, uint64_t value)
{
    struct code *code = b->code;
    for (uint32_t n = code->constants_count; n-- > 0 && n + 256 > code->constants_count;)
        if (code->constants[n] == value)
            return n;
    uint64_t *larger = array_grow(code->constants, code->constants_count, &b->constants_room, sizeof *larger);
    if (!larger) {
        b->no_memory = true;
        return 0;
    }
    code->constants = larger;
    code->constants[code->constants_count] = value;
    return code->constants_count++;
}

/* Rows of special registers and registers are numbered from 2^30 and 2^31 on until all constants are known. */
#define SPECIAL_ROW  (UINT32_C(1) << 30)
#define REGISTER_ROW (UINT32_C(1) << 31)

static uint64_t variable_address(const struct build *b, uint32_t variable, bool generic)
{
    enum ptx_space space = b->module->variables[variable].space;
    uint64_t window = space == SPACE_SHARED                          ? CODE_SHARED_WINDOW
                      : space == SPACE_LOCAL || space == SPACE_PARAM ? CODE_PRIVATE_WINDOW
                                                                     : 0;
    return b->code->places[variable] + (generic ? window : 0);
}

static uint32_t operand_row(struct build *b, const struct code_function *f, const struct module_operand *o)
{
    switch (o->kind) {
    case OPERAND_REGISTER:
        return REGISTER_ROW + f->rows + o->reg;
    case OPERAND_IMMEDIATE:
        return constant_row(b, o->value ^ o->negate);
    case OPERAND_SPECIAL:
        return SPECIAL_ROW + (uint32_t)o->special * 3 + o->component;
    case OPERAND_VARIABLE:
        return constant_row(b, variable_address(b, o->variable, false) + o->value);
    case OPERAND_FUNCTION:
        return constant_row(b, UINT64_C(0x600000000000) + o->function * 16u);
    case OPERAND_ADDRESS:
        if (o->reg != MODULE_NONE)
            return REGISTER_ROW + f->rows + o->reg;
        return constant_row(b, o->variable != MODULE_NONE ? variable_address(b, o->variable, false) : 0);
    case OPERAND_NONE:
    case OPERAND_SINK:
        break;
    }
    return CODE_NO_ROW;
}

static uint32_t *pool_add(struct build *b, size_t count)
{
    /* The pool was sized before: pool_count never passes pool_room. */
    uint32_t *items = b->pool + b->pool_count;
    b->pool_count += count;
    return items;
}

static size_t pool_size(const struct build *b)
{
    size_t size = 1;
    for (uint32_t n = 0; n < b->code->functions_count; n++) {
        const struct module_function *f = &b->module->functions[b->code->functions[n].function];
        for (uint32_t k = 0; k < f->instructions_count; k++) {
            const struct module_instruction *i = &f->instructions[k];
            size += i->dsts_count + (size_t)i->srcs_count + i->targets_count;
        }
    }
    return size;
}

static void add_operands(struct build *b, const struct code_function *f, struct code_instruction *c)
{
    const struct module_instruction *i = c->i;
    uint32_t zero = constant_row(b, 0);
    uint32_t *dsts = pool_add(b, i->dsts_count), *srcs = pool_add(b, i->srcs_count);
    for (unsigned n = 0; n < i->dsts_count; n++)
        dsts[n] = operand_row(b, f, &i->dsts[n]);
    for (unsigned n = 0; n < i->srcs_count; n++)
        srcs[n] = operand_row(b, f, &i->srcs[n]);
    c->dsts = dsts;
    c->srcs = srcs;
    c->dst = i->dsts_count > 0 ? dsts[0] : CODE_NO_ROW;
    c->dst2 = i->dsts_count > 1 ? dsts[1] : CODE_NO_ROW;
    for (unsigned n = 0; n < ROW_SOURCES; n++) {
        c->src[n] = n < i->srcs_count && srcs[n] != CODE_NO_ROW ? srcs[n] : zero;
        c->negated[n] = n < i->srcs_count && i->srcs[n].kind == OPERAND_REGISTER && i->srcs[n].negate;
        c->has_negated |= c->negated[n];
    }
}

/* ---- kinds ---- */

static bool add_address(struct build *b, const struct code_function *f, struct code_instruction *c)
{
    const struct module_operand *o = &c->i->srcs[0];
    bool generic = c->i->space == SPACE_GENERIC;
    if (c->kind == CODE_ATOMIC && c->i->vector > 1)
        return refuse(b, c->i, "atomic operations on vectors are not executed");
    if (c->i->space == SPACE_CLUSTER)
        return refuse(b, c->i, "shared memory of another block of the cluster is not executed");
    c->address = operand_row(b, f, o);
    if (generic && o->kind == OPERAND_ADDRESS && o->reg == MODULE_NONE && o->variable != MODULE_NONE)
        c->address = constant_row(b, variable_address(b, o->variable, true));
    c->offset = o->value;
    return true;
}

static bool add_external(struct build *b, struct code_instruction *c, const struct module_function *callee)
{
    static const struct {
        const char *name;
        enum code_external external;
    } known[] = {
        {"vprintf", CODE_PRINTF}, {"__assertfail", CODE_ASSERTFAIL}, {"malloc", CODE_MALLOC}, {"free", CODE_FREE}};
    c->kind = CODE_EXTERNAL;
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++)
        if (strcmp(known[n].name, callee->name) == 0) {
            c->external = known[n].external;
            return true;
        }
    return error_set(b->error, ERROR_UNSUPPORTED, "%s:%u:%u: call of %s, which has no body in this module",
                     b->module->name, c->i->line, c->i->column, callee->name);
}

static bool add_call(struct build *b, struct code_instruction *c)
{
    if (c->i->callee == MODULE_NONE)
        return refuse(b, c->i, "indirect calls are not executed");
    const struct module_function *callee = &b->module->functions[c->i->callee];
    if (callee->is_declaration)
        return add_external(b, c, callee);
    c->kind = CODE_CALL;
    c->target = b->code->functions[b->at[c->i->callee]].first;
    return true;
}

static bool is_clock(const struct module_operand *o)
{
    return o->kind == OPERAND_SPECIAL && o->special >= SPECIAL_CLOCK && o->special <= SPECIAL_GLOBALTIMER_HI;
}

static bool add_row(struct build *b, struct code_instruction *c)
{
    struct error why;
    c->kind = CODE_ROW;
    c->compute = row_find(c->i, &c->type, &why);
    c->second = row_find_second(c->i);
    if (c->i->op == OP_CVT && ptx_type_is_signed(c->i->type) && c->i->dsts[0].kind == OPERAND_REGISTER) {
        const unsigned bits = b->module->functions[c->function].registers[c->i->dsts[0].reg].bits;
        c->type.room = UINT64_MAX >> (bits < 64 ? 64 - bits : 0);
    }
    if (!c->compute)
        return refuse(b, c->i, "this operation is not executed");
    if (c->i->srcs_count > ROW_SOURCES)
        return refuse(b, c->i, "more than four operands are not executed");
    if (c->i->op == OP_MOV && c->i->srcs_count > 0 && is_clock(&c->i->srcs[0]))
        c->kind = CODE_CLOCK;
    return true;
}

static enum code_kind kind_of_return(const struct build *b, const struct code_function *f)
{
    if (&b->module->functions[f->function] != b->code->entry)
        return CODE_RETURN;
    return b->code->entry->is_entry ? CODE_EXIT : CODE_END;
}

static bool add_kind(struct build *b, const struct code_function *f, struct code_instruction *c)
{
    const struct module_instruction *i = c->i;
    c->type.i = i;
    c->target = i->target != MODULE_NONE ? f->first + i->target : 0;
    switch (i->op) {
    case OP_UNREAD:
        return refuse(b, i, i->unread ? i->unread : "not read");
    case OP_WARP:
        c->kind = CODE_WARP;
        c->sync = (uint32_t)i->form;
        return true;
    case OP_UNPACK:
        c->kind = CODE_UNPACK;
        return true;
    case OP_CVTA:
        c->kind = CODE_CVTA;
        return true;
    case OP_ISSPACEP:
        c->kind = CODE_ISSPACEP;
        return true;
    case OP_LD:
    case OP_LDU:
        c->kind = CODE_LOAD;
        return add_address(b, f, c);
    case OP_ST:
        c->kind = CODE_STORE;
        return add_address(b, f, c);
    case OP_ATOM:
    case OP_RED:
        c->kind = CODE_ATOMIC;
        return add_address(b, f, c);
    case OP_PREFETCH:
    case OP_NANOSLEEP:
    case OP_FENCE_PROXY:
    case OP_GRIDDEP:
    case OP_CP_ASYNC:
        c->kind = CODE_NOTHING;
        return true;
    case OP_BAR_SYNC:
    case OP_BAR_ARRIVE:
    case OP_BAR_RED:
        c->kind = CODE_BARRIER;
        return true;
    case OP_FENCE:
        c->kind = CODE_FENCE;
        return true;
    case OP_BRA:
        c->kind = CODE_BRANCH;
        return true;
    case OP_BRX:
        c->kind = CODE_INDEXED;
        return true;
    case OP_CALL:
        return add_call(b, c);
    case OP_RET:
        c->kind = kind_of_return(b, f);
        return true;
    case OP_EXIT:
        c->kind = CODE_EXIT;
        return true;
    case OP_TRAP:
        c->kind = CODE_TRAP;
        return true;
    case OPS_VALUE:
    case OPS:
        break;
    }
    return add_row(b, c);
}

static bool add_instruction(struct build *b, const struct code_function *f, uint32_t n)
{
    const struct module_instruction *i = &b->module->functions[f->function].instructions[n];
    struct code_instruction *c = &b->code->instructions[f->first + n];
    *c = (struct code_instruction){.i = i, .function = f->function, .guard = CODE_NO_ROW, .address = CODE_NO_ROW};
    if (i->guard != MODULE_NONE)
        c->guard = REGISTER_ROW + f->rows + i->guard;
    add_operands(b, f, c);
    if (!add_kind(b, f, c))
        return false;
    uint32_t *targets = pool_add(b, i->targets_count);
    for (uint32_t k = 0; k < i->targets_count; k++)
        targets[k] = f->first + i->targets[k];
    c->targets = targets;
    return true;
}

/* ---- all together ---- */

static uint32_t final_row(const struct code *code, uint32_t row)
{
    if (row == CODE_NO_ROW)
        return row;
    if (row & REGISTER_ROW)
        return code->registers + (row & ~REGISTER_ROW);
    return row & SPECIAL_ROW ? code->specials + (row & ~SPECIAL_ROW) : row;
}

static void number_rows(struct build *b)
{
    struct code *code = b->code;
    code->specials = code->constants_count;
    code->registers = code->specials + CODE_SPECIAL_ROWS;
    code->rows += code->registers;
    for (uint32_t n = 0; n < code->functions_count; n++)
        code->functions[n].rows += code->registers;
    for (uint32_t n = 0; n < code->count; n++) {
        struct code_instruction *c = &code->instructions[n];
        c->guard = final_row(code, c->guard);
        c->dst = final_row(code, c->dst);
        c->dst2 = final_row(code, c->dst2);
        c->address = final_row(code, c->address);
        for (unsigned k = 0; k < ROW_SOURCES; k++)
            c->src[k] = final_row(code, c->src[k]);
        for (unsigned k = 0; k < c->i->dsts_count; k++)
            ((uint32_t *)c->dsts)[k] = final_row(code, c->dsts[k]);
        for (unsigned k = 0; k < c->i->srcs_count; k++)
            ((uint32_t *)c->srcs)[k] = final_row(code, c->srcs[k]);
    }
}

static void add_number(struct code *code, uint64_t number)
{
    for (uint32_t n = 0; n < code->numbers_count; n++)
        if (code->numbers[n] == number)
            return;
    if (code->numbers_count < CODE_NUMBERS)
        code->numbers[code->numbers_count++] = number;
}

/* A warp's and a block's common sizes come to mind without the code. */
static void find_numbers(struct code *code)
{
    for (uint32_t n = 0; n < code->count; n++) {
        const struct module_instruction *i = code->instructions[n].i;
        const bool compares = (i->op == OP_SETP || i->op == OP_SET) && !ptx_type_is_float(i->type);
        for (unsigned k = 0; compares && k < 2; k++)
            if (i->srcs[k].kind == OPERAND_IMMEDIATE && i->srcs[k].value > 8 && i->srcs[k].value % WARP_LANES != 0 &&
                i->srcs[k].value % WARP_LANES != WARP_LANES - 1)
                add_number(code, i->srcs[k].value);
    }
}

/* Atomic operations whose results no instruction names. */
static bool find_blind(struct code *code)
{
    bool *const read = calloc(code->rows + 1u, sizeof *read);
    for (uint32_t n = 0; read && n < code->count; n++) {
        const struct code_instruction *c = &code->instructions[n];
        const uint32_t more[] = {c->guard, c->address};
        for (unsigned k = 0; k < c->i->srcs_count; k++)
            if (c->srcs[k] < code->rows)
                read[c->srcs[k]] = true;
        for (unsigned k = 0; k < 2; k++)
            if (more[k] < code->rows)
                read[more[k]] = true;
    }
    for (uint32_t n = 0; read && n < code->count; n++) {
        struct code_instruction *c = &code->instructions[n];
        c->blind = c->kind == CODE_ATOMIC && (c->i->op == OP_RED || c->dst >= code->rows ||
                                              (!read[c->dst] && &code->module->functions[c->function] == code->entry));
    }
    free(read);
    return read != NULL;
}

bool code_starts_as_zeros(const struct module_variable *v)
{
    for (uint64_t n = 0; v->data && n < v->data_size; n++)
        if (v->data[n] != 0)
            return false;
    return true;
}

static void add_varied(struct code *code, uint32_t variable, bool zeros)
{
    const struct module_variable *v = &code->module->variables[variable];
    bool is_known = code->varied_count == CODE_VARIED_MAX;
    for (uint32_t n = 0; n < code->varied_count; n++)
        is_known |= code->varied[n] == variable;
    if (!is_known && v->space == SPACE_GLOBAL && v->relocations_count == 0 && v->size > 0 && v->name[0] != '$' &&
        code_starts_as_zeros(v) == zeros)
        code->varied[code->varied_count++] = variable;
}

/* Those that the code names; first those that start as zeros, because the others may be tables. */
static void find_varied(struct code *code)
{
    for (unsigned zeros = 2; zeros-- > 0;)
        for (uint32_t n = 0; n < code->count; n++)
            for (unsigned k = 0; k < code->instructions[n].i->srcs_count; k++) {
                const struct module_operand *o = &code->instructions[n].i->srcs[k];
                if ((o->kind == OPERAND_VARIABLE || o->kind == OPERAND_ADDRESS) && o->variable != MODULE_NONE)
                    add_varied(code, o->variable, zeros);
            }
}

static bool build_all(struct build *b, uint32_t function)
{
    struct code *code = b->code;
    const struct module_function *f = &b->module->functions[function];
    if (f->unread)
        return error_set(b->error, ERROR_UNSUPPORTED, "%s", f->unread);
    if (!find_functions(b, function))
        return false;
    place_frames(b);
    place_shared(b);
    if (code->frame_bytes > FRAME_MAX || code->shared_extern > SHARED_MAX)
        return error_set(b->error, ERROR_UNSUPPORTED,
                         "%s: %s needs more than %u KiB of local memory a thread or %u KiB of shared memory",
                         b->module->name, f->name, FRAME_MAX >> 10, SHARED_MAX >> 10);
    if (!place_global(b))
        return false;
    fill_image(b);
    code->instructions = calloc(code->count + 1, sizeof *code->instructions);
    b->pool_room = pool_size(b);
    code->pool = b->pool = calloc(b->pool_room, sizeof *b->pool);
    if (!code->instructions || !b->pool)
        return error_set(b->error, ERROR_SYSTEM, "out of memory");
    for (uint32_t n = 0; n < code->functions_count; n++) {
        uint32_t count = b->module->functions[code->functions[n].function].instructions_count;
        for (uint32_t k = 0; k < count; k++)
            if (!add_instruction(b, &code->functions[n], k))
                return false;
    }
    if (b->no_memory)
        return error_set(b->error, ERROR_SYSTEM, "out of memory");
    number_rows(b);
    code->start = code->functions[b->at[function]].first;
    find_numbers(code);
    find_varied(code);
    return (find_blind(code) && behind_find(code)) || error_set(b->error, ERROR_SYSTEM, "out of memory");
}

struct code *code_new(const struct module *module, uint32_t function, struct error *error)
{
    struct code *code = calloc(1, sizeof *code);
    struct build b = {.code = code, .module = module, .error = error};
    size_t functions = module->functions_count + 1u, variables = module->variables_count + 1u;
    bool ok = code != NULL;
    if (ok) {
        code->module = module;
        code->entry = &module->functions[function];
        code->functions = calloc(functions, sizeof *code->functions);
        code->places = calloc(variables, sizeof *code->places);
        code->image_is_input = calloc(variables, sizeof *code->image_is_input);
        b.marks = calloc(functions, sizeof *b.marks);
        b.at = malloc(functions * sizeof *b.at);
        ok = code->functions && code->places && code->image_is_input && b.marks && b.at;
    }
    if (!ok)
        error_set(error, ERROR_SYSTEM, "out of memory");
    for (size_t n = 0; ok && n < functions; n++)
        b.at[n] = MODULE_NONE;
    ok = ok && build_all(&b, function);
    free(b.marks);
    free(b.at);
    if (ok)
        return code;
    code_free(code);
    return NULL;
}

void code_free(struct code *code)
{
    if (!code)
        return;
    free(code->functions);
    free(code->instructions);
    free(code->constants);
    free(code->places);
    free(code->image);
    free(code->image_is_input);
    free(code->pool);
    free(code);
}

static const char *file_of(const struct module *m, uint32_t location)
{
    uint32_t file = m->locations[location].file;
    return file == MODULE_NONE ? NULL : m->files[file];
}

/* The place into which the location was inlined, if that has a file. */
static uint32_t next_of(const struct module *m, uint32_t location)
{
    uint32_t next = m->locations[location].inlined_at;
    return next != MODULE_NONE && file_of(m, next) ? next : MODULE_NONE;
}

struct code_place code_place(const struct code *code, uint32_t at)
{
    const struct code_instruction *c = &code->instructions[at];
    const struct module *m = code->module;
    struct code_place place = {.function = m->functions[c->function].name,
                               .file = m->name,
                               .line = c->i->line,
                               .ptx_line = c->i->line,
                               .text = c->i->name};
    uint32_t inner = c->i->location, chosen, outer;
    while (inner != MODULE_NONE && m->locations[inner].line == 0) /* a compiler's word for: of no line */
        inner = next_of(m, inner);
    if (inner == MODULE_NONE || !file_of(m, inner))
        return place;
    chosen = inner;
    while (!text_ends(file_of(m, chosen), ".cu") && next_of(m, chosen) != MODULE_NONE)
        chosen = next_of(m, chosen);
    if (!text_ends(file_of(m, chosen), ".cu"))
        chosen = inner;
    for (outer = chosen; next_of(m, outer) != MODULE_NONE;)
        outer = next_of(m, outer);
    place.file = file_of(m, chosen);
    place.line = m->locations[chosen].line;
    if (inner != chosen) {
        place.inner_file = file_of(m, inner);
        place.inner_line = m->locations[inner].line;
    }
    if (outer != chosen) {
        place.outer_file = file_of(m, outer);
        place.outer_line = m->locations[outer].line;
    }
    return place;
}

bool code_has_checks(const struct code *code)
{
    for (uint32_t n = 0; n < code->count; n++) {
        const struct code_instruction *const c = &code->instructions[n];
        const bool is_memory = c->kind == CODE_LOAD || c->kind == CODE_STORE || c->kind == CODE_ATOMIC;
        if (c->kind == CODE_WARP || c->kind == CODE_BARRIER || (is_memory && c->i->space == SPACE_SHARED))
            return true;
    }
    return code->shared_bytes > CODE_SHARED_START; /* by generic addresses */
}
