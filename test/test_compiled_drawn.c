/*
 * The prover of compiled code on functions that are drawn, of which it is known whether they are right
 * (docs/compiled.md): no verdict may be wrong. The arguments: how many functions, and the seed. A step's name behind
 * these: those that differ in this step, at levels that take nothing out of the code.
 */
#include "proofs/score/judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    struct judge_plan plan = {
        .seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, .timeout_s = 2, .out = "findings/prover"};
    unsigned ends[JUDGE_ENDS] = {0};
    plan.limits.only = argc > 3 ? argv[3] : NULL;
    plan.plain = argc > 3;
    if (!judge_prepare(&plan)) {
        printf("FAIL: no clang is here\n");
        return 1;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct judged j;
        judge_function(&plan, i, &j);
        ends[j.end]++;
        if (j.end == JUDGE_WRONG || j.end == JUDGE_BROKEN)
            printf("FAIL: function %" PRIu64 ", %s, %s (%s): %s\n", i, j.wrong ? "wrong" : "right",
                   judge_level_name(j.level), j.step, j.note);
    }
    printf("%" PRIu64
           " functions: %u decided, %u bounded, %u open, %u refused, %u optimized away, %u unseen, %u wrong verdicts\n",
           count, ends[JUDGE_RIGHT], ends[JUDGE_BOUNDED], ends[JUDGE_OPEN], ends[JUDGE_REFUSED], ends[JUDGE_GONE],
           ends[JUDGE_UNSEEN], ends[JUDGE_WRONG]);
    return count > 0 && (ends[JUDGE_RIGHT] > 0 || argc > 3) && ends[JUDGE_WRONG] + ends[JUDGE_BROKEN] == 0 ? 0 : 1;
}
