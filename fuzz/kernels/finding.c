#include "fuzz/kernels/finding.h"

#include "base/clock.h"
#include "base/text.h"
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
    const bool shows = !q->failed && made_set(&m, kernel, spec_get()) && made_shows(q, &m);
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
    const bool shows = !s->q->failed && made_set_text(&m, s->kernel, text, spec_get()) && made_shows(s->q, &m);
    made_free(&m);
    return shows;
}

/* Leaves lines out of its text, too. */
static void shorten(struct inquiry *q, struct reduction *r, struct generated_finding *f)
{
    struct shortening s = {.q = q, .kernel = &f->kernel};
    struct buffer text = {0};
    make_write_head(&f->kernel, &text);
    make_write(&f->kernel, &text, NULL, NULL);
    make_reduce_text(&text, text_shows, &s, r);
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

static const struct {
    const char *name, *reason;
} verdicts[] = {
    [VERDICT_COMPILER] = {"compiler", "another level of the optimizer agrees with the executor, or the text, which is "
                                      "legal, is not taken"},
    [VERDICT_EXECUTOR] = {"executor", "every level of the optimizer gives the same, and the executor something else: "
                                      "it, or its reading of the manual, or the device is wrong"},
    [VERDICT_IMPLEMENTATION] = {"implementation", "each run gives the same, and the executor, whose answer devices "
                                                  "confirm (docs/kernel-suite.md), something else: the process is "
                                                  "wrong, or the executor, or its reading of the manual"},
    [VERDICT_GENERATOR] = {"generator", "the answer changes from run to run: the kernel is not as defined as it should "
                                        "be, or the device is not sound"},
    [VERDICT_GONE] = {"gone", "asked again alone, it did not show"},
    [VERDICT_OPEN] = {"open", "one level of the optimizer alone was asked"},
};

const char *generated_verdict_name(enum generated_verdict verdict)
{
    return verdicts[verdict].name;
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
    struct reduction r = {.limit = most, .until = until};
    const bool again = still_shows(&q, &finding->kernel);
    if (again && !q.failed)
        make_reduce(&finding->kernel, still_shows, &q, &r);
    bool ok = made_set(&m, &finding->kernel, spec_get()) || error_set(&q.error, ERROR_SYSTEM, "out of memory");
    name_feature(&m, feature);
    made_free(&m);
    r.limit += r.tried;
    if (ok && again && !q.failed)
        shorten(&q, &r, finding);
    finding->asked = r.tried;
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
    while (v < VERDICT_OPEN && strcmp(name, verdicts[v].name) != 0)
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

/* FOLDER/finding.txt, to be freed; NULL: there is none. */
static char *read_finding(const char *folder)
{
    char path[FILE_PATH_MAX];
    struct error error;
    size_t size;
    return file_join(folder, "finding.txt", path, &error) && file_exists(path)
               ? file_read(path, KERNEL_FILE_MOST, &size, &error)
               : NULL;
}

bool generated_cause_load(const char *dir, const char *name, struct generated_cause *cause)
{
    char folder[FILE_PATH_MAX];
    memset(cause, 0, sizeof *cause);
    char *text = strlen(name) < sizeof cause->name && file_join(dir, name, folder, NULL) ? read_finding(folder) : NULL;
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
    buffer_format(b, "verdict: %s: %s\n", verdicts[f->verdict].name, verdicts[f->verdict].reason);
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

/* What is expected and what was observed, at the head of a program. A line does not end in what would join the next. */
static void add_comment(struct buffer *out, const char *text)
{
    for (const char *at = text, *next; *at; at = next) {
        const int length = (int)strcspn(at, "\n");
        next = at + length + (at[length] != '\0');
        buffer_format(out, "// %.*s%s\n", length, at, length > 0 && at[length - 1] == '\\' ? "." : "");
    }
}

/* The texts of a finding. */
struct texts {
    struct buffer what, more, launch, c, cu;
};

static bool add_programs(struct texts *t, const struct made *m, unsigned level, struct error *error)
{
    struct kernel_launch launch;
    bool ok = kernel_launch_make(buffer_string(&m->text), m->text.size, "kernel.ptx", m->name, &launch, error);
    if (ok) {
        launch.is_compared = true;
        launch.level = level;
        make_input(&m->kernel, m->before, &launch.input);
        kernel_launch_text(&launch, &t->launch);
        add_comment(&t->c, buffer_string(&t->what));
        add_comment(&t->c, buffer_string(&t->more));
        buffer_add(&t->cu, t->c.data, t->c.size);
        ok = kernel_emit(&launch, spec_get(), KERNEL_EMIT_HOST, &t->c, error) &&
             kernel_emit(&launch, spec_get(), KERNEL_EMIT_CUDA, &t->cu, error);
    }
    kernel_launch_close(&launch);
    return ok;
}

/* Another verdict is another finding. */
static bool has_verdict(void *context, const struct finding *f, const char *folder)
{
    const enum generated_verdict *const wanted = context;
    enum generated_verdict verdict;
    char *const text = read_finding(folder);
    const bool has = text && read_verdict(text, &verdict) && verdict == *wanted;
    (void)f;
    free(text);
    return has;
}

static bool keep(const struct peer *peer, const struct generated_finding *finding, const struct made *m,
                 const struct texts *t, const char *dir, struct finding_kept *kept, struct error *error)
{
    enum generated_verdict verdict = finding->verdict;
    const struct finding_beside beside[] = {{"launch.c", buffer_string(&t->c)}, {"launch.cu", buffer_string(&t->cu)}};
    const struct finding f = {.kind = FINDING_KERNEL,
                              .observed_name = peer->name,
                              .reference_name = "the executor",
                              .property = finding->name,
                              .folder = finding->name,
                              .what = buffer_string(&t->what),
                              .more = buffer_string(&t->more),
                              .data = m->text.data,
                              .size = m->text.size,
                              .launch = buffer_string(&t->launch),
                              .replay = peer->gives_memory ? peer->option : NULL,
                              .beside = beside,
                              .beside_count = sizeof beside / sizeof beside[0]};
    if (t->what.failed || t->more.failed || t->launch.failed || t->c.failed || t->cu.failed)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    return finding_keep(&f, dir, has_verdict, &verdict, kept, error);
}

bool generated_keep(const struct peer *peer, const struct generated_difference *d,
                    const struct generated_finding *finding, const struct culprit *culprit, const char *dir,
                    struct finding_kept *kept, struct error *error)
{
    const struct make_kernel *const k = &finding->kernel;
    struct peer all = *peer;
    struct inquiry q = {.peer = &all, .wanted = d};
    struct made m;
    struct texts t = {0};
    peer_set_all_levels(&all);
    bool ok = set_finding(&m, finding) || error_set(error, ERROR_SYSTEM, "out of memory");
    if (ok) {
        buffer_format(&t.what,
                      "kernel %" PRIu64 " of seed %" PRIu64 " for %s (%s), reduced by asking %" PRIu64 " times",
                      k->number, k->seed, warp_target_name(k->target), make_size_name(k->size), finding->asked);
        add_text(&t.more, &q, finding, culprit, &m, peer->levels[d->level]);
        ok = add_programs(&t, &m, peer->levels[d->level], error) && keep(peer, finding, &m, &t, dir, kept, error);
    }
    buffer_free(&t.what);
    buffer_free(&t.more);
    buffer_free(&t.launch);
    buffer_free(&t.c);
    buffer_free(&t.cu);
    made_free(&m);
    return ok;
}

/* ---- again ---- */

/* A kernel that was kept: its launch, and what the executor says of it. */
struct again {
    struct kernel_launch launch;
    struct make_kernel kernel;
    const char *entry;
    uint32_t size;
    uint8_t *expected, *after;
};

static bool open_again(const char *folder, struct again *k, struct error *error)
{
    struct make_answer answer;
    if (!kernel_launch_open(folder, &k->launch, error))
        return false;
    const struct kernel_input *const in = &k->launch.input;
    k->entry = k->launch.code->entry->name;
    k->kernel.block = in->block[0];
    k->kernel.grid = in->grid[0];
    if (in->params_size == 12)
        memcpy(&k->kernel.n, in->params + 8, 4);
    k->size = k->kernel.grid <= 64 ? make_memory_size(&k->kernel) : 0;
    if (!k->launch.is_compared || k->launch.level >= PEER_LEVELS || k->size == 0 || k->size != in->content_size)
        return error_set(error, ERROR_INPUT, "%s: no launch and memory as a finding of a generated kernel keeps them",
                         folder);
    k->expected = malloc(k->size);
    k->after = malloc(k->size);
    if (!k->expected || !k->after ||
        !make_execute(&k->kernel, k->launch.text, k->launch.size, k->entry, spec_get(), true, in->content, k->expected,
                      &answer))
        return error_set(error, ERROR_SYSTEM, "out of memory");
    return answer.verdict == MAKE_CLEAN || error_set(error, ERROR_INPUT, "%s: not clean by the executor: %s %s", folder,
                                                     make_verdict_name(answer.verdict), answer.error.text);
}

/* By the implementation's answers for warp instructions. */
static bool execute_over(struct again *k, const struct warp_impl *impl, struct peer_ask *a, struct error *error)
{
    struct make_answer answer;
    if (!make_execute(&k->kernel, k->launch.text, k->launch.size, k->entry, impl, false, a->before, k->after, &answer))
        return error_set(error, ERROR_SYSTEM, "out of memory");
    a->ending = answer.verdict == MAKE_CLEAN ? PEER_RETURNED : PEER_FAULTED;
    snprintf(a->why, sizeof a->why, "%.100s", answer.verdict == MAKE_CLEAN ? "" : make_verdict_name(answer.verdict));
    return true;
}

bool generated_is_kept(const char *folder)
{
    struct kernel_launch launch;
    struct error error;
    const bool is = kernel_launch_open(folder, &launch, &error) && launch.is_compared;
    kernel_launch_close(&launch);
    return is;
}

bool generated_replay(const char *folder, const char *name, const struct warp_impl *impl,
                      enum kernel_replayed *replayed, struct buffer *words, struct error *error)
{
    struct again k = {0};
    struct peer peer;
    struct gpu_info info;
    bool ok = open_again(folder, &k, error);
    struct peer_ask a = {
        .kernel = &k.kernel, .module = k.launch.text, .entry = k.entry, .before = k.launch.content, .after = k.after};
    struct impl_name parsed;
    if (ok && impl && !(impl_name_parse(name, &parsed, error) && impl_name_answers(&parsed) & IMPL_KERNELS)) {
        ok = execute_over(&k, impl, &a, error);
    } else if (ok && (ok = peer_find(name, &peer, error))) {
        peer.levels[0] = k.launch.level;
        ok = peer.gives_memory ? peer_ask(&peer, &a, 1, &info, error)
                               : error_set(error, ERROR_USAGE, "%s executes nothing", name);
        peer_end(&peer);
    }
    if (ok) {
        const bool same = a.ending == PEER_RETURNED && memcmp(k.after, k.expected, k.size) == 0;
        *replayed = a.ending == PEER_DECLINED ? KERNEL_NO_VERDICT : same ? KERNEL_SHOWS_NOTHING : KERNEL_SHOWS_ERROR;
        buffer_format(words, "%s, kernel %s: %s %s", name, k.entry,
                      same                        ? "leaves what the executor leaves"
                      : a.ending == PEER_RETURNED ? "leaves other memory than the executor"
                                                  : peer_ending_name(a.ending),
                      a.why);
    }
    free(k.expected);
    free(k.after);
    kernel_launch_close(&k.launch);
    return ok;
}
