#include "fuzz/kernels/finding.h"

#include "base/clock.h"
#include "base/text.h"
#include "fuzz/kernels/process.h"
#include "kernel/emit.h"
#include "warpcheck_spec.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one kernel, asked alone ---- */

struct inquiry {
    const struct peer *peer;
    const struct generated_difference *wanted;
    double until;         /* 0: no limit */
    char why[160];        /* how the first answer ended; "": none */
    struct gpu_info info; /* of the device that was asked; empty: none was */
    struct error error;
    bool failed;
};

/* Asks at one level; `after` is the memory that was left. False: it could not be asked. */
static bool ask_once(struct inquiry *q, const struct made *m, unsigned level, struct peer_ask *a, uint8_t *after)
{
    *a = (struct peer_ask){.kernel = &m->kernel,
                           .module = m->text.data,
                           .entry = m->name,
                           .level = level,
                           .before = m->before,
                           .after = after};
    if (!peer_ask(q->peer, a, 1, &q->info, &q->error))
        q->failed = true;
    return !q->failed;
}

static bool is_over(const struct inquiry *q)
{
    return q->failed || (q->until > 0 && clock_seconds() > q->until);
}

/* Are two endings told in the same words, but for numbers? */
static bool is_same_why(const char *one, const char *two)
{
    for (;; one++, two++) {
        one += strspn(one, "0123456789");
        two += strspn(two, "0123456789");
        if (*one != *two || *one == '\0')
            return *one == *two;
    }
}

/* Is it clean, and does it end as wanted: other memory, or the failure of which the first answer told? */
static bool made_shows(struct inquiry *q, const struct made *m)
{
    struct peer_ask a;
    uint8_t *const after = m->answer.verdict == MAKE_CLEAN ? malloc(m->size) : NULL;
    const bool shows = after && ask_once(q, m, q->wanted->level, &a, after) && a.ending == q->wanted->ending &&
                       peer_differs(q->peer, m, &a) && (q->why[0] == '\0' || is_same_why(q->why, a.why));
    if (shows)
        memcpy(q->why, a.why, sizeof q->why);
    free(after);
    return shows;
}

static bool still_shows(void *context, const struct make_kernel *kernel)
{
    struct inquiry *const q = context;
    struct made m = {0};
    const bool shows = !is_over(q) && made_set(&m, kernel, spec_get()) && made_shows(q, &m);
    made_free(&m);
    return shows;
}

/* With lines left out of its text. */
struct shortening {
    struct inquiry *q;
    const struct make_kernel *kernel;
};

static bool text_shows(void *context, const char *text)
{
    const struct shortening *const s = context;
    struct made m = {0};
    const bool shows = !is_over(s->q) && made_set_text(&m, s->kernel, text, spec_get()) && made_shows(s->q, &m);
    made_free(&m);
    return shows;
}

/* Leaves lines out of its text, too. */
static void shorten(struct inquiry *q, unsigned most, struct generated_finding *f)
{
    struct shortening s = {.q = q, .kernel = &f->kernel};
    struct buffer text = {0};
    make_write_head(&f->kernel, &text);
    make_write(&f->kernel, &text, NULL, NULL);
    f->asked += make_reduce_text(&text, text_shows, &s, most);
    if (!text.failed && text.size < sizeof f->text)
        memcpy(f->text, buffer_string(&text), text.size + 1);
    buffer_free(&text);
}

/* The kernel with the text that is left of it. */
static bool set_finding(struct made *m, const struct generated_finding *f)
{
    return f->text[0] != '\0' ? made_set_text(m, &f->kernel, f->text, spec_get()) : made_set(m, &f->kernel, spec_get());
}

/* ---- who is wrong ---- */

const char *generated_verdict_name(enum generated_verdict verdict)
{
    switch (verdict) {
    case VERDICT_COMPILER:
        return "compiler";
    case VERDICT_EXECUTOR:
        return "executor";
    case VERDICT_IMPLEMENTATION:
        return "implementation";
    case VERDICT_GENERATOR:
        return "generator";
    case VERDICT_GONE:
        return "gone";
    case VERDICT_OPEN:
        return "open";
    }
    return "";
}

