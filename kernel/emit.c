#include "kernel/emit.h"

#include "base/text.h"
#include "kernel/image.h"
#include "kernel/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MOST (UINT64_C(1) << 20) /* of memory that a program holds as text */

struct emitter {
    const struct kernel_launch *launch;
    const struct kernel_image *image;
    struct buffer *out;
    bool ended; /* the executor came to the end of the kernel: what it left is expected */
};

/* ---- the data: the same in C and CUDA ---- */

static uint32_t word_at(const uint8_t *data, uint64_t at, uint64_t size)
{
    uint32_t word = 0;
    memcpy(&word, data + at, size - at < 4 ? (size_t)(size - at) : 4);
    return word;
}

static uint64_t words_of(const struct kernel_region *r)
{
    return (r->size + 3) / 4;
}

/* Words up to the last that is not zero, at least one. */
static void add_before(struct buffer *out, const struct kernel_region *r, uint32_t number)
{
    uint64_t count = words_of(r);
    while (count > 1 && word_at(r->before, (count - 1) * 4, r->size) == 0)
        count--;
    buffer_format(out, "static const unsigned before%" PRIu32 "[] = {", number);
    for (uint64_t n = 0; n < count; n++)
        buffer_format(out, "%s0x%" PRIx32 ",", n % 12 == 0 ? "\n    " : " ", word_at(r->before, n * 4, r->size));
    buffer_text(out, "\n};\n");
}

/* The words that the kernel changes, each with its number; one more, so that there is one. */
static void add_changes(struct buffer *out, const struct kernel_region *r, uint32_t number)
{
    uint64_t shown = 0;
    buffer_format(out, "static const unsigned changed%" PRIu32 "[][2] = {", number);
    for (uint64_t n = 0; r->is_compared && n < words_of(r); n++) {
        uint32_t after = word_at(r->after, n * 4, r->size);
        if (after != word_at(r->before, n * 4, r->size))
            buffer_format(out, "%s{%" PRIu64 ", 0x%" PRIx32 "},", shown++ % 6 == 0 ? "\n    " : " ", n, after);
    }
    buffer_text(out, "\n    {0xffffffff, 0},\n};\n");
}

static void add_regions(const struct emitter *e)
{
    struct buffer *out = e->out;
    buffer_text(out,
                "/* Memory: what it holds at the start (zeros behind the words that stand here), and the words that "
                "the executor\n * changed. `variable` NULL: a buffer behind a pointer parameter. */\n");
    for (uint32_t n = 0; n < e->image->count; n++) {
        add_before(out, &e->image->regions[n], n);
        add_changes(out, &e->image->regions[n], n);
    }
    buffer_text(out, "static struct region {\n    const char *variable;\n    int is_set, is_compared;\n"
                     "    size_t size;\n    const unsigned *before;\n    size_t before_count;\n"
                     "    const unsigned (*changed)[2];\n    CUdeviceptr place;\n} regions[] = {\n");
    for (uint32_t n = 0; n < e->image->count; n++) {
        const struct kernel_region *r = &e->image->regions[n];
        if (r->variable)
            buffer_format(out, "    {\"%s\"", r->variable);
        else
            buffer_text(out, "    {NULL");
        buffer_format(
            out, ", %d, %d, %" PRIu64 ", before%" PRIu32 ", sizeof before%" PRIu32 " / 4, changed%" PRIu32 ", 0},\n",
            !r->variable || r->is_input || r->is_compared, r->is_compared, r->size, n, n, n);
    }
    buffer_format(out, "    {NULL, 0, 0, 0, NULL, 0, NULL, 0},\n};\n#define REGIONS %" PRIu32 "\n\n", e->image->count);
}

