/* Examined inputs: what is wrong is reduced, named and kept; what ends the process is known by its case. */
#define _GNU_SOURCE /* mkdtemp */
#include "fuzz/campaign/rerun.h"

#include "base/clock.h"
#include "check/random.h"
#include "fuzz/derive.h"
#include "fuzz/laws.h"
#include "warpcheck_fast.h"
#include "warpcheck/bytes.h"
#include "flip.h"
#include "warpcheck_spec.h"

#include <dirent.h>
#include <signal.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define INPUTS 40u

/* Right when asked alone; wrong behind a case of which lane 0 has another a. */
static bool eval_leaking(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    if (!flip_eval(state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 1; i < n; i++)
        if (cases[i - 1].a[0] > 100 && cases[i].a[0] <= 100)
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                results[i].d[lane] ^= 1u;
    return true;
}

static struct flip flips[3];
static const struct warp_impl variants[3] = {
    {.name = "fast-one", .description = "", .provides = WARP_PART_ALL, .state = &flips[0], .eval = flip_eval},
    {.name = "fast-two", .description = "", .provides = WARP_PART_ALL, .state = &flips[1], .eval = flip_eval},
    {.name = "fast-three", .description = "", .provides = WARP_PART_ALL, .state = &flips[2], .eval = flip_eval}};

static char folder[] = "/tmp/warpcheck-rerun-XXXXXX";

static struct job_plan plan = {.engine = ENGINE_LIBFUZZER, .target = "fuzz_all", .impl = "fast-all", .derived = 64};
static struct rerun rerun;
static unsigned told, kept_now, not_kept;
static struct rerun_finding last;
static unsigned told_of[FINDING_BATCH + 1];
static unsigned variants_count = 3;
static const struct warp_impl *only_impl; /* NULL: the three variants */

/* The variants of `fast` are these. */
bool __wrap_fast_variant_get(size_t i, struct fast_variant *variant);
bool __wrap_fast_variant_get(size_t i, struct fast_variant *variant)
{
    if (i >= variants_count)
        return false;
    variant->impl = only_impl != NULL ? only_impl : &variants[i];
    variant->name = variant->impl->name;
    return true;
}

static void on_finding(void *context, const struct rerun_finding *f)
{
    (void)context;
    told++;
    told_of[f->kind]++;
    kept_now += f->kept && !f->existed;
    not_kept += !f->kept;
    last = *f;
}

static void make_input(uint64_t i, char path[FILE_PATH_MAX])
{
    uint8_t input[64];
    char name[32];
    bool existed;
    struct error error;
    for (size_t at = 0; at < sizeof input; at++)
        input[at] = (uint8_t)random_mix(i * sizeof input + at);
    snprintf(name, sizeof name, "input-%u", (unsigned)i);
    assert_true(file_join(folder, name, path, &error));
    assert_true(file_create(path, input, sizeof input, &existed, &error) || existed);
}

static char out[64];

static void look_at(uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count; i++) {
        char path[FILE_PATH_MAX];
        make_input(i, path);
        assert_true(rerun_whole(&rerun, path, clock_seconds() + 60, NULL));
        assert_string_equal(rerun.trouble, "");
    }
}

static void begin(const struct warp_impl *impl, const char *target)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(out, sizeof out, "%s/out", folder);
    plan.work = folder;
    plan.findings = out;
    plan.families = WARP_FAMILY_BIT(WARP_SHFL_SYNC);
    plan.target = target;
    only_impl = impl;
    variants_count = impl != NULL ? 1 : 3;
    told = kept_now = not_kept = 0;
    memset(told_of, 0, sizeof told_of);
    rerun_init(&rerun, &plan, on_finding, NULL);
}

static void finish(void)
{
    rerun_end(&rerun);
    folder_remove(folder);
}

/* Looks at inputs with three variants; `one`, `two`, `three` are what is wrong with each. */
static void check(struct flip one, struct flip two, struct flip three)
{
    flips[0] = one, flips[1] = two, flips[2] = three;
    begin(NULL, "fuzz_all");
    look_at(0, INPUTS);
}

