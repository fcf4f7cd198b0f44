#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"
#include "base/error.h"
#include "gpu/cuda_api.h"
#include "gpu/driver.h"
#include "gpu/text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_WARPS = 4, MODULES = 1024, JIT_LOG = 1024 };
#define TEXT_SIZE 131072u

/* The kernels of one family for one target, compiled when first needed. */
struct module {
    uint32_t family;
    uint32_t target;
    CUmodule module;
};

/* One to a process: there is one device and one context. */
static struct {
    struct cuda_api cuda;
    struct module modules[MODULES];
    size_t modules_count;
    CUdeviceptr cases, list, answers, reply;
    CUmodule throughput; /* the text of the last request; loaded again when form or space differ */
    struct throughput_request loaded;
    const char *launched; /* the module's text that is loaded for launches, and its level */
    unsigned launched_level;
    CUmodule launched_module;
    CUevent ended[LAUNCH_GROUP_MOST]; /* behind each launch of a group */
    size_t events;                    /* so many of them were made */
    CUfunction functions[LAUNCH_GROUP_MOST];
} device;

static bool cuda_failed(CUresult result, const char *what, struct error *error)
{
    const char *name = NULL;
    if (result == CUDA_SUCCESS)
        return false;
    if (device.cuda.error_name == NULL || device.cuda.error_name(result, &name) != CUDA_SUCCESS || name == NULL)
        name = "unknown error";
    error_set(error, ERROR_DECLINED, "%s: %s", what, name);
    return true;
}

static bool load_library(struct cuda_api *api, struct error *error)
{
    api->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (api->library == NULL)
        return error_set(error, ERROR_UNAVAILABLE, "no CUDA driver: %s", dlerror());
/* POSIX lets a data pointer from dlsym be stored into a function pointer this way. */
#define CUDA_LOAD(name, symbol, arguments)                                                                             \
    *(void **)&api->name = dlsym(api->library, symbol);                                                                \
    if (api->name == NULL)                                                                                             \
        return error_set(error, ERROR_UNAVAILABLE, "the CUDA driver is too old: it has no %s", symbol);
    CUDA_FUNCTIONS(CUDA_LOAD)
#undef CUDA_LOAD
    return true;
}

static int attribute(CUdevice d, CUdevice_attribute a)
{
    int value = 0;
    return device.cuda.device_attribute(&value, a, d) == CUDA_SUCCESS ? value : 0;
}

/* "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04 ..." */
static void read_driver_name(char *name, size_t size)
{
    char line[256] = "";
    FILE *f = fopen("/proc/driver/nvidia/version", "r");
    name[0] = '\0';
    if (f == NULL)
        return;
    if (fgets(line, sizeof line, f) != NULL)
        for (const char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " "))
            if (strspn(word, "0123456789.") == strlen(word) && strchr(word, '.') != NULL) {
                snprintf(name, size, "%s", word);
                break;
            }
    fclose(f);
}

