#include "cli/registry.h"

#include "check/impl/impl.h"
#include "cli/ui/terminal.h"

#ifdef WARPCHECK_HAVE_SMT
#include "smt/warpcheck_smt.h"
#endif
#ifdef WARPCHECK_HAVE_GPU
#include "gpu/warpcheck_gpu.h"
#endif
#include "gpu/recording.h"

#ifdef WARPCHECK_HAVE_SMT
static const struct warp_impl *open_smt(const char *path, struct error *error)
{
    (void)path;
    return smt_get(error);
}
#endif

#ifdef WARPCHECK_HAVE_GPU
static const struct warp_impl *open_gpu(const char *path, struct error *error)
{
    (void)path;
    return gpu_get(error);
}
#endif

void registry_provide(void)
{
    static const struct impl_provider providers[] = {
        {IMPL_SMT, "the Z3 terms, evaluated",
#ifdef WARPCHECK_HAVE_SMT
         open_smt, NULL
#else
         NULL, "built without Z3 (Debian: libz3-dev)"
#endif
        },
        {IMPL_GPU, "a real GPU, through the CUDA driver",
#ifdef WARPCHECK_HAVE_GPU
         open_gpu, NULL
#else
         NULL, "built without the GPU part (Debian: libffmpeg-nvenc-dev)"
#endif
        },
        {IMPL_RECORDING, "what a GPU answered earlier", recording_open, NULL},
    };
    impl_provide(providers, sizeof providers / sizeof providers[0]);
}

static bool closed_badly;

bool registry_close(const struct warp_impl *impl)
{
    struct error error;
    if (impl_close(impl, &error))
        return true;
    closed_badly = true;
    complain("warpcheck: %s", error.text);
    return false;
}

bool registry_closed_well(void)
{
    return !closed_badly;
}
