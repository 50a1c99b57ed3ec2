/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The poll set of the launcher. It is built anew for every turn of the loop: it is small, and so no
 * entry can be out of date.
 */
#include <stdio.h>
#include <stdlib.h>

#include "launch/launch.h"

void *hy_launch_grow(void *memory, size_t bytes)
{
    void *grown = realloc(memory, bytes);
    if (grown) return grown;
    fputs("hayate: the launcher is out of memory\n", stderr);
    exit(1); /* the guard then ends the ranks */
}

void hy_launch_watch(hy_launch *job, int fd, short events, hy_launch_handler *handler, int index)
{
    if (fd < 0) return;
    if (job->watched == job->watch_room) {
        job->watch_room = job->watch_room ? 2 * job->watch_room : 64;
        size_t room = (size_t)job->watch_room;
        job->polls = hy_launch_grow(job->polls, room * sizeof *job->polls);
        job->sources = hy_launch_grow(job->sources, room * sizeof *job->sources);
    }
    job->polls[job->watched] = (struct pollfd){.fd = fd, .events = events};
    job->sources[job->watched++] = (hy_launch_source){handler, index};
}

void hy_launch_poll(hy_launch *job, int timeout_ms)
{
    int ready = poll(job->polls, (nfds_t)job->watched, timeout_ms);
    for (int i = 0; i < job->watched && ready > 0; i++) {
        if (!job->polls[i].revents) continue;
        ready--;
        job->sources[i].handler(job, job->sources[i].index);
    }
    job->watched = 0;
}
