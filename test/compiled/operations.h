/* The functions in LLVM's IR of which test_compiled_operations.c tests the meaning: one for each operation and
 * intrinsic. */
#ifndef WARPCHECK_TEST_COMPILED_OPERATIONS_H
#define WARPCHECK_TEST_COMPILED_OPERATIONS_H

#include "test/compiled/evaluate.h"
#include "test/compiled/models.h"

#define NAMES 1024u

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

/* Those that have a text of their own. */
static void add_x86_texts(struct batch *b)
{
    for (size_t i = 0; i < X86_TEXTS; i++) {
        const struct x86_text *x = &x86_texts[i];
        fprintf(b->ir, "declare %s\n", x->declaration);
        add(b, x->intrinsic, 3, x->type, x->result, "+avx2", "%s", x->body);
    }
}

/* Numbers made of Bools: masks and products of one, counters that choices increase, sums of what was widened. */
static void add_made_of_bools(struct batch *b)
{
    static const char *const words[] = {"i8", "i32", "i64"};
    static const char *const compare[] = {"eq", "ne", "ult", "ugt", "slt", "sge"};
    char name[64];
    for (unsigned t = 0; t < 3; t++) {
        const char *w = words[t];
        snprintf(name, sizeof name, "mask_of_bool_%s", w);
        add(b, name, 3, w, w, "",
            "  %%c = icmp slt %s %%x0, %%x1\n  %%z = zext i1 %%c to %s\n  %%n = sub %s 0, %%z\n  %%o = sub %s %%z, 1\n"
            "  %%p = add nsw %s %%z, -1\n  %%m = mul nsw %s %%z, %%x2\n  %%k = mul nuw %s %%x0, %%z\n"
            "  %%s = xor %s %%n, %%m\n  %%t = and %s %%o, %%k\n  %%u = and %s %%p, %%x1\n  %%v = or %s %%s, %%t\n"
            "  %%r = xor %s %%v, %%u",
            w, w, w, w, w, w, w, w, w, w, w, w);
        snprintf(name, sizeof name, "blend_by_masks_%s", w);
        add(b, name, 3, w, w, "",
            "  %%c = icmp ult %s %%x0, %%x1\n  %%m = sext i1 %%c to %s\n  %%i = xor %s %%m, -1\n"
            "  %%d = icmp slt %s %%x1, %%x2\n  %%k = sext i1 %%d to %s\n  %%l = and %s %%x0, %%k\n"
            "  %%a = and %s %%l, %%m\n  %%b = and %s %%x2, %%i\n  %%r = or %s %%a, %%b",
            w, w, w, w, w, w, w, w, w);
    }
    for (size_t i = 0; i < sizeof compare / sizeof *compare; i++)
        for (unsigned k = 0; k < 3; k++) {
            static const char *const other[] = {"%h", "3", "%v"};
            snprintf(name, sizeof name, "counter_%s_%u", compare[i], k);
            add(b, name, 3, "i32", "i8", "",
                "  %%c = icmp slt i32 %%x0, %%x1\n  %%d = icmp ult i32 %%x1, %%x2\n  %%e = icmp sgt i32 %%x2, %%x0\n"
                "  %%f = select i1 %%c, i32 2, i32 1\n  %%f1 = add nsw i32 %%f, 1\n"
                "  %%g = select i1 %%d, i32 %%f1, i32 %%f\n  %%z = zext i1 %%e to i32\n  %%n = add nuw nsw i32 %%g, "
                "%%z\n"
                "  %%y = zext i1 %%c to i32\n  %%x = zext i1 %%d to i32\n  %%w = add i32 %%y, %%x\n"
                "  %%v = sub nsw i32 0, %%w\n  %%i = and i1 %%c, %%e\n  %%j = zext i1 %%i to i32\n"
                "  %%h = add i32 %%w, %%j\n  %%q = icmp %s i32 %s, %s\n  %%r = zext i1 %%q to i8",
                compare[i], k == 2 ? "%z" : "%n", other[k]);
        }
    /* what is part of another, and of another width */
    for (unsigned i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "counters_%s", compare[i]);
        add(b, name, 3, "i32", "i8", "",
            "  %%c = icmp slt i32 %%x0, %%x1\n  %%d = icmp ult i32 %%x1, %%x2\n  %%e = icmp sgt i32 %%x2, %%x0\n"
            "  %%y = zext i1 %%c to i32\n  %%x = zext i1 %%d to i32\n  %%w = add i32 %%y, %%x\n  %%i = and i1 %%d, "
            "%%e\n"
            "  %%j = zext i1 %%i to i32\n  %%k = select i1 %%c, i32 1, i32 0\n  %%l = add i32 %%k, %%j\n"
            "  %%z = zext i1 %%e to i32\n  %%ww = add i32 %%w, %%z\n  %%q = icmp %s i32 %%l, %%ww\n"
            "  %%r = zext i1 %%q to i8",
            compare[i]);
        snprintf(name, sizeof name, "collected_%s", compare[i]);
        add(b, name, 3, "i32", "i8", "",
            "  %%a = xor i32 %%x0, %%x1\n  %%b = xor i32 %%x1, %%x2\n  %%c = icmp slt i32 %%x2, 7\n"
            "  %%d = select i1 %%c, i32 %%b, i32 0\n  %%e = or i32 %%a, %%d\n  %%q = icmp %s i32 %%e, 0\n"
            "  %%r = zext i1 %%q to i8",
            compare[i]);
    }
    /* ranges: what fits, and what overflows after all */
    add(b, "sum_of_narrow", 3, "i32", "i32", "",
        "  %%a = sext i32 %%x0 to i34\n  %%b = sext i32 %%x1 to i34\n  %%c = zext i32 %%x2 to i34\n"
        "  %%s = add nsw i34 %%a, %%b\n  %%t = sub nsw i34 %%s, %%c\n  %%u = lshr i34 %%t, 2\n  %%r = trunc i34 %%u to "
        "i32");
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

