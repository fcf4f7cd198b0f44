/*
 * What code calls that was compiled for coverage (-fsanitize=fuzzer-no-link, -fsanitize-coverage=...), doing nothing:
 * so a plugin that was built for a fuzzing engine can be loaded where no engine is. All of it is weak: an engine's own
 * functions come before these. The names are those of the compilers' SanitizerCoverage; model/exports.list shows them
 * to plugins, and both must have the same.
 */
#include <stdint.h>

#define HOOK(name, ...)                                                                                                \
    __attribute__((weak)) void __sanitizer_cov_##name(__VA_ARGS__);                                                    \
    __attribute__((weak)) void __sanitizer_cov_##name(__VA_ARGS__)                                                     \
    {                                                                                                                  \
    }
#define HOOK_OF_TWO(name, type) HOOK(name, type x __attribute__((unused)), type y __attribute__((unused)))
#define HOOK_OF_ONE(name, type) HOOK(name, type x __attribute__((unused)))
__extension__ typedef unsigned __int128 word128;

/* Edges and calls. */
HOOK(trace_pc, void)
HOOK_OF_ONE(trace_pc_indir, uintptr_t)
HOOK_OF_ONE(trace_pc_guard, uint32_t *)
HOOK_OF_TWO(trace_pc_guard_init, uint32_t *)
HOOK_OF_TWO(8bit_counters_init, uint8_t *)
HOOK_OF_TWO(bool_flag_init, uint8_t *)
HOOK_OF_TWO(pcs_init, const uintptr_t *)
HOOK_OF_TWO(cfs_init, const uintptr_t *)
HOOK(stack_depth, void)

/* Comparisons and other operations whose operands are shown. */
HOOK_OF_TWO(trace_cmp1, uint8_t)
HOOK_OF_TWO(trace_cmp2, uint16_t)
HOOK_OF_TWO(trace_cmp4, uint32_t)
HOOK_OF_TWO(trace_cmp8, uint64_t)
HOOK_OF_TWO(trace_cmp16, word128)
HOOK_OF_TWO(trace_const_cmp1, uint8_t)
HOOK_OF_TWO(trace_const_cmp2, uint16_t)
HOOK_OF_TWO(trace_const_cmp4, uint32_t)
HOOK_OF_TWO(trace_const_cmp8, uint64_t)
HOOK_OF_TWO(trace_const_cmp16, word128)
HOOK_OF_TWO(trace_cmpf, float)
HOOK_OF_TWO(trace_cmpd, double)
HOOK(trace_switch, uint64_t x __attribute__((unused)), const uint64_t *cases __attribute__((unused)))
HOOK_OF_ONE(trace_div4, uint32_t)
HOOK_OF_ONE(trace_div8, uint64_t)
HOOK_OF_ONE(trace_gep, uintptr_t)

/* Loads and stores. */
HOOK_OF_ONE(load1, const void *)
HOOK_OF_ONE(load2, const void *)
HOOK_OF_ONE(load4, const void *)
HOOK_OF_ONE(load8, const void *)
HOOK_OF_ONE(load16, const void *)
HOOK_OF_ONE(store1, const void *)
HOOK_OF_ONE(store2, const void *)
HOOK_OF_ONE(store4, const void *)
HOOK_OF_ONE(store8, const void *)
HOOK_OF_ONE(store16, const void *)

/* The depth of the stack, which instrumented code itself keeps; the compilers fix how it is reached. */
extern __attribute__((weak, tls_model("initial-exec"))) _Thread_local uintptr_t __sancov_lowest_stack;
__attribute__((weak, tls_model("initial-exec"))) _Thread_local uintptr_t __sancov_lowest_stack = UINTPTR_MAX;
