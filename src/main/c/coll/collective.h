/* SPDX-License-Identifier: Apache-2.0 */
/* Ordinary collectives: checks a call, finds its schedule, makes its buffers accessible to the
 * peers, and runs it. */
#ifndef HY_COLL_COLLECTIVE_H
#define HY_COLL_COLLECTIVE_H

#include "coll/arguments.h"
#include "coll/comm.h"

typedef struct hy_collective_call {
    hy_coll coll;
    hy_buffer buffer;
    int64_t count;              /* elements; bytes for a broadcast */
    int op;                     /* reductions only */
    int root;                   /* bcast, reduce */
    void *work;                 /* reductions: as large as the buffer, or NULL */
    bool shared;                /* hbcast: the root's memory is read inside the node */
    const struct hy_hint *hint; /* by the API; NULL: none. Lives as long as the communicator; where
                                 * its algorithm does not fit the call, it is ignored */
} hy_collective_call;

/* A collective on one buffer: barrier, bcast, reduce, allreduce. Waits until it is complete. With
 * `bounded` it returns HAYATE_IN_PROGRESS after a short spin; the caller then calls
 * hy_collective_test() until that returns another value. */
int hy_collective(hy_comms *comms, int comm, const hy_collective_call *call, bool bounded);
/* The same for a collective with separate input and output, or on one buffer, `out`. turns: as in
 * hy_await; after that many it returns HAYATE_IN_PROGRESS. */
int hy_collective_two_sided(hy_comms *comms, int comm, const hy_arguments *call, uint32_t turns);
/* interrupted: the thread was; if the collective is not complete, it is given up. */
int hy_collective_test(hy_comms *comms, int comm, bool interrupted);

/* One step without any wait, for a caller that makes progress in the background: returns what
 * hy_collective_test() would, but learns of no failure that the step itself does not meet. */
int hy_collective_step(hy_comms *comms, int comm);

/* Tells what a wait for the collective that is under way is for: job/waits.h. */
void hy_collective_tell(hy_comms *comms, const hy_comm *comm, hy_awaited *awaited);

/* Runs what comm.exec is set up for to completion, and releases the communicator, which the
 * caller has acquired. turns: as in hy_await; after that many it returns HAYATE_IN_PROGRESS. */
int hy_collective_drive(hy_comms *comms, hy_comm *comm, uint32_t turns);

#endif
