#include "kernel/exec/block.h"
#include "kernel/exec/print.h"

#include <string.h>

/* ---- unpredictable and unwritten values ---- */

uint16_t kernel_origin(struct kernel *kernel, uint32_t at)
{
    for (uint32_t n = 1; n < kernel->origins_count; n++)
        if (kernel->origins[n] == at)
            return (uint16_t)n;
    if (kernel->origins_count == BLOCK_ORIGINS_MAX)
        return BLOCK_ORIGINS_MAX - 1;
    kernel->origins[kernel->origins_count] = at;
    return (uint16_t)kernel->origins_count++;
}

void warp_taint(struct warp *w, uint32_t row, unsigned lane, uint16_t origin)
{
    w->tainted[row] |= UINT32_C(1) << lane;
    w->origin[row][lane] = origin;
}

void warp_note_unset(struct warp *w, uint32_t at, uint32_t row, lanemask lanes)
{
    lanemask unset = w->unset[row] & lanes;
    if (unset == 0)
        return;
    w->unset[row] &= ~unset;
    for (lanemask m = unset; m != 0; m &= m - 1)
        warp_row(w, row)[__builtin_ctz(m)] = 0;
    kernel_add_event(
        w->kernel,
        &(struct kernel_event){.kind = KERNEL_UNINITIALIZED, .at = at, .from = at, .warp = w->number, .lanes = unset});
}

static void report_use(struct warp *w, uint32_t at, uint16_t origin, lanemask lanes, enum kernel_use use)
{
    kernel_add_event(w->kernel, &(struct kernel_event){.kind = KERNEL_UNPREDICTABLE,
                                                       .at = at,
                                                       .from = w->kernel->origins[origin],
                                                       .warp = w->number,
                                                       .lanes = lanes,
                                                       .use = use});
}

void warp_report_use(struct warp *w, uint32_t at, uint32_t row, lanemask lanes, enum kernel_use use)
{
    report_use(w, at, w->origin[row][__builtin_ctz(lanes)], lanes, use);
}

/* Reads a row that must be predictable; true when it is. */
static bool check_row(struct warp *w, uint32_t at, uint32_t row, lanemask lanes, enum kernel_use use)
{
    if (w->unset[row] & lanes)
        warp_note_unset(w, at, row, lanes);
    if (w->tainted[row] & lanes)
        warp_report_use(w, at, row, w->tainted[row] & lanes, use);
    return !w->kernel->stop;
}

static lanemask true_lanes(const uint64_t *row)
{
    lanemask lanes = 0;
    for (unsigned l = 0; l < WARP_LANES; l++)
        lanes |= (lanemask)(row[l] & 1) << l;
    return lanes;
}

static lanemask guard_of(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask lanes)
{
    if (((w->unset[c->guard] | w->tainted[c->guard]) & lanes) && !check_row(w, at, c->guard, lanes, KERNEL_BRANCHED))
        return 0;
    lanemask on = true_lanes(warp_row(w, c->guard));
    return (c->i->guard_negate ? ~on : on) & lanes;
}

/* ---- arithmetic ---- */

/*
 * The sources that the operation only copies bits of: each bit of the result depends on one bit of each of them at
 * most, and which one that is does not depend on them. Bit n for source n.
 */
static unsigned copied_sources(enum ptx_op op)
{
    switch (op) {
    case OP_NOT:
    case OP_SHL:
    case OP_SHR:
    case OP_BFE:
    case OP_BREV:
        return 1;
    case OPS_LOGIC:
    case OP_SHF:
    case OP_PRMT:
    case OP_BFI:
        return 3;
    case OP_LOP3:
    case OP_SELP:
        return 7;
    case OPS_NOT_COPYING:
        break;
    }
    return 0;
}

/* Is the result the same whatever the bits of these sources are? Exact where they are only copied: all zeros and all
 * ones, in all combinations, give each bit of the result all that it may depend on. */
static bool is_one_result(struct warp *w, const struct code_instruction *c, unsigned sources, unsigned lane)
{
    const uint64_t ones = UINT64_MAX >> c->type.step;
    uint64_t rows[ROW_SOURCES][WARP_LANES], result[WARP_LANES], first = 0;
    const uint64_t *s[ROW_SOURCES];
    for (unsigned set = sources;; set = (set - 1) & sources) {
        for (unsigned n = 0; n < ROW_SOURCES; n++) {
            s[n] = rows[n];
            rows[n][lane] = !(sources >> n & 1u) ? warp_row(w, c->src[n])[lane] ^ c->negated[n]
                            : set >> n & 1u      ? ones
                                                 : 0;
        }
        c->compute(result, s, &c->type, UINT32_C(1) << lane);
        if (set == sources)
            first = result[lane];
        if (result[lane] != first)
            return false;
        if (set == 0)
            return true;
    }
}

static bool is_known(const struct warp *w, const struct code_instruction *c, unsigned n, unsigned lane)
{
    return !(w->tainted[c->src[n]] >> lane & 1u);
}

/* Is the result known although source n is unpredictable, which is not only copied? It is for a product with 0, and for
 * a comparison that does not matter beside a predicate. */
