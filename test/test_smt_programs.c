/* Programs in the catalogue: every claim of corpus/programs is there or named as open, and bad claims are not PROVED.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ptx/program.h"
#include "smt/prove.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#define FOLDER "corpus/programs"

static const struct {
    const char *path;
    int refute; /* 0: the `claim` lines */
} tried[] = {
#define PROGRAM(path, name, sentence, how, lemmas) {path, 0},
#define REFUTED(path, name, n, sentence)           {path, n},
#define OPEN(path, claim, tried)
#include "smt/catalogue/programs.def"
};

static const struct {
    const char *path, *claim;
} open_claims[] = {
#define PROGRAM(path, name, sentence, how, lemmas)
#define REFUTED(path, name, n, sentence)
#define OPEN(path, claim, tried) {path, claim},
#include "smt/catalogue/programs.def"
};
#define OPENS (sizeof open_claims / sizeof open_claims[0])

static bool open_found[OPENS];
static size_t programs, missing;

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, PROGRAM_TEXT_MAX);
    if (f == NULL || text == NULL || fread(text, 1, PROGRAM_TEXT_MAX - 1, f) == 0)
        fail_msg("%s cannot be read", path);
    fclose(f);
    return text;
}

static bool is_tried(const char *path, int refute)
{
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++)
        if (tried[i].refute == refute && strcmp(tried[i].path, path) == 0)
            return true;
    return false;
}

static bool is_open(const char *path, const char *claim)
{
    for (size_t i = 0; i < OPENS; i++)
        if (strcmp(open_claims[i].path, path) == 0 && strcmp(open_claims[i].claim, claim) == 0)
            return open_found[i] = true;
    return false;
}

static void check_program(const char *name)
{
    char path[600];
    struct warp_text_error error;
    int refutes = 0;
    snprintf(path, sizeof path, FOLDER "/%s.ptx", name);
    char *text = read_file(path);
    struct program *p = program_parse(text, strlen(text), NULL, &error);
    assert_non_null(p);
    for (size_t i = 0; i < p->claims_count; i++) {
        const struct program_claim *c = &p->claims[i];
        refutes += c->refute;
        if (is_open(name, c->text) || is_tried(name, c->refute ? refutes : 0))
            continue;
        print_error("%s: nobody tries '%s %s'\n", name, c->refute ? "refute" : "claim", c->text);
        missing++;
    }
    programs++;
    program_free(p);
    free(text);
}

static void check_folder(const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, FOLDER "/%s", folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char name[512];
        size_t n = strlen(entry->d_name);
        if (entry->d_name[0] == '.')
            continue;
        if (n > 4 && strcmp(entry->d_name + n - 4, ".ptx") == 0)
            n -= 4;
        snprintf(name, sizeof name, "%s%s%.*s", folder, folder[0] != '\0' ? "/" : "", (int)n, entry->d_name);
        if (n == strlen(entry->d_name))
            check_folder(name);
        else
            check_program(name);
    }
    closedir(dir);
}

/* Every line of every program is tried by a property, or listed as open, here and in docs/programs.md. */
static void test_every_claim(void **state)
{
    char *page = read_file("docs/programs.md");
    (void)state;
    check_folder("");
    assert_true(programs >= 100);
    assert_int_equal(missing, 0);
    for (size_t i = 0; i < OPENS; i++) {
        char row[300];
        snprintf(row, sizeof row, "| `%s` | `%s` |", open_claims[i].path, open_claims[i].claim);
        if (!open_found[i])
            fail_msg("%s has no line '%s'", open_claims[i].path, open_claims[i].claim);
        if (strstr(page, row) == NULL)
            fail_msg("docs/programs.md has no row %s", row);
    }
    free(page);
}

#define HEAD      ".version 8.6\n.target sm_100a\n"
#define STEP(n)   "shfl.sync.bfly.b32 Ry, Rx, " #n ", 0x1f, 0xffffffff;\nadd.u32 Rx, Ry, Rx;\n"
#define MAX(n, t) "shfl.sync.bfly.b32 Ry, Rx, " #n ", 0x1f, 0xffffffff;\nmax." t " Rx, Ry, Rx;\n"