static void add_params(const struct emitter *e)
{
    const struct kernel_input *in = &e->launch->input;
    const struct kernel_slots *slots = &e->launch->slots;
    struct buffer *out = e->out;
    buffer_text(out, "/* The block of parameters; the addresses of regions are put into it. */\n"
                     "static unsigned char params[] __attribute__((aligned(16))) = {");
    for (uint32_t n = 0; n < in->params_size; n++) {
        uint8_t byte = in->params[n];
        for (uint32_t k = 0; k < slots->count; k++)
            if (slots->slots[k].is_pointer && n - slots->slots[k].offset < 8)
                byte = 0;
        buffer_format(out, "%s0x%02x,", n % 16 == 0 ? "\n    " : " ", byte);
    }
    buffer_text(out, " 0};\nstatic const unsigned pointers[][2] = { /* offset, region */\n");
    for (uint32_t k = 0; k < slots->count; k++)
        for (uint32_t r = 0; slots->slots[k].is_pointer && r < e->image->count; r++)
            if (e->image->regions[r].buffer == slots->slots[k].buffer)
                buffer_format(out, "    {%" PRIu32 ", %" PRIu32 "}, /* %s */\n", slots->slots[k].offset, r,
                              slots->slots[k].name);
    buffer_text(out, "    {0xffffffff, 0},\n};\n");
    buffer_format(out,
                  "static const unsigned grid[3] = {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "}, block[3] = {%" PRIu32
                  ", %" PRIu32 ", %" PRIu32 "};\n",
                  in->grid[0], in->grid[1], in->grid[2], in->block[0], in->block[1], in->block[2]);
    buffer_format(out,
                  "static const unsigned shared_bytes = %" PRIu32 "; /* dynamic */\n#define PARAMS %" PRIu32 "\n\n",
                  in->shared, in->params_size);
}

/* ---- the program: the same in C and CUDA, on the driver's functions ---- */

static const char program[] =
    "static void check(int error, const char *what)\n"
    "{\n"
    "    if (error != 0) {\n"
    "        fprintf(stderr, \"%s failed with CUDA error %d\\n\", what, error);\n"
    "        exit(2);\n"
    "    }\n"
    "}\n"
    "\n"
    "static void place(struct region *r)\n"
    "{\n"
    "    unsigned char *bytes = (unsigned char *)calloc(1, r->size + 8);\n"
    "    if (r->variable)\n"
    "        r->place = place_of(r->variable);\n"
    "    else\n"
    "        check(cuMemAlloc(&r->place, r->size + 4096), \"cuMemAlloc\");\n"
    "    memcpy(bytes, r->before, r->before_count * 4 < r->size ? r->before_count * 4 : r->size);\n"
    "    if (r->is_set)\n"
    "        check(cuMemcpyHtoD(r->place, bytes, r->size), \"cuMemcpyHtoD\");\n"
    "    free(bytes);\n"
    "}\n"
    "\n"
    "/* Counts words that are not what the executor left, and prints the first. */\n"
    "static unsigned compare(const struct region *r, unsigned number)\n"
    "{\n"
    "    size_t words = (r->size + 3) / 4;\n"
    "    unsigned *now = (unsigned *)calloc(words + 2, 4), *then = (unsigned *)calloc(words + 2, 4), differ = 0;\n"
    "    check(cuMemcpyDtoH(now, r->place, r->size), \"cuMemcpyDtoH\");\n"
    "    memcpy(then, r->before, r->before_count * 4 < r->size ? r->before_count * 4 : r->size);\n"
    "    for (unsigned n = 0; r->changed[n][0] != 0xffffffff; n++)\n"
    "        then[r->changed[n][0]] = r->changed[n][1];\n"
    "    for (size_t n = 0; n < words; n++)\n"
    "        if (now[n] != then[n] && differ++ < 8)\n"
    "            printf(\"%s %u, word %u: expected 0x%08x, observed 0x%08x\\n\", r->variable ? r->variable : "
    "\"buffer\",\n"
    "                   number, (unsigned)n, then[n], now[n]);\n"
    "    free(now);\n"
    "    free(then);\n"
    "    return differ;\n"
    "}\n"
    "\n"
    "/* Waits until the kernel has ended, but only so long. */\n"
    "static void wait_for(double seconds)\n"
    "{\n"
    "    struct timespec pause = {0, 1000000};\n"
    "    int error;\n"
    "    for (double waited = 0; (error = cuStreamQuery(NULL)) == 600; waited += 0.001) { /* not ready */\n"
    "        if (waited > seconds) {\n"
    "            printf(\"HANG: the kernel did not end within %g seconds\\n\", seconds);\n"
    "            fflush(stdout);\n"
    "            _exit(3);\n"
    "        }\n"
    "        nanosleep(&pause, NULL);\n"
    "    }\n"
    "    if (error != 0) {\n"
    "        const char *name = \"an error without a name\";\n"
    "        cuGetErrorName((CUresult)error, &name);\n"
    "        printf(\"FAULT: the device ended the kernel: %s\\n\", name);\n"
    "        exit(1);\n"
    "    }\n"
    "}\n"
    "\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    double seconds = argc > 1 ? atof(argv[1]) : 5;\n"
    "    size_t size = PARAMS;\n"
    "    void *arguments[] = {(void *)1, params, (void *)2, &size, NULL}; /* a block of parameters and its size */\n"
    "    unsigned differ = 0;\n"
    "    alarm((unsigned)seconds + 60); /* whatever the driver does */\n"
    "    load(argc > 2 ? atoi(argv[2]) : 4);\n"
    "    for (unsigned n = 0; n < REGIONS; n++)\n"
    "        place(&regions[n]);\n"
    "    for (unsigned n = 0; pointers[n][0] != 0xffffffff; n++)\n"
    "        memcpy(params + pointers[n][0], &regions[pointers[n][1]].place, sizeof regions[0].place);\n"
    "    if (shared_bytes > 49152) /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */\n"
    "        check(cuFuncSetAttribute(function, (CUfunction_attribute)8, (int)shared_bytes), \"cuFuncSetAttribute\");\n"
    "    check(cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, NULL, "
    "NULL,\n"
    "                         arguments),\n"
    "          \"cuLaunchKernel\");\n"
    "    wait_for(seconds);\n"
    "    for (unsigned n = 0; n < REGIONS; n++)\n"
    "        if (regions[n].is_compared)\n"
    "            differ += compare(&regions[n], n);\n"
    "    printf(differ ? \"RETURNED: %u words are not what the executor left\\n\" : \"RETURNED: memory is what the "
    "executor "
    "left\\n\",\n"
    "           differ);\n"
    "    return differ != 0;\n"
    "}\n";