static bool hides(struct warp *w, const struct code_instruction *c, unsigned n, unsigned lane)
{
    const enum ptx_op op = c->i->op;
    const uint64_t other = warp_row(w, c->src[n ^ 1u])[lane], third = warp_row(w, c->src[2])[lane] ^ c->negated[2];
    if (n > 1)
        return false;
    if ((op == OP_MUL || op == OP_MUL24 || op == OP_MAD || op == OP_MAD24) && !ptx_type_is_float(c->i->type))
        return is_known(w, c, n ^ 1u, lane) && other == 0;
    if (op == OP_SETP && c->i->srcs_count > 2 && is_known(w, c, 2, lane))
        return (c->i->bool_op == ATOMIC_AND && !(third & 1)) || (c->i->bool_op == ATOMIC_OR && (third & 1));
    return false;
}

/* selp takes one of its sources. */
static bool selects_another(struct warp *w, const struct code_instruction *c, unsigned n, unsigned lane)
{
    const bool takes_first = (warp_row(w, c->src[2])[lane] ^ c->negated[2]) & 1;
    return c->i->op == OP_SELP && n < 2 && is_known(w, c, 2, lane) && takes_first == (n == 1);
}

static uint16_t origin_of_result(struct warp *w, const struct code_instruction *c, unsigned lane)
{
    const bool strict = w->kernel->watch != NULL; /* what is computed from an unpredictable value always is one */
    unsigned sources = 0;
    for (unsigned n = 0; n < ROW_SOURCES; n++)
        sources |= is_known(w, c, n, lane) ? 0 : 1u << n;
    if (!strict && sources != 0 && !(sources & ~copied_sources(c->i->op)) && is_one_result(w, c, sources, lane))
        return 0;
    for (unsigned n = 0; n < ROW_SOURCES; n++)
        if (sources >> n & 1u && !selects_another(w, c, n, lane) && (strict || !hides(w, c, n, lane)))
            return w->origin[c->src[n]][lane];
    return 0;
}

static void set_taint(struct warp *w, uint32_t row, lanemask on, const uint16_t *origins)
{
    w->tainted[row] &= ~on;
    w->unset[row] &= ~on;
    for (lanemask m = on; m != 0; m &= m - 1)
        if (origins[__builtin_ctz(m)])
            warp_taint(w, row, (unsigned)__builtin_ctz(m), origins[__builtin_ctz(m)]);
}

static void compute(struct warp *w, const struct code_instruction *c, lanemask on)
{
    const uint64_t *s[ROW_SOURCES];
    uint64_t inverted[ROW_SOURCES][WARP_LANES], second[WARP_LANES];
    for (unsigned n = 0; n < ROW_SOURCES; n++)
        s[n] = warp_row(w, c->src[n]);
    for (unsigned n = 0; c->has_negated && n < ROW_SOURCES; n++) {
        if (!c->negated[n])
            continue;
        for (unsigned l = 0; l < WARP_LANES; l++)
            inverted[n][l] = s[n][l] ^ 1;
        s[n] = inverted[n];
    }
    if (c->second)
        c->second(second, s, &c->type, on);
    if (c->dst != CODE_NO_ROW)
        c->compute(warp_row(w, c->dst), s, &c->type, on);
    for (lanemask m = c->second && c->dst2 != CODE_NO_ROW ? on : 0; m != 0; m &= m - 1)
        warp_row(w, c->dst2)[__builtin_ctz(m)] = second[__builtin_ctz(m)];
}

static void compute_marked(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    uint16_t origins[WARP_LANES] = {0};
    for (unsigned n = 0; n < ROW_SOURCES; n++)
        warp_note_unset(w, at, c->src[n], on);
    for (lanemask m = on; m != 0; m &= m - 1)
        origins[__builtin_ctz(m)] = origin_of_result(w, c, (unsigned)__builtin_ctz(m));
    compute(w, c, on);
    if (c->dst != CODE_NO_ROW)
        set_taint(w, c->dst, on, origins);
    if (c->dst2 != CODE_NO_ROW)
        set_taint(w, c->dst2, on, origins);
}

static void note_open(struct warp *w, uint32_t at, enum kernel_open open)
{
    struct kernel_outcome *const o = w->kernel->outcome;
    if (o->open != KERNEL_OPEN_NOTHING)
        return;
    o->open = open;
    o->open_at = at;
}

/* What the manual leaves open of an operation on integers. */
static enum kernel_open open_of(const struct code_instruction *c, uint64_t a, uint64_t b)
{
    const bool is_signed = c->type.is_signed;
    const uint64_t sign = (c->type.mask >> 1) + 1, from = is_signed ? UINT64_C(1) << 23 : 0;
    if (c->i->op == OP_MUL24 || c->i->op == OP_MAD24)
        return (((a + from) | (b + from)) & c->type.mask) >> 24 != 0 ? KERNEL_OPEN_24_BITS : KERNEL_OPEN_NOTHING;
    if (c->i->op == OP_REM && is_signed && ((a | b) & sign) != 0)
        return KERNEL_OPEN_REMAINDER;
    return (b & c->type.mask) == 0 ? KERNEL_OPEN_DIVISION : KERNEL_OPEN_NOTHING;
}

static void note_arithmetic(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    const uint64_t *const a = warp_row(w, c->src[0]), *const b = warp_row(w, c->src[1]);
    for (lanemask m = on; m != 0; m &= m - 1) {
        const enum kernel_open open = open_of(c, a[__builtin_ctz(m)], b[__builtin_ctz(m)]);
        if (open != KERNEL_OPEN_NOTHING)
            note_open(w, at, open);
    }
}

static bool may_be_open(const struct module_instruction *i)
{
    return ((i->op == OP_DIV || i->op == OP_REM) && !ptx_type_is_float(i->type)) || i->op == OP_MUL24 ||
           i->op == OP_MAD24;
}

