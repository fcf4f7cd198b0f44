/*
 * Tables of constants from a formula: FAST_LIST_32(LANE) is LANE(0), LANE(1) .. LANE(31), and FAST_ALL_32(HOLDS) is
 * true where HOLDS is for each of 0..31, for static assertions. The formula is a macro of one argument, the index.
 */
#ifndef WARPCHECK_FAST_TABLES_H
#define WARPCHECK_FAST_TABLES_H

#define FAST_LIST_4_AT(f, i) f(i), f((i) + 1), f((i) + 2), f((i) + 3)
#define FAST_LIST_16_AT(f, i)                                                                                          \
    FAST_LIST_4_AT(f, i), FAST_LIST_4_AT(f, i + 4), FAST_LIST_4_AT(f, i + 8), FAST_LIST_4_AT(f, i + 12)
#define FAST_LIST_4(f)  FAST_LIST_4_AT(f, 0)
#define FAST_LIST_8(f)  FAST_LIST_4_AT(f, 0), FAST_LIST_4_AT(f, 4)
#define FAST_LIST_16(f) FAST_LIST_16_AT(f, 0)
#define FAST_LIST_32(f) FAST_LIST_16_AT(f, 0), FAST_LIST_16_AT(f, 16)

/* For functions that are macros in some compilers' headers: the list becomes the arguments before the function is
 * called. */
#define FAST_CALL(function, ...) function(__VA_ARGS__)

#define FAST_ALL_4_AT(f, i)      ((f(i)) && (f((i) + 1)) && (f((i) + 2)) && (f((i) + 3)))
#define FAST_ALL_8_AT(f, i)      (FAST_ALL_4_AT(f, i) && FAST_ALL_4_AT(f, (i) + 4))
#define FAST_ALL_16(f)           (FAST_ALL_8_AT(f, 0) && FAST_ALL_8_AT(f, 8))
#define FAST_ALL_32(f)           (FAST_ALL_16(f) && FAST_ALL_8_AT(f, 16) && FAST_ALL_8_AT(f, 24))

#define FAST_NUMBER(i)           (i) /* 0, 1, 2 ... */
#define FAST_BIT(i)              (1u << (i))

#endif
