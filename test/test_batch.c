/* check/batch.h: right batches agree; each kind of mistake, planted around a right implementation, is found. */
#include "check/batch.h"
#include "check/batch/fill.h"
#include "stream.h"
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define SEED 1u

_Static_assert(BATCH_LARGE_WARPS * sizeof(uint32_t[WARP_LANES]) >= FAST_STREAM_BYTES,
               "the large batches are those that fast streams");

/* --- planted mistakes: the batch is answered rightly, or nearly so --- */

static volatile uint32_t read_word; /* so that a read stays */

static size_t words_of(const struct warp_column *column, size_t n)
{
    return n == 0 ? 0 : (n - 1) * column->stride + (column->per_warp ? 1 : WARP_LANES);
}

static bool right(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    return fast_batch_eval(impl, b, error, size);
}

static bool reads_behind(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (b->a.values != NULL)
        read_word = b->a.values[words_of(&b->a, b->n)];
    return right(impl, b, error, size);
}

static bool reads_before(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (b->membermask.values != NULL)
        read_word = b->membermask.values[-1];
    return right(impl, b, error, size);
}

static bool reads_of_no_warp(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (b->active.values != NULL)
        read_word = b->active.values[0];
    return right(impl, b, error, size);
}

static bool writes_behind(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    if (b->d.values != NULL && b->n > 0)
        b->d.values[(b->n - 1) * b->d.stride + WARP_LANES] = 0;
    return true;
}

static bool writes_before(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    if (b->d.values != NULL && b->n > 0)
        b->d.values[-1] = 0;
    return true;
}

/* An operand that the next one writes, although it is not to be written: who may read it can change that. */
static unsigned written_operand;

static bool makes_writable(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    const struct warp_column *const columns[] = {&b->a,          &b->a_high, &b->b,     &b->c,
                                                 &b->membermask, &b->active, &b->exited};
    const uint32_t *const values = columns[written_operand]->values;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)values & ~(page - 1);
    if (!right(impl, b, error, size))
        return false;
    if (values != NULL && b->n > 0 && mprotect((void *)at, page, PROT_READ | PROT_WRITE) == 0)
        *(volatile uint32_t *)(uintptr_t)values ^= 1u;
    return true;
}

static bool takes_stride_33_for_32(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    struct warp_batch wrong = *b;
    if (wrong.a.stride == WARP_LANES + 1)
        wrong.a.stride = WARP_LANES;
    return right(impl, &wrong, error, size);
}

/* Looks at an operand that the form does not have. */
static bool looks_at_other_operands(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    if (b->b.values != NULL && !warp_form_is_shfl(warp_form_get(b->form)) && b->done.values != NULL && b->n > 0)
        b->done.values[0] ^= 1u;
    return true;
}

static bool writes_between(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    if (b->done.values != NULL && b->done.stride > 1 && b->n > 1)
        b->done.values[1] = 0;
    return true;
}

static bool writes_operand(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (b->exited.values != NULL && b->n > 0)
        *(volatile uint32_t *)(uintptr_t)b->exited.values = b->exited.values[0];
    return right(impl, b, error, size);
}

static bool takes_stride_2_for_1(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    struct warp_batch wrong = *b;
    if (wrong.active.stride == 2)
        wrong.active.stride = 1;
    return right(impl, &wrong, error, size);
}

static bool waiting_needs_undefined(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    for (size_t w = 0; b->waiting.values != NULL && b->undefined.values == NULL && b->waits_for.values == NULL &&
                       b->done.values == NULL && b->p.values == NULL && b->d.values == NULL && w < b->n;
         w++)
        b->waiting.values[w * b->waiting.stride] = 0;
    return true;
}

static bool forgets_strip_129(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    if (b->done.values != NULL && b->n == 129)
        b->done.values[128 * b->done.stride] ^= 1u;
    return true;
}

static bool forgets_the_large_tail(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    for (size_t w = b->n - b->n % FAST_STREAM_ROWS; b->n >= BATCH_LARGE_WARPS && w < b->n; w++)
        memset(b->d.values + w * b->d.stride, 0x55, WARP_LANES * sizeof(uint32_t));
    return true;
}

