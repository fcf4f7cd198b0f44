/*
 * The meaning of LLVM's operations and of each x86 intrinsic in the translator, against the processor's own: native
 * code of the same IR on random and special operands. Intrinsics that this processor lacks are compared with scalar
 * models written from the vendor's description, and are said to be UNAVAILABLE. `--list FILE` checks instead that no
 * intrinsic that the translator's source FILE names, or that bitcode files declare, is left out here.
 */
#include "test/compiled/evaluate.h"
#include "test/compiled/models.h"

#define ROUNDS 30u
#define NAMES  1024u

/* Functions of one text, tried together. */
struct batch {
    const char *title;
    FILE *ir;
    char *text;
    size_t size;
    char names[NAMES][80];
    const struct x86 *x86[NAMES]; /* NULL: an operation of LLVM */
    size_t count;
};

static void batch_start(struct batch *b, const char *title)
{
    memset(b, 0, sizeof *b);
    b->title = title;
    b->ir = open_memstream(&b->text, &b->size);
    evaluate_begin(b->ir);
}

static void add(struct batch *b, const char *name, unsigned operands, const char *type, const char *result,
                const char *features, const char *format, ...)
{
    const char *types[EVALUATE_OPERANDS] = {type, type, type, type};
    char body[1200];
    va_list list;
    va_start(list, format);
    vsnprintf(body, sizeof body, format, list);
    va_end(list);
    snprintf(b->names[b->count++], sizeof b->names[0], "%s", name);
    evaluate_define(b->ir, name, types, operands, result, body, features);
}

static void type_of(unsigned n, unsigned width, char type[32])
{
    if (n == 1)
        snprintf(type, 32, "i%u", width);
    else
        snprintf(type, 32, "<%u x i%u>", n, width);
}

static void append(char text[160], const char *format, ...)
{
    const size_t length = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + length, 160 - length, format, list);
    va_end(list);
}

static void add_x86(struct batch *b, const struct x86 *x, bool declared)
{
    static const char features[] = "+avx2,+bmi2", wide[] = "+avx2,+bmi2,+avx512f,+avx512bw,+avx512vl,+avx512vbmi";
    char type[32], result[32], name[160] = "", parameters[160] = "", arguments[160] = "";
    type_of(x->n, x->width, type);
    type_of(x->result_n, x->result_width, result);
    for (unsigned i = 0; i < x->operands; i++) {
        append(parameters, "%s%s", i > 0 ? ", " : "", type);
        append(arguments, "%s%s %%x%u", i > 0 ? ", " : "", type, i);
    }
    if (x->immediate >= 0)
        append(arguments, ", i32 %d", x->immediate);
    if (!declared)
        fprintf(b->ir, "declare %s @llvm.x86.%s(%s%s)\n", result, x->intrinsic, parameters,
                x->immediate >= 0 ? ", i32" : "");
    append(name, "%s_%02x", x->intrinsic, (unsigned)(x->immediate & 0xff));
    b->x86[b->count] = x;
    add(b, name, x->operands, type, result, strncmp(x->intrinsic, "avx512", 6) == 0 ? wide : features,
        "  %%r = call %s @llvm.x86.%s(%s)", result, x->intrinsic, arguments);
}

