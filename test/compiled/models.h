/* The x86 intrinsics that the translator knows, with scalar models written from the vendor's description of each. */
#ifndef WARPCHECK_TEST_COMPILED_MODELS_H
#define WARPCHECK_TEST_COMPILED_MODELS_H

#include "test/compiled/evaluate.h"

struct x86 {
    const char *intrinsic; /* without llvm.x86. */
    unsigned result_n, result_width, n, width, operands;
    int immediate; /* -1: none */
    void (*model)(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r);
};

/* Element i of an operand. */
static uint64_t element(const struct evaluate_bytes *b, unsigned operand, unsigned width, unsigned i)
{
    uint64_t x = 0;
    memcpy(&x, b->in + 64 * operand + i * (width / 8), width / 8);
    return x;
}

static int64_t sign_extended(uint64_t x, unsigned width)
{
    const uint64_t sign = (uint64_t)1 << (width - 1);
    return (int64_t)((x ^ sign) - sign);
}

static void shuffle_bytes(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    for (unsigned i = 0; i < x->n; i++) {
        const uint64_t index = element(b, 1, 8, i);
        r[i] = index & 0x80 ? 0 : element(b, 0, 8, i - i % 16 + (unsigned)(index & 15));
    }
}

static void multiply_add(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    for (unsigned i = 0; i < x->result_n; i++) {
        int64_t sum = 0;
        for (unsigned k = 2 * i; k < 2 * i + 2; k++)
            sum += sign_extended(element(b, 0, 16, k), 16) * sign_extended(element(b, 1, 16, k), 16);
        r[i] = (uint32_t)sum;
    }
}

static void permute_two(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    for (unsigned i = 0; i < x->n; i++) {
        const unsigned index = (unsigned)element(b, 1, x->width, i) % (2 * x->n);
        r[i] = index < x->n ? element(b, 0, x->width, index) : element(b, 2, x->width, index - x->n);
    }
}

static void permute_one(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    for (unsigned i = 0; i < x->n; i++)
        r[i] = element(b, 0, x->width, (unsigned)element(b, 1, x->width, i) % x->n);
}

static void ternary_logic(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    for (unsigned i = 0; i < x->n; i++) {
        r[i] = 0;
        for (unsigned bit = 0; bit < x->width; bit++) {
            unsigned at = 0;
            for (unsigned k = 0; k < 3; k++)
                at = 2 * at + (unsigned)(element(b, k, x->width, i) >> bit & 1);
            r[i] |= (uint64_t)((unsigned)x->immediate >> at & 1) << bit;
        }
    }
}

static void shift_right(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    for (unsigned i = 0; i < x->n; i++) {
        const uint64_t by = element(b, 1, x->width, i);
        r[i] = by < x->width ? element(b, 0, x->width, i) >> by : 0;
    }
}

static void shift_left(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    for (unsigned i = 0; i < x->n; i++) {
        const uint64_t by = element(b, 1, x->width, i), all = UINT64_MAX >> (64 - x->width);
        r[i] = by < x->width ? element(b, 0, x->width, i) << by & all : 0;
    }
}

static void shift_right_with_sign(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    for (unsigned i = 0; i < x->n; i++) {
        const uint64_t by = element(b, 1, x->width, i), all = UINT64_MAX >> (64 - x->width);
        const int64_t value = sign_extended(element(b, 0, x->width, i), x->width);
        r[i] = (uint64_t)(value >> (by < x->width ? by : x->width - 1)) & all;
    }
}

static void extract_bits(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    const uint64_t from = element(b, 0, x->width, 0), mask = element(b, 1, x->width, 0);
    unsigned to = 0;
    r[0] = 0;
    for (unsigned i = 0; i < x->width; i++)
        if (mask >> i & 1)
            r[0] |= (from >> i & 1) << to++;
}

static void deposit_bits(const struct x86 *x, const struct evaluate_bytes *b, uint64_t *r)
{
    const uint64_t from = element(b, 0, x->width, 0), mask = element(b, 1, x->width, 0);
    unsigned at = 0;
    r[0] = 0;
    for (unsigned i = 0; i < x->width; i++)
        if (mask >> i & 1)
            r[0] |= (from >> at++ & 1) << i;
}