/* The last word before the next row, where rows are twice as far apart as they are long. */
static bool writes_in_wide_gaps(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    for (size_t w = 0; b->d.values != NULL && b->d.stride == 2 * (size_t)WARP_LANES && w + 1 < b->n; w++)
        b->d.values[w * b->d.stride + b->d.stride - 1] = 0;
    return true;
}

static bool writes_in_wide_gaps_of_large(const struct warp_impl *impl, const struct warp_batch *b, char *error,
                                         size_t size)
{
    return b->n >= BATCH_LARGE_WARPS ? writes_in_wide_gaps(impl, b, error, size) : right(impl, b, error, size);
}

static bool rounds_large_to_strips(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    struct warp_batch less = *b;
    if (b->n >= BATCH_LARGE_WARPS && b->n % FAST_STRIP != 0)
        less.n -= b->n % FAST_STRIP;
    return right(impl, &less, error, size);
}

/* Wrong where all lanes but one are active and in one group. */
static bool forgets_one_lane(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    for (size_t w = 0; b->done.values != NULL && w < b->n; w++)
        if (__builtin_popcount(b->done.values[w * b->done.stride]) == 31 && b->form == WARP_VOTE_SYNC_UNI_PRED)
            b->done.values[w * b->done.stride] ^= 1u;
    return true;
}

