#include "gpu/emit.h"

#include "gpu/text.h"
#include "warpcheck/text.h"

#include <stdio.h>

/* The target that a driver of today still takes: the case's own, or sm_30 in place of an older one. */
static uint32_t emit_target(const struct warp_case *c)
{
    return c->target < WARP_TARGET(30, 0) ? WARP_TARGET(30, 0) : c->target;
}

/* `static const unsigned NAME[n] = {...};` */
static void emit_words(struct writer *t, const char *name, const uint32_t *words, size_t n)
{
    writer_format(t, "static const unsigned %s[%u] = {", name, (unsigned)n);
    for (size_t i = 0; i < n; i++)
        writer_format(t, "%s0x%x", i == 0 ? "\n    " : i % 8 == 0 ? ",\n    " : ", ", (unsigned)words[i]);
    writer_format(t, "};\n");
}

/* Comments: the case, the target where it is another one, lanes that are not done. */
static void emit_heading(struct writer *t, const struct warp_case *c, const struct warp_result *expected)
{
    char line[WARP_TEXT_MAX];
    warp_case_to_text(c, line, sizeof line);
    writer_format(t, "// Written by warpcheck. The case:\n//   %s\n", line);
    if (emit_target(c) != c->target)
        writer_format(t, "// Its target %s is too old for any driver of today: this is for %s.\n",
                      warp_target_name(c->target), warp_target_name(emit_target(c)));
    if (expected != NULL && (expected->waiting | expected->undefined) != 0)
        writer_format(t, "// MAY HANG: lanes 0x%x wait for others, lanes 0x%x are undefined.\n",
                      (unsigned)expected->waiting, (unsigned)expected->undefined);
    if (warp_form_any_leader(warp_form_get(c->form)))
        writer_format(t, "// Any lane of a group may lead it: what is expected is the lowest, which devices elect.\n");
}

size_t emit_ptx(const struct warp_case *c, char *buf, size_t size)
{
    struct writer t = writer_start(buf, size);
    emit_heading(&t, c, NULL);
    text_header(&t, warp_legal_from(warp_form_get(c->form), emit_target(c)), emit_target(c));
    writer_format(&t, "\n");
    text_single_kernel(&t, c);
    return t.length;
}

/* The part of an emitted program that compares and prints. */

static void add_expected(struct writer *t, const struct warp_case *c, const struct warp_result *e, uint32_t parts)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool d = warp_form_writes_d(info, c->dst) && (parts & WARP_PART_D);
    const bool p = warp_form_writes_p(info, c->dst) && (parts & WARP_PART_P);
    emit_words(t, "expected_d", e->d, WARP_LANES);
    writer_format(t,
                  "static const unsigned exited = 0x%xu, active = 0x%xu;\n"
                  "static const unsigned done = 0x%xu;         /* lanes that get an answer */\n"
                  "static const unsigned compare_d = 0x%xu;    /* lanes whose d is predictable */\n"
                  "static const unsigned compare_p = 0x%xu, expected_p = 0x%xu;\n\n",
                  (unsigned)c->exited, (unsigned)c->active, (unsigned)e->done, (unsigned)(d ? e->d_defined : 0u),
                  (unsigned)(p ? e->done : 0u), (unsigned)e->p);
}

/* C code: the expected answers, `int report(const unsigned *answers)`, which prints them beside the observed ones, and
 * `start_watchdog`. */
