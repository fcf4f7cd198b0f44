/*
 * The part of the CUDA driver API that is used, loaded at run time. Declarations come from cuda.h or from the loader
 * headers (ffnvcodec); only types and attribute numbers that both have are used.
 */
#ifndef WARPCHECK_GPU_CUDA_API_H
#define WARPCHECK_GPU_CUDA_API_H

#if defined(WARPCHECK_GPU_CUDA_H)
#include <cuda.h>
#else
#include <ffnvcodec/dynlink_cuda.h>
#endif

/* Every function: its name here, its symbol, its arguments. */
#define CUDA_FUNCTIONS(F)                                                                                              \
    F(init, "cuInit", (unsigned))                                                                                      \
    F(driver_version, "cuDriverGetVersion", (int *))                                                                   \
    F(device_get, "cuDeviceGet", (CUdevice *, int))                                                                    \
    F(device_count, "cuDeviceGetCount", (int *))                                                                       \
    F(device_name, "cuDeviceGetName", (char *, int, CUdevice))                                                         \
    F(device_attribute, "cuDeviceGetAttribute", (int *, CUdevice_attribute, CUdevice))                                 \
    F(context_retain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice))                                             \
    F(context_set, "cuCtxSetCurrent", (CUcontext))                                                                     \
    F(context_synchronize, "cuCtxSynchronize", (void))                                                                 \
    F(module_load, "cuModuleLoadDataEx", (CUmodule *, const void *, unsigned, CUjit_option *, void **))                \
    F(module_function, "cuModuleGetFunction", (CUfunction *, CUmodule, const char *))                                  \
    F(module_global, "cuModuleGetGlobal_v2", (CUdeviceptr *, size_t *, CUmodule, const char *))                        \
    F(module_unload, "cuModuleUnload", (CUmodule))                                                                     \
    F(function_attribute, "cuFuncSetAttribute", (CUfunction, int, int))                                                \
    F(stream_query, "cuStreamQuery", (CUstream))                                                                       \
    F(event_create, "cuEventCreate", (CUevent *, unsigned))                                                            \
    F(event_record, "cuEventRecord", (CUevent, CUstream))                                                              \
    F(event_query, "cuEventQuery", (CUevent))                                                                          \
    F(memory_free, "cuMemFree_v2", (CUdeviceptr))                                                                      \
    F(memory_allocate, "cuMemAlloc_v2", (CUdeviceptr *, size_t))                                                       \
    F(memory_to_device, "cuMemcpyHtoD_v2", (CUdeviceptr, const void *, size_t))                                        \
    F(memory_to_host, "cuMemcpyDtoH_v2", (void *, CUdeviceptr, size_t))                                                \
    F(memory_set, "cuMemsetD32_v2", (CUdeviceptr, unsigned, size_t))                                                   \
    F(launch, "cuLaunchKernel",                                                                                        \
      (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **))  \
    F(error_name, "cuGetErrorName", (CUresult, const char **))

struct cuda_api {
    void *library;
#define CUDA_MEMBER(name, symbol, arguments) CUresult(CUDAAPI *name) arguments;
    CUDA_FUNCTIONS(CUDA_MEMBER)
#undef CUDA_MEMBER
};

#endif
