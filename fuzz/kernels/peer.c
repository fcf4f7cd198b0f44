#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "fuzz/kernels/peer.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/random.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *peer_ending_name(enum peer_ending ending)
{
    static const char *const names[] = {
        [PEER_RETURNED] = "memory", [PEER_HUNG] = "hung",         [PEER_FAULTED] = "faulted",
        [PEER_REFUSED] = "refused", [PEER_DECLINED] = "declined", [PEER_UNASKED] = "not asked",
    };
    return names[ending];
}

void peer_ended(struct peer_ask *a, enum peer_ending ending, const char *why)
{
    a->ending = ending;
    text_printable(why, strnlen(why, sizeof a->why), a->why, sizeof a->why);
}

/* ---- a device ---- */

/* A launch with all that it points to. */
struct device_launch {
    struct launch_region region;
    struct launch_pointer pointer;
    uint8_t params[12];
};

static void set_launch(const struct peer *peer, const struct peer_ask *a, struct device_launch *d, struct launch *l)
{
    d->region = (struct launch_region){.size = make_memory_size(a->kernel), .before = a->before, .after = a->after};
    d->pointer = (struct launch_pointer){0, 0};
    memset(d->params, 0, 8);
    memcpy(d->params + 8, &a->kernel->n, 4);
    *l = (struct launch){.ptx = a->module,
                         .entry = a->entry,
                         .level = peer->levels[a->level],
                         .grid = {a->kernel->grid, 1, 1},
                         .block = {a->kernel->block, 1, 1},
                         .params = d->params,
                         .params_size = sizeof d->params,
                         .pointers = &d->pointer,
                         .pointers_count = 1,
                         .regions = &d->region,
                         .wanted = peer->all,
                         .regions_count = 1};
}

static enum peer_ending ending_of(enum launch_ending ending)
{
    switch (ending) {
    case LAUNCH_RETURNED:
        return PEER_RETURNED;
    case LAUNCH_HUNG:
        return PEER_HUNG;
    case LAUNCH_FAULTED:
        return PEER_FAULTED;
    case LAUNCH_UNASKED:
        return PEER_UNASKED;
    case LAUNCH_UNABLE:
        break;
    }
    return PEER_REFUSED;
}

static bool ask_device(const struct peer *peer, struct peer_ask *asks, uint32_t count, struct gpu_info *info,
                       struct error *error)
{
    struct launch *launches = calloc(count + 1, sizeof *launches);
    struct device_launch *data = calloc(count + 1, sizeof *data);
    bool ok = (launches && data) || error_set(error, ERROR_SYSTEM, "out of memory");
    for (uint32_t n = 0; ok && n < count; n++)
        set_launch(peer, &asks[n], &data[n], &launches[n]);
    ok = ok && (peer->here ? launch_here(NULL, launches, count, peer->limit, info, error)
                           : launch_all(NULL, launches, count, peer->limit, peer->past, info, error));
    for (uint32_t n = 0; ok && n < count; n++) {
        asks[n].ending = ending_of(launches[n].ending);
        memcpy(asks[n].why, launches[n].why, sizeof asks[n].why);
    }
    free(launches);
    free(data);
    return ok;
}

/* ---- how long an answer is waited for ---- */

#define TIMES      20.0 /* the slowest answer, */
#define FIRST      4.0  /* and so many seconds more, are long enough for an answer; */
#define HUNG_ONCE  2.0  /* so many when it has hung, */
#define HURRIED    0.5  /* and when it has hung often, or at a kernel of which this one is a part */
#define HANGS_MANY 3u   /* times */

/* Seconds beside TIMES the slowest answer. */
static double seconds_more(const struct peer *peer, unsigned hangs)
{
    return hangs >= HANGS_MANY || peer->hurried ? HURRIED : hangs > 0 ? HUNG_ONCE : FIRST;
}

double patience_seconds(const struct patience *patience, const struct peer *peer)
{
    const double enough = TIMES * patience->slowest + seconds_more(peer, patience->hangs);
    const bool knows = patience->has_answered || patience->hangs >= HANGS_MANY;
    return knows && enough < peer->limit ? enough : peer->limit;
}

