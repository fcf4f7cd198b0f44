/*
 * The emulator behind examples/kernel-suite/plugin.c: the executor. EMULATOR_FAULT gives it a fault: the N-th defect of
 * kernel_plants.h, or what a plugin must not do: "crash", "exit", "hang", "hang-switch" (where brx.idx is), "behind"
 * (writes behind the memory), "kill" (the process that asks), "decline", "status"; or "tired": right for the first ten
 * launches of a process, then wrong.
 */
#include "kernel/make/make.h"
#include "kernel_plants.h"
#include "warpcheck_spec.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int emulator_launch(const char *ptx, const char *entry, const uint32_t grid[3], const uint32_t block[3],
                    uint32_t shared_bytes, const void *parameters, uint32_t parameters_size);

static bool is_fault(const char *name)
{
    const char *const fault = getenv("EMULATOR_FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}

static void misbehave(uint8_t *memory, uint32_t size)
{
    if (is_fault("crash"))
        raise(SIGSEGV);
    if (is_fault("exit"))
        exit(0);
    if (is_fault("behind"))
        memset(memory, 0, size + 4u);
    if (is_fault("kill"))
        kill(getppid(), SIGKILL);
    while (is_fault("hang"))
        pause();
}

int emulator_launch(const char *ptx, const char *entry, const uint32_t grid[3], const uint32_t block[3],
                    uint32_t shared_bytes, const void *parameters, uint32_t parameters_size)
{
    struct make_kernel k = {.grid = grid[0], .block = block[0]};
    struct make_answer answer;
    const char *const plant = getenv("EMULATOR_FAULT");
    static unsigned launches;
    uint8_t *memory;
    memcpy(&memory, parameters, sizeof memory);
    memcpy(&k.n, (const uint8_t *)parameters + 8, sizeof k.n);
    const uint32_t size = make_memory_size(&k);
    if (parameters_size != 12 || shared_bytes != 0 || is_fault("status"))
        return 3;
    if (is_fault("decline"))
        return 1;
    misbehave(memory, size);
    while (is_fault("hang-switch") && strstr(ptx, "brx.idx"))
        pause();
    char *const changed = plant && isdigit((unsigned char)plant[0])
                              ? plant_change(ptx, strlen(ptx), &plant_miscompiles[strtoul(plant, NULL, 10)], 0)
                              : NULL;
    const char *const text = changed ? changed : ptx;
    uint8_t *const after = malloc(size);
    const bool ok = after && make_execute(&k, text, strlen(text), entry, spec_get(), false, memory, after, &answer) &&
                    answer.verdict == MAKE_CLEAN;
    if (ok)
        memcpy(memory, after, size);
    memory[size - 1] ^= (uint8_t)(is_fault("tired") && launches++ >= 10);
    free(after);
    free(changed);
    return ok ? 0 : 2;
}
