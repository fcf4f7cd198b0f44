/*
 * The search: which launches and inputs it tries, that it finds mistakes which only some of them show, and how small
 * and how well explained the witness is.
 */
#include "kernel/search.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct subject {
    char *text;
    struct module *module;
    struct code *code;
    struct kernel_search *search;
};

static void open_subject(struct subject *s, const char *directives, const char *body)
{
    struct error error;
    size_t room = strlen(body) + 1024;
    s->text = malloc(room);
    s->search = calloc(1, sizeof *s->search);
    assert_non_null(s->text);
    assert_non_null(s->search);
    snprintf(
        s->text, room,
        ".version 8.6\n.target sm_90\n.address_size 64\n.file 1 \"a.cu\"\n.visible .entry k(.param .u64 .ptr .global "
        "p, .param .u32 n,\n"
        ".param .u32 m)%s{\n.reg .pred %%p<5>; .reg .b32 %%r<20>; .reg .b64 %%d<9>; .shared .align 4 .b8 s[4096];\n"
        "mov.u32 %%r1, %%tid.x; ld.param.u64 %%d1, [p]; ld.param.u32 %%r2, [n]; ld.param.u32 %%r3, [m];\n"
        "mul.wide.u32 %%d2, %%r1, 4; add.s64 %%d3, %%d1, %%d2; mov.u32 %%r4, %%ctaid.x; mov.u32 %%r5, %%ntid.x;\n"
        "mad.lo.s32 %%r6, %%r4, %%r5, %%r1;\n%s\nret; }\n",
        directives, body);
    s->module = module_read(s->text, strlen(s->text), "k", &error);
    s->code = s->module ? code_new(s->module, 0, &error) : NULL;
    if (!s->code)
        fail_msg("%s", error.text);
}

static void search_with(struct subject *s, struct kernel_search_options *o, uint64_t executions)
{
    o->impl = spec_get();
    o->seed = 1;
    o->seconds = 60; /* the executions end it */
    o->executions = executions;
    o->steps = 100000;
    if (!kernel_search(s->code, o, s->search))
        fail_msg("%s", s->search->why);
}

static void close_subject(struct subject *s)
{
    code_free(s->code);
    module_free(s->module);
    free(s->search);
    free(s->text);
}

static struct subject searched(const char *directives, const char *body, uint64_t executions)
{
    struct subject s;
    struct kernel_search_options o = {.shared = 4096};
    open_subject(&s, directives, body);
    search_with(&s, &o, executions);
    return s;
}

static bool tried(const struct kernel_search *s, uint32_t x, uint32_t y, uint32_t z)
{
    for (uint32_t n = 0; n < s->launches_count; n++)
        if (s->launches[n][0] == x && s->launches[n][1] == y && s->launches[n][2] == z)
            return s->launch_executions[n] > 0;
    return false;
}

static const struct kernel_finding *only_error(const struct kernel_search *s, enum kernel_kind kind)
{
    assert_true(s->findings_count >= 1);
    assert_int_equal(s->findings[0].event.kind, kind);
    assert_int_equal(kernel_errors(s), 1);
    assert_true(s->findings[0].replayed);
    return &s->findings[0];
}

static uint64_t param(const struct subject *s, const struct kernel_finding *f, const char *name)
{
    uint32_t n = kernel_slot_find(&s->search->slots, name);
    assert_true(n < s->search->slots.count);
    return kernel_slot_get(&s->search->slots.slots[n], &f->input);
}

/* ---- launches ---- */