static bool describe(CUdevice d, struct gpu_info *info, struct error *error)
{
    int version = 0;
    if (cuda_failed(device.cuda.driver_version(&version), "cuDriverGetVersion", error) ||
        cuda_failed(device.cuda.device_name(info->device, (int)sizeof info->device, d), "cuDeviceGetName", error))
        return false;
    info->driver = (uint32_t)version;
    info->sm = (uint32_t)(attribute(d, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
                          attribute(d, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    info->multiprocessors = (uint32_t)attribute(d, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    read_driver_name(info->driver_name, sizeof info->driver_name);
    if (info->driver < 11000)
        return error_set(error, ERROR_UNAVAILABLE, "the driver supports CUDA %u.%u, 11.0 is needed",
                         info->driver / 1000, info->driver % 1000 / 10);
    return true;
}

static bool allocate(struct error *error)
{
    const size_t cases = WORKER_CASES * sizeof(struct warp_case);
    return !cuda_failed(device.cuda.memory_allocate(&device.cases, cases), "cuMemAlloc", error) &&
           !cuda_failed(device.cuda.memory_allocate(&device.list, WORKER_CASES * 4), "cuMemAlloc", error) &&
           !cuda_failed(device.cuda.memory_allocate(&device.answers, WORKER_CASES * ANSWER_WORDS * 4), "cuMemAlloc",
                        error) &&
           !cuda_failed(device.cuda.memory_allocate(&device.reply, 16 + THROUGHPUT_SEEDS * 4), "cuMemAlloc", error);
}

static bool open_device(struct gpu_info *info, struct error *error)
{
    CUdevice d;
    CUcontext context;
    int count = 0;
    memset(info, 0, sizeof *info);
    setenv("CUDA_CACHE_DISABLE", "1", 0); /* no text comes twice, and processes wait for each other at the cache */
    if (!load_library(&device.cuda, error) || cuda_failed(device.cuda.init(0), "cuInit", error) ||
        cuda_failed(device.cuda.device_count(&count), "cuDeviceGetCount", error))
        return false;
    if (count == 0)
        return error_set(error, ERROR_UNAVAILABLE, "the CUDA driver sees no device");
    return !cuda_failed(device.cuda.device_get(&d, 0), "cuDeviceGet", error) && describe(d, info, error) &&
           !cuda_failed(device.cuda.context_retain(&context, d), "cuDevicePrimaryCtxRetain", error) &&
           !cuda_failed(device.cuda.context_set(context), "cuCtxSetCurrent", error);
}

static bool driver_start(struct gpu_info *info, struct error *error)
{
    return open_device(info, error) && allocate(error);
}

#define LEVEL_USUAL 4u /* the driver's own choice */

static bool compile(const char *text, unsigned level, CUmodule *module, struct error *error)
{
    static char log[JIT_LOG];
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)level};
    char what[JIT_LOG + 64];
    CUresult result;
    log[0] = '\0';
    result = device.cuda.module_load(module, text, 3, options, values);
    snprintf(what, sizeof what, "the driver cannot compile the kernel (%.*s)", (int)strcspn(log, "\n"), log);
    return !cuda_failed(result, what, error);
}

/* All forms of the family that are legal for the target, in one text of the least version that has them all. */
static void family_text(struct writer *t, uint32_t family, uint32_t target)
{
    uint16_t ptx = 0;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        if (info->family == family && warp_legal_from(info, target) > ptx)
            ptx = warp_legal_from(info, target);
    }
    text_header(t, ptx, target);
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        for (uint32_t dst = 0; info->family == family && dst < WARP_DST_COUNT; dst++)
            if (warp_legal(info, dst, ptx, target, NULL, 0)) {
                text_batch_kernel(t, info, dst, false);
                if (info->type == WARP_PRED)
                    text_batch_kernel(t, info, dst, true);
            }
    }
}

static bool get_module(uint32_t family, uint32_t target, CUmodule *module, struct error *error)
{
    static char buf[TEXT_SIZE];
    struct writer t = writer_start(buf, sizeof buf);
    struct module *m = device.modules;
    while (m < device.modules + device.modules_count && (m->family != family || m->target != target))
        m++;
    if (m == device.modules + device.modules_count) {
        family_text(&t, family, target);
        if (t.length >= sizeof buf || device.modules_count == MODULES)
            return error_set(error, ERROR_UNAVAILABLE, "too many or too long kernel texts");
        if (!compile(buf, LEVEL_USUAL, &m->module, error))
            return false;
        m->family = family;
        m->target = target;
        device.modules_count++;
    }
    *module = m->module;
    return true;
}

static const struct warp_case *sort_cases;

static int compare_kernels(const void *x, const void *y)
{
    const struct warp_case *a = &sort_cases[*(const uint32_t *)x];
    const struct warp_case *b = &sort_cases[*(const uint32_t *)y];
    return memcmp(a, b, offsetof(struct warp_case, exited)); /* form, target, dst, negate */
}

static bool launch_run(const struct warp_case *first, size_t offset, size_t n, struct error *error)
{
    const struct warp_form_info *info = warp_form_get(first->form);
    char name[TEXT_ENTRY_MAX];
    CUmodule module = NULL;
    CUfunction function;
    CUdeviceptr list = device.list + offset * 4;
    unsigned count = (unsigned)n;
    void *arguments[] = {&device.cases, &list, &device.answers, &count};
    text_entry_name(name, info, first->dst, first->negate != 0);
    return get_module(info->family, first->target, &module, error) &&
           !cuda_failed(device.cuda.module_function(&function, module, name), name, error) &&
           !cuda_failed(device.cuda.launch(function, (count + BLOCK_WARPS - 1) / BLOCK_WARPS, 1, 1, WARP_LANES,
                                           BLOCK_WARPS, 1, 0, NULL, arguments, NULL),
                        "cuLaunchKernel", error);
}

/* One launch for each run of cases with the same instruction and target. */
static bool launch_cases(const struct warp_case *cases, const uint32_t *list, size_t n, struct error *error)
{
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && compare_kernels(&list[begin], &list[end]) == 0; end++)
            ;
        if (!launch_run(&cases[list[begin]], begin, end - begin, error))
            return false;
    }
    return true;
}