/* By divisors that are known, and by any that is not 0 (or -1). */
static void add_divisions(struct batch *b)
{
    static const char *const divisions[] = {"udiv", "sdiv", "urem", "srem"};
    static const char *const words[] = {"i8", "i32", "i64"};
    static const int divisors[] = {1, 2, 8, 32, 64, 7, -3, -128};
    char name[64];
    for (unsigned t = 0; t < 3; t++)
        for (unsigned i = 0; i < 4; i++) {
            for (size_t k = 0; k < sizeof divisors / sizeof *divisors; k++) {
                snprintf(name, sizeof name, "%s_%s_%zu", divisions[i], words[t], k);
                add(b, name, 1, words[t], words[t], "", "  %%r = %s %s %%x0, %d", divisions[i], words[t], divisors[k]);
            }
            snprintf(name, sizeof name, "%s_%s", divisions[i], words[t]);
            add(b, name, 2, words[t], words[t], "",
                "  %%h = lshr %s %%x1, 1\n  %%n = or %s %%h, 1\n  %%r = %s %s %%x0, %%n", words[t], words[t],
                divisions[i], words[t]);
        }
    add(b, "udiv_exact", 1, "i32", "i32", "", "  %%e = and i32 %%x0, -8\n  %%r = udiv exact i32 %%e, 8");
    add(b, "sdiv_exact", 1, "i32", "i32", "", "  %%e = and i32 %%x0, -8\n  %%r = sdiv exact i32 %%e, 8");
    add(b, "urem_vector", 2, "<8 x i32>", "<8 x i32>", "",
        "  %%n = or <8 x i32> %%x1, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>\n"
        "  %%r = urem <8 x i32> %%x0, %%n");
}

