/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meeting of a node's ranks without `hayate run`: the first one is host, makes the segment and
 * hands its descriptor to the others, its guests. When all have it the socket is closed: afterwards
 * there is nothing left to connect to, and nothing that a killed rank could leave behind.
 */
#ifndef HY_BOOT_NODE_H
#define HY_BOOT_NODE_H

#include "boot/control.h"
#include "boot/node_address.h"

/* Longest time that the ranks of a node, all of them on their way already, need to meet. */
#define HY_NODE_MEET_MS 60000

typedef struct hy_node_host {
    hy_node_address address;
    int listener;
    int rank, size; /* of the host itself, in the job; the control area says who is of this node */
    int segment_fd;
    uint64_t segment_bytes;
    hy_control *control; /* its ranks' pids are filled in */
} hy_node_host;

/* Makes the address and listens there. The caller closes the listener. */
int hy_node_listen(hy_node_host *host);

/* Waits until all other ranks have come, then lets them in, so that each finds the pids of all in
 * the control area. Who does not know the token gets no answer and delays nobody. PEER_FAILED: a
 * rank did not come in time, or left. */
int hy_node_serve(hy_node_host *host, int limit_ms);

/* Asks the host for the segment: *fd is the caller's. LAUNCH, PEER_FAILED (the host is gone). */
int hy_node_visit(const hy_node_address *address, int host, int rank, int limit_ms, int *fd,
                  uint64_t *bytes);

#endif