static bool driver_evaluate(const struct warp_case *cases, size_t n, uint32_t *answers, struct error *error)
{
    static uint32_t list[WORKER_CASES];
    for (uint32_t i = 0; i < n; i++)
        list[i] = i;
    sort_cases = cases;
    qsort(list, n, sizeof *list, compare_kernels);
    return !cuda_failed(device.cuda.memory_to_device(device.cases, cases, n * sizeof *cases), "copy", error) &&
           !cuda_failed(device.cuda.memory_to_device(device.list, list, n * 4), "copy", error) &&
           !cuda_failed(device.cuda.memory_set(device.answers, 0, n * ANSWER_WORDS), "clear", error) &&
           launch_cases(cases, list, n, error) && !cuda_failed(device.cuda.context_synchronize(), "kernel", error) &&
           !cuda_failed(device.cuda.memory_to_host(answers, device.answers, n * ANSWER_WORDS * 4), "copy", error);
}

static bool load_throughput(const struct throughput_request *request, struct error *error)
{
    static char buf[TEXT_SIZE];
    struct writer t = writer_start(buf, sizeof buf);
    if (device.throughput != NULL && device.loaded.form == request->form && device.loaded.target == request->target &&
        device.loaded.space == request->space)
        return true;
    throughput_kernel(&t, request);
    if (t.length >= sizeof buf)
        return error_set(error, ERROR_UNAVAILABLE, "too long a kernel text");
    device.loaded = *request;
    return compile(buf, LEVEL_USUAL, &device.throughput, error);
}

static bool driver_throughput(const struct throughput_request *request, struct throughput_reply *reply,
                              struct error *error)
{
    struct {
        uint64_t lanes;
        uint32_t mismatches, named;
        uint32_t index[THROUGHPUT_SEEDS];
    } answer;
    uint32_t seed = request->seed, first = request->first, warps = request->warps;
    void *arguments[] = {&seed, &first, &warps, &device.reply};
    CUfunction function;
    if (!load_throughput(request, error) ||
        cuda_failed(device.cuda.module_function(&function, device.throughput, "throughput"), "throughput", error) ||
        cuda_failed(device.cuda.memory_set(device.reply, 0, sizeof answer / 4), "clear", error) ||
        cuda_failed(device.cuda.launch(function, (warps + BLOCK_WARPS - 1) / BLOCK_WARPS, 1, 1, WARP_LANES, BLOCK_WARPS,
                                       1, 0, NULL, arguments, NULL),
                    "cuLaunchKernel", error) ||
        cuda_failed(device.cuda.context_synchronize(), "kernel", error) ||
        cuda_failed(device.cuda.memory_to_host(&answer, device.reply, sizeof answer), "copy", error))
        return false;
    reply->lanes = answer.lanes;
    reply->mismatches = answer.mismatches;
    reply->named = answer.named < THROUGHPUT_SEEDS ? answer.named : THROUGHPUT_SEEDS;
    memcpy(reply->index, answer.index, sizeof answer.index);
    return true;
}

const struct worker_ops *driver_ops(void)
{
    static const struct worker_ops ops = {driver_start, driver_evaluate, driver_throughput};
    return &ops;
}

/* --- launches of any module (launch.h) --- */

#define SHARED_USUAL  49152u
#define KERNEL_PARAMS 4096u
/* What the loader headers lack: CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_LAUNCH_PARAM_BUFFER_POINTER and
 * CU_LAUNCH_PARAM_BUFFER_SIZE. */
#define FUNCTION_SHARED_DYNAMIC 8
#define ARGUMENTS_POINTER       ((void *)1)
#define ARGUMENTS_SIZE          ((void *)2)
#define EVENT_WITHOUT_TIME      2u /* CU_EVENT_DISABLE_TIMING */

static bool load_launched(const struct launch *l, CUfunction *function, struct error *error)
{
    if (device.launched != l->ptx || device.launched_level != l->level) {
        if (device.launched != NULL)
            device.cuda.module_unload(device.launched_module);
        device.launched = NULL;
        if (!compile(l->ptx, l->level, &device.launched_module, error))
            return false;
        device.launched = l->ptx;
        device.launched_level = l->level;
    }
    return !cuda_failed(device.cuda.module_function(function, device.launched_module, l->entry), "cuModuleGetFunction",
                        error) &&
           (l->shared <= SHARED_USUAL ||
            !cuda_failed(device.cuda.function_attribute(*function, FUNCTION_SHARED_DYNAMIC, (int)l->shared),
                         "cuFuncSetAttribute", error));
}