static void add_floats(struct batch *b)
{
    static const char *const compare[] = {"oeq", "one", "ueq", "une", "olt", "ole", "ult",  "ule",
                                          "ogt", "oge", "ugt", "uge", "uno", "ord", "true", "false"};
    char name[64];
    for (size_t i = 0; i < sizeof compare / sizeof *compare; i++) {
        snprintf(name, sizeof name, "fcmp %s", compare[i]);
        add(b, name, 2, "float", "i32", "", "  %%c = fcmp %s float %%x0, %%x1\n  %%r = zext i1 %%c to i32", compare[i]);
        snprintf(name, sizeof name, "fcmp %s v8", compare[i]);
        add(b, name, 2, "<8 x float>", "<8 x i32>", "",
            "  %%c = fcmp %s <8 x float> %%x0, %%x1\n  %%r = zext <8 x i1> %%c to <8 x i32>", compare[i]);
    }
    add(b, "fneg", 1, "float", "float", "", "  %%r = fneg float %%x0");
    add(b, "fneg v8", 1, "<8 x float>", "<8 x float>", "", "  %%r = fneg <8 x float> %%x0");
    fprintf(b->ir, "declare float @llvm.fabs.f32(float)\ndeclare float @llvm.minnum.f32(float, float)\n"
                   "declare float @llvm.maxnum.f32(float, float)\n");
    add(b, "fabs", 1, "float", "float", "", "  %%r = call float @llvm.fabs.f32(float %%x0)");
    fprintf(b->ir, "declare i1 @llvm.is.fpclass.f32(float, i32)\n");
    for (unsigned i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "fpclass_%u", i);
        add(b, name, 1, "float", "i32", "",
            "  %%c = call i1 @llvm.is.fpclass.f32(float %%x0, i32 %u)\n  %%r = zext i1 %%c to i32", 1u << i);
    }
    /* compared as numbers: zeros of both signs are equal, and so are all NaNs */
    for (unsigned max = 0; max < 2; max++)
        add(b, max ? "fmaximum_number" : "fminimum_number", 2, "float", "i32", "",
            "  %%m = call float @llvm.%snum.f32(float %%x0, float %%x1)\n  %%o = fcmp uno float %%m, %%m\n"
            "  %%z = fcmp oeq float %%m, 0.0\n  %%b = bitcast float %%m to i32\n"
            "  %%s = select i1 %%z, i32 1, i32 %%b\n  %%r = select i1 %%o, i32 2, i32 %%s",
            max ? "max" : "min");
    add(b, "float_constants", 1, "float", "i32", "",
        "  %%b = bitcast float %%x0 to i32\n  %%k = bitcast float 0x7FF8000000000000 to i32\n"
        "  %%l = bitcast float 0xFFF0000000000000 to i32\n  %%m = bitcast float 0x36A0000000000000 to i32\n"
        "  %%p = xor i32 %%b, %%k\n  %%q = add i32 %%p, %%l\n  %%r = add i32 %%q, %%m");
    add(b, "sitofp", 1, "i32", "i32", "", "  %%f = sitofp i32 %%x0 to float\n  %%r = bitcast float %%f to i32");
    add(b, "uitofp", 1, "i32", "i32", "", "  %%f = uitofp i32 %%x0 to float\n  %%r = bitcast float %%f to i32");
    add(b, "uitofp_i64", 1, "i64", "i32", "", "  %%f = uitofp i64 %%x0 to float\n  %%r = bitcast float %%f to i32");
    add(b, "uitofp_i16", 1, "i16", "i32", "", "  %%f = uitofp i16 %%x0 to float\n  %%r = bitcast float %%f to i32");
    add(b, "sitofp_i64", 1, "i64", "i32", "", "  %%f = sitofp i64 %%x0 to float\n  %%r = bitcast float %%f to i32");
    /* the lowest lane of a set, as match.any finds it: the exponent of the lowest bit */
    add(b, "lowest_bit_as_float", 2, "<32 x i8>", "i32", "",
        "  %%c = icmp slt <32 x i8> %%x0, %%x1\n  %%s = bitcast <32 x i1> %%c to i32\n  %%n = sub i32 0, %%s\n"
        "  %%l = and i32 %%n, %%s\n  %%f = sitofp i32 %%l to float\n  %%r = bitcast float %%f to i32");
    add(b, "lowest_bit_exponent", 2, "<32 x i8>", "i32", "",
        "  %%c = icmp sgt <32 x i8> %%x0, %%x1\n  %%s = bitcast <32 x i1> %%c to i32\n  %%n = sub i32 0, %%s\n"
        "  %%l = and i32 %%s, %%n\n  %%f = sitofp i32 %%l to float\n  %%i = bitcast float %%f to i32\n"
        "  %%e = lshr i32 %%i, 23\n  %%o = add i32 %%e, 1\n  %%k = xor i32 %%o, 96\n  %%r = and i32 %%k, 127");
    /* ... of two sets, side by side as bytes, to which numbers are added */
    add(b, "lowest_bits_as_bytes", 2, "<32 x i8>", "<8 x i8>", "",
        "  %%c = icmp sgt <32 x i8> %%x0, %%x1\n  %%s = bitcast <32 x i1> %%c to i32\n  %%t = xor i32 %%s, -1\n"
        "  %%sn = sub i32 0, %%s\n  %%sl = and i32 %%s, %%sn\n  %%sf = sitofp i32 %%sl to float\n"
        "  %%si = bitcast float %%sf to i32\n  %%se = lshr i32 %%si, 23\n"
        "  %%tn = sub i32 0, %%t\n  %%tl = and i32 %%t, %%tn\n  %%tf = sitofp i32 %%tl to float\n"
        "  %%ti = bitcast float %%tf to i32\n  %%te = lshr i32 %%ti, 23\n"
        "  %%p = insertelement <2 x i32> undef, i32 %%se, i32 0\n  %%q = insertelement <2 x i32> %%p, i32 %%te, i32 1\n"
        "  %%w = bitcast <2 x i32> %%q to i64\n  %%b = bitcast i64 %%w to <8 x i8>\n"
        "  %%r = add <8 x i8> %%b, <i8 112, i8 -1, i8 7, i8 0, i8 -16, i8 85, i8 1, i8 2>");
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