/* Ry is unpredictable in all 16 lanes. */
#define HALF_READS_31 "//! active 0x0000ffff\n//! input Rx b32\nshfl.sync.idx.b32 Ry, Rx, 31, 0x1f, 0xffff;\n"

/* Texts in the place of two entries' own: PROVED is expected of the first, a witness of the second. */
#define CLAIM  "masks/up-then-down", "program-up-then-down"
#define REFUTE "masks/up-then-down", "program-not-up-then-down"
static const struct {
    const char *what, *path, *property, *text;
    enum smt_verdict verdict;
} bad[] = {
    {"a claim about some lanes", CLAIM,
     HEAD "//! input Rx u32\nmov.u32 l, %laneid;\nsetp.eq.u32 p, l, 3;\nmov.u32 Ry, Rx;\n"
          "//! claim Ry = initial Rx where p\n",
     SMT_PROVED},
    {"where, which no input satisfies", CLAIM,
     HEAD
     "//! input Rx u32\nand.b32 z, Rx, 1;\nsetp.gt.u32 p, z, 1;\nmov.u32 Ry, Rx;\n//! claim Ry = initial Rx where p\n",
     SMT_VACUOUS},
    {"where, which no input satisfies, of a sum", CLAIM,
     HEAD "//! input Rx u32\n//! input z u32\nsetp.lt.u32 p, z, 0;\n" STEP(16) STEP(8) STEP(4) STEP(2)
         STEP(1) "//! claim Rx = reduce add where p\n",
     SMT_VACUOUS},
    {"lanes that the mask leaves out", CLAIM,
     HEAD "//! input Rx u32\nmov.u32 Ry, Rx;\n//! claim uniform Ry over mask 0x3 lanes 0x4\n", SMT_VACUOUS},
    {"a dependent mask: sets that meet in every lane", CLAIM,
     HEAD "//! input Rx u32\n" STEP(1) STEP(2) STEP(4) STEP(8) STEP(8) "//! claim uniform Rx\n", SMT_UNKNOWN},
    {"two operations that have one name", CLAIM,
     HEAD "//! input Rx s32\n" MAX(1, "s32") MAX(2, "s32") MAX(4, "u32") MAX(8, "s32")
         MAX(16, "s32") "//! claim defined\n//! claim Rx = reduce max over width 4\n",
     SMT_REFUTED},
    {"the sum of another input", CLAIM,
     HEAD "//! input Rx u32\n//! input Rz u32\nadd.u32 Ry, Rz, 0;\n" STEP(
         1) "//! claim Rx = reduce add of Rz over width 2\n",
     SMT_REFUTED},
    {"equal values in different lanes", CLAIM,
     HEAD "//! input Rx u32\n" STEP(16) "//! claim uniform Rx over equal Rx\n", SMT_REFUTED},
    {"halves of 64 bits, exchanged", CLAIM,
     HEAD "//! input Rx u64\nmov.b64 {lo, hi}, Rx;\nmov.b64 Ry, {hi, lo};\nadd.u64 Rx, Rx, Ry;\n"
          "//! claim Rx = reduce add over width 1\n",
     SMT_REFUTED},
    {"redux of one NaN", CLAIM,
     HEAD "//! input Rx f32\n//! active 1\nredux.sync.min.f32 d, Rx, 1;\n//! claim d = reduce min of Rx\n",
     SMT_UNKNOWN},
    {"lanes that meet at two instructions", CLAIM,
     HEAD "//! input Rx u32\nmov.u32 l, %laneid;\nsetp.lt.u32 p, l, 16;\n"
          "@p shfl.sync.bfly.b32 Ry, Rx, 16, 0x1f, -1;\n@!p shfl.sync.bfly.b32 Ry, Rx, 16, 0x1f, -1;\n"
          "//! claim defined\n",
     SMT_UNKNOWN},
    {"lanes that meet at two instructions, to be refuted", REFUTE,
     HEAD "//! input Rx u32\nmov.u32 l, %laneid;\nsetp.lt.u32 p, l, 16;\n"
          "@p shfl.sync.bfly.b32 Ry, Rx, 16, 0x1f, -1;\n@!p shfl.sync.bfly.b32 Ry, Rx, 16, 0x1f, -1;\n"
          "//! refute defined\n",
     SMT_UNKNOWN},
    {"p of match.all from an unpredictable a", CLAIM,
     HEAD HALF_READS_31 "match.all.sync.b32 _|q, Ry, 0xffff;\n//! claim defined q\n", SMT_REFUTED},
    {"p beside d of match.all from an unpredictable a", CLAIM,
     HEAD HALF_READS_31 "match.all.sync.b32 Rm|q, Ry, 0xffff;\n//! claim defined q\n", SMT_REFUTED},
    {"p of a vote from an unpredictable a", CLAIM,
     HEAD HALF_READS_31 "setp.eq.u32 q, Ry, 0;\nvote.sync.any.pred q, q, 0xffff;\n//! claim defined q\n", SMT_REFUTED},
    {"a loop, which the prover does not read", CLAIM,
     HEAD "//! input Rx u32\nsetp.eq.u32 p, Rx, 0;\nloop: @p bra loop;\n//! claim defined\n", SMT_ERROR},
    {"a true claim that is to be refuted", REFUTE,
     HEAD "//! input Rx u32\nmov.u32 Ry, Rx;\n//! refute Ry = initial Rx\n", SMT_UNKNOWN},
};