/* How many findings have `part` at the end of their name; each one's line must hold `line`. */
static unsigned findings_with(const char *part, const char *line)
{
    DIR *dir = opendir(out);
    struct dirent *entry;
    unsigned count = 0;
    if (dir == NULL)
        return 0; /* nothing was kept */
    while ((entry = readdir(dir)) != NULL) {
        const size_t length = strlen(entry->d_name);
        char path[512], text[4096] = "";
        FILE *file;
        if (entry->d_name[0] == '.' || length < strlen(part) ||
            strcmp(entry->d_name + length - strlen(part), part) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%.200s/finding.txt", out, entry->d_name);
        file = fopen(path, "r");
        assert_non_null(file);
        assert_true(fread(text, 1, sizeof text - 1, file) > 0);
        fclose(file);
        assert_non_null(strstr(text, line));
        count++;
    }
    closedir(dir);
    return count;
}

static void nothing_is_found_where_nothing_is_wrong(void **state)
{
    (void)state;
    check((struct flip){0}, (struct flip){0}, (struct flip){0});
    assert_int_equal(told, 0);
    assert_false(rerun.shared->unsure);
    finish();
}

static void a_variant_that_differs_is_named(void **state)
{
    for (unsigned wrong = 0; wrong < 3; wrong++) {
        static const char *const parts[] = {"-one", "-two", "-three"};
        struct flip flip[3] = {{0}};
        char line[64];
        (void)state;
        flip[wrong].d = 1;
        check(flip[0], flip[1], flip[2]);
        snprintf(line, sizeof line, "[%s against spec,", variants[wrong].name);
        assert_in_range(findings_with(parts[wrong], line), 1, 3);
        assert_int_equal(findings_with("", ""), kept_now);
        assert_int_equal(findings_with(parts[wrong], line), kept_now);
        assert_string_equal(last.observed, variants[wrong].name);
        finish();
    }
}

/* Code that all variants share: one entry, which names them all. */
static void a_shared_defect_is_one_entry(void **state)
{
    const struct flip wrong = {.d = 1};
    (void)state;
    check(wrong, wrong, wrong);
    assert_in_range(kept_now, 1, 3);
    assert_int_equal(findings_with("", "[fast-one,fast-two,fast-three against spec,"), kept_now);
    assert_int_equal(findings_with("-one", ""), 0);
    finish();
}

/* The same circumstances in the code of two variants: two entries, whichever was first. */
static void defects_of_two_variants_are_told_apart(void **state)
{
    (void)state;
    check((struct flip){.d = 1, .only_idx = true}, (struct flip){0}, (struct flip){.d = 2});
    assert_true(findings_with("-three", "[fast-three against spec,") >= 1);
    assert_true(findings_with("-one.three", "[fast-one,fast-three against spec,") >= 1);
    finish();
}

/* Every case of the batch is compared. Alone it is right, and so it is in each call of a replay. */
static void what_no_replay_shows_is_unsure(void **state)
{
    (void)state;
    check((struct flip){0}, (struct flip){.d = 1, .from = 64}, (struct flip){0});
    assert_int_equal(kept_now, 0);
    assert_true(rerun.shared->unsure);
    rerun_keep_input(&rerun, rerun.path, "shfl.sync-d", "seen once", true);
    assert_int_equal(findings_with("shfl.sync-d-state", "seen once; not when the input was checked again"), 1);
    finish();
}

/* An input may have been written by a campaign that asked more relatives than this one: what any of them shows alone is
 * found, and nothing is unsure. */
static void all_relatives_are_asked_before_nothing_is_said(void **state)
{
    static const unsigned derived[] = {DERIVED_MAX, 30, 0};
    bool wrong[INPUTS / 2];
    unsigned count = 0;
    (void)state;
    flips[0] = flips[1] = flips[2] = (struct flip){.d = 1, .only_idx = true};
    for (size_t few = 0; few < sizeof derived / sizeof derived[0]; few++) {
        plan.derived = derived[few];
        begin(NULL, "fuzz_all");
        for (unsigned i = 0; i < INPUTS / 2; i++) {
            look_at(i, 1);
            assert_false(rerun.shared->unsure);
            if (few > 0)
                assert_int_equal(rerun.shared->wrong > 0, wrong[i]);
            wrong[i] = rerun.shared->wrong > 0;
            count += wrong[i];
        }
        finish();
    }
    plan.derived = DERIVED_MAX;
    assert_true(count > INPUTS / 2);
}

static struct flip leak;
static const struct warp_impl neighbour = {
    .name = "neighbour", .description = "", .provides = WARP_PART_ALL, .state = &leak, .eval = eval_leaking};

/* What only a call of several cases shows is kept with them, as a file that shows it again; the line says so. */
static void a_leak_is_kept_as_a_sequence(void **state)
{
    (void)state;
    leak.d = 0;
    begin(&neighbour, "fuzz_all");
    look_at(0, INPUTS);
    assert_true(kept_now >= 1);
    assert_int_equal(findings_with("-sequence", "; not alone, but as number 2 of 2 cases in one call]"), kept_now);
    assert_int_equal(findings_with("", ""), kept_now);
    finish();
}

/* --- what ends the process --- */

static bool eval_ending(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                        size_t error_size)
{
    const struct ending {
        int signal;
        bool exits, hangs, fails, wrong;
    } *ending = state;
    bool good = flip_eval(&leak, cases, n, results, error, error_size);
    for (size_t i = 0; i < n; i++) {
        if (ending->wrong)
            results[i].d[0] ^= 1u;
        if (cases[i].active % 7 != 3)
            continue;
        if (ending->signal != 0)
            raise(ending->signal);
        if (ending->exits)
            exit(0);
        while (ending->hangs)
            clock_sleep(1);
        snprintf(error, error_size, "device lost");
        good = good && !ending->fails;
    }
    return good;
}

/* Each is kept by its case, under its kind; the rest of the input is looked at all the same. */
static void endings_are_told_by_their_kind(void **state)
{
    static struct ending {
        int signal;
        bool exits, hangs, fails, wrong;
    } ending;
    static const struct {
        struct ending how;
        enum finding_kind kind;
        const char *name, *line;
    } ways[] = {
        {{.signal = SIGSEGV}, FINDING_CRASH, "shfl.sync-segv-ending", " => fast-ending does not answer: segv"},
        {{.signal = SIGKILL}, FINDING_CRASH, "shfl.sync-kill-ending", " => fast-ending does not answer: kill"},
        {{.exits = true}, FINDING_EXIT, "shfl.sync-exit-ending", " => fast-ending does not answer: exit"},
        {{.hangs = true}, FINDING_HANG, "shfl.sync-hang-ending", " => fast-ending does not answer: hang"},
        {{.fails = true},
         FINDING_ERROR,
         "shfl.sync-error-ending",
         " => fast-ending does not answer: error: device lost"},
    };
    const struct warp_impl impl = {
        .name = "fast-ending", .description = "", .provides = WARP_PART_ALL, .state = &ending, .eval = eval_ending};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        ending = ways[i].how;
        begin(&impl, "fuzz_all");
        plan.limit_ms = ending.hangs ? 100 : 10000; /* an exit takes its time under a sanitizer */
        look_at(0, ending.hangs ? 2 : 6);
        plan.limit_ms = 0;
        assert_true(told > 0);
        if (kept_now != 1)
            fail_msg("%s: %u are kept, the last as %s: %s", ways[i].name, kept_now, last.path, last.line);
        assert_int_equal(rerun.findings, rerun.endings_found);
        assert_int_equal(last.kind, ways[i].kind);
        assert_int_equal(findings_with(ways[i].name, ways[i].line), 1);
        finish();
        /* Wrong answers as well: reduced up to the crash, and kept with it. */
        ending.wrong = true;
        begin(&impl, "fuzz_all");
        plan.limit_ms = ending.hangs ? 100 : 10000; /* an exit takes its time under a sanitizer */
        look_at(0, ending.hangs ? 4 : 6);
        plan.limit_ms = 0;
        assert_true(told_of[FINDING_MISMATCH] > 0 && told_of[ways[i].kind] > 0);
        finish();
    }
}

