/* The fuzz harness's own speed: inputs from memory, no engine. */
#include "bench.h"

#ifdef WARPCHECK_BENCH_HARNESS
#include "check/random.h"
#include "fuzz/harness.h"

#include <string.h>

#define INPUTS     3000u
#define INPUT_SIZE 300u

double bench_harness_checks(void)
{
    struct harness *h = harness_start((1u << WARP_FAMILIES) - 1u);
    const uint64_t before = h->status->checks;
    const double start = bench_now_ns();
    for (uint64_t i = 0; i < INPUTS; i++) {
        uint8_t input[INPUT_SIZE];
        for (size_t at = 0; at < INPUT_SIZE; at += 4) {
            const uint64_t bits = random_mix(i * INPUT_SIZE + at);
            memcpy(input + at, &bits, 4);
        }
        harness_check_input(h, input, sizeof input, NULL);
    }
    return (double)(h->status->checks - before) / (bench_now_ns() - start) * 1e9;
}
#else
double bench_harness_checks(void)
{
    return 0;
}
#endif
