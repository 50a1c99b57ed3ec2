/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The progress thread: a thread that lets a network work when nobody else of the process does.
 *
 * While all compute it looks ten times a second, so that a rank that computes still answers. While
 * somebody sleeps on the rank's bell and the network has descriptors that tell when something
 * comes, it sleeps on these, and what comes then rings the bell (net.h). Nobody who spins pays for
 * it: it touches the descriptors only while somebody sleeps.
 *
 *   sleeper                                progress thread
 *   sleepers++; fence                      watching = 0; fence
 *   condition true? -> leave               sleepers? -> watching = 1
 *   watching? no -> wake the thread        arm: something is there? -> let the network work
 *   futex_wait                             poll; let the network work, which rings
 *
 * Either the sleeper sees that nobody watches, or the progress thread sees it before it polls
 * again. What came before the descriptors were armed, arming finds; what comes later makes them
 * readable.
 */
#ifndef HY_PATH_NET_PROGRESS_H
#define HY_PATH_NET_PROGRESS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/wait.h"

/* Of a network, at most. */
#define HY_NET_DESCRIPTORS 64

/* Between looks when nothing calls. Tests change it before a start; -1: for ever. */
extern int hy_net_progress_ms;

typedef struct hy_net_progress hy_net_progress;

/* What a progress thread is to do, for the network `net`; only the progress thread's thread calls
 * these. */
typedef struct hy_net_duties {
    void *net;
    hy_bell *bell; /* of the rank */
    /* Lets the network work if it has not since its counter of turns was `seen`; the counter now.
     */
    uint64_t (*look)(void *net, uint64_t seen);
    /* After each look(), for who opened the network; NULL: nothing. */
    void (*idle)(void *context);
    void *context;
    /* While somebody sleeps: lets all of it work until nothing comes any more, or for a good while.
     * How many events. Only with arm(). */
    int (*work)(void *net);
    /* Makes sure that all that comes, or ends, from now on makes one of these readable: fills
     * HY_NET_DESCRIPTORS or fewer (fd, events), and returns how many. -1: something is there
     * already, or waits to be tried again, so now is no time to sleep. NULL: it has no descriptors.
     */
    int (*arm)(void *net, struct pollfd *descriptors);
} hy_net_duties;

/* NO_MEMORY, SYSTEM. */
int hy_net_progress_start(hy_net_progress **progress, const hy_net_duties *duties);

/* Before a sleep on the bell, see hy_net_ops. progress NULL: false. */
bool hy_net_progress_watches(hy_net_progress *progress);

/* There are other descriptors than before. NULL: there is no progress thread yet. */
void hy_net_progress_wake(hy_net_progress *progress);

/* NULL: there is none. */
void hy_net_progress_stop(hy_net_progress *progress);

#endif