static void launches_that_are_tried(void **state)
{
    (void)state;
    struct subject s = searched("", "", 60);
    assert_true(tried(s.search, 32, 1, 1) && tried(s.search, 64, 1, 1) && tried(s.search, 1024, 1, 1));
    assert_false(tried(s.search, 16, 16, 1));
    close_subject(&s);
    s = searched("", "mov.u32 %r7, %tid.y; add.u32 %r8, %r7, 1;", 60);
    assert_true(tried(s.search, 16, 16, 1) && tried(s.search, 8, 8, 1) && tried(s.search, 32, 32, 1));
    assert_false(tried(s.search, 4, 4, 4));
    close_subject(&s);
    /* The number of a thread in its block is the same number in all shapes. */
    s = searched("",
                 "mov.u32 %r7, %tid.z; mov.u32 %r8, %tid.y; mov.u32 %r9, %ntid.y; mad.lo.s32 %r10, %r9, %r7, %r8;\n"
                 "mad.lo.s32 %r11, %r10, %r5, %r1; mul.lo.s32 %r12, %r5, %r9;",
                 60);
    assert_false(tried(s.search, 16, 16, 1) || tried(s.search, 4, 4, 4));
    close_subject(&s);
    /* Code for a debugger keeps all three in one variable. */
    s = searched("", "mov.u32 %r7, %tid.z; mov.u32 %r8, %tid.y; st.shared.v2.u32 [s], {%r8, %r7};", 60);
    assert_false(tried(s.search, 16, 16, 1) || tried(s.search, 4, 4, 4));
    close_subject(&s);
    s = searched("",
                 "mov.u32 %r7, %tid.z; mov.u32 %r8, %tid.y; mov.u32 %r9, %ntid.y; mul.lo.s32 %r10, %r9, %r7;\n"
                 "add.s32 %r10, %r10, %r8; mad.lo.s32 %r11, %r10, %r5, %r1; setp.eq.u32 %p1, %r8, 0;",
                 60);
    assert_true(tried(s.search, 16, 16, 1) && !tried(s.search, 2, 2, 2));
    close_subject(&s);
    s = searched("", "setp.eq.u32 %p1, %r5, 224; setp.eq.u32 %p2, %r5, 100;", 60); /* asks for it */
    assert_true(tried(s.search, 224, 1, 1) && !tried(s.search, 100, 1, 1));
    close_subject(&s);
    s = searched("", "mov.u32 %r7, %tid.z; add.u32 %r8, %r7, 1;", 60);
    assert_true(tried(s.search, 4, 4, 4) && tried(s.search, 8, 8, 8));
    close_subject(&s);
}

/* Threads of a block of three dimensions, numbered by rows and planes. */
static void threads_are_numbered(void **state)
{
    (void)state;
    struct subject s =
        searched("",
                 "mov.u32 %r7, %tid.z; mov.u32 %r8, %tid.y; mov.u32 %r9, %ntid.y; mad.lo.s32 %r10, %r7, %r9, "
                 "%r8;\nmad.lo.s32 %r10, %r10, %r5, %r1; mov.u32 %r11, %warpid; mov.u32 %r12, %laneid;\n"
                 "mad.lo.s32 %r11, %r11, 32, %r12; setp.ne.u32 %p1, %r10, %r11; @%p1 trap;",
                 60);
    assert_int_equal(s.search->trapped, 0);
    close_subject(&s);
}

/* Rows of a block are no matter of code that is never reached, as debug builds of libraries have it; of code that is
 * reached later they are. */
static void launches_of_dead_code(void **state)
{
    static const char *const never[] = {"mov.u32 %r7, 1; setp.eq.u32 %p1, %r7, 1;", "setp.ne.u32 %p1, %r2, 33;"};
    (void)state;
    for (unsigned later = 0; later < 2; later++) {
        char body[512];
        snprintf(body, sizeof body,
                 "%s @%%p1 bra E; mov.u32 %%r8, %%tid.y; mul.lo.u32 %%r8, %%r8, 5; st.global.u32 [%%d3], %%r8;\n"
                 "E: bar.warp.sync -1;\n",
                 never[later]);
        struct subject s = searched("", body, 100);
        assert_true(tried(s.search, 1024, 1, 1));
        assert_int_equal(tried(s.search, 8, 8, 1), later);
        close_subject(&s);
    }
}

static void launches_that_are_stated(void **state)
{
    struct kernel_search_options o = {.blocks = {{40, 2, 1}}, .blocks_count = 1};
    struct subject s;
    (void)state;
    s = searched("\n.reqntid 48, 2, 1\n", "", 20);
    assert_int_equal(s.search->launches_count, 1);
    assert_true(tried(s.search, 48, 2, 1));
    close_subject(&s);
    s = searched("\n.maxntid 96, 1, 1\n", "", 20);
    assert_int_equal(s.search->launches_count, 1);
    assert_true(tried(s.search, 96, 1, 1));
    close_subject(&s);
    s = searched("\n.maxntid 1024, 1, 1\n", "", 20); /* says no more than that it is a block */
    assert_true(tried(s.search, 64, 1, 1));
    close_subject(&s);
    s = searched("", "barrier.sync 1, 96;", 40);
    assert_true(tried(s.search, 96, 1, 1) && !tried(s.search, 64, 1, 1) && !tried(s.search, 32, 1, 1));
    close_subject(&s);
    open_subject(&s, "", "");
    search_with(&s, &o, 20);
    assert_int_equal(s.search->launches_count, 1);
    assert_true(tried(s.search, 40, 2, 1));
    close_subject(&s);
}

/* ---- inputs ---- */