static void add_arithmetic(struct batch *b)
{
    static const char *const words[] = {"i8", "i32", "i64"};
    static const char *const overflowing[] = {"add", "sub", "mul"};
    static const char *const saturated[] = {"uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"};
    char name[64];
    for (unsigned t = 0; t < 3; t++) {
        const char *w = words[t];
        for (unsigned right = 0; right < 2; right++) {
            snprintf(name, sizeof name, "funnel_%c_%s", right ? 'r' : 'l', w);
            fprintf(b->ir, "declare %s @llvm.fsh%c.%s(%s, %s, %s)\n", w, right ? 'r' : 'l', w, w, w, w);
            add(b, name, 3, w, w, "", "  %%r = call %s @llvm.fsh%c.%s(%s %%x0, %s %%x1, %s %%x2)", w, right ? 'r' : 'l',
                w, w, w, w);
        }
        snprintf(name, sizeof name, "bitreverse_%s", w);
        fprintf(b->ir, "declare %s @llvm.bitreverse.%s(%s)\n", w, w, w);
        add(b, name, 1, w, w, "", "  %%r = call %s @llvm.bitreverse.%s(%s %%x0)", w, w, w);
        snprintf(name, sizeof name, "abs_%s", w);
        fprintf(b->ir, "declare %s @llvm.abs.%s(%s, i1)\n", w, w, w);
        add(b, name, 1, w, w, "", "  %%r = call %s @llvm.abs.%s(%s %%x0, i1 0)", w, w, w);
        if (t > 0) {
            snprintf(name, sizeof name, "bswap_%s", w);
            fprintf(b->ir, "declare %s @llvm.bswap.%s(%s)\n", w, w, w);
            add(b, name, 1, w, w, "", "  %%r = call %s @llvm.bswap.%s(%s %%x0)", w, w, w);
        }
        for (unsigned i = 0; i < 6; i++) {
            const char sign = i % 2 == 0 ? 'u' : 's', *const op = overflowing[i / 2];
            snprintf(name, sizeof name, "%c%s_overflow_%s", sign, op, w);
            fprintf(b->ir, "declare { %s, i1 } @llvm.%c%s.with.overflow.%s(%s, %s)\n", w, sign, op, w, w, w);
            add(b, name, 2, w, w, "",
                "  %%o = call { %s, i1 } @llvm.%c%s.with.overflow.%s(%s %%x0, %s %%x1)\n"
                "  %%s = extractvalue { %s, i1 } %%o, 0\n  %%c = extractvalue { %s, i1 } %%o, 1\n"
                "  %%n = xor %s %%s, -1\n  %%r = select i1 %%c, %s %%n, %s %%s",
                w, sign, op, w, w, w, w, w, w, w, w);
        }
        for (unsigned i = 0; t < 2 && i < 4; i++) {
            snprintf(name, sizeof name, "%s_%s", saturated[i], w);
            fprintf(b->ir, "declare %s @llvm.%s.%s(%s, %s)\n", w, saturated[i], w, w, w);
            add(b, name, 2, w, w, "", "  %%r = call %s @llvm.%s.%s(%s %%x0, %s %%x1)", w, saturated[i], w, w, w);
        }
    }
}

