/* SPDX-License-Identifier: Apache-2.0 */
/* Runs collectives: checks, finds the schedule, makes the buffers reachable, drives the executor.
 */
#ifndef HY_COLL_COLLECTIVE_H
#define HY_COLL_COLLECTIVE_H

#include "coll/comm.h"

typedef struct hy_collective_call {
    hy_coll coll;
    hy_buffer buffer;
    int64_t count; /* elements; bytes for a broadcast */
    int op;        /* reductions */
    int root;      /* bcast, reduce */
    void *work;    /* reductions: as large as the buffer, or NULL */
    bool shared;   /* hbcast: by the fastest means of the node */
} hy_collective_call;

/* Blocks. With `bounded` it gives up after a short spin and returns HAYATE_IN_PROGRESS; go on with
 * hy_collective_test() until that returns something else. */
int hy_collective(hy_comms *comms, int comm, const hy_collective_call *call, bool bounded);
int hy_collective_test(hy_comms *comms, int comm);

/* Runs what comm.exec is set up for to its end, and releases the communicator, which the caller has
 * acquired. turns: as in hy_await; after so many it returns HAYATE_IN_PROGRESS. */
int hy_collective_drive(hy_comms *comms, hy_comm *comm, uint32_t turns);

#endif