static const char c_head[] =
    "#define _DEFAULT_SOURCE\n"
    "#include <dlfcn.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n"
    "#include <unistd.h>\n"
    "\n"
    "/* The part of the CUDA driver that is used; it is found at run time. */\n"
    "typedef int CUresult;\ntypedef unsigned long long CUdeviceptr;\ntypedef void *CUfunction;\n"
    "typedef int CUfunction_attribute;\n"
    "static CUresult (*cuInit)(unsigned), (*cuDeviceGet)(int *, int), (*cuDevicePrimaryCtxRetain)(void **, int),\n"
    "    (*cuCtxSetCurrent)(void *), (*cuModuleLoadDataEx)(void **, const void *, unsigned, int *, void **),\n"
    "    (*cuModuleGetFunction)(CUfunction *, void *, const char *),\n"
    "    (*cuModuleGetGlobal)(CUdeviceptr *, size_t *, void *, const char *), (*cuMemAlloc)(CUdeviceptr *, size_t),\n"
    "    (*cuMemcpyHtoD)(CUdeviceptr, const void *, size_t), (*cuMemcpyDtoH)(void *, CUdeviceptr, size_t),\n"
    "    (*cuStreamQuery)(void *), (*cuGetErrorName)(CUresult, const char **),\n"
    "    (*cuFuncSetAttribute)(CUfunction, CUfunction_attribute, int),\n"
    "    (*cuLaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,\n"
    "                      void **, void **);\n\n";

