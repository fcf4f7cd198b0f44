#include "gpu/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text text_start(char *buf, size_t size)
{
    struct text t = {buf, size, 0};
    if (size > 0)
        buf[0] = '\0';
    return t;
}

void text_add(struct text *t, const char *format, ...)
{
    const size_t room = t->length < t->size ? t->size - t->length : 0;
    va_list arguments;
    int n;
    va_start(arguments, format);
    n = vsnprintf(room > 0 ? t->buf + t->length : NULL, room, format, arguments);
    va_end(arguments);
    if (n > 0)
        t->length += (size_t)n;
}

void text_header(struct text *t, uint16_t ptx, uint32_t target)
{
    text_add(t, ".version %d.%d\n.target %s\n", ptx / 10, ptx % 10, warp_target_name(target));
    if (ptx >= 23)
        text_add(t, ".address_size 64\n");
}

void text_registers(struct text *t)
{
    text_add(t, "    .reg .b32 %%d, %%a, %%ah, %%b, %%c, %%m;\n    .reg .b64 %%aa;\n    .reg .pred %%p, %%q;\n");
}

/* vote.all, any and uni have a predicate as their only destination; all others write a 32-bit register first. */
static void add_destination(struct text *t, const struct warp_form_info *info, uint32_t dst)
{
    const char *first = warp_form_writes_d(info, WARP_DST_D) ? "%d" : "%p";
    const char *second = warp_form_writes_d(info, WARP_DST_D) ? "%p" : "%q";
    switch (dst) {
    case WARP_DST_D_P:
        text_add(t, "%s|%s", first, second);
        break;
    case WARP_DST_SINK_P:
        text_add(t, "_|%s", second);
        break;
    case WARP_DST_D_SINK:
        text_add(t, "%s|_", first);
        break;
    default:
        text_add(t, "%s", first);
        break;
    }
}

static void add_sources(struct text *t, const struct warp_form_info *info, bool negate)
{
    switch (info->type) {
    case WARP_NO_SOURCE:
        return;
    case WARP_PRED:
        text_add(t, ", %s%%q", negate ? "!" : "");
        break;
    case WARP_B64:
        text_add(t, ", %%aa");
        break;
    default:
        text_add(t, ", %%a");
        break;
    }
    if (warp_form_is_shfl(info))
        text_add(t, ", %%b, %%c");
    if (warp_form_is_sync(info))
        text_add(t, ", %%m");
}

const char *text_plant(const struct warp_form_info *info)
{
    const char *plant = getenv("WARPCHECK_GPU_PLANT");
    const size_t length = strlen(info->name);
    if (plant == NULL || strncmp(plant, info->name, length) != 0 || plant[length] != '=')
        return NULL;
    return plant + length + 1;
}

void text_instruction(struct text *t, const struct warp_form_info *info, uint32_t dst, bool negate)
{
    text_add(t, "%s ", info->name);
    add_destination(t, info, dst);
    add_sources(t, info, negate);
    text_add(t, ";\n");
}
