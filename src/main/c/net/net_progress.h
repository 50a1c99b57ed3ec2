/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The progress thread: it lets a network work while no other thread of the process does.
 *
 * While all threads compute, it works ten times a second, so that a computing rank still answers.
 * While somebody sleeps on the rank's bell and the network has descriptors that report arrivals, it
 * sleeps on these, and whatever arrives then rings the bell (net.h). Threads that spin pay nothing:
 * the progress thread touches the descriptors only while somebody sleeps.
 *
 *   sleeper                                progress thread
 *   sleepers++; fence                      watching = 0; fence
 *   condition true? -> leave               sleepers? -> watching = 1
 *   watching? no -> wake the thread        arm: something is there? -> let the network work
 *   futex_wait                             poll; let the network work, which rings
 *
 * Either the sleeper sees that the thread is not watching, or the progress thread sees the sleeper
 * before it polls again. What arrived before the descriptors were armed is found when they are
 * armed; what arrives later makes them readable.
 */
#ifndef HY_NET_NET_PROGRESS_H
#define HY_NET_NET_PROGRESS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/wait.h"

/* Maximal number of descriptors of a network. */
#define HY_NET_DESCRIPTORS 64

/* Interval between looks without events. Tests change it before a start; -1: no limit. */
extern int hy_net_progress_ms;

typedef struct hy_net_progress hy_net_progress;

/* The duties of a progress thread for the network `net`; only the progress thread calls these
 * functions. */
typedef struct hy_net_duties {
    void *net;
    hy_bell *bell; /* of the rank */
    /* Lets the network work, unless it has done so since its counter of turns was `seen`. Returns
     * the counter. */
    uint64_t (*look)(void *net, uint64_t seen);
    /* Called after each look(), for the opener of the network; NULL: nothing. */
    void (*idle)(void *context);
    void *context;
    /* Called while somebody sleeps: lets all endpoints work until nothing arrives any more, or for
     * a limited time. Returns the number of events. Only with arm(). */
    int (*work)(void *net);
    /* Makes sure that everything that arrives or completes from now on makes a descriptor readable:
     * fills in at most HY_NET_DESCRIPTORS descriptors (fd, events) and returns their number. -1:
     * something has already arrived, or must be tried again, so do not sleep now. NULL: there are
     * no descriptors. */
    int (*arm)(void *net, struct pollfd *descriptors);
} hy_net_duties;

/* NO_MEMORY, SYSTEM. */
int hy_net_progress_start(hy_net_progress **progress, const hy_net_duties *duties);

/* Called before a sleep on the bell: see hy_net_ops. If progress is NULL, returns false. */
bool hy_net_progress_watches(hy_net_progress *progress);

/* Tells the thread that the descriptors have changed. NULL: there is no progress thread yet. */
void hy_net_progress_wake(hy_net_progress *progress);

/* NULL: there is none. */
void hy_net_progress_stop(hy_net_progress *progress);

#endif
