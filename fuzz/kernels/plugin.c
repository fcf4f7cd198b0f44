#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "fuzz/kernels/peer.h"

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "base/clock.h"
#include "check/impl/child.h"
#include "check/impl/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define START_S     60.0
#define TEXT_MOST   ((size_t)4 << 20)
#define MEMORY_MOST ((size_t)4 << 20) /* 64 blocks of 1024 threads leave 3.1 MB */
#define PARAMETERS  12u               /* a pointer and a number */

/*
 * What both processes see. The parent believes nothing in here but what the kernel left, which is what it compares. The
 * memory ends at a page that nobody may touch.
 */
struct board {
    struct make_kernel kernel;
    char entry[MAKE_NAME_MAX];
    uint32_t bytes; /* of memory */
    int ending;
    char why[160];
    char text[TEXT_MOST];
};

static struct {
    struct child *child;
    struct board *board;
    char *memory_end;
    char path[FILE_PATH_MAX], who[80];
    struct library library; /* in the child */
    struct patience patience;
} plugin;

static size_t board_size(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (sizeof(struct board) + page - 1) / page * page;
}

static size_t room_size(void)
{
    return board_size() + MEMORY_MOST + (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- in the child ---- */

static bool start(void *context, void *shared, struct error *error)
{
    (void)context, (void)shared;
    return library_open_kernels(&plugin.library, plugin.path, error);
}

static bool serve(void *context, void *shared, uint32_t request, struct error *error)
{
    struct board *const b = shared;
    uint8_t parameters[PARAMETERS + 4] = {0};
    uint8_t *const data = (uint8_t *)plugin.memory_end - b->bytes;
    struct warp_kernel_buffer buffer = {.data = data, .size = b->bytes};
    struct warp_kernel_launch launch = {.size = sizeof launch,
                                        .ptx = b->text,
                                        .entry = b->entry,
                                        .grid = {b->kernel.grid, 1, 1},
                                        .block = {b->kernel.block, 1, 1},
                                        .parameters = parameters,
                                        .parameters_size = PARAMETERS,
                                        .buffers_count = 1,
                                        .buffers = &buffer,
                                        .why = b->why,
                                        .why_size = sizeof b->why};
    (void)context, (void)request, (void)error;
    memcpy(parameters, &data, sizeof data);
    memcpy(parameters + 8, &b->kernel.n, sizeof b->kernel.n);
    b->ending = plugin.library.kernel(&launch);
    return true;
}

/* ---- in the parent ---- */

static bool open_child(const char *path, struct error *error)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *const room = mmap(NULL, room_size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    plugin.board = (struct board *)(void *)room;
    plugin.memory_end = room + room_size() - page;
    mprotect(plugin.memory_end, page, PROT_NONE);
    snprintf(plugin.path, sizeof plugin.path, "%s", path);
    snprintf(plugin.who, sizeof plugin.who, "%.79s", file_name(path));
    const struct child_plan plan = {
        .who = plugin.who, .board = room, .regions = {{room, room_size()}}, .start = start, .serve = serve};
    plugin.child = child_open(&plan);
    if (plugin.child)
        return true;
    munmap(room, room_size());
    return error_set(error, ERROR_SYSTEM, "out of memory");
}

void peer_plugin_end(void)
{
    if (plugin.child == NULL)
        return;
    child_free(plugin.child);
    munmap(plugin.board, room_size());
    plugin.child = NULL;
}

static void take_answer(struct peer_ask *a, uint32_t bytes)
{
    const int ending = plugin.board->ending;
    char words[64];
    if (ending == WARP_KERNEL_RETURNED) {
        a->ending = PEER_RETURNED;
        memcpy(a->after, plugin.memory_end - bytes, bytes);
    } else if (ending == WARP_KERNEL_DECLINED) {
        peer_ended(a, PEER_DECLINED, plugin.board->why);
    } else if (ending == WARP_KERNEL_FAILED) {
        peer_ended(a, PEER_FAULTED, plugin.board->why);
    } else {
        snprintf(words, sizeof words, "%s returned %d, which is no ending", WARP_PLUGIN_KERNEL_SYMBOL, ending);
        peer_ended(a, PEER_FAULTED, words);
    }
}

bool peer_plugin_ask(const struct peer *peer, struct peer_ask *a, struct error *error)
{
    struct board *b;
    const uint32_t bytes = make_memory_size(a->kernel);
    struct error how = {0};
    if (plugin.child == NULL && !open_child(peer->program, error))
        return false;
    b = plugin.board;
    if (strlen(a->module) >= sizeof b->text || bytes > MEMORY_MOST)
        return error_set(error, ERROR_INTERNAL, "a kernel of more than %zu bytes", TEXT_MOST);
    if (!child_start(plugin.child, START_S, error))
        return error->code != ERROR_INPUT ? error_prefix(error, "%s", peer->program) : false;
    b->kernel = *a->kernel;
    b->bytes = bytes;
    b->why[0] = '\0';
    snprintf(b->entry, sizeof b->entry, "%s", a->entry);
    strcpy(b->text, a->module);
    memcpy(plugin.memory_end - bytes, a->before, bytes);
    child_post(plugin.child, 1);
    const double asked = clock_seconds();
    if (child_await(plugin.child, patience_seconds(&plugin.patience, peer), &how)) {
        patience_learn(&plugin.patience, clock_seconds() - asked);
        take_answer(a, bytes);
        return true;
    }
    if (how.code == ERROR_INTERRUPTED) {
        *error = how;
        return false;
    }
    plugin.patience.hangs += how.code == ERROR_TIMEOUT;
    peer_ended(a, how.code == ERROR_TIMEOUT ? PEER_HUNG : PEER_FAULTED, how.code == ERROR_TIMEOUT ? "" : how.text);
    return true;
}
