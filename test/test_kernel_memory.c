/* What the memory of a block holds at the start, and that it keeps what is written. */
#include "kernel/exec/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char text[] = ".version 8.6\n.target sm_90\n.address_size 64\n.global .align 8 .b32 v[3] = {5, 6, 7};\n"
                           ".const .align 4 .b32 c[4];\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n"
                           "ld.global.u32 %r1, [v];\nld.const.u32 %r2, [c];\nret;\n}\n";

struct fixture {
    struct module *module;
    struct code *code;
    struct memory memory;
    struct kernel_input in;
};

static struct fixture f;

static int open_memory(void **state)
{
    struct error error;
    (void)state;
    f.module = module_read(text, sizeof text - 1, "k", &error);
    f.code = f.module ? code_new(f.module, 0, &error) : NULL;
    if (!f.code)
        fail_msg("%s", error.text);
    f.in = (struct kernel_input){.block = {32, 1, 1}, .grid = {1, 1, 1}, .seed = 5, .shared = 64};
    assert_true(memory_init(&f.memory, f.code));
    return 0;
}

static int close_memory(void **state)
{
    (void)state;
    memory_free(&f.memory);
    code_free(f.code);
    module_free(f.module);
    return 0;
}

static void start(enum kernel_pattern pattern)
{
    f.in.pattern = pattern;
    assert_true(memory_start(&f.memory, &f.in));
}

static uint64_t word(unsigned buffer, uint64_t index)
{
    return memory_read(&f.memory, CODE_BUFFERS * (buffer + 1) + 4 * index, 4, false);
}

static void patterns(void **state)
{
    bool seen[8] = {false};
    unsigned steps[7] = {0}, set = 0;
    uint64_t large = 0;
    (void)state;
    start(KERNEL_SMALL);
    for (unsigned n = 0; n < 400; n++) {
        assert_true(word(0, n) < 8);
        seen[word(0, n)] = true;
    }
    for (unsigned n = 0; n < 8; n++)
        assert_true(seen[n]);
    start(KERNEL_FLAGS);
    for (unsigned n = 0; n < 400; n++) {
        assert_true(word(0, n) < 2);
        set += (unsigned)word(0, n);
    }
    assert_true(set > 100 && set < 300);
    start(KERNEL_OFFSETS);
    for (unsigned n = 0; n < 400; n++) {
        assert_true(word(0, n + 1) >= word(0, n) && word(0, n + 1) - word(0, n) < 7);
        steps[word(0, n + 1) - word(0, n)]++;
    }
    for (unsigned n = 0; n < 7; n++)
        assert_true(steps[n] > 0);
    start(KERNEL_RISING);
    for (unsigned n = 0; n < 3000; n++)
        assert_int_equal(word(1, n), n);
    start(KERNEL_BITS);
    for (unsigned n = 0; n < 64; n++)
        large |= word(0, n);
    assert_int_equal(large, UINT32_MAX);
    start(KERNEL_ONES);
    assert_int_equal(word(0, 9), 1);
    assert_int_equal(memory_read(&f.memory, CODE_BUFFERS * 3, 4, true), 0x3f800000); /* 1.0f */
    start(KERNEL_ZEROS);
    assert_int_equal(word(0, 9), 0);
    assert_int_equal(f.memory.wild, 0);
}

static void what_is_written_stays_until_the_next_execution(void **state)
{
    uint64_t edge = CODE_BUFFERS + MEMORY_PAGE - 3;
    (void)state;
    start(KERNEL_ZEROS);
    memory_write(&f.memory, edge, 8, UINT64_C(0x1122334455667788)); /* over two pages */
    assert_true(memory_read(&f.memory, edge, 8, false) == UINT64_C(0x1122334455667788));
    assert_int_equal(memory_read(&f.memory, edge + 2, 2, false), 0x5566);
    assert_int_equal(memory_read(&f.memory, edge + 8, 4, false), 0);
    for (unsigned n = 0; n < 1000; n++) /* the table of pages grows */
        memory_write(&f.memory, CODE_BUFFERS * 2 + n * (uint64_t)MEMORY_PAGE, 4, n + 1);
    for (unsigned n = 0; n < 1000; n++)
        assert_int_equal(memory_read(&f.memory, CODE_BUFFERS * 2 + n * (uint64_t)MEMORY_PAGE, 4, false), n + 1);
    uint64_t digest = memory_digest(&f.memory);
    start(KERNEL_ZEROS);
    assert_int_equal(memory_read(&f.memory, edge, 8, false), 0);
    assert_true(memory_digest(&f.memory) != digest);
    uint64_t clean = memory_digest(&f.memory);
    memory_write(&f.memory, edge, 4, 0); /* what is there already is no difference */
    assert_true(memory_digest(&f.memory) == clean);
    memory_write(&f.memory, edge, 4, 1);
    assert_true(memory_digest(&f.memory) != clean);
}

static void outside_of_buffers(void **state)
{
    uint64_t away = UINT64_C(0x123456780), any = 0;
    (void)state;
    start(KERNEL_ZEROS);
    for (unsigned n = 0; n < 8; n++) {
        uint64_t value = memory_read(&f.memory, away + 8 * n, 8, false);
        assert_true(memory_read(&f.memory, away + 8 * n, 8, false) == value);
        any |= value;
    }
    assert_true(any >> 60 != 0);
    assert_int_equal(f.memory.wild, 16);
    memory_write(&f.memory, away, 4, 77);
    assert_int_equal(memory_read(&f.memory, away, 4, false), 77);
}

static void variables(void **state)
{
    uint64_t v = f.code->places[module_variable_find(f.module, MODULE_NONE, "v")];
    uint64_t c = f.code->places[module_variable_find(f.module, MODULE_NONE, "c")];
    (void)state;
    start(KERNEL_RISING);
    assert_int_equal(memory_read(&f.memory, v, 4, false), 5);
    assert_int_equal(memory_read(&f.memory, v + 8, 4, false), 7);
    for (unsigned n = 0; n < 4; n++) /* the host sets it */
        assert_int_equal(memory_read(&f.memory, c + 4 * n, 4, false), n);
    assert_int_equal(f.memory.wild, 0);
}

static void shared_memory_starts_anew(void **state)
{
    (void)state;
    start(KERNEL_ZEROS);
    uint8_t *own = f.memory.shared + CODE_SHARED_START;
    uint64_t before, after;
    memcpy(&before, own, 8);
    assert_true(before != 0); /* arbitrary */
    f.memory.shared_taint[CODE_SHARED_START] = 3;
    f.memory.shared_is_tainted = true;
    memset(own, 0, 8);
    start(KERNEL_ZEROS);
    memcpy(&after, own, 8);
    assert_true(before == after);
    assert_int_equal(f.memory.shared_taint[CODE_SHARED_START], 0);
    assert_false(f.memory.shared_is_tainted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(what_is_written_stays_until_the_next_execution),
        cmocka_unit_test(outside_of_buffers),
        cmocka_unit_test(variables),
        cmocka_unit_test(shared_memory_starts_anew),
    };
    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