/* Wrong where a vote is true in all lanes but one. */
static bool takes_one_for_none(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (!right(impl, b, error, size))
        return false;
    for (size_t w = 0; b->d.values != NULL && b->form == WARP_VOTE_SYNC_BALLOT_B32 && w < b->n; w++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (__builtin_popcount(b->d.values[w * b->d.stride + lane]) == 31)
                b->d.values[w * b->d.stride + lane] = UINT32_MAX;
    return true;
}

/* Which votes the next one answers wrongly. */
static struct {
    uint32_t form;
    bool by_word, negated;
} odd_vote;

static bool source_is_true(const struct warp_batch *b, size_t w, unsigned lane)
{
    const uint32_t *row = b->a.values + w * b->a.stride;
    return (b->a.per_warp ? row[0] >> lane & 1u : row[lane] != 0) ^ (b->negate != 0);
}

/* Takes a vote for the other where one lane of a warp's group of many is alone in what it says. */
static bool overhears_one_voice(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    static lanemask done[512];
    struct warp_batch outcomes = *b;
    if (!right(impl, b, error, size))
        return false;
    if (b->form != odd_vote.form || b->a.per_warp != odd_vote.by_word || (b->negate != 0) != odd_vote.negated ||
        b->n > 512 || b->p.values == NULL)
        return true;
    outcomes.d = outcomes.waits_for = (struct warp_sink){NULL, 0};
    outcomes.p = outcomes.d_defined = outcomes.waiting = outcomes.undefined = outcomes.d;
    outcomes.done = (struct warp_sink){done, 1};
    if (!right(impl, &outcomes, error, size))
        return false;
    for (size_t w = 0; w < b->n; w++) {
        lanemask says = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            says |= (done[w] >> lane & 1u && source_is_true(b, w, lane) ? 1u : 0u) << lane;
        const unsigned yes = (unsigned)__builtin_popcount(says), all = (unsigned)__builtin_popcount(done[w]);
        if (all > 16 && (odd_vote.form == WARP_VOTE_SYNC_ANY_PRED ? yes == 1 : yes + 1 == all))
            b->p.values[w * b->p.stride] ^= done[w];
    }
    return true;
}

static bool leaves_d_of_votes(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    struct warp_batch less = *b;
    if (!warp_form_writes_d(warp_form_get(b->form), b->dst))
        less.d.values = NULL;
    return right(impl, &less, error, size);
}

static bool refuses(const struct warp_impl *impl, const struct warp_batch *b, char *error, size_t size)
{
    if (b->n != 33)
        return right(impl, b, error, size);
    snprintf(error, size, "33 is too many");
    return false;
}

static const struct {
    const char *name;
    warp_batch_fn eval;
    enum batch_fault fault;
} planted[] = {
    {"reads behind the last row", reads_behind, BATCH_CRASHED},
    {"reads before the first row", reads_before, BATCH_CRASHED},
    {"reads the masks of no warp", reads_of_no_warp, BATCH_CRASHED},
    {"writes behind the last row", writes_behind, BATCH_WROTE},
    {"writes before the first row", writes_before, BATCH_WROTE},
    {"takes a stride of 33 for 32", takes_stride_33_for_32, BATCH_WRONG},
    {"looks at operands of other forms", looks_at_other_operands, BATCH_WRONG},
    {"writes between rows", writes_between, BATCH_WROTE},
    {"writes an operand", writes_operand, BATCH_CRASHED},
    {"takes a stride of two for one", takes_stride_2_for_1, BATCH_WRONG},
    {"waiting only with other results", waiting_needs_undefined, BATCH_WRONG},
    {"forgets the warp behind a strip", forgets_strip_129, BATCH_WRONG},
    {"writes in gaps as wide as rows", writes_in_wide_gaps, BATCH_WROTE},
    {"writes in such gaps of large batches", writes_in_wide_gaps_of_large, BATCH_WROTE},
    {"rounds a large batch to whole strips", rounds_large_to_strips, BATCH_WRONG},
    {"forgets a lane where all but one are done", forgets_one_lane, BATCH_WRONG},
    {"takes all but one for all", takes_one_for_none, BATCH_WRONG},
    {"forgets the last rows of a large batch", forgets_the_large_tail, BATCH_WRONG},
    {"leaves d of instructions that write none", leaves_d_of_votes, BATCH_WRONG},
    {"refuses a size", refuses, BATCH_REFUSED},
};

/* --- tests --- */

static struct batch_bench *bench;
static struct batch_outcome outcome;

/* A bench asks by one function: another one takes another bench. */
static warp_batch_fn bench_eval;

static void open_bench(void)
{
    bench_eval = NULL;
    bench = NULL;
}

static bool agrees_from(warp_batch_fn eval, uint64_t seed, uint64_t trial)
{
    struct error error;
    if (eval != bench_eval) {
        batch_close(bench);
        bench = batch_open(fast_portable_get(), eval, &error);
        if (bench == NULL)
            fail_msg("%s", error.text);
        bench_eval = eval;
    }
    return batch_try(bench, seed, trial, spec_get(), &outcome);
}

static bool agrees(warp_batch_fn eval, uint64_t trial)
{
    return agrees_from(eval, SEED, trial);
}

static void right_batches_agree(void **state)
{
    (void)state;
    open_bench();
    for (uint64_t trial = 0; trial < BATCH_TRIALS; trial++)
        if (!agrees(right, trial))
            fail_msg("trial %u: %s", (unsigned)trial, outcome.what);
    batch_close(bench);
}

static bool is_of_large(warp_batch_fn eval)
{
    return eval == forgets_the_large_tail || eval == writes_in_wide_gaps_of_large || eval == rounds_large_to_strips;
}

/* Not by the luck of one seed: small batches of each of twelve find what is wrong for all lanes but one. */
static void every_seed_aims_at_all_but_one(void **state)
{
    const warp_batch_fn wrong[] = {forgets_one_lane, takes_one_for_none};
    (void)state;
    open_bench();
    for (uint64_t seed = 1; seed <= 12; seed++)
        for (unsigned i = 0; i < 2; i++) {
            const uint32_t form = i == 0 ? WARP_VOTE_SYNC_UNI_PRED : WARP_VOTE_SYNC_BALLOT_B32;
            bool found = false;
            for (uint64_t trial = form; trial < BATCH_SMALL && !found; trial += WARP_FORMS)
                found = !agrees_from(wrong[i], seed, trial);
            if (!found)
                fail_msg("seed %u does not find mistake %u", (unsigned)seed, i);
        }
    batch_close(bench);
}

/* The same for one lane that votes against all others, in whatever way the votes are given. */
static void every_seed_asks_for_one_voice(void **state)
{
    static const uint32_t forms[] = {WARP_VOTE_SYNC_ALL_PRED, WARP_VOTE_SYNC_ANY_PRED, WARP_VOTE_SYNC_UNI_PRED};
    (void)state;
    open_bench();
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (unsigned i = 0; i < 12; i++) {
            bool found = false;
            odd_vote.form = forms[i / 4];
            odd_vote.by_word = (i & 1u) != 0;
            odd_vote.negated = (i & 2u) != 0;
            bench_eval = NULL; /* its process began with the mistake before */
            batch_close(bench);
            bench = NULL;
            for (uint64_t trial = odd_vote.form; trial < BATCH_SMALL && !found; trial += WARP_FORMS)
                found = !agrees_from(overhears_one_voice, seed, trial);
            if (!found)
                fail_msg("seed %u does not find %s by %s%s", (unsigned)seed, warp_form_get(odd_vote.form)->name,
                         odd_vote.by_word ? "word" : "lane", odd_vote.negated ? ", negated" : "");
        }
    batch_close(bench);
}

/* The large batches end with steps and strips of many sizes. */
static void large_batches_end_differently(void **state)
{
    bool steps[FAST_STREAM_ROWS] = {false};
    unsigned count = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++)
        for (unsigned i = 0; i < BATCH_LARGE; i++) {
            char text[BATCH_TEXT_MAX], *at;
            size_t warps;
            batch_describe(seed, BATCH_SMALL + i, text);
            at = strstr(text, " warps");
            assert_non_null(at);
            while (at[-1] >= '0' && at[-1] <= '9')
                at--;
            warps = strtoul(at, NULL, 10);
            assert_true(warps >= BATCH_LARGE_WARPS);
            count += !steps[warps % FAST_STREAM_ROWS];
            steps[warps % FAST_STREAM_ROWS] = true;
        }
    assert_true(count >= FAST_STREAM_ROWS / 2);
}

