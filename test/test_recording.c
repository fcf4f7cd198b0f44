/* gpu/recording: round trips, damage of every kind, and the recordings that ship. */
#define _GNU_SOURCE /* memmem */

#include "base/random.h"
#include "check/checker.h"
#include "check/random.h"
#include "gpu/recording.h"
#include "warpcheck/bytes.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CASES = 3000, FILE_MAX = 1 << 22 };

static char folder[] = "/dev/shm/warpcheck-rec-XXXXXX"; /* thousands of small files: in memory where that exists */
static char path[128];
static struct warp_case cases[CASES];
static struct warp_result results[CASES];
static uint8_t file[FILE_MAX];
static size_t file_size;

/* Cases in which every active lane is done, with the transcription in the place of a device; a value where d is
 * unpredictable. */
static int make_cases(void **state)
{
    const struct warp_impl *spec = spec_get();
    char error[64];
    size_t n = 0;
    (void)state;
    for (uint64_t i = 0; n < CASES; i++) {
        random_case(31, i, WARP_FAMILY_ALL, &cases[n]);
        if (!spec->eval(spec->state, &cases[n], 1, &results[n], error, sizeof error))
            return -1;
        if ((results[n].waiting | results[n].undefined) != 0)
            continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (warp_form_is_shfl(warp_form_get(cases[n].form)) &&
                (results[n].done & ~results[n].d_defined) >> lane & 1u)
                results[n].d[lane] = 0xdead0000u + lane;
        n++;
    }
    if (mkdtemp(folder) == NULL && mkdtemp(strcpy(folder, "/tmp/warpcheck-rec-XXXXXX")) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/a.rec", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void write_recording(size_t n, bool compress)
{
    struct recording_info info = {
        .device = "A device", .driver_name = "1.2", .sm = 90, .driver = 13000, .parts = 11, .seed = 7};
    struct recording_writer *w = recording_start(&info);
    struct error error = {.code = ERROR_NONE};
    FILE *f;
    assert_non_null(w);
    for (size_t i = 0; i < n; i++)
        assert_true(recording_add(w, &cases[i], &results[i]));
    recording_set_ptx(w, 30, 80);
    if (!recording_finish(w, path, compress, &error))
        fail_msg("%s", error.text);
    f = fopen(path, "rb");
    assert_non_null(f);
    file_size = fread(file, 1, sizeof file, f);
    fclose(f);
}

static void check_round_trip(bool compress)
{
    struct error error = {.code = ERROR_NONE};
    struct recording *r;
    write_recording(CASES, compress);
    r = recording_load(path, &error);
    assert_int_equal(error.code, ERROR_NONE);
    assert_int_equal(recording_count(r), CASES);
    for (size_t i = 0; i < CASES; i++) {
        struct warp_case c;
        struct warp_result a;
        recording_get(r, i, &c, &a);
        assert_memory_equal(&c, &cases[i], sizeof c);
        assert_memory_equal(&a, &results[i], sizeof a);
    }
    assert_string_equal(recording_get_info(r)->device, "A device");
    assert_string_equal(recording_get_info(r)->driver_name, "1.2");
    assert_int_equal(recording_get_info(r)->sm, 90);
    assert_int_equal(recording_get_info(r)->ptx_greatest, 80);
    assert_int_equal(recording_get_info(r)->seed, 7);
    print_message("%zu bytes for %d cases\n", file_size, CASES);
    recording_free(r);
}

static void test_stored(void **state)
{
    (void)state;
    check_round_trip(false);
}

static void test_compressed(void **state)
{
    (void)state;
    check_round_trip(true);
}

static void refuse_file(const uint8_t *data, size_t n, const char *reason)
{
    struct error error = {.code = ERROR_NONE};
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    assert_null(recording_load(path, &error));
    assert_non_null(strstr(error.text, path));
    if (strstr(error.text, reason) == NULL)
        fail_msg("'%s' does not say '%s'", error.text, reason);
}

static void test_truncated(void **state)
{
    (void)state;
    write_recording(8, false);
    for (size_t n = 0; n < file_size; n++)
        refuse_file(file, n, n < 8 ? "not a recording" : "truncated");
    file[file_size] = 0;
    refuse_file(file, file_size + 1, "altered");
}

/* Every bit of a small file. */
static void test_altered(void **state)
{
    (void)state;
    write_recording(1, false);
    for (size_t bit = 0; bit < file_size * 8; bit++) {
        file[bit / 8] = (uint8_t)(file[bit / 8] ^ 1u << (bit % 8));
        refuse_file(file, file_size, bit < 64 ? "not a recording" : bit < 96 ? "version" : "; record it again");
        file[bit / 8] = (uint8_t)(file[bit / 8] ^ 1u << (bit % 8));
    }
}

static uint32_t crc(const uint8_t *data, size_t n)
{
    uint32_t c = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        c ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            c = c >> 1 ^ (c & 1u ? 0xedb88320u : 0u);
    }
    return ~c;
}

/* Two groups, hashed operands: what random cases are made of takes few bytes, and reads back. */
static void make_small_case(struct warp_case *c, struct warp_result *r)
{
    char error[64];
    warp_case_init(c, WARP_SHFL_SYNC_BFLY_B32);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        c->a[lane] = random_mix32(12345u + lane * 0x9e3779b9u);
        c->b[lane] = random_mix32(777u + lane * 0x9e3779b9u);
        c->c[lane] = 31;
        c->membermask[lane] = lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
    }
    assert_true(spec_get()->eval(spec_get()->state, c, 1, r, error, sizeof error));
}

