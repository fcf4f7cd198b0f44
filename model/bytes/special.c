#include "warpcheck/bytes.h"

/* clang-format off */
const uint32_t warp_special_floats[] = {
    0x00000000u, 0x80000000u, /* zeros */
    0x00000001u, 0x80000001u, /* the least subnormals */
    0x007fffffu, 0x807fffffu, /* the greatest subnormals */
    0x00800000u, 0x80800000u, /* the least normals */
    0x3f800000u, 0xbf800000u, /* 1 */
    0x3f800001u, 0xbf800001u, /* the next above 1 */
    0x40000000u, 0xc0000000u, /* 2 */
    0x7f7fffffu, 0xff7fffffu, /* the greatest numbers */
    0x7f800000u, 0xff800000u, /* infinities */
    0x7f800001u, 0xff800001u, /* signalling NaNs, least payload */
    0x7fa00000u, 0xffa00000u, /* signalling NaNs, greatest bit of the payload */
    0x7fc00000u, 0xffc00000u, /* quiet NaNs of x86 */
    0x7fc12345u, 0xffc54321u, /* quiet NaNs with a payload */
    0x7fffffffu, 0xffffffffu, /* the canonical NaN, and its negative */
};

const uint32_t warp_special_words[] = {
    /* Edges of integers, of 5-bit lane numbers and of lane masks. */
    0u, 1u, 2u, 3u, 4u, 7u, 8u, 15u, 16u, 30u, 31u, 32u, 33u, 63u, 64u, 127u, 255u, 256u, 0xffffu, 0x10000u,
    0xffff0000u, 0x55555555u, 0xaaaaaaaau, 0x7ffffffeu, 0x7fffffffu, 0x80000000u, 0x80000001u,
    0xffffffe0u, 0xffffffe1u, 0xfffffff0u, 0xfffffffeu, 0xffffffffu,
    /* Operand c of CUDA's widths 16, 8, 4, 2, 1, with clamp 0 for up, with clamp 31 for the other modes; 32: 0 and 31 above. */
    0x1000u, 0x1800u, 0x1c00u, 0x1e00u, 0x1f00u, 0x101fu, 0x181fu, 0x1c1fu, 0x1e1fu, 0x1f1fu,
    /* Floats. */
    0x3f800000u, 0xbf800000u, 0x00800000u, 0x7f7fffffu, 0x7f800000u, 0xff800000u, 0x7f800001u, 0x7fc00000u, 0xffc00000u,
};
/* clang-format on */

const size_t warp_special_floats_count = sizeof warp_special_floats / sizeof warp_special_floats[0];
const size_t warp_special_words_count = sizeof warp_special_words / sizeof warp_special_words[0];

/* The segment mask keeps the bits of the lane number above the width; CUDA passes clamp 31, also for narrow segments.
 */
uint32_t warp_width_c(enum warp_op op, unsigned width)
{
    return (32u - width) << 8 | (op == WARP_UP ? 0u : 31u);
}
