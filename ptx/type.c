#include "ptx/type.h"

#include <string.h>

enum kind { NONE, BITS, UNSIGNED, SIGNED, FLOAT };

static const struct {
    const char *name;
    unsigned bits;
    enum kind kind;
} types[PTX_TYPES] = {
    [PTX_UNKNOWN] = {"?", 0, NONE},       [PTX_PRED] = {"pred", 1, NONE},        [PTX_B8] = {"b8", 8, BITS},
    [PTX_U8] = {"u8", 8, UNSIGNED},       [PTX_S8] = {"s8", 8, SIGNED},          [PTX_B16] = {"b16", 16, BITS},
    [PTX_U16] = {"u16", 16, UNSIGNED},    [PTX_S16] = {"s16", 16, SIGNED},       [PTX_F16] = {"f16", 16, FLOAT},
    [PTX_BF16] = {"bf16", 16, FLOAT},     [PTX_B32] = {"b32", 32, BITS},         [PTX_U32] = {"u32", 32, UNSIGNED},
    [PTX_S32] = {"s32", 32, SIGNED},      [PTX_F32] = {"f32", 32, FLOAT},        [PTX_F16X2] = {"f16x2", 32, FLOAT},
    [PTX_BF16X2] = {"bf16x2", 32, FLOAT}, [PTX_U16X2] = {"u16x2", 32, UNSIGNED}, [PTX_S16X2] = {"s16x2", 32, SIGNED},
    [PTX_B64] = {"b64", 64, BITS},        [PTX_U64] = {"u64", 64, UNSIGNED},     [PTX_S64] = {"s64", 64, SIGNED},
    [PTX_F64] = {"f64", 64, FLOAT},       [PTX_B128] = {"b128", 128, BITS},
};

const char *ptx_type_name(enum ptx_type type)
{
    return types[type].name;
}

unsigned ptx_type_bits(enum ptx_type type)
{
    return types[type].bits;
}

enum ptx_type ptx_type_find(const char *name, size_t size)
{
    for (enum ptx_type t = PTX_PRED; t < PTX_TYPES; t++)
        if (strlen(types[t].name) == size && memcmp(types[t].name, name, size) == 0)
            return t;
    return PTX_UNKNOWN;
}

bool ptx_type_is_float(enum ptx_type type)
{
    return types[type].kind == FLOAT;
}

bool ptx_type_is_signed(enum ptx_type type)
{
    return types[type].kind == SIGNED;
}

bool ptx_type_fits(enum ptx_type declared, enum ptx_type type)
{
    enum kind have = types[declared].kind, want = types[type].kind;
    if (declared == PTX_UNKNOWN || types[declared].bits != types[type].bits)
        return false;
    if (declared == type || have == BITS || want == BITS)
        return true;
    return (have == UNSIGNED || have == SIGNED) && (want == UNSIGNED || want == SIGNED);
}
