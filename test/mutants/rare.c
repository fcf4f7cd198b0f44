/*
 * Rare mistakes, as a plugin of its own: right but for cases that few would draw at random. One row of a table each: a
 * constant in the code, a conjunction, a permutation, a relation between lanes, a pair of special values, an order of
 * cases, a place in a large call. They measure how far a campaign is led by the code under test (docs/fuzzing.md);
 * test/fuzz/rare.sh asks for each.
 */
#include "base.h"

#include <string.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

/* A case, and where it stands in its call. */
struct asked {
    const struct warp_case *c;
    const struct warp_form_info *info;
    const struct warp_result *r; /* the right one */
    size_t at, of;
    uint32_t *memory; /* 8 words, zero at first */
};

struct rare {
    const char *name, *what;
    bool (*goes_wrong)(const struct asked *q);
};

/* --- words that the rows use --- */

static uint32_t reversed5(uint32_t lane)
{
    return (lane & 1u) << 4 | (lane & 2u) << 2 | (lane & 4u) | (lane & 8u) >> 2 | lane >> 4;
}

static bool all_active(const struct asked *q)
{
    return q->r->done == UINT32_MAX;
}

static bool is_signalling(uint32_t bits)
{
    return is_nan(bits) && (bits & 0x400000u) == 0;
}

static bool is_ordinary(uint32_t bits)
{
    const uint32_t exponent = bits >> 23 & 255u;
    return exponent != 0 && exponent != 255;
}

static unsigned first_of(lanemask lanes)
{
    unsigned lane = 0;
    while (lane < 31 && (lanes >> lane & 1u) == 0)
        lane++;
    return lane;
}

/* In how many done lanes a is this. */
static unsigned lanes_with(const struct asked *q, uint32_t a)
{
    unsigned count = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        count += in_mask(q->r->done, i) && q->c->a[i] == a;
    return count;
}

static unsigned lanes_that(const struct asked *q, bool (*fits)(uint32_t bits))
{
    unsigned count = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        count += in_mask(q->r->done, i) && fits(q->c->a[i]);
    return count;
}

/* Are the classes of equal a of these sizes, each once? */
static bool has_classes(const struct asked *q, const uint8_t *sizes, unsigned count)
{
    unsigned classes = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        bool known = false, fits = false;
        unsigned size = 0;
        for (unsigned k = 0; k < i; k++)
            known |= q->c->a[k] == q->c->a[i];
        if (known)
            continue;
        classes++;
        size = lanes_with(q, q->c->a[i]);
        for (unsigned k = 0; k < count; k++)
            fits |= sizes[k] == size;
        if (!fits)
            return false;
    }
    return all_active(q) && classes == count;
}

static bool reads(const struct asked *q, enum warp_op op, uint32_t (*from)(uint32_t lane))
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (q->info->op != op || (q->c->b[i] & 31u) != (from(i) & 31u))
            return false;
    return all_active(q);
}

static uint32_t gray(uint32_t lane)
{
    return lane ^ lane >> 1;
}

static uint32_t turned_by_11(uint32_t lane)
{
    return lane + 11;
}

static uint32_t shuffled(uint32_t lane)
{
    return lane << 1 | lane >> 4;
}

static uint32_t times_5(uint32_t lane)
{
    return 5 * lane;
}

static uint32_t backwards(uint32_t lane)
{
    return 31 - lane;
}

static bool is_family(const struct asked *q, enum warp_family family)
{
    return q->info->family == family;
}

/* How many different membermasks done lanes have. */
static unsigned groups(const struct asked *q)
{
    unsigned count = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        bool known = !in_mask(q->r->done, i);
        for (unsigned k = 0; k < i; k++)
            known |= in_mask(q->r->done, k) && q->c->membermask[k] == q->c->membermask[i];
        count += !known;
    }
    return count;
}

static uint32_t member0(const struct asked *q)
{
    return warp_form_is_sync(q->info) && q->r->done != 0 ? q->c->membermask[first_of(q->r->done)] : 0;
}

/* --- the rows --- */

#define ROW(id) static bool id(const struct asked *q)