static void test_small(void **state)
{
    size_t empty;
    (void)state;
    write_recording(0, false);
    empty = file_size;
    make_small_case(&cases[0], &results[0]);
    write_recording(1, false);
    print_message("%zu bytes\n", file_size - empty);
    assert_true(file_size - empty < 110); /* raw: 700 */
}

/* The checksum of what is in `file` now. */
static void sign(void)
{
    const uint32_t sum = crc(file, file_size - 4);
    for (int i = 0; i < 4; i++)
        file[file_size - 4 + (size_t)i] = (uint8_t)(sum >> (8 * i));
}

/* Damage under a right checksum must be found too, or be a recording of something else; never a crash. */
static void test_forged(void **state)
{
    size_t read = 0, refused = 0;
    (void)state;
    make_small_case(&cases[0], &results[0]);
    write_recording(2, false);
    for (size_t bit = 96; bit < (file_size - 4) * 8; bit++) {
        struct error error = {.code = ERROR_NONE};
        struct recording *r;
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        file[bit / 8] = (uint8_t)(file[bit / 8] ^ 1u << (bit % 8));
        sign();
        assert_int_equal(fwrite(file, 1, file_size, f), file_size);
        assert_int_equal(fclose(f), 0);
        r = recording_load(path, &error);
        *(r != NULL ? &read : &refused) += 1;
        for (size_t i = 0; r != NULL && i < recording_count(r); i++) {
            struct warp_case c;
            recording_get(r, i, &c, NULL);
            assert_null(warp_case_check(&c));
        }
        recording_free(r);
        file[bit / 8] = (uint8_t)(file[bit / 8] ^ 1u << (bit % 8));
    }
    print_message("%zu forged files refused, %zu read\n", refused, read);
    assert_true(refused > 100);
}

/* A header with numbers that cannot be is refused, though its checksum is right. */
static void test_header(void **state)
{
    static const char *const lies[][3] = {{"sm=90", "sm=-1", "no sm"},
                                          {"sm=90", "sm=07", "no sm"},
                                          {"seed=7", "seed=x", "no seed"},
                                          {"parts=11", "parts=1 ", "no parts"}};
    (void)state;
    make_small_case(&cases[0], &results[0]);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        uint8_t *at;
        write_recording(1, false);
        at = memmem(file, file_size, lies[i][0], strlen(lies[i][0]));
        assert_non_null(at);
        memcpy(at, lies[i][1], strlen(lies[i][1]));
        sign();
        refuse_file(file, file_size, lies[i][2]);
    }
}

