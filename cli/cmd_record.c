/* warpcheck record: asks a GPU and keeps its answers; or lets the GPU check itself, many cases at a time. */
#include "check/checker.h"
#include "check/enumerate.h"
#include "check/random.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "gpu/recording.h"
#include "gpu/throughput.h"
#include "gpu/warpcheck_gpu.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- a recording is described --- */

static void print_coverage(const struct recording *recording)
{
    struct recording_coverage v;
    printf("%-28s %9s %9s %9s %9s %9s\n", "instruction", "cases", "lanes", "groups", "exited", "diverged");
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        recording_coverage(recording, (enum warp_form)form, &v);
        printf("%-28s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "%s\n", warp_form_get(form)->name,
               v.cases, v.lanes, v.groups, v.exited, v.elsewhere, v.cases == 0 ? "  (the device does not run it)" : "");
    }
}

/* Does the family have an instruction whose d may be unpredictable? */
static bool family_may_be_unpredictable(enum warp_family family)
{
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (warp_form_get(form)->family == family && warp_form_may_be_unpredictable(warp_form_get(form)))
            return true;
    return false;
}

static void print_unpredictable(const struct recording *recording)
{
    static const char *const names[SOURCES] = {"exited", "elsewhere", "in another group"};
    printf("\nd of shfl where the source lane is not in the group (unpredictable by the manual, never compared):\n");
    printf("%-10s %-17s %8s %8s %8s %8s %8s %8s\n", "", "source lane", "lanes", "its a", "own a", "zero", "several",
           "other");
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        struct recording_unpredictable u[SOURCES];
        if (!family_may_be_unpredictable((enum warp_family)family))
            continue;
        recording_unpredictable(recording, (enum warp_family)family, u);
        for (size_t i = 0; i < SOURCES; i++)
            printf("%-10s %-17s %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n",
                   warp_family_name((enum warp_family)family), names[i], u[i].lanes, u[i].source, u[i].own, u[i].zero,
                   u[i].several, u[i].other);
    }
}

static int record_describe(const char *path)
{
    struct error error;
    struct recording *recording = recording_load(path, &error);
    if (recording == NULL) {
        complain("warpcheck record: %s", error.text);
        return STATUS_USAGE;
    }
    const struct recording_info *i = recording_get_info(recording);
    printf("%s: %zu cases from %s (sm_%u), driver %s (CUDA %u.%u), PTX %u.%u to %u.%u, seed %u\n\n", shown(path),
           recording_count(recording), shown(i->device), (unsigned)i->sm, shown(i->driver_name),
           (unsigned)i->driver / 1000, (unsigned)i->driver % 1000 / 10, (unsigned)i->ptx_least / 10,
           (unsigned)i->ptx_least % 10, (unsigned)i->ptx_greatest / 10, (unsigned)i->ptx_greatest % 10,
           (unsigned)i->seed);
    print_coverage(recording);
    print_unpredictable(recording);
    recording_free(recording);
    return STATUS_AGREE;
}

/* --- a recording is made --- */

enum { BATCH = 1024, RANDOM_TRIES = 400000 };

/* Where the cases of a recording come from, in shares of the whole. */
struct collection {
    const struct warp_impl *gpu;
    struct recording_writer *writer;
    struct warp_case cases[BATCH];
    struct warp_result results[BATCH];
    size_t n;
    uint64_t recorded;
    uint32_t families;           /* those that are recorded */
    uint64_t wanted[WARP_FORMS]; /* cases that are still wanted, for each form */
    uint32_t ptx_least, ptx_greatest;
    char error[400];
};

static bool flush_batch(struct collection *k)
{
    if (k->n > 0 && !k->gpu->eval(k->gpu->state, k->cases, k->n, k->results, k->error, sizeof k->error))
        return false;
    for (size_t i = 0; i < k->n; i++) {
        if (k->results[i].done != k->cases[i].active) {
            snprintf(k->error, sizeof k->error, "%s: a lane did not come back", warp_form_get(k->cases[i].form)->name);
            return false;
        }
        if (!recording_add(k->writer, &k->cases[i], &k->results[i])) {
            snprintf(k->error, sizeof k->error, "%s: the answer cannot be kept", warp_form_get(k->cases[i].form)->name);
            return false;
        }
    }
    k->recorded += k->n;
    k->n = 0;
    return true;
}

