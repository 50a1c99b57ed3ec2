/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives that are started and go on in the background, in the waits of all calls of the rank.
 * A communicator has one at a time; the caller that started it asks for its end.
 *
 * Locking: while it runs, it is background work of the job (base/worklist.h). The thread that has
 * claimed the work steps it, and ends it.
 */
#ifndef HY_COLL_BACKGROUND_H
#define HY_COLL_BACKGROUND_H

#include "coll/arguments.h"
#include "coll/comm.h"
#include "job/await.h"

/* While the communicators are opened. */
void hy_background_open(hy_comms *comms);

/* Starts a collective, and does not wait for it. HAYATE_IN_PROGRESS: ask hy_background_wait() until
 * that returns another value; otherwise it is over, as hy_collective_two_sided(). Peers may use the
 * caller's memory until it is over; managed memory is retained. */
int hy_background_start(hy_comms *comms, int comm, const hy_arguments *call);

/* The result of what was started. turns, limit: as in hy_await; after them it returns
 * HAYATE_IN_PROGRESS, and the collective goes on. STATE: nothing was started, or its result was
 * told. One thread at a time. */
int hy_background_wait(hy_comms *comms, int comm, uint32_t turns, const hy_limit *limit);

/* Tells what a wait for it is for: job/waits.h. While another thread steps it, only that it
 * is one request. */
void hy_background_tell(hy_comms *comms, int comm, hy_awaited *awaited);

/* No thread steps any of them afterwards. */
void hy_background_close(hy_comms *comms);

#endif