/* Where each region is on the device. Buffers have a page behind them, so that the next one does not follow at once. */
static bool place_regions(const struct launch *l, CUdeviceptr *places, struct error *error)
{
    for (uint32_t n = 0; n < l->regions_count; n++) {
        const struct launch_region *r = &l->regions[n];
        size_t size = (size_t)r->size;
        if (r->variable == NULL &&
            cuda_failed(device.cuda.memory_allocate(&places[n], size + 4096), "cuMemAlloc", error))
            return false;
        if (r->variable != NULL &&
            cuda_failed(device.cuda.module_global(&places[n], &size, device.launched_module, r->variable), r->variable,
                        error))
            return false;
        if ((r->variable == NULL || r->is_set) &&
            cuda_failed(device.cuda.memory_to_device(places[n], r->before, (size_t)r->size), "copy", error))
            return false;
    }
    return true;
}

static bool read_regions(const struct launch *l, const CUdeviceptr *places, struct error *error)
{
    for (uint32_t n = 0; n < l->regions_count; n++)
        if (cuda_failed(device.cuda.memory_to_host(l->regions[n].after, places[n], (size_t)l->regions[n].size), "copy",
                        error))
            return false;
    return true;
}

/* Looks whether all that was started has ended until the time is over; CUDA_ERROR_NOT_READY: it has not. This process
 * may have waited for a processor meanwhile: so the last look comes when the time is over. */
static CUresult wait_for_all(double seconds, double pause)
{
    const double end = clock_seconds() + seconds;
    for (bool over = false;; over = clock_seconds() > end) {
        const CUresult result = device.cuda.stream_query(NULL);
        if (result != CUDA_ERROR_NOT_READY || over)
            return result;
        clock_sleep(pause);
    }
}

/* Starts it and looks whether it has ended until the time is over. */
static enum launch_ending launch_and_wait(const struct launch *l, CUfunction function, const uint8_t *params,
                                          double seconds, struct error *error)
{
    size_t size = l->params_size;
    void *arguments[] = {ARGUMENTS_POINTER, (void *)(uintptr_t)params, ARGUMENTS_SIZE, &size, NULL};
    CUresult result;
    if (cuda_failed(device.cuda.launch(function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                                       l->block[2], l->shared, NULL, NULL, arguments),
                    "cuLaunchKernel", error))
        return LAUNCH_UNABLE;
    result = wait_for_all(seconds, 0.0005);
    if (result == CUDA_ERROR_NOT_READY)
        return LAUNCH_HUNG;
    return cuda_failed(result, "the kernel", error) ? LAUNCH_FAULTED : LAUNCH_RETURNED;
}

static void driver_launch(struct launch *l, double seconds)
{
    CUdeviceptr *places = calloc(l->regions_count + 1, sizeof *places);
    uint8_t *params = calloc(1, l->params_size + 8);
    CUfunction function;
    struct error error = {0};
    if (places != NULL && params != NULL && load_launched(l, &function, &error) && place_regions(l, places, &error)) {
        memcpy(params, l->params, l->params_size);
        for (uint32_t n = 0; n < l->pointers_count; n++)
            memcpy(params + l->pointers[n].offset, &places[l->pointers[n].region], sizeof places[0]);
        const double start = clock_seconds();
        l->ending = launch_and_wait(l, function, params, seconds, &error);
        l->took = clock_seconds() - start;
        if (l->ending == LAUNCH_RETURNED && !read_regions(l, places, &error))
            l->ending = LAUNCH_FAULTED;
    }
    snprintf(l->why, sizeof l->why, "%.159s", error.text);
    for (uint32_t n = 0; places != NULL && l->ending == LAUNCH_RETURNED && n < l->regions_count; n++)
        if (l->regions[n].variable == NULL)
            device.cuda.memory_free(places[n]);
    free(places);
    free(params);
}

/* ---- many at once: their buffers lie in one ---- */

#define GAP 256u /* bytes between buffers; each begins at a multiple of it */

static size_t room_of(const struct launch *l)
{
    size_t room = 0;
    for (uint32_t n = 0; n < l->regions_count; n++)
        room += ((size_t)l->regions[n].size / GAP + 2) * GAP;
    return room;
}