static void add_operations(struct batch *b)
{
    static const char *const types[][2] = {
        {"i32", "i1"}, {"i64", "i1"}, {"i8", "i1"}, {"<8 x i32>", "<8 x i1>"}, {"<16 x i16>", "<16 x i1>"}};
    static const char *const binary[] = {"add",     "sub",     "mul",        "and",       "or",
                                         "xor",     "shl",     "lshr",       "ashr",      "add nsw",
                                         "sub nsw", "mul nsw", "add nuw",    "sub nuw",   "mul nuw",
                                         "shl nsw", "shl nuw", "lshr exact", "ashr exact"};
    static const char *const compare[] = {"eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"};
    char name[64];
    for (unsigned t = 0; t < 5; t++) {
        const char *type = types[t][0];
        for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
            snprintf(name, sizeof name, "%s %s", binary[i], type);
            add(b, name, 2, type, type, "", "  %%r = %s %s %%x0, %%x1", binary[i], type);
        }
        for (size_t i = 0; i < sizeof compare / sizeof *compare; i++) {
            snprintf(name, sizeof name, "icmp %s, select %s", compare[i], type);
            add(b, name, 3, type, type, "", "  %%c = icmp %s %s %%x0, %%x1\n  %%r = select %s %%c, %s %%x2, %s %%x0",
                compare[i], type, types[t][1], type, type);
            snprintf(name, sizeof name, "icmp %s, sext %s", compare[i], type);
            add(b, name, 2, type, type, "", "  %%c = icmp %s %s %%x0, %%x1\n  %%r = sext %s %%c to %s", compare[i],
                type, types[t][1], type);
        }
    }
}

static void add_floats(struct batch *b)
{
    static const char *const compare[] = {"oeq", "une", "olt", "ogt", "uno", "ord"};
    char name[64];
    for (size_t i = 0; i < sizeof compare / sizeof *compare; i++) {
        snprintf(name, sizeof name, "fcmp %s", compare[i]);
        add(b, name, 2, "float", "i32", "", "  %%c = fcmp %s float %%x0, %%x1\n  %%r = zext i1 %%c to i32", compare[i]);
        snprintf(name, sizeof name, "fcmp %s v8", compare[i]);
        add(b, name, 2, "<8 x float>", "<8 x i32>", "",
            "  %%c = fcmp %s <8 x float> %%x0, %%x1\n  %%r = zext <8 x i1> %%c to <8 x i32>", compare[i]);
    }
    add(b, "sitofp", 1, "i32", "i32", "", "  %%f = sitofp i32 %%x0 to float\n  %%r = bitcast float %%f to i32");
}

static void add_casts(struct batch *b)
{
    static const unsigned pairs[][2] = {{8, 32}, {16, 64}, {32, 64}, {8, 16}};
    char name[64], narrow[8], wide[8];
    for (unsigned i = 0; i < 4; i++) {
        snprintf(narrow, sizeof narrow, "i%u", pairs[i][0]);
        snprintf(wide, sizeof wide, "i%u", pairs[i][1]);
        snprintf(name, sizeof name, "zext_%s_%s", narrow, wide);
        add(b, name, 1, narrow, wide, "", "  %%r = zext %s %%x0 to %s", narrow, wide);
        snprintf(name, sizeof name, "sext_%s_%s", narrow, wide);
        add(b, name, 1, narrow, wide, "", "  %%r = sext %s %%x0 to %s", narrow, wide);
        snprintf(name, sizeof name, "trunc_%s_%s", wide, narrow);
        add(b, name, 1, wide, narrow, "", "  %%r = trunc %s %%x0 to %s", wide, narrow);
    }
}

static void add_vectors(struct batch *b)
{
    add(b, "shufflevector", 2, "<8 x i32>", "<8 x i32>", "",
        "  %%r = shufflevector <8 x i32> %%x0, <8 x i32> %%x1, <8 x i32> <i32 15, i32 0, i32 7, i32 8, i32 3, i32 3, "
        "i32 12, i32 1>");
    add(b, "shufflevector_wider", 2, "<4 x i32>", "<8 x i32>", "",
        "  %%r = shufflevector <4 x i32> %%x0, <4 x i32> %%x1, <8 x i32> <i32 7, i32 0, i32 5, i32 2, i32 3, i32 4, "
        "i32 1, i32 6>");
    add(b, "insert_extract", 1, "<8 x i32>", "<8 x i32>", "",
        "  %%e = extractelement <8 x i32> %%x0, i32 5\n  %%f = xor i32 %%e, 7\n  %%r = insertelement <8 x i32> %%x0, "
        "i32 %%f, i32 2");
    add(b, "bitcast_narrow", 2, "<32 x i8>", "<8 x i32>", "",
        "  %%w = add <32 x i8> %%x0, %%x1\n  %%r = bitcast <32 x i8> %%w to <8 x i32>");
    add(b, "bitcast_wide", 2, "<8 x i32>", "<4 x i64>", "",
        "  %%v = bitcast <8 x i32> %%x0 to <4 x i64>\n  %%u = bitcast <8 x i32> %%x1 to <4 x i64>\n  %%r = add <4 x "
        "i64> %%v, %%u");
    add(b, "mask_to_word", 2, "<32 x i8>", "i32", "",
        "  %%c = icmp ult <32 x i8> %%x0, %%x1\n  %%r = bitcast <32 x i1> %%c to i32");
    add(b, "word_to_mask", 2, "<16 x i8>", "<16 x i8>", "",
        "  %%v = bitcast <16 x i8> %%x0 to <8 x i16>\n  %%e = extractelement <8 x i16> %%v, i32 3\n"
        "  %%c = bitcast i16 %%e to <16 x i1>\n  %%r = select <16 x i1> %%c, <16 x i8> %%x0, <16 x i8> %%x1");
}