static const char *reason_of(enum generated_verdict verdict)
{
    switch (verdict) {
    case VERDICT_COMPILER:
        return "another level of the optimizer agrees with the executor, or the text, which is legal, is not taken";
    case VERDICT_EXECUTOR:
        return "every level of the optimizer gives the same, and the executor something else: it, or its reading of "
               "the "
               "manual, or the device is wrong";
    case VERDICT_IMPLEMENTATION:
        return "each run gives the same, and the executor, whose answer devices confirm (docs/kernel-suite.md), "
               "something else: the process is wrong, or the executor, or its reading of the manual";
    case VERDICT_GENERATOR:
        return "the answer changes from run to run: the kernel is not as defined as it should be, or the device is not "
               "sound";
    case VERDICT_GONE:
        return "asked again alone, it did not show";
    case VERDICT_OPEN:
        return "one level of the optimizer alone was asked";
    }
    return "";
}

#define RUNS 3u

/* What one answer was, so that runs and levels can be compared. */
static uint64_t digest_of(const struct peer *peer, const struct peer_ask *a, const struct made *m)
{
    return a->ending == PEER_RETURNED && peer->gives_memory ? kernel_digest(a->after, m->size) : (uint64_t)a->ending;
}

/* Asks RUNS times at each level; what hung, which reducing has seen many times, is not waited for again. */
static void ask_all(struct inquiry *q, const struct made *m, uint8_t *after, uint64_t digests[][RUNS],
                    unsigned *differing)
{
    *differing = 0;
    for (unsigned level = 0; level < q->peer->levels_count; level++)
        for (unsigned run = 0; run < RUNS; run++) {
            struct peer_ask a;
            if (run > 0 && digests[level][0] == (uint64_t)PEER_HUNG) {
                digests[level][run] = digests[level][0];
                continue;
            }
            if (!ask_once(q, m, level, &a, after))
                return;
            *differing += peer_differs(q->peer, m, &a);
            digests[level][run] = digest_of(q->peer, &a, m);
        }
}

static enum generated_verdict judge(struct inquiry *q, const struct made *m)
{
    uint64_t digests[PEER_LEVELS][RUNS];
    unsigned differing = 0;
    bool same = true;
    uint8_t *after = malloc(m->size);
    if (after)
        ask_all(q, m, after, digests, &differing);
    free(after);
    if (q->failed || differing == 0)
        return VERDICT_GONE;
    for (unsigned level = 0; level < q->peer->levels_count; level++) {
        for (unsigned run = 1; run < RUNS; run++)
            if (digests[level][run] != digests[level][0])
                return VERDICT_GENERATOR;
        same &= digests[level][0] == digests[0][0];
    }
    if (q->peer->levels_count == 1 && q->peer->alone)
        return VERDICT_IMPLEMENTATION;
    if (!q->peer->gives_memory || !same || q->wanted->ending == PEER_REFUSED)
        return VERDICT_COMPILER;
    return VERDICT_EXECUTOR;
}

/* At all levels that there are: who is wrong may show at one that was not asked. */
static enum generated_verdict judge_all(struct inquiry *q, const struct made *m)
{
    const struct peer *const asked = q->peer;
    struct peer all = *asked;
    peer_set_all_levels(&all);
    q->peer = &all;
    const enum generated_verdict verdict = judge(q, m);
    q->peer = asked;
    return verdict;
}

/* ---- a finding ---- */

/* "redux.sync.add.s32-if-data": the last warp instruction of the reduced kernel. */
static void name_feature(const struct made *m, char name[128])
{
    snprintf(name, 128, "no-warp-instruction");
    if (m->features_count > 0)
        make_feature_name(&m->features[m->features_count - 1], name, 128);
}

#define NAME_WORDS 3u

/* "lop3.b32-xor.b32": the last instructions between the loads of the inputs and the stores of the outputs. */
static void name_lines(const char *text, char name[128])
{
    char words[NAME_WORDS][CULPRIT_WORD_MAX], word[CULPRIT_WORD_MAX];
    size_t count = 0, used = 0;
    for (const char *at = strstr(text, "\nld.global"); at != NULL && *at != '\0'; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (!culprit_line_word(at, word) || strncmp(word, "ld.", 3) == 0 || strncmp(word, "st.", 3) == 0 ||
            strcmp(word, "ret") == 0 || (count > 0 && strcmp(words[(count - 1) % NAME_WORDS], word) == 0))
            continue;
        memcpy(words[count++ % NAME_WORDS], word, sizeof word);
    }
    snprintf(name, 128, "no-instruction");
    for (size_t n = count < NAME_WORDS ? 0 : count - NAME_WORDS; n < count; n++)
        used += (size_t)snprintf(name + used, 128 - used, "%s%.40s", used > 0 ? "-" : "", words[n % NAME_WORDS]);
}