static void emit_report(struct writer *t, const struct warp_case *c, const struct warp_result *expected, uint32_t parts)
{
    add_expected(t, c, expected, parts);
    writer_format(
        t, "/* answers: d of 32 lanes, then flags of 32 lanes (1: ran, 2: predicate). Returns 1 when one differs. */\n"
           "static int report(const unsigned *answers)\n{\n    int differs = 0;\n"
           "    printf(\"lane  state      expected d  p   observed d  p\\n\");\n"
           "    for (unsigned lane = 0; lane < 32; lane++) {\n"
           "        const unsigned bit = 1u << lane, d = answers[lane], flags = answers[32 + lane];\n"
           "        const unsigned p = flags >> 1 & 1u;\n        int wrong = 0;\n"
           "        if (!(active & bit)) {\n"
           "            printf(\"%%4u  %%s\\n\", lane, exited & bit ? \"exited\" : \"elsewhere\");\n"
           "            continue;\n        }\n");
    writer_format(t, "        wrong |= (done & bit) && !(flags & 1u);\n"
                     "        wrong |= (compare_d & bit) && d != expected_d[lane];\n"
                     "        wrong |= (compare_p & bit) && p != (expected_p >> lane & 1u);\n"
                     "        printf(\"%%4u  %%-9s\", lane, done & bit ? \"done\" : \"not done\");\n"
                     "        if (compare_d & bit)\n            printf(\"  0x%%08x\", expected_d[lane]);\n"
                     "        else\n            printf(\"           -\");\n"
                     "        printf(compare_p & bit ? \"  %%u\" : \"  -\", expected_p >> lane & 1u);\n"
                     "        printf(\"   0x%%08x  %%u%%s\\n\", d, p, wrong ? \"   <- differs\" : \"\");\n"
                     "        differs |= wrong;\n    }\n"
                     "    printf(differs ? \"MISMATCH\\n\" : \"the device agrees\\n\");\n    return differs;\n}\n\n");
    writer_format(t, "static void on_alarm(int signal_number)\n{\n    static const char text[] = \"no answer within 20 "
                     "seconds\\n\";\n"
                     "    (void)signal_number;\n    if (write(2, text, sizeof text - 1) < 0)\n        _exit(4);\n    "
                     "_exit(3);\n}\n\n"
                     "static void start_watchdog(void)\n{\n    signal(SIGALRM, on_alarm);\n    alarm(20);\n}\n\n");
}

/* C code at the start of main: refuses cases that may hang without --may-hang; takes nothing else from argv. */
static void emit_guard(struct writer *t, const struct warp_case *c, const struct warp_result *expected)
{
    if ((c->active & ~expected->done) != 0)
        writer_format(
            t, "    if (argc < 2 || strcmp(argv[argc - 1], \"--may-hang\") != 0) {\n"
               "        fprintf(stderr, \"some lanes wait for ever or are undefined: this may hang the device; \"\n"
               "                        \"give --may-hang to start it\\n\");\n        return 2;\n    }\n");
    else
        writer_format(t, "    (void)argc;\n    (void)argv;\n");
    writer_format(t, "    start_watchdog();\n");
}

/* The C program that goes with an emitted .ptx file: it needs a C compiler and, at run time, libcuda.so.1. */