#define PARTIAL                                                                                                        \
    "setp.ge.u32 %p1, %r6, %r2; @%p1 bra E; ld.global.u32 %r7, [%d3]; shfl.sync.bfly.b32 %r8, %r7, 1, 31, -1;\n"       \
    "E: bar.sync 0;\n"

static void the_smallest_witness_and_its_rule(void **state)
{
    (void)state;
    struct subject s = searched("", PARTIAL, 200);
    const struct kernel_finding *f = only_error(s.search, KERNEL_DEADLOCK);
    assert_int_equal(f->input.block[0], 32);
    assert_int_equal(f->input.grid[0], 1);
    assert_int_equal(f->input.pattern, KERNEL_ZEROS);
    assert_int_equal(f->input.seed, 1);
    assert_int_equal(f->input.activemask, KERNEL_TOGETHER);
    assert_false(f->input.shuffled);
    assert_int_equal(param(&s, f, "1"), 1);
    assert_int_equal(param(&s, f, "2"), 0);
    assert_int_equal(f->rule.kind, RULE_MULTIPLE);
    assert_int_equal(f->rule.number, 32);
    assert_true(f->executions > 1 && f->launches_with != 0);
    close_subject(&s);
}

/* What the search came to in a later round, with another grid, other memory and another seed. */
static void all_of_a_witness_is_reduced(void **state)
{
    static const unsigned values[] = {33, 5};
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        char body[256];
        snprintf(body, sizeof body,
                 "setp.eq.u32 %%p1, %%r2, %u; @!%%p1 bra E; vote.sync.ballot.b32 %%r7, 1, 0xffff;\nE:", values[n]);
        struct subject s = searched("", body, 200);
        const struct kernel_finding *f = only_error(s.search, KERNEL_UNDEFINED);
        assert_int_equal(param(&s, f, "1"), values[n]);
        assert_int_equal(f->input.block[0], 32);
        assert_int_equal(f->input.grid[0], 1);
        assert_int_equal(f->input.ctaid[0], 0);
        assert_int_equal(f->input.seed, 1);
        assert_int_equal(f->input.pattern, KERNEL_ZEROS);
        close_subject(&s);
    }
}

/* Places are told apart, errors stand before notes, and what a trap ends is not one. */
static void what_is_an_error_of_its_own(void **state)
{
    (void)state;
    struct subject s = searched("",
                                "add.u32 %r7, %r19, 1; setp.eq.u32 %p1, %r2, 1; setp.eq.u32 %p2, %r2, 0;\n"
                                "@%p1 vote.sync.ballot.b32 %r7, 1, 0xffff;\n"
                                "@%p2 vote.sync.ballot.b32 %r7, 1, 0xffff;\n",
                                200);
    assert_int_equal(kernel_errors(s.search), 2);
    assert_int_equal(s.search->findings_count, 3);
    assert_true(s.search->findings[0].event.at < s.search->findings[1].event.at);
    assert_int_equal(s.search->findings[2].event.kind, KERNEL_UNINITIALIZED);
    assert_true(s.search->findings[2].executions == s.search->executions);
    close_subject(&s);
    s = searched("",
                 "setp.lt.u32 %p1, %r1, 16; @!%p1 bra E; shfl.sync.bfly.b32 %r7, %r1, 16, 31, 0xffff;\n"
                 "st.global.u32 [%d3], %r7;\nE: trap;",
                 60);
    assert_int_equal(kernel_errors(s.search), 0);
    close_subject(&s);
}

static void rules_from_and_below(void **state)
{
    struct subject s;
    (void)state;
    s = searched("", "setp.lt.u32 %p1, %r2, 20; @!%p1 bra E; vote.sync.ballot.b32 %r7, 1, 0xffff;\nE:", 200);
    const struct kernel_finding *f = only_error(s.search, KERNEL_UNDEFINED);
    assert_int_equal(f->rule.kind, RULE_FROM);
    assert_int_equal(f->rule.number, 20);
    close_subject(&s);
    s = searched("", "setp.gt.u32 %p1, %r3, 40; @!%p1 bra E; vote.sync.ballot.b32 %r7, 1, 0xffff;\nE:", 200);
    f = only_error(s.search, KERNEL_UNDEFINED);
    assert_int_equal(f->rule.kind, RULE_BELOW);
    assert_int_equal(f->rule.number, 41);
    assert_int_equal(f->rule.slot, kernel_slot_find(&s.search->slots, "2"));
    assert_int_equal(param(&s, f, "2"), 41);
    close_subject(&s);
}