/* Adds a case if more cases of its form are wanted and the device can run it. */
static bool offer(struct collection *k, const struct warp_case *c)
{
    const uint16_t ptx = warp_legal_from(warp_form_get(c->form), c->target);
    if (k->wanted[c->form] == 0 || c->active == 0 || !warp_impl_accepts(k->gpu, c, NULL, 0))
        return true;
    k->wanted[c->form]--;
    if (k->ptx_least == 0 || ptx < k->ptx_least)
        k->ptx_least = ptx;
    if (ptx > k->ptx_greatest)
        k->ptx_greatest = ptx;
    k->cases[k->n++] = *c;
    return k->n < BATCH || flush_batch(k);
}

static void want(struct collection *k, uint64_t each)
{
    for (uint32_t i = 0; i < WARP_FORMS; i++)
        k->wanted[i] = k->families >> warp_form_get(i)->family & 1u ? each : 0;
}

/* Evenly spaced cases of each enumeration, whatever the form: `each` of an enumeration. */
static bool collect_enumerations(struct collection *k, uint64_t each)
{
    const struct enumeration *e;
    struct warp_case c;
    want(k, UINT64_MAX);
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++) {
        const uint64_t count = e->count();
        const uint64_t n = count < each ? count : each;
        for (uint64_t j = 0; j < n; j++) {
            e->make((uint64_t)((double)count / (double)n * (double)j), &c);
            if (!offer(k, &c))
                return false;
        }
    }
    return true;
}

static bool collect_random(struct collection *k, uint64_t seed, uint64_t each)
{
    struct warp_case c;
    want(k, each);
    for (uint64_t i = 0; i < RANDOM_TRIES; i++) {
        random_case(seed, i, k->families, &c);
        if (!offer(k, &c))
            return false;
    }
    return true;
}

/* Cases as the device itself makes them for --throughput: groups, exited lanes and divergence in most. */
static bool collect_generated(struct collection *k, uint64_t seed, uint64_t each)
{
    const struct gpu_info *device = gpu_get_info(k->gpu);
    struct warp_case c;
    want(k, each);
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        struct throughput_request request = {.space = THROUGHPUT_RANDOM, .seed = (uint32_t)seed};
        if (!throughput_target(warp_form_get(form), device->sm, UINT16_MAX, &request))
            continue;
        for (uint32_t i = 0; k->wanted[form] > 0 && i < 4 * each; i++) {
            throughput_case(&request, i * 5u, &c);
            if (!offer(k, &c))
                return false;
        }
    }
    return true;
}

/* Fills the writer. The three sources give about a third each. */
static bool collect(struct collection *k, uint64_t seed, uint64_t cases)
{
    return collect_generated(k, seed, cases * 45 / 100 / 30) && collect_random(k, seed, cases * 35 / 100 / 30) &&
           collect_enumerations(k, cases * 20 / 100 / 8) && flush_batch(k);
}

static int record_file(const struct warp_impl *gpu, const char *path, uint32_t families, uint64_t seed, uint64_t cases,
                       bool stored)
{
    static struct collection k;
    const struct gpu_info *device = gpu_get_info(gpu);
    struct error error;
    struct recording_info info = {
        .sm = device->sm, .driver = device->driver, .parts = gpu->provides, .seed = (uint32_t)seed};
    snprintf(info.device, sizeof info.device, "%s", device->device);
    snprintf(info.driver_name, sizeof info.driver_name, "%s", device->driver_name);
    k.gpu = gpu;
    k.families = families;
    k.writer = recording_start(&info);
    if (k.writer == NULL || !collect(&k, seed, cases)) {
        complain("warpcheck record: nothing written: %s", k.writer == NULL ? "not enough memory" : k.error);
        return STATUS_MISMATCH;
    }
    recording_set_ptx(k.writer, k.ptx_least, k.ptx_greatest);
    if (!recording_finish(k.writer, path, !stored, &error)) {
        complain("warpcheck record: %s", error.text);
        return STATUS_USAGE;
    }
    return record_describe(path);
}

/* Writes the answers in another file, compressed. */
static int record_pack(const char *from, const char *to)
{
    struct error error = {.code = ERROR_NONE};
    struct recording *recording = recording_load(from, &error);
    struct recording_writer *writer = recording != NULL ? recording_start(recording_get_info(recording)) : NULL;
    bool good = writer != NULL;
    for (size_t i = 0; good && i < recording_count(recording); i++) {
        struct warp_case c;
        struct warp_result r;
        recording_get(recording, i, &c, &r);
        good = recording_add(writer, &c, &r);
    }
    good = writer != NULL && recording_finish(writer, to, true, &error) && good;
    recording_free(recording);
    if (!good)
        complain("warpcheck record: %s", error.text);
    return good ? STATUS_AGREE : STATUS_USAGE;
}

