#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700 /* sigaltstack */

#include "check/guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define STACK_SIZE     ((size_t)65536)
#define TIMEOUT_SIGNAL (SIGRTMIN + 3)
#define TIMEOUT_MAX_MS 86400000ul

/* One thread that has called through the guard. */
struct slot {
    sigjmp_buf back;
    int how;                  /* why it was jumped to */
    _Atomic uint64_t serial;  /* odd: inside call number serial / 2 */
    _Atomic uint64_t expired; /* the serial of the call that has had its time */
    const void *argument;
    void (*ending)(const void *argument, char *text, size_t size);
    pthread_t thread;
    pid_t process; /* a child that the code forks is not the call */
    bool registered;
    void *stack; /* where handlers run: the thread's own stack may be what ran out */
    struct slot *next;
    uint64_t seen, since_ms; /* the watchdog's: the call it saw last, and when it saw it first */
};

static const struct {
    int number;
    const char *name;
} faults[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"},
};
#define FAULTS (sizeof faults / sizeof faults[0])

static _Thread_local struct slot self;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* never held inside a guarded call */
static struct slot *slots;
static struct sigaction before[FAULTS];
static unsigned starts;
static _Atomic unsigned timeout_ms = GUARD_TIMEOUT_MS;
static _Atomic bool watched;
static _Atomic bool exits_by_signal;
static pthread_key_t end_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_inside(void)
{
    return (atomic_load(&self.serial) & 1u) != 0;
}

/* Not the plugin's ending: what was there before us decides. */
static void pass_on(size_t fault, siginfo_t *info, void *context)
{
    const struct sigaction *const old = &before[fault];
    const int number = faults[fault].number;
    if ((old->sa_flags & SA_SIGINFO) != 0) {
        old->sa_sigaction(number, info, context);
    } else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(number);
    } else {
        signal(number, SIG_DFL);
        raise(number); /* delivered on return, where the handler no longer blocks it */
    }
}

static void jump_back(int how)
{
    self.how = how;
    siglongjmp(self.back, 1);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    if (is_inside())
        jump_back(number);
    for (size_t i = 0; i < FAULTS; i++)
        if (faults[i].number == number)
            pass_on(i, info, context);
}

static void on_timeout(int number)
{
    (void)number;
    if (is_inside() && atomic_load(&self.expired) == atomic_load(&self.serial))
        jump_back(GUARD_TIMED_OUT);
}

static void on_exit_inside(void)
{
    char text[400] = "";
    if (!is_inside())
        return;
    self.ending(self.argument, text, sizeof text);
    fflush(stdout);
    fprintf(stderr, "warpcheck: %s\n", text);
    if (atomic_load(&exits_by_signal)) {
        atomic_fetch_add(&self.serial, 1); /* no longer inside: the signal is not the plugin's */
        signal(SIGABRT, SIG_DFL);
        raise(SIGABRT);
    }
    _exit(1);
}

void guard_exits_by_signal(void)
{
    atomic_store(&exits_by_signal, true);
}

