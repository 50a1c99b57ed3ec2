/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests of collectives that a C program has started (coll/background.h). Such a request names
 * its communicator and its start; one bit tells it from that of a message. Its communicator has one
 * at a time, until its result was told.
 */
#ifndef HY_FMPL_STARTED_H
#define HY_FMPL_STARTED_H

#include "coll/arguments.h"
#include "coll/comm.h"
#include "msg/msg.h"

/* Requests of messages are below it (msg/request.c). */
#define HY_STARTED_BIT (UINT64_C(1) << 63)

static inline bool hy_is_started(fmpl_request_t request)
{
    return (request & HY_STARTED_BIT) != 0;
}

/* Starts a collective, and does not wait for it. *request becomes null if it is complete at once.
 * BUSY: the result of the one before was not told. Otherwise as hy_background_start(). */
int hy_started_begin(hy_comms *comms, int comm, const hy_arguments *call, fmpl_request_t *request);

/* As hy_background_wait(), for a request of this kind. ARGUMENT: its result was told. */
int hy_started_wait(hy_comms *comms, fmpl_request_t request, uint32_t turns);

/* Waits for one of several requests of both kinds, as hy_request_wait_any(). */
int hy_started_wait_any(hy_comms *comms, hy_msg *msg, int n, const fmpl_request_t *requests,
                        int *index);

#endif
