#include "gpu/text/emit_text.h"
#include "warpcheck/text.h"

#include <stdio.h>

uint32_t emit_target(const struct warp_case *c)
{
    return c->target < WARP_TARGET(30, 0) ? WARP_TARGET(30, 0) : c->target;
}

void emit_words(struct writer *t, const char *name, const uint32_t *words, size_t n)
{
    writer_format(t, "static const unsigned %s[%u] = {", name, (unsigned)n);
    for (size_t i = 0; i < n; i++)
        writer_format(t, "%s0x%x", i == 0 ? "\n    " : i % 8 == 0 ? ",\n    " : ", ", (unsigned)words[i]);
    writer_format(t, "};\n");
}

void emit_heading(struct writer *t, const struct warp_case *c, const struct warp_result *expected)
{
    char line[WARP_TEXT_MAX];
    warp_case_to_text(c, line, sizeof line);
    writer_format(t, "// Written by warpcheck. The case:\n//   %s\n", line);
    if (emit_target(c) != c->target)
        writer_format(t, "// Its target %s is too old for any driver of today: this is for %s.\n",
                      warp_target_name(c->target), warp_target_name(emit_target(c)));
    if (expected != NULL && (expected->waiting | expected->undefined) != 0)
        writer_format(t, "// MAY HANG: lanes 0x%x wait for others, lanes 0x%x are undefined.\n",
                      (unsigned)expected->waiting, (unsigned)expected->undefined);
}

size_t emit_ptx(const struct warp_case *c, char *buf, size_t size)
{
    struct writer t = writer_start(buf, size);
    emit_heading(&t, c, NULL);
    text_header(&t, warp_legal_from(warp_form_get(c->form), emit_target(c)), emit_target(c));
    writer_format(&t, "\n");
    text_single_kernel(&t, c);
    return t.length;
}