ROW(mask_constant)
{
    return member0(q) == 0x6b3a90c5u;
}
ROW(a_constant)
{
    return q->c->a[0] == 0x1badb002u && q->r->done != 0;
}
ROW(a64_constant)
{
    return q->info->type == WARP_B64 && warp_case_a64(q->c, 5) == 0x0123456789abcdefu && in_mask(q->r->done, 5);
}
ROW(a_bytes)
{
    const uint32_t a = q->c->a[2];
    return (a & 255u) == 'W' && (a >> 8 & 255u) == 'A' && (a >> 16 & 255u) == 'R' && a >> 24 == 'P' && q->r->done != 0;
}
ROW(a_two_constants)
{
    return q->c->a[3] == 0x5ca1ab1eu && q->c->a[17] == 0x0ddba115u && in_mask(q->r->done, 3);
}
ROW(a_halves)
{
    return q->c->a[0] >> 16 == 0xbeefu && (q->c->a[1] & 0xffffu) == 0xf00du && all_active(q);
}
ROW(a_multiplied)
{
    return q->c->a[0] * 2654435761u >> 20 == 0x7abu && (q->c->a[0] & 7u) == 5 && q->r->done != 0;
}
ROW(mask_and_a)
{
    return member0(q) == 0x00f3c11bu && q->c->a[first_of(q->r->done)] == 0x80000001u;
}
ROW(active_ends)
{
    return q->c->active == 0x80000001u && q->r->done == q->c->active;
}
ROW(active_stripes)
{
    return is_family(q, WARP_ACTIVEMASK) && q->c->active == 0x00ff00ffu;
}
ROW(exited_odd)
{
    return q->c->exited == 0xaaaaaaaau && q->r->done == 0x55555555u;
}
ROW(upper_half_exited)
{
    return q->c->exited == 0xffff0000u && q->c->active == 0xffffu && member0(q) == UINT32_MAX &&
           q->info->op == WARP_BALLOT && q->c->negate;
}
ROW(two_lanes)
{
    return member0(q) == (1u << 3 | 1u << 28) && groups(q) == 1;
}
ROW(two_tiles)
{
    return member0(q) == (0xfu << 8 | 0xffu << 24) && q->r->done == member0(q);
}
ROW(seventeen_lanes)
{
    return lanes_in(q->c->active) == 17 && first_of(q->c->active) == 5 && q->r->done == q->c->active;
}
ROW(five_groups)
{
    return groups(q) == 5 && q->r->done == UINT32_MAX;
}
ROW(nine_wait)
{
    return lanes_in(q->r->waiting) == 9 && lanes_in(q->r->done) == 5;
}
ROW(lane_names_itself) /* every lane alone, but for a pair */
{
    return groups(q) == 31 && q->r->done == UINT32_MAX;
}
ROW(bit_reversal)
{
    return reads(q, WARP_IDX, reversed5);
}
ROW(gray_code)
{
    return reads(q, WARP_IDX, gray);
}
ROW(turn_by_11)
{
    return reads(q, WARP_IDX, turned_by_11);
}
ROW(perfect_shuffle)
{
    return reads(q, WARP_IDX, shuffled);
}
ROW(step_of_5)
{
    return reads(q, WARP_IDX, times_5);
}
ROW(backwards_idx)
{
    return reads(q, WARP_IDX, backwards);
}
ROW(b_wraps)
{
    return q->info->op == WARP_UP && q->c->b[4] == 0xffffffe3u && in_mask(q->r->done, 4);
}
ROW(one_c_apart)
{
    return q->info->op == WARP_DOWN && q->c->b[7] == 13 && q->c->c[7] == 0x1c03u && in_mask(q->r->done, 7);
}
ROW(classes_of_powers)
{
    return has_classes(q, (const uint8_t[]){1, 2, 4, 8, 17}, 5) && is_family(q, WARP_MATCH_SYNC);
}
ROW(classes_of_primes)
{
    return has_classes(q, (const uint8_t[]){3, 5, 7, 17}, 4) && is_family(q, WARP_MATCH_SYNC);
}
ROW(two_classes_of_16)
{
    return has_classes(q, (const uint8_t[]){16}, 2) && q->c->a[0] == 0xc0de0000u;
}
ROW(infinity_beside_nan)
{
    return q->info->type == WARP_F32 && lanes_with(q, 0xff800000u) == 1 && lanes_that(q, is_signalling) == 1 &&
           lanes_that(q, is_ordinary) + 2 == lanes_in(q->r->done) && lanes_in(q->r->done) > 4;
}
ROW(zero_beside_subnormal)
{
    return q->info->type == WARP_F32 && lanes_with(q, 0x80000000u) == 1 && lanes_with(q, 1) == 1 &&
           lanes_that(q, is_ordinary) + 2 == lanes_in(q->r->done) && q->info->op == WARP_MIN;
}
ROW(least_beside_most)
{
    return q->info->type == WARP_S32 && lanes_with(q, 0x80000000u) == 1 && lanes_with(q, 0x7fffffffu) == 1 &&
           all_active(q);
}
ROW(lanes_related)
{
    return q->c->a[3] == (q->c->a[7] ^ 0x5555aaaau) && q->r->done != 0 && q->c->a[3] != 0;
}
ROW(lanes_add_up)
{
    return q->c->a[0] + q->c->a[31] == 0x12345678u && q->r->done != 0;
}
ROW(all_add_up)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        sum += in_mask(q->r->done, i) ? q->c->a[i] : 0;
    return sum == 0xdeadbeefu;
}
ROW(all_xor)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        sum ^= q->c->a[i];
    return sum == 0xcafebabeu && all_active(q);
}
ROW(b_is_a)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        if (!warp_form_is_shfl(q->info) || q->c->a[i] != q->c->b[i])
            return false;
    return all_active(q) && q->c->a[0] != q->c->a[1];
}
ROW(mask_is_not_a)
{
    return member0(q) != 0 && member0(q) == ~q->c->a[first_of(q->r->done)] && q->info->type != WARP_PRED;
}
ROW(falling)
{
    for (unsigned i = 1; i < WARP_LANES; i++)
        if ((int32_t)q->c->a[i] >= (int32_t)q->c->a[i - 1])
            return false;
    return all_active(q);
}
ROW(one_bit_each)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        if (q->c->a[i] != 1u << i)
            return false;
    return all_active(q);
}
ROW(palindrome)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        if (q->c->a[i] != q->c->a[31 - i] || (i > 0 && i < 16 && q->c->a[i] == q->c->a[i - 1]))
            return false;
    return all_active(q) && q->info->type != WARP_PRED;
}
ROW(counts_its_bits)
{
    for (unsigned i = 0; i < 8; i++)
        if (lanes_in(q->c->a[i]) != i)
            return false;
    return q->r->done != 0;
}
ROW(sum_is_least)
{
    return q->info->op == WARP_ADD && q->r->done != 0 && q->r->d[first_of(q->r->done)] == 0x80000000u;
}
ROW(top_bit_apart)
{
    for (unsigned i = 0; i < 31; i++)
        if (q->info->type != WARP_B64 || warp_case_a64(q->c, i) != (warp_case_a64(q->c, 31) ^ (uint64_t)1 << 63))
            return false;
    return all_active(q);
}
ROW(target_and_sink)
{
    return q->c->target == WARP_TARGET(103, WARP_SUFFIX_A) && q->c->dst == WARP_DST_D_SINK &&
           q->info->op == WARP_BFLY && q->c->b[9] == 21 && q->r->done != 0;
}
ROW(same_again) /* the case of before, once more */
{
    const bool same = q->memory[0] == q->c->a[0] && q->memory[1] == member0(q) && q->memory[2] == q->c->form;
    q->memory[3] = same ? q->memory[3] + 1 : 0;
    q->memory[0] = q->c->a[0];
    q->memory[1] = member0(q);
    q->memory[2] = q->c->form;
    return q->memory[3] == 6 && q->r->done != 0;
}
ROW(four_in_order) /* 0, 1, 2, 3 in the low bits of a[0] of cases that follow each other */
{
    q->memory[0] = (q->c->a[0] & 15u) == q->memory[0] ? q->memory[0] + 1 : 0;
    if (q->memory[0] < 4)
        return false;
    q->memory[0] = 0;
    return q->r->done != 0;
}
ROW(vote_after_redux)
{
    const bool after = q->memory[0] == WARP_REDUX_SYNC && is_family(q, WARP_VOTE_SYNC) && q->memory[1] == member0(q);
    q->memory[0] = q->info->family;
    q->memory[1] = member0(q);
    return after && member0(q) != 0;
}
ROW(seen_before_last) /* words 1 and 2: of the case before; 3 and 4: of the one before that */
{
    const uint32_t *const before = q->memory + 1, *const earlier = q->memory + 3;
    const uint32_t now[2] = {q->c->form, q->c->a[0] ^ q->c->a[1] * 3u};
    const bool again = q->at > 1 && is_family(q, WARP_SHFL_SYNC) && memcmp(now, earlier, sizeof now) == 0 &&
                       now[0] != before[0] && q->c->a[0] != q->c->a[1];
    memcpy(q->memory + 3, q->memory + 1, sizeof now);
    memcpy(q->memory + 1, now, sizeof now);
    return again && q->r->done != 0;
}
ROW(three_forms) /* words 0 and 1: the forms of the two cases before */
{
    const bool third = q->at > 1 && q->c->form == WARP_REDUX_SYNC_XOR_B32 && q->memory[0] == WARP_MATCH_ANY_SYNC_B32 &&
                       q->memory[1] == WARP_VOTE_SYNC_UNI_PRED;
    q->memory[1] = q->memory[0];
    q->memory[0] = q->c->form;
    return third && q->r->done != 0;
}
ROW(lanes_from_to)
{
    const lanemask mask = member0(q);
    return q->c->form == WARP_SHFL_SYNC_DOWN_B32 && lanes_in(mask) == 19 && first_of(mask) == 3 && mask >> 29 == 1 &&
           q->r->done != 0;
}
ROW(far_in_a_call)
{
    return q->at == 63 && q->r->done != 0 && (q->c->a[0] & 63u) == 33;
}
ROW(large_call)
{
    return q->of >= 1000 && q->at + 1 == q->of && q->r->done != 0;
}
ROW(odd_call)
{
    return q->of == 37 && q->at == 36 && q->r->done != 0;
}

