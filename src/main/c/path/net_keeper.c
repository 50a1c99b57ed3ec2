/* SPDX-License-Identifier: Apache-2.0 */
#include "path/net_keeper.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"

#define PERIOD_NS 100000000

struct hy_net_keeper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t leave;
    bool leaving;
    hy_net_look look;
    void *net;
};

static void *keep(void *argument)
{
    hy_net_keeper *keeper = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&keeper->lock);
    while (!keeper->leaving) {
        uint64_t until = hy_now_ns() + PERIOD_NS;
        struct timespec at = {.tv_sec = (time_t)(until / 1000000000),
                              .tv_nsec = (long)(until % 1000000000)};
        pthread_cond_timedwait(&keeper->leave, &keeper->lock, &at);
        pthread_mutex_unlock(&keeper->lock);
        seen = keeper->look(keeper->net, seen);
        pthread_mutex_lock(&keeper->lock);
    }
    pthread_mutex_unlock(&keeper->lock);
    return NULL;
}

static void prepare(hy_net_keeper *keeper)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&keeper->leave, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&keeper->lock, NULL);
}

static void release(hy_net_keeper *keeper)
{
    pthread_cond_destroy(&keeper->leave);
    pthread_mutex_destroy(&keeper->lock);
    free(keeper);
}

/* It takes no signal that is meant for the program. */
int hy_net_keeper_start(hy_net_keeper **result, hy_net_look look, void *net)
{
    sigset_t all, before;
    hy_net_keeper *keeper = calloc(1, sizeof *keeper);
    if (!keeper) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the network's keeper");
    keeper->look = look;
    keeper->net = net;
    prepare(keeper);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&keeper->thread, NULL, keep, keeper);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error) {
        *result = keeper;
        return HAYATE_OK;
    }
    release(keeper);
    return hy_fail(HAYATE_ERR_SYSTEM, "no thread for the network's keeper: %s", strerror(error));
}

void hy_net_keeper_stop(hy_net_keeper *keeper)
{
    if (!keeper) return;
    pthread_mutex_lock(&keeper->lock);
    keeper->leaving = true;
    pthread_cond_signal(&keeper->leave);
    pthread_mutex_unlock(&keeper->lock);
    pthread_join(keeper->thread, NULL);
    release(keeper);
}
