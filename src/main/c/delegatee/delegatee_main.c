/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main program of a delegatee. In this order: takes the order of its launcher, joins the
 * cluster's launcher as a node, meets the other nodes, makes the segment of its own, opens the
 * server, tells the launcher, and serves until the launcher says its last word.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/status.h"
#include "deleg/deleg.h"
#include "delegatee/delegatee.h"
#include "net/delegated/delegation.h"

#define OUTPUT_MS 200

typedef struct delegatee {
    int launcher;
    hy_boot boot;
    bool joined; /* the cluster's launcher */
    int segment_fd;
    uint64_t segment_bytes;
    hy_control *control;
    hy_deleg *deleg;
} delegatee;

static int make_segment(delegatee *self, const hy_delegatee_members *members, uint32_t ranks)
{
    const uint32_t count = (uint32_t)self->boot.size;
    const hy_segment_nodes nodes = {.size = members->size,
                                    .nodes = self->boot.size,
                                    .node = self->boot.rank,
                                    .node_of = self->boot.size > 1 ? members->node_of : NULL,
                                    .delegation_bytes = hy_delegation_bytes(ranks, count)};
    int rc = hy_segment_create_among(&nodes, members->heap, &self->segment_fd,
                                     &self->segment_bytes);
    if (!rc)
        rc = hy_segment_map(self->segment_fd, (uint32_t)members->size, self->segment_bytes,
                            &self->control);
    if (!rc) hy_delegation_init(hy_control_delegation(self->control), ranks, count);
    return rc;
}

static int delegatee_main_prepare(delegatee *self, hy_ready *ready)
{
    hy_order order;
    hy_delegatee_members members = {.node_of = NULL};
    int rc = hy_delegatee_join(self->launcher, &order);
    if (!rc) rc = hy_boot_open_apart(&self->boot);
    self->joined = !rc;
    if (!rc) rc = hy_delegatee_meet(&self->boot, &order, &members);
    if (!rc) rc = make_segment(self, &members, order.ranks);
    if (!rc) rc = hy_deleg_open(&self->deleg, &self->boot, self->control);
    *ready = (hy_ready){.magic = HY_READY_MAGIC,
                        .first = (uint32_t)members.first,
                        .size = (uint32_t)members.size,
                        .segment_bytes = self->segment_bytes};
    free(members.node_of);
    return rc;
}

/* The cluster's launcher ends all nodes; the exit of this process need not tell it more. It may
 * drop what is on its way through it: the launcher here has just written why the job has failed. */
static int end_job(delegatee *self, int code)
{
    poll(NULL, 0, OUTPUT_MS);
    if (self->joined) hy_boot_abort(&self->boot, code);
    return 1;
}

static int serve(delegatee *self)
{
    int code, rc = hy_deleg_serve(self->deleg, self->launcher);
    if (rc) {
        fprintf(stderr, "hayate: the delegatee: %s\n", hayate_error());
        return end_job(self, 1);
    }
    if (!hy_delegatee_released(self->launcher, &code)) return end_job(self, code);
    hy_deleg_close(self->deleg);
    self->boot.ops->close(&self->boot);
    hy_boot_release(&self->boot);
    return 0;
}

static int delegatee_main_run(delegatee *self)
{
    hy_ready ready;
    int rc = delegatee_main_prepare(self, &ready);
    if (rc) {
        hy_delegatee_refuse(self->launcher, rc, hayate_error());
        return end_job(self, 1);
    }
    if (hy_delegatee_ready(self->launcher, &ready, self->segment_fd)) return end_job(self, 1);
    return serve(self);
}

int main(int argc, char **argv)
{
    delegatee self = {.launcher = argc == 2 ? atoi(argv[1]) : -1, .segment_fd = -1};
    if (self.launcher < 3 || fcntl(self.launcher, F_SETFD, FD_CLOEXEC) != 0) {
        fputs("hayate-delegatee is started by hayate run --delegate\n", stderr);
        return 2;
    }
    hy_wait_setup();
    hy_log_setup();
    return delegatee_main_run(&self);
}
