#define _POSIX_C_SOURCE 200809L /* ssize_t, poll */
#include "fuzz/kernels/peer.h"

#include "base/clock.h"
#include "base/coprocess.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define END_S       2.0   /* that a process may need to end when its input does */
#define WHY_LONGEST 4096u /* of an answer that is no memory */

static struct {
    struct coprocess co;
    struct buffer read;       /* of the answer that is under way */
    struct patience patience; /* of all that were started */
} process;

static void stop(void)
{
    if (process.co.pid == 0)
        return;
    coprocess_close(&process.co.to);
    coprocess_close(&process.co.from);
    process_kill(process.co.pid);
    process.co.pid = 0;
    buffer_free(&process.read);
}

void peer_process_end(void)
{
    if (process.co.pid == 0)
        return;
    coprocess_close(&process.co.to);
    (void)process_wait(process.co.pid, clock_seconds() + END_S);
    stop();
}

/* ---- texts ---- */

static void write_request(const struct peer_ask *a, struct buffer *b)
{
    const uint32_t bytes = make_memory_size(a->kernel);
    unsigned lines = 0;
    for (const char *c = a->module; *c; c++)
        lines += *c == '\n';
    buffer_format(b, "kernel %s block %" PRIu32 " grid %" PRIu32 " n %" PRIu32 " lines %u bytes %" PRIu32 "\n",
                  a->entry, a->kernel->block, a->kernel->grid, a->kernel->n, lines, bytes);
    buffer_text(b, a->module);
    buffer_text(b, "memory ");
    buffer_hex(b, a->before, bytes);
    buffer_text(b, "\n");
}

/* The line that it answered, without its newline. What cannot be read is a fault of the process. */
static void read_answer(struct peer_ask *a, const char *line)
{
    char words[sizeof a->why];
    if (strncmp(line, "memory ", 7) == 0 && text_hex(line + 7, a->after, make_memory_size(a->kernel))) {
        a->ending = PEER_RETURNED;
    } else if (strncmp(line, "declined", 8) == 0 && (line[8] == ' ' || line[8] == '\0')) {
        peer_ended(a, PEER_DECLINED, line + 8 + (line[8] == ' '));
    } else if (strncmp(line, "failed", 6) == 0 && (line[6] == ' ' || line[6] == '\0')) {
        peer_ended(a, PEER_FAULTED, line + 6 + (line[6] == ' '));
    } else {
        snprintf(words, sizeof words, "an answer is `memory` and %" PRIu32 " bytes, `declined` or `failed`: `%.40s`",
                 make_memory_size(a->kernel), line);
        peer_ended(a, PEER_FAULTED, words);
        stop(); /* the two may have lost step */
    }
}

/* ---- an exchange ---- */

enum step { STEP_GOES_ON, STEP_ANSWERED, STEP_ENDED };

/* Reads what has come; a whole line ends with a zero byte then. */
static enum step read_some(size_t longest)
{
    char some[65536];
    for (;;) {
        const ssize_t n = read(process.co.from, some, sizeof some);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR ? STEP_GOES_ON : STEP_ENDED;
        if (n == 0)
            return STEP_ENDED;
        buffer_add(&process.read, some, (size_t)n);
        char *const end = process.read.data ? memchr(process.read.data, '\n', process.read.size) : NULL;
        if (end) {
            *end = '\0';
            return STEP_ANSWERED;
        }
        if (process.read.failed || process.read.size > longest)
            return STEP_ENDED;
    }
}

/* Writes the request, and reads until there is a line. */
static enum step exchange(const struct buffer *request, double deadline, size_t longest)
{
    size_t sent = 0;
    for (;;) {
        struct pollfd polls[] = {{process.co.from, POLLIN, 0}, {sent < request->size ? process.co.to : -1, POLLOUT, 0}};
        const double left = deadline - clock_seconds();
        if (left <= 0)
            return STEP_GOES_ON;
        if (poll(polls, 2, left < 1 ? (int)(left * 1000) + 1 : 1000) <= 0)
            continue;
        if (polls[1].revents & POLLOUT) {
            const ssize_t n = write(process.co.to, request->data + sent, request->size - sent);
            sent += n > 0 ? (size_t)n : 0;
            if (n < 0 && errno != EAGAIN && errno != EINTR)
                sent = request->size; /* it does not read any more: it may have answered */
        } else if (polls[1].revents != 0) {
            sent = request->size;
        }
        if (polls[0].revents != 0) {
            const enum step step = read_some(longest);
            if (step != STEP_GOES_ON)
                return step;
        }
    }
}

bool peer_process_ask(const struct peer *peer, struct peer_ask *a, struct error *error)
{
    bool is_there = true;
    struct buffer request = {0};
    struct error why = {0};
    signal(SIGPIPE, SIG_IGN); /* a process that has ended is told by its output */
    if (process.co.pid == 0 && !coprocess_start(&process.co, peer->program, PROCESS_SAME, error))
        return false;
    write_request(a, &request);
    buffer_free(&process.read);
    a->why[0] = '\0';
    const double asked = clock_seconds(), limit = patience_seconds(&process.patience, peer);
    switch (exchange(&request, asked + limit, 2 * (size_t)make_memory_size(a->kernel) + WHY_LONGEST)) {
    case STEP_ANSWERED:
        patience_learn(&process.patience, clock_seconds() - asked);
        read_answer(a, process.read.data);
        break;
    case STEP_GOES_ON:
        peer_ended(a, PEER_HUNG, "");
        process.patience.hangs++;
        stop();
        break;
    case STEP_ENDED: {
        const struct process_end end = process_wait(process.co.pid, clock_seconds() + 1);
        process_explain(end, &why);
        peer_ended(a, PEER_FAULTED,
                   end.ending == PROCESS_RUNS ? "it closed its output, or its answer has no end" : why.text);
        if (end.ending != PROCESS_RUNS)
            process_signal(process.co.pid, SIGKILL);
        stop();
        is_there = process.patience.has_answered || !coprocess_is_not_found(end);
        break;
    }
    }
    const bool ok = (!request.failed || error_set(error, ERROR_SYSTEM, "out of memory")) &&
                    (is_there || error_set(error, ERROR_UNAVAILABLE, "the shell cannot start `%.100s`: %s",
                                           peer->program, why.text));
    buffer_free(&request);
    return ok;
}