/* Of every operand it is seen that it was written. */
static void no_operand_may_change(void **state)
{
    (void)state;
    open_bench();
    for (written_operand = 0; written_operand < COLUMNS; written_operand++) {
        bool found = false;
        bench_eval = NULL; /* its process began with the operand before */
        batch_close(bench);
        bench = NULL;
        for (uint64_t trial = 0; trial < BATCH_SMALL && !found; trial++)
            found = !agrees(makes_writable, trial) && outcome.fault == BATCH_WROTE;
        if (!found || strcmp(outcome.part, "operand") != 0)
            fail_msg("nobody sees that %s changes", batch_column_names[written_operand]);
    }
    batch_close(bench);
}

/* The first warps of a large batch of the form. */
static void first_warps(uint64_t seed, enum warp_form form, struct batch_layout *l, struct warp_case cases[512])
{
    uint32_t *words[COLUMNS] = {NULL};
    uint64_t trial = BATCH_SMALL;
    while (batch_form(seed, trial) != (uint32_t)form)
        assert_true(++trial < BATCH_SMALL + BATCH_LARGE);
    batch_layout(seed, trial, l);
    l->n = 512;
    for (unsigned i = 0; i < COLUMNS; i++)
        words[i] = calloc(batch_extent(&l->columns[i], l->n), sizeof(uint32_t));
    batch_fill(l, words);
    for (size_t w = 0; w < 512; w++)
        batch_case(l, (const uint32_t *const *)words, w, &cases[w]);
    for (unsigned i = 0; i < COLUMNS; i++)
        free(words[i]);
}