#define PLAIN(name, result_n, result_width, n, width, operands)                                                        \
    {                                                                                                                  \
        name, result_n, result_width, n, width, operands, -1, NULL                                                     \
    }
#define SAME(name, n, width, operands, model)                                                                          \
    {                                                                                                                  \
        name, n, width, n, width, operands, -1, model                                                                  \
    }
#define LOGIC(name, n, width, table)                                                                                   \
    {                                                                                                                  \
        name, n, width, n, width, 3, table, ternary_logic                                                              \
    }

static const struct x86 intrinsics[] = {
    {"sse2.packssdw.128", 8, 16, 4, 32, 2, -1, NULL},
    {"sse2.packsswb.128", 16, 8, 8, 16, 2, -1, NULL},
    {"sse2.packuswb.128", 16, 8, 8, 16, 2, -1, NULL},
    {"sse41.packusdw", 8, 16, 4, 32, 2, -1, NULL},
    {"sse41.pblendvb", 16, 8, 16, 8, 3, -1, NULL},
    {"sse2.pmadd.wd", 4, 32, 8, 16, 2, -1, multiply_add},
    SAME("ssse3.pshuf.b.128", 16, 8, 2, shuffle_bytes),
    {"ssse3.phadd.d.128", 4, 32, 4, 32, 2, -1, NULL},
    {"avx2.phadd.d", 8, 32, 8, 32, 2, -1, NULL},
    {"sse2.pmovmskb.128", 1, 32, 16, 8, 1, -1, NULL},
    {"avx2.pmovmskb", 1, 32, 32, 8, 1, -1, NULL},
    {"sse41.ptestz", 1, 32, 2, 64, 2, -1, NULL},
    {"avx.ptestz.256", 1, 32, 4, 64, 2, -1, NULL},
    {"sse41.ptestc", 1, 32, 2, 64, 2, -1, NULL},
    {"avx.ptestc.256", 1, 32, 4, 64, 2, -1, NULL},
    {"sse41.ptestnzc", 1, 32, 2, 64, 2, -1, NULL},
    {"avx.ptestnzc.256", 1, 32, 4, 64, 2, -1, NULL},
    {"sse2.pslli.w", 8, 16, 8, 16, 1, 3, NULL},
    {"sse2.pslli.d", 4, 32, 4, 32, 1, 0, NULL},
    {"sse2.pslli.d", 4, 32, 4, 32, 1, 7, NULL},
    {"sse2.pslli.d", 4, 32, 4, 32, 1, 31, NULL},
    {"sse2.pslli.d", 4, 32, 4, 32, 1, 32, NULL},
    {"sse2.pslli.d", 4, 32, 4, 32, 1, 200, NULL},
    {"sse2.pslli.q", 2, 64, 2, 64, 1, 3, NULL},
    {"avx2.pslli.w", 16, 16, 16, 16, 1, 3, NULL},
    {"avx2.pslli.d", 8, 32, 8, 32, 1, 0, NULL},
    {"avx2.pslli.d", 8, 32, 8, 32, 1, 7, NULL},
    {"avx2.pslli.d", 8, 32, 8, 32, 1, 31, NULL},
    {"avx2.pslli.d", 8, 32, 8, 32, 1, 32, NULL},
    {"avx2.pslli.d", 8, 32, 8, 32, 1, 200, NULL},
    {"avx2.pslli.q", 4, 64, 4, 64, 1, 3, NULL},
    {"sse2.psrli.w", 8, 16, 8, 16, 1, 3, NULL},
    {"sse2.psrli.d", 4, 32, 4, 32, 1, 0, NULL},
    {"sse2.psrli.d", 4, 32, 4, 32, 1, 7, NULL},
    {"sse2.psrli.d", 4, 32, 4, 32, 1, 31, NULL},
    {"sse2.psrli.d", 4, 32, 4, 32, 1, 32, NULL},
    {"sse2.psrli.d", 4, 32, 4, 32, 1, 200, NULL},
    {"sse2.psrli.q", 2, 64, 2, 64, 1, 3, NULL},
    {"avx2.psrli.w", 16, 16, 16, 16, 1, 3, NULL},
    {"avx2.psrli.d", 8, 32, 8, 32, 1, 0, NULL},
    {"avx2.psrli.d", 8, 32, 8, 32, 1, 7, NULL},
    {"avx2.psrli.d", 8, 32, 8, 32, 1, 31, NULL},
    {"avx2.psrli.d", 8, 32, 8, 32, 1, 32, NULL},
    {"avx2.psrli.d", 8, 32, 8, 32, 1, 200, NULL},
    {"avx2.psrli.q", 4, 64, 4, 64, 1, 3, NULL},
    {"sse2.psrai.w", 8, 16, 8, 16, 1, 3, NULL},
    {"sse2.psrai.d", 4, 32, 4, 32, 1, 0, NULL},
    {"sse2.psrai.d", 4, 32, 4, 32, 1, 7, NULL},
    {"sse2.psrai.d", 4, 32, 4, 32, 1, 31, NULL},
    {"sse2.psrai.d", 4, 32, 4, 32, 1, 32, NULL},
    {"sse2.psrai.d", 4, 32, 4, 32, 1, 200, NULL},
    {"avx2.psrai.w", 16, 16, 16, 16, 1, 3, NULL},
    {"avx2.psrai.d", 8, 32, 8, 32, 1, 0, NULL},
    {"avx2.psrai.d", 8, 32, 8, 32, 1, 7, NULL},
    {"avx2.psrai.d", 8, 32, 8, 32, 1, 31, NULL},
    {"avx2.psrai.d", 8, 32, 8, 32, 1, 32, NULL},
    {"avx2.psrai.d", 8, 32, 8, 32, 1, 200, NULL},
    {"avx2.psllv.d", 4, 32, 4, 32, 2, -1, NULL},
    {"avx2.psllv.d.256", 8, 32, 8, 32, 2, -1, NULL},
    {"avx2.psllv.q", 2, 64, 2, 64, 2, -1, NULL},
    {"avx2.psllv.q.256", 4, 64, 4, 64, 2, -1, NULL},
    SAME("avx512.psllv.d.512", 16, 32, 2, shift_left),
    {"avx2.psrlv.q", 2, 64, 2, 64, 2, -1, NULL},
    {"avx2.psrlv.q.256", 4, 64, 4, 64, 2, -1, NULL},
    {"avx2.psrav.d", 4, 32, 4, 32, 2, -1, NULL},
    {"avx2.psrav.d.256", 8, 32, 8, 32, 2, -1, NULL},
    SAME("avx512.psrav.d.512", 16, 32, 2, shift_right_with_sign),
    {"sse2.psll.w", 8, 16, 8, 16, 2, -1, NULL},
    {"sse2.psll.d", 4, 32, 4, 32, 2, -1, NULL},
    {"sse2.psll.q", 2, 64, 2, 64, 2, -1, NULL},
    {"sse2.psrl.w", 8, 16, 8, 16, 2, -1, NULL},
    {"sse2.psrl.d", 4, 32, 4, 32, 2, -1, NULL},
    {"sse2.psrl.q", 2, 64, 2, 64, 2, -1, NULL},
    {"sse2.psra.w", 8, 16, 8, 16, 2, -1, NULL},
    {"sse2.psra.d", 4, 32, 4, 32, 2, -1, NULL},
    PLAIN("avx2.packssdw", 16, 16, 8, 32, 2),
    PLAIN("avx2.packusdw", 16, 16, 8, 32, 2),
    PLAIN("avx2.packsswb", 32, 8, 16, 16, 2),
    PLAIN("avx2.packuswb", 32, 8, 16, 16, 2),
    PLAIN("avx2.pblendvb", 32, 8, 32, 8, 3),
    SAME("avx2.pshuf.b", 32, 8, 2, shuffle_bytes),
    {"avx2.pmadd.wd", 8, 32, 16, 16, 2, -1, multiply_add},
    SAME("avx2.permd", 8, 32, 2, permute_one),
    SAME("avx2.psrlv.d", 4, 32, 2, shift_right),
    SAME("avx2.psrlv.d.256", 8, 32, 2, shift_right),
    SAME("avx512.pshuf.b.512", 64, 8, 2, shuffle_bytes),
    {"avx512.pmaddw.d.512", 16, 32, 32, 16, 2, -1, multiply_add},
    SAME("avx512.psrlv.d.512", 16, 32, 2, shift_right),
    SAME("avx512.vpermi2var.d.128", 4, 32, 3, permute_two),
    SAME("avx512.vpermi2var.d.256", 8, 32, 3, permute_two),
    SAME("avx512.vpermi2var.d.512", 16, 32, 3, permute_two),
    SAME("avx512.vpermi2var.hi.128", 8, 16, 3, permute_two),
    SAME("avx512.vpermi2var.hi.256", 16, 16, 3, permute_two),
    SAME("avx512.vpermi2var.hi.512", 32, 16, 3, permute_two),
    SAME("avx512.vpermi2var.qi.128", 16, 8, 3, permute_two),
    SAME("avx512.vpermi2var.qi.256", 32, 8, 3, permute_two),
    SAME("avx512.vpermi2var.qi.512", 64, 8, 3, permute_two),
    SAME("avx512.permvar.si.512", 16, 32, 2, permute_one),
    SAME("avx512.permvar.hi.128", 8, 16, 2, permute_one),
    SAME("avx512.permvar.hi.256", 16, 16, 2, permute_one),
    SAME("avx512.permvar.hi.512", 32, 16, 2, permute_one),
    SAME("avx512.permvar.qi.128", 16, 8, 2, permute_one),
    SAME("avx512.permvar.qi.256", 32, 8, 2, permute_one),
    SAME("avx512.permvar.qi.512", 64, 8, 2, permute_one),
    LOGIC("avx512.pternlog.d.128", 4, 32, 0x96),
    LOGIC("avx512.pternlog.d.256", 8, 32, 0xe8),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0x00),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0x1b),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0x80),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0x96),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0xca),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0xd8),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0xe2),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0xf0),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0xff),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0x3c),
    LOGIC("avx512.pternlog.d.512", 16, 32, 0x55),
    LOGIC("avx512.pternlog.q.128", 2, 64, 0xca),
    LOGIC("avx512.pternlog.q.256", 4, 64, 0x78),
    LOGIC("avx512.pternlog.q.512", 8, 64, 0x96),
    {"bmi.pext.32", 1, 32, 1, 32, 2, -1, extract_bits},
    {"bmi.pext.64", 1, 64, 1, 64, 2, -1, extract_bits},
    {"bmi.pdep.32", 1, 32, 1, 32, 2, -1, deposit_bits},
    {"bmi.pdep.64", 1, 64, 1, 64, 2, -1, deposit_bits},
};
/* Those of floating-point elements, and those that access memory, in IR of their own: on operands x0, x1, x2 of `type`.
 */
