#define _POSIX_C_SOURCE 200809L
#include "base/interrupt.h"

#include "base/file.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    if (caught) {
        folders_remove_all();
        signal(number, SIG_DFL);
        raise(number);
    }
    caught = 1;
}

void interrupt_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaction(numbers[i], &action, NULL);
}

bool interrupted(void)
{
    return caught != 0;
}