#define TELL(name, id, what)                                                                                           \
    {                                                                                                                  \
        name, what, id                                                                                                 \
    }
static const struct rare table[] = {
    TELL("mask-constant", mask_constant, "membermask is one constant"),
    TELL("a-constant", a_constant, "a of lane 0 is one constant"),
    TELL("a64-constant", a64_constant, "a of lane 5 is one constant of 64 bits"),
    TELL("a-bytes", a_bytes, "a of lane 2, byte by byte"),
    TELL("a-two-constants", a_two_constants, "a of two lanes, a constant each"),
    TELL("a-halves", a_halves, "half of a in one lane, half in another, all lanes done"),
    TELL("a-multiplied", a_multiplied, "some bits of a product, and others of a"),
    TELL("mask-and-a", mask_and_a, "one membermask with one value"),
    TELL("active-ends", active_ends, "lanes 0 and 31 alone are active"),
    TELL("active-stripes", active_stripes, "activemask of two tiles of 8"),
    TELL("exited-odd", exited_odd, "the odd lanes have exited, the even are done"),
    TELL("upper-half-exited", upper_half_exited, "negated ballot of half a warp whose mask names all"),
    TELL("two-lanes", two_lanes, "membermask of lanes 3 and 28"),
    TELL("two-tiles", two_tiles, "membermask of a tile of 4 and a tile of 8"),
    TELL("seventeen-lanes", seventeen_lanes, "17 active lanes from lane 5 on, all done"),
    TELL("five-groups", five_groups, "all lanes done, in five groups"),
    TELL("nine-wait", nine_wait, "nine lanes wait, five are done"),
    TELL("thirty-one-groups", lane_names_itself, "all lanes done, in 31 groups"),
    TELL("bit-reversal", bit_reversal, "idx by bit reversal"),
    TELL("gray-code", gray_code, "idx by Gray's code"),
    TELL("turn-by-11", turn_by_11, "idx of 11 lanes further"),
    TELL("perfect-shuffle", perfect_shuffle, "idx that mixes the halves"),
    TELL("step-of-5", step_of_5, "idx of every fifth lane"),
    TELL("backwards-idx", backwards_idx, "idx backwards"),
    TELL("b-wraps", b_wraps, "up by a negative number, in lane 4"),
    TELL("one-c-apart", one_c_apart, "down by 13 in lane 7 with one clamp and segment"),
    TELL("classes-of-powers", classes_of_powers, "match of classes of 1, 2, 4, 8 and 17 lanes"),
    TELL("classes-of-primes", classes_of_primes, "match of classes of 3, 5, 7 and 17 lanes"),
    TELL("two-classes-of-16", two_classes_of_16, "two classes of 16 lanes, one of a constant"),
    TELL("infinity-beside-nan", infinity_beside_nan, "-inf and a signalling NaN among ordinary values"),
    TELL("zero-beside-subnormal", zero_beside_subnormal, "min of -0 and the least subnormal among ordinary values"),
    TELL("least-beside-most", least_beside_most, "INT_MIN and INT_MAX once each"),
    TELL("lanes-related", lanes_related, "a of lane 3 is that of lane 7 but for a constant"),
    TELL("lanes-add-up", lanes_add_up, "a of lanes 0 and 31 have one sum"),
    TELL("all-add-up", all_add_up, "a of the done lanes has one sum"),
    TELL("all-xor", all_xor, "a of all lanes has one xor"),
    TELL("b-is-a", b_is_a, "b is a in all lanes, and not uniform"),
    TELL("mask-is-not-a", mask_is_not_a, "membermask is the complement of a"),
    TELL("falling", falling, "a falls from lane to lane"),
    TELL("one-bit-each", one_bit_each, "a is the lane's own bit"),
    TELL("palindrome", palindrome, "a reads the same from both ends"),
    TELL("counts-its-bits", counts_its_bits, "a of the first eight lanes has as many bits as the lane's number"),
    TELL("sum-is-least", sum_is_least, "redux.add gives INT_MIN"),
    TELL("top-bit-apart", top_bit_apart, "a of 64 bits differs in lane 31 alone, in the top bit"),
    TELL("target-and-sink", target_and_sink, "bfly for sm_103a with the value unused"),
    TELL("same-again", same_again, "seven cases in a row with the same form, mask and first value"),
    TELL("four-in-order", four_in_order, "0, 1, 2, 3 in a of lane 0 of cases in a row"),
    TELL("vote-after-redux", vote_after_redux, "a vote that follows a redux with its mask"),
    TELL("seen-before-last", seen_before_last, "shfl.sync, another form, and the first again"),
    TELL("three-forms", three_forms, "xor after match.any after vote.uni, in one call"),
    TELL("lanes-from-to", lanes_from_to, "down by a membermask of 19 lanes from 3 to 29"),
    TELL("far-in-a-call", far_in_a_call, "the 64th case of a call"),
    TELL("large-call", large_call, "the last case of a call of 1000 and more"),
    TELL("odd-call", odd_call, "the last case of a call of 37"),
};
#define ROWS (sizeof table / sizeof table[0])

