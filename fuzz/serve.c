/*
 * The target as a seeker: mutations of what it gets, so that it knows what is rare there, and then a search.
 */
#define _POSIX_C_SOURCE 200809L /* F_DUPFD_CLOEXEC */
#include "base/process.h"
#include "fuzz/mutator.h"
#include "fuzz/seeker.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHANGES 4u /* before a search: what the engine does between two of its own (fuzz/mutator.c) is much more */

/* True: it shows something. */
static bool check(struct harness *h, const struct seeker_message *m)
{
    const uint64_t before = h->status->mismatches;
    harness_check_input(h, m->data, m->size, mutator_last_case);
    return h->status->mismatches != before;
}

static void search(struct harness *h, struct seeker_message *m)
{
    bool found = check(h, m);
    for (unsigned i = 0; !found && i < CHANGES; i++) {
        m->size = (uint32_t)mutator_mutate(m->data, m->size, sizeof m->data, m->seed + i);
        found = check(h, m);
    }
    if (!found)
        m->size = (uint32_t)mutator_seek(m->data, m->size, sizeof m->data, m->seed);
}

_Noreturn void seeker_serve(struct harness *h)
{
    static struct seeker_message m;
    const int link = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    const int null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO); /* the code under test may read, and print */
    dup2(null, STDOUT_FILENO);
    if (h->watched && process_send(link, &m, sizeof m))
        while (recv(link, &m, sizeof m, MSG_WAITALL) == (ssize_t)sizeof m && m.size <= sizeof m.data) {
            search(h, &m);
            m.seed = 0;
            if (!process_send(link, &m, sizeof m))
                break;
        }
    _exit(0);
}