/* --- the device checks itself --- */

enum { CHECKED = 1024 };

/* One line a form; returns the exit status. */
static int check_form(const struct warp_impl *gpu, const struct warp_impl *reference, uint32_t form,
                      enum throughput_space space, uint64_t seed, uint64_t lanes)
{
    const struct warp_form_info *info = warp_form_get(form);
    struct throughput_report r;
    struct error error;
    char text[WARP_TEXT_MAX];
    if (!throughput_check(gpu, reference, info, space, (uint32_t)seed, lanes, &r, &error)) {
        printf("%-28s %-7s UNAVAILABLE: %s\n", info->name, space == THROUGHPUT_POINTS ? "points" : "random",
               shown(error.text));
        return STATUS_AGREE;
    }
    printf("%-28s %-7s %14" PRIu64 " lane results %11" PRIu64 " cases %7.2f s %9" PRIu64 " mismatches; %" PRIu64
           " sampled on the host, %" PRIu64 " differ\n",
           info->name, space == THROUGHPUT_POINTS ? "points" : "random", r.lanes, r.cases, r.seconds, r.mismatches,
           r.sampled, r.sample_differs);
    if (r.mismatches + r.sample_differs == 0)
        return STATUS_AGREE;
    printf("  %" PRIu64 " mismatching cases went the ordinary way again, %" PRIu64
           " differ from %s there; one of them:\n  ",
           r.rechecked, r.confirmed, reference->name);
    warp_case_to_text(&r.example, text, sizeof text);
    puts(text);
    return STATUS_MISMATCH;
}

static int record_throughput(const struct warp_impl *gpu, const struct warp_impl *reference, uint32_t families,
                             uint64_t seed, uint64_t lanes)
{
    int status = STATUS_AGREE;
    printf("warpcheck: %s makes and checks its own cases, seed %" PRIu64 "; %s checks a sample\n",
           shown(gpu->description), seed, reference->name);
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        if (!(families >> info->family & 1u))
            continue;
        if (warp_form_is_shfl(info) && check_form(gpu, reference, form, THROUGHPUT_POINTS, seed, 0) != STATUS_AGREE)
            status = STATUS_MISMATCH;
        if (check_form(gpu, reference, form, THROUGHPUT_RANDOM, seed, lanes) != STATUS_AGREE)
            status = STATUS_MISMATCH;
        fflush(stdout);
    }
    return status;
}

static bool print_mismatch(void *context, const struct checker *checker, const struct warp_case *c,
                           const struct warp_result *reference, const struct warp_result *observed,
                           const struct warp_diff *diff)
{
    char text[WARP_TEXT_MAX];
    (void)context, (void)checker, (void)reference, (void)observed, (void)diff;
    warp_case_to_text(c, text, sizeof text);
    printf("mismatch: %s\n", text);
    return false;
}

static bool compare_all(struct checker *checker, uint64_t seed, uint64_t cases)
{
    static struct warp_case batch[CHECKED];
    const struct enumeration *e;
    for (size_t i = 0; !checker->stopped && (e = enumeration_get(i)) != NULL; i++)
        for (uint64_t at = 0, n; !checker->stopped && at < e->count(); at += n) {
            for (n = 0; n < CHECKED && at + n < e->count(); n++)
                e->make(at + n, &batch[n]);
            if (!checker_run(checker, batch, (size_t)n))
                return false;
        }
    for (uint64_t at = 0, n; !checker->stopped && at < cases; at += n) {
        for (n = 0; n < CHECKED && at + n < cases; n++)
            random_case(seed, at + n, WARP_FAMILY_ALL, &batch[n]);
        if (!checker_run(checker, batch, (size_t)n))
            return false;
    }
    return true;
}

