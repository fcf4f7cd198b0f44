/*
 * The search for an error: it is led by what inputs reach, obeys ranges and launches, and gives the same for the same
 * seed; bytes are always a launch that can be executed.
 */
#include "base/random.h"
#include "kernel/bytes.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* Four digits of n stand in the way, one behind the other; behind them is a membermask of 0. */
static const char deep[] =
    HEAD ".visible .entry deep(.param .u32 n)\n{\n.reg .b32 %r<9>;\n.reg .pred %p<2>;\n"
         "ld.param.u32 %r1, [n];\n"
         "and.b32 %r2, %r1, 15;\nsetp.ne.u32 %p1, %r2, 11;\n@%p1 bra END;\n"
         "shr.u32 %r3, %r1, 4;\nand.b32 %r3, %r3, 15;\nsetp.ne.u32 %p1, %r3, 12;\n@%p1 bra END;\n"
         "shr.u32 %r4, %r1, 8;\nand.b32 %r4, %r4, 15;\nsetp.ne.u32 %p1, %r4, 9;\n@%p1 bra END;\n"
         "shr.u32 %r5, %r1, 12;\nand.b32 %r5, %r5, 15;\nsetp.ne.u32 %p1, %r5, 6;\n@%p1 bra END;\n"
         "bar.warp.sync 0;\nEND:\nret;\n}\n";

/* Two lanes of a warp write one word. */
static const char one_word[] =
    HEAD ".visible .entry one_word(.param .u64 .ptr .global p)\n{\n.reg .b32 %r<3>;\n.reg .b64 %d<2>;\n"
         ".reg .pred %p<2>;\nld.param.u64 %d1, [p];\nmov.u32 %r1, %laneid;\nand.b32 %r2, %r1, 23;\n"
         "setp.eq.u32 %p1, %r2, 20;\n@%p1 st.global.u32 [%d1], %r1;\nret;\n}\n";

static struct module *module;
static struct code *open_code(const char *text)
{
    struct error error;
    module = module_read(text, strlen(text), "test.ptx", &error);
    struct code *code = module ? code_new(module, 0, &error) : NULL;
    if (!code)
        fail_msg("%s", error.text);
    return code;
}

static void search_deep(struct kernel_search *s, uint64_t seed, uint64_t executions, int64_t low, int64_t high)
{
    struct code *code = open_code(deep);
    struct kernel_search_options options = {.impl = spec_get(),
                                            .seed = seed,
                                            .seconds = 300,
                                            .executions = executions,
                                            .steps = 1000,
                                            .blocks = {{32, 1, 1}}};
    options.blocks_count = 1;
    options.ranges[0] = (struct kernel_range){.is_set = high >= low, .low = low, .high = high};
    assert_true(kernel_search(code, &options, s));
    code_free(code);
    module_free(module);
}

/* At random it would take 65,536 inputs, if such large numbers were drawn at all: led, most of the seeds find it. */
static void test_led(void **state)
{
    (void)state;
    struct kernel_search *s = calloc(1, sizeof *s);
    unsigned found = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        search_deep(s, seed, 20000, 1, 0);
        if (kernel_errors(s) == 0)
            continue;
        found++;
        assert_int_equal(s->findings[0].event.kind, KERNEL_UNDEFINED);
        assert_int_equal(kernel_slot_get(&s->slots.slots[0], &s->findings[0].input) & 0xffff, 0x69cb);
        assert_true(s->findings[0].replayed);
        uint64_t executions = s->executions;
        search_deep(s, seed, 20000, 1, 0);
        assert_true(s->executions == executions && kernel_errors(s) == 1);
    }
    assert_true(found >= 3);
    free(s);
}

/* A range that leaves the number out is obeyed, also where an input is a change of another. */
static void test_range(void **state)
{
    (void)state;
    struct kernel_search *s = calloc(1, sizeof *s);
    search_deep(s, 1, 20000, 0, 0x69ca);
    assert_int_equal(kernel_errors(s), 0);
    search_deep(s, 1, 5000, 0x69cb, 0x69cb);
    assert_int_equal(kernel_errors(s), 1);
    free(s);
}

static void test_clean_inputs(void **state)
{
    (void)state;
    static struct kernel_input inputs[4];
    struct code *code = open_code(deep);
    const struct kernel_search_options options = {
        .impl = spec_get(), .seed = 1, .seconds = 300, .executions = 100, .steps = 1000};
    assert_int_equal(kernel_clean_inputs(code, &options, inputs, 4), 4);
    for (unsigned n = 0; n < 4; n++)
        assert_true(inputs[n].grid[0] == 1 && inputs[n].grid[1] == 1 && !inputs[n].shuffled);
    code_free(code);
    module_free(module);
    /* Which of them is the last is not said. */
    code = open_code(one_word);
    assert_int_equal(kernel_clean_inputs(code, &options, inputs, 4), 0);
    code_free(code);
    module_free(module);
}

static void test_bytes(void **state)
{
    (void)state;
    static struct kernel_input in, again;
    static struct kernel_outcome outcome;
    struct error error;
    struct random random = {1};
    char text[KERNEL_INPUT_TEXT_MAX];
    struct kernel_set *set = kernel_set_open(NULL, spec_get(), &error);
    assert_non_null(set);
    for (unsigned n = 0; n < 3000; n++) {
        uint8_t bytes[24];
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)random_next(&random);
        const struct kernel_entry *e = kernel_set_decode(set, bytes, n % (sizeof bytes + 1), &in);
        kernel_input_text(&e->search->slots, &in, text, sizeof text);
        if (!kernel_input_read(&e->search->slots, text, &again, &error) || memcmp(&in, &again, sizeof in) != 0)
            fail_msg("%s: is not read back: %s", text, error.text);
        assert_true(kernel_execute(e->kernel, &in, KERNEL_BYTES_STEPS, &outcome));
        assert_int_equal(outcome.ending, KERNEL_ENDED);
    }
    kernel_set_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_led), cmocka_unit_test(test_range),
                                       cmocka_unit_test(test_clean_inputs), cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
