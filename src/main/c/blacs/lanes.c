/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of a grid: messages over a communicator of their own, with a send buffer that grows.
 * Lanes that were closed with messages in the send buffer stay until these are sent. */
#include "blacs/lanes.h"

#include <stdlib.h>

#include "job/shrinkers.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hy_lanes *closed; /* under the lock */

/* Returns idle eager buffers when the heap is full. */
static bool lanes_give(void *lanes)
{
    return hy_msg_trim(&((hy_lanes *)lanes)->msg) != 0;
}

static void lanes_free(hy_lanes *lanes)
{
    hy_shrinker_remove(lanes->comms->job, lanes);
    hy_msg_refuse(&lanes->msg);
    hy_msg_close(&lanes->msg);
    hy_msg_free(&lanes->msg);
    hy_comm_free(lanes->comms, lanes->comm);
    free(lanes);
}

/* Takes one out of those that were closed; with `sent`, one that has sent everything. */
static hy_lanes *take_closed(bool sent)
{
    pthread_mutex_lock(&lock);
    hy_lanes **link = &closed;
    while (*link && sent && hy_send_buffer_holds(&(*link)->msg)) link = &(*link)->next;
    hy_lanes *taken = *link;
    if (taken) *link = taken->next;
    pthread_mutex_unlock(&lock);
    return taken;
}

static int open_messages(hy_lanes *lanes)
{
    hy_comm *comm = hy_comm_find(lanes->comms, lanes->comm);
    int rc = hy_msg_open_group(&lanes->msg, &comm->group);
    if (rc) return rc;
    hy_send_buffer_grow(&lanes->msg);
    rc = hy_msg_start(&lanes->msg);
    return rc ? rc : hy_shrinker_add(lanes->comms->job, lanes_give, lanes);
}

int hy_lanes_open(hy_comms *comms, int of, hy_lanes **result)
{
    for (hy_lanes *old; (old = take_closed(true));) lanes_free(old);
    const hy_comm *parent = hy_comm_find(comms, of);
    hy_lanes *lanes = aligned_alloc(HY_LINE, hy_round_up(sizeof *lanes, HY_LINE));
    int comm = FMPL_COMM_NULL;
    /* A process without memory is not in the communicator, and so all others fail as well. */
    int rc = hy_comm_split(comms, of, lanes ? 0 : -1, parent->group.rank, &comm);
    if (!lanes) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a grid");
    if (!rc && hy_comm_find(comms, comm)->group.size != parent->group.size)
        rc = hy_fail(HAYATE_ERR_NO_MEMORY, "another process has no memory for the grid");
    if (rc) {
        if (comm != FMPL_COMM_NULL) hy_comm_free(comms, comm);
        free(lanes);
        return rc;
    }
    *lanes = (hy_lanes){.comms = comms, .comm = comm};
    rc = open_messages(lanes);
    if (rc) lanes_free(lanes);
    else *result = lanes;
    return rc;
}

void hy_lanes_close(hy_lanes *lanes)
{
    pthread_mutex_lock(&lock);
    lanes->next = closed;
    closed = lanes;
    pthread_mutex_unlock(&lock);
}

int hy_lanes_end(void)
{
    hy_failure failure = {0};
    for (hy_lanes *lanes; (lanes = take_closed(false));) {
        int rc = hy_request_drain(&lanes->msg);
        if (!failure.code) failure = hy_failure_of(rc);
        lanes_free(lanes);
    }
    return hy_fail_again(&failure);
}
