/*
 * The meaning of LLVM's operations and of each x86 intrinsic in the translator, against the processor's own: native
 * code of the same IR on random and special operands. Intrinsics that this processor lacks are compared with scalar
 * models written from the vendor's description, and are said to be UNAVAILABLE. `--list FILE` checks instead that no
 * intrinsic that the translator's source FILE names, or that bitcode files declare, is left out here.
 */
#include "test/compiled/evaluate.h"
#include "test/compiled/operations.h"

#include <signal.h>

#define ROUNDS 30u

/* What the child writes: for each function, ROUNDS results. */
struct natives {
    uint64_t seed;
    size_t n;
    struct evaluate_bytes b[];
};

static void run_native(void *context, size_t i, void (*function)(void))
{
    struct natives *n = context;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct evaluate_bytes *b = &n->b[i * ROUNDS + round];
        struct random seed = {n->seed + round};
        evaluate_inputs(&seed, b->in);
        ((void (*)(uint8_t *, uint8_t *))function)(b->in, b->out);
    }
}

static unsigned result_bytes(const struct x86 *x)
{
    return x->result_n * x->result_width / 8;
}

static bool same_as(const char *name, const char *whose, const struct evaluate_bytes *translated, const uint8_t *other,
                    unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        if (!translated->poison[i] && translated->out[i] != other[i]) {
            printf("FAIL: %s: byte %u is 0x%02x by the translator and 0x%02x by %s\n", name, i, translated->out[i],
                   other[i], whose);
            return false;
        }
    return true;
}

static bool same_as_model(const struct batch *b, size_t i, const struct evaluate_bytes *translated)
{
    const struct x86 *x = b->x86[i];
    uint64_t r[64];
    uint8_t bytes[EVALUATE_OUT];
    if (x == NULL || x->model == NULL)
        return true;
    x->model(x, translated, r);
    for (unsigned k = 0; k < x->result_n; k++)
        memcpy(bytes + k * (x->result_width / 8), &r[k], x->result_width / 8);
    return same_as(b->names[i], "the model", translated, bytes, result_bytes(x));
}

/* Is the exact result of signed or unsigned numbers of `width` (at most 32) bits out of range? */
static bool overflows(const char *op, unsigned width, uint64_t x, uint64_t y)
{
    const bool is_signed = strstr(op, "nsw") != NULL, is_unsigned = strstr(op, "nuw") != NULL;
    const int64_t a = is_signed ? sign_extended(x, width) : (int64_t)x,
                  c = is_signed ? sign_extended(y, width) : (int64_t)y;
    const int64_t most = is_signed ? ((int64_t)1 << (width - 1)) - 1 : ((int64_t)1 << width) - 1;
    const int64_t least = is_signed ? -most - 1 : 0;
    double exact; /* of 64 bits at most, of which a double keeps what the comparison needs */
    if (!is_signed && !is_unsigned)
        return false;
    if (op[0] == 'm')
        exact = (double)a * (double)c;
    else if (op[1] == 'h')
        exact = (double)a * (double)((uint64_t)1 << y);
    else
        exact = op[0] == 'a' ? (double)(a + c) : (double)(a - c);
    return exact > (double)most || exact < (double)least;
}

/* What LLVM's reference says of `op` (the beginning of a function's name). */
static bool is_poison(const char *op, unsigned width, uint64_t x, uint64_t y)
{
    const bool shift = strncmp(op, "shl", 3) == 0 || strncmp(op, "lshr", 4) == 0 || strncmp(op, "ashr", 4) == 0;
    if (shift && y >= width)
        return true;
    if (strstr(op, "exact") != NULL)
        return (x & (((uint64_t)1 << y) - 1)) != 0;
    return overflows(op, width, x, y);
}

/* Poison where it must be, and nowhere else: the binary operations of at most 32 bits. */
static bool same_poison(const char *name, const struct evaluate_bytes *t)
{
    const char *type, *vector = strchr(name, '<');
    const unsigned n = vector == NULL ? 1 : (unsigned)strtoul(vector + 1, NULL, 10);
    unsigned width;
    if (strchr(name, ' ') == NULL || name[0] == 'i' || name[0] == 'f')
        return true;
    type = strrchr(name, 'i');
    width = (unsigned)strtoul(type + 1, NULL, 10);
    for (unsigned k = 0; k < n && width <= 32; k++) {
        const bool expected = is_poison(name, width, element(t, 0, width, k), element(t, 1, width, k));
        if (expected != (t->poison[k * width / 8] != 0)) {
            printf("FAIL: %s: element %u is %spoison by the translator: 0x%llx, 0x%llx\n", name, k,
                   expected ? "not " : "", (unsigned long long)element(t, 0, width, k),
                   (unsigned long long)element(t, 1, width, k));
            return false;
        }
    }
    return true;
}

/* One result of the translator: against native code where this processor has it, the model where there is one. */
static bool compare_one(const struct batch *b, size_t i, const struct evaluate_bytes *t,
                        const struct evaluate_bytes *native)
{
    const char *name = b->names[i];
    if (native != NULL &&
        !same_as(name, "the processor", t, native->out, b->x86[i] != NULL ? result_bytes(b->x86[i]) : EVALUATE_OUT))
        return false;
    if (native == NULL && (b->x86[i] == NULL || b->x86[i]->model == NULL)) {
        printf("FAIL: %s: neither the processor nor a model\n", name);
        return false;
    }
    return same_as_model(b, i, t) && (b->x86[i] != NULL || same_poison(name, t));
}