/* "gpu-level4-memory-redux.sync.add.s32-if-data". The feature may not be in what is left of the text. */
static void name_finding(const struct peer *peer, const struct generated_difference *d, const char *feature,
                         struct generated_finding *f)
{
    char level[32] = "", form[128], lines[128];
    snprintf(form, sizeof form, "%.*s", (int)strcspn(feature, "-"), feature);
    if (f->text[0] != '\0' && strstr(f->text, form) == NULL) {
        name_lines(f->text, lines);
        feature = lines;
    }
    if (!peer->alone)
        snprintf(level, sizeof level, "level%u-", peer->levels[d->level]);
    snprintf(f->name, sizeof f->name, "%s-%s%s-%.120s", peer->name, level, peer_ending_name(d->ending), feature);
    for (char *c = f->name; *c; c++)
        *c = isalnum((unsigned char)*c) || *c == '.' ? (char)tolower((unsigned char)*c) : '-';
}

bool generated_examine(const struct peer *peer, const struct make_suite *suite, const struct generated_difference *d,
                       unsigned most, double until, struct generated_finding *finding, struct error *error)
{
    struct inquiry q = {.peer = peer, .wanted = d};
    struct made m;
    char feature[128];
    memset(finding, 0, sizeof *finding);
    make_draw(suite, d->number, &finding->kernel);
    const bool again = still_shows(&q, &finding->kernel);
    q.until = until;
    if (again && !q.failed)
        finding->asked = make_reduce(&finding->kernel, still_shows, &q, most);
    bool ok = made_set(&m, &finding->kernel, spec_get()) || error_set(&q.error, ERROR_SYSTEM, "out of memory");
    name_feature(&m, feature);
    made_free(&m);
    if (ok && again && !q.failed)
        shorten(&q, most, finding);
    name_finding(peer, d, feature, finding);
    ok = ok && (set_finding(&m, finding) || error_set(&q.error, ERROR_SYSTEM, "out of memory"));
    if (ok) {
        finding->verdict = again ? judge_all(&q, &m) : VERDICT_GONE;
        made_free(&m);
    }
    if (q.failed || !ok)
        *error = q.error;
    return ok && !q.failed;
}

/* ---- causes ---- */

/* The words behind the key at the start of a line; false: there is no such line. */
static bool find_words(const char *text, const char *key, char *words, size_t size)
{
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, key, strlen(key)) == 0) {
            at += strlen(key);
            snprintf(words, size, "%.*s", (int)strcspn(at, "\n"), at);
            return true;
        }
    return false;
}

#define NO_WORD "none"

static bool read_verdict(const char *text, enum generated_verdict *verdict)
{
    char words[128], name[32];
    unsigned v = 0;
    if (!find_words(text, "verdict: ", words, sizeof words) || sscanf(words, "%31[a-z]:", name) != 1)
        return false;
    while (v < VERDICT_OPEN && strcmp(name, generated_verdict_name((enum generated_verdict)v)) != 0)
        v++;
    *verdict = (enum generated_verdict)v;
    return true;
}

static bool read_cause(const char *text, struct generated_cause *cause)
{
    char words[128];
    int end = 0;
    if (!find_words(text, "cause: ", words, sizeof words) || sscanf(words, "%47s%n", cause->culprit.word, &end) != 1 ||
        words[end] != '\0')
        return false;
    if (strcmp(cause->culprit.word, NO_WORD) == 0)
        cause->culprit.word[0] = '\0';
    return read_verdict(text, &cause->verdict) && cause->verdict < VERDICT_GONE;
}

bool generated_cause_load(const char *dir, const char *name, struct generated_cause *cause)
{
    char folder[FILE_PATH_MAX], path[FILE_PATH_MAX];
    struct error error;
    size_t size;
    memset(cause, 0, sizeof *cause);
    if (strlen(name) >= sizeof cause->name || !file_join(dir, name, folder, &error) ||
        !file_join(folder, "finding.txt", path, &error) || !file_exists(path))
        return false;
    char *text = file_read(path, KERNEL_FILE_MOST, &size, &error);
    const bool ok = text && read_cause(text, cause);
    snprintf(cause->name, sizeof cause->name, "%s", name);
    free(text);
    return ok;
}

/* ---- what is kept ---- */

