/*
 * The memory of one execution as a device needs it: what lies behind every pointer parameter and in every variable
 * that the kernel uses, before and after. With it a launch can be repeated elsewhere and its memory compared.
 */
#ifndef WARPCHECK_KERNEL_IMAGE_H
#define WARPCHECK_KERNEL_IMAGE_H

#include "kernel/params.h"

/* A buffer up to the end of the last page that was touched, or a variable of .global or .const. */
struct kernel_region {
    uint64_t address;     /* where the executor has it */
    uint32_t buffer;      /* slots with this number point to it; MODULE_NONE: a variable */
    const char *variable; /* its name in the PTX; NULL: a buffer */
    bool is_input;        /* a .const without a value, or a .global that holds another one: the host sets it */
    bool is_compared;     /* not .const, and no address in it */
    uint64_t size;        /* bytes, a multiple of 4 for buffers */
    uint8_t *before, *after;
};

struct kernel_image {
    struct kernel_region *regions;
    uint32_t count;
    uint64_t bytes; /* of all regions */
};

/*
 * Takes the image of the last execution of `kernel`. ERROR_UNSUPPORTED when a buffer was touched behind `most` bytes,
 * or when the kernel read what lies in none. Free it in any case.
 */
bool kernel_image_take(struct kernel *kernel, const struct kernel_slots *slots, uint64_t most,
                       struct kernel_image *image, struct error *error);
void kernel_image_free(struct kernel_image *image);

/*
 * A digest of what memory holds in the end, as it differs from the start: the words of `after` of all regions that are
 * compared, or of `device` in their place (one pointer a region).
 */
uint64_t kernel_image_digest(const struct kernel_image *image, uint8_t *const *device);

#endif