/* A number above what can be is refused, too. */
static void test_no_such_target(void **state)
{
    const struct recording_info info = {.device = "A device", .sm = 1000, .parts = 11};
    struct recording_writer *const w = recording_start(&info);
    struct error error = {.code = ERROR_NONE};
    (void)state;
    assert_non_null(w);
    assert_true(recording_finish(w, path, false, &error));
    assert_null(recording_load(path, &error));
    assert_non_null(strstr(error.text, "no sm"));
}

/* Whole cases behind the last one that is counted, under a right checksum. */
static void test_more_than_counted(void **state)
{
    (void)state;
    write_recording(2, false);
    file[20] = 1; /* of two */
    sign();
    refuse_file(file, file_size, "something stands behind the last case");
}

static void test_as_implementation(void **state)
{
    struct error error = {.code = ERROR_NONE};
    const struct warp_impl *impl;
    struct warp_case other = cases[0];
    struct warp_result r;
    (void)state;
    write_recording(CASES, true);
    impl = recording_open(path, &error);
    assert_non_null(impl);
    assert_non_null(strstr(impl->description, "A device"));
    assert_ptr_not_equal(recording_of(impl), NULL);
    assert_null(recording_of(spec_get()));
    for (size_t i = 0; i < CASES; i++) {
        assert_true(warp_impl_accepts(impl, &cases[i], error.text, sizeof error.text));
        assert_true(impl->eval(impl->state, &cases[i], 1, &r, error.text, sizeof error.text));
        assert_int_equal(r.done, results[i].done);
    }
    static struct warp_result all[CASES];
    assert_true(impl->eval(impl->state, cases, CASES, all, error.text, sizeof error.text));
    assert_memory_equal(all, results, sizeof all);
    other.active ^= 1u & ~other.exited;
    other.exited ^= 1u & ~other.active;
    assert_false(warp_impl_accepts(impl, &other, error.text, sizeof error.text));
    assert_non_null(strstr(error.text, "does not hold"));
    assert_false(impl->eval(impl->state, &other, 1, &r, error.text, sizeof error.text));
    impl->close(impl->state);
}

static void test_not_recordable(void **state)
{
    struct recording_info info = {.sm = 90};
    struct recording_writer *w = recording_start(&info);
    struct warp_result r = results[0];
    struct error error = {.code = ERROR_NONE};
    (void)state;
    r.waiting = 1;
    assert_false(recording_add(w, &cases[0], &r));
    r = results[0];
    r.waits_for[3] = 1;
    assert_false(recording_add(w, &cases[0], &r));
    assert_true(recording_add(w, &cases[0], &results[0]));
    assert_false(recording_finish(w, "/nonexistent/a.rec", false, &error));
    assert_non_null(strstr(error.text, "/nonexistent/a.rec: cannot be written"));
    assert_null(recording_load("/nonexistent/a.rec", &error));
    assert_non_null(strstr(error.text, "No such file"));
}

static void replay(const char *file_path, const struct warp_impl *impl)
{
    static struct checker checker;
    static struct warp_case batch[CHECKER_BATCH];
    struct error error = {.code = ERROR_NONE};
    const struct warp_impl *device = recording_open(file_path, &error);
    const struct recording *r;
    size_t n = 0;
    if (device == NULL)
        fail_msg("%s", error.text);
    r = recording_of(device);
    checker_init(&checker, device, impl, NULL, NULL);
    for (size_t i = 0; i < recording_count(r); i++) {
        recording_get(r, i, &batch[n++], NULL);
        if (n == CHECKER_BATCH || i + 1 == recording_count(r)) {
            assert_true(checker_run(&checker, batch, n));
            n = 0;
        }
    }
    print_message("%s: %s, %zu cases\n", impl->name, device->description, recording_count(r));
    assert_int_equal(checker_total(&checker).compared, recording_count(r));
    assert_int_equal(checker_total(&checker).mismatches, 0);
    device->close(device->state);
}