void guard_exiting(void)
{
    if (is_inside() && getpid() == self.process)
        jump_back(GUARD_EXITED);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

/* Looks from outside, so that a call itself need not read a clock. */
static void watch_slot(struct slot *slot, uint64_t limit)
{
    const uint64_t serial = atomic_load(&slot->serial);
    const uint64_t now = now_ms();
    if (serial != slot->seen) {
        slot->seen = serial;
        slot->since_ms = now;
    } else if ((serial & 1u) != 0 && limit != 0 && now - slot->since_ms >= limit) {
        atomic_store(&slot->expired, serial);
        pthread_kill(slot->thread, TIMEOUT_SIGNAL);
    }
}

static void *watch(void *unused)
{
    for (;;) {
        const unsigned limit = atomic_load(&timeout_ms);
        const unsigned tick = limit == 0 || limit > 2000 ? 250 : limit / 8 + 1;
        const struct timespec pause = {.tv_sec = 0, .tv_nsec = (long)tick * 1000000L};
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&lock);
        for (struct slot *slot = slots; slot != NULL; slot = slot->next)
            watch_slot(slot, limit);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

/* Without it a call merely has no limit: that is said once, and nothing else is lost. */
static void start_watchdog(void)
{
    pthread_t thread;
    sigset_t all, old;
    int failed;
    if (atomic_exchange(&watched, true))
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    failed = pthread_create(&thread, NULL, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failed != 0)
        fprintf(stderr, "warpcheck: no thread for a watchdog (%s): calls of plugins have no time limit\n",
                strerror(failed));
    else
        pthread_detach(thread);
}

static void give_stack(void)
{
    stack_t stack;
    if (sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0)
        return; /* somebody, a sanitizer for one, has given it one */
    self.stack = malloc(STACK_SIZE);
    stack = (stack_t){.ss_sp = self.stack, .ss_size = STACK_SIZE};
    if (self.stack != NULL)
        sigaltstack(&stack, NULL);
}

static void enter_thread(void)
{
    self.thread = pthread_self();
    self.process = getpid();
    if (self.stack == NULL)
        give_stack();
    pthread_mutex_lock(&lock);
    self.next = slots;
    slots = &self;
    self.registered = true;
    pthread_mutex_unlock(&lock);
    pthread_setspecific(end_of_thread, &self);
    start_watchdog();
}

static void leave_thread(void *mine)
{
    struct slot *const slot = mine;
    const stack_t none = {.ss_flags = SS_DISABLE};
    struct slot **link = &slots;
    pthread_mutex_lock(&lock);
    while (*link != NULL && *link != slot)
        link = &(*link)->next;
    if (*link != NULL)
        *link = slot->next;
    slot->registered = false;
    pthread_mutex_unlock(&lock);
    if (slot->stack != NULL)
        sigaltstack(&none, NULL);
    free(slot->stack);
    slot->stack = NULL;
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

/* Only the thread that forked lives on in the child, without the watchdog. */
static void in_child(void)
{
    slots = NULL;
    self.registered = false;
    atomic_store(&watched, false);
    pthread_mutex_unlock(&lock);
}

static void prepare(void)
{
    pthread_key_create(&end_of_thread, leave_thread);
    pthread_atfork(before_fork, after_fork, in_child);
    atexit(on_exit_inside);
}

static bool read_limit(char *error, size_t error_size)
{
    const char *const text = getenv(GUARD_TIMEOUT_VARIABLE);
    unsigned long value = GUARD_TIMEOUT_MS;
    if (text != NULL) {
        const bool digits = text[0] != '\0' && strlen(text) < 10 && text[strspn(text, "0123456789")] == '\0';
        value = digits ? strtoul(text, NULL, 10) : TIMEOUT_MAX_MS + 1;
        if (value > TIMEOUT_MAX_MS) {
            snprintf(error, error_size,
                     "the environment variable %s is `%.40s`: give milliseconds, 1 to %lu, or 0 for no limit",
                     GUARD_TIMEOUT_VARIABLE, text, TIMEOUT_MAX_MS);
            return false;
        }
    }
    atomic_store(&timeout_ms, (unsigned)value);
    return true;
}

/* Each time: others, such as a test runner, may have put their own in their place since. */
static void install(void)
{
    struct sigaction now;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = on_fault;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FAULTS; i++) {
        sigaction(faults[i].number, NULL, &now);
        if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fault)
            continue;
        before[i] = now;
        sigaction(faults[i].number, &action, NULL);
    }
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    action.sa_handler = on_timeout;
    sigaction(TIMEOUT_SIGNAL, &action, NULL);
}

bool guard_start(char *error, size_t error_size)
{
    pthread_once(&once, prepare);
    if (!read_limit(error, error_size))
        return false;
    pthread_mutex_lock(&lock);
    install();
    starts++;
    pthread_mutex_unlock(&lock);
    return true;
}

/* The timeout's handler stays: a signal of the watchdog may still be on its way, and would end the process. */
void guard_stop(void)
{
    struct sigaction now;
    pthread_mutex_lock(&lock);
    starts--;
    for (size_t i = 0; i < FAULTS && starts == 0; i++) {
        sigaction(faults[i].number, NULL, &now);
        if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fault)
            sigaction(faults[i].number, &before[i], NULL);
    }
    pthread_mutex_unlock(&lock);
}

/* The handler's own signal is blocked while it runs, and a jump out of it leaves it so. */
static void unblock(void)
{
    sigset_t ours;
    sigemptyset(&ours);
    for (size_t i = 0; i < FAULTS; i++)
        sigaddset(&ours, faults[i].number);
    sigaddset(&ours, TIMEOUT_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
}

int guard_call(void (*call)(void *argument), void *argument,
               void (*ending)(const void *argument, char *text, size_t size))
{
    if (is_inside()) { /* one plugin through another: the outer guard holds */
        call(argument);
        return GUARD_RETURNED;
    }
    if (!self.registered)
        enter_thread();
    self.argument = argument;
    self.ending = ending;
    /* Without the mask: saving it is a system call, and accepts is asked for every case. */
    if (sigsetjmp(self.back, 0) == 0) {
        atomic_fetch_add(&self.serial, 1);
        call(argument);
        atomic_fetch_add(&self.serial, 1);
        return GUARD_RETURNED;
    }
    atomic_fetch_add(&self.serial, 1);
    unblock();
    return self.how;
}

unsigned guard_timeout_ms(void)
{
    return atomic_load(&timeout_ms);
}

const char *guard_signal_name(int number)
{
    for (size_t i = 0; i < FAULTS; i++)
        if (faults[i].number == number)
            return faults[i].name;
    return "a signal";
}
