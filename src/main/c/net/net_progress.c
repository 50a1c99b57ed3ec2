/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread alternates between a look every hy_net_progress_ms and, while somebody sleeps on the
 * bell, a poll of the network's descriptors.
 */
#include "net/net_progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/status.h"

int hy_net_progress_ms = 100;

/* Interval between looks while a sleeper cannot be woken by descriptors. */
#define SHORT_MS 1
/* Number of consecutive events without work until descriptors are ignored for a while. Long
 * transfers arrive without events, but then many pieces arrive per look. */
#define IDLE_WAKES 1000

struct hy_net_progress {
    pthread_t thread;
    int waker; /* an eventfd */
    _Atomic bool leaving, watching;
    hy_net_duties duties;
    int idle_wakes;
};

/* True: a descriptor of the network is readable. The first descriptor is the waker. */
static bool await(hy_net_progress *progress, struct pollfd *descriptors, int count, int ms)
{
    uint64_t wakes;
    descriptors[0] = (struct pollfd){.fd = progress->waker, .events = POLLIN};
    int readable = poll(descriptors, (nfds_t)count, ms);
    if (readable <= 0 || !descriptors[0].revents) return readable > 0;
    return read(progress->waker, &wakes, sizeof wakes) > 0 && readable > 1;
}

static bool has_sleepers(const hy_net_progress *progress)
{
    return hy_load_relaxed(&progress->duties.bell->sleepers) != 0;
}

/* The fence pairs with that of a sleeper: see the head of net_progress.h. */
static bool is_wanted(hy_net_progress *progress)
{
    if (!progress->duties.arm) return false;
    if (!has_sleepers(progress)) {
        hy_store_relaxed(&progress->watching, false);
        atomic_thread_fence(memory_order_seq_cst);
        if (!has_sleepers(progress)) return false;
    }
    hy_store_relaxed(&progress->watching, true);
    return true;
}

/* One turn while somebody sleeps. */
static void watch(hy_net_progress *progress)
{
    struct pollfd descriptors[1 + HY_NET_DESCRIPTORS];
    const hy_net_duties *duties = &progress->duties;
    int armed = progress->idle_wakes < IDLE_WAKES ? duties->arm(duties->net, descriptors + 1) : -1;
    bool called = armed >= 0 && await(progress, descriptors, 1 + armed, hy_net_progress_ms);
    bool came = duties->work(duties->net) > 0;
    if (came) progress->idle_wakes = 0;
    else if (called) progress->idle_wakes++;
    if (armed < 0 && !came) await(progress, descriptors, 1, SHORT_MS);
}

static void *keep(void *argument)
{
    hy_net_progress *progress = argument;
    struct pollfd waker;
    uint64_t seen = 0;
    while (!hy_load_acquire(&progress->leaving)) {
        if (is_wanted(progress)) {
            watch(progress);
            continue;
        }
        progress->idle_wakes = 0;
        await(progress, &waker, 1, hy_net_progress_ms);
        seen = progress->duties.look(progress->duties.net, seen);
        if (progress->duties.idle) progress->duties.idle(progress->duties.context);
    }
    return NULL;
}

static int prepare_thread(hy_net_progress **result, const hy_net_duties *duties)
{
    hy_net_progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the network's progress thread");
    progress->duties = *duties;
    progress->waker = eventfd(0, EFD_CLOEXEC);
    *result = progress;
    if (progress->waker >= 0) return HAYATE_OK;
    free(progress);
    return hy_fail_errno("eventfd");
}

static void release(hy_net_progress *progress)
{
    close(progress->waker);
    free(progress);
}

/* The thread blocks all signals, which are meant for the program. */
int hy_net_progress_start(hy_net_progress **result, const hy_net_duties *duties)
{
    sigset_t all, before;
    hy_net_progress *progress = NULL;
    int rc = prepare_thread(&progress, duties);
    if (rc) return rc;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&progress->thread, NULL, keep, progress);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error) {
        *result = progress;
        return HAYATE_OK;
    }
    release(progress);
    return hy_fail(HAYATE_ERR_SYSTEM,
                   "cannot start the network's progress thread: %s (check ulimit -u)",
                   strerror(error));
}

void hy_net_progress_wake(hy_net_progress *progress)
{
    static const uint64_t once = 1;
    if (progress && write(progress->waker, &once, sizeof once) < 0)
        return; /* fails only at a count of 2^64 */
}

bool hy_net_progress_watches(hy_net_progress *progress)
{
    if (!progress || !progress->duties.arm) return false;
    if (!hy_load_relaxed(&progress->watching)) hy_net_progress_wake(progress);
    return true;
}

void hy_net_progress_stop(hy_net_progress *progress)
{
    if (!progress) return;
    hy_store_release(&progress->leaving, true);
    hy_net_progress_wake(progress);
    pthread_join(progress->thread, NULL);
    release(progress);
}