/* The words that differ, the first of them. */
static void add_words(struct buffer *b, const struct made *m, const uint8_t *observed)
{
    unsigned shown_words = 0;
    for (uint32_t at = 0; at < m->size; at += 4) {
        uint32_t before, expected, got;
        memcpy(&before, m->before + at, 4);
        memcpy(&expected, m->after + at, 4);
        memcpy(&got, observed + at, 4);
        if (expected != got && shown_words++ < 32)
            buffer_format(
                b, "  byte %" PRIu32 ": before 0x%08" PRIx32 ", expected 0x%08" PRIx32 ", observed 0x%08" PRIx32 "\n",
                at, before, expected, got);
    }
    buffer_format(b, "  %u word%s.\n", shown_words, shown_words == 1 ? " differs" : "s differ");
}

static void add_text(struct buffer *b, struct inquiry *q, const struct generated_finding *f,
                     const struct culprit *culprit, const struct made *m, unsigned wrong_level)
{
    const struct make_kernel *k = &f->kernel;
    uint8_t *after = malloc(m->size);
    struct peer_ask a;
    char why[512];
    char level_words[32];
    buffer_format(b, "%s: kernel %" PRIu64 " of seed %" PRIu64 " for %s (%s), reduced by asking %u times.\n", f->name,
                  k->number, k->seed, warp_target_name(k->target), make_size_name(k->size), f->asked);
    buffer_format(b, "verdict: %s: %s\n", generated_verdict_name(f->verdict), reason_of(f->verdict));
    if (culprit != NULL)
        buffer_format(b, "cause: %s\n%s", culprit->word[0] ? culprit->word : NO_WORD,
                      culprit->word[0] ? "  perhaps: kernels agree without the statements that have it\n" : "");
    buffer_format(b,
                  "launch: entry %s, block %" PRIu32 ", grid %" PRIu32 ", n = %" PRIu32 ", %" PRIu32
                  " bytes of memory (docs/kernel-suite.md)\n",
                  m->name, k->block, k->grid, k->n, m->size);
    for (unsigned level = 0; after && level < q->peer->levels_count && ask_once(q, m, level, &a, after); level++) {
        buffer_format(b, "%s%s: %s%s%s\n", q->peer->name, peer_level_words(q->peer, level, level_words),
                      a.ending == PEER_DECLINED       ? "declined"
                      : !peer_differs(q->peer, m, &a) ? "agrees with the executor"
                      : a.ending == PEER_RETURNED     ? "leaves other memory"
                                                      : peer_ending_name(a.ending),
                      a.why[0] ? " " : "", text_printable(a.why, strlen(a.why), why, sizeof why));
        if (a.ending == PEER_RETURNED && peer_differs(q->peer, m, &a))
            add_words(b, m, after);
    }
    if (q->info.device[0])
        buffer_format(b, "device: %s, sm_%u, driver %s (CUDA %u.%u)\n", q->info.device, (unsigned)q->info.sm,
                      q->info.driver_name, (unsigned)q->info.driver / 1000, (unsigned)q->info.driver % 1000 / 10);
    if (!q->peer->alone && q->peer->gives_memory)
        buffer_format(b, "shown without warpcheck: cc -o launch launch.c -ldl && ./launch 5 %u\n", wrong_level);
    if (k->grid > 1)
        buffer_text(b, "It has two blocks; launch.c and launch.cu expect what the first of them leaves.\n");
    free(after);
}

/* The programs that launch it by themselves. */
static bool emit(const struct made *m, enum kernel_emission how, struct buffer *out, struct error *error)
{
    struct kernel_launch launch = {.text = m->text.data, .size = m->text.size, .steps = 1000000};
    launch.module = module_read(m->text.data, m->text.size, "kernel.ptx", error);
    launch.code = launch.module ? code_new(launch.module, module_function_find(launch.module, m->name), error) : NULL;
    bool ok = launch.code != NULL;
    if (ok) {
        kernel_find_slots(launch.code, &launch.slots);
        make_input(&m->kernel, m->before, &launch.input);
        ok = kernel_emit(&launch, spec_get(), how, out, error);
    }
    code_free(launch.code);
    module_free(launch.module);
    return ok;
}

static bool keep_file(const char *folder, const char *name, const struct buffer *b, struct error *error)
{
    return b->failed ? error_set(error, ERROR_SYSTEM, "out of memory")
                     : finding_write_file(folder, name, b->data, b->size, error);
}

