/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communicators of survivors: after a death, the members of a communicator that live make one of
 * themselves, in a job that survives deaths (job/survive.h).
 *
 * Each lists the members that it knows to live, shows all of these its view, and waits until each
 * of them has shown a view of the same members and the same generation. A death on the way makes it
 * list them anew. A view of a higher generation makes it go on with that one: its writer has
 * completed, or given up, what this rank waits for. So all views of a generation with the same
 * members belong together, and of each rank there is only one.
 *
 * Not all return at once: one may have seen all views when another one learns of a death, and lists
 * them anew. Then the communicator of the first one has a dead member: its first wait fails, it
 * shrinks that communicator, lists the same members as the other one, and they meet.
 */
#ifndef HY_COLL_SHRINK_H
#define HY_COLL_SHRINK_H

#include "coll/comm.h"

/* Collective over the members of `from` that live, whether or not it is broken. *comm becomes a
 * communicator of them, in their order in `from`. All communicators made before are replaced
 * (hy_comm_is_replaced()), and the deaths of which this rank knew are acknowledged. STATE: the job
 * does not survive deaths. BUSY: a collective is under way on `from`, or another thread of this
 * rank shrinks. NO_MEMORY; TIMED_OUT, INTERRUPTED, CLOSED; PEER_FAILED: the launcher has ended,
 * or the others take this rank for dead.
 * After an error the call can be repeated, and the other members then have to, too. */
int hy_comm_shrink(hy_comms *comms, int from, int *comm);

#endif
