/* What is measured. */
#define _DEFAULT_SOURCE /* sysconf's cache sizes */
#include "bench.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const bench_level_names[BENCH_LEVELS] = {"L1", "L2", "memory"};

#define MATCH(bits, values)                                                                                            \
    {                                                                                                                  \
        "match.any.b" #bits ", " #values " values", WARP_MATCH_ANY_SYNC_B##bits, WARP_DST_D, BENCH_FULL, false, values \
    }

static const struct bench_operation operations[] = {
    {"shfl.idx", WARP_SHFL_SYNC_IDX_B32, WARP_DST_D_P, BENCH_FULL, false, 0},
    {"shfl.up", WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P, BENCH_FULL, false, 0},
    {"shfl.down", WARP_SHFL_SYNC_DOWN_B32, WARP_DST_D_P, BENCH_FULL, false, 0},
    {"shfl.bfly", WARP_SHFL_SYNC_BFLY_B32, WARP_DST_D_P, BENCH_FULL, false, 0},
    {"shfl.idx, uniform", WARP_SHFL_SYNC_IDX_B32, WARP_DST_D_P, BENCH_FULL, true, 0},
    {"shfl.bfly, uniform", WARP_SHFL_SYNC_BFLY_B32, WARP_DST_D_P, BENCH_FULL, true, 0},
    {"shfl.idx, masks", WARP_SHFL_SYNC_IDX_B32, WARP_DST_D_P, BENCH_PER_WARP, false, 0},
    {"shfl.idx, lane masks", WARP_SHFL_SYNC_IDX_B32, WARP_DST_D_P, BENCH_PER_LANE, false, 0},
    {"shfl.idx, 4 groups", WARP_SHFL_SYNC_IDX_B32, WARP_DST_D_P, BENCH_GROUPS, false, 0},
    {"shfl.idx, other 4 groups", WARP_SHFL_SYNC_IDX_B32, WARP_DST_D_P, BENCH_OTHERS, false, 0},
    {"vote.ballot", WARP_VOTE_SYNC_BALLOT_B32, WARP_DST_D, BENCH_FULL, false, 0},
    {"vote.all", WARP_VOTE_SYNC_ALL_PRED, WARP_DST_D, BENCH_FULL, false, 0},
    {"vote.all, masks", WARP_VOTE_SYNC_ALL_PRED, WARP_DST_D, BENCH_PER_WARP, false, 0},
    {"vote.all, 4 groups", WARP_VOTE_SYNC_ALL_PRED, WARP_DST_D, BENCH_GROUPS, false, 0},
    {"vote.all, other 4 groups", WARP_VOTE_SYNC_ALL_PRED, WARP_DST_D, BENCH_OTHERS, false, 0},
    MATCH(32, 1),
    MATCH(32, 2),
    MATCH(32, 3),
    MATCH(32, 4),
    MATCH(32, 8),
    MATCH(32, 32),
    MATCH(64, 1),
    MATCH(64, 2),
    MATCH(64, 4),
    MATCH(64, 32),
    {"match.any.b32, 4 groups", WARP_MATCH_ANY_SYNC_B32, WARP_DST_D, BENCH_GROUPS, false, 4},
    {"match.any.b32, other 4 groups", WARP_MATCH_ANY_SYNC_B32, WARP_DST_D, BENCH_OTHERS, false, 4},
    {"match.all.b32", WARP_MATCH_ALL_SYNC_B32, WARP_DST_D_P, BENCH_FULL, false, 1},
    {"match.all.b64", WARP_MATCH_ALL_SYNC_B64, WARP_DST_D_P, BENCH_FULL, false, 1},
    {"match.all.b32, 4 groups", WARP_MATCH_ALL_SYNC_B32, WARP_DST_D_P, BENCH_GROUPS, false, 1},
    {"match.all.b32, other 4 groups", WARP_MATCH_ALL_SYNC_B32, WARP_DST_D_P, BENCH_OTHERS, false, 1},
    {"redux.add", WARP_REDUX_SYNC_ADD_U32, WARP_DST_D, BENCH_FULL, false, 0},
    {"redux.min.s32", WARP_REDUX_SYNC_MIN_S32, WARP_DST_D, BENCH_FULL, false, 0},
    {"redux.xor", WARP_REDUX_SYNC_XOR_B32, WARP_DST_D, BENCH_FULL, false, 0},
    {"redux.add, masks", WARP_REDUX_SYNC_ADD_U32, WARP_DST_D, BENCH_PER_WARP, false, 0},
    {"redux.add, 4 groups", WARP_REDUX_SYNC_ADD_U32, WARP_DST_D, BENCH_GROUPS, false, 0},
    {"redux.add, other 4 groups", WARP_REDUX_SYNC_ADD_U32, WARP_DST_D, BENCH_OTHERS, false, 0},
    {"redux.min.f32", WARP_REDUX_SYNC_MIN_F32, WARP_DST_D, BENCH_FULL, false, 0},
    {"redux.max.abs.NaN.f32", WARP_REDUX_SYNC_MAX_ABS_NAN_F32, WARP_DST_D, BENCH_FULL, false, 0},
};

