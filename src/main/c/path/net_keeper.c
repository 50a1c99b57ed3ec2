/* SPDX-License-Identifier: Apache-2.0 */
#include "path/net_keeper.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/status.h"

int hy_net_keeper_ms = 100;

/* Between looks while somebody sleeps whom the descriptors do not help. */
#define SHORT_MS 1
/* Looks in a row for which a descriptor called in vain, until it is not believed for a while. Long
 * data come in without an event, but many at a time by then. */
#define VAIN 1000

struct hy_net_keeper {
    pthread_t thread;
    int waker; /* an eventfd */
    _Atomic bool leaving, watching;
    hy_net_duties duties;
    int vain;
};

/* True: one of the network's descriptors is readable. The first is the waker. */
static bool await(hy_net_keeper *keeper, struct pollfd *descriptors, int count, int ms)
{
    uint64_t wakes;
    descriptors[0] = (struct pollfd){.fd = keeper->waker, .events = POLLIN};
    int readable = poll(descriptors, (nfds_t)count, ms);
    if (readable <= 0 || !descriptors[0].revents) return readable > 0;
    return read(keeper->waker, &wakes, sizeof wakes) > 0 && readable > 1;
}

static bool has_sleepers(const hy_net_keeper *keeper)
{
    return hy_load_relaxed(&keeper->duties.bell->sleepers) != 0;
}

/* The fence stands against that of a sleeper, see the head of net_keeper.h. */
static bool is_wanted(hy_net_keeper *keeper)
{
    if (!keeper->duties.arm) return false;
    if (!has_sleepers(keeper)) {
        hy_store_relaxed(&keeper->watching, false);
        atomic_thread_fence(memory_order_seq_cst);
        if (!has_sleepers(keeper)) return false;
    }
    hy_store_relaxed(&keeper->watching, true);
    return true;
}

/* A turn while somebody sleeps. */
static void watch(hy_net_keeper *keeper)
{
    struct pollfd descriptors[1 + HY_NET_DESCRIPTORS];
    const hy_net_duties *duties = &keeper->duties;
    int armed = keeper->vain < VAIN ? duties->arm(duties->net, descriptors + 1) : -1;
    bool called = armed >= 0 && await(keeper, descriptors, 1 + armed, hy_net_keeper_ms);
    bool came = duties->work(duties->net) > 0;
    if (came) keeper->vain = 0;
    else if (called) keeper->vain++;
    if (armed < 0 && !came) await(keeper, descriptors, 1, SHORT_MS);
}

static void *keep(void *argument)
{
    hy_net_keeper *keeper = argument;
    struct pollfd waker;
    uint64_t seen = 0;
    while (!hy_load_acquire(&keeper->leaving)) {
        if (is_wanted(keeper)) {
            watch(keeper);
            continue;
        }
        keeper->vain = 0;
        await(keeper, &waker, 1, hy_net_keeper_ms);
        seen = keeper->duties.look(keeper->duties.net, seen);
        if (keeper->duties.idle) keeper->duties.idle(keeper->duties.context);
    }
    return NULL;
}

static int prepare(hy_net_keeper **result, const hy_net_duties *duties)
{
    hy_net_keeper *keeper = calloc(1, sizeof *keeper);
    if (!keeper) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the network's keeper");
    keeper->duties = *duties;
    keeper->waker = eventfd(0, EFD_CLOEXEC);
    *result = keeper;
    if (keeper->waker >= 0) return HAYATE_OK;
    free(keeper);
    return hy_fail_errno("eventfd");
}

static void release(hy_net_keeper *keeper)
{
    close(keeper->waker);
    free(keeper);
}

/* It takes no signal that is meant for the program. */
int hy_net_keeper_start(hy_net_keeper **result, const hy_net_duties *duties)
{
    sigset_t all, before;
    hy_net_keeper *keeper = NULL;
    int rc = prepare(&keeper, duties);
    if (rc) return rc;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&keeper->thread, NULL, keep, keeper);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error) {
        *result = keeper;
        return HAYATE_OK;
    }
    release(keeper);
    return hy_fail(HAYATE_ERR_SYSTEM, "no thread for the network's keeper: %s (see ulimit -u)",
                   strerror(error));
}

void hy_net_keeper_wake(hy_net_keeper *keeper)
{
    static const uint64_t once = 1;
    if (keeper && write(keeper->waker, &once, sizeof once) < 0) return; /* it counts to 2^64 */
}

bool hy_net_keeper_watches(hy_net_keeper *keeper)
{
    if (!keeper || !keeper->duties.arm) return false;
    if (!hy_load_relaxed(&keeper->watching)) hy_net_keeper_wake(keeper);
    return true;
}

void hy_net_keeper_stop(hy_net_keeper *keeper)
{
    if (!keeper) return;
    hy_store_release(&keeper->leaving, true);
    hy_net_keeper_wake(keeper);
    pthread_join(keeper->thread, NULL);
    release(keeper);
}