/* What stands in large batches, and how they lie, is what only they are for. */
static void large_batches_have_what_is_rare(void **state)
{
    static struct warp_case cases[512];
    struct batch_layout l;
    (void)state;
    unsigned asked = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        unsigned waiting = 0;
        first_warps(seed, WARP_MATCH_ANY_SYNC_B64, &l, cases); /* the sign bits of all values are set */
        for (size_t w = 0; w < 512; w++)
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                assert_true(cases[w].a[lane] >> 31 && cases[w].a_high[lane] >> 31);
        first_warps(seed, WARP_VOTE_SYNC_BALLOT_B32, &l, cases); /* mostly all lanes wait; rows are not aligned */
        assert_int_equal(l.sinks[SINK_D].skew, 1);
        const bool waits = l.columns[COLUMN_ACTIVE].present && !warp_target_needs_convergence(l.target);
        asked += waits;
        for (size_t w = 0; w < 512; w++) {
            struct warp_result r;
            assert_true(spec_get()->eval(spec_get()->state, &cases[w], 1, &r, NULL, 0));
            waiting += r.waiting != 0 && r.waiting == cases[w].active;
        }
        assert_true(waiting > 256 || !waits);
    }
    assert_true(asked > 1);
}

static void planted_mistakes_are_found(void **state)
{
    (void)state;
    open_bench();
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        char signature[FINDING_SIGNATURE_MAX];
        uint64_t trial = planted[i].fault != BATCH_CRASHED && is_of_large(planted[i].eval) ? BATCH_SMALL : 0;
        bool of_kind = false;
        for (; trial < BATCH_TRIALS && !of_kind; trial++)
            of_kind = !agrees(planted[i].eval, trial) && outcome.fault == planted[i].fault;
        if (!of_kind)
            fail_msg("nothing found where an implementation %s", planted[i].name);
        batch_signature(&outcome, signature);
        printf("%s: trial %u, %s: %s\n", planted[i].name, (unsigned)trial - 1, signature, outcome.what);
        assert_non_null(strstr(signature, "batch-"));
        assert_true(outcome.what[0] != '\0');
        assert_null(warp_case_check(&outcome.finding.c));
    }
    batch_close(bench);
}

/* The same number is the same batch, whatever was tried before. */
static void a_trial_repeats(void **state)
{
    char first[BATCH_TEXT_MAX], again[BATCH_TEXT_MAX];
    struct warp_case c;
    uint64_t trial = 0;
    (void)state;
    open_bench();
    while (agrees(takes_stride_2_for_1, trial))
        trial++;
    c = outcome.finding.c;
    batch_describe(SEED, trial, first);
    agrees(right, BATCH_SMALL);
    assert_false(agrees(takes_stride_2_for_1, trial));
    batch_describe(SEED, trial, again);
    assert_string_equal(first, again);
    assert_memory_equal(&c, &outcome.finding.c, sizeof c);
    batch_close(bench);
}

/* Every set of wanted results, and every size around a strip, for every form. */
static void the_trials_cover_what_they_say(void **state)
{
    static bool wanted[WARP_FORMS][128];
    (void)state;
    for (uint64_t trial = 0; trial < BATCH_SMALL; trial++) {
        char text[BATCH_TEXT_MAX];
        const char *at;
        unsigned set = 0;
        static const char *const names[] = {"; d per", "; waits_for", "; p per",    "; d_defined",
                                            "; done",  "; waiting",   "; undefined"};
        batch_describe(SEED, trial, text);
        at = strstr(text, "; wanted");
        assert_non_null(at);
        for (unsigned i = 0; i < 7; i++)
            set |= strstr(at, names[i]) != NULL ? 1u << i : 0;
        wanted[batch_form(SEED, trial)][set] = true;
    }
    for (unsigned form = 0; form < WARP_FORMS; form++)
        for (unsigned set = 0; set < 128; set++)
            assert_true(wanted[form][set]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_batches_agree),
        cmocka_unit_test(planted_mistakes_are_found),
        cmocka_unit_test(every_seed_aims_at_all_but_one),
        cmocka_unit_test(every_seed_asks_for_one_voice),
        cmocka_unit_test(large_batches_end_differently),
        cmocka_unit_test(large_batches_have_what_is_rare),
        cmocka_unit_test(no_operand_may_change),
        cmocka_unit_test(a_trial_repeats),
        cmocka_unit_test(the_trials_cover_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