const struct bench_operation *bench_operation_get(size_t i)
{
    return i < sizeof operations / sizeof operations[0] ? &operations[i] : NULL;
}

#define ROW   (WARP_LANES * sizeof(uint32_t))
#define WORD  sizeof(uint32_t)
#define ALIGN 64u

/* Which arrays an operation has. */
struct needs {
    bool a_high, b, c, member_rows, member_words, d, d_defined, p;
};

static struct needs needs_of(const struct bench_operation *op)
{
    const struct warp_form_info *info = warp_form_get(op->form);
    struct needs n = {0};
    n.a_high = info->type == WARP_B64;
    n.b = n.c = warp_form_is_shfl(info);
    n.member_rows = op->members >= BENCH_PER_LANE;
    n.member_words = op->members == BENCH_PER_WARP;
    n.d = warp_form_writes_d(info, op->dst);
    n.p = warp_form_writes_p(info, op->dst);
    n.d_defined = warp_form_is_shfl(info); /* elsewhere it says no more than the outcome, which is not asked for */
    return n;
}

static size_t bytes_of(const struct bench_operation *op)
{
    const struct needs n = needs_of(op);
    const size_t operand = op->uniform ? WORD : ROW;
    return ROW + (n.a_high ? ROW : 0) + (n.b ? operand : 0) + (n.c ? operand : 0) + (n.member_rows ? ROW : 0) +
           (n.member_words ? 2 * WORD : 0) + (n.d ? ROW : 0) + (n.d_defined ? WORD : 0) + (n.p ? WORD : 0);
}

/* Three quarters of the first-level cache: what a call costs by itself counts less, and the stack has room beside. */
static size_t first_level_room(void)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
    const long size = sysconf(_SC_LEVEL1_DCACHE_SIZE);
    if (size > 0)
        return (size_t)size / 4 * 3;
#endif
    return 24u << 10; /* of 32 KiB, which no processor with vectors falls short of */
}

size_t bench_data_warps(const struct bench_operation *operation, enum bench_level level)
{
    const size_t room[BENCH_LEVELS] = {first_level_room(), 256u << 10, 160u << 20};
    return room[level] / bytes_of(operation);
}

/* Cuts the memory into arrays. */
struct cutter {
    uint32_t *at;
};

static uint32_t *cut(struct cutter *cutter, bool wanted, size_t words)
{
    uint32_t *array = cutter->at;
    if (!wanted)
        return NULL;
    cutter->at += (words + ALIGN / WORD - 1) / (ALIGN / WORD) * (ALIGN / WORD);
    return array;
}

static void fill_a(const struct bench_operation *op, size_t n, uint32_t *a, uint32_t *a_high, struct random *seed)
{
    const enum warp_type type = warp_form_get(op->form)->type;
    for (size_t w = 0; w < n; w++) {
        const uint32_t base = random_word(seed);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            uint32_t x = random_word(seed);
            if (type == WARP_PRED)
                x &= 1u;
            else if (op->distinct !=
                     0) /* each value occurs; they differ in all bits, and by the high half alone in .b64 */
                x = (base + (lane < op->distinct ? lane : x % op->distinct)) * 0x9e3779b1u;
            a[w * WARP_LANES + lane] = x;
            if (a_high != NULL) {
                a_high[w * WARP_LANES + lane] = op->distinct != 0 ? x : random_word(seed);
                a[w * WARP_LANES + lane] = op->distinct != 0 ? base : x;
            }
        }
    }
}

/* Four groups, each of at least one lane. */
static void fill_groups(uint32_t row[WARP_LANES], struct random *seed)
{
    lanemask lanes[4] = {0};
    unsigned group[WARP_LANES];
    const unsigned turn = random_word(seed) % WARP_LANES;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const unsigned lane = (i + turn) % WARP_LANES;
        group[lane] = i < 4 ? i : random_word(seed) % 4;
        lanes[group[lane]] |= 1u << lane;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        row[lane] = lanes[group[lane]];
}

static void fill_masks(const struct bench_operation *op, size_t n, uint32_t *rows, uint32_t *words, uint32_t *active,
                       struct random *seed)
{
    for (size_t w = 0; w < n; w++) {
        const lanemask one = random_word(seed) | random_word(seed);
        if (words != NULL)
            words[w] = active[w] = one;
        if (op->members == BENCH_OTHERS)
            fill_groups(rows + w * WARP_LANES, seed);
        for (unsigned lane = 0; rows != NULL && op->members != BENCH_OTHERS && lane < WARP_LANES; lane++)
            rows[w * WARP_LANES + lane] = op->members == BENCH_GROUPS ? 0xffu << (lane & 24u) : UINT32_MAX;
    }
}