static void add_string(struct writer *t, const char *s)
{
    writer_format(t, "\"");
    for (; *s != '\0'; s++)
        writer_format(t, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    writer_format(t, "\"");
}

static void add_loader(struct writer *t)
{
    writer_format(
        t,
        "typedef int (*cuda_fn)(); /* every function of the driver returns an error number */\n"
        "static void *library;\n\n"
        "static cuda_fn find(const char *name)\n{\n    cuda_fn f;\n    *(void **)&f = dlsym(library, name);\n"
        "    if (f == NULL) {\n        fprintf(stderr, \"the CUDA driver has no %%s\\n\", name);\n        exit(2);\n   "
        " }\n"
        "    return f;\n}\n\n"
        "static void check(int error, const char *what)\n{\n    if (error != 0) {\n"
        "        fprintf(stderr, \"%%s failed with CUDA error %%d\\n\", what, error);\n        exit(2);\n    }\n}\n\n");
    writer_format(t, "static char *read_text(const char *path)\n{\n    static char text[1 << 20];\n    FILE *f = "
                     "fopen(path, \"r\");\n"
                     "    if (f == NULL) {\n        perror(path);\n        exit(2);\n    }\n"
                     "    text[fread(text, 1, sizeof text - 1, f)] = 0;\n    fclose(f);\n    return text;\n}\n\n");
}

static void add_main(struct writer *t, const struct warp_case *c, const struct warp_result *expected,
                     const char *ptx_path)
{
    writer_format(
        t, "int main(int argc, char **argv)\n{\n    unsigned answers[64] = {0};\n    unsigned long long memory = 0;\n"
           "    void *context, *module, *function, *arguments[] = {&memory};\n    int device;\n");
    emit_guard(t, c, expected);
    writer_format(
        t, "    library = dlopen(\"libcuda.so.1\", RTLD_NOW);\n    if (library == NULL) {\n"
           "        fprintf(stderr, \"no CUDA driver: %%s\\n\", dlerror());\n        return 2;\n    }\n"
           "    check(((int (*)(unsigned))find(\"cuInit\"))(0), \"cuInit\");\n"
           "    check(((int (*)(int *, int))find(\"cuDeviceGet\"))(&device, 0), \"cuDeviceGet\");\n"
           "    check(((int (*)(void **, int))find(\"cuDevicePrimaryCtxRetain\"))(&context, device), \"context\");\n"
           "    check(((int (*)(void *))find(\"cuCtxSetCurrent\"))(context), \"cuCtxSetCurrent\");\n");
    writer_format(t, "    check(((int (*)(void **, const void *))find(\"cuModuleLoadData\"))(&module, read_text(");
    add_string(t, ptx_path);
    writer_format(
        t, ")),\n          \"cuModuleLoadData\");\n"
           "    check(((int (*)(void **, void *, const char *))find(\"cuModuleGetFunction\"))(&function, module, "
           "\"warpcheck_case\"),\n          \"cuModuleGetFunction\");\n"
           "    check(((int (*)(unsigned long long *, size_t))find(\"cuMemAlloc_v2\"))(&memory, sizeof answers), "
           "\"cuMemAlloc\");\n"
           "    check(((int (*)(unsigned long long, unsigned, size_t))find(\"cuMemsetD32_v2\"))(memory, 0, 64), "
           "\"cuMemsetD32\");\n");
    writer_format(t,
                  "    check(((int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, "
                  "void *, void **,\n"
                  "                    void **))find(\"cuLaunchKernel\"))(function, 1, 1, 1, 32, 1, 1, 0, NULL, "
                  "arguments, NULL),\n"
                  "          \"cuLaunchKernel\");\n"
                  "    check(((int (*)(void *, unsigned long long, size_t))find(\"cuMemcpyDtoH_v2\"))(answers, memory, "
                  "sizeof answers),\n"
                  "          \"the kernel\");\n    return report(answers);\n}\n");
}

size_t emit_ptx_host(const struct warp_case *c, const struct warp_result *expected, uint32_t parts,
                     const char *ptx_path, char *buf, size_t size)
{
    struct writer t = writer_start(buf, size);
    emit_heading(&t, c, expected);
    writer_format(
        &t, "// Build and run: cc -o reproduce FILE.c -ldl && ./reproduce\n"
            "#include <dlfcn.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
            "#include <unistd.h>\n\n");
    emit_report(&t, c, expected, parts);
    add_loader(&t);
    add_main(&t, c, expected, ptx_path);
    return t.length;
}

/*
 * The CUDA source file. The instruction stands in inline assembly; forms without .sync, which nvcc's own PTX version
 * has lost, stand in a PTX text that the driver compiles.
 */

static void add_operands(struct writer *t, const struct warp_case *c)
{
    static const char *const names[] = {"operand_a", "operand_a_high", "operand_b", "operand_c", "operand_membermask"};
    const uint32_t *const operands[] = {c->a, c->a_high, c->b, c->c, c->membermask};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        writer_format(t, "__device__ ");
        emit_words(t, names[i], operands[i], WARP_LANES);
    }
    writer_format(t, "\n");
}