void patience_learn(struct patience *patience, double seconds)
{
    patience->has_answered = true;
    patience->slowest = seconds > patience->slowest ? seconds : patience->slowest;
}

/* ---- ptxas ---- */

/* The first line that says what is wrong. */
static void take_complaint(char *said, char *why, size_t size)
{
    char *line = strtok(said, "\n");
    while (line && !strstr(line, "error") && !strstr(line, "fatal") && !strstr(line, "rror"))
        line = strtok(NULL, "\n");
    const char *colon = line ? strstr(line, "error   : ") : NULL;
    snprintf(why, size, "%s", colon ? colon + 10 : line ? line : "without a word");
}

#define OUTPUT    "module.cubin"

#define IN_MODULE 4.0 /* so many times for each kernel of a module, whose kernels are asked alone next */

static struct patience assembler; /* its answers: kernels that it took */

static double assembly_limit(const struct peer *peer, uint32_t kernels)
{
    const double times = kernels == 1 ? TIMES : IN_MODULE * kernels,
                 enough = assembler.slowest * times + seconds_more(peer, 1);
    return assembler.has_answered && enough < peer->limit ? enough : peer->limit;
}

#define LAST  1.0 /* seconds that it has at least */
#define SHARE 3.0 /* a module has such a part of the time for all: its kernels can be asked alone then */

/* Less where the time for all ends before. `is_cut`: so a kernel that does not end then need not hang. */
static double limit_now(const struct peer *peer, uint32_t kernels, bool *is_cut)
{
    const double limit = assembly_limit(peer, kernels),
                 left = (peer->until - clock_seconds()) / (kernels == 1 ? 1 : SHARE);
    *is_cut = false;
    if (peer->until <= 0 || left >= limit)
        return limit;
    *is_cut = kernels == 1;
    return left > LAST ? left : LAST;
}

/* kernels: of the module */
static bool assemble(const struct peer *peer, const char *folder, struct peer_ask *a, uint32_t kernels,
                     struct error *error)
{
    static char said[65536];
    char path[FILE_PATH_MAX], output[FILE_PATH_MAX], arch[32], level[8];
    const char *const target = warp_target_name(a->kernel->target);
    const char *const argv[] = {peer->program, arch, level, path, "-o", output, NULL};
    const struct process_plan plan = {.argv = argv, .in = PROCESS_NULL};
    snprintf(arch, sizeof arch, "-arch=%s", a->kernel->target < PEER_OLDEST ? "sm_75" : target);
    snprintf(level, sizeof level, "-O%u", peer->levels[a->level]);
    if (!file_join(folder, "module.ptx", path, error) || !file_join(folder, OUTPUT, output, error) ||
        !file_write(path, a->module, strlen(a->module), error))
        return false;
    struct error end = {0};
    bool is_cut;
    const double limit = limit_now(peer, kernels, &is_cut), began = clock_seconds();
    if (process_run(&plan, limit, said, sizeof said, &end)) {
        patience_learn(&assembler, (clock_seconds() - began) / kernels);
        a->ending = PEER_RETURNED;
        return true;
    }
    if (end.code == ERROR_TIMEOUT) {
        a->ending = is_cut ? PEER_UNASKED : PEER_HUNG;
    } else if (end.code == ERROR_CRASH) {
        a->ending = PEER_FAULTED;
        snprintf(a->why, sizeof a->why, "%.150s", end.text);
    } else if (end.code == ERROR_EXIT) {
        a->ending = PEER_REFUSED;
        take_complaint(said, a->why, sizeof a->why);
    } else {
        *error = end;
        return false;
    }
    return true;
}

/* A text that nobody may compile, asked once: who compiles that says yes to everything. */
static bool refuses_nonsense(const struct peer *peer, const char *folder, const struct peer_ask *like,
                             struct error *error)
{
    static bool refused;
    struct peer_ask a = *like;
    a.module = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nno.such.instruction;\n}\n";
    if (refused)
        return true;
    if (!assemble(peer, folder, &a, 1, error))
        return false;
    if (a.ending == PEER_HUNG)
        return error_set(error, ERROR_UNAVAILABLE, "%s has not refused a text of six lines in %.0f s", peer->program,
                         peer->limit);
    refused = a.ending != PEER_RETURNED;
    return refused || error_set(error, ERROR_UNAVAILABLE,
                                "%s compiles a text with an instruction that does not exist: its word says nothing",
                                peer->program);
}