static void set_arrays(struct bench_data *data, struct cutter *cutter)
{
    const struct bench_operation *op = data->operation;
    const struct needs need = needs_of(op);
    const size_t n = data->n, row = WARP_LANES, operand = op->uniform ? 1 : row;
    struct random seed = {1};
    uint32_t *a = cut(cutter, true, n * row), *a_high = cut(cutter, need.a_high, n * row);
    uint32_t *b = cut(cutter, need.b, n * operand), *c = cut(cutter, need.c, n * operand);
    uint32_t *rows = cut(cutter, need.member_rows, n * row), *words = cut(cutter, need.member_words, n);
    uint32_t *active = cut(cutter, need.member_words, n);
    struct warp_batch *batch = &data->batch;
    fill_a(op, n, a, a_high, &seed);
    fill_masks(op, n, rows, words, active, &seed);
    for (size_t i = 0; b != NULL && i < n * operand; i++) {
        b[i] = random_word(&seed);
        c[i] = random_word(&seed);
    }
    batch->a = (struct warp_column){a, row, false};
    batch->a_high = (struct warp_column){a_high, row, false};
    batch->b = (struct warp_column){b, operand, op->uniform};
    batch->c = (struct warp_column){c, operand, op->uniform};
    batch->membermask = rows != NULL ? (struct warp_column){rows, row, false} : (struct warp_column){words, 1, true};
    batch->active = (struct warp_column){active, 1, true};
    batch->d = (struct warp_sink){cut(cutter, need.d, n * row), row};
    batch->p = (struct warp_sink){cut(cutter, need.p, n), 1};
    batch->d_defined = (struct warp_sink){cut(cutter, need.d_defined, n), 1};
}

static uint32_t element(const struct warp_column *column, size_t w, unsigned lane, uint32_t otherwise)
{
    if (column->values == NULL)
        return otherwise;
    return column->values[w * column->stride + (column->per_warp ? 0 : lane)];
}

static void set_cases(struct bench_data *data)
{
    const struct warp_batch *batch = &data->batch;
    for (size_t w = 0; w < data->cases_n; w++) {
        struct warp_case *c = &data->cases[w];
        warp_case_init(c, (enum warp_form)batch->form);
        c->target = batch->target;
        c->dst = batch->dst;
        c->active = element(&batch->active, w, 0, UINT32_MAX);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            c->a[lane] = element(&batch->a, w, lane, 0);
            c->a_high[lane] = element(&batch->a_high, w, lane, 0);
            c->b[lane] = element(&batch->b, w, lane, 0);
            c->c[lane] = element(&batch->c, w, lane, 0);
            c->membermask[lane] = element(&batch->membermask, w, lane, UINT32_MAX);
        }
    }
}

static void *aligned(size_t bytes)
{
    return aligned_alloc(ALIGN, (bytes + 4095) / ALIGN * ALIGN);
}

bool bench_data_init(struct bench_data *data, const struct bench_operation *operation, size_t n)
{
    struct cutter cutter;
    memset(data, 0, sizeof *data);
    data->operation = operation;
    data->n = n;
    data->bytes = bytes_of(operation);
    data->cases_n = n < 512 ? n : 512;
    data->batch.form = operation->form;
    data->batch.dst = operation->dst;
    data->batch.target =
        warp_form_get(operation->form)->type == WARP_F32 ? WARP_TARGET(100, WARP_SUFFIX_A) : WARP_TARGET(90, 0);
    data->memory = aligned(data->bytes * n + 16 * ALIGN);
    data->cases = aligned(data->cases_n * sizeof *data->cases);
    data->results = aligned(data->cases_n * sizeof *data->results);
    data->copy_from = aligned(data->bytes * n / 2);
    data->copy_to = aligned(data->bytes * n / 2);
    if (data->memory == NULL || data->cases == NULL || data->results == NULL || data->copy_from == NULL ||
        data->copy_to == NULL) {
        bench_data_free(data);
        return false;
    }
    memset(data->memory, 1, data->bytes * n + 16 * ALIGN); /* every page is there before it is timed */
    memset(data->copy_from, 1, data->bytes * n / 2);
    memset(data->copy_to, 2, data->bytes * n / 2);
    cutter.at = data->memory;
    set_arrays(data, &cutter);
    set_cases(data);
    return true;
}

void bench_data_free(struct bench_data *data)
{
    free(data->memory);
    free(data->cases);
    free(data->results);
    free(data->copy_from);
    free(data->copy_to);
    memset(data, 0, sizeof *data);
}