/* Operands of the asm statement: %0 d, %1 p, %2 a, %3 a_high, %4 b, %5 c, %6 membermask; q and aa are made from them.
 */
static void add_assembly(struct writer *t, const struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    if (info->family == WARP_BAR_WARP) { /* CUDA has an intrinsic for it, which gives nothing either */
        writer_format(t, "        __syncwarp(operand_membermask[lane]);\n");
        return;
    }
    const bool d = warp_form_writes_d(info, c->dst), p = warp_form_writes_p(info, c->dst);
    const char *source = info->type == WARP_PRED ? c->negate ? "!q" : "q" : info->type == WARP_B64 ? "aa" : "%2";
    const char *destination = d && p                      ? "%0|p"
                              : p && c->dst == WARP_DST_D ? "p"
                              : p                         ? "_|p"
                              : c->dst == WARP_DST_D_SINK ? "%0|_"
                                                          : "%0";
    writer_format(t,
                  "        asm volatile(\"{\\n\\t.reg .pred p, q;\\n\\t.reg .b64 aa;\\n\\tsetp.ne.u32 q, %%2, "
                  "0;\\n\\tsetp.ne.u32 p, 0, 0;\\n\\t\"\n"
                  "                     \"mov.b64 aa, {%%2, %%3};\\n\\t%s %s",
                  info->name, destination);
    if (info->type != WARP_NO_SOURCE)
        writer_format(t, ", %s", source);
    if (warp_form_is_shfl(info))
        writer_format(t, ", %%4, %%5");
    if (warp_form_is_sync(info))
        writer_format(t, ", %%6");
    writer_format(t,
                  ";\\n\\tselp.u32 %%1, 2, 0, p;\\n\\t}\"\n"
                  "                     : \"+r\"(d), \"=r\"(flags)\n"
                  "                     : \"r\"(operand_a[lane]), \"r\"(operand_a_high[lane]), \"r\"(operand_b[lane]), "
                  "\"r\"(operand_c[lane]),\n                       \"r\"(operand_membermask[lane]));\n");
}

static void add_kernel(struct writer *t, const struct warp_case *c)
{
    writer_format(
        t,
        "__global__ void warpcheck_case(unsigned *answers)\n{\n    const unsigned lane = threadIdx.x, bit = 1u << "
        "lane;\n"
        "    unsigned d = 0, flags = 0;\n    if (0x%xu & bit)\n        asm volatile(\"exit;\");\n    if (0x%xu & "
        "bit) {\n",
        (unsigned)c->exited, (unsigned)c->active);
    add_assembly(t, c);
    writer_format(t, "        flags |= 1u;\n    } else {\n        flags = 4u; /* elsewhere */\n    }\n"
                     "    answers[lane] = d;\n    answers[32 + lane] = flags;\n}\n\n");
}

static void add_runtime_main(struct writer *t, const struct warp_case *c, const struct warp_result *expected)
{
    writer_format(
        t, "static void check(cudaError_t error, const char *what)\n{\n    if (error != cudaSuccess) {\n"
           "        fprintf(stderr, \"%%s: %%s\\n\", what, cudaGetErrorString(error));\n        exit(2);\n    }\n}\n\n"
           "int main(int argc, char **argv)\n{\n    unsigned answers[64] = {0}, *memory;\n");
    emit_guard(t, c, expected);
    writer_format(
        t, "    check(cudaMalloc((void **)&memory, sizeof answers), \"cudaMalloc\");\n"
           "    check(cudaMemset(memory, 0, sizeof answers), \"cudaMemset\");\n    warpcheck_case<<<1, 32>>>(memory);\n"
           "    check(cudaGetLastError(), \"launch\");\n"
           "    check(cudaMemcpy(answers, memory, sizeof answers, cudaMemcpyDeviceToHost), \"kernel\");\n"
           "    return report(answers);\n}\n");
}

