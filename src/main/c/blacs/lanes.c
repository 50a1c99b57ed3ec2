/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes lanes: each is an hy_msg over a group, with a send buffer that grows. */
#include "blacs/lanes.h"

#include <stdlib.h>

void hy_all_lanes_open(hy_all_lanes *all, hy_comms *comms)
{
    *all = (hy_all_lanes){.comms = comms};
    pthread_mutex_init(&all->lock, NULL);
}

/* Under the lock, as link_out(). */
static void link_in(hy_lanes **list, hy_lanes *lanes)
{
    lanes->next = *list;
    lanes->link = list;
    if (lanes->next) lanes->next->link = &lanes->next;
    *list = lanes;
}

static void link_out(const hy_lanes *lanes)
{
    *lanes->link = lanes->next;
    if (lanes->next) lanes->next->link = lanes->link;
}

/* Takes one out of those that were closed; with `sent`, one that has sent everything. */
static hy_lanes *take_closed(hy_all_lanes *all, bool sent)
{
    pthread_mutex_lock(&all->lock);
    hy_lanes *taken = all->closed;
    while (taken && sent && hy_send_buffer_holds(&taken->msg)) taken = taken->next;
    if (taken) link_out(taken);
    pthread_mutex_unlock(&all->lock);
    return taken;
}

static void end_messages(hy_lanes *lanes)
{
    hy_msg_refuse(&lanes->msg);
    hy_msg_close(&lanes->msg);
    hy_msg_free(&lanes->msg);
}

static void lanes_free(hy_lanes *lanes)
{
    end_messages(lanes);
    hy_comm_free(lanes->all->comms, lanes->comm);
    free(lanes);
}

int hy_lanes_open(hy_all_lanes *all, hy_comm *comm, int number, hy_lanes **result)
{
    for (hy_lanes *old; (old = take_closed(all, true));) lanes_free(old);
    hy_lanes *lanes = aligned_alloc(HY_LINE, hy_round_up(sizeof *lanes, HY_LINE));
    if (!lanes) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the messages of a grid");
    *lanes = (hy_lanes){.all = all, .comm = number};
    int rc = hy_msg_open_group(&lanes->msg, &comm->group);
    if (rc) {
        end_messages(lanes);
        free(lanes);
        return rc;
    }
    hy_send_buffer_grow(&lanes->msg);
    pthread_mutex_lock(&all->lock);
    link_in(&all->open, lanes);
    pthread_mutex_unlock(&all->lock);
    *result = lanes;
    return HAYATE_OK;
}

void hy_lanes_abandon(hy_lanes *lanes)
{
    pthread_mutex_lock(&lanes->all->lock);
    link_out(lanes);
    pthread_mutex_unlock(&lanes->all->lock);
    end_messages(lanes);
    free(lanes);
}

void hy_lanes_close(hy_lanes *lanes)
{
    hy_all_lanes *all = lanes->all;
    pthread_mutex_lock(&all->lock);
    link_out(lanes);
    link_in(&all->closed, lanes);
    pthread_mutex_unlock(&all->lock);
}

int hy_all_lanes_end(hy_all_lanes *all)
{
    hy_failure failure = {0};
    for (hy_lanes *lanes; (lanes = take_closed(all, false));) {
        int rc = hy_request_drain(&lanes->msg);
        if (!failure.code) failure = hy_failure_of(rc);
        lanes_free(lanes);
    }
    return hy_fail_again(&failure);
}

uint64_t hy_all_lanes_trim(hy_all_lanes *all)
{
    uint64_t bytes = 0;
    pthread_mutex_lock(&all->lock);
    for (hy_lanes *lanes = all->open; lanes; lanes = lanes->next) bytes += hy_msg_trim(&lanes->msg);
    for (hy_lanes *lanes = all->closed; lanes; lanes = lanes->next)
        bytes += hy_msg_trim(&lanes->msg);
    pthread_mutex_unlock(&all->lock);
    return bytes;
}
