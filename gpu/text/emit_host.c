/* The C program that goes with an emitted .ptx file: it needs a C compiler and, at run time, libcuda.so.1. */
#include "gpu/text/emit_text.h"

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