/* Numbers of set bits against numbers, and against those of words of which they are a part. */
static void add_counts(struct batch *b)
{
    static const char *const compare[] = {"eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"};
    static const int numbers[] = {-1, 0, 1, 8, 9, 31, 32, 33};
    char name[64];
    for (unsigned i = 0; i < 10; i++)
        for (unsigned k = 0; k < 8; k++) {
            char operands[32];
            snprintf(operands, sizeof operands, k % 2 == 0 ? "%%n, %d" : "%d, %%n", numbers[k]);
            snprintf(name, sizeof name, "count_%s_%u", compare[i], k);
            add(b, name, 2, "<32 x i8>", "i8", "",
                "  %%c = icmp slt <32 x i8> %%x0, %%x1\n  %%s = bitcast <32 x i1> %%c to i32\n"
                "  %%n = call i32 @llvm.ctpop.i32(i32 %%s)\n  %%d = icmp %s i32 %s\n  %%r = zext i1 %%d to i8",
                compare[i], operands);
        }
    for (unsigned i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "counts_%s", compare[i]);
        add(b, name, 3, "<32 x i8>", "i8", "",
            "  %%c = icmp slt <32 x i8> %%x0, %%x1\n  %%d = icmp slt <32 x i8> %%x0, %%x2\n"
            "  %%s = bitcast <32 x i1> %%c to i32\n  %%t = bitcast <32 x i1> %%d to i32\n  %%u = and i32 %%s, %%t\n"
            "  %%n = call i32 @llvm.ctpop.i32(i32 %%s)\n  %%o = call i32 @llvm.ctpop.i32(i32 %%u)\n"
            "  %%e = icmp %s i32 %%n, %%o\n  %%r = zext i1 %%e to i8",
            compare[i]);
    }
}

static void add_memory(struct batch *b)
{
    add(b, "store_of_bits", 2, "<32 x i8>", "i32", "",
        "  %%c = icmp slt <32 x i8> %%x0, %%x1\n  %%t = alloca i32\n  %%b = bitcast ptr %%t to ptr\n"
        "  store <32 x i1> %%c, ptr %%b\n  %%r = load i32, ptr %%t");
    add(b, "one_bit_in_memory", 2, "i32", "i8", "",
        "  %%c = icmp slt i32 %%x0, %%x1\n  %%t = alloca i1\n  store i1 %%c, ptr %%t\n  %%l = load i1, ptr %%t\n"
        "  %%r = zext i1 %%l to i8");
    fprintf(b->ir, "declare <4 x i32> @llvm.masked.load.v4i32.p0v4i32(ptr, i32, <4 x i1>, <4 x i32>)\n"
                   "declare void @llvm.masked.store.v4i32.p0v4i32(<4 x i32>, ptr, i32, <4 x i1>)\n");
    add(b, "masked_load", 3, "<4 x i32>", "<4 x i32>", "",
        "  %%t = alloca <4 x i32>\n  store <4 x i32> %%x0, ptr %%t\n  %%c = icmp slt <4 x i32> %%x1, %%x2\n"
        "  %%r = call <4 x i32> @llvm.masked.load.v4i32.p0v4i32(ptr %%t, i32 4, <4 x i1> %%c, <4 x i32> %%x1)");
    add(b, "masked_store", 3, "<4 x i32>", "<4 x i32>", "",
        "  %%t = alloca <4 x i32>\n  store <4 x i32> %%x0, ptr %%t\n  %%c = icmp slt <4 x i32> %%x1, %%x2\n"
        "  call void @llvm.masked.store.v4i32.p0v4i32(<4 x i32> %%x1, ptr %%t, i32 4, <4 x i1> %%c)\n"
        "  %%r = load <4 x i32>, ptr %%t");
    add(b, "store_by_index", 2, "i32", "i64", "",
        "  %%t = alloca [8 x i32]\n  %%w = bitcast ptr %%t to ptr\n  %%o = zext i32 %%x0 to i64\n  store i64 "
        "%%o, ptr %%w\n"
        "  %%i = and i32 %%x0, 1\n  %%e = getelementptr [8 x i32], ptr %%t, i32 0, i32 %%i\n"
        "  store i32 %%x1, ptr %%e\n  %%r = load i64, ptr %%w");
    add(b, "load_by_index", 2, "<8 x i32>", "i32", "",
        "  %%t = alloca <8 x i32>\n  store <8 x i32> %%x0, ptr %%t\n  %%k = extractelement <8 x i32> %%x1, i32 "
        "3\n"
        "  %%i = and i32 %%k, 7\n  %%a = bitcast ptr %%t to ptr\n"
        "  %%e = getelementptr [8 x i32], ptr %%a, i32 0, i32 %%i\n  %%r = load i32, ptr %%e");
    add(b, "bytes_of_words", 1, "<8 x i32>", "<4 x i8>", "",
        "  %%t = alloca <8 x i32>\n  store <8 x i32> %%x0, ptr %%t\n  %%a = bitcast ptr %%t to ptr\n"
        "  %%b = getelementptr i8, ptr %%a, i32 6\n  %%c = bitcast ptr %%b to ptr\n  %%r = load <4 x i8>, ptr "
        "%%c, align 1");
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

#endif