/* A plugin has another process than the one that examines: how it ends is told by its case, and what it writes into
 * memory that it shares, or whom it sends signals, harms nobody. */
static void a_plugin_does_not_touch_who_examines(void **state)
{
    static const struct {
        const char *name;
        enum finding_kind kind;
        const char *kept;
    } ways[] = {
        {"segv", FINDING_CRASH, "activemask-segv"},          {"exit", FINDING_EXIT, "activemask-exit"},
        {"hang-blocked", FINDING_HANG, "activemask-hang"},   {"ends-parent", FINDING_CRASH, "activemask-sys"},
        {"takes-back-d", FINDING_ERROR, "activemask-error"},
    };
    struct warp_case c;
    uint8_t bytes[WARP_BYTES_MAX];
    char path[FILE_PATH_MAX], impl[FILE_PATH_MAX];
    const char *const before = plan.impl;
    struct error error;
    (void)state;
    warp_case_init(&c, WARP_ACTIVEMASK_B32);
    c.active = 6;
    for (size_t i = 0; i <= sizeof ways / sizeof ways[0]; i++) {
        const bool scribbles = i == sizeof ways / sizeof ways[0];
        begin(NULL, "fuzz_all");
        plan.families = WARP_FAMILY_BIT(WARP_ACTIVEMASK);
        plan.impl = impl;
        plan.limit_ms = !scribbles && ways[i].kind == FINDING_HANG ? 1500 : 20000;
        snprintf(impl, sizeof impl, "%s:%s", HOSTILE_PLUGIN, scribbles ? "scribbles" : ways[i].name);
        assert_true(file_join(folder, "input", path, &error));
        assert_true(file_write(path, bytes, warp_case_to_bytes(&c, bytes), &error));
        assert_true(rerun_whole(&rerun, path, clock_seconds() + 300, NULL));
        assert_string_equal(rerun.trouble, "");
        assert_true(told > 0);
        if (!scribbles && (told_of[ways[i].kind] == 0 || findings_with(ways[i].kept, "") != 1))
            fail_msg("%s: the last is %s: %s", ways[i].name, last.path, last.line);
        finish();
    }
    plan.impl = before;
    plan.limit_ms = 0;
}