/* What generated_replay reads. */
static void add_launch(struct buffer *b, const struct peer *peer, const struct generated_difference *d,
                       const struct made *m)
{
    buffer_format(b, "kernel %s block %" PRIu32 " grid %" PRIu32 " n %" PRIu32 " level %u bytes %" PRIu32 "\nmemory ",
                  m->name, m->kernel.block, m->kernel.grid, m->kernel.n, peer->levels[d->level], m->size);
    hex_write(b, m->before, m->size);
    buffer_text(b, "\n");
}

/* The command that shows it again. */
static void add_replay(struct buffer *b, const struct peer *peer, const char *path)
{
    char quoted[2 * FILE_PATH_MAX], folder[FILE_PATH_MAX];
    if (!peer->gives_memory)
        return;
    buffer_format(b, "replay: warpcheck replay --impl %s", text_quote(peer->full, quoted, sizeof quoted));
    buffer_format(b, " %s\n", text_quote(path, folder, sizeof folder));
}

/* What is expected and what was observed, at the head of a program. A line does not end in what would join the next. */
static void add_comment(struct buffer *out, const char *text)
{
    for (const char *at = text; *at; at += strcspn(at, "\n") + 1) {
        const int length = (int)strcspn(at, "\n");
        buffer_format(out, "// %.*s%s\n", length, at, length > 0 && at[length - 1] == '\\' ? "." : "");
    }
}

struct keeping {
    const struct peer *peer;
    const struct generated_difference *d;
    const struct generated_finding *finding;
    struct buffer text; /* all but the command that has the folder's name */
    struct made m;
};

/* Another verdict is another finding. */
static bool keeping_shows(void *context, const char *path)
{
    const struct keeping *const k = context;
    char file[FILE_PATH_MAX];
    enum generated_verdict verdict;
    struct error error;
    size_t size;
    char *text = file_join(path, "finding.txt", file, &error) ? file_read(file, KERNEL_FILE_MOST, &size, &error) : NULL;
    const bool shows = text && read_verdict(text, &verdict) && verdict == k->finding->verdict &&
                       file_join(path, "kernel.ptx", file, &error) && file_exists(file);
    free(text);
    return shows;
}

static bool keeping_write(void *context, const char *folder, const char *path, struct error *error)
{
    const struct keeping *const k = context;
    struct buffer text = {0}, c = {0}, cu = {0}, launch = {0};
    buffer_text(&text, buffer_string(&k->text));
    text.failed |= k->text.failed;
    add_replay(&text, k->peer, path);
    add_launch(&launch, k->peer, k->d, &k->m);
    add_comment(&c, buffer_string(&text));
    add_comment(&cu, buffer_string(&text));
    const bool ok = emit(&k->m, KERNEL_EMIT_HOST, &c, error) && emit(&k->m, KERNEL_EMIT_CUDA, &cu, error) &&
                    keep_file(folder, "launch.c", &c, error) && keep_file(folder, "launch.cu", &cu, error) &&
                    keep_file(folder, "kernel.ptx", &k->m.text, error) &&
                    keep_file(folder, GENERATED_LAUNCH, &launch, error) &&
                    keep_file(folder, "finding.txt", &text, error);
    buffer_free(&text);
    buffer_free(&launch);
    buffer_free(&c);
    buffer_free(&cu);
    return ok;
}

bool generated_keep(const struct peer *peer, const struct generated_difference *d,
                    const struct generated_finding *finding, const struct culprit *culprit, const char *dir,
                    struct finding_kept *kept, struct error *error)
{
    struct peer all = *peer;
    struct inquiry q = {.peer = &all, .wanted = d};
    struct keeping k = {.peer = peer, .d = d, .finding = finding};
    const struct finding_folder folder = {finding->name, keeping_shows, keeping_write, &k};
    peer_set_all_levels(&all);
    bool ok = set_finding(&k.m, finding) || error_set(error, ERROR_SYSTEM, "out of memory");
    if (ok) {
        add_text(&k.text, &q, finding, culprit, &k.m, peer->levels[d->level]);
        ok = finding_keep_folder(&folder, dir, kept, error);
    }
    buffer_free(&k.text);
    made_free(&k.m);
    return ok;
}

/* ---- again ---- */

/* A kernel that was kept: its launch, and what the executor says of it. */
struct kept {
    struct make_kernel kernel;
    char name[MAKE_NAME_MAX];
    unsigned level;
    char *text;
    uint32_t size;
    uint8_t *before, *expected, *after;
};

