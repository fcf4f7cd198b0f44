/* One vote.sync.ballot of a warp, answered by the optimized implementation. */
#include <warpcheck/text.h>
#include <warpcheck/warpcheck_fast.h>

#include <stdio.h>

int main(void)
{
    struct warp_case c;
    struct warp_result r;
    char error[128];
    warp_case_init(&c, WARP_VOTE_SYNC_BALLOT_B32);
    for (unsigned lane = 0; lane < WARP_LANES; lane += 3)
        c.a[lane] = 1;
    if (!fast_get()->eval(fast_get()->state, &c, 1, &r, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    printf("ballot of every third lane: 0x%08x\n", (unsigned)r.d[0]);
    return r.d[0] == 0x49249249u ? 0 : 1;
}