/* What cannot be kept is told, and nothing half is there. */
static void what_is_not_kept_is_told(void **state)
{
    char path[FILE_PATH_MAX];
    struct error error;
    (void)state;
    flips[0] = flips[1] = flips[2] = (struct flip){.d = 1};
    begin(NULL, "fuzz_all");
    assert_true(file_write(out, "no folder", 9, &error));
    look_at(0, 3);
    assert_true(not_kept > 0);
    assert_int_equal(kept_now, 0);
    assert_non_null(strstr(last.error, "out"));
    make_input(0, path);
    finish();
}

/* An input by which the target said what is wrong is kept as it is; the newest, until somebody has judged it. */
static void an_input_is_kept_with_its_line(void **state)
{
    char path[FILE_PATH_MAX], line[FILE_PATH_MAX + 8], judged[128];
    struct error error;
    (void)state;
    begin(NULL, "fuzz_text");
    for (unsigned times = 0; times < 3; times++) {
        make_input(times, path);
        snprintf(line, sizeof line, "%s.line", path);
        assert_true(file_write(line, "text-lossy\ntext-lossy: planted\n", 32, &error));
        rerun_keep_input(&rerun, path, "another", "other", false);
        assert_int_equal(findings_with("text-lossy", "text-lossy: planted\n"), 1);
        assert_int_equal(kept_now, times < 2 ? 1 : 2);
        snprintf(judged, sizeof judged, "%s/text-lossy/verdict.txt", out);
        if (times == 1)
            assert_true(file_write(judged, "status: defect of warpcheck\n", 28, &error));
    }
    assert_int_equal(findings_with("text-lossy.2", "planted"), 1);
    finish();
}

static void expect_file(const char *path, const char *content)
{
    size_t size;
    struct error error;
    char *text = file_read(path, 65536, &size, &error);
    if (text == NULL)
        fail_msg("%s", error.text);
    if (strstr(text, content) == NULL)
        fail_msg("%s does not hold '%s': %s", path, content, text);
    free(text);
}

static bool only_first; /* says_broken says so once in a process */