static bool read_launch(const char *folder, struct kept *k, struct error *error)
{
    char path[FILE_PATH_MAX], *memory;
    size_t size;
    int end = 0;
    if (!file_join(folder, GENERATED_LAUNCH, path, error))
        return false;
    char *text = file_read(path, KERNEL_FILE_MOST, &size, error);
    if (!text)
        return false;
    text[strcspn(text, "\r\n")] = '\0';
    bool ok = sscanf(text, "kernel %31s block %" SCNu32 " grid %" SCNu32 " n %" SCNu32 " level %u bytes %" SCNu32 "%n",
                     k->name, &k->kernel.block, &k->kernel.grid, &k->kernel.n, &k->level, &k->size, &end) == 6 &&
              text[end] == '\0' && k->kernel.block >= 1 && k->kernel.block <= 1024 && k->kernel.grid >= 1 &&
              k->kernel.grid <= 64 && k->level < PEER_LEVELS && make_memory_size(&k->kernel) == k->size;
    memory = text + strlen(text) + 1;
    memory[strcspn(memory, "\r\n")] = '\0';
    k->before = ok ? malloc(k->size) : NULL;
    k->expected = ok ? malloc(k->size) : NULL;
    k->after = ok ? malloc(k->size) : NULL;
    if (ok && !(k->before && k->expected && k->after))
        ok = error_set(error, ERROR_SYSTEM, "out of memory");
    else if (!ok || strncmp(memory, "memory ", 7) != 0 || !hex_read(memory + 7, k->before, k->size))
        ok = error_set(error, ERROR_INPUT, "%s: no launch and memory as a finding keeps them", path);
    free(text);
    return ok;
}

static bool read_kept(const char *folder, struct kept *k, struct error *error)
{
    char path[FILE_PATH_MAX];
    struct make_answer answer;
    size_t size;
    if (!read_launch(folder, k, error) || !file_join(folder, "kernel.ptx", path, error) ||
        !(k->text = file_read(path, KERNEL_FILE_MOST, &size, error)))
        return false;
    if (!make_execute(&k->kernel, k->text, size, k->name, spec_get(), true, k->before, k->expected, &answer))
        return error_set(error, ERROR_SYSTEM, "out of memory");
    return answer.verdict == MAKE_CLEAN || error_set(error, ERROR_INPUT, "%s: not clean by the executor: %s %s", path,
                                                     make_verdict_name(answer.verdict), answer.error.text);
}

/* By the implementation's answers for warp instructions. */
static bool execute_over(struct kept *k, const struct warp_impl *impl, struct peer_ask *a, struct error *error)
{
    struct make_answer answer;
    if (!make_execute(&k->kernel, k->text, strlen(k->text), k->name, impl, false, k->before, k->after, &answer))
        return error_set(error, ERROR_SYSTEM, "out of memory");
    a->ending = answer.verdict == MAKE_CLEAN ? PEER_RETURNED : PEER_FAULTED;
    snprintf(a->why, sizeof a->why, "%.100s", answer.verdict == MAKE_CLEAN ? "" : make_verdict_name(answer.verdict));
    return true;
}

enum generated_replayed generated_replay(const char *folder, const char *name, const struct warp_impl *impl,
                                         struct buffer *words, struct error *error)
{
    struct kept k = {0};
    struct peer peer;
    struct gpu_info info;
    enum generated_replayed replayed = GENERATED_UNREAD;
    bool ok = read_kept(folder, &k, error);
    struct peer_ask a = {.kernel = &k.kernel, .module = k.text, .entry = k.name, .before = k.before, .after = k.after};
    bool answers = false;
    if (ok && peer_find(name, &peer) && (peer_is_kernel_plugin(name, &answers) || !answers)) {
        peer.levels[0] = k.level;
        ok = peer.gives_memory ? peer_ask(&peer, &a, 1, &info, error)
                               : error_set(error, ERROR_USAGE, "%s executes nothing", name);
        peer_end(&peer);
    } else if (ok) {
        ok = execute_over(&k, impl, &a, error);
    }
    if (ok) {
        const bool same = a.ending == PEER_RETURNED && memcmp(k.after, k.expected, k.size) == 0;
        replayed = a.ending == PEER_DECLINED ? GENERATED_DECLINED : same ? GENERATED_AGREES : GENERATED_DIFFERS;
        buffer_format(words, "%s, kernel %s: %s %s", name, k.name,
                      same                        ? "leaves what the executor leaves"
                      : a.ending == PEER_RETURNED ? "leaves other memory than the executor"
                                                  : peer_ending_name(a.ending),
                      a.why);
    }
    free(k.before);
    free(k.expected);
    free(k.after);
    free(k.text);
    return replayed;
}