/* Every function on every input, twice: executed on numbers, and on unknowns for which the numbers are put. */
static bool compare(struct batch *b, struct machine *machine, const struct natives *natives)
{
    unsigned long compared = 0, poison = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < b->count; i++) {
        static struct evaluate_terms terms;
        const size_t mark = smt_mark(machine->m.s);
        for (unsigned round = 0; ok && round < 2 * ROUNDS; round++) {
            struct evaluate_bytes t;
            struct random seed = {1 + round % ROUNDS};
            evaluate_inputs(&seed, t.in);
            if (round >= ROUNDS && b->x86[i] != NULL && strncmp(b->x86[i]->intrinsic, "bmi", 3) == 0)
                continue; /* the mask must be known */
            if (round == ROUNDS)
                ok = evaluate_symbolic(machine, b->names[i], &terms);
            ok = ok && (round < ROUNDS ? evaluate_translated(machine, b->names[i], &t)
                                       : evaluate_put(machine->m.s, &terms, &t));
            ok = ok && compare_one(b, i, &t, natives == NULL ? NULL : &natives->b[i * ROUNDS + round % ROUNDS]);
            compared += ok;
            poison += ok && t.poison[0] != 0;
        }
        smt_release(machine->m.s, mark);
    }
    printf("%s: %zu functions, %lu results compared, %lu of them poison at the first element\n", b->title, b->count,
           compared, poison);
    return ok && compared > poison;
}

static bool try_batch(struct batch *b)
{
    char path[64];
    struct error why = {.text = ""}, other;
    const char *file = path, *functions[NAMES];
    const size_t size = sizeof(struct natives) + b->count * ROUNDS * sizeof(struct evaluate_bytes);
    struct natives *natives = native_memory(size);
    struct smt *s = smt_open(0);
    struct machine *machine;
    bool ran, ok;
    fclose(b->ir);
    if (natives == NULL || s == NULL || !evaluate_assemble(b->text, path))
        return false;
    for (size_t i = 0; i < b->count; i++)
        functions[i] = b->names[i];
    natives->seed = 1;
    ran = native_call(path, functions, b->count, run_native, NULL, natives, 120, &why);
    if (!ran)
        printf("%s: UNAVAILABLE on this processor (%s): compared with scalar models alone\n", b->title, why.text);
    machine = machine_open(s, &file, 1, &other);
    ok = machine != NULL && (ran || (why.code == ERROR_CRASH && why.detail == SIGILL)) &&
         compare(b, machine, ran ? natives : NULL);
    if (machine != NULL)
        machine_close(machine);
    logic_forget(s);
    smt_close(s);
    native_free(natives, size);
    remove(path);
    free(b->text);
    return ok;
}

static bool try_x86(struct batch *b, const char *family)
{
    batch_start(b, family);
    for (size_t i = 0; i < INTRINSICS; i++) {
        const bool again = i > 0 && strcmp(intrinsics[i].intrinsic, intrinsics[i - 1].intrinsic) == 0;
        if (strncmp(intrinsics[i].intrinsic, family, strlen(family)) == 0)
            add_x86(b, &intrinsics[i], again);
    }
    return try_batch(b);
}

static bool is_listed(const char *name, size_t length)
{
    for (size_t i = 0; i < INTRINSICS; i++)
        if (strncmp(intrinsics[i].intrinsic, name, length) == 0)
            return true;
    for (size_t i = 0; i < X86_TEXTS; i++)
        if (strncmp(x86_texts[i].intrinsic, name, length) == 0)
            return true;
    return false;
}

/* Each text "avx..." or "bmi..." of the translator's source is (the beginning of) one that is listed above. */
static bool check_listed(const char *source)
{
    char line[500];
    unsigned found = 0, missing = 0;
    FILE *f = fopen(source, "r");
    if (f == NULL) {
        printf("FAIL: %s cannot be read\n", source);
        return false;
    }
    while (fgets(line, sizeof line, f) != NULL)
        for (const char *at = strchr(line, '"'); at != NULL; at = strchr(at + 1, '"')) {
            const size_t length = strcspn(at + 1, "\"");
            if (strncmp(at + 1, "avx", 3) != 0 && strncmp(at + 1, "bmi.", 4) != 0 && strncmp(at + 1, "sse", 3) != 0 &&
                strncmp(at + 1, "ssse", 4) != 0)
                continue;
            found++;
            if (strncmp(at + 1, "sse.sfence", 10) == 0 || is_listed(at + 1, length)) /* a fence has no value */
                continue;
            printf("FAIL: '%.*s' of %s is compared with nothing\n", (int)length, at + 1, source);
            missing++;
        }
    fclose(f);
    printf("%s: %u names of intrinsics, %u compared with nothing\n", source, found, missing);
    return found > 10 && missing == 0;
}

int main(int argc, char **argv)
{
    static struct batch b;
    bool ok = argc < 2 || check_listed(argv[1]);
    batch_start(&b, "LLVM's operations");
    add_operations(&b);
    add_divisions(&b);
    add_floats(&b);
    add_casts(&b);
    add_vectors(&b);
    add_intrinsics(&b);
    add_arithmetic(&b);
    add_counts(&b);
    add_memory(&b);
    add_control(&b);
    add_made_of_bools(&b);
    add_x86_texts(&b);
    ok = try_batch(&b) && ok;
    ok = try_x86(&b, "sse") && ok;
    ok = try_x86(&b, "ssse3") && ok;
    ok = try_x86(&b, "avx.") && ok;
    ok = try_x86(&b, "avx2") && ok;
    ok = try_x86(&b, "bmi") && ok;
    ok = try_x86(&b, "avx512") && ok;
    printf("%s\n", ok ? "all agree" : "FAIL");
    return ok ? 0 : 1;
}