struct x86_text {
    const char *intrinsic, *declaration, *type, *result, *body;
};

#define OF_FLOATS "  %a = bitcast <8 x i32> %x0 to <8 x float>\n  %b = bitcast <8 x i32> %x1 to <8 x float>\n"
#define OF_FOUR   "  %a = bitcast <4 x i32> %x0 to <4 x float>\n  %b = bitcast <4 x i32> %x1 to <4 x float>\n"
#define IN_MEMORY(n)                                                                                                   \
    "  %t = alloca <" #n " x i32>\n  store <" #n " x i32> %x0, <" #n " x i32>* %t\n"                                   \
    "  %p = bitcast <" #n " x i32>* %t to i8*\n"
#define FROM_MEMORY(n) "\n  %r = load <" #n " x i32>, <" #n " x i32>* %t"

static const struct x86_text x86_texts[] = {
    {"sse.movmsk.ps", "i32 @llvm.x86.sse.movmsk.ps(<4 x float>)", "<4 x i32>", "i32",
     OF_FOUR "  %r = call i32 @llvm.x86.sse.movmsk.ps(<4 x float> %a)"},
    {"avx.movmsk.ps.256", "i32 @llvm.x86.avx.movmsk.ps.256(<8 x float>)", "<8 x i32>", "i32",
     OF_FLOATS "  %r = call i32 @llvm.x86.avx.movmsk.ps.256(<8 x float> %a)"},
    {"sse41.blendvps", "<4 x float> @llvm.x86.sse41.blendvps(<4 x float>, <4 x float>, <4 x float>)", "<4 x i32>",
     "<4 x float>",
     OF_FOUR
     "  %c = bitcast <4 x i32> %x2 to <4 x float>\n  %r = call <4 x float> @llvm.x86.sse41.blendvps(<4 x float> "
     "%a, <4 x float> %b, <4 x float> %c)"},
    {"avx.blendv.ps.256", "<8 x float> @llvm.x86.avx.blendv.ps.256(<8 x float>, <8 x float>, <8 x float>)", "<8 x i32>",
     "<8 x float>",
     OF_FLOATS "  %c = bitcast <8 x i32> %x2 to <8 x float>\n  %r = call <8 x float> @llvm.x86.avx.blendv.ps.256(<8 x "
               "float> %a, <8 x float> %b, <8 x float> %c)"},
    {"avx2.permps", "<8 x float> @llvm.x86.avx2.permps(<8 x float>, <8 x i32>)", "<8 x i32>", "<8 x float>",
     OF_FLOATS "  %r = call <8 x float> @llvm.x86.avx2.permps(<8 x float> %a, <8 x i32> %x1)"},
    {"avx.vpermilvar.ps", "<4 x float> @llvm.x86.avx.vpermilvar.ps(<4 x float>, <4 x i32>)", "<4 x i32>", "<4 x float>",
     OF_FOUR "  %r = call <4 x float> @llvm.x86.avx.vpermilvar.ps(<4 x float> %a, <4 x i32> %x1)"},
    {"avx.vpermilvar.ps.256", "<8 x float> @llvm.x86.avx.vpermilvar.ps.256(<8 x float>, <8 x i32>)", "<8 x i32>",
     "<8 x float>", OF_FLOATS "  %r = call <8 x float> @llvm.x86.avx.vpermilvar.ps.256(<8 x float> %a, <8 x i32> %x1)"},
    {"avx2.maskload.d", "<4 x i32> @llvm.x86.avx2.maskload.d(i8*, <4 x i32>)", "<4 x i32>", "<4 x i32>",
     IN_MEMORY(4) "  %r = call <4 x i32> @llvm.x86.avx2.maskload.d(i8* %p, <4 x i32> %x1)"},
    {"avx2.maskload.d.256", "<8 x i32> @llvm.x86.avx2.maskload.d.256(i8*, <8 x i32>)", "<8 x i32>", "<8 x i32>",
     IN_MEMORY(8) "  %r = call <8 x i32> @llvm.x86.avx2.maskload.d.256(i8* %p, <8 x i32> %x1)"},
    {"avx.maskload.ps", "<4 x float> @llvm.x86.avx.maskload.ps(i8*, <4 x i32>)", "<4 x i32>", "<4 x float>",
     IN_MEMORY(4) "  %r = call <4 x float> @llvm.x86.avx.maskload.ps(i8* %p, <4 x i32> %x1)"},
    {"avx.maskload.ps.256", "<8 x float> @llvm.x86.avx.maskload.ps.256(i8*, <8 x i32>)", "<8 x i32>", "<8 x float>",
     IN_MEMORY(8) "  %r = call <8 x float> @llvm.x86.avx.maskload.ps.256(i8* %p, <8 x i32> %x1)"},
    {"avx2.maskstore.d", "void @llvm.x86.avx2.maskstore.d(i8*, <4 x i32>, <4 x i32>)", "<4 x i32>", "<4 x i32>",
     IN_MEMORY(4) "  call void @llvm.x86.avx2.maskstore.d(i8* %p, <4 x i32> %x1, <4 x i32> %x2)" FROM_MEMORY(4)},
    {"avx2.maskstore.d.256", "void @llvm.x86.avx2.maskstore.d.256(i8*, <8 x i32>, <8 x i32>)", "<8 x i32>", "<8 x i32>",
     IN_MEMORY(8) "  call void @llvm.x86.avx2.maskstore.d.256(i8* %p, <8 x i32> %x1, <8 x i32> %x2)" FROM_MEMORY(8)},
    {"avx.maskstore.ps", "void @llvm.x86.avx.maskstore.ps(i8*, <4 x i32>, <4 x float>)", "<4 x i32>", "<4 x i32>",
     IN_MEMORY(4) OF_FOUR
     "  call void @llvm.x86.avx.maskstore.ps(i8* %p, <4 x i32> %x2, <4 x float> %b)" FROM_MEMORY(4)},
    {"avx.maskstore.ps.256", "void @llvm.x86.avx.maskstore.ps.256(i8*, <8 x i32>, <8 x float>)", "<8 x i32>",
     "<8 x i32>",
     IN_MEMORY(8) OF_FLOATS
     "  call void @llvm.x86.avx.maskstore.ps.256(i8* %p, <8 x i32> %x2, <8 x float> %b)" FROM_MEMORY(8)},
    {"avx2.gather.d.d", "<4 x i32> @llvm.x86.avx2.gather.d.d(<4 x i32>, i8*, <4 x i32>, <4 x i32>, i8)", "<4 x i32>",
     "<4 x i32>",
     IN_MEMORY(4) "  %i = and <4 x i32> %x1, <i32 3, i32 3, i32 3, i32 3>\n  %r = call <4 x i32> "
                  "@llvm.x86.avx2.gather.d.d(<4 x i32> %x2, i8* %p, <4 x i32> %i, <4 x i32> %x2, i8 4)"},
    {"avx2.gather.d.d.256", "<8 x i32> @llvm.x86.avx2.gather.d.d.256(<8 x i32>, i8*, <8 x i32>, <8 x i32>, i8)",
     "<8 x i32>", "<8 x i32>",
     IN_MEMORY(8) "  %q = getelementptr i8, i8* %p, i64 16\n  %k = and <8 x i32> %x1, <i32 7, i32 7, i32 7, i32 7, i32 "
                  "7, i32 7, i32 7, i32 7>\n"
                  "  %i = sub <8 x i32> %k, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>\n  %r = call <8 x "
                  "i32> @llvm.x86.avx2.gather.d.d.256(<8 x i32> %x1, i8* %q, <8 x i32> %i, <8 x i32> %x2, i8 4)"},
    {"avx2.gather.d.ps", "<4 x float> @llvm.x86.avx2.gather.d.ps(<4 x float>, i8*, <4 x i32>, <4 x float>, i8)",
     "<4 x i32>", "<4 x float>",
     IN_MEMORY(4) OF_FOUR
     "  %i = and <4 x i32> %x1, <i32 3, i32 3, i32 3, i32 3>\n  %c = bitcast <4 x i32> %x2 to <4 x float>\n"
     "  %r = call <4 x float> @llvm.x86.avx2.gather.d.ps(<4 x float> %b, i8* %p, <4 x i32> %i, <4 x float> %c, i8 4)"},
    {"avx2.gather.d.ps.256", "<8 x float> @llvm.x86.avx2.gather.d.ps.256(<8 x float>, i8*, <8 x i32>, <8 x float>, i8)",
     "<8 x i32>", "<8 x float>",
     IN_MEMORY(8) OF_FLOATS
     "  %i = and <8 x i32> %x1, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>\n  %c = bitcast <8 x i32> %x2 "
     "to <8 x float>\n  %r = call <8 x float> @llvm.x86.avx2.gather.d.ps.256(<8 x float> %b, i8* %p, <8 x i32> %i, <8 "
     "x float> %c, i8 4)"},
};
#define X86_TEXTS  (sizeof x86_texts / sizeof *x86_texts)
#define INTRINSICS (sizeof intrinsics / sizeof *intrinsics)

#endif