/* A wrong value where one is seen, else a wrong outcome. */
static void spoil(const struct warp_case *c, struct warp_result *r)
{
    const unsigned lane = first_of(r->d_defined);
    if (r->d_defined != 0 && (c->dst == WARP_DST_D || c->dst == WARP_DST_D_P || c->dst == WARP_DST_D_SINK)) {
        r->d[lane] ^= 1u;
        return;
    }
    r->undefined |= r->done | r->waiting;
    r->done = r->waiting = 0;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    static const struct mutant right;
    static uint32_t memory[ROWS][8];
    const struct rare *const row = state;
    if (!base_eval((void *)(uintptr_t)&right, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct asked q = {&cases[i], warp_form_get(cases[i].form), &results[i], i, n, memory[row - table]};
        if (row->goes_wrong(&q))
            spoil(&cases[i], &results[i]);
    }
    return true;
}

const struct warp_impl *warpcheck_implementation(size_t i)
{
    static struct warp_impl impls[ROWS];
    if (i >= ROWS)
        return NULL;
    impls[i] = (struct warp_impl){.name = table[i].name,
                                  .description = table[i].what,
                                  .provides = WARP_PART_ALL,
                                  .state = (void *)(uintptr_t)&table[i], /* only read */
                                  .eval = eval};
    return &impls[i];
}