static void write_program(const char *folder, const char *path, const char *text)
{
    char file[300];
    snprintf(file, sizeof file, "%s/%s.ptx", folder, path);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* What only looks like a proof gets no PROVED. */
static void test_bad_claims(void **state)
{
    char folder[] = "/tmp/warpcheck-programs-XXXXXX", sub[64], file[300];
    const struct warp_impl *replay[2] = {spec_get(), fast_get()};
    struct smt_options o;
    struct smt_outcome outcome;
    struct error error;
    size_t wrong = 0;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(sub, sizeof sub, "%s/masks", folder);
    assert_int_equal(mkdir(sub, 0700), 0);
    smt_options_init(&o);
    o.replay = replay;
    o.replay_count = 2;
    o.programs_dir = folder;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const struct smt_property *p = smt_property_find(bad[i].property);
        assert_non_null(p);
        write_program(folder, bad[i].path, bad[i].text);
        assert_true(smt_prove(&p, 1, &o, &outcome, &error));
        if (outcome.verdict == bad[i].verdict)
            continue;
        print_error("%s: %s (%s), not %s\n", bad[i].what, smt_verdict_name(outcome.verdict), outcome.note,
                    smt_verdict_name(bad[i].verdict));
        wrong++;
    }
    snprintf(file, sizeof file, "%s/%s.ptx", folder, bad[0].path);
    unlink(file);
    rmdir(sub);
    rmdir(folder);
    assert_int_equal(wrong, 0);
}

/* The butterfly of steps 16, 8, 4 and 2: lane 0's value comes from the even lanes, by half of them after each step. */
static void test_what_matters(void **state)
{
    const struct warp_impl *replay[2] = {spec_get(), fast_get()};
    const struct smt_property *p = smt_property_find("program-not-missing-step");
    struct smt_options o;
    struct smt_outcome outcome;
    struct error error;
    (void)state;
    assert_non_null(p);
    smt_options_init(&o);
    o.replay = replay;
    o.replay_count = 2;
    assert_true(smt_prove(&p, 1, &o, &outcome, &error));
    assert_int_equal(outcome.verdict, SMT_REFUTED);
    assert_int_equal(outcome.cases, 4);
    lanemask own = outcome.lanes[3] & -outcome.lanes[3]; /* the lowest lane that the claim fails of */
    assert_int_not_equal(own, 0);
    assert_int_equal(outcome.lanes[3], own | own << 2);
    assert_int_equal(outcome.lanes[2], own * 0x55u);
    assert_int_equal(outcome.lanes[1], own * 0x5555u);
    assert_int_equal(outcome.lanes[0], own * 0x55555555u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_claim), cmocka_unit_test(test_bad_claims),
                                       cmocka_unit_test(test_what_matters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
