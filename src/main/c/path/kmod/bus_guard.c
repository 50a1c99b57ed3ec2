/* SPDX-License-Identifier: Apache-2.0 */
#include "path/kmod/bus_guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>

#include "base/line.h"
#include "base/status.h"

typedef struct guard {
    sigjmp_buf back;
    uintptr_t start;
    size_t len;
} guard;

/* Of the copy that this thread is at. The handler runs on the same thread. */
static _Thread_local guard *volatile current;
static _Thread_local bool open_to_signal;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct sigaction before;
static int failure;

/* Nobody was there before: the default, which ends the process, follows when this returns. */
static void fall_back(const siginfo_t *info)
{
    bool sent = info->si_code <= 0;
    if (before.sa_handler == SIG_IGN && sent) return;
    signal(SIGBUS, SIG_DFL);
    raise(SIGBUS);
}

static void pass_on(int number, siginfo_t *info, void *context)
{
    if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(number, info, context);
    else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) fall_back(info);
    else before.sa_handler(number);
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    guard *mine = current;
    if (!mine || info->si_code <= 0 || (uintptr_t)info->si_addr - mine->start >= mine->len) {
        pass_on(number, info, context);
        return;
    }
    current = NULL;
    pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
    siglongjmp(mine->back, 1);
}

/* The handler before is called with the mask and on the stack that it asked for. */
static void install(void)
{
    if (sigaction(SIGBUS, NULL, &before)) {
        failure = hy_fail_errno("sigaction");
        return;
    }
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_mask = before.sa_mask};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (before.sa_flags & SA_RESTART);
    if (sigaction(SIGBUS, &action, NULL)) failure = hy_fail_errno("sigaction");
}

int hy_guard_install(void)
{
    pthread_once(&once, install);
    return failure;
}

/* The kernel ends a process that has blocked a fault's signal. */
static void open_thread(void)
{
    sigset_t bus;
    sigemptyset(&bus);
    sigaddset(&bus, SIGBUS);
    pthread_sigmask(SIG_UNBLOCK, &bus, NULL);
    open_to_signal = true;
}

bool hy_guard_copy(void *to, const void *from, size_t len, const void *risky)
{
    guard mine = {.start = (uintptr_t)risky, .len = len};
    if (hy_unlikely(!open_to_signal)) open_thread();
    if (sigsetjmp(mine.back, 0)) return false;
    current = &mine;
    atomic_signal_fence(memory_order_seq_cst); /* no byte is touched before or after */
    memcpy(to, from, len);
    atomic_signal_fence(memory_order_seq_cst);
    current = NULL;
    return true;
}
