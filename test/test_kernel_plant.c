/*
 * Planted defects: the text stays one that is read, kernels leave other memory, and nearly all that are changed stay
 * defined, but for the defects that are about what is undefined.
 */
#include "kernel/make/make.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define KERNELS 256u
#define ENOUGH  24u /* kernels that a defect changes, executed */

struct seen {
    unsigned changed, differ, clean;
};

static void plant(const struct made *m, const char *name, struct seen *s)
{
    struct make_answer answer;
    char *const text = make_plant(buffer_string(&m->text), name);
    uint8_t *const after = malloc(m->size);
    assert_non_null(text);
    assert_non_null(after);
    if (strcmp(text, buffer_string(&m->text)) != 0) {
        assert_true(
            make_execute(&m->kernel, text, strlen(text), m->name, spec_get(), false, m->before, after, &answer));
        if (answer.verdict == MAKE_UNREAD)
            fail_msg("%s: kernel %u is not read: line %u: %s", name, (unsigned)m->kernel.number, answer.line,
                     answer.error.text);
        s->changed++;
        s->clean += answer.verdict == MAKE_CLEAN;
        s->differ += answer.verdict != MAKE_CLEAN || memcmp(after, m->after, m->size) != 0;
    }
    free(after);
    free(text);
}

static bool is_about_undefined(const char *name)
{
    return strcmp(name, "@full-mask") == 0 || strcmp(name, "@delay-store") == 0;
}

static void test_plants(void **state)
{
    (void)state;
    static struct made m;
    static struct seen seen[32];
    const struct make_suite suite = {.seed = 1, .target = WARP_TARGET(90, 0), .size = MAKE_LARGE};
    unsigned failures = 0, count = 0;
    for (unsigned n = 0; n < KERNELS; n++) {
        struct make_kernel kernel;
        make_draw(&suite, n, &kernel);
        assert_true(made_set(&m, &kernel, spec_get()));
        for (count = 0; make_plant_name(count) != NULL; count++)
            if (seen[count].changed < ENOUGH)
                plant(&m, make_plant_name(count), &seen[count]);
        made_free(&m);
    }
    assert_true(count >= 12 && count < 32);
    for (unsigned n = 0; n < count; n++) {
        const struct seen *const s = &seen[n];
        const char *const name = make_plant_name(n);
        const bool good = s->differ > 0 && (is_about_undefined(name) || s->clean * 10 >= s->changed * 9);
        printf("%s %s: %u kernels changed, %u differ, %u are defined\n", good ? "good" : "BAD", name, s->changed,
               s->differ, s->clean);
        failures += !good;
    }
    assert_int_equal(failures, 0);
}

/* TEXT=OTHER, each place; what is neither. */
static void test_texts(void **state)
{
    (void)state;
    char *const text = make_plant("vote.sync.all x;\nvote.sync.all y;\n", "sync.all=sync.any");
    assert_string_equal(text, "vote.sync.any x;\nvote.sync.any y;\n");
    free(text);
    assert_true(make_plant_is_known("a=b") && make_plant_is_known("@drop-turn"));
    assert_false(make_plant_is_known("a") || make_plant_is_known("=b") || make_plant_is_known("@nothing"));
    assert_null(make_plant("x\n", "@nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plants), cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