static void step_row(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    lanemask marked = 0;
    if (may_be_open(c->i))
        note_arithmetic(w, at, c, on);
    for (unsigned n = 0; n < ROW_SOURCES; n++)
        marked |= w->tainted[c->src[n]] | w->unset[c->src[n]];
    if (marked & on) {
        compute_marked(w, at, c, on);
        return;
    }
    compute(w, c, on);
    if (c->dst != CODE_NO_ROW) {
        w->tainted[c->dst] &= ~on;
        w->unset[c->dst] &= ~on;
    }
    if (c->dst2 != CODE_NO_ROW) {
        w->tainted[c->dst2] &= ~on;
        w->unset[c->dst2] &= ~on;
    }
}

/* Writes a row lane by lane: `origin` 0 is a predictable value. */
static void put(struct warp *w, uint32_t row, unsigned lane, uint64_t value, uint16_t origin)
{
    lanemask bit = UINT32_C(1) << lane;
    if (row == CODE_NO_ROW)
        return;
    warp_row(w, row)[lane] = value;
    w->unset[row] &= ~bit;
    w->tainted[row] &= ~bit;
    if (origin)
        warp_taint(w, row, lane, origin);
}

static uint16_t origin_at(const struct warp *w, uint32_t row, unsigned lane)
{
    return w->tainted[row] >> lane & 1u ? w->origin[row][lane] : 0;
}

static void step_unpack(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    unsigned bits = ptx_type_bits(c->i->type) / c->i->dsts_count;
    uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    warp_note_unset(w, at, c->src[0], on);
    for (lanemask m = on; m != 0; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        uint64_t value = warp_row(w, c->src[0])[lane];
        uint16_t origin = origin_at(w, c->src[0], lane);
        for (unsigned n = 0; n < c->i->dsts_count; n++)
            put(w, c->dsts[n], lane, value >> (bits * n) & mask, origin);
    }
}

static uint64_t window_of(enum ptx_space space)
{
    switch (space) {
    case SPACE_SHARED:
    case SPACE_CLUSTER:
        return CODE_SHARED_WINDOW;
    case SPACE_LOCAL:
    case SPACE_PARAM:
        return CODE_PRIVATE_WINDOW;
    case SPACE_GENERIC:
    case SPACE_GLOBAL:
    case SPACE_CONST:
    case SPACES:
        break;
    }
    return 0;
}

static bool is_in_space(const struct kernel *kernel, uint64_t address, enum ptx_space space)
{
    uint64_t window = window_of(space);
    bool in_window = address >= CODE_PRIVATE_WINDOW && address < CODE_SHARED_WINDOW + CODE_WINDOW_SIZE;
    if (window != 0)
        return address - window < CODE_WINDOW_SIZE && (space != SPACE_PARAM || address - window >= CODE_PARAMS_START) &&
               (space != SPACE_LOCAL || address - window < CODE_PARAMS_START);
    if (space != SPACE_CONST)
        return !in_window;
    for (uint32_t v = 0; v < kernel->code->module->variables_count; v++)
        if (kernel->code->module->variables[v].space == SPACE_CONST &&
            address - kernel->code->places[v] < kernel->code->module->variables[v].size)
            return true;
    return false;
}

static void step_address(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    uint64_t window = window_of(c->i->space);
    warp_note_unset(w, at, c->src[0], on);
    for (lanemask m = on; m != 0; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        uint64_t a = warp_row(w, c->src[0])[lane];
        if (c->kind == CODE_ISSPACEP)
            a = is_in_space(w->kernel, a, c->i->space);
        else
            a = c->i->to ? a - window : a + window;
        put(w, c->dst, lane, a, origin_at(w, c->src[0], lane));
    }
}

static void step_clock(struct warp *w, const struct code_instruction *c, lanemask on)
{
    w->kernel->memory.changed = true;
    for (lanemask m = on; m != 0; m &= m - 1)
        put(w, c->dst, (unsigned)__builtin_ctz(m),
            (UINT64_C(1) << 40 | (UINT64_MAX - w->kernel->steps_left) << 4) & c->type.mask, 0);
}

/* ---- memory ---- */

/* One lane's access to `width` bytes. */
struct access {
    bool blind; /* an atomic operation whose result nobody reads */
    struct warp *w;
    uint32_t at;
    const struct module_instruction *i;
    unsigned lane, width;
    enum ptx_space space; /* SHARED, LOCAL (offset in the private window), else global */
    uint64_t address;
};

static enum ptx_space place_address(enum ptx_space space, uint64_t *address)
{
    switch (space) {
    case SPACE_GENERIC:
        if (*address - CODE_SHARED_WINDOW < CODE_WINDOW_SIZE) {
            *address -= CODE_SHARED_WINDOW;
            return SPACE_SHARED;
        }
        if (*address - CODE_PRIVATE_WINDOW < CODE_WINDOW_SIZE) {
            *address -= CODE_PRIVATE_WINDOW;
            return SPACE_LOCAL;
        }
        return SPACE_GLOBAL;
    case SPACE_SHARED:
    case SPACE_CLUSTER:
        return SPACE_SHARED;
    case SPACE_LOCAL:
    case SPACE_PARAM:
        return SPACE_LOCAL;
    case SPACE_GLOBAL:
    case SPACE_CONST:
    case SPACES:
        break;
    }
    return SPACE_GLOBAL;
}

