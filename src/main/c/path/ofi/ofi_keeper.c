/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper: lets the network work when nobody else of the process has for a while, so that a rank
 * that computes still answers. It has no work in a process that waits or communicates. */
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

#define PERIOD_NS 100000000

typedef struct ofi_keeper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t leave;
    bool leaving;
} ofi_keeper;

/* A burst that waited for it is taken whole. */
static uint64_t look(ofi_net *net, uint64_t seen)
{
    pthread_mutex_lock(&net->lock);
    for (int i = 0; seen == net->turns || i > 0; i++)
        if (ofi_drain(net) == 0 || i == 1000) break;
    seen = net->turns;
    pthread_mutex_unlock(&net->lock);
    return seen;
}

static void *keep(void *argument)
{
    ofi_net *net = argument;
    ofi_keeper *keeper = net->keeper;
    uint64_t seen = 0;
    pthread_mutex_lock(&keeper->lock);
    while (!keeper->leaving) {
        uint64_t until = hy_now_ns() + PERIOD_NS;
        struct timespec at = {.tv_sec = (time_t)(until / 1000000000),
                              .tv_nsec = (long)(until % 1000000000)};
        pthread_cond_timedwait(&keeper->leave, &keeper->lock, &at);
        pthread_mutex_unlock(&keeper->lock);
        seen = look(net, seen);
        pthread_mutex_lock(&keeper->lock);
    }
    pthread_mutex_unlock(&keeper->lock);
    return NULL;
}

static void prepare(ofi_keeper *keeper)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&keeper->leave, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&keeper->lock, NULL);
}

static void release(ofi_net *net)
{
    pthread_cond_destroy(&net->keeper->leave);
    pthread_mutex_destroy(&net->keeper->lock);
    free(net->keeper);
    net->keeper = NULL;
}

/* It takes no signal that is meant for the program. */
int ofi_keeper_start(ofi_net *net)
{
    sigset_t all, before;
    net->keeper = calloc(1, sizeof *net->keeper);
    if (!net->keeper) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the network's keeper");
    prepare(net->keeper);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&net->keeper->thread, NULL, keep, net);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error) return HAYATE_OK;
    release(net);
    return hy_fail(HAYATE_ERR_SYSTEM, "no thread for the network's keeper: %s", strerror(error));
}

void ofi_keeper_stop(ofi_net *net)
{
    ofi_keeper *keeper = net->keeper;
    if (!keeper) return;
    pthread_mutex_lock(&keeper->lock);
    keeper->leaving = true;
    pthread_cond_signal(&keeper->leave);
    pthread_mutex_unlock(&keeper->lock);
    pthread_join(keeper->thread, NULL);
    release(net);
}
