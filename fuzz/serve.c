/*
 * The target as a seeker: mutations of what it gets, so that it knows what is rare there, and then a search.
 */
#define _GNU_SOURCE /* dup3 */
#include "base/file.h"
#include "fuzz/mutator.h"
#include "fuzz/seeker.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHANGES 4u /* before a search: what the engine does between two of its own (fuzz/mutator.c) is much more */

static bool transfer(int link, struct seeker_message *m, bool out)
{
    for (size_t done = 0; done < sizeof *m;) {
        const ssize_t n = out ? send(link, (const char *)m + done, sizeof *m - done, MSG_NOSIGNAL)
                              : recv(link, (char *)m + done, sizeof *m - done, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

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
    dup2(null, STDIN_FILENO); /* the code under test may read */
    if (h->watched && transfer(link, &m, true))
        while (transfer(link, &m, false) && m.size <= sizeof m.data) {
            search(h, &m);
            m.seed = 0;
            if (!transfer(link, &m, true))
                break;
        }
    _exit(0);
}