/* Who says yes has written something, which goes with the looking. */
static void look_at_output(const char *folder, struct peer_ask *a)
{
    char path[FILE_PATH_MAX];
    struct stat about;
    if (a->ending != PEER_RETURNED ||
        (file_join(folder, OUTPUT, path, NULL) && stat(path, &about) == 0 && about.st_size > 0 && unlink(path) == 0))
        return;
    a->ending = PEER_REFUSED;
    snprintf(a->why, sizeof a->why, "it says yes and writes nothing");
}

/* A refusal is one of this kernel's text, unless ptxas takes no module of that version and target. */
static bool takes_head(const struct peer *peer, const char *folder, const struct peer_ask *refused, struct error *error)
{
    static bool is_known;
    char head[256];
    const char *const end = strstr(refused->module, "\n\n");
    struct peer_ask a = *refused;
    if (is_known || end == NULL)
        return true;
    snprintf(head, sizeof head, "%.*s\n", (int)(end - refused->module), refused->module);
    a.module = head;
    if (!assemble(peer, folder, &a, 1, error))
        return false;
    look_at_output(folder, &a);
    is_known = a.ending != PEER_REFUSED;
    return is_known ||
           error_set(error, ERROR_UNAVAILABLE, "%s takes no PTX of this version and target: %s", peer->program, a.why);
}

static bool ask_ptxas(const struct peer *peer, struct peer_ask *asks, uint32_t count, struct gpu_info *info,
                      struct error *error)
{
    char folder[FILE_PATH_MAX];
    bool ok = folder_temporary("ptxas", folder, error);
    memset(info, 0, sizeof *info);
    if (!ok)
        return false;
    ok = count == 0 || refuses_nonsense(peer, folder, &asks[0], error);
    for (uint32_t n = 0, next; ok && n < count; n = next) {
        struct peer_ask *a = &asks[n];
        for (next = n + 1; next < count && asks[next].module == a->module && asks[next].level == a->level;)
            next++;
        if (peer_is_late(peer)) {
            a->ending = PEER_UNASKED;
        } else {
            ok = assemble(peer, folder, a, next - n, error) &&
                 (a->ending != PEER_REFUSED || takes_head(peer, folder, a, error));
            look_at_output(folder, a);
        }
        for (uint32_t same = n + 1; same < next; same++) {
            asks[same].ending = a->ending;
            memcpy(asks[same].why, a->why, sizeof a->why);
        }
    }
    folder_remove(folder);
    return ok;
}

bool peer_find(const char *option, struct peer *peer, struct error *error)
{
    static struct impl_name name;
    static const struct peer device = {.name = "gpu",
                                       .gives_memory = true,
                                       .levels = {0, 4},
                                       .levels_count = 2,
                                       .limit = 4,
                                       .ask = ask_device},
                             assembles = {.name = "ptxas",
                                          .levels = {0, 3},
                                          .levels_count = 2,
                                          .limit = 60,
                                          .ask = ask_ptxas},
                             process = {.name = "pipe", .one = peer_process_ask, .end = peer_process_end},
                             plugin = {.name = "plugin", .one = peer_plugin_ask, .end = peer_plugin_end};
    if (!impl_name_parse(option, &name, error))
        return false;
    switch (name.kind) {
    case IMPL_GPU:
        *peer = device;
        break;
    case IMPL_PTXAS:
        *peer = assembles;
        peer->program = impl_ptxas();
        break;
    case IMPL_PIPE:
    case IMPL_PLUGIN:
        *peer = name.kind == IMPL_PIPE ? process : plugin;
        peer->gives_memory = peer->alone = true;
        peer->levels_count = 1;
        peer->limit = 10;
        peer->program = name.path;
        break;
    case IMPL_SPEC:
    case IMPL_FAST:
    case IMPL_FAST_ALL:
    case IMPL_FAST_BATCH:
    case IMPL_RECORDING:
    case IMPL_SMT:
        return error_set(error, ERROR_USAGE, "%s answers no whole kernels, only single instructions", option);
    }
    peer->option = option;
    return name.inner[0] == '\0' ||
           error_set(error, ERROR_USAGE, "%s: name the file alone, whose function for kernels is asked", option);
}

