/* SPDX-License-Identifier: Apache-2.0 */
/* How the ranks of a node meet without `hayate run`: the first one is the host, which makes the
 * segment and passes its descriptor to the other ranks, its guests. When all have it, the socket
 * is closed: then nothing is left to connect to, and a killed rank leaves nothing behind. */
#ifndef HY_BOOT_NODE_H
#define HY_BOOT_NODE_H

#include "boot/control.h"
#include "boot/node_address.h"
#include "boot/node_watch.h"

/* The longest time that the ranks of a node need to meet once all of them are on their way. */
#define HY_NODE_MEET_MS 60000

typedef struct hy_node_host {
    hy_node_address address;
    int listener;
    int rank, size; /* of the host, in the job; the control area lists the ranks of this node */
    int segment_fd;
    uint64_t segment_bytes;
    hy_control *control;  /* hy_node_serve() fills in the ranks' pids */
    hy_node_watch *watch; /* of the other ranks, if their pids are known before; else NULL */
} hy_node_host;

/* Makes the address and listens there. The caller closes the listener. */
int hy_node_listen(hy_node_host *host);

/* Waits until all other ranks have come, then admits them, so that each finds the pids of all
 * ranks in the control area. A process that does not know the token gets no answer and delays
 * nobody. PEER_FAILED: a rank did not come in time, or left. */
int hy_node_serve(hy_node_host *host, int limit_ms);

/* Asks the host for the segment: *fd belongs to the caller. LAUNCH, PEER_FAILED (the host has
 * ended). */
int hy_node_visit(const hy_node_address *address, int host, int rank, int limit_ms, int *fd,
                  uint64_t *bytes);

#endif
