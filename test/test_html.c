/* cli/ui/html.c: whatever is handed in, the page is well-formed and holds it as text; a drawing names what is drawn. */
#include "cli/ui/html.h"
#include "model/lanes.h"
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *page;
static size_t page_size;

static FILE *begin(void)
{
    free(page);
    FILE *out = open_memstream(&page, &page_size);
    assert_non_null(out);
    return out;
}

static size_t count_of(const char *word)
{
    size_t count = 0;
    for (const char *at = page; (at = strstr(at, word)) != NULL; at += strlen(word))
        count++;
    return count;
}

/* Every element is closed in the order in which it was opened, and every & begins an entity. */
static void check_well_formed(void)
{
    char names[64][16];
    size_t depth = 0;
    for (const char *at = page; *at != '\0'; at++) {
        if (*at == '&')
            assert_true(strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&amp;", 5) == 0 ||
                        strncmp(at, "&quot;", 6) == 0 || strncmp(at, "&#39;", 5) == 0);
        if (*at != '<' || at[1] == '!')
            continue;
        const char *const end = strchr(at, '>');
        const bool closes = at[1] == '/';
        const size_t length = strcspn(at + 1 + closes, " />");
        assert_non_null(end);
        assert_true(length > 0 && length < sizeof names[0]);
        if (closes) {
            assert_true(depth-- > 0);
            assert_true(strlen(names[depth]) == length && strncmp(names[depth], at + 2, length) == 0);
        } else if (end[-1] != '/') {
            assert_true(depth < 64);
            snprintf(names[depth++], sizeof names[0], "%.*s", (int)length, at + 1);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static void test_text_is_escaped(void **state)
{
    static const char evil[] = "<script>alert(1)</script>&\"'\033[31m\xff\n]]>";
    const struct html_column columns[] = {{evil, false}, {"n", true}};
    const char *const cells[] = {evil, "1"};
    (void)state;
    FILE *out = begin();
    html_begin(out, evil);
    html_verdict(out, HTML_BAD, evil, evil);
    html_section_begin(out, evil);
    html_finding_begin(out, HTML_OPEN, evil);
    html_line(out, HTML_GOOD, evil, "%s", evil);
    html_code(out, evil, evil);
    html_warp(out, &(struct html_warp){.done = 0xff, .wrong = 1, .caption = evil});
    const struct html_table table = html_table_begin(out, columns, 2);
    html_table_row(&table, HTML_BAD, cells);
    html_table_end(&table);
    html_finding_end(out);
    html_section_end(out);
    html_end(out);
    fclose(out);
    check_well_formed();
    assert_int_equal(count_of("<script"), 0);
    assert_int_equal(count_of("\033"), 0);
    assert_int_equal(count_of("\xff"), 0);
    assert_int_equal(count_of("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;\\x1b[31m\\xff"), 15);
    assert_int_equal(count_of("http"), 3); /* names of XML, and the header's attribute: nothing is fetched */
}

static struct warp_result answer(const struct warp_case *c)
{
    struct warp_result r;
    char error[64];
    assert_true(spec_get()->eval(spec_get()->state, c, 1, &r, error, sizeof error));
    return r;
}

static void test_case_is_drawn(void **state)
{
    struct warp_case c;
    FILE *out = begin();
    (void)state;
    warp_case_init(&c, WARP_SHFL_SYNC_UP_B32);
    c.target = WARP_TARGET(70, 0);
    c.exited = 0x80000000u;
    c.active = 7;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c.a[lane] = 100 + lane;
        c.b[lane] = 1;
        c.membermask[lane] = lane == 2 ? 0xff : 0x3;
    }
    const struct warp_result expected = answer(&c);
    struct warp_result observed = expected;
    observed.d[1] = 4711;
    const struct drawing drawing = {.c = &c,
                                    .expected = &expected,
                                    .expected_name = "spec",
                                    .observed = &observed,
                                    .observed_name = "<mine>",
                                    .parts = WARP_PART_ALL};
    html_case(out, &drawing);
    fclose(out);
    check_well_formed();
    assert_int_equal(count_of("class=\"marked\""), 1);
    assert_int_equal(count_of("<tspan class=\"marked\">0x1267</tspan>"), 1);
    assert_int_equal(count_of("class=\"wire\""), 1); /* lane 1 reads lane 0; lane 2 waits */
    assert_int_equal(count_of("class=\"ring\""), 3); /* lane 1 in the strip, in the legend and in its row */
    assert_int_equal(count_of("class=\"small in\">w<"), 1);
    assert_int_equal(count_of("class=\"small in\">x<"), 1);
    assert_int_equal(count_of("&lt;mine&gt;"), 1);
}

/* Every case that can be drawn as text can be drawn as a page, within its width. */
static void test_every_form(void **state)
{
    (void)state;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        struct warp_case c;
        FILE *out = begin();
        warp_case_init(&c, (enum warp_form)form);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            c.b[lane] = warp_form_is_shfl(warp_form_get(form)) ? 31 - 2 * lane : 0;
        const struct warp_result expected = answer(&c);
        html_case(out, &(struct drawing){.c = &c, .expected = &expected, .expected_name = "spec", .all = true});
        fclose(out);
        check_well_formed();
        for (const char *at = page; (at = strstr(at, "<text x=\"")) != NULL; at++)
            assert_true(strtod(at + 9, NULL) < 370);
        for (const char *at = page; (at = strstr(at, "class=\"wire\" d=\"M")) != NULL; at++)
            assert_true(strtod(strchr(at, 'H') + 1, NULL) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text_is_escaped), cmocka_unit_test(test_case_is_drawn),
                                       cmocka_unit_test(test_every_form)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(page);
    return failed;
}
