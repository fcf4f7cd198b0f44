/*
 * A CUDA driver without a device: it executes generated kernels by the executor. Put into a folder as libcuda.so.1, it
 * is what warpcheck finds there (LD_LIBRARY_PATH). It can have the defects of a compiler (kernel_plants.h):
 *
 *     STUB_PLANT=N    the N-th miscompile, in all kernels
 *     STUB_LEVEL=L    at this level of the optimizer alone
 *     STUB_HANG=T     kernels with T in them have no end: what waits for one waits for ever, as a driver does
 *     STUB_NOISE=1    what it leaves changes from launch to launch
 *     STUB_REFUSE=T   texts with T in them are not taken
 */
#include "kernel/make/make.h"
#include "../kernel_plants.h"
#include "warpcheck_spec.h"

#include <unistd.h>

typedef int CUresult;
enum { SUCCESS = 0, OUT_OF_MEMORY = 2, INVALID_PTX = 218, NOT_FOUND = 500, ILLEGAL = 715 };
#define JIT_OPTIMIZATION_LEVEL 7

struct stub_module {
    char *text;
    unsigned level;
};
struct stub_function {
    const struct stub_module *module;
    char name[64];
};

enum { NOT_READY = 600 };

static CUresult broken; /* sticky, as a device's errors are; NOT_READY: a kernel has no end */
static unsigned launched, ended;

/* What the driver does when it has to wait for a kernel that has no end. */
static void wait_for_kernels(void)
{
    while (broken == NOT_READY)
        pause();
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

CUresult cuInit(unsigned flags)
{
    (void)flags;
    return SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return SUCCESS;
}

CUresult cuDeviceGet(int *device, int number)
{
    *device = number;
    return SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    *count = 1;
    return SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, int device)
{
    (void)device;
    snprintf(name, (size_t)size, "a driver without a device");
    return SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 75 ? 9 : 0; /* COMPUTE_CAPABILITY_MAJOR */
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(void **context, int device)
{
    static int one;
    (void)device;
    *context = &one;
    return SUCCESS;
}

CUresult cuCtxSetCurrent(void *context)
{
    (void)context;
    return SUCCESS;
}

CUresult cuCtxCreate_v2(void **context, unsigned flags, int device)
{
    (void)flags;
    return cuDevicePrimaryCtxRetain(context, device);
}

CUresult cuCtxSynchronize(void)
{
    wait_for_kernels();
    return broken;
}

CUresult cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values)
{
    const char *refuse = setting("STUB_REFUSE");
    struct stub_module *m = calloc(1, sizeof *m);
    if (refuse && strstr(image, refuse))
        return free(m), INVALID_PTX;
    m->text = strcpy(malloc(strlen(image) + 1), image);
    for (unsigned n = 0; n < count; n++)
        if (options[n] == JIT_OPTIMIZATION_LEVEL)
            m->level = (unsigned)(uintptr_t)values[n];
    *module = m;
    return SUCCESS;
}

CUresult cuModuleLoadData(void **module, const void *image)
{
    int option = JIT_OPTIMIZATION_LEVEL;
    void *value = (void *)(uintptr_t)4;
    return cuModuleLoadDataEx(module, image, 1, &option, &value);
}

CUresult cuModuleUnload(void *module)
{
    struct stub_module *m = module;
    wait_for_kernels();
    free(m->text);
    free(m);
    return SUCCESS;
}

CUresult cuModuleGetFunction(void **function, void *module, const char *name)
{
    struct stub_function *f = calloc(1, sizeof *f); /* functions live as long as the process */
    wait_for_kernels();                             /* a function that is not loaded yet */
    f->module = module;
    snprintf(f->name, sizeof f->name, "%s", name);
    *function = f;
    return strstr(f->module->text, name) ? SUCCESS : NOT_FOUND;
}

CUresult cuModuleGetGlobal_v2(uint64_t *place, size_t *size, void *module, const char *name)
{
    (void)place, (void)size, (void)module, (void)name;
    return NOT_FOUND;
}

CUresult cuFuncSetAttribute(void *function, int attribute, int value)
{
    (void)function, (void)attribute, (void)value;
    return SUCCESS;
}

CUresult cuStreamQuery(void *stream)
{
    (void)stream;
    return broken;
}

CUresult cuEventCreate(unsigned **event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return SUCCESS;
}

CUresult cuEventRecord(unsigned *event, void *stream)
{
    (void)stream;
    *event = launched;
    return broken == NOT_READY ? SUCCESS : broken;
}

CUresult cuEventQuery(const unsigned *event)
{
    return broken == NOT_READY && *event <= ended ? SUCCESS : broken;
}

CUresult cuMemAlloc_v2(uint64_t *place, size_t size)
{
    *place = (uint64_t)(uintptr_t)calloc(1, size);
    return *place ? SUCCESS : OUT_OF_MEMORY;
}

CUresult cuMemFree_v2(uint64_t place)
{
    wait_for_kernels();
    free((void *)(uintptr_t)place);
    return SUCCESS;
}

CUresult cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size)
{
    wait_for_kernels();
    memcpy((void *)(uintptr_t)to, from, size);
    return SUCCESS;
}