/* Each of these needs memory of a certain kind. */
static void patterns_of_memory(void **state)
{
    static const char *const bodies[] = {
        /* a flag that is set in some lanes only */
        "ld.global.u32 %r7, [%d3]; setp.eq.u32 %p1, %r7, 1; @!%p1 bra E; shfl.sync.bfly.b32 %r8, %r7, 1, 31, -1;\nE: "
        "bar.sync 0;",
        /* offsets: rising, and not by the same */
        "ld.global.u32 %r7, [%d3]; ld.global.u32 %r8, [%d3+4]; sub.u32 %r9, %r8, %r7; setp.le.u32 %p1, %r9, 6;\n"
        "setp.gt.and.u32 %p1, %r9, 2, %p1; setp.gt.and.u32 %p1, %r7, 8, %p1; @!%p1 bra E; bar.warp.sync -1;\nE: "
        "bar.sync 0;",
        /* a negative number */
        "ld.global.u32 %r7, [%d3]; setp.lt.s32 %p1, %r7, 0; @!%p1 bra E; bar.warp.sync -1;\nE: bar.sync 0;",
        /* the lane's own number */
        "ld.global.u32 %r7, [%d3]; setp.eq.u32 %p1, %r7, %r1; setp.eq.and.u32 %p1, %r1, 17, %p1; @!%p1 bra E;\n"
        "bar.warp.sync -1;\nE: bar.sync 0;",
    };
    (void)state;
    for (size_t n = 0; n < sizeof bodies / sizeof bodies[0]; n++) {
        struct subject s = searched("", bodies[n], 200); /* before inputs are led by what they reached */
        if (kernel_errors(s.search) == 0)
            fail_msg("not found: %s", bodies[n]);
        assert_int_equal(s.search->findings[0].event.kind, KERNEL_DEADLOCK);
        close_subject(&s);
    }
}