static const char c_load[] =
    "static void check(int error, const char *what);\n"
    "static void *library, *module;\n"
    "static CUfunction function;\n"
    "\n"
    "static void find(void *function_pointer, const char *name)\n"
    "{\n"
    "    *(void **)function_pointer = dlsym(library, name);\n"
    "    if (*(void **)function_pointer == NULL) {\n"
    "        fprintf(stderr, \"the CUDA driver has no %s\\n\", name);\n"
    "        exit(2);\n"
    "    }\n"
    "}\n"
    "\n"
    "static void load(int level)\n"
    "{\n"
    "    void *context;\n"
    "    int device, option = 7; /* CU_JIT_OPTIMIZATION_LEVEL */\n"
    "    void *values[] = {(void *)(size_t)level};\n"
    "    library = dlopen(\"libcuda.so.1\", RTLD_NOW);\n"
    "    if (library == NULL) {\n"
    "        fprintf(stderr, \"no CUDA driver: %s\\n\", dlerror());\n"
    "        exit(2);\n"
    "    }\n"
    "    find(&cuInit, \"cuInit\");\n    find(&cuDeviceGet, \"cuDeviceGet\");\n"
    "    find(&cuDevicePrimaryCtxRetain, \"cuDevicePrimaryCtxRetain\");\n    find(&cuCtxSetCurrent, "
    "\"cuCtxSetCurrent\");\n"
    "    find(&cuModuleLoadDataEx, \"cuModuleLoadDataEx\");\n    find(&cuModuleGetFunction, \"cuModuleGetFunction\");\n"
    "    find(&cuModuleGetGlobal, \"cuModuleGetGlobal_v2\");\n    find(&cuMemAlloc, \"cuMemAlloc_v2\");\n"
    "    find(&cuMemcpyHtoD, \"cuMemcpyHtoD_v2\");\n    find(&cuMemcpyDtoH, \"cuMemcpyDtoH_v2\");\n"
    "    find(&cuStreamQuery, \"cuStreamQuery\");\n    find(&cuGetErrorName, \"cuGetErrorName\");\n"
    "    find(&cuFuncSetAttribute, \"cuFuncSetAttribute\");\n    find(&cuLaunchKernel, \"cuLaunchKernel\");\n"
    "    check(cuInit(0), \"cuInit\");\n    check(cuDeviceGet(&device, 0), \"cuDeviceGet\");\n"
    "    check(cuDevicePrimaryCtxRetain(&context, device), \"cuDevicePrimaryCtxRetain\");\n"
    "    check(cuCtxSetCurrent(context), \"cuCtxSetCurrent\");\n"
    "    check(cuModuleLoadDataEx(&module, ptx, 1, &option, values), \"cuModuleLoadDataEx\");\n"
    "    check(cuModuleGetFunction(&function, module, ENTRY), ENTRY);\n"
    "}\n"
    "\n"
    "static CUdeviceptr place_of(const char *variable)\n"
    "{\n"
    "    CUdeviceptr place;\n"
    "    size_t size;\n"
    "    check(cuModuleGetGlobal(&place, &size, module, variable), variable);\n"
    "    return place;\n"
    "}\n\n";

static const char cuda_load_text[] = "static void check(int error, const char *what);\n"
                                     "static CUmodule module;\n"
                                     "static CUfunction function;\n"
                                     "\n"
                                     "static void load(int level)\n"
                                     "{\n"
                                     "    CUjit_option option = CU_JIT_OPTIMIZATION_LEVEL;\n"
                                     "    void *values[] = {(void *)(size_t)level};\n"
                                     "    check((int)cudaFree(NULL), \"cudaFree(NULL)\"); /* makes the context */\n"
                                     "    check((int)cuModuleLoadDataEx(&module, ptx, 1, &option, values), "
                                     "\"cuModuleLoadDataEx\");\n"
                                     "    check((int)cuModuleGetFunction(&function, module, ENTRY), ENTRY);\n"
                                     "}\n"
                                     "\n"
                                     "static CUdeviceptr place_of(const char *variable)\n"
                                     "{\n"
                                     "    CUdeviceptr place;\n"
                                     "    size_t size;\n"
                                     "    check((int)cuModuleGetGlobal(&place, &size, module, variable), variable);\n"
                                     "    return place;\n"
                                     "}\n\n";

static const char cuda_load_source[] =
    "static void check(int error, const char *what);\n"
    "static CUfunction function;\n"
    "\n"
    "static void load(int level)\n"
    "{\n"
    "    (void)level; /* it was compiled with this program */\n"
    "    check((int)cudaFree(NULL), \"cudaFree(NULL)\"); /* makes the context */\n"
    "    check((int)cudaGetFuncBySymbol(&function, (const void *)KERNEL), \"cudaGetFuncBySymbol\");\n"
    "}\n"
    "\n"
    "static CUdeviceptr place_of(const char *variable)\n"
    "{\n"
    "    void *place = NULL;\n"
    "    (void)variable;\n"
    "    PLACES\n"
    "    return (CUdeviceptr)place;\n"
    "}\n\n";

/* ---- the three forms ---- */