CUresult cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size)
{
    wait_for_kernels();
    memcpy(to, (const void *)(uintptr_t)from, size);
    return broken;
}

CUresult cuMemsetD32_v2(uint64_t place, unsigned value, size_t count)
{
    (void)place, (void)value, (void)count;
    return SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    *name = error == ILLEGAL         ? "CUDA_ERROR_ILLEGAL_INSTRUCTION"
            : error == INVALID_PTX   ? "CUDA_ERROR_INVALID_PTX"
            : error == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
                                     : "CUDA_ERROR_NOT_FOUND";
    return SUCCESS;
}

/* Has the driver its defects at the level at which this was compiled? */
static bool has_level(const struct stub_function *f)
{
    const char *level = setting("STUB_LEVEL");
    return !level || strtoul(level, NULL, 10) == f->module->level;
}

/* The kernel alone out of a module of many (one that is alone may have no shared memory), with the defect. To be freed.
 */
static char *text_of(const struct stub_function *f)
{
    const char *plant = setting("STUB_PLANT"), *text = f->module->text;
    const char *head = strstr(text, ".shared .align 16 .b8 k");
    char begin[128];
    snprintf(begin, sizeof begin, ".shared .align 16 .b8 %s_shared", f->name);
    const char *at = strstr(text, begin), *end = at ? strstr(at + 1, ".shared .align 16 .b8 k") : NULL;
    if (!at)
        at = head = text;
    const size_t size = end ? (size_t)(end - at) : strlen(at);
    char *own = malloc((size_t)(head - text) + size + 1);
    sprintf(own, "%.*s%.*s", (int)(head - text), text, (int)size, at);
    if (!plant || !has_level(f))
        return own;
    char *changed = plant_change(own, strlen(own), &plant_miscompiles[strtoul(plant, NULL, 10)], 0);
    if (changed)
        free(own);
    return changed ? changed : own;
}

static CUresult run(const struct stub_function *f, uint32_t grid, uint32_t block, const uint8_t *params)
{
    static unsigned launches;
    struct make_kernel k = {.grid = grid, .block = block};
    struct make_answer answer = {0};
    uint64_t place;
    memcpy(&place, params, 8);
    memcpy(&k.n, params + 8, 4);
    char *text = text_of(f);
    const char *hang = setting("STUB_HANG");
    if (hang && has_level(f) && strstr(text, hang)) {
        free(text);
        return NOT_READY;
    }
    uint8_t *memory = (uint8_t *)(uintptr_t)place, *after = malloc(make_memory_size(&k));
    bool ok = make_execute(&k, text, strlen(text), f->name, spec_get(), false, memory, after, &answer) &&
              answer.verdict == MAKE_CLEAN;
    if (ok)
        memcpy(memory, after, make_memory_size(&k));
    if (ok && setting("STUB_NOISE"))
        memory[make_memory_size(&k) - 1] = (uint8_t)(getpid() + (int)launches++) | 128; /* it was 0 */
    free(after);
    free(text);
    return ok ? SUCCESS : answer.verdict == MAKE_ENDLESS ? NOT_READY : ILLEGAL;
}

CUresult cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, void *stream, void **arguments, void **extra)
{
    (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)arguments;
    launched++;
    if (broken == SUCCESS)
        broken = run(function, gx, bx, extra[1]);
    ended += broken == SUCCESS;
    return SUCCESS;
}