static void add_driver_main(struct writer *t, const struct warp_case *c, const struct warp_result *expected)
{
    static char ptx[65536];
    emit_ptx(c, ptx, sizeof ptx);
    writer_format(t, "static const char ptx[] = R\"PTX(\n%s)PTX\";\n\n", ptx);
    writer_format(
        t, "static void check(CUresult error, const char *what)\n{\n    if (error != CUDA_SUCCESS) {\n"
           "        fprintf(stderr, \"%%s failed with CUDA error %%d\\n\", what, (int)error);\n        exit(2);\n "
           "   }\n}\n\n"
           "int main(int argc, char **argv)\n{\n    unsigned answers[64] = {0};\n    CUdevice device;\n    "
           "CUcontext context;\n"
           "    CUmodule module;\n    CUfunction function;\n    CUdeviceptr memory;\n    void *arguments[] = "
           "{&memory};\n");
    emit_guard(t, c, expected);
    writer_format(
        t,
        "    check(cuInit(0), \"cuInit\");\n    check(cuDeviceGet(&device, 0), \"cuDeviceGet\");\n"
        "    check(cuDevicePrimaryCtxRetain(&context, device), \"context\");\n"
        "    check(cuCtxSetCurrent(context), \"cuCtxSetCurrent\");\n    check(cuModuleLoadData(&module, ptx), "
        "\"cuModuleLoadData\");\n"
        "    check(cuModuleGetFunction(&function, module, \"warpcheck_case\"), \"cuModuleGetFunction\");\n"
        "    check(cuMemAlloc(&memory, sizeof answers), \"cuMemAlloc\");\n    check(cuMemsetD32(memory, 0, 64), "
        "\"cuMemsetD32\");\n"
        "    check(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL), \"cuLaunchKernel\");\n"
        "    check(cuMemcpyDtoH(answers, memory, sizeof answers), \"the kernel\");\n    return report(answers);\n}\n");
}

/* What nvcc needs: the older forms stand in no source that it compiles for a target of today, so their PTX is given to
 * the driver as text; others want a target. */
enum emitted { EMIT_AS_TEXT, EMIT_AS_SOURCE, EMIT_FOR_SM_80, EMIT_FOR_SM_90 };

static enum emitted emitted_as(enum warp_family family)
{
    switch (family) {
    case WARP_SHFL:
    case WARP_VOTE:
        return EMIT_AS_TEXT;
    case WARP_REDUX_SYNC:
        return EMIT_FOR_SM_80;
    case WARP_ELECT:
        return EMIT_FOR_SM_90;
    case WARP_SHFL_SYNC:
    case WARP_VOTE_SYNC:
    case WARP_MATCH_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_FAMILIES:
        break;
    }
    return EMIT_AS_SOURCE;
}

size_t emit_cuda(const struct warp_case *c, const struct warp_result *expected, uint32_t parts, char *buf, size_t size)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool as_text = emitted_as(info->family) == EMIT_AS_TEXT;
    struct writer t = writer_start(buf, size);
    emit_heading(&t, c, expected);
    writer_format(&t, "// Build and run: nvcc -o reproduce FILE.cu%s && ./reproduce", as_text ? " -lcuda" : "");
    if (info->type == WARP_F32)
        writer_format(&t, "   (f32 redux: nvcc -gencode arch=compute_100a,code=sm_100a)");
    else if (emitted_as(info->family) == EMIT_FOR_SM_80)
        writer_format(&t, "   (nvcc wants -arch=sm_80 or later)");
    else if (emitted_as(info->family) == EMIT_FOR_SM_90)
        writer_format(&t, "   (nvcc wants -arch=sm_90 or later)");
    writer_format(
        &t,
        "\n%s#include <csignal>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <unistd.h>\n\n",
        as_text ? "#include <cuda.h>\n" : "");
    emit_report(&t, c, expected, parts);
    if (as_text) {
        add_driver_main(&t, c, expected);
    } else {
        add_operands(&t, c);
        add_kernel(&t, c);
        add_runtime_main(&t, c, expected);
    }
    return t.length;
}