/* What the launch shows, as a comment whose lines begin with " * ". */
static void add_heading(const struct emitter *e, const struct kernel_outcome *outcome, const char *build,
                        bool has_levels)
{
    struct buffer words = {0};
    const struct code *code = e->launch->code;
    char shown[512];
    uint32_t errors = 0;
    buffer_format(&words, "A launch of the kernel %s: ", code->entry->name);
    kernel_input_describe(&e->launch->slots, &e->launch->input, &words);
    buffer_text(&words, ".\n");
    for (uint32_t n = 0; n < outcome->events_count; n++) {
        const struct kernel_event *event = &outcome->events[n];
        if (!kernel_is_error(event->kind))
            continue;
        errors++;
        buffer_format(&words, "By the PTX manual it is wrong (%s): ", kernel_kind_name(event->kind));
        kernel_event_text(code, event, &words);
        buffer_text(&words, "\n");
        kernel_event_describe(code, event, &words);
    }
    if (errors == 0)
        buffer_text(&words, "The executor finds no error.\n");
    if (!e->ended)
        buffer_text(&words, "The executor did not come to its end: what memory holds then has no meaning.\n");
    buffer_format(
        &words,
        "\nBuild and run: %s\nExit status 0: memory is what the executor left; 1: it is not, or the device ended "
        "the kernel;\n3: it did not end within 5 seconds (or as many as the first argument says); 2: it "
        "could not be run.\n%s",
        build,
        has_levels ? "The second argument is the level of the driver's optimizer, 0 to 4 (./launch 5 0); without it "
                     "4.\n"
                   : "");
    buffer_text(e->out, "/*\n");
    const char *at = buffer_string(&words);
    while (*at) {
        size_t length = strcspn(at, "\n");
        text_printable(at, length, shown, sizeof shown);
        for (char *c = shown; (c = strstr(c, "*/")) != NULL;)
            *c = '+';
        buffer_format(e->out, " *%s%s\n", length ? " " : "", shown);
        at += length + (at[length] != '\0');
    }
    buffer_text(e->out, " */\n");
    buffer_free(&words);
}