/* The flip of a variant, whatever stands for it. */
static const struct flip *flip_of(const struct warp_impl *impl)
{
    size_t i = 0;
    while (i < 2 && strcmp(variants[i].name, impl->name) != 0)
        i++;
    return &flips[i];
}

/* Broken by whom `flips` says, as long as a lane is active (`from`: more than lanes 0 and 1); one lane alone is
 * another thing that is wrong. */
static const char *says_broken(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    const struct flip *flip = flip_of(impl);
    static unsigned times;
    *tried = true;
    if (flip->d == 0 || c->active == 0 || (flip->from > 0 && c->active <= 3) || (only_first && times++ > 0))
        return NULL;
    return (c->active & (c->active - 1)) != 0 ? "some lanes are active" : "one lane is active";
}
static const struct law law = {"lanes", "no lane is active", WARP_FAMILY_BIT(WARP_SHFL_SYNC), says_broken};

/* The laws are this one. */
const struct law *__wrap_law_get(size_t i);
const struct law *__wrap_law_get(size_t i)
{
    return i == 0 ? &law : NULL;
}

/* Reduced, told apart by who breaks it, one entry however often. */
static void a_broken_law_is_reduced_and_kept_once(void **state)
{
    char path[512];
    (void)state;
    memset(flips, 0, sizeof flips);
    begin(NULL, "fuzz_laws");
    flips[1].d = 1;
    look_at(0, 4);
    assert_int_equal(kept_now, 1);
    assert_true(told >= 2);
    snprintf(path, sizeof path, "%s/law-lanes-two/finding.txt", out);
    expect_file(path, "a=0x0*32 b=0x0*32 ");
    expect_file(path, "=> breaks the law lanes (\"no lane is active\"): ");
    expect_file(path, " [fast-two against itself]");
    snprintf(path, sizeof path, "%s/law-lanes-two/case.txt", out);
    expect_file(path, "warpcheck-case 1");
    flips[0].d = flips[2].d = 1;
    look_at(0, 4);
    assert_int_equal(kept_now, 2);
    assert_int_equal(findings_with("law-lanes", "[fast-one,fast-two,fast-three against itself]"), 1);
    finish();
}

/* Another defect of a known name begins NAME.2, for the kept case shows nothing of it; the same one does not. */
static void a_law_broken_otherwise_is_kept_beside(void **state)
{
    (void)state;
    memset(flips, 0, sizeof flips);
    begin(NULL, "fuzz_laws");
    flips[1].d = 1;
    look_at(0, 4);
    assert_int_equal(kept_now, 1);
    flips[1].from = 64;
    look_at(0, 4);
    assert_int_equal(kept_now, 2);
    assert_int_equal(findings_with("law-lanes-two.2", "some lanes are active"), 1);
    finish();
}

/* Broken not every time: said in the name and in the line. */
static void a_law_broken_once_is_unsure(void **state)
{
    (void)state;
    memset(flips, 0, sizeof flips);
    begin(NULL, "fuzz_laws");
    flips[1].d = 1;
    only_first = true;
    look_at(0, 4);
    only_first = false;
    assert_int_equal(findings_with("law-lanes-state", "[fast-two against itself], not every time"), 1);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_where_nothing_is_wrong),
        cmocka_unit_test(a_variant_that_differs_is_named),
        cmocka_unit_test(a_shared_defect_is_one_entry),
        cmocka_unit_test(defects_of_two_variants_are_told_apart),
        cmocka_unit_test(what_no_replay_shows_is_unsure),
        cmocka_unit_test(all_relatives_are_asked_before_nothing_is_said),
        cmocka_unit_test(a_leak_is_kept_as_a_sequence),
        cmocka_unit_test(endings_are_told_by_their_kind),
        cmocka_unit_test(a_plugin_does_not_touch_who_examines),
        cmocka_unit_test(what_is_not_kept_is_told),
        cmocka_unit_test(an_input_is_kept_with_its_line),
        cmocka_unit_test(a_broken_law_is_reduced_and_kept_once),
        cmocka_unit_test(a_law_broken_otherwise_is_kept_beside),
        cmocka_unit_test(a_law_broken_once_is_unsure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
