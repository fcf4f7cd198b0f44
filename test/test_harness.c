/* The check of an input against several implementations: what is counted, and what becomes of a mismatch. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "fuzz/harness.h"

#include "check/random.h"
#include "fuzz/laws.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <dirent.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define INPUTS 40u

/* Answers as the transcription does, but for what `state` flips in d: of every form, or of .idx; of every case of a
 * call, or of the last of 65. */
struct flip {
    uint32_t d;
    bool only_idx, only_last;
};

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct flip *flip = state;
    const struct warp_impl *spec = spec_get();
    if (!spec->eval(spec->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++)
        if ((!flip->only_idx || warp_form_get(cases[i].form)->op == WARP_IDX) && (!flip->only_last || i == 64))
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                results[i].d[lane] ^= flip->d;
    return true;
}

/* Right when asked alone; wrong behind a case of which lane 0 has another a. */
static bool eval_leaking(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    if (!eval(state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 1; i < n; i++)
        if (cases[i - 1].a[0] > 100 && cases[i].a[0] <= 100)
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                results[i].d[lane] ^= 1u;
    return true;
}

static struct flip flips[3];
static const struct warp_impl variants[3] = {
    {.name = "fast-one", .description = "", .provides = WARP_PART_ALL, .state = &flips[0], .eval = eval},
    {.name = "fast-two", .description = "", .provides = WARP_PART_ALL, .state = &flips[1], .eval = eval},
    {.name = "fast-three", .description = "", .provides = WARP_PART_ALL, .state = &flips[2], .eval = eval}};

static char folder[] = "/tmp/warpcheck-harness-XXXXXX";

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static void check_inputs(struct harness *h)
{
    for (uint64_t i = 0; i < INPUTS; i++) {
        uint8_t input[64];
        for (size_t at = 0; at < sizeof input; at++)
            input[at] = (uint8_t)random_mix(i * sizeof input + at);
        harness_check_input(h, input, sizeof input, NULL);
    }
}

/* Checks inputs with three variants; `one`, `two`, `three` are what is wrong with each. */
static struct harness *check(struct flip one, struct flip two, struct flip three)
{
    static struct harness h;
    char error[64];
    flips[0] = one, flips[1] = two, flips[2] = three;
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    assert_non_null(mkdtemp(folder));
    h = (struct harness){.reference = spec_get(),
                         .tested = {&variants[0], &variants[1], &variants[2]},
                         .tested_count = 3,
                         .observed = &variants[0],
                         .observed_spec = "fast",
                         .families = WARP_FAMILY_BIT(WARP_SHFL_SYNC),
                         .derived = 64,
                         .keep_going = true,
                         .findings = folder,
                         .program = "warpcheck",
                         .status = status_open(NULL, error, sizeof error)};
    assert_non_null(h.status);
    check_inputs(&h);
    return &h;
}

/* Checks inputs with one implementation. */
static struct harness *check_with(const struct warp_impl *impl)
{
    struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
    h->tested[0] = h->observed = impl;
    h->tested_count = 1;
    check_inputs(h);
    return h;
}

static void finish(struct harness *h)
{
    free(h->status);
    assert_int_equal(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* How many findings have `part` at the end of their name; each one's line must hold `line`. */
static unsigned findings_with(const char *part, const char *line)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    unsigned count = 0;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        const size_t length = strlen(entry->d_name);
        char path[512], text[4096] = "";
        FILE *file;
        if (entry->d_name[0] == '.' || length < strlen(part) ||
            strcmp(entry->d_name + length - strlen(part), part) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%.200s/finding.txt", folder, entry->d_name);
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

static void every_variant_is_compared(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
    (void)state;
    assert_int_equal(h->status->executions, INPUTS);
    assert_int_equal(h->status->checks, INPUTS * 65 * 3);
    assert_int_equal(h->status->mismatches, 0);
    assert_int_equal(findings_with("", ""), 0);
    finish(h);
}

static void a_variant_that_differs_is_named(void **state)
{
    for (unsigned wrong = 0; wrong < 3; wrong++) {
        static const char *const parts[] = {"-one", "-two", "-three"};
        struct flip flip[3] = {{0}};
        char line[64];
        struct harness *h;
        (void)state;
        flip[wrong].d = 1;
        h = check(flip[0], flip[1], flip[2]);
        snprintf(line, sizeof line, "[%s against spec,", variants[wrong].name);
        assert_in_range(findings_with(parts[wrong], line), 1, 3);
        assert_int_equal(findings_with("", ""), h->status->findings);
        assert_int_equal(findings_with(parts[wrong], line), h->status->findings);
        finish(h);
    }
}

/* Code that all variants share: one entry, which names them all. */
static void a_shared_defect_is_one_entry(void **state)
{
    const struct flip wrong = {.d = 1};
    struct harness *h = check(wrong, wrong, wrong);
    (void)state;
    assert_in_range(h->status->findings, 1, 3);
    assert_int_equal(findings_with("", "[fast-one,fast-two,fast-three against spec,"), h->status->findings);
    assert_int_equal(findings_with("-one", ""), 0);
    assert_int_equal(h->status->mismatches % 3, 0);
    finish(h);
}

/* The same circumstances in the code of two variants: two entries, whichever was first. */
static void defects_of_two_variants_are_told_apart(void **state)
{
    struct harness *h = check((struct flip){.d = 1, .only_idx = true}, (struct flip){0}, (struct flip){.d = 2});
    (void)state;
    assert_true(findings_with("-three", "[fast-three against spec,") >= 1);
    assert_true(findings_with("-one.three", "[fast-one,fast-three against spec,") >= 1);
    finish(h);
}

/* Every case of the batch is compared. Alone it is right, and so it is in each call of a replay: a note. */
static void the_last_relative_is_compared(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){.d = 1, .only_last = true}, (struct flip){0});
    char path[512];
    (void)state;
    assert_in_range(h->status->mismatches, INPUTS / 4, INPUTS);
    assert_int_equal(h->status->findings, 1);
    snprintf(path, sizeof path, "%s/shfl.sync-state/note.txt", folder);
    assert_int_equal(access(path, F_OK), 0);
    finish(h);
}

static struct flip leak;
static const struct warp_impl neighbour = {
    .name = "neighbour", .description = "", .provides = WARP_PART_ALL, .state = &leak, .eval = eval_leaking};

/* What only a call of several cases shows is kept with them, as a file that shows it again. */
static void a_leak_is_kept_as_a_sequence(void **state)
{
    struct harness *h;
    (void)state;
    h = check_with(&neighbour);
    assert_true(h->status->findings >= 1);
    assert_int_equal(findings_with("-sequence", "[neighbour against spec,"), h->status->findings);
    assert_int_equal(findings_with("", ""), h->status->findings);
    finish(h);
}

/* A failure's folder appears whole, or not at all and is counted. */
static void a_failure_is_whole_or_unkept(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
    char path[600], unfinished[512];
    (void)state;
    snprintf(unfinished, sizeof unfinished, "%s/.text-lossy.%ld", folder, (long)getpid());
    assert_int_equal(mkdir(unfinished, 0777), 0);
    snprintf(path, sizeof path, "%s/input", unfinished);
    assert_int_equal(symlink("/dev/full", path), 0);
    harness_failure(h, "text-lossy", "planted", (const uint8_t *)"abc", 3);
    assert_int_equal(h->status->unkept, 1);
    assert_int_equal(h->status->findings, 0);
    assert_non_null(strstr(h->status->unkept_why, "No space left"));
    snprintf(path, sizeof path, "%s/text-lossy", folder);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(unfinished, F_OK), 0);
    harness_failure(h, "text-other", "planted", (const uint8_t *)"abc", 3);
    assert_int_equal(h->status->findings, 1);
    snprintf(path, sizeof path, "%s/text-other/input", folder);
    assert_int_equal(access(path, F_OK), 0);
    finish(h);
}

static void expect_file(const char *path, const char *content)
{
    char text[4096] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s is not there", path);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    if (strstr(text, content) == NULL)
        fail_msg("%s does not hold '%s': %s", path, content, text);
}

/* A failure has its line and a form for a verdict; the newest input is kept until somebody has judged it. */
static void a_failure_is_kept_like_other_findings(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
    char path[512];
    FILE *file;
    (void)state;
    harness_failure(h, "text-lossy", "planted", (const uint8_t *)"abc", 3);
    snprintf(path, sizeof path, "%s/text-lossy/finding.txt", folder);
    expect_file(path, "text-lossy: planted\n");
    snprintf(path, sizeof path, "%s/text-lossy/verdict.txt", folder);
    expect_file(path, "status: open");
    memset(h->status->signatures, 0, sizeof h->status->signatures); /* the next campaign */
    harness_failure(h, "text-lossy", "planted again", (const uint8_t *)"newer", 5);
    snprintf(path, sizeof path, "%s/text-lossy/finding.txt", folder);
    expect_file(path, "planted again");
    snprintf(path, sizeof path, "%s/text-lossy/input", folder);
    expect_file(path, "newer");
    assert_int_equal(h->status->findings, 1);
    assert_int_equal(h->status->duplicates, 1);
    assert_int_equal(h->status->mismatches, 2);
    snprintf(path, sizeof path, "%s/text-lossy/verdict.txt", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "status: defect of warpcheck\n");
    fclose(file);
    memset(h->status->signatures, 0, sizeof h->status->signatures);
    harness_failure(h, "text-lossy", "planted once more", (const uint8_t *)"other", 5);
    snprintf(path, sizeof path, "%s/text-lossy/input", folder);
    expect_file(path, "newer");
    snprintf(path, sizeof path, "%s/text-lossy.2/input", folder);
    expect_file(path, "other");
    finish(h);
}

static bool never_again; /* says_broken says that the law holds */

/* Broken by whom `flips` says, as long as a lane is active (`only_last`: more than lanes 0 and 1); one lane alone is
 * another thing that is wrong. */
static const char *says_broken(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    const struct flip *flip = impl->state;
    *tried = true;
    if (flip->d == 0 || c->active == 0 || (flip->only_last && c->active <= 3) || never_again)
        return NULL;
    return (c->active & (c->active - 1)) != 0 ? "some lanes are active" : "one lane is active";
}
static const struct law law = {"lanes", "no lane is active", WARP_FAMILY_BIT(WARP_SHFL_SYNC), says_broken};

static void broken(struct harness *h, uint32_t who)
{
    struct warp_case c;
    random_case(1, 0, WARP_FAMILY_BIT(WARP_SHFL_SYNC), &c);
    c.active = UINT32_MAX;
    c.exited = 0;
    harness_law_broken(h, &law, "some lanes are active", &c, who);
}

/* Reduced, told apart by who breaks it, one entry however often; another one beside it when that is mended. */
static void a_broken_law_is_reduced_and_kept_once(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
    char path[512];
    (void)state;
    flips[1].d = 1;
    broken(h, 2);
    broken(h, 2);
    assert_int_equal(h->status->mismatches, 2);
    assert_int_equal(h->status->findings, 1);
    assert_int_equal(h->status->duplicates, 1);
    snprintf(path, sizeof path, "%s/law-lanes-two/finding.txt", folder);
    expect_file(path, " active=0x3 a=0x0*32 b=0x0*32 ");
    expect_file(path,
                "=> breaks the law lanes (\"no lane is active\"): some lanes are active [fast-two against itself]");
    snprintf(path, sizeof path, "%s/law-lanes-two/verdict.txt", folder);
    expect_file(path, "status: open");
    snprintf(path, sizeof path, "%s/law-lanes-two/case.txt", folder);
    expect_file(path, "warpcheck-case 1");
    flips[0].d = flips[2].d = 1;
    broken(h, 7);
    assert_int_equal(h->status->findings, 2);
    assert_int_equal(findings_with("law-lanes", "[fast-one,fast-two,fast-three against itself]"), 1);
    assert_int_equal(h->status->reporting % 2, 0);
    finish(h);
}

/* Another defect of a known name begins NAME.2, for the kept case shows nothing of it; the same one does not. */
static void a_law_broken_otherwise_is_kept_beside(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
    (void)state;
    flips[1].d = 1;
    broken(h, 2);
    memset(h->status->signatures, 0, sizeof h->status->signatures); /* the next campaign */
    broken(h, 2);
    assert_int_equal(h->status->findings, 1);
    memset(h->status->signatures, 0, sizeof h->status->signatures);
    flips[1].only_last = true;
    broken(h, 2);
    assert_int_equal(h->status->findings, 2);
    assert_int_equal(findings_with("law-lanes-two.2", "some lanes are active"), 1);
    finish(h);
}

/* Broken not every time: said in the name and in the line. */
static void a_law_broken_once_is_unsure(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
    char path[512];
    (void)state;
    flips[1].d = 1;
    never_again = true;
    broken(h, 2);
    never_again = false;
    snprintf(path, sizeof path, "%s/law-lanes-state/finding.txt", folder);
    expect_file(path, "[fast-two against itself], not every time");
    finish(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_is_compared),
        cmocka_unit_test(a_variant_that_differs_is_named),
        cmocka_unit_test(a_shared_defect_is_one_entry),
        cmocka_unit_test(defects_of_two_variants_are_told_apart),
        cmocka_unit_test(the_last_relative_is_compared),
        cmocka_unit_test(a_leak_is_kept_as_a_sequence),
        cmocka_unit_test(a_failure_is_whole_or_unkept),
        cmocka_unit_test(a_failure_is_kept_like_other_findings),
        cmocka_unit_test(a_broken_law_is_reduced_and_kept_once),
        cmocka_unit_test(a_law_broken_otherwise_is_kept_beside),
        cmocka_unit_test(a_law_broken_once_is_unsure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
