#include "ptx/ptx.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned bits;
} types[] = {
    [PTX_UNKNOWN] = {"?", 0}, [PTX_PRED] = {"pred", 1}, [PTX_B32] = {"b32", 32},    [PTX_U32] = {"u32", 32},
    [PTX_S32] = {"s32", 32},  [PTX_F32] = {"f32", 32},  [PTX_B64] = {"b64", 64},    [PTX_U64] = {"u64", 64},
    [PTX_S64] = {"s64", 64},  [PTX_F64] = {"f64", 64},  [PTX_OTHER] = {"other", 0},
};

const char *ptx_type_name(enum ptx_type type)
{
    return types[type].name;
}

unsigned ptx_type_bits(enum ptx_type type)
{
    return types[type].bits;
}

static bool is_name(const char *name, size_t size, const char *other)
{
    return size == strlen(other) && memcmp(name, other, size) == 0;
}

enum ptx_type ptx_type_find(const char *name, size_t size)
{
    static const char *const others[] = {"b8",  "u8",    "s8",   "b16",    "u16", "s16",
                                         "f16", "f16x2", "bf16", "bf16x2", "b128"};
    for (enum ptx_type t = PTX_PRED; t < PTX_OTHER; t++)
        if (is_name(name, size, types[t].name))
            return t;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (is_name(name, size, others[i]))
            return PTX_OTHER;
    return PTX_UNKNOWN;
}
