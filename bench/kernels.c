/*
 * The speed of executing kernels: lane instructions a second on one core, with rows of lanes. The other side of the
 * ratio is the same executor lane by lane, each lane as far as it gets by itself.
 */
#include "base/clock.h"
#include "kernel/kernel.h"
#include "kernel/params.h"

#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP "mad.lo.u32 %r3, %r3, 1664525, 1013904223; shr.u32 %r5, %r3, 7; xor.b32 %r4, %r4, %r5;\n"

static const struct {
    const char *name, *body;
} loops[] = {
    {"convergent arithmetic", STEP "and.b32 %r5, %r3, 255; add.u32 %r4, %r4, %r5; shl.b32 %r6, %r4, 3;\n"
                                   "xor.b32 %r3, %r3, %r6;\n"},
    {"four ways, by data", STEP "and.b32 %r5, %r3, 256; setp.ne.u32 %p2, %r5, 0; @%p2 bra A;\n"
                                "and.b32 %r5, %r3, 512; setp.ne.u32 %p2, %r5, 0; @%p2 bra B; add.u32 %r4, %r4, 5;\n"
                                "bra D; B: sub.u32 %r4, %r4, %r3; shl.b32 %r6, %r4, 2; xor.b32 %r3, %r3, %r6; bra D;\n"
                                "A: and.b32 %r5, %r3, 1024; setp.ne.u32 %p2, %r5, 0; @%p2 bra C;\n"
                                "mul.lo.u32 %r4, %r4, 7; add.u32 %r4, %r4, 1; bra D; C: xor.b32 %r4, %r4, %r3; D:\n"},
    {"shared memory", STEP "and.b32 %r5, %r4, 31; add.u32 %r5, %r5, %r7; shl.b32 %r5, %r5, 2; mov.u32 %r6, s;\n"
                           "add.u32 %r6, %r6, %r5; ld.shared.u32 %r5, [%r6]; add.u32 %r4, %r4, %r5;\n"},
    {"global memory", STEP "mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; ld.global.u32 %r5, [%d3];\n"
                           "add.u32 %r5, %r5, %r4; st.global.u32 [%d3], %r5;\n"},
    {"shuffles", STEP "shfl.sync.bfly.b32 %r5, %r4, 16, 31, -1; add.u32 %r4, %r4, %r5;\n"},
};

static double rate(const struct code *code, uint32_t threads, uint32_t turns, bool one_lane)
{
    static struct kernel_outcome outcome;
    struct kernel_slots slots;
    struct kernel_input in = {.block = {threads, 1, 1}, .grid = {1, 1, 1}, .seed = 1, .one_lane = one_lane};
    kernel_find_slots(code, &slots);
    kernel_slots_start(&slots, &in);
    for (uint32_t n = 0; n < slots.count; n++)
        if (!slots.slots[n].is_pointer)
            kernel_slot_set(&slots.slots[n], &in, turns);
    struct kernel *kernel = kernel_new(code, spec_get());
    double best = 0;
    for (unsigned run = 0; kernel && run < 3; run++) {
        double start = clock_seconds();
        if (!kernel_execute(kernel, &in, UINT64_MAX / 2, &outcome) || outcome.ending != KERNEL_ENDED)
            break;
        double now = (double)outcome.lane_steps / (clock_seconds() - start);
        best = now > best ? now : best;
    }
    kernel_free(kernel);
    return best;
}

static bool bench(const char *name, const char *body)
{
    char text[4096];
    struct error error;
    snprintf(
        text, sizeof text,
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 .ptr .global out, .param .u32 "
        "n)\n{\n.reg .pred %%p<4>;\n.reg .b32 %%r<16>;\n.reg .b64 %%d<8>;\n.shared .align 4 .b8 s[8192];\n"
        "ld.param.u64 %%d1, [out];\nld.param.u32 %%r8, [n];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r3, %%r1;\n"
        "mov.u32 %%r4, 3;\nmov.u32 %%r9, 0;\nmov.u32 %%r7, %%tid.x;\nand.b32 %%r7, %%r7, 0xffffffe0;\nL:\n%s"
        "add.u32 %%r9, %%r9, 1;\nsetp.lt.u32 %%p1, %%r9, %%r8;\n@%%p1 bra L;\nmul.wide.u32 %%d2, %%r1, 4;\n"
        "add.s64 %%d3, %%d1, %%d2;\nst.global.u32 [%%d3], %%r4;\nret;\n}\n",
        body);
    struct module *module = module_read(text, strlen(text), name, &error);
    struct code *code = module ? code_new(module, module_function_find(module, "k"), &error) : NULL;
    if (code) {
        double rows = rate(code, 256, 20000, false), lanes = rate(code, 256, 2000, true);
        printf("%-22s %8.0f M/s in rows %8.0f M/s lane by lane %6.1f times\n", name, rows / 1e6, lanes / 1e6,
               lanes > 0 ? rows / lanes : 0);
    } else {
        fprintf(stderr, "%s\n", error.text);
    }
    code_free(code);
    module_free(module);
    return code != NULL;
}

int main(void)
{
    bool ok = true;
    for (size_t n = 0; n < sizeof loops / sizeof loops[0]; n++)
        ok &= bench(loops[n].name, loops[n].body);
    return ok ? 0 : 1;
}
