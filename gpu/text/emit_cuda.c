/*
 * The CUDA source file. The instruction stands in inline assembly; forms without .sync, which nvcc's own PTX version
 * has lost, stand in a PTX text that the driver compiles.
 */
#include "gpu/text/emit_text.h"

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

size_t emit_cuda(const struct warp_case *c, const struct warp_result *expected, uint32_t parts, char *buf, size_t size)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool as_text = info->family == WARP_SHFL || info->family == WARP_VOTE;
    struct writer t = writer_start(buf, size);
    emit_heading(&t, c, expected);
    writer_format(&t, "// Build and run: nvcc -o reproduce FILE.cu%s && ./reproduce", as_text ? " -lcuda" : "");
    if (info->type == WARP_F32)
        writer_format(&t, "   (f32 redux: nvcc -gencode arch=compute_100a,code=sm_100a)");
    else if (info->family == WARP_REDUX_SYNC)
        writer_format(&t, "   (nvcc wants -arch=sm_80 or later)");
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
