/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages between the members of a grid: in order, from one member to another, and locally
 * blocking: a send waits for its receive for no longer than a copy of its data takes.
 *
 * Lanes that were closed with messages in the send buffer stay until these are sent.
 */
#ifndef HY_BLACS_LANES_H
#define HY_BLACS_LANES_H

#include "coll/comm.h"
#include "msg/msg.h"

typedef struct hy_lanes {
    hy_msg msg; /* over the group of a communicator that nothing else uses */
    struct hy_all_lanes *all;
    int comm;
    struct hy_lanes *next, **link; /* in all->open or all->closed */
} hy_lanes;

/* The lanes of all contexts of a process. */
typedef struct hy_all_lanes {
    hy_comms *comms;
    pthread_mutex_t lock;    /* of the following */
    hy_lanes *open, *closed; /* in use; sending what is left */
} hy_all_lanes;

void hy_all_lanes_open(hy_all_lanes *all, hy_comms *comms);
/* Frees idle eager buffers and stages. Returns the bytes. */
uint64_t hy_all_lanes_trim(hy_all_lanes *all);
/* Waits until everything is sent, and frees the lanes that were closed. PEER_FAILED: messages to a
 * process that has died or left are lost. */
int hy_all_lanes_end(hy_all_lanes *all);

/* Local. comm, number: of a communicator that nobody uses yet, and that belongs to the lanes from
 * now on. NO_MEMORY: nothing has happened. */
int hy_lanes_open(hy_all_lanes *all, hy_comm *comm, int number, hy_lanes **lanes);
/* Takes back hy_lanes_open(): the caller frees the communicator, which nobody has used. */
void hy_lanes_abandon(hy_lanes *lanes);
/* Local: no call of this process uses them any more. What this process has sent arrives all the
 * same: they stay until it has arrived, or until hy_all_lanes_end(). */
void hy_lanes_close(hy_lanes *lanes);

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