/* Whoever is asked one by one. */
static bool ask_each(const struct peer *peer, struct peer_ask *asks, uint32_t count, struct gpu_info *info,
                     struct error *error)
{
    memset(info, 0, sizeof *info);
    for (uint32_t n = 0; n < count; n++)
        if (peer_is_late(peer))
            asks[n].ending = PEER_UNASKED;
        else if (!peer->one(peer, &asks[n], error))
            return false;
    return true;
}

/* A defect planted on purpose stands between here and who is asked. */
bool peer_ask(const struct peer *peer, struct peer_ask *asks, uint32_t count, struct gpu_info *info,
              struct error *error)
{
    const char *const plant = getenv("WARPCHECK_GPU_PLANT"), **const texts = calloc(count + 1, sizeof *texts);
    bool ok = texts != NULL;
    for (uint32_t n = 0; ok && plant && n < count; n++) {
        texts[n] = asks[n].module;
        asks[n].module = n > 0 && texts[n] == texts[n - 1] ? asks[n - 1].module : make_plant(texts[n], plant);
        ok = asks[n].module != NULL;
    }
    ok = ok ? (peer->ask ? peer->ask : ask_each)(peer, asks, count, info, error)
            : error_set(error, ERROR_SYSTEM, "out of memory");
    for (uint32_t n = count; texts && n-- > 0;) {
        if (!texts[n])
            continue;
        if (n == 0 || texts[n] != texts[n - 1])
            free((char *)(uintptr_t)asks[n].module);
        asks[n].module = texts[n];
    }
    free(texts);
    return ok;
}

uint64_t kernel_digest(const void *data, size_t size)
{
    return random_mix(hash_bytes(HASH_START, data, size));
}

bool peer_differs(const struct peer *peer, const struct made *made, const struct peer_ask *ask)
{
    if (ask->ending == PEER_DECLINED || ask->ending == PEER_UNASKED)
        return false;
    return ask->ending != PEER_RETURNED || (peer->gives_memory && memcmp(ask->after, made->after, made->size) != 0);
}

bool peer_is_late(const struct peer *peer)
{
    return peer->until > 0 && clock_seconds() > peer->until;
}

#define LOST 2u /* of a process or a plugin of which nothing has returned: the rest is not asked */

bool peer_only_hangs(const struct peer *peer)
{
    const struct launch_past *const past = peer->past;
    return peer->alone && past && atomic_load(&past->lost) >= LOST && atomic_load(&past->returned) == 0;
}

void peer_end(const struct peer *peer)
{
    if (peer->end)
        peer->end();
}

bool peer_set_levels(struct peer *peer, const char *text)
{
    const unsigned most = peer->gives_memory ? 4 : 3;
    unsigned count = 0;
    if (peer->alone)
        return false;
    for (const char *at = text; count < PEER_LEVELS; at += 2) {
        if (at[0] < '0' || at[0] > '0' + (int)most || (at[1] != ',' && at[1] != '\0'))
            return false;
        peer->levels[count++] = (unsigned)(at[0] - '0');
        for (unsigned n = 0; n + 1 < count; n++)
            if (peer->levels[n] >= peer->levels[count - 1])
                return false; /* each once, the least first */
        if (at[1] == '\0')
            break;
    }
    peer->levels_count = count;
    return text[2 * (size_t)count - 1] == '\0';
}

void peer_set_all_levels(struct peer *peer)
{
    peer_set_levels(peer, peer->gives_memory ? "0,1,2,3,4" : "0,1,2,3");
}

const char *peer_level_words(const struct peer *peer, unsigned level, char words[32])
{
    words[0] = '\0';
    if (!peer->alone)
        snprintf(words, 32, " at level %u", peer->levels[level]);
    return words;
}
