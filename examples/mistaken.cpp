// CUDA's shuffles as several back ends have them, in C++, with the mistake that most of them made.
//
//     c++ -shared -fPIC -I../model/include mistaken.cpp -o mistaken.so
//     ../warpcheck run --impl ./mistaken.so
#include "warpcheck/cuda.h"

#include <cstdint>

namespace
{

std::uint32_t shfl(warpcheck_shfl mode, std::uint32_t, std::uint32_t, const std::uint32_t values[32], unsigned lane,
                   int b, int width)
{
    const int own = static_cast<int>(lane), first = own / width * width;
    int source = own;
    if (mode == WARPCHECK_SHFL_UP)
        source = own - b;
    else if (mode == WARPCHECK_SHFL_DOWN)
        source = own + b;
    else if (mode == WARPCHECK_SHFL_XOR)
        source = own ^ b;
    else
        source = first + (b & (width - 1));
    return source >= first && source < first + width ? values[source] : values[own]; // b is whole; xor stays at home
}

} // namespace

WARPCHECK_CUDA_SHFL(mistaken_shfl, shfl)
WARPCHECK_PLUGIN(&mistaken_shfl)