/* Each form that the recording has comes with groups, exited lanes and divergence; marks it. Returns the number of
 * cases. */
static size_t assert_covers(const char *file_path, bool recorded[WARP_FORMS])
{
    size_t count;
    struct error error = {.code = ERROR_NONE};
    struct recording *r = recording_load(file_path, &error);
    assert_non_null(r);
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        struct recording_coverage v;
        recording_coverage(r, (enum warp_form)form, &v);
        if (v.cases == 0)
            continue;
        recorded[form] = true;
        assert_true(v.cases >= 250 && v.exited >= 100 && v.elsewhere >= 100);
        assert_true(v.groups >= 100 || !warp_form_is_sync(warp_form_get(form)));
    }
    count = recording_count(r);
    recording_free(r);
    return count;
}

/* The recordings of a device, whose names begin with `device`, together have every form that it runs. */
static void assert_device_is_covered(const char *device)
{
    static bool recorded[WARP_FORMS];
    DIR *dir = opendir("corpus/recordings");
    struct dirent *entry;
    size_t count = 0;
    memset(recorded, 0, sizeof recorded);
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        char file_path[512];
        if (strstr(entry->d_name, ".rec") == NULL || strncmp(entry->d_name, device, strlen(device)) != 0)
            continue;
        snprintf(file_path, sizeof file_path, "corpus/recordings/%s", entry->d_name);
        count += assert_covers(file_path, recorded);
    }
    closedir(dir);
    assert_true(count >= 10000);
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        if (info->rule == WARP_TARGET_SM100_FAMILY)
            continue;
        if (!recorded[form])
            fail_msg("%s: no recording of %s", device, info->name);
    }
}

/* The device is what stands before the first '-' of a recording's name. */
static void test_devices_are_covered(void **state)
{
    DIR *dir = opendir("corpus/recordings");
    struct dirent *entry;
    (void)state;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        char device[64];
        if (strstr(entry->d_name, ".rec") == NULL)
            continue;
        snprintf(device, sizeof device, "%.*s", (int)strcspn(entry->d_name, "-") + 1, entry->d_name);
        assert_device_is_covered(device);
    }
    closedir(dir);
}

/* What ships: the transcription and every fast variant against each recording. */
static void test_shipped(void **state)
{
    DIR *dir = opendir("corpus/recordings");
    struct dirent *entry;
    size_t count = 0;
    (void)state;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        char file_path[512];
        struct fast_variant variant;
        if (strstr(entry->d_name, ".rec") == NULL)
            continue;
        snprintf(file_path, sizeof file_path, "corpus/recordings/%s", entry->d_name);
        count++;
        replay(file_path, spec_get());
        for (size_t i = 0; fast_variant_get(i, &variant); i++)
            if (variant.impl != NULL)
                replay(file_path, variant.impl);
    }
    closedir(dir);
    assert_true(count >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stored),
                                       cmocka_unit_test(test_compressed),
                                       cmocka_unit_test(test_small),
                                       cmocka_unit_test(test_truncated),
                                       cmocka_unit_test(test_altered),
                                       cmocka_unit_test(test_forged),
                                       cmocka_unit_test(test_header),
                                       cmocka_unit_test(test_no_such_target),
                                       cmocka_unit_test(test_more_than_counted),
                                       cmocka_unit_test(test_as_implementation),
                                       cmocka_unit_test(test_not_recordable),
                                       cmocka_unit_test(test_shipped),
                                       cmocka_unit_test(test_devices_are_covered)};
    return cmocka_run_group_tests(tests, make_cases, remove_folder);
}
