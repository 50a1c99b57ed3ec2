/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between the members of a grid: in order, from one member to another, and locally
 * blocking: a send waits for its receive for no longer than a copy of its data takes. */
#ifndef HY_BLACS_LANES_H
#define HY_BLACS_LANES_H

#include "coll/comm.h"
#include "msg/msg.h"

typedef struct hy_lanes {
    hy_msg msg; /* over the group of a communicator that nothing else uses */
    hy_comms *comms;
    int comm;
    struct hy_lanes *next; /* among those that have ended */
} hy_lanes;

/* Collective over the members of the communicator `of`. */
int hy_lanes_open(hy_comms *comms, int of, hy_lanes **lanes);

/* Local: no call of this process uses them any more. What this process has sent arrives all the
 * same: they stay until hy_lanes_end(). */
void hy_lanes_close(hy_lanes *lanes);

/* Waits until everything is sent, and frees the lanes that were closed. PEER_FAILED: messages to a
 * process that has died or left are lost. */
int hy_lanes_end(void);

/* member: of the communicator. Returns when the buffer may be changed. */
static inline int hy_lanes_send(hy_lanes *lanes, int member, hy_buffer buffer, uint64_t bytes)
{
    return hy_msg_send(&lanes->msg, buffer, (int64_t)bytes, member, 0, NULL);
}

/* TRUNCATE: the message is longer; it stays. */
static inline int hy_lanes_receive(hy_lanes *lanes, int member, hy_buffer buffer, uint64_t bytes,
                                   uint64_t *received)
{
    return hy_msg_recv(&lanes->msg, buffer, (int64_t)bytes, member, 0, received, NULL);
}

#endif