static void add_memory(struct batch *b)
{
    add(b, "store_of_bits", 2, "<32 x i8>", "i32", "",
        "  %%c = icmp slt <32 x i8> %%x0, %%x1\n  %%t = alloca i32\n  %%b = bitcast i32* %%t to <32 x i1>*\n"
        "  store <32 x i1> %%c, <32 x i1>* %%b\n  %%r = load i32, i32* %%t");
    add(b, "store_by_index", 2, "i32", "i64", "",
        "  %%t = alloca [8 x i32]\n  %%w = bitcast [8 x i32]* %%t to i64*\n  %%o = zext i32 %%x0 to i64\n  store i64 "
        "%%o, i64* %%w\n"
        "  %%i = and i32 %%x0, 1\n  %%e = getelementptr [8 x i32], [8 x i32]* %%t, i32 0, i32 %%i\n"
        "  store i32 %%x1, i32* %%e\n  %%r = load i64, i64* %%w");
    add(b, "load_by_index", 2, "<8 x i32>", "i32", "",
        "  %%t = alloca <8 x i32>\n  store <8 x i32> %%x0, <8 x i32>* %%t\n  %%k = extractelement <8 x i32> %%x1, i32 "
        "3\n"
        "  %%i = and i32 %%k, 7\n  %%a = bitcast <8 x i32>* %%t to [8 x i32]*\n"
        "  %%e = getelementptr [8 x i32], [8 x i32]* %%a, i32 0, i32 %%i\n  %%r = load i32, i32* %%e");
    add(b, "bytes_of_words", 1, "<8 x i32>", "<4 x i8>", "",
        "  %%t = alloca <8 x i32>\n  store <8 x i32> %%x0, <8 x i32>* %%t\n  %%a = bitcast <8 x i32>* %%t to i8*\n"
        "  %%b = getelementptr i8, i8* %%a, i32 6\n  %%c = bitcast i8* %%b to <4 x i8>*\n  %%r = load <4 x i8>, <4 x "
        "i8>* %%c, align 1");
}

static void add_control(struct batch *b)
{
    add(b, "switch", 1, "i32", "i32", "",
        "  %%m = and i32 %%x0, 7\n  switch i32 %%m, label %%other [ i32 0, label %%zero i32 1, label %%one i32 5, "
        "label %%one ]\n"
        "zero:\n  br label %%end\none:\n  %%o = add i32 %%x0, 100\n  br label %%end\nother:\n  %%n = sub i32 0, %%x0\n"
        "  br label %%end\nend:\n  %%r = phi i32 [ 77, %%zero ], [ %%o, %%one ], [ %%n, %%other ]");
    add(b, "loop", 2, "i32", "i32", "",
        "  br label %%loop\nloop:\n  %%i = phi i32 [ 0, %%0 ], [ %%j, %%next ]\n  %%s = phi i32 [ %%x0, %%0 ], [ %%u, "
        "%%next ]\n"
        "  %%k = lshr i32 %%x1, %%i\n  %%m = and i32 %%k, 1\n  %%c = icmp eq i32 %%m, 0\n  br i1 %%c, label %%next, "
        "label %%odd\n"
        "odd:\n  %%t = shl i32 %%s, 1\n  %%v = xor i32 %%t, %%x0\n  br label %%next\n"
        "next:\n  %%u = phi i32 [ %%s, %%loop ], [ %%v, %%odd ]\n  %%j = add i32 %%i, 1\n  %%d = icmp eq i32 %%j, 12\n"
        "  br i1 %%d, label %%done, label %%loop\ndone:\n  %%r = add i32 %%u, 0");
}