static bool is_strong(const struct module_instruction *i)
{
    return i->op == OP_ATOM || i->op == OP_RED || i->order >= ORDER_RELAXED;
}

static void report_race(const struct access *a, int with, uint32_t place, bool writes)
{
    if (with < 0 || warp_target_needs_convergence(a->w->kernel->target)) /* there lanes that converge run in step */
        return;
    kernel_add_event(a->w->kernel, &(struct kernel_event){.kind = KERNEL_RACE,
                                                          .at = a->at,
                                                          .from = place,
                                                          .warp = a->w->number,
                                                          .lanes = UINT32_C(1) << a->lane,
                                                          .others = UINT32_C(1) << with,
                                                          .address = a->address,
                                                          .writes = writes});
}

/* Handles every word that the access touches. */
static void track(const struct access *a, bool writes)
{
    unsigned done = 0;
    while (done < a->width) {
        unsigned in_word = 4 - (unsigned)((a->address + done) & 3);
        unsigned width = a->width - done < in_word ? a->width - done : in_word;
        struct race_access r = {a->lane, a->address + done, width, a->at, is_strong(a->i)};
        uint32_t place;
        int with = writes ? race_write(&a->w->race, &r, &place) : race_read(&a->w->race, &r, &place);
        report_race(a, with, place, writes);
        done += width;
    }
}

static bool fits(const struct access *a, uint64_t from, uint64_t size)
{
    return a->address >= from && a->address - from < size && a->width <= size - (a->address - from);
}

static uint8_t *bytes_of(const struct access *a, uint16_t **taint)
{
    struct warp *w = a->w;
    struct memory *memory = &w->kernel->memory;
    *taint = NULL;
    if (a->space == SPACE_SHARED) {
        if (!fits(a, 0, memory->shared_size))
            return NULL;
        *taint = memory->shared_taint + a->address;
        return memory->shared + a->address;
    }
    if (a->address >= CODE_PARAMS_START) {
        if (!fits(a, CODE_PARAMS_START, KERNEL_PARAMS_MAX))
            return NULL;
        return (uint8_t *)w->kernel->input->params + (a->address - CODE_PARAMS_START);
    }
    if (!fits(a, 0, w->kernel->code->frame_bytes))
        return NULL;
    *taint = w->frame_taint + a->lane * w->kernel->code->frame_bytes + a->address;
    return w->frames + a->lane * w->kernel->code->frame_bytes + a->address;
}

/* Is this access of a whole vector where one may be? */
static void check_place(const struct access *a, unsigned vector)
{
    const struct kernel *const kernel = a->w->kernel;
    const struct kernel_input *const in = kernel->input;
    const uint64_t width = (uint64_t)a->width * vector;
    if ((a->address & (width - 1)) != 0)
        note_open(a->w, a->at, KERNEL_OPEN_ALIGNMENT);
    if (a->space == SPACE_SHARED
            ? a->address + width > kernel->memory.shared_size
            : a->space == SPACE_GLOBAL && in->content != NULL &&
                  (a->address < CODE_BUFFERS || a->address - CODE_BUFFERS + width > in->content_size))
        note_open(a->w, a->at, KERNEL_OPEN_PLACE);
}

static uint64_t load(const struct access *a, bool real, uint16_t *origin)
{
    struct kernel *kernel = a->w->kernel;
    uint64_t value = 0;
    uint16_t *taint;
    *origin = 0;
    if (a->space == SPACE_GLOBAL)
        return memory_read(&kernel->memory, a->address, a->width, real);
    const uint8_t *bytes = bytes_of(a, &taint);
    if (!bytes) {
        kernel->memory.wild++;
        return random_mix(a->address);
    }
    memcpy(&value, bytes, a->width);
    bool is_tainted = a->space == SPACE_SHARED ? kernel->memory.shared_is_tainted : a->w->frame_is_tainted;
    for (unsigned n = 0; is_tainted && taint && n < a->width; n++)
        *origin = taint[n] ? taint[n] : *origin;
    return value;
}

static void store(const struct access *a, uint64_t value, uint16_t origin)
{
    struct kernel *kernel = a->w->kernel;
    bool shared = a->space == SPACE_SHARED;
    uint16_t *taint;
    if (a->space == SPACE_GLOBAL) {
        memory_write(&kernel->memory, a->address, a->width, value);
        return;
    }
    uint8_t *bytes = bytes_of(a, &taint);
    if (!bytes || !taint)
        return;
    /* Lanes that write the same value do not race: nobody can see which of them wrote. */
    bool changes = shared && memcmp(bytes, &value, a->width) != 0;
    kernel->memory.changed |= changes;
    kernel->memory.version += changes;
    if (changes || (shared && is_strong(a->i) && !a->blind))
        track(a, true);
    memcpy(bytes, &value, a->width);
    bool *is_tainted = shared ? &kernel->memory.shared_is_tainted : &a->w->frame_is_tainted;
    *is_tainted |= origin != 0;
    for (unsigned n = 0; *is_tainted && n < a->width; n++)
        taint[n] = origin;
}