static void add_string(struct buffer *out, const char *text)
{
    buffer_text(out, "\"");
    for (; *text; text++)
        buffer_format(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    buffer_text(out, "\"");
}

/* "a::b" of _ZN1a1bEPf, "b" of _Z1bPf or b; false where C++ cannot name it so simply (a template, a nameless
 * namespace, an overload that is told apart by its arguments is the compiler's affair). */
static bool name_of(const char *mangled, char *name, size_t size)
{
    bool nested = strncmp(mangled, "_ZN", 3) == 0;
    name[0] = '\0';
    for (const char *at = mangled; *at; at++) /* $str and others that the compiler made */
        if (!isalnum((unsigned char)*at) && *at != '_')
            return false;
    if (strncmp(mangled, "_Z", 2) != 0)
        return snprintf(name, size, "%s", mangled) < (int)size;
    for (const char *at = mangled + (nested ? 3 : 2);;) {
        char *end;
        unsigned long length = strtoul(at, &end, 10);
        if (!isdigit((unsigned char)*at) || length == 0 || length > strlen(end) || strlen(name) + length + 3 > size)
            return false;
        snprintf(name + strlen(name), size - strlen(name), "%s%.*s", name[0] ? "::" : "", (int)length, end);
        at = end + length;
        if (!nested || *at == 'E')
            return *at != 'I' && strstr(name, "_GLOBAL__N_") == NULL;
    }
}

/* The .cu that a person compiled: of the instructions' outermost places. */
static bool find_source(const struct code *code, char path[FILE_PATH_MAX])
{
    char absolute[FILE_PATH_MAX];
    for (uint32_t n = code->start; n < code->count; n++) {
        const struct code_place p = code_place(code, n);
        const char *file = p.outer_file ? p.outer_file : p.file;
        if (!text_ends(file, ".cu") || !file_exists(file))
            continue;
        snprintf(path, FILE_PATH_MAX, "%s", file_absolute(file, absolute));
        return true;
    }
    return false;
}

static void add_places(const struct emitter *e)
{
    buffer_text(e->out, "#define PLACES \\\n");
    for (uint32_t n = 0; n < e->image->count; n++) {
        const struct kernel_region *r = &e->image->regions[n];
        char name[512];
        if (r->variable && name_of(r->variable, name, sizeof name))
            buffer_format(
                e->out,
                "    if (strcmp(variable, \"%s\") == 0) \\\n        check((int)cudaGetSymbolAddress(&place, %s), "
                "variable); \\\n",
                r->variable, name);
    }
    buffer_text(e->out, "\n");
}

static void add_data(const struct emitter *e)
{
    add_regions(e);
    add_params(e);
}

/* The module, as a string of the program. */
static void add_module(const struct emitter *e)
{
    buffer_text(e->out, "\n/* The PTX of the module. */\nstatic const char ptx[] =\n");
    for (const char *at = e->launch->text; *at;) { /* literals have a greatest length; their sum has none */
        size_t length = strcspn(at, "\n");
        buffer_text(e->out, "    \"");
        for (size_t n = 0; n < length; n++)
            if ((unsigned char)at[n] < 0x20 || (unsigned char)at[n] > 0x7e || at[n] == '"' || at[n] == '\\' ||
                at[n] == '?')
                buffer_format(e->out, "\\%03o", (unsigned)(unsigned char)at[n]);
            else
                buffer_add(e->out, at + n, 1);
        buffer_text(e->out, "\\n\"\n");
        at += length + (at[length] != '\0');
    }
    buffer_text(e->out, "    \"\";\n\n");
}

static void emit_host(const struct emitter *e, const struct kernel_outcome *outcome)
{
    add_heading(e, outcome, "cc -o launch launch.c -ldl && ./launch", true);
    buffer_text(e->out, c_head);
    buffer_text(e->out, "#define ENTRY ");
    add_string(e->out, e->launch->code->entry->name);
    buffer_text(e->out, "\n");
    add_module(e);
    add_data(e);
    buffer_text(e->out, c_load);
    buffer_text(e->out, program);
}

static bool has_names(const struct emitter *e)
{
    char name[512];
    for (uint32_t n = 0; n < e->image->count; n++)
        if (e->image->regions[n].variable && !name_of(e->image->regions[n].variable, name, sizeof name))
            return false;
    return name_of(e->launch->code->entry->name, name, sizeof name);
}

static void emit_cuda_file(const struct emitter *e, const struct kernel_outcome *outcome)
{
    static const char includes[] = "#include <cuda.h>\n#include <cuda_runtime.h>\n#include <stdio.h>\n#include "
                                   "<stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <unistd.h>\n\n";
    char path[FILE_PATH_MAX], name[512];
    const char *entry = e->launch->code->entry->name;
    bool with_source = has_names(e) && find_source(e->launch->code, path);
    add_heading(e, outcome, "nvcc -arch=native -o launch launch.cu -lcuda && ./launch", !with_source);
    buffer_text(e->out, includes);
    if (with_source) {
        name_of(entry, name, sizeof name);
        buffer_text(e->out, "/* The kernel, as it is in its source now. A main there is left alone. */\n#define main "
                            "main_of_the_source\n#include ");
        add_string(e->out, path);
        buffer_format(e->out, "\n#undef main\n#ifndef KERNEL\n#define KERNEL %s\n#endif\n\n", name);
        add_places(e);
    } else {
        buffer_text(e->out, "#define ENTRY ");
        add_string(e->out, entry);
        add_module(e);
    }
    add_data(e);
    buffer_text(e->out, with_source ? cuda_load_source : cuda_load_text);
    buffer_text(e->out, program);
}

bool kernel_emit(const struct kernel_launch *launch, const struct warp_impl *impl, enum kernel_emission emission,
                 struct buffer *out, struct error *error)
{
    struct kernel_image image = {0};
    struct emitter e = {.launch = launch, .image = &image, .out = out};
    if (emission == KERNEL_EMIT_PTX) {
        buffer_add(out, launch->text, launch->size);
        return true;
    }
    struct kernel_outcome *outcome = calloc(1, sizeof *outcome);
    struct kernel *kernel = outcome ? kernel_new(launch->code, impl) : NULL;
    bool ok = kernel && kernel_execute(kernel, &launch->input, launch->steps, outcome);
    if (!ok)
        error_set(error, ERROR_SYSTEM, "out of memory");
    else if (outcome->ending == KERNEL_UNANSWERED)
        ok = error_set(error, ERROR_DECLINED, "%s", outcome->why);
    ok = ok && kernel_image_take(kernel, &launch->slots, BYTES_MOST, &image, error);
    if (ok) {
        e.ended = outcome->ending == KERNEL_ENDED;
        (emission == KERNEL_EMIT_HOST ? emit_host : emit_cuda_file)(&e, outcome);
    }
    ok = ok && (!out->failed || error_set(error, ERROR_SYSTEM, "out of memory"));
    kernel_image_free(&image);
    kernel_free(kernel);
    free(outcome);
    return ok;
}