static void add_intrinsics(struct batch *b)
{
    static const char *const counts[] = {"cttz", "ctlz"}, *const words[] = {"i8", "i32", "i64"};
    static const char *const orders[] = {"umin", "umax", "smin", "smax"};
    static const char *const reductions[] = {"add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"};
    char name[64];
    for (unsigned t = 0; t < 3; t++) {
        const char *w = words[t];
        for (unsigned i = 0; i < 2; i++) {
            fprintf(b->ir, "declare %s @llvm.%s.%s(%s, i1)\n", w, counts[i], w, w);
            for (unsigned z = 0; z < 2; z++) {
                snprintf(name, sizeof name, "%s_%s_%u", counts[i], w, z);
                add(b, name, 1, w, w, "", "  %%r = call %s @llvm.%s.%s(%s %%x0, i1 %u)", w, counts[i], w, w, z);
            }
        }
        snprintf(name, sizeof name, "ctpop_%s", w);
        fprintf(b->ir, "declare %s @llvm.ctpop.%s(%s)\n", w, w, w);
        add(b, name, 1, w, w, "", "  %%r = call %s @llvm.ctpop.%s(%s %%x0)", w, w, w);
        for (unsigned i = 0; i < 4; i++) {
            snprintf(name, sizeof name, "%s_%s", orders[i], w);
            fprintf(b->ir, "declare %s @llvm.%s.%s(%s, %s)\n", w, orders[i], w, w, w);
            add(b, name, 2, w, w, "", "  %%r = call %s @llvm.%s.%s(%s %%x0, %s %%x1)", w, orders[i], w, w, w);
        }
    }
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        snprintf(name, sizeof name, "reduce_%s", reductions[i]);
        fprintf(b->ir, "declare i32 @llvm.vector.reduce.%s.v8i32(<8 x i32>)\n", reductions[i]);
        add(b, name, 1, "<8 x i32>", "i32", "", "  %%r = call i32 @llvm.vector.reduce.%s.v8i32(<8 x i32> %%x0)",
            reductions[i]);
    }
}

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
        uint64_t seed = n->seed + round;
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
            uint64_t seed = 1 + round % ROUNDS;
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
    char path[64], why[200] = "";
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
    ran = native_call(path, functions, b->count, run_native, natives, 120, why, sizeof why);
    if (!ran)
        printf("%s: UNAVAILABLE on this processor (%s): compared with scalar models alone\n", b->title, why);
    machine = machine_open(s, &file, 1, why, sizeof why);
    ok = machine != NULL && (ran || strstr(why, "signal 4") != NULL) && compare(b, machine, ran ? natives : NULL);
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
            if (strncmp(at + 1, "avx", 3) != 0 && strncmp(at + 1, "bmi.", 4) != 0 && strncmp(at + 1, "sse", 3) != 0)
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
    add_floats(&b);
    add_casts(&b);
    add_vectors(&b);
    add_intrinsics(&b);
    add_memory(&b);
    add_control(&b);
    ok = try_batch(&b) && ok;
    ok = try_x86(&b, "avx2") && ok;
    ok = try_x86(&b, "bmi") && ok;
    ok = try_x86(&b, "avx512") && ok;
    printf("%s\n", ok ? "all agree" : "FAIL");
    return ok ? 0 : 1;
}
