/* The check of an input against several implementations: what is counted, and what a target tells of a mismatch. */
#define _GNU_SOURCE /* mkdtemp */
#include "fuzz/harness.h"

#include "check/random.h"
#include "fuzz/derive.h"
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
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define INPUTS 40u

static struct flip flips[3];
static const struct warp_impl variants[3] = {
    {.name = "fast-one", .description = "", .provides = WARP_PART_ALL, .state = &flips[0], .eval = flip_eval},
    {.name = "fast-two", .description = "", .provides = WARP_PART_ALL, .state = &flips[1], .eval = flip_eval},
    {.name = "fast-three", .description = "", .provides = WARP_PART_ALL, .state = &flips[2], .eval = flip_eval}};

static char folder[] = "/tmp/warpcheck-harness-XXXXXX";

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
    flips[0] = one, flips[1] = two, flips[2] = three;
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    assert_non_null(mkdtemp(folder));
    h = (struct harness){.reference = spec_get(),
                         .tested = {&variants[0], &variants[1], &variants[2]},
                         .tested_count = 3,
                         .observed = &variants[0],
                         .observed_spec = "fast-all",
                         .families = WARP_FAMILY_BIT(WARP_SHFL_SYNC),
                         .derived = 64,
                         .keep_going = true,
                         .inputs = folder,
                         .program = "warpcheck",
                         .status = status_open(NULL, NULL)};
    assert_non_null(h.status);
    check_inputs(&h);
    return &h;
}

static void finish(struct harness *h)
{
    free(h->status);
    folder_remove(folder);
}

/* How many files in the folder have `part` in their name; each must hold `line`. */
static unsigned files_with(const char *part, const char *line)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    unsigned count = 0;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        char path[512];
        struct error error;
        size_t size;
        char *text;
        if (entry->d_name[0] == '.' || strstr(entry->d_name, part) == NULL)
            continue;
        snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
        text = file_read(path, 1 << 20, &size, &error);
        assert_non_null(text);
        assert_non_null(strstr(text, line));
        free(text);
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
    assert_int_equal(h->status->written, 0);
    assert_int_equal(files_with("", ""), 0);
    finish(h);
}

/* Each input that shows something is there, with its line; of a flood some. */
static void inputs_that_show_something_are_written(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){.d = 1}, (struct flip){0});
    (void)state;
    assert_true(h->status->mismatches > INPUTS * 20);
    assert_true(h->status->written > 0 && h->status->skipped > h->status->written);
    assert_int_equal(files_with(".line", "shfl.sync-d\nwarp1 shfl.sync."), h->status->written);
    assert_int_equal(files_with(".line", " [fast-two against spec, lane"), h->status->written);
    assert_int_equal(files_with("mismatch-", ""), 2 * h->status->written);
    finish(h);
}

/* The campaign that does not keep up is not drowned; what is new is written all the same. */
static void a_flood_waits_for_the_campaign(void **state)
{
    struct harness *h = check((struct flip){.d = 1}, (struct flip){0}, (struct flip){0});
    const uint64_t written = h->status->written;
    (void)state;
    check_inputs(h);
    assert_true(h->status->written <= written + 2);
    harness_failure(h, "text-lossy", "planted", (const uint8_t *)"abc", 3);
    assert_int_equal(files_with("input-", ""), 2);
    assert_int_equal(files_with("input-4", ""), 0);
    h->status->examined = h->status->written;
    check_inputs(h);
    assert_true(h->status->written > written + 2);
    finish(h);
}

/* The last relative is compared, and the first who differ are told of. */
static void the_last_relative_is_compared(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){.d = 1, .from = 64}, (struct flip){0});
    (void)state;
    assert_in_range(h->status->mismatches, INPUTS / 4, INPUTS);
    assert_true(h->status->written > 0);
    finish(h);
}

/* So is what an input spells out far in a call, by an implementation that changes nothing in its cases. */
static void a_long_call_that_is_spelled_out_is_compared(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
    uint8_t input[WARP_BYTES_MAX + DERIVED_ORDER_MAX];
    struct warp_case c;
    (void)state;
    random_case(1, 1, h->families, &c);
    const size_t size = warp_case_to_bytes(&c, input);
    memset(input + size, DERIVED_AGAIN, DERIVED_ORDER_MAX);
    input[size] = 1;
    assert_int_equal(derive_order_length(input + size, DERIVED_ORDER_MAX), DERIVED_ORDER_CASES);
    flips[2] = (struct flip){.d = 1, .from = DERIVED_ORDER_CASES - 1}; /* the last one is asked */
    h->long_calls = true;
    harness_check_input(h, input, size + DERIVED_ORDER_MAX, NULL);
    assert_int_equal(h->status->mismatches, derive_call_size(input, size + DERIVED_ORDER_MAX) > 0 ? 2 : 1);
    assert_int_equal(files_with(".line", " [fast-three against spec, lane"), 1);
    finish(h);
}

/* A line for a farm, then what it is; without a campaign, the command. */
static void a_failure_is_told_and_ends_the_target(void **state)
{
    int tube[2], status;
    char text[4096] = "";
    size_t used = 0;
    ssize_t n;
    pid_t pid;
    (void)state;
    assert_int_equal(pipe(tube), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
        dup2(tube[1], STDERR_FILENO);
        h->inputs = NULL;
        h->keep_going = false;
        folder_remove(folder);
        harness_failure(h, "text-lossy", "planted", (const uint8_t *)"abc", 3);
        _exit(0);
    }
    close(tube[1]);
    while ((n = read(tube[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)n;
    close(tube[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(text, "Assertion failure: text-lossy\nwarpcheck: input: text-lossy: planted\n"));
    assert_non_null(
        strstr(text, "warpcheck: replay the file that the engine writes with: 'warpcheck' replay --target "));
}

/* What cannot be written is counted, and said. */
static void an_input_that_cannot_be_written_is_counted(void **state)
{
    struct harness *h = check((struct flip){0}, (struct flip){0}, (struct flip){0});
    (void)state;
    h->inputs = "/dev/null";
    harness_failure(h, "text-lossy", "planted", (const uint8_t *)"abc", 3);
    assert_int_equal(h->status->mismatches, 1);
    assert_int_equal(h->status->written, 0);
    assert_int_equal(h->status->unkept, 1);
    assert_non_null(strstr(h->status->unkept_why, "Not a directory"));
    finish(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_is_compared),
        cmocka_unit_test(inputs_that_show_something_are_written),
        cmocka_unit_test(a_flood_waits_for_the_campaign),
        cmocka_unit_test(the_last_relative_is_compared),
        cmocka_unit_test(a_long_call_that_is_spelled_out_is_compared),
        cmocka_unit_test(a_failure_is_told_and_ends_the_target),
        cmocka_unit_test(an_input_that_cannot_be_written_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
