#include "gpu/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_header(struct writer *t, uint16_t ptx, uint32_t target)
{
    writer_format(t, ".version %d.%d\n.target %s\n", ptx / 10, ptx % 10, warp_target_name(target));
    if (ptx >= 23)
        writer_format(t, ".address_size 64\n");
}

void text_registers(struct writer *t)
{
    writer_format(t, "    .reg .b32 %%d, %%a, %%ah, %%b, %%c, %%m;\n    .reg .b64 %%aa;\n    .reg .pred %%p, %%q;\n");
}

/* vote.all, any and uni have a predicate as their only destination; all others write a 32-bit register first. */
static void add_destination(struct writer *t, const struct warp_form_info *info, uint32_t dst)
{
    const char *first = warp_form_writes_d(info, WARP_DST_D) ? "%d" : "%p";
    const char *second = warp_form_writes_d(info, WARP_DST_D) ? "%p" : "%q";
    switch (dst) {
    case WARP_DST_D_P:
        writer_format(t, "%s|%s", first, second);
        break;
    case WARP_DST_SINK_P:
        writer_format(t, "_|%s", second);
        break;
    case WARP_DST_D_SINK:
        writer_format(t, "%s|_", first);
        break;
    default:
        writer_format(t, "%s", first);
        break;
    }
}

static void add_sources(struct writer *t, const struct warp_form_info *info, bool negate)
{
    switch (info->type) {
    case WARP_NO_SOURCE:
        return;
    case WARP_PRED:
        writer_format(t, ", %s%%q", negate ? "!" : "");
        break;
    case WARP_B64:
        writer_format(t, ", %%aa");
        break;
    case WARP_B32:
    case WARP_U32:
    case WARP_S32:
    case WARP_F32:
        writer_format(t, ", %%a");
        break;
    }
    if (warp_form_is_shfl(info))
        writer_format(t, ", %%b, %%c");
    if (warp_form_is_sync(info))
        writer_format(t, ", %%m");
}

const char *text_plant(const struct warp_form_info *info)
{
    const char *plant = getenv("WARPCHECK_GPU_PLANT");
    const size_t length = strlen(info->name);
    if (plant == NULL || strncmp(plant, info->name, length) != 0 || plant[length] != '=')
        return NULL;
    return plant + length + 1;
}

void text_instruction(struct writer *t, const struct warp_form_info *info, uint32_t dst, bool negate)
{
    writer_format(t, "%s ", info->name);
    add_destination(t, info, dst);
    add_sources(t, info, negate);
    writer_format(t, ";\n");
}