static uint64_t widen(const struct kernel *kernel, const struct code_instruction *c, unsigned n, uint64_t value)
{
    unsigned bits = ptx_type_bits(c->i->type);
    const struct module_operand *o = &c->i->dsts[n];
    if (!ptx_type_is_signed(c->i->type) || o->kind != OPERAND_REGISTER)
        return value;
    unsigned to = kernel->code->module->functions[c->function].registers[o->reg].bits;
    uint64_t wide = (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
    return to >= 64 ? wide : wide & ((UINT64_C(1) << to) - 1);
}

static unsigned access_width(const struct module_instruction *i)
{
    unsigned bits = ptx_type_bits(i->type);
    return bits < 8 ? 1 : bits / 8;
}

static unsigned vector_of(const struct module_instruction *i)
{
    return i->vector ? i->vector : 1;
}

#define POLLS 3u /* at one place with nothing written meanwhile: what the lanes wait for comes from others */

/* A volatile, stronger or atomic access: it may be the turn of a loop that waits. */
static void note_poll(struct warp *w, uint32_t at)
{
    uint64_t version = w->kernel->memory.version;
    w->polls = w->poll_at == at && w->poll_version == version ? w->polls + 1 : 0;
    w->poll_at = at;
    w->poll_version = version;
}

static void step_load(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    struct access a = {.w = w, .at = at, .i = c->i, .width = access_width(c->i)};
    bool real = ptx_type_is_float(c->i->type);
    if (!check_row(w, at, c->address, on, KERNEL_ADDRESSED))
        return;
    if (c->i->order >= ORDER_VOLATILE)
        note_poll(w, at);
    for (lanemask m = on; m != 0; m &= m - 1) {
        a.lane = (unsigned)__builtin_ctz(m);
        uint64_t address = warp_row(w, c->address)[a.lane] + c->offset;
        for (unsigned n = 0; n < vector_of(c->i); n++, address += a.width) {
            uint16_t origin;
            a.address = address;
            a.space = place_address(c->i->space, &a.address);
            if (n == 0)
                check_place(&a, vector_of(c->i));
            uint64_t value = load(&a, real, &origin);
            if (a.space == SPACE_SHARED && fits(&a, 0, w->kernel->memory.shared_size))
                track(&a, false);
            if (a.space == SPACE_SHARED && c->i->order >= ORDER_VOLATILE)
                w->polled |= UINT32_C(1) << a.lane;
            put(w, c->dsts[n], a.lane, widen(w->kernel, c, n, value), origin);
        }
    }
}

/* Other blocks can see unpredictable values in global memory. In shared memory they stay marked, and only their
 * later use matters. */
static void step_store(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    struct access a = {.w = w, .at = at, .i = c->i, .width = access_width(c->i)};
    lanemask seen[8] = {0};
    if (!check_row(w, at, c->address, on, KERNEL_ADDRESSED))
        return;
    for (unsigned n = 0; n < vector_of(c->i); n++)
        warp_note_unset(w, at, c->srcs[1 + n], on);
    /* Of lanes that write one word any may be the last. */
    const unsigned turn = w->kernel->input->shuffled ? (2 * w->kernel->input->schedule + 1) % WARP_LANES : 0;
    for (lanemask m = turn ? on >> turn | on << (WARP_LANES - turn) : on; m != 0; m &= m - 1) {
        a.lane = ((unsigned)__builtin_ctz(m) + turn) % WARP_LANES;
        uint64_t address = warp_row(w, c->address)[a.lane] + c->offset;
        for (unsigned n = 0; n < vector_of(c->i); n++, address += a.width) {
            uint32_t row = c->srcs[1 + n];
            uint16_t origin = origin_at(w, row, a.lane);
            a.address = address;
            a.space = place_address(c->i->space, &a.address);
            if (n == 0)
                check_place(&a, vector_of(c->i));
            if (origin && a.space == SPACE_GLOBAL)
                seen[n & 7] |= UINT32_C(1) << a.lane;
            store(&a, warp_row(w, row)[a.lane], origin);
        }
    }
    for (unsigned n = 0; n < vector_of(c->i); n++)
        if (seen[n & 7])
            warp_report_use(w, at, c->srcs[1 + n], seen[n & 7], KERNEL_STORED);
}

static void step_atomic(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    struct access a = {.w = w, .at = at, .i = c->i, .width = access_width(c->i), .blind = c->blind};
    uint32_t zero = c->src[ROW_SOURCES - 1], third = c->i->srcs_count > 2 ? c->srcs[2] : zero;
    w->kernel->outcome->saw_schedule = true;
    if (!check_row(w, at, c->address, on, KERNEL_ADDRESSED) || !check_row(w, at, c->srcs[1], on, KERNEL_ATOMIC) ||
        (third != zero && !check_row(w, at, third, on, KERNEL_ATOMIC)))
        return;
    unsigned turn = w->kernel->input->shuffled ? (unsigned)random_below(&w->kernel->random, WARP_LANES) : 0;
    for (unsigned n = 0; n < WARP_LANES; n++) {
        uint16_t origin;
        a.lane = (n + turn) % WARP_LANES;
        if (!(on >> a.lane & 1u))
            continue;
        a.address = warp_row(w, c->address)[a.lane] + c->offset;
        a.space = place_address(c->i->space, &a.address);
        check_place(&a, 1);
        uint64_t old = load(&a, ptx_type_is_float(c->i->type), &origin);
        w->polled |= UINT32_C(1) << a.lane;
        const uint64_t b = warp_row(w, c->srcs[1])[a.lane];
        store(&a, row_atomic(c->i, old, b, warp_row(w, third)[a.lane], a.space == SPACE_GLOBAL), 0);
        if (c->i->op == OP_ATOM)
            put(w, c->dst, a.lane, widen(w->kernel, c, 0, old), origin);
    }
    note_poll(w, at);
}

/* ---- calls ---- */

/* Copies a value between a variable in the frame and another one or a register. */
static void copy_argument(struct warp *w, const struct code_instruction *c, const struct module_operand *o,
                          uint32_t row, uint32_t formal, lanemask on, bool back)
{
    const struct code *code = w->kernel->code;
    const struct module_variable *v = &code->module->variables[formal];
    const struct code_function *callee = &code->functions[0];
    uint64_t bytes = code->frame_bytes;
    while (callee->function != c->i->callee)
        callee++;
    for (lanemask m = on; m != 0; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        uint8_t *frame = w->frames + lane * bytes;
        uint16_t *taint = w->frame_taint + lane * bytes;
        if (o->kind == OPERAND_VARIABLE) {
            uint64_t to = code->places[back ? o->variable : formal], from = code->places[back ? formal : o->variable];
            uint64_t actual = code->module->variables[o->variable].size;
            uint64_t size = actual < v->size ? actual : v->size;
            memcpy(frame + to, frame + from, size);
            memcpy(taint + to, taint + from, size * sizeof *taint);
        } else if (v->reg != MODULE_NONE) {
            uint32_t inner = callee->rows + v->reg, to = back ? row : inner, from = back ? inner : row;
            if (to != CODE_NO_ROW && from != CODE_NO_ROW)
                put(w, to, lane, warp_row(w, from)[lane], origin_at(w, from, lane));
        } else if (back && row != CODE_NO_ROW) {
            uint64_t value = 0;
            memcpy(&value, frame + code->places[formal], v->size < 8 ? v->size : 8);
            put(w, row, lane, value, taint[code->places[formal]]);
        } else if (row != CODE_NO_ROW) {
            memcpy(frame + code->places[formal], &warp_row(w, row)[lane], v->size < 8 ? v->size : 8);
            taint[code->places[formal]] = origin_at(w, row, lane);
            w->frame_is_tainted |= taint[code->places[formal]] != 0;
        }
    }
}

static void step_call(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    const struct code *code = w->kernel->code;
    const struct module_function *f = &code->module->functions[c->i->callee];
    for (unsigned n = 0; n < c->i->srcs_count && n < f->params_count; n++)
        copy_argument(w, c, &c->i->srcs[n], c->srcs[n], f->params[n], on, false);
    const uint32_t index = code_index(code, c->i->callee);
    for (lanemask m = on; m != 0; m &= m - 1)
        w->returns[index][__builtin_ctz(m)] = at;
}

/* Lanes may have come from different calls: each returns to its own. */
static void step_return(struct warp *w, const struct code_instruction *c, lanemask on)
{
    const struct code *code = w->kernel->code;
    const uint32_t index = code_index(code, c->function);
    for (lanemask m = on; m != 0; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        uint32_t call = w->returns[index][lane];
        const struct code_instruction *from = &code->instructions[call];
        const struct module_function *f = &code->module->functions[c->function];
        for (unsigned n = 0; n < from->i->dsts_count && n < f->returns_count; n++)
            copy_argument(w, from, &from->i->dsts[n], from->dsts[n], f->returns[n], UINT32_C(1) << lane, true);
        w->pc[lane] = call + 1;
    }
}

/* A number that a lane gives to a function outside of the module. */
static uint64_t given(struct warp *w, const struct code_instruction *c, unsigned n, unsigned lane, uint16_t *origin)
{
    const struct code *code = w->kernel->code;
    uint64_t value = 0;
    *origin = 0;
    if (n >= c->i->srcs_count)
        return 0;
    if (c->i->srcs[n].kind != OPERAND_VARIABLE) {
        *origin = origin_at(w, c->srcs[n], lane);
        return warp_row(w, c->srcs[n])[lane];
    }
    const uint64_t size = code->module->variables[c->i->srcs[n].variable].size,
                   from = lane * code->frame_bytes + code->places[c->i->srcs[n].variable];
    memcpy(&value, w->frames + from, size < 8 ? size : 8);
    for (uint64_t k = 0; k < size; k++)
        *origin = w->frame_taint[from + k] ? w->frame_taint[from + k] : *origin;
    return value;
}

/* Arguments of printf are given in memory, by their address. */
static void report_printed(struct warp *w, uint32_t at, const struct code_instruction *c, unsigned lane)
{
    const uint64_t frame = w->kernel->code->frame_bytes;
    uint16_t origin;
    bool printed[PRINTED_MAX] = {false};
    const uint64_t offset = given(w, c, 1, lane, &origin) - CODE_PRIVATE_WINDOW;
    print_mark_arguments(w->kernel->code, given(w, c, 0, lane, &origin), printed);
    for (uint64_t n = 0; n < PRINTED_MAX && offset < frame && n < frame - offset; n++) {
        origin = w->frame_taint[lane * frame + offset + n];
        if (printed[n] && origin)
            report_use(w, at, origin, UINT32_C(1) << lane, KERNEL_GIVEN);
    }
}

static void report_given(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    for (lanemask m = on; m != 0; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(m);
        for (unsigned n = 0; n < c->i->srcs_count; n++) {
            uint16_t origin;
            given(w, c, n, lane, &origin);
            if (origin)
                report_use(w, at, origin, UINT32_C(1) << lane, KERNEL_GIVEN);
        }
        if (c->external == CODE_PRINTF)
            report_printed(w, at, c, lane);
    }
}

static void step_external(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    struct kernel *kernel = w->kernel;
    const struct code *code = kernel->code;
    if (c->external == CODE_ASSERTFAIL) {
        kernel_stop(kernel, KERNEL_TRAPPED, at);
        return;
    }
    report_given(w, at, c, on);
    for (unsigned n = 0; n < c->i->dsts_count; n++)
        for (lanemask m = on; m != 0; m &= m - 1) {
            unsigned lane = (unsigned)__builtin_ctz(m);
            uint64_t value = c->external == CODE_MALLOC ? kernel->heap : 0;
            kernel->heap += c->external == CODE_MALLOC ? UINT64_C(1) << 20 : 0;
            if (c->i->dsts[n].kind == OPERAND_VARIABLE)
                memcpy(w->frames + lane * code->frame_bytes + code->places[c->i->dsts[n].variable], &value,
                       code->module->variables[c->i->dsts[n].variable].size < 8 ? 4 : 8);
            else
                put(w, c->dsts[n], lane, value, 0);
        }
}

/* ---- going on ---- */

static void set_places(struct warp *w, lanemask lanes, uint32_t at)
{
    for (; lanes != 0; lanes &= lanes - 1)
        w->pc[__builtin_ctz(lanes)] = at;
}

static void exit_lanes(struct warp *w, lanemask lanes)
{
    w->running &= ~lanes;
    w->exited |= lanes;
    warp_recheck(w);
    barrier_recheck(w->kernel);
}

static void step_indexed(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    if (!check_row(w, at, c->src[0], on, KERNEL_BRANCHED))
        return;
    for (lanemask m = on; m != 0; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        uint64_t index = warp_row(w, c->src[0])[lane];
        if (index >= c->i->targets_count)
            note_open(w, at, KERNEL_OPEN_TARGET);
        w->pc[lane] =
            c->i->targets_count ? c->targets[index < c->i->targets_count ? index : c->i->targets_count - 1] : at + 1;
    }
}

/*
 * Executes one instruction that leaves the straight line, for `lanes` of which `on` have a true guard. False: the lanes
 * are no longer at one place, or do not go on; their places are set.
 */
static bool step_away(struct warp *w, uint32_t *at, const struct code_instruction *c, lanemask lanes, lanemask on)
{
    if (on != 0 || c->kind != CODE_WARP)
        w->kernel->visited[*at] = 1;
    if (on == 0) {
        ++*at;
        return true;
    }
    if (on != lanes) {
        set_places(w, lanes & ~on, *at + 1);
        if (c->i->uniform)
            note_open(w, *at, KERNEL_OPEN_UNIFORM);
    }
    switch (c->kind) {
    case CODE_BRANCH:
        w->kernel->visited[c->target] = 1;
        set_places(w, on, c->target);
        *at = c->target;
        return on == lanes;
    case CODE_CALL:
        step_call(w, *at, c, on);
        set_places(w, on, c->target);
        *at = c->target;
        return on == lanes;
    case CODE_INDEXED:
        step_indexed(w, *at, c, on);
        return false;
    case CODE_RETURN:
        step_return(w, c, on);
        return false;
    case CODE_EXIT:
        set_places(w, on, *at);
        w->ended |= c->i->op == OP_RET ? on : 0;
        exit_lanes(w, on);
        return false;
    case CODE_END:
        set_places(w, on, *at);
        w->ended |= on;
        w->running &= ~on;
        return false;
    case CODE_TRAP:
        kernel_stop(w->kernel, KERNEL_TRAPPED, *at);
        return false;
    case CODE_WARP:
        set_places(w, on, *at);
        warp_arrive(w, *at, on);
        return false;
    case CODE_BARRIER:
        set_places(w, on, *at);
        barrier_arrive(w, *at, on);
        return false;
    case CODE_ROW:
    case CODE_UNPACK:
    case CODE_CVTA:
    case CODE_ISSPACEP:
    case CODE_CLOCK:
    case CODE_LOAD:
    case CODE_STORE:
    case CODE_ATOMIC:
    case CODE_FENCE:
    case CODE_NOTHING:
    case CODE_EXTERNAL:
        break;
    }
    return true;
}

static void step_straight(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    switch (c->kind) {
    case CODE_ROW:
        step_row(w, at, c, on);
        break;
    case CODE_UNPACK:
        step_unpack(w, at, c, on);
        break;
    case CODE_CVTA:
    case CODE_ISSPACEP:
        step_address(w, at, c, on);
        break;
    case CODE_CLOCK:
        note_open(w, at, KERNEL_OPEN_CLOCK);
        step_clock(w, c, on);
        break;
    case CODE_LOAD:
        step_load(w, at, c, on);
        break;
    case CODE_STORE:
        step_store(w, at, c, on);
        break;
    case CODE_ATOMIC:
        step_atomic(w, at, c, on);
        break;
    case CODE_FENCE:
        race_fence(&w->race, on);
        break;
    case CODE_EXTERNAL:
        step_external(w, at, c, on);
        break;
    case CODE_NOTHING:
    case CODE_WARP:
    case CODE_BARRIER:
    case CODE_BRANCH:
    case CODE_INDEXED:
    case CODE_CALL:
    case CODE_RETURN:
    case CODE_EXIT:
    case CODE_END:
    case CODE_TRAP:
        break;
    }
}

static bool goes_straight(enum code_kind kind)
{
    return kind < CODE_WARP || kind == CODE_FENCE || kind == CODE_NOTHING || kind == CODE_EXTERNAL;
}

/* A lane reads only that of selp's first two sources which its predicate selects. */
static lanemask reading_lanes(struct warp *w, const struct code_instruction *c, unsigned n, lanemask on)
{
    if (c->i->op != OP_SELP || n > 1)
        return on;
    lanemask first = true_lanes(warp_row(w, c->src[2]));
    return on & (first ^ (c->negated[2] ? UINT32_MAX : 0) ^ (n == 1 ? UINT32_MAX : 0));
}

static void tell_uses(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask on)
{
    const struct kernel_watch *watch = w->kernel->watch;
    for (unsigned n = 0; n < c->i->srcs_count; n++) {
        lanemask lanes = c->srcs[n] == CODE_NO_ROW ? 0 : w->tainted[c->srcs[n]] & reading_lanes(w, c, n, on);
        if (lanes)
            watch->used(watch->context, w, at, c->srcs[n], lanes);
    }
}

static void count_passing(struct warp *w, const struct code_instruction *c, lanemask lanes)
{
    for (lanemask m = lanes; m != 0; m &= m - 1)
        w->passed[c->passes][__builtin_ctz(m)]++;
}

/*
 * Runs lanes that are at one place until they part, wait, or reach `until`, the next place at which other lanes of the
 * warp are. Returns the number of instructions.
 */
static uint64_t run_together(struct warp *w, uint32_t at, lanemask lanes, uint32_t until, uint64_t most)
{
    struct kernel *kernel = w->kernel;
    const struct code_instruction *code = kernel->code->instructions;
    uint64_t steps = 0, lane_steps = 0;
    unsigned count = (unsigned)__builtin_popcount(lanes);
    bool together = true;
    w->stepped |= lanes;
    while (together) {
        const struct code_instruction *c = &code[at];
        steps++;
        lane_steps += count;
        if (c->passes != CODE_NO_ROW)
            count_passing(w, c, lanes);
        lanemask on = c->guard == CODE_NO_ROW ? lanes : guard_of(w, at, c, lanes);
        if (kernel->stop)
            break;
        if (kernel->watch)
            tell_uses(w, at, c, on);
        if (goes_straight(c->kind)) {
            if (on != 0) {
                kernel->visited[at] = 1;
                step_straight(w, at, c, on);
            }
            at++;
        } else {
            together = step_away(w, &at, c, lanes, on);
        }
        if (kernel->stop || at >= until || steps >= most || w->polls >= POLLS)
            break;
    }
    if (together)
        set_places(w, lanes, at);
    kernel->outcome->steps += steps;
    kernel->outcome->lane_steps += lane_steps;
    kernel->steps_left -= steps < kernel->steps_left ? steps : kernel->steps_left;
    return steps;
}

/* The running lanes at one place: usually those that are furthest behind, because they may catch up with others. */
static lanemask choose(struct warp *w, uint32_t from, uint32_t *at, uint32_t *until)
{
    lanemask lanes = 0;
    uint32_t least = UINT32_MAX, next = UINT32_MAX;
    for (lanemask m = w->running; m != 0; m &= m - 1) {
        uint32_t pc = w->pc[__builtin_ctz(m)];
        if (pc < from)
            continue;
        if (pc < least) {
            next = least;
            least = pc;
            lanes = 0;
        }
        if (pc == least)
            lanes |= m & -m;
        else if (pc < next)
            next = pc;
    }
    *at = least;
    *until = next;
    return lanes;
}

static lanemask choose_any(struct warp *w, uint32_t *at)
{
    unsigned turn = (unsigned)random_below(&w->kernel->random, WARP_LANES);
    lanemask lanes = 0, turned = w->running >> turn | (turn ? w->running << (WARP_LANES - turn) : 0);
    unsigned first = ((unsigned)__builtin_ctz(turned) + turn) % WARP_LANES;
    *at = w->pc[first];
    for (lanemask m = w->running; m != 0; m &= m - 1)
        if (w->pc[__builtin_ctz(m)] == *at)
            lanes |= m & -m;
    return lanes;
}

#define TURN 20000u /* instructions, after which lanes that are ahead have their turn */

void warp_run(struct warp *w, uint64_t quantum)
{
    struct kernel *kernel = w->kernel;
    w->stalled = 0;
    while (w->running && !kernel->stop && quantum > 0) {
        uint32_t at, until = UINT32_MAX;
        uint64_t most = quantum < TURN ? quantum : TURN;
        lanemask lanes;
        if (kernel->input->one_lane) {
            lanes = w->running & -w->running;
            at = w->pc[__builtin_ctz(lanes)];
        } else if (kernel->input->shuffled) {
            lanes = choose_any(w, &at);
            most = 1 + random_below(&kernel->random, 64);
        } else {
            lanes = choose(w, w->from, &at, &until);
            if (lanes == 0) { /* nobody is ahead any more */
                w->from = 0;
                continue;
            }
        }
        w->polls = 0;
        uint64_t steps = run_together(w, at, lanes, until, most);
        w->turn += steps;
        /* The lanes behind may wait for the lanes ahead. */
        if (w->turn >= TURN || w->polls >= POLLS || kernel->circle.is_whole) {
            w->from = w->from == 0 && lanes != w->running ? at + 1 : 0;
            w->turn = 0;
        }
        if (w->polls >= POLLS && lanes == w->running) { /* for those of other warps */
            w->stalled = lanes;
            break;
        }
        quantum -= steps < quantum ? steps : quantum;
    }
}