/* Compares all enumerations and `cases` random cases, with the counts of each form. */
static int record_compare(const struct warp_impl *gpu, const struct warp_impl *reference, uint64_t seed, uint64_t cases)
{
    static struct checker checker;
    checker_init(&checker, reference, gpu, print_mismatch, NULL);
    if (!compare_all(&checker, seed, cases)) {
        complain("warpcheck record: %s", checker.error.text);
        return STATUS_MISMATCH;
    }
    printf("%s against %s, seed %" PRIu64 "\n%-28s %12s %12s %14s %10s\n", shown(gpu->description),
           shown(reference->name), seed, "instruction", "offered", "compared", "lane results", "mismatches");
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct checker_counts *n = &checker.forms[form];
        printf("%-28s %12" PRIu64 " %12" PRIu64 " %14" PRIu64 " %10" PRIu64 "\n", warp_form_get(form)->name, n->cases,
               n->compared, n->lane_results, n->mismatches);
    }
    for (size_t i = 0; i < checker.reasons_count; i++)
        printf("not accepted: %" PRIu64 " cases: %s (first: %s)\n", checker.reasons[i].cases,
               shown(checker.reasons[i].why), checker.reasons[i].example);
    return checker_total(&checker).mismatches == 0 ? STATUS_AGREE : STATUS_MISMATCH;
}

/* --- the command --- */

struct record_options {
    bool throughput, stored, describe, compare;
    const char *pack, *reference;
    uint32_t families;
    uint64_t seed, cases, lanes;
};

static int with_device(const struct record_options *o, const char *path)
{
    struct error why;
    const struct warp_impl *gpu = gpu_get(&why);
    const struct warp_impl *reference;
    int status;
    if (gpu == NULL) {
        complain("warpcheck record: the GPU is UNAVAILABLE: %s", why.text);
        return STATUS_USAGE;
    }
    reference = ask_open(&command_record, o->reference);
    if (reference == NULL)
        return STATUS_USAGE;
    if (o->throughput)
        status = record_throughput(gpu, reference, o->families, o->seed, o->lanes);
    else if (o->compare)
        status = record_compare(gpu, reference, o->seed, o->cases);
    else
        status = record_file(gpu, path, o->families, o->seed, o->cases, o->stored);
    gpu->close(gpu->state);
    return status;
}

static int run_main(int argc, char **argv)
{
    struct record_options o = {
        .families = WARP_FAMILY_ALL, .reference = "spec", .seed = 1, .cases = 26000, .lanes = UINT64_C(10000000000)};
    const struct option table[] = {
        {OPT_CASES_ABOUT, &o.cases, NULL, false},     {OPT_SEED, &o.seed, NULL, false},
        {OPT_STORED, &o.stored, NULL, false},         {OPT_PACK, &o.pack, NULL, false},
        {OPT_DESCRIBE, &o.describe, NULL, false},     {OPT_COMPARE, &o.compare, NULL, false},
        {OPT_THROUGHPUT, &o.throughput, NULL, false}, {OPT_LANES, &o.lanes, "10^10", false},
        {OPT_ONLY, &o.families, NULL, false},         {OPT_REFERENCE, &o.reference, NULL, false},
    };
    int operands = options_parse(&command_record, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != (o.throughput || o.compare ? 0 : 1))
        return usage_error(&command_record, o.throughput || o.compare ? "--throughput and --compare take no file"
                                                                      : "needs one file: warpcheck record FILE.rec");
    if (o.describe)
        return record_describe(argv[1]);
    if (o.pack != NULL)
        return record_pack(o.pack, argv[1]);
    return with_device(&o, argv[1]);
}

#ifdef WARPCHECK_COMMAND_KERNEL
static const struct command *const subcommands[] = {&command_record_kernels, NULL};
#else
static const struct command *const subcommands[] = {NULL};
#endif

const struct command command_record = {
    .name = "record",
    .summary = "ask a GPU and keep its answers; or let it check itself at full speed",
    .help = "usage: warpcheck record FILE.rec [OPTION...]\n"
            "       warpcheck record --throughput [--lanes N] [--only FAMILY]\n"
            "       warpcheck record --describe FILE.rec\n"
            "       warpcheck record --pack FROM.rec FILE.rec\n"
            "\n"
            "Asks the first CUDA device about cases of every form that it runs: sampled enumerations, random\n"
            "cases, and cases with groups, exited lanes and divergence. Only cases in which every active lane is\n"
            "done go to the device.\n"
            "`warpcheck run` replays the recordings in corpus/recordings/.\n"
            "\n"
            "  warpcheck record corpus/recordings/mine.rec\n"
            "  warpcheck record --throughput --only redux.sync\n",
    .subcommands = subcommands,
    .run = run_main};
