#include "choices.h"

/* ---- words ---- */

static uint32_t special_word(struct words *s)
{
    return warp_special_words[next_below(s, (uint32_t)warp_special_words_count)];
}

static uint32_t special_float(struct words *s)
{
    return warp_special_floats[next_below(s, (uint32_t)warp_special_floats_count)];
}

/* One word for a whole warp: small, special or any. */
static uint32_t choose_value(struct choices *choices)
{
    switch (choose_among(choices, 4)) {
    case 0:
        return choose_among(choices, 32);
    case 1:
        return warp_special_words[choose_among(choices, (uint32_t)warp_special_words_count)];
    case 2:
        return warp_special_floats[choose_among(choices, (uint32_t)warp_special_floats_count)];
    default:
        return choose_word(choices);
    }
}

static void make_progression(struct choices *choices, uint32_t operand[WARP_LANES])
{
    uint32_t first = choose(choices);
    uint32_t step = 1 + choose(choices);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = first + step * lane;
}

static void make_few_values(struct choices *choices, uint32_t operand[WARP_LANES])
{
    const uint32_t n = 2 + choose_among(choices, 3);
    uint32_t values[4] = {0};
    struct words s;
    for (uint32_t i = 0; i < n; i++)
        values[i] = choose_value(choices);
    s = choose_words(choices);
    const uint32_t v0 = values[0], v1 = values[1], v2 = values[2], v3 = values[3];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t i = next_below(&s, n);
        operand[lane] = i == 0 ? v0 : i == 1 ? v1 : i == 2 ? v2 : v3; /* vectors can choose, and seldom look up */
    }
}

static void make_one_odd(struct choices *choices, uint32_t operand[WARP_LANES])
{
    uint32_t value = choose_value(choices);
    uint32_t odd = choose_among(choices, 32);
    fill(operand, value);
    operand[odd] = choose_among(choices, 2) == 0 ? value ^ 1u << choose_among(choices, 32) : choose_value(choices);
}

static void make_words(struct choices *choices, uint32_t operand[WARP_LANES])
{
    struct words s;
    s = choose_words(choices);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = next_word(&s);
}

static void make_special_words(struct choices *choices, uint32_t operand[WARP_LANES])
{
    struct words s = choose_words(choices);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = special_word(&s);
}

static void make_special_floats(struct choices *choices, uint32_t operand[WARP_LANES])
{
    struct words s = choose_words(choices);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = special_float(&s);
}

/* Small numbers of both signs. */
static void make_small(struct choices *choices, uint32_t operand[WARP_LANES])
{
    struct words s = choose_words(choices);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = next_below(&s, 16) - 8u;
}

/* One bit set, or one bit clear: what shows in and, or, xor. */
static void make_single_bits(struct choices *choices, uint32_t operand[WARP_LANES])
{
    const uint32_t inverted = choose_among(choices, 2) == 0 ? 0u : UINT32_MAX;
    struct words s = choose_words(choices);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = (1u << next_below(&s, 32)) ^ inverted;
}

static void make_source_words(struct choices *choices, uint32_t operand[WARP_LANES])
{
    switch (choose_among(choices, 16)) {
    case 0:
    case 1:
        make_progression(choices, operand);
        break;
    case 2:
        fill(operand, choose_value(choices));
        break;
    case 3:
        make_one_odd(choices, operand);
        break;
    case 4:
    case 5:
    case 6:
        make_few_values(choices, operand);
        break;
    case 7:
    case 8:
    case 9:
        make_words(choices, operand);
        break;
    case 10:
    case 11:
        make_special_words(choices, operand);
        break;
    case 12:
        make_special_floats(choices, operand);
        break;
    case 13:
        make_small(choices, operand);
        break;
    case 14:
        make_single_bits(choices, operand);
        break;
    default:
        choose_operand(choices, operand);
        break;
    }
}

/* ---- floats ---- */

enum float_kind { ZEROS, NANS, NUMBERS, SUBNORMALS, INFINITIES, FLOAT_KINDS };

#define SIGN     0x80000000u
#define FRACTION 0x007fffffu
#define EXPONENT 23 /* its lowest bit */

/* The floats of a kind: a random word's bits in `keep`, and then `add`. A NaN's fraction is not 0. */
static const struct float_bits {
    uint32_t keep, add, least;
} float_kinds[FLOAT_KINDS] = {
    [ZEROS] = {SIGN, 0, 0},
    [NANS] = {SIGN | FRACTION, 255u << EXPONENT, 1},
    [NUMBERS] = {SIGN | 15u << EXPONENT | FRACTION, 119u << EXPONENT, 0}, /* 2^-8 to 2^8 */
    [SUBNORMALS] = {SIGN | FRACTION, 0, 0},
    [INFINITIES] = {SIGN, 255u << EXPONENT, 0},
};