/* Copies between a launch's regions and the host's image of the buffer, from `at` on. */
static void copy_regions(const struct launch *l, uint8_t *image, size_t at, bool in)
{
    for (uint32_t n = 0; n < l->regions_count; n++) {
        const struct launch_region *r = &l->regions[n];
        if (in)
            memcpy(image + at, r->before, (size_t)r->size);
        else
            memcpy(r->after, image + at, (size_t)r->size);
        at += ((size_t)r->size / GAP + 2) * GAP;
    }
}

/* Starts it without waiting. */
static bool start_launch(const struct launch *l, CUfunction function, CUdeviceptr base, struct error *error)
{
    uint8_t params[KERNEL_PARAMS];
    size_t size = l->params_size;
    void *arguments[] = {ARGUMENTS_POINTER, params, ARGUMENTS_SIZE, &size, NULL};
    if (l->params_size > sizeof params)
        return false;
    memcpy(params, l->params, l->params_size);
    for (uint32_t n = 0; n < l->pointers_count; n++) {
        CUdeviceptr place = base;
        for (uint32_t r = 0; r < l->pointers[n].region; r++)
            place += ((size_t)l->regions[r].size / GAP + 2) * GAP;
        memcpy(params + l->pointers[n].offset, &place, sizeof place);
    }
    return !cuda_failed(device.cuda.launch(function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                                           l->block[2], l->shared, NULL, NULL, arguments),
                        "cuLaunchKernel", error);
}

static bool make_events(uint32_t count, struct error *error)
{
    for (; device.events < count; device.events++)
        if (cuda_failed(device.cuda.event_create(&device.ended[device.events], EVENT_WITHOUT_TIME), "cuEventCreate",
                        error))
            return false;
    return true;
}

/* They run one after the other: the first that has not ended has hung. After a fault no event tells anything. */
static void tell_hung(struct launch *launches, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const CUresult result = device.cuda.event_query(device.ended[n]);
        if (result == CUDA_SUCCESS)
            continue;
        if (result == CUDA_ERROR_NOT_READY)
            launches[n].ending = LAUNCH_HUNG;
        return;
    }
}

/* Starts all of them and waits. All are loaded first: behind a kernel that hangs the driver would wait with that. */
static bool run_launches(struct launch *launches, uint32_t count, CUdeviceptr base, double seconds, struct error *error)
{
    size_t at = 0;
    for (uint32_t n = 0; n < count; n++)
        if (!load_launched(&launches[n], &device.functions[n], error))
            return false;
    for (uint32_t n = 0; n < count; at += room_of(&launches[n]), n++)
        if (!start_launch(&launches[n], device.functions[n], base + at, error) ||
            cuda_failed(device.cuda.event_record(device.ended[n], NULL), "cuEventRecord", error))
            return false;
    const double start = clock_seconds();
    const CUresult result = wait_for_all(seconds, 0.0002);
    launches[0].took = clock_seconds() - start;
    if (result == CUDA_ERROR_NOT_READY)
        tell_hung(launches, count);
    return result == CUDA_SUCCESS;
}

static bool driver_launch_group(struct launch *launches, uint32_t count, double seconds)
{
    size_t size = 0, at = 0;
    CUdeviceptr base = 0;
    struct error error = {0};
    for (uint32_t n = 0; n < count; n++)
        size += room_of(&launches[n]);
    uint8_t *image = calloc(1, size + 1);
    bool ok = image != NULL && make_events(count, &error) &&
              !cuda_failed(device.cuda.memory_allocate(&base, size + GAP), "cuMemAlloc", &error);
    for (uint32_t n = 0; ok && n < count; at += room_of(&launches[n]), n++)
        copy_regions(&launches[n], image, at, true);
    ok = ok && !cuda_failed(device.cuda.memory_to_device(base, image, size), "copy", &error);
    ok = ok && run_launches(launches, count, base, seconds, &error) &&
         !cuda_failed(device.cuda.memory_to_host(image, base, size), "copy", &error);
    at = 0;
    for (uint32_t n = 0; ok && n < count; at += room_of(&launches[n]), n++) {
        copy_regions(&launches[n], image, at, false);
        launches[n].ending = LAUNCH_RETURNED;
    }
    if (ok) /* else a kernel may still run, and the driver would wait for its end */
        device.cuda.memory_free(base);
    free(image);
    return ok;
}

/* All kernels of a module are launched: they are loaded with it. */
static bool start_launches(struct gpu_info *info, struct error *error)
{
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    return open_device(info, error);
}

const struct launch_ops *driver_launch_ops(void)
{
    static const struct launch_ops ops = {60, start_launches, driver_launch, driver_launch_group};
    return &ops;
}
