#include "cli/record/record.h"
#include "cli/ui/terminal.h"

#include <inttypes.h>
#include <stdio.h>

static void print_coverage(const struct recording *recording)
{
    struct recording_coverage v;
    printf("%-28s %9s %9s %9s %9s %9s\n", "instruction", "cases", "lanes", "groups", "exited", "diverged");
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        recording_coverage(recording, (enum warp_form)form, &v);
        printf("%-28s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "%s\n", warp_form_get(form)->name,
               v.cases, v.lanes, v.groups, v.exited, v.elsewhere, v.cases == 0 ? "  (the device does not run it)" : "");
    }
}

static void print_unpredictable(const struct recording *recording)
{
    static const char *const names[SOURCES] = {"exited", "elsewhere", "in another group"};
    static const enum warp_family families[] = {WARP_SHFL_SYNC, WARP_SHFL};
    printf("\nd of shfl where the source lane is not in the group (unpredictable by the manual, never compared):\n");
    printf("%-10s %-17s %8s %8s %8s %8s %8s %8s\n", "", "source lane", "lanes", "its a", "own a", "zero", "several",
           "other");
    for (size_t k = 0; k < sizeof families / sizeof families[0]; k++) {
        struct recording_unpredictable u[SOURCES];
        recording_unpredictable(recording, families[k], u);
        for (size_t i = 0; i < SOURCES; i++)
            printf("%-10s %-17s %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n",
                   warp_family_name(families[k]), names[i], u[i].lanes, u[i].source, u[i].own, u[i].zero, u[i].several,
                   u[i].other);
    }
}

int record_describe(const char *path)
{
    struct error error;
    struct recording *recording = recording_load(path, &error);
    if (recording == NULL) {
        complain("warpcheck record: %s", error.text);
        return STATUS_USAGE;
    }
    const struct recording_info *i = recording_get_info(recording);
    printf("%s: %zu cases from %s (sm_%u), driver %s (CUDA %u.%u), PTX %u.%u to %u.%u, seed %u\n\n", path,
           recording_count(recording), i->device, (unsigned)i->sm, i->driver_name, (unsigned)i->driver / 1000,
           (unsigned)i->driver % 1000 / 10, (unsigned)i->ptx_least / 10, (unsigned)i->ptx_least % 10,
           (unsigned)i->ptx_greatest / 10, (unsigned)i->ptx_greatest % 10, (unsigned)i->seed);
    print_coverage(recording);
    print_unpredictable(recording);
    recording_free(recording);
    return STATUS_AGREE;
}