/* Which buffers hold bounds and sizes: their words are put in order and become addresses, or shape shared memory. */
static void roles_are_found(void **state)
{
    static const struct {
        enum kernel_role role;
        const char *body;
    } table[] = {
        {ROLE_DATA, "ld.global.u32 %r7, [%d3]; setp.lt.u32 %p1, %r7, 9; @%p1 bra E; st.global.u32 [%d3], 1;\nE:"},
        {ROLE_DATA, "ld.global.u32 %r7, [%d3]; ld.global.u32 %r8, [%d3+4]; sub.u32 %r9, %r8, %r7;\n" /* two words, */
                    "setp.lt.s32 %p1, %r9, 9; @%p1 bra E; st.global.u32 [%d3], 1;\nE:"}, /* which are no addresses */
        {ROLE_DATA, "ld.global.u32 %r7, [%d3]; mul.wide.u32 %d4, %r7, 4; add.s64 %d5, %d1, %d4;\n" /* one word */
                    "st.global.u32 [%d5], 1;"},
        {ROLE_DATA, "ld.global.u32 %r7, [%d3]; ld.global.u32 %r8, [%d3+4]; setp.ne.u32 %p1, %r8, %r7;\n" /* no order */
                    "@%p1 bra E; mul.wide.u32 %d4, %r7, 4; add.s64 %d5, %d1, %d4; st.global.u32 [%d5], 1;\nE:"},
        {ROLE_DATA, "ld.global.u32 %r7, [%d3]; shl.b32 %r8, %r7, 2; st.shared.u32 [%r8], 1;"}, /* of each thread */
        {ROLE_BOUNDS, "ld.global.u32 %r7, [%d3]; ld.global.u32 %r8, [%d3+4]; setp.lt.u32 %p1, %r8, %r7;\n"
                      "@%p1 bra E; mul.wide.u32 %d4, %r7, 4; add.s64 %d5, %d1, %d4; st.global.u32 [%d5], 1;\nE:"},
        {ROLE_BOUNDS, "ld.global.v2.u32 {%r7, %r8}, [%d3]; sub.u32 %r9, %r8, %r7; mul.wide.u32 %d4, %r7, 4;\n"
                      "add.s64 %d5, %d1, %d4; st.global.u32 [%d5], %r9;"},
        {ROLE_BOUNDS, "ld.global.u32 %r7, [%d3]; st.shared.u32 [s], %r7; ld.global.u32 %r8, [%d3+4];\n" /* through */
                      "st.shared.u32 [s+4], %r8; bar.sync 0; ld.shared.u32 %r9, [s]; ld.shared.u32 %r10, [s+4];\n"
                      "sub.u32 %r11, %r10, %r9; mul.wide.u32 %d4, %r9, 4; add.s64 %d5, %d1, %d4;\n"
                      "st.global.u32 [%d5], %r11;"},
        {ROLE_BOUNDS, "ld.global.u32 %r7, [%d3]; st.shared.u32 [s], %r7; bar.sync 0; ld.shared.u32 %r8, [s+8];\n"
                      "setp.lt.u32 %p1, %r7, %r8; selp.b32 %r9, 4, 8, %p1; mov.u32 %r10, s;\n" /* a search's choice */
                      "add.u32 %r11, %r10, %r9; ld.shared.u32 %r12, [%r11]; st.global.u32 [%d3], %r12;"},
        {ROLE_LAYOUT, "ld.global.u32 %r7, [%d1]; mul.lo.u32 %r8, %r7, %r1; mov.u32 %r9, s; add.u32 %r10, %r9, %r8;\n"
                      "st.shared.u32 [%r10], 1;"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof table / sizeof table[0]; n++) {
        struct subject s;
        struct kernel_slots slots;
        open_subject(&s, "", table[n].body);
        kernel_find_slots(s.code, &slots);
        if (slots.slots[kernel_slot_find(&slots, "0")].role != table[n].role)
            fail_msg("row %zu has the role %d", n, (int)slots.slots[kernel_slot_find(&slots, "0")].role);
        close_subject(&s);
    }
}

/* What only contents show that are not expected is a question, and an error where they are stated. */
static void contents_are_asked_for(void **state)
{
    static const struct {
        bool is_question;
        const char *body;
    } table[] = {
        {false,
         "ld.global.u32 %r7, [%d3]; setp.ne.u32 %p1, %r7, 5; @%p1 bra E; vote.sync.ballot.b32 %r9, 1, 0xffff;\nE:"},
        {true, "ld.global.u32 %r7, [%d1]; ld.global.u32 %r8, [%d1+4]; setp.ge.u32 %p1, %r8, %r7;\n" /* that fall */
               "mul.wide.u32 %d4, %r7, 4; add.s64 %d5, %d1, %d4; st.global.u32 [%d5+8192], 1; @%p1 bra E;\n"
               "vote.sync.ballot.b32 %r9, 1, 0xffff;\nE:"},
        {false, "ld.global.u32 %r7, [%d1]; ld.global.u32 %r8, [%d1+4]; setp.le.u32 %p1, %r8, %r7;\n" /* that rise */
                "mul.wide.u32 %d4, %r7, 4; add.s64 %d5, %d1, %d4; st.global.u32 [%d5+8192], 1; @%p1 bra E;\n"
                "vote.sync.ballot.b32 %r9, 1, 0xffff;\nE:"},
        {true, "ld.global.u32 %r7, [%d1]; and.b32 %r7, %r7, 7; mul.lo.u32 %r8, %r7, %r1; shl.b32 %r8, %r8, 2; mov.u32 "
               "%r9, s;\n"
               "add.u32 %r10, %r9, %r8; st.shared.u32 [%r10], 1; setp.lt.u32 %p1, %r7, 3; @%p1 bra E;\n"
               "vote.sync.ballot.b32 %r9, 1, 0xffff;\nE:"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof table / sizeof table[0]; n++) {
        struct kernel_search_options o = {.shared = 0};
        struct subject s = searched("", table[n].body, 400);
        const struct kernel_finding *f = &s.search->findings[0];
        if (s.search->findings_count == 0 || f->event.kind != KERNEL_UNDEFINED || !f->replayed)
            fail_msg("row %zu is not found", n);
        if (f->is_question != table[n].is_question || kernel_errors(s.search) != !table[n].is_question)
            fail_msg("row %zu: %u errors", n, kernel_errors(s.search));
        const uint32_t slot = kernel_slot_find(&s.search->slots, "0");
        o.contents[slot] = (uint8_t)(1 + kernel_contents(&f->input, s.search->slots.slots[slot].buffer));
        search_with(&s, &o, 400);
        assert_int_equal(kernel_errors(s.search), 1);
        close_subject(&s);
    }
}

/* An error that one input shows with such contents is tried once more with others. */
static void a_question_is_tried_again(void **state)
{
    const struct kernel_search_options o = {.impl = spec_get(), .seconds = 60, .steps = 100000};
    struct kernel_input in;
    struct error error;
    struct subject s;
    (void)state;
    open_subject(&s, "",
                 "ld.global.u32 %r7, [%d1]; ld.global.u32 %r8, [%d1+4]; sub.u32 %r9, %r8, %r7; add.u32 %r9, %r9, %r7;\n"
                 "mul.wide.u32 %d4, %r7, 4; add.s64 %d5, %d1, %d4; st.global.u32 [%d5+8192], %r9;\n"
                 "vote.sync.ballot.b32 %r9, 1, 0xffff;");
    kernel_find_slots(s.code, &s.search->slots);
    assert_true(kernel_input_read(&s.search->slots, "block=32 memory=bits seed=3", &in, &error));
    assert_false(kernel_input_is_expected(&o, &s.search->slots, &in));
    assert_true(kernel_search_input(s.code, &o, &in, s.search));
    assert_false(only_error(s.search, KERNEL_UNDEFINED)->is_question);
    close_subject(&s);
}

static void ranges_are_kept(void **state)
{
    struct kernel_search_options o = {.shared = 0};
    struct subject s;
    (void)state;
    open_subject(&s, "",
                 "setp.gt.u32 %p1, %r2, 9; setp.lt.or.u32 %p1, %r2, 5, %p1; @!%p1 bra E; vote.sync.ballot.b32 %r7, 1, "
                 "0xffff;\nE:");
    kernel_find_slots(s.code, &s.search->slots);
    uint32_t n = kernel_slot_find(&s.search->slots, "1");
    o.ranges[n] = (struct kernel_range){.is_set = true, .low = 5, .high = 9};
    search_with(&s, &o, 300);
    assert_int_equal(kernel_errors(s.search), 0);
    o.ranges[n] = (struct kernel_range){.is_set = true, .low = 5, .high = 10};
    search_with(&s, &o, 18); /* both ends come first */
    assert_int_equal(param(&s, only_error(s.search, KERNEL_UNDEFINED), "1"), 10);
    o.ranges[n] = (struct kernel_range){.is_set = true, .low = 3, .high = 4};
    search_with(&s, &o, 18); /* smaller numbers would show it, too */
    assert_int_equal(param(&s, only_error(s.search, KERNEL_UNDEFINED), "1"), 3);
    close_subject(&s);
}

/* Both a range and a requirement of one parameter are kept. */
static void ranges_and_requirements_are_kept(void **state)
{
    struct kernel_search_options o = {.shared = 0};
    struct subject s;
    struct error error;
    (void)state;
    open_subject(
        &s, "",
        "and.b32 %r7, %r2, 31; setp.eq.u32 %p1, %r7, 0; setp.lt.u32 %p2, %r2, 33; setp.gt.or.u32 %p2, %r2, 64, "
        "%p2; not.pred %p3, %p2; and.pred %p1, %p1, %p3; @%p1 bra E; vote.sync.ballot.b32 %r7, 1, 0xffff;\nE:");
    kernel_find_slots(s.code, &s.search->slots);
    uint32_t n = kernel_slot_find(&s.search->slots, "1");
    assert_true(kernel_require_read(&s.search->slots, "1 % 32 == 0", &o.requires[0], &error));
    o.requires_count = 1;
    o.ranges[n] = (struct kernel_range){.is_set = true, .low = 33, .high = 64};
    search_with(&s, &o, 300);
    assert_int_equal(kernel_errors(s.search), 0);
    assert_true(s.search->executions > 100); /* some were found that keep both */
    o.ranges[n] = (struct kernel_range){.is_set = true, .low = 33, .high = 96};
    search_with(&s, &o, 300);
    assert_int_equal(param(&s, only_error(s.search, KERNEL_UNDEFINED), "1"), 96);
    close_subject(&s);
}

/* By the name in the report, by that in PTX, and by number. */
static void parameters_have_several_names(void **state)
{
    static const char *const right[] = {"param 1 % 32 == 0", "1 % 32 == 0", "n%32==0", "param 1 >= 5"};
    static const char *const wrong[] = {"param 3 % 32 == 0", "p >= 5", "param == 1", "k >= 5"};
    struct kernel_require require;
    struct error error;
    struct subject s;
    (void)state;
    open_subject(&s, "", "setp.lt.or.u32 %p1, %r2, 5, %p1;");
    kernel_find_slots(s.code, &s.search->slots);
    for (size_t n = 0; n < sizeof right / sizeof *right; n++) {
        assert_true(kernel_require_read(&s.search->slots, right[n], &require, &error));
        assert_int_equal(s.search->slots.slots[require.slot].param, 1);
        assert_false(kernel_require_read(&s.search->slots, wrong[n], &require, &error));
        assert_int_equal(error.code, ERROR_UNAVAILABLE);
    }
    close_subject(&s);
}

/* Numbers that only the code tells: of a parameter, of memory, of a block's place. */
static void numbers_of_the_code_are_tried(void **state)
{
    (void)state;
    struct subject s =
        searched("", "setp.ne.u32 %p1, %r2, 12345; @%p1 bra E; vote.sync.ballot.b32 %r7, 1, 0xffff;\nE:", 2000);
    assert_int_equal(param(&s, only_error(s.search, KERNEL_UNDEFINED), "1"), 12345);
    close_subject(&s);
    s = searched("",
                 "ld.global.u32 %r7, [%d1]; setp.ne.u32 %p1, %r7, 24301; @%p1 bra E; vote.sync.ballot.b32 %r7, 1, "
                 "0xffff;\nE:",
                 2000);
    only_error(s.search, KERNEL_UNDEFINED);
    close_subject(&s);
    s = searched("", "setp.lt.u32 %p1, %r4, 100; @%p1 bra E; vote.sync.ballot.b32 %r7, 1, 0xffff;\nE:", 2000);
    assert_int_equal(only_error(s.search, KERNEL_UNDEFINED)->input.ctaid[0], 100);
    close_subject(&s);
}

/* ---- activemask, schedules, endless loops ---- */

static void partitions_of_activemask(void **state)
{
    struct subject s;
    (void)state;
    s = searched("", "activemask.b32 %r7; st.global.u32 [%d3], %r7;", 100);
    assert_int_equal(kernel_errors(s.search), 0);
    assert_int_equal(s.search->findings_count, 1);
    assert_int_equal(s.search->findings[0].event.kind, KERNEL_PARTITION);
    close_subject(&s);
    s = searched("", "activemask.b32 %r7; shfl.sync.idx.b32 %r8, %r1, 0, 31, %r7; st.global.u32 [%d3], %r8;", 100);
    assert_true(kernel_errors(s.search) >= 1); /* lane 0 is not in every part */
    assert_int_equal(s.search->findings[0].event.kind, KERNEL_UNPREDICTABLE);
    assert_int_not_equal(s.search->findings[0].input.activemask, KERNEL_TOGETHER);
    close_subject(&s);
}

/* One mistake in a loop that a compiler has unrolled is one, also where each turn is read by its own instruction. */
static void turns_are_one_mistake(void **state)
{
    static const char *const lines[] = {"", "", "\n.loc 1 7 0\n", "\n.loc 1 7 0\n", "\n.loc 1 8 0\n"};
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        char body[1024];
        snprintf(body, sizeof body,
                 "setp.lt.u32 %%p1, %%r1, 16; @!%%p1 bra E; %s shfl.sync.bfly.b32 %%r7, %%r1, 16, "
                 "31, 0xffff; "
                 "%s shfl.sync.bfly.b32 %%r8, %%r1, 24, 31, 0xffff; setp.eq.u32 %%p1, %%r2, 1; selp.u32 %%r7, %%r7, "
                 "%%r8, %%p1; st.global.u32 [%%d3], %%r7;\nE:",
                 lines[k], lines[k + 1]);
        struct subject s = searched("", body, 200);
        assert_int_equal(kernel_errors(s.search), k == 2 ? 1 : 2);
        close_subject(&s);
    }
}

static void expect_errors(const char *body, uint32_t count, enum kernel_kind kind)
{
    struct subject s = searched("", body, 300);
    if (kernel_errors(s.search) != count || s.search->findings[0].event.kind != kind || !s.search->findings[0].replayed)
        fail_msg("%s: %u errors, the first %s", body, kernel_errors(s.search),
                 kernel_kind_name(s.search->findings[0].event.kind));
    close_subject(&s);
}

/* Lanes that miss each other are one mistake: whichever comes first, at whichever of several barriers, with whatever
 * becomes of it behind. Two uses of one value are two. */
static void missing_each_other_is_one_mistake(void **state)
{
    static const char three_ways[] =
        "ld.global.u32 %r7, [%d3]; and.b32 %r7, %r7, 3; and.b32 %r12, %r1, 1; setp.eq.u32 %p3, %r12, 1;\n"
        "setp.eq.u32 %p1, %r7, 0; setp.eq.and.u32 %p2, %r7, 1, %p3; mov.u32 %r8, s; shl.b32 %r9, %r1, 2; add.u32 %r8, "
        "%r8, %r9; xor.b32 %r10, %r8, 4; st.shared.u32 [%r8], %r1;\n"
        "@%p1 bra A; @%p2 bra C; bar.sync 0; bra C; A: bar.sync 0; C: ld.shared.u32 %r11, [%r10];\n"
        "st.global.u32 [%d3], %r11;\n";
    static const char two_votes[] =
        "ld.global.u32 %r7, [%d3]; and.b32 %r7, %r7, 1; setp.eq.u32 %p1, %r7, 0; @%p1 bra A;\n"
        "vote.sync.any.pred %p2, %p1, -1; bra C; A: vote.sync.all.pred %p2, %p1, -1; C:\n";
    static const char two_uses[] =
        "setp.lt.u32 %p1, %r1, 16; @!%p1 bra E; shfl.sync.bfly.b32 %r7, %r1, 16, 31, 0xffff;\n"
        "st.global.u32 [%d3], %r7; st.global.u32 [%d3+4096], %r7; E:\n";
    (void)state;
    expect_errors(three_ways, 1, KERNEL_BARRIER);
    expect_errors(two_votes, 1, KERNEL_DEADLOCK);
    expect_errors(two_uses, 2, KERNEL_UNPREDICTABLE);
}

/* Straight code ends, however long it is. */
static void long_code_ends(void **state)
{
    static char body[200000];
    struct kernel_search_options o = {.shared = 0, .blocks = {{1024, 1, 1}}, .blocks_count = 1};
    struct subject s;
    (void)state;
    for (unsigned n = 0; n < 6000; n++)
        strcat(body + (n > 0 ? 20 * (size_t)n - 20 : 0), "add.u32 %r7,%r7,%r1;");
    open_subject(&s, "", body);
    search_with(&s, &o, 3);
    assert_int_equal(s.search->endless, 0);
    close_subject(&s);
}

static void schedules_of_atomics(void **state)
{
    (void)state; /* only in some order does another lane than the first come first */
    struct subject s = searched("",
                                "atom.global.add.u32 %r7, [%d1], 1; ld.global.u32 %r9, [%d1]; sub.u32 %r9, %r9, %r5;\n"
                                "setp.eq.u32 %p1, %r7, %r9; setp.ne.and.u32 %p1, %r1, 0, %p1; @!%p1 bra E;\n"
                                "vote.sync.ballot.b32 %r8, 1, 1;\nE:",
                                200);
    const struct kernel_finding *f = only_error(s.search, KERNEL_UNDEFINED);
    assert_true(f->input.shuffled);
    close_subject(&s);
}

static void what_does_not_end_is_unknown(void **state)
{
    (void)state;
    struct subject s = searched("", "L: bra L;", 4);
    assert_true(kernel_is_unknown(s.search));
    assert_true(s.search->endless >= 4);
    close_subject(&s);
    s = searched("", "trap;", 20);
    assert_true(kernel_is_unknown(s.search));
    assert_int_equal(s.search->trapped, s.search->executions);
    close_subject(&s);
    s = searched("", "ld.global.u32 %r7, [%d3]; setp.eq.u32 %p1, %r7, 0; @%p1 trap;", 100);
    assert_false(kernel_is_unknown(s.search));
    assert_int_equal(kernel_errors(s.search), 0);
    close_subject(&s);
}

static void what_is_counted(void **state)
{
    (void)state;
    struct subject s =
        searched("", "setp.eq.u32 %p1, %r2, 0x7654321; bar.warp.sync -1; @!%p1 bra E; bar.warp.sync -1;\nE:", 90);
    assert_int_equal(s.search->executions, 90);
    assert_int_equal(s.search->warp_instructions, 2);
    assert_int_equal(s.search->warp_instructions_seen, 1);
    assert_true(s.search->groups >= 90 && s.search->lane_steps > s.search->steps);
    assert_int_equal(kernel_errors(s.search), 0);
    close_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_that_are_tried),
        cmocka_unit_test(threads_are_numbered),
        cmocka_unit_test(launches_that_are_stated),
        cmocka_unit_test(launches_of_dead_code),
        cmocka_unit_test(the_smallest_witness_and_its_rule),
        cmocka_unit_test(all_of_a_witness_is_reduced),
        cmocka_unit_test(what_is_an_error_of_its_own),
        cmocka_unit_test(rules_from_and_below),
        cmocka_unit_test(patterns_of_memory),
        cmocka_unit_test(roles_are_found),
        cmocka_unit_test(contents_are_asked_for),
        cmocka_unit_test(a_question_is_tried_again),
        cmocka_unit_test(ranges_are_kept),
        cmocka_unit_test(turns_are_one_mistake),
        cmocka_unit_test(missing_each_other_is_one_mistake),
        cmocka_unit_test(long_code_ends),
        cmocka_unit_test(ranges_and_requirements_are_kept),
        cmocka_unit_test(numbers_of_the_code_are_tried),
        cmocka_unit_test(parameters_have_several_names),
        cmocka_unit_test(partitions_of_activemask),
        cmocka_unit_test(schedules_of_atomics),
        cmocka_unit_test(what_does_not_end_is_unknown),
        cmocka_unit_test(what_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