static uint32_t float_of(uint32_t keep, uint32_t add, uint32_t least, uint32_t word)
{
    const uint32_t bits = (word & keep) + add;
    return bits | ((bits & FRACTION) == 0 ? least : 0u);
}

/* Mostly values of one kind, with lanes of another kind between them. */
static void make_float_mix(struct choices *choices, enum float_kind most, enum float_kind some,
                           uint32_t operand[WARP_LANES])
{
    const struct float_bits m = float_kinds[most], o = float_kinds[some];
    struct words s = choose_words(choices);
    const lanemask others = next_word(&s) & next_word(&s) & next_word(&s);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = float_of(word_of(others, lane, o.keep, m.keep), word_of(others, lane, o.add, m.add),
                                 word_of(others, lane, o.least, m.least), next_word(&s));
}

static void make_one_odd_float(struct choices *choices, enum float_kind most, enum float_kind odd,
                               uint32_t operand[WARP_LANES])
{
    uint32_t lane = choose_among(choices, 32);
    make_float_mix(choices, most, most, operand);
    const struct float_bits o = float_kinds[odd];
    operand[lane] = float_of(o.keep, o.add, o.least, operand[lane]);
}

static void make_source_floats(struct choices *choices, uint32_t operand[WARP_LANES])
{
    enum float_kind some;
    switch (choose_among(choices, 16)) {
    case 0: /* 1 to 2, rising */
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            operand[lane] = 0x3f800000u + ((uint32_t)lane << 18);
        break;
    case 1:
    case 2:
    case 3:
        make_special_floats(choices, operand);
        break;
    case 4:
    case 5:
        make_few_values(choices, operand);
        break;
    case 6:
        make_float_mix(choices, NANS, NANS, operand);
        break;
    case 7:
        make_one_odd_float(choices, NUMBERS, NANS, operand);
        break;
    case 8:
        make_one_odd_float(choices, NANS, NUMBERS, operand);
        break;
    case 9:
        make_float_mix(choices, ZEROS, ZEROS, operand);
        break;
    case 10:
        some = (enum float_kind)choose_among(choices, FLOAT_KINDS);
        make_float_mix(choices, ZEROS, some, operand);
        break;
    case 11:
        some = (enum float_kind)choose_among(choices, FLOAT_KINDS);
        make_float_mix(choices, NUMBERS, some, operand);
        break;
    case 12:
        some = (enum float_kind)choose_among(choices, FLOAT_KINDS);
        make_float_mix(choices, SUBNORMALS, some, operand);
        break;
    case 13:
        make_words(choices, operand);
        break;
    case 14:
        make_one_odd(choices, operand);
        break;
    default:
        choose_operand(choices, operand);
        break;
    }
}

/* ---- predicates ---- */

static lanemask choose_predicates(struct choices *choices)
{
    struct words s;
    switch (choose_among(choices, 8)) {
    case 0:
        return 0;
    case 1:
        return UINT32_MAX;
    case 2:
        return (lanemask)1 << choose_among(choices, 32);
    case 3:
        return ~((lanemask)1 << choose_among(choices, 32));
    case 4: /* in each tile of 8 alike: all of one kind, or all but one lane */
        return 0xff00ff00u ^ (choose(choices) & 3u) * 0x00ff00ffu;
    case 5:
        return choose_word(choices);
    default:
        s = choose_words(choices);
        return next_word(&s);
    }
}

static void make_predicates(struct choices *choices, uint32_t operand[WARP_LANES])
{
    const lanemask predicates = choose_predicates(choices);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = word_of(predicates, lane, 1u, 0u);
}

/* ---- the source ---- */

/* Values that differ in their low half, in their high half, in both alike, or in both. */
static void make_source_pairs(struct choices *choices, struct warp_case *c)
{
    switch (choose_among(choices, 4)) {
    case 0:
        make_source_words(choices, c->a);
        fill(c->a_high, choose_value(choices));
        break;
    case 1:
        make_source_words(choices, c->a_high);
        fill(c->a, choose_value(choices));
        break;
    case 2:
        make_source_words(choices, c->a);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            c->a_high[lane] = c->a[lane] * 0x9e3779b1u;
        break;
    default:
        make_source_words(choices, c->a);
        make_source_words(choices, c->a_high);
        break;
    }
}

void generate_source(struct choices *choices, enum warp_type type, struct warp_case *c)
{
    if (type != WARP_B64)
        fill(c->a_high, 0);
    switch (type) {
    case WARP_PRED:
        make_predicates(choices, c->a);
        break;
    case WARP_F32:
        make_source_floats(choices, c->a);
        break;
    case WARP_B64:
        make_source_pairs(choices, c);
        break;
    case WARP_NO_SOURCE:
        fill(c->a, 0);
        break;
    case WARP_B32:
    case WARP_U32:
    case WARP_S32:
        make_source_words(choices, c->a);
        break;
    }
}
